"""One word for one thing, as the glossary of each language has it."""

from __future__ import annotations

import re
import string
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator

import pytest
from glossary import FOLDERS, Texts, glossary, texts, wrong_words
from imports import ROOT

from printkit.core.resources import names
from printkit.core.words import catalogue

sys.path.insert(0, str(ROOT / "tools" / "languages"))

from missing_texts import find_missing

LANGUAGES = [name.removesuffix(".toml") for name in names("templates/glossary")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_one_word_for_one_thing(language: str) -> None:
    assert list(wrong_words(language, texts(language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_concept_of_a_glossary_is_spoken_of(language: str) -> None:
    said = "\n".join(text for lines in texts(language).values() for text in lines.values()).lower()
    assert [name for name, entry in glossary(language).items() if entry["word"].split()[0].lower() not in said] == []
    assert all(entry["en"] and entry["source"] for entry in glossary(language).values())


@pytest.mark.parametrize("concept", sorted(glossary("es")))
def test_one_spoilt_word_is_found(concept: str) -> None:
    entry = glossary("es")[concept]
    if entry["never"]:
        spoilt = {"words/es/terrain": {"legend.spoilt": f"Aquí, {entry['never'][0]}."}}
        assert any(line.startswith(f"{concept}: words/es/terrain") for line in wrong_words("es", spoilt))
    if entry["keys"]:
        words = {file: lines for file, lines in texts("es").items() if {*lines} & {*entry["keys"]}}
        spoilt = {**words, "words/es/zzz": {entry["keys"][0]: "otra cosa"}}
        assert [line for line in wrong_words("es", spoilt) if entry["keys"][0] in line] != []


SPANISH = {f"{file} {key}": text for file, lines in texts("es").items() for key, text in lines.items()}


FORMAL = re.compile(
    r"\b(usted|imprima|mida|corte usted|deje|empiece|ponga|termine|pegue|coloque|recorte|guarde|escriba|rellene"
    r"|descubra|elija|compruebe|mire|monte usted|gire|doble usted|lea usted)\b",
    re.IGNORECASE,
)
"""Forms of the polite address."""

OF_A_WISH = re.compile(r"\b(que|se|donde|como|cuando)( se| lo| la| no| --\S+ lo)? \w+", re.IGNORECASE)
"""Where the same forms are of a verb in the subjunctive, and address nobody."""


def polite(text: str) -> list[str]:
    """Return the words by which a text says usted."""
    return [found[0] for found in FORMAL.finditer(OF_A_WISH.sub("", text))]


def test_a_reader_is_told_tu_and_never_usted() -> None:
    assert {place: polite(text) for place, text in SPANISH.items() if polite(text)} == {}
    assert polite("Imprima map.pdf y ponga una regla.") == ["Imprima", "ponga"]


def test_texts_of_every_folder_have_guillemets_about_what_is_quoted() -> None:
    assert {file.partition("/")[0] for file in texts("es")} == {*FOLDERS, "names"}
    assert [place for place, text in SPANISH.items() if re.search(r"[“”‘]", text)] == []


PHRASES = tomllib.loads((ROOT / "tests/fixtures/spanish-phrases.toml").read_text(encoding="utf-8"))["phrases"]
"""Turns of phrase that were wrong, each with the right one and the files where it means something else."""


def wrong_phrases(said: Texts) -> Iterator[str]:
    """Yield each text that has one of the wrong phrases."""
    for phrase in PHRASES:
        pattern = re.compile(rf"(?<!\w){re.escape(phrase['wrong'])}(?!\w)", re.IGNORECASE)
        for file, lines in said.items():
            if file not in phrase.get("but", ()):
                yield from (f"{file} {key}: {phrase['wrong']}" for key, text in lines.items() if pattern.search(text))


def test_no_wrong_phrase_is_left_and_each_right_one_is_used() -> None:
    assert list(wrong_phrases(texts("es"))) == []
    whole = "\n".join(SPANISH.values()).casefold()
    assert [phrase["right"] for phrase in PHRASES if phrase["right"].casefold() not in whole] == []


@pytest.mark.parametrize("phrase", PHRASES, ids=lambda phrase: phrase["wrong"])
def test_a_wrong_phrase_would_be_found(phrase: dict[str, str]) -> None:
    assert len([*wrong_phrases({"words/es/spoilt": {"key": f"Aquí, {phrase['wrong']}."}})]) >= 1


MEASURED = re.compile(r"(?<![\w.])\d+\.\d+ (mm|cm|m|BW|in|pulg|pulgadas|pasos|%)(?!\w)|1:\d+\.\d")
"""A measure with a decimal point; what is typed has no space before its unit."""


def decimal_points(text: str) -> list[str]:
    """Return the measures of a text that have a point where Spanish has a comma."""
    return [found[0] for found in MEASURED.finditer(text)]


def test_decimals_have_a_comma_where_nothing_is_typed() -> None:
    assert {place: decimal_points(text) for place, text in SPANISH.items() if decimal_points(text)} == {}
    assert all(map(decimal_points, ("La banda mide 25.4 mm.", "a 0.75 BW del borde", "escala 1:10.77")))


# --- Every language has the same keys with the same names to fill in --------------------------------------------------


SPOKEN = names("templates/words")


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", [code for code in SPOKEN if code != "en"])
def test_a_language_has_the_keys_of_english_and_no_other_and_fills_in_the_same_names(language: str) -> None:
    lacking = Counter(text.file for text in find_missing(language))
    assert not lacking, f"{language} lacks {lacking.total()} in {len(lacking)} files: {dict(lacking)}"
    idle = set(catalogue(language)) - set(catalogue("en"))
    assert not idle, f"{language} has {len(idle)} that English has not: {sorted(idle)}"
    differing = [
        key for key, said in catalogue("en").items() if fields(said) != fields(catalogue(language).get(key, said))
    ]
    assert differing == []


@pytest.mark.parametrize("language", SPOKEN)
def test_no_sentence_is_empty(language: str) -> None:
    assert [key for key, sentence in catalogue(language).items() if not sentence.strip()] == []

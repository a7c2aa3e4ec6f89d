"""One word for one thing, as the glossary of each language has it."""

from __future__ import annotations

import re

import pytest
from glossary import FOLDERS, glossary, texts, wrong_words

from printkit.core.resources import names

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
    said = {f"{file} {key}": polite(text) for file, lines in texts("es").items() for key, text in lines.items()}
    assert {place: found for place, found in said.items() if found} == {}
    assert polite("Imprima map.pdf y ponga una regla.") == ["Imprima", "ponga"]


def test_texts_of_every_folder_are_looked_through() -> None:
    assert {file.partition("/")[0] for file in texts("es")} == {*FOLDERS, "names"}


def test_what_is_quoted_stands_in_guillemets() -> None:
    said = {f"{file} {key}": text for file, lines in texts("es").items() for key, text in lines.items()}
    assert [place for place, text in said.items() if re.search(r"[“”‘]", text)] == []

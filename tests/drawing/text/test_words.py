"""Words: every language has the same keys with the same names to fill in, and every kind on a map has its word."""

from __future__ import annotations

import string
from collections import Counter

import pytest

from printkit.core.resources import names
from printkit.core.words import catalogue, find
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.signs.catalogue import SIGNS
from printkit.recipes.output.translations import lacks_of

LANGUAGES = names("templates/words")


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_a_language_has_the_keys_of_english_and_no_other(language: str) -> None:
    lacking = Counter(lack.file for lack in lacks_of(language))
    assert not lacking, f"{language} lacks {lacking.total()} in {len(lacking)} files: {dict(lacking)}"
    idle = set(catalogue(language)) - set(catalogue("en"))
    assert not idle, f"{language} has {len(idle)} that English has not: {sorted(idle)}"


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_sentences_fill_in_the_same_names(language: str) -> None:
    differing = [
        key for key, said in catalogue("en").items() if fields(said) != fields(catalogue(language).get(key, said))
    ]
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_empty(language: str) -> None:
    assert [key for key, sentence in catalogue(language).items() if not sentence.strip()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_and_every_line_of_the_legend_has_its_word(language: str) -> None:
    words = find(language)
    assert all(words.has(f"kind.{kind}") for kind in SIGNS)
    assert all(words.has(f"legend.{entry.key}") for entry in ENTRIES)

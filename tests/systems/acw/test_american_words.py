"""American tables go by the words of their dice tables on every sheet: railroad, fence line, wood, field."""

from __future__ import annotations

import pytest

from printkit.core.resources import names
from printkit.core.words import find
from printkit.kit.registry import find as system_of

BY_HEIGHT = ("hill", "road")
"""Kinds that several results of the dice share."""


@pytest.mark.parametrize("language", names("templates/words"))
def test_what_lies_on_the_table_is_called_as_its_dice_call_it(language: str) -> None:
    book = system_of("acw").book
    words, wrong = find(language).in_dialect(book.names), {}
    for row in book.rows["profile"]:
        if row["kind"] not in BY_HEIGHT:
            thrown = words(f"acw.piece.{str(row['piece']).lower().replace(' ', '_')}")
            if (said := words(f"kind.{row['kind']}")).lower() != thrown.lower():
                wrong[thrown] = said
    assert wrong == {}


def test_the_words_are_those_of_american_tables_alone() -> None:
    words = find("en+es")
    assert find("en") != find("en").in_dialect("american")
    assert words.in_dialect("nowhere")("kind.railway") == words("kind.railway") == "Railway · Ferrocarril"
    assert words.in_dialect("american")("kind.railway") == "Railroad · Ferrocarril"
    assert [one("legend.light_woods") for one in words.in_dialect("american").each()] == ["Wood", "Bosque ligero"]

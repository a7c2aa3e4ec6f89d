"""The page on States and profiles says what the book says, and its examples are read as they stand."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tables_by_hand import rules

from printkit.kit.book import read_book
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.profile import PieceProfile, lines_of_file

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "states.md").read_text(encoding="utf-8")
FILE, SCENARIO = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def cells(head: str) -> list[list[str]]:
    """Return the rows of the table below a head."""
    body = PAGE.split(head, 1)[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in body]


@pytest.mark.clause("AC-103", "AC-104", "AC-110")
def test_every_state_stands_there_with_its_spellings_and_geographies() -> None:
    book = read_book("acw")
    letters = {row.need("geography", str): row.need("letter", str) for row in book.own("geographies")}
    told = cells("| State or region")
    assert told == [
        [
            row.need("row", str),
            ", ".join(f"`{name}`" for name in row.need("names", list)),
            *(letters[geography] for geography in row.need("geographies", list)),
        ]
        for row in book.own("states")
    ]
    for geography, letter in letters.items():
        assert f"`{letter}` {geography}" in " ".join(PAGE.split())


@pytest.mark.clause("AC-Q23")
def test_every_piece_stands_there_as_the_profile_has_it() -> None:
    told = {row[0]: row for row in cells("| Piece | Size")}
    assert list(told) == [row.need("piece", str) for row in read_book("acw").own("profile")]
    for piece, measure in PieceProfile.of(rules()).measures.items():
        _, _, width, _, *others = told[piece.value]
        assert others == [measure.going.name, measure.view]
        assert width == (f"{measure.width:g}" if measure.width is not None else "")
        assert all(f"`{name}" in PAGE or f" {name}" in PAGE for name in others)


@pytest.mark.clause("AC-Q23")
def test_the_examples_of_the_page_are_read() -> None:
    lines = lines_of_file(FILE, "my-profile.toml", rules())
    profile = PieceProfile.of(rules(), lines)
    wood, road, ditch = (profile.of_piece(piece) for piece in (Piece.WOOD, Piece.FENCED_ROAD, Piece.DITCH))
    assert (wood.long, wood.short, wood.least, wood.most, wood.going.name) == (0.4, 0.3, 0.6, 1.3, "difficult")
    assert (road.width, road.view, ditch.long) == (0.05, "open", 0.5)
    listed = PieceProfile.of(rules(), tomllib.loads(SCENARIO)["profile"])
    assert listed.of_piece(Piece.WOOD) == wood
    assert listed.of_piece(Piece.FENCED_ROAD) == road

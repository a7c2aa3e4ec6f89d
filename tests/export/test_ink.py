"""What a print costs in ink: the measure itself, and that the ink-saver keeps its name."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
import shapely.affinity
from inks import ink_share

from printkit.cli.app import run
from printkit.core import words as languages
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName
from printkit.drawing.canvas.shapes import fill
from printkit.export.png import ink_estimate, picture_share
from printkit.kit import registry
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document, document_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.report import estimate_document_ink
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.record import Record


@cache
def game(seed: int) -> Record:
    return play(
        registry.find("brantley"), Orders(rules="brantley", board="12in"), seed, languages.find_words("en")
    ).record


@cache
def share(seed: int, style: str) -> float:
    """Return the ink of a foot of board at true size on one sheet, without legend and key."""
    order = map_context(MapOptions(sheet="one", style=style, furniture="mat"), languages.find_words("en"))
    document = plan_map(game(seed), registry.find("brantley"), order).document
    return ink_share(document)


def half_filled(ink: Ink) -> Drawing:
    """Return a sheet of 100 x 80 mm whose left half is filled."""
    return Drawing(100.0, 80.0, (Layer(LayerName.PAPER, tuple(fill(shapely.box(0, 0, 50, 80), ink))),))


@pytest.mark.parametrize(
    ("colour", "amount"),
    [
        ((0, 0, 0), 1.0),  # black alone, though all three colours would make it too
        ((255, 255, 255), 0.0),
        ((255, 0, 0), 2.0),  # magenta and yellow
        ((0, 255, 255), 1.0),  # cyan
        ((102, 102, 102), 0.6),  # grey is black thinned
        ((102, 51, 0), 0.6 + 0.2 + 0.4),  # brown: black 0.6, the rest magenta and yellow
    ],
)
def test_a_colour_takes_black_for_its_grey_and_inks_for_the_rest(colour: tuple[int, int, int], amount: float) -> None:
    picture = np.full((3, 5, 3), colour, dtype=np.uint8)
    assert picture_share(picture) == pytest.approx(amount)
    assert ink_share(document_of(half_filled(Ink(*colour)))) == pytest.approx(amount / 2, abs=0.004)


def test_thinned_ink_takes_its_share_and_pages_count_by_their_area() -> None:
    black = Drawing(100.0, 80.0, (Layer(LayerName.PAPER, tuple(fill(shapely.box(-1, -1, 101, 81), Ink(0, 0, 0)))),))
    assert ink_share(document_of(Drawing(100.0, 80.0, ()))) == 0.0
    assert ink_share(document_of(black)) == 1.0
    assert ink_share(document_of(half_filled(Ink(0, 0, 0, 0.25)))) == pytest.approx(0.125, abs=0.004)
    small, large = document_of(half_filled(Ink(0, 0, 0))), document_of(Drawing(200.0, 120.0, ()))
    both = Document(title="", pages=(*small.pages, *large.pages))
    assert ink_share(both) == pytest.approx(0.5 * 8000 / (8000 + 24000), abs=0.003)


def test_the_ink_saver_takes_a_third_of_the_campaign_map_at_most_and_high_contrast_less_than_it() -> None:
    saved, plain, spent = (share(2, style) for style in ("ink-saver", "high-contrast", "campaign"))
    assert saved < 0.12
    assert saved <= spent / 3
    assert saved < plain < spent


def test_an_estimate_comes_near_the_measure_and_counts_parts_by_their_area() -> None:
    left, right = document_of(half_filled(Ink(0, 0, 0))), document_of(half_filled(Ink(255, 0, 0)))
    assert ink_estimate(left) == pytest.approx(ink_share(left), abs=0.01)
    assert ink_estimate(right) == pytest.approx(1.0, abs=0.02)
    order = map_context(MapOptions(furniture="mat"), languages.find_words("en"))
    tiled = plan_map(game(2), registry.find("brantley"), order).document
    assert ink_estimate(tiled) == pytest.approx(ink_share(tiled), rel=0.3)
    black, white = (
        Drawing(100.0, 100.0, (Layer(LayerName.PAPER, tuple(fill(shapely.box(0, 0, 50, 100), Ink(0, 0, 0)))),)),
        Drawing(20.0, 50.0, ()),
    )
    both = Document(title="", pages=(*document_of(black).pages, *document_of(white).pages))
    assert ink_estimate(both) == pytest.approx(0.5 * 10_000 / 11_000, abs=0.01)


@pytest.mark.parametrize("across", [True, False])
def test_an_estimate_looks_at_every_other_part_of_eight_in_the_order_they_lie(across: bool) -> None:
    def striped(first: int) -> Document:
        """Return a strip of eight parts of 120 mm, every other of them black."""
        bars = (shapely.box(120 * number, 0, 120 * number + 120, 120) for number in range(first, 8, 2))
        shapes = (bar if across else shapely.affinity.rotate(bar, 90, origin=(0, 0)) for bar in bars)
        moved = (shape if across else shapely.affinity.translate(shape, 120, 0) for shape in shapes)
        items = tuple(item for shape in moved for item in fill(shape, Ink(0, 0, 0)))
        wide, deep = (960.0, 120.0) if across else (120.0, 960.0)
        return document_of(Drawing(wide, deep, (Layer(LayerName.PAPER, items),)))

    found = [ink_estimate(striped(first)) for first in (0, 1)]
    assert found == pytest.approx([0.0, 1.0], abs=0.03)
    assert [ink_share(striped(first)) for first in (0, 1)] == pytest.approx([0.5, 0.5], abs=0.01)


def test_a_plan_tells_the_ink_that_the_sheets_will_take(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["map", "--seed", "2", "--board", "12in", "--sheet", "one", "--furniture", "mat", "--lang", "en"]
    assert run([*command, "--plan", "--style", "ink-saver"]) == 0
    (told,) = re.findall(" and about (\\d+) % ink\\.$", capsys.readouterr().out, re.MULTILINE)
    assert float(told) == pytest.approx(100 * share(2, "ink-saver"), abs=3)
    assert list(table.iterdir()) == []


@pytest.mark.parametrize(("style", "off"), [("campaign", 0.06), ("ink-saver", 0.04)])
def test_the_ink_of_a_plan_is_near_that_of_the_print(style: str, off: float) -> None:
    order = map_context(MapOptions(style=style), languages.find_words("en"))
    document = plan_map(game(2), registry.find("brantley"), order).document
    told = estimate_document_ink(document)
    assert told == pytest.approx(ink_estimate(document), abs=off)
    # Drawing the pages does not change what is known of their boards.
    assert estimate_document_ink(document) == pytest.approx(told, abs=0.01)

"""The page by which a person packs: every piece of the layout, in the order of the layers, each with a box to tick."""

from __future__ import annotations

from collections import Counter

import pytest

from printkit.api import generate
from printkit.content.prose import Heading, Ticks
from printkit.core.resources import template
from printkit.core.words import find
from printkit.hexon.files import part_word
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.stock import Stock
from printkit.hexon.packing import laying_minutes, packing_list
from printkit.terrain.gridded.gridplan import plan_of

WORDS = find("en")


@pytest.fixture(scope="module")
def layout() -> HexonLayout:
    return lay_out(plan_of(generate("portable-2", seed=5).record.battlefield))


def rows(layout: HexonLayout, stock: Stock | None = None) -> list[str]:
    return [row for block in packing_list(layout, WORDS, stock) if isinstance(block, Ticks) for row in block.items]


@pytest.mark.clause("HX-54")
def test_every_piece_is_packed_once(layout: HexonLayout) -> None:
    packed: Counter[str] = Counter()
    for row in rows(layout):
        count, _, piece = row.partition(" × ")
        packed[piece] += int(count)
    due = Counter({part_word(name, WORDS): count for name, count in layout.needs().items()})
    due.update(WORDS(f"kind.{marker.kind}") for marker in layout.markers)
    assert packed == due


def test_layers_stand_in_the_order_in_which_they_are_laid(layout: HexonLayout) -> None:
    heads = [block.text for block in packing_list(layout, WORDS) if isinstance(block, Heading)][1:]
    assert heads == ["The base", *(f"Level {layer.level}" for layer in layout.layers[1:]), "What is laid on top"]


def test_packets_are_told_where_a_stock_says_how_many_they_hold(layout: HexonLayout) -> None:
    boards = layout.counts()[PieceKind.BOARD]
    told = rows(layout, Stock(packs={"boards": 5}))
    assert f"{boards} × six-hex board (packets: {-(-boards // 5)})" in told
    assert sum("packets" in row for row in told) == 1


def test_the_minutes_are_those_of_the_template(layout: HexonLayout) -> None:
    seconds = template("hexon", "laying")
    counts = layout.counts()
    least = seconds["boards"] * counts[PieceKind.BOARD] + seconds["strips"] * len(layout.strips)
    least += seconds["markers"] * len(layout.markers)
    assert least / 60 <= laying_minutes(layout) <= (least + seconds["slopes"] * sum(counts.values())) / 60 + 5
    assert laying_minutes(layout) % 5 == 0

"""The page by which a person packs: every piece of the layout, in the order of the layers, each with a box to tick."""

from __future__ import annotations

from collections import Counter

import pytest

from printkit.api import generate
from printkit.content.prose import CheckBoxes, Heading
from printkit.core.resources import template
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Text
from printkit.drawing.canvas.style import find as style
from printkit.hexon.assembly import laying_minutes, packing_list
from printkit.hexon.files import part_name
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.stock import Stock
from printkit.hexon.plans.board import PlanBoard, draw_layer_plan, full_window
from printkit.terrain.gridded.gridplan import build_plan

WORDS = find_words("en")


@pytest.fixture(scope="module")
def layout() -> HexonLayout:
    return lay_out(build_plan(generate("portable-2", seed=5).record.battlefield))


def rows(layout: HexonLayout, stock: Stock | None = None) -> list[str]:
    return [row for block in packing_list(layout, WORDS, stock) if isinstance(block, CheckBoxes) for row in block.items]


@pytest.mark.clause("HX-54")
def test_every_piece_is_packed_once_in_the_order_of_its_layer_and_in_the_minutes_of_the_template(
    layout: HexonLayout,
) -> None:
    packed: Counter[str] = Counter()
    for row in rows(layout):
        count, _, piece = row.partition(" × ")
        packed[piece] += int(count)
    due = Counter({part_name(name, WORDS): count for name, count in layout.needs().items()})
    due.update(WORDS(f"kind.{marker.kind}") for marker in layout.markers)
    assert packed == due
    heads = [block.text for block in packing_list(layout, WORDS) if isinstance(block, Heading)][1:]
    assert heads == ["The base", *(f"Level {layer.level}" for layer in layout.layers[1:]), "On top of the tiles"]
    boards = layout.counts()[PieceKind.BOARD]
    told = rows(layout, Stock(packs={"boards": 5}))
    assert f"{boards} × six-hex board (packets: {-(-boards // 5)})" in told
    assert sum("packets" in row for row in told) == 1
    seconds = template("hexon", "laying")
    counts = layout.counts()
    least = seconds["boards"] * counts[PieceKind.BOARD] + seconds["strips"] * len(layout.strips)
    least += seconds["markers"] * len(layout.markers)
    assert least / 60 <= laying_minutes(layout) <= (least + seconds["slopes"] * sum(counts.values())) / 60 + 5
    assert laying_minutes(layout) % 5 == 0


def _texts(layout: HexonLayout, *, turned: bool) -> Counter[tuple[str, float, float]]:
    plan = draw_layer_plan(layout, layout.layers[0], scale=0.1, style=style("campaign"), turned=turned)
    found: Counter[tuple[str, float, float]] = Counter()
    for layer in plan.layers:
        for item in layer.items:
            if isinstance(item, Text):
                assert item.angle == 0.0
                found[item.content, round(item.at[0], 1), round(item.at[1], 1)] += 1
    return found


def test_a_plan_from_the_far_side_is_turned_and_its_figures_stand_upright(layout: HexonLayout) -> None:
    board = PlanBoard(layout.grid, 0.1, style("campaign"), full_window(layout.grid))
    turned = PlanBoard(layout.grid, 0.1, style("campaign"), full_window(layout.grid), turned=True)
    width, height = board.size
    for cell in layout.grid.cells():
        x, y = board.centre(cell)
        assert turned.centre(cell) == pytest.approx((width - x, height - y), abs=1e-6)
    plain, far = _texts(layout, turned=False), _texts(layout, turned=True)
    assert Counter(text for text, *_ in plain.elements()) == Counter(text for text, *_ in far.elements())
    assert plain != far

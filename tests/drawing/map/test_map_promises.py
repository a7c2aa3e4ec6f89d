"""What every map promises, measured on the items of drawn boards; and that a broken promise would be found.

``tools/soak_maps.py`` measures the same over hundreds of seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from imports import load_script
from msgspec.structs import replace

from printkit.drawing.canvas.items import Drawing, Item, Layer, LayerName, PathRun, Rect, Stamp, Text
from printkit.drawing.canvas.items import Path as Shape
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

soak = load_script("tools/soak_maps.py")
BOARDS = ((9, "campaign"), (2, "high-contrast"), (4, "ink-saver"), (6, "ink-saver"), (29, "campaign"))
FULL = BOARDS[0]
"""A board with two towns, a wooded hill, a lake and a road."""


@cache
def board(seed: int, style: str) -> tuple[Record, Drawing]:
    return soak.board(seed, "brantley", style)  # type: ignore[no-any-return]


@cache
def judged(seed: int, style: str) -> Any:
    record, drawing = board(seed, style)
    return soak.judged(seed, record.battlefield, drawing, style)


def faults(drawing: Drawing, field: Battlefield | None = None) -> dict[str, int]:
    """Return how often each promise is broken by a drawing of the full board."""
    seed, style = FULL
    found = soak.judged(seed, field or board(*FULL)[0].battlefield, drawing, style)
    return {promise: sum(broken == promise for broken, _ in found.faults) for promise in soak.PROMISES}


def changed(name: LayerName, change: Callable[[Item], Item], *, on_board: bool = True) -> Drawing:
    """Return the full board with the first item of a layer that the change changes."""
    drawing = board(*FULL)[1]
    layers, done = [], False
    for layer in drawing.layers:
        items = list(layer.items)
        for place, item in enumerate(items):
            if layer.name is name and (layer.clip is not None) is on_board and not done:
                items[place] = change(item)
                done = items[place] != item
        layers.append(replace(layer, items=tuple(items)))
    assert done
    return Drawing(drawing.width, drawing.height, tuple(layers))


def at() -> Rect:
    """Return where the full board lies on its sheet."""
    return next(layer.clip for layer in board(*FULL)[1].layers if layer.clip is not None)


def texts() -> list[Text]:
    layers = (layer for layer in board(*FULL)[1].layers if layer.name is LayerName.LABEL)
    return [item for layer in layers for item in layer.items if isinstance(item, Text)]


def shifted(text: Text, x: float, y: float) -> Text:
    glyphs = tuple((foot_x + x, foot_y + y, angle) for foot_x, foot_y, angle in text.glyphs)
    return replace(text, at=(text.at[0] + x, text.at[1] + y), glyphs=glyphs)


def middle(text: Text) -> tuple[float, float]:
    centre = soak.letters(text).centroid
    return centre.x, centre.y


@pytest.mark.parametrize(("seed", "style"), BOARDS)
def test_every_promise_is_kept(seed: int, style: str) -> None:
    found = judged(seed, style)
    assert found.faults == ()
    assert found.counted[soak.CUT] >= 12
    assert found.counted[soak.FRAME] > 100
    assert found.counted[soak.INSIDE] >= len(board(seed, style)[0].battlefield.features)


def test_the_boards_have_everything_that_is_measured() -> None:
    counted = [judged(seed, style).counted for seed, style in BOARDS]
    assert [promise for promise in soak.PROMISES if sum(each[promise] for each in counted) < 20] == []


def test_a_label_upon_another_or_upon_a_disc_or_at_the_edge_is_found() -> None:
    first, second = texts()[:2]
    x, y = middle(first)
    numbers = next(layer for layer in board(*FULL)[1].layers if layer.name is LayerName.NUMBER)
    disc = soak.ground(next(item for item in numbers.items if isinstance(item, Shape) and item.fill)).centroid

    def moved_to(to_x: float, to_y: float) -> dict[str, int]:
        return faults(changed(LayerName.LABEL, lambda item: shifted(item, to_x - x, to_y - y)))  # type: ignore[arg-type]

    assert moved_to(*middle(second))[soak.APART] >= 1
    assert moved_to(disc.x, disc.y)[soak.DISCS] >= 1
    assert moved_to(at().x, y)[soak.INSIDE] == 1


def test_a_tree_in_the_open_is_found() -> None:
    """The upper left corner of the board lies open and far from ways."""

    def moved(item: Item) -> Item:
        assert isinstance(item, Stamp)
        return replace(item, places=tuple(place._replace(e=at().x + 5, f=at().top - 5) for place in item.places))

    assert faults(changed(LayerName.CROWN, moved))[soak.TREES] == 1
    bare = replace(board(*FULL)[0].battlefield, features=())
    assert faults(board(*FULL)[1], bare)[soak.TREES] > 50


def test_a_house_beyond_its_ground_is_found() -> None:
    def moved(item: Item) -> Item:
        assert isinstance(item, Shape)
        if item.fill is not None and item.fill.alpha < 1:
            return item  # a shadow, which may fall anywhere
        first = PathRun(tuple(point + 9000 for point in item.runs[0].points), item.runs[0].closed)
        return replace(item, runs=(first, *item.runs[1:]))

    assert faults(changed(LayerName.HOUSE, moved))[soak.HOUSES] == 1


def test_a_layer_that_is_not_cut_is_found() -> None:
    drawing = board(*FULL)[1]
    layers = tuple(replace(layer, clip=None) if layer.name is LayerName.CROWN else layer for layer in drawing.layers)
    assert faults(Drawing(drawing.width, drawing.height, layers))[soak.CUT] == 1


def test_a_mark_of_the_frame_upon_the_board_is_found() -> None:
    inner = at().padded(-20)
    stray = Text(content="N", at=(inner.x, inner.y), size_pt=12, ink=texts()[0].ink, font=texts()[0].font)
    assert faults(changed(LayerName.FRAME, lambda _: stray, on_board=False))[soak.FRAME] == 1
    # A swatch of the legend may reach over the board as long as it is cut to its own field.
    drawing = board(*FULL)[1]
    reaching = Layer(LayerName.MARGIN, (stray,), Rect(24.0, 24.0, 30.0, 19.0))
    assert faults(Drawing(drawing.width, drawing.height, (*drawing.layers, reaching)))[soak.FRAME] == 0


def test_letters_cover_the_ground_of_their_type() -> None:
    text = replace(texts()[0], content="Hurn", at=(100.0, 50.0), size_pt=20.0, angle=90.0, glyphs=(), track=0.0)
    left, low, right, high = soak.letters(text).bounds
    size = 20 * 25.4 / 72
    assert (left, right) == (pytest.approx(100 - 0.72 * size), pytest.approx(100 + 0.24 * size))
    assert low == pytest.approx(50)
    assert 1.5 * size < high - low < 2.5 * size
    curved = replace(text, glyphs=((0.0, 0.0, 0.0), (40.0, 0.0, 45.0), (80.0, 0.0, 0.0), (120.0, 9.0, 0.0)))
    assert len(soak.letters(curved).geoms) == 4


def test_the_section_of_maps_replaces_itself_and_nothing_else() -> None:
    each = soak.Measured(seed=3, counted=soak.Counter({soak.TREES: 7}), faults=((soak.TREES, "a tree at 1.0, 2.0"),))
    page = soak.with_section("# Soak\n\nGames.\n", soak.section([each], "brantley"))
    assert page.startswith("# Soak\n\nGames.\n\n## Maps\n")
    assert f"| {soak.TREES} | 7 | 1 |" in page
    assert "| 3 | a tree at 1.0, 2.0 |" in page
    assert soak.with_section(page, soak.section([each], "brantley")) == page
    kept = soak.section([replace(each, faults=())], "brantley")
    assert "0 broke a promise" in soak.with_section(page, kept)
    assert "| Seed |" not in soak.with_section(page, kept)


def test_a_seed_that_fails_is_a_fault_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("no ink")

    monkeypatch.setattr(soak, "board", refuse)
    assert soak.measured(1, "brantley").faults == (("errors", "ValueError: no ink"),)
    assert "| errors | 0 | 1 |" in soak.section([soak.measured(1, "brantley")], "brantley")

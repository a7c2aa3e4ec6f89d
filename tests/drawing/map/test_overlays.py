"""What lies over the map without being terrain: quarters, squares to keep clear and grids, each line drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
import shapely
from colours import contrast
from shapely import LineString, box
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, board, context, shape

from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Ink, Item, LayeredItems, LayerName, Path, Text
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.overlays import (
    MOST_CONTRAST,
    WIDEST,
    draw_overlays,
    grid_lines,
    guide_ink,
    keep_clear_squares,
    quarter_lines,
    zone_number_ground,
)
from printkit.drawing.text.drafter import Drafter
from printkit.systems.collision.sheets.column_overlays import draw_column_marks
from printkit.terrain.field.battlefield import Battlefield, Overlay

SIDE = 300.0
HATCH_PITCH = 3.0


def field(*overlays: Overlay) -> Battlefield:
    bare = board(width=SIDE, depth=SIDE)
    return Battlefield(board=bare.board, overlays=overlays)


def laid(
    draw: Callable[[Battlefield, Drafter], LayeredItems], lying: Battlefield, name: str = "campaign"
) -> list[Item]:
    return [item for _, item in draw(lying, drafter(name))]


def drafter(name: str = "campaign", scale: float = 1.0) -> Drafter:
    return Drafter(context=context(name, scale=scale), words=find_words("en"))


def quarters() -> Battlefield:
    return field(*(Overlay(kind="quarters", shape=zone) for zone in board(width=SIDE, depth=SIDE).board.zones(2, 2)))


def cells(columns: int) -> Battlefield:
    zones = board(width=SIDE, depth=SIDE).board.zones(columns, columns)
    return field(*(Overlay(kind="grid", shape=zone) for zone in zones))


def clear(side: str = "", label: str = "") -> Overlay:
    return Overlay(kind="keep-clear", shape=shapely.box(200, -20, 260, 40), side=side, label=label)


def paths(items: Iterable[Item]) -> list[Path]:
    return [item for item in items if isinstance(item, Path)]


@pytest.mark.parametrize("name", STYLES)
def test_quarters_are_parted_by_two_dashed_lines_on_a_halo(name: str) -> None:
    halo, dashed = paths(laid(quarter_lines, quarters(), name))
    for path in (halo, dashed):
        assert path.stroke is not None
        assert shape(path).length == pytest.approx(2 * SIDE, abs=0.5)
        assert sum(part.length for part in map(_line, path.runs)) == pytest.approx(2 * SIDE, abs=0.5)
    assert halo.stroke is not None
    assert dashed.stroke is not None
    assert dashed.stroke.dash
    assert halo.stroke.width > 2 * dashed.stroke.width
    assert 0.18 <= dashed.stroke.width <= 0.62


@pytest.mark.parametrize("name", STYLES)
def test_a_grid_is_drawn_line_by_line_above_all_terrain(name: str) -> None:
    found = list(grid_lines(cells(6), drafter(name)))
    assert {layer for layer, _ in found} == {LayerName.GRID}
    halo, line = paths(item for _, item in found)
    assert sum(part.length for part in map(_line, line.runs)) == pytest.approx(2 * 5 * SIDE, abs=1)
    assert not any(_line(run).within(board(width=SIDE, depth=SIDE).board.shape.exterior) for run in line.runs)
    assert halo.stroke is not None
    assert line.stroke is not None
    heavier = style.find(name).line_factor
    assert line.stroke.width == pytest.approx(0.46 * heavier)
    assert halo.stroke.width >= 1.3
    assert line.stroke.ink.alpha == (0.80 if name == "ink-saver" else 0.74)


def test_cells_of_any_form_share_their_sides_and_quarters_may_be_given_as_lines_too() -> None:
    """Two hexagons side by side have eleven sides, all of them inside the board."""
    turn = np.radians(np.arange(6) * 60 + 30)
    hexagons = [
        shapely.Polygon(np.column_stack([x + 40 * np.cos(turn), 150 + 40 * np.sin(turn)]))
        for x in (100, 100 + 40 * np.sqrt(3))
    ]
    shapes = [shapely.set_precision(hexagon, 0.001) for hexagon in hexagons]
    _, line = paths(laid(grid_lines, field(*(Overlay(kind="grid", shape=each) for each in shapes))))
    assert sum(part.length for part in map(_line, line.runs)) == pytest.approx(11 * 40, abs=0.2)
    cross = shapely.MultiLineString([[(0, 150), (SIDE, 150)], [(150, 0), (150, SIDE)]])
    given = paths(laid(quarter_lines, field(Overlay(kind="quarters", shape=cross))))
    assert shape(given[1]).equals(shape(paths(laid(quarter_lines, quarters()))[1]))


@pytest.mark.parametrize("name", STYLES)
def test_ground_to_keep_clear_has_a_pale_band_inside_its_border_and_nothing_in_the_middle(name: str) -> None:
    seen = shapely.box(200, 0, 260, 40)
    middle = seen.buffer(-4.02, join_style="mitre")
    band, halo, border = paths(laid(keep_clear_squares, field(clear()), name))
    assert border.stroke is not None
    assert border.stroke.dash
    for path in (band, halo, border):
        assert seen.buffer(0.02).covers(shape(path))
    assert shape(border).length == pytest.approx(seen.length, abs=0.1)
    if style.find(name).washes:
        assert band.fill is not None
        assert 0.05 <= band.fill.alpha <= 0.15
        left, low, right, high = middle.bounds
        inner = [run.points for run in band.runs][1]
        assert (min(inner[::2]), min(inner[1::2]), max(inner[::2]), max(inner[1::2])) == pytest.approx(
            (left * 100, low * 100, right * 100, high * 100), abs=5
        )
    else:
        assert not shape(band).intersects(middle)
        assert shape(band).length == pytest.approx((seen.area - middle.area) / HATCH_PITCH, rel=0.08)


def test_the_label_of_a_square_stands_on_the_board_in_the_colour_of_its_side_and_no_grass_grows_under_it() -> None:
    plain, red = (laid(keep_clear_squares, field(clear(side, "K"))) for side in ("", "B"))
    campaign = style.find("campaign")
    for items, token in ((plain, "ink"), (red, "side-red")):
        border = paths(items)[-1]
        assert border.stroke is not None
        assert border.stroke.ink[:3] == campaign.solid(token)[:3]
        (label,) = (item for item in items if isinstance(item, Text))
        assert label.content == "K"
        assert shapely.box(200, 0, 260, 40).contains(shapely.Point(label.at))
    square = Overlay(kind="keep-clear", shape=shapely.box(-30, 270, 30, 330), label="K")
    (label,) = (item for item in laid(keep_clear_squares, field(square)) if isinstance(item, Text))
    assert shapely.box(0, 270, 30, SIDE).contains(shapely.Point(label.at))
    lying = field(clear(label="K"))
    (label,) = (item for item in laid(keep_clear_squares, lying) if isinstance(item, Text))
    assert zone_number_ground(lying, drafter()).contains(shapely.Point(label.at))
    assert zone_number_ground(field(clear()), drafter()).is_empty


def test_a_board_without_such_overlays_has_none_of_it() -> None:
    for draw in (quarter_lines, keep_clear_squares, grid_lines):
        assert laid(draw, field()) == []


def test_the_plan_draws_them_scaled_and_cut_to_the_board() -> None:
    given = (*quarters().overlays, *cells(4).overlays, clear())
    for scale in (1.0, 0.4):
        made = board_drawing(
            field(*given), Drafter.map(style.find("campaign"), find_words("en"), Jitter(1), scale=scale)
        )
        layers = {layer.name: layer for layer in made.layers}
        assert layers[LayerName.GRID].clip == layers[LayerName.OVERLAY].clip == (0, 0, SIDE * scale, SIDE * scale)
        longest = max(_line(run).length for path in paths(layers[LayerName.OVERLAY].items) for run in path.runs)
        assert longest <= SIDE * scale + 0.1
        assert sum(isinstance(item, Path) for item in layers[LayerName.OVERLAY].items) == 5
    bare = board_drawing(
        field(*given), Drafter.map(style.find("campaign"), find_words("en"), Jitter(1), scale=0.4), zones=False
    )
    (overlay,) = (layer for layer in bare.layers if layer.name is LayerName.OVERLAY)
    assert len(overlay.items) == 3


def _line(run: object) -> BaseGeometry:
    points = np.reshape(run.points, (-1, 2)) / 100  # type: ignore[attr-defined]
    return shapely.LineString([*points, points[0]] if run.closed else points)  # type: ignore[attr-defined]


# --- For marching columns: numbers beside the centre line, nothing drawn twice ----------------------------------------


BROAD = 600.0


def marks(*overlays: Overlay, draw: Callable[[Battlefield, Drafter], LayeredItems] = draw_column_marks) -> list[Item]:
    """Return what is drawn of overlays on a board of 600 mm."""
    return laid(draw, Battlefield(board=board(width=BROAD, depth=BROAD).board, overlays=overlays))


def told(*overlays: Overlay) -> list[tuple[str, float, float]]:
    return [(item.content, item.at[0], item.at[1]) for item in marks(*overlays) if isinstance(item, Text)]


def test_columns_entry_stretches_and_squares_bear_number_or_word_beside_the_centre_line_and_inside_the_board() -> None:
    ground = box(220, 0, 380, 160)
    (content, x, y), *rest = told(Overlay(kind="column", shape=ground, label="1", side="B"))
    assert (content, rest) == ("1", [])
    assert x > 330
    assert 60 < y < 100
    found = told(Overlay(kind="entry", shape=LineString([(160, 600), (440, 600)]), label="3", side="A"))
    assert [content for content, _, _ in found] == ["3", "3"]
    assert all(y < 600 for _, _, y in found)
    assert found[0][1] < 220 < 380 < found[1][1]
    square = Overlay(kind="keep-clear", shape=box(220, 0, 380, 160), label="collision.clear_square")
    words = [item for item in marks(square, draw=keep_clear_squares) if isinstance(item, Text)]
    assert [item.content for item in words] == ["4 × 4 BW clear"]
    assert 220 < words[0].at[0] < 300


@pytest.mark.parametrize("kind", ["base-line", "centre-line", "entry", "entry-fast", "landing", "flank"])
def test_every_kind_draws_something(kind: str) -> None:
    shape = box(80, 0, 520, 180) if kind == "flank" else LineString([(100, 0), (500, 0)])
    assert marks(Overlay(kind=kind, shape=shape, side="A"))


def test_wider_ground_is_not_drawn_along_the_sides_own() -> None:
    own = Overlay(kind="deployment", shape=box(160, 0, 440, 180), side="B")
    wide = Overlay(kind="flank", shape=box(80, 0, 520, 180), side="B")
    runs = [run for item in marks(own, wide) if isinstance(item, Path) for run in item.runs]
    across = [x / 100 for run in runs for x in run.points[::2]]
    assert across
    assert all(not 161 < x < 439 for x in across)


# --- Guide marks are quieter than the ground in every style, and are seen all the same --------------------------------


OUTLINES = ("contour", "bank-line", "heavy-woods-dark", "road-casing", "hachure")
"""Inks with which the ground is drawn."""


def marked() -> Battlefield:
    bare = board(width=SIDE, depth=SIDE).board
    near, far = shapely.box(0, 0, SIDE, 90), shapely.box(0, 210, SIDE, SIDE)
    return Battlefield(
        board=bare,
        overlays=(
            *(Overlay(kind="zone", shape=zone, label=str(place)) for place, zone in enumerate(bare.zones(3, 3), 1)),
            *(Overlay(kind="quarters", shape=zone, label="1") for zone in bare.zones(2, 2)),
            Overlay(kind="deployment", shape=far, side="A"),
            Overlay(kind="deployment", shape=near, side="B"),
            Overlay(kind="keep-clear", shape=shapely.box(120, 120, 180, 180)),
            Overlay(kind="keep-clear", shape=shapely.box(20, 20, 60, 60), side="A", label="2"),
            Overlay(kind="centre-line", shape=shapely.LineString([(0, 150), (SIDE, 150)])),
            Overlay(kind="flank", shape=shapely.box(60, 210, 240, SIDE), side="A"),
        ),
    )


def paper(name: str) -> Ink:
    return style.find(name).ink("paper") or Ink(255, 255, 255)


def seen(ink: Ink, name: str) -> float:
    return contrast(paper(name).mix(ink, ink.alpha), paper(name))


@pytest.mark.parametrize("name", STYLES)
def test_every_guide_mark_is_thin_and_pale_and_is_seen(name: str) -> None:
    hand, lying = drafter(name), marked()
    halo = style.find(name).solid("halo")[:3]
    items = [item for _, item in (*draw_overlays(lying, hand), *draw_column_marks(lying, hand))]
    lines = [path.stroke for path in items if isinstance(path, Path) and path.stroke and path.stroke.ink[:3] != halo]
    assert len(lines) >= 7
    for line in lines:
        assert line.width <= WIDEST + 1e-9
        assert 1.4 <= seen(line.ink, name) <= MOST_CONTRAST + 0.01
    for text in items:
        if isinstance(text, Text):
            assert 1.8 <= seen(text.ink, name) <= MOST_CONTRAST


@pytest.mark.parametrize("name", STYLES)
def test_the_ground_has_more_contrast_than_its_guide_marks(name: str) -> None:
    inks = style.find(name)
    guide = max(seen(guide_ink(drafter(name), token), name) for token in ("ink", "side-red", "side-blue"))
    assert guide > 2.8
    assert all(seen(inks.solid(token), name) > guide for token in OUTLINES)

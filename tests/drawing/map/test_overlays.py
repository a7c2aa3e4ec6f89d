"""What lies over the map without being terrain: quarters, squares to keep clear and grids, each line drawn once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry
from signs_scene import STYLES, board, context, shape

from printkit.chance.streams import Jitter
from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Item, LayeredItems, LayerName, Path, Text
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.overlays import grid_lines, keep_clear_squares, quarter_lines, zone_number_ground
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Overlay

SIDE = 300.0
HATCH_PITCH = 5.0


def field(*overlays: Overlay) -> Battlefield:
    bare = board(width=SIDE, depth=SIDE)
    return Battlefield(board=bare.board, overlays=overlays)


def laid(
    draw: Callable[[Battlefield, Drafter], LayeredItems], lying: Battlefield, name: str = "campaign"
) -> list[Item]:
    return [item for _, item in draw(lying, drafter(name))]


def drafter(name: str = "campaign", scale: float = 1.0) -> Drafter:
    return Drafter(context=context(name, scale=scale), words=find("en"))


def quarters() -> Battlefield:
    return field(*(Overlay(kind="quarters", shape=zone) for zone in board(width=SIDE, depth=SIDE).board.zones(2, 2)))


def cells(columns: int) -> Battlefield:
    zones = board(width=SIDE, depth=SIDE).board.zones(columns, columns)
    return field(*(Overlay(kind="grid", shape=zone) for zone in zones))


def clear(side: str = "", label: str = "") -> Overlay:
    return Overlay(kind="keep-clear", shape=shapely.box(200, -20, 260, 40), side=side, label=label)


def paths(items: Iterable[Item]) -> list[Path]:
    return [item for item in items if isinstance(item, Path)]


def lines(path: Path) -> BaseGeometry:
    return shape(path)


@pytest.mark.parametrize("name", STYLES)
def test_quarters_are_parted_by_two_dashed_lines_on_a_halo(name: str) -> None:
    halo, dashed = paths(laid(quarter_lines, quarters(), name))
    for path in (halo, dashed):
        assert path.stroke is not None
        assert lines(path).length == pytest.approx(2 * SIDE, abs=0.5)
        assert sum(part.length for part in map(_line, path.runs)) == pytest.approx(2 * SIDE, abs=0.5)
    assert halo.stroke is not None
    assert dashed.stroke is not None
    assert dashed.stroke.dash
    assert halo.stroke.width > 2 * dashed.stroke.width
    assert 0.18 <= dashed.stroke.width <= 0.62


def test_quarters_may_be_given_as_lines_too() -> None:
    cross = shapely.MultiLineString([[(0, 150), (SIDE, 150)], [(150, 0), (150, SIDE)]])
    given = paths(laid(quarter_lines, field(Overlay(kind="quarters", shape=cross))))
    assert lines(given[1]).equals(lines(paths(laid(quarter_lines, quarters()))[1]))


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


def test_cells_of_any_form_share_their_sides() -> None:
    """Two hexagons side by side have eleven sides, all of them inside the board."""
    turn = np.radians(np.arange(6) * 60 + 30)
    hexagons = [
        shapely.Polygon(np.column_stack([x + 40 * np.cos(turn), 150 + 40 * np.sin(turn)]))
        for x in (100, 100 + 40 * np.sqrt(3))
    ]
    shapes = [shapely.set_precision(hexagon, 0.001) for hexagon in hexagons]
    _, line = paths(laid(grid_lines, field(*(Overlay(kind="grid", shape=each) for each in shapes))))
    assert sum(part.length for part in map(_line, line.runs)) == pytest.approx(11 * 40, abs=0.2)


@pytest.mark.parametrize("name", STYLES)
def test_ground_to_keep_clear_is_hatched_lightly_within_the_board(name: str) -> None:
    seen = shapely.box(200, 0, 260, 40)
    hatching, halo, border = paths(laid(keep_clear_squares, field(clear()), name))
    assert hatching.stroke is not None
    assert border.stroke is not None
    assert border.stroke.dash
    for path in (hatching, halo, border):
        assert seen.buffer(0.02).covers(lines(path))
    assert lines(border).length == pytest.approx(seen.length, abs=0.1)
    # Light means: a twentieth of the ground at most, so that what lies beneath is read.
    assert lines(hatching).length * hatching.stroke.width < 0.06 * seen.area
    assert lines(hatching).length == pytest.approx(seen.area / HATCH_PITCH, rel=0.05)


def test_a_square_of_a_side_has_its_colour_and_its_label() -> None:
    plain, red = (laid(keep_clear_squares, field(clear(side, "K"))) for side in ("", "B"))
    campaign = style.find("campaign")
    for items, token in ((plain, "ink"), (red, "side-red")):
        border = paths(items)[-1]
        assert border.stroke is not None
        assert border.stroke.ink[:3] == campaign.solid(token)[:3]
        (label,) = (item for item in items if isinstance(item, Text))
        assert label.content == "K"
        assert shapely.box(200, 0, 260, 40).contains(shapely.Point(label.at))


def test_the_label_of_a_square_that_reaches_over_the_edge_stands_on_the_board() -> None:
    square = Overlay(kind="keep-clear", shape=shapely.box(-30, 270, 30, 330), label="K")
    (label,) = (item for item in laid(keep_clear_squares, field(square)) if isinstance(item, Text))
    assert shapely.box(0, 270, 30, SIDE).contains(shapely.Point(label.at))


def test_no_grass_grows_under_the_label_of_a_square() -> None:
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
        made = board_drawing(field(*given), Drafter.map(style.find("campaign"), find("en"), Jitter(1), scale=scale))
        layers = {layer.name: layer for layer in made.layers}
        assert layers[LayerName.GRID].clip == layers[LayerName.OVERLAY].clip == (0, 0, SIDE * scale, SIDE * scale)
        longest = max(_line(run).length for path in paths(layers[LayerName.OVERLAY].items) for run in path.runs)
        assert longest <= SIDE * scale + 0.1
        assert sum(isinstance(item, Path) for item in layers[LayerName.OVERLAY].items) == 5
    bare = board_drawing(
        field(*given), Drafter.map(style.find("campaign"), find("en"), Jitter(1), scale=0.4), zones=False
    )
    (overlay,) = (layer for layer in bare.layers if layer.name is LayerName.OVERLAY)
    assert len(overlay.items) == 3


def _line(run: object) -> BaseGeometry:
    points = np.reshape(run.points, (-1, 2)) / 100  # type: ignore[attr-defined]
    return shapely.LineString([*points, points[0]] if run.closed else points)  # type: ignore[attr-defined]

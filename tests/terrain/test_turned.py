"""The board, its zones and edges; seen from another edge it is the same ground, and nothing of it is lost."""

from __future__ import annotations

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, box

from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Going, Hill, HillFace, Kind
from printkit.terrain.field.grids import GRAINS, Cell, Grid, HexGrid, SquareGrid
from printkit.terrain.field.transforms import rotate_edge, rotate_to_edge

_GOOD = Going(0, "good")
_SCALE = GroundScale(pace=0.25, base_width=40.0)
_HILL = shapely.box(10, 20, 60, 50)
_LINE = shapely.LineString([(0, 100), (80, 110), (300, 90)])


def field(grid: Grid | None = None, cells: tuple[tuple[int, int], ...] = ()) -> Battlefield:
    """Return a board of 300 by 200 mm with one feature of each sort, and a zone along its near edge."""
    size = (300.0, 200.0) if grid is None else (grid.width, grid.depth)
    face = HillFace(line=shapely.LineString([(60, 50), (10, 50)]), kind=Kind.STEEP_SLOPE, going=_GOOD, side=2)
    return Battlefield(
        board=Board(*size, _SCALE),
        features=(
            Hill(id="z1", kind=Kind.HILL, contours=(_HILL, _HILL.buffer(-5)), going=_GOOD, faces=(face,), name="Down"),
            Area(id="z2", kind=Kind.MARSH, outline=shapely.box(200, 120, 260, 180), going=_GOOD, cells=cells),
            Course(id="R1", kind=Kind.RIVER, line=_LINE, width=20, going=_GOOD),
            Crossing(
                id="x1", kind=Kind.BRIDGE, at=shapely.Point(80, 110), bearing=350, route="D1", water="R1", going=_GOOD
            ),
        ),
        overlays=(Overlay(kind="deployment", shape=shapely.box(0, 0, 300, 40), label="7", side="B"),),
        grid=grid,
    )


@pytest.mark.parametrize(
    ("edge", "size", "marsh", "bridge", "bearing"),
    [
        (Edge.NEAR, (300, 200), (200, 120, 260, 180), (80, 110), 350),
        (Edge.FAR, (300, 200), (40, 20, 100, 80), (220, 90), 170),
        (Edge.LEFT, (200, 300), (20, 200, 80, 260), (90, 80), 80),
        (Edge.RIGHT, (200, 300), (120, 40, 180, 100), (110, 220), 260),
    ],
)
def test_everything_lies_before_the_person_at_an_edge(
    edge: Edge, size: tuple[float, float], marsh: tuple[float, ...], bridge: tuple[float, float], bearing: float
) -> None:
    made = rotate_to_edge(field(), edge)
    assert (made.board.width, made.board.depth) == size
    assert made.find("z2").outline.bounds == pytest.approx(marsh)  # type: ignore[union-attr]
    crossing = made.find("x1")
    assert isinstance(crossing, Crossing)
    assert crossing.at.coords[0] == pytest.approx(bridge)
    assert crossing.bearing == pytest.approx(bearing)
    hill = made.find("z1")
    assert isinstance(hill, Hill)
    assert [part.area for part in hill.contours] == pytest.approx([_HILL.area, _HILL.buffer(-5).area])
    assert hill.faces[0].line.distance(hill.outline.exterior) == pytest.approx(0)


@pytest.mark.parametrize("edge", Edge)
def test_names_sides_and_edges_lie_where_they_are_said_to_lie(edge: Edge) -> None:
    first, made = field(), rotate_to_edge(field(), edge)
    assert [(each.id, each.name, each.kind) for each in made.features] == [
        (each.id, each.name, each.kind) for each in first.features
    ]
    assert [(each.label, each.side) for each in made.overlays] == [("7", "B")]
    assert made.board.scale == first.board.scale
    first = field()
    made = rotate_to_edge(first, edge)
    assert rotate_edge(edge, edge) is Edge.NEAR
    for place in Edge:
        sought = first.board.edge(place).length
        assert made.board.edge(rotate_edge(place, edge)).length == pytest.approx(sought)
    (zone,) = made.overlays
    rim = made.board.edge(rotate_edge(Edge.NEAR, edge))
    assert shapely.intersection(zone.shape, rim).length == pytest.approx(300)


@given(
    columns=st.integers(3, 8),
    rows=st.integers(3, 8),
    grain=st.sampled_from(("", *GRAINS)),
    edge=st.sampled_from(Edge),
    spot=st.tuples(st.integers(1, 3), st.integers(1, 3)),
)
def test_cells_keep_their_ground_and_the_numbers_that_people_say(
    columns: int, rows: int, grain: str, edge: Edge, spot: tuple[int, int]
) -> None:
    first = HexGrid(columns, rows, 50.0, grain) if grain else SquareGrid(columns, rows, 50.0)
    whole = Battlefield(
        board=Board(first.width, first.depth, _SCALE),
        grid=first,
        features=(Area(id="c", kind=Kind.MARSH, outline=first.outline(Cell(*spot)), going=_GOOD, cells=(spot,)),),
    )
    made = rotate_to_edge(whole, edge)
    (area,) = made.features
    assert made.grid is not None
    assert isinstance(area, Area)
    cell = Cell(*area.cells[0])
    assert made.grid.outline(cell).symmetric_difference(area.outline).area == pytest.approx(0, abs=1e-3)
    assert made.grid.printed_cell(cell) == spot
    assert made.grid.width == pytest.approx(made.board.width)
    assert made.grid.depth == pytest.approx(made.board.depth)


def test_half_a_turn_twice_is_where_it_began() -> None:
    grid = HexGrid(4, 5, 50.0, "flat-odd-high")
    first = field(grid, ((2, 3),))
    again = rotate_to_edge(rotate_to_edge(first, Edge.FAR), Edge.FAR)
    assert again.grid == grid
    assert [each.cells for each in again.features] == [each.cells for each in first.features]
    marsh, before = again.find("z2"), first.find("z2")
    assert marsh.outline.symmetric_difference(before.outline).area < 1e-6  # type: ignore[union-attr]


BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=40.0))
GOOD = Going(rank=0, name="good")


def pond(identity: str) -> Area:
    return Area(id=identity, kind=Kind.LAKE, outline=Point(100, 100).buffer(40), going=GOOD)


@pytest.mark.clause("BR-105", "BR-106", "BR-701", "BR-G71")
def test_zones_and_edges_cover_the_board_once_in_their_order():
    zones = BOARD.zones(3, 3)
    assert [tuple(round(bound, 6) for bound in zone.bounds) for zone in (zones[0], zones[4], zones[8])] == [
        (0.0, 406.4, 203.2, 609.6),
        (203.2, 203.2, 406.4, 406.4),
        (406.4, 0.0, 609.6, 203.2),
    ]
    assert sum(zone.area for zone in zones) == pytest.approx(BOARD.shape.area)
    assert zones[0].union(zones[1]).equals(box(0, 406.4, 406.4, 609.6)) or zones[0].touches(zones[1])
    assert all(one.intersection(other).area < 1e-6 for one in zones for other in zones if one is not other)
    assert BOARD.paces(600) == pytest.approx(6 * 25.4)
    for edge in Edge:
        line = BOARD.edge(edge)
        assert BOARD.shape.boundary.covers(line)
        assert line.coords[0] < line.coords[-1]
        assert (edge is Edge.FAR) == (line.bounds[1] == BOARD.depth)


def test_adding_leaves_the_battlefield_as_it_was():
    empty = Battlefield(board=BOARD)
    full = empty.add(pond("a"), pond("b"))
    assert empty.features == ()
    assert [feature.id for feature in full.select_features(Kind.LAKE)] == ["a", "b"]
    assert list(full.select_features(Kind.MARSH)) == []
    assert full.find("b") == pond("b")
    with pytest.raises(KeyError):
        full.find("c")

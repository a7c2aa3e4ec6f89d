"""Places and buildings: houses in their number and on their ground, gates on the roads, camps, forts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from places_scene import PLACES, SINGLE, area_of, field_of
from shapely import Polygon, affinity, box
from signs_scene import STYLES, board, context, corners, course

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Drawing, Item, LayerName, Path, Rect, Stamp
from printkit.drawing.canvas.layers import gathered
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.signs.built import settlement
from printkit.drawing.signs.built.settlement import TownPlan
from printkit.drawing.signs.built.settlement_types import SETTLINGS
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.signs.ways.roads import TOWNS
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, Area, Kind
from printkit.terrain.geometry.outlines import settled


@cache
def _town(kind: Kind, seed: int) -> TownPlan:
    feature, field = field_of(kind, seed, roads=(0.3, 3.2) if seed % 2 else ())
    return settlement.laid_out(feature, context(seed=seed), field)


def _roofs(town: TownPlan) -> np.ndarray:
    return np.array([house.footprint for house in town.houses])


def _corners(items: Sequence[tuple[LayerName, Item]]) -> np.ndarray:
    """Return all points of what is drawn, shadows left out, of stamps their middles."""
    found = [np.zeros((0, 2))]
    for _, item in items:
        if isinstance(item, Path) and not (item.fill and item.fill.alpha in (0.26, 0.30, 0.32, 0.34, 0.35)):
            found.append(corners(item))
        elif isinstance(item, Stamp):
            found.append(np.array([(place.e, place.f) for place in item.places]))
    return np.vstack(found)


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_a_place_has_as_many_houses_as_its_kind(kind: Kind, seed: int) -> None:
    """The cartography, 10.9."""
    least, most = SETTLINGS[kind].houses
    assert most is not None
    assert least <= len(_town(kind, seed).houses) <= most
    assert (_town(kind, seed).church is not None) == (kind in (Kind.SETTLEMENT, Kind.VILLAGE, Kind.TOWN, Kind.CITY))
    assert (_town(kind, seed).well is not None) == (kind in (Kind.TOWN, Kind.CITY))


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_houses_stand_on_their_own_ground(kind: Kind, seed: int) -> None:
    town = _town(kind, seed)
    roofs = _roofs(town)
    assert town.ground.contains(shapely.union_all(roofs))
    assert shapely.distance(roofs, town.paved).min() > 0.05
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.3 * town.unit
    if town.church is not None:
        assert shapely.distance(roofs, town.churchyard).min() > 0.1
        assert town.paved.disjoint(town.church.footprint)
    for garden in town.gardens:
        assert shapely.distance(roofs, garden.ground).min() > 0.1


@settings(max_examples=6, deadline=None, derandomize=True)
@given(
    kind=st.sampled_from(PLACES),
    size=st.floats(0.6, 2.2),
    roads=st.lists(st.floats(0, 6.2), max_size=3, unique_by=lambda bearing: round(bearing / 1.3)),
    seed=st.integers(0, 99),
)
def test_places_of_any_size_and_roads_keep_their_houses_apart(
    kind: Kind, size: float, roads: list[float], seed: int
) -> None:
    feature, field = field_of(kind, seed, roads=roads)
    grown = area_of(kind, affinity.scale(feature.outline, size, size))
    town = settlement.laid_out(grown, context(seed=seed), board(grown, *field.features[1:]))
    roofs = _roofs(town)
    least, most = SETTLINGS[kind].houses
    assert most is not None
    assert min(least, 12) <= len(roofs) <= most
    assert grown.outline.contains(shapely.union_all(roofs))
    assert shapely.distance(roofs, town.paved).min() > 0.05
    apart = shapely.distance(roofs[:, None], roofs[None, :]) + 99 * np.eye(len(roofs))
    assert apart.min() > 0.3 * town.unit


@pytest.mark.parametrize("seed", range(3))
def test_a_town_in_a_cell_is_a_third_roof(seed: int) -> None:
    """The cartography, 20.1: a town must not be thin on houses in a hex of 74 mm."""
    turn = np.arange(6) * math.pi / 3 + math.pi / 6
    hexagon = Polygon(np.column_stack([200 + 42.7 * np.cos(turn), 150 + 42.7 * np.sin(turn)])).buffer(-4.0)
    feature = area_of(Kind.TOWN, hexagon)
    road = course("r1", Kind.ROAD, [(100, 143), (180, 147), (200, 150), (300, 156)], 8.4)
    town = settlement.laid_out(feature, context(seed=seed), board(feature, road))
    assert shapely.area(_roofs(town)).sum() / hexagon.area > 0.28
    assert all(street.width < 4.5 for street in town.streets)


@pytest.mark.parametrize("seed", range(3))
def test_gates_lie_on_the_roads(seed: int) -> None:
    feature, field = field_of(Kind.CITY, seed, roads=(0.3, 2.4, 4.4))
    town = settlement.laid_out(feature, context(seed=seed), field)
    wall = town.wall
    assert wall is not None
    assert len(wall.gates) == 3
    roads = shapely.union_all([way.line for way in field.of(Kind.ROAD)])  # type: ignore[union-attr]
    for gate in wall.gates:
        assert gate.at.distance(roads) < 6.0
        assert gate.width > 9.6
        assert town.paved.covers(gate.at)
        flanks = [tower for tower in wall.towers if tower.distance(gate.at) < gate.width / 2 + 2 * wall.radius]
        assert len(flanks) >= 2
    assert town.paved.distance(wall.curtain) > 0.2
    assert feature.outline.buffer(1e-6).contains(wall.ground)
    assert shapely.distance(_roofs(town), wall.ground).min() > 1.0
    assert max(town.paved.intersection(tower.buffer(wall.radius)).area for tower in wall.towers) < 0.5
    for tower, other in zip(wall.towers, wall.towers[1:], strict=False):
        assert tower.distance(other) > 2 * wall.radius


def test_a_city_without_roads_has_the_gates_of_its_main_street() -> None:
    town = _town(Kind.CITY, 2)
    assert town.wall is not None
    assert len(town.wall.gates) == 2


def test_roads_end_where_streets_begin() -> None:
    assert set(TOWNS) == set(SETTLINGS)


def test_a_river_or_railway_through_a_place_keeps_houses_off() -> None:
    feature, _ = field_of(Kind.VILLAGE, 1)
    river = course("w1", Kind.RIVER, [(100, 90), (200, 125), (300, 110)], 12.0)
    town = settlement.laid_out(feature, context(), board(feature, river))
    assert shapely.distance(_roofs(town), river.line).min() > 6.5


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("scale", [0.2, 0.292])
def test_small_sheets_have_houses_too(kind: Kind, scale: float) -> None:
    feature, field = field_of(kind, 3, scale=scale)
    town = settlement.laid_out(feature, context(scale=scale), field)
    assert len(town.houses) >= min(12, SETTLINGS[kind].houses[0])


@cache
def _bare(kind: Kind) -> tuple[Area, Battlefield]:
    return field_of(kind, 4, roads=())


@cache
def _laid_bare(kind: Kind, name: str = STYLES[0]) -> TownPlan:
    feature, field = _bare(kind)
    return settlement.laid_out(feature, context(name), field)


def test_the_plan_of_a_place_is_the_same_in_every_style() -> None:
    """So the other styles may be drawn from the plan of the first."""
    for name in STYLES[1:]:
        assert _laid_bare(Kind.VILLAGE, name) == _laid_bare(Kind.VILLAGE)


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [*PLACES, *SINGLE])
def test_every_style_draws_every_kind_on_its_own_ground(kind: Kind, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    feature, field = _bare(kind)
    if kind in PLACES:
        plan = _laid_bare(kind)
        monkeypatch.setattr(settlement, "laid_out", lambda *_: plan)
    items = list(SIGNS[kind](feature, context(name), field))
    assert len(items) >= 3
    assert shapely.contains_xy(feature.outline.buffer(0.4), _corners(items)).all()


@pytest.mark.parametrize("kind", BUILT)
def test_every_kind_has_an_entry_in_the_legend(kind: Kind) -> None:
    assert kind.value in {entry.key for entry in ENTRIES}


@pytest.mark.parametrize("kind", [*PLACES, *SINGLE])
def test_a_small_sample_stays_as_it_was(kind: Kind, golden: Callable[[Drawing, str], None]) -> None:
    hand: SymbolContext = context("ink-saver").smaller(0.5)
    width, height = 20.0, 14.0
    outline = affinity.scale(settled(18, 12, Stream("golden")), 1, 1) if kind in PLACES else box(-8.5, -6, 8.5, 6)
    feature = area_of(kind, affinity.translate(outline, 10, 7), "B")
    items = list(SIGNS[kind](feature, hand, board(feature, width=width, depth=height)))
    golden(Drawing(width, height, gathered(iter(items), clip=Rect(0, 0, width, height))), f"sign-{kind}")


def test_the_specimen_sheet_shows_every_one() -> None:
    shown = {specimen.key for specimen in specimens()}
    assert {kind.value for kind in BUILT} <= shown

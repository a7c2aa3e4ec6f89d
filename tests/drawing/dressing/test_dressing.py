"""Country between the features: it keeps off what counts, ends nowhere, stays pale, is the same in every printing."""

from __future__ import annotations

import heapq
import math
from functools import cache

import numpy as np
import pytest
import shapely
from colours import contrast
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from shapely import Point, box

from printkit import api
from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing, Ink, LayerName, Path, Stamp
from printkit.drawing.canvas.plain import NOTHING
from printkit.drawing.canvas.shapes import polygons
from printkit.drawing.canvas.style import Style
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.dressing import bushes, dressing, lanes
from printkit.drawing.dressing.bushes import Thickets, thickets
from printkit.drawing.dressing.countryside_types import (
    HARDLY_TINTED,
    DressingLevel,
    FieldUse,
    OpenCountry,
    dressing_scale,
    open_country,
)
from printkit.drawing.dressing.dressing import PALER, TINTS, DressingShapes, find_dressing, lane_ink, row_ink, tint
from printkit.drawing.dressing.free_ground import OpenGround
from printkit.drawing.dressing.lanes import CLEAR, FARMS, TOWNS, WIDTH
from printkit.drawing.furniture.legend import DRESSING_ENTRIES, legend_entries
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.kit.countryside import Countryside, countryside_of
from printkit.kit.registry import find as find_system
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Going, Kind
from printkit.terrain.field.record import Record

STYLES = ("campaign", "high-contrast", "ink-saver")
BOARDS = (("brantley", 14), ("dba3", 31), ("solo-dba", 5), ("portable-2", 5), ("brantley", 9))
_FREE = Going(0, "good")


@cache
def record_of(rules: str, seed: int) -> Record:
    """Return the record of a seed."""
    return api.generate(rules, seed=seed).record


def board_of(rules: str, seed: int) -> Battlefield:
    """Return the board of a seed."""
    return record_of(rules, seed).battlefield


def country_at(rules: str, seed: int, level: DressingLevel) -> OpenCountry:
    """Return the country of the board of a seed."""
    system, record = find_system(rules), record_of(rules, seed)
    found = open_country(record.battlefield, countryside_of(system, record), level, system.goings())
    assert found is not None
    return found


def drafter(field_seed: int, style: str = "campaign", scale: float = 1.0) -> Drafter:
    """Return what a board of a seed is drawn with."""
    return Drafter.map(find_style(style), find_words("en"), Jitter(field_seed), scale=scale)


def _dressed(rules: str, seed: int, level: DressingLevel) -> tuple[Battlefield, DressingShapes]:
    field = board_of(rules, seed)
    return field, find_dressing(field, country_at(rules, seed, level), drafter(seed).context)


@pytest.fixture(scope="session", params=BOARDS, ids=lambda board: f"{board[0]}-{board[1]}")
def country(request: pytest.FixtureRequest) -> tuple[Battlefield, DressingShapes]:
    """Return a board and what is drawn between its features."""
    rules, seed = request.param
    return _dressed(rules, seed, DressingLevel.FULL)


def test_lanes_and_bushes_keep_off_what_counts(country: tuple[Battlefield, DressingShapes]) -> None:
    field, found = country
    ground = OpenGround(field)
    starts = shapely.union_all([area.outline.buffer(12.0) for area in ground.areas(*TOWNS, *FARMS)])
    for lane in found.lanes:
        assert lane.difference(starts).distance(ground.solid) >= CLEAR - 0.01
    bushes = shapely.points(found.bushes[:, :2])
    assert shapely.distance(bushes, ground.solid).min(initial=99.0) >= 6.9
    for lane in found.lanes:
        assert shapely.distance(bushes, lane).min(initial=99.0) > WIDTH / 2
    assert found.bushes[:, 2].max(initial=0.0) <= 2.8


def test_no_lane_ends_in_the_open_and_none_runs_beside_another(country: tuple[Battlefield, DressingShapes]) -> None:
    field, found = country
    ground = OpenGround(field)
    places = [area.outline for area in ground.areas(*TOWNS, *FARMS)]
    for number, lane in enumerate(found.lanes):
        others = [*ground.road_lines, *found.lanes[:number], *found.lanes[number + 1 :], field.ground.exterior, *places]
        for end in (lane.coords[0], lane.coords[-1]):
            assert min(other.distance(Point(end)) for other in others) < 0.1
    for number, lane in enumerate(found.lanes):
        others = shapely.union_all([*OpenGround(field).road_lines, *found.lanes[:number]])
        points = shapely.points(shapely.get_coordinates(shapely.segmentize(lane, 10.0)))
        if not others.is_empty:
            assert np.mean(shapely.distance(points, others) < 26.0) < 0.6


@pytest.fixture(scope="module")
def usual() -> DressingShapes:
    """Return what is drawn between the features of a board in the usual style, at true size."""
    return _dressed("brantley", 14, DressingLevel.FULL)[1]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("scale", [0.3, 1.0])
def test_the_same_country_in_every_style_and_scale(style: str, scale: float, usual: DressingShapes) -> None:
    field = board_of("brantley", 14)
    full = country_at("brantley", 14, DressingLevel.FULL)
    other = find_dressing(field, full, drafter(14, style, scale).context)
    assert [parcel.ground.wkb for parcel in usual.parcels] == [parcel.ground.wkb for parcel in other.parcels]
    assert [lane.wkb for lane in usual.lanes] == [lane.wkb for lane in other.lanes]
    assert np.array_equal(usual.bushes, other.bushes)


def _seen(style: Style, ink: Ink) -> float:
    """Return the contrast of an ink with the paper that it is laid on."""
    paper = style.ink("paper") or Ink(255, 255, 255)
    return contrast(paper.mix(ink, ink.alpha), paper)


@pytest.mark.parametrize("name", STYLES)
def test_country_is_paler_than_what_counts(name: str) -> None:
    style = find_style(name)
    casing, lane = style.solid("road-casing"), _seen(style, lane_ink(style))
    if style.washes:
        assert lane <= 3.2
        pasture = style.solid("pasture")
        meadow = sum(dressing._MEADOW) * (dressing._PALE if style.line_factor > 1 else 1.0)
        assert _seen(style, pasture.with_alpha(meadow)) <= 1.2
        bushes, crowns = ([_seen(style, ink) for ink in style.family(token)] for token in ("bush", "crown"))
        assert max(bushes) < min(crowns)
        assert _seen(style, style.solid("bush-line")) <= 3.2
    assert lane < _seen(style, casing)
    assert dressing._BORDER <= 0.26


def _of(drawing: Drawing, layer: LayerName) -> list[Path | Stamp]:
    return [item for each, item in drawing.items() if each.name is layer and isinstance(item, Path | Stamp)]


def test_a_board_without_dressing_has_none_of_it() -> None:
    field = board_of("dba3", 31)
    light_country = country_at("dba3", 31, DressingLevel.LIGHT)
    bare, light = (board_drawing(field, drafter(31), country=kind) for kind in (None, light_country))
    stamped = [
        {item.artwork.name for item in _of(each, LayerName.GRASS) if isinstance(item, Stamp)} for each in (bare, light)
    ]
    assert stamped[0] == set()
    assert {name.split("-")[0] for name in stamped[1]} == {"bush", "tuft"}
    above = [layer for layer in LayerName if layer.value > LayerName.CROWN.value]
    for layer in above:
        assert _of(bare, layer) == _of(light, layer)


def test_the_legend_says_that_country_is_for_the_eye_only() -> None:
    field = board_of("dba3", 31)
    light, full = (country_at("dba3", 31, level) for level in (DressingLevel.LIGHT, DressingLevel.FULL))
    signs = set(DRESSING_ENTRIES.values())
    assert signs.isdisjoint(legend_entries(field))
    assert legend_entries(field, light)[-1] is DRESSING_ENTRIES["dressing"]
    assert legend_entries(field, full)[-1] is DRESSING_ENTRIES["old-furlongs"]
    assert legend_entries(field, country_at("brantley", 14, DressingLevel.FULL))[-1] is DRESSING_ENTRIES["parcels"]
    assert DRESSING_ENTRIES["dressing"] in legend_entries(replace(field, features=()), light)
    cells = board_of("portable-2", 5)
    assert (
        legend_entries(cells, country_at("portable-2", 5, DressingLevel.LIGHT))[-1] is DRESSING_ENTRIES["open-ground"]
    )
    sketched = replace(cells, features=())
    assert signs.isdisjoint(legend_entries(sketched, light))


def _kept(low: float, high: float) -> st.SearchStrategy[float]:
    """Return lengths as a record keeps them: to a thousandth of a millimetre."""
    return st.floats(low, high).map(lambda mm: round(mm, 3))


@settings(max_examples=8)
@given(
    st.lists(st.tuples(_kept(0, 500), _kept(0, 500), _kept(20, 250), _kept(20, 250)), max_size=6),
    st.integers(0, 99),
)
def test_whatever_lies_on_a_board_lanes_keep_off_it(boxes: list[tuple[float, float, float, float]], seed: int) -> None:
    board = Board(500.0, 500.0, GroundScale(pace=0.254, base_width=40.0))
    areas = tuple(
        Area(id=f"a{number}", kind=Kind.LAKE, outline=box(x, y, min(x + wide, 500), min(y + deep, 500)), going=_FREE)
        for number, (x, y, wide, deep) in enumerate(boxes)
        if x < 490 and y < 490
    )
    road = Course(id="r", kind=Kind.ROAD, line=shapely.LineString([(0, 200), (500, 260)]), width=20.0, going=_FREE)
    field = Battlefield(board=board, features=(*areas, road))
    full = open_country(field, Countryside.TEMPERATE, DressingLevel.FULL)
    assert full is not None
    found = find_dressing(field, full, drafter(seed).context)
    solid = OpenGround(field).solid
    parcelled = shapely.union_all([parcel.ground for parcel in found.parcels])
    assert solid.is_empty or parcelled.is_empty or parcelled.distance(solid) >= 6.9
    assert parcelled.is_empty or parcelled.distance(OpenGround(field).road_area) >= 4.9
    for lane in found.lanes:
        assert solid.is_empty or lane.distance(solid) >= CLEAR - 0.01
        assert field.ground.buffer(0.1).covers(lane)


def test_large_american_tables_have_larger_country() -> None:
    def field(width: float) -> Battlefield:
        board = Board(width, 1219.2, GroundScale(pace=0.254, base_width=40.0))
        line = shapely.LineString([(0, 600), (width, 640)])
        return Battlefield(
            board=board, features=(Course(id="s", kind=Kind.STREAM, line=line, width=20.0, going=_FREE),)
        )

    small, large = field(609.6), field(1828.8)
    american = open_country(small, Countryside.AMERICAN, DressingLevel.LIGHT)
    assert american is not None
    assert dressing_scale(small, american) < dressing_scale(large, american) == pytest.approx(1.597, abs=0.01)


# --- Parcels ----------------------------------------------------------------------------------------------------------


def test_parcels_keep_off_what_counts_and_off_one_another(country: tuple[Battlefield, DressingShapes]) -> None:
    field, found = country
    ground = OpenGround(field)
    grounds = [parcel.ground for parcel in found.parcels]
    if not grounds:
        assert field.grid is not None
        return
    together = shapely.union_all(grounds)
    assert together.distance(ground.solid) >= 6.9
    assert not ground.road_lines or together.distance(ground.road_area) >= 4.9
    for lane in found.lanes:
        assert together.distance(lane) >= WIDTH / 2 + 1.5
    assert together.area == pytest.approx(sum(parcel.area for parcel in grounds), abs=0.01)
    assert field.ground.buffer(-2.4).covers(together)
    assert min(parcel.area for parcel in grounds) >= 330.0


@pytest.mark.parametrize("rules", ["dba3", "acw", "portable-1", "portable-2", "collision-course"])
def test_where_fields_count_land_for_the_eye_has_none_of_their_likeness(rules: str) -> None:
    full, light = (country_at(rules, 3, level) for level in (DressingLevel.FULL, DressingLevel.LIGHT))
    assert full.tillage is None or (full.tillage.hedge_share == 0 and all(use.is_old for use in full.tillage.uses))
    assert full.bush_level < light.bush_level
    assert light.tillage == full.tillage


@pytest.mark.parametrize("rules", ["brantley", "solo-dba"])
def test_where_no_field_counts_land_is_tilled(rules: str) -> None:
    full = country_at(rules, 5, DressingLevel.FULL)
    assert full.tillage is not None
    assert {FieldUse.PLOUGH, FieldUse.CROPS} <= set(full.tillage.uses)


def _second_growth(rules: str, seed: int, level: DressingLevel) -> tuple[Battlefield, DressingShapes, Thickets]:
    field, found = _dressed(rules, seed, level)
    worked = shapely.union_all([parcel.ground for parcel in found.parcels if not parcel.use.is_old])
    stream = drafter(seed).context.stream("draw/dressing/thickets")
    return field, found, thickets(OpenGround(field), country_at(rules, seed, level), found.lanes, worked, stream)


@pytest.mark.parametrize(("rules", "seed"), [("dba3", 1), ("collision-course", 2), ("brantley", 2)])
def test_no_wide_circle_of_a_full_board_is_bare(rules: str, seed: int) -> None:
    field, found, second = _second_growth(rules, seed, DressingLevel.FULL)
    assert len(second.bushes)
    worked = [parcel.ground for parcel in found.parcels if not parcel.use.is_old]
    seen = shapely.union_all([OpenGround(field).dark_area(7.0), *worked, *shapely.points(second.bushes[:, :2])])
    board = field.board
    nodes = shapely.points(
        [(x, y) for x in np.arange(5.0, board.width, 10.0) for y in np.arange(5.0, board.depth, 10.0)]
    )
    bare = np.minimum(shapely.distance(nodes, seen), shapely.distance(nodes, field.ground.exterior))
    assert 2 * float(bare.max()) <= 0.30 * board.depth


def test_second_growth_keeps_off_what_counts_and_grows_on_full_boards_alone() -> None:
    field, found, second = _second_growth("dba3", 1, DressingLevel.FULL)
    ground = OpenGround(field)
    places = shapely.points(second.bushes[:, :2])
    assert shapely.distance(places, ground.solid).min() >= 6.9
    assert shapely.distance(places, ground.road_area).min() >= 4.9
    assert shapely.distance(places, shapely.union_all(found.lanes)).min() >= WIDTH / 2 + 2.1
    assert second.bushes[:, 2].max() <= 2.8
    assert all(band.distance(ground.solid) >= 1.5 for band in second.grass)
    assert second.grass[0].covers(second.grass[-1].buffer(-0.01))
    light = _second_growth("dba3", 1, DressingLevel.LIGHT)
    assert not len(light[2].bushes)
    assert light[1].rough == ()


@pytest.mark.parametrize("country", Countryside)
def test_every_country_has_numbers(country: Countryside) -> None:
    field = board_of("brantley", 14)
    found = [open_country(field, country, level) for level in DressingLevel]
    assert found[0] is None
    assert all(each is not None and each.lanes for each in found[1:])
    assert (country is Countryside.STEPPE) == (found[2] is not None and found[2].tillage is None)


def _seen_for(style: Style, name: str, ink: Ink) -> float:
    """Return the contrast of what stands for an ink that the style has."""
    assert style.ink(name) is not None
    return _seen(style, ink)


@pytest.mark.parametrize("name", STYLES)
def test_parcels_are_far_paler_than_fields_that_count(name: str) -> None:
    style = find_style(name)
    for use, (token, alpha) in TINTS.items():
        ink = tint(style, use)
        assert (ink is None) == (not style.washes)
        if ink is not None:
            assert _seen_for(style, token, ink) <= 1.20
            assert ink[3] <= (PALER if style.line_factor > 1 else 1.0) * alpha + 1e-9
    if style.washes:
        assert _seen(style, row_ink(style, 0.95)) <= 3.2


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("token", ["pasture", "crops"])
def test_the_sward_is_paler_than_any_ground_that_counts(name: str, token: str) -> None:
    style = find_style(name)
    if style.washes:
        bands = len(bushes._SWARD_LEVELS)
        ink = style.solid(token).with_alpha(bands * dressing._SWARD[token] * (0.5 if style.line_factor > 1 else 1.0))
        assert _seen_for(style, token, ink) <= 1.20
        rough = 1.0 - (1.0 - dressing.ROUGH[token] * (0.5 if style.line_factor > 1 else 1.0)) ** 3
        assert _seen_for(style, token, style.solid(token).with_alpha(rough)) <= 1.20


@pytest.mark.parametrize("home", ["dry", "steppe"])
def test_dry_homes_have_dry_country(home: str) -> None:
    record = replace(record_of("dba3", 31), details={"terrain": {"home": home}})
    found = countryside_of(find_system("dba3"), record)
    assert found.value == home
    full = open_country(record.battlefield, found, DressingLevel.FULL, find_system("dba3").goings())
    assert full is not None
    assert full.sward == "crops"


def test_no_bush_stands_in_a_parcel_but_in_its_hedge_and_the_sward_keeps_off_what_counts(
    country: tuple[Battlefield, DressingShapes],
) -> None:
    field, found = country
    ground = OpenGround(field)
    for band in found.sward:
        assert band.is_empty or band.distance(ground.covered_area) >= 1.5
        assert field.ground.buffer(0.01).covers(band)
    worked = [parcel.ground for parcel in found.parcels if not parcel.use.is_old]
    inner = shapely.union_all([ground.buffer(-1.0) for ground in worked])
    assert not shapely.contains_xy(inner, found.bushes[:, 0], found.bushes[:, 1]).any()


# --- Grass between the features: as much of a board is green as is asked for, where there is room ---------------------


_NEAR = 0.02
"""How much of a board the grass may be more or less than what is asked for: it is found by nodes 6 mm apart."""


def _share(field: Battlefield, *grounds: shapely.Geometry) -> float:
    ground = OpenGround(field)
    seen = shapely.union_all([ground.solid, ground.road_area, *grounds])
    return shapely.intersection(ground.board_area, seen).area / ground.board_area.area


@pytest.mark.parametrize(("rules", "seed"), [("brantley", 22), ("dba3", 31), ("solo-dba", 5)])
def test_grass_of_a_lightly_dressed_board_makes_up_for_what_it_lacks(rules: str, seed: int) -> None:
    field, found = _dressed(rules, seed, DressingLevel.LIGHT)
    meadow = found.meadow[1:2]
    assert _share(field, *meadow) < 0.31
    assert _share(field, *meadow, found.sward[2]) == pytest.approx(0.31, abs=_NEAR)
    solid = OpenGround(field).solid
    assert all(band.distance(solid) >= 1.5 for band in found.sward)


def test_boards_of_cells_or_full_enough_have_no_grass_besides_and_well_tilled_ones_no_commons() -> None:
    for rules, seed in (("portable-2", 5), ("brantley", 14)):
        assert _dressed(rules, seed, DressingLevel.LIGHT)[1].sward == ()
    _, found = _dressed("brantley", 18, DressingLevel.FULL)
    assert sum(band.area for band in found.rough) < 0.01 * 610**2


@pytest.mark.parametrize("seed", [4, 15])
def test_commons_lie_where_a_tilled_board_falls_short(seed: int) -> None:
    field, found = _dressed("brantley", seed, DressingLevel.FULL)
    tinted = [parcel.ground for parcel in found.parcels if parcel.use not in HARDLY_TINTED]
    assert _share(field, *tinted) < 0.37
    assert _share(field, *tinted, found.rough[1]) >= 0.40 - _NEAR
    worked = shapely.union_all([parcel.ground for parcel in found.parcels])
    assert shapely.intersection(found.rough[0], worked).area < 1.0
    assert all(wide.covers(narrow.buffer(-0.01)) for wide, narrow in zip(found.rough, found.rough[1:], strict=False))


# --- What the dressing looks like: land with parcels, strings of bushes, lanes that turn ------------------------------


@pytest.mark.parametrize(
    ("rules", "seed"), [("brantley", 4), ("brantley", 14), ("brantley", 12), ("solo-dba", 15), ("dba3", 15)]
)
def test_a_fully_dressed_board_has_parcels_on_a_fifth_to_two_fifths_of_it(rules: str, seed: int) -> None:
    field, found = _dressed(rules, seed, DressingLevel.FULL)
    share = sum(parcel.ground.area for parcel in found.parcels) / field.ground.area
    assert 0.18 <= share <= 0.40
    assert len(found.lanes) >= 6


@pytest.mark.parametrize(("rules", "seed"), [("brantley", 14), ("solo-dba", 15), ("dba3", 15)])
def test_a_lightly_dressed_board_has_a_few_blocks_of_pale_parcels_without_rows(rules: str, seed: int) -> None:
    field, found = _dressed(rules, seed, DressingLevel.LIGHT)
    assert found.pale
    blocks = polygons(shapely.union_all([parcel.ground.buffer(20.0) for parcel in found.parcels]))
    assert 1 <= len(blocks) <= round(field.ground.area / 120_000)
    assert all(4 <= sum(block.covers(parcel.ground) for parcel in found.parcels) <= 9 for block in blocks)
    made = drafter(seed)
    board = field.ground
    pale, full = (
        list(dressing.draw_parcels(found.parcels, board, NOTHING, made.context, pale=is_pale))
        for is_pale in (True, False)
    )
    fills = [[item.fill.alpha for _, item in items if isinstance(item, Path) and item.fill] for items in (pale, full)]
    assert fills[0][0] == pytest.approx(0.6 * fills[1][0])
    assert len(pale) < len(full)


def test_bushes_grow_in_strings_and_thickets() -> None:
    near = []
    for seed in (4, 9, 14):
        field, found = _dressed("brantley", seed, DressingLevel.LIGHT)
        area = bushes.find_bush_area(OpenGround(field), found.lanes, shapely.union_all([]))
        made = bushes.bushes(
            OpenGround(field),
            country_at("brantley", seed, DressingLevel.LIGHT),
            area,
            found.lanes,
            drafter(seed).context.noise,
            drafter(seed).context.stream("draw/dressing/bushes"),
        )
        apart = np.hypot(*(made[:, None, :2] - made[None, :, :2]).transpose(2, 0, 1)) + 1e3 * np.eye(len(made))
        near.append(float((apart.min(axis=1) < 5.0).mean()))
        assert made[:, 2].min() >= 0.9
        assert made[:, 2].max() <= 2.8
    assert min(near) > 0.75


def test_lanes_turn_into_the_lanes_and_roads_that_they_meet() -> None:
    turns = []
    for seed in (4, 6, 14):
        field, found = _dressed("brantley", seed, DressingLevel.FULL)
        network = [*OpenGround(field).road_lines, *found.lanes]
        for lane in found.lanes:
            for line in (lane, lane.reverse()):
                end = Point(line.coords[-1])
                met = next((other for other in network if other is not lane and other.distance(end) < 0.5), None)
                if met is None or line.length < 60:
                    continue
                place = met.project(end)
                way = np.subtract(met.interpolate(place + 1).coords[0], met.interpolate(place - 1).coords[0])
                last = np.subtract(line.coords[-1], line.coords[-2])
                turns.append(abs(float(way @ last)) / float(np.hypot(*way) * np.hypot(*last)))
    assert len(turns) > 8
    assert np.median(turns) > 0.7


@pytest.mark.parametrize("seed", [32, 81642])
def test_lanes_enclose_no_small_piece_of_ground(seed: int) -> None:
    field, found = _dressed("brantley", seed, DressingLevel.LIGHT)
    network = shapely.union_all([*OpenGround(field).road_lines, *found.lanes])
    pieces = shapely.get_parts(shapely.polygonize(shapely.get_parts(network)))
    # The turns of lanes enclose slivers.
    assert all(piece.area < 1_500 or piece.area > 15_000 for piece in pieces)


def test_bushes_are_fewer_and_smaller_at_a_small_scale_and_ticks_without_washes(usual: DressingShapes) -> None:
    field = board_of("brantley", 14)

    def draw_bushes(style: str, scale: float) -> list[Path | Stamp]:
        made = drafter(14, style, scale).context
        only_bushes = replace(usual, lanes=(), parcels=(), meadow=(), sward=(), rough=())
        drawn = dressing.draw_dressing(only_bushes, field.ground, NOTHING, made)
        return [item for name, item in drawn if name is LayerName.GRASS and isinstance(item, Path | Stamp)]

    count = len(usual.bushes)
    places = {
        scale: [place for item in draw_bushes("campaign", scale) if isinstance(item, Stamp) for place in item.places]
        for scale in (1.0, 0.3)
    }
    assert len(places[1.0]) == count
    assert len(places[0.3]) == math.ceil(count / 3)
    sizes = {scale: np.median([abs(place.a) + abs(place.b) for place in found]) for scale, found in places.items()}
    smaller = drafter(14, "campaign", 0.3).context.symbol_scale
    assert sizes[0.3] == pytest.approx(0.45 * smaller * sizes[1.0], rel=0.15)
    (ticks,) = draw_bushes("ink-saver", 1.0)
    assert isinstance(ticks, Path)
    assert len(ticks.runs) == count
    assert ticks.fill is None


@pytest.mark.parametrize(("rules", "seed"), [("dba3", 31), ("brantley", 9)])
def test_bands_of_grass_have_no_corners(rules: str, seed: int) -> None:
    field, found = _dressed(rules, seed, DressingLevel.LIGHT)
    edges = OpenGround(field).wash_area.boundary
    turns = []
    for band in found.sward:
        for part in polygons(band):
            points = shapely.get_coordinates(part.exterior)[:-1]
            steps = np.roll(points, -1, axis=0) - points
            bearings = np.degrees(np.arctan2(steps[:, 1], steps[:, 0]))
            turn = np.abs((bearings - np.roll(bearings, 1) + 180) % 360 - 180)
            lengths = np.hypot(*steps.T)
            # A turn between short steps is too small to be seen.
            is_long = np.minimum(lengths, np.roll(lengths, 1)) > 0.8
            turns.append(turn[is_long & (shapely.distance(edges, shapely.points(points)) > 1.0)])
    assert len(np.concatenate(turns)) > 500
    # Where two parts of a band meet, there is a corner.
    assert np.quantile(np.concatenate(turns), 0.995) < 30.0


# --- The search for lanes: its prices are those of the cheapest ways --------------------------------------------------


def _cheapest(net, free, goals, start):
    """Return the price of the cheapest way, sought node by node."""
    rows, columns = net.shape
    price = dict.fromkeys(np.flatnonzero(goals & free).tolist(), 0.0)
    heap = [(0.0, node) for node in price]
    while heap:
        paid, node = heapq.heappop(heap)
        if node == start:
            return paid
        if paid > price[node]:
            continue
        row, column = divmod(node, columns)
        for up, over, length in lanes._MOVES:
            other = (row + up) * columns + column + over
            if 0 <= row + up < rows and 0 <= column + over < columns and free[other]:
                found = paid + length * (net.cost[other] + net.cost[node]) / 2
                if found < price.get(other, math.inf):
                    price[other] = found
                    heapq.heappush(heap, (found, other))
    return math.inf


@pytest.mark.parametrize("closed", [0.0, 0.3, 0.75])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (24, 31)])
def test_prices_are_those_of_the_cheapest_ways(shape, closed):
    chance = np.random.default_rng(7)
    count = shape[0] * shape[1]
    nothing = np.zeros(count)
    for _ in range(6):
        free = chance.random(count) >= closed
        goals = chance.random(count) > 0.97
        net = lanes._SearchGrid(
            places=np.zeros((count, 2)),
            shape=shape,
            free=free,
            cost=chance.uniform(0.2, 3.0, count),
            rim=free,
            to_edge=nothing,
            to_road=nothing,
        )
        start = int(chance.integers(count))
        if free[start]:
            prices = lanes._spread_costs(net, free, goals, start)[goals & free]
            assert prices.min(initial=math.inf) == pytest.approx(_cheapest(net, free, goals, start))

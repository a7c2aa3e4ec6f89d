"""What DBA allows of pieces and courses: the worked examples on the 24-inch board, in inches."""

from __future__ import annotations

import pytest
from shapely import LineString, Point, Polygon, affinity, box

from printkit.kit.book import read_book
from printkit.kit.placement import has_share_inside, is_inside, share_inside
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain, sort_features
from printkit.systems.dba.ground.frame import Axis, Quarter, corner_area, find_quarters, quarter_area, sector_area
from printkit.systems.dba.ground.roads import max_angle_deg
from printkit.systems.dba.ground.terrain_limits import (
    Terrain,
    find_all_quarters,
    side_lengths,
)
from printkit.systems.dba.ground.terrain_rules import keeps_rules
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.terrain_rules import PLACED_RULES, SoloSurroundings
from printkit.terrain.field.battlefield import Board, GroundScale
from printkit.terrain.field.features import Area, Course, Going, Hill, HillFace, Kind
from printkit.terrain.geometry.measure import sinuosity

GOOD, BAD = Going(0, "good"), Going(2, "bad")
INCH = 25.4
BOARD = Board(24 * INCH, 24 * INCH, GroundScale(pace=0.254, base_width=40.0))
BOOK = read_book("solo-dba")
TERMS = PlacementTerms.from_rules(load_solo_rules(board=BOARD))


def inches(*corners: tuple[float, float]) -> LineString:
    return LineString([(x * INCH, y * INCH) for x, y in corners])


def square(*bounds: float) -> Polygon:
    return box(*(bound * INCH for bound in bounds))


def checked(terrain: Terrain, shape: LineString | Polygon, identity: str = "it") -> CheckedTerrain:
    """Return a piece of terrain; a line is half a base width wide."""
    kind = TERMS.piece_rules[terrain].kind
    if isinstance(shape, LineString):
        return CheckedTerrain(identity, terrain, Course(id=identity, kind=kind, line=shape, width=20.0, going=GOOD))
    return CheckedTerrain(identity, terrain, Area(id=identity, kind=kind, outline=shape, going=GOOD))


def broken(
    terrain: Terrain, shape: LineString | Polygon, result: str, *others: CheckedTerrain, bad_count: int = 0
) -> set[str]:
    """Return the clauses that a piece breaks, with this result of its dice and these other pieces."""
    surroundings = SoloSurroundings(terms=TERMS, pieces=others, bad_count=bad_count, find_result=lambda _: result)
    piece = checked(terrain, shape)
    return {rule.clause for rule in PLACED_RULES[terrain] if not keeps_rules([rule], piece, surroundings)}


def broken_by_river(score: int, line: LineString, *others: CheckedTerrain) -> set[str]:
    return broken(Terrain.RIVER, line, BOOK.tables["river"].look_up(score), *others)


def keeps_size(shape: Polygon, terrain: Terrain) -> bool:
    return "SD-3.3-b" not in broken(terrain, affinity.translate(shape, 100, 100), "left/near")


@pytest.mark.clause("ST-27", "SD-3.3.2-a")
def test_a_town_lies_in_the_square_of_its_corner():
    ground = corner_area(BOARD, Quarter.NEAR_RIGHT, BOARD.paces(900), BOARD.paces(900))
    assert ground.bounds == pytest.approx((15 * INCH, 0, 24 * INCH, 9 * INCH))
    assert is_inside(square(18, 0, 23, 4), ground)
    assert is_inside(square(15, 0, 19.5, 8.9), ground)
    assert not is_inside(square(14, 0, 18, 4), ground)


Places = tuple[tuple[float, float], ...]
WILD = ((0, 14), (3, 17.5), (6, 12.5), (9, 17.5), (12, 12.5), (15, 17.5), (18, 12.5), (21, 17.5), (24, 14))


@pytest.mark.clause("ST-29", "ST-30", "ST-31", "ST-32", "ST-33")
@pytest.mark.clause("SD-3.3.3-a", "SD-3.3.3-b", "SD-3.3.3-c", "SD-3.3.3-d", "AMB-20")
@pytest.mark.parametrize(
    ("score", "places", "winding", "clauses"),
    [
        (4, ((9, 0), (7, 8), (11, 16), (9, 24)), 1.05986, set()),
        (4, ((9, 0), (13, 12), (9, 24)), 1.05409, {"SD-3.3.3-d", "SD-3.3.3-r3"}),
        (4, ((8, 0), (5, 12), (8, 24)), 1.03078, {"SD-3.3.3-c", "SD-3.3.3-r3"}),
        (1, WILD, 1.84189, {"SD-3.3.3-b"}),
        (1, ((0, 14), (6, 17.5), (12, 12.5), (18, 17.5), (24, 14)), 1.22971, set()),
        # It comes back to the edge where it started.
        (1, ((0, 14), (8, 15), (4, 17), (16, 16), (24, 14)), 1.36759, {"SD-3.3.3-c"}),
    ],
)
def test_a_river_keeps_its_band_its_quarters_its_length_and_off_the_edges(
    score: int, places: Places, winding: float, clauses: set[str]
) -> None:
    line = inches(*places)
    assert sinuosity(line) == pytest.approx(winding, abs=2e-5)
    assert broken_by_river(score, line) == clauses


@pytest.mark.clause("ST-29", "ST-30", "ST-32")
@pytest.mark.parametrize(
    ("places", "quarters"),
    [
        (((9, 0), (7, 8), (11, 16), (9, 24)), (Quarter.NEAR_LEFT, Quarter.FAR_LEFT)),
        (((9, 0), (13, 12), (9, 24)), tuple(Quarter)),
        (((0, 14), (6, 17.5), (12, 12.5), (18, 17.5), (24, 14)), (Quarter.FAR_LEFT, Quarter.FAR_RIGHT)),
    ],
)
def test_the_quarters_of_a_river(places: Places, quarters: tuple[Quarter, ...]) -> None:
    assert find_quarters(inches(*places), BOARD) == quarters


@pytest.mark.clause("SD-3.3.3-a", "AMB-20")
def test_a_river_ends_on_the_opposite_edge_or_on_the_shore_along_it():
    water = checked(Terrain.WATERWAY, square(22, 0, 24, 24), "waterway")
    short, whole = inches((0, 14), (22, 15)), inches((0, 14), (24, 15))
    no_end = {"SD-3.3.3-a", "SD-3.3.3-r1"}
    assert broken_by_river(1, short) == no_end
    assert broken_by_river(1, whole) == set()
    assert broken_by_river(1, short, water) == set()
    assert broken_by_river(1, inches((0, 14), (21, 15)), water) == no_end
    # Water along another edge is no place to end.
    assert broken_by_river(1, short, checked(Terrain.WATERWAY, square(0, 22, 24, 24), "waterway")) == no_end


@pytest.mark.clause("AMB-20")
def test_a_river_is_measured_along_its_centre_line():
    line = inches((9, 0), (11.8, 12), (9, 24))
    assert broken_by_river(4, line) == set()


@pytest.mark.clause("ST-35", "SD-3.3.4-a", "SD-3.3.4-b")
def test_half_of_a_piece_lies_in_its_sector():
    ground = sector_area(BOARD, "left", "near")
    assert ground.bounds == pytest.approx((0, 0, 8 * INCH, 8 * INCH))
    round_one = affinity.scale(Point(8 * INCH, 4 * INCH).buffer(1.0, quad_segs=64), 3 * INCH, 2 * INCH)
    cases = ((square(5, 1, 11, 5), 0.5, True), (square(5.1, 1, 11.1, 5), 0.48333, False), (round_one, 0.5, True))
    for outline, share, legal in cases:
        assert share_inside(outline, ground) == pytest.approx(share, abs=1e-4)
        assert has_share_inside(outline, ground, BOOK.numbers["sector_share_min"]) is legal


@pytest.mark.clause("ST-36", "SD-3.3.4-c", "AMB-18")
def test_the_only_bad_going_lies_across_two_quarters():
    ground, least = sector_area(BOARD, "centre", "near"), TERMS.min_straddle_area
    assert least == pytest.approx(0.25 * INCH**2)

    def straddles(shape: Polygon) -> bool:
        return "SD-3.3.4-c" not in broken(Terrain.WOODS, shape, "centre/near", bad_count=1)

    across, aside = square(9, 2, 15, 6), square(8.2, 2, 11.9, 6)
    assert straddles(across)
    assert find_quarters(across, BOARD, least) == (Quarter.NEAR_LEFT, Quarter.NEAR_RIGHT)
    assert not straddles(aside)
    assert share_inside(aside, ground) == pytest.approx(1.0)
    # A quarter of a square inch is enough, a hair less is not.
    assert straddles(square(9, 2, 12.0625, 6))
    assert not straddles(square(9, 2, 12.06, 6))


@pytest.mark.clause("ST-37", "SD-3.3.5-c")
def test_a_middle_road_keeps_to_one_side_of_the_middle() -> None:
    good, bad = inches((0, 11), (12, 10.5), (24, 11)), inches((0, 11), (12, 12.5), (24, 13))
    assert broken(Terrain.ROAD, good, "across-middle") == set()
    assert find_quarters(good, BOARD) == (Quarter.NEAR_LEFT, Quarter.NEAR_RIGHT)
    assert broken(Terrain.ROAD, bad, "across-middle") == {"SD-3.3.5-c"}


@pytest.mark.clause("SD-3.3-a")
def test_near_and_left_are_as_the_human_sits():
    assert quarter_area(BOARD, Quarter.NEAR_LEFT).bounds == pytest.approx((0, 0, 12 * INCH, 12 * INCH))
    assert quarter_area(BOARD, Quarter.FAR_RIGHT).bounds == pytest.approx((12 * INCH, 12 * INCH, 24 * INCH, 24 * INCH))
    assert sector_area(BOARD, "right", "far").bounds == pytest.approx((16 * INCH, 16 * INCH, 24 * INCH, 24 * INCH))


@pytest.mark.clause("SD-3.3-b")
@pytest.mark.parametrize("kept", [True, False])
def test_a_bounding_rectangle_of_nine_base_widths_at_any_turn(kept: bool) -> None:
    right, wrong = ((4.5, 4.5), (6, 3), (1, 1)), ((6.1, 2.9), (5, 2.4), (5, 4.1), (1, 0.9))
    for length, width in right if kept else wrong:
        piece = affinity.rotate(box(0, 0, 40 * length, 40 * width), 37)
        assert side_lengths(piece) == pytest.approx((40 * length, 40 * width))
        assert keeps_size(piece, Terrain.WOODS) is kept


@pytest.mark.clause("SD-3.3-b")
def test_marsh_and_rough_may_be_as_slender_as_they_like() -> None:
    types = (Terrain.MARSH, Terrain.ROUGH, Terrain.WOODS)
    assert [keeps_size(box(0, 0, 8 * 40, 40), terrain) for terrain in types] == [True, True, False]


def test_pieces_keep_their_gap_and_quarters_count_what_they_hold():
    one = square(1, 1, 4, 4)
    for start, clauses in ((40, set()), (39.9, {"SD-3.3-b"})):
        other = checked(Terrain.MARSH, box(4 * INCH + start, 0, 300, 90), "other")
        assert broken(Terrain.WOODS, one, "left/near", other) == clauses
    line = inches((0, 13), (24, 13))
    assert find_all_quarters([one], BOARD, 1.0, 1.0) == {Quarter.NEAR_LEFT}
    assert find_all_quarters([one, line], BOARD, 1.0, 1.0) == {Quarter.NEAR_LEFT, Quarter.FAR_LEFT, Quarter.FAR_RIGHT}
    # A touch is no part.
    assert find_all_quarters([square(12, 0, 14, 4)], BOARD, 1.0, 1.0) == {Quarter.NEAR_RIGHT}


@pytest.mark.clause("SD-3.3.5-b")
def test_how_far_a_road_strays_from_its_axis():
    straight, slanting = inches((0, 4), (24, 4)), inches((24, 0), (0, 24))
    assert max_angle_deg(straight, Axis.ACROSS, 40.0) == pytest.approx(0)
    assert max_angle_deg(straight, Axis.UP, 40.0) == pytest.approx(90)
    assert max_angle_deg(slanting, Axis.ACROSS, 40.0) == pytest.approx(45)
    assert max_angle_deg(inches((0, 4), (20, 4), (20, 8)), Axis.ACROSS, 40.0) == pytest.approx(90)


def test_a_hill_is_steep_by_its_going_or_by_one_of_its_faces() -> None:
    outline = box(0, 0, 80, 60)
    face = HillFace(line=outline.exterior, kind=Kind.STEEP_SLOPE, going=BAD, side=0)
    hills = {"plain": (GOOD, ()), "faced": (GOOD, (face,)), "hard": (BAD, ())}
    features = [
        Hill(id=name, kind=Kind.HILL, contours=(outline,), going=going, faces=faces)
        for name, (going, faces) in hills.items()
    ]
    pieces, strange = sort_features([*features, Area(id="house", kind=Kind.EDIFICE, outline=outline, going=BAD)], {})
    steep = {piece.id: piece.terrain for piece in pieces}
    assert steep == {"plain": Terrain.GENTLE_HILL, "faced": Terrain.STEEP_HILL, "hard": Terrain.STEEP_HILL}
    assert strange == ("house",)

"""The judge of shapes finds a planted violation of every clause that it can judge, in fields drawn by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from drawn_by_hand import (
    UNIT,
    Change,
    arc,
    area,
    broken,
    changed,
    coast,
    country,
    course,
    crossing,
    going,
    hill,
    joined_swamps,
    line,
    moved,
    oval,
    plot,
    profile,
    record,
    unseen,
    with_feature,
    without,
)
from msgspec.structs import replace
from seeded_tables import broken_of
from shapely import LineString, Polygon, affinity, box, get_parts
from tables_by_hand import INCH, book, farm_game, game, system
from test_acw_games import record_of

from printkit.systems.acw.terms.pieces import HILLS, Piece
from printkit.terrain.field.features import Area, Course, Hill, HillFace, Kind
from printkit.terrain.field.record import Record, read, write

PIECES = {
    "AC-F01": Piece.STEEP_HILL,
    "AC-F02": Piece.HILL,
    "AC-F03": Piece.RISE,
    "AC-F04": Piece.LONG_HILL,
    "AC-F06": Piece.HILL_CLIFF,
    "AC-F07": Piece.HILL_SCREE,
    "AC-F08": Piece.STEEP_HILL_CLIFF,
    "AC-F09": Piece.WOOD,
    "AC-F12": Piece.SCRUB,
    "AC-F14": Piece.FIELD,
    "AC-F15": Piece.WALL,
    "AC-F16": Piece.FENCE_LINE,
    "AC-F17": Piece.DITCH,
    "AC-F18": Piece.STREAM,
    "AC-F19": Piece.CREEK,
    "AC-F20": Piece.RAVINE,
    "AC-F21": Piece.POOL,
    "AC-F22": Piece.SWAMP,
    "AC-F23": Piece.SAND_DUNES,
    "AC-F24": Piece.ROCKS,
    "AC-F25": Piece.SCREE,
    "AC-F26": Piece.RAILROAD,
    "AC-F27": Piece.FENCED_ROAD,
    "AC-F29": Piece.ROAD,
    "AC-F30": Piece.SUNKEN_LANE,
    "AC-F31": Piece.TRACK,
    "AC-F32": Piece.SETTLEMENT,
    "AC-F33": Piece.FARM,
    "AC-F34": Piece.BUILDING,
    "AC-F35": Piece.TOWN,
}


def lone(piece: Piece, *, larger: float = 1.0) -> Record:
    """Return a table with one piece of its usual size, or of one that is so many times as large."""
    measure = profile().piece_measure(piece)
    long, short = (24 * (length or 0.0) * larger for length in (measure.long, measure.short))
    if measure.width is not None or piece is Piece.RAVINE:
        points = line((30, 30), (30 + (long or 9), 30.6)) if measure.long else line((0, 30), (9, 30.6), (24, 30))
        found = course("one", piece, points)
        return record(replace(found, width=found.width * larger))
    if piece in (*HILLS, Piece.RISE):
        outline = oval(36, 36, long, short)
        cliff = 180.0 if piece in (Piece.HILL_CLIFF, Piece.STEEP_HILL_CLIFF) else None
        return record(hill("one", piece, outline, cliff=cliff, scree=piece is Piece.HILL_SCREE))
    shape = plot if piece in (Piece.FIELD, Piece.FARM, Piece.BUILDING, Piece.SETTLEMENT, Piece.TOWN) else oval
    return record(area("one", piece, shape(36, 36, long, short)))


@pytest.mark.clause(
    "AC-F01", "AC-F02", "AC-F03", "AC-F04", "AC-F06", "AC-F07", "AC-F08", "AC-F09", "AC-F12", "AC-F14", "AC-F15",
    "AC-F16", "AC-F17", "AC-F18", "AC-F19", "AC-F20", "AC-F21", "AC-F22", "AC-F23", "AC-F24", "AC-F25", "AC-F26",
    "AC-F27", "AC-F29", "AC-F30", "AC-F31", "AC-F32", "AC-F33", "AC-F34", "AC-F35", "AC-Q23",
)  # fmt: skip
@pytest.mark.parametrize(("clause", "piece"), PIECES.items())
def test_a_piece_of_its_size_and_going_is_kept_and_any_other_is_broken(clause, piece):
    assert broken(lone(piece), clause) == ""
    assert " mm" in broken(lone(piece, larger=2.0), clause)
    wrong = going("impassable" if profile().piece_measure(piece).going.name != "impassable" else "open")
    assert "going" in broken(changed("one", going=wrong)(lone(piece)), clause)
    assert unseen(record(), clause)


@pytest.mark.clause("AC-F28", "AC-N40", "AC-F39")
def test_a_road_is_held_to_what_was_rolled():
    rolls = [{"zone": 1, "roll": 1, "die": None, "cell": "", "fate": "given", "piece": "unfenced_road", "throw": None}]
    road = course("z1-1", Piece.UNFENCED_ROAD, line((0, 30), (24, 31)))
    stream = course("stream", Piece.STREAM, line((12, 48), (12.4, 36), (12, 24), (13, 0)))
    ford = crossing("ford", Kind.FORD, 12.2, 30.5, "z1-1", "stream")
    found = record(road, stream, ford, details={"zones": rolls})
    assert (broken(found, "AC-F28"), broken(found, "AC-N40")) == ("", "")
    assert "by a ford" in broken(changed("ford", kind=Kind.BRIDGE)(found), "AC-N40")
    assert "wide" in broken(changed("z1-1", width=20.0)(found), "AC-F28")
    assert "a track" in broken(changed("z1-1", kind=Kind.TRACK)(found), "AC-F28")


@pytest.mark.parametrize("drawn", [country, coast])
def test_fields_drawn_by_hand_break_nothing_and_their_dice_are_not_judged(drawn: Callable[[], Record]) -> None:
    states = {verdict.clause: verdict.state for verdict in system().judge(read(write(drawn()), book().going))}
    assert "broken" not in states.values()
    for clause in ("AC-204", "AC-205", "AC-D3", "AC-N02", "AC-N10", "AC-103"):
        assert states[clause] == "not judged"
    for clause in ("AC-G01", "AC-G02", "AC-G05", "AC-G06", "AC-G08", "AC-N40", "AC-211"):
        assert states[clause] == "kept"


def face(identity: str, bearing: float, wide: float, kind: Kind = Kind.CLIFF, name: str = "impassable") -> Change:
    def change(found: Record) -> Record:
        line_of = arc(shape_of(found, identity), bearing, wide)
        return changed(identity, faces=(HillFace(line=line_of, kind=kind, going=going(name), side=0),))(found)

    return change


def move_steep_side(found: Record) -> Record:
    steep = found.battlefield.find("steep")
    assert isinstance(steep, Hill)
    faces = tuple(replace(side, line=affinity.translate(side.line, 60.0)) for side in steep.faces)
    return changed("steep", faces=faces)(found)


def shape_of(found: Record, identity: str) -> Polygon:
    one = found.battlefield.find(identity)
    assert isinstance(one, Area | Hill)
    return one.outline


def shrunk(identity: str, by: float) -> Change:
    return lambda found: changed(identity, outline=affinity.scale(shape_of(found, identity), by, by))(found)


def wide_top(found: Record) -> Record:
    outline = shape_of(found, "steep")
    return changed("steep", contours=(outline, affinity.scale(outline, 0.9, 0.9)))(found)


def belted(*gaps: tuple[float, float]) -> Record:
    """Return a clearing in zone 1 with a belt of trees that has gaps between bearings in degrees."""
    opening = oval(12, 36, 8.6, 7.2)
    ring = opening.buffer(0.08 * UNIT).difference(opening)
    for low, high in gaps:
        edge = arc(oval(12, 36, 60, 60), (low + high) / 2, high - low)
        ring = ring.difference(Polygon([(12 * INCH, 36 * INCH), *edge.coords]))
    trees = [area(f"belt-{number}", Piece.WOOD, part) for number, part in enumerate(get_parts(ring))]
    return record(area("clearing", Piece.CLEARING, opening), *trees)


PLANTED: dict[str, list[tuple[Callable[[], Record], Change, str]]] = {
    "AC-F01": [
        (country, wide_top, "30% to 50%"),
        (country, changed("steep", faces=()), "that is steep is 0; the minimum is 1"),
        (country, move_steep_side, "its steep slope is 60 mm from its outline"),
    ],
    "AC-F04": [(country, changed("ridge", contours=(oval(60, 6, 20, 10),)), "is 2; the minimum is 2.5")],
    "AC-F05": [(coast, moved("tongue", -5, -2), "does not start at a hill or an edge")],
    "AC-F06": [
        (country, face("bluff", 0.0, 115.0), "degrees off"),
        (country, face("bluff", 180.0, 40.0), "25% to 40%"),
        (country, face("bluff", 180.0, 115.0, name="slow"), "impassable"),
        (country, changed("bluff", contours=(oval(7, 6.2, 10, 7.8),)), "from its outline"),
    ],
    "AC-F07": [(coast, face("apron", 0.0, 150.0, Kind.SCREE, "difficult"), "must take 90")],
    "AC-F10": [(country, changed("woodland", outline=oval(63, 17.4, 13.4, 11)), "no bay")],
    "AC-F11": [(coast, shrunk("forest", 0.4), "of the square")],
    "AC-F13": [
        (coast, moved("clearing", 24, 3), "no trees or belt"),
        (lambda: belted((0, 10), (170, 180)), lambda found: found, "a quarter"),
        (lambda: belted((0, 120)), lambda found: found, "one gap"),
    ],
    "AC-F14": [
        (country, changed("field-1", outline=oval(62.5, 35, 8.4, 6)), "sides"),
        (country, moved("field-2", 0, 2), "does not share a side"),
    ],
    "AC-F15": [
        (country, moved("wall", 3, 0), "runs along"),
        (country, changed("wall", line=line((67, 32), (68, 34), (67, 36), (68, 38), (67, 43))), "straight parts"),
    ],
    "AC-F16": [(country, moved("fence", 0, -4), "runs along")],
    "AC-F17": [(country, moved("ditch", -4, 0), "from all water")],
    "AC-F18": [(country, changed("stream", line=line((40, 48), (40, 0))), "is 0; the minimum is 0.01")],
    "AC-F20": [
        (country, with_feature(course("gully", Piece.RAVINE, line((26, 20), (37, 20.6)))), "contain the stream")
    ],
    "AC-F23": [(coast, moved("dunes", 0, 5), "from the shore")],
    "AC-F25": [(country, moved("scree", 11, 2), "nearest hill")],
    "AC-F26": [(country, changed("railroad", line=line((0, 16.5), (36, 26), (72, 16.5))), "bends")],
    "AC-F33": [(country, moved("farm", 0, 5), "from the road")],
    "AC-F36": [(coast, changed("fort", outline=plot(36, 34, 8.4, 8.4)), "corners")],
    "AC-F38": [
        (coast, changed("sea", outline=box(0, 0, 40 * INCH, 6 * INCH)), "runs along"),
        (coast, changed("sea", outline=box(0, 0, 72 * INCH, 14 * INCH)), "deep"),
    ],
    "AC-G01": [(country, moved("wood", 4, 0), "outside zone 1"), (country, moved("rocks", 0, 2), "margin")],
    "AC-G02": [(country, moved("house", 3.5, -10), "overlap"), (country, moved("village", -13, 9.5), "overlap")],
    "AC-G04": [(country, shrunk("wood", 0.5), "at least")],
    "AC-G05": [
        (country, moved("pool", 0, 4), "runs through pool"),
        (country, moved("steep", 0, -8), "runs through steep"),
        (country, moved("rocks", 0, -4), "runs through rocks"),
        (country, changed("road", line=line((0, 6), (24, 6))), "cliff of bluff"),
        (country, with_feature(course("path", Piece.TRACK, line((7.2, 31), (7.2, 48)))), "to the contour"),
    ],
    "AC-G06": [(country, moved("rise", 21, 0), "runs through rise"), (country, moved("village", 8, 0), "runs through")],
    "AC-G07": [
        (country, moved("railroad", 0, 5), "of its length"),
        (country, with_feature(course("path", Piece.TRACK, line((20, 35), (28, 35)))), "2 times"),
    ],
    "AC-G08": [
        (country, changed("stream", line=line((40, 48), (44, 40), (36, 40), (44, 44), (40, 0))), "crosses itself"),
        (
            country,
            changed("road", line=line((0, 31), (12, 43), (24, 31), (48, 31), (72, 31))),
            "as long as a straight line",
        ),
    ],
    "AC-N13": [(coast, changed("lane", line=line((24.5, 48), (30, 20), (33, 0))), "water edge")],
    "AC-N14": [(country, changed("track", line=line((14, 20), (22, 20))), "on open ground")],
    "AC-N24": [(coast, changed("brook", line=line((60, 24), (57, 20), (62, 19))), "does not run off the table")],
    "AC-N26": [(country, with_feature(course("beck", Piece.STREAM, line((33, 26), (44, 27)))), "cross at")],
    "AC-N31": [(country, changed("railroad", line=line((0, 16.5), (60, 16.5))), "on open ground")],
    "AC-N33": [(coast, changed("swamp", outline=joined_swamps(2.0)), "strip")],
    "AC-N34": [(country, moved("swamp", -8, 0), "from its stream")],
    "AC-N35": [
        (
            country,
            lambda found: moved("field-2", 0, 5)(without("field-1", "farm", "track")(found)),
            "from all its farms",
        )
    ],
    "AC-N16": [(country, moved("village", 0, 8), "from the road of zone")],
    "AC-N40": [
        (country, without("trestle"), "without a ford"),
        (country, changed("bridge", kind=Kind.LEVEL_CROSSING), "is a level_crossing"),
        (country, changed("bridge", bearing=80.0), "turn from the direction of its road"),
        (country, changed("bridge", at=line((44, 31), (45, 31)).centroid), "distance from both courses"),
        (country, changed("bridge", water="nothing"), "are not both"),
    ],
    "AC-211": [(country, changed("railroad", line=line((6, 16.5), (60, 16.5))), "on open ground")],
}


@pytest.mark.clause(
    "AC-F01", "AC-F04", "AC-F05", "AC-F06", "AC-F07", "AC-F10", "AC-F11", "AC-F13", "AC-F14", "AC-F15", "AC-F16",
    "AC-F17", "AC-F18", "AC-F20", "AC-F23", "AC-F25", "AC-F26", "AC-F33", "AC-F36", "AC-F38", "AC-F39", "AC-G01",
    "AC-G02", "AC-G04", "AC-G05", "AC-G06", "AC-G07", "AC-G08", "AC-N13", "AC-N14", "AC-N16", "AC-N24", "AC-N26",
    "AC-N31", "AC-N33", "AC-N34", "AC-N35", "AC-N40", "AC-211",
)  # fmt: skip
@pytest.mark.parametrize(
    ("clause", "drawn", "spoil", "word"), [(clause, *plant) for clause, plants in PLANTED.items() for plant in plants]
)
def test_a_planted_violation_is_found(clause, drawn, spoil, word):
    assert word in broken(spoil(drawn()), clause)


@pytest.mark.clause("AC-F37")
def test_a_river_along_half_its_edge_is_broken():
    river = record(area("river", Piece.RIVER, box(0, 0, 72 * INCH, 4.8 * INCH)))
    assert broken(river, "AC-F37") == ""
    assert "runs along" in broken(changed("river", outline=box(0, 0, 30 * INCH, 4.8 * INCH))(river), "AC-F37")
    assert "going" in broken(changed("river", going=going("slow"))(river), "AC-F37")


@pytest.mark.clause("AC-F08")
def test_a_steep_hill_with_a_short_cliff_is_broken() -> None:
    assert "25% to 40%" in broken(face("one", 180.0, 30.0)(lone(Piece.STEEP_HILL_CLIFF)), "AC-F08")


def excused(identity: str) -> Change:
    """Have the record say that the roll of a feature had no room."""

    def change(found: Record) -> Record:
        rolls = [
            {**roll, "no_room": "tried"} if f"z{roll['zone']}-{roll['roll']}" == identity else roll
            for roll in found.details["zones"]
        ]
        return replace(found, details={**found.details, "zones": rolls})

    return change


@pytest.mark.clause("AC-N02", "AC-N10", "AC-N11", "AC-N20", "AC-N25", "AC-N31", "AC-G04", "AC-F09", "AC-F33")
def test_what_the_graph_and_the_rolls_tell_has_to_lie_on_the_table() -> None:
    found = record_of(farm_game(), geography="farm")
    assert broken_of(found) == {}
    ways = [one for one in found.battlefield.features if isinstance(one, Course)]
    roads = without(*(one.id for one in ways if "road" in one.kind or one.kind is Kind.SUNKEN_LANE))(found)
    streams = without(*(one.id for one in ways if one.kind is Kind.STREAM))(found)
    wood = without("z3-1")(found)
    assert "connects zones 1 and 2" in broken(roads, "AC-N02")
    assert "nothing reaches" in broken(roads, "AC-N10")
    assert "nothing reaches edge E" in broken(streams, "AC-N20")
    assert "nothing reaches edge N" in broken(streams, "AC-N25")
    assert "belongs to no feature" in broken(wood, "AC-G04")
    assert "though there is room" in broken(excused("z3-1")(wood), "AC-G04")
    assert "is on the table, but" in broken(excused("z3-1")(found), "AC-G04")
    assert "was rolled" in broken(changed("z3-1", kind=Kind.SCRUB)(found), "AC-F09")


@pytest.mark.clause("AC-N30", "AC-F19", "AC-F06")
def test_a_creek_reaches_the_edges_of_its_way() -> None:
    outcome = game("riverside", "3 4 6 5 6 6 1 1 4 3 6 6", water="creek", choice_policy="none")
    found = record_of(outcome, geography="riverside", water="creek")
    assert broken_of(found) == {}
    creek = next(one for one in found.battlefield.select_features(Kind.CREEK) if isinstance(one, Course))
    middle = LineString(creek.line.coords[3:-3])
    assert "does not reach edge" in broken(changed(creek.id, line=middle)(found), "AC-N30")

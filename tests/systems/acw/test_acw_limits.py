"""Each numeric limit of a clause from both sides: a hundredth inside is kept, its slack and a hundredth outside is not.

What is drawn measures just what it is asked to. Lengths are inches on a table whose zones have sides of 24.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from drawn_by_hand import (
    area,
    broken,
    changed,
    coast,
    course,
    crossing,
    going,
    hill,
    joined_swamps,
    line,
    oval,
    plot,
    record,
)
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity, box
from shapely.ops import substring
from tables_by_hand import INCH, rules

from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import HillFace, Kind
from printkit.terrain.field.record import Record

Drawn = Callable[[float], Record]
ROUND = oval(36, 36, 9.5, 9.5)


def steep(inner: float = 0.4, side: float = 1.0) -> Record:
    """Return a steep hill whose upper contour takes a share of it, hachured on a share of its side."""
    top = affinity.scale(ROUND, math.sqrt(inner), math.sqrt(inner))
    drawn = hill("one", Piece.STEEP_HILL, ROUND)
    face = replace(drawn.faces[0], line=around(ROUND, side))
    return record(replace(drawn, contours=(ROUND, top), faces=(face,)))


def around(outline: Polygon, share: float) -> LineString:
    ring = LineString(outline.exterior.coords)
    part = substring(ring, 0.0, share * ring.length)
    assert isinstance(part, LineString)
    return part


def cliffed(share: float) -> Record:
    face = HillFace(line=around(ROUND, share), kind=Kind.CLIFF, going=going("impassable"), side=0)
    return record(replace(hill("one", Piece.HILL_CLIFF, ROUND), faces=(face,)))


def facing(degrees: float) -> Record:
    """Return a hill whose cliff is turned by so much from the way that leads off the other one."""
    cliff = hill("one", Piece.HILL_CLIFF, ROUND, cliff=round(degrees))
    return record(cliff, hill("two", Piece.RISE, oval(14, 36, 9.6, 7.2)))


def notched(share: float) -> Record:
    whole = plot(36, 36, 13.4, 11)
    high = (1 - share) * 13.4 * 11 / 4
    return record(area("one", Piece.WOODLAND, whole.difference(plot(36, 41.5, 4, 2 * high))))


def regular(piece: Piece, sides: float) -> Record:
    turns = [math.tau * number / round(sides) + 0.4 for number in range(round(sides))]
    corners = [(INCH * (36 + 4.2 * math.cos(turn)), INCH * (36 + 4.2 * math.sin(turn))) for turn in turns]
    return record(area("one", piece, Polygon(corners)))


def pieces(piece: Piece, count: float) -> Record:
    """Return a work of so many straight pieces."""
    points = [(30 + 12 * place / count, 36 + place % 2) for place in range(round(count) + 1)]
    return record(course("one", piece, line(*points)))


def bowed(piece: Piece, apex: float) -> Record:
    """Return a course across zone 1 that rises by so much to its centre."""
    return record(course("one", piece, line((0, 30), (12, 30 + apex), (24, 30))))


def bent(radius: float) -> Record:
    """Return a railroad with a bend of a radius in parts of a zone."""
    turns = [math.radians(-90 + step / 4) for step in range(241)]
    bend = [(20 + 24 * radius * math.cos(turn), 20 + 24 * radius * (1 + math.sin(turn))) for turn in turns]
    (x, y), turn = bend[-1], turns[-1]
    track = line((4, 20), *bend, (x - 12 * math.sin(turn), y + 12 * math.cos(turn)))
    return record(course("one", Piece.RAILROAD, track))


def climbing(degrees: float) -> Record:
    """Return a track that goes up the straight side of a hill at an angle to it."""
    slope = math.radians(degrees)
    start, end = ((36 + way * math.cos(slope), 40.5 + way * math.sin(slope)) for way in (6, -3))
    return record(hill("one", Piece.STEEP_HILL, plot(36, 36, 12, 9)), course("way", Piece.TRACK, line(start, end)))


def wall_at(share: float) -> Record:
    wall = course("wall", Piece.WALL, line((32, 39 + 24 * share), (40, 39 + 24 * share)))
    return record(area("field", Piece.FIELD, plot(36, 36, 11.5, 6)), wall)


def wall_along(share: float) -> Record:
    field = area("field", Piece.FIELD, plot(36, 36, 12 * share - 2 * 24 * rules().number("work_beside"), 6))
    return record(field, course("wall", Piece.WALL, line((30, 39), (42, 39))))


def spur_at(share: float) -> Record:
    rise = hill("hill", Piece.RISE, oval(12, 36 + 7.2 + 24 * share, 9.6, 7.2))
    return record(hill("one", Piece.SPUR, oval(12, 36, 12, 7.2)), rise)


def planted(share: float, gaps: float = 2) -> Record:
    """Return a round clearing with trees on a share of the belt about it, which has so many gaps."""
    opening = oval(12, 36, 8, 8)
    ring = opening.buffer(24 * INCH * rules().number("belt")).difference(opening)
    count, wide = round(gaps), 360 * share / round(gaps)
    belt = [ring.intersection(fan(12, 36, 10 + 360 * number / count, wide)) for number in range(count)]
    trees = [area(f"belt-{number}", Piece.WOOD, part) for number, part in enumerate(belt)]
    return record(area("clearing", Piece.CLEARING, opening), *trees)


def fan(x: float, y: float, low: float, wide: float) -> Polygon:
    turns = [math.radians(low + wide * step / 200) for step in range(201)]
    rim = [(INCH * (x + 30 * math.cos(turn)), INCH * (y + 30 * math.sin(turn))) for turn in turns]
    return Polygon([(x * INCH, y * INCH), *rim])


def sharing(share: float) -> Record:
    """Return two fields, one on the other, that have so much of a side in common."""
    other = area("two", Piece.FIELD, plot(32 + 8.4 - 24 * share, 39, 8.4, 6))
    return record(area("one", Piece.FIELD, plot(32, 33, 8.4, 6)), other)


def off_home(share: float) -> Record:
    field = area("field", Piece.FIELD, plot(6.65 + 24 * share + 4.2, 36, 8.4, 6))
    return record(area("farm", Piece.FARM, plot(4, 36, 5.3, 4.3)), field)


def short_of_farm(share: float) -> Record:
    farm = area("farm", Piece.FARM, plot(12 + 2.65 + 24 * share, 30, 5.3, 4.4))
    return record(course("road", Piece.ROAD, line((0, 30), (12, 30))), farm)


def ridges_apart(share: float) -> Record:
    other = hill("two", Piece.LONG_HILL, plot(24 + 10.2, 33 + 6.7 + 24 * share, 20.4, 6.7))
    return record(hill("one", Piece.LONG_HILL, plot(24 - 10.2, 33, 20.4, 6.7)), other)


def roads_apart(share: float) -> Record:
    roads = [course(f"road-{x}", Piece.ROAD, line((x, 24), (x, 48))) for x in (8, 8 + 24 * share)]
    return record(*roads, details={"reaches": [{"zone": 1, "piece": "road", "arms": [["edge", "N"]], "branch": True}]})


def dunes_off(share: float) -> Record:
    dunes = area("one", Piece.SAND_DUNES, oval(12, 6 + 2.9 + 24 * share, 11, 5.8))
    return record(area("sea", Piece.SEA, plot(36, 3, 72, 6)), dunes)


def scree_off(share: float) -> Record:
    scree = area("one", Piece.SCREE, oval(11.5 + 24 * share + 3.6, 36, 7.2, 4.8))
    return record(hill("hill", Piece.HILL, oval(6, 36, 11, 8.6)), scree)


def farm_off(share: float) -> Record:
    farm = area("farm", Piece.FARM, plot(12, 30 + 24 * share + 2.2, 5.3, 4.4))
    return record(course("road", Piece.ROAD, line((0, 30), (24, 30))), farm)


def road_along(share: float) -> Record:
    return record(course("one", Piece.ROAD, line((0, 24 + 24 * share), (48, 24 + 24 * share))))


def branch_off(mm: float) -> Record:
    branch = course("branch", Piece.RAILROAD, line((36, 16.5 + mm / INCH), (36, 48)))
    return record(course("rail", Piece.RAILROAD, line((0, 16.5), (72, 16.5))), branch)


def lapping(mm2: float) -> Record:
    aside = 4 - mm2 / (4 * INCH) / INCH
    return record(area("one", Piece.POOL, plot(30, 36, 4, 4)), area("two", Piece.ROCKS, plot(30 + aside, 36, 4, 4)))


def room_for(share: float) -> Record:
    """Return a zone with a strip of ground where a wood could stand that the record says had no room."""
    margin, wood = rules().number("area_margin") * 24, 0.36 * 0.6 * 24 / 2
    reach = margin + wood
    wide = share * 24 * 24 / (24 - 2 * reach)
    edge = 24 - 2 * reach - wide
    roll = {"zone": 1, "roll": 1, "die": 4, "cell": "Wood", "fate": "kept", "piece": "wood", "throw": 1, "no_room": "x"}
    return record(area("bar", Piece.FIELD, plot(edge / 2, 36, edge, 24)), details={"zones": [roll]})


def room_by_road(side: float) -> Record:
    """Return a field far off the road of its zone, and a strip of ground beside that where it could lie."""
    reach = rules().number("area_margin") * 24 + 0.35 * 0.6 * 24 / 2
    wide = (24 * side) ** 2 / (24 - 2 * reach)
    edge = 23.9 - 0.03 * 24 - 2 * reach - wide
    return record(
        area("field", Piece.FIELD, plot(5, 36, 8.4, 6)),
        area("bar", Piece.WOOD, plot((10 + edge) / 2, 36, edge - 10, 24)),
        course("road", Piece.ROAD, line((23.9, 24), (23.9, 48))),
    )


def held(share: float) -> Record:
    """Return a ravine that holds a stream on a share of its own length; its width counts as held."""
    out = 29 + 14 * share - 0.08 * 24
    stream = course("stream", Piece.STREAM, line((24, 36), (out, 36), (out, 48)))
    return record(course("ravine", Piece.RAVINE, line((29, 36), (43, 36))), stream)


def holding(share: float) -> Record:
    """Return a ravine that holds a share of a stream of 6 inches."""
    along = 6 * share - 0.08 * 24
    stream = course("stream", Piece.STREAM, line((29, 36), (29 + along, 36), (29 + along, 42 - along)))
    return record(course("ravine", Piece.RAVINE, line((29, 36), (43, 36))), stream)


def zigzag(share: float) -> Record:
    """Return a road that is twice as long as straight, and altogether a part of a zone long."""
    far, high = 24 * share / 4, math.sqrt(3) * 24 * share / 4
    return record(course("one", Piece.ROAD, line((8, 30), (8 + far, 30 + high), (8 + 2 * far, 30))))


def swamp_over(side: float) -> Record:
    """Return a swamp of zone 1 that lies in zone 2 with a square of so much, far from the stream of that."""
    over = (24 * side) ** 2 / 7.6
    swamp = area("swamp", Piece.SWAMP, plot((15 + 24 + over) / 2, 36, 9 + over, 7.6))
    return record(swamp, course("stream", Piece.STREAM, line((40, 24), (41, 36), (40, 48))))


def belt_off(share: float) -> Record:
    """Return trees that are too small for a wood so far off a clearing."""
    trees = area("trees", Piece.WOOD, plot(12 + 4.3 + 24 * share + 1, 36, 2, 4))
    return record(area("clearing", Piece.CLEARING, plot(12, 36, 8.6, 7.2)), trees)


def free_stretch(times: float) -> Record:
    """Return a field round which there is room for so many of the fence that stands elsewhere."""
    field = plot(36, 36, 5, 3.5)
    free = field.buffer(24 * INCH * rules().number("fence_free_margin") / 2).exterior.length / INCH
    fence = course("fence", Piece.FENCE_LINE, line((26, 24), (26, 24 + free / times)))
    return record(area("field", Piece.FIELD, field), fence)


def ditch_off(share: float) -> Record:
    start = 32 + 24 * share
    ditch = course("ditch", Piece.DITCH, line((start, 36), (start + 12, 36)))
    return record(area("pool", Piece.POOL, plot(30, 36, 4, 3)), ditch)


def wooded(share: float) -> Record:
    """Return a clearing of the Wilderness; trees stand on that share of the free ground of its zone, from the west."""
    opening = oval(12, 36, 8.6, 7.2)
    room = box(0.96 * INCH, 24.96 * INCH, 23.04 * INCH, 47.04 * INCH)
    free = room.difference(opening.buffer(0.72 * INCH))
    low, high = 0.0, 24.0
    for _ in range(40):
        middle = (low + high) / 2
        less = free.intersection(box(0, 0, middle * INCH, 48 * INCH)).area < share * free.area
        low, high = (middle, high) if less else (low, middle)
    trees = room.intersection(box(0, 0, low * INCH, 48 * INCH)).difference(opening)
    return record(
        area("clearing", Piece.CLEARING, opening),
        area("trees", Piece.WOOD, trees),
        details={"geography": "wilderness"},
    )


def aside(mm: float) -> Record:
    """Return a road over a stream at a low angle; the bridge stands so far, and their widths, from where they meet."""
    road = course("road", Piece.ROAD, line((0, 36), (72, 36)))
    stream = course("stream", Piece.STREAM, line((0, 36 - 0.36), (72, 36 + 0.36)))
    at = 36 + (mm + road.width + stream.width) / INCH
    return record(road, stream, crossing("bridge", Kind.BRIDGE, at, 36, "road", "stream"))


def turned(degrees: float) -> Record:
    road, stream = (
        course("road", Piece.ROAD, line((0, 36), (72, 36))),
        course("stream", Piece.STREAM, line((36, 24), (36, 48))),
    )
    return record(road, stream, crossing("bridge", Kind.BRIDGE, 36, 36, "road", "stream", bearing=degrees))


def straight(share: float) -> Record:
    return record(course("one", Piece.STREAM, line((24, 30), (24 + 24 * share, 30))))


MOST: tuple[tuple[str, str, Drawn], ...] = (
    ("AC-F04", "ridge_gap", ridges_apart),
    ("AC-F09", "belt_beside", belt_off),
    ("AC-F13", "belt_planted_max", planted),
    ("AC-F16", "fence_free_times", free_stretch),
    ("AC-F17", "ditch_reach", ditch_off),
    ("AC-F18", "winding_over", straight),
    ("AC-G02", "lap", lapping),
    ("AC-G04", "room_plenty", room_for),
    ("AC-G08", "stretch", zigzag),
    ("AC-N14", "end_reach", short_of_farm),
    ("AC-N31", "touch", lambda mm: record(course("rail", Piece.RAILROAD, line((mm / INCH, 16.5), (72, 16.5))))),
    ("AC-N31", "meets", branch_off),
    ("AC-N34", "swamp_seen", swamp_over),
    ("AC-N35", "field_home", off_home),
    ("AC-N35", "field_plot", room_by_road),
    ("AC-N40", "crossing_near", aside),
    ("AC-N40", "crossing_turn", turned),
    ("AC-F01", "upper_contour_max", steep),
    ("AC-F05", "spur_base", spur_at),
    ("AC-F06", "cliff_arc_max", cliffed),
    ("AC-F10", "bay", notched),
    ("AC-F15", "work_beside", wall_at),
    ("AC-F23", "dunes_shore", dunes_off),
    ("AC-F25", "scree_foot", scree_off),
    ("AC-F33", "farm_road", farm_off),
    ("AC-G05", "climb", climbing),
    ("AC-G07", "side_crossing_max", road_along),
    ("AC-G08", "longest_road", lambda times: bowed(Piece.ROAD, 12 * math.sqrt(times * times - 1))),
    ("AC-G08", "longest_stream", lambda times: bowed(Piece.STREAM, 12 * math.sqrt(times * times - 1))),
    ("AC-G08", "longest_rail", lambda times: bowed(Piece.RAILROAD, 12 * math.sqrt(times * times - 1))),
)
LEAST: tuple[tuple[str, str, Drawn], ...] = (
    ("AC-F13", "belt_planted_min", planted),
    ("AC-F13", "wooded", wooded),
    ("AC-F14", "field_shared", sharing),
    ("AC-F20", "ravine_held_whole", held),
    ("AC-F20", "ravine_held_stream", holding),
    ("AC-N04", "roads_apart", roads_apart),
    ("AC-F01", "upper_contour_min", steep),
    ("AC-F01", "steep_side", lambda share: steep(side=min(share, 1.0))),
    ("AC-F04", "ridge", lambda times: record(hill("one", Piece.LONG_HILL, oval(36, 36, 7 * times, 7)))),
    ("AC-F06", "cliff_arc_min", cliffed),
    (
        "AC-F11",
        "forest",
        lambda share: record(area("one", Piece.FOREST, plot(36, 36, 24 * share**0.5, 24 * share**0.5))),
    ),
    ("AC-F15", "work_along", wall_along),
    ("AC-F18", "winding_sway", lambda share: bowed(Piece.STREAM, 24 * share / math.sqrt(1 - 4 * share * share))),
    ("AC-F26", "rail_radius", bent),
    ("AC-F38", "water_along", lambda share: record(area("sea", Piece.SEA, plot(36 * share, 3, 72 * share, 6)))),
    ("AC-G01", "area_margin", lambda share: record(area("one", Piece.POOL, oval(25.9 + 24 * share, 36, 3.8, 2.9)))),
    ("AC-G07", "side_crossing_min", road_along),
    ("AC-N33", "swamp_neck", lambda share: changed("swamp", outline=joined_swamps(24 * share))(coast())),
)
WHOLE: tuple[tuple[str, str, Drawn, int], ...] = (
    ("AC-F13", "belt_gaps", lambda count: planted(0.5, count), -1),
    ("AC-F14", "field_sides", lambda count: regular(Piece.FIELD, count), 1),
    ("AC-F14", "field_sides", lambda count: regular(Piece.FIELD, count), -1),
    ("AC-F15", "wall_pieces", lambda count: pieces(Piece.WALL, count), 1),
    ("AC-F16", "fence_pieces", lambda count: pieces(Piece.FENCE_LINE, count), 1),
    ("AC-F17", "ditch_pieces", lambda count: pieces(Piece.DITCH, count), 1),
    ("AC-F36", "fort_corners_max", lambda count: regular(Piece.FORT, count), 1),
    ("AC-F36", "fort_corners_min", lambda count: regular(Piece.FORT, count), -1),
)
CLAUSES = tuple(dict.fromkeys(row[0] for row in (*MOST, *LEAST, *WHOLE)))


@pytest.mark.clause(*CLAUSES)
@pytest.mark.parametrize(
    ("clause", "limit", "drawn", "way"), [(*row, 1) for row in MOST] + [(*row, -1) for row in LEAST]
)
def test_a_limit_holds_from_both_sides(clause: str, limit: str, drawn: Drawn, way: int) -> None:
    at, slack = rules().number(limit), rules().slack(limit)
    assert broken(drawn(at * (1 - 0.01 * way)), clause) == ""
    assert broken(drawn(at * (1 + 0.01 * way) + slack * way), clause) != ""


@pytest.mark.clause(*CLAUSES)
@pytest.mark.parametrize(("clause", "limit", "drawn", "way"), WHOLE)
def test_a_limit_that_counts_holds_at_its_number_and_not_one_beyond(
    clause: str, limit: str, drawn: Drawn, way: int
) -> None:
    at = rules().whole(limit)
    assert broken(drawn(at), clause) == ""
    assert broken(drawn(at + way), clause) != ""


@pytest.mark.clause("AC-F06", "AC-F07")
def test_bearings_hold_from_both_sides() -> None:
    turned, sector = rules().number("cliff_facing"), rules().number("scree_sector")
    assert broken(facing(turned - 1), "AC-F06") == ""
    assert "degrees off" in broken(facing(turned + rules().slack("cliff_facing") + 1), "AC-F06")
    for wide, kept in ((sector, True), (sector + 4, False), (sector - 4, False)):
        apron = hill("one", Piece.HILL_SCREE, ROUND, scree=True)
        face = replace(apron.faces[0], line=around(ROUND, wide / 360))
        assert (broken(record(replace(apron, faces=(face,))), "AC-F07") == "") is kept


@pytest.mark.clause("AC-F22", "AC-Q17")
def test_a_swamp_that_was_rolled_twice_is_so_much_larger_and_no_more() -> None:
    most = 24 * 1.3 * math.sqrt(rules().number("swamp_twice"))
    for by, kept in ((0.99, True), (1.01 + rules().number("sizes_missed"), False)):
        swamp = area("one", Piece.SWAMP, oval(36, 36, 0.42 * most * by, 0.32 * most * by))
        assert (broken(record(swamp), "AC-F22") == "") is kept


def test_no_slack_is_more_than_a_fiftieth_of_its_limit_or_a_degree() -> None:
    book = rules().book
    for name, slack in book.slacks.items():
        assert slack <= 0.0201 * book.numbers[name] or (book.units.get(name) == "deg" and slack <= 1), name

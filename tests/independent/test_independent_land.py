"""Checkers that know only the source: they find nothing wrong with boards, and notice every planted fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import check_acw
import check_portable
import pytest
from drawn_settings import field_of

from printkit.api import generate
from printkit.core.words import Words
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.record import Record, write

COUNT, SOAK = 40, 2000
ACW_SIDES = (24, 30, 36, 44, 48, 60, 72, 84, 96, 108, 120)  # inches
CHECKS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "portable-1": check_portable.check,
    "portable-2": check_portable.check,
    "acw": check_acw.check,
}

Rec = dict[str, Any]


@cache
def text_of(rules: str, seed: int) -> str:
    """Return the record of a board with settings drawn by a seed, and of a table by State with sides drawn by it."""
    draw = Random(seed)
    sides = f"{draw.choice(ACW_SIDES)}x{draw.choice(ACW_SIDES)}in" if rules == "acw" and seed % 2 else None
    field, _ = field_of(rules, seed, board=sides)
    return write(field.record)


def faults_of(rules: str, seed: int) -> list[str]:
    """Return the faults that a checker finds on a drawn board."""
    return [f"seed {seed}: {fault}" for fault in CHECKS[rules](json.loads(text_of(rules, seed)))]


@pytest.mark.parametrize("rules", CHECKS)
def test_no_board_breaks_its_source(rules: str) -> None:
    assert [fault for seed in range(COUNT) for fault in faults_of(rules, seed)] == []


@pytest.mark.parametrize(
    ("rules", "seed"),
    [("portable-1", 41), ("portable-1", 136), *(("portable-2", seed) for seed in (231, 249, 265, 619))],
)
def test_a_board_that_broke_its_source_once_does_so_no_more(rules: str, seed: int) -> None:
    assert faults_of(rules, seed) == []


def campaign_record(seed: int) -> Record:
    """Return the record of a table with a creek, and in zones drawn by a seed a town and sometimes a fort."""
    draw = Random(f"american {seed}")
    town, fort = draw.sample(range(1, 7), 2)
    places = [f"town Alden in {town}", *([f"fort Bragg in {fort}"] if draw.random() < 0.6 else [])]
    settings = {"geography": "riverside", "water": "creek"}
    orders = Orders(rules="acw", settings=settings, inputs={"campaign": places})
    return play(find("acw"), orders, seed, Words(("en",))).record


# Of 31 and 57 only the second draft is legal. In 48 a swamp gives way to a settlement. In 42 a road leads through the
# town to a farm. In 129 the settlement at the end of a road has no room.
@pytest.mark.parametrize(("seed", "draft"), [(31, 2), (42, 1), (48, 1), (57, 2), (129, 1)])
def test_no_table_of_a_campaign_breaks_its_source(seed: int, draft: int) -> None:
    record = campaign_record(seed)
    assert (record.draft, check_acw.check(json.loads(write(record)))) == (draft, [])


@pytest.mark.soak
def test_no_table_of_many_campaigns_breaks_its_source() -> None:
    records = (campaign_record(seed) for seed in range(1, 401))
    assert [fault for record in records for fault in check_acw.check(json.loads(write(record)))] == []


CHAINS = "area=urban grid=sq-3x10 pw1.course=chain pw1.order=hills-first relief=mountainous river-areas=2"


def settings_of(given: str) -> dict[str, str]:
    return dict(each.split("=") for each in given.split())


@pytest.mark.parametrize(
    ("seed", "rules", "given"),
    [
        pytest.param(
            40104,
            "portable-1",
            "pw1.order=hills-first preset=forest-track pw1.sliver=0.407 road=2 trees=58",
            id="a settlement has a small part of its area",
        ),
        pytest.param(41369, "portable-1", "pw1.sliver=0.266", id="a settlement is in its area beside a wide river"),
        pytest.param(
            41342,
            "portable-1",
            "grid=sq-16x6 river=2 river-areas=2 road=2 pw1.sliver=0.227",
            id="a bend over one river keeps the bridge over the other",
        ),
        pytest.param(
            40180,
            "portable-1",
            CHAINS,
            id="a road in the areas of a river crosses it once",
        ),
        pytest.param(
            41051,
            "portable-1",
            "grid=sq-8x8 hills=0 mountains=58 relief=mountainous pw1.order=hills-first",
            id="mountains lead both ends of a road to one area",
        ),
        pytest.param(
            40172,
            "portable-2",
            "grid=hex-5x7 grid.hex=pointy-odd-left forested=no area=urban lakes=13 marshes=96 pw2.chains=off "
            "pw2.exit=sep30-topdown relief=mountainous river=2 river-areas=2",
            id="trees between wide rivers are drawn",
        ),
        pytest.param(
            41340,
            "portable-2",
            "grid=sq-4x7 area=cultivated pw2.chains=off pw2.exit=sep30 relief=mountainous river=2 river-areas=2",
            id="a wide river has no bank in a corner of the board with a hill",
        ),
    ],
)
def test_the_first_drawing_of_a_rare_board_keeps_its_source(seed: int, rules: str, given: str) -> None:
    field = generate(rules, seed=seed, **settings_of(given))
    assert (field.record.draft, field.check().broken) == (1, ())
    assert CHECKS[rules](json.loads(write(field.record))) == []


def test_a_railway_that_goes_too_far_for_a_place_is_noticed() -> None:
    record = json.loads(text_of("portable-2", 29))
    record["settings"]["pw2.rail_divert"] = "0"
    assert [fault[:17] for fault in check_portable.check(record)] == ["PW2-33: railway-1"]


def test_a_road_in_the_areas_of_a_river_that_has_no_bridge_there_is_noticed() -> None:
    record = json.loads(write(generate("portable-1", seed=40180, **settings_of(CHAINS)).record))
    assert drop("bridge")(record)
    assert any(fault.startswith("PW1-21: road-1 crosses river-1") for fault in check_portable.check(record))


@pytest.mark.soak
@pytest.mark.parametrize("rules", CHECKS)
def test_no_board_of_many_breaks_its_source(rules: str) -> None:
    assert [fault for seed in range(COUNT, SOAK) for fault in faults_of(rules, seed)] == []


# Each plant changes a good record and returns whether it has what it changes.
Plant = Callable[[Rec], bool]


def first(record: Rec, *kinds: str, **members: object) -> Rec | None:
    """Return the first feature of some kinds whose properties have some values."""
    for row in record["features"]:
        own = row["properties"]
        if own["kind"] in kinds and all(own.get(key) == value for key, value in members.items()):
            return row
    return None


def put(*kinds: str, **members: object) -> Plant:
    """Return a plant that changes properties of the first feature of some kinds."""

    def plant(record: Rec) -> bool:
        row = first(record, *kinds)
        if row:
            row["properties"].update(members)
        return bool(row)

    return plant


def drop(*kinds: str) -> Plant:
    """Return a plant that deletes the first feature of some kinds."""

    def plant(record: Rec) -> bool:
        row = first(record, *kinds)
        if row:
            record["features"].remove(row)
        return bool(row)

    return plant


def points(row: Rec) -> list[list[float]]:
    """Return the points of a feature: of the rim of an area, of a line."""
    drawn = row["geometry"]["coordinates"]
    return (
        drawn[0] if row["geometry"]["type"] == "Polygon" else [drawn] if row["geometry"]["type"] == "Point" else drawn
    )


def move(across: float, up: float, *kinds: str) -> Plant:
    """Return a plant that moves the first feature of some kinds, in mm."""

    def plant(record: Rec) -> bool:
        row = first(record, *kinds)
        for point in points(row) if row else []:
            point[:] = [point[0] + across, point[1] + up]
        return bool(row)

    return plant


def die(*words: str, last: bool = False) -> Plant:
    """Return a plant that turns a die of the log over: 6 becomes 1."""

    def plant(record: Rec) -> bool:
        rows = [row for row in record["log"] if all(word in row["reason"] for word in words)]
        if rows:
            row = rows[-1 if last else 0]
            row["answer"] = str(7 - int(row["answer"]))
        return bool(rows)

    return plant


def own(change: Callable[[Rec], object]) -> Plant:
    """Return a plant that changes what the record has besides features; it needs what the change looks for."""

    def plant(record: Rec) -> bool:
        try:
            change(record)
        except (AttributeError, KeyError, IndexError, StopIteration, TypeError, ValueError):
            return False
        return True

    return plant


def cells(change: Callable[[list[list[int]]], object], *kinds: str) -> Plant:
    """Return a plant that changes the areas of the first feature of some kinds."""

    def plant(record: Rec) -> bool:
        row = first(record, *kinds)
        return bool(row) and change(row["properties"]["cells"]) is not False

    return plant


def unlogged(words: str) -> Plant:
    """Return a plant that takes the first die for something out of the log."""
    return own(lambda record: record["log"].remove(next(row for row in record["log"] if words in row["reason"])))


def logged(stage: str) -> Plant:
    """Return a plant that adds a die to a stage."""
    return own(lambda record: record["log"].append({**record["log"][0], "stage": stage, "reason": "one too many"}))


def joins(row: Rec) -> bool:
    """Return whether a feature is a road that connects a place: no die gives it."""
    return row["properties"]["kind"] in ROADS and "throws" not in row["properties"]


def zone_row(record: Rec, **members: object) -> Rec:
    """Return the first row of the zone log with some values; raises if there is none."""
    return next(row for row in record["acw"]["zones"] if all(row[key] == value for key, value in members.items()))


def row_put(changes: Rec, **members: object) -> Plant:
    """Return a plant that changes the first row of the zone log with some values."""
    return own(lambda record: zone_row(record, **members).update(changes))


def piece(name: str, plant: Callable[[Rec], object]) -> Plant:
    """Return a plant that changes the feature of the first result of a name."""

    def change(record: Rec) -> object:
        row = zone_row(record, cell=name, fate="kept")
        return plant(next(each for each in record["features"] if each["id"] == f"z{row['zone']}-{row['roll']}"))

    return own(change)


def scale(factor: float) -> Callable[[Rec], object]:
    """Return a change that makes a feature larger about its first point."""

    def change(row: Rec) -> None:
        x, y = points(row)[0]
        for point in points(row):
            point[:] = [x + (point[0] - x) * factor, y + (point[1] - y) * factor]

    return change


def to(x: float, y: float) -> Callable[[Rec], object]:
    """Return a change that moves a feature so that the middle of its points is there."""

    def change(row: Rec) -> None:
        across, up = (
            goal - sum(axis) / len(axis) for goal, axis in zip((x, y), zip(*points(row), strict=True), strict=True)
        )
        for point in points(row):
            point[:] = [point[0] + across, point[1] + up]

    return change


def midway(row: Rec) -> None:
    """Add a point in the middle of the first side of an area."""
    (x, y), (to_x, to_y) = points(row)[:2]
    points(row).insert(1, [(x + to_x) / 2, (y + to_y) / 2])


def flip(members: Rec, key: str, one: str, other: str) -> None:
    """Change a member to one value, or to the other if it has that."""
    members[key] = other if members[key] == one else one


def zigzag(row: Rec) -> None:
    """Make a line of points wind much more than it does."""
    for number, point in enumerate(points(row)):
        point[1] += 12 * (number % 2)


TREES = ("woodland", "conifer_forest", "palm_forest")
ROADS = ("road", "track")

PORTABLE_1 = [
    ("PW1-01", put("hill", kind="lake")),
    ("PW1-42", put("woodland", kind="palm_forest")),
    ("PW1-31", put("mountain", going="bad")),
    ("PW2-40", put("road", kind="track")),
    ("PW0-01", cells(lambda areas: areas.append([0, 1]), "hill")),
    ("PW0-02", cells(lambda areas: areas.append(areas[0]), "hill")),
    ("PW0-02", move(30, 0, "village")),
    ("PW0-02", own(lambda record: scale(0.1)(first(record, "village")))),
    ("PW0-02", move(0, 300, "ford", "bridge")),
    ("PW0-06", unlogged("start row of the trees")),
    ("PW1-40", unlogged("number of groups of trees")),
    (
        "PW0-11",
        own(lambda record: record["portable-1"]["notes"].append({"key": "dropped", "values": {"kind": "hill"}})),
    ),
    ("PW0-14", logged("habitation")),
    ("PW1-11", die("entry of", "river")),
    ("PW1-12", die("exit of", "river", last=True)),
    ("PW1-14", put("river", width_mm=10)),
    ("PW1-20", put(*ROADS, width_mm=1)),
    ("PW1-15", move(0, 120, "river")),
    ("PW1-21", put("ford", kind="bridge")),
    ("PW1-21", drop("ford", "bridge")),
    ("PW1-25", own(lambda record: record["portable-1"]["ways"][0]["shares"].pop(1))),
    ("PWA-12", drop("river")),
    ("PW1-31", die("height of hill", last=True)),
    ("PW1-32", die("hill 1, die 3 of 3")),
    ("PW1-41", die("trees 1, die 3 of 3")),
    ("PW1-53", own(lambda record: record["portable-1"]["notes"].append({"key": "smaller"}))),
    ("PW1-54", die("settlement 1, die 3 of 3")),
    (
        "PW2-33",
        own(
            lambda record: (
                first(record, "river")["properties"]["cells"].pop(2)
                and record["portable-1"]["ways"][0].pop("shares", 0)
            )
        ),
    ),
]
PORTABLE_2 = [
    ("PW2-01", put("hill", kind="desert")),
    ("PW2-51", put("woodland", kind="palm_forest")),
    ("PW2-11", put("mountain", going="good")),
    ("PW2-11", die("height of hill", last=True)),
    ("PW2-12", die("hill 1, die 3 of 3")),
    ("PW2-10", unlogged("number of hills")),
    ("PW2-20", unlogged("does hill 2 join")),
    ("PW2-30", die("exit of river")),
    ("PW2-31", cells(lambda areas: areas.reverse(), "river")),
    ("PW2-32", unlogged("area (")),
    ("PW2-33", cells(lambda areas: len(areas) > 3 and areas.pop(2), "river")),
    (
        "PW2-36",
        own(lambda record: next(way for way in record["portable-2"]["ways"] if way.get("beside")).update(beside=[])),
    ),
    ("PW2-36", die("width of river")),
    ("PW2-38", die("lake 1, die 3 of 3")),
    ("PW2-39", die("marsh 1, die 3 of 3")),
    ("PW2-38", cells(lambda areas: len(areas) > 1 and areas.pop(), "lake")),
    ("PW2-41", put(*ROADS, width_mm=500)),
    ("PW0-02", move(200, 200, *ROADS)),
    ("PW0-01", cells(lambda areas: areas.append([99, 99]), "river")),
    ("PW2-42", drop("ford", "bridge", "railway_bridge", "level_crossing")),
    ("PW2-42", put("level_crossing", kind="ford")),
    ("PW2-44", own(lambda record: record["features"].remove(next(each for each in record["features"] if joins(each))))),
    ("PW2-50", die("trees 1, die 3 of 3")),
    ("PW2-57", put("village", "town", kind="city")),
    ("PW2-57", die("habitation 1, die 3 of 3")),
    ("PW2-72", die("direction of field 1")),
    ("PW2-73", die("use of field 1")),
    ("PW2-72", drop("crops", "plough", "pasture")),
    ("PWA-12", drop("railway")),
]
AREA_SIZES = {
    "AC-F01": "Steep Hill", "AC-F02": "Hill", "AC-F03": "Rise", "AC-F04": "Long Hill", "AC-F05": "Spur",
    "AC-F06": "Hill + Cliff", "AC-F07": "Hill + Scree", "AC-F08": "Steep Hill + Cliff", "AC-F09": "Wood",
    "AC-F10": "Woodland", "AC-F11": "Forest", "AC-F12": "Scrub", "AC-F14": "Field", "AC-F21": "Pool",
    "AC-F23": "Sand Dunes", "AC-F24": "Rocks", "AC-F25": "Scree", "AC-F32": "Settlement", "AC-F33": "Farm",
    "AC-F34": "Building", "AC-F15": "Wall", "AC-F16": "Fence Line", "AC-F17": "Ditch", "AC-F20": "Ravine",
}  # fmt: skip
ACW = [
    *((clause, piece(name, scale(0.3))) for clause, name in AREA_SIZES.items()),
    *((clause, piece(name, lambda row: row["properties"].update(going="fast"))) for clause, name in AREA_SIZES.items()),
    ("AC-103", die("geography of")),
    ("AC-103", own(lambda record: flip(record["settings"], "geography", "hilly", "farm"))),
    ("AC-201", own(lambda record: record["acw"]["grid"].update(columns=9))),
    ("AC-303", drop("waterway", "sea")),
    ("AC-204", die("zone 2, roll 1")),
    ("AC-206", unlogged("zone 1, roll 1")),
    ("AC-206", own(lambda record: record["acw"]["zones"].remove(zone_row(record, roll=1)))),
    ("AC-205", row_put({"fate": "blank"}, fate="kept")),
    ("AC-205", row_put({"fate": "kept"}, fate="blank")),
    ("AC-206", row_put({"fate": "kept"}, fate="stop")),
    ("AC-207", row_put({"piece": "fort"}, fate="chosen")),
    ("AC-212", row_put({"fate": "kept"}, fate="ignored")),
    ("AC-401", row_put({"cell": "Spur"}, cell="Field", fate="kept")),
    ("AC-G04", drop("light_woods")),
    ("AC-205", own(lambda record: record["features"].append({**record["features"][0], "id": "z9-9"}))),
    ("AC-N01", drop("stream")),
    ("AC-F14", own(lambda record: midway(first(record, "crops", "plough", "pasture")))),
    ("AC-F15", own(lambda record: points(first(record, "wall")).extend([[0, 0], [1, 0], [1, 1], [0, 1]]))),
    ("AC-F18", put("stream", width_mm=90)),
    ("AC-F26", put("railway", width_mm=90)),
    ("AC-F31", put("track", width_mm=90)),
    ("AC-F01", own(lambda record: first(record, "hill", going="difficult")["properties"].update(contours=[]))),
    ("AC-F01", own(lambda record: points(first(record, "steep_slope")).__delitem__(slice(100, None)))),
    ("AC-F06", own(lambda record: points(first(record, "cliff")).__delitem__(slice(3, None)))),
    ("AC-F07", own(lambda record: points(first(record, "scree", side=0)).__delitem__(slice(3, None)))),
    ("AC-G01", piece("Wood", to(0, 0))),
    ("AC-G02", own(lambda record: to(*points(first(record, "light_woods"))[0])(first(record, "farm")))),
    ("AC-G05", own(lambda record: to(*points(first(record, "road"))[90])(first(record, "pool")))),
    ("AC-G06", own(lambda record: to(*points(first(record, "stream"))[90])(first(record, "rocks", "farm")))),
    ("AC-G07", move(0, 180, "railway")),
    ("AC-G08", own(lambda record: zigzag(first(record, "stream")))),
    ("AC-F26", own(lambda record: zigzag(first(record, "railway")))),
    ("AC-303", own(lambda record: flip(record["acw"]["water"], "edge", "N", "S"))),
    ("AC-F3", own(lambda record: scale(2.5)(first(record, "waterway", "sea")))),
    ("AC-Q24", own(lambda record: flip(record["acw"]["water"] and record["settings"], "ac-q24", "inside", "outside"))),
    ("AC-Q24", own(lambda record: to(*points(first(record, "waterway", "sea"))[0])(first(record, "farm", "hill")))),
    ("AC-N02", own(lambda record: record["acw"]["graph"]["roads"]["links"].pop(0))),
    ("AC-N32", own(lambda record: record["acw"]["graph"]["rail"]["path"].pop(0))),
    ("AC-N33", own(lambda record: record["acw"]["graph"]["swamps"].pop(0))),
    ("AC-N10", own(lambda record: points(first(record, "road")).__delitem__(slice(0, 60)))),
    ("AC-N25", own(lambda record: points(first(record, "stream")).__delitem__(slice(0, 200)))),
    ("AC-N40", drop("ford", "bridge", "railway_bridge", "level_crossing")),
    ("AC-N40", put("ford", kind="bridge")),
    ("AC-N40", move(200, 0, "ford", "bridge", "railway_bridge", "level_crossing")),
]  # fmt: skip
TABLES = {"portable-1": PORTABLE_1, "portable-2": PORTABLE_2, "acw": ACW}


PLANTS = [
    pytest.param(rules, clause, plant, id=f"{rules}-{number}-{clause}")
    for rules, table in TABLES.items()
    for number, (clause, plant) in enumerate(table, 1)
]


@pytest.mark.parametrize(("rules", "clause", "plant"), PLANTS)
def test_a_planted_fault_is_noticed(rules: str, clause: str, plant: Plant) -> None:
    found = []
    for seed in range(COUNT):
        record = json.loads(text_of(rules, seed))
        if plant(record):
            found = CHECKS[rules](record)
            if any(fault.startswith(clause) for fault in found):
                return
    raise AssertionError(
        f"{clause} is not noticed; of the last board: {found[:3] or 'no board has what the plant changes'}"
    )

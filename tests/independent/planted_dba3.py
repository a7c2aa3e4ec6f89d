"""Faults to plant in records of DBA 3 and of Collision Course, each under the clause that a checker has to name."""

from __future__ import annotations

from typing import Any, Final

from planting import (
    Plant,
    Tree,
    by_id,
    change_roll,
    feature,
    move,
    properties,
    put,
    reroute,
    reshape,
    roll,
    scale,
    setting,
    swap_overlays,
    through,
)
from shapely import affinity
from shapely.geometry import LineString


def details(tree: Tree) -> Tree:
    """Return what the rules keep in a record."""
    return tree[tree["rules"]]


def row(tree: Tree, **wanted: Any) -> Tree:
    """Return the row of the first chosen feature with some members, which is on the board."""
    rows = details(tree)["terrain"]["pieces"]
    given_up = {each["id"] for each in details(tree)["terrain"]["discarded"]}
    matches = (each for each in rows if all(each[key] == value for key, value in wanted.items()))
    return next(each for each in matches if each["id"] not in given_up)


def to_place(kind: str, across: float, along: float, **wanted: Any) -> Plant:
    """Return what moves a feature so that its middle is at a place, in base widths."""

    def plant(tree: Tree) -> None:
        unit = tree["board"]["base_width_mm"]
        found = feature(tree, kind, **wanted)
        reshape(
            found,
            lambda each: affinity.translate(each, across * unit - each.centroid.x, along * unit - each.centroid.y),
        )

    return plant


def beside(kind: str, other: str, gap: float, **wanted: Any) -> Plant:
    """Return what moves a feature until its box is so many base widths to the right of another's."""

    def plant(tree: Tree) -> None:
        first, second = feature(tree, kind, **wanted), feature(tree, other)
        unit = tree["board"]["base_width_mm"]
        if first is second:
            raise LookupError(kind)
        bounds = bounds_of(second)

        def shift(each: Any) -> Any:
            left, low, _, _ = each.bounds
            return affinity.translate(each, bounds[2] + gap * unit - left, bounds[1] - low)

        reshape(first, shift)

    return plant


def onto_woods(tree: Tree) -> None:
    left, low, right, high = bounds_of(feature(tree, "light_woods"))
    unit, kind = tree["board"]["base_width_mm"], by_id(tree, "bua")["properties"]["kind"]
    to_place(kind, (left + right) / 2 / unit, (low + high) / 2 / unit)(tree)


def bounds_of(each: Tree) -> tuple[float, float, float, float]:
    """Return the box of a feature."""
    points = each["geometry"]["coordinates"]
    points = points[0] if each["geometry"]["type"] == "Polygon" else points
    across, up = [point[0] for point in points], [point[1] for point in points]
    return min(across), min(up), max(across), max(up)


def across_hill(tree: Tree) -> None:
    left, low, right, high = bounds_of(feature(tree, "hill"))
    reshape(feature(tree, "river"), lambda line: LineString(through(line, (left + right) / 2, (low + high) / 2)))


def road_across_river(tree: Tree) -> None:
    points, road = feature(tree, "river")["geometry"]["coordinates"], feature(tree, "road")
    x, y = points[len(points) // 2]
    reshape(road, lambda _: LineString([(x - 90, y - 90), (x + 90, y + 90)]))


def ford_on_land(tree: Tree) -> None:
    mark = {"type": "Point", "coordinates": [9.0, 9.0]}
    tree["features"].append({"id": "x", "geometry": mark, "properties": {"kind": "ford", "way": "a", "water": "b"}})


def another_quarter(kind: str, **wanted: Any) -> Plant:
    """Return what says of a feature, and of its row, that they are of the opposite quarter."""

    def plant(tree: Tree) -> None:
        found = feature(tree, kind, **wanted)
        opposite = (found["properties"]["zone"] + 1) % 4 + 1
        found["properties"]["zone"] = row(tree, id=found["id"])["quarter"] = opposite

    return plant


def other_edges(tree: Tree) -> None:
    found = details(tree)["deployment"]
    found["defender_edge"], found["invader_edge"] = found["invader_edge"], found["defender_edge"]


def wet_base_edge(tree: Tree) -> None:
    left, low, right, high = bounds_of(feature(tree, "waterway"))
    side = tree["board"]["width_mm"]
    sides = {"near": right - left == side and low == 0, "far": right - left == side and high == side}
    edge = next((name for name, is_wet in sides.items() if is_wet), "left" if left == 0 else "right")
    details(tree)["deployment"]["defender_edge"] = edge


def fewer_choices(compulsory: bool, terrain: str) -> Plant:
    """Return what makes another terrain of the first compulsory or optional feature."""

    def plant(tree: Tree) -> None:
        row(tree, compulsory=compulsory)["terrain"] = terrain

    return plant


def compulsory_of(home: str, terrain: str = "marsh") -> Plant:
    """Return what makes another terrain of a compulsory feature of a home topography."""

    def plant(tree: Tree) -> None:
        if details(tree)["terrain"]["home"] == home:
            row(tree, compulsory=True)["terrain"] = terrain

    return plant


def many(terrain: str, count: int) -> Plant:
    """Return what makes so many features of a terrain out of those of a board."""

    def plant(tree: Tree) -> None:
        for each in details(tree)["terrain"]["pieces"][:count]:
            each["terrain"] = terrain

    return plant


def hold(*terrain: str) -> Plant:
    """Return what says of all features of a board that they are of some terrain, in turn."""

    def plant(tree: Tree) -> None:
        for at, each in enumerate(details(tree)["terrain"]["pieces"]):
            each["terrain"] = terrain[at % len(terrain)]

    return plant


def pair(tree: Tree) -> None:
    if details(tree)["terrain"]["home"] == "littoral":
        pieces = details(tree)["terrain"]["pieces"]
        pieces[1]["terrain"], pieces[2]["terrain"] = "woods", "dunes"


def change_bua(kind: str) -> Plant:
    """Return what makes another built-up area of that of a board, at its place."""

    def plant(tree: Tree) -> None:
        found = row(tree, terrain="bua")
        by_id(tree, found["id"])["properties"]["kind"] = kind

    return plant


def fewer_steep_sides(tree: Tree) -> None:
    tree["features"].remove(feature(tree, "steep_slope"))


def discard_unplaced(tree: Tree) -> None:
    tree["features"].remove(by_id(tree, row(tree, terrain="marsh")["id"]))


def discard_with_room(tree: Tree) -> None:
    found = row(tree, terrain="marsh")
    discard_unplaced(tree)
    entry = {"id": found["id"], "name": "marsh", "quarter": found["quarter"], "by": ["woods-1"]}
    details(tree)["terrain"]["discarded"].append(entry)


def two_small(tree: Tree) -> None:
    for kind in ("light_woods", "hill", "marsh", "scrub", "dunes", "rocks"):
        for each in tree["features"]:
            if each["properties"]["kind"] == kind:
                reshape(each, lambda shape: affinity.scale(shape, 0.4, 0.4))


def square_overlap(kind: str, **wanted: Any) -> Plant:
    """Return what moves a feature into the square at the near edge."""

    def plant(tree: Tree) -> None:
        side = tree["board"]["width_mm"] / tree["board"]["base_width_mm"]
        to_place(kind, side / 2, 2, **wanted)(tree)

    return plant


def overlay(kind: str, across: float, **wanted: str) -> Plant:
    """Return what moves the first overlay of a kind."""

    def plant(tree: Tree) -> None:
        rows = (each for each in tree["overlays"] if each["properties"]["kind"] == kind)
        found = next(each for each in rows if all(each["properties"][key] == value for key, value in wanted.items()))
        reshape(found, lambda each: affinity.translate(each, across, across))

    return plant


def stretch_zone(kind: str, wet: bool) -> Plant:
    """Return what makes the zones of a kind deeper, on a board with or without water behind one."""

    def plant(tree: Tree) -> None:
        if wet is not any(each["properties"]["kind"] == "waterway" for each in tree["features"]):
            raise LookupError(kind)
        for each in tree["overlays"]:
            if each["properties"]["kind"] == kind:
                reshape(each, lambda shape: affinity.scale(shape, 1.2, 1.2))

    return plant


DIE: Final = {"1": "2", "2": "3", "3": "4", "4": "1"}
"""Another quarter for each score that gives one."""
PLANTED: Final[dict[str, Plant]] = {
    "D3-1": put(lambda tree: tree["board"], "depth_mm", 500.0),
    "D3-2": swap_overlays("quarters"),
    "D3-3": compulsory_of("arable"),
    "D3-3 home": lambda tree: setting("home", "dry")(tree) if tree["settings"]["home"] != "auto" else None,
    "D3-4": compulsory_of("forest"),
    "D3-5": compulsory_of("hilly"),
    "D3-6": compulsory_of("steppe"),
    "D3-7": compulsory_of("dry"),
    "D3-8": compulsory_of("tropical"),
    "D3-9": compulsory_of("littoral"),
    "D3-10": change_roll("number of compulsory features", {"1": "2", "2": "1"}),
    "D3-10 log": put(lambda tree: roll(tree, "compulsory feature"), "answer", "oasis"),
    "D3-11": change_roll("number of optional features", {"2": "3", "3": "2"}),
    "D3-11 list": fewer_choices(False, "waterway"),
    "D3-11 log": put(lambda tree: roll(tree, "optional feature"), "answer", "oasis"),
    "D3-11 feature": properties("marsh", "kind", "lake"),
    "D3-12": many("river", 2),
    "D3-13": many("road", 3),
    "D3-14": many("woods", 4),
    "D3-15": hold("road", "gentle_hill"),
    "D3-16": pair,
    "D3-17": properties("hill", "going", "rough", steep=[]),
    "D3-18": properties("scrub", "going", "good"),
    "D3-19": properties("marsh", "going", "rough"),
    "D3-19 sides": fewer_steep_sides,
    "D3-19 place": move("steep_slope", 30, 0),
    "D3-20": properties("waterway", "going", "bad"),
    "D3-21": properties("plough", "going", "bad"),
    "D3-22": scale("light_woods", 2.5),
    "D3-23": scale("light_woods", 0.2),
    "D3-24": two_small,
    "D3-25": scale("light_woods", 1, 0.3),
    "D3-26": put(lambda tree: row(tree, terrain="woods"), "terrain", "gully"),
    "D3-28": lambda tree: details(tree)["terrain"]["pieces"].reverse(),
    "D3-28 log": lambda tree: tree["log"].remove(roll(tree, "quarter of")),
    "D3-29": change_roll("quarter of", DIE),
    "D3-29 place": another_quarter("light_woods"),
    "D3-30": change_roll("quarter of", {"5": "5", "6": "5"}),
    "D3-31": change_roll("quarter of", {"5": "6", "6": "6"}),
    "D3-32": scale("plough", 0.1),
    "D3-33": another_quarter("hill", steep=[]),
    "D3-34": to_place("light_woods", 7.5, 7.5),
    "D3-35": another_quarter("river"),
    "D3-35 way": change_roll("which way river runs", {"up": "across", "across": "up"}),
    "D3-36": beside("light_woods", "hill", 0.5),
    "D3-36 water": to_place("light_woods", 3, 1.5),
    "D3-37": to_place("light_woods", 1, 4),
    "D3-38": onto_woods,
    "D3-39": discard_unplaced,
    "D3-39 room": discard_with_room,
    "D3-40": change_bua("hamlet"),
    "D3-41": to_place("city", 7.5, 7.5),
    "D3-42": beside("city", "hill", -1),
    "D3-44": scale("waterway", 1, 3),
    "D3-44 edge": scale("waterway", 0.9),
    "D3-45": another_quarter("waterway"),
    "D3-46": properties("river", "width_mm", 70.0),
    "D3-47": reroute("river", lambda line, _: line.coords[: len(line.coords) // 2]),
    "D3-48": reroute("river", lambda line, side: through(line, side * 0.9, side * 0.9)),
    "D3-49": reroute("river", lambda line, side: through(line, side * 0.05, side * 0.95)),
    "D3-50": properties("road", "width_mm", 50.0),
    "D3-51": reroute("road", lambda line, side: through(line, side * 0.9, side * 0.9)),
    "D3-51 end": reroute("road", lambda line, _: line.coords[: len(line.coords) // 2]),
    "D3-52": to_place("road", 7.5, 7.5),
    "D3-53": across_hill,
    "D3-54": road_across_river,
    "D3-54 place": ford_on_land,
    "D3-55": put(lambda tree: details(tree)["deployment"], "invader_edge", "left"),
    "D3-55 own": other_edges,
    "D3-56": wet_base_edge,
    "D3-57": stretch_zone("deployment", wet=False),
    "D3-58": overlay("deployment", 10.0),
    "D3-59": overlay("flank", 10.0),
    "D3-60": stretch_zone("deployment", wet=True),
    "D3-66": put(lambda tree: details(tree)["deployment"], "moves_first", "C"),
    "D3-67": setting("base", "50mm"),
}
"""The faults of DBA 3, by their clause and, where a clause has several, another word."""

COLLISION: Final[dict[str, Plant]] = {
    "CC-1.1": square_overlap("light_woods"),
    "CC-1.2": square_overlap("plough"),
    "CC-2.2": overlay("column", 10.0, label="1"),
    "CC-2.4": overlay("column", 10.0, label="2"),
    "CC-4.3": overlay("entry-fast", 10.0),
    "CC-7.1": change_bua("fort"),
    "CC-7.2": lambda tree: details(tree).pop("city"),
    "CC-7.2 owner": lambda tree: details(tree)["city"].__setitem__("by", "invader"),
    "CC-7.3": lambda tree: details(tree)["city"].__setitem__("garrison", "defender"),
    "CC-G02": overlay("keep-clear", 30.0),
    "CC-G03": square_overlap("hamlet"),
    "CC-O01": overlay("base-line", 10.0),
    "CC-O02": overlay("centre-line", 10.0),
    "CC-O03": overlay("deployment", 10.0),
    "CC-O05": overlay("entry", 10.0),
    "CC-O06": overlay("landing", 10.0),
    "CC-O06 none": setting("landing", "none"),
    "D3-39": discard_with_room,
    "D3-48": PLANTED["D3-48"],
}
"""The faults of Collision Course; those that it shares with DBA 3 are planted there."""

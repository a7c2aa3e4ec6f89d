"""Faults to plant in records of Solo DBA, each under the clause that the checker has to name."""

from __future__ import annotations

from typing import Any, Final

from planting import (
    Plant,
    Tree,
    by_id,
    change_roll,
    delete,
    feature,
    move,
    properties,
    put,
    reroute,
    reshape,
    roll,
    scale,
    setting,
    through,
)
from shapely import affinity
from shapely.geometry import LineString


def terrain(tree: Tree) -> Tree:
    """Return what a record keeps of its terrain."""
    return tree["solo-dba"]["terrain"]


def row(tree: Tree, **wanted: Any) -> Tree:
    """Return the first selected feature with some members."""
    rows = terrain(tree)["pieces"]
    return next(each for each in rows if all(each[key] == value for key, value in wanted.items()))


def other_attacker(tree: Tree) -> None:
    attack = tree["solo-dba"]["attack"]
    attack["attacker"] = {"npg": "you", "you": "npg"}[attack["attacker"]]


def another(key: str, value: str, **wanted: Any) -> Plant:
    """Return what changes a member of a selected feature."""
    return put(lambda tree: row(tree, **wanted), key, value)


def zigzag(line: Any, side: float) -> list[tuple[float, float]]:
    """Return a course with many small bends, each to one side and back."""
    return [
        (x + shift, y + shift)
        for at, (x, y) in enumerate(line.coords)
        for shift in ((0, side / 40) if 0 < at < len(line.coords) - 1 else (0,))
    ]


def across(tree: Tree, kind: str, other: str) -> None:
    """Lead a river or road through the middle of a feature, or move it away from it."""
    points = feature(tree, other)["geometry"]["coordinates"][0]
    x, y = (sum(point[at] for point in points) / len(points) for at in (0, 1))
    reshape(feature(tree, kind), lambda line: LineString(through(line, x, y)))


def only_bad_going(tree: Tree) -> None:
    bad = [each for each in terrain(tree)["pieces"] if each["terrain"] in ("woods", "rough", "marsh", "steep_hill")]
    if len(bad) == 1:
        side = tree["board"]["width_mm"]
        found = by_id(tree, bad[0]["id"])
        reshape(found, lambda each: affinity.translate(each, side / 5 - each.centroid.x, side / 5 - each.centroid.y))


def beside(kind: str, other: str) -> Plant:
    """Return what moves a feature onto another."""

    def plant(tree: Tree) -> None:
        first, second = feature(tree, kind), feature(tree, other)
        if first is not second:
            first["geometry"] = second["geometry"]

    return plant


def swap_scores(tree: Tree) -> None:
    dice = [each for each in tree["log"] if each["reason"].startswith("optional ")]
    dice[0]["answer"], dice[1]["answer"] = dice[1]["answer"], dice[0]["answer"]


def same_road(tree: Tree) -> None:
    rows = [each for each in terrain(tree)["pieces"] if each["terrain"] == "road"]
    rows[1]["result"] = rows[0]["result"]


def second_die(tree: Tree) -> None:
    tree["log"].append(dict(roll(tree, "optional ")))


DIE: Final = {"1": "4", "2": "5", "3": "6", "4": "1", "5": "2", "6": "3"}
"""A score with another result for each score."""
PLANTED: Final[dict[str, Plant]] = {
    "AMB-23": same_road,
    "F-06": scale("light_woods", 3),
    "F-06 slender": scale("light_woods", 1, 0.2),
    "F-06 gap": beside("light_woods", "hill"),
    "F-06 water": scale("waterway", 4, 4),
    "F-06 river": properties("river", "width_mm", 99.0),
    "F-06 hill": lambda tree: across(tree, "river", "hill"),
    "SD-2.3-a": other_attacker,
    "SD-2.3-a die": change_roll("attacker: the NPG", dict.fromkeys("123456", "0")),
    "SD-3-a": put(terrain, "by", "person"),
    "SD-3-a feature": put(lambda tree: feature(tree, "light_woods"), "id", "woods-9"),
    "SD-3.1-a": put(terrain, "home", "forest"),
    "SD-3.1.1-a": setting("use_bua", "false"),
    "SD-3.1.1-b": change_roll("compulsory feature", {"1": "6", "2": "6", "3": "6", "4": "1", "5": "1", "6": "1"}),
    "SD-3.1.2-a": lambda tree: tree["log"].remove(roll(tree, "second compulsory piece")),
    "SD-3.1.2-r1": change_roll("second compulsory piece", {"1": "6", "2": "6", "5": "1", "6": "1"}),
    "SD-3.2.1-a": change_roll("number of optional features", {"1": "6", "2": "6", "5": "1", "6": "1"}),
    "SD-3.2.3-a": lambda tree: tree["log"].remove(roll(tree, "optional ")),
    "SD-3.2.3-c": properties("marsh", "going", "good"),
    "SD-3.2.3-d": swap_scores,
    "SD-3.2.3-e": second_die,
    "SD-3.3-b": delete("light_woods"),
    "SD-3.3-c": lambda tree: terrain(tree)["pieces"].reverse(),
    "SD-3.3.1-a": change_roll("place of waterway", DIE),
    "SD-3.3.1-b": move("waterway", 20, 20),
    "SD-3.3.2-a": change_roll("place of bua", DIE),
    "SD-3.3.2-a place": move("bua", 150, 150),
    "SD-3.3.3-a": change_roll("place of river", DIE),
    "SD-3.3.3-a end": reroute("river", lambda line, _: line.coords[: len(line.coords) // 2]),
    "SD-3.3.3-b": reroute("river", zigzag),
    "SD-3.3.3-c": reroute("river", lambda line, side: through(line, side * 0.05, side * 0.05)),
    "SD-3.3.3-d": reroute("river", lambda line, side: through(line, side * 0.9, side * 0.9)),
    "SD-3.3.3-r1": move("river", 120, 120),
    "SD-3.3.4-a": change_roll("column of woods-1", DIE),
    "SD-3.3.4-b": move("light_woods", 150, 150),
    "SD-3.3.4-c": only_bad_going,
    "SD-3.3.5-a": lambda tree: move("bua", 0, 200)(tree) if feature(tree, "road") else None,
    "SD-3.3.5-b": reroute("road", zigzag),
    "SD-3.3.5-b end": reroute("road", lambda line, _: line.coords[: len(line.coords) // 2]),
    "SD-3.3.5-c": reroute("road", lambda line, side: through(line, side * 0.8, side * 0.8)),
    "SD-3.3.5-d": delete("ford"),
    "SD-3.3.5-d mark": move("ford", 9, 9),
    "SD-3.3.5-e": another("result", "across-far", terrain="road"),
}
"""The faults, by their clause and, where a clause has several, another word."""

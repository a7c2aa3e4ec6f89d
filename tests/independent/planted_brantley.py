"""Faults to plant in records of terrain by playing cards, each under the clause that the checker has to name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from planting import (
    Plant,
    Tree,
    area,
    by_id,
    change_roll,
    delete,
    feature,
    move,
    properties,
    put,
    reshape,
    roll,
    scale,
    setting,
    swap_overlays,
)
from shapely import affinity
from shapely.geometry import shape


def row(tree: Tree, key: str, **wanted: Any) -> Tree:
    """Return the first row of the details with some members."""
    rows = tree["brantley"][key]
    return next(each for each in rows if all(each.get(name) == value for name, value in wanted.items()))


def swap_turns(tree: Tree) -> None:
    first, second = row(tree, "zones", turn=2), row(tree, "zones", turn=3)
    first["turn"], second["turn"] = 3, 2


def change_card(kind: str, card: str, **wanted: Any) -> Plant:
    """Return what gives the zone of a feature another card."""

    def plant(tree: Tree) -> None:
        number = feature(tree, kind, **wanted)["properties"]["zone"]
        zone = row(tree, "zones", n=number)
        if zone["card"][:-1] != card[:-1]:
            zone["card"] = card

    return plant


def change_policy(policy: str) -> Plant:
    """Return what says of a board that another policy placed its cards."""

    def plant(tree: Tree) -> None:
        if tree["settings"]["policy-a"] == "random":
            tree["settings"]["policy-a"] = policy

    return plant


def course(kind: str, **ends: str) -> Callable[[Tree], tuple[Tree, Tree]]:
    """Return what finds the row and the feature of a river or road that ends in a way."""

    def find(tree: Tree) -> tuple[Tree, Tree]:
        rows = tree["brantley"][f"{kind}s"]
        found = next(each for each in rows if all(key in each["end"] for key in ends))
        return found, by_id(tree, found["id"])

    return find


def reroute(kind: str, points: Callable[[Any, float], list[tuple[float, float]]], **ends: str) -> Plant:
    """Return what gives the first river or road that ends in a way other points; the board's inch is handed over."""

    def plant(tree: Tree) -> None:
        _, each = course(kind, **ends)(tree)
        inch = tree["board"]["width_mm"] / 24
        each["geometry"]["coordinates"] = [list(point) for point in points(shape(each["geometry"]), inch)]

    return plant


def stretch_end(kind: str, inches: float, **ends: str) -> Plant:
    """Return what moves the last point of a course along its direction, so many inches on, or back."""

    def points(line: Any, inch: float) -> list[tuple[float, float]]:
        (x, y), (u, v) = line.coords[-2:]
        far = inches * inch / ((u - x) ** 2 + (v - y) ** 2) ** 0.5
        if inches < 0:
            cut = line.interpolate(line.length + inches * inch)
            return [
                *(each for each in line.coords if line.project(shape_point(each)) < line.project(cut)),
                cut.coords[0],
            ]
        return [*line.coords, (u + (u - x) * far, v + (v - y) * far)]

    return reroute(kind, points, **ends)


def shape_point(point: tuple[float, float]) -> Any:
    """Return a point as a shape."""
    return shape({"type": "Point", "coordinates": point})


def detour(line: Any, inch: float) -> list[tuple[float, float]]:
    """Return a course that goes to a point far from its middle and back."""
    middle = line.interpolate(0.5, normalized=True)
    first = line.interpolate(0.49, normalized=True)
    side = ((middle.y - first.y), (first.x - middle.x))
    length = (side[0] ** 2 + side[1] ** 2) ** 0.5
    out = (middle.x + side[0] / length * 16 * inch, middle.y + side[1] / length * 16 * inch)
    half = len(line.coords) // 2
    return [*line.coords[:half], out, *line.coords[half:]]


def loop(line: Any, inch: float) -> list[tuple[float, float]]:
    """Return a course with a loop of half an inch in its middle."""
    half = len(line.coords) // 2
    x, y = line.coords[half]
    square = [(x + inch, y - inch), (x + inch, y + inch), (x - inch, y + inch), (x - inch, y - inch)]
    return [*line.coords[:half], *square, square[0], *line.coords[half:]]


def spike(line: Any, inch: float) -> list[tuple[float, float]]:
    """Return a course with a bend of two inches in its middle, out and back."""
    half = len(line.coords) // 2
    x, y = line.coords[half]
    return [*line.coords[: half - 1], (x + 1.5 * inch, y + 1.5 * inch), *line.coords[half + 1 :]]


def along_edge(line: Any, _: float) -> list[tuple[float, float]]:
    """Return a course that comes to the west edge in its middle."""
    half = len(line.coords) // 2
    return [*line.coords[:half], (0.0, line.coords[half][1]), *line.coords[half:]]


def at_corner(last: bool) -> Callable[[Any, float], list[tuple[float, float]]]:
    """Return what moves an end of a course along its edge to half an inch from a corner."""

    def points(line: Any, inch: float) -> list[tuple[float, float]]:
        x, y = line.coords[-1 if last else 0]
        side = 24 * inch
        moved = (0.5 * inch, y) if min(y, side - y) < 0.01 else (x, 0.5 * inch)
        return [*line.coords[:-1], moved] if last else [moved, *line.coords[1:]]

    return points


def same_edge(tree: Tree) -> None:
    found, _ = course("road", edge="")(tree)
    found["end"]["edge"] = found["start"]


def through(kind: str, *grounds: str) -> Plant:
    """Return what leads a river or road through the middle of a feature that it keeps out of."""

    def plant(tree: Tree) -> None:
        _, each = course(kind)(tree)
        ground = next(other for other in tree["features"] if other["properties"]["kind"] in grounds)
        middle = shape(ground["geometry"]).centroid
        half = len(each["geometry"]["coordinates"]) // 2
        each["geometry"]["coordinates"].insert(half, [middle.x, middle.y])

    return plant


def second_river_across(tree: Tree) -> None:
    rows = tree["brantley"]["rivers"]
    first, second = (by_id(tree, rows[at]["id"])["geometry"]["coordinates"] for at in (0, 1))
    half, inch = len(second) // 2, tree["board"]["width_mm"] / 24
    x, y = first[len(first) // 2]
    second[half:half] = [[x - inch, y - inch], [x + inch, y + inch]]


def steep_twice(tree: Tree) -> None:
    first = feature(tree, "steep_slope")
    second = next(each for each in tree["features"] if each["properties"].get("side", 9) < 9 and each is not first)
    if first["properties"]["of"] == second["properties"]["of"]:
        second["geometry"] = first["geometry"]


def cross_outline(tree: Tree) -> None:
    ring = area(tree)["geometry"]["coordinates"][0]
    ring[10], ring[60] = ring[60], ring[10]


def run_in_river(tree: Tree) -> None:
    _, road = course("road")(tree)
    _, river = course("river")(tree)
    wet = river["geometry"]["coordinates"]
    road["geometry"]["coordinates"] = wet[len(wet) // 4 : len(wet) // 2]


def second_first(kind: str) -> Plant:
    """Return what changes the order of two courses, of which the second ends in the first."""

    def plant(tree: Tree) -> None:
        rows = tree["brantley"][f"{kind}s"]
        if kind in rows[1]["end"]:
            rows.reverse()

    return plant


def junction_at_end(kind: str) -> Plant:
    """Return what moves the junction of two courses to the end of the first."""

    def plant(tree: Tree) -> None:
        found, each = course(kind, **{kind: ""})(tree)
        each["geometry"]["coordinates"][-1] = by_id(tree, found["end"][kind])["geometry"]["coordinates"][2]

    return plant


def upper(change: Callable[[Any], Any]) -> Plant:
    """Return what changes the upper contour of a hill."""

    def plant(tree: Tree) -> None:
        contours = feature(tree, "hill", levels=2)["properties"]["contours"]
        ring = change(shape({"type": "Polygon", "coordinates": contours[0]}))
        contours[0] = [[list(point) for point in ring.exterior.coords]]

    return plant


def change_hill(die: str, wanted: str, score: str, **properties: Any) -> Plant:
    """Return what changes the die of a hill; the hill has some properties."""

    def plant(tree: Tree) -> None:
        hill = feature(tree, "hill", **properties)
        found = roll(tree, f"{die} z{hill['properties']['zone']}")
        if found["answer"] in wanted:
            found["answer"] = score

    return plant


OTHER: Final = {"1": "4", "2": "4", "3": "1", "4": "1", "5": "1", "6": "1"}
"""A score with another number of rivers, and of roads, for each score."""
PLANTED: Final[dict[str, Plant]] = {
    "BR-105": put(lambda tree: tree["board"], "depth_mm", 500.0),
    "BR-106": swap_overlays("zone"),
    "BR-201": lambda tree: tree["brantley"]["deck"].__setitem__(51, tree["brantley"]["deck"][50]),
    "BR-202": lambda tree: roll(tree, "shuffle").__setitem__("answer", "AS 2S"),
    "BR-203": lambda tree: tree["brantley"]["hands"]["A"].reverse(),
    "BR-205": swap_turns,
    "BR-205 hand": lambda tree: row(tree, "zones", turn=4).__setitem__("card", tree["brantley"]["deck"][20]),
    "BR-206": lambda tree: row(tree, "zones", turn=4).__setitem__("card", row(tree, "zones", turn=6)["card"]),
    "BR-206 zone": lambda tree: row(tree, "zones", n=4).__setitem__("n", 5),
    "BR-207": lambda tree: row(tree, "zones", turn=8).__setitem__("turn", 9),
    "BR-208": lambda tree: row(tree, "zones", turn=None).__setitem__("card", tree["brantley"]["deck"][30]),
    "BR-301": properties("bua", "going", "good"),
    "BR-301 kind": properties("bua", "kind", "town"),
    "BR-302": properties("heavy_woods", "going", "bad"),
    "BR-303": properties("broken_ground", "kind", "marsh"),
    "BR-304": change_card("marsh", "4S"),
    "BR-305": change_card("marsh", "5S"),
    "BR-306": change_card("marsh", "6C"),
    "BR-307": change_card("light_woods", "7C"),
    "BR-308": change_card("light_woods", "8C"),
    "BR-309": change_card("hill", "9S", levels=2),
    "BR-310": change_card("hill", "10S", levels=2),
    "BR-311": change_card("hill", "JS", levels=1),
    "BR-312": delete("lake"),
    "BR-313": change_card("lake", "KS"),
    "BR-322": change_hill("slopes of", "56", "1", levels=1),
    "BR-323": change_hill("slopes of", "123", "5", levels=1),
    "BR-324": change_hill("slopes of", "123", "6", levels=1),
    "BR-325": change_hill("slopes of", "12345", "6", levels=2),
    "BR-326": properties("steep_slope", "going", "bad"),
    "BR-329": change_hill("woods on", "23456", "1"),
    "BR-330": change_hill("woods on", "1456", "3"),
    "BR-331": change_hill("woods on", "123", "5"),
    "BR-341": lambda tree: area(tree)["properties"].__setitem__("placed_by", "B"),
    "BR-341 zone": lambda tree: area(tree)["properties"].__setitem__("zone", 10),
    "BR-342": lambda tree: roll(tree, "facing of").__setitem__("answer", "61"),
    "BR-344": change_card("marsh", "7H"),
    "BR-401": change_roll("number of rivers", OTHER),
    "BR-401 row": put(lambda tree: row(tree, "rivers"), "id", "R9"),
    "BR-401 lost": delete("river"),
    "BR-402": change_roll("who places the river, player A", dict.fromkeys("123456", "3")),
    "BR-403": lambda tree: by_id(tree, tree["brantley"]["rivers"][1]["id"])["properties"].__setitem__("placed_by", "A"),
    "BR-404": put(lambda tree: row(tree, "rivers"), "start", "N:3.3"),
    "BR-405": stretch_end("river", -1, edge=""),
    "BR-407": second_first("river"),
    "BR-501": change_roll("number of roads", OTHER),
    "BR-501 lost": delete("road"),
    "BR-502": change_roll("who places the road, player B", dict.fromkeys("123456", "3")),
    "BR-503": lambda tree: by_id(tree, tree["brantley"]["roads"][1]["id"])["properties"].__setitem__("placed_by", "A"),
    "BR-504": put(lambda tree: row(tree, "roads"), "start", "S:3.3"),
    "BR-505": same_edge,
    "BR-507": second_first("road"),
    "BR-601": delete("bridge"),
    "BR-701": put(lambda tree: tree["brantley"]["deployment"], "depth_mm", 100.0),
    "BR-702": put(lambda tree: tree["brantley"]["deployment"], "deploys_first", "C"),
    "BR-D1": lambda tree: tree["brantley"].__setitem__("first", {"A": "B", "B": "A"}[tree["brantley"]["first"]]),
    "BR-D2": lambda tree: tree["log"].remove(roll(tree, "woods on")),
    "BR-G02": setting("margin", "0.4"),
    "BR-G03": lambda tree: reshape(area(tree), lambda each: affinity.translate(each, 60, 0)),
    "BR-G06": lambda tree: reshape(area(tree), lambda each: affinity.scale(each, 4, 4)),
    "BR-G11": scale("bua", 0.5),
    "BR-G11 corners": lambda tree: reshape(feature(tree, "bua"), lambda each: each.minimum_rotated_rectangle),
    "BR-G12": scale("heavy_woods", 0.4),
    "BR-G13": scale("broken_ground", 0.4),
    "BR-G14": scale("light_woods", 0.4),
    "BR-G15": scale("marsh", 0.4),
    "BR-G16": scale("hill", 0.4, levels=1),
    "BR-G17": scale("hill", 0.5, levels=2),
    "BR-G17 share": upper(lambda each: affinity.scale(each, 0.5, 0.5)),
    "BR-G17 gap": upper(lambda each: affinity.scale(each, 1.4, 1)),
    "BR-G17 levels": lambda tree: feature(tree, "hill", levels=2)["properties"].__setitem__("contours", []),
    "BR-G18": scale("lake", 0.4),
    "BR-G21": lambda tree: reshape(feature(tree, "steep_slope"), lambda each: type(each)(each.coords[:9])),
    "BR-G22": steep_twice,
    "BR-G22 side": lambda tree: feature(tree, "hill", steep=[0])["properties"].__setitem__("steep", [5]),
    "BR-G23": delete("steep_slope"),
    "BR-G23 place": move("steep_slope", 8, 8),
    "BR-G23 hill": properties("steep_slope", "of", "z77"),
    "BR-G25": properties("hill", "going", "rough"),
    "BR-G31": properties("river", "width_mm", 77.0),
    "BR-G32": reroute("river", detour),
    "BR-G33": reroute("river", at_corner(last=False)),
    "BR-G33 end": reroute("river", at_corner(last=True), edge=""),
    "BR-G34": reroute("river", along_edge),
    "BR-G34 board": scale("river", 1.2),
    "BR-G35": reroute("river", loop),
    "BR-G36": through("river", "bua", "lake"),
    "BR-G38": stretch_end("river", 2, lake=""),
    "BR-G39": junction_at_end("river"),
    "BR-G39 short": stretch_end("river", -0.5, river=""),
    "BR-G40": second_river_across,
    "BR-G51": properties("road", "width_mm", 33.0),
    "BR-G52": reroute("road", detour),
    "BR-G52 bend": reroute("road", spike),
    "BR-G52 loop": reroute("road", loop),
    "BR-G53": reroute("road", at_corner(last=False)),
    "BR-G53 edge": reroute("road", along_edge),
    "BR-G54": through("road", "bua", "lake"),
    "BR-G55": stretch_end("road", 1.5, bua=""),
    "BR-G56": junction_at_end("road"),
    "BR-G57": run_in_river,
    "BR-G61": move("bridge", 9, 9),
    "BR-G71": put(lambda tree: tree["board"], "pace_mm", 0.3),
    "BR-G72": swap_overlays("deployment"),
    "BR-G90": cross_outline,
    "BR-M24": lambda tree: roll(tree, "zone of").__setitem__("answer", "0"),
    "BR-M25": change_policy("terrain-hungry"),
    "BR-M26": change_policy("clear-centre"),
    "BR-M28": setting("steep", "facing-enemy"),
    "BR-Q16": setting("br-q16", "ford"),
    "BR-Q16 placer": properties("bridge", "placed_by", "C"),
}
"""The faults, by their clause and, where a clause has several, another word."""

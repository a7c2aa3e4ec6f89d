"""Collision Course for DBA 3 (D. Lawrence 2020, from its Spanish text): what a saved battlefield breaks of it.

"En todo lo demás" the rules of DBA 3 hold: those are in ``check_dba3``. Lengths are base widths (BW).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from check_dba3 import EDGES, SHARED, SLIGHT, Board, has_room, room_for
from check_dba3 import check_discarded as check_reasons
from record_shapes import Tree
from shapely import affinity
from shapely.geometry import LineString, box
from shapely.geometry.base import BaseGeometry

ROLES: Final = ("defender", "invader")
TURNS: Final = {"near": 0, "far": 180, "left": 90, "right": -90}
"""Degrees by which the board is turned so that an edge is the near one."""
OFF: Final = 0.01
"""BW: a shore is a chain of short chords, and overlays are cut along other points of it."""


def turned(board: Board, shape: BaseGeometry, edge: str) -> BaseGeometry:
    """Return a shape on the board that is turned so that an edge is the near one, in BW."""
    moved = affinity.rotate(shape, TURNS[edge], origin=(board.width / 2, board.depth / 2))
    return affinity.scale(moved, 1 / board.unit, 1 / board.unit, origin=(0, 0))


class Field(Board):
    """A saved board of Collision Course, and the ground of its waterway."""

    @cached_property
    def water(self) -> BaseGeometry:
        """The waterway on the board that is turned so that its edge is the near one."""
        return turned(self, next(self.placed("waterway"))[2], self.water_edge)


def shore(board: Field, edge: str, at: float) -> float:
    """Return how deep the waterway is at a place of an edge, in BW from the left of the turned board; 0 without one."""
    if board.water_edge != edge:
        return 0.0
    return float(LineString([(at, 0), (at, board.side)]).intersection(board.water).length)


def squares(board: Field) -> Iterator[tuple[str, BaseGeometry]]:
    """Yield the squares of 4 BW at the middles of the edges, and the one at the shore, on the turned board (CC-G06)."""
    low, high = board.side / 2 - 2, board.side / 2 + 2
    for edge in EDGES:
        yield edge, box(low, 0, high, 4)
        deep = shore(board, edge, board.side / 2)
        if deep:
            yield edge, box(low, deep, high, deep + 4)


def check_squares(board: Field) -> Iterator[str]:
    drawn = [area for _, area in board.overlays("keep-clear")]
    for edge, square in squares(board):
        if not any(turned(board, area, edge).symmetric_difference(square).area < OFF * 16 for area in drawn):
            yield f"CC-G02: the square at the {edge} edge is not drawn from {square.bounds[1]:.2f} BW on"
        for name, properties, area in board.placed():
            terrain, shared = board.terrain[name], turned(board, area, edge).intersection(square).area
            # The interiors overlap by more than 0.0001 BW2 (CC-G04); rounding adds a thousandth of a BW along a side.
            if shared <= 0.0006:
                continue
            if terrain == "plough":
                yield f"CC-1.2: {name} lies in the square of the {edge} edge, {shared:.3f} BW2"
            elif terrain == "bua":
                yield f"CC-G03: {name} lies in the square of the {edge} edge, {shared:.3f} BW2"
            elif properties["going"] in ("rough", "bad"):
                yield f"CC-1.1: {name} lies in the square of the {edge} edge, {shared:.3f} BW2"
    if len(drawn) != len(list(squares(board))):
        yield f"CC-G02: {len(drawn)} squares are drawn"


def check_towns(board: Field) -> Iterator[str]:
    cities = [name for name, kind in board.kinds.items() if kind == "city"]
    for name, kind in board.kinds.items():
        if kind == "fort":
            yield f"CC-7.1: {name} is a fort"
    city = board.details.get("city")
    if bool(cities) is not bool(city) or (city and city["id"] not in cities):
        yield f"CC-7.2: the cities are {cities}, the record has {city}"
    elif city and city["by"] != "defender":
        yield f"CC-7.2: the city is placed by the {city['by']}"
    elif city and (city["garrison"] != "none" or not city["locked"]):
        yield f"CC-7.3: the city has a garrison, {city['garrison']}"


def lines(board: Field, kind: str, side: str) -> list[BaseGeometry]:
    """Return the overlays of a kind and a side."""
    return [area for properties, area in board.overlays(kind) if properties["side"] == side]


def is_along(board: Field, line: BaseGeometry, edge: str, first: float, last: float) -> bool:
    """Return whether a line follows the base line from one place to another: the edge of the board, or its shore."""
    found = turned(board, line, edge)
    places = [first + (last - first) * (count + 0.5) / 40 for count in range(40)]
    cuts = [LineString([(at, -1), (at, board.side)]).intersection(found) for at in places]
    near = all(
        not cut.is_empty and abs(cut.bounds[1] - shore(board, edge, at)) <= OFF
        for at, cut in zip(places, cuts, strict=True)
    )
    return near and abs(found.bounds[0] - first) <= OFF and abs(found.bounds[2] - last) <= OFF


def is_deep(board: Field, area: BaseGeometry, edge: str, deep: float) -> bool:
    """Return whether an area covers 2 BW on both sides of the centre line, and so far from the base line."""
    found, middle = turned(board, area, edge), board.side / 2
    places = [middle - 2 + (count + 0.5) / 10 for count in range(40)]
    cuts = [LineString([(at, -1), (at, board.side)]).intersection(found) for at in places]
    near = all(
        not cut.is_empty
        and abs(cut.bounds[1] - shore(board, edge, at)) <= OFF
        and abs(cut.bounds[3] - shore(board, edge, at) - deep) <= OFF
        for at, cut in zip(places, cuts, strict=True)
    )
    return near and abs(found.bounds[0] - middle + 2) <= OFF and abs(found.bounds[2] - middle - 2) <= OFF


def check_deployment(board: Field) -> Iterator[str]:
    details, side = board.details["deployment"], board.side
    centre = [turned(board, line, details["defender_edge"]) for _, line in board.overlays("centre-line")]
    if len(centre) != 1 or centre[0].hausdorff_distance(LineString([(side / 2, 0), (side / 2, side)])) > OFF:
        yield "CC-O02: the centre line does not run from the middle of one base edge to the other"
    for role in ROLES:
        edge, player = details[f"{role}_edge"], details[role]
        for kind, clause, first in (("base-line", "CC-O01", 0), ("entry", "CC-O05", 4), ("entry-fast", "CC-4.3", 2)):
            found = lines(board, kind, player)
            if len(found) != 1 or not is_along(board, found[0], edge, first, side - first):
                yield f"{clause}: {kind} of the {role} does not follow the base line to {first} BW from the sides"
        columns = {each["label"]: area for each, area in board.overlays("column") if each["side"] == player}
        for label, clause, deep in (("1", "CC-2.2", 4), ("2", "CC-2.4", 1)):
            if label not in columns or not is_deep(board, columns[label], edge, deep):
                yield f"{clause}: column {label} of the {role} is not 2 BW to each side of the middle, {deep} deep"
        zones = lines(board, "deployment", player)
        if len(zones) != 1 or not is_deep(board, zones[0], edge, 4):
            yield f"CC-O03: the deployment of the {role} is not 2 BW to each side of the middle, 4 deep"


def check_landing(board: Field) -> Iterator[str]:
    details, how = board.details["deployment"], board.settings["landing"]
    littoral, wet = board.details["terrain"]["home"] == "littoral", board.water_edge
    may = {"both": set(ROLES), "none": set(), "auto": {"defender"} if littoral else set()}.get(how, {how})
    for role in ROLES:
        found = lines(board, "landing", details[role])
        if len(found) != (1 if wet and role in may else 0):
            yield f"CC-O06: {len(found)} landing shores of the {role}; who may land: {', '.join(sorted(may))}"
        if wet and any(not is_along(board, line, wet, 0, board.side) for line in found):
            yield f"CC-O06: the landing shore of the {role} is not the whole shore"


def check_discarded(board: Field) -> Iterator[str]:
    """Yield discards without need, as for DBA 3; but the squares leave less room (CC-G05)."""
    for fault in check_reasons(board):
        name = fault.split()[1]
        row = next(each for each in board.discarded if each["id"] == name)
        ground = room_for(board, row)
        for edge, square in squares(board):
            whole = affinity.scale(square, board.unit, board.unit, origin=(0, 0))
            back = affinity.rotate(whole, -TURNS[edge], origin=(board.width / 2, board.depth / 2))
            ground = ground if board.terrain.get(name) == "gentle_hill" else ground.difference(back.buffer(SLIGHT))
        if "without a reason" in fault or has_room(board, ground):
            yield fault


RULES: Final = (*SHARED, check_squares, check_towns, check_deployment, check_landing, check_discarded)


def find_faults(tree: Tree) -> list[str]:
    """Return a line for everything in a saved record that breaks the rules."""
    board = Field(tree)
    return [fault for rule in RULES for fault in rule(board)]

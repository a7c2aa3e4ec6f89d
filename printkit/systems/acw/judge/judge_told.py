"""Judges courses by the graph of their record: each reaches what that says it ends at, and crosses what links cross."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.case import Case, Check, both
from printkit.systems.acw.judge.judge_ground import ALL_HILLS
from printkit.systems.acw.judge.room import drawn
from printkit.systems.acw.terms.pieces import PLACES, ROADS, STREAMS, Piece
from printkit.systems.acw.terms.plan import Side

END: Final = re.compile(r"(\w+)(?: ([NESW]|\d+))?(?: via ([\d ]+))?")
"""An end as the graph tells it: to what it goes, by which side or in which zone, and by which zones."""

_OFF: Final = 1.5
_FAR: Final = 0.08


def told_ends(name: str, part: str, pieces: Sequence[Piece]) -> Check:
    """Return the check that courses reach what the graph says they end at: edges, the water, places, hills."""

    def check(case: Case) -> Faults:
        ground, lines = case.ground, case.ground.lines(*pieces)
        for zone, text in case.graph[name][part]:
            target = _target(case, int(zone), text)
            if target is None or target.is_empty:
                continue
            off = math.inf if lines.is_empty else lines.distance(target)
            if off > _FAR * ground.unit(zone):
                yield Sentence(
                    "{name}: nothing reaches {text} of zone {zone}, {off:.0f} mm off",
                    name=name,
                    text=text,
                    zone=zone,
                    off=off,
                )

    return check


def _target(case: Case, zone: int, text: str) -> BaseGeometry | None:
    """Return what an end goes to as a shape; None for what has none, or lies not on the table for want of room."""
    ground, found = case.ground, END.match(text)
    assert found is not None
    what, where = found[1], found[2]
    last = int(found[3].split()[-1]) if found[3] else zone
    if what == "edge" and where is not None and where.isalpha():
        grid = ground.grid
        side = next((side for side in Side if side.value == where), None)
        exits = [each for each in grid.edges(last) if each is side] if side is not None else []
        return ground.side(last, exits[0]) if exits else None
    if what == "water" and not ground.water.is_empty:
        return ground.water.intersection(ground.boxes[last])
    if where is not None and where.isdigit():
        shapes = [one.shape for one in ground.in_zone(int(where), *PLACES) if one.piece.key == what]
        return shapely.union_all(shapes) if shapes else None
    if what == "foot":
        shapes = [one.shape for one in ground.in_zone(zone, *ALL_HILLS)]
        return shapely.union_all(shapes) if shapes else None
    if what in ("swamp", "pool"):
        pieces = (Piece.SWAMP,) if what == "swamp" else (Piece.POOL,)
        shapes = [shape for one in ground.of(*pieces) if (shape := one.shape.intersection(ground.boxes[zone])).area > 0]
        return shapely.union_all(shapes) if shapes else None
    return None


def steps(name: str, pieces: Sequence[Piece]) -> Check:
    """Return the check that a course crosses every side that a link of the graph crosses, from the one zone on."""

    def check(case: Case) -> Faults:
        ground, lines = case.ground, case.ground.lines(*pieces)
        inner = {zone: lines.intersection(box.buffer(-_OFF)) for zone, box in ground.boxes.items()}
        for path in case.graph[name]["links"]:
            # Whether a link leaps over a zone is judged by the graph alone.
            for one, other in (pair for pair in pairwise(path) if ground.grid.distance(*pair) == 1):
                side = ground.side(one, ground.grid.side_between(one, other))
                if not all(inner[zone].dwithin(side, _OFF + 0.01) for zone in (one, other)):
                    yield Sentence(
                        "no {key} or its like joins zones {one} and {other}", key=pieces[0].key, one=one, other=other
                    )

    return check


def creek_edges(case: Case) -> Faults:
    """AC-N30: the creek comes onto the table and leaves it by the edges of its way."""
    creek, ground = case.creek, case.ground
    if creek is None:
        raise UnseenError("no creek crosses the table")
    lines = ground.lines(Piece.CREEK)
    for zone, side in ((creek.path[0], creek.entry), (creek.path[-1], creek.exit)):
        if lines.distance(ground.side(zone, side)) > _OFF:
            yield Sentence("the creek does not reach edge {side} of zone {zone}", side=side, zone=zone)


CHECKS: Final[Mapping[str, Check]] = {
    "AC-N02": drawn(both(steps("roads", ROADS), steps("streams", STREAMS))),
    "AC-N10": drawn(told_ends("roads", "ends", ROADS)),
    "AC-N11": drawn(told_ends("roads", "ends", ROADS)),
    "AC-N20": drawn(told_ends("streams", "mouths", STREAMS)),
    "AC-N25": drawn(told_ends("streams", "sources", STREAMS)),
    "AC-N30": drawn(creek_edges),
}
"""What of the graph the lines of a record can be seen not to follow."""

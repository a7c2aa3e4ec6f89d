"""Who has which base edge, and what a side is told of the ground on which it deploys (D3-55..D3-60)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.sides import PlayerSide, RecordedSide
from printkit.systems.dba3.placing.placement import shore_on
from printkit.systems.dba3.placing.told import rules_of
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import Record

_EDGES: Final[Mapping[str, str]] = {DEFENDER: "defender_edge", INVADER: "invader_edge"}


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return by its letter what a record tells of each side: its edge, and whether the waterway lies along it."""
    told = record.details.get("deployment")
    facts = told if isinstance(told, Mapping) else {}
    edges = {name: Edge(facts[key]) for name, key in _EDGES.items() if facts.get(key) in list(Edge)}
    shore = shore_on(record.battlefield)
    wet = None if shore is None else shore.edge
    return {name: RecordedSide(edge=edge, shore=edge is wet) for name, edge in edges.items()}


def deploying(record: Record, side: PlayerSide, words: Words, length: Callable[[float], str]) -> Iterator[str]:
    """Yield what a side is told of its ground: how deep, how far from the sides of the board, and of the water.

    Args:
        record: of the game.
        side: which.
        words: one language.
        length: says a length in mm.
    """
    depth = side.depth(record.battlefield)
    if depth is None:
        return
    rules = rules_of(record, read_book(record.rules))
    numbers = {name: f"{rules.number(name):g}" for name in ("zone_side_bw", "zone_side_bw_fast")}
    line = words(f"sides.behind.{side.look.line}")
    yield words("dba3.deploying.ground", depth=length(depth), line=line, **numbers)
    if side.shore:
        yield words("dba3.deploying.shore")

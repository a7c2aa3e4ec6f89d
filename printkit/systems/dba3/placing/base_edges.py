"""The base edges of the sides, and their descriptions of the deployment zones (D3-55..D3-60)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from printkit.core.words import Words
from printkit.kit.book import read_book
from printkit.kit.sides import PlayerSide, RecordedSide
from printkit.systems.dba3.placing.placement import find_shore
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.systems.dba3.placing.zones import DEFENDER, INVADER
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.record import Record

_EDGES: Final[Mapping[str, str]] = {DEFENDER: "defender_edge", INVADER: "invader_edge"}


def told_sides(record: Record) -> dict[str, RecordedSide]:
    """Return the recorded side for each letter of a side: its edge, and whether the waterway is along it.

    The letters are those of defender and invader. A side whose edge the record does not give is missing.
    """
    recorded_deployment = record.details.get("deployment")
    facts = recorded_deployment if isinstance(recorded_deployment, Mapping) else {}
    edges = {name: Edge(facts[key]) for name, key in _EDGES.items() if facts.get(key) in list(Edge)}
    shore = find_shore(record.battlefield)
    water_edge = None if shore is None else shore.edge
    return {name: RecordedSide(edge=edge, shore=edge is water_edge) for name, edge in edges.items()}


def deploying(record: Record, side: PlayerSide, words: Words, length: Callable[[float], str]) -> Iterator[str]:
    """Yield the description of a side's zone: its depth, its distance from the board sides, and the water.

    Yields no text if the side has no zone.

    Args:
        record: of the game.
        side: the side.
        words: one language.
        length: formats a length in mm on the board.
    """
    depth = side.depth(record.battlefield)
    if depth is None:
        return
    rules = read_rules(record, read_book(record.rules))
    numbers = {name: f"{rules.number(name):g}" for name in ("zone_side_bw", "zone_side_bw_fast")}
    line = words(f"sides.behind.{side.look.line}")
    yield words("dba3.deploying.ground", depth=length(depth), line=line, **numbers)
    if side.shore:
        yield words("dba3.deploying.shore")

"""The network as a record keeps it, a graph of zones: links, ends, mouths and sources, read back (AC-A08)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Axis, Side
from printkit.terrain.field.record import Record

_END: Final = re.compile(r"(?P<to>edge|water) (?P<side>[NESW])(?: via (?P<via>[\d ]+))?")
_AT: Final = re.compile(r"(?P<to>[a-z_]+) (?P<zone>\d+)(?: via (?P<via>[\d ]+))?")
_FOOT: Final = re.compile(r"foot of (?P<hill>.+)")
_BEYOND: Final = re.compile(r"hill beyond (?P<side>[NESW])")


class Told(Struct, frozen=True, kw_only=True):
    """Where a course ends, as the record tells it: ``to`` is a key of words; what does not apply is empty."""

    zone: int
    to: str
    side: Side | None = None
    via: tuple[int, ...] = ()
    at: int | None = None
    piece: Piece | None = None


def links(record: Record, net: str) -> tuple[tuple[int, ...], ...]:
    """Return the links of a network as the record keeps them: paths of zones."""
    found = _graph(record).get(net) or {}
    if net == "rail":
        paths = [found.get("path", ()), *(branch.get("path", ()) for branch in found.get("branches", ()))]
        return tuple(tuple(path) for path in paths if path)
    return tuple(tuple(path) for path in found.get("links", ()))


def ends(record: Record, net: str, which: str) -> tuple[Told, ...]:
    """Return the ``ends`` of roads and rails, the ``mouths`` or ``sources`` of streams, as the record keeps them."""
    found = _graph(record).get(net) or {}
    if net == "rail":
        return tuple(_rail_ends(found))
    return tuple(told(zone, text) for zone, text in found.get(which, ()))


def _rail_ends(rail: Any) -> Iterator[Told]:
    """Yield the ends of the railroad: those of its line, which are edges of the table, and of its branches (AC-N32)."""
    if rail:
        first, last = Axis(rail["axis"]).sides
        yield Told(zone=rail["path"][0], to="edge", side=first)
        yield Told(zone=rail["path"][-1], to="edge", side=last)
        for branch in rail["branches"]:
            if branch["side"]:
                yield Told(zone=branch["path"][-1], to="edge", side=Side(branch["side"]))


def creek(record: Record) -> tuple[tuple[int, ...], Side, Side] | None:
    """Return the creek that crosses the table: its zones, and by which edges it comes in and goes out (AC-N30)."""
    found = _graph(record).get("creek")
    return None if found is None else (tuple(found["path"]), Side(found["entry_edge"]), Side(found["exit_edge"]))


def swamps(record: Record) -> tuple[tuple[int, int], ...]:
    """Return the pairs of zones whose swamps grow together (AC-N33)."""
    return tuple((first, second) for first, second in _graph(record).get("swamps", ()))


def told(zone: int, text: str) -> Told:
    """Return an end from the words of the record, as ``edge S via 5`` or ``foot of Hill``."""
    if (found := _END.fullmatch(text)) is not None:
        return Told(zone=zone, to=found["to"], side=Side(found["side"]), via=_via(found["via"]))
    if (found := _FOOT.fullmatch(text)) is not None:
        names = {piece.value: piece for piece in Piece}
        return Told(zone=zone, to="foot", piece=names.get(found["hill"], Piece.HILL))
    if (found := _BEYOND.fullmatch(text)) is not None:
        return Told(zone=zone, to="beyond", side=Side(found["side"]))
    if (found := _AT.fullmatch(text)) is not None:
        keys = {piece.key: piece for piece in Piece}
        if found["to"] in ("creek", "junction"):
            return Told(zone=zone, to=found["to"], at=int(found["zone"]), via=_via(found["via"]))
        piece = keys.get(found["to"], Piece.SETTLEMENT)
        return Told(zone=zone, to="place", at=int(found["zone"]), via=_via(found["via"]), piece=piece)
    return Told(zone=zone, to=text if text in ("swamp", "pool", "farm", "trees") else "open")


def _via(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, text.split())) if text else ()


def _graph(record: Record) -> Mapping[str, Any]:
    """Return the graph of a record; an empty one where it has none, or one that was changed and cannot be read."""
    found = record.details.get("graph")
    return found if isinstance(found, Mapping) and all(_sound(net, value) for net, value in found.items()) else {}


def _sound(net: str, value: Any) -> bool:
    match net, value:
        case (("rail" | "creek"), None):
            return True
        case "roads", {"links": links, "ends": ends}:
            return _paths(links) and _ends(ends)
        case "streams", {"links": links, "mouths": mouths, "sources": sources}:
            return _paths(links) and _ends(mouths) and _ends(sources)
        case "rail", {"axis": axis, "path": [_, *_] as path, "branches": branches}:
            return axis in list(Axis) and _paths([path]) and isinstance(branches, list) and all(map(_branch, branches))
        case "creek", {"path": [_, *_] as path, "entry_edge": entry, "exit_edge": leaves}:
            return _paths([path]) and entry in list(Side) and leaves in list(Side)
        case "swamps", pairs:
            return _paths(pairs) and all(len(pair) == len(("first", "second")) for pair in pairs)
    return False


def _paths(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(path, list) and all(isinstance(zone, int) for zone in path) for path in value
    )


def _ends(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(end, list) and list(map(type, end)) == [int, str] for end in value
    )


def _branch(value: Any) -> bool:
    match value:
        case {"path": [_, *_] as path, "side": side}:
            return _paths([path]) and side in ("", *Side)
    return False


def steps(paths: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbouring zones that paths join, the lower number first, each once."""
    pairs = ((min(pair), max(pair)) for path in paths for pair in pairwise(path))
    return tuple(sorted(set(pairs)))

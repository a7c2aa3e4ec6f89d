"""The judge on what is drawn for columns (CC-O01..CC-O07), and the squares measured anew (CC-G02, CC-G06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

import shapely
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.judged import JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.judge.courses import edge_of
from printkit.terrain.field.battlefield import Edge, Overlay

# --- The squares as the judge measures them anew, on every edge and from every shore (CC-G02, CC-G06) -----------------

_EDGES: Final = (Edge.NEAR, Edge.FAR, Edge.LEFT, Edge.RIGHT)


def squares_of(case: Dba3Case) -> Iterator[tuple[str, Polygon]]:
    """Yield the squares by name, measured anew: from each edge, and from the shore where one lies along it (CC-G06)."""
    deep = float(case.settings["cc-q01"]) * case.base
    shores = {edge_of(case, water): water for water in case.of_type(Terrain.WATERWAY)}
    for edge in _EDGES:
        if edge not in shores or case.settings["cc-q02"] != "shore":
            yield Sentence("the {edge} edge square", edge=edge), _square(case, edge, 0.0, deep)
        if edge in shores and case.settings["cc-q02"] != "edge":
            yield (
                Sentence("the {edge} shore square", edge=edge),
                _square(case, edge, _shore_depth(case, shores[edge], edge), deep),
            )


def _square(case: Dba3Case, edge: Edge, out: float, deep: float) -> Polygon:
    side = case.bw("edge_square_bw")
    wide, high = case.board.width, case.board.depth
    low_x, low_y = wide / 2 - side / 2, high / 2 - side / 2
    match edge:
        case Edge.NEAR:
            return box(low_x, out, low_x + side, out + deep)
        case Edge.FAR:
            return box(low_x, high - out - deep, low_x + side, high - out)
        case Edge.LEFT:
            return box(out, low_y, out + deep, low_y + side)
        case Edge.RIGHT:
            return box(wide - out - deep, low_y, wide - out, low_y + side)


def _shore_depth(case: Dba3Case, water: JudgedPiece, edge: Edge) -> float:
    wide, high = case.board.width, case.board.depth
    upright = edge in (Edge.NEAR, Edge.FAR)
    line = [(wide / 2, 0), (wide / 2, high)] if upright else [(0, high / 2), (wide, high / 2)]
    return float(shapely.LineString(line).intersection(water.ground).length)


_NEAR: Final = 0.5
"""Millimetres within which something drawn lies where it should."""


def seen(case: Dba3Case, overlay: Overlay) -> tuple[float, float, float, float]:
    """Return the extent of an overlay as its side sees it: from, to along its edge, then from, to away from it."""
    edge, wide = _edge(case, overlay), case.board.width
    left, low, right, high = (float(value) for value in overlay.shape.bounds)
    match edge:
        case Edge.NEAR:
            return left, right, low, high
        case Edge.FAR:
            return wide - right, wide - left, wide - high, wide - low
        case Edge.LEFT:
            return wide - high, wide - low, left, right
        case Edge.RIGHT:
            return low, high, wide - right, wide - left


def base_lines(case: Dba3Case) -> Faults:
    """CC-O01, CC-2.9: the edge of the board, or the shore of a waterway along it."""
    for overlay in _of(case, "base-line"):
        line = _shore(case, _edge(case, overlay)) or case.board.edge(_edge(case, overlay))
        if overlay.shape.hausdorff_distance(line) > _NEAR:
            yield Sentence("the base line of {side} lies elsewhere", side=overlay.side)


def centre_line(case: Dba3Case) -> Faults:
    """CC-O02: through the middle of the defender's edge, across the board."""
    for overlay in _of(case, "centre-line"):
        middle = case.board.width / 2
        upright = Edge(case.detail("deployment", "defender_edge")) in (Edge.NEAR, Edge.FAR)
        wanted = [(middle, 0), (middle, 2 * middle)] if upright else [(0, middle), (2 * middle, middle)]
        if overlay.shape.hausdorff_distance(shapely.LineString(wanted)) > _NEAR:
            yield Sentence("the centre line lies elsewhere")


def columns(label: str, number: str, case: Dba3Case) -> Faults:
    """CC-O03, CC-O04: two base widths either side of the centre line, so deep from the base line."""
    for overlay in _of(case, "column"):
        if overlay.label != label:
            continue
        low, high, out, deep = seen(case, overlay)
        start = _depth(case, _edge(case, overlay))
        middle, aside = case.board.width / 2, case.bw("column_box_bw_aside")
        wanted = (middle - aside, middle + aside, start, start + case.bw(number))
        if max(abs(one - other) for one, other in zip((low, high, out, deep), wanted, strict=True)) > _NEAR:
            yield Sentence("column {label} of {side} lies elsewhere", label=label, side=overlay.side)


def entry(case: Dba3Case) -> Faults:
    """CC-O05: on the base line, so far from the sides."""
    reading = case.settings["cc-q16"]
    usual = 0.0 if reading == "none" else case.bw("zone_side_bw")
    for kind, margin in (("entry", usual), ("entry-fast", case.bw("zone_side_bw_fast"))):
        for overlay in _of(case, kind, needed=kind == "entry"):
            low, high, _, _ = seen(case, overlay)
            if max(abs(low - margin), abs(case.board.width - high - margin)) > _NEAR:
                yield Sentence(
                    "the entry stretch of {side} runs from {low:.2f} to {high:.2f}",
                    side=overlay.side,
                    low=low / case.base,
                    high=high / case.base,
                )
            line = _shore(case, _edge(case, overlay)) or case.board.edge(_edge(case, overlay))
            if not line.buffer(_NEAR).covers(overlay.shape):
                yield Sentence("the entry stretch of {side} leaves the base line", side=overlay.side)


def landing(case: Dba3Case) -> Faults:
    """CC-O06: the whole shore, and only where there is one."""
    drawn = _of(case, "landing", needed=False)
    shores = [_shore(case, edge_of(case, water)) for water in case.of_type(Terrain.WATERWAY)]
    for overlay in drawn:
        if not any(shore is not None and overlay.shape.hausdorff_distance(shore) <= _NEAR for shore in shores):
            yield Sentence("the landing shore of {side} is no shore", side=overlay.side)
    home = case.settings["landing"] if case.settings["landing"] != "auto" else case.home
    if shores and not drawn and home in ("littoral", "defender", "invader", "both"):
        yield Sentence("no landing shore is drawn")


def squares(case: Dba3Case) -> Faults:
    """CC-O07: every square is drawn, those of the edges labelled."""
    drawn = _of(case, "keep-clear")
    for name, ground in squares_of(case):
        found = [each for each in drawn if each.shape.symmetric_difference(ground).area <= _NEAR * case.base]
        if not found:
            yield Sentence("{name} is not drawn", name=name)
        elif "edge" in name and not any(each.label for each in found):
            yield Sentence("{name} has no label", name=name)


def _of(case: Dba3Case, kind: str, *, needed: bool = True) -> list[Overlay]:
    found = [overlay for overlay in case.record.battlefield.overlays if overlay.kind == kind]
    if needed and not found:
        raise UnseenError("the record draws no {kind}", kind=kind)
    return found


def _edge(case: Dba3Case, overlay: Overlay) -> Edge:
    """Return the base edge of the side of an overlay."""
    for who in ("defender", "invader"):
        if case.detail("deployment", who) == overlay.side:
            return Edge(case.detail("deployment", f"{who}_edge"))
    raise UnseenError("the record tells of no side {side!r}", side=overlay.side)


def _shores(case: Dba3Case) -> Iterator[tuple[Edge, BaseGeometry]]:
    for water in case.of_type(Terrain.WATERWAY):
        yield edge_of(case, water), water.ground


def _shore(case: Dba3Case, edge: Edge) -> BaseGeometry | None:
    """Return the shore of the waterway along an edge."""
    for along, ground in _shores(case):
        if along is edge:
            return shapely.line_merge(
                shapely.multilinestrings(
                    list(shapely.get_parts(shapely.difference(ground.boundary, case.board.shape.exterior.buffer(0.05))))
                )
            )
    return None


def _depth(case: Dba3Case, edge: Edge) -> float:
    """Return the mm of water along the centre line from an edge."""
    middle, whole = case.board.width / 2, case.board.depth
    upright = edge in (Edge.NEAR, Edge.FAR)
    line = shapely.LineString([(middle, 0), (middle, whole)] if upright else [(0, middle), (whole, middle)])
    return sum(float(line.intersection(ground).length) for along, ground in _shores(case) if along is edge)


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "CC-2.9": base_lines,
    "CC-O01": base_lines,
    "CC-O02": centre_line,
    "CC-O03": partial(columns, "1", "column_box_bw_deep"),
    "CC-O04": partial(columns, "2", "column_strip_bw_deep"),
    "CC-O05": entry,
    "CC-O06": landing,
    "CC-O07": squares,
}

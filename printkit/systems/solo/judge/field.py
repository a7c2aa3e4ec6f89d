"""The judge on area terrain: quarters, gaps, sizes, the corner of a town, sectors, the edge of a waterway."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import combinations, pairwise
from typing import Final

import shapely
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.dba.ground.judged import SLACK, JudgedPiece
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.judge.case import Case, Check, held
from printkit.terrain.field.battlefield import Edge

_SHARE_SLACK: Final = 2e-4

_PLACING: Final = ("waterway", "bua", "river")
_LAST: Final = "road"


def known_terrain(case: Case) -> Faults:
    """SD-3-a: everything on the board is terrain of these rules."""
    for name in case.strange:
        yield Sentence("{name} is no terrain of DBA", name=name)


def legal(case: Case) -> Faults:
    """SD-3.3-b: what the rule book of DBA asks of any field (F-06)."""
    case.laid_out()
    yield from _quarters(case)
    yield from _gaps(case)
    yield from _sizes(case)
    yield from _waterway(case)
    for hill in case.of_type(Terrain.STEEP_HILL, Terrain.GENTLE_HILL):
        for river in case.of_type(Terrain.RIVER):
            if river.line.intersection(hill.shape).length > SLACK:
                yield Sentence("{river} crosses the hill {hill}", river=river.id, hill=hill.id)
    for piece in case.areas:
        if not case.board.shape.buffer(SLACK).covers(piece.shape):
            yield Sentence("{piece} lies partly off the board", piece=piece.id)


def caps(case: Case) -> Faults:
    """SD-3.2.3-a, AMB-12: no more of a type than a field holds."""
    for terrain, count in Counter(piece.terrain for piece in case.pieces).items():
        most = case.row(terrain)["most"]
        if count > most and case.on("cap_counts_compulsory"):
            yield Sentence(
                "{count} pieces of {terrain}; a field holds {most}", count=count, terrain=terrain.value, most=most
            )


def cover(case: Case) -> Faults:
    """SD-3.2.3-c: there is bad going, a waterway or a river."""
    case.laid_out()
    if not any(case.is_cover(piece.terrain) for piece in case.pieces):
        yield Sentence("no piece is bad going, a waterway or a river")


def in_order(case: Case) -> Faults:
    """SD-3.3-c: waterway, built-up area, river, other areas, roads."""
    turn = [(_turn(name), name) for name in case.thrown]
    for (before, one), (after, other) in pairwise(turn):
        if after < before:
            yield Sentence("{other} is thrown for after {one}", other=other, one=one)


def in_a_corner(case: Case) -> Faults:
    """SD-3.3.2-a: the whole of a town in a square of 900 paces in a corner."""
    for town in case.of_type(Terrain.BUA):
        if not any(_inside(town.shape, _corner(case, x, y)) for x in ("left", "right") for y in ("near", "far")):
            yield Sentence(
                "{town} is not wholly within {paces:g} paces of two edges",
                town=town.id,
                paces=case.number("bua_corner_p"),
            )


def half_in_its_sector(case: Case) -> Faults:
    """SD-3.3.4-b: at least half of a piece in the sector of its dice."""
    for piece in _diced(case):
        column = case.outcome(piece, "column", "sector_column")
        row = case.outcome(piece, "row", "sector_row")
        share = _share(piece, case.third(column).intersection(case.third(row)))
        if share < case.number("sector_share_min") - _SHARE_SLACK:
            yield Sentence(
                "{share:.2f} per cent of {piece} lie in the sector {column}, {row}",
                share=100 * share,
                piece=piece.id,
                column=column,
                row=row,
            )


def only_bad_going(case: Case) -> Faults:
    """SD-3.3.4-c: one piece of bad going alone lies across two quarters (AMB-18)."""
    bad = [piece for piece in case.areas if case.is_bad(piece.terrain)]
    if len(bad) != 1 or bad[0].terrain is Terrain.BUA:  # a town keeps to its corner, whatever its going
        return
    if case.settings["straddle"] == "if_needed" and case.of_type(Terrain.RIVER, Terrain.WATERWAY):
        return
    if sum(held(bad[0].shape, quarter, case) for quarter in case.quarters()) < 2:
        yield Sentence("{element} is the only bad going and lies in one quarter", element=bad[0].id)


def _row_of_edge(edge: Edge, case: Case) -> Faults:
    for water in case.of_type(Terrain.WATERWAY):
        if case.outcome(water, "place", "waterway") == edge.value and not _along(case, water, edge):
            yield Sentence(
                "the die puts {water} along the {edge} edge, where it is not", water=water.id, edge=edge.value
            )


def _row_of_corner(name: str, case: Case) -> Faults:
    y, x = name.split("-")
    for town in case.of_type(Terrain.BUA):
        if case.outcome(town, "place", "bua") == name and not _inside(town.shape, _corner(case, x, y)):
            yield Sentence("the die puts {town} into the {y} {x} corner, where it is not", town=town.id, y=y, x=x)


def _row_of_third(name: str, case: Case) -> Faults:
    what = "column" if name in ("left", "centre", "right") else "row"
    for piece in _diced(case):
        if case.outcome(piece, what, f"sector_{what}") == name:
            share = _share(piece, case.third(name))
            if share < case.number("sector_share_min") - _SHARE_SLACK:
                yield Sentence(
                    "{share:.2f} per cent of {piece} lie in the {name} {what}",
                    share=100 * share,
                    piece=piece.id,
                    name=name,
                    what=what,
                )


def _quarters(case: Case) -> Faults:
    features = sum(any(held(piece.shape, quarter, case) for piece in case.pieces) for quarter in case.quarters())
    if features < case.number("quarters_with_features_min"):
        yield Sentence("{features} quarters hold a feature; three at least", features=features)
    some = [piece for piece in case.pieces if case.is_cover(piece.terrain)]
    covered = sum(any(held(piece.shape, quarter, case) for piece in some) for quarter in case.quarters())
    if covered < case.number("quarters_with_cover_min"):
        yield Sentence("{covered} quarters hold a river, a waterway or bad going; two at least", covered=covered)


def _gaps(case: Case) -> Faults:
    least = case.number("area_gap_bw_min") * case.base
    for one, other in combinations((*case.of_type(Terrain.WATERWAY), *case.areas), 2):
        gap = one.shape.distance(other.shape)
        if gap < least - SLACK:
            yield Sentence(
                "{one} and {other} are {gap:.1f} mm apart; {least:g} mm at least",
                one=one.id,
                other=other.id,
                gap=gap,
                least=least,
            )


def _sizes(case: Case) -> Faults:
    most, least = case.number("area_sides_bw_max"), case.number("area_sides_bw_min")
    for piece in case.areas:
        length, width = (side / case.base for side in _sides(piece.shape))
        ratio = case.row(piece.terrain).get("ratio")
        if length + width > most + SLACK / case.base:
            yield Sentence(
                "{piece} is {length:.2f} + {width:.2f} base widths; {most:g} together at most",
                piece=piece.id,
                length=length,
                width=width,
                most=most,
            )
        if width < least - SLACK / case.base:
            yield Sentence(
                "{piece} is {width:.2f} base widths wide; {least:g} at least", piece=piece.id, width=width, least=least
            )
        if ratio is not None and length > ratio * width + SLACK / case.base:
            yield Sentence(
                "{piece} is {ratio:.2f} times as long as wide; {most:g} times at most",
                piece=piece.id,
                ratio=length / width,
                most=ratio,
            )


def _waterway(case: Case) -> Faults:
    deepest = case.number("waterway_depth_bw_max") * case.base
    for water in case.of_type(Terrain.WATERWAY):
        edges = [edge for edge in Edge if _along(case, water, edge)]
        if len(edges) != 1:
            yield Sentence("{water} does not lie along one whole edge", water=water.id)
            continue
        strip = case.board.edge(edges[0]).buffer(deepest + SLACK, cap_style="flat")
        if not strip.buffer(SLACK).covers(water.shape.intersection(case.board.shape)):
            yield Sentence("{water} reaches more than {deepest:g} mm from its edge", water=water.id, deepest=deepest)


def _along(case: Case, water: JudgedPiece, edge: Edge) -> bool:
    return bool(case.board.edge(edge).difference(water.shape.buffer(SLACK)).length < 1.0)


def _diced(case: Case) -> list[JudgedPiece]:
    """Return the pieces that have a sector by dice.

    Raises:
        UnseenError: there is no log.
    """
    found = [piece for piece in case.areas if piece.terrain is not Terrain.BUA]
    for piece in found:
        if piece.id not in case.thrown:
            raise UnseenError("the log has no dice for {piece}", piece=piece.id)
    return found


def _corner(case: Case, x: str, y: str) -> Polygon:
    side, width, depth = case.paces("bua_corner_p"), case.board.width, case.board.depth
    left, low = (width - side if x == "right" else 0.0), (depth - side if y == "far" else 0.0)
    return box(left, low, left + side, low + side)


def _inside(shape: BaseGeometry, region: Polygon) -> bool:
    return bool(region.buffer(SLACK, join_style="mitre").covers(shape))


def _share(piece: JudgedPiece, region: BaseGeometry) -> float:
    return float(piece.shape.intersection(region).area / piece.shape.area)


def _sides(shape: BaseGeometry) -> tuple[float, float]:
    corners = shapely.get_coordinates(shapely.oriented_envelope(shape))
    first, second = (math.dist(start, end) for start, end in pairwise(corners[:3]))
    return max(first, second), min(first, second)


def _turn(name: str) -> int:
    sort = name.rstrip("0123456789").rstrip("-")
    if sort == _LAST:
        return len(_PLACING) + 1
    return _PLACING.index(sort) if sort in _PLACING else len(_PLACING)


CHECKS: Final[Mapping[str, Check]] = {
    "SD-3-a": known_terrain,
    "SD-3.3-b": legal,
    "SD-3.3-c": in_order,
    "SD-3.3.1-r1": partial(_row_of_edge, Edge.RIGHT),
    "SD-3.3.1-r2": partial(_row_of_edge, Edge.LEFT),
    "SD-3.3.1-r3": partial(_row_of_edge, Edge.FAR),
    "SD-3.3.1-r4": partial(_row_of_edge, Edge.NEAR),
    "SD-3.3.2-a": in_a_corner,
    "SD-3.3.2-r1": partial(_row_of_corner, "near-right"),
    "SD-3.3.2-r2": partial(_row_of_corner, "near-left"),
    "SD-3.3.2-r3": partial(_row_of_corner, "far-right"),
    "SD-3.3.2-r4": partial(_row_of_corner, "far-left"),
    **{
        f"SD-3.3.4-r{number}": partial(_row_of_third, name)
        for number, name in enumerate(("left", "centre", "right", "near", "middle", "far"), 1)
    },
    "SD-3.3.4-b": half_in_its_sector,
    "SD-3.3.4-c": only_bad_going,
    "AMB-12": caps,
    "AMB-14": cover,
}

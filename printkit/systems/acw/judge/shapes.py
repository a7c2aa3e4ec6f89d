"""Judges the pieces one by one: what makes each the piece that it is (AC-F01..AC-F38)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.judge.case import AbsentError, Case, Check, Seen, both
from printkit.systems.acw.judge.room import SLACK, is_piece
from printkit.systems.acw.judge.zones import laid_places
from printkit.systems.acw.terms.pieces import BEND_OVER, Piece
from printkit.terrain.field.features import Area, Hill, HillFace, Kind
from printkit.terrain.geometry.measure import bend_radius

_OFF: Final = 1.0
_UPPER: Final = (0.28, 0.52)
_CLIFF: Final = (0.25, 0.40)
_SECTOR: Final = 90.0
_RIDGE: Final = 2.3
"""What is left of the 2.5 of a ridge once its ends are rounded."""

_FOREST: Final = 0.15
_BAY: Final = 0.97
_CORNERS: Final = (5, 8)
_EASE: Final = 0.02
"""The share of its radius that a bend of a railroad may lack: its line is drawn in short straight pieces."""

_LAPPED: Final = 0.02


def steep(case: Case) -> Faults:
    """AC-F01, AC-F08: a second contour of 30 to 50 % of the area lies inside."""
    for one in case.laid.of(Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF):
        contours = one.feature.contours if isinstance(one.feature, Hill) else ()
        if len(contours) != 2:
            yield Sentence("{one} has {count} contours; a steep hill has two", one=one.id, count=len(contours))
            continue
        share = contours[1].area / contours[0].area
        if not _UPPER[0] <= share <= _UPPER[1] or not contours[0].contains(contours[1]):
            yield Sentence(
                "{one}: the upper contour takes {share:.0%} of the hill; it lies inside and takes 30 to 50 %",
                one=one.id,
                share=share,
            )


def hachured(case: Case) -> Faults:
    """AC-F01: a steep hill is steep all round."""
    for one in case.laid.of(Piece.STEEP_HILL):
        found = sum(face.line.length for face in one.faces if face.kind is Kind.STEEP_SLOPE)
        if found < 0.9 * one.shape.exterior.length:
            yield Sentence(
                "{one} is steep on {share:.0%} of its side; it is so all round",
                one=one.id,
                share=found / one.shape.exterior.length,
            )


def gentle(*pieces: Piece) -> Check:
    """Return the check that hills of these pieces have one contour."""

    def check(case: Case) -> Faults:
        for one in case.laid.of(*pieces):
            if isinstance(one.feature, Hill) and len(one.feature.contours) != 1:
                yield Sentence(
                    "{one} has {count} contours; a {piece} has one",
                    one=one.id,
                    count=len(one.feature.contours),
                    piece=one.piece.value,
                )
            if one.faces and one.piece in (Piece.HILL, Piece.RISE):
                yield Sentence(
                    "{one} has a {kind}; a {piece} has none", one=one.id, kind=one.faces[0].kind, piece=one.piece.value
                )

    return check


def cliff(case: Case, piece: Piece) -> Faults:
    """AC-F06, AC-F08: a cliff that nothing passes takes 25 to 40 % of the outline."""
    for one in case.laid.of(piece):
        cliffs = [face for face in one.faces if face.kind is Kind.CLIFF]
        if len(cliffs) != 1:
            yield Sentence("{one} has {count} cliffs; it has one", one=one.id, count=len(cliffs))
            continue
        share = cliffs[0].line.length / one.shape.exterior.length
        if not _CLIFF[0] <= share <= _CLIFF[1]:
            yield Sentence(
                "{one}: the cliff takes {share:.0%} of the outline; 25 to 40 % are allowed", one=one.id, share=share
            )
        yield from _on_outline(one, cliffs[0])
        if cliffs[0].going.name not in ("", "impassable"):
            yield Sentence(
                "{one}: its cliff is {going} going; a cliff is impassable", one=one.id, going=cliffs[0].going.name
            )


def apron(case: Case) -> Faults:
    """AC-F07: the scree takes a sector of 90 degrees, and is difficult going."""
    for one in case.laid.of(Piece.HILL_SCREE):
        aprons = [face for face in one.faces if face.kind is Kind.SCREE]
        if len(aprons) != 1:
            yield Sentence("{one} has {count} aprons of scree; it has one", one=one.id, count=len(aprons))
            continue
        middle, coords = one.shape.centroid, aprons[0].line.coords
        bearings = [math.atan2(y - middle.y, x - middle.x) for x, y in (coords[0], coords[-1])]
        turn = math.degrees(abs(math.remainder(bearings[1] - bearings[0], math.tau)))
        if abs(turn - _SECTOR) > 8:
            yield Sentence("{one}: its scree takes {turn:.0f} degrees; it takes 90", one=one.id, turn=turn)
        yield from _on_outline(one, aprons[0])
        if aprons[0].going.name not in ("", "difficult"):
            yield Sentence("{one}: its scree is {going} going; it is difficult", one=one.id, going=aprons[0].going.name)


def _on_outline(one: Seen, face: HillFace) -> Faults:
    off = max(one.shape.exterior.distance(Point(at)) for at in face.line.coords)
    if off > _OFF:
        yield Sentence("{one}: its {kind} lies {off:.0f} mm off its outline", one=one.id, kind=face.kind, off=off)


def ridge(case: Case) -> Faults:
    """AC-F04: a long hill is 2.5 times as long as wide."""
    for one in case.laid.of(Piece.LONG_HILL):
        corners = shapely.get_coordinates(one.shape.minimum_rotated_rectangle)
        lengths = sorted(math.dist(corners[place], corners[place + 1]) for place in (0, 1))
        if lengths[1] < _RIDGE * lengths[0]:
            yield Sentence(
                "{one} is {other:.0f} x {length:.0f} mm; a ridge is 2.5 times as long as wide",
                one=one.id,
                other=lengths[1],
                length=lengths[0],
            )


def bay(case: Case) -> Faults:
    """AC-F10: a woodland has an open bay."""
    for one in case.laid.of(Piece.WOODLAND):
        whole = Polygon(one.shape.exterior)
        if whole.area > _BAY * whole.convex_hull.area:
            yield Sentence("{one} has no bay in its side", one=one.id)


def forest(case: Case) -> Faults:
    """AC-F11: a forest takes most of its zone, but for what lies there already."""
    for one in case.laid.of(Piece.FOREST):
        share = Polygon(one.shape.exterior).area / case.laid.unit(one.zone) ** 2
        if share < _FOREST:
            yield Sentence(
                "{one} takes {share:.0%} of the square of its zone; at least {forest:.0%}",
                one=one.id,
                share=share,
                forest=_FOREST,
            )


def four_sides(case: Case) -> Faults:
    """AC-F14: a field has four sides."""
    for one in case.laid.of(Piece.FIELD):
        count = len(one.shape.simplify(_OFF).exterior.coords) - 1
        if count != 4:
            yield Sentence("{one} has {count} sides; a field has four", one=one.id, count=count)


def corners(case: Case) -> Faults:
    """AC-F36: a fort has five to eight corners."""
    for one in case.laid.of(Piece.FORT):
        count = len(one.shape.exterior.coords) - 1
        if not _CORNERS[0] <= count <= _CORNERS[1]:
            yield Sentence("{one} has {count} corners; a fort has five to eight", one=one.id, count=count)


def pieces_of_line(piece: Piece, most: int, case: Case) -> Faults:
    """A work runs in a few straight pieces (AC-F15..AC-F17)."""
    for one in case.laid.of(piece):
        count = len(one.line.simplify(_OFF).coords) - 1
        if count > most:
            yield Sentence(
                "{one} has {count} straight pieces; a {piece} has at most {most}",
                one=one.id,
                count=count,
                piece=piece.value,
                most=most,
            )


def band(piece: Piece, case: Case) -> Faults:
    """Water along an edge: along the whole of it, and as deep as it may be (AC-F37, AC-F38)."""
    ground, measure = case.laid, case.laid.measure(piece)
    found = list(ground.of(piece))
    if not found or ground.water_edge is None:
        raise AbsentError("no {piece} lies on the table", piece=piece.value)
    if len(found) > 1:
        yield Sentence("{found} are both a {piece}", found=" and ".join(one.id for one in found), piece=piece.value)
    edge = ground.edge(ground.water_edge)
    along = found[0].shape.buffer(_OFF).intersection(edge).length
    if along < 0.98 * edge.length:
        yield Sentence(
            "{found} runs along {along:.0f} mm of its edge of {length:.0f} mm",
            found=found[0].id,
            along=along,
            length=edge.length,
        )
    deep, width = found[0].shape.area / edge.length, measure.width or 0.0
    low, high = (width * unit * by for unit, by in zip(ground.units, (measure.least, measure.most), strict=True))
    if not low * (1 - SLACK) <= deep <= high * (1 + SLACK):
        yield Sentence(
            "{found} is {deep:.0f} mm deep; {low:.0f} to {high:.0f} mm are allowed",
            found=found[0].id,
            deep=deep,
            low=low,
            high=high,
        )
    wet = found[0].shape.intersection(ground.playing_area).area / found[0].shape.area
    if case.rules.choice("ac-q24") == "outside" and wet > _LAPPED:
        yield Sentence("{found} takes ground of the table; it lies beyond its edge", found=found[0].id)
    elif case.rules.choice("ac-q24") != "outside" and wet < 1 - _LAPPED:
        yield Sentence("{found} lies beyond the table; it takes ground of its edge zones", found=found[0].id)
    if isinstance(found[0].feature, Area) and found[0].feature.going.name not in ("", measure.going.name):
        yield Sentence(
            "{found} is {going_name} going; it is {wanted}",
            found=found[0].id,
            going_name=found[0].feature.going.name,
            wanted=measure.going.name,
        )


def campaign(piece: Piece, *more: Check) -> Check:
    """Return the check of a place of the campaign, which lies in its zone and is never left out (AC-302)."""

    def check(case: Case) -> Faults:
        lost = list(laid_places(case, piece))
        yield from lost or both(is_piece(piece), *more)(case)

    return check


def curves(case: Case) -> Faults:
    """AC-F26: a railroad bends with a radius of 0.4 of the unit at least."""
    unit = case.laid.units[0]
    least = case.rules.number("rail_radius") * unit
    for one in case.laid.of(Piece.RAILROAD):
        radius = bend_radius(one.line, BEND_OVER * unit)
        if radius < least * (1 - _EASE):
            yield Sentence(
                "{one} bends by a radius of {radius:.0f} mm; at least {least:.0f}",
                one=one.id,
                radius=radius,
                least=least,
            )


def winding(piece: Piece, case: Case) -> Faults:
    """Streams of a piece wind (AC-F18, AC-F19)."""
    for one in case.laid.of(piece):
        if one.line.length > 0.7 * case.laid.units[1] and _sway(one.line) < 0.01 * one.line.length:
            yield Sentence(
                "{one} runs straight for {length:.0f} mm; a {piece} winds",
                one=one.id,
                length=one.line.length,
                piece=piece.value,
            )


def _sway(line: LineString) -> float:
    """Return how far a line leaves the chord between its ends in mm."""
    chord = LineString([line.coords[0], line.coords[-1]])
    return float(np.max(shapely.distance(chord, shapely.points(shapely.get_coordinates(line)))))


_SIMPLE: Final = {
    "AC-F09": Piece.WOOD,
    "AC-F12": Piece.SCRUB,
    "AC-F13": Piece.CLEARING,
    "AC-F20": Piece.RAVINE,
    "AC-F21": Piece.POOL,
    "AC-F22": Piece.SWAMP,
    "AC-F23": Piece.SAND_DUNES,
    "AC-F24": Piece.ROCKS,
    "AC-F25": Piece.SCREE,
    "AC-F27": Piece.FENCED_ROAD,
    "AC-F28": Piece.UNFENCED_ROAD,
    "AC-F29": Piece.ROAD,
    "AC-F30": Piece.SUNKEN_LANE,
    "AC-F31": Piece.TRACK,
    "AC-F32": Piece.SETTLEMENT,
    "AC-F33": Piece.FARM,
    "AC-F34": Piece.BUILDING,
}

CHECKS: Final[Mapping[str, Check]] = {
    "AC-F01": both(is_piece(Piece.STEEP_HILL), steep, hachured),
    "AC-F02": both(is_piece(Piece.HILL), gentle(Piece.HILL)),
    "AC-F03": both(is_piece(Piece.RISE), gentle(Piece.RISE)),
    "AC-F04": both(is_piece(Piece.LONG_HILL), ridge),
    "AC-F05": is_piece(Piece.SPUR),
    "AC-F06": both(is_piece(Piece.HILL_CLIFF), gentle(Piece.HILL_CLIFF), lambda case: cliff(case, Piece.HILL_CLIFF)),
    "AC-F07": both(is_piece(Piece.HILL_SCREE), gentle(Piece.HILL_SCREE), apron),
    "AC-F08": both(is_piece(Piece.STEEP_HILL_CLIFF), steep, lambda case: cliff(case, Piece.STEEP_HILL_CLIFF)),
    "AC-F10": both(is_piece(Piece.WOODLAND), bay),
    "AC-F11": both(is_piece(Piece.FOREST), forest),
    "AC-F14": both(is_piece(Piece.FIELD), four_sides),
    "AC-F15": both(is_piece(Piece.WALL), partial(pieces_of_line, Piece.WALL, 3)),
    "AC-F16": both(is_piece(Piece.FENCE_LINE), partial(pieces_of_line, Piece.FENCE_LINE, 4)),
    "AC-F17": both(is_piece(Piece.DITCH), partial(pieces_of_line, Piece.DITCH, 3)),
    "AC-F18": both(is_piece(Piece.STREAM), partial(winding, Piece.STREAM)),
    "AC-F19": both(is_piece(Piece.CREEK), partial(winding, Piece.CREEK)),
    "AC-F26": both(is_piece(Piece.RAILROAD), curves),
    "AC-F35": campaign(Piece.TOWN),
    "AC-F36": campaign(Piece.FORT, corners),
    "AC-F37": partial(band, Piece.RIVER),
    "AC-F38": partial(band, Piece.SEA),
    **{clause: is_piece(piece) for clause, piece in _SIMPLE.items()},
}
"""What of single pieces a record can be seen to break."""

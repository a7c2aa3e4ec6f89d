"""Judges the pieces one by one: kind, going, size, and what makes each the piece that it is (AC-F01..AC-F38)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon

from printkit.rules.acw.judge_case import AbsentError, Case, Check, both
from printkit.rules.acw.judge_ground import FIELDS, Ground, Seen, box_of
from printkit.rules.acw.pieces import Piece
from printkit.rules.judging import Faults
from printkit.terrain.features import Area, Course, Face, Hill, Kind
from printkit.terrain.measure import sharpest_bend

_SLACK: Final = 0.07
"""How far a size may be off, as a share of it: outlines are drawn within the box of their size, not against it."""

_OFF: Final = 1.0
_UPPER: Final = (0.28, 0.52)
_CLIFF: Final = (0.25, 0.40)
_SECTOR: Final = 90.0
_RIDGE: Final = 2.3
"""What is left of the 2.5 of a ridge once its ends are rounded."""

_FOREST: Final = 0.15
_BAY: Final = 0.97
_CORNERS: Final = (5, 8)
_RADIUS: Final = 0.4
_GROWS: Final = (Piece.FOREST, Piece.SWAMP, Piece.SPUR, Piece.CLEARING)
"""Pieces that grow about others, or are joined to them: of these only what is too large shows."""

_TWICE: Final = math.sqrt(1.75)


def is_piece(*pieces: Piece) -> Check:
    """Return the check of kind, going and size of pieces."""

    def check(case: Case) -> Faults:
        found = list(case.ground.of(*pieces))
        if not found:
            raise AbsentError("no {piece} lies on the table", piece=pieces[0].value)
        for one in found:
            measure = case.ground.measure(one.piece)
            kinds = FIELDS if one.piece is Piece.FIELD else (measure.kind,)
            if one.feature.kind not in kinds:
                yield f"{one.id} is a {one.feature.kind}; a {one.piece.value} was rolled"
            going = case.ground.measure(Piece.WOOD).going if one.belt else measure.going
            if one.feature.going.name not in ("", going.name):
                yield f"{one.id} is {one.feature.going.name} going; a {one.piece.value} is {going.name}"
            yield from _size(case, one)

    return check


def _size(case: Case, one: Seen) -> Faults:
    fault = misfit(case.ground, one, case.rolled_twice(one.zone, one.piece))
    if fault:
        yield fault


def misfit(ground: Ground, one: Seen, twice: bool = False, *, only_small: bool = False) -> str:
    """Return how the size of a piece is not one that it may have; an empty text where it is."""
    measure, feature = ground.measure(one.piece), one.feature
    if isinstance(feature, Course):
        return _course_misfit(ground, one, only_small=only_small)
    if measure.long is None or measure.short is None or one.belt:
        return ""
    unit = ground.unit(one.zone) * (_TWICE if twice and one.piece is Piece.SWAMP else 1.0)
    floor = 0.0 if one.piece in _GROWS else measure.least * (1 - _SLACK)
    top = math.inf if only_small else measure.most * (1 + _SLACK)
    spread = {zone for zone, box in ground.boxes.items() if box.intersection(feature.outline).area > 1.0}
    if one.piece in (Piece.SWAMP, Piece.SPUR) and len(spread) > 1:
        return ""
    ranges = [(length * unit * floor, length * unit * top) for length in (measure.long, measure.short)]
    wide, deep, off = box_of(feature.outline, ranges[0], ranges[1])
    if off <= _OFF:
        return ""
    (low, high), (shallow, most) = ranges
    room = f"at least {low:.0f} x {shallow:.0f}" if only_small else f"{low:.0f}-{high:.0f} x {shallow:.0f}-{most:.0f}"
    return f"{one.id} is {wide:.0f} x {deep:.0f} mm; a {one.piece.value} has {room}"


def _course_misfit(ground: Ground, one: Seen, *, only_small: bool) -> str:
    measure, feature = ground.measure(one.piece), one.feature
    assert isinstance(feature, Course)
    least, most = ground.units
    width = measure.width if measure.width is not None else measure.short
    if width is not None and not only_small:
        low, high = width * least * (1 - _SLACK), width * most * (1 + _SLACK)
        if not low - 0.1 <= feature.width <= high + 0.1:
            return f"{one.id} is {feature.width:.1f} mm wide; a {one.piece.value} has {low:.1f} to {high:.1f} mm"
    if measure.long is None:
        return ""
    unit, length = ground.unit(one.zone), feature.line.length
    low = measure.long * measure.least * unit * (1 - _SLACK)
    high = math.inf if only_small else measure.long * measure.most * unit * (1 + _SLACK)
    # A ravine is a stretch of its stream where that is shorter.
    if low - _OFF <= length <= high + _OFF:
        return ""
    return f"{one.id} is {length:.0f} mm long; a {one.piece.value} has {low:.0f} to {high:.0f} mm"


def steep(case: Case) -> Faults:
    """AC-F01, AC-F08: a second contour of 30 to 50 % of the area lies inside."""
    for one in case.ground.of(Piece.STEEP_HILL, Piece.STEEP_HILL_CLIFF):
        contours = one.feature.contours if isinstance(one.feature, Hill) else ()
        if len(contours) != 2:
            yield f"{one.id} has {len(contours)} contours; a steep hill has two"
            continue
        share = contours[1].area / contours[0].area
        if not _UPPER[0] <= share <= _UPPER[1] or not contours[0].contains(contours[1]):
            yield f"{one.id}: the upper contour takes {share:.0%} of the hill; it lies inside and takes 30 to 50 %"


def hachured(case: Case) -> Faults:
    """AC-F01: a steep hill is steep all round."""
    for one in case.ground.of(Piece.STEEP_HILL):
        found = sum(face.line.length for face in one.faces if face.kind is Kind.STEEP_SLOPE)
        if found < 0.9 * one.shape.exterior.length:
            yield f"{one.id} is steep on {found / one.shape.exterior.length:.0%} of its side; it is so all round"


def gentle(*pieces: Piece) -> Check:
    """Return the check that hills of these pieces have one contour."""

    def check(case: Case) -> Faults:
        for one in case.ground.of(*pieces):
            if isinstance(one.feature, Hill) and len(one.feature.contours) != 1:
                yield f"{one.id} has {len(one.feature.contours)} contours; a {one.piece.value} has one"
            if one.faces and one.piece in (Piece.HILL, Piece.RISE):
                yield f"{one.id} has a {one.faces[0].kind}; a {one.piece.value} has none"

    return check


def cliff(case: Case, piece: Piece) -> Faults:
    """AC-F06, AC-F08: a cliff that nothing passes takes 25 to 40 % of the outline."""
    for one in case.ground.of(piece):
        cliffs = [face for face in one.faces if face.kind is Kind.CLIFF]
        if len(cliffs) != 1:
            yield f"{one.id} has {len(cliffs)} cliffs; it has one"
            continue
        share = cliffs[0].line.length / one.shape.exterior.length
        if not _CLIFF[0] <= share <= _CLIFF[1]:
            yield f"{one.id}: the cliff takes {share:.0%} of the outline; 25 to 40 % are allowed"
        yield from _on_outline(one, cliffs[0])
        if cliffs[0].going.name not in ("", "impassable"):
            yield f"{one.id}: its cliff is {cliffs[0].going.name} going; a cliff is impassable"


def apron(case: Case) -> Faults:
    """AC-F07: the scree takes a sector of 90 degrees, and is difficult going."""
    for one in case.ground.of(Piece.HILL_SCREE):
        aprons = [face for face in one.faces if face.kind is Kind.SCREE]
        if len(aprons) != 1:
            yield f"{one.id} has {len(aprons)} aprons of scree; it has one"
            continue
        middle, coords = one.shape.centroid, aprons[0].line.coords
        bearings = [math.atan2(y - middle.y, x - middle.x) for x, y in (coords[0], coords[-1])]
        turn = math.degrees(abs(math.remainder(bearings[1] - bearings[0], math.tau)))
        if abs(turn - _SECTOR) > 8:
            yield f"{one.id}: its scree takes {turn:.0f} degrees; it takes 90"
        yield from _on_outline(one, aprons[0])
        if aprons[0].going.name not in ("", "difficult"):
            yield f"{one.id}: its scree is {aprons[0].going.name} going; it is difficult"


def _on_outline(one: Seen, face: Face) -> Faults:
    off = max(one.shape.exterior.distance(Point(at)) for at in face.line.coords)
    if off > _OFF:
        yield f"{one.id}: its {face.kind} lies {off:.0f} mm off its outline"


def ridge(case: Case) -> Faults:
    """AC-F04: a long hill is 2.5 times as long as wide."""
    for one in case.ground.of(Piece.LONG_HILL):
        corners = shapely.get_coordinates(one.shape.minimum_rotated_rectangle)
        lengths = sorted(math.dist(corners[place], corners[place + 1]) for place in (0, 1))
        if lengths[1] < _RIDGE * lengths[0]:
            yield f"{one.id} is {lengths[1]:.0f} x {lengths[0]:.0f} mm; a ridge is 2.5 times as long as wide"


def bay(case: Case) -> Faults:
    """AC-F10: a woodland has an open bay."""
    for one in case.ground.of(Piece.WOODLAND):
        whole = Polygon(one.shape.exterior)
        if whole.area > _BAY * whole.convex_hull.area:
            yield f"{one.id} has no bay in its side"


def forest(case: Case) -> Faults:
    """AC-F11: a forest takes most of its zone, but for what lies there already."""
    for one in case.ground.of(Piece.FOREST):
        share = Polygon(one.shape.exterior).area / case.ground.unit(one.zone) ** 2
        if share < _FOREST:
            yield f"{one.id} takes {share:.0%} of the square of its zone; at least {_FOREST:.0%}"


def four_sides(case: Case) -> Faults:
    """AC-F14: a field has four sides."""
    for one in case.ground.of(Piece.FIELD):
        count = len(one.shape.simplify(_OFF).exterior.coords) - 1
        if count != 4:
            yield f"{one.id} has {count} sides; a field has four"


def corners(case: Case) -> Faults:
    """AC-F36: a fort has five to eight corners."""
    for one in case.ground.of(Piece.FORT):
        count = len(one.shape.exterior.coords) - 1
        if not _CORNERS[0] <= count <= _CORNERS[1]:
            yield f"{one.id} has {count} corners; a fort has five to eight"


def pieces_of_line(piece: Piece, most: int) -> Check:
    """Return the check that a work runs in a few straight pieces (AC-F15..AC-F17)."""

    def check(case: Case) -> Faults:
        for one in case.ground.of(piece):
            count = len(one.line.simplify(_OFF).coords) - 1
            if count > most:
                yield f"{one.id} has {count} straight pieces; a {piece.value} has at most {most}"

    return check


def band(piece: Piece) -> Check:
    """Return the check of water along an edge: along the whole of it, and as deep as it may be (AC-F37, AC-F38)."""

    def check(case: Case) -> Faults:
        ground, measure = case.ground, case.ground.measure(piece)
        found = list(ground.of(piece))
        if not found or ground.water_edge is None:
            raise AbsentError("no {piece} lies on the table", piece=piece.value)
        if len(found) > 1:
            yield f"{' and '.join(one.id for one in found)} are both a {piece.value}"
        edge = ground.edge(ground.water_edge)
        along = found[0].shape.buffer(_OFF).intersection(edge).length
        if along < 0.98 * edge.length:
            yield f"{found[0].id} runs along {along:.0f} mm of its edge of {edge.length:.0f} mm"
        deep, width = found[0].shape.area / edge.length, measure.width or 0.0
        low, high = (width * unit * by for unit, by in zip(ground.units, (measure.least, measure.most), strict=True))
        if not low * (1 - _SLACK) <= deep <= high * (1 + _SLACK):
            yield f"{found[0].id} is {deep:.0f} mm deep; {low:.0f} to {high:.0f} mm are allowed"
        if isinstance(found[0].feature, Area) and found[0].feature.going.name not in ("", measure.going.name):
            yield f"{found[0].id} is {found[0].feature.going.name} going; it is {measure.going.name}"

    return check


def curves(case: Case) -> Faults:
    """AC-F26: a railroad bends with a radius of 0.4 of the unit at least."""
    over = 0.1 * case.ground.units[0]
    for one in case.ground.of(Piece.RAILROAD):
        bend = sharpest_bend(one.line, over)
        most = math.degrees(0.1 / _RADIUS) + 2.0
        if one.line.length > over and bend > most:
            yield f"{one.id} bends by {bend:.0f} degrees within {over:.0f} mm; at most {most:.0f}"


def winding(piece: Piece) -> Check:
    """Return the check that streams of a piece wind (AC-F18, AC-F19)."""

    def check(case: Case) -> Faults:
        for one in case.ground.of(piece):
            if one.line.length > 0.7 * case.ground.units[1] and _sway(one.line) < 0.01 * one.line.length:
                yield f"{one.id} runs straight for {one.line.length:.0f} mm; a {piece.value} winds"

    return check


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
    "AC-F35": Piece.TOWN,
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
    "AC-F15": both(is_piece(Piece.WALL), pieces_of_line(Piece.WALL, 3)),
    "AC-F16": both(is_piece(Piece.FENCE_LINE), pieces_of_line(Piece.FENCE_LINE, 4)),
    "AC-F17": both(is_piece(Piece.DITCH), pieces_of_line(Piece.DITCH, 3)),
    "AC-F18": both(is_piece(Piece.STREAM), winding(Piece.STREAM)),
    "AC-F19": both(is_piece(Piece.CREEK), winding(Piece.CREEK)),
    "AC-F26": both(is_piece(Piece.RAILROAD), curves),
    "AC-F36": both(is_piece(Piece.FORT), corners),
    "AC-F37": band(Piece.RIVER),
    "AC-F38": band(Piece.SEA),
    **{clause: is_piece(piece) for clause, piece in _SIMPLE.items()},
}
"""What of single pieces a record can be seen to break."""

"""Judges the pieces by kind, going and size (AC-F01..AC-F36)."""

from __future__ import annotations

import math
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.judge.case import AbsentError, Case, Check
from printkit.systems.acw.judge.judge_ground import FIELDS, Ground, Seen, box_of
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.features import Course

SLACK: Final = 0.07
"""How far a size may be off, as a share of it: outlines are drawn within the box of their size, not against it."""

_OFF: Final = 1.0
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
                yield Sentence(
                    "{one} is a {kind}; a {piece} was rolled", one=one.id, kind=one.feature.kind, piece=one.piece.value
                )
            going = case.ground.measure(Piece.WOOD).going if one.belt else measure.going
            if one.feature.going.name not in ("", going.name):
                yield Sentence(
                    "{one} is {found} going; a {piece} is {wanted}",
                    one=one.id,
                    found=one.feature.going.name,
                    piece=one.piece.value,
                    wanted=going.name,
                )
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
    floor = 0.0 if one.piece in _GROWS else measure.least * (1 - SLACK)
    top = math.inf if only_small else measure.most * (1 + SLACK)
    spread = {zone for zone, box in ground.boxes.items() if box.intersection(feature.outline).area > 1.0}
    if one.piece in (Piece.SWAMP, Piece.SPUR) and len(spread) > 1:
        return ""
    ranges = [(length * unit * floor, length * unit * top) for length in (measure.long, measure.short)]
    wide, deep, off = box_of(feature.outline, ranges[0], ranges[1])
    if off <= _OFF:
        return ""
    (low, high), (shallow, most) = ranges
    room = (
        Sentence("at least {low:.0f} x {shallow:.0f}", low=low, shallow=shallow)
        if only_small
        else Sentence("{low:.0f}-{high:.0f} x {shallow:.0f}-{most:.0f}", low=low, high=high, shallow=shallow, most=most)
    )
    return Sentence(
        "{one} is {wide:.0f} x {deep:.0f} mm; a {piece} has {room}",
        one=one.id,
        wide=wide,
        deep=deep,
        piece=one.piece.value,
        room=room,
    )


def _course_misfit(ground: Ground, one: Seen, *, only_small: bool) -> str:
    measure, feature = ground.measure(one.piece), one.feature
    assert isinstance(feature, Course)
    least, most = ground.units
    width = measure.width if measure.width is not None else measure.short
    if width is not None and not only_small:
        low, high = width * least * (1 - SLACK), width * most * (1 + SLACK)
        if not low - 0.1 <= feature.width <= high + 0.1:
            return Sentence(
                "{one} is {width:.1f} mm wide; a {piece} has {low:.1f} to {high:.1f} mm",
                one=one.id,
                width=feature.width,
                piece=one.piece.value,
                low=low,
                high=high,
            )
    if measure.long is None:
        return ""
    unit, length = ground.unit(one.zone), feature.line.length
    low = measure.long * measure.least * unit * (1 - SLACK)
    high = math.inf if only_small else measure.long * measure.most * unit * (1 + SLACK)
    # A ravine is a stretch of its stream where that is shorter.
    if low - _OFF <= length <= high + _OFF:
        return ""
    return Sentence(
        "{one} is {length:.0f} mm long; a {piece} has {low:.0f} to {high:.0f} mm",
        one=one.id,
        length=length,
        piece=one.piece.value,
        low=low,
        high=high,
    )

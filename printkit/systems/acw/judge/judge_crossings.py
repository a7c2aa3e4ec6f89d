"""Judges where courses pass one another: fords, bridges and level crossings, each of its kind (AC-N40, AC-F39)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults
from printkit.systems.acw.judge.case import Case, Check
from printkit.systems.acw.judge.judge_ground import Seen, crossings_of
from printkit.systems.acw.judge.room import drawn
from printkit.systems.acw.terms.pieces import ROADS, STREAMS, Piece
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.measure import direction

_WAYS: Final = (*ROADS, Piece.RAILROAD)
_TOUCH: Final = 3.0
_PASSES: Final[Mapping[Kind, tuple[tuple[Piece, ...], tuple[Piece, ...]]]] = {
    Kind.FORD: ((Piece.TRACK, Piece.SUNKEN_LANE, Piece.UNFENCED_ROAD), (Piece.STREAM,)),
    Kind.BRIDGE: (ROADS, STREAMS),
    Kind.RAILWAY_BRIDGE: ((Piece.RAILROAD,), STREAMS),
    Kind.LEVEL_CROSSING: (ROADS, (Piece.RAILROAD,)),
}
"""What passes what by each kind of crossing."""


def passages(case: Case) -> Faults:
    """AC-N40, AC-F39: fords, bridges and level crossings stand wherever courses pass one another, each of its kind."""
    ground = case.ground
    lines = {one.id: one for one in ground.seen if isinstance(one.feature, Course)}
    for crossing in ground.crossings:
        if crossing.kind in _PASSES:
            yield from _passage(crossing, lines)
    for way in ground.of(*_WAYS):
        under = STREAMS if way.piece is Piece.RAILROAD else (*STREAMS, Piece.RAILROAD)
        for other in ground.of(*under):
            far = 20.0 + sum(float(getattr(one.feature, "width", 0.0)) for one in (way, other))
            here = [one.at for one in ground.crossings if {one.way, one.water} == {way.id, other.id}]
            for at in crossings_of(way.line, other.line):
                if not any(at.distance(spot) < far for spot in here):
                    yield Sentence(
                        "{way} passes {other} at {x:.0f}, {y:.0f} mm without ford, bridge or crossing",
                        way=way.id,
                        other=other.id,
                        x=at.x,
                        y=at.y,
                    )


def _passage(crossing: Crossing, lines: Mapping[str, Seen]) -> Faults:
    way, water = lines.get(crossing.way), lines.get(crossing.water)
    if way is None or water is None:
        yield Sentence(
            "{crossing} joins {way} and {water}, which do not both lie on the table",
            crossing=crossing.id,
            way=crossing.way,
            water=crossing.water,
        )
        return
    overs, unders = _PASSES[crossing.kind]
    if way.piece not in overs or water.piece not in unders:
        # A road of the record's own making is no ford's business unless its roll says that it is a plain road.
        if crossing.kind is not Kind.FORD or way.piece is not Piece.ROAD or way.roll is not None:
            yield Sentence(
                "{crossing} is a {kind}, but {way} is a {way_piece} over a {water_piece}",
                crossing=crossing.id,
                kind=crossing.kind,
                way=way.id,
                way_piece=way.piece.value,
                water_piece=water.piece.value,
            )
    elif crossing.kind is Kind.BRIDGE and water.piece is Piece.STREAM and way.piece in _PASSES[Kind.FORD][0]:
        yield Sentence(
            "{crossing} is a bridge, but a {piece} fords a stream", crossing=crossing.id, piece=way.piece.value
        )
    off = max(crossing.at.distance(one.line) for one in (way, water))
    if off > _TOUCH:
        yield Sentence("{crossing} lies {off:.0f} mm off what it joins", crossing=crossing.id, off=off)
    turn = abs(direction(way.line, way.line.project(crossing.at), 20.0) - crossing.bearing) % 180.0
    if min(turn, 180.0 - turn) > 30.0:
        yield Sentence(
            "{crossing} is turned {turn:.0f} degrees from its way", crossing=crossing.id, turn=min(turn, 180.0 - turn)
        )


CHECKS: Final[Mapping[str, Check]] = {"AC-F39": drawn(passages), "AC-N40": drawn(passages)}
"""What of crossings a record can be seen to break."""

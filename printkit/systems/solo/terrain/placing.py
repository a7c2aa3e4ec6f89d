"""Placing the terrain of a field by dice: one piece after the other in the order of the rules (SD-3.3).

Each piece is thrown for until its result is legal and possible; then the whole board is looked at, and where too few
quarters hold anything, the last area pieces are thrown for again, or courses where there are none (SD-3.3-b).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.chance.streams import Jitter
from printkit.core.errors import PlacementError, Sentence
from printkit.kit.placement import Blocked
from printkit.systems.dba.ground.pieces import Pick, Terrain
from printkit.systems.solo.terrain.placement import COURSES, Laid, Step, Table
from printkit.systems.solo.terrain.placing_terms import PlacingTerms
from printkit.systems.solo.terrain.placing_throws import Hand, Result, settle
from printkit.terrain.field.battlefield import Board
from printkit.terrain.field.features import Feature

_ORDER: Final = (Terrain.WATERWAY, Terrain.BUA, Terrain.RIVER)
"""What is placed before the other area pieces, in this order; roads come last (SD-3.3-c)."""

_ONE_EACH: Final = (Terrain.WATERWAY, Terrain.BUA, Terrain.RIVER)

_CONDITIONS: Final = {
    "features": Sentence("fewer than three quarters hold a feature"),
    "cover": Sentence("fewer than two quarters hold a river, a waterway or bad going"),
}


class Dropped(Struct, frozen=True, kw_only=True):
    """A piece that fits nowhere, and what stands in its way (AMB-16)."""

    pick: Pick
    identity: str
    by: tuple[str, ...]


class Placed(Struct, frozen=True, kw_only=True):
    """The terrain of a field, in the order placed; every throw for it, what was left out, lines for the person."""

    features: tuple[Feature, ...]
    laid: tuple[Laid, ...]
    steps: tuple[Step, ...]
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()


def place(picks: tuple[Pick, ...], board: Board, terms: PlacingTerms, dice: Dice, jitter: Jitter) -> Placed:
    """Return the picked pieces placed by dice.

    Args:
        picks: compulsory pieces first, then the optional ones in the order chosen.
        dice: of the stage to which the throws belong; its name begins those of the streams of jitter too.

    Raises:
        PlacementError: a piece fits nowhere, and the setting ``no_fit`` asks to be told (AMB-16).
    """
    table = Table(board=board, terms=terms, dice=dice, jitter=jitter, picks=picks)
    dropped: list[Dropped] = []
    for pick, identity in ordered(picks):
        found = settle(Hand(table=table, pick=pick, identity=identity))
        if isinstance(found, Blocked):
            if terms.readings.no_fit_asks:
                raise PlacementError(
                    "{identity} fits nowhere: {found} stands in its way; leave it out",
                    identity=identity,
                    found=found,
                    clause="AMB-16",
                )
            dropped.append(Dropped(pick=pick, identity=identity, by=found.by))
        else:
            table.laid.append(found)
    _mend(table)
    warnings = [
        Sentence(
            "{identity} is left out: {blocked} stands in its way (AMB-16)",
            identity=each.identity,
            blocked=Blocked(each.by),
        )
        for each in dropped
    ]
    warnings += [
        Sentence("{condition}, and no throw mends that (SD-3.3-b)", condition=_CONDITIONS[name])
        for name in table.wanting()
    ]
    return Placed(
        features=tuple(feature for piece in table.laid for feature in piece.features),
        laid=tuple(table.laid),
        steps=tuple(table.steps),
        dropped=tuple(dropped),
        warnings=tuple(warnings),
    )


def ordered(picks: Sequence[Pick]) -> tuple[tuple[Pick, str], ...]:
    """Return the picks in the order in which they are placed, each with the ID of its feature (SD-3.3-c, 0.5)."""
    areas = [pick for pick in picks if pick.terrain not in (*_ORDER, *COURSES)]
    first = [pick for terrain in _ORDER for pick in picks if pick.terrain is terrain]
    roads = [pick for pick in picks if pick.terrain is Terrain.ROAD]
    turn = [*first, *(pick for pick in areas if pick.compulsory), *(pick for pick in areas if not pick.compulsory)]
    return tuple(_named([*turn, *roads]))


def _named(picks: Sequence[Pick]) -> Iterator[tuple[Pick, str]]:
    counted: Counter[Terrain] = Counter()
    for pick in picks:
        counted[pick.terrain] += 1
        name = pick.terrain.replace("_", "-")
        yield pick, name if pick.terrain in _ONE_EACH else f"{name}-{counted[pick.terrain]}"


def _mend(table: Table) -> None:
    """Throw again for pieces until both conditions on the whole board hold, if one piece can mend them."""
    wanting = table.wanting()
    if not wanting:
        return
    why = " and ".join(_CONDITIONS[name] for name in wanting)
    for piece in _movable(table):
        if "cover" in wanting and not table.covers(piece.pick.terrain):
            continue
        place_in_order = table.laid.index(piece)
        table.laid.remove(piece)
        hand = Hand(table=table, pick=piece.pick, identity=piece.identity, accept=_mending(table, piece.pick))
        found = settle(hand, why) if _can_mend(hand) else piece
        table.laid.insert(place_in_order, piece if isinstance(found, Blocked) else found)
        if not table.wanting():
            return


def _movable(table: Table) -> list[Laid]:
    """Return the pieces that may be thrown for again: area pieces, the last first, and only then what nothing rests on.

    Roads come after area pieces, the last first; the river moves only where no road crosses it.
    """
    areas = [piece for piece in table.laid if piece.pick.terrain not in (*_ORDER, *COURSES)]
    roads = table.of(Terrain.ROAD)
    return [*reversed(areas), *reversed(roads), *([] if roads else table.of(Terrain.RIVER))]


def _mending(table: Table, pick: Pick) -> Callable[[BaseGeometry], bool]:
    """Return the test whether a piece makes the whole board legal, were it laid there beside all the others."""
    features, cover, covers = table.held(), table.held(cover=True), table.covers(pick.terrain)

    def mends(shape: BaseGeometry) -> bool:
        more = table.held_by(shape)
        return not table.wanting_with(features | more, cover | more if covers else cover)

    return mends


def _can_mend(hand: Hand) -> bool:
    """Return whether some result of a piece would make the whole board legal."""
    return any(not isinstance(hand.lay(Result(name=name, throws=(), clauses=()))[1], Blocked) for name in hand.results)

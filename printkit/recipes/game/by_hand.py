"""Features that a person moves, turns or takes away by hand; the record keeps what was done beside the game.

It is correction, not editing: areas and hills alone, for a course, a crossing or a way is thrown again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import affinity

from printkit.core.errors import UsageError
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import settled
from printkit.terrain.field.features import Area, Feature, Hill, reshaped
from printkit.terrain.field.record import Record

FARTHEST: Final = 10_000.0
"""How far in mm a feature can be moved at once: farther than any board."""

_PLACES: Final = 3


class Gesture(Struct, frozen=True, kw_only=True):
    """What a person does to one feature: moved to the right and away from the near edge, in mm, and turned, or deleted.

    ``turn`` is in degrees anticlockwise about the middle of its bounds.
    """

    id: str
    move: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    delete: bool = False


def by_hand(system: RuleSystem, record: Record, gesture: Gesture) -> Record:
    """Return a record after a gesture, as it will be read back.

    Raises:
        UsageError: there is no such feature, or none that is moved by hand.
    """
    feature = _movable(record, gesture.id)
    others = record.battlefield.features
    if gesture.delete:
        kept = tuple(each for each in others if each.id != feature.id)
    else:
        if max(map(abs, gesture.move)) > FARTHEST or not abs(gesture.turn) <= 360:
            raise UsageError("move a feature by 10 m at most, and turn it by 360 degrees at most")
        moved = _moved(feature, gesture)
        kept = tuple(moved if each.id == feature.id else each for each in others)
    return settled(system, _with(record, kept, _told(record.hand, gesture)))


def put_back(system: RuleSystem, record: Record, name: str, origin: Record) -> Record:
    """Return a record with a feature as it lay in an earlier one, before it was moved, turned or deleted by hand.

    Raises:
        UsageError: the earlier one has no such feature.
    """
    there = {each.id: each for each in origin.battlefield.features}
    if name not in there:
        raise UsageError("there is no feature {name!r} to put back", name=name)
    lying = {each.id: each for each in record.battlefield.features} | {name: there[name]}
    features = tuple(lying[each.id] for each in origin.battlefield.features if each.id in lying)
    hand = tuple(entry for entry in record.hand if entry.get("id") != name)
    return settled(system, _with(record, features, hand))


def _movable(record: Record, name: str) -> Area | Hill:
    found = next((each for each in record.battlefield.features if each.id == name), None)
    if found is None:
        raise UsageError("this battlefield has no feature {name!r}", name=name)
    if not isinstance(found, Area | Hill):
        raise UsageError(
            "{name} is not an area or a hill; a river, road or crossing can only be rolled again", name=name
        )
    if record.battlefield.grid is not None:
        raise UsageError("{name} fills cells of a grid; it can be rolled again but not moved by hand", name=name)
    return found


def _moved(feature: Area | Hill, gesture: Gesture) -> Feature:
    left, low, right, high = feature.outline.bounds
    middle = ((left + right) / 2, (low + high) / 2)
    across, up = gesture.move
    return reshaped(
        feature,
        lambda shape: affinity.translate(affinity.rotate(shape, gesture.turn, origin=middle), across, up),
    )


def _with(record: Record, features: tuple[Feature, ...], hand: tuple[Mapping[str, Any], ...]) -> Record:
    return replace(record, battlefield=replace(record.battlefield, features=features), hand=hand)


def _told(hand: tuple[Mapping[str, Any], ...], gesture: Gesture) -> tuple[Mapping[str, Any], ...]:
    """Return what was done by hand with a gesture added; a feature has one entry, in which its gestures are summed."""
    before: Mapping[str, Any] = next((entry for entry in hand if entry.get("id") == gesture.id), {})
    others = tuple(entry for entry in hand if entry.get("id") != gesture.id)
    if gesture.delete:
        return (*others, {"id": gesture.id, "delete": True})
    was = before.get("move", [0.0, 0.0])
    move = [round(was[axis] + gesture.move[axis], _PLACES) for axis in (0, 1)]
    turn = round((before.get("turn", 0.0) + gesture.turn) % 360, _PLACES)
    entry: dict[str, Any] = {"id": gesture.id, "move": move}
    return (*others, {**entry, "turn": turn} if turn else entry)

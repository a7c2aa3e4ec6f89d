"""Move, turn or delete features by hand; the record keeps these changes apart from the game.

Only areas and hills can be changed. A river, road or crossing can only be rolled again.
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

# Greatest distance of one move, in mm; longer than any board.
FARTHEST: Final = 10_000.0

_PLACES: Final = 3


class Gesture(Struct, frozen=True, kw_only=True):
    """A change that the user makes to one feature: move and turn it, or delete it.

    Attributes:
        id: the ID of the feature.
        move: distance to the right and away from the near edge, in mm.
        turn: degrees anticlockwise about the centre of its bounds.
        delete: whether to remove the feature.
    """

    id: str
    move: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    delete: bool = False


def by_hand(system: RuleSystem, record: Record, gesture: Gesture) -> Record:
    """Apply a gesture to a record, and return it as it is when read back from its file.

    Raises:
        UsageError: the feature does not exist or cannot be moved by hand, or the gesture is too large.
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
    """Restore a feature from an earlier record, so that its changes by hand are undone.

    Raises:
        UsageError: the earlier record has no such feature.
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
    """Add a gesture to the changes by hand; each feature has one entry with the sum of its gestures."""
    before: Mapping[str, Any] = next((entry for entry in hand if entry.get("id") == gesture.id), {})
    others = tuple(entry for entry in hand if entry.get("id") != gesture.id)
    if gesture.delete:
        return (*others, {"id": gesture.id, "delete": True})
    was = before.get("move", [0.0, 0.0])
    move = [round(was[axis] + gesture.move[axis], _PLACES) for axis in (0, 1)]
    turn = round((before.get("turn", 0.0) + gesture.turn) % 360, _PLACES)
    entry: dict[str, Any] = {"id": gesture.id, "move": move}
    return (*others, {**entry, "turn": turn} if turn else entry)

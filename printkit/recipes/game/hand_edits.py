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
from printkit.recipes.game.games import roundtrip_record
from printkit.terrain.field.features import Area, Feature, Hill, transform_shapes
from printkit.terrain.field.record import Record

# Greatest distance of one move, in mm; longer than any board.
LONGEST_MOVE_MM: Final = 10_000.0

_DECIMALS: Final = 3


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


def apply_gesture(system: RuleSystem, record: Record, gesture: Gesture) -> Record:
    """Apply a gesture (a move in mm, a turn in degrees, or a deletion) to a record, and return the new record.

    The record is as it is when read back from its file, and lists the change by hand. The given record stays the same.

    Raises:
        UsageError: the feature does not exist or cannot be moved by hand, or is moved over 10 m or turned over 360
            degrees.
    """
    feature = _find_movable(record, gesture.id)
    others = record.battlefield.features
    if gesture.delete:
        features = tuple(item for item in others if item.id != feature.id)
    else:
        if max(map(abs, gesture.move)) > LONGEST_MOVE_MM or not abs(gesture.turn) <= 360:
            raise UsageError("move a feature by 10 m at most, and turn it by 360 degrees at most")
        moved_feature = _move_feature(feature, gesture)
        features = tuple(moved_feature if item.id == feature.id else item for item in others)
    return roundtrip_record(system, _replace_features(record, features, _add_change(record.hand, gesture)))


def restore_feature(system: RuleSystem, record: Record, name: str, earlier: Record) -> Record:
    """Return the record with the feature ``name`` (its ID) of an earlier record, and without its changes by hand.

    Raises:
        UsageError: the earlier record has no such feature.
    """
    earlier_features = {feature.id: feature for feature in earlier.battlefield.features}
    if name not in earlier_features:
        raise UsageError("there is no feature {name!r} to put back", name=name)
    current_features = {feature.id: feature for feature in record.battlefield.features} | {name: earlier_features[name]}
    features = tuple(
        current_features[feature.id] for feature in earlier.battlefield.features if feature.id in current_features
    )
    changes = tuple(entry for entry in record.hand if entry.get("id") != name)
    return roundtrip_record(system, _replace_features(record, features, changes))


def _find_movable(record: Record, name: str) -> Area | Hill:
    """Return the area or hill with the ID ``name``.

    Raises:
        UsageError: there is no such feature, or it cannot be moved by hand.
    """
    feature = next((item for item in record.battlefield.features if item.id == name), None)
    if feature is None:
        raise UsageError("this battlefield has no feature {name!r}", name=name)
    if not isinstance(feature, Area | Hill):
        raise UsageError(
            "{name} is not an area or a hill; a river, road or crossing can only be rolled again", name=name
        )
    if record.battlefield.grid is not None:
        raise UsageError("{name} fills cells of a grid; it can be rolled again but not moved by hand", name=name)
    return feature


def _move_feature(feature: Area | Hill, gesture: Gesture) -> Feature:
    """Return the feature turned about the centre of its bounds, then moved.

    Lengths are in mm on the board, and angles in degrees anticlockwise.
    """
    left, low, right, high = feature.outline.bounds
    centre = ((left + right) / 2, (low + high) / 2)
    shift_x, shift_y = gesture.move
    return transform_shapes(
        feature,
        lambda shape: affinity.translate(affinity.rotate(shape, gesture.turn, origin=centre), shift_x, shift_y),
    )


def _replace_features(record: Record, features: tuple[Feature, ...], changes: tuple[Mapping[str, Any], ...]) -> Record:
    """Return the record with other features and other changes by hand."""
    return replace(record, battlefield=replace(record.battlefield, features=features), hand=changes)


def _add_change(changes: tuple[Mapping[str, Any], ...], gesture: Gesture) -> tuple[Mapping[str, Any], ...]:
    """Return the changes by hand with one more gesture; each feature has one entry with the sum of its gestures.

    An entry has the ID, the move in mm on the board and the turn in degrees, or ``delete``.
    """
    old_entry: Mapping[str, Any] = next((entry for entry in changes if entry.get("id") == gesture.id), {})
    others = tuple(entry for entry in changes if entry.get("id") != gesture.id)
    if gesture.delete:
        return (*others, {"id": gesture.id, "delete": True})
    old_move = old_entry.get("move", [0.0, 0.0])
    move = [round(old_move[axis] + gesture.move[axis], _DECIMALS) for axis in (0, 1)]
    turn = round((old_entry.get("turn", 0.0) + gesture.turn) % 360, _DECIMALS)
    entry: dict[str, Any] = {"id": gesture.id, "move": move}
    return (*others, {**entry, "turn": turn} if turn else entry)

"""Compare two records: their features, overlays and details, and the features of a file with their own shapes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from printkit.core.errors import Sentence
from printkit.kit.registry import shapes_of
from printkit.terrain.field.record import Record
from printkit.terrain.field.record_features import feature_parts

# Longest answer or value that is shown in full, in characters; a pack of cards is longer.
_LONGEST_ANSWER: Final = 40

# Properties of a feature that no roll decides: names come from lists of the first language.
_UNROLLED_KEYS: Final = ("id", "name")

_SHAPE_KEY: Final = "geometry"

# Keys of feature properties and record details with shapes, or with values that depend on shapes.
_SHAPE_KEYS: Final = ("geometry", "contours", "bearing", "outlines", "no_room")

# Keys of record details about the room that features had. Other shapes leave room for other features.
_ROOM_KEYS: Final = ("quarter", "discarded")

# Keys of record details about networks of roads and streams. Newer rules join the same rolls in another way.
_NETWORK_KEYS: Final = ("graph", "reaches")

# The largest difference of two equal numbers: another machine may compute the last digit differently.
_NUMBER_SLACK: Final = 1e-6


def find_altered_members(record: Record, tree: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield a message for each member of a feature in a file that its own shapes contradict, for example ``levels``.

    The features are written again and compared. Members that printkit does not write are free, and so are names.
    Nothing is yielded for a record of an older ``shapes`` version.

    Args:
        record: the record.
        tree: the decoded file of the record.
    """
    properties_by_id = {
        item["id"]: item["properties"] for objects in group_objects(record).values() for item in objects
    }
    for item in tree["features"] if record.shapes >= shapes_of(record.rules) else ():
        properties = properties_by_id.get(item.get("id"), {})
        members = {key: item["properties"][key] for key in item["properties"] if key in properties}
        for path, actual, expected in differing_paths(members, properties, "", shared_only=True):
            if path not in _UNROLLED_KEYS:
                yield Sentence(
                    "{member} of {feature} is {found}; its shape gives {due}",
                    member=path,
                    feature=item["id"],
                    found=shorten_value(actual),
                    due=shorten_value(expected),
                )


def pair_features_without_shapes(
    record: Record, replay: Record, left_out: Collection[str] = (), *, shared_only: bool = True
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, list[dict[str, Any]]]]:
    """Return the features of a record and of its replay by ID, as objects without shapes.

    Args:
        record: the record.
        replay: its replay.
        left_out: the IDs of features to leave out.
        shared_only: whether to leave out features and members that only one of them has, as in a record of an older
            version.
    """
    actual, expected = group_objects(record), group_objects(replay)
    names = actual.keys() & expected.keys() if shared_only else actual.keys() | expected.keys()
    pair = tuple(
        {name: _drop_object_shapes(objects[name]) for name in objects if name in names and name not in left_out}
        for objects in (actual, expected)
    )
    return pair[0], pair[1]


def compare_overlays(record: Record, replay: Record) -> Iterator[Sentence]:
    """Yield a message for each zone, deployment area or other overlay that only the record or only the replay has."""
    actual, expected = record.battlefield.overlays, replay.battlefield.overlays
    for overlay in (item for item in expected if item not in actual):
        yield Sentence(
            "the overlay {kind} {label} is missing or differs", kind=overlay.kind, label=overlay.label or overlay.side
        )
    for overlay in (item for item in actual if item not in expected):
        yield Sentence(
            "the overlay {kind} {label} is not part of the game", kind=overlay.kind, label=overlay.label or overlay.side
        )


def _drop_object_shapes(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a feature, given as its GeoJSON objects, as a list of one object without shapes."""
    return [{_SHAPE_KEY: None, "properties": _drop_keys(objects[0]["properties"], _SHAPE_KEYS)}]


def drop_record_shapes(record: Record, *, is_older: bool) -> Record:
    """Return the record without the shape keys in its details.

    With ``is_older`` it is also without the keys that say which features had room, and how roads are joined.
    """
    keys = (*_SHAPE_KEYS, *_ROOM_KEYS, *_NETWORK_KEYS) if is_older else _SHAPE_KEYS
    return replace(record, details=_drop_keys(record.details, keys))


def _drop_keys(value: Any, keys: Collection[str]) -> Any:
    """Return a JSON value without some keys, at any depth."""
    if isinstance(value, Mapping):
        return {key: _drop_keys(item, keys) for key, item in value.items() if key not in keys}
    return [_drop_keys(item, keys) for item in value] if isinstance(value, list | tuple) else value


def shorten_value(value: Any) -> str:
    """Return a JSON value for a message, cut if it is long; a missing one is "missing"."""
    return Sentence("missing") if value is None else shorten_answer(str(value))


def shorten_answer(answer: str) -> str:
    """Return an answer, cut and ended with dots if it is too long for a message."""
    return answer if len(answer) <= _LONGEST_ANSWER else f"{answer[: _LONGEST_ANSWER - 3]}..."


def group_objects(record: Record) -> dict[str, list[dict[str, Any]]]:
    """Return the features as the record writes them, by ID; a hill is written as several objects."""
    features, extras = record.battlefield.features, record.properties
    return {
        feature.id: [part.write() for part in feature_parts(feature, extras.get(feature.id, {}))]
        for feature in features
    }


def compare_features(
    actual: dict[str, list[dict[str, Any]]], expected: dict[str, list[dict[str, Any]]]
) -> Iterator[Sentence]:
    """Yield a message for each feature that is missing, extra or different; objects are by feature ID.

    ``actual`` is the record, ``expected`` the replay. If all shapes differ there is one message for all.
    """
    for name in expected.keys() - actual.keys():
        kind = expected[name][0]["properties"]["kind"]
        yield Sentence("the log gives {kind} {feature}, but it is not on the board", kind=kind, feature=name)
    for name in actual.keys() - expected.keys():
        yield Sentence("{feature} is on the board, but no roll produced it", feature=_feature_label(name, actual[name]))
    differences = {
        name: keys for name in actual if name in expected and (keys := _differing_keys(actual[name], expected[name]))
    }
    if (
        len(differences) > 2
        and len(differences) == len(actual)
        and all(_SHAPE_KEY in keys for keys in differences.values())
    ):
        yield Sentence("no feature has the shape that the seed and log give")
        return
    for name, keys in differences.items():
        yield Sentence(
            "{feature} does not match the log: {members}",
            feature=_feature_label(name, actual[name]),
            members=", ".join(keys),
        )


def _feature_label(name: str, objects: list[dict[str, Any]]) -> str:
    """Return the name and ID of a feature, or only its ID.

    ``name`` is the ID, and ``objects`` are its objects in the record; the first has the name.
    """
    feature_name = objects[0]["properties"].get("name")
    return f"{feature_name} ({name})" if feature_name else name


def _differing_keys(actual: list[dict[str, Any]], expected: list[dict[str, Any]]) -> list[str]:
    """Return the keys of a feature that differ, as in the record; empty if none. A shape is one key."""
    if len(actual) != len(expected):
        return [_SHAPE_KEY]
    changed_keys: dict[str, None] = {}
    for actual_object, expected_object in zip(actual, expected, strict=True):
        if actual_object[_SHAPE_KEY] != expected_object[_SHAPE_KEY]:
            changed_keys[_SHAPE_KEY] = None
        actual_properties, expected_properties = actual_object["properties"], expected_object["properties"]
        keys = (
            key
            for key in (*actual_properties, *expected_properties)
            if key not in _UNROLLED_KEYS and actual_properties.get(key) != expected_properties.get(key)
        )
        changed_keys |= dict.fromkeys(keys)
    return list(changed_keys)


def differing_paths(
    actual: Any, expected: Any, path: str, *, shared_only: bool = False
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the paths at which two JSON values differ, with keys and list indexes from 0, and both values.

    ``path`` is the start of each. Lists of different lengths are one difference. With ``shared_only``, keys that only
    ``expected`` has do not count.
    """
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        for key in dict.fromkeys((*actual, *(() if shared_only else expected))):
            start = f"{path}.{key}" if path else key
            yield from differing_paths(actual.get(key), expected.get(key), start, shared_only=shared_only)
    elif isinstance(actual, list | tuple) and isinstance(expected, list | tuple) and len(actual) == len(expected):
        for index, (actual_item, expected_item) in enumerate(zip(actual, expected, strict=True)):
            yield from differing_paths(actual_item, expected_item, f"{path}[{index}]", shared_only=shared_only)
    elif not _are_equal(actual, expected):
        yield path, actual, expected


def _are_equal(actual: Any, expected: Any) -> bool:
    """Return whether two JSON values are the same; numbers may differ in their last digits."""
    if isinstance(actual, float) and isinstance(expected, float):
        return math.isclose(actual, expected, rel_tol=0, abs_tol=_NUMBER_SLACK)
    return bool(actual == expected)

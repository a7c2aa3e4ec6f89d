"""What the tables of planted faults share: functions that find a part of a record, and functions that change it.

A change works in place. It raises ``LookupError`` or ``StopIteration`` if the board lacks what it takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shapely import affinity
from shapely.geometry import LineString, mapping, shape

Tree = dict[str, Any]
Plant = Callable[[Tree], None]


def feature(tree: Tree, kind: str, **wanted: Any) -> Tree:
    """Return the first feature of a kind and with some properties."""
    rows = (each for each in tree["features"] if each["properties"]["kind"] == kind)
    return next(each for each in rows if all(each["properties"].get(key) == value for key, value in wanted.items()))


def area(tree: Tree) -> Tree:
    """Return the first area feature that belongs to a zone."""
    areas = (each for each in tree["features"] if each["geometry"]["type"] == "Polygon")
    return next(each for each in areas if each["properties"].get("zone"))


def roll(tree: Tree, reason: str) -> Tree:
    """Return the first roll of the log whose reason begins with a text."""
    return next(each for each in tree["log"] if each["reason"].startswith(reason))


def by_id(tree: Tree, name: str) -> Tree:
    """Return the feature of an ID."""
    return next(each for each in tree["features"] if each["id"] == name)


def reshape(each: Tree, change: Callable[[Any], Any]) -> None:
    """Change the shape of a feature."""
    each["geometry"] = mapping(change(shape(each["geometry"])))


def put(get: Callable[[Tree], Tree], key: str, value: Any) -> Plant:
    """Return what sets a member of what a function finds in a record."""

    def plant(tree: Tree) -> None:
        get(tree)[key] = value

    return plant


def properties(kind: str, key: str, value: Any, **wanted: Any) -> Plant:
    """Return what sets a property of the first feature of a kind."""
    return put(lambda tree: feature(tree, kind, **wanted)["properties"], key, value)


def setting(key: str, value: str) -> Plant:
    """Return what says of a board that it was made with another setting."""
    return put(lambda tree: tree["settings"], key, value)


def scale(kind: str, across: float, along: float | None = None, **wanted: Any) -> Plant:
    """Return what makes the first feature of a kind larger or smaller."""

    def plant(tree: Tree) -> None:
        reshape(feature(tree, kind, **wanted), lambda each: affinity.scale(each, across, along or across))

    return plant


def move(kind: str, across: float, along: float, **wanted: Any) -> Plant:
    """Return what moves the first feature of a kind by millimetres."""

    def plant(tree: Tree) -> None:
        reshape(feature(tree, kind, **wanted), lambda each: affinity.translate(each, across, along))

    return plant


def delete(kind: str) -> Plant:
    """Return what takes the first feature of a kind out of a record."""

    def plant(tree: Tree) -> None:
        tree["features"].remove(feature(tree, kind))

    return plant


def change_roll(reason: str, scores: dict[str, str]) -> Plant:
    """Return what puts another score of a die in the log."""

    def plant(tree: Tree) -> None:
        found = roll(tree, reason)
        found["answer"] = scores[found["answer"]]

    return plant


def swap_overlays(kind: str) -> Plant:
    """Return what exchanges the places of the first two overlays of a kind."""

    def plant(tree: Tree) -> None:
        first, second = [each for each in tree["overlays"] if each["properties"]["kind"] == kind][:2]
        first["geometry"], second["geometry"] = second["geometry"], first["geometry"]

    return plant


def reroute(kind: str, points: Callable[[Any, float], list[tuple[float, float]]]) -> Plant:
    """Return what gives the first river or road other points; the side of the board is handed over."""

    def plant(tree: Tree) -> None:
        reshape(feature(tree, kind), lambda line: LineString(points(line, tree["board"]["width_mm"])))

    return plant


def through(line: Any, x: float, y: float) -> list[tuple[float, float]]:
    """Return a course that passes a place in its middle."""
    half = len(line.coords) // 2
    return [*line.coords[:half], (x, y), *line.coords[half:]]

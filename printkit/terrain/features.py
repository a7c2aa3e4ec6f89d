"""What lies on a battlefield: areas, hills, courses and crossings, with shapely shapes in mm."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from shapely import LineString, Point, Polygon


class Kind(StrEnum):
    """Every kind of feature; its value is the ``kind`` of the record and the key of its word."""

    HILL = "hill"
    STEEP_SLOPE = "steep_slope"
    LIGHT_WOODS = "light_woods"
    HEAVY_WOODS = "heavy_woods"
    BROKEN_GROUND = "broken_ground"
    MARSH = "marsh"
    LAKE = "lake"
    BUA = "bua"
    RIVER = "river"
    ROAD = "road"
    FORD = "ford"
    BRIDGE = "bridge"


@dataclass(frozen=True, slots=True, order=True)
class Going:
    """How troops move: a name of the rule system's own table; rank 0 is free, 3 impassable."""

    rank: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """How a feature came about: the clauses, the places of its throws in the log (from 1), its zone and its placer."""

    clauses: tuple[str, ...] = ()
    throws: tuple[int, ...] = ()
    zone: int | None = None
    placed_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """Ground of one kind inside an outline."""

    id: str
    kind: Kind
    outline: Polygon
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """A stretch of a hill's side that differs from the rest: ``line`` runs along the contour, crest on its left.

    ``side`` is the number of the arc of the hill that it covers.
    """

    line: LineString
    kind: Kind
    going: Going
    side: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hill:
    """Raised ground.

    ``contours`` run outermost first; ``faces`` lie on the outermost; ``cover`` is what grows on it.
    """

    id: str
    kind: Kind
    contours: tuple[Polygon, ...]
    going: Going
    faces: tuple[Face, ...] = ()
    cover: Kind | None = None
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def outline(self) -> Polygon:
        """Return the outermost contour."""
        return self.contours[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A river, road, wall: a centre line with a true width. It may overrun the board; what is drawn is clipped."""

    id: str
    kind: Kind
    line: LineString
    width: float
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Where a way passes a water: ``bearing`` is the way's direction, degrees anticlockwise from +x."""

    id: str
    kind: Kind
    at: Point
    bearing: float
    way: str
    water: str
    going: Going
    origin: Origin = Origin()
    name: str = ""
    cells: tuple[tuple[int, int], ...] = ()


Feature: TypeAlias = Area | Hill | Course | Crossing

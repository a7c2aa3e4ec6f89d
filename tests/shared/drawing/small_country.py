"""A board of 24 inches laid by hand, with a feature of every kind that cards and dice can put there."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import shapely
from msgspec.structs import replace
from shapely import LineString, Point, Polygon

from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.map.board_drawing import MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale, Overlay
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind

GOOD, BAD, IMPASSABLE = Going(0, "good"), Going(2, "bad"), Going(3, "impassable")
UNSTATED = Going(0, "")
SIDE = 609.6
ZONE = SIDE / 3
NAMES = {
    "z1": "Harrow Hill",
    "z2": "Ashen Grove",
    "z3": "Mere",
    "z4": "Sallow Marsh",
    "z6": "Thornby",
    "z7": "Wolves’ Wood",
    "z8": "Beacon Rise",
    "z9": "The Shivers",
    "R1": "River Hurn",
    "D1": "to Castra Alba",
}


def uneven(x: float, y: float, across: float, up: float, shape: int = 1) -> Polygon:
    """Return an uneven outline about a point; ``shape`` makes them differ."""
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    reach = 1 + 0.09 * np.cos(2 * turn + shape) + 0.06 * np.cos(3 * turn + 2 * shape)
    return Polygon(np.column_stack([x + across * reach * np.cos(turn), y + up * reach * np.sin(turn)]))


def middle(zone: int) -> tuple[float, float]:
    """Return the middle of a zone numbered as a page is read."""
    row, column = divmod(zone - 1, 3)
    return column * ZONE + ZONE / 2, SIDE - row * ZONE - ZONE / 2


@cache
def country(*, named: bool = True) -> Battlefield:
    """Return the battlefield, its features with or without names."""
    hill = uneven(*middle(1), 78, 60, 1)
    top = uneven(middle(1)[0] - 6, middle(1)[1] + 6, 46, 32, 2)
    face = LineString(list(hill.exterior.coords)[70:100])
    steep = HillFace(line=face, kind=Kind.STEEP_SLOPE, going=IMPASSABLE, side=3)
    rise = uneven(middle(8)[0] + 30, middle(8)[1], 54, 46, 8)
    river = LineString([(395 - 180 * t + 14 * math.sin(9 * t), SIDE * (1 - t)) for t in np.linspace(0, 1, 121)])
    road = LineString([(470 * t, 292 + 20 * t + 5 * math.sin(5 * t)) for t in np.linspace(0, 1, 121)])
    at = shapely.intersection(river, road).centroid
    way = road.project(at)
    first, last = road.interpolate(way - 3), road.interpolate(way + 3)
    bearing = math.degrees(math.atan2(last.y - first.y, last.x - first.x))
    features: tuple[Feature, ...] = (
        Hill(id="z1", kind=Kind.HILL, contours=(hill, top), going=GOOD, faces=(steep,)),
        _area("z2", Kind.LIGHT_WOODS, uneven(middle(2)[0] - 24, middle(2)[1], 44, 60, 3), BAD),
        _area("z3", Kind.LAKE, uneven(*middle(3), 52, 44, 4), IMPASSABLE),
        _area("z4", Kind.MARSH, uneven(middle(4)[0], middle(4)[1], 64, 42, 5), BAD),
        _area("z6", Kind.BUA, uneven(middle(6)[0] + 14, middle(6)[1], 58, 50, 6), BAD),
        _area("z7", Kind.HEAVY_WOODS, uneven(*middle(7), 72, 58, 7), IMPASSABLE),
        Hill(id="z8", kind=Kind.HILL, contours=(rise,), going=BAD, cover=Kind.LIGHT_WOODS),
        _area("z9", Kind.BROKEN_GROUND, uneven(*middle(9), 56, 48, 9), BAD),
        Course(id="R1", kind=Kind.RIVER, line=river, width=25.4, going=UNSTATED),
        Course(id="D1", kind=Kind.ROAD, line=road, width=19.05, going=UNSTATED),
        Crossing(id="X1", kind=Kind.BRIDGE, at=Point(at), bearing=bearing, route="D1", water="R1", going=UNSTATED),
    )
    board = Board(SIDE, SIDE, GroundScale(pace=0.254, base_width=40.0))
    overlays = tuple(
        Overlay(kind="zone", shape=zone, label=str(number)) for number, zone in enumerate(board.zones(3, 3), 1)
    )
    deployment = (
        Overlay(kind="deployment", shape=shapely.box(0, 457.2, SIDE, SIDE), side="A"),
        Overlay(kind="deployment", shape=shapely.box(0, 0, SIDE, 152.4), side="B"),
    )
    if named:
        features = tuple(replace(feature, name=NAMES.get(feature.id, "")) for feature in features)
    return Battlefield(board=board, features=features, overlays=(*overlays, *deployment), title="The Field of Thornby")


ACCOUNTS = {
    "z1": "Jack of clubs laid by A in his third turn; slope die 5 with 1 added: one steep side; woods die 4: open.",
    "z3": "Queen of spades laid by A in his first turn.",
    "R1": "River die 1: one river. A threw 5, B 3: A placed it from the far edge to the near edge.",
}


def layout(
    field: Battlefield | None = None, *, manner: str = "campaign", language: str = "en", scale: float = 1.0
) -> MapLayout:
    """Return the layout that the tests print."""
    return MapLayout(
        field=field or country(),
        style=style.find(manner),
        words=find_words(language),
        caption=MapCaption(
            title="The Field of Thornby",
            subtitle="being a Country made by Cards and Dice",
            seed=1066,
            marks={side: tuple(f"Deployment {side}" for _ in find_words(language).each()) for side in "AB"},
        ),
        scale=scale,
        accounts=ACCOUNTS,
    )


def furnishing(made: MapLayout, scale: float) -> Drafter:
    """Return what the furniture of an layout is drawn with at a scale."""
    return Drafter.furniture(made.style, made.words, scale=scale)


def _area(identity: str, kind: Kind, outline: Polygon, going: Going) -> Area:
    return Area(id=identity, kind=kind, outline=outline, going=going)

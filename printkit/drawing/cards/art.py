"""Pictures on cards: map symbols on a small field of grass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Art
from printkit.drawing.canvas.items import Item, Layer, LayeredItems, LayerName, Rect
from printkit.drawing.canvas.layers import flattened, group_by_layer, translated
from printkit.drawing.canvas.symbol_context import Memo, SymbolContext
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.map.board_drawing import free_ground, scaled
from printkit.drawing.scatter.crowns import draw_trees
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.lines.course_lines import all_sized
from printkit.drawing.signs.relief.open_ground import ground
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import (
    WOODS,
    Area,
    Course,
    Crossing,
    Feature,
    Going,
    Hill,
    HillFace,
    Kind,
    transform_shapes,
)

_SCALE: Final = GroundScale(pace=0.254, base_width=40.0)
_UNSTATED: Final = Going(0, "")

# The share of the width of a field that the examples of the legend cover.
_EXAMPLE_SHARE: Final = 0.86

_CLEAR: Final = 1.5

# Scale of the grass relative to the other symbols, so that a small meadow still shows as one.
_GRASS_SCALE: Final = 0.75

_LEVELS: Final = {2: "two_levels"}
_FACES: Final = (Kind.STEEP_SLOPE, Kind.CLIFF, Kind.SCREE)

# Start and end of the steep part of a hill, as shares of its outline.
_STEEP: Final = (0.70, 0.95)

# Single trees of good going: position in shares of the field, and radius in mm at 1:1.
_COPSE: Final = ((0.20, 0.66, 4.6), (0.27, 0.60, 3.8), (0.78, 0.26, 4.2), (0.62, 0.80, 3.2))

# Small turns of the variants of a picture in degrees, and the scale of a turned one.
_TILTS: Final = (0.0, 11.0, -9.0)
_TILTED: Final = 0.93

_SPECIMENS: Final = 32
_PICTURES: Final[Memo[Layer]] = Memo(96)


def picture(art: Art, plan: CardLayout) -> Layer:
    """Return a picture on one layer, clipped to the picture window of the card layout.

    Coordinates are in printed mm from the lower left corner of the card.
    """
    window = plan.terrain.picture
    share = plan.terrain.number("picture", "sign") * plan.terrain.share
    fills = plan.terrain.number("picture", "fills")
    context = plan.drafter.context
    return _PICTURES.draw_once(
        lambda: _draw_art(art, window, context, share, fills), context, purpose=(art, window, share, fills)
    )


def _draw_art(art: Art, window: Rect, context: SymbolContext, share: float, fills: float) -> Layer:
    """Return a picture on one layer, drawn in the picture window and clipped to it.

    Args:
        art: the kinds of terrain in the picture.
        window: the window in mm on the card.
        context: style and random streams.
        share: scale of the symbols, 1 at actual size.
        fills: share of the window (0 to 1) that the features cover.
    """
    context = context.smaller(share)
    # The field is built at 1:1, scaled to the size of the window, and placed there.
    field = scaled(build_field(art, window.width / share, window.height / share, fills=fills), share)
    board_shape = field.board.shape

    def draw_items() -> Iterator[tuple[LayerName, Item]]:
        """Yield the grass and the symbols of the field, with their layers."""
        yield from ground(
            board_shape, context.smaller(_GRASS_SCALE), free_ground(all_sized(field, context), context, beside=_CLEAR)
        )
        yield from draw(field, context)
        if not art.kinds:
            yield from _draw_copse(field.board, context)

    return flattened(translated(group_by_layer(draw_items()), window.x, window.y), LayerName.PAPER, window)


def build_field(art: Art, width: float, height: float, *, fills: float) -> Battlefield:
    """Return a battlefield of ``width`` by ``height`` mm at 1:1 with the kinds of a picture.

    The features cover the share ``fills`` (0 to 1) of its width and height, in the middle. A hill among the kinds comes
    first, unless the first kind is a steep face. It gets the cover and the steep face among the other kinds.
    """
    scale = fills / _EXAMPLE_SHARE
    # The examples are in the middle of the field.
    area = Rect(width * (1 - scale) / 2, height * (1 - scale) / 2, width * scale, height * scale)
    hills = [kind for kind in art.kinds if isinstance(_find_example(kind, art, area.width, area.height)[0], Hill)]
    features: list[Feature] = []
    rest: list[Kind]
    if hills and art.kinds[0] not in _FACES:
        first = hills[0]
        features += _build_hill(first, art, area)
        rest = [kind for kind in art.kinds if kind != first and kind not in (*WOODS, *_FACES)]
    else:
        rest = list(dict.fromkeys(art.kinds))
    features += _place_examples(rest, art, area, feature_count=len(features))
    board = Board(width, height, _SCALE)
    return Battlefield(board=board, features=tuple(_vary_areas(features, art.variant, (width / 2, height / 2))))


def _vary_areas(features: Sequence[Feature], variant: int, middle: tuple[float, float]) -> Iterator[Feature]:
    """Yield features, the areas and hills of a variant turned about ``middle`` and with other trees, stones or houses.

    Nothing is turned if there is a course or a steep face, and crossings stay as they are. ``middle`` is in mm at 1:1.
    """
    is_turned = all(
        isinstance(feature, Area) or (isinstance(feature, Hill) and not feature.faces) for feature in features
    )
    tilt = _TILTS[variant % len(_TILTS)] if is_turned else 0.0
    angle = 180.0 * (variant % 2) + tilt if is_turned else 0.0
    scale = _TILTED if tilt else 1.0

    def turn(shape: BaseGeometry) -> BaseGeometry:
        """Return a shape turned about the middle, and smaller if it is tilted."""
        return affinity.scale(affinity.rotate(shape, angle, origin=middle), scale, scale, origin=middle)

    for feature in features:
        if variant and isinstance(feature, Area | Hill):
            # The ID names the random streams of a symbol.
            yield replace(transform_shapes(feature, turn), id=f"{feature.id}-{variant}")
        else:
            yield feature


def _find_example(kind: Kind, art: Art, width: float, height: float) -> tuple[Feature, ...]:
    """Return the features of the legend example of a kind, on ``width`` by ``height`` mm at 1:1.

    The last feature is the example; a crossing comes after its road and water.
    """
    key = _LEVELS.get(art.levels, kind.value) if kind is Kind.HILL else kind.value
    return _cached_example(key, width, height)


@lru_cache(maxsize=_SPECIMENS)
def _cached_example(key: str, width: float, height: float) -> tuple[Feature, ...]:
    """Return the features of the legend example with this key, on ``width`` by ``height`` mm at 1:1.

    They are cached, because a picture uses them often.
    """
    example = next(specimen for specimen in specimens() if specimen.key == key)
    return example.sample(width, height)


def _build_hill(kind: Kind, art: Art, area: Rect) -> list[Feature]:
    """Return the example hill of a kind, moved to ``area``, and the features that come with it; in mm at 1:1.

    The hill gets the cover and the steep face among the kinds of the picture, if there are any.
    """
    features: list[Feature] = []
    for feature in _move_to_area(_find_example(kind, art, area.width, area.height), area):
        if isinstance(feature, Hill):
            cover = next((candidate for candidate in art.kinds if candidate in WOODS), feature.cover)
            face = next((candidate for candidate in art.kinds if candidate in _FACES and candidate != kind), None)
            faces = feature.faces if face is None else (_build_face(feature.outline, face),)
            features.append(replace(feature, cover=cover, faces=faces))
        else:
            features.append(feature)
    return features


def _build_face(outline: Polygon, kind: Kind) -> HillFace:
    """Return a steep face of this kind along a part of a hill's outline, in mm at 1:1."""
    ring = LineString(outline.exterior.coords)
    shares = np.linspace(*_STEEP, 80)
    line = LineString([ring.interpolate(float(share), normalized=True) for share in shares])
    return HillFace(line=line, kind=kind, going=_UNSTATED, side=0)


def _place_examples(kinds: Sequence[Kind], art: Art, area: Rect, *, feature_count: int) -> list[Feature]:
    """Return examples of kinds in an area, in mm at 1:1, in the order of the kinds.

    Courses run across the area and cross; each area feature gets a separate part. A road or water that comes with a
    crossing is not drawn twice. ``feature_count`` is the number of features already there; if it is not 0, the first
    part stays free.
    """
    crossings = [kind for kind in kinds if isinstance(_find_example(kind, art, area.width, area.height)[-1], Crossing)]
    crossing_kinds = {
        feature.kind for kind in crossings for feature in _find_example(kind, art, area.width, area.height)
    } - set(crossings)
    features: list[Feature] = []
    courses = 0
    areas = [kind for kind in kinds if isinstance(_find_example(kind, art, area.width, area.height)[-1], Area)]
    parts = _split_area(area, len(areas) + min(1, feature_count))[min(1, feature_count) :]
    for kind in kinds:
        if kind in areas:
            part = parts[areas.index(kind)]
            features += _move_to_area(_find_example(kind, art, part.width, part.height), part)
        elif kind not in crossing_kinds:
            examples = _move_to_area(_find_example(kind, art, area.width, area.height), area)
            if kind not in crossings:
                examples = [_rotate_course(feature, area, courses) for feature in examples]
                courses += 1
            features += examples
    return features


def _split_area(area: Rect, count: int) -> list[Rect]:
    """Return ``count`` parts of a picture for its area features, in mm at 1:1.

    Two parts are in opposite corners, three or more in quarters; more than four repeat the quarters. For 0 or 1 the
    result is the whole area.
    """
    if count < 2:
        return [area]
    share = (0.60, 0.62) if count == 2 else (0.52, 0.52)
    width, height = area.width * share[0], area.height * share[1]
    left, low = area.x, area.y
    right, high = area.right - width, area.top - height
    places = [(left, high), (right, low), (right, high), (left, low)]
    return [Rect(*places[number % len(places)], width, height) for number in range(count)]


def _move_to_area(features: Sequence[Feature], area: Rect) -> list[Feature]:
    """Return features drawn from the origin, moved to the lower left corner of an area in mm at 1:1."""
    return [transform_shapes(feature, lambda shape: affinity.translate(shape, area.x, area.y)) for feature in features]


def _rotate_course(feature: Feature, area: Rect, number: int) -> Feature:
    """Return a course in mm at 1:1; from the second on, longer and rotated so that it crosses the first.

    ``number`` counts courses from 0. Other features, and the first course, are unchanged.
    """
    if number == 0 or not isinstance(feature, Course):
        return feature
    middle = (area.x + area.width / 2, area.y + area.height / 2)
    rotated_line = affinity.rotate(affinity.scale(feature.line, 1.2, 1.2, origin=middle), 62.0 * number, origin=middle)
    return replace(feature, line=rotated_line)


def _draw_copse(board: Board, context: SymbolContext) -> LayeredItems:
    """Yield (layer, item) pairs of the single trees of open ground (good going) on a small board in printed mm."""
    places = [(x_share * board.width, y_share * board.depth) for x_share, y_share, _ in _COPSE]
    yield from draw_trees(
        places, [context.size(radius) for _, _, radius in _COPSE], "crown", context, context.stream("cards/copse")
    )

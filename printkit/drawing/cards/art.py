"""Pictures on cards: map symbols on a small field of grass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec.structs import replace
from shapely import LineString, Polygon, affinity

from printkit.content.cards import Art
from printkit.drawing.canvas.items import Item, Layer, LayeredItems, LayerName, Rect
from printkit.drawing.canvas.layers import flattened, gathered, moved
from printkit.drawing.canvas.symbol_context import Memo, SymbolContext
from printkit.drawing.cards.layouts import CardLayout
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.map.board_drawing import free_ground, scaled
from printkit.drawing.scatter.crowns import trees
from printkit.drawing.signs.catalogue import draw
from printkit.drawing.signs.lines.course_lines import all_sized
from printkit.drawing.signs.relief.bare import ground
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, HillFace, Kind, reshaped

_SCALE: Final = GroundScale(pace=0.254, base_width=40.0)
_UNSTATED: Final = Going(0, "")

# The share of the width of a field that the examples of the legend cover.
_AS_FULL: Final = 0.86

_CLEAR: Final = 1.5

# Scale of the grass relative to the other symbols, so that a small meadow still shows as one.
_GRASS: Final = 0.75

_LEVELS: Final = {2: "two_levels"}
_COVERS: Final = (
    Kind.LIGHT_WOODS,
    Kind.HEAVY_WOODS,
    Kind.WOODLAND,
    Kind.FOREST,
    Kind.LIGHT_CONIFERS,
    Kind.CONIFER_FOREST,
    Kind.MIXED_WOODS,
    Kind.LIGHT_PALMS,
    Kind.PALM_FOREST,
)
_FACES: Final = (Kind.STEEP_SLOPE, Kind.CLIFF, Kind.SCREE)

# Start and end of the steep part of a hill, as shares of its outline.
_STEEP: Final = (0.70, 0.95)

# Single trees of good going: position in shares of the field, and radius in mm at 1:1.
_COPSE: Final = ((0.20, 0.66, 4.6), (0.27, 0.60, 3.8), (0.78, 0.26, 4.2), (0.62, 0.80, 3.2))

_SPECIMENS: Final = 32
_PICTURES: Final[Memo[Layer]] = Memo(96)


def picture(art: Art, plan: CardLayout) -> Layer:
    """Return a picture on one layer, clipped to the picture window of the card layout."""
    window = plan.terrain.picture
    share = plan.terrain.number("picture", "sign") * plan.terrain.share
    fills = plan.terrain.number("picture", "fills")
    context = plan.drafter.context
    return _PICTURES.once(lambda: _drawn(art, window, context, share, fills), context, by=(art, window, share, fills))


def _drawn(art: Art, window: Rect, context: SymbolContext, share: float, fills: float) -> Layer:
    context = context.smaller(share)
    # The field is built at 1:1, scaled to the size of the window, and placed there.
    field = scaled(field_of(art, window.width / share, window.height / share, fills=fills), share)
    whole = field.board.shape

    def laid() -> Iterator[tuple[LayerName, Item]]:
        yield from ground(
            whole, context.smaller(_GRASS), free_ground(all_sized(field, context), context, beside=_CLEAR)
        )
        yield from draw(field, context)
        if not art.kinds:
            yield from _copse(field.board, context)

    return flattened(moved(gathered(laid()), window.x, window.y), LayerName.PAPER, window)


def field_of(art: Art, width: float, height: float, *, fills: float) -> Battlefield:
    """Return a field of ``width`` by ``height`` mm with the kinds of a picture across ``fills`` of it."""
    room = _room(width, height, fills)
    hills = [kind for kind in art.kinds if isinstance(_sample(kind, art, room.width, room.height)[0], Hill)]
    features: list[Feature] = []
    rest: list[Kind]
    if hills and art.kinds[0] not in _FACES:
        first = hills[0]
        features += _hill(first, art, room)
        rest = [kind for kind in art.kinds if kind != first and kind not in (*_COVERS, *_FACES)]
    else:
        rest = list(dict.fromkeys(art.kinds))
    features += _side_by_side(rest, art, room, beside=len(features))
    board = Board(width, height, _SCALE)
    return Battlefield(board=board, features=tuple(features))


def _room(width: float, height: float, fills: float) -> Rect:
    """Return the rectangle in the middle of a field in which examples cover the share ``fills``."""
    grown = fills / _AS_FULL
    return Rect(width * (1 - grown) / 2, height * (1 - grown) / 2, width * grown, height * grown)


def _sample(kind: Kind, art: Art, width: float, height: float) -> tuple[Feature, ...]:
    wanted = _LEVELS.get(art.levels, kind.value) if kind is Kind.HILL else kind.value
    return _specimen(wanted, width, height)


@lru_cache(maxsize=_SPECIMENS)
def _specimen(wanted: str, width: float, height: float) -> tuple[Feature, ...]:
    """Return the legend example with this key and size; cached, because a picture uses it often."""
    found = next(specimen for specimen in specimens() if specimen.key == wanted)
    return found.sample(width, height)


def _hill(kind: Kind, art: Art, room: Rect) -> list[Feature]:
    """Return a hill with the levels, the steep face and the cover that the picture states."""
    found: list[Feature] = []
    for feature in _in_room(_sample(kind, art, room.width, room.height), room):
        if isinstance(feature, Hill):
            cover = next((other for other in art.kinds if other in _COVERS), feature.cover)
            face = next((other for other in art.kinds if other in _FACES and other != kind), None)
            faces = feature.faces if face is None else (_face(feature.outline, face),)
            found.append(replace(feature, cover=cover, faces=faces))
        else:
            found.append(feature)
    return found


def _face(outline: Polygon, kind: Kind) -> HillFace:
    ring = LineString(outline.exterior.coords)
    spots = np.linspace(*_STEEP, 80)
    line = LineString([ring.interpolate(float(spot), normalized=True) for spot in spots])
    return HillFace(line=line, kind=kind, going=_UNSTATED, side=0)


def _side_by_side(kinds: Sequence[Kind], art: Art, room: Rect, *, beside: int) -> list[Feature]:
    """Return examples: courses across the picture, which cross, and each area in its own part."""
    crossings = [kind for kind in kinds if isinstance(_sample(kind, art, room.width, room.height)[-1], Crossing)]
    covered = {feature.kind for kind in crossings for feature in _sample(kind, art, room.width, room.height)} - set(
        crossings
    )
    found: list[Feature] = []
    courses = 0
    areas = [kind for kind in kinds if isinstance(_sample(kind, art, room.width, room.height)[-1], Area)]
    parts = _parts(room, len(areas) + min(1, beside))[min(1, beside) :]
    for kind in kinds:
        if kind in areas:
            part = parts[areas.index(kind)]
            found += _in_room(_sample(kind, art, part.width, part.height), part)
        elif kind not in covered:
            made = _in_room(_sample(kind, art, room.width, room.height), room)
            if kind not in crossings:
                made = [_across(feature, room, courses) for feature in made]
                courses += 1
            found += made
    return found


def _parts(room: Rect, count: int) -> list[Rect]:
    """Return the parts of a picture for its areas: two in opposite corners, three or more in quarters."""
    if count < 2:
        return [room]
    share = (0.60, 0.62) if count == 2 else (0.52, 0.52)
    width, height = room.width * share[0], room.height * share[1]
    left, low = room.x, room.y
    right, high = room.right - width, room.top - height
    places = [(left, high), (right, low), (right, high), (left, low)]
    return [Rect(*places[number % len(places)], width, height) for number in range(count)]


def _in_room(features: Sequence[Feature], room: Rect) -> list[Feature]:
    return [reshaped(feature, lambda shape: affinity.translate(shape, room.x, room.y)) for feature in features]


def _across(feature: Feature, room: Rect, number: int) -> Feature:
    """Return a course; from the second on, scaled and rotated so that it crosses the first."""
    if number == 0 or not isinstance(feature, Course):
        return feature
    middle = (room.x + room.width / 2, room.y + room.height / 2)
    turned = affinity.rotate(affinity.scale(feature.line, 1.2, 1.2, origin=middle), 62.0 * number, origin=middle)
    return replace(feature, line=turned)


def _copse(board: Board, context: SymbolContext) -> LayeredItems:
    """Draw the single trees of good going."""
    places = [(across * board.width, up * board.depth) for across, up, _ in _COPSE]
    yield from trees(
        places, [context.size(radius) for _, _, radius in _COPSE], "crown", context, context.stream("cards/copse")
    )

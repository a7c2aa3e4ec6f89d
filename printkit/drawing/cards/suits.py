"""Card suits as shapes, corner indices, and half-turns of items."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import shapely
from msgspec.structs import replace
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import CardSize, Index, Suit
from printkit.core.resources import resource
from printkit.drawing.canvas.items import (
    GRID,
    Affine,
    Anchor,
    Font,
    Item,
    Join,
    Path,
    PathRun,
    Picture,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.layouts import LEAST_PT, CardLayout
from printkit.drawing.lettering.lettering import line, shrink_to_fit

# --- Half-turns: items repeated upside down in the opposite corner of a card ------------------------------------------


def rotated(items: Iterable[Item], size: CardSize) -> tuple[Item, ...]:
    """Return items rotated by 180 degrees about the middle of a card; positions are in printed mm.

    Raises:
        TypeError: one of them is a painted picture.
    """
    return tuple(_rotate_item(item, size) for item in items)


def rotated_run(run: PathRun, size: CardSize) -> PathRun:
    """Return a run rotated by 180 degrees about the middle of a card."""
    grid_width, grid_height = round(size.width / GRID), round(size.height / GRID)
    points = run.points
    coordinates = [
        value for x, y in zip(points[::2], points[1::2], strict=True) for value in (grid_width - x, grid_height - y)
    ]
    return PathRun(tuple(coordinates), run.closed)


def with_rotated_runs(paths: Iterable[Path], size: CardSize) -> tuple[Path, ...]:
    """Return paths with all runs twice: unchanged, and rotated by 180 degrees."""
    return tuple(replace(path, runs=(*path.runs, *(rotated_run(run, size) for run in path.runs))) for path in paths)


def _rotate_item(item: Item, size: CardSize) -> Item:
    """Return the item rotated by 180 degrees about the middle of a card.

    Raises:
        TypeError: it is a painted picture.
    """
    match item:
        case Path():
            return replace(item, runs=tuple(rotated_run(run, size) for run in item.runs))
        case Text():
            position = (size.width - item.at[0], size.height - item.at[1])
            glyphs = tuple((size.width - x, size.height - y, _add_half_turn(angle)) for x, y, angle in item.glyphs)
            return replace(item, at=position, angle=_add_half_turn(item.angle), glyphs=glyphs)
        case Stamp():
            places = tuple(
                Affine(-place.a, -place.b, -place.c, -place.d, size.width - place.e, size.height - place.f)
                for place in item.places
            )
            return replace(item, places=places)
        case Picture():
            raise TypeError("no card bears a painted picture")


def _add_half_turn(angle: float) -> float:
    """Return the angle in degrees plus 180, between -360 and 360."""
    return math.fmod(angle + 180.0, 360.0)


RED: Final = (Suit.HEARTS, Suit.DIAMONDS)

_HOLLOW_LINE: Final = 0.42


def suit_shape(suit: Suit, height: float, middle: tuple[float, float]) -> BaseGeometry:
    """Return the shape of a suit, ``height`` mm high, centred on ``middle`` (mm on the card)."""
    shape = _unit_shapes()[suit]
    left, low, right, high = shape.bounds
    scale = height / (high - low)
    centred_shape = affinity.translate(shape, -(left + right) / 2, -(low + high) / 2)
    return affinity.translate(affinity.scale(centred_shape, scale, scale, origin=(0, 0)), *middle)


def suit_items(suit: Suit, height: float, middle: tuple[float, float], plan: CardLayout) -> list[Item]:
    """Return a suit, ``height`` mm high and centred on ``middle`` (mm on the card).

    It is filled. In a style without washes red suits are hollow, to tell them apart.
    """
    shape = suit_shape(suit, height, middle)
    if suit not in RED:
        return [*fill(shape, plan.drafter.style.solid("ink"))]
    ink = plan.drafter.style.solid("side-red")
    if plan.drafter.style.washes:
        return [*fill(shape, ink)]
    # The line is inside the shape, so that all suits have the same size.
    inner = shape.buffer(-_HOLLOW_LINE / 2, join_style="mitre")
    return [*outline(inner, Stroke(ink, _HOLLOW_LINE, join=Join.MITRE))]


def index_token(index: Index) -> str:
    """Return the name of the ink of an index: red for red suits."""
    return "side-red" if index.suit in RED else "ink"


def corner_index(index: Index, plan: CardLayout) -> tuple[Item, ...]:
    """Return the items of rank and suit in both upper corners, and the same rotated by 180 degrees in the lower ones.

    Items are in printed mm. An index without a suit has only its text. The sizes scale with the card.
    """
    layout, size = plan.terrain, plan.size
    # The cut corners of the picture scale with the card, and so does the index in them.
    reach = layout.share
    style = plan.drafter.type_style(Font.INDEX, max(LEAST_PT, layout.scaled("index", "size")), index_token(index))
    style = shrink_to_fit(index.text, style, layout.scaled("index", "widest"))
    x = layout.picture.x + (layout.number("index", "left") - layout.number("picture", "left")) * reach
    index_gap = (layout.number("index", "below_top") - layout.number("picture", "below_top")) * reach
    items: list[Item] = [*line(index.text, (x, layout.picture.top - index_gap), style, anchor=Anchor.MIDDLE)]
    if index.suit is not None:
        right_gap = (layout.number("suit", "right") - layout.number("picture", "left")) * reach
        top_gap = (layout.number("suit", "below_top") - layout.number("picture", "below_top")) * reach
        middle = (layout.picture.right - right_gap, layout.picture.top - top_gap)
        items += suit_items(index.suit, layout.scaled("suit", "height"), middle, plan)
    return (*items, *rotated(items, size))


@cache
def _unit_shapes() -> Mapping[str, BaseGeometry]:
    """Return the shape of each suit by its value, about 2 units high around the origin, with y upwards."""
    shapes = json.loads(resource("templates/patterns", "suits.json").read_bytes())
    return {suit: shapely.from_wkb(shape) for suit, shape in shapes.items()}

"""Paint hedges, fences and walls on a mat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.shapes import lines
from printkit.drawing.mats.frames import beside
from printkit.drawing.mats.painter import Painter, PlacedSprite
from printkit.terrain.field.features import Kind

_POSTS: Final = 4.5
_ZIGZAG: Final = 1.1
# Hedges use only the first bush sprites, as many as this.
_HEDGED: Final = 2


def border(painter: Painter, kind: Kind, line: BaseGeometry, key: str, gaps: BaseGeometry | None = None) -> None:
    """Paint a border along a line inside the board, except on ``gaps`` (roads)."""
    shown = shapely.intersection(line, painter.board.buffer(-painter.k))
    if gaps is not None and not gaps.is_empty:
        shown = shapely.difference(shown, gaps)
    for number, part in enumerate(lines(shown)):
        if part.length > painter.k:
            _BORDERS[kind](painter, part, f"{key}/{number}", kind)


def _hedge(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    k, stream = painter.k, painter.stream(key)
    puts, along, sort = list[PlacedSprite](), 0.0, painter.plants.get("bush", "bush")
    while along < line.length:
        at = line.interpolate(along)
        size = stream.between(0.42, 0.66) * (1.0 if stream.draw_unit() < 0.94 else 1.5)
        x, y = at.x + stream.draw_normal(0.35) * k, at.y + stream.draw_normal(0.35) * k
        puts.append(PlacedSprite(f"{sort}{stream.draw_index(_HEDGED)}", x, y, size, stream.draw_unit() < 0.5))
        along += stream.between(1.5, 2.5) * k
    painter.shadows(puts, 2.9, 0.55, 0.5)
    painter.sprites(puts)


def _fence(painter: Painter, line: LineString, key: str, kind: Kind) -> None:
    k, stream = painter.k, painter.stream(key)
    posts = []
    for number, along in enumerate(np.arange(0.0, line.length, _POSTS * k).tolist()):
        aside = (-1) ** number * _ZIGZAG if kind is Kind.WORM_FENCE else 0.0
        posts.append(beside(line, along, (aside + stream.draw_normal(0.15)) * k, k))
    if len(posts) < 2:
        return
    rail = LineString(posts)
    painter.line(translate(rail, 0.7 * k, -0.8 * k), (20, 20, 8), 0.8, 0.45)
    painter.line(rail, (96, 78, 52), 0.75)
    painter.line(translate(rail, -0.12 * k, 0.12 * k), (176, 152, 112), 0.32)
    painter.fill(shapely.union_all([Point(at).buffer(0.55 * k, 4) for at in posts]), (74, 58, 38))
    tops = shapely.union_all([Point(x - 0.1 * k, y + 0.1 * k).buffer(0.34 * k, 4) for x, y in posts])
    painter.fill(tops, (160, 138, 102))


def _wall(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    k, stream = painter.k, painter.stream(key)
    painter.line(translate(line, 0.9 * k, -0.9 * k), (18, 16, 8), 2.6, 0.5)
    painter.line(line, (88, 82, 70), 2.4)
    painter.sprites(
        [
            PlacedSprite(painter.picked(stream, "stone"), x, y, stream.between(0.24, 0.32), stream.draw_unit() < 0.5)
            for x, y in _courses(line, k)
        ]
    )


def _courses(line: LineString, k: float) -> Iterator[tuple[float, float]]:
    for along in np.arange(0.0, line.length, 1.25 * k).tolist():
        for off in (-0.5 * k, 0.55 * k):
            yield beside(line, along, off, 0.6 * k)


_BORDERS: Final = {Kind.HEDGE: _hedge, Kind.FENCE: _fence, Kind.WORM_FENCE: _fence, Kind.WALL: _wall}

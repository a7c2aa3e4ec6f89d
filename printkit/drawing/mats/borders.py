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
from printkit.drawing.mats.frames import offset_point
from printkit.drawing.mats.painter import Painter, PlacedSprite
from printkit.terrain.field.features import Kind

_POSTS: Final = 4.5
_ZIGZAG: Final = 1.1
# Hedges use only the first bush sprites, as many as this.
_HEDGE_SPRITES: Final = 2


def paint_border(painter: Painter, kind: Kind, line: BaseGeometry, key: str, gaps: BaseGeometry | None = None) -> None:
    """Paint a hedge, fence or wall along a line inside the board, except on ``gaps`` (roads).

    Line and gaps are in printed mm; ``key`` names the random streams. Parts up to 1 mm at 1:1 long are left out. The
    items are added to ``painter``.

    Raises:
        KeyError: ``kind`` is not a hedge, fence, worm fence or wall.
    """
    visible = shapely.intersection(line, painter.board.buffer(-painter.k))
    if gaps is not None and not gaps.is_empty:
        visible = shapely.difference(visible, gaps)
    for number, part in enumerate(lines(visible)):
        if part.length > painter.k:
            _BORDERS[kind](painter, part, f"{key}/{number}", kind)


def _paint_hedge(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    """Paint a hedge of bushes along a line in printed mm; ``key`` names the random stream.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    puts, distance, sprite_kind = list[PlacedSprite](), 0.0, painter.plants.get("bush", "bush")
    while distance < line.length:
        point = line.interpolate(distance)
        size = stream.between(0.42, 0.66) * (1.0 if stream.draw_unit() < 0.94 else 1.5)
        x, y = point.x + stream.draw_normal(0.35) * k, point.y + stream.draw_normal(0.35) * k
        puts.append(
            PlacedSprite(f"{sprite_kind}{stream.draw_index(_HEDGE_SPRITES)}", x, y, size, stream.draw_unit() < 0.5)
        )
        distance += stream.between(1.5, 2.5) * k
    painter.paint_shadows(puts, 2.9, 0.55, 0.5)
    painter.paint_sprites(puts)


def _paint_fence(painter: Painter, line: LineString, key: str, kind: Kind) -> None:
    """Paint a fence with posts along a line in printed mm; a worm fence zigzags.

    A line with fewer than two posts stays empty. ``key`` names the random stream. The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    posts = []
    for number, distance in enumerate(np.arange(0.0, line.length, _POSTS * k).tolist()):
        offset = (-1) ** number * _ZIGZAG if kind is Kind.WORM_FENCE else 0.0
        posts.append(offset_point(line, distance, (offset + stream.draw_normal(0.15)) * k, k))
    if len(posts) < 2:
        return
    rail = LineString(posts)
    painter.line(translate(rail, 0.7 * k, -0.8 * k), (20, 20, 8), 0.8, 0.45)
    painter.line(rail, (96, 78, 52), 0.75)
    painter.line(translate(rail, -0.12 * k, 0.12 * k), (176, 152, 112), 0.32)
    painter.fill(shapely.union_all([Point(post).buffer(0.55 * k, 4) for post in posts]), (74, 58, 38))
    tops = shapely.union_all([Point(x - 0.1 * k, y + 0.1 * k).buffer(0.34 * k, 4) for x, y in posts])
    painter.fill(tops, (160, 138, 102))


def _paint_wall(painter: Painter, line: LineString, key: str, _: Kind) -> None:
    """Paint a wall of stones along a line in printed mm; ``key`` names the random stream.

    The items are added to ``painter``.
    """
    k, stream = painter.k, painter.stream(key)
    painter.line(translate(line, 0.9 * k, -0.9 * k), (18, 16, 8), 2.6, 0.5)
    painter.line(line, (88, 82, 70), 2.4)
    painter.paint_sprites(
        [
            PlacedSprite(
                painter.pick_sprite(stream, "stone"), x, y, stream.between(0.24, 0.32), stream.draw_unit() < 0.5
            )
            for x, y in _stone_positions(line, k)
        ]
    )


def _stone_positions(line: LineString, k: float) -> Iterator[tuple[float, float]]:
    """Yield the positions of stones in two rows along a line, in printed mm.

    ``k`` is the printed length of 1 mm at 1:1.
    """
    for distance in np.arange(0.0, line.length, 1.25 * k).tolist():
        for offset in (-0.5 * k, 0.55 * k):
            yield offset_point(line, distance, offset, 0.6 * k)


_BORDERS: Final = {
    Kind.HEDGE: _paint_hedge,
    Kind.FENCE: _paint_fence,
    Kind.WORM_FENCE: _paint_fence,
    Kind.WALL: _paint_wall,
}

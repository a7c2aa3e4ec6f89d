"""The stock of pictures for mats: repeating textures, and sprites with soft edges, made by ``tools/mats``.

All are lit from the north-west and have 150 dots per inch. A texture repeats after ``PERIOD`` mm and is stored with an
overlap, so that its seams are invisible.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from PIL import Image

from printkit.core.resources import names, resource
from printkit.drawing.canvas.items import Rect

DOTS_PER_INCH: Final = 150
DOTS_PER_MM: Final = DOTS_PER_INCH / 25.4
TEXTURE_DOTS: Final = 1024
LAP_DOTS: Final = 8
# A texture repeats after this many mm.
PERIOD: Final = TEXTURE_DOTS / DOTS_PER_MM

# Overlap in mm of a stored texture past its period, to the right and below.
LAP: Final = LAP_DOTS / DOTS_PER_MM

_TEXTURES: Final = "templates/mats"
_SPRITES: Final = "templates/mats/sprites"


class Texture(NamedTuple):
    """A texture as a JPEG file: size in dots with the overlap, and bytes."""

    width: int
    height: int
    data: bytes


class Sprite(NamedTuple):
    """A sprite: size in dots, RGB bytes row by row from the top, and alpha bytes."""

    width: int
    height: int
    colours: bytes
    cover: bytes

    @property
    def size(self) -> tuple[float, float]:
        """Return the original width and height in mm at 1:1."""
        return self.width / DOTS_PER_MM, self.height / DOTS_PER_MM


@cache
def is_sprite(name: str) -> bool:
    """Return whether the stock has a sprite of that name."""
    return name in names(_SPRITES, ".png")


@cache
def sprite_count(sprite_kind: str) -> int:
    """Return the number of sprites of a kind, for example ``oak``; they are numbered from 0."""
    return sum(name.rstrip("0123456789") == sprite_kind for name in names(_SPRITES, ".png"))


@cache
def texture(name: str) -> Texture:
    """Return the texture with a name.

    Raises:
        ResourceError: there is no such texture.
    """
    side = TEXTURE_DOTS + LAP_DOTS
    return Texture(side, side, resource(_TEXTURES, f"{name}.jpg").read_bytes())


@cache
def sprite(name: str) -> Sprite:
    """Return the sprite with a name.

    Raises:
        ResourceError: there is no such sprite.
    """
    image = Image.open(io.BytesIO(resource(_SPRITES, f"{name}.png").read_bytes()))
    return Sprite(*image.size, image.convert("RGB").tobytes(), image.getchannel("A").tobytes())


def cells_of(frame: Rect, origin: tuple[float, float], rotation_deg: float, side: float) -> Iterator[tuple[int, int]]:
    """Yield column and row of each lattice cell that meets a frame, upper rows first.

    Args:
        frame: the frame in printed mm.
        origin: a corner of the lattice, in printed mm.
        rotation_deg: rotation of the lattice about its origin, in degrees anticlockwise.
        side: side of a cell in printed mm.
    """
    cosine, sine = math.cos(math.radians(rotation_deg)), math.sin(math.radians(rotation_deg))
    corners = [(x - origin[0], y - origin[1]) for x in (frame.x, frame.right) for y in (frame.y, frame.top)]
    xs = [x * cosine + y * sine for x, y in corners]
    ys = [y * cosine - x * sine for x, y in corners]
    for row in range(math.floor((max(ys) + LAP) / side), math.floor(min(ys) / side) - 1, -1):
        for column in range(math.floor((min(xs) - LAP) / side), math.floor(max(xs) / side) + 1):
            yield column, row

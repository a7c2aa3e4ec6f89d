"""The painter of a mat: textures and inks through masks, sprites with shadows, and lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from msgspec import Struct, field
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Affine, Artwork, Cap, Ink, Item, Join, Mask, Picture, Rect, Stamp, Stroke
from printkit.drawing.canvas.shapes import fill, outline, runs
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.mats.raster import Dots, Raster, bump, inside, noise, raster_about
from printkit.drawing.mats.stock import DOTS_PER_INCH, how_many, sprite
from printkit.drawing.scatter.scatter import poisson_points

# Resolution in dpi of a mask with a sharp outline.
FINE: Final = 75.0

_COARSE: Final = 36.0
_SOFT: Final = 10.0
# Margin in mm of masks round their ground.
_PAD: Final = 8.0

_KEPT: Final = 3
_SOFT_BLOB: Final = "blob"
_BLOB: Final = 10.0
# A veil does not lighten inks whose components are all at most this, so lines and shading stay dark.
_DARK: Final = 72


class EdgeSide(StrEnum):
    """The side of an outline to paint."""

    BOTH = "both"
    INSIDE = "inside"
    OUTSIDE = "outside"


class PlacedSprite(NamedTuple):
    """A placed sprite: position, size relative to its picture, and whether it is mirrored on the axis of the light."""

    name: str
    x: float
    y: float
    size: float
    mirrored: bool = False


class TextureLattice(NamedTuple):
    """The lattice of a texture: rotation in degrees about an origin."""

    turn: float = 0.0
    origin: tuple[float, float] = (0.0, 0.0)


_STRAIGHT: Final = TextureLattice()


class Painter(Struct):
    """Collects the items of a board in printed mm. ``k`` is the size of symbols relative to 1:1.

    ``plants`` replaces plant sprites with those for the climate of the board.
    """

    context: SymbolContext
    board: Polygon
    veil: float
    plants: Mapping[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    _measured: dict[tuple[int, float], tuple[Raster, Dots, BaseGeometry]] = field(default_factory=dict)

    @property
    def k(self) -> float:
        """Return the printed size in mm of a symbol of 1 mm."""
        return self.context.symbol_scale

    def stream(self, name: str) -> Stream:
        """Return the random stream of a name."""
        return self.context.stream(f"mats/{name}")

    def raster(self, area: BaseGeometry, pad: float, dpi: float = FINE) -> Raster:
        """Return a raster over an area and a margin of ``pad`` mm."""
        return raster_about(area.bounds, pad * self.k, dpi)

    def depths(self, ground: BaseGeometry, dpi: float = FINE) -> tuple[Raster, Dots]:
        """Return a raster over some ground and the depth of each dot inside it, in mm. The last few are cached."""
        key = (id(ground), dpi)
        if key not in self._measured:
            while len(self._measured) >= _KEPT:
                del self._measured[next(iter(self._measured))]
            raster = self.raster(ground, _PAD, dpi)
            # Keep a reference to the ground, so that its id is not reused.
            self._measured[key] = (raster, inside(ground, raster), ground)
        raster, found, _ = self._measured[key]
        return raster, found

    def texture(
        self,
        name: str,
        raster: Raster | None = None,
        mask: Dots | None = None,
        *,
        lie: TextureLattice = _STRAIGHT,
        clip: Polygon | None = None,
    ) -> None:
        """Paint a texture through a mask, inside an outline, or over the board."""
        if clip is not None:
            left, low, right, high = clip.bounds
            frame = Rect(left, low, right - left, high - low)
        elif raster is not None:
            frame = raster.frame
        else:
            left, low, right, high = self.board.bounds
            frame = Rect(left, low, right - left, high - low)
        if mask is not None and not mask.any():
            return
        levels = None if mask is None else _mask(mask, 31)
        cut = None if clip is None else runs(clip, closed=True)[0]
        self.items.append(
            Picture(
                paint=name,
                frame=frame,
                mask=levels,
                clip=cut,
                turn=lie.turn,
                origin=lie.origin,
                size=self.k * DOTS_PER_INCH / self.context.style.dots,
                veil=self.veil,
            )
        )

    def ink(self, colour: Sequence[int], raster: Raster, mask: Dots, *, levels: int = 31) -> None:
        """Paint an ink through a mask."""
        if mask.any():
            self.items.append(Picture(paint=self.mixed(colour), frame=raster.frame, mask=_mask(mask, levels)))

    def mixed(self, colour: Sequence[int], alpha: float = 1.0) -> Ink:
        """Return an ink, lightened by the veil unless it is dark."""
        ink = Ink(colour[0], colour[1], colour[2], alpha)
        return ink if not self.veil or max(ink[:3]) <= _DARK else ink.mix(Ink(255, 255, 255), self.veil)

    def area(
        self,
        name: str,
        ground: BaseGeometry,
        feather: float,
        wobble: float,
        key: str,
        *,
        lie: TextureLattice = _STRAIGHT,
        gain: float = 1.0,
    ) -> None:
        """Paint ground with a texture; its edge is soft over ``feather`` mm and varies by ``wobble`` mm."""
        if ground.is_empty:
            return
        stream, k = self.stream(f"{key}/{name}"), self.k
        # A soft edge needs no fine dots.
        raster, deep = self.depths(ground, FINE if feather < _SOFT else _COARSE)
        waver = 0.65 * noise("middle", raster, 60 * k, stream) + 0.5 * noise("middle", raster, 17 * k, stream)
        depth = deep + np.clip(waver, -1.6, 1.6) * wobble * k
        self.texture(name, raster, np.clip(depth / (feather * k) + 0.5, 0.0, 1.0) * gain, lie=lie)

    def rim(
        self,
        ground: BaseGeometry,
        colour: Sequence[int],
        width: float,
        alpha: float,
        key: str,
        side: EdgeSide = EdgeSide.BOTH,
    ) -> None:
        """Paint a soft band along an outline."""
        if ground.is_empty:
            return
        raster, deep = self.depths(ground)
        stream = self.stream(f"{key}/rim")
        depth = deep + noise("middle", raster, 40 * self.k, stream) * 0.4 * self.k
        band = bump(depth, width * self.k)
        if side is not EdgeSide.BOTH:
            other = bump(depth, (0.25 * width + 0.2) * self.k)
            band = np.where((depth > 0) == (side is EdgeSide.INSIDE), band, other)
        self.ink(colour, raster, band * alpha)

    def line(self, shape: BaseGeometry, colour: Sequence[int], width: float, alpha: float = 1.0) -> None:
        """Draw a line of ``width`` mm in a colour."""
        stroke = Stroke(self.mixed(colour, alpha), width * self.k, cap=Cap.BUTT, join=Join.ROUND)
        self.items += outline(shape, stroke)

    def fill(self, shape: BaseGeometry, colour: Sequence[int], alpha: float = 1.0) -> None:
        """Fill a shape with a colour."""
        self.items += fill(shape, self.mixed(colour, alpha))

    def shadows(self, puts: Iterable[PlacedSprite], wide: float, alpha: float, off: float) -> None:
        """Paint a soft shadow under each sprite. ``wide`` is its radius in mm at the sprite's original size."""
        blob = _stamped(_SOFT_BLOB, 0.0, alpha)
        places = []
        for put in puts:
            radius = wide * put.size * self.k
            size = 2.3 * radius / _BLOB
            places.append(Affine(size, 0.0, 0.0, size, put.x + radius * off, put.y - radius * off))
        if places:
            self.items.append(Stamp(blob, tuple(places)))

    def sprites(self, puts: Sequence[PlacedSprite], *, overlapping: bool = True, veiled: float = 1.0) -> None:
        """Paint sprites in order, under a share of the veil. Sprites that do not overlap are grouped by picture."""
        if not overlapping:
            puts = sorted(puts, key=lambda put: put.name)
        row: list[Affine] = []
        for number, put in enumerate(puts):
            size = put.size * self.k
            row.append(
                Affine(0.0, -size, -size, 0.0, put.x, put.y)
                if put.mirrored
                else Affine(size, 0.0, 0.0, size, put.x, put.y)
            )
            if number + 1 == len(puts) or puts[number + 1].name != put.name:
                self.items.append(Stamp(_stamped(put.name, round(self.veil * veiled, 3), 1.0), tuple(row)))
                row = []

    def scattered(
        self,
        ground: BaseGeometry,
        sort: str,
        spacing: float,
        sizes: tuple[float, float],
        key: str,
        *,
        share: float = 1.0,
        small: float = 1.0,
    ) -> list[PlacedSprite]:
        """Return sprites scattered over ground.

        Args:
            ground: the area for the sprites.
            sort: the kind of sprite, for example ``bush``.
            spacing: minimum distance in mm at 1:1.
            sizes: minimum and maximum size, relative to the picture.
            key: name of the random stream.
            share: the share of places that get a sprite.
            small: exponent of the size distribution, 1, 2 or 3; higher means more small sprites.
        """
        if ground.is_empty:
            return []
        stream = self.stream(f"{key}/{sort}")
        return self.chosen(
            poisson_points(ground, spacing * self.k, stream), sort, sizes, stream, share=share, small=small
        )

    def chosen(
        self,
        places: Dots,
        sort: str,
        sizes: tuple[float, float],
        stream: Stream,
        *,
        share: Dots | float = 1.0,
        small: float = 1.0,
    ) -> list[PlacedSprite]:
        """Return sprites at some of the places; ``share`` is the probability of each place."""
        count = len(places)
        draws = stream.draw_array(4 * count).reshape(4, -1)
        grown = draws[1]
        for _ in range(round(small) - 1):
            grown = grown * draws[1]
        size = sizes[0] + (sizes[1] - sizes[0]) * grown
        sort = self.plants.get(sort, sort)
        kinds = (draws[2] * how_many(sort)).astype(np.int64)
        rows = zip(places.tolist(), size.tolist(), kinds.tolist(), (draws[3] < 0.5).tolist(), strict=True)
        taken = (draws[0] < share).tolist()
        return [
            PlacedSprite(f"{sort}{kind}", x, y, large, mirrored)
            for ((x, y), large, kind, mirrored), is_taken in zip(rows, taken, strict=True)
            if is_taken
        ]

    def picked(self, stream: Stream, sort: str) -> str:
        """Return the name of a random sprite of a kind."""
        sort = self.plants.get(sort, sort)
        return f"{sort}{stream.draw_index(how_many(sort))}"


def _mask(values: Dots, levels: int) -> Mask:
    """Return a mask with few levels, so that it compresses well."""
    whole = np.rint(np.clip(values, 0.0, 1.0) * levels) * (255.0 / levels)
    height, width = values.shape
    return Mask(width, height, np.floor(whole + 0.5).astype(np.uint8).tobytes())


@cache
def _stamped(name: str, veil: float, alpha: float) -> Artwork:
    """Return a sprite as artwork centred on the origin."""
    wide, high = (_BLOB, _BLOB) if name == _SOFT_BLOB else sprite(name).size
    frame = Rect(-wide / 2, -high / 2, wide, high)
    return Artwork(f"{name}/{math.ceil(alpha * 100)}", (), (Picture(paint=name, frame=frame, veil=veil, alpha=alpha),))

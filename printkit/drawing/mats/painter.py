"""The painter of a mat: textures and inks through masks, sprites with shadows, lines, and the stock of pictures.

All are lit from the north-west and have 150 dots per inch. A texture repeats after ``PERIOD`` mm and is stored with an
overlap, so that its seams are invisible.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import Struct, convert, field
from PIL import Image
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Stream
from printkit.core.resources import names, resource, template
from printkit.drawing.canvas.items import Affine, Artwork, Cap, Ink, Item, Join, Mask, Picture, Rect, Stamp, Stroke
from printkit.drawing.canvas.plain import WHITE
from printkit.drawing.canvas.shapes import fill, outline, runs
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.mats.raster import Dots, Raster, bump, inside, raster_about, raster_noise
from printkit.drawing.scatter.crowns import poisson_points
from printkit.kit.countryside import Countryside

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


Colour: TypeAlias = tuple[int, int, int]


class Climate(StrEnum):
    """The climate of a mat."""

    TEMPERATE = "temperate"
    DRY = "dry"
    WINTER = "winter"


class ParcelLook(Struct, frozen=True, kw_only=True):
    """The look of a parcel of the dressing.

    Attributes:
        texture: its texture in rows; empty for none.
        gain: opacity of the texture.
        bare: opacity of the soil under it.
        tint: opacity of the green of a pasture.
        rim: opacity of the shade inside its edge.
        soft: how soft its edge is, relative to that of a tilled field.
    """

    texture: str = ""
    gain: float = 0.0
    bare: float = 0.0
    tint: float = 0.0
    rim: float = 0.0
    soft: float = 1.0


class DressingLook(Struct, frozen=True, kw_only=True):
    """The look of the dressing.

    Attributes:
        grass: texture and opacity of grass.
        rough: texture and opacity of rough grass.
        soil: the colour of bare soil.
        verge: opacity of the soil beside a lane.
        track: opacity of a lane.
        parcels: the look of parcels, by their use.
    """

    grass: tuple[str, float]
    rough: tuple[str, float]
    soil: Colour
    verge: float
    track: float
    parcels: dict[str, ParcelLook]


class ClimateLook(Struct, frozen=True, kw_only=True):
    """The look of a climate: two textures and three tints of open ground, and names of other textures and sprites.

    ``plants`` replaces the sprites of plants that do not have their summer look. ``dressing`` is the look of the
    landscape between the features.
    """

    ground: str
    second: str
    tints: tuple[Colour, Colour, Colour]
    bare: str
    meadow: str
    tuft: str
    stone: str
    dressing: DressingLook
    plants: dict[str, str] = {}


COUNTRIES: Final = convert(template("symbols", "climates"), dict[Climate, ClimateLook])


def climate_of(countryside: Countryside) -> Climate:
    """Return the climate for a countryside: dry for dry land and steppe, otherwise temperate."""
    return Climate.DRY if countryside in (Countryside.DRY, Countryside.STEPPE) else Climate.TEMPERATE


# Resolution in dpi of a mask with a sharp outline.
FINE: Final = 75.0

_COARSE: Final = 36.0
_SOFT_FEATHER: Final = 10.0
# Margin in mm of masks round their ground.
_PAD: Final = 8.0

_CACHED_RASTERS: Final = 3
_SOFT_BLOB: Final = "blob"
_BLOB: Final = 10.0
# A veil does not lighten inks whose components are all at most this, so lines and shading stay dark.
_MAX_DARK: Final = 72


class EdgeSide(StrEnum):
    """The side of an outline to paint."""

    BOTH = "both"
    INSIDE = "inside"
    OUTSIDE = "outside"


class PlacedSprite(NamedTuple):
    """A placed sprite: position, size relative to its picture, and whether it is mirrored on the axis of the light.

    ``x`` and ``y`` are in printed mm; a ``size`` of 1 is the natural size of the picture.
    """

    name: str
    x: float
    y: float
    size: float
    mirrored: bool = False


class TextureLattice(NamedTuple):
    """The lattice of a texture: rotation in degrees about an origin."""

    rotation_deg: float = 0.0
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
    _depth_cache: dict[tuple[int, float], tuple[Raster, Dots, BaseGeometry]] = field(default_factory=dict)

    @property
    def k(self) -> float:
        """Return the printed length in mm of 1 mm at 1:1, for symbols."""
        return self.context.symbol_scale

    def stream(self, name: str) -> Stream:
        """Return the random stream of a name."""
        return self.context.stream(f"mats/{name}")

    def make_raster(self, area: BaseGeometry, pad: float, dpi: float = FINE) -> Raster:
        """Return a raster over an area in printed mm and a margin of ``pad`` mm at 1:1.

        ``dpi`` is its number of dots per inch.
        """
        return raster_about(area.bounds, pad * self.k, dpi)

    def measure_depths(self, ground: BaseGeometry, dpi: float = FINE) -> tuple[Raster, Dots]:
        """Return a raster over some ground and the depth of each dot inside it, in printed mm.

        The raster extends 8 mm at 1:1 past the ground. Depths are negative outside. The last three results are cached,
        by the identity of ``ground``. ``dpi`` is the number of dots per inch of the raster.
        """
        key = (id(ground), dpi)
        if key not in self._depth_cache:
            while len(self._depth_cache) >= _CACHED_RASTERS:
                del self._depth_cache[next(iter(self._depth_cache))]
            raster = self.make_raster(ground, _PAD, dpi)
            # Keep a reference to the ground, so that its id is not reused.
            self._depth_cache[key] = (raster, inside(ground, raster), ground)
        raster, depths_mm, _ = self._depth_cache[key]
        return raster, depths_mm

    def paint_texture(
        self,
        name: str,
        raster: Raster | None = None,
        mask: Dots | None = None,
        *,
        lattice: TextureLattice = _STRAIGHT,
        clip: Polygon | None = None,
        alpha: float = 1.0,
    ) -> None:
        """Paint a texture through a mask, inside an outline, or over the complete board.

        The items are added to the painter.

        Args:
            name: the texture.
            raster: the dots of the mask; None without a mask.
            mask: the opacity of each dot, 0 to 1; all 0 paints nothing.
            lattice: rotation and origin of the texture.
            clip: an outline in printed mm, instead of a raster.
            alpha: a factor of the opacity, 0 to 1. Paints with equal masks share one in the file.
        """
        if clip is not None:
            left, bottom, right, top = clip.bounds
            frame = Rect(left, bottom, right - left, top - bottom)
        elif raster is not None:
            frame = raster.frame
        else:
            left, bottom, right, top = self.board.bounds
            frame = Rect(left, bottom, right - left, top - bottom)
        if mask is not None and not mask.any():
            return
        levels = None if mask is None else _make_mask(mask, 31)
        clip_path = None if clip is None else runs(clip, closed=True)[0]
        self.items.append(
            Picture(
                paint=name,
                frame=frame,
                mask=levels,
                clip=clip_path,
                turn=lattice.rotation_deg,
                origin=lattice.origin,
                size=self.k * DOTS_PER_INCH / self.context.style.dots,
                veil=self.veil,
                alpha=alpha,
            )
        )

    def paint_ink(
        self, colour: Sequence[int], raster: Raster, mask: Dots, *, levels: int = 31, alpha: float = 1.0
    ) -> None:
        """Paint a colour through a mask: the opacity of each dot of the raster, 0 to 1.

        ``colour`` is red, green and blue from 0 to 255; ``levels`` is the number of steps of the mask, and ``alpha`` a
        factor of the opacity, 0 to 1. The items are added to the painter.
        """
        if mask.any():
            ink = self.veil_ink(colour, alpha)
            self.items.append(Picture(paint=ink, frame=raster.frame, mask=_make_mask(mask, levels)))

    def veil_ink(self, colour: Sequence[int], alpha: float = 1.0) -> Ink:
        """Return an ink, lightened by the veil unless it is dark.

        ``colour`` is red, green and blue from 0 to 255; ``alpha`` is the opacity, 0 to 1.
        """
        ink = Ink(colour[0], colour[1], colour[2], alpha)
        return ink if not self.veil or max(ink[:3]) <= _MAX_DARK else ink.mix(WHITE, self.veil)

    def paint_area(
        self,
        name: str,
        ground: BaseGeometry,
        feather: float,
        wobble: float,
        key: str,
        *,
        lattice: TextureLattice = _STRAIGHT,
        gain: float = 1.0,
    ) -> None:
        """Paint ground in printed mm with a texture and a soft, irregular edge.

        ``name`` is that of the texture. The edge is soft over ``feather`` and varies by ``wobble``, both in mm at 1:1.
        ``gain`` is the opacity inside, 0 to 1; ``key`` names the random stream. The items are added to the painter.
        """
        if ground.is_empty:
            return
        stream, k = self.stream(f"{key}/{name}"), self.k
        # A soft edge needs no fine dots.
        raster, depth_mm = self.measure_depths(ground, FINE if feather < _SOFT_FEATHER else _COARSE)
        waver = 0.65 * raster_noise("middle", raster, 60 * k, stream) + 0.5 * raster_noise(
            "middle", raster, 17 * k, stream
        )
        depth = depth_mm + np.clip(waver, -1.6, 1.6) * wobble * k
        self.paint_texture(name, raster, np.clip(depth / (feather * k) + 0.5, 0.0, 1.0) * gain, lattice=lattice)

    def paint_rim(
        self,
        ground: BaseGeometry,
        colour: Sequence[int],
        width: float,
        alpha: float,
        key: str,
        side: EdgeSide = EdgeSide.BOTH,
    ) -> None:
        """Paint a soft band along the outline of an area in printed mm.

        Args:
            ground: the area.
            colour: red, green and blue, from 0 to 255.
            width: of the band, in mm at 1:1.
            alpha: its opacity, 0 to 1.
            key: names the random stream.
            side: the side of the outline with the full width.
        """
        if ground.is_empty:
            return
        raster, depth_mm = self.measure_depths(ground)
        stream = self.stream(f"{key}/rim")
        depth = depth_mm + raster_noise("middle", raster, 40 * self.k, stream) * 0.4 * self.k
        band = bump(depth, width * self.k)
        if side is not EdgeSide.BOTH:
            narrow_band = bump(depth, (0.25 * width + 0.2) * self.k)
            band = np.where((depth > 0) == (side is EdgeSide.INSIDE), band, narrow_band)
        self.paint_ink(colour, raster, band * alpha)

    def line(self, shape: BaseGeometry, colour: Sequence[int], width: float, alpha: float = 1.0) -> None:
        """Draw a line in printed mm, ``width`` mm wide at 1:1.

        ``colour`` is red, green and blue from 0 to 255; ``alpha`` is the opacity, 0 to 1. The item is added to the
        painter.
        """
        stroke = Stroke(self.veil_ink(colour, alpha), width * self.k, cap=Cap.BUTT, join=Join.ROUND)
        self.items += outline(shape, stroke)

    def fill(self, shape: BaseGeometry, colour: Sequence[int], alpha: float = 1.0) -> None:
        """Fill a shape in printed mm with a colour.

        ``colour`` is red, green and blue from 0 to 255; ``alpha`` is the opacity, 0 to 1. The item is added to the
        painter.
        """
        self.items += fill(shape, self.veil_ink(colour, alpha))

    def paint_shadows(
        self, placed_sprites: Iterable[PlacedSprite], radius_mm: float, alpha: float, offset_share: float
    ) -> None:
        """Paint a soft shadow under each sprite, to its south-east; nothing without sprites.

        ``radius_mm`` is the radius in mm at the sprite's original size (1:1); ``offset_share`` is the offset to the
        east and to the south, as a share of it. ``alpha`` is the opacity, 0 to 1. The items are added to the painter.
        """
        blob = _sprite_artwork(_SOFT_BLOB, 0.0, alpha)
        transforms = []
        for placed_sprite in placed_sprites:
            radius = radius_mm * placed_sprite.size * self.k
            size = 2.3 * radius / _BLOB
            transforms.append(
                Affine(
                    size,
                    0.0,
                    0.0,
                    size,
                    placed_sprite.x + radius * offset_share,
                    placed_sprite.y - radius * offset_share,
                )
            )
        if transforms:
            self.items.append(Stamp(blob, tuple(transforms)))

    def paint_sprites(
        self, placed_sprites: Sequence[PlacedSprite], *, overlapping: bool = True, veil_share: float = 1.0
    ) -> None:
        """Paint sprites in order, under a share of the veil (0 to 1).

        If they are not ``overlapping``, they are grouped by picture instead. The items are added to the painter.
        """
        if not overlapping:
            placed_sprites = sorted(placed_sprites, key=lambda placed_sprite: placed_sprite.name)
        transforms: list[Affine] = []
        for number, placed_sprite in enumerate(placed_sprites):
            size = placed_sprite.size * self.k
            transforms.append(
                Affine(0.0, -size, -size, 0.0, placed_sprite.x, placed_sprite.y)
                if placed_sprite.mirrored
                else Affine(size, 0.0, 0.0, size, placed_sprite.x, placed_sprite.y)
            )
            if number + 1 == len(placed_sprites) or placed_sprites[number + 1].name != placed_sprite.name:
                self.items.append(
                    Stamp(_sprite_artwork(placed_sprite.name, round(self.veil * veil_share, 3), 1.0), tuple(transforms))
                )
                transforms = []

    def scatter_sprites(
        self,
        ground: BaseGeometry,
        sprite_kind: str,
        spacing: float,
        sizes: tuple[float, float],
        key: str,
        *,
        share: float = 1.0,
        small_power: float = 1.0,
    ) -> list[PlacedSprite]:
        """Return sprites scattered over ground.

        Args:
            ground: the area for the sprites, in printed mm.
            sprite_kind: the kind of sprite, for example ``bush``.
            spacing: minimum distance in mm at 1:1.
            sizes: minimum and maximum size, relative to the picture.
            key: name of the random stream.
            share: the share of places that get a sprite.
            small_power: exponent of the size distribution, 1, 2 or 3; higher means more small sprites.
        """
        if ground.is_empty:
            return []
        stream = self.stream(f"{key}/{sprite_kind}")
        return self.choose_sprites(
            poisson_points(ground, spacing * self.k, stream),
            sprite_kind,
            sizes,
            stream,
            share=share,
            small_power=small_power,
        )

    def choose_sprites(
        self,
        points: Dots,
        sprite_kind: str,
        sizes: tuple[float, float],
        stream: Stream,
        *,
        share: Dots | float = 1.0,
        small_power: float = 1.0,
    ) -> list[PlacedSprite]:
        """Return sprites at some of the points (n x 2, in printed mm), in their order.

        Args:
            points: the places.
            sprite_kind: the kind of sprite, for example ``bush``; the climate may replace it.
            sizes: minimum and maximum size, relative to the picture.
            stream: random numbers, four for each point.
            share: the probability of each place, 0 to 1.
            small_power: exponent of the size distribution, 1, 2 or 3; higher means more small sprites.
        """
        count = len(points)
        draws = stream.draw_array(4 * count).reshape(4, -1)
        size_shares = draws[1]
        for _ in range(round(small_power) - 1):
            size_shares = size_shares * draws[1]
        size = sizes[0] + (sizes[1] - sizes[0]) * size_shares
        sprite_kind = self.plants.get(sprite_kind, sprite_kind)
        kinds = (draws[2] * sprite_count(sprite_kind)).astype(np.int64)
        rows = zip(points.tolist(), size.tolist(), kinds.tolist(), (draws[3] < 0.5).tolist(), strict=True)
        is_taken_list = (draws[0] < share).tolist()
        return [
            PlacedSprite(f"{sprite_kind}{kind}", x, y, sprite_size, mirrored)
            for ((x, y), sprite_size, kind, mirrored), is_taken in zip(rows, is_taken_list, strict=True)
            if is_taken
        ]

    def pick_sprite(self, stream: Stream, sprite_kind: str) -> str:
        """Return the name of a random sprite of a kind; it draws one number from ``stream``.

        The climate may replace the kind.
        """
        sprite_kind = self.plants.get(sprite_kind, sprite_kind)
        return f"{sprite_kind}{stream.draw_index(sprite_count(sprite_kind))}"


def _make_mask(values: Dots, levels: int) -> Mask:
    """Return opacities from 0 to 1 as a mask with ``levels`` steps above 0, few enough to compress well.

    ``values`` has rows from the top. Values outside 0 to 1 are clipped.
    """
    scaled_values = np.rint(np.clip(values, 0.0, 1.0) * levels) * (255.0 / levels)
    height, width = values.shape
    return Mask(width, height, np.floor(scaled_values + 0.5).astype(np.uint8).tobytes())


@cache
def _sprite_artwork(name: str, veil: float, alpha: float) -> Artwork:
    """Return a sprite in mm at 1:1 as artwork centred on the origin.

    ``veil`` is the share of white mixed into it, and ``alpha`` the opacity, 0 to 1.
    """
    width, height = (_BLOB, _BLOB) if name == _SOFT_BLOB else sprite(name).size
    frame = Rect(-width / 2, -height / 2, width, height)
    return Artwork(f"{name}/{math.ceil(alpha * 100)}", (), (Picture(paint=name, frame=frame, veil=veil, alpha=alpha),))

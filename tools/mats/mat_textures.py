"""The textures of the painted stock: noise lit from the north-west, and on it blades, stones, leaves, tiles, straw."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Field: TypeAlias = NDArray[np.float64]
Colour: TypeAlias = tuple[int, int, int]

SIDE: Final = 1024
_PAD: Final = 64
_UP: Final = -1.57


def waves(side: int, slope: float, seed: int, low: float = 0.0, high: float = 1e9) -> Field:
    """Return noise whose opposite edges join, its waves by 1/f to a slope; mean 0, deviation 1.

    ``low`` and ``high`` are the fewest and most waves to a side.
    """
    rolled = np.random.default_rng(seed)
    found = np.fft.rfft2(rolled.standard_normal((side, side)))
    count = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)[None]) * side
    count[0, 0] = 1
    strength = count**-slope
    strength[(count < low) | (count > high)] = 0
    strength[0, 0] = 0
    field = np.fft.irfft2(found * strength, s=(side, side))
    return np.asarray(field / field.std())


def facing(heights: Field) -> Field:
    """Return how much each dot faces the lamp in the north-west."""
    across = np.roll(heights, -1, 1) - np.roll(heights, 1, 1)
    return np.asarray(across + np.roll(heights, -1, 0) - np.roll(heights, 1, 0))


def lit(heights: Field, strength: float) -> Field:
    """Return the light on heights, with a deviation of its strength."""
    light = facing(heights)
    return np.asarray(strength * light / light.std())


class Soil(NamedTuple):
    """How the ground beneath a texture varies: tone, grain, relief, and its fewest waves."""

    spread: tuple[int, int, int] = (8, 7, 6)
    grain: float = 4
    bump: float = 6
    slope: float = 0.8
    tint: tuple[int, int, int] = (5, 1, -4)
    low: float = 3


_PLAIN: Final = Soil()


def ground(colour: Colour, seed: int, soil: Soil = _PLAIN) -> Field:
    """Return ground of a colour: two tones of noise, relief and grain."""
    found = np.zeros((SIDE, SIDE, 3)) + np.array(colour, float)
    found += waves(SIDE, 1.1, seed, low=soil.low)[..., None] * np.array(soil.spread)
    found += waves(SIDE, 1.3, seed + 1, low=soil.low)[..., None] * np.array(soil.tint)
    found += lit(waves(SIDE, soil.slope, seed + 2, low=14), soil.bump)[..., None]
    found += np.random.default_rng(seed + 3).standard_normal((SIDE, SIDE, 1)) * soil.grain
    return found


def clipped(field: Field) -> NDArray[np.uint8]:
    """Return levels of 0 to 255."""
    return np.clip(field, 0, 255).astype(np.uint8)


class Storey(NamedTuple):
    """Blades of one height: how many, their colours, lengths in dots, lightness, where none grow, and how they lean."""

    count: int
    colours: Sequence[Colour]
    lengths: tuple[float, float]
    light: float
    above: float
    spread: float
    around: float


def blades(field: Field, seed: int, storeys: Sequence[Storey]) -> Field:
    """Return ground with blades, drawn twice as large and halved."""
    side = 2 * SIDE
    once = Image.fromarray(clipped(field)).resize((side, side), Image.Resampling.BICUBIC)
    large = Image.new("RGB", (side + 2 * _PAD, side + 2 * _PAD))
    for across in (-side, 0, side):
        for down in (-side, 0, side):
            large.paste(once, (_PAD + across, _PAD + down))
    draw, rolled = ImageDraw.Draw(large), np.random.default_rng(seed)
    for storey in storeys:
        _grow(draw, rolled, seed, storey, side)
    cut = large.crop((_PAD, _PAD, _PAD + side, _PAD + side)).resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(cut).astype(float)


def _grow(draw: ImageDraw.ImageDraw, rolled: np.random.Generator, seed: int, storey: Storey, side: int) -> None:
    count = storey.count
    thin, tone = waves(256, 1.0, seed + count, low=4), waves(256, 1.1, seed + count + 1, low=3)
    x, y = rolled.uniform(0, side, count), rolled.uniform(0, side, count)
    row, column = (y / side * 256).astype(int) % 256, (x / side * 256).astype(int) % 256
    kept = thin[row, column] + rolled.normal(0, 0.5, count) > storey.above
    x, y, row, column = x[kept], y[kept], row[kept], column[kept]
    left = len(x)
    length = rolled.uniform(*storey.lengths, left) * 2
    lean = rolled.normal(storey.around, storey.spread, left)
    colours = np.array(storey.colours, float)
    place = tone[row, column] * 0.22 + 0.5 + rolled.normal(0, 0.17, left)
    place = np.clip(place, 0, 0.999) * (len(colours) - 1)
    whole, share = place.astype(int), (place - place.astype(int))[:, None]
    mixed = colours[whole] * (1 - share) + colours[np.minimum(whole + 1, len(colours) - 1)] * share
    mixed = np.clip(mixed * (storey.light * rolled.uniform(0.84, 1.16, left))[:, None], 0, 255).astype(int)
    ends = np.column_stack([x, y, x + length * np.cos(lean), y + length * np.sin(lean)])
    for (x0, y0, x1, y1), colour in zip(ends.tolist(), mixed.tolist(), strict=True):
        for across in _beside(min(x0, x1), max(x0, x1), side):
            for down in _beside(min(y0, y1), max(y0, y1), side):
                line = (x0 + across + _PAD, y0 + down + _PAD, x1 + across + _PAD, y1 + down + _PAD)
                draw.line(line, fill=tuple(colour), width=2)


def _beside(low: float, high: float, side: int) -> tuple[int, ...]:
    """Return by how much something is drawn again so that it goes on beyond the opposite edge."""
    return (0, side) if low < _PAD else (0, -side) if high > side - _PAD else (0,)


class Stones(NamedTuple):
    """Stones strewn over a texture: how many, from what to what radius in dots, their colour and their shadow."""

    count: int
    sizes: tuple[float, float]
    colour: Colour
    shadow: float = 0.55


def strewn(field: Field, seed: int, stones: Stones, drift: Field | None = None, above: float = -9) -> Field:
    """Return ground with little stones, each with its own shadow; none where the drift is not above a value."""
    rolled, found = np.random.default_rng(seed), field.copy()
    for _ in range(stones.count):
        x, y = rolled.uniform(0, SIDE, 2)
        if drift is None or drift[int(y) % SIDE, int(x) % SIDE] >= above:
            _lay(found, x, y, rolled, stones)
    return found


def _lay(field: Field, x: float, y: float, rolled: np.random.Generator, stones: Stones) -> None:
    radius = stones.sizes[0] + (stones.sizes[1] - stones.sizes[0]) * rolled.random() ** 2.6
    reach = int(radius * 1.6) + 3
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(float)
    across, down = across - x % 1, down - y % 1
    turn, flat = rolled.uniform(0, 3.14), rolled.uniform(0.6, 1.0)
    u, v = _turned(across, down, turn, flat)
    lump = 1 + 0.12 * np.sin(3 * np.arctan2(v, u) + turn * 5)
    far = np.hypot(u, v) / (radius * lump)
    cover = np.clip((1 - far) * radius + 0.5, 0, 1)[..., None]
    light = 0.80 + 0.30 * np.sqrt(np.clip(1 - far * far, 0, 1)) - 0.34 * (across + down) / (radius * 1.6)
    colour = np.array(stones.colour, float) * (1 + rolled.normal(0, 0.14)) + rolled.normal(0, 4, 3)
    us, vs = _turned(across - radius * 0.45, down - radius * 0.45, turn, flat)
    shade = np.clip((1.15 - np.hypot(us, vs) / radius) * 1.8, 0, 1)[..., None] * stones.shadow
    place = np.ix_(
        np.arange(int(y) - reach, int(y) + reach + 1) % SIDE, np.arange(int(x) - reach, int(x) + reach + 1) % SIDE
    )
    below = field[place]
    below = below * (1 - shade) + below * 0.45 * shade
    field[place] = below * (1 - cover) + np.clip(colour * light[..., None], 0, 255) * cover


def _turned(across: Field, down: Field, turn: float, flat: float) -> tuple[Field, Field]:
    cosine, sine = math.cos(turn), math.sin(turn)
    return across * cosine + down * sine, (down * cosine - across * sine) / flat


_GREEN: Final = ((106, 122, 60), (130, 146, 74), (150, 160, 90), (174, 174, 108))
_STRAW: Final = ((140, 136, 80), (166, 160, 98), (188, 178, 116), (204, 192, 134))
_DRY: Final = ((148, 130, 84), (176, 154, 102), (200, 178, 124), (214, 196, 146))


def textures() -> Iterator[tuple[str, Field]]:
    """Yield the textures with their names."""
    yield from _grassy()
    yield from _bare()
    yield from _wet()
    yield from _tilled()
    yield (
        "gravel",
        strewn(
            ground((120, 114, 104), 91, Soil(bump=8, spread=(6, 6, 6), tint=(2, 0, -2))),
            92,
            Stones(9000, (2.0, 4.4), (150, 144, 134), 0.5),
        ),
    )
    yield "tiles", _tiles()
    straw = Storey(60000, [(112, 92, 56), (150, 128, 84), (186, 164, 114)], (8, 18), 0.95, -3, 0.10, _UP)
    yield "thatch", blades(ground((142, 120, 78), 95, Soil(spread=(8, 7, 6), bump=3)), 13, [straw])
    yield "rock", _rock()


def _grassy() -> Iterator[tuple[str, Field]]:
    soil = ground((104, 92, 62), 101, Soil(spread=(9, 8, 6)))
    yield (
        "grass",
        blades(
            soil * 0.25 + ground((120, 134, 72), 1) * 0.75,
            5,
            [
                Storey(52000, _GREEN, (3, 8), 0.80, -1.2, 1.1, _UP),
                Storey(56000, _GREEN, (3, 9), 0.96, -0.9, 0.9, _UP),
                Storey(26000, _GREEN, (3, 8), 1.10, -0.2, 0.8, _UP),
            ],
        ),
    )
    yield (
        "meadow",
        blades(
            soil * 0.40 + ground((146, 144, 86), 11) * 0.60,
            6,
            [
                Storey(40000, _GREEN, (4, 9), 0.82, -0.8, 1.1, _UP),
                Storey(36000, (_GREEN[2], _STRAW[1], _STRAW[2]), (4, 9), 0.98, -0.5, 0.9, _UP),
                Storey(22000, _STRAW, (3, 7), 1.05, 0.1, 0.8, _UP),
            ],
        ),
    )
    stony = strewn(
        ground((178, 154, 110), 21, Soil(spread=(9, 8, 7), bump=7)), 22, Stones(1500, (1.2, 5), (168, 148, 116))
    )
    yield (
        "steppe",
        blades(
            stony,
            7,
            [
                Storey(9000, ((128, 124, 70), (152, 144, 86)), (4, 9), 0.95, 0.5, 1.2, _UP),
                Storey(22000, _DRY, (3, 8), 0.92, -0.1, 1.1, _UP),
                Storey(12000, _DRY, (3, 7), 1.1, 0.1, 1.0, _UP),
            ],
        ),
    )


def _bare() -> Iterator[tuple[str, Field]]:
    yield (
        "desert",
        strewn(
            ground((196, 170, 124), 25, Soil(spread=(8, 7, 7), bump=8, grain=5)),
            26,
            Stones(2600, (1.0, 4.5), (176, 154, 120)),
        ),
    )
    stalks = Storey(2600, ((150, 142, 112), (182, 172, 138)), (4, 9), 1, 0.9, 0.6, _UP)
    snow = Soil(spread=(5, 4, 3), bump=3, grain=2, tint=(3, 0, -4), slope=1.2)
    yield "snow", blades(ground((222, 224, 224), 31, snow), 8, [stalks])
    earth = Soil(spread=(7, 7, 6), bump=8, tint=(3, 1, -2))
    yield "earth", strewn(ground((142, 122, 88), 41, earth), 42, Stones(2400, (1.2, 5.5), (156, 138, 110)))
    track = Soil(spread=(6, 6, 5), bump=5, grain=5, tint=(2, 1, -2))
    yield "track", strewn(ground((174, 154, 116), 45, track), 46, Stones(2600, (1.0, 4), (180, 164, 134), 0.4))
    straw = Storey(20000, ((110, 104, 60), (150, 138, 84), (178, 162, 112)), (4, 9), 0.95, 0.25, 1.1, _UP)
    rough = blades(ground((140, 124, 92), 51, Soil(spread=(12, 11, 9), bump=10)), 9, [straw])
    rough = strewn(rough, 52, Stones(2200, (1.5, 6), (150, 140, 120)))
    yield "rough", strewn(rough, 53, Stones(260, (5, 15), (158, 150, 132)), waves(SIDE, 1.0, 55, low=4), 0.1)
    sand = ground((206, 182, 134), 61, Soil(spread=(7, 6, 6), bump=0, grain=5))
    yield "sand", sand + lit(_ripples(), 7)[..., None]


def _ripples() -> Field:
    """Return the ripples of sand, bent by noise and fading out in places."""
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    bent = waves(SIDE, 1.8, 62, low=2, high=30) * 11
    crests = np.sin(2 * np.pi * (44 * down / SIDE + 10 * across / SIDE) + bent * 0.55)
    shown = np.clip(waves(SIDE, 1.6, 63, low=2) * 0.5 + 0.7, 0, 1.4)
    return np.asarray(crests * shown + waves(SIDE, 0.8, 64, low=20) * 0.35)


def _wet() -> Iterator[tuple[str, Field]]:
    yield (
        "wet",
        blades(
            ground((82, 88, 56), 71, Soil(spread=(13, 12, 9), bump=7)),
            10,
            [
                Storey(40000, ((64, 76, 40), (90, 98, 52), (118, 120, 66)), (6, 13), 0.85, -0.6, 0.6, _UP),
                Storey(30000, ((86, 98, 50), (128, 128, 70), (164, 152, 92)), (7, 15), 1.02, 0.0, 0.5, _UP),
            ],
        ),
    )
    water = np.zeros((SIDE, SIDE, 3)) + np.array((84, 112, 116), float)
    water += waves(SIDE, 1.5, 71, low=2)[..., None] * np.array((5, 6, 6))
    crests = facing(waves(SIDE, 1.25, 72, low=10, high=140))
    water += (crests / crests.std() * 4.0)[..., None] * np.array((0.9, 1, 1.05))
    pale = np.minimum(np.clip(waves(SIDE, 1.1, 73, low=24, high=160) - 1.75, 0, 2), 0.35)
    yield "water", water + pale[..., None] * np.array((30, 34, 34)) * 0.8
    leaves = [
        Storey(20000, ((66, 70, 36), (96, 88, 52), (118, 96, 60)), (2, 5), 0.9, -0.6, 3, 0),
        Storey(14000, ((84, 86, 44), (128, 108, 66)), (2, 5), 1.05, -0.1, 3, 0),
    ]
    litter = blades(ground((74, 70, 44), 81, Soil(spread=(12, 10, 7), bump=9)), 12, leaves)
    yield "litter", strewn(litter, 82, Stones(400, (1.5, 4), (100, 92, 70)))


def _tilled(period: int = 16) -> Iterator[tuple[str, Field]]:
    """Yield plough and corn, whose rows run across and are 2.7 mm apart."""
    down = np.mgrid[0:SIDE, 0:SIDE][0]
    phase = 2 * np.pi * (down + waves(SIDE, 1.5, 402, low=3, high=60) * 1.1) / period
    plough = ground((128, 104, 74), 401, Soil(spread=(4, 4, 3), bump=0, grain=4, tint=(3, 1, -2)))
    plough += (np.sin(phase) * 15)[..., None] + (np.cos(phase) * 7)[..., None]
    plough += lit(waves(SIDE, 0.7, 403, low=30), 9)[..., None]
    yield "furrow", strewn(plough, 404, Stones(2600, (1.3, 3.6), (136, 112, 82), 0.4))
    corn = ground((134, 116, 66), 411, Soil(spread=(7, 6, 4), bump=4))
    corn *= (0.82 + 0.14 * np.cos(2 * np.pi * down / period))[..., None]
    yield "corn", _ears(corn, period)


def _ears(field: Field, period: int) -> Field:
    side = 2 * SIDE
    once = Image.fromarray(clipped(field)).resize((side, side))
    large = Image.new("RGB", (side + 2 * _PAD, side + 2 * _PAD))
    for across in (-side, 0, side):
        for down in (-side, 0, side):
            large.paste(once, (_PAD + across, _PAD + down))
    draw, rolled = ImageDraw.Draw(large), np.random.default_rng(412)
    colours = np.array([(150, 132, 70), (186, 164, 92), (212, 190, 118), (228, 208, 140)])
    for row in range(0, side, 2 * period):
        for light in (0.8, 1.0, 1.14):
            x, y = rolled.uniform(0, side, 900), row + rolled.normal(0, 3.6, 900)
            long, lean = rolled.uniform(8, 17, 900), rolled.normal(_UP, 0.55, 900)
            mixed = colours[rolled.integers(0, 4, 900)] * (light * rolled.uniform(0.88, 1.1, 900))[:, None]
            mixed = np.clip(mixed, 0, 255).astype(int)
            ends = np.column_stack([x, y, x + long * np.cos(lean), y + long * np.sin(lean)]) + _PAD
            for (x0, y0, x1, y1), colour in zip(ends.tolist(), mixed.tolist(), strict=True):
                for down in (0, side) if y0 < 2 * _PAD else (0,):
                    draw.line((x0, y0 + down, x1, y1 + down), fill=tuple(colour), width=2)
    cut = large.crop((_PAD, _PAD, _PAD + side, _PAD + side)).resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(cut).astype(float)


def _tiles(course: int = 8) -> Field:
    """Return roof tiles in courses of 1.35 mm, each with a tone of its own."""
    down, across = np.mgrid[0:SIDE, 0:SIDE]
    row, share = down // course, (down % course) / course
    shifted = across + (row % 2) * 4
    field = np.zeros((SIDE, SIDE, 3)) + np.array((150, 86, 62), float)
    tone = np.random.default_rng(95).normal(0, 1, (SIDE // course, 128))[row, (shifted // 8) % 128]
    field += (tone * 11)[..., None] * np.array((1, 0.8, 0.7))
    field *= (1.10 - 0.30 * share)[..., None]
    field[share < 0.13] *= 0.62
    field[shifted % 8 < 1] *= 0.80
    field += waves(SIDE, 1.3, 96, low=4)[..., None] * np.array((7, 6, 5))
    return np.asarray(field + np.random.default_rng(97).standard_normal((SIDE, SIDE, 1)) * 4)


def _rock() -> Field:
    """Return a face of rock with dark clefts."""
    clefts = np.abs(waves(SIDE, 1.2, 99, low=5))
    field = np.zeros((SIDE, SIDE, 3)) + np.array((138, 130, 114), float)
    field += lit(waves(SIDE, 1.1, 98, low=6), 15)[..., None]
    field += waves(SIDE, 1.2, 100, low=3)[..., None] * np.array((8, 8, 7))
    return np.asarray(field * np.clip(0.5 + clefts * 1.6, 0.55, 1)[..., None])

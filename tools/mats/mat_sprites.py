"""The sprites of the painted stock: crowns, tufts, reeds and stones, lit from the north-west and soft at their edge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from mat_textures import clipped, waves
from PIL import Image, ImageDraw

Colours: TypeAlias = Sequence[tuple[int, int, int]]

_DOTS: Final = 150
_LARGER: Final = 3
_LAMP: Final = math.radians(225)
_OAK: Final = ((36, 44, 22), (72, 86, 38), (108, 118, 56), (152, 154, 86))
_ELM: Final = ((40, 44, 20), (86, 92, 38), (126, 128, 60), (170, 164, 94))
_DARK: Final = ((30, 38, 22), (58, 72, 36), (90, 102, 52), (130, 136, 76))
_PARCHED: Final = ((48, 48, 28), (88, 88, 48), (124, 120, 70), (160, 152, 100))
_OLIVE: Final = ((58, 62, 44), (96, 102, 72), (132, 136, 98), (166, 168, 128))
_APPLE: Final = ((44, 56, 24), (86, 104, 44), (124, 136, 62), (172, 172, 96))


def _side(mm: float) -> int:
    return int(mm / 25.4 * _DOTS) * _LARGER


def _reduced(image: Image.Image) -> Image.Image:
    """Return a picture at its size, its colour carried beyond its edge, so that nothing leaves a rim."""
    return image.resize((image.width // _LARGER, image.height // _LARGER), Image.Resampling.BOX)


def _filled(colour: np.ndarray) -> tuple[int, ...]:
    return (*np.clip(colour, 0, 255).astype(int).tolist(), 255)


class Crown(NamedTuple):
    """A crown: its width in mm, colours from shade to light, leaves and their size, unevenness, height, its clumps."""

    wide: float
    colours: Colours
    leaves: int = 1500
    leaf: tuple[float, float] = (2.6, 6.5)
    lobes: float = 0.085
    height: float = 0.8
    clumps: int = 9


def crown(seed: int, told: Crown) -> Image.Image:
    """Return a crown of leaves on an uneven dome with smaller domes on it."""
    rolled, side = np.random.default_rng(seed), _side(told.wide)
    radius = side * 0.405
    phases = rolled.uniform(0, 6.28, 4)
    sizes = rolled.normal(0, told.lobes, 4) / np.arange(1, 5) ** 0.5

    def rim(turn: np.ndarray) -> np.ndarray:
        return radius * (0.90 + sum(sizes[k] * np.cos((k + 2) * turn + phases[k]) for k in range(4)))

    clumps = [
        (rolled.uniform(0, 6.28), rolled.uniform(0.15, 0.75), rolled.uniform(0.26, 0.44)) for _ in range(told.clumps)
    ]
    count = told.leaves
    turn = rolled.uniform(0, 6.28, count)
    out = np.sqrt(rolled.uniform(0, 1, count))
    far = np.minimum(rim(turn), side * 0.485) * out
    x, y = far * np.cos(turn), far * np.sin(turn)
    dome = told.height * np.sqrt(np.clip(1 - out**2, 0, 1))
    lean_x, lean_y, high = np.zeros(count), np.zeros(count), np.zeros(count)
    for angle, away, wide in clumps:
        off_x = (x - away * radius * math.cos(angle)) / (wide * radius)
        off_y = (y - away * radius * math.sin(angle)) / (wide * radius)
        above = 1 - off_x * off_x - off_y * off_y
        higher = above > high
        high = np.where(higher, above, high)
        lean_x, lean_y = np.where(higher, off_x, lean_x), np.where(higher, off_y, lean_y)
    raised = np.sqrt(np.clip(high, 0, 1))
    light = 0.50 - 0.36 * (0.50 * (x + y) / radius + 0.75 * (lean_x + lean_y) * raised) * 0.9
    light = light + 0.22 * high - 0.10 + 0.10 * dome + rolled.normal(0, 0.10, count)
    order = np.argsort(dome + 0.7 * raised + rolled.normal(0, 0.12, count))
    colours = np.array(told.colours, float)
    image = Image.new("RGBA", (side, side), (*told.colours[1], 0))
    draw = ImageDraw.Draw(image)
    angles = np.linspace(0, 6.28, 60)
    under = np.column_stack(
        [side / 2 + rim(angles) * 0.95 * np.cos(angles), side / 2 + rim(angles) * 0.95 * np.sin(angles)]
    )
    draw.polygon([tuple(point) for point in under.tolist()], fill=(*told.colours[0], 255))
    for leaf in order.tolist():
        place = np.clip(light[leaf], 0, 0.999) * (len(colours) - 1)
        share = place - int(place)
        colour = colours[int(place)] * (1 - share) + colours[int(place) + 1] * share
        wide = rolled.uniform(*told.leaf)
        narrow = rolled.uniform(0.5, 0.95) * wide
        across, down = (wide, narrow) if rolled.random() < 0.5 else (narrow, wide)
        at_x, at_y = side / 2 + x[leaf], side / 2 + y[leaf]
        draw.ellipse((at_x - across, at_y - down, at_x + across, at_y + down), fill=_filled(colour))
    return _reduced(image)


def bare_crown(seed: int, wide: float, boughs: int) -> Image.Image:
    """Return a crown without leaves: boughs that fork towards the rim, lit on their north-western side."""
    rolled, side = np.random.default_rng(seed), _side(wide)
    image = Image.new("RGBA", (side, side), (84, 74, 60, 0))
    draw, middle, radius = ImageDraw.Draw(image), side / 2, side * 0.405
    # A haze of twigs too fine to be seen one by one closes the crown.
    for _ in range(int(5.5 * radius)):
        turn, out = rolled.uniform(0, 6.28), radius * math.sqrt(rolled.uniform(0, 1))
        lean, long = turn + rolled.normal(0, 0.7), radius * rolled.uniform(0.05, 0.13)
        x, y = middle + out * math.cos(turn), middle + out * math.sin(turn)
        colour = np.array((98, 86, 70)) * rolled.uniform(0.75, 1.2)
        draw.line((x, y, x + long * math.cos(lean), y + long * math.sin(lean)), fill=_filled(colour), width=2)

    def bough(x: float, y: float, turn: float, long: float, thick: float) -> None:
        end_x, end_y = x + long * math.cos(turn), y + long * math.sin(turn)
        if math.hypot(end_x - middle, end_y - middle) > side * 0.48:
            return
        off = thick * 0.3
        draw.line((x + off, y + off, end_x + off, end_y + off), fill=(46, 38, 30, 255), width=max(2, round(thick)))
        colour = np.array((122, 108, 88)) * rolled.uniform(0.85, 1.15)
        draw.line((x, y, end_x, end_y), fill=_filled(colour), width=max(2, round(thick * 0.75)))
        if thick > 2:
            for fork in (rolled.normal(-0.5, 0.16), rolled.normal(0.45, 0.16), rolled.normal(0.0, 0.2)):
                bough(end_x, end_y, turn + fork, long * rolled.uniform(0.62, 0.86), thick * 0.66)

    for start in np.linspace(0, 6.28, boughs, endpoint=False) + rolled.uniform(0, 1):
        bough(middle, middle, start + rolled.normal(0, 0.2), radius * rolled.uniform(0.24, 0.34), radius * 0.085)
    draw.ellipse((middle - 6, middle - 6, middle + 6, middle + 6), fill=(70, 60, 48, 255))
    return _reduced(image)


def conifer(seed: int, wide: float = 12) -> Image.Image:
    """Return a conifer: five storeys of needles."""
    rolled, side = np.random.default_rng(seed), _side(wide)
    image = Image.new("RGBA", (side, side), (40, 56, 36, 0))
    draw, middle, radius = ImageDraw.Draw(image), side / 2, side * 0.47
    for ring, (reach, bright) in enumerate(((1.0, 0.55), (0.82, 0.72), (0.64, 0.88), (0.45, 1.04), (0.27, 1.2))):
        for angle in np.linspace(0, 6.28, 26 - ring * 3, endpoint=False) + rolled.uniform(0, 1):
            angle += rolled.normal(0, 0.07)
            long = radius * reach * rolled.uniform(0.8, 1.0)
            colour = np.array((80, 98, 56)) * bright * (1 + 0.30 * math.cos(angle - _LAMP))
            for share in np.linspace(0.25, 1, 12):
                x, y = middle + long * share * math.cos(angle), middle + long * share * math.sin(angle)
                needle = (1.12 - share) * radius * 0.20 + 2
                for hand in (-1, 1):
                    end = (x + needle * math.cos(angle + hand * 0.9), y + needle * math.sin(angle + hand * 0.9))
                    draw.line((x, y, *end), fill=_filled(colour * rolled.uniform(0.85, 1.15)), width=4)
    return _reduced(image)


def palm(seed: int, wide: float = 15) -> Image.Image:
    """Return a palm: twelve fronds."""
    rolled, side = np.random.default_rng(seed), _side(wide)
    image = Image.new("RGBA", (side, side), (70, 90, 40, 0))
    draw, middle, radius = ImageDraw.Draw(image), side / 2, side * 0.46
    for angle in np.linspace(0, 6.28, 12, endpoint=False) + rolled.uniform(0, 1):
        angle += rolled.normal(0, 0.12)
        long, bend = radius * rolled.uniform(0.75, 1), rolled.normal(0, 0.35)
        bright = 1 + 0.28 * math.cos(angle - _LAMP)
        for share in np.linspace(0.08, 1, 26):
            turn = angle + bend * share
            x, y = middle + long * share * math.cos(turn), middle + long * share * math.sin(turn)
            leaf = radius * 0.19 * math.sin(math.pi * min(1, share * 0.9 + 0.1)) + 2
            for hand in (-1, 1):
                base = (118, 130, 66) if hand * math.cos(turn - 0.8) > 0 else (84, 100, 50)
                colour = np.array(base) * bright * rolled.uniform(0.88, 1.15) * (0.8 + 0.3 * share)
                end = (x + leaf * math.cos(turn + hand), y + leaf * math.sin(turn + hand))
                draw.line((x, y, *end), fill=_filled(colour), width=3)
    draw.ellipse((middle - 7, middle - 7, middle + 7, middle + 7), fill=(84, 70, 40, 255))
    return _reduced(image)


def tuft(seed: int, wide: float, colours: Colours, blades: int = 46) -> Image.Image:
    """Return a tuft of grass or reeds."""
    rolled, side = np.random.default_rng(seed), _side(wide)
    image = Image.new("RGBA", (side, side), (*colours[1], 0))
    draw, middle = ImageDraw.Draw(image), side / 2
    for blade in range(blades):
        angle = rolled.uniform(0, 6.28)
        long, share = side * 0.46 * rolled.uniform(0.30, 1), 0.75 * blade / blades
        colour = np.array(colours[0]) * (1 - share) + np.array(colours[2]) * share
        x, y = middle + rolled.normal(0, side * 0.05), middle + rolled.normal(0, side * 0.05)
        end = (x + long * math.cos(angle), y + long * math.sin(angle))
        draw.line((x, y, *end), fill=_filled(colour * (1 + 0.2 * math.cos(angle - _LAMP))), width=4)
    return _reduced(image)


def stone(seed: int, wide: float = 6, colour: tuple[int, int, int] = (150, 144, 128)) -> Image.Image:
    """Return a stone, cut by planes."""
    rolled, side = np.random.default_rng(seed), _side(wide)
    down, across = (np.mgrid[0:side, 0:side] - side / 2) / (side * 0.44)
    top, lean_x, lean_y = np.full((side, side), 0.62), np.zeros((side, side)), np.zeros((side, side))
    lean_x[:], lean_y[:] = rolled.normal(0, 0.12), rolled.normal(0, 0.12)
    for ring, (slope, away) in enumerate(((1.9, 1.5), (0.8, 0.85))):
        for angle in np.linspace(0, 6.28, 8 - ring * 2, endpoint=False) + rolled.uniform(0, 1):
            angle += rolled.normal(0, 0.22)
            start = away * rolled.uniform(0.82, 1.08)
            fall = slope * (across * math.cos(angle) + down * math.sin(angle) / 0.9) * rolled.uniform(0.9, 1.15)
            plane = start - fall
            lower = plane < top
            top = np.where(lower, plane, top)
            lean_x = np.where(lower, slope * math.cos(angle), lean_x)
            lean_y = np.where(lower, slope * math.sin(angle), lean_y)
    light = (0.72 - 0.5 * (lean_x + lean_y) * 0.7) / np.sqrt(1 + lean_x * lean_x + lean_y * lean_y) + 0.28
    grain = waves(256, 0.9, seed)
    grain = np.tile(grain, (side // 256 + 1, side // 256 + 1))[:side, :side]
    shown = np.array(colour) * np.clip(light, 0.32, 1.35)[..., None] + grain[..., None] * 7
    cover = np.clip(top * side * 0.3, 0, 1) * 255
    return _reduced(Image.fromarray(np.dstack([np.clip(shown, 0, 255), cover]).astype(np.uint8)))


def blob(side: int = 64) -> Image.Image:
    """Return a soft shadow."""
    down, across = (np.mgrid[0:side, 0:side] - (side - 1) / 2) / (side / 2)
    cover = clipped(np.clip(1 - np.hypot(across, down), 0, 1) ** 1.25 * 255)
    return Image.fromarray(np.dstack([*(np.full((side, side), level, np.uint8) for level in (22, 24, 12)), cover]))


def sprites() -> Iterator[tuple[str, Image.Image]]:
    """Yield the sprites with their names."""
    for number in range(9):
        yield f"oak{number}", crown(300 + number, Crown(16, (_OAK, _ELM, _DARK)[number % 3]))
    for number in range(4):
        yield f"conifer{number}", conifer(330 + number)
    for number in range(3):
        yield f"palm{number}", palm(340 + number)
    small = {"lobes": 0.11, "height": 0.6, "clumps": 4}
    for number in range(5):
        colours = (_OAK, _DARK, _PARCHED, _PARCHED, _ELM)[number]
        yield f"bush{number}", crown(350 + number, Crown(7, colours, 240, (2.6, 6), **small))
    for number in range(3):
        yield f"olive{number}", crown(360 + number, Crown(9, _OLIVE, 420, (2.2, 5), **small))
        yield f"apple{number}", crown(365 + number, Crown(9, _APPLE, 460, (2.2, 5), **small))
    for number in range(4):
        yield f"bare-oak{number}", bare_crown(430 + number, 16, 8)
    for number in range(2):
        yield f"bare-apple{number}", bare_crown(440 + number, 9, 6)
        yield f"bare-bush{number}", bare_crown(450 + number, 7, 7)
    fresh = (((84, 96, 44), (112, 128, 62), (152, 158, 90)), ((92, 102, 50), (132, 138, 74), (168, 166, 100)))
    for number in range(4):
        yield f"tuft{number}", tuft(370 + number, 4, fresh[number % 2], 60)
        yield f"reed{number}", tuft(390 + number, 6, ((58, 72, 36), (100, 112, 56), (150, 148, 86)), 90)
        yield f"sandstone{number}", stone(420 + number, 6, (186, 164, 126))
    for number in range(3):
        yield f"straw{number}", tuft(380 + number, 4, ((132, 118, 68), (176, 158, 98), (214, 196, 138)))
    for number in range(8):
        yield f"stone{number}", stone(400 + number)
    yield "blob", blob()

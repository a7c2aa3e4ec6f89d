"""A small drawing with one of everything that a map has, and readers of what a PDF holds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import pikepdf

from printkit.drawing.canvas.items import (
    Affine,
    Anchor,
    Artwork,
    Cap,
    Drawing,
    FillRule,
    Font,
    Ink,
    Item,
    Join,
    Layer,
    LayerName,
    Path,
    PathRun,
    Rect,
    Stamp,
    Stroke,
    Text,
)

INK = Ink(40, 30, 20)
HALO = Stroke(Ink(243, 239, 218, 0.9), 1.2)


def spread_of(number: int, size: float) -> float:
    """Return places that look random and are the same everywhere."""
    return (number * 0.61803398875 * 7.31) % 1.0 * size


def rectangle(x: float, y: float, width: float, height: float) -> PathRun:
    corners = (x, y, x + width, y, x + width, y + height, x, y + height)
    return PathRun(tuple(round(value * 100) for value in corners))


def blob(x: float, y: float, radius: float) -> PathRun:
    turns = [place / 30 * math.tau for place in range(30)]
    points = [
        (x + radius * math.cos(turn), y + radius * (1 + 0.1 * math.sin(3 * turn)) * math.sin(turn)) for turn in turns
    ]
    return PathRun(tuple(round(value * 100) for point in points for value in point))


def board(width: float = 300.0, height: float = 260.0, *, strokes: int = 400) -> Drawing:
    crown = Path((blob(0, 0, 2.6),), fill=Ink(124, 155, 82), stroke=Stroke(Ink(47, 71, 34), 0.3))
    tree = Artwork("tree", (crown, Path((blob(0.8, -0.8, 1.2),), fill=Ink(47, 71, 34, 0.4))))
    rims = [blob(spread_of(i, width), spread_of(i * 3 + 1, height), 20 + 3 * i) for i in range(8)]
    rim, ground = Stroke(Ink(122, 84, 38, 0.8), 0.35), Ink(221, 196, 139, 0.6)
    hills = tuple(Path((each,), fill=ground, stroke=rim) for each in rims)
    # Hill after hill, as a map is drawn: neighbours in the list are neighbours on the ground.
    feet = [(spread_of(i, width), spread_of(i * 5 + 2, height)) for i in range(strokes)]
    feet.sort(key=lambda foot: (foot[0] // 40, foot[1] // 40))
    hachures = tuple(
        Path(
            (PathRun((round(x * 100), round(y * 100), round(x * 100) + 300, round(y * 100) + 200), False),),
            stroke=Stroke(Ink(92, 61, 26), 0.2 + 0.1 * (i % 3), cap=Cap(i % 3), join=Join(i % 3)),
        )
        for i, (x, y) in enumerate(feet)
    )
    river = PathRun(
        tuple(round(v * 100) for k in range(-2, 62) for v in (width * k / 59, height / 2 + 20 * math.sin(k / 4))), False
    )
    road = PathRun((-500, 2000, round(width * 100) + 500, round(height * 90)), False)
    places = tuple(
        Affine(math.cos(i), math.sin(i), -math.sin(i), math.cos(i), spread_of(i, width), spread_of(i * 2 + 3, height))
        for i in range(120)
    )
    italic = partial(Text, ink=INK, font=Font.ITALIC, halo=HALO)
    names: tuple[Item, ...] = (
        italic(content="Oak Hill", at=(width / 2, height / 2), size_pt=14, anchor=Anchor.MIDDLE, angle=12),
        Text(content="MARSH (Éire)", at=(160.05, 30.05), size_pt=9, ink=INK, font=Font.FIGURES),
        Text(content="CAMP", at=(60.15, 200.25), size_pt=12, ink=INK, font=Font.BANNER, track=2.0),
        italic(
            content="Alder",
            at=(0, 0),
            size_pt=13,
            glyphs=((150, 200, 0.0), (156, 201, 8.0), (159, 202, 12.0), (164, 204, 20.0), (168, 206, 25.0)),
        ),
    )
    whole = Rect(0, 0, width, height)
    dashed = Stroke(Ink(90, 66, 40), 3, dash=(6, 4), phase=2, cap=Cap.BUTT)
    yard = rectangle(40, 40, 30, 20), rectangle(50, 45, 10, 10)
    return Drawing(
        width,
        height,
        (
            Layer(LayerName.PAPER, (Path((rectangle(0, 0, width, height),), fill=Ink(237, 232, 204)),)),
            Layer(LayerName.HILL_TINT, hills, whole),
            Layer(LayerName.HACHURE, hachures),
            Layer(LayerName.WATER, (Path((river,), stroke=Stroke(Ink(166, 203, 214), 9)),), whole),
            Layer(LayerName.COURSE, (Path((road,), stroke=dashed),), whole),
            Layer(LayerName.HOUSE, (Path(yard, fill=Ink(196, 112, 77), rule=FillRule.EVEN_ODD),)),
            Layer(LayerName.CROWN, (Stamp(tree, places),)),
            Layer(LayerName.LABEL, names),
        ),
    )


class Stroked(NamedTuple):
    """A closed outline that a page strokes, as bounds in points."""

    left: float
    bottom: float
    right: float
    top: float


def stroked_rectangles(
    holder: pikepdf.Page | pikepdf.Object, placed: pikepdf.Matrix | None = None
) -> Iterator[Stroked]:
    """Yield every outline of four corners that a page strokes, itself or in its forms, where it lies in points."""
    matrices = [pikepdf.Matrix() if placed is None else placed]
    points: list[tuple[float, float]] = []
    for operands, operator in pikepdf.parse_content_stream(holder):
        match str(operator):
            case "q":
                matrices.append(matrices[-1])
            case "Q":
                matrices.pop()
            case "cm":
                matrices[-1] = pikepdf.Matrix(*map(float, operands)) @ matrices[-1]
            case "Do":
                yield from stroked_rectangles(holder.Resources.XObject[operands[0]], matrices[-1])
            case "m" | "l":
                points.append(matrices[-1].transform((float(operands[0]), float(operands[1]))))
            case "S" if len(points) == 4:
                across, up = zip(*points, strict=True)
                yield Stroked(min(across), min(up), max(across), max(up))
                points = []
            case "S" | "f" | "f*" | "B" | "B*" | "n":
                points = []

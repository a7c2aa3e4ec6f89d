"""The secret back: contours of hidden ground, a chequered band, a medallion with a star.

It is the same for every card of every deck, and the same upside down, so that a card's orientation reveals nothing
(BR-M04). One half is drawn; the other is a copy, rotated point by point.

Source: the cartography, 15.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import contourpy
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.streams import Jitter
from printkit.content.cards import CardSize
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import GRID, Cap, Drawing, Font, Item, Join, Path, PathRun, Rect, Stroke
from printkit.drawing.canvas.shapes import fill, fill_and_stroke, lines, outline, runs
from printkit.drawing.cards.layouts import CardLayout, CardMeasures, load_measures
from printkit.drawing.cards.parts import card_drawing, ground, rotated, rotated_run, rounded, with_rotated_runs
from printkit.drawing.lettering.lettering import TypeStyle, measure, set_along_curve, shrink_to_fit
from printkit.terrain.geometry.outlines import Noise

_Numbers = NDArray[np.float64]

_CELL: Final = 0.5

# Number of smoothing passes, which round the corners of contours.
_SOFT: Final = 24

_FINE: Final = 40
_LEAST_CONTOUR: Final = 1.5
_BETWEEN_LEGENDS: Final = 2.0

# Groups of rays: number of rays, bearing of the first, length, radius and half angle of the foot.
# Angles are in degrees, lengths in shares of the star's radius.
_STARS: Final = ((8, 22.5, 0.60, 0.16, 22.5), (4, 45.0, 0.76, 0.19, 22.5), (4, 0.0, 1.0, 0.21, 45.0))


def secret_back(plan: CardLayout, *, edge: float = 0.0, legend: str = "faces.hidden_ground") -> Drawing:
    """Return the secret back of a card, at its trimmed size; the same turned by 180 degrees.

    Args:
        plan: size of the card, and its drawing tools.
        edge: unprinted margin inside the cut, in printed mm; if it is not 0, there is no bleed.
        legend: word key of the text around the star.
    """
    back = _Back(plan, max(edge, load_measures("back").number("panel", "inset")), legend)
    items: list[Item] = [*back.panel(), *back.contours(), *back.band(), *back.medallion()]
    return card_drawing(plan.size, () if edge else ground(plan), items)


class _Back:
    """The parts of a back at one card size."""

    def __init__(self, plan: CardLayout, inset: float, legend: str) -> None:
        self.plan = plan
        self.said = legend
        self.size: CardSize = plan.size
        self.kept: CardMeasures = load_measures("back")
        self.inset = inset
        self.share = self.kept.share(plan.size)
        # If an edge moves the panel inwards, the band moves by the same distance.
        push = inset - self.kept.number("panel", "inset")
        rim = self.kept.number("band", "inset") + push
        self.outer = Rect(rim, rim, self.size.width - 2 * rim, self.size.height - 2 * rim)
        self.inner = self.outer.padded(-self.kept.number("band", "width") * min(1.0, self.share))
        self.middle = (self.size.width / 2, self.size.height / 2)
        self.line_ink = plan.drafter.style.solid("card-back-line")
        self.paper_ink = plan.drafter.style.solid("card-back")

    def number(self, table: str, key: str) -> float:
        """Return a number of the template ``back``, unscaled: mm on its card, points, counts or shares."""
        return self.kept.number(table, key)

    def stroke(self, mm: float, cap: Cap = Cap.ROUND) -> Stroke:
        """Return a stroke in the ink of the back's lines, ``mm`` wide at 1:1.

        Thin lines are heavier in some styles.
        """
        return Stroke(self.line_ink, self.plan.drafter.width(mm), cap=cap, join=Join.MITRE)

    def panel(self) -> Iterator[Path]:
        """Yield the ground of the back: a colour, or only an outline in a style without washes."""
        run = (_symmetric_outline(rounded(self.size, self.inset, self.number("panel", "radius")), self.size),)
        if self.plan.drafter.style.washes:
            yield Path(run, fill=self.paper_ink)
        else:
            yield Path(run, stroke=self.stroke(self.number("panel", "line")))

    def contours(self) -> Iterator[Path]:
        """Yield contours of random heights between the band and the medallion, every fifth heavier.

        Half of them are computed; the others are copies, rotated by 180 degrees. Paths are in printed mm.
        """
        field, x, y = _build_heights(self.inner, self.kept.number("contours", "wavelength"), self.kept)
        upper = len(y) // 2
        generator = contourpy.contour_generator(x, y[upper:], field[upper:])
        radius = self.number("medallion", "radius") * self.share
        free_area = box(*_sides(self.inner)).difference(Point(self.middle).buffer(radius, quad_segs=_FINE))
        count = int(self.number("contours", "levels"))
        parts_by_weight: dict[bool, list[LineString]] = {False: [], True: []}
        reach = float(np.abs(field).max()) * self.number("contours", "reach")
        for number, level in enumerate(np.linspace(-reach, reach, count)):
            for points in generator.lines(float(level)):
                visible_parts = lines(shapely.intersection(LineString(points), free_area)) if len(points) > 1 else []
                parts_by_weight[number % 5 == 0] += [part for part in visible_parts if self.long_enough(part)]
        for heavy, key in ((False, "line"), (True, "fifth")):
            stroke = self.stroke(self.number("contours", key))
            yield from with_rotated_runs(outline(parts_by_weight[heavy], stroke), self.size)

    def long_enough(self, part: LineString) -> bool:
        """Return whether a piece of a contour, in mm on the card, is drawn.

        It is drawn if it is long enough, or if it continues in the other half of the card.
        """
        return bool(part.length > _LEAST_CONTOUR or part.bounds[1] < self.middle[1] + _CELL / 10)

    def band(self) -> Iterator[Path]:
        """Yield the chequered band: squares on two sides, and their rotated copies on the other two.

        Squares alternate with the ground. The two border lines come last. Paths are in printed mm.
        """
        outer, inner = self.outer, self.inner
        columns, rows = int(self.number("band", "across")), int(self.number("band", "up"))
        wide, high = outer.width / columns, inner.height / rows
        blocks = [
            box(outer.x + wide * index, outer.y, outer.x + wide * (index + 1), inner.y)
            for index in range(0, columns, 2)
        ]
        blocks += [
            box(outer.x, inner.y + high * index, inner.x, inner.y + high * (index + 1)) for index in range(1, rows, 2)
        ]
        yield from with_rotated_runs(fill(blocks, self.line_ink), self.size)
        stroke = self.stroke(self.number("band", "line"))
        for rect in (outer, inner):
            yield Path((_symmetric_outline(box(*_sides(rect)), self.size),), stroke=stroke)

    def medallion(self) -> Iterator[Item]:
        """Yield the medallion: its disc and rings, its ticks, the words round it, the star."""
        share = self.share
        radius = self.number("medallion", "radius") * share
        disc = (self.circle(radius),)
        yield Path(disc, fill=self.paper_ink, stroke=self.stroke(self.number("medallion", "line")))
        rings = [ring * share for ring in self.kept.numbers("medallion", "rings")]
        yield Path(tuple(self.circle(ring) for ring in rings), stroke=self.stroke(self.number("medallion", "ring")))
        count, tick = int(self.number("medallion", "ticks")), self.number("medallion", "tick") * share
        turns = 2 * math.pi * np.arange(count // 2) / count
        ticks = [np.array([self.at(turn, rings[-1]), self.at(turn, rings[-1] + tick)]) for turn in turns.tolist()]
        yield from with_rotated_runs(outline(ticks, self.stroke(self.number("medallion", "ring"), Cap.BUTT)), self.size)
        yield from self.legend()
        yield from self.star(self.number("medallion", "star") * share)

    def legend(self) -> Iterator[Item]:
        """Yield the text of the medallion on the upper half of its circle, and a copy rotated by 180 degrees.

        It is in as many languages as fit on half its circle.
        """
        radius = self.number("medallion", "legend") * self.share
        texts = [words(self.said).upper() for words in self.plan.drafter.words.each()]
        full = self.plan.drafter.type_style(
            Font.ROMAN,
            max(self.number("medallion", "least"), self.number("medallion", "size") * self.share),
            "card-back-line",
            track=self.number("medallion", "track") * self.share,
        )
        texts, style = _fit_texts(texts, full, math.pi * radius, minimum_pt=self.number("medallion", "least"))
        gap = (math.pi * radius - plain_sum(measure(text, style) for text in texts)) / len(texts)
        start = -measure(texts[0], style) / 2
        for text in texts:
            middle = (start + measure(text, style) / 2) / radius
            turns = middle + np.linspace(-1.4, 1.4, 2 * _FINE)
            path = np.array([self.at(turn, radius) for turn in turns.tolist()])
            letters = set_along_curve(text, path, style)
            yield from letters
            yield from rotated(letters, self.size)
            start += measure(text, style) + gap

    def star(self, radius: float) -> Iterator[Item]:
        """Yield the star of sixteen rays, ``radius`` printed mm in all, each ray half light and half dark.

        The longest ray is on top.
        """
        style = self.plan.drafter.style
        edge = self.paper_ink if style.washes else self.line_ink
        stroke = Stroke(edge, self.plan.drafter.width(self.number("medallion", "star_line")), join=Join.MITRE)
        for count, first, length, foot, half in _STARS:
            for side, ink in ((-1, self.line_ink), (1, style.solid("card-back-star"))):
                halves = [
                    self.ray(first + 360 / count * ray, radius * length, radius * foot, side * half)
                    for ray in range(count // 2)
                ]
                yield from with_rotated_runs(fill_and_stroke(halves, ink, stroke), self.size)
        yield Path((self.circle(0.085 * radius),), fill=self.paper_ink, stroke=self.stroke(0.2))

    def ray(self, bearing: float, length: float, foot: float, half: float) -> BaseGeometry:
        """Return one half of a ray of the star, a triangle in mm on the card.

        Args:
            bearing: bearing of the tip in degrees, clockwise from the top.
            length: distance of the tip from the middle of the card, in mm.
            foot: distance of the foot from the middle, in mm.
            half: bearing of the foot from that of the tip, in degrees.
        """
        tip, side = self.at(math.radians(bearing), length), self.at(math.radians(bearing + half), foot)
        return Polygon([self.middle, tip, side])

    def at(self, turn: float, radius: float) -> tuple[float, float]:
        """Return x and y in printed mm of the point ``radius`` mm from the middle of the card.

        ``turn`` is its bearing in radians, clockwise from the top.
        """
        return self.middle[0] + radius * math.sin(turn), self.middle[1] + radius * math.cos(turn)

    def circle(self, radius: float) -> PathRun:
        """Return a circle of ``radius`` printed mm about the middle of the card."""
        return _symmetric_outline(Point(self.middle).buffer(radius, quad_segs=_FINE), self.size)


def _build_heights(area: Rect, wavelength: float, numbers: CardMeasures) -> tuple[_Numbers, _Numbers, _Numbers]:
    """Return random heights on a grid, the x of its columns and the y of its rows, both in printed mm.

    The heights have no unit and are bit-identical under a half-turn. ``area`` and ``wavelength`` (of the hills) are in
    mm; ``numbers`` is the template ``back``.
    """
    columns, rows = (2 * math.ceil(side / 2 / _CELL) + 1 for side in (area.width, area.height))
    middle = (area.x + area.width / 2, area.y + area.height / 2)
    x, y = (np.asarray((np.arange(count) - count // 2) * _CELL, dtype=float) for count in (columns, rows))
    grid_x, grid_y = np.meshgrid(x, y)
    field = _noise().fractal(grid_x, grid_y, wavelength, octaves=int(numbers.number("contours", "octaves")))
    for _ in range(_SOFT):
        with_border = np.pad(field, 1, mode="reflect", reflect_type="odd")
        with_border = (with_border[:-2] + 2 * with_border[1:-1] + with_border[2:]) / 4
        field = (with_border[:, :-2] + 2 * with_border[:, 1:-1] + with_border[:, 2:]) / 4
    return field + field[::-1, ::-1], np.asarray(middle[0] + x), np.asarray(middle[1] + y)


@cache
def _noise() -> Noise:
    """Return the noise of the hidden ground, the same for every deck."""
    return Noise.from_stream(Jitter(0).stream("cards/back"))


def _symmetric_outline(shape: BaseGeometry, size: CardSize) -> PathRun:
    """Return the outline of a convex shape about the card's middle, in printed mm.

    It consists of the upper half and a rotated copy, so that it is identical under a half-turn of the card.
    """
    run = runs(shape)[0]
    grid_width, grid_height = round(size.width / GRID), round(size.height / GRID)
    points = list(zip(run.points[::2], run.points[1::2], strict=True))
    upper = [(2 * y, 2 * x) > (grid_height, grid_width) for x, y in points]
    # The upper half must be contiguous, so start the ring where it rises above the middle.
    begin = next(place for place in range(len(points)) if upper[place] and not upper[place - 1])
    order = [*range(begin, len(points)), *range(begin)]
    half = PathRun(tuple(value for place in order if upper[place] for value in points[place]))
    return PathRun(half.points + rotated_run(half, size).points)


def _fit_texts(
    texts: Sequence[str], style: TypeStyle, length: float, *, minimum_pt: float
) -> tuple[list[str], TypeStyle]:
    """Return as many texts as fit on half a circle, and the type style in which they fit.

    ``length`` of the half circle is in printed mm. All texts but the last one have type of at least ``minimum_pt``
    points; a single text may have smaller type.
    """
    for count in range(len(texts), 1, -1):
        joined = "".join(texts[:count])
        fitting = shrink_to_fit(joined, style, length - count * _BETWEEN_LEGENDS)
        if fitting.size_pt >= minimum_pt:
            return list(texts[:count]), fitting
    return list(texts[:1]), shrink_to_fit(texts[0], style, length - _BETWEEN_LEGENDS)


def _sides(rect: Rect) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a rectangle, in printed mm."""
    return rect.x, rect.y, rect.right, rect.top

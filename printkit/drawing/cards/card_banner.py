"""The banner of the going: told by a word, by a fill and by a pattern at both ends."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.content.cards import Banner
from printkit.core.words import BETWEEN
from printkit.drawing.canvas.area_fill import hatched
from printkit.drawing.canvas.items import Anchor, Font, Ink, Item, Join, Stroke
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.cards.card_desk import CardDesk
from printkit.drawing.cards.layouts import LEAST_PT
from printkit.drawing.lettering.lettering import line, measure, shrunk

_WHITE: Final = Ink(255, 255, 255)
_CAPITALS: Final = 0.725
"""How high capitals stand, in sizes."""

_HATCH_LINE: Final = 0.30
_PIP: Final = 0.32
_SPREAD: Final = 1.05


class Plate(Struct, frozen=True):
    """A banner: its items, and how much higher it is than one of a single row, in mm."""

    items: tuple[Item, ...]
    higher: float


def going_banner(kind: Banner, text: str, bottom: float, bench: CardDesk) -> Plate:
    """Return the banner of a going, its lower side at ``bottom`` if it has one row; more rows hang below."""
    layout = bench.terrain
    high = layout.worded("banner", "height")
    clear, end = layout.worded("banner", "clear"), layout.worded("banner", "end")
    widest = layout.picture.width
    patterned = kind in (Banner.BAD, Banner.DIE)
    hand = bench.hand(Font.HEAVY, layout.points("banner", "size"), track=layout.worded("banner", "track"))
    if kind is Banner.IMPASSABLE:
        hand = replace(hand, ink=_WHITE)
    beside = 2 * (clear + (end if patterned else high / 2))
    rows: tuple[str, ...] = (text.upper(),)
    fitting = shrunk(rows[0], hand, widest - beside)
    if fitting.size_pt < LEAST_PT:
        rows = tuple(text.upper().split(BETWEEN, 1))
        longest = max(rows, key=lambda row: measure(row, hand))
        fitting = shrunk(longest, hand, widest - beside)
        fitting = fitting.sized(1.0 if fitting.size_pt >= LEAST_PT else LEAST_PT / fitting.size_pt)
    length = max(measure(row, fitting) for row in rows)
    width = min(widest, max(layout.scaled("banner", "width"), length + beside))
    higher = (len(rows) - 1) * 1.1 * fitting.height
    middle = bench.size.width / 2
    plate = _hexagon(middle, bottom - higher, width, high + higher)
    items: list[Item] = [*fill(plate, _fill(kind, bench))]
    gap = length / 2 + clear
    if kind is Banner.BAD:
        items += _hatching(plate, middle, gap, bench)
    elif kind is Banner.DIE:
        away = (gap + width / 2 - high / 4) / 2
        items += _five_spots(middle, bottom + (high - higher) / 2, away, bench)
    stroke = Stroke(bench.style.solid("ink"), bench.line(layout.number("banner", "line")), join=Join.MITRE)
    items += outline(plate, stroke)
    foot = bottom + (high - _CAPITALS * fitting.height) / 2
    for place, row in enumerate(rows):
        items += line(row, (middle, foot - place * 1.1 * fitting.height), fitting, anchor=Anchor.MIDDLE)
    return Plate(tuple(items), higher)


def _fill(kind: Banner, bench: CardDesk) -> Ink:
    match kind:
        case Banner.GOOD | Banner.DIE:
            return _WHITE
        case Banner.BAD:
            return bench.style.solid("card-bad")
        case Banner.IMPASSABLE:
            return bench.style.solid("ink")


def _hexagon(middle: float, bottom: float, width: float, height: float) -> BaseGeometry:
    left, right, nip = middle - width / 2, middle + width / 2, min(height, 5.0) / 2
    return Polygon(
        [
            (left + nip, bottom),
            (right - nip, bottom),
            (right, bottom + height / 2),
            (right - nip, bottom + height),
            (left + nip, bottom + height),
            (left, bottom + height / 2),
        ]
    )


def _hatching(plate: BaseGeometry, middle: float, gap: float, bench: CardDesk) -> list[Item]:
    """Return strokes at 45 degrees on both ends, clear of the word."""
    left, low, right, high = plate.bounds
    ends = [box(left, low, middle - gap, high), box(middle + gap, low, right, high)]
    pitch, width = bench.terrain.number("banner", "hatch"), bench.line(_HATCH_LINE)
    return [
        stroke for end in ends for stroke in hatched(plate.intersection(end), bench.style.solid("ink"), pitch, width)
    ]


def _five_spots(x: float, y: float, away: float, bench: CardDesk) -> list[Item]:
    """Return the five of a die on either side, ``away`` mm from the middle."""
    pip, spread = _PIP * bench.terrain.grown, _SPREAD * bench.terrain.grown
    spots = [(0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)]
    discs = [
        Point(x + side * away + across * spread, y + up * spread).buffer(pip, quad_segs=6)
        for side in (-1, 1)
        for across, up in spots
    ]
    return [*fill(discs, bench.style.solid("ink"))]

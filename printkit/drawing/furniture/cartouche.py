"""The cartouche: a frame with concave corners around title, subtitle, board size, scale and seed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.core.words import SEPARATOR, Words
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Join, Layer, LayerName
from printkit.drawing.canvas.shapes import fill, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.furniture.frame import bordered
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, measure, wrap_text
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.map.overlays import PACES, depth_of, of_kind
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, Overlay

WIDTH: Final = 208.0
HEIGHT: Final = 110.0
_INNER: Final = 0.90
_HOLLOW: Final = 7.0
_RULE: Final = 124.0
_BOARDS: Final = 8
_BETWEEN: Final = "   ·   "


class _Row(Struct, frozen=True):
    """A row of the cartouche: text, type style, and mm below the previous baseline. Empty text is the rule."""

    text: str
    hand: TypeStyle
    below: float


def cartouche_block(layout: MapLayout, drafter: Drafter, width: float, *, least: float = 0.0) -> Drawing:
    """Return the cartouche, ``width`` mm wide; its height fits the rows and is at least ``least`` mm."""
    rows = list(_rows(layout, drafter, width * _INNER))
    text_height = plain_sum(row.below for row in rows)
    height = max(least, text_height + drafter.size(18))
    if drafter.draft:
        return Drawing(width, height, ())
    items: list[Item] = [*_plate(width, height, drafter)]
    foot = height - (height - text_height) / 2 - drafter.size(1)
    for row in rows:
        foot -= row.below
        if row.text:
            items.extend(drafter.text(row.text, (width / 2, foot), row.hand, anchor=Anchor.MIDDLE))
        else:
            items.extend(_lozenge_rule(width / 2, foot, min(drafter.size(_RULE), width * 0.62), drafter))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def _rows(layout: MapLayout, drafter: Drafter, measure_mm: float) -> Iterator[_Row]:
    field, caption = layout.field, layout.caption
    lead = drafter.size(7.5 if bordered(drafter) else 4.0)
    hand = drafter.hand(Font.ROMAN, 53, track=0.9)
    lines, hand = fit_text(caption.title, hand, measure_mm, least_share=0.55)
    for place, line in enumerate(lines):
        yield _Row(line, hand, hand.height * (0.72 if place == 0 else 1.05))
    yield _Row("", hand, 1.6 * lead)
    for number, subtitle in enumerate(caption.subtitle.split(SEPARATOR) if caption.subtitle else ()):
        lines, hand = fit_text(
            subtitle, drafter.hand(Font.ITALIC, 22, track=0.25), measure_mm, lines=2, least_share=0.75
        )
        for place, line in enumerate(lines):
            yield _Row(line, hand, hand.height * 1.15 + (lead if place == number == 0 else 0))
    for number, words in enumerate(drafter.words.each()):
        hand = drafter.hand(Font.ROMAN, 15, "ink-secondary", track=1.5)
        lines, hand = fit_text(_board_line(field, words).upper(), hand, measure_mm, least_share=0.7)
        for place, line in enumerate(lines):
            yield _Row(line, hand, hand.height * 1.25 + (lead if place == number == 0 else 0))
    for number, words in enumerate(drafter.words.each()):
        hand = drafter.hand(Font.ITALIC, 15, "ink-secondary", track=0.2)
        lines = _by_facts(_facts(layout, words), hand, measure_mm)
        for place, line in enumerate(lines):
            yield _Row(line, hand, hand.height * 1.25 + (0.7 * lead if place == number == 0 else 0))


def _by_facts(facts: list[str], hand: TypeStyle, measure_mm: float) -> tuple[str, ...]:
    """Return the facts in as few rows as possible, separated by raised dots. A fact wraps only in large print."""
    rows: list[str] = []
    for fact in facts:
        longer = f"{rows[-1]}{_BETWEEN}{fact}" if rows else fact
        if rows and measure(longer, hand) <= measure_mm:
            rows[-1] = longer
        elif hand.least_pt:
            # In large print a fact may be longer than the cartouche is wide.
            rows += wrap_text(fact, hand.font, hand.size_pt, measure_mm, track=hand.track)
        else:
            rows.append(fact)
    return tuple(rows)


def _board_line(field: Battlefield, words: Words) -> str:
    if (grid := field.grid) is not None:
        cell = f"{grid.cell:.4g}"
        return words(f"furniture.grid_{grid.shape}", columns=grid.columns, rows=grid.rows, cell=cell)
    sides = field.board.playing_size
    metric = any(abs(side / MM_PER_INCH - round(side / MM_PER_INCH, 1)) > 0.01 for side in sides)
    width, depth = (f"{side / (10 if metric else MM_PER_INCH):.4g}" for side in sides)
    suffix = "_cm" if metric else ""
    if width == depth:
        return words(f"furniture.board_square{suffix}", side=width)
    return words(f"furniture.board_oblong{suffix}", width=width, depth=depth)


def _facts(layout: MapLayout, words: Words) -> list[str]:
    field, board = layout.field, layout.field.board
    base = board.scale.base_width
    found = []
    if field.grid is None and board.scale.has_bases():
        found.append(
            words("furniture.base_widths", count=f"{int(board.playing_size[0] / base + 1e-6)}", width=f"{base:g}")
        )
    grounds = of_kind(field, DEPLOYMENT)
    if grounds and grounds[0].label.endswith(PACES):
        # A depth measured from a shore differs from the depth from the edge, so the label gives it.
        found.append(words("furniture.deployment_depth", paces=grounds[0].label.removesuffix(PACES)))
    elif grounds and grounds[0].label:
        # Rules without paces give the depth in base widths.
        found.append(words("furniture.deployment_depth_bw", count=grounds[0].label))
    elif grounds:
        found.append(words("furniture.deployment_depth", paces=f"{_deepest(grounds, board) / board.scale.pace:.0f}"))
    if layout.caption.seed is not None:
        found.append(words("furniture.seed", seed=f"{layout.caption.seed}"))
    ratio = f"{1 / layout.scale:.2f}".rstrip("0").rstrip(".")
    found.append(words("furniture.true_size") if ratio == "1" else words("furniture.reduced", ratio=ratio))
    return found


@lru_cache(maxsize=_BOARDS)
def _deepest(grounds: tuple[Overlay, ...], board: Board) -> float:
    """Return the largest deployment depth in mm. It is cached because each attempt to fit a sheet needs it."""
    return max(depth_of(overlay, board) for overlay in grounds)


def _plate(width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the background, its two outlines and the circles in its concave corners."""
    corners = [Point(x, y) for x in (0.0, width) for y in (0.0, height)]
    plate: BaseGeometry = box(0, 0, width, height)
    for corner in corners:
        plate = plate.difference(corner.buffer(drafter.size(_HOLLOW), quad_segs=24))
    heavy = drafter.context.stroke(drafter.style.solid("ink"), 1.1, join=Join.MITRE)
    light = drafter.context.stroke(drafter.style.solid("ink"), 0.35, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from fill(plate, drafter.style.solid("cartouche"))
    yield from outline(plate, heavy)
    yield from outline(plate.buffer(-drafter.size(1.9), join_style="mitre"), light)
    inset = drafter.size(1.5)
    spots = [Point(x, y) for x in (inset, width - inset) for y in (inset, height - inset)]
    yield from outline([spot.buffer(drafter.size(2.6), quad_segs=10).exterior for spot in spots], light)
    yield from fill([spot.buffer(drafter.size(1.1), quad_segs=6) for spot in spots], drafter.style.solid("sepia"))


def _lozenge_rule(x: float, y: float, length: float, drafter: Drafter) -> Iterator[Item]:
    gap, across, up = drafter.size(5), drafter.size(3.2), drafter.size(1.5)
    halves = [np.array([(x + side * length / 2, y), (x + side * gap, y)]) for side in (-1, 1)]
    yield from drafter.outline(halves, 0.35)
    yield from fill(Polygon([(x - across, y), (x, y + up), (x + across, y), (x, y - up)]), drafter.style.solid("sepia"))

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
from printkit.drawing.furniture.frame import has_border
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, measure, wrap_text
from printkit.drawing.map.map_layout import MapLayout
from printkit.drawing.map.overlays import PACES, deployment_depth, overlays_of_kind
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, Overlay

WIDTH: Final = 208.0
HEIGHT: Final = 110.0
_INNER: Final = 0.90
_CORNER_RADIUS: Final = 7.0
_RULE: Final = 124.0
_CACHED_BOARDS: Final = 8
_SEPARATOR: Final = "   ·   "


class _Row(Struct, frozen=True):
    """A row of the cartouche: text (empty for the rule), type style, and distance.

    The distance is from the baseline of the row above, in printed mm.
    """

    text: str
    style: TypeStyle
    distance_mm: float


def build_cartouche(layout: MapLayout, drafter: Drafter, width: float, *, min_height: float = 0.0) -> Drawing:
    """Return the cartouche, ``width`` by at least ``min_height`` printed mm; its height fits the rows.

    A drafter for drafts gets the size without items.
    """
    rows = list(_build_rows(layout, drafter, width * _INNER))
    text_height = plain_sum(row.distance_mm for row in rows)
    height = max(min_height, text_height + drafter.size(18))
    if drafter.draft:
        return Drawing(width, height, ())
    items: list[Item] = [*_draw_plate(width, height, drafter)]
    baseline = height - (height - text_height) / 2 - drafter.size(1)
    for row in rows:
        baseline -= row.distance_mm
        if row.text:
            items.extend(drafter.text(row.text, (width / 2, baseline), row.style, anchor=Anchor.MIDDLE))
        else:
            items.extend(_draw_ornament_rule(width / 2, baseline, min(drafter.size(_RULE), width * 0.62), drafter))
    return Drawing(width, height, (Layer(LayerName.MARGIN, tuple(items)),))


def _build_rows(layout: MapLayout, drafter: Drafter, measure_mm: float) -> Iterator[_Row]:
    """Yield the rows of the cartouche, at most ``measure_mm`` printed mm long, from the top.

    They are the title, an ornament rule (empty text), subtitles, board size and facts.
    """
    field, caption = layout.field, layout.caption
    spacing = drafter.size(7.5 if has_border(drafter) else 4.0)
    style = drafter.type_style(Font.ROMAN, 53, track=0.9)
    lines, style = fit_text(caption.title, style, measure_mm, least_share=0.55)
    for index, line in enumerate(lines):
        yield _Row(line, style, style.height * (0.72 if index == 0 else 1.05))
    yield _Row("", style, 1.6 * spacing)
    for number, subtitle in enumerate(caption.subtitle.split(SEPARATOR) if caption.subtitle else ()):
        lines, style = fit_text(
            subtitle, drafter.type_style(Font.ITALIC, 22, track=0.25), measure_mm, lines=2, least_share=0.75
        )
        for index, line in enumerate(lines):
            yield _Row(line, style, style.height * 1.15 + (spacing if index == number == 0 else 0))
    for number, words in enumerate(drafter.words.each()):
        style = drafter.type_style(Font.ROMAN, 15, "ink-secondary", track=1.5)
        lines, style = fit_text(_board_size_text(field, words).upper(), style, measure_mm, least_share=0.7)
        for index, line in enumerate(lines):
            yield _Row(line, style, style.height * 1.25 + (spacing if index == number == 0 else 0))
    for number, words in enumerate(drafter.words.each()):
        style = drafter.type_style(Font.ITALIC, 15, "ink-secondary", track=0.2)
        lines = _join_facts(_facts(layout, words), style, measure_mm)
        for index, line in enumerate(lines):
            yield _Row(line, style, style.height * 1.25 + (0.7 * spacing if index == number == 0 else 0))


def _join_facts(facts: list[str], style: TypeStyle, measure_mm: float) -> tuple[str, ...]:
    """Return the facts in as few rows as possible, separated by raised dots.

    A row is at most ``measure_mm`` printed mm long. A fact wraps only in large print. The order is kept.
    """
    rows: list[str] = []
    for fact in facts:
        longer = f"{rows[-1]}{_SEPARATOR}{fact}" if rows else fact
        if rows and measure(longer, style) <= measure_mm:
            rows[-1] = longer
        elif style.least_pt:
            # In large print a fact may be longer than the cartouche is wide.
            rows += wrap_text(fact, style.font, style.size_pt, measure_mm, track=style.track)
        else:
            rows.append(fact)
    return tuple(rows)


def _board_size_text(field: Battlefield, words: Words) -> str:
    """Return the size of a board in words: the cells of a grid, otherwise inches.

    It is in centimetres if a side is not a multiple of a tenth of an inch.
    """
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
    """Return short texts about a map in one language, without those that do not apply.

    In this order: the board's width in base widths with the base width in mm, deployment depth (paces or base widths),
    seed, and scale. Only the scale is always there.
    """
    field, board = layout.field, layout.field.board
    base = board.scale.base_width
    facts = []
    if field.grid is None and board.scale.has_bases():
        facts.append(
            words("furniture.base_widths", count=f"{int(board.playing_size[0] / base + 1e-6)}", width=f"{base:g}")
        )
    grounds = overlays_of_kind(field, DEPLOYMENT)
    if grounds and grounds[0].label.endswith(PACES):
        # A depth measured from a shore differs from the depth from the edge, so the label gives it.
        facts.append(words("furniture.deployment_depth", paces=grounds[0].label.removesuffix(PACES)))
    elif grounds and grounds[0].label:
        # Rules without paces give the depth in base widths.
        facts.append(words("furniture.deployment_depth_bw", count=grounds[0].label))
    elif grounds:
        facts.append(
            words("furniture.deployment_depth", paces=f"{_max_deployment_depth(grounds, board) / board.scale.pace:.0f}")
        )
    if layout.caption.seed is not None:
        facts.append(words("furniture.seed", seed=f"{layout.caption.seed}"))
    ratio = f"{1 / layout.scale:.2f}".rstrip("0").rstrip(".")
    facts.append(words("furniture.true_size") if ratio == "1" else words("furniture.reduced", ratio=ratio))
    return facts


@lru_cache(maxsize=_CACHED_BOARDS)
def _max_deployment_depth(grounds: tuple[Overlay, ...], board: Board) -> float:
    """Return the largest deployment depth in mm of the board, cached for repeated attempts."""
    return max(deployment_depth(overlay, board) for overlay in grounds)


def _draw_plate(width: float, height: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the background, its two outlines and the circles in its concave corners.

    ``width`` and ``height`` are in printed mm.
    """
    corners = [Point(x, y) for x in (0.0, width) for y in (0.0, height)]
    plate: BaseGeometry = box(0, 0, width, height)
    for corner in corners:
        plate = plate.difference(corner.buffer(drafter.size(_CORNER_RADIUS), quad_segs=24))
    heavy = drafter.context.stroke(drafter.style.solid("ink"), 1.1, join=Join.MITRE)
    light = drafter.context.stroke(drafter.style.solid("ink"), 0.35, join=Join.MITRE, minimum_mm=LEAST_MEANING)
    yield from fill(plate, drafter.style.solid("cartouche"))
    yield from outline(plate, heavy)
    yield from outline(plate.buffer(-drafter.size(1.9), join_style="mitre"), light)
    inset = drafter.size(1.5)
    centres = [Point(x, y) for x in (inset, width - inset) for y in (inset, height - inset)]
    yield from outline([centre.buffer(drafter.size(2.6), quad_segs=10).exterior for centre in centres], light)
    yield from fill([centre.buffer(drafter.size(1.1), quad_segs=6) for centre in centres], drafter.style.solid("sepia"))


def _draw_ornament_rule(x: float, y: float, length: float, drafter: Drafter) -> Iterator[Item]:
    """Yield a rule with a lozenge in its middle, around ``x``, ``y``; lengths are in printed mm."""
    gap, half_width, half_height = drafter.size(5), drafter.size(3.2), drafter.size(1.5)
    halves = [np.array([(x + side * length / 2, y), (x + side * gap, y)]) for side in (-1, 1)]
    yield from drafter.outline(halves, 0.35)
    yield from fill(
        Polygon([(x - half_width, y), (x, y + half_height), (x + half_width, y), (x, y - half_height)]),
        drafter.style.solid("sepia"),
    )

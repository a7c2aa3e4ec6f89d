"""The cartouche with title and facts of a map, its compass rose, and scale bars in all units."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from shapely import Point, Polygon, affinity, box
from shapely.geometry.base import BaseGeometry

from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.core.words import SEPARATOR, Words, decimal_sign
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Join
from printkit.drawing.canvas.layers import defer_items
from printkit.drawing.canvas.shapes import Line, fill, fill_and_stroke, outline
from printkit.drawing.canvas.symbol_context import LEAST_MEANING
from printkit.drawing.furniture.frame import has_border
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, measure, wrap_words
from printkit.drawing.map.board_drawing import MapLayout
from printkit.drawing.map.overlays import PACES, deployment_depth, overlays_of_kind
from printkit.drawing.text.drafter import Drafter
from printkit.kit.sides import DEPLOYMENT
from printkit.terrain.field.battlefield import Battlefield, Board, Overlay

CARTOUCHE_WIDTH: Final = 208.0
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

    Its items are drawn when they are first read.
    """
    rows = list(_build_rows(layout, drafter, width * _INNER))
    text_height = plain_sum(row.distance_mm for row in rows)
    height = max(min_height, text_height + drafter.size(18))

    def draw_items() -> Iterator[Item]:
        """Yield the plate, and the rows on it."""
        yield from _draw_plate(width, height, drafter)
        baseline = height - (height - text_height) / 2 - drafter.size(1)
        for row in rows:
            baseline -= row.distance_mm
            if row.text:
                yield from drafter.text(row.text, (width / 2, baseline), row.style, anchor=Anchor.MIDDLE)
            else:
                yield from _draw_ornament_rule(width / 2, baseline, min(drafter.size(_RULE), width * 0.62), drafter)

    return defer_items(width, height, draw_items)


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
            rows += wrap_words(fact, style, measure_mm)
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


# --- Scale bars: two chequered rows each, for inches, centimetres, paces and base widths ------------------------------

_LONGEST: Final = 102.0
_LEAST_STEP: Final = 18.0
_MOST_STEPS: Final = 5
_HEIGHT: Final = 3.0
_PITCH: Final = 13.0
_FIGURE_SPACING: Final = 0.35
_FIGURE_GAP: Final = 0.4
_LENGTH_UNITS: Final = ("inches", "centimetres")
_ROUND_NUMBERS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# Shares of a unit for a step if one unit is longer than the bar, for example 100 paces at a few paces to the inch.
_FRACTIONS: Final = (0.5, 0.2, 0.1, 0.05, 0.02, 0.01)


class Bar(Struct, frozen=True):
    """A scale bar of ``steps`` steps. A step is ``step`` mm long on paper and represents ``worth`` units."""

    unit: str
    step: float
    worth: float
    steps: int


def build_scale_bars(
    field: Battlefield,
    drafter: Drafter,
    *,
    scale: float = 1.0,
    max_bar_mm: float | None = None,
    max_width: float = math.inf,
) -> Drawing:
    """Return the scale bars of a battlefield, one below the other, each with its unit.

    ``scale`` is printed mm per mm of the board. ``max_bar_mm`` limits a bar, in printed mm (default: 102 at 1:1).
    ``max_width`` limits the block with its unit names, in printed mm, but a bar always has at least one step.
    """
    bars = _shown_bars(field, drafter, scale, max_bar_mm or drafter.size(_LONGEST))
    unit, figures = drafter.type_style(Font.ITALIC, 12.5), drafter.type_style(Font.FIGURES, 9)
    rows = len(drafter.words.languages)
    figure_height = drafter.size(2.4) + figures.height
    pitch = max(
        drafter.size(_PITCH),
        drafter.size(_HEIGHT) + figure_height + _FIGURE_SPACING * figures.height,
        rows * unit.height * 1.08,
    )
    left = figures.height
    words = max(
        measure(word, unit) for bar in bars for word in drafter.translations(f"unit.{bar.unit}")
    ) + drafter.size(1)
    available_mm = max_width - left - figures.height - words
    if max(bar.step * bar.steps for bar in bars) > available_mm > 0:
        bars = _shown_bars(field, drafter, scale, available_mm)
    bar_end = left + max(bar.step * bar.steps for bar in bars) + figures.height
    width = bar_end + words
    # The unit name of the lowest bar may reach below the bar.
    bottom = max(0.0, rows * unit.height / 2 - drafter.size(_HEIGHT) / 2)
    height = bottom + pitch * (len(bars) - 1) + drafter.size(_HEIGHT) + figure_height

    def draw_items() -> Iterator[Item]:
        """Yield the bars and the names of their units."""
        for row, bar in enumerate(reversed(bars)):
            yield from _draw_bar(bar, left, bottom + row * pitch, drafter)
            yield from _draw_unit_name(bar, bar_end, bottom + row * pitch, drafter, unit)

    return defer_items(width, height, draw_items)


def _shown_bars(field: Battlefield, drafter: Drafter, scale: float, max_bar_mm: float) -> tuple[Bar, ...]:
    """Return the bars of a battlefield, each at most ``max_bar_mm`` printed mm long.

    ``scale`` is printed mm per mm of the board. On a grid players count cells, so paces and base widths are left out.
    """
    bars = build_bars(field.board, drafter, scale, max_bar_mm)
    return bars if field.grid is None else tuple(bar for bar in bars if bar.unit in _LENGTH_UNITS)


def build_bars(board: Board, drafter: Drafter, scale: float, max_bar_mm: float) -> tuple[Bar, ...]:
    """Return the bars of a board: inches, centimetres, paces, and base widths if it has them, in this order.

    Steps are round and long enough for their figures. Bars are at most ``max_bar_mm`` printed mm long, except that each
    has at least one step; a bar has at most five. ``scale`` is printed mm per mm of the board.
    """
    units = (
        ("inches", MM_PER_INCH, 1.0),
        ("centimetres", 10.0, 1.0),
        ("paces", board.scale.pace * 100, 100.0),
        *([("base_widths", board.scale.base_width / 2, 0.5)] if board.scale.has_bases() else []),
    )
    bars = []
    for unit, millimetres, worth in units:
        multiple: float = next(
            (factor for factor in _ROUND_NUMBERS if millimetres * scale * factor >= drafter.size(_LEAST_STEP)),
            _ROUND_NUMBERS[-1],
        )
        if millimetres * scale * multiple > max_bar_mm:
            multiple = next(
                (factor for factor in _FRACTIONS if millimetres * scale * factor <= max_bar_mm), _FRACTIONS[-1]
            )
        step = millimetres * scale * multiple
        steps = max(1, min(_MOST_STEPS, int(max_bar_mm / step + 1e-6)))
        bars.append(Bar(unit, step, worth * multiple, steps))
    return tuple(bars)


def _draw_bar(bar: Bar, x: float, y: float, drafter: Drafter) -> Iterator[Item]:
    """Yield a chequered scale bar with figures above; its lower left corner is ``x``, ``y`` in printed mm.

    In large print some figures may be left out.
    """
    height, half_height = drafter.size(_HEIGHT), drafter.size(_HEIGHT) / 2
    dark, light = [], []
    for step in range(bar.steps):
        left, right = x + step * bar.step, x + (step + 1) * bar.step
        lower, upper = box(left, y, right, y + half_height), box(left, y + half_height, right, y + height)
        dark.append(lower if step % 2 == 0 else upper)
        light.append(upper if step % 2 == 0 else lower)
    yield from fill(light, drafter.style.solid("cartouche"))
    yield from fill(dark, drafter.style.solid("ink"))
    yield from drafter.outline(box(x, y, x + bar.steps * bar.step, y + height).exterior, 0.35)
    style = drafter.type_style(Font.FIGURES, 9)
    figures = [f"{step * bar.worth:g}".replace(".", decimal_sign(drafter.words.code)) for step in range(bar.steps + 1)]
    # In large print a figure may be longer than a step. Then only some steps get a figure.
    max_figure_mm = max(measure(figure, style) for figure in figures) + _FIGURE_GAP * style.height * bool(
        style.least_pt
    )
    interval = max(1, math.ceil(max_figure_mm / bar.step)) if style.least_pt else 1
    for step, figure in enumerate(figures):
        tick_x = x + step * bar.step
        yield drafter.rule([(tick_x, y + height), (tick_x, y + drafter.size(_HEIGHT + 1.4))], 0.35)
        if step % interval == 0:
            yield from drafter.text(figure, (tick_x, y + drafter.size(_HEIGHT + 2.4)), style, anchor=Anchor.MIDDLE)


def _draw_unit_name(bar: Bar, x: float, y: float, drafter: Drafter, style: TypeStyle) -> Iterator[Item]:
    """Yield the name of a unit at the end of its bar, one row for each language.

    ``x`` is the end and ``y`` the lower edge of the bar, in printed mm.
    """
    names = drafter.translations(f"unit.{bar.unit}")
    baseline = y + drafter.size(_HEIGHT) / 2 - 0.26 * style.height + 0.52 * style.height * (len(names) - 1)
    for row, word in enumerate(names):
        yield from drafter.text(word, (x, baseline - row * 1.04 * style.height), style)


# Height of the compass with fleur-de-lis and letters, in radii.
HEIGHT: Final = 2.64

_HEAD: Final = 1.36
# For each star: points, bearing of the first, ray length, radius and half angle of the ray's base. Lengths in radii.
_STARS: Final = ((8, 22.5, 0.56, 0.16, 22.5), (4, 45.0, 0.70, 0.19, 22.5), (4, 0.0, 0.98, 0.21, 45.0))

_SEGMENTS: Final = 72
_PETAL: Final = ((0, 0), (0.22, 0.45), (0.30, 0.95), (0, 1.75), (-0.30, 0.95), (-0.22, 0.45))
_LEAF: Final = ((0.12, 0.1), (0.5, 0.5), (0.62, 1.05), (0.9, 1.15), (1.02, 0.85), (0.8, 0.72), (0.8, 0.5), (0.3, 0))


def draw_compass(drafter: Drafter, radius: float, *, letters: bool = True) -> Drawing:
    """Return the compass with a radius in printed mm.

    The drawing is 2.72 radii wide and 2.64 radii high, with the ring in its lower part. North is up. ``letters`` adds
    east, south and west; north has a fleur-de-lis.
    """
    centre = (radius * _HEAD, radius * (HEIGHT - _HEAD))

    def draw_items() -> Iterator[Item]:
        """Yield the ring, the stars, the fleur-de-lis, and the letters if they are wanted."""
        yield from _draw_ring(drafter, centre, radius)
        yield from _draw_stars(drafter, centre, radius)
        yield from _draw_fleur_de_lis(drafter, centre, radius)
        if letters:
            yield from _draw_letters(drafter, centre, radius)

    return defer_items(2 * centre[0], radius * HEIGHT, draw_items)


def _draw_ring(drafter: Drafter, centre: tuple[float, float], radius: float) -> Iterator[Item]:
    """Yield the chequered ring of the compass; centre and radius are in printed mm."""
    middle = Point(centre)
    inner, outer = radius * 0.74, radius * 0.80
    blocks: list[BaseGeometry] = []
    step = 2 * math.pi / _SEGMENTS
    for number in range(0, _SEGMENTS, 2):
        angles = np.linspace(number * step, (number + 1) * step, 4)
        arc = np.column_stack([exact_math.sin(angles), exact_math.cos(angles)])
        blocks.append(Polygon(np.vstack([arc * inner, arc[::-1] * outer]) + centre))
    yield from fill(blocks, drafter.style.solid("sepia"))
    yield from drafter.outline(middle.buffer(outer, quad_segs=24).exterior, 0.5)
    yield from drafter.outline(middle.buffer(inner, quad_segs=24).exterior, 0.25)


def _draw_stars(drafter: Drafter, centre: tuple[float, float], radius: float) -> Iterator[Item]:
    """Yield the stars of the compass, the longest on top; centre and radius are in printed mm."""
    stroke = drafter.context.stroke(drafter.style.solid("ink"), 0.22, join=Join.MITRE)
    for count, first, length, base_radius, half_angle in _STARS:
        sides: dict[int, list[BaseGeometry]] = {-1: [], 1: []}
        for ray in range(count):
            bearing = first + 360 / count * ray
            for side, shapes in sides.items():
                corners = (
                    _bearing_offset(bearing, radius * length),
                    _bearing_offset(bearing + side * half_angle, radius * base_radius),
                )
                shapes.append(Polygon(np.asarray([(0.0, 0.0), *corners]) + centre))
        yield from fill_and_stroke(sides[-1], drafter.style.solid("cartouche"), stroke)
        yield from fill_and_stroke(sides[1], drafter.style.solid("sepia"), stroke)
    boss = Point(centre).buffer(radius * 0.085, quad_segs=12)
    yield from fill_and_stroke(
        boss, drafter.style.solid("cartouche"), drafter.context.stroke(drafter.style.solid("ink"), 0.3)
    )
    yield from fill(Point(centre).buffer(radius * 0.03), drafter.style.solid("sepia"))


def _draw_fleur_de_lis(drafter: Drafter, centre: tuple[float, float], radius: float) -> Iterator[Item]:
    """Yield the fleur-de-lis above the north point; centre and radius of the compass are in printed mm."""
    size, base = radius * 0.17, (centre[0], centre[1] + radius * 1.02)
    petal = _round_corners(np.asarray(_PETAL))
    leaf = _round_corners(np.asarray(_LEAF))
    mirrored = leaf * (-1, 1)
    shapes = [Polygon(part * size + base) for part in (petal, leaf, mirrored)]
    shapes.append(affinity.translate(box(-0.62 * size, 0.02 * size, 0.62 * size, 0.22 * size), *base))
    for shape in shapes:
        yield from fill(shape, drafter.style.solid("sepia"))


def _draw_letters(drafter: Drafter, centre: tuple[float, float], radius: float) -> list[Item]:
    """Return the letters of east, south and west; centre and radius of the compass are in printed mm.

    They are those of the first language, just outside the ring.
    """
    words = drafter.words.each()[0]
    style = drafter.type_style(Font.ROMAN, radius / drafter.size(1) * 0.62)
    items: list[Item] = []
    for name, bearing, anchor in (("east", 90, Anchor.START), ("south", 180, Anchor.MIDDLE), ("west", 270, Anchor.END)):
        x, y = np.asarray(centre) + _bearing_offset(bearing, radius * 1.04)
        low = style.height * (0.66 if name == "south" else 0.33)
        items.extend(drafter.text(words(f"compass.{name}"), (float(x), float(y) - low), style, anchor=anchor))
    return items


def _bearing_offset(degrees: float, distance: float) -> tuple[float, float]:
    """Return x and y at a distance and a bearing from the origin, in the unit of the distance.

    The bearing is in degrees clockwise from north.
    """
    return distance * math.sin(math.radians(degrees)), distance * math.cos(math.radians(degrees))


def _round_corners(points: Line) -> Line:
    """Return a closed curve with rounded corners, in the unit of the points: n x 2, with eight times as many points."""
    for _ in range(3):
        ahead = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * ahead, 0.25 * points + 0.75 * ahead], axis=1).reshape(-1, 2)
    return points

"""Cut-outs for columns: markers, and templates at actual size (CC-A07, CC-A08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import WHITE, make_polygon, make_rectangle
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import instruction_header
from printkit.kit.rules import Rules
from printkit.page.leaflets import leaflet_area, shelved_pages
from printkit.page.sheet import Page
from printkit.page.slots import count_shelf_cuts
from printkit.recipes.output.handout import DrawnPiece, HandoutContext
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.columns_check import base_width, column_sizes
from printkit.systems.dba3.placing.read_record import read_rules

# --- Markers of columns: baggage, numbered plates, entry point, partly on, general off (CC-A07) -----------------------

PLATE: Final = (40.0, 25.0)
ARROW: Final = (30.0, 44.0)
_CUT: Final = 0.3
_BAND: Final = 6.5


class Plate(Struct, frozen=True):
    """A plate: a large sign or word, lines below it, and the ink of a side (default: neutral)."""

    large: str
    below: tuple[str, ...] = ()
    token: str = "ink"


def draw_plate(plate: Plate, drafter: Drafter, size: tuple[float, float] = PLATE) -> Drawing:
    """Return a plate with its large text, and below it a band of text in the side's ink if there is any.

    ``size`` is width and height in printed mm.
    """
    width, height = size
    ink = drafter.style.solid(plate.token)
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT)]
    band = _BAND if plate.below else 0.0
    if band:
        items.append(make_rectangle((0.0, 0.0, width, band), ink))
        small = drafter.type_style(Font.BANNER, 9.5)
        white = replace(small, ink=WHITE, track=0.15)
        position = (width / 2, band / 2 - 0.36 * small.height)
        items += drafter.text(" · ".join(plate.below), position, white, max_width_mm=width - 3.0, anchor=Anchor.MIDDLE)
    points = 40.0 if len(plate.large) == 1 else 15.0
    type_style = drafter.type_style(Font.HEAVY, points, plate.token)
    items += drafter.centred_text(
        plate.large, (width / 2, band + (height - band) / 2), type_style, max_width_mm=width - 5.0
    )
    return drawing_of(width, height, items)


def draw_words_plate(rows: tuple[str, ...], drafter: Drafter, size: tuple[float, float] = PLATE) -> Drawing:
    """Return a plate with words in a double frame, a row for each language; ``size`` is in mm on paper."""
    width, height = size
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT)]
    items.append(drafter.box(Rect(1.6, 1.6, width - 3.2, height - 3.2), 0.5))
    type_style = drafter.type_style(Font.HEAVY, 16.0 if len(rows) == 1 else 14.0)
    pitch = 1.3 * type_style.height
    top = height / 2 + (len(rows) - 1) * pitch / 2
    for number, row in enumerate(rows):
        items += drafter.centred_text(row, (width / 2, top - number * pitch), type_style, max_width_mm=width - 7.0)
    return drawing_of(width, height, items)


def draw_baggage(width: float, depth: float, rows: tuple[str, ...], drafter: Drafter) -> Drawing:
    """Return the baggage on its base of ``width`` by ``depth`` mm at 1:1: a wagon from above, and names."""
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, depth), _CUT, fill=drafter.style.solid("plough"))]
    items += _draw_wagon(Rect(0.26 * width, 0.36 * depth, 0.48 * width, 0.48 * depth), drafter)
    items += _draw_foot_rows(rows, width / 2, width - 3.0, drafter)
    return drawing_of(width, depth, items)


def _draw_foot_rows(rows: Sequence[str], x: float, available_mm: float, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw rows of text centred at ``x`` printed mm, the last row at the foot.

    A row wider than ``available_mm`` is set in smaller type. The last row is 2.6 mm above the origin, the others above
    it.
    """
    type_style = drafter.type_style(Font.BANNER, 8.5)
    for number, row in enumerate(reversed(rows)):
        position = (x, 2.6 + number * 1.25 * type_style.height)
        yield from drafter.text(row, position, type_style, max_width_mm=available_mm, anchor=Anchor.MIDDLE)


def _draw_wagon(place: Rect, drafter: Drafter) -> list[Item]:
    """Return the items of a wagon from above in a rectangle in mm on paper: bed with planks, wheels and pole.

    The pole extends 4.5 mm above the rectangle, and the wheels a little beyond its sides.
    """
    timber, ink = drafter.style.solid("timber"), drafter.style.solid("ink")
    items: list[Item] = []
    wheel = (0.10 * place.width, 0.26 * place.height)
    for x in (place.x - 0.06 * place.width, place.right - 0.04 * place.width):
        feet = (place.y + 0.08 * place.height, place.top - 0.34 * place.height)
        items += (make_rectangle((x, y, *wheel), ink) for y in feet)
    items.append(
        drafter.rule([(place.x + place.width / 2, place.top), (place.x + place.width / 2, place.top + 4.5)], 0.7)
    )
    items.append(make_rectangle(place, timber, drafter.stroke(0.4)))
    for number in range(1, 5):
        x = place.x + number * place.width / 5
        items.append(drafter.rule([(x, place.y), (x, place.top)], 0.25))
    return items


def draw_entry_arrow(rows: tuple[str, ...], token: str, drafter: Drafter) -> Drawing:
    """Return an arrow that marks a column's entry point; its tip, at the top, goes on the base edge.

    ``rows`` are its texts, one for each language, and ``token`` names its ink. Its size is ``ARROW`` in printed mm.
    """
    width, height = ARROW
    ink = drafter.style.solid(token)
    middle, neck = width / 2, height - 17.0
    shape = [
        (middle, height - 1.2),
        (width - 1.5, neck),
        (width - 8.0, neck),
        (width - 8.0, 12.0),
        (8.0, 12.0),
        (8.0, neck),
        (1.5, neck),
    ]
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT), make_polygon(shape, ink)]
    items += _draw_foot_rows(rows, middle, width - 2.5, drafter)
    return drawing_of(width, height, items)


# --- Templates to place columns ---------------------------------------------------------------------------------------

_TEMPLATE_ARM: Final = 0.3
_STRIP: Final = 14.0
_MARK: Final = 0.15
_PALE: Final = 0.72


def draw_edge_square(size: tuple[float, float], rules: Rules, drafter: Drafter) -> Drawing:
    """Return a drawing of the complete edge square, with a mark at each base width and a line through its middle.

    Args:
        size: mm along the edge, and mm deep; both at 1:1.
    """
    side, deep = size
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, side, deep), _CUT)]
    items += _draw_ticks(side, deep, base_width(rules), drafter)
    words, middle = drafter.words, side / 2
    items.append(drafter.dashed_line([(middle, 8.0), (middle, deep - 8.0)], _MARK, (3.0, 2.0)))
    for key, above, font, points in (
        ("templates.square", 8.0, Font.BANNER, 15.0),
        ("sheet.clear-square", -9.0, Font.FIGURES, 13.0),
    ):
        text = words(f"columns.{key}", **said(rules, words))
        items += _draw_plate_text(text, (middle, deep / 2 + above), drafter, font, points, side - 20.0)
    items += _draw_edge_text(words("columns.templates.edge"), Rect(0.0, 2.4, side, 4.0), drafter)
    return drawing_of(side, deep, items)


def draw_edge_corner(size: tuple[float, float], rules: Rules, drafter: Drafter) -> Drawing:
    """Return a drawing of a corner of the edge square: two arms along its sides, to put around terrain on the table.

    Args:
        size: mm along the edge, and mm deep; both at 1:1.
    """
    side, deep = size
    arm = _TEMPLATE_ARM * min(side, deep)
    items: list[Item] = [
        drafter.rule([(0, 0), (side, 0), (side, arm), (arm, arm), (arm, deep), (0, deep), (0, 0)], _CUT)
    ]
    for number in range(1, round(side / base_width(rules))):
        distance = number * base_width(rules)
        items.append(drafter.rule([(distance, 0.0), (distance, 4.0)], _MARK))
        if distance < deep:
            items.append(drafter.rule([(0.0, distance), (4.0, distance)], _MARK))
    type_style = drafter.type_style(Font.BANNER, 10.0)
    for text, level in _spread_rows(drafter.translations("columns.templates.corner"), arm / 2, type_style.height):
        items += drafter.text(text, (arm + 4.0, level), type_style, max_width_mm=side - arm - 6.0)
    clear = [one("columns.sheet.clear-square", **said(rules, one)) for one in drafter.words.each()]
    for text, level in _spread_rows(clear, arm / 2, type_style.height):
        foot = (arm - level, arm + 4.0)
        items += drafter.text(text, foot, type_style, max_width_mm=deep - arm - 6.0, angle=90.0)
    return drawing_of(side, deep, items)


def draw_strip(
    length: float, base_width: float, text: str, drafter: Drafter, *, upright: bool = False, after: int = 0
) -> Drawing:
    """Return a drawing of a measuring strip of ``length`` mm at 1:1, with alternate base widths in grey.

    The base widths are numbered from 1, or from ``after`` + 1.

    Args:
        length: in mm on paper.
        base_width: in mm on paper.
        text: the title on the strip.
        drafter: style and words.
        upright: draw it vertically, for narrow paper.
        after: base widths on earlier strips; the numbers begin after them.
    """
    items: list[Item] = []
    grey = drafter.style.solid("ink").mix(WHITE, _PALE)
    small, type_style = drafter.type_style(Font.HEAVY, 10.0), drafter.type_style(Font.BANNER, 12.0)

    def place_rect(distance: float, wide: float) -> Rect:
        """Return the part of the strip that begins ``distance`` mm at 1:1 from its start, ``wide`` mm long."""
        return Rect(0.0, distance, _STRIP, wide) if upright else Rect(distance, 0.0, wide, _STRIP)

    for number in range(round(length / base_width)):
        place = place_rect(number * base_width, base_width)
        items.append(drafter.box(place, _MARK, fill=grey if (after + number) % 2 else None))
        position = (place.x + 4.0, place.y + 3.0)
        items += drafter.text(str(after + number + 1), position, small, max_width_mm=8.0, anchor=Anchor.MIDDLE)
    outline = place_rect(0.0, length)
    items.append(drafter.box(outline, _CUT))
    capital = 0.72 * type_style.height
    position = (2.0 + capital, length - 2.5) if upright else (length - 2.5, _STRIP - 2.0 - capital)
    items += drafter.text(
        text, position, type_style, max_width_mm=length / 2, anchor=Anchor.END, angle=90.0 if upright else 0.0
    )
    return drawing_of(outline.width, outline.height, items)


def draw_queue(
    place: tuple[float, float], count: int, labels: tuple[str, str], token: str, drafter: Drafter
) -> Drawing:
    """Return a drawing of a strip for a column that waits next to the board.

    It has ``count`` places, numbered from 1, the first on top.

    Args:
        place: width and depth of a place, in mm on paper.
        count: the number of places.
        labels: the owner of the column, and a note.
        token: the name of the side's ink in a style.
        drafter: style and words.
    """
    width, depth = place
    height = count * depth + _QUEUE_HEAD
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT)]
    type_style = drafter.type_style(Font.HEAVY, 26.0, token)
    pale = type_style.with_alpha(0.45) if drafter.style.washes else type_style
    for number in range(1, count + 1):
        place_rect = Rect(0.0, height - _QUEUE_HEAD - number * depth, width, depth)
        items.append(drafter.box(place_rect, _MARK))
        position = (width / 2, place_rect.y + depth / 2 - 0.36 * type_style.height)
        items += drafter.text(str(number), position, pale, max_width_mm=width - 6.0, anchor=Anchor.MIDDLE)
    small = drafter.type_style(Font.BANNER, 8.5, token)
    for text, foot in zip(labels, (height - 4.6, height - 9.2), strict=True):
        items += drafter.text(text, (width / 2, foot), small, max_width_mm=width - 2.0, anchor=Anchor.MIDDLE)
    return drawing_of(width, height, items)


def _draw_ticks(side: float, deep: float, base_width: float, drafter: Drafter) -> Iterator[Item]:
    """Yield marks at each base width along the four sides of a square; all lengths are in mm on paper.

    The marks are 4 mm long and point inwards. The bottom left corner is the origin, and the corners are not marked.
    ``side`` is the width and ``deep`` the printed height; marks above ``deep`` are left out.
    """
    for number in range(1, round(side / base_width)):
        distance = number * base_width
        for ends in (
            [(distance, 0.0), (distance, 4.0)],
            [(distance, deep), (distance, deep - 4.0)],
            [(0.0, distance), (4.0, distance)],
            [(side, distance), (side - 4.0, distance)],
        ):
            if ends[0][1] <= deep:
                yield drafter.rule(ends, _MARK)


def _draw_plate_text(
    text: str, position: tuple[float, float], drafter: Drafter, font: Font, size: float, available_mm: float
) -> Iterator[Item]:
    """Yield items that draw text centred at a position in mm on paper, on a white ground because a line runs behind it.

    ``size`` is the type size in points of type. The white ground is ``available_mm`` wide and 8 mm high; wider text
    becomes smaller.
    """
    type_style = drafter.type_style(font, size)
    yield make_rectangle((position[0] - available_mm / 2, position[1] - 4.0, available_mm, 8.0), WHITE)
    yield from drafter.centred_text(text, position, type_style, max_width_mm=available_mm)


def _draw_edge_text(text: str, place: Rect, drafter: Drafter) -> Iterator[Item]:
    """Yield items that draw the name of the edge on a white ground, centred in a rectangle in mm on paper."""
    type_style = drafter.type_style(Font.FIGURES, 8.5, "ink-secondary")
    position = (place.x + place.width / 2, place.y)
    yield make_rectangle((position[0] - 22.0, place.y - 1.0, 44.0, 4.6), WHITE)
    yield from drafter.text(text, position, type_style, max_width_mm=40.0, anchor=Anchor.MIDDLE)


def _spread_rows(rows: Sequence[str], middle: float, size: float) -> Iterator[tuple[str, float]]:
    """Yield pairs of a row, one for each language, and the height of its baseline in mm on paper.

    The first row is at the top, and all are centred around the height ``middle``. ``size`` is the height of the type in
    mm.
    """
    for number, row in enumerate(rows):
        yield row, middle - 0.36 * size + ((len(rows) - 1) / 2 - number) * 1.3 * size


_HEAD: Final = 16.0
_QUEUE_HEAD: Final = 12.0
_CORNERS: Final = 4


# Straight cuts inside the square of a corner template.
_IN_A_CORNER: Final = 2


class CutOuts(NamedTuple):
    """Pages with blocks to cut out, and the number of straight cuts."""

    pages: tuple[Page, ...]
    cuts: int


def build_cut_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return pages with the markers and templates for columns, for the bases of a board.

    Raises:
        PageError: the paper is too small.
    """
    return build_cut_outs(handout).pages


def build_cut_outs(handout: HandoutContext) -> CutOuts:
    """Return pages with the markers and templates for columns, and the number of straight cuts.

    Raises:
        PageError: the paper is too small.
    """
    markers, templates = build_marker_pages(handout), build_template_pages(handout)
    return CutOuts((*markers.pages, *templates.pages), markers.cuts + templates.cuts)


def build_marker_pages(handout: HandoutContext) -> CutOuts:
    """Return pages of markers for both sides, and the number of straight cuts (CC-A07).

    They are baggage, column plates, arrows, and plates "half on" and "out".

    Raises:
        PageError: the paper is too small.
    """
    return _build_pages([piece.drawing for piece in build_markers(handout)], "markers", handout)


def build_markers(handout: HandoutContext) -> tuple[DrawnPiece, ...]:
    """Return the markers of both sides one by one, in the order of ``build_marker_pages``.

    Equal markers appear several times.
    """
    words, drafter = handout.words, handout.drafter
    base = handout.record.battlefield.board.scale.base_width
    depth = read_rules(handout.record, handout.system.book).number("baggage_mm")
    pieces: list[DrawnPiece] = []

    def add(name: str, drawing: Drawing, count: int = 1) -> None:
        """Add ``count`` equal pieces with this name and drawing."""
        pieces.extend([DrawnPiece(name=name, drawing=drawing)] * count)

    for role in Role:
        side = drafter.translations(f"sides.role-title.{role.value}")
        for number in (1, 2, 3):
            add(f"{side[0]} {number}", draw_plate(Plate(str(number), side, role.token), drafter))
        entry = drafter.translations("columns.markers.entry")
        add(f"{side[0]}: {entry[0]}", draw_entry_arrow(entry, role.token, drafter))
    baggage, half = (drafter.translations(f"columns.markers.{key}") for key in ("baggage", "half"))
    add(baggage[0], draw_baggage(base, depth, baggage, drafter), len(Role))
    add(half[0], draw_words_plate(half, drafter), 2 * len(Role))
    out = tuple(f"{one('columns.markers.general')}: {one('columns.markers.out')}" for one in words.each())
    add(out[0], draw_words_plate(out, drafter), len(Role))
    return tuple(pieces)


def build_template_pages(handout: HandoutContext) -> CutOuts:
    """Return pages of templates for columns, and the number of straight cuts (CC-A08).

    They are the edge square in one piece and as corners, measuring strips, and queues. If the paper is too small for
    the whole square, there are only its four corners.

    Raises:
        PageError: the paper is too small.
    """
    words, drafter = handout.words, handout.drafter
    rules = read_rules(handout.record, handout.system.book)
    base, free = base_width(rules), leaflet_area(handout.sheet, measured=True)
    size = rules.length("edge_square_bw"), rules.length("edge_square_depth_bw")
    has_whole_square = size[0] <= free.width and size[1] <= free.height - _HEAD
    blocks = [draw_edge_square(size, rules, drafter)] if has_whole_square else []
    for number in ("column_box_bw_deep", "column_box_bw_aside"):
        length = rules.length(number)
        text = words.each()[0]("columns.templates.strip", n=f"{rules.number(number):g}")
        blocks.append(draw_strip(length, base, text, drafter, upright=length > free.width))
    blocks += [draw_edge_corner((size[0] / 2, size[1] / 2), rules, drafter)] * _CORNERS
    blocks += draw_edge_strips(handout.record.battlefield.board.playing_size[0], base, free.width, handout)
    # A queue for each column that waits next to the board: the second and the third of both sides.
    count = max(size for one in (False, True) for size in column_sizes(rules, one_ally=one)) + 1
    deep = min(base, (free.height - _HEAD - _QUEUE_HEAD) / count - 0.1)
    note = words.each()[0]("columns.templates.queue-note")
    for role in Role:
        for column in (2, 3):
            one = words.each()[0]
            name = one("columns.templates.queue-of", side=one(f"sides.role-title.{role.value}"), n=column)
            blocks.append(draw_queue((base, deep), count, (name, note), role.token, drafter))
    return _build_pages(blocks, "templates", handout, more=_IN_A_CORNER * _CORNERS)


def draw_edge_strips(edge: float, base: float, widest: float, handout: HandoutContext) -> Iterator[Drawing]:
    """Yield strips that measure a base edge of ``edge`` mm at 1:1 from its left end, in base widths.

    ``base`` is the base width and ``widest`` the longest strip, both in mm on paper.
    """
    words, count = handout.words.each()[0], round(edge / base)
    most = max(1, int(widest / base + 1e-6))
    for after in range(0, count, most):
        last = min(count, after + most)
        text = words("columns.templates.edge-strip", a=after, b=last)
        yield draw_strip((last - after) * base, base, text, handout.drafter, after=after)


def _build_pages(blocks: Sequence[Drawing], key: str, handout: HandoutContext, *, more: int = 0) -> CutOuts:
    """Return blocks to cut out on as few pages as possible, under a heading, and the number of cuts.

    ``key`` selects the texts. ``more`` cuts are inside the blocks.
    """
    words, free = handout.words, leaflet_area(handout.sheet, measured=True)
    title, how = words(f"columns.{key}.title"), words(f"columns.{key}.how")
    head = instruction_header(title, how, free.width, _HEAD, handout.drafter, bottom_gap=1.0)
    label = words(f"columns.{key}.bookmark")
    pages, slots = shelved_pages(blocks, head, handout.sheet, words=words, label=label)
    return CutOuts(pages, count_shelf_cuts(slots) + more)

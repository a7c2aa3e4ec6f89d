"""Cut-outs for columns: markers, and templates at actual size (CC-A07, CC-A08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_items, drawing_of, rotate_quarter_turn
from printkit.drawing.canvas.plain import WHITE, make_line, make_polygon, make_rectangle
from printkit.drawing.lettering.lettering import TypeStyle
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
# A fine frame inside a marker: its distance from the edge and its line width, in mm.
_INNER: Final = 1.6
_INNER_LINE: Final = 0.18
# The share of white in the light on an arrow.
_SHINE: Final = 0.45
# Height of the names at the foot of a marker, in mm.
_FOOT: Final = 10.5


def draw_plate(number: int, side: tuple[str, ...], token: str, drafter: Drafter) -> Drawing:
    """Return a plate with the number of a column, and below it the name of its side on a band in the side's ink.

    ``side`` has the name in each language; ``token`` names the ink.
    """
    width, height = PLATE
    band = Rect(0.0, 0.0, width, _BAND)
    small = replace(drafter.type_style(Font.SMALL_CAPITALS, 12.0), ink=WHITE, track=0.4)
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT, fill=drafter.style.ink("cartouche"))]
    items.append(make_rectangle(band, drafter.style.solid(token)))
    items.append(_draw_inner_frame(Rect(0.0, _BAND, width, height - _BAND), drafter))
    items += _draw_rows((" · ".join(side),), band.padded(-1.5), small, drafter)
    large = Rect(0.0, _BAND, width, height - _BAND)
    items += _draw_rows((str(number),), large, drafter.type_style(Font.INDEX, 40.0, token), drafter)
    return drawing_of(width, height, items)


def _draw_inner_frame(place: Rect, drafter: Drafter) -> Item:
    """Return a fine frame inside a rectangle in printed mm."""
    return drafter.box(place.padded(-_INNER), _INNER_LINE)


def draw_words_plate(rows: tuple[str, ...], drafter: Drafter) -> Drawing:
    """Return a plate with words in a double frame, a row for each language."""
    plate = Rect(0.0, 0.0, *PLATE)
    type_style = drafter.type_style(Font.SMALL_CAPITALS, 19.0 if len(rows) == 1 else 16.0)
    items: list[Item] = [drafter.box(plate, _CUT, fill=drafter.style.ink("cartouche"))]
    items += (drafter.box(plate.padded(-1.0), 0.5), _draw_inner_frame(plate.padded(-0.6), drafter))
    items += _draw_rows(rows, plate.padded(-3.5), type_style, drafter)
    return drawing_of(*PLATE, items)


def _draw_rows(rows: Sequence[str], place: Rect, type_style: TypeStyle, drafter: Drafter) -> Iterator[Item]:
    """Yield rows of text one below the other, in the middle of a rectangle in printed mm.

    A row wider than the rectangle is set in smaller type.
    """
    x, y = place.x + place.width / 2, place.y + place.height / 2
    pitch = 1.3 * type_style.height
    for number, row in enumerate(rows):
        level = y + ((len(rows) - 1) / 2 - number) * pitch
        yield from drafter.centred_text(row, (x, level), type_style, max_width_mm=place.width)


def draw_baggage(width: float, depth: float, rows: tuple[str, ...], drafter: Drafter) -> Drawing:
    """Return the baggage on its base of ``width`` by ``depth`` mm at 1:1: a wagon from above, and names."""
    items: list[Item] = [
        drafter.box(
            Rect(0.0, 0.0, width, depth), _CUT, fill=drafter.style.ink("plough") if drafter.style.washes else None
        )
    ]
    items += _draw_wagon(Rect(0.26 * width, 0.36 * depth, 0.48 * width, 0.48 * depth), drafter)
    items += _draw_rows(
        rows, Rect(1.5, 0.0, width - 3.0, _FOOT), drafter.type_style(Font.SMALL_CAPITALS, 11.5), drafter
    )
    return drawing_of(width, depth, items)


def _draw_wagon(place: Rect, drafter: Drafter) -> list[Item]:
    """Return the items of a wagon from above in a rectangle in mm on paper: bed with planks, wheels and pole.

    The pole extends 4.5 mm above the rectangle, and the wheels a little beyond its sides.
    """
    timber = drafter.style.solid("timber") if drafter.style.washes else WHITE
    ink = drafter.style.solid("ink")
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
    middle, neck = width / 2, height - 14.0
    # One side of a march arrow, from its tip: swept barbs, a shaft that widens, and a notched tail.
    side = [(0.0, height - 1.2), (9.0, neck - 3.0), (2.6, neck), (3.1, 22.0), (4.6, 12.5), (0.0, 15.5)]
    shape = [*((middle + x, y) for x, y in side), *((middle - x, y) for x, y in side[-2:0:-1])]
    items: list[Item] = [drafter.box(Rect(0.0, 0.0, width, height), _CUT, fill=drafter.style.ink("cartouche"))]
    items.append(make_polygon(shape, ink))
    shine = [(middle - 1.1, neck - 2.0), (middle - 1.4, 22.0), (middle - 1.8, 17.0)]
    items.append(make_line(shine, ink.mix(WHITE, _SHINE), drafter.width(0.4)))
    items += _draw_rows(
        rows, Rect(1.25, 0.0, width - 2.5, _FOOT), drafter.type_style(Font.SMALL_CAPITALS, 11.5), drafter
    )
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
    text_area = Rect(10.0, deep / 2, side - 20.0, 8.0)
    for key, above, font, points in (
        ("templates.square", 4.0, Font.BANNER, 15.0),
        ("sheet.clear-square", -13.0, Font.FIGURES, 13.0),
    ):
        text = words(f"columns.{key}", **said(rules, words))
        place = text_area._replace(y=text_area.y + above)
        items += _draw_on_white(text, place, drafter.type_style(font, points), drafter)
    edge = drafter.type_style(Font.FIGURES, 8.5, "ink-secondary")
    items += _draw_on_white(words("columns.templates.edge"), Rect(middle - 22.0, 1.4, 44.0, 4.6), edge, drafter)
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
    rows = drafter.translations("columns.templates.corner")
    items += _draw_rows(rows, Rect(arm + 3.0, 0.0, side - arm - 6.0, arm), type_style, drafter)
    clear = [one("columns.sheet.clear-square", **said(rules, one)) for one in drafter.words.each()]
    upright = _draw_rows(clear, Rect(3.0, 0.0, deep - arm - 6.0, arm), type_style, drafter)
    items += drawing_items(rotate_quarter_turn(drawing_of(deep - arm, arm, upright)), 0.0, arm)
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
        items += _draw_rows((str(number),), place_rect, pale, drafter)
    head = Rect(1.0, height - _QUEUE_HEAD, width - 2.0, _QUEUE_HEAD)
    items += _draw_rows(labels, head, drafter.type_style(Font.BANNER, 8.5, token), drafter)
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


def _draw_on_white(text: str, place: Rect, type_style: TypeStyle, drafter: Drafter) -> Iterator[Item]:
    """Yield text in the middle of a white rectangle in printed mm, because a line runs behind it."""
    yield make_rectangle(place, WHITE)
    yield from _draw_rows((text,), place, type_style, drafter)


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
            add(f"{side[0]} {number}", draw_plate(number, side, role.token, drafter))
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

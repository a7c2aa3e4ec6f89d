"""Sheets for the table: the layout aid, the sheets of one side rotated to its base edge, and the after-battle report.

They show only what everybody may see once the battlefield is on the table. They never show the seed, because with the
seed anybody can replay the game and see its rolls.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import shapely
from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Align, Block, Bullets, CheckBoxes, Heading, Paragraph, Steps, Table, WriteLines
from printkit.core.words import Words, capitalise_text
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import fade_drawing
from printkit.drawing.canvas.style import Style
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.board_drawing import board_drawing, in_frame
from printkit.drawing.map.cell_marks import cell_address
from printkit.drawing.map.labels import numbered
from printkit.drawing.map.layout_plan import EdgeNote, PlanMark, draw_player_view, layout_plan, net_step, plan_scale
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.leaflet import Columns, Content, Figure, NewPage, SideFigure, contents_height
from printkit.kit.book import RuleBook
from printkit.kit.registry import load_plugin_field, uses_elements
from printkit.kit.sides import PlayerSide, format_side, inline_side_name, named, sides_of, titled
from printkit.page.leaflets import ratio
from printkit.page.sheet import Page
from printkit.recipes.box.box_list import box_blocks, chalk_outlines, placing_blocks, plan_pieces
from printkit.recipes.box.refit import match_record
from printkit.recipes.evening.reference import field_key
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.terrain.field.battlefield import (
    Battlefield,
    Edge,
    clip_to_board,
    find_edge,
    measure_shape,
    simplify_course,
)
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Hill, Kind
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import extend_board, find_outside_edge, rotate_edge, rotate_to_edge

# Columns in the table of losses.
BOUND_COLUMNS: Final = 12

_MIDDLE: Final[Align] = "middle"
_ALIGNS: Final[tuple[Align, ...]] = ("left", *(_MIDDLE for _ in range(BOUND_COLUMNS + 1)))
_WASH_FADE: Final = 0.45
_LINE_FADE: Final = 0.55
_REPORT_MAP_SHARE: Final = 0.52
_MAP_HEIGHT: Final = 0.40
_LINE_PITCH_MM: Final = 8.0
_MOST_LINES: Final = 14
_LEAST_LINES: Final = 2
_SPARE_LINES: Final = 1


def battle_report(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the page of the report, with as many writing lines as fit, but at least ``_LEAST_LINES``.

    Raises:
        PageError: the paper is too small.
    """
    title, pale_map = handout.words("report.title"), _report_map(handout)

    def report(lines: int) -> tuple[Page, ...]:
        """Return the pages of the report with so many lines for writing."""
        return handout.build_pages(title, _report_contents(handout, pale_map, lines), subtitle=handout.title)

    line_counts = range(_LEAST_LINES + 1, _MOST_LINES + 1)
    fitting_lines = _LEAST_LINES + bisect_left(line_counts, True, key=lambda lines: len(report(lines)) > 1)
    # The last line fits only if type and gaps shrink. A form needs space, so leave that line out.
    return report(max(fitting_lines - _SPARE_LINES, _LEAST_LINES))


def _report_contents(handout: HandoutContext, pale_map: Drawing, lines: int) -> Iterator[Content]:
    """Yield the contents of the report: map, sides, losses by bound, and ``lines`` lines for writing.

    About two fifths of the lines are in the first of two sections.
    """
    words = handout.words
    yield SideFigure(Figure(pale_map, words("report.map")), tuple(_side_boxes(handout)))
    sides = tuple(join_languages(words, partial(titled, side)) for side in handout.sides)
    rows = tuple((_report_text(handout, name), *("",) * len(sides)) for name in ("army", "general", "strength"))
    players = (_report_text(handout, "player"), *(side.player for side in handout.sides))
    yield Table(rows=(players, *rows), head=("", *sides), shares=(1.0, *(2.0,) * len(sides)), min_height=_LINE_PITCH_MM)
    yield Heading(_report_text(handout, "losses"), remark=_report_text(handout, "losses-aside"))
    head = (_report_text(handout, "turn"), *(str(bound) for bound in range(1, BOUND_COLUMNS + 1)), words("report.sum"))
    blank = ("",) * (BOUND_COLUMNS + 1)
    losses = tuple((join_languages(words, partial(named, side)), *blank) for side in handout.sides)
    yield Table(
        rows=losses, head=head, shares=(2.4, *(1.0,) * BOUND_COLUMNS, 1.4), aligns=_ALIGNS, min_height=_LINE_PITCH_MM
    )
    yield Heading(words("report.turning"))
    turning_lines = max(1, round(lines * 0.4))
    yield WriteLines(("",) * turning_lines, _LINE_PITCH_MM)
    yield Heading(words("report.remember"))
    yield WriteLines(("",) * max(1, lines - turning_lines), _LINE_PITCH_MM)


def _report_text(handout: HandoutContext, name: str) -> str:
    """Return a text of the report in the terms of the rule system: elements and bounds, or units and turns."""
    rule_key = f"report.elements.{name}"
    has_rule_text = uses_elements(handout.system.name) and handout.words.has(rule_key)
    return handout.words(rule_key if has_rule_text else f"report.{name}")


def _side_boxes(handout: HandoutContext) -> Iterator[Block]:
    """Yield the boxes next to the map."""
    words = handout.words
    is_solo = any(side.solo for side in handout.sides)
    names = ("date", "place", *(() if is_solo else ("umpire",)), "began", "ended", "turns")
    yield WriteLines(tuple(_report_text(handout, name) for name in names), _LINE_PITCH_MM)
    yield Heading(words("report.won"))
    yield CheckBoxes((*(join_languages(words, partial(titled, side)) for side in handout.sides), words("report.draw")))
    yield WriteLines((words("report.by"),), _LINE_PITCH_MM)


def _report_map(handout: HandoutContext) -> Drawing:
    """Return a drawing of the board in colours pale enough to write on, but still readable.

    It is in mm on paper, as large as its place on the sheet, but not larger than actual size.
    """
    width, height = handout.page_size()
    board = handout.record.battlefield.board
    scale = min(_REPORT_MAP_SHARE * width / board.width, _MAP_HEIGHT * height / board.depth, 1.0)
    drawing = board_drawing(handout.record.battlefield, handout.map_drafter(scale), zones=False)
    return in_frame(fade_drawing(drawing, paleness(handout.style)), handout.style)


def paleness(style: Style) -> float:
    """Return how much to fade a map for handwriting, from 0 (not at all) to 1 (white).

    Black lines fade more than washes.
    """
    return _WASH_FADE if style.washes else _LINE_FADE


class TurnOrder(Struct, frozen=True):
    """The sides that deploy first and have the first bound, by name; empty if that is not decided."""

    deploys_first: str = ""
    moves_first: str = ""


def playing_sides(record: Record, book: RuleBook) -> tuple[PlayerSide, ...]:
    """Return the sides that have a player, in the order of the rule book; in a solo game that is one side."""
    return tuple(side for side in sides_of(record, book) if side.is_player)


def other_sides(side: PlayerSide, sides: Sequence[PlayerSide]) -> tuple[PlayerSide, ...]:
    """Return all sides except this one, in the same order."""
    return tuple(candidate for candidate in sides if candidate.name != side.name)


def read_turn_order(record: Record) -> TurnOrder:
    """Return the sides that deploy first and have the first bound, as in the record; empty if it does not say."""
    deployment = record.details.get("deployment")
    facts: dict[str, Any] = dict(deployment) if isinstance(deployment, dict) else {}
    return TurnOrder(str(facts.get("deploys_first") or ""), str(facts.get("moves_first") or ""))


# Greatest and least height of the map of a side, as shares of the page.
_MAP_SHARE: Final = 0.76
_LEAST_SHARE: Final = 0.45

# Least height of a map with the whole key below it, as a share of the page; it saves a page.
_WITH_KEY: Final = 0.36

# Most height that closer type can save, as a share of the page.
_CLOSER: Final = 0.16

# Space below the map, in mm.
_MAP_GAP_MM: Final = 4.0

# Height of the bands for the two edges above and below a map, in mm.
_EDGE_BANDS_MM: Final = 26.0

# Height of a map above which the key starts on a new page, as a share of the page.
_TALL: Final = 0.55


def player_pages(
    handout: HandoutContext,
    side: PlayerSide,
    sides: Sequence[PlayerSide],
    rule_contents: Sequence[Content],
    *,
    origin: str,
) -> tuple[Page, ...]:
    """Return the sheets of a side.

    Args:
        handout: the record, and how to print it.
        side: the side that gets the sheets.
        sides: all sides.
        rule_contents: contents of the rule system after the key.
        origin: the footer, which must not show the seed.

    Raises:
        PageError: the paper is too small.
    """
    title = side_title(handout, side)
    field = rotate_to_edge(handout.record.battlefield, _seat_edge(side))
    facts = Bullets(tuple(_facts(handout, side, sides)))
    below = (*field_key(field, handout.words), *rule_contents)
    width, height = handout.page_size()
    free = handout.height_below(title, subtitle=handout.title, origin=origin) - _MAP_GAP_MM
    map_height = free - contents_height((facts,), width, handout.style)
    with_key = free - contents_height((facts, *below), width, handout.style)
    board = field.board
    least = min(_WITH_KEY * height, width * board.depth / board.width + _EDGE_BANDS_MM)

    def pages(available_mm: float, *, splits_key: bool) -> tuple[Page, ...]:
        """Return the sheets with a map at most ``available_mm`` mm high on paper.

        With ``splits_key``, the key begins on a new page if the map is tall.
        """
        map_drawing = _map(field, handout, side, sides, height=min(available_mm, _MAP_SHARE * height))
        page_break = (NewPage(),) if splits_key and map_drawing.height > _TALL * height else ()
        contents = (Figure(map_drawing), facts, *page_break, *below)
        return handout.build_pages(title, contents, subtitle=handout.title, origin=origin)

    if with_key >= least - _CLOSER * height:
        # If only a little space is missing, closer type may be enough.
        sheet_pages = pages(max(with_key, least), splits_key=False)
        if len(sheet_pages) == 1 or with_key >= least:
            return sheet_pages
    return pages(max(map_height, _LEAST_SHARE * height), splits_key=True)


def side_title(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the title of the sheets of a side."""
    return join_languages(handout.words, partial(titled, side))


def _text_key(handout: HandoutContext, name: str) -> str:
    """Return the key of a text: the one of the rule system, or the general one if that does not exist.

    ``name`` is the last part of the key.
    """
    rule_key = f"handouts.player.{handout.system.name}.{name}"
    return rule_key if handout.words.each()[0].has(rule_key) else f"handouts.player.{name}"


def _no_zone_key(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the key of the text for a side without a deployment line: the one of its role, if it exists."""
    key = _text_key(handout, "no-zone")
    role_key = f"{key}-{side.role}"
    return role_key if side.role and handout.words.each()[0].has(role_key) else key


def _seat_edge(side: PlayerSide) -> Edge:
    """Return the base edge of a side; the near edge if it is not known yet."""
    return side.edge or Edge.NEAR


def _map(
    field: Battlefield, handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide], *, height: float
) -> Drawing:
    """Return the map from the seat of a side, with both base edges labelled.

    ``height`` is the largest height of the drawing in mm on paper.
    """
    words = handout.words
    width, _ = handout.page_size()
    enemy, own_ink = other_sides(side, sides), side.look.ink
    opponent = next(
        (
            candidate
            for candidate in enemy
            if candidate.edge and rotate_edge(candidate.edge, _seat_edge(side)) is Edge.FAR
        ),
        None,
    )
    facing = words(_text_key(handout, "opposite"))
    if opponent is not None:
        facing = join_languages(
            words, lambda language: language("handouts.player.other", side=inline_side_name(opponent, language))
        )
    return draw_player_view(
        field,
        width,
        height,
        Drafter.map(handout.style, words, handout.jitter),
        own_note=EdgeNote(
            join_languages(
                words, lambda language: language(_text_key(handout, "own"), edge=language(f"edge.{_seat_edge(side)}"))
            ),
            own_ink,
        ),
        enemy_note=EdgeNote(facing, opponent.look.ink if opponent is not None else "ink"),
        north=rotate_edge(Edge.FAR, _seat_edge(side)),
    )


def _facts(handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide]) -> Iterator[str]:
    """Yield the facts that a side needs before the first bound, one or two sentences each.

    Facts that the record does not have are left out; languages follow each other.
    """
    record, enemy, colours = handout.record, other_sides(side, sides), handout.style.washes
    order = read_turn_order(record)
    deploying = load_plugin_field(handout.system.name, "deploying")
    for words in handout.words.each():
        yield words(_text_key(handout, "welcome"))
        yield words("handouts.player.who", own=format_side(side, words, colours=colours))
        for opposing_side in sides_of(record, handout.system.book):
            if opposing_side.name != side.name:
                yield words("handouts.player.against", other=format_side(opposing_side, words, colours=colours))
        if deploying is not None:
            yield from deploying(record, side, words, LengthFormatter(words).said)
        elif (depth := side.depth(record.battlefield)) is not None:
            line = words(f"sides.behind.{side.look.line}")
            yield words("handouts.player.zone", depth=LengthFormatter(words).said(depth), line=line)
        else:
            yield words(_no_zone_key(handout, side))
        if order.deploys_first and enemy:
            is_first = order.deploys_first == side.name
            yield words(
                f"handouts.player.deploys-{'first' if is_first else 'second'}", side=inline_side_name(enemy[0], words)
            )
        if order.moves_first and enemy:
            has_first_bound = order.moves_first == side.name
            enemy_label = inline_side_name(enemy[0], words)
            yield words(
                f"handouts.player.moves-{'first' if has_first_bound else 'second'}",
                side=capitalise_text(enemy_label),
            )


_PALE: Final = 0.35
# Greatest distance of a course from the straight lines between its points, as a share of the shorter board side.
_BEND_TOLERANCE: Final = 0.02

_PLAN_SHARE: Final = 0.72
_SHARES: Final = (0.5, 3.0, 2.0, 2.0, 2.0, 2.4)
_POINTS: Final = (0.9, 2.0, 2.0, 2.0)
_SEVERAL: Final = 2
_STEPS: Final = ("mark", "courses", "things", "look")
_RIGHT: Final[Align] = "right"


def layout_aid(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the plan and its lists as pages; the scale is 1:4 if the plan fits, otherwise a round scale.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    width, height = handout.page_size(has_check_bar=True)
    board = extend_board(handout.record.battlefield).board
    scale = plan_scale(board.width, board.depth, width, _PLAN_SHARE * height)
    subtitle = words("layout.subtitle", title=handout.title, scale=ratio(scale))
    return handout.build_pages(words("layout.title"), _contents(handout, scale), subtitle=subtitle, has_check_bar=True)


def _contents(handout: HandoutContext, scale: float) -> Iterator[Content]:
    """Yield the plan and its lists. ``scale`` is in printed mm per mm of the board."""
    words = handout.words
    grid = handout.record.battlefield.grid
    yield Paragraph(words("layout.how" if grid is None else "layout.how-cells", step=net_step(scale)))
    yield Figure(_plan(handout, scale))
    yield from _feature_table(handout)
    courses = [
        (number, feature) for number, feature in numbered(handout.record.battlefield) if isinstance(feature, Course)
    ]
    if courses:
        yield Heading(words("layout.courses"))
        yield Columns(tuple(block for number, course in courses for block in _course(number, course, handout)))
    match = match_record(handout.record)
    if match is not None:
        yield from placing_blocks(match, words, chalk=any(True for _ in chalk_outlines(match)))
        yield Heading(words("box.title"))
        yield from box_blocks(handout.record, handout.words)
        yield from _steps(handout, scale)
    else:
        yield Columns((*_pieces(handout), *_steps(handout, scale)))


def _plan(handout: HandoutContext, scale: float) -> Drawing:
    """Return the pale board with points of courses and outlines of pieces.

    ``scale`` is in printed mm per mm of the board. The drawing is in printed mm, and includes the ground beyond
    the table.
    """
    record, extended_field = handout.record, extend_board(handout.record.battlefield)
    drawing = board_drawing(extended_field, handout.map_drafter(scale), zones=False, deployment=False)
    marks = [
        mark
        for number, feature in numbered(record.battlefield)
        if isinstance(feature, Course)
        for mark in _marks(number, feature, handout)
    ]
    match = match_record(record)
    return layout_plan(
        fade_drawing(drawing, _PALE),
        marks,
        scale=scale,
        style=handout.style,
        surround=extended_field.board.outer_margins,
        pieces=() if match is None else tuple(plan_pieces(match)),
        chalk=() if match is None else tuple(chalk_outlines(match)),
    )


def _marks(number: int, course: Course, handout: HandoutContext) -> Sequence[PlanMark]:
    """Return the ends and main bends of a course in mm on the board, named by its number in the key: 5a, 5b.

    The list is empty if no part of the course is on the board.
    """
    board = handout.record.battlefield.board
    points = simplify_course(course.line, board, tolerance_mm=_BEND_TOLERANCE * min(board.width, board.depth))
    return [PlanMark(f"{number}{_index_letters(index)}", x, y) for index, (x, y) in enumerate(points)]


def _feature_table(handout: HandoutContext) -> Iterator[Content]:
    """Yield the table of positions and sizes of areas, hills and crossings; nothing if there are none."""
    words, field = handout.words, handout.record.battlefield
    measures = LengthFormatter(words)
    rows = []
    for number, feature in numbered_features(field):
        first_cells = (
            f"**{_plan_reference(number, feature, field)}**",
            _append_cells(describe_feature(feature, words), feature, field),
        )
        match feature:
            case Area() | Hill():
                size = measure_shape(clip_to_board(feature.outline, field.board))
                beyond_edge = find_outside_edge(feature, field.board) if isinstance(feature, Area) else None
                left_text, near_text = (
                    measures.format_range(size.left, size.right),
                    measures.format_range(size.near, size.far),
                )
                if beyond_edge in (Edge.LEFT, Edge.RIGHT):
                    left_text = join_languages(words, partial(_beyond_edge_text, beyond_edge))
                elif beyond_edge is not None:
                    near_text = join_languages(words, partial(_beyond_edge_text, beyond_edge))
                rows.append(
                    (
                        *first_cells,
                        left_text,
                        near_text,
                        measures.format_size(size.length, size.width),
                        measures.describe_rotation(size.angle_deg),
                    )
                )
            case Crossing():
                position = (measures.format_two_lines(feature.at.x), measures.format_two_lines(feature.at.y))
                rows.append((*first_cells, *position, "", measures.describe_rotation(feature.bearing % 180)))
            case Course():
                pass
    if rows:
        names = ("number", "what", "left", "near", "size", "lies")
        yield Heading(words("layout.things"), remark=words("layout.from-edges"))
        yield Table(rows=tuple(rows), head=tuple(words(f"layout.{name}") for name in names), shares=_SHARES)


def _beyond_edge_text(edge: Edge, words: Words) -> str:
    """Return the text for an area that extends beyond a board edge."""
    return words("layout.beyond", edge=words(f"edge.{edge}"))


def _course(number: int, course: Course, handout: HandoutContext) -> Iterator[Heading | Table]:
    """Yield a heading with the width of a course, and the table of its points in order.

    ``number`` is its number in the key. Positions are from the left and the near edge.
    """
    words, board = handout.words, handout.record.battlefield.board
    measures = LengthFormatter(words)
    rows = []
    marks = _marks(number, course, handout)
    for index, mark in enumerate(marks):
        edge = find_edge((mark.x, mark.y), board)
        is_end = index in (0, len(marks) - 1)
        position_label = words(f"edge.{edge}") if edge is not None else words("layout.end" if is_end else "layout.bend")
        rows.append(
            (f"**{mark.name}**", position_label, measures.format_two_lines(mark.x), measures.format_two_lines(mark.y))
        )
    yield Heading(
        describe_feature(course, words), str(number), words("layout.wide", width=measures.format_one_line(course.width))
    )
    head = tuple(words(f"layout.{name}") for name in ("point", "where", "left", "near"))
    yield Table(rows=tuple(rows), head=head, shares=_POINTS, aligns=("left", "left", _RIGHT, _RIGHT))


def _pieces(handout: HandoutContext) -> Iterator[Block]:
    """Yield the list of pieces to take from the terrain box with their sizes; nothing without features."""
    words, field = handout.words, handout.record.battlefield
    measures = LengthFormatter(words)
    items = []
    for number, feature in numbered_features(field):
        description = describe_feature(feature, words, named=False)
        match feature:
            case Area() | Hill():
                size = measure_shape(clip_to_board(feature.outline, field.board))
                size_text = measures.format_size_inline(size.length, size.width)
                items.append(f"{description}, {size_text} ({_plan_reference(number, feature, field)})")
            case Course():
                length = feature.line.intersection(field.board.shape).length
                items.append(f"{description}, {measures.format_size_inline(length, feature.width)} ({number})")
            case Crossing():
                items.append(f"{description} ({_plan_reference(number, feature, field)})")
    if items:
        yield Heading(words("layout.pieces"), remark=words("layout.pieces-aside"))
        yield CheckBoxes(tuple(items))


def _steps(handout: HandoutContext, scale: float) -> Iterator[Block]:
    """Yield the heading and the steps to build the board. ``scale`` is in printed mm per mm of the board."""
    words = handout.words
    yield Heading(words("layout.order"))
    for language in words.each():
        yield Steps(tuple(language(f"layout.step-{name}", step=net_step(scale)) for name in _STEPS))


def numbered_features(field: Battlefield) -> Iterator[tuple[int, Feature]]:
    """Yield every feature with its number in the key, from 1.

    Plots of one kind in the same cells are merged into one feature, with the outline around all of them and the number
    of the first.
    """
    plots: dict[tuple[Kind, tuple[tuple[int, int], ...]], list[Area]] = {}
    for _, feature in numbered(field):
        if isinstance(feature, Area) and feature.cells:
            plots.setdefault((feature.kind, feature.cells), []).append(feature)
    for number, feature in numbered(field):
        if not isinstance(feature, Area) or not feature.cells:
            yield number, feature
            continue
        merged_plots = plots[feature.kind, feature.cells]
        if feature is merged_plots[0]:
            hull = shapely.union_all([plot.outline for plot in merged_plots]).convex_hull
            yield number, feature if len(merged_plots) == 1 else replace(feature, outline=hull)


def _append_cells(label: str, feature: Feature, field: Battlefield) -> str:
    """Return the label of a feature, followed by its cells in brackets if it has several."""
    if field.grid is None or not isinstance(feature, Area | Hill) or len(feature.cells) < _SEVERAL:
        return label
    return f"{label} ({', '.join(field.grid.address(Cell(*cell)) for cell in feature.cells)})"


def _plan_reference(number: int, feature: Feature, field: Battlefield) -> str:
    """Return the reference of a feature on the plan: its number in the key, or on cells its first cell."""
    if field.grid is None or not feature.cells:
        return str(number)
    return cell_address(field.grid, Cell(*feature.cells[0]))


def _index_letters(number: int) -> str:
    """Return an index from 0 as letters: a to z, then aa, ab."""
    letters = ""
    number += 1
    while number > 0:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters

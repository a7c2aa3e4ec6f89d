"""The layout aid: a plan to measure on and a list of positions, for boards built from the user's terrain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import shapely
from msgspec.structs import replace

from printkit.content.prose import Align, Block, CheckBoxes, Heading, Paragraph, Steps, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import fade_drawing
from printkit.drawing.forms.layout_plan import PlanMark, layout_plan, net_step, plan_scale
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.map.cells import cell_address
from printkit.drawing.map.labels import numbered
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Columns, Content
from printkit.page.overview import ratio
from printkit.page.sheet import Page
from printkit.recipes.box.box_list import box_blocks
from printkit.recipes.box.piece_plan import chalk_outlines, placing_blocks, plan_pieces
from printkit.recipes.box.refit import match_record
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
from printkit.terrain.field.transforms import extend_board, find_outside_edge

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

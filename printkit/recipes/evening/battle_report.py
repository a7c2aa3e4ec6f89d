"""The after-battle report: a pale map to draw moves on, and boxes for players, losses and the result."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from typing import Final

from printkit.content.prose import Align, Block, CheckBoxes, Heading, Table, WriteLines
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import fade_drawing
from printkit.drawing.canvas.style import Style
from printkit.drawing.map.board_drawing import board_drawing, in_frame
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import Content
from printkit.kit.registry import uses_elements
from printkit.kit.sides import named, titled
from printkit.page.sheet import Page
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.handout import HandoutContext

# Columns in the table of losses.
BOUND_COLUMNS: Final = 12

_MIDDLE: Final[Align] = "middle"
_ALIGNS: Final[tuple[Align, ...]] = ("left", *(_MIDDLE for _ in range(BOUND_COLUMNS + 1)))
_WASH_FADE: Final = 0.45
_LINE_FADE: Final = 0.55
_MAP_SHARE: Final = 0.52
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
    title, pale_map = handout.words("report.title"), _map(handout)

    def report(lines: int) -> tuple[Page, ...]:
        """Return the pages of the report with so many lines for writing."""
        return handout.build_pages(title, _contents(handout, pale_map, lines), subtitle=handout.title)

    line_counts = range(_LEAST_LINES + 1, _MOST_LINES + 1)
    fitting_lines = _LEAST_LINES + bisect_left(line_counts, True, key=lambda lines: len(report(lines)) > 1)
    # The last line fits only if type and gaps shrink. A form needs space, so leave that line out.
    return report(max(fitting_lines - _SPARE_LINES, _LEAST_LINES))


def _contents(handout: HandoutContext, pale_map: Drawing, lines: int) -> Iterator[Content]:
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


def _map(handout: HandoutContext) -> Drawing:
    """Return a drawing of the board in colours pale enough to write on, but still readable.

    It is in mm on paper, as large as its place on the sheet, but not larger than actual size.
    """
    width, height = handout.page_size()
    board = handout.record.battlefield.board
    scale = min(_MAP_SHARE * width / board.width, _MAP_HEIGHT * height / board.depth, 1.0)
    drawing = board_drawing(handout.record.battlefield, handout.map_drafter(scale), zones=False)
    return in_frame(fade_drawing(drawing, paleness(handout.style)), handout.style)


def paleness(style: Style) -> float:
    """Return how much to fade a map for handwriting, from 0 (not at all) to 1 (white).

    Black lines fade more than washes.
    """
    return _WASH_FADE if style.washes else _LINE_FADE

"""The after-battle report: a pale map to draw moves on, and boxes for players, losses and the result."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from typing import Final

from printkit.content.prose import Align, Block, CheckBoxes, Heading, Table, WriteLines
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.canvas.layers import tinted_towards_paper
from printkit.drawing.canvas.style import Style
from printkit.drawing.map.board_drawing import board_drawing, in_frame
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import Content
from printkit.kit.registry import uses_elements
from printkit.kit.sides import named, titled
from printkit.page.sheet import Page
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.handout import HandoutContext

# Columns in the table of losses.
BOUNDS: Final = 12

_MIDDLE: Final[Align] = "middle"
_ALIGNS: Final[tuple[Align, ...]] = ("left", *(_MIDDLE for _ in range(BOUNDS + 1)))
_PALE: Final = 0.45
_PALE_LINES: Final = 0.55
_MAP_SHARE: Final = 0.52
_MAP_HEIGHT: Final = 0.40
_PITCH: Final = 8.0
_MOST_LINES: Final = 14
_LEAST_LINES: Final = 2
_ROOMY: Final = 1


def battle_report(handout: HandoutContext) -> tuple[Page, ...]:
    """Return the report on one page, with as many writing lines as fit.

    Raises:
        PageError: the paper is too small.
    """
    title, shown = handout.words("report.title"), _map(handout)

    def report(lines: int) -> tuple[Page, ...]:
        return handout.leaflet(title, _contents(handout, shown, lines), subtitle=handout.title)

    more = range(_LEAST_LINES + 1, _MOST_LINES + 1)
    fitting = _LEAST_LINES + bisect_left(more, True, key=lambda lines: len(report(lines)) > 1)
    # The last line fits only if type and gaps shrink. A form needs space, so leave that line out.
    return report(max(fitting - _ROOMY, _LEAST_LINES))


def _contents(handout: HandoutContext, shown: Drawing, lines: int) -> Iterator[Content]:
    words = handout.words
    yield SideFigure(Figure(shown, words("report.map")), tuple(_facts(handout)))
    sides = tuple(in_each(words, partial(titled, side)) for side in handout.sides)
    rows = tuple((_said(handout, name), *("",) * len(sides)) for name in ("player", "army", "general", "strength"))
    yield Table(rows=rows, head=("", *sides), shares=(1.0, *(2.0,) * len(sides)), least=_PITCH)
    yield Heading(_said(handout, "losses"), aside=_said(handout, "losses-aside"))
    head = (_said(handout, "turn"), *(str(bound) for bound in range(1, BOUNDS + 1)), words("report.sum"))
    blank = ("",) * (BOUNDS + 1)
    losses = tuple((in_each(words, partial(named, side)), *blank) for side in handout.sides)
    yield Table(rows=losses, head=head, shares=(2.4, *(1.0,) * BOUNDS, 1.4), aligns=_ALIGNS, least=_PITCH)
    yield Heading(words("report.turning"))
    turning = max(1, round(lines * 0.4))
    yield WriteLines(("",) * turning, _PITCH)
    yield Heading(words("report.remember"))
    yield WriteLines(("",) * max(1, lines - turning), _PITCH)


def _said(handout: HandoutContext, name: str) -> str:
    """Return a text of the report in the terms of the rule system: elements and bounds, or units and turns."""
    own = f"report.elements.{name}"
    is_own = uses_elements(handout.system.name) and handout.words.has(own)
    return handout.words(own if is_own else f"report.{name}")


def _facts(handout: HandoutContext) -> Iterator[Block]:
    """Yield the boxes next to the map."""
    words = handout.words
    alone = any(side.solo for side in handout.sides)
    names = ("date", "place", *(() if alone else ("umpire",)), "began", "ended", "turns")
    yield WriteLines(tuple(_said(handout, name) for name in names), _PITCH)
    yield Heading(words("report.won"))
    yield CheckBoxes((*(in_each(words, partial(titled, side)) for side in handout.sides), words("report.draw")))
    yield WriteLines((words("report.by"),), _PITCH)


def _map(handout: HandoutContext) -> Drawing:
    """Return the board in colours pale enough to write on, but still readable."""
    width, height = handout.size()
    board = handout.record.battlefield.board
    scale = min(_MAP_SHARE * width / board.width, _MAP_HEIGHT * height / board.depth, 1.0)
    drawing = board_drawing(handout.record.battlefield, handout.map_drafter(scale), zones=False)
    return in_frame(tinted_towards_paper(drawing, paleness(handout.style)), handout.style)


def paleness(style: Style) -> float:
    """Return how much to fade a map for handwriting, as a share; black lines fade more than washes."""
    return _PALE if style.washes else _PALE_LINES

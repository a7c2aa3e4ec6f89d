"""Drawings of the record form: boxes for all dice in rolling order, and a grid for a sketch of the board (BR-A04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Ink, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.forms.zone_grid import ZONES, ZoneGrid, draw_medallion
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.text_styles import drawing_of, make_line
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.game_rules import HILL_DICE
from printkit.systems.brantley.sheets.zone_board import sides

_EDGE: Final = 6.0
_FAINT: Final = 0.62
_FAINT_LINE: Final = 0.08
_OVER: Final = 12.0
_WHITE: Final = Ink(255, 255, 255)
_BOX: Final = 0.3
_TITLE: Final = 8.0
_ROW: Final = 5.0
_BETWEEN: Final = 7.0
_INDENT: Final = 6.0
_LEADING: Final = 1.12
# Boxes of a roll-off for each player: the first roll, and two more for equal scores.
_AGAIN: Final = 3


Rows: TypeAlias = tuple[str, ...]


def sketch_grid(side: float, drafter: Drafter, rules: Rules) -> Drawing:
    """Return a square of ``side`` mm with a line for each inch of the board, the zones and both players' edges."""
    place = Rect(0.0, _EDGE, side, side)
    faint = drafter.style.solid("ink").mix(_WHITE, _FAINT)
    inches = rules.whole("board_side")
    step = side / inches
    items: list[Item] = []
    for number in range(1, inches):
        at = number * step
        items.append(make_line([(at, _EDGE), (at, _EDGE + side)], faint, _FAINT_LINE))
        items.append(make_line([(0.0, _EDGE + at), (side, _EDGE + at)], faint, _FAINT_LINE))
    grid = ZoneGrid(place=place)
    items += grid.lines(drafter, inner=0.45)
    items += grid.numbers(drafter, 8.0, inset=1.0)
    items += grid.edges(*sides(drafter.words), drafter, size_pt=9.0)
    return drawing_of(side, side + 2 * _EDGE, items)


def dice_form(width: float, side: float, drafter: Drafter, rules: Rules) -> Drawing:
    """Return boxes of ``side`` mm for all dice in rolling order, ``width`` mm wide."""
    form = _Form(side=side, drafter=drafter)
    upper = [form.first(), form.hills()]
    lower = [form.course(3, "rivers"), form.course(4, "roads"), form.crossings()]
    lower += [form.order()] if rules.choice("br-q19") == "thrown" else []
    laid = [upper, *_packed(lower, width)]
    heights = [max(group.height for group in row) for row in laid]
    total = plain_sum(heights) + _BETWEEN * (len(laid) - 1)
    parts: list[PlacedDrawing] = []
    top = total
    for row, height in zip(laid, heights, strict=True):
        gap = (width - plain_sum(group.width for group in row)) / max(1, len(row) - 1)
        x = 0.0
        for group in row:
            parts.append(PlacedDrawing(group, x, top - group.height))
            x += group.width + gap
        top -= height + _BETWEEN
    return joined(width, total, parts)


def _packed(groups: list[Drawing], width: float) -> list[list[Drawing]]:
    """Return groups in one row if it is wide enough, otherwise in two."""
    if plain_sum(group.width for group in groups) + _BETWEEN / 2 * (len(groups) - 1) <= width:
        return [groups]
    half = len(groups) // 2
    return [groups[:half], groups[half:]]


class _Form(Struct, frozen=True, kw_only=True):
    """Draws the groups of boxes, each as a separate drawing."""

    side: float
    drafter: Drafter

    def say(self, key: str, **values: object) -> Rows:
        """Return the label of some boxes, one row for each language."""
        return self.drafter.translations(f"brantley.sheets.form.{key}", **values)

    @property
    def body(self) -> float:
        """Return the height of two rows of boxes, in mm."""
        return 2 * self.side

    def first(self) -> Drawing:
        """Draw the roll-off for the first player (BR-D1)."""
        width = self.off_width
        return self.group(1, "first", width, self.roll_off(0.0, 0.0), drop=_ROW)

    def hills(self) -> Drawing:
        """Draw two dice for each zone, in rolling order (BR-D2, BR-Q04)."""
        labels = tuple(self.say(die) for die in HILL_DICE)
        left = max(map(self.widest, labels)) + 2.0
        items: list[Item] = []
        for place, zone in enumerate(ZONES):
            x = left + place * self.side
            at = (x + self.side / 2, self.body + 1.2)
            items += self.drafter.text(
                str(zone), at, self.drafter.type_style(Font.HEAVY, 9.0), max_width_mm=9.0, anchor=Anchor.MIDDLE
            )
            items += [self.box(x, row * self.side) for row in (1, 0)]
        items += self.beside(*labels)
        return self.group(2, "hills", left + len(ZONES) * self.side, items, drop=_ROW)

    def course(self, number: int, title: str) -> Drawing:
        """Draw the count die of rivers or roads, and the roll-off for a single one (BR-D3, BR-D4)."""
        wide = max(self.side, self.widest(self.say("count")))
        items: list[Item] = [self.box(0.0, self.side)]
        items += self.stacked(self.say("count"), 0.0, self.side - 0.6)
        items += self.roll_off(wide + 3.0, 0.0)
        return self.group(number, title, wide + 3.0 + self.off_width, items)

    def crossings(self) -> Drawing:
        """Draw a die for each crossing, along the first road and then along the second (BR-D5)."""
        labels = self.say("crossing", road=1), self.say("crossing", road=2)
        left = max(map(self.widest, labels)) + 2.0
        items: list[Item] = []
        for row in (1, 0):
            items += [self.box(left + place * self.side, row * self.side) for place in range(_AGAIN)]
        items += self.beside(*labels)
        return self.group(5, "crossings", left + _AGAIN * self.side, items)

    def order(self) -> Drawing:
        """Draw the roll-off for the order of deployment (BR-D6)."""
        return self.group(6, "order", self.off_width, self.roll_off(0.0, 0.0))

    @property
    def small(self) -> TypeStyle:
        """Return the type style of labels."""
        return self.drafter.type_style(Font.FIGURES, 8.0, "ink-secondary")

    @property
    def off_width(self) -> float:
        """Return the width of a roll-off, in mm."""
        return self.side + _AGAIN * self.side

    def widest(self, rows: Rows) -> float:
        """Return the width of a label, in mm."""
        return max(measure(row, self.small) for row in rows)

    def stacked(self, rows: Rows, x: float, top: float) -> list[Item]:
        """Return the rows of a label, one below the other."""
        hand, found = self.small, list[Item]()
        for number, row in enumerate(rows, 1):
            found += self.drafter.text(
                row, (x, top - number * _LEADING * hand.height), hand, max_width_mm=self.widest(rows)
            )
        return found

    def beside(self, upper: Rows, lower: Rows) -> list[Item]:
        """Return the labels of two rows of boxes, each in the middle of its row."""
        found: list[Item] = []
        for row, label in ((1, upper), (0, lower)):
            high = (len(label) - 1) * _LEADING + 0.72
            middle = (row + 0.5) * self.side
            top = middle + self.small.height * (high / 2 + _LEADING - 0.72)
            found += self.stacked(label, 0.0, top)
        return found

    def roll_off(self, x: float, y: float) -> list[Item]:
        """Return a row of boxes for each player; the boxes after the first are for equal scores."""
        items: list[Item] = []
        for row, player in zip((1, 0), sides(self.drafter.words), strict=True):
            foot = y + row * self.side
            at = (x + self.side / 2, foot + self.side / 2)
            items += draw_medallion(player.name, at, 0.30 * self.side, self.drafter, token=player.token)
            items += [self.box(x + (place + 1) * self.side, foot) for place in range(_AGAIN)]
        return items

    def box(self, x: float, y: float) -> Item:
        """Return a box for one score."""
        return self.drafter.box(Rect(x, y, self.side, self.side), _BOX)

    def group(self, number: int, key: str, width: float, items: Sequence[Item], *, drop: float = 0.0) -> Drawing:
        """Return boxes under their number and title; the title may be somewhat wider than the boxes."""
        head, title = self.drafter.type_style(Font.BANNER, 9.0), self.say(key)
        height = self.body + drop + _TITLE + (len(title) - 1) * _LEADING * head.height
        room = max(min(max(measure(row, head) for row in title), width + _OVER - _INDENT), width - _INDENT)
        found: list[Item] = [*draw_medallion(str(number), (2.2, height - 2.6), 2.2, self.drafter)]
        for place, row in enumerate(title):
            foot = height - 2.6 - 0.36 * head.height - place * _LEADING * head.height
            found += self.drafter.text(row, (_INDENT, foot), head, max_width_mm=room)
        return drawing_of(max(width, room + _INDENT), height, [*found, *items])

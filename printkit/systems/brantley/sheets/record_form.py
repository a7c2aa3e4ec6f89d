"""Drawings of the record form: boxes for all dice in rolling order, and a grid for a sketch of the board (BR-A04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.plain import WHITE, make_line
from printkit.drawing.lettering.lettering import TypeStyle, measure
from printkit.drawing.map.layout_plan import ZONES, ZoneGrid, draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.game_rules import HILL_DICE
from printkit.systems.brantley.sheets.zone_board import sides

_EDGE: Final = 6.0
_FAINT: Final = 0.62
_FAINT_LINE: Final = 0.08
_TITLE_OVERHANG: Final = 12.0
_BOX: Final = 0.3
_TITLE: Final = 8.0
_ROW: Final = 5.0
_GROUP_GAP: Final = 7.0
_INDENT: Final = 6.0
_LEADING: Final = 1.12
# Boxes of a roll-off for each player: the first roll, and two more for equal scores.
_BOXES_PER_ROLL_OFF: Final = 3


Rows: TypeAlias = tuple[str, ...]


def draw_sketch_grid(side: float, drafter: Drafter, rules: Rules) -> Drawing:
    """Return a blank map, ``side`` mm wide and high on paper: a line for each inch, zones and edges.

    Space for the names of the edges, 6 mm each, is added above and below. Inches are those of the rules.
    """
    place = Rect(0.0, _EDGE, side, side)
    faint = drafter.style.solid("ink").mix(WHITE, _FAINT)
    inches = rules.whole("board_side")
    step = side / inches
    items: list[Item] = []
    for number in range(1, inches):
        offset = number * step
        items.append(make_line([(offset, _EDGE), (offset, _EDGE + side)], faint, _FAINT_LINE))
        items.append(make_line([(0.0, _EDGE + offset), (side, _EDGE + offset)], faint, _FAINT_LINE))
    grid = ZoneGrid(place=place)
    items += grid.lines(drafter, inner=0.45)
    items += grid.numbers(drafter, 8.0, inset=1.0)
    items += grid.edges(*sides(drafter.words), drafter, size_pt=9.0)
    return drawing_of(side, side + 2 * _EDGE, items)


def draw_dice_form(width: float, side: float, drafter: Drafter, rules: Rules) -> Drawing:
    """Return boxes of ``side`` mm for all dice in rolling order, ``width`` mm wide on paper.

    Its height depends on the rows. The order of deployment has boxes only if it is rolled by ``rules``.
    """
    form = _Form(side=side, drafter=drafter)
    upper = [form.draw_first(), form.draw_hills()]
    lower = [form.draw_course(3, "rivers"), form.draw_course(4, "roads"), form.draw_crossings()]
    lower += [form.draw_order()] if rules.choice("br-q19") == "thrown" else []
    group_rows = [upper, *_split_rows(lower, width)]
    heights = [max(group.height for group in row) for row in group_rows]
    total = plain_sum(heights) + _GROUP_GAP * (len(group_rows) - 1)
    parts: list[PlacedDrawing] = []
    top = total
    for row, height in zip(group_rows, heights, strict=True):
        gap = (width - plain_sum(group.width for group in row)) / max(1, len(row) - 1)
        x = 0.0
        for group in row:
            parts.append(PlacedDrawing(group, x, top - group.height))
            x += group.width + gap
        top -= height + _GROUP_GAP
    return joined(width, total, parts)


def _split_rows(groups: list[Drawing], width: float) -> list[list[Drawing]]:
    """Return groups in one row if they fit a width in mm on paper, otherwise in two rows.

    The second row has the greater half.
    """
    if plain_sum(group.width for group in groups) + _GROUP_GAP / 2 * (len(groups) - 1) <= width:
        return [groups]
    half = len(groups) // 2
    return [groups[:half], groups[half:]]


class _Form(Struct, frozen=True, kw_only=True):
    """Draws the groups of boxes, each as a separate drawing.

    ``side`` is the side of a box in mm on paper.
    """

    side: float
    drafter: Drafter

    def label_rows(self, key: str, **values: object) -> Rows:
        """Return the texts of a label, one for each language; equal texts only once.

        ``key`` is the end of the text key, and ``values`` fill the text.
        """
        return self.drafter.translations(f"brantley.sheets.form.{key}", **values)

    @property
    def body(self) -> float:
        """Return the height of two rows of boxes, in mm on paper."""
        return 2 * self.side

    def draw_first(self) -> Drawing:
        """Return a drawing of the roll-off for the first player (BR-D1)."""
        width = self.roll_off_width
        return self.draw_group(1, "first", width, self.draw_roll_off(0.0, 0.0), drop=_ROW)

    def draw_hills(self) -> Drawing:
        """Return a drawing of two dice for each zone, in rolling order (BR-D2, BR-Q04)."""
        labels = tuple(self.label_rows(die) for die in HILL_DICE)
        label_space = max(map(self.label_width, labels)) + 2.0
        items: list[Item] = []
        for place, zone in enumerate(ZONES):
            x = label_space + place * self.side
            point = (x + self.side / 2, self.body + 1.2)
            items += self.drafter.text(
                str(zone), point, self.drafter.type_style(Font.HEAVY, 9.0), max_width_mm=9.0, anchor=Anchor.MIDDLE
            )
            items += [self.box(x, row * self.side) for row in (1, 0)]
        items += self.draw_row_labels(*labels)
        return self.draw_group(2, "hills", label_space + len(ZONES) * self.side, items, drop=_ROW)

    def draw_course(self, number: int, title: str) -> Drawing:
        """Return group ``number`` of the form: count die and roll-off of rivers or roads (BR-D3, BR-D4).

        ``title`` is ``rivers`` or ``roads``, the end of the text key of its title.
        """
        count_width = max(self.side, self.label_width(self.label_rows("count")))
        items: list[Item] = [self.box(0.0, self.side)]
        items += self.stack_rows(self.label_rows("count"), 0.0, self.side - 0.6)
        items += self.draw_roll_off(count_width + 3.0, 0.0)
        return self.draw_group(number, title, count_width + 3.0 + self.roll_off_width, items)

    def draw_crossings(self) -> Drawing:
        """Return a drawing of a die for each crossing, along the first road and then along the second (BR-D5).

        Each road has three boxes.
        """
        labels = self.label_rows("crossing", road=1), self.label_rows("crossing", road=2)
        label_space = max(map(self.label_width, labels)) + 2.0
        items: list[Item] = []
        for row in (1, 0):
            items += [
                self.box(label_space + place * self.side, row * self.side) for place in range(_BOXES_PER_ROLL_OFF)
            ]
        items += self.draw_row_labels(*labels)
        return self.draw_group(5, "crossings", label_space + _BOXES_PER_ROLL_OFF * self.side, items)

    def draw_order(self) -> Drawing:
        """Return a drawing in printed mm of the empty boxes for the roll-off for the order of deployment (BR-D6)."""
        return self.draw_group(6, "order", self.roll_off_width, self.draw_roll_off(0.0, 0.0))

    @property
    def label_style(self) -> TypeStyle:
        """Return the type style of labels."""
        return self.drafter.type_style(Font.FIGURES, 8.0, "ink-secondary")

    @property
    def roll_off_width(self) -> float:
        """Return the width of the boxes of a roll-off with the player's disc, in mm on paper."""
        return self.side + _BOXES_PER_ROLL_OFF * self.side

    def label_width(self, rows: Rows) -> float:
        """Return the width of the longest row of a label, in mm on paper."""
        return max(measure(row, self.label_style) for row in rows)

    def stack_rows(self, rows: Rows, x: float, top: float) -> list[Item]:
        """Return the rows of a label, one below the other.

        They start at ``x`` on the left, and the first baseline is one line below ``top``; both are in mm.
        """
        type_style, items = self.label_style, list[Item]()
        for number, row in enumerate(rows, 1):
            items += self.drafter.text(
                row, (x, top - number * _LEADING * type_style.height), type_style, max_width_mm=self.label_width(rows)
            )
        return items

    def draw_row_labels(self, upper: Rows, lower: Rows) -> list[Item]:
        """Return the labels of two rows of boxes, left-aligned at 0, each at half the height of its row."""
        items: list[Item] = []
        for row, label in ((1, upper), (0, lower)):
            label_height = (len(label) - 1) * _LEADING + 0.72
            middle = (row + 0.5) * self.side
            top = middle + self.label_style.height * (label_height / 2 + _LEADING - 0.72)
            items += self.stack_rows(label, 0.0, top)
        return items

    def draw_roll_off(self, x: float, y: float) -> list[Item]:
        """Return a row of boxes for each player; the boxes after the first are for equal scores.

        A is above B, with the player's disc before three boxes. ``x`` and ``y`` are the lower left corner in mm on
        paper.
        """
        items: list[Item] = []
        for row, player in zip((1, 0), sides(self.drafter.words), strict=True):
            bottom = y + row * self.side
            centre = (x + self.side / 2, bottom + self.side / 2)
            items += draw_medallion(player.name, centre, 0.30 * self.side, self.drafter, token=player.token)
            items += [self.box(x + (place + 1) * self.side, bottom) for place in range(_BOXES_PER_ROLL_OFF)]
        return items

    def box(self, x: float, y: float) -> Item:
        """Return a box for one score, with its lower left corner at ``x``, ``y`` in mm on paper."""
        return self.drafter.box(Rect(x, y, self.side, self.side), _BOX)

    def draw_group(self, number: int, key: str, width: float, items: Sequence[Item], *, drop: float = 0.0) -> Drawing:
        """Return a group with its number and title above two rows of boxes.

        The title may be somewhat wider than the boxes.

        Args:
            number: the number of the group.
            key: the end of the text key of its title.
            width: the width of the boxes, in mm on paper.
            items: the boxes with their labels, in mm from the lower left corner of the group.
            drop: extra height in mm between the boxes and the title.
        """
        title_style, title = self.drafter.type_style(Font.BANNER, 9.0), self.label_rows(key)
        height = self.body + drop + _TITLE + (len(title) - 1) * _LEADING * title_style.height
        title_width = max(
            min(max(measure(row, title_style) for row in title), width + _TITLE_OVERHANG - _INDENT), width - _INDENT
        )
        heading: list[Item] = [*draw_medallion(str(number), (2.2, height - 2.6), 2.2, self.drafter)]
        for place, row in enumerate(title):
            baseline = height - 2.6 - 0.36 * title_style.height - place * _LEADING * title_style.height
            heading += self.drafter.text(row, (_INDENT, baseline), title_style, max_width_mm=title_width)
        return drawing_of(max(width, title_width + _INDENT), height, [*heading, *items])

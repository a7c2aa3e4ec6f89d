"""The blank edge map (CC-A09), and a base edge with the columns of a side to scale (CC-O08)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Anchor, Drawing, Font, Item, Rect
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import WHITE, make_line, make_rectangle
from printkit.drawing.lettering.lettering import measure
from printkit.drawing.map.layout_plan import draw_medallion
from printkit.drawing.text.drafter import Drafter
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.ground import ENTRIES

# --- A base edge with the columns of a side to scale: on the board and waiting outside it (CC-O08) --------------------

_PALE: Final = 0.82
_ABOVE: Final = 3.0
_BELOW: Final = 4.0
_DISC: Final = 2.2


class ColumnElement(Struct, frozen=True, kw_only=True):
    """An element: its text, its depth in mm on the board, and whether it is the baggage."""

    text: str
    depth: float
    baggage: bool = False


class ColumnMarch(Struct, frozen=True, kw_only=True):
    """A column from front to rear.

    Attributes:
        middle: position of the middle of its front along the edge, in base widths.
        front: distance of its front inland, in base widths.
    """

    number: int
    middle: float
    front: float
    pieces: tuple[ColumnElement, ...]


class ColumnEdge(Struct, frozen=True, kw_only=True):
    """A base edge.

    Attributes:
        side: width of the board, in base widths.
        base_width: mm on the board.
        half_width: half the width of the box of column 1, in base widths.
        depth: depth of that box, in base widths.
        name: of the edge.
        token: the name of the side's ink in a style.
    """

    side: float
    base_width: float
    half_width: float
    depth: float
    name: str
    token: str


def draw_column_edge(edge: ColumnEdge, marches: Sequence[ColumnMarch], width: float, drafter: Drafter) -> Drawing:
    """Return a drawing of a base edge ``width`` mm wide on paper, with its columns to scale and their numbers.

    The height, in mm, is enough for the longest column that waits outside the edge.
    """
    scale = width / (edge.side * edge.base_width)
    step = edge.base_width * scale
    # How far each column extends outside the edge, in mm of the table; negative if all of it is on the board.
    waiting_lengths = [
        plain_sum(piece.depth for piece in march.pieces) - march.front * edge.base_width for march in marches
    ]
    waiting_mm = max([0.0, *waiting_lengths]) * scale
    line = waiting_mm + _BELOW
    height = line + (edge.depth * step) + _ABOVE
    middle = width / 2
    items: list[Item] = []
    box = Rect(middle - edge.half_width * step, line, 2 * edge.half_width * step, edge.depth * step)
    items.append(drafter.box(box, 0.3, "ink-secondary", dash=(2.0, 1.2)))
    items.append(drafter.dashed_line([(middle, line), (middle, height)], 0.15, (2.4, 1.6)))
    for march in marches:
        items += _draw_march(march, edge, line, scale, drafter)
    items.append(drafter.rule([(0.0, line), (width, line)], 0.7, edge.token))
    type_style = drafter.type_style(Font.BANNER, 9.0, edge.token)
    items += drafter.text(edge.name, (width, line + 1.6), type_style, max_width_mm=0.4 * width, anchor=Anchor.END)
    return drawing_of(width, height, items)


def _draw_march(march: ColumnMarch, edge: ColumnEdge, line: float, scale: float, drafter: Drafter) -> Iterator[Item]:
    """Yield the elements of a column from front to rear, with their numbers.

    ``line`` is the height of the base line on the sheet in mm, ``scale`` the printed mm per mm of the table.
    """
    step = edge.base_width * scale
    x, top = march.middle * step - step / 2, line + march.front * step
    pale = drafter.style.solid(edge.token).mix(WHITE, _PALE)
    type_style = drafter.type_style(Font.FIGURES, 7.0)
    number = drafter.type_style(Font.HEAVY, 7.0, edge.token)
    for place, piece in enumerate(march.pieces, 1):
        high = piece.depth * scale
        rect = Rect(x, top - high, step, high)
        yield drafter.box(rect, 0.25, fill=drafter.style.solid("plough") if piece.baggage else pale)
        foot = rect.y + high / 2 - 0.36 * type_style.height
        yield from drafter.text(
            piece.text, (x + step / 2, foot), type_style, max_width_mm=step - 1.0, anchor=Anchor.MIDDLE
        )
        yield from drafter.text(str(place), (x + step + 1.2, foot), number, max_width_mm=4.0)
        top -= high
    disc_centre = (x - _DISC - 1.2, line + march.front * step - _DISC)
    yield from draw_medallion(str(march.number), disc_centre, _DISC, drafter, token=edge.token)


_FAINT: Final = 0.70
_FAINTER: Final = 0.86
_EDGE: Final = 13.0
_HATCH: Final = 2.6


def draw_edge_map(rules: Rules, side: float, size: float, drafter: Drafter) -> Drawing:
    """Return a drawing of a blank square map for a board of ``side`` base widths.

    It has edge squares, base widths, centre lines and the zones of the columns. The drawing is ``size`` mm wide and 26
    mm higher: strips beyond the near and the far edge have the side's name and the entry stretch of column 3.
    """
    sketch = _Sketch(rules, side, size / side, drafter)
    items: list[Item] = []
    items += sketch.draw_squares()
    items += sketch.draw_grid()
    items += sketch.draw_centre_lines()
    for near in (True, False):
        items += sketch.draw_columns(near=near)
    items += sketch.draw_labels()
    items.append(drafter.box(sketch.at(0.0, 0.0, side, side), 0.6))
    return drawing_of(size, size + 2 * _EDGE, items)


def _side_role(*, near: bool) -> Role:
    """Return the role of the side at the near edge or at the far edge."""
    return Role.DEFENDER if near else Role.ATTACKER


class _Sketch(Struct, frozen=True):
    """Draws the blank edge map.

    Attributes:
        side: width of the board, in base widths.
        step: printed mm of a base width.
    """

    rules: Rules
    side: float
    step: float
    drafter: Drafter

    @property
    def square(self) -> tuple[float, float]:
        """Return the width and depth of the edge squares, in base widths."""
        return self.rules.number("edge_square_bw"), self.rules.number("edge_square_depth_bw")

    def at(self, x: float, y: float, width: float, height: float) -> Rect:
        """Return a rectangle of the board in mm on the sheet; ``x``, ``y`` and its size are in base widths.

        They count from the near left corner of the board, which is above the strip at the foot of the drawing.
        """
        step = self.step
        return Rect(x * step, _EDGE + y * step, width * step, height * step)

    def player_rect(self, x: float, y: float, width: float, height: float, *, near: bool) -> Rect:
        """Return a rectangle in mm on the sheet, from the view of the player at the near or the far edge.

        ``x`` (from the player's left), ``y`` (from their edge), ``width`` and ``height`` are in base widths.
        """
        if near:
            return self.at(x, y, width, height)
        side = self.side
        return self.at(side - x - width, side - y - height, width, height)

    def draw_grid(self) -> Iterator[Item]:
        """Yield a faint line at each base width."""
        side = self.side
        faint = self.drafter.style.solid("ink").mix(WHITE, _FAINTER)
        for number in range(1, round(side + 0.499)):
            if number >= side:
                break
            for place in (self.at(number, 0.0, 0.0, side), self.at(0.0, number, side, 0.0)):
                yield make_line([(place.x, place.y), (place.right, place.top)], faint, 0.08)

    def draw_squares(self) -> Iterator[Item]:
        """Yield the four edge squares, lightly hatched (CC-G02, CC-O07).

        Items are in mm on paper.
        """
        square, depth = self.square
        low = self.side / 2 - square / 2
        for place in (
            self.at(low, 0.0, square, depth),
            self.at(low, self.side - depth, square, depth),
            self.at(0.0, low, depth, square),
            self.at(self.side - depth, low, depth, square),
        ):
            yield from self._draw_hatching(place)
            yield self.drafter.box(place, 0.3, "ink-secondary")

    def draw_centre_lines(self) -> Iterator[Item]:
        """Yield the centre lines of both directions, dashed across the board (CC-O02).

        Items are in mm on paper.
        """
        side = self.side
        for place in (self.at(side / 2, 0.0, 0.0, side), self.at(0.0, side / 2, side, 0.0)):
            yield self.drafter.dashed_line([(place.x, place.y), (place.right, place.top)], 0.15, (2.4, 1.6))

    def draw_columns(self, *, near: bool) -> Iterator[Item]:
        """Yield the zones of the three columns at an edge: box, strip and stretch (CC-O03 to O05).

        ``near`` is True for the near edge, False for the far edge. Items are in mm on paper.
        """
        drafter, token = self.drafter, _side_role(near=near).token
        half_width, deep, thin = (
            self.rules.number(f"column_{name}") for name in ("box_bw_aside", "box_bw_deep", "strip_bw_deep")
        )
        half = self.side / 2 - half_width
        box = self.player_rect(half, 0.0, 2 * half_width, deep, near=near)
        yield drafter.box(box, 0.5, token)
        strip = self.player_rect(half, 0.0, 2 * half_width, thin, near=near)
        yield drafter.box(strip, 0.35, token, dash=(2.0, 1.2))
        radius = min(2.6, 0.36 * self.step)
        top = self.player_rect(self.side / 2, deep - 0.5, 0.0, 0.0, near=near)
        foot = self.player_rect(self.side / 2, thin / 2, 0.0, 0.0, near=near)
        for number, place in (("1", top), ("2", foot)):
            yield from draw_medallion(number, (place.x, place.y), radius, drafter, token=token)
        yield from self._draw_entry(token, near=near, radius=radius)

    def _draw_entry(self, token: str, *, near: bool, radius: float) -> Iterator[Item]:
        """Yield the entry stretch of column 3: bold for most troops, thin where only fast ones may enter.

        ``radius`` is that of the disc with the number, in mm on paper. ``token`` is the name of the side's colour.
        ``near`` selects the strip beyond the near edge instead of the far one.
        """
        drafter, side = self.drafter, self.side
        fast, usual = map(self.rules.number, ENTRIES.values())
        offset = -3.2 if near else 3.2
        level = (self.at(0.0, 0.0, 0.0, 0.0).y if near else self.at(0.0, side, 0.0, 0.0).y) + offset
        for margin, width in ((fast, 0.35), (usual, 1.3)):
            ends = [(margin * self.step, level), ((side - margin) * self.step, level)]
            yield drafter.rule(ends, width, token)
            for x, _ in ends:
                yield drafter.rule([(x, level - 1.6), (x, level + 1.6)], 0.35, token)
        yield from draw_medallion("3", (usual * self.step + 6.0, level), radius, drafter, token=token)
        small = drafter.type_style(Font.FIGURES, 7.5, token)
        outer = ((side - fast) * self.step + 2.0, level - 0.36 * small.height)
        yield from drafter.text(drafter.words("columns.map.margin"), outer, small, max_width_mm=fast * self.step - 3.0)
        name = drafter.type_style(Font.BANNER, 9.5, token)
        line = level + (-5.6 if near else 3.0)
        text = f"{drafter.words(f'columns.map.{_side_role(near=near).value}')} · {drafter.words('columns.map.entry')}"
        middle = (side * self.step / 2, line)
        yield from drafter.text(text, middle, name, max_width_mm=side * self.step, anchor=Anchor.MIDDLE)

    def draw_labels(self) -> Iterator[Item]:
        """Yield the label of each edge square, on a ground that covers its hatching (CC-O07).

        Items are in mm on paper.
        """
        square, depth = self.square
        size = {"edge_square_bw": f"{square:g}", "edge_square_depth_bw": f"{depth:g}"}
        text = self.drafter.words("columns.map.square", **size)
        type_style = self.drafter.type_style(Font.FIGURES_ITALIC, 8.0, "ink-secondary")
        wide = min(measure(text, type_style), 0.94 * square * self.step)
        middle = self.side / 2
        places = (
            (middle, 0.62 * depth),
            (middle, self.side - 0.62 * depth),
            (0.5 * depth, middle + 0.9),
            (self.side - 0.5 * depth, middle + 0.9),
        )
        for x, y in places:
            point = self.at(x, y, 0.0, 0.0)
            wide_here = min(wide, 0.94 * min(square, depth if x != middle else square) * self.step)
            ground = Rect(point.x - wide_here / 2 - 0.8, point.y - 1.9, wide_here + 1.6, 3.8)
            yield make_rectangle(ground, WHITE)
            yield from self.drafter.centred_text(text, (point.x, point.y), type_style, max_width_mm=wide_here)

    def _draw_hatching(self, place: Rect) -> Iterator[Item]:
        """Yield lines at 45 degrees across a rectangle in mm on paper."""
        faint = self.drafter.style.solid("ink").mix(WHITE, _FAINT)
        count = int((place.width + place.height) / _HATCH)
        for number in range(1, count + 1):
            gone = number * _HATCH
            start = (place.x + min(gone, place.width), place.y + max(0.0, gone - place.width))
            end = (place.x + max(0.0, gone - place.height), place.y + min(gone, place.height))
            yield make_line([start, end], faint, 0.1)

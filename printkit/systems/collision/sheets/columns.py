"""Columns of both armies as map overlays: recorded positions, otherwise those at the start of the game (CC-O08).

Column 1 is as far inland in its box as the label allows. The lead of column 2 is next to it, at the base line. All
other elements wait outside the edge, side by side in marching order, with their fronts to the board. So the strip
outside the frame is only one base deep and takes little paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import shapely
from msgspec import Struct
from msgspec.structs import replace
from shapely import box

from printkit.core.sums import plain_sum
from printkit.kit.book import read_book
from printkit.kit.rules import Rules
from printkit.systems.collision.judge.columns import column_facts, read_inputs
from printkit.systems.collision.march.columns import BAGGAGE, COLUMNS, LANDS, Army, Role, Troops, read_troops
from printkit.systems.collision.march.columns_check import depth_of
from printkit.systems.collision.march.ground import cut_line, line_points
from printkit.systems.collision.march.positions import ElementPosition, Positions, read_positions
from printkit.systems.collision.march.side_facts import ARMIES, POSITIONS, read_edges
from printkit.systems.collision.sheets.marching import Marcher
from printkit.systems.dba.elements.deployed_overlay import SYMBOLS
from printkit.systems.dba.ground.frame import rotate_to_edge
from printkit.systems.dba3.placing.placement import find_shore
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, Overlay
from printkit.terrain.field.record import Record

_FIRST_ASIDE: Final = -1.0
# Offset of the columns on the board from the centre line, in base widths. It leaves space for labels.
_SECOND_ASIDE: Final = 0.95

# Space for a label along the far side of column 1's box, in base widths.
_WORDS: Final = 0.2

# Gap between columns that wait side by side, with the number of the next, in base widths.
_BETWEEN: Final = 0.75

# Space for the lettering behind a waiting element, in base widths.
_TAG: Final = 0.35

_WHOLLY: Final = 0.02
_LOOKS: Final[Mapping[Edge, float]] = {Edge.NEAR: 90.0, Edge.FAR: 270.0, Edge.LEFT: 0.0, Edge.RIGHT: 180.0}
_FIGURES: Final = re.compile(r"^(Mtd-)?\d?(?:/\d)?")
# Types without a symbol, and the types whose symbols they use.
_DRAWN_AS: Final[Mapping[str, str]] = {"Lb": "Bw", "Cb": "Bw", "HCh": "Kn", "LCh": "Cv", "LCm": "LH"}


def with_columns(record: Record) -> Battlefield:
    """Return the battlefield of a record with the elements of its columns as overlays, if there are any.

    Raises:
        ScenarioError: an army or a position cannot be parsed.
    """
    inputs = read_inputs(record)
    field = record.battlefield
    if ARMIES not in inputs and POSITIONS not in inputs:
        return field
    positions = read_positions(inputs.get(POSITIONS, ()))
    edges = read_edges(record.details)
    book = read_book(record.rules)
    rules = read_rules(record, book)
    troops = read_troops(rules)
    overlays: list[Overlay] = []
    for facts in column_facts(record, book):
        side = _Side(
            role=facts.role,
            army=facts.army,
            edge=edges[facts.role],
            field=field,
            positions=positions.get(facts.role, {}),
            troops=troops,
            rules=rules,
        )
        overlays += side.overlays()
    return replace(field, overlays=(*field.overlays, *overlays))


class _WaitingElement(Struct, frozen=True, kw_only=True):
    """An element outside the board that has no position yet, and its depth in mm on the board."""

    marcher: Marcher
    depth: float


class _Side(Struct, frozen=True, kw_only=True):
    """One side and the facts that place its columns.

    Lengths are mm on the board, points as seen from the near edge.
    """

    role: Role
    army: Army | None
    edge: Edge
    field: Battlefield
    positions: Positions
    troops: Troops
    rules: Rules

    def overlays(self) -> Iterator[Overlay]:
        """Yield the elements of a side as overlays: those on the board by column, then those that wait.

        Elements that wait have positions outside the board.
        """
        waiting_columns: list[list[_WaitingElement]] = []
        for number in COLUMNS:
            elements = list(self._place_column(number))
            marchers = [element for element in elements if isinstance(element, Marcher)]
            yield from (element.overlay for element in marchers)
            if waiting_elements := [element for element in elements if isinstance(element, _WaitingElement)]:
                waiting_columns.append(waiting_elements)
        yield from (element.waiting_overlay for element in self._place_waiting(waiting_columns))

    def _place_column(self, number: int) -> Iterator[Marcher | _WaitingElement]:
        """Yield a column's elements from the front; those on the board with bases in mm on the board.

        ``number`` is 1, 2 or 3. Elements without a position, or not completely on the board, wait.
        """
        names = self.army.column(number) if self.army is not None else ()
        # Recorded positions of a landing belong to the column that lands.
        lands = LANDS if self.army is None or not self.army.landing else self.army.landing
        positions = self.positions.get(number) or (self.positions.get("landing", ()) if number == lands else ())
        starting_bases = () if positions else tuple(self._starting_bases(number, names))
        for index in range(max(len(names), len(positions))):
            name = names[index] if index < len(names) else ""
            depth = self._element_depth(name) if name else positions[index].depth * self._base
            ground = (
                shapely.transform(positions[index].ground, lambda points: points * self._base)
                if index < len(positions)
                else starting_bases[index]
                if index < len(starting_bases)
                else None
            )
            facing = _facing_angle(positions[index]) if index < len(positions) else _LOOKS[self.edge]
            marcher = self._build_marcher(number, index + 1, name)
            if ground is not None and shapely.intersects(ground, self._board.shape.buffer(-_WHOLLY * self._base)):
                yield replace(marcher, base=ground, facing=facing)
            else:
                yield _WaitingElement(marcher=marcher, depth=depth)

    def _starting_bases(self, number: int, names: Sequence[str]) -> Iterator[Any]:
        """Yield the bases of a column's elements that are on the board at the start of the game.

        They are in mm on the board. ``number`` is 1, 2 or 3. ``names`` are the elements from front to rear.
        """
        base, depths = self._base, [self._element_depth(name) for name in names]
        if number == 1 and depths:
            x = self._offset_x(_FIRST_ASIDE)
            least, line = self._inland_range(x)
            top = least + self.rules.length("column_box_bw_deep")
            front = min(top, max(line + plain_sum(depths), top - _WORDS * base))
            for depth in depths:
                # An element behind the base line waits outside, whatever the column consists of.
                if front - depth < line - _WHOLLY * base:
                    return
                yield self._build_base(x, front, depth)
                front -= depth
        elif number == 2 and depths:
            x = self._offset_x(_SECOND_ASIDE)
            yield self._build_base(x, self._inland_range(x)[1] + depths[0], depths[0])

    def _place_waiting(self, columns: Sequence[Sequence[_WaitingElement]]) -> Iterator[Marcher]:
        """Yield the waiting elements with bases in mm on the board outside the board edge.

        Columns are side by side, in several ranks if they are long. Nothing without waiting elements.
        """
        base, side = self._base, self._board.width
        ranks: list[list[tuple[float, _WaitingElement]]] = [[]]
        x = _BETWEEN * base
        for column in columns:
            for element in column:
                if x + base > side and ranks[-1]:
                    ranks.append([])
                    x = _BETWEEN * base
                ranks[-1].append((x, element))
                x += base
            x += _BETWEEN * base
        front = 0.0
        for rank in ranks:
            if not rank:
                continue
            first, last = rank[0][0] - _BETWEEN * base, rank[-1][0] + base
            shift = (side - (last - first)) / 2 - first
            for x_offset, element in rank:
                outline = self._build_base(x_offset + shift + base / 2, front, element.depth)
                yield replace(element.marcher, base=outline, facing=_LOOKS[self.edge])
            front -= max(element.depth for _, element in rank) + _TAG * base

    def _build_marcher(self, number: int, place: int, name: str) -> Marcher:
        """Return an element without its position: its base is a unit square and its facing 0.

        ``number`` is that of its column and ``place`` its place in the column, both from 1. ``name`` is the ID of the
        element, or that of the baggage.
        """
        elements = () if self.army is None or name == BAGGAGE else self.army.elements
        element = next((candidate for candidate in elements if candidate.id == name), None)
        code = name if element is None else element.type.split("//", 1)[0].strip()
        bare = _FIGURES.sub("", code)
        symbol = _DRAWN_AS.get(bare, bare)
        return Marcher(
            base=box(0, 0, 1, 1),
            side=self.role.letter,
            column=number,
            place=place,
            facing=0.0,
            code=code,
            symbol=symbol if element is not None and symbol in SYMBOLS else "",
            general=element is not None and element.general,
            name="" if element is None else name,
        )

    def _element_depth(self, name: str) -> float:
        """Return the depth of an element or of the baggage, in mm on the board.

        ``name`` is the ID of the element. There must be an army.
        """
        assert self.army is not None
        return depth_of(self.army, name, self.troops, self.rules)

    def _build_base(self, x: float, front: float, depth: float) -> Any:
        """Return a base in mm on the board, from the middle of its front.

        ``x`` along the edge, ``front`` inland (negative outside the edge) and ``depth`` are in mm from the view of the
        side.
        """
        half = self._base / 2
        return rotate_to_edge(box(x - half, front - depth, x + half, front), self._board, self.edge)

    def _offset_x(self, offset_widths: float) -> float:
        """Return how far along the edge a point is that is ``offset_widths`` base widths from the centre line.

        The result is in mm from the player's left end of the edge. A negative offset is left or low on the map.
        """
        sign = -1.0 if self.edge in (Edge.FAR, Edge.LEFT) else 1.0
        return self._board.width / 2 + sign * offset_widths * self._base

    def _inland_range(self, x: float) -> tuple[float, float]:
        """Return the least and greatest distance of the base line from the edge along an element's front.

        They are in mm on the board (CC-2.9). ``x`` is the middle of the front, in mm along the edge.
        """
        half = self._base / 2
        points = line_points(self._board, self.edge, find_shore(self.field))
        distances = [y for _, y in cut_line(points, x - half, x + half)]
        return min(distances), max(distances)

    @property
    def _board(self) -> Board:
        """Return the board of the battlefield."""
        return self.field.board

    @property
    def _base(self) -> float:
        """Return the base width of the board, in mm at 1:1."""
        return self._board.scale.base_width


def _facing_angle(position: ElementPosition) -> float:
    """Return the direction in which an element faces, from the ends of its front, 0 to under 360 degrees.

    Degrees count anticlockwise from the right.
    """
    front_vector = (position.right.x - position.left.x, position.right.y - position.left.y)
    return (math.degrees(math.atan2(front_vector[1], front_vector[0])) + 90.0) % 360.0

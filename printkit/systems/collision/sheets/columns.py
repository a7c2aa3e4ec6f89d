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
from printkit.systems.collision.judge.columns import column_facts, inputs_of
from printkit.systems.collision.march.columns import BAGGAGE, COLUMNS, LANDS, Army, Element, Role, Troops, read_troops
from printkit.systems.collision.march.columns_check import depth_of
from printkit.systems.collision.march.ground import between, line_points
from printkit.systems.collision.march.positions import ElementPosition, Positions, read_positions
from printkit.systems.collision.march.side_facts import ARMIES, POSITIONS, edges_of
from printkit.systems.collision.sheets.marching import Marcher
from printkit.systems.dba.elements.troop_symbols import SYMBOLS
from printkit.systems.dba.ground.frame import rotate_to_edge
from printkit.systems.dba3.placing.placement import find_shore
from printkit.systems.dba3.placing.told import read_rules
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
    given = inputs_of(record)
    field = record.battlefield
    if ARMIES not in given and POSITIONS not in given:
        return field
    recorded = read_positions(given.get(POSITIONS, ()))
    edges = edges_of(record.details)
    book = read_book(record.rules)
    rules = read_rules(record, book)
    troops = read_troops(rules)
    found: list[Overlay] = []
    for facts in column_facts(record, book):
        side = _Side(
            role=facts.role,
            army=facts.army,
            edge=edges[facts.role],
            field=field,
            positions=recorded.get(facts.role, {}),
            troops=troops,
            rules=rules,
        )
        found += side.overlays()
    return replace(field, overlays=(*field.overlays, *found))


class _Waits(Struct, frozen=True, kw_only=True):
    """An element outside the board that has no position yet, and its depth in mm."""

    marcher: Marcher
    depth: float


class _Side(Struct, frozen=True, kw_only=True):
    """One side and the facts that place its columns. Lengths are mm, points as seen from the near edge."""

    role: Role
    army: Army | None
    edge: Edge
    field: Battlefield
    positions: Positions
    troops: Troops
    rules: Rules

    def overlays(self) -> Iterator[Overlay]:
        """Yield the elements on the board, column by column, and then those that wait."""
        beside: list[list[_Waits]] = []
        for number in COLUMNS:
            stood = list(self._stood(number))
            placed = [each for each in stood if isinstance(each, Marcher)]
            yield from (each.overlay for each in placed)
            if aside := [each for each in stood if isinstance(each, _Waits)]:
                beside.append(aside)
        yield from (each.waiting for each in self._beside(beside))

    def _stood(self, number: int) -> Iterator[Marcher | _Waits]:
        """Yield the elements of a column from front to rear, each with its position if it is on the board."""
        names = self.army.column(number) if self.army is not None else ()
        stands = self._recorded(number)
        own = () if stands else tuple(self._own(number, names))
        for place in range(max(len(names), len(stands))):
            name = names[place] if place < len(names) else ""
            depth = self._depth(name) if name else stands[place].depth * self._base
            ground = self._ground(stands[place]) if place < len(stands) else own[place] if place < len(own) else None
            looks = _looking(stands[place]) if place < len(stands) else _LOOKS[self.edge]
            bare = self._marcher(number, place + 1, name)
            if ground is not None and shapely.intersects(ground, self._board.shape.buffer(-_WHOLLY * self._base)):
                yield replace(bare, base=ground, facing=looks)
            else:
                yield _Waits(marcher=bare, depth=depth)

    def _recorded(self, number: int) -> tuple[ElementPosition, ...]:
        """Return the recorded positions of a column; those of a landing belong to the column that lands."""
        lands = LANDS if self.army is None or not self.army.landing else self.army.landing
        return self.positions.get(number) or (self.positions.get("landing", ()) if number == lands else ())

    def _own(self, number: int, names: Sequence[str]) -> Iterator[Any]:
        """Yield the bases of elements on the board at the start of the game, if no positions are recorded."""
        base, depths = self._base, [self._depth(name) for name in names]
        if number == 1 and depths:
            x = self._from_centre(_FIRST_ASIDE)
            least, line = self._inland(x)
            top = least + self.rules.length("column_box_bw_deep")
            front = min(top, max(line + plain_sum(depths), top - _WORDS * base))
            for depth in depths:
                # An element behind the base line waits outside, whatever the column consists of.
                if front - depth < line - _WHOLLY * base:
                    return
                yield self._placed(x, front, depth)
                front -= depth
        elif number == 2 and depths:
            x = self._from_centre(_SECOND_ASIDE)
            yield self._placed(x, self._inland(x)[1] + depths[0], depths[0])

    def _beside(self, columns: Sequence[Sequence[_Waits]]) -> Iterator[Marcher]:
        """Yield the waiting elements with positions: columns side by side, in several ranks if they are long."""
        base, side = self._base, self._board.width
        ranks: list[list[tuple[float, _Waits]]] = [[]]
        x = _BETWEEN * base
        for column in columns:
            for each in column:
                if x + base > side and ranks[-1]:
                    ranks.append([])
                    x = _BETWEEN * base
                ranks[-1].append((x, each))
                x += base
            x += _BETWEEN * base
        front = 0.0
        for rank in ranks:
            if not rank:
                continue
            first, last = rank[0][0] - _BETWEEN * base, rank[-1][0] + base
            by = (side - (last - first)) / 2 - first
            for at, each in rank:
                placed = self._placed(at + by + base / 2, front, each.depth)
                yield replace(each.marcher, base=placed, facing=_LOOKS[self.edge])
            front -= max(each.depth for _, each in rank) + _TAG * base

    def _marcher(self, number: int, place: int, name: str) -> Marcher:
        """Return an element without its position."""
        element = self._element(name)
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

    def _element(self, name: str) -> Element | None:
        elements = () if self.army is None or name == BAGGAGE else self.army.elements
        return next((each for each in elements if each.id == name), None)

    def _depth(self, name: str) -> float:
        assert self.army is not None
        return depth_of(self.army, name, self.troops, self.rules)

    def _placed(self, x: float, front: float, depth: float) -> Any:
        """Return a base by the middle of its front."""
        half = self._base / 2
        return rotate_to_edge(box(x - half, front - depth, x + half, front), self._board, self.edge)

    def _from_centre(self, aside: float) -> float:
        """Return a position ``aside`` base widths from the centre line; negative is left or low on the map."""
        sign = -1.0 if self.edge in (Edge.FAR, Edge.LEFT) else 1.0
        return self._board.width / 2 + sign * aside * self._base

    def _ground(self, stand: ElementPosition) -> Any:
        return shapely.transform(stand.ground, lambda points: points * self._base)

    def _inland(self, x: float) -> tuple[float, float]:
        """Return the least and greatest distance inland of the base line along an element's front (CC-2.9)."""
        half = self._base / 2
        points = line_points(self._board, self.edge, find_shore(self.field))
        found = [y for _, y in between(points, x - half, x + half)]
        return min(found), max(found)

    @property
    def _board(self) -> Board:
        return self.field.board

    @property
    def _base(self) -> float:
        return self._board.scale.base_width


def _looking(stand: ElementPosition) -> float:
    """Return the direction of an element in degrees, from the ends of its front."""
    across = (stand.right.x - stand.left.x, stand.right.y - stand.left.y)
    return (math.degrees(math.atan2(across[1], across[0])) + 90.0) % 360.0

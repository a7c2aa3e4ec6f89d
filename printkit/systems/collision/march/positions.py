"""Recorded positions of column elements, in base widths, and their check (CC-O11, CC-O12, 4.3)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct
from shapely import Polygon

from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.columns_check import Fault
from printkit.systems.collision.march.ground import Points, cut_line
from printkit.terrain.field.battlefield import Edge

_LOOSE: Final = 1e-6

_NUMBER: Final = r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?"
_ELEMENT: Final = re.compile(rf"({_NUMBER})\s*,\s*({_NUMBER})\s+({_NUMBER})\s*,\s*({_NUMBER})(?:\s+({_NUMBER}))?")
_LINE: Final = re.compile(r"(?P<role>[a-z]+)\s+(?P<column>[123]|landing)\s*:\s*(?P<elements>.+)")


class XY(NamedTuple):
    """A point in base widths."""

    x: float
    y: float


class ElementPosition(Struct, frozen=True, kw_only=True):
    """The position of an element: the left and right end of its front, from its view, and its depth.

    All are in base widths. Points are x and y on the board, or from the view of the side (``Base.view_point``).
    """

    left: XY
    right: XY
    depth: float

    @property
    def corners(self) -> tuple[XY, XY, XY, XY]:
        """Return the corners in base widths: front left, front right, rear right, rear left."""
        front_vector = (self.right.x - self.left.x, self.right.y - self.left.y)
        width = math.hypot(*front_vector)
        back = (front_vector[1] / width * self.depth, -front_vector[0] / width * self.depth)
        right = XY(self.right.x + back[0], self.right.y + back[1])
        return self.left, self.right, right, XY(self.left.x + back[0], self.left.y + back[1])

    @property
    def ground(self) -> Polygon:
        """Return the outline of the base of the element, in base widths."""
        return Polygon(self.corners)


class Base(Struct, frozen=True, kw_only=True):
    """A base edge of a square board of ``side`` base widths, with its shore if there is water.

    Attributes:
        shore: points by distance along the edge, from the left of a player who sits there, and distance inland.
    """

    side: float
    edge: Edge = Edge.NEAR
    shore: tuple[XY, ...] = ()

    def view_point(self, point: XY) -> XY:
        """Return a point from the view of the player at this edge: x from their left, y from the edge (CC-O).

        Points are in base widths. ``point`` is from the near left corner of the board.
        """
        side = self.side
        return {
            Edge.NEAR: point,
            Edge.FAR: XY(side - point.x, side - point.y),
            Edge.LEFT: XY(side - point.y, point.x),
            Edge.RIGHT: XY(point.y, side - point.x),
        }[self.edge]

    def line(self, x: float) -> float:
        """Return the distance from the edge to the base line at ``x`` along it, in base widths (CC-2.9)."""
        return cut_line(self.points, x, x)[0][1]

    def farthest_inland(self, first_end: XY, second_end: XY) -> float:
        """Return the greatest distance of a straight front from the base line, in base widths.

        It is at a corner of the front, or in front of a bay. It is negative if all of the front is outside the line.
        """
        start, end = sorted((first_end, second_end))
        slope = (end.y - start.y) / (end.x - start.x) if end.x > start.x else 0.0
        fronts = [(start.y + slope * (x - start.x)) - y for x, y in cut_line(self.points, start.x, end.x)]
        return max(*fronts, end.y - self.line(end.x))

    @property
    def points(self) -> Points:
        """Return the points of the base line in base widths, by distance along the edge."""
        return self.shore or ((0.0, 0.0), (self.side, 0.0))


# The elements of one side from front to rear, by column: 1 to 3, or ``landing``.
Positions = Mapping[int | str, tuple[ElementPosition, ...]]


def check_positions(positions: Positions, base: Base, rules: Rules, *, margin: float = 4.0) -> list[Fault]:
    """Return the faults in recorded positions of one side, column by column; empty if they are legal.

    Args:
        positions: of the columns of one side; missing columns are not checked.
        base: the side's base edge.
        rules: of the game.
        margin: how far from the side edges column 3 must enter, in base widths.
    """
    faults: list[Fault] = []
    first, second = _view_elements(positions.get(1, ()), base), _view_elements(positions.get(2, ()), base)
    if first:
        faults += _check_first(first, base, rules)
    if second:
        faults += _check_second(second, base, rules)
        ground = [element.ground for element in first]
        if any(second[0].ground.intersection(each).area > _LOOSE for each in ground):
            faults.append(Fault("CC-O12"))
    third = _view_elements(positions.get(3, ()), base)
    if third:
        faults += _check_third(third[0], base, rules, margin)
    landed_elements = _view_elements(positions.get("landing", ()), base)
    if landed_elements and not _is_landed(landed_elements, base, rules):
        faults.append(Fault("CC-6.4"))
    return faults


def _view_elements(elements: Sequence[ElementPosition], base: Base) -> tuple[ElementPosition, ...]:
    """Return positions in base widths from the view of the player at the base edge."""
    return tuple(
        ElementPosition(left=base.view_point(element.left), right=base.view_point(element.right), depth=element.depth)
        for element in elements
    )


def _check_first(elements: Sequence[ElementPosition], base: Base, rules: Rules) -> Iterator[Fault]:
    """Yield the faults in the positions of column 1, from the front (CC-2.2, CC-2.3, CC-O11).

    Lengths are in base widths; every element must be on the board.
    """
    lead = elements[0]
    far = base.farthest_inland(lead.left, lead.right)
    most = rules.number("column_box_bw_deep")
    if far > most + rules.book.slacks["column_box_bw_deep"]:
        yield Fault("CC-E31", {"d": round(far, 4), "most": most})
    yield from _check_centre_distance(1, (lead.left, lead.right), base, rules)
    if not all(_is_on_board(element, base) for element in elements):
        yield Fault("CC-Q05")


def _check_second(elements: Sequence[ElementPosition], base: Base, rules: Rules) -> Iterator[Fault]:
    """Yield the faults of the first element of column 2 (CC-2.4, CC-O12)."""
    lead = elements[0]
    is_complete = _is_on_board(lead, base)
    if not is_complete:
        yield Fault("CC-E33")
    yield from _check_centre_distance(2, lead.corners, base, rules)
    if is_complete and any(_is_off_line(corner, base, rules) for corner in lead.corners[2:]):
        yield Fault("CC-Q07")


def _check_third(lead: ElementPosition, base: Base, rules: Rules, margin: float) -> Iterator[Fault]:
    """Yield the faults of the entry of column 3 by its first element (CC-4.3, CC-4.4).

    ``margin`` is the smallest distance from the side edges, in base widths.
    """
    low, high = sorted((lead.left.x, lead.right.x))
    if low < margin - _LOOSE or high > base.side - margin + _LOOSE:
        yield Fault("CC-E34", {"low": low, "high": high, "a": margin, "b": base.side - margin})
    if _is_off_line(lead.left, base, rules) or _is_off_line(lead.right, base, rules):
        yield Fault("CC-4.4")


def _check_centre_distance(column: int, corners: Sequence[XY], base: Base, rules: Rules) -> Iterator[Fault]:
    """Yield a fault if a corner is too far from the centre line (CC-2.3, CC-2.4, CC-Q06).

    ``corners`` are those of the first element of ``column`` (1 or 2), in base widths.
    """
    far = max(abs(corner.x - base.side / 2) for corner in corners)
    most = rules.number("column_box_bw_aside")
    if far > most + rules.book.slacks["column_box_bw_aside"]:
        yield Fault("CC-E32", {"c": column, "d": round(far, 4), "most": most})


def _is_landed(elements: Sequence[ElementPosition], base: Base, rules: Rules) -> bool:
    """Return whether the rear of the last element, or a flank of all, touches the water (CC-6.4, CC-Q26)."""
    if not any(_is_off_line(corner, base, rules) for corner in elements[-1].corners[2:]):
        return True
    flanks = ((0, 3), (1, 2))
    touches = [[not _is_off_line(corner, base, rules) for corner in element.corners] for element in elements]
    return any(all(corner_touches[index] for corner_touches in touches for index in flank) for flank in flanks)


def _is_on_board(element: ElementPosition, base: Base) -> bool:
    """Return whether an element is completely on the board, inland of any water."""
    return all(
        base.line(corner.x) - _LOOSE <= corner.y <= base.side + _LOOSE and -_LOOSE <= corner.x <= base.side + _LOOSE
        for corner in element.corners
    )


def _is_off_line(point: XY, base: Base, rules: Rules) -> bool:
    """Return whether a point in base widths is off the base line by more than the tolerance."""
    return abs(point.y - base.line(point.x)) > rules.number("touch_bw_max")


def read_positions(lines: Sequence[str], place: str = "positions", *, depth: float = 0.75) -> dict[Role, Positions]:
    """Return the recorded positions of each side that has any, in base widths.

    Example: ``defender 1: 7,4 8,4 0.75; 7,3.25 8,3.25 0.75``.

    Args:
        lines: side and column, a colon, and the elements from front to rear separated by semicolons. An element has
            both ends of its front edge, its own left first, then its depth.
        place: the name of the list in messages.
        depth: of elements without a depth, in base widths.

    Raises:
        ScenarioError: a line cannot be parsed; the message quotes it.
    """
    positions_by_role: dict[Role, dict[int | str, tuple[ElementPosition, ...]]] = {}
    for number, line in enumerate(lines, 1):
        line_place = Sentence("{place}: line {number} {line!r}", place=place, number=number, line=line)
        match = _LINE.fullmatch(line.strip().lower())
        if match is None or match["role"] not in [each.value for each in Role]:
            raise ScenarioError(
                "{where} is not SIDE COLUMN: X,Y X,Y DEPTH; ...; write for example attacker 1: 8,11 7,11 0.75",
                where=line_place,
            )
        column = match["column"] if match["column"] == "landing" else int(match["column"])
        elements = tuple(_parse_element(text.strip(), line_place, depth) for text in match["elements"].split(";"))
        positions_by_role.setdefault(Role(match["role"]), {})[column] = elements
    return dict(positions_by_role)


def _parse_element(text: str, place: str, depth: float) -> ElementPosition:
    """Return the position in a text such as ``7,4 8,4 0.75``, in base widths.

    ``depth`` is the depth of an element without one. ``place`` is for messages.

    Raises:
        ScenarioError: the text cannot be parsed, or has no width or depth.
    """
    match = _ELEMENT.fullmatch(text)
    if match is None:
        raise ScenarioError(
            "{where}: {text!r} is not an element; write the corners of its front and its depth", where=place, text=text
        )
    values = [float(value) for value in match.groups()[:4]]
    element = ElementPosition(left=XY(*values[:2]), right=XY(*values[2:]), depth=float(match[5]) if match[5] else depth)
    if element.left == element.right or element.depth <= 0:
        raise ScenarioError("{where}: {text!r} has no width or no depth", where=place, text=text)
    return element

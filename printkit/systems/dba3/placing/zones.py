"""Base edges with the deployment zones of both sides (D3-55..D3-60), and the numbers of quarters (D3-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import shapely
from msgspec import Struct
from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.frame import Axis, Quarter, quarter, quarters_held
from printkit.terrain.field.battlefield import Board, Edge, Overlay

# --- The numbered quarters of a DBA 3 board: clockwise from the defender's left (D3-2) --------------------------------

# The quarters in the order of their numbers, from 1.
NUMBERED: Final = (Quarter.NEAR_LEFT, Quarter.FAR_LEFT, Quarter.FAR_RIGHT, Quarter.NEAR_RIGHT)

NUMBERS: Final = (1, 2, 3, 4)


def ground_of(board: Board, number: int) -> Polygon:
    """Return the quarter with this number."""
    return quarter(board, NUMBERED[number - 1])


def neighbours(number: int) -> tuple[int, int]:
    """Return the two quarters that share a side with a quarter, the next clockwise first."""
    return number % 4 + 1, (number - 2) % 4 + 1


def line_between(board: Board, one: int, other: int) -> tuple[str, float]:
    """Return the line between two neighbouring quarters, in the form ("x", mm) or ("y", mm)."""
    first, second = NUMBERED[one - 1], NUMBERED[other - 1]
    return ("y", board.depth / 2) if first.is_right == second.is_right else ("x", board.width / 2)


def both(board: Board, one: int, other: int) -> Polygon:
    """Return two neighbouring quarters as one rectangle."""
    return shapely.box(*shapely.union(ground_of(board, one), ground_of(board, other)).bounds)


def strip(board: Board, number: int, axis: Axis) -> Polygon:
    """Return the half of the board along an axis that contains a quarter: the band of a course there (D3-35)."""
    held = NUMBERED[number - 1]
    breadth = axis.breadth(board)
    high = held.is_far if axis is Axis.ACROSS else held.is_right
    return axis.belt(board, breadth / 2 if high else 0.0, breadth if high else breadth / 2)


def edges_of(number: int) -> tuple[Edge, Edge]:
    """Return the two board edges of a quarter, the near or far one first."""
    held = NUMBERED[number - 1]
    return (Edge.FAR if held.is_far else Edge.NEAR, Edge.RIGHT if held.is_right else Edge.LEFT)


def numbers_held(shape: BaseGeometry, board: Board, least: float = 0.0) -> tuple[int, ...]:
    """Return the numbers of the quarters with more than ``least`` of a shape: mm of a line, mm² of an area."""
    return tuple(sorted(NUMBERED.index(each) + 1 for each in quarters_held(shape, board, least)))


def numbers_of(shape: BaseGeometry, rules: Rules) -> tuple[int, ...]:
    """Return the numbers of the quarters that contain a feature: a course by its line, other features by their area."""
    assert rules.board is not None
    return numbers_held(shape, rules.board, rules.limit("held_area" if shape.area else "held_line"))


# The letters of the sides on their sheets: the side at the far edge is A.
DEFENDER: Final = "B"
INVADER: Final = "A"

OPPOSITE: Final[Mapping[Edge, Edge]] = {
    Edge.NEAR: Edge.FAR, Edge.FAR: Edge.NEAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT,
}  # fmt: skip


class Edges(Struct, frozen=True, kw_only=True):
    """The base edge of each side; ``warning`` is set if the requested edge is not legal."""

    defender: Edge
    warning: str = ""

    @property
    def invader(self) -> Edge:
        """Return the opposite edge (D3-55)."""
        return OPPOSITE[self.defender]


def base_edges(asked: str, water: Edge | None, dice: Dice) -> Edges:
    """Return the base edges from the setting or the invader's choice, never with water behind the defender (D3-56).

    Args:
        asked: ``auto`` means near, or far if the water is at the near edge; with ``choice`` the invader chooses.
        water: the edge along the waterway.
    """
    legal = [edge for edge in Edge if edge is not water]
    if asked == "choice":
        options = [OPPOSITE[edge].value for edge in legal]
        chosen = dice.choose(options, Sentence("base edge of the invader"), "D3-55", asks=True)
        return Edges(defender=OPPOSITE[Edge(chosen)])
    wanted = Edge.NEAR if asked == "auto" else Edge(asked)
    if wanted in legal:
        return Edges(defender=wanted)
    return Edges(
        defender=OPPOSITE[wanted],
        warning=""
        if asked == "auto"
        else Sentence(
            "the waterway is along the {wanted} edge, so the defender gets the {opposite} edge (D3-56)",
            wanted=wanted,
            opposite=OPPOSITE[wanted],
        ),
    )


def zone(board: Board, edge: Edge, *, from_centre: float, side: float) -> Polygon:
    """Return the deployment zone of a side: ``from_centre`` mm short of the middle, ``side`` mm from the sides."""
    left, near, right, far = 0.0, 0.0, board.width, board.depth
    match edge:
        case Edge.NEAR | Edge.FAR:
            deep = board.depth / 2 - from_centre
            low = near if edge is Edge.NEAR else far - deep
            return box(side, low, right - side, low + deep)
        case _:
            deep = board.width / 2 - from_centre
            low = left if edge is Edge.LEFT else right - deep
            return box(low, side, low + deep, far - side)


def letters(edges: Edges) -> dict[str, Edge]:
    """Return the base edges by the letters of the sides."""
    return {INVADER: edges.invader, DEFENDER: edges.defender}


def overlays(edges: Edges, rules: Rules) -> Iterator[Overlay]:
    """Yield the numbered quarters and each side's zones: for most troops, and for those of D3-59."""
    assert rules.board is not None
    board, base = rules.board, rules.board.scale.base_width
    for number in NUMBERS:
        yield Overlay(kind="quarters", shape=ground_of(board, number), label=str(number))
    from_centre = rules.length("zone_from_centre_bw")
    for side, edge in letters(edges).items():
        ground = zone(board, edge, from_centre=from_centre, side=rules.length("zone_side_bw"))
        deep = (board.depth / 2 - from_centre) / base
        yield Overlay(kind="deployment", shape=ground, label=f"{deep:g}", side=side)
        wide = zone(board, edge, from_centre=from_centre, side=rules.length("zone_side_bw_fast"))
        yield Overlay(kind="flank", shape=wide, label="", side=side)

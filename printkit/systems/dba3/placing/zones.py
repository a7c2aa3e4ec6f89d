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
from printkit.systems.dba.ground.frame import Axis, Quarter, find_quarters, quarter_area
from printkit.terrain.field.battlefield import Board, Edge, Overlay

# --- The numbered quarters of a DBA 3 board: clockwise from the defender's left (D3-2) --------------------------------

# The quarters in the order of their numbers, from 1.
NUMBERED_QUARTERS: Final = (Quarter.NEAR_LEFT, Quarter.FAR_LEFT, Quarter.FAR_RIGHT, Quarter.NEAR_RIGHT)

QUARTER_NUMBERS: Final = (1, 2, 3, 4)


def quarter_ground(board: Board, number: int) -> Polygon:
    """Return the quarter with this number (1 to 4) as a rectangle, in mm on the board.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """
    return quarter_area(board, NUMBERED_QUARTERS[number - 1])


def neighbour_numbers(number: int) -> tuple[int, int]:
    """Return the numbers, 1 to 4, of the two quarters next to a quarter, the next clockwise first.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """
    return number % 4 + 1, (number - 2) % 4 + 1


def dividing_line(board: Board, first_number: int, second_number: int) -> tuple[str, float]:
    """Return the line between two neighbouring quarters (numbers 1 to 4).

    It is ("x", mm on the board) if vertical, ("y", mm on the board) if horizontal. Quarters are 1 near left, 2 far
    left, 3 far right and 4 near right.
    """
    first, second = NUMBERED_QUARTERS[first_number - 1], NUMBERED_QUARTERS[second_number - 1]
    return ("y", board.depth / 2) if first.is_right == second.is_right else ("x", board.width / 2)


def joined_quarters(board: Board, first_number: int, second_number: int) -> Polygon:
    """Return two neighbouring quarters as one rectangle, in mm on the board.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """
    return shapely.box(*shapely.union(quarter_ground(board, first_number), quarter_ground(board, second_number)).bounds)


def quarter_strip(board: Board, number: int, axis: Axis) -> Polygon:
    """Return the half of the board along an axis that contains a quarter, in mm on the board (D3-35).

    It is the band for the centre line of a course in this quarter (1 to 4). Quarters are 1 near left, 2 far left, 3 far
    right and 4 near right.
    """
    quarter_name = NUMBERED_QUARTERS[number - 1]
    breadth = axis.breadth(board)
    is_high = quarter_name.is_far if axis is Axis.ACROSS else quarter_name.is_right
    return axis.edge_strip(board, breadth / 2 if is_high else 0.0, breadth if is_high else breadth / 2)


def quarter_edges(number: int) -> tuple[Edge, Edge]:
    """Return the two board edges of a quarter (1 to 4): first near or far, then left or right.

    Quarters are 1 near left, 2 far left, 3 far right and 4 near right.
    """
    quarter_name = NUMBERED_QUARTERS[number - 1]
    return (Edge.FAR if quarter_name.is_far else Edge.NEAR, Edge.RIGHT if quarter_name.is_right else Edge.LEFT)


def find_quarter_numbers(shape: BaseGeometry, board: Board, minimum: float = 0.0) -> tuple[int, ...]:
    """Return the numbers, 1 to 4, of the quarters with more than ``minimum`` of a shape; may be empty.

    ``minimum`` is in mm on the board for a line, in mm² for an area. Quarters are 1 near left, 2 far left, 3 far right
    and 4 near right.
    """
    return tuple(sorted(NUMBERED_QUARTERS.index(member) + 1 for member in find_quarters(shape, board, minimum)))


# The letters of the sides on their sheets: the side at the far edge is A.
DEFENDER: Final = "B"
INVADER: Final = "A"

OPPOSITE_EDGES: Final[Mapping[Edge, Edge]] = {
    Edge.NEAR: Edge.FAR, Edge.FAR: Edge.NEAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT,
}  # fmt: skip


class BaseEdges(Struct, frozen=True, kw_only=True):
    """The base edge of each side; ``warning`` is set if the requested edge is not legal."""

    defender: Edge
    warning: str = ""

    @property
    def invader(self) -> Edge:
        """Return the base edge of the invader, opposite the defender's (D3-55)."""
        return OPPOSITE_EDGES[self.defender]


def choose_base_edges(setting: str, water: Edge | None, dice: Dice) -> BaseEdges:
    """Return the base edges from the setting or the invader's choice (D3-55, D3-56).

    The defender's edge is never the one along the water. With another value, an edge, the defender gets it, or the
    opposite one with a warning if the water is there.

    Args:
        setting: ``auto`` means near, or far if the water is at the near edge; with ``choice`` the invader chooses.
        water: the edge along the waterway.
    """
    legal_edges = [edge for edge in Edge if edge is not water]
    if setting == "choice":
        options = [OPPOSITE_EDGES[edge].value for edge in legal_edges]
        invader_edge = dice.choose(options, Sentence("base edge of the invader"), "D3-55", asks=True)
        return BaseEdges(defender=OPPOSITE_EDGES[Edge(invader_edge)])
    wanted_edge = Edge.NEAR if setting == "auto" else Edge(setting)
    if wanted_edge in legal_edges:
        return BaseEdges(defender=wanted_edge)
    return BaseEdges(
        defender=OPPOSITE_EDGES[wanted_edge],
        warning=""
        if setting == "auto"
        else Sentence(
            "the waterway is along the {wanted} edge, so the defender gets the {opposite} edge (D3-56)",
            wanted=wanted_edge,
            opposite=OPPOSITE_EDGES[wanted_edge],
        ),
    )


def zone_area(board: Board, edge: Edge, *, from_centre: float, side: float) -> Polygon:
    """Return the deployment zone of a side as a rectangle in mm on the board, from its edge towards the middle.

    Args:
        board: the board.
        edge: the base edge of the side.
        from_centre: the distance in mm between the zone and the middle of the board.
        side: the distance in mm between the zone and the two edges next to the base edge.
    """
    left, near, right, far = 0.0, 0.0, board.width, board.depth
    match edge:
        case Edge.NEAR | Edge.FAR:
            depth = board.depth / 2 - from_centre
            start = near if edge is Edge.NEAR else far - depth
            return box(side, start, right - side, start + depth)
        case _:
            depth = board.width / 2 - from_centre
            start = left if edge is Edge.LEFT else right - depth
            return box(start, side, start + depth, far - side)


def edges_by_letter(edges: BaseEdges) -> dict[str, Edge]:
    """Return the base edges by the letters of the sides, the invader's first."""
    return {INVADER: edges.invader, DEFENDER: edges.defender}


def quarter_overlays(board: Board) -> Iterator[Overlay]:
    """Yield the numbered quarters of a board as overlays."""
    for number in QUARTER_NUMBERS:
        yield Overlay(kind="quarters", shape=quarter_ground(board, number), label=str(number))


def make_overlays(edges: BaseEdges, rules: Rules) -> Iterator[Overlay]:
    """Yield the numbered quarters and each side's zones: for most troops, and for those of D3-59.

    Shapes are in mm on the board. The label of a deployment zone is its depth in base widths. The rules must have a
    board. The order is: quarters, then zone and flank zone of each side.
    """
    assert rules.board is not None
    board, base = rules.board, rules.board.scale.base_width
    yield from quarter_overlays(board)
    from_centre = rules.length("zone_from_centre_bw")
    for side, edge in edges_by_letter(edges).items():
        zone_ground = zone_area(board, edge, from_centre=from_centre, side=rules.length("zone_side_bw"))
        depth_bw = (board.depth / 2 - from_centre) / base
        yield Overlay(kind="deployment", shape=zone_ground, label=f"{depth_bw:g}", side=side)
        flank_zone = zone_area(board, edge, from_centre=from_centre, side=rules.length("zone_side_bw_fast"))
        yield Overlay(kind="flank", shape=flank_zone, label="", side=side)


def build_deployment_facts(edges: BaseEdges) -> dict[str, str]:
    """Return both base edges, and who deploys and moves first, ready for the JSON record (D3-55, D3-66)."""
    return {
        "defender": DEFENDER,
        "invader": INVADER,
        "defender_edge": edges.defender.value,
        "invader_edge": edges.invader.value,
        "deploys_first": DEFENDER,
        "moves_first": INVADER,
    }

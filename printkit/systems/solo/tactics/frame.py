"""The board as one side sees it: along its base edge from left to right, and away from it towards the enemy."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from shapely import Polygon, box
from shapely.affinity import affine_transform
from shapely.geometry.base import BaseGeometry

from printkit.systems.solo.armies.procedures import number
from printkit.terrain.field.battlefield import Board, Edge

Shape = TypeVar("Shape", bound=BaseGeometry)


class SideFrame(Struct, frozen=True):
    """Coordinates in mm of the side whose base edge this is: x along it from its left, y towards the enemy."""

    board: Board
    edge: Edge

    @property
    def width(self) -> float:
        """Return the length of the base edge."""
        return self.board.width if self.edge in (Edge.NEAR, Edge.FAR) else self.board.depth

    @property
    def depth(self) -> float:
        """Return the way to the enemy's edge."""
        return self.board.depth if self.edge in (Edge.NEAR, Edge.FAR) else self.board.width

    @property
    def facing(self) -> float:
        """Return where the side looks: degrees anticlockwise from +x of the board."""
        return {Edge.NEAR: 90.0, Edge.FAR: 270.0, Edge.LEFT: 0.0, Edge.RIGHT: 180.0}[self.edge]

    def seen(self, shape: BaseGeometry) -> BaseGeometry:
        """Return a shape of the board in this side's coordinates."""
        width, depth = self.board.width, self.board.depth
        match self.edge:
            case Edge.NEAR:
                return shape
            case Edge.FAR:
                return affine_transform(shape, [-1, 0, 0, -1, width, depth])
            case Edge.LEFT:
                return affine_transform(shape, [0, -1, 1, 0, depth, 0])
            case Edge.RIGHT:
                return affine_transform(shape, [0, 1, -1, 0, 0, width])

    def on_board(self, along: float, away: float) -> tuple[float, float]:
        """Return a place of this side's coordinates on the board."""
        width, depth = self.board.width, self.board.depth
        match self.edge:
            case Edge.NEAR:
                return along, away
            case Edge.FAR:
                return width - along, depth - away
            case Edge.LEFT:
                return away, depth - along
            case Edge.RIGHT:
                return width - away, along

    @property
    def zone_depth(self) -> float:
        """Return the depth of the deployment zone (0.4)."""
        return self.board.paces(number("zone_depth"))

    def zone(self) -> Polygon:
        """Return the deployment zone: the whole width, 600 p deep."""
        return box(0, 0, self.width, self.zone_depth)

    def middle(self, fraction: float = 0.5) -> tuple[float, float]:
        """Return from where to where the middle of the width runs; by default its two middle quarters."""
        side = self.width * (1 - fraction) / 2
        return side, self.width - side

    def flank(self, *, left: bool) -> tuple[float, float]:
        """Return from where to where the outer quarter on one hand runs."""
        low, high = self.middle()
        return (0.0, low) if left else (high, self.width)

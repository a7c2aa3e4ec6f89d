"""Elements of marching columns among the overlays of a battlefield: on the board, or waiting beyond its edge (CC-O08).

The outline of an overlay is the base itself. Its label says the rest, parted by tabs: number of the column, place in
it, where the element looks, code of its type, name of its symbol, a star for the general, and its name in the army.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.terrain.field.battlefield import Battlefield, Overlay

MARCHING: Final = "column-element"
WAITING: Final = "column-waiting"
"""The kinds of overlays: on the board, and beyond its edge."""

UP: Final = 90.0
"""Where somebody at the near edge looks; degrees anticlockwise from the right."""

_STAR: Final = "*"


class Marcher(Struct, frozen=True, kw_only=True):
    """An element of a column: its base in mm, and all that is lettered on it or beside it.

    ``place`` counts from 1 at the lead; ``symbol`` is empty where the type has none; ``side`` is A or B.
    """

    base: Polygon
    side: str
    column: int
    place: int
    facing: float
    code: str = ""
    symbol: str = ""
    general: bool = False
    name: str = ""

    @property
    def overlay(self) -> Overlay:
        """Return it as an overlay, on the board."""
        return self._as(MARCHING)

    @property
    def waiting(self) -> Overlay:
        """Return it as an overlay, beyond the edge."""
        return self._as(WAITING)

    @property
    def ahead(self) -> tuple[float, float]:
        """Return the direction in which it looks, one mm long."""
        return _unit(self.facing)

    @property
    def right(self) -> tuple[float, float]:
        """Return the direction of its right, one mm long."""
        return _unit(self.facing - UP)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the middle of its base."""
        return self.base.centroid.x, self.base.centroid.y

    @property
    def width(self) -> float:
        """Return the length of its front in mm."""
        return _along(self.base, self.right)

    @property
    def depth(self) -> float:
        """Return the depth of its base in mm."""
        return _along(self.base, self.ahead)

    def _as(self, kind: str) -> Overlay:
        star = _STAR if self.general else ""
        said = (str(self.column), str(self.place), f"{self.facing:.6g}", self.code, self.symbol, star, self.name)
        return Overlay(kind=kind, shape=self.base, label="\t".join(said), side=self.side)


def marching(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns on the board, in their order."""
    return _of(field, MARCHING)


def waiting(field: Battlefield) -> tuple[Marcher, ...]:
    """Return the elements of columns beyond the edges, in their order."""
    return _of(field, WAITING)


def has_columns(field: Battlefield) -> bool:
    """Return whether an element of a column stands on the board."""
    return any(overlay.kind == MARCHING for overlay in field.overlays)


def column_ground(field: Battlefield, about: float) -> BaseGeometry:
    """Return where columns stand on the board with ``about`` mm around them for what is lettered beside them."""
    ground: BaseGeometry = shapely.union_all([each.base for each in marching(field)]).buffer(about, join_style="mitre")
    return ground


def _of(field: Battlefield, kind: str) -> tuple[Marcher, ...]:
    return tuple(_read(overlay) for overlay in field.overlays if overlay.kind == kind)


def _read(overlay: Overlay) -> Marcher:
    column, place, facing, code, symbol, star, name = overlay.label.split("\t")
    assert isinstance(overlay.shape, Polygon)
    return Marcher(
        base=overlay.shape,
        side=overlay.side,
        column=int(column),
        place=int(place),
        facing=float(facing),
        code=code,
        symbol=symbol,
        general=star == _STAR,
        name=name,
    )


def _along(base: Polygon, direction: tuple[float, float]) -> float:
    reached = shapely.get_coordinates(base) @ np.array(direction)
    return float(reached.max() - reached.min())


def _unit(degrees: float) -> tuple[float, float]:
    radians = np.radians(degrees)
    return float(np.cos(radians)), float(np.sin(radians))

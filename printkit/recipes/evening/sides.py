"""The sides of a game as a record tells them: who sits at which edge, and up to where he deploys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import shapely
from msgspec import Struct

from printkit.drawing.map.overlays import DEPLOYMENT, of_kind, side_token
from printkit.terrain.field.battlefield import Battlefield, Edge, Overlay
from printkit.terrain.field.record import Record

YOU: Final = "you"
"""The side of the person who plays a solo game."""

_PLACES: Final = (("A", Edge.FAR), ("B", Edge.NEAR))
_SOLO: Final = ("solo-dba",)
"""Rule systems in which one person plays against none."""

_TOKENS: Final = {"A": "side-blue", "B": "side-red"}


class Side(Struct, frozen=True, kw_only=True):
    """One side: its name, the edge at which it sits, its ink, and the ground on which it deploys, if rules bound it."""

    name: str
    edge: Edge
    token: str
    ground: Overlay | None = None

    @property
    def solo(self) -> bool:
        """Return whether this is the person of a solo game."""
        return self.name.lower() == YOU

    @property
    def folder(self) -> str:
        """Return the folder that is handed to this side: ``player-a``, in a solo game ``you``."""
        return YOU if self.solo else f"player-{_plain(self.name)}"

    def depth(self, field: Battlefield) -> float | None:
        """Return how deep in mm this side deploys from its edge; None where no ground is bounded."""
        if self.ground is None:
            return None
        left, near, right, far = (float(value) for value in self.ground.shape.bounds)
        board = field.board
        match self.edge:
            case Edge.NEAR:
                return far
            case Edge.FAR:
                return board.depth - near
            case Edge.LEFT:
                return right
            case Edge.RIGHT:
                return board.width - left


class Order(Struct, frozen=True):
    """Who deploys first and who has the first bound, by the names of the sides; empty where it is not settled."""

    deploys_first: str = ""
    moves_first: str = ""


def sides_of(field: Battlefield) -> tuple[Side, ...]:
    """Return the sides for which the rules mark ground to deploy on, else A at the far edge and B at the near one."""
    marked = [overlay for overlay in of_kind(field, DEPLOYMENT) if overlay.side]
    found = {
        overlay.side: Side(
            name=overlay.side, edge=_edge(overlay, field), token=side_token(overlay, field.board), ground=overlay
        )
        for overlay in marked
    }
    if found:
        return tuple(found[name] for name in sorted(found))
    return tuple(Side(name=name, edge=edge, token=_TOKENS[name]) for name, edge in _PLACES)


def sides_in(record: Record) -> tuple[Side, ...]:
    """Return the sides of a record: of a solo game the person alone, who sits near while terrain is laid."""
    if record.rules in _SOLO:
        return (Side(name=YOU, edge=Edge.NEAR, token=_TOKENS["B"]),)
    return sides_of(record.battlefield)


def others(side: Side, sides: Sequence[Side]) -> tuple[Side, ...]:
    """Return the other sides."""
    return tuple(each for each in sides if each.name != side.name)


def order_of(record: Record) -> Order:
    """Return the order of deployment and of the first bound, where the rule system throws for it."""
    stated = record.details.get("deployment")
    facts: dict[str, Any] = dict(stated) if isinstance(stated, dict) else {}
    return Order(str(facts.get("deploys_first") or ""), str(facts.get("moves_first") or ""))


def _edge(overlay: Overlay, field: Battlefield) -> Edge:
    """Return the edge to which a deployment area lies nearest."""
    middle = overlay.shape.centroid
    return min(Edge, key=lambda edge: float(shapely.distance(field.board.edge(edge), middle)))


def _plain(name: str) -> str:
    """Return a name as the name of a file has it."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())

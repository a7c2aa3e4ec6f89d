"""The sheets of one side, turned to its own edge; and the sides of a game as its record tells them.

A side's document is made of what everybody may see once the field lies on the table. It never names the seed, for from
the seed anybody could play the game again and look at what was thrown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import shapely
from msgspec import Struct

from printkit.content.prose import Bullets
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.forms.player_view import EdgeNote, own_side
from printkit.drawing.map.overlays import DEPLOYMENT, of_kind, side_token
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, NewPage
from printkit.page.sheet import Page
from printkit.recipes.evening.reference import field_key
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.handout import Handout, Measures
from printkit.terrain.field.battlefield import Battlefield, Edge, Overlay
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import edge_after, turned

# --- The sides of a game as a record tells them: who sits at which edge, and up to where he deploys -------------------

YOU: Final = "you"
"""The side of the person who plays a solo game."""

_PLACES: Final = (("A", Edge.FAR), ("B", Edge.NEAR))
_SOLO: Final = ("solo-dba",)
"""Rule systems in which one person plays against none."""

_TOKENS: Final = {"A": "side-blue", "B": "side-red"}


class PlayerSide(Struct, frozen=True, kw_only=True):
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
        reach = {Edge.NEAR: far, Edge.FAR: board.depth - near, Edge.LEFT: right, Edge.RIGHT: board.width - left}
        return reach[self.edge]


class TurnOrder(Struct, frozen=True):
    """Who deploys first and who has the first bound, by the names of the sides; empty where it is not settled."""

    deploys_first: str = ""
    moves_first: str = ""


def sides_of(field: Battlefield) -> tuple[PlayerSide, ...]:
    """Return the sides for which the rules mark ground to deploy on, else A at the far edge and B at the near one."""
    marked = [overlay for overlay in of_kind(field, DEPLOYMENT) if overlay.side]
    found = {
        overlay.side: PlayerSide(
            name=overlay.side, edge=_edge(overlay, field), token=side_token(overlay, field.board), ground=overlay
        )
        for overlay in marked
    }
    if found:
        return tuple(found[name] for name in sorted(found))
    return tuple(PlayerSide(name=name, edge=edge, token=_TOKENS[name]) for name, edge in _PLACES)


def sides_in(record: Record) -> tuple[PlayerSide, ...]:
    """Return the sides of a record: of a solo game the person alone, who sits near while terrain is laid."""
    if record.rules in _SOLO:
        return (PlayerSide(name=YOU, edge=Edge.NEAR, token=_TOKENS["B"]),)
    return sides_of(record.battlefield)


def others(side: PlayerSide, sides: Sequence[PlayerSide]) -> tuple[PlayerSide, ...]:
    """Return the other sides."""
    return tuple(each for each in sides if each.name != side.name)


def order_of(record: Record) -> TurnOrder:
    """Return the order of deployment and of the first bound, where the rule system throws for it."""
    stated = record.details.get("deployment")
    facts: dict[str, Any] = dict(stated) if isinstance(stated, dict) else {}
    return TurnOrder(str(facts.get("deploys_first") or ""), str(facts.get("moves_first") or ""))


def _edge(overlay: Overlay, field: Battlefield) -> Edge:
    """Return the edge to which a deployment area lies nearest."""
    middle = overlay.shape.centroid
    return min(Edge, key=lambda edge: float(shapely.distance(field.board.edge(edge), middle)))


def _plain(name: str) -> str:
    """Return a name as the name of a file has it."""
    return "".join(letter if letter.isalnum() else "-" for letter in name.lower())


_MAP_SHARE: Final = 0.76
_TALL: Final = 0.55
"""The share of a page from which on a map leaves no room for the key below it."""


def player_pages(
    handout: Handout, side: PlayerSide, sides: Sequence[PlayerSide], reference: Sequence[Content], *, origin: str
) -> tuple[Page, ...]:
    """Return the document of a side.

    Args:
        handout: the record, and how it is printed.
        side: for whom.
        sides: all of them.
        reference: what stands behind the key: the legend, and the decks for reference.
        origin: the line at the foot, which must not name the seed.

    Raises:
        PageError: the paper is too small.
    """
    title = side_title(handout, side)
    contents = (*_contents(handout, side, sides), *reference)
    return handout.leaflet(title, contents, subtitle=handout.title, origin=origin)


def side_title(handout: Handout, side: PlayerSide) -> str:
    """Return what the sheets of a side are called."""
    key = "handouts.player.title-you" if side.solo else "handouts.player.title"
    return handout.words(key, side=side.name)


def _key(handout: Handout, name: str) -> str:
    """Return the key of a text: the rule system's own where it has one."""
    own = f"handouts.player.{handout.system.name}.{name}"
    return own if handout.words.each()[0].has(own) else f"handouts.player.{name}"


def _contents(handout: Handout, side: PlayerSide, sides: Sequence[PlayerSide]) -> Iterator[Content]:
    field = turned(handout.record.battlefield, side.edge)
    shown = _map(field, handout, side, sides)
    yield Figure(shown)
    yield Bullets(tuple(_facts(handout, side, sides)))
    if shown.height > _TALL * handout.size()[1]:
        yield NewPage()
    yield from field_key(field, handout.words)


def _map(field: Battlefield, handout: Handout, side: PlayerSide, sides: Sequence[PlayerSide]) -> Drawing:
    words = handout.words
    width, height = handout.size()
    enemy = others(side, sides)
    across = next((each for each in enemy if edge_after(each.edge, side.edge) is Edge.FAR), None)
    facing = words(_key(handout, "opposite"))
    if across is not None and not side.solo:
        facing = words("handouts.player.other", side=across.name)
    return own_side(
        field,
        width,
        _MAP_SHARE * height,
        Drafter.map(handout.style, words, handout.jitter),
        own=EdgeNote(in_each(words, lambda one: one(_key(handout, "own"), edge=one(f"edge.{side.edge}"))), side.token),
        enemy=EdgeNote(facing, across.token if across is not None else "ink"),
        north=edge_after(Edge.FAR, side.edge),
    )


def _facts(handout: Handout, side: PlayerSide, sides: Sequence[PlayerSide]) -> Iterator[str]:
    """Yield what a side has to know before the first bound, a sentence or two each."""
    for words in handout.words.each():
        yield words(_key(handout, "welcome"))
        enemy = others(side, sides)
        if handout.style.washes and len(enemy) == 1:
            yield words(
                "handouts.player.colours",
                own=words(f"handouts.colour.{side.token}"),
                other=words(f"handouts.colour.{enemy[0].token}"),
                side=enemy[0].name,
            )
        depth = side.depth(handout.record.battlefield)
        if depth is None:
            yield words(_key(handout, "no-zone"))
        else:
            yield words("handouts.player.zone", depth=Measures(words).flat(depth))
        order = order_of(handout.record)
        if order.deploys_first and enemy:
            first = order.deploys_first == side.name
            other = enemy[0].name if first else order.deploys_first
            yield words(f"handouts.player.deploys-{'first' if first else 'second'}", side=other)
        if order.moves_first and enemy:
            moves = order.moves_first == side.name
            yield words(f"handouts.player.moves-{'first' if moves else 'second'}", side=order.moves_first)

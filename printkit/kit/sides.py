"""Who is who in a game: the sides that a rule book lists, what a record tells of each, and how their lines are drawn.

Whatever names a side takes it from here: its name and role are words of ``sides``, its usual edge a row of the book's
``[rows] sides``, its colour and stroke those of its letter, so that a map, a tracker and a card cannot call one player
two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import shapely
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.words import BETWEEN, Words
from printkit.kit.registry import added
from printkit.terrain.field.battlefield import Battlefield, Edge, Overlay

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook
    from printkit.terrain.field.record import Record

DEPLOYMENT: Final = "deployment"
"""The kind of overlay that is the ground on which a side deploys."""

YOU: Final = "YOU"
"""The side of the person who plays a solo game."""

# --- How the lines of a side are drawn, on whatever sheet -------------------------------------------------------------


class SideLook(Struct, frozen=True):
    """The ink of a side, and whether its lines are broken: so the sides differ in one colour as well."""

    ink: str
    broken: bool

    @property
    def line(self) -> str:
        """Return what its lines are called."""
        return "broken" if self.broken else "whole"

    def dash(self, usual: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return the dashes of a line of this side, in mm at 1:1, where another side has the ``usual`` ones.

        A whole line breaks up; in a line of dashes a short one follows each long one.
        """
        if not self.broken:
            return usual
        if not usual:
            return _BROKEN
        stroke, gap = usual[0], usual[1]
        return (stroke, gap / 2, stroke / 4, gap / 2, *usual[2:])


_BROKEN: Final = (5.0, 1.8)
_BLUE: Final = SideLook("side-blue", broken=True)
_RED: Final = SideLook("side-red", broken=False)
_LOOKS: Final[Mapping[str, SideLook]] = {"A": _BLUE, "B": _RED, "YOU": _BLUE, "NPG": _RED}


def look_of(name: str, *, far: bool = False) -> SideLook:
    """Return how the lines of a side are drawn; of one without a name by the half of the board on which it is."""
    return _LOOKS.get(name, _BLUE if far else _RED)


# --- The sides of a game ----------------------------------------------------------------------------------------------


class ToldSide(Struct, frozen=True, kw_only=True):
    """What a record tells of a side; what is None or empty it does not tell.

    ``army`` is a name, or the key of a word. ``shore``: the water lies along its edge, and the shore is its base line.
    """

    edge: Edge | None = None
    role: str = ""
    army: str = ""
    shore: bool = False


class PlayerSide(Struct, frozen=True, kw_only=True):
    """One side of a game: its name in records, its role, army and base edge, and the ground on which it deploys.

    ``person`` tells whether somebody plays it, who gets sheets of his own; ``edge`` is None while no rule and no die
    has settled it.
    """

    name: str
    edge: Edge | None = None
    role: str = ""
    army: str = ""
    shore: bool = False
    person: bool = True
    ground: Overlay | None = None

    @property
    def look(self) -> SideLook:
        """Return how its lines are drawn."""
        return look_of(self.name, far=self.edge is Edge.FAR)

    @property
    def solo(self) -> bool:
        """Return whether this is the person of a solo game."""
        return self.name == YOU

    @property
    def folder(self) -> str:
        """Return the folder that is handed to this side: ``player-a``, in a solo game ``you``."""
        plain = "".join(letter if letter.isalnum() else "-" for letter in self.name.lower())
        return plain if self.solo else f"player-{plain}"

    def depth(self, field: Battlefield) -> float | None:
        """Return how deep in mm this side deploys from its edge; None where no ground is bounded."""
        if self.ground is None or self.edge is None:
            return None
        left, near, right, far = (float(value) for value in self.ground.shape.bounds)
        board = field.board
        reach = {Edge.NEAR: far, Edge.FAR: board.depth - near, Edge.LEFT: right, Edge.RIGHT: board.width - left}
        return reach[self.edge]


_PLAIN: Final = (PlayerSide(name="A", edge=Edge.FAR), PlayerSide(name="B", edge=Edge.NEAR))
"""The sides of rules that list none: A lays the board out at its upper edge."""


def sides_of(record: Record, book: RuleBook) -> tuple[PlayerSide, ...]:
    """Return the sides of a game in the order of the book.

    Raises:
        BookError: a row of the book is wrong.
    """
    tell = added(record.rules, "sides")
    return sides_told(book, {} if tell is None else tell(record), record.battlefield)


def has_players(sides: Iterable[PlayerSide]) -> bool:
    """Return whether a record tells of its players: where one deploys, or a role or an army."""
    return any(side.ground is not None or side.role or side.army for side in sides)


def sides_told(
    book: RuleBook, told: Mapping[str, ToldSide], field: Battlefield | None = None
) -> tuple[PlayerSide, ...]:
    """Return the sides of a book in its order, with what is told of each by its name; ``field`` where there is one.

    Raises:
        BookError: a row of the book is wrong.
    """
    return tuple(_side(usual, told.get(usual.name, ToldSide()), field) for usual in _listed(book))


def _listed(book: RuleBook) -> Iterable[PlayerSide]:
    """Yield the sides of a book as it lists them."""
    if "sides" not in book.rows:
        yield from _PLAIN
        return
    for row in book.own("sides"):
        row.only("name", "edge", "role", "person", "clause")
        edge = row.get("edge", str, "")
        yield PlayerSide(
            name=row.need("name", str),
            edge=Edge(edge) if edge else None,
            role=row.get("role", str, ""),
            person=row.get("person", bool, True),
        )


def _side(usual: PlayerSide, told: ToldSide, field: Battlefield | None) -> PlayerSide:
    """Return a side of one game: as told, else by the ground that is marked for it, else as usual."""
    overlays = () if field is None else field.overlays
    marked = next((each for each in overlays if each.kind == DEPLOYMENT and each.side == usual.name), None)
    edge = told.edge or (usual.edge if field is None or marked is None else _edge(marked, field))
    return replace(usual, edge=edge, role=told.role or usual.role, army=told.army, shore=told.shore, ground=marked)


def _edge(overlay: Overlay, field: Battlefield) -> Edge:
    """Return the edge to which a deployment area lies nearest."""
    middle = overlay.shape.centroid
    return min(Edge, key=lambda edge: float(shapely.distance(field.board.edge(edge), middle)))


# --- What a side is called --------------------------------------------------------------------------------------------


def named(side: PlayerSide, words: Words) -> str:
    """Return the name of a side as a title in one language: ``Player A``."""
    return words(f"sides.name.{side.name}") if words.has(f"sides.name.{side.name}") else side.name


def mentioned(side: PlayerSide, words: Words) -> str:
    """Return the name of a side within a sentence in one language: ``player A``."""
    return words(f"sides.said.{side.name}") if words.has(f"sides.said.{side.name}") else side.name


def role_of(side: PlayerSide, words: Words) -> str:
    """Return the role of a side in one language, or an empty text where there is none."""
    return words(f"sides.role.{side.role}") if side.role else ""


def army_of(side: PlayerSide, words: Words) -> str:
    """Return the name of a side's army in one language, or an empty text where it is not known."""
    return words(side.army) if side.army and words.has(side.army) else side.army


def unbracketed(name: str) -> str:
    """Return a name for a place within brackets: ``Anglo-Norman, Marcher``."""
    return name.replace(" (", ", ").replace(")", "")


def titled(side: PlayerSide, words: Words) -> str:
    """Return name, role and army of a side in one language: ``Player B, defender (Us)``."""
    role, army = role_of(side, words), army_of(side, words)
    if role and army:
        army = unbracketed(army)
    key = "both" if role and army else "role" if role else "army" if army else "plain"
    return words(f"sides.who.{key}", name=named(side, words), role=role, army=army)


def marked(side: PlayerSide, words: Words) -> str:
    """Return what stands beside the ground of a side at the edge of a map: ``Deployment B (defender)``."""
    role = role_of(side, words)
    short = words(f"sides.short.{side.name}") if words.has(f"sides.short.{side.name}") else side.name
    return words(f"sides.mark.{'role' if role else 'plain'}", name=short, role=role)


def who_line(side: PlayerSide, words: Words, *, colours: bool) -> str:
    """Return in one language who a side is: name, role, army, colour, line and edge.

    Args:
        side: of the game.
        words: one language.
        colours: whether the sheet is printed in colours.
    """
    edge = words("sides.edge-open") if side.edge is None else words(f"edge.{side.edge}")
    if side.shore:
        edge = words("sides.edge-shore", edge=edge)
    key = "line" if colours else "line-plain"
    colour, line = words(f"sides.colour.{side.look.ink}"), words(f"sides.{side.look.line}")
    return words(f"sides.{key}", who=titled(side, words), colour=colour, line=line, edge=edge)


def who_lines(sides: Iterable[PlayerSide], words: Words, *, colours: bool) -> tuple[str, ...]:
    """Return a line a language that says who every side is, for the foot of a sheet."""
    listed = tuple(sides)
    return tuple(BETWEEN.join(who_line(side, one, colours=colours) for side in listed) for one in words.each())


def who_rows(sides: Iterable[PlayerSide], words: Words, *, colours: bool) -> tuple[str, ...]:
    """Return who is who in one row, from the longest text to the shortest, for a place of which the room is not known.

    In all languages; in the first; there without armies; and without roles.
    """
    listed = tuple(sides)
    first = words.each()[0]
    nameless = tuple(replace(side, army="") for side in listed)
    bare = tuple(replace(side, role="") for side in nameless)
    every = BETWEEN.join(who_lines(listed, words, colours=colours))
    shorter = (who_lines(each, first, colours=colours)[0] for each in (listed, nameless, bare))
    return tuple(dict.fromkeys((every, *shorter)))

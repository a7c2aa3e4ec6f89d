"""The sides of a game: their names, roles, armies, edges, colours and line styles.

All sheets take the name of a side from here, so a map, a tracker and a card always agree. Names and roles are texts
of ``sides``; the default edge is in ``[rows] sides`` of the rule book; colour and line style depend on the letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import shapely
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.words import SEPARATOR, Words
from printkit.kit.book_file import BookEntry
from printkit.kit.registry import load_plugin_field
from printkit.kit.rules import PLAYERS_KEY, split_players
from printkit.terrain.field.battlefield import Battlefield, Edge, Overlay

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook
    from printkit.terrain.field.record import Record

# The kind of the overlay for the deployment area of a side.
DEPLOYMENT: Final = "deployment"

# The side of the player in a solo game.
YOU: Final = "YOU"

# --- The line style of a side -----------------------------------------------------------------------------------------


class SideLook(Struct, frozen=True):
    """The ink of a side, and whether its lines are dashed, so that the sides also differ in monochrome."""

    ink: str
    is_dashed: bool

    @property
    def line(self) -> str:
        """Return the last part of the text key of the line style: ``broken`` if dashed, ``whole`` if solid."""
        return "broken" if self.is_dashed else "whole"

    def dash(self, default_dashes: tuple[float, ...] = ()) -> tuple[float, ...]:
        """Return the dash pattern of a line of this side, in mm at 1:1; empty for a solid line.

        It has the lengths of stroke and gap in turn. ``default_dashes`` is the pattern of an ordinary line, empty for a
        solid one. A side with solid lines uses that pattern unchanged. If this side has dashed lines, a solid line
        becomes dashed, and a dashed line gets a short dash after each long one.
        """
        if not self.is_dashed:
            return default_dashes
        if not default_dashes:
            return _DASHES
        stroke, gap = default_dashes[0], default_dashes[1]
        return (stroke, gap / 2, stroke / 4, gap / 2, *default_dashes[2:])


_DASHES: Final = (5.0, 1.8)
_BLUE: Final = SideLook("side-blue", is_dashed=True)
_RED: Final = SideLook("side-red", is_dashed=False)
_LOOKS: Final[Mapping[str, SideLook]] = {"A": _BLUE, "B": _RED, "YOU": _BLUE, "NPG": _RED}


def find_look(name: str, *, far: bool = False) -> SideLook:
    """Return the colour and line style of a side by its name.

    A side without a known name gets that of its half of the board: blue if ``far`` is true, for the far half, otherwise
    red.
    """
    return _LOOKS.get(name, _BLUE if far else _RED)


# --- The sides of a game ----------------------------------------------------------------------------------------------


class RecordedSide(Struct, frozen=True, kw_only=True):
    """The facts about a side in a record; None or empty if the record does not contain them.

    ``army`` is a name, or the key of a text. ``shore``: the water is along its edge, and the shore is its base edge.
    """

    edge: Edge | None = None
    role: str = ""
    army: str = ""
    shore: bool = False


class PlayerSide(Struct, frozen=True, kw_only=True):
    """One side of a game: its name in records, role, army, base edge and deployment area.

    ``is_player`` is true if a player plays it, who then gets their own sheets; ``player`` is their name, if known.
    Until a rule or roll decides it, the edge has the value None.
    """

    name: str
    edge: Edge | None = None
    role: str = ""
    army: str = ""
    shore: bool = False
    is_player: bool = True
    player: str = ""
    ground: Overlay | None = None

    @property
    def look(self) -> SideLook:
        """Return the colour and line style of the side; see ``find_look``."""
        return find_look(self.name, far=self.edge is Edge.FAR)

    @property
    def solo(self) -> bool:
        """Return whether this side is the player of a solo game."""
        return self.name == YOU

    @property
    def folder(self) -> str:
        """Return the folder name for this side: ``player-a``, or ``you`` in a solo game.

        It has small letters, and a hyphen for each character that is not a letter or digit.
        """
        slug = "".join(letter if letter.isalnum() else "-" for letter in self.name.lower())
        return slug if self.solo else f"player-{slug}"

    def depth(self, field: Battlefield) -> float | None:
        """Return the depth of the deployment area from the base edge to its far side, in mm on the board.

        Without a deployment area or a base edge the result has the value None.
        """
        if self.ground is None or self.edge is None:
            return None
        left, near, right, far = (float(value) for value in self.ground.shape.bounds)
        board = field.board
        reach = {Edge.NEAR: far, Edge.FAR: board.depth - near, Edge.LEFT: right, Edge.RIGHT: board.width - left}
        return reach[self.edge]


class SideRow(BookEntry, frozen=True, kw_only=True):
    """A side in the list ``sides`` of a rule book; ``person``: it is a player, and not the program."""

    name: str
    edge: Edge | None = None
    role: str = ""
    person: bool = True


# The sides for rule books that list none: A is at the far edge.
_DEFAULT_SIDES: Final = (PlayerSide(name="A", edge=Edge.FAR), PlayerSide(name="B", edge=Edge.NEAR))


def sides_of(record: Record, book: RuleBook) -> tuple[PlayerSide, ...]:
    """Return the sides of a recorded game in the order of the book, with their facts in the record.

    The names of players in the record go to the sides in this order, without the NPG.

    Raises:
        BookError: a row of the book is wrong.
    """
    read_sides = load_plugin_field(record.rules, "sides")
    sides = merge_sides(book, {} if read_sides is None else read_sides(record), record.battlefield)
    players = iter(split_players(record.settings.get(PLAYERS_KEY, "")))
    return tuple(replace(side, player=next(players, "")) if side.is_player else side for side in sides)


def has_players(sides: Iterable[PlayerSide]) -> bool:
    """Return whether any side has a deployment area, a role or an army."""
    return any(side.ground is not None or side.role or side.army for side in sides)


def merge_sides(
    book: RuleBook, recorded_sides: Mapping[str, RecordedSide], field: Battlefield | None = None
) -> tuple[PlayerSide, ...]:
    """Return the sides of a book in its order, with their recorded facts and deployment areas.

    A side without a recorded edge gets that of its deployment area, or that of the book. Facts of sides that the book
    does not have are ignored.

    Args:
        book: the rule book.
        recorded_sides: the facts by the name of the side; a missing side has no facts.
        field: the battlefield with the deployment areas; None for sides without areas.

    Raises:
        BookError: a row of the book is wrong.
    """
    return tuple(
        _merge_side(default_side, recorded_sides.get(default_side.name, RecordedSide()), field)
        for default_side in _list_sides(book)
    )


def _list_sides(book: RuleBook) -> Iterable[PlayerSide]:
    """Yield the sides in ``[rows] sides`` of a book, or the two default sides.

    Raises:
        BookError: a row of the book is wrong.
    """
    if "sides" not in book.rows:
        yield from _DEFAULT_SIDES
        return
    for row in book.read("sides", SideRow):
        yield PlayerSide(name=row.name, edge=row.edge, role=row.role, is_player=row.person)


def _merge_side(default_side: PlayerSide, recorded_side: RecordedSide, field: Battlefield | None) -> PlayerSide:
    """Return a side of one game: the side of the book with its recorded facts and deployment area.

    Its edge is the recorded one, that of its deployment area, or the default.
    """
    overlays = () if field is None else field.overlays
    area = next(
        (overlay for overlay in overlays if overlay.kind == DEPLOYMENT and overlay.side == default_side.name), None
    )
    edge = recorded_side.edge or (default_side.edge if field is None or area is None else _nearest_edge(area, field))
    return replace(
        default_side,
        edge=edge,
        role=recorded_side.role or default_side.role,
        army=recorded_side.army,
        shore=recorded_side.shore,
        ground=area,
    )


def _nearest_edge(overlay: Overlay, field: Battlefield) -> Edge:
    """Return the board edge nearest to the centre of a deployment area."""
    centre = overlay.shape.centroid
    return min(Edge, key=lambda edge: float(shapely.distance(field.board.edge(edge), centre)))


# --- Names of sides ---------------------------------------------------------------------------------------------------


def named(side: PlayerSide, words: Words) -> str:
    """Return the name of a side as a title in one language: ``Player A``."""
    return _add_player(side, words, "name")


def inline_side_name(side: PlayerSide, words: Words) -> str:
    """Return the name of a side for use in a sentence in one language: ``player A``."""
    return _add_player(side, words, "said")


def _add_player(side: PlayerSide, words: Words, kind: str) -> str:
    """Return the name of a side, a text of ``sides.name`` or ``sides.said``, with the name of its player if it has one.

    ``kind`` is ``name`` or ``said``. A side without such a text gives its own name.
    """
    name = words(f"sides.{kind}.{side.name}") if words.has(f"sides.{kind}.{side.name}") else side.name
    return words("sides.player", player=side.player, name=name) if side.player else name


def role_of(side: PlayerSide, words: Words) -> str:
    """Return the role of a side in one language; empty without a role."""
    return words(f"sides.role.{side.role}") if side.role else ""


def army_of(side: PlayerSide, words: Words) -> str:
    """Return the name of a side's army in one language; empty if it is unknown.

    A name that is not the key of a text is returned as it is.
    """
    return words(side.army) if side.army and words.has(side.army) else side.army


def strip_brackets(name: str) -> str:
    """Return a name with its brackets replaced by a comma.

    ``Anglo-Norman (Marcher)`` becomes ``Anglo-Norman, Marcher``; a name without brackets does not change.
    """
    return name.replace(" (", ", ").replace(")", "")


def titled(side: PlayerSide, words: Words) -> str:
    """Return the name, role and army of a side in one language: ``Player B, defender (Us)``.

    Role and army are left out if unknown. The name includes that of the player. If the side has both, the army's own
    brackets become a comma.
    """
    role, army = role_of(side, words), army_of(side, words)
    if role and army:
        army = strip_brackets(army)
    key = "both" if role and army else "role" if role else "army" if army else "plain"
    return words(f"sides.who.{key}", name=named(side, words), role=role, army=army)


def deployment_label(side: PlayerSide, words: Words) -> str:
    """Return the label of a side's deployment area at the map edge: ``Deployment B (defender)``."""
    role = role_of(side, words)
    short = words(f"sides.short.{side.name}") if words.has(f"sides.short.{side.name}") else side.name
    return words(f"sides.mark.{'role' if role else 'plain'}", name=short, role=role)


def format_side(side: PlayerSide, words: Words, *, colours: bool) -> str:
    """Return a line about a side in one language: name, role, army, colour, line style and edge.

    Args:
        side: the side.
        words: the texts of one language.
        colours: whether the sheet is printed in colours.
    """
    edge = words("sides.edge-open") if side.edge is None else words(f"edge.{side.edge}")
    if side.shore:
        edge = words("sides.edge-shore", edge=edge)
    key = "line" if colours else "line-plain"
    colour, line = words(f"sides.colour.{side.look.ink}"), words(f"sides.{side.look.line}")
    return words(f"sides.{key}", who=titled(side, words), colour=colour, line=line, edge=edge)


def format_sides(sides: Iterable[PlayerSide], words: Words, *, colours: bool) -> tuple[str, ...]:
    """Return one line about all sides for each language, for the footer of a sheet.

    The sides in a line are separated by a raised dot. ``colours`` is whether the sheet is printed in colours.
    """
    side_list = tuple(sides)
    return tuple(
        SEPARATOR.join(format_side(side, language, colours=colours) for side in side_list) for language in words.each()
    )


def side_row_versions(sides: Iterable[PlayerSide], words: Words, *, colours: bool) -> tuple[str, ...]:
    """Return versions of the line about all sides, from longest to shortest.

    The caller takes the first that fits. The versions: all languages; the first language; that without armies; also
    without roles; and also without the names of players. Equal versions are left out. With ``colours`` the line names
    the colour of each side.
    """
    side_list = tuple(sides)
    first = words.each()[0]
    without_armies = tuple(replace(side, army="") for side in side_list)
    without_roles = tuple(replace(side, role="") for side in without_armies)
    without_players = tuple(replace(side, player="") for side in without_roles)
    complete_row = SEPARATOR.join(format_sides(side_list, words, colours=colours))
    shorter_rows = (
        format_sides(group, first, colours=colours)[0]
        for group in (side_list, without_armies, without_roles, without_players)
    )
    return tuple(dict.fromkeys((complete_row, *shorter_rows)))

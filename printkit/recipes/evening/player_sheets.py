"""The sheets of one side, rotated to its base edge.

They show only what everybody may see once the battlefield is on the table. They never show the seed, because with the
seed anybody can replay the game and see its rolls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from printkit.content.prose import Bullets
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.forms.player_view import EdgeNote, own_side
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, NewPage, contents_height
from printkit.kit.book import RuleBook
from printkit.kit.registry import added
from printkit.kit.sides import PlayerSide, mentioned, sides_of, titled, who_line
from printkit.page.sheet import Page
from printkit.recipes.evening.reference import field_key
from printkit.recipes.game.throw_text import in_each
from printkit.recipes.output.handout import HandoutContext, Measures
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import edge_after, turned


class TurnOrder(Struct, frozen=True):
    """The sides that deploy first and have the first bound, by name; empty if that is not decided."""

    deploys_first: str = ""
    moves_first: str = ""


def sides_in(record: Record, book: RuleBook) -> tuple[PlayerSide, ...]:
    """Return the sides that have a player; in a solo game that is one side."""
    return tuple(side for side in sides_of(record, book) if side.person)


def others(side: PlayerSide, sides: Sequence[PlayerSide]) -> tuple[PlayerSide, ...]:
    """Return the other sides."""
    return tuple(each for each in sides if each.name != side.name)


def order_of(record: Record) -> TurnOrder:
    """Return the order of deployment and of the first bound, if the rule system rolls for it."""
    stated = record.details.get("deployment")
    facts: dict[str, Any] = dict(stated) if isinstance(stated, dict) else {}
    return TurnOrder(str(facts.get("deploys_first") or ""), str(facts.get("moves_first") or ""))


# Greatest and least height of the map of a side, as shares of the page.
_MAP_SHARE: Final = 0.76
_LEAST_SHARE: Final = 0.45

# Least height of a map with the whole key below it, as a share of the page; it saves a page.
_WITH_KEY: Final = 0.36

# Most height that closer type can save, as a share of the page.
_CLOSER: Final = 0.16

# Space below the map, in mm.
_AIR: Final = 4.0

# Height of the bands for the two edges above and below a map, in mm.
_ABOUT_MAP: Final = 26.0

# Height of a map above which the key starts on a new page, as a share of the page.
_TALL: Final = 0.55


def player_pages(
    handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide], behind: Sequence[Content], *, origin: str
) -> tuple[Page, ...]:
    """Return the sheets of a side.

    Args:
        handout: the record, and how to print it.
        side: the side that gets the sheets.
        sides: all sides.
        behind: contents of the rule system after the key.
        origin: the footer, which must not show the seed.

    Raises:
        PageError: the paper is too small.
    """
    title = side_title(handout, side)
    field = turned(handout.record.battlefield, _seat(side))
    facts = Bullets(tuple(_facts(handout, side, sides)))
    below = (*field_key(field, handout.words), *behind)
    width, height = handout.size()
    free = handout.room_below(title, subtitle=handout.title, origin=origin) - _AIR
    high = free - contents_height((facts,), width, handout.style)
    with_key = free - contents_height((facts, *below), width, handout.style)
    board = field.board
    least = min(_WITH_KEY * height, width * board.depth / board.width + _ABOUT_MAP)

    def pages(room: float, *, parted: bool) -> tuple[Page, ...]:
        shown = _map(field, handout, side, sides, height=min(room, _MAP_SHARE * height))
        fresh = (NewPage(),) if parted and shown.height > _TALL * height else ()
        contents = (Figure(shown), facts, *fresh, *below)
        return handout.leaflet(title, contents, subtitle=handout.title, origin=origin)

    if with_key >= least - _CLOSER * height:
        # If only a little space is missing, closer type may be enough.
        whole = pages(max(with_key, least), parted=False)
        if len(whole) == 1 or with_key >= least:
            return whole
    return pages(max(high, _LEAST_SHARE * height), parted=True)


def side_title(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the title of the sheets of a side."""
    return in_each(handout.words, partial(titled, side))


def _key(handout: HandoutContext, name: str) -> str:
    """Return the key of a text: the one of the rule system, if it exists."""
    own = f"handouts.player.{handout.system.name}.{name}"
    return own if handout.words.each()[0].has(own) else f"handouts.player.{name}"


def _no_zone(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the key of the text for a side without a deployment line: the one of its role, if it exists."""
    key = _key(handout, "no-zone")
    own = f"{key}-{side.role}"
    return own if side.role and handout.words.each()[0].has(own) else key


def _seat(side: PlayerSide) -> Edge:
    """Return the base edge of a side; the near edge if it is not known yet."""
    return side.edge or Edge.NEAR


def _map(
    field: Battlefield, handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide], *, height: float
) -> Drawing:
    words = handout.words
    width, _ = handout.size()
    enemy, own = others(side, sides), side.look.ink
    across = next((each for each in enemy if each.edge and edge_after(each.edge, _seat(side)) is Edge.FAR), None)
    facing = words(_key(handout, "opposite"))
    if across is not None:
        facing = in_each(words, lambda one: one("handouts.player.other", side=mentioned(across, one)))
    return own_side(
        field,
        width,
        height,
        Drafter.map(handout.style, words, handout.jitter),
        own=EdgeNote(in_each(words, lambda one: one(_key(handout, "own"), edge=one(f"edge.{_seat(side)}"))), own),
        enemy=EdgeNote(facing, across.look.ink if across is not None else "ink"),
        north=edge_after(Edge.FAR, _seat(side)),
    )


def _facts(handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide]) -> Iterator[str]:
    """Yield the facts that a side needs before the first bound, one or two sentences each."""
    record, enemy, colours = handout.record, others(side, sides), handout.style.washes
    order = order_of(record)
    deploying = added(handout.system.name, "deploying")
    for words in handout.words.each():
        yield words(_key(handout, "welcome"))
        yield words("handouts.player.who", own=who_line(side, words, colours=colours))
        for other in sides_of(record, handout.system.book):
            if other.name != side.name:
                yield words("handouts.player.against", other=who_line(other, words, colours=colours))
        if deploying is not None:
            yield from deploying(record, side, words, Measures(words).said)
        elif (depth := side.depth(record.battlefield)) is not None:
            line = words(f"sides.behind.{side.look.line}")
            yield words("handouts.player.zone", depth=Measures(words).said(depth), line=line)
        else:
            yield words(_no_zone(handout, side))
        if order.deploys_first and enemy:
            first = order.deploys_first == side.name
            yield words(f"handouts.player.deploys-{'first' if first else 'second'}", side=mentioned(enemy[0], words))
        if order.moves_first and enemy:
            moves = order.moves_first == side.name
            said = mentioned(enemy[0], words)
            yield words(f"handouts.player.moves-{'first' if moves else 'second'}", side=said[:1].upper() + said[1:])

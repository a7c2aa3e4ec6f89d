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
from printkit.drawing.forms.player_view import EdgeNote, draw_player_view
from printkit.drawing.text.drafter import Drafter
from printkit.drawing.text.figures import Figure
from printkit.drawing.text.leaflet import Content, NewPage, contents_height
from printkit.kit.book import RuleBook
from printkit.kit.registry import load_plugin_field
from printkit.kit.sides import PlayerSide, format_side, inline_side_name, sides_of, titled
from printkit.page.sheet import Page
from printkit.recipes.evening.reference import field_key
from printkit.recipes.game.roll_text import join_languages
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import rotate_edge, rotate_to_edge


class TurnOrder(Struct, frozen=True):
    """The sides that deploy first and have the first bound, by name; empty if that is not decided."""

    deploys_first: str = ""
    moves_first: str = ""


def playing_sides(record: Record, book: RuleBook) -> tuple[PlayerSide, ...]:
    """Return the sides that have a player, in the order of the rule book; in a solo game that is one side."""
    return tuple(side for side in sides_of(record, book) if side.is_player)


def other_sides(side: PlayerSide, sides: Sequence[PlayerSide]) -> tuple[PlayerSide, ...]:
    """Return all sides except this one, in the same order."""
    return tuple(candidate for candidate in sides if candidate.name != side.name)


def read_turn_order(record: Record) -> TurnOrder:
    """Return the sides that deploy first and have the first bound, as in the record; empty if it does not say."""
    deployment = record.details.get("deployment")
    facts: dict[str, Any] = dict(deployment) if isinstance(deployment, dict) else {}
    return TurnOrder(str(facts.get("deploys_first") or ""), str(facts.get("moves_first") or ""))


# Greatest and least height of the map of a side, as shares of the page.
_MAP_SHARE: Final = 0.76
_LEAST_SHARE: Final = 0.45

# Least height of a map with the whole key below it, as a share of the page; it saves a page.
_WITH_KEY: Final = 0.36

# Most height that closer type can save, as a share of the page.
_CLOSER: Final = 0.16

# Space below the map, in mm.
_MAP_GAP_MM: Final = 4.0

# Height of the bands for the two edges above and below a map, in mm.
_EDGE_BANDS_MM: Final = 26.0

# Height of a map above which the key starts on a new page, as a share of the page.
_TALL: Final = 0.55


def player_pages(
    handout: HandoutContext,
    side: PlayerSide,
    sides: Sequence[PlayerSide],
    rule_contents: Sequence[Content],
    *,
    origin: str,
) -> tuple[Page, ...]:
    """Return the sheets of a side.

    Args:
        handout: the record, and how to print it.
        side: the side that gets the sheets.
        sides: all sides.
        rule_contents: contents of the rule system after the key.
        origin: the footer, which must not show the seed.

    Raises:
        PageError: the paper is too small.
    """
    title = side_title(handout, side)
    field = rotate_to_edge(handout.record.battlefield, _seat_edge(side))
    facts = Bullets(tuple(_facts(handout, side, sides)))
    below = (*field_key(field, handout.words), *rule_contents)
    width, height = handout.page_size()
    free = handout.height_below(title, subtitle=handout.title, origin=origin) - _MAP_GAP_MM
    map_height = free - contents_height((facts,), width, handout.style)
    with_key = free - contents_height((facts, *below), width, handout.style)
    board = field.board
    least = min(_WITH_KEY * height, width * board.depth / board.width + _EDGE_BANDS_MM)

    def pages(available_mm: float, *, splits_key: bool) -> tuple[Page, ...]:
        """Return the sheets with a map at most ``available_mm`` mm high on paper.

        With ``splits_key``, the key begins on a new page if the map is tall.
        """
        map_drawing = _map(field, handout, side, sides, height=min(available_mm, _MAP_SHARE * height))
        page_break = (NewPage(),) if splits_key and map_drawing.height > _TALL * height else ()
        contents = (Figure(map_drawing), facts, *page_break, *below)
        return handout.build_pages(title, contents, subtitle=handout.title, origin=origin)

    if with_key >= least - _CLOSER * height:
        # If only a little space is missing, closer type may be enough.
        sheet_pages = pages(max(with_key, least), splits_key=False)
        if len(sheet_pages) == 1 or with_key >= least:
            return sheet_pages
    return pages(max(map_height, _LEAST_SHARE * height), splits_key=True)


def side_title(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the title of the sheets of a side."""
    return join_languages(handout.words, partial(titled, side))


def _text_key(handout: HandoutContext, name: str) -> str:
    """Return the key of a text: the one of the rule system, or the general one if that does not exist.

    ``name`` is the last part of the key.
    """
    rule_key = f"handouts.player.{handout.system.name}.{name}"
    return rule_key if handout.words.each()[0].has(rule_key) else f"handouts.player.{name}"


def _no_zone_key(handout: HandoutContext, side: PlayerSide) -> str:
    """Return the key of the text for a side without a deployment line: the one of its role, if it exists."""
    key = _text_key(handout, "no-zone")
    role_key = f"{key}-{side.role}"
    return role_key if side.role and handout.words.each()[0].has(role_key) else key


def _seat_edge(side: PlayerSide) -> Edge:
    """Return the base edge of a side; the near edge if it is not known yet."""
    return side.edge or Edge.NEAR


def _map(
    field: Battlefield, handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide], *, height: float
) -> Drawing:
    """Return the map from the seat of a side, with both base edges labelled.

    ``height`` is the largest height of the drawing in mm on paper.
    """
    words = handout.words
    width, _ = handout.page_size()
    enemy, own_ink = other_sides(side, sides), side.look.ink
    opponent = next(
        (
            candidate
            for candidate in enemy
            if candidate.edge and rotate_edge(candidate.edge, _seat_edge(side)) is Edge.FAR
        ),
        None,
    )
    facing = words(_text_key(handout, "opposite"))
    if opponent is not None:
        facing = join_languages(
            words, lambda language: language("handouts.player.other", side=inline_side_name(opponent, language))
        )
    return draw_player_view(
        field,
        width,
        height,
        Drafter.map(handout.style, words, handout.jitter),
        own_note=EdgeNote(
            join_languages(
                words, lambda language: language(_text_key(handout, "own"), edge=language(f"edge.{_seat_edge(side)}"))
            ),
            own_ink,
        ),
        enemy_note=EdgeNote(facing, opponent.look.ink if opponent is not None else "ink"),
        north=rotate_edge(Edge.FAR, _seat_edge(side)),
    )


def _facts(handout: HandoutContext, side: PlayerSide, sides: Sequence[PlayerSide]) -> Iterator[str]:
    """Yield the facts that a side needs before the first bound, one or two sentences each.

    Facts that the record does not have are left out; languages follow each other.
    """
    record, enemy, colours = handout.record, other_sides(side, sides), handout.style.washes
    order = read_turn_order(record)
    deploying = load_plugin_field(handout.system.name, "deploying")
    for words in handout.words.each():
        yield words(_text_key(handout, "welcome"))
        yield words("handouts.player.who", own=format_side(side, words, colours=colours))
        for opposing_side in sides_of(record, handout.system.book):
            if opposing_side.name != side.name:
                yield words("handouts.player.against", other=format_side(opposing_side, words, colours=colours))
        if deploying is not None:
            yield from deploying(record, side, words, LengthFormatter(words).said)
        elif (depth := side.depth(record.battlefield)) is not None:
            line = words(f"sides.behind.{side.look.line}")
            yield words("handouts.player.zone", depth=LengthFormatter(words).said(depth), line=line)
        else:
            yield words(_no_zone_key(handout, side))
        if order.deploys_first and enemy:
            is_first = order.deploys_first == side.name
            yield words(
                f"handouts.player.deploys-{'first' if is_first else 'second'}", side=inline_side_name(enemy[0], words)
            )
        if order.moves_first and enemy:
            has_first_bound = order.moves_first == side.name
            enemy_label = inline_side_name(enemy[0], words)
            yield words(
                f"handouts.player.moves-{'first' if has_first_bound else 'second'}",
                side=enemy_label[:1].upper() + enemy_label[1:],
            )

"""The 27 reference cards: layout from a template, texts from the words, numbers from the rules (8.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Bullets, CheckBoxes, Heading, Paragraph, Steps, Table
from printkit.core.errors import BookError, Sentence
from printkit.core.resources import template
from printkit.core.words import Words
from printkit.kit.book import BookRow
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.cards import tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.tactics_tables import Stance

NPG: Final = "npg"
# The design of these cards; their type is set closer than on other text cards.
FACE: Final = "npg"

TEMPLATE: Final = "npg"

_WORKED_OUT: Final[tuple[Callable[[CardText], Block | tuple[Block, ...]], ...]] = (
    tables.topography, tables.candidates, tables.corners, tables.bands, tables.sectors, tables.edges, tables.zones,
    tables.camp, tables.garrison, tables.garrison_odds, tables.shore, tables.position_odds, tables.places,
    tables.pikes, tables.warband_ranks, tables.spear_ranks, tables.frontages, tables.match_ups, tables.turned,
    tables.levels, tables.level_odds, tables.loss_index, tables.stance_odds, tables.overrides, tables.lost,
    tables.lost_elements, tables.luck, tables.attacks, tables.combat_factors,
)  # fmt: skip
# The functions that compute blocks from the rule book; the template refers to them by name.
_MADE: Final = {made.__name__: made for made in _WORKED_OUT}

_OF_STANCE: Final[Mapping[str, Callable[[CardText, Stance], Block]]] = {
    "permitted": tables.permitted,
    "meanings": tables.meanings,
}


def reference_deck(words: Words, rules: SoloRules) -> Deck:
    """Return the reference cards with their backs, one set per language."""
    several = len(words.each()) > 1
    return Deck(
        name=NPG,
        title=words("npg.cards.deck"),
        cards=tuple(card for one in words.each() for card in reference_cards(CardText(one, rules), several=several)),
        backs="content",
        reference=True,
    )


def reference_cards(text: CardText, *, several: bool = False) -> tuple[Card, ...]:
    """Return the reference cards in one language.

    Raises:
        BookError: the template has an unknown block; the message names the card.
    """
    tree = template("cards", TEMPLATE)
    return tuple(
        _card(
            BookRow(Sentence("cards/{template}.toml: card {card}", template=TEMPLATE, card=row.get("id")), row),
            text,
            tree,
            several,
        )
        for row in tree["cards"]
    )


def _card(row: BookRow, text: CardText, tree: Mapping[str, Any], several: bool) -> Card:
    row.only("id", "front", "back", "stance", "sizes", "least", "picture")
    name = row.need("id", str)
    stance = Stance(row.need("stance", str)) if "stance" in row.values else None
    sides = [
        tuple(_blocks(BookRow(f"{row.place}, {side}", entry), name, text, tree, stance))
        for side in ("front", "back")
        for entry in row.get(side, list, [])
    ]
    front = tuple(block for blocks in sides[: len(row.need("front", list))] for block in blocks)
    back = tuple(block for blocks in sides[len(row.need("front", list)) :] for block in blocks)
    facts: dict[str, object] = {}
    if "sizes" in row.values:
        facts["sizes"] = tuple(row.need("sizes", list))
    if "picture" in row.values:
        facts["picture"] = row.need("picture", str)
    if "least" in row.values:
        facts["least"] = row.need("least", float)
    if any("odds" in entry for entry in row.get("back", list, [])):
        facts["odds"] = True
    if stance is not None:
        facts |= {"stance": str(stance), "letter": text(f"letter.{stance}")}
    return Card(
        id=f"{name}-{text.words.code}" if several else name,
        title=text(f"{name}.title"),
        blocks=front,
        back=back,
        face=FACE,
        facts=facts,
    )


def _blocks(row: BookRow, card: str, text: CardText, tree: Mapping[str, Any], stance: Stance | None) -> Iterator[Block]:
    """Yield the blocks of one entry of the template.

    Raises:
        BookError: the kind of block is unknown.
    """

    def say(key: str) -> str:
        return text(f"{card}.{key}", modifier=text.signed(text.amount("SD-3.2.3-b")))

    match row.values:
        case {"text": str(key)}:
            yield Paragraph(say(key))
        case {"note": str(key)}:
            yield Paragraph(say(key), "note")
        case {"head": str(key)}:
            yield Heading(say(key))
        case {"steps": list(keys)}:
            yield Steps(tuple(map(say, keys)))
        case {"bullets": list(keys)}:
            yield Bullets(tuple(map(say, keys)))
        case {"ticks": list(keys)}:
            yield CheckBoxes(tuple(map(say, keys)))
        case {"ticked": list(keys)}:
            first = row.get("first", int, 1)
            yield CheckBoxes(tuple(f"**{number}** {say(key)}" for number, key in enumerate(keys, first)))
        case {"rows": list(rows)}:
            yield Table(rows=tuple(tuple(map(say, keys)) for keys in rows))
        case {"modifiers": str(table)}:
            numbered, letters = row.get("numbered", str, ""), row.get("letters", bool, False)
            yield text.modifiers(table, boxes=row.get("boxes", int, 0), letters=letters, numbered=numbered)
        case {"results": list(rows)}:
            yield text.results(rows)
        case {"actions": list(names)}:
            yield from tables.glossary(text, tuple(names))
        case {"odds": int(part)}:
            yield from tables.odds(text, part)
        case {"made": "example"}:
            yield tables.example(text, tuple(tree["example"]))
        case {"made": str(name)} if name in _MADE:
            made = _MADE[name](text)
            yield from made if isinstance(made, tuple) else (made,)
        case {"made": str(name)} if name in _OF_STANCE and stance is not None:
            yield _OF_STANCE[name](text, stance)
        case _:
            raise BookError(
                "{place}: {values!r} is not a block that printkit can print", place=row.place, values=dict(row.values)
            )

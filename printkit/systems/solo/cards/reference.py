"""The 27 reference cards: layout from a template, texts from the words, numbers from the rules (8.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Bullets, CheckBoxes, Heading, Paragraph, Steps, Table
from printkit.core.errors import BookError
from printkit.core.resources import template, template_file
from printkit.core.typed import convert
from printkit.core.words import Words
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.cards import tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.tactics.tactics_tables import Stance

NPG: Final = "npg"
# The design of these cards; their type is set closer than on other text cards.
FACE: Final = "npg"

TEMPLATE: Final = "npg"

_COMPUTED_BLOCKS: Final[tuple[Callable[[CardText], Block | tuple[Block, ...]], ...]] = (
    tables.topography, tables.candidates, tables.corners, tables.bands, tables.sectors, tables.edges, tables.zones,
    tables.camp, tables.garrison, tables.garrison_odds, tables.shore, tables.position_odds, tables.places,
    tables.pikes, tables.warband_ranks, tables.spear_ranks, tables.frontages, tables.match_ups, tables.turned,
    tables.levels, tables.level_odds, tables.loss_index, tables.stance_odds, tables.overrides, tables.lost,
    tables.lost_elements, tables.luck, tables.attacks, tables.combat_factors,
)  # fmt: skip
# The functions that compute blocks from the rule book; the template refers to them by name.
_BUILDERS: Final = {builder.__name__: builder for builder in _COMPUTED_BLOCKS}

_STANCE_BUILDERS: Final[Mapping[str, Callable[[CardText, Stance], Block]]] = {
    "permitted": tables.build_move_steps,
    "meanings": tables.build_meaning_steps,
}


class CardRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A card of the template: the entries of both sides, each for a block, and how it is set."""

    id: str
    front: tuple[Mapping[str, Any], ...]
    back: tuple[Mapping[str, Any], ...] = ()
    stance: Stance | None = None
    sizes: tuple[float, ...] = ()
    picture: str = ""
    least: float | None = None


def build_reference_deck(words: Words, rules: SoloRules) -> Deck:
    """Return the reference cards with their backs, one set per language."""
    several = len(words.each()) > 1
    return Deck(
        name=NPG,
        title=words("npg.cards.deck"),
        cards=tuple(
            card
            for language in words.each()
            for card in build_reference_cards(CardText(language, rules), several=several)
        ),
        backs="content",
        reference=True,
    )


def build_reference_cards(text: CardText, *, several: bool = False) -> tuple[Card, ...]:
    """Return the reference cards in one language, in the order of the template; with ``several`` IDs name the language.

    Raises:
        BookError: the template has an unknown block; the message names the card.
    """
    tree = template("cards", TEMPLATE)
    rows = convert(tree["cards"], tuple[CardRow, ...], template_file("cards", TEMPLATE))
    return tuple(_build_card(row, text, tree, several) for row in rows)


def _build_card(row: CardRow, text: CardText, tree: Mapping[str, Any], several: bool) -> Card:
    """Return a reference card from its entry in the template.

    Args:
        row: the entry.
        text: the texts of the language.
        tree: the template, for data that cards share.
        several: add the language to the ID, because there are cards in other languages too.

    Raises:
        BookError: a block is unknown.
    """
    name, stance = row.id, row.stance
    front, back = (
        tuple(block for entry in entries for block in _build_blocks(entry, name, text, tree, stance))
        for entries in (row.front, row.back)
    )
    facts: dict[str, object] = {
        key: value for key in ("sizes", "picture", "least") if (value := getattr(row, key)) not in ((), "", None)
    }
    if any("odds" in entry for entry in row.back):
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


def _build_blocks(
    entry: Mapping[str, Any], card: str, text: CardText, tree: Mapping[str, Any], stance: Stance | None
) -> Iterator[Block]:
    """Yield the blocks of one entry of the template.

    Args:
        entry: the entry.
        card: the ID of the card, which begins the keys of its texts.
        text: the texts of the language.
        tree: the template, for data that cards share.
        stance: the stance of the card; None for a card that is not of a stance.

    Raises:
        BookError: the kind of block is unknown.
    """

    def translate(key: str) -> str:
        """Return a text of the card."""
        return text(f"{card}.{key}", modifier=text.format_signed(text.find_amount("SD-3.2.3-b")))

    match entry:
        case {"text": str(key)}:
            yield Paragraph(translate(key))
        case {"note": str(key)}:
            yield Paragraph(translate(key), "note")
        case {"head": str(key)}:
            yield Heading(translate(key))
        case {"steps": list(keys)}:
            yield Steps(tuple(map(translate, keys)))
        case {"bullets": list(keys)}:
            yield Bullets(tuple(map(translate, keys)))
        case {"ticks": list(keys)}:
            yield CheckBoxes(tuple(map(translate, keys)))
        case {"ticked": list(keys)}:
            pairs = enumerate(keys, entry.get("first", 1))
            yield CheckBoxes(tuple(f"**{number}** {translate(key)}" for number, key in pairs))
        case {"rows": list(rows)}:
            yield Table(rows=tuple(tuple(map(translate, keys)) for keys in rows))
        case {"modifiers": str(table)}:
            prefix, letters = entry.get("numbered", ""), entry.get("letters", False)
            yield text.build_modifiers(table, boxes=entry.get("boxes", 0), letters=letters, prefix=prefix)
        case {"table": str(table)}:
            yield from text.build_die_table(table, boxes=entry.get("boxes", 0))
        case {"results": list(rows)}:
            yield text.build_results(rows)
        case {"actions": list(names)}:
            yield from tables.build_glossary(text, tuple(names))
        case {"odds": int(part)}:
            yield from tables.build_odds(text, part)
        case {"made": "example"}:
            yield tables.build_example(text, tuple(tree["example"]))
        case {"made": str(name)} if name in _BUILDERS:
            blocks = _BUILDERS[name](text)
            yield from blocks if isinstance(blocks, tuple) else (blocks,)
        case {"made": str(name)} if name in _STANCE_BUILDERS and stance is not None:
            yield _STANCE_BUILDERS[name](text, stance)
        case _:
            raise BookError(
                "cards/{template}.toml: card {card}: {values!r} is not a block that printkit can print",
                template=TEMPLATE,
                card=card,
                values=dict(entry),
            )

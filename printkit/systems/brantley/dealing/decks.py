"""The decks of the card system: terrain deck, quick reference, and card faces (BR-A01, BR-M03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from printkit.chance.tables import DieTable
from printkit.content.cards import Art, Banner, Card, Deck, Index, Suit
from printkit.content.prose import Block, Heading, Paragraph, ScoreTable, Steps, Table, scores_of
from printkit.core.words import SEPARATOR, Words
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import (
    GOOD_GOING,
    PACK,
    RANKS,
    CardResult,
    PlayingCard,
    RevealTable,
    name_card,
)
from printkit.systems.brantley.dealing.deal import PLAYERS, opponent
from printkit.terrain.field.features import Kind

# --- Card faces: the terrain of each card of the pack (BR-A01, BR-M03) ------------------------------------------------

# How many pictures a terrain has.
_PICTURES: Final = 4

# Areas in which a road or a river may end (BR-406, BR-506).
_COURSE_ENDS: Final = (Kind.BUA, Kind.LAKE)


def build_face(card: PlayingCard, rules: Rules, words: Words) -> Card:
    """Return the face of a playing card: terrain, going and dice, from the tables of the rule book.

    The texts are in the language or languages of ``words``.
    """
    result = RevealTable.from_book(rules.book).look_up(card)
    going_key = "good" if result is None else result.going.name if result.going else "die"
    return Card(
        id=str(card),
        title=words(f"brantley.cards.title.{result.name if result else GOOD_GOING}"),
        index=Index(card.rank, Suit(card.suit)),
        # Neighbouring ranks of one terrain have different pictures.
        art=Art((result.kind,), max(1, result.levels), RANKS.index(card.rank) % _PICTURES) if result else Art(()),
        banner=(Banner(going_key), words(f"brantley.cards.going.{going_key}")),
        blocks=_card_blocks(result, rules, words),
    )


def distinct_faces(rules: Rules, words: Words) -> tuple[Card, ...]:
    """Return one card face for each different text in the pack, in the order of the pack.

    Cards with the same title, banner and blocks count as one; the first of them is the result.
    """
    faces: dict[tuple[object, ...], Card] = {}
    for card in (build_face(pack_card, rules, words) for pack_card in PACK):
        faces.setdefault((card.title, card.banner, card.blocks), card)
    return tuple(faces.values())


def describe_card(card: PlayingCard | None, rules: Rules, words: Words) -> str:
    """Return one line with a card and its feature; None means a zone left clear (BR-Q20).

    The line has the text in each language of ``words``, with a separator between them.
    """
    return SEPARATOR.join(_describe_card(card, rules, language) for language in words.each())


def build_hill_tables(rules: Rules, words: Words, *, levels: int) -> tuple[ScoreTable, ScoreTable]:
    """Return the slope and the woods table of a hill; the scores include the modifier for a second level.

    Only the slope table has that modifier. ``levels`` is the number of contours, 1 or 2.
    """
    slope = scores_of(
        rules.outcomes("slope"),
        lambda steep: words(f"brantley.cards.slope.{steep}"),
        title=words("brantley.cards.slope_die"),
        bonus=slope_modifier(rules) if levels > 1 else 0,
    )
    woods = scores_of(
        rules.outcomes("woods"),
        lambda cover: words(f"brantley.cards.woods.{cover}"),
        title=words("brantley.cards.woods_die"),
    )
    return slope, woods


def slope_modifier(rules: Rules) -> int:
    """Return the slope die modifier for a second level (BR-321)."""
    return sum(modifier.amount for modifier in rules.outcomes("slope").modifiers)


def _describe_card(card: PlayingCard | None, rules: Rules, words: Words) -> str:
    """Return one line with a card and its feature, in one language; None means a zone left clear."""
    if card is None:
        return words("brantley.cards.left_clear")
    card_name = name_card(card).write(words)
    result = RevealTable.from_book(rules.book).look_up(card)
    if result is None:
        return words("brantley.cards.becomes_good", card=card_name, result=words(f"brantley.result.{GOOD_GOING}"))
    ground = words(f"brantley.result.{result.name}")
    if result.going is None:
        return words("brantley.cards.becomes_hill", card=card_name, result=ground)
    return words("brantley.cards.becomes", card=card_name, result=ground, going=words(f"going.{result.going.name}"))


def _card_blocks(result: CardResult | None, rules: Rules, words: Words) -> tuple[Block, ...]:
    """Return the text below the banner: the dice of a hill, or a note about the area.

    None as ``result`` means good going, whose note says that nothing is placed.
    """
    if result is None:
        return (Paragraph(words("brantley.cards.nothing")),)
    if result.going is None:
        return build_hill_tables(rules, words, levels=result.levels)
    if result.kind in _COURSE_ENDS:
        return (Paragraph(words(f"brantley.cards.ends.{result.kind}")),)
    return (Paragraph(words("brantley.cards.place")),)


TERRAIN: Final = "terrain"
REFERENCE: Final = "reference"

_COURSES: Final = ("rivers", "roads")
_ONE_LEVEL: Final = "hill_1"
_TWO_LEVELS: Final = "hill_2"

# The meaning of each score of a die, in words.
Column = Mapping[int, str]


def decks(rules: Rules, words: Words) -> tuple[Deck, ...]:
    """Return the terrain deck and the deck of the reference card of a game, in this order.

    The backs of the terrain deck are identical, so that they do not reveal a card (BR-M04). Texts are in the languages
    of ``words``; each language has its own reference card.
    """
    spare = [card for language in words.each() for card in _spare_cards(rules, language, several=len(words.each()) > 1)]
    return (
        Deck(
            name=TERRAIN,
            title=words("brantley.cards.deck"),
            cards=(*(build_face(card, rules, words) for card in PACK), *spare),
            backs="secret",
        ),
        Deck(
            name=REFERENCE,
            title=words("brantley.cards.reference"),
            cards=tuple(_reference_card(rules, language, several=len(words.each()) > 1) for language in words.each()),
            backs="content",
            reference=True,
        ),
    )


def _spare_cards(rules: Rules, words: Words, *, several: bool) -> tuple[Card, ...]:
    """Return the two sides of the reference card as separate cards in one language.

    In the terrain deck a card has only one back. ``several`` is True if the deck has several languages.
    """
    title, name = words("brantley.cards.reference"), _reference_name(words, several=several)
    sides = (build_first_side(rules, words), build_second_side(rules, words))
    return tuple(
        Card(id=f"{name}-{number}", title=title, blocks=blocks, foot=words("brantley.cards.side", number=number))
        for number, blocks in enumerate(sides, 1)
    )


def _reference_card(rules: Rules, words: Words, *, several: bool) -> Card:
    """Return the quick-reference card in one language; ``several`` is True if the deck has several."""
    return Card(
        id=_reference_name(words, several=several),
        title=words("brantley.cards.reference"),
        blocks=build_first_side(rules, words),
        back=build_second_side(rules, words),
    )


def _reference_name(words: Words, *, several: bool) -> str:
    """Return the ID of the reference card; with several languages it contains the language code."""
    return f"{REFERENCE}-{words.code}" if several else REFERENCE


def build_first_side(rules: Rules, words: Words) -> tuple[Block, ...]:
    """Return the blocks of the first side of the reference: order of play, reveal table, dice of hills.

    The texts are in the language of ``words``.
    """
    ninth = "turn_up_clear" if rules.choice("br-q20") == "clear" else "turn_up"
    return (
        Steps(tuple(words(f"brantley.cards.steps.{step}") for step in ("lay", ninth, "place"))),
        Table(rows=_reveal_rows(rules, words), head=_column_heads(words, "black", "terrain", "going")),
        _hill_table(rules, words),
    )


def build_second_side(rules: Rules, words: Words) -> tuple[Block, ...]:
    """Return the blocks of the second side of the reference: rivers, roads, crossings and deployment.

    They begin with a table of the scores and the numbers of rivers and roads.
    """
    counts = [_die_column(rules.outcomes(stage), words, "count") for stage in _COURSES]
    crossing_scores = {row.outcome: str(row.span) for row in rules.outcomes("crossing").rows}
    return (
        Table(rows=_merge_columns(counts), head=_column_heads(words, "die", *_COURSES)),
        *(Paragraph(words(f"brantley.cards.{key}")) for key in ("placing", "river_ends", "road_ends")),
        Paragraph(words(f"brantley.cards.crossing.{rules.choice('br-q16')}", **crossing_scores)),
        Heading(words("brantley.cards.deployment")),
        Paragraph(words("brantley.cards.depth", paces=f"{rules.number('deployment_paces'):g}")),
        Paragraph(_deployment_rule(rules, words)),
    )


def _deployment_rule(rules: Rules, words: Words) -> str:
    """Return the rule for deployment and the first move: rolled or agreed (BR-Q19)."""
    second_player = rules.choice("br-q19")
    if second_player not in PLAYERS:
        return words("brantley.cards.order")
    return words("brantley.cards.order_agreed", first=opponent(second_player), second=second_player)


def _reveal_rows(rules: Rules, words: Words) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the reveal table: ranks or suit, terrain, going.

    There is one row for each result of black cards, in table order, then the row of the red suits.
    """
    goings = {
        result.name: words(f"brantley.cards.going.{result.going.name if result.going else 'die'}")
        for result in RevealTable.from_book(rules.book).by_rank.values()
    }
    black = (
        (ranks, words(f"brantley.cards.title.{name}"), goings[name]) for name, ranks in _ranks_by_result(rules).items()
    )
    red = (words("brantley.cards.head.red"), words("brantley.cards.nothing"), words("brantley.cards.going.good"))
    return (*black, red)


def _ranks_by_result(rules: Rules) -> dict[str, str]:
    """Return the black ranks that give each result, for example ``4 5 6``, by the name of the result.

    The ranks are codes in the order of the reveal table.
    """
    ranks_by_result: dict[str, list[str]] = {}
    for rank, result in RevealTable.from_book(rules.book).by_rank.items():
        ranks_by_result.setdefault(result.name, []).append(rank)
    return {name: " ".join(ranks) for name, ranks in ranks_by_result.items()}


def _hill_table(rules: Rules, words: Words) -> Table:
    """Return the table of hill dice: for each score the slopes of one and two levels, and the woods."""
    ranks = _ranks_by_result(rules)
    slopes = [
        (
            words("brantley.cards.head.slope", ranks=ranks[name]),
            _die_column(rules.outcomes("slope"), words, "steep", add=add),
        )
        for name, add in ((_ONE_LEVEL, 0), (_TWO_LEVELS, slope_modifier(rules)))
    ]
    columns = [*slopes, (words("brantley.cards.head.woods"), _die_column(rules.outcomes("woods"), words, "cover"))]
    return Table(
        rows=_merge_columns([column for _, column in columns]),
        head=(words("brantley.cards.head.die"), *(head for head, _ in columns)),
    )


def _die_column(table: DieTable[str], words: Words, key: str, *, add: int = 0) -> Column:
    """Return the texts of a die table by score; ``add`` is a modifier added to each score.

    The texts have the key ``brantley.cards.`` with ``key`` and the outcome.
    """
    return {score: words(f"brantley.cards.{key}.{table.look_up(score + add)}") for score in range(1, table.sides + 1)}


def _merge_columns(columns: Sequence[Column]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table: the score or scores, then the text of each column.

    Consecutive scores with equal texts share a row.
    """

    def meaning(score: int) -> tuple[str, ...]:
        """Return the texts of a score, one for each column."""
        return tuple(column[score] for column in columns)

    rows = []
    for meanings, scores in groupby(columns[0], meaning):
        first, *others = scores
        rows.append((f"{first}–{others[-1]}" if others else str(first), *meanings))
    return tuple(rows)


def _column_heads(words: Words, *keys: str) -> tuple[str, ...]:
    """Return the column headings for these keys below ``brantley.cards.head.``, in their order."""
    return tuple(words(f"brantley.cards.head.{key}") for key in keys)

"""The pair cards X1 to X10: the rolls that remain for two armies (8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Align, Block, Boxes, Heading, Modifiers, Paragraph, Results, Steps, Table
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Force, Side
from printkit.systems.solo.cards import pair_tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import (
    DieFaces,
    Pair,
    PairWords,
    find_row_height,
    format_rolls_short,
    list_pieces,
    runs,
    said,
)
from printkit.systems.solo.cards.reference import FACE
from printkit.systems.solo.cards.tables import build_match_ups, build_odds_table, build_places_table
from printkit.systems.solo.tactics.camp import ALLOWED, FOLLOWERS, SPEAR
from printkit.systems.solo.tactics.grouping import written
from printkit.systems.solo.tactics.situation import EDGES
from printkit.systems.solo.tactics.tactics_tables import Level, Stance

# --- The pair card of the groups: places by two dice, and boxes for the results (X5, 8.6) -----------------------------

# Height in mm on paper that all rows of the card share, and of each row that is not for a group.
_ROWS_MM: Final = 51.0
_SUM_ROW_MM: Final = 3.75
_MIDDLE: Final[Align] = "middle"
_LEFT: Final[Align] = "left"


def groups_card(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X5: the places by sum and roll, the NPG's groups with their sums, and unknown modifiers.

    For an unknown (open) modifier the letters of its groups are printed with their new sums.
    """
    text, places = words.text, [place.value for place in pair_tables.list_places(words.pair)]
    groups = pair_tables.find_group_rolls(words.pair)
    sums: dict[int, Mapping[str, DieFaces]] = {}
    shifts: dict[str, dict[int, list[str]]] = {}
    for letter, group in zip(_letters(len(groups)), groups, strict=True):
        sums.setdefault(group.places.sum, group.places.faces)
        for open_modifier in group.places.open:
            clause, total = open_modifier.modifier.clause, group.places.sum + open_modifier.modifier.amount
            sums.setdefault(total, open_modifier.faces)
            shifts.setdefault(clause, {}).setdefault(total, []).append(letter)
    cells = {total: [format_rolls_short(sums[total][place], text) for place in places] for total in sorted(sums)}
    yield build_places_table(text, places, cells)
    yield Table(
        rows=tuple(
            (f"**{letter}**", written(group.group), text.format_signed(group.places.sum))
            for letter, group in zip(_letters(len(groups)), groups, strict=True)
        ),
        head=("", *(words.translate(f"X5.{name}") for name in ("group", "sum", "dice", "place"))),
        shares=(0.6, 2.6, 1.0, 1.6, 1.9),
        aligns=(_MIDDLE, _LEFT, _MIDDLE),
        min_height=find_row_height(len(groups), _ROWS_MM - _SUM_ROW_MM * (len(sums) + len(shifts))),
    )
    if shifts:
        rows = (
            (
                text.format_signed(text.find_amount(clause)),
                words.translate(f"position.{clause}", then=_format_shift(words, letters_by_sum)),
            )
            for clause, letters_by_sum in shifts.items()
        )
        yield Modifiers(tuple(rows), boxes=1)


def _format_shift(words: PairWords, letters_by_sum: Mapping[int, Sequence[str]]) -> str:
    """Return the groups that an open modifier applies to, with their new sums, as text.

    ``letters_by_sum`` has the letters of the groups by new sum.
    """
    format_signed = words.text.format_signed
    return words.text.join_texts(
        words.translate("X5.then", groups=runs(letters), sum=format_signed(total))
        for total, letters in letters_by_sum.items()
    )


def _letters(count: int) -> str:
    """Return the letters of ``count`` groups, from A."""
    return "ABCDEFGHIJKL"[:count]


PAIR: Final = "pair"

# Maximum letters of an army name on a card or sheet; names up to this length wrap.
MAX_NAME_LETTERS: Final = 120

_ROW_MM: Final = 4.6


def build_pair_deck(pair: Pair, words: Words) -> Deck:
    """Return the pair cards of two armies, one set per language.

    Raises:
        UsageError: the name of an army is too long to print.
    """
    for force in (pair.npg, pair.you):
        if len(force.name) > MAX_NAME_LETTERS:
            raise UsageError(
                "the army name {army!r}... is too long; use at most {name_most} letters",
                army=force.name[:40],
                name_most=MAX_NAME_LETTERS,
            )
    several = len(words.each()) > 1
    return Deck(
        name=PAIR,
        title=words("npg.pair.deck"),
        cards=tuple(card for language in words.each() for card in build_pair_cards(pair, language, several=several)),
        backs="content",
    )


def build_pair_cards(pair: Pair, words: Words, *, several: bool = False) -> tuple[Card, ...]:
    """Return the pair cards of two armies in one language, without cards that cannot apply.

    With ``several`` their IDs name the language. The back of each card is the army list of its side.
    """
    text = CardText(words, pair.rules)
    backs = {
        Side.NPG: build_army_blocks(pair.npg, Side.NPG, text),
        Side.YOU: build_army_blocks(pair.you, Side.YOU, text),
    }
    cards = []
    for name, (build_blocks, side, picture) in _CARDS.items():
        blocks = tuple(build_blocks(PairWords(pair, text)))
        if blocks:
            cards.append(
                Card(
                    id=f"{name}-{words.code}" if several else name,
                    title=words(f"npg.pair.{name}.title"),
                    blocks=blocks,
                    back=backs[side],
                    face=FACE,
                    facts={"picture": picture},
                )
            )
    return tuple(cards)


def build_army_blocks(force: Force, side: Side, text: CardText) -> tuple[Block, ...]:
    """Return an army for the back of a card: name, home and aggression, then its elements with counts.

    ``side`` selects the words for the NPG or for the player. The last block is a note with counts.
    """
    words = text.words
    rows = tuple(
        (f"**{count}**", code, f"{words(f'npg.army.troop.{troop.code}')}{' *' if is_general else ''}")
        for code, troop, count, is_general in pair_tables.list_army_rows(force)
    )
    return (
        Paragraph(named(force.name, words), "strong"),
        Paragraph(
            words(
                f"npg.pair.army.{side}{'' if force.camp else '-no-camp'}",
                home=words(f"npg.cards.home.{force.home}"),
                aggression=force.aggression,
            )
        ),
        Table(rows=rows, shares=(0.6, 1.6, 4.0), aligns=(_MIDDLE, _LEFT, _LEFT)),
        Paragraph(
            words(
                "npg.pair.army.counts", mounted=force.mounted_count, foot=force.infantry_count, bad=force.bad_goer_count
            ),
            "note",
        ),
    )


def _terrain_blocks(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X1: the remaining terrain rolls if the NPG defends; nothing if it attacks."""
    pair, text = words.pair, words.text
    if not pair.may_attack(Side.YOU):
        return
    terrain_rolls = pair_tables.find_terrain_rolls(pair)
    if terrain_rolls.compulsory:
        yield Results(
            (tuple((said(faces, text), words.piece_name(name)) for name, faces in terrain_rolls.compulsory.items()),)
        )
    else:
        yield Paragraph(words.translate("X1.compulsory", piece=words.piece_name(terrain_rolls.compulsory_types[0])))
    if terrain_rolls.second:
        distinct_faces = dict.fromkeys(terrain_rolls.second.values())
        if len(distinct_faces) == 1:
            yield Paragraph(
                words.translate(
                    "X1.second",
                    piece=list_pieces(words, terrain_rolls.second),
                    faces=said(next(iter(distinct_faces)), text),
                )
            )
        else:
            for terrain, faces in terrain_rolls.second.items():
                yield Paragraph(words.translate("X1.second", piece=words.piece_name(terrain), faces=said(faces, text)))
    several = len(terrain_rolls.number) > 1
    for bad, numbers in terrain_rolls.number.items():
        key = ("X1.number-two-bad" if bad else "X1.number-one") if several else "X1.number"
        cells = {outcome: said(throws, text) for outcome, throws in numbers.items()}
        yield Paragraph(words.translate(key, two=cells["2"], three=cells["3"]))
    for first, second in terrain_rolls.rolled_pairs:
        yield Paragraph(words.translate("X1.either", one=words.piece_name(first), other=words.piece_name(second)))
    max_count = max(piece.count for piece in terrain_rolls.pieces)
    rows = []
    for piece in terrain_rolls.pieces:
        name = words.piece_name(piece.terrain) + (f" {text.format_signed(piece.modifier)}" if piece.modifier else "")
        rows.append((name, *("" if number < piece.count else text("nothing") for number in range(max_count))))
    head = (
        words.translate("X1.piece"),
        *(words.translate("X1.score", number=number + 1) for number in range(max_count)),
    )
    yield Table(
        rows=tuple(rows), head=head, shares=(2.2, *(1.0,) * max_count), min_height=find_row_height(len(rows), 30.0)
    )
    fewer = [
        candidate
        for candidate in terrain_rolls.compulsory_types
        if candidate in {piece.terrain for piece in terrain_rolls.pieces}
    ]
    if fewer:
        yield Paragraph(words.translate("X1.fewer", piece=list_pieces(words, fewer)), "note")


def _edge_blocks(words: PairWords) -> Iterator[Block]:
    """Yield card X2 as one table: the modifiers of the roll for each edge; nothing if the NPG defends."""
    pair, text = words.pair, words.text
    if not pair.may_attack(Side.NPG):
        return
    rows = [
        (f"**{text.format_signed(modifier.amount)}** {words.translate(f'edge.{modifier.clause}')}",)
        for modifier in pair_tables.find_edge_modifiers(pair)
    ]
    rows += [(words.translate("X2.die"),), (words.translate("X2.total"),)]
    head = (words.translate("X2.head"), *(words.translate(f"X2.{edge}") for edge in EDGES))
    yield Table(rows=tuple(rows), head=head, shares=(6.2, 1, 1, 1, 1), min_height=_ROW_MM)


def _camp_blocks(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X3: who holds the NPG's camp, and where it is placed; nothing without a camp."""
    pair = words.pair
    if not pair.npg.camp:
        return
    table = pair_tables.find_camp_faces(pair)
    yield Heading(words.translate("X3.garrison" if table is not None else "X3.garrison-known"))
    if table is None:
        yield Paragraph(words.translate("X3.no-spear"))
    else:
        yield words.sum(table)
        yield words.build_results(table, f"camp.{SPEAR}", f"camp.{FOLLOWERS}")
    yield Heading(words.text("R08.where"))
    waters = pair.you.is_littoral and pair.situation.waterway is not False
    yield Steps(tuple(words.text(f"R08.{name}") for name in (*(("water",) if waters else ()), "road", "bad", "centre")))


def _town_blocks(words: PairWords) -> Iterator[Block]:
    """Yield card X4: the garrison of a built-up area, by its half of the board and by who holds the camp.

    Garrisons that are equal for all holders of the camp appear once. Without a possible garrison nothing is yielded.
    """
    garrisons = pair_tables.find_garrison_rolls(words.pair)
    if not garrisons:
        return
    same = len({(garrison.own_half_faces, garrison.other_half_faces, garrison.type) for garrison in garrisons}) == 1
    for garrison in garrisons[:1] if same else garrisons:
        if not same:
            yield Heading(words.translate(f"X4.camp-{garrison.camp or FOLLOWERS}"))
        cells = (
            (said(garrison.own_half_faces, words.text), words.translate("X4.own")),
            (said(garrison.other_half_faces, words.text), words.translate("X4.other")),
        )
        yield Results(tuple((cell,) for cell in cells))
        general_mark = words.translate("X4.general") if garrison.element.general else ""
        yield Paragraph(words.translate("X4.element", type=f"{garrison.type}{general_mark}"))
    yield Paragraph(words.translate("X4.note"), "note")


def _landing_blocks(words: PairWords) -> Iterator[Block]:
    """Yield X6: whether the NPG may land; nothing if it cannot."""
    table = pair_tables.find_landing_faces(words.pair)
    if table is None:
        return
    yield Paragraph(words.translate("X6.when"))
    yield words.sum(table)
    yield words.build_results(table, f"landing.{ALLOWED}")
    yield from words.open_blocks(table, ALLOWED)


def _level_blocks(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X7: the three aggression levels, with a box for the result."""
    table = pair_tables.find_level_faces(words.pair)
    yield Paragraph(words.translate("X7.when"))
    yield words.sum(table)
    yield words.build_results(table, *(f"level.{level}" for level in Level))
    yield Heading(words.translate("X7.mark"))
    yield Boxes((words.translate("X7.die"), words.translate("X7.box")))


def _stance_blocks(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X8: the stance die's faces for each stance, by NET and PIPs."""
    text = words.text
    yield Paragraph(words.translate("X8.net"))
    rows = []
    for net in text.tactics.nets():
        cells = []
        for pips, _ in text.tactics.pip_spans():
            faces = pair_tables.find_stance_faces(text.tactics, pips, net)
            parts = [
                f"**{text(f'letter.{stance}')}**{format_rolls_short(faces[stance], text)}"
                for stance in Stance
                if faces[stance]
            ]
            cells.append(" ".join(parts))
        rows.append((f"**{text.format_signed(net)}**", *cells))
    head = (
        words.translate("X8.head"),
        *(words.translate("X8.pips", low=low, high=high) for low, high in text.tactics.pip_spans()),
    )
    yield Table(rows=tuple(rows), head=head, shares=(0.8, 2, 2, 2), aligns=(_MIDDLE, _LEFT, _LEFT, _LEFT))


def _match_up_blocks(words: PairWords) -> Iterator[Block]:
    """Yield the blocks of card X9: the bad match-ups of types that these armies have, for both."""
    pair = words.pair
    sides = (("npg", pair.npg, pair.you), ("you", pair.you, pair.npg))
    for side, force, enemy in sides:
        yield Heading(words.translate(f"X9.{side}"))
        rows = pair_tables.find_match_ups(words.text.tactics, force, enemy)
        if rows:
            yield build_match_ups(words.text, rows)
        else:
            yield Paragraph(words.translate("X9.none"))
    if pair.may_attack(Side.YOU):
        yield Paragraph(words.translate("X9.swap"), "note")


def _attack_blocks(words: PairWords) -> Iterator[Block]:
    """Yield X10: the kind of attack and the odds of each NPG type against each player type (SD-5.1)."""
    pair = words.pair
    sides = ({member.troop.code: member.troop for member in force.elements} for force in (pair.npg, pair.you))
    attackers, defenders = (tuple(member for member in side.values() if member.factor) for side in sides)
    yield Paragraph(words.text("R20.read"), "note")
    for first in range(0, len(defenders), _COLUMN_COUNT):
        yield build_odds_table(words.text, attackers, defenders[first : first + _COLUMN_COUNT])
    yield Paragraph(words.text("R20.counts"), "note")


_COLUMN_COUNT: Final = 4

# For each card: the function that yields its blocks, the side whose army is on its back, and the picture in its
# heading. Reference cards on the same subject have the same picture.
_CARDS: Final[Mapping[str, tuple[Callable[[PairWords], Iterator[Block]], Side, str]]] = {
    "X1": (_terrain_blocks, Side.NPG, "hill"),
    "X2": (_edge_blocks, Side.NPG, "edge"),
    "X3": (_camp_blocks, Side.NPG, "CF"),
    "X4": (_town_blocks, Side.NPG, "bua"),
    "X5": (groups_card, Side.YOU, "dice"),
    "X6": (_landing_blocks, Side.YOU, "waterway"),
    "X7": (_level_blocks, Side.YOU, "die"),
    "X8": (_stance_blocks, Side.YOU, "dice"),
    "X9": (_match_up_blocks, Side.YOU, "facing"),
    "X10": (_attack_blocks, Side.YOU, "Bd"),
}

"""The pair cards X1 to X10: the rolls that remain for two armies (8.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.content.cards import Card, Deck
from printkit.content.prose import Align, Block, Boxes, Heading, Modifiers, Paragraph, Results, Steps, Table
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.armies.force import Force, Side
from printkit.systems.solo.cards import pair_tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair import HIGHEST, LOWEST, DieFaces, Pair, PairWords, high, listed, runs, said, short
from printkit.systems.solo.cards.reference import FACE
from printkit.systems.solo.cards.tables import odds_table
from printkit.systems.solo.tactics.camp import ALLOWED, FOLLOWERS, SPEAR
from printkit.systems.solo.tactics.grouping import written
from printkit.systems.solo.tactics.situation import EDGES
from printkit.systems.solo.tactics.tactics_tables import Level, Stance

# --- The pair card of the groups: places by two dice, and boxes for the results (X5, 8.6) -----------------------------

_ROOM: Final = 62.0
_ROOM_APART: Final = 54.0
_MOST: Final = 71.5
_ROOM_OF_HEAD: Final = 5.5
_ROOM_OF_TICK: Final = 3.9
_ROOM_OF_ROW: Final = 3.6
_SHARES: Final = {"reserve": 1.5, "centre": 1.4, "left": 1.1, "right": 1.5, "landing": 1.7}
_MIDDLE: Final[Align] = "middle"
_LEFT: Final[Align] = "left"


class _Told(Struct, frozen=True):
    """The groups, and the tables to print for them.

    ``sums`` has the rolls for each place by modifier sum. ``shifts`` has, by clause of an open modifier, the new sums
    with the letters of their groups.
    """

    groups: Sequence[pair_tables.GroupLeft]
    sums: Mapping[int, Mapping[str, DieFaces]]
    shifts: Mapping[str, Mapping[int, Sequence[str]]]

    @property
    def taken(self) -> float:
        """Return the height in mm of everything on the card except the rows of the groups."""
        return 2 * _ROOM_OF_HEAD + _ROOM_OF_ROW * len(self.sums) + _ROOM_OF_TICK * len(self.shifts)

    @property
    def apart(self) -> bool:
        """Return whether the groups need a separate card."""
        return self.taken + LOWEST * len(self.groups) > _MOST


def groups_card(tell: PairWords) -> Iterator[Block]:
    """Yield X5: the places by sum and roll, the groups with their sums, and the open modifiers."""
    told = _told(tell)
    yield _sums(tell, told)
    if not told.apart:
        yield _rows(tell, told, _ROOM - told.taken)
    if told.shifts:
        rows = (
            (tell.text.signed(tell.text.amount(clause)), tell.say(f"position.{clause}", then=_then(tell, own)))
            for clause, own in told.shifts.items()
        )
        yield Modifiers(tuple(rows), boxes=1)


def groups_apart(tell: PairWords) -> Iterator[Block]:
    """Yield X5b: the groups, if they do not fit on X5."""
    told = _told(tell)
    if told.apart:
        yield _rows(tell, told, _ROOM_APART)


def _told(tell: PairWords) -> _Told:
    found = pair_tables.groups_left(tell.pair)
    sums: dict[int, Mapping[str, DieFaces]] = {}
    shifts: dict[str, dict[int, list[str]]] = {}
    for letter, each in zip(_letters(len(found)), found, strict=True):
        sums.setdefault(each.places.sum, each.places.faces)
        for shifted in each.places.open:
            clause, total = shifted.modifier.clause, each.places.sum + shifted.modifier.amount
            sums.setdefault(total, shifted.faces)
            shifts.setdefault(clause, {}).setdefault(total, []).append(letter)
    return _Told(found, sums, shifts)


def _sums(tell: PairWords, told: _Told) -> Table:
    text, places = tell.text, [place.value for place in pair_tables.places_of(tell.pair)]
    rows = tuple(
        (f"**{text.signed(total)}**", *(short(told.sums[total][place], text) for place in places))
        for total in sorted(told.sums)
    )
    head = (tell.say("X5.sum"), *(tell.say(f"X5.{place}") for place in places))
    shares = (0.9, *(_SHARES[place] for place in places))
    return Table(rows=rows, head=head, shares=shares, aligns=(_MIDDLE,) * len(head))


def _rows(tell: PairWords, told: _Told, room: float) -> Table:
    """Return a row per group, with its sum and boxes for dice and place, in ``room`` mm of height."""
    groups = tuple(
        (f"**{letter}**", written(each.group), tell.text.signed(each.places.sum))
        for letter, each in zip(_letters(len(told.groups)), told.groups, strict=True)
    )
    return Table(
        rows=groups,
        head=("", *(tell.say(f"X5.{name}") for name in ("group", "sum", "dice", "place"))),
        shares=(0.6, 2.6, 1.0, 1.6, 1.9),
        aligns=(_MIDDLE, _LEFT, _MIDDLE),
        min_height=max(LOWEST, min(HIGHEST, room / len(groups))),
    )


def _then(tell: PairWords, own: Mapping[int, Sequence[str]]) -> str:
    """Return the groups that an open modifier applies to, with their new sums."""
    signed = tell.text.signed
    return tell.text.list(
        tell.say("X5.then", groups=runs(letters), sum=signed(total)) for total, letters in own.items()
    )


def _letters(count: int) -> str:
    return "ABCDEFGHIJKL"[:count]


PAIR: Final = "pair"

# Maximum letters of an army name on a card or sheet; names up to this length wrap.
NAME_MOST: Final = 120

_ROW: Final = 4.6


# The picture in the heading of each card; reference cards on the same subject have the same.
_PICTURES: Final[Mapping[str, str]] = {
    "X1": "hill",
    "X2": "edge",
    "X3": "CF",
    "X4": "bua",
    "X5": "dice",
    "X5b": "groups",
    "X6": "waterway",
    "X7": "die",
    "X8": "dice",
    "X9": "facing",
    "X10": "Bd",
}


def pair_deck(pair: Pair, words: Words) -> Deck:
    """Return the pair cards of two armies, one set per language.

    Raises:
        UsageError: the name of an army is too long to print.
    """
    for force in (pair.npg, pair.you):
        if len(force.name) > NAME_MOST:
            raise UsageError(
                "the army name {army!r}... is too long; use at most {name_most} letters",
                army=force.name[:40],
                name_most=NAME_MOST,
            )
    several = len(words.each()) > 1
    return Deck(
        name=PAIR,
        title=words("npg.pair.deck"),
        cards=tuple(card for one in words.each() for card in pair_cards(pair, one, several=several)),
        backs="content",
    )


def pair_cards(pair: Pair, words: Words, *, several: bool = False) -> tuple[Card, ...]:
    """Return the pair cards of two armies in one language, without cards that cannot apply."""
    text = CardText(words, pair.rules)
    backs = {Side.NPG: army_list(pair.npg, Side.NPG, text), Side.YOU: army_list(pair.you, Side.YOU, text)}
    found = []
    for name, (make, side) in _MADE.items():
        blocks = tuple(make(PairWords(pair, text)))
        if blocks:
            found.append(
                Card(
                    id=f"{name}-{words.code}" if several else name,
                    title=words(f"npg.pair.{name}.title"),
                    blocks=blocks,
                    back=backs[side],
                    face=FACE,
                    facts={"picture": _PICTURES[name]},
                )
            )
    return tuple(found)


def army_list(force: Force, side: Side, text: CardText) -> tuple[Block, ...]:
    """Return an army for the back of a card: its name, home and aggression, and its elements with counts."""
    say = text.words
    rows = tuple(
        (f"**{count}**", code, f"{say(f'npg.army.troop.{troop.code}')}{' *' if led else ''}")
        for code, troop, count, led in pair_tables.army_rows(force)
    )
    return (
        Paragraph(named(force.name, say), "strong"),
        Paragraph(
            say(
                f"npg.pair.army.{side}{'' if force.camp else '-no-camp'}",
                home=say(f"npg.cards.home.{force.home}"),
                aggression=force.aggression,
            )
        ),
        Table(rows=rows, shares=(0.6, 1.6, 4.0), aligns=(_MIDDLE, _LEFT, _LEFT)),
        Paragraph(say("npg.pair.army.counts", mounted=force.mounted, foot=force.infantry, bad=force.bad_goers), "note"),
    )


def _terrain(tell: PairWords) -> Iterator[Block]:
    """Yield X1: the remaining terrain rolls if the NPG defends."""
    pair, text = tell.pair, tell.text
    if not pair.may_attack(Side.YOU):
        return
    found = pair_tables.terrain_left(pair)
    if found.compulsory:
        yield Results((tuple((said(faces, text), tell.piece(name)) for name, faces in found.compulsory.items()),))
    else:
        yield Paragraph(tell.say("X1.compulsory", piece=tell.piece(found.offered[0])))
    if found.second:
        every = dict.fromkeys(found.second.values())
        if len(every) == 1:
            yield Paragraph(
                tell.say("X1.second", piece=listed(tell, found.second), faces=said(next(iter(every)), text))
            )
        else:
            for terrain, faces in found.second.items():
                yield Paragraph(tell.say("X1.second", piece=tell.piece(terrain), faces=said(faces, text)))
    several = len(found.number) > 1
    for bad, numbers in found.number.items():
        key = ("X1.number-two-bad" if bad else "X1.number-one") if several else "X1.number"
        cells = {outcome: said(throws, text) for outcome, throws in numbers.items()}
        yield Paragraph(tell.say(key, two=cells["2"], three=cells["3"]))
    for one, other in found.either:
        yield Paragraph(tell.say("X1.either", one=tell.piece(one), other=tell.piece(other)))
    most = max(piece.count for piece in found.pieces)
    rows = []
    for piece in found.pieces:
        name = tell.piece(piece.terrain) + (f" {text.signed(piece.added)}" if piece.added else "")
        rows.append((name, *("" if number < piece.count else text("nothing") for number in range(most))))
    head = (tell.say("X1.piece"), *(tell.say("X1.score", number=number + 1) for number in range(most)))
    yield Table(rows=tuple(rows), head=head, shares=(2.2, *(1.0,) * most), min_height=high(len(rows), 30.0))
    fewer = [each for each in found.offered if each in {piece.terrain for piece in found.pieces}]
    if fewer:
        yield Paragraph(tell.say("X1.fewer", piece=listed(tell, fewer)), "note")


def _edge(tell: PairWords) -> Iterator[Block]:
    """Yield X2: the modifiers of the roll for each edge."""
    pair, text = tell.pair, tell.text
    if not pair.may_attack(Side.NPG):
        return
    rows = [
        (f"**{text.signed(each.amount)}** {tell.say(f'edge.{each.clause}')}",) for each in pair_tables.edge_left(pair)
    ]
    rows += [(tell.say("X2.die"),), (tell.say("X2.total"),)]
    head = (tell.say("X2.head"), *(tell.say(f"X2.{edge}") for edge in EDGES))
    yield Table(rows=tuple(rows), head=head, shares=(6.2, 1, 1, 1, 1), min_height=_ROW)


def _camp(tell: PairWords) -> Iterator[Block]:
    """Yield X3: who holds the camp, and the position of the camp."""
    pair = tell.pair
    if not pair.npg.camp:
        return
    found = pair_tables.camp_left(pair)
    yield Heading(tell.say("X3.garrison" if found is not None else "X3.garrison-known"))
    if found is None:
        yield Paragraph(tell.say("X3.no-spear"))
    else:
        yield tell.sum(found)
        yield tell.results({name: found.faces[name] for name in (SPEAR, FOLLOWERS)}, "X3")
    yield Heading(tell.say("X3.place"))
    waters = pair.you.littoral and pair.situation.waterway is not False
    yield Steps(tuple(tell.say(f"X3.{name}") for name in (*(("water",) if waters else ()), "road", "bad", "centre")))


def _town(tell: PairWords) -> Iterator[Block]:
    """Yield X4: the garrison of a built-up area, by its half of the board and by who holds the camp."""
    found = pair_tables.garrison_left(tell.pair)
    if not found:
        return
    same = len({(each.own, each.other, each.type) for each in found}) == 1
    for each in found[:1] if same else found:
        if not same:
            yield Heading(tell.say(f"X4.camp-{each.camp or FOLLOWERS}"))
        cells = ((said(each.own, tell.text), tell.say("X4.own")), (said(each.other, tell.text), tell.say("X4.other")))
        yield Results(tuple((cell,) for cell in cells))
        led = tell.say("X4.general") if each.element.general else ""
        yield Paragraph(tell.say("X4.element", type=f"{each.type}{led}"))
    yield Paragraph(tell.say("X4.note"), "note")


def _landing(tell: PairWords) -> Iterator[Block]:
    """Yield X6: whether the NPG may land."""
    found = pair_tables.landing_left(tell.pair)
    if found is None:
        return
    yield Paragraph(tell.say("X6.when"))
    yield tell.sum(found)
    yield Results((((said(found.faces[ALLOWED], tell.text), tell.say("X6.allowed")),),))
    yield from tell.open(found, ALLOWED)


def _level(tell: PairWords) -> Iterator[Block]:
    """Yield X7: the three aggression levels, with a box for the result."""
    found = pair_tables.level_left(tell.pair)
    yield Paragraph(tell.say("X7.when"))
    yield tell.sum(found)
    yield Results(
        tuple(
            (
                (
                    said(found.faces[level], tell.text),
                    tell.say(
                        "X7.level",
                        level=tell.text(f"level.{level}"),
                        value=tell.text.signed(tell.text.tactics.level_values[level]),
                    ),
                ),
            )
            for level in Level
        )
    )
    yield Heading(tell.say("X7.mark"))
    yield Boxes((tell.say("X7.die"), tell.say("X7.box")))


def _stance(tell: PairWords) -> Iterator[Block]:
    """Yield X8: the stance die's faces for each stance, by NET and PIPs."""
    text = tell.text
    yield Paragraph(tell.say("X8.net"))
    rows = []
    for net in text.tactics.nets():
        cells = []
        for pips, _ in text.tactics.pip_spans():
            faces = pair_tables.stance_left(text.tactics, pips, net)
            parts = [
                f"**{text(f'letter.{stance}')}**{short(faces[stance], text)}" for stance in Stance if faces[stance]
            ]
            cells.append(" ".join(parts))
        rows.append((f"**{text.signed(net)}**", *cells))
    head = (tell.say("X8.head"), *(tell.say("X8.pips", low=low, high=high) for low, high in text.tactics.pip_spans()))
    yield Table(rows=tuple(rows), head=head, shares=(0.8, 2, 2, 2), aligns=(_MIDDLE, _LEFT, _LEFT, _LEFT))


def _match_ups(tell: PairWords) -> Iterator[Block]:
    """Yield X9: the bad match-ups of types that these armies have, for both."""
    pair = tell.pair
    sides = (("npg", pair.npg, pair.you), ("you", pair.you, pair.npg))
    for side, own, other in sides:
        yield Heading(tell.say(f"X9.{side}"))
        rows = pair_tables.match_ups_left(tell.text.tactics, own, other)
        if rows:
            yield Results(tuple(((kind, tell.say("X9.by", types=" ".join(by))),) for kind, by in rows))
        else:
            yield Paragraph(tell.say("X9.none"))
    if pair.may_attack(Side.YOU):
        yield Paragraph(tell.say("X9.swap"), "note")


def _attacks(tell: PairWords) -> Iterator[Block]:
    """Yield X10: the kind of attack and the odds of each NPG type against each player type (SD-5.1)."""
    pair = tell.pair
    sides = ({each.troop.code: each.troop for each in force.elements} for force in (pair.npg, pair.you))
    attackers, defenders = (tuple(each for each in side.values() if each.factor) for side in sides)
    yield Paragraph(tell.text("R20.read"), "note")
    for first in range(0, len(defenders), _ACROSS):
        yield odds_table(tell.text, attackers, defenders[first : first + _ACROSS])
    yield Paragraph(tell.text("R20.counts"), "note")


_ACROSS: Final = 4

# For each card: the function that yields its blocks, and the side whose army is on its back.
_MADE: Final[Mapping[str, tuple[Callable[[PairWords], Iterator[Block]], Side]]] = {
    "X1": (_terrain, Side.NPG),
    "X2": (_edge, Side.NPG),
    "X3": (_camp, Side.NPG),
    "X4": (_town, Side.NPG),
    "X5": (groups_card, Side.YOU),
    "X5b": (groups_apart, Side.YOU),
    "X6": (_landing, Side.YOU),
    "X7": (_level, Side.YOU),
    "X8": (_stance, Side.YOU),
    "X9": (_match_ups, Side.YOU),
    "X10": (_attacks, Side.YOU),
}

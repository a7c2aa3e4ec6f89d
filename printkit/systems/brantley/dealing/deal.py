"""The deal and the placing of hidden cards: hands, turns and their checks, the ninth card, and whose turn it is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from printkit.chance.dice import Dice, ScriptedSource
from printkit.core.errors import DiceError, ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.brantley.dealing.cards import PACK, PlayingCard, read_card

PLAYERS: Final = ("A", "B")
# Zones along one side of the board (BR-105).
ZONES_PER_SIDE: Final = 3

ZONES: Final = tuple(range(1, ZONES_PER_SIDE**2 + 1))
# Cards in a hand: both hands fill all zones but the last (BR-203, BR-208).
HAND_SIZE: Final = (len(ZONES) - 1) // len(PLAYERS)

# Cards that decide a board: two hands and the ninth. A recorded pack may leave out the rest.
CARDS_NEEDED: Final = len(PLAYERS) * HAND_SIZE + 1

# Sides of a hill (BR-Q06).
HILL_SIDES: Final = 4

# The direction in degrees from each player to their opponent's edge.
ENEMY_BEARINGS: Final[Mapping[str, float]] = {"A": -90.0, "B": 90.0}

_TURN: Final = re.compile(r"\s*([A-Za-z])\s+(\S+)\s+(-?[0-9]{1,40})\s*")
_SLOT: Final = re.compile(rf"([aAbB])([1-{HAND_SIZE}])")
_NO_SLOT: Final = re.compile(r"[aAbB][0-9]{1,40}")


class Deal(Struct, frozen=True, kw_only=True):
    """The shuffled pack and each player's hand."""

    pack: tuple[PlayingCard, ...]
    hands: Mapping[str, tuple[PlayingCard, ...]]

    @property
    def ninth(self) -> PlayingCard:
        """Return the ninth card, which no player has seen."""
        return self.pack[CARDS_NEEDED - 1]


class ZoneCard(Struct, frozen=True, kw_only=True):
    """The card of a zone, with its player and turn; a card placed blind has neither.

    ``zone`` and ``turn`` count from 1. ``placed_by`` is A, B or empty. ``card`` is missing (None) if the players agreed
    to leave the zone clear (BR-Q20).
    """

    zone: int
    card: PlayingCard | None
    placed_by: str = ""
    turn: int | None = None

    @property
    def is_blind(self) -> bool:
        """Return whether the zone has a card that was placed face down without a turn."""
        return self.card is not None and self.turn is None


class HiddenZone(Struct, frozen=True):
    """The public facts of a zone before the reveal.

    ``placed_by`` is empty and ``turn`` None for a zone without a card. Zones and turns count from 1.
    """

    zone: int
    placed_by: str
    turn: int | None


def opponent(player: str) -> str:
    """Return the other player: B for A, A for B."""
    return PLAYERS[1 - PLAYERS.index(player)]


def shuffle(dice: Dice, codes: Sequence[str] = ()) -> tuple[PlayingCard, ...]:
    """Return the shuffled pack, the top card first (BR-202).

    The shuffle is logged in ``dice``. The pack has 52 cards, or as many as ``codes``.

    Args:
        codes: the codes of a recorded pack, at least nine, which replace the random cards; empty for a random shuffle.

    Raises:
        DiceError: a card is unknown or listed twice, or there are too few (BR-X06).
    """
    pack_dice = Dice(ScriptedSource(codes, dice.source), dice.stage, dice.log) if codes else dice
    return pack_dice.draw(PACK, len(PACK), Sentence("shuffle of the pack"), "BR-202", minimum=CARDS_NEEDED)


def deal_hands(pack: Sequence[PlayingCard]) -> Deal:
    """Return the hands from a pack: four consecutive cards for each player from the top, A first (BR-Q01).

    Raises:
        DiceError: the pack has fewer than nine cards, or one of them twice (BR-X06).
    """
    if len(pack) < CARDS_NEEDED:
        raise DiceError(
            "the deck has {cards} cards; two hands and the ninth card need {needed}",
            cards=len(pack),
            needed=CARDS_NEEDED,
            clause="BR-X06",
        )
    for card in pack:
        if pack.count(card) > 1:
            raise DiceError("{card} is in the deck {times} times", card=card, times=pack.count(card), clause="BR-X06")
    hands = {player: tuple(pack[index * HAND_SIZE : (index + 1) * HAND_SIZE]) for index, player in enumerate(PLAYERS)}
    return Deal(pack=tuple(pack), hands=hands)


def read_turns(
    lines: Sequence[str], dealt_hands: Deal, first_player: str, *, numbers: Sequence[int] = ()
) -> tuple[ZoneCard, ...]:
    """Return the recorded turns, one per line such as ``A KS 5``: player, card, zone.

    The card may be its number in the hand, for example ``a2``.
    It accepts fewer than eight turns, for a game in progress; ``reveal`` requires all.

    Args:
        lines: one turn each.
        dealt_hands: the hands.
        first_player: who places the first card.
        numbers: the line numbers in the file, for error messages; by default they start at 1.

    Raises:
        ScenarioError: a line cannot be parsed, or breaks BR-X01 to BR-X05; names the line. The message does not reveal
            hidden cards: it is the same for a card placed before and for a card the player never had.
    """
    if len(lines) > CARDS_NEEDED - 1:
        raise _count_error(len(lines))
    turns: list[ZoneCard] = []
    for number, line in zip(numbers or range(1, len(lines) + 1), lines, strict=True):
        match = _TURN.fullmatch(line)
        if match is None or match[1].upper() not in PLAYERS:
            raise ScenarioError(
                "line {number} is {line!r}; write player, card and zone, for example A a1 5",
                number=number,
                line=line,
            )
        player, zone, turn = match[1].upper(), int(match[3]), len(turns) + 1
        expected = next_player(turns, first_player)
        if player != expected:
            raise ScenarioError(
                "line {number}: {player} places a card, but it is {expected}'s turn",
                number=number,
                player=player,
                expected=expected,
                clause="BR-X04",
            )
        if zone not in ZONES:
            raise ScenarioError(
                "line {number}: there is no zone {zone}; zones are 1 to 9", number=number, zone=zone, clause="BR-X01"
            )
        earlier_turn = next((earlier for earlier in turns if earlier.zone == zone), None)
        if earlier_turn is not None:
            raise ScenarioError(
                "line {number}: zone {zone} was taken in turn {turn}",
                number=number,
                zone=zone,
                turn=earlier_turn.turn,
                clause="BR-X02",
            )
        card = _find_card(match[2], player, dealt_hands, number)
        if card is None or any(earlier.card == card for earlier in turns):
            raise ScenarioError(
                "line {number}: {player} has no {letter} in hand, or has already placed it",
                number=number,
                player=player,
                letter=match[2].upper(),
                clause="BR-X03",
            )
        turns.append(ZoneCard(zone=zone, card=card, placed_by=player, turn=turn))
    return tuple(turns)


def next_player(turns: Sequence[ZoneCard], first_player: str) -> str:
    """Return the player who places the next card, after the turns so far.

    ``first_player`` is A or B. After eight turns the result has no meaning.
    """
    return opponent(first_player) if len(turns) % 2 else first_player


def write_turn(turn: ZoneCard, dealt: Deal) -> str:
    """Return a turn as a line without its card: ``A a2 5``, the second card on A's sheet in zone 5.

    Raises:
        StopIteration: the player of the turn was not dealt this card.
    """
    slot = next(slot for slot, card in enumerate(dealt.hands[turn.placed_by], 1) if card == turn.card)
    return f"{turn.placed_by} {turn.placed_by.lower()}{slot} {turn.zone}"


def open_ninth(dealt: Deal, turns: Sequence[ZoneCard]) -> ZoneCard:
    """Return the ninth card in the last empty zone; it has no player and no turn.

    Raises:
        ScenarioError: fewer than eight cards are placed (BR-X20); the message does not name the ninth card.
    """
    if len(turns) != CARDS_NEEDED - 1:
        raise ScenarioError(
            "the ninth card stays hidden until {needed} cards are placed; so far there are {count}",
            needed=CARDS_NEEDED - 1,
            count=len(turns),
            clause="BR-X20",
        )
    used_zones = {turn.zone for turn in turns}
    return ZoneCard(zone=next(zone for zone in ZONES if zone not in used_zones), card=dealt.ninth)


def reveal(dealt: Deal, turns: Sequence[ZoneCard], ninth: str = "blind") -> dict[int, ZoneCard]:
    """Return the card of each zone, by zone number from 1 (BR-209).

    Args:
        dealt: the pack and the hands.
        turns: the eight turns.
        ninth: ``blind``, or ``clear`` if the players agreed to leave the last zone empty (BR-Q20): its card is then
            None.

    Raises:
        ScenarioError: the number of placed cards is not eight (BR-X05).
    """
    if len(turns) != CARDS_NEEDED - 1:
        raise _count_error(len(turns))
    ninth_card = open_ninth(dealt, turns)
    if ninth == "clear":
        ninth_card = ZoneCard(zone=ninth_card.zone, card=None)
    return {zone_card.zone: zone_card for zone_card in sorted((*turns, ninth_card), key=lambda entry: entry.zone)}


def hide_cards(turns: Sequence[ZoneCard]) -> tuple[HiddenZone, ...]:
    """Return the public facts of all nine zones from 1: players and turns, but not cards (BR-T38).

    A zone without a card has no player and no turn.
    """
    by_zone = {turn.zone: turn for turn in turns}
    return tuple(
        HiddenZone(zone, by_zone[zone].placed_by, by_zone[zone].turn) if zone in by_zone else HiddenZone(zone, "", None)
        for zone in ZONES
    )


def _find_card(text: str, player: str, dealt: Deal, line: int) -> PlayingCard | None:
    """Return the card for a code or a number in the hand; None if the player does not have it.

    ``text`` is for example ``KS`` or ``a2``. The number of another player's card returns None too. ``line`` is the line
    number, for messages.

    Raises:
        ScenarioError: there is no such card (BR-X06).
    """
    slot = _SLOT.fullmatch(text)
    if slot is not None:
        return dealt.hands[player][int(slot[2]) - 1] if slot[1].upper() == player else None
    if _NO_SLOT.fullmatch(text) is not None:
        raise ScenarioError(
            "line {line}: a hand has no card {text}; its cards are {own}1 to {own}{most}",
            line=line,
            text=text,
            own=player.lower(),
            most=HAND_SIZE,
            clause="BR-X06",
        )
    try:
        card = read_card(text)
    except DiceError as error:
        raise ScenarioError("line {line}: {error}", line=line, error=error) from None
    return card if card in dealt.hands[player] else None


def _count_error(count: int) -> ScenarioError:
    """Return the error for a reveal when the number of placed cards is not eight (BR-X05)."""
    return ScenarioError(
        "{count} cards were placed; the reveal needs exactly {needed}",
        count=count,
        needed=CARDS_NEEDED - 1,
        clause="BR-X05",
    )


# --- Turn order: roll-offs, placers of features, rivers and roads, and the order of deployment ------------------------


class Deployment(Struct, frozen=True):
    """The players, A or B, who deploy first and move first."""

    deploys_first: str
    moves_first: str


def roll_off(dice: Dice, reason: Sentence, clause: str) -> str:
    """Roll for A, then B, again while they are equal; return the player with the higher score (BR-Q17).

    Each round logs two six-sided dice. ``reason`` and ``clause`` are for the log.
    """
    while True:
        first, second = (
            dice.d6(Sentence("{reason}, player {player}", reason=reason, player=player), clause) for player in PLAYERS
        )
        if first != second:
            return "A" if first > second else "B"


def choose_first_player(rules: Rules, dice: Dice) -> str:
    """Return the player who places the first card, from the setting or a roll-off (BR-Q02, BR-D1).

    A roll-off is logged in ``dice``; the result is A or B.
    """
    if rules.choice("br-q02") == "roll":
        return roll_off(dice, Sentence("who lays the first card"), "BR-D1")
    return rules.choice("br-q02")


def assign_feature_placers(count: int) -> list[str]:
    """Return the placers of ``count`` features in zone order; they alternate, A first (BR-341, BR-Q03)."""
    return [PLAYERS[turn % 2] for turn in range(count)]


# For each die table: the clause of a single course, and the reasons for the count roll and the roll-off.
_COURSE_ROLLS: Final = {
    "rivers": ("BR-402", Sentence("number of rivers"), Sentence("who places the river")),
    "roads": ("BR-502", Sentence("number of roads"), Sentence("who places the road")),
}


def roll_course_placers(stage: str, rules: Rules, dice: Dice) -> tuple[str, ...]:
    """Roll for the number of rivers or roads, and return their placers in turn.

    The clauses are BR-401..403, BR-501..503 and BR-Q11. There are none, one or two: for one, a roll-off decides the
    player; for two, A places first. The dice are logged in ``dice``.

    Args:
        stage: ``rivers`` or ``roads``, the name of the die table.
    """
    clause, count_reason, placer_reason = _COURSE_ROLLS[stage]
    count = int(rules.outcomes(stage).roll(dice, count_reason))
    return (roll_off(dice, placer_reason, clause),) if count == 1 else PLAYERS[:count]


def roll_deployment_order(rules: Rules, dice: Dice) -> Deployment:
    """Return who deploys first and who moves first: rolled or agreed (BR-702, BR-703, BR-Q19).

    The player with the higher score deploys second and moves first.
    """
    winner = rules.choice("br-q19")
    if winner not in PLAYERS:
        winner = roll_off(dice, Sentence("order of deployment"), "BR-702,BR-703")
    return Deployment(deploys_first=opponent(winner), moves_first=winner)

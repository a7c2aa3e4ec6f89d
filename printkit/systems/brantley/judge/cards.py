"""Checks of the pack: deal, hands, turns, the ninth card, the seal, and cards placed by a policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from printkit.chance.dice import Act, Dice, Seeded
from printkit.core.errors import Sentence
from printkit.core.numbers import parse_int
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.dealing.cards import BY_CODE
from printkit.systems.brantley.dealing.closed_game import ClosedGame, dice_seed, pack_commitment
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES
from printkit.systems.brantley.dealing.facts import ZoneFacts, numbers_of, sealed_of, texts_of
from printkit.systems.brantley.dealing.policies import POLICIES, PolicyState
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.courses import roll_off


def pack_of_the_log(case: BrantleyCase) -> tuple[str, ...]:
    """Return the pack in shuffled order.

    Raises:
        UnseenError: neither the log nor the record contains it.
    """
    for throw in case.record.log:
        if throw.stage == "deal" and throw.act is Act.CARD:
            return tuple(throw.answer.split())
    return texts_of(case.detail("deck"))


def hands(case: BrantleyCase) -> Mapping[str, Sequence[str]]:
    """Return the four consecutive cards of the pack for each player (BR-Q01).

    Raises:
        UnseenError: the pack is unknown.
    """
    pack = pack_of_the_log(case)
    return {"A": pack[0:4], "B": pack[4:8]}


def laid(case: BrantleyCase) -> tuple[ZoneFacts, ...]:
    """Return the zones with a card that a player placed, in the order of the turns.

    Raises:
        UnseenError: the record has no turns.
    """
    found = [slot for slot in case.slots if slot.turn is not None]
    if not found:
        raise UnseenError("the record has no turns")
    return tuple(sorted(found, key=lambda slot: slot.turn or 0))


def one_deal(case: BrantleyCase) -> Faults:
    """Check that the deck was shuffled only once, even if it gave little terrain (BR-104)."""
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if len(shuffles) > 1:
        yield Sentence(
            "the deck was shuffled {count} times; a deal counts, however little terrain it gives", count=len(shuffles)
        )


def shuffled(case: BrantleyCase) -> Faults:
    """Check that the log has the shuffle, and that the pack of the record is in the same order (BR-202)."""
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if not shuffles and "deck" not in case.record.details:
        raise UnseenError("the cards of the zones were set, not dealt")
    if not shuffles:
        yield Sentence("the log does not show a shuffle of the deck")
    elif "deck" in case.record.details and texts_of(case.detail("deck")) != tuple(shuffles[0].answer.split()):
        yield Sentence("the deck in the record is not in the order shuffled in the log")


def whole_pack(case: BrantleyCase) -> Faults:
    """Check that the pack has 52 different cards without jokers (BR-201)."""
    pack = pack_of_the_log(case)
    if len(pack) != len(BY_CODE):
        yield Sentence("the deck has {cards} cards, not {whole}", cards=len(pack), whole=len(BY_CODE))
    yield from (
        Sentence("{card} is in the deck {count} times", card=card, count=count)
        for card, count in Counter(pack).items()
        if count > 1
    )
    yield from (Sentence("{card} is not a card of the deck", card=card) for card in pack if card not in BY_CODE)


def four_cards_each(case: BrantleyCase) -> Faults:
    """Check that each recorded hand has the four cards that were dealt (BR-203, BR-Q01)."""
    stated = case.detail("hands")
    for player, hand in hands(case).items():
        held = texts_of(stated.get(player))
        if sorted(held) != sorted(hand):
            yield Sentence(
                "the hand of {player} is {held}, but {hand} was dealt",
                player=player,
                held=" ".join(held) or Sentence("missing"),
                hand=" ".join(hand),
            )


def alternate_turns(case: BrantleyCase) -> Faults:
    """Check that the players alternate, each with cards from their hand (BR-205)."""
    slots = laid(case)
    for earlier, later in pairwise(slots):
        if earlier.placed_by == later.placed_by:
            yield Sentence(
                "turns {earlier_turn} and {later_turn} both belong to {placed_by}",
                earlier_turn=earlier.turn,
                later_turn=later.turn,
                placed_by=later.placed_by,
            )
    for player, hand in hands(case).items():
        for slot in slots:
            if slot.placed_by == player and slot.card not in hand:
                yield Sentence(
                    "turn {turn}: {player} placed {card} in zone {number}, but it is not in their hand",
                    turn=slot.turn,
                    player=player,
                    card=slot.card,
                    number=slot.number,
                )


def one_card_a_zone(case: BrantleyCase) -> Faults:
    """Check that each zone has one card, and each card one zone (BR-206)."""
    case.cards()
    zones = Counter(slot.number for slot in case.slots)
    cards = Counter(slot.card for slot in case.slots if slot.card)
    yield from (
        Sentence("zone {number} has {count} cards", number=number, count=count)
        for number, count in zones.items()
        if count > 1
    )
    yield from (
        Sentence("{card} is in {count} zones", card=card, count=count) for card, count in cards.items() if count > 1
    )


def eight_laid(case: BrantleyCase) -> Faults:
    """Check that there are eight turns, and that they place both hands completely (BR-207)."""
    slots = laid(case)
    turns = [slot.turn for slot in slots]
    if turns != list(range(1, 9)):
        yield Sentence("the turns are {turns}; they must be 1 to 8, one card each", turns=", ".join(map(str, turns)))
    on_board = {slot.card for slot in slots}
    for player, hand in hands(case).items():
        yield from (
            Sentence("{card} from {player}'s hand was not placed", card=card, player=player)
            for card in hand
            if card not in on_board
        )


def blind_ninth(case: BrantleyCase) -> Faults:
    """Check that the ninth card of the pack was placed without a player (BR-208, BR-Q20)."""
    laid(case)
    blind = [slot for slot in case.slots if slot.turn is None]
    if len(blind) != 1:
        yield Sentence("{count} zones were filled without a turn; only the ninth card may be", count=len(blind))
        return
    (slot,) = blind
    if slot.placed_by:
        yield Sentence(
            "zone {number} was filled blind, but the record credits {placed_by}",
            number=slot.number,
            placed_by=slot.placed_by,
        )
    if case.rules.choice("br-q20") == "clear":
        if slot.card and case.reveal(slot.card):
            yield Sentence(
                "zone {number} has {card}, but the players agreed that the last zone is good going",
                number=slot.number,
                card=slot.card,
            )
    elif slot.card not in (ninth := pack_of_the_log(case)[8:9]):
        yield Sentence(
            "zone {number} has {card}; the ninth card of the deck is {ninth}",
            number=slot.number,
            card=slot.card or Sentence("no card"),
            ninth=" ".join(ninth) or Sentence("none"),
        )


def committed(case: BrantleyCase) -> Faults:
    """Check that the sealed data, with salt and pack, give the commitment of the sheets (BR-M13)."""
    seal, salt = case.detail("seal"), case.detail("salt").text()
    stated = seal.need("commitment", Sentence("write the digits printed on the sheets")).text()
    closed, pack = sealed_of(case.record), pack_of_the_log(case)
    if closed is not None and (closed.salt, closed.pack) != (salt, tuple(pack)):
        yield Sentence("salt and deck are not the ones sealed at the deal")
    if closed is not None:
        yield from _otherwise_than_sealed(case, closed)
    found = closed.commitment if closed is not None else pack_commitment(salt, pack)
    if stated != found:
        yield Sentence(
            "the sheets show the commitment {stated}; the cards dealt give {found}",
            stated=stated,
            found=found,
        )


def _otherwise_than_sealed(case: BrantleyCase, closed: ClosedGame) -> Faults:
    """Yield the differences between a record and its seal: dice seed, settings, shapes and first player."""
    if case.record.seed != (due := dice_seed(closed, numbers_of(case.record))):
        yield Sentence(
            "the seed of the dice is {seed}; the seal and the players' numbers give {due}",
            seed=case.record.seed,
            due=due,
        )
    book = case.rules.book
    stated = {setting.key: setting.default for setting in book.settings} | book.current(case.record.settings)
    for key, text in book.current(closed.ruled).items():
        if (now := stated.get(key, Sentence("nothing"))) != text:
            yield Sentence("{key} is {now}; {text} was sealed", key=key, now=now, text=text)
    if case.record.shapes < closed.shapes:
        yield Sentence(
            "the map has version {made} of the shapes, the sealed game {sealed}: another version of "
            "printkit made the map",
            made=case.record.shapes,
            sealed=closed.shapes,
        )
    if (first := case.detail("first").text()) != closed.first:
        yield Sentence("{first} placed the first card; {closed} was sealed", first=first, closed=closed.first)


def revealed_last(case: BrantleyCase) -> Faults:
    """Check that the dice for terrain come after all cards (BR-209)."""
    stages = [throw.stage for throw in case.throws()]
    later = {"features", "hills", "rivers", "roads", "crossings", "order"}
    first = next((place for place, stage in enumerate(stages) if stage in later), len(stages))
    if late := [place for place, stage in enumerate(stages, 1) if stage in ("deal", "placing") and place > first]:
        yield Sentence(
            "line {late} of the log places a card after the reveal began in line {zone}",
            late=late[0],
            zone=first + 1,
        )


def zones_are_numbered(case: BrantleyCase) -> Faults:
    """Check that the nine zones are 1 to 9, and that each feature is in its recorded zone (BR-106)."""
    numbers = sorted({slot.number for slot in case.slots})
    played = any(slot.turn is not None for slot in case.slots)
    if not all(1 <= number <= 9 for number in numbers) or (played and len(numbers) != 9):
        yield Sentence("the zones are {numbers}; they must be 1 to 9", numbers=", ".join(map(str, numbers)))
    for feature in case.ground:
        lies = case.zone_of(feature)
        if feature.origin.zone is not None and feature.origin.zone != lies:
            yield Sentence(
                "{feature} is recorded in zone {zone}, but is in zone {lies}",
                feature=feature.id,
                zone=feature.origin.zone,
                lies=lies,
            )
    for overlay in case.record.battlefield.overlays:
        if overlay.kind == "zone" and (zone := parse_int(overlay.label, len(case.zones))):
            off = overlay.shape.symmetric_difference(case.zones[zone - 1]).area
            if overlay.shape.area and off > case.touch * overlay.shape.length:
                yield Sentence("the square labelled {label} is not zone {label}", label=overlay.label)


def first_placer(case: BrantleyCase) -> Faults:
    """Check who placed the first card (BR-Q02)."""
    first, due = laid(case)[0].placed_by, case.rules.choice("br-q02")
    if due in PLAYERS and first != due:
        yield Sentence("{first} placed the first card; the setting says {due}", first=first, due=due)
    if due == "roll":
        winner, _ = roll_off(case.scores("placing") or case.scores("deal"))
        if first != winner:
            yield Sentence("{first} placed the first card, but {winner} rolled higher", first=first, winner=winner)


CHECKS: Final[Mapping[str, Check]] = {
    "BR-104": one_deal,
    "BR-106": zones_are_numbered,
    "BR-201": whole_pack,
    "BR-202": shuffled,
    "BR-203": four_cards_each,
    "BR-205": alternate_turns,
    "BR-206": one_card_a_zone,
    "BR-207": eight_laid,
    "BR-208": blind_ninth,
    "BR-209": revealed_last,
    "BR-M13": committed,
    "BR-Q01": four_cards_each,
    "BR-Q02": first_placer,
    "BR-Q20": blind_ninth,
}


# --- Checks of automatic players: each card is where its policy places it ---------------------------------------------


def played_by(policy: str, case: BrantleyCase) -> Faults:
    """Check that each turn of a player with this policy is the turn that the policy chooses."""
    players = [player for player in PLAYERS if case.rules.choice(f"policy-{player.lower()}") == policy]
    if not players:
        raise UnseenError("no player used {policy}", policy=policy)
    left = {player: [BY_CODE[code] for code in hand if code in BY_CODE] for player, hand in hands(case).items()}
    empty = list(ZONES)
    for slot in laid(case):
        hand = left.get(slot.placed_by, [])
        if slot.placed_by in players and hand:
            moment = PolicyState(
                player=slot.placed_by,
                turn=slot.turn or 0,
                hand=tuple(hand),
                empty=tuple(empty),
                table=case.table,
                rules=case.rules,
            )
            card, zone = POLICIES[policy](moment, Dice(Seeded(0)))
            if (str(card), zone) != (slot.card, slot.number):
                yield Sentence(
                    "turn {turn}: {placed_by} placed {slot_card} in {number}, not {card} in {zone}",
                    turn=slot.turn,
                    placed_by=slot.placed_by,
                    slot_card=slot.card,
                    number=slot.number,
                    card=card,
                    zone=zone,
                )
        if BY_CODE.get(slot.card) not in hand or slot.number not in empty:
            return
        hand.remove(BY_CODE[slot.card])
        empty.remove(slot.number)


def as_chosen(case: BrantleyCase) -> Faults:
    """Check that the cards and zones on the board are the random choices of the log, turn by turn (BR-M24)."""
    chosen = [throw.answer for throw in case.throws("placing") if throw.act is Act.CHOICE and throw.clause == "BR-M24"]
    players = [player for player in PLAYERS if case.rules.choice(f"policy-{player.lower()}") == "random"]
    random = [slot for slot in laid(case) if slot.placed_by in players]
    if not chosen:
        raise UnseenError("no turn in the log was left to chance")
    played = [text for slot in random for text in (slot.card, str(slot.number))]
    if chosen != played:
        place = next((n for n, (one, two) in enumerate(zip(chosen, played, strict=False)) if one != two), 0)
        yield Sentence(
            "in the log the cards and zones were {chosen}; from number {number} on the board differs",
            chosen=" ".join(chosen),
            number=place + 1,
        )


POLICY_CHECKS: Final[Mapping[str, Check]] = {
    "BR-M24": as_chosen,
    "BR-M25": partial(played_by, "terrain-hungry"),
    "BR-M26": partial(played_by, "clear-centre"),
}

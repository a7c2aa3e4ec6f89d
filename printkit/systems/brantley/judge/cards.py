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
from printkit.systems.brantley.dealing.cards import CARDS_BY_CODE
from printkit.systems.brantley.dealing.closed_game import ClosedGame, dice_seed, pack_commitment, sealed_of
from printkit.systems.brantley.dealing.deal import PLAYERS, ZONES
from printkit.systems.brantley.dealing.facts import Seal, ZoneFacts
from printkit.systems.brantley.dealing.policies import POLICIES, PolicyState
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.courses import decide_roll_off


def find_pack(case: BrantleyCase) -> tuple[str, ...]:
    """Return the codes of the pack in shuffled order, the top card first.

    The log counts more than the record.

    Raises:
        UnseenError: neither the log nor the record contains it.
    """
    for throw in case.record.log:
        if throw.stage == "deal" and throw.act is Act.CARD:
            return tuple(throw.answer.split())
    case.detail("deck")
    return case.facts.deck


def find_hands(case: BrantleyCase) -> Mapping[str, Sequence[str]]:
    """Return the codes of the four consecutive cards of the pack for each player, by A and B (BR-Q01).

    Raises:
        UnseenError: the pack is unknown.
    """
    pack = find_pack(case)
    return {"A": pack[0:4], "B": pack[4:8]}


def find_placed_cards(case: BrantleyCase) -> tuple[ZoneFacts, ...]:
    """Return the zones with a card that a player placed, in the order of the turns.

    Raises:
        UnseenError: the record has no turns.
    """
    slots = [slot for slot in case.slots if slot.turn is not None]
    if not slots:
        raise UnseenError("the record has no turns")
    return tuple(sorted(slots, key=lambda slot: slot.turn or 0))


def check_single_deal(case: BrantleyCase) -> Faults:
    """Check that the deck was shuffled only once, even if it gave little terrain (BR-104).

    It yields at most one sentence.

    Raises:
        UnseenError: the record has no log.
    """
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if len(shuffles) > 1:
        yield Sentence(
            "the deck was shuffled {count} times; a deal counts, however little terrain it gives", count=len(shuffles)
        )


def check_shuffle(case: BrantleyCase) -> Faults:
    """Check that the log has the shuffle, and that the pack of the record is in the same order (BR-202).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: there is no log, or the cards of the zones were set.
    """
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if not shuffles and "deck" not in case.record.details:
        raise UnseenError("the cards of the zones were set, not dealt")
    if not shuffles:
        yield Sentence("the log does not show a shuffle of the deck")
    elif "deck" in case.record.details and case.facts.deck != tuple(shuffles[0].answer.split()):
        yield Sentence("the deck in the record is not in the order shuffled in the log")


def check_pack(case: BrantleyCase) -> Faults:
    """Check that the pack has 52 different cards without jokers (BR-201).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the pack.
    """
    pack = find_pack(case)
    if len(pack) != len(CARDS_BY_CODE):
        yield Sentence("the deck has {cards} cards, not {whole}", cards=len(pack), whole=len(CARDS_BY_CODE))
    yield from (
        Sentence("{card} is in the deck {count} times", card=card, count=count)
        for card, count in Counter(pack).items()
        if count > 1
    )
    yield from (Sentence("{card} is not a card of the deck", card=card) for card in pack if card not in CARDS_BY_CODE)


def check_hands(case: BrantleyCase) -> Faults:
    """Check that each recorded hand has the four cards that were dealt (BR-203, BR-Q01).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the pack or the hands.
    """
    case.detail("hands")
    for player, hand in find_hands(case).items():
        recorded_hand = case.facts.hands.get(player, ())
        if sorted(recorded_hand) != sorted(hand):
            yield Sentence(
                "the hand of {player} is {held}, but {hand} was dealt",
                player=player,
                held=" ".join(recorded_hand) or Sentence("missing"),
                hand=" ".join(hand),
            )


def check_turns_alternate(case: BrantleyCase) -> Faults:
    """Check that the players alternate, each with cards from their hand (BR-205).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the pack or the turns.
    """
    slots = find_placed_cards(case)
    for earlier, later in pairwise(slots):
        if earlier.placed_by == later.placed_by:
            yield Sentence(
                "turns {earlier_turn} and {later_turn} both belong to {placed_by}",
                earlier_turn=earlier.turn,
                later_turn=later.turn,
                placed_by=later.placed_by,
            )
    for player, hand in find_hands(case).items():
        for slot in slots:
            if slot.placed_by == player and slot.card not in hand:
                yield Sentence(
                    "turn {turn}: {player} placed {card} in zone {number}, but it is not in their hand",
                    turn=slot.turn,
                    player=player,
                    card=slot.card,
                    number=slot.number,
                )


def check_one_card_per_zone(case: BrantleyCase) -> Faults:
    """Check that each zone has one card, and each card one zone (BR-206).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the cards.
    """
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


def check_eight_turns(case: BrantleyCase) -> Faults:
    """Check that there are eight turns, and that they place both hands completely (BR-207).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record lacks the pack or the turns.
    """
    slots = find_placed_cards(case)
    turns = [slot.turn for slot in slots]
    if turns != list(range(1, 9)):
        yield Sentence("the turns are {turns}; they must be 1 to 8, one card each", turns=", ".join(map(str, turns)))
    on_board = {slot.card for slot in slots}
    for player, hand in find_hands(case).items():
        yield from (
            Sentence("{card} from {player}'s hand was not placed", card=card, player=player)
            for card in hand
            if card not in on_board
        )


def check_ninth_card(case: BrantleyCase) -> Faults:
    """Check that the ninth card of the pack was placed without a player (BR-208, BR-Q20).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no turns, or no pack if the card was placed blind.
    """
    find_placed_cards(case)
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
        if slot.card and case.look_up_card(slot.card):
            yield Sentence(
                "zone {number} has {card}, but the players agreed that the last zone is good going",
                number=slot.number,
                card=slot.card,
            )
    elif slot.card not in (ninth := find_pack(case)[8:9]):
        yield Sentence(
            "zone {number} has {card}; the ninth card of the deck is {ninth}",
            number=slot.number,
            card=slot.card or Sentence("no card"),
            ninth=" ".join(ninth) or Sentence("none"),
        )


def check_commitment(case: BrantleyCase) -> Faults:
    """Check that the sealed data, with salt and pack, give the commitment of the sheets (BR-M13).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no seal, salt or pack.
    """
    for name in ("seal", "salt"):
        case.detail(name)
    seal, salt, pack = case.facts.seal or Seal(), case.facts.salt, find_pack(case)
    sealed_game = sealed_of(case.facts)
    if sealed_game is not None and (sealed_game.salt, sealed_game.pack) != (salt, tuple(pack)):
        yield Sentence("salt and deck are not the ones sealed at the deal")
    if sealed_game is not None:
        yield from _compare_seal(case, sealed_game)
    computed_code = sealed_game.commitment if sealed_game is not None else pack_commitment(salt, pack)
    if seal.commitment != computed_code:
        yield Sentence(
            "the sheets show the commitment {stated}; the cards dealt give {found}",
            stated=seal.commitment,
            found=computed_code,
        )


def _compare_seal(case: BrantleyCase, sealed_game: ClosedGame) -> Faults:
    """Yield the differences between a record and its seal: dice seed, settings, shapes and first player.

    Raises:
        UnseenError: the record lacks the first player.
    """
    if case.record.seed != (expected_seed := dice_seed(sealed_game, case.facts.numbers)):
        yield Sentence(
            "the seed of the dice is {seed}; the seal and the players' numbers give {due}",
            seed=case.record.seed,
            due=expected_seed,
        )
    book = case.rules.book
    settings = {setting.key: setting.default for setting in book.settings} | book.current(case.record.settings)
    for key, text in book.current(sealed_game.ruled).items():
        if (current := settings.get(key, Sentence("nothing"))) != text:
            yield Sentence("{key} is {now}; {text} was sealed", key=key, now=current, text=text)
    if case.record.shapes < sealed_game.shapes:
        yield Sentence(
            "the map has version {made} of the shapes, the sealed game {sealed}: another version of "
            "printkit made the map",
            made=case.record.shapes,
            sealed=sealed_game.shapes,
        )
    if (first_player := case.read_detail(str, "first")) != sealed_game.first:
        yield Sentence(
            "{first} placed the first card; {closed} was sealed", first=first_player, closed=sealed_game.first
        )


def check_reveal_last(case: BrantleyCase) -> Faults:
    """Check that the dice for terrain come after all cards (BR-209).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    stages = [throw.stage for throw in case.throws()]
    later = {"features", "hills", "rivers", "roads", "crossings", "order"}
    first_later = next((number for number, stage in enumerate(stages) if stage in later), len(stages))
    if late_lines := [
        number for number, stage in enumerate(stages, 1) if stage in ("deal", "placing") and number > first_later
    ]:
        yield Sentence(
            "line {late} of the log places a card after the reveal began in line {zone}",
            late=late_lines[0],
            zone=first_later + 1,
        )


def check_zone_numbers(case: BrantleyCase) -> Faults:
    """Check that the nine zones are 1 to 9, and that each feature is in its recorded zone (BR-106).

    It yields a sentence for each fault; nothing if there is none.
    """
    numbers = sorted({slot.number for slot in case.slots})
    has_turns = any(slot.turn is not None for slot in case.slots)
    if not all(1 <= number <= 9 for number in numbers) or (has_turns and len(numbers) != 9):
        yield Sentence("the zones are {numbers}; they must be 1 to 9", numbers=", ".join(map(str, numbers)))
    for feature in case.ground:
        actual_zone = case.find_zone(feature)
        if feature.origin.zone is not None and feature.origin.zone != actual_zone:
            yield Sentence(
                "{feature} is recorded in zone {zone}, but is in zone {lies}",
                feature=feature.id,
                zone=feature.origin.zone,
                lies=actual_zone,
            )
    for overlay in case.record.battlefield.overlays:
        if overlay.kind == "zone" and (zone := parse_int(overlay.label, len(case.zones))):
            difference = overlay.shape.symmetric_difference(case.zones[zone - 1]).area
            if overlay.shape.area and difference > case.touch_mm * overlay.shape.length:
                yield Sentence("the square labelled {label} is not zone {label}", label=overlay.label)


def check_first_player(case: BrantleyCase) -> Faults:
    """Check who placed the first card (BR-Q02).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no turns, or no log if the dice decide.
    """
    first_player, setting = find_placed_cards(case)[0].placed_by, case.rules.choice("br-q02")
    if setting in PLAYERS and first_player != setting:
        yield Sentence("{first} placed the first card; the setting says {due}", first=first_player, due=setting)
    if setting == "roll":
        winner, _ = decide_roll_off(case.scores("placing") or case.scores("deal"))
        if first_player != winner:
            yield Sentence(
                "{first} placed the first card, but {winner} rolled higher", first=first_player, winner=winner
            )


CHECKS: Final[Mapping[str, Check]] = {
    "BR-104": check_single_deal,
    "BR-106": check_zone_numbers,
    "BR-201": check_pack,
    "BR-202": check_shuffle,
    "BR-203": check_hands,
    "BR-205": check_turns_alternate,
    "BR-206": check_one_card_per_zone,
    "BR-207": check_eight_turns,
    "BR-208": check_ninth_card,
    "BR-209": check_reveal_last,
    "BR-M13": check_commitment,
    "BR-Q01": check_hands,
    "BR-Q02": check_first_player,
    "BR-Q20": check_ninth_card,
}


# --- Checks of automatic players: each card is where its policy places it ---------------------------------------------


def check_policy(policy: str, case: BrantleyCase) -> Faults:
    """Check that each turn of a player with this policy is the turn that the policy chooses.

    It yields a sentence for each other turn. It stops at a turn that its player could not make.

    Args:
        policy: the name of a policy that rolls no dice, such as ``terrain-hungry``.
        case: the record.

    Raises:
        UnseenError: no player used the policy, or the record lacks the pack or the turns.
    """
    players = [player for player in PLAYERS if case.rules.choice(f"policy-{player.lower()}") == policy]
    if not players:
        raise UnseenError("no player used {policy}", policy=policy)
    remaining_cards = {
        player: [CARDS_BY_CODE[code] for code in hand if code in CARDS_BY_CODE]
        for player, hand in find_hands(case).items()
    }
    empty_zones = list(ZONES)
    for slot in find_placed_cards(case):
        hand = remaining_cards.get(slot.placed_by, [])
        if slot.placed_by in players and hand:
            state = PolicyState(
                player=slot.placed_by,
                turn=slot.turn or 0,
                hand=tuple(hand),
                empty=tuple(empty_zones),
                table=case.table,
                rules=case.rules,
            )
            card, zone = POLICIES[policy](state, Dice(Seeded(0)))
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
        if CARDS_BY_CODE.get(slot.card) not in hand or slot.number not in empty_zones:
            return
        hand.remove(CARDS_BY_CODE[slot.card])
        empty_zones.remove(slot.number)


def check_random_turns(case: BrantleyCase) -> Faults:
    """Check that the cards and zones on the board are the random choices of the log (BR-M24).

    It yields at most one sentence, about the first difference.

    Raises:
        UnseenError: the log has no random turn, or the record has no turns.
    """
    logged_choices = [
        throw.answer for throw in case.throws("placing") if throw.act is Act.CHOICE and throw.clause == "BR-M24"
    ]
    players = [player for player in PLAYERS if case.rules.choice(f"policy-{player.lower()}") == "random"]
    random_slots = [slot for slot in find_placed_cards(case) if slot.placed_by in players]
    if not logged_choices:
        raise UnseenError("no turn in the log was left to chance")
    board_choices = [text for slot in random_slots for text in (slot.card, str(slot.number))]
    if logged_choices != board_choices:
        index = next(
            (
                number
                for number, (choice, board_choice) in enumerate(zip(logged_choices, board_choices, strict=False))
                if choice != board_choice
            ),
            0,
        )
        yield Sentence(
            "in the log the cards and zones were {chosen}; from number {number} on the board differs",
            chosen=" ".join(logged_choices),
            number=index + 1,
        )


POLICY_CHECKS: Final[Mapping[str, Check]] = {
    "BR-M24": check_random_turns,
    "BR-M25": partial(check_policy, "terrain-hungry"),
    "BR-M26": partial(check_policy, "clear-centre"),
}

"""The judge on the pack: hands, turns, the ninth card, and what each card put on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from printkit.chance.dice import Act
from printkit.rules.brantley.commitment import commit
from printkit.rules.brantley.judge_case import PLAYERS, Case, Check, Slot, texts
from printkit.rules.brantley.judge_pack import PACK, RANKS
from printkit.rules.brantley.judge_ways import TOLERANCE, Ground
from printkit.rules.judging import Faults, UnseenError
from printkit.terrain.features import Going, Hill


def pack_of_the_log(case: Case) -> tuple[str, ...]:
    """Return the pack in the order shuffled.

    Raises:
        UnseenError: neither the log nor the record says.
    """
    for throw in case.record.log:
        if throw.stage == "deal" and throw.act is Act.CARD:
            return tuple(throw.answer.split())
    return texts(case.detail("deck"))


def hands(case: Case) -> Mapping[str, Sequence[str]]:
    """Return the four cards of each player, from the pack and the order of dealing (BR-Q01).

    Raises:
        UnseenError: the pack is not known.
    """
    pack = pack_of_the_log(case)
    if case.setting("br-q01") == "alternate":
        return {"A": pack[0:8:2], "B": pack[1:8:2]}
    return {"A": pack[0:4], "B": pack[4:8]}


def laid(case: Case) -> tuple[Slot, ...]:
    """Return the zones whose cards were laid by a player, in the order of the turns.

    Raises:
        UnseenError: the record gives no turns.
    """
    found = [slot for slot in case.slots if slot.turn is not None]
    if not found:
        raise UnseenError("the record gives no turns")
    return tuple(sorted(found, key=lambda slot: slot.turn or 0))


def one_deal(case: Case) -> Faults:
    """BR-104: a board is never dealt anew for want of terrain."""
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if len(shuffles) > 1:
        yield f"the pack was shuffled {len(shuffles)} times; a deal stands, however little terrain it gives"


def shuffled(case: Case) -> Faults:
    """BR-202: the log has the shuffle, and the pack of the record is the one it gave."""
    shuffles = [throw for throw in case.throws("deal") if throw.act is Act.CARD]
    if not shuffles and "deck" not in case.record.details:
        raise UnseenError("the cards of the zones were given, not dealt")
    if not shuffles:
        yield "the log has no shuffle of the pack"
    elif "deck" in case.record.details and texts(case.detail("deck")) != tuple(shuffles[0].answer.split()):
        yield "the pack of the record is not in the order that the log shuffled"


def whole_pack(case: Case) -> Faults:
    """BR-201: 52 different cards without jokers."""
    pack = pack_of_the_log(case)
    if len(pack) != len(PACK):
        yield f"the pack has {len(pack)} cards, not {len(PACK)}"
    yield from (f"{card} is in the pack {count} times" for card, count in Counter(pack).items() if count > 1)
    yield from (f"{card} is no card of the pack" for card in pack if card not in PACK)


def four_cards_each(case: Case) -> Faults:
    """BR-203 and BR-Q01: each hand is the four cards that fall to it."""
    stated = case.detail("hands")
    for player, hand in hands(case).items():
        held = texts(stated.get(player))
        if sorted(held) != sorted(hand):
            yield f"the hand of {player} is {' '.join(held) or 'missing'}; dealt were {' '.join(hand)}"


def alternate_turns(case: Case) -> Faults:
    """BR-205: turn by turn the other player, each from his own hand."""
    slots = laid(case)
    for earlier, later in pairwise(slots):
        if earlier.placed_by == later.placed_by:
            yield f"turns {earlier.turn} and {later.turn} are both {later.placed_by}'s"
    for player, hand in hands(case).items():
        for slot in slots:
            if slot.placed_by == player and slot.card not in hand:
                yield f"turn {slot.turn}: {player} laid {slot.card} in zone {slot.number}, which is not of his hand"


def one_card_a_zone(case: Case) -> Faults:
    """BR-206: no zone twice, no card twice."""
    case.cards()
    zones = Counter(slot.number for slot in case.slots)
    cards = Counter(slot.card for slot in case.slots if slot.card)
    yield from (f"zone {number} has {count} cards" for number, count in zones.items() if count > 1)
    yield from (f"{card} lies in {count} zones" for card, count in cards.items() if count > 1)


def eight_laid(case: Case) -> Faults:
    """BR-207: eight turns, and both hands laid out in full."""
    slots = laid(case)
    turns = [slot.turn for slot in slots]
    if turns != list(range(1, 9)):
        yield f"the turns are {', '.join(map(str, turns))}; 1 to 8 are played, one card each"
    on_board = {slot.card for slot in slots}
    for player, hand in hands(case).items():
        yield from (f"{card} of {player}'s hand was not laid" for card in hand if card not in on_board)


def blind_ninth(case: Case) -> Faults:
    """BR-208 and BR-Q20: the ninth card of the pack, laid by nobody."""
    laid(case)
    blind = [slot for slot in case.slots if slot.turn is None]
    if len(blind) != 1:
        yield f"{len(blind)} zones were filled in no turn; one is, by the ninth card"
        return
    (slot,) = blind
    if slot.placed_by:
        yield f"zone {slot.number} was filled blind, yet is put down to {slot.placed_by}"
    if case.setting("br-q20") == "clear":
        if slot.card and case.reveal(slot.card):
            yield f"zone {slot.number} has {slot.card}, but the last zone was agreed to stay good going"
    elif slot.card not in (ninth := pack_of_the_log(case)[8:9]):
        yield f"zone {slot.number} has {slot.card or 'no card'}; the ninth of the pack is {' '.join(ninth) or 'none'}"


def committed(case: Case) -> Faults:
    """BR-M13: salt and pack of a game that was dealt in secret prove the commitment that its sheets bore."""
    seal, salt = case.detail("seal"), case.detail("salt").text()
    stated = seal.need("commitment", "write the sixteen digits that the sheets bore").text()
    found = commit(salt, pack_of_the_log(case))
    if stated != found:
        yield f"the sheets bore the commitment {stated}; salt and pack give {found}"


def revealed_last(case: Case) -> Faults:
    """BR-209: nothing is thrown for terrain before all cards lie, and what they gave is written down."""
    stages = [throw.stage for throw in case.throws()]
    later = {"features", "hills", "rivers", "roads", "crossings", "order"}
    first = next((place for place, stage in enumerate(stages) if stage in later), len(stages))
    if late := [place for place, stage in enumerate(stages, 1) if stage in ("deal", "placing") and place > first]:
        yield f"line {late[0]} of the log still lays cards, after the reveal had begun in line {first + 1}"


def zones_are_numbered(case: Case) -> Faults:
    """BR-106: nine zones with numbers 1 to 9, each feature under the number of the zone where it lies."""
    numbers = sorted({slot.number for slot in case.slots})
    played = any(slot.turn is not None for slot in case.slots)
    if not all(1 <= number <= 9 for number in numbers) or (played and len(numbers) != 9):
        yield f"the zones are {', '.join(map(str, numbers))}; they are 1 to 9"
    for feature in case.ground:
        lies = case.zone_of(feature)
        if feature.origin.zone is not None and feature.origin.zone != lies:
            yield f"{feature.id} is put down to zone {feature.origin.zone}, but lies in zone {lies}"
    for overlay in case.record.battlefield.overlays:
        if overlay.kind == "zone" and overlay.label.isdigit() and 1 <= int(overlay.label) <= 9:
            off = overlay.shape.symmetric_difference(case.zones[int(overlay.label) - 1]).area
            if overlay.shape.area and off > TOLERANCE * case.inch:
                yield f"the square labelled {overlay.label} is not zone {overlay.label}"


def row(rank: str) -> Check:
    """Return the check of one row of the reveal table, BR-301 to BR-313."""

    def check(case: Case) -> Faults:
        for number, card in sorted(case.cards().items()):
            if card[:-1] != rank:
                continue
            due, found = case.reveal(card), case.in_zone(number)
            if due is None:
                yield from (f"{card} in zone {number} is good going, yet {f.id} ({f.kind}) lies there" for f in found)
                continue
            fitting = [feature for feature in found if feature.kind is due.kind]
            if len(fitting) != 1 or len(found) != 1:
                lies = ", ".join(f"{feature.id} ({feature.kind})" for feature in found) or "nothing"
                yield f"{card} in zone {number} puts down one {due.kind}; there is {lies}"
            for feature in fitting:
                if isinstance(feature, Hill) and len(feature.contours) != due.levels:
                    yield f"{feature.id} has {_levels(len(feature.contours))}; {card} makes a hill of {due.levels}"
                if due.going and not _is(feature.going, due.going):
                    yield f"{feature.id} is {feature.going.name} going; {card} makes {due.going} going"

    return check


def good_going_is_empty(case: Case) -> Faults:
    """BR-344: a red card puts nothing on the board."""
    for number, card in sorted(case.cards().items()):
        if case.reveal(card) is None:
            yield from (f"zone {number} has {card}, yet {feature.id} lies there" for feature in case.in_zone(number))


def placers_take_turns(case: Case) -> Faults:
    """BR-341 and BR-Q03: who put down each feature."""
    if not any(feature.origin.placed_by for feature in case.ground):
        raise UnseenError("the record does not say who placed the features")
    for feature, due in _placers(case):
        if feature.origin.placed_by != due:
            yield f"{feature.id} was placed by {feature.origin.placed_by or 'nobody'}; it was {due}'s turn"


def nothing_is_lost(case: Case) -> Faults:
    """BR-M27: the nine cards on the board are the two hands and the ninth, wherever they were laid."""
    if case.setting("br-q20") == "clear":
        raise UnseenError("the last zone was agreed to stay clear")
    pack, cards = pack_of_the_log(case)[:9], case.cards().values()
    missing = Counter(pack) - Counter(cards)
    added = Counter(cards) - Counter(pack)
    if missing or added:
        yield f"on the board are {' '.join(added) or 'none'} too many and {' '.join(missing) or 'none'} too few"


def first_placer(case: Case) -> Faults:
    """BR-Q02: who laid the first card."""
    first, due = laid(case)[0].placed_by, case.setting("br-q02")
    if due in PLAYERS and first != due:
        yield f"{first} laid the first card; by the setting {due} does"
    if due == "roll":
        scores = case.scores("placing") or case.scores("deal")
        winner = "A" if len(scores) >= 2 and scores[-2] > scores[-1] else "B"
        if first != winner:
            yield f"{first} laid the first card; {winner} threw higher"


def _levels(count: int) -> str:
    return "one level" if count == 1 else f"{count} levels"


def _is(going: Going, name: str) -> bool:
    return going.name in (name, "")


def _placers(case: Case) -> Iterator[tuple[Ground, str]]:
    """Yield each feature in the order of its zone with the player whose turn it was."""
    ground = sorted(case.ground, key=case.zone_of)
    match case.setting("br-q03"):
        case "owner":
            owners = {slot.number: slot.placed_by for slot in case.slots}
            first = laid(case)[0].placed_by
            yield from ((feature, owners.get(case.zone_of(feature)) or first) for feature in ground)
        case "per-zone":
            yield from ((feature, PLAYERS[(case.zone_of(feature) - 1) % 2]) for feature in ground)
        case setting:
            shift = 1 if setting == "first=B" else 0
            yield from ((feature, PLAYERS[(turn + shift) % 2]) for turn, feature in enumerate(ground))


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
    **{f"BR-{301 + place}": row(rank) for place, rank in enumerate(RANKS)},
    "BR-341": placers_take_turns,
    "BR-344": good_going_is_empty,
    "BR-M13": committed,
    "BR-M27": nothing_is_lost,
    "BR-Q01": four_cards_each,
    "BR-Q02": first_placer,
    "BR-Q03": placers_take_turns,
    "BR-Q20": blind_ninth,
}

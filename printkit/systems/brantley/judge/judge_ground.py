"""The judge on what the cards put on the board: one feature a black card, of its kind and going, and who placed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.judge.cards import laid, pack_of_the_log
from printkit.systems.brantley.judge.case import PLAYERS, Case, Check
from printkit.systems.brantley.judge.judge_pack import RANKS
from printkit.systems.brantley.judge.ways import Ground
from printkit.terrain.field.features import Going, Hill


def row(rank: str) -> Check:
    """Return the check of one row of the reveal table, BR-301 to BR-313."""

    def check(case: Case) -> Faults:
        for number, card in sorted(case.cards().items()):
            if card[:-1] != rank:
                continue
            due, found = case.reveal(card), case.in_zone(number)
            if due is None:
                yield from (
                    Sentence(
                        "{card} in zone {number} is good going, yet {feature} ({kind}) lies there",
                        card=card,
                        number=number,
                        feature=f.id,
                        kind=f.kind,
                    )
                    for f in found
                )
                continue
            fitting = [feature for feature in found if feature.kind is due.kind]
            if len(fitting) != 1 or len(found) != 1:
                lies = ", ".join(f"{feature.id} ({feature.kind})" for feature in found) or "nothing"
                yield Sentence(
                    "{card} in zone {number} puts down one {kind}; there is {lies}",
                    card=card,
                    number=number,
                    kind=due.kind,
                    lies=lies,
                )
            for feature in fitting:
                if isinstance(feature, Hill) and len(feature.contours) != due.levels:
                    yield Sentence(
                        "{feature} has {levels}; {card} makes a hill of {due}",
                        feature=feature.id,
                        levels=_levels(len(feature.contours)),
                        card=card,
                        due=due.levels,
                    )
                if due.going and not _is(feature.going, due.going):
                    yield Sentence(
                        "{feature} is {going} going; {card} makes {due} going",
                        feature=feature.id,
                        going=feature.going.name,
                        card=card,
                        due=due.going,
                    )

    return check


def good_going_is_empty(case: Case) -> Faults:
    """BR-344: a red card puts nothing on the board."""
    for number, card in sorted(case.cards().items()):
        if case.reveal(card) is None:
            yield from (
                Sentence(
                    "zone {number} has {card}, yet {feature} lies there", number=number, card=card, feature=feature.id
                )
                for feature in case.in_zone(number)
            )


def placers_take_turns(case: Case) -> Faults:
    """BR-341 and BR-Q03: who put down each feature."""
    if not any(feature.origin.placed_by for feature in case.ground):
        raise UnseenError("the record does not say who placed the features")
    for feature, due in _placers(case):
        if feature.origin.placed_by != due:
            yield Sentence(
                "{feature} was placed by {placer}; it was {due}'s turn",
                feature=feature.id,
                placer=feature.origin.placed_by or Sentence("nobody"),
                due=due,
            )


def nothing_is_lost(case: Case) -> Faults:
    """BR-M27: the nine cards on the board are the two hands and the ninth, wherever they were laid."""
    if case.setting("br-q20") == "clear":
        raise UnseenError("the last zone was agreed to stay clear")
    pack, cards = pack_of_the_log(case)[:9], case.cards().values()
    missing = Counter(pack) - Counter(cards)
    added = Counter(cards) - Counter(pack)
    if missing or added:
        yield Sentence(
            "on the board are {added} too many and {missing} too few",
            added=" ".join(added) or Sentence("none"),
            missing=" ".join(missing) or Sentence("none"),
        )


def _levels(count: int) -> str:
    return Sentence("one level") if count == 1 else Sentence("{count} levels", count=count)


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
    **{f"BR-{301 + place}": row(rank) for place, rank in enumerate(RANKS)},
    "BR-341": placers_take_turns,
    "BR-344": good_going_is_empty,
    "BR-M27": nothing_is_lost,
    "BR-Q03": placers_take_turns,
}

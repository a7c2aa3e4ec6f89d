"""A replay of the log proves the clauses about cards, dice and turns: whatever is altered is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial

import pytest
from by_hand import Change, deployment, detail, die, placed_by, slot, then, with_log, without
from msgspec.structs import replace

from printkit import generate
from printkit.chance.dice import Throw
from printkit.core.errors import RecordError
from printkit.kit.check import judge_record, judge_text
from printkit.kit.checks import OwnFaultError
from printkit.kit.registry import find
from printkit.systems.brantley.judge.judge import ROLL_CLAUSES
from printkit.terrain.field.record import Record, read_back, write

SYSTEM = find("brantley")


@cache
def game(seed: int = 1004, **settings: str) -> Record:
    """Return a game of cards; the usual one has a hill of two levels, two rivers and two roads."""
    return generate("brantley", seed=seed, **settings).record


def find_broken(record: Record) -> dict[str, str]:
    return {verdict.clause: "; ".join(verdict.faults) for verdict in judge_record(SYSTEM, read_back(record)).broken}


def with_rolls(change: Callable[[list[Throw]], object]) -> Change:
    """Return the change of a list of all rolls."""

    def spoil(record: Record) -> Record:
        log = list(record.log)
        change(log)
        return replace(record, log=tuple(log))

    return spoil


def place_of(log: list[Throw], start: str) -> int:
    return next(place for place, throw in enumerate(log) if throw.reason.startswith(start))


def dropped(start: str) -> Change:
    return with_rolls(lambda log: log.pop(place_of(log, start)))


def moved_to(start: str, before: str) -> Change:
    return with_rolls(lambda log: log.insert(place_of(log, before), log.pop(place_of(log, start))))


def answered(start: str, answer: str) -> Change:
    return with_log(lambda throw: replace(throw, answer=answer) if throw.reason.startswith(start) else throw)


def added(throw: Throw, before: str) -> Change:
    return with_rolls(lambda log: log.insert(place_of(log, before), throw))


def with_settings(**settings: str) -> Change:
    changed_settings = {key.replace("_", "-"): text for key, text in settings.items()}
    return lambda record: replace(record, settings={**record.settings, **changed_settings})


def two_cards_swapped(record: Record) -> Record:
    cards = {zone["n"]: zone["card"] for zone in record.details["zones"]}
    return then(slot(4, card=cards[5]), slot(5, card=cards[4]))(record)


single_ways = partial(game, 14)
rolled_first = partial(game, 1004, first="roll")
by_policy = partial(game, 1004, policy_a="terrain-hungry", policy_b="clear-centre")

# Clause: the game, and what is altered in its record.
PLANTS: dict[str, tuple[Callable[[], Record], Change]] = {
    "BR-102": (game, with_log(lambda throw: replace(throw, asked="d8") if throw.stage == "order" else throw)),
    "BR-103": (game, moved_to("number of rivers", "order of deployment, player A")),
    "BR-104": (game, with_rolls(lambda log: log.insert(0, log[0]))),
    "BR-201": (game, answered("shuffle", "KS KS")),
    "BR-202": (game, detail("deck", ["KS"])),
    "BR-203": (game, detail("hands", {"A": [], "B": []})),
    "BR-205": (game, slot(5, placed_by="A")),
    "BR-206": (game, slot(9, card="2S")),
    "BR-207": (game, slot(8, turn=9)),
    "BR-208": (game, slot(2, blind=False)),
    "BR-209": (game, moved_to("card of A, turn 1", "number of roads")),
    "BR-321": (game, dropped("slopes of")),
    "BR-322": (game, answered("slopes of", "1")),
    "BR-323": (game, answered("slopes of", "2")),
    "BR-324": (game, answered("slopes of", "3")),
    "BR-325": (game, answered("slopes of", "6")),
    "BR-328": (game, dropped("woods on")),
    "BR-329": (game, answered("woods on", "1")),
    "BR-330": (game, answered("woods on", "3")),
    "BR-331": (game, answered("woods on", "5")),
    "BR-332": (game, moved_to("facing of z9", "slopes of z9")),
    "BR-341": (game, placed_by("z1", "B")),
    "BR-401": (game, answered("number of rivers", "6")),
    "BR-402": (single_ways, placed_by("R1", "A")),
    "BR-403": (game, placed_by("R2", "A")),
    "BR-501": (game, answered("number of roads", "6")),
    "BR-502": (single_ways, placed_by("D1", "A")),
    "BR-503": (game, placed_by("D2", "A")),
    "BR-701": (game, deployment(depth_mm=100.0)),
    "BR-702": (game, deployment(deploys_first="B")),
    "BR-703": (game, deployment(moves_first="A")),
    "BR-D1": (rolled_first, dropped("who lays the first card")),
    "BR-D2": (game, moved_to("woods on z9", "slopes of z9")),
    "BR-D3": (game, added(die("rivers", "roll-off", 3, "BR-402"), "river R1: start")),
    "BR-D4": (game, added(die("roads", "roll-off", 3, "BR-502"), "road D1: start")),
    "BR-D5": (game, added(die("crossings", "crossing X1", 3, "BR-D5"), "order of deployment, player A")),
    "BR-D6": (game, dropped("order of deployment, player B")),
    "BR-M24": (game, two_cards_swapped),
    "BR-M25": (by_policy, two_cards_swapped),
    "BR-M26": (by_policy, slot(1, n=9)),
    "BR-M27": (game, slot(2, card="KD")),
    "BR-Q01": (game, detail("hands", {"A": ["QD", "7C", "9H", "AH"], "B": ["JS", "3H", "QS", "JH"]})),
    "BR-Q02": (game, with_settings(br_q02="B")),
    "BR-Q03": (game, placed_by("z7", "A")),
    "BR-Q04": (game, moved_to("woods on z9", "slopes of z9")),
    "BR-Q05": (game, dropped("woods on")),
    "BR-Q11": (game, then(placed_by("R1", "B"), placed_by("R2", "A"))),
    "BR-Q17": (single_ways, dropped("who places")),
    "BR-Q19": (game, with_settings(br_q19="A")),
    "BR-Q20": (game, with_settings(br_q20="clear")),
}

# Clauses of members: these are named themselves. Another roll has the clause of the first roll that differs.
NAMED = ("BR-202", "BR-203", "BR-205", "BR-206", "BR-207", "BR-208", "BR-701", "BR-702", "BR-703")


@pytest.mark.parametrize("clause", [pytest.param(clause, marks=pytest.mark.clause(clause)) for clause in PLANTS])
def test_what_is_altered_is_found(clause: str) -> None:
    make, spoil = PLANTS[clause]
    assert find_broken(make()) == {}
    found = find_broken(spoil(make()))
    assert clause in found if clause in NAMED else found


def test_each_clause_about_rolls_has_its_plant() -> None:
    assert set(PLANTS) == ROLL_CLAUSES.clauses
    assert set(ROLL_CLAUSES.members.values()) <= {*ROLL_CLAUSES.clauses, "BR-G90"}


def find_states(record: Record) -> set[str]:
    verdicts = judge_record(SYSTEM, record).verdicts
    return {verdict.state for verdict in verdicts if verdict.clause in ROLL_CLAUSES.clauses}


def test_without_a_log_nothing_is_said_of_rolls() -> None:
    assert find_states(game()) == {"kept"}
    bare = replace(game(), log=())
    assert find_states(bare) == {"not judged"}
    assert find_broken(bare) == {}


def test_after_the_first_wrong_roll_nothing_more_is_said_of_rolls() -> None:
    assert find_states(answered("number of rivers", "6")(game())) == {"broken", "not judged"}


@pytest.mark.clause("BR-G90")
def test_members_of_features_are_compared() -> None:
    for name, change in {
        "going": lambda feature: replace(feature, going=SYSTEM.book.going["good"]),
        "throws": lambda feature: replace(feature, origin=replace(feature.origin, throws=(1,))),
        "source": lambda feature: replace(feature, origin=replace(feature.origin, clauses=("BR-301",))),
    }.items():
        lake = change(game().battlefield.find("z1"))
        others = tuple(lake if feature.id == "z1" else feature for feature in game().battlefield.features)
        found = find_broken(replace(game(), battlefield=replace(game().battlefield, features=others)))
        assert f"does not match the log: {name}" in found["BR-G90"]
    assert "but it is not on the board" in find_broken(without("D2")(game()))["BR-G90"]


@pytest.mark.clause("BR-G90")
def test_a_roll_that_no_feature_has_is_lost() -> None:
    number = place_of(list(game().log), "river R2: start") + 1
    features = tuple(
        replace(feature, origin=replace(feature.origin, throws=tuple({*feature.origin.throws} - {number})))
        for feature in game().battlefield.features
    )
    lost = replace(game(), battlefield=replace(game().battlefield, features=features))
    assert f"roll {number} (river R2: start) belongs to no feature" in find_broken(lost)["BR-G90"]


def test_a_feature_moved_by_hand_is_not_compared() -> None:
    moved = replace(placed_by("D2", "A")(game()), hand=({"id": "D2", "move": [1, 1]},))
    assert find_broken(moved) == {}


def test_a_fact_that_differs_is_named_with_both_values() -> None:
    said = find_broken(deployment(deploys_first="B")(game()))["BR-702"]
    assert said == "brantley.deployment.deploys_first is B; the log gives A"


@pytest.mark.clause("BR-G90")
@pytest.mark.parametrize(("member", "value"), [("levels", 3), ("steep", [1]), ("levels", None)])
def test_a_member_of_the_file_that_its_shape_contradicts_is_named(member: str, value: object) -> None:
    tree = json.loads(write(game()))
    hill = next(item for item in tree["features"] if item["id"] == "z9")
    kept = hill["properties"][member]
    hill["properties"][member] = value
    (broken,) = judge_text(json.dumps(tree), {"brantley": SYSTEM}).broken
    assert broken.where == f"{member} of z9 is {'missing' if value is None else value}; its shape gives {kept}"
    # Members of other programs are free, and so is a member that is left out.
    hill["properties"] |= {"fid": 7}
    del hill["properties"][member]
    assert judge_text(json.dumps(tree), {"brantley": SYSTEM}).broken == ()


def test_tables_of_a_scenario_that_are_no_object_are_refused_in_one_line() -> None:
    wrong = replace(game(), details={**game().details, "inputs": [1, 2]})
    with pytest.raises(RecordError, match=r"brantley.inputs"):
        judge_record(SYSTEM, wrong)


def test_an_unexpected_error_of_the_rules_is_a_fault_of_printkit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("no number")

    monkeypatch.setattr(type(SYSTEM), "lay_out", fail)
    with pytest.raises(OwnFaultError, match=r"bug in printkit.*BR-G90 cannot be checked \(TypeError: no number\)"):
        judge_record(SYSTEM, game())

"""Whole games by seed: every policy and option plays, nothing is broken, the same seed gives the same."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import pytest
from drawn_by_hand import Change
from msgspec.structs import replace
from seeded_tables import broken_of, seeded
from tables_by_hand import INCH, book, game, rules, settle, system

from printkit.chance.asking import InteractiveSource
from printkit.chance.dice import Dice, Question, Seeded
from printkit.chance.replaying import ReplaySource
from printkit.chance.streams import Jitter
from printkit.core.errors import RecordError, ScenarioError
from printkit.core.words import catalogue, find_words
from printkit.kit.check import judge_record
from printkit.kit.registry import shapes_of
from printkit.kit.system import Outcome, Scenario
from printkit.systems.acw.judge.judge import ROLL_CLAUSES
from printkit.systems.acw.terms.decks import decks
from printkit.systems.acw.terms.facts import RecordedRoll
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import RollOutcome
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.features import Kind, Origin
from printkit.terrain.field.record import Record, read, write

NAMES = ("farm", "wilderness", "riverside", "mountains", "coastal", "swampy", "plain", "hilly")
SIZES = ((48, 24), (24, 24), (36, 20), (26, 18), (24, 36), (40, 30), (20, 24), (12, 60), (30, 24), (24, 40), (24, 20))
PLAYED = 25
"""Games of the test; eight geographies and eleven sizes go round in turn."""


def play(seed: int, size: tuple[float, float] = (72, 48), dice: Dice | None = None, **given: str) -> Outcome:
    settings = settle(**given)
    board = system().board(size[0] * INCH, size[1] * INCH, settings=settings)
    scenario = Scenario(board=board, settings=settings, seed=seed)
    return system().lay_out(scenario, dice or Dice(Seeded(seed)), Jitter(seed))


def record_of(outcome: Outcome, *, seed: int = 1, inputs: Mapping[str, Any] | None = None, **given: str) -> Record:
    return Record(
        rules="acw",
        battlefield=outcome.battlefield,
        settings=settle(**given),
        seed=seed,
        log=outcome.log,
        details={**outcome.details, **({"inputs": inputs} if inputs else {})},
        shapes=shapes_of("acw"),
    )


@pytest.mark.clause("AC-T45", "AC-211", "AC-212", "AC-N13", "AC-N26", "AC-M3")
def test_games_of_all_geographies_and_sizes_break_nothing() -> None:
    for seed in range(PLAYED):
        geography, size = NAMES[seed % len(NAMES)], SIZES[seed % len(SIZES)]
        record = record_of(play(seed, size, geography=geography), seed=seed, geography=geography)
        assert broken_of(record) == {}, (seed, geography, size)
        if seed < len(NAMES):
            written = write(record)
            assert write(read(written, book().going)) == written
        zones, water = record.details["zones"], record.details["water"]
        assert [(roll["piece"] in ("farm", "settlement"), roll["fate"]) for roll in zones].count((True, "kept")) <= 2
        ends = [text for _, text in record.details["graph"]["roads"]["ends"]]
        assert water is None or not [text for text in ends if text.startswith(f"edge {water['edge']}")]


@pytest.mark.clause("AC-M3", "AC-Q12", "AC-Q15", "AC-Q20", "AC-Q21")
@pytest.mark.parametrize(
    "given",
    [
        {"geography": "riverside", "water": "creek"},
        {"geography": "farm", "choice_policy": "uniform"},
        {"geography": "coastal", "choice_policy": "uniform", "ac_q20": "lanes"},
        {"geography": "swampy", "ac_q21": "1", "choice_policy": "none"},
        {"state": "any"},
    ],
)
@pytest.mark.usefixtures("joined_only")
def test_every_option_plays_and_is_judged_kept(given: dict[str, Any]) -> None:
    for seed, size in ((1, (72, 48)), (2, (110, 70))):
        assert broken_of(seeded(seed, size, **given)) == {}


@pytest.mark.clause("AC-Q08", "AC-303")
@pytest.mark.usefixtures("joined_only")
def test_chance_takes_any_edge_for_the_water() -> None:
    given = {"geography": "coastal", "choice_policy": "none"}
    assert {seeded(seed, **given).details["water"]["edge"] for seed in range(24)} == set("NESW")


@pytest.mark.clause("AC-G09", "AC-D6")
@pytest.mark.usefixtures("joined_only")
def test_the_same_seed_or_log_plays_the_same_game():
    one, other = (play(9, state="any", choice_policy="uniform") for _ in range(2))
    assert one.details == other.details
    again = play(9, dice=Dice(ReplaySource(one.log, Seeded(8))), state="any", choice_policy="uniform")
    assert again.details == one.details
    policies = [play(9, geography="farm", choice_policy=policy) for policy in ("none", "uniform")]
    dice = [[throw.answer for throw in outcome.log if throw.asked == "d6"] for outcome in policies]
    assert dice[0] == dice[1]


@pytest.mark.clause("AC-M3")
@pytest.mark.parametrize(
    ("scores", "piece"),
    [
        ("5 1 2 4 / 6 1 1 5", "stream"),
        ("6 1 2 4 / 6 1 1 5", "unfenced_road"),
        ("6 1 2 4 / 5 1 4 5", "wood"),
        ("6 1 1 4 / 4 1 1 5", "hill"),
        ("6 1 1 4 / 2 4 1 5", "field"),
    ],
)
@pytest.mark.usefixtures("joined_only")
def test_the_tidy_policy_goes_on_from_the_zones_beside(scores: str, piece: str) -> None:
    rolls = game("farm", f"{scores} / 6 6 / 6 6 / 6 6 / 6 6", choice_policy="tidy").details["zones"]
    assert next(roll["piece"] for roll in rolls if roll["fate"] == "chosen") == piece


@pytest.mark.clause("AC-207", "AC-M3", "AC-X06")
@pytest.mark.usefixtures("joined_only")
def test_a_policy_never_takes_a_place_that_would_not_count() -> None:
    for seed in range(12):
        record = seeded(seed, (120, 72), geography="farm", choice_policy="uniform")
        assert "chosen" in [roll["fate"] for roll in record.details["zones"]]
        assert broken_of(record) == {}


@pytest.mark.clause("AC-207", "AC-M3")
@pytest.mark.usefixtures("joined_only")
def test_a_person_at_the_terminal_is_asked_for_each_choice() -> None:
    typed = iter(["1", "1", "1", "5", "castle", "sunken lane"])
    asked: list[Question] = []
    complaints: list[str] = []

    def prompt(question: Question) -> str:
        asked.append(question)
        return next(typed)

    dice = Dice(InteractiveSource(prompt, complaints.append, Seeded(1)))
    outcome = play(1, (24, 24), dice, geography="farm", choice_policy="ask")
    assert outcome.details["zones"][-1]["piece"] == "sunken_lane"
    assert (asked[-1].reason, asked[-1].labels[-1]) == ("CHOICE of zone 1, roll 4", "nothing")
    assert "castle" in complaints[0]


@pytest.mark.clause("AC-Q23")
def test_a_scenario_changes_sizes_and_going():
    profile = PieceProfile.from_rules(rules(), ["wood: size 0.4x0.2 factor 0.5-2 going difficult", "Stream: width 0.1"])
    wood = profile.piece_measure(Piece.WOOD)
    assert (wood.long, wood.short, wood.least, wood.most, wood.going.name) == (0.4, 0.2, 0.5, 2.0, "difficult")
    assert profile.piece_measure(Piece.STREAM).width == 0.1
    assert set(Piece) == set(profile.measures)
    for line in ("Wood", "Volcano: size 1x1", "Wood: size big", "Wood: factor 2-1", "Wood: going muddy"):
        with pytest.raises(ScenarioError):
            PieceProfile.from_rules(rules(), [line])


def detail(*path: str | int, value: object) -> Change:
    """Return the change of a member of the details, by its path."""

    def put(tree: Any, first: str | int, *rest: str | int) -> Any:
        new = put(tree[first], *rest) if rest else value
        if isinstance(tree, Mapping):
            return {**tree, first: new}
        return [new if place == first else item for place, item in enumerate(tree)]

    return lambda found: replace(found, details=put(found.details, *path))


def throw(reason: str, **members: object) -> Change:
    """Return the change of the first roll of the log for something."""

    def change(found: Record) -> Record:
        place = next(place for place, throw in enumerate(found.log) if throw.reason == reason)
        return replace(found, log=(*found.log[:place], replace(found.log[place], **members), *found.log[place + 1 :]))

    return change


def feature(**members: object) -> Change:
    """Return the change of the last feature with a roll."""

    def change(found: Record) -> Record:
        features = list(found.battlefield.features)
        place = max(place for place, item in enumerate(features) if item.origin.throws)
        features[place] = replace(features[place], **members)
        return replace(found, battlefield=replace(found.battlefield, features=tuple(features)))

    return change


ROLL_FAULTS: dict[str, list[Change]] = {
    "AC-103": [
        detail("state", value="Texas"),
        detail("geography", value="farm"),
        detail("table", value=1),
    ],
    "AC-201": [detail("grid", value={"columns": 4, "rows": 2})],
    "AC-204": [throw("zone 2, roll 1", answer="3"), detail("zones", 0, "die", value=3), detail("zones", value=[])],
    "AC-205": [
        detail("zones", 0, "cell", value="Wood"),
        detail("zones", 0, "piece", value="wood"),
        feature(kind=Kind.SWAMP),
        feature(origin=Origin()),
    ],
    "AC-212": [detail("zones", 0, "fate", value="ignored")],
    "AC-303": [detail("water", value=None), detail("water", "edge", value="N")],
    "AC-403": [lambda found: replace(found, log=(*found.log, found.log[-1]))],
    "AC-405": [throw("geography of N. Virginia, N. Carolina", answer="6")],
    "AC-D3": [detail("zones", 0, "throw", value=9)],
    "AC-G09": [lambda found: replace(found, log=found.log[:-1])],
    "AC-211": [detail("graph", value=None)],
    "AC-N02": [detail("graph", "roads", "links", value=[[1, 2, 3, 6]])],
    "AC-N04": [detail("reaches", value=[])],
    "AC-N10": [detail("graph", "roads", "ends", value=[])],
    "AC-N20": [detail("graph", "streams", "mouths", value=[])],
    "AC-N25": [detail("graph", "streams", "sources", value=[])],
    "AC-N30": [detail("graph", "creek", value={"path": [3, 2, 1], "entry_edge": "E", "exit_edge": "W"})],
    "AC-N32": [detail("graph", "rail", value={"axis": "N-S", "path": [1, 4], "branches": []})],
    "AC-N33": [detail("graph", "swamps", value=[])],
}


@pytest.mark.parametrize(
    ("clause", "change"),
    [
        pytest.param(clause, change, marks=pytest.mark.clause(clause))
        for clause, changes in ROLL_FAULTS.items()
        for change in changes
    ],
)
def test_a_change_of_the_log_or_of_what_it_gives_breaks_its_clause(clause: str, change: Change) -> None:
    made = seeded(27, state="Virginia", water="S")
    assert broken_of(made) == {}
    assert clause in broken_of(change(made))


@pytest.mark.clause("AC-210")
def test_two_rolls_in_another_order_are_found() -> None:
    made = seeded(27, state="Virginia", water="S")
    first, *others = (place for place, roll in enumerate(made.log) if roll.reason.startswith("zone 2, roll "))
    log = list(made.log)
    log[first], log[others[0]] = log[others[0]], log[first]
    assert broken_of(replace(made, log=tuple(log)))


def test_a_record_without_a_log_breaks_no_clause_about_rolls() -> None:
    bare = replace(seeded(27, state="Virginia", water="S"), log=())
    verdicts = {verdict.clause: verdict for verdict in judge_record(system(), bare).verdicts}
    assert {verdicts[clause].where for clause in ROLL_CLAUSES.clauses} == {"the record has no log"}
    with pytest.raises(RecordError):
        judge_record(system(), detail("zones", value=[{"zone": 1}])(bare))


def test_of_two_languages_each_has_its_own_cards():
    (deck,) = decks(rules(), find_words("en+es"))
    single = [decks(rules(), find_words(code))[0].cards for code in ("en", "es")]
    assert [card.blocks for card in deck.cards] == [card.blocks for cards in single for card in cards]
    assert len({card.id for card in deck.cards}) == len(deck.cards)


@pytest.mark.clause("AC-A02", "AC-102", "AC-203", "AC-301", "AC-304")
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_dice_tables_are_a_deck_in_every_language(language: str) -> None:
    words = find_words(language)
    (deck,) = decks(rules(), words)
    assert [card.id for card in deck.cards] == ["states", "reminder", *(f"rolls-{name}" for name in NAMES)]
    field, stop, choice = (words(f"acw.{key}") for key in ("piece.field", "cell.stop", "cell.choice"))
    assert deck.cards[2].blocks[0].rows[5][1:] == (field, f"**{stop}**", f"**{stop}**", f"**{choice}**")
    assert deck.cards[0].back[0].rows[-1][1:] == ("F", "P", "P", "P", "H", "H")
    assert {f"acw.title.{name}.{number}" for name in NAMES for number in (1, 2, 3)} <= catalogue(language).keys()
    assert all(words.has(f"acw.piece.{piece.key}") for piece in Piece)


@pytest.mark.clause("AC-204")
def test_the_columns_of_the_dice_tables_are_four_alike_beside_a_narrow_one_of_scores():
    (deck,) = decks(rules(), find_words("en"))
    cards = {card.id: card.blocks[0] for card in deck.cards if card.id != "reminder"}
    states = cards.pop("states")
    assert states.shares[0] > 3 * max(states.shares[1:])
    assert len(set(states.shares[1:])) == 1
    behind = deck.cards[0].back[0]
    assert len(states.rows) - len(behind.rows) in (0, 1)
    for table in cards.values():
        assert [len(row) for row in (table.head, table.shares, *table.rows)] == [5] * 8
        assert table.shares[0] < min(table.shares[1:]) / 2
        assert len(set(table.shares[1:])) == 1


@pytest.mark.clause("AC-204")
@pytest.mark.parametrize(
    ("roll", "die", "fault"),
    [
        (1, 3, ""),
        (4, 3, ""),
        (0, 3, "0 is no roll of a zone"),
        (5, 3, "5 is no roll of a zone"),
        (5, None, ""),
        (-1, None, "-1 is no roll of a zone"),
        (1, 0, "0 is no score of a die"),
        (1, 1, ""),
        (1, 6, ""),
        (1, 7, "7 is no score of a die"),
    ],
)
def test_a_die_of_a_record_has_six_sides_and_is_one_of_the_four_rolls_of_its_zone(
    roll: int, die: int | None, fault: str
) -> None:
    with pytest.raises(ValueError, match=fault) if fault else nullcontext():
        told = RecordedRoll(zone=1, roll=roll, die=die, cell="Wood", fate=RollOutcome.KEPT, key="wood", throw=1)
        assert (told.roll, told.die) == (roll, die)

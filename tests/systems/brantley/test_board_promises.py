"""What every board keeps, seed by seed; and the board itself, its zones and its deployment."""

from __future__ import annotations

import json

import pytest
from playing import BOOK, BRANTLEY, EVERYTHING, RED, play, play_anew

import printkit
from printkit.chance.dice import Dice, Seeded
from printkit.chance.replaying import ReplaySource
from printkit.chance.streams import Jitter
from printkit.core.errors import UsageError
from printkit.kit.system import Outcome, RuleSystem, Scenario
from printkit.terrain.field.features import Area, Course, Feature, Hill, Kind
from printkit.terrain.field.record import Record, write

INCH = 25.4


def record(outcome: Outcome, seed: int = 1) -> Record:
    field, log, details, settings = outcome.battlefield, outcome.log, outcome.details, BOOK.settle({})
    return Record(rules="brantley", settings=settings, seed=seed, battlefield=field, log=log, details=details)


def text(outcome: Outcome, seed: int = 1) -> str:
    return write(record(outcome, seed))


@pytest.mark.clause("BR-M21")
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_board():
    boards = [text(game(seed=seed), seed) for game in (play, play_anew) for seed in (1, 2, 3)]
    assert boards[:3] == boards[3:]
    assert len(set(boards)) == 3


@pytest.mark.clause("BR-M21")
def test_a_log_replays_its_game_whatever_seed_goes_on():
    outcome = play(seed=4)
    source = ReplaySource(outcome.log, Seeded(99))
    same = BRANTLEY.lay_out(scenario(4), Dice(source), Jitter(4))
    assert text(same) == text(outcome)
    assert source.unused_stages() == ()


@pytest.mark.clause("BR-D8")
@pytest.mark.parametrize("stage", ["features", "hills", "order"])
def test_one_stage_can_be_thrown_anew_and_leaves_the_ground_of_the_others(stage):
    outcome = play("4 4 4 4 5 6 1 2", zones=EVERYTHING)
    source = ReplaySource(outcome.log, Seeded(99), frozenset({stage}))
    other = BRANTLEY.lay_out(scenario(1, zones=EVERYTHING), Dice(source), Jitter(1, {stage: 99}))
    hills = [feature.kind is Kind.HILL for feature in outcome.battlefield.features]
    changed = [one != two for one, two in zip(shapes(outcome), shapes(other), strict=True)]
    assert changed == {"features": [not hill for hill in hills], "hills": hills, "order": [False] * 9}[stage]
    assert other.details["zones"] == outcome.details["zones"]


def scenario(seed: int, **inputs: object) -> Scenario:
    return Scenario(board=BRANTLEY.board(), settings=BOOK.settle({}), seed=seed, inputs=inputs)


def shapes(outcome: Outcome) -> list[str]:
    """Return the ground of a board as text."""
    return [feature.outline.wkt for feature in outcome.battlefield.features if isinstance(feature, (Area, Hill))]


@pytest.mark.clause("BR-105", "BR-106", "BR-107")
def test_the_board_is_a_square_in_nine_numbered_zones_with_a_on_the_far_edge():
    board = BRANTLEY.board()
    assert (board.width, board.depth, board.scale.pace, board.scale.base_width) == (609.6, 609.6, 0.254, 40.0)
    overlays = play("5 6 1 2", zones=RED).battlefield.overlays
    zones = {overlay.label: overlay.shape for overlay in overlays if overlay.kind == "zone"}
    assert list(zones) == [str(number) for number in range(1, 10)]
    assert all(zone.area == pytest.approx((8 * INCH) ** 2) for zone in zones.values())
    assert zones["1"].bounds == pytest.approx((0, 16 * INCH, 8 * INCH, 24 * INCH))
    assert zones["6"].bounds == pytest.approx((16 * INCH, 8 * INCH, 24 * INCH, 16 * INCH))
    assert zones["8"].bounds == pytest.approx((8 * INCH, 0, 16 * INCH, 8 * INCH))


@pytest.mark.clause("BR-105")
def test_a_board_that_is_no_square_is_refused():
    with pytest.raises(UsageError, match="is not square"):
        BRANTLEY.board(72 * INCH, 48 * INCH)
    assert BRANTLEY.board(600, 600) == BRANTLEY.board(600)


@pytest.mark.clause("BR-T33", "BR-G71", "BR-G72", "BR-701")
@pytest.mark.parametrize(("side", "depth"), [(24 * INCH, 6 * INCH), (36 * INCH, 9 * INCH), (600.0, 150.0)])
def test_deployment_is_a_quarter_of_the_board_along_both_edges(side, depth):
    outcome = play("5 6 1 2", zones=RED, side=side)
    areas = {o.side: o.shape.bounds for o in outcome.battlefield.overlays if o.kind == "deployment"}
    assert areas["A"] == pytest.approx((0, side - depth, side, side))
    assert areas["B"] == pytest.approx((0, 0, side, depth))
    assert outcome.details["deployment"]["depth_mm"] == pytest.approx(depth)


@pytest.mark.clause("BR-G90")
@pytest.mark.parametrize("seed", range(3))
def test_what_the_record_keeps_is_plain_and_whole(seed):
    outcome = play(seed=seed)
    details = json.loads(json.dumps(outcome.details))
    assert details == outcome.details
    assert set(details) == {"zones", "first", "hands", "deck", "hills", "rivers", "roads", "deployment"}
    assert [zone["n"] for zone in details["zones"]] == list(range(1, 10))
    assert sum(zone["blind"] for zone in details["zones"]) == 1
    for feature in outcome.battlefield.features:
        check_origin(feature, outcome)


def check_origin(feature: Feature, outcome: Outcome) -> None:
    """Fail unless the feature says which clauses, throws and player it comes from."""
    assert set(feature.origin.clauses) <= set(BOOK.clauses)
    assert feature.origin.clauses
    assert feature.origin.placed_by in ("A", "B")
    stages = {outcome.log[place - 1].stage for place in feature.origin.throws}
    if feature.origin.zone is not None:
        assert stages == {"hills" if feature.kind is Kind.HILL else "features"}
        assert any(f"z{feature.origin.zone}" in outcome.log[place - 1].reason for place in feature.origin.throws)
    elif feature.kind in (Kind.RIVER, Kind.ROAD):
        assert stages == {f"{feature.kind}s"}


def test_it_is_a_rule_system_whose_judge_names_every_clause_and_finds_nothing_broken():
    system: RuleSystem = BRANTLEY
    assert system.name == "brantley"
    assert system.stages == ("deal", "placing", "features", "hills", "rivers", "roads", "crossings", "order")
    states = {verdict.clause: verdict.state for verdict in system.judge(record(play()))}
    assert set(states) == set(BOOK.clauses)
    assert "broken" not in states.values()


@pytest.mark.parametrize("seed", [24, 35, 62, 77, 97, 117])
def test_rivers_that_do_not_join_keep_well_apart(seed: int) -> None:
    field = printkit.generate("brantley", seed=seed).record.battlefield
    one, other = (course for course in field.features if isinstance(course, Course) and course.kind is Kind.RIVER)
    assert one.line.distance(other.line) >= one.width / 2 + other.width / 2 + 1.5 * INCH

"""Coming on, bound by bound: what a score allows and obliges, and logs of PIPs replayed to their first fault."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from columns_scene import army, rules
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.core.words import find_words
from printkit.systems.collision.march.columns import Role, read_troops
from printkit.systems.collision.march.duties import BoardPresence, Landing, State, duty_of, duty_rows
from printkit.systems.collision.march.entry import (
    Flag,
    March,
    Spend,
    Step,
    Target,
    command_flag,
    first_fault,
    march_of,
    play_bound,
    read_log,
    replay_bounds,
    spend_cost,
)

PLAIN = rules()
HERE = March(baggage_column=2)
LANDS = March(baggage_column=2, landing=True)
HALF, ON = State(bound=2), State(bound=2, second=BoardPresence.ON)
ENTERING = State(bound=4, second=BoardPresence.ON, third=BoardPresence.PARTLY)
TO_LAND = State(landing=Landing.PLANNED)
SCORES = range(1, 7)


def played(line: str, state: State, march: March = HERE) -> Step:
    """Return one bound played from a state; its number in the line counts for nothing."""
    head, _, spends = line.partition(":")
    bound = read_log([f"defender 1 {head.split()[-1]}: {spends}"])[Role.DEFENDER][0]
    return play_bound(state, replace(bound, number=state.bound), march, PLAIN)


def code(step: Step) -> str:
    """Return the code of what was wrong, or nothing."""
    return "" if step.fault is None else step.fault.code


def told(step: Step) -> tuple[str, int, int, str]:
    """Return the row of a bound, the PIPs that it commits and leaves, and the code of what was wrong."""
    return step.duty.row, step.required_pips, step.left_pips, code(step)


def replayed(*lines: str, march: March = HERE) -> tuple[Step, ...]:
    """Return the defender's log replayed."""
    log = read_log([f"defender {number} {line}" for number, line in enumerate(lines, 1)])
    return replay_bounds(log[Role.DEFENDER], march, PLAIN)


@pytest.mark.clause("CC-T33", "CC-K01", "CC-4.1", "CC-Q14", "CC-E20")
def test_nothing_is_forced_in_the_first_bound_and_nothing_comes_on() -> None:
    assert told(played("6: other 2", State())) == ("CC-K01", 0, 4, "")
    wrong = played("6: column-3 4", State())
    assert wrong.fault is not None
    assert wrong.fault.code == "CC-E20"
    assert "first bound" in wrong.fault.describe(find_words("en"))
    assert "primer turno" in wrong.fault.describe(find_words("es"))


@pytest.mark.clause("CC-T34", "CC-T35", "CC-K07", "CC-K08", "CC-K09", "CC-4.2", "CC-4.6", "CC-E21", "CC-E23")
def test_a_six_brings_column_three_on_four_pips_may_and_three_do_not() -> None:
    six = played("6: column-3 4", ON)
    assert (told(six), six.after.third) == (("CC-K09", 4, 2, ""), BoardPresence.PARTLY)
    assert code(played("6: other 6", ON)) == "CC-E21"
    four = played("4: column-3 4", ON)
    assert (told(four), four.duty.may) == (("CC-K08", 0, 0, ""), "enter")
    assert code(played("4: other 4", ON)) == ""
    three = played("3: column-3 4", ON)
    assert (three.duty.row, three.duty.may, code(three)) == ("CC-K07", "", "CC-E23")
    assert three.fault is not None
    assert three.fault.values == {"b": 2, "spent": 4, "p": 3}
    assert code(played("3: column-3 3", ON)) == "CC-E23"


@pytest.mark.clause("CC-T36", "CC-T37", "CC-T38", "CC-K05", "CC-K06", "CC-4.1")
def test_a_six_that_completes_column_two_starts_column_three_and_a_five_may() -> None:
    assert told(played("6: column-2 1 on, column-3 4", HALF)) == ("CC-K06", 5, 1, "")
    assert code(played("6: column-2 1 on, other 5", HALF)) == "CC-E21"
    assert code(played("6: column-2 3 on, other 3", HALF)) == ""
    not_yet = played("6: column-2 1", HALF)
    assert (told(not_yet), not_yet.after.third) == (("CC-K06", 1, 5, ""), BoardPresence.OFF)
    assert code(played("6: column-2 1, column-3 4", HALF)) == "CC-E20"
    five = played("5: column-2 1 on, column-3 4", HALF)
    assert (told(five), five.duty.may) == (("CC-K05", 1, 0, ""), "enter-after")
    assert code(played("5: column-2 1 on, other 4", HALF)) == ""


@pytest.mark.clause("CC-T39", "CC-K10", "CC-K12", "CC-4.8", "CC-E22", "CC-Q15", "CC-Q31")
def test_a_column_half_on_is_moved_at_the_usual_cost() -> None:
    assert told(played("1: column-3 1", ENTERING)) == ("CC-K10", 1, 0, "")
    assert code(played("1: other 1", ENTERING)) == code(played("4: other 4", HALF)) == "CC-E22"
    assert code(played("2: column-3 1, other 1", ENTERING)) == ""
    assert played("5: column-3 1, other 4", ENTERING).left_pips == 0


@pytest.mark.clause("CC-T40", "CC-T41", "CC-K02", "CC-K03", "CC-6.3", "CC-6.7", "CC-E24", "CC-Q17")
def test_a_landing_takes_four_in_the_first_bound_or_is_lost() -> None:
    step = played("4: landing", TO_LAND, LANDS)
    assert (step.duty.row, step.duty.may, step.left_pips, code(step)) == ("CC-K02", "land", 0, "")
    assert (step.after.third, step.after.landing) == (BoardPresence.ON, Landing.DONE)
    lost = played("3: other 3", TO_LAND, LANDS)
    assert (lost.duty.row, lost.duty.must, lost.after.landing) == ("CC-K03", "lost", Landing.LOST)
    assert code(played("3: landing", TO_LAND, LANDS)) == "CC-E23"
    assert first_fault(replayed("3: column-2 1 on", "4: column-3 4", march=LANDS)) is None
    assert code(replayed("1: other 1", "6: landing", march=LANDS)[-1]) == "CC-E24"
    assert code(played("4: landing", State(), HERE)) == "CC-E20"


@pytest.mark.clause("CC-T42", "CC-K13", "CC-3.5", "CC-3.6", "CC-Q12")
def test_baggage_alone_costs_two() -> None:
    assert code(played("3: baggage, other 1", ON)) == ""
    assert code(played("3: baggage, other 2", ON)) == "CC-E23"
    assert spend_cost(Spend(target=Target.COLUMN_2, pips=1), BoardPresence.OFF, PLAIN) == 1


@pytest.mark.clause("CC-T44", "CC-K14", "CC-5.2", "CC-5.3")
def test_how_the_general_commands_while_his_column_comes_on() -> None:
    march = March(general_column=3, baggage_column=2)
    flags = [
        (State(), march, Flag.OUT),
        (ENTERING, march, Flag.ENTRY_POINT),
        (replace(ENTERING, general_on=True), march, Flag.NORMAL),
        (State(bound=5, second=BoardPresence.ON, third=BoardPresence.ON), march, Flag.NORMAL),
        (State(), March(general_column=2), Flag.ENTRY_POINT),
        (State(), March(general_column=2, general_leads=True), Flag.NORMAL),
        (State(), March(general_column=1), Flag.NORMAL),
    ]
    assert [command_flag(state, general) for state, general, _ in flags] == [flag for *_, flag in flags]
    steps = replayed("1: column-2 1 on", "4: column-3 4", "1: column-3 1 general", "1: column-3 1", march=march)
    assert [step.flag for step in steps] == [Flag.OUT, Flag.OUT, Flag.ENTRY_POINT, Flag.NORMAL]


@pytest.mark.clause("CC-K14", "CC-S01")
def test_what_of_an_army_counts_for_coming_on() -> None:
    def march(**changes: Any) -> March:
        return march_of(army(**changes), read_troops(PLAIN), PLAIN)

    plain = March(general_column=2, general_leads=True, baggage_column=2)
    assert replace(march(general=4), lengths={}) == plain
    columns = {"3-first": 3, "1-last": 1, "": March().baggage_column}
    assert {place: march(baggage=place).baggage_column for place in columns} == columns
    assert March().baggage_column == 0
    assert march(home="littoral", landing=True).landing


@pytest.mark.clause("CC-4.5", "CC-S12")
@pytest.mark.parametrize(
    ("lines", "moves"),
    [
        (("1 6: column-2 4 on",), [1]),
        (("1 3: column-2 3", "2 2: column-2 2 on"), []),
        (("1 3: column-2 1", "2 2: column-2 2 on", "3 6: column-3 4 on"), []),
    ],
)
def test_a_column_that_is_all_on_sooner_than_its_slowest_element_gets_a_note(
    lines: tuple[str, ...], moves: list[int]
) -> None:
    march = march_of(army(), read_troops(PLAIN), PLAIN)
    assert [march.lengths[column].moves for column in (2, 3)] == [2, 1]
    bounds = read_log([f"defender {line}" for line in lines])[Role.DEFENDER]
    steps = replay_bounds(bounds, march, PLAIN)
    assert first_fault(steps) is None
    notes = [note for step in steps for note in step.notes]
    assert [(note.code, note.is_warning, note.values["found"]) for note in notes] == [
        ("CC-4.5", True, n) for n in moves
    ]
    assert not [note for step in replay_bounds(bounds, HERE, PLAIN) for note in step.notes]


@pytest.mark.clause("CC-K04", "CC-K11")
def test_the_other_rows_of_the_table() -> None:
    assert [duty_of(HALF, score, PLAIN).row for score in SCORES] == ["CC-K04"] * 4 + ["CC-K05", "CC-K06"]
    assert [duty_of(ON, score, PLAIN).row for score in SCORES] == ["CC-K07"] * 3 + ["CC-K08"] * 2 + ["CC-K09"]
    everything = State(bound=5, second=BoardPresence.ON, third=BoardPresence.ON)
    assert {duty_of(everything, score, PLAIN).row for score in SCORES} == {"CC-K11"}
    landed = State(bound=2, third=BoardPresence.ON)
    assert {duty_of(landed, score, PLAIN).row for score in SCORES} == {"CC-K04"}
    assert len({row.duty.row for row in duty_rows(PLAIN)}) == len(duty_rows(PLAIN)) == 11


@pytest.mark.clause("CC-Q11", "CC-Q13")
def test_column_two_is_on_with_its_baggage_and_a_six_counts_in_the_bound_that_completes_it() -> None:
    log = replayed("1: column-2 1 troops-on", "4: column-2 1, other 3", "3: baggage 2 on")
    assert [step.after.second for step in log] == [BoardPresence.PARTLY, BoardPresence.PARTLY, BoardPresence.ON]
    assert code(played("6: baggage on, other 4", HALF)) == "CC-E21"
    assert code(played("6: baggage on, column-3 4", HALF)) == ""


@pytest.mark.clause("CC-Q18", "CC-6.5", "CC-6.6", "CC-K03")
def test_a_landing_needs_room_and_no_baggage_on_the_board_before() -> None:
    assert code(played("6: landing, column-2 2", TO_LAND, LANDS)) == ""
    step = played("6: landing, no-room", TO_LAND, LANDS)
    assert (step.duty.row, code(step)) == ("CC-K03", "CC-E20")


@pytest.mark.clause("CC-Q32")
def test_a_six_without_room_is_waived_and_noted() -> None:
    waived = played("6: other 6, no-room", ON)
    assert (waived.duty.row, waived.duty.must, waived.duty.least_pips) == ("CC-K09", "", 0)
    assert (code(waived), [note.code for note in waived.notes]) == ("", ["CC-Q32"])
    assert code(played("4: other 4", waived.after)) == ""
    assert code(played("4: column-3 4, no-room", ON)) == "CC-E20"


@pytest.mark.clause("CC-K15", "CC-4.7")
def test_a_log_is_replayed_up_to_its_first_illegal_entry() -> None:
    steps = replayed("1: other 1", "1: other 1", "6: column-3 4")
    assert [code(step) for step in steps] == ["", "CC-E22"]
    fault = first_fault(steps)
    assert fault is not None
    assert fault.values["b"] == 2
    whole = replayed(
        "6: column-2 3", "3: column-2 1, baggage", "6: column-2 2 on, column-3 4", "1: column-3 1 on", "6: other 6"
    )
    assert first_fault(whole) is None
    assert [step.duty.row for step in whole] == ["CC-K01", "CC-K04", "CC-K06", "CC-K10", "CC-K11"]


@pytest.mark.clause("CC-K15")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("umpire 1 3: other 3", "is not SIDE BOUND SCORE"),
        ("defender 1 7: other 3", "is not SIDE BOUND SCORE"),
        ("defender 2 3: other 3", "the next bound must be bound 1 of the defender"),
        ("defender 1 3: horses 3", "is not valid; spend PIPs on"),
        ("defender 1 3: column-2", "has no number of PIPs"),
        ("defender 1 3: column-2 1 home", "unknown word 'home'"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read_log([line])


# --- Chances, by counting ---------------------------------------------------------------------------------------------


def entering(*, forced: bool) -> list[int]:
    """Return the scores on which column 3 comes on: as soon as it may, or only when it must."""
    duties = {score: duty_of(ON, score, PLAIN) for score in SCORES}
    return [score for score, duty in duties.items() if "enter" in ((duty.must,) if forced else (duty.may, duty.must))]


@pytest.mark.clause("CC-P03", "CC-P04", "CC-P05", "CC-4.2", "CC-4.6")
@pytest.mark.parametrize(
    ("forced", "bounds", "by_each_bound"),
    [(False, 2, "1/2 3/4 7/8 15/16 31/32"), (True, 6, "1/6 11/36 91/216 671/1296 4651/7776")],
)
def test_in_how_many_bounds_column_three_comes_on(forced: bool, bounds: int, by_each_bound: str) -> None:
    chance = Fraction(len(entering(forced=forced)), 6)
    assert 1 / chance == bounds
    wanted = [Fraction(share) for share in by_each_bound.split()]
    assert [1 - (1 - chance) ** bound for bound in range(1, 6)] == wanted


@pytest.mark.clause("CC-P04")
def test_coming_on_as_soon_as_allowed_leaves_one_pip_on_the_mean() -> None:
    left = [played(f"{score}: column-3 4", ON).left_pips for score in entering(forced=False)]
    assert Fraction(sum(left), len(left)) == 1


@pytest.mark.clause("CC-P06", "CC-P09", "CC-6.3")
def test_half_the_scores_let_land_and_a_column_half_on_leaves_two_and_a_half_pips() -> None:
    assert [score for score in SCORES if duty_of(TO_LAND, score, PLAIN).may == "land"] == [4, 5, 6]
    assert sum(SCORES) == Fraction(7, 2) * 6
    free = [score - duty_of(ENTERING, score, PLAIN).required_pips(completed=False) for score in SCORES]
    assert Fraction(sum(free), 6) == Fraction(5, 2)


states = st.builds(
    State,
    bound=st.integers(1, 6),
    second=st.sampled_from([BoardPresence.PARTLY, BoardPresence.ON]),
    third=st.sampled_from(list(BoardPresence)),
    landing=st.sampled_from(list(Landing)),
)


@pytest.mark.clause("CC-4.8", "CC-K06", "CC-K09")
@given(states, st.integers(1, 6), st.booleans(), st.booleans())
def test_every_state_has_a_row_that_the_score_can_pay(state: State, score: int, room: bool, completed: bool) -> None:
    duty = duty_of(state, score, PLAIN, room=room)
    assert duty.required_pips(completed=completed) <= score

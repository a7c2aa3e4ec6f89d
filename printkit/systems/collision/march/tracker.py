"""The tracker of a game: play bounds one by one, show what each allows and requires, take the last back (CC-K)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.collision.march.column_text import said
from printkit.systems.collision.march.columns import LANDS, Army, Role, read_troops
from printkit.systems.collision.march.duties import BoardPresence, BoundDuty, Landing, State, duty_of
from printkit.systems.collision.march.entry import (
    March,
    Step,
    command_flag,
    first_fault,
    march_of,
    read_log,
    replay_bounds,
)


class Tracker(Struct, frozen=True, kw_only=True):
    """A game in progress: rules, known armies, and a line for each bound in the order played."""

    rules: Rules
    armies: Mapping[Role, Army]
    lines: tuple[str, ...] = ()

    def steps(self, role: Role) -> tuple[Step, ...]:
        """Return the replayed bounds of a side, up to and with the first illegal one.

        Raises:
            ScenarioError: a line cannot be parsed.
        """
        return replay_bounds(read_log(self.lines).get(role, ()), self.march(role), self.rules)

    def march(self, role: Role) -> March:
        """Return what matters for the entry of a side's army: columns of general and baggage, and a landing.

        For an unknown army the baggage is at the end of column 2.
        """
        army = self.armies.get(role)
        return March(baggage_column=2) if army is None else march_of(army, read_troops(self.rules), self.rules)

    def state(self, role: Role) -> State:
        """Return the state of a side at the start of its next bound."""
        steps = self.steps(role)
        if steps:
            return steps[-1].after
        return State(landing=Landing.PLANNED if self.march(role).landing else Landing.NONE)

    def duty(self, role: Role, score: int, *, room: bool = True) -> BoundDuty:
        """Return what a PIP score allows and requires in a side's next bound.

        ``room`` is True if column 3 has space to enter or to land.
        """
        return duty_of(self.state(role), score, self.rules, room=room)

    def with_bound(self, role: Role, score: int, spending: str, words: Words) -> Tracker:
        """Return the game with a side's next bound played; the game itself and its file do not change.

        ``spending`` is as in a line of the log after the colon; empty if no PIPs are spent. ``words`` is the language
        of errors. ``score`` is the side's PIP die, 1 to 6.

        Raises:
            ScenarioError: the spending cannot be parsed, or breaks a rule; the message names it.
        """
        line = f"{role.value} {self.state(role).bound} {score}: {spending}".rstrip(" :")
        game = replace(self, lines=(*self.lines, line))
        fault = first_fault(game.steps(role))
        if fault is not None:
            raise ScenarioError("{fault} Nothing was recorded", fault=fault.line(words))
        return game

    def without_last_bound(self, role: Role | None) -> tuple[Tracker, str]:
        """Return the game without its last bound, or without the last of one side, and that bound's line.

        A role of None means the last bound of the game. The game itself and its file do not change.

        Raises:
            ScenarioError: there is no bound.
        """
        indices = [index for index, line in enumerate(self.lines) if role is None or line.startswith(f"{role.value} ")]
        if not indices:
            raise ScenarioError("there is no bound to take back")
        return replace(self, lines=self.lines[: indices[-1]] + self.lines[indices[-1] + 1 :]), self.lines[indices[-1]]


def duty_lines(game: Tracker, role: Role, score: int, words: Words, *, room: bool = True) -> Iterator[str]:
    """Yield lines with the state of a side and the duties of its next bound for a PIP score.

    ``room`` is True if column 3 has space to enter or to land. The last line has the least PIPs to spend. The lines are
    in the language of ``words``. Nothing is played.
    """
    state, duty = game.state(role), game.duty(role, score, room=room)
    values = said(game.rules, words)
    yield words("columns.tell.bound", side=_side_name(game, role, words), bound=state.bound, pips=score, row=duty.row)
    yield f"  {_state_text(game, role, state, words)}"
    for name, text in (("may", duty.may), ("must", duty.must)):
        duty_text = words(f"columns.duty.{name}.{text or 'none'}", **values)
        yield f"  {words(f'columns.sheet.{name}')}: {duty_text}"
    least = str(duty.least_pips)
    if duty.completed_least:
        least = words("columns.row.or-done", least=duty.least_pips, done=duty.completed_least)
    yield f"  {words('columns.sheet.least')}: {least}"


def step_lines(game: Tracker, role: Role, words: Words) -> Iterator[str]:
    """Yield lines about the last bound of a side: spending, columns that entered, and the new state.

    The side has at least one bound.
    """
    step = game.steps(role)[-1]
    target_texts = ", ".join(f"{_target_text(target.value, words)} {pips}" for target, pips in step.pips.items()) or "–"
    yield words("columns.tell.spent", spent=target_texts, left=step.left_pips)
    before, after = step.before, step.after
    for column, was, now in ((2, before.second, after.second), (3, before.third, after.third)):
        if was is not now:
            has_landed = column == LANDS and after.landing is Landing.DONE and before.landing is not Landing.DONE
            key = "landed" if has_landed else ("enters" if was is BoardPresence.OFF else "whole")
            yield words(f"columns.tell.{key}", n=column)
            if key == "enters" and now is BoardPresence.ON:
                yield words("columns.tell.whole", n=column)
    if before.landing is Landing.PLANNED and after.landing is Landing.LOST:
        yield words("columns.duty.must.lost")
    for note in step.notes:
        yield note.line(words)
    yield words("columns.tell.next", bound=after.bound, state=_state_text(game, role, after, words))


def show_lines(game: Tracker, words: Words, sides: Iterable[Role] = Role) -> Iterator[str]:
    """Yield for each side in ``sides`` its name, a line for each of its bounds, and a line with its state."""
    for role in sides:
        yield _side_name(game, role, words)
        for step in game.steps(role):
            target_texts = (
                ", ".join(f"{_target_text(target.value, words)} {pips}" for target, pips in step.pips.items()) or "–"
            )
            spending_text = words("columns.tell.spent", spent=target_texts, left=step.left_pips)
            bound_text = f"{words('columns.track.bound')} {step.bound.number}, {step.bound.score}"
            yield f"  {bound_text} ({step.duty.row}): {spending_text}"
        state = game.state(role)
        yield f"  {words('columns.tell.next', bound=state.bound, state=_state_text(game, role, state, words))}"


def facts(game: Tracker) -> dict[str, object]:
    """Return the log and the state of both sides as plain values for JSON.

    The keys are ``lines``, ``defender`` and ``attacker``. A side has the number of its next bound, the states of
    columns, landing and general, and under ``duties`` what each score 1 to 6 (as text) allows and requires.
    """

    def side(role: Role) -> dict[str, object]:
        """Return the state of a side by name, and its ``duties`` by PIP score as text, ``1`` to ``6``."""
        state = game.state(role)
        return {
            "bound": state.bound,
            "column-2": state.second.value,
            "column-3": state.third.value,
            "landing": state.landing.value,
            "general": command_flag(state, game.march(role)).value,
            "duties": {
                str(score): {"row": duty.row, "may": duty.may, "must": duty.must, "least": duty.least_pips}
                for score in range(1, 7)
                for duty in (game.duty(role, score),)
            },
        }

    return {"lines": list(game.lines), **{role.value: side(role) for role in Role}}


def _state_text(game: Tracker, role: Role, state: State, words: Words) -> str:
    """Return the state of a side in words: its columns and the command of its general."""
    flag = command_flag(state, game.march(role))
    return words(
        "columns.tell.state",
        second=words(f"columns.sheet.{state.second.value}"),
        third=words(f"columns.sheet.{state.third.value}"),
        general=words(f"columns.tell.general-{flag.value}"),
    )


def _side_name(game: Tracker, role: Role, words: Words) -> str:
    """Return the name of a side, with the name of its army if that is known."""
    army = game.armies.get(role)
    who = words(f"sides.role-title.{role.value}")
    return who if army is None else f"{who} ({army.name})"


def _target_text(name: str, words: Words) -> str:
    """Return the name of a target of PIPs in words."""
    if name.startswith("column-"):
        return words("columns.sheet.column", n=name[-1])
    return words(f"columns.tell.on-{name}")

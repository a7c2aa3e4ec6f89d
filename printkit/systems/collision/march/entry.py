"""PIP logs: parse one line a bound, and replay them up to the first illegal entry (CC-K12 to K15, CC-E20 to E24)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Army, Role, Troops
from printkit.systems.collision.march.columns_check import EntryLength, Fault, Key, Value, entry_length
from printkit.systems.collision.march.duties import BoardPresence, BoundDuty, Landing, State, duty_of

_SECOND, _THIRD = 2, 3


class Target(StrEnum):
    """What PIPs are spent on."""

    COLUMN_1 = "column-1"
    COLUMN_2 = "column-2"
    COLUMN_3 = "column-3"
    BAGGAGE = "baggage"
    LANDING = "landing"
    OTHER = "other"


class Flag(StrEnum):
    """The general's command (CC-K14): out of range, measured from the entry point, or normal."""

    OUT = "out"
    ENTRY_POINT = "entry-point"
    NORMAL = "normal"


class Spend(Struct, frozen=True, kw_only=True):
    """PIPs spent on a target.

    Attributes:
        completes: whether all of the column is on the board after it.
        general: whether the general entered with it.
    """

    target: Target
    pips: int = 0
    completes: bool = False
    general: bool = False


class EntryBound(Struct, frozen=True, kw_only=True):
    """A bound as a player logs it; ``room`` is False if column 3 had no space at the edge or on the shore."""

    number: int
    score: int
    spends: tuple[Spend, ...] = ()
    room: bool = True


class March(Struct, frozen=True, kw_only=True):
    """The facts of an army that matter for its entry: columns of general and baggage, and a landing.

    Attributes:
        general_leads: whether the general is on the lead of column 2, which is on the board from the start.
        lengths: the length of columns 2 and 3 off the board, with their speed; empty for an unknown army.
    """

    general_column: int = 1
    general_leads: bool = False
    baggage_column: int = 0
    landing: bool = False
    lengths: Mapping[int, EntryLength] = {}


class Step(Struct, frozen=True, kw_only=True):
    """A replayed bound.

    Attributes:
        before: the state at its start.
        duty: the row of the table.
        pips: the PIPs by target.
        required_pips: the PIPs that the player had to spend.
        after: the state at the start of the next bound.
    """

    before: State
    bound: EntryBound
    duty: BoundDuty
    flag: Flag
    pips: dict[Target, int]
    required_pips: int
    after: State
    fault: Fault | None = None
    notes: tuple[Fault, ...] = ()

    @property
    def spent_pips(self) -> int:
        """Return the total of PIPs spent in the bound."""
        return sum(self.pips.values())

    @property
    def left_pips(self) -> int:
        """Return the PIPs of the bound that were not spent; negative if too many were spent."""
        return self.bound.score - self.spent_pips


def march_of(army: Army, troops: Troops, rules: Rules) -> March:
    """Return the facts of an army that matter for its entry; ``troops`` has depths and moves."""
    general = army.general
    column = next((number for number in (1, 2, 3) if general and general.id in army.column(number)), 1)
    leads = general is not None and army.column(2)[:1] == (general.id,)
    return March(
        general_column=column,
        general_leads=leads,
        baggage_column=army.baggage_column,
        landing=army.landing > 0,
        lengths={column: entry_length(army, column, troops, rules) for column in (_SECOND, _THIRD)},
    )


def command_flag(state: State, march: March) -> Flag:
    """Return the general's command at the start of a bound (CC-5.2, CC-5.3, CC-K14).

    It is out while the general's column is off the board, at the entry point while it is partly on and the general is
    not, otherwise normal.
    """
    presence = {2: state.second, 3: state.third}.get(march.general_column, BoardPresence.ON)
    is_on = state.general_on or march.general_leads
    if presence is BoardPresence.OFF:
        return Flag.OUT
    return Flag.ENTRY_POINT if presence is BoardPresence.PARTLY and not is_on else Flag.NORMAL


def spend_cost(spend: Spend, third: BoardPresence, rules: Rules) -> int:
    """Return the cost of a spend in PIPs: those in the log, but at least the price of its target.

    A column that is already partly on has no price. ``third`` is the state of column 3. The clauses are CC-4.2, CC-6.3,
    CC-Q12 and CC-Q15.
    """
    if spend.target is Target.LANDING:
        return max(spend.pips, rules.whole("landing_pips"))
    if spend.target is Target.COLUMN_3 and third is BoardPresence.OFF:
        return max(spend.pips, rules.whole("entry_pips"))
    if spend.target is Target.BAGGAGE:
        return max(spend.pips, rules.whole("baggage_pips"))
    return spend.pips


def replay_bounds(bounds: Iterable[EntryBound], march: March, rules: Rules) -> tuple[Step, ...]:
    """Return the replayed bounds of one side in order, up to and with the first illegal one; empty without bounds.

    Only the last step can have a fault, and its ``after`` is then not a valid state.

    Args:
        bounds: the bounds of one side, from its first; ``read_log`` returns them by side.
        march: the facts of that side's army: columns of general and baggage, and whether it lands.
        rules: the rules of the game.
    """
    state = State(landing=Landing.PLANNED if march.landing else Landing.NONE)
    steps: list[Step] = []
    moves: Counter[int] = Counter()
    for bound in bounds:
        step = play_bound(state, bound, march, rules)
        step = replace(step, notes=(*step.notes, *_check_moves(step, moves, march)))
        steps.append(step)
        if step.fault is not None:
            break
        state = step.after
    return tuple(steps)


def _check_moves(step: Step, moves: Counter[int], march: March) -> Iterator[Fault]:
    """Yield a note for each column that is all on after fewer moves than its slowest element needs (CC-4.5).

    ``moves`` has the bounds in which each column moved; the function counts this bound too. A landing needs no moves.
    """
    before, after = step.before, step.after
    for column, target, was, now in (
        (_SECOND, Target.COLUMN_2, before.second, after.second),
        (_THIRD, Target.COLUMN_3, before.third, after.third),
    ):
        moves[column] += target in step.pips
        length = march.lengths.get(column)
        is_completed = now is BoardPresence.ON and was is not now and Target.LANDING not in step.pips
        if length is not None and is_completed and moves[column] < length.moves:
            values = {"b": step.bound.number, "c": column, "found": moves[column], "needed": length.moves}
            yield Fault("CC-4.5", {**values, "speed": length.speed})


def first_fault(steps: Sequence[Step]) -> Fault | None:
    """Return the fault of the first illegal entry of a log, or None."""
    return next((step.fault for step in steps if step.fault is not None), None)


def play_bound(state: State, bound: EntryBound, march: March, rules: Rules) -> Step:
    """Return a bound played from a state, with its fault if it is illegal.

    PIPs are spent in the order of the log, because column 3 may only follow when all of column 2 is on. The first of
    several faults counts. Their order: an impossible entry or landing, too many PIPs, too few for a partly entered
    column, no entry on a 6.
    """
    duty = duty_of(state, bound.score, rules, room=bound.room)
    columns = _BoundColumns(state=state, bound=bound, march=march, rules=rules)
    for spend in bound.spends:
        columns.spend_pips(spend)
    completed = state.second is BoardPresence.PARTLY and columns.second is BoardPresence.ON
    must_enter = _must_enter(duty, columns, completed=completed)
    fault = (
        columns.fault
        or _check_overspent(columns)
        or _check_too_little(duty, columns)
        or _check_entry(columns, must=must_enter)
    )
    is_waived = (
        bound.score == rules.whole("forcing_score")
        and state.bound > 1
        and not bound.room
        and columns.second is BoardPresence.ON
        and columns.third is BoardPresence.OFF
    )
    return Step(
        before=state,
        bound=bound,
        duty=duty,
        flag=command_flag(state, march),
        pips=columns.pips,
        required_pips=duty.required_pips(completed=completed and must_enter),
        after=columns.next_state(),
        fault=fault,
        notes=(Fault("CC-Q32", {"b": bound.number, "p": bound.score}),) if is_waived else (),
    )


class _BoundColumns:
    """The columns during a bound."""

    def __init__(self, *, state: State, bound: EntryBound, march: March, rules: Rules) -> None:
        self.state, self.bound, self.march, self.rules = state, bound, march, rules
        self.second, self.third, self.landing = state.second, state.third, state.landing
        self.general_on = state.general_on
        self.pips: dict[Target, int] = {}
        self.moved = {2: 0, 3: 0}
        self.before_completion = 0
        self.fault: Fault | None = None

    def spend_pips(self, spend: Spend) -> None:
        """Spend PIPs on a target: move its column, or record a fault if it may not enter or land."""
        cost = spend_cost(spend, self.third, self.rules)
        self.pips[spend.target] = self.pips.get(spend.target, 0) + cost
        self.general_on = self.general_on or spend.general
        baggage = spend.target is Target.BAGGAGE
        if spend.target is Target.LANDING:
            self._land()
        elif spend.target is Target.COLUMN_2 or (baggage and self.march.baggage_column == _SECOND):
            self.moved[2] += cost
            if self.second is BoardPresence.PARTLY:
                self.before_completion += cost
            self.second = BoardPresence.ON if spend.completes else self.second
        elif spend.target is Target.COLUMN_3 or (
            baggage and self.march.baggage_column == _THIRD and self.third is not BoardPresence.OFF
        ):
            self.moved[3] += cost
            if self.third is BoardPresence.OFF:
                self._enter()
            self.third = BoardPresence.ON if spend.completes else self.third

    def _enter(self) -> None:
        """Let column 3 enter, or record a fault if it may not (CC-4.1)."""
        why = ""
        if self.bound.number == 1:
            why = "first"
        elif self.second is not BoardPresence.ON:
            why = "column-2"
        elif not self.bound.room:
            why = "room"
        self._refuse(why)
        self.third = BoardPresence.PARTLY

    def _land(self) -> None:
        """Land column 3, or record a fault if it may not; all of it is then on the board (CC-6.2 to 6.7)."""
        if self.bound.number > 1:
            self.fault = self.fault or Fault("CC-E24", {"b": self.bound.number})
            return
        why = ""
        if self.landing is not Landing.PLANNED or self.third is not BoardPresence.OFF:
            why = "no-landing"
        elif not self.bound.room:
            why = "room"
        self._refuse(why)
        self.landing, self.third = Landing.DONE, BoardPresence.ON

    def _refuse(self, reason: str) -> None:
        """Record a fault with a reason; there is none if the reason is empty or a fault is recorded already."""
        if reason and self.fault is None:
            values: dict[str, Value] = {"b": self.bound.number, "why": Key(f"columns.why.{reason}")}
            self.fault = Fault("CC-E20", values)

    def next_state(self) -> State:
        """Return the state at the start of the next bound.

        A landing that was planned and not made is lost then.
        """
        return State(
            bound=self.state.bound + 1,
            second=self.second,
            third=self.third,
            landing=Landing.LOST if self.landing is Landing.PLANNED else self.landing,
            general_on=self.general_on,
        )


def _must_enter(duty: BoundDuty, columns: _BoundColumns, *, completed: bool) -> bool:
    """Return whether column 3 had to enter in this bound (CC-K05, K06, K09).

    It had to if column 2 was on, or came on in this bound with enough PIPs left. ``completed`` is True if all of column
    2 came on in this bound.
    """
    if duty.must == "enter":
        return True
    enough = columns.bound.score - columns.before_completion >= columns.rules.whole("entry_pips")
    return duty.must == "move-2-enter" and completed and enough


def _check_overspent(columns: _BoundColumns) -> Fault | None:
    """Return a fault if more PIPs were spent than the score allows, otherwise None (CC-E23)."""
    total = sum(columns.pips.values())
    if total > columns.bound.score:
        return Fault("CC-E23", {"b": columns.bound.number, "spent": total, "p": columns.bound.score})
    return None


def _check_too_little(duty: BoundDuty, columns: _BoundColumns) -> Fault | None:
    """Return a fault if a column that is partly on moved too little, or None (CC-4.8, CC-E22, CC-Q31)."""
    if columns.state.bound == 1:
        return None
    for column, presence in ((2, columns.state.second), (3, columns.state.third)):
        if presence is BoardPresence.PARTLY and columns.moved[column] < duty.least_pips:
            return Fault("CC-E22", {"b": columns.bound.number, "c": column, "count": duty.least_pips})
    return None


def _check_entry(columns: _BoundColumns, *, must: bool) -> Fault | None:
    """Return a fault if column 3 had to enter but is off the board, otherwise None (CC-E21).

    ``must`` says whether it had to.
    """
    if must and columns.third is BoardPresence.OFF:
        return Fault("CC-E21", {"b": columns.bound.number, "c": _THIRD, "p": columns.rules.whole("forcing_score")})
    return None


# --- PIP logs in a scenario, a line a bound: ``defender 3 6: column-2 1 on, column-3 4, other 1`` ---------------------

_LINE: Final = re.compile(r"(?P<role>[a-z]+)\s+(?P<bound>[0-9]{1,40})\s+(?P<score>[1-6])\s*(?::\s*(?P<spends>.*))?")
_SPEND: Final = re.compile(r"(?P<on>[a-z][a-z0-9-]*)(?:\s+(?P<pips>[0-9]{1,40}))?(?P<marks>(?:\s+[a-z-]+)*)")
_MARKS: Final = ("on", "general")
# A mark in logs of earlier versions, for a column without its baggage. It has no effect.
_OLD_MARK: Final = "troops-on"
_NO_ROOM: Final = "no-room"
# The Spanish words of a line.
_SPANISH: Final[Mapping[str, str]] = {
    "defensor": "defender", "atacante": "attacker", "columna": "column", "bagaje": "baggage", "otro": "other",
    "otros": "other", "desembarco": "landing", "dentro": "on", "tropas-dentro": "troops-on", "sin-sitio": "no-room",
}  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Targets with a fixed price, which need no number of PIPs.
_PRICED: Final = (Target.BAGGAGE, Target.LANDING)


def read_log(lines: Sequence[str], place: str = "pips") -> dict[Role, tuple[EntryBound, ...]]:
    """Return the bounds in a PIP log, for each side that has any.

    Args:
        lines: side, bound and PIP score, a colon, and the spending, separated by commas. After the PIPs can be ``on``
            if all of the column with its baggage is on, and ``general`` if the general entered. ``no-room`` means that
            column 3 had no space.
        place: the name of the list in messages.

    Raises:
        ScenarioError: a line cannot be parsed, or the bounds of a side do not count from 1; the message quotes the
            line.
    """
    bounds_by_role: dict[Role, list[EntryBound]] = {}
    for number, line in enumerate(lines, 1):
        line_place = Sentence("{place}: line {number} {line!r}", place=place, number=number, line=line)
        match = _LINE.fullmatch(_WORD.sub(lambda word: _SPANISH.get(word[0], word[0]), line.strip().lower()))
        if match is None or match["role"] not in [each.value for each in Role]:
            raise ScenarioError(
                "{where} is not SIDE BOUND SCORE: SPENDING; write for example defender 2 5: column-2 1 on, other 4",
                where=line_place,
            )
        bounds = bounds_by_role.setdefault(Role(match["role"]), [])
        if int(match["bound"]) != len(bounds) + 1:
            raise ScenarioError(
                "{where}: the next bound must be bound {bound} of the {role}",
                where=line_place,
                bound=len(bounds) + 1,
                role=match["role"],
            )
        parts = [part.strip() for part in (match["spends"] or "").split(",") if part.strip()]
        spends = tuple(_parse_spend(part, line_place) for part in parts if part != _NO_ROOM)
        bounds.append(
            EntryBound(number=int(match["bound"]), score=int(match["score"]), spends=spends, room=_NO_ROOM not in parts)
        )
    return {role: tuple(bounds) for role, bounds in bounds_by_role.items()}


def split_room(text: str) -> tuple[str, bool]:
    """Return the spending without the word ``no-room``, and whether column 3 had space.

    It had space if the word was not there. The word is known in English and Spanish.
    """
    parts = [part.split() for part in text.split(",")]
    parts_left = [[word for word in part if _SPANISH.get(word.lower(), word.lower()) != _NO_ROOM] for part in parts]
    if parts_left == parts:
        return text.strip(), True
    return ", ".join(" ".join(part) for part in parts_left if part), False


def _parse_spend(text: str, place: str) -> Spend:
    """Return the target, the PIPs and the marks in one part of a line; ``place`` is for messages.

    Raises:
        ScenarioError: the part cannot be parsed.
    """
    match = _SPEND.fullmatch(text)
    targets = [each.value for each in Target]
    if match is None or match["on"] not in targets:
        raise ScenarioError(
            "{where}: {text!r} is not valid; spend PIPs on {targets}, or write no-room",
            where=place,
            text=text,
            targets=", ".join(targets),
        )
    target, marks = Target(match["on"]), match["marks"].split()
    for mark in marks:
        if mark not in (*_MARKS, _OLD_MARK):
            raise ScenarioError(
                "{where}: unknown word {mark!r}; after the PIPs you can write {marks}",
                where=place,
                mark=mark,
                marks=", ".join(_MARKS),
            )
    if match["pips"] is None and target not in _PRICED:
        raise ScenarioError(
            "{where}: {text!r} has no number of PIPs; write it after {on}", where=place, text=text, on=target.value
        )
    return Spend(
        target=target,
        pips=int(match["pips"] or 0),
        completes="on" in marks,
        general="general" in marks,
    )

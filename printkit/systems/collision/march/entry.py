"""Logs of PIPs: read a line a bound, and replayed up to the first illegal entry (CC-K12 to K15, CC-E20 to E24)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from printkit.core.errors import ScenarioError, Sentence
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Army, Role
from printkit.systems.collision.march.columns_check import Fault, Key, Value
from printkit.systems.collision.march.duties import BoardPresence, BoundDuty, Landing, State, duty_of

_SECOND, _THIRD = 2, 3


class Target(StrEnum):
    """On what PIPs are spent."""

    COLUMN_1 = "column-1"
    COLUMN_2 = "column-2"
    COLUMN_3 = "column-3"
    BAGGAGE = "baggage"
    LANDING = "landing"
    OTHER = "other"


class Flag(StrEnum):
    """How the general commands (CC-K14): out of range, measured from the entry point, or as usual."""

    OUT = "out"
    ENTRY_POINT = "entry-point"
    NORMAL = "normal"


class Spend(Struct, frozen=True, kw_only=True):
    """PIPs spent on something. ``completes``: the column is wholly on after it; ``general``: he came on with it."""

    on: Target
    pips: int = 0
    completes: bool = False
    general: bool = False


class EntryBound(Struct, frozen=True, kw_only=True):
    """A bound as a player logs it; ``room`` is false where column 3 had no room at the edge or on the shore."""

    number: int
    score: int
    spends: tuple[Spend, ...] = ()
    room: bool = True


class March(Struct, frozen=True, kw_only=True):
    """What of an army counts for coming on: where its general and its baggage march, and whether it lands.

    ``general_leads`` tells that he stands on the lead of column 2, which is on the board from the start.
    """

    general_column: int = 1
    general_leads: bool = False
    baggage_column: int = 0
    landing: bool = False


class Step(Struct, frozen=True, kw_only=True):
    """A bound replayed: the state at its start, the row of the table, what was spent, and what was wrong.

    ``pips`` are the PIPs by target. ``after`` is the state at the start of the next bound.
    """

    before: State
    bound: EntryBound
    duty: BoundDuty
    flag: Flag
    pips: dict[Target, int]
    committed: int
    after: State
    fault: Fault | None = None
    notes: tuple[Fault, ...] = ()

    @property
    def spent(self) -> int:
        """Return all PIPs spent."""
        return sum(self.pips.values())

    @property
    def left(self) -> int:
        """Return the PIPs that are left."""
        return self.bound.score - self.spent


def march_of(army: Army) -> March:
    """Return what of an army counts for coming on."""
    general = army.general
    column = next((number for number in (1, 2, 3) if general and general.id in army.column(number)), 1)
    leads = general is not None and army.column(2)[:1] == (general.id,)
    return March(
        general_column=column,
        general_leads=leads,
        baggage_column=army.baggage_column,
        landing=army.landing > 0,
    )


def command_flag(state: State, march: March) -> Flag:
    """Return how the general commands at the start of a bound (CC-5.2, CC-5.3, CC-K14)."""
    where = {2: state.second, 3: state.third}.get(march.general_column, BoardPresence.ON)
    on = state.general_on or march.general_leads
    if where is BoardPresence.OFF:
        return Flag.OUT
    return Flag.ENTRY_POINT if where is BoardPresence.PARTLY and not on else Flag.NORMAL


def price(spend: Spend, third: BoardPresence, rules: Rules) -> int:
    """Return what a spend costs: a log that gives less is read as this much (CC-4.2, CC-6.3, CC-Q12, CC-Q15)."""
    if spend.on is Target.LANDING:
        return max(spend.pips, rules.whole("landing_pips"))
    if spend.on is Target.COLUMN_3 and third is BoardPresence.OFF:
        return max(spend.pips, rules.whole("entry_pips"))
    if spend.on is Target.BAGGAGE:
        return max(spend.pips, rules.whole("baggage_pips"))
    return spend.pips


def replay(bounds: Iterable[EntryBound], march: March, rules: Rules) -> tuple[Step, ...]:
    """Return the bounds of a log, up to the first in which something is illegal."""
    state = State(landing=Landing.PLANNED if march.landing else Landing.NONE)
    found: list[Step] = []
    for bound in bounds:
        step = play_bound(state, bound, march, rules)
        found.append(step)
        if step.fault is not None:
            break
        state = step.after
    return tuple(found)


def first_fault(steps: Sequence[Step]) -> Fault | None:
    """Return what was the first illegal entry of a log, or None."""
    return next((step.fault for step in steps if step.fault is not None), None)


def play_bound(state: State, bound: EntryBound, march: March, rules: Rules) -> Step:
    """Return one bound played from a state.

    PIPs are taken in the order of the log, as column 3 may only follow when column 2 is wholly on. Of several faults
    the first counts: an entry or landing that cannot be, too many PIPs, too few for a column half on, no entry on a 6.
    """
    duty = duty_of(state, bound.score, rules, room=bound.room)
    hand = _Hand(state=state, bound=bound, march=march, rules=rules)
    for spend in bound.spends:
        hand.take(spend)
    completed = state.second is BoardPresence.PARTLY and hand.second is BoardPresence.ON
    must_enter = _must_enter(duty, hand, completed=completed)
    fault = hand.fault or _overspent(hand) or _too_little(duty, hand) or _not_entered(hand, must=must_enter)
    waived = (
        bound.score == rules.whole("forcing_score")
        and state.bound > 1
        and not bound.room
        and hand.second is BoardPresence.ON
        and hand.third is BoardPresence.OFF
    )
    return Step(
        before=state,
        bound=bound,
        duty=duty,
        flag=command_flag(state, march),
        pips=hand.pips,
        committed=duty.committed(completed=completed and must_enter),
        after=hand.after(),
        fault=fault,
        notes=(Fault("CC-Q32", {"b": bound.number, "p": bound.score}),) if waived else (),
    )


class _Hand:
    """The columns in the course of a bound."""

    def __init__(self, *, state: State, bound: EntryBound, march: March, rules: Rules) -> None:
        self.state, self.bound, self.march, self.rules = state, bound, march, rules
        self.second, self.third, self.landing = state.second, state.third, state.landing
        self.general_on = state.general_on
        self.pips: dict[Target, int] = {}
        self.moved = {2: 0, 3: 0}
        self.before_completion = 0
        self.fault: Fault | None = None

    def take(self, spend: Spend) -> None:
        """Spend PIPs."""
        cost = price(spend, self.third, self.rules)
        self.pips[spend.on] = self.pips.get(spend.on, 0) + cost
        self.general_on = self.general_on or spend.general
        baggage = spend.on is Target.BAGGAGE
        if spend.on is Target.LANDING:
            self._land()
        elif spend.on is Target.COLUMN_2 or (baggage and self.march.baggage_column == _SECOND):
            self.moved[2] += cost
            if self.second is BoardPresence.PARTLY:
                self.before_completion += cost
            self.second = BoardPresence.ON if spend.completes else self.second
        elif spend.on is Target.COLUMN_3 or (
            baggage and self.march.baggage_column == _THIRD and self.third is not BoardPresence.OFF
        ):
            self.moved[3] += cost
            if self.third is BoardPresence.OFF:
                self._enter()
            self.third = BoardPresence.ON if spend.completes else self.third

    def _enter(self) -> None:
        """Bring column 3 on (CC-4.1)."""
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
        """Land column 3, which is wholly on then (CC-6.2 to 6.7)."""
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

    def _refuse(self, why: str) -> None:
        if why and self.fault is None:
            said: dict[str, Value] = {"b": self.bound.number, "why": Key(f"columns.why.{why}")}
            self.fault = Fault("CC-E20", said)

    def after(self) -> State:
        """Return the state at the start of the next bound."""
        return State(
            bound=self.state.bound + 1,
            second=self.second,
            third=self.third,
            landing=Landing.LOST if self.landing is Landing.PLANNED else self.landing,
            general_on=self.general_on,
        )


def _must_enter(duty: BoundDuty, hand: _Hand, *, completed: bool) -> bool:
    """Return whether column 3 had to start: column 2 was on, or is on now and has left enough (CC-K05, K06, K09)."""
    if duty.must == "enter":
        return True
    enough = hand.bound.score - hand.before_completion >= hand.rules.whole("entry_pips")
    return duty.must == "move-2-enter" and completed and enough


def _overspent(hand: _Hand) -> Fault | None:
    spent = sum(hand.pips.values())
    if spent > hand.bound.score:
        return Fault("CC-E23", {"b": hand.bound.number, "spent": spent, "p": hand.bound.score})
    return None


def _too_little(duty: BoundDuty, hand: _Hand) -> Fault | None:
    """Return that a column half on was not moved, column 2 as well as 3 (CC-4.8, CC-Q31)."""
    if hand.state.bound == 1:
        return None
    for column, where in ((2, hand.state.second), (3, hand.state.third)):
        if where is BoardPresence.PARTLY and hand.moved[column] < duty.least:
            return Fault("CC-E22", {"b": hand.bound.number, "c": column, "count": duty.least})
    return None


def _not_entered(hand: _Hand, *, must: bool) -> Fault | None:
    if must and hand.third is BoardPresence.OFF:
        return Fault("CC-E21", {"b": hand.bound.number, "c": _THIRD, "p": hand.rules.whole("forcing_score")})
    return None


# --- Logs of PIPs as a scenario lists them: a line a bound, ``defender 3 6: column-2 1 on, column-3 4, other 1`` ------

_LINE: Final = re.compile(r"(?P<role>[a-z]+)\s+(?P<bound>[0-9]{1,40})\s+(?P<score>[1-6])\s*(?::\s*(?P<spends>.*))?")
_SPEND: Final = re.compile(r"(?P<on>[a-z][a-z0-9-]*)(?:\s+(?P<pips>[0-9]{1,40}))?(?P<marks>(?:\s+[a-z-]+)*)")
_MARKS: Final = ("on", "general")
_OLD_MARK: Final = "troops-on"
"""What logs of earlier versions may say of a column without its baggage; it counts for nothing."""
_NO_ROOM: Final = "no-room"
_SPANISH: Final[Mapping[str, str]] = {
    "defensor": "defender", "atacante": "attacker", "columna": "column", "bagaje": "baggage", "otro": "other",
    "otros": "other", "desembarco": "landing", "dentro": "on", "tropas-dentro": "troops-on", "sin-sitio": "no-room",
}  # fmt: skip
"""What a line may say in Spanish."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PRICED: Final = (Target.BAGGAGE, Target.LANDING)
"""What may stand without PIPs, as its price is fixed."""


def read_log(lines: Sequence[str], place: str = "pips") -> dict[Role, tuple[EntryBound, ...]]:
    """Return the bounds of each side that has any.

    Args:
        lines: side, bound and score of the PIP die, a colon, and what PIPs were spent on, parted by commas. After the
            PIPs stand ``on`` where the column is wholly on, with its baggage, ``general`` where he came on; ``no-room``
            says that column 3 had no room.
        place: what errors call the list.

    Raises:
        ScenarioError: a line cannot be read, or the bounds of a side do not count from 1; says which line.
    """
    found: dict[Role, list[EntryBound]] = {}
    for number, line in enumerate(lines, 1):
        where = Sentence("{place}: line {number} {line!r}", place=place, number=number, line=line)
        match = _LINE.fullmatch(_WORD.sub(lambda word: _SPANISH.get(word[0], word[0]), line.strip().lower()))
        if match is None or match["role"] not in [each.value for each in Role]:
            raise ScenarioError(
                "{where} is not SIDE BOUND SCORE: SPENDING; write for example defender 2 5: column-2 1 on, other 4",
                where=where,
            )
        bounds = found.setdefault(Role(match["role"]), [])
        if int(match["bound"]) != len(bounds) + 1:
            raise ScenarioError(
                "{where}: the next bound must be bound {bound} of the {role}",
                where=where,
                bound=len(bounds) + 1,
                role=match["role"],
            )
        bounds.append(_bound(match["spends"] or "", int(match["bound"]), int(match["score"]), where))
    return {role: tuple(bounds) for role, bounds in found.items()}


def split_room(text: str) -> tuple[str, bool]:
    """Return what PIPs were spent on without the word ``no-room``, and whether column 3 had room."""
    parts = [part.split() for part in text.split(",")]
    kept = [[word for word in part if _SPANISH.get(word.lower(), word.lower()) != _NO_ROOM] for part in parts]
    if kept == parts:
        return text.strip(), True
    return ", ".join(" ".join(part) for part in kept if part), False


def _bound(text: str, number: int, score: int, where: str) -> EntryBound:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    spends = tuple(_spend(part, where) for part in parts if part != _NO_ROOM)
    return EntryBound(number=number, score=score, spends=spends, room=_NO_ROOM not in parts)


def _spend(text: str, where: str) -> Spend:
    match = _SPEND.fullmatch(text)
    targets = [each.value for each in Target]
    if match is None or match["on"] not in targets:
        raise ScenarioError(
            "{where}: {text!r} is not valid; spend PIPs on {targets}, or write no-room",
            where=where,
            text=text,
            targets=", ".join(targets),
        )
    on, marks = Target(match["on"]), match["marks"].split()
    for mark in marks:
        if mark not in (*_MARKS, _OLD_MARK):
            raise ScenarioError(
                "{where}: unknown word {mark!r}; after the PIPs you can write {marks}",
                where=where,
                mark=mark,
                marks=", ".join(_MARKS),
            )
    if match["pips"] is None and on not in _PRICED:
        raise ScenarioError(
            "{where}: {text!r} has no number of PIPs; write it after {on}", where=where, text=text, on=on.value
        )
    return Spend(
        on=on,
        pips=int(match["pips"] or 0),
        completes="on" in marks,
        general="general" in marks,
    )

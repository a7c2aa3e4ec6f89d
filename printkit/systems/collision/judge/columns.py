"""Armies, positions and logs of a record, judged: verdicts by clause, and lines in the person's language (CC-A03)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.system import Verdict
from printkit.systems.collision.march.faults import CODES, READINGS
from printkit.systems.collision.march.side_facts import (
    ARMIES,
    INPUTS,
    PIPS,
    POSITIONS,
    SideFacts,
    edges_of,
    map_of,
    side_facts,
)
from printkit.terrain.field.record import Record

_GIVEN: Final = "inputs"
_FIRST_OF_LOG, _FIRST_OF_PLACES = "CC-E20", "CC-E31"


def column_facts(record: Record) -> tuple[SideFacts, SideFacts]:
    """Return both sides of a record.

    Raises:
        ScenarioError: an army, the log or a position in it cannot be read.
    """
    inputs = record.details.get(_GIVEN, {})
    there = map_of(record.battlefield, edges_of(record.details))
    return side_facts(inputs, record.settings, there)


def given(record: Record) -> bool:
    """Return whether a record has an army, a log or positions at all."""
    inputs = record.details.get(_GIVEN, {})
    return any(name in inputs for name in INPUTS)


def column_verdicts(record: Record, clauses: Collection[str]) -> tuple[Verdict, ...]:
    """Return a verdict for each code of columns that the rule book lists, in its order.

    A code is broken where a side has it, which is named; kept where what it is about was given, else not judged. What
    is wrong is told by ``remarks``, in the person's language.

    Raises:
        ScenarioError: an army, the log or a position cannot be read.
    """
    inputs = record.details.get(_GIVEN, {})
    sides = column_facts(record) if given(record) else ()
    found: dict[str, list[str]] = {}
    for side in sides:
        for fault in (*side.faults, *side.log_faults):
            if not fault.warning:
                found.setdefault(fault.code, []).append(side.role.value)
    verdicts = []
    for code in (*CODES, *READINGS):
        if code not in clauses or code == "CC-E30":
            continue
        if code in found:
            verdicts.append(Verdict(code, "broken", " and ".join(dict.fromkeys(found[code]))))
        else:
            verdicts.append(Verdict(code, "kept" if _source(code) in inputs else "not judged"))
    return tuple(verdicts)


def with_columns(verdicts: Iterable[Verdict], record: Record, clauses: Collection[str]) -> tuple[Verdict, ...]:
    """Return verdicts on terrain with those on armies, logs and positions where these have more to say.

    Raises:
        ScenarioError: an army, the log or a position cannot be read.
    """
    own = {verdict.clause: verdict for verdict in column_verdicts(record, clauses)}

    def chosen(verdict: Verdict) -> Verdict:
        mine = own.get(verdict.clause)
        if mine is None or mine.state == "not judged" or verdict.state == "broken":
            return verdict
        return mine if mine.state == "broken" or verdict.state == "not judged" else verdict

    return tuple(chosen(verdict) for verdict in verdicts)


def _source(code: str) -> str:
    """Return the list of a scenario that a code is about."""
    if not code.startswith("CC-E"):
        return ARMIES if code in ("CC-Q20", "CC-Q23") else PIPS if code == "CC-Q32" else POSITIONS
    return ARMIES if code < _FIRST_OF_LOG else PIPS if code < _FIRST_OF_PLACES else POSITIONS


def remarks(record: Record, words: Words) -> Iterator[str]:
    """Yield a line for each finding about armies, logs and positions, or that a side has none; nothing without any.

    Raises:
        ScenarioError: an army, the log or a position cannot be read.
    """
    if not given(record):
        return
    inputs = record.details.get(_GIVEN, {})
    for side in column_facts(record):
        name = side.army.name if side.army is not None else ""
        who = words(f"columns.role.{side.role.value}") + (f" ({name})" if name else "")
        for fault in (*side.faults, *side.log_faults):
            yield Sentence("{who}: {fault}", who=who, fault=fault.line(words))
        if not side.faults and (side.army is not None or POSITIONS in inputs):
            yield Sentence("{who}: {legal}", who=who, legal=words("columns.check.legal"))
        if side.logged and not side.log_faults:
            yield Sentence("{who}: {log}", who=who, log=words("columns.check.log"))

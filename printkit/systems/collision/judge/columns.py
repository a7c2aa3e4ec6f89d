"""Checks of armies, positions and logs in a record: verdicts by clause, and lines in the user's language (CC-A03)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any

from msgspec.structs import replace

from printkit.core.errors import FileError, RecordError, ScenarioError, Sentence, joined
from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.kit.checks import find_retired_clauses
from printkit.kit.system import Verdict
from printkit.systems.collision.march.columns_check import CODES, READINGS, Fault
from printkit.systems.collision.march.side_facts import (
    ARMIES,
    INPUTS,
    PIPS,
    POSITIONS,
    SideFacts,
    read_edges,
    side_facts,
)
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.terrain.field.record import Record, read_detail

_FIRST_OF_LOG, _FIRST_OF_PLACES = "CC-E20", "CC-E31"


def read_inputs(record: Record) -> Mapping[str, Any]:
    """Return the armies, logs and positions in a record, as the scenario gave them.

    The key is the name of the list; lists that are missing in the record are left out.

    Raises:
        RecordError: the list is not valid.
    """
    inputs = read_detail(record, dict[str, Any], "inputs") or {}
    return {name: value for name, value in inputs.items() if name in INPUTS}


def column_facts(record: Record, book: RuleBook) -> tuple[SideFacts, SideFacts]:
    """Return both sides of a record, the defender first.

    They are without faults that come only from a setting of an earlier version.

    Raises:
        RecordError: an army, the log or a position cannot be parsed.
    """
    try:
        sides = side_facts(
            read_inputs(record), read_rules(record, book), record.battlefield, read_edges(record.details)
        )
    except (FileError, ScenarioError) as error:
        raise RecordError("{error}", error=error) from None
    old = find_retired_clauses(book, record).keys()
    return _without_faults(sides[0], old), _without_faults(sides[1], old)


def _without_faults(side: SideFacts, codes: Set[str]) -> SideFacts:
    """Return a side without its faults of these codes, in its army, its positions and its log."""

    def remove_codes(faults: Iterable[Fault]) -> tuple[Fault, ...]:
        """Return the faults that have none of the codes."""
        return tuple(fault for fault in faults if fault.code not in codes)

    steps = tuple(
        replace(
            step, fault=None if step.fault and step.fault.code in codes else step.fault, notes=remove_codes(step.notes)
        )
        for step in side.steps
    )
    return replace(side, faults=remove_codes(side.faults), steps=steps)


def column_verdicts(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for each code of columns in the rule book, in its order.

    A code is broken if a side has it; the verdict names the side. Otherwise it is kept if the scenario gave its
    subject, and not judged if not. Codes that depend on a setting of an earlier version are not judged. ``remarks``
    gives the faults in the user's language.

    Raises:
        RecordError: an army, the log or a position cannot be parsed.
    """
    inputs = read_inputs(record)
    sides = column_facts(record, book) if inputs else ()
    sides_by_code: dict[str, list[str]] = {}
    for side in sides:
        for fault in (*side.faults, *side.log_faults):
            if not fault.is_warning:
                sides_by_code.setdefault(fault.code, []).append(side.role.value)
    verdicts, old_codes = [], find_retired_clauses(book, record)
    for code in (*CODES, *READINGS):
        if code not in book.clauses:
            continue
        if code in old_codes:
            verdicts.append(Verdict(code, "not judged", old_codes[code]))
        elif code in sides_by_code:
            verdicts.append(Verdict(code, "broken", joined(dict.fromkeys(sides_by_code[code]), Sentence(" and "))))
        else:
            verdicts.append(Verdict(code, "kept" if _source_list(code) in inputs else "not judged"))
    return tuple(verdicts)


def with_columns(verdicts: Iterable[Verdict], record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return verdicts on terrain, merged with those on armies, logs and positions.

    For a clause with both, broken counts before kept, and kept before not judged. The verdicts stay in the order of
    ``verdicts``.

    Raises:
        RecordError: an army, the log or a position cannot be parsed.
    """
    column_verdict_map = {verdict.clause: verdict for verdict in column_verdicts(record, book)}

    def choose_verdict(verdict: Verdict) -> Verdict:
        """Return the verdict on terrain, or that on columns for the same clause if that counts."""
        mine = column_verdict_map.get(verdict.clause)
        if mine is None or mine.state == "not judged" or verdict.state == "broken":
            return verdict
        return mine if mine.state == "broken" or verdict.state == "not judged" else verdict

    return tuple(choose_verdict(verdict) for verdict in verdicts)


def _source_list(code: str) -> str:
    """Return the name of the scenario list that a code is about: armies, PIP log or positions."""
    if not code.startswith("CC-E"):
        return ARMIES if code == "CC-Q20" else PIPS if code == "CC-Q32" else POSITIONS
    return ARMIES if code < _FIRST_OF_LOG else PIPS if code < _FIRST_OF_PLACES else POSITIONS


def remarks(record: Record, book: RuleBook, words: Words) -> Iterator[str]:
    """Yield a line for each fault of armies, logs and positions, and a line for each legal army or log.

    There are no lines without lists of columns, and no "legal" lines if a setting of an earlier version leaves codes
    unchecked.

    Raises:
        RecordError: an army, the log or a position cannot be parsed.
    """
    inputs, all_judged = read_inputs(record), find_retired_clauses(book, record).keys().isdisjoint((*CODES, *READINGS))
    for side in column_facts(record, book) if inputs else ():
        name = side.army.name if side.army is not None else ""
        who = words(f"sides.role-title.{side.role.value}") + (f" ({name})" if name else "")
        for fault in (*side.faults, *side.log_faults):
            yield Sentence("{who}: {fault}", who=who, fault=fault.line(words))
        illegal = any(not fault.is_warning for fault in side.log_faults)
        if all_judged and not side.faults and not illegal and (side.army is not None or POSITIONS in inputs):
            yield Sentence("{who}: {legal}", who=who, legal=words("columns.check.legal"))
        if all_judged and side.logged and not side.log_faults:
            yield Sentence("{who}: {log}", who=who, log=words("columns.check.log"))

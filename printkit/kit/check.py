"""Judging a record, also one drawn by hand: its rule system's judge is asked, and its verdicts told in lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from shapely import union_all

from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.core.words import IN_ENGLISH, Words
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem, Verdict
from printkit.terrain.field.features import Course, Crossing
from printkit.terrain.field.record import Record, parsed, version_of
from printkit.terrain.geometry.measure import ribbon

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

STATES: Final[Mapping[str, Sentence]] = {
    "kept": Sentence("kept"),
    "broken": Sentence("broken"),
    "not judged": Sentence("not checked"),
}
"""What is said of each state of a verdict."""


class Judgement(Struct, frozen=True, kw_only=True):
    """A record, the system that judged it, and its verdict on every clause of the rule book that speaks of a field.

    ``version`` is the printkit that made the record; empty where it was drawn by hand.
    """

    record: Record
    system: RuleSystem
    verdicts: tuple[Verdict, ...]
    version: str = ""

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """Return the verdicts on the clauses that the record breaks."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "broken")

    @property
    def summary(self) -> str:
        """Return how many clauses are kept, broken and not judged."""
        return summary_line(self)

    def shape_of(self, verdict: Verdict) -> BaseGeometry:
        """Return the ground of the features that a verdict speaks of, in mm; empty where it speaks of none."""
        shapes = []
        for feature in self.record.battlefield.features:
            if feature.id not in verdict.ids:
                continue
            match feature:
                case Crossing():
                    shapes.append(feature.at)
                case Course():
                    shapes.append(ribbon(feature.line, feature.width))
                case _:
                    shapes.append(feature.outline)
        return union_all(shapes)


class ToldBreach(Struct, frozen=True, kw_only=True):
    """What one line tells of a broken clause: its title, what was found, by the names of features, and where else.

    ``also`` are clauses that the same faults break, ``why`` says what is seen only since the record was made.
    """

    clause: str
    title: str
    where: str
    also: tuple[str, ...] = ()
    why: str = ""


def judge_record(system: RuleSystem, record: Record, version: str = "") -> Judgement:
    """Return the judgement of a system on a record; as ``Judgement``."""
    spoken_of = set(system.book.of_a_record)
    verdicts = tuple(verdict for verdict in system.judge(record) if verdict.clause in spoken_of)
    return Judgement(record=record, system=system, verdicts=verdicts, version=version)


def judge_text(text: str, systems: Mapping[str, RuleSystem], rules: str | None = None) -> Judgement:
    """Return the judgement on a record.

    Args:
        text: the record, or bare GeoJSON with a board, which need not name its rules where ``rules`` does.
        systems: the rule systems by name.
        rules: the one of them that judges, where it is not that of the record itself.

    Raises:
        RecordError: it is no record, or of a rule system that is not known; its text names those that are.
        OwnFaultError: a check of ours fails.
    """
    document = parsed(text)
    own, record = read_record(document, systems, rules or "")
    return judge_record(systems[rules] if rules else own, record, version_of(document))


def breaches(judgement: Judgement, words: Words = IN_ENGLISH) -> Iterator[ToldBreach]:
    """Yield what there is to say of the broken clauses in the order of the book, each fault once.

    A clause that only breaks by faults told of an earlier one is named beside that.
    """
    told: dict[str, list[str]] = {}
    heads: list[Verdict] = []
    for verdict in judgement.broken:
        faults = verdict.faults or (verdict.where,)
        head = next((each for each in heads if set(faults) <= set(each.faults or (each.where,))), None)
        if head is None:
            heads.append(verdict)
            told[verdict.clause] = []
        else:
            told[head.clause].append(verdict.clause)
    book = judgement.system.book
    names = {each.id: each.name for each in judgement.record.battlefield.features if each.name}
    for verdict in heads:
        stricter = book.stricter.get(verdict.clause)
        older = stricter is not None and judgement.version and _number(judgement.version) < _number(stricter.since)
        yield ToldBreach(
            clause=verdict.clause,
            title=book.clause_title(verdict.clause, words),
            where=_by_name(verdict.where, names),
            also=tuple(told[verdict.clause]),
            why=stricter.why if stricter is not None and older else "",
        )


def breach_lines(judgement: Judgement, words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield a line a fault of the record: the clause that it breaks, and where."""
    width = max((len(verdict.clause) for verdict in judgement.broken), default=0)
    for breach in breaches(judgement, words):
        told = _line(breach.clause, width, "broken", _titled(breach.title, breach.where))
        if breach.also:
            told = Sentence("{told} (also {also})", told=told, also=", ".join(breach.also))
        if breach.why:
            told = Sentence(
                "{told}; printkit {version}, which made the record, did not check this yet: {why}",
                told=told,
                version=judgement.version,
                why=breach.why,
            )
        yield told


def verdict_lines(judgement: Judgement, words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield a line a clause in the order of the book: the clause, its state, its title, and where it is broken."""
    book = judgement.system.book
    names = {each.id: each.name for each in judgement.record.battlefield.features if each.name}
    width = max((len(verdict.clause) for verdict in judgement.verdicts), default=0)
    for verdict in judgement.verdicts:
        told = _titled(book.clause_title(verdict.clause, words), _by_name(verdict.where, names))
        yield _line(verdict.clause, width, verdict.state, told)


def _titled(title: str, where: str) -> str:
    return Sentence("{title}: {where}", title=title, where=where) if where else title


def _line(clause: str, width: int, state: str, told: str) -> Sentence:
    return Sentence(
        "{clause:<{width}}  {state:<10}  {told}", clause=clause, width=width, state=STATES[state], told=told
    )


def verdict_line(judgement: Judgement) -> str:
    """Return whether a field is legal, and by how many of the rules that a field can show."""
    states = Counter(verdict.state for verdict in judgement.verdicts)
    kept, broken = states["kept"], states["broken"]
    if not broken:
        return Sentence("legal: all {kept} rules that can be checked are satisfied", kept=kept)
    return Sentence("not legal: {broken} of {count} rules are broken", broken=broken, count=kept + broken)


def summary_line(judgement: Judgement) -> str:
    """Return how many clauses are kept, broken and not judged."""
    states = Counter(verdict.state for verdict in judgement.verdicts)
    return Sentence(
        "{kept} kept, {broken} broken, {unseen} not checked",
        kept=states["kept"],
        broken=states["broken"],
        unseen=states["not judged"],
    )


def _by_name(told: str, names: Mapping[str, str]) -> str:
    """Return a sentence in which features that have a name are called by it, also those in sentences within it."""
    if not isinstance(told, Sentence):
        return told
    values = {
        key: names.get(value, _by_name(value, names)) if isinstance(value, str) else value
        for key, value in told.values.items()
    }
    return Sentence(told.template, **values)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if is_number(part))

"""Judging a record, also one drawn by hand: its rule system's judge is asked, and its verdicts told in lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import RecordError, Sentence
from printkit.kit.system import RuleSystem, Verdict, judge_stages
from printkit.terrain.field.record import Record, read, rules_of

STATES: Final[Mapping[str, Sentence]] = {
    "kept": Sentence("kept"),
    "broken": Sentence("broken"),
    "not judged": Sentence("not judged"),
}
"""What is said of each state of a verdict."""


class Judgement(Struct, frozen=True, kw_only=True):
    """A record, the system that judged it, and its verdict on every clause of the rule book."""

    record: Record
    system: RuleSystem
    verdicts: tuple[Verdict, ...]

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """Return the verdicts on the clauses that the record breaks."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "broken")

    @property
    def summary(self) -> str:
        """Return how many clauses are kept, broken and not judged."""
        return summary_line(self)


def judge_text(text: str, systems: Mapping[str, RuleSystem], rules: str | None = None) -> Judgement:
    """Return the judgement on a record.

    Args:
        text: the record.
        systems: the rule systems by name.
        rules: the one of them that judges, where it is not that of the record itself.

    Raises:
        RecordError: it is no record, or of a rule system that is not known; its text names those that are.
    """
    name = rules_of(text)
    if name not in systems:
        raise RecordError(
            "rules is {name!r}, which is no rule system known here; there are {systems}",
            name=name,
            systems=", ".join(systems),
        )
    record = read(text, systems[name].book.going)
    judge_stages(record, systems[name])
    system = systems[rules or name]
    return Judgement(record=record, system=system, verdicts=system.judge(record))


def verdict_lines(judgement: Judgement) -> Iterator[str]:
    """Yield a line a clause in the order of the book: the clause, its state, its title, and where it is broken."""
    titles = judgement.system.book.clauses
    width = max((len(verdict.clause) for verdict in judgement.verdicts), default=0)
    for verdict in judgement.verdicts:
        title = titles.get(verdict.clause, "")
        told = Sentence("{title}: {where}", title=title, where=verdict.where) if verdict.where else title
        yield Sentence(
            "{clause:<{width}}  {state:<10}  {told}",
            clause=verdict.clause,
            width=width,
            state=STATES[verdict.state],
            told=told,
        )


def summary_line(judgement: Judgement) -> str:
    """Return how many clauses are kept, broken and not judged."""
    states = Counter(verdict.state for verdict in judgement.verdicts)
    return Sentence(
        "{kept} kept, {broken} broken, {unseen} not judged",
        kept=states["kept"],
        broken=states["broken"],
        unseen=states["not judged"],
    )

"""Check a record, also one drawn by hand, against a rule system, and format the verdicts as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from shapely import union_all

from printkit.core.errors import Sentence
from printkit.core.numbers import is_number
from printkit.core.words import IN_ENGLISH, Words
from printkit.kit.differences import find_altered_members
from printkit.kit.registry import read_record
from printkit.kit.replay import judge_rolls
from printkit.kit.system import RuleSystem, Verdict
from printkit.terrain.field.record import Record, RecordHead, parse_record, read_members
from printkit.terrain.geometry.measure import ground_of

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

# The words for each state of a verdict.
STATES: Final[Mapping[str, Sentence]] = {
    "kept": Sentence("kept"),
    "broken": Sentence("broken"),
    "not judged": Sentence("not checked"),
}


class Judgement(Struct, frozen=True, kw_only=True):
    """A record, the rule system that checked it, and a verdict on each clause that concerns a battlefield.

    ``version`` is the printkit version that made the record; empty for a record drawn by hand.
    """

    record: Record
    system: RuleSystem
    verdicts: tuple[Verdict, ...]
    version: str = ""

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """Return the verdicts on broken clauses in the order of the book, each fault once.

        A clause whose faults all belong to an earlier clause is only in ``other_clauses`` of that clause's verdict.
        """
        heads: list[Verdict] = []
        for verdict in self.verdicts:
            if verdict.state != "broken":
                continue
            faults = set(verdict.faults or (verdict.where,))
            index = next((i for i, head in enumerate(heads) if faults <= set(head.faults or (head.where,))), None)
            if index is None:
                heads.append(verdict)
            else:
                head = heads[index]
                heads[index] = replace(head, other_clauses=(*head.other_clauses, verdict.clause))
        return tuple(heads)

    @property
    def summary(self) -> str:
        """Return the counts of kept, broken and unchecked clauses in words, as one English sentence."""
        return summary_line(self)

    def union_shapes(self, verdict: Verdict) -> BaseGeometry:
        """Return the union of the features that a verdict names, in mm on the board; empty if it names none.

        A crossing is only a point.
        """
        features = self.record.battlefield.features
        return union_all([ground_of(feature) for feature in features if feature.id in verdict.ids])


class BreachLine(Struct, frozen=True, kw_only=True):
    """A broken clause for one line: its ID, its title, and the findings with the names of features.

    ``other_clauses`` has the other clauses that the same faults break. ``reason`` is set if the printkit version that
    made the record did not check this clause yet; it gives the reason.
    """

    clause: str
    title: str
    finding: str
    other_clauses: tuple[str, ...] = ()
    reason: str = ""


def judge_record(
    system: RuleSystem, record: Record, version: str = "", member_faults: Iterable[Sentence] = ()
) -> Judgement:
    """Check a record by a rule system and return its judgement, with a verdict for each clause.

    Only the clauses that apply to a record get a verdict. A broken clause is a verdict, not an error.

    Args:
        system: the rule system.
        record: the record.
        version: the printkit version that made the record; empty for a record drawn by hand. It only explains breaches
            of clauses that this version did not check.
        member_faults: faults of the members in the file of the record.

    Raises:
        RecordError: a member of the rule system's object in the record is wrong.
        OwnFaultError: a check has a bug.
    """
    clauses = set(system.book.of_a_record)
    all_verdicts = judge_rolls(system, record, system.judge(record), member_faults)
    verdicts = tuple(verdict for verdict in all_verdicts if verdict.clause in clauses)
    return Judgement(record=record, system=system, verdicts=verdicts, version=version)


def judge_text(text: str, systems: Mapping[str, RuleSystem], rules: str | None = None) -> Judgement:
    """Read a record, check it and return its judgement.

    Args:
        text: the record, or GeoJSON with a board. If ``rules`` is given, it need not name its rules.
        systems: the rule systems by name.
        rules: the rule system to check against; None for that of the record.

    Raises:
        RecordError: the text is not a record, or its rule system is unknown; the message names the known ones.
        OwnFaultError: a check has a bug.
    """
    tree = parse_record(text, rules or "")
    own_system, record = read_record(tree, systems)
    made_by = read_members(tree, RecordHead).printkit
    version = (made_by and made_by.version) or ""
    return judge_record(systems[rules] if rules else own_system, record, version, find_altered_members(record, tree))


def breaches(
    judgement: Judgement, words: Words = IN_ENGLISH, names: Mapping[str, str] | None = None
) -> Iterator[BreachLine]:
    """Yield the broken clauses in the order of the book, each fault once.

    Nothing is yielded for a legal record.

    Args:
        judgement: the judgement.
        words: the language of the titles.
        names: texts for the IDs of features, and for other values in a finding; by default the names of features.
    """
    book = judgement.system.book
    if names is None:
        names = {item.id: item.name for item in judgement.record.battlefield.features if item.name}
    for verdict in judgement.broken:
        stricter = book.stricter.get(verdict.clause)
        is_older = (
            stricter is not None
            and judgement.version
            and _parse_version(judgement.version) < _parse_version(stricter.since)
        )
        yield BreachLine(
            clause=verdict.clause,
            title=book.clause_title(verdict.clause, words),
            finding=_insert_names(verdict.where, names),
            other_clauses=verdict.other_clauses,
            reason=stricter.why if stricter is not None and is_older else "",
        )


def breach_lines(judgement: Judgement, words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield one line for each breach: the clause, its title, and where it is broken.

    The line also says which other clauses are broken with it, and whether an older version did not check it. Lines
    are sentences in English that can be translated; only the title is in the language of
    ``words``.
    """
    for breach in breaches(judgement, words):
        line = Sentence(
            "  {title} ({clauses})",
            title=_join_title(breach.title, breach.finding),
            clauses=", ".join((breach.clause, *breach.other_clauses)),
        )
        if breach.reason:
            line = Sentence(
                "{told}; printkit {version}, which made the record, did not check this yet: {why}",
                told=line,
                version=judgement.version,
                why=breach.reason,
            )
        yield line


def breach_notices(
    system: RuleSystem, record: Record, verdicts: tuple[Verdict, ...], words: Words
) -> Iterator[Sentence]:
    """Yield a notice for each fault of a new battlefield; the titles of clauses are in the first language of ``words``.

    Args:
        system: the rule system.
        record: the record of the battlefield.
        verdicts: those on the broken clauses.
        words: the languages.
    """
    judgement = Judgement(record=record, system=system, verdicts=verdicts)
    for breach in breaches(judgement, words.each()[0]):
        yield Sentence(
            "this battlefield breaks a rule; use another seed or roll a stage again: {breach} ({clauses})",
            breach=_join_title(breach.title, breach.finding),
            clauses=", ".join((breach.clause, *breach.other_clauses)),
        )


def verdict_lines(judgement: Judgement, words: Words = IN_ENGLISH) -> Iterator[str]:
    """Yield one line for each clause in the order of the book: ID, state, title, and where it is broken.

    The state is kept, broken or not checked; a clause that is not checked gives the reason instead of a place. ID and
    state are padded to columns.
    """
    book = judgement.system.book
    names = {feature.id: feature.name for feature in judgement.record.battlefield.features if feature.name}
    width = max((len(verdict.clause) for verdict in judgement.verdicts), default=0)
    for verdict in judgement.verdicts:
        text = _join_title(book.clause_title(verdict.clause, words), _insert_names(verdict.where, names))
        yield _format_line(verdict.clause, width, verdict.state, text)


def _join_title(title: str, finding: str) -> str:
    """Return ``title: finding``, or only the title if the finding is empty."""
    return Sentence("{title}: {where}", title=title, where=finding) if finding else title


def _format_line(clause: str, width: int, state: str, text: str) -> Sentence:
    """Return one line of a verdict: the clause, its state and the text.

    ``width`` is that of the column of clauses, in characters. ``state`` is a state of a ``Verdict``: kept, broken or
    not judged.
    """
    return Sentence(
        "{clause:<{width}}  {state:<10}  {told}", clause=clause, width=width, state=STATES[state], told=text
    )


def format_legality(judgement: Judgement, name: str) -> str:
    """Return an English sentence that says whether a battlefield is legal; it can be translated.

    It gives the number of clauses that were checked, and of the broken ones. A battlefield without a broken clause is
    legal. A battlefield without a title is called ``name``.
    """
    states = Counter(verdict.state for verdict in judgement.verdicts)
    title, kept_count, broken_count = judgement.record.battlefield.title or name, states["kept"], states["broken"]
    if not broken_count:
        return Sentence(
            "{title} is legal: it keeps all {kept} rules that can be checked.", title=title, kept=kept_count
        )
    return Sentence(
        "{title} breaks {broken} of {count} rules:", title=title, broken=broken_count, count=kept_count + broken_count
    )


def summary_line(judgement: Judgement) -> str:
    """Return an English sentence with the counts of kept, broken and unchecked clauses; it can be translated."""
    states = Counter(verdict.state for verdict in judgement.verdicts)
    return Sentence(
        "{kept} kept, {broken} broken, {unseen} not checked",
        kept=states["kept"],
        broken=states["broken"],
        unseen=states["not judged"],
    )


def _insert_names(text: str, names: Mapping[str, str]) -> str:
    """Return a sentence with the IDs of features replaced by their names, also in nested sentences.

    ``names`` has the names by ID.
    """
    if not isinstance(text, Sentence):
        return text
    values = {
        key: names.get(value, _insert_names(value, names)) if isinstance(value, str) else value
        for key, value in text.values.items()
    }
    return Sentence(text.template, **values)


def _parse_version(version: str) -> tuple[int, ...]:
    """Return the numbers of a version for comparison: (0, 2, 1) for ``0.2.1``.

    Parts that are not plain numbers are left out, for example ``rc1``.
    """
    return tuple(int(part) for part in version.split(".") if is_number(part))

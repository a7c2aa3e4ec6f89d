"""How the judge of any rule system comes to its verdicts: one check a clause, and its faults named, three at most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

from printkit.core.errors import OWN_FAULT, PrintkitError, SaidError, Sentence, joined
from printkit.kit.system import Verdict

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook
    from printkit.kit.rules import Rules
    from printkit.terrain.field.record import Record

Faults: TypeAlias = Iterator[str]
"""What breaks a clause, each with its place and its measure; nothing means that the clause is kept."""

C = TypeVar("C")
"""A record laid open as the judge of one rule system sees it."""

_NAMED_AT_MOST: Final = 3


class UnseenError(SaidError):
    """What a clause speaks of cannot be seen in this record; its text says why."""


class MovedError(UnseenError):
    """All that breaks a clause is what was thrown for features that a hand has moved or taken away since."""


class OwnFaultError(PrintkitError):
    """A check of ours fails: no record, however wrong, may bring that about."""

    exit_status = OWN_FAULT


class Reasons(Struct, frozen=True, kw_only=True):
    """Why a clause without a check is not judged: by its ID, else by how the ID begins, else ``otherwise``."""

    clauses: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = Sentence("leaves no trace in a record")

    def of(self, clause: str) -> str:
        """Return the reason for one clause."""
        family = next((reason for start, reason in self.families.items() if clause.startswith(start)), self.otherwise)
        return self.clauses.get(clause, family)


def both(*checks: Callable[[C], Faults]) -> Callable[[C], Faults]:
    """Return one check of several; what one of them passes over as moved by hand the others may still find."""

    def check(case: C) -> Faults:
        moved, broken = None, False
        for each in checks:
            try:
                for fault in each(case):
                    broken = True
                    yield fault
            except MovedError as error:
                moved = error
        if moved is not None and not broken:
            raise moved

    return check


class OfRecord(Protocol):
    """A record laid open."""

    @property
    def record(self) -> Record:
        """Return the record itself."""
        ...


H = TypeVar("H", bound=OfRecord)


def as_thrown(check: Callable[[H], Faults], *, counts: bool = False) -> Callable[[H], Faults]:
    """Return a check of what lies by what was thrown, which lets go what a hand has changed since.

    What is found of a feature that was moved or turned is no fault of a throw. Where one was deleted, it may be missing
    from anything that is counted, and no fault of the check is one of the throws; nor is any of a check that ``counts``
    what lies where, and does not name what does not, once anything was moved.
    """

    def check_thrown(case: H) -> Faults:
        touched = {str(entry.get("id")): bool(entry.get("delete")) for entry in case.record.hand}
        moved = broken = False
        for fault in check(case):
            if touched and (counts or any(touched.values()) or any(value in touched for value in _values(fault))):
                moved = True
            else:
                broken = True
                yield fault
        if moved and not broken:
            raise MovedError("{names} was edited by hand; its rolls are not checked", names=joined(touched))

    return check_thrown


class Ruled(Protocol):
    """A record laid open, with the rules that it is judged by."""

    @property
    def rules(self) -> Rules:
        """Return the rule book after the settings of the record."""
        ...


R = TypeVar("R", bound=Ruled)
F = TypeVar("F", bound="Identified")


class Identified(Protocol):
    """A feature, or what a judge makes of one."""

    @property
    def id(self) -> str:
        """Return its ID."""
        ...


def _plain(_case: object) -> float:
    return 1.0


def at_most(
    things: Callable[[R], Iterable[F]],
    measure: Callable[[R, F], float],
    limit: str,
    *,
    says: str,
    unit: Callable[[R], float] = _plain,
) -> Callable[[R], Faults]:
    """Return a check that a measure of each of some things is no greater than a number of the book, and its slack.

    Args:
        things: what is measured.
        measure: in mm if the number is a length, else in the unit of the number.
        limit: the name of the number.
        says: the sentence of a fault, with ``{it}`` for the ID, ``{found}`` and ``{limit}``.
        unit: the mm of the unit in which both are said; the mm itself where none is given.
    """

    return _bounded(things, measure, limit, says, unit, sign=1)


def at_least(
    things: Callable[[R], Iterable[F]],
    measure: Callable[[R, F], float],
    limit: str,
    *,
    says: str,
    unit: Callable[[R], float] = _plain,
) -> Callable[[R], Faults]:
    """Return a check that a measure is no smaller than a number of the book, less its slack; as ``at_most``."""

    return _bounded(things, measure, limit, says, unit, sign=-1)


def _bounded(
    things: Callable[[R], Iterable[F]],
    measure: Callable[[R, F], float],
    limit: str,
    says: str,
    unit: Callable[[R], float],
    *,
    sign: int,
) -> Callable[[R], Faults]:
    """Return a check that no measure lies beyond a limit by more than its slack: above it for 1, below it for -1."""

    def check(case: R) -> Faults:
        bound, slack = case.rules.limit(limit), case.rules.slack(limit)
        for thing in things(case):
            found = measure(case, thing)
            if sign * found > sign * bound + slack:
                yield Sentence(says, it=thing.id, found=found / unit(case), limit=bound / unit(case))

    return check


def each(things: Callable[[C], Iterable[F]], holds: Callable[[C, F], bool], *, says: str) -> Callable[[C], Faults]:
    """Return a check that something holds of each of some things; ``says`` has ``{it}`` for the ID."""

    def check(case: C) -> Faults:
        return (Sentence(says, it=thing.id) for thing in things(case) if not holds(case, thing))

    return check


def verdicts(
    clauses: Iterable[str], checks: Mapping[str, Callable[[R], Faults]], reasons: Reasons, case: R, record: Record
) -> tuple[Verdict, ...]:
    """Return a verdict for every clause, in the order given.

    Args:
        checks: what looks for breaches, by clause.
        reasons: why a clause without a check is not judged.
        record: that is judged, of which the verdicts name features.

    Raises:
        RecordError: the object of the rule system in it has a wrong member; names it.
        OwnFaultError: a check fails, which is no fault of the record.
    """
    known = {feature.id for feature in record.battlefield.features}
    old = made_otherwise(case.rules.book, record)
    return tuple(
        Verdict(clause, "not judged", old[clause])
        if clause in old
        else _verdict(clause, checks[clause], case, known)
        if clause in checks
        else Verdict(clause, "not judged", reasons.of(clause))
        for clause in clauses
    )


def made_otherwise(book: RuleBook, record: Record) -> dict[str, Sentence]:
    """Return the clauses that cannot be judged, each with the retired setting that the board was made with."""
    return {
        clause: Sentence("made with {key}={value}", key=name, value=value)
        for name, value in book.made_otherwise(record.settings).items()
        for clause in book.retired[name].clauses
    }


def _verdict(clause: str, check: Callable[[C], Faults], case: C, known: Set[str]) -> Verdict:
    try:
        faults = tuple(dict.fromkeys(check(case)))
    except UnseenError as unseen:
        return Verdict(clause, "not judged", unseen.sentence)
    except PrintkitError:
        raise
    except Exception as error:
        raise OwnFaultError(
            "this is a bug in printkit, not in the record: {rule} cannot be checked ({kind}: {error}); "
            "please report it with the record; --debug shows where it is",
            rule=clause,
            kind=type(error).__name__,
            error=error,
        ) from error
    if not faults:
        return Verdict(clause, "kept")
    named, more = joined(faults[:_NAMED_AT_MOST], "; "), len(faults) - _NAMED_AT_MOST
    where = Sentence("{named}; and {more} more", named=named, more=more) if more > 0 else named
    spoken_of = dict.fromkeys(value for fault in faults for value in _values(fault) if value in known)
    return Verdict(clause, "broken", where, faults, tuple(spoken_of))


def _values(text: object) -> Iterator[str]:
    """Yield the texts that a sentence has as values, also those of sentences within it."""
    for value in text.values.values() if isinstance(text, Sentence) else ():
        if isinstance(value, Sentence):
            yield from _values(value)
        elif isinstance(value, str):
            yield value

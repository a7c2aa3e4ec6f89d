"""Build the verdicts of a rule system: one check for each clause, with at most three faults named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct, field

from printkit.core.errors import BUG_EXIT_STATUS, PrintkitError, Sentence, TranslatedError, joined
from printkit.kit.system import Verdict

if TYPE_CHECKING:
    from printkit.kit.book import RuleBook
    from printkit.kit.rules import Rules
    from printkit.terrain.field.record import Record

# The breaches of a clause, each with its location and measure. A clause without faults is kept.
Faults: TypeAlias = Iterator[str]

# The view of a record that the checks of one rule system use.
C = TypeVar("C")

_NAMED_AT_MOST: Final = 3


class UnseenError(TranslatedError):
    """A clause cannot be checked in this record; the message says why."""


class EditedByHandError(UnseenError):
    """All faults of a clause concern rolls for features that the user moved or deleted later."""


class OwnFaultError(PrintkitError):
    """A bug in a check. A record, however wrong, must not cause it."""

    exit_status = BUG_EXIT_STATUS


class Reasons(Struct, frozen=True, kw_only=True):
    """Reasons why a clause has no check: by its ID, then by the start of its ID, then ``otherwise``."""

    clauses: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = Sentence("leaves no trace in a record")

    def find_reason(self, clause: str) -> str:
        """Return the reason why the clause with this ID has no check.

        It is the reason of the ID, of the first listed start of the ID, or ``otherwise``.
        """
        family = next((reason for start, reason in self.families.items() if clause.startswith(start)), self.otherwise)
        return self.clauses.get(clause, family)


def combine_checks(*checks: Callable[[C], Faults]) -> Callable[[C], Faults]:
    """Return one check that yields the faults of several checks; no faults mean that the clause is kept.

    If a check raises EditedByHandError, the combined check raises it only if no check finds a fault.
    """

    def check(case: C) -> Faults:
        """Yield the faults of all the checks."""
        moved_error, is_broken = None, False
        for single_check in checks:
            try:
                for fault in single_check(case):
                    is_broken = True
                    yield fault
            except EditedByHandError as error:
                moved_error = error
        if moved_error is not None and not is_broken:
            raise moved_error

    return check


class HasRecord(Protocol):
    """A view with a record."""

    @property
    def record(self) -> Record:
        """Return the record that the view shows."""
        ...


H = TypeVar("H", bound=HasRecord)


def ignoring_hand_edits(check: Callable[[H], Faults], *, counts_features: bool = False) -> Callable[[H], Faults]:
    """Return a check that yields the faults of ``check``, without those that the user's later edits explain.

    Faults that name a moved or rotated feature are left out. All faults are left out if a feature was deleted, because
    it may be missing from a count. The returned check raises EditedByHandError, after its faults, if it left out faults
    and yielded none. "User's edits" are the entries of ``record.hand``: moves, rotations and deletions.

    Args:
        check: the check of the rolls; it yields the faults of a case.
        counts_features: whether any edit leaves out all faults, because the check counts features and does not name
            them.
    """

    def check_thrown(case: H) -> Faults:
        """Yield the faults of ``check`` that the user's edits do not explain.

        Raises:
            EditedByHandError: faults were left out and none was yielded; it names the edited features.
        """
        edits = {str(entry.get("id")): bool(entry.get("delete")) for entry in case.record.hand}
        is_edited = is_broken = False
        for fault in check(case):
            if edits and (
                counts_features or any(edits.values()) or any(value in edits for value in _text_values(fault))
            ):
                is_edited = True
            else:
                is_broken = True
                yield fault
        if is_edited and not is_broken:
            raise EditedByHandError("{names} was edited by hand; its rolls are not checked", names=joined(edits))

    return check_thrown


def check_rolls_placed(rolls: Callable[[H], Iterable[tuple[int, str]]]) -> Callable[[H], Faults]:
    """Return a check that each roll for a feature is in the origin of one, or that the record says why it is not.

    A record whose features have no rolls at all is not checked.

    Args:
        rolls: gets the case and returns pairs. Each has the number of a roll in the log, from 1, and the reason why
            its feature is missing, or an empty text.
    """

    def check(case: H) -> Faults:
        """Yield a fault for each roll that no feature has and that has no reason."""
        log = case.record.log
        placed_numbers = {number for feature in case.record.battlefield.features for number in feature.origin.throws}
        lost = (number for number, reason in rolls(case) if not reason and number not in placed_numbers)
        for number in lost if placed_numbers else ():
            yield Sentence(
                "roll {number} ({reason}) belongs to no feature, and the record does not say why",
                number=number,
                reason=log[number - 1].reason if 0 < number <= len(log) else Sentence("missing"),
            )

    return check


class HasRules(Protocol):
    """A view with the rules to check a record by."""

    @property
    def rules(self) -> Rules:
        """Return the rule book with the settings of the record."""
        ...


R = TypeVar("R", bound=HasRules)
F = TypeVar("F", bound="HasId")


class HasId(Protocol):
    """A feature, or a view of one, that has an ID."""

    @property
    def id(self) -> str:
        """Return the ID of the feature."""
        ...


def check_each(
    select: Callable[[C], Iterable[F]], condition: Callable[[C, F], bool], *, says: str
) -> Callable[[C], Faults]:
    """Return a check that each thing meets a condition; it yields a fault for each thing that does not.

    Args:
        select: gets the case and returns the things to check.
        condition: gets the case and a thing and returns whether the thing meets the condition.
        says: the message of a fault, with ``{it}`` for the ID.
    """

    def check(case: C) -> Faults:
        """Yield a fault for each thing that does not meet the condition."""
        return (Sentence(says, it=thing.id) for thing in select(case) if not condition(case, thing))

    return check


def verdicts(
    clauses: Iterable[str], checks: Mapping[str, Callable[[R], Faults]], reasons: Reasons, case: R, record: Record
) -> tuple[Verdict, ...]:
    """Return a verdict on every clause, in the given order.

    A clause without a check, or one that a retired setting affects, gets the state "not judged" with the reason.

    Args:
        clauses: the IDs of the clauses.
        checks: the checks by clause.
        reasons: why clauses without a check are not checked.
        case: the view of the record that the checks use.
        record: the record; verdicts list the IDs of its features.

    Raises:
        RecordError: a member of the rule system's object in the record is wrong; the message names it.
        OwnFaultError: a check has a bug.
    """
    feature_ids = {feature.id for feature in record.battlefield.features}
    retired_clauses = find_retired_clauses(case.rules.book, record)
    return tuple(
        Verdict(clause, "not judged", retired_clauses[clause])
        if clause in retired_clauses
        else _check_clause(clause, checks[clause], case, feature_ids)
        if clause in checks
        else Verdict(clause, "not judged", reasons.find_reason(clause))
        for clause in clauses
    )


def find_retired_clauses(book: RuleBook, record: Record) -> dict[str, Sentence]:
    """Return the clauses that cannot be checked because the record has a setting that no longer exists.

    Each clause ID has a sentence with that setting and its value. Empty if there is no such setting.
    """
    return {
        clause: Sentence("made with {key}={value}", key=name, value=value)
        for name, value in book.made_otherwise(record.settings).items()
        for clause in book.retired[name].clauses
    }


def _check_clause(clause: str, check: Callable[[C], Faults], case: C, feature_ids: Set[str]) -> Verdict:
    """Run a check and return the verdict on its clause, which names at most three faults.

    It is "kept" without faults and "not judged" if the check raises UnseenError. The verdict has all different faults,
    and the IDs of the features that they name.

    Args:
        clause: the ID of the clause.
        check: its check.
        case: the view of the record that the check uses.
        feature_ids: the IDs of all features of the record.

    Raises:
        PrintkitError: an error of the record, from the check.
        OwnFaultError: the check has a bug.
    """
    try:
        faults = tuple(dict.fromkeys(check(case)))
    except UnseenError as unseen:
        return Verdict(clause, "not judged", unseen.sentence)
    except PrintkitError:
        raise
    except Exception as error:
        raise describe_own_fault(clause, error) from error
    return broken_verdict(clause, faults, feature_ids) if faults else Verdict(clause, "kept")


def describe_own_fault(clause: str, error: Exception) -> OwnFaultError:
    """Return the error that a clause cannot be checked because of a bug, which raised ``error``."""
    return OwnFaultError(
        "this is a bug in printkit, not in the record: {rule} cannot be checked ({kind}: {error}); "
        "please report it with the record; --debug shows where it is",
        rule=clause,
        kind=type(error).__name__,
        error=error,
    )


def broken_verdict(clause: str, faults: Sequence[str], feature_ids: Set[str]) -> Verdict:
    """Return the verdict on a broken clause: it names at most three faults, and the features in all of them.

    ``feature_ids`` are the IDs of all features of the record.
    """
    listed_faults, more = joined(faults[:_NAMED_AT_MOST], "; "), len(faults) - _NAMED_AT_MOST
    finding = Sentence("{named}; and {more} more", named=listed_faults, more=more) if more > 0 else listed_faults
    ids = dict.fromkeys(value for fault in faults for value in _text_values(fault) if value in feature_ids)
    return Verdict(clause, "broken", finding, tuple(faults), tuple(ids))


def _text_values(text: object) -> Iterator[str]:
    """Yield the texts among the values of a sentence, also those of nested sentences.

    It yields nothing for a text that is not a ``Sentence``.
    """
    for value in text.values.values() if isinstance(text, Sentence) else ():
        if isinstance(value, Sentence):
            yield from _text_values(value)
        elif isinstance(value, str):
            yield value

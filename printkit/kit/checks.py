"""How the judge of any rule system comes to its verdicts: one check a clause, and its faults named, three at most."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct, field

from printkit.core.errors import RecordError, SaidError, Sentence, joined
from printkit.kit.system import Verdict

Faults: TypeAlias = Iterator[str]
"""What breaks a clause, each with its place and its measure; nothing means that the clause is kept."""

C = TypeVar("C")
"""A record laid open as the judge of one rule system sees it."""

_NAMED_AT_MOST: Final = 3


class UnseenError(SaidError):
    """What a clause speaks of cannot be seen in this record; its text says why."""


class Reasons(Struct, frozen=True, kw_only=True):
    """Why a clause without a check is not judged: by its ID, else by how the ID begins, else ``otherwise``."""

    clauses: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = Sentence("nothing of it shows in a record")

    def of(self, clause: str) -> str:
        """Return the reason for one clause."""
        family = next((reason for start, reason in self.families.items() if clause.startswith(start)), self.otherwise)
        return self.clauses.get(clause, family)


def both(*checks: Callable[[C], Faults]) -> Callable[[C], Faults]:
    """Return one check of several."""
    return lambda case: (fault for check in checks for fault in check(case))


def verdicts(
    clauses: Iterable[str], checks: Mapping[str, Callable[[C], Faults]], reasons: Reasons, case: C, rules: str
) -> tuple[Verdict, ...]:
    """Return a verdict for every clause, in the order given.

    Args:
        checks: what looks for breaches, by clause.
        reasons: why a clause without a check is not judged.
        rules: the rule system whose object in the record an error names.

    Raises:
        RecordError: that object has a wrong member; names it.
    """
    return tuple(
        _verdict(clause, checks[clause], case, rules)
        if clause in checks
        else Verdict(clause, "not judged", reasons.of(clause))
        for clause in clauses
    )


def _verdict(clause: str, check: Callable[[C], Faults], case: C, rules: str) -> Verdict:
    try:
        faults = list(dict.fromkeys(check(case)))
    except UnseenError as unseen:
        return Verdict(clause, "not judged", unseen.sentence)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise RecordError(
            "the object {rules} of the record cannot be read for {rule}: {error!r}",
            rules=rules,
            rule=clause,
            error=error,
        ) from None
    if not faults:
        return Verdict(clause, "kept")
    named, more = joined(faults[:_NAMED_AT_MOST], "; "), len(faults) - _NAMED_AT_MOST
    return Verdict(
        clause, "broken", Sentence("{named}; and {more} more", named=named, more=more) if more > 0 else named
    )

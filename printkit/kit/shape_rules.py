"""Rules of shapes as rows. Generator and ``check`` use the same row: one refuses a shape, the other reports it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.units import MM_PER_INCH
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, HasId, combine_checks
from printkit.kit.rules import Rules

# Tolerance of angles and ratios while a shape is placed: the rounding of a measurement.
_ROUNDING: Final = 1e-6


class Surroundings(Protocol):
    """The surroundings of the shapes of one rule system.

    Attributes:
        rules: the rules of the game.
        unit_mm: the mm on the board of the unit in which sentences give lengths.
        rounding_mm: the tolerance of lengths while a shape is placed, in mm on the board. It is smaller than every
            tolerance of the book, so that what is placed passes the check. None for a check, which uses the book's.
    """

    @property
    def rules(self) -> Rules: ...

    @property
    def unit_mm(self) -> float: ...

    @property
    def rounding_mm(self) -> float | None: ...


S = TypeVar("S", bound=HasId)
G = TypeVar("G", bound=Surroundings)
C = TypeVar("C")


class Measurement(NamedTuple):
    """What a rule measures of a shape.

    Attributes:
        value: mm on the board for a length, otherwise in the unit of the number of the rule.
        unit_mm: for a number that counts widths, for example: the mm on the board of one of them. The value is then a
            length. 0 for all other numbers.
        words: values for the sentence of the rule.
    """

    value: float = 0.0
    unit_mm: float = 0.0
    words: Mapping[str, object] = {}


Measurements: TypeAlias = Iterator[Measurement]


class ShapeRule(Struct, Generic[S, G], frozen=True):
    """One rule of one type of shape.

    Attributes:
        clause: the clause that says it.
        title: what is measured. A fault of a rule with a number names it, and the page of all rules.
        measure: gets a shape and its surroundings and yields the measurements. A rule without a number is broken by
            each of them.
        says: the sentence of a fault, if the title and the number are not enough. It has the values of the measurement
            and ``{it}``, the ID of the shape. ``{found}`` and ``{limit}`` are lengths in the unit of the surroundings.
            ``{short}`` and ``{short_in}`` are their difference in mm and in inches.
        minimum, maximum: the number of the rule book that is the limit; at most one of them.
        error_clause: the clause of the error if a user's own shape breaks it; empty for ``clause``.
        also: further clauses under which ``check`` names its faults.
    """

    clause: str
    title: str
    measure: Callable[[S, G], Iterable[Measurement]]
    says: str = ""
    minimum: str = ""
    maximum: str = ""
    error_clause: str = ""
    also: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        """Return the name of the number that is the limit, or an empty text."""
        return self.minimum or self.maximum

    def find_faults(self, shape: S, surroundings: G) -> Iterator[Sentence]:
        """Yield a sentence for each fault of a shape; nothing if it keeps the rule."""
        for measurement in self.measure(shape, surroundings):
            values: dict[str, Any] = {"it": shape.id, **measurement.words}
            if not self.number:
                yield Sentence(self.says, **values)
                continue
            rules, scale = surroundings.rules, measurement.unit_mm or 1.0
            is_length = bool(measurement.unit_mm) or rules.is_length(self.number)
            limit, tolerance = rules.limit(self.number) * scale, rules.slack(self.number) * scale
            if surroundings.rounding_mm is not None:
                tolerance = surroundings.rounding_mm if is_length else _ROUNDING
            excess = measurement.value - limit if self.maximum else limit - measurement.value
            if excess <= tolerance:
                continue
            if self.says:
                unit_mm = surroundings.unit_mm if is_length else 1.0
                values |= {"found": measurement.value / unit_mm, "limit": limit / unit_mm}
                yield Sentence(self.says, **values, short=excess, short_in=excess / MM_PER_INCH)
            else:
                yield self._describe_fault(rules, shape.id, measurement)

    def _describe_fault(self, rules: Rules, identity: str, measurement: Measurement) -> Sentence:
        """Return the sentence of a fault from the title, the measurement and the limit."""
        scale = measurement.unit_mm or (rules.unit_mm(self.number) if rules.is_length(self.number) else 1.0)
        value, bound = measurement.value / scale, rules.number(self.number)
        # A value just beyond the limit needs more decimals to differ from it.
        digits = next((count for count in (2, 3, 4) if round(value, count) != round(bound, count)), 5)
        measured = format_number(rules.book, self.number, round(value, digits))
        limit = format_number(rules.book, self.number, bound)
        it: object = identity
        if other := measurement.words.get("other"):
            it = Sentence("{it} and {other}", it=identity, other=other)
        values = {"it": it, "title": Sentence(self.title), "found": measured, "limit": limit}
        if self.minimum:
            return Sentence("{it}: {title} is {found}; the minimum is {limit}", **values)
        return Sentence("{it}: {title} is {found}; the maximum is {limit}", **values)


def format_number(book: RuleBook, name: str, value: float) -> Sentence:
    """Return a value of a number of the book with its unit, for example 0.75 in."""
    match book.units.get(name, ""):
        case "deg" if value == 1:
            return Sentence("1 degree")
        case "bw" if value == 1:
            return Sentence("1 base width")
        case "in" | "inch":
            return Sentence("{value:g} in", value=value)
        case "mm":
            return Sentence("{value:g} mm", value=value)
        case "mm2":
            return Sentence("{value:g} mm²", value=value)
        case "deg":
            return Sentence("{value:g} degrees", value=value)
        case "bw":
            return Sentence("{value:g} base widths", value=value)
        case "p":
            return Sentence("{value:g} paces", value=value)
        case _:
            return Sentence("{value:g}", value=value)


def shape_checks(
    rules: Iterable[ShapeRule[S, G]], shapes: Callable[[C], Iterable[S]], surroundings: Callable[[C], G]
) -> dict[str, Callable[[C], Faults]]:
    """Return the checks of rules by their clauses; the check of a clause combines its rules.

    Args:
        rules: the rules of one type of shape.
        shapes: gets the case of a record and returns the shapes to check.
        surroundings: gets the case and returns what the shapes are measured against.
    """

    def check_of(rule: ShapeRule[S, G]) -> Callable[[C], Faults]:
        def check(case: C) -> Faults:
            """Yield the faults of all shapes."""
            measured_against = surroundings(case)
            for shape in shapes(case):
                yield from rule.find_faults(shape, measured_against)

        return check

    checks: dict[str, list[Callable[[C], Faults]]] = {}
    for rule in rules:
        for clause in (rule.clause, *rule.also):
            checks.setdefault(clause, []).append(check_of(rule))
    return {clause: combine_checks(*of_clause) for clause, of_clause in checks.items()}


# Rules by the heading of their group, for example "Rivers".
ShapeRules: TypeAlias = Mapping[Sentence, tuple[ShapeRule[Any, Any], ...]]


@runtime_checkable
class HasShapeRules(Protocol):
    """A rule system that lists the rules of its shapes."""

    def shape_rules(self) -> ShapeRules:
        """Return these rules."""


def find_shape_rules(system: object) -> ShapeRules:
    """Return the rules of shapes of a rule system by heading; empty if it lists none."""
    return system.shape_rules() if isinstance(system, HasShapeRules) else {}

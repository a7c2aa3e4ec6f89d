"""What cards say, with the numbers of the rule books filled in: amounts, spans of scores, counts and lengths.

No number of a rule stands in the words: a card that is printed after a table was changed says what the table says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from printkit.chance.tables import DieRow, DieTable, Span
from printkit.content.prose import Modifiers, Results
from printkit.core.errors import BookError
from printkit.core.words import Words
from printkit.kit.book import RuleBook, read_book
from printkit.systems.solo.armies.steps import BOOK, count, number
from printkit.systems.solo.tactics.tactics_tables import Level, TacticsTables

ROOT: Final = "npg.cards"

_LENGTHS: Final = (
    "zone_depth", "ahead_depth", "reserve_behind", "group_size", "psiloi_trio", "psiloi_against", "bows_against",
    "elephant_horse_most", "elephant_company", "landing_most", "warband_ranks", "your_spears_ranks", "own_spears_ranks",
)  # fmt: skip
"""Numbers of deployment that texts may name."""

_PACES_IN: Final = 100
"""Paces of an inch at 15 mm scale (F-18)."""


class CardText(Struct, frozen=True, dict=True):
    """The words of one language, and the rule book that fills in their numbers."""

    words: Words
    book: RuleBook

    @classmethod
    def of(cls, words: Words) -> CardText:
        """Return the texts of a language with the numbers of the shipped rule book."""
        return cls(words, read_book(BOOK))

    @cached_property
    def tactics(self) -> TacticsTables:
        """Return the tables of the tactical engine."""
        return TacticsTables.of(self.book)

    @cached_property
    def numbers(self) -> Mapping[str, object]:
        """Return the numbers that any text may name, as they are printed."""
        book, tactics = self.book, self.tactics
        levels = {str(level): self.signed(tactics.level_values[level]) for level in Level}
        override = {row.outcome: self.span(row.span) for row in tactics.override.rows}
        ranks = {"deep": "deep", "thin": "thin-ends"}
        spans = {name: self.span(self.row("warband_ranks", outcome).span) for name, outcome in ranks.items()}
        last = next(each.amount for each in tactics.stance_modifiers if each.npg is not None)
        return {
            **{name: number(name) for name in _LENGTHS},
            **levels,
            **override,
            **spans,
            "along": number("centre_line_reach"),
            "inland": number("shore_reach"),
            "last": self.signed(last),
            "overrides": tactics.overrides,
            "mounted_wb": number("psiloi_against") + 1,
            "mounted_bows": number("bows_against") + 1,
            "corner": f"{book.numbers['bua_corner_p'] / _PACES_IN:g}",
            "clearance": f"{book.numbers['river_clearance_p_min'] / _PACES_IN:g}",
            "sinuosity": f"{book.numbers['river_sinuosity_max']:g}",
        }

    def __call__(self, key: str, **more: object) -> str:
        """Return a text below the root of the cards' words, its numbers filled in."""
        return self.words(f"{ROOT}.{key}", **{**self.numbers, **more})

    def list(self, texts: Iterable[str]) -> str:
        """Return texts as a list with commas."""
        return self.words(f"{ROOT}.list").join(texts)

    def signed(self, amount: int) -> str:
        """Return an amount with its sign, a real minus where it is less than 0."""
        if amount == 0:
            return "0"
        return self.words(f"{ROOT}.{'plus' if amount > 0 else 'minus'}", amount=abs(amount))

    def span(self, span: Span) -> str:
        """Return a span of scores as players read it: ``3 or less``, ``4 or more``, ``5–9``, ``10``."""
        if span.low is None and span.high is None:
            return self.words(f"{ROOT}.span.any")
        if span.low is None:
            return self.words(f"{ROOT}.span.most", high=span.high)
        if span.high is None:
            return self.words(f"{ROOT}.span.least", low=span.low)
        if span.low == span.high:
            return str(span.low)
        return self.words(f"{ROOT}.span.range", low=span.low, high=span.high)

    def row(self, table: str, outcome: str) -> DieRow[str]:
        """Return the row of a die table that gives an outcome.

        Raises:
            BookError: no row of the table does.
        """
        for row in self.book.tables[table].rows:
            if row.outcome == outcome:
                return row
        raise BookError(
            "{file}: table {table!r} has no row that gives {outcome!r}",
            file=self.book.file,
            table=table,
            outcome=outcome,
        )

    def amount(self, clause: str) -> int:
        """Return what the modifier of a clause adds.

        Raises:
            BookError: no table has it.
        """
        for table in self.book.tables.values():
            for modifier in table.modifiers:
                if modifier.condition == clause:
                    return modifier.amount
        raise BookError("{file}: no table has the modifier {rule}", file=self.book.file, rule=clause)

    def count(self, clause: str) -> int:
        """Return what the condition of a modifier compares with; 0 where it compares with nothing."""
        cited = (int(self.book.numbers[name]) for name, its in self.book.cited.items() if its == clause)
        return count(clause) or next(cited, 0)

    def modifiers(self, table: str, *, boxes: int = 0, letters: bool = False) -> Modifiers:
        """Return the modifiers of a die table in the order of the rules, all with boxes to tick or letters."""
        rows = tuple(
            (self.signed(each.amount), self(f"modifier.{each.condition}", count=self.count(each.condition)))
            for each in self.book.tables[table].modifiers
        )
        return Modifiers(rows, boxes=boxes, letters=letters)

    def results(self, rows: Iterable[Iterable[str]]) -> Results:
        """Return results in boxes, each named ``table.outcome``, side by side where a row has several.

        A name after ``=`` is that of a text which says what the row is about.
        """
        return Results(tuple(tuple(self._result(name) for name in row) for row in rows))

    def _result(self, name: str) -> tuple[str, str]:
        if name.startswith("="):
            return self(name.removeprefix("=")), ""
        table, outcome = name.split(".", 1)
        more: dict[str, object] = {}
        if table == "river":
            band = next(row for row in self.book.own("river_bands") if row.need("band", str) == outcome)
            more = {"from": band.need("from_in", int), "to": band.need("to_in", int)}
        if table == "level":
            more = {"value": self.signed(self.tactics.level_values[Level(outcome)])}
        return self.span(self.row(table, outcome).span), self(f"result.{name}", **more)


def faces(table: DieTable[str], text: CardText) -> Mapping[str, str]:
    """Return by its outcome the span of each row of a table."""
    return {row.outcome: text.span(row.span) for row in table.rows}


Say = Callable[..., str]
"""Says a text of one card by its key."""

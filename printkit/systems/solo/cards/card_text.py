"""Card texts with numbers from the rule books: amounts, score spans, counts and lengths.

The words contain no rule numbers, so a card always agrees with the tables of the rule book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct

from printkit.chance.tables import DieRow, DieTable, Span
from printkit.content.prose import Modifiers, Results
from printkit.core.errors import BookError
from printkit.core.words import Words
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.tactics.tactics_tables import Level, TacticsTables, tactics

ROOT: Final = "npg.cards"
_PIPS: Final = ("low", "middle", "high")


class CardText(Struct, frozen=True, dict=True):
    """The words of one language, filled with numbers from the rules of a game."""

    words: Words
    rules: SoloRules

    @property
    def tactics(self) -> TacticsTables:
        """Return the tactics tables of the rules."""
        return tactics(self.rules)

    @cached_property
    def numbers(self) -> Mapping[str, object]:
        """Return the values for the placeholders in the texts of cards, by the name of the placeholder.

        They are numbers of the rules, lengths in inches, spans of scores and words, as the cards print them.
        """
        rules, get_number, table = self.rules, self.rules.whole, self.tactics
        levels = {str(level): self.format_signed(table.level_values[level]) for level in Level}
        override = {row.outcome: self.format_span(row.span) for row in table.override.rows}
        ranks = {"deep": "deep", "thin": "thin-ends"}
        spans = {
            name: self.format_span(self.find_row("warband_ranks", outcome).span) for name, outcome in ranks.items()
        }
        last = next(modifier.amount for modifier in table.stance_modifiers if modifier.npg is not None)
        return {
            **{name.removesuffix("_p"): get_number(name) for name in ("deployment_p", "reserve_behind_p", "ahead_p")},
            **{name: get_number(name) for name in ("psiloi_trio", "psiloi_against", "bows_against")},
            **{name: get_number(name) for name in ("elephants_horse", "elephants_company", "landing_elements_max")},
            **{name: get_number(name) for name in ("spear_ranks_yours", "spear_ranks_own", "warband_ranks_min")},
            "lost_end": get_number("losses_end_min"),
            "lost_camp": get_number("losses_camp_worth"),
            "group_size": get_number("group_elements_max"),
            "swaps": get_number("swaps_max"),
            "big": f"{rules.big_area * self._inches_per_pace**2:g}",
            "centre": f"{100 * rules.number('centre_fraction'):g}",
            "ahead_in": self.format_inches(rules.front_depth),
            "camp_in": self.format_inches(rules.number("SD-4.6-m2_paces")),
            "troops_in": self.format_inches(rules.number("SD-4.6-m11_paces")),
            "zone_in": self.format_inches(rules.number("deployment_p")),
            **levels,
            **override,
            **spans,
            "along": get_number("SD-4.6-m3_along"),
            "inland": get_number("SD-4.6-m3_inland"),
            "last": self.format_signed(last),
            "overrides": table.overrides,
            **{f"{name}_pips": span for name, span in zip(_PIPS, self._pip_spans(), strict=False)},
            "bands": self.join_texts(
                self.format_band_inches(end)
                for end in sorted(
                    {row.need(key, int) for row in rules.rows("river_bands") for key in ("from_in", "to_in")}
                )
            ),
            "crossing": self.words(self.rules.text_key(f"{ROOT}.R06.crossing", self.words)),
            "mounted_wb": get_number("psiloi_against") + 1,
            "mounted_bows": get_number("bows_against") + 1,
            "corner": self.format_inches(rules.number("bua_corner_p")),
            "clearance": self.format_inches(rules.number("river_clearance_p_min")),
            "sinuosity": f"{rules.number('river_sinuosity_max'):g}",
        }

    def format_inches(self, paces: float) -> str:
        """Return a length in paces as text in inches at the scale of the figures, without the unit."""
        return f"{paces * self._inches_per_pace:g}"

    @property
    def _inches_per_pace(self) -> float:
        """Return the number of inches on the board for one pace, at the scale of the figures."""
        return self.rules.number(f"inches_per_100_paces_{self.rules.choice('scale')}") / 100

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key below ``ROOT`` with its numbers."""
        return self.translate(f"{ROOT}.{key}", **values)

    def translate(self, key: str, **values: object) -> str:
        """Return the text of a full key for the current settings, with its numbers."""
        return self.words(self.rules.text_key(key, self.words), **{**self.numbers, **values})

    def format_band_inches(self, inches: int) -> str:
        """Return inches of the 24-inch board as text in inches of this board, without the unit (AMB-19)."""
        scale_factor = self.rules.number("board_in_" + self.rules.choice("scale")) / self.rules.number("board_in_15mm")
        return f"{inches * scale_factor:g}"

    def _pip_spans(self) -> Iterator[str]:
        """Yield texts for the spans of PIP dice with the same modifier to the stance die, then dashes."""
        yield from (self.words(f"{ROOT}.span.range", low=low, high=high) for low, high in self.tactics.pip_spans())
        yield from (self.words(f"{ROOT}.nothing") for _ in _PIPS)

    def join_texts(self, texts: Iterable[str]) -> str:
        """Return the texts joined with commas."""
        return self.words(f"{ROOT}.list").join(texts)

    def format_signed(self, amount: int) -> str:
        """Return an amount with its sign and a true minus; zero is ``0``."""
        if amount == 0:
            return "0"
        return self.words(f"{ROOT}.{'plus' if amount > 0 else 'minus'}", amount=abs(amount))

    def format_span(self, span: Span) -> str:
        """Return a span of scores, both ends included, as text: ``3 or less``, ``4 or more``, ``5–9``, ``10``."""
        if span.low is None and span.high is None:
            return self.words(f"{ROOT}.span.any")
        if span.low is None:
            return self.words(f"{ROOT}.span.most", high=span.high)
        if span.high is None:
            return self.words(f"{ROOT}.span.least", low=span.low)
        if span.low == span.high:
            return str(span.low)
        return self.words(f"{ROOT}.span.range", low=span.low, high=span.high)

    def find_row(self, table: str, outcome: str) -> DieRow[str]:
        """Return the row of a die table with an outcome.

        Raises:
            BookError: the table does not have the outcome.
        """
        for row in self.rules.outcomes(table).rows:
            if row.outcome == outcome:
                return row
        raise BookError(
            "{file}: table {table!r} has no row that gives {outcome!r}",
            file=self.rules.book.file,
            table=table,
            outcome=outcome,
        )

    def find_amount(self, clause: str) -> int:
        """Return the amount of the modifier of a clause.

        Raises:
            BookError: the tables do not have the modifier.
        """
        for table in self.rules.book.tables.values():
            for modifier in table.modifiers:
                if modifier.condition == clause:
                    return modifier.amount
        raise BookError("{file}: no table has the modifier {rule}", file=self.rules.book.file, rule=clause)

    def describe_modifier(self, clause: str, root: str = ROOT) -> str:
        """Return the condition of a modifier as text, with its numbers; ``root`` begins the key.

        ``clause`` is the ID of the modifier in the rule book.
        """
        stance = next((modifier for modifier in self.tactics.stance_modifiers if modifier.clause == clause), None)
        compared_numbers = stance.compared if stance is not None else self.rules.condition_numbers(clause)
        parts = {part: f"{number:g}" for part, number in compared_numbers.items()}
        return self.translate(f"{root}.modifier.{clause}", **parts)

    def build_modifiers(self, table: str, *, boxes: int = 0, letters: bool = False, prefix: str = "") -> Modifiers:
        """Return the block of the modifiers of a die table in rule order, with tick boxes, letters or numbers.

        Args:
            table: the name of the die table.
            boxes: the number of tick boxes of each modifier.
            letters: whether each has a letter.
            prefix: the text before its number; empty for no numbers.
        """
        rows = tuple(
            (self.format_signed(modifier.amount), self.describe_modifier(modifier.condition))
            for modifier in self.rules.outcomes(table).modifiers
        )
        return Modifiers(rows, boxes=boxes, letters=letters, prefix=prefix)

    def build_die_table(
        self, table: str, *, boxes: int = 0, letters: bool = False, prefix: str = ""
    ) -> Iterator[Modifiers | Results]:
        """Yield the blocks of a die table in rule order: its modifiers, then all its results that have a text.

        The results are side by side if the card or page is wide enough. See ``build_modifiers`` for the options.
        """
        die_table = self.rules.outcomes(table)
        if die_table.modifiers:
            yield self.build_modifiers(table, boxes=boxes, letters=letters, prefix=prefix)
        names = [f"{table}.{row.outcome}" for row in die_table.rows]
        yield self.build_results([[name for name in names if self.words.has(f"{ROOT}.result.{name}")]])

    def build_results(self, rows: Iterable[Iterable[str]], scores: Mapping[str, str] | None = None) -> Results:
        """Return rows of result boxes. Each box is named ``table.outcome``; boxes of a row are side by side.

        A name with ``=`` in front is the key of a text that introduces the row. ``scores`` are texts by outcome to
        print instead of the scores of the rule book.
        """
        return Results(tuple(tuple(self._build_result(name, scores) for name in row) for row in rows))

    def _build_result(self, name: str, scores: Mapping[str, str] | None) -> tuple[str, str]:
        """Return the scores and the text of a result box named ``table.outcome``.

        For a name with ``=`` in front, return the text of that key and an empty text. ``scores`` are texts by outcome
        that replace those of the rule book; None for no replacement.
        """
        if name.startswith("="):
            return self(name.removeprefix("=")), ""
        table, outcome = name.split(".", 1)
        values: dict[str, object] = {}
        if table == "river":
            band = next(row for row in self.rules.rows("river_bands") if row.need("band", str) == outcome)
            values = {end: self.format_band_inches(band.need(f"{end}_in", int)) for end in ("from", "to")}
        if table == "level":
            values = {"value": self.format_signed(self.tactics.level_values[Level(outcome)])}
        score = self.format_span(self.find_row(table, outcome).span) if scores is None else scores[outcome]
        return score, self(f"result.{name}", **values)


def faces(table: DieTable[str], text: CardText) -> Mapping[str, str]:
    """Return the span of each row of a table as text, by outcome."""
    return {row.outcome: text.format_span(row.span) for row in table.rows}

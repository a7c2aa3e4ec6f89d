"""Reference cards of both versions: the steps in order, how to count areas, and all tables of the book.

Front and back of a card belong together. Each language has its own cards, because two do not fit on one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from msgspec import Struct

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Paragraph, ScoreTable, Steps, Table, scores_of
from printkit.core.numbers import is_number
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.edges import Ring
from printkit.systems.portable.grid.overrides import parse_number
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.version2.habitation import GROVE, OFF, ON

REFERENCE: Final = "reference"

_NAMES: Final = {"first": "PW1", "second": "PW2"}
_SCORES: Final = range(1, 7)
_RELIEFS: Final = ("flat", "undulating", "hilly", "mountainous")
_GROWTHS: Final = ("desert", "flat", "hilly", "mountainous", "forested")
_USES: Final = ("sparse", "rural", "urban")

# Key of the title of a card, its front and its back.
CardTexts = tuple[str, tuple[Block, ...], tuple[Block, ...]]


def decks(rules: Rules, words: Words) -> tuple[Deck, ...]:
    """Return the reference deck of a version for its settings, with content on both sides of the cards.

    There is one deck; each language has cards of its own.
    """
    version = "first" if rules.book.name == "portable-1" else "second"
    pages = _build_version1_cards if version == "first" else _build_version2_cards
    cards = tuple(
        card
        for language in words.each()
        for card in _build_cards(pages(_Texts(rules, language)), language, version, several=len(words.each()) > 1)
    )
    return (Deck(name=REFERENCE, title=words("portable.cards.deck"), cards=cards, backs="content", reference=True),)


def _build_cards(pages: Sequence[CardTexts], words: Words, version: str, *, several: bool) -> tuple[Card, ...]:
    """Return the cards of a version in one language.

    Args:
        pages: the texts of each card.
        words: the words of the language.
        version: ``first`` or ``second``.
        several: add the language to the IDs, because there are cards in other languages too.
    """
    name = _NAMES[version] + (f"-{words.code}" if several else "")
    return tuple(
        Card(
            id=f"{name}-{number}",
            title=words(f"portable.cards.{version}.{key}"),
            blocks=front,
            back=back,
            foot=words("portable.cards.side", number=number, count=len(pages)),
        )
        for number, (key, front, back) in enumerate(pages, 1)
    )


class _Texts(Struct, frozen=True):
    """The texts of the cards in one language, for the settings of a game."""

    rules: Rules
    words: Words

    def __call__(self, key: str, **values: object) -> str:
        return self.words(f"portable.cards.{key}", **values)

    def sentence(self, key: str, **values: object) -> Paragraph:
        """Return a sentence of the cards as a paragraph, filled with ``values``."""
        return Paragraph(self(f"say.{key}", **values))

    def steps(self, key: str, numbers: Iterable[int]) -> Steps:
        """Return a list of steps; ``numbers`` selects the texts and gives their order."""
        return Steps(tuple(self(f"steps.{key}.{number}") for number in numbers))

    def counting_rules(self) -> tuple[Block, ...]:
        """Return how to count areas and how their sides are numbered (PW0-04..PW0-12, PW0-15, PWA-04, PWA-08).

        The last sentence says how the numbers of the tables change, if they do (PW0-13).
        """
        by_area = (self.sentence("by-area"),) if self.rules.choice("numbers") == "by-area" else ()
        return self.steps("count", range(1, 5)), self.sentence("sides"), self.sentence("squares"), *by_area

    def fixed_outcome(self, label: str, outcome: object) -> Paragraph:
        """Return a paragraph with the outcome that a setting gives, so that no roll is needed (PW0-13).

        ``label`` names what the outcome is for.
        """
        return Paragraph(self("fixed", what=label, outcome=outcome))

    def number_blocks(self, table: Block, *settings: str) -> tuple[Block, ...]:
        """Return the numbers that these settings give, after ``table``.

        The table is the number die; it is left out if the settings give all numbers.
        """
        fixed_keys = [key for key in settings if self.rules.choice(key) != DIE]
        numbers = (self.fixed_outcome(self(f"what.{key}"), parse_number(self.rules, key)) for key in fixed_keys)
        return (*((table,) if len(fixed_keys) < len(settings) else ()), *numbers)

    def die_block(self, name: str, setting: str = "") -> Block:
        """Return a die table for players, or the outcome that ``setting`` gives in place of a roll.

        ``name`` is that of the die table in the rule book. Without ``setting`` it is always the table.
        """
        key = _TITLES.get(name, name)

        def outcome_text(outcome: str) -> str:
            """Return an outcome of the table in the language."""
            if key.startswith("height") and is_number(outcome):
                return self("contours", count=int(outcome))
            if outcome == GROVE and self.rules.choice("pw2.orchards") != ON:
                return self.words(f"kind.{self.rules.choice('pw2.orchards')}").lower()
            return self(f"{_OUTCOMES.get(key, 'outcome')}.{outcome}")

        if setting and self.rules.choice(setting) != DIE:
            return self.fixed_outcome(self(f"table.{key}"), outcome_text(self.rules.choice(setting)))
        return scores_of(self.rules.outcomes(name), outcome_text, title=self(f"table.{key}"))

    def tree_rules(self) -> tuple[Block, ...]:
        """Return the rules for the position and the kind of trees."""
        return self.sentence("trees"), self.sentence("growth")


def _build_version1_cards(texts: _Texts) -> tuple[CardTexts, ...]:
    """Return the texts of the four cards of version 1, for the settings of a game.

    Each is its name, the blocks of the front and the blocks of the back.
    """
    rules, sentence, die = texts.rules, texts.sentence, texts.die_block
    hills_first = rules.choice("pw1.order") == "hills-first"
    chains = rules.choice("pw1.chains") == "on"
    cover = {what: round(100 * rules.number(f"{what}_cover")) for what in ("settlement", "village")}
    village, town = rules.choice("pw1.places").split("-")
    return (
        (
            "order",
            (
                texts.steps("first", (3, 1, 2, 4, 5) if hills_first else (1, 2, 3, 4, 5)),
                *(() if hills_first else (sentence("axes"),)),
                sentence("known"),
            ),
            texts.counting_rules(),
        ),
        (
            "courses",
            (
                sentence("ring"),
                _build_entry_table(texts),
                sentence("short", least=rules.whole("least_areas")),
                die("detour"),
            ),
            (
                sentence("stations"),
                _build_station_table(texts),
                die("width", "river-areas"),
                die("crossing", "crossing"),
            ),
        ),
        (
            "hills",
            (
                *texts.number_blocks(_build_country_table(texts, "hills", "relief", _RELIEFS), "hills", "mountains"),
                sentence("hill"),
                sentence("flat"),
            ),
            (
                die("height_hilly"),
                die("height_mountainous"),
                *((die("chain"), sentence("chain")) if chains else ()),
            ),
        ),
        (
            "places",
            (
                *texts.number_blocks(_build_score_table(texts, "trees", "growth", _GROWTHS), "trees"),
                *texts.tree_rules(),
            ),
            (
                *texts.number_blocks(
                    _build_country_table(texts, "habitation", "use", _USES, _make_row_formatter(texts)),
                    "settlements",
                    "villages",
                    "towns",
                ),
                sentence("habitation", village=village, town=town),
                sentence("cover", **cover),
            ),
        ),
    )


def _build_version2_cards(texts: _Texts) -> tuple[CardTexts, ...]:
    """Return the texts of the four cards of version 2, for the settings of a game.

    Each is its name, the blocks of the front and the blocks of the back.
    """
    rules, sentence, die = texts.rules, texts.sentence, texts.die_block
    onward = rules.row("exits", "reading", rules.choice("pw2.exit")).need("add", int)
    divert = rules.whole("rail_divert")
    orchards = rules.choice("pw2.orchards") != OFF
    return (
        ("order", (texts.steps("second", range(1, 8)), sentence("known")), texts.counting_rules()),
        (
            "hills",
            (
                *texts.number_blocks(_build_addition_table(texts, "hills", "relief"), "hills"),
                *((die("chain"),) if rules.choice("pw2.chains") == "on" else ()),
                sentence("later"),
                die("hill_height"),
                die("mountain_height"),
            ),
            (
                *texts.number_blocks(_build_addition_table(texts, "trees", "growth"), "trees"),
                *texts.tree_rules(),
                _write_waters(texts),
            ),
        ),
        (
            "courses",
            (
                sentence("quarters"),
                sentence("entry_later", add=onward) if onward else sentence("entry"),
                sentence("areas"),
                sentence("route"),
                die("detour"),
                sentence("road"),
            ),
            (
                die("river_width", "river-areas"),
                die("bank"),
                die("crossing", "crossing"),
                sentence("railway", areas=divert) if divert else sentence("railway_direct"),
            ),
        ),
        (
            "places",
            (
                *texts.number_blocks(_build_addition_table(texts, "habitation", "use"), "habitation"),
                _build_size_table(texts),
                sentence("inhabit"),
                *((sentence("connect"),) if rules.choice("pw2.connect") == "on" else ()),
            ),
            (
                *texts.number_blocks(_build_addition_table(texts, "fields", "use"), "fields"),
                sentence("fields"),
                sentence("beside"),
                die("field_use") if orchards else texts.fixed_outcome(texts("table.use"), texts("outcome.open")),
            ),
        ),
    )


# --- Blocks --------------------------------------------------------------------------------------------------------


_TITLES: Final = {"river_width": "width", "hill_height": "height_hilly", "mountain_height": "height_mountainous",
                  "field_use": "use"}  # fmt: skip
_OUTCOMES: Final = {"width": "width", "bank": "bank"}


def _write_waters(texts: _Texts) -> Paragraph:
    """Return how many lakes and marshes there are (PW2-38, PW2-39)."""

    def number(water: str) -> str:
        """Return how many lakes or marshes there are: a number, or what is added to the die."""
        choice = texts.rules.choice(water)
        if choice != DIE:
            return "0" if choice == "no" else str(parse_number(texts.rules, water))
        return _format_addition(texts, texts.rules.row(water, "table", "all").need("add", int))

    is_used = {water: texts.rules.choice(water) != "no" for water in ("lakes", "marshes")}
    return (
        texts.sentence("waters_of", **{water: number(water) for water in is_used})
        if any(is_used.values())
        else texts.sentence("waters")
    )


def _build_country_table(
    texts: _Texts,
    list_name: str,
    family: str,
    names: Sequence[str],
    format_outcome: Callable[[str], str] = str,
) -> Table:
    """Return the tables of a number die, a column for each country.

    Scores with equal results share a row.

    Args:
        list_name: the first part of the names of the die tables.
        family: the group of texts with the names of the countries.
        names: the countries.
        format_outcome: writes an outcome for players.
    """
    tables = [texts.rules.outcomes(f"{list_name}_{name}") for name in names]

    def row(score: int) -> tuple[str, ...]:
        """Return the outcome of a score in each country."""
        return tuple(format_outcome(table.look_up(score)) for table in tables)

    rows = []
    for meaning, group in groupby(_SCORES, key=row):
        scores = list(group)
        rows.append((_format_span(scores), *meaning))
    head = (texts("die"), *(texts(f"{family}.{name}") for name in names))
    return Table(rows=tuple(rows), head=head)


def _build_score_table(texts: _Texts, list_name: str, family: str, names: Sequence[str]) -> Table:
    """Return the tables of a number die for many countries: a row for each, a column for each score.

    ``list_name`` begins the names of the die tables; ``family`` is the group of texts with the names of the countries.
    """
    rows = tuple(
        (texts(f"{family}.{name}"), *map(texts.rules.outcomes(f"{list_name}_{name}").look_up, _SCORES))
        for name in names
    )
    return Table(rows=rows, head=(texts("die"), *map(str, _SCORES)))


def _build_addition_table(texts: _Texts, list_name: str, family: str) -> Table:
    """Return the number that each country adds to the die.

    ``family`` is the group of texts with the names of the countries.
    """
    rows = tuple(
        (texts(f"{family}.{row.need('table', str)}"), _format_addition(texts, row.need("add", int)))
        for row in texts.rules.rows(list_name)
    )
    return Table(rows=rows, head=(texts("country"), texts("head.number")))


def _format_addition(texts: _Texts, add: int) -> str:
    """Return in words what is added to a die: more, less or nothing."""
    key = "more" if add > 0 else "less" if add < 0 else "die"
    return texts(f"plus.{key}", add=abs(add))


def _build_entry_table(texts: _Texts) -> Table:
    """Return the table of the slot where a course enters, for each score."""
    ring = Ring.from_rules(texts.rules)
    slots = {score: ring.entry_slot(score) for score in _SCORES}
    rows = []
    for slot, group in groupby(_SCORES, key=lambda score: slots[score]):
        rows.append((_format_span(list(group)), texts(f"slot.{slot.name}")))
    return Table(rows=tuple(rows), head=(texts("die"), texts("head.entry")))


def _build_station_table(texts: _Texts) -> ScoreTable:
    """Return the three parts of a side, with their scores and stations (PW1-13, PWA-02)."""
    rows = tuple(
        (
            _format_span(row.need("scores", list[int])),
            texts(f"station.{number}", shares=", ".join(row.need("at", list[str]))),
        )
        for number, row in enumerate(texts.rules.rows("stations"), 1)
    )
    return ScoreTable(rows=rows, title=texts("head.station"))


def _build_size_table(texts: _Texts) -> ScoreTable:
    """Return the kind of place for each number of connected areas (PW2-57)."""
    rows = [(row.need("least", int), row.need("kind", str)) for row in texts.rules.rows("places")]
    size_rows = []
    for index, (least, kind) in enumerate(rows):
        most = rows[index + 1][0] - 1 if index + 1 < len(rows) else None
        key = "more" if most is None else "one" if most == least else "span"
        count = texts(f"place.{key}", least=least, most=most or least)
        size_rows.append((count, texts(f"place.{kind}")))
    return ScoreTable(rows=tuple(size_rows), title=texts("table.size"), dice="")


def _make_row_formatter(texts: _Texts) -> Callable[[str], str]:
    """Return the function that writes a row of settlements, villages and towns, without the zeros."""
    letters = {letter: texts(f"letter.{letter}") for letter in "svt"}

    def format_row(outcome: str) -> str:
        """Return a row such as ``2s 1v 0t`` with the letters of the language, or the text for nothing."""
        parts = [part[:-1] + letters[part[-1]] for part in outcome.split() if not part.startswith("0")]
        return " ".join(parts) or texts("nothing")

    return format_row


def _format_span(scores: Sequence[int]) -> str:
    """Return scores in a row as ``3`` or ``2–4``."""
    return str(scores[0]) if len(scores) == 1 else f"{scores[0]}–{scores[-1]}"

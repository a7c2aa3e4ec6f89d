"""The reference cards of both versions: the steps in order, how areas are counted, and every table of the book.

Front and back of a card belong together; each language has cards of its own, for two have no room on one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from printkit.content.cards import Card, Deck
from printkit.content.prose import Block, Paragraph, Scores, Steps, Table, scores_of
from printkit.core.words import Words
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.edges import Ring

REFERENCE: Final = "reference"

_NAMES: Final = {"first": "PW1", "second": "PW2"}
_SCORES: Final = range(1, 7)
_RELIEFS: Final = ("flat", "undulating", "hilly", "mountainous")
_GROWTHS: Final = ("desert", "flat", "hilly", "mountainous", "forested")
_USES: Final = ("sparse", "rural", "urban")

CardTexts = tuple[str, tuple[Block, ...], tuple[Block, ...]]
"""The key of the title of a card, its front and its back."""


def decks(rules: Rules, words: Words) -> tuple[Deck, ...]:
    """Return the reference deck of a version after its settings: its procedure on cards, with content on both sides."""
    version = "first" if rules.book.name == "portable-1" else "second"
    pages = _first if version == "first" else _second
    cards = tuple(
        card for one in words.each() for card in _cards(pages(rules, one), one, version, several=len(words.each()) > 1)
    )
    return (Deck(name=REFERENCE, title=words("portable.cards.deck"), cards=cards, backs="content", reference=True),)


def _cards(pages: Sequence[CardTexts], words: Words, version: str, *, several: bool) -> tuple[Card, ...]:
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


def _first(rules: Rules, words: Words) -> tuple[CardTexts, ...]:
    say, steps = _saying(words), _stepping(words)
    return (
        ("order", (steps("first", 5), say("axes"), say("known")), (steps("count", 4), say("sides"), say("squares"))),
        (
            "courses",
            (say("ring"), _slots(rules, words), say("short"), _die(rules, words, "detour")),
            (say("stations"), _stations(rules, words), _die(rules, words, "width"), _die(rules, words, "crossing")),
        ),
        (
            "hills",
            (_by_country(rules, words, "hills", "relief", _RELIEFS), say("hill"), say("flat")),
            (_die(rules, words, "height_hilly"), _die(rules, words, "height_mountainous")),
        ),
        (
            "places",
            (_by_score(rules, words, "trees", "growth", _GROWTHS), say("trees"), say("growth")),
            (
                _by_country(rules, words, "habitation", "use", _USES, _listed(words)),
                say("habitation"),
                say("cover"),
            ),
        ),
    )


def _second(rules: Rules, words: Words) -> tuple[CardTexts, ...]:
    say, steps = _saying(words), _stepping(words)
    return (
        ("order", (steps("second", 7), say("known")), (steps("count", 4), say("sides"), say("squares"))),
        (
            "hills",
            (
                _added(rules, words, "hills", "relief"),
                _die(rules, words, "chain"),
                say("later"),
                _die(rules, words, "hill_height"),
                _die(rules, words, "mountain_height"),
            ),
            (_added(rules, words, "trees", "growth"), say("trees"), say("growth"), say("waters")),
        ),
        (
            "courses",
            (say("quarters"), say("entry"), say("areas"), say("route"), _die(rules, words, "detour"), say("road")),
            (
                _die(rules, words, "river_width"),
                _die(rules, words, "bank"),
                _die(rules, words, "crossing"),
                say("railway"),
            ),
        ),
        (
            "places",
            (_added(rules, words, "habitation", "use"), _sizes(rules, words), say("inhabit"), say("connect")),
            (_added(rules, words, "fields", "use"), say("fields"), say("beside"), _die(rules, words, "field_use")),
        ),
    )


# --- Blocks --------------------------------------------------------------------------------------------------------


def _saying(words: Words) -> Callable[[str], Paragraph]:
    return lambda key: Paragraph(words(f"portable.cards.say.{key}"))


def _stepping(words: Words) -> Callable[[str, int], Steps]:
    return lambda key, count: Steps(
        tuple(words(f"portable.cards.steps.{key}.{number}") for number in range(1, count + 1))
    )


_TITLES: Final = {"river_width": "width", "hill_height": "height_hilly", "mountain_height": "height_mountainous",
                  "field_use": "use"}  # fmt: skip
_OUTCOMES: Final = {"width": "width", "bank": "bank"}


def _die(rules: Rules, words: Words, name: str) -> Scores:
    """Return a die table of the book as players read it."""
    key = _TITLES.get(name, name)

    def said(outcome: str) -> str:
        if key.startswith("height") and outcome.isdigit():
            return words("portable.cards.contours", count=int(outcome))
        return words(f"portable.cards.{_OUTCOMES.get(key, 'outcome')}.{outcome}")

    return scores_of(rules.outcomes(name), said, title=words(f"portable.cards.table.{key}"))


def _by_country(
    rules: Rules,
    words: Words,
    what: str,
    family: str,
    names: Sequence[str],
    said: Callable[[str], str] = str,
) -> Table:
    """Return the tables of a number die side by side, a column for each country, scores that agree on one row."""
    tables = [rules.outcomes(f"{what}_{name}") for name in names]

    def row(score: int) -> tuple[str, ...]:
        return tuple(said(table.look_up(score)) for table in tables)

    rows = []
    for meaning, group in groupby(_SCORES, key=row):
        scores = list(group)
        rows.append((_span(scores), *meaning))
    head = (words("portable.cards.die"), *(words(f"portable.cards.{family}.{name}") for name in names))
    return Table(rows=tuple(rows), head=head)


def _by_score(rules: Rules, words: Words, what: str, family: str, names: Sequence[str]) -> Table:
    """Return the tables of a number die one below the other, a column for each score: many countries need it."""
    rows = tuple(
        (words(f"portable.cards.{family}.{name}"), *map(rules.outcomes(f"{what}_{name}").look_up, _SCORES))
        for name in names
    )
    return Table(rows=rows, head=(words("portable.cards.die"), *map(str, _SCORES)))


def _added(rules: Rules, words: Words, what: str, family: str) -> Table:
    """Return what each country adds to the number die."""
    rows = tuple(
        (words(f"portable.cards.{family}.{row.need('table', str)}"), _plus(row.need("add", int), words))
        for row in rules.rows(what)
    )
    return Table(rows=rows, head=(words("portable.cards.country"), words("portable.cards.head.number")))


def _plus(add: int, words: Words) -> str:
    key = "more" if add > 0 else "less" if add < 0 else "die"
    return words(f"portable.cards.plus.{key}", add=abs(add))


def _slots(rules: Rules, words: Words) -> Table:
    """Return where a course comes in, and by where it then goes out, of each score."""
    ring = Ring.of(rules)
    slots = {score: ring.entry(score) for score in _SCORES}
    rows = []
    for slot, group in groupby(_SCORES, key=lambda score: slots[score]):
        rows.append((_span(list(group)), words(f"portable.cards.slot.{slot.name}")))
    return Table(rows=tuple(rows), head=(words("portable.cards.die"), words("portable.cards.head.entry")))


def _stations(rules: Rules, words: Words) -> Scores:
    """Return the three parts of a side and their scores (PW1-13)."""
    thirds = tuple(rules.row("stations", "stations", "thirds").need("at", list))
    parts = {share: number for number, share in enumerate(dict.fromkeys(thirds), 1)}
    rows = tuple(
        (_span(list(group)), words(f"portable.cards.station.{parts[share]}"))
        for share, group in groupby(_SCORES, key=lambda score: thirds[score - 1])
    )
    return Scores(rows=rows, title=words("portable.cards.head.station"))


def _sizes(rules: Rules, words: Words) -> Scores:
    """Return what so many areas side by side are (PW2-57)."""
    rows = [(row.need("least", int), row.need("kind", str)) for row in rules.rows("places")]
    found = []
    for place, (least, kind) in enumerate(rows):
        most = rows[place + 1][0] - 1 if place + 1 < len(rows) else None
        key = "more" if most is None else "one" if most == least else "span"
        count = words(f"portable.cards.place.{key}", least=least, most=most or least)
        found.append((count, words(f"portable.cards.place.{kind}")))
    return Scores(rows=tuple(found), title=words("portable.cards.table.size"), dice="")


def _listed(words: Words) -> Callable[[str], str]:
    """Return how settlements, villages and towns of a row are written, without those of which there are none."""
    letters = {letter: words(f"portable.cards.letter.{letter}") for letter in "svt"}

    def said(outcome: str) -> str:
        parts = [part[:-1] + letters[part[-1]] for part in outcome.split() if not part.startswith("0")]
        return " ".join(parts) or words("portable.cards.nothing")

    return said


def _span(scores: Sequence[int]) -> str:
    return str(scores[0]) if len(scores) == 1 else f"{scores[0]}–{scores[-1]}"

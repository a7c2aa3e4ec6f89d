"""The umpire's copy: how to make the game again, whether it keeps the rules, its settings, the field, every throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from printkit.content.prose import Block, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.text.figures import Beside, Figure
from printkit.drawing.text.leaflet import Content
from printkit.kit.check import breaches, judge_record
from printkit.kit.rules import OWN_KEYS
from printkit.page.sheet import Page
from printkit.recipes.evening.game_log_pages import story
from printkit.recipes.output.handout import Handout, Measures

_FACT_SHARES: Final = (1.0, 2.2)
_SETTING_SHARES: Final = (1.6, 1.5, 3.2, 1.0)
_VERDICT_SHARES: Final = (1.0, 3.0, 3.0)


def umpire_pages(handout: Handout, shown: Drawing, *, name: str) -> tuple[tuple[Page, ...], tuple[Page, ...]]:
    """Return the umpire's copy: the pages before the overview, and those behind it, what the system adds and the story.

    Args:
        handout: the record, and how it is printed.
        shown: a small map.
        name: the file of the record beside the umpire's copy.

    Raises:
        PageError: the paper is too small.
    """
    title, contents = handout.words("handouts.umpire.title"), _contents(handout, shown, name)
    first = handout.leaflet(title, contents, subtitle=handout.title)
    return first, (*handout.added("umpire_pages"), *story(handout))


def _contents(handout: Handout, shown: Drawing, name: str) -> Iterator[Content]:
    words = handout.words
    facts: tuple[Block, ...] = (
        Paragraph(words("handouts.umpire.how")),
        Heading(words("handouts.umpire.again")),
        Table(rows=tuple(_facts(handout, name)), shares=_FACT_SHARES),
    )
    yield Beside(Figure(shown), facts, side="right")
    yield from _checks(handout)
    yield from _settings(handout)


def _facts(handout: Handout, name: str) -> Iterator[tuple[str, str]]:
    words, record = handout.words, handout.record
    board = record.battlefield.board
    seed = words("handouts.umpire.by-hand") if record.seed is None else f"**{record.seed}**"
    yield words("handouts.umpire.seed"), seed
    if record.reseeded:
        stages = [
            words("handouts.umpire.stage-seed", stage=stage, seed=fresh)
            for stage, fresh in sorted(record.reseeded.items())
        ]
        yield words("handouts.umpire.reseeded"), ", ".join(stages)
    yield words("handouts.umpire.board"), Measures(words).size(board.width, board.depth)
    if record.log:
        yield words("handouts.umpire.dice"), str(len(record.log))
    laid_over = [
        words("handouts.umpire.throw-was", number=number, answer=throw.answer, was=throw.was)
        for number, throw in enumerate(record.log, 1)
        if throw.was
    ]
    if laid_over:
        yield words("handouts.umpire.overwritten"), "; ".join(laid_over)
    yield words("handouts.umpire.sheets-again"), f"printkit handouts --from {name}"


def _checks(handout: Handout) -> Iterator[Content]:
    """Yield how many clauses are kept, and which are broken or could not be judged."""
    words = handout.words
    judgement = judge_record(handout.system, handout.record)
    states = Counter(verdict.state for verdict in judgement.verdicts)
    yield Heading(words("handouts.umpire.checks"))
    for one in words.each():
        yield Paragraph(
            one(
                "handouts.umpire.verdict",
                kept=one("handouts.umpire.kept", count=states["kept"]),
                broken=_counted(one, "broken", states["broken"]),
                unjudged=_counted(one, "unjudged", states["not judged"]),
            )
        )
    broken = tuple(
        (", ".join((f"**{breach.clause}**", *breach.also)), breach.title, breach.where)
        for breach in breaches(judgement, words)
    )
    if broken:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("broken-list", "about", "where"))
        yield Table(rows=broken, head=head, shares=_VERDICT_SHARES)
    unjudged = [verdict.clause for verdict in judgement.verdicts if verdict.state == "not judged"]
    if unjudged:
        yield Paragraph(words("handouts.umpire.unjudged-list", clauses=", ".join(unjudged)), "note")


def _counted(words: Words, key: str, count: int) -> str:
    """Return how many there are; that there is none is said in words of its own."""
    return words(f"handouts.umpire.{key}", count=count) if count else words(f"handouts.umpire.{key}.none")


def _settings(handout: Handout) -> Iterator[Content]:
    words, record, book = handout.words, handout.record, handout.system.book
    rows = []
    for setting in book.settings:
        value = record.settings.get(setting.key, setting.default)
        said = value if value == setting.default else f"**{value}**"
        rows.append((setting.key, said, book.setting_title(setting, words), setting.clause))
    rows += [(key, record.settings[key], "", "") for key in OWN_KEYS if key in record.settings]
    if rows:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("setting", "value", "about", "clause"))
        yield Heading(words("handouts.umpire.settings"), aside=words("handouts.umpire.settings-aside"))
        yield Table(rows=tuple(rows), head=head, shares=_SETTING_SHARES)

"""The umpire's copy: how to make the game again, the rule check, the settings, the key and every roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from printkit.content.prose import Block, Heading, Paragraph, Table
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.map.labels import numbered
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import Content
from printkit.kit.check import breaches, judge_record
from printkit.kit.countryside import default_name_list
from printkit.kit.provenance import clause_of_value
from printkit.kit.rules import NAMES_KEY, OWN_KEYS
from printkit.page.sheet import Page
from printkit.recipes.evening.folder import Folders
from printkit.recipes.evening.game_log_pages import story_pages
from printkit.recipes.evening.reference import feature_reference
from printkit.recipes.output.handout import HandoutContext, LengthFormatter
from printkit.recipes.prints.map_key import KeyKind, key_accounts

_FACT_SHARES: Final = (1.0, 2.2)
_SETTING_SHARES: Final = (1.6, 1.5, 3.2, 1.0)
_KEY_SHARES: Final = (0.6, 2.0, 4.4)
_VERDICT_SHARES: Final = (1.0, 3.0, 3.0)


def umpire_pages(handout: HandoutContext, thumbnail: Drawing, folders: Folders, *, key: bool) -> tuple[Page, ...]:
    """Return the umpire's copy: how to make the game again, the rule check and every roll.

    Args:
        handout: the record, and how to print it.
        thumbnail: a small map.
        folders: the paths of the files, with that of the record.
        key: whether to include the key with dice and clauses, because the map does not have it.

    Raises:
        PageError: the paper is too small.
    """
    title = handout.words("handouts.umpire.title")
    contents = (*_contents(handout, thumbnail, folders), *(_key_blocks(handout) if key else ()))
    first = handout.build_pages(title, contents, subtitle=handout.title)
    return (*first, *handout.plugin_parts("umpire_pages"), *story_pages(handout))


def _contents(handout: HandoutContext, thumbnail: Drawing, folders: Folders) -> Iterator[Content]:
    """Yield the facts to make the game again next to the map, the rule check, and the settings."""
    words = handout.words
    facts: tuple[Block, ...] = (
        Paragraph(words("handouts.umpire.how-sealed" if folders.solo else "handouts.umpire.how")),
        Heading(words("handouts.umpire.again")),
        Table(rows=tuple(_facts(handout, folders.record)), shares=_FACT_SHARES),
    )
    yield SideFigure(Figure(thumbnail), facts, side="right")
    yield from _checks(handout)
    yield from _settings(handout)


def _key_blocks(handout: HandoutContext) -> Iterator[Content]:
    """Yield a heading and a table with a row for each feature: number, description, dice and clauses.

    Nothing without features.
    """
    words, field = handout.words, handout.record.battlefield
    accounts = key_accounts(handout.record, handout.system, words, KeyKind.FULL)
    rows = tuple(
        (feature_reference(number, feature, field), describe_feature(feature, words), accounts.get(feature.id, ""))
        for number, feature in numbered(field)
    )
    if rows:
        head = tuple(words(f"handouts.key.{name}") for name in ("number" if field.grid is None else "cells", "what"))
        yield Heading(words("handouts.key.title"), remark=words("handouts.umpire.key-aside"))
        yield Table(rows=rows, head=(*head, words("handouts.umpire.key")), shares=_KEY_SHARES)


def _facts(handout: HandoutContext, name: str) -> Iterator[tuple[str, str]]:
    """Yield a label and a value for each fact: seed, board, number of dice, overridden rolls.

    The last is the command that prints the sheets again from ``name``, the path of the record.
    """
    words, record = handout.words, handout.record
    board = record.battlefield.board
    seed = words("handouts.umpire.by-hand") if record.seed is None else f"**{record.seed}**"
    yield words("handouts.umpire.seed"), seed
    if record.reseeded:
        stages = [
            words("handouts.umpire.stage-seed", stage=stage, seed=stage_seed)
            for stage, stage_seed in sorted(record.reseeded.items())
        ]
        yield words("handouts.umpire.reseeded"), ", ".join(stages)
    yield words("handouts.umpire.board"), LengthFormatter(words).format_size(board.width, board.depth)
    if record.log:
        yield words("handouts.umpire.dice"), str(len(record.log))
    overridden_rolls = [
        words("handouts.umpire.throw-was", number=number, answer=throw.answer, was=throw.was)
        for number, throw in enumerate(record.log, 1)
        if throw.was
    ]
    if overridden_rolls:
        yield words("handouts.umpire.overwritten"), "; ".join(overridden_rolls)
    yield words("handouts.umpire.sheets-again"), f"printkit handouts --from {name}"


def _checks(handout: HandoutContext) -> Iterator[Content]:
    """Yield the number of clauses that are kept, broken or not checked, and the list of broken ones."""
    words = handout.words
    judgement = judge_record(handout.system, handout.record)
    states = Counter(verdict.state for verdict in judgement.verdicts)
    yield Heading(words("handouts.umpire.checks"))
    for language in words.each():
        yield Paragraph(
            language(
                "handouts.umpire.verdict",
                kept=language("handouts.umpire.kept", count=states["kept"]),
                broken=_count_text(language, "broken", states["broken"]),
                unjudged=_count_text(language, "unjudged", states["not judged"]),
            )
        )
    broken_rows = tuple(
        (", ".join((f"**{breach.clause}**", *breach.other_clauses)), breach.title, breach.finding)
        for breach in breaches(judgement, words)
    )
    if broken_rows:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("broken-list", "about", "where"))
        yield Table(rows=broken_rows, head=head, shares=_VERDICT_SHARES)


def _count_text(words: Words, key: str, count: int) -> str:
    """Return a count as text; zero has a separate text.

    ``key`` is the last part of the key in the words.
    """
    return words(f"handouts.umpire.{key}", count=count) if count else words(f"handouts.umpire.{key}.none")


def _settings(handout: HandoutContext) -> Iterator[Content]:
    """Yield the settings that are not the default; the record has all of them.

    They are a heading, a table (not without such settings) and a note.
    """
    words, record, book = handout.words, handout.record, handout.system.book
    rows = []
    for setting in book.settings:
        value = record.settings.get(setting.key, setting.default)
        if value != setting.default:
            clause = clause_of_value(book, setting.clause, value)
            rows.append((f"**{setting.name}**", value, book.setting_title(setting, words), clause))
    extra_keys = [key for key in OWN_KEYS if key in record.settings]
    default_names = default_name_list(handout.system, record.details)
    rows += [
        (f"**{key}**", record.settings[key], words(f"handouts.umpire.own-{key}"), "")
        for key in extra_keys
        if record.settings[key] != (default_names if key == NAMES_KEY else "")
    ]
    yield Heading(words("handouts.umpire.settings"))
    if rows:
        head = tuple(words(f"handouts.umpire.{name}") for name in ("setting", "value", "about", "clause"))
        yield Table(rows=tuple(rows), head=head, shares=_SETTING_SHARES)
    key = "settings-others" if rows else "settings-none"
    for language in words.each():
        yield Paragraph(language(f"handouts.umpire.{key}"), "note")

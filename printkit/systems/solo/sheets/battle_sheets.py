"""The Solo DBA sheets as pages: battle sheet, bound log, bound strip, army sheet, NPG's pages (8.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from printkit.chance.dice import Act
from printkit.core.errors import PageError
from printkit.kit.book import read_book
from printkit.kit.sides import format_sides, merge_sides
from printkit.page.sheet import Page
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.output.printers import SheetContext
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.game_armies import COMPOSITION
from printkit.systems.solo.armies.rules import BOOK
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.cards.pair import Pair, read_recorded_pair
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, RolledValues, SheetCase
from printkit.systems.solo.sheets.army_sheet import draw_army_sheet
from printkit.systems.solo.sheets.battle_pages import (
    Half,
    draw_composition,
    draw_deployment,
    draw_set_up,
)
from printkit.systems.solo.sheets.bound_pages import draw_bound_log, draw_bound_strip
from printkit.systems.solo.sheets.paper import SheetPaper
from printkit.systems.solo.tactics.ground import situation_of
from printkit.systems.solo.terrain import read_record
from printkit.systems.solo.terrain.read_record import RecordedAttack, RecordedComposition, RecordedThrows
from printkit.terrain.field.record import Record, find_detail, read_detail

# The source of paper, style and languages. Each language gets a complete set of sheets.
SheetTerms: TypeAlias = SheetContext | HandoutContext


def make_papers(order: SheetTerms, case: SheetCase) -> Iterator[SheetPaper]:
    """Yield the paper of each language. Its footer names both armies, if they are known."""
    book = read_book(BOOK)
    for language in order.words.each():
        sides = (
            order.sides
            if isinstance(order, HandoutContext)
            else merge_sides(book, case.sides(language))
            if case.pair
            else ()
        )
        army_lines = format_sides(sides, language, colours=order.style.washes) if sides else ()
        yield SheetPaper(order.sheet, order.style, language, case.rules, army_lines)


def make_battle_sheet(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the battle sheet (S1): set-up on the front, deployment on the back, for each language.

    In large print it has four pages.

    Raises:
        PageError: the paper is too small, or a name too long.
    """
    pages: list[Page] = []
    for paper in make_papers(order, case):
        if paper.is_large_print:
            titles = paper.get_text("title"), paper.get_text("deployment")
            pages.append(paper.make_titled_page(draw_set_up(case, paper, half="upper"), "title"))
            pages.append(paper.page(draw_set_up(case, paper, half="lower"), f"{titles[0]} 2", back=True))
            pages.append(paper.page(draw_deployment(case, paper, half="upper"), titles[1]))
            pages.append(paper.page(draw_deployment(case, paper, half="lower"), f"{titles[1]} 2", back=True))
            continue
        pages.append(paper.make_titled_page(draw_set_up(case, paper), "title"))
        pages.append(paper.page(draw_deployment(case, paper), paper.get_text("deployment"), back=True))
    return tuple(pages)


def make_bound_log(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the bound log (S2). In large print it continues on the back if the front is too small.

    Raises:
        PageError: the paper is too small.
    """
    return tuple(page for paper in make_papers(order, case) for page in _make_log_pages(case, paper))


def _make_log_pages(case: SheetCase, paper: SheetPaper) -> Iterator[Page]:
    """Yield the page of the bound log in one language.

    In large print it can be two pages, with half of the bounds on each.
    """
    try:
        items = list(draw_bound_log(case, paper))
    except PageError:
        if not paper.is_large_print:
            raise
        half = BOUND_COUNT // 2
        yield paper.make_titled_page(draw_bound_log(case, paper, range(1, half + 1)), "log")
        label = f"{paper.get_text('log')} 2"
        yield paper.page(draw_bound_log(case, paper, range(half + 1, BOUND_COUNT + 1)), label, back=True)
        return
    yield paper.make_titled_page(items, "log")


def make_bound_strip(seed: int, case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return 24 bounds rolled from a seed as one page for each language (S3).

    Raises:
        PageError: the paper is too small.
    """
    return tuple(
        paper.make_titled_page(draw_bound_strip(seed, paper, title=case.title), "strip")
        for paper in make_papers(order, case)
    )


def make_army_sheet(army: Army | None, case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the sheet to roll the NPG's army by hand (S5); without a list, a blank one to fill in.

    Raises:
        PageError: the paper is too small.
    """
    return tuple(
        paper.make_titled_page(draw_army_sheet(army, paper), "list.title") for paper in make_papers(order, case)
    )


def make_secret_pages(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the NPG's pages in each language: its army, and its deployment as far as it is known or rolled.

    They must stay hidden from the player. Empty if the armies are not known.

    Raises:
        PageError: the paper is too small, or a name too long.
    """
    if case.pair is None:
        return ()
    pages: list[Page] = []
    open_case = replace(case, secret=False)
    for paper in make_papers(order, case):
        army = draw_composition(case.pair.npg, case.rolls.steps, paper, title=case.title)
        pages.append(paper.make_titled_page(army, "army-title"))
        halves: tuple[Half, ...] = ("upper", "lower") if paper.is_large_print else ("whole",)
        for half in halves:
            items = draw_deployment(open_case, paper, title=paper.get_text("secret"), half=half)
            pages.append(paper.page(items, paper.get_text("deployment")))
    return tuple(pages)


def make_case(record: Record, pair: Pair, *, secret: bool) -> SheetCase:
    """Return the case of a recorded game: all of its rolls, and the facts that its map shows.

    Args:
        record: the game.
        pair: its armies.
        secret: whether to leave the NPG's elements off the sheet.
    """
    terrain = read_terrain(record)
    if terrain.get("by") == "dice":
        known_situation = situation_of(record.battlefield, None, pair.rules)
        pair = replace(pair, situation=pair.situation.knowing(known_situation.values, "map"))
    return SheetCase(
        mode=Mode.ROLLED,
        rules=pair.rules,
        pair=pair,
        rolls=RolledValues(steps=_read_steps(record), terrain=terrain, placing=read_placing(record)),
        secret=secret,
        title=record.battlefield.title,
    )


def _read_steps(record: Record) -> tuple[Mapping[str, Any], ...]:
    """Return the steps of attack and composition, as in the JSON of a record.

    Raises:
        RecordError: a step is not valid. The message names it.
    """
    read_detail(record, RecordedAttack, "attack")
    read_detail(record, RecordedComposition, COMPOSITION)
    return find_detail(record.details, "attack", "step"), *find_detail(record.details, COMPOSITION, "steps")


def read_terrain(record: Record) -> Mapping[str, Any]:
    """Return the terrain facts of a record, as in its JSON; empty without terrain.

    Raises:
        RecordError: a piece or a step is not valid. The message names it.
    """
    read_record.read_terrain(record)
    return find_detail(record.details, "terrain") or {}


def read_placing(record: Record) -> dict[str, tuple[str, ...]]:
    """Return the scores of the dice that placed each piece of terrain, as text, by piece ID; empty without rolls.

    Raises:
        RecordError: the recorded placement is not valid.
    """
    dice_by_piece = {}
    for piece in read_detail(record, tuple[RecordedThrows, ...], "terrain", "placement") or ():
        throws = [record.log[number - 1] for number in piece.throws if 0 < number <= len(record.log)]
        dice_by_piece[piece.id] = tuple(throw.answer for throw in throws if throw.act is Act.DIE)
    return dice_by_piece


def read_handout_pair(handout: HandoutContext) -> Pair | None:
    """Return both armies of a game night, or None if its record was drawn by hand."""
    if COMPOSITION not in handout.record.details or "attack" not in handout.record.details:
        return None
    return read_recorded_pair(handout.record, handout.system.book)

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
from printkit.systems.solo.armies.rules import BOOK
from printkit.systems.solo.armies.steps import Mode
from printkit.systems.solo.cards.pair import Pair, read_recorded_pair
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, RolledValues, SheetCase
from printkit.systems.solo.sheets.army_sheet import army_sheet_items
from printkit.systems.solo.sheets.battle_pages import (
    Half,
    composition_items,
    deployment_items,
    set_up_items,
)
from printkit.systems.solo.sheets.bound_pages import log_items, strip_items
from printkit.systems.solo.sheets.paper import SheetPaper
from printkit.systems.solo.tactics.ground import situation_of
from printkit.systems.solo.terrain.provenance import COMPOSITION
from printkit.systems.solo.terrain.told import read_pieces, read_step_data, read_steps, require_member
from printkit.terrain.field.geojson import Member
from printkit.terrain.field.record import Record

# The source of paper, style and languages. Each language gets a complete set of sheets.
SheetTerms: TypeAlias = SheetContext | HandoutContext


def papers(order: SheetTerms, case: SheetCase) -> Iterator[SheetPaper]:
    """Yield the paper of each language. Its footer names both armies of this game."""
    book = read_book(BOOK)
    for one in order.words.each():
        sides = (
            order.sides
            if isinstance(order, HandoutContext)
            else merge_sides(book, case.sides(one))
            if case.pair
            else ()
        )
        who = format_sides(sides, one, colours=order.style.washes) if sides else ()
        yield SheetPaper(order.sheet, order.style, one, case.rules, who)


def battle_sheet(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the battle sheet (S1): set-up on the front, deployment on the back.

    Raises:
        PageError: the paper is too small, or a name too long.
    """
    pages: list[Page] = []
    for paper in papers(order, case):
        if paper.large:
            said = paper.say("title"), paper.say("deployment")
            pages.append(paper.titled(set_up_items(case, paper, half="upper"), "title"))
            pages.append(paper.page(set_up_items(case, paper, half="lower"), f"{said[0]} 2", back=True))
            pages.append(paper.page(deployment_items(case, paper, half="upper"), said[1]))
            pages.append(paper.page(deployment_items(case, paper, half="lower"), f"{said[1]} 2", back=True))
            continue
        pages.append(paper.titled(set_up_items(case, paper), "title"))
        pages.append(paper.page(deployment_items(case, paper), paper.say("deployment"), back=True))
    return tuple(pages)


def bound_log(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the bound log (S2). In large print it continues on the back if the front is too small.

    Raises:
        PageError: the paper is too small.
    """
    return tuple(page for paper in papers(order, case) for page in _log_pages(case, paper))


def _log_pages(case: SheetCase, paper: SheetPaper) -> Iterator[Page]:
    """Yield the pages of the bound log in one language."""
    try:
        whole = list(log_items(case, paper))
    except PageError:
        if not paper.large:
            raise
        half = BOUND_COUNT // 2
        yield paper.titled(log_items(case, paper, range(1, half + 1)), "log")
        label = f"{paper.say('log')} 2"
        yield paper.page(log_items(case, paper, range(half + 1, BOUND_COUNT + 1)), label, back=True)
        return
    yield paper.titled(whole, "log")


def bound_strip(seed: int, case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return 24 bounds rolled from a seed (S3).

    Raises:
        PageError: the paper is too small.
    """
    return tuple(paper.titled(strip_items(seed, paper, title=case.title), "strip") for paper in papers(order, case))


def army_sheet(army: Army | None, case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the sheet to roll the NPG's army by hand (S5); without a list, a blank one to fill in.

    Raises:
        PageError: the paper is too small.
    """
    return tuple(paper.titled(army_sheet_items(army, paper), "list.title") for paper in papers(order, case))


def secret_pages(case: SheetCase, order: SheetTerms) -> tuple[Page, ...]:
    """Return the NPG's pages: its army, and its deployment as far as it is known or rolled.

    Raises:
        PageError: the paper is too small, or a name too long.
    """
    if case.pair is None:
        return ()
    pages: list[Page] = []
    told = replace(case, secret=False)
    for paper in papers(order, case):
        army = composition_items(case.pair.npg, case.rolls.steps, paper, title=case.title)
        pages.append(paper.titled(army, "army-title"))
        halves: tuple[Half, ...] = ("upper", "lower") if paper.large else ("whole",)
        for half in halves:
            items = deployment_items(told, paper, title=paper.say("secret"), half=half)
            pages.append(paper.page(items, paper.say("deployment")))
    return tuple(pages)


def case_of(record: Record, pair: Pair, *, secret: bool) -> SheetCase:
    """Return the case of a recorded game: all of its rolls, and the facts that its map shows.

    Args:
        record: the game.
        pair: its armies.
        secret: whether to leave the NPG's elements off the sheet.
    """
    told = Member(dict(record.details), record.rules)
    steps = [require_member(told, "attack", "step"), *require_member(told, COMPOSITION, "steps").items()]
    terrain = told_terrain(record)
    if terrain.get("by") == "dice":
        known = situation_of(record.battlefield, None, pair.rules)
        pair = replace(pair, situation=pair.situation.knowing(known.values, "map"))
    return SheetCase(
        mode=Mode.ROLLED,
        rules=pair.rules,
        pair=pair,
        rolls=RolledValues(steps=tuple(map(read_step_data, steps)), terrain=terrain, placing=placing_of(record)),
        secret=secret,
        title=record.battlefield.title,
    )


def told_terrain(record: Record) -> Mapping[str, Any]:
    """Return the terrain facts of a record. Rolled pieces and steps are validated.

    Raises:
        RecordError: a piece or a step is not valid. The message names it.
    """
    terrain = Member(dict(record.details), record.rules).get("terrain")
    if terrain is None:
        return {}
    if require_member(terrain, "by").text() == "dice":
        read_pieces(terrain)
        read_steps(terrain)
    found: Mapping[str, Any] = terrain.value
    return found


def placing_of(record: Record) -> dict[str, tuple[str, ...]]:
    """Return the dice that placed each piece of terrain, by piece ID.

    Raises:
        RecordError: the recorded placement is not valid.
    """
    terrain = Member(dict(record.details), record.rules).get("terrain")
    steps = None if terrain is None else terrain.get("placement")
    found = {}
    for step in () if steps is None else steps.items():
        places = [place.whole() for place in require_member(step, "throws").items()]
        thrown = [record.log[place - 1] for place in places if 0 < place <= len(record.log)]
        found[require_member(step, "id").text()] = tuple(throw.answer for throw in thrown if throw.act is Act.DIE)
    return found


def handout_pair(handout: HandoutContext) -> Pair | None:
    """Return the armies of a game night, or None if its record was drawn by hand."""
    if COMPOSITION not in handout.record.details or "attack" not in handout.record.details:
        return None
    return read_recorded_pair(handout.record, handout.system.book)

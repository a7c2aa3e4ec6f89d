"""A battle's deployment as files: the map with both armies, whole and at true size, its record, and counters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import RecordError, ScenarioError, Sentence
from printkit.core.words import Words
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem
from printkit.page import paper
from printkit.page.lattice import OVERLAP
from printkit.page.printer import corrected
from printkit.page.sheet import Document, Sheet
from printkit.recipes.game.request import read_text
from printkit.recipes.output.files import Content, write_folder
from printkit.recipes.output.handout import Handout
from printkit.recipes.prints.maps import MapSheet, map_document, map_sheet
from printkit.systems.brantley.sheets.documents import SheetOrder
from printkit.systems.dba.elements.deployed_overlay import NPG, YOU
from printkit.systems.solo.battle.battles import BattleOrder, Case, needed, open_battle
from printkit.systems.solo.sheets.counters import counter_document, of_force
from printkit.systems.solo.sheets.deployment_overlays import Armies, armies_on
from printkit.systems.solo.sheets.deployment_roster import roster_pages
from printkit.systems.solo.tactics.battle_file import HAND
from printkit.systems.solo.tactics.battle_log import DEPLOY, TERRAIN
from printkit.terrain.field.record import Record, write

MAP: Final = "deployment.pdf"
RECORD: Final = "deployment.json"
COUNTERS: Final = "counters.pdf"
"""The files of a deployment."""

_OVERVIEW: Final = "a4"


class DeploymentFiles(Struct, frozen=True, kw_only=True):
    """What a deployment is printed as: files by their names, pages of the map and of counters, who stands where."""

    files: dict[str, Content]
    map_pages: int
    counter_pages: int
    armies: Armies


def deployment_files(order: BattleOrder, sheet: MapSheet, *, counters: bool = True) -> DeploymentFiles:
    """Return the files of a battle whose deployment is played.

    The record holds both armies as overlays, so that ``printkit map --from`` prints the same map again.

    Args:
        order: which battle.
        sheet: how the map is printed; its scale counts for the tiles.
        counters: with the sheets of counters.

    Raises:
        ScenarioError: the battle has no deployment yet, or no map.
        PageError: the paper is too small.
    """
    case = open_battle(order)
    needed(case, DEPLOY, Sentence("the NPG is not deployed yet; first run"))
    system, record = _map_of(case)
    armies = armies_on(record.battlefield, case)
    title = case.battle.title or record.battlefield.title
    record = replace(record, battlefield=replace(armies.field, title=title))
    # What is printed tonight and what --from prints next year come from the very same values.
    text = write(record)
    record = read_record(text)[1]
    document = deployment_document(case, armies, system, record, sheet)
    files: dict[str, Content] = {MAP: document, RECORD: text}
    cut = None
    if counters:
        how = SheetOrder(sheet=sheet.sheet, words=sheet.words, style=sheet.style, profile=sheet.profile)
        cut = counter_document((of_force(case.npg, NPG), of_force(case.you, YOU)), how, scale=case.battle.scale)
        files[COUNTERS] = cut
    return DeploymentFiles(
        files=files,
        map_pages=len(document.pages),
        counter_pages=len(cut.pages) if cut is not None else 0,
        armies=armies,
    )


def print_deployment(order: BattleOrder, folder: Path, *, sheet: str, style: str, force: bool = False) -> Iterator[str]:
    """Write the files of a deployment that was just played, on a paper and in a style, and yield what was printed.

    Raises:
        ScenarioError: the battle has no map.
        PageError: the paper is too small, or the folder cannot be written to.
    """
    how = map_sheet(
        sheet=sheet, margin=None, overlap=OVERLAP, words=order.words, style=style, furniture=None, scale="1:1"
    )
    made = deployment_files(replace(order, again=False, dice=None, table=None), how)
    yield from made_lines(made, write_folder(made.files, folder, force=force), order.words)


def deployment_document(case: Case, armies: Armies, system: RuleSystem, record: Record, sheet: MapSheet) -> Document:
    """Return the map with both armies: whole on one sheet, the list of who stands where, then at its scale.

    Raises:
        PageError: the paper is too small.
    """
    whole, _ = map_document(record, system, replace(sheet, scale=None, furniture=None, sheet=_finite(sheet.sheet)))
    handout = Handout(record=record, system=system, sheet=sheet.sheet, style=sheet.style, words=sheet.words)
    listed = corrected(
        Document(title=whole.title, pages=roster_pages(case, armies, handout), language=sheet.words.code),
        sheet.profile,
    ).document
    large, _ = map_document(record, system, sheet)
    return replace(
        large,
        title=f"{sheet.words('deployment.title')}: {large.title}",
        pages=(*whole.pages, *listed.pages, *large.pages),
    )


def made_lines(made: DeploymentFiles, written: tuple[Path, ...], words: Words) -> Iterator[str]:
    """Yield what was printed, and where."""
    yield words("deployment.made.map", map=made.map_pages, counters=made.counter_pages)
    yield from (f"  {path}" for path in written)


def _finite(sheet: Sheet) -> Sheet:
    """Return the sheet, or a small one in place of one as large as the map, or of a roll."""
    if math.isinf(sheet.width + sheet.height):
        return replace(paper.find(_OVERVIEW), margin=sheet.margin or paper.find(_OVERVIEW).margin)
    return sheet


def _map_of(case: Case) -> tuple[RuleSystem, Record]:
    """Return the record of the battle's map.

    Raises:
        ScenarioError: it has none.
        RecordError: it cannot be read.
    """
    path = case.order.path
    name = case.battle.map if case.battle.map != HAND else str(case.log.result(TERRAIN, "map") or "")
    if not name:
        raise ScenarioError(
            '{path}: the battle has no map to draw armies on; name one as map = "..." under [board], '
            "or first run: printkit npg terrain {path}",
            path=path,
        )
    place = path.parent / name
    place = place if place.suffix else place.with_suffix(".json")
    try:
        return read_record(read_text(place))
    except RecordError as error:
        raise RecordError("{place}: {error}", place=place, error=error) from None

"""The deployment of a battle as files: the map with both armies and its roster, its record, counters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Bullets, Heading, Paragraph, Table
from printkit.core.errors import ScenarioError, Sentence, quote_path
from printkit.core.sums import plain_sum
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Font
from printkit.drawing.canvas.layers import PlacedDrawing, drawing_of, joined
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import TypeStyle, fit_text, line
from printkit.drawing.text.leaflet import Content, Figure
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem
from printkit.options.printing import MapOptions
from printkit.page import sheet as sheets
from printkit.page.printer import apply_profile
from printkit.page.sheet import Document, Page
from printkit.recipes.output.files import FileContent, write_folder
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import MapContext, map_context
from printkit.systems.dba.elements.deployed_overlay import LINE, NPG, YOU, DeployedElement
from printkit.systems.dba.elements.element_face import ElementFace, draw_element
from printkit.systems.solo.armies.army_files import named
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, map_of, needed, open_battle
from printkit.systems.solo.battle.lines import note_text
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.sheets.counters import make_counter_document, make_force_counters
from printkit.systems.solo.sheets.deployment_overlays import FOLLOWER, OverlayArmies, place_armies
from printkit.systems.solo.tactics.battle_log import DEPLOY
from printkit.terrain.field.record import Record, write

# --- The roster of a deployment map -----------------------------------------------------------------------------------

_PLACES: Final = ("left", "centre", "right", "reserve", "landing", "garrison", "camp")
_SAMPLE: Final = 20.0
_CELL: Final = 58.0
_ROW: Final = 3.0
_NAME_PT: Final = 9.5
_LEADING: Final = 1.1


def make_roster(case: BattleCase, armies: OverlayArmies, handout: HandoutContext) -> tuple[Page, ...]:
    """Return the roster as pages: who is where, notes, and the symbols of the map.

    Raises:
        PageError: the paper is too small.
    """
    words = handout.words
    subtitle = words("deployment.subtitle", npg=named(case.npg.name, words), you=named(case.you.name, words))
    return handout.build_pages(words("deployment.title"), _make_contents(case, armies, handout), subtitle=subtitle)


def _make_contents(case: BattleCase, armies: OverlayArmies, handout: HandoutContext) -> Iterator[Content]:
    """Yield the blocks of the roster: the NPG's groups, notes, YOUR elements with positions in mm, and the symbols."""
    words, style = handout.words, handout.style
    opening_key = "deployment.attacks" if case.npg_attacks else "deployment.defends"
    edge_key = f"npg.battle.place.{case.edge}"
    yield Paragraph(_join_languages(words, lambda language: language(opening_key, edge=language(edge_key))))
    yield Heading(words("deployment.head.npg", name=named(case.npg.name, words)))
    head = tuple(words(f"deployment.head.{name}") for name in ("group", "place", "elements"))
    yield Table(rows=tuple(_make_npg_rows(armies, words)), head=head, shares=(1.0, 2.2, 6.0))
    notes = tuple(_list_notes(case, words))
    if notes:
        yield Heading(words("deployment.notes"))
        yield Bullets(notes)
        if any(element.has_note for element in armies.elements):
            yield Paragraph(
                _join_languages(
                    words, lambda language: language("deployment.symbols_noted", notes=language("deployment.notes"))
                )
            )
    yield Heading(words("deployment.head.you", name=named(case.you.name, words)))
    yours = [element for element in armies.elements if element.side == YOU]
    if yours:
        inch = words.each()[0]("unit.inch")
        rows = tuple(
            (element.code_text, f"{position.from_left_in * MM_PER_INCH:.0f} mm ({position.from_left_in:g} {inch})")
            for element, position in zip(yours, case.battle.your_line, strict=True)
        )
        yield Table(rows=rows, head=(words("deployment.head.elements"), words("deployment.head.where")))
    if armies.you_off:
        missing_codes = " ".join(armies.you_off)
        yield Paragraph(f"{words('deployment.off_you')}: {missing_codes}" if yours else words("deployment.none_you"))
    yield Heading(words("deployment.symbols"))
    yield Paragraph(words("deployment.symbols_how"))
    yield Figure(_draw_symbols(armies.elements, handout.page_size()[0], words, style))


def _make_npg_rows(armies: OverlayArmies, words: Words) -> Iterator[tuple[str, str, str]]:
    """Yield three texts for each group of the NPG: number, place and codes; last, those off the map."""
    npg_elements = [element for element in armies.elements if element.side == NPG]
    for place in _PLACES:
        for group in sorted({element.group for element in npg_elements if element.place == place}):
            codes = [element.code_text for element in npg_elements if (element.place, element.group) == (place, group)]
            yield str(group or "–"), words(f"deployment.place.{place}"), " ".join(codes)
    if armies.npg_off:
        yield "–", words("deployment.off_npg"), " ".join(armies.npg_off)


def _list_notes(case: BattleCase, words: Words) -> Iterator[str]:
    """Yield the notes about groups and columns, each in all languages."""
    results: Any = case.log.stages[DEPLOY].results
    for clause, group in results.get("notes", ()):
        yield _join_languages(words, partial(_make_note, case, clause, group))
    if results.get("columns"):
        numbers = ", ".join(str(number) for number in results["columns"])
        yield _join_languages(words, lambda language: language("deployment.columns", groups=numbers))


def _make_note(case: BattleCase, clause: str, group: int, words: Words) -> str:
    """Return the note of a clause in one language, about a group unless its number is 0."""
    rule = note_text(clause, CardText(words, case.rules))
    if not group:
        return words("deployment.note_free", rule=rule, clause=clause)
    return words("deployment.note", rule=rule, clause=clause, group=group)


def _join_languages(words: Words, make_text: Callable[[Words], str]) -> str:
    """Return a text in each language, one line each, so that no sentence mixes two languages."""
    return "\n".join(dict.fromkeys(make_text(language) for language in words.each()))


def _draw_symbols(elements: Sequence[DeployedElement], width: float, words: Words, style: Style) -> Drawing:
    """Return each troop type on the map as a small base with its name, side by side; NPG first.

    ``width`` is the width available, in mm on paper. The NPG's line has no symbol.
    """
    symbol_elements = list(
        {
            (element.side, element.type): element
            for element in elements
            if element.place != LINE or element.side == YOU
        }.values()
    )
    columns = max(1, int(width // _CELL))
    rows = [symbol_elements[start : start + columns] for start in range(0, len(symbol_elements), columns)]
    heights = [max(_compute_depth(element) for element in row) + _ROW for row in rows]
    parts, y = [], plain_sum(heights)
    for row, height in zip(rows, heights, strict=True):
        y -= height
        parts += [
            PlacedDrawing(_draw_named_symbol(element, height, words, style), column * _CELL, y)
            for column, element in enumerate(row)
        ]
    return joined(min(columns, len(symbol_elements)) * _CELL, plain_sum(heights), parts)


def _compute_depth(element: DeployedElement) -> float:
    """Return the depth of the drawn base of an element, in mm on paper."""
    return _SAMPLE * element.depth / element.width


def _draw_named_symbol(element: DeployedElement, height: float, words: Words, style: Style) -> Drawing:
    """Return the base of an element with the name of its type at the right, ``height`` mm high on paper.

    Its width is that of a cell.
    """
    face = ElementFace(side=element.side, code=element.type, type=element.type)
    items = draw_element(face, _SAMPLE / 2, height / 2, _SAMPLE, _compute_depth(element), style)
    key = "deployment.troop" if element.type == FOLLOWER else "npg.army.troop"
    type_name = words(f"{key}.{element.type}")
    width_mm = _CELL - _SAMPLE - 4.0
    rows, name_style = fit_text(
        type_name,
        TypeStyle.for_style(style, Font.ROMAN, _NAME_PT, style.solid("ink")),
        width_mm,
        lines=2,
        least_share=0.8,
    )
    baseline = height / 2 - 0.3 * name_style.height + (len(rows) - 1) * _LEADING * name_style.height / 2
    for number, row in enumerate(rows):
        items += line(row, (_SAMPLE + 2.0, baseline - number * _LEADING * name_style.height), name_style)
    return drawing_of(_CELL, height, items)


# The files of a deployment.
MAP: Final = "deployment.pdf"
RECORD: Final = "deployment.json"
COUNTERS: Final = "counters.pdf"

# Values of --hide in addition to the parts of the map.
PARTS: Final = ("counters",)

_OVERVIEW: Final = "a4"


class DeploymentFiles(Struct, frozen=True, kw_only=True):
    """A deployment to print: files by name, numbers of map and counter pages, and both armies."""

    files: dict[str, FileContent]
    map_pages: int
    counter_pages: int
    armies: OverlayArmies


def make_deployment_files(order: BattleOrder, sheet: MapContext, *, counters: bool = True) -> DeploymentFiles:
    """Return the files of a battle whose deployment is complete; nothing is written.

    The record contains both armies as overlays, so that ``printkit map --from`` prints the same map again. The result
    also has the numbers of pages and the placed armies.

    Args:
        order: the battle.
        sheet: how to print the map. Its scale applies to the map sheets, not to the overview.
        counters: whether to add the counter sheets.

    Raises:
        ScenarioError: the battle has no deployment yet, or no map.
        PageError: the paper is too small.
    """
    case = open_battle(order)
    needed(case, DEPLOY, Sentence("the NPG is not deployed yet; first run"))
    system, record = _read_map(case)
    armies = place_armies(record.battlefield, case)
    title = case.battle.title or record.battlefield.title
    record = replace(record, battlefield=replace(armies.field, title=title))
    # The record is read back, so that this map and a later map --from use the same values.
    text = write(record)
    record = read_record(text)[1]
    document = make_deployment_document(case, armies, system, record, sheet)
    files: dict[str, FileContent] = {MAP: document, RECORD: text}
    counter_sheets = None
    if counters:
        counter_sheets = make_counter_document(
            (make_force_counters(case.npg, NPG), make_force_counters(case.you, YOU)), sheet, scale=case.battle.scale
        )
        files[COUNTERS] = counter_sheets
    return DeploymentFiles(
        files=files,
        map_pages=len(document.pages),
        counter_pages=len(counter_sheets.pages) if counter_sheets is not None else 0,
        armies=armies,
    )


def print_deployment(order: BattleOrder, folder: Path, options: MapOptions) -> Iterator[str]:
    """Write the files of a deployment that was just played, and yield the lines of the report.

    Raises:
        ScenarioError: the battle has no map.
        PageError: the paper is too small, or the folder cannot be written to.
    """
    context = map_context(options, order.words)
    deployment = make_deployment_files(replace(order, again=False, dice=None, person=None), context)
    yield from describe_files(deployment, write_folder(deployment.files, folder, force=options.force), order.words)


def make_deployment_document(
    case: BattleCase, armies: OverlayArmies, system: RuleSystem, record: Record, sheet: MapContext
) -> Document:
    """Return the map with both armies: an overview on one sheet, the roster, and the map at its scale.

    Raises:
        PageError: the paper is too small.
    """
    overview_sheet = sheet.sheet
    if math.isinf(overview_sheet.width + overview_sheet.height):
        # A4 in place of a roll or a sheet as large as the map.
        a4 = sheets.find_sheet(_OVERVIEW)
        overview_sheet = replace(a4, margin=overview_sheet.margin or a4.margin)
    overview = plan_map(record, system, sheet.on_one_sheet(overview_sheet)).document
    handout = HandoutContext.from_record(record, system, sheet, sheet=sheet.sheet)
    roster = apply_profile(
        Document(title=overview.title, pages=make_roster(case, armies, handout), language=sheet.words.code),
        sheet.profile,
    ).document
    scaled_map = plan_map(record, system, sheet)
    assembly_pages = () if scaled_map.separate_document is None else scaled_map.separate_document.pages
    document = scaled_map.document
    return replace(
        document,
        title=f"{sheet.words('deployment.title')}: {document.title}",
        pages=(*overview.pages, *roster.pages, *assembly_pages, *document.pages),
    )


def describe_files(deployment: DeploymentFiles, paths: tuple[Path, ...], words: Words) -> Iterator[str]:
    """Yield the numbers of pages, and the path of each file."""
    yield words("deployment.made.map", map=deployment.map_pages, counters=deployment.counter_pages)
    yield from (f"  {path}" for path in paths)


def _read_map(case: BattleCase) -> tuple[RuleSystem, Record]:
    """Return the rule system and the record of the battle's map.

    Raises:
        ScenarioError: the battle has no map.
        RecordError: the record cannot be read.
    """
    system_and_record = map_of(case.battle, case.log, case.order.path)
    if system_and_record is None:
        raise ScenarioError(
            '{path}: the battle has no map for the armies; set map = "..." under [board], or first run: '
            "printkit npg terrain {path}",
            path=quote_path(case.order.path),
        )
    return system_and_record

"""The form for a table made by hand: sketch sheet, die tables and feature key (AC-M1)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.text.form_parts import FormField, FormLabel, TickBox, WritingLine
from printkit.kit.rules import Rules
from printkit.kit.system import INPUTS, RuleSystem, Scenario
from printkit.page.leaflets import overview, overview_area, reading_sheet
from printkit.page.marks import Imprint
from printkit.page.sheet import Document, Page, Sheet
from printkit.recipes.evening.reference import deck_contents
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.prints.maps import MapContext
from printkit.systems.acw.sheets.feature_key import symbol_name
from printkit.systems.acw.sheets.pages import draw_entry, key_pages
from printkit.systems.acw.sheets.zone_sketch import KEY_COLUMN, Plan, ZoneSketch, choose_plan, sketch_form
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, WATERS, Piece
from printkit.systems.acw.terms.plan import ZoneSide, zone_grid
from printkit.systems.acw.terms.tables import Tables
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record

_SWATCH: Final = 11.0
_PLACE_COUNT: Final = 2
_ANY: Final = ("any", "by-state", "auto")
_CROSSINGS: Final = (Kind.FORD, Kind.BRIDGE, Kind.LEVEL_CROSSING)


def form_page(handout: HandoutContext, *, printer: str = "") -> tuple[Page, float]:
    """Return the form on one sheet, and the scale of its map in printed mm per mm of the board (AC-A01).

    The sheet is portrait or landscape, whichever gives the larger map. For endless paper a usual sheet is taken.

    Args:
        handout: a record with a board and settings; features are not needed.
        printer: the name of a printer profile, printed on the sheet; empty for none.

    Raises:
        PageError: the paper is too small.
    """
    drafter, sheet = handout.drafter, handout.sheet
    sheet = sheet if math.isfinite(sheet.width + sheet.height) else reading_sheet(sheet)
    layouts: list[tuple[Plan, Sheet]] = []
    page_error: PageError | None = None
    sketch = ZoneSketch(
        fields=tuple(_build_fields(handout)), grid=zone_grid(handout.rules), signs=tuple(_build_signs(handout))
    )
    for sheet_option in (sheet, sheet.rotated()):
        try:
            free_area = overview_area(sheet_option)
            layouts.append((choose_plan(sketch, free_area.width, free_area.height, drafter), sheet_option))
        except PageError as error:
            page_error = error
    if not layouts:
        assert page_error is not None
        raise page_error
    plan, sheet_option = max(layouts, key=lambda layout: layout[0].scale)
    free_area = overview_area(sheet_option)
    drawing = sketch_form(sketch, free_area.width, free_area.height, drafter)
    imprint = Imprint(title=handout.system.book.title_in(handout.words.each()[0]), profile=printer)
    page = overview(drawing, sheet_option, imprint, handout.words, scale=plan.scale)
    return page, plan.scale


def _build_fields(handout: HandoutContext) -> Iterator[FormField]:
    """Yield the fields of the header, filled in from the settings where possible.

    They are State, die, geography, water, creek, a tally of places, and lines for places.
    """
    words, rules = handout.words, handout.rules
    state, geography, water = (_fixed_value(rules.choice(key)) for key in ("state", "geography", "water"))
    tables = Tables.from_rules(rules)
    geography_name = tables.geography(geography).name if geography else ""
    yield FormField(words("acw.form.state"), (WritingLine(text=_spell_state(state, tables)),))
    yield FormField(words("acw.form.die"), (TickBox(),))
    geography_text = words.each()[0](f"acw.geography.{geography_name}") if geography_name else ""
    yield FormField(words("acw.form.geography"), (WritingLine(text=geography_text),))
    edges = tuple(
        TickBox(
            words.each()[0](f"acw.form.edge.{side.value}"),
            is_ticked=side.value == water,
            is_crossed_out=water == "creek",
        )
        for side in ZoneSide
    )
    yield FormField(words("acw.form.water"), edges)
    yield FormField(words("acw.form.creek"), (TickBox(), FormLabel(words("acw.form.out")), TickBox()))
    # Boxes for the farms and settlements that count, and one for the first that does not (AC-212).
    tally = (*(TickBox() for _ in range(rules.whole("limit"))), TickBox(is_crossed_out=True))
    yield FormField(words("acw.form.tally"), tally)
    for number in range(_PLACE_COUNT):
        label = words("acw.form.places") if number == 0 else ""
        yield FormField(label, (WritingLine(), FormLabel(words("acw.form.zone")), TickBox()))


def _spell_state(state: str, tables: Tables) -> str:
    """Return the name of a State in the spelling of the rule book; empty if ``state`` is empty.

    An unknown State raises ScenarioError.
    """
    if not state:
        return ""
    region = tables.region(state)
    return next((name for name in region.spellings if name.casefold() == state.casefold()), region.name)


def _fixed_value(value: str) -> str:
    """Return the value of a setting, or an empty text if it leaves the value open."""
    return "" if value in _ANY else value


def _build_signs(handout: HandoutContext) -> Iterator[Drawing]:
    """Yield the legend of the pieces that may be rolled, in the geography if it is known."""
    signs = [(symbol_name(piece, handout.rules), f"acw.piece.{piece.key}") for piece in _list_pieces(handout.rules)]
    for sign, key in (*signs, *((kind.value, f"kind.{kind}") for kind in _CROSSINGS)):
        name, *translations = handout.drafter.translations(key)
        yield draw_entry(sign, name, translations, KEY_COLUMN, handout, swatch=_SWATCH)


def _list_pieces(rules: Rules) -> tuple[Piece, ...]:
    """Return the pieces that may be rolled in the geography of the settings; all pieces if it is open.

    They are in the order of ``Piece``, and include the places of a campaign.
    """
    geography = _fixed_value(rules.choice("geography"))
    if not geography:
        return tuple(Piece)
    chosen_geography = Tables.from_rules(rules).geography(geography)
    water = () if chosen_geography.water is None else (chosen_geography.water,)
    candidates = (*chosen_geography.rolls.pieces, Piece.CREEK, *CAMPAIGN_PLACES, *water)
    return tuple(piece for piece in Piece if piece in candidates and (piece not in WATERS or piece in water))


def form_document(system: RuleSystem, scenario: Scenario, order: MapContext) -> tuple[Document, float]:
    """Return the document for making a table by hand, and the scale of its sketch map (AC-M1).

    The scale is in printed mm per mm of the board. The form is first, on one sheet. The die tables (AC-A02) and the
    feature key (AC-A03) follow.

    Args:
        system: the rule system.
        scenario: the board, the settings, which fill fields of the form, and the lists.
        order: how to print it.

    Raises:
        PageError: the paper is too small.
        ScenarioError: a setting or a line of the scenario's profile is wrong.
    """
    words = order.words
    record = Record(
        rules=system.name,
        battlefield=Battlefield(board=scenario.board, title=words("acw.form.title")),
        settings=scenario.settings,
        details={INPUTS: dict(scenario.inputs)},
    )
    handout = replace(HandoutContext.from_record(record, system, order), blank=True)
    page, scale = form_page(replace(handout, sheet=order.sheet), printer=order.printer)
    tables = deck_contents(system.decks(words, record))
    table_pages = handout.build_pages(
        words("acw.form.tables"), tables, subtitle=system.book.title_in(words), origin=handout.game_line
    )
    later_pages = (*table_pages, *key_pages(handout, origin=handout.game_line))
    title = words("acw.form.bookmark")
    pages = (replace(page, label="1", bookmark=title), *later_pages)
    return rules_document(title, pages, system.name, words), scale

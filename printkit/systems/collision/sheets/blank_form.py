"""Forms for a battle with columns before any roll: edge map, blank sheets, quick sheet, cut-outs (CC-A09)."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PageError
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.text.form_parts import FormField, WritingLine, draw_fields
from printkit.drawing.text.leaflet import title_block
from printkit.kit.system import RuleSystem, Scenario
from printkit.page.leaflets import leaflet_area, leaflet_sheets, ratio
from printkit.page.sheet import Document, Page
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.prints.maps import MapContext
from printkit.systems.collision.march.side_facts import INPUTS
from printkit.systems.collision.sheets.cut_outs import build_cut_pages
from printkit.systems.collision.sheets.edge_map import draw_edge_map
from printkit.systems.collision.sheets.pages import column_pages, order_and_tracker_pages
from printkit.systems.dba3.placing.read_record import read_rules
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

_LIST: Final = "inputs"
# Height of the strips above and below the board for the players' edges, in mm.
_MARGINS: Final = 26.0

_SMALLEST: Final = 60.0


class BlankMap(Struct, frozen=True, kw_only=True):
    """The page with the empty board, and its scale in printed mm per mm of the board."""

    page: Page
    scale: float


def blank_map(handout: HandoutContext) -> BlankMap:
    """Return the empty board with edge squares and column areas, as large as the paper allows.

    Raises:
        PageError: the paper is too small.
    """
    words, drafter = handout.words, handout.drafter
    board = handout.record.battlefield.board
    base = board.scale.base_width
    free = leaflet_area(handout.sheet)
    fields = tuple(FormField(words(f"columns.map.{name}"), (WritingLine(),)) for name in ("field", "names", "date"))
    filled_in = draw_fields(fields, free.width, drafter)
    high = filled_in.height
    head = title_block(words("columns.map.form"), "", free.width, handout.style)
    size = min(free.width, free.height - head.height - high - _MARGINS)
    if size < _SMALLEST:
        raise PageError("sheet {sheet} is too small for the edge map; use larger paper", sheet=handout.sheet.name)
    scale = size / board.width
    side = board.width / base
    subtitle = words("columns.map.scale", side=f"{side:g}", scale=ratio(scale))
    top = title_block(words("columns.map.form"), subtitle, free.width, handout.style)
    size = min(size, free.height - top.height - high - _MARGINS)
    drawing = draw_edge_map(read_rules(handout.record, handout.system.book), side, size, drafter)
    below = free.height - top.height - high
    rest = (below - drawing.height) / 2
    parts = [PlacedDrawing(top, 0.0, free.height - top.height), PlacedDrawing(filled_in, 0.0, below)]
    parts.append(PlacedDrawing(drawing, (free.width - size) / 2, max(rest, 0.0)))
    sheet = joined(free.width, free.height, parts)
    name = words("columns.map.bookmark")
    least = handout.style.least_pt
    (page,) = leaflet_sheets([sheet], handout.sheet, words=words, bookmark=name, label=name, least_pt=least)
    return BlankMap(page=page, scale=size / board.width)


def blank_pages(handout: HandoutContext) -> tuple[Page, ...]:
    """Return edge map, blank order sheets and blank trackers, also for a record with armies.

    Raises:
        PageError: the paper is too small.
    """
    record = handout.record
    inputs = {name: value for name, value in record.details.get(_LIST, {}).items() if name not in INPUTS}
    empty = replace(handout, record=replace(record, details={**record.details, _LIST: inputs}), blank=True)
    return (blank_map(empty).page, *order_and_tracker_pages(empty))


def form_document(system: RuleSystem, scenario: Scenario, order: MapContext) -> tuple[Document, float]:
    """Return the document of all column forms with the armies of the scenario, and the scale of the map.

    The scale is printed mm per mm of the board. The pages are the map, order sheets and trackers, then the cut-outs.

    Raises:
        PageError: the paper is too small.
        ScenarioError: an army or the log of the scenario cannot be parsed.
    """
    words = order.words
    record = Record(
        rules=system.name,
        battlefield=Battlefield(board=scenario.board, title=words("columns.map.form")),
        settings=scenario.settings,
        details={_LIST: dict(scenario.inputs)},
    )
    handout = HandoutContext.from_record(record, system, order)
    form_map = blank_map(handout)
    pages = (form_map.page, *column_pages(handout), *build_cut_pages(handout))
    return rules_document(words("columns.map.form"), pages, system.name, words), form_map.scale

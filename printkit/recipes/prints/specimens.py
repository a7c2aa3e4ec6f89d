"""Documents without a game: the symbol sheet of a style, and blank forms and grids to sketch a battlefield on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import Sentence, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas import style as styles
from printkit.drawing.furniture.legend import going_word
from printkit.drawing.furniture.specimens import Specimen, build_symbol_sheet
from printkit.kit.registry import load_plugin_field, shapes_of
from printkit.kit.system import RuleSystem
from printkit.page import sheet as sheets
from printkit.page.leaflets import ratio
from printkit.page.printer import PrinterProfile, apply_profile, with_line
from printkit.page.sheet import Document
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.game.request import Orders
from printkit.recipes.game.scenarios import build_scenario
from printkit.recipes.prints.file_names import add_marks, map_marks
from printkit.recipes.prints.maps import MapContext
from printkit.terrain.field.battlefield import Battlefield, Board
from printkit.terrain.field.grids import Grid, grid_of
from printkit.terrain.field.record import Record, read_back

# --- Forms and grids to sketch a battlefield on -----------------------------------------------------------------------

# The settings for the type of grid and the orientation of hexes.
GRID_KEY: Final = "grid"
GRAIN_KEY: Final = "grid.hex"


_DECIMALS: Final = 6


class BlankForm(Struct, frozen=True, kw_only=True):
    """A form: its document, its file name without suffix, and what it has in words.

    ``outside`` has the labels of pages that the printer cannot print completely.
    """

    document: Document
    name: str
    detail: str
    outside: tuple[str, ...] = ()


def build_blank_form(system: RuleSystem, orders: Orders, order: MapContext) -> BlankForm | None:
    """Return the form for making a table by hand; None if the rule system does not have one.

    Raises:
        PageError: the paper is too small.
        UsageError: the rule system does not allow the board.
        ScenarioError: a setting or a list of the scenario is wrong.
    """
    form_document = load_plugin_field(system.name, "blank_form")
    if form_document is None:
        return None
    scenario = build_scenario(system, orders, orders.seed or 0)
    document, scale = form_document(system, scenario, order)
    corrected_form = apply_profile(document, order.profile)
    detail = Sentence("form at {scale}; no dice were rolled", scale=ratio(scale))
    name = add_marks(f"{system.name}-form", *map_marks(order))
    return BlankForm(document=corrected_form.document, name=name, detail=detail, outside=corrected_form.outside)


def build_blank_game(system: RuleSystem, orders: Orders, words: Words) -> GeneratedGame:
    """Return an empty battlefield with the grid from the settings of a rule system.

    It uses the settings, the cell size, the title and the seed of the orders; the seed varies the drawn texture.

    Raises:
        UsageError: the rule system has no grid, or the grid or the cell is not valid.
        ScenarioError: a setting or value is unknown.
    """
    scenario = build_scenario(system, orders, orders.seed or 0)
    settings = scenario.settings
    if GRID_KEY not in settings:
        raise UsageError(
            "{system} uses a board without a grid; name rules with a grid, for example portable-2", system=system.name
        )
    grain = {"grain": settings[GRAIN_KEY]} if GRAIN_KEY in settings else {}
    cell = scenario.board.width / grid_of(settings[GRID_KEY], cell=1.0, **grain).width
    grid = grid_of(settings[GRID_KEY], cell=round(cell, _DECIMALS), **grain)
    record = Record(
        rules=system.name,
        battlefield=build_blank_field(grid, scenario.board, title=orders.title or words("furniture.blank_grid")),
        settings={**settings, **orders.extra_settings},
        seed=orders.seed or 0,
        shapes=shapes_of(system.name),
    )
    return GeneratedGame(record=read_back(record))


def build_blank_field(grid: Grid, board: Board, *, title: str) -> Battlefield:
    """Return an empty battlefield with a grid, with the ground scale of a board.

    Its size is that of the grid, and ``title`` its title.
    """
    return Battlefield(board=Board(grid.width, grid.depth, board.scale), title=title, grid=grid)


def specimen_document(
    style: str, words: Words, systems: Mapping[str, RuleSystem], *, profile: PrinterProfile | None = None
) -> Document:
    """Return the symbol sheet of a style, on one page of the necessary size, corrected for a printer.

    ``style`` is the name or path of the style. ``systems`` are the rule systems by name, whose goings the sheet shows.

    Raises:
        PrintkitError: the style cannot be read.
    """
    found_style = styles.find(style)
    drawing = build_symbol_sheet(found_style, words, lambda specimen: _describe_going(specimen, words, systems))
    title = words.each()[0]("specimen.title")
    page = sheets.page_of(drawing, bookmark=title)
    if profile is not None:
        page = with_line(page, words("marks.profile", name=profile.name))
    document = Document(title=title, pages=(page,), language=words.code, keywords=(found_style.name,))
    return apply_profile(document, profile).document


def _describe_going(specimen: Specimen, words: Words, systems: Mapping[str, RuleSystem]) -> str:
    """Return the going of a symbol: one word if all systems agree, otherwise each going with its systems.

    Systems without this symbol do not count; the text is empty if no system has it. ``systems`` are the rule systems by
    name.
    """
    by_going: dict[str, list[str]] = {}
    for name, system in systems.items():
        if (going := system.goings().get(specimen.key)) is not None:
            by_going.setdefault(going_word(going, words), []).append(name)
    if len(by_going) > 1:
        return "; ".join(f"{', '.join(names)}: {going}" for going, names in by_going.items())
    return next(iter(by_going), "")

"""Empty grids with numbered cells to sketch a battlefield on, printed like any map of cells."""

from __future__ import annotations

from typing import Final

from printkit.errors import UsageError
from printkit.recipes.games import Played, scenario_of
from printkit.recipes.orders import Orders
from printkit.rules.system import RuleSystem
from printkit.terrain.battlefield import Battlefield, Board
from printkit.terrain.grid import Grid, grid_of
from printkit.terrain.record import Record, settle
from printkit.words import Words

GRID_KEY: Final = "grid"
GRAIN_KEY: Final = "grid.hex"
"""The settings in which rule systems that play on cells say which."""


_PLACES: Final = 6


def blank_game(system: RuleSystem, orders: Orders, words: Words) -> Played:
    """Return a battlefield on which nothing lies, of the grid that the settings of a rule system ask for.

    Of the orders count the settings, the size of a cell, the title, and the seed, which tones the paper.

    Raises:
        UsageError: the rule system knows no cells, or the grid or the cell is none.
        ScenarioError: no such setting or value.
    """
    scenario = scenario_of(system, orders, orders.seed or 0)
    settings = scenario.settings
    if GRID_KEY not in settings:
        raise UsageError(f"{system.name} plays on a board without cells; name rules with a grid, as portable-2")
    grain = {"grain": settings[GRAIN_KEY]} if GRAIN_KEY in settings else {}
    cell = scenario.board.width / grid_of(settings[GRID_KEY], cell=1.0, **grain).width
    grid = grid_of(settings[GRID_KEY], cell=round(cell, _PLACES), **grain)
    record = Record(
        rules=system.name,
        battlefield=blank_field(grid, scenario.board, title=orders.title or words("furniture.blank_grid")),
        settings={**settings, **orders.own_settings},
        seed=orders.seed or 0,
    )
    return Played(record=settle(record))


def blank_field(grid: Grid, board: Board, *, title: str) -> Battlefield:
    """Return a battlefield of cells on which nothing lies, with the ground scale of a board."""
    return Battlefield(board=Board(grid.width, grid.depth, board.scale), title=title, grid=grid)

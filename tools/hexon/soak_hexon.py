"""Hexon layouts of many fields: no course broken, no feature lost, few sharp bends, every way over a step told.

Run: python tools/hexon/soak_hexon.py [--rules NAME ...] [--seeds 1..100]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from printkit.core.words import find_words as language
from printkit.hexon.job import TileContext, make_hexon_plan, tile_context
from printkit.hexon.layout import covering
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.strips import StripName, broad_cells
from printkit.kit import registry
from printkit.options.printing import TileOptions
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders, parse_seeds
from printkit.terrain.field.grids import Cell, Grid, neighbours
from printkit.terrain.gridded.gridplan import CellChain, GridPlan

MOST_SHARP = 0.05
"""The share of the hexes of strips that may bend sharply."""

# Few, for speed: how many boards are laid is not looked at here.
vars(covering)["NODE_LIMIT"] = 500


class Found(Struct):
    """What was counted over the fields of one rule system."""

    fields: int = 0
    strips: int = 0
    sharp: int = 0
    at_edge: int = 0
    broken: list[str] = []
    lost: list[str] = []


def looked_at(rules: str, seed: int, order: TileContext, found: Found) -> None:
    """Lay one field and count what is wrong with it."""
    system = registry.find(rules)
    orders = build_orders(rules=rules, settings=(), scenario=None, board=None, seed=None, dice=None)
    field = play(system, orders, seed, language("en")).record.battlefield
    plan, _ = make_hexon_plan(field, order)
    layout = lay_out(plan, order.asked.hills)
    found.fields += 1
    found.strips += len(layout.strips)
    found.sharp += sum(strip.name is StripName.SHARP for strip in layout.strips)
    found.at_edge += sum(strip.name is StripName.SHARP and _is_outer(plan.grid, strip.cell) for strip in layout.strips)
    found.broken += [f"{rules} {seed}: {each}" for each in broken(plan, layout)]
    shown = {name for strip in layout.strips for name in strip.features}
    shown |= {name for marker in layout.markers for name in marker.features}
    shown |= {name for plot in plan.plots if plot.height for name in plot.features}
    found.lost += [f"{rules} {seed}: {each.id}" for each in field.features if each.id not in shown]


def broken(plan: GridPlan, layout: HexonLayout) -> Iterator[str]:
    """Yield the courses that do not hang together: each hex of a chain joins the one before it by a common side."""
    passed = {(strip.cell, strip.kind): set(strip.sides) for strip in layout.strips}
    for strip in plan.strips:
        if not _hangs(strip, plan.grid):
            yield strip.feature
        broad = broad_cells(strip, plan.grid)
        narrow = [cell for cell in strip.cells if cell not in broad]
        if any(not passed.get((cell, strip.kind)) for cell in narrow if len(strip.cells) > 1):
            yield f"{strip.feature} has no strip"


def _hangs(strip: CellChain, grid: Grid) -> bool:
    cells = {*strip.cells, *strip.wide}
    reached: set[Cell] = set()
    ahead = [strip.cells[0]]
    while ahead:
        cell = ahead.pop()
        if cell not in reached:
            reached.add(cell)
            ahead += [other for other in neighbours(grid, cell) if other in cells]
    steps = zip(strip.cells, strip.cells[1:], strict=False)
    return reached == cells and all(other in neighbours(grid, one) for one, other in steps)


def _is_outer(grid: Grid, cell: Cell) -> bool:
    return len(neighbours(grid, cell)) < grid.direction_count()


def main() -> int:
    """Lay the fields, print a line a rule system, and return 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", action="append", choices=registry.names())
    parser.add_argument("--seeds", default="1..100")
    asked = parser.parse_args()
    order = tile_context(TileOptions(), language("en"))
    wrong = False
    for rules in asked.rules or registry.names():
        found = Found()
        for seed in parse_seeds(asked.seeds):
            looked_at(rules, seed, order, found)
        share = found.sharp / max(1, found.strips)
        bad = bool(found.broken or found.lost or share > MOST_SHARP)
        wrong |= bad
        said = Counter(broken=len(found.broken), lost=len(found.lost))
        print(
            f"{rules}: {found.fields} fields, {found.strips} strips, {100 * share:.1f} % sharp"
            f" ({found.at_edge} at the edge), {said['broken']} broken, {said['lost']} lost"
        )
        for line in (*found.broken[:5], *found.lost[:5]):
            print(f"  {line}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())

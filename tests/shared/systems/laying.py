"""Boards of version 2 from lists of dice or a seed, and their areas written as the rules write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.sketch import AreaFeature, CellCourse, Sketch
from printkit.systems.portable.grid.terms import build_sketch
from printkit.systems.portable.version2.steps import STEPS, steps
from printkit.systems.portable.version2.terms import Version2Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid, grid_of

GRIDS = ("sq-8x8", "hex-9x8", "hex-6x8")
PRESETS = (
    *("undulating-desert", "hilly-rural", "flat-rural", "mountainous"),
    *("undulating-urban", "hilly-forest", "forest-track"),
)
EMPTY = {"hills": "0", "river": "0", "road": "0", "trees": "0", "habitation": "0", "fields": "0"}
"""Settings of a board with nothing on it."""


@cache
def book() -> RuleBook:
    return read_book("portable-2")


def cells(text: str) -> tuple[Cell, ...]:
    """Return areas written row;column."""
    return tuple(Cell(int(column), int(row)) for row, column in (part.split(";") for part in text.split()))


def dice_of(*scores: int) -> Dice:
    """Return dice that give these scores and no more."""
    return Dice(ScriptedSource([str(score) for score in scores], Seeded(1)))


def left(dice: Dice) -> int:
    """Return how many scores were not asked for."""
    assert isinstance(dice.source, ScriptedSource)
    return dice.source.unused_count


def board(
    seed: int = 0,
    grid: str = "hex-9x8",
    *,
    inputs: Mapping[str, object] | None = None,
    settings: Mapping[str, str] | None = None,
    dice: Dice | None = None,
    **more: str,
) -> Sketch:
    """Return everything that version 2 puts on a grid."""
    given = {**(settings or {}), **more}
    return build_sketch(
        steps, grid_of(grid, cell=100), Rules.of(book(), given), inputs or {}, dice or Dice(Seeded(seed))
    )


def step(
    stage: str,
    dice: Dice,
    grid: str = "sq-8x8",
    *,
    on: Sketch | None = None,
    settings: Mapping[str, str] | None = None,
    inputs: Mapping[str, object] | None = None,
) -> Sketch:
    """Return the board after a single step."""
    base = on or Sketch(grid=grid_of(grid, cell=100))
    terms = Version2Terms.from_scenario(base.grid, Rules.of(book(), settings or {}), inputs or {})
    return STEPS[stage](terms, base, dice.at(stage))


def with_(grid: str | Grid, *pieces: tuple[Kind, str]) -> Sketch:
    """Return a board that bears these kinds on these areas, a feature for each pair."""
    found = Sketch(grid=grid_of(grid, cell=100) if isinstance(grid, str) else grid)
    for kind, text in pieces:
        name = found.next_id(kind.value)
        if kind in (Kind.RIVER, Kind.ROAD, Kind.TRACK, Kind.RAILWAY):
            found = found.add(CellCourse(id=name, kind=kind, cells=cells(text), width=1.0, enters=0, leaves=0))
        else:
            found = found.add(AreaFeature(id=name, kind=kind, cells=cells(text), contours=int(kind is Kind.HILL)))
    return found


def reasons(dice: Dice) -> list[str]:
    """Return the log as reason and score, a line each."""
    return [f"{throw.reason}: {throw.answer}" for throw in dice.log]


def areas(found: Sketch, *kinds: Kind) -> list[tuple[Cell, ...]]:
    """Return the areas of the features of some kinds, each for itself."""
    return [piece.cells for piece in found.of(*kinds)]


def boards(count: int = 25) -> Iterator[tuple[str, str, int, Sketch]]:
    """Yield boards of every country on every grid, with everything on them that there can be."""
    for seed in range(count):
        grid, preset = GRIDS[seed % len(GRIDS)], PRESETS[seed // len(GRIDS) % len(PRESETS)]
        extras = {
            "railway": str(seed % 3), "lakes": "die" if seed % 2 else "no", "marshes": "no" if seed % 2 else "die",
            "river": str(1 + seed % 2), "road": str(1 + seed // 2 % 2),
        }  # fmt: skip
        yield grid, preset, seed, board(seed, grid, settings={"preset": preset, **extras})

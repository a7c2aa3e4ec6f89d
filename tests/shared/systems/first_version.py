"""Boards of version 1 from lists of dice or a seed, single stages of it, and areas written as the rules write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.kit.book import RuleBook, read_book
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.sketch import AreaFeature, CellCourse, Sketch
from printkit.systems.portable.grid.terms import build_sketch
from printkit.systems.portable.version1.steps import steps
from printkit.systems.portable.version1.terms import Version1Terms
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, Grid, grid_of


@cache
def book() -> RuleBook:
    return read_book("portable-1")


def rules(**settings: str) -> Rules:
    """Return the rules after settings, with ``__`` for a dot."""
    return Rules.of(book(), {key.replace("__", "."): value for key, value in settings.items()})


def dice_of(scores: str) -> Dice:
    """Return dice that give these scores and no more."""
    return Dice(ScriptedSource(scores.split(), Seeded(1)))


def spent(dice: Dice) -> bool:
    """Return whether every score was asked for."""
    assert isinstance(dice.source, ScriptedSource)
    return dice.source.unused_count == 0


def grid(name: str = "sq-8x8") -> Grid:
    return grid_of(name, cell=100)


def terms(name: str = "sq-8x8", *, inputs: Mapping[str, object] | None = None, **settings: str) -> Version1Terms:
    """Return the terms of a game; settings with ``__`` for a dot."""
    return Version1Terms.from_scenario(grid(name), rules(grid=name, **settings), inputs or {})


def board(dice: Dice, name: str = "sq-8x8", *, inputs: Mapping[str, object] | None = None, **settings: str) -> Sketch:
    """Return everything that version 1 puts on a grid."""
    return build_sketch(steps, grid(name), rules(grid=name, **settings), inputs or {}, dice)


def seeded(seed: int, name: str = "hex-9x8", **settings: str) -> Sketch:
    return board(Dice(Seeded(seed)), name, **settings)


def bare(name: str = "sq-8x8") -> Sketch:
    return Sketch(grid=grid(name))


def covered(shares: Mapping[str, float], name: str = "sq-8x8", kind: Kind = Kind.RIVER) -> Sketch:
    """Return a board of which a band covers these parts of areas, named row;column, and has none as its own."""
    parts = {cell(text): share for text, share in shares.items()}
    band = ((0.0, 0.0), (800.0, 800.0))
    return bare(name).add(CellCourse(id="river-1", kind=kind, cells=(), width=0.5, band=band, shares=parts))


def cell(text: str) -> Cell:
    row, column = text.split(";")
    return Cell(int(column), int(row))


def cells(text: str) -> tuple[Cell, ...]:
    return tuple(map(cell, text.split()))


def standing(found: Sketch, *kinds: Kind) -> list[str]:
    """Return the first areas of what stands there, in the order placed, named row;column."""
    pieces = found.of(*kinds) if kinds else found.placings
    return [f"{piece.cells[0].row};{piece.cells[0].column}" for piece in pieces]


def put(found: Sketch, kind: Kind, text: str) -> Sketch:
    height = int(kind is Kind.HILL)
    pieces = (AreaFeature(id=f"{kind.value}-{at}", kind=kind, cells=(at,), contours=height) for at in cells(text))
    return found.add(*pieces)


def reasons(dice: Dice) -> list[str]:
    return [throw.reason for throw in dice.log]

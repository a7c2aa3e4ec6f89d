"""The log counted out once more: what its dice put on which areas, stage by stage, and where they do not fit.

Nothing but settings, the lists of the scenario and the dice themselves is believed. A stage whose log asks for what the
rules do not, or lacks what they do, ends the recount: nothing after it can be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct, field

from printkit.chance.dice import Dice, MisfitError, Replayed, Seeded, Throw
from printkit.core.errors import PrintkitError, Sentence
from printkit.kit.book import RuleBook
from printkit.systems.portable.grid.sketch import Placing, Sketch
from printkit.systems.portable.version1 import steps as version1
from printkit.systems.portable.version2 import steps as version2
from printkit.terrain.field.grids import Cell, Grid

Stages = Mapping[str, Callable[[Sketch, Dice], Sketch]]
Steps = Callable[[Grid, RuleBook, Mapping[str, str], Mapping[str, object]], tuple[Sketch, Stages]]

_STEPS: Final[Mapping[str, Steps]] = {"portable-1": version1.steps, "portable-2": version2.steps}

FIRST: Final = "first"
ONWARD: Final = "onward"
BESIDE: Final = "beside"


class Recount(Struct, frozen=True, kw_only=True):
    """What the log gives: the board as far as it fits, the stages that fit, and those that do not, each with why."""

    sketch: Sketch
    stages: tuple[str, ...]
    done: tuple[str, ...] = ()
    astray: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""

    def dropped(self, *kinds: str) -> int:
        """Return how many features of some kinds found no area (PW0-11)."""
        return sum(
            int(note.values.get("count", 1))
            for note in self.sketch.notes
            if note.key == "dropped" and note.values.get("kind") in kinds
        )


class Part(Struct, frozen=True, kw_only=True):
    """One area of something that the log placed: ``by`` says how it was found, ``told`` the dice of it."""

    piece: Placing
    cell: Cell
    by: str
    told: Mapping[str, Any]

    @property
    def wrapped(self) -> bool:
        """Return whether counting went on at the top to come there (PW0-05)."""
        return self.by in (FIRST, ONWARD) and self.cell.row < self.told["row"]

    @property
    def displaced(self) -> bool:
        """Return whether areas that could not take it were passed over (PW0-09)."""
        return bool(self.told.get("passed"))


def recount(
    grid: Grid, book: RuleBook, settings: Mapping[str, str], inputs: Mapping[str, object], log: tuple[Throw, ...]
) -> Recount:
    """Return what a log gives on a grid; what the lists of the scenario forbid is told, not raised."""
    try:
        found, stages = _STEPS[book.name](grid, book, settings, inputs)
    except PrintkitError as error:
        return Recount(sketch=Sketch(grid=grid), stages=(), refused=error.sentence)
    source = Replayed(log, Seeded(0))
    dice, done = Dice(source), list[str]()
    for stage, step in stages.items():
        try:
            found = step(found, dice.at(stage))
        except MisfitError as error:
            return Recount(sketch=found, stages=tuple(stages), done=tuple(done), astray={stage: error.sentence})
        except PrintkitError as error:
            return Recount(sketch=found, stages=tuple(stages), done=tuple(done), refused=error.sentence)
        done.append(stage)
    astray = {
        stage: Sentence("the log of stage {stage!r} has more throws than are due", stage=stage)
        for stage in source.unused()
    }
    return Recount(sketch=found, stages=tuple(stages), done=tuple(done), astray=astray)


def parts(piece: Placing) -> Iterator[Part]:
    """Yield the areas of what was placed, each with how it was found."""
    areas = piece.told.get("areas")
    if areas is None:
        yield Part(piece=piece, cell=piece.cells[0], by=piece.told.get("by", ""), told=piece.told)
        return
    for area in areas:
        yield Part(piece=piece, cell=Cell(*area["cell"]), by=area.get("by", ""), told=area)

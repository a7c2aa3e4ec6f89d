"""What every stage of either version works with: the grid, the rules, the country, what was given, how to count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Self, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.counting import since
from printkit.systems.portable.grid.geography import Geography, count_of
from printkit.systems.portable.grid.overrides import CourseSpec, ScenarioTerrain, whole_number
from printkit.systems.portable.grid.routes import Detours
from printkit.systems.portable.grid.sketch import Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid

DIE: Final = "die"
"""The value of a setting that leaves it to a die."""

MOUNTAIN: Final = "mountain"
"""How tables of heights and lines of the features name one."""

Stages: TypeAlias = Mapping[str, Callable[[Sketch, Dice], Sketch]]
"""By stage, in the order played, what puts something on the board."""

SketchSteps: TypeAlias = Callable[[Grid, Rules, Mapping[str, object]], tuple[Sketch, Stages]]
"""Makes of the lists of a scenario the bare board and its stages; a version of the generator."""


def sketched(steps: SketchSteps, grid: Grid, rules: Rules, inputs: Mapping[str, object], dice: Dice) -> Sketch:
    """Return what a version of the generator puts on the areas of a grid.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
        PlacementError: a given feature cannot stand where it was put.
        DiceError: the dice run out, or one cannot be.
    """
    found, stages = steps(grid, rules, inputs)
    for stage, step in stages.items():
        found = step(found, dice.at(stage))
    return found


class Height(Struct, frozen=True):
    """What a hill is: contours, or 0 for a mountain, and the die that said so, None where none was thrown."""

    contours: int
    score: int | None = None
    throws: tuple[int, ...] = ()


class GridTerms(Struct, frozen=True, kw_only=True):
    """The terms of one game."""

    grid: Grid
    rules: Rules
    country: Geography
    given: ScenarioTerrain

    @classmethod
    def of(cls, grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> Self:
        """Return the terms of the rules and lists of a scenario.

        Raises:
            ScenarioError: a list or a line is wrong.
        """
        return cls(grid=grid, rules=rules, country=Geography.of(rules), given=ScenarioTerrain.read(inputs, grid))

    def known(self, key: str, given: int) -> int | None:
        """Return how many of something there are by a setting, and by the list of a person at least; None by a die.

        Where a list gives some and no setting a number, there are no more than those (PW0-13).
        """
        number = whole_number(self.rules, key)
        return given or None if number is None else max(number, given)

    def asked(self, key: str, known: Sequence[CourseSpec]) -> Iterator[tuple[int, CourseSpec]]:
        """Yield the number of each course that a setting asks for, or more are known, and what is known of it."""
        for place in range(max(count_of(self.rules.choice(key)), len(known))):
            yield place + 1, known[place] if place < len(known) else CourseSpec(place="")

    def crossing(self, known: Sequence[Kind], place: int, reason: Sentence, dice: Dice) -> Kind:
        """Return what a crossing is: as a line or a setting says, else by a die (PW1-21, PW2-42, PW0-13)."""
        if place < len(known):
            return known[place]
        choice = self.rules.choice("crossing")
        return Kind(self.rules.outcomes("crossing").roll(dice, reason) if choice == DIE else choice)

    def height(self, given: int | None, table: str, number: int, dice: Dice) -> Height:
        """Return how high a hill is: as a line says, else by the die of a table (PW1-31, PW2-11).

        Where the country has no such table hills are one contour high.
        """
        if given is not None or table not in self.rules.book.tables:
            return Height(given or 1)
        mark = len(dice.log)
        outcome = self.rules.outcomes(table).roll(dice, Sentence("height of hill {number:d}", number=number))
        return Height(0 if outcome == MOUNTAIN else int(outcome), int(dice.log[-1].answer), since(dice, mark))

    def detours(self, *, always: bool) -> Detours:
        """Return how courses go round hills: by a die ``always``, or between equal ways alone (PW1-61, PW2-34)."""
        return Detours(table=self.rules.outcomes("detour"), hill=self.rules.whole("cost_hill"), always=always)

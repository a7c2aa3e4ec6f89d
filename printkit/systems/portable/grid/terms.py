"""Shared parts of all stages of both versions: grid, rules, geography, scenario and common rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Self, TypeAlias

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.core.errors import Sentence
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.counting import log_positions
from printkit.systems.portable.grid.geography import Geography, parse_count
from printkit.systems.portable.grid.overrides import CourseSpec, ScenarioTerrain, parse_number
from printkit.systems.portable.grid.routes import Detours
from printkit.systems.portable.grid.sketch import Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Grid

# The value of a setting that leaves the decision to a die.
DIE: Final = "die"

# The word for a mountain in height tables and in lines of the features.
MOUNTAIN: Final = "mountain"

# The function of each stage, in playing order.
Stages: TypeAlias = Mapping[str, Callable[[Sketch, Dice], Sketch]]

# A version of the generator. Takes the scenario lists; returns the empty board and its stages.
SketchSteps: TypeAlias = Callable[[Grid, Rules, Mapping[str, object]], tuple[Sketch, Stages]]


def build_sketch(steps: SketchSteps, grid: Grid, rules: Rules, inputs: Mapping[str, object], dice: Dice) -> Sketch:
    """Run all stages of a version of the generator and return the sketch.

    ``inputs`` are the lists of the scenario by name.

    Raises:
        ScenarioError: a list or a line of the scenario is wrong.
        PlacementError: a given feature cannot go where the user put it.
        DiceError: there are too few dice, or a die has an impossible score.
    """
    sketch, stages = steps(grid, rules, inputs)
    for stage, step in stages.items():
        sketch = step(sketch, dice.at(stage))
    return sketch


class Height(Struct, frozen=True):
    """The contours of a hill (0 for a mountain), and the score; None if there was no roll."""

    contours: int
    score: int | None = None
    throws: tuple[int, ...] = ()


class GridTerms(Struct, frozen=True, kw_only=True):
    """The grid, rules and scenario of one game."""

    grid: Grid
    rules: Rules
    geography: Geography
    terrain: ScenarioTerrain

    @classmethod
    def from_scenario(cls, grid: Grid, rules: Rules, inputs: Mapping[str, object]) -> Self:
        """Return the terms for the rules and the lists of a scenario.

        ``inputs`` are these lists by name.

        Raises:
            ScenarioError: a list or a line is wrong.
        """
        return cls(
            grid=grid, rules=rules, geography=Geography.from_rules(rules), terrain=ScenarioTerrain.read(inputs, grid)
        )

    def known_count(self, key: str, given_count: int) -> int | None:
        """Return the number of features from the setting ``key``, at least ``given_count``, the number in the list.

        The result has the value None if a die decides. If a list gives some and the setting leaves it to a die, there
        are only those in the list (PW0-13).
        """
        number = parse_number(self.rules, key)
        return given_count or None if number is None else max(number, given_count)

    def scale_number(self, number: int) -> int:
        """Return the number of features for a grid of this size, from the number in the tables (PW0-13).

        The tables are for 72 areas. By area, the number is rounded with halves up, and is at least 1 unless it was 0.
        """
        if number == 0 or self.rules.choice("numbers") != "by-area":
            return number
        full, areas = round(self.rules.number("full_board")), len(self.grid.cells())
        return max(1, (2 * number * areas + full) // (2 * full))

    def list_courses(self, key: str, specs: Sequence[CourseSpec]) -> Iterator[tuple[int, CourseSpec]]:
        """Yield the number, from 1, and the line of each course.

        There are as many as the setting ``key`` says, or as the list has if it is longer. A course without a line has
        an empty one.
        """
        for index in range(max(parse_count(self.rules.choice(key)), len(specs))):
            yield index + 1, specs[index] if index < len(specs) else CourseSpec(place="")

    def roll_crossing(self, known_kinds: Sequence[Kind], index: int, reason: Sentence, dice: Dice) -> Kind:
        """Return the kind of a crossing: given, or by a die (PW1-21, PW2-42, PW0-13).

        ``index`` is its number on the course, from 0. ``known_kinds`` are those that the line gives, in travel order.
        """
        if index < len(known_kinds):
            return known_kinds[index]
        choice = self.rules.choice("crossing")
        return Kind(self.rules.outcomes("crossing").roll(dice, reason) if choice == DIE else choice)

    def roll_height(self, contours: int | None, table: str, number: int, dice: Dice) -> Height:
        """Return the height of a hill: from the line, otherwise by the die of a table (PW1-31, PW2-11).

        If the geography has no such table, hills are one contour high. A mountain has 0 contours. The result also has
        the score and the positions of the roll in the log, None and empty without a roll.

        Args:
            contours: those that the line gives; None if a die decides.
            table: name of the die table.
            number: of the hill, from 1, for the log.
            dice: rolls one die, unless the height is known.
        """
        if contours is not None or table not in self.rules.book.tables:
            return Height(contours or 1)
        mark = len(dice.log)
        outcome = self.rules.outcomes(table).roll(dice, Sentence("height of hill {number:d}", number=number))
        return Height(0 if outcome == MOUNTAIN else int(outcome), int(dice.log[-1].answer), log_positions(dice, mark))

    def detours(self, *, always: bool) -> Detours:
        """Return how courses go round hills: roll ``always``, or only between equal routes (PW1-61, PW2-34)."""
        return Detours(table=self.rules.outcomes("detour"), hill=self.rules.whole("cost_hill"), always=always)

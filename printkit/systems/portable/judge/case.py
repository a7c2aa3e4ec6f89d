"""What the judge sees of a record: areas, shapes, courses and dice, and the log counted out once more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

import shapely
from msgspec import Struct, field
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice, MisfitError, Replayed, Seeded, Throw
from printkit.core.errors import PrintkitError, ScenarioError, Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.portable.grid.counting import CountOrder
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.overrides import Given
from printkit.systems.portable.grid.sketch import ROADS, AreaFeature, Passage, Sketch, Way
from printkit.systems.portable.version1 import steps as version1
from printkit.systems.portable.version2 import steps as version2
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import ribbon

# --- The log counted out once more: what its dice put on which areas, stage by stage, and where they do not fit -------

Stages = Mapping[str, Callable[[Sketch, Dice], Sketch]]
Replay = Callable[[Grid, RuleBook, Mapping[str, str], Mapping[str, object]], tuple[Sketch, Stages]]

_STEPS: Final[Mapping[str, Replay]] = {"portable-1": version1.steps, "portable-2": version2.steps}

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


class LocatedPart(Struct, frozen=True, kw_only=True):
    """One area of something that the log placed: ``by`` says how it was found, ``told`` the dice of it."""

    piece: AreaFeature
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


def parts(piece: AreaFeature) -> Iterator[LocatedPart]:
    """Yield the areas of what was placed, each with how it was found."""
    areas = piece.told.get("areas")
    if areas is None:
        yield LocatedPart(piece=piece, cell=piece.cells[0], by=piece.told.get("by", ""), told=piece.told)
        return
    for area in areas:
        yield LocatedPart(piece=piece, cell=Cell(*area["cell"]), by=area.get("by", ""), told=area)


Check: TypeAlias = "Callable[[Case], Faults]"
"""Yields what breaks a clause, each with its area; nothing means that the clause is kept."""

HEIGHTS: Final = (Kind.HILL, Kind.MOUNTAIN)
WAYS: Final = (Kind.RIVER, *ROADS, Kind.RAILWAY)
FIELDS: Final = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)
CROSSED: Final = (Kind.FORD, Kind.BRIDGE)
GIVEN: Final = "given"

_WIDE: Final = 0.5
"""A river wider than this share of an area takes two."""

_TAKEN: Final = 0.35
"""The part of an area beside its chain that a wide river covers at least to take it."""


class Case(Struct, frozen=True, eq=False, dict=True):
    """A record laid open, on its grid."""

    record: Record
    book: RuleBook
    grid: Grid

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """Return a value for every setting of the book; where the record is silent, the default.

        Raises:
            UnseenError: the settings of the record cannot be.
        """
        known = {name for setting in self.book.settings for name in (setting.key, setting.alias)}
        try:
            return self.book.settle({name: text for name, text in self.record.settings.items() if name in known})
        except ScenarioError as error:
            raise UnseenError("the settings of the record cannot be: {error}", error=error) from None

    def asked(self, key: str) -> str:
        """Return a setting that the record itself states.

        Raises:
            UnseenError: it states none at all, as one drawn by hand.
        """
        if not self.record.settings:
            raise UnseenError("the record does not say what was asked for")
        return self.settings[key]

    @cached_property
    def country(self) -> Geography:
        """Return the country that the settings describe."""
        self.asked("preset")
        return Geography.of(self.book, self.settings)

    @cached_property
    def inputs(self) -> Mapping[str, object]:
        """Return the lists of the scenario that the record keeps."""
        found = self.record.details.get("inputs", {})
        return found if isinstance(found, Mapping) else {}

    @cached_property
    def given(self) -> Given:
        """Return what a person put on the board.

        Raises:
            UnseenError: the lists of the record cannot be read.
        """
        try:
            return Given.read(self.inputs, self.grid)
        except PrintkitError as error:
            raise UnseenError("{error}", error=error) from None

    @cached_property
    def counting(self) -> CountOrder:
        """Return how areas are counted."""
        return CountOrder.of(self.grid, self.settings)

    @cached_property
    def hull(self) -> Polygon:
        """Return the outline of the board: of all areas together."""
        return self.grid.hull()

    @cached_property
    def _outlines(self) -> Mapping[Cell, Polygon]:
        return {cell: self.grid.outline(cell) for cell in self.grid.cells()}

    def outline(self, cell: Cell) -> Polygon:
        """Return the outline of an area, which may lie off the grid."""
        return self._outlines[cell] if cell in self._outlines else self.grid.outline(cell)

    # --- What lies on the board ------------------------------------------------------------------------------------

    @cached_property
    def ground(self) -> tuple[Area | Hill, ...]:
        """Return areas and hills in the order of the record."""
        return tuple(feature for feature in self.record.battlefield.features if isinstance(feature, Area | Hill))

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Return the crossings."""
        return tuple(feature for feature in self.record.battlefield.features if isinstance(feature, Crossing))

    def courses(self, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses of some kinds in the order of the record; all of the rules where none is named."""
        features = self.record.battlefield.features
        return tuple(each for each in features if isinstance(each, Course) and each.kind in (kinds or WAYS))

    def course(self, identity: str) -> Course | None:
        """Return the course of an ID."""
        return next((course for course in self.courses() if course.id == identity), None)

    def of(self, *kinds: Kind) -> tuple[Area | Hill, ...]:
        """Return the ground of some kinds."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def cells(self, *kinds: Kind) -> frozenset[Cell]:
        """Return every area on which something of some kinds stands."""
        return frozenset(cell for kind in kinds for cell in self._by_kind.get(kind, ()))

    @cached_property
    def _by_kind(self) -> Mapping[Kind, frozenset[Cell]]:
        kinds = {feature.kind for feature in self.ground}
        return {kind: frozenset(cell for each in self.of(kind) for cell in cells_of(each)) for kind in kinds}

    def at(self, cell: Cell) -> tuple[Area | Hill, ...]:
        """Return the ground that takes an area, a feature of several outlines once."""
        found = {(each.kind, each.cells): each for each in self.ground if cell in cells_of(each)}
        return tuple(found.values())

    def height(self, cell: Cell) -> int:
        """Return over how many contours the middle of an area lies."""
        middle = Point(self.grid.centre(cell))
        hills = [feature for feature in self.of(*HEIGHTS) if isinstance(feature, Hill) and cell in cells_of(feature)]
        return max((sum(contour.contains(middle) for contour in hill.contours) for hill in hills), default=0)

    def shape(self, cells: Collection[Cell]) -> BaseGeometry:
        """Return the ground of some areas."""
        return shapely.union_all([self.outline(cell) for cell in sorted(cells)])

    def is_wide(self, course: Course) -> bool:
        """Return whether a river is drawn two areas wide."""
        return course.kind is Kind.RIVER and course.width > _WIDE * self.grid.cell

    def takes(self, course: Course) -> frozenset[Cell]:
        """Return the areas of a course, with those beside its chain that a wide river of version 2 covers.

        Version 1 names every area that a band fills (PW1-25).
        """
        own = frozenset(cells_of(course))
        if not self.is_wide(course) or self.book.name == "portable-1":
            return own
        water = ribbon(course.line, course.width)
        return own | {cell for cell in self.grid.cells() if self.covered(water, cell) >= _TAKEN}

    def covered(self, shape: BaseGeometry, cell: Cell) -> float:
        """Return the part of an area that a shape covers."""
        outline = self.outline(cell)
        return float(shape.intersection(outline).area / outline.area) if shape.intersects(outline) else 0.0

    def through(self, cell: Cell, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses that take an area, of some kinds or of all."""
        return tuple(course for course in self.courses(*kinds) if cell in self._taken[course.id])

    @cached_property
    def _taken(self) -> Mapping[str, frozenset[Cell]]:
        return {course.id: self.takes(course) for course in self.courses()}

    # --- What the log says -----------------------------------------------------------------------------------------

    def log(self, *stages: str) -> tuple[Throw, ...]:
        """Return the throws of some stages, or all.

        Raises:
            UnseenError: the record has no log.
        """
        if not self.record.log:
            raise UnseenError("the record has no log")
        return tuple(throw for throw in self.record.log if throw.stage in stages or not stages)

    def score(self, stage: str, reason: str) -> int | None:
        """Return the first die of a stage that was thrown for a reason, or None.

        Raises:
            UnseenError: there is no log, or the die is no score.
        """
        throw = next((throw for throw in self.log(stage) if throw.reason == reason), None)
        if throw is None:
            return None
        if throw.answer not in ("1", "2", "3", "4", "5", "6"):
            raise UnseenError(
                "the log has {answer!r} as the die for {reason}, which is no score", answer=throw.answer, reason=reason
            )
        return int(throw.answer)

    @cached_property
    def recount(self) -> Recount:
        """Return what the log gives, counted out anew.

        Raises:
            UnseenError: there is no log or no setting, or a list of the scenario cannot be.
        """
        self.asked("grid")
        found = recount(self.grid, self.book, self.settings, self.inputs, self.log())
        if found.refused:
            raise UnseenError("{reason}", reason=found.refused)
        return found

    def after(self, stage: str) -> Sketch:
        """Return the board that the log gives, where it fits as far as the end of a stage.

        Raises:
            UnseenError: it does not, or there is none.
        """
        if stage not in self.recount.done:
            astray = next(iter(self.recount.astray.values()), Sentence("the log ends before"))
            raise UnseenError("the log does not fit: {astray}", astray=astray)
        return self.recount.sketch

    def parts(self, stage: str, *kinds: Kind) -> tuple[LocatedPart, ...]:
        """Return every area on which the log of a stage puts something of some kinds."""
        return tuple(part for piece in self.after(stage).of(*kinds) for part in parts(piece))

    def ways(self, stage: str, *kinds: Kind) -> tuple[Way, ...]:
        """Return the courses that the log of a stage gives."""
        return tuple(self.after(stage).ways_of(*kinds))

    def passages(self, stage: str, *kinds: Kind) -> tuple[Passage, ...]:
        """Return the crossings of some kinds that the log gives."""
        return tuple(passage for passage in self.after(stage).passages if passage.kind in kinds)


def cells_of(feature: Area | Hill | Course | Crossing) -> tuple[Cell, ...]:
    """Return the areas of a feature."""
    return tuple(Cell(*cell) for cell in feature.cells)


def said(value: Any) -> str:
    """Return a kind in plain words."""
    return str(value).replace("_", " ")

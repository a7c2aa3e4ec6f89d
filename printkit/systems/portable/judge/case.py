"""The record as the checker sees it: areas, shapes, courses, and a replay of the log on the grid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, TypeAlias

import shapely
from msgspec import Struct, field
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from printkit.chance.dice import Dice, Seeded, Throw
from printkit.chance.replaying import DoesNotFitError, ReplaySource
from printkit.core.errors import PrintkitError, Sentence
from printkit.kit.case import JudgedRecord
from printkit.kit.checks import Faults, UnseenError, find_retired_clauses
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.details import RecordDetails, details_of
from printkit.systems.portable.grid.geography import Geography
from printkit.systems.portable.grid.overrides import ScenarioTerrain
from printkit.systems.portable.grid.sketch import HEIGHTS, WAYS, AreaFeature, CellCourse, Passage, Sketch
from printkit.systems.portable.grid.terms import SketchSteps
from printkit.terrain.field.features import Area, Course, Crossing, Hill, Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.geometry.measure import ribbon

# --- The log replayed: what its dice put on which areas, stage by stage, and where they do not fit --------------------

FIRST: Final = "first"
ONWARD: Final = "onward"
BESIDE: Final = "beside"


class Recount(Struct, frozen=True, kw_only=True):
    """The result of a replayed log.

    Attributes:
        sketch: the board, as far as the log fits.
        stages: all stages of the version, in order.
        done: the stages that fit.
        astray: the faults of stages that do not fit.
        refused: the error if the scenario or a placement is not possible.
    """

    sketch: Sketch
    stages: tuple[str, ...]
    done: tuple[str, ...] = ()
    astray: Mapping[str, str] = field(default_factory=dict)
    refused: str = ""


class LocatedPart(Struct, frozen=True, kw_only=True):
    """One area of a feature that the log places; ``by`` is the way it was located, ``told`` its facts."""

    piece: AreaFeature
    cell: Cell
    by: str
    told: Mapping[str, Any]

    @property
    def wrapped(self) -> bool:
        """Return whether counting wrapped round to the top to reach the area (PW0-05)."""
        return self.by in (FIRST, ONWARD) and self.cell.row < self.told["row"]

    @property
    def displaced(self) -> bool:
        """Return whether counting skipped areas that could not take the feature (PW0-09)."""
        return bool(self.told.get("passed"))


def recount(
    steps: SketchSteps, grid: Grid, rules: Rules, inputs: Mapping[str, object], log: tuple[Throw, ...]
) -> Recount:
    """Replay a log on a grid. Errors in the lists of the scenario go into the result and are not raised."""
    try:
        found, stages = steps(grid, rules, inputs)
    except PrintkitError as error:
        return Recount(sketch=Sketch(grid=grid), stages=(), refused=error.sentence)
    source = ReplaySource(log, Seeded(0))
    dice, done = Dice(source), list[str]()
    for stage, step in stages.items():
        try:
            found = step(found, dice.at(stage))
        except DoesNotFitError as error:
            return Recount(sketch=found, stages=tuple(stages), done=tuple(done), astray={stage: error.sentence})
        except PrintkitError as error:
            return Recount(sketch=found, stages=tuple(stages), done=tuple(done), refused=error.sentence)
        done.append(stage)
    astray = {
        stage: Sentence("the log of stage {stage!r} has too many rolls", stage=stage)
        for stage in source.unused_stages()
    }
    return Recount(sketch=found, stages=tuple(stages), done=tuple(done), astray=astray)


def parts(piece: AreaFeature) -> Iterator[LocatedPart]:
    """Yield the areas of a placed feature, each with the way it was located."""
    areas = piece.told.get("areas")
    if areas is None:
        yield LocatedPart(piece=piece, cell=piece.cells[0], by=piece.told.get("by", ""), told=piece.told)
        return
    for area in areas:
        yield LocatedPart(piece=piece, cell=Cell(*area["cell"]), by=area.get("by", ""), told=area)


# Yields the faults against a clause. Without faults the clause is kept.
Check: TypeAlias = "Callable[[PortableCase], Faults]"

# The clauses about positions and numbers of dice. A log that breaks one of them cannot be replayed.
_DICE: Final = ("PW0-10", "PW0-14")

CROSSED: Final = (Kind.FORD, Kind.BRIDGE)
GIVEN: Final = "given"
# The stage that places courses of a kind.
STAGES: Final[Mapping[Kind, str]] = {
    Kind.RIVER: "rivers", Kind.ROAD: "roads", Kind.TRACK: "roads", Kind.RAILWAY: "railways",
}  # fmt: skip


class PortableCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record on its grid, with the stages of the version to check it against."""

    grid: Grid
    steps: SketchSteps

    def asked(self, key: str) -> str:
        """Return a setting that the record states.

        Raises:
            UnseenError: the record has no settings, for example because it was drawn by hand.
        """
        if not self.stated:
            raise UnseenError("the record does not say what was requested")
        return self.rules.choice(key)

    @property
    def stated(self) -> bool:
        """Return whether the record states its settings under these rules."""
        return bool(self.record.settings) and self.record.rules == self.rules.book.name

    @cached_property
    def country(self) -> Geography:
        """Return the geography in the settings."""
        self.asked("preset")
        return Geography.of(self.rules)

    @cached_property
    def kept(self) -> RecordDetails:
        """Return the details of the record; empty if it is a record of other rules.

        Raises:
            RecordError: a member of the details is wrong.
        """
        return details_of(self.record) if self.record.rules == self.rules.book.name else RecordDetails()

    @cached_property
    def given(self) -> ScenarioTerrain:
        """Return the terrain that the scenario gives.

        Raises:
            UnseenError: the lists in the record cannot be parsed.
        """
        inputs = self.kept.inputs
        try:
            return ScenarioTerrain.read(inputs, self.grid)
        except PrintkitError as error:
            raise UnseenError("{error}", error=error) from None

    @cached_property
    def hull(self) -> Polygon:
        """Return the outline of the board: the union of all areas."""
        return self.grid.hull()

    @cached_property
    def _outlines(self) -> Mapping[Cell, Polygon]:
        return {cell: self.grid.outline(cell) for cell in self.grid.cells()}

    def outline(self, cell: Cell) -> Polygon:
        """Return the outline of an area, which may be off the grid."""
        return self._outlines[cell] if cell in self._outlines else self.grid.outline(cell)

    # --- Features on the board -------------------------------------------------------------------------------------

    def drawn(self, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses of some kinds, or all that the rules have, in the order of the record."""
        return self.of(Course, *(kinds or WAYS))

    def course(self, identity: str) -> Course | None:
        """Return the course with this ID."""
        return next((course for course in self.courses if course.id == identity), None)

    def standing(self, *kinds: Kind) -> tuple[Area | Hill, ...]:
        """Return the ground features of some kinds."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def cells(self, *kinds: Kind) -> frozenset[Cell]:
        """Return all areas with a feature of these kinds."""
        return frozenset(cell for kind in kinds for cell in self._by_kind.get(kind, ()))

    @cached_property
    def _by_kind(self) -> Mapping[Kind, frozenset[Cell]]:
        kinds = {feature.kind for feature in self.ground}
        return {kind: frozenset(cell for each in self.standing(kind) for cell in cells_of(each)) for kind in kinds}

    def at(self, cell: Cell) -> tuple[Area | Hill, ...]:
        """Return the ground on an area; a feature with several outlines appears once."""
        found = {(each.kind, each.cells): each for each in self.ground if cell in cells_of(each)}
        return tuple(found.values())

    def height(self, cell: Cell) -> int:
        """Return the number of contours at the centre of an area."""
        middle = Point(self.grid.centre(cell))
        hills = [
            feature for feature in self.standing(*HEIGHTS) if isinstance(feature, Hill) and cell in cells_of(feature)
        ]
        return max((sum(contour.contains(middle) for contour in hill.contours) for hill in hills), default=0)

    def shape(self, cells: Collection[Cell]) -> BaseGeometry:
        """Return the union of some areas."""
        return shapely.union_all([self.outline(cell) for cell in sorted(cells)])

    def is_wide(self, course: Course) -> bool:
        """Return whether a river is drawn more than one area wide."""
        return course.kind is Kind.RIVER and course.width > self.rules.limit("one_area") + self.rules.slack("one_area")

    def takes(self, course: Course) -> frozenset[Cell]:
        """Return the areas of a course, including the second areas of a wide river.

        The log gives the second areas. Without a log they are the areas that the river mostly covers. A straight band
        lists all its areas itself (PW1-25).
        """
        own = frozenset(cells_of(course))
        if not self.is_wide(course):
            return own
        logged = next((way for way in self._logged if (way.id, way.cells) == (course.id, cells_of(course))), None)
        if logged is not None or "bank_taken" not in self.rules.book.numbers:
            return own | {cell for cell in (logged.beside if logged else ()) if cell is not None}
        water, least = ribbon(course.line, course.width), self.rules.number("bank_taken")
        return own | {cell for cell in self.grid.cells() if self.covered(water, cell) >= least}

    @cached_property
    def _logged(self) -> tuple[CellCourse, ...]:
        """Return the courses of the log, as far as it fits; none without a log."""
        try:
            return self.recount.sketch.ways
        except UnseenError:
            return ()

    def covered(self, shape: BaseGeometry, cell: Cell) -> float:
        """Return the share of an area that a shape covers."""
        outline = self.outline(cell)
        return float(shape.intersection(outline).area / outline.area) if shape.intersects(outline) else 0.0

    def through(self, cell: Cell, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses that take an area, of some kinds or of all."""
        return tuple(course for course in self.drawn(*kinds) if cell in self._taken[course.id])

    @cached_property
    def _taken(self) -> Mapping[str, frozenset[Cell]]:
        return {course.id: self.takes(course) for course in self.drawn()}

    # --- The result of the log -------------------------------------------------------------------------------------

    @cached_property
    def recount(self) -> Recount:
        """Return the result of a replay of the log.

        Raises:
            UnseenError: there is no log or no setting, a list of the scenario is not possible, or a setting of an
                earlier version had other dice.
        """
        self.asked("grid")
        otherwise = find_retired_clauses(self.rules.book, self.record)
        for clause in _DICE:
            if clause in otherwise:
                raise UnseenError("{otherwise}", otherwise=otherwise[clause])
        found = recount(self.steps, self.grid, self.rules, self.kept.inputs, self.throws())
        if found.refused:
            raise UnseenError("{reason}", reason=found.refused)
        return found

    def after(self, stage: str) -> Sketch:
        """Return the board that the log gives, if the log fits up to the end of a stage.

        Raises:
            UnseenError: it does not fit, or there is no log.
        """
        if stage not in self.recount.done:
            astray = next(iter(self.recount.astray.values()), Sentence("the log ends too early"))
            raise UnseenError("the log does not match: {astray}", astray=astray)
        return self.recount.sketch

    def ways(self, stage: str, *kinds: Kind) -> tuple[CellCourse, ...]:
        """Return the courses that the log gives in a stage."""
        return tuple(self.after(stage).ways_of(*kinds))

    def pairs(self, *kinds: Kind) -> Iterator[tuple[Course, CellCourse]]:
        """Yield each drawn course with its course in the log: by order, or by ID if their numbers differ."""
        for kind in kinds or WAYS:
            if there := self.drawn(kind):
                due = self.ways(STAGES[kind], kind)
                by_id = {way.id: way for way in due}
                alike = len(there) == len(due)
                yield from (
                    zip(there, due, strict=True)
                    if alike
                    else ((each, by_id[each.id]) for each in there if each.id in by_id)
                )

    def passages(self, stage: str, *kinds: Kind) -> tuple[Passage, ...]:
        """Return the crossings of some kinds that the log gives."""
        return tuple(passage for passage in self.after(stage).passages if passage.kind in kinds)


def cells_of(feature: Area | Hill | Course | Crossing) -> tuple[Cell, ...]:
    """Return the areas of a feature."""
    return tuple(Cell(*cell) for cell in feature.cells)


def said(value: Any) -> str:
    """Return the words for a kind."""
    return str(value).replace("_", " ")

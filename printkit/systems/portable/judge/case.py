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
from printkit.systems.portable.grid.details import RecordDetails, parse_details
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
        done_stages: the stages that fit.
        astray: the faults of stages that do not fit.
        error_text: the error if the scenario or a placement is not possible.
    """

    sketch: Sketch
    stages: tuple[str, ...]
    done_stages: tuple[str, ...] = ()
    astray: Mapping[str, str] = field(default_factory=dict)
    error_text: str = ""


class LocatedPart(Struct, frozen=True, kw_only=True):
    """One area of a feature that the log places; ``method`` is the way it was located, ``facts`` its facts."""

    piece: AreaFeature
    cell: Cell
    method: str
    facts: Mapping[str, Any]

    @property
    def is_wrapped(self) -> bool:
        """Return whether counting wrapped round to the top to reach the area (PW0-05)."""
        return self.method in (FIRST, ONWARD) and self.cell.row < self.facts["row"]

    @property
    def is_displaced(self) -> bool:
        """Return whether counting skipped areas that could not take the feature (PW0-09)."""
        return bool(self.facts.get("passed"))


def replay_log(
    steps: SketchSteps, grid: Grid, rules: Rules, inputs: Mapping[str, object], log: tuple[Throw, ...]
) -> Recount:
    """Replay a log on a grid and return how far it fits.

    Errors in the lists of the scenario go into the result and are not raised. The replay ends at the first stage with
    an error; the result has the sketch so far, the done stages, the error, and stages with too many rolls. Stages,
    ``astray`` and the error text are in playing order; a replay without faults has all stages done and no error.
    ``inputs`` are the lists of the scenario by name.
    """
    try:
        sketch, stages = steps(grid, rules, inputs)
    except PrintkitError as error:
        return Recount(sketch=Sketch(grid=grid), stages=(), error_text=error.sentence)
    source = ReplaySource(log, Seeded(0))
    dice, done_stages = Dice(source), list[str]()
    for stage, step in stages.items():
        try:
            sketch = step(sketch, dice.at(stage))
        except DoesNotFitError as error:
            return Recount(
                sketch=sketch, stages=tuple(stages), done_stages=tuple(done_stages), astray={stage: error.sentence}
            )
        except PrintkitError as error:
            return Recount(
                sketch=sketch, stages=tuple(stages), done_stages=tuple(done_stages), error_text=error.sentence
            )
        done_stages.append(stage)
    astray = {
        stage: Sentence("the log of stage {stage!r} has too many rolls", stage=stage)
        for stage in source.unused_stages()
    }
    return Recount(sketch=sketch, stages=tuple(stages), done_stages=tuple(done_stages), astray=astray)


def located_parts(piece: AreaFeature) -> Iterator[LocatedPart]:
    """Yield the areas of a placed feature, each with the way it was located."""
    areas = piece.told.get("areas")
    if areas is None:
        yield LocatedPart(piece=piece, cell=piece.cells[0], method=piece.told.get("by", ""), facts=piece.told)
        return
    for area in areas:
        yield LocatedPart(piece=piece, cell=Cell(*area["cell"]), method=area.get("by", ""), facts=area)


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
    # Rules of shapes give lengths in mm, and use the tolerances of the book.
    unit_mm: float = 1.0
    rounding_mm: float | None = None

    def stated_setting(self, key: str) -> str:
        """Return a setting that the record states.

        Raises:
            UnseenError: the record has no settings, for example because it was drawn by hand.
        """
        if not self.is_stated:
            raise UnseenError("the record does not say what was requested")
        return self.rules.choice(key)

    @property
    def is_stated(self) -> bool:
        """Return whether the record states its settings under these rules."""
        return bool(self.record.settings) and self.record.rules == self.rules.book.name

    @cached_property
    def geography(self) -> Geography:
        """Return the geography in the settings."""
        self.stated_setting("preset")
        return Geography.from_rules(self.rules)

    @cached_property
    def parsed_details(self) -> RecordDetails:
        """Return the details of the record; empty if it is a record of other rules.

        Raises:
            RecordError: a member of the details is wrong.
        """
        return parse_details(self.record) if self.record.rules == self.rules.book.name else RecordDetails()

    @cached_property
    def terrain(self) -> ScenarioTerrain:
        """Return the terrain that the scenario gives.

        Raises:
            UnseenError: the lists in the record cannot be parsed.
        """
        inputs = self.parsed_details.inputs
        try:
            return ScenarioTerrain.read(inputs, self.grid)
        except PrintkitError as error:
            raise UnseenError("{error}", error=error) from None

    @cached_property
    def hull(self) -> Polygon:
        """Return the outline of all areas together, in mm on the board."""
        return self.grid.hull()

    @cached_property
    def _outlines(self) -> Mapping[Cell, Polygon]:
        """Return the outline of each area of the grid, in mm on the board."""
        return {cell: self.grid.outline(cell) for cell in self.grid.cells()}

    def outline(self, cell: Cell) -> Polygon:
        """Return the outline of an area in mm on the board; the area may be off the grid."""
        return self._outlines[cell] if cell in self._outlines else self.grid.outline(cell)

    # --- Features on the board -------------------------------------------------------------------------------------

    def find_courses(self, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses of some kinds, or all that the rules have, in the order of the record."""
        return self.of(Course, *(kinds or WAYS))

    def find_course(self, identity: str) -> Course | None:
        """Return the course with this ID, or None if there is none."""
        return next((course for course in self.courses if course.id == identity), None)

    def find_ground(self, *kinds: Kind) -> tuple[Area | Hill, ...]:
        """Return the areas and hills of some kinds, in the order of the record."""
        return tuple(feature for feature in self.ground if feature.kind in kinds)

    def find_cells(self, *kinds: Kind) -> frozenset[Cell]:
        """Return all areas with ground of these kinds, by the record; courses do not count."""
        return frozenset(cell for kind in kinds for cell in self._by_kind.get(kind, ()))

    @cached_property
    def _by_kind(self) -> Mapping[Kind, frozenset[Cell]]:
        """Return the areas of each kind of ground in the record."""
        kinds = {feature.kind for feature in self.ground}
        return {kind: frozenset(cell for each in self.find_ground(kind) for cell in cells_of(each)) for kind in kinds}

    def at(self, cell: Cell) -> tuple[Area | Hill, ...]:
        """Return the ground features on an area; a feature with several outlines appears once.

        They are in the order of the record.
        """
        features = {(feature.kind, feature.cells): feature for feature in self.ground if cell in cells_of(feature)}
        return tuple(features.values())

    def contours_at(self, cell: Cell) -> int:
        """Return the number of contours round the centre of an area, of its highest hill; 0 without a hill."""
        middle = Point(self.grid.centre(cell))
        hills = [
            feature for feature in self.find_ground(*HEIGHTS) if isinstance(feature, Hill) and cell in cells_of(feature)
        ]
        return max((sum(contour.contains(middle) for contour in hill.contours) for hill in hills), default=0)

    def join_areas(self, cells: Collection[Cell]) -> BaseGeometry:
        """Return the union of some areas, in mm on the board."""
        return shapely.union_all([self.outline(cell) for cell in sorted(cells)])

    @cached_property
    def course_ground(self) -> BaseGeometry:
        """Return the ground of all courses with the banks beside them, in mm on the board."""
        bank = 2 * self.rules.length("bank")
        return shapely.union_all([ribbon(course.line, course.width + bank) for course in self.find_courses()])

    def is_wide(self, course: Course) -> bool:
        """Return whether a course is a river that is drawn more than one area wide."""
        return course.kind is Kind.RIVER and course.width > self.rules.limit("one_area") + self.rules.slack("one_area")

    def find_taken_cells(self, course: Course) -> frozenset[Cell]:
        """Return the areas of a course, including the second areas of a wide river.

        The log gives the second areas. Without a log they are the areas that the river mostly covers. A straight band
        lists all its areas itself (PW1-25).
        """
        own_cells = frozenset(cells_of(course))
        if not self.is_wide(course):
            return own_cells
        match = next(
            (
                log_course
                for log_course in self._log_courses
                if (log_course.id, log_course.cells) == (course.id, cells_of(course))
            ),
            None,
        )
        if match is not None or "bank_taken" not in self.rules.book.numbers:
            return own_cells | {cell for cell in (match.beside if match else ()) if cell is not None}
        water, least = ribbon(course.line, course.width), self.rules.number("bank_taken")
        return own_cells | {cell for cell in self.grid.cells() if self.measure_cover(water, cell) >= least}

    @cached_property
    def _log_courses(self) -> tuple[CellCourse, ...]:
        """Return the courses of the log, as far as it fits; none without a log."""
        try:
            return self.recount.sketch.ways
        except UnseenError:
            return ()

    @cached_property
    def band_ids(self) -> frozenset[str]:
        """Return the IDs of the straight bands of the log; empty without a log."""
        return frozenset(course.id for course in self._log_courses if course.band is not None)

    def measure_cover(self, shape: BaseGeometry, cell: Cell) -> float:
        """Return the share of an area that a shape in mm on the board covers, 0 to 1."""
        outline = self.outline(cell)
        return float(shape.intersection(outline).area / outline.area) if shape.intersects(outline) else 0.0

    def courses_at(self, cell: Cell, *kinds: Kind) -> tuple[Course, ...]:
        """Return the courses that take an area, of some kinds or of all.

        They are in the order of the record.
        """
        return tuple(course for course in self.find_courses(*kinds) if cell in self._cells_by_course[course.id])

    @cached_property
    def _cells_by_course(self) -> Mapping[str, frozenset[Cell]]:
        """Return the areas of each course by its ID, including the second areas of wide rivers."""
        return {course.id: self.find_taken_cells(course) for course in self.find_courses()}

    # --- The result of the log -------------------------------------------------------------------------------------

    @cached_property
    def recount(self) -> Recount:
        """Return the result of a replay of the log.

        Raises:
            UnseenError: there is no log or no setting, a list of the scenario is not possible, or a setting of an
                earlier version had other dice.
        """
        self.stated_setting("grid")
        otherwise = find_retired_clauses(self.rules.book, self.record)
        for clause in _DICE:
            if clause in otherwise:
                raise UnseenError("{otherwise}", otherwise=otherwise[clause])
        result = replay_log(self.steps, self.grid, self.rules, self.parsed_details.inputs, self.throws())
        if result.error_text:
            raise UnseenError("{reason}", reason=result.error_text)
        return result

    def sketch_after(self, stage: str) -> Sketch:
        """Return the board that the log gives, if the log fits up to the end of a stage.

        Raises:
            UnseenError: it does not fit, or there is no log.
        """
        if stage not in self.recount.done_stages:
            astray = next(iter(self.recount.astray.values()), Sentence("the log ends too early"))
            raise UnseenError("the log does not match: {astray}", astray=astray)
        return self.recount.sketch

    def log_courses(self, stage: str, *kinds: Kind) -> tuple[CellCourse, ...]:
        """Return the courses that the log gives in a stage, of these kinds.

        They are in the order in which they were placed.

        Raises:
            UnseenError: the log does not fit, or there is none.
        """
        return tuple(self.sketch_after(stage).select_courses(*kinds))

    def pair_courses(self, *kinds: Kind) -> Iterator[tuple[Course, CellCourse]]:
        """Yield each drawn course with its course in the log: by order, or by ID if their numbers differ.

        ``kinds`` limits the kinds of courses; without any, all are paired. By ID, courses without a partner are left
        out.
        """
        for kind in kinds or WAYS:
            if drawn_courses := self.find_courses(kind):
                due = self.log_courses(STAGES[kind], kind)
                by_id = {log_course.id: log_course for log_course in due}
                alike = len(drawn_courses) == len(due)
                yield from (
                    zip(drawn_courses, due, strict=True)
                    if alike
                    else (
                        (drawn_course, by_id[drawn_course.id])
                        for drawn_course in drawn_courses
                        if drawn_course.id in by_id
                    )
                )

    def log_crossings(self, stage: str, *kinds: Kind) -> tuple[Passage, ...]:
        """Return the crossings of some kinds that the log gives up to the end of a stage.

        They are in the order in which they were placed.

        Raises:
            UnseenError: the log does not fit, or there is none.
        """
        return tuple(passage for passage in self.sketch_after(stage).passages if passage.kind in kinds)


def cells_of(feature: Area | Hill | Course | Crossing) -> tuple[Cell, ...]:
    """Return the areas of a feature in the order of the record."""
    return tuple(Cell(*cell) for cell in feature.cells)


def said(value: Any) -> str:
    """Return a value, for example a kind, as text with spaces for underscores."""
    return str(value).replace("_", " ")

"""Checks of the grid: shapes in their areas, and features that share one (PW0-01..PW0-03, PW0-15, PW0-18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shapely import Point

from printkit.core.errors import PrintkitError, Sentence
from printkit.kit.checks import Faults, combine_checks
from printkit.kit.shape_rules import shape_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import WAYS
from printkit.systems.portable.judge.case import Check, PortableCase, cells_of, said
from printkit.systems.portable.judge.shape_rules import GROUND_RULES
from printkit.terrain.field.features import Course, Kind
from printkit.terrain.field.grids import Cell, grid_of, neighbours


def _check_grid(case: PortableCase) -> Faults:
    """Check that the grid is as requested and fits the board, and all named areas are on it (PW0-01)."""
    board, grid = case.record.battlefield.board, case.grid
    if max(abs(grid.width - board.width), abs(grid.depth - board.depth)) > case.rules.limit("off_board"):
        yield Sentence(
            "{grid} is {grid_width:.1f} x {grid_depth:.1f} mm, but the board is {board_width:.1f} x {board_depth:.1f}",
            grid=grid.name,
            grid_width=grid.width,
            grid_depth=grid.depth,
            board_width=board.width,
            board_depth=board.depth,
        )
    if case.is_stated:
        try:
            requested_grid = grid_of(case.rules.choice("grid"), cell=grid.cell, grain=case.rules.choice("grid.hex"))
        except PrintkitError as error:
            yield error.sentence
        else:
            if requested_grid.name != grid.name:
                yield Sentence(
                    "{asked} was requested, but the record has {grid}", asked=requested_grid.name, grid=grid.name
                )
    for feature in case.record.battlefield.features:
        if not feature.cells:
            yield Sentence("{feature} is not on any area", feature=feature.id)
    yield from _check_on_board(case)


def _check_on_board(case: PortableCase) -> Faults:
    """Check that features use only areas of the board (PW0-15)."""
    for feature in case.record.battlefield.features:
        for cell in feature.cells:
            if not case.grid.contains(Cell(*cell)):
                yield Sentence(
                    "{feature}: {cell} is not on {grid}",
                    feature=feature.id,
                    cell=address(Cell(*cell)),
                    grid=case.grid.name,
                )


def _check_crossing_areas(case: PortableCase) -> Faults:
    """Check that each crossing is in the areas that the record gives (PW0-02)."""
    for crossing in case.crossings:
        areas = case.join_areas([cell for cell in cells_of(crossing) if case.grid.contains(cell)])
        if areas.distance(crossing.at) > case.rules.limit("off_crossing") + case.rules.slack("off_crossing"):
            yield Sentence(
                "{crossing} is outside {cells}",
                crossing=crossing.id,
                cells=" ".join(map(address, cells_of(crossing))),
            )


def _check_orientation(case: PortableCase) -> Faults:
    """Check the orientation of the hexes (PW0-03)."""
    grain = getattr(case.grid, "grain", "")
    if grain and case.is_stated and grain != case.rules.choice("grid.hex"):
        yield Sentence(
            "the hexes are {grain}, but {grid_hex} was requested", grain=grain, grid_hex=case.rules.choice("grid.hex")
        )


def _check_connection(case: PortableCase) -> Faults:
    """Check that the areas of a feature are connected by their sides; corners do not count (PW0-18)."""
    for feature in case.ground:
        cells = cells_of(feature)
        reached_cells, queue = set[Cell](), [cells[0]] if cells else []
        while queue:
            cell = queue.pop()
            if cell not in reached_cells:
                reached_cells.add(cell)
                queue += [neighbour for neighbour in neighbours(case.grid, cell) if neighbour in cells]
        for cell in cells:
            if cell not in reached_cells:
                yield Sentence(
                    "{feature}: {cell} is not next to its other areas", feature=feature.id, cell=address(cell)
                )


# --- Features that share an area -------------------------------------------------------------------------------------


def unshared_check(
    *kinds: Kind, ground_kinds: tuple[Kind, ...] = (), courses: tuple[Kind, ...] = WAYS, allow_sections: bool = False
) -> Check:
    """Return the check that features of some kinds share their areas with no other ground and no course.

    The check takes a case and yields a sentence for each area and feature or course there. Features with the same kind
    and the same areas count as one.

    Args:
        kinds: of the features.
        ground_kinds: kinds of ground that may also be there.
        courses: kinds of courses that may not pass there; empty if all may.
        allow_sections: allow every course with an end on the board, whatever its kind. Callers use it for road sections
            that were placed later.
    """

    def check(case: PortableCase) -> Faults:
        """Yield the areas that a feature shares with ground or a course that may not be there."""
        for feature in case.find_ground(*kinds):
            for cell in cells_of(feature):
                for other in case.at(cell):
                    if (other.kind, other.cells) != (feature.kind, feature.cells) and other.kind not in ground_kinds:
                        yield Sentence(
                            "{kind} and {other_kind} share {cell}",
                            kind=said(feature.kind),
                            other_kind=said(other.kind),
                            cell=address(cell),
                        )
                for course in case.courses_at(cell, *courses) if courses else ():
                    if not (allow_sections and find_inner_ends(case, course)):
                        yield Sentence(
                            "{course} runs through {kind} at {cell}",
                            course=course.id,
                            kind=said(feature.kind),
                            cell=address(cell),
                        )

    return check


def find_inner_ends(case: PortableCase, course: Course) -> tuple[Point, ...]:
    """Return the ends of a course that are on the board; a section to a village has one (PW2-44).

    They are points in mm on the board. The result is empty if the course runs from edge to edge. A course counts as
    leaving the board if it reaches the edge by half its width, because a wide river flows between areas of the rim.
    """
    ground = case.hull.buffer(-max(case.rules.length("off_board"), course.width / 2))
    ends = Point(course.line.coords[0]), Point(course.line.coords[-1])
    return tuple(end for end in ends if ground.contains(end))


_GROUND: Final = shape_checks(GROUND_RULES, lambda case: case.ground, lambda case: case)

CHECKS: Final[Mapping[str, Check]] = {
    "PW0-01": _check_grid,
    "PW0-02": combine_checks(_GROUND["PW0-02"], _check_crossing_areas),
    "PW0-03": combine_checks(_check_orientation, _GROUND["PW0-03"]),
    "PW0-15": _check_on_board,
    "PW0-18": _check_connection,
}

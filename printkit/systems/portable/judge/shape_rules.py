"""The rules of drawn shapes on a grid, as rows. The recount of the dice has the rules of the areas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from printkit.kit.shape_rules import Measurement, Measurements, ShapeRule
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import FIELDS, HEIGHTS, ROADS
from printkit.systems.portable.judge.case import PortableCase, cells_of
from printkit.terrain.field.features import Area, Course, Hill, Kind
from printkit.terrain.field.grids import Cell

# Kinds that fill only part of an area and may be off-centre, with the number of the rules for the part.
_LEAST_COVERS: Final = {
    Kind.SETTLEMENT: "cover_settlement",
    **dict.fromkeys(FIELDS, "cover_field"),
    **dict.fromkeys(HEIGHTS, "cover_hill"),
}

GroundRule: TypeAlias = "ShapeRule[Area | Hill, PortableCase]"
GroundMeasure: TypeAlias = "Callable[[Area | Hill, PortableCase], Measurements]"
WidthRule: TypeAlias = ShapeRule[Course, PortableCase]


def _cells_on_board(feature: Area | Hill, case: PortableCase) -> Sequence[Cell]:
    return [cell for cell in cells_of(feature) if case.grid.contains(cell)]


def _measure_reach(feature: Area | Hill, case: PortableCase) -> Measurements:
    areas = case.join_areas(_cells_on_board(feature, case))
    if not areas.buffer(case.rules.length("off_area")).contains(feature.outline):
        yield Measurement(words={"cells": " ".join(map(address, cells_of(feature)))})


def _measure_cover(number: str) -> GroundMeasure:
    """Return the measure of the share of each area that a feature covers, if ``number`` is the limit of its kind."""

    def measure(feature: Area | Hill, case: PortableCase) -> Measurements:
        if _LEAST_COVERS.get(feature.kind, "cover") == number:
            for cell in _cells_on_board(feature, case):
                share = _measure_share(case, feature, cell)
                # A feature that covers enough alone does not need the courses, whose ground takes time to add.
                if 0 < share < case.rules.limit(number):
                    share = _measure_share(case, feature, cell, case.course_ground)
                yield Measurement(share, words={"cell": address(cell)})

    return measure


def _measure_own_cover(feature: Area | Hill, case: PortableCase) -> Measurements:
    for cell in _cells_on_board(feature, case):
        yield Measurement(_measure_share(case, feature, cell), words={"cell": address(cell)})


def _measure_share(case: PortableCase, feature: Area | Hill, cell: Cell, *more_ground: BaseGeometry) -> float:
    """Return the share of an area that a feature covers with its other parts and ``more_ground``, 0 to 1.

    It is 0 if the feature does not reach the area. A field has several strips. Ground is in mm on the board.
    """
    if not feature.outline.intersects(case.outline(cell)):
        return 0.0
    parts = [each.outline for each in case.ground if (each.kind, each.cells) == (feature.kind, feature.cells)]
    return case.measure_cover(shapely.union_all([*parts, *more_ground]), cell)


def _find_uncovered_centres(feature: Area | Hill, case: PortableCase) -> Measurements:
    for cell in _cells_on_board(feature, case) if feature.kind not in (Kind.SETTLEMENT, *FIELDS) else ():
        middle = Point(case.grid.centre(cell))
        if not feature.outline.contains(middle) and not _is_under_course(case, middle):
            yield Measurement(words={"cell": address(cell)})


def _is_under_course(case: PortableCase, point: Point) -> bool:
    """Return whether a course covers a point (mm on the board), with the width of a bank beside it."""
    return any(
        course.line.distance(point) < course.width / 2 + case.rules.length("bank") for course in case.find_courses()
    )


def shared_rule(number: str, *, title: str) -> GroundRule:
    """Return the rule of the share of an area that a feature covers; ``number`` is its limit."""
    return ShapeRule(
        "PW0-02",
        title,
        _measure_cover(number),
        says="{it} covers {found:.0%} of {cell}; it should cover at least {limit:.0%}",
        minimum=number,
    )


GROUND_RULES: Final[tuple[GroundRule, ...]] = (
    ShapeRule(
        clause="PW0-02", title="within its areas of the grid", measure=_measure_reach, says="{it} is outside {cells}"
    ),
    shared_rule("cover", title="share of each area that a feature covers"),
    shared_rule("cover_hill", title="share of each area that a hill covers"),
    shared_rule("cover_field", title="share of each area that fields cover"),
    shared_rule("cover_settlement", title="share of each area that a settlement covers"),
    ShapeRule(
        "PW0-02",
        "share of each area that a feature covers without rivers and roads",
        _measure_own_cover,
        says="{it} covers {found:.0%} of {cell} without rivers and roads; it should cover at least {limit:.0%}",
        minimum="cover_itself",
    ),
    ShapeRule(
        "PW0-03",
        "covers the middle of each area, except fields and settlements",
        _find_uncovered_centres,
        says="{it} does not cover the middle of {cell}",
    ),
)


def _width_rule(clause: str, *kinds: Kind) -> WidthRule:
    def measure(course: Course, _case: PortableCase) -> Iterable[Measurement]:
        return [Measurement(course.width)] if course.kind in kinds else []

    return ShapeRule(
        clause,
        "width of a road or railway, in areas",
        measure,
        maximum="one_area",
    )


# The rules of the widths of roads and railways in both versions.
WIDTH_RULES: Final[tuple[WidthRule, ...]] = (
    _width_rule("PW1-20", *ROADS),
    _width_rule("PW2-41", *ROADS),
    _width_rule("PW2-60", Kind.RAILWAY),
)

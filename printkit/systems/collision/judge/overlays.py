"""Checks of overlays for columns (CC-O01..CC-O07), and recomputed squares (CC-G02, CC-G06)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.kit.rules import Rules
from printkit.systems.collision.judge.columns import read_inputs
from printkit.systems.collision.march.columns import read_troops
from printkit.systems.collision.march.ground import (
    ENTRIES,
    Square,
    base_line,
    centre_line,
    column_box,
    column_strip,
    entry_stretch,
    landing_sides,
    shore_line,
)
from printkit.systems.collision.march.ground import build_squares as squares_by
from printkit.systems.collision.march.side_facts import planned_landings, read_armies
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.placement import Shore
from printkit.terrain.field.battlefield import Edge, Overlay


def squares_of(case: Dba3Case) -> tuple[Square, ...]:
    """Return the squares to keep clear, recomputed from each edge and from a shore along it (CC-G06)."""
    return squares_by(case.rules, case.shore)


def _is_misplaced(case: Dba3Case, shape: BaseGeometry, expected_shape: BaseGeometry) -> bool:
    """Return whether a shape is farther from its correct place than the rule book tolerates.

    Both shapes are in mm on the board.
    """
    return bool(shape.hausdorff_distance(expected_shape) > case.rules.length("drawn_bw_max"))


def check_base_lines(case: Dba3Case) -> Faults:
    """Check that base lines are the board edge, or the shore of a waterway along it (CC-O01, CC-2.9)."""
    yield from case.report_missing("base-line")
    for overlay, edge in case.find_overlays("base-line"):
        if _is_misplaced(case, overlay.shape, base_line(case.board, edge, case.shore)):
            yield Sentence("the base line of {side} is in the wrong place", side=overlay.side)


def check_centre_line(case: Dba3Case) -> Faults:
    """Check that the centre line is through the middle of the defender's edge, across the board (CC-O02)."""
    drawn_overlays = _find_overlays(case, "centre-line")
    if not drawn_overlays:
        yield Sentence("the centre line is not drawn")
    for overlay in drawn_overlays:
        if _is_misplaced(case, overlay.shape, centre_line(case.board, case.recorded_sides.defender_edge)):
            yield Sentence("the centre line is in the wrong place")


def check_first_box(case: Dba3Case) -> Faults:
    """Check the box of column 1, which is also the deployment zone of its side (CC-O03)."""
    yield from check_columns("1", column_box, case)
    yield from case.report_missing("deployment")
    for overlay, edge in case.find_overlays("deployment"):
        if _is_misplaced(case, overlay.shape, column_box(case.rules, edge, case.shore)):
            yield Sentence("column {label} of {side} is in the wrong place", label="1", side=overlay.side)


def check_columns(label: str, ground: Callable[[Rules, Edge, Shore | None], Polygon], case: Dba3Case) -> Faults:
    """Check the area of a column: width, depth and position at the centre line (CC-O03, CC-O04).

    Args:
        label: the number of the column.
        ground: returns the correct area in mm on the board, for an edge and its shore.
    """
    drawn_overlays = [(overlay, edge) for overlay, edge in case.find_overlays("column") if overlay.label == label]
    drawn_sides = {overlay.side for overlay, _ in drawn_overlays}
    missing = [side for side in case.sides if side not in drawn_sides] if case.is_same_system else []
    yield from (Sentence("column {label} of {side} is not drawn", label=label, side=side) for side in missing)
    for overlay, edge in drawn_overlays:
        if _is_misplaced(case, overlay.shape, ground(case.rules, edge, case.shore)):
            yield Sentence("column {label} of {side} is in the wrong place", label=label, side=overlay.side)


def check_entries(case: Dba3Case) -> Faults:
    """Check that entry stretches are on the base line and far enough from the side edges (CC-O05)."""
    for kind, number in ENTRIES.items():
        yield from case.report_missing(kind)
        for overlay, edge in case.find_overlays(kind):
            if _is_misplaced(
                case, overlay.shape, entry_stretch(case.rules, case.rules.length(number), edge, case.shore)
            ):
                yield Sentence("the entry stretch of {side} is in the wrong place", side=overlay.side)


def check_landings(case: Dba3Case) -> Faults:
    """Check that the landing overlay is exactly the shore, for the sides that may land (CC-O06).

    Known armies land as they plan.
    """
    drawn_overlays = [overlay for overlay in case.record.battlefield.overlays if overlay.kind == "landing"]
    shore = case.shore
    for overlay in drawn_overlays:
        if shore is None or _is_misplaced(case, overlay.shape, shore_line(case.board, shore)):
            yield Sentence("the landing shore of {side} is not a shore", side=overlay.side)
    littoral = case.home == "littoral"
    armies = read_armies(read_inputs(case.record), read_troops(case.rules))
    expected_sides = landing_sides(case.rules, littoral=littoral, planned_by_side=planned_landings(armies))
    if shore is not None and not {overlay.side for overlay in drawn_overlays}.issuperset(expected_sides):
        yield Sentence("no landing shore is drawn")


def check_squares(case: Dba3Case) -> Faults:
    """Check that every square is drawn, those of the edges with a label (CC-O07)."""
    drawn_overlays = _find_overlays(case, "keep-clear")
    for square in squares_of(case):
        matches = [overlay for overlay in drawn_overlays if not _is_misplaced(case, overlay.shape, square.ground)]
        if not matches:
            yield Sentence("{name} is not drawn", name=square.name)
        elif not square.from_shore and not any(overlay.label for overlay in matches):
            yield Sentence("{name} has no label", name=square.name)


def _find_overlays(case: Dba3Case, kind: str) -> list[Overlay]:
    """Return the overlays of a kind in the record; empty if Collision Course made the board without any.

    Raises:
        UnseenError: there are none, and the board is drawn by hand or of another rule system, for example DBA 3.
    """
    drawn_overlays = [overlay for overlay in case.record.battlefield.overlays if overlay.kind == kind]
    if not drawn_overlays and not case.is_same_system:
        raise UnseenError("the record does not draw a {kind}", kind=kind)
    return drawn_overlays


CHECKS: Final[Mapping[str, Dba3Check]] = {
    "CC-2.9": check_base_lines,
    "CC-O01": check_base_lines,
    "CC-O02": check_centre_line,
    "CC-O03": check_first_box,
    "CC-O04": partial(check_columns, "2", column_strip),
    "CC-O05": check_entries,
    "CC-O06": check_landings,
    "CC-O07": check_squares,
}

"""A record prepared for checking: rolls, zones and graph, and its features as pieces in zones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import shapely
from shapely import Polygon

from printkit.core import exact_math
from printkit.core.errors import DiceError, RecordError, ScenarioError
from printkit.kit.case import JudgedRecord
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.ground.checked_ground import CheckedGround
from printkit.systems.acw.ground.course_rules import SideCrossings, find_side_crossings
from printkit.systems.acw.terms.facts import Facts, RecordedGraph
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import CreekPath, ZoneLog, ZonePlan, zone_grid
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.systems.acw.terms.tables import Geography, Tables

# Rotations of the bounding box of a shape that are tried, in radians.
_BOX_ANGLES: Final = np.radians(np.arange(0.0, 180.0, 2.0))

# Boxes up to this factor larger than the smallest box are considered.
_BOX_TOLERANCE: Final = 1.3


def fit_box(shape: Polygon, long: tuple[float, float], short: tuple[float, float]) -> tuple[float, float, float]:
    """Return width, depth and deviation in mm of the tight box around a shape that fits two ranges best.

    The box may have any rotation; width is the side compared with ``long``, depth the one compared with ``short``. The
    deviation is how far the worse side is out of its range, 0 if both are within their range.

    Args:
        shape: the shape in mm on the board.
        long: the least and the largest long side, in mm.
        short: the least and the largest short side, in mm.
    """
    points = shapely.get_coordinates(shape.convex_hull)
    cosine, sine = exact_math.cos(_BOX_ANGLES)[:, None], exact_math.sin(_BOX_ANGLES)[:, None]
    widths = np.ptp(points[:, 0] * cosine + points[:, 1] * sine, axis=1)
    depths = np.ptp(points[:, 1] * cosine - points[:, 0] * sine, axis=1)
    deviations = np.max(
        [long[0] - widths, widths - long[1], short[0] - depths, depths - short[1], np.zeros_like(widths)], axis=0
    )
    deviations = np.where(widths * depths <= _BOX_TOLERANCE * (widths * depths).min(), deviations, np.inf)
    best = int(np.argmin(deviations))
    return float(widths[best]), float(depths[best]), float(deviations[best])


# Yields the faults against a clause; no faults mean that the record keeps the clause.
Check: TypeAlias = "Callable[[AcwCase], Faults]"


class AbsentError(UnseenError):
    """A clause does not apply: the table does not have its pieces, so all parts of its check are skipped."""


class AcwCase(JudgedRecord, frozen=True, kw_only=True, eq=False, dict=True):
    """A record to check. Zones and edges come from the board; rolls, graph and ground are checked."""

    @cached_property
    def tables(self) -> Tables:
        """Return the die tables under the settings of the record."""
        return Tables.from_rules(self.rules)

    @cached_property
    def grid(self) -> ZonePlan:
        """Return the zones of the board."""
        return zone_grid(self.rules)

    @cached_property
    def facts(self) -> Facts:
        """Return the facts in the record, without its shapes."""
        return Facts.from_record(self.record, self.rules)

    @cached_property
    def inputs(self) -> Inputs:
        """Return the lists of the scenario.

        Raises:
            RecordError: a list is not valid.
        """
        with _as_record_error():
            return Inputs.read(self.facts.inputs, self.grid)

    @cached_property
    def layout(self) -> CheckedGround:
        """Return the features on the table as pieces of the rules.

        Raises:
            RecordError: a list of the scenario is not valid.
        """
        with _as_record_error():
            profile = PieceProfile.from_rules(self.rules, self.inputs.profile)
        return CheckedGround.from_battlefield(self.record.battlefield, self.grid, profile, self.facts, self.rules)

    @cached_property
    def side_crossings(self) -> tuple[SideCrossings, ...]:
        """Return where courses cross the sides between zones."""
        return tuple(find_side_crossings(self.layout))

    @cached_property
    def geography(self) -> Geography:
        """Return the geography that the record states.

        Raises:
            UnseenError: the record does not state it.
        """
        if not self.facts.geography:
            raise UnseenError("the record does not state its geography")
        return self.tables.geography(self.facts.geography)

    @cached_property
    def zones(self) -> ZoneLog:
        """Return the rolls of the record as a log of zones.

        Raises:
            UnseenError: the record has no rolls.
        """
        if not self.facts.rolls:
            raise UnseenError("the record has no rolls")
        return ZoneLog(self.facts.rolls)

    @property
    def graph(self) -> RecordedGraph:
        """Return the network of the record.

        Raises:
            UnseenError: the record does not state it.
        """
        if self.facts.graph is None:
            raise UnseenError("the record does not state its network")
        return self.facts.graph

    @property
    def creek(self) -> CreekPath | None:
        """Return the creek across the table, or None.

        Raises:
            UnseenError: the record does not state its network.
        """
        return None if self.graph.creek is None else self.facts.creek

    @property
    def touch(self) -> float:
        """Return the largest gap, in mm on the board, at which two shapes count as touching."""
        return self.layout.touch

    def part(self, name: str) -> float:
        """Return a length of the rule book, given as a share of the zone's unit, in mm on the board."""
        return self.layout.part(name)

    def rolled_twice(self, zone: int, piece: Piece) -> bool:
        """Return whether a zone has a piece twice; always True for a record without rolls."""
        return not self.facts.rolls or self.zones.pieces(zone).count(piece) > 1


@contextmanager
def _as_record_error() -> Iterator[None]:
    """Turn a DiceError or ScenarioError in the ``with`` block into a RecordError with the same message.

    It is for reading the lists of the scenario that the record contains.

    Raises:
        RecordError: a list in the record is not valid.
    """
    try:
        yield
    except (DiceError, ScenarioError) as error:
        raise RecordError("{error}", error=error) from None


def combine_checks(*checks: Check) -> Check:
    """Return one check that runs several checks and skips those that cannot be made.

    Raises:
        UnseenError: none of the checks can be made (raised by the returned check, the error of the first one).
        AbsentError: one of the checks finds that its piece is not on the table (raised by the returned check).
    """

    def check(case: AcwCase) -> Faults:
        """Yield the faults of all checks, and skip those that cannot be made."""
        errors: list[UnseenError] = []
        for single_check in checks:
            try:
                yield from single_check(case)
            except AbsentError:
                raise
            except UnseenError as error:
                errors.append(error)
        if errors and len(errors) == len(checks):
            raise errors[0]

    return check

"""Throwing for the place of a piece, and again where the result is illegal or impossible (SD-3.3-b, AMB-16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.kit.placement import Blocked
from printkit.systems.dba.ground.pieces import Pick, Terrain
from printkit.systems.solo.terrain.laying import lay_area, lay_bua
from printkit.systems.solo.terrain.placement import Laid, Step, Table
from printkit.systems.solo.terrain.placing_courses import equal_sides, lay_river, lay_road, lay_waterway, road_sides
from printkit.terrain.field.features import Course, Feature, Origin

_MOST: Final = 200
"""Throws for one piece after which the dice are held to be at fault, not the board."""

Found = tuple[Feature, ...] | Blocked


class Result(Struct, frozen=True, kw_only=True):
    """What one throw for a piece came to: the result, the places of its dice in the log, and their clauses."""

    name: str
    throws: tuple[int, ...]
    clauses: tuple[str, ...]

    @property
    def origin(self) -> Origin:
        """Return the origin of a feature that follows this throw."""
        return Origin(clauses=self.clauses, throws=self.throws)


class Hand(Struct, frozen=True, kw_only=True):
    """One piece in hand, to be placed on the table.

    ``accept`` is what the whole board asks of the piece, where that is thrown anew for it.
    """

    table: Table
    pick: Pick
    identity: str
    accept: Callable[[BaseGeometry], bool] | None = None

    @property
    def results(self) -> tuple[str, ...]:
        """Return every result that its dice may have."""
        tables = [self.table.terms.tables[name] for name in self._tables]
        found = [tuple(dict.fromkeys(row.outcome for row in table.rows)) for table in tables]
        return found[0] if len(found) == 1 else tuple(f"{one}/{two}" for one in found[0] for two in found[1])

    def throw(self, why: str = "") -> Result:
        """Throw its dice: one, or column and row of a sector (SD-3.3.4, AMB-17)."""
        dice, tables = self.table.dice, self.table.terms.tables
        before = len(dice.log)
        names = self._tables
        again = f" again: {why}" if why else ""
        found = []
        for name, what in zip(names, ("column", "row") if len(names) > 1 else ("place",), strict=True):
            found.append(tables[name].roll(dice, f"{what} of {self.identity}{again}"))
        return Result(
            name="/".join(found),
            throws=tuple(range(before + 1, len(dice.log) + 1)),
            clauses=tuple(throw.clause for throw in dice.log[before:]),
        )

    def lay(self, result: Result) -> tuple[str, Found]:
        """Return the piece laid as a throw says, or what stands in the way; and the result with its side."""
        table, identity, name, origin = self.table, self.identity, result.name, result.origin
        match self.pick.terrain:
            case Terrain.WATERWAY:
                return name, lay_waterway(table, identity, name, origin)
            case Terrain.BUA:
                return name, lay_bua(table, identity, name, origin)
            case Terrain.RIVER:
                return name, self._accepted(lay_river(table, identity, name, origin))
            case Terrain.ROAD:
                return self._road(result)
            case _:
                return name, lay_area(table, self.pick.terrain, identity, name, origin, self.accept)

    def _road(self, result: Result) -> tuple[str, Found]:
        """Lay a road; a middle one on the side with fewer features, or on the side chosen where both have as many."""
        table, name, origin = self.table, result.name, result.origin
        sides = road_sides(table, name)
        if not sides:
            return name, self._accepted(lay_road(table, self.identity, name, origin))
        if result.throws and equal_sides(table, name, sides) and _same_free(self, name):
            named = dict(zip(_side_names(name), ("low", "high"), strict=True))
            reason = f"side of the middle line for {self.identity}"
            chosen = named[table.dice.choose(tuple(named), reason, "AMB-22", asks=True)]
            sides = (chosen, *(side for side in sides if side != chosen))
            origin = Origin(clauses=(*origin.clauses, "AMB-22"), throws=(*origin.throws, len(table.dice.log)))
        found: Found = Blocked(())
        for side in sides:
            found = self._accepted(lay_road(table, self.identity, name, origin, side))
            if not isinstance(found, Blocked):
                return f"{name}/{side}", found
        return name, found

    def _accepted(self, found: Found) -> Found:
        """Return a course as it was laid, unless the whole board would be as illegal with it as before."""
        if isinstance(found, Blocked) or self.accept is None:
            return found
        course = found[0]
        assert isinstance(course, Course)
        return found if self.accept(course.line) else Blocked((Sentence("the whole board"),))

    @property
    def _tables(self) -> tuple[str, ...]:
        match self.pick.terrain:
            case Terrain.WATERWAY | Terrain.BUA | Terrain.RIVER | Terrain.ROAD:
                return (self.pick.terrain.value,)
            case _:
                return "sector_column", "sector_row"


def settle(hand: Hand, why: str = "") -> Laid | Blocked:
    """Throw for a piece until a result can stand, or until it is known that none can.

    Args:
        why: why it is thrown for again, if it is.

    Returns:
        The piece, not yet on the table; or what stands in the way of the last result, if nothing fits at all.
    """
    table, seen, feasible, last = hand.table, dict[str, Blocked](), False, Blocked(())
    for _ in range(_MOST):
        result = hand.throw(why)
        name, found = (result.name, seen[result.name]) if result.name in seen else hand.lay(result)
        if not isinstance(found, Blocked):
            table.steps.append(_step(hand, name, found[0].origin.throws))
            origin = found[0].origin
            return Laid(
                pick=hand.pick,
                identity=hand.identity,
                result=name,
                features=found,
                throws=origin.throws,
                clauses=origin.clauses,
            )
        seen[result.name] = last = found
        why = f"{result.name} cannot be"
        table.steps.append(_step(hand, result.name, result.throws, refused=str(found)))
        if not feasible:
            feasible = _any_feasible(hand, seen)
            if not feasible:
                break
    return last


def _any_feasible(hand: Hand, seen: dict[str, Blocked]) -> bool:
    """Return whether some result not thrown yet can stand; those that cannot are noted in ``seen``."""
    for name in hand.results:
        if name in seen:
            continue
        _, found = hand.lay(Result(name=name, throws=(), clauses=()))
        if not isinstance(found, Blocked):
            return True
        seen[name] = found
    return False


def _step(hand: Hand, result: str, throws: tuple[int, ...], refused: str = "") -> Step:
    return Step(identity=hand.identity, terrain=hand.pick.terrain, result=result, throws=throws, refused=refused)


def _side_names(result: str) -> tuple[str, str]:
    return ("near", "far") if result.startswith("across") else ("left", "right")


def _same_free(hand: Hand, result: str) -> bool:
    """Return whether no road lies in that place yet, or a second one may (AMB-23)."""
    roads = hand.table.of(Terrain.ROAD)
    return hand.table.terms.readings.same_road or all(road.result.split("/")[0] != result for road in roads)

"""Checks of the terrain of Collision Course: squares, forts and cities, and overlays for columns (CC-G08).

They measure any map, for example one drawn by hand or by another system.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults
from printkit.kit.system import Verdict
from printkit.systems.collision.judge import overlays
from printkit.systems.collision.judge.columns import with_columns
from printkit.systems.collision.march.square_rules import SQUARE_RULES
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import terrain_checks
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.judge.judge import CHECKS as OF_DBA
from printkit.systems.dba3.judge.judge import judge as judge_by
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record, find_detail

# Clauses of DBA 3 about deployment zones that do not apply; only the entry stretch remains (CC-O05).
_REPLACED: Final = ("D3-57", "D3-58", "D3-59", "D3-60")

_KEPT: Final = {clause: check for clause, check in OF_DBA.items() if clause not in _REPLACED}


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book, in its order."""
    return with_columns(judge_terrain(record, book), record, book)


def judge_terrain(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book that is about terrain, in its order; columns are not checked."""
    reasons = dict.fromkeys(_REPLACED, Sentence("columns deploy differently (CC-2.1)"))
    reasons |= dict.fromkeys(("CC-1.4", "CC-G01"), Sentence("the clauses of DBA 3 are checked separately (D3-1)"))
    return judge_by(record, book, {**_KEPT, **CHECKS}, reasons)


def check_forts(case: Dba3Case) -> Faults:
    """Check that there is no fort (CC-7.1)."""
    yield from (Sentence("{town} is a fort (CC-E16)", town=town.id) for town in _towns(case, Kind.FORT))


def check_city_owner(case: Dba3Case) -> Faults:
    """Check that a city is the defender's (CC-7.2)."""
    for town in _towns(case, Kind.CITY):
        owner = _city_value(case, town, "by") or town.feature.origin.placed_by
        if owner not in ("", "defender"):
            yield Sentence("{town} was placed by the {by} (CC-E17)", town=town.id, by=owner)


def check_garrison(case: Dba3Case) -> Faults:
    """Check that a city has no garrison (CC-7.3)."""
    for town in _towns(case, Kind.CITY):
        garrison = _city_value(case, town, "garrison")
        if garrison not in ("", "none"):
            yield Sentence("{town} has a garrison: {garrison} (CC-E18)", town=town.id, garrison=garrison)


def check_towns(case: Dba3Case) -> Faults:
    """Check that there is no fort, and that a city is the defender's and has no garrison (CC-G07)."""
    yield from check_forts(case)
    yield from check_city_owner(case)
    yield from check_garrison(case)


def _towns(case: Dba3Case, kind: Kind) -> list[CheckedTerrain]:
    """Return the built-up areas of a kind, such as forts or cities."""
    return [piece for piece in case.pieces_of_type(Terrain.BUA) if piece.feature.kind is kind]


def _city_value(case: Dba3Case, town: CheckedTerrain, name: str) -> str:
    """Return a recorded value of a city, from its feature or from the details; empty if it is missing.

    ``name`` is the key of the value, for example ``garrison``.
    """
    value = case.record.properties.get(town.id, {}).get(name)
    return str(find_detail(case.details, "city", name) or "") if value is None else str(value)


# The checks of all clauses that a record can show to be broken, beyond those of DBA 3.
CHECKS: Final[Mapping[str, Dba3Check]] = {
    **terrain_checks(SQUARE_RULES),
    "CC-7.1": check_forts,
    "CC-7.2": check_city_owner,
    "CC-7.3": check_garrison,
    "CC-G05": OF_DBA["D3-39"],
    "CC-G07": check_towns,
    "CC-E16": check_forts,
    "CC-E17": check_city_owner,
    "CC-E18": check_garrison,
    **overlays.CHECKS,
}

"""Checks of the terrain of Collision Course: squares, forts and cities, and overlays for columns (CC-G08).

They measure any map, for example one drawn by hand or by another system, and do not use the generator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, UnseenError
from printkit.kit.system import Verdict
from printkit.systems.collision.judge import overlays
from printkit.systems.collision.judge.columns import with_columns
from printkit.systems.collision.judge.overlays import squares_of
from printkit.systems.collision.march.ground import Square
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.judge.judge import CHECKS as OF_DBA
from printkit.systems.dba3.judge.judge import judge as judge_by
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record, find_detail
from printkit.terrain.geometry.measure import overlap

_HARD: Final = ("rough", "bad")

# Clauses of DBA 3 about deployment zones that do not apply; only the entry stretch remains (CC-O05).
_REPLACED: Final = ("D3-57", "D3-58", "D3-59", "D3-60")

_KEPT: Final = {clause: check for clause, check in OF_DBA.items() if clause not in _REPLACED}


class Breach(Struct, frozen=True):
    """A feature in a square (CC-E30).

    Attributes:
        feature: its ID.
        going: its class.
        overlap: in square base widths.
    """

    feature: str
    going: str
    square: Square
    overlap: float

    @property
    def sentence(self) -> Sentence:
        """Return the message about a feature in a square, with the overlap in square base widths."""
        return Sentence(
            "{feature} ({going}) overlaps {square} by {overlap:.4g} BW² (CC-E30)",
            feature=self.feature,
            going=self.going,
            square=self.square.name,
            overlap=self.overlap,
        )


def judge(record: Record, book: RuleBook) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the book, in its order."""
    reasons = dict.fromkeys(_REPLACED, Sentence("columns deploy differently (CC-2.1)"))
    reasons |= dict.fromkeys(("CC-1.4", "CC-G01"), Sentence("the clauses of DBA 3 are checked separately (D3-1)"))
    return with_columns(judge_by(record, book, {**_KEPT, **CHECKS}, reasons), record, book)


def find_breaches(case: Dba3Case, *, classes: tuple[str, ...] = ()) -> Iterator[Breach]:
    """Yield every overlap of a square with forbidden ground beyond the tolerance (CC-G03, CC-G04).

    Overlaps are areas in square base widths. A feature in several squares is yielded for each.

    Args:
        case: the record.
        classes: the classes to look for: ``rough``, ``bad``, ``plough``, ``built-up area``; all if empty.
    """
    least, area = case.rules.number("breach_sqbw_least"), case.base_width_mm**2
    for piece in case.pieces:
        ground_class = class_of(case, piece)
        if not ground_class or (classes and ground_class not in classes):
            continue
        for square in squares_of(case):
            overlap_area = overlap(piece.ground, square.ground) / area
            if overlap_area > least:
                yield Breach(piece.id, ground_class, square, overlap_area)


def class_of(case: Dba3Case, piece: CheckedTerrain) -> str:
    """Return the class of a feature that is not allowed in the squares; empty if it is allowed there.

    The class is ``plough``, ``built-up area``, or the name of its going: ``rough`` or ``bad``. Rivers are allowed.
    """
    if piece.terrain is Terrain.PLOUGH:
        return "plough"
    if piece.terrain is Terrain.BUA:
        return "built-up area"
    if piece.terrain is Terrain.RIVER:
        return ""
    try:
        expected = case.surroundings.piece_rules(piece.terrain).going.name
    except UnseenError:
        # Ground of another version of DBA has no entry in these rules. The going in its record decides.
        expected = piece.feature.going.name
    return expected if expected in _HARD else ""


def squares_check(*classes: str) -> Dba3Check:
    """Return the check that no square contains ground of these classes; default: of any class.

    It is for CC-1.1, CC-1.2 and CC-G03.
    """

    def check(case: Dba3Case) -> Faults:
        """Yield a sentence for each feature of these classes in a square."""
        yield from (breach.sentence for breach in find_breaches(case, classes=classes))

    return check


def check_shore_squares(case: Dba3Case) -> Faults:
    """Check that both squares are clear on an edge with a waterway (CC-G06)."""
    edges = [case.surroundings.find_edge(water) for water in case.pieces_of_type(Terrain.WATERWAY)]
    yield from (each.sentence for each in find_breaches(case) if each.square.edge in edges)


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
    "CC-1.1": squares_check("rough", "bad"),
    "CC-1.2": squares_check("plough"),
    "CC-7.1": check_forts,
    "CC-7.2": check_city_owner,
    "CC-7.3": check_garrison,
    "CC-G03": squares_check(),
    "CC-G04": squares_check(),
    "CC-G05": OF_DBA["D3-39"],
    "CC-G06": check_shore_squares,
    "CC-G07": check_towns,
    "CC-G08": squares_check(),
    "CC-E16": check_forts,
    "CC-E17": check_city_owner,
    "CC-E18": check_garrison,
    "CC-E30": squares_check(),
    **overlays.CHECKS,
}

"""Check which clauses about rolls a table can keep, and that campaign places and edge water are on it.

A replay of the log proves what was rolled: see ``ROLL_CLAUSES`` in ``judge``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.acw.judge.case import AcwCase, Check
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, Piece
from printkit.systems.acw.terms.tables import Region


def require_part(applies: Callable[[AcwCase], bool], otherwise: Sentence) -> Check:
    """Return the check of a clause that only some tables have and that a replay of the log proves; it has no faults.

    Raises:
        UnseenError: the record has no log, or ``applies`` returns False for the case (raised by the returned check).
    """

    def check(case: AcwCase) -> Faults:
        """Yield no fault."""
        if not applies(case):
            raise UnseenError("{reason}", reason=otherwise)
        case.throws()
        yield from ()

    return check


def require_region(region: Region) -> Check:
    """Return the check of a row of the State table (AC-111..AC-121): a die was rolled for its geography."""
    reason = f"geography of {region.name}"
    return require_part(
        lambda case: any(throw.reason == reason for throw in case.dice("geography")),
        Sentence("the battle is in a different place"),
    )


def _is_location_known(case: AcwCase) -> bool:
    """Return whether the geography was known before the game, from the campaign map or a setting."""
    return bool(case.inputs.geography) or case.rules.choice("geography") != "by-state"


def check_placed_towns(case: AcwCase, *pieces: Piece) -> Faults:
    """Check AC-302: a town that the campaign marks is always in its zone."""
    for roll in case.facts.rolls:
        lost = roll.piece in pieces and roll.is_placed and not any(case.layout.in_zone(roll.zone, *pieces))
        if lost and case.layout.all_pieces:
            yield Sentence(
                "the {piece} that the campaign marks in zone {zone} is not there",
                piece=roll.piece,
                zone=roll.zone,
            )


def check_water(case: AcwCase) -> Faults:
    """Check AC-303: the water along an edge that the record states is on the table.

    Raises:
        UnseenError: the record does not state its geography.
    """
    geography, edge = case.geography, case.facts.edge_water
    if geography.water and edge is not None and case.layout.all_pieces and not any(case.layout.select(edge.piece)):
        yield Sentence("the {piece} along {edge} is not on the table", piece=edge.piece.value, edge=edge.edge)


_ROLLED_LOCATION: Final = require_part(
    lambda case: not _is_location_known(case), Sentence("no die was rolled for the geography")
)
_CREEK: Final = require_part(lambda case: case.facts.creek is not None, Sentence("no creek crosses the table"))

# The checks of geography, water and zones by clause.
CHECKS: Final[Mapping[str, Check]] = {
    "AC-101": require_part(_is_location_known, Sentence("the geography was not known")),
    **dict.fromkeys(("AC-103", "AC-110", "AC-D1"), _ROLLED_LOCATION),
    **dict.fromkeys(("AC-301", "AC-302"), lambda case: check_placed_towns(case, *CAMPAIGN_PLACES)),
    **dict.fromkeys(("AC-303", "AC-304"), check_water),
    **dict.fromkeys(("AC-305", "AC-306", "AC-D2", "AC-D5"), _CREEK),
    **{
        f"AC-40{number}": require_part(
            partial(lambda number, case: case.geography.rolls.number == number, number),
            Sentence("the battle has a different geography"),
        )
        for number in range(1, 9)
    },
}

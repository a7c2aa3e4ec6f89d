"""The strength of an army: twelve elements with its general, whatever of its options is taken."""

from __future__ import annotations

from typing import Final

from printkit.core.errors import Sentence, joined
from printkit.systems.solo.armies.army import Army
from printkit.systems.solo.armies.army_text import Part
from printkit.systems.solo.armies.force import STRENGTH

MOST_COMBINATIONS: Final = 10_000

_SHOWN: Final = 3
"""Wrong combinations that an error names; the others it counts."""


def check_strength(whole: Part, army: Army) -> None:
    """Refuse an army of which some combination has not twelve elements, and one with more than can be looked at."""
    if army.ways > MOST_COMBINATIONS:
        raise whole.wrong(
            "its options make {ways} armies; {most_combinations} at most are looked at, so take some "
            'apart or choose for more elements together with mode = "block"',
            ways=army.ways,
            most_combinations=MOST_COMBINATIONS,
        )
    wrong = [one for one in army.combinations() if len(one) != STRENGTH]
    if not wrong:
        return
    if army.ways == 1:
        raise whole.wrong(
            "{count} elements with the general's; an army has {strength}", count=len(wrong[0]), strength=STRENGTH
        )
    shown = joined(
        (
            Sentence(
                "{count} with {slots}, general {general}",
                count=len(one),
                slots=", ".join(str(bundle) for slot in one.slots for bundle in slot),
                general=one.general,
            )
            for one in wrong[:_SHOWN]
        ),
        "; ",
    )
    more = Sentence("; and {count} more", count=len(wrong) - _SHOWN) if len(wrong) > _SHOWN else ""
    raise whole.wrong(
        "{count} of its {ways} combinations have not {strength} elements with the general's: {shown}{more}",
        count=len(wrong),
        ways=army.ways,
        strength=STRENGTH,
        shown=shown,
        more=more,
    )

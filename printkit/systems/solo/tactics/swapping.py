"""Bad match-ups, and the exchange of up to two pairs that a defending NPG may make (SD-4.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from printkit.systems.solo.armies.procedures import number
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.tactics_tables import tactics

AUTO: Final = "auto"
NONE: Final = "none"

Swap = tuple[int, int]
"""The numbers, from 1, of two pairs whose NPG elements change places."""


class FacingPair(Struct, frozen=True, kw_only=True):
    """An element of the NPG and YOURS opposite, by type; ``open`` unless bad or impassable ground parts them."""

    npg: str
    you: str
    open: bool = True

    @property
    def bad_for_npg(self) -> str:
        """Return the clause by which it is bad for the NPG, or nothing."""
        return tactics().bad(self.npg, self.you) if self.open else ""

    @property
    def bad_for_you(self) -> str:
        """Return the clause by which it is bad for YOU, or nothing."""
        return tactics().bad(self.you, self.npg) if self.open else ""


def score(pairs: Sequence[FacingPair]) -> int:
    """Return open pairs that are bad for YOU less those bad for the NPG (AMB-40)."""
    return sum(bool(pair.bad_for_you) - bool(pair.bad_for_npg) for pair in pairs)


def swapped(pairs: Sequence[FacingPair], swaps: Sequence[Swap]) -> tuple[FacingPair, ...]:
    """Return the line after its NPG elements have changed places."""
    types = [pair.npg for pair in pairs]
    for one, other in swaps:
        types[one - 1], types[other - 1] = types[other - 1], types[one - 1]
    return tuple(FacingPair(npg=kind, you=pair.you, open=pair.open) for kind, pair in zip(types, pairs, strict=True))


def best_swaps(pairs: Sequence[FacingPair]) -> tuple[Swap, ...]:
    """Return the exchange with the best score: of equals the one with the fewest swaps, then the leftmost (AMB-40)."""
    return min(_sets(len(pairs)), key=lambda swaps: (-score(swapped(pairs, swaps)), len(swaps), swaps))


def swap_aid(pairs: Sequence[FacingPair], settings: Mapping[str, str]) -> Step:
    """Return the proposal for the defender's swap, which the person decides (SD-4.8-a), or which is made (AMB-40)."""
    swaps = best_swaps(pairs)
    made = swapped(pairs, swaps)
    before = [clause for pair in pairs for clause in (pair.bad_for_npg, pair.bad_for_you) if clause]
    return Step(
        clause="SD-4.8-a",
        title="npg.battle.step.swap",
        inputs={
            "line": [f"{pair.npg}:{pair.you}{'' if pair.open else ' (closed)'}" for pair in pairs],
            "score_before": score(pairs),
            "score_after": score(made),
            "match_ups": before,
            "after": [f"{pair.npg}:{pair.you}" for pair in made],
        },
        total=score(made),
        row="SD-4.8-c",
        result=" ".join(f"{one}-{other}" for one, other in swaps) or NONE,
        needs_person="" if settings.get("swap") == AUTO else "npg.battle.person.swap",
    )


def _sets(length: int) -> Iterator[tuple[Swap, ...]]:
    """Yield every set of no, one, or more disjoint swaps, as many as the rule book allows."""
    every = list(combinations(range(1, length + 1), 2))
    for many in range(number("swaps") + 1):
        for chosen in combinations(every, many):
            if len({place for swap in chosen for place in swap}) == 2 * many:
                yield chosen

"""The judge's own way through the dice of optional pieces: who is ahead, who ties, and who throws again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence


class _AgainError(Exception):
    """Everybody throws again."""


class Ranking:
    """Candidates in the order of their table, and where their dice are read.

    Args:
        able: the type of each candidate.
        added: what is added to the die of a type.
        read: returns the die of a reason, or notes the fault of a clause.
        again_all: after a tie that decides all throw again (AMB-13).
    """

    def __init__(
        self,
        able: Sequence[str],
        added: Mapping[str, int],
        read: Callable[[str, str], int],
        *,
        again_all: bool,
    ) -> None:
        self._able = able
        self._added = added
        self._read = read
        self._again_all = again_all

    def taken(self, places: int, first: Collection[str]) -> list[str]:
        """Return the types that come in, one of ``first`` before all others if there is any."""
        clause = "SD-3.2.3-a"
        while True:
            scores = {place: self._score(place, clause) for place in range(len(self._able))}
            try:
                led = self._ahead({p: s for p, s in scores.items() if self._able[p] in first}, 1) if first else []
                rest = {place: score for place, score in scores.items() if place not in led}
                return [self._able[place] for place in (*led, *self._ahead(rest, places - len(led)))]
            except _AgainError:
                clause = "SD-3.2.3-e"

    def _ahead(self, scores: Mapping[int, int], places: int) -> list[int]:
        """Return who takes the places: level by level, the highest first."""
        found: list[int] = []
        for level in sorted(set(scores.values()), reverse=True):
            here = [place for place, score in sorted(scores.items()) if score == level]
            free = places - len(found)
            if free <= 0:
                break
            if len(here) <= free or len({self._able[place] for place in here}) == 1:
                found += here[:free]
            elif self._again_all:
                raise _AgainError
            else:
                found += self._ahead({place: self._score(place, "SD-3.2.3-e") for place in here}, free)
        return found

    def _score(self, place: int, clause: str) -> int:
        name = self._able[place]
        number = 1 + sum(other == name for other in self._able[:place])
        which = f" {number}" if list(self._able).count(name) > 1 else ""
        die = self._read(f"optional {name.replace('_', ' ')}{which}", clause)
        return die + self._added.get(name, 0)

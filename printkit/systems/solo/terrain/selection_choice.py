"""Choosing the optional pieces: a die for every piece that may come, the highest are in, ties dice again (SD-3.2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from printkit.chance.dice import Dice
from printkit.systems.dba.ground.pieces import Terrain


class Candidate(Struct, frozen=True, kw_only=True):
    """A piece that may come: what is added to its die (SD-3.2.3-b), and whether it is of a required kind (-c)."""

    terrain: Terrain
    added: int = 0
    required: bool = False


class Choice(Struct, frozen=True, kw_only=True):
    """What came in, in the order chosen; the totals of all candidates, and every die in the order thrown."""

    chosen: tuple[Terrain, ...]
    scores: tuple[int, ...]
    dice: tuple[int, ...]


def choose(
    candidates: Sequence[Candidate], places: int, dice: Dice, *, required: bool, again_all: bool = False
) -> Choice:
    """Return which candidates come in.

    Args:
        candidates: in the order of the topography table, which is that of their dice.
        places: how many come in; fewer where there are not so many.
        dice: a die is thrown for each, and again for those whose tie decides.
        required: the best candidate of a required kind comes first (SD-3.2.3-c).
        again_all: after a tie that decides, all are thrown anew and not the tied ones alone (AMB-13).
    """
    return _Choosing(tuple(candidates), dice, again_all).run(places, required=required)


class _TieError(Exception):
    """A tie decides, and everything is to be thrown anew."""


class _Choosing:
    def __init__(self, candidates: tuple[Candidate, ...], dice: Dice, again_all: bool) -> None:
        self._candidates = candidates
        self._dice = dice
        self._again_all = again_all
        self._thrown: list[int] = []

    def run(self, places: int, *, required: bool) -> Choice:
        clause = "SD-3.2.3-a"
        while True:
            scores = self._throw(range(len(self._candidates)), clause)
            try:
                chosen = self._first(scores, places, required=required)
                rest = [place for place in scores if place not in chosen]
                chosen += self._best(rest, scores, places - len(chosen))
            except _TieError:
                clause = "SD-3.2.3-e"
                continue
            return Choice(
                chosen=tuple(self._candidates[place].terrain for place in chosen),
                scores=tuple(scores.values()),
                dice=tuple(self._thrown),
            )

    def _first(self, scores: Mapping[int, int], places: int, *, required: bool) -> list[int]:
        """Return the best of the required kinds, if the field still lacks one (SD-3.2.3-c)."""
        able = [place for place in scores if self._candidates[place].required]
        return self._best(able, scores, min(1, places)) if required else []

    def _best(self, able: Sequence[int], scores: Mapping[int, int], places: int) -> list[int]:
        """Return the highest of some candidates; those whose tie decides who gets in are thrown again (SD-3.2.3-e)."""
        ranked = sorted(able, key=lambda place: (-scores[place], place))
        if len(ranked) <= places or places <= 0:
            return ranked[: max(0, places)]
        line = scores[ranked[places - 1]]
        above = [place for place in ranked if scores[place] > line]
        tied = [place for place in ranked if scores[place] == line]
        if len(above) + len(tied) == places or len({self._candidates[place].terrain for place in tied}) == 1:
            return ranked[:places]
        if self._again_all:
            raise _TieError
        return above + self._best(tied, self._throw(sorted(tied), "SD-3.2.3-e"), places - len(above))

    def _throw(self, places: Sequence[int] | range, clause: str) -> dict[int, int]:
        """Throw a die for each of these candidates in the order of the table and return their totals."""
        found = {}
        for place in places:
            candidate = self._candidates[place]
            score = self._dice.d6(f"optional {self._named(place)}", clause)
            self._thrown.append(score)
            found[place] = score + candidate.added
        return found

    def _named(self, place: int) -> str:
        """Return what a candidate is called in the log: its type, with a number where there are two of it."""
        own = self._candidates[place].terrain
        same = [other for other, candidate in enumerate(self._candidates) if candidate.terrain is own]
        number = f" {same.index(place) + 1}" if len(same) > 1 else ""
        return own.value.replace("_", " ") + number

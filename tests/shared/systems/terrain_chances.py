"""Exact chances of the selection of terrain, as fractions: built-up area, second pieces, numbers, sets of features.

Nothing is thrown here. Chances of a set are worked out score by score, the highest first, so that nine candidates take
no longer than four; ties that decide are thrown again as in the game, however often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from printkit.chance.tables import DieTable
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.armies.steps import sum_modifiers
from printkit.systems.solo.terrain.selection import TWO, Candidate, list_candidates
from printkit.systems.solo.terrain.topography import EitherPair, SelectionCase, find_modifiers

FACES: Final = range(1, 7)

Set: TypeAlias = tuple[Terrain, ...]
"""Pieces regardless of their order: sorted by name, a type as often as it comes."""

_Key = TypeVar("_Key")

_Counts: TypeAlias = tuple[int, ...]
"""How many of each sort of candidates, in the order of the sorts."""
_Chances: TypeAlias = dict[_Counts, Fraction]
_Weight: TypeAlias = int | Fraction
"""In how many ways dice can fall; a part of them where a tie is settled by dice thrown again."""


def faces(table: DieTable[str], added: int) -> Mapping[str, tuple[int, ...]]:
    """Return by the outcome of a table the faces of the die that give it once the modifiers are added."""
    found: dict[str, tuple[int, ...]] = {row.outcome: () for row in table.rows}
    for face in FACES:
        found[table.row(face + added).outcome] += (face,)
    return found


def faces_for(table: str, case: SelectionCase, compulsory: Sequence[PiecePick] = ()) -> Mapping[str, tuple[int, ...]]:
    """Return the faces of the die for each outcome of ``compulsory``, ``second_piece`` or ``optional``."""
    return faces(case.rules.outcomes(table), sum_modifiers(find_modifiers(table, case, compulsory)))


def chance_of(table: str, outcome: str, case: SelectionCase, compulsory: Sequence[PiecePick] = ()) -> Fraction:
    """Return the chance of one outcome of such a table."""
    return Fraction(len(faces_for(table, case, compulsory)[outcome]), len(FACES))


def compulsory_chances(case: SelectionCase) -> Mapping[tuple[PiecePick, ...], Fraction]:
    """Return the chance of each set of compulsory pieces."""
    found: dict[tuple[PiecePick, ...], Fraction] = {}
    offered = case.tables.compulsory_types(case.home)
    for feature in offered:
        chance = chance_of("compulsory", feature.value, case) if len(offered) > 1 else Fraction(1)
        one = PiecePick(feature, compulsory=True)
        second = Fraction(0)
        if case.tables.pieces[feature].doubled:
            second = chance_of("second_piece", TWO, case, (one,))
        for pieces, share in (((one,), 1 - second), ((one, one), second)):
            if chance * share:
                found[pieces] = chance * share
    return found


def optional_chances(case: SelectionCase, compulsory: Sequence[PiecePick]) -> Mapping[Set, Fraction]:
    """Return the chance of each set of optional pieces, given the compulsory ones."""
    found: dict[Set, Fraction] = {}
    for offered, chance in _offered(case):
        able = list_candidates(case, compulsory, offered)
        for outcome in (row.outcome for row in case.rules.outcomes("optional").rows):
            share = chance * chance_of("optional", outcome, case, compulsory)
            if share:
                chances = set_chances(able, int(outcome), required=case.tables.lacks_required(compulsory))
                for chosen, part in chances.items():
                    _add(found, chosen, share * part)
    return found


def field_chances(case: SelectionCase) -> Mapping[tuple[tuple[PiecePick, ...], Set], Fraction]:
    """Return the chance of each field: its compulsory pieces, and its set of optional ones."""
    return {
        (compulsory, chosen): chance * part
        for compulsory, chance in compulsory_chances(case).items()
        for chosen, part in optional_chances(case, compulsory).items()
    }


def set_chances(able: Sequence[Candidate], places: int, *, required: bool) -> Mapping[Set, Fraction]:
    """Return the chance of each set of pieces that can come in (SD-3.2.3-a..e); as ``choose`` throws for them."""
    counted = Counter(able)
    sorts = tuple(counted)
    drawing = _Drawing(sorts)
    chances = drawing.chances(tuple(counted[sort] for sort in sorts), min(places, len(able)), first=required)
    found: dict[Set, Fraction] = {}
    for counts, chance in chances.items():
        pieces = [sort.terrain for sort, count in zip(sorts, counts, strict=True) for _ in range(count)]
        _add(found, tuple(sorted(pieces)), chance)
    return found


def _offered(case: SelectionCase) -> Iterator[tuple[tuple[Terrain, ...], Fraction]]:
    """Yield the types that may come with their chances: each littoral pair leaves one, by the army file or by dice."""
    offered = case.tables.optional_types(case.home)
    if case.home is not Home.LITTORAL:
        yield offered, Fraction(1)
        return
    ways = [_kept(pair, case) for pair in case.tables.pairs]
    dropped = {terrain for pair in case.tables.pairs for terrain in pair.types}
    for kept in product(*ways):
        own = tuple(terrain for terrain in offered if terrain in kept or terrain not in dropped)
        yield own, Fraction(1, 1) / prod(map(len, ways))


def _kept(pair: EitherPair, case: SelectionCase) -> tuple[Terrain, ...]:
    suits = str(getattr(case.defender.pairs, pair.key))
    return pair.types if suits not in [terrain.value for terrain in pair.types] else (Terrain(suits),)


class _Field(Struct, frozen=True):
    """How far the scores have been gone through: candidates still to come, those in, and the places that are left.

    ``first`` says that one of the places is kept for a candidate of a required kind.
    """

    left: _Counts
    taken: _Counts
    places: int
    first: bool


class _Drawing:
    """The chances of who comes in, for candidates of these sorts."""

    def __init__(self, sorts: Sequence[Candidate]) -> None:
        self._sorts = sorts
        self._none: _Counts = (0,) * len(sorts)
        self._classes = tuple(dict.fromkeys(_class_of(sort) for sort in sorts))
        self._scores = range(6 + max((sort.modifier for sort in sorts), default=0), 0, -1)
        self._merged: _Drawing | None = None
        self._known: dict[tuple[_Counts, int, bool], _Chances] = {}

    def chances(self, able: _Counts, places: int, *, first: bool = False) -> _Chances:
        """Return the chance of each way in which so many candidates take the places."""
        first = first and any(count and sort.required for count, sort in zip(able, self._sorts, strict=True))
        if sum(able) <= places or places <= 0 or self._alike(able):
            return {self._some(able, places): Fraction(1)}
        key = (able, places, first)
        if key not in self._known:
            self._known[key] = self._gone_through(_Field(able, self._none, places, first))
        return self._known[key]

    def _gone_through(self, start: _Field) -> _Chances:
        """Return the chances, those of a throw that settles nothing taken out: such a throw is made again."""
        if len(self._classes) < len(self._sorts):
            return self._by_class(start)
        states: dict[_Field, _Weight] = {start: 1}
        found: dict[_Counts, _Weight] = {}
        for score in (*self._scores, *self._under()):
            below: dict[_Field, _Weight] = {}
            for field, ways in states.items():
                for after, more in self._at(field, score, start):
                    if after.places == 0:
                        rest = self._below(after.left, score)
                        found[after.taken] = found.get(after.taken, 0) + ways * more * rest
                    else:
                        below[after] = below.get(after, 0) + ways * more
            states = below
        settled = sum(found.values())
        return {counts: Fraction(ways) / settled for counts, ways in found.items() if ways}

    def _by_class(self, start: _Field) -> _Chances:
        """Return the chances by classes of sorts that fare alike: within one, each candidate is as likely as any other.

        That holds because only ties that decide are thrown again, and by those who tie.
        """
        if self._merged is None:
            alike = {own: next(sort for sort in self._sorts if _class_of(sort) == own) for own in self._classes}
            self._merged = _Drawing(tuple(alike.values()))
        own = [
            tuple(count if _class_of(sort) == one else 0 for count, sort in zip(start.left, self._sorts, strict=True))
            for one in self._classes
        ]
        sizes = tuple(sum(counts) for counts in own)
        found: _Chances = {}
        for numbers, chance in self._merged.chances(sizes, start.places, first=start.first).items():
            parts = [_shares(counts, number) for counts, number in zip(own, numbers, strict=True)]
            for way in product(*(part.items() for part in parts)):
                taken, share = self._none, chance
                for counts, part_share in way:
                    taken, share = _sum(taken, counts), share * part_share
                _add(found, taken, share)
        return found

    def _at(self, field: _Field, score: int, start: _Field) -> Iterator[tuple[_Field, _Weight]]:
        """Yield what one score leaves, and in how many ways; a throw that is made again is left out."""
        for thrown, ways in self._throwing(field.left):
            if any(
                count and not 1 <= score - sort.modifier <= 6 for count, sort in zip(thrown, self._sorts, strict=True)
            ):
                continue
            rest = _difference(field.left, thrown)
            for best, share in self._firsts(field, thrown):
                others = _difference(thrown, best)
                led = any(best)
                places = field.places - led
                first = field.first and not led
                for more, part in self._fills(others, places - first, start):
                    taken = _sum(_sum(field.taken, best), more)
                    after = _Field(rest, taken, places - sum(more), first)
                    yield self._slimmed(after, score, ways * share * part)

    def _slimmed(self, field: _Field, score: int, ways: _Weight) -> tuple[_Field, _Weight]:
        """Return a field without those who come too late, once only a required one is missing: their dice are free."""
        if not field.first or field.places > 1:
            return field, ways
        late = tuple(0 if sort.required else count for count, sort in zip(field.left, self._sorts, strict=True))
        return replace(field, left=_difference(field.left, late)), ways * self._below(late, score)

    def _below(self, left: _Counts, score: int) -> int:
        """Return in how many ways the dice of these candidates can fall under a score."""
        sorts = zip(left, self._sorts, strict=True)
        return prod(max(0, min(6, score - 1 - sort.modifier)) ** count for count, sort in sorts)

    def _firsts(self, field: _Field, thrown: _Counts) -> Iterator[tuple[_Counts, _Weight]]:
        """Yield who comes in as the best of a required kind at this score, or nobody (SD-3.2.3-c)."""
        able = tuple(
            count if sort.required and field.first else 0 for count, sort in zip(thrown, self._sorts, strict=True)
        )
        if not any(able):
            yield self._none, 1
        elif self._alike(able):
            yield self._some(able, 1), 1
        else:
            yield from self.chances(able, 1).items()

    def _fills(self, others: _Counts, free: int, start: _Field) -> Iterator[tuple[_Counts, _Weight]]:
        """Yield who takes the free places at one score; ties that decide are thrown again (SD-3.2.3-d, -e)."""
        if sum(others) <= free or free <= 0 or self._alike(others):
            yield self._some(others, free), 1
        elif (others, free, False) != (start.left, start.places, start.first):
            yield from self.chances(others, free).items()

    def _throwing(self, left: _Counts) -> Iterator[tuple[_Counts, int]]:
        """Yield how many of each sort may have the same score, and in how many ways."""
        for thrown in product(*(range(number + 1) for number in left)):
            yield thrown, prod(map(comb, left, thrown))

    def _under(self) -> range:
        """Return the totals under 1 that a modifier makes."""
        return range(0, min((sort.modifier for sort in self._sorts), default=0), -1)

    def _alike(self, counts: _Counts) -> bool:
        return sum(1 for count in counts if count) <= 1

    def _some(self, counts: _Counts, places: int) -> _Counts:
        """Return all of these candidates, or as many as there are places where they are of one sort."""
        return tuple(min(count, max(0, places)) for count in counts) if sum(counts) > places else counts


def _class_of(sort: Candidate) -> tuple[int, bool]:
    return sort.modifier, sort.required


def _add(chances: dict[_Key, Fraction], key: _Key, chance: Fraction) -> None:
    chances[key] = chances.get(key, Fraction(0)) + chance


def _shares(able: _Counts, places: int) -> _Chances:
    """Return the chances where every candidate is as likely as any other."""
    whole = comb(sum(able), places)
    found = {}
    for taken in product(*(range(min(count, places) + 1) for count in able)):
        if sum(taken) == places:
            found[taken] = Fraction(prod(map(comb, able, taken)), whole)
    return found


def _sum(one: _Counts, other: _Counts) -> _Counts:
    return tuple(first + second for first, second in zip(one, other, strict=True))


def _difference(one: _Counts, other: _Counts) -> _Counts:
    return tuple(first - second for first, second in zip(one, other, strict=True))

"""Check the terrain selection: recount its dice from the armies, and rank candidates with all ties.

The recount reads the log from front to back. If the log departs from the rules, that is a fault of the clause at that
point, and the rest of the log is not checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec import Struct, field

from printkit.chance.dice import Throw
from printkit.chance.tables import DieRow
from printkit.core.errors import Sentence
from printkit.kit.case import score
from printkit.kit.checks import Faults, UnseenError, combine_checks, ignoring_hand_edits
from printkit.systems.dba.ground.legal import PiecePick, Terrain
from printkit.systems.solo.armies.force import Force, Home, Side
from printkit.systems.solo.armies.game_armies import ATTACKER
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sum_modifiers
from printkit.systems.solo.judge.case import Check, SoloCase
from printkit.systems.solo.judge.field import cover
from printkit.systems.solo.terrain.selection import TWO
from printkit.systems.solo.terrain.told import (
    RecordedPiece,
    RecordedStep,
    read_dropped_ids,
    read_enum,
    read_recorded_force,
    read_steps,
)
from printkit.systems.solo.terrain.topography import SelectionCase, find_modifiers

# The member of a record with the inputs other than settings.
_INPUTS: Final = "inputs"

# --- Dice of optional pieces, ranked independently by the checker: leaders, ties and re-rolls -------------------------


class Candidates(Struct, frozen=True, kw_only=True):
    """Candidates in the order of their table, with access to their dice.

    ``able`` has the type of each candidate, ``added`` the modifier of each type. ``read`` returns the next die for a
    reason; if the log has another die, it adds a fault of the given clause.
    """

    able: Sequence[Terrain]
    added: Mapping[Terrain, int]
    read: Callable[[str, str], int]

    def taken(self, places: int, first: Collection[Terrain]) -> list[Terrain]:
        """Return the selected types. If ``first`` has types, one of them comes before all others."""
        scores = {place: self._score(place, "SD-3.2.3-a") for place in range(len(self.able))}
        led = self._ahead({p: s for p, s in scores.items() if self.able[p] in first}, 1) if first else []
        rest = {place: score for place, score in scores.items() if place not in led}
        return [self.able[place] for place in (*led, *self._ahead(rest, places - len(led)))]

    def _ahead(self, scores: Mapping[int, int], places: int) -> list[int]:
        """Return the indices of the winning candidates, highest score first. Another die decides a tie."""
        found: list[int] = []
        for level in sorted(set(scores.values()), reverse=True):
            here = [place for place, score in sorted(scores.items()) if score == level]
            free = places - len(found)
            if free <= 0:
                break
            if len(here) <= free or len({self.able[place] for place in here}) == 1:
                found += here[:free]
            else:
                found += self._ahead({place: self._score(place, "SD-3.2.3-e") for place in here}, free)
        return found

    def _score(self, place: int, clause: str) -> int:
        name = self.able[place]
        number = 1 + sum(other == name for other in self.able[:place])
        which = f" {number}" if list(self.able).count(name) > 1 else ""
        die = self.read(f"optional {name.replace('_', ' ')}{which}", clause)
        return die + self.added.get(name, 0)


# The clauses that are recounted.
CLAUSES: Final = (
    "SD-3.1-a", "SD-3.1.1-a", "SD-3.1.1-b", "SD-3.1.1-r1", "SD-3.1.1-r2", "SD-3.1.1-m1", "SD-3.1.1-m2", "SD-3.1.1-m3",
    "SD-3.1.1-m4", "SD-3.1.2-a", "SD-3.1.2-m1", "SD-3.1.2-r1", "SD-3.2.1-a", "SD-3.2.1-r1", "SD-3.2.1-r2",
    "SD-3.2.1-m1", "SD-3.2.1-m2", "SD-3.2.1-m3", "SD-3.2.1-m4", "SD-3.2.1-m5", "SD-3.2.2-a", "SD-3.2.2-b",
    "SD-3.2.3-a", "SD-3.2.3-b", "SD-3.2.3-c", "SD-3.2.3-d", "SD-3.2.3-e", "AMB-11", "AMB-13",
)  # fmt: skip


class _OffTrackError(Exception):
    """The log does not continue as the rules require."""


class _Recount(Struct):
    """A recount in progress: the dice not read yet, and the faults so far by clause."""

    case: SoloCase
    selection: SelectionCase
    steps: tuple[RecordedStep, ...]
    left: list[Throw]
    faults: dict[str, list[str]] = field(default_factory=dict)

    def wrong(self, template: str, clause: str, /, **values: object) -> None:
        """Add a fault of a clause."""
        self.faults.setdefault(clause, []).append(Sentence(template, **values))

    def score(self, reason: str, clause: str) -> int:
        """Return the score of the next die; stop the recount with a fault if it is for another reason."""
        throw = self.left.pop(0) if self.left else None
        if throw is None or throw.reason != reason:
            self.wrong(
                "the log has {found} where {reason} is due",
                clause,
                found=throw.reason if throw else Sentence("no die"),
                reason=reason,
            )
            raise _OffTrackError
        return score(throw)

    def run(self) -> None:
        """Recount every step of the selection."""
        picked = self._second(self._compulsory())
        places = self._number(picked)
        self._choice(picked, places, self._offered())
        if self.left:
            self.wrong("the log has {reason} after everything was selected", "SD-3.2.3-a", reason=self.left[0].reason)

    def _compulsory(self) -> Terrain:
        country, home = self.selection.tables, self.selection.home
        told, offered = sorted({piece.terrain for piece in self._told(compulsory=True)}), country.compulsory_types(home)
        if len(offered) > 1:
            row = self._thrown("compulsory", "compulsory feature", "SD-3.1.1-b")
            expected, clause = Terrain(row.outcome), row.clause
        else:
            several = len(country.topographies[home].compulsory) > 1
            expected, clause = offered[0], "SD-3.1.1-a" if several else "SD-3.1-a"
        if told != [expected]:
            self.wrong(
                "{expected} is compulsory, but the record has {told}",
                clause,
                expected=expected.value,
                told=", ".join(told) or Sentence("nothing"),
            )
            raise _OffTrackError
        return expected

    def _second(self, terrain: Terrain) -> list[PiecePick]:
        told = [PiecePick(piece.terrain, compulsory=True) for piece in self._told(compulsory=True)]
        doubled, count = self.selection.tables.pieces[terrain].doubled, 1
        if doubled:
            row = self._thrown("second_piece", "second compulsory piece", "SD-3.1.2-a", told[:1])
            count = 2 if row.outcome == TWO else 1
        if len(told) != count:
            clause = "SD-3.1.2-r1" if doubled else "SD-3.1.2-a"
            self.wrong("{told} compulsory features; the dice give {count}", clause, told=len(told), count=count)
            raise _OffTrackError
        return told

    def _number(self, picked: Sequence[PiecePick]) -> int:
        row = self._thrown("optional", "number of optional features", "SD-3.2.1-a", picked)
        told = len(self._told(compulsory=False))
        if told != int(row.outcome):
            self.wrong("{told} optional features; the dice give {places}", row.clause, told=told, places=row.outcome)
        return int(row.outcome)

    def _offered(self) -> list[Terrain]:
        """Return the available types; the army file or dice leave one type of each littoral pair."""
        found = list(self.selection.tables.optional_types(self.selection.home))
        if self.selection.home is not Home.LITTORAL:
            return found
        for pair in self.selection.tables.pairs:
            one, other = pair.types
            names = f"{one} or not".replace("_", " "), f"{other} or not".replace("_", " ")
            if self.left and self.left[0].reason == names[0]:
                scores = 0, 0
                while scores[0] == scores[1]:
                    scores = self.score(names[0], pair.clause), self.score(names[1], pair.clause)
                kept = one if scores[0] > scores[1] else other
            else:
                suits = next((step.army for step in self.steps if step.title.endswith(pair.key)), "")
                if suits not in pair.types:
                    self.wrong(
                        "neither the dice nor the army decide between {one} and {other}",
                        pair.clause,
                        one=one,
                        other=other,
                    )
                    raise _OffTrackError
                kept = Terrain(suits)
            left_out = other if kept == one else one
            found.remove(left_out)
            if left_out in {piece.terrain for piece in self._told(compulsory=False)}:
                self.wrong("the board has {other}, which {kept} excludes", pair.clause, other=left_out, kept=kept)
        return found

    def _choice(self, picked: Sequence[PiecePick], places: int, offered: Sequence[Terrain]) -> None:
        country = self.selection.tables
        able = country.list_candidates(offered, picked)
        applied = find_modifiers("candidate", self.selection) if Terrain.WATERWAY in offered else ()
        self._states("SD-3.2.3-a", applied)
        ranking = Candidates(able=able, added={Terrain.WATERWAY: sum_modifiers(applied)}, read=self.score)
        required = {name for name in able if country.is_required(name)}
        first = required if country.lacks_required(picked) else set()
        expected = ranking.taken(places, first)
        told = [piece.terrain for piece in self._told(compulsory=False)]
        if Counter(told) != Counter(expected):
            lacking = first and not any(name in required for name in told)
            less = sum_modifiers(applied) and Terrain.WATERWAY in told
            clause = "SD-3.2.3-c" if lacking else "SD-3.2.3-b" if less else "SD-3.2.3-d"
            chosen, has = ", ".join(expected), ", ".join(told)
            self.wrong("the dice choose {expected}; the record has {told}", clause, expected=chosen, told=has)

    def _thrown(self, table: str, reason: str, clause: str, compulsory: Sequence[PiecePick] = ()) -> DieRow[str]:
        """Return the row of a die table for the next die, and compare its modifiers with the recorded ones."""
        applied = find_modifiers(table, self.selection, compulsory)
        self._states(clause, applied)
        return self.case.rules.outcomes(table).row(self.score(reason, clause) + sum_modifiers(applied))

    def _states(self, step: str, applied: Sequence[AppliedModifier]) -> None:
        for told in self.steps:
            for each in applied if told.clause == step else ():
                on, found = each.state is ModifierState.ON, told.counts.get(each.clause, False)
                if on and not found:
                    self.wrong("it counts, but the record says that it does not", each.clause)
                elif found and not on:
                    self.wrong("it does not count, but the record says that it does", each.clause)

    def _told(self, *, compulsory: bool) -> list[RecordedPiece]:
        return [piece for piece in self.case.told if piece.is_compulsory is compulsory]


def on_the_board(case: SoloCase) -> Faults:
    """Check that the board has exactly the selected pieces, except those left out (SD-3.2.3-d)."""
    there, left_out = {piece.id: piece.terrain for piece in case.pieces}, read_dropped_ids(case.detail("terrain"))
    for told in case.told:
        if told.id in there and there.pop(told.id) is not told.terrain:
            yield Sentence("{piece} is not {terrain}", piece=told.id, terrain=told.terrain.value)
        elif not told.result and told.id not in left_out:
            yield Sentence("{piece} has no place, and the record does not say why it was left out", piece=told.id)
        elif told.result and told.id not in {piece.id for piece in case.pieces}:
            yield Sentence("{piece} was placed but is not on the board", piece=told.id)
    for name in there:
        yield Sentence("{piece} is on the board but was not selected", piece=name)


def force_of(case: SoloCase, side: str) -> Force:
    """Return the army of a side, from its elements in the record.

    Raises:
        UnseenError: the record does not have them.
        RecordError: they are not valid.
    """
    army = case.detail("armies", side)
    return read_recorded_force(army, case.detail("composition") if side == Side.NPG else army)


def recount(case: SoloCase) -> Mapping[str, Sequence[str]]:
    """Return the faults of the selection by clause.

    Raises:
        UnseenError: there is no log, the armies are missing, or YOU placed the terrain yourself.
    """
    dice = case.dice("selection")
    if case.detail("terrain", "by").text() != "dice":
        raise UnseenError("you placed the terrain yourself (AMB-10)")
    sides = {side: force_of(case, side) for side in Side}
    defender, attacker = (sides[read_enum(Side, case.detail("attack", role))] for role in ("defender", "attacker"))
    selection = SelectionCase.from_armies(defender, attacker, case.rules)
    made = _Recount(case, selection, read_steps(case.detail("terrain")), list(dice))
    with suppress(_OffTrackError):
        made.run()
    return made.faults


def _of(clause: str, case: SoloCase) -> Faults:
    yield from case.once(recount).get(clause, ())


def attacker(case: SoloCase) -> Faults:
    """Check that the higher total of die and aggression attacks; ties are rolled again (SD-2.3-a)."""
    dice = [score(throw) for throw in case.dice("attacker")]
    given = case.record.details.get(_INPUTS)
    if not dice and isinstance(given, Mapping) and given.get(ATTACKER) is not None:
        raise UnseenError("the battle file says who attacks, so nobody rolled for it")
    npg, you = (case.detail("armies", side, "aggression").whole() for side in ("npg", "you"))
    rounds = [(one + npg, other + you) for one, other in zip(dice[::2], dice[1::2], strict=False)]
    if not rounds or len(dice) % 2:
        yield Sentence("the dice are not in pairs")
        return
    for one, other in rounds[:-1]:
        if one != other:
            yield Sentence("{one} to {other} decides, but the dice were rolled again", one=one, other=other)
    one, other = rounds[-1]
    told = case.detail("attack", "attacker").text()
    if one == other or told != ("npg" if one > other else "you"):
        yield Sentence("the NPG has {one}, YOU have {other}, but {told} attacks", one=one, other=other, told=told)


def your_options_first(case: SoloCase) -> Faults:
    """Check that no die is rolled for the NPG's army before YOUR options are fixed (SD-2.1-a)."""
    throws = case.throws()
    first = next((place for place, throw in enumerate(throws) if throw.stage in ("army", "general")), len(throws))
    for throw in throws[first:]:
        if throw.stage == "armies":
            yield Sentence("{reason} comes after the first die for the NPG's army", reason=throw.reason)


def cover_on_the_board(case: SoloCase) -> Faults:
    """Check the cover on the board, and the recount if there are dice for it (SD-3.2.3-c)."""
    lacking = list(cover(case))
    yield from lacking
    if not lacking:
        with suppress(UnseenError):
            yield from case.once(recount).get("SD-3.2.3-c", ())


CHECKS: Final[Mapping[str, Check]] = {
    **{clause: partial(_of, clause) for clause in CLAUSES},
    "SD-3.2.3-d": combine_checks(partial(_of, "SD-3.2.3-d"), ignoring_hand_edits(on_the_board)),
    "SD-3.2.3-c": cover_on_the_board,
    "SD-2.1-a": your_options_first,
    "SD-2.3-a": attacker,
}

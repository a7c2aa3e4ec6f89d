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
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.force import Force, Home, Side
from printkit.systems.solo.armies.game_armies import ATTACKER
from printkit.systems.solo.armies.steps import AppliedModifier, ModifierState, sum_modifiers
from printkit.systems.solo.judge.case import Check, SoloCase
from printkit.systems.solo.judge.field import cover
from printkit.systems.solo.terrain.read_record import (
    DroppedPiece,
    RecordedArmy,
    RecordedAttack,
    RecordedElements,
    RecordedPiece,
    RecordedStep,
)
from printkit.systems.solo.terrain.selection import TWO
from printkit.systems.solo.terrain.topography import SelectionCase, find_modifiers

# The member of a record with the inputs other than settings.
_INPUTS: Final = "inputs"

# --- Dice of optional pieces, ranked independently by the checker: leaders, ties and re-rolls -------------------------


class Candidates(Struct, frozen=True, kw_only=True):
    """Candidates in the order of their table, with access to their dice.

    ``terrains`` has the type of each candidate, ``modifiers_by_type`` the modifier of each type. ``read_die`` returns
    the next die for a reason; if the log has another die, it adds a fault of the given clause.
    """

    terrains: Sequence[Terrain]
    modifiers_by_type: Mapping[Terrain, int]
    read_die: Callable[[str, str], int]

    def select_terrains(self, places: int, required: Collection[Terrain]) -> list[Terrain]:
        """Return the selected types, highest total first.

        If ``required`` has types, one of them comes before all others. ``places`` is the number to select. Scores are
        read from the log with ``read_die``; ties are decided by further dice.
        """
        scores = {place: self._compute_score(place, "SD-3.2.3-a") for place in range(len(self.terrains))}
        leaders = (
            self._select_winners(
                {index: die_score for index, die_score in scores.items() if self.terrains[index] in required}, 1
            )
            if required
            else []
        )
        rest = {place: score for place, score in scores.items() if place not in leaders}
        return [self.terrains[place] for place in (*leaders, *self._select_winners(rest, places - len(leaders)))]

    def _select_winners(self, scores: Mapping[int, int], places: int) -> list[int]:
        """Return the indices, from 0, of the chosen candidates, highest score first. A die decides a tie.

        ``scores`` has the totals by index; ``places`` is the number to select.
        """
        winners: list[int] = []
        for top_score in sorted(set(scores.values()), reverse=True):
            tied_places = [place for place, score in sorted(scores.items()) if score == top_score]
            free_count = places - len(winners)
            if free_count <= 0:
                break
            if len(tied_places) <= free_count or len({self.terrains[place] for place in tied_places}) == 1:
                winners += tied_places[:free_count]
            else:
                winners += self._select_winners(
                    {place: self._compute_score(place, "SD-3.2.3-e") for place in tied_places}, free_count
                )
        return winners

    def _compute_score(self, place: int, clause: str) -> int:
        """Return the total of candidate ``place``, an index from 0: its next die in the log plus modifier."""
        terrain = self.terrains[place]
        number = 1 + sum(other == terrain for other in self.terrains[:place])
        suffix = f" {number}" if list(self.terrains).count(terrain) > 1 else ""
        die = self.read_die(f"optional {terrain.replace('_', ' ')}{suffix}", clause)
        return die + self.modifiers_by_type.get(terrain, 0)


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
    remaining_dice: list[Throw]
    faults: dict[str, list[str]] = field(default_factory=dict)

    def add_fault(self, template: str, clause: str, /, **values: object) -> None:
        """Add a fault of a clause; ``values`` fill its template."""
        self.faults.setdefault(clause, []).append(Sentence(template, **values))

    def read_score(self, reason: str, clause: str) -> int:
        """Return the score of the next die in the log, and remove the die from ``remaining_dice``.

        Raises:
            _OffTrackError: it is for another reason, or there is none; this is added as a fault of the clause.
        """
        throw = self.remaining_dice.pop(0) if self.remaining_dice else None
        if throw is None or throw.reason != reason:
            self.add_fault(
                "the log has {found} where {reason} is due",
                clause,
                found=throw.reason if throw else Sentence("no die"),
                reason=reason,
            )
            raise _OffTrackError
        return score(throw)

    def run(self) -> None:
        """Recount every step of the selection from the log, and add the faults that it finds to ``faults``.

        Raises:
            _OffTrackError: the log cannot be followed any further; the fault is added.
        """
        picks = self._check_second_piece(self._check_compulsory())
        place_count = self._check_optional_count(picks)
        self._check_choice(picks, place_count, self._list_available())
        if self.remaining_dice:
            self.add_fault(
                "the log has {reason} after everything was selected", "SD-3.2.3-a", reason=self.remaining_dice[0].reason
            )

    def _check_compulsory(self) -> Terrain:
        """Return the compulsory type that the dice give; add a fault if the record has another.

        Raises:
            _OffTrackError: the record has another, or the log does not continue as the rules require.
        """
        topography, home = self.selection.tables, self.selection.home
        recorded_types, options = (
            sorted({piece.terrain for piece in self._list_recorded(compulsory=True)}),
            topography.compulsory_types(home),
        )
        if len(options) > 1:
            row = self._look_up_row("compulsory", "compulsory feature", "SD-3.1.1-b")
            expected, clause = Terrain(row.outcome), row.clause
        else:
            has_choice = len(topography.topographies[home].compulsory) > 1
            expected, clause = options[0], "SD-3.1.1-a" if has_choice else "SD-3.1-a"
        if recorded_types != [expected]:
            self.add_fault(
                "{expected} is compulsory, but the record has {told}",
                clause,
                expected=expected.value,
                told=", ".join(recorded_types) or Sentence("nothing"),
            )
            raise _OffTrackError
        return expected

    def _check_second_piece(self, terrain: Terrain) -> list[PiecePick]:
        """Return the recorded compulsory pieces; add a fault if the dice give another number.

        Raises:
            _OffTrackError: the number differs, or the log does not continue as the rules require.
        """
        recorded_picks = [PiecePick(piece.terrain, compulsory=True) for piece in self._list_recorded(compulsory=True)]
        can_double, count = self.selection.tables.pieces[terrain].doubled, 1
        if can_double:
            row = self._look_up_row("second_piece", "second compulsory piece", "SD-3.1.2-a", recorded_picks[:1])
            count = 2 if row.outcome == TWO else 1
        if len(recorded_picks) != count:
            clause = "SD-3.1.2-r1" if can_double else "SD-3.1.2-a"
            self.add_fault(
                "{told} compulsory features; the dice give {count}", clause, told=len(recorded_picks), count=count
            )
            raise _OffTrackError
        return recorded_picks

    def _check_optional_count(self, picks: Sequence[PiecePick]) -> int:
        """Return the number of optional pieces that the dice give; add a fault if the record has another.

        ``picks`` are the compulsory pieces.
        """
        row = self._look_up_row("optional", "number of optional features", "SD-3.2.1-a", picks)
        recorded_count = len(self._list_recorded(compulsory=False))
        if recorded_count != int(row.outcome):
            self.add_fault(
                "{told} optional features; the dice give {places}", row.clause, told=recorded_count, places=row.outcome
            )
        return int(row.outcome)

    def _list_available(self) -> list[Terrain]:
        """Return the available types; the army file or dice leave one type of each littoral pair.

        It reads the dice of pairs from the log and adds faults. It raises ``_OffTrackError`` if nothing decides a pair.
        """
        terrains = list(self.selection.tables.optional_types(self.selection.home))
        if self.selection.home is not Home.LITTORAL:
            return terrains
        for pair in self.selection.tables.pairs:
            first_type, second_type = pair.types
            names = f"{first_type} or not".replace("_", " "), f"{second_type} or not".replace("_", " ")
            if self.remaining_dice and self.remaining_dice[0].reason == names[0]:
                scores = 0, 0
                while scores[0] == scores[1]:
                    scores = self.read_score(names[0], pair.clause), self.read_score(names[1], pair.clause)
                chosen_type = first_type if scores[0] > scores[1] else second_type
            else:
                army_choice = next((step.army for step in self.steps if step.title.endswith(pair.key)), "")
                if army_choice not in pair.types:
                    self.add_fault(
                        "neither the dice nor the army decide between {one} and {other}",
                        pair.clause,
                        one=first_type,
                        other=second_type,
                    )
                    raise _OffTrackError
                chosen_type = Terrain(army_choice)
            excluded_type = second_type if chosen_type == first_type else first_type
            terrains.remove(excluded_type)
            if excluded_type in {piece.terrain for piece in self._list_recorded(compulsory=False)}:
                self.add_fault(
                    "the board has {other}, which {kept} excludes", pair.clause, other=excluded_type, kept=chosen_type
                )
        return terrains

    def _check_choice(self, picks: Sequence[PiecePick], place_count: int, options: Sequence[Terrain]) -> None:
        """Add a fault if the dice in the log select other optional pieces than the record has.

        It reads these dice.

        Args:
            picks: the compulsory pieces.
            place_count: the number of optional pieces.
            options: the possible types.
        """
        topography = self.selection.tables
        candidates = topography.list_candidates(options, picks)
        applied_modifiers = find_modifiers("candidate", self.selection) if Terrain.WATERWAY in options else ()
        self._check_modifiers("SD-3.2.3-a", applied_modifiers)
        ranking = Candidates(
            terrains=candidates,
            modifiers_by_type={Terrain.WATERWAY: sum_modifiers(applied_modifiers)},
            read_die=self.read_score,
        )
        required = {name for name in candidates if topography.is_required(name)}
        first_types = required if topography.lacks_required(picks) else set()
        expected = ranking.select_terrains(place_count, first_types)
        recorded_types = [piece.terrain for piece in self._list_recorded(compulsory=False)]
        if Counter(recorded_types) != Counter(expected):
            lacks_required = first_types and not any(name in required for name in recorded_types)
            has_waterway_modifier = sum_modifiers(applied_modifiers) and Terrain.WATERWAY in recorded_types
            clause = "SD-3.2.3-c" if lacks_required else "SD-3.2.3-b" if has_waterway_modifier else "SD-3.2.3-d"
            expected_text, recorded_text = ", ".join(expected), ", ".join(recorded_types)
            self.add_fault(
                "the dice choose {expected}; the record has {told}", clause, expected=expected_text, told=recorded_text
            )

    def _look_up_row(self, table: str, reason: str, clause: str, compulsory: Sequence[PiecePick] = ()) -> DieRow[str]:
        """Return the row of a die table for the next die, and compare its modifiers with the recorded ones.

        Args:
            table: the name of the die table.
            reason: the reason that the die must have in the log.
            clause: the clause of the step.
            compulsory: the compulsory pieces so far.

        Raises:
            _OffTrackError: the log has another die.
        """
        applied_modifiers = find_modifiers(table, self.selection, compulsory)
        self._check_modifiers(clause, applied_modifiers)
        return self.case.rules.outcomes(table).row(self.read_score(reason, clause) + sum_modifiers(applied_modifiers))

    def _check_modifiers(self, step_clause: str, applied_modifiers: Sequence[AppliedModifier]) -> None:
        """Add a fault for each modifier of a step that the record counts differently."""
        for recorded_step in self.steps:
            for modifier in applied_modifiers if recorded_step.clause == step_clause else ():
                is_on, is_recorded = (
                    modifier.state is ModifierState.ON,
                    recorded_step.counts.get(modifier.clause, False),
                )
                if is_on and not is_recorded:
                    self.add_fault("it counts, but the record says that it does not", modifier.clause)
                elif is_recorded and not is_on:
                    self.add_fault("it does not count, but the record says that it does", modifier.clause)

    def _list_recorded(self, *, compulsory: bool) -> list[RecordedPiece]:
        """Return the recorded pieces that are compulsory, or those that are optional.

        They are in the order of the record.
        """
        return [piece for piece in self.case.recorded_pieces if piece.is_compulsory is compulsory]


def check_board(case: SoloCase) -> Faults:
    """Check that the board has exactly the selected pieces, except those left out (SD-3.2.3-d)."""
    board_pieces, left_out = (
        {piece.id: piece.terrain for piece in case.pieces},
        {piece.id for piece in case.read_detail(tuple[DroppedPiece, ...], "terrain", "left_out")},
    )
    for recorded_piece in case.recorded_pieces:
        if recorded_piece.id in board_pieces and board_pieces.pop(recorded_piece.id) is not recorded_piece.terrain:
            yield Sentence("{piece} is not {terrain}", piece=recorded_piece.id, terrain=recorded_piece.terrain.value)
        elif not recorded_piece.result and recorded_piece.id not in left_out:
            yield Sentence(
                "{piece} has no place, and the record does not say why it was left out", piece=recorded_piece.id
            )
        elif recorded_piece.result and recorded_piece.id not in {piece.id for piece in case.pieces}:
            yield Sentence("{piece} was placed but is not on the board", piece=recorded_piece.id)
    for name in board_pieces:
        yield Sentence("{piece} is on the board but was not selected", piece=name)


def read_force(case: SoloCase, side: str) -> Force:
    """Return the army of a side, from its elements in the record.

    ``side`` is ``npg`` or ``you``.

    Raises:
        UnseenError: the record does not have them.
        RecordError: they are not valid.
    """
    names = ("composition",) if side == Side.NPG else ("armies", side)
    elements = case.read_detail(RecordedElements, *names)
    return case.read_detail(RecordedArmy, "armies", side).read(elements)


def recount(case: SoloCase) -> Mapping[str, Sequence[str]]:
    """Return the faults of the selection of terrain, recounted from the log, by clause.

    A clause without faults is missing.

    Raises:
        UnseenError: there is no log, the armies are missing, or YOU placed the terrain yourself.
        RecordError: a value of the record is not valid.
    """
    dice = case.dice("selection")
    if case.detail("terrain", "by") != "dice":
        raise UnseenError("you placed the terrain yourself (AMB-10)")
    sides = {side: read_force(case, side) for side in Side}
    attack = case.read_detail(RecordedAttack, "attack")
    selection = SelectionCase.from_armies(sides[attack.defender], sides[attack.attacker], case.rules)
    steps = case.read_detail(tuple[RecordedStep, ...], "terrain", "selection")
    selection_recount = _Recount(case, selection, steps, list(dice))
    with suppress(_OffTrackError):
        selection_recount.run()
    return selection_recount.faults


def _list_faults(clause: str, case: SoloCase) -> Faults:
    """Yield the faults that the recount finds for a clause."""
    yield from case.compute_once(recount).get(clause, ())


def check_attacker(case: SoloCase) -> Faults:
    """Check that the higher total of die and aggression attacks; ties are rolled again (SD-2.3-a).

    The dice are in pairs: first that of the NPG, then YOURS.

    Raises:
        UnseenError: the battle file says who attacks.
    """
    dice = [score(throw) for throw in case.dice("attacker")]
    inputs = case.record.details.get(_INPUTS)
    if not dice and isinstance(inputs, Mapping) and inputs.get(ATTACKER) is not None:
        raise UnseenError("the battle file says who attacks, so nobody rolled for it")
    npg, you = (case.read_detail(int, "armies", side, "aggression") for side in ("npg", "you"))
    rounds = [(npg_total + npg, your_total + you) for npg_total, your_total in zip(dice[::2], dice[1::2], strict=False)]
    if not rounds or len(dice) % 2:
        yield Sentence("the dice are not in pairs")
        return
    for npg_total, your_total in rounds[:-1]:
        if npg_total != your_total:
            yield Sentence("{one} to {other} decides, but the dice were rolled again", one=npg_total, other=your_total)
    npg_total, your_total = rounds[-1]
    recorded_side = case.read_detail(str, "attack", "attacker")
    if npg_total == your_total or recorded_side != ("npg" if npg_total > your_total else "you"):
        yield Sentence(
            "the NPG has {one}, YOU have {other}, but {told} attacks",
            one=npg_total,
            other=your_total,
            told=recorded_side,
        )


def check_options_first(case: SoloCase) -> Faults:
    """Check that no die is rolled for the NPG's army before YOUR options are fixed (SD-2.1-a)."""
    throws = case.throws()
    first_roll = next((index for index, throw in enumerate(throws) if throw.stage in ("army", "general")), len(throws))
    for throw in throws[first_roll:]:
        if throw.stage == "armies":
            yield Sentence("{reason} comes after the first die for the NPG's army", reason=throw.reason)


def check_cover_and_recount(case: SoloCase) -> Faults:
    """Check the cover on the board, and the recount if there are dice for it (SD-3.2.3-c)."""
    faults = list(cover(case))
    yield from faults
    if not faults:
        with suppress(UnseenError):
            yield from case.compute_once(recount).get("SD-3.2.3-c", ())


CHECKS: Final[Mapping[str, Check]] = {
    **{clause: partial(_list_faults, clause) for clause in CLAUSES},
    "SD-3.2.3-d": combine_checks(partial(_list_faults, "SD-3.2.3-d"), ignoring_hand_edits(check_board)),
    "SD-3.2.3-c": check_cover_and_recount,
    "SD-2.1-a": check_options_first,
    "SD-2.3-a": check_attacker,
}

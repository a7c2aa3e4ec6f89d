"""Checks of the dice and choices of hills: their results and their order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final, NamedTuple

from printkit.chance.dice import Act, Throw
from printkit.chance.tables import DieRow
from printkit.core.errors import Sentence, joined
from printkit.kit.case import score
from printkit.kit.checks import Faults, UnseenError, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.dealing.deal import HILL_SIDES
from printkit.systems.brantley.dealing.game_rules import HILL_DICE
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.systems.brantley.judge.slopes import JudgedRelief, check_side_numbers, cover_words, find_reliefs
from printkit.terrain.field.features import Kind

# The outcome of the slope table that makes every side steep.
_ALL: Final = "all"

_COVERS: Final[Mapping[str, Kind | None]] = {
    "heavy_woods": Kind.HEAVY_WOODS,
    "light_woods": Kind.LIGHT_WOODS,
    "open": None,
}


class HillRows(NamedTuple):
    """The rows of the slope and woods tables from the two dice of a hill; None if the log lacks a die."""

    relief: JudgedRelief
    slope: DieRow[str] | None
    woods: DieRow[str] | None

    @property
    def is_steep_all_round(self) -> bool:
        """Return whether the slope die made the hill steep on every side."""
        return self.slope is not None and self.slope.outcome == _ALL


class HillDie(NamedTuple):
    """A logged hill die: its roll, the ID of its hill, and its table (``slope`` or ``woods``).

    The ID is empty if the log has more dice than the hills need.
    """

    roll: Throw
    hill: str
    table: str


def find_hill_rows(case: BrantleyCase) -> tuple[HillRows, ...]:
    """Return for each hill the rows of the slope and woods tables that its dice give, None without a die.

    The order is that of the zones. The slope score includes the modifier for two levels.

    Raises:
        UnseenError: there is no log.
    """
    dice = {(die.hill, die.table): die.roll for die in _find_hill_dice(case)}
    slopes, covers = case.rules.outcomes("slope"), case.rules.outcomes("woods")
    rows_by_hill = []
    for relief in find_reliefs(case):
        conditions = ("two levels",) if len(relief.hill.contours) > 1 else ()
        slope, woods = (dice.get((relief.id, table)) for table in ("slope", "woods"))
        rows_by_hill.append(
            HillRows(
                relief,
                slopes.row(slopes.apply_modifiers(score(slope), conditions)) if slope else None,
                covers.row(score(woods)) if woods else None,
            )
        )
    return tuple(rows_by_hill)


def check_slope_dice(case: BrantleyCase) -> Faults:
    """Check that each hill has a slope die; the modifier for two levels shows in its slopes (BR-321).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    yield from (
        Sentence("the log has no slope die for {relief}", relief=rows.relief.id)
        for rows in find_hill_rows(case)
        if not rows.slope
    )


def check_woods_dice(case: BrantleyCase) -> Faults:
    """Check that each hill has a woods die (BR-328, BR-Q05).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    yield from (
        Sentence("the log has no woods die for {relief}", relief=rows.relief.id)
        for rows in find_hill_rows(case)
        if not rows.woods
    )


def check_slopes(clause: str, case: BrantleyCase) -> Faults:
    """Check that hills with a slope score in the row of a clause have the steep sides of that row.

    It yields a sentence for each fault; other hills are not checked. ``clause`` is for example ``BR-322``.

    Raises:
        UnseenError: the record has no log.
    """
    for relief, slope, _ in find_hill_rows(case):
        if slope is None or slope.clause != clause:
            continue
        expected = HILL_SIDES if slope.outcome == _ALL else int(slope.outcome)
        if len(relief.steep) != expected:
            yield Sentence(
                "{relief} has {count} steep slopes; the slope score {span} gives {due}",
                relief=relief.id,
                count=len(relief.steep),
                span=slope.span,
                due=expected,
            )
        if slope.outcome == _ALL and not relief.allows_going("impassable"):
            yield Sentence(
                "{relief} is {going} going; a hill that is steep on every side is impassable",
                relief=relief.id,
                going=relief.hill.going.name,
            )


def check_woods(clause: str, case: BrantleyCase) -> Faults:
    """Check that hills with a woods die in the row of a clause have the cover and going of that row.

    It yields a sentence for each fault; other hills are not checked. ``clause`` is for example ``BR-329``.

    Raises:
        UnseenError: the record has no log.
    """
    for rows in find_hill_rows(case):
        relief, woods = rows.relief, rows.woods
        if woods is None or woods.clause != clause:
            continue
        cover = _COVERS[woods.outcome]
        if relief.hill.cover is not cover:
            yield Sentence(
                "{relief} is {relief_cover}; the woods die {span} makes it {cover}",
                relief=relief.id,
                relief_cover=relief.cover,
                span=woods.span,
                cover=cover_words(cover),
            )
        expected = "impassable" if rows.is_steep_all_round else relief.cover_going(cover)
        if not relief.allows_going(expected):
            yield Sentence(
                "{relief} is {going} going; the woods die {span} makes it {due}",
                relief=relief.id,
                going=relief.hill.going.name,
                span=woods.span,
                due=expected,
            )


def check_dice_order(case: BrantleyCase) -> Faults:
    """Check the order of the hill dice: by zone, slope before woods, no others (BR-D2, BR-Q04).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the record has no log.
    """
    expected = _expected_dice(case)
    actual = [(die.hill, die.table) for die in _find_hill_dice(case)]
    if [place for place in expected if place in actual] != actual:
        order_text = joined(
            Sentence("{sort} of {hill}", sort=table, hill=hill or Sentence("no hill")) for hill, table in actual
        )
        yield Sentence(
            "the hill dice are in the order {thrown}; it should be {due}",
            thrown=order_text,
            due=joined(Sentence("{sort} of {hill}", sort=table, hill=hill) for hill, table in expected),
        )


def check_rotation_after_dice(case: BrantleyCase) -> Faults:
    """Check that a hill is rotated after its dice are known (BR-332).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: there is no log, or it lacks the rotation of hills.
    """
    rotation_lines: dict[str, int] = {}
    dice_lines: dict[str, int] = {}
    for line, roll in enumerate(case.throws("hills")):
        target = rotation_lines if roll.clause == "BR-342" else dice_lines if roll.act is Act.DIE else {}
        target.update(dict.fromkeys(case.find_named_ids(roll), line))
    if case.hills() and not rotation_lines:
        raise UnseenError("the log does not say when the hills were turned")
    for hill, line in rotation_lines.items():
        if line < dice_lines.get(hill, line):
            yield Sentence("{hill} was turned before its dice were rolled", hill=hill)


def check_chosen_sides(case: BrantleyCase) -> Faults:
    """Check that the steep sides are those that the placer chose, if the log has them (BR-327).

    It yields a sentence for each fault; nothing if there is none.
    """
    for roll in (roll for roll in case.record.log if roll.clause == "BR-327"):
        for relief in (relief for relief in find_reliefs(case) if relief.id in case.find_named_ids(roll)):
            sides = ",".join(str(face.side) for face in sorted(relief.steep, key=lambda face: face.side))
            if roll.answer != sides:
                yield Sentence(
                    "the steep slopes of {relief} are {sides}; whoever placed it named {answer}",
                    relief=relief.id,
                    sides=sides or Sentence("none"),
                    answer=roll.answer,
                )


def _expected_dice(case: BrantleyCase) -> list[tuple[str, str]]:
    """Return the hill's ID and the name of the table for each expected die, in rolling order (BR-D2)."""
    return [(hill.id, die) for hill in case.hills() for die in HILL_DICE]


def _find_hill_dice(case: BrantleyCase) -> list[HillDie]:
    """Return the hill dice of the log; the order decides if clause and reason do not identify a die."""
    expected, hill_dice_found = _expected_dice(case), []
    for index, roll in enumerate(case.dice("hills")):
        hill, table = expected[index] if index < len(expected) else ("", HILL_DICE[index % 2])
        ids, clauses = case.find_named_ids(roll), set(roll.clause.split(","))
        tables = [die for die in HILL_DICE if clauses & {row.clause for row in case.rules.outcomes(die).rows}]
        hill_dice_found.append(HillDie(roll, ids[0] if ids else hill, tables[0] if tables else table))
    return hill_dice_found


CHECKS: Final[Mapping[str, Check]] = {
    "BR-321": check_slope_dice,
    **{clause: partial(check_slopes, clause) for clause in ("BR-322", "BR-323", "BR-324", "BR-325")},
    "BR-327": combine_checks(check_side_numbers, check_chosen_sides),
    "BR-328": check_woods_dice,
    **{clause: partial(check_woods, clause) for clause in ("BR-329", "BR-330", "BR-331")},
    "BR-332": check_rotation_after_dice,
    "BR-D2": ignoring_hand_edits(check_dice_order),
    "BR-Q04": ignoring_hand_edits(check_dice_order),
    "BR-Q05": check_woods_dice,
}

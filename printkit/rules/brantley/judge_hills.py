"""The judge on hills: dice against slopes and woods, levels and arcs from the lines themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, NamedTuple

import shapely

from printkit.chance.dice import Throw
from printkit.chance.tables import Row
from printkit.rules.brantley.judge_case import TOLERANCE, Case, Check, Faults, UnseenError, score
from printkit.terrain.features import Face, Hill, Kind

_ALL: Final = "all"
"""The outcome of the slope table that makes every side steep."""

_COVERS: Final[Mapping[str, Kind | None]] = {
    "heavy_woods": Kind.HEAVY_WOODS,
    "light_woods": Kind.LIGHT_WOODS,
    "open": None,
}

_COVERED_TWICE: Final = 1.0
"""Millimetres that two steep stretches may run together: the corner that they share."""


class Thrown(NamedTuple):
    """The rows of the slope and woods tables that the two dice of a hill gave, as far as the log has them."""

    hill: Hill
    slope: Row[str] | None
    woods: Row[str] | None

    @property
    def all_round(self) -> bool:
        """Return whether the slope die made the hill steep on every side."""
        return self.slope is not None and self.slope.outcome == _ALL


def hill_dice(case: Case) -> tuple[Thrown, ...]:
    """Return the dice of each hill, by their clauses where the log names them, else by their order.

    Raises:
        UnseenError: there is no log.
    """
    slopes, woods = _sorted_dice(case)
    found = []
    for hill in case.hills():
        holds = ("two levels",) if len(hill.contours) > 1 else ()
        table = case.book.tables["slope"]
        thrown = Thrown(hill, table.row(table.modified(score(slopes.pop(0)), holds)) if slopes else None, None)
        if woods and not (case.setting("br-q05") == "skip" and thrown.all_round):
            thrown = thrown._replace(woods=case.book.tables["woods"].row(score(woods.pop(0))))
        found.append(thrown)
    return tuple(found)


def slope_is_thrown(case: Case) -> Faults:
    """BR-321: a slope die for each hill, and the 1 for two levels, which shows in the slopes themselves."""
    slopes, _ = _sorted_dice(case)
    if len(slopes) != len(case.hills()):
        yield f"{len(case.hills())} hills have {len(slopes)} slope dice in the log; each has one"


def woods_are_thrown(case: Case) -> Faults:
    """BR-328 and BR-Q05: a woods die for each hill, but where the setting lets it be skipped."""
    _, woods = _sorted_dice(case)
    due = len(case.hills())
    if case.setting("br-q05") == "skip":
        due -= sum(thrown.all_round for thrown in hill_dice(case))
    if len(woods) != due:
        yield f"{due} woods dice are due, the log has {len(woods)}"


def slopes_by(clause: str) -> Check:
    """Return the check that hills whose slope score fell in the row of a clause have the steep sides of it."""

    def check(case: Case) -> Faults:
        for thrown in hill_dice(case):
            if thrown.slope is None or thrown.slope.clause != clause:
                continue
            hill, due = thrown.hill, case_arcs(case) if thrown.all_round else int(thrown.slope.outcome)
            if len(hill.faces) != due:
                yield f"{hill.id} has {len(hill.faces)} steep sides; the slope score {thrown.slope.span} gives {due}"
            if thrown.all_round and not _is(hill, "impassable"):
                yield f"{hill.id} is {hill.going.name} going; steep on every side it is impassable"

    return check


def steep_is_impassable(case: Case) -> Faults:
    """BR-326: so is every steep stretch."""
    for hill, face in _faces(case):
        if face.going.name not in ("impassable", ""):
            yield f"side {face.side} of {hill.id} is steep, yet {face.going.name} going"


def sides_are_named(case: Case) -> Faults:
    """BR-327: each steep slope is one side of the hill by its number, and the numbers run round as the sides lie."""
    arcs = case_arcs(case)
    for hill in case.hills():
        for face in hill.faces:
            if not 0 <= face.side < arcs:
                yield f"{hill.id} has a steep side {face.side}; its sides are 0 to {arcs - 1}"
        for one, two in combinations(hill.faces, 2):
            due = (two.side - one.side) * 360 / arcs
            turned = (_bearing(hill, two) - _bearing(hill, one) - due + 180) % 360 - 180
            if one.side == two.side or abs(turned) > 270 / arcs:
                yield f"the steep sides {one.side} and {two.side} of {hill.id} do not lie as their numbers say"


def woods_by(clause: str) -> Check:
    """Return the check that the hills whose woods die fell in the row of a clause have the cover and going of it."""

    def check(case: Case) -> Faults:
        for thrown in hill_dice(case):
            if thrown.woods is None or thrown.woods.clause != clause:
                continue
            hill, cover = thrown.hill, _COVERS[thrown.woods.outcome]
            if hill.cover is not cover:
                yield f"{hill.id} is {_said(hill.cover)}; the woods die {thrown.woods.span} makes it {_said(cover)}"
            due = "impassable" if thrown.all_round else _cover_going(case, cover)
            if not _is(hill, due):
                yield f"{hill.id} is {hill.going.name} going; the woods die {thrown.woods.span} makes it {due}"

    return check


def levels(case: Case) -> Faults:
    """BR-G16: a hill of one level has one contour, one of two levels an inner one as well; more there are not."""
    for hill in case.hills():
        if len(hill.contours) > 2:
            yield f"{hill.id} has {len(hill.contours)} contours; a hill has one or two"


def inner_contour(case: Case) -> Faults:
    """BR-G17: the inner contour's share of the outer, and the room that it leaves."""
    low, high = case.book.numbers["inner_share_min"], case.book.numbers["inner_share_max"]
    room = case.length("inner_gap_min")
    for hill in case.hills():
        for inner in hill.contours[1:]:
            share = inner.area / hill.outline.area
            if not low - 1e-3 <= share <= high + 1e-3:
                yield f"{hill.id}: the inner contour is {share:.0%} of the outer; {low:.0%} to {high:.0%} are allowed"
            gap = hill.outline.exterior.distance(inner)
            if not hill.outline.contains(inner) or gap < room - TOLERANCE:
                yield f"{hill.id}: the inner contour comes within {gap:.1f} mm of the outer; at least {room:.1f} mm"


def arcs(case: Case) -> Faults:
    """BR-G21: the share of the outline that a steep arc takes, and that all of them together are the outline."""
    low, high = (case.book.numbers[name] * 4 / case_arcs(case) for name in ("arc_share_min", "arc_share_max"))
    for hill, face in _faces(case):
        share, slack = face.line.length / hill.outline.length, TOLERANCE / hill.outline.length
        if not low - slack <= share <= high + slack:
            yield f"side {face.side} of {hill.id} is {share:.1%} of its outline; {low:.0%} to {high:.0%} are allowed"
    for hill in case.hills():
        whole = sum(face.line.length for face in hill.faces)
        if len(hill.faces) == case_arcs(case) and abs(whole - hill.outline.length) > TOLERANCE * len(hill.faces):
            yield f"the sides of {hill.id} make {whole:.1f} mm, its outline is {hill.outline.length:.1f} mm"


def different_arcs(case: Case) -> Faults:
    """BR-G22: no, one, two or all sides are steep, and no two stretches are the same side."""
    for hill in case.hills():
        if len(hill.faces) not in (0, 1, 2, case_arcs(case)):
            yield f"{hill.id} has {len(hill.faces)} steep sides; there are none, one, two or all {case_arcs(case)}"
        for one, two in combinations(hill.faces, 2):
            shared = one.line.intersection(two.line.buffer(TOLERANCE)).length
            if shared > _COVERED_TWICE:
                yield f"{hill.id}: the steep sides {one.side} and {two.side} run together for {shared:.1f} mm"


def arcs_are_lines(case: Case) -> Faults:
    """BR-G23: a steep arc is a line along the outer contour, and impassable."""
    for hill, face in _faces(case):
        off = max(hill.outline.exterior.distance(point) for point in shapely.points(face.line.coords))
        if off > TOLERANCE:
            yield f"side {face.side} of {hill.id} leaves the outer contour by {off:.1f} mm"
        if face.going.name not in ("impassable", ""):
            yield f"side {face.side} of {hill.id} is {face.going.name} going; a steep arc is impassable"


def cover_makes_going(case: Case) -> Faults:
    """BR-G24: heavy woods make a hill impassable, light woods bad, and an open one is as its setting says."""
    for hill in case.hills():
        if len(hill.faces) < case_arcs(case) and not _is(hill, due := _cover_going(case, hill.cover)):
            yield f"{hill.id} is {_said(hill.cover)} and {hill.going.name} going; it would be {due}"


def worst_of_both(case: Case) -> Faults:
    """BR-G25: steep all round or heavily wooded, the whole hill is impassable; else its cover decides."""
    for hill in case.hills():
        round_about = len(hill.faces) == case_arcs(case)
        due = "impassable" if round_about else _cover_going(case, hill.cover)
        if not _is(hill, due):
            yield f"{hill.id} with {len(hill.faces)} steep sides, {_said(hill.cover)}, is {hill.going.name}, not {due}"


def light_cover_keeps_height(case: Case) -> Faults:
    """BR-Q21: a lightly wooded hill stays a hill and is bad going besides."""
    for hill in case.hills():
        if hill.cover is Kind.LIGHT_WOODS and len(hill.faces) < case_arcs(case) and not _is(hill, "bad"):
            yield f"{hill.id} is lightly wooded and {hill.going.name} going, not bad"


def open_hill_going(case: Case) -> Faults:
    """BR-Q08: the going of an open hill that is not steep all round."""
    for hill in case.hills():
        due = _cover_going(case, None)
        if hill.cover is None and len(hill.faces) < case_arcs(case) and not _is(hill, due):
            yield f"{hill.id} is open and {hill.going.name} going; the setting makes it {due}"


def hill_dice_in_order(case: Case) -> Faults:
    """BR-D2 and BR-Q04: hill by hill in the order of zones, slope and woods as the setting says."""
    dice = case.dice("hills")
    skips = case.setting("br-q05") == "skip"
    pair = ("woods", "slope") if case.setting("br-q04") == "woods-first" else ("slope", "woods")
    due = [sort for _ in case.hills() for sort in pair]
    found = [_sort(case, throw) or due[min(place, len(due) - 1)] for place, throw in enumerate(dice) if due]
    if dice and not due:
        yield f"the log has {len(dice)} hill dice, but there is no hill"
    elif not skips and found != due:
        yield f"the hill dice are {', '.join(found) or 'none'}; by zone they are {', '.join(due)}"
    elif skips and [sort for sort in found if sort == "slope"] != ["slope"] * len(case.hills()):
        yield f"the hill dice are {', '.join(found)}; each of {len(case.hills())} hills has its slope die"


def facing_the_enemy(case: Case) -> Faults:
    """BR-M28: with ``steep=facing-enemy`` the first steep arc looks to the opponent's edge more than any other."""
    if case.setting("steep") != "facing-enemy":
        raise UnseenError("steep sides were left to chance")
    for hill in case.hills():
        if len(hill.faces) not in (1, 2) or not hill.origin.placed_by:
            continue
        enemy = -90.0 if hill.origin.placed_by == "A" else 90.0
        off = min(abs((_bearing(hill, face) - enemy + 180) % 360 - 180) for face in hill.faces)
        if off > 270 / case_arcs(case):
            yield f"the steep side of {hill.id} looks {off:.0f} degrees away from the enemy of {hill.origin.placed_by}"


def case_arcs(case: Case) -> int:
    """Return how many sides a hill has (BR-Q06)."""
    return 6 if case.setting("br-q06") == "six" else 4


def _sorted_dice(case: Case) -> tuple[list[Throw], list[Throw]]:
    dice = case.dice("hills")
    first = "woods" if case.setting("br-q04") == "woods-first" else "slope"
    second = "slope" if first == "woods" else "woods"
    sorts = [_sort(case, throw) or (first, second)[place % 2] for place, throw in enumerate(dice)]
    by_sort = {sort: [t for t, its in zip(dice, sorts, strict=True) if its == sort] for sort in ("slope", "woods")}
    return by_sort["slope"], by_sort["woods"]


def _sort(case: Case, throw: Throw) -> str:
    """Return which of a hill's dice a throw is by the clauses that it cites, or nothing."""
    cited = set(throw.clause.split(","))
    for sort in ("slope", "woods"):
        if cited & {row.clause for row in case.book.tables[sort].rows}:
            return sort
    return ""


def _is(hill: Hill, going: str) -> bool:
    return hill.going.name in (going, "")


def _cover_going(case: Case, cover: Kind | None) -> str:
    if cover is Kind.HEAVY_WOODS:
        return "impassable"
    if cover is Kind.LIGHT_WOODS:
        return "bad"
    return "bad" if case.setting("br-q08") == "bad" else "good"


def _said(cover: Kind | None) -> str:
    return {Kind.HEAVY_WOODS: "heavily wooded", Kind.LIGHT_WOODS: "lightly wooded"}.get(cover or Kind.HILL, "open")


def _faces(case: Case) -> Iterator[tuple[Hill, Face]]:
    return ((hill, face) for hill in case.hills() for face in hill.faces)


def _bearing(hill: Hill, face: Face) -> float:
    """Return the direction from the middle of a hill to the middle of a steep side, in degrees."""
    middle, centre = face.line.interpolate(0.5, normalized=True), hill.outline.centroid
    return math.degrees(math.atan2(middle.y - centre.y, middle.x - centre.x))


CHECKS: Final[Mapping[str, Check]] = {
    "BR-321": slope_is_thrown,
    "BR-322": slopes_by("BR-322"),
    "BR-323": slopes_by("BR-323"),
    "BR-324": slopes_by("BR-324"),
    "BR-325": slopes_by("BR-325"),
    "BR-326": steep_is_impassable,
    "BR-327": sides_are_named,
    "BR-328": woods_are_thrown,
    "BR-329": woods_by("BR-329"),
    "BR-330": woods_by("BR-330"),
    "BR-331": woods_by("BR-331"),
    "BR-D2": hill_dice_in_order,
    "BR-G21": arcs,
    "BR-G22": different_arcs,
    "BR-G23": arcs_are_lines,
    "BR-G24": cover_makes_going,
    "BR-G25": worst_of_both,
    "BR-M28": facing_the_enemy,
    "BR-Q04": hill_dice_in_order,
    "BR-Q05": woods_are_thrown,
    "BR-Q06": sides_are_named,
    "BR-Q08": open_hill_going,
    "BR-Q21": light_cover_keeps_height,
}

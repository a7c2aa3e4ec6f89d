"""Checks of the shape of hills: contours, steep sides, and the going that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

import shapely
from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, UnseenError, check_maximum, check_minimum, combine_checks
from printkit.systems.brantley.dealing.deal import ENEMY, SIDES
from printkit.systems.brantley.judge.case import BrantleyCase, Check
from printkit.terrain.field.features import Hill, HillFace, Kind
from printkit.terrain.geometry.measure import bearing, turn_between


class JudgedRelief(Struct, frozen=True, kw_only=True):
    """A hill under check, with the going that its lines require."""

    hill: Hill

    @property
    def id(self) -> str:
        """Return the ID of the hill."""
        return self.hill.id

    @property
    def steep(self) -> tuple[HillFace, ...]:
        """Return the steep sides."""
        return self.hill.faces

    @property
    def all_round(self) -> bool:
        """Return whether every side is steep."""
        return len(self.steep) == SIDES

    @property
    def cover(self) -> str:
        """Return the cover of the hill in words."""
        return in_words(self.hill.cover)

    @property
    def going(self) -> str:
        """Return the required going: the worse of steep slopes all round and the cover (BR-G25)."""
        return "impassable" if self.all_round else self.cover_going(self.hill.cover)

    def cover_going(self, cover: Kind | None) -> str:
        """Return the going for a cover on a hill that is not steep all round (BR-G24)."""
        return {Kind.HEAVY_WOODS: "impassable", Kind.LIGHT_WOODS: "bad", None: "good"}[cover]

    def says(self, going: str) -> bool:
        """Return whether the record gives the hill this going, or does not state one."""
        return self.hill.going.name in (going, "")

    def bearing(self, face: HillFace) -> float:
        """Return the direction from the middle of the hill to the middle of a side, in degrees."""
        return bearing(self.hill.outline.centroid, face.line.interpolate(0.5, normalized=True))


def reliefs(case: BrantleyCase) -> tuple[JudgedRelief, ...]:
    """Return the hills in the order of their zones."""
    return tuple(JudgedRelief(hill=hill) for hill in case.hills())


def contour_of(hill: Hill, face: HillFace) -> int:
    """Return the index of the contour nearest to a steep side, 0 for the outermost."""
    middle = face.line.interpolate(0.5, normalized=True)
    away = [contour.exterior.distance(middle) for contour in hill.contours]
    return away.index(min(away))


def in_words(cover: Kind | None) -> str:
    """Return the cover of a hill in words."""
    return {Kind.HEAVY_WOODS: Sentence("heavily wooded"), Kind.LIGHT_WOODS: Sentence("lightly wooded")}.get(
        cover or Kind.HILL, "open"
    )


def steep_is_impassable(case: BrantleyCase) -> Faults:
    """Check that every steep side is impassable (BR-326)."""
    for hill, face in _faces(case):
        if face.going.name not in ("impassable", ""):
            yield Sentence(
                "side {side} of {hill} is steep, but it is {going} going",
                side=face.side,
                hill=hill.id,
                going=face.going.name,
            )


def sides_are_named(case: BrantleyCase) -> Faults:
    """Check that steep slopes have side numbers, in the order of the sides round the hill (BR-327, BR-Q06)."""
    for relief in reliefs(case):
        for face in relief.steep:
            if not 0 <= face.side < SIDES:
                yield Sentence(
                    "{relief} has a steep slope {side}; sides are numbered 0 to {over}",
                    relief=relief.id,
                    side=face.side,
                    over=SIDES - 1,
                )
        for one, two in combinations(relief.steep, 2):
            due = (two.side - one.side) * 360 / SIDES
            off = turn_between(relief.bearing(two), relief.bearing(one) + due)
            if one.side == two.side or off > case.rules.number("side_turn") * 360 / SIDES:
                yield Sentence(
                    "the steep slopes {side} and {other_side} of {relief} are not where their numbers say",
                    side=one.side,
                    other_side=two.side,
                    relief=relief.id,
                )


def levels(case: BrantleyCase) -> Faults:
    """Check that a hill has one or two contours, one for each level (BR-G16)."""
    for hill in case.hills():
        if len(hill.contours) > 2:
            yield Sentence("{hill} has {count} contours; a hill has one or two", hill=hill.id, count=len(hill.contours))


def _with_top(case: BrantleyCase) -> Iterator[Hill]:
    return (hill for hill in case.hills() if len(hill.contours) > 1)


def _share_of_top(_: BrantleyCase, hill: Hill) -> float:
    return float(hill.contours[1].area / hill.outline.area)


def _room_of_top(_: BrantleyCase, hill: Hill) -> float:
    inside = hill.outline.contains(hill.contours[1])
    return float(hill.outline.exterior.distance(hill.contours[1])) if inside else 0.0


# BR-G17: the inner contour's share of the outer, and the gap between them.
inner_contour: Final = combine_checks(
    check_minimum(
        _with_top,
        _share_of_top,
        "inner_share_min",
        says="{it}: the inner contour is {found:.0%} of the outer; the minimum is {limit:.0%}",
    ),
    check_maximum(
        _with_top,
        _share_of_top,
        "inner_share_max",
        says="{it}: the inner contour is {found:.0%} of the outer; the maximum is {limit:.0%}",
    ),
    check_minimum(
        _with_top,
        _room_of_top,
        "inner_gap_min",
        says="{it}: the inner contour comes within {found:.1f} mm of the outer; the minimum is {limit:.1f} mm",
    ),
)


class SteepSide(NamedTuple):
    """A steep side of a hill."""

    relief: JudgedRelief
    face: HillFace

    @property
    def id(self) -> str:
        """Return the ID of the hill."""
        return self.relief.id


def _steep_sides(case: BrantleyCase) -> Iterator[SteepSide]:
    return (SteepSide(relief, face) for relief in reliefs(case) for face in relief.steep)


def _share(_: BrantleyCase, side: SteepSide) -> float:
    """Return the share of the outline that a side covers."""
    return float(side.face.line.length / side.relief.hill.outline.length)


def _whole_outline(case: BrantleyCase) -> Faults:
    for relief in reliefs(case):
        together, whole = plain_sum(face.line.length for face in relief.steep), relief.hill.outline.length
        if relief.all_round and abs(together - whole) > case.touch * SIDES:
            yield Sentence(
                "the sides of {relief} add up to {together:.1f} mm, but its outline is {whole:.1f} mm",
                relief=relief.id,
                together=together,
                whole=whole,
            )


# BR-G21: the share of the outline that a steep side covers; four sides together are the outline.
arcs: Final = combine_checks(
    check_minimum(
        _steep_sides,
        _share,
        "arc_share_min",
        says="a steep slope of {it} is {found:.1%} of its outline; the minimum is {limit:.0%}",
    ),
    check_maximum(
        _steep_sides,
        _share,
        "arc_share_max",
        says="a steep slope of {it} is {found:.1%} of its outline; the maximum is {limit:.0%}",
    ),
    _whole_outline,
)


def different_arcs(case: BrantleyCase) -> Faults:
    """Check that no, one, two or all sides are steep, and that no two steep sides overlap (BR-G22)."""
    for relief in reliefs(case):
        if len(relief.steep) not in (0, 1, 2, SIDES):
            yield Sentence(
                "{relief} has {count} steep slopes; only none, one, two or all {arcs} are allowed",
                relief=relief.id,
                count=len(relief.steep),
                arcs=SIDES,
            )
        for one, two in combinations(relief.steep, 2):
            shared = one.line.intersection(two.line.buffer(case.touch, cap_style="flat")).length
            if shared > case.rules.length("covered_twice"):
                yield Sentence(
                    "{relief}: the steep slopes {side} and {other_side} overlap for {shared:.1f} mm",
                    relief=relief.id,
                    side=one.side,
                    other_side=two.side,
                    shared=shared,
                )


def arcs_are_lines(case: BrantleyCase) -> Faults:
    """Check that a steep side is a line along the outer contour, and impassable (BR-G23)."""
    for hill, face in _faces(case):
        off = float(shapely.distance(hill.outline.exterior, shapely.points(face.line.coords)).max())
        if off > case.touch:
            yield Sentence(
                "side {side} of {relief} is {off:.1f} mm off the contour",
                side=face.side,
                relief=hill.id,
                off=off,
            )
    yield from steep_is_impassable(case)


def has_going(due: Callable[[JudgedRelief], str | None], case: BrantleyCase) -> Faults:
    """Check that a hill has its required going, if there is one, from its slopes and its cover."""
    for relief in reliefs(case):
        going = due(relief)
        if going and not relief.says(going):
            yield Sentence(
                "{relief} is {cover} with {count} steep slopes and {going} going; it should be {due}",
                relief=relief.id,
                cover=relief.cover,
                count=len(relief.steep),
                going=relief.hill.going.name,
                due=going,
            )


def steep_contours(case: BrantleyCase) -> Faults:
    """Check that the steep sides of a hill are on its outer contour (BR-Q07)."""
    for hill, face in _faces(case):
        if contour_of(hill, face):
            yield Sentence("{hill} has the steep slope {side} on its inner contour", hill=hill.id, side=face.side)


def facing_the_enemy(case: BrantleyCase) -> Faults:
    """Check that one steep side faces the opponent's edge with ``steep=facing-enemy`` (BR-M28)."""
    if case.rules.choice("steep") != "facing-enemy":
        raise UnseenError("steep slopes were left to chance")
    for relief in reliefs(case):
        placer = relief.hill.origin.placed_by
        if placer not in ENEMY or relief.all_round or not relief.steep:
            continue
        off = min(turn_between(relief.bearing(face), ENEMY[placer]) for face in relief.steep)
        if off > case.rules.number("side_turn") * 360 / SIDES:
            yield Sentence(
                "the steep slope of {relief} faces {off:.0f} degrees away from {placer}'s enemy",
                relief=relief.id,
                off=off,
                placer=placer,
            )


def _faces(case: BrantleyCase) -> Iterator[tuple[Hill, HillFace]]:
    return ((hill, face) for hill in case.hills() for face in hill.faces)


CHECKS: Final[Mapping[str, Check]] = {
    "BR-326": steep_is_impassable,
    "BR-G21": arcs,
    "BR-G22": different_arcs,
    "BR-G23": arcs_are_lines,
    "BR-G24": partial(has_going, lambda relief: None if relief.all_round else relief.going),
    "BR-G25": partial(has_going, lambda relief: relief.going),
    "BR-M28": facing_the_enemy,
    "BR-Q06": sides_are_named,
    "BR-Q07": steep_contours,
    "BR-Q08": partial(has_going, lambda relief: None if relief.all_round or relief.hill.cover else "good"),
    "BR-Q21": partial(
        has_going,
        lambda relief: "bad" if relief.hill.cover is Kind.LIGHT_WOODS and not relief.all_round else None,
    ),
}

"""Checks of the shape of hills: contours, steep sides, and the going that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final

import shapely
from msgspec import Struct

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, UnseenError
from printkit.systems.brantley.dealing.deal import ENEMY_BEARINGS, HILL_SIDES
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
    def is_steep_all_round(self) -> bool:
        """Return whether every side is steep."""
        return len(self.steep) == HILL_SIDES

    @property
    def cover(self) -> str:
        """Return the cover of the hill in words."""
        return cover_words(self.hill.cover)

    @property
    def required_going(self) -> str:
        """Return the required going of the hill: the worse of steep slopes all round and cover (BR-G25).

        It is the name ``impassable``, ``bad`` or ``good``.
        """
        return "impassable" if self.is_steep_all_round else self.cover_going(self.hill.cover)

    def cover_going(self, cover: Kind | None) -> str:
        """Return the going for a cover on a hill that is not steep all round (BR-G24).

        It is ``impassable`` for heavy woods, ``bad`` for light woods, and ``good`` without woods (None).

        Raises:
            KeyError: the cover is of another kind.
        """
        return {Kind.HEAVY_WOODS: "impassable", Kind.LIGHT_WOODS: "bad", None: "good"}[cover]

    def allows_going(self, going: str) -> bool:
        """Return whether the record gives the hill this going, or does not state one.

        ``going`` is a name such as ``bad``.
        """
        return self.hill.going.name in (going, "")

    def bearing(self, face: HillFace) -> float:
        """Return the direction from the middle of the hill to the middle of a side.

        It is in degrees anticlockwise from the x-axis.
        """
        return bearing(self.hill.outline.centroid, face.line.interpolate(0.5, normalized=True))


def find_reliefs(case: BrantleyCase) -> tuple[JudgedRelief, ...]:
    """Return the hills in the order of their zones; empty if there are none."""
    return tuple(JudgedRelief(hill=hill) for hill in case.hills())


def nearest_contour(hill: Hill, face: HillFace) -> int:
    """Return the index of the contour nearest to a steep side, 0 for the outermost."""
    middle = face.line.interpolate(0.5, normalized=True)
    distances = [contour.exterior.distance(middle) for contour in hill.contours]
    return distances.index(min(distances))


def cover_words(cover: Kind | None) -> str:
    """Return the cover of a hill in words for a message: heavily wooded, lightly wooded or open.

    None and every other kind count as open.
    """
    return {Kind.HEAVY_WOODS: Sentence("heavily wooded"), Kind.LIGHT_WOODS: Sentence("lightly wooded")}.get(
        cover or Kind.HILL, "open"
    )


def check_steep_impassable(case: BrantleyCase) -> Faults:
    """Check that every steep side is impassable (BR-326).

    It yields a sentence for each fault; nothing if there is none.
    """
    for hill, face in _find_faces(case):
        if face.going.name not in ("impassable", ""):
            yield Sentence(
                "side {side} of {hill} is steep, but it is {going} going",
                side=face.side,
                hill=hill.id,
                going=face.going.name,
            )


def check_side_numbers(case: BrantleyCase) -> Faults:
    """Check that steep slopes have side numbers, in order round the hill (BR-327, BR-Q06).

    It yields a sentence for each fault; nothing if there is none.
    """
    for relief in find_reliefs(case):
        for face in relief.steep:
            if not 0 <= face.side < HILL_SIDES:
                yield Sentence(
                    "{relief} has a steep slope {side}; sides are numbered 0 to {over}",
                    relief=relief.id,
                    side=face.side,
                    over=HILL_SIDES - 1,
                )
        for first, second in combinations(relief.steep, 2):
            expected_turn = (second.side - first.side) * 360 / HILL_SIDES
            deviation = turn_between(relief.bearing(second), relief.bearing(first) + expected_turn)
            if first.side == second.side or deviation > case.rules.number("side_turn") * 360 / HILL_SIDES:
                yield Sentence(
                    "the steep slopes {side} and {other_side} of {relief} are not where their numbers say",
                    side=first.side,
                    other_side=second.side,
                    relief=relief.id,
                )


def check_levels(case: BrantleyCase) -> Faults:
    """Check that a hill has one or two contours, one for each level (BR-G16).

    It yields a sentence for each fault; nothing if there is none.
    """
    for hill in case.hills():
        if len(hill.contours) > 2:
            yield Sentence("{hill} has {count} contours; a hill has one or two", hill=hill.id, count=len(hill.contours))


def check_full_outline(case: BrantleyCase) -> Faults:
    """Check that the four steep sides of a hill are together as long as its outline (BR-G21).

    It yields a sentence for each fault; nothing if there is none.
    """
    for relief in find_reliefs(case):
        sides_length, outline_length = plain_sum(face.line.length for face in relief.steep), relief.hill.outline.length
        if relief.is_steep_all_round and abs(sides_length - outline_length) > case.touch_mm * HILL_SIDES:
            yield Sentence(
                "the sides of {relief} add up to {together:.1f} mm, but its outline is {whole:.1f} mm",
                relief=relief.id,
                together=sides_length,
                whole=outline_length,
            )


def check_arcs_differ(case: BrantleyCase) -> Faults:
    """Check that no, one, two or all sides are steep, and that no two steep sides overlap (BR-G22).

    It yields a sentence for each fault; nothing if there is none.
    """
    for relief in find_reliefs(case):
        if len(relief.steep) not in (0, 1, 2, HILL_SIDES):
            yield Sentence(
                "{relief} has {count} steep slopes; only none, one, two or all {arcs} are allowed",
                relief=relief.id,
                count=len(relief.steep),
                arcs=HILL_SIDES,
            )
        for first, second in combinations(relief.steep, 2):
            overlap = first.line.intersection(second.line.buffer(case.touch_mm, cap_style="flat")).length
            if overlap > case.rules.length("covered_twice"):
                yield Sentence(
                    "{relief}: the steep slopes {side} and {other_side} overlap for {shared:.1f} mm",
                    relief=relief.id,
                    side=first.side,
                    other_side=second.side,
                    shared=overlap,
                )


def check_arcs_on_contour(case: BrantleyCase) -> Faults:
    """Check that a steep side is a line along the outer contour, and impassable (BR-G23).

    It yields a sentence for each fault; nothing if there is none.
    """
    for hill, face in _find_faces(case):
        distance = float(shapely.distance(hill.outline.exterior, shapely.points(face.line.coords)).max())
        if distance > case.touch_mm:
            yield Sentence(
                "side {side} of {relief} is {off:.1f} mm off the contour",
                side=face.side,
                relief=hill.id,
                off=distance,
            )
    yield from check_steep_impassable(case)


def check_going(find_going: Callable[[JudgedRelief], str | None], case: BrantleyCase) -> Faults:
    """Check that a hill has its required going, if there is one, from its slopes and its cover.

    It yields a sentence for each other going. ``find_going`` takes a hill and returns the name of its required going,
    or None to leave the hill out.
    """
    for relief in find_reliefs(case):
        going = find_going(relief)
        if going and not relief.allows_going(going):
            yield Sentence(
                "{relief} is {cover} with {count} steep slopes and {going} going; it should be {due}",
                relief=relief.id,
                cover=relief.cover,
                count=len(relief.steep),
                going=relief.hill.going.name,
                due=going,
            )


def check_steep_contours(case: BrantleyCase) -> Faults:
    """Check that the steep sides of a hill are on its outer contour (BR-Q07).

    It yields a sentence for each fault; nothing if there is none.
    """
    for hill, face in _find_faces(case):
        if nearest_contour(hill, face):
            yield Sentence("{hill} has the steep slope {side} on its inner contour", hill=hill.id, side=face.side)


def check_facing_enemy(case: BrantleyCase) -> Faults:
    """Check that one steep side faces the opponent's edge with ``steep=facing-enemy`` (BR-M28).

    It yields a sentence for each fault; nothing if there is none.

    Raises:
        UnseenError: the setting is another one.
    """
    if case.rules.choice("steep") != "facing-enemy":
        raise UnseenError("steep slopes were left to chance")
    for relief in find_reliefs(case):
        placer = relief.hill.origin.placed_by
        if placer not in ENEMY_BEARINGS or relief.is_steep_all_round or not relief.steep:
            continue
        deviation = min(turn_between(relief.bearing(face), ENEMY_BEARINGS[placer]) for face in relief.steep)
        if deviation > case.rules.number("side_turn") * 360 / HILL_SIDES:
            yield Sentence(
                "the steep slope of {relief} faces {off:.0f} degrees away from {placer}'s enemy",
                relief=relief.id,
                off=deviation,
                placer=placer,
            )


def _find_faces(case: BrantleyCase) -> Iterator[tuple[Hill, HillFace]]:
    """Return each steep side with its hill."""
    return ((hill, face) for hill in case.hills() for face in hill.faces)


CHECKS: Final[Mapping[str, Check]] = {
    "BR-326": check_steep_impassable,
    "BR-G22": check_arcs_differ,
    "BR-G23": check_arcs_on_contour,
    "BR-G24": partial(check_going, lambda relief: None if relief.is_steep_all_round else relief.required_going),
    "BR-G25": partial(check_going, lambda relief: relief.required_going),
    "BR-M28": check_facing_enemy,
    "BR-Q06": check_side_numbers,
    "BR-Q07": check_steep_contours,
    "BR-Q08": partial(check_going, lambda relief: None if relief.is_steep_all_round or relief.hill.cover else "good"),
    "BR-Q21": partial(
        check_going,
        lambda relief: "bad" if relief.hill.cover is Kind.LIGHT_WOODS and not relief.is_steep_all_round else None,
    ),
}

"""Checks of the placers' choices against the log: size, rotation and position of features, starts of courses."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
from shapely import box

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, combine_checks, ignoring_hand_edits
from printkit.systems.brantley.dealing.game_rules import inch_of
from printkit.systems.brantley.judge.areas import extent, inside_zone, room, turned_by_its_placer, turned_sides
from printkit.systems.brantley.judge.case import BrantleyCase, Check, rivers, roads
from printkit.systems.brantley.judge.courses import Ways, is_at, starts_on_edge


def sized_as_chosen(case: BrantleyCase) -> Faults:
    """Check that an outline has the size and rotation of the log (BR-342, BR-343).

    A feature without enough space was shrunk until it fitted (BR-G05). A feature that fitted at no chosen angle is not
    rotated.
    """
    for feature in case.ground:
        sizes, facings = case.decided(feature.id, "size of"), case.decided(feature.id, "facing of")
        try:
            long, short = (float(side) * inch_of(case.rules) for side in sizes[-1].split("x"))
            turns = [float(facings[-1]), *([0.0] if len(facings) > 1 else [])]
        except (IndexError, ValueError):
            continue
        shrunk = max(extent(feature)) > room(case) - case.rules.length("apart")
        found = list(zip(*turned_sides(feature, np.radians(turns)), strict=True))
        if not any(_is_size(wide, deep, (long, short), case, shrunk=shrunk) for wide, deep in found):
            yield Sentence(
                "{feature} is {wide:.1f} x {deep:.1f} mm when turned back by {turn:g} degrees; in the log "
                "it is {long:.1f} x {short:.1f} mm",
                feature=feature.id,
                wide=found[0][0],
                deep=found[0][1],
                turn=turns[0],
                long=long,
                short=short,
            )


def _is_size(wide: float, deep: float, size: tuple[float, float], case: BrantleyCase, *, shrunk: bool) -> bool:
    factor = min(1.0, wide / size[0]) if shrunk else 1.0
    return max(abs(wide - factor * size[0]), abs(deep - factor * size[1])) <= case.rules.length("apart")


def placed_as_chosen(case: BrantleyCase) -> Faults:
    """Check that a feature is at the side of its zone that the log gives, if there is space to move (BR-343)."""
    for feature in case.ground:
        zone = case.zones[case.zone_of(feature) - 1].centroid
        at = box(*feature.outline.bounds).centroid
        free = room(case) - max(extent(feature))
        for chosen in case.decided(feature.id, "place in its zone of")[-1:]:
            words = chosen.split()
            due = ("right" in words) - ("left" in words), ("far" in words) - ("near" in words)
            lies = (_side(at.x - zone.x, case), _side(at.y - zone.y, case))
            if lies != due and free > case.rules.length("room_to_lie"):
                yield Sentence("{feature} is not {chosen} in its zone", feature=feature.id, chosen=chosen)


def _side(off: float, case: BrantleyCase) -> int:
    """Return 0 for the middle of the zone, otherwise the sign of the side."""
    return 0 if abs(off) <= case.rules.length("apart") else int(math.copysign(1, off))


def starts_as_chosen(found: Ways, case: BrantleyCase) -> Faults:
    """Check that a course starts where its placer chose, if the log has only one try (BR-404, BR-504)."""
    for way in found(case):
        asked = [
            (throw.reason.partition(": ")[2], throw.answer)
            for throw in case.record.log
            if throw.stage in ("rivers", "roads") and throw.reason.partition(":")[0].endswith(f" {way.id}")
        ]
        kinds = [kind for kind, _ in asked]
        chosen = dict(asked)
        start = chosen.get("corridor") or (chosen.get("start") if len(kinds) == len(chosen) else None)
        if start and not is_at(case, way, start):
            yield Sentence(
                "{way} starts at {start}; in the log it starts at {chosen}", way=way.id, start=way.start, chosen=start
            )


CHECKS: Final[Mapping[str, Check]] = {
    "BR-342": combine_checks(turned_by_its_placer, ignoring_hand_edits(sized_as_chosen)),
    "BR-343": combine_checks(inside_zone, ignoring_hand_edits(sized_as_chosen), ignoring_hand_edits(placed_as_chosen)),
    "BR-404": combine_checks(partial(starts_on_edge, rivers), partial(starts_as_chosen, rivers)),
    "BR-504": combine_checks(partial(starts_on_edge, roads), partial(starts_as_chosen, roads)),
}

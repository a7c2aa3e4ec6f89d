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
from printkit.systems.brantley.dealing.game_rules import rule_inch_mm
from printkit.systems.brantley.judge.areas import (
    AREA_CHECKS,
    check_rotated_by_placer,
)
from printkit.systems.brantley.judge.case import BrantleyCase, Check, find_rivers, find_roads, rotated_extents
from printkit.systems.brantley.judge.courses import Ways, check_starts_on_edge, starts_at


def check_chosen_size(case: BrantleyCase) -> Faults:
    """Check that an outline has the size and rotation of the log (BR-342, BR-343).

    A feature without enough space was shrunk until it fitted (BR-G05). A feature that fitted at no chosen angle is not
    rotated. It yields a sentence for each fault; nothing if there is none.
    """
    for feature, area in zip(case.ground, case.area_surroundings.areas, strict=True):
        sizes, facings = case.find_decisions(feature.id, "size of"), case.find_decisions(feature.id, "facing of")
        try:
            long, short = (float(side) * rule_inch_mm(case.rules) for side in sizes[-1].split("x"))
            angles = [float(facings[-1]), *([0.0] if len(facings) > 1 else [])]
        except (IndexError, ValueError):
            continue
        is_shrunk = max(area.extent) > case.free_side_mm - case.rules.length("apart")
        extents = list(zip(*rotated_extents(feature, np.radians(angles)), strict=True))
        if not any(_matches_size(width, depth, (long, short), case, is_shrunk=is_shrunk) for width, depth in extents):
            yield Sentence(
                "{feature} is {wide:.1f} x {deep:.1f} mm when turned back by {turn:g} degrees; in the log "
                "it is {long:.1f} x {short:.1f} mm",
                feature=feature.id,
                wide=extents[0][0],
                deep=extents[0][1],
                turn=angles[0],
                long=long,
                short=short,
            )


def _matches_size(
    width: float, depth: float, size: tuple[float, float], case: BrantleyCase, *, is_shrunk: bool
) -> bool:
    """Return whether a measured outline has the size of the log; all lengths are in mm on the board.

    ``size`` is the long and the short side. With ``is_shrunk`` the outline may be smaller in the same proportions.
    """
    factor = min(1.0, width / size[0]) if is_shrunk else 1.0
    return max(abs(width - factor * size[0]), abs(depth - factor * size[1])) <= case.rules.length("apart")


def check_chosen_position(case: BrantleyCase) -> Faults:
    """Check that a feature is at the side of its zone that the log gives, if it can move (BR-343).

    It yields a sentence for each fault; nothing if there is none.
    """
    for feature, area in zip(case.ground, case.area_surroundings.areas, strict=True):
        zone_centre = area.zone.centroid
        centre = box(*feature.outline.bounds).centroid
        free_mm = case.free_side_mm - max(area.extent)
        for position_text in case.find_decisions(feature.id, "place in its zone of")[-1:]:
            words = position_text.split()
            expected = ("right" in words) - ("left" in words), ("far" in words) - ("near" in words)
            actual = (_offset_sign(centre.x - zone_centre.x, case), _offset_sign(centre.y - zone_centre.y, case))
            if actual != expected and free_mm > case.rules.length("room_to_lie"):
                yield Sentence("{feature} is not {chosen} in its zone", feature=feature.id, chosen=position_text)


def _offset_sign(offset_mm: float, case: BrantleyCase) -> int:
    """Return 0 for an offset (mm on the board) near the zone's middle, otherwise its sign, 1 or -1."""
    return 0 if abs(offset_mm) <= case.rules.length("apart") else int(math.copysign(1, offset_mm))


def check_chosen_start(courses: Ways, case: BrantleyCase) -> Faults:
    """Check that a course starts where its placer chose, if the log has only one try (BR-404, BR-504).

    It yields a sentence for each fault; nothing if there is none. ``courses`` returns the rivers or the roads of a
    case.
    """
    for course in courses(case):
        answers = [
            (throw.reason.partition(": ")[2], throw.answer)
            for throw in case.record.log
            if throw.stage in ("rivers", "roads") and throw.reason.partition(":")[0].endswith(f" {course.id}")
        ]
        kinds = [kind for kind, _ in answers]
        choices = dict(answers)
        start = choices.get("corridor") or (choices.get("start") if len(kinds) == len(choices) else None)
        if start and not starts_at(case, course, start):
            yield Sentence(
                "{way} starts at {start}; in the log it starts at {chosen}",
                way=course.id,
                start=course.start,
                chosen=start,
            )


CHECKS: Final[Mapping[str, Check]] = {
    "BR-342": combine_checks(check_rotated_by_placer, ignoring_hand_edits(check_chosen_size)),
    "BR-343": combine_checks(
        AREA_CHECKS["BR-343"], ignoring_hand_edits(check_chosen_size), ignoring_hand_edits(check_chosen_position)
    ),
    "BR-404": combine_checks(partial(check_starts_on_edge, find_rivers), partial(check_chosen_start, find_rivers)),
    "BR-504": combine_checks(partial(check_starts_on_edge, find_roads), partial(check_chosen_start, find_roads)),
}

"""In which stage of a game a feature came about: by its throws, else by what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from printkit.chance.dice import Throw
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Course, Crossing, Feature, Hill, Kind

_STAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "crossing": ("crossings", "fords", "bridges", "roads", "ways"),
    "water": ("rivers", "river", "waters", "streams", "courses"),
    "way": ("roads", "road", "ways", "courses"),
    "hill": ("hills", "relief", "features", "areas", "terrain"),
    "area": ("features", "areas", "terrain", "hills"),
}
"""Names of stages in which features of a sort may come about, the likeliest first."""

_WATERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK, Kind.WATERWAY)


def stage_of(feature: Feature, log: Sequence[Throw], stages: Sequence[str]) -> str:
    """Return the stage in which a feature came about.

    The stage of its last throw; for one without throws, as drawn by hand or put where courses meet, the first of the
    system's stages that makes such features, or the last of all.
    """
    places = [place for place in feature.origin.throws if 0 < place <= len(log)]
    if places:
        return log[places[-1] - 1].stage
    for name in _STAGES[_sort(feature)]:
        if name in stages:
            return name
    return stages[-1] if stages else ""


def stages_in(field: Battlefield, log: Sequence[Throw], stages: Sequence[str]) -> dict[str, str]:
    """Return the stage of each feature of a field by its ID; no crossing comes before what crosses there.

    A railway bridge has no throw of its own, and would come with the roads, before there is a railway.
    """
    found = {feature.id: stage_of(feature, log, stages) for feature in field.features}
    order = list(dict.fromkeys((*stages, *(throw.stage for throw in log), *found.values())))
    for feature in field.features:
        if isinstance(feature, Crossing):
            needed = (feature.id, feature.way, feature.water)
            found[feature.id] = max((found[each] for each in needed if each in found), key=order.index)
    return found


def _sort(feature: Feature) -> str:
    match feature:
        case Crossing():
            return "crossing"
        case Course():
            return "water" if feature.kind in _WATERS else "way"
        case Hill():
            return "hill"
        case _:
            return "area"

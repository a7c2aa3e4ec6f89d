"""No kind is forgotten: each has its sign in every style, its words, its line of the legend and its specimen.

And each is told from all others where only black is printed: the ink-saver's fields are rendered as a laser printer
sets them and compared by numbers that know nothing of place, form or size of what was drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely
from inks import ink_share
from msgspec.structs import replace
from numpy.typing import NDArray
from textures import bits, features

from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, LayerName, Path, Rect
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.specimens import FIELD, Specimen, specimen_field, specimen_name, specimens
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.signs.catalogue import SIGNS
from printkit.page.sheet import document_of
from printkit.terrain.field.features import (
    BUILT,
    STILL_WATERS,
    WOODS,
    Area,
    Course,
    Crossing,
    Feature,
    Hill,
    Kind,
)
from printkit.terrain.geometry.outlines import Noise

STYLES = ("campaign", "high-contrast", "ink-saver")
SHOWN = {specimen.key: specimen for specimen in specimens()}

LEGEND = {Kind.HILL: "gentle_slope"}
"""Kinds whose line of the legend is not called by their own name."""

ALIKE = {
    frozenset({Kind.HEAVY_WOODS, Kind.FOREST}): "two names of closed woods, drawn alike on purpose",
    frozenset({Kind.ENCLOSURE, Kind.PLOUGH}): "an enclosure is a field of either use, by the seed",
    frozenset({Kind.ENCLOSURE, Kind.CROPS}): "an enclosure is a field of either use, by the seed",
}
"""Pairs that need not be told apart, and why."""

HANDS = ((0, False), (1, True))
"""Seeds of the drawn examples, and whether the ground is mirrored: no two have form or irregularity in common."""


@cache
def context(name: str, seed: int = 0) -> SymbolContext:
    jitter = Jitter(seed)
    return SymbolContext(style=style.find(name), jitter=jitter, noise=noise(seed))


@cache
def noise(seed: int) -> Noise:
    return Noise.from_stream(Jitter(seed).stream("draw/noise"))


def drawn(key: str, name: str, seed: int = 0, *, mirrored: bool = False) -> Drawing:
    return _drawn(str(key), name, seed, mirrored)


@lru_cache(maxsize=512)
def _drawn(key: str, name: str, seed: int, mirrored: bool) -> Drawing:
    specimen = SHOWN[key]
    return specimen_field(_mirrored(specimen) if mirrored else specimen, context(name, seed))


def _mirrored(specimen: Specimen) -> Specimen:
    return replace(specimen, sample=lambda width, height: tuple(map(_turned, specimen.sample(width, height))))


def _turned(feature: Feature) -> Feature:
    """Return a feature of a field with left and right exchanged."""
    match feature:
        case Area():
            return replace(feature, outline=_flipped(feature.outline))
        case Hill():
            faces = tuple(replace(face, line=_flipped(face.line).reverse()) for face in feature.faces)
            return replace(feature, contours=tuple(map(_flipped, feature.contours)), faces=faces)
        case Course():
            return replace(feature, line=_flipped(feature.line))
        case Crossing():
            return replace(feature, at=_flipped(feature.at), bearing=180 - feature.bearing)


def _flipped(shape: Any) -> Any:
    return shapely.transform(shape, lambda points: points * (-1, 1) + (FIELD[0], 0))


# --- Nothing is missing -----------------------------------------------------------------------------------------------


def test_every_kind_has_a_sign_of_the_family_that_it_is_of() -> None:
    """A steep slope is drawn with its hill. Hexes, names and streams ask for families: each sign is of its own."""
    assert set(Kind) - set(SIGNS) == {Kind.STEEP_SLOPE}
    assert set(SIGNS) <= set(Kind)
    signs = "printkit.drawing.signs"
    modules = {kind: sign.__module__.removeprefix(f"{signs}.") for kind, sign in SIGNS.items()}
    built = {kind for kind, module in modules.items() if module.startswith("built.") and module != "built.fields"}
    assert built == set(BUILT)
    assert {kind for kind, module in modules.items() if module == "cover.woods"} == set(WOODS)
    assert {kind for kind, module in modules.items() if module == "cover.shores"} == set(STILL_WATERS)


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_and_specimen_has_a_word(language: str) -> None:
    words = find_words(language)
    assert [kind for kind in Kind if not words.has(f"kind.{kind}")] == []
    assert [entry.key for entry in ENTRIES if not words.has(f"legend.{entry.key}")] == []
    names = [specimen_name(specimen, words) for specimen in SHOWN.values()]
    assert all(names)
    assert len(set(names)) == len(names)


def test_every_kind_has_its_specimen_and_a_line_in_the_legend_that_finds_it() -> None:
    entries = {entry.key: entry for entry in ENTRIES}
    assert len(entries) == len(ENTRIES)
    missing = []
    for kind in Kind:
        entry = entries.get(LEGEND.get(kind, kind.value))
        if entry is None or not list(entry.goings(SHOWN[kind].field(*FIELD))):
            missing.append(kind.value)
    assert missing == []
    assert [kind for kind in Kind if kind.value not in SHOWN] == []
    assert len(SHOWN) == len(list(specimens()))
    for specimen in SHOWN.values():
        kinds = {feature.kind for feature in specimen.field(*FIELD).features}
        faces = {
            face.kind
            for feature in specimen.field(*FIELD).features
            if isinstance(feature, Hill)
            for face in feature.faces
        }
        assert set(specimen.kinds) <= kinds | faces, specimen.key


# --- Every field draws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STYLES)
def test_every_specimen_draws_in_its_field_and_nowhere_else(name: str) -> None:
    bare = _signs(specimen_field(replace(SHOWN[Kind.HILL], sample=lambda *_: ()), context(name)))
    for key in SHOWN:
        made = drawn(key, name)
        picture, rule = made.layers
        assert (made.width, made.height) == FIELD
        assert picture.clip == Rect(0.0, 0.0, *FIELD)
        assert rule.name is LayerName.MARGIN
        assert all(isinstance(item, Path) and item.fill is None for item in rule.items)
        corners = [point for item in rule.items if isinstance(item, Path) for run in item.runs for point in run.points]
        assert set(corners) == {0, 100 * FIELD[0], 100 * FIELD[1]}
        assert len(_signs(made) - bare) > 0, f"{key} draws nothing in {name}"


@pytest.mark.parametrize("key", sorted(SHOWN))
def test_the_ink_saver_draws_every_sign_with_less_ink(key: str) -> None:
    usual, saved = (ink_share(document_of(drawn(key, name))) for name in ("campaign", "ink-saver"))
    assert saved < 0.75 * usual


def _signs(drawing: Drawing) -> set[object]:
    return set(drawing.layers[0].items)


# --- Black alone tells all kinds apart --------------------------------------------------------------------------------


@cache
def looks() -> Mapping[Kind, NDArray[np.float64]]:
    """Return two lines of numbers a kind: of each hand that drew it."""
    found = {}
    for kind in Kind:
        groups = [features(bits(drawn(kind, "ink-saver", seed, mirrored=mirrored))) for seed, mirrored in HANDS]
        found[kind] = np.array([np.concatenate([_even(*group) for group in each.items()]) for each in groups])
    return found


def _even(name: str, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return numbers whose chance is about the same, be they large or small."""
    return np.log(numbers + 0.005) if name == "ink" else np.sqrt(numbers)


@cache
def _spread() -> NDArray[np.float64]:
    """Return how far two hands lie apart in each number, over all kinds but the one that is two by its nature."""
    apart = [np.ptp(look, axis=0) for kind, look in looks().items() if kind is not Kind.ENCLOSURE]
    found = np.sqrt(np.mean(np.square(apart), axis=0) / 2)
    return np.asarray(np.maximum(found, 0.3 * np.median(found)))


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(np.square((one - other) / _spread()))))


def _nearest(one: Kind, other: Kind) -> float:
    return min(_apart(mine, its) for mine in looks()[one] for its in looks()[other])


def test_every_kind_is_told_from_all_others_in_black() -> None:
    """Any two kinds lie farther apart than two drawings of any one kind by different hands."""
    margin = max(_apart(*look) for kind, look in looks().items() if kind is not Kind.ENCLOSURE)
    confused = [
        f"{one} and {other}: {apart:.2f}, as two drawings of one kind: {margin:.2f}"
        for one, other in combinations(Kind, 2)
        if (apart := _nearest(one, other)) <= margin and frozenset({one, other}) not in ALIKE
    ]
    assert confused == []


def test_only_what_is_one_sign_is_let_off() -> None:
    """What is excused from being told apart is in truth the same sign, else it would be no excuse."""
    for one, other in map(tuple, ALIKE):
        own = max(_apart(*looks()[kind]) for kind in (one, other) if kind is not Kind.ENCLOSURE)
        assert _nearest(one, other) < own, (one, other)


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        (Kind.ROAD, Kind.FENCED_ROAD, 1.5),
        (Kind.ROAD, Kind.SUNKEN_LANE, 1.5),
        (Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, 1.5),
        (Kind.HEAVY_WOODS, Kind.CONIFER_FOREST, 1.5),
        (Kind.FORD, Kind.BRIDGE, 1.5),
        (Kind.MARSH, Kind.BROKEN_GROUND, 1.5),
        (Kind.WALL, Kind.HEDGE, 1.5),
        (Kind.FENCE, Kind.WORM_FENCE, 1.5),
    ],
)
def test_what_players_must_not_mistake_differs_by_far(one: Kind, other: Kind, least: float) -> None:
    own = max(_apart(*looks()[kind]) for kind in (one, other))
    assert _nearest(one, other) >= least * own

"""Another battlefield like one, but: it has the same settings, fits the wish best, and is as legal as any other."""

from __future__ import annotations

import pytest

from printkit.api import Field, generate
from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.kit import registry
from printkit.recipes.game.like import WISHES, like
from printkit.terrain.field.features import Course, Hill, Kind

_WORDS = find_words("en")
_SEEDS = range(50, 54)
_COUNTED = {
    "more-hills": lambda feature: isinstance(feature, Hill),
    "river": lambda feature: isinstance(feature, Course) and feature.kind is Kind.RIVER,
    "more-woods": lambda feature: feature.kind in (Kind.LIGHT_WOODS, Kind.HEAVY_WOODS),
}


def test_the_best_of_several_is_one_of_them_and_says_what_it_has() -> None:
    made = generate("brantley", seed=3)
    others = [generate("brantley", seed=seed) for seed in _SEEDS]
    for wish in WISHES[:-1]:
        found = like(registry.find("brantley"), made.record, wish, _SEEDS[0], _WORDS, tries=len(_SEEDS))
        assert Field(record=found.game.record).geojson in [other.geojson for other in others]
        if counts := _COUNTED.get(wish):
            numbers = [sum(map(counts, field.record.battlefield.features)) for field in (made, *others)]
            assert (found.before, found.count) == (numbers[0], max(numbers[1:]))


def test_other_names_keep_the_rolls_and_the_seed() -> None:
    made = generate("dba3", seed=3)
    record = like(registry.find("dba3"), made.record, "other-names", 1, _WORDS).game.record
    assert (record.seed, record.log) == (made.record.seed, made.record.log)
    names = [{feature.name for feature in each.battlefield.features} for each in (record, made.record)]
    assert names[0] != names[1]
    assert not Field(record=record).check().broken


def test_an_unknown_wish_is_refused() -> None:
    made = generate("brantley", seed=3)
    with pytest.raises(UsageError, match="there is no wish 'castles'"):
        like(registry.find("brantley"), made.record, "castles", 1, _WORDS)

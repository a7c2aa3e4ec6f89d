"""Another battlefield like one, but: it has the same settings, fits the wish best, and is as legal as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.api import Field, generate
from printkit.cli.app import run
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


def test_the_command_line_prints_the_battlefield_that_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def written(*words: str) -> bytes:
        folder = tmp_path / "-".join(words).replace("/", "")[-60:]
        assert run(["map", *words, "--to", "json", "--lang", "en", f"--out={folder}"]) == 0
        (path,) = folder.glob("records/*.json")
        return path.read_bytes()

    # The search ends at the first battlefield without a town, which is that of the next seed.
    without_town = written("--seed", "5")
    capsys.readouterr()
    assert written("--seed", "4", "--like", "no-towns") == without_town
    assert "Best of 12: 0 towns instead of 2" in capsys.readouterr().err
    record = tmp_path / "game.json"
    record.write_bytes(written("--seed", "4"))
    assert written("--from", str(record), "--seed", "5", "--like", "no-towns") == without_town
    assert run(["map", "--like", "no-towns", "--count", "2", "--plan", "--lang", "en"]) == 2
    assert "remove --count and --plan" in capsys.readouterr().err

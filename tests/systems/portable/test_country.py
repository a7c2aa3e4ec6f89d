"""The country: relief, use of the land, forest, climate, and what they choose (PW0-16, PW0-17)."""

from __future__ import annotations

from itertools import product

import pytest
from first_version import book, seeded

from printkit.core.words import find_words
from printkit.kit.rules import Rules
from printkit.systems.portable.grid.geography import Geography, parse_count
from printkit.terrain.field.features import Kind


def country(**settings: str) -> Geography:
    return Geography.from_rules(Rules.of(book(), {key.replace("_", "-"): value for key, value in settings.items()}))


@pytest.mark.clause("PW0-16")
@pytest.mark.parametrize(
    ("settings", "trees", "places"),
    [
        ({"relief": "hilly", "forested": "yes", "area": "desert"}, "forested", "sparse"),
        ({"relief": "mountainous", "area": "desert"}, "desert", "sparse"),
        ({"relief": "mountainous", "area": "urban"}, "mountainous", "urban"),
        ({"relief": "hilly", "area": "wild"}, "hilly", "sparse"),
        ({"relief": "open", "area": "cultivated"}, "flat", "rural"),
        ({"relief": "undulating", "area": "rural", "forested": "yes"}, "forested", "rural"),
    ],
)
def test_the_first_match_chooses_the_table(settings: dict[str, str], trees: str, places: str) -> None:
    found = country(**settings)
    assert (found.trees_table, found.habitation_table) == (trees, places)
    assert found.hills_table == {"open": "flat"}.get(settings["relief"], settings["relief"])
    assert found.fields_table == ("" if places == "sparse" else places)


@pytest.mark.clause("PW0-17")
@pytest.mark.parametrize(
    ("preset", "relief", "area", "forested"),
    [
        ("undulating-desert", "undulating", "desert", False),
        ("hilly-rural", "hilly", "rural", False),
        ("flat-rural", "flat", "rural", False),
        ("mountainous", "mountainous", "wild", False),
        ("undulating-urban", "undulating", "urban", False),
        ("hilly-forest", "hilly", "wild", True),
        ("forest-track", "undulating", "rural", True),
    ],
)
def test_the_presets_are_the_terrains_of_the_author(preset: str, relief: str, area: str, forested: bool) -> None:
    found = country(preset=preset)
    assert (found.relief, found.area, found.forested) == (relief, area, forested)
    assert country(preset=preset, relief="flat").relief == "flat"
    assert country(preset=preset, area="urban").area == "urban"


@pytest.mark.clause("PW0-16", "PW0-17")
def test_roads_are_tracks_where_few_people_live() -> None:
    ways = {"forest-track": Kind.TRACK, "hilly-rural": Kind.ROAD, "undulating-desert": Kind.TRACK}
    assert {preset: country(preset=preset).road_kind for preset in ways} == ways


@pytest.mark.clause("PW1-42")
def test_the_climate_chooses_the_trees() -> None:
    kinds = {
        "hot": Kind.PALM_FOREST, "tropical": Kind.PALM_FOREST, "cold": Kind.CONIFER_FOREST,
        "mountain": Kind.CONIFER_FOREST, "temperate": Kind.WOODLAND, "monsoon": Kind.WOODLAND,
    }  # fmt: skip
    assert {climate: country(climate=climate).trees for climate in kinds} == kinds
    assert {piece.kind for piece in seeded(1, trees="2", climate="cold").of(Kind.CONIFER_FOREST)}


def test_every_country_has_titles_in_both_languages() -> None:
    words = find_words("en+es")
    for relief, area in product(("flat", "undulating", "hilly", "mountainous"), ("rural", "urban", "desert", "wild")):
        titles = country(relief=relief, area=area).titles
        assert len(titles) == 5
        assert all(words.has(title) for title in titles)


@pytest.mark.clause("PWA-12")
def test_courses_are_counted_or_wanted_or_not() -> None:
    assert [parse_count(text) for text in ("yes", "no", "0", "2")] == [1, 0, 0, 2]

"""Names come from the word lists, repeat with the seed, and are told apart on one board."""

from __future__ import annotations

import pytest
from shapely import box

from printkit.chance.streams import Jitter
from printkit.core.errors import BookError, UsageError
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.names import christen, name_book

BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=40.0))
BAD = Going(2, "bad")


def field(*kinds: Kind) -> Battlefield:
    areas = (Area(id=f"z{n}", kind=kind, outline=box(n, n, n + 1, n + 1), going=BAD) for n, kind in enumerate(kinds))
    return Battlefield(board=BOARD, features=tuple(areas))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("period", ["ancient", "medieval", "horse-and-musket"])
def test_every_natural_kind_and_every_settlement_gets_a_name_of_its_own(language: str, period: str) -> None:
    kinds = (Kind.HILL, Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.BROKEN_GROUND, Kind.MARSH, Kind.LAKE, Kind.BUA) * 3
    for seed in range(25):
        names = [feature.name for feature in christen(field(*kinds), language, period, Jitter(seed)).features]
        assert all(names)
        assert len(set(names)) == len(names)
        assert not any("{" in name for name in names)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_period_that_is_alone_takes_its_own_forms_only(language: str) -> None:
    book = name_book(language)
    assert book.alone == {"american", "desert", "steppe"}
    for seed in range(40):
        for period in sorted(book.alone):
            name = book.name("hill", period, Jitter(seed).stream("hill"))
            shared = {form.split("}")[-1].strip() for form in book.forms["any"]["hill"]} | {"Barrow", "Law", "Down"}
            assert name
            assert not any(word and name.endswith(f" {word}") for word in shared - {"Hill", "Rise"})


@pytest.mark.parametrize("language", ["en", "es"])
def test_american_tables_have_names_for_all_that_people_there_named(language: str) -> None:
    kinds = (
        *(Kind.HILL, Kind.RISE, Kind.LONG_HILL, Kind.SPUR, Kind.WOODLAND, Kind.FOREST, Kind.STREAM, Kind.CREEK),
        *(Kind.RIVER, Kind.SWAMP, Kind.POOL, Kind.RAVINE, Kind.FARM, Kind.BUILDING, Kind.SETTLEMENT, Kind.TOWN),
        *(Kind.FORT, Kind.ROAD, Kind.FENCED_ROAD, Kind.RAILWAY, Kind.FORD),
    )
    for seed in range(10):
        features = christen(field(*kinds, *kinds), language, "american", Jitter(seed)).features
        names = [feature.name for feature in features]
        assert all(names)
        assert len(set(names)) == len(names)
    bare = christen(field(Kind.WALL, Kind.CROPS, Kind.TRACK), language, "american", Jitter(1)).features
    assert not any(feature.name for feature in bare)


@pytest.mark.parametrize(
    ("language", "period"), [("en", "desert"), ("es", "desert"), ("en", "steppe"), ("es", "steppe")]
)
def test_dry_countries_have_names_of_their_own(language: str, period: str) -> None:
    kinds = (Kind.HILL, Kind.ROUGH_GROUND, Kind.OASIS, Kind.SCRUB, Kind.GULLY, Kind.BUA, Kind.RIVER) * 2
    names = [feature.name for feature in christen(field(*kinds), language, period, Jitter(2)).features]
    assert all(names)
    assert len(set(names)) == len(names)


def test_a_name_depends_on_its_feature_alone() -> None:
    few = christen(field(Kind.HILL), "en", "ancient", Jitter(3))
    many = christen(field(Kind.HILL, Kind.MARSH, Kind.LAKE), "en", "ancient", Jitter(3))
    assert few.features[0].name == many.features[0].name


def test_crossings_and_roads_stay_unnamed_and_given_names_stay() -> None:
    assert christen(field(Kind.ROAD), "en", "ancient", Jitter(1)).features[0].name == ""
    assert christen(field(Kind.HILL), "en", "none", Jitter(1)).features[0].name == ""


def test_an_unknown_period_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="ancient, medieval"):
        christen(field(Kind.HILL), "en", "stone-age", Jitter(1))


def test_a_book_of_ones_own_is_checked(tmp_path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[any]\nhill = ["{owner} Hill"]\n', encoding="utf-8")
    with pytest.raises(BookError, match=r"any\.hill asks for a list 'owner'"):
        name_book(str(path))

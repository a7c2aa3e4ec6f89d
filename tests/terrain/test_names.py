"""Names come from the word lists, repeat with the seed, and are told apart on one board."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from shapely import box

from printkit.chance.streams import Jitter
from printkit.core.errors import BookError, UsageError
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.names import draw_name, load_name_book

BOARD = Board(609.6, 609.6, GroundScale(pace=0.254, base_width=40.0))
BAD = Going(2, "bad")


def field(*kinds: Kind) -> Battlefield:
    areas = (Area(id=f"z{n}", kind=kind, outline=box(n, n, n + 1, n + 1), going=BAD) for n, kind in enumerate(kinds))
    return Battlefield(board=BOARD, features=tuple(areas))


def names(kinds: Iterable[Kind], language: str, period: str, seed: int) -> list[str]:
    """Return the names of some ground; each has one of its own."""
    found = [feature.name for feature in draw_name(field(*kinds), language, period, Jitter(seed)).features]
    assert all(found)
    assert len(set(found)) == len(found)
    return found


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("period", ["ancient", "medieval", "horse-and-musket"])
def test_every_natural_kind_and_every_settlement_gets_a_name_of_its_own(language: str, period: str) -> None:
    kinds = (Kind.HILL, Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.BROKEN_GROUND, Kind.MARSH, Kind.LAKE, Kind.BUA) * 3
    for seed in range(25):
        assert not any("{" in name for name in names(kinds, language, period, seed))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_period_that_is_alone_takes_its_own_forms_only(language: str) -> None:
    book = load_name_book(language)
    assert book.exclusive_periods == {"american", "desert", "steppe"}
    for seed in range(40):
        for period in sorted(book.exclusive_periods):
            name = book.name("hill", period, Jitter(seed).stream("hill"))
            shared = {form.split("}")[-1].strip() for form in book.forms["any"]["hill"]} | {"Barrow", "Law", "Down"}
            assert name
            assert not any(word and name.endswith(f" {word}") for word in shared - {"Hill", "Rise"})


@pytest.mark.parametrize("language", ["en", "es"])
def test_american_and_dry_countries_have_names_for_all_that_people_there_named(language: str) -> None:
    kinds = (
        *(Kind.HILL, Kind.RISE, Kind.LONG_HILL, Kind.SPUR, Kind.WOODLAND, Kind.FOREST, Kind.STREAM, Kind.CREEK),
        *(Kind.RIVER, Kind.SWAMP, Kind.POOL, Kind.RAVINE, Kind.FARM, Kind.BUILDING, Kind.SETTLEMENT, Kind.TOWN),
        *(Kind.FORT, Kind.ROAD, Kind.FENCED_ROAD, Kind.RAILWAY, Kind.FORD),
    )
    for seed in range(10):
        names((*kinds, *kinds), language, "american", seed)
    bare = draw_name(field(Kind.WALL, Kind.CROPS, Kind.TRACK), language, "american", Jitter(1)).features
    assert not any(feature.name for feature in bare)
    dry = (Kind.HILL, Kind.ROUGH_GROUND, Kind.OASIS, Kind.SCRUB, Kind.GULLY, Kind.BUA, Kind.RIVER) * 2
    for period in ("desert", "steppe"):
        names(dry, language, period, 2)


def test_a_name_depends_on_its_feature_alone_and_what_has_none_stays_so() -> None:
    few = draw_name(field(Kind.HILL), "en", "ancient", Jitter(3))
    many = draw_name(field(Kind.HILL, Kind.MARSH, Kind.LAKE), "en", "ancient", Jitter(3))
    assert few.features[0].name == many.features[0].name
    assert draw_name(field(Kind.ROAD), "en", "ancient", Jitter(1)).features[0].name == ""
    assert draw_name(field(Kind.HILL), "en", "none", Jitter(1)).features[0].name == ""


def test_unknown_periods_and_lists_are_refused(tmp_path) -> None:
    with pytest.raises(UsageError, match="ancient, medieval"):
        draw_name(field(Kind.HILL), "en", "stone-age", Jitter(1))
    path = tmp_path / "mine.toml"
    path.write_text('[any]\nhill = ["{owner} Hill"]\n', encoding="utf-8")
    with pytest.raises(BookError, match=r"any\.hill uses a list 'owner'"):
        load_name_book(str(path))

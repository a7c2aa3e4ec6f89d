"""The rule book of Solo DBA: every clause, every key of the register, and the lists that the rules of DBA lend it."""

from __future__ import annotations

import pytest
from solo_games import RULES

from printkit.core.errors import ScenarioError
from printkit.core.words import find as language
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.solo.armies.army_files import sample_names
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.system import SoloDba
from printkit.systems.solo.terrain.topography import SelectionCountry

BOOK = RULES.book


def family(start: str) -> list[str]:
    return [clause for clause in BOOK.clauses if clause.startswith(start)]


@pytest.mark.clause("ST-78")
def test_the_book_lists_every_clause_as_appendix_b_counts_them_and_gives_each_a_title() -> None:
    assert len(family("SD-")) == 264
    assert family("AMB-") == [f"AMB-{number:02d}" for number in range(1, 48)]
    assert family("ST-") == [f"ST-{number:02d}" for number in range(1, 79)]
    modifiers = {"2.2.1": 7, "3.1.1": 4, "3.1.2": 1, "3.2.1": 5, "4.1": 9, "4.2": 3, "4.4": 8, "4.6": 12, "4.7": 8}
    rows = {"3.1.1": 2, "3.1.2": 1, "3.2.1": 2, "3.3.1": 4, "3.3.2": 4, "3.3.3": 4, "3.3.4": 6, "3.3.5": 6, "4.4": 2}
    counted = {f"{section}-m": count for section, count in (modifiers | {"5.2": 5, "5.3": 7}).items()}
    counted |= {f"{section}-r": count for section, count in (rows | {"4.7": 5, "5.2": 3, "5.3": 3}).items()}
    counted |= {"4.3-p": 4, "4.4-p": 9, "4.5-x": 5, "4.8.1-b": 8, "5.3-A": 11, "5.3-C": 10, "5.3-D": 9}
    for start, count in counted.items():
        assert set(family(f"SD-{start}")) == {f"SD-{start}{number}" for number in range(1, count + 1)}
    assert (len(family("SD-4.7-d")), len(family("SD-5.1-act"))) == (11, 13)
    assert all(title and not title.endswith(".") for title in BOOK.clauses.values())


@pytest.mark.parametrize(
    ("clause", "key", "other"),
    [
        ("AMB-30", "grouping", "greedy"),
        ("AMB-30", "grouping", "ask"),
        ("AMB-40", "swap", "auto"),
    ],
)
def test_every_alternative_of_the_register_is_a_value_and_not_the_default(clause: str, key: str, other: str) -> None:
    setting = next(setting for setting in BOOK.settings if setting.key == key)
    assert setting.clause == clause
    assert BOOK.settle({key: other})[key] == other.lower()
    assert setting.default.lower() != other.lower()


def test_thresholds_are_numbers() -> None:
    settled = BOOK.settle({"big_area_sqin": "8.5", "centre_fraction": "0.4", "front_depth_in": "5"})
    assert (settled["big_area_sqin"], settled["centre_fraction"], settled["front_depth_in"]) == ("8.5", "0.4", "5")
    assert (BOOK.settle({})["big_area_sqin"], BOOK.settle({})["front_depth_in"]) == ("6", "6")
    for key, least, most in (("big_area_sqin", 0, 100), ("centre_fraction", 0.1, 1), ("front_depth_in", 1, 18)):
        assert [BOOK.settle({key: str(number)})[key] for number in (least, most)] == [str(least), str(most)]
        for number in (least - 0.1, most + 0.1):
            with pytest.raises(ScenarioError, match=key):
                BOOK.settle({key: str(number)})


@pytest.mark.clause("SD-2-a")
def test_an_army_is_one_of_ours_or_a_path_with_its_capitals() -> None:
    book = SoloDba().book
    assert book.settle({"npg": "/Home/My Army.toml"})["npg"] == "/Home/My Army.toml"
    assert book.settle({})["you"] == "sample"
    for name in sample_names():
        assert book.settle({"you": name.upper()})["you"] == name


@pytest.mark.clause("SD-3.1-a", "SD-3.2.3-a", "AMB-12", "SD-3.1.2-a", "SD-1.2-c")
def test_the_seven_topographies_with_caps_doubles_and_bad_going_of_their_pieces() -> None:
    country = SelectionCountry.of(RULES)
    found = {home.value: (" ".join(country.compulsory_of(home)), " ".join(country.optional_of(home))) for home in Home}
    assert found == {
        "arable": ("bua road", "river steep_hill gentle_hill woods road waterway"),
        "forest": ("woods", "river marsh gentle_hill"),
        "hilly": ("steep_hill", "river woods bua road"),
        "steppe": ("gentle_hill", "river rough bua"),
        "dry": ("rough", "dunes steep_hill oasis bua"),
        "tropical": ("woods", "river marsh rough bua road"),
        "littoral": ("waterway", "steep_hill marsh woods dunes bua river"),
    }
    one = {terrain.value for terrain, piece in country.pieces.items() if piece.most == 1}
    assert one == {"river", "waterway", "oasis", "bua"}
    assert all(piece.most in (1, 2) for piece in country.pieces.values())
    doubled = {terrain.value for terrain, piece in country.pieces.items() if piece.doubled}
    assert doubled == {"woods", "steep_hill", "gentle_hill", "rough", "road"}
    bad = {terrain.value for terrain in country.pieces if country.is_bad_going(terrain)}
    assert bad == {"woods", "steep_hill", "rough", "marsh", "dunes", "oasis"}
    listed = {name for row in BOOK.rows["topography"] for name in (*row["compulsory"], *row["optional"])}
    assert listed == {row["piece"] for row in BOOK.rows["pieces"]}
    assert listed <= {terrain.value for terrain in Terrain}


@pytest.mark.parametrize("code", ["en", "es"])
def test_every_result_of_the_dice_and_every_home_has_its_words(code: str) -> None:
    words = language(code)
    keys = [f"solo-dba.home.{home}" for home in Home]
    keys += [f"solo-dba.title.{home}.{number}" for home in Home for number in (1, 2, 3)]
    keys += [f"solo-dba.terrain.{row['piece']}" for row in BOOK.rows["pieces"]]
    tables = {name: name for name in ("waterway", "bua", "river", "road")}
    for what, table in (tables | {"column": "sector_column", "row": "sector_row"}).items():
        keys += [f"solo-dba.{what}.{row.outcome}" for row in BOOK.tables[table].rows]
    keys += [f"solo-dba.armies.{side}" for side in ("npg", "you")]
    keys += [f"going.{name}" for name in BOOK.going] + ["rules.solo-dba.subtitle"]
    assert [key for key in keys if not words.has(key)] == []

"""What a defender may choose: every sequence of choices of every home topography, and lists of a person's own."""

from __future__ import annotations

from collections import Counter

import pytest
from dba3_boards import every

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import PrintkitError, ScenarioError
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.dba3.placing.profile import apply_profile, read_profile_lines
from printkit.systems.dba3.placing.selection import choose_features, choose_home, name_pick, read_listed_features
from printkit.systems.dba3.placing.terms import HomeTopography, Terms

BOOK = find("dba3").book

TABLE = {
    "arable": ("bua 1-1, plough 2-2", "river steep_hill gentle_hill woods plough enclosures road waterway scrub boggy"),
    "forest": ("woods 1-2", "river marsh gentle_hill woods bua"),
    "hilly": ("steep_hill 1-2", "river woods bua road steep_hill"),
    "steppe": ("gentle_hill 1-2", "river rocky scrub gully bua"),
    "dry": ("rocky 1-2, scrub 1-2", "dunes steep_hill oasis bua"),
    "tropical": ("woods 1-2", "river marsh gully bua enclosures road woods"),
    "littoral": ("waterway 1-1", "steep_hill marsh woods dunes bua road river"),
}
MOST = {"waterway": 1, "river": 1, "oasis": 1, "gully": 1, "bua": 1, "road": 2}


def terms(**settings: str) -> Terms:
    return Terms.from_rules(Rules.of(BOOK, settings))


def picked(home: str, *names: str, **settings: str) -> tuple[PiecePick, ...]:
    found = terms(**settings)
    return read_listed_features(names, found.topography(HomeTopography(home)), found)


@pytest.mark.clause("D3-3..D3-9")
@pytest.mark.parametrize("home", TABLE)
def test_the_home_topographies_are_those_of_the_table(home: str) -> None:
    found = terms().topography(HomeTopography(home))
    compulsory = ", ".join(f"{each.terrain} {each.count_min}-{each.count_max}" for each in found.compulsory)
    assert (compulsory, " ".join(found.optional)) == TABLE[home]
    assert found.is_mixed == (home == "dry")


@pytest.mark.clause("D3-10", "D3-11", "D3-12", "D3-13", "D3-14", "D3-15", "D3-16")
@pytest.mark.parametrize("home", TABLE)
def test_every_choice_keeps_the_counts(home: str) -> None:
    case = terms(bua="hamlet")
    topography = case.topography(HomeTopography(home))
    seen: set[int] = set()
    for picks in every(lambda dice: choose_features(topography, case, dice)):
        terrains = Counter(pick.terrain for pick in picks)
        optional = [pick.terrain for pick in picks if not pick.compulsory]
        assert 1 <= len(picks) - len(optional) <= 2
        assert 2 <= len(optional) <= 3
        assert set(optional) <= set(topography.optional)
        assert any(case.piece_rules[terrain].is_hindering for terrain in terrains)
        assert all(count <= MOST.get(terrain, 3) for terrain, count in terrains.items())
        assert all(len(terrains.keys() & set(pair)) <= 1 for pair in topography.pairs)
        seen.add(len(picks))
    assert seen == ({3, 4} if home == "littoral" else {3, 4, 5})


@pytest.mark.clause("D3-15")
def test_plough_alone_does_not_hinder() -> None:
    with pytest.raises(ScenarioError, match="needs rough or bad going"):
        picked("arable", "plough", "plough", "plough", "gentle hill", "road")
    assert picked("arable", "plough", "plough", "plough", "gentle hill", "scrub")


@pytest.mark.clause("D3-40")
def test_a_built_up_area_is_of_a_sort_that_is_used() -> None:
    case = terms(bua="hamlet,edifice")
    topography = case.topography(HomeTopography.HILLY)
    found = {
        pick.town
        for picks in every(lambda dice: choose_features(topography, case, dice))
        for pick in picks
        if pick.town
    }
    assert found == {"hamlet", "edifice"}
    none = terms(bua="none").topography(HomeTopography.ARABLE)
    assert [way.terrain for way in none.compulsory] == [Terrain.PLOUGH]


@pytest.mark.clause("D3-40")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({}, "city,fort,hamlet,edifice"),
        ({"bua": " Edifice , city,city"}, "city,edifice"),
        ({"bua": "None"}, "none"),
        ({"fort": "false", "edifice": "True"}, "city,hamlet,edifice"),
        ({"city": "false", "fort": "false", "hamlet": "false", "edifice": "false"}, "none"),
    ],
)
def test_built_up_areas_are_kept_as_a_list_in_the_order_of_the_book(given: dict[str, str], kept: str) -> None:
    assert BOOK.settle(given)["bua"] == kept
    assert ",".join(terms(**given).town_names) == kept.replace("none", "")


@pytest.mark.clause("D3-40")
@pytest.mark.parametrize("given", [{"bua": "castle"}, {"bua": "city,castle"}, {"bua": "city,none"}, {"bua": "city,"}])
def test_a_built_up_area_that_is_none_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ScenarioError, match=r"bua = .* is not valid; use one of city,fort,hamlet,edifice, none, or"):
        BOOK.settle(given)


@pytest.mark.clause("D3-10", "D3-11")
def test_numbers_of_features_may_be_set() -> None:
    case = terms(compulsory="2", optional="3")
    picks = choose_features(case.topography(HomeTopography.FOREST), case, Dice(Seeded(3)))
    assert [pick.compulsory for pick in picks] == [True, True, False, False, False]


@pytest.mark.clause("D3-3", "D3-10")
@pytest.mark.parametrize(
    ("home", "given", "counts"),
    [
        ("arable", {"compulsory": "1"}, {("bua",)}),
        ("arable", {"compulsory": "2"}, {("plough", "plough")}),
        ("arable", {"compulsory": "1", "bua": "none"}, {("plough", "plough")}),
        ("arable", {}, {("bua",), ("plough", "plough")}),
        ("littoral", {"compulsory": "2"}, {("waterway",)}),
        ("forest", {"compulsory": "1"}, {("woods",)}),
    ],
)
def test_a_set_number_of_compulsory_features_offers_only_what_fits_it(
    home: str, given: dict[str, str], counts: set[tuple[str, ...]]
) -> None:
    case = terms(**given)
    topography = case.topography(HomeTopography(home))
    found = {
        tuple(pick.terrain.value for pick in choose_features(topography, case, Dice(Seeded(seed))) if pick.compulsory)
        for seed in range(20)
    }
    assert found == counts


@pytest.mark.clause("D3-3")
def test_a_home_is_drawn_where_none_is_asked_for() -> None:
    assert set(every(lambda dice: choose_home(terms(), dice))) == set(HomeTopography)
    assert choose_home(terms(home="steppe"), Dice(Seeded(1))) is HomeTopography.STEPPE


class TestLists:
    @pytest.mark.clause("D3-11")
    def test_a_list_says_what_is_compulsory(self) -> None:
        found = picked("hilly", "difficult hill", "woods", "river", "city")
        assert [(name_pick(pick), pick.compulsory) for pick in found] == [
            ("difficult hill", True), ("woods", False), ("river", False), ("city", False),
        ]  # fmt: skip

    @pytest.mark.clause("D3-12", "D3-16")
    @pytest.mark.parametrize(
        ("home", "names", "told"),
        [
            ("forest", ("river", "marsh"), "needs woods"),
            ("arable", ("plough", "woods", "river"), "2 are compulsory"),
            ("forest", ("woods", "river"), "optional"),
            ("forest", ("woods", "river", "river"), "cannot add"),
            ("forest", ("woods", "river", "dunes"), "cannot add"),
            ("littoral", ("waterway", "marsh", "steep hill"), "cannot add"),
            ("forest", ("woods", "river", "lava"), "not a terrain type"),
            ("forest", ("woods", "river", "bua"), "not a terrain type"),
        ],
    )
    def test_a_list_against_the_rules_is_refused(self, home: str, names: tuple[str, ...], told: str) -> None:
        with pytest.raises(ScenarioError, match=told):
            picked(home, *names)


@pytest.mark.clause("D3-68")
class TestProfile:
    def test_a_file_changes_numbers_pieces_and_topography(self) -> None:
        text = '[numbers]\nroad_width_bw = 0.4\n[pieces.rocky]\ngoing = "bad"\nmost = 2\n'
        text += '[home.steppe]\noptional = ["river", "scrub"]\n'
        book = apply_profile(BOOK, read_profile_lines(text, "mine.toml", BOOK))
        case = Terms.from_rules(Rules.of(book))
        assert book.numbers["road_width_bw"] == 0.4
        assert (case.piece_rules[Terrain.ROCKY].going.name, case.piece_rules[Terrain.ROCKY].count_max) == ("bad", 2)
        assert case.topography(HomeTopography.STEPPE).optional == (Terrain.RIVER, Terrain.SCRUB)
        assert BOOK.numbers["road_width_bw"] == 0.5

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("[numbers\n", "not valid TOML"),
            ("[colours]\na = 1\n", "unknown table"),
            ("[numbers]\nnowhere = 1\n", "cannot be read"),
            ("[numbers]\nroad_width_bw = -1\n", "not a number"),
            ('[pieces.rocky]\ngoing = "swift"\n', "unknown going"),
            ('[pieces.rocky]\nreach = "far"\n', "inside, may or must"),
            ('[pieces.lava]\ngoing = "bad"\n', "unknown name 'lava'"),
            ('[home.steppe]\noptional = ["lava"]\n', "unknown piece"),
        ],
    )
    def test_what_means_nothing_is_named(self, text: str, told: str) -> None:
        with pytest.raises(PrintkitError, match=told) as raised:
            read_profile_lines(text, "mine.toml", BOOK)
        assert "mine.toml" in str(raised.value)

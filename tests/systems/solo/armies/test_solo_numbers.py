"""Every number of the rule book counts: changed by a tenth, what is printed, laid out or judged is another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from forces import force
from msgspec.structs import replace
from shapely import LineString, Point, box
from solo_games import RULES

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.tables import DieTable
from printkit.core.errors import BookError, ScenarioError, UsageError
from printkit.core.words import find_words as language
from printkit.kit.registry import find
from printkit.kit.sides import sides_of
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.terrain_limits import PiecePick, Terrain
from printkit.systems.solo.armies.army_files import sample_names
from printkit.systems.solo.armies.choices import assess_threat
from printkit.systems.solo.armies.force import Home
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.battle.standing import ended
from printkit.systems.solo.cards import tables
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import build_reference_cards
from printkit.systems.solo.judge.case import SoloCase
from printkit.systems.solo.judge.judge import CHECKS
from printkit.systems.solo.system import SoloDba
from printkit.systems.solo.tactics.battle_log import BattleLog, BoundEntry
from printkit.systems.solo.tactics.camp import CAMP, CampCase, camp_spots
from printkit.systems.solo.tactics.deployed import deploy
from printkit.systems.solo.tactics.edges import real_edge
from printkit.systems.solo.tactics.facing_line import Opponent, facing_faults
from printkit.systems.solo.tactics.ground import ground_of, side_facts
from printkit.systems.solo.tactics.grouping import Group
from printkit.systems.solo.tactics.positions import POSITION, PlacedGroup, PositionCase, Step
from printkit.systems.solo.tactics.situation import Place, Situation
from printkit.systems.solo.tactics.tactics_tables import tactics
from printkit.systems.solo.terrain.placement import PlacementTerms
from printkit.systems.solo.terrain.topography import SelectionCase, SelectionTables, find_modifiers
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Kind
from printkit.terrain.field.record import Record

BOARD = find("solo-dba").board()
EN = language("en")
SIDE, BASE = BOARD.width, 40.0
GOING = {name: Going(rank, name) for rank, name in enumerate(("good", "special", "bad", "impassable"))}
BLADES = force("blades", "Bd* 11, Art 1", "arable", 1)
HORSE = force("horse", "Cv* 11, LH 1", "dry", 1)
CALM = Situation.given(you_reserved_landing=1, ground_ahead_good=False, both_flanks_bad=False)


def area(kind: Kind, *bounds: float, going: str = "bad") -> Area:
    return Area(id=f"{kind}-1", kind=kind, outline=box(*bounds), going=GOING[going])


def course(kind: Kind, *points: tuple[float, float], width: float = 20.0) -> Course:
    return Course(id=str(kind), kind=kind, line=LineString(points), width=width, going=GOING["special"])


def broken(clause: str, *features: Feature, **settings: str) -> Callable[[SoloRules], object]:
    """Return what tells how the judge finds a clause on a field of these features."""
    kinds = {
        Kind.WATERWAY: Terrain.WATERWAY, Kind.MARSH: Terrain.MARSH, Kind.ROUGH_GROUND: Terrain.ROUGH,
        Kind.RIVER: Terrain.RIVER, Kind.ROAD: Terrain.ROAD, Kind.BUA: Terrain.BUA,
    }  # fmt: skip

    def found(game: SoloRules) -> object:
        record = Record(rules="solo-dba", battlefield=Battlefield(board=BOARD, features=features), settings=settings)
        pieces = tuple(CheckedTerrain(each.id, kinds[each.kind], each) for each in features if each.kind in kinds)  # type: ignore[arg-type]
        own = replace(game, board=BOARD, settings={**game.settings, **settings})
        return list(CHECKS[clause](SoloCase(record=record, rules=own, pieces=pieces, unknown_ids=())))

    return found


def system_of(game: SoloRules) -> SoloDba:
    system = SoloDba()
    system.__dict__["book"] = game.book
    return system


def boards(game: SoloRules) -> object:
    return [system_of(game).board(settings={"scale": scale}) for scale in ("15mm", "25mm")]


def least_board(game: SoloRules) -> object:
    try:
        return system_of(game).board(470.0)
    except UsageError as error:
        return str(error)


def facing(foe: str, own: str) -> Callable[[SoloRules], object]:
    """Return what tells whom an element faces that stands between half a base and two bases aside."""

    def found(game: SoloRules) -> object:
        army = force("own", f"{own}* 1, Cv 11", "arable", 1)
        group = PlacedGroup(group=Group(army.elements[:1]), place=Place.CENTRE, step=Step(clause="SD-4.7-e", title=""))
        ground = ground_of(Battlefield(board=BOARD), Edge.NEAR, game)
        standing = deploy((group,), army, {}, ground)
        aside = (0.52, 1.55)[foe == "Art"] * BASE
        return facing_faults(standing, (Opponent(foe, standing.along[0] + aside),), ground)

    return found


def spots(game: SoloRules) -> object:
    field = Battlefield(board=BOARD, features=(area(Kind.MARSH, 300, 100, 332, 200),))
    return camp_spots(ground_of(field, Edge.NEAR, game))


def ahead(game: SoloRules) -> object:
    field = Battlefield(board=BOARD, features=(area(Kind.MARSH, SIDE / 4, 150, SIDE / 2 + 8, 310),))
    return side_facts(field, Edge.NEAR, game)["ground_ahead_good"]


def terms(game: SoloRules) -> PlacementTerms:
    return PlacementTerms.from_rules(replace(game, board=BOARD))


def selection(table: str, *picked: Terrain) -> Callable[[SoloRules], object]:
    return lambda game: find_modifiers(
        table, SelectionCase.from_armies(HORSE, BLADES, game), [PiecePick(each, compulsory=True) for each in picked]
    )


FIELD = (area(Kind.MARSH, 100, 100, 200, 180), area(Kind.ROUGH_GROUND, 420, 100, 500, 180))
OTHERS: Mapping[str, Callable[[SoloRules], Any]] = {
    **dict.fromkeys(("net_least", "net_most"), lambda game: tables.stance_odds(CardText(EN, game))),
    "losses_most": lambda game: tables.loss_index(CardText(EN, game)),
    **dict.fromkeys(("board_in_15mm", "board_in_25mm", "base_width_mm_15mm", "base_width_mm_25mm"), boards),
    "inches_per_100_paces_25mm": boards,
    "board_p_min": least_board,
    **dict.fromkeys(
        ("quarters_with_features_min", "quarters_with_cover_min"),
        broken("SD-3.3-b", *FIELD, area(Kind.BUA, 100, 400, 200, 500, going="special")),
    ),
    "area_sides_bw_max": broken("SD-3.3-b", area(Kind.MARSH, 50, 50, 50 + 5.2 * BASE, 50 + 4.2 * BASE)),
    "area_sides_bw_min": broken("SD-3.3-b", area(Kind.MARSH, 50, 50, 150, 50 + 1.05 * BASE)),
    "area_gap_bw_min": broken(
        "SD-3.3-b", area(Kind.MARSH, 50, 50, 150, 150), area(Kind.ROUGH_GROUND, 192, 50, 290, 150)
    ),
    "waterway_depth_bw_min": broken("SD-3.3-b", area(Kind.WATERWAY, 0, SIDE - 42, SIDE, SIDE, going="impassable")),
    "waterway_depth_bw_max": broken("SD-3.3-b", area(Kind.WATERWAY, 0, SIDE - 105, SIDE, SIDE, going="impassable")),
    "river_width_bw_max": broken("SD-3.3.3-a", course(Kind.RIVER, (0, 300), (SIDE, 300), width=42)),
    "road_width_bw_max": broken("SD-3.3.5-b", course(Kind.ROAD, (0, 300), (SIDE, 300), width=42)),
    "river_width_bw": lambda game: terms(game).width(Terrain.RIVER),
    "road_width_bw": lambda game: terms(game).width(Terrain.ROAD),
    "course_quarters_max": broken("SD-3.3.5-c", course(Kind.ROAD, (0, 290), (SIDE, 330))),
    "crossing_off_max": broken(
        "SD-3.3.5-d",
        course(Kind.RIVER, (300, 0), (300, SIDE)),
        course(Kind.ROAD, (0, 300), (SIDE, 300)),
        Crossing(
            id="ford", kind=Kind.FORD, at=Point(302.1, 300), bearing=0, route="road", water="river", going=GOING["bad"]
        ),
    ),
    "sector_share_min": lambda game: terms(game).rules.number("sector_share_min"),
    "straddle_sqp_min": broken("SD-3.3.4-c", area(Kind.MARSH, SIDE / 2 - 100, 50, SIDE / 2 + 1.65, 150)),
    "road_sinuosity_max": broken("SD-3.3.5-b", course(Kind.ROAD, (0, 300), (SIDE / 2, 480), (SIDE, 300))),
    "course_in_quarter_p_min": broken(
        "SD-3.3-b", *FIELD, course(Kind.ROAD, (0, SIDE / 2 - 20), (13, SIDE / 2 + 5.6), (30, SIDE / 2 - 20))
    ),
    "SD-2.2.1-m5_guns": lambda game: assess_threat([BLADES], game),
    "SD-3.1.1-m3": selection("compulsory"),
    "SD-3.2.1-m3": selection("optional", Terrain.WOODS, Terrain.WOODS),
    "SD-4.2-m1": lambda game: CAMP.judge(CampCase(BLADES, HORSE), game),
    "SD-4.7-m3": lambda game: POSITION.judge(
        PositionCase(group=Group(HORSE.elements[:2]), npg=HORSE, you=BLADES, situation=CALM, rules=game), game
    ),
    "ahead_bad_share_max": ahead,
    "losses_end_min": lambda game: ended(BattleLog(bounds=(_LOST,)), game),
    "opposite_horse_bw": facing("Cv", "Ps"),
    "opposite_guns_bw": facing("Art", "El"),
    **dict.fromkeys(("camp_p_side", "camp_p_step", "camp_covered_share_min"), spots),
}
"""What shows a number that no text names."""


_LOST = BoundEntry(number=1, pips=1, die=1, net=0, npg_lost=4, you_lost=0, stance="cautious")


def texts(game: SoloRules) -> object:
    """Return the numbers that texts name, and every modifier of cards and of the terminal."""
    text = CardText(EN, game)
    clauses = [each.condition for table in game.book.tables.values() for each in table.modifiers]
    roots = [(root, clause) for root in ("npg.cards", "npg.battle") for clause in clauses]
    return text.numbers, [
        text.describe_modifier(clause, root) for root, clause in roots if EN.has(f"{root}.modifier.{clause}")
    ]


RANGES = {f"{name}_{end}" for name in RULES.book.set_by for end in ("min", "max")}
"""Between what numbers a person may set one: ``test_solo_book`` tries them."""


@pytest.mark.parametrize("name", [name for name in RULES.book.numbers if name not in RANGES])
def test_a_number_changed_by_a_tenth_shows(name: str) -> None:
    assert set(OTHERS) <= set(RULES.book.numbers)
    number = RULES.book.numbers[name]
    other = number + 1 if number == int(number) and number < 20 and not RULES.book.units.get(name) else 1.1 * number
    changed = replace(RULES, book=replace(RULES.book, numbers={**RULES.book.numbers, name: other}))
    shown = OTHERS.get(name, texts)
    assert shown(changed) != shown(RULES)


@pytest.mark.parametrize("table", RULES.book.tables)
def test_a_die_table_changed_by_one_shows(table: str) -> None:
    rows = RULES.book.tables[table]
    outcomes = [row.outcome for row in rows.rows[::-1]]
    less = replace(rows, modifiers=tuple(replace(each, amount=each.amount - 1) for each in rows.modifiers))
    turned = [replace(row, outcome=outcome) for row, outcome in zip(rows.rows, outcomes, strict=True)]
    moved = replace(rows, rows=tuple(turned))
    cards = {
        name: repr([(card.blocks, card.back) for card in build_reference_cards(CardText(EN, game))])
        for name, game in (("usual", RULES), ("less", _with(less)), ("moved", _with(moved)))
        if table not in UNPRINTED
    }
    assert len(set(cards.values())) == (0 if table in UNPRINTED else 1 + bool(rows.modifiers) + (len(rows.rows) > 1))


UNPRINTED = ("edge_die", "candidate")
"""The die of the rule book's own edges, of which no card has the rows; and that of candidates, whose card says its one
modifier in a sentence."""


def _with(table: DieTable[str]) -> SoloRules:
    return replace(RULES, book=replace(RULES.book, tables={**RULES.book.tables, table.name: table}))


@pytest.mark.clause("SD-4.1-c", "SD-3.2.3-b")
def test_the_tables_that_no_card_prints_are_thrown_on() -> None:
    rows = RULES.book.tables["edge_die"]
    turned = replace(rows, rows=tuple(replace(row, outcome="first") for row in rows.rows))
    assert real_edge(Edge.LEFT, _with(turned), Dice(ScriptedSource(["6"], Seeded(1))))[0] is Edge.NEAR
    assert real_edge(Edge.LEFT, RULES, Dice(ScriptedSource(["6"], Seeded(1))))[0] is Edge.LEFT
    assert find_modifiers("candidate", SelectionCase.from_armies(HORSE, BLADES, RULES))[0].amount == -1


@pytest.mark.parametrize("family", RULES.book.rows)
def test_a_list_without_its_last_row_shows(family: str) -> None:
    """Every list of the book is read: what is made of it is another, or refused, without its last row."""
    book = replace(RULES.book, rows={**RULES.book.rows, family: RULES.book.rows[family][:-1]})
    assert _all(replace(RULES, book=book)) != _all(RULES)


BARE = Record(rules="solo-dba", battlefield=Battlefield(board=BOARD, features=()))


def _all(game: SoloRules) -> object:
    try:
        cards = repr([(card.blocks, card.back) for card in build_reference_cards(CardText(EN, game))])
        placed = repr((terms(game).piece_rules, terms(game).bands))
        facts = [tuple(game.needed_facts(clause, edge="near", opposite="far")) for clause in game.book.clauses]
        sealed = [row.need("setting", str) for row in game.rows("sealed")]
        orders = [game.type_order(name) for name in ("grouping", "lead")]
        goings, sides = system_of(game).goings(), sides_of(BARE, game.book)
        return cards, placed, facts, tactics(game).actions, orders, goings, sealed, sides
    except (BookError, KeyError, RuntimeError, StopIteration) as error:
        return repr(error)


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
    country = SelectionTables.from_rules(RULES)
    found = {
        home.value: (" ".join(country.compulsory_types(home)), " ".join(country.optional_types(home))) for home in Home
    }
    assert found == {
        "arable": ("bua road", "river steep_hill gentle_hill woods road waterway"),
        "forest": ("woods", "river marsh gentle_hill"),
        "hilly": ("steep_hill", "river woods bua road"),
        "steppe": ("gentle_hill", "river rough bua"),
        "dry": ("rough", "dunes steep_hill oasis bua"),
        "tropical": ("woods", "river marsh rough bua road"),
        "littoral": ("waterway", "steep_hill marsh woods dunes bua river"),
    }
    one = {terrain.value for terrain, piece in country.pieces.items() if piece.count_max == 1}
    assert one == {"river", "waterway", "oasis", "bua"}
    assert all(piece.count_max in (1, 2) for piece in country.pieces.values())
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

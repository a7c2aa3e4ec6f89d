"""Geography, zones and dice: the worked examples of single zones and of whole tables."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from seeded_tables import broken_of, ordered_table
from tables_by_hand import (
    FARMS,
    TOWN,
    book,
    cells,
    dice_of,
    diced,
    game,
    grid_of,
    lying,
    rules,
    spent,
    system,
    terms,
    zone,
)
from test_acw_games import NAMES

from printkit.core.errors import DiceError, ScenarioError, UsageError
from printkit.kit.rules import Rules
from printkit.systems.acw.dicing.dicing import dice_zones, list_open_rolls
from printkit.systems.acw.dicing.geography import determine_location
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.plan import RollOutcome, ZoneLog
from printkit.systems.acw.terms.tables import Tables


def country(dice: str, inputs: Inputs | None = None, **given: str) -> str:
    ruled = rules(**given)
    return determine_location(Tables.from_rules(ruled), inputs or Inputs(), ruled, dice_of(dice)).geography.name


@pytest.mark.clause("AC-T01", "AC-103", "AC-104", "AC-110", "AC-D1")
@pytest.mark.parametrize(
    ("state", "die", "geography"),
    [
        ("Maryland", 5, "wilderness"),
        ("Texas", 6, "hilly"),
        ("New Mexico", 1, "farm"),
        ("Georgia", 5, "swampy"),
        ("Florida", 6, "coastal"),
        ("Kansas", 5, "plain"),
    ],
)
def test_one_die_against_the_state_gives_the_geography(state: str, die: int, geography: str) -> None:
    assert country(str(die), state=state) == geography


@pytest.mark.clause("AC-T02", "AC-X01")
def test_every_spelling_of_a_state_selects_its_row() -> None:
    tables = Tables.from_rules(rules())
    rows = {"Tenessee": 113, "Pensylvania": 111, "Pennsylvania": 111, "Ark.": 118, "West Virginia": 115}
    rows |= {"Virginia": 114, "n. carolina": 114, "Shenandoah": 115}
    assert {name: tables.region(name.lower()).clause for name in rows} == {name: f"AC-{rows[name]}" for name in rows}
    with pytest.raises(ScenarioError, match=r"AC-X01") as refused:
        tables.region("Ohio")
    names = (*(region.name for region in tables.regions), *(country.name for country in tables.geographies))
    assert all(name in str(refused.value) for name in names)


@pytest.mark.clause("AC-104", "AC-101", "AC-Q25")
def test_a_geography_is_known_by_name_letter_or_from_the_campaign() -> None:
    tables = Tables.from_rules(rules())
    names = ("F", "w", "Riverside", "m", "Seacoast", "S", "plain", "H")
    found = [tables.geography(name) for name in names]
    assert [(each.letter, each.rolls.number) for each in found] == list(zip("FWRMCSPH", range(1, 9), strict=True))
    with pytest.raises(ScenarioError, match=r"AC-X01"):
        tables.geography("Jungle")
    assert country("", Inputs.read({"campaign": ["geography Hilly"]}, grid_of()), state="Texas") == "hilly"


@pytest.mark.clause("AC-T03", "AC-201", "AC-202", "AC-Q02")
@pytest.mark.parametrize(
    ("size", "columns", "rows", "zone_size"),
    [
        ("72x48", 3, 2, (24, 24)),
        ("96x48", 4, 2, (24, 24)),
        ("60x48", 3, 2, (20, 24)),
        ("48x48", 2, 2, (24, 24)),
        ("120x72", 5, 3, (24, 24)),
        ("25x24", 2, 1, (12.5, 24)),
    ],
)
def test_zones_are_equal_and_at_most_two_feet(
    size: str, columns: int, rows: int, zone_size: tuple[float, float]
) -> None:
    grid = grid_of(size)
    assert (grid.columns, grid.rows, len(grid.zones)) == (columns, rows, columns * rows)
    for box in map(grid.box, grid.zones):
        assert (box.width / 25.4, box.depth / 25.4) == pytest.approx(zone_size)
    assert grid.box(1).near + grid.box(1).depth == pytest.approx(float(size.split("x")[1]) * 25.4)


@pytest.mark.clause("AC-X11", "AC-202")
def test_a_table_is_from_one_foot_to_twenty_in_a_side() -> None:
    assert (system().board().width, system().board().depth) == (1828.8, 1219.2)
    assert system().board(304.8, 6096.0).depth == 6096.0
    for side in (304.0, 6100.0):
        with pytest.raises(UsageError, match=r"AC-X11"):
            system().board(side, 1200.0)
    with pytest.raises(UsageError, match="zones"):
        system().board(cell=100.0)


@pytest.mark.clause("AC-T04..AC-T16", "AC-204", "AC-205", "AC-206", "AC-207", "AC-208", "AC-209", "AC-D3", "AC-Q26")
@pytest.mark.parametrize(
    ("geography", "scores", "decisions", "expected"),
    [
        ("farm", "5,1,2,4", "", "Stream, Field, Fenced Road, Building"),
        ("farm", "6,6", "", "Field"),
        ("farm", "2,3,6", "", "Hill, Stream"),
        ("riverside", "6", "", ""),
        ("riverside", "3,3,3,6", "", "Rise, Stream, Ditch, Swamp"),
        ("plain", "5,5,5,5", "", ""),
        ("plain", "2,3,6,6", "", "Hill, Ravine"),
        ("plain", "4,4,4,4", "", "Wood, Scrub"),
        ("coastal", "6,5,2,6", "Sand Dunes, nothing, Creek", "Sand Dunes, Fenced Road, Creek"),
        ("mountains", "2,4,4,5", "", "Long Hill, Ravine, Forest, Hill + Cliff"),
        ("swampy", "1,1,3,3", "", "Swamp, Swamp, Ditch, Pool"),
        ("hilly", "5,4,1,6", "Pool", "Steep Hill + Cliff, Hill + Scree, Steep Hill, Pool"),
        ("wilderness", "1,4,5,5", "Swamp", "Scrub, Woodland, Swamp, Hill"),
        ("wilderness", "1,4,5,5", "Creek", "Scrub, Woodland, Creek, Hill"),
        ("wilderness", "1,4,5,5", "nothing", "Scrub, Woodland, Hill"),
    ],
)
def test_the_dice_of_a_zone_give_what_the_table_says(
    geography: str, scores: str, decisions: str, expected: str
) -> None:
    assert zone(geography, scores, decisions) == expected


@pytest.mark.clause("AC-T09", "AC-T10", "AC-205", "AC-206")
def test_a_blank_stops_nothing() -> None:
    assert cells(diced("plain", "2,3,6,6", "24x24")[0].log, 1) == "Hill, Ravine, blank, blank"
    assert cells(diced("farm", "2,3,6", "24x24")[0].log, 1) == "Hill, Stream, STOP"


@pytest.mark.clause("AC-T16", "AC-X05", "AC-410", "AC-D4")
def test_a_choice_outside_its_list_is_refused_with_the_list() -> None:
    with pytest.raises(ScenarioError, match=r"zone 1, roll 3.*Woodland.*AC-X05"):
        zone("wilderness", "1,4,5,5", "Wall")


def all_lying(log: ZoneLog) -> list[str]:
    return [lying(log, number) for number in range(1, 7)]


def ignored(log: ZoneLog) -> list[tuple[int, int, str]]:
    return [(roll.zone, roll.roll, roll.piece.value) for roll in log.results if roll.outcome is RollOutcome.IGNORED]


@pytest.mark.clause("AC-T17", "AC-301", "AC-302", "AC-212", "AC-Q04", "AC-Q05", "AC-Q07")
def test_a_town_is_the_first_roll_of_its_zone_and_counts() -> None:
    found, dice = diced("farm", TOWN, inputs={"campaign": ["town Gettysburg in 3"]})
    assert spent(dice)
    assert len(dice.log) == 20
    assert all_lying(found.log) == [
        "Steep Hill, Field, Railroad, Settlement",
        "Hill, Field, Fenced Road",
        "Town, Wall, Unfenced Road",
        "Wood, Wall, Sunken Lane",
        "Field",
        "Steep Hill, Stream",
    ]
    assert ignored(found.log) == [(2, 4, "Farm"), (3, 4, "Settlement"), (4, 4, "Farm")]
    assert found.log.names == {3: "Gettysburg"}


@pytest.mark.clause("AC-Q07", "AC-Q18", "AC-Q19", "AC-302")
def test_a_fort_takes_the_first_of_four_rolls_stays_beside_a_stop_and_is_no_settlement() -> None:
    dice = "6 / 1 1 1 1 / 1 1 1 1 / 1 1 1 1 / 6 6 / 6 6"
    found, thrown = diced("farm", dice, inputs={"campaign": ["fort Sumter in 1"]})
    assert spent(thrown)
    assert (lying(found.log, 1), cells(found.log, 1)) == ("Fort", "Fort, STOP")
    assert ignored(found.log) == [(4, 4, "Settlement")]
    found, thrown = diced("farm", "1 1 1 / 6 6", "48x24", inputs={"campaign": ["fort Sumter in 1"]})
    assert spent(thrown)
    assert lying(found.log, 1) == "Fort, Field, Railroad, Settlement"


@pytest.mark.clause("AC-212", "AC-Q06", "AC-Q22")
@pytest.mark.parametrize("geography", NAMES)
def test_the_limit_holds_in_every_geography_and_houses_do_not_count(geography: str) -> None:
    zones = ["1: Building", "2: Building", "3: Building", "4: Farm", "5: Settlement", "6: Farm, Building"]
    found, _ = diced(geography, "", inputs={"zones": zones})
    assert ignored(found.log) == [(6, 1, "Farm")]


@pytest.mark.clause("AC-212")
def test_farms_and_settlements_are_as_many_as_the_book_says() -> None:
    fewer = Rules.of(replace(book(), numbers={**book().numbers, "limit": 1}), board=system().board())
    found = dice_zones(replace(terms("farm"), rules=fewer), dice_of("1 1 1 1 / 1 1 1 1 / 6 6 / 6 6 / 6 6 / 6 6"))
    assert ignored(found.log) == [(2, 4, "Settlement")]


@pytest.mark.clause("AC-Q01", "AC-Q03", "AC-Q14", "AC-Q17")
def test_zones_are_thrown_for_row_by_row_die_by_die_and_read_in_their_own_table() -> None:
    found, dice = diced("farm", "2 6 / 6 6", "48x24")
    assert spent(dice)
    assert (cells(found.log, 1), cells(found.log, 2)) == ("Hill, STOP", "Field, STOP")
    assert [throw.reason for throw in dice.log] == [f"zone {zone}, roll {roll}" for zone in (1, 2) for roll in (1, 2)]
    assert zone("swampy", "1,1,3,3") == "Swamp, Swamp, Ditch, Pool"
    assert zone("riverside", "1,1,3,3") == "Steep Hill, Swamp, Ditch, Pool"


@pytest.mark.clause("AC-T20", "AC-D3", "AC-D4")
def test_a_whole_farm_table():
    found, dice = diced("farm", FARMS, inputs={"decisions": "Wood"})
    assert spent(dice)
    assert len(dice.log) == 21
    assert all_lying(found.log) == [
        "Stream, Field, Fenced Road, Building",
        "Field, Wood, Sunken Lane, Farm",
        "Wood",
        "Hill, Stream",
        "Steep Hill, Field, Railroad, Settlement",
        "Rise, Stream, Fence Line, Wood",
    ]


@pytest.mark.clause("AC-T42", "AC-X02", "AC-X04", "AC-D6")
def test_a_die_short_and_a_die_too_high_are_named_by_zone_and_roll() -> None:
    with pytest.raises(DiceError, match=r"zone 1, roll 4.*\(AC-X02\)$"):
        diced("farm", "5,1,2", "24x24")
    with pytest.raises(DiceError, match=r"zone 1, roll 2.*\(AC-X04\)$"):
        diced("farm", "5,7,2", "24x24")
    with pytest.raises(DiceError, match=r"die 2 of zone 1 is 7.*AC-X04"):
        diced("farm", "", "24x24", inputs={"zones": ["1: 5 7"]})


@pytest.mark.clause("AC-T43", "AC-X06", "AC-X07")
def test_a_choice_of_a_settlement_too_many_or_none_at_all_is_refused():
    with pytest.raises(ScenarioError, match=r"zone 3, roll 4.*AC-X06"):
        diced("farm", "1,1,1,1 / 2,2,2,2 / 1,1,1,5", inputs={"decisions": ["Settlement"]}, choice_policy="recorded")
    with pytest.raises(ScenarioError, match=r"zone 1, roll 4.*AC-X07"):
        diced("farm", "1,1,1,5", "24x24", choice_policy="recorded")


@pytest.mark.clause("AC-X03", "AC-X09", "AC-X10", "AC-T44", "AC-Q10")
@pytest.mark.usefixtures("joined_only")
def test_what_is_left_over_is_said_and_water_is_checked() -> None:
    outcome = game("farm", FARMS + " / 6", inputs={"decisions": ["Wood", "Hill", "Hill"]})
    (decisions,) = outcome.warnings
    assert decisions.startswith("2 ")
    assert "AC-X03" in decisions
    with pytest.raises(ScenarioError, match=r"AC-X09"):
        game("farm", FARMS, water="S")
    with pytest.raises(ScenarioError, match=r"AC-X09"):
        game("coastal", FARMS, choice_policy="recorded")
    with pytest.raises(ScenarioError, match=r"AC-X10"):
        game("coastal", FARMS, water="creek")


@pytest.mark.clause("AC-X09", "AC-103", "AC-303", "AC-304")
def test_water_that_only_some_geographies_have_is_heeded_by_the_die_of_the_state() -> None:
    tables = Tables.from_rules(rules())
    row = tables.region("Virginia").geographies
    dry = [die for die, name in enumerate(row, 1) if tables.geography(name).water is None]
    wet = next(die for die, name in enumerate(row, 1) if tables.geography(name).water is not None)
    assert country(f"{dry[0]} {dry[-1]} {wet}", state="Virginia", water="S") == row[wet - 1]
    assert country(f"{dry[0]}", state="Virginia", water="auto") == row[dry[0] - 1]
    with pytest.raises(DiceError):
        country(f"{dry[0]}", state="Virginia", water="S")


@pytest.mark.clause("AC-101", "AC-103", "AC-M2")
def test_no_die_is_thrown_for_the_state_where_its_water_leaves_one_geography() -> None:
    assert country("", state="Virginia", water="creek") == "riverside"
    assert country("", state="Mississippi", water="S") == "riverside"
    record = ordered_table(43, "48x48in", water="creek", state="Virginia")
    assert not any(throw.stage == "geography" for throw in record.log)
    assert broken_of(record) == {}


@pytest.mark.clause("AC-X09", "AC-X10")
def test_a_state_without_the_water_that_is_asked_for_says_what_it_has() -> None:
    tables = Tables.from_rules(rules())
    waters = {region.name: {tables.geography(name).water for name in region.geographies} for region in tables.regions}
    dry = next(name for name, found in waters.items() if found == {None})
    with pytest.raises(ScenarioError, match=r"water is creek, but no geography of .* allows it: .*AC-X09"):
        country("1", state=dry, water="creek")


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        *(
            pytest.param({"campaign": lines}, "AC-X08", marks=pytest.mark.clause("AC-X08", "AC-301"))
            for lines in (["town in 7"], ["town A in 2", "fort B in 2"], ["known 9: Hill"])
        ),
        ({"deck": ["KS"]}, "has no list"),
        ({"campaign": ["village in 2"]}, "not a fact of a campaign"),
        ({"campaign": ["known 2: Volcano"]}, "not a terrain piece"),
        ({"campaign": ["water X"]}, "AC-X09"),
        ({"zones": ["Hill"]}, "not a zone"),
        ({"zones": ["1: 5 1", "1: 2"]}, "twice"),
        ({"zones": ["1: 1 1 1 1 1"]}, "AC-X03"),
        ({"profile": 3}, "is not a list of texts"),
    ],
)
def test_lines_that_cannot_be_read_or_name_a_wrong_place_are_refused(inputs: dict[str, object], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        diced("farm", FARMS, inputs=inputs)


@pytest.mark.clause("AC-M4", "AC-101")
def test_zones_may_be_fixed_and_the_rest_thrown() -> None:
    inputs = {"zones": ["1: 5 1", "2: Hill, Stream, STOP"], "campaign": ["known 3: Swamp, Pool"]}
    found, dice = diced("farm", "2 4 / 1 1 / 6 6 / 6 6 / 6 6", inputs=inputs)
    assert spent(dice)
    assert all_lying(found.log)[:3] == [
        "Stream, Field, Fenced Road, Building",
        "Hill, Stream",
        "Swamp, Pool, Railroad, Settlement",
    ]
    assert [throw.reason for throw in dice.log][:2] == ["zone 1, roll 3", "zone 1, roll 4"]


@pytest.mark.clause("AC-M2", "AC-302")
def test_a_dry_run_lists_the_columns_still_to_throw() -> None:
    inputs = {"zones": ["1: 5 1", "2: 6 6", "4: Hill"], "campaign": ["town in 3"]}
    rolls = {1: (3, 4), 2: (), 3: (2, 3, 4), 4: (), 5: (1, 2, 3, 4), 6: (1, 2, 3, 4)}
    assert list_open_rolls(terms("farm", inputs=inputs)) == rolls

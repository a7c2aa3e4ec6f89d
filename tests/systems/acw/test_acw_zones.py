"""Geography, zones and dice: the worked examples of single zones and of whole tables."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tables_by_hand import (
    FARMS,
    TOWN,
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

from printkit.core.errors import DiceError, ScenarioError, UsageError
from printkit.systems.acw.dicing.dicing import still_to_throw
from printkit.systems.acw.dicing.geography import settle_country
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.plan import Fate
from printkit.systems.acw.terms.tables import Tables


def country(state: str, die: int) -> str:
    ruled = rules(state=state)
    return settle_country(Tables.of(ruled), Inputs(), ruled, dice_of(str(die))).geography.name


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
def test_one_die_against_the_state_gives_the_geography(state, die, geography):
    assert country(state, die) == geography


@pytest.mark.clause("AC-T02", "AC-X01")
def test_every_spelling_of_a_state_selects_its_row():
    tables = Tables.of(rules())
    spelt = (
        "Tenessee",
        "Pensylvania",
        "Pennsylvania",
        "Ark.",
        "West Virginia",
        "Virginia",
        "n. carolina",
        "Shenandoah",
    )
    clauses = [tables.region(name.lower()).clause[3:] for name in spelt]
    assert clauses == ["113", "111", "111", "118", "115", "114", "114", "115"]
    with pytest.raises(ScenarioError, match=r"AC-X01") as refused:
        tables.region("Ohio")
    assert all(region.name in str(refused.value) for region in tables.regions)
    assert all(geography.name in str(refused.value) for geography in tables.geographies)


@pytest.mark.clause("AC-104", "AC-101", "AC-Q25")
def test_a_geography_is_known_by_name_letter_or_from_the_campaign():
    tables = Tables.of(rules())
    names = ("F", "w", "Riverside", "m", "Seacoast", "S", "plain", "H")
    found = [tables.geography(name) for name in names]
    assert [geography.letter for geography in found] == list("FWRMCSPH")
    assert [geography.rolls.number for geography in found] == [1, 2, 3, 4, 5, 6, 7, 8]
    with pytest.raises(ScenarioError, match=r"AC-X01"):
        tables.geography("Jungle")
    known = Inputs.read({"campaign": ["geography Hilly"]}, grid_of())
    assert settle_country(tables, known, rules(state="Texas"), dice_of("")).geography.name == "hilly"


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
def test_zones_are_equal_and_at_most_two_feet(size, columns, rows, zone_size):
    grid = grid_of(size)
    assert (grid.columns, grid.rows, len(grid.zones)) == (columns, rows, columns * rows)
    for number in grid.zones:
        box = grid.box(number)
        assert (box.width / 25.4, box.depth / 25.4) == pytest.approx(zone_size)
    assert grid.box(1).near + grid.box(1).depth == pytest.approx(float(size.split("x")[1]) * 25.4)


@pytest.mark.clause("AC-Q02")
def test_squares_leave_a_narrow_rest_at_the_east_and_south():
    grid = grid_of("60x50", ac_q02="rest-east-south")
    assert [round(width / 25.4, 6) for width in grid.widths] == [24, 24, 12]
    assert [round(depth / 25.4, 6) for depth in grid.depths] == [24, 24, 2]
    assert grid.unit(9) / 25.4 == pytest.approx(2)


@pytest.mark.clause("AC-X11", "AC-202")
def test_a_table_is_from_one_foot_to_twenty_in_a_side():
    assert system().board().width == 1828.8
    assert system().board().depth == 1219.2
    assert system().board(304.8, 6096.0).depth == 6096.0
    for side in (304.0, 6100.0):
        with pytest.raises(UsageError, match=r"AC-X11"):
            system().board(side, 1200.0)
    with pytest.raises(UsageError, match="zones"):
        system().board(cell=100.0)


EXAMPLES = [
    ("AC-T04", "farm", "5,1,2,4", "", "Stream, Field, Fenced Road, Building"),
    ("AC-T05", "farm", "6,6", "", "Field"),
    ("AC-T06", "farm", "2,3,6", "", "Hill, Stream"),
    ("AC-T07", "riverside", "6", "", ""),
    ("AC-T08", "riverside", "3,3,3,6", "", "Rise, Stream, Ditch, Swamp"),
    ("AC-T09", "plain", "5,5,5,5", "", ""),
    ("AC-T10", "plain", "2,3,6,6", "", "Hill, Ravine"),
    ("AC-T11", "plain", "4,4,4,4", "", "Wood, Scrub"),
    ("AC-T12", "coastal", "6,5,2,6", "Sand Dunes, nothing, Creek", "Sand Dunes, Fenced Road, Creek"),
    ("AC-T13", "mountains", "2,4,4,5", "", "Long Hill, Ravine, Forest, Hill + Cliff"),
    ("AC-T14", "swampy", "1,1,3,3", "", "Swamp, Swamp, Ditch, Pool"),
    ("AC-T15", "hilly", "5,4,1,6", "Pool", "Steep Hill + Cliff, Hill + Scree, Steep Hill, Pool"),
    ("AC-T16", "wilderness", "1,4,5,5", "Swamp", "Scrub, Woodland, Swamp, Hill"),
]


@pytest.mark.clause("AC-T04..AC-T16", "AC-204", "AC-205", "AC-206", "AC-207", "AC-D3", "AC-Q26")
@pytest.mark.parametrize(("_clause", "geography", "scores", "decisions", "expected"), EXAMPLES)
def test_the_dice_of_a_zone_give_what_the_table_says(_clause, geography, scores, decisions, expected):
    assert zone(geography, scores, decisions) == expected


@pytest.mark.clause("AC-T09", "AC-T10", "AC-205", "AC-206")
def test_a_blank_stops_nothing():
    found, _ = diced("plain", "2,3,6,6", "24x24")
    assert cells(found.log, 1) == "Hill, Ravine, blank, blank"
    found, _ = diced("farm", "2,3,6", "24x24")
    assert cells(found.log, 1) == "Hill, Stream, STOP"


@pytest.mark.clause("AC-T16", "AC-X05", "AC-410", "AC-208", "AC-209", "AC-D4")
def test_a_choice_outside_its_list_is_refused_with_the_list():
    with pytest.raises(ScenarioError, match=r"zone 1, roll 3.*Woodland.*AC-X05"):
        zone("wilderness", "1,4,5,5", "Wall")
    assert zone("wilderness", "1,4,5,5", "Creek") == "Scrub, Woodland, Creek, Hill"
    assert zone("wilderness", "1,4,5,5", "nothing") == "Scrub, Woodland, Hill"
    assert zone("wilderness", "1,4,5,5", "Wall", ac_q13="all-tables") == "Scrub, Woodland, Wall, Hill"


@pytest.mark.clause("AC-T17", "AC-301", "AC-302", "AC-212", "AC-Q05", "AC-Q07", "AC-Q18")
def test_a_town_is_the_first_roll_of_its_zone_and_counts():
    found, dice = diced("farm", TOWN, inputs={"campaign": ["town Gettysburg in 3"]})
    assert spent(dice)
    assert len(dice.log) == 20
    assert [lying(found.log, number) for number in range(1, 7)] == [
        "Steep Hill, Field, Railroad, Settlement",
        "Hill, Field, Fenced Road",
        "Town, Wall, Unfenced Road",
        "Wood, Wall, Sunken Lane",
        "Field",
        "Steep Hill, Stream",
    ]
    ignored = [(r.zone, r.roll, r.piece.value) for r in found.log.results if r.fate is Fate.IGNORED]
    assert ignored == [(2, 4, "Farm"), (3, 4, "Settlement"), (4, 4, "Farm")]
    assert found.log.names == {3: "Gettysburg"}


@pytest.mark.clause("AC-T18", "AC-Q04")
def test_two_tallies_keep_two_farms_and_two_settlements():
    found, _ = diced("farm", TOWN, inputs={"campaign": ["town in 3"]}, ac_q04="separate")
    assert lying(found.log, 2).endswith("Farm")
    assert lying(found.log, 4).endswith("Farm")
    assert [(r.zone, r.piece.value) for r in found.log.results if r.fate is Fate.IGNORED] == [(3, "Settlement")]


@pytest.mark.clause("AC-Q07", "AC-Q19", "AC-Q18", "AC-Q06", "AC-Q22")
def test_options_of_the_tally_and_of_places():
    fort = {"campaign": ["fort Sumter in 1"]}
    settlements = "1 1 1 / 1 1 1 1 / 1 1 1 1 / 6 6 / 6 6 / 6 6"

    def kept(**given: str) -> int:
        found, _ = diced("farm", settlements, inputs=fort, **given)
        return sum("Settlement" in lying(found.log, number) for number in range(1, 7))

    assert kept() == 2
    assert kept(ac_q07="both") == 1
    assert kept(ac_q06="6") == 3
    found, dice = diced("farm", "6 6 / 6 6 / 6 6 / 6 6 / 6 6 / 6 6", inputs=fort, ac_q19="four")
    assert spent(dice)
    assert lying(found.log, 1) == "Fort, Field"
    houses = "4 5 4 4 / 4 5 4 4 / 4 5 4 4 / 6 6 / 6 6 / 6 6"
    found, _ = diced("farm", houses, ac_q22="yes")
    assert [r.zone for r in found.log.results if r.fate is Fate.IGNORED] == [3]


@pytest.mark.clause("AC-Q05", "AC-T17")
def test_an_ignored_farm_may_be_thrown_again():
    dice = "1 1 1 1 / 2 2 2 2 / 1 1 1 2 1 4 / 6 6 / 6 6 / 6 6"
    found, thrown = diced("farm", dice, ac_q05="reroll")
    assert spent(thrown)
    assert lying(found.log, 3) == "Steep Hill, Field, Railroad, Building"
    assert [result.fate for result in found.log.of(3)][-3:] == [Fate.IGNORED, Fate.IGNORED, Fate.KEPT]


@pytest.mark.clause("AC-Q14", "AC-Q03", "AC-Q17", "AC-Q01")
def test_dice_together_other_orders_merging_and_swapped_tables():
    found, dice = diced("farm", "6 6 1 1", "24x24", ac_q14="together")
    assert spent(dice)
    assert [result.fate for result in found.log.of(1)] == [Fate.KEPT, Fate.STOP, Fate.VOID, Fate.VOID]
    found, _ = diced("farm", "2 6 / 6 6", "48x24", ac_q03="2,1")
    assert lying(found.log, 2) == "Hill"
    with pytest.raises(ScenarioError, match=r"AC-Q03"):
        diced("farm", "2 6", "48x24", ac_q03="2,2")
    assert zone("swampy", "1,1,3,3", ac_q17="merge") == "Swamp, Ditch, Pool"
    assert zone("riverside", "1,1,3,3", ac_q01="swap36") == "Swamp, Swamp, Ditch, Pool"


@pytest.mark.clause("AC-T20", "AC-D3", "AC-D4")
def test_a_whole_farm_table():
    found, dice = diced("farm", FARMS, inputs={"decisions": "Wood"})
    assert spent(dice)
    assert len(dice.log) == 21
    assert [lying(found.log, number) for number in range(1, 7)] == [
        "Stream, Field, Fenced Road, Building",
        "Field, Wood, Sunken Lane, Farm",
        "Wood",
        "Hill, Stream",
        "Steep Hill, Field, Railroad, Settlement",
        "Rise, Stream, Fence Line, Wood",
    ]


@pytest.mark.clause("AC-T42", "AC-X02", "AC-X04", "AC-D6")
def test_a_die_short_and_a_die_too_high_are_named_by_zone_and_roll():
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


@pytest.mark.clause("AC-X03", "AC-X09", "AC-X10", "AC-T44")
@pytest.mark.usefixtures("joined_only")
def test_what_is_left_over_is_said_and_water_is_checked():
    outcome = game("farm", FARMS + " / 6", inputs={"decisions": ["Wood", "Hill", "Hill"]})
    assert [line.split()[0] for line in outcome.warnings] == ["1", "2"]
    assert all("AC-X03" in line for line in outcome.warnings)
    with pytest.raises(ScenarioError, match=r"AC-X09"):
        game("farm", FARMS, water="S")
    with pytest.raises(ScenarioError, match=r"AC-X09"):
        game("coastal", FARMS, choice_policy="recorded")
    with pytest.raises(ScenarioError, match=r"AC-X10"):
        game("coastal", FARMS, water="creek")


@pytest.mark.clause("AC-X09", "AC-103", "AC-303", "AC-304")
def test_water_that_only_some_geographies_have_is_heeded_by_the_die_of_the_state():
    def settled(water: str, dice: str, state: str = "Virginia", **more: str) -> str:
        ruled = rules(state=state, water=water, **more)
        return settle_country(Tables.of(ruled), Inputs(), ruled, dice_of(dice)).geography.name

    row = Tables.of(rules()).region("Virginia").geographies
    watered = [name for name in row if Tables.of(rules()).geography(name).water is not None]
    dry = [die for die, name in enumerate(row, 1) if name not in watered]
    wet = [die for die, name in enumerate(row, 1) if name in watered]
    assert dry
    assert wet
    assert settled("S", f"{dry[0]} {dry[-1]} {wet[0]}") == row[wet[0] - 1]
    assert settled("auto", f"{dry[0]}") == row[dry[0] - 1]
    with pytest.raises(DiceError):
        settled("S", f"{dry[0]}")


@pytest.mark.clause("AC-103", "AC-X09")
def test_the_judge_knows_which_dice_of_the_state_are_thrown_again():
    from printkit.core.words import find as language
    from printkit.kit.check import judge_record
    from printkit.kit.registry import find
    from printkit.recipes.game.games import play
    from printkit.recipes.game.request import ordered

    settings = ("water=creek", "state=Virginia")
    orders = ordered(rules="acw", settings=settings, scenario=None, board="48x48in", seed=None, dice=None)
    records = (play(find("acw"), orders, seed, language("en")).record for seed in range(1, 30))
    record = next(each for each in records if sum(throw.stage == "geography" for throw in each.log) > 2)

    def verdict(found):
        return next(each for each in judge_record(find("acw"), found).verdicts if each.clause == "AC-103")

    assert verdict(record).state == "kept"
    places = [place for place, throw in enumerate(record.log) if throw.reason.startswith("geography of")]
    first, last = record.log[places[0]], record.log[places[-1]]
    log = list(record.log)
    # The first die gives what the last one gave: it would have stood, and nothing had been thrown again.
    log[places[0]] = replace(first, answer=last.answer)
    log[places[-1]] = replace(last, answer=first.answer)
    assert verdict(replace(record, log=tuple(log))).state == "broken"


@pytest.mark.clause("AC-X09", "AC-X10")
def test_a_state_without_the_water_that_is_asked_for_says_what_it_has():
    tables = Tables.of(rules())
    dry = next(
        each for each in tables.regions if all(tables.geography(name).water is None for name in each.geographies)
    )
    ruled = rules(state=dry.name, water="creek")
    with pytest.raises(ScenarioError, match=r"water is creek, but nowhere in .* can it be: there are .*AC-X09"):
        settle_country(Tables.of(ruled), Inputs(), ruled, dice_of("1"))


@pytest.mark.clause("AC-X08", "AC-301")
@pytest.mark.parametrize("lines", [["town in 7"], ["town A in 2", "fort B in 2"], ["known 9: Hill"]])
def test_a_place_off_the_table_or_two_in_a_zone_are_refused(lines):
    with pytest.raises(ScenarioError, match=r"AC-X08"):
        diced("farm", FARMS, inputs={"campaign": lines})


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"deck": ["KS"]}, "knows no list"),
        ({"campaign": ["village in 2"]}, "no fact of a campaign"),
        ({"campaign": ["known 2: Volcano"]}, "no piece of terrain"),
        ({"campaign": ["water X"]}, "AC-X09"),
        ({"zones": ["Hill"]}, "no zone"),
        ({"zones": ["1: 5 1", "1: 2"]}, "twice"),
        ({"zones": ["1: 1 1 1 1 1"]}, "AC-X03"),
        ({"profile": 3}, "no list of texts"),
    ],
)
def test_lines_that_cannot_be_read_are_refused(inputs, said):
    with pytest.raises(ScenarioError, match=said):
        diced("farm", FARMS, inputs=inputs)


@pytest.mark.clause("AC-M4", "AC-101")
def test_zones_may_be_fixed_and_the_rest_thrown():
    inputs = {"zones": ["1: 5 1", "2: Hill, Stream, STOP"], "campaign": ["known 3: Swamp, Pool"]}
    found, dice = diced("farm", "2 4 / 1 1 / 6 6 / 6 6 / 6 6", inputs=inputs)
    assert spent(dice)
    assert lying(found.log, 1) == "Stream, Field, Fenced Road, Building"
    assert lying(found.log, 2) == "Hill, Stream"
    assert lying(found.log, 3) == "Swamp, Pool, Railroad, Settlement"
    assert [throw.reason for throw in dice.log][:2] == ["zone 1, roll 3", "zone 1, roll 4"]


@pytest.mark.clause("AC-M2", "AC-302")
def test_a_dry_run_lists_the_columns_still_to_throw():
    inputs = {"zones": ["1: 5 1", "2: 6 6", "4: Hill"], "campaign": ["town in 3"]}
    assert still_to_throw(terms("farm", inputs=inputs)) == {
        1: (3, 4),
        2: (),
        3: (2, 3, 4),
        4: (),
        5: (1, 2, 3, 4),
        6: (1, 2, 3, 4),
    }

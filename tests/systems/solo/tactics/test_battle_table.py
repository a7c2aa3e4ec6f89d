"""A battle at the table: stages and bounds are taken back, losses are judged, it ends; odds of a close combat."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from plain_armies import SPEARS

from printkit.api import generate
from printkit.core.errors import BookError, ResourceError, ScenarioError, UsageError
from printkit.core.words import find_words
from printkit.systems.solo.armies.force import read_troops
from printkit.systems.solo.armies.rules import load_solo_rules
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, open_battle
from printkit.systems.solo.battle.new_battle import battle_text
from printkit.systems.solo.battle.standing import BOUND, ended, judged_losses, standing, undo
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.reference import build_reference_cards
from printkit.systems.solo.tactics.battle_file import read_battle
from printkit.systems.solo.tactics.battle_log import (
    COMPOSE,
    DEPLOY,
    EDGE,
    LEVEL,
    STAGES,
    TERRAIN,
    BattleLog,
    BoundEntry,
    StageEntry,
    read_log,
    write_log,
)
from printkit.systems.solo.tactics.bounds import Losses
from printkit.systems.solo.tactics.combat_odds import CombatOdds, combat_odds, fighting_types
from printkit.systems.solo.tactics.tactics_tables import Action, tactics
from printkit.terrain.field.record import write

ENGLISH = find_words("en")


def _bound(number: int, npg: int = 0, you: int = 0, override: str = "") -> BoundEntry:
    return BoundEntry(
        number=number, pips=3, die=4, net=0, npg_lost=npg, you_lost=you, stance="cautious", override=override
    )


_RESULTS: dict[str, dict[str, Any]] = {
    COMPOSE: {"npg_army": [], "attacker": "npg"},
    DEPLOY: {"groups": [], "places": []},
    LEVEL: {"level": "neutral"},
}


def _played(*bounds: BoundEntry) -> BattleLog:
    stages = {name: StageEntry(results=_RESULTS.get(name, {})) for name in STAGES}
    return BattleLog(seed=1, stages=stages, bounds=bounds)


@pytest.fixture
def case(tmp_path: Path) -> BattleCase:
    path = tmp_path / "battle.toml"
    path.write_text(battle_text("gallic", "polybian-roman", path, ENGLISH, scale="15mm", seed=11), encoding="utf-8")
    return open_battle(BattleOrder(path=path, words=ENGLISH, seed=5))


# --- The file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_new_file_is_read_and_so_is_each_of_its_keys(language: str, tmp_path: Path) -> None:
    text = battle_text("gallic", "spartan", tmp_path / "b.toml", find_words(language), scale="25mm", seed=4)
    battle = read_battle(text, "battle.toml")
    assert (battle.npg, battle.you, battle.seed, battle.scale) == ("gallic", "spartan", 4, "25mm")
    spoken = re.sub(r"(?m)^# ((\[\[|[a-z_.]+ = ).*)$", r"\1", text)
    whole = read_battle(re.sub(r"(?m)^attack_dice = .*$", "", spoken), "battle.toml")
    assert whole.attacker is not None
    assert whole.edge is not None
    assert whole.width_in == 24
    assert whole.map != "hand"
    assert len(whole.your_line) == len(whole.pairs) == 1
    assert whole.settings == {"grouping": "ask", "swap": "auto"}
    assert set(whole.situation.values) == {"waterway", "near.zone_clear"}
    assert max(len(line) for line in text.splitlines()) <= 120


def test_paths_of_armies_are_seen_from_the_battle_and_an_army_that_is_none_writes_no_file(tmp_path: Path) -> None:
    army = tmp_path / "mine.toml"
    army.write_text(SPEARS, encoding="utf-8")
    text = battle_text(str(army), "gallic", tmp_path / "b.toml", ENGLISH, scale="15mm", seed=4)
    assert read_battle(text, "battle.toml").npg == "mine.toml"
    with pytest.raises(ResourceError, match="no army 'nobody'"):
        battle_text("gallic", "nobody", tmp_path / "b.toml", ENGLISH, scale="15mm", seed=4)


def test_a_game_that_lies_on_the_table_is_the_battle(tmp_path: Path) -> None:
    made = generate("solo-dba", seed=11, npg="gallic", you="polybian-roman")
    (tmp_path / "record.json").write_text(write(made.record), encoding="utf-8")
    path = tmp_path / "battle.toml"
    record = tmp_path / "record.json"
    text = battle_text("gallic", "polybian-roman", path, ENGLISH, scale="15mm", seed=None, record=record)
    path.write_text(text, encoding="utf-8")
    opened = open_battle(BattleOrder(path=path, words=ENGLISH, seed=5))
    composition = made.record.details["composition"]
    assert isinstance(composition, dict)
    assert opened.log.seed == 11
    assert {each.code for each in opened.npg.elements} == set(composition["elements"])
    assert opened.npg.general is not None
    assert opened.npg.general.code == composition["general"]
    path.write_text(text.replace("polybian-roman", "spartan"), encoding="utf-8")
    with pytest.raises(ScenarioError, match="is a game of Polybian Roman"):
        open_battle(BattleOrder(path=path, words=ENGLISH, seed=5))
    other = "you" if opened.npg_attacks else "npg"
    path.write_text(text.replace('# attacker = "npg"', f'attacker = "{other}"'), encoding="utf-8")
    with pytest.raises(ScenarioError, match="attacks; remove it"):
        open_battle(BattleOrder(path=path, words=ENGLISH, seed=5))


def test_what_a_map_shows_otherwise_is_refused_with_both_sides(tmp_path: Path) -> None:
    made = generate("solo-dba", seed=11, npg="gallic", you="polybian-roman", scale="25mm")
    (tmp_path / "record.json").write_text(write(made.record), encoding="utf-8")
    path = tmp_path / "battle.toml"

    def opened(board: str) -> BattleCase:
        head = 'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "polybian-roman"\n[board]\nmap = "record.json"\n'
        path.write_text(head + board, encoding="utf-8")
        return open_battle(BattleOrder(path=path, words=ENGLISH, seed=5))

    silent = opened("")
    assert (silent.battle.scale, silent.rules.choice("scale")) == ("25mm", "25mm")
    assert silent.situation.text("waterway") == "none"
    judged_otherwise = opened('[facts]\nwaterway = "none"\nfar.gentle_hill = true\n')
    assert judged_otherwise.situation.fact("far.gentle_hill")
    for board, said in (
        ('scale = "15mm"\n', "scale = '15mm', but the map is for 25mm figures"),
        ("width_in = 24\n", "width_in = 24, but the map is 36 in wide"),
        ('[facts]\nwaterway = "left"\n', "waterway = 'left', but on the map it is 'none'"),
        ('[facts]\nbua = "near-left"\n', "bua = 'near-left', but on the map it is"),
    ):
        with pytest.raises(ScenarioError, match=said):
            opened(board)


# --- Taking back -----------------------------------------------------------------------------------------------------


def test_level_and_bounds_go_with_a_stage_thrown_anew_but_stay_with_one_done_first() -> None:
    log = _played(_bound(1), _bound(2, 2, 1, "obey")).with_stage(DEPLOY, StageEntry())
    assert set(log.stages) == {COMPOSE, TERRAIN, EDGE, DEPLOY}
    assert (log.bounds, log.overrides) == ((), 0)
    early = BattleLog(stages={COMPOSE: StageEntry(), LEVEL: StageEntry()}, bounds=(_bound(1),))
    assert early.with_stage(DEPLOY, StageEntry()).bounds == (_bound(1),)


def test_bounds_are_taken_back_one_by_one(case: BattleCase) -> None:
    log, told = _played(_bound(1), _bound(2, 1, 0, "free")), []
    while log.bounds or log.done(LEVEL):
        log, line = undo(replace(case, log=log), BOUND)
        assert read_log(write_log(log), "b.json") == log
        told.append(line)
    assert [re.sub(r"[^0-9]", "", line) for line in told] == ["2", "2", "1", ""]
    assert DEPLOY in log.stages
    with pytest.raises(UsageError, match="there is nothing to undo yet"):
        undo(replace(case, log=log), BOUND)


def test_terrain_is_taken_back_with_its_map_and_no_other_file(case: BattleCase) -> None:
    folder = case.order.path.parent
    for name, gone in (("battle-map.json", True), ("mine.json", False)):
        (folder / name).write_text("{}", encoding="utf-8")
        log = replace(_played(), stages={TERRAIN: StageEntry(results={"map": name})})
        taken, _ = undo(replace(case, log=log), TERRAIN)
        assert taken.stages == {}
        assert (folder / name).exists() is not gone


# --- Losses, and the end ---------------------------------------------------------------------------------------------


def test_nobody_loses_more_than_he_has_and_losses_do_not_fall(case: BattleCase) -> None:
    for losses in (Losses(npg=12), Losses(npg=13, npg_camp=True)):
        assert judged_losses(losses, case) == losses
    with pytest.raises(UsageError, match="npg cannot have lost 13 of 12"):
        judged_losses(Losses(npg=13), case)
    later = replace(case, log=_played(_bound(1, 2, 1)))
    assert judged_losses(Losses(npg=2, you=1), later) is not None
    with pytest.raises(UsageError, match="you had lost 1 before"):
        judged_losses(Losses(npg=2, you=0), later)


@pytest.mark.parametrize(
    ("npg", "you", "winner"), [(3, 0, ""), (4, 0, "you"), (0, 4, "npg"), (4, 4, ""), (5, 4, "you"), (0, 0, "")]
)
@pytest.mark.clause("AMB-43")
def test_four_lost_elements_and_more_than_the_other_end_the_game(npg: int, you: int, winner: str) -> None:
    assert ended(_played(_bound(1), _bound(2, npg, you)), load_solo_rules()) == winner


def test_a_battle_is_told_as_it_stands(case: BattleCase) -> None:
    log = replace(_played(_bound(1), _bound(2, 1, 4, "obey")), stages=case.log.stages)
    lines = "\n".join(standing(replace(case, log=log)))
    assert "NPG Gallic against YOU" in lines
    assert "losses: NPG 1, YOU 4; an override failed" in lines
    assert "the NPG has won" in lines
    assert json.loads(write_log(log))["bounds"][1]["you_lost"] == 4


TROOPS = read_troops()
TYPES = fighting_types(TROOPS)


def odds(attacker: str, defender: str) -> CombatOdds:
    return combat_odds(TROOPS.types_by_code[attacker], TROOPS.types_by_code[defender])


@pytest.mark.clause("SD-5.1-act01", "SD-5.1-act03", "SD-5.1-act09", "SD-5.1-act12", "AMB-41")
@pytest.mark.parametrize(
    ("attacker", "defender", "kill", "die", "attack"),
    [
        # A chart of players: knights double light horse in 25 per cent of throws, and light horse win 17.
        ("Kn", "LH", 9, 6, Action.CALCULATED_ATTACK),
        ("LH", "Kn", 6, 9, Action.RECKLESS_ATTACK),
        ("Ps", "El", 6, 0, Action.SAFE_ATTACK),
        ("Sp", "Sp", 1, 1, Action.AGGRESSIVE_ATTACK),
        ("Cv", "Sp", 0, 0, None),
        # Bows destroy knights that have moved into contact with them, not knights that stand.
        ("Kn", "Bw", 10, 21, Action.RECKLESS_ATTACK),
        ("Bw", "Kn", 4, 10, Action.RECKLESS_ATTACK),
    ],
)
def test_odds_and_the_attack_that_they_make(
    attacker: str, defender: str, kill: int, die: int, attack: Action | None
) -> None:
    found = odds(attacker, defender)
    assert found == (kill, die)
    assert found.attack is attack


def test_all_types_but_camp_followers_have_odds_that_are_the_same_from_both_sides_but_for_who_moved() -> None:
    for one, other in product(TYPES, TYPES):
        there, back = combat_odds(one, other), combat_odds(other, one)
        assert there.kill + there.die <= 36
        if not (one.contact_destroyers or other.contact_destroyers):
            assert there == back[::-1]
    assert len(TYPES) == 16
    with pytest.raises(BookError, match="CF has no factor against foot"):
        odds("CF", "Bd")


@pytest.mark.clause("SD-4.8.1-b1..SD-4.8.1-b8")
def test_who_fares_badly_by_the_match_ups_is_destroyed_by_less_than_half() -> None:
    """But for Cv, Cm, LH and Wb before SCh, which flee, bows and artillery, which shoot, and knights before them."""
    shooting = {("Hd", "Bw"), ("Hd", "Art"), ("El", "Art"), ("WWg", "Art")}
    fleeing = {(code, "SCh") for code in ("Cv", "Cm", "LH")}
    for row in tactics(load_solo_rules()).match_ups:
        for own, by in product(row.bad_for, row.by):
            if (own, by) not in shooting | fleeing:
                troop = TROOPS.types_by_code[own]
                assert by in (*troop.destroyers, *troop.contact_destroyers), (own, by)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_backs_of_the_glossary_have_all_odds(language: str) -> None:
    text = CardText(find_words(language), load_solo_rules())
    told = {card.id: card.back for card in build_reference_cards(text)}
    cells = [table for name in ("G1", "G2", "G3", "G4") for table in told[name] if hasattr(table, "rows")]
    assert [column for table in cells for column in table.head[1:]] == [each.code for each in TYPES]
    assert all(len(table.rows) == len(TYPES) for table in cells)
    row = next(row for row in cells[0].rows if row[0] == "**Kn**")
    assert row[4] == "**C** 9/6"

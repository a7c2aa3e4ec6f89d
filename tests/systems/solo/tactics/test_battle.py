"""The battle file and its log: what is read, what is refused, what is written and read back (7.6, 7.8)."""

from __future__ import annotations

import json
import re

import pytest

from printkit.core.errors import FileError
from printkit.systems.solo.armies.force import Side
from printkit.systems.solo.armies.steps import Step
from printkit.systems.solo.tactics.battle_file import SCHEMA, read_battle
from printkit.systems.solo.tactics.battle_log import (
    COMPOSE,
    DEPLOY,
    EDGE,
    LEVEL,
    STAGES,
    BattleLog,
    BoundEntry,
    StageEntry,
    read_log,
    write_log,
)
from printkit.terrain.field.battlefield import Edge

HEAD = f'schema = "{SCHEMA}"\nnpg = "gallic"\nyou = "spartan"\n'

WHOLE = (
    HEAD
    + """
seed = 7
attacker = "npg"
title = "At the ford"
groups = ["Sp* Sp Sp Sp", "Ps Ps"]
[board]
width_in = 24
scale = "25mm"
map = "field.json"
npg_edge = "far"
[solo]
grouping = "ask"
use_bua = true
[facts]
waterway = "left"
you_reserved_landing = 2
both_flanks_bad = false
[facts.near]
zone_clear = true
[facts.left_flank]
room = 4
[[your_line]]
type = "Kn"
from_left_in = 11.5
[[pairs]]
npg = "Ps"
you = "Kn"
open = false
"""
)


def test_a_whole_battle_file() -> None:
    battle = read_battle(WHOLE, "battle.toml")
    assert (battle.npg, battle.you, battle.seed, battle.attacker) == ("gallic", "spartan", 7, Side.NPG)
    assert (battle.width_in, battle.scale, battle.map, battle.edge) == (24.0, "25mm", "field.json", Edge.FAR)
    assert battle.settings == {"grouping": "ask", "use_bua": "true"}
    assert battle.situation.number("you_reserved_landing") == 2
    assert (battle.situation.fact("near.zone_clear"), battle.situation.fact("far.zone_clear")) == (True, None)
    assert battle.situation.number("left_flank.room") == 4
    assert set(battle.situation.sources.values()) == {"given"}
    assert [(each.type, each.from_left_in) for each in battle.your_line] == [("Kn", 11.5)]
    assert [(pair.npg, pair.you, pair.open) for pair in battle.pairs] == [("Ps", "Kn", False)]
    assert battle.groups == ("Sp* Sp Sp Sp", "Ps Ps")
    # Two armies are enough.
    least = read_battle(HEAD, "battle.toml")
    assert (least.map, least.edge, least.attacker, least.seed) == ("hand", None, None, None)
    assert least.situation.values == {}
    assert read_battle(HEAD + "attack_dice = [1, 6]\n", "battle.toml").attack_dice == (1, 6)


@pytest.mark.clause("SD-2.3-a")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("npg =", "not valid TOML"),
        ('npg = "x"', 'schema is missing. Write "dba-battle/1".'),
        (f'schema = "{SCHEMA}"\nyou = "x"', "npg is missing"),
        (HEAD + "side = 1", 'unknown key "side"'),
        (HEAD + "[board]\ndepth = 3", 'line 5: board: unknown key "depth"'),
        (
            HEAD + '[board]\nnpg_edge = "north"',
            'board.npg_edge = "north" is not valid. Write one of "near"',
        ),
        (HEAD + '[board]\nscale = "28mm"', 'board.scale = "28mm" is not valid. Write one of "15mm", "25mm"'),
        (HEAD + "[board]\nwidth_in = -1", "width_in = -1 is not valid. Write a length in inches"),
        (HEAD + "seed = -1", "Write a whole number of at least 0"),
        (HEAD + 'attacker = "me"', 'Write one of "npg", "you"'),
        (HEAD + "[facts]\nmarshes = true", "facts: unknown fact 'marshes'"),
        (HEAD + "[facts.near]\nzone_clear = 1", "near.zone_clear = 1 is not valid; write true or false"),
        (HEAD + "facts = 3", "facts = 3 is not valid"),
        (HEAD + 'groups = "Sp"', 'groups = "Sp" is not valid. Write a list with a text'),
        (HEAD + "[pairs]\nnpg = 1", r"Write \[\[pairs\]\]"),
        (HEAD + '[[pairs]]\nnpg = "Ps"', "pairs 1: you is missing"),
        (
            HEAD + '[[pairs]]\nnpg = "Ps"\nyou = "Kn"\nopen = "no"',
            'open = "no" is not valid. Write true, or false if bad',
        ),
        (HEAD + '[[your_line]]\ntype = "Kn"\nat = 3', 'line 6: your_line 1: unknown key "at"'),
        (HEAD + "[solo.grouping]\nx = 1", "solo.grouping = "),
        *(
            (HEAD + f"attack_dice = {dice}", "line 4: attack_dice")
            for dice in ("[7, 3]", "[3, 9]", "[0, 3]", "[3]", "[3, 4, 5]", '"3, 4"')
        ),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(FileError, match=said):
        read_battle(text, "battle.toml")


BOUND = BoundEntry(number=1, pips=4, die=6, net=1, npg_lost=0, you_lost=1, stance="aggressive")
DIE = Step(clause="SD-4.1-c", title="npg.battle.step.edge_die", dice=(3,), total=3, row="SD-4.1-c", result="far")
LOG = BattleLog(
    seed=7,
    answers={"waterway": "left"},
    stages={
        COMPOSE: StageEntry(results={"npg_army": ["4Sp*"], "attacker": "npg"}),
        EDGE: StageEntry(results={"npg_edge": "far"}, steps=(DIE.as_data(),)),
        LEVEL: StageEntry(results={"level": "neutral"}),
    },
    bounds=(BOUND,),
)


def test_a_log_is_read_back() -> None:
    assert read_log(write_log(LOG), "b.json") == LOG
    assert write_log(read_log(write_log(LOG), "b.json")) == write_log(LOG)
    assert list(json.loads(write_log(LOG))["stages"]) == [COMPOSE, EDGE, LEVEL]


@pytest.mark.clause("SD-5.4-d")
def test_a_stage_thrown_anew_forgets_what_came_after_it_and_tries_of_an_override_are_counted() -> None:
    later = LOG.with_stage(DEPLOY, StageEntry(results={"camp": "spear"}))
    assert later.done(DEPLOY)
    again = later.with_stage(EDGE, StageEntry(results={"npg_edge": "near"}))
    assert not again.done(DEPLOY)
    assert again.result(LEVEL, "level") is None
    assert again.result(EDGE, "npg_edge") == "near"
    assert again.result(DEPLOY, "camp") is None
    assert later.with_stage(LEVEL, StageEntry()).done(DEPLOY)
    second = BoundEntry(number=2, pips=1, die=1, net=0, npg_lost=0, you_lost=0, stance="defensive", override="obey")
    both = LOG.with_bound(second)
    assert (both.overrides, len(both.bounds)) == (1, 2)
    assert len(both.with_bound(second).bounds) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must contain a JSON object"),
        ("{}", "schema is missing"),
        ('{"schema": "x"}', 'schema = "x" is not valid. Write "dba-battle-log/1"'),
        (
            '{"schema": "dba-battle-log/1", "stages": {"feast": {}}}',
            'stages: unknown key "feast". Write one of compose',
        ),
        ('{"schema": "dba-battle-log/1", "bounds": [{"number": 1}]}', "bounds 1: pips is missing"),
        ('{"schema": "dba-battle-log/1", "seed": "seven"}', 'seed = "seven" is not valid'),
    ],
)
def test_a_wrong_log_is_named(text: str, said: str) -> None:
    with pytest.raises(FileError, match=re.escape(said)):
        read_log(text, "b.json")
    assert len(STAGES) == 6

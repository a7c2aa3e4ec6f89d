"""Scenario files: what a table has decided goes in as it fell, survives in the record, and yields to options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from documents import Saved, page

from printkit.cli.app import run
from printkit.core.words import Words
from printkit.kit.registry import find
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play, replay_game
from printkit.recipes.game.request import Orders, build_orders
from printkit.terrain.field.record import write

pytestmark = pytest.mark.usefixtures("table", "_no_ink")

ENGLISH = Words(("en",))
GIVEN = """
seed = 4
title = "The Two Brooks"
names = "none"
zones = "AS 3D 4H 5D QC 7D 8H 9D KC"
dice = "3 4 6 1"
features = ["z1 size 4.0x3.5 turn 0", "z5 size 4.0x3.5 turn 30 at 12,12"]
rivers = '''
river A W:20 -> lake@5    # the upper one
river B E:14 -> lake@5

'''
"""
"""Zones, dice and courses of a game in which everything was decided at the table."""


@pytest.fixture(scope="module")
def brantley() -> RuleSystem:
    return find("brantley")


def orders(text: str = GIVEN, **options: Any) -> Orders:
    Path("field.toml").write_text(text, encoding="utf-8")
    nothing: dict[str, Any] = {"rules": None, "settings": (), "board": None, "seed": None, "dice": None}
    return build_orders(**{**nothing, **options}, scenario=Path("field.toml"))


def played(system: RuleSystem, given: Orders) -> GeneratedGame:
    return play(system, given, given.seed or 1, ENGLISH, continues=given.seed is not None)


def kinds(game: GeneratedGame) -> list[str]:
    return sorted(f"{feature.id} {feature.kind}" for feature in game.record.battlefield.features)


def test_the_scenario_in_the_documentation_can_be_played(table: Path) -> None:
    saved = {
        step.name: step.text for step in page("docs/guide/change-a-battlefield.md").steps if isinstance(step, Saved)
    }
    (table / "field.toml").write_text(saved["table.toml"], encoding="utf-8")
    for seed in ("1", "2", "3"):
        assert run(["map", "--scenario", "field.toml", "--seed", seed, "--plan", "--scale", "1:8"]) == 0


@pytest.mark.clause("BR-T20", "BR-403", "BR-503")
def test_what_was_decided_at_the_table_lies_on_the_board(brantley: RuleSystem) -> None:
    game = played(brantley, orders())
    assert [name for name in kinds(game) if name[0] in "zR"] == ["R1 river", "R2 river", "z1 bua", "z5 lake", "z9 bua"]
    assert sum(name.endswith(" road") for name in kinds(game)) == 2
    assert game.record.battlefield.title == "The Two Brooks"
    assert game.warnings == ("Your dice: rivers 3, roads 4, order of deployment 6 and 1.",)
    assert [found for found in brantley.judge(game.record) if found.state == "broken"] == []
    # A list of lines is a text of lines.
    rivers = GIVEN[GIVEN.index("rivers") :]
    listed = GIVEN.replace(rivers, 'rivers = ["river A W:20 -> lake@5", "river B E:14 -> lake@5"]\n')
    assert write(played(brantley, orders(listed)).record) == write(played(brantley, orders()).record)


def test_options_win_over_the_file(brantley: RuleSystem) -> None:
    text = GIVEN + "board = '24in'\n[settings]\nbr-q16 = 'ford'\nbr-q20 = 'clear'\n"
    found = orders(text, settings=("br-q16=bridge",), board="36in", seed=9, dice="3 4 1 6")
    assert (found.board, found.seed, found.dice) == ("36in", 9, "3 4 1 6")
    record = played(brantley, found).record
    assert record.battlefield.board.width == pytest.approx(36 * 25.4)
    assert record.seed == 9
    assert (record.settings["br-q16"], record.settings["br-q20"]) == ("bridge", "clear")
    # So does an alias, and names are a setting too.
    record = played(brantley, orders(text, settings=("crossing=bridge", "names=medieval"))).record
    assert (record.settings["br-q16"], record.settings["names"]) == ("bridge", "medieval")
    assert all(feature.name for feature in record.battlefield.features if feature.kind in ("bua", "lake"))


def test_what_the_table_decided_survives_a_reroll(brantley: RuleSystem) -> None:
    record = played(brantley, orders()).record
    again = replay_game(brantley, record, ENGLISH, reroll=("order",), keep=(), new_seed=99)
    found, first = json.loads(write(again.record)), json.loads(write(record))
    assert found["features"] == first["features"]
    assert found["brantley"]["inputs"] == first["brantley"]["inputs"]
    assert again.record.battlefield.title == "The Two Brooks"


@pytest.mark.usefixtures("_laid_anew")
def test_a_seed_in_the_file_repeats_the_game(table: Path) -> None:
    (table / "field.toml").write_text("seed = 5\nnames = 'horse-and-musket'\n", encoding="utf-8")
    for name in ("one", "two"):
        assert run(["map", "--scenario", "field.toml", "--scale", "1:8", "--lang", "en", "--out", f"{name}.json"]) == 0
    assert (table / "one.json").read_bytes() == (table / "two.json").read_bytes()
    assert (table / "one.pdf").read_bytes() == (table / "two.pdf").read_bytes()


@pytest.mark.clause("BR-Q20")
def test_a_card_that_is_not_drawn_leaves_its_zone_empty(brantley: RuleSystem) -> None:
    deck = 'deck = "KS 7H 9C 2D QC 3S 10H JS 5C"\n[settings]\npolicy = "terrain-hungry"\n'
    blind = played(brantley, orders(deck, seed=3))
    clear = played(brantley, orders(deck + 'br-q20 = "clear"\n', seed=3))
    assert "z9 light_woods" in kinds(blind)
    assert not any(name.startswith("z9 ") for name in kinds(clear))

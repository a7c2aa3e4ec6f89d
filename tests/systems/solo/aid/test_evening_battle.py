"""The evening's battle file, its log and its table aid: on paper, at the laptop and on a phone it is one battle."""

from __future__ import annotations

from pathlib import Path

import pytest
from aid_scene import data_of
from msgspec.structs import replace
from plain_armies import SPEARS

from printkit.cli.app import run
from printkit.core.words import find
from printkit.kit import registry
from printkit.page.sheet import find as paper
from printkit.recipes.evening.folder import Folders
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.files import find_style
from printkit.recipes.output.handout import Handout
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, open_battle
from printkit.systems.solo.cards.sheet_values import rolled_bounds
from printkit.systems.solo.sheets.battle_sheets import handout_pair
from printkit.systems.solo.tactics.battle_log import read_log
from printkit.terrain.field.record import Record, write

Captured = pytest.CaptureFixture[str]
RECORD = Folders(solo=True).record
pytestmark = pytest.mark.usefixtures("table")

LINE = "1xCv (Gen), 2x(LCh or Cv), 8x4Wb, 1xPs; home=arable; aggression=2"


def evening(seed: int = 7, **settings: str) -> Handout:
    """Return a game as the pages of an evening are made from it, and lay its folder."""
    system, words = registry.find("solo-dba"), find("en")
    record = play(system, Orders(rules="solo-dba", settings=settings), seed, words).record
    made = Handout(record=record, system=system, sheet=paper("a4"), style=find_style("ink-saver"), words=words)
    for own in made.added("evening_texts"):
        place = Path(own.name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(own.text, encoding="utf-8")
    Path(RECORD).parent.mkdir(exist_ok=True)
    Path(RECORD).write_text(write(record), encoding="utf-8")
    return made


def opened() -> BattleCase:
    return open_battle(BattleOrder(path=Path("sealed/battle.toml"), words=find("en"), seed=99))


@pytest.mark.parametrize(
    "settings",
    [
        {"npg": "viking", "you": "welsh"},
        {"npg": "sample", "you": "sample"},
        {"npg": "viking", "you": "spears.toml", "grouping": "greedy"},
        {"npg": "spears.toml", "you": "low-countries-late"},
        {"npg": LINE, "you": "welsh"},
    ],
    ids=str,
)
def test_laptop_and_paper_are_one_battle(settings: dict[str, str]) -> None:
    Path("spears.toml").write_text(SPEARS, encoding="utf-8")
    handout = evening(**settings)
    pair = handout_pair(handout)
    assert pair is not None
    Path("spears.toml").unlink()
    kept = Path("sealed/battle.json").read_text(encoding="utf-8")
    for _ in range(2):
        case = opened()
        assert (case.npg.counts(), case.you.counts()) == (pair.npg.counts(), pair.you.counts())
        assert (case.npg.general, case.you.general) == (pair.npg.general, pair.you.general)
        assert (case.npg.name, case.attacker) == (pair.npg.name, pair.attacker)
        assert (case.log.seed, case.rules.settings["grouping"]) == (7, pair.rules.settings["grouping"])
        assert case.field is not None
        assert case.field.title == handout.record.battlefield.title
        assert case.log == read_log(kept), "without its log the battle makes the same"
        Path("sealed/battle.json").unlink(missing_ok=True)


def test_its_bounds_are_those_of_the_strip_and_of_the_phone(capsys: Captured) -> None:
    handout = evening(npg="gallic", you="polybian-roman")
    rules = SoloRules.of_record(handout.system.book, handout.record)
    strip = [(each.pips, each.die) for each in rolled_bounds(7, rules)]
    phone = data_of(Path("you/table-aid.html").read_text(encoding="utf-8"))
    for _ in range(3):
        assert run(["npg", "bound", "sealed/battle.toml", "--lang", "en"]) == 0
    laptop = [(bound.pips, bound.die) for bound in opened().log.bounds]
    assert laptop == strip[:3] == [(pips, die) for pips, die, _ in phone["strip"][:3]]
    assert run(["npg", "bound", "sealed/battle.toml", "--override", "--lang", "en"]) == 0
    third = rolled_bounds(7, rules)[2]
    assert opened().log.bounds[-1].override == ("free" if third.free else "obey")
    level = phone["level"]["faces"][phone["level"]["die"] - 1]
    assert opened().log.result("level", "level") == level
    assert run(["npg", "aid", "sealed/battle.toml", "--out", "a.html", "--lang", "en"]) == 0
    assert data_of(Path("a.html").read_text(encoding="utf-8"))["key"] == phone["key"]
    capsys.readouterr()


def test_a_new_battle_of_a_record_has_its_readings_and_a_field_drawn_by_hand_has_no_battle() -> None:
    made = evening(npg="gallic", you="polybian-roman", grouping="greedy", swap="auto")
    assert run(["npg", "new", "gallic", "polybian-roman", "--map", RECORD, "--out", "b.toml", "--lang", "en"]) == 0
    case = open_battle(BattleOrder(path=Path("b.toml"), words=find("en"), seed=1))
    assert (case.rules.choice("grouping"), case.rules.choice("swap")) == ("greedy", "auto")
    bare = replace(made, record=Record(rules=made.record.rules, battlefield=made.record.battlefield))
    assert bare.added("evening_texts") == ()


def test_no_battle_goes_on_from_a_game_of_another_reading(capsys: Captured) -> None:
    made = evening(npg="gallic", you="polybian-roman")
    key = next(iter(made.system.book.retired))
    other = replace(made.record, settings={**made.record.settings, key: "another"})
    assert [own.name for own in replace(made, record=other).added("evening_texts")] == ["you/table-aid.html"]
    Path(RECORD).write_text(write(other), encoding="utf-8")
    assert run(["npg", "new", "gallic", "polybian-roman", "--map", RECORD, "--out", "b.toml", "--lang", "en"]) == 1
    assert f"this game was made under {key}=another; printkit 0.2 can replay it" in capsys.readouterr().err
    assert not Path("b.toml").exists()

"""The evening's battle on paper, laptop and phone is one: the phone's log is read as a stranger's and played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from aid_scene import data_of
from msgspec.structs import replace
from plain_armies import SPEARS

from printkit.cli.app import run
from printkit.core.reading import DEEPEST
from printkit.core.words import find_words
from printkit.kit import registry
from printkit.page.sheet import find_sheet as paper
from printkit.recipes.evening.folder import Folders
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.files import find_style
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, open_battle
from printkit.systems.solo.cards.sheet_values import roll_bounds
from printkit.systems.solo.sheets.battle_sheets import read_handout_pair
from printkit.systems.solo.tactics.aid_log import SCHEMA
from printkit.systems.solo.tactics.battle_log import read_log
from printkit.terrain.field.record import Record, write

Captured = pytest.CaptureFixture[str]
pytestmark = pytest.mark.usefixtures("table")

LEVEL = {"what": "level", "level": "defensive", "die": 2, "by": "battle"}
EVENTS: list[dict[str, Any]] = [
    LEVEL,
    {"what": "bound", "pips": 5, "die": 6, "by": "battle"},
    {"what": "lost", "side": "npg", "elements": 2, "camp": False, "general": False},
    {"what": "bound", "pips": 2, "die": 4, "by": "own"},
    {"what": "override", "die": 5, "by": "cards", "card": 5},
    {"what": "lost", "side": "npg", "elements": 3, "camp": True, "general": True},
]


@pytest.fixture
def key(capsys: Captured) -> str:
    """Make a battle and its page; return by what the battle is known."""
    assert run(["npg", "new", "gallic", "polybian-roman", "--seed", "11", "--lang", "en"]) == 0
    assert run(["npg", "aid", "battle.toml", "--out", "aid.html", "--lang", "en"]) == 0
    capsys.readouterr()
    found: str = data_of(Path("aid.html").read_text(encoding="utf-8"))["key"]
    return found


def saved(key: str, events: list[Any], changed: dict[str, object] | None = None) -> None:
    """Write the log of a phone."""
    tree = {"schema": SCHEMA, "battle": key, "seed": "11", "npg": "Gallic", "you": "Polybian Roman, later"}
    Path("aid.json").write_text(json.dumps({**tree, "events": events} | (changed or {})), encoding="utf-8")


def show(*more: str, status: int = 0) -> None:
    assert run(["npg", "show", "battle.toml", "--from-aid", "aid.json", "--lang", "en", *more]) == status


def log() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("battle.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.clause("SD-5.3-b", "AMB-43")
def test_show_tells_what_was_played_with_the_phone(key: str, capsys: Captured) -> None:
    before = log()
    saved(key, EVENTS)
    show()
    told = capsys.readouterr().out
    assert "aggression level: Defensive" in told
    assert "Bound 1: 5 PIPs, Aggressive; losses: NPG 0, YOU 0" in told
    # 4 and the level -1, two elements -2, PIPs -1 are 0.
    assert "Bound 2: 2 PIPs, Defensive; losses: NPG 2, YOU 0; an override worked" in told
    assert "losses so far: NPG 5, YOU 0" in told
    assert "YOU have won (losses: NPG 5" in told
    assert log() == before, "nothing is kept unasked"


def test_what_is_kept_goes_on_at_the_laptop_and_on_another_phone(key: str, capsys: Captured) -> None:
    saved(key, EVENTS)
    show("--keep")
    first, second = log()["bounds"]
    assert (first["npg_lost"], second["npg_lost"], second["override"], second["net"]) == (0, 2, "free", -3)
    assert run(["npg", "bound", "battle.toml", "--lost", "+1,+0", "--lang", "en"]) == 0
    assert "Bound 3" in capsys.readouterr().out
    assert run(["npg", "aid", "battle.toml", "--out", "other.html", "--lang", "en"]) == 0
    begun = data_of(Path("other.html").read_text(encoding="utf-8"))["begun"]
    assert [event["what"] for event in begun] == ["level", "bound", "lost", "bound", "override", "lost", "bound"]
    assert begun[-2]["elements"] == 3
    # The phone has two bounds, the laptop three: they are not thrown away.
    show("--keep", status=2)
    assert "has bounds that the table aid does not have" in capsys.readouterr().err
    saved(key, begun)
    show("--keep")
    assert len(log()["bounds"]) == 3


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([{"what": "bound", "pips": 1, "die": 1}], "events 1: a bound cannot come before the aggression level"),
        ([LEVEL, LEVEL], "events 2: the aggression level is rolled once per game"),
        (
            [{**LEVEL, "level": "mild"}],
            'events 1: level = "mild" is not valid. Write one of "defensive", "neutral", "aggressive".',
        ),
        (
            [LEVEL, {"what": "bound", "pips": 7, "die": 1}],
            "events 2: pips = 7 is not valid. Write a whole number from 1 to 6.",
        ),
        ([LEVEL, {"what": "bound", "pips": 1}], "events 2: die is missing. Write a whole number from 1 to 6."),
        (
            [LEVEL, {"what": "override", "die": 3}],
            "events 2: one override is possible in a bound, after its stance is known",
        ),
        (
            [LEVEL, EVENTS[1], {"what": "override", "die": 3}, {"what": "override", "die": 3}],
            "events 4: one override is possible in a bound",
        ),
        ([LEVEL, *[EVENTS[1], {"what": "override", "die": 1}] * 4], "only 3 attempts"),
        (
            [{"what": "lost", "side": "npg", "elements": 13}],
            "elements = 13 is not valid. Write a whole number from 0 to 12.",
        ),
        ([{"what": "lost", "side": "npg", "elements": -1}], "elements = -1 is not valid"),
        ([{"what": "lost", "side": "me", "elements": 1}], 'side = "me" is not valid. Write one of "npg", "you".'),
        ([{"what": "lost", "side": "npg", "elements": 1, "camp": 1}], "camp = 1 is not valid. Write true or false."),
        ([{"what": "dance"}], 'events 1: what = "dance" is not valid. Write one of "level", "bound"'),
        ([LEVEL, 5], "events 2 = 5 is not valid. Write an object in braces."),
        ([LEVEL] * 2001, "Write a list of up to 2000 events."),
        ({"schema": "dba-aid-log/2"}, 'schema = "dba-aid-log/2" is not valid. Write "dba-aid-log/1".'),
        ({"battle": "0" * 16}, "it is the log of a different battle: NPG Gallic"),
        ({"events": None}, "events = null is not valid. Write a list of up to 2000 events."),
        ({"npg": 5}, "npg = 5 is not valid. Write text in quotes."),
        *((text, "aid.json") for text in ("", "[]", "[" * (DEEPEST + 2), "{", '{"schema": NaN}', "\x1b[31m")),
    ],
)
def test_an_event_that_cannot_be_and_a_file_of_anybody_are_refused_in_one_line(
    key: str, wrong: list[Any] | dict[str, object] | str, said: str, capsys: Captured
) -> None:
    if isinstance(wrong, str):
        Path("aid.json").write_text(wrong, encoding="utf-8")
    elif isinstance(wrong, dict):
        saved(key, [LEVEL], wrong)
    else:
        saved(key, wrong)
    before = log()
    show("--keep", status=1)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("printkit: aid.json")
    assert said in line
    assert "\x1b" not in line
    assert log() == before


def test_a_page_of_two_armies_is_that_of_the_battle_of_its_seed_one_army_and_keep_alone_are_refused(
    key: str, capsys: Captured
) -> None:
    assert run(["npg", "aid", "gallic", "polybian-roman", "--seed", "11", "--out", "two.html", "--quiet"]) == 0
    assert data_of(Path("two.html").read_text(encoding="utf-8"))["key"] == key
    assert Path("two.html").read_bytes() == Path("aid.html").read_bytes()
    assert run(["npg", "show", "battle.toml", "--keep", "--lang", "en"]) == 2
    assert "--from-aid" in capsys.readouterr().err
    assert run(["npg", "aid", "gallic", "--lang", "en"]) == 2
    assert "two armies" in capsys.readouterr().err


RECORD = Folders(solo=True).record

LINE = "1xCv (Gen), 2x(LCh or Cv), 8x4Wb, 1xPs; home=arable; aggression=2"


def evening(seed: int = 7, **settings: str) -> HandoutContext:
    """Return a game as the pages of an evening are made from it, and lay its folder."""
    system, words = registry.find("solo-dba"), find_words("en")
    record = play(system, Orders(rules="solo-dba", settings=settings), seed, words).record
    made = HandoutContext(record=record, system=system, sheet=paper("a4"), style=find_style("ink-saver"), words=words)
    for own in made.plugin_parts("evening_texts"):
        place = Path(own.name)
        place.parent.mkdir(exist_ok=True)
        place.write_text(own.text, encoding="utf-8")
    Path(RECORD).parent.mkdir(exist_ok=True)
    Path(RECORD).write_text(write(record), encoding="utf-8")
    return made


def opened() -> BattleCase:
    return open_battle(BattleOrder(path=Path("sealed/battle.toml"), words=find_words("en"), seed=99))


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
    pair = read_handout_pair(handout)
    assert pair is not None
    Path("spears.toml").unlink()
    kept = Path("sealed/battle.json").read_text(encoding="utf-8")
    for _ in range(2):
        case = opened()
        assert (case.npg.type_counts(), case.you.type_counts()) == (pair.npg.type_counts(), pair.you.type_counts())
        assert (case.npg.general, case.you.general) == (pair.npg.general, pair.you.general)
        assert (case.npg.name, case.attacker) == (pair.npg.name, pair.attacker)
        assert (case.log.seed, case.rules.settings["grouping"]) == (7, pair.rules.settings["grouping"])
        assert case.field is not None
        assert case.field.title == handout.record.battlefield.title
        assert case.log == read_log(kept, "battle.json"), "without its log the battle makes the same"
        Path("sealed/battle.json").unlink(missing_ok=True)


def test_its_bounds_are_those_of_the_strip_and_of_the_phone(capsys: Captured) -> None:
    handout = evening(npg="gallic", you="polybian-roman")
    rules = SoloRules.of_record(handout.system.book, handout.record)
    strip = [(each.pips, each.die) for each in roll_bounds(7, rules)]
    phone = data_of(Path("you/table-aid.html").read_text(encoding="utf-8"))
    for _ in range(3):
        assert run(["npg", "bound", "sealed/battle.toml", "--lang", "en"]) == 0
    laptop = [(bound.pips, bound.die) for bound in opened().log.bounds]
    assert laptop == strip[:3] == [(pips, die) for pips, die, _ in phone["strip"][:3]]
    assert run(["npg", "bound", "sealed/battle.toml", "--override", "--lang", "en"]) == 0
    third = roll_bounds(7, rules)[2]
    assert opened().log.bounds[-1].override == ("free" if third.is_free else "obey")
    level = phone["level"]["faces"][phone["level"]["die"] - 1]
    assert opened().log.result("level", "level") == level
    assert run(["npg", "aid", "sealed/battle.toml", "--out", "a.html", "--lang", "en"]) == 0
    assert data_of(Path("a.html").read_text(encoding="utf-8"))["key"] == phone["key"]
    capsys.readouterr()


def test_a_new_battle_of_a_record_has_its_readings_and_a_field_drawn_by_hand_has_no_battle() -> None:
    made = evening(npg="gallic", you="polybian-roman", grouping="greedy", swap="auto")
    assert run(["npg", "new", "gallic", "polybian-roman", "--map", RECORD, "--out", "b.toml", "--lang", "en"]) == 0
    case = open_battle(BattleOrder(path=Path("b.toml"), words=find_words("en"), seed=1))
    assert (case.rules.choice("grouping"), case.rules.choice("swap")) == ("greedy", "auto")
    bare = replace(made, record=Record(rules=made.record.rules, battlefield=made.record.battlefield))
    assert bare.plugin_parts("evening_texts") == ()


def test_no_battle_goes_on_from_a_game_of_another_reading(capsys: Captured) -> None:
    made = evening(npg="gallic", you="polybian-roman")
    key = next(iter(made.system.book.retired))
    other = replace(made.record, settings={**made.record.settings, key: "another"})
    assert [own.name for own in replace(made, record=other).plugin_parts("evening_texts")] == ["you/table-aid.html"]
    Path(RECORD).write_text(write(other), encoding="utf-8")
    assert run(["npg", "new", "gallic", "polybian-roman", "--map", RECORD, "--out", "b.toml", "--lang", "en"]) == 1
    assert f"this game was made with {key}=another; replay it with printkit 0.2" in capsys.readouterr().err
    assert not Path("b.toml").exists()

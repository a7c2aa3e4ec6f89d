"""The table aid as text and values: tables against the engine, what it may not tell, and that it needs no network."""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aid_scene import SEED, data_of, page_of, pair_of
from msgspec.structs import replace

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.cli.app import run
from printkit.core.resources import names, resource
from printkit.core.words import find_words
from printkit.drawing.canvas.style import find as find_style
from printkit.systems.solo.armies.army_files import sample_names
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, roll_bounds
from printkit.systems.solo.sheets.table_aid import MAX_BYTES, choose_colours, make_table_aid
from printkit.systems.solo.tactics.aid_log import battle_key
from printkit.systems.solo.tactics.bounds import LevelCase, Losses, aggression_level, bound, winner
from printkit.systems.solo.tactics.tactics_tables import FACES, Level, tactics

PAGE = page_of()
DATA = data_of(PAGE)


def stance(data: dict[str, Any], pips: int, die: int, level: str, npg: int, you: int) -> str:
    """Return the stance as the page finds it: a sum of looked-up values, and a last look-up."""
    net = data["levels"][level] + data["losses"][npg][you]
    found: str = data["stances"][die + data["added"][pips - 1] + net - data["leastTotal"]]
    return found


def engine(rules: SoloRules, pips: int, die: int, level: Level, losses: Losses) -> str:
    return bound(level, losses, rules, Dice(ScriptedSource([str(pips), str(die)], Seeded(0)))).stance.value


@pytest.mark.clause("SD-5.3-b", "SD-5.3-m1..SD-5.3-m7", "SD-5.3-r1..SD-5.3-r3")
def test_36_cards_3_levels_and_16_losses_are_those_of_the_engine() -> None:
    rules = pair_of().rules
    cases = list(product(FACES, FACES, Level, range(4), range(4)))
    assert len(cases) == 36 * 3 * 16
    for pips, die, level, npg, you in cases:
        wanted = engine(rules, pips, die, level, Losses(npg=npg, you=you))
        assert stance(DATA, pips, die, level.value, npg, you) == wanted


@pytest.mark.clause("AMB-43")
def test_whatever_is_lost_the_stance_is_the_engines() -> None:
    rules = pair_of().rules
    for npg, you, camp in product(range(13), range(13), (False, True)):
        lost = npg + DATA["camp"] * camp
        wanted = engine(rules, 3, 3, Level.NEUTRAL, Losses(npg=lost, you=you, npg_camp=camp))
        assert stance(DATA, 3, 3, "neutral", lost, you) == wanted


@pytest.mark.clause("SD-5.2-a", "SD-5.3-a", "SD-5.4-a", "AMB-46")
def test_its_bounds_are_those_of_the_printed_strip_and_the_level_is_that_of_the_battle() -> None:
    pair = pair_of()
    printed = [[each.pips, each.die, each.override_die] for each in roll_bounds(SEED, pair.rules)]
    assert DATA["strip"][:BOUND_COUNT] == printed
    assert data_of(page_of(seed=None))["strip"] == []
    case = LevelCase(pair.npg, pair.you)
    for die, level in enumerate(DATA["level"]["faces"], 1):
        assert aggression_level(case, pair.rules, Dice(ScriptedSource([str(die)], Seeded(0))))[0] == level
    thrown, _ = aggression_level(case, pair.rules, Dice(Seeded(SEED)).at("level"))
    assert DATA["level"]["faces"][DATA["level"]["die"] - 1] == thrown


@pytest.mark.clause("SD-5.3-c", "AMB-44", "AMB-45")
def test_moves_and_how_they_are_walked_are_those_of_the_rule_book() -> None:
    for each, moves in tactics(pair_of().rules).permitted.items():
        assert DATA["lists"][each] == [move.action.value for move in moves]
    assert "at the top" in DATA["words"]["en"]["walk"]


@pytest.mark.clause("SD-5.4-b", "SD-5.4-c", "AMB-43")
def test_overrides_and_the_end_are_those_of_the_rule_book() -> None:
    rules = pair_of().rules
    assert DATA["override"] == [tactics(rules).override.look_up(die) for die in FACES]
    assert (DATA["tries"], DATA["end"], DATA["camp"]) == (3, 4, 2)
    told = " ".join(DATA["words"]["en"]["counts"])
    assert "lost 4 elements (or its general" in told
    assert "counts as 2" in told
    assert not winner(Losses(npg=4, you=4), rules)
    assert not winner(Losses(npg=3), rules)
    assert winner(Losses(npg=4, you=3), rules) == "you"
    assert winner(Losses(you=1, you_general=True), rules) == "npg"
    assert not winner(Losses(npg=1, you=1, you_general=True), rules)


def test_it_names_nothing_of_the_npgs_elements() -> None:
    for npg in sample_names():
        pair = pair_of(npg=npg, you="gallic")
        own = data_of(make_table_aid(pair, find_words("en"), find_style("campaign"), seed=SEED))
        told = own.pop("words")["en"]
        codes = {element.code for element in pair.npg.elements}
        assert not any(re.search(rf"(?<![\w/]){re.escape(code)}(?!\w)", str(own)) for code in codes)
        # The words are the same whatever an army is made of, but for its name.
        usual = DATA["words"]["en"]
        assert {key for key in usual if told[key] != usual[key]} <= {"npg-army", "you-army"}


def test_it_is_one_file_that_asks_nothing_of_any_network() -> None:
    for style in names("templates/styles", ".toml"):
        page = page_of("es", style)
        assert len(page.encode()) < MAX_BYTES
        (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
        assert policy.startswith("default-src 'none'; ")
        for tag in ("style", "script"):
            (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{tag}-src 'sha256-{digest}'" in policy
        assert "unsafe" not in policy
        bare = re.sub(r"base64,[\w+/=]+", "", page)
        assert not re.search(
            r'https?://(?!www\.w3\.org/2000/svg")|\b(?:src|href)="(?!#)|fetch\(|XMLHttp|import\b', bare
        )
        assert not re.search(r'\bstyle="|\bon\w+="', bare)


def test_the_same_battle_makes_the_same_bytes_and_has_the_same_key() -> None:
    assert page_of() == PAGE
    assert DATA["key"] == data_of(page_of("es", "ink-saver", swap="auto"))["key"]
    assert DATA["key"] == battle_key(SEED, "Gallic", "Polybian Roman, later")
    assert DATA["key"] != data_of(page_of(seed=12))["key"]


def test_what_a_person_has_called_an_army_ends_no_script_and_fills_in_nothing() -> None:
    name = '</script><b>"{script}" &'
    pair = pair_of()
    pair = replace(pair, you=replace(pair.you, name=name))
    page = make_table_aid(pair, find_words("en"), find_style("campaign"), seed=SEED)
    assert page.count("</script>") == 2
    assert "<b>" not in page
    assert data_of(page)["names"]["you"] == name


def test_the_script_is_short_enough_to_be_read() -> None:
    for name in ("aid-game.js", "table-aid.js"):
        lines = resource("templates/aid", name).read_text(encoding="utf-8").splitlines()
        assert len(lines) < 400
        assert max(map(len, lines)) <= 130


@pytest.mark.parametrize("style", names("templates/styles", ".toml"))
def test_every_text_stands_out_from_its_ground(style: str) -> None:
    found = choose_colours(find_style(style))
    stances = ("aggressive", "cautious", "defensive")
    grounds = ("sheet", "leaf", *(f"{name}_tint" for name in stances))
    pairs = [*product(("ink", "aside"), grounds), *((name, f"{name}_tint") for name in stances)]
    pairs += product((*stances, "dark"), ("leaf",))
    for text, ground in pairs:
        assert contrast(found[text], found[ground]) >= 4.5, (text, ground)
    assert contrast(found["defensive"], found["sheet"]) >= 3, "the frame of what has the focus"


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG measures it."""

    def luminance(colour: str) -> float:
        parts = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_in_large_print_nothing_is_smaller_than_11_points(tmp_path: Path) -> None:
    command = ["npg", "aid", "gallic", "polybian-roman", "--seed", "11", "--quiet", "--out", str(tmp_path)]
    assert run([*command, "--large-print"]) in (0, None)
    (file,) = tmp_path.iterdir()
    assert file.stem.endswith("-large")
    page = file.read_text(encoding="utf-8")
    root = float(re.findall(r"html \{ font-size: (\d+)%", page)[-1]) / 100 * 16
    small = {float(size) for size in re.findall(r"font(?:-size)?: (?:600 )?(\.\d+)rem", page)} - {0.65, 0.7, 0.8}
    # Those three are set again, larger, at the end.
    assert min(small) * root >= 11 * 96 / 72
    assert re.search(r"figcaption, textarea, \.place, #history b \{ font-size: \.85rem", page)

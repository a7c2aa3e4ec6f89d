"""Games played again: from records, by stages, from logs, from own dice; decks by the settings of their rules."""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from command_lines import QUICK, RED, Captured

from printkit.chance.dice import write_log
from printkit.cli.app import run
from printkit.core.words import Words
from printkit.core.words import find_words as language
from printkit.kit.registry import find, names, plugin
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GeneratedGame, play, replay_game
from printkit.recipes.game.request import Orders, log_text
from printkit.recipes.prints.decks import find_deck
from printkit.terrain.field.record import Record, write

pytestmark = pytest.mark.usefixtures("table")

ENGLISH = Words(("en",))
Game = tuple[RuleSystem, Record]
FRESH = 99

GROUND = ("features", "hills")
STAYS = {
    "rivers": (*GROUND,),
    "roads": (*GROUND, "rivers"),
    "order": (*GROUND, "rivers", "roads", "crossings"),
    "hills": ("features",),
    "features": ("hills",),
}
"""What each stage, thrown anew, must leave as it lies."""

STAGE = {"hill": "hills", "river": "rivers", "road": "roads", "ford": "crossings", "bridge": "crossings"}
"""The stage that puts down a kind; everything else is put down among the features."""


def tree(text: str | Path) -> dict[str, Any]:
    found = json.loads(text.read_text(encoding="utf-8") if isinstance(text, Path) else text)
    assert isinstance(found, dict)
    return found


def lying(record: Record, stages: Collection[str]) -> list[Any]:
    """Return what the record holds of the features that these stages put down, but for their names."""
    found = []
    for feature in tree(write(record))["features"]:
        if STAGE.get(feature["properties"]["kind"].replace("steep_slope", "hill"), "features") in stages:
            feature["properties"].pop("name", None)
            found.append(feature)
    return found


def thrown(record: Record, stage: str) -> list[tuple[str, str]]:
    return [(throw.reason, throw.answer) for throw in record.log if throw.stage == stage]


def broken(system: RuleSystem, record: Record) -> list[str]:
    return [f"{found.clause}: {found.where}" for found in system.judge(record) if found.state == "broken"]


def again(game: Game, *reroll: str, fresh: int = FRESH) -> GeneratedGame:
    return replay_game(*game, ENGLISH, reroll=reroll, keep=(), new_seed=fresh)


_ANEW: dict[tuple[str, int], GeneratedGame] = {}


def anew(game: Game, stage: str, *, fresh: int = FRESH) -> GeneratedGame:
    """Return the one game of the fixture with one stage thrown anew; it is played once for all tests."""
    if (stage, fresh) not in _ANEW:
        _ANEW[stage, fresh] = again(game, stage, fresh=fresh)
    return _ANEW[stage, fresh]


@cache
def new(seed: int) -> Record:
    """Return the record of a new game, played once for all tests."""
    return play(find("brantley"), Orders(rules="brantley"), seed, ENGLISH).record


def test_a_record_prints_the_same_sheets_as_the_first_time(table: Path, game_record: Path, game_pdf: Path) -> None:
    assert run(["map", "--from", str(game_record), "--lang", "en", "--out", "again"]) == 0
    assert (table / "again" / game_pdf.name).read_bytes() == game_pdf.read_bytes()
    assert (table / "again" / "records" / game_record.name).read_bytes() == game_record.read_bytes()


@pytest.mark.usefixtures("_bare")
def test_a_record_keeps_its_names_in_another_language(table: Path, game_record: Path) -> None:
    assert run(["map", "--from", str(game_record), "--scale", "1:8", "--lang", "es", "--out", "again.pdf"]) == 0
    assert (table / "again.json").read_bytes() == game_record.read_bytes()


@pytest.mark.usefixtures("_bare")
def test_a_field_drawn_by_hand_is_printed_though_nothing_was_thrown(table: Path, capsys: Captured) -> None:
    by_hand = Path(__file__).parents[1] / "fixtures" / "brantley-by-hand.json"
    assert run(["map", "--from", str(by_hand), *QUICK]) == 0
    assert (table / "output" / "drawn-in-a-cartographers-program-own-1to8-a4-ink.pdf").is_file()
    assert run(["map", "--from", str(by_hand), "--reroll", "rivers", *QUICK]) == 1
    assert "no log" in capsys.readouterr().err


@pytest.mark.parametrize("stage", list(STAYS))
def test_a_stage_thrown_anew_leaves_the_others_alone(stage: str, game: Game) -> None:
    system, record = game
    played = anew(game, stage)
    assert played.record.reseeded == {stage: FRESH}
    assert lying(played.record, STAYS[stage]) == lying(record, STAYS[stage])
    for other in system.stages:
        if other != stage and other not in played.renewed:
            assert thrown(played.record, other) == thrown(record, other)
    assert broken(system, played.record) == []


@pytest.mark.usefixtures("_bare")
def test_a_stage_with_nothing_to_throw_says_so_and_changes_nothing(
    game: Game, game_record: Path, capsys: Captured
) -> None:
    played = anew(game, "crossings")
    assert played.idle == ("crossings",)
    assert write(played.record) == write(game[1])
    assert all(anew(game, stage).idle == () for stage in STAYS)
    assert run(["map", "--from", str(game_record), "--reroll", "crossings", "--out", "again.pdf", *QUICK]) == 0
    said = "stage 'crossings' has no rolls in this game, so nothing changed"
    assert capsys.readouterr().err.count(said) == 1


@pytest.mark.parametrize(
    ("seed", "stage"), [(4, "deal"), (11, "placing"), (17, "features"), (11, "hills"), (4, "rivers"), (17, "roads")]
)
def test_a_game_with_a_stage_thrown_anew_keeps_every_clause(seed: int, stage: str, game: Game) -> None:
    system = game[0]
    record = new(seed)
    played = again((system, record), stage)
    assert broken(system, played.record) == []
    assert write(again((system, played.record)).record) == write(played.record)


def test_stages_are_thrown_anew_from_the_seeds_that_are_stored(game: Game) -> None:
    assert write(again(game).record) == write(game[1])
    first = anew(game, "rivers").record
    assert write(first) == write(again(game, "rivers").record)
    assert write(again((game[0], first), "rivers").record) == write(first)
    other = [anew(game, "rivers", fresh=fresh).record for fresh in range(3)]
    assert len({write(record) for record in other}) == 3
    assert len({str(lying(record, ["rivers"])) for record in other}) > 1
    # One after another they add up.
    ordered = again(game, "order", fresh=5).record
    second = again((game[0], ordered), "roads", fresh=6).record
    assert second.reseeded == {"order": 5, "roads": 6}
    assert thrown(second, "order") == thrown(ordered, "order")


def test_what_is_kept_stays_and_all_the_rest_is_new(game: Game) -> None:
    system, record = game
    played = replay_game(system, record, ENGLISH, reroll=(), keep=("deal", "placing"), new_seed=FRESH)
    assert played.record.reseeded == dict.fromkeys(system.stages[2:], FRESH)
    for stage in ("deal", "placing"):
        assert thrown(played.record, stage) == thrown(record, stage)
    assert lying(played.record, GROUND) != lying(record, GROUND)
    there = [[each["id"] for each in lying(found, ["features"])] for found in (record, played.record)]
    assert there[0] == there[1]
    assert broken(system, played.record) == []


@pytest.mark.usefixtures("_bare")
def test_a_stage_that_fits_no_longer_is_named(game: Game, game_record: Path, capsys: Captured) -> None:
    tries = ((fresh, anew(game, "deal", fresh=fresh).renewed) for fresh in range(20))
    fresh, renewed = next(found for found in tries if found[1])
    command = ["map", "--from", str(game_record), "--reroll", "deal", "--seed", str(fresh), *QUICK]
    assert run(command) == 0
    said = capsys.readouterr().err
    for stage in game[0].stages:
        assert (f"stage '{stage}': features that no longer" in said) is (stage in renewed)


@pytest.mark.usefixtures("_bare")
def test_the_command_stores_the_fresh_seed(table: Path, game_record: Path) -> None:
    assert run(["map", "--from", str(game_record), "--reroll", "rivers", *QUICK]) == 0
    (found,) = (table / "output").glob("records/*.json")
    reseeded = tree(found)["reseeded"]
    assert list(reseeded) == ["rivers"]
    assert found.stem == game_record.stem
    first = (table / "output" / f"{found.stem}-1to8-a4-ink.pdf").read_bytes()
    assert run(["map", "--from", str(found), "--out", "again.pdf", *QUICK]) == 0
    assert (table / "again.pdf").read_bytes() == first


def test_a_title_that_a_person_gave_and_names_of_another_period_survive_a_reroll(game: Game) -> None:
    system, acw = game[0], find("acw")
    record = play(system, Orders(rules="brantley", title="Bloody Meadow"), 5, ENGLISH).record
    assert record.battlefield.title == "Bloody Meadow"
    assert again((system, record), "deal").record.battlefield.title == "Bloody Meadow"
    made = play(system, Orders(rules="brantley"), 5, ENGLISH).record
    assert again((system, made), "deal").record.battlefield.title != made.battlefield.title
    record = play(acw, Orders(rules="acw", names="ancient"), 5, ENGLISH).record
    laid_again = replay_game(acw, record, ENGLISH, keep=acw.stages, new_seed=1).record
    named = [[feature.name for feature in each.battlefield.features] for each in (record, laid_again)]
    assert named[0] == named[1]


@pytest.mark.parametrize(
    ("rules", "given", "period"),
    [("acw", "", "american"), ("acw", "ancient", "ancient"), ("brantley", "", "ancient"), ("acw", "none", "none")],
)
def test_a_rule_system_has_its_own_period_of_names_and_what_is_given_wins(rules: str, given: str, period: str) -> None:
    system = find(rules)
    record = play(system, Orders(rules=rules, names=given), 5, ENGLISH).record
    assert record.settings["names"] == period
    usual = period == system.book.names
    assert ("# set names" in log_text(record)) is not usual


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize("kind", ["log", "record"])
def test_the_log_of_a_game_used_as_dice_replays_it(kind: str, table: Path, game: Game, game_record: Path) -> None:
    log = table / "log.txt"
    log.write_text(write_log(game[1].log), encoding="utf-8")
    dice = log if kind == "log" else game_record
    assert run(["map", "--dice", f"@{dice}", "--seed", "6", "--out", "again.pdf", *QUICK]) == 0
    assert (table / "again.json").read_bytes() == game_record.read_bytes()


@pytest.mark.clause("BR-T18", "BR-X09", "BR-T24", "BR-D7")
@pytest.mark.parametrize(
    ("dice", "left"), [("5 6 2 5", ""), ("5 6 2 5 1", "Not used: 1."), ("5,6,2,5 3 1", "Not used: 3 and 1.")]
)
def test_an_empty_field_takes_four_dice_and_says_what_they_were_for_and_which_are_left(
    dice: str, left: str, table: Path, capsys: Captured
) -> None:
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    assert run(["map", "--scenario", "red.toml", "--dice", dice, "--out", "red.pdf", *QUICK]) == 0
    said = capsys.readouterr().err
    assert "Your dice: rivers 5, roads 6, order of deployment 2 and 5.\n" in said
    assert left in said
    assert ("Not used" in said) == bool(left)
    record = tree(table / "red.json")
    assert record["features"] == []
    assert [throw["answer"] for throw in record["log"] if throw["asked"] == "d6"] == ["5", "6", "2", "5"]
    assert record["brantley"]["deployment"]["deploys_first"] == "A"
    assert record["brantley"]["deployment"]["moves_first"] == "B"


@pytest.mark.clause("BR-T23", "BR-X08")
def test_a_die_short_is_named_a_seed_goes_on_and_cards_are_given_in_one_line(table: Path, capsys: Captured) -> None:
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    command = ["map", "--scenario", "red.toml", "--dice", "5 6 2", "--out", "red.pdf", *QUICK]
    assert run(command) == 1
    said = capsys.readouterr().err
    for part in ("die 4 is missing", "player B", "BR-X08"):
        assert part in said
    assert run([*command, "--seed", "3"]) == 0
    assert [throw["answer"] for throw in tree(table / "red.json")["log"]][:3] == ["5", "6", "2"]
    assert run(["map", "--seed", "5", "--dice", "KS 7H 9C 2D QC 3S 10H JS 5C", "--out", "cards.pdf", *QUICK]) == 0
    deck = tree(table / "cards.json")["log"][0]["answer"].split()
    assert deck[:9] == ["KS", "7H", "9C", "2D", "QC", "3S", "10H", "JS", "5C"]
    assert len(set(deck)) == 52


OWN = [
    (rules, deck)
    for rules in names()
    for deck in dict.fromkeys((*plugin(rules).decks, *plugin(rules).free_decks.names))
]


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as made:
        return "".join(page.get_textpage().get_text_range() for page in made)


def cards(deck: str, *more: str) -> int:
    return run(["cards", deck, *more, "--force", "--lang", "en"])


@pytest.mark.parametrize(("rules", "deck"), OWN)
def test_a_deck_takes_every_setting_of_its_rules(rules: str, deck: str) -> None:
    system, words = find(rules), language("en+es")
    usual = find_deck(deck, words, {rules: system}).deck
    for setting in system.book.settings:
        same = find_deck(deck, words, {rules: system}, settings={setting.key: setting.default}).deck
        assert same == usual, setting.key


@pytest.mark.parametrize(("rules", "deck"), OWN)
def test_a_deck_refuses_a_setting_that_its_rules_do_not_know(rules: str, deck: str, capsys: Captured) -> None:
    assert cards(deck, "--rules", rules, "--set", "nosuch=1", "--plan") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"printkit: --set: {rules} has no setting 'nosuch'")


@pytest.mark.parametrize("deck", ["npg", "booklet"])
def test_cards_of_the_solo_game_say_what_a_setting_changes(deck: str) -> None:
    assert cards(deck, "--out", "usual.pdf") == 0
    assert cards(deck, "--set", "swap=auto", "--set", "scale=15mm", "--out", "set.pdf") == 0
    assert words_of(Path("usual.pdf")) != words_of(Path("set.pdf"))


def test_the_kit_follows_the_settings_of_its_rules() -> None:
    for folder, more in (("usual", ()), ("set", ("--set", "br-q20=clear"))):
        assert cards("kit", "--out", folder, *more) == 0
    names_of = [sorted(path.name for path in Path(folder).iterdir()) for folder in ("usual", "set")]
    assert names_of[0] == names_of[1]
    assert [words_of(Path("usual") / name) == words_of(Path("set") / name) for name in names_of[0]].count(False) > 0


def test_a_record_has_its_own_settings_and_what_follows_no_rules_has_none(capsys: Captured) -> None:
    assert run(["map", "--seed", "3", "--to", "json", "--out", "game.json", "--quiet"]) == 0
    capsys.readouterr()
    for deck in ("terrain", "kit", "pair"):
        assert cards(deck, "--from", "game.json", "--set", "br-q20=clear") == 2
        assert capsys.readouterr().err == ("printkit: --from uses the settings of the record; leave out --set\n")
    for deck in ("blank", "zones", "cut-outs"):
        assert cards(deck, "--set", "br-q20=clear") == 2
        assert capsys.readouterr().err == f"printkit: deck {deck} has no settings; remove --set\n"

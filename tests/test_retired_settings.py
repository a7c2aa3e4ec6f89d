"""Settings of version 0.2 that no longer exist: what old files still do, and what is refused in one line.

``fixtures/retired.tar.xz`` was made by version 0.2.0. It has five records a system, which have every retired value
between them; a sealed game, a battle and a league that are not finished; and a scenario.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import printkit
from printkit.cli.app import run
from printkit.core.errors import FileError, RecordError, RetiredError
from printkit.kit.book import read_book
from printkit.kit.registry import NAMES, find, read_record, shapes_of

pytestmark = pytest.mark.usefixtures("table")

ROOT = Path(__file__).parents[1]
RECORDS = [f"{rules}-{number}" for rules in NAMES for number in range(1, 6)]
BOOKS = {rules: find(rules).book for rules in NAMES}

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the files of version 0.2."""
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(ROOT / "tests" / "fixtures" / "retired.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    return folder / "retired"


def command(capsys: Captured, *words: str) -> tuple[int, str]:
    """Run a command, and return its status with all that it says."""
    status = run([*words, "--lang", "en"])
    said = capsys.readouterr()
    return status, said.out + said.err


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def retired_values(rules: str, record: Path) -> dict[str, str]:
    """Return the settings of an old record that have a value which no longer exists."""
    settings = json.loads(record.read_text(encoding="utf-8"))["settings"]
    return BOOKS[rules].made_otherwise(BOOKS[rules].current(settings))


@pytest.mark.parametrize("name", RECORDS)
def test_an_old_record_is_printed_and_judged_and_not_played_again(name: str, old: Path, capsys: Captured) -> None:
    path, rules = old / f"{name}.json", name.rpartition("-")[0]
    values = retired_values(rules, path)
    assert values
    assert command(capsys, "map", "--from", str(path), "--plan")[0] == 0
    status, said = command(capsys, "check", str(path), "--verbose")
    assert status == 0, said
    for key in values:
        for clause in BOOKS[rules].retired[key].clauses:
            assert re.search(rf"{re.escape(clause)}\s+not checked\b.*made with", said) or clause not in said
    stage = find(rules).stages[0]
    lines = [f"this game was made with {key}={value}; replay it with printkit 0.2" for key, value in values.items()]
    for words in (("check", str(path), "--replay"), ("map", "--from", str(path), "--reroll", stage, "--plan")):
        status, said = command(capsys, *words)
        assert status == 1
        assert any(line in said for line in lines)
        assert "WRONG" not in said
    assert not files_below(Path())


def test_the_records_have_every_retired_value(old: Path) -> None:
    found = {key for name in RECORDS for key in retired_values(name.rpartition("-")[0], old / f"{name}.json")}
    missing = {key for book in BOOKS.values() for key, row in book.retired.items() if key != row.alias} - found
    assert {key for key in missing if not _is_in_no_record(key)} == set()


def _is_in_no_record(key: str) -> bool:
    """Return whether a setting had one value, or one that no board of the fixture needs."""
    keys = r"ac-q(03|12|18|25|26)|br-q(13|2[1-6])|pwa-(08|13|15|16)|grid\.inner|pw1\.village_areas"
    return re.fullmatch(keys, key) is not None


def test_what_is_not_finished_goes_on_or_is_refused_in_one_line(old: Path, capsys: Captured) -> None:
    shutil.copytree(old, "old")
    before = files_below(Path("old"))
    code = json.loads(Path("old/sealed/closed-game.json").read_text(encoding="utf-8"))["commitment"]
    again = "this game was made with br-q04=woods-first; replay it with printkit 0.2"
    for words in (("status", "old/sealed"), ("reveal", "old/sealed"), ("verify", "old/sealed", code)):
        status, said = command(capsys, *words)
        assert (status, again in said, "WRONG" in said) == (1, True, False), said
    for words, keys in (
        (("npg", "bound", "old/battle/battle.toml", "--seed", "3"), "flank_view|garrison_counts|rank_die"),
        (("league", "add", "old/league"), "ac-q04|ac-q27"),
        (("map", "--scenario", "old/scenario.toml"), "br-q09|hill-dice"),
        (("map", "--set", "br-q09=allow"), "br-q09"),
        (("map", "--set", "same-edge=allow"), "same-edge"),
    ):
        status, said = command(capsys, *words)
        assert status == 2, (words, said)
        assert re.search(rf"({keys}) is no longer a setting: .+; printkit 0\.2 still has it \(.+\)", said), said
        assert len(said.splitlines()) == 1
    ages = sorted(Path("old").glob("brantley*.json"))
    status, said = command(capsys, "map", "--from", str(ages[0]), "--keep", "rivers", "--to", "json")
    assert (status, said.startswith(f"printkit: {ages[0]}: this game was made with")) == (1, True), said
    assert files_below(Path("old")) == before
    assert not Path("output").exists()
    assert command(capsys, "league", "show", "old/league")[0] == 0


def test_an_old_default_is_read_in_silence_by_every_name() -> None:
    usual = BOOKS["brantley"].settle()
    assert BOOKS["brantley"].settle({"br-q09": "not-allowed", "Hill-Dice": "SLOPE-FIRST"}) == usual
    assert "br-q09" not in usual
    game = printkit.generate("brantley", seed=1)
    assert printkit.generate("brantley", seed=1, br_q09="not-allowed").record == game.record
    with pytest.raises(RetiredError, match="br-q09 is no longer a setting"):
        printkit.generate("brantley", seed=1, br_q09="allow")


@pytest.mark.parametrize(
    ("rules", "given", "found"),
    [
        ("brantley", {"agreed-winner": "B"}, {"br-q19": "B"}),
        ("brantley", {"br-q19": "agree"}, {"br-q19": "A"}),
        ("brantley", {"br-q19": "thrown", "agreed-winner": "B"}, {"br-q19": "thrown"}),
        ("brantley", {"order": "B"}, {"br-q19": "B"}),
        ("dba3", {"fort": "false"}, {"bua": "city,hamlet,edifice"}),
        ("dba3", {"city": "false", "edifice": "false"}, {"bua": "fort,hamlet"}),
        ("portable-1", {"pw1.village_areas": "2", "pw1.town_areas": "3"}, {"pw1.places": "2-3"}),
        ("portable-2", {"pw2.orchards": "on", "grove": "olives"}, {"pw2.orchards": "olives"}),
        ("portable-2", {"pw2.orchards": "off", "grove": "olives"}, {"pw2.orchards": "off"}),
    ],
)
def test_merged_settings_are_read_as_the_new_one(rules: str, given: dict[str, str], found: dict[str, str]) -> None:
    settled = BOOKS[rules].settle(given)
    assert {key: settled[key] for key in found} == found


def test_places_that_cannot_be_said_any_more_are_refused() -> None:
    with pytest.raises(RetiredError, match="no longer a setting"):
        BOOKS["portable-1"].settle({"pw1.village_areas": "1", "pw1.town_areas": "3"})


def test_an_old_record_is_written_again_without_retired_keys() -> None:
    made = printkit.generate("brantley", seed=2)
    document = json.loads(made.geojson)
    document["settings"] |= {"br-q09": "not-allowed", "br-q04": "woods-first"}
    record = read_record(json.dumps(document))[1]
    assert record.settings == {**made.record.settings, "br-q04": "woods-first"}
    with pytest.raises(RecordError, match="made with br-q04=woods-first"):
        BOOKS["brantley"].refuse_retired(record.settings)


@pytest.mark.parametrize("rules", NAMES)
def test_every_setting_is_a_choice_and_has_a_name_of_its_own(rules: str) -> None:
    book = BOOKS[rules]
    for setting in book.settings:
        in_range, in_form = setting.open and setting.least != setting.most, setting.pattern and setting.like
        assert len(setting.values) > 1 or in_range or in_form
    names = [setting.name for setting in book.settings]
    assert len(set(names)) == len(names)
    known = {name for setting in book.settings for name in setting.names}
    assert not known & book.retired.keys()
    assert not known & {key for merged in book.merged for key in merged.keys} - {merged.into for merged in book.merged}


def _settings_in_code() -> Iterator[tuple[str, str]]:
    """Yield the settings that the code asks its rules for, each with its file."""
    for path in sorted((ROOT / "printkit" / "systems").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) == 1:
                first = node.args[0]
                asked = node.func.attr in ("choice", "on", "measure") and isinstance(first, ast.Constant)
                if asked and isinstance(first.value, str):
                    yield path.name, first.value


def test_no_code_asks_for_a_setting_that_is_none() -> None:
    keys = {setting.key for book in BOOKS.values() for setting in book.settings}
    found = list(_settings_in_code())
    assert len(found) > 30
    assert [(name, key) for name, key in found if key not in keys] == []


def _retired_keys() -> set[str]:
    keys = {setting.key for book in BOOKS.values() for setting in book.settings}
    return {key for book in BOOKS.values() for key, row in book.retired.items() if key != row.alias} - keys


def test_a_retired_key_stands_only_where_old_files_are_read() -> None:
    """Keys that are words of English too are sought by the test above."""
    keys = [key for key in _retired_keys() if re.search(r"[0-9]|\.", key)]
    sought = re.compile(rf"(?<![\w.-])({'|'.join(map(re.escape, keys))})(?![\w-])")
    assert len(keys) > 60
    found = []
    for folder in ("printkit", "templates", "docs", "tests", "tools", "web", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".py", ".toml", ".md", ".txt", ".js", ".html", ".json") or path == Path(__file__):
                continue
            place = path.relative_to(ROOT).as_posix()
            if place.startswith(("tests/ages", "tests/fixtures")) or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8")
            if place.startswith("templates/rules/"):
                text = text.partition("[retired]")[0]
            found += [f"{place}: {match[0]}" for match in sought.finditer(text)]
    assert found == []


def test_a_book_is_refused_whose_retired_settings_are_wrong(tmp_path: Path) -> None:
    text = (ROOT / "templates" / "rules" / "brantley.toml").read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(f'{text}\nmine = {{ reading = "a", clauses = ["BR-Q99"] }}\n', encoding="utf-8")
    with pytest.raises(
        FileError, match=rf"line {text.count(chr(10)) + 2}: retired.mine: 'BR-Q99' is not in \[clauses\]"
    ):
        read_book(str(path))


AGES = Path(__file__).parent / "ages"
OLD = ("0.1.0", "0.2.0-early")
NOW = "0.2.0"
EVERY = (*OLD, NOW)


def copied(age: str, name: str) -> Path:
    return Path(shutil.copytree(AGES / age / name, name))


def code_of(folder: Path) -> str:
    code: str = json.loads((folder / "closed-game.json").read_text(encoding="utf-8"))["commitment"]
    return code


@pytest.mark.parametrize("rules", NAMES)
@pytest.mark.parametrize("age", EVERY)
def test_a_record_of_an_age_is_printed_and_replayed(age: str, rules: str, capsys: Captured) -> None:
    record = AGES / age / f"{rules}.json"
    assert command(capsys, "map", "--from", str(record), "--plan")[0] == 0
    status, said = command(capsys, "check", str(record), "--replay")
    made = 2 if age == NOW else 1
    if made == shapes_of(rules):
        assert "Replayed: every roll and feature is the same." in said
    else:
        # In brantley the roads of the record are asked for in another way now.
        right = "rolls from 42 on are not checked" if rules == "brantley" else "rolls and their order are right"
        assert f"made by an older printkit (shapes version {made}, yours {shapes_of(rules)}); {right}" in said
    assert " is legal: it keeps all " in said
    assert status == 0


@pytest.mark.parametrize("age", EVERY)
def test_a_battle_of_an_age_goes_on(age: str, capsys: Captured) -> None:
    battle = copied(age, "battle") / "battle.toml"
    for stage in ("deploy", "bound"):
        assert command(capsys, "npg", stage, str(battle), "--seed", "3")[0] == 0
    assert command(capsys, "check", str(battle.with_name("battle-map.json")))[0] == 0


@pytest.mark.parametrize("age", EVERY[1:])
def test_a_sealed_game_of_an_age_is_proven_and_revealed_again(age: str, capsys: Captured) -> None:
    folder = copied(age, "sealed")
    status, said = command(capsys, "verify", str(folder), code_of(folder))
    assert "WRONG" not in said
    made = 2 if age == NOW else 1
    assert f"shapes: not proven: the game was dealt with version {made} of the shapes; this printkit has 3" in said
    assert status == 0
    (folder / "map.json").unlink()
    (folder / "revealed.json").unlink(missing_ok=True)
    assert command(capsys, "reveal", str(folder), "--scale", "fit", "--style", "ink-saver")[0] == 0
    status, said = command(capsys, "verify", str(folder), code_of(folder))
    assert "WRONG" not in said
    assert "shapes: not proven" in said
    assert status == 0


def test_the_sealed_game_of_the_first_age_is_refused_and_a_league_of_this_age_is_read(capsys: Captured) -> None:
    folder = copied("0.1.0", "sealed")
    assert "an older printkit dealt it" in command(capsys, "status", str(folder))[1]
    status, said = command(capsys, "check", str(folder / "map.json"), "--replay")
    assert "made by an older printkit (shapes version 1, yours 3" in said
    assert status == 0
    folder = copied(NOW, "league")
    assert command(capsys, "league", "result", f"{folder}/1", "A wins")[0] == 0
    assert command(capsys, "check", str(folder / "records" / "game-1.json"), "--replay")[0] == 0

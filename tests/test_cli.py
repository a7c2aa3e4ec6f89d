"""The command line: what it shows, what it refuses and how, and what it leaves on the disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from printkit import __version__
from printkit.cli import run
from printkit.words import catalogue, find

pytestmark = pytest.mark.usefixtures("table")

HEAVY = ("shapely", "numpy", "reportlab", "rich", "PIL", "pypdfium2", "contourpy")
RED = "AH 2H 3H 4H 5H 6H 7H 8H 9H"
SMALL = ["--scale", "1:8", "--style", "ink-saver"]
QUICK = [*SMALL, "--lang", "en"]
"""A small sheet is drawn in a moment, as is the field of seed 5; what is tested here does not hang on either."""

Captured = pytest.CaptureFixture[str]


def files(folder: Path) -> list[str]:
    """Return everything in a folder that is no folder, hidden files too."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def refused(capsys: Captured, arguments: list[str], status: int, *parts: str) -> str:
    """Run a command that has to be refused in one line on stderr, and return the line."""
    capsys.readouterr()
    before = files(Path())
    assert run(arguments) == status
    said, line = capsys.readouterr()
    assert said == ""
    assert line.startswith("printkit: ")
    assert line.endswith("\n")
    assert line.count("\n") == 1
    assert "Traceback" not in line
    for part in parts:
        assert part in line
    assert files(Path()) == before
    return line


def loaded(*arguments: str) -> set[str]:
    """Return the libraries that one run in a process of its own has loaded, of those that take time."""
    script = f"import sys; from printkit.cli import run; run({list(arguments)!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = {name.split(".")[0] for name in done.stderr.splitlines()[-1].split()}
    assert "typer" in modules
    return modules & set(HEAVY)


# --- What a command shows ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["map", "--help"], ["map", "--nope"], ["map", "--to", "doc"], ["nope"]],
    ids=" ".join,
)
def test_help_version_and_errors_load_no_library(arguments: list[str]) -> None:
    assert loaded(*arguments) == set()


def test_the_version_is_the_packages(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"printkit {__version__}\n"


def test_help_names_every_command_and_option(capsys: Captured) -> None:
    assert run(["--help"]) == 0
    said = capsys.readouterr().out
    for command in ("map", "rules", "check", "specimen", "cards", "calibrate"):
        assert re.search(rf"^  {command}\b", said, re.MULTILINE), command
    assert run(["map", "--help"]) == 0
    said = capsys.readouterr().out
    options = (
        "--rules --set --scenario --board --seed --dice --ask --from --reroll --keep --sheet --margin --overlap "
        "--furniture --scale --style --lang --to --out --count --plan --quiet --verbose --help"
    )
    for option in options.split():
        assert re.search(rf"^\s+(?:-\w, )?{option}\b", said, re.MULTILINE), option


def test_rules_lists_systems_and_tells_of_one(capsys: Captured) -> None:
    assert run(["rules"]) == 0
    assert capsys.readouterr().out.startswith("brantley ")
    assert run(["rules", "brantley", "--lang", "es"]) == 0
    said = capsys.readouterr().out
    for part in ("deal, placing, features, hills, rivers, roads, crossings, order", "br-q12", "BR-401", "Tabla rivers"):
        assert part in said


def test_check_is_silent_about_a_field_that_keeps_every_clause(game_record: Path, capsys: Captured) -> None:
    assert run(["check", str(game_record)]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert " 0 broken" in said


def test_check_names_a_broken_clause_and_fails(game_record: Path, table: Path, capsys: Captured) -> None:
    tree = json.loads(game_record.read_text(encoding="utf-8"))
    tree["features"] = [each for each in tree["features"] if each["properties"]["kind"] != "bridge"]
    spoilt = table / "spoilt.json"
    spoilt.write_text(json.dumps(tree), encoding="utf-8")
    assert run(["check", str(spoilt)]) == 1
    assert re.search(r"^BR-601 +broken", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "brantley"]], ids=" ".join)
def test_a_reader_that_stops_early_hears_no_complaint(arguments: list[str], table: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "printkit", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=table)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


# --- What is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("--nope", ["--nope"]),
        ("--seed six", ["--seed", "whole number"]),
        ("--seed -1", ["--seed"]),
        ("--count 0", ["--count"]),
        ("--rules chess", ["chess", "brantley"]),
        ("--set br-q99=none", ["br-q99", "br-q12"]),
        ("--set br-q12=swamp", ["br-q12", "swamp", "marsh"]),
        ("--set br-q12", ["br-q12", "KEY=VALUE"]),
        ("--set names=atomic", ["atomic", "ancient"]),
        ("--sheet a99", ["a99", "letter"]),
        ("--sheet 20x30", ["unit", "20in"]),
        ("--style neon", ["neon", "ink-saver"]),
        ("--furniture all", ["all", "mat", "full", "none"]),
        ("--scale big", ["big", "1:4"]),
        ("--scale 1:0", ["1:0"]),
        ("--lang fr", ["fr", "en, es"]),
        ("--lang en+es+en", ["en+es"]),
        ("--to doc", ["doc", "pdf"]),
        ("--margin 10", ["10mm"]),
        ("--margin 105mm", ["margin", "105"]),
        ("--margin -1mm", ["-1mm"]),
        ("--overlap -1mm", ["-1mm"]),
        ("--overlap 10", ["10mm"]),
        ("--board 24", ["24in"]),
        ("--board 0in", ["0in"]),
        ("--board 72x48in", ["square"]),
        ("--reroll rivers", ["--from"]),
        ("--ask --dice 1", ["--ask", "--dice"]),
        ("--out - --to pdf --to json", ["--out -"]),
        ("--out - --to png", ["png"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_command_line_is_refused_in_a_line(arguments: str, parts: list[str], capsys: Captured) -> None:
    given = [] if "--seed" in arguments else ["--seed", "5"]
    refused(capsys, ["map", "--lang", "en", *given, *arguments.split()], 2, *parts)


def test_an_unknown_command_is_refused(capsys: Captured) -> None:
    refused(capsys, ["nope"], 2, "nope")
    refused(capsys, ["rules", "chess"], 2, "chess", "brantley")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (None, ["cannot be read"]),
        ("rivers = [", ["not TOML"]),
        ("river = []", ["'river'", "rivers"]),
        ("seed = '7'", ["seed"]),
        ("rivers = 7", ["rivers"]),
        ("settings = 7", ["[settings]"]),
        ("[settings]\nbr-q99 = 'none'", ["br-q99", "br-q12"]),
        ("[settings]\nbr-q12 = 'swamp'", ["br-q12", "swamp"]),
        ("zones = ['AH 2H']", ["zones has 2 cards", "BR-X06"]),
        ("placements = ['A KS 12']", ["zone", "12", "BR-X01"]),
        ("rivers = ['river A N:8 -> N:16']\ndice = '1 1 1 1 1 1'", ["BR-X"]),
    ],
)
def test_a_wrong_scenario_names_file_or_line(text: str | None, parts: list[str], table: Path, capsys: Captured) -> None:
    if text is not None:
        (table / "field.toml").write_text(text, encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", "--scenario", "field.toml"], 1, *parts)


@pytest.mark.clause("BR-X07", "BR-X08")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--dice", "7 1 1 1 1 1", "--seed", "5"], ["die 1 is 7", "BR-X07"]),
        (["--dice", "1 0", "--seed", "5"], ["die 2 is 0", "BR-X07"]),
        (["--dice", "5 6 2"], ["die 4 is missing", "BR-X08"]),
        (["--dice", "@nothing.txt"], ["nothing.txt"]),
    ],
    ids=["seven", "nothing", "short", "file"],
)
def test_wrong_dice_are_refused(arguments: list[str], parts: list[str], table: Path, capsys: Captured) -> None:
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    refused(capsys, ["map", "--scenario", "red.toml", *arguments], 1, *parts)


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize("cards", ["AH AH", "AH 11C", "KS 7H 9C"])
def test_wrong_cards_are_refused(cards: str, capsys: Captured) -> None:
    refused(capsys, ["map", "--seed", "5", "--dice", cards], 1, "BR-X06")


@pytest.mark.parametrize("command", [["map", "--from"], ["check"]], ids=["map", "check"])
@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (None, ["cannot be read"]),
        ("{", ["JSON"]),
        ("[]", ["object"]),
        ({"printkit": {"format": 2}}, ["printkit.format is 2", "newer"]),
        ({"rules": "chess"}, ["chess", "brantley"]),
        ({"features": [{"type": "Feature", "geometry": None, "properties": {"kind": "volcano"}}]}, ["volcano"]),
        ({"board": {"width_mm": -1, "depth_mm": 1, "pace_mm": 1, "base_width_mm": 1}}, ["board.width_mm"]),
    ],
    ids=["missing", "broken", "list", "newer", "rules", "kind", "board"],
)
def test_a_wrong_record_names_the_member(
    command: list[str],
    change: str | dict[str, object] | None,
    parts: list[str],
    game_record: Path,
    table: Path,
    capsys: Captured,
) -> None:
    if isinstance(change, dict):
        change = json.dumps({**json.loads(game_record.read_text(encoding="utf-8")), **change})
    if change is not None:
        (table / "field.json").write_text(change, encoding="utf-8")
    refused(capsys, [*command, "field.json"], 1, *parts)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--reroll", "weather"], ["weather", "rivers"]),
        (["--keep", "weather"], ["weather", "rivers"]),
        (["--reroll", "rivers", "--keep", "roads"], ["--reroll", "--keep"]),
        (["--seed", "9"], ["--seed"]),
        (["--set", "br-q12=none"], ["--set"]),
        (["--board", "36in"], ["--board"]),
        (["--dice", "1 2 3"], ["--dice"]),
        (["--count", "2"], ["--count"]),
    ],
    ids=lambda value: " ".join(value) if value[0].startswith("--") and len(value) > 1 else "",
)
def test_a_record_is_printed_as_it_is_or_by_stages(
    arguments: list[str], parts: list[str], game_record: Path, capsys: Captured
) -> None:
    refused(capsys, ["map", "--from", str(game_record), *arguments], 2, *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (None, ["mine.toml"]),
        ("[inks]\nmagic = '#FF0000'", ["mine.toml", "magic"]),
        ("[inks]\npaper = 'blue'", ["mine.toml", "paper", "#RRGGBB"]),
        ("[manner]\nwashes = 'much'", ["mine.toml", "washes"]),
        ("[manner", ["mine.toml", "not TOML"]),
    ],
    ids=["missing", "ink", "colour", "manner", "broken"],
)
def test_a_wrong_style_of_ones_own_names_its_key(
    text: str | None, parts: list[str], table: Path, capsys: Captured
) -> None:
    if text is not None:
        (table / "mine.toml").write_text(text, encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", *QUICK, "--style", "mine.toml"], 1, *parts)


@pytest.mark.parametrize("out", ["file/below", "file/map.pdf", "/proc/nowhere"])
def test_a_place_that_cannot_be_written_is_named(out: str, table: Path, capsys: Captured) -> None:
    (table / "file").write_text("mine", encoding="utf-8")
    refused(capsys, ["map", "--seed", "5", "--out", out, *QUICK], 1, "--out", out.split("/")[1 if out[0] == "/" else 0])
    assert (table / "file").read_text(encoding="utf-8") == "mine"


def test_what_was_there_stays_when_a_run_fails(table: Path, capsys: Captured) -> None:
    there = table / "output" / "brantley-24in-seed5.pdf"
    there.parent.mkdir()
    there.write_bytes(b"a map that somebody likes")
    sheet = ["--sheet", "200inx200in", "--margin", "0mm", "--scale", "1:1"]
    refused(capsys, ["map", "--seed", "5", "--lang", "en", *sheet, "--to", "pdf", "--to", "png"], 1, "dots an inch")
    assert there.read_bytes() == b"a map that somebody likes"


# --- What is written --------------------------------------------------------------------------------------------------


def test_sheets_and_record_are_named_after_the_game(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", *QUICK]) == 0
    said = capsys.readouterr()
    assert files(table) == ["output/brantley-24in-seed5.json", "output/brantley-24in-seed5.pdf"]
    assert said.out == ""
    assert "(seed 5)" in said.err
    for name in files(table):
        assert name in said.err


def test_a_fresh_seed_is_told_and_stored(table: Path, capsys: Captured) -> None:
    assert run(["map", *QUICK]) == 0
    found = re.search(r"\(seed (\d+)\)", capsys.readouterr().err)
    assert found
    record = json.loads((table / f"output/brantley-24in-seed{found[1]}.json").read_text(encoding="utf-8"))
    assert record["seed"] == int(found[1])


def test_a_plan_writes_nothing(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--lang", "en", "--style", "ink-saver", "--plan", "--to", "svg"]) == 0
    said = capsys.readouterr()
    assert list(table.iterdir()) == []
    assert said.err == ""
    assert "12 sheets a4 upright, 4 columns by 3 rows, at 1:1" in said.out
    assert "brantley-24in-seed5.svg" in said.out
    assert "brantley-24in-seed5.json" in said.out


def test_a_plan_promises_what_is_written(capsys: Captured) -> None:
    """Paper, columns and rows are reckoned without drawing; the drawing must come to the same."""
    for arguments in (["--scale", "1:2"], ["--sheet", "letter", "--scale", "1:8"]):
        command = ["map", "--seed", "5", "--lang", "en", "--style", "ink-saver", *arguments]
        assert run([*command, "--plan"]) == 0
        planned = capsys.readouterr().out.splitlines()[0].split(": ")[-1]
        assert run(command) == 0
        assert planned in capsys.readouterr().err


def test_quiet_says_nothing(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--quiet", *QUICK]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
    assert len(files(table)) == 2


def test_verbose_shows_every_throw(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--verbose", *QUICK]) == 0
    said = capsys.readouterr().err
    record = json.loads((table / "output/brantley-24in-seed5.json").read_text(encoding="utf-8"))
    for throw in record["log"]:
        assert f"{throw['stage']} | {throw['reason']} | {throw['asked']} | {throw['answer']}" in said


def test_several_games_have_consecutive_seeds(table: Path) -> None:
    assert run(["map", "--seed", "3", "--count", "3", "--out", "fields/night.pdf", *QUICK]) == 0
    names = [f"fields/night-seed{seed}" for seed in (3, 4, 5)]
    made = [f"{name}.{ending}" for name in names for ending in ("json", "pdf")]
    assert files(table) == [*made, "fields/printkit-batch.jsonl"]
    for seed, name in zip((3, 4, 5), names, strict=True):
        assert json.loads((table / f"{name}.json").read_text(encoding="utf-8"))["seed"] == seed


def test_a_file_gets_the_name_that_was_asked_for(table: Path) -> None:
    assert run(["map", "--seed", "5", "--out", "my.field.pdf", "--to", "svg", "--to", "geojson", *QUICK]) == 0
    assert files(table) == ["my.field.geojson", "my.field.json", "my.field.svg"]
    assert (table / "my.field.json").read_bytes() == (table / "my.field.geojson").read_bytes()


def test_standard_output_gets_the_sheets_or_the_record(table: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["map", "--seed", "5", "--out", "-", *QUICK]) == 0
    assert capsysbinary.readouterr().out.startswith(b"%PDF-1.7\n")
    assert run(["map", "--seed", "5", "--out", "-", "--to", "json", *QUICK]) == 0
    said = capsysbinary.readouterr()
    assert json.loads(said.out)["seed"] == 5
    assert said.err == b""
    assert list(table.iterdir()) == []


# --- Languages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "title"), [("en", r"^The Field "), ("es", r"^El campo "), ("en+es", r"^The Field ")]
)
def test_a_field_is_named_in_its_language(language: str, title: str, table: Path) -> None:
    assert run(["map", "--seed", "5", *SMALL, "--lang", language, "--out", "field.pdf"]) == 0
    record = json.loads((table / "field.json").read_text(encoding="utf-8"))
    assert re.match(title, record["title"])


@pytest.mark.parametrize(
    ("environment", "title"),
    [
        ({"LANG": "es_ES.UTF-8"}, "El campo"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "The Field"),
        ({"LANG": "pt_BR.UTF-8"}, "The Field"),
    ],
)
def test_the_locale_chooses_the_language(
    environment: dict[str, str], title: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert run(["map", "--seed", "5", "--plan", *SMALL]) == 0
    assert capsys.readouterr().out.startswith(title)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_field_without_names_has_a_title_all_the_same(language: str, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--plan", *SMALL, "--set", "names=none", "--lang", language]) == 0
    title = re.split(", (?:seed|semilla) 5", capsys.readouterr().out)[0]
    assert title in [find(language)(key) for key in catalogue(language) if key.startswith("brantley.title.")]


# --- Asking a person --------------------------------------------------------------------------------------------------


def test_a_person_is_asked_for_each_throw(table: Path) -> None:
    """An answer that cannot be is asked for again."""
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    command = [sys.executable, "-m", "printkit", "map", "--scenario", "red.toml", "--seed", "5", "--ask", *QUICK]
    done = subprocess.run(command, input="9\n5\n6\n2\n5\n", capture_output=True, text=True, cwd=table)
    assert done.returncode == 0, done.stderr
    assert "printkit: 9 will not do: d6" in done.stderr
    log = json.loads((table / "output/brantley-24in-seed5.json").read_text(encoding="utf-8"))["log"]
    assert [throw["answer"] for throw in log if throw["asked"] == "d6"] == ["5", "6", "2", "5"]


def test_nobody_to_ask_is_an_error_and_not_a_wait(table: Path) -> None:
    command = [sys.executable, "-m", "printkit", "map", "--seed", "5", "--ask", *QUICK]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=table)
    assert done.returncode == 2
    assert "--ask" in done.stderr.splitlines()[-1]
    assert files(table) == []


def test_the_environment_is_not_needed(table: Path) -> None:
    """Neither a home, nor a locale, nor a path: a bare process prints the same."""
    command = [sys.executable, "-m", "printkit", "map", "--seed", "5", "--plan", *SMALL]
    bare = {name: value for name, value in os.environ.items() if name.startswith("PYTHONP")}
    done = subprocess.run(command, env=bare, capture_output=True, cwd=table)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"The Field")

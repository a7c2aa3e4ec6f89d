"""The command line: what it shows, and what it leaves on the disk."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_lines import QUICK, RED, SMALL, Captured, files

from printkit import __date__, __version__
from printkit.cli.app import run
from printkit.core.words import catalogue, find_words

pytestmark = pytest.mark.usefixtures("table", "_no_ink")

HEAVY = {"shapely", "numpy", "reportlab", "rich", "PIL", "pypdfium2", "contourpy"}


def record_of(name: str) -> dict[str, Any]:
    """Return what a file of a record holds."""
    found: dict[str, Any] = json.loads(Path(name).read_text(encoding="utf-8"))
    return found


def ran(*words: str, **more: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    command = [sys.executable, "-m", "printkit", *words]
    return subprocess.run(command, check=False, stderr=subprocess.PIPE, **more)


def test_help_version_and_errors_load_no_library() -> None:
    """What is loaded stays loaded, so that one process shows which command was the first to load it."""
    script = (
        "import sys; from printkit.cli.app import run\n"
        "for line in sys.argv[1:]: run(line.split()); print('after', *sys.modules, file=sys.stderr)"
    )
    lines = ("--version", "--help", "map --help", "map --nope", "map --to doc", "nope")
    done = subprocess.run([sys.executable, "-c", script, *lines], capture_output=True, text=True, check=True)
    told = [line.split() for line in done.stderr.splitlines() if line.startswith("after ")]
    modules = [{name.split(".")[0] for name in names[1:]} for names in told]
    assert all("typer" in names for names in modules)
    assert [names & HEAVY for names in modules] == [set() for _ in lines]


def test_the_version_is_told_and_rules_list_systems_and_tell_of_one(capsys: Captured) -> None:
    assert run(["--version"]) == 0
    version, *places = capsys.readouterr().out.splitlines()
    assert version == f"printkit {__version__}, {__date__ or 'unreleased'}"
    assert [line.split(": ")[0] for line in places] == ["program", "files", "settings"]
    assert all(Path(line.split(": ")[1]).is_absolute() for line in places)
    assert run(["rules"]) == 0
    assert capsys.readouterr().out.startswith("brantley ")
    pages = {
        (): (
            "deal, placing, features, hills, rivers, roads, crossings, order",
            "river-through ",
            "margin 0.75 (0.5 .. 1.5)",
        ),
        ("--show", "tables"): ("BR-401", "Tabla ríos"),
        ("--show", "checks"): ("Ríos", "BR-G33  distancia de un extremo a las esquinas del tablero: al menos 1 in"),
        ("--show", "clauses"): ("BR-Q09 ", "borde"),
    }
    for words, parts in pages.items():
        assert run(["rules", "brantley", *words, "--lang", "es"]) == 0
        said = capsys.readouterr().out
        assert all(part in said for part in parts), words
    for wrong in (
        ["brantley", "--show", "all"],
        ["--show", "tables"],
        ["--show", "clauses", "--scenario", "mine.toml"],
    ):
        assert run(["rules", *wrong]) == 2
        assert (
            "--show needs a rule system and one page, tables, checks or clauses: printkit rules brantley --show tables"
        ) in capsys.readouterr().err


def test_check_says_in_a_line_that_all_is_kept_or_names_the_broken_clause(game_record: Path, capsys: Captured) -> None:
    assert run(["check", str(game_record)]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert re.search(r" is legal: it keeps all \d+ rules that can be checked\.$", said)
    tree = json.loads(game_record.read_text(encoding="utf-8"))
    tree["features"] = [each for each in tree["features"] if each["properties"]["kind"] != "bridge"]
    Path("spoilt.json").write_text(json.dumps(tree), encoding="utf-8")
    assert run(["check", "spoilt.json"]) == 1
    broken = capsys.readouterr().out
    assert re.match(r".+ breaks \d+ of \d+ rules:\n", broken)
    assert "(BR-601" in broken


@pytest.mark.parametrize("arguments", [["rules"], ["rules", "brantley"]], ids=" ".join)
def test_a_reader_that_stops_early_hears_no_complaint(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = ran(*arguments, stdout=writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.usefixtures("_bare")
def test_sheets_and_record_are_named_after_the_game_and_told_as_much_as_is_asked(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--quiet", *QUICK]) == 0
    assert capsys.readouterr() == ("", "")
    record = "output/records/field-under-raven-down-seed5.json"
    assert files(table) == ["output/field-under-raven-down-seed5-1to8-a4-ink.pdf", record]
    assert run(["map", "--seed", "5", "--verbose", *QUICK]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert all(name in said.err for name in files(table))
    for throw in record_of(record)["log"]:
        assert f"{throw['stage']} | {throw['reason']} | {throw['asked']} | {throw['answer']}" in said.err
    assert run(["map", *QUICK]) == 0
    fresh = re.search(r"seed(\d+)\.json", capsys.readouterr().err)
    assert fresh
    (again,) = (table / "output" / "records").glob(f"*-seed{fresh[1]}.json")
    assert record_of(str(again))["seed"] == int(fresh[1])


def test_a_plan_writes_nothing_and_promises_what_is_written(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--lang", "en", "--style", "ink-saver", "--plan", "--to", "svg"]) == 0
    said = capsys.readouterr()
    assert list(table.iterdir()) == []
    assert said.err == ""
    assert " would take 13 sheets of A4, 31 cuts, 21 minutes and about " in said.out
    assert "  output/field-under-raven-down-seed5-a4-ink.svg   12 map sheets (portrait, 4 x 3)" in said.out
    assert said.out.endswith("To print it: printkit map --seed 5 --lang en --style ink-saver --to svg\n")
    """Paper, columns and rows are reckoned without drawing; the drawing must come to the same."""
    for arguments in (["--scale", "1:2"], ["--sheet", "letter", "--scale", "1:8"]):
        command = ["map", "--seed", "5", "--lang", "en", "--style", "ink-saver", *arguments]
        assert run([*command, "--plan"]) == 0
        planned = capsys.readouterr().out.splitlines()[1]
        assert run(command) == 0
        assert planned in capsys.readouterr().err


@pytest.mark.usefixtures("_bare")
def test_several_games_have_consecutive_seeds(table: Path) -> None:
    assert run(["map", "--seed", "3", "--count", "3", "--out", "fields/night.pdf", *QUICK]) == 0
    names = {seed: f"fields/night-seed{seed}" for seed in (3, 4, 5)}
    made = [f"{name}.{ending}" for name in names.values() for ending in ("json", "pdf")]
    assert files(table) == [*made, "fields/printkit-batch.jsonl"]
    assert [record_of(f"{name}.json")["seed"] for name in names.values()] == list(names)


@pytest.mark.usefixtures("table", "_bare")
def test_a_saved_battlefield_is_found_by_a_part_of_its_title(capsys: Captured) -> None:
    for seed in ("5", "6"):
        assert run(["map", "--seed", seed, "--to", "json", "--lang", "en", "--quiet"]) == 0
    records = {str(path): record_of(str(path)) for path in Path("output/records").glob("*.json")}
    for path, record in records.items():
        name = record["title"].split()[-1].upper()
        assert run(["map", "--from", name, "--to", "json", "--out", "again.json", "--force", "--quiet"]) == 0
        assert Path("again.json").read_bytes() == Path(path).read_bytes()
    # The same battlefield saved twice is one; broken files and other JSON are none.
    for path in records:
        Path("output", Path(path).name).write_bytes(Path(path).read_bytes())
    Path("output/other.json").write_text('{"title": "Field"}', encoding="utf-8")
    Path("output/broken.json").write_bytes(b"\xff[")
    capsys.readouterr()
    assert run(["map", "--from", "field", "--plan"]) == 2
    said = capsys.readouterr().err
    assert said.count("output/records/") == 2
    assert all(f"({record['title']}, 20" in said for record in records.values())
    assert run(["map", "--from", "nowhere", "--plan"]) == 1
    assert "no saved battlefield in output has this name" in capsys.readouterr().err


@pytest.mark.usefixtures("_bare")
def test_a_file_of_another_program_is_refused_and_may_name_a_folder(table: Path, capsys: Captured) -> None:
    for command in ("map", "hexon"):
        assert run([command, "--seed", "5", "--to", "json", "--out", "x.docx", "--lang", "en"]) == 2
        said = capsys.readouterr().err
        assert "printkit writes .pdf, " in said
        assert said.endswith("for a folder write x.docx/\n")
    assert list(table.iterdir()) == []
    assert run(["map", "--seed", "5", "--to", "json", "--out", "x.docx/", "--quiet", *QUICK]) == 0
    assert run(["map", "--seed", "6", "--to", "json", "--out", "x.docx", "--quiet", *QUICK]) == 0
    assert len(files(table / "x.docx")) == 2


@pytest.mark.usefixtures("_bare")
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


@pytest.mark.parametrize(
    ("language", "title"), [("en", r"^The Field "), ("es", r"^El campo "), ("en+es", r"^The Field ")]
)
def test_a_field_is_named_in_its_language(language: str, title: str) -> None:
    assert run(["map", "--seed", "5", *SMALL, "--lang", language, "--out", "field.pdf"]) == 0
    assert re.match(title, record_of("field.json")["title"])


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
    title = re.split(" would take | necesitaría ", capsys.readouterr().out)[0]
    assert title in [find_words(language)(key) for key in catalogue(language) if key.startswith("brantley.title.")]


def test_a_person_is_asked_for_each_throw(table: Path) -> None:
    """An answer that cannot be is asked for again."""
    (table / "red.toml").write_text(f"zones = ['{RED}']", encoding="utf-8")
    done = ran("map", "--scenario", "red.toml", "--seed", "5", "--ask", *QUICK, input=b"9\n5\n6\n2\n5\n")
    assert done.returncode == 0, done.stderr
    assert b"printkit: 9 is not valid: d6" in done.stderr
    (record,) = (table / "output").glob("records/*-seed5.json")
    log = record_of(str(record))["log"]
    assert [throw["answer"] for throw in log if throw["asked"] == "d6"] == ["5", "6", "2", "5"]


def test_nobody_to_ask_is_an_error_and_not_a_wait(table: Path) -> None:
    done = ran("map", "--seed", "5", "--ask", *QUICK, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert b"--ask" in done.stderr.splitlines()[-1]
    assert files(table) == []


def test_the_environment_is_not_needed() -> None:
    """Neither a home, nor a locale, nor a path: a bare process prints the same."""
    bare = {name: value for name, value in os.environ.items() if name.startswith("PYTHONP")}
    done = ran("map", "--seed", "5", "--plan", *SMALL, env=bare, stdout=subprocess.PIPE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"The Field")

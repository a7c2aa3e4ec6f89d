"""What a person sees first: lists of commands, examples, what a map tells, and wrong commands that people type."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_lines import Captured

from printkit.cli.app import OWN, run
from printkit.console.help import COMMANDS as GROUPS
from printkit.console.terminal import set_language, translate_help
from printkit.core.resources import template
from printkit.kit.registry import commands
from printkit.options.table import read_command

COMMANDS = {**OWN, **commands()}
CALLED = {name: command for name, command in COMMANDS.items() if command.call}
EXAMPLES = template("help", "examples")


@pytest.fixture(autouse=True)
def english_again() -> None:
    set_language(["--lang", "en"])


def said(capsys: Captured, *arguments: str) -> str:
    run([*arguments])
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_line_of_a_command_is_a_short_sentence(language: str) -> None:
    set_language(["--lang", language])
    first = {name: translate_help(command.about).split(". ")[0].rstrip(".") + "." for name, command in COMMANDS.items()}
    assert {name: line for name, line in first.items() if len(line) > 55} == {}


def test_the_help_of_the_program_is_one_screen_with_every_command(capsys: Captured) -> None:
    told = said(capsys, "--help")
    assert len(told.splitlines()) <= 23
    assert max(map(len, told.splitlines())) <= 80
    places = [told.index(f"\n{title}:\n") for title in GROUPS.values()]
    assert places == sorted(places)
    for name, command in COMMANDS.items():
        if " " not in name and command.group in GROUPS:
            assert re.search(rf"^  {re.escape(name)} +{re.escape(command.about.split('. ')[0])}", told, re.MULTILINE)
        # A command without a group is named in the line of another, as those of a sealed game.
        assert " " in name or re.search(rf"\b{name}\b", told), name
    assert set(EXAMPLES) == set(CALLED)


def test_printkit_alone_shows_the_ways_to_begin(capsys: Captured) -> None:
    shown = said(capsys)
    assert shown.startswith("Generate battlefields by published rules")
    commands_shown = re.findall(r"^  printkit (\S+)", shown, re.MULTILINE)
    assert {name for name in commands_shown if not name.startswith("-")} <= {*COMMANDS}
    assert len(shown.splitlines()) <= 12
    assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("name", CALLED)
def test_no_short_help_has_more_than_twelve_options(name: str, capsys: Captured) -> None:
    shown = said(capsys, *name.split(), "--help")
    listed = shown.partition("\n\n")[2]
    assert len(re.findall(r"^  --", listed, re.MULTILINE)) <= 12
    if name == "map":
        assert len(shown.splitlines()) == 22
        assert max(map(len, shown.splitlines())) <= 80


@pytest.mark.skipif(os.name == "nt", reason="Windows asks the console")
@pytest.mark.parametrize(
    ("streams", "display", "is_click"),
    [
        ("</dev/null >/dev/null 2>/dev/null", ":0", True),
        ("<&- >&- 2>&-", ":0", True),
        ("</dev/null >/dev/null 2>/dev/null", "", sys.platform == "darwin"),
        ("</dev/null 2>/dev/null | cat >/dev/null", ":0", False),
        ("</dev/null >shown 2>/dev/null", ":0", False),
        ("", ":0", False),
    ],
)
def test_only_a_start_that_nobody_can_see_is_a_click(
    streams: str, display: str, is_click: bool, tmp_path: Path
) -> None:
    """A script has a pipe or a file, a timer of the system has no desktop: both get the first screen."""
    code = (
        "from pathlib import Path; from printkit.console.terminal import is_opened_by_click as click; "
        "is_click = click(); Path('click').write_text(str(is_click))"
    )
    environment = {**os.environ, "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    line = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)} {streams}"
    subprocess.run(line, shell=True, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, check=True)
    assert (tmp_path / "click").read_text() == str(is_click)


@pytest.mark.parametrize("name", CALLED)
def test_every_command_has_three_examples_that_it_takes(name: str, capsys: Captured) -> None:
    told = said(capsys, *name.split(), "--help")
    assert len(EXAMPLES[name]) == 3
    for example in EXAMPLES[name]:
        assert f"  printkit {name} {example}".rstrip() in told
        read_command(CALLED[name], shlex.split(example))


def test_cards_alone_lists_the_decks(capsys: Captured) -> None:
    told = said(capsys, "cards")
    assert "brantley          terrain, reference, kit, zones, cut-outs, hidden, reveal" in told
    assert "blank" in told
    assert "printkit cards terrain" in told
    assert said(capsys, "cards", "--rules", "acw").splitlines()[0] == "acw  tables"


def test_a_map_tells_how_it_is_had_again_and_units_may_be_written_out(table: Path, capsys: Captured) -> None:
    told = said(capsys, "map", "--seed", "3", "--out", "my maps")
    again = re.search("Print it again: printkit (map --from .*)", told)
    assert again is not None
    assert Path(shlex.split(again[1])[2]) == Path("my maps/records/field-under-buck-knoll-seed3.json")
    assert (table / "my maps/records/field-under-buck-knoll-seed3.json").is_file()
    told = said(
        capsys,
        "map",
        "--from",
        "my maps/records/field-under-buck-knoll-seed3.json",
        "--sheet",
        "letter",
        "--style",
        "ink-saver",
    )
    assert told.endswith(" --style=ink-saver --sheet=letter\n")
    told = said(capsys, "map", "--plan", "--scale", "fit")
    seed = re.search("Nothing was printed. To print it: printkit map .*--seed (\\d+)", told)
    assert seed is not None
    assert f"seed{seed[1]}" in told
    for size in ("24inch", "24 inches", "2foot", "2 feet"):
        assert "at 1:3.78" in said(capsys, "map", "--seed", "3", "--board", size, "--scale", "fit", "--plan")


def test_a_judge_says_legal_and_points_to_the_record(table: Path, game_record: Path, capsys: Captured) -> None:
    record = table / "evening" / "map.json"
    record.parent.mkdir()
    record.write_bytes(game_record.read_bytes())
    record.with_suffix(".pdf").write_bytes(b"%PDF")
    told = said(capsys, "check", str(record))
    kept = re.search("is legal: it keeps all (\\d+) rules that can be checked", told)
    assert kept is not None
    assert f"{kept[1]} kept, 0 broken, " in said(capsys, "check", str(record), "--verbose")
    for wrong in (record.parent, record.with_suffix(".pdf"), record.with_name("umpire.pdf")):
        assert f"is not a record; try {record}" in said(capsys, "check", str(wrong))
    saved = table / "records" / "field-seed7.json"
    saved.parent.mkdir()
    saved.write_bytes(record.read_bytes())
    Path("other.json").write_text("{}", encoding="utf-8")
    for wrong in (table, table / "field-seed7-a4.pdf"):
        assert f"is not a record; try {saved}\n" in said(capsys, "check", str(wrong))
    assert "a record is the .json file written with each map" in said(capsys, "check", "nothing.pdf")

"""What a person sees first: lists of commands, examples, what a map tells, and wrong commands that people type."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_lines import Captured

from printkit.cli.app import OWN, run
from printkit.console.help import GROUPS
from printkit.console.parameters import Parameter, parameters
from printkit.console.parser import options_of
from printkit.console.terminal import explained, speak
from printkit.core.resources import template
from printkit.kit.registry import commands

COMMANDS = {**OWN, **commands()}
CALLED = {name: command for name, command in COMMANDS.items() if command.call}
EXAMPLES = template("help", "examples")


@pytest.fixture(autouse=True)
def english_again() -> None:
    speak(["--lang", "en"])


def said(capsys: Captured, *arguments: str) -> str:
    run([*arguments])
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_line_of_a_command_is_a_short_sentence(language: str) -> None:
    speak(["--lang", language])
    first = {name: explained(command.about).split(". ")[0].rstrip(".") + "." for name, command in COMMANDS.items()}
    assert {name: line for name, line in first.items() if len(line) > 50} == {}


def test_commands_stand_in_groups_and_have_examples(capsys: Captured) -> None:
    told = said(capsys, "--help")
    places = [told.index(f"{title}:") for title in GROUPS.values()]
    assert places == sorted(places)
    assert {command.group for name, command in COMMANDS.items() if " " not in name} == set(GROUPS)
    for name, command in COMMANDS.items():
        assert re.search(rf"^  {re.escape(name)} +{re.escape(command.about.split('. ')[0])}", told, re.M) or " " in name
    assert set(EXAMPLES) == set(CALLED)


@pytest.mark.parametrize("name", CALLED)
def test_every_command_has_three_examples_that_it_takes(name: str, capsys: Captured) -> None:
    told = said(capsys, *name.split(), "--help")
    known = parameters(options_of(CALLED[name]))
    flags = {flag for each in known for flag in each.told.flags.split("/")}
    arguments = [each for each in known if not each.told.flags]
    assert len(EXAMPLES[name]) == 3
    for example in EXAMPLES[name]:
        assert f"  printkit {name} {example}".rstrip() in told
        typed = shlex.split(example)
        assert {each for each in typed if each.startswith("--")} <= flags
        assert sum(each.required for each in arguments) <= len(_plain(typed, known)) <= len(arguments)


def _plain(typed: list[str], known: tuple[Parameter, ...]) -> list[str]:
    """Return what is typed beside options and their values."""
    takes = {flag for each in known if each.kind is not bool for flag in each.told.flags.split("/")}
    found, skip = [], False
    for each in typed:
        if skip:
            skip = False
        elif each.startswith("--"):
            skip = each in takes
        else:
            found.append(each)
    return found


def test_cards_alone_lists_the_decks(capsys: Captured) -> None:
    told = said(capsys, "cards")
    assert "brantley          terrain, reference, kit, zones, cut-outs, hidden, reveal" in told
    assert "blank" in told
    assert "printkit cards terrain" in told
    assert said(capsys, "cards", "--rules", "acw").splitlines()[0] == "acw  tables"


def test_a_map_tells_how_it_is_had_again_and_units_may_be_written_out(table: Path, capsys: Captured) -> None:
    told = said(capsys, "map", "--seed", "3", "--out", "my maps")
    again = re.search(r"print it at 100 %, actual size; the same field again: printkit (map --from .*)", told)
    assert again is not None
    assert Path(shlex.split(again[1])[2]) == Path("my maps/brantley-24in-seed3.json")
    assert (table / "my maps/brantley-24in-seed3.json").is_file()
    told = said(capsys, "map", "--plan", "--scale", "fit")
    seed = re.search(r"to print this one: the same command with --seed (\d+) and without --plan", told)
    assert seed is not None
    assert f"seed{seed[1]}" in told
    for size in ("24inch", "24 inches", "2foot", "2 feet"):
        assert "24in-seed3" in said(capsys, "map", "--seed", "3", "--board", size, "--scale", "fit", "--plan")


def test_a_judge_says_legal_and_points_to_the_record(table: Path, game_record: Path, capsys: Captured) -> None:
    record = table / "evening" / "map.json"
    record.parent.mkdir()
    record.write_bytes(game_record.read_bytes())
    record.with_suffix(".pdf").write_bytes(b"%PDF")
    told = said(capsys, "check", str(record))
    kept = re.search(r"legal: all (\d+) rules that a field can show are kept", told)
    assert kept is not None
    assert f"{kept[1]} kept, 0 broken, " in said(capsys, "check", str(record), "--verbose")
    for wrong in (record.parent, record.with_suffix(".pdf"), record.with_name("umpire.pdf")):
        assert f"is no record; name the record, {record}" in said(capsys, "check", str(wrong))
    assert "a record is the .json that is written with each map" in said(capsys, "check", "nothing.pdf")

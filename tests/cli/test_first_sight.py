"""What a person sees first: lists of commands, examples, what a map tells, and wrong commands that people type."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

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


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    run([*arguments])
    shown = capsys.readouterr()
    return shown.out + shown.err


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_line_of_a_command_is_a_short_sentence(language: str) -> None:
    speak(["--lang", language])
    first = {name: explained(command.about).split(". ")[0].rstrip(".") + "." for name, command in COMMANDS.items()}
    assert {name: line for name, line in first.items() if len(line) > 50} == {}


def test_commands_stand_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--help")
    places = [told.index(f"{title}:") for title in GROUPS.values()]
    assert places == sorted(places)
    assert {command.group for name, command in COMMANDS.items() if " " not in name} == set(GROUPS)
    for name, command in COMMANDS.items():
        assert re.search(rf"^  {re.escape(name)} +{re.escape(command.about.split('. ')[0])}", told, re.M) or " " in name


@pytest.mark.parametrize("name", CALLED)
def test_every_command_has_three_examples_that_it_takes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, *name.split(), "--help")
    known = parameters(options_of(CALLED[name]))
    assert len(EXAMPLES[name]) == 3
    for example in EXAMPLES[name]:
        assert f"  printkit {name} {example}".rstrip() in told
        _judge(shlex.split(example), {flag: each for each in known for flag in each.told.flags.split("/")})
    arguments = [each for each in known if not each.told.flags]
    for example in EXAMPLES[name]:
        count = len(_plain(shlex.split(example), known))
        assert sum(each.required for each in arguments) <= count <= len(arguments)


def _judge(typed: list[str], flags: dict[str, Parameter]) -> None:
    for each in typed:
        assert not each.startswith("--") or each in flags, each


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


def test_examples_are_of_commands_that_there_are() -> None:
    assert set(EXAMPLES) == set(CALLED)


def test_cards_alone_lists_the_decks(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "cards")
    assert "brantley          terrain, reference, kit, zones, cut-outs, hidden, reveal" in told
    assert "blank" in told
    assert "printkit cards terrain" in told
    assert said(capsys, "cards", "--rules", "acw").splitlines()[0] == "acw  tables"


def test_a_map_tells_how_it_is_printed_and_had_again(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "map", "--seed", "3", "--out", "my maps")
    again = re.search(r"print it at 100 %, actual size; the same field again: printkit (map --from .*)", told)
    assert again is not None
    assert Path(shlex.split(again[1])[2]) == Path("my maps/brantley-24in-seed3.json")
    assert (table / "my maps/brantley-24in-seed3.json").is_file()
    told = said(capsys, "map", "--plan", "--scale", "fit")
    seed = re.search(r"to print this one: the same command with --seed (\d+) and without --plan", told)
    assert seed is not None
    assert f"seed{seed[1]}" in told


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("map --rules dba", "no rule system 'dba'; it may be brantley, solo-dba, dba3, collision-course"),
        ("map --rules portable", "it may be portable-1, portable-2"),
        ("map --rules civil", "it may be acw"),
        ("--rules dba map", "--rules stands behind the command: printkit map --rules ..."),
        ("map 24inch", "24inch is the size of a board: write --board 24in"),
        ("handouts 6x4ft", "6x4ft is the size of a board: write --board 6x4ft"),
        ("check 24inch 30in", "Got unexpected extra argument(s) (30in)"),
        ("map nonsense", "Got unexpected extra argument(s) (nonsense)"),
        ("map --size 24in", "there is no option --size here; --board is meant"),
        ("map --paper a4", "there is no option --paper here; --sheet is meant"),
        ("map -o x.pdf", "there is no option -o here; --out is meant"),
        ("map --format png", "there is no option --format here; --to is meant"),
        ("map --language es", "there is no option --language here; --lang is meant"),
        ("handouts --ruleset acw", "there is no option --ruleset here; --rules is meant"),
        ("map --board 6x4", "'6x4' has no unit; write 6x4ft, 6x4in or 6x4cm"),
        ("map --board 24", "'24' has no unit; write 24in, 24cm or 24mm"),
        ("map --set polcy=wary", "brantley has no setting 'polcy'; it may be policy, policy-b, policy-a"),
        ("map --seed seven", "'seven' is no whole number"),
        ("map --sheet a9", "no sheet 'a9'; there are a4, a3"),
        ("map --style pretty", "no style 'pretty'; there are campaign"),
        ("map --lang de", "no language 'de'; there are en, es"),
        ("mpa", "Did you mean 'map'?"),
        ("cards terain", "terrain"),
        ("check", "Missing argument"),
        ("npg armies roman", "roman"),
    ],
)
def test_a_wrong_command_is_answered_with_what_is_meant(
    typed: str, answer: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(typed)) != 0
    told = capsys.readouterr().err
    assert answer in told
    assert len(told.splitlines()) == 1
    assert list(table.iterdir()) == []


def test_units_may_be_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    for size in ("24inch", "24 inches", "2foot", "2 feet"):
        assert "24in-seed3" in said(capsys, "map", "--seed", "3", "--board", size, "--scale", "fit", "--plan")


def test_a_judge_says_legal_and_points_to_the_record(
    table: Path, game_record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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

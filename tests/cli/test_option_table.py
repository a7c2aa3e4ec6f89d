"""The option table: how words become values, what is refused, and what help, examples and limits say of each row."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import pytest
from imports import PACKAGE, ROOT, parsed, sources
from msgspec import Struct

from printkit.cli.app import all_commands, run
from printkit.console.help import OPTIONS, SHORT, command_help
from printkit.console.terminal import set_language
from printkit.core.errors import UsageError
from printkit.kit.plugin import Command
from printkit.options import commands, play, printing
from printkit.options.removed import GONE
from printkit.options.table import (
    MAX_NUMBER,
    Option,
    OptionError,
    Row,
    command_rows,
    format_words,
    from_keywords,
    read_command,
    rows,
)

COMMANDS: Final = {name: command for name, command in all_commands().items() if command.call}
ROWS: Final = {name: command_rows(command) for name, command in COMMANDS.items()}
CLASSES: Final = [
    each
    for module in (printing, commands, play)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, Struct) and each.__module__ == module.__name__
]


@pytest.fixture(autouse=True)
def _english() -> None:
    set_language(["--lang", "en"])


class Where(Struct, frozen=True, kw_only=True):
    """Options that several commands have."""

    folder: Annotated[str, Option("PATH", "a folder", "files")] = "output"
    number: Annotated[int | None, Option("N", "a number", "files", least=2)] = None


class One(Struct, frozen=True, kw_only=True):
    """Options of each kind."""

    name: Annotated[str, Option("NAME", "a name", argument=True)]
    others: Annotated[Sequence[str], Option("OTHERS", "more names", argument=True)] = ()
    each: Annotated[Sequence[str], Option("TEXT", "several", choices=(f"{__name__}:NAMES",))] = ()
    quick: Annotated[bool, Option("", "yes or no")] = False


NAMES: Final = ("p", "q")


def one(where: Where, asked: One) -> None:
    """Take what is given."""


def read(*words: str, **own: Any) -> dict[str, Any]:
    """Return what the function of a command is given for its words."""
    given = read_command(Command(f"{__name__}:one", "Take what is given.", **own), words)
    return {name: getattr(each, name) for each in given for name in each.__struct_fields__}


USUAL: Final[Mapping[str, Any]] = {
    "folder": "output", "number": None, "name": "a", "others": (), "each": (), "quick": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["a"], {}),
        (["a", "--number", " +5"], {"number": 5}),
        (["--number=2", "a"], {"number": 2}),
        (["a", "--each", "p", "--each=q", "--quick"], {"each": ("p", "q"), "quick": True}),
        (["a", "b", "--folder", "x/y", "c"], {"others": ("b", "c"), "folder": "x/y"}),
        (["-", "--folder=-"], {"name": "-", "folder": "-"}),
        (["-1", "--folder", "-2"], {"name": "-1", "folder": "-2"}),
        (["--quick", "--", "--name", "--each", "p"], {"name": "--name", "others": ("--each", "p"), "quick": True}),
    ],
)
def test_words_become_values(words: list[str], given: dict[str, Any]) -> None:
    assert read(*words) == {**USUAL, **given}


def test_a_command_has_its_own_defaults_and_may_take_a_part_of_its_options() -> None:
    assert read(usual={"name": "b", "folder": "here"}) == {**USUAL, "name": "b", "folder": "here"}
    assert read("a", takes="name folder")["folder"] == "output"
    assert read(takes="folder")["name"] == ""
    for takes in ("name folder", "-each"):
        with pytest.raises(UsageError, match="unknown option --each"):
            read("a", "--each", "p", takes=takes)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--number", "x"], "--number: 'x' is not a whole number"),
        (["a", "--number", "2.0"], "--number: '2.0' is not a whole number"),
        (["a", "--number", "٣"], "--number: '٣' is not a whole number"),
        (["a", "--number", ""], "--number: '' is not a whole number"),
        (["a", "--number", "1"], "--number: 1 is less than 2"),
        (["a", "--number", "100001"], "--number: 100001 is more than 100000"),
        (["a", "--number", "9" * 5000], "is more than 100000"),
        (["a", "--number"], "--number: a value is missing: --number N"),
        (["a", "--number", "--quick"], "--number: a value is missing: --number N"),
        (["a", "--quick=3"], "--quick: takes no value"),
        (["a", "--folder", "\0"], "--folder: a text cannot have a zero byte"),
        (["\0"], "NAME: a text cannot have a zero byte"),
        ([], "NAME is missing"),
        (["a", "--fodler", "p"], "unknown option --fodler; did you mean --folder?"),
        (["a", "--zzz"], "unknown option --zzz"),
        (["a", "--no-zones"], "--no-zones is now --hide zones"),
    ],
)
def test_what_is_wrong_is_said_with_the_option(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        read(*words)
    with pytest.raises(UsageError, match="unexpected value b"):
        read("a", "b", takes="name")


def test_an_error_carries_its_row_and_the_reason() -> None:
    with pytest.raises(OptionError) as raised:
        read("a", "--number", "1")
    assert (raised.value.row.name, str(raised.value.reason)) == ("number", "1 is less than 2")
    with pytest.raises(UsageError, match=r"^number: 1 is less than 2$"):
        from_keywords(Where, number=1)


def test_keywords_and_words_are_views_of_one_table() -> None:
    value = from_keywords(One, name="a", each="p", quick=1)
    assert (value.each, value.quick) == (("p",), True)
    assert [*format_words(value)] == ["NAME=a", "--each=p", "--quick"]
    assert from_keywords(One, name="a", each=["p", "q"]).each == ("p", "q")
    with pytest.raises(TypeError, match="unexpected keyword argument 'eech'; there are name, others, each, quick"):
        from_keywords(One, name="a", eech="p")


@pytest.mark.parametrize("name", ROWS)
def test_a_row_says_what_it_is_for_and_a_number_has_bounds_of_both_sides(name: str) -> None:
    flags = [row.flag for row in ROWS[name]]
    assert len(flags) == len({*flags})
    for row in ROWS[name]:
        assert row.option.help == row.option.help.strip().rstrip(".")
        assert row.option.group in OPTIONS
        assert bool(row.option.value) == (row.kind is not bool)
        if row.kind is int:
            _try_bounds(row)


def _try_bounds(row: Row) -> None:
    least, most = row.option.least, row.option.most
    assert row.value(str(most)) == most
    with pytest.raises(OptionError, match="is more than"):
        row.value(str(most + 1))
    if least is not None:
        assert row.value(str(least)) == least
        with pytest.raises(OptionError, match="is less than"):
            row.value(str(least - 1))


def test_a_count_goes_to_a_hundred_thousand() -> None:
    counts = {
        f"{name} {row.flag}"
        for name, table in ROWS.items()
        for row in table
        if row.option.most == MAX_NUMBER == 100_000
    }
    assert {"map --count", "cards --count", "league new --games"} <= counts


@pytest.mark.parametrize("name", ROWS)
def test_the_short_help_has_at_most_twelve_options_and_the_whole_help_all(name: str) -> None:
    table = [row for row in ROWS[name] if not row.option.argument]
    short = command_help(f"printkit {name}", "Do it.", ROWS[name])
    shown = {row.flag for row in table if re.search(f"^  {row.flag}\\b", short, re.MULTILINE)}
    assert shown == {row.flag for row in table if row.option.first or len(table) <= SHORT}
    assert 0 < len(shown) <= SHORT
    whole = command_help(f"printkit {name}", "Do it.", ROWS[name], everything=True)
    assert {row.flag for row in table if re.search(rf"^  {row.flag}\b", whole, re.MULTILINE)} == {
        row.flag for row in table
    }
    assert (f"All {len(table)} options: printkit {name} --help-all" in short) == (len(table) > SHORT)


def test_a_reveal_offers_no_seed() -> None:
    # The seed of its dice was sealed when the cards were dealt (BR-M13).
    assert "--seed" not in {row.flag for row in ROWS["reveal"]}


@pytest.mark.parametrize("line", ["cards terrain --plan", "calibrate"])
@pytest.mark.parametrize("paper", ["one", "36in-roll"])
def test_paper_without_a_length_is_refused_where_cards_lie_on_it(
    line: str, paper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*line.split(), "--sheet", paper, "--lang", "en"]) != 0
    assert f"{paper} has no fixed size, so" in capsys.readouterr().err


def test_an_option_that_is_gone_names_options_that_there_are() -> None:
    flags = {row.flag for table in ROWS.values() for row in table}
    for gone, sentence in GONE.items():
        told = re.findall(r"--[a-z][a-z-]*", sentence.partition("Python")[0])
        assert {*told} <= flags, gone
    mapped = {row.flag for row in ROWS["map"]}
    assert not mapped & GONE.keys()


RESOLVED: Final = {
    "Orders": "what is asked of a rule system, with what scenario file and log say",
    "Battle": "the file of a battle",
    "BattleOrder": "a stage of a battle, with the words and the person who is asked",
    "Task": "what the studio sends to its worker",
}
"""Classes that share plain fields with options and hold something else, and what."""


def test_only_the_table_declares_options() -> None:
    """A class elsewhere with several plain fields of the table would be a second place for them."""
    known = {(row.name, list if row.is_repeatable else row.kind) for each in CLASSES for row in rows(each)}
    found = {}
    for path in sources():
        for node in parsed(path).body if path.parent.name != "options" else ():
            if isinstance(node, ast.ClassDef) and len(same := _plain_fields(node) & known) >= 4:
                found[node.name] = sorted(name for name, _ in same)
    assert {name: same for name, same in found.items() if name not in RESOLVED} == {}
    assert sorted({*RESOLVED} - {*found}) == [], "take these off the list"


def _plain_fields(node: ast.ClassDef) -> set[tuple[str, type]]:
    plain = {"str": str, "int": int, "bool": bool, "tuple[str, ...]": list, "Sequence[str]": list}
    declared = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
    kinds = {ast.unparse(each.target): ast.unparse(each.annotation).removesuffix(" | None") for each in declared}
    return {(name, plain[kind]) for name, kind in kinds.items() if kind in plain}


def test_a_class_with_fields_of_the_table_is_noticed() -> None:
    fields = ("sheet: str", "hide: tuple[str, ...] = ()", "fold: bool = False", "count: int | None")
    (node,) = ast.parse("\n    ".join(("class Renamed:", *fields))).body
    assert isinstance(node, ast.ClassDef)
    known = {(row.name, list if row.is_repeatable else row.kind) for each in CLASSES for row in rows(each)}
    assert len(_plain_fields(node) & known) == 4


def test_a_new_option_on_two_commands_is_one_row_and_its_use(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "printkit", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("templates", "fonts"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    row = '    tint: Annotated[str, Option("NAME", "a tint", "look")] = ""\n'
    use = '    if options.tint:\n        raise UsageError("tinted {tint}", tint=options.tint)\n'
    for name, before, added in (
        ("options/printing.py", "    overlap: Annotated[", row),
        ("recipes/prints/maps.py", "    parse_length(options.overlap)\n", use),
    ):
        path = tmp_path / "printkit" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1
        path.write_text(text.replace(before, f"{added}{before}"), encoding="utf-8")
    for command in ("map", "handouts"):
        for words, told in ((["--tint", "red"], "tinted red"), (["--help-all"], "--tint NAME")):
            line = [sys.executable, "-P", "-m", "printkit", command, *words]
            environment = os.environ | {"PYTHONPATH": str(tmp_path), "LC_ALL": "C"}
            done = subprocess.run(line, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert told in done.stdout + done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("cards", "blank", "--count", "100000", "--plan"),
        ("cards", "blank", "--count", "100000", "--to", "png", "--plan"),
        ("map", "--seed", "1", "--board", "240in", "--sheet", "100x100mm", "--margin", "5mm", "--plan"),
    ],
)
def test_more_than_2000_pages_are_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--lang", "en"]) != 0
    assert "2,000" in capsys.readouterr().err

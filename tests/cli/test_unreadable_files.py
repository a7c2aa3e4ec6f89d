"""Files of people that are no text, or no files at all: each command answers with one line that says so."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from command_lines import Captured
from imports import PACKAGE, parsed, sources

from printkit.cli.app import run

READERS: dict[str, list[str]] = {
    "record": ["check", "{}"],
    "record printed": ["map", "--from", "{}"],
    "record in hexon": ["hexon", "--from", "{}"],
    "scenario": ["map", "--scenario", "{}"],
    "scenario of rules": ["rules", "acw", "--scenario", "{}"],
    "dice": ["map", "--dice", "@{}"],
    "terrain box": ["map", "--box", "{}"],
    "box to show": ["box", "show", "{}"],
    "paper": ["map", "--sheet", "{}"],
    "style": ["map", "--style", "{}"],
    "profile of acw": ["map", "--rules", "acw", "--set", "going={}"],
    "profile of dba3": ["map", "--rules", "dba3", "--set", "profile={}"],
    "army of a setting": ["map", "--rules", "solo-dba", "--set", "npg={}"],
    "army": ["npg", "new", "{}", "viking"],
    "army to make": ["npg", "compose", "{}", "viking"],
    "army of counters": ["npg", "counters", "{}"],
    "battle": ["npg", "show", "{}"],
    "sheets of a battle": ["npg", "sheets", "{}"],
    "map of a battle": ["npg", "new", "gallic", "viking", "--map", "{}"],
    "log of the table aid": ["npg", "show", "battle.toml", "--from-aid", "{}"],
    "stock": ["hexon", "--seed", "1", "--stock", "{}"],
    "game of columns": ["columns", "show", "{}"],
    "army of columns": ["columns", "new", "new.toml", "{}"],
    "sealed game": ["reveal", "{}"],
}
"""The commands by what they read of a person; ``{}`` is the file."""

OF_A_FOLDER: tuple[str, ...] = ("terrain box", "box to show", "paper", "style", "stock", "sheets of a battle")
OF_A_FOLDER += ("profile of acw", "profile of dba3")
"""The readers that take no file by a name without an ending."""

ENDINGS = {"stock": ("toml", "csv"), "record": ("json",), "dice": ("txt",)}
NO_TEXTS = {
    "windows-1252": 'title = "Río"\n'.encode("cp1252"),
    "utf-16": 'title = "Rio"\n'.encode("utf-16"),
    "bytes": bytes(range(128, 256)),
}


@pytest.fixture(autouse=True)
def battle(table: Path, capsys: Captured) -> None:
    """Put a battle into the folder, whose sides are ours."""
    assert run(["npg", "new", "gallic", "viking", "--out", str(table / "battle.toml"), "--lang", "en"]) == 0
    capsys.readouterr()


def answered(reader: str, name: str, capsys: Captured) -> str:
    """Return the one line with which a reader refuses a file."""
    status = run([*(word.replace("{}", name) for word in READERS[reader]), "--lang", "en"])
    said = capsys.readouterr().err
    assert (status in (1, 2), said.count("\n")) == (True, 1), said[:300]
    return said


def refusal(reader: str, name: str, capsys: Captured) -> str:
    """Return the line with which a reader refuses a file by its name."""
    said = answered(reader, name, capsys)
    assert name in said
    return said


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", NO_TEXTS)
def test_what_is_not_utf_8_is_refused_by_name_with_the_remedy(reader: str, kind: str, capsys: Captured) -> None:
    for ending in ENDINGS.get(reader, ("toml",)):
        name = f"mine.{ending}"
        Path(name).write_bytes(NO_TEXTS[kind])
        assert "is not text in UTF-8; save the file as UTF-8" in refusal(reader, name, capsys)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("reader", READERS)
def test_a_pipe_or_a_device_is_refused_and_not_waited_for(reader: str, capsys: Captured) -> None:
    for ending in ENDINGS.get(reader, ("toml",)):
        name = f"mine.{ending}"
        os.mkfifo(name)
        said = refusal(reader, name, capsys)
        assert (
            "it is a pipe or a device, not a file" in said
            or "no file" in said
            or "is not a TOML or CSV file. To write one: printkit schema stock --example" in said
        )
    if reader not in OF_A_FOLDER:
        assert "device" in refusal(reader, "/dev/zero", capsys)


def test_a_mark_at_the_beginning_is_no_part_of_the_text() -> None:
    for name, text in (("scenario.toml", 'title = "River"\n'), ("stock.csv", "piece,own\nsingles,4\n")):
        Path(name).write_text(text, encoding="utf-8-sig")
    command = ["--seed", "1", "--lang", "en", "--plan"]
    assert run(["map", "--scenario", "scenario.toml", *command]) == 0
    assert run(["hexon", "--scenario", "scenario.toml", "--stock", "stock.csv", *command]) == 0


def test_bytes_are_read_as_text_and_names_looked_for_by_one_reader_that_answers_no() -> None:
    """Whoever decodes by themselves has to think of every encoding; ``text_of`` raises what all catch already."""
    nodes = [(path.relative_to(PACKAGE).as_posix(), node) for path in sources() for node in ast.walk(parsed(path))]
    decoding = {place for place, node in nodes if isinstance(node, ast.Name) and node.id == "UnicodeDecodeError"}
    # A body that is sent over the network is no file.
    assert decoding == {"core/reading.py", "studio/app_fields.py"}
    looking = {place for place, node in nodes if getattr(node, "attr", "") in ("is_file", "is_dir", "exists")}
    assert {place for place in looking if not place.startswith(ALLOWED)} == set()


ALLOWED = ("core/paths.py", "core/resources.py", "studio/", "console/terminal.py", "export/placing.py")
"""Where names are printkit's own, and where what is written takes its place."""

NAMES = {"long": "x" * 300, "very long": "x" * 5000, "long folder": f"{'y' * 300}/x", "nul": "a\0b"}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", NAMES)
def test_a_name_that_no_file_can_have_is_answered_in_one_line(reader: str, kind: str, capsys: Captured) -> None:
    for ending in ("", *(f".{each}" for each in ENDINGS.get(reader, ("toml",)))):
        answered(reader, f"{NAMES[kind]}{ending}", capsys)


def test_a_list_with_a_slip_is_answered_as_a_list(capsys: Captured) -> None:
    slip = "Hoplites of the city of Athens and its allies: 1xCv (Gen), " + ", ".join(["3xHoplons"] * 30)
    words = "one general, " + ", ".join(["eleven spears"] * 30)
    for army, said in ((slip, "cannot read '3xHoplons'"), (words, "no army 'one general, eleven spears")):
        assert run(["npg", "compose", army, "viking", "--lang", "en"]) == 1
        assert said in capsys.readouterr().err

"""Files that somebody has bent: one line each, in bounded time and room, and nothing that steers a terminal."""

from __future__ import annotations

import ast
import json
import re
import xml.dom.minidom
from base64 import b64encode
from pathlib import Path
from typing import Any
from zlib import compressobj

import pytest
from imports import PACKAGE, nodes, sources

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Make a record of three roads, and return its text."""
    path = tmp_path_factory.mktemp("roads") / "roads.json"
    assert run(["map", "--seed", "7", "--lang", "en", "--to", "json", "--quiet", "--out", str(path)]) == 0
    return path.read_text(encoding="utf-8")


@pytest.fixture
def record(written: str) -> dict[str, Any]:
    """Return the record of three roads, to be bent."""
    found: dict[str, Any] = json.loads(written)
    return found


def line_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the first feature of a record that is a line."""
    found: dict[str, Any] = next(each for each in record["features"] if each["geometry"]["type"] == "LineString")
    return found


def refused(text: str, capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """Return the one line with which a command refuses a record."""
    Path("bent.json").write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert run([*(command or ("check",)), "bent.json", "--lang", "en"]) == 1
    out, said = capsys.readouterr()
    assert out == ""
    assert said.count("\n") == 1
    return said


@pytest.mark.parametrize(
    ("height", "said"),
    [
        (161588000.5, "a number of millimetres, at most 20,000 from the corner"),
        (1e308, "a number of millimetres, at most 20,000 from the corner"),
        (20_000.5, "a number of millimetres, at most 20,000 from the corner"),
    ],
)
def test_a_point_that_lies_too_far_costs_a_line(height, said, record, capsys):
    line_of(record)["geometry"]["coordinates"][1][1] = height
    assert said in refused(json.dumps(record), capsys)


def test_so_far_may_a_point_lie_and_so_large_may_no_board_be(record, capsys):
    line_of(record)["geometry"]["coordinates"][1][1] = 20_000.0
    Path("far.json").write_text(json.dumps(record), encoding="utf-8")
    assert run(["check", "far.json", "--lang", "en"]) == 1
    assert " breaks 2 of " in capsys.readouterr().out
    record["board"]["width_mm"] = 100_001
    assert "a length in millimetres, greater than 0 and up to 20,000" in refused(json.dumps(record), capsys)


def test_features_and_their_lines_have_bounds(record, capsys):
    one = line_of(record)
    short = {**one, "geometry": {**one["geometry"], "coordinates": one["geometry"]["coordinates"][:2]}}
    many = {**record, "features": [{**short, "id": f"x{number}"} for number in range(2001)]}
    assert "a list of up to 2,000 features" in refused(json.dumps(many), capsys)
    there_and_back = [[0.0, float(place % 2) * 18_000] for place in range(250)]
    one["geometry"]["coordinates"] = there_and_back
    assert "printkit reads up to 3,000,000" in refused(json.dumps(record), capsys)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 200_000, "lists are nested more than 40 deep"),
        ('{"seed": ' + "7" * 5001 + "}", "a whole number has 5,001 digits"),
        ('{"printkit": {"format": ' + "[" * 50 + "]" * 50 + "}}", "lists are nested more than 40 deep"),
        ('{"type": "Feature\\u001b]0;x\\u0007"}', "Feature"),
    ],
)
def test_deep_and_long_texts_cost_a_line(text, said, capsys):
    assert said in refused(text, capsys)


def test_a_closed_game_that_unpacks_to_gigabytes_is_not_unpacked(capsys):
    packing = compressobj(9)
    packed = b"".join(packing.compress(b" " * (1 << 20)) for _ in range(64)) + packing.flush()
    game = {"printkit": {"closed_game": 2}, "rules": "brantley", "game": "x", "commitment": "x"}
    game["closed"] = [b64encode(packed).decode()]
    assert "the sealed part cannot be opened" in refused(json.dumps(game), capsys, "status")


def test_a_title_steers_no_terminal_and_no_drawing(table, capsys):
    title = "title=\x1b]0;owned\x07 Ford \x9b2J"
    assert run(["map", "--seed", "1", "--set", title, "--to", "svg", "--to", "json", "--lang", "en"]) == 0
    said = "".join(capsys.readouterr())
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", said)
    for path in (table / "output").glob("*.svg"):
        xml.dom.minidom.parse(str(path))
    (kept,) = (table / "output").glob("records/*.json")
    assert json.loads(kept.read_text(encoding="utf-8"))["title"] == "]0;owned Ford 2J"


def test_a_title_of_a_record_or_the_name_of_a_file_steers_nothing_either(record, capsys):
    record["title"] = "a\x1b[2Jb\nc\ud800"
    record["settings"]["title"] = record["title"]
    Path("bent.json").write_text(json.dumps(record), encoding="utf-8")
    assert run(["map", "--from", "bent.json", "--to", "svg", "--scale", "fit", "--out", "drawn", "--lang", "en"]) == 0
    assert "\x1b" not in "".join(capsys.readouterr())
    for path in Path("drawn").glob("*.svg"):
        xml.dom.minidom.parse(str(path))
    assert run(["check", "no\x1b[2Jthing.json", "--lang", "en"]) == 1
    assert "no\\x1b[2Jthing.json" in capsys.readouterr().err


def test_all_that_is_said_goes_by_one_door():
    doors = {"console/terminal.py"}
    # Only what has the word at all is read through.
    having = [path for path in sources() if re.search(r"\bprint\b", path.read_text(encoding="utf-8"))]
    printing = {
        path.relative_to(PACKAGE).as_posix()
        for path in having
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    }
    assert printing == doors

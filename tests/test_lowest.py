"""The lower bounds of what printkit needs, and the tool that tries printkit with them."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest
from imports import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import lowest
import smoke

PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
PINNED = (ROOT / "constraints.txt").read_text(encoding="utf-8")
DIRECT = [re.split(r"[<>=]", text)[0] for text in tomllib.loads(PROJECT)["project"]["dependencies"]]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def project(*needed: str) -> str:
    return f"[project]\ndependencies = {list(needed)!r}\n"


def test_all_that_is_needed_has_a_lower_bound_once_and_is_pinned_above_it() -> None:
    assert list(lowest.bounds(PROJECT)) == DIRECT
    lines = lowest.constraints(PROJECT, PINNED)
    names = [line.split("==")[0] for line in lines]
    assert names[: len(DIRECT)] == DIRECT
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    pins = dict(line.split("==") for line in PINNED.splitlines() if "==" in line)
    below = {name: low for name, low in lowest.bounds(PROJECT).items() if numbers(pins[name]) < numbers(low)}
    assert below == {}


def test_a_bound_stands_whatever_else_is_said_and_what_has_none_is_refused() -> None:
    text = project("one>=1.2,<3", "two <4, >= 2.0.1", 'three>=3; sys_platform == "win32"')
    assert lowest.bounds(text) == {"one": "1.2", "two": "2.0.1", "three": "3"}
    lines = lowest.constraints(text, "# set\nother==9.1\ntwo==3.5\n")
    assert lines == ["one==1.2", "two==2.0.1", "three==3", "other==9.1"]
    for needed in ("one", "one<3", "one==1.2", "one>1"):
        with pytest.raises(ValueError, match="does not say which version is the lowest"):
            lowest.bounds(project("two>=1", needed))


def test_systems_are_read_from_their_list_and_every_command_is_a_line_of_its_own() -> None:
    assert smoke.systems("acw           By State\n              Eight tables\ndba3          By home\n") == [
        "acw",
        "dba3",
    ]
    lines = [each.line for each in smoke.tries(["acw", "dba3"])]
    assert lines[:2] == [smoke._MAP.format(system="acw"), "check maps/acw/records/*.json"]
    assert len(lines) == len(set(lines)) == 4 + len(smoke.REST)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Return a PDF as a command would leave it, or so it seems."""
    path = tmp_path / "output" / "field.pdf"
    path.parent.mkdir()
    path.write_bytes(b"%PDF-1.4\n...\n%%EOF\n")
    return path


def test_a_command_that_works_has_no_faults_and_a_file_that_lacks_is_one(made: Path) -> None:
    wanted = smoke.Try(line="map", writes=(".pdf",))
    assert smoke.faults(wanted, 0, "A field: 1 sheet\n  output/field.pdf\n", [made]) == []
    assert smoke.faults(smoke.Try(line="check", status=2, says="RECORD"), 2, "no RECORD is given", []) == []
    made.write_bytes(b"%PDF-1.4\n...")
    wanted = smoke.Try(line="map", writes=(".pdf", ".json"), says="sheet")
    assert smoke.faults(wanted, 0, "output/field.pdf", [made]) == [
        "did not say 'sheet'",
        "wrote no .json",
        "field.pdf is not whole",
    ]


@pytest.mark.parametrize(
    ("status", "said", "fault"),
    [
        (1, "output/field.pdf", "ended with status 1, not 0"),
        (-6, "output/field.pdf", "was ended by SIGABRT"),
        (0, "output/field.pdf Traceback (most recent call last)", "printed a Traceback"),
        (0, "output/field.pdf UserWarning: old", "printed a Warning:"),
        (0, " ", "said nothing"),
        (0, "output/field.pdf other/field.pdf", "did not write other/field.pdf"),
    ],
)
def test_what_is_wrong_is_named(status: int, said: str, fault: str, made: Path) -> None:
    assert smoke.faults(smoke.Try(line="map", writes=(".pdf",)), status, said, [made]) == [fault]


@pytest.mark.parametrize(
    ("name", "held", "good"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n...IEND\xaeB`\x82", True),
        ("a.png", b"\x89PNG\r\n\x1a\n...", False),
        ("a.svg", b"<svg></svg>\n", True),
        ("a.svg", b"<svg>", False),
        ("a.json", b'{"a": 1}', True),
        ("a.json", b"{}", False),
        ("a.json", b'{"a": ', False),
        ("a.csv", b"a,b\n", True),
        ("a.csv", b"\n", False),
    ],
)
def test_a_whole_file_ends_as_its_kind_does(name: str, held: bytes, good: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(held)
    assert smoke.whole(tmp_path / name) is good

"""The same command gives the same bytes, whatever process, folder, locale or hash seed it runs in."""

from __future__ import annotations

import builtins
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from functools import reduce
from importlib.metadata import version
from operator import add
from pathlib import Path
from typing import Any

import pytest
from imports import ROOT

from printkit.cli.app import run
from printkit.core.resources import names

OTHER_STYLES = [name for name in names("templates/styles", ".toml") if name != "campaign"]
HERE = {"PYTHONHASHSEED": "1", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC"}
THERE = {
    "PYTHONHASHSEED": "4242",
    "LC_ALL": "es_ES.UTF-8",
    "LANG": "tr_TR.UTF-8",
    "TZ": "Pacific/Auckland",
    "SOURCE_DATE_EPOCH": "86400",
}
LIBRARIES = ("msgspec", "numpy", "reportlab", "rich", "shapely", "typer")

SAME = ("PATH", "PYTHONPATH", "PYTHONPYCACHEPREFIX", "SYSTEMROOT")


def printed(folder: Path, environment: dict[str, str], *arguments: str) -> dict[str, bytes]:
    """Return every file that a command writes, run in a process and folder of its own."""
    folder.mkdir(parents=True)
    kept = {name: os.environ[name] for name in SAME if name in os.environ}
    command = [sys.executable, "-m", "printkit", "map", "--lang", "en", "--quiet", *arguments]
    subprocess.run(command, check=True, cwd=folder, env={**kept, **environment}, timeout=120)
    return content(folder / "output")


def printed_here(folder: Path, *arguments: str) -> dict[str, bytes]:
    """Return every file that a command writes in the process that runs the tests."""
    folder.mkdir(parents=True)
    assert run(["map", "--lang", "en", "--quiet", "--out", str(folder), *arguments]) == 0
    return content(folder)


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder and its folders by name, the records first."""
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.*"), key=lambda path: path.suffix)}


def test_every_format_has_the_same_bytes_everywhere(tmp_path: Path) -> None:
    paper = ["--scale", "1:4", "--sheet", "one"]
    arguments = ["--seed", "6", "--board", "12in", *paper, "--to", "pdf", "--to", "svg", "--to", "png", "--to", "json"]
    here = printed(tmp_path / "here", HERE, *arguments)
    there = printed(tmp_path / "far" / "away", THERE, *arguments)
    assert [Path(name).suffix for name in here] == [".json", ".pdf", ".png", ".svg"]
    assert here.keys() == there.keys()
    for name, data in here.items():
        assert data == there[name], f"{name} differs between two runs"
        assert len(data) > 4_000


def _exact(values: Iterable[Any], start: Any = 0) -> Any:
    """Return a sum as a Python might make it that makes good all that rounding loses."""
    listed = list(values)
    if listed and all(isinstance(value, float) for value in listed):
        return math.fsum([start, *listed])
    return reduce(add, listed, start)


@pytest.mark.parametrize(
    "arguments",
    [
        ["map", "--seed", "11", "--rules", "portable-1", "--scale", "fit", "--to", "svg", "--to", "pdf"],
        ["map", "--seed", "3", "--rules", "acw", "--board", "48x24in", "--scale", "fit"],
        ["cards", "npg"],
    ],
)
def test_how_a_python_adds_fractions_changes_no_byte(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for folder in (tmp_path / "plain", tmp_path / "exact"):
        assert run([*arguments, "--lang", "en", "--quiet", "--out", str(folder)]) == 0
        made.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
        monkeypatch.setattr(builtins, "sum", _exact)
    assert made[0] == made[1]


@pytest.mark.parametrize("style", OTHER_STYLES)
def test_every_other_style_has_the_same_bytes_everywhere(style: str, tmp_path: Path, game_record: Path) -> None:
    arguments = ["--from", str(game_record), "--scale", "1:8", "--style", style]
    here = printed_here(tmp_path / "here", *arguments)
    assert len(here) == 2
    assert here == printed(tmp_path / "there", THERE, *arguments)


def test_tiles_have_the_same_bytes_everywhere_and_another_seed_is_another_field(
    tmp_path: Path, game_pdf: Path, game_record: Path
) -> None:
    """Also the same as in the process that runs the tests, which has printed other things before."""
    there = printed(tmp_path / "there", THERE, "--seed", "6")
    assert there == {path.name: path.read_bytes() for path in (game_pdf, game_record)}
    other = printed_here(tmp_path / "other", "--seed", "5", "--scale", "1:8", "--style", "ink-saver")
    assert other["field-under-raven-down-seed5.json"] != game_record.read_bytes()


def other_pythons() -> list[str]:
    """Return the other supported Pythons of this machine that have the libraries of printkit in these versions."""
    told = f"from importlib.metadata import version; print(*map(version, {LIBRARIES}))"
    names = [f"python3.{minor}" for minor in range(11, 15) if minor != sys.version_info.minor]
    here = " ".join(map(version, LIBRARIES))
    return [
        path
        for path in map(shutil.which, names)
        if path is not None
        and subprocess.run([path, "-c", told], capture_output=True, text=True, check=False).stdout.strip() == here
    ]


def test_another_python_writes_what_is_frozen() -> None:
    if not (pythons := other_pythons()):
        pytest.skip("no other supported Python with the same libraries is there")
    for python in pythons:
        command = [python, "tools/freeze.py", "--check", "--processes", "1", "--only", "style/*"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, f"{python}: {done.stdout}{done.stderr}"

"""Packages of others that bring a rule system: put where Python finds them, and printkit run beside them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from imports import ROOT

TOY: Final = ROOT / "tests" / "plugins" / "toy"
"""The project of the toy rules, as somebody would have it who writes rules of his own."""


def installed(project: Path, site: Path) -> Path:
    """Put the wheel of a project into a folder, as ``pip install --target`` does, and return the folder.

    The wheel is made by the backend that is installed; nothing is fetched.
    """
    script = f"import os; os.chdir({str(project)!r}); import hatchling.build as b; print(b.build_wheel({str(site)!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    wheel = site / done.stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    wheel.unlink()
    return site


def pretended(site: Path, package: str, *entries: str, **modules: str) -> None:
    """Put a package of a few lines into a folder: its entry points, and modules by name with their text."""
    about = site / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("\n".join(["[printkit.systems]", *entries, ""]), encoding="utf-8")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")


def python(site: Path, *arguments: str, folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python with the packages of a folder beside our own sources, in a folder to write to."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    own = {**plain, "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join((str(ROOT), str(site)))}
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=given, check=False, cwd=folder, env=own)


def printkit(site: Path, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of printkit, as ``python`` does."""
    return python(site, "-m", "printkit", *arguments, folder=folder)


class Said(NamedTuple):
    """What became of one command of several: its exit status, and what it said on either way."""

    returncode: int
    stdout: str
    stderr: str


_RUNS: Final = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from printkit.cli.app import run

said = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(words)
    said.append((status, out.getvalue(), err.getvalue()))
json.dump(said, sys.stdout)
"""


def printkit_runs(site: Path, commands: Iterable[Sequence[str]], folder: Path) -> list[Said]:
    """Run several commands of printkit one after the other, as ``python`` does, in one process for all."""
    done = python(site, "-c", _RUNS, folder=folder, given=json.dumps([[*words] for words in commands]))
    assert done.returncode == 0, done.stderr
    return [Said(*each) for each in json.loads(done.stdout)]

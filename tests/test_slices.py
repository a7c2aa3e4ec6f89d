"""A rule system is its folder and its line in the registry: without these, nothing else of printkit misses it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from imports import PACKAGE, ROOT, module_of, sources

from printkit.kit.registry import BUILT_IN

SLICES: Final = {
    "acw": ("acw",),
    "brantley": ("brantley",),
    "portable": ("portable",),
    "collision": ("collision",),
    "solo": ("solo",),
    "dba3": ("dba3", "collision"),
    "dba": ("dba", "dba3", "collision", "solo"),
}
"""What goes with each folder of ``systems``: it, and those that stand on it."""

REGISTRY: Final = "kit/registry.py"

PROBE: Final = """
import io, json, os, sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import _bootstrap_external as loading, import_module

# A file that is linked is the same file: its bytecode lies where that of the file itself does.
cache_of = loading.cache_from_source
loading.cache_from_source = lambda path, *more, **how: cache_of(os.path.realpath(path), *more, **how)

modules, commands = json.load(sys.stdin)
found = {"commands": {}, "missing": {}, "said": {}}
for line in commands:
    told = io.StringIO()
    try:
        with redirect_stdout(told), redirect_stderr(told):
            from printkit.cli.app import run
            found["commands"][line] = run(line.split())
    except ImportError as error:
        found["commands"][line] = str(error)
    found["said"][line] = told.getvalue()
for module in modules:
    try:
        import_module(module)
    except ImportError as error:
        found["missing"][module] = str(error)
from printkit.kit import registry
found["systems"] = [registry.find(name).name for name in registry.names()]
json.dump(found, sys.stdout)
"""


def folder_of(text: str) -> str:
    """Return the folder of ``systems`` in which what a text of the registry names stands."""
    return text.removeprefix("printkit.systems.").split(".")[0]


def systems_without(gone: tuple[str, ...]) -> list[str]:
    """Return the names of the systems that are left, in their order."""
    return [name for name, text in BUILT_IN.items() if folder_of(text) not in gone]


def commands_without(gone: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is typed where some folders are gone."""
    other = "portable-1" if "brantley" in gone else "brantley"
    board = "--board 12in " if other == "brantley" else ""
    deck = "reference" if other == "portable-1" else "terrain"
    return (
        "--help",
        "rules",
        f"map --rules {other} --seed 1 {board}--scale 1:4 --sheet one --furniture mat --to svg --quiet",
        f"cards {deck} --rules {other} --plan",
    )


def cut(gone: tuple[str, ...], to: Path) -> None:
    """Put the package into a folder without some folders of ``systems`` and their lines in the registry.

    Nothing is copied but the registry: the rest is linked, with the bytecode that is there.
    """
    for name in ("fonts", "templates"):
        (to / name).symlink_to(ROOT / name)
    package = to / PACKAGE.name
    for folder in (package, package / "kit", package / "systems"):
        folder.mkdir()
        for each in (PACKAGE / folder.relative_to(package)).iterdir():
            if each.name not in ("kit", "systems", "__pycache__", "registry.py", *gone):
                (folder / each.name).symlink_to(each)
    lines = (PACKAGE / REGISTRY).read_text(encoding="utf-8").splitlines(keepends=True)
    own = re.compile(rf'    "[\w-]+": "printkit\.systems\.({"|".join(gone)})\.[\w.]+:\w+",\n')
    left = [line for line in lines if not own.fullmatch(line)]
    assert len(lines) - len(left) == len(BUILT_IN) - len(systems_without(gone))
    (package / REGISTRY).write_text("".join(left), encoding="utf-8")


@cache
def without(slice_: str) -> dict[str, Any]:
    """Return what became of modules, systems and commands without a slice, in a process of their own."""
    gone = SLICES[slice_]
    modules = ["printkit", *(f"printkit.{module_of(path)}" for path in sources() if module_of(path))]
    outside = [name for name in modules if not name.startswith("printkit.systems.") and name != "printkit.__main__"]
    return probed(gone, outside, commands_without(gone))


def probed(gone: tuple[str, ...], modules: list[str], commands: tuple[str, ...]) -> dict[str, Any]:
    """Return what a process finds where some folders are gone."""
    with TemporaryDirectory() as folder:
        cut(gone, Path(folder))
        plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
        own = {"LC_ALL": "C.UTF-8", "PYTHONPATH": folder}
        if "PYTHONPYCACHEPREFIX" not in os.environ:
            own["PYTHONDONTWRITEBYTECODE"] = "1"
        command, asked = [sys.executable, "-c", PROBE], json.dumps([modules, commands])
        done = subprocess.run(
            command, input=asked, capture_output=True, text=True, check=False, cwd=folder, env=plain | own
        )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_folder_is_a_slice_and_nothing_outside_names_a_system() -> None:
    folders = {path.name for path in (PACKAGE / "systems").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(SLICES)
    assert {folder_of(text) for text in BUILT_IN.values()} <= folders
    outside = [path for path in sources() if not module_of(path).startswith("systems")]
    named = {module_of(path) for path in outside if "printkit.systems." in path.read_text(encoding="utf-8")}
    # Options of play name what the commands of a system offer; it is loaded for those commands alone.
    assert named == {"kit.registry", "options.play"}


@pytest.mark.parametrize("slice_", SLICES)
def test_without_a_slice_all_others_are_there_and_known_to_commands(slice_: str) -> None:
    assert without(slice_)["systems"] == systems_without(SLICES[slice_])
    assert without(slice_)["missing"] == {}
    found = without(slice_)
    assert found["commands"] == dict.fromkeys(commands_without(SLICES[slice_]), 0), found["said"]
    listed = [line.split()[0] for line in found["said"]["rules"].splitlines() if not line.startswith(" ")]
    assert listed == systems_without(SLICES[slice_])


@pytest.mark.soak
@pytest.mark.parametrize("slice_", SLICES)
def test_every_system_that_is_left_makes_a_map(slice_: str) -> None:
    gone = SLICES[slice_]
    commands = tuple(f"map --rules {name} --seed 2 --scale fit --to svg --quiet" for name in systems_without(gone))
    found = probed(gone, [], commands)
    assert found["commands"] == dict.fromkeys(commands, 0), found["said"]

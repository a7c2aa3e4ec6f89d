"""No file of the current folder is run as code, by a command or by a process that it starts."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from expressions import sources
from imports import ROOT

from printkit.cli.app import run
from printkit.studio.own_command import own_command

# Modules that start processes, each in the way that its test below looks at.
STARTERS: Final = {
    "printkit.recipes.batch.pool": {"joblib"},
    "printkit.studio.jobs": {"subprocess"},
    "printkit.studio.own_command": {"subprocess"},
    # It opens the browser of the system, in the environment that main prepares.
    "printkit.studio.serving": {"webbrowser"},
}
STARTING: Final = {
    "subprocess",
    "multiprocessing",
    "joblib",
    "loky",
    "webbrowser",
    "pty",
    "_posixsubprocess",
}
OS_CALLS: Final = re.compile(r"exec\w+|spawn\w+|posix_spawn\w*|fork(pty)?|system|popen|startfile")

# Distributions whose module has another name.
MODULES: Final = {"pillow": "PIL", "page_validation": "page_validation"}
STANDARD: Final = (
    "__future__",
    "gc",
    "re",
    "typing",
    "enum",
    "signal",
    "json",
    "tomllib",
    "pathlib",
    "random",
    "types",
)
OTHERS: Final = (
    "click",
    "multiprocessing",
    "subprocess",
    "pickle",
    "cloudpickle",
    "site",
    "runpy",
    "threading",
    "queue",
)


def _names() -> list[str]:
    """Return the modules of every dependency, with some of Python's own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["studio"]]
    wanted += (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [re.split(r"[<>=!~\[; ]", line)[0].lower().replace("-", "_") for line in wanted if line[:1].isalpha()]
    return sorted({*(MODULES.get(name, name) for name in found), *STANDARD, *OTHERS})


@pytest.fixture(name="folder")
def folder_with_modules(tmp_path: Path) -> Path:
    """Return a folder with a file for each module, which leaves a mark if it is run."""
    for name in _names():
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run-')!r} + {name!r}, 'w').close()\n")
    return tmp_path


def _run(folder: Path, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    plain = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return subprocess.run(
        command, cwd=folder, input=given, env=plain, capture_output=True, text=True, check=False, timeout=120
    )


def _marks(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("run-*"))


BATCH: Final = ("map", "--count", "2", "--jobs", "2", "--seed", "1", "--to", "json", "--lang", "en")


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
def test_workers_run_nothing_of_the_folder(folder: Path, backend: str) -> None:
    script = Path(sys.executable).with_name("printkit")
    done = _run(folder, str(script), *BATCH, "--backend", backend, "--out", "made")
    assert done.returncode == 0, done.stderr
    assert len(list((folder / "made").glob("*.json"))) == 2
    assert _marks(folder) == []


@pytest.mark.parametrize("words", [BATCH, ("rules", "acw"), ("map", "--seed", "1"), ("studio", "--help")])
def test_the_module_runs_nothing_of_the_folder(folder: Path, words: tuple[str, ...]) -> None:
    # Python itself imports this one to find the module of -m, before anything of printkit is run.
    (folder / "types.py").unlink()
    done = _run(folder, sys.executable, "-m", "printkit", *words)
    assert done.returncode == 0, done.stderr
    assert _marks(folder) == []


def test_workers_of_a_program_run_nothing_of_the_folder(folder: Path) -> None:
    script = "import sys; sys.path.remove(''); from printkit.cli.app import run; sys.exit(run(sys.argv[1:]))"
    done = _run(folder, sys.executable, "-c", script, *BATCH)
    assert done.returncode == 0, done.stderr
    assert _marks(folder) == []


def test_a_batch_leaves_the_environment_of_its_caller_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert run([*BATCH, "--jobs", "1", "--out", str(tmp_path), "--quiet"]) == 0
    assert "PYTHONSAFEPATH" not in os.environ


def test_commands_of_the_studio_run_nothing_of_the_folder(folder: Path) -> None:
    done = _run(folder, *own_command("rules", "acw"))
    assert done.returncode == 0, done.stderr
    assert _marks(folder) == []


def test_a_folder_with_modules_would_run_them(folder: Path) -> None:
    _run(folder, sys.executable, "-c", "import typer")
    assert "run-typer" in _marks(folder)


def test_every_module_that_starts_a_process_is_known() -> None:
    found = {}
    for source in sources():
        imported = {name for name in _imported(source.tree) if name in STARTING}
        started = {
            node.attr
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("os", "asyncio")
            and (OS_CALLS.fullmatch(node.attr) or node.attr.startswith("create_subprocess"))
        }
        started |= {
            node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name) and "ProcessPool" in node.id
        }
        if imported | started:
            found[source.name] = imported | started
    assert found == STARTERS


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_every_command_of_the_studio_is_made_by_one_function() -> None:
    for source in sources():
        if "subprocess" not in STARTERS.get(source.name, ()):
            continue
        made = {
            node.targets[0].id
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
            and node.value.func.id == "own_command"
        }
        for node in ast.walk(source.tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "subprocess"
            ):
                command = node.args[0]
                called = isinstance(command, ast.Call) and ast.unparse(command.func) == "own_command"
                assert called or (isinstance(command, ast.Name) and command.id in made), source.name

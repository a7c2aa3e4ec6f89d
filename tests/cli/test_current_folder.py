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
from printkit.studio.command_process import own_command

# Modules that start processes, each in the way that its test below looks at.
STARTERS: Final = {
    "printkit.recipes.batch.pool": {"multiprocessing", "ProcessPoolExecutor"},
    "printkit.studio.command_process": {"startfile", "subprocess"},
    "printkit.studio.worker_process": {"multiprocessing"},
    # It opens the browser of the system, in the environment that main prepares.
    "printkit.studio.server": {"webbrowser"},
}
STARTING: Final = {"subprocess", "multiprocessing", "webbrowser", "pty", "_posixsubprocess"}
OS_CALLS: Final = re.compile(
    r"(os|asyncio)\.(exec\w+|spawn\w+|posix_spawn\w*|fork(pty)?|system|popen|startfile|create_subprocess\w*)"
)

# Distributions whose module has another name.
MODULES: Final = {"pillow": "PIL", "page_validation": "page_validation"}
OWN: Final = ("__future__", "gc", "re", "typing", "enum", "signal", "json", "tomllib", "pathlib", "random", "types")
MORE: Final = ("click", "multiprocessing", "subprocess", "pickle", "cloudpickle", "site", "runpy", "threading", "queue")


def _names() -> list[str]:
    """Return the modules of every dependency, with some of Python's own."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["studio"]]
    wanted += (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [re.split(r"[<>=!~\[; ]", line)[0].lower().replace("-", "_") for line in wanted if line[:1].isalpha()]
    return sorted({*(MODULES.get(name, name) for name in found), *OWN, *MORE})


@pytest.fixture(name="folder")
def folder_with_modules(tmp_path: Path) -> Path:
    """Return a folder with a file for each module, which leaves a mark if it is run."""
    for name in _names():
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run-')!r} + {name!r}, 'w').close()\n")
    return tmp_path


def _run(folder: Path, *command: str) -> set[str]:
    """Run a command in a folder, which has to do well, and return the modules of the folder that it has run."""
    plain = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    subprocess.run(
        command, cwd=folder, env=plain, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120
    )
    return {path.name for path in folder.glob("run-*")}


BATCH: Final = ("map", "--count", "2", "--seed", "1", "--to", "json", "--lang", "en")


def test_a_batch_leaves_the_environment_of_its_caller_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    before = dict(os.environ)
    assert run([*BATCH, "--out", str(tmp_path), "--quiet"]) == 0
    assert dict(os.environ) == before


def test_workers_run_nothing_of_the_folder(folder: Path) -> None:
    script = Path(sys.executable).with_name("printkit")
    assert _run(folder, str(script), *BATCH, "--out", "made") == set()
    assert len(list((folder / "made" / "records").glob("*.json"))) == 2


@pytest.mark.parametrize("words", [BATCH, ("rules", "acw"), ("map", "--seed", "1"), ("studio", "--help")])
def test_the_module_runs_nothing_of_the_folder(folder: Path, words: tuple[str, ...]) -> None:
    # Python itself imports this one to find the module of -m, before anything of printkit is run.
    (folder / "types.py").unlink()
    assert _run(folder, sys.executable, "-m", "printkit", *words) == set()


def test_workers_of_a_program_and_commands_of_the_studio_run_nothing_of_the_folder(folder: Path) -> None:
    script = "import sys; sys.path.remove(''); from printkit.cli.app import run; sys.exit(run(sys.argv[1:]))"
    assert _run(folder, sys.executable, "-c", script, *BATCH) == set()
    assert _run(folder, *own_command("rules", "acw")) == set()
    # The modules would be run where nothing kept them out.
    assert "run-typer" in _run(folder, sys.executable, "-c", "import typer")


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def _called(node: ast.AST) -> str:
    """Return what a call calls, and nothing of anything else."""
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""


def test_every_module_that_starts_a_process_is_known() -> None:
    found = {}
    for source in sources():
        started = {name for name in _imported(source.tree) if name in STARTING}
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Name) and "ProcessPool" in node.id:
                started.add(node.id)
            if isinstance(node, ast.Attribute) and OS_CALLS.fullmatch(ast.unparse(node)):
                started.add(node.attr)
        if started:
            found[source.name] = started
    assert found == STARTERS


def test_every_command_of_the_studio_is_made_by_one_function() -> None:
    for source in (each for each in sources() if "subprocess" in STARTERS.get(each.name, ())):
        nodes = list(ast.walk(source.tree))
        made = {
            ast.unparse(node.targets[0])
            for node in nodes
            if isinstance(node, ast.Assign) and _called(node.value) == "own_command"
        }
        for node in nodes:
            if isinstance(node, ast.Call) and re.fullmatch(r"subprocess\.\w+", _called(node)):
                command = node.args[0]
                # The file manager gets the folder of the studio.
                is_known = ast.unparse(command) in {*made, "[opener, str(folder)]"}
                assert _called(command) == "own_command" or is_known, source.name

"""Messages print commands as this user has to type them; each runs in the same folder."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from printkit.console import own_name

PROGRAM = Path(sys.executable).with_name("printkit")
STARTS = ("path", "module", "folder", "elsewhere")


def start(way: str, folder: Path) -> tuple[str, str]:
    """Return a command by which printkit starts, and the PATH of its shell."""
    usual = os.environ["PATH"]
    without = os.pathsep.join(each for each in usual.split(os.pathsep) if not Path(each, "printkit").exists())
    if way == "path":
        return "printkit", os.pathsep.join((str(PROGRAM.parent), usual))
    if way == "module":
        return f"{shlex.quote(sys.executable)} -m printkit", without
    if way == "folder":
        (folder / "my tools").mkdir()
        (folder / "my tools" / "printkit").symlink_to(PROGRAM)
        return "'my tools/printkit'", without
    return shlex.quote(str(PROGRAM)), without


@pytest.mark.skipif(os.name == "nt", reason="the shell is not that of POSIX")
@pytest.mark.parametrize("way", STARTS)
def test_the_printed_command_runs_as_printed(way: str, tmp_path: Path) -> None:
    command, path = start(way, tmp_path)
    environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}

    def shell(line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)

    wrong = shell(f"{command} rules --show all")
    assert wrong.returncode == 2
    hint = wrong.stderr.split("clauses: ")[1].strip()
    assert hint == f"{command} rules brantley --show tables"
    assert shell(hint).returncode == 0
    assert f"  {command} map --seed 7\n" in shell(f"{command} map --help").stdout


def test_only_commands_are_renamed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    token = own_name._START.set((str(tmp_path / "printkit"), lambda: ("map", "npg armies")))
    try:
        renamed = own_name.use_own_name(
            "printkit map: printkit cannot read my-printkit map; printkit --help; printkit npg"
        )
        assert renamed == "./printkit map: printkit cannot read my-printkit map; ./printkit --help; ./printkit npg"
    finally:
        own_name._START.reset(token)
    assert own_name.use_own_name("printkit map") == "printkit map"
    assert own_name.find_own_name("printkit") == "printkit"


def test_a_program_for_windows_is_found_without_its_suffix(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "printkit.exe"
    program.touch(mode=0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(program))
    assert own_name.find_own_name(str(tmp_path / "printkit")) == "printkit"

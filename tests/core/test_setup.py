"""``tools/setup.py``: progress of the set-up, causes of a failure, and when it is skipped."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import setup  # noqa: E402 - a tool, not a module of the package


def printing(*lines: str, status: int = 0) -> list[str]:
    """Return a command that prints lines as pip does, and its exit status."""
    return [sys.executable, "-c", f"import sys; print({os.linesep.join(lines)!r}); sys.exit({status})"]


def test_each_package_is_printed_once_and_numbered(capsys: pytest.CaptureFixture[str]) -> None:
    lines = (
        "Obtaining file:///somewhere",
        "Collecting filelock>=4.2 (from wargame-printkit==0.3.0)",
        "Processing /a/wheels/charset_normalizer-3.5.2-cp311-cp311-manylinux2014_x86_64.whl (from reportlab)",
        "Collecting filelock>=4.2 (from wargame-printkit==0.3.0)",
        "Installing collected packages: filelock, charset-normalizer",
    )
    assert setup.run_with_progress(printing(*lines), "starting pip") == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == ["  1: filelock", "  2: charset-normalizer", "  installing 2 packages"]


def test_a_silent_process_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "SILENCE", 0.001)
    may_print = Event()

    def output() -> Iterator[str]:
        may_print.wait()
        yield "Collecting numpy\n"

    lines = setup.lines_of(SimpleNamespace(stdout=output()))
    assert next(lines) is None
    may_print.set()
    assert [line for line in lines if line is not None] == ["Collecting numpy\n"]


def test_silence_is_broken(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "lines_of", lambda _process: iter([None, "Collecting numpy\n", None]))
    assert setup.run_with_progress([sys.executable, "-c", ""], "starting pip") == 0
    assert capsys.readouterr().err.splitlines() == ["  still starting pip", "  1: numpy", "  still downloading numpy"]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("No module named ensurepip", "sudo apt install python3-venv"),
        ("Temporary failure in name resolution", "no network"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("error: command '/usr/bin/gcc' failed with exit code 1", "no wheel for this Python"),
        ("something new", "see above"),
    ],
)
def test_a_failure_shows_the_last_lines_and_the_cause(
    line: str, cause: str, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = [f"line {number}" for number in range(40)]
    assert setup.run_with_progress(printing(*earlier, line, status=3), "starting pip") == 3
    *shown, said = capsys.readouterr().err.splitlines()
    assert shown == [*earlier, line][-setup.SHOWN_LINES :]
    assert said.startswith("The set-up failed: ")
    assert cause in said


def test_set_up_again_only_after_a_change_of_the_requirements(tmp_path: Path) -> None:
    python = setup.python_of(tmp_path)
    python.parent.mkdir()
    python.touch()
    assert not setup.is_ready(tmp_path, "test")
    mark = setup.mark_of(tmp_path, "test")
    mark.touch()
    assert setup.is_ready(tmp_path, "test")
    assert not setup.is_ready(tmp_path, "")
    changed = (ROOT / "pyproject.toml").stat().st_mtime
    os.utime(mark, (changed - 1, changed - 1))
    assert not setup.is_ready(tmp_path, "test")


def test_every_extra_of_the_makefile_exists() -> None:
    import re
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = re.findall(r"\.installed-([\w,-]+)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert named
    assert {name for names in named for name in names.split(",")} <= set(extras)


def test_an_unknown_job_is_one_line_and_help_needs_no_environment() -> None:
    command = [sys.executable, str(ROOT / "tools" / "setup.py")]
    unknown = subprocess.run([*command, "mpa"], capture_output=True, text=True, check=False)
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    assert "map, studio, test" in unknown.stderr
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    assert alone.returncode == 0
    assert "make studio" in alone.stdout

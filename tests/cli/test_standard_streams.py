"""Standard streams that are missing or full, and Ctrl-C at any time: one line, no traceback, nothing half-written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from printkit.__main__ import INTERRUPTED

pytestmark = pytest.mark.skipif(os.name == "nt", reason="these streams and signals are those of POSIX systems")

FULL: Final = Path("/dev/full")
RECORD: Final = ("map", "--seed", "3", "--to", "json", "--out", "-")


def _shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = f"{sys.executable} -m printkit"
    return subprocess.run(
        ["sh", "-c", line.replace("PK", program)],
        cwd=folder,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["rules acw", "map --seed 3 --to json"])
def test_a_missing_stream_hides_what_it_would_show(words: str, closed: str, tmp_path: Path) -> None:
    done = _shell(f"PK {words} {closed}", tmp_path)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    if "map" in words:
        written = next(tmp_path.glob("output/records/*.json")).read_text(encoding="utf-8")
        assert written.startswith("{")
        assert written.rstrip().endswith("}")


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["rules acw", " ".join(RECORD), "--help", "map --help", "--version", "map --plan"])
def test_a_full_standard_output_is_one_line(words: str, tmp_path: Path) -> None:
    done = _shell(f"PK {words} > {FULL}", tmp_path)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last == "printkit: cannot write standard output: No space left on device"
    assert "Traceback" not in done.stderr
    assert "bug in printkit" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_a_full_standard_error_changes_no_status(tmp_path: Path) -> None:
    assert _shell(f"PK rules acw 2> {FULL}", tmp_path).returncode == 0
    assert _shell(f"PK rules no-such 2> {FULL}", tmp_path).returncode == 2


@pytest.mark.parametrize("how", ["raise", "swallow"])
@pytest.mark.parametrize(
    "module",
    [
        *(f"printkit.{name}" for name in ("cli.app", "cli.map", "console.terminal", "console.help", "core.errors")),
        *("typer", "numpy", "shapely", "printkit.systems.brantley.system", "reportlab"),
    ],
)
def test_ctrl_c_during_an_import_is_one_line(module: str, how: str, tmp_path: Path) -> None:
    script = f"""
import signal, sys

class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(Interrupting)
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                if {how!r} == "swallow":
                    raise ImportError("a library that makes every error its own") from None
                raise

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting)
from printkit.__main__ import main
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "map", "--seed", "1", "--lang", "en"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stderr == "printkit: stopped; no incomplete files were left\n"
    assert done.returncode == 130
    assert list(tmp_path.rglob("*.pdf")) == []


def test_a_stopped_run_leaves_what_was_there(table: Path) -> None:
    there = table / "output" / "field-under-hare-hill-seed6-a4.pdf"
    there.parent.mkdir()
    there.write_bytes(b"a map that somebody likes")
    # A shell in the background hands down that the signal is ignored; a person's terminal does not.
    script = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    script += "from printkit.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "map", "--ask", "--seed", "6", "--lang", "en"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stderr is not None
        question = running.stderr.read(1)
        running.send_signal(signal.SIGINT)
        said = (question + running.stderr.read()).decode()
        assert running.wait(timeout=20) == INTERRUPTED
    assert said.endswith("printkit: stopped; no incomplete files were left\n")
    assert "Traceback" not in said
    assert [path.name for path in there.parent.iterdir()] == [there.name]
    assert there.read_bytes() == b"a map that somebody likes"

"""Ctrl-C: a run that is stopped says so in a line, and leaves the disk as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from printkit.__main__ import STOPPED


@pytest.mark.skipif(os.name == "nt", reason="there a signal reaches a child process in another way")
def test_a_stopped_run_leaves_what_was_there(table: Path) -> None:
    there = table / "output" / "brantley-24in-seed6.pdf"
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
        assert running.wait(timeout=20) == STOPPED
    assert said.endswith("printkit: stopped; nothing was left half-written\n")
    assert "Traceback" not in said
    assert [path.name for path in there.parent.iterdir()] == [there.name]
    assert there.read_bytes() == b"a map that somebody likes"

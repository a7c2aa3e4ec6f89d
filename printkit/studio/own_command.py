"""How the studio runs a command of printkit in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from printkit.core.errors import UsageError

# Seconds in which a command ends that reads what a person has sent.
_SECONDS: Final = 30.0


def own_command(*words: str) -> list[str]:
    """Return the words that start a command with the Python of this process, or with the program that this is."""
    # A stand-alone program has no Python that could be asked for a module.
    # -P: otherwise Python would import a file of the current folder that is called like a library.
    ours = [] if getattr(sys, "frozen", False) else ["-X", "utf8", "-P", "-m", "printkit"]
    return [sys.executable, *ours, *words]


def run_own(*words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command that reads what a person has sent, and return how it ended.

    Raises:
        UsageError: it took too long, and was stopped.
    """
    command = own_command(*words)
    try:
        return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UsageError(
            "reading this took more than {seconds:g} seconds and was stopped; send something shorter", seconds=_SECONDS
        ) from None

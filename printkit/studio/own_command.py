"""How the studio runs a command of printkit in a process of its own."""

from __future__ import annotations

import sys


def own_command(*words: str) -> list[str]:
    """Return the words that start a command with the Python of this process, or with the program that this is."""
    # A stand-alone program has no Python that could be asked for a module.
    # -P: otherwise Python would import a file of the current folder that is called like a library.
    ours = [] if getattr(sys, "frozen", False) else ["-X", "utf8", "-P", "-m", "printkit"]
    return [sys.executable, *ours, *words]

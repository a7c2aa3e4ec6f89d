"""What the tests of the command line share: words that make a run short, and what a run left on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

RED = "AH 2H 3H 4H 5H 6H 7H 8H 9H"
SMALL = ["--scale", "1:8", "--style", "ink-saver"]
QUICK = [*SMALL, "--lang", "en"]
"""A small sheet is drawn in a moment, as is the field of seed 5; what they test does not hang on either."""

Captured = pytest.CaptureFixture[str]


def files(folder: Path) -> list[str]:
    """Return everything in a folder that is no folder, hidden files too."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())

"""The other way to tile: the map written once, as one form, and shown on every sheet through a window."""

from __future__ import annotations

from pathlib import Path

from benchmarks.shared_form import shared
from printkit.page.sheet import Document


def write(document: Document, path: Path) -> None:
    """Write the sheets."""
    path.write_bytes(shared(document))

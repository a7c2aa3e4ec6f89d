"""The canvas of reportlab with the whole map drawn on every sheet, behind its clip: the shortest program of all."""

from __future__ import annotations

from pathlib import Path

from benchmarks.peers import reportlab_canvas
from printkit.page.sheet import Document


def write(document: Document, path: Path) -> None:
    """Write the sheets."""
    reportlab_canvas.write(document, path, culled=False)

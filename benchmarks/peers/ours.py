"""printkit's own writer, in the same harness as its peers."""

from __future__ import annotations

from pathlib import Path

from printkit.export import pdf
from printkit.page.sheet import Document


def write(document: Document, path: Path) -> None:
    """Write the sheets."""
    pdf.write(document, path)

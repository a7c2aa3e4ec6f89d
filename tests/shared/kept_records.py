"""Records as they were: those of a few seeds, each told by the sum of its text, so that none moves unnoticed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from printkit import __version__
from printkit.api import generate


def sums_of(rules: str, seeds: Iterable[int], **options: Any) -> str:
    """Return a line for each seed: the seed, and the sum of the record that it gives, whatever version made it."""
    lines = []
    for seed in seeds:
        text = generate(rules, seed=seed, **options).geojson.replace(f'"{__version__}"', '""')
        lines.append(f"{seed} {sha256(text.encode()).hexdigest()[:32]}\n")
    return "".join(lines)

"""Records as they were: those of a few seeds, each told by the sum of its text, so that none moves unnoticed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from drawn_settings import field_of

from printkit import __version__
from printkit.api import Field, generate
from printkit.kit.registry import shapes_of


def sums_of(rules: str, seeds: Iterable[int]) -> str:
    """Return two lines for each seed: the sums of its record, and of that with settings drawn by the seed.

    What version made a record, and the number of its shapes, are left out.
    """
    lines = []
    for seed in seeds:
        lines.append(f"{seed} {_sum(generate(rules, seed=seed))}\n")
        lines.append(f"{seed} drawn {_sum(field_of(rules, seed)[0])}\n")
    return "".join(lines)


def sums_of_boards(rules: str, seeds: Iterable[int], board: str) -> str:
    """Return a line for each seed: the sum of its record on a board of a size, with settings drawn by the seed."""
    return "".join(f"{seed} {board} {_sum(field_of(rules, seed, board)[0])}\n" for seed in seeds)


def _sum(field: Field) -> str:
    made = f'"version": "{__version__}", "shapes": {shapes_of(field.rules)}'
    text = field.geojson.replace(made, '"version": ""')
    assert text != field.geojson
    return sha256(text.encode()).hexdigest()[:32]

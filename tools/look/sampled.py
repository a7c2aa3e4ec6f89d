"""The boards that are looked at: of every rule system from consecutive seeds, with its mixtures in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image

from printkit.api import Field, generate, rule_systems

SYSTEMS: Final = rule_systems()

_TURNS: Final[Mapping[str, tuple[Mapping[str, Any], ...]]] = {
    "acw": tuple(
        {"geography": name, "board": table}
        for name in ("farm", "hilly", "plain", "riverside", "swampy", "wilderness", "mountains", "coastal")
        for table in ("48in", "72x48in")
    ),
    "brantley": ({}, {"board": "36in"}, {}, {}),
}
"""What the boards of a rule system differ in besides the seed; none is the usual."""

DPI: Final = 40


def board(system: str, seed: int) -> Field:
    """Return the board of a rule system from a seed."""
    return generate(system, seed=seed, **turn(system, seed))


def turn(system: str, seed: int) -> Mapping[str, Any]:
    """Return what the board of a seed is asked for besides it."""
    turns = _TURNS.get(system, ({},))
    return turns[seed % len(turns)]


def boards(system: str, count: int) -> Iterator[tuple[int, Field]]:
    """Yield seeds from 1 with their boards."""
    for seed in range(1, count + 1):
        yield seed, board(system, seed)


def picture(field: Field, dpi: int = DPI, **look: Any) -> Image.Image:
    """Return the picture of a board without frame, key and legend."""
    with TemporaryDirectory() as folder:
        (path,) = field.png(Path(folder) / "board.png", dpi=dpi, sheet="one", furniture="none", **look)
        with Image.open(path) as drawn:
            return drawn.convert("RGB")

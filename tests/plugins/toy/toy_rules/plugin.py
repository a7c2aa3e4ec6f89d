"""What these rules add to printkit."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from printkit.kit.plugin import Plugin

PLUGIN: Final = Plugin(
    name="toy",
    system="toy_rules.system:Toy",
    data=Path(__file__).parent / "data",
    decks=("reference",),
)

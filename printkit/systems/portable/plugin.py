"""What both versions of the Portable Wargame add to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

_SPARE: Final = {"cards-reference": "next-time"}

VERSION_1: Final = Plugin(
    name="portable-1", system="printkit.systems.portable.system:portable_1", decks=("reference",), spare=_SPARE
)

VERSION_2: Final = Plugin(
    name="portable-2", system="printkit.systems.portable.system:portable_2", decks=("reference",), spare=_SPARE
)

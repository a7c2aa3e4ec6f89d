"""Plugin entries of both versions of the Portable Wargame."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

_SPARE: Final = {"cards-reference": "next-time"}

# 5: hills have other outlines than in version 0.2.0 and the first builds of 0.3.0. A feature without a free area needs
# no die.
_SHAPES: Final = 5

VERSION_1: Final = Plugin(
    name="portable-1",
    system="printkit.systems.portable.system:portable_1",
    decks=("reference",),
    spare=_SPARE,
    shapes=_SHAPES,
)

VERSION_2: Final = Plugin(
    name="portable-2",
    system="printkit.systems.portable.system:portable_2",
    decks=("reference",),
    spare=_SPARE,
    shapes=_SHAPES,
)

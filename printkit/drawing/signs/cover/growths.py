"""What grows in woods of every kind: which trees, how large, how close. Source: the cartography, 10.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from printkit.terrain.field.features import Kind


class Growth(Struct, frozen=True, kw_only=True):
    """Woods of one kind.

    Attributes:
        families: the sorts of trees, as rows of ``crowns.FAMILIES``, each with its share of all.
        radius: of a usual crown in mm at 1:1.
        spacing: the least distance of two trees in radii.
        closed: whether the crowns make a roof over a dark floor; else they stand on washed ground in a dotted edge.
        on_hill: the radius in mm, and the spacing in radii, where such woods cover a hill.
        snags: the share of a closed wood's inner trees that have died.
    """

    families: tuple[tuple[str, float], ...]
    radius: float
    spacing: float
    closed: bool
    on_hill: tuple[float, float]
    snags: float = 0.0


_SNAGS: Final = 0.018

GROWTHS: Final[Mapping[Kind, Growth]] = {
    Kind.LIGHT_WOODS: Growth(
        families=(("light-crown", 1.0),), radius=5.4, spacing=2.75, closed=False, on_hill=(5.0, 2.35)
    ),
    Kind.WOODLAND: Growth(families=(("light-crown", 1.0),), radius=5.4, spacing=1.9, closed=False, on_hill=(5.0, 1.8)),
    Kind.HEAVY_WOODS: Growth(
        families=(("crown", 1.0),), radius=5.8, spacing=1.36, closed=True, on_hill=(5.0, 1.36), snags=_SNAGS
    ),
    Kind.FOREST: Growth(
        families=(("crown", 1.0),), radius=5.8, spacing=1.36, closed=True, on_hill=(5.0, 1.36), snags=_SNAGS
    ),
    Kind.LIGHT_CONIFERS: Growth(
        families=(("conifer", 1.0),), radius=5.2, spacing=2.75, closed=False, on_hill=(4.8, 2.35)
    ),
    Kind.CONIFER_FOREST: Growth(
        families=(("conifer", 1.0),), radius=5.6, spacing=1.36, closed=True, on_hill=(4.8, 1.36), snags=_SNAGS
    ),
    Kind.MIXED_WOODS: Growth(
        families=(("crown", 0.55), ("conifer", 0.45)),
        radius=5.7,
        spacing=1.36,
        closed=True,
        on_hill=(4.9, 1.36),
        snags=_SNAGS,
    ),
    Kind.LIGHT_PALMS: Growth(families=(("palm", 1.0),), radius=5.7, spacing=2.75, closed=False, on_hill=(5.2, 2.35)),
    Kind.PALM_FOREST: Growth(families=(("palm", 1.0),), radius=6.2, spacing=1.55, closed=True, on_hill=(5.4, 1.55)),
}
"""The growth of every kind of wood; another one needs a row here and in the catalogue."""

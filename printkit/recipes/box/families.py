"""Families of terrain kinds whose pieces can replace each other, and kinds that do not need a piece."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from printkit.core.resources import template
from printkit.terrain.field.features import Kind

_FOLDER: Final = "pieces"
_NAME: Final = "families"


@lru_cache(maxsize=1)
def families() -> Mapping[str, tuple[Kind, ...]]:
    """Return the kinds of each family, from ``templates/pieces``."""
    tree = template(_FOLDER, _NAME)["families"]
    return {name: tuple(map(Kind, kinds)) for name, kinds in tree.items()}


@lru_cache(maxsize=1)
def pieceless_kinds() -> frozenset[Kind]:
    """Return the kinds that do not need a piece on the board."""
    return frozenset(map(Kind, template(_FOLDER, _NAME)["nothing"]))

"""Which kinds of terrain stand for each other among a person's pieces, and what needs no piece at all."""

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
    """Return the kinds of each family as ``templates/pieces`` has them."""
    tree = template(_FOLDER, _NAME)["families"]
    return {name: tuple(map(Kind, kinds)) for name, kinds in tree.items()}


@lru_cache(maxsize=1)
def nothing() -> frozenset[Kind]:
    """Return the kinds that need no piece to be seen on the board."""
    return frozenset(map(Kind, template(_FOLDER, _NAME)["nothing"]))

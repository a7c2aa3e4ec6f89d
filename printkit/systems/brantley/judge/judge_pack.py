"""The pack as the judge reads it: what each rank puts on the board, and which card restricts more, by the rule book."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from printkit.kit.book import RuleBook
from printkit.terrain.field.features import Kind

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "SCHD"
BLACK: Final = "SC"
PACK: Final = frozenset(rank + suit for rank in RANKS for suit in SUITS)


class Result(NamedTuple):
    """What a black card puts on the board; a hill's going hangs on its dice; ``order`` 0 restricts most."""

    name: str
    kind: Kind
    going: str
    levels: int
    order: int


def reveal_table(book: RuleBook) -> Mapping[str, Result]:
    """Return the result of each rank in black (BR-301 to BR-313)."""
    results = {
        row.need("result", str): (Kind(row.need("kind", str)), row.get("levels", int, 0), order)
        for order, row in enumerate(book.own("results"))
    }
    found = {}
    for row in book.own("reveal"):
        name = row.need("result", str)
        kind, levels, order = results[name]
        found[row.need("rank", str)] = Result(name, kind, row.get("going", str, ""), levels, order)
    return found


def laying_order(book: RuleBook, policy: str) -> tuple[list[int], list[int]]:
    """Return the zones that a policy fills in their order, and its flanks, as A reads the board (BR-M25, BR-M26)."""
    for row in book.own("policies"):
        if row.need("policy", str) == policy:
            return row.need("zones", list), row.get("flanks", list, [])
    return [], []

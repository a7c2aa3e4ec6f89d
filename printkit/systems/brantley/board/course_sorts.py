"""What makes rivers differ from roads, and the numbers of the rule book for both."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.kit.book import read_book
from printkit.terrain.field.features import Kind


@cache
def numbers() -> Mapping[str, float]:
    """Return the numbers of the rule book; lengths are inches of a 24-inch board."""
    return read_book("brantley").numbers


class Sort(Struct, frozen=True, kw_only=True):
    """What makes rivers differ from roads; their numbers stand in the rule book under the name of the kind."""

    kind: Kind
    stage: str
    letter: str
    into: Kind
    ground_clause: str
    length_clause: str
    area_clause: str
    junction_clause: str
    clauses: Mapping[str, str]

    def __str__(self) -> str:
        return self.kind.value


RIVER: Final = Sort(
    kind=Kind.RIVER,
    stage="rivers",
    letter="R",
    into=Kind.LAKE,
    ground_clause="BR-X14",
    length_clause="BR-X15",
    area_clause="BR-X12",
    junction_clause="BR-X13",
    clauses={
        "single": "BR-402",
        "each": "BR-403",
        "start": "BR-404",
        "edge": "BR-405",
        "area": "BR-406",
        "course": "BR-407",
    },
)

ROAD: Final = Sort(
    kind=Kind.ROAD,
    stage="roads",
    letter="D",
    into=Kind.BUA,
    ground_clause="BR-X18",
    length_clause="BR-X18",
    area_clause="BR-X16",
    junction_clause="BR-X17",
    clauses={
        "single": "BR-502",
        "each": "BR-503",
        "start": "BR-504",
        "edge": "BR-505",
        "area": "BR-506",
        "course": "BR-507",
    },
)

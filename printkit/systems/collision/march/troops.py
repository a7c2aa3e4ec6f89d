"""Depth, move and side margin of the troop types of DBA 3, as far as columns ask for them (facts of section B5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from printkit.core.errors import BookError, Sentence
from printkit.core.resources import template
from printkit.kit.book import BookRow, read_book

SHIPPED: Final = "dba-3"
WAGON: Final = "WWg"
"""What baggage moves like (CC-3.2)."""

_FIGURES: Final = re.compile(r"^(Mtd-)?\d(?:/\d)?")


class Troop(Struct, frozen=True, kw_only=True):
    """A troop type: ``move`` in base widths in good going, ``depth`` in mm by the width of a base in mm."""

    move: float
    depth: Mapping[int, float]
    confidence: str


class Troops(Struct, frozen=True, kw_only=True):
    """All troop types by their codes; the side margins of the deployment zone, in base widths (CC-Q16)."""

    known: Mapping[str, Troop]
    near_sides: tuple[str, ...]
    side: float
    side_near: float

    def find(self, code: str) -> Troop | None:
        """Return the type of a code such as ``4Bd``, ``3/4Wb`` or ``3Kn//4Bd``, whose part before ``//`` counts."""
        text = code.split("//", 1)[0].strip()
        return self.known.get(text) or self.known.get(_bare(text))

    def margin(self, code: str) -> float:
        """Return how near to the side edges troops of a code may come on, in base widths."""
        text = code.split("//", 1)[0].strip()
        return self.side_near if text in self.near_sides or _bare(text) in self.near_sides else self.side


def _bare(code: str) -> str:
    """Return the type in a code, without its number of figures."""
    return _FIGURES.sub(lambda match: match[1] or "", code)


@cache
def read_troops(name: str = SHIPPED, book: str = "dba3") -> Troops:
    """Return the troop types of a template, with the margins of a rule book of DBA 3.

    Raises:
        ResourceError: there is none.
        BookError: a row is wrong; names file, row and key.
    """
    tree = BookRow(name, template("columns", name))
    tree.only("name", "troops")
    known: dict[str, Troop] = {}
    for place, values in enumerate(tree.need("troops", list), 1):
        row = BookRow(Sentence("{name}: [troops] row {place}", name=name, place=place), values)
        row.only("codes", "move", "depth", "confidence")
        troop = Troop(
            move=row.need("move", float),
            depth={int(width.removesuffix("mm")): float(mm) for width, mm in row.need("depth", dict).items()},
            confidence=row.need("confidence", str),
        )
        for code in row.need("codes", list):
            if code in known:
                raise BookError(
                    "{place}: the code {code} stands there twice; each names one type", place=row.place, code=code
                )
            known[code] = troop
    rules = read_book(book)
    near = tuple(code for row in rules.own("near_sides") for code in row.need("types", list))
    numbers = rules.numbers
    return Troops(known=known, near_sides=near, side=numbers["zone_side_bw"], side_near=numbers["zone_side_bw_fast"])

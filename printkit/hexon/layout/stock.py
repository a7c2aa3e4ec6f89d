"""A person's own pieces: how many there are, under which product codes, and what a layout lacks (HX-05, HX-32)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct, field

from printkit.core.errors import Sentence
from printkit.core.resources import template_text
from printkit.core.typed import MemberError, read_file, read_toml, right
from printkit.hexon.layout.pieces import PieceKind, piece_set
from printkit.hexon.layout.strips import RELIEF, StripName
from printkit.terrain.field.features import Kind

NAMES: Final[Mapping[PieceKind, str]] = {
    kind: f"{kind}s" if kind in (PieceKind.BOARD, PieceKind.SINGLE) else kind.value for kind in PieceKind
}
"""What a stock calls each piece."""

# A mountain of one piece: stock files that printkit 0.2 wrote have a line for it. No layout needs it.
_UNUSED: Final = "mountain"


class Stock(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person owns, by name: pieces, and strips as ``road-straight``. What is not named counts as none.

    ``codes`` are product codes, ``packs`` how many a packet holds; both are the person's own data.
    """

    title: str = ""
    own: Mapping[str, Annotated[int, Meta(ge=0)]] = field(default_factory=dict)
    codes: Mapping[str, Annotated[str, right(Sentence('a text in quotes, for example "HEXIIS/BR"'))]] = field(
        default_factory=dict
    )
    packs: Mapping[str, Annotated[int, Meta(ge=1)]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for table, rows in (("own", self.own), ("codes", self.codes), ("packs", self.packs)):
            for name in rows:
                if not is_piece(name):
                    raise MemberError(
                        "{table}: {name!r} is not a piece; use {names}, or strips such as road-straight: "
                        "KIND-{stripname}",
                        table,
                        name,
                        table=table,
                        name=name[:40],
                        names=", ".join(NAMES.values()),
                        stripname="|".join(StripName),
                    )

    def owned(self, name: str) -> int:
        """Return how many there are of a piece; none of one that the file does not name."""
        return self.own.get(name, 0)


class StockPart(Struct, frozen=True, kw_only=True):
    """A row of the parts list: ``own`` is None where there is no stock; a packet holds ``pack`` pieces."""

    name: str
    need: int
    own: int | None = None
    code: str = ""
    pack: int | None = None

    @property
    def missing(self) -> int:
        """Return how many more are needed than there are."""
        return 0 if self.own is None else max(0, self.need - self.own)

    @property
    def packets(self) -> int | None:
        """Return how many packets are to be bought: all that is needed, where there is no count of what there is."""
        return _packets(self.need if self.own is None else self.missing, self.pack)


class Shortage(Struct, frozen=True):
    """A piece of which there are too few; so many ``boards`` more would do in the place of single hexes, if any."""

    name: str
    need: int
    own: int
    boards: int = 0

    @property
    def missing(self) -> int:
        """Return how many more are needed than there are."""
        return self.need - self.own


def packets_of(name: str, count: int, stock: Stock | None) -> int | None:
    """Return how many packets hold so many of a piece; None where nobody has said how many a packet holds."""
    return None if stock is None else _packets(count, stock.packs.get(name))


def _packets(count: int, pack: int | None) -> int | None:
    return None if pack is None else math.ceil(count / pack)


def strip_key(kind: Kind, name: StripName) -> str:
    """Return what a stock calls a strip."""
    return f"{kind}-{name}"


def read_stock(name: str) -> Stock:
    """Return the stock of a file, ``.toml`` as ``templates/hexon/stock.toml`` shows it, or ``.csv`` of a spreadsheet.

    Raises:
        ResourceError: there is no such file.
        FileError: a key or a value is wrong; names the file, the key, and what may stand there.
    """
    if name.lower().endswith(".csv"):
        from printkit.hexon.layout.stock_rows import stock_of_rows

        return stock_of_rows(name, read_file(Path(name)))
    return read_toml(template_text("hexon", name), Stock, name)


def is_piece(name: str) -> bool:
    """Return whether a stock may list what is called so: a piece that is sold, or a strip."""
    return name in (*NAMES.values(), _UNUSED) or _is_strip(name)


def _is_strip(key: str) -> bool:
    kind, _, name = key.rpartition("-")
    return kind in {each.value for each in Kind if each not in RELIEF} and name in {each.value for each in StripName}


def parts(needs: Mapping[str, int], stock: Stock | None = None) -> tuple[StockPart, ...]:
    """Return the parts list of what a layout needs, by name, with what the stock knows of each."""
    known = stock or Stock()
    return tuple(
        StockPart(
            name=name,
            need=need,
            own=None if stock is None else stock.owned(name),
            code=known.codes.get(name, ""),
            pack=known.packs.get(name),
        )
        for name, need in needs.items()
    )


def shortages(needs: Mapping[str, int], stock: Stock, *, withheld: int = 0) -> tuple[Shortage, ...]:
    """Return every piece of which there are too few.

    Args:
        needs: how many of each piece the layout has.
        stock: what there is.
        withheld: how many boards could lie where single hexes do, were there more of them.
    """
    found = []
    for name, need in needs.items():
        own = stock.owned(name)
        if need > own:
            boards = math.ceil((need - own) / len(piece_set().board)) if name == NAMES[PieceKind.SINGLE] else 0
            found.append(Shortage(name, need, own, boards if boards <= withheld else 0))
    return tuple(found)


def given_up(hills: Mapping[int, Mapping[str, int]], stock: Stock) -> tuple[int, Shortage] | None:
    """Return the hill whose slopes are best given up so that the others have enough, with what lacks; None if all have.

    Of hills one of which is enough it is the one with the fewest slopes, else the one that takes most of what lacks.

    Args:
        hills: the slopes of each hill that has slopes, by its number.
        stock: what there is.
    """
    needs: Counter[str] = Counter()
    for slopes in hills.values():
        needs.update(slopes)
    short = shortages(dict(sorted(needs.items())), stock)
    if not short:
        return None
    lacks = short[0]
    bearing = {number: slopes for number, slopes in hills.items() if slopes.get(lacks.name)}
    enough = [number for number, slopes in bearing.items() if slopes[lacks.name] >= lacks.missing]
    if enough:
        return min(enough, key=lambda number: (sum(bearing[number].values()), number)), lacks
    return min(bearing, key=lambda number: (-bearing[number][lacks.name], number)), lacks

"""The stock of a user: the numbers and product codes of their pieces, and those missing for a layout (HX-05, HX-32)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct, field

from printkit.core.errors import Sentence
from printkit.core.resources import template_text
from printkit.core.typed import MemberError, find_similar, read_file, read_toml, right
from printkit.hexon.layout.pieces import PieceKind, piece_set
from printkit.hexon.layout.strips import RELIEF, StripName
from printkit.terrain.field.features import Kind

NAMES: Final[Mapping[PieceKind, str]] = {
    kind: f"{kind}s" if kind in (PieceKind.BOARD, PieceKind.SINGLE) else kind.value for kind in PieceKind
}
"""The names of the pieces in a stock."""

# A mountain of one piece: stock files that printkit 0.2 wrote have a line for it. No layout needs it.
_UNUSED: Final = "mountain"


class Stock(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of pieces that a user has, by name, with strips as ``road-straight``; a missing name means none.

    ``codes`` are product codes, and ``packs`` the numbers of pieces in a packet; both are the user's own data.
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
                    raise MemberError("{table}: {reason}", table, name, table=table, reason=unknown_piece(name))

    def count(self, name: str) -> int:
        """Return the number of pieces with a name; 0 if the file does not have it."""
        return self.own.get(name, 0)


class StockPart(Struct, frozen=True, kw_only=True):
    """A row of the parts list. Without a stock, ``own`` stays None; a packet has ``pack`` pieces."""

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
        """Return how many packets to buy, of all pieces without a stock; None if the size of a packet is unknown."""
        return _packets(self.need if self.own is None else self.missing, self.pack)


class Shortage(Struct, frozen=True):
    """Too few pieces with a name; ``boards`` more boards could replace the missing single hexes, or 0."""

    name: str
    need: int
    own: int
    boards: int = 0

    @property
    def missing(self) -> int:
        """Return how many more are needed than there are."""
        return self.need - self.own


def packets_of(name: str, count: int, stock: Stock | None) -> int | None:
    """Return how many packets have ``count`` pieces; None if the size of a packet is unknown."""
    return None if stock is None else _packets(count, stock.packs.get(name))


def _packets(count: int, pack: int | None) -> int | None:
    return None if pack is None else math.ceil(count / pack)


def strip_key(kind: Kind, name: StripName) -> str:
    """Return the name of a strip in a stock."""
    return f"{kind}-{name}"


def read_stock(name: str) -> Stock:
    """Return the stock of a file, ``.toml`` as ``templates/hexon/stock.toml`` shows it, or ``.csv`` of a spreadsheet.

    Raises:
        ResourceError: there is no such file.
        FileError: a key or a value is wrong; the message gives the file, the line, the key and a correct value.
    """
    if name.lower().endswith(".csv"):
        from printkit.hexon.layout.stock_rows import stock_of_rows

        return stock_of_rows(name, read_file(Path(name)))
    return read_toml(template_text("hexon", name), Stock, name)


def unknown_piece(name: str) -> Sentence:
    """Return that a name is not that of a piece, with similar names or the way to write one."""
    strips = [strip_key(kind, strip) for kind in Kind if kind not in RELIEF for strip in StripName]
    advice = find_similar(name, [*NAMES.values(), *strips]) or Sentence(
        "Write one of {names}, or a strip such as road-straight: KIND-{strip}.",
        names=", ".join(NAMES.values()),
        strip="|".join(StripName),
    )
    return Sentence("{name!r} is not a piece. {advice}", name=name[:40], advice=advice)


def is_piece(name: str) -> bool:
    """Return whether a name is that of a piece that is sold, or of a strip."""
    return name in (*NAMES.values(), _UNUSED) or _is_strip(name)


def _is_strip(key: str) -> bool:
    kind, _, name = key.rpartition("-")
    return kind in {each.value for each in Kind if each not in RELIEF} and name in {each.value for each in StripName}


def parts(needs: Mapping[str, int], stock: Stock | None = None) -> tuple[StockPart, ...]:
    """Return the parts list of a layout, one row for each name in ``needs``, with the data of the stock."""
    data = stock or Stock()
    return tuple(
        StockPart(
            name=name,
            need=need,
            own=None if stock is None else stock.count(name),
            code=data.codes.get(name, ""),
            pack=data.packs.get(name),
        )
        for name, need in needs.items()
    )


def shortages(needs: Mapping[str, int], stock: Stock, *, withheld: int = 0) -> tuple[Shortage, ...]:
    """Return the pieces with too small a number in the stock.

    Args:
        needs: how many of each piece the layout has.
        stock: the pieces that there are.
        withheld: the number of boards that could replace single hexes, if the stock had more boards.
    """
    rows = []
    for name, need in needs.items():
        own = stock.count(name)
        if need > own:
            boards = math.ceil((need - own) / len(piece_set().board)) if name == NAMES[PieceKind.SINGLE] else 0
            rows.append(Shortage(name, need, own, boards if boards <= withheld else 0))
    return tuple(rows)


def given_up(hills: Mapping[int, Mapping[str, int]], stock: Stock) -> tuple[int, Shortage] | None:
    """Return the number of the hill to leave without slopes, with the first shortage; None if all hills have enough.

    Among the hills that have enough of the missing pieces it is the one with the fewest slopes. If there is none, it is
    the hill with most of the missing pieces.

    Args:
        hills: the slopes of each hill that has slopes, by its number.
        stock: the pieces that there are.
    """
    needs: Counter[str] = Counter()
    for slopes in hills.values():
        needs.update(slopes)
    short = shortages(dict(sorted(needs.items())), stock)
    if not short:
        return None
    shortage = short[0]
    bearing = {number: slopes for number, slopes in hills.items() if slopes.get(shortage.name)}
    enough = [number for number, slopes in bearing.items() if slopes[shortage.name] >= shortage.missing]
    if enough:
        return min(enough, key=lambda number: (sum(bearing[number].values()), number)), shortage
    return min(bearing, key=lambda number: (-bearing[number][shortage.name], number)), shortage

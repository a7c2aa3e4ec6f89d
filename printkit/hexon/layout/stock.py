"""A person's own pieces: how many there are, under which product codes, and what a layout lacks (HX-05, HX-32)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from printkit.core.errors import BookError
from printkit.core.resources import template
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.strips import RELIEF, StripName
from printkit.terrain.field.features import Kind

NAMES: Final[Mapping[PieceKind, str]] = {
    kind: f"{kind}s" if kind in (PieceKind.BOARD, PieceKind.SINGLE) else kind.value for kind in PieceKind
}
"""What a stock calls each piece."""

_TABLES: Final = ("own", "codes", "packs")


class Stock(Struct, frozen=True):
    """What a person owns, by name: pieces, and strips as ``road-straight``. What is not named is not counted.

    ``codes`` are product codes, ``packs`` how many a packet holds; both are the person's own data.
    """

    title: str = ""
    own: Mapping[str, int] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)
    packs: Mapping[str, int] = field(default_factory=dict)


class StockPart(Struct, frozen=True, kw_only=True):
    """A row of the parts list: ``own`` is None where the stock does not say; a packet holds ``pack`` pieces."""

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
        lacking = self.need if self.own is None else self.missing
        return None if self.pack is None else math.ceil(lacking / self.pack)


class Shortage(Struct, frozen=True):
    """A piece of which there are too few; laying the hills of ``remedy`` as steps would end it, if there are any."""

    name: str
    need: int
    own: int
    remedy: tuple[int, ...] = ()


def strip_key(kind: Kind, name: StripName) -> str:
    """Return what a stock calls a strip."""
    return f"{kind}-{name}"


def read_stock(name: str) -> Stock:
    """Return the stock of a file; ``templates/hexon/stock.toml`` shows its form.

    Raises:
        ResourceError: there is no such file.
        BookError: a key or a value is wrong; names the file, the key, and what may stand there.
    """
    tree = template("hexon", name)
    for key in tree:
        if key not in ("title", *_TABLES):
            raise BookError(
                "{name}: {key!r} means nothing here; there are title, {tables}",
                name=name,
                key=key,
                tables=", ".join(_TABLES),
            )
    if not isinstance(tree.get("title", ""), str):
        raise BookError("{name}: title = {title!r} is no text", name=name, title=tree["title"])
    return Stock(
        title=tree.get("title", ""),
        own={key: _whole(name, "own", key, value, least=0) for key, value in _rows(name, tree, "own")},
        codes={key: _text(name, key, value) for key, value in _rows(name, tree, "codes")},
        packs={key: _whole(name, "packs", key, value, least=1) for key, value in _rows(name, tree, "packs")},
    )


def _rows(name: str, tree: Mapping[str, Any], table: str) -> list[tuple[str, Any]]:
    rows = tree.get(table, {})
    if not isinstance(rows, dict):
        raise BookError(
            "{name}: {table} = {rows!r} is no table; write [{table}] and a line for each piece",
            name=name,
            table=table,
            rows=rows,
        )
    for key in rows:
        if key not in NAMES.values() and not _is_strip(key):
            raise BookError(
                "{name}: [{table}] {key!r} is no piece; there are {names}, and strips as road-straight: "
                "KIND-{stripname}",
                name=name,
                table=table,
                key=key,
                names=", ".join(NAMES.values()),
                stripname="|".join(StripName),
            )
    return list(rows.items())


def _is_strip(key: str) -> bool:
    kind, _, name = key.rpartition("-")
    return kind in {each.value for each in Kind if each not in RELIEF} and name in {each.value for each in StripName}


def _whole(name: str, table: str, key: str, value: Any, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BookError(
            "{name}: [{table}] {key} = {value!r} is no count; write a whole number from {least} up",
            name=name,
            table=table,
            key=key,
            value=value,
            least=least,
        )
    return value


def _text(name: str, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BookError(
            '{name}: [codes] {key} = {value!r} is no text; write it in quotes, as "HEXIIS/BR"',
            name=name,
            key=key,
            value=value,
        )
    return value


def parts(needs: Mapping[str, int], stock: Stock | None = None) -> tuple[StockPart, ...]:
    """Return the parts list of what a layout needs, by name, with what the stock knows of each."""
    known = stock or Stock()
    return tuple(
        StockPart(
            name=name, need=need, own=known.own.get(name), code=known.codes.get(name, ""), pack=known.packs.get(name)
        )
        for name, need in needs.items()
    )


def shortages(needs: Mapping[str, int], stock: Stock, hills: Mapping[int, Mapping[str, int]]) -> tuple[Shortage, ...]:
    """Return every piece of which there are too few.

    Args:
        needs: how many of each piece the layout has.
        stock: what there is.
        hills: the slopes of each hill that has slopes, by its number.
    """
    short = [part for part in parts(needs, stock) if part.missing]
    return tuple(
        Shortage(part.name, part.need, part.own or 0, _remedy(part.name, part.missing, hills)) for part in short
    )


def _remedy(name: str, missing: int, hills: Mapping[int, Mapping[str, int]]) -> tuple[int, ...]:
    """Return the hills whose slopes are best given up: one with the fewest slopes if one is enough, else several."""
    bearing = {number: slopes for number, slopes in hills.items() if slopes.get(name)}
    enough = [number for number, slopes in bearing.items() if slopes[name] >= missing]
    if enough:
        return (min(enough, key=lambda number: (sum(bearing[number].values()), number)),)
    return _together(name, missing, bearing)


def _together(name: str, missing: int, hills: Mapping[int, Mapping[str, int]]) -> tuple[int, ...]:
    chosen: list[int] = []
    ranked: Sequence[int] = sorted(hills, key=lambda number: (-hills[number][name], number))
    for number in ranked:
        if sum(hills[each][name] for each in chosen) < missing:
            chosen.append(number)
    return tuple(sorted(chosen)) if sum(hills[each][name] for each in chosen) >= missing else ()

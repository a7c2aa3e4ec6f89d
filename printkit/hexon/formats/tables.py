"""A Hexon layout as numbers and strings, for the writers of other files; as JSON, and as tables with commas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from printkit.core.csv_text import csv_text
from printkit.hexon.layout.stock import StockPart


class HexPlace(Struct, frozen=True, order=True):
    """A cell by row and column from 1, counted from the far left, by axial coordinates, and as the map has it: 0304."""

    row: int
    column: int
    q: int
    s: int
    address: str = ""


class HexTile(Struct, frozen=True, kw_only=True):
    """A piece in layer ``level``; ``rotation`` counts steps of 60 degrees clockwise, ``number`` boards of a layer."""

    piece: str
    level: int
    places: tuple[HexPlace, ...]
    rotation: int = 0
    number: int = 0
    hill: int = 0

    @property
    def label(self) -> str:
        """Return the number of a board, and nothing for all else."""
        return str(self.number) if self.number else ""


class HexMark(Struct, frozen=True, kw_only=True):
    """What stands on a hex."""

    feature: str
    level: int
    place: HexPlace
    label: str = ""


class Link(HexMark, frozen=True, kw_only=True):
    """One hex of a course: the sides that it passes as bits, and the least mask that turns onto it."""

    piece: str
    mask: int
    pattern: int
    rotation: int


class HexWay(Struct, frozen=True, kw_only=True):
    """A course from cell to cell; ``beyond`` has the cells off the map too from which it comes and to which it goes."""

    feature: str
    places: tuple[HexPlace, ...]
    label: str = ""
    beyond: tuple[HexPlace, ...] = ()


class LayerSum(Struct, frozen=True, kw_only=True):
    """How well a layer is covered: boards, single hexes, and the most boards that any covering could have.

    Single hexes stand for ``withheld`` boards that the person does not own.
    """

    level: int
    boards: int
    singles: int
    bound: int
    withheld: int = 0


class LayoutData(Struct, frozen=True, kw_only=True):
    """All of a layout. ``tops`` are all cells in reading order with the level of their surface and what they hold.

    ``cell`` is in mm across the flats; ``grain`` as ``flat-odd-low``; ``notes`` are sentences for the person.
    """

    title: str
    columns: int
    rows: int
    grain: str
    cell: float
    tops: tuple[tuple[HexPlace, int, str], ...]
    tiles: tuple[HexTile, ...]
    links: tuple[Link, ...] = ()
    marks: tuple[HexMark, ...] = ()
    ways: tuple[HexWay, ...] = ()
    layers: tuple[LayerSum, ...] = ()
    parts: tuple[StockPart, ...] = ()
    cut: tuple[HexTile, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flat(self) -> bool:
        """Return whether hexes have a side, not a corner, on top."""
        return self.grain.startswith("flat")

    @property
    def odd_lags(self) -> bool:
        """Return whether odd columns stand low, or odd rows right, counted from 1."""
        return self.grain in ("flat-odd-low", "pointy-odd-right")

    def levels(self) -> range:
        """Return the levels that hold anything, the base first."""
        groups: tuple[Iterable[HexTile | HexMark], ...] = (self.tiles, self.links, self.marks)
        return range(max((each.level for group in groups for each in group), default=0) + 1)

    def on(self, level: int) -> Iterator[HexTile]:
        """Yield the pieces of a layer."""
        return (tile for tile in self.tiles if tile.level == level)


# --- A Hexon layout as JSON, and as tables with commas between their columns (HX-54, HX-63) ---------------------------

FORMAT: Final = 1
"""The number of the form of the JSON layout."""

COLUMNS: Final = ("row", "col", "q", "s", "level", "piece", "rot", "feature", "link_mask", "label", "hex")
"""The head of the layout as a table (HX-63)."""

PARTS: Final = ("piece", "need", "own", "missing", "code", "packets")
"""The head of the parts list."""

MARKER: Final = "marker"
"""What the column ``piece`` says of a thing that stands on a hex."""


def layout_json(data: LayoutData) -> str:
    """Return the whole layout as JSON, one piece a line."""
    sizes = {"columns": data.columns, "rows": data.rows}
    head = {
        "printkit-hexon": FORMAT,
        "title": data.title,
        "grid": {"shape": "hex", **sizes, "grain": data.grain, "cell_mm": data.cell},
        "counts": {row.name: row.need for row in data.parts},
        "notes": list(data.notes),
    }
    lists: dict[str, Sequence[dict[str, Any]]] = {
        "layers": [asdict(each) for each in data.layers],
        "pieces": [_tile(tile) for tile in data.tiles],
        "strips": [_link(link) for link in data.links],
        "markers": [_mark(mark) for mark in data.marks],
        "cut": [_tile(tile) for tile in data.cut],
        # Hexes that no piece fits: there are none, because they are raised (HX-25).
        "unbuildable": [],
    }
    members = [f'  "{name}": {_one_line(value)}' for name, value in head.items()]
    members += [f'  "{name}": {_lines(rows)}' for name, rows in lists.items()]
    return "{\n" + ",\n".join(members) + "\n}\n"


def layout_csv(data: LayoutData) -> str:
    """Return every piece, strip and marker: a line for each hex and layer, the base first, in reading order.

    A six-hex board has a line for each of its hexes, with its number in its layer as ``label``. ``rot`` counts steps
    of 60 degrees clockwise: of a slope to its first low side, of a board from its footprint, of a strip from the
    pattern of its piece; ``link_mask`` has bit ``i`` for side ``i``; ``hex`` is the address that the map prints.
    """
    lines: list[tuple[int, HexPlace, int, tuple[object, ...]]] = [
        (tile.level, place, 0, (tile.piece, tile.rotation, "hill" if tile.level else "", 0, tile.label))
        for tile in data.tiles
        for place in tile.places
    ]
    lines += [
        (link.level, link.place, 1, (link.piece, link.rotation, link.feature, link.mask, link.label))
        for link in data.links
    ]
    lines += [(mark.level, mark.place, 2, (MARKER, 0, mark.feature, 0, mark.label)) for mark in data.marks]
    lines.sort(key=lambda line: line[:3])
    rows = (
        (place.row, place.column, place.q, place.s, level, *values, place.address) for level, place, _, values in lines
    )
    return csv_text([COLUMNS, *rows])


def parts_csv(data: LayoutData) -> str:
    """Return the parts list; a value that nobody gave is empty."""
    rows = ([getattr(part, name) for name in ("name", *PARTS[1:])] for part in data.parts)
    return csv_text([PARTS, *rows])


def _tile(tile: HexTile) -> dict[str, Any]:
    values: dict[str, Any] = {
        "piece": tile.piece,
        "level": tile.level,
        "rot": tile.rotation,
        "cells": [_address(place) for place in tile.places],
        "hexes": [place.address for place in tile.places],
    }
    if tile.number:
        values["number"] = tile.number
    if tile.hill:
        values["hill"] = tile.hill
    return values


def _link(link: Link) -> dict[str, Any]:
    return {
        "piece": link.piece,
        "feature": link.feature,
        "level": link.level,
        "rot": link.rotation,
        "sides": list(_bits(link.mask)),
        "cell": _address(link.place),
        "hex": link.place.address,
        "label": link.label,
    }


def _mark(mark: HexMark) -> dict[str, Any]:
    where = {"cell": _address(mark.place), "hex": mark.place.address}
    return {"feature": mark.feature, "level": mark.level, **where, "label": mark.label}


def _address(place: HexPlace) -> list[int]:
    """Return a cell as the record of a battlefield has it: column, row."""
    return [place.column, place.row]


def _bits(mask: int) -> Iterator[int]:
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _one_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(rows: Sequence[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(f"    {_one_line(row)}" for row in rows) + "\n  ]" if rows else "[]"

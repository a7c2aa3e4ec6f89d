"""The data of a Hexon layout for file writers, and its JSON and CSV files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from printkit.core.csv_text import csv_text
from printkit.hexon.layout.stock import StockPart


class HexPlace(Struct, frozen=True, order=True):
    """A cell: row and column from 1 at the far left, axial coordinates, and the address on the map (0304)."""

    row: int
    column: int
    q: int
    s: int
    address: str = ""


class HexTile(Struct, frozen=True, kw_only=True):
    """A piece in layer ``level``, its clockwise ``rotation`` in 60 degree steps, and the ``number`` of a board."""

    piece: str
    level: int
    places: tuple[HexPlace, ...]
    rotation: int = 0
    number: int = 0
    hill: int = 0

    @property
    def label(self) -> str:
        """Return the number of a board, or an empty string for other pieces."""
        return str(self.number) if self.number else ""


class HexMark(Struct, frozen=True, kw_only=True):
    """A feature on a hex."""

    feature: str
    level: int
    place: HexPlace
    label: str = ""


class Link(HexMark, frozen=True, kw_only=True):
    """One hex of a course: ``mask`` has its sides as bits, and ``pattern`` is the smallest mask of all rotations."""

    piece: str
    mask: int
    pattern: int
    rotation: int


class HexCourse(Struct, frozen=True, kw_only=True):
    """A course from cell to cell; ``outer_places`` also has the cells off the map where it enters and leaves."""

    feature: str
    places: tuple[HexPlace, ...]
    label: str = ""
    outer_places: tuple[HexPlace, ...] = ()


class LayerSum(Struct, frozen=True, kw_only=True):
    """The covering of a layer: boards, single hexes, and the most boards that are possible (``bound``).

    Single hexes replace ``withheld`` boards that the user does not own.
    """

    level: int
    boards: int
    singles: int
    bound: int
    withheld: int = 0


class LayoutData(Struct, frozen=True, kw_only=True):
    """The complete data of a layout.

    ``tops`` are all cells in reading order with their surface level and relief. ``cell`` is the width across the flats
    in mm, and ``grain`` is for example ``flat-odd-low``. ``notes`` are sentences for the user.
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
    courses: tuple[HexCourse, ...] = ()
    layers: tuple[LayerSum, ...] = ()
    parts: tuple[StockPart, ...] = ()
    cut: tuple[HexTile, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def flat(self) -> bool:
        """Return whether hexes are flat-topped."""
        return self.grain.startswith("flat")

    @property
    def odd_lags(self) -> bool:
        """Return whether odd columns (from 1) are shifted down, or odd rows to the right."""
        return self.grain in ("flat-odd-low", "pointy-odd-right")

    def levels(self) -> range:
        """Return the levels that pieces, strips and markers use: from 0 for the base to the highest, without gaps."""
        groups: tuple[Iterable[HexTile | HexMark], ...] = (self.tiles, self.links, self.marks)
        return range(max((each.level for group in groups for each in group), default=0) + 1)

    def level_tiles(self, level: int) -> Iterator[HexTile]:
        """Yield the pieces of the layer at a level, 0 for the base."""
        return (tile for tile in self.tiles if tile.level == level)


# --- A Hexon layout as JSON and as CSV tables (HX-54, HX-63) ----------------------------------------------------------

# The format version of the JSON layout.
FORMAT: Final = 1

# The column names of the CSV layout (HX-63).
COLUMNS: Final = ("row", "col", "q", "s", "level", "piece", "rot", "feature", "link_mask", "label", "hex")

# The column names of the parts list.
PARTS: Final = ("piece", "need", "own", "missing", "code", "packets")

# The value of the column ``piece`` for a feature on a hex.
MARKER: Final = "marker"


def layout_json(data: LayoutData) -> str:
    """Return the complete layout as JSON text, with one piece per line.

    Cells are lists of column and row, from 1; ``hexes`` and ``hex`` are addresses on the map. ``rot`` counts 60 degree
    steps clockwise.
    """
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
        "pieces": [_tile_values(tile) for tile in data.tiles],
        "strips": [_link_values(link) for link in data.links],
        "markers": [_mark_values(mark) for mark in data.marks],
        "cut": [_tile_values(tile) for tile in data.cut],
        # Always empty, because hexes that no piece fits are raised (HX-25).
        "unbuildable": [],
    }
    members = [f'  "{name}": {_one_line(value)}' for name, value in head.items()]
    members += [f'  "{name}": {_rows_json(rows)}' for name, rows in lists.items()]
    return "{\n" + ",\n".join(members) + "\n}\n"


def layout_csv(data: LayoutData) -> str:
    """Return every piece, strip and marker as CSV, with one line for each hex and layer.

    The base is first, in reading order. A six-hex board has one line for each hex, with its number in the layer as
    ``label``. ``rot`` counts clockwise 60 degree steps: to the first low side of a slope, from the footprint of a
    board, from the pattern of a strip. ``link_mask`` has bit ``i`` for side ``i``. ``hex`` is the address on the map.
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
    """Return the parts list as CSV: ``piece``, ``need``, ``own``, ``missing``, ``code`` and ``packets``.

    Unknown values are empty.
    """
    rows = ([getattr(part, name) for name in ("name", *PARTS[1:])] for part in data.parts)
    return csv_text([PARTS, *rows])


def _tile_values(tile: HexTile) -> dict[str, Any]:
    """Return the JSON object of a piece: ``piece``, ``level``, ``rot``, ``cells`` and ``hexes``.

    A board has its ``number`` too, and a piece of a hill its ``hill``.
    """
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


def _link_values(link: Link) -> dict[str, Any]:
    """Return the JSON object of a strip on a hex; ``sides`` are the numbers of the sides that it joins, from 0."""
    return {
        "piece": link.piece,
        "feature": link.feature,
        "level": link.level,
        "rot": link.rotation,
        "sides": [side for side in range(link.mask.bit_length()) if link.mask >> side & 1],
        "cell": _address(link.place),
        "hex": link.place.address,
        "label": link.label,
    }


def _mark_values(mark: HexMark) -> dict[str, Any]:
    """Return the JSON object of a marker."""
    position = {"cell": _address(mark.place), "hex": mark.place.address}
    return {"feature": mark.feature, "level": mark.level, **position, "label": mark.label}


def _address(place: HexPlace) -> list[int]:
    """Return a cell as in the record of a battlefield: column, then row."""
    return [place.column, place.row]


def _one_line(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def _rows_json(rows: Sequence[dict[str, Any]]) -> str:
    """Return a list of JSON objects with one on each line."""
    return "[\n" + ",\n".join(f"    {_one_line(row)}" for row in rows) + "\n  ]" if rows else "[]"

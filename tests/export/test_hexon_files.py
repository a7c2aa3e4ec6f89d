"""Files of Hexon layouts, read back by code that knows the formats only and nothing of how they were written."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Collection, Iterator
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hexon_plans import bare, full, plan
from msgspec.structs import replace
from PIL import Image

from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.hexon.files import file_contents, layout_data, layout_notes, part_name
from printkit.hexon.formats.layouts import LAYOUTS
from printkit.hexon.formats.tables import HexMark, LayoutData
from printkit.hexon.formats.tiled import tiled_map
from printkit.hexon.job import SUFFIXES, parse_formats
from printkit.hexon.layout import covering
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.stock import Stock
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import GRAINS, Cell, Grid
from printkit.terrain.gridded.gridplan import CellChain, GridPlan

WORDS = find_words("en")
LINES = (Kind.RIVER, Kind.ROAD, Kind.TRACK, Kind.RAILWAY, Kind.WALL, Kind.DITCH, Kind.RAVINE)
SLOPE = "slope"


@pytest.fixture(scope="module")
def field() -> GridPlan:
    return full()


@pytest.fixture(scope="module")
def layout(field: GridPlan) -> HexonLayout:
    return lay_out(field, SLOPE)


@pytest.fixture(scope="module")
def table(field: GridPlan, layout: HexonLayout) -> LayoutData:
    names = {"river-1": "Old “Brook”", "village-1-6": "Ashby"}
    return layout_data(field, layout, WORDS, title="A field", names=names, stock=Stock(own={"C1": 3}))


def texts(table: LayoutData, formats: Collection[str], *, stem: str) -> dict[str, str]:
    """Return the files of a layout that are texts."""
    return {name: text for name, text in file_contents(table, formats, stem=stem).items() if isinstance(text, str)}


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.clause("HX-54", "HX-05")
def test_json_and_the_parts_list_hold_the_whole_layout(table: LayoutData, layout: HexonLayout) -> None:
    found = json.loads(texts(table, ["json"], stem="f")["f.json"])
    assert found["grid"] == {"shape": "hex", "columns": 9, "rows": 8, "grain": "flat-odd-low", "cell_mm": 100.0}
    assert [(each["piece"], each["level"], each["rot"], each["cells"]) for each in found["pieces"]] == [
        (piece.kind, piece.level, piece.rotation, [list(cell) for cell in piece.cells]) for piece in layout.pieces
    ]
    assert found["counts"] == layout.needs()
    assert len(found["strips"]) == len(layout.strips)
    assert len(found["cut"]) == len(layout.cut)
    assert [each["bound"] - each["boards"] for each in found["layers"]] == [layer.gap for layer in layout.layers]
    rows = read(texts(table, ["csv"], stem="f")["f-parts.csv"])
    assert {row["piece"]: int(row["need"]) for row in rows} == layout.needs()
    slopes = next(row for row in rows if row["piece"] == "C1")
    assert (slopes["own"], int(slopes["missing"])) == ("3", int(slopes["need"]) - 3)
    assert next(row for row in rows if row["piece"] == "boards")["own"] == "0"


@pytest.mark.clause("HX-63")
def test_the_table_has_its_columns_and_a_line_for_each_hex_and_layer(table: LayoutData, layout: HexonLayout) -> None:
    text = texts(table, ["csv"], stem="f")["f.csv"]
    assert text.startswith("row,col,q,s,level,piece,rot,feature,link_mask,label,hex\n")
    rows = read(text)
    base = [(int(row["row"]), int(row["col"])) for row in rows if row["level"] == "0" and row["piece"] == "board"]
    assert base == sorted((cell.row, cell.column) for cell in layout.grid.cells())
    assert {row["label"] for row in rows if row["level"] == "0" and row["piece"] == "board"} == {
        str(number) for number in range(1, 13)
    }
    slopes = {
        (int(row["col"]), int(row["row"]), row["piece"], int(row["rot"])) for row in rows if row["piece"][0] in "ABC"
    }
    assert slopes == {(*piece.cells[0], piece.kind.value, piece.rotation) for piece in layout.pieces
                      if piece.kind not in ("board", "single")}  # fmt: skip
    for row in rows:
        q, s, column = int(row["q"]), int(row["s"]), int(row["col"])
        assert (q, s) == (column - 1, int(row["row"]) - 1 - (q + q % 2) // 2)
        assert row["hex"] == f"{column:02}{int(row['row']):02}"
    rivers = [row for row in rows if row["feature"] == "river"]
    assert {(row["piece"], row["link_mask"]) for row in rivers} == {("straight", str(1 << 1 | 1 << 4))}


_HEX = re.compile(r"(\d\d)(\d\d)\s+(.*)")
_LINE = re.compile(r'((?:\d\d\d\d-)+\d\d\d\d)\s+(\S+)(?:\s+"([^"]+)")?')


def _mapped(text: str) -> tuple[dict[tuple[int, int], str], list[tuple[list[tuple[int, int]], str]], list[str]]:
    """Return hexes with their types, courses, and all other lines, by the grammar of the program."""
    hexes, courses, rest = {}, [], []
    for line in text.splitlines():
        if found := _HEX.fullmatch(line):
            hexes[int(found[1]), int(found[2])] = found[3]
        elif found := _LINE.fullmatch(line):
            courses.append(([(int(each[:2]), int(each[2:])) for each in found[1].split("-")], found[2]))
        else:
            rest.append(line)
    return hexes, courses, rest


def _middle(column: int, row: int) -> tuple[float, float]:
    """Return where text-mapper draws a hex: odd columns half a hex higher; sides are 1 long, y downwards."""
    return 1.5 * column, math.sqrt(3) * (row - column % 2 / 2)


@pytest.mark.clause("HX-61")
@pytest.mark.parametrize("grain", ["flat-odd-low", "flat-odd-high"])
def test_text_mapper_draws_the_same_neighbours(grain: str) -> None:
    field = bare(7, 5, grain)
    made = layout_data(field, lay_out(field), WORDS)
    hexes, _, _ = _mapped(texts(made, ["text-mapper"], stem="f")["f.txt"])
    shift = min(column for column, _ in hexes) - 1
    assert len(hexes) == 35
    for column, row in hexes:
        near = {other for other in hexes if 0 < math.dist(_middle(column, row), _middle(*other)) < 1.8}
        cell = Cell(column - shift, row)
        ours = [field.grid.neighbour(cell, way) for way in range(6)]
        assert near == {(other.column + shift, other.row) for other in ours if other is not None}


@pytest.mark.clause("HX-61")
def test_text_mapper_gets_types_labels_and_courses(table: LayoutData) -> None:
    hexes, courses, rest = _mapped(texts(table, ["text-mapper"], stem="f")["f.txt"])
    assert hexes[7, 1].split()[1:] == ["village", '"Ashby"']
    assert "hill" in hexes[3, 3].split()
    assert "trees" in hexes[7, 3].split()
    assert "mountain" in hexes[5, 8].split()
    assert [kind for _, kind in courses] == ["road", "road", "river"]
    for places, _ in courses:
        assert all(math.dist(_middle(*one), _middle(*other)) < 1.8 for one, other in pairwise(places))
    assert rest[-1] == "include gnomeyland.txt"
    assert all(re.match(r"#|\S+ (path )?attributes \w|\S+ path M|include ", line) for line in rest)
    assert texts(table, ["text-mapper"], stem="f")["f.txt"].count("Old 'Brook'") == 1
    brook = next(course for course in table.courses if course.label)
    marks = (
        *table.marks,
        *(HexMark(place=place, feature="river", level=0, label=brook.label) for place in brook.places),
    )
    labelled = replace(table, marks=marks)
    assert texts(labelled, ["text-mapper"], stem="f")["f.txt"].count("Old 'Brook'") == 1


@pytest.mark.clause("HX-61")
def test_text_mapper_is_told_all_that_its_library_does_not_draw_and_has_no_pointed_tops() -> None:
    """Without a line's own style the program fills it with black; a line runs on to the hexes beyond the map."""
    chain = tuple(Cell(2, row) for row in (1, 2, 3, 4))
    ways = [CellChain(feature=kind.value, kind=kind, cells=chain, enters=0, leaves=3) for kind in LINES]
    field = plan("1...", "....", "..v.", "....", strips=tuple(ways))
    field = replace(field, plots=(replace(field.plots[0], kinds=(Kind.ORCHARD, Kind.ROCKS)), *field.plots[1:]))
    names = {ways[0].feature: 'A "river" & more'}
    data = layout_data(field, lay_out(field), WORDS, names=names)
    lines = texts(data, ["text-mapper"], stem="f")["f.txt"].splitlines()
    styled = {line.split()[0] for line in lines if " path attributes " in line and 'fill="none"' in line}
    drawn = {line.split()[1] for line in lines if re.match(r"\d{4}-", line)}
    assert drawn - styled <= {"river", "trail"}
    assert {"road", "railway", "wall"} <= styled
    signs = {line.split()[0] for line in lines if re.match(r"\w+ path M", line)}
    assert {"orchard", "rocks"} <= signs
    assert all(line.startswith("0300-0301-0302-0303-0304-0305 ") for line in lines if re.match(r"\d{4}-", line))
    assert any(line.endswith("\"A 'river' &amp; more\"") for line in lines)
    field = bare(5, 5, "pointy-odd-right")
    with pytest.raises(UsageError, match="only flat-topped hexes"):
        texts(layout_data(field, lay_out(field), WORDS), ["text-mapper"], stem="f")


def _corner(found: dict[str, Any], column: int, row: int) -> tuple[float, float]:
    """Return the upper left pixel of a tile by the stagger rules of the format; column and row count from 0."""
    wide, tall, side = found["tilewidth"] // 2 * 2, found["tileheight"] // 2 * 2, found["hexsidelength"]
    odd = found["staggerindex"] == "odd"
    if found["staggeraxis"] == "x":
        pitch = (wide - side) / 2 + side
        return column * pitch, row * tall + (tall / 2 if column % 2 == odd else 0)
    pitch = (tall - side) / 2 + side
    return column * wide + (wide / 2 if row % 2 == odd else 0), row * pitch


def _decoded(number: int) -> tuple[int, int]:
    """Return the tile and its turn in degrees clockwise, from the flags of a hexagonal map."""
    horizontal, vertical = bool(number & 0x80000000), bool(number & 0x40000000)
    assert horizontal == vertical, "a mirrored tile"
    turn = 180 * horizontal + 60 * bool(number & 0x20000000) + 120 * bool(number & 0x10000000)
    return number & 0x0FFFFFFF, turn % 360


def _cells(found: dict[str, Any], name: str) -> Iterator[tuple[Cell, int]]:
    layer = next(each for each in found["layers"] if each["name"] == name)
    assert (layer["type"], len(layer["data"])) == ("tilelayer", found["width"] * found["height"])
    for place, number in enumerate(layer["data"]):
        assert 0 <= number < 1 << 32
        if number:
            yield Cell(place % found["width"] + 1, place // found["width"] + 1), number


def _properties(values: list[dict[str, Any]]) -> dict[str, Any]:
    kinds = {"string": str, "int": int, "float": float}
    assert all(isinstance(each["value"], kinds[each["type"]]) for each in values)
    return {each["name"]: each["value"] for each in values}


@pytest.mark.clause("HX-60")
@pytest.mark.parametrize("grain", GRAINS)
def test_tiled_puts_every_hex_where_it_lies(grain: str) -> None:
    field = bare(5, 4, grain)
    grid: Grid = field.grid
    found = json.loads(tiled_map(layout_data(field, lay_out(field), WORDS), image="t.svg").text)
    flat = grain.startswith("flat")
    (tiles,) = found["tilesets"]
    across, down = tiles["columns"], -(-tiles["tilecount"] // tiles["columns"])
    gaps = (across - 1) * tiles["spacing"], (down - 1) * tiles["spacing"]
    assert tiles["imagewidth"] == 2 * tiles["margin"] + across * tiles["tilewidth"] + gaps[0]
    assert tiles["imageheight"] == 2 * tiles["margin"] + down * tiles["tileheight"] + gaps[1]
    assert (found["tilewidth"], found["tileheight"], found["hexsidelength"]) == (
        (116, 100, 58) if flat else (100, 116, 58)
    )
    first = _corner(found, 0, 0)
    origin = grid.centre(Cell(1, 1))
    for cell in grid.cells():
        x, y = _corner(found, cell.column - 1, cell.row - 1)
        right, down = x - first[0], y - first[1]
        true_x, true_y = grid.centre(cell)
        # The pitch is 87 whole pixels, and 86.6 mm; across the other axis a pixel is a millimetre.
        across, along = (86.6025 / 87, 1.0) if flat else (1.0, 86.6025 / 87)
        assert (right * across, down * along) == pytest.approx((true_x - origin[0], origin[1] - true_y), abs=0.01)


@pytest.mark.clause("HX-60", "HX-26")
@pytest.mark.parametrize("grain", ["flat-odd-low", "pointy-odd-left"])
def test_tiled_turns_slopes_and_strips_onto_their_sides(grain: str) -> None:
    field = plan(*("." * 7,) * 2, "..11...", "...1...", *("." * 7,) * 2, grain=grain)
    layout = lay_out(field, SLOPE)
    found = json.loads(tiled_map(layout_data(field, layout, WORDS), image="t.svg").text)
    (tileset,) = found["tilesets"]
    tiles = {tile["id"] + tileset["firstgid"]: _properties(tile["properties"]) for tile in tileset["tiles"]}
    slopes = {piece.cells[0]: piece for piece in layout.layers[1].pieces if piece.kind not in ("board", "single")}
    seen = set()
    for cell, number in _cells(found, "level 1"):
        tile, turn = _decoded(number)
        if cell in slopes:
            low = {side for side in range(6) if tiles[tile]["sides"] >> side & 1}
            turned = {(side + turn // 60) % 6 for side in low}
            count = {"A1": 1, "B1": 2, "C1": 3}[tiles[tile]["kind"]]
            assert turned == {(slopes[cell].rotation + i) % 6 for i in range(count)}
            seen.add(turn)
    assert seen == {0, 60, 120, 180, 240, 300}


@pytest.mark.clause("HX-60", "HX-51")
def test_tiled_layers_hold_all_of_a_layout(table: LayoutData, layout: HexonLayout) -> None:
    found = json.loads(tiled_map(table, image="t.svg").text)
    (tileset,) = found["tilesets"]
    tiles = {tile["id"] + tileset["firstgid"]: _properties(tile["properties"]) for tile in tileset["tiles"]}
    masks = {}
    for cell, number in _cells(found, "road 0"):
        tile, turn = _decoded(number)
        masks[cell] = sum(1 << (side + turn // 60) % 6 for side in range(6) if tiles[tile]["sides"] >> side & 1)
    assert masks == {piece.cell: piece.mask for piece in layout.strips if piece.kind == "road"}
    marks = {cell: tiles[number]["kind"] for cell, number in _cells(found, "markers 0")}
    assert marks == {mark.cell: mark.kind for mark in layout.markers}
    identities = [layer["id"] for layer in found["layers"]]
    assert sorted(set(identities)) == sorted(identities)
    assert found["nextlayerid"] > max(identities)
    assert (tileset["imagewidth"] // tileset["tilewidth"], tileset["tilecount"]) == (tileset["columns"], len(tiles))


@pytest.mark.clause("HX-60", "HX-02")
@pytest.mark.parametrize("grain", ["flat-odd-low", "flat-odd-high", "pointy-odd-right"])
def test_tiled_has_the_outline_of_every_board(grain: str) -> None:
    field = bare(6, 6, grain)
    layout = lay_out(field)
    found = json.loads(tiled_map(layout_data(field, layout, WORDS), image="t.svg").text)
    objects = next(each for each in found["layers"] if each["type"] == "objectgroup")["objects"]
    boards = [piece for piece in layout.pieces if piece.kind == "board"]
    assert len(objects) == len(boards) == 6
    for thing, board in zip(objects, boards, strict=True):
        points = [(thing["x"] + point["x"], thing["y"] + point["y"]) for point in thing["polygon"]]
        doubled = sum(
            x * next_y - next_x * y for (x, y), (next_x, next_y) in zip(points, points[1:] + points[:1], strict=True)
        )
        assert abs(doubled) / 2 == 6 * 87 * 100
        corners = [_corner(found, cell.column - 1, cell.row - 1) for cell in board.cells]
        assert min(x for x, _ in points) == min(x for x, _ in corners)
        assert min(y for _, y in points) == min(y for _, y in corners)
        assert _properties(thing["properties"]) == {
            "cells": " ".join(f"{cell.column:02}{cell.row:02}" for cell in board.cells),
            "kind": "board",
            "rot": board.rotation,
        }
    assert found["nextobjectid"] == len(objects) + 1


@pytest.mark.clause("HX-60")
@pytest.mark.parametrize("grain", ["flat-odd-low", "pointy-odd-right"])
def test_the_picture_of_the_tiles_is_as_large_as_the_map_says(grain: str) -> None:
    field = plan("....", ".11.", "..v.", "....", grain=grain)
    files = file_contents(layout_data(field, lay_out(field), WORDS), ["tiled"], stem="t")
    tileset = json.loads(files["t.tmj"])["tilesets"][0]
    assert tileset["image"] == "t-tiles.png"
    drawn = files["t-tiles.png"]
    assert isinstance(drawn, bytes)
    picture = Image.open(BytesIO(drawn))
    assert (picture.mode, picture.size) == ("RGBA", (tileset["imagewidth"], tileset["imageheight"]))
    wide, tall = tileset["tilewidth"], tileset["tileheight"]
    for number in range(tileset["tilecount"]):
        left, top = number % tileset["columns"] * wide, number // tileset["columns"] * tall
        tile = picture.crop((left, top, left + wide, top + tall))
        cover = tile.getchannel("A")
        assert cover.getpixel((0, 0)) == 0
        assert cover.getbbox() is not None
    assert ElementTree.fromstring(files["t-tiles.svg"]).tag.endswith("svg")


def test_pytiled_parser_reads_the_map_and_pillow_its_picture(tmp_path: Path) -> None:
    parser = pytest.importorskip("pytiled_parser")
    field = plan("....", ".11.", "..v.", "....")
    for name, content in file_contents(layout_data(field, lay_out(field), WORDS), ["tiled"], stem="t").items():
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    found = parser.parse_map(tmp_path / "t.tmj")
    assert (found.map_size.width, found.map_size.height, found.orientation) == (4, 4, "hexagonal")
    (tiles,) = found.tilesets.values()
    with Image.open(tmp_path / tiles.image) as picture:
        assert picture.size == (tiles.image_width, tiles.image_height)


@pytest.mark.clause("HX-31", "HX-32", "HX-50", "HX-28")
@pytest.mark.parametrize("language", ["en", "es", "en+es"])
def test_everything_that_a_person_has_to_know_is_said(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "NODE_LIMIT", 1)
    field = plan("1......", ".......", "..1v..1", ".......", "..1....", ".......", "......2")
    words = find_words(language)
    layout = lay_out(field, SLOPE, Stock(own={"C1": 8, "boards": 8}))
    said = list(layout_notes(layout, words))
    assert any("0303" in line and "0403" in line for line in said)
    assert any("C" in line and "1" in line for line in said)
    assert len(said) == len(set(said))
    assert not any("{" in line for line in said)


@pytest.mark.clause("HX-32", "HX-31")
def test_shortages_and_gaps_are_said_with_their_bounds_and_what_would_help(monkeypatch: pytest.MonkeyPatch) -> None:
    field = plan(".....", ".....", "..1..", ".....", ".....")
    own = {"C1": 5, "boards": 2, "singles": 10}
    stock = Stock(own=own, packs={"singles": 10, "boards": 21})
    said = list(layout_notes(lay_out(field, SLOPE, stock), WORDS, stock))
    assert "Hill 1 (hex 0303) has vertical sides: its slopes would need 6 × slope C, one level, and you own 5." in said
    more = "You need 14 × single hex and own 10. Get 4 more{}, or six-hex boards instead: 1{}."
    assert more.format(" (packets: 1)", " (packets: 1)") in said
    assert more.format("", "") in list(layout_notes(lay_out(field, SLOPE, Stock(own=own)), WORDS, Stock(own=own)))
    nothing = list(layout_notes(lay_out(field, SLOPE, Stock()), WORDS, Stock()))
    assert nothing[-1].startswith(
        "Your stock file does not list these, so you own none: six-hex board (boards); single hex (singles);"
    )
    assert not any(line.startswith("You need") for line in nothing[:-1])
    field = bare(13, 9)
    monkeypatch.setattr(covering, "NODE_LIMIT", 50)
    layout = lay_out(field)
    assert layout.gap
    laid = layout.layers[0]
    assert any(f"{laid.boards} boards" in line and str(laid.bound) in line for line in layout_notes(layout, WORDS))
    needs = lay_out(full(), SLOPE).needs()
    assert {part_name(name, WORDS) for name in needs} >= {"six-hex board", "Road, junction", "River, straight"}


def test_formats_and_endings_are_known_in_any_letters_and_no_others(table: LayoutData) -> None:
    assert list(file_contents(table, LAYOUTS, stem="f")) == [
        *("f.json", "f.csv", "f.txt", "f.tmj", "f-tiles.png", "f-tiles.svg", "f-parts.csv")
    ]
    with pytest.raises(UsageError, match=r"unknown format 'uvtt'; use one of pdf, json, csv, text-mapper, tiled$"):
        parse_formats(["json", "uvtt"])
    assert parse_formats(["CSV", "pdf", "csv"]) == ("csv", "pdf")
    assert parse_formats([]) == ("pdf", "json", "csv")
    for layout in LAYOUTS.values():
        assert f"f.{layout.ending}" in layout.contents(table, "f")
        assert layout.ending in SUFFIXES

"""What is cut to lie on tiles: all that no tile shows, once, as large as the tiles, and meeting from hex to hex."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace
from shapely import LineString, Point, Polygon

from printkit.api import generate
from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.drawing.canvas.items import GRID, LayerName
from printkit.drawing.canvas.items import Path as DrawnPath
from printkit.drawing.text.drafter import Drafter
from printkit.hexon.layout.layout import HexonLayout, lay_out
from printkit.hexon.layout.pieces import direction_of
from printkit.hexon.layout.stock import Stock, strip_key
from printkit.hexon.layout.strips import StripName
from printkit.hexon.overlays import PaperPiece, draw_overlays
from printkit.kit.registry import find as find_system
from printkit.options.printing import PrintOptions
from printkit.recipes.output.handout import HandoutContext
from printkit.recipes.output.printers import print_context
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, HexGrid
from printkit.terrain.gridded.cell_courses import course_width
from printkit.terrain.gridded.gridplan import build_plan

WORDS = find_words("en")


@pytest.fixture(scope="module")
def drafter() -> Drafter:
    order = print_context(PrintOptions(style="ink-saver"), WORDS)
    return HandoutContext.from_record(
        generate("portable-2", seed=3).record, find_system("portable-2"), order
    ).map_drafter()


@pytest.fixture(scope="module")
def layout() -> HexonLayout:
    return lay_out(build_plan(generate("portable-2", seed=3).record.battlefield))


@pytest.fixture(scope="module")
def made(layout: HexonLayout, drafter: Drafter) -> tuple[PaperPiece, ...]:
    return draw_overlays(layout, drafter, WORDS)


def cut_line(overlay: PaperPiece) -> Polygon:
    """Return the line to cut along, in mm from the lower left corner of the piece."""
    (layer,) = [each for each in overlay.drawing.layers if each.clip is None and each.items][-1:]
    (path,) = [item for item in layer.items if isinstance(item, DrawnPath) and item.stroke is not None][-1:]
    points = path.runs[0].points
    return Polygon([(x * GRID, y * GRID) for x, y in zip(points[::2], points[1::2], strict=True)])


def test_all_that_no_tile_shows_is_cut_once_as_large_as_its_tile(
    layout: HexonLayout, made: tuple[PaperPiece, ...]
) -> None:
    taken = {strip.cell for strip in layout.strips} | {marker.cell for marker in layout.markers}
    assert sorted(each.cell for each in made) == sorted(taken)
    marked = {marker.cell for marker in layout.markers}
    for each in made:
        strips = [strip for strip in layout.strips if strip.cell == each.cell]
        lone = each.cell not in marked and len(strips) == 1
        assert each.strip == (strip_key(strips[0].kind, strips[0].name) if lone else "")
        assert each.title
    one = HexGrid(1, 1, layout.grid.cell, "flat-odd-low")
    for each in made:
        shape = cut_line(each)
        if not each.strip:
            assert (each.drawing.width, each.drawing.height) == (pytest.approx(200.0 / 3**0.5), pytest.approx(100.0))
            assert shape.area == pytest.approx(Polygon(one.corners(Cell(1, 1))).area, rel=1e-4)
        elif each.strip.endswith(StripName.STRAIGHT):
            assert each.drawing.height == pytest.approx(100.0, abs=0.02)
            assert each.drawing.width == pytest.approx(each.drawing.height * shape.area / 1e4, rel=0.02)
    shapes: dict[str, set[str]] = {}
    for each in made:
        if each.strip:
            shapes.setdefault(each.strip, set()).add(cut_line(each).wkt)
    assert len(shapes) > 2
    assert all(len(found) == 1 for found in shapes.values())


def test_a_course_leaves_by_the_middles_of_its_sides(layout: HexonLayout, made: tuple[PaperPiece, ...]) -> None:
    one = HexGrid(1, 1, layout.grid.cell, "flat-odd-low")
    corners = one.corners(Cell(1, 1))
    mixed = [strip for strip in layout.strips for each in made if each.cell == strip.cell and not each.strip]
    roads = [strip for strip in mixed if strip.kind is Kind.ROAD]
    assert roads
    for strip in roads:
        (overlay,) = [each for each in made if each.cell == strip.cell]
        drawn = [
            LineString([(x * GRID, y * GRID) for x, y in zip(run.points[::2], run.points[1::2], strict=True)])
            for layer, item in overlay.drawing.items()
            if layer.name is LayerName.CASING and isinstance(item, DrawnPath)
            for run in item.runs
        ]
        near = course_width(one, Kind.ROAD) / 2 + 1.0
        for side in strip.sides:
            at = direction_of(layout.grid, side)
            (x, y), (to_x, to_y) = corners[at], corners[(at + 1) % 6]
            assert min(line.distance(Point((x + to_x) / 2, (y + to_y) / 2)) for line in drawn) < near


def test_of_what_a_person_owns_nothing_is_cut(layout: HexonLayout, drafter: Drafter) -> None:
    roads = tuple(strip for strip in layout.strips if strip.kind is Kind.ROAD)
    layout = replace(layout, markers=(), strips=roads)
    lone = [each.strip for each in draw_overlays(layout, drafter, WORDS) if each.strip]
    name = max(set(lone), key=lone.count)
    count = lone.count(name)
    for own, left in ((count - 1, 1), (count, 0)):
        found = [each.strip for each in draw_overlays(layout, drafter, WORDS, Stock(own={name: own}))]
        assert found.count(name) == left


def test_the_command_prints_them_and_says_where_nothing_is_to_be_cut(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["hexon", "--rules", "portable-1", "--seed", "1", "--set", "river=0", "--set", "road=0", "--set", "trees=0"]
    given += ["--set", "settlements=0", "--set", "villages=0", "--set", "towns=0", "--overlays", "--lang", "en"]
    assert run([*given, "--out", "out"]) == 2
    assert "--overlays: nothing to cut" in capsys.readouterr().err
    assert not (table / "out").exists()
    given = ["hexon", "--rules", "portable-2", "--seed", "3", "--overlays", "--style", "ink-saver", "--lang", "es"]
    assert run([*given, "--out", "out"]) == 0
    assert "hexon-to-cut.pdf      8 hojas de A4" in capsys.readouterr().err
    (sheets,) = (table / "out").glob("*-to-cut.pdf")
    document = pypdfium2.PdfDocument(sheets)
    assert len(document) == 8
    text = document[0].get_textpage().get_text_range()
    assert "Para recortar y poner sobre las losetas".lower() in text.lower()
    (plans,) = (path for path in (table / "out").glob("*.pdf") if path != sheets)
    last = pypdfium2.PdfDocument(plans)
    assert "hojas para recortar: 14 tiras, 15 hexágonos" in last[len(last) - 1].get_textpage().get_text_range()

"""Fields for other programs, read back by readers that are not ours where there are any."""

from __future__ import annotations

import json
import re
import sqlite3
from base64 import b64decode
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import numpy as np
import pyogrio.raw
import pytest
import shapely
from PIL import Image
from red_squares import fifty, grid_with, on_grid, seen

from printkit.api import generate
from printkit.cli.app import run
from printkit.core.words import find_words as language
from printkit.export.field_shapes import HAIR, cut_lines, load_kind_looks, width_mm
from printkit.export.geopackage import geopackage
from printkit.export.tabletop_simulator import board_object
from printkit.export.universal_vtt import universal_vtt
from printkit.export.writers import BoardPicture
from printkit.kit.registry import find
from printkit.options.printing import MapOptions
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.features import KIND_ROWS, Kind
from printkit.terrain.field.grids import GRAINS
from printkit.terrain.field.record import Record, record_parts, write


def structure(required: Sequence[str], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object."""
    return {"type": "object", "required": required, "properties": properties}


LISTED = {"type": "array"}
POINT = structure(["x", "y"], x={"type": "number"}, y={"type": "number"})
RUNS = {**LISTED, "items": {**LISTED, "minItems": 2, "items": POINT}}
UVTT = structure(
    ["format", "resolution", "line_of_sight", "portals", "environment", "lights", "image"],
    format={"const": 0.3},
    resolution=structure(
        ["map_origin", "map_size", "pixels_per_grid"],
        map_origin=POINT,
        map_size=POINT,
        pixels_per_grid={"type": "integer", "minimum": 1},
    ),
    line_of_sight=RUNS,
    objects_line_of_sight=RUNS,
    portals=LISTED,
    environment=structure(
        [], baked_lighting={"type": "boolean"}, ambient_light={"type": "string", "pattern": "^[0-9a-f]{8}$"}
    ),
    lights=LISTED,
    image={"type": "string", "contentEncoding": "base64"},
)
"""What importers of Universal VTT take."""


@pytest.fixture(scope="module")
def record() -> Record:
    return generate("brantley", seed=3).record


@pytest.fixture
def picture() -> BoardPicture:
    kept = BytesIO()
    Image.new("RGB", (480, 480), "white").save(kept, "PNG")
    return BoardPicture(data=kept.getvalue(), size=(480, 480), pixels=20, cell=25.4)


def test_every_kind_has_its_inks() -> None:
    for kind in Kind:
        assert all(load_kind_looks().inks(kind.value))
    assert set(KIND_ROWS) == set(Kind)


def test_a_geopackage_and_a_record_are_read_back_with_the_same_shapes(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "field.gpkg"
    path.write_bytes(geopackage(record))
    parts, board = [*record_parts(record)], record.battlefield.board
    kinds = {each.properties["kind"] for each in parts}
    layers = {str(name): str(kind) for name, kind in pyogrio.list_layers(path)}
    assert set(layers) - {"layer_styles"} == {"board", "contours", "overlays", *kinds}
    for kind in kinds:
        meta, _, shapes, columns = pyogrio.raw.read(path, layer=kind)
        own = [each for each in parts if each.properties["kind"] == kind]
        assert list(columns[list(meta["fields"]).index("id")]) == [each.id for each in own]
        for found, due in zip(shapely.from_wkb(shapes), own, strict=True):
            assert found.equals_exact(due.shapes[0], 0.0)
        assert "millimetre" in meta["crs"]
    bounds = pyogrio.read_bounds(path, layer="board")[1].ravel().tolist()
    assert bounds == pytest.approx([0, 0, board.width, board.depth])
    path = tmp_path / "field.geojson"
    path.write_text(write(record), encoding="utf-8")
    meta, _, shapes, _ = pyogrio.raw.read(path)
    assert meta["crs"] == "EPSG:3857"
    due = shapely.total_bounds([each.shapes[0] for each in parts])
    assert shapely.total_bounds(shapely.from_wkb(shapes)).tolist() == due.tolist()


def test_a_geopackage_has_styles_of_our_inks_and_holds_no_day_and_no_machine(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "field.gpkg"
    path.write_bytes(geopackage(record))
    with sqlite3.connect(path) as base:
        styles = dict(base.execute("SELECT f_table_name, styleQML FROM layer_styles"))
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA application_id").fetchone() == (0x47504B47,)
    parts = [*record_parts(record)]
    for kind in {each.properties["kind"] for each in parts}:
        ground, _ = load_kind_looks().inks(kind)
        root = ElementTree.fromstring(styles[kind].partition("\n")[2])
        values = {option.get("value") for option in root.iter("Option")}
        assert f"{ground.red},{ground.green},{ground.blue},255" in values or kind == "steep_slope"
    river = next(each for each in parts if each.properties["kind"] == "river")
    assert f'value="{width_mm(river):g}"' in styles["river"]
    written = geopackage(record)
    assert written == geopackage(record)
    assert written[96:100] == bytes(4)
    assert written.startswith(b"SQLite format 3\0")


SVG = "{http://www.w3.org/2000/svg}"


def outline(path: str, depth: float) -> shapely.Polygon:
    points = [tuple(map(float, each.split(","))) for each in re.findall(r"-?[\d.]+,-?[\d.]+", path)]
    return shapely.Polygon([(x, depth - y) for x, y in points])


def cut(root: ElementTree.Element, layer: str) -> Iterator[tuple[str, list[str]]]:
    (group,) = [each for each in root.iter(f"{SVG}g") if each.get("id") == layer]
    for each in group.findall(f"{SVG}g"):
        yield str(each.get("id")), [str(path.get("d")) for path in each]


def test_cut_lines_are_the_outlines_in_millimetres_or_larger_by_half_a_kerf(record: Record) -> None:
    parts, board, root = [*record_parts(record)], record.battlefield.board, ElementTree.fromstring(cut_lines(record))
    assert (root.get("width"), root.get("height")) == (f"{board.width:g}mm", f"{board.depth:g}mm")
    assert root.get("viewBox") == f"0 0 {board.width:g} {board.depth:g}"
    pieces = dict(cut(root, "cut"))
    assert list(pieces)[-1] == "board"
    hill = next(each for each in parts if len(each.shapes) > 1)
    levels = [name for name in pieces if name.startswith(f"{hill.id}-")]
    assert len(levels) == len(hill.shapes)
    for name, due in zip(levels, hill.shapes, strict=True):
        assert outline(pieces[name][0], board.depth).symmetric_difference(due).area < 0.5
    assert all(path.endswith("Z") for paths in pieces.values() for path in paths)
    faces = {each.id for each in parts if each.properties["kind"] == "steep_slope"}
    assert dict(cut(root, "score")).keys() == faces
    assert all(
        each.get("stroke-width") == str(HAIR) for each in root.iter(f"{SVG}g") if each.get("id") in ("cut", "score")
    )
    names = {each.text for each in root.iter(f"{SVG}text")}
    assert {str(each.properties["name"]) for each in parts if each.properties.get("name")} <= names
    wood = next(each for each in parts if each.properties["kind"] == "heavy_woods")
    plain, wide = (
        outline(dict(cut(ElementTree.fromstring(cut_lines(record, kerf=kerf)), "cut"))[wood.id][0], board.depth)
        for kerf in (0.0, 2.0)
    )
    assert wide.area - plain.area == pytest.approx(plain.length, rel=0.1)
    assert wide.hausdorff_distance(plain) == pytest.approx(1.0, abs=0.05)


@pytest.mark.clause("HX-62")
def test_universal_vtt_keeps_its_schema_and_what_hides_is_a_wall(record: Record, picture: BoardPicture) -> None:
    document = json.loads(universal_vtt(record, picture))
    jsonschema.validate(document, UVTT)
    size = document["resolution"]["map_size"]
    assert (size["x"] * 20, size["y"] * 20) == picture.size
    assert b64decode(document["image"]) == picture.data
    hiding = [each for each in record_parts(record) if _hides(each.properties["kind"])]
    wood = next(each for each in hiding if each.properties["kind"] == "heavy_woods")
    run_ = document["line_of_sight"][hiding.index(wood)]
    wall = shapely.Polygon([(each["x"] * 25.4, 609.6 - each["y"] * 25.4) for each in run_])
    assert wall.symmetric_difference(wood.shapes[0]).area < 0.02 * wood.shapes[0].area


def _hides(kind: str) -> bool:
    return kind in load_kind_looks().sight | load_kind_looks().crests


@pytest.mark.clause("HX-65")
def test_a_saved_object_has_the_board_at_an_inch_a_unit(record: Record, picture: BoardPicture) -> None:
    saved = json.loads(board_object(record, picture, "file:///maps/field.tts.png"))
    (board,) = saved["ObjectStates"]
    assert saved["SaveName"] == board["Nickname"] == record.battlefield.title
    assert board["Name"] == "Custom_Tile"
    assert board["CustomImage"]["ImageURL"] == "file:///maps/field.tts.png"
    assert board["CustomImage"]["CustomTile"] == {"Type": 0, "Thickness": 0.1, "Stackable": False, "Stretch": True}
    # A tile of scale 1 is two units wide.
    assert board["Transform"]["scaleX"] * 2 == board["Transform"]["scaleZ"] * 2 == 24.0
    assert board["Locked"]


@pytest.mark.parametrize("grain", [*GRAINS, "square", "free"])
@pytest.mark.clause("HX-62", "HX-65")
def test_cells_of_the_file_meet_the_cells_of_its_picture(grain: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Middles of fifty cells, from the file's own grid, within a pixel of those in the picture that it holds."""
    system = find("portable-2")
    grid = grid_with(grain)
    record = on_grid(generate("portable-2", seed=5).record, grid, free=grain == "free")
    places, board = fifty(grid)
    monkeypatch.setattr(exact_picture, "board_picture", lambda *_: board)
    found = exact_picture.field_picture(record, system, map_context(MapOptions(), language("en")))
    document = json.loads(universal_vtt(record, found))
    tile = json.loads(board_object(record, found, ""))["ObjectStates"][0]
    with Image.open(BytesIO(b64decode(document["image"]))) as opened:
        shown = np.asarray(opened.convert("RGB"))
    resolution = document["resolution"]
    to_pixels = resolution["pixels_per_grid"] / (25.4 if grain == "free" else grid.cell)
    assert shown.shape[1::-1] == (
        resolution["map_size"]["x"] * resolution["pixels_per_grid"],
        resolution["map_size"]["y"] * resolution["pixels_per_grid"],
    )
    assert tile["Transform"]["scaleZ"] * 2 * 25.4 * to_pixels == pytest.approx(shown.shape[0], abs=0.01)
    for x, y in places:
        right, down = x * to_pixels, (grid.depth - y) * to_pixels
        assert seen(shown, right, down, 12) == pytest.approx((right, down), abs=1.0)


def test_the_command_writes_fields_for_other_programs_and_pictures_elsewhere(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["map", "--seed", "3", "--lang", "en", "--dressing", "none", "--style", "ink-saver"]
    to = [each for name in ("gpkg", "svg-cut", "uvtt", "tts") for each in ("--to", name)]
    assert run([*given, *to, "--kerf", "0.2mm", "--dpi", "10/cell", "--out", "f.dd2vtt"]) == 0
    said = capsys.readouterr().err
    names = ["f.cut.svg", "f.dd2vtt", "f.gpkg", "f.json", "f.tts.json", "f.tts.png"]
    assert sorted(path.name for path in table.iterdir()) == names
    assert all(name in said for name in names if name != "f.json")
    assert json.loads((table / "f.dd2vtt").read_text(encoding="utf-8"))["line_of_sight"]
    image = json.loads((table / "f.tts.json").read_text(encoding="utf-8"))["ObjectStates"][0]["CustomImage"]["ImageURL"]
    assert image == (table / "f.tts.png").resolve().as_uri()
    with Image.open(table / "f.tts.png") as opened:
        assert opened.size == (240, 240)
    given = ["map", "--seed", "3", "--dressing", "none", "--style", "ink-saver", "--dpi", "4/cell", "--quiet"]
    assert run([*given, "--to", "tts", "--url-base", "https://example.org/maps", "--out", "a field.tts.json"]) == 0
    saved = json.loads((table / "a field.tts.json").read_text(encoding="utf-8"))
    assert saved["ObjectStates"][0]["CustomImage"]["ImageURL"] == "https://example.org/maps/a%20field.tts.png"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--to", "svg-cut", "--kerf", "9mm"], "--kerf 9mm is not valid; use 0mm to 5mm"),
        (["--to", "tts", "--out", "-"], "--out - writes a single file, but tts has several; name a folder"),
    ],
)
def test_what_cannot_be_is_told(given: list[str], said: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "--seed", "3", "--lang", "en", *given]) == 2
    assert said in capsys.readouterr().err
    assert list(table.iterdir()) == []


def test_a_program_saves_a_field_for_others(tmp_path: Path) -> None:
    field = generate("brantley", seed=3)
    assert field.save(tmp_path / "a.gpkg").read_bytes() == geopackage(field.record)
    assert field.save(tmp_path / "a.cut.svg").read_bytes() == cut_lines(field.record)
    assert field.save(tmp_path / "b.json").read_text(encoding="utf-8") == field.geojson
    assert field.save(tmp_path / "folder").parent == tmp_path / "folder" / "records"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.cut.svg", "a.gpkg", "b.json", "folder"]

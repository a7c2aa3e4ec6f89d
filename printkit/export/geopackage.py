"""A record as a GeoPackage: one layer for each kind, in mm, with styles for QGIS (OGC 12-128r18)."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Final
from xml.sax.saxutils import quoteattr

import shapely
from shapely.geometry.base import BaseGeometry

from printkit.drawing.canvas.items import Ink
from printkit.export.field_shapes import board_outline, load_kind_looks, width_mm
from printkit.terrain.field.record import Record, overlay_properties, record_parts
from printkit.terrain.field.record_features import FeaturePart

# ID of the board's reference system in the file; lower IDs belong to published systems.
PLANE: Final = 100000

_WKT: Final = 'LOCAL_CS["board, millimetres",UNIT["millimetre",0.001],AXIS["x",EAST],AXIS["y",NORTH]]'
_SYSTEMS: Final = (
    ("WGS 84 geodetic", 4326, "EPSG", 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,'
     '298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]'),
    ("Undefined Cartesian SRS", -1, "NONE", -1, "undefined"),
    ("Undefined geographic SRS", 0, "NONE", 0, "undefined"),
    ("The plane of the board", PLANE, "NONE", PLANE, _WKT),
)  # fmt: skip

_GPKG: Final = 0x47504B47
_VERSION: Final = 10300

# The time of change in the file: constant, so that the same record always gives the same bytes.
_CHANGE_TIME: Final = "1970-01-01T00:00:00.000Z"

# Position of the SQLite release number, which differs between machines and is not needed.
_SQLITE_RELEASE: Final = slice(96, 100)

_SCHEMA: Final = """
CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER PRIMARY KEY, organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
  description TEXT DEFAULT '', last_change DATETIME NOT NULL, min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE,
  srs_id INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
  geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
CREATE TABLE layer_styles (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, f_table_catalog TEXT, f_table_schema TEXT,
  f_table_name TEXT, f_geometry_column TEXT, styleName TEXT, styleQML TEXT, styleSLD TEXT, useAsDefault BOOLEAN,
  description TEXT, owner TEXT, ui TEXT, update_time DATETIME);
"""

_OVERLAYS: Final = "overlays"
_EDGE: Final = "board"
_CONTOURS: Final = "contours"


def geopackage(record: Record) -> bytes:
    """Return a record as a GeoPackage file; equal records give equal bytes.

    Each kind of feature is one layer. ``contours`` has the contours of hills, ``overlays`` the marks of the rules,
    ``board`` the edge of the board. The column ``properties`` has all data of a feature as JSON.
    """
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        database.execute(f"PRAGMA application_id = {_GPKG}")
        database.execute(f"PRAGMA user_version = {_VERSION}")
        database.executescript(_SCHEMA)
        database.executemany("INSERT INTO gpkg_spatial_ref_sys VALUES (?, ?, ?, ?, ?, NULL)", _SYSTEMS)
        for name, parts in _iter_layers(record):
            _add_layer(database, name, parts)
        content = bytearray(database.serialize())
    content[_SQLITE_RELEASE] = struct.pack(">I", 0)
    return bytes(content)


def _iter_layers(record: Record) -> Iterator[tuple[str, Sequence[FeaturePart]]]:
    """Yield name and parts of each layer that has parts, the lowest first: edge, kinds, contours, overlays.

    Levels of contours count from 2. Shapes are in mm on the board.
    """
    field = record.battlefield
    yield _EDGE, [FeaturePart(_EDGE, (board_outline(field.board),), {"kind": _EDGE, "name": field.title})]
    layers: dict[str, list[FeaturePart]] = {}
    contours: list[FeaturePart] = []
    for part in record_parts(record):
        kind = part.properties["kind"]
        layers.setdefault(kind, []).append(part)
        for level, contour in enumerate(part.shapes[1:], 2):
            properties = {"kind": kind, "of": part.id, "level": level}
            contours.append(FeaturePart(f"{part.id}-{level}", (contour,), properties))
    yield from layers.items()
    overlays = [
        FeaturePart(str(number), (overlay.shape,), overlay_properties(overlay))
        for number, overlay in enumerate(field.overlays, 1)
    ]
    for name, parts in ((_CONTOURS, contours), (_OVERLAYS, overlays)):
        if parts:
            yield name, parts


def _add_layer(database: sqlite3.Connection, name: str, parts: Sequence[FeaturePart]) -> None:
    """Write a layer with its parts and its style into the database.

    ``name`` is the name of its table. There is at least one part, with its shape in mm on the board.
    """
    shapes = [part.shapes[0] for part in parts]
    types = {shape.geom_type for shape in shapes}
    kind = types.pop().upper() if len(types) == 1 else "GEOMETRY"
    database.execute(
        f'CREATE TABLE "{name}" (fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom {kind}, id TEXT, kind TEXT,'
        " name TEXT, going TEXT, width_mm DOUBLE, properties TEXT)"
    )
    bounds = shapely.total_bounds(shapes).tolist()
    database.execute(
        "INSERT INTO gpkg_contents VALUES (?, 'features', ?, '', ?, ?, ?, ?, ?, ?)",
        (name, name, _CHANGE_TIME, *bounds, PLANE),
    )
    database.execute("INSERT INTO gpkg_geometry_columns VALUES (?, 'geom', ?, ?, 0, 0)", (name, kind, PLANE))
    database.executemany(
        f'INSERT INTO "{name}" (geom, id, kind, name, going, width_mm, properties) VALUES (?, ?, ?, ?, ?, ?, ?)',
        [_build_row(part) for part in parts],
    )
    database.execute(
        "INSERT INTO layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, styleName,"
        " styleQML, styleSLD, useAsDefault, description, owner, ui, update_time)"
        " VALUES ('', '', ?, 'geom', ?, ?, '', 1, '', '', NULL, ?)",
        (name, name, _layer_style(name, kind, parts), _CHANGE_TIME),
    )


def _build_row(part: FeaturePart) -> tuple[object, ...]:
    """Return the values of the columns of a part, without its number."""
    properties = dict(part.properties)
    kind = properties.pop("kind")
    text = json.dumps(properties, ensure_ascii=False, sort_keys=True)
    name, going = properties.get("name"), properties.get("going")
    return _encode_geometry(part.shapes[0]), part.id, kind, name, going, width_mm(part) or None, text


def _encode_geometry(ground: BaseGeometry) -> bytes:
    """Return a shape in mm on the board as a GeoPackage geometry: bounds, then well-known binary."""
    flags = 0b00000011  # little-endian, an envelope of x and y
    bounds = ground.bounds
    head = struct.pack("<2sBBi4d", b"GP", 0, flags, PLANE, bounds[0], bounds[2], bounds[1], bounds[3])
    return head + bytes(shapely.to_wkb(ground, byte_order=1, include_srid=False))


# --- Styles for QGIS --------------------------------------------------------------------------------------------------

_SYMBOL: Final = (
    '<!DOCTYPE qgis PUBLIC "http://mrcc.com/qgis.dtd" "SYSTEM">\n<qgis version="3.0.0" styleCategories="Symbology">'
    '<renderer-v2 type="singleSymbol"><symbols><symbol name="0" type="{type}" alpha="1">{layer}</symbol></symbols>'
    "</renderer-v2></qgis>"
)


def _layer_style(name: str, kind: str, parts: Sequence[FeaturePart]) -> str:
    """Return the QGIS style of a layer as XML: fill and line in printkit's inks.

    ``name`` is that of the layer; the board edge and overlays are black. Linear features are drawn at their width.
    ``kind`` is the geometry type of the layer, for example ``POLYGON``; for mixed types the style is empty.
    """
    ground, line = None, Ink(0, 0, 0)
    if name not in (_EDGE, _OVERLAYS):
        ground, line = load_kind_looks().inks(parts[0].properties["kind"])
    if kind == "POINT":
        return _build_symbol(
            "marker", "SimpleMarker", color=_format_rgb(ground or line), outline_color=_format_rgb(line), size="3"
        )
    width = max(width_mm(part) for part in parts)
    if kind == "LINESTRING" and ground is not None and width:
        return _build_symbol(
            "line", "SimpleLine", line_color=_format_rgb(ground), line_width=f"{width:g}", line_width_unit="MapUnit"
        )
    if kind == "LINESTRING":
        return _build_symbol("line", "SimpleLine", line_color=_format_rgb(line), line_width="0.5", line_width_unit="MM")
    if kind != "POLYGON":  # QGIS chooses symbols for mixed geometry.
        return ""
    fill_options = (
        {"color": _format_rgb(ground), "style": "solid"}
        if ground is not None and name != _CONTOURS
        else {"style": "no"}
    )
    return _build_symbol("fill", "SimpleFill", **fill_options, outline_color=_format_rgb(line), outline_width="0.4")


def _build_symbol(type_: str, layer: str, **options: str) -> str:
    """Return the XML of a QGIS symbol with one layer and its options.

    ``type_`` is ``marker``, ``line`` or ``fill``. ``layer`` is the QGIS class of the layer, and ``options`` are its
    settings by their QGIS names.
    """
    option_tags = "".join(
        f'<Option type="QString" name={quoteattr(key)} value={quoteattr(value)}/>' for key, value in options.items()
    )
    inner = f'<layer class="{layer}" enabled="1" pass="0" locked="0"><Option type="Map">{option_tags}</Option></layer>'
    return _SYMBOL.format(type=type_, layer=inner)


def _format_rgb(ink: Ink) -> str:
    """Return an ink for QGIS: red, green and blue, and an opacity of 255."""
    return f"{ink.red},{ink.green},{ink.blue},255"

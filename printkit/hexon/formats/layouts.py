"""The file formats of a Hexon layout by name: file extension and writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.export.writers import PAGES, PageWriter
from printkit.hexon.formats.tables import LayoutData, layout_csv, layout_json
from printkit.hexon.formats.text_mapper import text_map
from printkit.hexon.formats.tiled import DOTS, draw_tile_sheet, tiled_map

# Returns the contents of files by name; the names start with the given text.
LayoutWriter: TypeAlias = Callable[[LayoutData, str], Mapping[str, str | bytes]]


class Layout(Struct, frozen=True):
    """A format: the extension of its main file, and its writer."""

    ending: str
    contents: LayoutWriter


def _write_json(layout: LayoutData, stem: str) -> Mapping[str, str]:
    """Return the text of the JSON file of a layout by its name, which begins with ``stem``."""
    return {f"{stem}.json": layout_json(layout)}


def _write_csv(layout: LayoutData, stem: str) -> Mapping[str, str]:
    """Return the text of the CSV file of a layout by its name, which begins with ``stem``."""
    return {f"{stem}.csv": layout_csv(layout)}


def _write_text_mapper(layout: LayoutData, stem: str) -> Mapping[str, str]:
    """Return the text of the text-mapper file of a layout by its name, which begins with ``stem``."""
    return {f"{stem}.txt": text_map(layout)}


def _write_tiled(layout: LayoutData, stem: str) -> Mapping[str, str | bytes]:
    """Return the files for Tiled by names from ``stem``: the map, and the tileset image as PNG and SVG.

    The names are ``STEM.tmj``, ``STEM-tiles.png`` and ``STEM-tiles.svg``.
    """
    from printkit.export import png, svg

    image = f"{stem}-tiles.png"
    tile_map = tiled_map(layout, image=image)
    sheet = draw_tile_sheet(tile_map.tiles, flat=layout.flat)
    return {
        f"{stem}.tmj": tile_map.text,
        image: png.render_transparent(sheet, DOTS),
        f"{stem}-tiles.svg": svg.text(sheet, sheet.pages[0]),
    }


# Assembly sheets are written only as PDF.
SHEETS: Final[Mapping[str, PageWriter]] = {"pdf": PAGES["pdf"]}

LAYOUTS: Final[Mapping[str, Layout]] = {
    "json": Layout("json", _write_json),
    "csv": Layout("csv", _write_csv),
    "text-mapper": Layout("txt", _write_text_mapper),
    "tiled": Layout("tmj", _write_tiled),
}

"""The formats of a Hexon layout by name: the ending of the file that holds it, and what writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from printkit.export.writers import PAGES, PageWriter
from printkit.hexon.formats.tables import LayoutData, layout_csv, layout_json
from printkit.hexon.formats.text_mapper import text_map
from printkit.hexon.formats.tiled import tile_sheet, tiled_map

LayoutWriter: TypeAlias = Callable[[LayoutData, str], Mapping[str, str]]
"""Returns the texts of files by their names, which begin with the text that is given."""


class Layout(Struct, frozen=True):
    """A format: the ending of its chief file, and its writer."""

    ending: str
    texts: LayoutWriter


def _json(layout: LayoutData, stem: str) -> Mapping[str, str]:
    return {f"{stem}.json": layout_json(layout)}


def _csv(layout: LayoutData, stem: str) -> Mapping[str, str]:
    return {f"{stem}.csv": layout_csv(layout)}


def _text_mapper(layout: LayoutData, stem: str) -> Mapping[str, str]:
    return {f"{stem}.txt": text_map(layout)}


def _tiled(layout: LayoutData, stem: str) -> Mapping[str, str]:
    image = f"{stem}-tiles.svg"
    made = tiled_map(layout, image=image)
    return {f"{stem}.tmj": made.text, image: tile_sheet(made.tiles, flat=layout.flat)}


SHEETS: Final[Mapping[str, PageWriter]] = {"pdf": PAGES["pdf"]}
"""Assembly sheets are written as PDF alone."""

LAYOUTS: Final[Mapping[str, Layout]] = {
    "json": Layout("json", _json),
    "csv": Layout("csv", _csv),
    "text-mapper": Layout("txt", _text_mapper),
    "tiled": Layout("tmj", _tiled),
}

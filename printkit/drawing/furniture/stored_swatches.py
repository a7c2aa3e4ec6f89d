"""Swatches of the built-in styles in ``templates/patterns``, so that the usual keys are not drawn again.

``tools/patterns`` writes them. The swatches of a user's own style, and those at any other scale, are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from io import BytesIO
from itertools import accumulate, chain
from operator import sub
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from printkit.core.resources import resource
from printkit.drawing.canvas.items import (
    Affine,
    Artwork,
    FillRule,
    Ink,
    Item,
    Layer,
    LayerName,
    Path,
    PathRun,
    Rect,
    Stamp,
    Stroke,
)
from printkit.drawing.canvas.style import Style, find
from printkit.drawing.furniture.swatches import swatch_scale
from printkit.drawing.text.drafter import Drafter

if TYPE_CHECKING:
    from zipfile import ZipFile

# The scale of text on a map of several sheets, in printed mm per mm of the board.
READING_SCALE: Final = 0.30
# The width of the swatches in a key, in printed mm.
KEY_WIDTH: Final = 21.0
# Swatches at these scales are stored: the legend on an assembly plan, and keys.
STORED_SCALES: Final = (READING_SCALE, swatch_scale(KEY_WIDTH))
# The styles whose swatches are stored.
STORED_STYLES: Final = ("campaign", "high-contrast", "ink-saver")


class _PathRow(Struct, array_like=True, tag="path", frozen=True):
    """A path. Each run is whether it is closed, then its points: the first, and the step to each next one."""

    runs: tuple[tuple[bool, tuple[int, ...]], ...]
    fill: Ink | None
    stroke: Stroke | None
    rule: FillRule


class _StampRow(Struct, array_like=True, tag="stamp", frozen=True):
    """A stamp: the index of its artwork in the file, and its places."""

    artwork: int
    places: tuple[Affine, ...]


_LayerRow: TypeAlias = tuple[LayerName, Rect | None, tuple[_PathRow | _StampRow, ...]]
_ArtworkRow: TypeAlias = tuple[str, tuple[_PathRow, ...]]


def file_name(style: str, scale: float) -> str:
    """Return the name of the file for a style and a scale, in printed mm per mm of the board."""
    return f"swatches-{style}-{100 * scale:.0f}.zip"


def read_swatch(key: str, drafter: Drafter) -> tuple[Layer, ...] | None:
    """Return the layers of the swatch of a legend entry or sample; None if it is not stored for this drafter."""
    scale, style = drafter.context.scale, drafter.style
    if scale not in STORED_SCALES or drafter.growth != 1.0 or not _is_built_in(style):
        return None
    return _read_layers(file_name(style.name, scale), key)


def _is_built_in(style: Style) -> bool:
    """Return whether the symbols of a style are those of a built-in one; its size of type and language may differ."""
    if style.name not in STORED_STYLES:
        return False
    built_in = find(style.name)
    return style is built_in or replace(style, least_pt=built_in.least_pt, language=built_in.language) == built_in


@cache
def _open_file(file: str) -> ZipFile:
    """Return a file of swatches. It is in memory, so that processes do not share its position."""
    # Maps without a key of this size start faster without it.
    from zipfile import ZipFile

    return ZipFile(BytesIO(resource("templates/patterns", file).read_bytes()))


@cache
def _read_layers(file: str, key: str) -> tuple[Layer, ...]:
    """Return the layers of a swatch in a file."""
    rows = msgspec.json.decode(_open_file(file).read(f"{key}.json"), type=tuple[_LayerRow, ...])
    return tuple(Layer(name, tuple(_to_item(row, file) for row in items), clip) for name, clip, items in rows)


@cache
def _read_artwork(file: str, index: int) -> Artwork:
    """Return an artwork that swatches of a file share."""
    name, rows = msgspec.json.decode(_open_file(file).read(f"artworks/{index}.json"), type=_ArtworkRow)
    return Artwork(name, tuple(map(_to_path, rows)))


def _to_item(row: _PathRow | _StampRow, file: str) -> Item:
    """Return the item of a row of a file."""
    return _to_path(row) if isinstance(row, _PathRow) else Stamp(_read_artwork(file, row.artwork), row.places)


def _to_path(row: _PathRow) -> Path:
    """Return the path of a row."""
    runs = tuple(PathRun(_to_points(steps), is_closed) for is_closed, steps in row.runs)
    return Path(runs, row.fill, row.stroke, row.rule)


def _to_points(steps: Sequence[int]) -> tuple[int, ...]:
    """Return the points of a run from its first point and the steps to the next ones."""
    return tuple(chain.from_iterable(zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True)))


def dump_swatches(swatches: Mapping[str, Sequence[Layer]]) -> dict[str, bytes]:
    """Return the parts of a file, by name, from the layers of each swatch, by key.

    Raises:
        TypeError: a swatch has a text or a picture.
    """
    artworks: dict[Artwork, int] = {}

    def make_row(item: Item) -> _PathRow | _StampRow:
        """Return the row of an item."""
        if isinstance(item, Path):
            return _make_path_row(item)
        if isinstance(item, Stamp) and not item.artwork.pictures:
            return _StampRow(artworks.setdefault(item.artwork, len(artworks)), item.places)
        raise TypeError(type(item))

    parts: dict[str, object] = {
        f"{key}.json": [(layer.name, layer.clip, tuple(map(make_row, layer.items))) for layer in layers]
        for key, layers in swatches.items()
    }
    for artwork, index in artworks.items():
        parts[f"artworks/{index}.json"] = (artwork.name, tuple(map(_make_path_row, artwork.paths)))
    return {name: msgspec.json.encode(part) for name, part in parts.items()}


def _make_path_row(path: Path) -> _PathRow:
    """Return the row of a path."""
    runs = tuple((run.closed, _make_steps(run.points)) for run in path.runs)
    return _PathRow(runs, path.fill, path.stroke, path.rule)


def _make_steps(points: Sequence[int]) -> tuple[int, ...]:
    """Return the first point of a run, and the step from each point to the next."""
    return (*points[:2], *map(sub, points[2:], points))

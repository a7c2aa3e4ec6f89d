"""Hexon layouts as files for other programs, and notes about a layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from printkit.core.words import SEPARATOR, Words
from printkit.hexon.formats.layouts import LAYOUTS
from printkit.hexon.formats.tables import (
    HexCourse,
    HexMark,
    HexPlace,
    HexTile,
    LayerSum,
    LayoutData,
    Link,
    parts_csv,
)
from printkit.hexon.layout.layout import HexonLayout, TileHill, TilePiece
from printkit.hexon.layout.pieces import PieceKind, direction_of, piece_set
from printkit.hexon.layout.stock import NAMES, Stock, packets_of, parts
from printkit.hexon.layout.strips import TREES, Marker, StripName, StripPiece, cells_with_outside
from printkit.terrain.field.features import ROUTES, STILL_WATERS, Kind
from printkit.terrain.field.grids import Cell, Grid
from printkit.terrain.gridded.gridplan import GridPlan

_FLAT: Final = (PieceKind.BOARD, PieceKind.SINGLE)


def layout_data(
    plan: GridPlan,
    layout: HexonLayout,
    words: Words,
    *,
    title: str = "",
    names: Mapping[str, str] | None = None,
    stock: Stock | None = None,
) -> LayoutData:
    """Return the data of a tile layout for files of all formats.

    Args:
        plan: the plan of the layout.
        layout: the tiles.
        words: the language of the notes.
        title: the title of the battlefield.
        names: the names of its features by ID.
        stock: the pieces that the user owns, for the parts list.
    """
    grid, feature_names = layout.grid, names or {}
    courses = []
    for strip in plan.strips:
        places = tuple(_hex_place(grid, cell) for cell in strip.cells if grid.contains(cell))
        outer_places = tuple(_hex_place(grid, cell) for cell in cells_with_outside(strip, grid))
        label = feature_names.get(strip.feature, "")
        courses.append(HexCourse(feature=strip.kind.value, places=places, label=label, outer_places=outer_places))
    return LayoutData(
        title=title,
        **_copy_fields(grid, "columns", "rows", "grain", "cell"),
        tops=tuple(_cell_tops(plan, layout)),
        tiles=tuple(_hex_tile(grid, piece) for piece in layout.pieces),
        links=tuple(
            Link(
                **_feature_fields(grid, strip, feature_names),
                piece=strip.name.value,
                **_copy_fields(strip, "mask", "pattern", "rotation"),
            )
            for strip in layout.strips
        ),
        marks=tuple(HexMark(**_feature_fields(grid, marker, feature_names)) for marker in layout.markers),
        courses=tuple(courses),
        layers=tuple(
            LayerSum(**_copy_fields(layer, "level", "boards", "singles", "bound", "withheld"))
            for layer in layout.layers
        ),
        parts=parts(layout.needs(), stock),
        cut=tuple(_hex_tile(grid, piece) for piece in layout.cut),
        notes=tuple(layout_notes(layout, words, stock)),
    )


def file_contents(data: LayoutData, formats: Collection[str], *, stem: str) -> Mapping[str, str | bytes]:
    """Return the contents of files by their names, which start with ``stem``: text, or bytes of a picture.

    CSV adds the parts list.

    Args:
        data: the layout.
        formats: the names of the formats, keys of ``LAYOUTS``.
        stem: the start of the file names.

    Raises:
        KeyError: there is no format of a name.
        UsageError: a format does not support the grid.
    """
    files: dict[str, str | bytes] = {}
    for format_name in formats:
        files |= LAYOUTS[format_name].contents(data, stem)
    if "csv" in formats:
        files[f"{stem}-parts.csv"] = parts_csv(data)
    return files


def layout_notes(layout: HexonLayout, words: Words, stock: Stock | None = None) -> Iterator[str]:
    """Yield notes on a layout for the user.

    They are about the size of cells, layers whose covering is not proven optimal, changes to hills, walls, and missing
    pieces of ``stock``. The notes of the layout itself come last; there may be none.
    """
    across_mm = piece_set().across_flats
    if abs(layout.grid.cell - across_mm) > 0.5:
        yield words("hexon.note.cell", cell=f"{layout.grid.cell:g}", across=f"{across_mm:g}")
    for layer in layout.layers:
        if layer.gap:
            most_boards = layer.bound - layer.withheld
            yield words("hexon.note.gap", level=layer.level, boards=layer.boards, bound=most_boards)
    for hill in layout.hills:
        if hill.reason is not None:
            yield _step_note(hill, layout.grid, words)
    trees = {marker.cell for marker in layout.markers if marker.kind in TREES}
    if tree_cells := [
        cell for piece in layout.pieces if piece.kind not in _FLAT for cell in piece.cells if cell in trees
    ]:
        yield words("hexon.note.trees", cells=_addresses(layout.grid, dict.fromkeys(tree_cells)))
    if layout.raised_cells:
        yield words("hexon.note.raised", cells=_addresses(layout.grid, layout.raised_cells))
    if layout.cut:
        yield words("hexon.note.cut", count=len(layout.cut))
    for kind, places in find_climbs(layout).items():
        steps = [words("hexon.note.between", one=lower, other=higher) for lower, higher in places]
        yield words("hexon.note.climbs", kind=words(f"kind.{kind}"), places=", ".join(steps))
    for kind, cells in find_causeways(layout).items():
        yield words("hexon.note.causeway", kind=words(f"kind.{kind}"), cells=_addresses(layout.grid, cells))
    yield from _shortage_notes(layout, words, stock)
    yield from layout.notes


def find_climbs(layout: HexonLayout) -> Mapping[Kind, Sequence[tuple[str, str]]]:
    """Return the changes of level that strips climb between neighbouring hexes, by kind of strip.

    Each is a pair: the printed addresses of the lower and the higher hex. The mapping is empty if there are none.
    """
    grid = layout.grid
    levels = {(strip.cell, strip.kind): strip.level for strip in layout.strips}
    steps: dict[Kind, list[tuple[str, str]]] = {}
    for strip in layout.strips:
        for side in strip.sides:
            neighbour = grid.step(strip.cell, direction_of(grid, side))
            if levels.get((neighbour, strip.kind), strip.level) > strip.level:
                steps.setdefault(strip.kind, []).append((grid.address(strip.cell), grid.address(neighbour)))
    return steps


def find_causeways(layout: HexonLayout) -> Mapping[Kind, Sequence[Cell]]:
    """Return the hexes of still water with a road, track or railway, by the kind of the way; empty without any."""
    wet = {marker.cell for marker in layout.markers if marker.kind in STILL_WATERS}
    causeways: dict[Kind, list[Cell]] = {}
    for strip in layout.strips:
        if strip.cell in wet and strip.kind in ROUTES:
            causeways.setdefault(strip.kind, []).append(strip.cell)
    return causeways


def _step_note(hill: TileHill, grid: Grid, words: Words) -> str:
    """Return the note that says why a hill has vertical sides; its ``reason`` must not be None."""
    values: dict[str, Any] = {"hill": hill.number, "where": grid.address(hill.cells[0])}
    if hill.shortage is not None:
        values |= {"need": hill.shortage.need, "own": hill.shortage.own, "piece": part_name(hill.shortage.name, words)}
    else:
        values["cells"] = _addresses(grid, hill.faults)
    return words(f"hexon.note.{'partly' if hill.sloped else hill.reason}", **values)


def part_name(name: str, words: Words) -> str:
    """Return the display name of a piece or strip of the parts list.

    ``name`` is for example ``C1`` or ``road-straight``.
    """
    if words.has(f"hexon.piece.{name}"):
        return words(f"hexon.piece.{name}")
    kind, _, shape = name.rpartition("-")
    # Combine the two words of a strip in each language separately.
    return SEPARATOR.join(
        language(f"hexon.strip.{StripName(shape)}", kind=language(f"kind.{Kind(kind)}")) for language in words.each()
    )


def _shortage_notes(layout: HexonLayout, words: Words, stock: Stock | None) -> Iterator[str]:
    """Yield notes on missing pieces; none if nothing is missing.

    There is one note for those that the stock does not list, and one for each other piece.
    """
    if layout.unlisted_pieces:
        pieces = (f"{part_name(name, words)} ({name})" for name in layout.unlisted_pieces)
        yield words("hexon.short.unlisted", pieces="; ".join(pieces))
    for shortage in layout.shortages:
        if shortage.name in layout.unlisted_pieces and not shortage.boards:
            continue
        values = {
            "need": shortage.need,
            "own": shortage.own,
            "piece": part_name(shortage.name, words),
            "missing": shortage.missing,
        }
        if not shortage.boards:
            yield words("hexon.short.plain", **values)
            continue
        # Missing single hexes can be replaced in two ways: more single hexes, or boards.
        replacements = (shortage.name, shortage.missing), (NAMES[PieceKind.BOARD], shortage.boards)
        packets = [packets_of(name, count, stock) for name, count in replacements]
        if None in packets:
            yield words("hexon.short.boards", boards=shortage.boards, **values)
        else:
            packet_values = {"boards": shortage.boards, "packets": packets[0], "others": packets[1]}
            yield words("hexon.short.packets", **packet_values, **values)


def _cell_tops(plan: GridPlan, layout: HexonLayout) -> Iterator[tuple[HexPlace, int, str]]:
    """Yield each cell of the plan in reading order, with its surface level (0 is the table) and its relief.

    The relief is ``hill``, ``mountain``, the name of a slope piece, or empty.
    """
    levels: dict[Cell, int] = {}
    slopes: dict[Cell, str] = {}
    for piece in layout.pieces:
        for cell in piece.cells:
            if piece.kind in _FLAT:
                levels[cell] = max(levels.get(cell, 0), piece.level)
            else:
                slopes[cell] = piece.kind.value
    for plot in plan.plots:
        level = levels.get(plot.cell, 0)
        relief = slopes.get(plot.cell, "hill" if level else "")
        yield _hex_place(plan.grid, plot.cell), level, "mountain" if Kind.MOUNTAIN in plot.kinds else relief


def _hex_tile(grid: Grid, piece: TilePiece) -> HexTile:
    """Return a piece of the layout as it is written to files."""
    places = tuple(_hex_place(grid, cell) for cell in piece.cells)
    fields = _copy_fields(piece, "level", "rotation", "number", "hill")
    return HexTile(piece=piece.kind.value, places=places, **fields)


def _copy_fields(source: object, *names: str) -> dict[str, Any]:
    """Return attributes of an object by name, to fill fields with the same names; values are not copied."""
    return {name: getattr(source, name) for name in names}


def _feature_fields(grid: Grid, feature: StripPiece | Marker, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that strips and markers on a hex have in common; ``names`` has the labels by ID."""
    place = _hex_place(grid, feature.cell)
    label = ", ".join(dict.fromkeys(names[identity] for identity in feature.features if names.get(identity)))
    return {"feature": feature.kind.value, "level": feature.level, "place": place, "label": label}


def _hex_place(grid: Grid, cell: Cell) -> HexPlace:
    """Return a cell as it is written to files, with its axial coordinates and its address."""
    q, s = grid.axial(cell)
    return HexPlace(row=cell.row, column=cell.column, q=q, s=s, address=grid.address(cell))


def _addresses(grid: Grid, cells: Iterable[Cell]) -> str:
    """Return the printed addresses of cells, separated by commas."""
    return ", ".join(grid.address(cell) for cell in cells)

"""Hexon layouts as files for other programs, and notes about a layout."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from printkit.core.words import BETWEEN, Words
from printkit.hexon.formats.layouts import LAYOUTS
from printkit.hexon.formats.tables import (
    HexMark,
    HexPlace,
    HexTile,
    HexWay,
    LayerSum,
    LayoutData,
    Link,
    parts_csv,
)
from printkit.hexon.layout.layout import HexonLayout, TileHill, TilePiece
from printkit.hexon.layout.pieces import PieceKind, direction_of, piece_set
from printkit.hexon.layout.stock import NAMES, Shortage, Stock, packets_of, parts
from printkit.hexon.layout.strips import Marker, StripName, StripPiece, with_outside
from printkit.terrain.field.features import STILL_WATERS, WAYS, Kind
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
    """Return the data of a layout for files.

    Args:
        plan: the plan of the layout.
        layout: the tiles.
        words: the language of the notes.
        title: the title of the battlefield.
        names: the names of its features by ID.
        stock: the pieces that the user owns, for the parts list.
    """
    grid, called = layout.grid, names or {}
    ways = []
    for strip in plan.strips:
        places = tuple(_place(grid, cell) for cell in strip.cells if grid.holds(cell))
        beyond = tuple(_place(grid, cell) for cell in with_outside(strip, grid))
        label = called.get(strip.feature, "")
        ways.append(HexWay(feature=strip.kind.value, places=places, label=label, beyond=beyond))
    return LayoutData(
        title=title,
        **_same(grid, "columns", "rows", "grain", "cell"),
        tops=tuple(_tops(plan, layout)),
        tiles=tuple(_tile(grid, piece) for piece in layout.pieces),
        links=tuple(
            Link(**_stood(grid, strip, called), piece=strip.name.value, **_same(strip, "mask", "pattern", "rotation"))
            for strip in layout.strips
        ),
        marks=tuple(HexMark(**_stood(grid, marker, called)) for marker in layout.markers),
        ways=tuple(ways),
        layers=tuple(
            LayerSum(**_same(layer, "level", "boards", "singles", "bound", "withheld")) for layer in layout.layers
        ),
        parts=parts(layout.needs(), stock),
        cut=tuple(_tile(grid, piece) for piece in layout.cut),
        notes=tuple(told(layout, words, stock)),
    )


def contents(data: LayoutData, formats: Collection[str], *, stem: str) -> Mapping[str, str | bytes]:
    """Return the contents of files by name; names start with ``stem``, and CSV adds the parts list.

    Raises:
        UsageError: a format does not support the grid.
    """
    found: dict[str, str | bytes] = {}
    for each in formats:
        found |= LAYOUTS[each].contents(data, stem)
    if "csv" in formats:
        found[f"{stem}-parts.csv"] = parts_csv(data)
    return found


def told(layout: HexonLayout, words: Words, stock: Stock | None = None) -> Iterator[str]:
    """Yield notes for the user: changes, missing pieces, and layers whose covering is not proven optimal."""
    across = piece_set().across_flats
    if abs(layout.grid.cell - across) > 0.5:
        yield words("hexon.note.cell", cell=f"{layout.grid.cell:g}", across=f"{across:g}")
    for layer in layout.layers:
        if layer.gap:
            most = layer.bound - layer.withheld
            yield words("hexon.note.gap", level=layer.level, boards=layer.boards, bound=most)
    for hill in layout.hills:
        if hill.reason is not None:
            yield _stepped(hill, layout.grid, words)
    if layout.raised:
        yield words("hexon.note.raised", cells=_addresses(layout.grid, layout.raised))
    if layout.cut:
        yield words("hexon.note.cut", count=len(layout.cut))
    for kind, places in climbs(layout).items():
        between = [words("hexon.note.between", one=one, other=other) for one, other in places]
        yield words("hexon.note.climbs", kind=words(f"kind.{kind}"), places=", ".join(between))
    for kind, cells in through_water(layout).items():
        yield words("hexon.note.causeway", kind=words(f"kind.{kind}"), cells=_addresses(layout.grid, cells))
    yield from _short(layout, words, stock)
    yield from layout.notes


def climbs(layout: HexonLayout) -> Mapping[Kind, Sequence[tuple[str, str]]]:
    """Return the steps without a slope that strips climb, by kind: the lower and the higher hex."""
    grid = layout.grid
    levels = {(strip.cell, strip.kind): strip.level for strip in layout.strips}
    found: dict[Kind, list[tuple[str, str]]] = {}
    for strip in layout.strips:
        for side in strip.sides:
            beside = grid.step(strip.cell, direction_of(grid, side))
            if levels.get((beside, strip.kind), strip.level) > strip.level:
                found.setdefault(strip.kind, []).append((grid.address(strip.cell), grid.address(beside)))
    return found


def through_water(layout: HexonLayout) -> Mapping[Kind, Sequence[Cell]]:
    """Return the hexes of a lake, a pool or the sea with a road, track or railway, by kind."""
    wet = {marker.cell for marker in layout.markers if marker.kind in STILL_WATERS}
    found: dict[Kind, list[Cell]] = {}
    for strip in layout.strips:
        if strip.cell in wet and strip.kind in WAYS:
            found.setdefault(strip.kind, []).append(strip.cell)
    return found


def _stepped(hill: TileHill, grid: Grid, words: Words) -> str:
    """Return the note that says why a hill has no slopes."""
    said: dict[str, Any] = {"hill": hill.number, "where": grid.address(hill.cells[0])}
    if hill.lacks is not None:
        said |= {"need": hill.lacks.need, "own": hill.lacks.own, "piece": part_word(hill.lacks.name, words)}
    else:
        said["cells"] = _addresses(grid, hill.faults)
    return words(f"hexon.note.{hill.reason}", **said)


def part_word(name: str, words: Words) -> str:
    """Return the display name of a piece or strip of the parts list, for example of ``C1`` or ``road-straight``."""
    if words.has(f"hexon.piece.{name}"):
        return words(f"hexon.piece.{name}")
    kind, _, shape = name.rpartition("-")
    # Combine the two words of a strip in each language separately.
    return BETWEEN.join(one(f"hexon.strip.{StripName(shape)}", kind=one(f"kind.{Kind(kind)}")) for one in words.each())


def _short(layout: HexonLayout, words: Words, stock: Stock | None) -> Iterator[str]:
    """Yield notes on missing pieces: one for those that the stock does not list, and one for each other piece."""
    if layout.unlisted:
        pieces = (f"{part_word(name, words)} ({name})" for name in layout.unlisted)
        yield words("hexon.short.unlisted", pieces="; ".join(pieces))
    for each in layout.shortages:
        if each.name in layout.unlisted and not each.boards:
            continue
        values = {"need": each.need, "own": each.own, "piece": part_word(each.name, words), "missing": each.missing}
        if not each.boards:
            yield words("hexon.short.plain", **values)
            continue
        packets = [packets_of(name, count, stock) for name, count in _either(each)]
        if None in packets:
            yield words("hexon.short.boards", boards=each.boards, **values)
        else:
            said = {"boards": each.boards, "packets": packets[0], "others": packets[1]}
            yield words("hexon.short.packets", **said, **values)


def _either(short: Shortage) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return the two ways to replace missing single hexes: more single hexes, or boards."""
    return (short.name, short.missing), (NAMES[PieceKind.BOARD], short.boards)


def _tops(plan: GridPlan, layout: HexonLayout) -> Iterator[tuple[HexPlace, int, str]]:
    """Yield each cell with its surface level and its relief: ``hill``, ``mountain``, a slope piece, or empty."""
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
        yield _place(plan.grid, plot.cell), level, "mountain" if Kind.MOUNTAIN in plot.kinds else relief


def _tile(grid: Grid, piece: TilePiece) -> HexTile:
    places = tuple(_place(grid, cell) for cell in piece.cells)
    alike = _same(piece, "level", "rotation", "number", "hill")
    return HexTile(piece=piece.kind.value, places=places, **alike)


def _same(of: object, *names: str) -> dict[str, Any]:
    """Return attributes of an object by name, for fields with the same names."""
    return {name: getattr(of, name) for name in names}


def _stood(grid: Grid, thing: StripPiece | Marker, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields that strips and markers on a hex have in common."""
    place, label = _place(grid, thing.cell), _label(thing.features, names)
    return {"feature": thing.kind.value, "level": thing.level, "place": place, "label": label}


def _place(grid: Grid, cell: Cell) -> HexPlace:
    q, s = grid.axial(cell)
    return HexPlace(row=cell.row, column=cell.column, q=q, s=s, address=grid.address(cell))


def _label(features: Iterable[str], names: Mapping[str, str]) -> str:
    return ", ".join(dict.fromkeys(names[each] for each in features if names.get(each)))


def _addresses(grid: Grid, cells: Iterable[Cell]) -> str:
    return ", ".join(grid.address(cell) for cell in cells)

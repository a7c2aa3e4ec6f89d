"""The assembly sheets of a Hexon layout: part and packing lists, and plans of each layer from the base up (HX-54)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.content.prose import Block, Bullets, CheckBoxes, Heading, Paragraph, Table
from printkit.core.resources import template
from printkit.core.sums import plain_sum
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.leaflet import (
    HEAD,
    Content,
    Figure,
    Leaflet,
    NewPage,
    SideFigure,
    leaflet_pages,
    page_number_text,
    running_footer,
)
from printkit.hexon.files import layout_notes, part_name
from printkit.hexon.layout.layout import HexonLayout, TileLayer
from printkit.hexon.layout.pieces import PieceKind, piece_set
from printkit.hexon.layout.stock import NAMES, Stock, packets_of, parts, strip_key
from printkit.hexon.plans.board import MARGIN, Window, draw_layer_plan, full_window, split_into_windows, window_bounds
from printkit.hexon.plans.top_plan import draw_symbol_key, draw_top_plan
from printkit.terrain.field.grids import Cell, Grid

_TIMED: Final = {PieceKind.BOARD: "boards", PieceKind.SINGLE: "singles"}
_MINUTE: Final = 60
# Minutes to which the time is rounded up.
_ROUNDING_MINUTES: Final = 5


def packing_list(
    layout: HexonLayout, words: Words, stock: Stock | None = None, *, to_cut: str = ""
) -> Iterator[Content]:
    """Yield the packing list, layer by layer in assembly order.

    ``to_cut`` is the text of the row about paper overlays, which go on top; no row if empty.
    """
    yield NewPage()
    layers = len(layout.layers) + bool(layout.strips) + bool(layout.markers)
    yield Heading(words("hexon.packing.title"), remark=words("hexon.packing.time", minutes=laying_minutes(layout)))
    yield Paragraph(words("hexon.packing.about", layers=layers))
    for layer in layout.layers:
        counts = Counter(NAMES[piece.kind] for piece in layer.pieces)
        name = "base" if layer.level == 0 else "level"
        yield Heading(words(f"hexon.sheet.{name}", level=layer.level))
        yield CheckBoxes(
            tuple(
                _packing_row(piece_name, counts[piece_name], words, stock)
                for piece_name in NAMES.values()
                if counts[piece_name]
            )
        )
    strips = Counter(strip_key(strip.kind, strip.name) for strip in layout.strips)
    markers = Counter(marker.kind for marker in layout.markers)
    if strips or markers:
        yield Heading(words("hexon.sheet.top"))
        rows = [_packing_row(piece_name, strips[piece_name], words, stock) for piece_name in sorted(strips)]
        rows += [
            words("hexon.packing.row", count=count, piece=words(f"kind.{kind}"))
            for kind, count in sorted(markers.items())
        ]
        yield CheckBoxes((*rows, to_cut) if to_cut else tuple(rows))


def _packing_row(name: str, count: int, words: Words, stock: Stock | None) -> str:
    """Return the row of a piece: its name and its count.

    If the stock gives a packet size, it adds the number of packets.
    """
    text = words("hexon.packing.row", count=count, piece=part_name(name, words))
    packets = packets_of(name, count, stock)
    return text if packets is None else words("hexon.packing.packets", row=text, packets=packets)


def laying_minutes(layout: HexonLayout) -> int:
    """Return the approximate time to lay the tiles in minutes, rounded up to 5.

    The seconds for each piece are in ``templates/hexon/laying.toml``.
    """
    seconds: dict[str, int] = template("hexon", "laying")
    pieces = sum(seconds[_TIMED.get(piece.kind, "slopes")] for layer in layout.layers for piece in layer.pieces)
    above = seconds["strips"] * len(layout.strips) + seconds["markers"] * len(layout.markers)
    return _ROUNDING_MINUTES * math.ceil((pieces + above) / _MINUTE / _ROUNDING_MINUTES)


# Spare height of a page in mm, between its header, its content and its footer.
_SPARE: Final = 1.0
# Height in mm of the title, of a section heading, and of a row of notes.
_TITLE: Final = 22.0
_SECTION: Final = 14.0
_ROW: Final = 6.0
_LEAST_MAP: Final = 70.0
_MOST_LISTED: Final = 70.0
# Height in mm above a plan for its heading and a line of text.
_HEAD: Final = 15.0
# Width in mm of the parts list next to a plan or map, and of a list with the columns of a stock.
_BESIDE: Final = 58.0
_BESIDE_WIDE: Final = 94.0
# Smallest printed cell in mm that fits a letter and an arrow, and one that fits words.
_LEAST: Final = 8.0
_LEAST_WORDS: Final = 13.5
_PAIR: Final = 2


class FirstPagePictures(Struct, frozen=True, kw_only=True):
    """The pictures of the first page.

    Attributes:
        map: draws the battlefield in a given width and height in mm.
        legend: draws the legend in a given width in mm.
        caption: the caption of the map.
        to_cut: the row of the packing list about paper overlays, or empty.
    """

    map: Callable[[float, float], Drawing]
    legend: Callable[[float], Drawing]
    caption: str = ""
    to_cut: str = ""


def assembly_pages(
    layout: HexonLayout,
    free: Rect,
    *,
    style: Style,
    words: Words,
    title: str = "",
    stock: Stock | None = None,
    origin: str = "",
    players: tuple[str, ...] = (),
    pictures: FirstPagePictures,
    far_side: bool = False,
) -> tuple[Drawing, ...]:
    """Return the pages about a tile layout, each as a drawing of the size of ``free``.

    The map, the parts and the notes come first, then the plans and the packing list.

    Args:
        layout: the tiles.
        free: the free area of a page, in mm on paper.
        style: the style of the plans.
        words: the language or languages.
        title: the title of the battlefield.
        stock: the pieces that the user owns; the parts list compares with them.
        origin: the text about the game in the footer.
        players: texts about the players in the footer, one line for each language.
        pictures: the pictures of the first page.
        far_side: whether to add all plans again, rotated for a player on the far side of the table.

    Raises:
        PageError: a plan does not fit a page.
    """
    foot = running_footer(origin, page_number_text(words, 88, 88), free.width, style, players)
    builder = _Sheets(layout, free.width, free.height - HEAD - foot.height - _SPARE, style, words)
    leaflet = Leaflet(
        title=words("hexon.title"),
        subtitle=title,
        contents=tuple(builder.contents(stock, pictures, far_side=far_side)),
        origin=origin,
        who=players,
    )
    return leaflet_pages(leaflet, free.width, free.height, style=style, words=words)


class _Sheets(Struct, frozen=True):
    """A builder of the page contents; ``height`` is the space in mm between header and footer."""

    layout: HexonLayout
    width: float
    height: float
    style: Style
    words: Words
    turned: bool = False

    def contents(self, stock: Stock | None, pictures: FirstPagePictures, *, far_side: bool) -> Iterator[Content]:
        """Yield all contents of the pages in order; ``far_side`` adds the plans again, rotated by 180 degrees.

        None as ``stock`` leaves out owned pieces.
        """
        yield from self._first_page(stock, pictures)
        for builder in (self, replace(self, turned=True)) if far_side else (self,):
            yield from builder._layer_plans()
            if self.layout.strips or self.layout.markers:
                yield from builder._top_plans()
        yield from packing_list(self.layout, self.words, stock, to_cut=pictures.to_cut)

    def _first_page(self, stock: Stock | None, pictures: FirstPagePictures) -> Iterator[Content]:
        """Yield the first page: the map with the parts list, the notes, the key of the plans, and the legend.

        Without notes their section is left out, and the legend if it is empty.
        """
        words = self.words
        parts_blocks: list[Block] = [Heading(words("hexon.sheet.parts")), Paragraph(self._pieces_text())]
        if stock is not None and stock.title:
            parts_blocks.append(Paragraph(words("hexon.sheet.stock", title=stock.title), "note"))
        parts_blocks.append(_parts_table(self.layout, words, stock))
        signs = {sign: words(f"hexon.sheet.signs.{sign}") for sign in _used_symbols(self.layout)}
        key = draw_symbol_key(signs, self.layout.grid, self.width, self.style)
        notes = tuple(layout_notes(self.layout, words, stock))
        legend = pictures.legend(self.width)
        below = [key.height, _ROW * len(notes), legend.height]
        free = self.height - _TITLE - plain_sum(each + _SECTION for each in below if each)
        height = max(_LEAST_MAP, min(free, 0.5 * self.height))
        # The parts list is wider with the columns of a stock.
        text = _BESIDE if stock is None else _BESIDE_WIDE
        yield SideFigure(Figure(pictures.map(self.width - text - 10.0, height), pictures.caption), tuple(parts_blocks))
        if notes:
            yield Heading(words("hexon.sheet.notes"), remark=words("hexon.sheet.cells"))
            yield Bullets(notes)
        yield Heading(words("hexon.sheet.key"))
        yield Figure(key)
        if legend.height > 0:
            yield Heading(words("hexon.sheet.ground"))
            yield Figure(legend)

    def _pieces_text(self) -> str:
        """Return the sentences about the number of pieces, and whether fewer are possible, in the pages' languages."""
        counts = self.layout.counts()
        pieces, boards = sum(counts.values()), counts.get(PieceKind.BOARD, 0)
        key = "pieces" if pieces > boards else "boards-alone"
        text = self.words(f"hexon.sheet.{key}", pieces=pieces, boards=boards, others=pieces - boards)
        return f"{text} {self._quality_text()}"

    def _quality_text(self) -> str:
        """Return the sentence that says whether fewer pieces are possible, for all layers together."""
        gap, withheld = self.layout.gap, self.layout.withheld
        if withheld:
            return self.words("hexon.sheet.withheld", more=withheld, saved=withheld * (len(piece_set().board) - 1))
        return self.words("hexon.sheet.gap", more=gap) if gap else self.words("hexon.sheet.most")

    def _layer_plans(self) -> Iterator[Content]:
        """Yield the plans of the layers.

        There are two on a page if cells stay large enough; otherwise each layer has its own pages.
        """
        layers = self.layout.layers
        small = _full_plan_scale(self.layout, self.width - _BESIDE - 8.0, self.height / 2 - _HEAD)
        if small is None:
            for layer in layers:
                yield from self._large_plan(layer)
            return
        odd_layer, paired_layers = (layers[:1], layers[1:]) if len(layers) % _PAIR else ((), layers)
        for layer in odd_layer:
            yield from self._large_plan(layer)
        for first in range(0, len(paired_layers), _PAIR):
            yield NewPage()
            for layer in paired_layers[first : first + _PAIR]:
                plan = draw_layer_plan(self.layout, layer, scale=small, style=self.style, turned=self.turned)
                yield self._layer_heading(layer, small)
                yield SideFigure(Figure(plan), tuple(self._small_plan_text(layer, small)))

    def _large_plan(self, layer: TileLayer) -> Iterator[Content]:
        """Yield the plan of a layer on its own pages, in parts if the grid is too large for one page.

        Windows without pieces of the layer are left out.
        """
        scale, plan_windows = split_into_windows(
            self.layout.grid, self.width, self.height - _HEAD - 18.0, least_mm=_LEAST
        )
        for window in plan_windows:
            if len(plan_windows) > 1 and not any(
                window.contains(cell) for piece in layer.pieces for cell in piece.cells
            ):
                continue
            yield NewPage()
            yield self._layer_heading(layer, scale, window)
            yield Paragraph(f"{self._proof_text(layer)} {self._scale_text(scale)}")
            yield Figure(
                draw_layer_plan(self.layout, layer, scale=scale, style=self.style, window=window, turned=self.turned)
            )

    def _top_plans(self) -> Iterator[Content]:
        """Yield the plans of strips and markers, each with the table of its numbered hexes.

        Windows without strips and markers are left out if there are several.
        """
        layout = self.layout
        available_mm = self.height - _HEAD - 10.0 - _notes_height(layout)
        scale, plan_windows = split_into_windows(layout.grid, self.width, available_mm, least_mm=_LEAST_WORDS)
        used_cells = {strip.cell for strip in layout.strips} | {marker.cell for marker in layout.markers}
        for window in plan_windows:
            if len(plan_windows) > 1 and not any(window.contains(cell) for cell in used_cells):
                continue
            yield NewPage()
            yield self._plan_heading(self.words("hexon.sheet.top"), scale, window)
            yield Paragraph(self._scale_text(scale))
            plan = draw_top_plan(layout, self.words, scale=scale, style=self.style, window=window, turned=self.turned)
            yield Figure(plan.drawing)
            if plan.notes:
                yield _notes_table(layout.grid, plan.notes)

    def _small_plan_text(self, layer: TileLayer, scale: float) -> Iterator[Block]:
        """Yield the text next to a small plan: its pieces, and whether fewer are possible.

        ``scale`` is in printed mm per mm of the table.
        """
        words = self.words
        counts = Counter(NAMES[piece.kind] for piece in layer.pieces)
        rows = tuple((str(counts[name]), part_name(name, words)) for name in NAMES.values() if counts[name])
        head = (words("hexon.sheet.head.need"), words("hexon.sheet.head.piece"))
        yield Table(rows=rows, head=head, shares=(1.0, 3.2), aligns=("right", "left"))
        if layer.boards or layer.gap or layer.withheld:
            yield Paragraph(self._proof_text(layer))
        yield Paragraph(self._scale_text(scale), "note")

    def _layer_heading(self, layer: TileLayer, scale: float, window: Window | None = None) -> Heading:
        """Return the heading of a layer's plan; ``scale`` is in printed mm per mm of the table."""
        name = "base" if layer.level == 0 else "level"
        return self._plan_heading(self.words(f"hexon.sheet.{name}", level=layer.level), scale, window)

    def _plan_heading(self, text: str, scale: float, window: Window | None) -> Heading:
        """Return a heading with the scale, and with the part of the grid unless ``window`` shows all of it.

        ``text`` is its text. None as ``window`` means all of the grid. ``scale`` is in printed mm per mm of the table.
        """
        note = self.words("hexon.sheet.scale", ratio=f"{1 / scale:g}")
        if window is not None and window != full_window(self.layout.grid):
            note = f"{self.words('hexon.sheet.part', **window._asdict())} · {note}"
        return Heading(text, remark=f"{self.words('hexon.sheet.turned')} · {note}" if self.turned else note)

    def _proof_text(self, layer: TileLayer) -> str:
        """Return the sentence that says whether a layer needs the fewest pieces possible."""
        if layer.withheld:
            return self.words("hexon.sheet.level-withheld", more=layer.withheld)
        proof = "level-unproven" if layer.gap else "level-proven"
        return self.words(f"hexon.sheet.{proof}", more=layer.gap)

    def _scale_text(self, scale: float) -> str:
        """Return the sentence about the scale (printed mm per mm of the table) and the size of a hex."""
        cell_mm = f"{self.layout.grid.cell * scale:.3g}"
        size = "turned-size" if self.turned else "size"
        return self.words(f"hexon.sheet.{size}", ratio=f"{1 / scale:g}", cell=f"{self.layout.grid.cell:g}", hex=cell_mm)


def _full_plan_scale(layout: HexonLayout, width: float, height: float) -> float | None:
    """Return the scale at which a plan of all cells fits ``width`` x ``height`` mm on paper.

    It is in printed mm per mm of the table. Return None if the cells would be too small.
    """
    scale, plan_windows = split_into_windows(layout.grid, width, height, least_mm=_LEAST)
    left, near, right, far = window_bounds(layout.grid, full_window(layout.grid))
    fits = (right - left) * scale + 2 * MARGIN <= width and (far - near) * scale + 2 * MARGIN <= height
    return scale if len(plan_windows) == 1 and fits else None


def _notes_height(layout: HexonLayout) -> float:
    """Return the height in mm on paper for the list of hexes with several features; 0 without any."""
    strips = Counter(strip.cell for strip in layout.strips)
    marker_cells = {marker.cell for marker in layout.markers}
    count = sum(1 for cell, number in strips.items() if number > 1 or cell in marker_cells)
    return min(_MOST_LISTED, _ROW * ((count + 1) // 2)) + 4.0 if count else 0.0


def _notes_table(grid: Grid, notes: Sequence[tuple[int, Cell, str]]) -> Table:
    """Return the table of numbered hexes on the plan, two in each row: the first half at the left.

    Each note is a number from 1, a cell and its contents as text. A row has number, address and contents twice; the
    last may be empty.
    """
    entries = [(f"**{number}**", grid.address(cell), text) for number, cell, text in notes]
    half = (len(entries) + 1) // 2
    entries += [("", "", "")] * (2 * half - len(entries))
    rows = tuple((*left, *right) for left, right in zip(entries[:half], entries[half:], strict=True))
    return Table(rows=rows, shares=(0.5, 0.9, 8.0) * 2, aligns=("right", "left", "left") * 2)


def _used_symbols(layout: HexonLayout) -> Iterator[str]:
    """Yield the names of the symbols that the plans of a layout use: board, single, slope, strip, wall."""
    counts = layout.counts()
    if PieceKind.BOARD in counts:
        yield "board"
    if PieceKind.SINGLE in counts:
        yield "single"
    if any(hill.sloped for hill in layout.hills):
        yield "slope"
    if layout.strips:
        yield "strip"
    if layout.cut or any(hill.sloped and hill.faults for hill in layout.hills):
        yield "wall"


def _parts_table(layout: HexonLayout, words: Words, stock: Stock | None) -> Table:
    """Return the table of needed pieces; with a stock it also has owned and missing pieces, and packets."""
    rows = []
    for part in parts(layout.needs(), stock):
        own = "" if part.own is None else str(part.own)
        packets = "" if part.packets is None else str(part.packets)
        rows.append((str(part.need), part_name(part.name, words), own, str(part.missing or ""), part.code, packets))
    head = tuple(words(f"hexon.sheet.head.{name}") for name in ("need", "piece", "own", "missing", "code", "packets"))
    if stock is None:
        return Table(rows=tuple(row[:2] for row in rows), head=head[:2], shares=(1.0, 3.2), aligns=("right", "left"))
    return Table(
        rows=tuple(rows),
        head=head,
        shares=(1.1, 3.2, 1.0, 1.0, 1.9, 1.6),
        aligns=("right", "left", "right", "right", "left", "right"),
    )

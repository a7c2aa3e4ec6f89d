"""The assembly sheets of a Hexon layout: what is needed, and a plan of each layer from the base upwards (HX-54)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from printkit.drawing.hexon_sheets import layer_plan, sheet_scale, top_plan
from printkit.drawing.items import Drawing
from printkit.drawing.leaflet import Content, Leaflet, NewPage, leaflet_pages
from printkit.drawing.leaflet_figures import Figure
from printkit.drawing.style import Style
from printkit.prose import Bullets, Heading, Paragraph, Table
from printkit.recipes.hexon import part_word, told
from printkit.terrain.hexon_layout import HexonLayout
from printkit.terrain.hexon_stock import Stock, parts
from printkit.words import Words

_ROOM: Final = 0.84
"""The share of a page's height that a plan may take beside its head and its caption."""


def assembly_pages(
    layout: HexonLayout,
    width: float,
    height: float,
    *,
    style: Style,
    words: Words,
    title: str = "",
    stock: Stock | None = None,
    origin: str = "",
) -> tuple[Drawing, ...]:
    """Return the sheets as drawings of ``width`` by ``height`` mm: parts and notes, then a plan a page.

    Raises:
        PageError: a page cannot hold a plan.
    """
    scale = sheet_scale(layout.grid, width, _ROOM * height)
    leaflet = Leaflet(
        title=words("hexon.title"),
        subtitle=title,
        contents=tuple(_contents(layout, scale, style=style, words=words, stock=stock)),
        origin=origin,
    )
    return leaflet_pages(leaflet, width, height, style=style, words=words)


def _contents(
    layout: HexonLayout, scale: float, *, style: Style, words: Words, stock: Stock | None
) -> Iterator[Content]:
    yield Heading(words("hexon.sheet.parts"))
    yield _parts(layout, words, stock)
    notes = tuple(told(layout, words))
    if notes:
        yield Heading(words("hexon.sheet.notes"))
        yield Bullets(notes)
    yield Heading(words("hexon.sheet.key"))
    yield Bullets(tuple(words(f"hexon.sheet.signs.{sign}") for sign in _signs(layout)))
    at = words("hexon.sheet.scale", ratio=f"{1 / scale:g}")
    for layer in layout.layers:
        name = "base" if layer.level == 0 else "level"
        proof = "unproven" if layer.gap else "proven"
        yield NewPage()
        yield Heading(words(f"hexon.sheet.{name}", level=layer.level), aside=at)
        yield Paragraph(words(f"hexon.sheet.{proof}", boards=layer.boards, singles=layer.singles, more=layer.gap))
        yield Figure(layer_plan(layout, layer, scale=scale, style=style))
    if layout.strips or layout.markers:
        yield NewPage()
        yield Heading(words("hexon.sheet.top"), aside=at)
        yield Figure(top_plan(layout, words, scale=scale, style=style))


def _signs(layout: HexonLayout) -> Iterator[str]:
    yield "board"
    yield "single"
    if any(hill.sloped for hill in layout.hills):
        yield "slope"
    if layout.unbuildable:
        yield "misfit"


def _parts(layout: HexonLayout, words: Words, stock: Stock | None) -> Table:
    rows = []
    for part in parts(layout.needs(), stock):
        own = "" if part.own is None else str(part.own)
        packets = "" if part.packets is None else str(part.packets)
        rows.append((str(part.need), part_word(part.name, words), own, str(part.missing or ""), part.code, packets))
    head = tuple(words(f"hexon.sheet.head.{name}") for name in ("need", "piece", "own", "missing", "code", "packets"))
    if stock is None:
        return Table(rows=tuple(row[:2] for row in rows), head=head[:2], shares=(1.0, 6.0), aligns=("right", "left"))
    return Table(
        rows=tuple(rows),
        head=head,
        shares=(1.0, 4.0, 1.2, 1.2, 2.0, 1.2),
        aligns=("right", "left", "right", "right", "left", "right"),
    )

"""The packing list of a layout: pieces by layer with check boxes, and the time to lay them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Final

from printkit.content.prose import CheckBoxes, Heading, Paragraph
from printkit.core.resources import template
from printkit.core.words import Words
from printkit.drawing.text.leaflet import Content, NewPage
from printkit.hexon.files import part_name
from printkit.hexon.layout.layout import HexonLayout
from printkit.hexon.layout.pieces import PieceKind
from printkit.hexon.layout.stock import NAMES, Stock, packets_of, strip_key

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

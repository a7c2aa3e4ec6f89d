"""QR codes of addresses, for phones."""

from __future__ import annotations

import segno
from msgspec import Struct


class QrCode(Struct, frozen=True, kw_only=True):
    """A QR code as an SVG path of unit squares; ``side`` is its width and height with the quiet zone."""

    side: int
    path: str


_RIM = 4


def qr_code(text: str) -> QrCode:
    """Return the QR code of a text, which is the address of a page."""
    rows = segno.make(text, micro=False, error="m").matrix
    runs = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            length = 0
            while x + length < len(row) and row[x + length]:
                length += 1
            if length:
                runs.append(f"M{x + _RIM} {y + _RIM}h{length}v1h-{length}z")
            x += max(1, length)
    return QrCode(side=len(rows) + 2 * _RIM, path="".join(runs))

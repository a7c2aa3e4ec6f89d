"""QR codes of addresses, for phones."""

from __future__ import annotations

import segno
from msgspec import Struct


class QrCode(Struct, frozen=True, kw_only=True):
    """A QR code of unit squares: its width and height with the quiet zone, and the x, y and width of each dark run."""

    side: int
    runs: tuple[tuple[int, int, int], ...]

    @property
    def path(self) -> str:
        """Return the dark squares as SVG path data, y downwards."""
        return "".join(f"M{x} {y}h{width}v1h-{width}z" for x, y, width in self.runs)


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
                runs.append((x + _RIM, y + _RIM, length))
            x += max(1, length)
    return QrCode(side=len(rows) + 2 * _RIM, runs=tuple(runs))

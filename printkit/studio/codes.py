"""Addresses as QR codes, for cameras of phones."""

from __future__ import annotations

import segno
from msgspec import Struct


class QrCode(Struct, frozen=True, kw_only=True):
    """A code as a path of squares with a side of 1: ``side`` squares wide and high with its quiet rim."""

    side: int
    path: str


_RIM = 4


def qr_code(text: str) -> QrCode:
    """Return the code of an address."""
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

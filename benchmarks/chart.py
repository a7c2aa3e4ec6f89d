"""A chart of stacked bars as SVG: what each of some works takes, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

_INKS: Final = ("#3d3a34", "#8a8272", "#c0a46b", "#7f9a5b", "#5f87a3", "#a8604a")
_WIDTH: Final = 900
_NAMES: Final = 250
_ROW: Final = 34
_BAR: Final = 20
_HEAD: Final = 46
_TYPE: Final = 'font-family="sans-serif" font-size="13" fill="#222"'


def stacked(rows: Sequence[tuple[str, Mapping[str, float]]], unit: str) -> str:
    """Return the chart of works by name, each with its parts in the same order; ``unit`` is that of the numbers.

    Raises:
        ValueError: there is nothing to show, or more parts than inks.
    """
    parts = list(rows[0][1]) if rows else []
    if not parts or len(parts) > len(_INKS):
        raise ValueError(f"{len(parts)} parts; a chart has one to {len(_INKS)}")
    longest = max(sum(each.values()) for _, each in rows)
    scale = (_WIDTH - _NAMES - 90) / longest
    height = _HEAD + _ROW * len(rows) + 8
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">',
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>',
    ]
    for number, part in enumerate(parts):
        left = _NAMES + 105 * number
        lines.append(f'<rect x="{left}" y="12" width="12" height="12" fill="{_INKS[number]}"/>')
        lines.append(f'<text x="{left + 18}" y="23" {_TYPE}>{escape(part)}</text>')
    for number, (name, each) in enumerate(rows):
        top, x = _HEAD + _ROW * number, float(_NAMES)
        lines.append(f'<text x="{_NAMES - 10}" y="{top + 15}" text-anchor="end" {_TYPE}>{escape(name)}</text>')
        for ink, value in zip(_INKS, each.values(), strict=False):
            wide = value * scale
            lines.append(f'<rect x="{x:.1f}" y="{top}" width="{wide:.1f}" height="{_BAR}" fill="{ink}"/>')
            x += wide
        whole = f"{sum(each.values()):.0f} {escape(unit)}"
        lines.append(f'<text x="{x + 8:.1f}" y="{top + 15}" {_TYPE}>{whole}</text>')
    return "\n".join([*lines, "</svg>", ""])

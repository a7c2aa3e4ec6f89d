"""Guide marks: lines that help to lay out and deploy, and that must be quieter than the ground they lie upon."""

from __future__ import annotations

from functools import cache
from typing import Final

from printkit.core import elementary
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Ink
from printkit.drawing.canvas.style import Style
from printkit.drawing.text.drafter import Drafter

MOST_CONTRAST: Final = 3.0
"""The most contrast with the paper that a guide mark has (WCAG 2, from 1 to 21); the outlines of ground have more."""

WIDEST: Final = 0.30
"""The width in mm of the widest guide line on a board at 1:1, in every style."""

_STEPS: Final = 50
_LIGHTS: Final = (0.2126, 0.7152, 0.0722)


def guide_ink(drafter: Drafter, token: str, most: float = MOST_CONTRAST) -> Ink:
    """Return an ink so thin that on the paper of its style it has at most so much contrast."""
    style = drafter.style
    return _thinned(style.solid(token), _paper(style), most)


def guide_width(drafter: Drafter, mm: float = WIDEST) -> float:
    """Return the width of a guide line for a style, whose heavier lines make none of these heavier."""
    return mm / drafter.style.line_factor


def _paper(style: Style) -> Ink:
    return style.ink("paper") or Ink(255, 255, 255)


@cache
def _thinned(ink: Ink, paper: Ink, most: float) -> Ink:
    covers = (step / _STEPS for step in range(_STEPS, 0, -1))
    return next((ink.thin(cover) for cover in covers if _contrast(paper.towards(ink, cover), paper) <= most), ink)


def _contrast(one: Ink, other: Ink) -> float:
    low, high = sorted(_light(ink) for ink in (one, other))
    return (high + 0.05) / (low + 0.05)


def _light(ink: Ink) -> float:
    shares = [part / 255 for part in ink[:3]]
    linear = [
        share / 12.92 if share <= 0.04045 else float(elementary.power((share + 0.055) / 1.055, 2.4)) for share in shares
    ]
    return plain_sum(by * part for by, part in zip(_LIGHTS, linear, strict=True))

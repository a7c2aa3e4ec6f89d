"""Guide marks: lines for setting up and deploying, which must be fainter than the terrain."""

from __future__ import annotations

from functools import cache
from typing import Final

from printkit.core import exact_math
from printkit.core.sums import plain_sum
from printkit.drawing.canvas.items import Ink
from printkit.drawing.text.drafter import Drafter

# The highest contrast of a guide mark with the paper (WCAG 2, from 1 to 21); outlines of terrain have more.
MOST_CONTRAST: Final = 3.0

# The width in mm of the widest guide line on a board at 1:1, in all styles.
WIDEST: Final = 0.30

_STEPS: Final = 50
_LUMINANCE_WEIGHTS: Final = (0.2126, 0.7152, 0.0722)


def guide_ink(drafter: Drafter, token: str, max_contrast: float = MOST_CONTRAST) -> Ink:
    """Return an ink, thinned until its contrast with the paper is at most ``max_contrast``.

    ``token`` is the name of the ink in the style. Contrast is the WCAG 2 ratio, from 1 to 21.
    """
    style = drafter.style
    paper = style.ink("paper") or Ink(255, 255, 255)
    return _thin_ink(style.solid(token), paper, max_contrast)


def guide_width(drafter: Drafter, mm: float = WIDEST) -> float:
    """Return the width in mm at 1:1 to request, so that a guide line has the width ``mm`` at 1:1.

    It cancels the line factor of the style.
    """
    return mm / drafter.style.line_factor


@cache
def _thin_ink(ink: Ink, paper: Ink, max_contrast: float) -> Ink:
    """Return the ink with the highest opacity at which its contrast with ``paper`` is at most ``max_contrast``.

    Contrast is the WCAG 2 ratio, from 1 to 21. If no opacity is low enough, the ink is unchanged.
    """
    covers = (step / _STEPS for step in range(_STEPS, 0, -1))
    return next(
        (ink.with_alpha(cover) for cover in covers if _contrast(paper.mix(ink, cover), paper) <= max_contrast), ink
    )


def _contrast(first_ink: Ink, second_ink: Ink) -> float:
    """Return the contrast of two opaque inks: the WCAG 2 ratio, from 1 to 21."""
    darker, lighter = sorted(_luminance(ink) for ink in (first_ink, second_ink))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(ink: Ink) -> float:
    """Return the relative luminance of an opaque ink by WCAG 2, from 0 (black) to 1 (white)."""
    shares = [part / 255 for part in ink[:3]]
    linear = [
        share / 12.92 if share <= 0.04045 else float(exact_math.power((share + 0.055) / 1.055, 2.4)) for share in shares
    ]
    return plain_sum(weight * part for weight, part in zip(_LUMINANCE_WEIGHTS, linear, strict=True))

"""What eyes make of inks: contrast (WCAG 2), colour difference (CIEDE2000), colour-blind sight (Machado 2009)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from printkit.drawing.canvas.items import Ink

Vector = NDArray[np.float64]

SIGHTS = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""Full loss of one sort of cone, on linear light. Machado, Oliveira and Fernandes 2009, severity 1.0."""

_TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]


def linear(ink: Ink) -> Vector:
    """Return the light of an ink, 0 to 1 a channel."""
    share = np.array(ink[:3]) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def contrast(one: Ink, other: Ink) -> float:
    """Return the contrast of two inks, 1 to 21."""
    low, high = sorted(float(np.dot([0.2126, 0.7152, 0.0722], linear(ink))) for ink in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen(ink: Ink, sight: str) -> Vector:
    """Return the linear light that an eye without one sort of cone makes of an ink."""
    return np.clip(np.array(SIGHTS[sight]) @ linear(ink), 0, 1)


def lab(light: Vector) -> Vector:
    """Return CIE L*a*b* (D65) of linear light."""
    share = np.array(_TO_XYZ) @ light / np.array(_TO_XYZ).sum(axis=1)
    x, y, z = np.where(share > (6 / 29) ** 3, np.cbrt(share), share * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(one: Vector, other: Vector) -> float:
    """Return the difference CIEDE2000 of two colours in L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    grow = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    c1, c2 = math.hypot(grow * a1, b1), math.hypot(grow * a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, grow * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    across = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    hue = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    bend = sum(
        share * math.cos(math.radians(times * hue - by))
        for share, times, by in ((-0.17, 1, 30), (0.24, 2, 0), (0.32, 3, -6), (-0.20, 4, 63))
    )
    for_light = 1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2)
    for_chroma, for_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * (1 + bend)
    twist = math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    twist *= -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    parts = (l2 - l1) / for_light, (c2 - c1) / for_chroma, across / for_hue
    return math.sqrt(sum(part**2 for part in parts) + twist * parts[1] * parts[2])

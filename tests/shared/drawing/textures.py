"""What the eye keeps of a sign printed in black: numbers that do not ask where in its field anything stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from printkit.drawing.canvas.items import Drawing
from printkit.export.png import pictures
from printkit.page.sheet import document_of

DPI = 300
_RIM = 12
"""Dots at every edge that are left out: the rule about the field."""

Bits = NDArray[np.bool_]
Vector = NDArray[np.float64]


def bits(drawing: Drawing) -> Bits:
    """Return the dark dots of a drawing as a laser printer sets them, its rule cut off."""
    (picture,) = pictures(document_of(drawing), DPI)
    return np.asarray(picture.convert("L"))[_RIM:-_RIM, _RIM:-_RIM] < 128


def features(dark: Bits) -> dict[str, Vector]:
    """Return the groups of numbers that tell signs apart, each group a histogram or a share."""
    return {
        "ink": np.array([dark.mean()]),
        "dark runs": np.concatenate([_runs(dark), _runs(dark.T)]),
        "light runs": np.concatenate([_runs(~dark), _runs(~dark.T)]),
        "blobs": _blobs(dark),
        "holes": _blobs(~dark),
        "directions": _directions(dark),
    }


def _lengths(dark: Bits) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where runs of dark dots begin and end in the picture read line by line."""
    framed = np.pad(dark, ((0, 0), (0, 1))).ravel().astype(np.int8)
    steps = np.diff(framed, prepend=np.int8(0))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def _binned(sizes: NDArray[np.int64], most: float) -> Vector:
    """Return which share of all dots lies in things of about each size, by steps of the root of 2, smoothed."""
    if not len(sizes):
        return np.zeros(24)
    place = np.log2(sizes) / np.log2(most) * 23
    low = np.minimum(place.astype(int), 22)
    share = np.minimum(place - low, 1.0)
    found = np.bincount(low, sizes * (1 - share), 24) + np.bincount(low + 1, sizes * share, 24)
    return np.asarray(np.convolve(found, [0.25, 0.5, 0.25], mode="same") / sizes.sum())


def _runs(dark: Bits) -> Vector:
    starts, ends = _lengths(dark)
    return _binned(ends - starts, 800.0)


def _blobs(dark: Bits) -> Vector:
    """Return the sizes of what hangs together."""
    starts, ends = _lengths(dark)
    width = dark.shape[1] + 1
    first = np.searchsorted(ends, starts - width, side="right")
    count = np.maximum(np.searchsorted(starts, ends - width, side="left") - first, 0)
    below = np.repeat(np.arange(len(starts)), count)
    above = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    label = np.arange(len(starts))
    while True:
        least = np.minimum(label[below], label[above])
        joined = label.copy()
        np.minimum.at(joined, label[below], least)
        np.minimum.at(joined, label[above], least)
        joined = joined[joined]
        if (joined == label).all():
            break
        label = joined
    return _binned(np.bincount(label, ends - starts).astype(np.int64)[np.unique(label)], 400_000.0)


def _directions(dark: Bits) -> Vector:
    """Return how much of the edges runs in each of twelve directions."""
    soft = dark.astype(np.int8)
    for axis in (0, 1):
        soft = np.roll(soft, 1, axis) + 2 * soft + np.roll(soft, -1, axis)
    # Twice the gradient: whole numbers of up to 32 either way, so that each pair of them is reckoned once.
    framed = np.pad(soft.astype(np.int16), 1, mode="reflect", reflect_type="odd")
    steps = (framed[2:, 1:-1] - framed[:-2, 1:-1] + 32) * 65 + (framed[1:-1, 2:] - framed[1:-1, :-2] + 32)
    counted = np.bincount(steps.ravel(), minlength=65 * 65)
    up, across = (values - 32 for values in np.divmod(np.flatnonzero(counted), 65))
    strength = np.hypot(up, across) * counted[counted > 0]
    turn = (np.arctan2(up, across) % np.pi) / np.pi * 12
    low = turn.astype(int) % 12
    share = turn - np.floor(turn)
    found = np.bincount(low, strength * (1 - share), 12)
    found += np.bincount((low + 1) % 12, strength * share, 12)
    return np.asarray(found / max(found.sum(), 1e-9))

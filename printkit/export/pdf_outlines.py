"""Outlines of paths as PDF operators, and their bounds: all numbers of a drawing are written at once, as arrays.

Tables hold the figures of numbers, four to a word. A point is seven such words: two for each of its coordinates,
what parts the two, and the operators behind them. What a word does not need is marked, and struck out at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from printkit.drawing.canvas.items import Path, Run

_AT_ONCE: Final = 50_000
"""Points that are written at once: enough that arrays pay, few enough that they stay small."""

_GROUP: Final = 10_000
_BELOW_ZERO: Final = 1_000
"""The groups of figures that a coordinate can have before its last one: it stays below 10,000,000, or 100 m."""

_STRUCK: Final = b"\xff"
_PARTED: Final = b"\0"


class Outline(NamedTuple):
    """The operators that lead along a path, and the bounds of its points."""

    code: str
    left: int
    bottom: int
    right: int
    top: int


def outlines(paths: Iterable[Path]) -> Iterator[Outline]:
    """Yield the outline of each path; each has runs, and each run has points."""
    gathered: list[Run] = []
    counts: list[int] = []
    room = _AT_ONCE
    for path in paths:
        gathered += path.runs
        counts.append(len(path.runs))
        room -= sum([len(run.points) for run in path.runs]) // 2
        if room < 0:
            yield from _outlines(gathered, counts)
            gathered, counts, room = [], [], _AT_ONCE
    if gathered:
        yield from _outlines(gathered, counts)


def _outlines(runs: Sequence[Run], counts: Sequence[int]) -> Iterator[Outline]:
    """Yield outlines of so many runs each."""
    coordinates = [run.points for run in runs]
    lengths = np.array([len(flat) // 2 for flat in coordinates])
    points = np.fromiter(chain.from_iterable(coordinates), np.int32, 2 * int(lengths.sum())).reshape(-1, 2)
    stops = np.cumsum(lengths)
    whole = stops[np.cumsum(counts) - 1]
    starts = np.concatenate([[0], whole[:-1]])
    low, high = (function.reduceat(points, starts).tolist() for function in (np.minimum, np.maximum))
    words = np.empty((len(points), 7), np.uint32)
    for axis, at in ((0, 0), (1, 3)):
        size = np.abs(points[:, axis])
        group = size // _GROUP
        words[:, at] = _FIRST.take(group + _BELOW_ZERO * (points[:, axis] < 0))
        words[:, at + 1] = _LAST.take(size - group * _GROUP + _GROUP * (group > 0))
    words[:, 2] = _word(b" ")
    words[:, 5] = _word(b" l\n")
    words[stops - lengths, 5] = _word(b" m\n")
    words[:, 6] = _word(b"")
    words[stops[[run.closed for run in runs]] - 1, 6] = _word(b"h\n")
    figures = words.view(np.uint8)
    figures[whole - 1, -1] = _PARTED[0]
    codes = figures.tobytes().translate(None, _STRUCK).decode("ascii").split(_PARTED.decode())
    for code, least, most in zip(codes, low, high, strict=False):
        yield Outline(code, *least, *most)


def _word(text: bytes) -> np.uint32:
    """Return a text of up to four letters as a word, filled up with what is struck out."""
    return np.uint32(int.from_bytes(text.ljust(4, _STRUCK), sys.byteorder))


def _figures(count: int) -> NDArray[np.uint8]:
    """Return the numbers below ``count`` as four figures each."""
    numbers = np.arange(count)[:, None]
    return (ord("0") + numbers // 10 ** np.arange(3, -1, -1) % 10).astype(np.uint8)


def _without_zeros(figures: NDArray[np.uint8], least: int) -> NDArray[np.uint8]:
    """Return numbers without the zeros they begin with, though each keeps its ``least`` last figures."""
    leading = np.logical_and.accumulate(figures == ord("0"), axis=1)
    leading[:, 4 - least :] = False
    return np.where(leading, np.uint8(_STRUCK[0]), figures)


def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return what stands for the first figures of a number, and behind those of negative ones; and for the last."""
    first = _without_zeros(_figures(_BELOW_ZERO), 0)
    negative = first.copy()
    negative[:, 0] = ord("-")
    last = _figures(_GROUP)
    tables = np.concatenate([first, negative]), np.concatenate([_without_zeros(last, 1), last])
    return tables[0].view(np.uint32).ravel(), tables[1].view(np.uint32).ravel()


_FIRST, _LAST = _tables()

"""Searches for coverings: pieces of one size into numbered places, with as few places left over as can be.

Places are covered in their order. What is known of a part-covering is its first open place and a window of the places
after it that are taken; two part-coverings with the same window can be finished in the same ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

Options: TypeAlias = Sequence[Sequence[int]]
"""By place, the pieces that may begin there: masks whose bit 0 is the place itself, in the order of preference."""

Choices: TypeAlias = tuple[tuple[int, int], ...]
"""Where pieces begin, and their masks."""

_ALONE: Final = 1
"""The mask of a place that is left over; no piece has it, for pieces cover more than one place."""

_PLACE_BITS: Final = 16
_ROUGHNESS: Final = 3
"""Edges of a window that weigh as much as one place left over, in the second ranking of the broad search."""


class Nodes(Struct):
    """How many more part-coverings may be looked at; a count and not a clock, so that it is the same everywhere."""

    left: int

    def take(self) -> bool:
        """Count one, and return whether it was still to be had."""
        self.left -= 1
        return self.left >= 0

    @property
    def spent(self) -> bool:
        """Return whether the count has run out."""
        return self.left < 0


class _Step(Struct):
    """A part-covering on the way down: the ways to go on that are not yet tried, and the one that is being tried."""

    place: int
    window: int
    spare: int
    ways: Iterator[int]
    chosen: int = _ALONE


def complete(options: Options, *, spare: int, nodes: Nodes) -> Choices | None:
    """Return the first covering, in the order of places and preferences, that leaves at most ``spare`` places over.

    A place is left over only after every piece that may begin there was tried. None means that there is no such
    covering, or that the nodes ran out, which ``nodes.spent`` tells.
    """
    if not options:
        return ()
    # By part-covering, the most places that it may leave over and still be known to fail.
    failed: dict[int, int] = {}
    stack = [_step(options, place=0, window=0, spare=spare)]
    while stack:
        step = stack[-1]
        mask = next((mask for mask in step.ways if not step.window & mask), None)
        if mask is None:
            failed[step.window << _PLACE_BITS | step.place] = step.spare
            stack.pop()
            continue
        step.chosen = mask
        place, window = _shut(step.place, step.window | mask)
        left = step.spare - (mask == _ALONE)
        if place == len(options):
            return tuple((each.place, each.chosen) for each in stack if each.chosen != _ALONE)
        if failed.get(window << _PLACE_BITS | place, -1) < left:
            if not nodes.take():
                return None
            stack.append(_step(options, place=place, window=window, spare=left))
    return None


def _step(options: Options, *, place: int, window: int, spare: int) -> _Step:
    pieces = options[place]
    return _Step(place, window, spare, iter((*pieces, _ALONE) if spare else pieces))


def _shut(place: int, window: int) -> tuple[int, int]:
    """Return the next open place and the window that begins with it."""
    taken = (~window & (window + 1)).bit_length() - 1
    return place + taken, window >> taken


class _Trace(NamedTuple):
    """How the best part-covering with its window came about."""

    over: int
    place: int = 0
    window: int = 0
    mask: int = 0


def broad(options: Options, *, width: int) -> Choices:
    """Return a good covering: at each place only the ``width`` part-coverings that promise most are carried on.

    It is tried with two rankings: by places left over alone, and by these together with how rough the window is.
    """
    found = [_beam(options, width=width, roughness=roughness) for roughness in (0, 1)]
    return max(found, key=len)


def _beam(options: Options, *, width: int, roughness: int) -> Choices:
    count = len(options)
    layers: list[dict[int, _Trace]] = [{} for _ in range(count + 1)]
    layers[0][0] = _Trace(0)

    def rank(entry: tuple[int, _Trace]) -> tuple[int, int, int]:
        window, trace = entry
        rough = (window ^ (window >> 1)).bit_count()
        return _ROUGHNESS * trace.over + roughness * rough, trace.over, window

    for place in range(count):
        if len(layers[place]) > width:
            layers[place] = dict(sorted(layers[place].items(), key=rank)[:width])
        for window, trace in layers[place].items():
            for mask in (*options[place], _ALONE):
                if window & mask:
                    continue
                over = trace.over + (mask == _ALONE)
                at, after = _shut(place, window | mask)
                known = layers[at].get(after)
                if known is None or known.over > over:
                    layers[at][after] = _Trace(over, place, window, mask)
    return _followed(layers)


def _followed(layers: Sequence[dict[int, _Trace]]) -> Choices:
    place, window = len(layers) - 1, 0
    chosen: list[tuple[int, int]] = []
    while place:
        trace = layers[place][window]
        if trace.mask != _ALONE:
            chosen.append((trace.place, trace.mask))
        place, window = trace.place, trace.window
    return tuple(reversed(chosen))

"""Reproducible random numbers by name. Shapes and drawings use them as jitter; they are never logged."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Stream:
    """An endless sequence of random numbers that depends only on its name.

    SHA-256 hashes the name, so the sequence is the same in every process; Python's ``hash`` is not. The generator
    supplies only ``random()``, because Python guarantees the sequence of that method across versions.
    """

    __slots__ = ("_drawn", "_generator", "_name")

    def __init__(self, name: str) -> None:
        self._name = name
        self._generator = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest(), "big"))
        self._drawn = 0

    def draw_unit(self) -> float:
        """Draw the next random number, from 0 to under 1."""
        return self._generator.random()

    def between(self, low: float, high: float) -> float:
        """Draw the next random number from ``low`` to under ``high``, of a uniform distribution."""
        return low + (high - low) * self._generator.random()

    def draw_index(self, count: int) -> int:
        """Draw the next random integer, from 0 to ``count - 1``.

        ``count`` must be at least 1.
        """
        return int(self._generator.random() * count)

    def draw_normal(self, spread: float = 1.0) -> float:
        """Draw the next number of a normal distribution with mean 0 and standard deviation ``spread``.

        It uses two random numbers of the stream.
        """
        first, second = 1.0 - self._generator.random(), self._generator.random()
        return spread * math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)

    def draw_array(self, count: int) -> NDArray[np.float64]:
        """Draw an array of ``count`` random numbers from 0 to under 1; each call gives new numbers.

        It does not move the single numbers of the stream on, such as those of ``draw_unit``.
        """
        import numpy as np

        self._drawn += 1
        bits = hashlib.shake_256(f"{self._name}#{self._drawn}".encode()).digest(8 * count)
        integers = np.frombuffer(bits, dtype="<u8") >> np.uint64(11)
        return integers.astype(np.float64) * 2.0**-53


class Jitter(Struct, frozen=True):
    """Random streams for shapes. A name is ``stage/feature/purpose``, so one feature never reshapes another.

    ``stage_seeds`` has separate seeds of single stages; the streams of the other stages do not change. Each ``draft``
    of a battlefield, from 1, has streams of its own.
    """

    seed: int
    stage_seeds: Mapping[str, int] = field(default_factory=dict)
    draft: int = 1

    def stream(self, name: str) -> Stream:
        """Return a new stream with this name; equal names give equal numbers, from the start.

        The part of the name before the first ``/`` is the stage; a stage that was rolled again has its own seed.
        """
        seed = self.stage_seeds.get(name.split("/", 1)[0], self.seed)
        return Stream(f"jitter/{seed}/{name}" if self.draft == 1 else f"jitter/{seed}/draft {self.draft}/{name}")

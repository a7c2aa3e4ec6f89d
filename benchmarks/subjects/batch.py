"""A batch of maps: on one core and on two, against as many commands, and against what two cores can do at all.

A map is always weighed against commands of the very same seeds, for some boards take three times as long as others.
What a batch takes to start is told from what its maps take by a second, short one: the figures are those of a batch
that is long enough for the start to be spread over many.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from benchmarks.figures import Ratio, ratio
from benchmarks.processes import Command, Lot, Run, lot, once, printkit
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED
from benchmarks.tables import table

LARGE: Final = 500
"""Maps of the batch for which the figures are stated."""

SHORT: Final = 2
"""Maps of the short batch: one for each of two processes."""

_LOOPS: Final = 4


class Line(Struct, frozen=True, kw_only=True):
    """What so many maps of a batch take: the straight line through a short batch and a long one of ``count`` maps."""

    short: float
    long: float
    count: int

    def at(self, maps: int) -> float:
        """Return the seconds that so many maps take."""
        return self.long + (maps - self.count) * (self.long - self.short) / (self.count - SHORT)


class Batched(Struct, frozen=True):
    """A short batch and a long one, on as many cores."""

    short: Run
    long: Run
    count: int

    @property
    def cpu(self) -> Line:
        """Return time of the processor."""
        return Line(short=self.short.cpu, long=self.long.cpu, count=self.count)

    @property
    def wall(self) -> Line:
        """Return time on the clock."""
        return Line(short=self.short.wall, long=self.long.wall, count=self.count)


class Round(Struct, frozen=True, kw_only=True):
    """Everything once: a batch on one core and on two, as many commands, and the controls.

    ``halves`` are two batches at a time that know nothing of each other, ``loops`` the same of a loop of plain Python.
    """

    count: int
    commands: Lot
    halves: Lot
    one: Batched
    two: Batched
    loops: Lot
    loop_pairs: Lot


def batch(effort: Effort) -> Section:
    """Measure maps an hour. Time is that on the clock where cores are compared, of the processor elsewhere."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        return Section(title="A batch", blocks=("Needs two processors, and a system that can hold a process to one.",))
    # With fewer maps there is no long batch to tell from the short one.
    count = max(effort.count, 2 * SHORT)
    once(_maps(1, 1))
    return told([_round(count) for _ in range(effort.long_rounds)])


def told(rounds: Sequence[Round]) -> Section:
    """Return the section of what was measured."""
    count = rounds[0].count
    gain = _ratio(rounds, lambda each: each.one.wall.at(LARGE), lambda each: each.two.wall.at(LARGE))
    share = _ratio(rounds, lambda each: each.one.cpu.at(LARGE) / LARGE, lambda each: each.commands.cpu / count)
    halves = _ratio(rounds, lambda each: each.one.long.wall, lambda each: each.halves.wall)
    loops = _ratio(rounds, lambda each: each.loops.wall, lambda each: each.loop_pairs.wall)
    large = statistics.median(each.two.wall.at(LARGE) for each in rounds)
    return Section(
        title="A batch",
        blocks=(
            f"`printkit map --count {count}`: brantley, 24 in, `campaign`, consecutive seeds; and each of these maps "
            "by a command of its own. Processes are held to their cores from outside. The difference to a batch of "
            f"{SHORT} maps is the work of the other {count - SHORT}, and what is left is the start: so a batch of "
            f"{LARGE} is reckoned. The last column compares time on the clock with that of the same work on one core.",
            table(
                ("what", "cores", "processor a map, s", "clock a map, s", "maps an hour", "peak, MB", "x one core"),
                [
                    _row(rounds, "a command a map, one after the other", 1, lambda each: each.commands, count),
                    _row(rounds, f"a batch of {count}", 1, lambda each: each.one.long, count),
                    _row(rounds, f"a batch of {count}", 2, lambda each: each.two.long, count, _measured(rounds)),
                    _row(rounds, f"control: two batches of {count // 2}", 2, lambda each: each.halves, count, halves),
                    _reckoned(rounds, 1, lambda each: each.one),
                    _reckoned(rounds, 2, lambda each: each.two, gain),
                    ("control: two loops of plain Python at a time", 2, "", "", "", "", loops),
                ],
            ),
            f"Of a batch of {LARGE}, two cores make {gain} times the maps that one makes in the same time. The "
            "controls say what this machine has to give: two batches of half the maps each, started at the same time "
            f"and knowing nothing of each other, make {halves} times as many as one batch on one core, and two loops "
            f"that hardly touch memory run {loops} times as often. What a batch lacks against the first of them is "
            "the price of sharing out.",
            f"A map of a batch of {LARGE} takes {share} times the processor of a command of its own, by the mean of "
            f"the same {count} seeds. At this rate {LARGE} maps take {large / 60:.1f} minutes on two cores.",
        ),
        measured={"batch-cores": gain.middle / loops.middle, "batch-single": share.middle},
    )


def _round(count: int) -> Round:
    seeds = range(int(SEED), int(SEED) + count)
    # What is compared runs one after the other, for the machine may be slower a minute later.
    commands = lot([_maps(1, 1, seed) for seed in seeds], at_once=1)
    one, two = (Batched(once(_maps(SHORT, cores)), once(_maps(count, cores)), count) for cores in (1, 2))
    half = count // 2
    halves = lot([_maps(half, 1, seeds[first], first=core) for core, first in enumerate((0, half))], at_once=2)
    loops, loop_pairs = (lot([_loop(cores)] * _LOOPS, at_once=cores) for cores in (1, 2))
    return Round(count=count, commands=commands, halves=halves, one=one, two=two, loops=loops, loop_pairs=loop_pairs)


def _loop(cores: int) -> Command:
    return Command("a loop", ("-c", "x = 0\nfor i in range(8_000_000): x += i * i % 7"), cores=cores)


def _maps(count: int, cores: int, seed: int = int(SEED), *, first: int = 0) -> Command:
    """Return a batch, or a command of one map, held to so many cores from ``first`` on, each with a process."""
    shared = () if count == 1 else ("--count", str(count))
    made = printkit(f"{count} maps on {cores}", "map", "--seed", str(seed), *shared, cores=cores)
    return replace(made, first=first)


def _row(
    rounds: Sequence[Round],
    name: str,
    cores: int,
    taken: Callable[[Round], Lot | Run],
    count: int,
    gain: Ratio | None = None,
) -> tuple[object, ...]:
    cpu, wall = (statistics.median(getattr(taken(each), what) / count for each in rounds) for what in ("cpu", "wall"))
    peak = max(taken(each).peak for each in rounds) / 1e6
    return name, cores, f"{cpu:.2f}", f"{wall:.2f}", f"{3600 / wall:.0f}", f"{peak:.0f}", gain or "1"


def _reckoned(
    rounds: Sequence[Round], cores: int, taken: Callable[[Round], Batched], gain: Ratio | None = None
) -> tuple[object, ...]:
    cpu = statistics.median(taken(each).cpu.at(LARGE) / LARGE for each in rounds)
    wall = statistics.median(taken(each).wall.at(LARGE) / LARGE for each in rounds)
    return f"a batch of {LARGE}, reckoned", cores, f"{cpu:.2f}", f"{wall:.2f}", f"{3600 / wall:.0f}", "", gain or "1"


def _measured(rounds: Sequence[Round]) -> Ratio:
    return _ratio(rounds, lambda each: each.one.long.wall, lambda each: each.two.long.wall)


def _ratio(rounds: Sequence[Round], value: Callable[[Round], float], base: Callable[[Round], float]) -> Ratio:
    return ratio([value(each) for each in rounds], [base(each) for each in rounds])

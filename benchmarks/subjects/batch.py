"""A batch of maps: on one core, on two, and against as many commands."""

from __future__ import annotations

import os

from benchmarks.figures import ratio
from benchmarks.processes import Command, interleaved, printkit
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED
from benchmarks.tables import table


def batch(effort: Effort) -> Section:
    """Measure maps an hour. Time is that on the clock where cores are compared, of the processor elsewhere."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        return Section(title="A batch", blocks=("Needs two processors, and a system that can hold a process to one.",))
    count = effort.count
    single, one, two = interleaved(
        (_maps("one map", 1, 1), _maps("a batch, 1", count, 1), _maps("a batch, 2", count, 2)),
        effort.long_rounds,
        warm=False,
    )
    gain = ratio([run.wall for run in one.runs], [run.wall for run in two.runs])
    share = ratio([run.cpu / count for run in one.runs], [run.cpu for run in single.runs])
    asked = (("one map a command", 1, 1, single), (f"{count} maps", count, 1, one), (f"{count} maps", count, 2, two))
    rows = [
        (
            name,
            cores,
            f"{each.cpu / maps:.2f}",
            f"{each.wall / maps:.2f}",
            f"{3600 * maps / each.wall:.0f}",
            f"{each.peak:.0f}",
        )
        for name, maps, cores, each in asked
    ]
    head = ("command", "cores", "processor a map, s", "clock a map, s", "maps an hour", "peak of a process, MB")
    return Section(
        title="A batch",
        blocks=(
            f"`printkit map --count {count}`: brantley, 24 in, `campaign`, consecutive seeds. Processes are held to "
            "their cores from outside.",
            table(head, rows),
            f"Two cores make {gain} times the maps that one makes in the same time. A map of the batch takes {share} "
            "times the processor of a command of its own. At this rate 500 maps take "
            f"{500 * two.wall / count / 60:.1f} minutes on two cores.",
        ),
        measured={"batch-cores": gain.middle, "batch-single": share.middle},
    )


def _maps(name: str, count: int, cores: int) -> Command:
    jobs = () if count == 1 else ("--jobs", str(cores))
    return printkit(name, "map", "--seed", SEED, "--count", str(count), *jobs, cores=cores)

"""A batch as it is measured: the start told from the maps, and what two cores can do at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("benchmarks.subjects.batch", reason="benchmarks are not part of the package")

from benchmarks.processes import Command, FailedError, Lot, Run, lot
from benchmarks.subjects.batch import Batched, Line, Round, told


def test_a_batch_is_weighed_against_commands_and_its_start_told_from_the_maps() -> None:
    line = Line(short=5.0, long=62.0, count=40)
    assert line.at(0) == pytest.approx(2.0)
    assert line.at(40) == pytest.approx(62.0)
    assert line.at(500) == pytest.approx(2.0 + 500 * 1.5)
    measured = Round(
        count=10,
        commands=Lot(tuple(run(3.0) for _ in range(10)), 30.0),
        halves=Lot((run(8.0), run(8.0)), 8.0),
        one=Batched(run(4.0), run(16.0), 10),
        two=Batched(run(2.0), run(8.4), 10),
        loops=Lot((run(2.0), run(2.0)), 4.0),
        loop_pairs=Lot((run(2.1), run(2.1)), 2.1),
    )
    section = told([measured])
    # 1 s and 1.5 s a map on one core; 0.4 s and 0.8 s a map on two.
    assert section.measured["batch-cores"] == pytest.approx((1 + 500 * 1.5) / (0.4 + 500 * 0.8) * 2.1 / 4.0)
    assert section.measured["batch-single"] == pytest.approx((1 + 500 * 1.5) / 500 / 3.0)
    assert "| control: two batches of 5 | 2 | 1.60 | 0.80 | 4500 | 80 | 2.00 |" in section.blocks[1]
    assert "| a batch of 500, reckoned | 2 | 0.80 | 0.80 | 4496 |  | 1.88 |" in section.blocks[1]
    assert "| control: two loops of plain Python at a time | 2 |  |  |  |  | 1.90 |" in section.blocks[1]


def run(seconds: float) -> Run:
    """Return a run that took so many seconds of everything."""
    return Run(cpu=seconds, wall=seconds, peak=80_000_000)


def test_so_many_commands_run_at_a_time_and_one_that_ends_badly_is_told_of(tmp_path: Path) -> None:
    # Each looks for what the other leaves: two that run one after the other do not meet.
    meeting = "import os, sys\nopen(sys.argv[1], 'w').close()\nprint(any(map(os.path.exists, [sys.argv[2]] * 10**6)))"
    here, there = str(tmp_path / "here"), str(tmp_path / "there")
    both = [Command("one", ("-c", meeting, here, there)), Command("other", ("-c", meeting, there, here))]
    found = lot(both, at_once=2)
    assert [each.said for each in found.runs] == ["True\n"] * 2
    assert found.cpu == pytest.approx(sum(each.cpu for each in found.runs))
    with pytest.raises(FailedError, match="a fault ended with 3"):
        lot([Command("a fault", ("-c", "raise SystemExit(3)"))], at_once=2)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system cannot hold a process to a core")
def test_a_command_is_held_to_its_cores_and_the_program_is_not() -> None:
    before = os.sched_getaffinity(0)
    asked = Command("cores", ("-c", "import os; print(len(os.sched_getaffinity(0)))"), cores=1)
    assert [each.said for each in lot([asked], at_once=1).runs] == ["1\n"]
    assert os.sched_getaffinity(0) == before

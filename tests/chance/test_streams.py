"""Named streams: the same everywhere, apart from one another, evenly spread."""

from __future__ import annotations

import subprocess
import sys

import numpy as np

from printkit.chance.streams import Jitter, Stream


def test_a_stream_hangs_on_its_name_alone_in_every_process():
    assert [Stream("a").draw_unit() for _ in range(2)] == [Stream("a").draw_unit()] * 2
    assert Stream("a").draw_unit() != Stream("b").draw_unit()
    code = "from printkit.chance.streams import Stream; s = Stream('x'); "
    code += "print(s.draw_unit(), s.draw_index(1000), s.draw_array(2)[1])"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_numbers_keep_their_bounds_and_spread():
    stream = Stream("bounds")
    assert all(2.0 <= stream.between(2, 5) <= 5.0 for _ in range(200))
    assert {stream.draw_index(4) for _ in range(200)} == {0, 1, 2, 3}
    stream = Stream("bell")
    numbers = np.array([stream.draw_normal(3.0) for _ in range(4000)])
    assert abs(numbers.mean()) < 0.2
    assert abs(numbers.std() - 3.0) < 0.15
    stream = Stream("array")
    first, second = stream.draw_array(5000), stream.draw_array(5000)
    assert not np.array_equal(first, second)
    assert first.min() >= 0
    assert first.max() < 1
    assert abs(first.mean() - 0.5) < 0.02
    assert np.array_equal(Stream("array").draw_array(5000), first)


def test_jitter_hangs_on_its_name_and_a_reseeded_stage_has_its_own():
    jitter = Jitter(7)
    assert jitter.stream("hills/z1/outline").draw_unit() == jitter.stream("hills/z1/outline").draw_unit()
    assert jitter.stream("hills/z1/outline").draw_unit() != jitter.stream("hills/z2/outline").draw_unit()
    assert Jitter(8).stream("hills/z1/outline").draw_unit() != jitter.stream("hills/z1/outline").draw_unit()
    plain, other = Jitter(7), Jitter(7, {"hills": 9})
    assert plain.stream("hills/z1/outline").draw_unit() != other.stream("hills/z1/outline").draw_unit()
    assert other.stream("hills/z1/outline").draw_unit() == Jitter(9).stream("hills/z1/outline").draw_unit()
    assert plain.stream("rivers/r1/course").draw_unit() == other.stream("rivers/r1/course").draw_unit()

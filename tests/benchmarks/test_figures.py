"""Medians of paired runs, and how steeply one thing grows with another."""

from __future__ import annotations

import pytest

pytest.importorskip("benchmarks.figures", reason="benchmarks are not part of the package")

from benchmarks.figures import growth, ratio


def test_a_ratio_is_the_median_of_the_rounds_with_a_spread_of_several() -> None:
    found = ratio([2.0, 30.0, 4.0], [1.0, 10.0, 4.0])
    assert found == (2.0, 1.0, 3.0)
    assert str(found) == "2.00 (1.00 to 3.00)"
    assert str(ratio([3.0], [2.0])) == "1.50"


def test_rounds_that_do_not_pair_and_lines_of_one_size_are_refused() -> None:
    for values, bases in (([], []), ([1.0], [1.0, 2.0])):
        with pytest.raises(ValueError):
            ratio(values, bases)
    with pytest.raises(ValueError):
        growth([(2.0, 1.0), (2.0, 3.0)])


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_is_found(exponent: float) -> None:
    line = growth([(x, 3.0 * x**exponent) for x in (1.0, 2.0, 5.0, 18.0)])
    assert line.exponent == pytest.approx(exponent)
    assert line.factor == pytest.approx(3.0)
    assert line.fit == pytest.approx(1.0)

"""The page: medians of paired runs and growth, tables, verdicts on targets, and a run that is stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("benchmarks.page", reason="benchmarks are not part of the package")

from benchmarks.chart import stacked
from benchmarks.figures import growth, ratio
from benchmarks.page import page, replace_page
from benchmarks.sections import Effort, Section
from benchmarks.subjects.mats import MEASURED
from benchmarks.tables import table
from benchmarks.targets import TARGETS, Target, Verdict, targets_table

EFFORT = Effort(rounds=2, long_rounds=1, count=8, quick=True)


def test_a_table_has_names_on_the_left_and_figures_in_rows_on_the_right() -> None:
    assert table(("what", "s"), [("a|b", 1.5)]) == "| what | s |\n| --- | ---: |\n| a\\|b | 1.5 |"
    with pytest.raises(ValueError):
        table(("what", "s"), [("map",)])


def test_every_target_has_a_row_and_mats_measure_no_others() -> None:
    measured = {f"mat-{figure}-{key}" for key, figures in MEASURED for figure in figures} | {"mat-floor"}
    assert measured == {target.key for target in TARGETS if target.key.startswith("mat-")}
    lines = targets_table({TARGETS[0].key: 1.0}).splitlines()
    assert len(lines) == 2 + len(TARGETS)
    assert [line.count("not measured") for line in lines[2:]] == [0] + [1] * (len(TARGETS) - 1)
    with pytest.raises(KeyError):
        targets_table({"no such target": 1.0})


@pytest.mark.parametrize(
    ("least", "measured", "verdict"),
    [
        (False, 8.0, Verdict.MET),
        (False, 8.01, Verdict.MISSED),
        (True, 8.0, Verdict.MET),
        (True, 7.99, Verdict.MISSED),
        (False, None, Verdict.UNKNOWN),
    ],
)
def test_the_limit_itself_meets_a_target(least: bool, measured: float | None, verdict: Verdict) -> None:
    assert Target("key", "what", 8, least=least).verdict(measured) is verdict


def test_a_page_tells_of_targets_and_waits_shows_pictures_and_wraps_its_paragraphs() -> None:
    section = Section(title="One map", blocks=("word " * 60, "| a |\n| --- |"), measured={TARGETS[0].key: 4.5})
    text = page([section], EFFORT, None)
    assert "| 4.50 x floor | met |" in text
    assert "## One map" in text
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 120
    section = Section(title="One map", blocks=(f"![{'a chart of stages ' * 9}](chart.svg)",), waits={"`map`": 0.617})
    text = page([section], EFFORT, None)
    assert "| `map` | 0.62 |" in text
    assert section.blocks[0] in text.splitlines()


def test_a_page_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    old = tmp_path / "performance.md"
    old.write_text("old", encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        replace_page("\ud800", old, {})
    assert [path.name for path in tmp_path.iterdir()] == [old.name]
    assert old.read_text(encoding="utf-8") == "old"
    replace_page("new", old, {"chart.svg": "<svg/>"})
    assert old.read_text(encoding="utf-8") == "new"
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == "<svg/>"


def test_a_chart_has_a_bar_a_part_as_long_as_it_took() -> None:
    drawn = stacked([("one & all", {"start": 100.0, "draw": 300.0}), ("two", {"start": 50.0, "draw": 50.0})], "ms")
    bars = [float(each) for each in re.findall(r'width="([\d.]+)" height="20"', drawn)]
    assert [each / bars[0] for each in bars] == pytest.approx([1.0, 3.0, 0.5, 0.5], abs=0.01)
    assert "one &amp; all" in drawn
    assert "400 ms" in drawn
    with pytest.raises(ValueError, match="0 parts"):
        stacked([], "ms")


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

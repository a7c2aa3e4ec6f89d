"""The records of a few seeds are those that they were: what moves them is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from kept_records import sums_of, sums_of_boards


def test_the_records_of_these_seeds_stay_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of("acw", range(1, 9)), "records-acw")


def test_the_records_of_narrow_tables_stay_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of_boards("acw", range(1, 51), "40x30in"), "records-acw-narrow")

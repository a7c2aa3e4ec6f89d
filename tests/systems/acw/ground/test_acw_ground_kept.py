"""The records of a few seeds are those that they were: what moves them is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from kept_records import sums_of


def test_the_records_of_these_seeds_stay_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of("acw", range(1, 13)), "records-acw")

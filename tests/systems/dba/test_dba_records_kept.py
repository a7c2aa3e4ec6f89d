"""What all rules for DBA stand on gives the records that it gave: those of a few seeds of its three rule systems."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from kept_records import sums_of, sums_of_boards


@pytest.mark.parametrize("rules", ["solo-dba", "dba3", "collision-course"])
def test_the_records_of_these_seeds_stay_as_they_were(rules: str, kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of(rules, range(101, 108)), f"records-{rules}-ground")


@pytest.mark.parametrize("board", ["20in", "40in"])
def test_the_records_of_small_and_large_boards_stay_as_they_were(
    board: str, kept_text: Callable[[str, str], None]
) -> None:
    kept_text(sums_of_boards("solo-dba", range(1, 16), board), f"records-solo-dba-{board}")

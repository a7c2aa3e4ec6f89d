"""What all rules for DBA stand on gives the records that it gave: those of a few seeds of its three rule systems."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from kept_records import sums_of


@pytest.mark.parametrize("rules", ["solo-dba", "dba3", "collision-course"])
def test_the_records_of_these_seeds_stay_as_they_were(rules: str, kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of(rules, range(101, 108)), f"records-{rules}-ground")

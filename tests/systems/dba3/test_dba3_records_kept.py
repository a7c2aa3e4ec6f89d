"""Records of a few seeds, and what is said of them with one thing altered: what moves them is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from altered_records import Altered
from kept_records import sums_of


def test_the_records_of_these_seeds_stay_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(sums_of("dba3", range(1, 13)), "records-dba3")


def test_altered_records_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(Altered("dba3").kept_or_chosen("altered-dba3", range(1, 9), 112), "altered-dba3")

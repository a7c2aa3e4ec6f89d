"""What is said of records of a few seeds with one thing altered: what moves it is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from altered_records import Altered


def test_altered_records_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(Altered("acw").kept_or_chosen("altered-acw", range(1, 5), 70), "altered-acw")

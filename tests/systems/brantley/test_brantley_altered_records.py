"""Records of the rules with one thing altered are judged as they were: what changes a verdict is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from altered_records import kept_or_chosen


def test_altered_records_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(kept_or_chosen("brantley", "altered-brantley", range(1, 7), 84), "altered-brantley")

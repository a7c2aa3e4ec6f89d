"""Records with one thing altered are judged as they were: what changes a verdict is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable

from altered_records import Altered


def test_altered_records_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    kept_text(Altered("solo-dba").kept_or_chosen("altered-solo-dba", range(1, 13), 112), "altered-solo-dba")

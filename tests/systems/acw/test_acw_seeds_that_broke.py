"""Tables that the program's own judge once found broken."""

from __future__ import annotations

import pytest
from seeded_tables import broken_of, seeded


@pytest.mark.clause("AC-G08", "AC-211", "AC-N14", "AC-F04", "AC-F15", "AC-T45")
@pytest.mark.parametrize(
    ("seed", "size", "given"),
    [
        (156, (144, 72), {"state": "louisiana", "ac_q15": "with-dice", "choice_policy": "uniform"}),
        (173, (96, 48), {"geography": "mountains"}),
        (60, (72, 48), {"state": "texas", "ac_q15": "with-dice", "choice_policy": "uniform"}),
    ],
)
def test_these_tables_keep_every_clause(seed, size, given):
    assert broken_of(seeded(seed, size, **given)) == {}

"""Die tables: spans, gaps, modifiers, and the clause that a throw is logged with."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.chance.dice import Dice, Scripted, Seeded
from printkit.chance.tables import Citation, DieRow, DieTable, Modifier, Span
from printkit.core.errors import BookError

SOURCE = Citation("a work", "1")


def table(*spans: str, modifiers: tuple[Modifier, ...] = ()) -> DieTable[str]:
    rows = tuple(DieRow(Span.parse(span), span, f"X-{place}") for place, span in enumerate(spans, 1))
    return DieTable(name="example", sides=6, rows=rows, source=SOURCE, modifiers=modifiers)


@given(low=st.integers(1, 20), more=st.integers(0, 20))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_spans_hold_what_they_say_and_read_back(low, more):
    for span in (Span(low, low + more), Span(None, low), Span(low, None)):
        assert Span.parse(str(span)) == span
        assert low in span
    assert low + more + 1 not in Span(low, low + more)
    assert low + 1 not in Span(None, low)
    assert low - 1 not in Span(low, None)


def test_spans_that_are_none_gaps_and_overlaps_are_refused():
    for text in ("", "a", "1-", "-2", "1-2-3", "1..2..3"):
        with pytest.raises(BookError, match="no span of scores"):
            Span.parse(text)
    for spans, score in ((("1-2", "4-6"), 3), (("1-3", "3-6"), 3), (("1-5",), 6), (("2-6",), 1)):
        with pytest.raises(BookError, match=f"'example' has . rows for a score of {score}"):
            table(*spans)


def test_rolls_look_up_modified_scores_of_a_table_that_covers_them():
    found = table("1-4", "5", "6", "7", modifiers=(Modifier(1, "large"),))
    dice = Dice(Scripted(["6", "6", "4"], Seeded(1)))
    assert [found.roll(dice, "x"), found.roll(dice, "x", ["large"]), found.roll(dice, "x", ["large"])] == [
        "6",
        "7",
        "5",
    ]
    assert [throw.clause for throw in dice.log] == ["X-3", "X-4", "X-2"]
    assert [throw.answer for throw in dice.log] == ["6", "6", "4"]
    with pytest.raises(BookError, match="score of 7"):
        table("1-6", modifiers=(Modifier(1, "large"),))
    with pytest.raises(BookError, match="score of 0"):
        table("1-6", modifiers=(Modifier(-1, "small"),))
    wide = table("..4", "5", "6..", modifiers=(Modifier(2, "large"), Modifier(-1, "small")))
    assert list(wide.scores()) == list(range(9))
    with pytest.raises(BookError, match="no row for 9"):
        table("1-6").look_up(9)

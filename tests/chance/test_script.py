"""The log as text, and lists of scores as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.chance.dice import Throw, is_log, read_log, read_scores, write_log
from printkit.core.errors import DiceError

WORDS = st.text(st.sampled_from("abz 019,.:ñ-"), min_size=1).map(str.strip).filter(bool)


@given(
    st.lists(
        st.builds(
            Throw, stage=WORDS, reason=WORDS, asked=WORDS, answer=WORDS, clause=st.just("") | st.just("BR-401,BR-402")
        )
    )
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_log_reads_back_as_it_was_written(log):
    assert read_log(write_log(log)) == tuple(log)


def test_a_log_is_told_from_scores_and_its_short_lines_are_named():
    throw = Throw(stage="rivers", reason="number of rivers", asked="d6", answer="2", clause="BR-401")
    assert is_log(write_log([throw]))
    assert not is_log("5 3, 2 KS")
    with pytest.raises(DiceError, match="line 2 of the log has 2 parts"):
        read_log("# head\nrivers | number of rivers\n")
    assert read_scores("5 3, 2;ks\n10h td # a remark 6\n-1") == ["5", "3", "2", "KS", "10H", "10D", "-1"]
    assert read_scores("  ") == []

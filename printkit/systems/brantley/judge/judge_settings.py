"""The judge on settings that rivers and roads, or several roll-offs, share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, both
from printkit.systems.brantley.judge.case import Case, Check, rivers, roads
from printkit.systems.brantley.judge.courses import joins_an_earlier, opposite_only, same_edge
from printkit.systems.brantley.judge.judge_placers import first_of_two
from printkit.systems.brantley.judge.order import count_then_roll_off, order_dice


def no_edge_twice(case: Case) -> Faults:
    """BR-Q09: both ends on one edge only where the setting allows it, and then well apart."""
    least = case.length("same_edge_gap_min") if case.setting("br-q09") == "allow" else None
    for way in (*case.rivers, *case.roads):
        if same_edge(way) and least is None:
            yield Sentence("{way} starts and ends on the {start} edge", way=way.id, start=way.start.what)
        elif same_edge(way) and least is not None and way.straight < least:
            yield Sentence(
                "{way} has its ends {straight:.0f} mm apart on one edge; at least {least:.0f} mm",
                way=way.id,
                straight=way.straight,
                least=least,
            )


CHECKS: Final[Mapping[str, Check]] = {
    "BR-Q09": no_edge_twice,
    "BR-Q10": both(opposite_only(rivers), opposite_only(roads)),
    "BR-Q11": both(first_of_two("rivers", rivers), first_of_two("roads", roads)),
    "BR-Q14": both(joins_an_earlier(rivers), joins_an_earlier(roads)),
    "BR-Q17": both(count_then_roll_off("rivers"), count_then_roll_off("roads"), order_dice),
}

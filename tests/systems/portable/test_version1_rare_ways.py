"""Ways of version 1 that few settings bring about: along the edge, past hills that close it, several in one place."""

from __future__ import annotations

import pytest

from printkit.api import generate


@pytest.mark.parametrize(
    ("seed", "given", "lists"),
    [
        pytest.param(457, "grid=sq-8x8 hills=46 pw1.order=hills-first", {}, id="hills close the side of the die"),
        pytest.param(
            554,
            "grid=sq-8x8 pw1.road_width=0.05",
            {"rivers": ["from right 90% to bottom 90% width 1"], "roads": ["from top-right to right 70% kind track"]},
            id="a short track runs along the edge",
        ),
        pytest.param(1743, "river=2 pw1.road_width=0.597", {}, id="a road gives way to two rivers"),
        pytest.param(
            403,
            "grid=sq-8x8 pw1.order=hills-first",
            {
                "features": ["hill (4;1)", "hill (4;6)", "hill (3;6)"],
                "rivers": ["from bottom-right to top-left width 1"],
                "roads": ["from right 1 to left 3"],
            },
            id="a chain over a band",
        ),
        pytest.param(
            1391,
            "grid=sq-8x8 area=rural relief=mountainous mountains=400 pw1.road_width=0.979 pw1.sliver=0.167 "
            "settlements=2 towns=0",
            {
                "rivers": ["from top 4 to bottom-right width 1", "from top-right to bottom-left width 2"],
                "roads": ["from top 4 to right 5", "from top-right to bottom-left"],
            },
            id="two wide bands along one line",
        ),
        pytest.param(1888, "grid=sq-4x14 road=2 crossing=bridge", {}, id="a band gives way beside a crossing"),
    ],
)
@pytest.mark.clause("PW1-10", "PW1-11", "PW1-15", "PW0-02", "PWA-11")
def test_rare_ways_keep_the_rules(seed: int, given: str, lists: dict[str, list[str]]) -> None:
    settings = dict(each.split("=") for each in given.split())
    assert generate("portable-1", seed=seed, inputs=lists, **settings).check().broken == ()

"""Ways of version 1 that few settings bring about: along the edge, past hills that close it, several in one place."""

from __future__ import annotations

import pytest

from printkit.api import generate


@pytest.mark.parametrize(
    ("seed", "given"),
    [
        pytest.param(457, "grid=sq-8x8 hills=46 pw1.order=hills-first", id="hills close the side of the die"),
        pytest.param(
            554,
            "grid=sq-8x8 grid.inner=7x1 road-kind=track pw1.stations=five pw1.road_width=0.05 pw1.short=keep",
            id="a short track runs along the edge",
        ),
        pytest.param(1743, "river=2 pw1.road_width=0.597", id="a road gives way to two rivers"),
        pytest.param(403, "grid=sq-8x8 grid.inner=7x3 hill-height=1 pw1.order=hills-first", id="a chain over a band"),
        pytest.param(
            1391,
            "grid=sq-8x8 area=rural river=2 road=2 grid.order=serpentine grid.start_row=scaled hill-height=1 "
            "crossing=ford mountains=400 pw1.road_width=0.979 pw1.sliver=0.167 pw1.stations=quarters "
            "preset=undulating-urban relief=mountainous pw1.town_areas=3 settlements=2 towns=0 pwa-07=traveller "
            "pwa-14=nothing pwa-18=sum climate=cold growth=palms",
            id="two wide bands along one line",
        ),
        pytest.param(1888, "grid=sq-4x14 road=2 crossing=bridge", id="a band gives way beside a crossing"),
    ],
)
@pytest.mark.clause("PW1-10", "PW1-11", "PW1-15", "PW0-02", "PWA-11")
def test_rare_ways_keep_the_rules(seed: int, given: str) -> None:
    settings = dict(each.split("=") for each in given.split())
    assert generate("portable-1", seed=seed, **settings).check().broken == ()

"""Straight bands where room is short: wide rivers along an edge, towns over a river, and ways that share a corner."""

from __future__ import annotations

from typing import Any

import pytest

from printkit.api import generate

_RURAL = "hills=0 names=none pw1.short=keep relief=hilly"
_URBAN = "area=urban grid=hex-14x3 grid.order=serpentine hill-height=2 mountains=374 pwa-08=456312 pwa-18=larger"
_WILD = "area=wild climate=monsoon crossing=ford grid=sq-8x8 growth=conifers hill-height=1 hills=43 mountains=3 towns=0"
_TILLED = "area=cultivated chain.cost=bonus climate=cold crossing=ford forested=no grid=sq-8x8 grid.inner=6x7 trees=0"
_FOREST = "area=rural climate=monsoon crossing=ford forested=yes grid=sq-8x8 grid.inner=1x6 growth=palms relief=hilly"


@pytest.mark.clause("PW1-15", "PW1-21", "PW0-02")
@pytest.mark.parametrize(
    ("seed", "cell", "settings"),
    [
        (
            150,
            "100mm",
            f"{_WILD} preset=undulating-urban grid.order=serpentine pw1.river_width=0.47 pw1.short=keep"
            " pw1.sliver=0.0191 pw1.village_areas=2 pwa-07=traveller pwa-08=2413 pwa-10=second river=yes river-areas=2",
        ),
        (792, "100mm", _RURAL),
        (866, "78mm", f"{_URBAN} names=ancient pwa-14=trees relief=undulating"),
        (
            1137,
            "43mm",
            f"{_TILLED} grid.hex=pointy-odd-right grid.order=serpentine grid.start_row=scaled growth=conifers"
            " mountains=0 pw1.river_width=0.271 pw1.road_width=0.302 pw1.sliver=0.0766 pw1.stations=quarters"
            " pw1.village_areas=2 pwa-07=traveller pwa-08=2341 relief=undulating river=yes river-areas=2 road=2"
            " settlements=1 towns=101 villages=27",
        ),
        (
            1321,
            "100mm",
            f"{_FOREST} grid.hex=pointy-odd-left grid.order=serpentine hill-height=2 hills=38 mountains=195"
            " preset=forest-track pw1.chains=on pw1.order=hills-first pw1.road_width=0.792 pw1.sliver=0.235"
            " pw1.stations=quarters pw1.town_areas=3 pwa-04=none pwa-07=traveller pwa-08=3241 pwa-18=larger river=2"
            " settlements=0",
        ),
    ],
)
def test_what_has_no_room_to_give_way_keeps_its_place(seed: int, cell: str, settings: str) -> None:
    """Found among 2,000 boards: roads that met a river where none crosses it, lay off their band, off the board."""
    given: dict[str, Any] = dict(each.split("=") for each in settings.split())
    assert generate("portable-1", seed=seed, cell=cell, **given).check().broken == ()

"""Straight bands where room is short: wide rivers along an edge, towns over a river, and ways that share a corner."""

from __future__ import annotations

from typing import Any

import pytest

from printkit.api import generate

_WILD = "area=wild climate=monsoon grid=sq-8x8 hills=43 mountains=3 pw1.river_width=0.47 pw1.sliver=0.0191 towns=0"
_URBAN = "area=urban grid=hex-14x3 mountains=374 relief=undulating"
_TILLED = (
    "area=cultivated grid=sq-8x8 mountains=0 pw1.river_width=0.271 pw1.road_width=0.302 pw1.sliver=0.0766 "
    "settlements=1 towns=101 trees=0 villages=27"
)
_FOREST = "dice=1 grid=sq-8x8 pw1.order=hills-first pw1.road_width=0.792 pw1.sliver=0.235 settlements=0"


@pytest.mark.clause("PW1-15", "PW1-21", "PW0-02")
@pytest.mark.parametrize(
    ("seed", "cell", "settings", "lists"),
    [
        (150, "100mm", _WILD, {"rivers": ["top 2 to top-right width 2"], "roads": ["top 6 to right 2 kind track"]}),
        (
            792,
            "100mm",
            "hills=0 relief=hilly",
            {"rivers": ["bottom-right to bottom-left width 2"], "roads": ["right 6 to bottom 3"]},
        ),
        (866, "78mm", _URBAN, {"rivers": ["right 1 to left 5 width 1"], "roads": ["top 6 to bottom-right"]}),
        (
            1137,
            "43mm",
            _TILLED,
            {"rivers": ["right 50% to bottom 5 width 2"], "roads": ["top 4 to right 50%", "right 5 to bottom 4"]},
        ),
        (
            1321,
            "100mm",
            _FOREST,
            {
                "features": ["hill (6;4) contours 1", "hill (5;4) contours 1"],
                "rivers": ["right 4 to bottom-left width 1", "right 4 to bottom 50% width 2"],
                "roads": ["right 4 to bottom 5 kind track"],
            },
        ),
    ],
)
def test_what_has_no_room_to_give_way_keeps_its_place(
    seed: int, cell: str, settings: str, lists: dict[str, list[str]]
) -> None:
    """Found among 2,000 boards: roads that met a river where none crosses it, lay off their band, off the board."""
    given: dict[str, Any] = dict(each.split("=") for each in settings.split())
    inputs = {name: [f"from {line}" if name != "features" else line for line in lines] for name, lines in lists.items()}
    assert generate("portable-1", seed=seed, cell=cell, inputs=inputs, **given).check().broken == ()

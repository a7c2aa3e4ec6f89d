"""Grass between the features: as much of a board is green as is asked for, where there is room."""

from __future__ import annotations

import pytest
import shapely
from test_dressing import board_of, country_at, drafter

from printkit.drawing.dressing.country import HARDLY_TINTED, DressingLevel
from printkit.drawing.dressing.dressing import Dressed, dressed
from printkit.drawing.dressing.open_ground import OpenGround
from printkit.terrain.field.battlefield import Battlefield

_NEAR = 0.02
"""How much of a board the grass may be more or less than what is asked for: it is found by nodes 6 mm apart."""


def _dressed(rules: str, seed: int, level: DressingLevel) -> tuple[Battlefield, Dressed]:
    field = board_of(rules, seed)
    return field, dressed(field, country_at(rules, seed, level), drafter(seed).context)


def _share(field: Battlefield, *grounds: shapely.Geometry) -> float:
    ground = OpenGround(field)
    seen = shapely.union_all([ground.solid, ground.roads, *grounds])
    return shapely.intersection(ground.whole, seen).area / ground.whole.area


@pytest.mark.parametrize(("rules", "seed"), [("brantley", 22), ("dba3", 31), ("solo-dba", 5)])
def test_grass_of_a_lightly_dressed_board_makes_up_for_what_it_lacks(rules: str, seed: int) -> None:
    field, found = _dressed(rules, seed, DressingLevel.LIGHT)
    meadow = found.meadow[1:2]
    assert _share(field, *meadow) < 0.31
    assert _share(field, *meadow, found.sward[2]) == pytest.approx(0.31, abs=_NEAR)
    solid = OpenGround(field).solid
    assert all(band.distance(solid) >= 1.5 for band in found.sward)


@pytest.mark.parametrize(("rules", "seed"), [("portable-2", 5), ("brantley", 14)])
def test_a_lightly_dressed_board_of_cells_or_full_enough_has_no_grass_besides(rules: str, seed: int) -> None:
    assert _dressed(rules, seed, DressingLevel.LIGHT)[1].sward == ()


@pytest.mark.parametrize("seed", [4, 26])
def test_commons_lie_where_a_tilled_board_falls_short(seed: int) -> None:
    field, found = _dressed("brantley", seed, DressingLevel.FULL)
    tinted = [parcel.ground for parcel in found.parcels if parcel.use not in HARDLY_TINTED]
    assert _share(field, *tinted) < 0.35
    assert _share(field, *tinted, found.rough[1]) >= 0.40 - _NEAR
    worked = shapely.union_all([parcel.ground for parcel in found.parcels])
    assert shapely.intersection(found.rough[0], worked).area < 1.0
    assert all(wide.covers(narrow.buffer(-0.01)) for wide, narrow in zip(found.rough, found.rough[1:], strict=False))


def test_a_board_that_is_tilled_enough_has_no_commons() -> None:
    _, found = _dressed("brantley", 18, DressingLevel.FULL)
    assert sum(band.area for band in found.rough) < 0.01 * 610**2

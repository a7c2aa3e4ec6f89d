"""Large tilled fields lie in strips with headlands; a fence that zigzags does not bite into what is tinted."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from shapely import LineString, Polygon, affinity, box
from signs_scene import STYLES, area, board, context, course, filled, paths, shape, stroked

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import LayerName
from printkit.drawing.signs.built.fields import farmland, plot
from printkit.drawing.signs.built.strips import in_strips
from printkit.terrain.field.features import Kind

TURN = 18.0
LEVEL = Polygon([(80, 70), (262, 70), (274, 214), (80, 214)])
GROUND = affinity.rotate(LEVEL, TURN, origin=(0, 0))


def _strips(ground: Polygon = GROUND, seed: str = "s"):
    return in_strips(ground, np.radians(TURN), 0.04, context(), Stream(seed))


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_large_field_has_strips_of_about_44_mm_that_do_not_meet(seed: str) -> None:
    found = _strips(seed=seed)
    assert found is not None
    assert len(found.strips) == 3
    for number, strip in enumerate(found.strips):
        assert GROUND.buffer(0.01).covers(strip)
        level = affinity.rotate(strip, -TURN, origin=(0, 0))
        deep = level.intersection(LineString([(170, 0), (170, 300)])).length
        assert 44 * 0.65 < deep < 44 * 1.45
        assert all(strip.distance(other) > 1.6 for other in found.strips[:number])
        assert all(strip.distance(end) > 1.0 for end in found.headlands)
    assert found.balks.area == pytest.approx(2 * 1.8 * 172, rel=0.08)


def test_headlands_run_across_both_ends_however_they_lean() -> None:
    found = _strips()
    assert found is not None
    for end, x in zip(found.headlands, (80.0, 268.0), strict=True):
        level = affinity.rotate(end, -TURN, origin=(0, 0))
        across = level.intersection(LineString([(0, 142), (400, 142)]))
        assert across.length == pytest.approx(7.0 - 1.2, abs=0.05)
        assert abs(across.centroid.x - x) < 4


def test_a_field_under_9000_mm2_is_one_piece() -> None:
    assert _strips(box(0, 0, 99, 90)) is None
    assert _strips(box(0, 0, 101, 90)) is not None


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [Kind.PLOUGH, Kind.CROPS])
def test_no_row_runs_over_a_balk_and_rows_of_the_headland_lie_across(kind: Kind, name: str) -> None:
    hand, feature = context(name), area("z1", kind, affinity.translate(GROUND, 60, -40))
    items = [item for item in farmland(feature, hand, board(feature)) if item[0] is LayerName.FIELD]
    rows = stroked(items, hand.style.ink("furrow" if kind is Kind.PLOUGH else "crops-dash"))
    laid = plot(feature, hand, board(feature))
    found = in_strips(
        laid.ground, laid.angle, 0.05 if kind is Kind.PLOUGH else 0.03, hand, hand.stream("draw/z1/strips")
    )
    assert found is not None
    if name != "ink-saver":
        # There the tufts of the balks are as black as the rows.
        assert rows.intersection(found.balks.buffer(-0.05)).length < 0.5
    assert feature.outline.buffer(1.3).covers(rows)
    steps = np.vstack(
        [
            np.diff(shapely.get_coordinates(part)[[0, -1]], axis=0)
            for part in shapely.get_parts(rows.intersection(found.headlands[0]))
        ]
    )
    turned = np.degrees(np.arctan2(steps[:, 1], steps[:, 0])) - np.degrees(laid.angle)
    assert np.median(np.abs((turned % 180) - 90)) < 8


@pytest.mark.parametrize("name", ["campaign", "high-contrast"])
def test_every_second_strip_is_a_little_darker(name: str) -> None:
    hand, feature = context(name), area("z1", Kind.PLOUGH, affinity.translate(GROUND, 60, -40))
    items = list(farmland(feature, hand, board(feature)))
    dark = filled(items, hand.tint("furrow", 0.07))
    assert dark.area == pytest.approx(feature.outline.area / 3, rel=0.35)


def test_the_tint_ends_at_the_inner_side_of_a_worm_fence() -> None:
    hand, feature = context(), area("z1", Kind.PASTURE, box(100, 100, 160, 150))
    fence = course("w1", Kind.WORM_FENCE, [(90, 150), (170, 150)], 0)
    field = board(feature, fence)
    washes = [item for item in paths(farmland(feature, hand, field), LayerName.FIELD) if item.fill]
    tinted = shapely.union_all([shape(item) for item in washes])
    assert tinted.distance(fence.line) >= 3.4 / 2 - 0.05
    assert plot(feature, hand, field).floor.bounds[1] < 102

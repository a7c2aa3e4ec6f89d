"""Ravines, gullies, ditches and cliffs: their strokes, their light, and how they end."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point
from signs_scene import STYLES, board, context, corners, course, filled, paths, shape, winding

from printkit.drawing.canvas.items import FillRule, LayerName, Path
from printkit.drawing.signs.lines.course_lines import drawn_width
from printkit.drawing.signs.lines.cuts import CUTS, compute_cut_ground, cut
from printkit.drawing.signs.relief.rocks import cliff, draw_cliff
from printkit.terrain.field.features import Course, Kind

BENT = [(float(x) + 60, float(y)) for x, y in winding(240, 22)[::10]]


def made(kind: Kind, points: list[tuple[float, float]] | None = None, *, width: float = 0.0) -> Course:
    return course("C1", kind, points or BENT, width)


def strokes(items: list[Path]) -> Path:
    """Return the path of tapered strokes."""
    found = (item for item in items if item.rule is FillRule.NON_ZERO and item.fill)
    return max(found, key=lambda item: len(item.runs))


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", CUTS)
@pytest.mark.parametrize("width", [0.0, 40.0])
def test_a_cut_stays_inside_its_width(kind: Kind, name: str, width: float) -> None:
    hand, feature = context(name), made(kind, width=width)
    items = paths(cut(feature, hand, board(feature)), LayerName.CUT)
    past = hand.size(2.0) if kind is Kind.DITCH else 0.0
    ground = feature.line.buffer(drawn_width(feature, hand) / 2 + past + 0.1, cap_style="round")
    assert items
    for item in items:
        assert ground.covers(shapely.multipoints(corners(item)))


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [Kind.RAVINE, Kind.GULLY])
def test_strokes_run_down_from_both_brinks(kind: Kind, name: str) -> None:
    hand, feature = context(name), made(kind)
    field = board(feature)
    found = strokes(paths(cut(feature, hand, field), LayerName.CUT))
    brink = compute_cut_ground(feature, hand, field).boundary
    sides = []
    for run in found.runs:
        points = np.array(run.points).reshape(-1, 2) / 100
        head, foot = points[[0, -1]].mean(axis=0), points[[1, 2]].mean(axis=0)
        assert brink.distance(Point(head)) < 0.35
        assert feature.line.distance(Point(foot)) < feature.line.distance(Point(head))
        assert np.hypot(*(points[0] - points[-1])) > np.hypot(*(points[1] - points[2])), "thick above, thin below"
        gone = feature.line.project(Point(head))
        here, ahead = feature.line.interpolate(gone - 0.5), feature.line.interpolate(gone + 0.5)
        sides.append((ahead.x - here.x) * (head[1] - here.y) - (ahead.y - here.y) * (head[0] - here.x) > 0)
    assert 0.35 < np.mean(sides) < 0.65


@pytest.mark.parametrize("kind", [Kind.RAVINE, Kind.GULLY])
def test_a_ravine_runs_out_in_a_point_and_a_ditch_does_not(kind: Kind) -> None:
    hand = context()
    ravine, ditch = made(kind), made(Kind.DITCH)
    for feature, blunt in ((ravine, False), (ditch, True)):
        ground = compute_cut_ground(feature, hand, board(feature))
        about = Point(BENT[0]).buffer(3)
        whole = feature.line.intersection(about).buffer(drawn_width(feature, hand) / 2, cap_style="flat")
        assert (ground.intersection(about).area > 0.35 * whole.intersection(about).area) == blunt


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("width", [0.0, 12.2])
def test_a_ditch_bends_about_its_true_line_narrows_at_open_ends_and_has_a_bank_on_one_side(
    name: str, width: float
) -> None:
    hand, feature = context(name), made(Kind.DITCH, [(40, 150), (370, 150)], width=width)
    full = drawn_width(feature, hand)
    ground = compute_cut_ground(feature, hand, board(feature))
    assert feature.line.buffer(full / 2 + hand.size(2.0)).covers(ground)
    assert ground.buffer(0.05).covers(feature.line)
    sections = [ground.intersection(LineString([(x, 100), (x, 200)])) for x in np.arange(41.0, 370.0, 2.0)]
    middles = np.array([section.centroid.y - 150 for section in sections])
    assert np.ptp(middles) > 0.3 * full
    bends = np.count_nonzero(np.diff(np.sign(np.diff(middles))))
    assert 4 <= bends <= 14
    widths = [section.length for section in sections]
    assert max(widths[0], widths[-1]) < 0.5 * full
    assert min(widths[13:-13]) > 0.75 * full
    items = paths(cut(feature, hand, board(feature)), LayerName.CUT)
    edges = [shape(item) for item in items if item.stroke and not item.fill]
    crest = min(edges, key=lambda edge: edge.length)
    assert crest.length > 300
    windows = [shapely.box(x, 0, x + 1, 300) for x in range(80, 330, 10)]
    aside = [crest.intersection(window).centroid.y - ground.intersection(window).centroid.y for window in windows]
    assert min(aside) > 0 or max(aside) < 0


def test_a_ditch_keeps_its_width_where_another_cut_or_the_board_s_edge_is() -> None:
    hand, feature = context(), made(Kind.DITCH, [(0, 150), (200, 150)], width=12.0)
    ground = compute_cut_ground(feature, hand, board(feature))
    assert ground.intersection(LineString([(1, 100), (1, 200)])).length > 9
    assert ground.intersection(LineString([(199, 100), (199, 200)])).length < 6


def test_a_ravine_goes_on_over_the_board_s_edge_and_in_another_at_full_width() -> None:
    hand = context()
    first = course("C1", Kind.RAVINE, [(0, 150), (120, 150)], 0.0)
    second = course("C2", Kind.RAVINE, [(120, 150), (240, 150)], 0.0)
    alone, joined = (compute_cut_ground(first, hand, field) for field in (board(first), board(first, second)))
    window = shapely.box(112, 100, 120, 200)
    assert joined.intersection(window).area > 2 * alone.intersection(window).area
    assert alone.intersection(shapely.box(0, 100, 8, 200)).area > 8 * 15 * 0.7
    items = paths(cut(first, hand, board(first, second)), LayerName.CUT)
    edges = [item for item in items if item.stroke and not item.fill]
    assert not shape(edges[-1]).intersects(Point(120, 150).buffer(4)), "open to the other"


def test_the_bank_that_faces_the_light_is_pale_and_the_other_dark_in_styles_with_washes() -> None:
    hand = context()
    feature = made(Kind.RAVINE, [(100, 150), (300, 150)])
    items = paths(cut(feature, hand, board(feature)), LayerName.CUT)
    inks = (hand.style.solid(token)[:3] for token in ("ravine-shaded", "ravine-lit"))
    dark, pale = (shapely.union_all([shape(item) for item in items if (item.fill or ())[:3] == ink]) for ink in inks)
    # The light comes from the upper left: it falls on the lower bank, which looks up.
    assert pale.bounds[3] <= 150.02
    assert dark.bounds[1] >= 149.98
    for name in STYLES:
        hand, feature = context(name), made(Kind.RAVINE)
        fills = {item.fill for item in paths(cut(feature, hand, board(feature)), LayerName.CUT) if item.fill}
        assert (len(fills) > 2) == hand.style.washes


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("kind", [Kind.RAVINE, Kind.GULLY])
def test_the_bed_is_dry_unless_a_stream_runs_in_it(kind: Kind, name: str) -> None:
    hand, feature = context(name), made(kind)
    stream = course("S1", Kind.STREAM, BENT, 0.0)
    dry, wet = (
        [item for item in paths(cut(feature, hand, field), LayerName.CUT) if item.stroke and item.stroke.dash]
        for field in (board(feature), board(feature, stream))
    )
    assert len(dry) == 1
    assert not wet
    assert feature.line.buffer(0.05).covers(shape(dry[0]))


@settings(max_examples=12, deadline=None, derandomize=True)
@given(turn=st.floats(10, 80), width=st.floats(8, 60))
def test_a_sharp_bend_tears_no_hole_into_a_cut(turn: float, width: float) -> None:
    end = 200 + 90 * np.cos(np.radians(180 - turn)), 150 + 90 * np.sin(np.radians(turn))
    feature = course("C1", Kind.DITCH, [(100.0, 150.0), (200.0, 150.0), end], width)
    ground = compute_cut_ground(feature, context(), board(feature))
    assert ground.geom_type == "Polygon"
    assert ground.is_valid
    holes = [shapely.Polygon(ring).area for ring in ground.interiors]
    assert not ground.buffer(0.02).buffer(-0.02).interiors or min(holes) > 1.0


@pytest.mark.parametrize("name", STYLES)
@pytest.mark.parametrize("reverse", [False, True])
def test_a_cliff_drops_to_the_right_of_its_course(name: str, reverse: bool) -> None:
    points = [(100.0, 150.0), (300.0, 150.0)]
    hand, feature = context(name), made(Kind.CLIFF, points[::-1] if reverse else points)
    items = list(cliff(feature, hand, board(feature)))
    body = filled(items, hand.style.ink("cliff"))
    below, above = body.bounds[1], body.bounds[3]
    drop = above - 150 if reverse else 150 - below
    assert (150 - below if reverse else above - 150) < 0.02
    assert 0.7 * 9 < drop <= 9.02
    crest = [item for item in paths(items, LayerName.WORKS) if item.stroke and item.stroke.width == hand.width(1.05)]
    assert len(crest) == 1
    assert shape(crest[0]).length == pytest.approx(200, abs=0.1)


@pytest.mark.parametrize("name", STYLES)
def test_the_buttresses_of_a_cliff_are_two_to_four_and_a_half_wide_and_stroked_where_a_style_has_no_tones(
    name: str,
) -> None:
    hand = context(name)
    line = LineString([(100, 150), (300, 150)])
    items = paths(draw_cliff(line, hand, hand.stream("draw/x/cliff")), LayerName.CONTOUR)
    faces = next(item for item in items if item.stroke and item.stroke.width == hand.width(0.26))
    ends = [np.array(run.points).reshape(-1, 2) / 100 for run in faces.runs if len(run.points) == 6]
    widths = [float(points[2, 0] - points[0, 0]) for points in ends]
    assert len(ends) > 40
    assert min(widths) > 1.9
    assert max(widths) < 4.6
    assert sum(widths) == pytest.approx(200, abs=0.2)
    assert all(150 - 6.6 < points[1, 1] < 150 for points in ends), "a cliff on a hill is 6.5 deep"
    assert any(item.rule is FillRule.NON_ZERO for item in items) == hand.style.hatched
    shaded = hand.style.ink("cliff-shaded")
    assert any(shaded and item.fill == shaded for item in items) == hand.style.washes


def test_of_every_buttress_the_half_away_from_the_light_is_dark() -> None:
    hand = context()
    for turn in range(0, 360, 30):
        along = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
        line = LineString([np.array([200, 150]) - 50 * along, np.array([200, 150]) + 50 * along])
        items = paths(draw_cliff(line, hand, hand.stream("draw/x/cliff")), LayerName.CONTOUR)
        lit, shaded = (
            next(item for item in items if item.fill == hand.style.ink(token))
            for token in ("cliff-lit", "cliff-shaded")
        )
        to_light = np.array([-1, 1])
        for pale, dark in zip(lit.runs, shaded.runs, strict=True):
            middle = [np.array(run.points).reshape(-1, 2).mean(axis=0) for run in (pale, dark)]
            assert (middle[0] - middle[1]) @ to_light >= -8, "hundredths of a millimetre"


def test_the_depth_of_a_cliff_is_its_true_width_and_shrinks_towards_its_ends() -> None:
    hand, feature = context(), made(Kind.CLIFF, [(100, 150), (300, 150)], width=20.0)
    body = filled(cliff(feature, hand, board(feature)), hand.style.ink("cliff"))
    deep, ends = (
        max(150 - body.intersection(shapely.box(low, 100, high, 200)).bounds[1] for low, high in windows)
        for windows in (((150, 250),), ((100, 101.5), (298.5, 300)))
    )
    assert 14 < deep <= 20.02
    assert ends < 0.75 * deep

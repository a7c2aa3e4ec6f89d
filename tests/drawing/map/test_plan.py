"""The board comes out at its exact size, cut to its edge, with everything of the battlefield on it."""

from __future__ import annotations

import pytest
import shapely
from drawing_text import dump
from small_country import SIDE, country

from printkit.chance.streams import Jitter
from printkit.core.errors import PageError
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, LayerName, Rect, Text
from printkit.drawing.canvas.symbol_context import SymbolContext
from printkit.drawing.furniture.swatches import ENTRIES
from printkit.drawing.map.board_drawing import board_drawing, scaled
from printkit.drawing.map.labels import disc_radius, labels
from printkit.drawing.map.overlays import deployment_depth, limit_lines, overlays_of_kind, side_token
from printkit.drawing.signs.catalogue import SIGNS
from printkit.drawing.text.drafter import Drafter
from printkit.terrain.field.battlefield import Overlay
from printkit.terrain.field.features import Course, Crossing, Kind
from printkit.terrain.geometry.outlines import Noise

JITTER = Jitter(7)
NOISE = Noise.from_stream(JITTER.stream("draw/noise"))


def drawn(scale: float = 1.0, language: str = "en", **how: bool) -> Drawing:
    return board_drawing(country(), drafter(scale, language), **how)


def drafter(scale: float = 1.0, language: str = "en") -> Drafter:
    context = SymbolContext(style=style.find("campaign"), jitter=JITTER, noise=NOISE, scale=scale)
    return Drafter(context=context, words=find_words(language))


@pytest.fixture(scope="module")
def whole() -> Drawing:
    return drawn()


@pytest.fixture(scope="module")
def quarter() -> Drawing:
    return drawn(scale=0.25)


def test_a_board_has_its_size_and_every_layer_once_in_painting_order_cut_to_it_alike_for_a_seed(
    whole: Drawing, quarter: Drawing
) -> None:
    assert (whole.width, whole.height) == (SIDE, SIDE)
    assert {layer.clip for layer in whole.layers} == {Rect(0, 0, SIDE, SIDE)}
    order = list(LayerName)
    places = [order.index(layer.name) for layer in whole.layers]
    assert places == sorted(set(places))
    assert (quarter.width, quarter.height) == (SIDE / 4, SIDE / 4)
    assert dump(drawn(scale=0.25)) == dump(quarter)


def test_scaling_scales_shapes_widths_and_the_ground_scale() -> None:
    half = scaled(country(), 0.5)
    for small, large in zip(half.features, country().features, strict=True):
        if isinstance(large, Course):
            assert isinstance(small, Course)
            assert (small.width, small.line.length) == pytest.approx((large.width / 2, large.line.length / 2))
        elif isinstance(large, Crossing):
            assert isinstance(small, Crossing)
            assert (small.at.x, small.bearing) == pytest.approx((large.at.x / 2, large.bearing))
        else:
            assert not isinstance(small, Course | Crossing)
            assert small.outline.area == pytest.approx(large.outline.area / 4)
    assert half.board.scale.base_width == 20
    assert half.overlays[0].shape.area == pytest.approx(country().overlays[0].shape.area / 4)
    assert scaled(country(), 1) is country()


@pytest.mark.parametrize("scale", [0, -1, float("nan")])
def test_a_scale_of_nothing_is_refused(scale: float) -> None:
    with pytest.raises(PageError, match="is not possible"):
        scaled(country(), scale)


def test_numbers_names_and_crosses_of_zones_stand_on_the_board_once(whole: Drawing) -> None:
    numbers = [
        item.content for layer, item in whole.items() if layer.name is LayerName.NUMBER and isinstance(item, Text)
    ]
    assert sorted(numbers, key=int) == [str(number) for number in range(1, len(country().features) + 1)]
    said = "".join(
        item.content for layer, item in whole.items() if layer.name is LayerName.LABEL and isinstance(item, Text)
    )
    for name in ("Harrow Hill", "WOLVES’ WOOD", "THORNBY", "River Hurn", "to Castra Alba", "Mere"):
        assert name in said
    overlay = next(layer for layer in whole.layers if layer.name is LayerName.OVERLAY)
    crosses = [item for item in overlay.items if not isinstance(item, Text) and len(getattr(item, "runs", ())) == 8]
    assert len(crosses) == 2
    assert {item.content for item in overlay.items if isinstance(item, Text)} == set("123456789")


def test_what_is_switched_off_is_not_there() -> None:
    bare = drawn(scale=0.25, numbers=False, zones=False, deployment=False)
    asked = {LayerName.NUMBER, LayerName.OVERLAY, LayerName.LABEL}
    assert {layer.name for layer in bare.layers} & asked == {LayerName.LABEL}


def test_hidden_names_leave_the_words_of_crossings_and_the_numbers() -> None:
    nameless = drawn(scale=0.25, names=False)
    found = {
        layer.name: {item.content for item in layer.items if isinstance(item, Text)}
        for layer in nameless.layers
        if layer.name in (LayerName.LABEL, LayerName.NUMBER)
    }
    assert found[LayerName.LABEL] == {"Bridge"}
    assert found[LayerName.NUMBER] == {str(number) for number in range(1, len(country().features) + 1)}


@pytest.mark.clause("BR-G61")
@pytest.mark.parametrize(("language", "word"), [("en", "Bridge"), ("es", "Puente"), ("en+es", "Bridge · Puente")])
def test_a_crossing_bears_its_word(language: str, word: str) -> None:
    items = labels(country(named=False), drafter(language=language)).items
    assert word in {item.content for _, item in items if isinstance(item, Text)}


@pytest.mark.parametrize("scale", [1.0, 0.25])
def test_discs_keep_off_ways_waters_and_one_another(scale: float) -> None:
    field, at = scaled(country(), scale), drafter(scale)
    found = labels(field, at)
    spots = [item.at for name, item in found.items if name is LayerName.NUMBER and isinstance(item, Text)]
    # They are known before anything is planted.
    assert found.clear.contains(shapely.MultiPoint(spots))
    radius = disc_radius(at)
    discs = [shapely.Point(x, y + 0.3 * radius).buffer(0.9 * radius) for x, y in spots]
    lines = [feature.line.buffer(feature.width / 2) for feature in field.features if isinstance(feature, Course)]
    assert len(discs) == len(field.features)
    for place, disc in enumerate(discs):
        assert not any(disc.intersects(line) for line in lines)
        assert not any(disc.intersects(other) for other in discs[:place])


@pytest.mark.clause("BR-G72")
def test_the_limit_of_deployment_is_drawn_across_the_board_but_not_along_its_edge() -> None:
    field = country()
    far, near = overlays_of_kind(field, "deployment")
    assert [side_token(each, field.board) for each in (far, near)] == ["side-blue", "side-red"]
    assert deployment_depth(far, field.board) == pytest.approx(152.4)
    assert deployment_depth(near, field.board) == pytest.approx(152.4)
    assert limit_lines(far, field.board).bounds == pytest.approx((0, 457.2, SIDE, 457.2))
    line = Overlay(kind="deployment", shape=shapely.LineString([(0, 100), (SIDE, 100)]))
    assert limit_lines(line, field.board).bounds == pytest.approx((0, 100, SIDE, 100))


def test_no_sign_stands_in_the_legend_without_ground_for_it() -> None:
    empty = country().__class__(board=country().board)
    assert not any(True for entry in ENTRIES for _ in entry.goings(empty))
    shown = {feature.kind for entry in ENTRIES for feature in entry.sample()}
    assert shown | {Kind.ENCLOSURE} == set(SIGNS), "an enclosure is shown by a field of each use that it may have"

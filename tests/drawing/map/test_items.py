"""The display list, the context and the styles."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import count
from pathlib import Path as File

import pytest
from drawing_text import dump
from hypothesis import given
from hypothesis import strategies as st
from signs_scene import STYLES, context

from printkit.chance.streams import Jitter
from printkit.core.errors import ResourceError
from printkit.core.resources import names
from printkit.drawing.canvas import layers, style
from printkit.drawing.canvas.items import (
    Affine,
    Artwork,
    Cap,
    Drawing,
    Font,
    Ink,
    Layer,
    LayerName,
    Path,
    PathRun,
    Rect,
    Stamp,
    Stroke,
    Text,
)
from printkit.drawing.canvas.layers import PlacedDrawing, joined, translated
from printkit.drawing.canvas.symbol_context import HAIRLINE, LEAST_MEANING, Memo, SymbolContext
from printkit.terrain.geometry.outlines import Noise

_BLACK = Ink(0, 0, 0)
_SQUARE = PathRun((0, 0, 1000, 0, 1000, 1000))


def test_rectangles_meet_and_grow() -> None:
    small = Rect(0, 0, 10, 5)
    assert (small.right, small.top) == (10, 5)
    assert small.meets(Rect(10, 5, 1, 1))
    assert not small.meets(Rect(10.1, 0, 1, 1))
    assert not small.meets(Rect(0, -2, 1, 1))
    assert small.padded(2) == Rect(-2, -2, 14, 9)


@given(st.tuples(*[st.integers(-9, 9)] * 6), st.integers(-50, 50), st.integers(-50, 50))
def test_an_affine_maps_as_pdf_does(values: tuple[int, ...], x: int, y: int) -> None:
    a, b, c, d, e, f = values
    assert Affine(*values).at(x, y) == (a * x + c * y + e, b * x + d * y + f)
    assert Affine().at(x, y) == (x, y)


def test_inks_are_read_mixed_and_thinned() -> None:
    ink = Ink.parse("#102030")
    assert ink == Ink(16, 32, 48, 1.0)
    assert ink.with_alpha(0.5) == Ink(16, 32, 48, 0.5)
    assert ink.mix(Ink(116, 32, 48), 0.5) == Ink(66, 32, 48)
    assert ink.mix(Ink(255, 255, 255), 0) == ink
    for wrong in ("102030", "#10203", "#GG0000", "red"):
        with pytest.raises(ValueError):
            Ink.parse(wrong)


def test_layers_are_declared_in_painting_order() -> None:
    order = list(LayerName)
    pairs = [
        (LayerName.PAPER, LayerName.HILL_TINT),
        (LayerName.RELIEF, LayerName.HACHURE),
        (LayerName.HACHURE, LayerName.CONTOUR),
        (LayerName.WOOD_FLOOR, LayerName.WATER),
        (LayerName.WATER, LayerName.CASING),
        (LayerName.CASING, LayerName.COURSE),
        (LayerName.HOUSE, LayerName.WOOD_SHADOW),
        (LayerName.WOOD_SHADOW, LayerName.CROWN),
        (LayerName.CROWN, LayerName.LABEL),
        (LayerName.LABEL, LayerName.FRAME),
    ]
    assert all(order.index(below) < order.index(above) for below, above in pairs)


def test_a_drawing_yields_its_items_in_order() -> None:
    first, second = Path((_SQUARE,), fill=_BLACK), Path((_SQUARE,), fill=Ink(9, 9, 9))
    lower, upper = Layer(LayerName.PAPER, (first,)), Layer(LayerName.WATER, (second, first))
    assert list(Drawing(1, 1, (lower, upper)).items()) == [(lower, first), (upper, second), (upper, first)]


def test_the_dump_tells_every_item_on_a_line() -> None:
    stroke = Stroke(Ink(1, 2, 3, 0.5), 0.25, (1.0, 2.0), 0.5, Cap.BUTT)
    items = (
        Path((_SQUARE, PathRun((5, 5, 6, 6), closed=False)), fill=_BLACK, stroke=stroke),
        Text(content="Hill", at=(1, 2), size_pt=9, ink=_BLACK, font=Font.ROMAN, halo=stroke),
        Text(content="Br", at=(0, 0), size_pt=9, ink=_BLACK, font=Font.ITALIC, glyphs=((1, 2, 3), (4, 5, 6))),
        Stamp(Artwork("crown-1", (Path((_SQUARE,), fill=_BLACK),)), (Affine(), Affine(e=5))),
    )
    text = dump(Drawing(20, 10, (Layer(LayerName.CROWN, items, Rect(0, 0, 20, 10)),)))
    lines = text.splitlines()
    assert lines[0] == "drawing 20.00 x 10.00"
    assert lines[1] == "layer crown clip 0.00 0.00 20.00 10.00"
    assert len(lines) == 6
    assert lines[2].strip() == (
        "path fill #000000 evenodd stroke #010203@0.500 0.250 butt round dash 1.00,2.00+0.50 "
        "z 0,0 1000,0 1000,1000 l 5,5 6,6"
    )
    assert "'Hill'" in lines[3]
    assert "halo #010203@0.500 0.25" in lines[3]
    assert "1.00,2.00,3.0 4.00,5.00,6.0" in lines[4]
    assert lines[5].startswith("  stamp crown-1 at ")
    assert lines[5].count(";") == 1


def test_signs_and_their_dashes_shrink_slower_than_the_map_and_lines_never_become_too_fine_to_print() -> None:
    assert context().symbol_scale == 1
    assert context(scale=2).symbol_scale == 1
    assert context(scale=0.292).symbol_scale == pytest.approx(0.508, abs=0.01)
    assert context(scale=0.05).symbol_scale == 0.35
    assert context(scale=0.292).smaller(0.8).size(10) == pytest.approx(0.8 * context(scale=0.292).size(10))
    small = context(scale=0.292)
    stroke = small.stroke(_BLACK, 0.5, dash=(4, 1.6), phase=1)
    assert stroke.dash == (small.size(4), small.size(1.6))
    assert stroke.phase == small.size(1)
    tiny = context(scale=0.15)
    assert tiny.width(0.2) == HAIRLINE
    assert tiny.width(0.2, minimum_mm=LEAST_MEANING) == LEAST_MEANING
    assert context().width(0.5) == 0.5
    assert context("high-contrast").width(0.4) == pytest.approx(0.5)
    assert context("high-contrast").width(1.7) == 1.7


def test_every_style_has_every_ink_and_an_unknown_one_names_those_that_are_there() -> None:
    assert set(STYLES) == set(names("templates/styles", ".toml")) - {"painted", "painted-light"}
    tokens = set(style.find("campaign").inks)
    for name in STYLES:
        found = style.find(name)
        assert set(found.inks) == tokens
        assert found.name == name
    with pytest.raises(ResourceError, match="campaign"):
        style.find("sepia")


def test_the_ink_saver_is_black_white_and_few_greys_and_black_is_never_thinned_to_grey() -> None:
    saver = style.find("ink-saver")
    for token, inks in saver.inks.items():
        for ink in inks:
            assert ink is None or ink.red == ink.green == ink.blue, token
    assert context("ink-saver").tint("crown-line", 0.3) == Ink(0, 0, 0)
    thin = context().tint("crown-line", 0.3)
    assert thin is not None
    assert thin.alpha == 0.3
    assert context("ink-saver").tint("paper", 0.5) is None
    assert saver.ink("paper") is None
    assert saver.solid("paper") == Ink(0, 0, 0)
    assert saver.family("mottle") == ()
    assert len(style.find("campaign").family("crown")) == 4


def test_a_persons_own_style_changes_only_what_it_names(tmp_path: File) -> None:
    own = tmp_path / "mine.toml"
    own.write_text(
        '[manner]\nshadows = false\nline-factor = 2\n[inks]\nwater = "#0000FF"\n[inks.relief]\nhill-1 = "none"\n'
    )
    found, first = style.find(str(own)), style.find("campaign")
    assert found.name == "mine"
    assert not found.shadows
    assert found.washes
    assert found.line_factor == 2
    assert found.ink("water") == Ink(0, 0, 255)
    assert found.ink("hill-1") is None
    assert found.ink("marsh") == first.ink("marsh")


# --- Drawings put together are moved when they are shown, once, to where each move alone would have put them ----------


_STROKED = Path((PathRun((0, 0, 1000, 500), False),), fill=Ink(0, 0, 0))
_TYPE = Text(
    content="field",
    at=(0.1, 0.2),
    size_pt=9.0,
    ink=Ink(0, 0, 0),
    font=Font.ROMAN,
    glyphs=((0.1, 0.2, 0.0), (1.7, 0.2, 0.0)),
)
_LEAF = Drawing(
    20.0,
    10.0,
    (Layer(LayerName.COURSE, (_STROKED,), Rect(0.0, 0.0, 20.0, 10.0)), Layer(LayerName.MARGIN, (_TYPE, _STROKED))),
)
_MOVES = ((0.33, 1.27), (7.071, 0.0), (0.0, 0.0), (12.5, 3.339))


def _nested() -> Drawing:
    found = _LEAF
    for x, y in _MOVES:
        found = joined(60.0, 40.0, [PlacedDrawing(found, x, y)])
    return found


def test_layers_that_are_cut_alike_are_one_in_painting_order() -> None:
    twice = joined(
        60.0, 40.0, [PlacedDrawing(_LEAF, 0.0, 0.0), PlacedDrawing(_LEAF, 0.0, 0.0), PlacedDrawing(_LEAF, 5.0, 0.0)]
    )
    assert [(layer.name, len(layer.items)) for layer in twice.layers] == [
        (LayerName.COURSE, 2),
        (LayerName.COURSE, 1),
        (LayerName.MARGIN, 6),
    ]


def test_a_part_of_a_part_is_moved_once_to_where_one_move_after_the_other_puts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[tuple[int, int]] = []
    move = layers._moved_runs

    def counted(runs: Sequence[PathRun], step: tuple[int, int]) -> tuple[PathRun, ...]:
        told.append(step)
        return move(runs, step)

    monkeypatch.setattr(layers, "_moved_runs", counted)
    shown = _nested()
    assert (shown.width, shown.height, told) == (60.0, 40.0, [])
    assert shown.layers is shown.layers
    assert len(told) == 2
    stepped = _LEAF.layers
    for x, y in _MOVES:
        stepped = translated(stepped, x, y)
    assert shown.layers == stepped


def test_a_joined_drawing_is_equal_to_a_plain_one_and_can_be_sent_elsewhere() -> None:
    shown = _nested()
    plain = Drawing(60.0, 40.0, _nested().layers)
    assert shown == plain == shown
    assert hash(shown) == hash(plain)
    assert pickle.loads(pickle.dumps(shown)) == plain
    assert joined(60.0, 40.0, [PlacedDrawing(pickle.loads(pickle.dumps(shown)), 0.0, 0.0)]) == plain


def test_what_is_kept_is_drawn_anew_for_another_thing_size_or_chance_and_the_oldest_goes() -> None:
    kept: Memo[int] = Memo(3)
    manner, noise, thing = style.find("campaign"), Noise.from_stream(Jitter(0).stream("draw/noise")), object()
    numbers = count(1)

    def asked(seed: int, scale: float, about: object = thing, by: str = "") -> int:
        context = SymbolContext(style=manner, jitter=Jitter(seed), noise=noise, scale=scale)
        return kept.draw_once(lambda: next(numbers), context, about, purpose=by)

    assert [asked(0, 1.0), asked(0, 1.0), asked(1, 1.0), asked(0, 0.5)] == [1, 1, 2, 3]
    assert [asked(0, 1.0, object()), asked(0, 0.5), asked(0, 1.0), asked(0, 1.0, by="b")] == [4, 3, 5, 6]

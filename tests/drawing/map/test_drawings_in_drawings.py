"""Drawings put together: moved when they are shown, once, to where each move alone would have put them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import count

import pytest

from printkit.chance.streams import Jitter
from printkit.drawing.canvas import layers
from printkit.drawing.canvas.items import Drawing, Font, Ink, Layer, LayerName, Path, PathRun, Rect, Text
from printkit.drawing.canvas.layers import PlacedDrawing, joined, moved
from printkit.drawing.canvas.style import find
from printkit.drawing.canvas.symbol_context import Memo, SymbolContext
from printkit.terrain.geometry.roughness import Noise

_LINE = Path((PathRun((0, 0, 1000, 500), False),), fill=Ink(0, 0, 0))
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
    (Layer(LayerName.COURSE, (_LINE,), Rect(0.0, 0.0, 20.0, 10.0)), Layer(LayerName.MARGIN, (_TYPE, _LINE))),
)
_MOVES = ((0.33, 1.27), (7.071, 0.0), (0.0, 0.0), (12.5, 3.339))


def _nested() -> Drawing:
    found = _LEAF
    for x, y in _MOVES:
        found = joined(60.0, 40.0, [PlacedDrawing(found, x, y)])
    return found


def test_a_part_of_a_part_lies_where_one_move_after_the_other_puts_it() -> None:
    layers = _LEAF.layers
    for x, y in _MOVES:
        layers = moved(layers, x, y)
    assert _nested().layers == layers


def test_layers_that_are_cut_alike_are_one_in_painting_order() -> None:
    twice = joined(
        60.0, 40.0, [PlacedDrawing(_LEAF, 0.0, 0.0), PlacedDrawing(_LEAF, 0.0, 0.0), PlacedDrawing(_LEAF, 5.0, 0.0)]
    )
    assert [(layer.name, len(layer.items)) for layer in twice.layers] == [
        (LayerName.COURSE, 2),
        (LayerName.COURSE, 1),
        (LayerName.MARGIN, 6),
    ]


def test_a_part_of_a_part_is_moved_once_and_none_that_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_joined_drawing_is_equal_to_a_plain_one_and_can_be_sent_elsewhere() -> None:
    shown = _nested()
    plain = Drawing(60.0, 40.0, _nested().layers)
    assert shown == plain == shown
    assert hash(shown) == hash(plain)
    assert pickle.loads(pickle.dumps(shown)) == plain
    assert joined(60.0, 40.0, [PlacedDrawing(pickle.loads(pickle.dumps(shown)), 0.0, 0.0)]) == plain


def test_what_is_kept_is_drawn_anew_for_another_thing_size_or_chance_and_the_oldest_goes() -> None:
    kept: Memo[int] = Memo(3)
    style, noise, thing = find("campaign"), Noise.of(Jitter(0).stream("draw/noise")), object()
    numbers = count(1)

    def asked(seed: int, scale: float, about: object = thing, by: str = "") -> int:
        context = SymbolContext(style=style, jitter=Jitter(seed), noise=noise, scale=scale)
        return kept.once(lambda: next(numbers), context, about, by=by)

    assert [asked(0, 1.0), asked(0, 1.0), asked(1, 1.0), asked(0, 0.5)] == [1, 1, 2, 3]
    assert [asked(0, 1.0, object()), asked(0, 0.5), asked(0, 1.0), asked(0, 1.0, by="b")] == [4, 3, 5, 6]

"""What maps, sheets and cards have of their drafter, and in what they differ."""

from __future__ import annotations

import pytest

from printkit.chance.streams import Jitter
from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Font
from printkit.drawing.canvas.symbol_context import HAIRLINE, LEAST_MEANING
from printkit.drawing.lettering.lettering import LEAST_FIGURES, measure
from printkit.drawing.text.drafter import CAPITALS, Drafter

PLAIN = style.find("campaign")
HEAVY = style.find("high-contrast")
EN = find("en")


def on_map(scale: float = 1.0) -> Drafter:
    return Drafter.map(PLAIN, EN, Jitter(1), scale=scale)


def test_no_line_of_a_map_or_card_is_too_thin_and_a_style_draws_thin_ones_heavier_and_on_a_sheet_all_of_them() -> None:
    assert on_map(0.25).width(0.3) == LEAST_MEANING
    assert Drafter.card(PLAIN, EN).width(0.05) == HAIRLINE
    assert Drafter.sheet(PLAIN, EN).width(0.05) == pytest.approx(0.05 * PLAIN.line_factor)
    assert HEAVY.line_factor > 1
    for drafter in (Drafter.map(HEAVY, EN, Jitter(1)), Drafter.card(HEAVY, EN)):
        assert drafter.width(1.0) == pytest.approx(HEAVY.line_factor)
        assert drafter.width(2.0) == 2.0
    assert Drafter.sheet(HEAVY, EN).width(2.0) == pytest.approx(2.0 * HEAVY.line_factor)


def test_type_shrinks_with_a_map_as_far_as_it_can_be_read_and_is_of_true_points_elsewhere() -> None:
    half, tiny = (on_map(scale).hand(Font.FIGURES, 20.0, track=1.0) for scale in (0.5, 0.01))
    assert LEAST_FIGURES < half.size_pt < 20.0
    assert half.track == pytest.approx(half.size_pt / 20.0)
    assert on_map(0.01).hand(Font.FIGURES, 12.0).size_pt == LEAST_FIGURES
    assert tiny.size_pt < half.size_pt
    for made in (Drafter.sheet(PLAIN, EN), Drafter.card(PLAIN, EN)):
        assert made.hand(Font.FIGURES, 5.0).size_pt == 5.0


def test_what_sheets_and_furniture_are_drawn_with_is_the_same_in_every_game_and_at_every_scale() -> None:
    assert Drafter.sheet(PLAIN, EN).context.noise is Drafter.furniture(HEAVY, EN).context.noise
    assert Drafter.card(PLAIN, EN).context.noise is not Drafter.sheet(PLAIN, EN).context.noise
    whole = on_map()
    small = whole.at(0.25)
    assert small.size(10.0) == on_map(0.25).size(10.0) < whole.size(10.0)
    assert small.context.noise is whole.context.noise


def test_type_longer_than_its_room_is_made_to_fit_and_each_language_says_a_word() -> None:
    drafter = Drafter.sheet(PLAIN, EN)
    hand = drafter.hand(Font.FIGURES, 10.0)
    long = measure("twelve miles", hand)
    (free,), (kept,) = (
        drafter.text("twelve miles", (0.0, 0.0), hand),
        drafter.text("twelve miles", (0.0, 0.0), hand, room=long / 2),
    )
    assert free.size_pt == 10.0
    assert kept.size_pt < 10.0
    (middle,) = drafter.centred("twelve miles", (50.0, 20.0), hand)
    assert middle.at == pytest.approx((50.0 - long / 2, 20.0 - CAPITALS * hand.height))
    both = Drafter.sheet(PLAIN, find("en+es"))
    assert both.each("kind.river") == tuple(find(code)("kind.river") for code in ("en", "es"))

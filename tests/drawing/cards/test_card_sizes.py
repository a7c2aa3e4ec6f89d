"""Sizes of cards: those that have names, one's own, and what is refused."""

from __future__ import annotations

import pytest
from card_deck import SIZES, bench

from printkit.core.errors import UsageError
from printkit.drawing.cards.sizes import find_size, known


@pytest.mark.parametrize(
    ("text", "name", "width", "height"),
    [
        ("", "poker-63x88", 63.0, 88.0),
        ("Poker-63x88", "poker-63x88", 63.0, 88.0),
        ("us-2.5x3.5in", "us-2.5x3.5in", 63.5, 88.9),
        ("mini", "mini", 44.0, 68.0),
        ("tarot", "tarot", 70.0, 120.0),
        ("60x92", "60x92", 60.0, 92.0),
        ("6 x 9.2cm", "60x92", 60.0, 92.0),
        ("2.75×4.75in", "69.85x120.65", 69.85, 120.65),
    ],
)
def test_a_size_is_found_by_its_name_or_read(text: str, name: str, width: float, height: float) -> None:
    size = find_size(text)
    assert (size.name, size.width, size.height, size.safe, size.bleed) == (name, width, height, 3.0, 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("bridge", "there are poker-63x88, us-2.5x3.5in, mini, tarot, and a size in mm as 60x92"),
        ("20x30", "a card of 20 x 30 mm cannot be set; it is 40 to 210 mm wide and 55 to 210 mm high"),
        ("60x300", "a card of 60 x 300 mm cannot be set"),
        ("63", "has no unit"),
    ],
)
def test_what_is_no_card_is_refused(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_size(text)


@pytest.mark.parametrize("bleed", [-1.0, 11.0, float("nan")])
def test_what_is_no_bleed_is_refused(bleed: float) -> None:
    with pytest.raises(UsageError, match="it is 0 to 10 mm"):
        find_size("mini", bleed=bleed)


def test_the_first_card_has_the_measures_of_the_cartography() -> None:
    layout = bench().terrain
    assert layout.picture == pytest.approx((6.2, 37.5, 50.6, 44.3))
    assert [(rule.inset, rule.radius, rule.line) for rule in layout.border] == [(3.0, 2.4, 0.62), (4.1, 1.6, 0.2)]
    assert layout.under("name", "foot") == pytest.approx(30.6)
    assert layout.under("banner", "bottom") == pytest.approx(20.6)
    assert layout.under("text", "foot") == pytest.approx(16.9)
    assert bench().text.box == pytest.approx((3.0, 7.0, 57.0, 69.0))


@pytest.mark.parametrize("size", [*known(), *SIZES, "148x105", "40x55", "210x55", "210x210"])
def test_every_size_has_room_for_all_parts(size: str) -> None:
    plan = bench(size)
    layout, text = plan.terrain, plan.text
    picture = layout.picture
    assert picture.height > 8
    assert picture.x > layout.border[-1].inset
    assert picture.top < plan.size.height - layout.border[-1].inset
    assert layout.under("text", "foot") > layout.number("text", "lowest")
    assert text.box.y == pytest.approx(text.foot.top)
    assert text.box.top == pytest.approx(text.band.y)
    assert text.box.height > 20

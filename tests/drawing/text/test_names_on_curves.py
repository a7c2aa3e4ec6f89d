"""Names on curves: words stay apart, letters of a word do not run into each other, and a word does not wind."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from shapely import Polygon

from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Font, Ink, Text
from printkit.drawing.lettering.lettering import Hand, measure, words_along
from printkit.drawing.lettering.lettering import _advances as advances_of

NAMES = (
    *("Arroyo de la Zarza", "River Mosa", "Rock Brook", "Camino de los Olmos", "Widow Bishop's Creek"),
    *("The Long Water", "Río Seco de San Juan", "Mill Lane", "Old Post Road", "Fossa Nova ad Aquas"),
)
HAND = Hand(font=Font.ITALIC, size_pt=17.0, ink=Ink(0, 0, 0), track=1.6)
# The height of small letters, in em.
SMALL = 0.42


def course(chance: Random) -> np.ndarray:
    """Return a winding line of points 2 mm apart."""
    bend, long, phase = chance.uniform(0.0, 0.9), chance.uniform(60.0, 200.0), chance.uniform(0.0, 6.0)
    turn = bend * np.sin(np.arange(150) * 2.0 * 2 * math.pi / long + phase)
    return np.cumsum(2.0 * np.column_stack([np.cos(turn), np.sin(turn)]), axis=0)


def letters(texts: tuple[Text, ...]) -> list[tuple[str, tuple[float, float, float]]]:
    return [pair for text in texts for pair in zip(text.content, text.glyphs, strict=True)]


def end(glyph: tuple[float, float, float], step: float) -> tuple[float, float]:
    x, y, angle = glyph
    return x + step * math.cos(math.radians(angle)), y + step * math.sin(math.radians(angle))


def box(glyph: tuple[float, float, float], step: float, high: float) -> Polygon:
    """Return the ground of a letter, without a tenth on either side."""
    x, y, angle = glyph
    across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = ((0.1 * step, 0.0), (0.9 * step, 0.0), (0.9 * step, high), (0.1 * step, high))
    return Polygon([(x + a * across - b * up, y + a * up + b * across) for a, b in corners])


@pytest.mark.parametrize("seed", range(50))
def test_words_stay_apart_and_letters_do_not_meet(seed: int) -> None:
    chance, em = Random(seed), HAND.size_pt * MM_PER_POINT
    for name in NAMES:
        path = course(chance)
        offset = chance.choice((1, -1)) * chance.uniform(4.0, 18.0)
        found = letters(words_along(name, path, HAND, offset=offset))
        steps = advances_of(name, HAND.font, HAND.size_pt)
        assert "".join(letter for letter, _ in found) == name
        for place, ((one, before), (other, after)) in enumerate(pairwise(found)):
            if other == " ":
                space = math.dist(end(before, steps[place]), found[place + 2][1][:2])
                assert space >= 0.28 * em - 0.01, (name, place)
            elif one != " ":
                turn = abs((after[2] - before[2] + 180) % 360 - 180)
                assert turn <= 9.0 + 1e-6, (name, place)
                ground = box(before, steps[place], SMALL * em)
                assert not ground.intersects(box(after, steps[place + 1], SMALL * em)), (name, place)


def test_on_a_straight_line_a_name_is_as_long_as_it_is_measured() -> None:
    path = np.column_stack([np.arange(0.0, 200.0, 2.0), np.zeros(100)])
    found = letters(words_along("River Mosa", path, HAND, offset=3.0))
    steps = advances_of("River Mosa", HAND.font, HAND.size_pt)
    assert found[-1][1][0] + steps[-1] - found[0][1][0] == pytest.approx(measure("River Mosa", HAND))
    assert {round(y, 6) for _, (_, y, _) in found} == {3.0}

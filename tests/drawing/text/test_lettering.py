"""Type is measured as it is set: figures in the lining face, missing letters from another, lines that fit."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from printkit.core.errors import ResourceError
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas.items import Anchor, Font, Ink
from printkit.drawing.lettering.lettering import (
    FIGURE_SHARE,
    Hand,
    along,
    fitted,
    least_size,
    line,
    measure,
    pieces,
    scaled_size,
    shrunk,
    width,
    wrapped,
)
from printkit.drawing.lettering.typefaces import advances

INK = Ink(0, 0, 0)
WORDS = st.lists(st.text("abcdefghijlmnoprstuvz", min_size=1, max_size=14), min_size=1, max_size=14).map(" ".join)


def hand(size: float = 12.0, font: Font = Font.ROMAN, track: float = 0.0) -> Hand:
    return Hand(font=font, size_pt=size, ink=INK, track=track)


def test_a_width_is_the_sum_of_the_advances_of_the_face() -> None:
    expected = sum(advances(Font.ROMAN).shares[letter] for letter in "Hill") * 12 * MM_PER_POINT
    assert width("Hill", Font.ROMAN, 12) == pytest.approx(expected)
    assert width("Hill", Font.ROMAN, 12, track=0.5) == pytest.approx(expected + 3 * 0.5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seed 1066", [("seed ", Font.ROMAN), ("1066", Font.FIGURES)]),
        ("1:4 · 12.5", [("1:4", Font.FIGURES), (" · ", Font.ROMAN), ("12.5", Font.FIGURES)]),
        ("a −1 b", [("a ", Font.ROMAN), ("−1", Font.FIGURES), (" b", Font.ROMAN)]),
        ("Harrow Hill", [("Harrow Hill", Font.ROMAN)]),
    ],
)
def test_figures_are_set_in_the_lining_face(text: str, expected: list[tuple[str, Font]]) -> None:
    assert [(piece.text, piece.font) for piece in pieces(text, Font.ROMAN)] == expected


def test_figures_of_the_book_face_are_a_tenth_smaller_and_those_of_the_figures_face_are_not() -> None:
    assert pieces("7", Font.ITALIC)[0] == ("7", Font.FIGURES_ITALIC, FIGURE_SHARE)
    assert pieces("7", Font.BANNER)[0] == ("7", Font.BANNER, 1.0)


def test_a_letter_that_the_face_lacks_comes_from_its_companion() -> None:
    assert "≥" not in advances(Font.ITALIC).shares
    assert pieces("a ≥ b", Font.ITALIC)[1].font is Font.FIGURES_ITALIC


def test_a_letter_that_no_face_has_is_refused_by_name() -> None:
    with pytest.raises(ResourceError, match="U\\+6F22"):
        line("漢", (0, 0), hand())


def test_pieces_of_a_line_stand_side_by_side() -> None:
    made = line("seed 1066 x", (10, 20), hand(track=0.2))
    assert [text.content for text in made] == ["seed ", "1066", " x"]
    assert made[0].at == (10, 20)
    for before, after in pairwise(made):
        gone = width(before.content + "|", before.font, before.size_pt, track=0.2) - width(
            "|", before.font, before.size_pt
        )
        # The trailing space of a piece is kept, so that the next one begins where the context has come to.
        assert after.at[0] - before.at[0] == pytest.approx(gone, abs=1e-6)


@pytest.mark.parametrize(("anchor", "share"), [(Anchor.START, 0.0), (Anchor.MIDDLE, 0.5), (Anchor.END, 1.0)])
def test_an_anchor_is_settled_before_it_reaches_a_writer(anchor: Anchor, share: float) -> None:
    made = line("Mere", (100, 50), hand(), anchor=anchor)[0]
    assert made.anchor is Anchor.START
    assert made.at[0] == pytest.approx(100 - share * measure("Mere", hand()))


def test_a_turned_line_runs_upwards() -> None:
    made = line("a 1", (0, 0), hand(), angle=90)
    assert made[1].at[0] == pytest.approx(0, abs=1e-9)
    assert made[1].at[1] > 0
    assert {text.angle for text in made} == {90}


def test_large_titles_are_kerned_and_small_ones_are_not() -> None:
    loose = sum(advances(Font.ROMAN).shares[letter] for letter in "To") * MM_PER_POINT
    assert width("To", Font.ROMAN, 40) < 40 * loose
    assert width("To", Font.ROMAN, 20) == pytest.approx(20 * loose)
    made = line("To", (0, 0), hand(40))[0]
    assert len(made.glyphs) == 2


def test_letters_on_a_straight_path_stand_as_on_a_line() -> None:
    path = np.array([(0.0, 10.0), (200.0, 10.0)])
    made = along("River Hurn", path, hand(track=1.0))[0]
    flat = line("River Hurn", (100, 10), hand(track=1.0), anchor=Anchor.MIDDLE)[0]
    assert made.glyphs[0][:2] == pytest.approx(flat.at)
    assert all(angle == pytest.approx(0) for _, _, angle in made.glyphs)


def test_letters_on_a_circle_stand_on_it_and_turn_with_it() -> None:
    turn = np.linspace(np.pi, 0, 200)
    path = 50 * np.column_stack([np.cos(turn), np.sin(turn)])
    made = along("HIDDEN GROUND", path, hand(10), offset=2.0)[0]
    for x, y, _ in made.glyphs:
        assert math.hypot(x, y) == pytest.approx(52, abs=0.15)
    angles = [angle for _, _, angle in made.glyphs]
    assert angles == sorted(angles, reverse=True)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(WORDS, st.floats(20, 120))
def test_wrapping_keeps_every_word_and_the_measure(text: str, measure_mm: float) -> None:
    rows = wrapped(text, Font.ROMAN, 12, measure_mm)
    assert " ".join(rows) == text
    for row in rows:
        assert " " not in row or width(row, Font.ROMAN, 12) <= measure_mm + 1e-6


@settings(max_examples=40, deadline=None, derandomize=True)
@given(WORDS, st.floats(12, 120), st.integers(1, 3))
def test_fitted_type_fits(text: str, measure_mm: float, lines: int) -> None:
    rows, made = fitted(text, hand(17), measure_mm, lines=lines)
    assert " ".join(rows) == text
    assert all(measure(row, made) <= measure_mm + 1e-6 for row in rows)


def test_fitted_type_that_fits_keeps_its_size() -> None:
    rows, made = fitted("Marsh", hand(17), 100)
    assert (rows, made.size_pt) == (("Marsh",), 17)


def test_a_shrunk_line_is_first_closed_up() -> None:
    spaced = hand(10, Font.BANNER, track=1.6)
    full = measure("DEPLOYMENT", spaced)
    assert shrunk("DEPLOYMENT", spaced, full + 1) == spaced
    closer = shrunk("DEPLOYMENT", spaced, full - 5)
    assert (closer.size_pt, closer.track < 1.6) == (10, True)
    smaller = shrunk("DEPLOYMENT", spaced, 10)
    assert measure("DEPLOYMENT", smaller) == pytest.approx(10)


@pytest.mark.parametrize("font", list(Font))
def test_type_never_shrinks_below_its_floor(font: Font) -> None:
    assert scaled_size(12, font, 0.35) == least_size(font)
    assert scaled_size(40, font, 1.0) == 40

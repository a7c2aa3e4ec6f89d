"""Type is measured as it is set: figures in the lining face, missing letters, lines that fit, hands of a drafter."""

from __future__ import annotations

import math
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon

from printkit.chance.streams import Jitter
from printkit.core.errors import ResourceError
from printkit.core.units import MM_PER_POINT
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Anchor, Font, Ink, Text
from printkit.drawing.canvas.symbol_context import HAIRLINE, LEAST_MEANING
from printkit.drawing.lettering.extent import text_length
from printkit.drawing.lettering.lettering import (
    FIGURE_SHARE,
    LEAST_FIGURES,
    TypeStyle,
    fit_text,
    least_size,
    line,
    measure,
    scaled_size,
    set_along_curve,
    set_words_along_curve,
    shrink_to_fit,
    split_by_font,
    width,
    wrap_words,
)
from printkit.drawing.lettering.lettering import _advances as advances_of
from printkit.drawing.lettering.typefaces import advances
from printkit.drawing.text.drafter import CAPITALS, Drafter

INK = Ink(0, 0, 0)
WORDS = st.lists(st.text("abcdefghijlmnoprstuvz", min_size=1, max_size=14), min_size=1, max_size=14).map(" ".join)


def hand(size: float = 12.0, font: Font = Font.ROMAN, track: float = 0.0) -> TypeStyle:
    return TypeStyle(font=font, size_pt=size, ink=INK, track=track)


def test_a_width_is_the_sum_of_the_advances_of_the_face_and_all_sizes_are_kerned() -> None:
    expected = sum(advances(Font.ROMAN).shares[letter] for letter in "Hill") * 12 * MM_PER_POINT
    assert width("Hill", Font.ROMAN, 12) == pytest.approx(expected)
    assert width("Hill", Font.ROMAN, 12, track=0.5) == pytest.approx(expected + 3 * 0.5)
    loose = sum(advances(Font.ROMAN).shares[letter] for letter in "To") * MM_PER_POINT
    for size in (7.0, 20.0, 29.9, 30.0, 40.0):
        assert width("To", Font.ROMAN, size) == pytest.approx(size * (loose - 0.085 * MM_PER_POINT))
        (made,) = line("To", (0, 0), hand(size))
        assert text_length(made) == pytest.approx(width("To", Font.ROMAN, size))
        (last,) = line("To", (100, 0), hand(size), anchor=Anchor.END)
        assert last.at[0] == pytest.approx(100 - text_length(made))


# Read from the tables of the two typefaces with another program, in units of which the type size has 2,000.
@pytest.mark.parametrize(
    ("font", "units"), [(Font.FIGURES, (-244, -108, -201, -15)), (Font.HEAVY, (-239, -118, -182, -14))]
)
def test_lato_is_kerned_by_its_own_table(font: Font, units: tuple[int, ...]) -> None:
    found = [advances(font).kerning(pair) for pair in ("To", "AV", "P.", "Hi")]
    assert [first for first, _ in found] == pytest.approx([unit / 2000 for unit in units], abs=0.0006)
    assert all(last == 0.0 for _, last in found)
    assert len(advances(font).kerns) == 8288


@pytest.mark.parametrize("font", list(Font))
def test_words_are_measured_by_themselves_because_no_pair_has_a_space(font: Font) -> None:
    known = advances(font)
    assert not [pair for pair in known.kerns if " " in pair or "\xa0" in pair]
    assert known.kerns["To"] < -0.08
    assert known.kerning("") == known.steps("") == []
    assert known.steps("To") == [known.shares["T"] + known.kerns["To"], known.shares["o"]]


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
    assert [(piece.text, piece.font) for piece in split_by_font(text, Font.ROMAN)] == expected


def test_figures_of_the_book_face_are_a_tenth_smaller_and_those_of_the_figures_face_are_not() -> None:
    assert split_by_font("7", Font.ITALIC)[0] == ("7", Font.FIGURES_ITALIC, FIGURE_SHARE)
    assert split_by_font("7", Font.BANNER)[0] == ("7", Font.BANNER, 1.0)


def test_a_letter_that_the_face_lacks_comes_from_its_companion_and_one_that_no_face_has_is_refused_by_name() -> None:
    assert "≥" not in advances(Font.ITALIC).shares
    assert split_by_font("a ≥ b", Font.ITALIC)[1].font is Font.FIGURES_ITALIC
    with pytest.raises(ResourceError, match="U\\+6F22"):
        line("漢", (0, 0), hand())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Keller's Hill", "Keller’s Hill"),
        ("HARTS' WOOD", "HARTS’ WOOD"),
        ("Peñas d'Élan", "Peñas d’Élan"),
        ("Boar’s Hill", "Boar’s Hill"),
        ("a table of 6' x 4'", "a table of 6' x 4'"),
    ],
)
def test_an_apostrophe_after_a_letter_is_set_as_one_and_feet_keep_theirs(text: str, expected: str) -> None:
    assert "".join(made.content for made in line(text, (0, 0), hand())) == expected
    assert "".join(made.content for made in set_along_curve(text, np.eye(2) * 90, hand())) == expected
    assert width(text, Font.ROMAN, 12) == width(expected, Font.ROMAN, 12)
    assert all("’" in advances(font).shares for font in Font)


def test_pieces_of_a_line_stand_side_by_side_and_a_turned_line_runs_upwards() -> None:
    made = line("seed 1066 x", (10, 20), hand(track=0.2))
    assert [text.content for text in made] == ["seed ", "1066", " x"]
    assert made[0].at == (10, 20)
    for before, after in pairwise(made):
        gone = width(before.content + "|", before.font, before.size_pt, track=0.2) - width(
            "|", before.font, before.size_pt
        )
        # The trailing space of a piece is kept, so that the next one begins where the context has come to.
        assert after.at[0] - before.at[0] == pytest.approx(gone, abs=1e-6)
    made = line("a 1", (0, 0), hand(), angle=90)
    assert made[1].at[0] == pytest.approx(0, abs=1e-9)
    assert made[1].at[1] > 0
    assert {text.angle for text in made} == {90}


@pytest.mark.parametrize(("anchor", "share"), [(Anchor.START, 0.0), (Anchor.MIDDLE, 0.5), (Anchor.END, 1.0)])
def test_an_anchor_is_settled_before_it_reaches_a_writer(anchor: Anchor, share: float) -> None:
    made = line("Mere", (100, 50), hand(), anchor=anchor)[0]
    assert made.anchor is Anchor.START
    assert made.at[0] == pytest.approx(100 - share * measure("Mere", hand()))


def test_letters_stand_on_a_straight_path_as_on_a_line_and_turn_with_a_circle() -> None:
    path = np.array([(0.0, 10.0), (200.0, 10.0)])
    made = set_along_curve("River Hurn", path, hand(track=1.0))[0]
    flat = line("River Hurn", (100, 10), hand(track=1.0), anchor=Anchor.MIDDLE)[0]
    assert made.glyphs[0][:2] == pytest.approx(flat.at)
    assert all(angle == pytest.approx(0) for _, _, angle in made.glyphs)
    turn = np.linspace(np.pi, 0, 200)
    path = 50 * np.column_stack([np.cos(turn), np.sin(turn)])
    made = set_along_curve("HIDDEN GROUND", path, hand(10), offset=2.0)[0]
    for x, y, _ in made.glyphs:
        assert math.hypot(x, y) == pytest.approx(52, abs=0.15)
    angles = [angle for _, _, angle in made.glyphs]
    assert angles == sorted(angles, reverse=True)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(WORDS, st.floats(20, 120))
def test_wrapping_keeps_every_word_and_the_measure(text: str, measure_mm: float) -> None:
    rows = wrap_words(text, TypeStyle(font=Font.ROMAN, size_pt=12, ink=INK), measure_mm)
    assert " ".join(rows) == text
    for row in rows:
        assert " " not in row or width(row, Font.ROMAN, 12) <= measure_mm + 1e-6


@settings(max_examples=40, deadline=None, derandomize=True)
@given(WORDS, st.floats(12, 120), st.integers(1, 3))
def test_fitted_type_fits(text: str, measure_mm: float, lines: int) -> None:
    rows, made = fit_text(text, hand(17), measure_mm, lines=lines)
    assert " ".join(rows) == text
    assert all(measure(row, made) <= measure_mm + 1e-6 for row in rows)


def test_a_shrunk_line_is_first_closed_up_and_type_that_fits_keeps_its_size() -> None:
    spaced = hand(10, Font.BANNER, track=1.6)
    full = measure("DEPLOYMENT", spaced)
    assert shrink_to_fit("DEPLOYMENT", spaced, full + 1) == spaced
    closer = shrink_to_fit("DEPLOYMENT", spaced, full - 5)
    assert (closer.size_pt, closer.track < 1.6) == (10, True)
    smaller = shrink_to_fit("DEPLOYMENT", spaced, 10)
    assert measure("DEPLOYMENT", smaller) == pytest.approx(10)
    rows, made = fit_text("Marsh", hand(17), 100)
    assert (rows, made.size_pt) == (("Marsh",), 17)


@pytest.mark.parametrize("font", list(Font))
def test_type_never_shrinks_below_its_floor(font: Font) -> None:
    assert scaled_size(12, font, 0.35) == least_size(font)
    assert scaled_size(40, font, 1.0) == 40


# --- Names on curves: words stay apart, letters of a word do not meet, and a word does not wind -----------------------


NAMES = (
    *("Arroyo de la Zarza", "River Mosa", "Rock Brook", "Camino de los Olmos", "Widow Bishop’s Creek"),
    *("The Long Water", "Río Seco de San Juan", "Mill Lane", "Old Post Road", "Fossa Nova ad Aquas"),
)
HAND = TypeStyle(font=Font.ITALIC, size_pt=17.0, ink=Ink(0, 0, 0), track=1.6)
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
        found = letters(set_words_along_curve(name, path, HAND, offset=offset))
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
    found = letters(set_words_along_curve("River Mosa", path, HAND, offset=3.0))
    steps = advances_of("River Mosa", HAND.font, HAND.size_pt)
    assert found[-1][1][0] + steps[-1] - found[0][1][0] == pytest.approx(measure("River Mosa", HAND))
    assert {round(y, 6) for _, (_, y, _) in found} == {3.0}


PLAIN = style.find("campaign")
HEAVY = style.find("high-contrast")
EN = find_words("en")


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
    half, tiny = (on_map(scale).type_style(Font.FIGURES, 20.0, track=1.0) for scale in (0.5, 0.01))
    assert LEAST_FIGURES < half.size_pt < 20.0
    assert half.track == pytest.approx(half.size_pt / 20.0)
    assert on_map(0.01).type_style(Font.FIGURES, 12.0).size_pt == LEAST_FIGURES
    assert tiny.size_pt < half.size_pt
    for made in (Drafter.sheet(PLAIN, EN), Drafter.card(PLAIN, EN)):
        assert made.type_style(Font.FIGURES, 5.0).size_pt == 5.0


def test_what_sheets_and_furniture_are_drawn_with_is_the_same_in_every_game_and_at_every_scale() -> None:
    assert Drafter.sheet(PLAIN, EN).context.noise is Drafter.furniture(HEAVY, EN).context.noise
    assert Drafter.card(PLAIN, EN).context.noise is not Drafter.sheet(PLAIN, EN).context.noise
    whole = on_map()
    small = whole.at(0.25)
    assert small.size(10.0) == on_map(0.25).size(10.0) < whole.size(10.0)
    assert small.context.noise is whole.context.noise


def test_type_longer_than_its_room_is_made_to_fit_and_each_language_says_a_word() -> None:
    drafter = Drafter.sheet(PLAIN, EN)
    hand = drafter.type_style(Font.FIGURES, 10.0)
    long = measure("twelve miles", hand)
    (free,), (kept,) = (
        drafter.text("twelve miles", (0.0, 0.0), hand),
        drafter.text("twelve miles", (0.0, 0.0), hand, max_width_mm=long / 2),
    )
    assert free.size_pt == 10.0
    assert kept.size_pt < 10.0
    (middle,) = drafter.centred_text("twelve miles", (50.0, 20.0), hand)
    assert middle.at == pytest.approx((50.0 - long / 2, 20.0 - CAPITALS * hand.height))
    both = Drafter.sheet(PLAIN, find_words("en+es"))
    assert both.translations("kind.river") == tuple(find_words(code)("kind.river") for code in ("en", "es"))

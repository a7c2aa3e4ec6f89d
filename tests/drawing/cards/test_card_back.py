"""The secret back: the same on every card, the same upside down, and nothing on it that tells a card."""

from __future__ import annotations

from collections import Counter

import pytest
from card_deck import GOOD, HILL, SIZES, TEXT, bench, deck, layer, made, reach, said, texts
from msgspec.structs import replace

from printkit.content.cards import Suit
from printkit.drawing.canvas.items import Drawing, Item, LayerName, Path, PathRun, Text
from printkit.drawing.cards.back import secret_back

Points = tuple[tuple[int, int], ...]
TEXT_ALONE = replace(TEXT, back=())


def turned(points: Points, drawing: Drawing) -> Points:
    """Return points turned by half about the middle of a drawing, on its grid."""
    across, up = round(drawing.width * 100), round(drawing.height * 100)
    return tuple((across - x, up - y) for x, y in points)


def same_ring(points: Points, closed: bool) -> Points:
    """Return points in an order that does not depend on where a closed run begins."""
    first = points.index(min(points)) if closed else 0
    return points[first:] + points[:first]


def points_of(run: PathRun) -> Points:
    return tuple(zip(run.points[::2], run.points[1::2], strict=True))


def described(item: Item, drawing: Drawing, *, upside_down: bool) -> object:
    """Return what an item looks like, as the drawing lies or turned by half."""
    if isinstance(item, Text):
        places = item.glyphs or ((*item.at, item.angle),)
        if upside_down:
            places = tuple((drawing.width - x, drawing.height - y, angle + 180) for x, y, angle in places)
        spots = tuple((round(x, 3), round(y, 3), round(angle % 360, 3) % 360) for x, y, angle in places)
        return item.content, item.size_pt, item.font, item.ink, spots
    assert isinstance(item, Path)
    found = []
    for run in item.runs:
        points = points_of(run)
        found.append((same_ring(turned(points, drawing) if upside_down else points, run.closed), run.closed))
    return frozenset(found), item.fill, item.stroke


@pytest.mark.clause("BR-M04")
@pytest.mark.parametrize("size", SIZES)
def test_the_back_is_unchanged_by_a_half_turn(size: str) -> None:
    back = secret_back(bench(size, lang="en+es" if size == "poker-63x88" else "en"))
    items = [item for _, item in back.items()]
    as_it_lies = Counter(described(item, back, upside_down=False) for item in items)
    assert as_it_lies == Counter(described(item, back, upside_down=True) for item in items)
    assert len(items) > 15


@pytest.mark.clause("BR-M04")
@pytest.mark.parametrize("manner", ["campaign", "ink-saver", "high-contrast"])
def test_all_cards_have_one_back_whatever_they_show(manner: str) -> None:
    faces = made(deck(HILL if manner == "campaign" else TEXT_ALONE, GOOD), manner=manner)
    others = made(deck(TEXT_ALONE, name="other", title="Other"), manner=manner)
    assert {face.back for face in (*faces, *others)} == {faces[0].back}
    assert faces[0].back is not None


@pytest.mark.clause("BR-M04")
def test_the_back_names_no_card() -> None:
    back = secret_back(bench())
    assert said(back).split() == ["HIDDEN", "GROUND", "HIDDEN", "GROUND"]
    inks = {item.fill for _, item in back.items() if isinstance(item, Path)}
    assert bench().drafter.style.solid("side-red") not in inks
    assert len(Suit) == 4


def test_the_words_of_the_back_are_those_of_the_language() -> None:
    assert said(secret_back(bench(lang="es"))) == "TERRENO OCULTO TERRENO OCULTO"
    both = said(secret_back(bench(lang="en+es")))
    assert both == "HIDDEN GROUND HIDDEN GROUND TERRENO OCULTO TERRENO OCULTO"
    assert said(secret_back(bench("mini", lang="en+es"))) == "HIDDEN GROUND HIDDEN GROUND"
    assert min(text.size_pt for text in texts(secret_back(bench("mini")))) >= 7


def test_an_edge_keeps_everything_off_the_cut() -> None:
    (face,) = made(deck(TEXT_ALONE, back_edge=4.0), bleed=3.0)
    assert face.back is not None
    assert layer(face.back, LayerName.SHEET) == ()
    for item in layer(face.back, LayerName.MARGIN):
        box = reach(item)
        assert box.left >= 395
        assert box.bottom >= 395
        assert box.right <= 6300 - 395
        assert box.top <= 8800 - 395


def test_ink_is_saved_by_drawing_lines_alone() -> None:
    plain, saved = secret_back(bench()), secret_back(bench(manner="ink-saver"))
    panel = next(item for item in layer(plain, LayerName.MARGIN) if isinstance(item, Path))
    line = next(item for item in layer(saved, LayerName.MARGIN) if isinstance(item, Path))
    assert panel.runs == line.runs
    assert panel.fill is not None
    assert line.fill is None
    assert layer(saved, LayerName.SHEET) == ()


def test_every_fifth_contour_is_heavier() -> None:
    widths = [item.stroke.width for _, item in secret_back(bench()).items() if isinstance(item, Path) and item.stroke]
    assert {0.17, 0.34} <= set(widths)

"""Troop symbols and counters: all types, told apart in one ink, at the size of their bases, none twice or missing."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray
from reading import Outline, opened, outlines, rendered

from printkit.core.words import find_words
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, Path
from printkit.drawing.canvas.layers import drawing_of
from printkit.drawing.canvas.plain import make_rectangle
from printkit.export.pdf import data
from printkit.options.printing import PrintOptions
from printkit.page import sheet as sheets
from printkit.page.sheet import Document, Page
from printkit.recipes.output.printers import print_context
from printkit.systems.dba.elements.deployed_overlay import NPG, STAR, SYMBOLS, YOU, draw_symbol
from printkit.systems.dba.elements.element_face import (
    TICK,
    Counter,
    ElementFace,
    draw_camp_tile,
    draw_element,
    draw_strips,
)
from printkit.systems.solo.armies.army_files import read_army, sample_names
from printkit.systems.solo.armies.force import Element, read_troops
from printkit.systems.solo.sheets.counters import (
    CounterSet,
    list_counters,
    make_army_counters,
    make_counter_pages,
    make_force_counters,
)

BLACK, WHITE = Ink(0, 0, 0), Ink(255, 255, 255)
SAVING = styles.find("ink-saver")
STYLES = ("campaign", "ink-saver", "high-contrast")
DOTS = 300 / 25.4
WIDE = 8.0
APART = 0.04
"""The share of its dots in which a symbol must differ from every other."""


def dots_of(drawing: Drawing) -> NDArray[np.bool_]:
    """Return a drawing at 300 dots an inch in black and white."""
    document = Document(title="dots", pages=(sheets.page_of(drawing),))
    grey = next(rendered(data(document), round(DOTS)))
    return np.asarray(grey < 128)


def base_dots(face: ElementFace, depth: float, style: str = "ink-saver") -> NDArray[np.bool_]:
    """Return the dots of a base that is 40 mm wide."""
    return dots_of(drawing_of(40, depth, draw_element(face, 20, depth / 2, 40, depth, styles.find(style))))


@cache
def faces(name: str) -> dict[str, NDArray[np.bool_]]:
    """Return each symbol alone in black and white: as large as on a base that is 15 mm deep."""
    return {code: dots_of(_alone(code, name)) for code in SYMBOLS}


def _alone(code: str, name: str) -> Drawing:
    style = styles.find(name)
    ground = make_rectangle((0, 0, WIDE, WIDE), WHITE)
    items = draw_symbol(code, WIDE / 2, WIDE / 2, WIDE - 0.5, style.solid("ink"), WHITE)
    return drawing_of(WIDE, WIDE, (ground, *items))


def bases(*pages: Page) -> list[list[Outline]]:
    """Return what a person would take for bases on each page: strokes about something larger than a symbol."""
    made = opened(data(Document(title="bases", pages=pages)))
    return [
        [each for each in outlines(page.obj) if each.size[0] + each.width > 30 and each.size[1] + each.width > 14]
        for page in made.pages
    ]


def outer(found: Outline) -> tuple[float, float]:
    """Return how far a base reaches, its rim counted."""
    return found.size[0] + found.width, found.size[1] + found.width


def on_strips(counters: tuple[Counter, ...], style: str = "campaign") -> list[list[Outline]]:
    """Return the bases of each strip."""
    made = draw_strips(counters, 190.0, 250.0, styles.find(style))
    return bases(*(sheets.page_of(drawing) for drawing in made))


def test_every_troop_type_has_a_symbol_that_stays_near_its_square() -> None:
    codes = {troop.code for troop in read_troops().types}
    assert codes | {STAR} == set(SYMBOLS)
    assert len(codes) == 17
    for code in SYMBOLS:
        paths = [item for item in draw_symbol(code, 0, 0, 10.0, BLACK, WHITE) if isinstance(item, Path)]
        assert max(abs(value) for path in paths for run in path.runs for value in run.points) <= 620, code


@pytest.mark.parametrize("style", STYLES)
def test_symbols_are_told_apart_in_one_ink_at_300_dots_an_inch(style: str) -> None:
    alike = [
        (one, other)
        for one, other in combinations(SYMBOLS, 2)
        if np.mean(faces(style)[one] ^ faces(style)[other]) < APART
    ]
    assert alike == []
    assert all(shown.any() for shown in faces(style).values())


@pytest.mark.parametrize("style", STYLES)
def test_sides_are_told_apart_without_colour(style: str) -> None:
    npg, you = (base_dots(ElementFace(side=side, code="4Sp", type="Sp"), 15, style) for side in (NPG, YOU))
    assert np.mean(npg ^ you) > APART


def test_the_generals_star_is_seen_on_every_base() -> None:
    plain, starred = (ElementFace(side=YOU, code="3/4Wb", type="Wb", is_general=general) for general in (False, True))
    for depth in (15, 20, 30, 40, 80):
        assert (base_dots(plain, depth) ^ base_dots(starred, depth)).sum() > 100


@pytest.mark.parametrize(("scale", "width"), [("15mm", 40.0), ("25mm", 60.0)])
def test_counters_have_the_size_of_their_bases(scale: str, width: float) -> None:
    troops = read_troops()
    elements = tuple(Element(code=troop.code, troop=troop) for troop in troops.types if troop.code != "CF")
    counters = list_counters(CounterSet(side=NPG, name="All", elements=elements), scale)
    wanted = sorted((width, troop.depth[scale]) for troop in troops.types)
    assert sorted((each.width, each.depth) for each in counters) == wanted
    sizes = [outer(each) for strip in on_strips(counters, "ink-saver") for each in strip]
    found = sorted(sizes, key=lambda size: (round(size[0], 1), round(size[1], 1)))
    assert np.allclose(found, wanted, atol=0.05)


def test_counters_of_a_strip_touch_and_do_not_overlap() -> None:
    counters = list_counters(make_army_counters(read_army("gallic"), NPG), "15mm")
    for found in on_strips(counters):
        for one, other in combinations(found, 2):
            across = min(one.right, other.right) - max(one.left, other.left)
            up = min(one.top, other.top) - max(one.bottom, other.bottom)
            assert across <= 0.05 or up <= 0.05
        assert min(each.left - each.width / 2 for each in found) == pytest.approx(TICK, abs=0.05)


@pytest.mark.parametrize("name", sample_names())
def test_an_army_without_choices_gets_its_twelve_and_its_followers(name: str) -> None:
    army = read_army(name)
    chosen = make_army_counters(army, YOU)
    many = len(chosen.elements)
    assert many == 12 if not army.find_open_slots() else many >= 12
    for force in list(army.iter_possible_forces())[:20]:
        left = [(each.code, each.general) for each in chosen.elements]
        for each in force.elements:
            left.remove((each.code, each.general))
    if not army.find_open_slots():
        assert make_force_counters(army.resolve_force(), YOU).elements == chosen.elements


def test_those_who_may_dismount_get_a_counter_on_foot() -> None:
    troops = read_troops()
    knight = Element(code="3Kn//4Bd", troop=troops.get_type("Kn"), general=True)
    found = list_counters(CounterSet(side=NPG, name="Knights", elements=(knight,), camp=False), "15mm")
    assert [(each.face.code, each.face.type, each.face.is_general, each.depth) for each in found] == [
        ("3Kn", "Kn", True, 30.0),
        ("4Bd", "Bd", True, 15.0),
    ]


def test_every_counter_is_on_the_sheets_once_and_the_camp_with_them() -> None:
    order = print_context(PrintOptions(style="ink-saver"), find_words("en"))
    chosen = make_army_counters(read_army("polybian-roman"), YOU)
    pages = make_counter_pages(chosen, order, scale="15mm")
    found = [outer(each) for page in bases(*pages) for each in page]
    elements = [size for size in found if size[0] == pytest.approx(40.0, abs=0.05)]
    assert len(elements) == len(chosen.elements) + 1
    assert sum(1 for size in found if size == pytest.approx((60.96, 60.96), abs=0.05)) == 1
    assert draw_camp_tile("Camp", YOU, 60.96, SAVING).width == pytest.approx(60.96 + 2 * TICK)


def test_cut_lines_run_along_every_counter_and_beyond_the_strip() -> None:
    counter = Counter(face=ElementFace(side=YOU, code="4Sp", type="Sp"), width=40.0, depth=15.0)
    (block,) = draw_strips((counter,) * 6, 190.0, 250.0, SAVING)
    assert (block.width, block.height) == (160 + 2 * TICK, 30 + 2 * TICK)
    (layer,) = block.layers
    assert isinstance(layer, Layer)
    assert layer.name is LayerName.MARGIN
    lines = {item.runs[0].points for item in layer.items if isinstance(item, Path) and len(item.runs[0].points) == 4}
    top, foot = 3800, 0
    for column, reach in product(range(5), (0,)):
        x = 400 + 4000 * column
        assert (x, top, x, foot if column <= 2 else 1500 + reach) in lines
    for row, columns in ((0, 4), (1, 4), (2, 2)):
        y = 3400 - 1500 * row
        assert (0, y, 800 + 4000 * columns, y) in lines

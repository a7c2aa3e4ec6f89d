"""The after-battle report and the lay-out aid: on one page to write upon, and with measures that are right."""

from __future__ import annotations

import pytest
from leaflets_scene import assert_inside, by_hand, handout, tells, texts
from msgspec.structs import replace

from printkit.core.words import find
from printkit.drawing.canvas.items import GRID, Path
from printkit.drawing.forms.layout_plan import plan_scale
from printkit.kit.registry import find as system_of
from printkit.page.sheet import Page
from printkit.recipes.evening.battle_report import BOUNDS, battle_report, paleness
from printkit.recipes.evening.layout_aid import layout_aid, things_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.handout import Measures
from printkit.terrain.field.features import Area


def lines_to_write_on(page: Page) -> list[float]:
    """Return the heights of the rules across more than half of the page, from the top."""
    found = set()
    for item in (item for layer in page.placements[0].drawing.layers for item in layer.items):
        if isinstance(item, Path) and item.stroke is not None and len(item.runs[0].points) == 4:
            x0, y0, x1, y1 = item.runs[0].points
            if y0 == y1 and abs(x1 - x0) * GRID > 100:
                found.add(y0 * GRID)
    return sorted(found, reverse=True)


def test_the_report_is_one_page_with_a_box_for_everything() -> None:
    made = handout(by_hand(), language="en+es", sheet="letter", in_style="ink-saver")
    (page,) = battle_report(made)
    for words in made.words.each():
        for key in ("date", "player", "army", "general", "elements.losses", "draw", "turning", "remember"):
            assert tells([page], words(f"report.{key}"))
    found = {text.content for text in texts(page)}
    assert {str(bound) for bound in range(1, BOUNDS + 1)} <= found
    assert len(lines_to_write_on(page)) >= 10
    assert_inside([page])


def test_the_map_of_a_report_is_pale() -> None:
    made = handout(by_hand())
    (report,) = battle_report(made)
    lightest = sum(made.style.solid("ink")[:3]) + 30
    items = [item for layer in report.placements[0].drawing.layers if layer.clip is not None for item in layer.items]
    fills = [item.fill for item in items if isinstance(item, Path) and item.fill is not None]
    assert [fill for fill in fills if sum(fill[:3]) < lightest] == []
    assert 0.3 < paleness(made.style) < 0.7


@pytest.mark.parametrize(("inches", "scale"), [((24, 24), 4), ((36, 36), 6), ((72, 48), 12), ((18, 18), 4)])
def test_the_plan_is_a_quarter_or_else_of_a_round_scale(inches: tuple[float, float], scale: int) -> None:
    width, depth = inches
    assert plan_scale(width * 25.4, depth * 25.4, 190, 195) == pytest.approx(1 / scale)


def test_the_aid_gives_the_bounds_of_each_thing_and_the_ends_of_each_course() -> None:
    made = handout(by_hand(), sheet="letter", language="es")
    pages = layout_aid(made)
    decimal = made.words("leaflets.decimal")
    left, right = (f"{mm / 25.4:.1f}".replace(".", decimal) for mm in (254, 356))
    assert tells(pages, f"{left}–{right} in")
    assert tells(pages, f"25{decimal}4–35{decimal}6 cm")
    # The brook runs from the left edge at 8 inches; the lane begins on the near edge at 12.
    for number, edge, at in (("3a", "left", f"0{decimal}0 in 8{decimal}0 in"), ("4a", "near", f"12{decimal}0 in")):
        assert tells(pages, number)
        assert tells(pages, made.words(f"edge.{edge}").split()[-1])
        assert tells(pages, at)
    assert tells(pages, "10 cm")
    assert_inside(pages)
    system, record = by_hand()
    bare = replace(record, battlefield=replace(record.battlefield, features=()))
    assert len(layout_aid(handout((system, bare)))) == 1


@pytest.mark.parametrize(
    ("degrees", "said"),
    [
        (None, "as you like"),
        (3.0, "along the near edge"),
        (176.0, "along the near edge"),
        (88.0, "along the left edge"),
        (30.0, "right end up, 30°"),
        (150.0, "left end up, 30°"),
    ],
)
def test_how_a_thing_lies_is_said_from_the_near_edge(degrees: float | None, said: str) -> None:
    assert Measures(find("en")).turned(degrees) == said


def test_the_plots_of_one_field_are_one_thing_that_is_as_large_as_all() -> None:
    """Each thing is listed once, however many plots a field of the gridded generator is drawn in."""
    field = play(system_of("portable-2"), Orders(rules="portable-2"), 5, find("en")).record.battlefield
    areas = [feature for feature in field.features if isinstance(feature, Area)]
    listed = [feature for _, feature in things_of(field) if isinstance(feature, Area)]
    cells = [(each.kind, each.cells) for each in listed]
    assert len(cells) == len(set(cells)) < len(areas)
    assert set(cells) == {(each.kind, each.cells) for each in areas}
    whole = {(each.kind, each.cells): each.outline for each in listed}
    assert all(whole[each.kind, each.cells].buffer(0.1).contains(each.outline) for each in areas)

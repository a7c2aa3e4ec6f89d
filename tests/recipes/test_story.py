"""The story of a field: every line of the log with its rule, every feature on a map; the report and the lay-out aid."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from leaflets_scene import assert_inside, by_hand, handout, squeezed, tells, texts
from msgspec.structs import replace

from printkit.chance.dice import Dice, Seeded, Throw
from printkit.chance.streams import Jitter
from printkit.core.errors import Sentence
from printkit.core.words import find_words, log_templates
from printkit.drawing.canvas.items import GRID, Drawing, Path
from printkit.drawing.map.layout_plan import plan_scale
from printkit.kit import registry
from printkit.kit.registry import find as system_of
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Page
from printkit.recipes.evening import reference
from printkit.recipes.evening.reference import story_pages
from printkit.recipes.evening.table_sheets import BOUND_COLUMNS, battle_report, layout_aid, numbered_features, paleness
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.game.roll_text import ThrowText, feature_labels, feature_stages, stage_of
from printkit.recipes.game.scenarios import build_scenario
from printkit.recipes.output.handout import LengthFormatter
from printkit.terrain.field.features import Area, Crossing, Feature, Kind
from printkit.terrain.field.record import Record

Game = tuple[RuleSystem, Record]


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Draw no maps, but keep which features each would have shown."""
    found: list[list[str]] = []

    def blank(features: list[Feature], _: object, side: float) -> Drawing:
        found.append([feature.id for feature in features])
        return Drawing(side, side, ())

    monkeypatch.setattr(reference, "_map", blank)
    return found


def test_every_throw_is_told_with_its_clause_and_maps_grow(game: Game, maps: list[list[str]]) -> None:
    system, record = game
    pages = story_pages(handout(game))
    numbers = {text.content for page in pages for text in texts(page)}
    for place, throw in enumerate(record.log, 1):
        assert str(place) in numbers
        for clause in throw.clause.split(","):
            assert tells(pages, clause)
    assert tells(pages, system.book.clauses["BR-329"].split(":")[0])
    assert tells(pages, f"Seed {record.seed} makes the same battlefield again")
    assert_inside(pages)
    # The maps grow until everything lies.
    assert len(maps) > 2
    assert all(set(earlier) < set(later) for earlier, later in pairwise(maps))
    assert sorted(maps[-1]) == sorted(feature.id for feature in record.battlefield.features)
    # It has one bookmark.
    assert [page.bookmark for page in pages if page.bookmark] == [find_words("en")("story.title")]
    assert len({page.label for page in pages}) == len(pages)


def test_a_feature_comes_in_the_stage_of_its_throws(game: Game) -> None:
    system, record = game
    stages = {feature.id: stage_of(feature, record.log, system.stages) for feature in record.battlefield.features}
    for identity, stage in stages.items():
        wanted = {"R": "rivers", "D": "roads", "X": "crossings"}.get(identity[0], "features")
        assert stage == wanted or (stage == "hills" and identity.startswith("z"))
    # Without throws it comes in the stage that makes its like.
    system, record = by_hand()
    found = {feature.id: stage_of(feature, (), system.stages) for feature in record.battlefield.features}
    assert found == {"bua-1": "features", "knoll": "hills", "brook": "rivers", "lane": "roads"}
    assert stage_of(record.battlefield.features[0], (), ("climate", "placing")) == "placing"


@pytest.mark.parametrize(
    ("seed", "options", "cell"),
    [(1, {}, None), (9, {"grid": "sq-8x8", "lakes": "die"}, "50mm")],
    ids=["hexes", "squares"],
)
def test_what_a_railway_crosses_comes_with_the_railway(
    seed: int, options: dict[str, str], cell: str | None, maps: list[list[str]]
) -> None:
    system = registry.find("portable-2")
    orders = Orders(rules=system.name, options={"railway": "1", **options}, cell=cell)
    record = play(system, orders, seed, find_words("en")).record
    stages = feature_stages(record.battlefield, record.log, system.stages)
    passed = [each for each in record.battlefield.features if isinstance(each, Crossing) and each.route == "railway-1"]
    assert passed
    assert {stages[each.id] for each in passed} == {"railways"}
    pages = story_pages(handout((system, record)))
    assert tells(pages, find_words("en")(f"kind.{passed[0].kind.value}"))
    assert maps
    assert_inside(pages)


def test_a_field_drawn_by_hand_has_a_story_where_a_crossing_waits_for_way_and_water() -> None:
    system, record = by_hand()
    lane = next(each for each in record.battlefield.features if each.id == "lane")
    brook = next(each for each in record.battlefield.features if each.id == "brook")
    ford = Crossing(
        id="ford", kind=Kind.FORD, at=lane.line.centroid, bearing=0, route="lane", water="brook", going=lane.going
    )
    field = replace(record.battlefield, features=(ford, brook, lane))
    assert feature_stages(field, (), ("roads", "rivers")) == {"ford": "rivers", "brook": "rivers", "lane": "roads"}
    assert feature_stages(field, (), ("rivers", "crossings", "roads"))["ford"] == "roads"
    assert feature_stages(field, (), system.stages)["ford"] == "crossings"
    pages = story_pages(handout(by_hand(), sheet="letter", language="en+es", in_style="ink-saver"))
    assert len(pages) == 1
    assert_inside(pages)
    for words in find_words("en+es").each():
        assert tells(pages, words("story.stage.hills"))
    assert "None" not in squeezed(pages)


@pytest.mark.parametrize(
    ("reason", "asked", "answer", "said"),
    [
        ("card of A, turn 3", "choice of 3", "QS", ("Card of A, turn 3", "choice of 3", "queen of spades")),
        ("card of A, turn 7", "choice of 1", "10H", ("Card of A, turn 7", "the only one left", "10 of hearts")),
        ("size of z1, placed by B", "choice of 9", "6.5x5", ("Mire: size, by B", "choice of 9", "6.5 × 5 in")),
        ("road D1: start", "choice of 9", "W:8.5", ("Road 2: start", "choice of 9", "left edge, 8.5 in")),
        ("river R2: which one", "choice of 2", "z1", ("R2: into which", "choice of 2", "Mire")),
        ("number of wells", "d6", "4", ("Number of wells", "D6", "4")),
    ],
)
def test_lines_of_the_log_are_told_in_plain_words(reason: str, asked: str, answer: str, said: tuple[str, ...]) -> None:
    throw = Throw(stage="s", reason=reason, asked=asked, answer=answer)
    telling = ThrowText(find_words("en"), {"z1": "Mire", "D1": "Road 2"})
    assert (telling.reason(throw), telling.question(throw), telling.answer(throw)) == said


def test_every_reason_of_the_game_is_known_in_spanish(game: Game) -> None:
    _, record = game
    english, spanish = (
        ThrowText(words, feature_labels(record.battlefield, words)) for words in find_words("en+es").each()
    )
    for throw in record.log:
        assert english.reason(throw) != spanish.reason(throw), throw.reason
        assert not re.search(r"\b(choice|cards)\b", spanish.question(throw))


SAME = ("general: ", "PIPs", "d6", "Sd ")
"""What begins as in English in Spanish too."""


@pytest.mark.parametrize("rules", registry.NAMES)
def test_a_log_is_told_as_its_throws_were(rules: str) -> None:
    system = registry.find(rules)
    log = system.lay_out(build_scenario(system, Orders(rules=rules), 7), Dice(Seeded(7)), Jitter(7)).log
    assert log
    for code in ("en", "es"):
        text = ThrowText(find_words(code), {"z6": "Mire", "hill-1": "Dun Knoll"}, rules)
        for throw in log:
            assert isinstance(throw.reason, Sentence)
            assert throw.reason.template in log_templates()
            assert text.tell(str(throw.reason)) == text.tell(throw.reason)
    spanish = ThrowText(find_words("es"))
    same = {str(throw.reason) for throw in log if spanish.tell(throw.reason) == throw.reason}
    assert not {reason for reason in same if not reason.startswith(SAME)}


def test_another_packages_reason_stays_english() -> None:
    text = ThrowText(find_words("es"))
    assert text.tell("toss of the coin") == "toss of the coin"
    assert text.tell(Sentence("toss of {coin}", coin="the coin")) == "toss of the coin"
    assert text.tell(Sentence("toss of {feature}", feature="hill 2")) == "toss of colina 2"


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
    assert {str(bound) for bound in range(1, BOUND_COLUMNS + 1)} <= found
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
    assert tells(pages, f"{left}–{right} pulg.")
    assert tells(pages, f"25{decimal}4–35{decimal}6 cm")
    # The brook runs from the left edge at 8 inches; the lane begins on the near edge at 12.
    for number, edge, at in (
        ("3a", "left", f"0{decimal}0 pulg. 8{decimal}0 pulg."),
        ("4a", "near", f"12{decimal}0 pulg."),
    ):
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
        (None, "any"),
        (3.0, "along the near edge"),
        (176.0, "along the near edge"),
        (88.0, "along the left edge"),
        (30.0, "right end up, 30°"),
        (150.0, "left end up, 30°"),
    ],
)
def test_how_a_thing_lies_is_said_from_the_near_edge(degrees: float | None, said: str) -> None:
    assert LengthFormatter(find_words("en")).describe_rotation(degrees) == said


def test_the_plots_of_one_field_are_one_thing_that_is_as_large_as_all() -> None:
    """Each thing is listed once, however many plots a field of the gridded generator is drawn in."""
    field = play(system_of("portable-2"), Orders(rules="portable-2"), 5, find_words("en")).record.battlefield
    areas = [feature for feature in field.features if isinstance(feature, Area)]
    listed = [feature for _, feature in numbered_features(field) if isinstance(feature, Area)]
    cells = [(each.kind, each.cells) for each in listed]
    assert len(cells) == len(set(cells)) < len(areas)
    assert set(cells) == {(each.kind, each.cells) for each in areas}
    whole = {(each.kind, each.cells): each.outline for each in listed}
    assert all(whole[each.kind, each.cells].buffer(0.1).contains(each.outline) for each in areas)

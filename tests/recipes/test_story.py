"""The story of a field: every line of the log with its rule, every feature on a map after its stage."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from leaflets_scene import assert_inside, by_hand, handout, squeezed, tells, texts
from msgspec.structs import replace

from printkit.chance.dice import Throw
from printkit.core.words import find
from printkit.drawing.canvas.items import Drawing
from printkit.kit import registry
from printkit.kit.system import RuleSystem
from printkit.recipes.evening import game_log_pages
from printkit.recipes.evening.game_log_pages import story
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.game.throw_text import ThrowText, called, stage_of, stages_in
from printkit.terrain.field.features import Crossing, Feature, Kind
from printkit.terrain.field.record import Record

Game = tuple[RuleSystem, Record]


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Draw no maps, but keep which features each would have shown."""
    found: list[list[str]] = []

    def blank(features: list[Feature], _: object, side: float) -> Drawing:
        found.append([feature.id for feature in features])
        return Drawing(side, side, ())

    monkeypatch.setattr(game_log_pages, "_map", blank)
    return found


def test_every_throw_is_told_with_its_clause_and_maps_grow(game: Game, maps: list[list[str]]) -> None:
    system, record = game
    pages = story(handout(game))
    numbers = {text.content for page in pages for text in texts(page)}
    for place, throw in enumerate(record.log, 1):
        assert str(place) in numbers
        for clause in throw.clause.split(","):
            assert tells(pages, clause)
    assert tells(pages, system.book.clauses["BR-329"].split(":")[0])
    assert tells(pages, f"Seed {record.seed} makes the same field again")
    assert_inside(pages)
    # The maps grow until everything lies.
    assert len(maps) > 2
    assert all(set(earlier) < set(later) for earlier, later in pairwise(maps))
    assert sorted(maps[-1]) == sorted(feature.id for feature in record.battlefield.features)
    # It has one bookmark.
    assert [page.bookmark for page in pages if page.bookmark] == [find("en")("story.title")]
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
    record = play(system, orders, seed, find("en")).record
    stages = stages_in(record.battlefield, record.log, system.stages)
    passed = [each for each in record.battlefield.features if isinstance(each, Crossing) and each.way == "railway-1"]
    assert passed
    assert {stages[each.id] for each in passed} == {"railways"}
    pages = story(handout((system, record)))
    assert tells(pages, find("en")(f"kind.{passed[0].kind.value}"))
    assert maps
    assert_inside(pages)


def test_a_field_drawn_by_hand_has_a_story_where_a_crossing_waits_for_way_and_water() -> None:
    system, record = by_hand()
    lane = next(each for each in record.battlefield.features if each.id == "lane")
    brook = next(each for each in record.battlefield.features if each.id == "brook")
    ford = Crossing(
        id="ford", kind=Kind.FORD, at=lane.line.centroid, bearing=0, way="lane", water="brook", going=lane.going
    )
    field = replace(record.battlefield, features=(ford, brook, lane))
    assert stages_in(field, (), ("roads", "rivers")) == {"ford": "rivers", "brook": "rivers", "lane": "roads"}
    assert stages_in(field, (), ("rivers", "crossings", "roads"))["ford"] == "roads"
    assert stages_in(field, (), system.stages)["ford"] == "crossings"
    pages = story(handout(by_hand(), sheet="letter", language="en+es", in_style="ink-saver"))
    assert len(pages) == 1
    assert_inside(pages)
    for words in find("en+es").each():
        assert tells(pages, words("story.stage.hills"))
    assert "None" not in squeezed(pages)


def test_readings_that_were_chosen_are_named(game: Game, maps: list[list[str]]) -> None:
    system, record = game
    assert not tells(story(handout(game)), find("en")("story.settings"))
    setting = next(setting for setting in system.book.settings if len(setting.values) > 1)
    other = replace(record, settings={**record.settings, setting.key: setting.values[1]})
    pages = story(handout((system, other)))
    assert tells(pages, find("en")("story.settings"))
    assert tells(pages, setting.clause)
    assert maps


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
    telling = ThrowText(find("en"), {"z1": "Mire", "D1": "Road 2"})
    assert (telling.reason(throw), telling.asked(throw), telling.answer(throw)) == said


def test_every_reason_of_the_game_is_known_in_spanish(game: Game) -> None:
    _, record = game
    english, spanish = (ThrowText(words, called(record.battlefield, words)) for words in find("en+es").each())
    for throw in record.log:
        assert english.reason(throw) != spanish.reason(throw), throw.reason
        assert not re.search(r"\b(choice|cards)\b", spanish.asked(throw))

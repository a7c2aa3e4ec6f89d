"""Promises of every board of version 2, on every grid, in every country, with everything on it that there can be."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from imports import ROOT
from laying import GRIDS, PRESETS, board
from msgspec.structs import replace

from printkit.chance.dice import Dice, Seeded
from printkit.chance.replaying import Replayed
from printkit.core import words as languages
from printkit.kit import registry
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.portable.grid.sketch import HABITATION, AreaFeature, Sketch
from printkit.systems.portable.version2.steps import STAGES
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

spec = importlib.util.spec_from_file_location("soak_portable", ROOT / "tools" / "soak_portable.py")
assert spec is not None
assert spec.loader is not None
soak = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(soak)


BOARDS = 3 * 8 * 3
"""Each grid with each country, three times."""


@pytest.fixture(scope="module")
def busy() -> Sketch:
    """Return a board with two rivers, two roads, a railway, lakes and a village, whose promises all hold."""
    for seed in range(1, 400):
        found = board(
            seed, "sq-8x8", river="2", road="2", railway="1", lakes="3", marshes="2", preset="undulating-urban"
        )
        kinds = {piece.kind for piece in (*found.placings, *found.passages)}
        if {Kind.VILLAGE, Kind.LAKE, Kind.LEVEL_CROSSING, Kind.CROPS} <= kinds:
            return found
    raise AssertionError


@pytest.mark.clause(
    "PW2-01", "PW2-12", "PW2-33", "PW2-35", "PW2-36", "PW2-38", "PW2-39", "PW2-41", "PW2-42", "PW2-44", "PW2-50",
    "PW2-56", "PW2-57", "PW2-60", "PW2-61", "PW2-62", "PW2-72", "PWA-12", "PWA-16", "PW0-01",
)  # fmt: skip
@pytest.mark.parametrize("first", range(0, BOARDS, 12))
def test_every_promise_is_kept(first):
    boards = [soak.laid_out(seed) for seed in range(first, first + 12)]
    assert [(each.seed, each.faults) for each in boards if each.faults] == []
    assert all(each.kinds for each in boards)


def test_the_boards_are_of_every_grid_and_country():
    orders = [soak.order(seed) for seed in range(BOARDS)]
    assert {(grid, settings["preset"]) for grid, settings in orders} == {
        (grid, preset) for grid in GRIDS for preset in (*PRESETS, "undulating-rural")
    }
    assert {settings["railway"] for _, settings in orders} == {"0", "1", "2"}


class TestBrokenPromisesAreFound:
    @pytest.mark.clause("PW2-57")
    def test_places(self, busy):
        village = next(busy.of(Kind.VILLAGE))
        other = tuple(piece for piece in busy.placings if piece is not village)
        for wrong in (replace(village, kind=Kind.TOWN), replace(village, cells=(Cell(1, 1), Cell(8, 8)))):
            assert list(soak.faults(replace(busy, placings=(*other, wrong)))) != []

    @pytest.mark.clause("PW2-33", "PW2-35", "PW2-41")
    def test_courses(self, busy):
        road = next(way for way in busy.ways if way.kind is Kind.ROAD)
        hill, lake = next(busy.of(Kind.HILL)), next(busy.of(Kind.LAKE))
        for wrong in (
            replace(road, cells=(*road.cells[:1], *road.cells[2:])),
            replace(road, leaves=(road.leaves + 2) % 4),
            replace(road, cells=(*road.cells, *hill.cells)),
            replace(road, cells=(*road.cells, *lake.cells)),
            replace(road, told={**road.told, "forced": [[1, 1]]}),
        ):
            ways = tuple(wrong if way is road else way for way in busy.ways)
            assert any(road.id in fault for fault in soak.faults(replace(busy, ways=ways)))

    @pytest.mark.clause("PW2-42", "PW2-61", "PW2-62")
    def test_crossings(self, busy):
        assert list(soak.faults(busy)) == []
        assert any("lacks a crossing" in fault for fault in soak.faults(replace(busy, passages=())))
        moved = tuple(replace(passage, cells=(Cell(1, 8),)) for passage in busy.passages)
        assert any("does not lie where" in fault for fault in soak.faults(replace(busy, passages=moved)))

    @pytest.mark.clause("PW2-12", "PW2-38", "PW2-72")
    def test_ground(self, busy):
        village, lake, field, hill = (next(busy.of(kind)) for kind in (Kind.VILLAGE, Kind.LAKE, Kind.CROPS, Kind.HILL))
        for wrong in (
            AreaFeature(id="lake-9", kind=Kind.LAKE, cells=village.cells[:1]),
            AreaFeature(id="marsh-9", kind=Kind.MARSH, cells=(Cell(9, 9),)),
            AreaFeature(id=lake.id, kind=Kind.MARSH, cells=(Cell(1, 1),)),
        ):
            assert list(soak.faults(busy.put(wrong))) != []
        placings = tuple(replace(piece, cells=hill.cells) if piece is field else piece for piece in busy.placings)
        assert any(field.id in fault for fault in soak.faults(replace(busy, placings=placings)))

    def test_loaded_dice(self):
        assert not soak.unlikely(dict.fromkeys(range(1, 7), 100))
        assert soak.unlikely({**dict.fromkeys(range(1, 7), 100), 6: 200})


WATERY = {"railway": "2", "lakes": "die", "marshes": "die", "river": "2"}


@pytest.mark.clause("PW0-14")
@pytest.mark.parametrize("grid", GRIDS)
def test_a_log_lays_out_the_same_board_again(grid):
    dice = Dice(Seeded(7))
    first = board(grid=grid, dice=dice, settings=WATERY)
    source = Replayed(dice.log, Seeded(1))
    assert board(grid=grid, dice=Dice(source), settings=WATERY) == first
    assert source.unused() == ()


@pytest.mark.clause("PW0-14")
def test_every_throw_names_its_stage_its_reason_and_a_clause_of_the_book():
    dice, clauses = Dice(Seeded(3)), set(soak.book().clauses)
    found = board(dice=dice, settings=WATERY, preset="undulating-urban")
    assert {throw.stage for throw in dice.log} <= set(STAGES)
    assert all(throw.reason and throw.clause in clauses for throw in dice.log)
    for piece in (*found.placings, *found.ways, *found.passages):
        assert piece.clauses
        assert set(piece.clauses) <= clauses
        assert all(1 <= throw <= len(dice.log) for throw in piece.throws)
        assert list(piece.throws) == sorted(piece.throws)


@pytest.mark.clause("PW2-01", "PW0-10")
def test_a_stage_thrown_anew_leaves_the_dice_of_the_others_as_they_were():
    def thrown(reseeded: dict[str, int]) -> dict[str, list[str]]:
        dice = Dice(Seeded(5, reseeded))
        board(dice=dice, preset="hilly-rural")
        return {stage: [throw.answer for throw in dice.log if throw.stage == stage] for stage in STAGES}

    before, after = thrown({}), thrown({"trees": 99})
    assert before["trees"] != after["trees"]
    assert all(before[stage] == after[stage] for stage in ("hills", "rivers", "roads"))
    assert before["habitation"][0] == after["habitation"][0]
    assert min(len(before["habitation"]), len(after["habitation"])) > 1


@pytest.mark.clause("PW2-58")
def test_every_size_of_place_comes():
    boards = (board(seed, preset="undulating-urban") for seed in range(60))
    assert {piece.kind for found in boards for piece in found.of(*HABITATION)} == set(HABITATION)


@pytest.mark.clause("PW2-58", "PW0-14")
@pytest.mark.parametrize("language", ["en", "es", "en+es"])
def test_every_feature_says_how_it_came_about(language):
    system, words = registry.find("portable-2"), languages.find(language)
    told = []
    for seed in (3, 12):
        settings = {"grid": "sq-8x8", "railway": "1", "river-areas": "2", "lakes": "die", "preset": "undulating-urban"}
        record = play(system, Orders(rules="portable-2", settings=settings), seed, words).record
        account = system.account(record, words)
        strips = {feature.id for feature in record.battlefield.features if feature.id.count("-") > 1}
        mute = {feature.id for feature in record.battlefield.features} - set(account)
        assert mute <= strips, "the strips of a field tell of it once"
        told += account.values()
    wanted = {"en": ("going downstream", "It belongs to the"), "es": ("río abajo", "Es de")}
    for code in language.split("+"):
        assert all(any(text in sentence for sentence in told) for text in wanted[code])

"""Trees, habitation and fields of version 2."""

from __future__ import annotations

import pytest
from laying import areas, board, cells, dice_of, left, reasons, step, with_

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.systems.portable.grid.places import Settlement, about, allotted, bodies, owners, ranking
from printkit.systems.portable.grid.sketch import HABITATION, TREES, Sketch
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of

FIELDS = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)
SQUARES = grid_of("sq-8x8", cell=100)


def place(kind: Kind, text: str) -> Settlement:
    return Settlement(id=f"{kind}-{text[:3]}", kind=kind, cells=cells(text))


class TestTrees:
    @pytest.mark.clause("PW2-50")
    @pytest.mark.parametrize(
        ("relief", "area", "forested", "score", "groups"),
        [
            ("flat", "desert", "no", 3, 1),
            ("flat", "desert", "no", 1, 0),
            ("flat", "wild", "no", 4, 4),
            ("undulating", "wild", "no", 4, 4),
            ("hilly", "wild", "no", 6, 8),
            ("mountainous", "wild", "no", 2, 5),
            ("hilly", "wild", "yes", 4, 8),
        ],
    )
    def test_the_numbers_of_the_published_text(self, relief, area, forested, score, groups):
        dice = dice_of(score, *([1, 1, 1, 1] * groups))
        country = {"relief": relief, "area": area, "forested": forested}
        found = step("trees", dice, settings={**country, "pw2.chains": "on"})
        assert sum(len(wood) for wood in areas(found, *TREES)) == groups
        assert dice.log[0].clause == "PW2-50"

    @pytest.mark.clause("PW2-50", "PWA-13", "PWA-14")
    def test_trees_stand_on_hills_of_any_height_and_not_on_mountains(self):
        def stand(on: Sketch) -> list[tuple[Cell, ...]]:
            return areas(step("trees", dice_of(1, 1, 1, 1), on=on, settings={"trees": "1"}), *TREES)

        on = {Kind.MOUNTAIN: "1;3", Kind.RIVER: "1;4 2;4", Kind.LAKE: "1;5", Kind.ROAD: "1;6", Kind.HILL: "1;7"}
        assert stand(with_("sq-8x8", *on.items())) == [cells("1;7")]
        high = step("hills", dice_of(), inputs={"features": ["hill (1;3) contours 2"]})
        assert stand(high) == [cells("1;3")]

    @pytest.mark.clause("PW2-51")
    @pytest.mark.parametrize(
        ("climate", "kind"),
        [
            ("temperate", Kind.WOODLAND), ("monsoon", Kind.WOODLAND), ("cold", Kind.CONIFER_FOREST),
            ("mountain", Kind.CONIFER_FOREST), ("hot", Kind.PALM_FOREST), ("tropical", Kind.PALM_FOREST),
        ],
    )  # fmt: skip
    def test_the_climate_says_what_grows(self, climate, kind):
        found = step("trees", dice_of(1, 1, 1, 1), settings={"trees": "1", "climate": climate})
        assert [piece.kind for piece in found.placings] == [kind]

    @pytest.mark.clause("PW2-50", "PW2-20", "PW0-13")
    def test_groups_side_by_side_are_one_wood_and_given_ones_take_no_dice(self):
        found = step("trees", dice_of(4, 1, 1, 2, 6, 2, 1, 1, 1, 1), settings={"trees": "3"})
        assert areas(found, *TREES) == [cells("4;4 4;5"), cells("4;8")]
        given = step("trees", dice_of(), inputs={"features": ["trees (4;4) (4;5) (1;1)"]})
        assert areas(given, *TREES) == [cells("4;4 4;5"), cells("1;1")]


class TestHabitation:
    @pytest.mark.clause("PW2-55")
    @pytest.mark.parametrize(
        ("area", "score", "number"),
        [("desert", 3, 0), ("wild", 1, 0), ("desert", 6, 3), ("rural", 4, 4), ("urban", 6, 8)],
    )
    def test_the_numbers_of_the_published_text(self, area, score, number):
        dice = dice_of(score, *([1, 1, 1, 1] * number))
        found = step("habitation", dice, settings={"area": area})
        assert sum(len(cells) for cells in areas(found, *HABITATION)) == number
        assert dice.log[0].clause == "PW2-55"

    @pytest.mark.clause("PW2-57", "PW2-58")
    @pytest.mark.parametrize(
        ("count", "kind"),
        [
            (1, Kind.SETTLEMENT), (2, Kind.VILLAGE), (3, Kind.TOWN), (4, Kind.TOWN), (5, Kind.CITY), (6, Kind.CITY),
        ],
    )  # fmt: skip
    def test_areas_side_by_side_make_one_place(self, count, kind):
        dice = dice_of(4, 1, 1, 1, *([4, 2] * (count - 1)))
        found = step("habitation", dice, settings={"habitation": str(count)})
        assert [(piece.kind, len(piece.cells)) for piece in found.placings] == [(kind, count)]
        assert left(dice) == 0

    @pytest.mark.clause("PW2-57", "PW0-18")
    def test_corners_do_not_join(self):
        assert bodies(SQUARES, cells("1;1 2;2 2;1")) == (cells("1;1 2;2 2;1"),)
        assert bodies(SQUARES, cells("2;2 1;1")) == (cells("2;2"), cells("1;1"))
        assert about(SQUARES, cells("1;1")) == set(cells("1;1 1;2 2;1"))

    @pytest.mark.clause("PW2-56")
    def test_whatever_an_area_holds_is_passed_over_but_a_bare_hill(self):
        on = with_(
            "sq-8x8", (Kind.RIVER, "1;3"), (Kind.WOODLAND, "1;4"), (Kind.HILL, "1;5"), (Kind.WOODLAND, "1;5"),
            (Kind.MOUNTAIN, "1;6"), (Kind.HILL, "1;7"),
        )  # fmt: skip
        found = step("habitation", dice_of(1, 1, 1, 1), on=on, settings={"habitation": "1"})
        assert areas(found, *HABITATION) == [cells("1;7")]

    @pytest.mark.clause("PWA-09", "PW2-57")
    @pytest.mark.parametrize(
        ("hills", "scores", "places"),
        [
            pytest.param("1;4 2;5", (1, 1, 1, 1, 5, 2), "1;3 2;3", id="clockwise past the hill"),
            pytest.param("1;4 2;5", (1, 1, 1, 3, 1, 2, 2, 4), "1;5, 2;6", id="past a hill beside a place"),
            pytest.param("1;3", (1, 1, 1, 1, 6, 1, 1, 1), "1;3, 1;6", id="no neighbour is free, so it counts on"),
            pytest.param("1;3", (1, 1, 1, 1, 1, 3, 3, 2), "1;3, 2;4", id="past the area under the hill"),
        ],
    )
    def test_on_a_hill_stands_a_settlement_alone(self, hills, scores, places):
        on = with_("sq-8x8", (Kind.HILL, hills))
        found = step("habitation", dice_of(*scores), on=on, settings={"habitation": "2"})
        assert areas(found, *HABITATION) == [cells(place) for place in places.split(", ")]

    @pytest.mark.clause("PW0-13", "PW2-57")
    def test_a_given_place_keeps_its_rank_and_grows(self):
        lines = {"features": ["town (4;4) (4;5)", "settlement (1;1)"]}
        found = step("habitation", dice_of(), inputs=lines)
        given = [(Kind.TOWN, cells("4;4 4;5")), (Kind.SETTLEMENT, cells("1;1"))]
        assert [(piece.kind, piece.cells) for piece in found.placings] == given


class TestAllocation:
    PLACES = (place(Kind.SETTLEMENT, "1;1"), place(Kind.VILLAGE, "3;3 3;4"), place(Kind.SETTLEMENT, "6;6"))

    @pytest.mark.clause("PW2-71")
    def test_towns_and_cities_get_fields_only_where_there_is_nothing_smaller(self):
        town = place(Kind.TOWN, "8;1 8;2 8;3")
        assert [owners(places) for places in ((town, *self.PLACES), (town,), ())] == [self.PLACES, (town,), ()]

    @pytest.mark.clause("PW2-71")
    def test_every_place_gets_one_without_dice_and_the_others_are_handed_out_in_rounds(self):
        dice = dice_of()
        assert allotted(self.PLACES, 3, dice) == self.PLACES
        assert dice.log == []
        dice = dice_of(1, 2, 3, 6, 5, 4)
        first, second, third = self.PLACES
        assert allotted(self.PLACES, 8, dice) == (*self.PLACES, third, second, first, first, second)
        assert left(dice) == 0
        assert allotted((), 4, dice_of()) == ()
        assert allotted(self.PLACES[:1], 3, dice_of(1, 1)) == self.PLACES[:1] * 3
        assert set(ranking(self.PLACES, Dice(Seeded(3)), "round")) == set(self.PLACES)

    @pytest.mark.clause("PW2-71")
    def test_too_few_fields_go_to_the_highest_dice_and_ties_are_thrown_again(self):
        dice = dice_of(4, 4, 1, 2, 5)
        assert allotted(self.PLACES, 2, dice) == (self.PLACES[1], self.PLACES[0])
        assert reasons(dice) == [
            "round 1 of fields, settlement at (1;1): 4",
            "round 1 of fields, village at (3;3): 4",
            "round 1 of fields, settlement at (6;6): 1",
            "round 1 of fields again, settlement at (1;1): 2",
            "round 1 of fields again, village at (3;3): 5",
        ]
        assert {throw.clause for throw in dice.log} == {"PW2-71"}


class TestFields:
    LONE = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"))

    @pytest.mark.clause("PW2-70")
    @pytest.mark.parametrize(("area", "score", "number"), [("rural", 4, 6), ("urban", 3, 1), ("urban", 1, 0)])
    def test_the_numbers_of_the_published_text(self, area, score, number):
        dice = Dice(ScriptedSource([str(score)], Seeded(1), Seeded(1)))
        found = step("fields", dice, on=self.LONE, settings={"area": area})
        assert len(list(found.of(*FIELDS))) == number
        assert dice.log[0].clause == "PW2-70"

    @pytest.mark.clause("PW2-70")
    @pytest.mark.parametrize("area", ["desert", "wild"])
    def test_there_are_none_elsewhere_but_as_many_as_are_known(self, area):
        assert list(step("fields", dice_of(), on=self.LONE, settings={"area": area}).of(*FIELDS)) == []
        known = step("fields", dice_of(1, 1), on=self.LONE, settings={"area": area, "fields": "1"})
        assert areas(known, *FIELDS) == [cells("3;4")]

    @pytest.mark.clause("PW2-74", "PW2-72", "PW2-73")
    def test_the_dice_are_thrown_in_their_order(self):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"), (Kind.VILLAGE, "7;7 7;8"))
        dice = dice_of(1, 5, 2, 1, 3, 2, 4, 1, 6)
        found = step("fields", dice, on=on)
        assert left(dice) == 0
        assert [throw.reason for throw in dice.log] == [
            "number of fields",
            "round 1 of fields, settlement at (4;4)",
            "round 1 of fields, village at (7;7)",
            *(f"direction of field {number}" for number in (1, 2, 3)),
            *(f"use of field {number}" for number in (1, 2, 3)),
        ]
        assert areas(found, *FIELDS) == [cells("3;4"), cells("8;7"), cells("4;5")]
        assert [piece.kind for piece in found.of(*FIELDS)] == [Kind.ORCHARD, Kind.CROPS, Kind.ORCHARD]

    @pytest.mark.clause("PW2-71", "PW2-72", "PW0-10", "PW0-12", "PWA-16")
    @pytest.mark.parametrize(
        ("about", "scores", "fields"),
        [
            ({Kind.SETTLEMENT: "4;4", Kind.HILL: "3;4", Kind.ROAD: "4;5"}, (5, 1, 1), "5;4"),
            ({Kind.SETTLEMENT: "4;4", Kind.ROAD: "3;4", Kind.RIVER: "4;5", Kind.RAILWAY: "5;4"}, (1, 1), "4;3"),
            ({Kind.TOWN: "4;4 4;5 4;6"}, (1, 1), "3;4"),
            ({Kind.VILLAGE: "4;4 4;5", Kind.LAKE: "3;4 5;4 4;3"}, (2, 1), "4;6"),
            ({Kind.VILLAGE: "4;4 4;5", Kind.LAKE: "3;4 5;4 4;3 3;5 5;5"}, (1, 2, 2, 1, 1), "4;6 4;7"),
            ({Kind.VILLAGE: "4;4 4;5", Kind.LAKE: "3;4 5;4 4;3 3;5 5;5 4;6"}, (1,), "4;7"),
            ({}, (1, 1, 1, 1, 2, 2, 2, 1, 1), "1;3 2;1"),
        ],
        ids=[
            "clockwise past what is there, hills included",
            "on no way and no river",
            "a town where there is nothing smaller",
            "beside the other area",
            "beside its own field",
            "the next free area",
            "counted along the rows where nobody lives",
        ],
    )
    def test_where_a_field_lies(self, about, scores, fields):
        on = with_("sq-8x8", *about.items())
        found = step("fields", dice_of(*scores), on=on, settings={"fields": str(len(fields.split()))})
        assert areas(found, *FIELDS) == [cells(field) for field in fields.split()]

    @pytest.mark.clause("PW2-73")
    @pytest.mark.parametrize("score", range(1, 7))
    def test_one_to_three_is_an_open_field_and_four_to_six_a_grove(self, score):
        (field,) = step("fields", dice_of(1, score), on=self.LONE, settings={"fields": "1"}).of(*FIELDS)
        assert field.kind is (Kind.ORCHARD if score > 3 else Kind.CROPS)
        assert field.told["use_score"] == score

    @pytest.mark.clause("PW2-73")
    @pytest.mark.parametrize(
        ("scores", "settings", "kinds"),
        [
            ((1, 1, 1, 2, 3, 6, 6, 6), {"climate": "hot"}, [Kind.OLIVES, Kind.VINEYARD, Kind.OLIVES]),
            ((1, 6), {"pw2.orchards": "vineyard", "climate": "hot"}, [Kind.VINEYARD]),
            ((1, 6), {"pw2.orchards": "olives"}, [Kind.OLIVES]),
            ((1, 6), {"pw2.orchards": "orchard", "climate": "hot"}, [Kind.ORCHARD]),
            ((1, 1), {"pw2.orchards": "olives"}, [Kind.CROPS]),
            ((1,), {"pw2.orchards": "off"}, [Kind.CROPS]),
        ],
    )
    def test_the_climate_says_what_groves_are_and_some_countries_have_none(self, scores, settings, kinds):
        found = step("fields", dice_of(*scores), on=self.LONE, settings={"fields": str(len(kinds)), **settings})
        assert [field.kind for field in found.of(*FIELDS)] == kinds

    @pytest.mark.clause("PW0-13")
    def test_given_fields_take_no_dice_but_for_their_use(self):
        dice = dice_of(5)
        found = step("fields", dice, inputs={"features": ["field (1;1)", "vineyard (2;2)"]})
        given = [(Kind.ORCHARD, Cell(1, 1)), (Kind.VINEYARD, Cell(2, 2))]
        assert [(field.kind, field.cells[0]) for field in found.of(*FIELDS)] == given
        assert reasons(dice) == ["use of field 1: 5"]

    @pytest.mark.clause("PW2-72", "PW0-11")
    def test_what_finds_no_area_is_dropped_and_reported(self):
        on = with_("sq-3x3", (Kind.SETTLEMENT, "2;2"), (Kind.LAKE, "1;1 1;2 1;3 2;1 2;3 3;1 3;2"))
        found = step("fields", dice_of(1, 1, 1), on=on, settings={"fields": "2"})
        assert len(list(found.of(*FIELDS))) == 1
        assert [(note.key, note.values["count"]) for note in found.notes] == [("dropped", 1)]


@pytest.mark.clause("PW0-13")
def test_what_a_person_gives_for_later_is_kept_free_by_dice_and_courses():
    lines = ["town (4;4) (4;5) (5;4)", "field (2;2)", "lake (7;7)", "trees (1;5)"]
    wanted = {"town-1": "4;4 4;5 5;4", "lake-1": "7;7", "woodland-1": "1;5", "field-1": "2;2"}
    for seed in range(12):
        found = board(seed, "sq-8x8", inputs={"features": lines}, relief="mountainous", river="2", marshes="4")
        standing = {piece.id: piece.cells for piece in found.placings}
        for name, text in wanted.items():
            assert standing[name] == cells(text)
        ways = {cell for way in found.ways if way.leaves is not None for cell in (*way.cells, *way.beside)}
        assert not ways & {cell for text in wanted.values() for cell in cells(text)}

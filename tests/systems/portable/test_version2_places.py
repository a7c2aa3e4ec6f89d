"""Trees, habitation and fields of version 2."""

from __future__ import annotations

import pytest
from laying import areas, board, book, cells, dice_of, left, reasons, step, with_

from printkit.chance.dice import Dice, Seeded
from printkit.systems.portable.grid.places import Settlement, about, allotted, bodies, owners, ranking
from printkit.systems.portable.grid.sketch import HABITATION, TREES
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell, grid_of

FIELDS = (Kind.CROPS, Kind.PLOUGH, Kind.PASTURE, Kind.ORCHARD, Kind.OLIVES, Kind.VINEYARD)
SQUARES = grid_of("sq-8x8", cell=100)


def place(kind: Kind, text: str) -> Settlement:
    return Settlement(id=f"{kind}-{text[:3]}", kind=kind, cells=cells(text))


class TestTrees:
    @pytest.mark.clause("PW2-50")
    @pytest.mark.parametrize(
        ("settings", "score", "groups"),
        [
            ({"relief": "flat", "area": "desert"}, 3, 1),
            ({"relief": "flat", "area": "desert"}, 1, 0),
            ({"relief": "flat", "area": "wild"}, 4, 4),
            ({"relief": "undulating", "area": "wild"}, 4, 4),
            ({"relief": "hilly", "area": "wild"}, 6, 8),
            ({"relief": "mountainous", "area": "wild"}, 2, 5),
            ({"relief": "hilly", "area": "wild", "forested": "yes"}, 4, 8),
        ],
    )
    def test_the_numbers_of_the_published_text(self, settings, score, groups):
        dice = dice_of(score, *([1, 1, 1, 1] * groups))
        found = step("trees", dice, settings={**settings, "pw2.chains": "on"})
        assert sum(len(wood) for wood in areas(found, *TREES)) == groups
        assert dice.log[0].clause == "PW2-50"

    @pytest.mark.clause("PW2-50")
    def test_trees_stand_on_hills_and_on_nothing_else(self):
        on = with_(
            "sq-8x8", (Kind.MOUNTAIN, "1;3"), (Kind.RIVER, "1;4 2;4"), (Kind.LAKE, "1;5"), (Kind.ROAD, "1;6"),
            (Kind.HILL, "1;7"),
        )  # fmt: skip
        found = step("trees", dice_of(1, 1, 1, 1), on=on, settings={"trees": "1"})
        assert areas(found, *TREES) == [cells("1;7")]

    @pytest.mark.clause("PWA-14")
    def test_trees_may_be_let_onto_mountains(self):
        on = with_("sq-8x8", (Kind.MOUNTAIN, "1;3"))
        found = step("trees", dice_of(1, 1, 1, 1), on=on, settings={"trees": "1", "pwa-14": "trees"})
        assert areas(found, *TREES) == [cells("1;3")]

    @pytest.mark.clause("PWA-13")
    def test_the_height_of_a_hill_makes_no_difference(self):
        (only,) = [setting for setting in book().settings if setting.key == "pwa-13"]
        assert only.values == ("as-hills",)
        on = step("hills", dice_of(1, 1, 1, 1), settings={"hills": "1", "hill-height": "2"})
        assert areas(step("trees", dice_of(1, 1, 1, 1), on=on, settings={"trees": "1"}), *TREES) == [cells("1;3")]

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

    @pytest.mark.clause("PW2-50", "PW2-20")
    def test_groups_side_by_side_are_one_wood(self):
        found = step("trees", dice_of(4, 1, 1, 2, 6, 2, 1, 1, 1, 1), settings={"trees": "3"})
        assert areas(found, *TREES) == [cells("4;4 4;5"), cells("4;8")]

    @pytest.mark.clause("PW0-13")
    def test_given_trees_take_no_dice(self):
        found = step("trees", dice_of(), inputs={"features": ["trees (4;4) (4;5) (1;1)"]})
        assert areas(found, *TREES) == [cells("4;4 4;5"), cells("1;1")]


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
    def test_a_hill_takes_no_chained_area_and_none_beside_an_inhabited_one(self):
        on = with_("sq-8x8", (Kind.HILL, "1;4 2;5"))
        chained = step("habitation", dice_of(1, 1, 1, 1, 5, 2), on=on, settings={"habitation": "2"})
        assert areas(chained, *HABITATION) == [cells("1;3 2;3")], "clockwise past the hill"
        counted = step("habitation", dice_of(1, 1, 1, 3, 1, 2, 2, 4), on=on, settings={"habitation": "2"})
        assert areas(counted, *HABITATION) == [cells("1;6"), cells("2;6")] or cells("2;5") not in areas(counted)

    @pytest.mark.clause("PWA-09", "PW2-57")
    def test_nothing_settles_beside_a_settlement_on_a_hill(self):
        on = with_("sq-8x8", (Kind.HILL, "1;3"))
        chained = step("habitation", dice_of(1, 1, 1, 1, 6, 1, 1, 1), on=on, settings={"habitation": "2"})
        assert areas(chained, *HABITATION) == [cells("1;3"), cells("1;6")], "no neighbour is free, so it counts on"
        counted = step("habitation", dice_of(1, 1, 1, 1, 1, 3, 3, 2), on=on, settings={"habitation": "2"})
        assert areas(counted, *HABITATION) == [cells("1;3"), cells("2;4")], "past the area under the hill"

    @pytest.mark.clause("PWA-09")
    def test_people_may_live_on_no_hill_or_on_any(self):
        on = with_("sq-8x8", (Kind.HILL, "1;3 1;4"))
        never = step("habitation", dice_of(1, 1, 1, 1), on=on, settings={"habitation": "1", "pwa-09": "forbid"})
        assert areas(never, *HABITATION) == [cells("1;5")]
        always = step("habitation", dice_of(1, 1, 1, 1, 5, 2), on=on, settings={"habitation": "2", "pwa-09": "always"})
        assert areas(always, *HABITATION) == [cells("1;3 1;4")]

    @pytest.mark.clause("PW0-13", "PW2-57")
    def test_a_given_place_keeps_its_rank_and_grows(self):
        lines = {"features": ["town (4;4) (4;5)", "settlement (1;1)"]}
        found = step("habitation", dice_of(), inputs=lines)
        assert [(piece.kind, piece.cells) for piece in found.placings] == [
            (Kind.TOWN, cells("4;4 4;5")),
            (Kind.SETTLEMENT, cells("1;1")),
        ]


class TestAllocation:
    PLACES = (place(Kind.SETTLEMENT, "1;1"), place(Kind.VILLAGE, "3;3 3;4"), place(Kind.SETTLEMENT, "6;6"))

    @pytest.mark.clause("PW2-71")
    def test_towns_and_cities_get_fields_only_where_there_is_nothing_smaller(self):
        town = place(Kind.TOWN, "8;1 8;2 8;3")
        assert owners((town, *self.PLACES)) == self.PLACES
        assert owners((town,)) == (town,)
        assert owners(()) == ()

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

    @pytest.mark.clause("PW2-71")
    def test_enough_fields_are_one_each_without_dice(self):
        dice = dice_of()
        assert allotted(self.PLACES, 3, dice) == self.PLACES
        assert dice.log == []

    @pytest.mark.clause("PW2-71")
    def test_those_left_over_are_handed_out_in_rounds(self):
        dice = dice_of(1, 2, 3, 6, 5, 4)
        first, second, third = self.PLACES
        assert allotted(self.PLACES, 8, dice) == (*self.PLACES, third, second, first, first, second)
        assert left(dice) == 0

    @pytest.mark.clause("PW2-71")
    def test_no_place_gets_nothing_and_one_place_gets_all(self):
        assert allotted((), 4, dice_of()) == ()
        assert allotted(self.PLACES[:1], 3, dice_of(1, 1)) == self.PLACES[:1] * 3
        assert set(ranking(self.PLACES, Dice(Seeded(3)), "round")) == set(self.PLACES)


class TestFields:
    @pytest.mark.clause("PW2-70")
    @pytest.mark.parametrize(("area", "score", "number"), [("rural", 4, 6), ("urban", 3, 1), ("urban", 1, 0)])
    def test_the_numbers_of_the_published_text(self, area, score, number):
        class First(Seeded):
            rest = iter([score])

            def pick(self, question):
                found = next(self.rest, None)
                return super().pick(question) if found is None else (found - 1,)

        dice = Dice(First(1))
        found = step("fields", dice, on=with_("sq-8x8", (Kind.SETTLEMENT, "4;4")), settings={"area": area})
        assert len(list(found.of(*FIELDS))) == number
        assert dice.log[0].clause == "PW2-70"

    @pytest.mark.clause("PW2-70")
    @pytest.mark.parametrize("area", ["desert", "wild"])
    def test_there_are_none_elsewhere_but_as_many_as_are_known(self, area):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"))
        assert list(step("fields", dice_of(), on=on, settings={"area": area}).of(*FIELDS)) == []
        known = step("fields", dice_of(1, 1), on=on, settings={"area": area, "fields": "1"})
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
            "direction of field 1",
            "direction of field 2",
            "direction of field 3",
            "use of field 1",
            "use of field 2",
            "use of field 3",
        ]
        assert areas(found, *FIELDS) == [cells("3;4"), cells("8;7"), cells("4;5")]
        assert [piece.kind for piece in found.of(*FIELDS)] == [Kind.ORCHARD, Kind.CROPS, Kind.ORCHARD]

    @pytest.mark.clause("PW2-72", "PW0-12")
    def test_a_field_moves_clockwise_past_what_is_there_hills_included(self):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"), (Kind.HILL, "3;4"), (Kind.ROAD, "4;5"))
        found = step("fields", dice_of(5, 1, 1), on=on, settings={"fields": "1"})
        assert areas(found, *FIELDS) == [cells("5;4")]

    @pytest.mark.clause("PW2-72")
    def test_then_beside_the_other_area_then_beside_its_own_fields_then_the_next_free_area(self):
        village = (Kind.VILLAGE, "4;4 4;5")
        other = with_("sq-8x8", village, (Kind.LAKE, "3;4 5;4 4;3"))
        assert areas(step("fields", dice_of(2, 1), on=other, settings={"fields": "1"}), *FIELDS) == [cells("4;6")]
        own = with_("sq-8x8", village, (Kind.LAKE, "3;4 5;4 4;3 3;5 5;5"))
        two = step("fields", dice_of(1, 2, 2, 1, 1), on=own, settings={"fields": "2"})
        assert areas(two, *FIELDS) == [cells("4;6"), cells("4;7")]
        shut = with_("sq-8x8", village, (Kind.LAKE, "3;4 5;4 4;3 3;5 5;5 4;6"))
        assert areas(step("fields", dice_of(1), on=shut, settings={"fields": "1"}), *FIELDS) == [cells("4;7")]

    @pytest.mark.clause("PW2-71", "PW0-10")
    def test_where_nobody_lives_fields_are_counted_along_the_rows(self):
        found = step("fields", dice_of(1, 1, 1, 1, 2, 2, 2, 1, 1), settings={"fields": "2"})
        assert areas(found, *FIELDS) == [cells("1;3"), cells("2;1")]

    @pytest.mark.clause("PW2-71")
    def test_towns_get_them_where_there_is_nothing_smaller(self):
        on = with_("sq-8x8", (Kind.TOWN, "4;4 4;5 4;6"))
        assert areas(step("fields", dice_of(1, 1), on=on, settings={"fields": "1"}), *FIELDS) == [cells("3;4")]

    @pytest.mark.clause("PWA-16", "PW2-72")
    def test_no_field_lies_on_a_way_or_a_river(self):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"), (Kind.ROAD, "3;4"), (Kind.RIVER, "4;5"), (Kind.RAILWAY, "5;4"))
        found = step("fields", dice_of(1, 1), on=on, settings={"fields": "1"})
        assert areas(found, *FIELDS) == [cells("4;3")]

    @pytest.mark.clause("PW2-73")
    @pytest.mark.parametrize("score", range(1, 7))
    def test_one_to_three_is_an_open_field_and_four_to_six_a_grove(self, score):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"))
        (field,) = step("fields", dice_of(1, score), on=on, settings={"fields": "1"}).of(*FIELDS)
        assert field.kind is (Kind.ORCHARD if score > 3 else Kind.CROPS)
        assert field.told["use_score"] == score

    @pytest.mark.clause("PW2-73")
    def test_the_climate_says_what_groves_are_and_some_countries_have_none(self):
        on = with_("sq-8x8", (Kind.SETTLEMENT, "4;4"))
        hot = step("fields", dice_of(1, 1, 1, 2, 3, 6, 6, 6), on=on, settings={"fields": "3", "climate": "hot"})
        assert [field.kind for field in hot.of(*FIELDS)] == [Kind.OLIVES, Kind.VINEYARD, Kind.OLIVES]
        named = step("fields", dice_of(1, 6), on=on, settings={"fields": "1", "grove": "vineyard"})
        assert [field.kind for field in named.of(*FIELDS)] == [Kind.VINEYARD]
        none = step("fields", dice_of(1), on=on, settings={"fields": "1", "pw2.orchards": "off"})
        assert [field.kind for field in none.of(*FIELDS)] == [Kind.CROPS]

    @pytest.mark.clause("PW0-13")
    def test_given_fields_take_no_dice_but_for_their_use(self):
        lines = {"features": ["field (1;1)", "vineyard (2;2)"]}
        dice = dice_of(5)
        found = step("fields", dice, inputs=lines)
        assert [(field.kind, field.cells[0]) for field in found.of(*FIELDS)] == [
            (Kind.ORCHARD, Cell(1, 1)),
            (Kind.VINEYARD, Cell(2, 2)),
        ]
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

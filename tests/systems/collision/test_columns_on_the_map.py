"""Columns drawn on the map: bases at scale, who stands on the board and who waits outside its frame, all switchable."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

import pytest
from columns_scene import tree
from msgspec.structs import replace

from printkit.chance.streams import Jitter
from printkit.core.errors import RecordError
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing, LayerName, Text
from printkit.drawing.canvas.style import find as style
from printkit.drawing.furniture.furniture import FramedBoard, Furniture, frame_board, framed_size
from printkit.drawing.lettering.extent import text_foot, text_length
from printkit.drawing.map.board_drawing import MapCaption, MapLayout, board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find as system
from printkit.kit.rules import Rules
from printkit.options.printing import MapOptions
from printkit.recipes.prints.map_plan import add_scenario_overlays, plan_map
from printkit.recipes.prints.maps import map_context
from printkit.systems.collision.march.columns import Role
from printkit.systems.collision.march.ground import build_overlays, column_box, column_strip
from printkit.systems.collision.march.side_facts import side_facts
from printkit.systems.collision.sheets.columns import with_columns
from printkit.systems.collision.sheets.marching import Marcher, marching_elements, waiting_elements
from printkit.systems.dba3.placing.zones import BaseEdges
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale
from printkit.terrain.field.record import Record

RULES = system("collision-course")
ARMIES = {"army": {"defender": tree(name="Franks"), "attacker": tree((4, 5, 3), role="attacker", name="Vikings")}}
OPPOSITE = {Edge.NEAR: Edge.FAR, Edge.FAR: Edge.NEAR, Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}


def record(inputs: Mapping[str, Any], *, edge: Edge = Edge.NEAR, base: float = 40.0) -> Record:
    """Return a record without terrain; the defender sits at an edge."""
    board = Board(15 * base, 15 * base, GroundScale(pace=25.4, base_width=base))
    settings = RULES.book.settle({})
    edges = BaseEdges(defender=edge)
    over = tuple(build_overlays(Rules.of(RULES.book, board=board), edges, None, littoral=False))
    told = {"defender_edge": edge.value, "invader_edge": OPPOSITE[edge].value}
    return Record(
        rules=RULES.name,
        battlefield=Battlefield(board=board, overlays=over, title="Tolbiac"),
        settings=settings,
        details={"inputs": dict(inputs), "deployment": told},
    )


def column(found: tuple[Marcher, ...], side: str, number: int) -> list[Marcher]:
    return [each for each in found if (each.side, each.column) == (side, number)]


def layout_of(field: Battlefield, *, scale: float = 1.0, lang: str = "en") -> MapLayout:
    caption = MapCaption(title="Tolbiac")
    return MapLayout(field=field, style=style("ink-saver"), words=find_words(lang), caption=caption, scale=scale)


def drawn(layout: MapLayout, kind: Furniture) -> FramedBoard:
    """Return a map with its furniture, without anything upon the board."""
    board, scale = layout.field.board, layout.scale
    return frame_board(Drawing(board.width * scale, board.depth * scale, ()), layout, kind)


def texts(drawing: Drawing) -> list[Text]:
    """Return what is lettered on the layer of overlays."""
    layers = (layer for layer in drawing.layers if layer.name is LayerName.OVERLAY)
    return [item for layer in layers for item in layer.items if isinstance(item, Text)]


def lettered(drawing: Drawing) -> list[str]:
    return [text.content for text in texts(drawing)]


@pytest.mark.clause("CC-O08", "CC-2.2..CC-2.6")
@pytest.mark.parametrize("base", [40.0, 60.0])
@pytest.mark.parametrize("edge", list(Edge))
def test_columns_stand_where_the_rules_put_them(edge: Edge, base: float) -> None:
    told = record(ARMIES, edge=edge, base=base)
    field, board = with_columns(told), told.battlefield.board
    first, second = (column(marching_elements(field), "B", number) for number in (1, 2))
    assert [each.name for each in first] == ["E1", "E2", "E3", "E4"]
    assert [each.name for each in second] == ["E5"]
    assert not column(marching_elements(field), "B", 3)
    ground = column_box(Rules.of(RULES.book, board=board), edge, None)
    assert all(ground.buffer(0.01).covers(each.base) for each in first)
    assert column_strip(Rules.of(RULES.book, board=board), edge, None).buffer(0.01).covers(second[0].base)
    assert [each.depth for each in first] == pytest.approx({40.0: [30, 30, 30, 15], 60.0: [40, 40, 40, 20]}[base])
    assert all(each.width == pytest.approx(base) for each in (*first, *second))
    for one, other in pairwise(first):
        assert one.base.distance(other.base) == pytest.approx(0.0, abs=0.01)
        ahead = (one.middle[0] - other.middle[0], one.middle[1] - other.middle[1])
        assert ahead[0] * one.forward[0] + ahead[1] * one.forward[1] > 0
    assert first[0].base.distance(second[0].base) > 0


@pytest.mark.clause("CC-O08", "CC-O11", "CC-O12")
@pytest.mark.parametrize("edge", list(Edge))
def test_what_is_drawn_would_be_legal_as_a_recorded_position(edge: Edge) -> None:
    told = record(ARMIES, edge=edge)
    found = marching_elements(with_columns(told))
    lines = []
    for number in (1, 2):
        stands = []
        for each in column(found, "B", number):
            axes, half, deep = (
                [*zip(each.middle, each.forward, each.right, strict=True)],
                each.width / 2,
                each.depth / 2,
            )
            ends = [[at + ahead * deep + side * right * half for at, ahead, right in axes] for side in (-1, 1)]
            front = " ".join(f"{x / 40:.4f},{y / 40:.4f}" for x, y in ends)
            stands.append(f"{front} {each.depth / 40:.4f}")
        lines.append(f"defender {number}: {'; '.join(stands)}")
    edges = {Role.DEFENDER: edge, Role.ATTACKER: OPPOSITE[edge]}
    defender, _ = side_facts({"positions": lines}, Rules.of_record(RULES.book, told), told.battlefield, edges)
    assert defender.faults == ()


@pytest.mark.clause("CC-O08", "CC-2.5", "CC-2.6")
@pytest.mark.parametrize("edge", list(Edge))
def test_everybody_else_waits_beyond_the_edge_in_marching_order(edge: Edge) -> None:
    told = record(ARMIES, edge=edge)
    field, board = with_columns(told), told.battlefield.board
    second, third = (column(waiting_elements(field), "B", number) for number in (2, 3))
    assert [(each.place, each.name or each.code) for each in second] == [(2, "E6"), (3, "E7"), (4, "E8"), (5, "BG")]
    assert [(each.place, each.name) for each in third] == [(1, "E9"), (2, "E10"), (3, "E11"), (4, "E12")]
    everybody = [*second, *third]
    assert not any(each.base.intersection(board.shape).area > 0.01 for each in everybody)
    assert not any(one.base.intersection(other.base).area > 0.01 for one, other in combinations(everybody, 2))
    assert all(board.edge(edge).distance(each.base) == pytest.approx(0.0, abs=0.01) for each in everybody)


@pytest.mark.clause("CC-O08")
def test_a_column_that_is_longer_than_the_edge_waits_in_two_ranks() -> None:
    long = tree((0, 0, 12), types=["Bd"] * 12, baggage="")
    long["columns"]["3"] *= 2
    field = with_columns(record({"army": {"defender": long, "attacker": tree(role="attacker")}}))
    third = column(waiting_elements(field), "B", 3)
    assert len(third) == 24
    assert not any(one.base.intersection(other.base).area > 0.01 for one, other in combinations(third, 2))
    assert all(each.base.bounds[0] >= 0 and each.base.bounds[2] <= field.board.width for each in third)


@pytest.mark.clause("CC-O08")
def test_recorded_positions_are_drawn_as_they_are() -> None:
    lines = ["defender 1: 6,4 7,4 0.75; 6,3.25 7,3.25 0.75", "attacker 3: 8,14.8 7,14.8 0.5; 8,15.3 7,15.3 0.5"]
    field = with_columns(record({**ARMIES, "positions": lines}))
    first = column(marching_elements(field), "B", 1)
    assert [each.base.bounds for each in first] == [
        pytest.approx((240, 130, 280, 160)), pytest.approx((240, 100, 280, 130)),
    ]  # fmt: skip
    assert [each.place for each in column(waiting_elements(field), "B", 1)] == [3, 4]
    (lead,) = column(marching_elements(field), "A", 3)
    assert lead.facing == pytest.approx(270.0)
    assert lead.base.bounds == pytest.approx((280, 592, 320, 612))
    assert [each.place for each in column(waiting_elements(field), "A", 3)] == [2, 3]
    bare = with_columns(record({"positions": lines}))
    assert [(each.place, each.code) for each in column(marching_elements(bare), "B", 1)] == [(1, ""), (2, "")]


@pytest.mark.clause("CC-O08", "CC-A01")
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_strip_lies_outside_the_frame_and_the_sheet_grows_by_it(lang: str) -> None:
    told = record(ARMIES)
    with_them = drawn(layout_of(with_columns(told), lang=lang), Furniture.MAT)
    without = drawn(layout_of(told.battlefield, lang=lang), Furniture.MAT)
    assert with_them.drawing.width == pytest.approx(without.drawing.width)
    taller = with_them.drawing.height - without.drawing.height
    assert taller > 2 * 40.0
    assert with_them.board_rect.y == pytest.approx(without.board_rect.y + taller / 2)
    assert {"2. E6", "5", "1. E9", "2", "3"} <= set(lettered(with_them.drawing))
    for text in texts(with_them.drawing):
        assert max(with_them.board_rect.y - text.at[1], text.at[1] - with_them.board_rect.top) > without.board_rect.x


@pytest.mark.clause("CC-O08")
@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("edge", [Edge.FAR, Edge.LEFT])
def test_a_whole_frame_leaves_room_for_the_strip_on_the_sheet(edge: Edge, scale: float) -> None:
    layout = layout_of(with_columns(record(ARMIES, edge=edge)), scale=scale)
    made = drawn(layout, Furniture.FULL).drawing
    assert framed_size(layout, Furniture.FULL) == pytest.approx((made.width, made.height))
    assert texts(made)
    assert all(0 < text.at[0] < made.width and 0 < text.at[1] < made.height for text in texts(made))
    assert drawn(layout, Furniture.NONE).drawing.height == pytest.approx(600.0 * scale)


@pytest.mark.clause("CC-O08", "CC-A01")
def test_columns_on_the_board_are_part_of_the_overlay_with_their_numbers() -> None:
    field = with_columns(record(ARMIES))
    drafter = Drafter.map(style("ink-saver"), find_words("es"), Jitter(1), scale=0.25)
    said = lettered(board_drawing(field, drafter, zones=False))
    assert {"1. E1", "4. E4", "1. E5", "3Kn"} <= set(said)
    # Box and strip keep their own numbers, and the leads bear theirs.
    assert said.count("1") == said.count("2") == 4
    assert "1. E1" not in lettered(board_drawing(field, drafter, zones=False, deployment=False))


@pytest.mark.clause("CC-O08")
def test_the_figure_of_a_lead_at_a_side_edge_stays_on_the_board() -> None:
    field = with_columns(record(ARMIES, edge=Edge.LEFT))
    made = board_drawing(field, Drafter.map(style("ink-saver"), find_words("en"), Jitter(1), scale=0.25))
    items = [item for layer in made.layers for item in layer.items if isinstance(item, Text)]
    feet = [(text_foot(item)[0], text_length(item)) for item in items if item.content == "1. E5"]
    assert len(feet) == 2
    assert all(foot > 0 and foot + long < made.width for foot, long in feet)


@pytest.mark.clause("CC-O08", "CC-A01")
def test_the_option_that_hides_deployment_hides_columns_on_and_off_the_board() -> None:
    def printed(*hide: str) -> list[str]:
        asked = MapOptions(sheet="one", style="ink-saver", furniture="mat", scale="1:4", hide=hide)
        order = map_context(asked, find_words("en"))
        document = plan_map(record(ARMIES), RULES, order).document
        return [text for page in document.pages for place in page.placements for text in lettered(place.drawing)]

    assert {"1. E1", "2. E6", "1. E9"} <= set(printed())
    assert not {"1. E1", "2. E6", "1. E9"} & set(printed("deployment"))


@pytest.mark.clause("CC-O08")
def test_a_map_without_armies_is_left_as_it_is_and_an_army_that_cannot_be_read_is_told() -> None:
    for told in (record({"pips": ["defender 1 6: column-1 2"]}), replace(record(ARMIES), rules="dba3")):
        assert add_scenario_overlays(told) is told.battlefield
    with pytest.raises(RecordError):
        with_columns(record({"army": {"neutral": tree()}}))

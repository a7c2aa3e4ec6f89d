"""Water beyond the table (AC-Q24): what lies at it, what the judge says of it, and how it is laid out."""

from __future__ import annotations

import pytest
from drawn_by_hand import UNIT, area, broken, coast, course, line, oval, record, with_feature
from leaflets_scene import handout, tells
from msgspec.structs import replace
from shapely import Polygon, affinity, box
from tables_by_hand import INCH, settle, system
from test_acw_kept_clauses import outline, table_of

from printkit.recipes.evening.table_sheets import layout_aid
from printkit.systems.acw.ground.areas import place_wild_piece
from printkit.systems.acw.ground.ground import place_water
from printkit.systems.acw.ground.placement import ZonePlacement
from printkit.systems.acw.ground.swamps import place_swamps
from printkit.systems.acw.ground.walls_and_ditches import place_work
from printkit.systems.acw.network.network import Network
from printkit.systems.acw.sheets.network_pages import network_pages
from printkit.systems.acw.terms.pieces import Piece
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import find_outside_edge

BAND = box(0, -6 * INCH, 72 * INCH, 0)


def table_beside(edge: str, pieces: str, seed: int = 1) -> ZonePlacement:
    """Return a table of one zone with the sea beyond an edge."""
    table = table_of({1: pieces}, seed=seed, water=edge, network=Network(), ac_q24="outside")
    place_water(table)
    return table


@pytest.mark.clause("AC-Q24", "AC-N34", "AC-F17", "AC-F22", "AC-F23")
@pytest.mark.parametrize("edge", ["N", "E", "S", "W"])
def test_swamps_and_dunes_lie_along_the_edge_beyond_which_the_water_lies_and_ditches_run_towards_it(edge: str) -> None:
    for seed in range(2):
        table = table_beside(edge, "Swamp", seed)
        place_swamps(table)
        (swamp,) = (placed.outline for placed in table.placed)
        assert swamp.distance(table.water) < 1
        assert swamp.difference(table.sites[1].box).area < 1
    table = table_beside(edge, "Ditch, Sand Dunes")
    place_work(table, *table.find_results(Piece.DITCH))
    assert table.works[0].line.distance(table.water) < 0.06 * UNIT
    place_wild_piece(table, *table.find_results(Piece.SAND_DUNES))
    assert outline(table, Piece.SAND_DUNES).distance(table.water) < 0.12 * UNIT


def outside(*features: Area) -> Record:
    return replace(record(area("sea", Piece.SEA, BAND), *features), settings=settle(ac_q24="outside"))


@pytest.mark.clause("AC-Q24", "AC-F38", "AC-F37")
def test_the_judge_wants_the_band_where_the_reading_puts_it():
    assert broken(outside(), "AC-F38") == ""
    assert "is outside the table" in broken(replace(outside(), settings=settle()), "AC-F38")
    assert broken(coast(), "AC-F38") == ""
    taken = replace(coast(), settings=settle(ac_q24="outside"))
    assert "takes ground of the table" in broken(taken, "AC-F38")


@pytest.mark.clause("AC-Q24", "AC-N34", "AC-F23")
@pytest.mark.parametrize(
    ("clause", "piece", "fault"),
    [("AC-N34", Piece.SWAMP, "from the water"), ("AC-F23", Piece.SAND_DUNES, "from the shore")],
)
def test_the_judge_knows_the_zones_at_water_beyond_the_table(clause, piece, fault):
    near, off, inland = (outside(area("one", piece, oval(12, y, 10, 7))) for y in (3.5, 12, 36))
    assert fault in broken(off, clause)
    assert (broken(near, clause), broken(inland, clause)) == ("", "")


@pytest.mark.clause("AC-Q24", "AC-F17")
def test_the_judge_wants_a_ditch_to_lead_to_water_beyond_the_table() -> None:
    near, off = (with_feature(course("ditch", Piece.DITCH, line((10, y + 14), (10, y)))) for y in (1, 5))
    assert broken(near(outside()), "AC-F17") == ""
    assert "from all water" in broken(off(outside()), "AC-F17")


@pytest.mark.clause("AC-Q24", "AC-A08")
def test_the_lay_out_aid_tells_the_edge_and_shows_the_band():
    brook = course("brook", Piece.STREAM, line((30, 48), (31, 40), (28, 24), (30, 10), (31, 0)))
    with_band, plain = (
        replace(record(*features, brook), settings=settle(ac_q24="outside"))
        for features in ((area("sea", Piece.SEA, BAND),), ())
    )
    made, without = handout((system(), with_band)), handout((system(), plain))
    pages = layout_aid(made)
    said = made.words("layout.beyond", edge=made.words("edge.near")).rsplit(" ", 1)[0]
    assert tells(pages, said)
    assert not tells(layout_aid(without), said)
    (net,) = network_pages(made)
    assert tells([net], "30.0 in")
    assert tells([net], "31.0 in")


@pytest.mark.clause("AC-Q24")
@pytest.mark.parametrize(
    ("edge", "band"),
    [
        (Edge.NEAR, BAND),
        (Edge.FAR, affinity.translate(BAND, 0, 54 * INCH)),
        (Edge.LEFT, box(-100, 0, 0, 48 * INCH)),
        (Edge.RIGHT, box(72 * INCH, 0, 72 * INCH + 100, 48 * INCH)),
        (None, box(0, 0, 72 * INCH, 100)),
    ],
)
def test_an_area_beyond_the_table_is_told_by_its_edge(edge: Edge | None, band: Polygon) -> None:
    assert find_outside_edge(area("sea", Piece.SEA, band), system().board()) is edge

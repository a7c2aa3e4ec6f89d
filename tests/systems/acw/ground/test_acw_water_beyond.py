"""Water beyond the table (AC-Q24): what lies at it, what the judge says of it, and how it is laid out."""

from __future__ import annotations

import pytest
from drawn_by_hand import Change, area, broken, coast, course, line, oval, record
from leaflets_scene import handout, tells
from msgspec.structs import replace
from shapely import Polygon, affinity, box
from tables_by_hand import INCH, grid_of, log_of, rules, settle, system

from printkit.chance.streams import Jitter
from printkit.recipes.evening.layout_aid import layout_aid
from printkit.systems.acw.ground.areas import lay_rest
from printkit.systems.acw.ground.ground import lay_water
from printkit.systems.acw.ground.placement import ZonePlacement
from printkit.systems.acw.ground.swamps import lay_swamps
from printkit.systems.acw.ground.works import lay_work
from printkit.systems.acw.network.network import GroundPlan, Network
from printkit.systems.acw.sheets.network_pages import network_pages
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import Water, ZoneSide
from printkit.systems.acw.terms.profile import PieceProfile
from printkit.terrain.field.battlefield import Edge
from printkit.terrain.field.features import Area
from printkit.terrain.field.record import Record
from printkit.terrain.field.transforms import edge_beyond

UNIT = 24 * INCH
BAND = box(0, -6 * INCH, 72 * INCH, 0)


def table_beside(edge: str, pieces: str, seed: int = 1) -> ZonePlacement:
    """Return a table of one zone with the sea beyond an edge."""
    laying = GroundPlan(
        grid=grid_of("24x24"), log=log_of({1: pieces}), network=Network(), water=Water(ZoneSide(edge), Piece.SEA)
    )
    table = ZonePlacement(
        laying=laying,
        board=system().board(UNIT, UNIT),
        profile=PieceProfile.of(rules()),
        rules=rules("24x24", ac_q24="outside"),
        jitter=Jitter(seed),
    )
    table.straights = {1: ()}
    lay_water(table)
    return table


@pytest.mark.clause("AC-Q24", "AC-N34", "AC-F22")
@pytest.mark.parametrize("edge", ["N", "E", "S", "W"])
def test_a_swamp_touches_the_edge_beyond_which_the_water_lies(edge):
    for seed in range(2):
        table = table_beside(edge, "Swamp", seed)
        lay_swamps(table)
        (swamp,) = (placed.outline for placed in table.placed)
        assert swamp.distance(table.water) < 1
        assert swamp.difference(table.sites[1].box).area < 1


@pytest.mark.clause("AC-Q24", "AC-F23", "AC-F17")
@pytest.mark.parametrize("edge", ["N", "E", "S", "W"])
def test_dunes_lie_along_that_edge_and_ditches_run_towards_it(edge):
    table = table_beside(edge, "Ditch, Sand Dunes")
    ditch, dunes = table.results(Piece.DITCH, Piece.SAND_DUNES)
    lay_work(table, ditch)
    assert table.works[0].line.distance(table.water) < 0.06 * UNIT
    lay_rest(table, dunes)
    (found,) = (placed.outline for placed in table.placed)
    assert found.distance(table.water) < 0.12 * UNIT


# --- The judge --------------------------------------------------------------------------------------------------------


def outside(*features: Area) -> Record:
    return replace(record(area("sea", Piece.SEA, BAND), *features), settings=settle(ac_q24="outside"))


def at(y: float) -> Polygon:
    return affinity.translate(oval(12, 0, 10, 7), 0, y * INCH)


@pytest.mark.clause("AC-Q24", "AC-F38", "AC-F37")
def test_the_judge_wants_the_band_where_the_reading_puts_it():
    assert broken(outside(), "AC-F38") == ""
    assert "lies beyond the table" in broken(replace(outside(), settings=settle()), "AC-F38")
    assert broken(coast(), "AC-F38") == ""
    taken = replace(coast(), settings=settle(ac_q24="outside"))
    assert "takes ground of the table" in broken(taken, "AC-F38")


@pytest.mark.clause("AC-Q24", "AC-N34", "AC-F23")
@pytest.mark.parametrize(
    ("clause", "piece", "fault"),
    [("AC-N34", Piece.SWAMP, "off the water"), ("AC-F23", Piece.SAND_DUNES, "off the shore")],
)
def test_the_judge_knows_the_zones_at_water_beyond_the_table(clause, piece, fault):
    lies = outside(area("one", piece, at(3.5)))
    assert broken(lies, clause) == ""
    assert fault in broken(outside(area("one", piece, at(12))), clause)
    inland = outside(area("one", piece, at(36)))
    assert broken(inland, clause) == ""


@pytest.mark.clause("AC-Q24", "AC-F17")
def test_the_judge_wants_a_ditch_to_lead_to_water_beyond_the_table():
    def ditch(y: float) -> Change:
        made = course("ditch", Piece.DITCH, line((10, y + 14), (10, y)))
        return lambda found: replace(
            found, battlefield=replace(found.battlefield, features=(*found.battlefield.features, made))
        )

    assert broken(ditch(1)(outside()), "AC-F17") == ""
    assert "off all water" in broken(ditch(5)(outside()), "AC-F17")


# --- Pages ------------------------------------------------------------------------------------------------------------


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
def test_an_area_beyond_the_table_is_told_by_its_edge():
    board = system().board()
    bands = {
        Edge.NEAR: BAND,
        Edge.FAR: affinity.translate(BAND, 0, 54 * INCH),
        Edge.LEFT: box(-100, 0, 0, 48 * INCH),
        Edge.RIGHT: box(72 * INCH, 0, 72 * INCH + 100, 48 * INCH),
        None: box(0, 0, 72 * INCH, 100),
    }
    for edge, band in bands.items():
        assert edge_beyond(area("sea", Piece.SEA, band), board) is edge

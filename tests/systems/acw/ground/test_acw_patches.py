"""The zones on the map, and patches to cut out."""

from __future__ import annotations

import pytest
import shapely
from msgspec.structs import replace
from shapely import box
from tables_by_hand import FARMS, book, game, system

from printkit.core.words import Words
from printkit.options.printing import PrintOptions
from printkit.page import sheet as sheets
from printkit.recipes.output.printers import print_context
from printkit.systems.brantley.sheets.cut_outs import cut_out_pages
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind, Origin
from printkit.terrain.field.record import Record, read, write


@pytest.mark.clause("AC-201", "AC-203", "AC-A06")
@pytest.mark.usefixtures("joined_only")
def test_the_map_marks_the_zones_of_the_table():
    outcome = game("farm", FARMS, inputs={"decisions": "Wood"})
    marked = [overlay for overlay in outcome.battlefield.overlays if overlay.kind == "zone"]
    assert [overlay.label for overlay in marked] == ["1", "2", "3", "4", "5", "6"]
    assert marked[0].shape.bounds == pytest.approx((0.0, 609.6, 609.6, 1219.2))
    assert sum(overlay.shape.area for overlay in marked) == pytest.approx(outcome.battlefield.ground.area)


@pytest.mark.clause("AC-A09")
def test_areas_are_cut_out_at_true_size_and_large_ones_over_several_sheets() -> None:
    going = book().going["slow"]
    shapes = {"wood": box(60, 60, 140, 120), "forest": box(160, 40, 390, 300)}
    features = [
        Area(id=name, kind=Kind.LIGHT_WOODS, going=going, outline=shape, origin=Origin(zone=1))
        for name, shape in shapes.items()
    ]
    stream = Course(id="s", kind=Kind.STREAM, going=going, line=shapely.LineString([(0, 20), (500, 20)]), width=8)
    field = Battlefield(board=system().board(508.0, 330.2), features=(*features, stream))
    record = read(write(Record(rules="acw", battlefield=field, seed=1)), book().going)
    order = print_context(PrintOptions(style="ink-saver"), Words(("en",)))
    pages = cut_out_pages(record, order)
    assert [page.label for page in pages] == ["Cut-outs", "2-A1", "2-A2"]
    pictures = [placement for page in pages for placement in page.placements if placement.clip is not None]
    assert {placement.transform[:4] for placement in pictures} == {(1.0, 0.0, 0.0, 1.0)}
    assert pictures[0].clip[2:] == pytest.approx((84.0, 64.0))
    assert len(cut_out_pages(record, replace(order, sheet=sheets.find("a3")))) == 1

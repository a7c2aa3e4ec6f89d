"""The grid of a record, and the cells of its features."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from cell_country import FLAT, FREE, IMPASSABLE, POINTY, SLOW, SQUARES, country

from printkit.core.errors import RecordError
from printkit.terrain.field.grids import Grid
from printkit.terrain.field.record import Record, read, settle, write

GOINGS = {going.name: going for going in (FREE, SLOW, IMPASSABLE)}


@pytest.mark.clause("PW0-01", "PW0-03")
@pytest.mark.parametrize("grid", [FLAT, POINTY, SQUARES])
def test_a_gridded_battlefield_is_read_back_as_it_was_written(grid: Grid) -> None:
    record = settle(Record(rules="portable-2", battlefield=country(grid)))
    again = read(write(record), GOINGS)
    assert again == record
    assert again.battlefield.grid == grid
    assert [each.cells for each in again.battlefield.features] == [each.cells for each in country(grid).features]


def test_a_grid_is_written_as_programs_expect_it_and_its_cells_and_grain_are_read() -> None:
    said = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    assert said["grid"] == {"shape": "hex", "columns": 9, "rows": 8, "grain": "flat-odd-low", "cell_mm": 74.0}
    assert said["features"][0]["properties"]["cells"] == [[1, 1], [2, 1], [1, 2]]
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    document["features"][0]["properties"]["cells"] = [[1, 1], [10, 3]]
    with pytest.raises(RecordError, match=r"'mountain' lies in cell \[10, 3\], which hex-9x8 does not have"):
        read(json.dumps(document), GOINGS)
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    del document["grid"]["grain"]
    assert read(json.dumps(document), GOINGS).battlefield.grid == FLAT


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shape": "octagon"}, 'grid.shape is "octagon", not "hex" or "square"'),
        ({"shape": None}, 'grid.shape is missing; write "hex" or "square"'),
        ({"columns": 2}, "grid.columns is 2, not a number of cells from 3 to 60"),
        ({"rows": "eight"}, 'grid.rows is "eight", not a whole number'),
        ({"cell_mm": 0}, "grid.cell_mm is 0, not a number greater than 0"),
        ({"cell_mm": 100.0}, "board.width_mm is 598.135, but hex-9x8 of 100 mm takes 808.29"),
        ({"grain": "sideways"}, 'grid.grain is "sideways", not a grain of hexes'),
        ({"shape": "square"}, 'grid.grain is "flat-odd-low", not "", for squares have no grain'),
        ({"columns": 6}, "board.width_mm is 598.135, but hex-6x8 of 74 mm takes"),
    ],
)
def test_a_wrong_grid_is_named(change: Mapping[str, Any], said: str) -> None:
    document = json.loads(write(Record(rules="portable-2", battlefield=country(FLAT))))
    document["grid"].update(change)
    with pytest.raises(RecordError) as caught:
        read(json.dumps(document), GOINGS)
    assert str(caught.value).startswith(said)

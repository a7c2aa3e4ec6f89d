"""Maps on fewer sheets: what saves some, what may be left out, and one that is printed again by itself."""

from __future__ import annotations

import pytest
from reading import opened

from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.registry import find as system
from printkit.recipes.prints.maps import MapRequest, map_document, map_sheet
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

ENGLISH = Words(("en",))
SIDE = 609.6
BARE = Record(rules="acw", battlefield=Battlefield(board=system("acw").board(SIDE, SIDE), title="The Field"), seed=1998)
"""Two feet of open ground, which take twelve sheets A4."""


def order(**given):
    return map_sheet(MapRequest(**{"style": "ink-saver", **given}), ENGLISH)


def printed(**given):
    return map_document(BARE, system("acw"), order(**given))


# --- One side only ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "simplex"),
    [({}, True), ({"by_zone": True}, True), ({"sheet": "one"}, False), ({"scale": "fit"}, False)],
)
def test_printers_are_told_to_leave_the_backs_of_joined_sheets_white(given, simplex):
    document, _ = printed(**given)
    read = opened(data(document))
    preferences = read.Root.ViewerPreferences
    assert ("/Duplex" in preferences) is simplex
    if simplex:
        assert preferences.Duplex == "/Simplex"

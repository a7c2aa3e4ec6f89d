"""Maps on fewer sheets: what saves some, what may be left out, and one that is printed again by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import opened

from printkit.cli.app import run
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.registry import find as system
from printkit.recipes.prints.maps import MapRequest, map_document, map_sheet
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record, write

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


# --- What saves sheets ------------------------------------------------------------------------------------------------


def ground(width, depth):
    board = system("acw").board(width * MM_PER_INCH, depth * MM_PER_INCH)
    return Record(rules="acw", battlefield=Battlefield(board=board, title="The Field"), seed=1998)


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "49 sheets instead of 55 with --margin 7mm"), ("es", "49 hojas en vez de 55 con")]
)
@pytest.mark.usefixtures("table", "_no_ink")
def test_the_plan_says_what_would_save_sheets(lang, said, capsys):
    Path("field.json").write_text(write(ground(72, 48)), encoding="utf-8")
    assert run(["map", "--from", "field.json", "--plan", "--style", "ink-saver", "--lang", lang]) == 0
    assert said in capsys.readouterr().out


def test_nothing_is_said_of_sheets_where_none_is_saved():
    assert printed()[1].saving is None
    assert printed(sheet="one")[1].saving is None
    assert map_document(ground(48, 48), system("acw"), order(margin="7mm"))[1].saving is None
    assert map_document(ground(48, 48), system("acw"), order(scale="fit"))[1].saving is None

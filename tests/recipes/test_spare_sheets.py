"""Maps on fewer sheets: what saves some, what may be left out, and one that is printed again by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from reading import opened, texts
from shapely import box

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.units import MM_PER_INCH
from printkit.core.words import Words
from printkit.drawing.map import board_drawing
from printkit.export.pdf import data
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.recipes.prints.file_names import map_marks
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.battlefield import Battlefield, Overlay
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.record import Record, write

pytestmark = pytest.mark.usefixtures("_drawn_once")

ENGLISH = Words(("en",))
SIDE = 609.6
BARE = Record(rules="acw", battlefield=Battlefield(board=system("acw").board(SIDE, SIDE), title="The Field"), seed=1998)
"""Two feet of open ground, which take twelve sheets A4."""


def order(**given):
    """Return what is printed how: without country for the eye, unless it is asked for."""
    return map_context(MapOptions(**{"style": "ink-saver", "dressing": "none", **given}), ENGLISH)


def printed(**given):
    planned = plan_map(BARE, system("acw"), order(**given))
    return planned.document, planned


@pytest.mark.parametrize(
    ("given", "simplex"),
    [({}, True), ({"only": ("zones",)}, True), ({"sheet": "one"}, False), ({"scale": "fit"}, False)],
)
def test_printers_are_told_to_leave_the_backs_of_joined_sheets_white(given, simplex):
    document, _ = printed(**given)
    read = opened(data(document))
    preferences = read.Root.ViewerPreferences
    assert ("/Duplex" in preferences) is simplex
    if simplex:
        assert preferences.Duplex == "/Simplex"


def ground(width, depth):
    board = system("acw").board(width * MM_PER_INCH, depth * MM_PER_INCH)
    return Record(rules="acw", battlefield=Battlefield(board=board, title="The Field"), seed=1998)


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "63 sheets instead of 70 with --margin 5mm"), ("es", "63 hojas en vez de 70 con")]
)
@pytest.mark.usefixtures("table", "_no_ink")
def test_the_plan_says_what_would_save_sheets(lang, said, capsys):
    Path("field.json").write_text(write(ground(96, 48)), encoding="utf-8")
    asked = ["map", "--from", "field.json", "--plan", "--style", "ink-saver", "--dressing", "none"]
    assert run([*asked, "--lang", lang]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.usefixtures("table", "_no_ink")
def test_an_evening_says_what_the_map_says_of_its_sheets(capsys):
    Path("field.json").write_text(write(ground(96, 48)), encoding="utf-8")
    asked = ["handouts", "--from", "field.json", "--plan", "--style", "ink-saver", "--lang", "en", "--dressing", "none"]
    assert run(asked) == 0
    said = capsys.readouterr().out
    assert "63 sheets instead of 70 with --margin 5mm.\n" in said
    assert re.search("^\\d+ sheets have no terrain features; --skip-bare leaves them out", said, re.MULTILINE)
    Path("field.json").write_text(write(wooded()), encoding="utf-8")
    assert run([*asked, "--skip-bare", "--sheet", "a3"]) == 0
    assert "Left out because they have no terrain features: A1" in capsys.readouterr().out


def test_nothing_is_said_of_sheets_where_none_is_saved():
    assert printed()[1].saving is printed(sheet="one")[1].saving is None
    for given in ({"margin": "7mm"}, {"scale": "fit"}):
        assert plan_map(ground(48, 48), system("acw"), order(**given)).saving is None


WOOD = Area(id="wood", kind=Kind.LIGHT_WOODS, outline=box(20, 20, 120, 120), going=Going(1, "slow"))
"""In the near left corner, on the sheet C1 alone."""

PLAIN = ("zones", "deployment")


def wooded(outline=None):
    wood = WOOD if outline is None else replace(WOOD, outline=outline)
    return replace(BARE, battlefield=replace(BARE.battlefield, features=(wood,)))


def laid(record=None, hide=PLAIN, **given):
    planned = plan_map(record or wooded(), system("acw"), order(hide=hide, **given))
    return planned.document, planned


EVERY = [f"{row}{column}" for row in "ABC" for column in "1234"]


@pytest.mark.parametrize("style", ["ink-saver", "campaign"])
def test_sheets_without_a_feature_are_named_and_printed(style):
    document, planned = laid(style=style, dressing="light")
    assert planned.empty_sheets == tuple(name for name in EVERY if name != "C1")
    assert [page.label for page in document.pages if page.label in EVERY] == EVERY


def test_a_feature_or_a_line_of_the_rules_is_no_bare_ground():
    # From the first sheet into the second: 180 mm of ground stand on each.
    assert "C2" not in laid(wooded(box(20, 20, 200, 120)))[1].empty_sheets
    assert laid(hide=(*PLAIN, "numbers"))[1].empty_sheets == laid()[1].empty_sheets
    lines = (Overlay(kind="deployment", shape=box(0, 0, SIDE, 300), side="A"),)
    lined = replace(BARE, battlefield=replace(BARE.battlefield, overlays=lines))
    assert laid(lined, hide=("zones",))[1].empty_sheets == ("A1", "A2", "A3", "A4", "C1", "C2", "C3", "C4")


def test_dressing_alone_leaves_a_sheet_empty_and_a_plan_draws_nothing(monkeypatch):
    plain = laid(style="campaign")[1]
    drawn = []
    monkeypatch.setattr(board_drawing, "find_dressing", lambda *found: drawn.append(found))
    dressed = laid(style="campaign", dressing="full")[1]
    assert (dressed.empty_sheets, dressed.cuts) == (plain.empty_sheets, plain.cuts)
    assert drawn == []
    assert dressed.document.pages[-1].placements[0].drawing.layers
    assert len(drawn) == 1


def test_bare_sheets_are_left_out_where_that_is_asked():
    document, planned = laid(skip_bare=True)
    assert [page.label for page in document.pages if page.label in EVERY] == ["C1"]
    # A single sheet is cut on each side.
    assert (planned.pages, planned.cuts) == (1, 4)
    plan = " ".join(texts(data(document))[0].split())
    assert "Left out because they have no terrain features: A1, A2" in plan
    zone = laid(only=("zones",), skip_bare=True)[1]
    assert (zone.pages, zone.cuts, "1-B3" in zone.empty_sheets) == (1, 4, True)


def labels(document):
    return [page.label for page in document.pages]


def streams(document):
    read = opened(data(document))
    return {str(label): page.Contents.read_bytes() for label, page in zip(labels(document), read.pages, strict=True)}


@pytest.mark.parametrize(("only", "skip_bare"), [((), False), (("zones",), False), ((), True)])
def test_a_sheet_printed_again_is_what_it_was_to_the_byte(only, skip_bare):
    name = "1-C1" if only else "C1"
    whole, again = (streams(laid(only=each, skip_bare=skip_bare)[0]) for each in (only, (*only, name.lower())))
    assert again == {name: whole[name]}


def test_several_sheets_come_as_they_are_read():
    document, planned = laid(only=("c1", "B3", "B3"))
    assert labels(document) == ["B3", "C1"] == list(planned.reprinted_sheets)
    # What no sheet shows is not in the file.
    assert len(data(document)) < len(data(laid()[0]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"only": ("d1",)}, "this map does not print a sheet 'D1'; use one of A1, A2"),
        ({"only": ("b3",), "skip_bare": True}, r"use one of C1$"),
        ({"only": ("A1",), "sheet": "one"}, "needs a map on several sheets"),
        ({"record": BARE, "skip_bare": True}, "remove --skip-bare"),
    ],
)
def test_a_sheet_that_is_not_printed_is_refused(given, said):
    with pytest.raises(UsageError, match=said):
        laid(**given)


def test_files_say_what_is_printed_again():
    given = ({}, {"skip_bare": True}, {"only": ("B3", "1-c1")}, {"only": EVERY})
    marks = [map_marks(order(style="campaign", dressing="light", **each)) for each in given]
    assert marks == [("a4",), ("a4",), ("B3-1-C1", "a4"), (f"{len(EVERY)}-sheets", "a4")]


@pytest.mark.usefixtures("table", "_no_ink")
def test_the_commands_tell_bare_sheets_and_what_is_printed_again(capsys):
    Path("field.json").write_text(write(wooded()), encoding="utf-8")
    asked = ["map", "--from", "field.json", "--style", "ink-saver", "--lang", "en", "--hide", "zones", "--plan"]
    for more, told in (
        ([], "Sheets A1, A2, A3, A4, B1"),
        (["--skip-bare"], "Left out because they have no terrain features: A1, A2"),
        (["--only", "B3"], "B3 printed again, out of 12 sheets of A4"),
    ):
        assert run([*asked, "--dressing", "none", *more]) == 0
        said = capsys.readouterr().out
        assert told in said
    assert "field-seed1998-B3-a4-ink.pdf" in said
    assert run([*asked, "--only", "Z9"]) == 2
    assert "this board has no zone '9'" in capsys.readouterr().err


def test_a_plan_of_one_sheet_tells_its_ink(table, capsys):
    assert run(["map", "--seed", "7", "--only", "B3", "--plan", "--lang", "en"]) == 0
    assert re.search("would take 1 sheet of A4, 2 cuts, 2 minutes and about \\d+ % ink", capsys.readouterr().out)
    assert not list(table.iterdir())

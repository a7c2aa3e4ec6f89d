"""printkit calibrate: a test sheet that can be read with a ruler and a pin, and profiles from what is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_lines import Captured
from reading import opened, texts

from printkit.cli.app import run
from printkit.console import terminal
from printkit.core.errors import PageError
from printkit.core.words import Words
from printkit.core.words import find_words as find_words
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.canvas.items import Path as Outline
from printkit.drawing.lettering.extent import text_foot
from printkit.page.calibration import REACH, portrait_sheet
from printkit.page.calibration import test_lines as lengths_of
from printkit.page.printer import Margins, PrinterProfile
from printkit.page.sheet import Flip, find_sheet
from printkit.recipes.output import printers
from printkit.recipes.output.printers import calibration_document

SAVE = ["calibrate", "--printer", "study", "--measured", "176.4x272.7mm"]


@pytest.fixture(autouse=True)
def folder(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep profiles in an empty folder, and return it."""
    kept = table / "settings" / "printers"
    monkeypatch.setattr(terminal, "printers", lambda: kept)
    return kept


def drawn(sheet: str, page: int = 0, flip: Flip = Flip.LONG_EDGE, words: Words | None = None) -> Drawing:
    document = calibration_document(sheet, flip, words or Words(("en",)))
    (placement,) = document.pages[page].placements
    return placement.drawing


def straight(drawing: Drawing) -> set[tuple[float, ...]]:
    """Return the straight lines of a drawing, from x, y to x, y in mm."""
    paths = [item for _, item in drawing.items() if isinstance(item, Outline)]
    runs = [run for path in paths for run in path.runs if len(run.points) == 4]
    return {tuple(value / 100 for value in run.points) for run in runs}


def said(drawing: Drawing) -> list[tuple[str, tuple[float, float]]]:
    return [(item.content, text_foot(item)) for _, item in drawing.items() if isinstance(item, Text)]


@pytest.mark.parametrize(("sheet", "across", "along"), [("a4", 180, 270), ("letter", 180, 250), ("a3", 270, 390)])
def test_the_lines_are_as_long_as_they_say(sheet: str, across: float, along: float) -> None:
    paper = find_sheet(sheet)
    assert lengths_of(paper) == (across, along)
    lines = straight(drawn(sheet))
    level = {end[2] - end[0] for end in lines if end[1] == end[3]}
    standing = {end[3] - end[1] for end in lines if end[0] == end[2]}
    assert max(level) == pytest.approx(across, abs=0.01)
    assert max(standing) == pytest.approx(along, abs=0.01)
    contents = [content for content, _ in said(drawn(sheet))]
    assert f"A: {across} mm = {across / 25.4:.2f} in" in contents
    assert f"B: {along} mm = {along / 25.4:.2f} in" in contents


def test_the_grid_stands_in_the_middle_and_its_numbers_say_what_to_type() -> None:
    """A hole 2 mm to the right of the middle of the grid means a back 2 mm too far to the left: -2."""
    middle = (105.0, 148.5)
    back = straight(drawn("a4", 1))
    there = [(at, content) for content, at in said(drawn("a4", 1)) if 160 < at[1] < 170]
    above = [(at[0], content) for at, content in there if re.fullmatch("−?[0-5]", content) and at[0] < 127]
    for by in range(-REACH, REACH + 1):
        assert (middle[0] + by, middle[1] - REACH, middle[0] + by, middle[1] + REACH) in back
        assert (middle[0] - REACH, middle[1] + by, middle[0] + REACH, middle[1] + by) in back
    assert [number for _, number in sorted(above)] == ["5", "4", "3", "2", "1", "0", "−1", "−2", "−3", "−4", "−5"]


@pytest.mark.parametrize(("sheet", "lang"), [("a4", "en"), ("a4", "es"), ("a4", "en+es"), ("letter", "en+es")])
def test_the_sheet_fits_in_every_language_and_carries_its_command(sheet: str, lang: str) -> None:
    words = find_words(lang)
    room = find_sheet(sheet)
    pages = [said(drawn(sheet, page, words=words)) for page in (0, 1)]
    front, back = ([content for content, _ in page] for page in pages)
    assert f"printkit calibrate --printer NAME --sheet {sheet} --measured AxB" in front
    assert '--margins "C D E F mm" --back "G,Hmm"' in front
    assert words("calibration.title") in front
    assert words("calibration.back-title") in back
    for content, (x, y) in (*pages[0], *pages[1]):
        assert 15 < x < room.width - 15, content
        assert 15 < y < room.height - 15, content


def test_the_edge_it_is_turned_over_stands_in_words_command_and_file_which_is_always_the_same() -> None:
    flipped = ["calibrate", "--flip", "short-edge", "--lang", "en", "--quiet"]
    assert run(flipped) == run([*flipped, "--out", "again.pdf"]) == 0
    data = Path("output/calibration-a4-short-edge.pdf").read_bytes()
    assert Path("again.pdf").read_bytes() == data
    front = texts(data)[0]
    assert "flipped on the short edge" in " ".join(front.split())
    assert "--flip short-edge" in front
    assert opened(data).Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


ENDLESS = "has no fixed size, so it cannot have a test sheet. Choose another paper."


@pytest.mark.parametrize(("sheet", "reason"), [("one", ENDLESS), ("24in-roll", ENDLESS), ("100x200mm", "too small")])
def test_paper_that_cannot_be_tested_is_refused(sheet: str, reason: str) -> None:
    with pytest.raises(PageError, match=reason):
        portrait_sheet(find_sheet(sheet))


def test_what_is_measured_is_saved_and_said(folder: Path, capsys: Captured) -> None:
    more = ["--margins", "4 4 3 12mm", "--back", "-1.5,0.5mm"]
    assert run([*SAVE, *more]) == 0
    assert printers.find("study", folder) == PrinterProfile(
        name="study", scale_x=0.98, scale_y=1.01, back_dx=-1.5, back_dy=0.5, margins=Margins(4.0, 4.0, 3.0, 12.0)
    )
    told = capsys.readouterr().err
    assert "From now on print with --printer study" in told
    assert "width: prints at 98.00%; sheets are widened to 102.04%" in told
    assert "height: prints at 101.00%; sheets are shortened to 99.01%" in told
    assert "backs: moved 1.5 mm to the right and 0.5 mm down, when flipped on the long edge" in told
    assert "margins: left 4 mm, right 4 mm, top 3 mm, bottom 12 mm" in told
    assert [path.name for path in folder.iterdir()] == ["study.toml"]


def test_inches_and_other_paper_are_measured_too(folder: Path) -> None:
    margins = ["--margins", "0.17in,4mm,3mm,3mm"]
    measured = ["--measured", "7.0866in x 25 cm"]
    assert run(["calibrate", "--printer", "Attic", "--sheet", "letter", *margins, *measured, *margins]) == 0
    profile = printers.find("attic", folder)
    assert profile.scale_x == pytest.approx(1.0, abs=1e-5)
    assert (profile.scale_y, profile.flip) == (1.0, Flip.LONG_EDGE)
    assert profile.margins == Margins(4.318, 4.0, 3.0, 3.0)


def test_sheets_made_to_fit_are_doubted_and_a_printer_measured_again_is_replaced(
    folder: Path, capsys: Captured
) -> None:
    assert run(SAVE) == run([*SAVE[:-1], "176.4x270mm"]) == 0
    assert printers.find("study", folder).scale_y == 1.0
    capsys.readouterr()
    assert run([*SAVE[:-1], "172x258mm"]) == 0
    assert capsys.readouterr().err.count("printers are rarely so far off") == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([*SAVE[:-1], "140x270mm"], "--measured: line A = 140mm is too far from the 180 mm (7.09 in)"),
        ([*SAVE[:-1], "-176x270mm"], "--measured: line A = -176mm is too far"),
        ([*SAVE[:-1], "176x350mm"], "--measured: line B = 350mm is too far from the 270 mm"),
        ([*SAVE[:-1], "176x270"], "--measured: '176' has no unit"),
        ([*SAVE[:-1], "176mm"], "--measured '176mm' is not two lengths"),
        ([*SAVE[:-1], "x270mm"], "--measured: '' is not a length"),
        (SAVE[:-2], "give both"),
        (["calibrate", "--back", "1,1mm"], "give both"),
        ([*SAVE, "--back", "1,12mm"], "--back: 12mm is more than the 10 mm"),
        ([*SAVE, "--back", "x,1mm"], "--back: 'x' is not a length"),
        ([*SAVE, "--back", "1mm"], "--back '1mm' is not two lengths"),
        ([*SAVE, "--back", " "], "--back ' ' is not two lengths"),
        ([*SAVE, "--margins", "4 4 4mm"], "is not four lengths"),
        ([*SAVE, "--margins", "4 4 4 4"], "'4' has no unit"),
        ([*SAVE, "--margins", "4 4 4 90mm"], "is wider than the margins of any printer"),
        ([*SAVE, "--flip", "top"], "--flip 'top' is not an edge"),
        (
            ["calibrate", "--printer", "../study", *SAVE[3:]],
            "is not a valid printer name; use a-z, digits and hyphens, at most",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(arguments: list[str], reason: str, folder: Path, capsys: Captured) -> None:
    assert run(arguments) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert reason in line
    assert not folder.exists()


@pytest.mark.parametrize(
    "back", [["--back", "-0.5,-1mm"], ["--back=-0.5,-1mm"], ["--back", "−0.5 mm, −1 mm"], ["--back", "-.05cm -1mm"]]
)
def test_the_back_may_be_off_to_either_side(back: list[str], folder: Path) -> None:
    assert run([*SAVE, *back, "--quiet"]) == 0
    profile = printers.find("study", folder)
    assert (profile.back_dx, profile.back_dy) == (-0.5, -1.0)


def test_saved_printers_are_listed_below_the_test_sheet(capsys: Captured) -> None:
    assert run(["calibrate", "--lang", "en"]) == 0
    said = capsys.readouterr()
    assert said.out == "No printer is saved yet.\n"
    assert said.err.splitlines()[:2] == ["Printer test sheet: 1 sheet of A4.", "  output/calibration-a4.pdf"]
    assert run([*SAVE, "--back", "1,0mm", "--margins", "4 4 3 12mm", "--quiet"]) == 0
    assert run(["calibrate", "--printer", "attic", *SAVE[3:], "--quiet"]) == 0
    assert run(["calibrate", "--lang", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "attic: width 98.00%, height 101.00%",
        "study: width 98.00%, height 101.00%; backs moved 1 mm to the left (long edge); "
        "margins left 4 mm, right 4 mm, top 3 mm, bottom 12 mm",
    ]
    assert run(["calibrate", "--lang", "en", "--quiet"]) == 0
    assert capsys.readouterr().out == ""


def test_an_unknown_printer_is_refused_with_those_there_are_and_an_error_names_its_file(
    capsys: Captured, folder: Path
) -> None:
    assert run(["specimen", "--printer", "attic"]) == 2
    assert (
        "unknown printer 'attic'; none is saved yet; to save one, print a test sheet with printkit calibrate"
        in capsys.readouterr().err
    )
    assert run([*SAVE, "--quiet"]) == 0
    assert run(["map", "--seed", "6", "--printer", "attic"]) == 2
    assert (
        "unknown printer 'attic'; the saved ones are study; to save one, print a test sheet with printkit calibrate"
        in capsys.readouterr().err
    )
    (folder / "study.toml").write_text("[scale]\nacross = 2", encoding="utf-8")
    assert run(["cards", "blank", "--printer", "study"]) == 1
    assert f"{folder / 'study.toml'}, line 2: scale.across = 2 is not valid. Write a number" in capsys.readouterr().err


def test_a_map_is_printed_true_and_says_for_which_printer(capsys: Captured) -> None:
    assert run([*SAVE, "--margins", "4 4 3 6mm", "--quiet"]) == 0
    arguments = ["map", "--seed", "5", "--scale", "1:8", "--lang", "en", "--printer", "study"]
    assert run([*arguments, "--out", "map.pdf"]) == 0
    assert "cannot reach" not in capsys.readouterr().err
    assert "printer profile: study" in texts(Path("map.pdf").read_bytes())[0]


def test_profiles_are_kept_where_the_system_keeps_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import platformdirs

    monkeypatch.undo()
    monkeypatch.setattr(platformdirs, "user_config_path", lambda name, **_: tmp_path / name)
    assert terminal.printers() == tmp_path / "printkit" / "printers"


def test_the_studio_saves_in_the_documents_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import platformdirs

    monkeypatch.chdir(tmp_path)
    assert terminal.files_folder() == Path("output")
    monkeypatch.setattr(terminal, "_PACKAGE", tmp_path / "site-packages" / "printkit")
    monkeypatch.setattr(platformdirs, "user_documents_path", lambda: tmp_path / "Documents")
    assert terminal.files_folder() == tmp_path / "Documents" / "printkit"
    assert (tmp_path / "Documents" / "printkit").is_dir()
    monkeypatch.setattr(platformdirs, "user_documents_path", lambda: Path(__file__))
    with pytest.raises(PageError, match=r"cannot create .*printkit: Not a directory"):
        terminal.files_folder()

"""Papers of a person's own at every command that prints: the sheets, what is said, and what files are called."""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from command_lines import Captured

import printkit
from printkit.cli.app import run
from printkit.console import terminal
from printkit.core.reading import MOST_BYTES
from printkit.core.words import Words
from printkit.page.sheet import Sheet, find_sheet, unique_name

PAPERS = """
[sheets]
mine = { width = 300, height = 420, margin = 12, head = 15 }
plot = { width = 610, margin = 8 }
"""
OTHER = "[sheets]\nmine = { width = 320, height = 450 }\n"
ENGLISH = Words(("en",))

pytestmark = pytest.mark.usefixtures("_bare")


@pytest.fixture(autouse=True)
def papers(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put two files with a paper of the same name into an empty folder, in which commands then run."""
    (table / "other").mkdir()
    (table / "Papers.toml").write_text(PAPERS, encoding="utf-8")
    (table / "other" / "Papers.toml").write_text(OTHER, encoding="utf-8")
    monkeypatch.setattr(terminal, "printers", lambda: table / "settings")
    return table


def sizes(path: Path) -> set[tuple[int, int]]:
    """Return the sizes of the pages of a file in whole mm, upright."""
    with pikepdf.open(BytesIO(path.read_bytes())) as made:
        boxes = [[float(side) * 25.4 / 72 for side in page.mediabox[2:]] for page in made.pages]
    return {(round(min(box)), round(max(box))) for box in boxes}


def said(path: Path) -> str:
    """Return the text of a file on one line."""
    made = pypdfium2.PdfDocument(path.read_bytes())
    text = " ".join(page.get_textpage().get_text_range() for page in made)
    made.close()
    return " ".join(text.split())


def written(*command: str) -> list[Path]:
    """Run a command, and return the sheets that it has written."""
    assert run([*command, "--lang", "en", "--out", "output", "--quiet"]) == 0
    return sorted(Path("output").rglob("*.pdf"))


COMMANDS = {
    "map": ["map", "--seed", "7"],
    "one page": ["map", "--seed", "7", "--scale", "fit"],
    "by zone": ["map", "--rules", "acw", "--seed", "7", "--scale", "1:2", "--only", "Z3"],
    "grid": ["map", "--rules", "portable-2", "--blank", "--cell", "50mm"],
    "form": ["map", "--rules", "acw", "--blank"],
    "cards": ["cards", "terrain"],
    "blank cards": ["cards", "blank"],
    "hexon": ["hexon", "--rules", "portable-2", "--seed", "7"],
    "calibrate": ["calibrate"],
    "counters": ["npg", "counters", "gallic"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_sheets_of_a_paper_of_ones_own_have_its_size(command: list[str]) -> None:
    (path,) = written(*command, "--sheet", "Papers.toml:mine")
    assert (300, 420) in sizes(path)
    # Leaflets that are held in one hand are printed on A4 where the paper is large, as beside every large paper.
    assert sizes(path) <= {(300, 420), (210, 297)}
    assert "mine-300x420mm" in path.stem


@pytest.mark.parametrize("command", [["map", "--seed", "7"], ["map", "--rules", "portable-2", "--seed", "7"]])
def test_a_roll_of_ones_own_is_cut_as_the_map_needs_it(command: list[str]) -> None:
    plan, path = sorted(written(*command, "--sheet", "Papers.toml:plot"))
    assert all(610 in size for size in sizes(path))
    assert sizes(plan) == {(210, 297)}
    assert path.stem.endswith("plot-610mm")
    assert plan.stem == f"{path.stem}-plan"


def test_an_evening_on_ones_own_paper_and_on_rolls_of_any_name() -> None:
    for sheet, told in (("Papers.toml:mine", "Mine"), ("Papers.toml:plot", "Plot, 610 × "), ("24in-roll", "610 × ")):
        made = {path.name: path for path in written("handouts", "--seed", "7", "--sheet", sheet, "--force")}
        assert told in said(made["contents.pdf"])
        assert (210, 297) not in sizes(made["map.pdf"])
        shutil.rmtree("output")


def test_a_secret_deal_is_printed_on_paper_that_is_held_in_the_hand(table: Path) -> None:
    (table / "small.toml").write_text("[sheets]\nsmall = { width = 215, height = 300 }\n", encoding="utf-8")
    for sheet, shown in (("small.toml", (215, 300)), ("Papers.toml:plot", (210, 297))):
        deal = ["deal", "--set", "title=Trial", "--sheet", sheet, "--lang", "en", "--quiet"]
        assert run([*deal, "--out", f"games-{shown[0]}"]) == 0
        (game,) = Path(f"games-{shown[0]}").iterdir()
        assert sizes(game / "board.pdf") == sizes(game / "player-a" / "hand.pdf") == {shown}
        assert run(["status", str(game), "--sheet", sheet, "--out", f"hidden-{shown[0]}.pdf", "--lang", "en"]) == 0
        assert sizes(Path(f"hidden-{shown[0]}.pdf")) == {shown}


def test_the_test_sheet_tells_what_to_type_and_that_works() -> None:
    (path,) = written("calibrate", "--sheet", "Papers.toml:mine")
    told = said(path)
    assert "--sheet Papers.toml:mine" in told
    measured = ["--measured", "270x390mm"]
    assert run(["calibrate", "--printer", "shed", "--sheet", "Papers.toml:mine", *measured, "--quiet"]) == 0
    assert "scale" in Path("settings/shed.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("my papers/Papers.toml:mine", '--sheet "my papers/Papers.toml:mine"'),
        (f"a/long/way/{'down/' * 12}Papers.toml:mine", "--sheet Papers.toml:mine"),
        ("紙/Papers.toml:mine", "--sheet Papers.toml:mine"),
        # No typeface has the name of this file.
        ("紙.toml:mine", "--sheet FILE.toml:mine"),
        ("30 x 40 cm", '--sheet "30 x 40 cm" --measured'),
    ],
)
def test_a_paper_is_told_as_it_can_be_typed(table: Path, sheet: str, told: str) -> None:
    if sheet.endswith(":mine"):
        path = table / sheet.removesuffix(":mine")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PAPERS, encoding="utf-8")
    (made,) = written("calibrate", "--sheet", sheet)
    assert told in said(made)


def test_a_paper_has_a_name_that_tells_its_size() -> None:
    for text in ("a4", "letter", "24in-roll", "one", "30x40cm", "12x18in"):
        assert unique_name(find_sheet(text)) == text
        assert unique_name(find_sheet(text).rotated()) == text
    assert unique_name(Sheet("a4", 200.0, 300.0, 10.0)) == "a4-200x300mm"
    assert unique_name(Sheet("30x40cm", 200.0, 300.0, 10.0)) == "30x40cm-200x300mm"
    assert unique_name(Sheet("2-up", 297.5, 210.0, 10.0)) == "2-up-297.5x210mm"


def test_tiles_and_forms_name_their_paper_and_forms_that_differ_are_numbered() -> None:
    for more in ([], ["--margin", "15mm"], ["--sheet", "Papers.toml:mine"]):
        assert run(["hexon", "--rules", "portable-2", "--seed", "7", "--lang", "en", "--quiet", *more]) == 0
    for more in ([], ["--style", "ink-saver"], ["--set", "state=maryland"], ["--sheet", "other/Papers.toml"]):
        assert run(["map", "--rules", "acw", "--blank", "--lang", "en", "--quiet", *more]) == 0
    names = sorted(path.stem for path in Path("output").glob("*.pdf"))
    assert len([name for name in names if "hexon" in name]) == 2
    assert len([name for name in names if "form" in name]) == 4


def test_a_program_prints_on_it_too(table: Path) -> None:
    (path,) = printkit.generate(seed=7).pdf(table / "shop", sheet="Papers.toml:mine")
    assert path.name == "field-of-mutila-seed7-mine-300x420mm.pdf"
    (path,) = printkit.cards("terrain", table / "shop", sheet="other/Papers.toml")
    assert path.name == "cards-terrain-mine-320x450mm.pdf"


BAD = {
    "empty": ("", "bad.toml: the file is empty"),
    "no sheets": ("# None", "sheets is missing"),
    "no TOML": ("mine = {", "not valid TOML"),
    "no width": ("[sheets]\nmine = { height = 300 }", "mine"),
    "below nothing": ("[sheets]\nmine = { width = -210, height = 300 }", "mine.width"),
    "wide margins": ("[sheets]\nmine = { width = 210, height = 300, margin = 105 }", "margins"),
    "high margins": ("[sheets]\nmine = { width = 210, height = 300, margin = 5, head = 150 }", "margins"),
    "unknown": (
        "[sheets]\nmine = { width = 210, height = 300, colour = 3 }",
        "bad.toml, line 2: sheets.mine: unknown key",
    ),
    "too large": (f"# {'x' * MOST_BYTES}", "larger than 8 MB"),
    "no text": ("\x00", "not valid TOML"),
}


@pytest.mark.parametrize("command", [["map", "--seed", "7"], ["cards", "terrain"], ["calibrate"], ["deal"]])
@pytest.mark.parametrize(("text", "told"), BAD.values(), ids=BAD)
def test_a_file_that_is_wrong_is_refused_in_a_line(
    command: list[str], text: str, told: str, table: Path, capsys: Captured
) -> None:
    (table / "bad.toml").write_text(text, encoding="utf-8")
    assert run([*command, "--sheet", "bad.toml", "--lang", "en", "--out", "output"]) in (1, 2)
    heard = capsys.readouterr().err
    assert heard.count("\n") == 1
    assert told in heard
    assert not list(Path("output").rglob("*.pdf"))


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("none.toml", "none.toml cannot be read:"),
        ("Papers.toml", "has several papers (mine, plot); name one, for example Papers.toml:mine"),
        ("Papers.toml:yours", "has several papers (mine, plot); name one, for example Papers.toml:mine"),
        ("other", "unknown paper"),
        ("other.toml/x", "unknown paper"),
        ("folder.toml", "folder.toml cannot be read:"),
    ],
)
def test_a_paper_not_there_is_told_with_those_that_are(sheet: str, told: str, table: Path, capsys: Captured) -> None:
    (table / "folder.toml").mkdir()
    for command in (["map", "--seed", "7"], ["cards", "terrain"], ["hexon", "--rules", "portable-2", "--seed", "7"]):
        assert run([*command, "--sheet", sheet, "--lang", "en"]) in (1, 2)
        heard = capsys.readouterr().err
        assert heard.count("\n") == 1
        assert told in heard

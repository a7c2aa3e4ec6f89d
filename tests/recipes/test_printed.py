"""One whole board as it is printed: a sound file, true lengths, every sheet, its key, tiles; and empty grids."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest
from bare_boards import own_pictures
from drawn_once import boards_drawn_once
from msgspec.structs import replace
from reading import OPERATORS, POINTS, RESOURCES, Step, content, holders, opened, outlines, rendered, texts

import printkit
from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import SEPARATOR, Words, find_words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.export import pdf
from printkit.kit.registry import all_systems
from printkit.kit.registry import find as system
from printkit.kit.system import RuleSystem
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document, Page, Sheet
from printkit.recipes.prints.map_key import KeyKind, caption_sides, key_accounts, side_rows
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.features import Crossing, Hill
from printkit.terrain.field.record import Record

SIDE = 609.6
DOTS = 5
"""Pixels a millimetre, at which sheets and map are compared: 127 an inch. Windows lie on whole pixels."""

SHEETS = {"a4": 12, "letter": 12, "a3": 6}


class Printer:
    """Prints one game on whatever paper is asked for, each only once."""

    def __init__(self, system: RuleSystem, record: Record) -> None:
        self.document = cache(lambda sheet, furniture=None: self._document(system, record, sheet, furniture))
        self.data = cache(lambda sheet, furniture=None: pdf.data(self.document(sheet, furniture)))

    def _document(self, system: RuleSystem, record: Record, sheet: str, furniture: str | None) -> Document:
        order = map_context(MapOptions(sheet=sheet, furniture=furniture), Words(("en",)))
        return plan_map(record, system, order).document


@pytest.fixture(scope="module")
def printer(game: tuple[RuleSystem, Record]) -> Iterator[Printer]:
    """Return the printer; for every paper it prints the same board, which is drawn once."""
    with pytest.MonkeyPatch.context() as patch:
        boards_drawn_once(patch)
        own_pictures(patch)
        yield Printer(*game)


def tiles(document: Document) -> list[Page]:
    """Return the sheets of the map without the plan that comes first."""
    return [page for page in document.pages if not page.label.startswith("plan")]


def test_the_command_prints_what_is_looked_at_here(printer: Printer, game_record: Path, tmp_path: Path) -> None:
    assert run(["map", "--from", str(game_record), "--lang", "en", "--out", str(tmp_path), "--quiet"]) == 0
    printed = (tmp_path / f"{game_record.stem}-a4.pdf").read_bytes()
    # Not compared by the assertion itself, which would set out where files of a megabyte differ.
    assert hashlib.sha256(printer.data("a4")).digest() == hashlib.sha256(printed).digest()


@pytest.mark.parametrize("sheet", [*SHEETS, "one"])
def test_nothing_is_wrong_with_the_file(sheet: str, printer: Printer) -> None:
    assert opened(printer.data(sheet)).check_pdf_syntax() == []


@pytest.mark.parametrize("sheet", ["a4", "one"])
def test_streams_hold_legal_operators_plain_numbers_and_known_resources(sheet: str, printer: Printer) -> None:
    for holder in holders(opened(printer.data(sheet))):
        used: dict[str, set[str]] = {}
        for operands, operator in pikepdf.parse_content_stream(holder):
            assert str(operator) in OPERATORS
            if str(operator) in RESOURCES:
                used.setdefault(RESOURCES[str(operator)], set()).add(str(operands[0]))
        assert used == {kind: set(members.keys()) for kind, members in holder.Resources.items()}
        bare = re.sub(rb"<[0-9A-Fa-f]*>", b"", content(holder))
        assert not re.search(rb"[0-9.][eE][+-]?[0-9]|nan|inf", bare)


def test_typefaces_are_embedded_as_subsets_and_the_files_are_small(printer: Printer) -> None:
    made = opened(printer.data("a4"))
    fonts = {font.objgen: font for holder in holders(made) for font in holder.Resources.get("/Font", {}).values()}
    assert len(fonts) > 2
    one, tiled = len(printer.data("one", "mat")), len(printer.data("a4"))
    assert one < 2_000_000
    assert tiled < 1.4 * one
    for font in fonts.values():
        assert re.match(r"/[A-Z]{6}\+", str(font.BaseFont))
        assert 1_000 < len(font.FontDescriptor.FontFile2.read_bytes()) < 60_000


def test_names_and_title_can_be_selected(printer: Printer, game: tuple[RuleSystem, Record]) -> None:
    field = game[1].battlefield
    (shown,) = texts(printer.data("one"))
    pages = texts(printer.data("a4"))
    plan, sheets = " ".join(pages[:-12]), pages[-12:]
    for feature in field.features:
        if feature.name:
            # The key names it again, so that it stands there once more than on the map.
            assert _words(feature.name) in _words(shown), feature.name
            assert any(_words(feature.name) in _words(sheet) for sheet in sheets), feature.name
    assert _words(field.title) in _words(plan)
    for page, sheet in zip(tiles(printer.document("a4")), sheets, strict=True):
        assert f"sheet {page.label}" in sheet


def _words(text: str) -> str:
    """Return letters alone: what is letter-spaced or set along a curve may be parted otherwise."""
    return re.sub(r"\W", "", text).lower()


@pytest.mark.parametrize(("sheet", "count"), SHEETS.items())
def test_a_board_takes_no_more_sheets_than_it_must_and_check_bars_are_true_on_each(
    sheet: str, count: int, printer: Printer
) -> None:
    document, made = printer.document(sheet), opened(printer.data(sheet))
    labels = [page.label for page in document.pages]
    assert labels[0] == "plan"
    assert len(tiles(document)) == count
    assert len(set(labels)) == len(labels)
    assert len({(page.sheet.width, page.sheet.height) for page in tiles(document)}) == 1
    known: dict[tuple[int, int], list[Step]] = {}
    for page in list(made.pages)[-count:]:
        found = list(outlines(page, known=known))
        for along in (100.0, 101.6):
            lying = [each for each in found if abs(each.size[0] - along) < 0.02 and each.size[1] < 5]
            standing = [each for each in found if abs(each.size[1] - along) < 0.02 and each.size[0] < 5]
            assert len(lying) == len(standing) == 1


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_bank_card_ends_at_the_card_marks(sheet: str, printer: Printer) -> None:
    data, dots = printer.data(sheet), 40
    with opened(data) as pages:
        found = list(outlines(list(pages.pages)[-1]))
    (lying,) = (each for each in found if abs(each.size[0] - 100.0) < 0.02 and each.size[1] < 5)
    (standing,) = (each for each in found if abs(each.size[1] - 100.0) < 0.02 and each.size[0] < 5)
    made = pypdfium2.PdfDocument(data)
    shown = made[len(made) - 1].render(scale=dots / POINTS, grayscale=True).to_numpy()
    shown = shown.reshape(shown.shape[:2])
    # Beside each bar, where its line reaches out and nothing else is near.
    below = shown[-round((lying.bottom - 0.3) * dots), : round((lying.left + 98) * dots)]
    left = shown[::-1, round((standing.left - 0.3) * dots)][: round((standing.bottom + 98) * dots)]
    for row, start, end in ((below, lying.left, 85.60), (left, standing.bottom, 53.98)):
        black = np.flatnonzero(row[round((start + 45) * dots) :] < 128) / dots + 45
        assert (black.min() + black.max()) / 2 == pytest.approx(end, abs=0.05)
        assert black.max() - black.min() < 0.3
    made.close()


@pytest.mark.parametrize("furniture", ["mat", "full"])
def test_the_board_inside_its_frame_is_true(furniture: str, printer: Printer) -> None:
    """The neat line stands outside the board: what it encloses is the board."""
    made = opened(printer.data("one", furniture))
    frames = [each for each in outlines(made.pages[0]) if abs(each.size[0] - SIDE) < 5 and abs(each.size[1] - SIDE) < 5]
    assert frames
    inner = min(frames, key=lambda frame: frame.size)
    for along in inner.size:
        assert along - inner.width == pytest.approx(SIDE, abs=0.02)
    # Without furniture the sheet is the board.
    bare = opened(printer.data("one", "none"))
    assert [float(side) / POINTS for side in bare.pages[0].MediaBox] == pytest.approx([0, 0, SIDE, SIDE], abs=1e-3)


def test_pasted_tiles_are_the_map_and_show_nothing_beyond_their_windows(printer: Printer) -> None:
    sheets = tiles(printer.document("a4"))
    drawing = sheets[0].placements[0].drawing
    one = printer.document("one", "mat")
    assert (drawing.width, drawing.height) == (one.pages[0].sheet.width, one.pages[0].sheet.height)
    whole = _whole(one, drawing)
    covered = np.zeros(whole.shape, dtype=bool)
    far = 0
    # Outside its window a sheet has marks, and no map.
    assert all(page.placements[0].clip == page.trim for page in sheets)
    for page, shown in zip(sheets, rendered(_data(sheets), DOTS), strict=True):
        sheet, piece = _windows(page, shown.shape[0], whole.shape[0])
        covered[piece] = True
        far = max(far, int(np.abs(shown[sheet] - whole[piece]).max(initial=0)))
    lines = int(drawing.height * DOTS)
    assert covered[-lines:, :lines].all(), "the sheets leave a gap"
    assert far <= 16, "a sheet shows something else than the map"


def _data(pages: list[Page]) -> bytes:
    return pdf.data(Document(title="", pages=tuple(pages)))


def _whole(document: Document, drawing: Drawing) -> np.ndarray:
    """Return the picture of a map of one sheet, on paper of whole pixels; names of a tiled map keep off its seams."""
    (page,) = document.pages
    page = replace(page, placements=(replace(page.placements[0], drawing=drawing), *page.placements[1:]))
    side = float(int(max(page.sheet.width, page.sheet.height)) + 1)
    paper = replace(page, sheet=Sheet("one", side, side, 0.0), trim=Rect(0.0, 0.0, side, side))
    (shown,) = rendered(_data([paper]), DOTS)
    return shown


def _windows(page: Page, height: int, whole: int) -> Iterator[tuple[slice, slice]]:
    """Return the rows and columns of what a sheet shows of the map: on the sheet, and on the map."""
    trim, moved = page.trim, page.placements[0].transform
    left, bottom, right, top = (round(value * DOTS) for value in (trim.x, trim.y, trim.right, trim.top))
    across, up = round(moved.e * DOTS), round(moved.f * DOTS)
    on_sheet = (slice(height - top, height - bottom), slice(left, right))
    on_map = (slice(whole - (top - up), whole - (bottom - up)), slice(left - across, right - across))
    return iter((on_sheet, on_map))


@pytest.mark.clause("PW0-01", "PW0-15")
def test_an_empty_grid_has_the_cells_that_were_asked_for(table: Path) -> None:
    asked = ["--set", "grid=sq-10x10", "--cell", "20mm", "--to", "pdf"]
    assert run(["map", "--rules", "portable-2", "--blank", *asked, "--quiet", "--out", "grid.pdf"]) == 0
    said = json.loads((table / "grid.json").read_text(encoding="utf-8"))
    assert said["grid"] == {"shape": "square", "columns": 10, "rows": 10, "grain": "", "cell_mm": 20.0}
    assert (said["features"], said["log"], said["board"]["width_mm"]) == ([], [], 200.0)
    assert (table / "grid.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("table")
def test_no_empty_grid_is_thrown_for_and_rules_without_cells_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "--rules", "brantley", "--blank"]) == 2
    assert "brantley uses a board without a grid" in capsys.readouterr().err
    assert run(["map", "--rules", "portable-2", "--blank", "--dice", "1 2 3"]) == 2
    assert "--blank prints one empty grid" in capsys.readouterr().err


ENGLISH, BOTH = find_words("en"), find_words("en+es")


def accounts(
    name: str, seed: int, kind: KeyKind, *, lang: str = "en", board: str | None = None
) -> tuple[Record, dict[str, str]]:
    record = printkit.generate(name, seed=seed, board=board).record
    return record, dict(key_accounts(record, system(name), find_words(lang), kind))


GAMES = [("brantley", 14), ("acw", 63), ("dba3", 31), ("solo-dba", 5), ("portable-2", 5), ("portable-1", 2)]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_a_plain_key_names_no_die_and_no_clause(name: str, seed: int) -> None:
    record, plain = accounts(name, seed, KeyKind.PLAIN)
    clauses, heard = set(all_systems()[name].book.clauses), " ".join(plain.values())
    assert plain
    assert not [word for word in re.split(r"[^\w.-]+", heard) if word.strip(".") in clauses]
    assert not re.search(r"\b([Dd]ie|[Dd]ice|[Rr]oll(s|ed)?|thrown?|threw)\b", heard)
    assert key_accounts(record, system(name), ENGLISH, KeyKind.FULL) == system(name).account(record, ENGLISH)


def test_a_plain_key_tells_how_large_things_are_and_where_they_are_steep() -> None:
    record, plain = accounts("acw", 63, KeyKind.PLAIN, board="72x48in")
    assert re.search(r"\d\.\d × \d+\.\d in, \d+\.\d × \d+\.\d cm\.", plain[record.battlefield.features[1].id])
    for feature in record.battlefield.features:
        if isinstance(feature, Hill) and feature.faces:
            assert plain[feature.id].startswith("Steep slope: difficult.")
        if isinstance(feature, Crossing):
            assert plain[feature.id] == "Crossing point."
    # On cells it tells all cells of a feature, and a size stands once in two languages.
    record, plain = accounts("portable-2", 5, KeyKind.PLAIN)
    hill = next(feature for feature in record.battlefield.features if isinstance(feature, Hill) and feature.cells[1:])
    assert plain[hill.id].split() == [f"{column:02d}{row:02d}" for column, row in hill.cells]
    record, plain = accounts("brantley", 14, KeyKind.PLAIN, lang="en+es")
    first, second = plain["z1"].split(SEPARATOR)
    assert first == second
    assert record.battlefield.features[0].id in plain


def test_an_empty_grid_has_no_sides_and_a_game_has_them() -> None:
    game, rules = printkit.generate("portable-2", seed=5).record, system("portable-2")
    empty = replace(game, log=(), battlefield=replace(game.battlefield, features=()))
    said = "Player A: blue, dashed lines, far edge · Player B: red, solid lines, near edge"
    plain = map_context(MapOptions(), ENGLISH)
    evening = replace(plain, of_game=True)
    assert caption_sides(game, rules, evening)["who"] == side_rows(game, rules, evening) == (said,)
    assert caption_sides(game, rules, plain)["who"] == side_rows(game, rules, plain) == ()
    assert caption_sides(empty, rules, evening)["who"] == side_rows(empty, rules, evening) == ()


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown --key 'long'; use one of plain, full"):
        map_context(MapOptions(key="long"), ENGLISH)

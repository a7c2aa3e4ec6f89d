"""A map for a print shop: the page that it was, and around it what reaches its trim; boxes tell which is which."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pikepdf
import pypdfium2
import pytest

import printkit
from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Ink
from printkit.drawing.canvas.layers import marks_drawing
from printkit.drawing.canvas.plain import make_rectangle
from printkit.drawing.canvas.style import Style
from printkit.drawing.lettering.lettering import SMALL, line
from printkit.export import pdf
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.page.bleed import with_bleed
from printkit.page.sheet import Document, page_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.files import find_style
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("_drawn_once")

STYLES = ("campaign", "ink-saver", "high-contrast")
ENGLISH = Words(("en",))
DOTS = 4
"""Dots a millimetre of the pages that are looked at."""

WHITE = 255
MAP = ("map", "--seed", "7", "--sheet", "one", "--lang", "en")
MARGIN = 6 * DOTS
"""More than the margin of a mat at 1:3."""

_WRITTEN: dict[tuple, bytes] = {}


@pytest.fixture(scope="module")
def record() -> Record:
    """Return a field with a road to its edge, and no wood there."""
    rules = system("brantley")
    return play(rules, Orders(rules="brantley", seed=26), 26, ENGLISH).record


def written(record: Record, bleed: str = "0mm", **asked) -> bytes:
    """Return the file of a map; each is made once."""
    key = record.rules, bleed, *sorted(asked.items())
    if key not in _WRITTEN:
        _WRITTEN[key] = printed_as(record, bleed=bleed, **asked)
    return _WRITTEN[key]


def printed_as(record: Record, **asked) -> bytes:
    order = map_context(MapOptions(**{"sheet": "one", "scale": "1:3", **asked}), ENGLISH)
    return pdf.data(plan_map(record, system(record.rules), order).document)


def boxes(data: bytes, number: int = 0) -> dict[str, list[float]]:
    """Return the boxes of a page in mm."""
    with pikepdf.open(BytesIO(data)) as made:
        page = made.pages[number].obj
        kinds = ("MediaBox", "CropBox", "BleedBox", "TrimBox")
        return {kind: [float(x) * 25.4 / 72 for x in page[f"/{kind}"]] for kind in kinds if f"/{kind}" in page}


def content(data: bytes) -> bytes:
    """Return what is written for the first page."""
    with pikepdf.open(BytesIO(data)) as made:
        return made.pages[0].Contents.read_bytes()


def seen(data: bytes, number: int = 0) -> np.ndarray:
    """Return a page as dots, from its upper left corner."""
    made = pypdfium2.PdfDocument(data)
    found = made[number].render(scale=DOTS * 25.4 / 72 * (1 - 1e-6)).to_numpy()[..., 2::-1].astype(int)
    made.close()
    return found


def cut(data: bytes) -> bytes:
    """Return a file of which nothing is seen but what lies inside the trim."""
    with pikepdf.open(BytesIO(data)) as made:
        for page in made.pages:
            page.obj.MediaBox = page.obj.CropBox = page.obj.TrimBox
        made.save(found := BytesIO())
    return found.getvalue()


def rings(dots: np.ndarray, by: int) -> np.ndarray:
    """Return the dots of the bleed, one after the other."""
    around = np.ones(dots.shape[:2], dtype=bool)
    around[by * DOTS : -by * DOTS, by * DOTS : -by * DOTS] = False
    return dots[around]


@pytest.mark.parametrize(
    ("bleed", "by", "style"),
    [*(("3mm", 3, style) for style in STYLES), ("10 mm", 10, STYLES[0]), ("0.5cm", 5, STYLES[1])],
)
def test_a_page_grows_by_the_bleed_and_is_cut_to_what_it_was(record, style, bleed, by):
    before = boxes(written(record, style=style))
    _, _, width, height = before["MediaBox"]
    whole = pytest.approx([0, 0, width + 2 * by, height + 2 * by], abs=1e-3)
    after = boxes(written(record, bleed, style=style))
    assert after["MediaBox"] == after["BleedBox"] == after["CropBox"] == whole
    assert after["TrimBox"] == pytest.approx([by, by, by + width, by + height], abs=1e-3)
    assert "BleedBox" not in before


def test_a_map_at_true_size_stays_so_and_without_a_bleed_nothing_is_another(record):
    width = boxes(written(record, "3mm", scale="1:1", furniture="none"))["TrimBox"]
    assert width == pytest.approx([3, 3, 3 + 609.6, 3 + 609.6], abs=1e-3)
    assert printed_as(record, furniture="none") == written(record, furniture="none")
    page = page_of(marks_drawing(40.0, 30.0, []))
    assert with_bleed(page, 0.0) is page


@pytest.mark.usefixtures("_bare")
def test_a_printer_that_is_not_true_gets_the_page_it_would_have_had(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    measured = ["--sheet", "a4", "--measured", "171x252mm"]
    assert run(["calibrate", "--printer", "mine", *measured, "--quiet"]) == 0
    found = []
    for name, more in (("plain", ()), ("shop", ("--bleed", "3mm"))):
        path = tmp_path / f"{name}.pdf"
        assert run([*MAP, "--scale", "1:3", "--printer", "mine", *more, "--out", str(path), "--quiet"]) == 0
        found.append(boxes(path.read_bytes()))
    plain, shop = found
    assert shop["TrimBox"] == pytest.approx([3 + side for side in plain["TrimBox"]], abs=1e-3)
    assert shop["MediaBox"][2] == pytest.approx(plain["MediaBox"][2] + 6, abs=1e-3)


@pytest.mark.parametrize("furniture", ["full", "mat", "none"])
@pytest.mark.parametrize("style", STYLES)
def test_inside_the_trim_every_dot_is_what_it_was(record, style, furniture):
    before = seen(written(record, style=style, furniture=furniture))
    after = seen(cut(written(record, "3mm", style=style, furniture=furniture)))
    assert after.shape == before.shape
    if furniture == "mat":
        # The ground runs on under the edge scale, which is white without a bleed.
        before, after = (dots[MARGIN:-MARGIN, MARGIN:-MARGIN] for dots in (before, after))
    # Moved by 3 mm, a letter here and there begins a sixteenth of a dot beside where it did.
    assert (np.abs(after - before).max(axis=2) > 2).mean() < 5e-4
    assert np.abs(after - before).max() <= (99 if furniture == "full" else 2)


@pytest.mark.parametrize("style", STYLES)
def test_the_map_is_moved_by_the_bleed_and_sheet_and_ground_run_on_into_it(record, style):
    before, after = (content(written(record, bleed, style=style)) for bleed in ("0mm", "3mm"))
    _, drawn = before.split(b" re W n\n", 1)
    assert after.endswith(b" re W n\n1 0 0 1 300 300 cm\n" + drawn)
    found: Style = find_style(style)
    tone = found.ink("sheet")[:3] if found.washes else (WHITE,) * 3
    assert {tuple(dot) for dot in rings(seen(written(record, "3mm", style=style)), 3).tolist()} == {tone}
    edge = 3 * DOTS
    white = (seen(written(record, "3mm", style=style, furniture="none")) == WHITE).all(axis=2)
    beyond, inside = white[:edge], white[edge + 1 : 2 * edge]
    # The casing of a road is white in one of the styles; of the ground nothing is, but where the style has none.
    assert beyond.mean() == pytest.approx(inside.mean(), abs=0.01)
    assert (white[:, :edge].any() or white[-edge:].any()) == (found.ink("paper") is None)


@pytest.mark.parametrize("furniture", ["full", "mat", "none"])
@pytest.mark.parametrize("style", [*STYLES, "painted"])
def test_a_cut_shows_no_white_rim(record, style, furniture):
    found = find_style(style)
    tone = found.ink("sheet" if furniture == "full" else "paper")
    dots = seen(written(record, "3mm", style=style, furniture=furniture))
    around = (rings(dots, 3) == WHITE).all(axis=1).mean()
    at_the_trim = (rings(dots[3 * DOTS : -3 * DOTS, 3 * DOTS : -3 * DOTS], 1) == WHITE).all(axis=1).mean()
    if (found.washes or furniture != "full") and tone is not None and tone[:3] != (WHITE,) * 3:
        assert around < 0.02
        assert at_the_trim < 0.02
    else:
        # A style without a tone there prints none: nothing is left out that the map has.
        assert around > 0.5


def test_what_crosses_the_edge_of_a_board_or_a_mat_runs_on(record):
    dots = seen(written(record, "10mm", furniture="none"))
    edge = 10 * DOTS
    beyond, before = dots[edge - 24 : edge - 1, edge:-edge], dots[edge + 1 : edge + 24, edge:-edge]
    apart = np.abs(beyond[::-1] - before).max(axis=2)
    assert (apart > 40).mean() < 0.02
    road = (dots[edge + 4] != dots[edge + 4, 0]).any(axis=1)
    assert road[edge:-edge].any()
    mat = seen(written(record, "3mm", furniture="mat"))
    assert (mat[2] != mat[2, 0]).any()


def test_no_letter_is_mirrored_and_no_number():
    ground = make_rectangle((0, 0, 40, 30), Ink(200, 180, 90))
    page = page_of(marks_drawing(40.0, 30.0, [ground, *line("Owl Copse", (0.2, 0.2), SMALL)]))
    around = rings(seen(pdf.data(Document(title="x", pages=(with_bleed(page, 5.0),)))), 5)
    assert {tuple(dot) for dot in around} == {(200, 180, 90)}


def test_a_zone_shows_its_neighbours_beyond_its_trim():
    rules = system("acw")
    record = play(rules, Orders(rules="acw", board="48x24in", seed=7), 7, ENGLISH).record
    asked = {"scale": "1:3", "only": ("Z1", "Z2"), "furniture": "none"}
    plain, shop = (written(record, bleed, **asked) for bleed in ("0mm", "5mm"))
    with pikepdf.open(BytesIO(shop)) as made:
        last = len(made.pages) - 1
    first, second = seen(shop, last - 1), seen(plain, last)
    edge = 5 * DOTS
    beyond, there = first[edge + 2 : -edge - 2, 1 - edge : -1], second[2:-2, 1 : edge - 1]
    rows = min(len(beyond), len(there))
    assert (np.abs(beyond[:rows] - there[:rows]).max(axis=2) > 60).mean() < 0.02
    assert boxes(plain, last)["TrimBox"][2] + 10 == pytest.approx(boxes(shop, last)["MediaBox"][2], abs=1e-3)


@pytest.mark.parametrize("paper", ["a4", "36in-roll", "30x40cm"])
def test_other_paper_is_refused_with_what_to_add(paper, capsys):
    assert run(["map", "--seed", "7", "--sheet", paper, "--bleed", "3mm", "--lang", "en"]) == 2
    assert capsys.readouterr().err == (
        "printkit: --bleed needs a sheet the size of the map, cut to fit: add --sheet one\n"
    )


@pytest.mark.parametrize("bleed", ["11mm", "1in", "3", "-1mm", "wide"])
def test_a_bleed_is_a_length_up_to_ten_millimetres(bleed, capsys):
    assert run([*MAP, f"--bleed={bleed}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize("more", [["--to", "png"], ["--to", "pdf", "--to", "svg"], ["--rules", "acw", "--blank"]])
def test_what_cannot_tell_of_a_bleed_is_refused(more, tmp_path, capsys):
    assert run([*MAP, "--bleed", "3mm", "--out", str(tmp_path), *more]) == 2
    assert "--bleed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_bare")
def test_a_plan_tells_of_the_bleed(tmp_path, capsys):
    assert run([*MAP, "--bleed", "3.5mm", "--out", str(tmp_path), "--plan"]) == 0
    told = capsys.readouterr().out
    assert "681.6 x 854.4 mm, at 1:1, 3.5 mm of bleed beyond the trim edge" in told
    assert "field-of-mutila-seed7-one.pdf" in told


@pytest.mark.usefixtures("_bare")
def test_a_program_asks_for_it_by_its_name(tmp_path):
    field = printkit.generate(seed=7)
    (path,) = field.pdf(tmp_path, sheet="one", scale="1:3", bleed="3mm")
    assert path.name == "field-of-mutila-seed7-1to3-one.pdf"
    assert boxes(path.read_bytes())["TrimBox"][0] == pytest.approx(3, abs=1e-3)
    with pytest.raises(UsageError, match="boxes of a PDF"):
        field.png(tmp_path, sheet="one", scale="1:3", bleed="3mm")

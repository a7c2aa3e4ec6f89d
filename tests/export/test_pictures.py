"""Painted pictures in files: a texture stands once, masks and veils are told rightly, sheets show the same ground."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from printkit.cli.app import run

SHEETS = (2, 12)
"""Pages of the plan of the tiled map, and of the map itself."""

_SHRUNK = 0.467
"""How large signs are on a sheet at 1:4, of their true size."""

_SEED = ("--seed", "77", "--lang", "en", "--quiet", "--style")


@pytest.fixture(scope="module")
def mats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a painted map on one sheet, with less ink, over A4 sheets, and as SVG."""
    folder = tmp_path_factory.mktemp("mats")
    whole = ("--sheet", "one", "--furniture", "none")
    asked = {
        "one": ("painted", *whole),
        "bare": ("painted", *whole, "--dressing", "none"),
        "full": ("painted", *whole, "--dressing", "full"),
        "light": ("painted-light", *whole),
        "tiled": ("painted",),
        "svg": ("painted", "--to", "svg", *whole, "--scale", "1:2", "--climate", "winter", "--show", "labels"),
        "campaign": ("campaign", *whole),
    }
    found = {}
    for name, arguments in asked.items():
        assert run(["map", *_SEED, *arguments, "--out", str(folder / name)]) == 0
        (found[name],) = (path for path in (folder / name).iterdir() if path.suffix in (".pdf", ".svg"))
    return found


@cache
def rendered(path: Path, page: int, dpi: float) -> np.ndarray:
    document = pypdfium2.PdfDocument(path)
    shown = np.asarray(document[page].render(scale=dpi / 72).to_pil().convert("RGB")).astype(int)
    document.close()
    return shown


def ink(dots: np.ndarray) -> float:
    """Return the ink of a picture: what cyan, magenta, yellow and black cover together, of a sheet."""
    return 1 + (2 * dots.max(axis=2).sum() - dots.sum()) / (255 * dots[..., 0].size)


def test_a_mat_is_small_and_takes_the_ink_it_says_and_a_light_one_keeps_its_dark_lines(mats: dict[str, Path]) -> None:
    bare, light, full = (mats[name].stat().st_size for name in ("bare", "one", "full"))
    assert bare < light <= 4_000_000
    # Crops and furrows are two more textures, 0.74 MB together, and every field has its mask.
    assert light < full <= min(1.4 * bare, 5_000_000)
    assert ink(rendered(mats["one"], 0, 40)) <= 0.75
    assert ink(rendered(mats["light"], 0, 40)) <= 0.50
    dark, pale = (rendered(mats[name], 0, 40).mean(axis=2) for name in ("one", "light"))
    assert pale.mean() > dark.mean() + 25
    # The bank of a river is a line of less than a millimetre: its darkest dots hardly gain.
    darkest = [np.percentile(dots, 0.1) for dots in (dark, pale)]
    assert darkest[1] - darkest[0] < 0.6 * (pale.mean() - dark.mean())


def test_a_texture_stands_once_in_pdf_and_svg_and_only_plain_files_claim_to_be_kept_for_long(
    mats: dict[str, Path],
) -> None:
    with pikepdf.open(mats["tiled"]) as file:
        textures = [
            bytes(each.read_raw_bytes())
            for each in file.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Filter") == "/DCTDecode"
        ]
        assert len(file.pages) > 9
    assert len(textures) == len(set(textures)) >= 5
    assert mats["tiled"].stat().st_size < mats["one"].stat().st_size * 1.15
    for name, claims in (("one", False), ("tiled", False), ("campaign", True)):
        with pikepdf.open(mats[name]) as file:
            assert (b"pdfaid:part" in file.Root.Metadata.read_bytes()) is claims
    kept = {next(mats[name].parent.glob("records/*.json")).read_bytes() for name in ("one", "light", "campaign", "svg")}
    assert len(kept) == 1
    text = mats["svg"].read_text(encoding="utf-8")
    assert text.count('id="texture-snow"') == 1
    assert text.count("<pattern ") >= 2
    assert text.count("<mask ") > 10
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert used <= set(names)


def test_names_stand_on_a_mat_only_where_they_are_asked_for_and_on_its_plan(
    mats: dict[str, Path], tmp_path: Path
) -> None:
    def words(path: Path) -> str:
        document = pypdfium2.PdfDocument(path)
        return str(document[0].get_textpage().get_text_range())

    assert words(mats["one"]).strip() == ""
    smaller = ("--sheet", "one", "--scale", "1:2", "--furniture", "none", "--show", "labels")
    assert run(["map", *_SEED, "painted", *smaller, "--out", str(tmp_path)]) == 0
    (labelled,) = tmp_path.glob("*.pdf")
    assert "Wether" in words(labelled)
    document = pypdfium2.PdfDocument(mats["tiled"])
    said = [page.get_textpage().get_text_range() for page in document]
    assert len(said) == SHEETS[0] + SHEETS[1]
    assert sum(page.count("LINDUM") for page in said[: SHEETS[0]]) == 1
    assert not any("LINDUM" in page for page in said[SHEETS[0] :])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--climate", "winter"], "--climate needs a painted style; add --style painted"),
        (["--show", "labels"], "--show labels needs a painted style; add --style painted"),
        (
            ["--style", "painted", "--climate", "jungle"],
            "unknown --climate 'jungle'; use one of temperate, dry, winter",
        ),
    ],
)
def test_climates_and_labels_are_refused_where_they_cannot_be(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["map", "--lang", "en", *options, "--out", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_sheets_show_the_same_ground_where_they_overlap(mats: dict[str, Path]) -> None:
    """Two neighbours of the tiled map: a strip of ground at the right of the one is that at the left of the other."""
    dpi, wide = 72, 22
    one, other = (rendered(mats["tiled"], SHEETS[0] + number, dpi).astype(float) for number in (0, 1))

    def strips(dots: np.ndarray) -> dict[int, np.ndarray]:
        """Return the strips of a sheet that show ground alone, by their left sides."""
        found = {at: dots[250:600, at : at + wide] for at in range(dots.shape[1] - wide)}
        return {at: strip for at, strip in found.items() if strip.max() < 230}

    left, right = strips(other), strips(one)
    first, last = min(left), max(right)
    apart = {
        (near, far): float(np.abs(right[far] - left[near]).mean())
        for near in range(first, first + 8)
        for far in range(last - 12, last + 1)
        if near in left and far in right
    }
    assert min(apart.values()) <= 4.0
    # What lies a strip farther in is other ground.
    assert float(np.abs(right[last - 3 * wide] - left[first]).mean()) > 8.0


@pytest.mark.parametrize(("dpi", "told"), [("96", 150), ("200", 200), ("300", 300), ("600", 300)])
def test_textures_of_a_mat_have_the_dots_that_are_asked_for(tmp_path: Path, dpi: str, told: int) -> None:
    """As many to an inch of the sheet as ``--dpi`` says, within 150 and 300; none is turned into other bytes."""
    asked = ("--to", "svg", "--sheet", "one", "--furniture", "none", "--scale", "1:4", "--dpi", dpi)
    assert run(["map", *_SEED, "painted", *asked, "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.glob("*.svg")
    text = path.read_text(encoding="utf-8")
    scales = {float(found) for found in re.findall(r'<pattern [^>]*patternTransform="[^"]*scale\(([0-9.]+)', text)}
    (scale,) = scales
    assert scale == pytest.approx(_SHRUNK * 150 / told, abs=0.001)

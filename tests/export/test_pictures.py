"""Painted pictures in files: a texture stands once, masks and veils are told rightly, sheets show the same ground."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
import pytest

from printkit.cli.app import run

_SEED = ("--seed", "77", "--lang", "en", "--quiet", "--style")


@pytest.fixture(scope="module")
def mats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a painted map on one sheet, with less ink, over A4 sheets, and as SVG."""
    folder = tmp_path_factory.mktemp("mats")
    asked = {
        "one": ("painted", "--sheet", "one", "--furniture", "none"),
        "light": ("painted-light", "--sheet", "one", "--furniture", "none"),
        "tiled": ("painted",),
        "svg": ("painted", "--to", "svg", "--sheet", "one", "--furniture", "none", "--climate", "winter", "--labels"),
        "campaign": ("campaign", "--sheet", "one", "--furniture", "none"),
    }
    found = {}
    for name, arguments in asked.items():
        assert run(["map", *_SEED, *arguments, "--out", str(folder / name)]) == 0
        (found[name],) = (path for path in (folder / name).iterdir() if path.suffix in (".pdf", ".svg"))
    return found


def rendered(path: Path, page: int, dpi: float) -> np.ndarray:
    document = pypdfium2.PdfDocument(path)
    shown = np.asarray(document[page].render(scale=dpi / 72).to_pil().convert("RGB")).astype(int)
    document.close()
    return shown


def ink(dots: np.ndarray) -> float:
    """Return the ink of a picture: what cyan, magenta, yellow and black cover together, of a sheet."""
    return 1 + (2 * dots.max(axis=2).sum() - dots.sum()) / (255 * dots[..., 0].size)


def test_a_mat_is_small_enough_and_takes_the_ink_it_says(mats: dict[str, Path]) -> None:
    assert mats["one"].stat().st_size <= 4_000_000
    assert ink(rendered(mats["one"], 0, 40)) <= 0.75
    assert ink(rendered(mats["light"], 0, 40)) <= 0.50


def test_a_texture_stands_once_however_many_sheets_show_it(mats: dict[str, Path]) -> None:
    with pikepdf.open(mats["tiled"]) as file:
        textures = [
            bytes(each.read_raw_bytes())
            for each in file.objects
            if isinstance(each, pikepdf.Stream) and each.get("/Filter") == "/DCTDecode"
        ]
        assert len(file.pages) > 9
    assert len(textures) == len(set(textures)) >= 5
    assert mats["tiled"].stat().st_size < mats["one"].stat().st_size * 1.15


def test_painted_files_do_not_claim_to_be_kept_for_long_and_others_do(mats: dict[str, Path]) -> None:
    for name, claims in (("one", False), ("tiled", False), ("campaign", True)):
        with pikepdf.open(mats[name]) as file:
            assert (b"pdfaid:part" in file.Root.Metadata.read_bytes()) is claims


def test_the_record_is_that_of_every_style(mats: dict[str, Path]) -> None:
    kept = {next(mats[name].parent.glob("*.json")).read_bytes() for name in ("one", "light", "campaign", "svg")}
    assert len(kept) == 1


def test_ground_under_a_light_mat_is_light_and_its_water_dark(mats: dict[str, Path]) -> None:
    full, light = (rendered(mats[name], 0, 30).mean(axis=2) for name in ("one", "light"))
    assert light.mean() > full.mean() + 25


def test_an_svg_holds_each_texture_once_and_has_patterns_and_masks(mats: dict[str, Path]) -> None:
    text = mats["svg"].read_text(encoding="utf-8")
    assert text.count('id="texture-snow"') == 1
    assert text.count("<pattern ") >= 2
    assert text.count("<mask ") > 10
    names = re.findall(r' id="([^"]+)"', text)
    assert len(names) == len(set(names))
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
    assert used <= set(names)


def test_names_stand_on_a_mat_only_where_they_are_asked_for(mats: dict[str, Path], tmp_path: Path) -> None:
    def words(path: Path) -> str:
        document = pypdfium2.PdfDocument(path)
        return str(document[0].get_textpage().get_text_range())

    assert words(mats["one"]).strip() == ""
    assert (
        run(["map", *_SEED, "painted", "--sheet", "one", "--furniture", "none", "--labels", "--out", str(tmp_path)])
        == 0
    )
    (labelled,) = tmp_path.glob("*labels*.pdf")
    assert "Wether" in words(labelled)


def test_a_climate_that_is_not_known_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["map", "--lang", "en", "--style", "painted", "--climate", "jungle", "--out", str(tmp_path)]) == 2
    assert "no climate 'jungle'; there are temperate, dry, winter" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_sheets_show_the_same_ground_where_they_overlap(mats: dict[str, Path]) -> None:
    """Two neighbours of the tiled map, compared at the best shift of up to three dots."""
    dpi = 72
    one, other = (rendered(mats["tiled"], page, dpi).astype(float) for page in (0, 1))
    wide = round(10 / 25.4 * dpi)

    def apart(margin: int, start: int) -> float:
        left = one[200:600, -margin - wide + 4 : -margin - 4]
        right = other[200:600, start + 4 : start + wide - 4]
        return float(np.abs(left - right).mean()) if left.shape == right.shape else 255.0

    assert min(apart(margin, start) for margin in range(8, 40) for start in range(8, 40)) <= 3.0

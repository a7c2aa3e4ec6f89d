"""The map of a game of columns, whole on one page: ground with its going, squares, scales, seed and dice."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from printkit.cli.app import run


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the overview of seed 7, as pages and as a picture."""
    folder = tmp_path_factory.mktemp("overview")
    line = "map --rules collision-course --seed 7 --scale fit --key full --show-seed --to pdf --to svg"
    assert run([*line.split(), "--quiet", "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def overview(printed: Path) -> str:
    """Return all text of the overview, on one line."""
    document = pypdfium2.PdfDocument(printed / "collision-course-15bw-seed7-fit-key-full-show-seed.pdf")
    text = " ".join(document[0].get_textpage().get_text_bounded().split())
    document.close()
    return text


@pytest.mark.clause("CC-A01", "CC-O07")
def test_the_map_tells_goings_squares_and_scales(overview: str) -> None:
    for said in ("bad going", "impassable", "4 x 4 BW clear", "inches", "centimetres", "base widths"):
        assert said in overview.replace("×", "x"), said


@pytest.mark.clause("CC-A02")
def test_the_overview_tells_seed_and_dice(overview: str) -> None:
    assert "seed 7" in overview
    assert "the invader chose quarter 3" in overview


@pytest.mark.clause("CC-A01")
def test_what_is_drawn_for_columns_is_a_layer_of_its_own(printed: Path) -> None:
    text = (printed / "collision-course-15bw-seed7-fit-key-full-show-seed.svg").read_text(encoding="utf-8")
    assert text.count('inkscape:label="overlay"') == 1

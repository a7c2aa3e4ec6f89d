"""The map of a game of columns, whole on one page: ground with its going, squares, scales, seed and dice."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest

from printkit.cli.app import run


@pytest.mark.clause("CC-A01", "CC-A02", "CC-O07")
def test_the_overview_tells_goings_squares_scales_seed_and_dice_and_columns_are_a_layer(tmp_path: Path) -> None:
    line = "map --rules collision-course --seed 7 --scale fit --key full --show-seed --to pdf --to svg"
    assert run([*line.split(), "--quiet", "--out", str(tmp_path)]) == 0
    made = tmp_path / "collision-course-15bw-seed7-fit-key-full-show-seed.pdf"
    with closing(pypdfium2.PdfDocument(made)) as document:
        text = " ".join(document[0].get_textpage().get_text_bounded().split()).replace("×", "x")
    scales = ("inches", "centimetres", "base widths")
    told = ("bad going", "impassable", "4 x 4 BW clear", *scales, "seed 7", "the invader chose quarter 3")
    assert [each for each in told if each not in text] == []
    assert made.with_suffix(".svg").read_text(encoding="utf-8").count('inkscape:label="overlay"') == 1

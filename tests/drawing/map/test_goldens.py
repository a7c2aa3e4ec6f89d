"""Every kind of sign is kept as a small drawing in text, so that a change of it is read before it is printed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from signs_scene import context

from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.layers import gathered
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.signs.catalogue import draw
from printkit.terrain.field.features import Kind

GOLDEN = Path(__file__).parents[2] / "golden"
ELSEWHERE = {
    Kind.ENCLOSURE: "is drawn as plough or crops",
    Kind.JUNCTION: "draws nothing of its own: casings open beneath surfaces",
}


@pytest.mark.parametrize("kind", [Kind.BUA, Kind.STEEP_SLOPE])
def test_a_small_sample_stays_as_it_was(kind: Kind, golden: Callable[[Drawing, str], None]) -> None:
    specimen = next(found for found in specimens() if found.key == kind)
    laid = draw(specimen.field(20, 14), context("ink-saver"))
    golden(Drawing(20, 14, gathered(laid, clip=Rect(0, 0, 20, 14))), f"sign-{kind}")


def test_every_kind_is_kept() -> None:
    kept = {path.stem.removeprefix("sign-") for path in GOLDEN.glob("sign-*.txt")}
    assert {kind.value for kind in Kind} - kept == {kind.value for kind in ELSEWHERE}

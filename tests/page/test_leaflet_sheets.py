"""Leaflets on paper: small sheets stay, large ones give way; pages to be measured bear the bars."""

from __future__ import annotations

import pytest

from printkit.core.words import find
from printkit.drawing.canvas.items import Drawing, Text
from printkit.page.leaflets import in_hand, leaflet_sheets, room
from printkit.page.sheet import find as sheet


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("a4", "a4"),
        ("letter", "letter"),
        ("legal", "legal"),
        ("a0", "a4"),
        ("tabloid", "letter"),
        ("24in-roll", "letter"),
        ("one", "a4"),
    ],
)
def test_a_leaflet_is_printed_on_a_sheet_that_the_hand_holds(asked: str, given: str) -> None:
    paper = in_hand(sheet(asked))
    assert paper.name == given
    assert paper.width < paper.height


def test_a_lying_sheet_is_put_upright() -> None:
    assert in_hand(sheet("297x210mm")).height == 297


@pytest.mark.parametrize("measured", [True, False])
def test_pages_keep_inside_the_margins_and_say_how_to_print(measured: bool) -> None:
    words, paper = find("en"), sheet("a4", margin=8)
    free = room(paper, measured=measured)
    drawing = Drawing(free.width, free.height, ())
    pages = leaflet_sheets([drawing, drawing], paper, words=words, bookmark="Aid", label="aid", measured=measured)
    assert [(page.label, page.bookmark) for page in pages] == [("aid 1", "Aid"), ("aid 2", "")]
    for page in pages:
        place = page.placements[0].transform
        assert place.e >= 8
        assert place.e + free.width <= 210 - 8 + 1e-9
        assert place.f + free.height <= 297 - 8
        said = [item.content for _, item in page.placements[1].drawing.items() if isinstance(item, Text)]
        assert any("100" in text for text in said)
        assert ("10 cm" in " ".join(said)) == measured

"""The specimen sheet: what it says of each sign stands there whole, below its field and above the next row."""

from __future__ import annotations

import pytest

from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.canvas.layers import PlacedDrawing, joined
from printkit.drawing.furniture import specimens
from printkit.drawing.furniture.specimens import FIELD, Specimen, specimen_sheet
from printkit.kit.registry import every
from printkit.recipes.prints.specimens import specimen_document


def long_note(specimen: Specimen) -> str:
    """Return a note of three lines, which ends with the sign that it is about."""
    return f"{'portable-1 and portable-2: neither good nor bad; ' * 3}dba3: {specimen.key}."


@pytest.fixture(scope="module")
def parts() -> tuple[PlacedDrawing, ...]:
    """Return fields and notes of a sheet with long notes, the fields empty."""
    kept: list[PlacedDrawing] = []

    def placed(width: float, height: float, laid: list[PlacedDrawing]) -> Drawing:
        kept.extend(laid)
        return joined(width, height, laid)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(specimens, "specimen_field", lambda *_: Drawing(*FIELD, ()))
        patch.setattr(specimens, "joined", placed)
        specimen_sheet(style.find("campaign"), find("en+es"), long_note)
    return tuple(kept[1:])


def said(drawing: Drawing) -> str:
    return "".join("".join(item.content.split()) for _, item in drawing.items() if isinstance(item, Text))


def test_notes_are_whole_and_none_reaches_the_row_below(parts: tuple[PlacedDrawing, ...]) -> None:
    shown = [*specimens.specimens(), *specimens.overlay_specimens()]
    told = [text for text in (said(part.drawing) for part in parts) if text]
    assert len(told) == len(shown)
    for specimen, text in zip(shown, told, strict=True):
        assert text.endswith("".join(long_note(specimen).split())), specimen.key
    fields = [part for part in parts if (part.drawing.width, part.drawing.height) == FIELD]
    assert len(fields) > 80
    for part in parts:
        for item in (item for _, item in part.drawing.items() if isinstance(item, Text)):
            x, y = part.x + item.at[0], part.y + item.at[1]
            hit = [f for f in fields if f.x < x < f.x + FIELD[0] and f.y - 1 < y < f.y + FIELD[1] + 1]
            assert not hit, item.content


def test_systems_that_agree_are_told_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(specimens, "specimen_field", lambda *_: Drawing(*FIELD, ()))
    (page,) = specimen_document("campaign", find("en"), every()).pages
    told = "brantley,portable-1,portable-2,solo-dba,dba3,collision-course:goodgoing;acw:slow"
    assert told in said(page.placements[0].drawing)

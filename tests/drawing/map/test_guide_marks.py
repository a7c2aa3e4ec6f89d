"""Guide marks are quieter than the ground in every style, and are seen all the same."""

from __future__ import annotations

import pytest
import shapely
from colours import contrast
from signs_scene import STYLES, board, context

from printkit.core.words import find
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Ink, Path, Text
from printkit.drawing.map.guide_marks import MOST_CONTRAST, WIDEST, guide_ink
from printkit.drawing.map.overlays import overlaid
from printkit.drawing.text.drafter import Drafter
from printkit.systems.collision.sheets.column_overlays import column_marks
from printkit.terrain.field.battlefield import Battlefield, Overlay

SIDE = 300.0
OUTLINES = ("contour", "bank-line", "heavy-woods-dark", "road-casing", "hachure")
"""Inks with which the ground is drawn."""


def marked() -> Battlefield:
    bare = board(width=SIDE, depth=SIDE).board
    near, far = shapely.box(0, 0, SIDE, 90), shapely.box(0, 210, SIDE, SIDE)
    return Battlefield(
        board=bare,
        overlays=(
            *(Overlay(kind="zone", shape=zone, label=str(place)) for place, zone in enumerate(bare.zones(3, 3), 1)),
            *(Overlay(kind="quarters", shape=zone, label="1") for zone in bare.zones(2, 2)),
            Overlay(kind="deployment", shape=far, side="A"),
            Overlay(kind="deployment", shape=near, side="B"),
            Overlay(kind="keep-clear", shape=shapely.box(120, 120, 180, 180)),
            Overlay(kind="keep-clear", shape=shapely.box(20, 20, 60, 60), side="A", label="2"),
            Overlay(kind="centre-line", shape=shapely.LineString([(0, 150), (SIDE, 150)])),
            Overlay(kind="flank", shape=shapely.box(60, 210, 240, SIDE), side="A"),
        ),
    )


def paper(name: str) -> Ink:
    return style.find(name).ink("paper") or Ink(255, 255, 255)


def seen(ink: Ink, name: str) -> float:
    return contrast(paper(name).towards(ink, ink.alpha), paper(name))


@pytest.mark.parametrize("name", STYLES)
def test_every_guide_mark_is_thin_and_pale_and_is_seen(name: str) -> None:
    drafter, field = Drafter(context=context(name), words=find("en")), marked()
    halo = style.find(name).solid("halo")[:3]
    items = [item for _, item in (*overlaid(field, drafter), *column_marks(field, drafter))]
    lines = [path.stroke for path in items if isinstance(path, Path) and path.stroke and path.stroke.ink[:3] != halo]
    assert len(lines) >= 8
    for line in lines:
        assert line.width <= WIDEST + 1e-9
        assert 1.4 <= seen(line.ink, name) <= MOST_CONTRAST + 0.01
    for text in items:
        if isinstance(text, Text):
            assert 1.8 <= seen(text.ink, name) <= MOST_CONTRAST


@pytest.mark.parametrize("name", STYLES)
def test_the_ground_has_more_contrast_than_its_guide_marks(name: str) -> None:
    drafter, inks = Drafter(context=context(name), words=find("en")), style.find(name)
    guide = max(seen(guide_ink(drafter, token), name) for token in ("ink", "side-red", "side-blue"))
    assert guide > 2.8
    assert all(seen(inks.solid(token), name) > guide for token in OUTLINES)

"""The colours of the pages: type can be read on whatever it stands on, by WCAG 2.2, level AA."""

from __future__ import annotations

import re
from typing import Final

import pytest

from printkit.studio.pages.render import STATIC

CSS: Final = (STATIC / "desk.css").read_text(encoding="utf-8")
TOKENS: Final = dict(re.findall(r"--([a-z0-9]+):(#[0-9A-Fa-f]{6})", CSS))

TYPE: Final = 4.5
SIGN: Final = 3.0
"""The least contrast of type, and of a line or a sign without which a control is not known."""

PAPERS: Final = ("sheet", "paper", "leaf")
NOTES: Final = {"note": "#f7ecce", "breach": "#fbeee4", "card": "#fffdf6"}
"""Grounds that are no token."""


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_it_is_defined() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("ground", [*PAPERS, *NOTES])
@pytest.mark.parametrize("ink", ["ink", "ink2", "sepia", "red", "blue", "green"])
def test_type_can_be_read_on_every_paper(ink: str, ground: str) -> None:
    assert contrast(TOKENS[ink], TOKENS.get(ground) or NOTES[ground]) >= TYPE


@pytest.mark.parametrize("ground", ["desk", "desk2", "#d6cbac"])
@pytest.mark.parametrize("ink", ["ink", "sepia"])
def test_ink_and_sepia_alone_are_read_on_the_desk(ink: str, ground: str) -> None:
    assert contrast(TOKENS[ink], TOKENS.get(ground, ground)) >= TYPE


@pytest.mark.parametrize("ground", ["sepia", "green", "red"])
def test_light_type_can_be_read_on_dark_buttons(ground: str) -> None:
    assert contrast("#FBF7EB", TOKENS[ground]) >= TYPE


def test_gold_is_read_where_it_stands() -> None:
    assert contrast(TOKENS["gold"], NOTES["note"]) >= TYPE
    assert contrast(TOKENS["gold"], TOKENS["sheet"]) >= SIGN


@pytest.mark.parametrize("ground", PAPERS)
def test_edges_of_controls_and_the_focus_are_seen(ground: str) -> None:
    for edge in ("ink2", "sepia", "blue"):
        assert contrast(TOKENS[edge], TOKENS[ground]) >= SIGN


def test_what_cannot_be_pressed_is_still_read() -> None:
    for faint in re.findall(r"color:(#75694f|#6b6047)", CSS):
        assert contrast(faint, TOKENS["leaf"]) >= TYPE


def test_no_other_grey_stands_for_type() -> None:
    """Every colour that is set for type is a token, white, or one that is measured above."""
    told = set(re.findall(r"[;{]color:([^;}!]+)", CSS))
    assert told <= {*(f"var(--{name})" for name in TOKENS), "#fff", "#FBF7EB", "#75694f", "#6b6047", "inherit"}

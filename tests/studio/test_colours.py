"""The colours of the pages: type can be read on whatever it stands on, by WCAG 2.2, level AA."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

import pytest

from printkit.studio.pages.render import STATIC

CSS: Final = (STATIC / "studio.css").read_text(encoding="utf-8")
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


@pytest.mark.parametrize(
    ("inks", "grounds", "least"),
    [
        (("ink", "ink2", "sepia", "red", "blue", "green"), (*PAPERS, *NOTES.values()), TYPE),
        (("ink", "sepia"), ("desk", "desk2", "#d6cbac"), TYPE),
        (("#FBF7EB",), ("sepia", "green", "red"), TYPE),
        (("ink2", "sepia", "blue"), PAPERS, SIGN),
    ],
    ids=["papers", "desk", "buttons", "edges and focus"],
)
def test_type_and_signs_can_be_read_wherever_they_stand(
    inks: tuple[str, ...], grounds: tuple[str, ...], least: float
) -> None:
    for ink, ground in product(inks, grounds):
        assert contrast(TOKENS.get(ink, ink), TOKENS.get(ground, ground)) >= least, (ink, ground)


def test_what_stands_for_type_and_cannot_be_pressed_is_still_read() -> None:
    assert contrast(TOKENS["gold"], NOTES["note"]) >= TYPE
    assert contrast(TOKENS["gold"], TOKENS["sheet"]) >= SIGN
    for faint in re.findall(r"color:(#75694f|#6b6047)", CSS):
        assert contrast(faint, TOKENS["leaf"]) >= TYPE
    # Every colour that is set for type is a token, white, or one that is measured above.
    told = set(re.findall(r"[;{]color:([^;}!]+)", CSS))
    assert told <= {*(f"var(--{name})" for name in TOKENS), "#fff", "#FBF7EB", "#75694f", "#6b6047", "inherit"}

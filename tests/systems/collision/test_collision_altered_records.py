"""Records with one thing altered are judged as they were: what changes a verdict is said, and kept anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from altered_records import Altered, detail_altered, line_altered
from columns_scene import tree
from drawn_settings import settings_of

from printkit.api import Field, generate

PIPS = (
    "defender 1 5: column-2 1 troops-on",
    "defender 2 5: baggage, column-3 4",
    "defender 3 4: column-3 2 general, no-room",
    "attacker 1 6: column-2 1 on, other 2",
)
POSITIONS = (
    "defender 1: 8.2,5 9.8,5 0.5; 8.2,0.3 9.2,0.3 0.5",
    "attacker 2: 7,13 6,13.2 0.5",
    "attacker 3: 4.5,15 3,15 0.5",
)
LIGHT = ["Bd"] * 8 + ["LH"] + ["Bd"] * 3


def marched(rules: str, seed: int) -> tuple[Field, dict[str, str]]:
    """Return a field with two armies, PIPs or positions by some seeds, and its settings, which even seeds draw."""
    inputs: dict[str, Any] = {"army": {"defender": tree(), "attacker": tree(types=LIGHT, role="attacker")}}
    if seed % 3:
        inputs["pips"] = list(PIPS)
    if seed % 3 == 2:
        inputs["positions"] = list(POSITIONS)
    drawn = {} if seed % 2 else settings_of(rules, seed)
    settings = {key: text for key, text in drawn.items() if key != "home"}
    return generate(rules, seed=seed, inputs=inputs, **settings), settings


def test_altered_records_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    told = Altered("collision-course").kept_or_chosen("altered-collision-course", range(1, 9), 112)
    kept_text(told, "altered-collision-course")


def test_altered_columns_are_judged_as_they_were(kept_text: Callable[[str, str], None]) -> None:
    altered = Altered("collision-course", marched, (line_altered, line_altered, detail_altered))
    kept_text(altered.kept_or_chosen("altered-columns", range(1, 7), 60), "altered-columns")

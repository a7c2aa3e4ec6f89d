"""Evenings that are set and not drawn: every page with all its words, without the ground of maps."""

from __future__ import annotations

import sys
from collections import defaultdict
from functools import cache
from typing import Any

import pytest
from bare_boards import own_pictures
from blank_maps import blank_plan
from msgspec.structs import replace

from printkit.api import generate
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.map import board_drawing
from printkit.drawing.signs import catalogue
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find
from printkit.options.printing import EveningOptions
from printkit.page import sheet
from printkit.page.sheet import Document
from printkit.recipes.evening import handouts
from printkit.recipes.evening.handouts import GameNight, evening, game_night_context
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

SEED = 7


@cache
def record_of(name: str) -> Record:
    """Return the record of a game of a rule system."""
    return generate(name, seed=SEED).record


def no_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all boards and signs empty, each as large as it is."""
    monkeypatch.setattr(catalogue, "SIGNS", defaultdict(lambda: lambda *_: iter(())))
    own_pictures(monkeypatch)
    drawn = board_drawing.board_drawing
    for module in [each for name, each in sys.modules.items() if name.startswith("printkit.")]:
        if getattr(module, "board_drawing", None) is drawn:
            monkeypatch.setattr(module, "board_drawing", _empty)


def _empty(field: Battlefield, drafter: Drafter, **_: Any) -> Drawing:
    scale = drafter.context.scale
    return Drawing(field.board.width * scale, field.board.depth * scale, ())


def _no_map(*_: Any, **__: Any) -> Any:
    return blank_plan(Document(title="map", pages=(sheet.find_sheet("a4").page(label="map"),)))


def evening_set(name: str, words: Words, monkeypatch: pytest.MonkeyPatch, **asked: Any) -> GameNight:
    """Return an evening of a rule system without its map sheets."""
    no_boards(monkeypatch)
    monkeypatch.setattr(handouts, "plan_map", _no_map)
    order = game_night_context(EveningOptions(style="ink-saver", **asked), words)
    # Pictures are remembered by their style; these, which show nothing, are nobody else's.
    order = replace(order, style=replace(order.style, name="set"))
    return evening(record_of(name), find(name), order)

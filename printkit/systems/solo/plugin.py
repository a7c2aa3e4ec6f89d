"""What Solo DBA adds to printkit."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

_CARDS: Final = "printkit.systems.solo.sheets"
_DIAGRAMS: Final = "printkit.systems.solo.sheets.diagrams"
_ARMIES: Final = "printkit.systems.dba.elements.deployment:PAINTER"

PLUGIN: Final = Plugin(
    name="solo-dba",
    system="printkit.systems.solo.system:SoloDba",
    faces={
        "npg": f"{_CARDS}.card_npg:npg_face",
        "npg-summary": f"{_CARDS}.card_summary:summary_face",
        "bound": f"{_CARDS}.card_bound:bound_face",
    },
    backs={
        "npg": f"{_CARDS}.card_npg:npg_back",
        "npg-summary": f"{_CARDS}.card_summary:summary_back",
    },
    diagrams={
        "corners": f"{_DIAGRAMS}:corners",
        "bands": f"{_DIAGRAMS}:bands",
        "sectors": f"{_DIAGRAMS}:sectors",
        "edges": f"{_DIAGRAMS}:edges",
        "camp": f"{_DIAGRAMS}:camp",
        "shore": f"{_DIAGRAMS}:shore",
        "places": f"{_DIAGRAMS}:places",
        "pikes": f"{_DIAGRAMS}:pikes",
        "ranks": f"{_DIAGRAMS}:deep_and_thin",
        "stance": "printkit.systems.solo.sheets.stance_marks:stance",
    },
    painters={"element": _ARMIES, "camp": _ARMIES},
    evening_files="printkit.systems.solo.sheets.evening:evening_files",
    umpire_decks="printkit.systems.solo.sheets.evening:umpire_decks",
    side_blocks="printkit.systems.solo.sheets.evening:side_blocks",
    free_decks="printkit.systems.solo.cards.decks:FREE",
)

"""Plugin entry of Collision Course."""

from __future__ import annotations

from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.plugin import Command, FileFormat, Plugin

_MARKS: Final = "printkit.systems.collision.sheets.column_overlays:PAINTER"
_COLUMNS: Final = "printkit.systems.collision.sheets.marching:PAINTER"
_KEPT: Final = "printkit.systems.collision.columns_commands"
_DIAGRAMS: Final = "printkit.systems.collision.sheets.diagrams"

PLUGIN: Final = Plugin(
    name="collision-course",
    # 3: the outlines differ from those in records of version 0.2.0.
    shapes=3,
    system="printkit.systems.collision.system:CollisionCourse",
    elements=True,
    diagrams={
        "edge-squares": f"{_DIAGRAMS}:squares",
        "column-stands": f"{_DIAGRAMS}:stands",
        "column-order": f"{_DIAGRAMS}:order",
        "column-entry": f"{_DIAGRAMS}:crossing",
        "column-landing": f"{_DIAGRAMS}:landing",
    },
    painters={
        **dict.fromkeys(("centre-line", "base-line", "column", "entry", "entry-fast", "landing", "flank"), _MARKS),
        **dict.fromkeys(("column-element", "column-waiting"), _COLUMNS),
    },
    sides="printkit.systems.collision.march.base_edges:told_sides",
    deploying="printkit.systems.collision.march.base_edges:deploying",
    overlays="printkit.systems.collision.sheets.columns:with_columns",
    form_pages="printkit.systems.collision.sheets.blank_form:blank_pages",
    evening_files="printkit.systems.collision.sheets.evening:evening_files",
    side_pieces="printkit.systems.collision.sheets.evening:side_pieces",
    reference_pages="printkit.systems.collision.sheets.evening:reference_pages",
    blank_form="printkit.systems.collision.sheets.blank_form:form_document",
    decks=("columns", "columns-two-sided"),
    # The quick sheet has the same text as the cards.
    spare=dict.fromkeys(("cards-columns", "cards-columns-two-sided"), "tonight"),
    file_formats={
        "columns": FileFormat(
            "printkit.systems.collision.march.columns:ArmyTable",
            ("examples", "columns"),
            Sentence("an army that comes on in three columns"),
        ),
    },
    commands={
        "columns": Command(
            "", "Track armies that march on in three columns. These are rules of Collision Course.", group="play"
        ),
        "columns new": Command(
            f"{_KEPT}:write_march",
            "Write a scenario file for armies in columns. Each army has three columns, built from its "
            "list. With --set landing=defender, invader or both an army plans a landing.",
            takes="new_file defender attacker settings seed lang force",
            usual={"defender": "", "attacker": ""},
        ),
        "columns show": Command(
            f"{_KEPT}:show_columns",
            "Show the bounds played and the state of the columns.",
            takes="file side undo lang to",
            usual={"side": ""},
        ),
        "columns bound": Command(
            f"{_KEPT}:note_bound",
            "Show what a PIP die allows in the next bound. Also shows what it requires; with SPENDING, "
            "records the bound.",
            takes="file side die spending lang to",
        ),
    },
)

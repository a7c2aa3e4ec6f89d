"""The plugin for American Civil War terrain by State."""

from __future__ import annotations

from typing import Final

from printkit.kit.plugin import Plugin

PLUGIN: Final = Plugin(
    name="acw",
    # 4: the outlines differ from those in records of version 0.2.0 and of the first builds of 0.3.0.
    shapes=4,
    system="printkit.systems.acw.system:Acw",
    sides="printkit.systems.acw.terms.facts:told_sides",
    umpire_pages="printkit.systems.acw.sheets.pages:log_pages",
    reference_pages="printkit.systems.acw.sheets.pages:key_pages",
    layout_pages="printkit.systems.acw.sheets.evening:layout_pages",
    form_pages="printkit.systems.acw.sheets.evening:form_pages",
    blank_form="printkit.systems.acw.sheets.form:form_document",
    decks=("tables",),
    spare={"cards-tables": "next-time"},
)

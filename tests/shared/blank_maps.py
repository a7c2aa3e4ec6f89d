"""The plan of a map that stays blank, for tests of what stands around maps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from printkit.page.sheet import Document
from printkit.recipes.prints.map_plan import MapPlan


def blank_plan(document: Document, title: str = "map") -> MapPlan:
    """Return a stand-in for the plan of a map on one sheet, with this document."""
    facts = SimpleNamespace(
        document=document,
        record=SimpleNamespace(battlefield=SimpleNamespace(title=title)),
        scale=1.0,
        ratio="1:1",
        sheet=document.pages[0].sheet,
        **dict.fromkeys(("pages", "columns", "rows"), 1),
        **dict.fromkeys(("cuts", "additional_pages", "box_pages"), 0),
        **dict.fromkeys(("dropped", "clipped_pages", "zone_pages", "empty_sheets", "reprinted_sheets"), ()),
        **dict.fromkeys(("saving", "separate_document"), None),
        skips_empty=False,
    )
    return cast("MapPlan", facts)

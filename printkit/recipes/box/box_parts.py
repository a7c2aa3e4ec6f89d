"""Additions of a terrain box to a map. The piece list is loaded only for the few records that have a box."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Page
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.record import Record


def box_pages(record: Record, system: RuleSystem, order: SheetContext) -> tuple[Page, ...]:
    """Return the piece list as separate pages for a map; empty if the record has no box.

    Raises:
        PageError: the paper is too small.
        BookError: the box of the record is wrong.
    """
    if not record.box:
        return ()
    from printkit.recipes.box import box_list

    return box_list.box_pages(record, system, order)


def add_piece_notes(accounts: Mapping[str, str], record: Record, words: Words) -> dict[str, str]:
    """Return the account of each feature, with a note where a piece of another kind replaces it.

    Accounts are texts by feature ID.

    Raises:
        BookError: the box of the record is wrong.
    """
    if not record.box:
        return dict(accounts)
    from printkit.recipes.box import box_list

    return box_list.add_piece_notes(accounts, record, words)

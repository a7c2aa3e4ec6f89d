"""What a terrain box adds to a map. The list itself is loaded for a record that was held to a box; few are."""

from __future__ import annotations

from collections.abc import Mapping

from printkit.core.words import Words
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Page
from printkit.recipes.output.printers import SheetContext
from printkit.terrain.field.record import Record


def box_pages(record: Record, system: RuleSystem, order: SheetContext) -> tuple[Page, ...]:
    """Return the list on pages of its own that go with a map; none where the game was held to no box.

    Raises:
        PageError: the paper is too small.
        BookError: the box of the record is wrong.
    """
    if not record.box:
        return ()
    from printkit.recipes.box import box_list

    return box_list.box_pages(record, system, order)


def with_pieces(accounts: Mapping[str, str], record: Record, words: Words) -> dict[str, str]:
    """Return the accounts of a key; where a piece of another kind stands for a feature, the account says so.

    Raises:
        BookError: the box of the record is wrong.
    """
    if not record.box:
        return dict(accounts)
    from printkit.recipes.box import box_list

    return box_list.with_pieces(accounts, record, words)

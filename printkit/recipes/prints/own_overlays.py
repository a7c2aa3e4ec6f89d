"""What single rule systems draw over a map besides what its record holds, from what the scenario gave them."""

from __future__ import annotations

from typing import Final

from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record

_COLUMNS: Final = "collision-course"


def with_own_overlays(record: Record) -> Battlefield:
    """Return the battlefield of a record with the columns of armies, where its scenario gave any (CC-O08).

    Raises:
        ScenarioError: an army or a position in it cannot be read.
    """
    if record.rules != _COLUMNS:
        return record.battlefield
    from printkit.systems.collision.sheets.columns import with_columns

    return with_columns(record)

"""What single rule systems draw over a map besides what its record holds, from what the scenario gave them."""

from __future__ import annotations

from printkit.kit.registry import added
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record


def with_own_overlays(record: Record) -> Battlefield:
    """Return the battlefield of a record with the columns of armies, where its scenario gave any (CC-O08).

    Raises:
        ScenarioError: an army or a position in it cannot be read.
    """
    add = added(record.rules, "overlays")
    found: Battlefield = record.battlefield if add is None else add(record)
    return found

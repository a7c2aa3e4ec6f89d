"""Map overlays of single rule systems that come from the scenario and not from the record's battlefield."""

from __future__ import annotations

from printkit.kit.registry import added
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record


def with_own_overlays(record: Record) -> Battlefield:
    """Return the battlefield of a record with the overlays of its scenario, for example army columns (CC-O08).

    Raises:
        ScenarioError: an army or a position in the record cannot be read.
    """
    add = added(record.rules, "overlays")
    found: Battlefield = record.battlefield if add is None else add(record)
    return found

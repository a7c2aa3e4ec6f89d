"""Map overlays of single rule systems that come from the scenario and not from the record's battlefield."""

from __future__ import annotations

from printkit.kit.registry import load_plugin_field
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record


def add_scenario_overlays(record: Record) -> Battlefield:
    """Return the battlefield of a record with the overlays of its scenario, for example army columns (CC-O08).

    Raises:
        ScenarioError: an army or a position in the record cannot be read.
    """
    add_overlays = load_plugin_field(record.rules, "overlays")
    battlefield: Battlefield = record.battlefield if add_overlays is None else add_overlays(record)
    return battlefield

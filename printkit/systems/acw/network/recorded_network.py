"""The details of a record: geography, rolls of each zone, and the network as a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from printkit.systems.acw.dicing.geography import BattleLocation
from printkit.systems.acw.network.network import Branch, End, GroundPlan, Network, To, ZoneExit, ZoneReach
from printkit.systems.acw.terms.plan import RollResult, ZoneLog, ZoneSide


def record_facts(plan: GroundPlan, location: BattleLocation, left_out: Mapping[RollResult, str]) -> dict[str, Any]:
    """Return the details of the record as plain values: location, water, grid, rolls and network.

    The keys are ``state``, ``geography``, ``table``, ``grid``, ``water`` (or None), ``zones``, ``graph`` and
    ``reaches``. ``left_out`` has the failed attempts of rolls without room, as text.
    """
    water = plan.water
    return {
        "state": location.region.name if location.region is not None else "",
        "geography": location.geography.name,
        "table": location.geography.rolls.number,
        "grid": {"columns": plan.grid.columns, "rows": plan.grid.rows},
        "water": {"edge": water.edge.value, "kind": water.piece.key} if water is not None else None,
        "zones": [_roll_values(result, plan.log, left_out) for result in plan.log.results],
        "graph": graph_values(plan.network),
        "reaches": reach_values(plan.network),
    }


def graph_values(network: Network) -> dict[str, Any]:
    """Return the network as plain values: ``roads``, ``streams``, ``rail``, ``swamps`` and ``creek``.

    Links are lists of zones; ends, mouths and sources are pairs of a zone and a text. Rail and creek may be None.
    """
    roads, streams, rail, creek = network.roads, network.streams, network.rail, network.creek
    return {
        "roads": {"links": [list(path) for path in roads.links], "ends": _end_values(roads.ends)},
        "streams": {
            "links": [list(path) for path in streams.links],
            "mouths": _end_values(streams.mouths),
            "sources": _end_values(streams.sources),
        },
        "rail": None
        if rail is None
        else {
            "axis": rail.axis.value,
            "path": list(rail.path),
            "branches": [
                {"zone": branch.zone, "path": list(branch.path), "side": _side_text(branch.side)}
                for branch in rail.branches
            ],
        },
        "swamps": [list(pair) for pair in network.swamps],
        "creek": None
        if creek is None
        else {"path": list(creek.path), "entry_edge": creek.entry.value, "exit_edge": creek.exit.value},
    }


def _end_values(ends: Sequence[End]) -> list[list[Any]]:
    """Return each end of a course as a list of its zone and its text."""
    return [[end.zone, end_text(end)] for end in ends]


def _side_text(side: ZoneSide | None) -> str:
    """Return the letter of a side of a zone; empty for None."""
    return "" if side is None else side.value


def end_text(end: End) -> str:
    """Return the text for an end of a road or stream, for example ``edge S via 5`` or ``foot of Hill``."""
    via = f" via {' '.join(map(str, end.via))}" if end.via else ""
    side = _side_text(end.side)
    match end.target:
        case To.EDGE | To.WATER:
            return f"{end.target.value} {side}{via}"
        case To.PLACE:
            return f"{end.piece.key if end.piece is not None else 'place'} {end.target_zone}{via}"
        case To.HILL:
            return f"foot of {end.piece.value if end.piece is not None else 'hill'}"
        case To.HILLSIDE:
            return f"hill beyond {side}"
        case To.CREEK | To.JUNCTION:
            return f"{end.target.value} {end.target_zone if end.target_zone is not None else end.zone}{via}"
        case _:
            return end.target.value


def reach_values(network: Network) -> list[dict[str, Any]]:
    """Return the part of every course in each zone as a dict: ``zone``, ``piece`` and ``arms``.

    An arm is a list of its target and its side, both as text. Side roads also have ``branch``.
    """
    roads, rail = network.roads, network.rail.reaches if network.rail is not None else ()
    reaches = (*roads.reaches, *network.streams.reaches, *network.creek_reaches, *rail)
    branches = [{**_reach_values(branch, branch.arm), "branch": True} for branch in roads.branches]
    return [*(_reach_values(reach, *reach.arms) for reach in reaches), *branches]


def _reach_values(reach: ZoneReach | Branch, *arms: ZoneExit) -> dict[str, Any]:
    """Return the part of a course in a zone, with these arms, as plain values."""
    arm_values = [[arm.to.value, _side_text(arm.side)] for arm in arms]
    return {"zone": reach.zone, "piece": reach.piece.key, "arms": arm_values}


def _roll_values(result: RollResult, log: ZoneLog, left_out: Mapping[RollResult, str]) -> dict[str, Any]:
    """Return a roll for the record: ``zone``, ``roll``, ``die``, ``cell``, ``fate``, ``piece`` and ``throw``.

    A named place also has ``name``, and a roll without room ``no_room``. The die may be None. ``left_out`` has the
    failed attempts of rolls without room.
    """
    name = log.names.get(result.zone, "") if result in log.places else ""
    return {
        "zone": result.zone,
        "roll": result.roll,
        "die": result.die,
        "cell": result.cell,
        "fate": result.outcome.value,
        "piece": result.piece.key if result.piece is not None else "",
        "throw": result.throw,
        **({"name": name} if name else {}),
        **({"no_room": str(left_out[result])} if result in left_out else {}),
    }

"""Facts for the sheets of both sides, from the lists of a scenario: army, faults, entry lengths, replayed log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from printkit.core.errors import ScenarioError
from printkit.kit.rules import Rules
from printkit.systems.collision.march.columns import Army, Role, Troops, read_army, read_troops
from printkit.systems.collision.march.columns_check import (
    EntryLength,
    Fault,
    Land,
    check_army,
    entry_length,
    entry_margin,
)
from printkit.systems.collision.march.entry import March, Step, first_fault, march_of, read_log, replay_bounds
from printkit.systems.collision.march.ground import line_points
from printkit.systems.collision.march.positions import XY, Base, check_positions, read_positions
from printkit.systems.dba3.placing.placement import find_shore
from printkit.terrain.field.battlefield import Battlefield, Edge
from printkit.terrain.field.features import Kind

ARMIES: Final = "army"
PIPS: Final = "pips"
POSITIONS: Final = "positions"
# The lists of a scenario about columns: tables of armies, the PIP log, recorded positions.
INPUTS: Final = (ARMIES, PIPS, POSITIONS)


class SideFacts(Struct, frozen=True, kw_only=True):
    """One side of a game with columns.

    Attributes:
        faults: of its army and positions.
        lengths: what is still off the board, for each column.
        steps: its log, replayed up to the first illegal bound.
        logged: whether there is a log; without one the tracker is empty.
    """

    role: Role
    army: Army | None = None
    faults: tuple[Fault, ...] = ()
    lengths: tuple[EntryLength, ...] = ()
    steps: tuple[Step, ...] = ()
    logged: bool = False

    @property
    def log_faults(self) -> tuple[Fault, ...]:
        """Return the notes on the PIP log of the side, then its first illegal entry if there is one (CC-K15)."""
        first = first_fault(self.steps)
        notes = tuple(note for step in self.steps for note in step.notes)
        return (*notes, *(() if first is None else (first,)))


def side_facts(
    inputs: Mapping[str, object], rules: Rules, field: Battlefield, edges: Mapping[Role, Edge]
) -> tuple[SideFacts, SideFacts]:
    """Return the army, faults, lengths and replayed log of both sides, the defender first.

    A side without lists is empty.

    Args:
        inputs: lists of the scenario.
        rules: of the game.
        field: the map.
        edges: the base edges, from ``read_edges``.

    Raises:
        ScenarioError: an army, the log or a position cannot be parsed.
    """
    kinds = read_troops(rules)
    armies = read_armies(inputs, kinds)
    log = read_log(_read_lines(inputs, PIPS))
    positions = read_positions(_read_lines(inputs, POSITIONS))
    land = land_of(field)
    sides = []
    for role in Role:
        army = armies.get(role)
        march = March(baggage_column=2) if army is None else march_of(army, kinds, rules)
        faults: list[Fault] = []
        if army is not None:
            faults += check_army(army, rules, land=land)
        if role in positions:
            margin = kinds.side if army is None else entry_margin(army, 3, kinds)
            faults += check_positions(positions[role], _base_edge(edges[role], field), rules, margin=margin)
        lengths = (
            ()
            if army is None
            else tuple(entry_length(army, column, kinds, rules) for column in (2, 3) if army.column(column))
        )
        sides.append(
            SideFacts(
                role=role,
                army=army,
                faults=tuple(faults),
                lengths=lengths,
                steps=replay_bounds(log.get(role, ()), march, rules),
                logged=role in log,
            )
        )
    return sides[0], sides[1]


def read_armies(inputs: Mapping[str, object], troops: Troops) -> dict[Role, Army]:
    """Return the armies of a scenario by role; a side without a table is missing.

    Raises:
        ScenarioError: an army cannot be parsed, or belongs to neither side.
    """
    tables = inputs.get(ARMIES, {})
    if not isinstance(tables, Mapping):
        raise ScenarioError(
            "{armies} = {tables!r} is not a table; write [{armies}.defender] and [{armies}.attacker]",
            armies=ARMIES,
            tables=tables,
        )
    armies: dict[Role, Army] = {}
    for name, tree in tables.items():
        if name not in [role.value for role in Role] or not isinstance(tree, Mapping):
            error = ScenarioError(
                "[{armies}] has {name!r}; use only the tables [{armies}.defender] and [{armies}.attacker]",
                armies=ARMIES,
                name=name,
            )
            error.member = (ARMIES, name)
            raise error
        armies[Role(name)] = read_army(tree, f"{ARMIES}.{name}", troops, role=name)
    return armies


def planned_landings(armies: Mapping[Role, Army]) -> dict[str, bool]:
    """Return whether each known army plans a landing, by the letter of its side (CC-O06).

    Sides without an army are missing.
    """
    return {role.letter: army.landing > 0 for role, army in armies.items()}


def land_of(field: Battlefield) -> Land:
    """Return which water and towns a map has: whether a waterway, whether a city, and the number of forts."""
    kinds = [feature.kind for feature in field.features]
    return Land(waterway=Kind.WATERWAY in kinds, city=Kind.CITY in kinds, forts=kinds.count(Kind.FORT))


def read_edges(details: Mapping[str, Any]) -> dict[Role, Edge]:
    """Return the base edges by role, from the details of a record.

    A missing edge has its default: the defender's is near, the attacker's far.
    """
    deployment = details.get("deployment")
    names = {Role.DEFENDER: "defender_edge", Role.ATTACKER: "invader_edge"}
    recorded_edges = (
        {role: deployment.get(name) for role, name in names.items()} if isinstance(deployment, Mapping) else {}
    )
    usual = {Role.DEFENDER: Edge.NEAR, Role.ATTACKER: Edge.FAR}
    return usual | {role: Edge(edge) for role, edge in recorded_edges.items() if edge in list(Edge)}


def _read_lines(inputs: Mapping[str, object], name: str) -> Sequence[str]:
    """Return a list of texts from the scenario; empty if the list is missing.

    ``inputs`` are the lists of the scenario, and ``name`` is the name of this one.

    Raises:
        ScenarioError: it is not a list of texts.
    """
    lines = inputs.get(name, ())
    if not isinstance(lines, list | tuple) or not all(isinstance(line, str) for line in lines):
        raise ScenarioError('{name} is not a list of texts; write {name} = ["defender ..."]', name=name)
    return lines


def _base_edge(edge: Edge, field: Battlefield) -> Base:
    """Return a base edge with its shore, if it has one, in base widths."""
    shore, scale = find_shore(field), field.board.scale.base_width
    points = line_points(field.board, edge, shore) if shore is not None and shore.edge is edge else ()
    return Base(side=field.board.width / scale, edge=edge, shore=tuple(XY(x / scale, y / scale) for x, y in points))

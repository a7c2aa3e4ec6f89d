"""Tables of zones from dice or from lists, and networks as short texts, the way the worked examples write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.chance.streams import Jitter
from printkit.kit.book import RuleBook
from printkit.kit.rules import Rules
from printkit.kit.system import Outcome, Scenario
from printkit.systems.acw.dicing.dicing import DicedZones, Terms, dice_zones
from printkit.systems.acw.network.joining import build_network
from printkit.systems.acw.network.network import Network
from printkit.systems.acw.network.recorded_network import graph_values
from printkit.systems.acw.system import Acw
from printkit.systems.acw.terms.inputs import Inputs
from printkit.systems.acw.terms.pieces import Piece
from printkit.systems.acw.terms.plan import (
    CreekPath,
    RollOutcome,
    RollResult,
    Water,
    ZoneLog,
    ZonePlan,
    ZoneSide,
    zone_grid,
)
from printkit.systems.acw.terms.tables import Tables, choice_list

INCH = 25.4

TOWN = "1,1,1,1 / 2,2,2,2 / 5,4,1 / 4,5,3,3 / 6,6 / 1,3,6"
FARMS = "5,1,2,4 / 6,4,3,2 / 4,6 / 2,3,6 / 1,2,1,1 / 3,3,5,6"
"""Dice of whole farm tables: with a town in zone 3, and without."""


@cache
def system() -> Acw:
    return Acw()


def book() -> RuleBook:
    return system().book


def settle(**given: str) -> dict[str, str]:
    """Return the settings of a game, keys with ``_`` for a hyphen."""
    return book().settle({key.replace("_", "-"): text for key, text in given.items()})


def rules(size: str = "72x48", **given: str) -> Rules:
    """Return the rules of a game on a board of so many inches."""
    width, depth = (float(side) * INCH for side in size.split("x"))
    return Rules.of(book(), settle(**given), board=system().board(width, depth))


def grid_of(size: str = "72x48", **settings: str) -> ZonePlan:
    return zone_grid(rules(size, **settings))


def dice_of(scores: str) -> Dice:
    """Return dice that give these scores, parted as one likes, and no more."""
    return Dice(ScriptedSource(scores.replace("/", " ").replace(",", " ").split(), Seeded(1)))


def spent(dice: Dice) -> bool:
    assert isinstance(dice.source, ScriptedSource)
    return dice.source.unused_count == 0


def terms(geography: str, size: str = "72x48", *, inputs: Mapping[str, object] | None = None, **given: str) -> Terms:
    ruled = rules(size, **given)
    grid, tables = zone_grid(ruled), Tables.from_rules(ruled)
    country = tables.geography(geography)
    options, read = choice_list(country, ruled), Inputs.read(inputs or {}, grid)
    return Terms(grid=grid, geography=country, options=options, rules=ruled, inputs=read)


def diced(
    geography: str, scores: str, size: str = "72x48", *, inputs: Mapping[str, object] | None = None, **given: str
) -> tuple[DicedZones, Dice]:
    dice = dice_of(scores)
    found = dice_zones(terms(geography, size, inputs=inputs, **{"choice_policy": "none", **given}), dice)
    return found, dice


def zone(geography: str, scores: str, decisions: str = "", **given: str) -> str:
    """Return what lies in the one zone of a small table, and that all dice were used."""
    found, dice = diced(geography, scores, "24x24", inputs={"decisions": [decisions]}, **given)
    assert spent(dice)
    return lying(found.log, 1)


def lying(log: ZoneLog, number: int) -> str:
    return ", ".join(piece.value for piece in log.pieces(number))


def cells(log: ZoneLog, number: int) -> str:
    return ", ".join(result.cell or "blank" for result in log.zone_rolls(number))


def log_of(zones: Mapping[int, str]) -> ZoneLog:
    """Return a log of zones in which these pieces lie."""
    return ZoneLog(
        tuple(
            RollResult(zone=number, roll=roll, die=None, cell=name, outcome=RollOutcome.GIVEN, piece=Piece(name))
            for number, pieces in sorted(zones.items())
            for roll, name in enumerate(pieces.split(", "), 1)
        )
    )


def joined(
    zones: Mapping[int, str] | ZoneLog,
    size: str = "72x48",
    *,
    water: str = "",
    creek: CreekPath | None = None,
    **given: str,
) -> Network:
    log = zones if isinstance(zones, ZoneLog) else log_of(zones)
    tables = Tables.from_rules(rules())
    sea = tables.geography("Riverside").water
    assert sea is not None
    edge = Water(ZoneSide(water), sea) if water else None
    return build_network(grid_of(size), log, rules(size, **given), water=edge, creek=creek)


def roads(network: Network) -> str:
    found = graph_values(network)["roads"]
    return told(found["links"], found["ends"])


def streams(network: Network) -> str:
    found = graph_values(network)["streams"]
    return f"{told(found['links'], found['mouths'])} < {told((), found['sources'])}"


def rail(network: Network) -> str:
    found = graph_values(network)["rail"]
    branches = "".join(f" + {branch['path'][-1]}" for branch in found["branches"])
    return f"{found['axis']} {'-'.join(map(str, found['path']))}{branches}"


def told(links: list[list[int]] | tuple[()], ends: list[list[object]]) -> str:
    paths = ", ".join("-".join(map(str, path)) for path in links)
    return "; ".join(part for part in (paths, ", ".join(f"{number} {text}" for number, text in ends)) if part)


def game(geography: str, scores: str, *, inputs: Mapping[str, object] | None = None, **given: str) -> Outcome:
    """Return a whole game from a list of dice."""
    settings = settle(geography=geography, **given)
    scenario = Scenario(board=system().board(settings=settings), settings=settings, seed=1, inputs=inputs or {})
    return system().lay_out(scenario, dice_of(scores), Jitter(1))


@cache
def farm_game() -> Outcome:
    """Return the farm table of the worked example AC-T20, with its ground."""
    return game("Farm", FARMS, inputs={"decisions": ["Wood"]})

"""Joins what lies in the zones to one countryside: roads, streams, railroad, swamps, and how they pass one another."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from printkit.kit.book import RuleBook
from printkit.systems.acw.network.crossings import meetings
from printkit.systems.acw.network.network import Network
from printkit.systems.acw.network.rails import railroad
from printkit.systems.acw.network.roads_and_rails import roads
from printkit.systems.acw.network.streams import creek_reaches, streams
from printkit.systems.acw.network.swamps import joined_swamps
from printkit.systems.acw.terms.plan import CreekPath, Water, ZoneGrid, ZoneLog


def join(
    grid: ZoneGrid,
    log: ZoneLog,
    book: RuleBook,
    *,
    settings: Mapping[str, str],
    water: Water | None = None,
    creek: CreekPath | None = None,
) -> Network:
    """Return the network of a table; it hangs on the zones alone, and takes no dice (AC-211)."""
    network = Network(
        roads=roads(grid, log, water, book, settings=settings),
        streams=streams(grid, log, book, settings=settings, water=water, creek=creek),
        rail=railroad(grid, log, water),
        swamps=joined_swamps(grid, log),
        creek=creek,
        creek_reaches=creek_reaches(grid, creek),
    )
    return replace(network, meetings=meetings(network, book))

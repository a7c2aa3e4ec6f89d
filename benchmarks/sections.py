"""What a subject hands to the page: a section in Markdown, and the figures that stand against targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from benchmarks.processes import Runs
from benchmarks.tables import table


class Effort(Struct, frozen=True, kw_only=True):
    """How much is run.

    ``rounds`` of what takes a second or two, ``long_rounds`` of what takes longer, ``count`` maps in a batch; a quick
    run leaves out what takes longest and says so.
    """

    rounds: int
    long_rounds: int
    count: int
    quick: bool


class Section(Struct, frozen=True, kw_only=True):
    """A part of the page: its title, its paragraphs and tables, and what it measured, by the keys of targets.

    ``waits`` are seconds on the clock by what a person asked for, ``pictures`` files beside the page by their names.
    """

    title: str
    blocks: tuple[str, ...]
    measured: Mapping[str, float] = field(default_factory=dict)
    waits: Mapping[str, float] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    failed: bool = False


Subject: TypeAlias = Callable[[Effort], Section]


def against_floor(runs: Sequence[Runs], floor: Runs) -> str:
    """Return the table of whole processes: how often the floor, in seconds, and in memory."""
    rows = [
        (each.command.name, each.against(floor), f"{each.cpu:.2f}", f"{each.wall:.2f}", f"{each.peak:.0f}")
        for each in (floor, *runs)
    ]
    return table(("command", "x floor", "processor, s", "clock, s", "peak, MB"), rows)

"""The targets, and whether a measurement meets them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from benchmarks.tables import table


class Verdict(StrEnum):
    """What a measurement says of a target."""

    MET = "met"
    MISSED = "**missed**"
    UNKNOWN = "not measured"


class Target(Struct, frozen=True):
    """A limit that a measurement may not pass: at most ``limit``, or at least, where ``least`` says so."""

    key: str
    subject: str
    limit: float
    unit: str = ""
    least: bool = False

    def verdict(self, measured: float | None) -> Verdict:
        """Return whether the target is met; the limit itself is within it."""
        if measured is None:
            return Verdict.UNKNOWN
        within = measured >= self.limit if self.least else measured <= self.limit
        return Verdict.MET if within else Verdict.MISSED

    def row(self, measured: float | None) -> tuple[str, str, str, str]:
        """Return the row of the table of targets."""
        bound = f"{'at least' if self.least else 'at most'} {self.limit:g}{self.unit}"
        told = "" if measured is None else f"{measured:.2f}{self.unit}"
        return self.subject, bound, told, str(self.verdict(measured))


_FLOOR: Final = " x floor"

TARGETS: Final = (
    Target("map-campaign", "`map`, 24 in on 12 sheets, `campaign`", 8, _FLOOR),
    Target("map-ink-saver", "`map`, 24 in on 12 sheets, `ink-saver`", 5, _FLOOR),
    Target("help", "`--help`", 1.5, " x a bare `import typer`"),
    Target("handouts", "`handouts`, a game night of `brantley`", 20, _FLOOR),
    Target("area", "a 72 in table, a square foot, against 24 in", 1.3, " x"),
    Target("batch-cores", "a batch of 500 on two cores, maps an hour against one core", 1.8, " x", least=True),
    Target("batch-single", "a map of a batch of 500 on one core, against a command of its own", 0.55, " x"),
    Target("printing", "all sheets of a 6x4 ft table rasterised, against one shared form", 5, " x as fast", least=True),
    Target("size-campaign", "file of 24 in, `campaign`", 1.2, " MB"),
    Target("size-ink-saver", "file of 24 in, `ink-saver`", 0.5, " MB"),
    Target("size-tiled", "file of the tiled map against that on one sheet", 1.3, " x"),
    *(
        Target(f"studio-{rules}", f"a new field of a warm studio, `{rules}`, against the command", 0.5, " x")
        for rules in ("brantley", "dba3", "collision-course")
    ),
    *(
        Target(f"studio-{rules}", f"a new field of a warm studio, `{rules}`, against the command", 0.85, " x")
        for rules in ("portable-2", "acw")
    ),
    Target("studio-verdicts", "the verdicts on a feature moved by hand, `brantley`, against the command", 0.15, " x"),
    Target("studio-meanwhile", "the studio's answer while a 6x4 ft table is printed, 95 of 100", 20, " ms"),
    Target("mat-floor", "a painted mat of 24 in on one sheet", 15, _FLOOR),
    Target("mat-time-24", "a painted mat of 24 in, against `campaign`", 3, " x"),
    Target("mat-time-72", "a painted mat of 6x4 ft, against `campaign`", 3.5, " x"),
    Target("mat-size-24", "file of a painted mat of 24 in", 4, " MB"),
    Target("mat-size-72", "file of a painted mat of 6x4 ft", 10, " MB"),
    Target("mat-memory-72", "memory at its peak, a painted mat of 6x4 ft", 500, " MB"),
    Target("mat-memory-144", "memory at its peak, a painted mat of 12x6 ft", 1000, " MB"),
    Target("memory", "memory at its peak, a 12x6 ft table in any drawn style", 400, " MB"),
)
"""In the order of the page. MB are millions of bytes."""


def targets_table(measured: Mapping[str, float]) -> str:
    """Return every target with what was measured.

    Raises:
        KeyError: something was measured under a key that no target has.
    """
    unknown = sorted(set(measured) - {target.key for target in TARGETS})
    if unknown:
        raise KeyError(f"no target {unknown[0]!r}")
    rows = [target.row(measured.get(target.key)) for target in TARGETS]
    return table(("target", "limit", "measured", "verdict"), rows, left=4)

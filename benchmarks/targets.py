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


OTHERS: Final = ("acw", "portable-1", "portable-2", "solo-dba", "dba3", "collision-course")
SYSTEMS: Final = ("brantley", *OTHERS)

DESK: Final = {"check": "check", "bound": "npg bound", "status": "status"}
"""What is asked at the table and answers in a few lines, by the keys of its targets."""


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
    Target("map-campaign", "`map`, 24 in on 12 sheets, `campaign`, dressed", 5, _FLOOR),
    Target("map-ink-saver", "`map`, 24 in on 12 sheets, `ink-saver`, dressed", 4, _FLOOR),
    *(Target(f"map-{rules}", f"`map`, `{rules}` on its own board", 8, _FLOOR) for rules in OTHERS),
    Target("plan", "`map --plan`, against the command without it", 0.8, " x"),
    Target("help", "`--help`", 1.0, " x a bare `import typer`"),
    *(
        Target(f"desk-{key}", f"`{command}`, against 1.5 x `import typer` and a floor", 1.0, " x")
        for key, command in DESK.items()
    ),
    *(Target(f"handouts-{rules}", f"`handouts`, a game night of `{rules}`", 18, _FLOOR) for rules in SYSTEMS),
    Target("night-acw", "a game night of `acw`, on the clock of this machine", 4, " s"),
    Target("hexon", "`hexon`, 36 x 24 hexes from a sampled field", 8, _FLOOR),
    Target("area", "a 72 in table, a square foot, against 24 in", 1.3, " x"),
    Target(
        "batch-cores", "what two cores gain a batch of 500, of what they gain two plain loops", 0.95, " x", least=True
    ),
    Target("batch-single", "a map of a batch of 500 on one core, against a command of its own", 0.5, " x"),
    Target("printing", "all sheets of a 6x4 ft table rasterised, against one shared form", 5, " x as fast", least=True),
    Target("size-campaign", "file of 24 in, `campaign`", 1.2, " MB"),
    Target("size-ink-saver", "file of 24 in, `ink-saver`", 0.5, " MB"),
    Target("size-tiled", "file of the tiled map against that on one sheet", 1.3, " x"),
    *(
        Target(f"studio-{rules}", f"a new field of a warm studio, `{rules}`, against the command", 0.4, " x")
        for rules in ("brantley", "dba3", "collision-course")
    ),
    *(
        Target(f"studio-{rules}", f"a new field of a warm studio, `{rules}`, against the command", 0.6, " x")
        for rules in ("portable-1", "portable-2", "acw")
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
    Target("memory", "memory at its peak, a 12x6 ft table, `campaign`", 180, " MB"),
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

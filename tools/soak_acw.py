"""Lays out many tables of the American Civil War by State, judges every one, and writes output/soak/soak-acw.md.

Seeds go round the eight geographies and tables from 24 to 120 inches a side; the readings of the rules that shape dice
and ground are drawn for each (AC-T45). A table fails where it raises an error, where the judge finds a clause broken,
or where it has more than two farms and settlements.

    python tools/soak_acw.py [--count FIELDS] [--first SEED] [--processes N] [--page FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import Final

from soaking import Mixture, Soak, run

from printkit.core.units import MM_PER_INCH
from printkit.kit.system import Outcome
from printkit.terrain.field.record import Record

GEOGRAPHIES: Final = ("farm", "wilderness", "riverside", "mountains", "coastal", "swampy", "plain", "hilly")
SIZES: Final = (24, 30, 36, 44, 48, 60, 72, 84, 96, 108, 120)
"""Sides of tables in inches; a table takes one for its width and another for its depth."""

DRAWN: Final = {
    "reach": ("3", "1", "2", "4", "5"),
    "water-ground": ("inside", "outside"),
}
"""Settings of which each seed draws a value."""

LIMIT: Final = 2
MADE: Final = ("kept", "chosen")

HEAD: Final = """# Soak of the tables by State

Tables of `acw` laid out from consecutive seeds, in all eight geographies, 24 to 120 inches a side, with edges, creeks
and settings drawn for each; each judged as `printkit check` judges. *No room* counts results that stay in
the zone log but found no room on the table. This page is made by `make soak` and is never edited by hand.
"""


def mixture(seed: int) -> Mixture:
    """Return the geography, the sides and the settings of a seed; each seed has another mixture."""
    drawn = Random(seed)
    geography, rest = GEOGRAPHIES[seed % len(GEOGRAPHIES)], seed // len(GEOGRAPHIES)
    width, depth = SIZES[rest % len(SIZES)], SIZES[(rest // len(SIZES) * 3 + rest * 7 + 4) % len(SIZES)]
    given = {
        "geography": geography,
        "choices": ("tidy", "uniform", "none")[rest % 3],
        "clearing": ("belt", "nothing", "wooded-zone")[rest % 7 % 3],
        "lanes": "lanes" if rest % 5 == 2 else "none",
        **{key: drawn.choice(values) for key, values in DRAWN.items()},
    }
    if geography == "riverside" and rest % 3 == 1:
        given["water"] = "creek"
    return Mixture(label=geography, settings=given, side=width * MM_PER_INCH, depth=depth * MM_PER_INCH)


def promises(record: Record) -> Iterator[str]:
    """Yield that a table has more farms and settlements than it may."""
    places = [
        roll for roll in record.details["zones"] if roll["piece"] in ("farm", "settlement") and roll["fate"] in MADE
    ]
    if len(places) > LIMIT:
        yield f"{len(places)} farms and settlements (AC-212)"


def counts(record: Record, outcome: Outcome) -> tuple[int, ...]:
    """Return how many zones and results a table has, and how many of these found no room."""
    rolls, zones = record.details["zones"], record.details["grid"]
    results = sum(1 for roll in rolls if roll["piece"] and roll["fate"] in MADE)
    return zones["columns"] * zones["rows"], results, sum("AC-X12" in note for note in outcome.warnings)


SOAK: Final = Soak(
    system="acw",
    page="soak-acw.md",
    head=HEAD,
    mixture=mixture,
    promises=promises,
    counted=("Zones", "Results", "No room"),
    counts=counts,
)

if __name__ == "__main__":
    sys.exit(run(SOAK, sys.argv[1:]))

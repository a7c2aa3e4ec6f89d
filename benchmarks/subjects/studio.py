"""The studio: a new field as the server sends it, against the command line; and whether it answers meanwhile."""

from __future__ import annotations

import json
import statistics
from typing import Final

from benchmarks.figures import Ratio, ratio
from benchmarks.processes import OUT, child, once
from benchmarks.sections import Effort, Section
from benchmarks.tables import table

FIELDS: Final = ("brantley", "solo-dba", "dba3", "collision-course", "portable-1", "portable-2", "acw")
HELD: Final = FIELDS[:1] + FIELDS[2:]
"""The rule systems, and those whose ratio stands against a target."""

_LARGE: Final = ("acw", "3")
_OFTEN: Final = 0.95


def studio(effort: Effort) -> Section:
    """Ask a warm studio and the command line for the same fields in turn, and for a small file while it prints."""
    rows, ratios, clocks = [], dict[str, Ratio](), dict[str, float]()
    seeds = [str(seed) for seed in range(1, 3 * effort.rounds + 1)]
    for rules in FIELDS[:2] if effort.quick else FIELDS:
        pairs = json.loads(once(child(rules, "studio", OUT, "fields", rules, *seeds)).said)
        served, typed = zip(*pairs, strict=True)
        ratios[rules] = ratio(served, typed)
        middle = [f"{1000 * sorted(each)[len(each) // 2]:.0f}" for each in (served, typed)]
        rows.append((f"`{rules}`", *middle, str(ratios[rules])))
        clocks[f"the studio, a new field of `{rules}`, to its last byte"] = statistics.median(served)
    pairs = json.loads(once(child("verdicts", "studio", OUT, "verdicts", HELD[0], *seeds)).said)
    judged, typed = zip(*pairs, strict=True)
    told = ratio(judged, typed)
    waits = sorted(json.loads(once(child("meanwhile", "studio", OUT, "meanwhile", *_LARGE)).said))
    often = waits[int(_OFTEN * (len(waits) - 1))]
    return Section(
        title="The studio",
        blocks=(
            "From the press of *New field* to the last byte of the drawing: the form sent, its page and its SVG "
            "fetched, by a warm studio in a process of its own; against `map --scale fit --to svg` of the same rules "
            f"and seed, run after each. Milliseconds on the clock, {len(seeds)} seeds.",
            table(("rules", "studio, ms", "command, ms", "ratio"), rows),
            f"From a feature let go to the verdicts on the page, `{HELD[0]}`: "
            f"{1000 * sorted(judged)[len(judged) // 2]:.0f} ms, {told} of the command.",
            "While a table of six feet by four is drawn for the screen and printed, a small file is asked for every "
            f"10 ms: {1000 * waits[len(waits) // 2]:.0f} ms in the middle, {1000 * often:.0f} ms or less for 95 of "
            f"100, {1000 * waits[-1]:.0f} ms at most, of {len(waits)}.",
        ),
        measured={
            **{f"studio-{rules}": ratios[rules].middle for rules in HELD if rules in ratios},
            "studio-verdicts": told.middle,
            "studio-meanwhile": 1000 * often,
        },
        waits=clocks,
    )

"""Single stages of a map: what each takes, what is drawn, and how time grows with what there is to do."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.chart import stacked
from benchmarks.figures import growth
from benchmarks.processes import OUT, Command, Runs, child, interleaved, once
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED
from benchmarks.tables import table

STAGES = ("start-up", "generation", "drawing", "furniture", "pages", "writing")

PICTURE = "performance-stages.svg"

MAPS = (
    ("brantley, 24 in, `campaign`", "brantley", "24in", "campaign"),
    ("brantley, 24 in, `ink-saver`", "brantley", "24in", "ink-saver"),
    ("brantley, 48 in, `campaign`", "brantley", "48in", "campaign"),
    ("acw, 6x4 ft, `campaign`", "acw", "72x48in", "campaign"),
    ("acw, 12x6 ft, `campaign`", "acw", "144x72in", "campaign"),
)
SMALL = 3
"""So many of the maps come first and run more often; a quick run makes no others."""

COUNTED = (
    "map",
    "features",
    "sheets",
    "drawings",
    "paths",
    "texts",
    "stamps",
    "their places",
    "primitives of the map",
    "points of the map",
)

SYSTEMS = ("portable-1", "portable-2", "solo-dba", "dba3", "collision-course")

GROWING = ("24in", "48x24in", "48in", "72x48in", "96x48in", "96x72in", "144x72in")
"""Tables of one two-foot zone, of two, and so on to eighteen."""


def stages(effort: Effort) -> Section:
    """Measure each stage of the command from a clock around it, in a fresh process every time, and count the items."""
    small = interleaved([_staged(*of) for of in MAPS[:SMALL]], effort.rounds, warm=False)
    large = () if effort.quick else interleaved([_staged(*of) for of in MAPS[SMALL:]], effort.long_rounds, warm=False)
    others = [] if effort.quick else [_staged(f"{rules}, its own board", rules, None, "campaign") for rules in SYSTEMS]
    runs = [*small, *large, *interleaved(others, 1, warm=False)]
    told = [(each.command.name, json.loads(each.runs[0].said)) for each in runs]
    shown = [(run.command.name, {stage: 1000 * taken for stage, taken in _medians(run).items()}) for run in runs]
    return Section(
        title="Stages",
        blocks=(
            "Milliseconds of the processor and share of the command. Start-up is the interpreter, imports, the command "
            "line and all that is in no other stage; generation includes writing the record and reading it back; "
            "drawing is the board, furniture what stands about it, pages are tiling, marks and assembly plan; writing "
            "makes the PDF and puts the files in their place.",
            _shares([(each.command.name, _medians(each)) for each in (*small, *large)]),
            f"![Where the time of a map goes, stage by stage]({PICTURE})",
            "What is drawn: the items of all drawings of a document, each counted once however many sheets show it; "
            "and the primitives of the map alone, which are outlines, lines and texts, at every place of a stamp.",
            table(COUNTED, [(name, *_counts(each)) for name, each in told]),
            f"The fullest layers of {told[0][0]}, in primitives.",
            _layers(told[0][1]),
            "How the time of a stage grows with the points of the map, over the maps above: 1 is in proportion, 2 "
            "would be the square. The fit is the share of the scatter that the line explains.",
            _growth([(each, _medians(run)) for (_, each), run in zip(told, runs, strict=True)]),
        ),
        pictures={PICTURE: stacked([(name.replace("`", ""), each) for name, each in shown], "ms")},
    )


def linearity(effort: Effort) -> Section:
    """Fit how the time of generation grows with the features of a table."""
    boards = GROWING[:4] if effort.quick else GROWING
    said = once(child("generation", "growth", "acw", "2" if effort.quick else "3", *boards)).said
    games = json.loads(said)
    rows = []
    for board in boards:
        of = [game for game in games if game["board"] == board]
        middle = {key: statistics.fmean(game[key] for game in of) for key in ("features", "vertices", "seconds")}
        each = 1000 * middle["seconds"] / middle["features"]
        counts = (f"{middle['features']:.0f}", f"{middle['vertices']:.0f}")
        rows.append((board, *counts, f"{1000 * middle['seconds']:.0f}", f"{each:.1f}"))
    line = growth([(game["features"], game["seconds"]) for game in games if game["features"]])
    return Section(
        title="Generation against features",
        blocks=(
            f"`acw`, tables of one two-foot zone to many, in one process; means of {len(games) // len(boards)} games.",
            table(("board", "features", "vertices", "ms", "ms a feature"), rows),
            f"Time grows as features to the power of {line.exponent:.2f}; the line explains {100 * line.fit:.0f} % of "
            "the scatter.",
        ),
    )


def _staged(name: str, rules: str, board: str | None, style: str) -> Command:
    sized = () if board is None else ("--board", board)
    return child(name, "stages", OUT, "--rules", rules, *sized, "--style", style, "--seed", SEED)


def _medians(runs: Runs) -> dict[str, float]:
    told = [json.loads(run.said)["seconds"] for run in runs.runs]
    return {stage: statistics.median(each[stage] for each in told) for stage in STAGES}


def _shares(found: Sequence[tuple[str, dict[str, float]]]) -> str:
    """Return milliseconds and shares, a column for each map."""
    rows = [
        (stage, *(f"{1000 * told[stage]:.0f} ({100 * told[stage] / sum(told.values()):.0f} %)" for _, told in found))
        for stage in STAGES
    ]
    rows.append(("together", *(f"{1000 * sum(told.values()):.0f}" for _, told in found)))
    return table(("stage", *(name for name, _ in found)), rows)


def _growth(found: Sequence[tuple[dict[str, Any], dict[str, float]]]) -> str:
    """Return how steeply the time of each stage grows with the points of the map."""
    rows = []
    for stage in STAGES[1:]:
        line = growth([(told["points"], seconds[stage]) for told, seconds in found])
        rows.append((stage, f"{line.exponent:.2f}", f"{line.fit:.2f}"))
    return table(("stage", "exponent", "fit"), rows)


def _counts(told: dict[str, Any]) -> Sequence[object]:
    kinds = [told["kinds"].get(kind, 0) for kind in ("drawings", "path", "text", "stamp", "place")]
    return (told["features"], told["pages"], *kinds, sum(told["layers"].values()), told["points"])


def _layers(told: dict[str, Any]) -> str:
    rows = sorted(told["layers"].items(), key=lambda pair: -pair[1])[:10]
    return table(("layer", "primitives"), rows)

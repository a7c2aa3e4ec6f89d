"""Painted mats against the same boards in the first style: time, files, memory."""

from __future__ import annotations

from benchmarks.processes import FLOOR, Command, interleaved, printkit
from benchmarks.sections import Effort, Section, against_floor
from benchmarks.tables import table

_BOARDS = (("brantley", "24in", "77"), ("acw", "72x48in", "3"), ("acw", "144x72in", "3"))

MEASURED = (("24", ("time", "size")), ("72", ("time", "size", "memory")), ("144", ("memory",)))
"""What has a limit on each board."""


def mats(effort: Effort) -> Section:
    """Measure a 24 in and a 6x4 ft mat against the first style, and the largest table; a quick run the first alone."""
    boards = _BOARDS[:1] if effort.quick else _BOARDS
    asked = [_map(board, style) for board in boards for style in ("campaign", "painted")]
    floor, *runs = interleaved((FLOOR, *asked), effort.long_rounds, warm=False)
    measured = {"mat-floor": runs[1].against(floor).middle}
    for (key, figures), plain, painted in zip(MEASURED, runs[::2], runs[1::2], strict=False):
        found = {"time": painted.against(plain).middle, "size": painted.size(".pdf"), "memory": painted.peak}
        measured |= {f"mat-{figure}-{key}": found[figure] for figure in figures}
    rows = [(each.command.name, f"{each.size('.pdf'):.2f}", f"{each.peak:.0f}") for each in runs]
    return Section(
        title="Painted mats",
        blocks=(
            "The board alone on one sheet, without furniture, in both styles.",
            against_floor(runs, floor),
            table(("file of", "PDF, MB", "memory, MB"), rows),
        ),
        measured=measured,
        waits={f"`map`, {each.command.name}": each.wall for each in runs[1::2]},
    )


def _map(board: tuple[str, str, str], style: str) -> Command:
    rules, size, seed = board
    only = ("--sheet", "one", "--furniture", "none", "--dressing", "none")
    name = f"`{rules}`, {size}, `{style}`"
    return printkit(name, "map", "--rules", rules, "--board", size, "--seed", seed, "--style", style, *only)

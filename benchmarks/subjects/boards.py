"""Boards from 24 in to 12x6 ft: time a square foot; and memory in every style."""

from __future__ import annotations

from benchmarks.processes import FLOOR, Command, interleaved, printkit
from benchmarks.sections import Effort, Section
from benchmarks.subjects.commands import SEED, STYLES
from benchmarks.tables import table

TABLES = (
    ("brantley", "24in", 4),
    ("brantley", "48in", 16),
    ("brantley", "72in", 36),
    ("acw", "24in", 4),
    ("acw", "48in", 16),
    ("acw", "72x48in", 24),
    ("acw", "144x72in", 72),
)
"""Rules, board, and its square feet. Brantley plays on squares; tables of six and twelve feet have two-foot zones."""

LARGEST = "144x72in"


def boards(effort: Effort) -> Section:
    """Measure boards of growing size; a quick run leaves out the largest."""
    tables = [each for each in TABLES if not (effort.quick and each[1] == LARGEST)]
    asked = [_map(rules, board) for rules, board, _ in tables]
    floor, *runs = interleaved((FLOOR, *asked), effort.long_rounds, warm=False)
    smallest = tables[0][2]
    first = {rules: runs[place] for place, (rules, board, _) in enumerate(tables) if board == "24in"}
    shares: dict[tuple[str, str], float] = {}
    rows = []
    for (rules, board, size), each in zip(tables, runs, strict=True):
        share = shares[rules, board] = each.against(first[rules]).middle * smallest / size
        took = (each.against(floor), f"{each.cpu:.2f}", f"{each.cpu / size:.3f}", f"{share:.2f}")
        held = (f"{each.peak:.0f}", f"{each.peak / size:.1f}")
        rows.append((each.command.name, *took, *held, f"{each.size('.pdf'):.2f}"))
    head = ("board", "x floor", "processor, s", "s a square foot", "x 24 in", "peak, MB", "MB a square foot", "PDF, MB")
    return Section(
        title="Boards of every size",
        blocks=(
            "Whole commands, `campaign`, A4. The column before the memory is time a square foot against that of the 24 "
            "in board of the same rules; start-up weighs less the larger the board.",
            table(head, rows),
        ),
        measured={"area": shares["brantley", "72in"]},
    )


def memory(effort: Effort) -> Section:
    """Measure the memory of the largest table in every style; a quick run does without."""
    title = "Memory"
    if effort.quick:
        return Section(title=title, blocks=("Left out by `--quick`.",))
    runs = interleaved([_map("acw", LARGEST, style) for style in STYLES], 1, warm=False)
    rows = [(each.command.name, f"{each.peak:.0f}", f"{each.cpu:.1f}") for each in runs]
    return Section(
        title=title,
        blocks=(
            "The most that a process held at any time, on the largest table.",
            table(("board", "peak, MB", "processor, s"), rows),
        ),
        measured={"memory": runs[0].peak},
    )


def _map(rules: str, board: str, style: str = STYLES[0]) -> Command:
    name = f"`{rules}`, {board}" + ("" if style == STYLES[0] else f", `{style}`")
    return printkit(name, "map", "--rules", rules, "--board", board, "--style", style, "--seed", SEED)

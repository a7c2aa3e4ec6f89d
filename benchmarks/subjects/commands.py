"""Whole processes: start, one map of every rule system and style, a game night."""

from __future__ import annotations

import json

from benchmarks.processes import FLOOR, Command, child, interleaved, once, printkit
from benchmarks.sections import Effort, Section, against_floor
from benchmarks.tables import table

STYLES = ("campaign", "ink-saver", "high-contrast")
SYSTEMS = ("acw", "portable-1", "portable-2", "solo-dba", "dba3", "collision-course")
SEED = "7"


def start(effort: Effort) -> Section:
    """Measure help and version against the parser alone."""
    typer, floor, *others = interleaved(
        (
            Command("`import typer`", ("-c", "import typer")),
            FLOOR,
            Command("`python -c pass`", ("-c", "pass")),
            Command("`printkit --help`", ("-m", "printkit", "--help")),
            Command("`printkit map --help`", ("-m", "printkit", "map", "--help")),
            Command("`printkit --version`", ("-m", "printkit", "--version")),
        ),
        2 * effort.rounds,
    )
    rows = [
        (each.command.name, each.against(typer), f"{each.against(floor).middle:.2f}", f"{1000 * each.cpu:.0f}")
        for each in (typer, *others)
    ]
    helped = next(each for each in others if each.command.name == "`printkit --help`")
    return Section(
        title="Start",
        blocks=(table(("command", "x a bare `import typer`", "x floor", "processor, ms"), rows),),
        measured={"help": helped.against(typer).middle},
    )


def maps(effort: Effort) -> Section:
    """Measure one map in each style of one rule system, and of each other system on its own board."""
    styled = [printkit(f"`brantley`, 24 in, `{style}`", "map", "--seed", SEED, "--style", style) for style in STYLES]
    asked = [printkit(f"`{rules}`, its own board", "map", "--rules", rules, "--seed", SEED) for rules in SYSTEMS]
    fits = printkit("`brantley`, 24 in, `--scale fit`", "map", "--seed", SEED, "--scale", "fit")
    one = printkit("`brantley`, 24 in, one sheet", "map", "--seed", SEED, "--sheet", "one", "--furniture", "mat")
    floor, *runs = interleaved((FLOOR, *styled, one, fits), effort.rounds)
    other_floor, *others = interleaved((FLOOR, *asked), (effort.rounds + 1) // 2, warm=False)
    campaign, ink_saver = runs[0], runs[1]
    whole = next(each for each in runs if each.command is one)
    sizes = [(each.command.name, f"{each.size('.pdf'):.2f}", f"{each.size('.json'):.2f}") for each in (*runs, *others)]
    return Section(
        title="One map",
        blocks=(
            "A4 sheets with the record beside them, as the command makes them when nothing else is asked for.",
            against_floor(runs, floor),
            against_floor(others, other_floor),
            table(("file of", "PDF, MB", "record, MB"), sizes),
        ),
        measured={
            "map-campaign": campaign.against(floor).middle,
            "map-ink-saver": ink_saver.against(floor).middle,
            "size-campaign": campaign.size(".pdf"),
            "size-ink-saver": ink_saver.size(".pdf"),
            "size-tiled": campaign.size(".pdf") / whole.size(".pdf"),
        },
    )


def nights(effort: Effort) -> Section:
    """Measure a game night; a quick run that of the first rule system alone."""
    asked = printkit("`handouts`, `brantley`", "handouts", "--seed", SEED)
    floor, night = interleaved((FLOOR, asked), effort.long_rounds, warm=False)
    systems = () if effort.quick else SYSTEMS
    others = [printkit(f"`handouts`, `{rules}`", "handouts", "--rules", rules, "--seed", SEED) for rules in systems]
    other_floor, *runs = interleaved((FLOOR, *others), 1, warm=False)
    files = [(each.command.name, len(each.runs[0].files), f"{each.size('.pdf'):.2f}") for each in (night, *runs)]
    return Section(
        title="A game night",
        blocks=(
            against_floor((night,), floor),
            *([against_floor(runs, other_floor)] if runs else []),
            table(("command", "files", "PDF, MB"), files),
        ),
        measured={"handouts": night.against(floor).middle},
    )


def hexon(effort: Effort) -> Section:
    """Measure the planning of Hexon layouts, whole and by size of the table."""
    sizes = ("9x8", "13x9") if effort.quick else ("9x8", "13x9", "24x16", "35x23", "36x24")
    asked = printkit("`hexon`, `portable-2`", "hexon", "--rules", "portable-2", "--seed", "5")
    floor, command = interleaved((FLOOR, asked), effort.long_rounds)
    plans = once(child("plans", "hexon", *sizes))
    rows = [
        (f"{size}, {grain}, {ground}", f"{1000 * seconds:.0f}", pieces, boards, bound)
        for size, grain, ground, seconds, pieces, boards, bound in json.loads(plans.said)
    ]
    return Section(
        title="Hexon",
        blocks=(
            against_floor((command,), floor),
            "The planning alone. No layout of the ground can have more boards than the bound.",
            table(("table, grain, ground", "ms", "pieces", "boards", "bound"), rows),
        ),
    )

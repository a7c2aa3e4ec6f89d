"""Whole processes: start, what answers in a few lines, one map of every rule system and style, a game night, Hexon."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.figures import ratio
from benchmarks.processes import FLOOR, Command, child, interleaved, once, printkit
from benchmarks.sections import Effort, Section, against_floor
from benchmarks.tables import table
from benchmarks.targets import DESK, OTHERS, SYSTEMS

STYLES = ("campaign", "ink-saver", "high-contrast")
SEED = "7"

_PRINTKIT: Final = ("-m", "printkit")
_ARMIES: Final = ("hyksos-later", "polybian-roman")


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


def desk(effort: Effort) -> Section:
    """Measure what is asked at the table against the parser and the floor: 1.5 times the one and once the other."""
    with TemporaryDirectory() as folder:
        field, battle, game = (str(Path(folder) / name) for name in ("field", "battle.toml", "game"))
        once(Command("a field", (*_PRINTKIT, "map", "--seed", SEED, "--quiet", "--out", field)))
        once(Command("a battle", (*_PRINTKIT, "npg", "new", *_ARMIES, "--seed", SEED, "--out", battle)))
        once(Command("a game", (*_PRINTKIT, "deal", "--open", "--seed", SEED, "--out", game)))
        (record,) = map(str, Path(field).glob("records/*.json"))
        given = {"check": record, "bound": battle, "status": game}
        asked = [
            Command(f"`{said}`", (*_PRINTKIT, *said.split(), given[key], "--lang", "en")) for key, said in DESK.items()
        ]
        typer, floor, *runs = interleaved(
            (Command("`import typer`", ("-c", "import typer")), FLOOR, *asked), effort.rounds
        )
    allowed = [1.5 * parser.cpu + least.cpu for parser, least in zip(typer.runs, floor.runs, strict=True)]
    shares = [ratio([run.cpu for run in each.runs], allowed) for each in runs]
    rows = [
        (each.command.name, share, f"{each.against(floor).middle:.2f}", f"{1000 * each.cpu:.0f}")
        for each, share in zip(runs, shares, strict=True)
    ]
    return Section(
        title="At the table",
        blocks=(table(("command", "x 1.5 `import typer` and a floor", "x floor", "processor, ms"), rows),),
        measured={f"desk-{key}": share.middle for key, share in zip(DESK, shares, strict=True)},
    )


def maps(effort: Effort) -> Section:
    """Measure one map in each style of one rule system, and of each other system on its own board."""
    styled = [printkit(f"`brantley`, 24 in, `{style}`", "map", "--seed", SEED, "--style", style) for style in STYLES]
    asked = [printkit(f"`{rules}`, its own board", "map", "--rules", rules, "--seed", SEED) for rules in OTHERS]
    fits = printkit("`brantley`, 24 in, `--scale fit`", "map", "--seed", SEED, "--scale", "fit")
    one = printkit("`brantley`, 24 in, one sheet", "map", "--seed", SEED, "--sheet", "one", "--furniture", "mat")
    planned = printkit("`brantley`, 24 in, `--plan`", "map", "--seed", SEED, "--plan")
    floor, *runs = interleaved((FLOOR, *styled, one, fits, planned), effort.rounds)
    other_floor, *others = interleaved((FLOOR, *asked), (effort.rounds + 1) // 2, warm=False)
    campaign, ink_saver = runs[0], runs[1]
    whole, plan = (next(each for each in runs if each.command is asked_for) for asked_for in (one, planned))
    written = [each for each in (*runs, *others) if each is not plan]
    sizes = [(each.command.name, f"{each.size('.pdf'):.2f}", f"{each.size('.json'):.2f}") for each in written]
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
            **{f"map-{rules}": each.against(other_floor).middle for rules, each in zip(OTHERS, others, strict=True)},
            "plan": plan.against(campaign).middle,
            "size-campaign": campaign.size(".pdf"),
            "size-ink-saver": ink_saver.size(".pdf"),
            "size-tiled": campaign.size(".pdf") / whole.size(".pdf"),
        },
        waits={f"`map`, {each.command.name}": each.wall for each in (campaign, *others)},
    )


def nights(effort: Effort) -> Section:
    """Measure a game night of every rule system; a quick run that of the first alone."""
    systems = SYSTEMS[:1] if effort.quick else SYSTEMS
    asked = [printkit(f"`handouts`, `{rules}`", "handouts", "--rules", rules, "--seed", SEED) for rules in systems]
    floor, *runs = interleaved((FLOOR, *asked), effort.long_rounds, warm=False)
    nights = dict(zip(systems, runs, strict=True))
    files = [(each.command.name, len(each.runs[0].files), f"{each.size('.pdf'):.2f}") for each in runs]
    return Section(
        title="A game night",
        blocks=(
            against_floor(runs, floor),
            table(("command", "files", "PDF, MB"), files),
        ),
        measured={
            **{f"handouts-{rules}": each.against(floor).middle for rules, each in nights.items()},
            **{f"night-{rules}": each.wall for rules, each in nights.items() if rules == "acw"},
        },
        waits={each.command.name: each.wall for each in runs},
    )


def hexon(effort: Effort) -> Section:
    """Measure the planning of Hexon layouts, whole and by size of the table."""
    sizes = ("9x8", "13x9") if effort.quick else ("9x8", "13x9", "24x16", "35x23", "36x24")
    asked = printkit("`hexon`, `portable-2`", "hexon", "--rules", "portable-2", "--seed", "5")
    sampled = ("--board", "72x48in", "--hexes", "36x24")
    large = printkit("`hexon`, `acw`, 36 x 24 hexes", "hexon", "--rules", "acw", "--seed", SEED, *sampled)
    floor, *commands = interleaved((FLOOR, asked, large), effort.long_rounds)
    plans = once(child("plans", "hexon", *sizes))
    rows = [
        (f"{size}, {grain}, {ground}", f"{1000 * seconds:.0f}", pieces, boards, bound)
        for size, grain, ground, seconds, pieces, boards, bound in json.loads(plans.said)
    ]
    return Section(
        title="Hexon",
        blocks=(
            against_floor(commands, floor),
            "The planning alone. No layout of the ground can have more boards than the bound.",
            table(("table, grain, ground", "ms", "pieces", "boards", "bound"), rows),
        ),
        measured={"hexon": commands[1].against(floor).middle},
        waits={each.command.name: each.wall for each in commands},
    )

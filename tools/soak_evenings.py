"""Makes evenings and overviews of all rule systems with settings drawn at random, and writes a page.

Each seed draws two command lines a system: ``handouts``, and ``map --scale fit``; every setting of the system's book
gets a value that the book allows, the board or grid a size, and the printing its paper, style and language. They run
as a person's would, in folders that are gone afterwards. What the program refuses in a sentence counts as refused, and
is drawn anew; what ends in anything else has crashed, and is told as the line that does it again.

    python tools/soak_evenings.py [--count SEEDS] [--first SEED] [--rules NAME] [--processes N] [--refused]
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, Literal

from msgspec import Struct

from printkit.cli import app as cli
from printkit.core.errors import BUG_EXIT_STATUS
from printkit.kit import registry
from printkit.kit.book import Setting

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "output" / "soak" / "soak-evenings.md"
TASKS: Final = ("evening", "overview")

HEAD: Final = """# Soak of evenings and overviews

Command lines drawn at random, for each rule system as many evenings (`printkit handouts`) as overviews (`printkit map
--scale fit`): every setting with a value that its book allows, boards and grids of all sizes, papers, styles and
languages. *Refused* were those that the program answered with a sentence, as readings that contradict each other or a
page that is too small; in their place others were drawn. This page is made by `make soak` and is never edited by hand.
"""

SHARES: Final = (0.15, 0.5, 1.0, 1.0)
"""The shares of a book's settings that a command line gives: many at once, and few, so that fewer are refused."""

TRIES: Final = 8
"""How many command lines are drawn until one is not refused."""

SELDOM: Final = ("water", "choice-policy")
"""Settings of which most values go with few others: they have their usual one three times in four."""

MANY: Final = 20
"""A range wider than this counts things: numbers of it are mostly small and whole."""

EVENING, OVERVIEW = 48, 240
"""The longest side in inches of a board that is printed at true size, and of one on a single sheet."""

CELLS: Final = (*(range(3, 15),) * 3, range(3, 41))
"""Columns and rows that a grid may have; one of these ranges is drawn for each grid."""

_MM_PER_INCH: Final = 25.4


class Made(Struct, frozen=True, kw_only=True):
    """What came of the command lines of a seed: of the last of them, what it crashed with, and where.

    ``refused`` are those before it, each with what the program said.
    """

    rules: str
    task: str
    seed: int
    line: str
    state: Literal["made", "refused", "crashed"] = "made"
    told: str = ""
    refused: tuple[tuple[str, str], ...] = ()


@cache
def book(rules: str) -> tuple[Setting, ...]:
    """Return the settings of a system, its book read once a process."""
    return registry.find(rules).book.settings


@cache
def names(list_name: str, *members: str) -> tuple[str, ...]:
    """Return what the book of the Civil War calls its States, or its geographies."""
    rows = tuple(registry.find("acw").book.own(list_name))
    return tuple(row.need(member, str) for row in rows for member in members)


Given = Mapping[str, str]
"""The settings that a command line gives so far."""


def grid(chance: Random, given: Given) -> str:
    """Return a grid of hexes or squares."""
    del given
    numbers = chance.choice(CELLS)
    columns, rows = chance.choice(numbers), chance.choice(numbers)
    return f"{chance.choice(('hex', 'sq'))}-{columns}x{rows}"


LIKE: Final[Mapping[str, Callable[[Random, Given], str]]] = {
    "grid": grid,
    "state": lambda chance, _: chance.choice(names("states", "row")),
    "geography": lambda chance, _: chance.choice(names("geographies", "geography", "letter")),
}
"""Texts that a setting takes besides the values that its book lists; names of files are not drawn."""


def value(setting: Setting, chance: Random, given: Given) -> str:
    """Return one of the values that a setting may have: as soon one of a list as a number or text of its own."""
    if setting.key in SELDOM and chance.random() < 0.75:
        return setting.default
    if setting.open and chance.random() < 0.5:
        return number(setting.least or 0, setting.most or 0, chance)
    if setting.key in LIKE and chance.random() < 0.7:
        return LIKE[setting.key](chance, given)
    return chance.choice(setting.values)


def number(least: float, most: float, chance: Random) -> str:
    """Return a number of a range, now and then one of its ends."""
    if chance.random() < 0.1:
        return f"{chance.choice((least, most)):g}"
    if most - least > MANY:
        return f"{least + (most - least) * chance.random() ** 6:.0f}"
    return f"{chance.uniform(least, most):.3g}"


def settings(rules: str, chance: Random) -> Iterator[str]:
    """Yield the options that set the settings of a system."""
    share = chance.choice(SHARES)
    given: dict[str, str] = {}
    for setting in book(rules):
        if chance.random() < share:
            given[setting.key] = value(setting, chance, given)
    if chance.random() < 0.3:
        given["names"] = chance.choice(("ancient", "medieval", "none"))
    for key, text in given.items():
        yield from ("--set", f"{key}={text}")


def square(chance: Random, largest: int) -> list[str]:
    """Return a square board in inches."""
    return ["--board", f"{chance.randint(4, largest)}in"]


def table(chance: Random, largest: int) -> list[str]:
    """Return a table of two sides in inches."""
    return ["--board", f"{chance.randint(12, largest)}x{chance.randint(12, largest)}in"]


def base_widths(chance: Random, largest: int) -> list[str]:
    """Return a board of DBA 3."""
    del largest
    return ["--board", f"{chance.uniform(15, 20):.3g}BW"]


def cells(chance: Random, largest: int) -> list[str]:
    """Return the size of the areas of a grid, of which the largest has forty."""
    return ["--cell", f"{chance.randint(20, round(largest * _MM_PER_INCH / 20))}mm"]


SIZES: Final[Mapping[str, Callable[[Random, int], list[str]]]] = {
    "brantley": square,
    "solo-dba": square,
    "acw": table,
    "portable-1": cells,
    "portable-2": cells,
    "dba3": base_widths,
    "collision-course": base_widths,
}


def line(rules: str, task: str, seed: int, attempt: int = 0) -> list[str]:
    """Return a command line that a seed draws for a task of a system, without the place of what it writes."""
    chance = Random(f"{rules} {task} {seed} {attempt}")
    found = ["handouts"] if task == TASKS[0] else ["map", "--scale", "fit"]
    found += ["--rules", rules, "--seed", str(seed)]
    if chance.random() < 0.5:
        found += SIZES[rules](chance, EVENING if task == TASKS[0] else OVERVIEW)
    found += ["--style", chance.choice(("campaign", "ink-saver", "high-contrast"))]
    found += ["--lang", chance.choice(("en", "es", "en+es"))]
    if task == TASKS[0]:
        found += ["--sheet", chance.choice(("a4", "a4", "letter", "a3", "36in-roll"))]
        found += chance.choice(([], [], ["--fold"], ["--backs", "none"], ["--size", "tarot"]))
    else:
        found += ["--sheet", chance.choice(("a4", "letter", "a3", "a0", "150x200mm"))]
        found += chance.choice(
            ([], [], ["--hide", "numbers"], ["--hide", "zones"], ["--furniture", "none"], ["--to", "svg"])
        )
    return [*found, *settings(rules, chance)]


def made(work: tuple[str, str, int]) -> Made:
    """Run the command lines of a seed until one is not refused."""
    rules, task, seed = work
    refused: list[tuple[str, str]] = []
    for attempt in range(TRIES):
        arguments = line(rules, task, seed, attempt)
        shown = shlex.join(["printkit", *arguments])
        state, told = ran(arguments)
        if state != "refused":
            break
        refused.append((shown, told))
    return Made(rules=rules, task=task, seed=seed, line=shown, state=state, told=told, refused=tuple(refused))


def ran(arguments: Sequence[str]) -> tuple[Literal["made", "refused", "crashed"], str]:
    """Run one command line, and return what it said; of a crash also the last line of our own that it passed."""
    told = StringIO()
    with TemporaryDirectory(prefix="printkit-soak-") as folder, redirect_stdout(StringIO()), redirect_stderr(told):
        status = cli.run([*arguments, "--quiet", "--out", f"{folder}/made", cli.DEBUG])
    said = told.getvalue().strip()
    if status == BUG_EXIT_STATUS:
        passed = [row.strip() for row in said.splitlines() if row.strip().startswith("File ") and "printkit" in row]
        return "crashed", " ".join((said.partition("\n")[0], *passed[-1:]))
    return ("refused" if status else "made"), said


def page(every: Sequence[Made]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *_lines(every))) + "\n"


def _lines(every: Sequence[Made]) -> Iterator[str]:
    seeds = sorted({each.seed for each in every})
    crashed = [each for each in every if each.state == "crashed"]
    yield f"Seeds {seeds[0]} to {seeds[-1]} of each: {len(crashed)} crashed."
    yield ""
    yield "| Rules | Of | Made | Crashed | Refused |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for rules, task in dict.fromkeys((each.rules, each.task) for each in every):
        own = [each for each in every if (each.rules, each.task) == (rules, task)]
        counts = Counter(each.state for each in own)
        refused = sum(len(each.refused) for each in own)
        yield f"| `{rules}` | {task} | {counts['made']} | {counts['crashed']} | {refused} |"
    for each in crashed:
        yield ""
        yield f"{' '.join(each.told.split())}"
        yield ""
        yield f"    {each.line}"


def run(work: Sequence[tuple[str, str, int]], processes: int) -> Iterator[Made]:
    """Yield what came of the command lines in their order, however many processes share them."""
    if processes == 1:
        yield from map(made, work)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(made, work, chunksize=2)


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a command line crashed."""
    parser = argparse.ArgumentParser(prog="soak_evenings", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100, metavar="SEEDS", help="seeds for each system")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, action="append", help="only these systems; repeatable")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--refused", action="store_true", help="tell also what was refused, and why")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.count, asked.processes) < 1 or asked.first < 0:
        parser.error("seeds and processes are at least 1, and no seed is under 0")
    seeds = range(asked.first, asked.first + asked.count)
    every: list[Made] = []
    for each in run(list(product(asked.rules or registry.NAMES, TASKS, seeds)), asked.processes):
        every.append(each)
        told = [("refused", why, shown) for shown, why in each.refused] if asked.refused else []
        told += [("crashed", each.told, each.line)] if each.state == "crashed" else []
        for state, why, shown in told:
            print(f"{state}: {' '.join(why.split())}\n    {shown}", file=sys.stderr, flush=True)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(every), encoding="utf-8", newline="\n")
    return 1 if any(each.state == "crashed" for each in every) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

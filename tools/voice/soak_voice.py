"""Reads every sheet of evenings with settings drawn at random, and tells where two sheets of one contradict each other.

An evening is made as a person's command line makes it, but its ground is not drawn, and nothing is written. From the
texts of all its documents every statement is collected: who a side is, its colour, line, edge and role; how deep it
deploys; how large a square is kept clear; every number of the rule book that a sentence names, PIPs among them; the
going of every feature and of every sign. A statement is found by the sentence of templates/words that makes it, so it
does not matter how that is worded. Two values of one thing are a contradiction, and so is one that the record has not;
a page that bears the title of the game and does not say who is who is missed. At the end it is told how many statements
of each kind were heard in each system, and a kind that was not heard where the system has it is a fault of this tool.

    python tools/voice/soak_voice.py [--count SEEDS] [--first SEED] [--rules NAME] [--processes N]
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from itertools import product
from multiprocessing import get_context
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any, Final
from unittest.mock import patch

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1]))

from soak_evenings import SIZES, TRIES, settings

from printkit.cli import app as cli
from printkit.core.words import Words, catalogue
from printkit.drawing.canvas.items import Text
from printkit.drawing.canvas.symbol_context import Memo
from printkit.drawing.furniture.key import describe_feature
from printkit.drawing.furniture.legend import going_word, legend_entries
from printkit.kit import registry
from printkit.kit.rules import Rules
from printkit.kit.sides import named, sides_of, titled
from printkit.page.sheet import Document
from printkit.terrain.field.record import Record

LARGEST: Final = 30
"""The longest side in inches of a board: how large it is says nothing, and costs most."""

LINES: Final = ("sides.line", "sides.line-plain")
DEPTHS: Final = ("handouts.player.zone", "dba3.deploying.ground")
"""Sentences that tell a side how deep it deploys."""

CLEAR: Final = ("collision.clear_square", "columns.map.square", "columns.card.c01.text")
"""Sentences that tell how large a square is kept clear, each with the names of its two sides."""

NEAR: Final = 2.0
"""So many mm two lengths may lie apart that are told to a tenth of an inch, and to a mm."""

ENOUGH: Final = 8
"""Of so many evenings some are in colour, and some have a feature with a name."""

LEAST, LEAST_OF_NUMBERS = 12, 6
"""How many letters of its own a sentence needs to be known by; fewer where nothing but numbers stands in it."""

NUMBERS: Final = frozenset(
    (*(name for rules in registry.NAMES for name in registry.find(rules).book.numbers), "longer", "shorter")
)
"""The places in which nothing but a number stands."""

_NUMBER: Final = r"(?<![\d.,])\d+(?:[.,]\d+)?(?!\d)"
_PLACE: Final = re.compile(r"\{(\w+)\}")
_INCHES: Final = re.compile(r"(\d+(?:[.,]\d+)?)(?:in|pulg)")
_MM: Final = 25.4

Texts = Mapping[str, Sequence[str]]
"""What stands on the pages of each file, in small letters."""


class Statement(Struct, frozen=True):
    """What a sheet says: of what, the value, and where."""

    subject: str
    value: str
    where: str


# --- The texts of an evening ------------------------------------------------------------------------------------------


def evening_of(arguments: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return the files of an evening by their names, none where the line is refused, and what was said.

    Signs are not drawn, nor any country: what is lettered over them is.
    """
    kept: dict[str, Any] = {}
    told = StringIO()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(StringIO()))
        stack.enter_context(redirect_stderr(told))
        put = stack.enter_context(patch("printkit.recipes.evening.folder.write_evening"))
        put.side_effect = lambda files, *_, **__: kept.update(files)
        for drawn in ("catalogue.draw", "ground", "wayside_trees", "cell_trees"):
            stack.enter_context(patch(f"printkit.drawing.map.board_drawing.{drawn}", lambda *_, **__: iter(())))
        # Pictures are remembered; these, which may show nothing, are nobody else's.
        for kept_pictures in ("furniture.legend._SWATCHES", "cards.art._PICTURES"):
            stack.enter_context(patch(f"printkit.drawing.{kept_pictures}", Memo(96)))
        cli.run([*arguments, "--quiet", "--dressing", "none", cli.DEBUG])
    return kept, told.getvalue()


def squeezed(text: str) -> str:
    """Return a text without its marks of type and without spaces, so that it is one wherever it is broken."""
    return re.sub(r"\s+", "", text.replace("**", "")).casefold()


def loose(text: str) -> str:
    """Return what finds a text on a page: rows may break between its words, and type change about its signs."""
    parts = re.findall(r"\s+|\*\*|[^\w\s]|\w+", text.casefold())
    return "".join(
        r"\s*"
        if not part.strip() or part == "**"
        else re.escape(part)
        if part[0].isalnum()
        else rf"\s*{re.escape(part)}\s*"
        for part in parts
    )


def texts_of(files: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what stands on each page of each document, with the straight apostrophes of words and records."""
    found = {}
    for name, made in files.items():
        if isinstance(made, Document):
            found[name] = [
                " ".join(
                    item.content
                    for placement in page.placements
                    for _, item in placement.drawing.items()
                    if isinstance(item, Text)
                )
                .casefold()
                .replace("’", "'")
                for page in made.pages
            ]
    return found


# --- Sentences by which statements are found --------------------------------------------------------------------------


@cache
def pattern(sentence: str) -> re.Pattern[str] | None:
    """Return what finds a sentence on a page: its places are groups, by their names the first time each stands there.

    None where it has too little text of its own to be known by.
    """
    parts = _PLACE.split(sentence)
    wanted = LEAST_OF_NUMBERS if all(part in NUMBERS for part in parts[1::2]) else LEAST
    if sum(len(squeezed(part)) for part in parts[::2]) < wanted:
        return None
    seen: set[str] = set()
    made = ""
    for place, part in enumerate(parts):
        if place % 2 == 0:
            made += loose(part)
        elif part in seen:
            made += f"(?P={part})"
        else:
            seen.add(part)
            made += f"(?P<{part}>{_NUMBER if part in NUMBERS else '.{0,160}?'})"
    return re.compile(made)


def found(key: str, words: Words, texts: Texts, names: Sequence[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where a sentence stands, with what stands in its places; ``names``: how the names of files begin."""
    sentence = catalogue(words.code).get(key)
    made = None if sentence is None else pattern(sentence)
    if made is None:
        return
    for name, pages in texts.items():
        if name in FORMS or (names and not name.startswith(tuple(names))):
            continue
        for number, page in enumerate(pages, 1):
            for match in made.finditer(page):
                yield f"{name} p{number}", {key: squeezed(value) for key, value in match.groupdict().items()}


# --- What an evening states -------------------------------------------------------------------------------------------


def statements(record: Record, texts: Texts, words: Words, others: Sequence[Words] = ()) -> Iterator[Statement]:
    """Yield everything that the sheets of an evening state in one language; ``others`` stand beside it."""
    system = registry.find(record.rules)
    rules = Rules.of_record(system.book, record)
    sides = sides_of(record, system.book)
    for who in sides:
        yield from _who(loose(titled(who, words)), who.name, words, texts)
        own = (who.folder,)
        for where, places in found("handouts.player.own", words, texts, own):
            yield Statement(f"edge of {who.name}", places["edge"].removesuffix(","), where)
        for key in DEPTHS:
            for where, places in found(key, words, texts, own):
                if told := _INCHES.search(places["depth"]):
                    yield Statement(f"depth of {who.name}", f"{float(told[1].replace(',', '.')) * _MM:.0f}", where)
    for key in CLEAR:
        for where, places in found(key, words, texts):
            both = [places.get(name) for name in ("edge_square_bw", "edge_square_depth_bw", "longer", "shorter")]
            yield Statement("square to keep clear", " x ".join(sorted(each for each in both if each)), where)
    for key, sentence in catalogue(words.code).items():
        names = [name for name in _PLACE.findall(sentence) if "_" in name and name in rules.book.numbers]
        for where, places in found(key, words, texts) if names else ():
            for name in names:
                yield Statement(f"number {name}", places[name], where)
    yield from _goings(record, words, texts, others)


def kind_of(subject: str) -> str:
    """Return of what kind a statement is: ``edge``, ``going``, ``PIPs``."""
    if subject.startswith("number "):
        return "PIPs" if subject.endswith("pips") else "number"
    return subject.split(" of ")[0]


HEARD: Final[Mapping[str, tuple[str, ...]]] = {
    rules: ("line", "colour", "edge", "going", *more)
    for rules, more in {
        "brantley": ("depth",),
        "acw": (),
        "portable-1": (),
        "portable-2": (),
        "solo-dba": ("number",),
        "dba3": ("depth", "number"),
        "collision-course": ("square to keep clear", "PIPs", "number"),
    }.items()
}
"""The kinds of statements that the evenings of a system have."""


def _who(title: str, name: str, words: Words, texts: Texts) -> Iterator[Statement]:
    """Yield colour, line and edge of a side wherever its title is followed by them."""
    told = catalogue(words.code)
    colours, lines = ([loose(told[key]) for key in keys] for keys in (_COLOURS, _STROKES))
    edges = [loose(words(f"edge.{edge}")) for edge in ("near", "far", "left", "right")]
    edges.append(loose(told["sides.edge-open"]))
    made = re.compile(
        rf"{title}\s*:\s*(?:(?P<colour>{'|'.join(colours)})\s*,\s*)?"
        rf"(?P<line>{'|'.join(lines)})\s*,\s*(?P<edge>{'|'.join(edges)})"
    )
    for file, pages in texts.items():
        for number, page in enumerate(pages, 1):
            for match in made.finditer(page):
                for part, value in match.groupdict().items():
                    if value:
                        yield Statement(f"{part} of {name}", squeezed(value), f"{file} p{number}")


_COLOURS: Final = ("sides.colour.side-blue", "sides.colour.side-red")
_STROKES: Final = ("sides.broken", "sides.whole")


def _goings(record: Record, words: Words, texts: Texts, others: Sequence[Words] = ()) -> Iterator[Statement]:
    """Yield the going that follows the name of a feature or of a sign; of one that has two none is a contradiction.

    What stands between them in another language is passed over.
    """
    field = record.battlefield
    beside = {
        said
        for one in others
        for feature in field.features
        for said in (
            describe_feature(feature, one),
            describe_feature(feature, one, named=False),
            going_word(feature.going.name, one),
        )
    } | {one(f"legend.{entry.key}") for one in others for entry in legend_entries(field)}
    passed = "|".join(loose(each) for each in sorted(beside - {""}, key=len, reverse=True))
    between = rf"(?:[\s·.:]*(?:{passed}))*[\s·.:]*" if passed else r"\s*:?\s*"
    named: dict[str, set[str]] = defaultdict(set)
    for feature in field.features:
        named[describe_feature(feature, words)].add(going_word(feature.going.name, words))
    known = sorted({each for goings in named.values() for each in goings if each}, key=len, reverse=True)
    every = "|".join(loose(each) for each in known)
    for name, goings in named.items():
        if (
            len(goings) != 1
            or not every
            or not any(feature.name and feature.name in name for feature in field.features)
        ):
            continue
        made = re.compile(rf"{loose(name)}{between}({every})")
        for file, pages in texts.items():
            for number, page in enumerate(pages, 1):
                for match in made.finditer(page):
                    yield Statement(f"going of {name}", squeezed(match[1]), f"{file} p{number}")
    signs = [words(f"legend.{entry.key}") for entry in legend_entries(field)]
    for entry in legend_entries(field):
        goings = {going_word(going.name, words) for going in entry.goings(field)} - {""}
        if len(goings) != 1:
            continue
        sign = words(f"legend.{entry.key}")
        # A steep hill is no hill: what a longer sign's name ends with is not heard as a name of its own.
        longer = [each for each in signs if each.lower().endswith(f" {sign.lower()}")]
        own = "".join(rf"(?<!{re.escape(each[: -len(sign) - 1].casefold())}\s)" for each in longer)
        made = re.compile(rf"{own}\b{loose(sign)}{between}({every})")
        for file, pages in texts.items():
            if not file.startswith(WITH_LEGEND):
                continue
            for number, page in enumerate(pages, 1):
                for match in made.finditer(page):
                    yield Statement(f"going of the sign {sign}", squeezed(match[1]), f"{file} p{number}")


def due(record: Record, words: Words) -> dict[str, str]:
    """Return what the record has of what sheets state, by subject, as it is stated."""
    system = registry.find(record.rules)
    field, expected = record.battlefield, {}
    for side in sides_of(record, system.book):
        expected[f"line of {side.name}"] = squeezed(words(f"sides.{side.look.line}"))
        if side.edge is not None:
            expected[f"edge of {side.name}"] = squeezed(words(f"edge.{side.edge}"))
        if (depth := side.depth(field)) is not None:
            expected[f"depth of {side.name}"] = f"{depth:.0f}"
    for feature in field.features:
        if feature.name and (going := going_word(feature.going.name, words)):
            expected[f"going of {describe_feature(feature, words)}"] = squeezed(going)
    return expected


def contradictions(record: Record, texts: Texts, words: Words) -> Iterator[str]:
    """Yield where sheets contradict each other or the record, and which say nothing of who is who."""
    for one in words.each():
        by_subject: dict[str, dict[str, str]] = defaultdict(dict)
        others = tuple(other for other in words.each() if other.code != one.code)
        for each in statements(record, texts, one, others):
            by_subject[each.subject].setdefault(each.value, each.where)
        expected = due(record, one)
        for subject, values in by_subject.items():
            if subject in expected:
                values = {expected[subject]: "the record", **values}
            if not _agree(tuple(values)):
                yield f"{one.code}: {subject}: {'; '.join(f'{value} ({where})' for value, where in values.items())}"
    yield from _silent(record, texts, words)


def _agree(values: Sequence[str]) -> bool:
    """Return whether values are one: equal, or lengths that are told as nearly as a ruler reads."""
    if len(values) < 2:
        return True
    try:
        numbers = [float(value.replace(",", ".")) for value in values]
    except ValueError:
        return False
    return max(numbers) - min(numbers) <= (NEAR if max(numbers) > NEAR * 10 else 0.0)


def _silent(record: Record, texts: Texts, words: Words) -> Iterator[str]:
    """Yield the files that bear the title of the game and do not say who is who."""
    title = squeezed(record.battlefield.title)
    sides = sides_of(record, registry.find(record.rules).book)
    whole = [[squeezed(titled(side, one)) for side in sides] for one in words.each()]
    short = [[squeezed(named(side, one)) for side in sides] for one in words.each()]
    for name, every in texts.items():
        names = short if PurePosixPath(name).name.startswith("map") else whole
        # A map without room for its key has that on its back.
        pages = [" ".join(every)] if name in MAPPED else every
        for number, page in enumerate(pages, 1):
            if name in FORMS or title not in squeezed(page):
                continue
            if not any(all(each in squeezed(page) for each in told) for told in names):
                yield f"{name} p{number} does not say who is who"


WITH_LEGEND: Final = ("map", "overview", "player", "you/map", "you/overview", "you/you")
"""How the names of files begin in whose legend a sign stands before its going, and nothing between two signs."""

FORMS: Final = ("form.pdf",)
"""Sheets for another game, on which figures stand in drawings, without a space between them."""

MAPPED: Final = ("overview.pdf", "umpire/umpire.pdf", "you/overview.pdf", "sealed/umpire.pdf")
"""Files in which a map stands on a page, and its key on another."""


# --- The soak ---------------------------------------------------------------------------------------------------------


def line(rules: str, seed: int, attempt: int = 0) -> list[str]:
    """Return the command line of an evening that a seed draws."""
    chance = Random(f"voice {rules} {seed} {attempt}")
    made = ["handouts", "--rules", rules, "--seed", str(seed)]
    if not rules.startswith("portable"):
        made += SIZES[rules](chance, LARGEST)
    made += ["--style", chance.choice(("campaign", "ink-saver")), "--lang", chance.choice(("en", "es", "en+es"))]
    return [*made, *settings(rules, chance)]


class Heard(Struct, frozen=True):
    """An evening: its rule system and command line, what its sheets contradict, how many statements of each kind."""

    rules: str
    shown: str
    faults: tuple[str, ...] = ()
    kinds: Mapping[str, int] = {}


def heard(work: tuple[str, int]) -> Heard:
    """Return what is heard on the sheets of the first evening of a seed that is not refused."""
    rules, seed = work
    for attempt in range(TRIES):
        arguments = line(rules, seed, attempt)
        files, told = evening_of(arguments)
        if files:
            break
    shown = shlex.join(["printkit", *arguments])
    if not files:
        return Heard(rules, shown, (f"refused: {told}",) if "Traceback" in told else ())
    record = registry.read_record(next(text for name, text in files.items() if name.endswith("record.json")))[1]
    words = Words(tuple(arguments[arguments.index("--lang") + 1].split("+"))).in_dialect(
        registry.find(rules).book.names
    )
    texts = texts_of(files)
    kinds: Counter[str] = Counter()
    for one in words.each():
        others = tuple(other for other in words.each() if other.code != one.code)
        kinds.update(kind_of(each.subject) for each in statements(record, texts, one, others))
    return Heard(rules, shown, tuple(contradictions(record, texts, words)), kinds)


def main(arguments: Sequence[str]) -> int:
    """Tell what is wrong; 1 where anything is."""
    parser = argparse.ArgumentParser(prog="soak_voice", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=30, metavar="SEEDS", help="evenings of each system")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, action="append", help="only these systems; repeatable")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    asked = parser.parse_args(arguments)
    seeds = range(asked.first, asked.first + asked.count)
    work = [(rules, seed) for seed, rules in product(seeds, asked.rules or registry.NAMES)]
    wrong, made = 0, Counter[str]()
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    with get_context("spawn").Pool(asked.processes) as pool:
        for each in pool.imap(heard, work):
            wrong += bool(each.faults)
            made[each.rules] += bool(each.kinds)
            kinds[each.rules].update(each.kinds)
            for fault in each.faults:
                print(f"{fault}\n    {each.shown}", flush=True)
    for rules, found in kinds.items():
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(found.items()))
        print(f"{rules}: {made[rules]} evenings; {told}")
        for kind in (kind for kind in HEARD[rules] if made[rules] >= ENOUGH and not found[kind]):
            wrong += 1
            print(f"{rules}: no statement of {kind} was heard")
    print(f"{len(work)} evenings, {wrong} that contradict themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

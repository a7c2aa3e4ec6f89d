"""Jobs that print: maps, evenings, cards, plans of Hexon tiles, forms, specimens, and sheets for printers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Final

from freezing import LANGUAGES, SYSTEMS, Job, Step, one

# Three of twenty, which between them run nearly every line that all twenty run.
SEEDS: Final = {
    "brantley": (2, 6, 11),
    "solo-dba": (17, 19, 20),
    "portable-1": (7, 9, 18),
    "portable-2": (3, 10, 20),
    "collision-course": (5, 15, 20),
    "dba3": (5, 14, 20),
    "acw": (8, 11, 15),
}
STYLES: Final = ("campaign", "ink-saver", "high-contrast")
_LARGE: Final = "acw"
"""A table of six by four feet takes five seconds on one sheet, and 57 sheets of A4."""


def sheet_jobs() -> Iterator[Job]:
    """Yield the jobs; those that take longest come first, so that no process is left with one at the end."""
    yield from _evenings()
    yield from _maps()
    yield from _tiled()
    yield from _zones_and_forms()
    yield from _styles()
    yield from _settings()
    yield from _layouts()
    yield from _hexon()
    yield from _cards()
    yield from _printers()


def _evenings() -> Iterator[Job]:
    for system, more in (
        # A card of the American Civil War holds both languages only where it is large.
        ("acw", "--seed 3 --board 48x24in --size tarot --lang en+es"),
        ("portable-2", "--seed 3 --lang en+es"),
        ("solo-dba", "--seed 8 --set npg=gallic --set you=polybian-roman --sheet letter --fold --lang es"),
        ("brantley", "--seed 3 --style ink-saver --lang en"),
    ):
        command = f"handouts --rules {system} {more} --quiet --out evening"
        yield one(f"evening/{system}", command, files=("*.pdf", "*.json"), inside="evening")


def _maps() -> Iterator[Job]:
    for system in reversed(SYSTEMS):
        for seed in SEEDS[system]:
            small = system == _LARGE and seed % 2 == 0
            sheet = "--scale fit" if small else "--sheet one"
            command = f"map --rules {system} --seed {seed} --lang en {sheet} --quiet --out field.pdf"
            yield one(f"map/{system}/seed{seed:02}", command)


def _tiled() -> Iterator[Job]:
    for system, language in zip(SYSTEMS, cycle(("en", "es", "en+es")), strict=False):
        board = " --board 48x24in" if system == _LARGE else ""
        begin = f"map --rules {system}{board} --seed 1 --lang {language} --quiet --out field.pdf"
        # Every sheet as SVG would be a document; here it is one large sheet.
        again = f"map --from field.json --sheet one --lang {language} --to svg --quiet --out large.svg"
        yield Job(f"tiled/{system}", (Step(begin), Step(again)), files=("field.*", "*.svg"))


def _zones_and_forms() -> Iterator[Job]:
    yield one(
        "zones/acw/each", "map --rules acw --board 48x24in --seed 4 --only zones --lang en --quiet --out field.pdf"
    )
    for name, command in (
        ("acw-es", "--rules acw --lang es --sheet letter"),
        ("collision-course", "--rules collision-course --lang en+es"),
        ("hex", "--rules portable-2 --scale fit --lang en"),
        ("squares", "--rules portable-1 --set grid=sq-8x8 --cell 60mm --lang es"),
    ):
        yield one(f"form/{name}", f"map {command} --blank --quiet --out field.pdf")


def _styles() -> Iterator[Job]:
    for style in STYLES:
        yield one(f"specimen/{style}", f"specimen --style {style} --lang en --to pdf --to svg --quiet --out field.pdf")
        command = f"map --seed 6 --style {style} --scale 1:2 --sheet a3 --lang en --quiet"
        yield one(f"style/{style}", f"{command} --out field.pdf")
    command = "map --seed 14 --dressing full --scale 1:2 --sheet a3 --lang en --quiet"
    yield one("dressing/full", f"{command} --out field.pdf")
    mine = {"mine.toml": '[manner]\nhatched = true\n[inks]\npaper = "#FFEEDD"\n'}
    yield one("style/own", "map --seed 5 --style mine.toml --scale 1:4 --lang en --quiet --out field.pdf", given=mine)


def _settings() -> Iterator[Job]:
    for system, name, more in (
        ("brantley", "hungry", "--set policy=terrain-hungry --set river-through=none --set names=none --board 36in"),
        ("portable-1", "squares", "--set grid=sq-8x8 --set relief=hilly --set pw1.course=chain --cell 75mm"),
        ("portable-2", "mountains", "--set preset=mountainous --set lakes=die --set marshes=die --set railway=1"),
        ("dba3", "littoral", "--set home=littoral --set compulsory=2 --set base=60mm"),
        ("collision-course", "landing", "--set home=littoral --set landing=both --set baggage=inside"),
        ("acw", "coast", "--set geography=coastal --set water=N --set choice-policy=uniform --board 48x48in"),
    ):
        command = f"map --rules {system} {more} --seed 11 --scale fit --lang en --quiet --out field.pdf"
        yield one(f"settings/{system}/{name}", command)


def _layouts() -> Iterator[Job]:
    begin = "map --quiet --lang en"
    for name, command in (
        ("roll", "--rules acw --board 48x24in --seed 2 --sheet 36in-roll"),
        ("own-paper", "--rules dba3 --seed 5 --sheet 300x400mm --furniture full --hide numbers --hide zones"),
        ("pictures", "--seed 6 --board 12in --scale 1:4 --sheet one --to png --to svg --to pdf --to geojson"),
        ("boxed-cells", "--rules portable-2 --seed 2 --box mine.toml --scale fit"),
    ):
        mine = {"mine.toml": _BOX} if "mine.toml" in command else {}
        yield one(f"layout/{name}", f"{begin} {command} --out field.pdf", given=mine)
    count = "--count 3 --seed 5 --scale fit --quiet --lang en --out many"
    documents = ("*.pdf", "*.json")
    yield one("count/processes", f"map {count}", files=documents, inside="many", numbered=True)


_BOX: Final = """title = "Mine"
[[piece]]
kind = "hill"
size = "10x8in"
number = 2
substitute = "rise"
[[piece]]
kind = "woodland"
number = 3
[[piece]]
kind = "river"
width = "1in"
length = "1ft"
number = 4
"""


def _hexon() -> Iterator[Job]:
    formats = "--to pdf --to json --to csv --to text-mapper --to tiled"
    for system, seed, more in (
        ("brantley", 3, "--lang en"),
        ("portable-2", 5, "--lang en+es --hills slope"),
    ):
        command = f"hexon --rules {system} --seed {seed} {formats} {more} --quiet --out field.pdf"
        yield one(f"hexon/{system}/seed{seed}", command)
    command = "hexon --rules portable-2 --seed 5 --set relief=mountainous --lang en --to csv --to json --sheet letter"
    yield one("hexon/hilly/grown", f"{command} --quiet --out field.json")
    command = "hexon --rules dba3 --seed 3 --hexes 12x10 --grain pointed --lang en --to pdf --to json --quiet"
    yield one("hexon/sampled", f"{command} --out field.pdf")
    command = "hexon --rules portable-1 --seed 3 --set grid=sq-6x6 --cell 50mm --lang en --to pdf --quiet"
    yield one("hexon/squares", f"{command} --out field.pdf")


def _cards() -> Iterator[Job]:
    pair = "pair --set npg=gallic --set you=polybian-roman --seed 4"
    decks = (
        ("terrain", "terrain --rules brantley"),
        ("reference-brantley", "reference --rules brantley"),
        ("reference-portable-2", "reference --rules portable-2"),
        ("tables", "tables --rules acw"),
        ("columns", "columns"),
        ("npg", "npg"),
        ("bound", "bound --seed 5"),
        ("summary", "summary"),
        ("booklet", "booklet"),
        ("pair", pair),
        ("blank", "blank --count 5"),
    )
    for (name, command), language in zip(decks, cycle(LANGUAGES), strict=False):
        yield one(f"cards/{name}/{language}", f"cards {command} --lang {language} --quiet --out field.pdf")
    yield one("cards/kit", "cards kit --lang es --quiet --out kit", inside="kit")
    for name, command in (
        ("terrain/us-size", "terrain --size us-2.5x3.5in --sheet letter --gutter 2mm --style ink-saver"),
        ("terrain/fold", "terrain --fold"),
        ("terrain/no-backs", "terrain --backs none --to svg"),
        ("tables/both", "tables --rules acw --size tarot --lang en+es"),
        ("columns/two-sided", "columns-two-sided --lang en+es"),
        ("npg/tarot", "npg --size tarot --flip short-edge --bleed 3mm --gutter 6mm --style high-contrast"),
        ("bound/copies", "bound --seed 9 --count 2 --style ink-saver --lang es"),
        ("summary/small", "summary --size 148x105"),
    ):
        language = "" if "--lang" in command else " --lang en"
        yield one(f"cards/{name}", f"cards {command}{language} --quiet --out field.pdf")
    pieces = ("zones", "cut-outs", "hidden", "reveal")
    made = (f"cards {name} --from field.json --lang es --quiet --out {name}.pdf" for name in pieces)
    steps = ("map --seed 6 --to json --lang es --quiet --out field.json", *made)
    yield Job("cards/of-a-game", tuple(map(Step, steps)))
    steps = (
        "map --rules solo-dba --seed 6 --to json --lang en --quiet --out field.json",
        "cards pair --from field.json --lang en --quiet --out pair.pdf",
        "cards bound --from field.json --lang en --quiet --out bound.pdf",
    )
    yield Job("cards/of-a-battle", tuple(map(Step, steps)))


def _printers() -> Iterator[Job]:
    for name, more in (("a4", "--lang en"), ("letter", "--sheet letter --flip short-edge --lang es")):
        yield one(f"calibrate/{name}", f"calibrate {more} --quiet --out field.pdf")
    measured = "--measured 176.4x272.7mm --back 1,-1mm"
    yield Job(
        "calibrate/profile",
        (
            Step(f"calibrate --printer study {measured} --margins '4 4 3 12mm' --lang en", "saved"),
            Step("calibrate --lang es --out sheet.pdf", "listed"),
            Step("map --seed 5 --printer study --lang en --quiet --out field.pdf"),
            Step("cards terrain --printer study --lang en --quiet --out cards.pdf"),
            Step("map --seed 5 --printer attic --lang en", "unknown"),
        ),
    )

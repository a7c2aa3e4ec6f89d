"""Jobs that print: maps, evenings, cards, plans of Hexon tiles, forms, specimens, and sheets for printers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from freezing import LANGUAGES, SYSTEMS, Job, Step, one, said

SEEDS: Final = range(1, 21)
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
    # A card of the American Civil War holds both languages only where it is large.
    more = {_LARGE: " --board 48x24in --size tarot", "portable-1": " --style ink-saver"}
    for system in reversed(SYSTEMS):
        command = f"handouts --rules {system} --seed 3 --lang en+es{more.get(system, '')} --quiet --out evening"
        yield one(f"evening/{system}/seed3", command, inside="evening")
    command = "handouts --rules solo-dba --set npg=gallic --set you=polybian-roman --seed 8 --sheet letter --fold"
    yield one("evening/solo-dba/armies", f"{command} --lang es --quiet --out evening", inside="evening")


def _maps() -> Iterator[Job]:
    for system in reversed(SYSTEMS):
        for seed in SEEDS:
            small = system == _LARGE and seed % 2 == 0
            sheet = "--scale fit" if small else "--sheet one"
            command = f"map --rules {system} --seed {seed} --lang en {sheet} --quiet --out field.pdf"
            yield one(f"map/{system}/seed{seed:02}", command)


def _tiled() -> Iterator[Job]:
    for system in SYSTEMS:
        board = " --board 48x24in" if system == _LARGE else ""
        begin = f"map --rules {system}{board} --quiet"
        yield one(f"tiled/{system}/seed1", f"{begin} --seed 1 --lang en --to pdf --to svg --out field.pdf")
        for seed, language in ((2, "es"), (3, "en+es")):
            # Every sheet as SVG is a document, so those of one field are enough; of the others it is one large sheet.
            again = f"map --from field.json --sheet one --lang {language} --to svg --quiet --out large.svg"
            yield Job(
                f"tiled/{system}/seed{seed}",
                (Step(f"{begin} --seed {seed} --lang {language} --out field.pdf"), Step(again)),
            )


def _zones_and_forms() -> Iterator[Job]:
    yield one("zones/acw/each", "map --rules acw --board 48x24in --seed 4 --by-zone --lang en --quiet --out field.pdf")
    yield one("zones/acw/one", "map --rules acw --board 48x48in --seed 4 --zone 3 --lang es --quiet --out field.pdf")
    for name, command in (
        ("acw", "--rules acw --lang en"),
        ("acw-es", "--rules acw --lang es --sheet letter"),
        ("collision-course", "--rules collision-course --lang en+es"),
        ("hex", "--rules portable-2 --scale fit --lang en"),
        ("squares", "--rules portable-1 --set grid=sq-8x8 --cell 60mm --lang es"),
    ):
        yield one(f"form/{name}", f"map {command} --blank --quiet --out field.pdf")


def _styles() -> Iterator[Job]:
    for style in STYLES:
        yield one(f"specimen/{style}", f"specimen --style {style} --lang en --to pdf --to svg --quiet --out field.pdf")
        for system, seed in (("brantley", 6), ("portable-2", 5)):
            command = f"map --rules {system} --seed {seed} --style {style} --scale 1:2 --sheet a3 --lang en --quiet"
            yield one(f"style/{style}/{system}", f"{command} --out field.pdf")
    for style, system, seed in zip(STYLES, ("brantley", "dba3", "solo-dba"), (14, 31, 5), strict=True):
        command = f"map --rules {system} --seed {seed} --style {style} --dressing full --scale 1:2 --sheet a3 --lang en"
        yield one(f"dressing/{style}/{system}", f"{command} --quiet --out field.pdf")
    yield one("specimen/both-languages", "specimen --style campaign --lang en+es --quiet --out field.pdf")
    mine = {"mine.toml": '[manner]\nhatched = true\n[inks]\npaper = "#FFEEDD"\n'}
    yield one("style/own", "map --seed 5 --style mine.toml --scale 1:4 --lang en --quiet --out field.pdf", given=mine)


def _settings() -> Iterator[Job]:
    for system, name, more in (
        ("brantley", "readings", "--set br-q16=bridge --set br-q12=none --set hill-sides=six --set names=medieval"),
        ("brantley", "hungry", "--set policy=terrain-hungry --set br-q06=six --set names=none --board 36in"),
        ("solo-dba", "armies", "--set npg=gallic --set you=polybian-roman"),
        ("solo-dba", "large", "--set npg=viking --set you=welsh --set scale=25mm"),
        ("portable-1", "squares", "--set grid=sq-8x8 --set relief=hilly --set pw1.course=chain --cell 75mm"),
        ("portable-1", "desert", "--set preset=undulating-desert --set grid.hex=pointy-odd-left --set trees=3"),
        ("portable-2", "mountains", "--set preset=mountainous --set lakes=die --set marshes=die --set railway=1"),
        ("portable-2", "squares", "--set grid=sq-10x8 --set area=urban --set grid.order=serpentine --set fields=4"),
        ("dba3", "littoral", "--set home=littoral --set compulsory=2 --set base=60mm"),
        ("dba3", "hilly", "--set home=hilly --set plough=wet --set defender_policy=crowded --board 18BW"),
        ("collision-course", "landing", "--set home=littoral --set landing=both --set cc-q01=2"),
        ("collision-course", "steppe", "--set home=steppe --set optional=3 --board 20BW"),
        ("acw", "maryland", "--set state=maryland --board 48x48in"),
        ("acw", "coast", "--set geography=coastal --set water=N --set choice-policy=uniform --board 48x48in"),
    ):
        command = f"map --rules {system} {more} --seed 11 --scale fit --lang en --quiet --out field.pdf"
        yield one(f"settings/{system}/{name}", command)


def _layouts() -> Iterator[Job]:
    begin = "map --quiet --lang en"
    for name, command in (
        ("letter", "--seed 7 --sheet letter --margin 12mm --overlap 15mm --furniture none"),
        ("roll", "--rules acw --board 48x24in --seed 2 --sheet 36in-roll"),
        ("own-paper", "--seed 7 --sheet 300x400mm --furniture full --scale 1:1"),
        ("a3", "--rules dba3 --seed 5 --sheet a3 --no-numbers --no-zones --no-deployment"),
        ("no-grid", "--rules portable-2 --seed 5 --cell 50mm --no-grid --style ink-saver"),
        ("pictures", "--seed 6 --board 12in --scale 1:4 --sheet one --to png --to svg --to pdf --to geojson"),
        ("boxed", "--seed 1 --box example --scale fit"),
        ("boxed-cells", "--rules portable-2 --seed 2 --box mine.toml --scale fit"),
    ):
        mine = {"mine.toml": _BOX} if "mine.toml" in command else {}
        yield one(f"layout/{name}", f"{begin} {command} --out field.pdf", given=mine)
    count = "--count 3 --seed 5 --scale fit --quiet --lang en --out many"
    documents = ("*.pdf", "*.json")
    for jobs in (1, 2):
        command = f"map {count} --jobs {jobs}"
        yield one(f"count/{jobs}-processes", command, files=documents, inside="many", numbered=True)


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
        ("portable-1", 4, "--lang es"),
        ("portable-2", 5, "--lang en+es --hills slope"),
        ("acw", 1, "--lang en --board 48x48in"),
    ):
        command = f"hexon --rules {system} --seed {seed} {formats} {more} --quiet --out field.pdf"
        yield one(f"hexon/{system}/seed{seed}", command)
    stock = {"mine.toml": 'title = "Mine"\n[own]\nboards = 10\nsingles = 5\nC1 = 3\n'}
    hilly = "hexon --rules portable-2 --seed 5 --set relief=mountainous --lang en --to csv --to json"
    for name, more in (
        ("stock", "--hills slope --stock mine.toml"),
        ("steps", "--hills slope --stock mine.toml --steps 0307"),
        ("grown", "--footprint grow --two-high stacked --repair report --sheet letter"),
    ):
        yield one(f"hexon/hilly/{name}", f"{hilly} {more} --quiet --out field.json", given=stock)
    command = "hexon --rules dba3 --seed 3 --hexes 12x10 --grain pointed --lang en --to pdf --to json --quiet"
    yield one("hexon/sampled", f"{command} --out field.pdf")
    yield one("hexon/template", "hexon --stock-template field.toml --lang en")


def _cards() -> Iterator[Job]:
    pair = "pair --set npg=gallic --set you=polybian-roman --seed 4"
    for name, command in (
        ("terrain", "terrain --rules brantley"),
        ("reference-brantley", "reference --rules brantley"),
        ("reference-portable-1", "reference --rules portable-1"),
        ("reference-portable-2", "reference --rules portable-2"),
        ("tables", "tables --rules acw"),
        ("columns", "columns"),
        ("npg", "npg"),
        ("bound", "bound --seed 5"),
        ("summary", "summary"),
        ("booklet", "booklet"),
        ("pair", pair),
        ("blank", "blank --count 5"),
    ):
        for language in LANGUAGES:
            yield one(f"cards/{name}/{language}", f"cards {command} --lang {language} --quiet --out field.pdf")
    for language in LANGUAGES:
        yield one(f"cards/kit/{language}", f"cards kit --lang {language} --quiet --out kit", inside="kit")
    for name, command in (
        ("terrain/us-size", "terrain --size us-2.5x3.5in --sheet letter --gutter 2mm --style ink-saver"),
        ("terrain/tarot", "terrain --size tarot --bleed 3mm --gutter 6mm --style high-contrast --lang es"),
        ("terrain/no-outline", "terrain --no-outline --margin 7mm"),
        ("terrain/fold", "terrain --fold"),
        ("terrain/no-backs", "terrain --backs none --to svg"),
        ("tables/both", "tables --rules acw --size tarot --lang en+es"),
        ("columns/two-sided", "columns-two-sided --lang en+es"),
        ("npg/tarot", "npg --size tarot --flip short-edge"),
        ("npg/fold", "npg --fold"),
        ("npg/both", "booklet --lang en+es --sheet letter"),
        ("bound/copies", "bound --seed 9 --copies 2 --style ink-saver --lang es"),
        ("summary/small", "summary --size 148x105"),
        ("blank/mini", "blank --size mini --to png --to svg"),
    ):
        language = "" if "--lang" in command else " --lang en"
        yield one(f"cards/{name}", f"cards {command}{language} --quiet --out field.pdf")
    for language in LANGUAGES:
        pieces = ("zones", "cut-outs", "hidden", "reveal")
        made = (f"cards {name} --from field.json --lang {language} --quiet --out {name}.pdf" for name in pieces)
        steps = (f"map --seed 6 --to json --lang {language} --quiet --out field.json", *made)
        yield Job(f"cards/of-a-game/{language}", tuple(map(Step, steps)))
    steps = (
        "map --rules solo-dba --seed 6 --to json --lang en --quiet --out field.json",
        "cards pair --from field.json --lang en --quiet --out pair.pdf",
        "cards bound --from field.json --lang en --quiet --out bound.pdf",
    )
    yield Job("cards/of-a-battle", tuple(map(Step, steps)))


def _printers() -> Iterator[Job]:
    for name, more in (("a4", "--lang en"), ("letter", "--sheet letter --flip short-edge --lang es")):
        yield one(f"calibrate/{name}", f"calibrate {more} --quiet --out field.pdf")
    measured = "--measured-across 176.4mm --measured-along 272.7mm --back-right 1mm --back-up -1mm"
    yield Job(
        "calibrate/profile",
        (
            Step(f"calibrate --printer study {measured} --margins '4 4 3 12mm' --lang en", "saved"),
            Step("calibrate --list --lang en", "listed"),
            Step("calibrate --list --lang es", "listed-es"),
            Step("map --seed 5 --printer study --lang en --quiet --out field.pdf"),
            Step("map --seed 5 --printer study --lang en --plan", "plan"),
            Step("cards terrain --printer study --lang en --quiet --out cards.pdf"),
            Step("map --seed 5 --printer attic --lang en", "unknown"),
        ),
    )
    yield said("calibrate/margins", "calibrate --printer study --margins '4 4mm'")

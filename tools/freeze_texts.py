"""Jobs that are only read: help, rule systems, plans, notices, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from freezing import LANGUAGES, SYSTEMS, Job, Step, said

_COMMANDS: Final = (
    *(
        "map",
        "specimen",
        "rules",
        "check",
        "handouts",
        "hexon",
        "cards",
        "calibrate",
        "deal",
        "status",
        "reveal",
        "verify",
        "npg",
    ),
    *("npg armies", "npg compose", "npg terrain", "npg edge", "npg deploy", "npg swap", "npg bound", "npg sheets"),
    *("npg deployment-map", "npg counters"),
)


def text_jobs() -> Iterator[Job]:
    """Yield the jobs."""
    yield from _help()
    yield said("rules/list", "rules")
    for system in SYSTEMS:
        yield said(f"rules/{system}", f"rules {system}")
    yield from _plans()
    yield from _notices()
    wrong = ("fr", "en+es+en")
    yield Job("refused/language", tuple(Step(f"map --seed 5 --lang {code}", "text") for code in wrong))
    for name, command, *given in REFUSED:
        steps = (Step(f"{command} --lang {code}", "text") for code in LANGUAGES)
        files = {name: text for text in given for name in ("mine.toml", "mine.json") if name in command}
        yield Job(f"refused/{name}", tuple(steps), given=files)


def _help() -> Iterator[Job]:
    for command in ("", *_COMMANDS):
        steps = (Step(f"--lang {code} {command} --help", code) for code in LANGUAGES)
        yield Job(f"help/{command.replace(' ', '-') or 'printkit'}", tuple(steps))
    yield Job("help/version", (Step("--version", "version"), Step("", "alone"), Step("npg", "npg")))


def _plans() -> Iterator[Job]:
    """What would be printed; files are named by us, so that the names which the program gives stand in few texts."""
    for system in SYSTEMS:
        # A plan draws every sheet, for the ink that it takes.
        small = "--scale fit" if system == "acw" else "--scale 1:2"
        yield said(f"plan/map/{system}", f"map --rules {system} --seed 3 {small} --out field.pdf --plan")
    for name, command in (
        ("map/letter", "map --seed 3 --sheet letter --to svg --to png --plan --out field.pdf"),
        ("map/named-by-us", "map --seed 3 --count 2 --to pdf --to json --plan"),
        ("map/zones", "map --rules acw --board 48x24in --seed 3 --by-zone --scale 1:4 --plan --out field.pdf"),
        ("map/from-armies", "map --rules solo-dba --set npg=gallic --seed 3 --verbose --plan --out field.pdf"),
        ("handouts/brantley", "handouts --seed 3 --board 12in --style ink-saver --plan --out evening"),
        ("hexon/portable-2", "hexon --rules portable-2 --seed 5 --plan --out field.pdf"),
        ("hexon/brantley", "hexon --seed 4 --hills slope --to csv --plan --out field.csv"),
        ("cards/terrain", "cards terrain --plan --out field.pdf"),
        ("cards/bound", "cards bound --seed 3 --copies 2 --fold --plan --out field.pdf"),
        ("cards/kit", "cards kit --plan --out kit"),
        ("cards/blank", "cards blank --size tarot --sheet letter --gutter 2mm --to svg --plan --out field.svg"),
        ("deal", "deal --open --seed 7 --plan --out dealt"),
        ("npg/sheets", "npg sheets gallic polybian-roman --seed 3 --plan --out field.pdf"),
    ):
        yield said(f"plan/{name}", command)


def _notices() -> Iterator[Job]:
    """What a command says when it has written; the files are documents elsewhere. Each language has a folder alone."""
    for name, command in (
        ("map", "map --seed 3 --scale 1:8 --style ink-saver --verbose --out field.pdf"),
        ("map-named-by-us", "map --seed 3 --scale 1:8 --style ink-saver"),
        ("map-acw", "map --rules acw --board 48x24in --seed 3 --scale fit --verbose --to json --out field.json"),
        ("count", "map --seed 3 --count 2 --jobs 1 --scale 1:8 --style ink-saver --to json --out many"),
        ("hexon", "hexon --rules portable-2 --seed 5 --to json --to csv"),
        ("cards", "cards blank --style ink-saver"),
        ("deal", "deal --open --seed 7 --style ink-saver --out dealt"),
        ("calibrate", "calibrate"),
        ("specimen", "specimen --style ink-saver --out field.pdf"),
        ("stock", "hexon --stock-template field.toml"),
        ("counters", "npg counters gallic --out field.pdf"),
        ("streamed", "map --seed 3 --to json --out -"),
    ):
        for code in LANGUAGES:
            yield Job(f"notice/{name}/{code}", (Step(f"{command} --lang {code}", "text"),), files=())


_RECORD: Final = (
    '{"type": "FeatureCollection", "printkit": {"format": 1, "version": "0.1.0"}, "rules": "brantley", "settings": {},'
    ' "seed": 7, "board": {"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40.0},'
    ' "log": [], "features": [%s]}'
)
_VOLCANO: Final = '{"type": "Feature", "id": "a", "geometry": null, "properties": {"kind": "volcano"}}'

REFUSED: Final[tuple[tuple[str, ...], ...]] = (
    ("option", "map --nope"),
    ("command", "nope"),
    ("rules-unknown", "rules chess"),
    ("seed-word", "map --seed six"),
    ("seed-negative", "map --seed -1"),
    ("count-none", "map --seed 5 --count 0"),
    ("system", "map --seed 5 --rules chess"),
    ("setting-unknown", "map --seed 5 --set br-q99=none"),
    ("setting-value", "map --seed 5 --set br-q12=swamp"),
    ("setting-form", "map --seed 5 --set br-q12"),
    ("names", "map --seed 5 --set names=atomic"),
    ("sheet", "map --seed 5 --sheet a99"),
    ("sheet-without-unit", "map --seed 5 --sheet 20x30"),
    ("style", "map --seed 5 --style neon"),
    ("furniture", "map --seed 5 --furniture all"),
    ("scale", "map --seed 5 --scale big"),
    ("scale-too-small", "map --seed 5 --scale 1:16"),
    ("format", "map --seed 5 --to doc"),
    ("margin-without-unit", "map --seed 5 --margin 10"),
    ("margin-too-wide", "map --seed 5 --margin 105mm"),
    ("overlap", "map --seed 5 --overlap -1mm"),
    ("board-without-unit", "map --seed 5 --board 24"),
    ("board-too-small", "map --seed 5 --board 1mm"),
    ("board-not-square", "map --seed 5 --board 72x48in"),
    ("reroll-of-nothing", "map --seed 5 --reroll rivers"),
    ("ask-and-dice", "map --seed 5 --ask --dice 1"),
    ("stream-of-two", "map --seed 5 --out - --to pdf --to json"),
    ("blank-without-cells", "map --rules brantley --blank"),
    ("blank-with-dice", "map --rules portable-2 --blank --dice '1 2 3'"),
    ("zone-of-none", "map --rules acw --seed 5 --zone 12"),
    ("box-missing", "map --seed 5 --box nothing.toml"),
    ("die", "map --seed 5 --scenario mine.toml --dice '7 1 1 1'", 'zones = ["AH 2H 3H 4H 5H 6H 7H 8H 9H"]'),
    ("dice-too-few", "map --scenario mine.toml --dice '5 6 2'", 'zones = ["AH 2H 3H 4H 5H 6H 7H 8H 9H"]'),
    ("dice-file", "map --seed 5 --dice @nothing.txt"),
    ("cards-twice", "map --seed 5 --dice 'AH AH'"),
    ("scenario-missing", "map --seed 5 --scenario nothing.toml"),
    ("scenario-no-toml", "map --seed 5 --scenario mine.toml", "rivers = ["),
    ("scenario-key", "map --seed 5 --scenario mine.toml", "river = []"),
    ("scenario-placing", "map --seed 5 --scenario mine.toml", "placements = ['A KS 12']"),
    ("scenario-river", "map --seed 5 --scenario mine.toml", "rivers = ['river A nowhere']\ndice = '1 1 1 1 1 1'"),
    ("style-ink", "map --seed 5 --style mine.toml", "[inks]\nmagic = '#FF0000'"),
    ("style-colour", "map --seed 5 --style mine.toml", "[inks]\npaper = 'blue'"),
    ("record-missing", "map --from nothing.json"),
    ("record-no-json", "check mine.json", "{"),
    ("record-without-rules", "check mine.json", '{"type": "FeatureCollection"}'),
    ("record-newer", "map --from mine.json", _RECORD.replace('"format": 1', '"format": 2') % ""),
    ("record-kind", "check mine.json", _RECORD % _VOLCANO),
    ("record-stage", "map --from mine.json --reroll weather", _RECORD % ""),
    ("record-seed", "map --from mine.json --seed 9", _RECORD % ""),
    ("deck", "cards oaks"),
    ("deck-of-none", "cards npg --rules brantley"),
    ("deck-needs-record", "cards zones"),
    ("deck-size", "cards blank --size huge"),
    ("deck-format", "cards blank --to json"),
    ("deck-margin", "cards blank --margin 3mm"),
    ("deck-backs", "cards terrain --backs content"),
    ("deck-too-long", "cards bound --size mini --seed 1"),
    ("hexon-squares", "hexon --rules portable-2 --seed 5 --set grid=sq-8x8"),
    ("hexon-stock", "hexon --rules portable-2 --seed 5 --stock nothing.toml"),
    ("printer", "map --seed 5 --printer none"),
    ("deal-stream", "deal --seed 7 --out -"),
    ("deal-short", "deal --seed 7 --dice 'KS 7H 9C 2D QC 3S 10H JS'"),
    ("game-missing", "status nowhere"),
    ("army", "npg compose nobody --seed 1"),
    ("army-choices", "npg compose gallic feudal-french --seed 1"),
    ("battle-missing", "npg edge nothing.toml"),
    (
        "battle-fact",
        "npg edge mine.toml",
        'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "polybian-roman"\nattacker = "npg"\n[facts]\nmarsh = true\n',
    ),
)
"""What is refused: a name, the command, and what stands in the file that the command reads, if it reads one."""

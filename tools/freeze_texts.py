"""Jobs that are only read: help, rule systems, plans, notices, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from freezing import LANGUAGES, SYSTEMS, Job, Step, by_turns, said

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


# The first commands, of which the help is kept in both languages.
_IN_BOTH: Final = 2


def text_jobs() -> Iterator[Job]:
    """Yield the jobs."""
    yield from _help()
    yield said("rules/list", "rules")
    for system, languages in zip(SYSTEMS, by_turns(), strict=False):
        yield said(f"rules/{system}", f"rules {system}", languages=languages)
    yield from _plans()
    yield from _notices()
    wrong = ("fr", "en+es+en")
    yield Job("refused/language", tuple(Step(f"map --seed 5 --lang {code}", "text") for code in wrong))
    options = ("--nope", "--no-numbers", "--pixels-per-cell 70", "--jobs 2")
    steps = (Step(f"map {option} --lang {code}", "text") for code in LANGUAGES for option in options)
    yield Job("refused/option", tuple(steps))
    for name, command, *given in REFUSED:
        steps = (Step(f"{command} --lang {code}", "text") for code in LANGUAGES)
        files = {name: text for text in given for name in ("mine.toml", "mine.json") if name in command}
        yield Job(f"refused/{name}", tuple(steps), given=files)


def _help() -> Iterator[Job]:
    for place, command in enumerate(("", *_COMMANDS)):
        codes = LANGUAGES if place < _IN_BOTH else LANGUAGES[:1]
        steps = (Step(f"--lang {code} {command} --help", code) for code in codes)
        yield Job(f"help/{command.replace(' ', '-') or 'printkit'}", tuple(steps))
    yield Job("help/map-all", (Step("map --help-all", "en"),))
    yield Job("help/version", (Step("", "alone"), Step("npg", "npg")))


def _plans() -> Iterator[Job]:
    """What would be printed; files are named by us, so that the names which the program gives stand in few texts."""
    # A plan draws every sheet, for the ink that it takes.
    maps = tuple(
        (
            f"map/{system}",
            f"map --rules {system} --seed 3 {'--scale fit' if system == 'acw' else '--scale 1:2'}"
            " --out field.pdf --plan",
        )
        for system in SYSTEMS
    )
    others = (
        ("map/letter", "map --seed 3 --sheet letter --to svg --to png --plan --out field.pdf"),
        ("map/named-by-us", "map --seed 3 --count 2 --to pdf --to json --plan"),
        ("map/zones", "map --rules acw --board 48x24in --seed 3 --only zones --scale 1:4 --plan --out field.pdf"),
        ("map/from-armies", "map --rules solo-dba --set npg=gallic --seed 3 --verbose --plan --out field.pdf"),
        ("handouts/brantley", "handouts --seed 3 --board 12in --style ink-saver --plan --out evening"),
        ("hexon/portable-2", "hexon --rules portable-2 --seed 5 --plan --out field.pdf"),
        ("hexon/brantley", "hexon --seed 4 --hills slope --to csv --plan --out field.csv"),
        ("cards/terrain", "cards terrain --plan --out field.pdf"),
        ("cards/bound", "cards bound --seed 3 --count 2 --fold --plan --out field.pdf"),
        ("cards/kit", "cards kit --plan --out kit"),
        ("cards/blank", "cards blank --size tarot --sheet letter --gutter 2mm --to svg --plan --out field.svg"),
        ("deal", "deal --open --seed 7 --plan --out dealt"),
        ("npg/sheets", "npg sheets gallic polybian-roman --seed 3 --plan --out field.pdf"),
    )
    for (name, command), languages in zip((*maps, *others), by_turns(), strict=False):
        yield said(f"plan/{name}", command, languages=languages)


def _notices() -> Iterator[Job]:
    """What a command says when it has written; the files are documents elsewhere. Each language has a folder alone."""
    commands = (
        ("map", "map --seed 3 --scale 1:8 --style ink-saver --verbose --out field.pdf"),
        ("map-named-by-us", "map --seed 3 --scale 1:8 --style ink-saver"),
        ("map-acw", "map --rules acw --board 48x24in --seed 3 --scale fit --verbose --to json --out field.json"),
        ("count", "map --seed 3 --count 2 --scale 1:8 --style ink-saver --to json --out many"),
        ("hexon", "hexon --rules portable-2 --seed 5 --to json --to csv"),
        ("cards", "cards blank --style ink-saver"),
        ("deal", "deal --open --seed 7 --style ink-saver --out dealt"),
        ("calibrate", "calibrate"),
        ("streamed", "map --seed 3 --to json --out -"),
    )
    for (name, command), (code,) in zip(commands, by_turns(), strict=False):
        yield Job(f"notice/{name}", (Step(f"{command} --lang {code}", "text"),), files=())


_RECORD: Final = (
    '{"type": "FeatureCollection", "printkit": {"format": 1, "version": "0.1.0"}, "rules": "brantley", "settings": {},'
    ' "seed": 7, "board": {"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40.0},'
    ' "log": [], "features": [%s]}'
)
_VOLCANO: Final = (
    '{"type": "Feature", "id": "a", "geometry": {"type": "Point", "coordinates": [1, 1]},'
    ' "properties": {"kind": "volcano"}}'
)

REFUSED: Final[tuple[tuple[str, ...], ...]] = (
    ("command", "nope"),
    ("seed-word", "map --seed six"),
    ("setting-unknown", "map --seed 5 --set br-q99=none"),
    ("setting-value", "map --seed 5 --set br-q12=swamp"),
    ("names", "map --seed 5 --set names=atomic"),
    ("sheet", "map --seed 5 --sheet a99"),
    ("style", "map --seed 5 --style neon"),
    ("board-too-small", "map --seed 5 --board 1mm"),
    ("reroll-of-nothing", "map --seed 5 --reroll rivers"),
    ("die", "map --seed 5 --scenario mine.toml --dice '7 1 1 1'", 'zones = ["AH 2H 3H 4H 5H 6H 7H 8H 9H"]'),
    ("dice-too-few", "map --scenario mine.toml --dice '5 6 2'", 'zones = ["AH 2H 3H 4H 5H 6H 7H 8H 9H"]'),
    ("scenario-no-toml", "map --seed 5 --scenario mine.toml", "rivers = ["),
    ("scenario-river", "map --seed 5 --scenario mine.toml", "rivers = ['river A nowhere']\ndice = '1 1 1 1 1 1'"),
    ("style-colour", "map --seed 5 --style mine.toml", "[inks]\npaper = 'blue'"),
    ("record-no-json", "check mine.json", "{"),
    ("record-newer", "map --from mine.json", _RECORD.replace('"format": 1', '"format": 2') % ""),
    ("record-kind", "check mine.json", _RECORD % _VOLCANO),
    ("deck", "cards oaks"),
    ("deck-backs", "cards terrain --backs content"),
    ("hexon-squares", "hexon --rules portable-2 --seed 5 --set grid=sq-8x8 --to tiled"),
    ("army", "npg compose nobody --seed 1"),
    (
        "battle-fact",
        "npg edge mine.toml",
        'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "polybian-roman"\nattacker = "npg"\n[facts]\nmarsh = true\n',
    ),
)
"""What is refused: a name, the command, and what stands in the file that the command reads, if it reads one."""

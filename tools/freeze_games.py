"""Jobs in which a person plays: scenarios, dice of his own, stages thrown anew, and records judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from freezing import LANGUAGES, SYSTEMS, Edit, Job, Step, one, said

_MAP: Final = "map --scale fit --lang en --quiet"


def game_jobs() -> Iterator[Job]:
    """Yield the jobs."""
    yield from _scenarios()
    yield from _dice()
    yield from _rerolls()
    yield from _checks()


# --- What a table has decided -----------------------------------------------------------------------------------------


def _army(name: str, general: int, **more: str) -> str:
    """Return the table of an army in three columns of four, its baggage behind the second."""
    kinds = ("Cv", "3Kn", "3Kn", "4Bd", "4Bd", "4Bd", "4Bd", "4Bd", "Sp", "Sp", "Ps", "Ps")
    elements = ", ".join(
        f'{{ id = "E{place}", type = "{kind}"{", general = true" if place == general else ""} }}'
        for place, kind in enumerate(kinds, 1)
    )
    columns = (("E1", "E2", "E3", "E4"), ("E5", "E6", "E7", "E8", "BG"), ("E9", "E10", "E11", "E12"))
    listed = ", ".join(f"{place} = {json.dumps(column)}" for place, column in enumerate(columns, 1))
    facts = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'name = "{name}"\nhome = "arable"\nelements = [{elements}]\ncolumns = {{ {listed} }}\n{facts}'


_COLUMNS: Final = f"""rules = "collision-course"
seed = 7
title = "Tolbiac"
pips = [
  "defender 1 6: column-1 2, column-2 3",
  "defender 2 3: column-2 1, baggage",
  "attacker 1 3: other 3",
  "attacker 2 6: column-2 1, other 5",
]
positions = ["defender 1: 6,4 7,4 0.75; 6,3.25 7,3.25 0.75"]
[army.defender]
{_army("Franks", 5)}
[army.attacker]
{_army("Alamanni", 1)}"""

_SCENARIOS: Final = {
    "brantley-cards": """rules = "brantley"
deck = "KS 7H 9C 2D QC 3S 10H JS 5C"
placements = ["A KS 5", "B QC 6", "A 9C 4", "B JS 2", "A 2D 8", "B 3S 3", "A 7H 7", "B 10H 1"]
seed = 3
[settings]
br-q02 = "A"
""",
    "brantley-courses": '''seed = 4
title = "The Two Brooks"
names = "none"
zones = "AS 3D 4H 5D QC 7D 8H 9D KC"
dice = "3 4 6 1"
features = ["z1 size 4.0x3.5 turn 0", "z5 size 4.0x3.5 turn 30 at 12,12"]
rivers = """
river A W:20 -> lake@5    # the upper one
river B E:14 -> lake@5

"""
''',
    "portable-1-features": """rules = "portable-1"
seed = 5
features = ["hill (3;3) contours 2", "hill (3;4)", "hill (7;7)", "trees (5;5)", "trees (6;5)"]
rivers = ["from top-right to bottom-right width 1"]
[settings]
road = "0"
""",
    "portable-2-ways": """rules = "portable-2"
seed = 6
roads = ["from (1;3) to (8;3) crossings bridge"]
railways = ["from (1;5) to (8;5)"]
""",
    "acw-campaign": """rules = "acw"
seed = 9
board = "72x48in"
campaign = ["town Gettysburg in 3", "known 2: Hill, Stream", "geography Farm"]
zones = ["1: 5 1 2 4"]
decisions = ["Wood", "nothing"]
profile = ["Wood: size 0.4x0.3 factor 0.6-1.3 going difficult"]
""",
    "dba3-profile": """rules = "dba3"
seed = 5
profile = ["numbers river_clearance_bw 3"]
""",
    "collision-columns": _COLUMNS,
}


def _scenarios() -> Iterator[Job]:
    for name, text in _SCENARIOS.items():
        steps = (Step(f"{_MAP} --scenario mine.toml --out field.pdf"), Step("check field.json --lang en", "check"))
        yield Job(f"scenario/{name}", steps, given={"mine.toml": text})
    given = {"mine.toml": _COLUMNS.replace("column-2 3", "column-2 9").replace('type = "Cv"', 'type = "WWg"')}
    wrong = Step("map --scenario mine.toml --lang en --to json --out field.json", "text")
    yield Job("scenario/columns-wrong", (wrong,), given=given, files=())
    command = "handouts --scenario mine.toml --lang en --quiet --out evening"
    yield one("scenario/columns-evening", command, given={"mine.toml": _COLUMNS}, inside="evening")
    given = {"mine.toml": _SCENARIOS["acw-campaign"]}
    yield said("scenario/still-to-throw", "rules acw --scenario mine.toml", given=given)


def _dice() -> Iterator[Job]:
    """Dice of a person's own, on the command line, from a file, and typed one by one."""
    red = {"mine.toml": 'zones = "AH 2H 3H 4H 5H 6H 7H 8H 9H"\n'}
    command = "--scenario mine.toml --seed 5 --dice '4 1 3 2' --lang en --verbose --scale 1:8 --out field.pdf"
    yield Job("dice/given", (Step(f"map {command}", "en"),), given=red)
    scores = " ".join("25136421456321"[place % 14] for place in range(40))
    for system in ("portable-1", "acw"):
        own = f"{_MAP} --rules {system} --seed 5 --dice @dice.txt --to json --out field.json"
        yield one(f"dice/file/{system}", own, given={"dice.txt": scores[:15]})
    typed = "3\n2\n\nseven\n1\n" + "\n" * 100
    command = "map --rules portable-1 --seed 5 --ask --lang es --to json --out field.json"
    yield Job("dice/asked", (Step(command, "text", typed),))


def _rerolls() -> Iterator[Job]:
    for system, stages in (
        ("brantley", ("--reroll rivers", "--keep rivers")),
        ("portable-1", ("--reroll hills --reroll trees",)),
        ("dba3", ("--reroll placement",)),
    ):
        first = Step(f"map --rules {system} --seed 6 --to json --lang en --quiet --out field.json")
        begin = "map --from field.json --seed 9 --to json --lang en"
        again = (
            Step(f"{begin} {stage} --out again-{place}.json", f"again-{place}") for place, stage in enumerate(stages, 1)
        )
        yield Job(f"reroll/{system}", (first, *again))


# --- Records judged ---------------------------------------------------------------------------------------------------


def _changed(change: Callable[[dict[str, Any]], None]) -> Edit:
    """Return the change of a record that a person makes in its file."""

    def edit(folder: Path) -> None:
        path = folder / "field.json"
        record = json.loads(path.read_text(encoding="utf-8"))
        change(record)
        path.write_text(json.dumps(record), encoding="utf-8")

    return edit


def _moved(value: Any, by: float) -> Any:
    if isinstance(value[0], int | float):
        return [value[0] + by, *value[1:]]
    return [_moved(each, by) for each in value]


def _spoil(record: dict[str, Any]) -> None:
    """Push every other feature half a hand to the right, and lose the answer of every fifth throw to a 1."""
    for feature in record["features"][::2]:
        feature["geometry"]["coordinates"] = _moved(feature["geometry"]["coordinates"], 90.0)
    for throw in record["log"][::5]:
        throw["answer"] = "1"


def _checks() -> Iterator[Job]:
    for system in SYSTEMS:
        first = Step(f"map --rules {system} --seed 4 --to json --lang en --quiet --out field.json")
        whole, spoiled = (Step(f"check field.json --verbose --lang {code}", code) for code in LANGUAGES)
        steps = (first, whole, _changed(_spoil), spoiled)
        yield Job(f"check/{system}", steps, files=())
    steps = (
        Step("map --rules dba3 --seed 4 --to json --lang en --quiet --out field.json"),
        Step("check field.json --rules collision-course --lang en", "en"),
        _changed(lambda record: record.update(log=[])),
        Step("check field.json --lang en --verbose", "without-a-log"),
    )
    yield Job("check/by-others", steps, files=())

"""Jobs of games that go on for an evening or longer: battles against a general without a player, and secret deals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from freezing import Job, Step, by_turns, one, said


def battle_jobs() -> Iterator[Job]:
    """Yield the jobs."""
    yield from _armies()
    yield from _battles()
    yield from _deals()


# --- A general without a player ---------------------------------------------------------------------------------------

_KINGDOM: Final = """schema = "dba-army/1"
name = "Hill Kingdom"
home = "hilly"
aggression = 2
slot = [
  { id = "phalanx", fixed = { "4Pk" = 4 } },
  { id = "second line", mode = "each", count = 2, options = ["4Pk", "4Sp"] },
  { id = "horse", mode = "block", options = [{ "3Cv" = 2 }, { "2LH" = 2 }] },
  { id = "screen", mode = "block", options = ["2Ps", "7Hd"] },
  { id = "hillmen", fixed = { "4Ax" = 2 } },
]
[general]
options = ["3Kn", "4Pk", "El"]
"""
_STEPPE: Final = """schema = "dba-army/1"
name = "Steppe"
home = "steppe"
aggression = 4
counts = { Cv = 3, LH = 8, Ps = 1 }
general = "Cv"
"""
SPEARS: Final = """schema = "dba-army/1"
name = "Spears"
home = "hilly"
aggression = 1
[[slot]]
id = "army"
fixed = { "4Sp" = 9, "2Ps" = 2 }
[general]
options = ["4Sp"]
"""
_HORSE: Final = SPEARS.replace("Spears", "Horse").replace("= 1\n[[", "= 3\n[[").replace(
    '"4Sp" = 9, "2Ps" = 2', '"3Cv" = 1, "4Bd" = 6, "4Sp" = 2, "2Ps" = 2'
).replace('["4Sp"]', '["3Cv"]')  # fmt: skip
_FACTS: Final = (
    '[facts]\nwaterway = "none"\nbua = "none"\nground_ahead_good = true\n'
    "both_flanks_bad = false\nyou_reserved_landing = 0\n"
)
_EDGES: Final = "".join(
    f"[facts.{edge}]\nzone_clear = {'true' if edge == 'far' else 'false'}\nzone_bad_centre = false\n"
    "bad_ahead = false\ngentle_hill = false\n"
    for edge in ("near", "left", "far", "right")
)
_NEAR: Final = '[board]\nnpg_edge = "near"\n'


def _battle(text: str, npg: str, you: str) -> dict[str, str]:
    head = 'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = 5\n'
    return {"battle.toml": head + text, "npg.toml": npg, "you.toml": you}


def _armies() -> Iterator[Job]:
    yield said("npg/armies/list", "npg armies")
    yield said("npg/armies/gallic", "npg armies gallic", languages=("es",))
    armies = {"hill.toml": _KINGDOM, "steppe.toml": _STEPPE}
    dice = "--dice '5,2 1,6 3,3 4,1 2,5 6,3,6 2,2 2,4 1,6'"
    yield said("npg/compose/dice", f"npg compose hill.toml steppe.toml {dice}", armies)
    for mode, languages in zip(("ranges", "blank"), by_turns(), strict=False):
        yield said(
            f"npg/compose/{mode}", f"npg compose hill.toml steppe.toml --set mode={mode}", armies, languages=languages
        )
    yield said("npg/compose/seed", "npg compose --seed 1 --verbose --choose-for-you", languages=("en",))
    steps = (
        Step("npg compose hill.toml steppe.toml --seed 2 --lang en --out army.toml --quiet"),
        Step("npg compose hill.toml steppe.toml --seed 2 --lang en --out trace.json --quiet"),
    )
    yield Job("npg/compose/kept", steps, given=armies)
    typed = "\n".join(("7Hd", "2", "1", "4Sp", "2", *"5216412516125")) + "\n"
    asked = Step("npg compose hill.toml anglo-danish --ask --seed 4 --lang en", "en", typed)
    yield Job("npg/compose/asked", (asked,), given=armies)
    more = "hill.toml welsh --set scale=25mm --lang es --sheet letter"
    yield one("npg/counters", f"npg counters {more} --quiet --out field.pdf", given=armies)
    for name, more in (
        ("blank", "--lang es --sheet letter"),
        ("rolled-ranges", "hill.toml steppe.toml --lang en+es --set mode=ranges"),
    ):
        yield one(f"npg/sheets/{name}", f"npg sheets {more} --seed 4 --quiet --out field.pdf", given=armies)


def _battles() -> Iterator[Job]:
    stages = (
        "edge battle.toml",
        "deploy battle.toml",
        *(f"bound battle.toml --lost {lost}" for lost in ("0,0", "1,0", "2,3")),
    )
    steps = (
        Step("npg terrain battle.toml --lang en", "0-terrain"),
        *(
            Step(f"npg {stage} --verbose --lang en", f"{place}-{stage.split()[0]}")
            for place, stage in enumerate(stages, 1)
        ),
        Step("npg deploy battle.toml --lang es", "again-es"),
        Step("npg bound battle.toml --override --lang en", "override"),
        Step("npg sheets battle.toml --lang en --seed 4 --quiet --out sheets.pdf"),
        Step("npg deployment-map battle.toml --lang en --scale 1:2 --quiet --out deployed"),
    )
    yield Job("npg/battle/attacks", steps, given=_battle("attack_dice = [6, 1]\n", _HORSE, SPEARS))
    pairs = '[[pairs]]\nnpg = "2Ps"\nyou = "3Cv"\n[[pairs]]\nnpg = "4Sp"\nyou = "4Bd"\n'
    steps = (
        Step("npg swap battle.toml --lang en", "too-early"),
        Step("npg deploy battle.toml --seed 1 --lang en", "deploy"),
        Step("npg swap battle.toml --lang en", "swap"),
        Step("npg swap battle.toml --lang es", "swap-es"),
    )
    yield Job("npg/battle/swap", steps, given=_battle(f'attacker = "you"\n{_FACTS}{_NEAR}{pairs}', SPEARS, _HORSE))
    given = _battle(f'attacker = "npg"\n{_FACTS}{_EDGES}', _HORSE, SPEARS)
    modes = (
        Step(f"npg {stage} battle.toml --set mode={mode} --lang {code}", f"{mode}-{stage}-{code}")
        for stage, mode, code in (("edge", "ranges", "en"), ("deploy", "blank", "es"), ("bound", "ranges", "en"))
    )
    steps = (
        Step("npg edge battle.toml --dice '6 6 4 2 5' --lang en", "edge"),
        Step("npg deploy battle.toml --dice '5 3 4 1 2 5 5 2 5 6 3 3 4' --lang en", "deploy"),
        Step("npg bound battle.toml --dice '5 6 2' --lang es", "bound"),
        Step("npg bound battle.toml --odds 1/6,1/6 --lang en", "odds"),
    )
    yield Job("npg/battle/modes", tuple(modes), given=given)
    yield Job("npg/battle/facts", steps, given=given)


# --- Cards dealt in secret --------------------------------------------------------------------------------------------


def _deals() -> Iterator[Job]:
    turns = ("A a4 9", "B b4 8", "A a3 7", "B b3 6", "A a2 5", "B b2 4", "A a1 3", "B b1 2")
    placed = [" ".join(f"--place '{turn}'" for turn in part) for part in (turns[:3], turns[3:])]
    deck = "--dice 'KS 7H 9C 2D QC 3S 10H JS 5C' --set crossing=bridge"
    steps = (
        Step(f"deal --open --seed 7 {deck} --lang es --quiet --out dealt"),
        Step("status dealt/* --lang es", "status-0"),
        Step(f"status dealt/* --lang es {placed[0]}", "status-3"),
        Step("reveal dealt/* --lang es --scale fit", "too-early"),
        Step(f"status dealt/* --lang en --out hidden.pdf {placed[1]}", "status-8"),
        Step("reveal dealt/* --dice '4 4 5 1 4 1 5 2 2 5 1' --lang es --scale fit --quiet"),
    )
    yield Job("deal/own-pack", steps, inside="dealt/*")

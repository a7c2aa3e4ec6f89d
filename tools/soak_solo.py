"""Lays out many fields of Solo DBA, judges every one, deploys the NPG's army on it, and writes a page.

Seeds go round the seven topographies, both scales of figures, the readings that shape the ground, the armies and the
base edges. No element of the NPG may stand on the camp, in water, in a town, off the board or on another; one outside
its part of the field, and one that has no ground at all, is said.

    python tools/soak_solo.py [--count FIELDS] [--first SEED] [--processes N] [--page FILE]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace
from shapely import unary_union
from soaking import Mixture, Soak, run

from printkit.core.words import Words, catalogue
from printkit.kit.registry import read_record
from printkit.kit.system import Outcome
from printkit.systems.dba.elements.deployed_overlay import NPG, DeployedCamp, DeployedElement
from printkit.systems.solo.armies.army_files import sample_names
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, open_battle, save
from printkit.systems.solo.battle.stages import play_deployment
from printkit.systems.solo.sheets.deployment_overlays import place_armies
from printkit.systems.solo.tactics.battle_log import DEPLOY
from printkit.systems.solo.tactics.ground import ground_of
from printkit.systems.solo.tactics.situation import EDGES
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Kind
from printkit.terrain.field.record import Record, write
from printkit.terrain.geometry.measure import ribbon

HOMES = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")

HEAD = """# Soak of Solo DBA

Fields of `solo-dba` laid out from consecutive seeds, in all seven topographies, with sample armies, both scales of
figures and readings of the rules in turn; each judged as `printkit check` judges. On each the NPG deploys from one of
the four edges, and every element that stands on the table is measured against the board, the camp, water, towns, the
others and its part of the field. This page is made by `make soak` and is never edited by hand.

A group that finds no ground in its part stands elsewhere, one that finds none at all is left off: both are said on the
map and in its list, and counted here. Anything else that should not be is a failure.
"""

_TOUCH: Final = 1.0
_SAID: Final = {"centre": "SD-4.7-a", "reserve": "SD-4.7-b", "right": "SD-4.7-c", "left": "SD-4.7-d"}
FAULTS: Final = (
    "on the camp",
    "in water",
    "in a town",
    "off the board",
    "overlapping",
    "outside, unsaid",
    "lost, unsaid",
)
TOLD: Final = ("outside, said", "apart, said", "left off, said")


def mixture(seed: int) -> Mixture:
    """Return the settings of a seed; each seed has another mixture."""
    home, rest = HOMES[seed % len(HOMES)], seed // len(HOMES)
    names = [name for name in sample_names() if name != "sample"]
    return Mixture(
        label=home,
        settings={
            "home": home,
            "npg": names[seed * 7 % len(names)],
            "you": names[(seed * 11 + 5) % len(names)],
            "scale": "25mm" if rest % 5 == 3 else "15mm",
            "bridge_model": "true" if rest % 2 else "false",
        },
    )


@lru_cache(maxsize=4)
def measured(text: str, edge: str, armies: str = "") -> Counter[str]:
    """Return how many elements of the NPG stand as they should not, and how many groups are said to.

    Args:
        text: of the record of a game of Solo DBA.
        edge: the NPG's base edge.
        armies: lines of the battle file that name others than those of the record.
    """
    with TemporaryDirectory() as folder:
        return measures(deployed(text, Path(folder), edge, armies))


def measures(case: BattleCase) -> Counter[str]:
    """Return how the NPG's elements of a battle stand whose deployment is played."""
    assert case.field is not None
    armies = place_armies(case.field, case)
    results = case.log.stages[DEPLOY].results
    notes = {(clause, group) for clause, group in results["notes"]}
    standing = [each for each in armies.elements if each.side == NPG and each.place in _SAID]
    found = Counter[str]({"elements": len(standing)})
    found.update(_faults(case, standing, armies.camps, notes))
    missing = set(armies.npg_off)
    nowhere = {group for clause, group in notes if clause == "SD-4.7-j"}
    found["left off, said"] = len(missing) if nowhere else 0
    found["lost, unsaid"] = 0 if nowhere else len(missing)
    found["apart, said"] = sum(clause == "SD-4.7-i" for clause, _ in notes)
    return found


def deployed(text: str, folder: Path, edge: str, armies: str = "") -> BattleCase:
    """Return a battle on the map of a record, with the NPG deployed on an edge."""
    _, record = read_record(text)
    place = folder / "battle.toml"
    if armies:
        # What a map tells of its own armies is left out.
        text = write(replace(record, log=(), details={}))
    (folder / "map.json").write_text(text, encoding="utf-8")
    named = armies or "".join(f'{side} = "{record.settings[side]}"\n' for side in ("npg", "you"))
    board = f'[board]\nmap = "map.json"\nscale = "{record.settings["scale"]}"\nnpg_edge = "{edge}"\n'
    place.write_text(f'schema = "dba-battle/1"\n{named}{board}', encoding="utf-8")
    order = BattleOrder(path=place, words=Words((catalogue("en"),)), seed=record.seed or 0)
    case = open_battle(order)
    save(case.log, place)
    save(play_deployment(case).log, place)
    return open_battle(order)


def _faults(
    case: BattleCase, standing: list[DeployedElement], camps: tuple[DeployedCamp, ...], notes: set[tuple[str, int]]
) -> Iterator[str]:
    field = case.field
    assert field is not None
    assert case.edge is not None
    ground = ground_of(field, case.edge, case.rules)
    frame, line = ground.frame, ground.front
    water, towns = (
        unary_union(list(_water(field))),
        unary_union([each.outline for each in field.select_features(Kind.BUA) if isinstance(each, Area)]),
    )
    quarter = frame.width / 4
    for number, each in enumerate(standing):
        base = each.base
        for name, wrong in (("in water", water), ("in a town", towns)):
            if base.intersection(wrong).area > _TOUCH:
                yield name
        if any(base.intersection(camp.base).area > _TOUCH for camp in camps):
            yield "on the camp"
        if base.difference(field.board.shape).area > _TOUCH:
            yield "off the board"
        if any(base.intersection(other.base).area > _TOUCH for other in standing[:number]):
            yield "overlapping"
        low, _, high, front = frame.seen(base).bounds
        at_home = {
            "left": high <= quarter + 0.1,
            "right": low >= 3 * quarter - 0.1,
        }.get(each.place, low >= quarter - 0.1 and high <= 3 * quarter + 0.1)
        if each.place == "reserve":
            at_home = at_home and front <= line - ground.rules.length("reserve_behind_p") + 0.1
        if not (at_home and front <= line + 0.1):
            yield "outside, said" if (_SAID[each.place], each.group) in notes else "outside, unsaid"


def _water(field: Battlefield) -> Iterator[object]:
    for each in field.features:
        if each.kind is Kind.WATERWAY and isinstance(each, Area):
            yield each.outline
        elif each.kind is Kind.RIVER and isinstance(each, Course):
            yield ribbon(each.line, each.width)


def _edge_of(record: Record) -> str:
    return EDGES[(record.seed or 0) // 3 % len(EDGES)].value


def promises(record: Record) -> Iterator[str]:
    """Yield what stands as it should not."""
    found = measured(write(record), _edge_of(record))
    yield from (f"{found[name]} {name}" for name in FAULTS if found[name])


def counts(record: Record, _: Outcome) -> tuple[int, ...]:
    """Return the numbers of the page for one battle."""
    found = measured(write(record), _edge_of(record))
    return tuple(found[name] for name in ("elements", *FAULTS, *TOLD))


SOAK = Soak(
    system="solo-dba",
    page="soak-solo.md",
    head=HEAD,
    mixture=mixture,
    promises=promises,
    counted=tuple(name.capitalize() for name in ("elements", *FAULTS, *TOLD)),
    counts=counts,
)

if __name__ == "__main__":
    sys.exit(run(SOAK, sys.argv[1:]))

"""The steps to prepare a game night: each file appears once, with its cuts and minutes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from printkit.core.words import Words
from printkit.recipes.evening.parts import FilePart
from printkit.recipes.game.request import SEALED, UMPIRE
from printkit.recipes.output.handout import OwnText

# The assembly plan, if the map is on other paper.
MAP_PLAN: Final = "map-plan"

# Parts for building the battlefield without a printed map.
_BUILT: Final = ("hexon", "layout")

# Parts that are not needed before the end of the battle.
_LATER: Final = ("report", "form")


def steps(parts: Sequence[FilePart], words: Words, unprinted: Sequence[OwnText] = ()) -> Iterator[str]:
    """Yield the steps in order, for the printed parts and the unprinted files."""
    left = {part_of(part): part for part in parts}

    def work(names: Iterable[str]) -> str:
        return ", ".join(_work(left.pop(name), words) for name in tuple(names))

    def alone(names: Iterable[str]) -> Iterator[str]:
        for name in names:
            if name in left:
                yield words(f"handouts.step.{name}", name=work([name]))

    if "overview" in left:
        yield words("handouts.step.check", name=work(["overview"]))
    else:
        yield words("handouts.step.check-any")
    if "map" in left:
        joints, planned = left["map"].joints, left.get(MAP_PLAN)
        kind = "one" if not joints else "tiled" if planned is None else "tiled-apart"
        plan = "" if planned is None else work([MAP_PLAN])
        yield words(f"handouts.step.map-{kind}", count=joints + 1, name=work(["map"]), plan=plan)
    sealed = [name for name, part in left.items() if part.name.startswith(f"{SEALED}/")]
    cards = [part for name, part in left.items() if part.card and name not in sealed]
    for flip in dict.fromkeys(part.flip for part in cards):
        names = work(part_of(part) for part in cards if part.flip is flip)
        if flip is None:
            yield words("handouts.step.cards", names=names)
        else:
            yield words("handouts.step.cards-both", names=names, edge=words(f"handouts.edge.{flip}"))
    yield from alone(_BUILT)
    groups = {
        "players": [name for name in left if name.startswith("player-")],
        "umpire": [name for name, part in left.items() if part.name.startswith(f"{UMPIRE}/")],
        "sealed": sealed,
    }
    apart = {name for names in groups.values() for name in names}
    table = [name for name in left if name not in (*apart, *_LATER)]
    for group, members in {"table": table, **groups}.items():
        if members:
            yield words(f"handouts.step.{group}", names=work(members), count=len(members))
    for own in unprinted:
        if words.has(key := f"handouts.step.{own.key}"):
            yield words(key, name=f"**{own.name}**")
    yield from alone(_LATER)


def part_of(part: FilePart) -> str:
    """Return the name of a file in options."""
    return PurePosixPath(part.name).stem


def _work(part: FilePart, words: Words) -> str:
    """Return the name of a file with its cuts and minutes."""
    key = "handouts.step.work" if part.cuts else "handouts.step.work-uncut"
    return words(key, name=f"**{part.name}**", cuts=part.cuts, minutes=part.minutes)

"""The steps to prepare a game night: each file appears once, with its cuts and minutes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from printkit.core.words import Words
from printkit.recipes.game.request import SEALED, UMPIRE
from printkit.recipes.output.handout import PluginText
from printkit.recipes.output.printed_files import FilePart

# The assembly plan, if the map is on other paper.
MAP_PLAN: Final = "map-plan"

# Parts for building the battlefield without a printed map.
_TABLE_PARTS: Final = ("hexon", "layout")

# Parts that are not needed before the end of the battle.
_LATE_PARTS: Final = ("report", "form")


def steps(parts: Sequence[FilePart], words: Words, other_files: Sequence[PluginText] = ()) -> Iterator[str]:
    """Yield the steps to prepare a game night, in one language, for the printed parts and then for the unprinted files.

    Each step names its files and their work; every part is in one step.
    """
    remaining = {part_name(part): part for part in parts}

    def take_work(names: Iterable[str]) -> str:
        """Return the names and work of these parts as text, and remove them from the remaining parts."""
        return ", ".join(_describe_work(remaining.pop(name), words) for name in tuple(names))

    def single_steps(names: Iterable[str]) -> Iterator[str]:
        """Yield a step for each of these parts that remains."""
        for name in names:
            if name in remaining:
                yield words(f"handouts.step.{name}", name=take_work([name]))

    if "overview" in remaining:
        yield words("handouts.step.check", name=take_work(["overview"]))
    else:
        yield words("handouts.step.check-any")
    if "map" in remaining:
        joints, plan_part = remaining["map"].joints, remaining.get(MAP_PLAN)
        kind = "one" if not joints else "tiled" if plan_part is None else "tiled-apart"
        plan = "" if plan_part is None else take_work([MAP_PLAN])
        yield words(f"handouts.step.map-{kind}", count=joints + 1, name=take_work(["map"]), plan=plan)
    sealed_names = [name for name, part in remaining.items() if part.name.startswith(f"{SEALED}/")]
    cards = [part for name, part in remaining.items() if part.card and name not in sealed_names]
    for flip in dict.fromkeys(part.flip for part in cards):
        names = take_work(part_name(part) for part in cards if part.flip is flip)
        if flip is None:
            yield words("handouts.step.cards", names=names)
        else:
            yield words("handouts.step.cards-both", names=names, edge=words(f"handouts.edge.{flip}"))
    yield from single_steps(_TABLE_PARTS)
    groups = {
        "players": [name for name in remaining if name.startswith("player-")],
        "umpire": [name for name, part in remaining.items() if part.name.startswith(f"{UMPIRE}/")],
        "sealed": sealed_names,
    }
    grouped_names = {name for names in groups.values() for name in names}
    table = [name for name in remaining if name not in (*grouped_names, *_LATE_PARTS)]
    for group, members in {"table": table, **groups}.items():
        if members:
            yield words(f"handouts.step.{group}", names=take_work(members), count=len(members))
    for text_file in other_files:
        if words.has(key := f"handouts.step.{text_file.key}"):
            yield words(key, name=f"**{text_file.name}**")
    yield from single_steps(_LATE_PARTS)


def part_name(part: FilePart) -> str:
    """Return the name of a file in options, for example ``map`` for ``you/map.pdf``."""
    return PurePosixPath(part.name).stem


def _describe_work(part: FilePart, words: Words) -> str:
    """Return the name of a file with its cuts and minutes."""
    key = "handouts.step.work" if part.cuts else "handouts.step.work-uncut"
    return words(key, name=f"**{part.name}**", cuts=part.cuts, minutes=part.minutes)

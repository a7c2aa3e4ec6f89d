"""Army lists as a person reads them: the samples in a table, and one list with its slots and options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from printkit.core.words import Words
from printkit.systems.solo.armies.army import Army, Bundle, Mode, Slot

_INDENT: Final = "    "


def listing_lines(armies: Iterable[Army], words: Words) -> Iterator[str]:
    """Yield a line for each army: its name for the command line, number, full name, dates, how it is known."""
    rows = [
        (army.id, army.number, army.name, army.dates, words(f"npg.army.home.{army.home}"), str(army.aggression))
        for army in armies
    ]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    yield words("npg.army.samples")
    for army, row in zip(armies, rows, strict=True):
        told = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{told}  {army.version} {status_text(army, words)}".rstrip()


def army_lines(army: Army, words: Words) -> Iterator[str]:
    """Yield a list with everything that its file says."""
    yield " · ".join(part for part in (army.name, army.number, army.dates) if part)
    facts = words("npg.army.facts", home=words(f"npg.army.home.{army.home}"), aggression=army.aggression)
    yield f"{_INDENT}{facts}" if army.camp else f"{_INDENT}{facts}, {words('npg.army.no-camp')}"
    yield f"{_INDENT}{words('npg.army.version', version=army.version)}, {status_text(army, words)}"
    if army.source:
        mark = f"npg.army.sure.{army.confidence}"
        sure = f" ({words(mark)})" if army.confidence else ""
        yield f"{_INDENT}{words('npg.army.source', source=army.source)}{sure}"
    if army.doubt:
        yield f"{_INDENT}{words('npg.army.doubt', doubt=army.doubt)}"
    if army.note:
        yield f"{_INDENT}{words('npg.army.note', note=army.note)}"
    yield ""
    for slot in army.slots:
        yield f"{_INDENT}{slot.id}: {slot_text(slot, words)}"
    listed = ", ".join(str(option) for option in army.general)
    said = words("npg.army.by-die", options=listed) if len(army.general) > 1 else listed
    yield f"{_INDENT}{words('npg.army.general')}: {said}"


def status_text(army: Army, words: Words) -> str:
    """Return how much of a list is known: an army as fielded, one without choices, or how many combinations it has."""
    if army.fielded:
        return words("npg.army.fielded")
    return words("npg.army.options-none") if army.ways == 1 else words("npg.army.combinations", count=army.ways)


def slot_text(slot: Slot, words: Words) -> str:
    """Return what a slot holds, or what there is to choose from."""
    listed = ", ".join(str(option) for option in slot.options)
    if not slot.open:
        return str(Bundle(slot.options[0].codes * slot.count))
    if slot.mode is Mode.BLOCK and any(len(option) > 1 for option in slot.options):
        return words("npg.army.block", options=listed)
    if slot.count == 1:
        return words("npg.army.each-one", options=listed)
    return words("npg.army.each", count=slot.count, options=listed)

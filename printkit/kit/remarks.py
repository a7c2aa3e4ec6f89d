"""Notices about a record: ground that nobody can cross, with the share that it cuts off, and those of its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, runtime_checkable

from shapely import get_parts, union_all

from printkit.core.errors import Sentence
from printkit.core.words import Words
from printkit.kit.provenance import append_note
from printkit.kit.system import RuleSystem
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import Area, Course, Crossing, Hill
from printkit.terrain.field.record import Record
from printkit.terrain.geometry.measure import ground_of

# A part of the board below this share of it is a strip or a corner that nobody has to reach.
_LEAST_SHARE: Final = 0.05

# How far a crossing reaches from its middle, in widths of its course, so that it meets both banks in a bend too.
_REACH: Final = 0.75


class Barrier(NamedTuple):
    """Features that nobody can cross, and the share of the board that they cut off, above 0 and below 1."""

    features: tuple[Area | Hill | Course, ...]
    share: float


def find_barrier(field: Battlefield) -> Barrier | None:
    """Return the impassable features that cut off ground from the largest part of the board, or None.

    Shapes count as they are drawn, on a grid too. Troops pass at crossings.
    """
    solid = {
        feature.id: feature
        for feature in field.features
        if isinstance(feature, Area | Hill | Course) and feature.going.is_impassable
    }
    if not solid:
        return None
    shapes = {identity: ground_of(feature) for identity, feature in solid.items()}
    parts = list(get_parts(field.ground.difference(union_all([*shapes.values()]))))
    for crossing in field.features:
        if isinstance(crossing, Crossing) and isinstance(course := solid.get(crossing.water), Course):
            banks = crossing.at.buffer(_REACH * course.width)
            joined = [part for part in parts if part.intersects(banks)]
            parts = [part for part in parts if part not in joined] + [union_all(joined)]
    *others, largest = sorted(parts, key=lambda part: part.area) or [field.ground]
    cut_off = union_all([part for part in others if part.area >= _LEAST_SHARE * field.ground.area])
    if cut_off.is_empty:
        return None
    near = [feature for feature in solid.values() if shapes[feature.id].dwithin(cut_off, 1.0)]
    separating = [feature for feature in near if shapes[feature.id].dwithin(largest, 1.0)]
    return Barrier(tuple(separating or near), float(cut_off.area / field.ground.area))


def add_barrier_note(accounts: Mapping[str, str], field: Battlefield, words: Words) -> dict[str, str]:
    """Return accounts, texts by feature ID, with a note at ground that nobody can cross and that cuts off a part."""
    barrier = find_barrier(field)
    if barrier is None:
        return dict(accounts)
    notes = [language("handouts.key.barrier", share=f"{100 * barrier.share:.0f}") for language in words.each()]
    for feature in barrier.features:
        accounts = append_note(accounts, feature.id, notes)
    return dict(accounts)


def barrier_lines(field: Battlefield, words: Words) -> tuple[Sentence, ...]:
    """Return the sentence that names ground that nobody can cross, with the share it cuts off; empty without any."""
    barrier = find_barrier(field)
    if barrier is None:
        return ()
    names = [feature.name or words(f"kind.{feature.kind}") for feature in barrier.features]
    return (
        Sentence(
            "{features}: nobody can cross here; {share:.0f} % of the board is cut off",
            features=", ".join(names),
            share=100 * barrier.share,
        ),
    )


@runtime_checkable
class Remarks(Protocol):
    """A rule system with notices about scenario data other than terrain."""

    def remarks(self, record: Record, words: Words) -> Iterable[str]:
        """Return notices about a record, one line each."""


@runtime_checkable
class UnplacedResults(Protocol):
    """A rule system whose records have results that could not be placed as the rules say."""

    def list_missing(self, record: Record) -> Iterable[Sentence]:
        """Return a sentence with the reason for each such result."""


def list_unplaced(system: RuleSystem, record: Record) -> tuple[Sentence, ...]:
    """Return what a record says of results that could not be placed, with the reasons; empty if none.

    Raises:
        RecordError: a member of the details is wrong.
    """
    return tuple(system.list_missing(record)) if isinstance(system, UnplacedResults) else ()


def collect_remarks(system: RuleSystem, record: Record, words: Words) -> tuple[str, ...]:
    """Return the notices about a record: ground that nobody can cross, results without room, and those of its rules.

    Raises:
        ScenarioError: the data in the record cannot be read.
    """
    own_remarks = system.remarks(record, words) if isinstance(system, Remarks) else ()
    return (*barrier_lines(record.battlefield, words), *list_unplaced(system, record), *own_remarks)

"""Checks of counting for both versions: the dice of the log lead to the areas of the record (PW0-04..PW0-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, check_rolls_placed, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, TREES, SketchNote
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.judge.case import (
    BESIDE,
    FIRST,
    GIVEN,
    ONWARD,
    STAGES,
    Check,
    LocatedPart,
    PortableCase,
    cells_of,
    located_parts,
    said,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

COUNTED: Final = (FIRST, ONWARD)
_SERIES: Final = (HEIGHTS, (Kind.LAKE,), (Kind.MARSH,), TREES, HABITATION, FIELDS)


def kind_family(kind: Kind) -> tuple[Kind, ...]:
    """Return the kinds that the same series of dice places, for example hills and mountains.

    ``kind`` is one of them; a kind without such a series is alone.
    """
    return next((kinds for kinds in _SERIES if kind in kinds), (kind,))


def find_parts(case: PortableCase, *kinds: Kind) -> tuple[LocatedPart, ...]:
    """Return all areas on which the log places a feature, of some kinds or of all.

    They are in the order in which they were placed.

    Raises:
        UnseenError: there is no log, or no stage fits.
    """
    result = case.recount
    if not result.done_stages:
        raise UnseenError("{reason}", reason=next(iter(result.astray.values()), Sentence("the log is empty")))
    return tuple(
        part for piece in result.sketch.placings if not kinds or piece.kind in kinds for part in located_parts(piece)
    )


def find_missing(case: PortableCase, fits: Callable[[LocatedPart], bool], *kinds: Kind) -> Faults:
    """Yield a fault for each area that the dice give to a feature but that does not have one of its family.

    Only areas that pass the test ``fits`` count. ``kinds`` limits the kinds of features; without any, all count.

    Raises:
        UnseenError: there is no log, or no stage fits.
    """
    for part in find_parts(case, *kinds):
        if fits(part) and part.cell not in case.find_cells(*kind_family(part.piece.kind)):
            yield Sentence(
                "{kind} was {how} {cell}, but there is none",
                kind=said(part.piece.kind),
                how=_HOW[part.method],
                cell=address(part.cell),
            )


_HOW: Final = {
    FIRST: Sentence("counted to"),
    ONWARD: Sentence("counted on to"),
    BESIDE: Sentence("turned to"),
    "next": Sentence("moved on to"),
    GIVEN: Sentence("given at"),
    "": Sentence("put at"),
}


def find_added(case: PortableCase, *kinds: Kind) -> Faults:
    """Yield each area with a feature that neither the dice nor the scenario place there."""
    done_kinds = [kind for stage in case.recount.done_stages for kind in _OF_STAGE.get(stage, ())]
    for kind in kinds:
        if kind in done_kinds:
            known_cells = {
                cell for part in find_parts(case, *kind_family(kind)) for cell in (part.cell, *part.piece.cells)
            }
            for cell in sorted(case.find_cells(kind) - known_cells):
                yield Sentence(
                    "{kind} is at {cell}, but the dice do not put it there", kind=said(kind), cell=address(cell)
                )


_OF_STAGE: Final[Mapping[str, tuple[Kind, ...]]] = {
    "hills": HEIGHTS, "lakes": (Kind.LAKE,), "marshes": (Kind.MARSH,), "trees": TREES,
    "habitation": HABITATION, "fields": FIELDS,
}  # fmt: skip


def located_by(*methods: str) -> Callable[[LocatedPart], bool]:
    """Return a test function: whether a part was located in one of these ways, for example by the chain die."""
    return lambda part: part.method in methods


def check_series(case: PortableCase) -> Faults:
    """Check that features are where a start row and three dice for each put them, and no others (PW0-10)."""
    yield from find_missing(case, located_by(*COUNTED))
    yield from find_added(case, *(kind for kinds in _SERIES for kind in kinds))


def _check_clockwise(case: PortableCase) -> Faults:
    """Check that chains, fields and towns use the side of the die, or the next one clockwise (PW0-12).

    The next one is the next usable side.
    """
    yield from find_missing(case, located_by(BESIDE))
    yield from check_further_areas(case)


def check_further_areas(case: PortableCase) -> Faults:
    """Yield each further area that a die gives to a village or town but that does not have it (PW1-53)."""
    for piece in case.recount.sketch.of(*HABITATION):
        for cell in piece.cells[1:] if "sides" in piece.told else ():
            if cell not in case.find_cells(piece.kind):
                yield Sentence("{kind} extends to {cell}, but there is none", kind=piece.kind, cell=address(cell))


def log_check(*stages: str) -> Check:
    """Return the check that the log of some stages has exactly the required dice, in order.

    The check yields the first fault only.
    """

    def check(case: PortableCase) -> Faults:
        """Yield the fault of the first stage whose log does not fit."""
        for stage in stages:
            if stage in case.recount.astray:
                yield case.recount.astray[stage]
                return
            if stage in case.recount.stages:
                case.sketch_after(stage)

    return check


def _check_twice(case: PortableCase) -> Faults:
    """Check that no area has two features of one kind (PW0-09).

    Fields are exempt because they are drawn in strips.
    """
    for kind in {feature.kind for feature in case.ground if feature.kind not in FIELDS}:
        places = Counter(cell for feature in case.find_ground(kind) for cell in cells_of(feature))
        for cell, count in sorted(places.items()):
            if count > 1:
                yield Sentence(
                    "{kind} is listed {count} times at {cell}", kind=said(kind), count=count, cell=address(cell)
                )


def _check_full(case: PortableCase) -> Faults:
    """Check that every feature that had a free area is on the board (PW0-11)."""
    for kinds in _SERIES:
        due = {cell for part in find_parts(case, *kinds) for cell in (part.cell, *part.piece.cells)}
        there = case.find_cells(*kinds)
        if len(there) < len(due):
            yield Sentence(
                "{kind}: {due} areas were free for it, but {there} have it",
                kind=said(kinds[0]),
                due=len(due),
                there=len(there),
            )


def _check_given(case: PortableCase) -> Faults:
    """Check that given features are on the board, and the log has no die for known values (PW0-13)."""
    for place in case.terrain.places:
        kinds = _given_kinds(place.kind)
        for cell in place.cells:
            if cell not in case.find_cells(*kinds):
                yield Sentence("{kind} was given at {cell}, but there is none", kind=place.kind, cell=address(cell))
    defaults = {setting.key: setting.default for setting in case.rules.book.settings}
    if any(case.stated_setting(key) != DIE for key in case.rules.settings if defaults[key] == DIE):
        yield from case.recount.astray.values()


def _given_kinds(name: str) -> tuple[Kind, ...]:
    """Return the kinds on the board that a kind in a line of the features allows.

    ``name`` is the kind in the line; "trees" and "field" allow several.
    """
    if name == "trees":
        return TREES
    if name == "field":
        return FIELDS
    return kind_family(Kind(name)) if Kind(name) in HABITATION else (Kind(name),)


_SCORES: Final = ("1", "2", "3", "4", "5", "6")


def _check_log(case: PortableCase) -> Faults:
    """Check that the log has exactly the required dice, and only possible scores (PW0-14)."""
    for throw in case.throws():
        if throw.asked != "d6" or throw.answer not in _SCORES:
            yield Sentence(
                "{reason}: {answer!r} is not a score of {asked}",
                reason=throw.reason,
                answer=throw.answer,
                asked=throw.asked,
            )
        if throw.stage not in case.recount.stages:
            yield Sentence("{reason} does not belong to a stage", reason=throw.reason)
    yield from case.recount.astray.values()


def _list_rolls(case: PortableCase) -> Iterator[tuple[int, str]]:
    """Yield each roll whose result has to be on the board: its number in the log, from 1, and why it is not there.

    The reason is that of a note of the record about its stage; empty for a roll of a feature that the log places. Rolls
    for numbers and for chains of version 1 may have no result, so they are left out unless a feature has them.
    """
    sketch, done_stages = case.recount.sketch, case.recount.done_stages
    throws = [piece.throws for pieces in (sketch.placings, sketch.ways, sketch.passages) for piece in pieces]
    placed_numbers = {number for numbers in throws for number in numbers}
    reasons = {_find_stage(note): note.key for note in case.parsed_details.notes}
    for number, throw in enumerate(case.record.log, 1):
        if number in placed_numbers:
            yield number, ""
        elif throw.stage in done_stages and throw.clause != "PW1-62" and not throw.reason.startswith("number of"):
            yield number, reasons.get(throw.stage, "")


def _find_stage(note: SketchNote) -> str:
    """Return the stage of a note about features that were left out; empty for other notes."""
    name = str(note.values.get("kind" if note.key == "dropped" else "what", "")).partition(" ")[0]
    by_kind = {kind.value: stage for stage, kinds in _OF_STAGE.items() for kind in kinds}
    return (by_kind | {kind.value: stage for kind, stage in STAGES.items()}).get(name, "")


def _check_wrap(case: PortableCase) -> Faults:
    """Check that counting wraps round to the top, and the board has no other features (PWA-04)."""
    yield from find_missing(case, lambda part: part.is_wrapped)
    yield from find_added(case, *(kind for kinds in _SERIES for kind in kinds))


def format_cells(cells: tuple[Cell, ...]) -> str:
    """Return areas in the notation of the rules, for example ``(1;5) (2;5)``."""
    return " ".join(map(address, cells))


CHECKS: Final[Mapping[str, Check]] = {
    "PW0-04": lambda case: find_missing(case, located_by(*COUNTED)),
    "PW0-05": lambda case: find_missing(case, lambda part: part.is_wrapped),
    "PW0-06": lambda case: find_missing(case, located_by(FIRST)),
    "PW0-07": lambda case: find_missing(case, located_by(FIRST)),
    "PW0-08": lambda case: find_missing(case, located_by(ONWARD)),
    "PW0-09": combine_checks(
        _check_twice, lambda case: find_missing(case, lambda part: part.method in COUNTED and part.is_displaced)
    ),
    "PW0-10": check_series,
    "PW0-11": _check_full,
    "PW0-12": _check_clockwise,
    "PW0-13": _check_given,
    "PW0-14": combine_checks(_check_log, check_rolls_placed(_list_rolls)),
    "PWA-04": _check_wrap,
    "PWA-08": lambda case: find_missing(case, located_by(BESIDE)),
}

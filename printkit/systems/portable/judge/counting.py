"""Checks of counting for both versions: the dice of the log lead to the areas of the record (PW0-04..PW0-14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from printkit.core.errors import Sentence
from printkit.kit.checks import Faults, UnseenError, combine_checks
from printkit.systems.portable.grid.edges import address
from printkit.systems.portable.grid.sketch import FIELDS, HABITATION, HEIGHTS, TREES
from printkit.systems.portable.grid.terms import DIE
from printkit.systems.portable.judge.case import (
    BESIDE,
    FIRST,
    GIVEN,
    ONWARD,
    Check,
    LocatedPart,
    PortableCase,
    cells_of,
    parts,
    said,
)
from printkit.terrain.field.features import Kind
from printkit.terrain.field.grids import Cell

COUNTED: Final = (FIRST, ONWARD)
_SERIES: Final = (HEIGHTS, (Kind.LAKE,), (Kind.MARSH,), TREES, HABITATION, FIELDS)


def family(kind: Kind) -> tuple[Kind, ...]:
    """Return the kinds that one series of dice places, for example hills and mountains."""
    return next((kinds for kinds in _SERIES if kind in kinds), (kind,))


def every(case: PortableCase, *kinds: Kind) -> tuple[LocatedPart, ...]:
    """Return all areas on which the log places a feature, of some kinds or of all.

    Raises:
        UnseenError: there is no log, or no stage fits.
    """
    found = case.recount
    if not found.done:
        raise UnseenError("{reason}", reason=next(iter(found.astray.values()), Sentence("the log is empty")))
    return tuple(part for piece in found.sketch.placings if not kinds or piece.kind in kinds for part in parts(piece))


def missing(case: PortableCase, fits: Callable[[LocatedPart], bool], *kinds: Kind) -> Faults:
    """Yield each area that the dice give to a feature but that does not have one of its family."""
    for part in every(case, *kinds):
        if fits(part) and part.cell not in case.cells(*family(part.piece.kind)):
            yield Sentence(
                "{kind} was {how} {cell}, but there is none",
                kind=said(part.piece.kind),
                how=_HOW[part.by],
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


def added(case: PortableCase, *kinds: Kind) -> Faults:
    """Yield each area with a feature that neither the dice nor the scenario place there."""
    done = [kind for stage in case.recount.done for kind in _OF_STAGE.get(stage, ())]
    for kind in kinds:
        if kind in done:
            known = {cell for part in every(case, *family(kind)) for cell in (part.cell, *part.piece.cells)}
            for cell in sorted(case.cells(kind) - known):
                yield Sentence(
                    "{kind} is at {cell}, but the dice do not put it there", kind=said(kind), cell=address(cell)
                )


_OF_STAGE: Final[Mapping[str, tuple[Kind, ...]]] = {
    "hills": HEIGHTS, "lakes": (Kind.LAKE,), "marshes": (Kind.MARSH,), "trees": TREES,
    "habitation": HABITATION, "fields": FIELDS,
}  # fmt: skip


def by(*ways: str) -> Callable[[LocatedPart], bool]:
    """Return the test whether a part was located in one of these ways."""
    return lambda part: part.by in ways


def series(case: PortableCase) -> Faults:
    """PW0-10: a start row, then three dice for each feature; the board has no others."""
    yield from missing(case, by(*COUNTED))
    yield from added(case, *(kind for kinds in _SERIES for kind in kinds))


def _clockwise(case: PortableCase) -> Faults:
    """PW0-12: chains, fields and towns use the side of the die, or the next usable one clockwise."""
    yield from missing(case, by(BESIDE))
    yield from further_areas(case)


def further_areas(case: PortableCase) -> Faults:
    """Yield each further area that a die gives to a village or town but that does not have it (PW1-53)."""
    for piece in case.recount.sketch.of(*HABITATION):
        for cell in piece.cells[1:] if "sides" in piece.told else ():
            if cell not in case.cells(piece.kind):
                yield Sentence("{kind} extends to {cell}, but there is none", kind=piece.kind, cell=address(cell))


def logged(*stages: str) -> Check:
    """Return the check that the log of some stages has exactly the required dice, in order."""

    def check(case: PortableCase) -> Faults:
        for stage in stages:
            if stage in case.recount.astray:
                yield case.recount.astray[stage]
                return
            if stage in case.recount.stages:
                case.after(stage)

    return check


def _twice(case: PortableCase) -> Faults:
    """PW0-09: no area has two features of one kind; fields are exempt because they are drawn in strips."""
    for kind in {feature.kind for feature in case.ground if feature.kind not in FIELDS}:
        places = Counter(cell for feature in case.standing(kind) for cell in cells_of(feature))
        for cell, count in sorted(places.items()):
            if count > 1:
                yield Sentence(
                    "{kind} is listed {count} times at {cell}", kind=said(kind), count=count, cell=address(cell)
                )


def _full(case: PortableCase) -> Faults:
    """PW0-11: every feature that had a free area is on the board."""
    for kinds in _SERIES:
        due = {cell for part in every(case, *kinds) for cell in (part.cell, *part.piece.cells)}
        there = case.cells(*kinds)
        if len(there) < len(due):
            yield Sentence(
                "{kind}: {due} areas were free for it, but {there} have it",
                kind=said(kinds[0]),
                due=len(due),
                there=len(there),
            )


def _given(case: PortableCase) -> Faults:
    """PW0-13: given features are on the board, and the log has no die for known values."""
    for place in case.given.places:
        kinds = _given_kinds(place.kind)
        for cell in place.cells:
            if cell not in case.cells(*kinds):
                yield Sentence("{kind} was given at {cell}, but there is none", kind=place.kind, cell=address(cell))
    if any(case.asked(key) != DIE for key in case.rules.settings if _usual(case, key) == DIE):
        yield from case.recount.astray.values()


def _usual(case: PortableCase, key: str) -> str:
    return next(setting.default for setting in case.rules.book.settings if setting.key == key)


def _given_kinds(name: str) -> tuple[Kind, ...]:
    if name == "trees":
        return TREES
    if name == "field":
        return FIELDS
    return family(Kind(name)) if Kind(name) in HABITATION else (Kind(name),)


_SCORES: Final = ("1", "2", "3", "4", "5", "6")


def _logged(case: PortableCase) -> Faults:
    """PW0-14: the log has exactly the required dice, and only possible scores."""
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


def _wrap(case: PortableCase) -> Faults:
    """PWA-04: counting wraps round to the top, and the board has no other features."""
    yield from missing(case, lambda part: part.wrapped)
    yield from added(case, *(kind for kinds in _SERIES for kind in kinds))


def addressed(cells: tuple[Cell, ...]) -> str:
    """Return areas in the notation of the rules."""
    return " ".join(map(address, cells))


CHECKS: Final[Mapping[str, Check]] = {
    "PW0-04": lambda case: missing(case, by(*COUNTED)),
    "PW0-05": lambda case: missing(case, lambda part: part.wrapped),
    "PW0-06": lambda case: missing(case, by(FIRST)),
    "PW0-07": lambda case: missing(case, by(FIRST)),
    "PW0-08": lambda case: missing(case, by(ONWARD)),
    "PW0-09": combine_checks(_twice, lambda case: missing(case, lambda part: part.by in COUNTED and part.displaced)),
    "PW0-10": series,
    "PW0-11": _full,
    "PW0-12": _clockwise,
    "PW0-13": _given,
    "PW0-14": _logged,
    "PWA-04": _wrap,
    "PWA-08": lambda case: missing(case, by(BESIDE)),
}

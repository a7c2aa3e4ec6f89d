"""The checker: a verdict for every clause of the rule book, from shapes, log and recorded choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from itertools import pairwise
from typing import Final

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, UnseenError, ignoring_hand_edits, verdicts
from printkit.kit.system import Verdict
from printkit.systems.dba.ground.legal import Terrain
from printkit.systems.dba3.judge import areas, courses
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.told import discarded_ids
from printkit.systems.dba3.placing.zones import NUMBERS, ground_of
from printkit.terrain.field.features import Hill
from printkit.terrain.field.record import Record

# --- Checks of the choices: board, home topography, counts, going, and the dice for quarters --------------------------

_HOMES: Final = {f"D3-{number}": home for number, home in enumerate(HomeTopography, 3)}
_ONE: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.OASIS, Terrain.GULLY, Terrain.BUA)
_THREE: Final = tuple(set(Terrain) - {*_ONE, Terrain.ROAD})
_GOINGS: Final = {"D3-17": ("good",), "D3-18": ("rough",), "D3-19": ("bad",), "D3-20": ("impassable",)}


def board(case: Dba3Case) -> Faults:
    """Check that the board is a square of 15 to 20 base widths (D3-1)."""
    wide, deep = case.board.width / case.base, case.board.depth / case.base
    slack = case.rules.slack("board_bw_min")
    if abs(wide - deep) > slack:
        yield Sentence("the board is {wide:.2f} by {deep:.2f} base widths", wide=wide, deep=deep)
    if not case.rules.number("board_bw_min") - slack <= wide <= case.rules.number("board_bw_max") + slack:
        yield Sentence("the board is {wide:.2f} base widths wide", wide=wide)


def compulsory(clause: str, case: Dba3Case) -> Faults:
    """Check the compulsory features of a home topography (D3-3..D3-9)."""
    if case.home != _HOMES[clause]:
        raise UnseenError("the home topography is {home}", home=case.home)
    ways = case.topography.compulsory
    try:
        names = [each.terrain for each in case.told if each.compulsory]
    except UnseenError:
        # Without a list a compulsory feature may have been discarded, so only the features on the board count.
        on_board = Counter(piece.terrain for piece in case.pieces)
        if any(on_board[way.terrain] >= way.least for way in ways):
            return
        raise UnseenError("the chosen features are not listed; a compulsory one may have been discarded") from None
    any_of = {way.terrain for way in ways} if case.topography.mixed else set()
    if not any(way.least <= len(names) <= way.most and set(names) <= {way.terrain, *any_of} for way in ways):
        yield Sentence("compulsory features: {known}", known=", ".join(names) or Sentence("none"))


def number_compulsory(case: Dba3Case) -> Faults:
    """Check that there are one or two compulsory features (D3-10)."""
    count = sum(each.compulsory for each in case.told)
    if not case.rules.number("compulsory_min") <= count <= case.rules.number("compulsory_max"):
        yield Sentence("{count} compulsory features", count=count)


def optional(case: Dba3Case) -> Faults:
    """Check that there are two or three optional features, of the home topography (D3-11)."""
    most = case.rules.number("compulsory_max") + case.rules.number("optional_max")
    if len(case.pieces) > most:
        yield Sentence("{count} features on the board; at most {most:g}", count=len(case.pieces), most=most)
    for name in case.strange:
        yield Sentence("{name} is not a DBA 3 terrain type", name=name)
    may_add = case.topography.optional
    for piece in case.pieces:
        if piece.terrain not in (*may_add, *(way.terrain for way in case.topography.compulsory)):
            yield Sentence("home topography {home} does not allow {piece}", piece=piece.id, home=case.home)
    names = [each.terrain for each in case.told if not each.compulsory]
    if not case.rules.number("optional_min") <= len(names) <= case.rules.number("optional_max"):
        yield Sentence("{count} optional features", count=len(names))
    yield from (Sentence("{name} is not optional here", name=name) for name in names if name not in may_add)


def caps(of: Collection[Terrain], case: Dba3Case) -> Faults:
    """Check the maximum number of features of each type (D3-12..D3-14)."""
    for terrain, count in Counter(piece.terrain for piece in case.of_type(*of)).items():
        most = case.sort(terrain).most
        if count > most:
            yield Sentence(
                "{count} of {terrain}; at most {most} per board", count=count, terrain=terrain.value, most=most
            )


def hinders(case: Dba3Case) -> Faults:
    """Check that the choices contain rough or bad going, a river or a waterway (D3-15)."""
    try:
        names = [each.terrain for each in case.told]
    except UnseenError:
        names = [piece.terrain.value for piece in case.pieces]
        if not names:
            raise
    if not any(sort.serves and terrain in names for terrain, sort in case.terms.sorts.items()):
        yield Sentence("no rough or bad going, river or waterway")


def pairs(case: Dba3Case) -> Faults:
    """Check that at most one feature of a pair is on the board (D3-16)."""
    if not case.topography.pairs:
        raise UnseenError("the home topography is {home}", home=case.home)
    there = {piece.terrain for piece in case.pieces}
    for pair in case.topography.pairs:
        if set(pair) <= there:
            yield Sentence("{pieces} are both on the board", pieces=joined(pair, Sentence(" and ")))


def going(clause: str, case: Dba3Case) -> Faults:
    """Check that every feature has the going of its type (D3-17..D3-20)."""
    for piece in case.pieces:
        stated, expected = piece.feature.going.name, case.sort(piece.terrain).going.name
        if piece.terrain is not Terrain.PLOUGH and expected in _GOINGS[clause] and stated not in ("", expected):
            yield Sentence("{piece} is {stated} going", piece=piece.id, stated=stated)
        hill = piece.feature
        if clause == "D3-19" and isinstance(hill, Hill) and hill.faces:
            around = hill.outline.exterior.length * (1 - case.rules.number("ratio_off"))
            if plain_sum(face.line.length for face in hill.faces) < around:
                yield Sentence("{piece} is not difficult on every side", piece=piece.id)


def plough(case: Dba3Case) -> Faults:
    """Check that plough is good going when dry, rough when wet (D3-21)."""
    for piece in case.of_type(Terrain.PLOUGH):
        stated, expected = piece.feature.going.name, case.sort(Terrain.PLOUGH).going.name
        if stated not in ("", expected):
            yield Sentence("{piece} is {going} going, not {expected}", piece=piece.id, going=stated, expected=expected)


def in_order(case: Dba3Case) -> Faults:
    """Check the placing order: waterway, compulsory features, the rest (D3-28)."""
    turns = {each.id: 0 if each.terrain == Terrain.WATERWAY else 1 if each.compulsory else 2 for each in case.told}

    def turn(name: str) -> int:
        return turns.get(name, 2)

    for one, other in pairwise(case.quarter_dice):
        if turn(other) < turn(one):
            yield Sentence("{other} is placed after {one}", other=other, one=one)


def by_die(faces: Iterable[int], case: Dba3Case) -> Faults:
    """Check that a feature is in the quarter of its die, or in the chosen one (D3-29..D3-31)."""
    wanted = tuple(faces)
    told = {each.id: each.quarter for each in case.told} if case.details.get("terrain") else {}
    if 1 in wanted:
        for name in told.keys() - case.quarter_dice.keys():
            yield Sentence("no die was rolled for the quarter of {name}", name=name)
    for name, die in case.quarter_dice.items():
        if die not in wanted:
            continue
        quarter = die if die in NUMBERS else case.quarters_chosen.get(name)
        if quarter is None:
            yield Sentence("no side chose a quarter for {name}", name=name)
        elif told.get(name) not in (None, quarter):
            yield Sentence("the record puts {piece} in quarter {quarter}", piece=name, quarter=told[name])
        for piece in case.pieces:
            if piece.id == name and quarter is not None and quarter not in case.held(piece):
                yield Sentence("{piece} is not in quarter {quarter}", piece=name, quarter=quarter)


def numbered(case: Dba3Case) -> Faults:
    """Check that the recorded quarters agree with the features (D3-2)."""
    on_board = {piece.id: piece for piece in case.pieces}
    for each in case.told:
        piece = on_board.get(each.id)
        if piece is not None and each.quarter is not None and each.quarter not in case.held(piece):
            yield Sentence("the record puts {piece} in quarter {quarter}", piece=piece.id, quarter=each.quarter)
    drawn = {each.label: each.shape for each in case.record.battlefield.overlays if each.kind == "quarters"}
    missed = case.rules.length("missed_bw_line")
    for number in NUMBERS if case.own else ():
        shape = drawn.get(str(number))
        if shape is None or shape.hausdorff_distance(ground_of(case.board, number)) > missed:
            yield Sentence("quarter {quarter} is not drawn in its place", quarter=number)


def discarded(case: Dba3Case) -> Faults:
    """Check that each choice is either on the board or discarded, and that nothing else is there (D3-39)."""
    if case.played and not case.details.get("terrain"):
        yield Sentence("the record does not say which features were chosen")
        return
    there, told = {piece.id for piece in case.pieces}, {each.id for each in case.told}
    gone = set(discarded_ids(case.detail("terrain")))
    yield from (Sentence("{name} was discarded but is on the board", name=name) for name in sorted(there & gone))
    for name in sorted(told - there - gone):
        yield Sentence("{id} was chosen but is neither on the board nor discarded", id=name)
    for name in sorted(there - told) if case.played else ():
        yield Sentence("{name} is on the board but was not chosen", name=name)


def town_kinds(case: Dba3Case) -> Faults:
    """Check that a built-up area is a city, fort, hamlet or edifice that the settings allow (D3-40)."""
    allowed = {case.terms.towns[name].kind for name in case.terms.town_names}
    for piece in case.of_type(Terrain.BUA):
        if piece.feature.kind not in allowed:
            yield Sentence("{piece} is a {kind}", piece=piece.id, kind=piece.feature.kind)


CHOICE_CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-1": board,
    "D3-2": ignoring_hand_edits(numbered),
    **{clause: partial(compulsory, clause) for clause in _HOMES},
    "D3-10": number_compulsory,
    "D3-11": optional,
    "D3-12": partial(caps, _ONE),
    "D3-13": partial(caps, (Terrain.ROAD,)),
    "D3-14": partial(caps, _THREE),
    "D3-15": hinders,
    "D3-16": pairs,
    **{clause: partial(going, clause) for clause in _GOINGS},
    "D3-21": plough,
    "D3-28": ignoring_hand_edits(in_order),
    "D3-29": ignoring_hand_edits(partial(by_die, (1, 2, 3, 4))),
    "D3-30": ignoring_hand_edits(partial(by_die, (5,))),
    "D3-31": ignoring_hand_edits(partial(by_die, (6,))),
    "D3-39": ignoring_hand_edits(discarded),
    "D3-40": town_kinds,
}


# The check of each clause of DBA 3 that a record can break.
CHECKS: Final[Mapping[str, Dba3Check]] = {**CHOICE_CHECKS, **areas.CHECKS, **courses.CHECKS}

REASONS: Final[Mapping[str, str]] = {
    "D3-27": Sentence("how natural an outline looks"),
    "D3-61": Sentence("about camps, after the battlefield is made"),
    "D3-62": Sentence("about camps, after the battlefield is made"),
    "D3-63": Sentence("about camps, after the battlefield is made"),
    "D3-64": Sentence("about play"),
    "D3-65": Sentence("before the battlefield is made"),
    "D3-67": Sentence("a definition in these rules"),
    "D3-68": Sentence("a replaced value is checked where it is used"),
}


def judge(
    record: Record, book: RuleBook, checks: Mapping[str, Dba3Check] = CHECKS, reasons: Mapping[str, str] = REASONS
) -> tuple[Verdict, ...]:
    """Return a verdict for every clause of the rule book, in its order.

    Args:
        checks: the checks by clause.
        reasons: the reasons for clauses without a check, in addition to ``REASONS``.

    Raises:
        RecordError: the rule system's object in the record has a wrong member; names it.
    """
    why_not = Reasons(clauses={**REASONS, **reasons}, otherwise=Sentence("a terrain record does not show it"))
    return verdicts(book.clauses, checks, why_not, Dba3Case.of_record(record, book), record)

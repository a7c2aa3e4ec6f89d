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
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba3.judge import areas, courses
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.terms import HomeTopography
from printkit.systems.dba3.placing.zones import QUARTER_NUMBERS, quarter_ground
from printkit.terrain.field.features import Hill
from printkit.terrain.field.record import Record

# --- Checks of the choices: board, home topography, counts, going, and the dice for quarters --------------------------

_HOME_CLAUSES: Final = {f"D3-{number}": home for number, home in enumerate(HomeTopography, 3)}
_SINGLE_TYPES: Final = (Terrain.WATERWAY, Terrain.RIVER, Terrain.OASIS, Terrain.GULLY, Terrain.BUA)
_TRIPLE_TYPES: Final = tuple(set(Terrain) - {*_SINGLE_TYPES, Terrain.ROAD})
_CLAUSE_GOINGS: Final = {"D3-17": ("good",), "D3-18": ("rough",), "D3-19": ("bad",), "D3-20": ("impassable",)}


def board(case: Dba3Case) -> Faults:
    """Check that the board is a square of 15 to 20 base widths (D3-1)."""
    width, depth = case.board.width / case.base_width_mm, case.board.depth / case.base_width_mm
    slack = case.rules.slack("board_bw_min")
    if abs(width - depth) > slack:
        yield Sentence("the board is {wide:.2f} by {deep:.2f} base widths", wide=width, deep=depth)
    if not case.rules.number("board_bw_min") - slack <= width <= case.rules.number("board_bw_max") + slack:
        yield Sentence("the board is {wide:.2f} base widths wide", wide=width)


def check_compulsory(clause: str, case: Dba3Case) -> Faults:
    """Check the compulsory features of a home topography (D3-3..D3-9).

    ``clause`` is the clause of one home.

    Raises:
        UnseenError: the record has another home, or does not list the chosen features.
    """
    if case.home != _HOME_CLAUSES[clause]:
        raise UnseenError("the home topography is {home}", home=case.home)
    choices = case.topography.compulsory
    try:
        names = [recorded_piece.terrain for recorded_piece in case.recorded_pieces if recorded_piece.is_compulsory]
    except UnseenError:
        # Without a list a compulsory feature may have been discarded, so only the features on the board count.
        on_board = Counter(piece.terrain for piece in case.pieces)
        if any(on_board[choice.terrain] >= choice.count_min for choice in choices):
            return
        raise UnseenError("the chosen features are not listed; a compulsory one may have been discarded") from None
    any_of = {choice.terrain for choice in choices} if case.topography.is_mixed else set()
    if not any(
        choice.count_min <= len(names) <= choice.count_max and set(names) <= {choice.terrain, *any_of}
        for choice in choices
    ):
        yield Sentence("compulsory features: {known}", known=", ".join(names) or Sentence("none"))


def check_compulsory_count(case: Dba3Case) -> Faults:
    """Check that there are one or two compulsory features, as the home topography and the setting allow (D3-10)."""
    count = sum(recorded_piece.is_compulsory for recorded_piece in case.recorded_pieces)
    is_allowed = any(choice.count_min <= count <= choice.count_max for choice in case.topography.compulsory)
    if not (is_allowed and case.rules.number("compulsory_min") <= count <= case.rules.number("compulsory_max")):
        yield Sentence("{count} compulsory features", count=count)


def check_optional(case: Dba3Case) -> Faults:
    """Check that there are two or three optional features, of the home topography (D3-11)."""
    maximum = case.rules.number("compulsory_max") + case.rules.number("optional_max")
    if len(case.pieces) > maximum:
        yield Sentence("{count} features on the board; at most {most:g}", count=len(case.pieces), most=maximum)
    for name in case.unknown_ids:
        yield Sentence("{name} is not a DBA 3 terrain type", name=name)
    allowed = case.topography.optional
    for piece in case.pieces:
        if piece.terrain not in (*allowed, *(choice.terrain for choice in case.topography.compulsory)):
            yield Sentence("home topography {home} does not allow {piece}", piece=piece.id, home=case.home)
    names = [recorded_piece.terrain for recorded_piece in case.recorded_pieces if not recorded_piece.is_compulsory]
    if not case.rules.number("optional_min") <= len(names) <= case.rules.number("optional_max"):
        yield Sentence("{count} optional features", count=len(names))
    yield from (Sentence("{name} is not optional here", name=name) for name in names if name not in allowed)


def check_type_counts(terrains: Collection[Terrain], case: Dba3Case) -> Faults:
    """Check the maximum number of features of each type (D3-12..D3-14)."""
    for terrain, count in Counter(piece.terrain for piece in case.pieces_of_type(*terrains)).items():
        maximum = case.piece_rules(terrain).count_max
        if count > maximum:
            yield Sentence(
                "{count} of {terrain}; at most {most} per board", count=count, terrain=terrain.value, most=maximum
            )


def check_hindering(case: Dba3Case) -> Faults:
    """Check that the choices contain rough or bad going, a river or a waterway (D3-15)."""
    try:
        names = [recorded_piece.terrain for recorded_piece in case.recorded_pieces]
    except UnseenError:
        names = [piece.terrain.value for piece in case.pieces]
        if not names:
            raise
    if not any(
        piece_rules.is_hindering and terrain in names for terrain, piece_rules in case.terms.piece_rules.items()
    ):
        yield Sentence("no rough or bad going, river or waterway")


def check_pairs(case: Dba3Case) -> Faults:
    """Check that at most one feature of a pair is on the board (D3-16).

    Raises:
        UnseenError: the home topography of the record has no pairs.
    """
    if not case.topography.pairs:
        raise UnseenError("the home topography is {home}", home=case.home)
    terrains = {piece.terrain for piece in case.pieces}
    for pair in case.topography.pairs:
        if set(pair) <= terrains:
            yield Sentence("{pieces} are both on the board", pieces=joined(pair, Sentence(" and ")))


def check_going(clause: str, case: Dba3Case) -> Faults:
    """Check that every feature has the going of its type (D3-17..D3-20).

    ``clause`` selects the types to check. A feature without going in the record passes.
    """
    for piece in case.pieces:
        recorded_going, expected = piece.feature.going.name, case.piece_rules(piece.terrain).going.name
        if (
            piece.terrain is not Terrain.PLOUGH
            and expected in _CLAUSE_GOINGS[clause]
            and recorded_going not in ("", expected)
        ):
            yield Sentence("{piece} is {stated} going", piece=piece.id, stated=recorded_going)
        hill = piece.feature
        if clause == "D3-19" and isinstance(hill, Hill) and hill.faces:
            min_steep_length = hill.outline.exterior.length * (1 - case.rules.number("ratio_off"))
            if plain_sum(face.line.length for face in hill.faces) < min_steep_length:
                yield Sentence("{piece} is not difficult on every side", piece=piece.id)


def check_plough(case: Dba3Case) -> Faults:
    """Check that plough is good going when dry, rough when wet (D3-21)."""
    for piece in case.pieces_of_type(Terrain.PLOUGH):
        recorded_going, expected = piece.feature.going.name, case.piece_rules(Terrain.PLOUGH).going.name
        if recorded_going not in ("", expected):
            yield Sentence(
                "{piece} is {going} going, not {expected}", piece=piece.id, going=recorded_going, expected=expected
            )


def check_order(case: Dba3Case) -> Faults:
    """Check the placing order: waterway, compulsory features, the rest (D3-28)."""
    turns = {
        recorded_piece.id: 0 if recorded_piece.terrain == Terrain.WATERWAY else 1 if recorded_piece.is_compulsory else 2
        for recorded_piece in case.recorded_pieces
    }

    def find_turn(name: str) -> int:
        """Return the placing turn of a feature ID: 0 for a waterway, 1 if compulsory, otherwise 2."""
        return turns.get(name, 2)

    for first, second in pairwise(case.quarter_dice):
        if find_turn(second) < find_turn(first):
            yield Sentence("{other} is placed after {one}", other=second, one=first)


def check_quarter_dice(faces: Iterable[int], case: Dba3Case) -> Faults:
    """Check that a feature with one of these dice is in its quarter, or in the chosen one (D3-29..D3-31).

    ``faces`` are the scores to check, 1 to 6; 5 and 6 let a side choose.
    """
    die_faces = tuple(faces)
    recorded_quarters = (
        {recorded_piece.id: recorded_piece.quarter for recorded_piece in case.recorded_pieces}
        if case.details.get("terrain")
        else {}
    )
    if 1 in die_faces:
        for name in recorded_quarters.keys() - case.quarter_dice.keys():
            yield Sentence("no die was rolled for the quarter of {name}", name=name)
    for name, die in case.quarter_dice.items():
        if die not in die_faces:
            continue
        quarter = die if die in QUARTER_NUMBERS else case.chosen_quarters.get(name)
        if quarter is None:
            yield Sentence("no side chose a quarter for {name}", name=name)
        elif recorded_quarters.get(name) not in (None, quarter):
            yield Sentence("the record puts {piece} in quarter {quarter}", piece=name, quarter=recorded_quarters[name])
        for piece in case.pieces:
            if piece.id == name and quarter is not None and quarter not in case.find_quarters(piece):
                yield Sentence("{piece} is not in quarter {quarter}", piece=name, quarter=quarter)


def check_recorded_quarters(case: Dba3Case) -> Faults:
    """Check that the recorded quarters agree with the features (D3-2)."""
    on_board = {piece.id: piece for piece in case.pieces}
    for item in case.recorded_pieces:
        piece = on_board.get(item.id)
        if piece is not None and item.quarter is not None and item.quarter not in case.find_quarters(piece):
            yield Sentence("the record puts {piece} in quarter {quarter}", piece=piece.id, quarter=item.quarter)
    quarter_shapes = {item.label: item.shape for item in case.record.battlefield.overlays if item.kind == "quarters"}
    tolerance = case.rules.length("missed_bw_line")
    for number in QUARTER_NUMBERS if case.is_same_system else ():
        shape = quarter_shapes.get(str(number))
        if shape is None or shape.hausdorff_distance(quarter_ground(case.board, number)) > tolerance:
            yield Sentence("quarter {quarter} is not drawn in its place", quarter=number)


def check_discarded(case: Dba3Case) -> Faults:
    """Check that each choice is either on the board or discarded, and that nothing else is there (D3-39)."""
    if case.is_generated and not case.details.get("terrain"):
        yield Sentence("the record does not say which features were chosen")
        return
    board_ids, chosen_ids = (
        {piece.id for piece in case.pieces},
        {recorded_piece.id for recorded_piece in case.recorded_pieces},
    )
    discarded_set = {piece.id for piece in case.recorded_terrain.discarded}
    yield from (
        Sentence("{name} was discarded but is on the board", name=name) for name in sorted(board_ids & discarded_set)
    )
    for name in sorted(chosen_ids - board_ids - discarded_set):
        yield Sentence("{id} was chosen but is neither on the board nor discarded", id=name)
    for name in sorted(board_ids - chosen_ids) if case.is_generated else ():
        yield Sentence("{name} is on the board but was not chosen", name=name)


def check_town_kinds(case: Dba3Case) -> Faults:
    """Check that a built-up area is a city, fort, hamlet or edifice that the settings allow (D3-40)."""
    allowed = {case.terms.towns[name].kind for name in case.terms.town_names}
    for piece in case.pieces_of_type(Terrain.BUA):
        if piece.feature.kind not in allowed:
            yield Sentence("{piece} is a {kind}", piece=piece.id, kind=piece.feature.kind)


CHOICE_CHECKS: Final[Mapping[str, Dba3Check]] = {
    "D3-1": board,
    "D3-2": ignoring_hand_edits(check_recorded_quarters),
    **{clause: partial(check_compulsory, clause) for clause in _HOME_CLAUSES},
    "D3-10": check_compulsory_count,
    "D3-11": check_optional,
    "D3-12": partial(check_type_counts, _SINGLE_TYPES),
    "D3-13": partial(check_type_counts, (Terrain.ROAD,)),
    "D3-14": partial(check_type_counts, _TRIPLE_TYPES),
    "D3-15": check_hindering,
    "D3-16": check_pairs,
    **{clause: partial(check_going, clause) for clause in _CLAUSE_GOINGS},
    "D3-21": check_plough,
    "D3-28": ignoring_hand_edits(check_order),
    "D3-29": ignoring_hand_edits(partial(check_quarter_dice, (1, 2, 3, 4))),
    "D3-30": ignoring_hand_edits(partial(check_quarter_dice, (5,))),
    "D3-31": ignoring_hand_edits(partial(check_quarter_dice, (6,))),
    "D3-39": ignoring_hand_edits(check_discarded),
    "D3-40": check_town_kinds,
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

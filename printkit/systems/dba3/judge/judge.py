"""The checker: a verdict for every clause of the rule book that shapes can break, from shapes and recorded choices.

A replay of the log proves the clauses about dice and choices (``ROLL_CLAUSES``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

import shapely

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.book import RuleBook
from printkit.kit.checks import Faults, Reasons, UnseenError, ignoring_hand_edits, verdicts
from printkit.kit.system import RollClauses, Verdict
from printkit.systems.dba.ground.terrain_limits import Terrain
from printkit.systems.dba.ground.terrain_rules import terrain_checks
from printkit.systems.dba3.judge import edges
from printkit.systems.dba3.judge.case import Dba3Case, Dba3Check
from printkit.systems.dba3.placing.terrain_rules import MADE_RULES, PLACED_RULES
from printkit.systems.dba3.placing.zones import QUARTER_NUMBERS, quarter_ground
from printkit.terrain.field.features import Hill
from printkit.terrain.field.record import Record

# --- Checks of the choices: board, home topography, counts, going, and quarters ---------------------------------------

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


def check_compulsory_count(case: Dba3Case) -> Faults:
    """Check that there are one or two compulsory features (D3-10)."""
    count = sum(recorded_piece.is_compulsory for recorded_piece in case.recorded_pieces)
    if not case.rules.number("compulsory_min") <= count <= case.rules.number("compulsory_max"):
        yield Sentence("{count} compulsory features", count=count)


def check_known_terrain(case: Dba3Case) -> Faults:
    """Check that the board has at most five features, all of the home topography (D3-11)."""
    maximum = case.rules.number("compulsory_max") + case.rules.number("optional_max")
    if len(case.pieces) > maximum:
        yield Sentence("{count} features on the board; at most {most:g}", count=len(case.pieces), most=maximum)
    for name in case.unknown_ids:
        yield Sentence("{name} is not a DBA 3 terrain type", name=name)
    allowed = (*case.topography.optional, *(choice.terrain for choice in case.topography.compulsory))
    for piece in case.pieces:
        if piece.terrain not in allowed:
            yield Sentence("home topography {home} does not allow {piece}", piece=piece.id, home=case.home)


def check_type_counts(terrains: Collection[Terrain], case: Dba3Case) -> Faults:
    """Check the maximum number of features of each type (D3-12..D3-14)."""
    for terrain, count in Counter(piece.terrain for piece in case.pieces_of_type(*terrains)).items():
        maximum = case.surroundings.piece_rules(terrain).count_max
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
        recorded_going, expected = piece.feature.going.name, case.surroundings.piece_rules(piece.terrain).going.name
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
            points = shapely.points([point for face in hill.faces for point in face.line.coords])
            if shapely.distance(hill.outline.exterior, points).max() > case.rules.length("missed_bw_line"):
                yield Sentence("{piece} has a steep side that is not on its outline", piece=piece.id)


def check_plough(case: Dba3Case) -> Faults:
    """Check that plough is good going when dry, rough when wet (D3-21)."""
    for piece in case.pieces_of_type(Terrain.PLOUGH):
        recorded_going, expected = piece.feature.going.name, case.surroundings.piece_rules(Terrain.PLOUGH).going.name
        if recorded_going not in ("", expected):
            yield Sentence(
                "{piece} is {going} going, not {expected}", piece=piece.id, going=recorded_going, expected=expected
            )


def check_recorded_quarters(case: Dba3Case) -> Faults:
    """Check that the recorded quarters agree with the features (D3-2)."""
    on_board = {piece.id: piece for piece in case.pieces}
    for item in case.recorded_pieces:
        piece = on_board.get(item.id)
        if (
            piece is not None
            and item.quarter is not None
            and item.quarter not in case.surroundings.find_quarters(piece)
        ):
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
    "D3-10": check_compulsory_count,
    "D3-11": check_known_terrain,
    "D3-12": partial(check_type_counts, _SINGLE_TYPES),
    "D3-13": partial(check_type_counts, (Terrain.ROAD,)),
    "D3-14": partial(check_type_counts, _TRIPLE_TYPES),
    "D3-15": check_hindering,
    "D3-16": check_pairs,
    **{clause: partial(check_going, clause) for clause in _CLAUSE_GOINGS},
    "D3-21": check_plough,
    "D3-39": ignoring_hand_edits(check_discarded),
    "D3-40": check_town_kinds,
}


# The check of each clause of DBA 3 that the shapes of a record can break.
CHECKS: Final[Mapping[str, Dba3Check]] = {
    **CHOICE_CHECKS,
    **terrain_checks(PLACED_RULES, MADE_RULES),
    **edges.CHECKS,
}

# The clauses about dice and choices.
ROLL_CLAUSES: Final = RollClauses(
    clauses=frozenset(f"D3-{number}" for number in (*range(3, 10), 28, 29, 30, 31, 66)),
    members={
        "": "D3-39",
        "terrain.home": "D3-3",
        "terrain.pieces": "D3-11",
        "terrain.pieces.compulsory": "D3-10",
        "terrain.pieces.quarter": "D3-29",
        "terrain.pieces.bua": "D3-40",
        "terrain.pieces.turned_by": "D3-35",
        "deployment": "D3-55",
        "deployment.deploys_first": "D3-66",
        "deployment.moves_first": "D3-66",
    },
)

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

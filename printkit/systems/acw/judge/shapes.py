"""Check each piece by itself: the features that its type requires (AC-F01..AC-F38)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

import shapely
from shapely import Point, Polygon

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, check_each
from printkit.kit.shape_rules import Measurement, Measurements, ShapeRule
from printkit.systems.acw.ground.checked_ground import CheckedGround, CheckedPiece
from printkit.systems.acw.judge.case import AbsentError, AcwCase, Check, combine_checks
from printkit.systems.acw.judge.positions import require_piece
from printkit.systems.acw.judge.zones import check_placed_towns
from printkit.systems.acw.terms.pieces import CAMPAIGN_PLACES, STEEP, WATERS, Piece
from printkit.terrain.field.features import Area, Hill, HillFace, Kind
from printkit.terrain.geometry.measure import bearing, turn_between


def select_pieces(*pieces: Piece) -> Callable[[AcwCase], Iterator[CheckedPiece]]:
    """Return a function that yields all pieces of these types on the table."""
    return lambda case: case.layout.select(*pieces)


def require_range(
    things: Callable[[AcwCase], Iterable[CheckedPiece]],
    measure: Callable[[AcwCase, CheckedPiece], float],
    limits: str,
    *,
    says: str,
) -> Check:
    """Return a check that a measure is between two numbers of the rule book, both included, with their slack.

    Args:
        things: gets the case and returns the pieces to measure.
        measure: gets the case and a piece and returns its measure, in the unit of the numbers, for example mm on the
            board.
        limits: the numbers are ``limits``_min and ``limits``_max.
        says: the message of a fault, with ``{it}`` for the ID, ``{found}``, ``{least}`` and ``{most}``.
    """

    def check(case: AcwCase) -> Faults:
        """Yield a fault for each piece with a measure outside the range and its tolerance."""
        least, most = (case.rules.number(f"{limits}_{end}") for end in ("min", "max"))
        for item in things(case):
            value = measure(case, item)
            if not least - case.rules.slack(f"{limits}_min") <= value <= most + case.rules.slack(f"{limits}_max"):
                yield Sentence(says, it=item.id, found=value, least=least, most=most)

    return check


# --- Hills: their contours, and sides of another kind -----------------------------------------------------------------


def _list_contours(item: CheckedPiece) -> tuple[Polygon, ...]:
    """Return the contours of a hill in mm on the board, the outline first; empty for other features."""
    return item.feature.contours if isinstance(item.feature, Hill) else ()


def _two_contours(case: AcwCase) -> Iterator[CheckedPiece]:
    """Yield the steep hills with two contours."""
    return (item for item in case.layout.select(*STEEP) if len(_list_contours(item)) == 2)


# AC-F01, AC-F08: the second contour is inside the first.
_CONTOUR_CHECK: Final = combine_checks(
    check_each(
        select_pieces(*STEEP),
        lambda _, one: len(_list_contours(one)) == 2,
        says="{it} has one contour, or more than two contours; a steep hill has two",
    ),
    require_range(
        _two_contours,
        lambda _, one: _list_contours(one)[1].area / _list_contours(one)[0].area,
        "upper_contour",
        says="{it}: the upper contour takes {found:.0%} of the hill; it must take {least:.0%} to {most:.0%}",
    ),
    check_each(
        _two_contours,
        lambda _, one: _list_contours(one)[0].contains(_list_contours(one)[1]),
        says="{it}: the upper contour is not inside the lower one",
    ),
)


def _rim_length(item: CheckedPiece) -> float:
    """Return the length of the outline of an area or hill, in mm on the board."""
    return float(item.shape.exterior.length)


def require_one_contour(piece: Piece) -> Check:
    """Return the check that hills of a type have one contour."""
    return check_each(
        select_pieces(piece),
        lambda _, one: len(_list_contours(one)) < 2,
        says="{it} has more than one contour, but only steep hills have more",
    )


def plain(piece: Piece) -> Check:
    """Return the check that hills of a type have one contour and no cliff or scree."""
    no_faces = check_each(
        select_pieces(piece),
        lambda _, one: not one.faces,
        says="{it} has a marked side such as a cliff or scree, but a plain hill does not",
    )
    return combine_checks(require_one_contour(piece), no_faces)


def _select_one_face(kind: Kind, *pieces: Piece) -> Callable[[AcwCase], Iterator[CheckedPiece]]:
    """Return a function that yields the hills with exactly one face of a kind."""
    return lambda case: (item for item in case.layout.select(*pieces) if len(_select_faces(item, kind)) == 1)


def _select_faces(item: CheckedPiece, kind: Kind) -> list[HillFace]:
    """Return the sides of a hill that are of a kind, for example its cliffs; may be empty."""
    return [face for face in item.faces if face.kind is kind]


def require_face(kind: Kind, piece: Piece, going: str) -> Check:
    """Return the check that hills of a type have one face of a kind, on their outline, with that going.

    ``going`` is the name of the going.
    """

    def check(case: AcwCase) -> Faults:
        """Yield a fault for each hill with a missing, extra or wrong face."""
        for hill in case.layout.select(piece):
            faces = _select_faces(hill, kind)
            if len(faces) != 1:
                yield Sentence(
                    "{one} has {count} sides of {kind}; it must have one", one=hill.id, count=len(faces), kind=kind
                )
                continue
            yield from _find_off_outline(case, hill, faces)
            face_going = faces[0].going.name
            if face_going not in ("", going):
                yield Sentence(
                    "{one}: its {kind} is {found} going; it must be {going}",
                    one=hill.id,
                    kind=kind,
                    found=face_going,
                    going=going,
                )

    return check


def _find_off_outline(case: AcwCase, hill: CheckedPiece, faces: Iterable[HillFace]) -> Faults:
    """Yield a fault for each face of a hill that is not on its outline."""
    for face in faces:
        distance = max(hill.shape.exterior.distance(Point(point)) for point in face.line.coords)
        if distance > case.touch:
            yield Sentence(
                "{one}: its {kind} is {off:.0f} mm from its outline",
                one=hill.id,
                kind=face.kind.replace("_", " "),
                off=distance,
            )


def check_steep_sides(piece: Piece, case: AcwCase) -> Faults:
    """Check that the steep sides of hills of a type are on their outlines."""
    for hill in case.layout.select(piece):
        yield from _find_off_outline(case, hill, _select_faces(hill, Kind.STEEP_SLOPE))


def require_cliff(piece: Piece) -> Check:
    """Return the check of AC-F06 and AC-F08: one impassable cliff on a part of the outline."""
    return combine_checks(
        require_face(Kind.CLIFF, piece, "impassable"),
        require_range(
            _select_one_face(Kind.CLIFF, piece),
            lambda _, one: _select_faces(one, Kind.CLIFF)[0].line.length / _rim_length(one),
            "cliff_arc",
            says="{it}: the cliff takes {found:.0%} of the outline; {least:.0%} to {most:.0%} are allowed",
        ),
    )


def check_sector(case: AcwCase) -> Faults:
    """Check AC-F07: the scree takes a sector of 90 degrees."""
    expected_angle = case.rules.number("scree_sector")
    for hill in _select_one_face(Kind.SCREE, Piece.HILL_SCREE)(case):
        ends, middle = _select_faces(hill, Kind.SCREE)[0].line.coords, hill.shape.centroid
        angle = turn_between(*(bearing(middle, Point(point)) for point in (ends[0], ends[-1])))
        if abs(angle - expected_angle) > case.rules.slack("scree_sector"):
            yield Sentence(
                "{one}: its scree takes {turn:.0f} degrees; it must take {wanted:.0f}",
                one=hill.id,
                turn=angle,
                wanted=expected_angle,
            )


# --- Areas, walls and streams -----------------------------------------------------------------------------------------


PieceRule: TypeAlias = ShapeRule[CheckedPiece, CheckedGround]


def _fill_holes(item: CheckedPiece) -> Polygon:
    """Return the outline of an area without its holes, in mm on the board."""
    return Polygon(item.shape.exterior)


def _measure_steep_side(hill: CheckedPiece, _ground: CheckedGround) -> Measurements:
    steep_mm = plain_sum(face.line.length for face in _select_faces(hill, Kind.STEEP_SLOPE))
    yield Measurement(steep_mm / _rim_length(hill))


def _measure_length_ratio(hill: CheckedPiece, _ground: CheckedGround) -> Measurements:
    corners = shapely.get_coordinates(hill.shape.minimum_rotated_rectangle)
    low, high = sorted(math.dist(corners[place], corners[place + 1]) for place in (0, 1))
    yield Measurement(high / low)


def _measure_hull_share(woodland: CheckedPiece, _ground: CheckedGround) -> Measurements:
    outline = _fill_holes(woodland)
    yield Measurement(outline.area / outline.convex_hull.area)


def _measure_zone_share(forest: CheckedPiece, ground: CheckedGround) -> Measurements:
    yield Measurement(_fill_holes(forest).area / ground.unit**2)


def _count_straight_parts(work: CheckedPiece, ground: CheckedGround) -> Measurements:
    yield Measurement(len(work.line.simplify(ground.touch).coords) - 1)


# The rules of the shape of pieces by their type.
PIECE_RULES: Final[Mapping[Piece, PieceRule]] = {
    Piece.STEEP_HILL: ShapeRule(
        "AC-F01", "share of the outline of a steep hill that is steep", _measure_steep_side, minimum="steep_side"
    ),
    Piece.LONG_HILL: ShapeRule(
        "AC-F04", "length of a ridge, as a multiple of its width", _measure_length_ratio, minimum="ridge"
    ),
    Piece.WOODLAND: ShapeRule(
        "AC-F10",
        "area of woodland, as a share of the area without its bays",
        _measure_hull_share,
        says="{it} has no bay in its side",
        maximum="bay",
    ),
    Piece.FOREST: ShapeRule(
        "AC-F11", "area of a forest, as a share of the square of its zone", _measure_zone_share, minimum="forest"
    ),
    Piece.WALL: ShapeRule("AC-F15", "number of straight parts of a wall", _count_straight_parts, maximum="wall_pieces"),
    Piece.FENCE_LINE: ShapeRule(
        "AC-F16", "number of straight parts of a fence", _count_straight_parts, maximum="fence_pieces"
    ),
    Piece.DITCH: ShapeRule(
        "AC-F17", "number of straight parts of a ditch", _count_straight_parts, maximum="ditch_pieces"
    ),
}


def _rule_check(piece: Piece) -> Check:
    """Return the check of the rule of a piece."""
    rule = PIECE_RULES[piece]
    return lambda case: (fault for one in case.layout.select(piece) for fault in rule.find_faults(one, case.layout))


# --- Water and towns of the campaign ----------------------------------------------------------------------------------


def check_water_band(piece: Piece, case: AcwCase) -> Faults:
    """Check water along an edge: it covers the full edge and has the right depth (AC-F37, AC-F38).

    ``piece`` is the river or the sea; the table may have only one of it.

    Raises:
        AbsentError: there is no such water on the table.
    """
    ground, measure, rules = case.layout, case.layout.measure(piece), case.rules
    waters = list(ground.select(piece))
    if not waters or ground.water_edge is None:
        raise AbsentError("there is no {piece} on the table", piece=piece.value)
    if len(waters) > 1:
        yield Sentence(
            "{found} are both a {piece}",
            found=joined([water.id for water in waters], Sentence(" and ")),
            piece=piece.value,
        )
    water, edge = waters[0], ground.edge(ground.water_edge)
    wet_length = water.shape.buffer(case.touch).intersection(edge).length
    if wet_length < (rules.number("water_along") - rules.slack("water_along")) * edge.length:
        yield Sentence(
            "{found} runs along {along:.0f} mm of its edge of {length:.0f} mm",
            found=water.id,
            along=wet_length,
            length=edge.length,
        )
    deep, width = water.shape.area / edge.length, measure.width or 0.0
    low, high = (width * ground.unit * factor for factor in (measure.least, measure.most))
    tolerance = rules.number("sizes_missed")
    if not low * (1 - tolerance) <= deep <= high * (1 + tolerance):
        yield Sentence(
            "{found} is {deep:.0f} mm deep; {low:.0f} to {high:.0f} mm are allowed",
            found=water.id,
            deep=deep,
            low=low,
            high=high,
        )
    board_share = water.shape.intersection(ground.playing_area).area / water.shape.area
    if rules.choice("ac-q24") == "outside" and board_share > tolerance:
        yield Sentence("{found} takes ground of the table, but must be outside its edge", found=water.id)
    elif rules.choice("ac-q24") != "outside" and board_share < 1 - tolerance:
        yield Sentence("{found} is outside the table, but must take ground of its edge zones", found=water.id)
    going = water.feature.going.name
    if isinstance(water.feature, Area) and going not in ("", measure.going.name):
        yield Sentence(
            "{found} is {going_name} going; it must be {wanted}",
            found=water.id,
            going_name=going,
            wanted=measure.going.name,
        )


def _build_check(piece: Piece) -> Check:
    """Return the check for the clause of a piece; a town of the campaign is never left out (AC-302)."""
    if piece in WATERS:
        return partial(check_water_band, piece)
    usual = combine_checks(require_piece(piece), *_EXTRA_CHECKS.get(piece, ()))
    if piece not in CAMPAIGN_PLACES:
        return usual

    def check(case: AcwCase) -> Faults:
        """Yield the faults of a campaign place: that it is missing, or otherwise those of its shape."""
        yield from list(check_placed_towns(case, piece)) or usual(case)

    return check


# Checks of a piece in addition to its kind, going and size.
_EXTRA_CHECKS: Final[Mapping[Piece, tuple[Check, ...]]] = {
    Piece.STEEP_HILL: (
        _CONTOUR_CHECK,
        _rule_check(Piece.STEEP_HILL),
        partial(check_steep_sides, Piece.STEEP_HILL),
    ),
    Piece.HILL: (plain(Piece.HILL),),
    Piece.RISE: (plain(Piece.RISE),),
    Piece.LONG_HILL: (_rule_check(Piece.LONG_HILL),),
    Piece.HILL_CLIFF: (require_one_contour(Piece.HILL_CLIFF), require_cliff(Piece.HILL_CLIFF)),
    Piece.HILL_SCREE: (
        require_one_contour(Piece.HILL_SCREE),
        require_face(Kind.SCREE, Piece.HILL_SCREE, "difficult"),
        check_sector,
    ),
    Piece.STEEP_HILL_CLIFF: (
        _CONTOUR_CHECK,
        require_cliff(Piece.STEEP_HILL_CLIFF),
        partial(check_steep_sides, Piece.STEEP_HILL_CLIFF),
    ),
    **{
        piece: (_rule_check(piece),)
        for piece in (Piece.WOODLAND, Piece.FOREST, Piece.WALL, Piece.FENCE_LINE, Piece.DITCH)
    },
    Piece.FIELD: (
        check_each(
            select_pieces(Piece.FIELD),
            lambda case, one: (
                len(one.shape.simplify(case.touch).exterior.coords) - 1 == case.rules.whole("field_sides")
            ),
            says="{it} does not have the sides of a field",
        ),
    ),
    Piece.FORT: (
        require_range(
            select_pieces(Piece.FORT),
            lambda _, one: len(one.shape.exterior.coords) - 1,
            "fort_corners",
            says="{it} has {found} corners; a fort must have {least:.0f} to {most:.0f}",
        ),
    ),
}

# The checks of pieces by clause; the clause numbers follow the order of the pieces.
CHECKS: Final[Mapping[str, Check]] = {f"AC-F{number:02}": _build_check(piece) for number, piece in enumerate(Piece, 1)}

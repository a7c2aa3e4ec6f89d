"""Check each piece by itself: the features that its type requires (AC-F01..AC-F38)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

import numpy as np
import shapely
from shapely import LineString, Point, Polygon
from shapely.ops import substring

from printkit.core.errors import Sentence, joined
from printkit.core.sums import plain_sum
from printkit.kit.checks import Faults, check_each, check_maximum, check_minimum
from printkit.systems.acw.judge.case import STEEP, AbsentError, AcwCase, Check, CheckedPiece, both
from printkit.systems.acw.judge.room import is_piece
from printkit.systems.acw.judge.zones import laid_places
from printkit.systems.acw.terms.pieces import BEND_OVER, CAMPAIGN_PLACES, WATERS, Piece
from printkit.terrain.field.features import Area, Hill, HillFace, Kind
from printkit.terrain.geometry.measure import bearing, bend_radius, points_of, turn_between


def lying(*pieces: Piece) -> Callable[[AcwCase], Iterator[CheckedPiece]]:
    """Return a function that yields all pieces of these types on the table."""
    return lambda case: case.laid.of(*pieces)


def within(
    things: Callable[[AcwCase], Iterable[CheckedPiece]],
    measure: Callable[[AcwCase, CheckedPiece], float],
    limits: str,
    *,
    says: str,
) -> Check:
    """Return a check that a measure is between two numbers of the rule book.

    The numbers are ``limits``_min and ``limits``_max. The message has ``{it}`` for the ID, ``{found}``, ``{least}``
    and ``{most}``.
    """

    def check(case: AcwCase) -> Faults:
        least, most = (case.rules.number(f"{limits}_{end}") for end in ("min", "max"))
        for one in things(case):
            found = measure(case, one)
            if not least - case.rules.slack(f"{limits}_min") <= found <= most + case.rules.slack(f"{limits}_max"):
                yield Sentence(says, it=one.id, found=found, least=least, most=most)

    return check


# --- Hills: their contours, and sides of another kind -----------------------------------------------------------------


def _contours(one: CheckedPiece) -> tuple[Polygon, ...]:
    return one.feature.contours if isinstance(one.feature, Hill) else ()


def _two_contours(case: AcwCase) -> Iterator[CheckedPiece]:
    return (one for one in case.laid.of(*STEEP) if len(_contours(one)) == 2)


# AC-F01, AC-F08: the second contour is inside the first.
_TWO_CONTOURS: Final = both(
    check_each(
        lying(*STEEP),
        lambda _, one: len(_contours(one)) == 2,
        says="{it} has one contour, or more than two contours; a steep hill has two",
    ),
    within(
        _two_contours,
        lambda _, one: _contours(one)[1].area / _contours(one)[0].area,
        "upper_contour",
        says="{it}: the upper contour takes {found:.0%} of the hill; it must take {least:.0%} to {most:.0%}",
    ),
    check_each(
        _two_contours,
        lambda _, one: _contours(one)[0].contains(_contours(one)[1]),
        says="{it}: the upper contour is not inside the lower one",
    ),
)

_HACHURED: Final = check_minimum(
    lying(Piece.STEEP_HILL),
    lambda _, one: plain_sum(face.line.length for face in _of_kind(one, Kind.STEEP_SLOPE)) / _rim(one),
    "steep_side",
    says="{it} is steep on {found:.0%} of its outline; it must be steep all round",
)


def _rim(one: CheckedPiece) -> float:
    return float(one.shape.exterior.length)


def one_contour(piece: Piece) -> Check:
    """Return the check that hills of a type have one contour."""
    return check_each(
        lying(piece),
        lambda _, one: len(_contours(one)) < 2,
        says="{it} has more than one contour, but only steep hills have more",
    )


def plain(piece: Piece) -> Check:
    """Return the check that hills of a type have one contour and no cliff or scree."""
    bare = check_each(
        lying(piece),
        lambda _, one: not one.faces,
        says="{it} has a marked side such as a cliff or scree, but a plain hill does not",
    )
    return both(one_contour(piece), bare)


def _with_face(kind: Kind, *pieces: Piece) -> Callable[[AcwCase], Iterator[CheckedPiece]]:
    """Return a function that yields the hills with exactly one face of a kind."""
    return lambda case: (one for one in case.laid.of(*pieces) if len(_of_kind(one, kind)) == 1)


def _of_kind(one: CheckedPiece, kind: Kind) -> list[HillFace]:
    return [face for face in one.faces if face.kind is kind]


def face(kind: Kind, piece: Piece, going: str) -> Check:
    """Return the check that hills of a type have one face of a kind, on their outline, with that going."""

    def check(case: AcwCase) -> Faults:
        for one in case.laid.of(piece):
            faces = _of_kind(one, kind)
            if len(faces) != 1:
                yield Sentence(
                    "{one} has {count} sides of {kind}; it must have one", one=one.id, count=len(faces), kind=kind
                )
                continue
            off = max(one.shape.exterior.distance(Point(at)) for at in faces[0].line.coords)
            if off > case.touch:
                yield Sentence("{one}: its {kind} is {off:.0f} mm from its outline", one=one.id, kind=kind, off=off)
            found = faces[0].going.name
            if found not in ("", going):
                yield Sentence(
                    "{one}: its {kind} is {found} going; it must be {going}",
                    one=one.id,
                    kind=kind,
                    found=found,
                    going=going,
                )

    return check


def cliff(piece: Piece) -> Check:
    """Return the check of AC-F06 and AC-F08: one impassable cliff on a part of the outline."""
    return both(
        face(Kind.CLIFF, piece, "impassable"),
        within(
            _with_face(Kind.CLIFF, piece),
            lambda _, one: _of_kind(one, Kind.CLIFF)[0].line.length / _rim(one),
            "cliff_arc",
            says="{it}: the cliff takes {found:.0%} of the outline; {least:.0%} to {most:.0%} are allowed",
        ),
    )


def sector(case: AcwCase) -> Faults:
    """Check AC-F07: the scree takes a sector of 90 degrees."""
    wanted = case.rules.number("scree_sector")
    for one in _with_face(Kind.SCREE, Piece.HILL_SCREE)(case):
        ends, middle = _of_kind(one, Kind.SCREE)[0].line.coords, one.shape.centroid
        turn = turn_between(*(bearing(middle, Point(at)) for at in (ends[0], ends[-1])))
        if abs(turn - wanted) > case.rules.slack("scree_sector"):
            yield Sentence(
                "{one}: its scree takes {turn:.0f} degrees; it must take {wanted:.0f}",
                one=one.id,
                turn=turn,
                wanted=wanted,
            )


def _ridge(_: AcwCase, one: CheckedPiece) -> float:
    corners = shapely.get_coordinates(one.shape.minimum_rotated_rectangle)
    low, high = sorted(math.dist(corners[place], corners[place + 1]) for place in (0, 1))
    return float(high / low)


# --- Areas, walls and streams -----------------------------------------------------------------------------------------


def _whole(one: CheckedPiece) -> Polygon:
    return Polygon(one.shape.exterior)


def straight_pieces(piece: Piece, most: str) -> Check:
    """Return the check that a wall, fence or ditch has few straight parts (AC-F15..AC-F17)."""
    return check_maximum(
        lying(piece),
        lambda case, one: len(one.line.simplify(case.touch).coords) - 1,
        most,
        says="{it} has {found} straight parts; at most {limit:.0f}",
    )


def _straight(case: AcwCase, one: CheckedPiece) -> float:
    """Return how far a stream leaves the chord between its ends, as a share of its length.

    A long stream may wind and stay near its chord, so its halves and their halves count too, down to the least length.
    The result for a short stream is infinite.
    """
    least = case.rules.number("winding_over") * case.laid.unit
    if one.line.length <= least:
        return math.inf
    waiting, most = [one.line], 0.0
    while waiting:
        line = waiting.pop()
        chord = LineString([line.coords[0], line.coords[-1]])
        most = max(most, float(np.max(shapely.distance(chord, shapely.points(points_of(line)))) / line.length))
        if line.length / 2 > least:
            waiting += [substring(line, *ends, normalized=True) for ends in ((0.0, 0.5), (0.5, 1.0))]
    return most


def winding(piece: Piece) -> Check:
    """Return the check that streams of a type wind (AC-F18, AC-F19)."""
    return check_minimum(lying(piece), _straight, "winding_sway", says="{it} is straight, but streams wind")


# --- Water and towns of the campaign ----------------------------------------------------------------------------------


def band(piece: Piece, case: AcwCase) -> Faults:
    """Check water along an edge: it covers the full edge and has the right depth (AC-F37, AC-F38)."""
    ground, measure, rules = case.laid, case.laid.measure(piece), case.rules
    found = list(ground.of(piece))
    if not found or ground.water_edge is None:
        raise AbsentError("there is no {piece} on the table", piece=piece.value)
    if len(found) > 1:
        yield Sentence(
            "{found} are both a {piece}", found=joined([one.id for one in found], Sentence(" and ")), piece=piece.value
        )
    one, edge = found[0], ground.edge(ground.water_edge)
    along = one.shape.buffer(case.touch).intersection(edge).length
    if along < (rules.number("water_along") - rules.slack("water_along")) * edge.length:
        yield Sentence(
            "{found} runs along {along:.0f} mm of its edge of {length:.0f} mm",
            found=one.id,
            along=along,
            length=edge.length,
        )
    deep, width = one.shape.area / edge.length, measure.width or 0.0
    low, high = (width * ground.unit * by for by in (measure.least, measure.most))
    off = rules.number("sizes_missed")
    if not low * (1 - off) <= deep <= high * (1 + off):
        yield Sentence(
            "{found} is {deep:.0f} mm deep; {low:.0f} to {high:.0f} mm are allowed",
            found=one.id,
            deep=deep,
            low=low,
            high=high,
        )
    wet = one.shape.intersection(ground.playing_area).area / one.shape.area
    if rules.choice("ac-q24") == "outside" and wet > off:
        yield Sentence("{found} takes ground of the table, but must be outside its edge", found=one.id)
    elif rules.choice("ac-q24") != "outside" and wet < 1 - off:
        yield Sentence("{found} is outside the table, but must take ground of its edge zones", found=one.id)
    going = one.feature.going.name
    if isinstance(one.feature, Area) and going not in ("", measure.going.name):
        yield Sentence(
            "{found} is {going_name} going; it must be {wanted}",
            found=one.id,
            going_name=going,
            wanted=measure.going.name,
        )


def _judged(piece: Piece) -> Check:
    """Return the check for the clause of a piece; a town of the campaign is never left out (AC-302)."""
    if piece in WATERS:
        return partial(band, piece)
    usual = both(is_piece(piece), *_OWN.get(piece, ()))
    if piece not in CAMPAIGN_PLACES:
        return usual

    def check(case: AcwCase) -> Faults:
        yield from list(laid_places(case, piece)) or usual(case)

    return check


# Checks of a piece in addition to its kind, going and size.
_OWN: Final[Mapping[Piece, tuple[Check, ...]]] = {
    Piece.STEEP_HILL: (_TWO_CONTOURS, _HACHURED),
    Piece.HILL: (plain(Piece.HILL),),
    Piece.RISE: (plain(Piece.RISE),),
    Piece.LONG_HILL: (
        check_minimum(
            lying(Piece.LONG_HILL),
            _ridge,
            "ridge",
            says="{it} is {found:.1f} times as long as wide; a ridge must be {limit:g} times as long",
        ),
    ),
    Piece.HILL_CLIFF: (one_contour(Piece.HILL_CLIFF), cliff(Piece.HILL_CLIFF)),
    Piece.HILL_SCREE: (one_contour(Piece.HILL_SCREE), face(Kind.SCREE, Piece.HILL_SCREE, "difficult"), sector),
    Piece.STEEP_HILL_CLIFF: (_TWO_CONTOURS, cliff(Piece.STEEP_HILL_CLIFF)),
    Piece.WOODLAND: (
        check_maximum(
            lying(Piece.WOODLAND),
            lambda _, one: _whole(one).area / float(_whole(one).convex_hull.area),
            "bay",
            says="{it} has no bay in its side",
        ),
    ),
    Piece.FOREST: (
        check_minimum(
            lying(Piece.FOREST),
            lambda case, one: _whole(one).area / case.laid.unit**2,
            "forest",
            says="{it} takes {found:.0%} of the square of its zone; at least {limit:.0%}",
        ),
    ),
    Piece.FIELD: (
        check_each(
            lying(Piece.FIELD),
            lambda case, one: (
                len(one.shape.simplify(case.touch).exterior.coords) - 1 == case.rules.whole("field_sides")
            ),
            says="{it} does not have the sides of a field",
        ),
    ),
    Piece.WALL: (straight_pieces(Piece.WALL, "wall_pieces"),),
    Piece.FENCE_LINE: (straight_pieces(Piece.FENCE_LINE, "fence_pieces"),),
    Piece.DITCH: (straight_pieces(Piece.DITCH, "ditch_pieces"),),
    Piece.STREAM: (winding(Piece.STREAM),),
    Piece.CREEK: (winding(Piece.CREEK),),
    Piece.RAILROAD: (
        check_minimum(
            lying(Piece.RAILROAD),
            lambda case, one: bend_radius(one.line, BEND_OVER * case.laid.unit) / case.laid.unit,
            "rail_radius",
            says="{it} bends with a radius of {found:.2f} of a zone; at least {limit:g}",
        ),
    ),
    Piece.FORT: (
        within(
            lying(Piece.FORT),
            lambda _, one: len(one.shape.exterior.coords) - 1,
            "fort_corners",
            says="{it} has {found} corners; a fort must have {least:.0f} to {most:.0f}",
        ),
    ),
}

# The checks of pieces by clause; the clause numbers follow the order of the pieces.
CHECKS: Final[Mapping[str, Check]] = {f"AC-F{number:02}": _judged(piece) for number, piece in enumerate(Piece, 1)}

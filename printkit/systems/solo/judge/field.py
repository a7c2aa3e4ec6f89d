"""Checks of terrain: what was selected, quarters, gaps, sizes, built-up areas, sectors, waterways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import Final

from shapely import Polygon, box
from shapely.geometry.base import BaseGeometry

from printkit.core.errors import Sentence
from printkit.core.sums import plain_sum
from printkit.kit.checks import (
    Faults,
    check_each,
    check_maximum,
    check_minimum,
    combine_checks,
    ignoring_hand_edits,
)
from printkit.systems.dba.ground.checked_pieces import CheckedTerrain
from printkit.systems.dba.ground.frame import sector_area, third_range
from printkit.systems.dba.ground.terrain_limits import Terrain, side_lengths, straddles
from printkit.systems.dba.ground.waterways import find_water_edge, measure_depths
from printkit.systems.solo.judge.case import Check, SoloCase, no_result_error
from printkit.systems.solo.terrain.read_record import DroppedPiece
from printkit.terrain.field.battlefield import Edge

_COLUMNS: Final = ("left", "centre", "right")
_ROWS: Final = ("near", "middle", "far")


def check_known_terrain(case: SoloCase) -> Faults:
    """Check that everything on the board is terrain of these rules (SD-3-a)."""
    for name in case.unknown_ids:
        yield Sentence("{name} is not a terrain type of DBA", name=name)


def check_piece_counts(case: SoloCase) -> Faults:
    """Check that there are no more pieces of a type than a board may have (SD-3.2.3-a, AMB-12)."""
    for terrain, count in Counter(piece.terrain for piece in case.pieces).items():
        highest_count = case.terms.piece_rules[terrain].max_count
        if count > highest_count:
            yield Sentence(
                "{count} features of {terrain}; a board has at most {most}",
                count=count,
                terrain=terrain.value,
                most=highest_count,
            )


def cover(case: SoloCase) -> Faults:
    """Check that there is bad going, a waterway or a river (SD-3.2.3-c)."""
    case.require_terrain()
    if not any(case.terms.is_cover(piece.terrain) for piece in case.pieces):
        yield Sentence("no feature is bad going, a waterway or a river")


def check_board(case: SoloCase) -> Faults:
    """Check that the board has exactly the selected pieces, except those left out (SD-3.2.3-d)."""
    board_pieces, left_out = (
        {piece.id: piece.terrain for piece in case.pieces},
        {piece.id for piece in case.read_detail(tuple[DroppedPiece, ...], "terrain", "left_out")},
    )
    for recorded_piece in case.recorded_pieces:
        if recorded_piece.id in board_pieces and board_pieces.pop(recorded_piece.id) is not recorded_piece.terrain:
            yield Sentence("{piece} is not {terrain}", piece=recorded_piece.id, terrain=recorded_piece.terrain.value)
        elif not recorded_piece.result and recorded_piece.id not in left_out:
            yield Sentence(
                "{piece} has no place, and the record does not say why it was left out", piece=recorded_piece.id
            )
        elif recorded_piece.result and recorded_piece.id not in {piece.id for piece in case.pieces}:
            yield Sentence("{piece} was placed but is not on the board", piece=recorded_piece.id)
    for name in board_pieces:
        yield Sentence("{piece} is on the board but was not selected", piece=name)


def check_corner(case: SoloCase) -> Faults:
    """Check that a built-up area is completely in a square of 900 paces in a corner (SD-3.3.2-a)."""
    for town in case.pieces_of_type(Terrain.BUA):
        corners = (f"{y}-{x}" for y in ("near", "far") for x in ("left", "right"))
        if not any(_is_inside(case, town.shape, case.terms.corner_square(name)) for name in corners):
            yield Sentence(
                "{town} is not completely within {paces:g} paces of two edges",
                town=town.id,
                paces=case.rules.number("bua_corner_p"),
            )


def check_sector(case: SoloCase) -> Faults:
    """Check that at least half of a piece is in the sector of its dice (SD-3.3.4-b)."""
    for piece in _list_rolled_pieces(case):
        column, _, row = case.find_result(piece).partition("/")
        if column not in _COLUMNS or row not in _ROWS:
            raise no_result_error(piece)
        share = _compute_share(piece, sector_area(case.board, column, row))
        if share < _compute_least_share(case):
            yield Sentence(
                "{share:.2f} per cent of {piece} is in the sector {column}, {row}",
                share=100 * share,
                piece=piece.id,
                column=column,
                row=row,
            )


def check_only_bad_going(case: SoloCase) -> Faults:
    """Check that a single piece of bad going is in two quarters (SD-3.3.4-c, AMB-18)."""
    bad = [piece for piece in case.area_pieces if case.terms.is_bad(piece.terrain)]
    if len(bad) != 1:
        return
    shape = bad[0].shape
    slack = case.rules.slack("straddle_sqp_min") * case.board.scale.pace**2
    if isinstance(shape, Polygon) and not straddles(shape, case.board, case.terms.min_straddle_area - slack):
        yield Sentence("{element} is the only bad going and is in one quarter", element=bad[0].id)


def _check_edge_row(edge: Edge, case: SoloCase) -> Faults:
    """Check that a waterway whose die gives this edge is along it (SD-3.3.1)."""
    for water in case.pieces_of_type(Terrain.WATERWAY):
        if case.find_result(water) == edge.value and find_water_edge(water.shape, case.board) is not edge:
            yield Sentence(
                "by its die {water} is along the {edge} edge, but it is not there", water=water.id, edge=edge.value
            )


def _check_corner_row(name: str, case: SoloCase) -> Faults:
    """Check that a built-up area whose die gives this corner is in it (SD-3.3.2).

    ``name`` is that of the corner, for example ``near-left``.
    """
    y, x = name.split("-")
    for town in case.pieces_of_type(Terrain.BUA):
        if case.find_result(town) == name and not _is_inside(case, town.shape, case.terms.corner_square(name)):
            yield Sentence("by its die {town} is in the {y} {x} corner, but it is not there", town=town.id, y=y, x=x)


def _check_third_row(name: str, case: SoloCase) -> Faults:
    """Check that pieces whose die gives this column or row have enough of their area in it (SD-3.3.4).

    ``name`` is ``left``, ``centre`` or ``right`` for a column, ``near``, ``middle`` or ``far`` for a row.
    """
    line = "column" if name in _COLUMNS else "row"
    width, depth = case.board.width, case.board.depth
    low, high = third_range(width if line == "column" else depth, name)
    strip = box(low, 0, high, depth) if line == "column" else box(0, low, width, high)
    for piece in _list_rolled_pieces(case):
        if name in case.find_result(piece).split("/"):
            share = _compute_share(piece, strip)
            if share < _compute_least_share(case):
                yield Sentence(
                    "{share:.2f} per cent of {piece} is in the {name} {what}",
                    share=100 * share,
                    piece=piece.id,
                    name=name,
                    what=line,
                )


def _check_quarters(case: SoloCase) -> Faults:
    """Check that enough quarters have a feature, and enough a river, a waterway or bad going."""
    case.require_terrain()
    get_number = case.rules.number
    feature_count = len(case.terms.find_quarters(*(piece.shape for piece in case.pieces)))
    if feature_count < get_number("quarters_with_features_min"):
        yield Sentence("quarters with a feature: {features}; at least three", features=feature_count)
    covering_pieces = [piece for piece in case.pieces if case.terms.is_cover(piece.terrain)]
    covered_count = len(case.terms.find_quarters(*(piece.shape for piece in covering_pieces)))
    if covered_count < get_number("quarters_with_cover_min"):
        yield Sentence("quarters with a river, a waterway or bad going: {covered}; at least two", covered=covered_count)


def _check_gaps(case: SoloCase) -> Faults:
    """Check that area pieces and the waterway are far enough apart."""
    least_mm = case.terms.gap
    for first, second in combinations((*case.pieces_of_type(Terrain.WATERWAY), *case.area_pieces), 2):
        gap = first.shape.distance(second.shape)
        if gap < least_mm - case.rules.slack("area_gap_bw_min"):
            yield Sentence(
                "{one} and {other} are {gap:.1f} mm apart; at least {least:g} mm",
                one=first.id,
                other=second.id,
                gap=gap,
                least=least_mm,
            )


def _check_proportions(case: SoloCase) -> Faults:
    """Check that no area piece is too long for its width."""
    for piece in case.area_pieces:
        (length, width), ratio = side_lengths(piece.shape), case.terms.piece_rules[piece.terrain].ratio
        if ratio is not None and length > ratio * width + case.rules.slack("area_sides_bw_max"):
            yield Sentence(
                "{piece} is {ratio:.2f} times as long as wide; at most {most:g} times",
                piece=piece.id,
                ratio=length / width,
                most=ratio,
            )


def _check_waterway(case: SoloCase) -> Faults:
    """Check that a waterway covers a whole edge, and that its depth is within the limits."""
    for water in case.pieces_of_type(Terrain.WATERWAY):
        edge = find_water_edge(water.shape, case.board)
        if edge is None:
            yield Sentence("{water} does not cover one whole edge", water=water.id)
            continue
        depths, limits = measure_depths(water.shape, case.board, edge), case.terms.depths
        slack = case.rules.slack("waterway_depth_bw_max")
        if max(depths) > limits.depth_max + slack:
            yield Sentence(
                "{water} reaches more than {deepest:g} mm from its edge", water=water.id, deepest=limits.depth_max
            )
        if min(depths) < limits.depth_min - slack:
            yield Sentence(
                "{water} reaches less than {least:g} mm from its edge", water=water.id, least=limits.depth_min
            )


def _check_rivers_on_hills(case: SoloCase) -> Faults:
    """Check that no river crosses a hill."""
    for hill in case.pieces_of_type(Terrain.STEEP_HILL, Terrain.GENTLE_HILL):
        for river in case.pieces_of_type(Terrain.RIVER):
            if river.line.intersection(hill.shape).length > case.rules.slack("area_gap_bw_min"):
                yield Sentence("{river} crosses the hill {hill}", river=river.id, hill=hill.id)


def _list_areas(case: SoloCase) -> Iterable[CheckedTerrain]:
    """Return the area pieces."""
    return case.area_pieces


# SD-3.3-b: the limits that the rule book of DBA sets for any board (F-06).
check_dba_limits: Final[Check] = combine_checks(
    _check_quarters,
    _check_gaps,
    check_maximum(
        _list_areas,
        lambda _, piece: plain_sum(side_lengths(piece.shape)),
        "area_sides_bw_max",
        says="{it} is {found:.2f} base widths in length and width together; at most {limit:g}",
        unit=lambda case: case.base_width_mm,
    ),
    check_minimum(
        _list_areas,
        lambda _, piece: min(side_lengths(piece.shape)),
        "area_sides_bw_min",
        says="{it} is {found:.2f} base widths wide; at least {limit:g}",
        unit=lambda case: case.base_width_mm,
    ),
    _check_proportions,
    _check_waterway,
    _check_rivers_on_hills,
    check_each(
        _list_areas,
        lambda case, piece: _is_inside(case, piece.shape, case.board.shape),
        says="{it} is partly off the board",
    ),
)


def _list_rolled_pieces(case: SoloCase) -> list[CheckedTerrain]:
    """Return the area pieces that have a sector by dice: all but built-up areas."""
    return [piece for piece in case.area_pieces if piece.terrain is not Terrain.BUA]


def _is_inside(case: SoloCase, shape: BaseGeometry, region: Polygon) -> bool:
    """Return whether a shape is inside a region, both in mm on the board, with the tolerance for corners."""
    return bool(region.buffer(case.rules.slack("bua_corner_p"), join_style="mitre").covers(shape))


def _compute_share(piece: CheckedTerrain, region: BaseGeometry) -> float:
    """Return the share of a piece's area that is in a region in mm on the board, 0 to 1."""
    return float(piece.shape.intersection(region).area / piece.shape.area)


def _compute_least_share(case: SoloCase) -> float:
    """Return the least share of a piece that must be in its sector, 0 to 1, less the tolerance."""
    return case.rules.number("sector_share_min") - case.rules.slack("sector_share_min")


CHECKS: Final[Mapping[str, Check]] = {
    "SD-3-a": check_known_terrain,
    "SD-3.2.3-c": cover,
    "SD-3.2.3-d": ignoring_hand_edits(check_board),
    "SD-3.3-b": check_dba_limits,
    "SD-3.3.1-r1": ignoring_hand_edits(partial(_check_edge_row, Edge.RIGHT)),
    "SD-3.3.1-r2": ignoring_hand_edits(partial(_check_edge_row, Edge.LEFT)),
    "SD-3.3.1-r3": ignoring_hand_edits(partial(_check_edge_row, Edge.FAR)),
    "SD-3.3.1-r4": ignoring_hand_edits(partial(_check_edge_row, Edge.NEAR)),
    "SD-3.3.2-a": check_corner,
    "SD-3.3.2-r1": ignoring_hand_edits(partial(_check_corner_row, "near-right")),
    "SD-3.3.2-r2": ignoring_hand_edits(partial(_check_corner_row, "near-left")),
    "SD-3.3.2-r3": ignoring_hand_edits(partial(_check_corner_row, "far-right")),
    "SD-3.3.2-r4": ignoring_hand_edits(partial(_check_corner_row, "far-left")),
    **{
        f"SD-3.3.4-r{number}": ignoring_hand_edits(partial(_check_third_row, name))
        for number, name in enumerate((*_COLUMNS, *_ROWS), 1)
    },
    "SD-3.3.4-b": ignoring_hand_edits(check_sector),
    "SD-3.3.4-c": check_only_bad_going,
    "AMB-12": check_piece_counts,
    "AMB-14": cover,
}

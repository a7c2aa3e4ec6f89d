"""A person's terrain box: read with good errors, and matched with what a map needs."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, box, union_all
from shapely.affinity import rotate, scale

from printkit.core.errors import FileError, ResourceError
from printkit.recipes.box.covering import MOST_OVERHANG, MOST_UNCOVERED, cover
from printkit.recipes.box.families import families, pieceless_kinds
from printkit.recipes.box.piece_box import KINDS, BoxPiece, PieceBox, box_object, box_of, read_piece_box, shape_of
from printkit.recipes.box.piece_matching import LEAST_RATIO, MOST_RATIO, MatchedPieces, Need, find_needs, match_pieces
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Course, Crossing, Feature, Going, Hill, Kind
from printkit.terrain.field.grids import grid_of

OPEN = Going(rank=0, name="good")
BOARD = Board(600.0, 600.0, GroundScale(pace=0.254, base_width=40.0))


def area(name: str, kind: Kind, width: float = 100.0, depth: float = 80.0) -> Area:
    return Area(id=name, kind=kind, outline=box(10, 10, 10 + width, 10 + depth), going=OPEN)


def hill(name: str, width: float, depth: float) -> Hill:
    return Hill(id=name, kind=Kind.HILL, contours=(box(0, 0, width, depth),), going=OPEN)


def course(name: str, kind: Kind, length: float, width: float = 20.0) -> Course:
    line = LineString([(-50, 300), (length, 300)])
    return Course(id=name, kind=kind, line=line, width=width, going=OPEN)


def bridge(name: str, kind: Kind = Kind.BRIDGE) -> Crossing:
    return Crossing(id=name, kind=kind, at=Point(300, 300), bearing=90, route="D1", water="R1", going=OPEN)


def laid(pieces: list[BoxPiece], *features: Feature) -> MatchedPieces:
    return match_pieces(find_needs(Battlefield(board=BOARD, features=features)), PieceBox(tuple(pieces)))


def told(found: MatchedPieces) -> dict[str, list[tuple[str, bool]]]:
    said: dict[str, list[tuple[str, bool]]] = {}
    for use in found.uses:
        said.setdefault(use.need.feature, []).append((use.piece.name or use.piece.kind.value, use.fits))
    return said


def lacking(found: MatchedPieces) -> list[str]:
    return [lack.need.feature for lack in found.missing_pieces]


def piece(kind: Kind, length: float | None = None, width: float | None = None, **more: object) -> BoxPiece:
    return BoxPiece(kind=kind, length=length, width=width, **more)  # type: ignore[arg-type]


def test_the_example_is_a_box_and_survives_a_record() -> None:
    found = read_piece_box("example")
    assert found.title == "My terrain"
    big = found.pieces[0]
    assert (big.kind, big.number, big.name) == (Kind.HILL, 2, "big hill")
    assert (big.length, big.width) == (pytest.approx(177.8), pytest.approx(127.0))
    assert found.substitutes(Kind.BROKEN_GROUND) == (Kind.MARSH,)
    assert box_of(box_object(found), "again") == found


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('kind = "hil"', '4: piece 2: kind = "hil" is not valid. Did you mean hill'),
        ("number = 2", '3: piece 2: kind is missing. Write one of "hill", "rise"'),
        ('kind = "hill"\nnumber = -1', "5: piece 2: number = -1 is not valid. Write a whole number from 0 to 999."),
        ('kind = "hill"\nnumber = true', "5: piece 2: number = true is not valid"),
        (
            'kind = "hill"\nfirst = 100000',
            "5: piece 2: first = 100000 is not valid. Write a whole number from 0 to 99999.",
        ),
        ('kind = "hill"\nsize = "10x8"', "5: piece 2: size: '10x8' has no unit; write for example 10x8ft, 10x8in"),
        ('kind = "hill"\nsize = 8', "5: piece 2: size = 8 is not valid. Write both sides with their unit"),
        ('kind = "hill"\nname = " "', '5: piece 2: name = " " is not valid. Write text in quotes.'),
        ('kind = "hill"\nlength = "1ft"', "5: piece 2: a hill has no length; write both sides as its size"),
        ('kind = "river"\nsize = "1x2in"', "5: piece 2: a river has no size; write the length of one strip"),
        ('kind = "river"\nnumber = 2', "3: piece 2: a river has no length"),
        ('kind = "river"\nlength = "0ft"', "5: piece 2: length: '0ft' is not greater than 0"),
        ('kind = "bridge"\nsize = "2x2in"', "5: piece 2: a bridge has no size; crossings are counted"),
        ('kind = "hill"\ncolour = "green"', '5: piece 2: unknown key "colour". Write one of kind, number'),
        (
            'kind = "lake"\nsubstitute = "river"',
            "5: piece 2: substitute = 'river' cannot replace a lake; use one of hill",
        ),
        ('kind = "wod"', '4: piece 2: kind = "wod" is not valid. Write one of "hill"'),
        (
            'kind = "river"\nlength = "1ft"\nbend = 200',
            "6: piece 2: bend = 200 is not valid. Write a number greater than",
        ),
        ('kind = "hill"\nbend = 45', "5: piece 2: a hill has no bend; write both sides as its size"),
        ('kind = "steep_slope"', "4: piece 2: a steep_slope belongs to its hill; remove this piece"),
    ],
)
def test_an_error_names_file_entry_and_key(tmp_path: Path, entry: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'[[piece]]\nkind = "hill"\n[[piece]]\n{entry}\n', encoding="utf-8")
    with pytest.raises(FileError, match=re.escape(f"{path}, line {said}")):
        read_piece_box(str(path))


@pytest.mark.parametrize(
    ("families", "said"),
    [
        ("families = 3", "1: families = 3 is not valid. Write [families]"),
        ('[families]\nwoods = "forest"', '2: families.woods = "forest" is not valid. Write a list in brackets'),
        ('[families]\nwoods = ["forst"]', '2: families.woods 1 = "forst" is not valid. Did you mean forest'),
        ('[families]\nwoods = ["forest", "river"]', "2: families.woods mixes area features with courses or crossings"),
    ],
)
def test_a_wrong_family_is_named(tmp_path: Path, families: str, said: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'{families}\n[[piece]]\nkind = "hill"\n', encoding="utf-8")
    with pytest.raises(FileError, match=re.escape(f"{path}, line {said}")):
        read_piece_box(str(path))


def test_a_file_without_pieces_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    wrong = {
        "": "mine.toml: the file is empty",
        "title = 'x'": "line 1: piece is missing. Write .*piece",
        "\npiece = 3": "line 2: piece = 3 is not valid",
        "own = 1": 'line 1: unknown key "own"',
        'title = 1\n[[piece]]\nkind = "hill"': "line 1: title = 1 is not valid",
        "[[piece]": "not valid TOML",
    }
    for text, said in wrong.items():
        path.write_text(text, encoding="utf-8")
        with pytest.raises(FileError, match=said):
            read_piece_box(str(path))
    with pytest.raises(ResourceError, match="no terrain box 'mine'; give the path of a TOML file, or one of acw"):
        read_piece_box("mine")


def test_pieces_and_substitutes_go_where_they_fit_and_only_then_where_they_do_not() -> None:
    pieces = [piece(Kind.HILL, 100, 100, name="small"), piece(Kind.HILL, 200, 160, name="large")]
    found = laid(pieces, hill("a", 190, 160), hill("b", 105, 100))
    assert told(found) == {"a": [("large", True)], "b": [("small", True)]}
    found = laid(pieces, hill("a", 190, 160), hill("b", 190, 150))
    assert told(found) == {"a": [("large", True)], "b": [("small", False)]}
    pieces = [piece(Kind.LIGHT_WOODS, name="trees", number=2)]
    found = laid(pieces, area("a", Kind.LIGHT_WOODS, 300, 200), area("b", Kind.LIGHT_WOODS, 20, 20))
    assert all(use.fits for use in found.uses)
    assert not found.missing_pieces
    pieces = [piece(Kind.LAKE, 100, 80, number=0, substitute=Kind.MARSH), piece(Kind.MARSH, 100, 80, number=1)]
    alone = laid(pieces, area("a", Kind.LAKE))
    assert [(use.piece.kind, use.is_substitute) for use in alone.uses] == [(Kind.MARSH, True)]
    both = laid(pieces, area("a", Kind.LAKE), area("b", Kind.MARSH))
    assert told(both) == {"b": [("marsh", True)]}
    assert lacking(both) == ["a"]
    (row, _) = both.tallies()
    assert (row.kind, row.needed_amount, row.owned_amount, row.missing_amount, row.instead) == (Kind.LAKE, 1, 0, 1, ())
    (row,) = alone.tallies()
    assert (row.needed_amount, row.missing_amount, row.instead) == (1, 1, ((Kind.MARSH, 1),))


def test_courses_are_laid_from_strips_of_the_nearest_width_and_bridges_need_a_piece() -> None:
    pieces = [piece(Kind.RIVER, 300, 60, name="broad", number=2), piece(Kind.RIVER, 300, 20, name="narrow", number=1)]
    found = laid(pieces, course("R1", Kind.RIVER, 500))
    assert [(use.piece.name, use.length, use.fits) for use in found.uses] == [
        ("narrow", 300.0, True),
        ("broad", 200.0, False),
    ]
    assert found.tallies()[0].owned_amount == pytest.approx(900)
    strips = [piece(Kind.RIVER, 545, number=1)]
    assert not laid(strips, course("R1", Kind.RIVER, 700)).missing_pieces
    (lack,) = laid([piece(Kind.RIVER, 500)], course("R1", Kind.RIVER, 700)).missing_pieces
    assert lack.length == pytest.approx(100)
    assert lack.weight == pytest.approx(1 / 6)
    made_good = [piece(Kind.RIVER, 500, substitute=Kind.STREAM), piece(Kind.STREAM, 200)]
    found = laid(made_good, course("R1", Kind.RIVER, 700))
    assert [(use.piece.kind, use.length) for use in found.uses] == [(Kind.RIVER, 500), (Kind.STREAM, 100)]
    assert not found.missing_pieces
    assert lacking(laid([], bridge("X1", Kind.FORD), bridge("X2"))) == ["X2"]
    owned = laid([piece(Kind.FORD)], bridge("X1", Kind.FORD), bridge("X2", Kind.FORD))
    assert (lacking(owned), len(owned.uses)) == (["X2"], 1)
    field = [area("c", Kind.CLEARING), bridge("L", Kind.LEVEL_CROSSING), bridge("J", Kind.JUNCTION)]
    assert laid([piece(Kind.HILL)], *field).missing_pieces == ()
    assert told(laid([piece(Kind.CLEARING)], *field)) == {"c": [("clearing", True)]}


def test_on_cells_a_piece_for_the_whole_comes_before_pieces_for_each_cell() -> None:
    grid = grid_of("sq-6x6", cell=100.0)
    wood = Area(id="w", kind=Kind.WOODLAND, outline=box(0, 500, 200, 600), going=OPEN, cells=((1, 1), (2, 1)))
    field = Battlefield(board=BOARD, features=(wood,), grid=grid)
    whole, base = piece(Kind.WOODLAND, 200, 100, name="whole"), piece(Kind.WOODLAND, 100, 100, name="base", number=1)
    assert told(match_pieces(find_needs(field), PieceBox((base, whole)))) == {"w": [("whole", True)]}
    found = match_pieces(find_needs(field), PieceBox((base,)))
    assert (told(found), [lack.need.cell for lack in found.missing_pieces]) == ({"w": [("base", True)]}, [(2, 1)])


SIDES = st.integers(min_value=40, max_value=300).map(float)


@given(st.lists(SIDES, max_size=4), st.lists(SIDES, max_size=4))
def test_no_other_assignment_lays_more_pieces_that_fit(wanted: list[float], owned: list[float]) -> None:
    needs = [
        Need(feature=f"h{n}", number=n, kind=Kind.HILL, length=side, width=100.0, ground=box(0, 0, side, 100))
        for n, side in enumerate(wanted)
    ]
    found = match_pieces(needs, PieceBox(tuple(piece(Kind.HILL, max(side, 100), min(side, 100)) for side in owned)))
    assert len(found.group_by_need()) + len(found.missing_pieces) == len(wanted)
    assert len({use.number for use in found.uses}) == len(found.uses) <= len(owned)
    longer, shorter = sorted((wanted, owned), key=len, reverse=True)
    best = 0
    for chosen in permutations(longer, len(shorter)):
        pairs = zip(chosen, shorter, strict=True) if longer is wanted else zip(shorter, chosen, strict=True)
        best = max(best, sum(LEAST_RATIO <= own / need <= MOST_RATIO for need, own in pairs))
    assert sum(all(use.fits for use in uses) for uses in found.group_by_need()) >= best


def wood(name: str, across: float, deep: float, kind: Kind = Kind.LIGHT_WOODS) -> Area:
    """Return a round wood."""
    return Area(id=name, kind=kind, outline=ellipse(300, 300, across, deep), going=OPEN)


def ellipse(x: float, y: float, across: float, deep: float) -> Polygon:
    return scale(Point(x, y).buffer(1.0), across / 2, deep / 2)


def test_several_bases_make_one_wood_and_too_few_make_none() -> None:
    bases = [piece(Kind.LIGHT_WOODS, 254, 203, name="tree base", number=8)]
    found = laid(bases, wood("w", 457, 432))
    assert not found.missing_pieces
    assert {use.number for use in found.uses} <= set(range(1, 9))
    assert len(found.uses) in (3, 4)
    assert all(use.fits and use.position is not None for use in found.uses)
    bare, over = found.worst_shares()
    assert bare <= MOST_UNCOVERED
    assert over <= MOST_OVERHANG
    (row,) = found.tallies()
    assert (row.needed_amount, row.used_amount, row.missing_amount) == (1, 1, 0)
    found = laid([piece(Kind.LIGHT_WOODS, 254, 203, number=1)], wood("w", 457, 432))
    assert [(use.fits, use.number) for use in found.uses] == [(False, 1)]
    assert lacking(laid([piece(Kind.LIGHT_WOODS, 60, 50, number=1)], wood("w", 457, 432))) == ["w"]


def test_pieces_of_one_family_stand_for_each_other_and_no_family_mixes_ground_and_courses() -> None:
    for name, kinds in families().items():
        assert len({shape_of(kind) for kind in kinds}) == 1, name
        assert len(kinds) == len(set(kinds))
    assert set(KINDS) == {kind for kinds in families().values() for kind in kinds} | set(pieceless_kinds()) | ALONE
    pieces = [piece(Kind.LIGHT_WOODS, 100, 80)]
    found = laid(pieces, area("f", Kind.FOREST))
    assert [(use.piece.kind, use.is_substitute, use.fits) for use in found.uses] == [(Kind.LIGHT_WOODS, True, True)]
    field = Battlefield(board=BOARD, features=(area("f", Kind.FOREST),))
    apart = PieceBox(tuple(pieces), families={"woods": ()})
    assert lacking(match_pieces(find_needs(field), apart)) == ["f"]
    assert not apart.lists(Kind.FOREST)
    assert PieceBox(tuple(pieces)).lists(Kind.FOREST)
    assert not PieceBox(tuple(pieces)).lists(Kind.MARSH)


ALONE = {Kind.CLIFF, Kind.RAILWAY}


def test_a_bent_strip_lies_where_the_course_bends() -> None:
    line = LineString([(0, 100), (280, 100), (340, 125), (365, 185), (365, 600)])
    river = Course(id="R1", kind=Kind.RIVER, line=line, width=40.0, going=OPEN)
    strips = [
        piece(Kind.RIVER, 280, 40, name="long", number=3),
        piece(Kind.RIVER, 130, 40, name="bend", number=2, bend=90.0),
    ]
    found = laid(strips, river)
    assert [use.piece.name for use in found.uses] == ["long", "bend", "long", "long"]
    assert not found.missing_pieces
    bent = found.uses[1].position
    assert bent is not None
    assert bent.bend == 90.0
    assert [use.number for use in found.uses] == [1, 4, 2, 3]


@given(
    st.floats(60, 400),
    st.floats(60, 400),
    st.floats(0, 180),
    st.lists(st.tuples(SIDES, SIDES, st.integers(1, 6)), max_size=3),
)
def test_a_cover_says_what_it_leaves_bare_and_never_lays_more_than_there_is(
    across: float, deep: float, turn: float, pieces: list[tuple[float, float, int]]
) -> None:
    ground = rotate(ellipse(300, 300, across, deep), turn)
    sizes = [(max(sides), min(sides), count) for *sides, count in pieces]
    found = cover(ground, sizes)
    for place, (_, _, count) in enumerate(sizes):
        assert sum(each == place for each, _ in found.positions) <= count
    laid_on = union_all([spot.shape for _, spot in found.positions])
    assert found.uncovered_share == pytest.approx(1 - laid_on.intersection(ground).area / ground.area, abs=1e-6)
    assert found.is_good_enough == (
        bool(found.positions) and found.uncovered_share <= MOST_UNCOVERED and found.overhang <= MOST_OVERHANG
    )

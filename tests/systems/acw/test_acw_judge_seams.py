"""What a clause says at its seams: where a ring begins, what passes a zone, what is told of a fault."""

from __future__ import annotations

import pytest
from drawn_by_hand import area, broken, changed, country, course, line, plot, record, without
from msgspec.structs import replace
from seeded_tables import seeded
from test_acw_judge_shapes import belted

from printkit.systems.acw.terms.pieces import Piece

ROLL = {"zone": 1, "roll": 1, "die": 3, "cell": "Road", "fate": "kept", "piece": "road", "throw": 1}


@pytest.mark.clause("AC-F13")
def test_a_gap_where_the_ring_of_a_belt_begins_is_one_gap() -> None:
    assert "one gap" in broken(belted((-50, 50)), "AC-F13")
    assert "one gap" in broken(belted((-5, 95)), "AC-F13")
    assert broken(belted((-25, 25), (155, 205)), "AC-F13") == ""


@pytest.mark.clause("AC-G04")
def test_what_was_rolled_is_missed_though_another_of_its_kind_passes_the_zone() -> None:
    passing = course("z2-1", Piece.ROAD, line((0, 36), (48, 36)))
    assert "lies nowhere" in broken(record(passing, details={"zones": [ROLL]}), "AC-G04")
    known = {**ROLL, "die": None, "fate": "given", "throw": None}
    assert broken(record(passing, details={"zones": [known]}), "AC-G04") == ""


@pytest.mark.clause("AC-F20")
def test_a_ravine_holds_a_stream_that_is_long_enough_also_where_it_meets_another() -> None:
    stream = course("stream", Piece.STREAM, line((28, 25), (43, 25)))
    ravines = [course(f"ravine-{x}", Piece.RAVINE, line((x - 7, 36), (x + 7, 36))) for x in (16, 32)]
    assert "does not hold" in broken(record(*ravines, stream), "AC-F20")
    short = course("stream", Piece.STREAM, line((28, 25), (36, 25)))
    assert broken(record(*ravines, short), "AC-F20") == ""
    assert "does not hold" in broken(record(ravines[1], short), "AC-F20")


@pytest.mark.clause("AC-F17")
def test_a_head_farther_from_all_water_than_a_ditch_is_long_is_none() -> None:
    pool = area("pool", Piece.POOL, plot(25.5, 36, 2, 2))
    ditch = course("ditch", Piece.DITCH, line((26.5, 36), (36.5, 36)))
    far = area("field", Piece.FIELD, plot(45, 30, 1, 6))
    near = area("field", Piece.FIELD, plot(40, 28, 8, 6))
    assert broken(record(pool, ditch, far), "AC-F17") == ""
    assert "begins" in broken(record(pool, ditch, near), "AC-F17")
    assert "begins" in broken(record(ditch, far), "AC-F17")


@pytest.mark.clause("AC-D3", "AC-210")
def test_where_rolls_and_dice_part_is_told() -> None:
    game = seeded(2, (48, 24), geography="farm")
    assert broken(game, "AC-D3") == ""
    dice = [place for place, throw in enumerate(game.log) if throw.stage == "zones"]
    for place in (dice[0], dice[2]):
        other = replace(game.log[place], answer="1" if game.log[place].answer != "1" else "2")
        spoiled = replace(game, log=(*game.log[:place], other, *game.log[place + 1 :]))
        assert f"part at {game.log[place].reason}" in broken(spoiled, "AC-D3")
    assert "part at the last of them" in broken(replace(game, log=game.log[:-1]), "AC-D3")


@pytest.mark.clause("AC-303", "AC-211", "AC-204", "AC-N04")
def test_a_game_that_tells_less_than_it_must_is_broken_and_a_drawing_is_not() -> None:
    game = seeded(6, (48, 48), geography="riverside", water="creek")
    for member, clause in (("water", "AC-303"), ("graph", "AC-211"), ("zones", "AC-204"), ("reaches", "AC-N04")):
        less = {name: told for name, told in game.details.items() if name != member}
        assert f"tells nothing of its {member}" in broken(replace(game, details=less), clause)
        assert "tells nothing" not in broken(country(), "AC-211")


@pytest.mark.clause("AC-211")
def test_a_railroad_in_two_parts_does_not_run_across() -> None:
    west = changed("railroad", line=line((0, 16.5), (30, 16.5)))(without("trestle")(country()))
    assert "no railroad runs from one edge" in broken(west, "AC-N31")


@pytest.mark.clause("AC-D5", "AC-306")
def test_a_die_over_the_last_whole_round_picks_no_zone_of_a_creek() -> None:
    game = seeded(2, (48, 48), geography="riverside", water="creek")
    last = next(place for place, throw in enumerate(game.log) if throw.reason == "zone where the creek goes out")
    assert broken(game, "AC-306") == ""
    over = (*game.log[:last], replace(game.log[last], answer="5"), *game.log[last + 1 :])
    assert "goes out" in broken(replace(game, log=over), "AC-306")

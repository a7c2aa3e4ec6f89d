"""Who is who: the sides of each rule system, what a record tells of them, and how their lines are told apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from shapely import box

from printkit.core.words import Words
from printkit.kit import registry
from printkit.kit.sides import (
    PlayerSide,
    deployment_label,
    find_look,
    format_side,
    format_sides,
    inline_side_name,
    named,
    side_row_versions,
    sides_of,
    titled,
)
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.terrain.field.battlefield import Battlefield, Board, Edge, GroundScale, Overlay
from printkit.terrain.field.record import Record

ENGLISH, SPANISH = Words(("en",)), Words(("es",))
BOARD = Board(width=600.0, depth=600.0, scale=GroundScale(base_width=40.0, pace=0.254))


def record(rules: str, *overlays: Overlay, **details: object) -> Record:
    """Return a bare record of a rule system."""
    return Record(rules=rules, battlefield=Battlefield(board=BOARD, overlays=overlays), details=details, settings={})


def sides(rules: str, *overlays: Overlay, **details: object) -> tuple[PlayerSide, ...]:
    """Return the sides of a bare record."""
    return sides_of(record(rules, *overlays, **details), registry.find(rules).book)


@pytest.mark.parametrize("rules", registry.NAMES)
def test_every_rule_system_has_two_sides_that_differ_in_name_ink_and_line(rules: str) -> None:
    one, other = sides(rules)
    for words in (ENGLISH, SPANISH):
        for say in (named, inline_side_name, titled, deployment_label):
            assert say(one, words) != say(other, words)
            assert say(one, words)
    assert one.look.ink != other.look.ink
    for usual in ((), (8.0, 3.0), (0.2, 3.2), (1.4, 2.2)):
        assert one.look.dash(usual) != other.look.dash(usual)
    assert [side.is_player for side in (one, other)] == [rules != "solo-dba", True]


@pytest.mark.clause("BR-106", "BR-107")
def test_a_sits_at_the_far_edge_and_b_at_the_near_one_where_no_rule_or_ground_says_otherwise() -> None:
    for rules in ("brantley", "portable-1", "portable-2", "acw"):
        assert [(side.name, side.edge) for side in sides(rules)] == [("A", Edge.FAR), ("B", Edge.NEAR)], rules
    for ground, edge in ((box(0, 0, 150, 600), Edge.LEFT), (box(450, 0, 600, 600), Edge.RIGHT)):
        first, _ = sides("brantley", Overlay(kind="deployment", shape=ground, side="A"))
        assert (first.edge, first.depth(Battlefield(board=BOARD))) == (edge, 150.0)


@pytest.mark.clause("D3-55")
@pytest.mark.parametrize("rules", ["dba3", "collision-course"])
def test_the_record_tells_the_edges_of_defender_and_invader(rules: str) -> None:
    told = {"defender_edge": "left", "invader_edge": "right"}
    invader, defender = sides(rules, deployment=told)
    assert (invader.edge, defender.edge) == (Edge.RIGHT, Edge.LEFT)
    assert defender.role == "defender"
    assert "defender" in titled(defender, ENGLISH)
    assert "defensor" in titled(defender, SPANISH)
    assert "left edge" in format_side(defender, ENGLISH, colours=True)


def test_armies_are_named_with_their_sides_in_the_language_of_the_reader() -> None:
    given = {"army": {"defender": {"name": "Us"}, "attacker": {"name": "Franks"}}}
    attacker, defender = sides("collision-course", inputs=given)
    assert titled(attacker, ENGLISH) == "Player A, attacker (Franks)"
    assert titled(defender, SPANISH) == "Jugador B, defensor (Us)"
    assert deployment_label(defender, SPANISH) == "Despliegue de B (defensor)"
    system = registry.find("solo-dba")
    orders = Orders(rules="solo-dba", settings={"npg": "gallic", "you": "polybian-roman"})
    npg, you = sides_of(play(system, orders, 11, ENGLISH).record, system.book)
    assert titled(npg, ENGLISH) == "NPG, attacker (Gallic)"
    assert titled(you, SPANISH) == "TÚ, defensor (Romanos de Polibio, tardíos)"
    assert "edge not rolled yet" in format_side(npg, ENGLISH, colours=True)
    assert (you.folder, you.solo, npg.is_player) == ("you", True, False)


@pytest.mark.clause("AC-102")
@pytest.mark.parametrize(("defends", "attacks"), [("confederate", "Union"), ("union", "Confederate")])
def test_the_defender_sits_at_the_near_edge_with_the_army_of_the_setting(defends: str, attacks: str) -> None:
    book = registry.find("acw").book
    attacker, defender = sides_of(replace(record("acw"), settings={"defender": defends}), book)
    assert (defender.role, defender.edge) == ("defender", Edge.NEAR)
    assert titled(attacker, ENGLISH) == f"Player A, attacker ({attacks})"


def test_sides_are_told_by_their_lines_in_one_row_and_what_has_none_by_its_half_of_the_board() -> None:
    (line,) = format_sides(sides("brantley"), ENGLISH, colours=False)
    assert line == "Player A: dashed lines, far edge · Player B: solid lines, near edge"
    english, spanish = format_sides(sides("brantley"), Words(("en", "es")), colours=True)
    assert "Player A: blue, dashed lines, far edge" in english
    assert "Jugador A: azul, líneas de trazos, borde lejano" in spanish
    listed = [replace(side, army="union") for side in sides("acw")]
    rows = side_row_versions(listed, Words(("en", "es")), colours=True)
    assert list(map(len, rows)) == sorted(map(len, rows), reverse=True)
    assert "Jugador A" in rows[0]
    assert rows[1] == format_sides(listed, ENGLISH, colours=True)[0]
    assert rows[2].startswith("Player A, attacker: blue, dashed lines, far edge · Player B, defender: red")
    assert rows[3] == "Player A: blue, dashed lines, far edge · Player B: red, solid lines, near edge"
    assert len(side_row_versions(sides("brantley"), ENGLISH, colours=True)) == 1
    assert (find_look("", far=True), find_look("")) == (find_look("A"), find_look("B"))

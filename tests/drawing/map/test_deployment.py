"""Armies on the map: every element once, at the size of its base, none upon another; kept in the record and redrawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from reading import Outline, opened, outlines
from shapely import box

from printkit.chance.streams import Jitter
from printkit.cli.app import run
from printkit.core.errors import RecordError, ScenarioError
from printkit.core.words import find_words as language
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import Drawing, Text
from printkit.drawing.lettering.lettering import LEAST_FIGURES
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.export.pdf import data
from printkit.kit.registry import find, read_record
from printkit.page import sheet as sheets
from printkit.page.sheet import Document
from printkit.systems.dba.elements.deployed_overlay import (
    CAMP,
    ELEMENT,
    NPG,
    YOU,
    DeployedCamp,
    DeployedElement,
    make_camp_overlay,
    make_element_overlay,
    read_camps,
    read_elements,
)
from printkit.systems.dba.elements.element_face import ElementFace, draw_element
from printkit.systems.solo.battle.battles import BattleCase, BattleOrder, open_battle
from printkit.systems.solo.battle.stages import play_deployment
from printkit.systems.solo.sheets.deployment_overlays import OverlayArmies, place_armies
from printkit.terrain.field.battlefield import Battlefield, Overlay
from printkit.terrain.field.features import Area, Kind
from printkit.terrain.field.record import Record, write

SYSTEM = find("solo-dba")
BOARD = SYSTEM.board()
GOING = SYSTEM.book.going
SEA = Area(id="sea", kind=Kind.WATERWAY, outline=box(0, 0, 70, 609.6), going=GOING["impassable"])
TOWN = Area(id="town", kind=Kind.BUA, outline=box(420, 470, 560, 600), going=GOING["special"])
EN = language("en")
WHO = ("3Cv*", "4Bd", "4Bd", "4Bd", "4Bd", "4Bd", "4Bd", "4Sp", "4Sp", "4Sp", "2Ps", "2Ps")

NPG_ARMY = """schema = "dba-army/1"
name = "Horse"
home = "littoral"
aggression = 3
[[slot]]
id = "army"
fixed = { "4Bd" = 6, "4Sp" = 3, "2Ps" = 2 }
[general]
options = ["3Cv"]
"""
YOUR_ARMY = """schema = "dba-army/1"
name = "Spears"
home = "hilly"
aggression = 1
[[slot]]
id = "army"
fixed = { "4Sp" = 8, "2LH" = 1, "2Ps" = 2 }
[general]
options = ["4Sp"]
"""
LINE = "".join(
    f'[[your_line]]\ntype = "{code}"\nfrom_left_in = {place}\n'
    for code, place in (("4Sp", 6), ("4Sp", 7.6), ("Sp*", 9.2), ("2Ps", 9.2), ("LH", 20))
)


def case_of(folder: Path, seed: int, *, features: tuple[Area, ...] = (SEA, TOWN), line: str = LINE) -> BattleCase:
    """Return a battle of a defending NPG on the far edge of a field by the sea, deployed by a seed."""
    record = Record(rules="solo-dba", battlefield=Battlefield(board=BOARD, features=features, title="By the Sea"))
    (folder / "map.json").write_text(write(record), encoding="utf-8")
    (folder / "npg.toml").write_text(NPG_ARMY, encoding="utf-8")
    (folder / "you.toml").write_text(YOUR_ARMY, encoding="utf-8")
    head = f'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = {seed}\nattacker = "you"\n'
    board = '[board]\nmap = "map.json"\nnpg_edge = "far"\n'
    path = folder / "battle.toml"
    path.write_text(head + board + line, encoding="utf-8")
    case = open_battle(BattleOrder(path=path, words=EN, seed=seed))
    return replace(case, log=play_deployment(case).log)


def armies_of(case: BattleCase) -> OverlayArmies:
    assert case.field is not None
    return place_armies(case.field, case)


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> tuple[OverlayArmies, ...]:
    """Return the armies of several battles on the same field."""
    return tuple(armies_of(case_of(tmp_path_factory.mktemp("battle"), seed)) for seed in range(1, 5))


def shown(field: Battlefield, scale: float) -> list[Text]:
    """Return all type of a board without terrain."""
    hand = Drafter.map(styles.find("ink-saver"), EN, Jitter(1), scale=scale)
    drawing = board_drawing(replace(field, features=()), hand)
    return [item for _, item in drawing.items() if isinstance(item, Text)]


def codes(armies: OverlayArmies, side: str) -> Counter[str]:
    """Return who of a side stands on the map, camp followers left out."""
    return Counter(
        f"{each.code}{'*' if each.is_general else ''}"
        for each in armies.elements
        if each.side == side and each.type != "CF"
    )


def bases_of(drawing: Drawing) -> list[Outline]:
    """Return every base that a drawing strokes in a PDF of its own size."""
    made = opened(data(Document(title="board", pages=(sheets.page_of(drawing),))))
    return [
        each
        for each in outlines(made.pages[0].obj)
        if 14 < each.size[0] + each.width < 41 and 14 < each.size[1] + each.width < 41
    ]


@pytest.mark.clause("SD-4.7-i")
def test_every_element_of_the_npg_is_drawn_once_and_none_upon_another(battles: tuple[OverlayArmies, ...]) -> None:
    for armies in battles:
        assert codes(armies, NPG) == Counter(WHO)
        assert armies.npg_off == ()
        for one, other in combinations(armies.elements, 2):
            assert one.base.intersection(other.base).area < 1.0, (one, other)
        assert {(each.width, each.depth) for each in armies.elements if each.type == "Bd"} == {(40.0, 15.0)}


@pytest.mark.clause("SD-4.2-a", "SD-4.4-a", "SD-4.6-a")
def test_camp_garrison_and_those_at_sea_stand_where_they_belong(battles: tuple[OverlayArmies, ...]) -> None:
    seen = set()
    for armies in battles:
        (camp,) = armies.camps
        for each in armies.elements:
            if each.place == "camp":
                assert camp.base.buffer(0.1).covers(each.base)
            if each.place == "garrison":
                assert TOWN.outline.contains(each.base.centroid)
            if each.place == "landing":
                assert SEA.outline.contains(each.base.centroid)
                assert each.facing == 0.0
            seen.add(each.place)
    assert {"camp", "landing"} <= seen


@pytest.mark.clause("SD-4.4-b")
def test_a_garrison_stands_in_the_town_and_a_spear_in_the_camp(tmp_path: Path) -> None:
    case = case_of(tmp_path, 4)
    stage = case.log.stages["deploy"]
    kept = list(stage.results["elements"])
    inside = stage.results["camp"] == "spear"
    for code in ("4Bd",) if inside else ("4Bd", "4Sp"):
        kept.remove(next(each for each in kept if each["code"] == code))
    told = {**stage.results, "elements": kept, "garrison": "4Bd", "camp": "spear"}
    log = replace(case.log, stages={**case.log.stages, "deploy": replace(stage, results=told)})
    armies = armies_of(replace(case, log=log))
    assert codes(armies, NPG) == Counter(WHO)
    (town,) = (each for each in armies.elements if each.place == "garrison")
    (camp,) = (each for each in armies.elements if each.place == "camp")
    assert (town.code, camp.code) == ("4Bd", "4Sp")
    assert TOWN.outline.covers(town.base)
    assert armies.camps[0].base.covers(camp.base)
    assert armies.camps[0].holder == "Sp"


def test_your_line_stands_on_its_line_the_second_behind_the_first_and_both_zones_are_on_the_map(
    battles: tuple[OverlayArmies, ...],
) -> None:
    armies = battles[0]
    yours = [each for each in armies.elements if each.side == YOU]
    assert [(each.code, each.is_general, each.x) for each in yours] == [
        ("4Sp", False, 152.4),
        ("4Sp", False, 193.04),
        ("4Sp", True, 233.68),
        ("2Ps", False, 233.68),
        ("2LH", False, 508.0),
    ]
    fronts = [round(each.y + each.depth / 2, 2) for each in yours]
    assert fronts == [152.4, 152.4, 152.4, 137.4, 152.4]
    assert armies.you_off == ("4Sp", "4Sp", "4Sp", "4Sp", "4Sp", "4Sp", "2Ps")
    zones = {each.side: each for each in armies.field.overlays if each.kind == "deployment"}
    assert zones[NPG].shape.bounds == pytest.approx((0, 457.2, 609.6, 609.6))
    assert zones[YOU].shape.bounds == pytest.approx((0, 0, 609.6, 152.4))
    assert zones[NPG].label == "600 p"


def test_a_line_of_elements_that_the_army_lacks_is_refused(tmp_path: Path) -> None:
    line = '[[your_line]]\ntype = "2LH"\nfrom_left_in = 1\n' * 2
    case = case_of(tmp_path, 1, line="")
    (tmp_path / "battle.toml").write_text(
        (tmp_path / "battle.toml").read_text(encoding="utf-8") + line, encoding="utf-8"
    )
    again = open_battle(case.order)
    with pytest.raises(ScenarioError, match="has more 2LH than Spears; still to place:"):
        armies_of(replace(again, log=case.log))


@pytest.mark.clause("SD-4.7-j")
@pytest.mark.parametrize("reach", [550.0, 609.6], ids=["a part of the zone", "all of it"])
def test_who_has_no_ground_is_named_on_the_map_as_in_the_list(tmp_path: Path, reach: float) -> None:
    rock = Area(id="rock", kind=Kind.BUA, outline=box(0, 609.6 - 152.4, reach, 609.6), going=GOING["impassable"])
    case = case_of(tmp_path, 1, features=(rock,), line="")
    armies = armies_of(case)
    assert armies.npg_off
    assert Counter(WHO) == codes(armies, NPG) + Counter(armies.npg_off)
    kept = read_record(write(Record(rules="solo-dba", battlefield=armies.field)))[1].battlefield
    assert f"Not on the map: {' '.join(armies.npg_off)}" in {text.content for text in shown(kept, 0.5)}
    assert any(clause == "SD-4.7-j" for clause, _ in case.log.result("deploy", "notes"))


@pytest.mark.parametrize("style", ["campaign", "ink-saver", "high-contrast"])
def test_bases_on_the_map_have_their_true_size(style: str) -> None:
    standing = [
        _some(),
        DeployedElement(side=NPG, code="3Kn", type="Kn", x=145, y=300, facing=180, width=40, depth=30, is_general=True),
        DeployedElement(side=YOU, code="2Ps", type="Ps", x=100, y=100, facing=90, width=40, depth=20),
        DeployedElement(side=YOU, code="El", type="El", x=200, y=100, facing=0, width=40, depth=40),
    ]
    small = replace(BOARD, width=260.0, depth=340.0)
    field = Battlefield(board=small, overlays=tuple(make_element_overlay(each) for each in standing))
    drawing = board_drawing(field, Drafter.map(styles.find(style), EN, Jitter(1)))
    found = sorted(
        (each.left - half, each.bottom - half, each.left + each.size[0] + half, each.bottom + each.size[1] + half)
        for each in bases_of(drawing)
        for half in (each.width / 2,)
    )
    assert np.array(found) == pytest.approx(np.array(sorted(each.base.bounds for each in standing)), abs=0.05)


def test_an_overview_draws_the_same_armies_in_type_that_can_be_read_and_names_places_groups_and_zones(
    battles: tuple[OverlayArmies, ...],
) -> None:
    armies = battles[1]
    texts = shown(armies.field, 0.27)
    counts = Counter(text.content for text in texts)
    assert (counts["4Bd"], counts["4Sp"]) == (6, 6)
    assert min(text.size_pt for text in texts if text.content in {"4Bd", "4Sp", "2Ps", "3Cv"}) >= LEAST_FIGURES - 0.01
    said = {text.content for text in shown(armies.field, 0.5)}
    assert {EN(f"deployment.place.{each.place}") for each in armies.elements} <= said
    assert {str(each.group) for each in armies.elements if each.group} <= said
    assert {EN("deployment.zone.NPG"), EN("deployment.zone.YOU")} <= said


def test_a_map_without_armies_is_as_it_was() -> None:
    field = Battlefield(board=replace(BOARD, width=260.0, depth=340.0))
    hand, manned = Drafter.map(styles.find("ink-saver"), EN, Jitter(1), scale=0.2), (make_element_overlay(_some()),)
    assert board_drawing(field, hand) == board_drawing(replace(field, overlays=manned), hand, deployment=False)


@settings(max_examples=12)
@given(
    x=st.integers(50, 500),
    y=st.integers(50, 500),
    facing=st.sampled_from((0.0, 30.0, 90.0, 135.0, 180.0, 270.0)),
    depth=st.sampled_from((15.0, 20.0, 30.0, 40.0, 80.0)),
    general=st.booleans(),
    group=st.integers(0, 12),
)
def test_an_element_goes_through_the_record(
    x: int, y: int, facing: float, depth: float, general: bool, group: int
) -> None:
    element = replace(_some(), x=x, y=y, facing=facing, depth=depth, is_general=general, group=group)
    camp = DeployedCamp(side=NPG, x=x, y=y, size=60.96, facing=facing, holder="Sp")
    field = Battlefield(board=BOARD, overlays=(make_camp_overlay(camp), make_element_overlay(element)))
    back = read_record(write(Record(rules="solo-dba", battlefield=field)))[1].battlefield
    (found,), (tents,) = read_elements(back), read_camps(back)
    assert (found.side, found.code, found.type, found.is_general, found.group) == (NPG, "4Bd", "Bd", general, group)
    measured = (found.x, found.y, found.width, found.depth, found.facing)
    assert measured == pytest.approx((x, y, 40.0, depth, facing), abs=0.03)
    assert (tents.x, tents.y, tents.size) == pytest.approx((x, y, 60.96), abs=0.03)
    assert tents.holder == "Sp"


@pytest.mark.parametrize(
    ("kind", "label", "said"),
    [
        (ELEMENT, "4Bd Bd 1 centre", "is not CODE TYPE GROUP PLACE FACING"),
        (ELEMENT, "4Xx Xx 1 centre 90", "is not CODE TYPE GROUP PLACE FACING"),
        (ELEMENT, "4Bd Bd 1 centre north", "'north' is not an angle"),
        (CAMP, "Sp", "is not HOLDER FACING"),
    ],
)
def test_a_label_that_says_something_else_is_refused(kind: str, label: str, said: str) -> None:
    overlay = Overlay(kind=kind, shape=box(0, 0, 40, 15), label=label, side=NPG)
    read = read_elements if kind == ELEMENT else read_camps
    with pytest.raises(RecordError, match=said):
        read(Battlefield(board=BOARD, overlays=(overlay,)))


def test_a_base_is_never_read_upside_down_and_a_long_code_gives_way_before_it_is_too_small_to_read() -> None:
    style = styles.find("ink-saver")
    for facing in (0.0, 90.0, 180.0, 270.0):
        items = draw_element(ElementFace(side=YOU, code="3Cv", type="Cv"), 50, 50, 40, 30, style, facing=facing)
        assert {item.angle for item in items if isinstance(item, Text)} <= {0.0, 90.0, -90.0}
    for width, said in ((40.0, "3/4Wb"), (11.0, "Wb")):
        drawn = draw_element(ElementFace(side=NPG, code="3/4Wb", type="Wb"), 50, 50, width, width / 2, style)
        (text,) = (item for item in drawn if isinstance(item, Text))
        assert text.content == said
        assert text.size_pt >= LEAST_FIGURES - 0.01


def test_a_battle_without_a_deployment_says_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    case_of(tmp_path, 1)
    assert run(["npg", "deployment-map", "battle.toml", "--lang", "en"]) == 1
    assert "not deployed yet; first run: printkit npg deploy battle.toml" in capsys.readouterr().err
    assert run(["npg", "deployment-map", "battle.toml", "--scale", "fit", "--lang", "en"]) != 0
    assert run(["npg", "counters", "gallic", "--set", "scale=28mm", "--lang", "en"]) != 0
    assert "use one of 15mm, 25mm" in capsys.readouterr().err


def _some() -> DeployedElement:
    return DeployedElement(
        side=NPG, code="4Bd", type="Bd", x=100, y=300, facing=270, width=40, depth=15, group=1, place="centre"
    )

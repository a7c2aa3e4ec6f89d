"""Armies of lists in columns, the defender's own home, and the shore on which an army may land."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from signs_scene import context

from printkit import Field, PrintkitError, generate
from printkit.core.resources import names, template_text
from printkit.core.typed import parse_toml
from printkit.core.words import find_words as words
from printkit.drawing.canvas.items import Text
from printkit.drawing.furniture.key import build_key_blocks
from printkit.drawing.map.board_drawing import MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.kit.sides import format_sides, sides_of
from printkit.systems.collision.march.columns import Army, Contingent, read_army, read_troops
from printkit.systems.collision.march.columns_check import Land, check_army
from printkit.terrain.field.features import Kind

BOOK = find("collision-course").book
RULES = Rules.of(BOOK, {})
TROOPS = read_troops(RULES)
SAMPLES = names("templates/armies", ".toml")


def sample(name: str) -> dict[str, Any]:
    return parse_toml(template_text("armies", name), name)


def listed(tree: Mapping[str, Any]) -> Army:
    return read_army(tree, "army.defender", TROOPS, role="defender")


@pytest.mark.clause("CC-S02", "CC-S03", "CC-S06", "CC-S08")
@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_army_marches_in_three_legal_columns(name: str) -> None:
    army = listed(sample(name))
    assert not check_army(army, RULES, land=Land())
    assert army.column(1)[0] == army.general.id  # type: ignore[union-attr]


@pytest.mark.clause("CC-10.2", "CC-10.3", "CC-10.6", "CC-10.7")
@pytest.mark.parametrize("allies", [("ally1",) * 3, ("ally1", "ally1", "ally2", "ally2")])
def test_allies_of_an_army_without_columns_are_the_third(allies: tuple[str, ...]) -> None:
    elements = [
        {"id": f"E{number}", "type": "4Bd", "general": number == 0, "contingent": kind}
        for number, kind in enumerate(["own"] * (12 - len(allies)) + list(allies))
    ]
    powers = {ally: {"name": ally, "home": "arable"} for ally in ("ally1", "ally2")}
    army = listed({"name": "A", "home": "arable", "elements": elements, **powers})
    assert not check_army(army, RULES, land=Land())
    assert all(each.contingent is not Contingent.OWN for each in army.troops(3))


def test_what_a_list_leaves_open_may_be_chosen() -> None:
    tree = {**sample("carolingian"), "chosen": {"foot": ["Sp", "Sp", "Sp", "4Bd"]}}
    codes = [each.type for each in listed(tree).elements]
    assert (codes.count("Sp"), codes.count("4Bd")) == (3, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"slot": [{"id": "x"}], "general": {"options": ["Cv"]}},
        {"slot": 3, "general": {"options": ["Cv"]}},
        {"list": "1xCv (Gen), cats"},
        {"counts": {"Cv": 12}, "general": "El"},
        {"counts": {"Cv": 10**9}, "general": "Cv"},
        {**sample("viking"), "nonsense": 1},
    ],
)
def test_a_list_that_cannot_be_read_is_refused_in_a_line(wrong: Mapping[str, Any]) -> None:
    with pytest.raises(PrintkitError) as refused:
        listed({"name": "A", "home": "arable", **wrong})
    assert "\n" not in str(refused.value)


def played(folder: Path, text: str, *, seed: int = 1, **settings: str) -> Field:
    path = folder / "march.toml"
    path.write_text(f'rules = "collision-course"\n{text}', encoding="utf-8")
    return generate(scenario=path, seed=seed, **dict[str, Any](settings))


@pytest.mark.clause("CC-G01")
def test_the_home_of_the_defenders_army_is_that_of_the_board(tmp_path: Path) -> None:
    text = '[army]\ndefender = "parthian"\nattacker = "1xCv (Gen), 3xCv, 8x4Wb; hilly"\n'
    assert played(tmp_path, text).record.details["terrain"]["home"] == "steppe"
    assert played(tmp_path, text, home="steppe").record.details["terrain"]["home"] == "steppe"
    with pytest.raises(PrintkitError, match="home of the defender's army, Parthian, is steppe"):
        played(tmp_path, text, home="dry")


@pytest.mark.clause("CC-O06")
@pytest.mark.parametrize(("lands", "letters"), [("true", {"A"}), ("false", set())])
def test_the_shore_is_marked_for_whose_army_is_to_land(tmp_path: Path, lands: str, letters: set[str]) -> None:
    elements = ", ".join(f'{{id="E{n}", type="4Bd", general={str(n == 1).lower()}}}' for n in range(1, 13))
    army = f'[army.attacker]\nname = "Vik"\nhome = "littoral"\nlanding = {lands}\nelements = [{elements}]\n'
    field = played(tmp_path, f'[army]\ndefender = "viking"\n{army}')
    found = {overlay.side for overlay in field.record.battlefield.overlays if overlay.kind == "landing"}
    assert found == letters
    verdict = {each.clause: each.state for each in field.check().verdicts}
    assert verdict["CC-O06"] == "kept"


@pytest.mark.clause("D3-21", "CC-O06")
def test_plough_and_marks_are_explained_where_they_are_met(tmp_path: Path) -> None:
    record = played(tmp_path, '[army]\ndefender = "anglo-norman"\nattacker = "gallic"\n', seed=3).record
    ploughed = {each.id for each in record.battlefield.features if each.kind is Kind.PLOUGH}
    assert ploughed
    told = find("collision-course").account(record, words("en"))
    assert {name for name, text in told.items() if "first PIP die" in text} == ploughed
    kinds = {overlay.kind for overlay in record.battlefield.overlays} & {"column", "entry", "entry-fast"}
    assert all(words(language).has(f"overlay.{kind}") for language in ("en", "es") for kind in kinds)
    drafter = Drafter(context=context("campaign"), words=words("en"))
    caption = MapCaption(title="", who=format_sides(sides_of(record, BOOK), words("en"), colours=True))
    layout = MapLayout(field=record.battlefield, style=drafter.style, words=words("en"), caption=caption)
    (key,) = build_key_blocks(layout, drafter, 300.0)
    text = " ".join(item.content for _, item in key.items() if isinstance(item, Text))
    assert "Player A, attacker (Gallic): blue, dashed lines" in " ".join(text.split())


def test_a_bare_board_is_remarked() -> None:
    bare = generate("collision-course", seed=25)
    full = generate("collision-course", seed=3, home="arable")
    assert [any("the board is empty" in line for line in each.warnings) for each in (bare, full)] == [True, False]


def test_what_is_not_chosen_of_a_list_is_its_first_option() -> None:
    def codes(tree: Mapping[str, Any]) -> list[str]:
        return sorted(each.type for each in listed(tree).elements)

    tree = {key: value for key, value in sample("carolingian").items() if key != "chosen"}
    slots = [slot for slot in tree["slot"] if len(set(map(str, slot.get("options", ())))) > 1]
    assert slots
    for slot in slots:
        first, second, *others = slot["options"]
        turned = {**slot, "options": [second, first, *others]}
        assert codes({**tree, "slot": [turned if each is slot else each for each in tree["slot"]]}) != codes(tree)

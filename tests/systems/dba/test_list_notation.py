"""Armies on one line: what is read, what is refused, and that everything that is written out comes back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printkit.core.errors import ScenarioError
from printkit.systems.dba.armies.list_notation import is_notation, notation_tree

HOMES = ("arable", "forest", "hilly", "steppe", "dry", "tropical", "littoral")
CODES = ("Cv", "4Wb", "3/4Ax", "LCh", "2Ps", "El", "3Kn//4Bd", "Mtd-4Lb", "WWg")


def test_a_published_line_is_read_whole() -> None:
    tree = notation_tree("Gauls, 400 BC: 1xCv (Gen), 2x(LCh or Cv), 8x4Wb, 1xPs; hilly, aggression 3", HOMES)
    assert (tree["name"], tree["home"], tree["aggression"]) == ("Gauls, 400 BC", "hilly", 3)
    assert tree["general"] == {"options": ["Cv"]}
    assert [(slot.get("count"), slot.get("options"), slot.get("fixed")) for slot in tree["slot"]] == [
        (2, ["LCh", "Cv"], None),
        (None, None, {"4Wb": 8}),
        (None, None, {"Ps": 1}),
    ]


def test_the_manner_of_version_three_is_read_too() -> None:
    tree = notation_tree(
        "1 x General (3Cv or LCh), 3 x hirdmen (4Bd), 2 x chariots (LCh/3Cv), 6 x Fast Wb. Terrain: Arable. Agg: 2",
        HOMES,
    )
    assert tree["general"] == {"options": ["3Cv", "LCh"]}
    assert [slot["id"] for slot in tree["slot"]] == ["hirdmen", "chariots", "6 x Fast Wb"]
    assert tree["slot"][1]["options"] == ["LCh", "3Cv"]
    assert tree["slot"][2]["fixed"] == {"3Wb": 6}
    assert (tree["home"], tree["aggression"]) == ("arable", 2)


def test_the_general_leads_one_of_several_and_parts_that_are_called_alike_are_numbered() -> None:
    tree = notation_tree("3x3Kn//4Bd (Gen), 9x4Lb", HOMES)
    assert tree["general"] == {"options": ["3Kn//4Bd"]}
    assert tree["slot"][0]["fixed"] == {"3Kn//4Bd": 2}
    slots = notation_tree("1xCv (Gen), 2 x tribesmen (4Wb), 3 x tribesmen (Ax), 6 x tribesmen (Ps)", HOMES)["slot"]
    assert [slot["id"] for slot in slots] == ["tribesmen", "tribesmen #2", "tribesmen #3"]


@pytest.mark.parametrize("part", ["2xLCh or 2xCv", "1x(2xLCh or 2xCv)"])
def test_options_with_numbers_of_their_own_are_one_choice(part: str) -> None:
    (slot,) = notation_tree(f"1xCv (Gen), {part}", HOMES)["slot"]
    assert (slot["mode"], slot["options"]) == ("block", [{"LCh": 2}, {"Cv": 2}])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("1xCv, 11x4Wb", "0 parts of the army are marked"),
        ("1xCv (Gen), 1xEl (Gen), 10x4Wb", "2 parts of the army are marked"),
        ("1xCv (Gen), elephants, 11x4Wb", "'elephants' is no part of an army"),
        ("1xCv (Gen), 11x(4Wb", "a bracket is left open"),
        ("1xCv (Gen), 2x(LCh or LCh)", "names one choice twice"),
        ("1xCv (Gen), 2x(2xLCh or Cv)", "cannot be told apart"),
        ("1xCv (Gen), 2x knights", "'2x knights' cannot be read"),
        ("1xCv (Gen), 11x4Wb; swampy", "'swampy' is no part of an army"),
    ],
)
def test_what_is_wrong_is_named(line: str, told: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape(told)):
        notation_tree(line, HOMES)


@pytest.mark.parametrize("name", ["gallic", "polybian-roman-3", "my army.toml", "a, b/army.toml", "12th legion"])
def test_names_and_paths_are_no_lists(name: str) -> None:
    assert not is_notation(name)


_options = st.lists(st.sampled_from(CODES), min_size=1, max_size=4, unique=True)


@given(st.lists(st.tuples(st.integers(1, 12), _options), min_size=1, max_size=8), st.sampled_from(CODES))
def test_whatever_is_written_comes_back(parts: list[tuple[int, list[str]]], led: str) -> None:
    line = ", ".join(
        [f"1x{led} (Gen)", *(f"{count}x({' or '.join(o)})" if len(o) > 1 else f"{count}x{o[0]}" for count, o in parts)]
    )
    assert is_notation(line)
    tree = notation_tree(line, HOMES)
    assert tree["general"] == {"options": [led]}
    found = [
        (slot.get("count", sum(slot.get("fixed", {}).values())), slot.get("options", [*slot.get("fixed", {})]))
        for slot in tree["slot"]
    ]
    assert found == parts
    assert len({slot["id"] for slot in tree["slot"]}) == len(parts)

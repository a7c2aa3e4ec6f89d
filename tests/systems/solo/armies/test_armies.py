"""Army files: what they say, every sample, and what is wrong with those that are wrong."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from forces import EVERY, TROOPS
from hypothesis import given, settings
from hypothesis import strategies as st
from lists import HILL_KINGDOM, counted, listed, read

from printkit.core.errors import FileError, PrintkitError, ResourceError, ScenarioError
from printkit.core.resources import template_text
from printkit.core.words import catalogue, find_words
from printkit.systems.solo.armies.army import MAX_BYTES, Bundle, SlotMode
from printkit.systems.solo.armies.army_files import (
    drawn_samples,
    in_words,
    matching_samples,
    meant_sample,
    read_army,
    sample_names,
    samples,
)
from printkit.systems.solo.armies.force import Force, HillsOrMarsh, Home, LittoralPairs, WoodsOrDunes

NAMES = sample_names()
COUNTS = """\
schema = "dba-army/1"
name = "Mine"
home = "littoral"
littoral = { hills_or_marsh = "marsh" }
aggression = 3
counts = { Cv = 2, Bd = 6, Sp = 2, Ps = 2 }
general = "Cv"
"""


# --- Reading ----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_specification() -> None:
    army = read(HILL_KINGDOM)
    assert (army.id, army.home, army.aggression, army.camp) == ("example-hill-kingdom", Home.HILLY, 2, True)
    modes = [SlotMode.FIXED, SlotMode.EACH, SlotMode.BLOCK, SlotMode.BLOCK, SlotMode.FIXED]
    assert [slot.mode for slot in army.slots] == modes
    assert [str(option) for option in army.slots[2].options] == ["2 x 3Cv", "2 x 2LH"]
    assert [str(option) for option in army.general] == ["3Kn", "4Pk", "El"]
    assert army.combination_count == len(list(army.iter_combinations())) == 3 * 2 * 2 * 3
    assert all(len(one) == 12 for one in army.iter_combinations())
    assert army.find_open_slots() == ("second line", "horse", "screen", "general")


@pytest.mark.clause("AMB-03")
def test_a_choice_for_each_element_or_for_all_of_them() -> None:
    rest = 'fixed = { "4Bd" = 8 }'
    each = listed('mode = "each"\ncount = 3\noptions = ["4Sp", "2Ps"]', rest)
    block = listed('mode = "block"\ncount = 3\noptions = ["4Sp", "2Ps"]', rest)
    assert sorted(force.count("Sp") for force in each.iter_possible_forces()) == [0, 1, 2, 3]
    assert sorted(force.count("Sp") for force in block.iter_possible_forces()) == [0, 3]


def test_a_general_may_bring_others_with_him() -> None:
    army = listed('fixed = { "4Bd" = 10 }', general='{ "3Kn" = 1, "2Ps" = 1 }, { "El" = 2 }')
    kinds = [
        (force.general.code if force.general else "", dict(force.type_counts()))
        for force in army.iter_possible_forces()
    ]
    assert kinds == [("3Kn", {"Kn": 1, "Bd": 10, "Ps": 1}), ("El", {"El": 2, "Bd": 10})]


def test_strokes_and_figures_change_no_type_and_lists_of_another_version_are_translated() -> None:
    army = listed('fixed = { "3Kn//4Bd" = 2, "3/4Wb" = 6, "LCh" = 1, "2Cm" = 1, "4Lb" = 1 }')
    (force,) = army.iter_possible_forces()
    assert force.type_counts() == {"Cv": 2, "Kn": 2, "Wb": 6, "LH": 1, "Bw": 1}
    text = HILL_KINGDOM.replace("aggression", 'version = "3.0"\naggression').replace('"2Ps" = 1', '"Mtd-4Lb" = 1')
    army = read(text.replace('"2LH"', '"LCm"').replace('"3Cv"', '"Cv"').replace('"3Kn"', '"Kn//Ps"'))
    assert [str(option) for option in army.slots[2].options] == ["2 x 3Cv", "2 x 2Cm"]
    assert str(army.slots[3].options[0]) == "4Lb"
    assert str(army.general[0]) == "Kn//2Ps"
    assert TROOPS.find_type("Mtd-4Lb") is not None


def test_the_files_of_the_page_on_armies() -> None:
    page = (Path(__file__).parents[4] / "docs" / "reference" / "armies.md").read_text(encoding="utf-8")
    listed_there, chosen, counts, *_ = (part.split("```")[0] for part in page.split("```toml\n")[1:])
    assert read(listed_there).combination_count == 36
    assert read(listed_there + chosen).resolve_force().count("Pk") == 5
    assert len(read(counts).resolve_force().elements) == 12


# --- YOUR army --------------------------------------------------------------------------------------------------------

CHOSEN = """
[chosen]
"second line" = ["4Sp", "4Pk"]
horse = { "2LH" = 2 }
screen = "7Hd"
general = "El"
"""


@pytest.mark.clause("SD-2.1-a", "ST-09")
def test_a_chosen_block_fixes_the_army_and_an_open_choice_is_named() -> None:
    army = read(HILL_KINGDOM + CHOSEN)
    assert army.find_open_slots() == ()
    force = army.resolve_force()
    assert force.type_counts() == {"El": 1, "Pk": 5, "Sp": 1, "LH": 2, "Hd": 1, "Ax": 2}
    assert force.general is not None
    assert force.general.code == "El"
    assert list(army.iter_possible_forces()) == [force]
    without = read(HILL_KINGDOM + CHOSEN.replace('screen = "7Hd"\n', ""))
    assert without.find_open_slots() == ("screen",)
    with pytest.raises(
        ScenarioError, match=r"army.toml, line \d+: make YOUR choices before any roll.*'screen'.*\(SD-2.1-a\)"
    ):
        without.resolve_force()


@pytest.mark.parametrize(
    "written", ['"second line" = { "4Sp" = 1, "4Pk" = 1 }', '"second line" = ["4Pk", { "4Sp" = 1 }]']
)
def test_what_is_chosen_may_be_written_in_several_ways(written: str) -> None:
    army = read(HILL_KINGDOM + CHOSEN.replace('"second line" = ["4Sp", "4Pk"]', written))
    assert Counter(army.chosen_options["second line"]) == {Bundle(("4Sp",)): 1, Bundle(("4Pk",)): 1}
    # One code stands for all of a block.
    assert read(HILL_KINGDOM + CHOSEN.replace('{ "2LH" = 2 }', '"2LH"')).resolve_force().count("LH") == 2


@pytest.mark.parametrize("army", EVERY.values(), ids=list(EVERY))
def test_counts_alone_are_enough(army: Force) -> None:
    force = counted(army).resolve_force()
    assert (force.type_counts(), force.home, force.aggression) == (army.type_counts(), army.home, army.aggression)
    assert (force.mounted_count, force.bad_goer_count) == (army.mounted_count, army.bad_goer_count)
    assert force.general is not None
    assert army.general is not None
    assert force.general.troop == army.elements[0].troop


def test_a_mark_that_an_editor_leaves_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "army.toml"
    path.write_bytes(b"\xef\xbb\xbf" + HILL_KINGDOM.encode())
    assert read_army(str(path)).name == "Example Hill Kingdom"


def test_a_littoral_pair_is_kept() -> None:
    force = read(COUNTS).resolve_force()
    assert force.is_littoral
    assert force.pairs == LittoralPairs(hills_or_marsh=HillsOrMarsh.MARSH, woods_or_dunes=WoodsOrDunes.DICE)


# --- The samples ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_has_twelve_elements_a_source_and_a_mark(name: str) -> None:
    army = read_army(name)
    assert army.id == name
    assert army.source
    assert army.confidence in ("2+", "1")
    assert army.aggression in range(5)
    assert all(len(force.elements) == 12 for force in army.iter_possible_forces())
    assert 1 <= army.combination_count <= 10_000
    if army.version == "3.0":
        assert 'version = "3.0"' in template_text("armies", name)
    if army.fielded:
        assert army.doubt


def test_the_lists_of_the_version_come_first_and_chance_draws_none_that_is_taken_by_name_alone() -> None:
    found = samples()
    assert [army.version for army in found] == ["2.2"] * 8 + ["3.0"] * 41
    assert [army.fielded for army in found[:8]] == [False] * 4 + [True] * 4
    assert [army.number for army in found[:4]] == ["I/17a", "I/17b", "II/33", "II/33"]
    named = {army.id for army in found if army.by_name}
    assert len(named) == 20
    assert set(drawn_samples()) == {army.id for army in found} - named


def test_what_is_known_of_lists_besides() -> None:
    """Lists without choices, and what other sources tell: a Spartan army can be all Spears, a Viking one all Blades."""
    for name, counts in (
        ("polybian-roman", {"Cv": 2, "Bd": 6, "Sp": 2, "Ps": 2}),
        ("hyksos-early", {"Cv": 1, "Bd": 4, "Ax": 5, "Ps": 2}),
        ("late-imperial-roman", {"Cv": 1, "Kn": 2, "LH": 2, "Bd": 3, "Ax": 2, "Ps": 2}),
        ("welsh", {"Cv": 1, "Sp": 6, "Bw": 2, "Ps": 1, "Bd": 2}),
    ):
        assert [force.type_counts() for force in read_army(name).iter_possible_forces()] == [counts]
    for name, code, most in (("spartan", "Sp", 12), ("viking-early", "Bd", 12), ("low-countries-late", "Pk", 8)):
        assert max(force.count(code) for force in read_army(name).iter_possible_forces()) == most
    assert {bundle.codes for bundle in read_army("carolingian").slots[1].options} == {("3Kn//4Bd",) * 2, ("2Ps", "2LH")}
    assert [str(option) for option in read_army("gallic").general] == ["LCh", "3Cv", "3/4Wb"]
    # Mounted bows are bows in version 2.2, so that this choice is none.
    assert "mounted archers" not in read_army("hundred-years-english").find_open_slots()


def test_a_list_of_the_first_version() -> None:
    """A list of version 1 whose two choices are known, and neither home nor aggression; those are made up."""
    army = listed(
        'id = "horse"\nmode = "each"\noptions = ["4Kn", "3Cv"]',
        'fixed = { "3Cv" = 1, "2LH" = 1, "4Bd" = 4, "4Ax" = 3 }',
        'id = "engines"\nmode = "each"\noptions = ["Art", "2Ps"]',
    )
    assert army.find_open_slots() == ("horse", "engines")
    assert {(force.count("Kn"), force.count("Art")) for force in army.iter_possible_forces()} == {
        (0, 0),
        (0, 1),
        (1, 0),
        (1, 1),
    }


@pytest.mark.parametrize("code", ["en", "es"])
def test_samples_speak_the_language_of_the_reader(code: str) -> None:
    words = find_words(code)
    keys = {key.split(".")[2] for key in catalogue(code) if key.startswith("npg.sample.")}
    assert keys == set(NAMES)
    for name in NAMES:
        army = read_army(name)
        told = in_words(army, words)
        if code == "en":
            assert told == army
        assert bool(told.doubt) == bool(army.doubt)
        assert bool(told.note) == bool(army.note)
    own = read(HILL_KINGDOM.replace("example-hill-kingdom", "gallic"))
    assert in_words(own, words) is own


@pytest.mark.clause("SD-2-a")
def test_an_army_on_one_line_goes_wherever_an_army_goes(tmp_path: Path) -> None:
    line = "1xCv (Gen), 2x(LCh or Cv), 8x4Wb, 1xPs"
    alone = read_army(f"Hill Folk: {line}; hilly, aggression 3")
    path = tmp_path / "hill.toml"
    path.write_text(
        f'schema = "dba-army/1"\nname = "Hill Folk"\nhome = "hilly"\naggression = 3\nlist = "{line}"\n'
        '[chosen]\n"2x(LCh or Cv)" = ["LCh", "Cv"]\n',
        encoding="utf-8",
    )
    filed = read_army(str(path))
    assert (alone.name, alone.home, alone.aggression) == (filed.name, filed.home, filed.aggression)
    assert alone.slots == filed.slots
    assert alone.combination_count == 3
    assert filed.find_open_slots() == ()
    with pytest.raises(ScenarioError, match="does not say its home"):
        read_army(line)
    with pytest.raises(FileError, match="unknown troop type 'Xx'"):
        read_army("1xCv (Gen), 11xXx; hilly, aggression 3")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("galic", "did you mean 'gallic'"),
        ("nobodies", r"give the path of an army file, NAME\.toml, or a list such as"),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_by_the_right_one_and_another_by_the_samples(
    typed: str, said: str
) -> None:
    with pytest.raises(ResourceError, match=f"no army '{typed}'; {said}"):
        read_army(typed)


@pytest.mark.parametrize(
    ("typed", "army"),
    [
        ("Polybian Roman", "polybian-roman"),
        ("spartans", "spartan"),
        ("Gauls", "gallic"),
        ("galos", "gallic"),
        ("marian", "marian-roman"),
    ],
)
def test_a_name_with_one_meaning_is_read(typed: str, army: str) -> None:
    assert matching_samples(typed) == [army]
    assert meant_sample(typed) == army


def test_a_word_with_several_meanings_is_answered_with_all_of_them() -> None:
    assert matching_samples("romans") == matching_samples("romanos")
    with pytest.raises(ResourceError, match=r"6 armies are called 'romans': early-imperial-roman \(25 BC-197 AD\), "):
        read_army("romans")
    assert matching_samples("xx") == []
    assert [meant_sample(name) for name in ("romans", "welsh", "my.toml", "")] == ["romans", "welsh", "my.toml", ""]


# --- What is wrong ----------------------------------------------------------------------------------------------------


SECOND = "{line}: slot 2: "
LAST = "{line}: slot 5: fixed"
CHOICE = "{line}: chosen: "


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '[general]\noptions = ["3Kn", "4Pk", "El"]\n',
            "",
            "army.toml, line 1: the general is missing; add [general] with",
        ),
        (
            '"4Ax" = 2',
            '"4Ax" = 1',
            "army.toml, line 9: 11 elements with the general's, whatever is chosen; an army must have 12",
        ),
        (
            '"4Ax" = 2',
            '"4Ax" = 3',
            "army.toml, line 9: 13 elements with the general's, whatever is chosen; an army must have 12",
        ),
        ('{ "2LH" = 2 }', '{ "2LH" = 1 }', "18 of its 36 combinations do not have 12 elements with the general's: 11"),
        ('"4Ax" = 2', '"4Orc" = 2', "army.toml, " + LAST + ": unknown troop type '4Orc'; use one of El"),
        ('"4Pk", "4Sp"]', '"4Pk", "Cataphracts"]', SECOND + "options: unknown troop type 'Cataph"),
        ('"3Kn", "4Pk", "El"', '"3Kn", "CF"', "{line}: general.options: camp followers are not one of the twelve"),
        ('"4Ax" = 2', '"4Ax" = 0', LAST + ".4Ax = 0 is not valid. Write a whole number from 1 to 12."),
        ('"4Ax" = 2', '"4Ax" = "two"', LAST + '.4Ax = "two" is not valid. Write a whole number from 1 to 12.'),
        ('"hilly"', '"mountains"', '{line}: home = "mountains" is not valid. Write one of "arable", "forest", "hilly"'),
        ('home = "hilly"\n', "", 'line 1: home is missing. Write one of "arable", "forest", "hilly"'),
        ("aggression = 2", "aggression = 5", "{line}: aggression = 5 is not valid. Write a whole number from 0 to 4."),
        ("aggression = 2", "aggression = true", "{line}: aggression = true is not valid. Write a whole number"),
        ("aggression = 2", 'aggression = "2"', '{line}: aggression = "2" is not valid. Write a whole number'),
        ("aggression = 2\n", "", "line 1: aggression is missing. Write a whole number from 0 to 4."),
        ("camp = true", 'camp = "yes"', '{line}: camp = "yes" is not valid. Write true or false.'),
        (
            "camp = true",
            'littoral = { hills_or_marsh = "marsh" }',
            "{line}: littoral needs home = littoral",
        ),
        ('mode = "each"', 'mode = "any"', SECOND + 'mode = "any" is not valid. Write one of "block", "each".'),
        ('mode = "each"\n', "", "line 14: slot 2: mode is missing; use one of each, block"),
        ("count = 2", "count = 0", SECOND + "count = 0 is not valid"),
        ('["4Pk", "4Sp"]', "[]", SECOND + "options = [] is not valid. Write a list of codes, for example options"),
        ('["4Pk", "4Sp"]', '["4Pk", "4Pk"]', SECOND + "options: the option 4Pk is listed twice"),
        ('["4Pk", "4Sp"]', '["4Pk", 4]', SECOND + "options 2 = 4 is not valid. Write a code"),
        (
            'id = "screen"',
            'id = "horse"',
            "line 25: slot 4: id = 'horse' is also the id of slot 3; give each slot its own",
        ),
        ('id = "screen"', 'id = "general"', "{line}: slot 4: id = 'general' is reserved for the general's options"),
        (
            'id = "screen"',
            'ident = "screen"',
            '{line}: slot 4: unknown key "ident". Write one of id, fixed, mode, count',
        ),
        ("camp = true", "kamp = true", '{line}: unknown key "kamp". Did you mean camp?'),
        ('schema = "dba-army/1"', 'schema = "dba/1"', '{line}: schema = "dba/1" is not valid. Write "dba-army/1".'),
        ('schema = "dba-army/1"\n', "", 'line 1: schema is missing. Write "dba-army/1".'),
        ('fixed = { "4Pk" = 4 }', 'pikes = { "4Pk" = 4 }', '{line}: slot 1: unknown key "pikes"'),
        ('fixed = { "4Pk" = 4 }\n', "", "line 10: slot 1: it has neither fixed elements nor options"),
        ('"4Sp"]', '"4Sp"', ": not valid TOML: "),
        ("count = 2", "count = 12", "22 elements with the general's, whatever is chosen"),
        (
            'id = "screen"',
            'id = ""',
            '{line}: slot 4: id = "" is not valid. Write a short text in quotes, on one line.',
        ),
        ('id = "screen"', 'id = "a\\nb"', '{line}: slot 4: id = "a\\nb" is not valid. Write a short text'),
        ('id = "screen"', "id = 4", "{line}: slot 4: id = 4 is not valid. Write a short text"),
        (
            '"Example Hill Kingdom"',
            '" "',
            '{line}: name = " " is not valid. Write a short text in quotes, on one line.',
        ),
        ("camp = true", "chosen = []", "{line}: chosen = [] is not valid. Write [chosen], and its keys below it."),
        ("camp = true", "dates = 1066-10-14", '{line}: dates = "1066-10-14" is not valid. Write text in quotes.'),
    ],
)
def test_a_wrong_file_is_told_in_one_line(old: str, new: str, said: str) -> None:
    expect(said, HILL_KINGDOM, old, new)


def expect(said: str, text: str, old: str, new: str) -> None:
    """Refuse a text of which a part is replaced, in one line that names the file and the line of what is there now."""
    assert old in text
    changed = text.replace(old, new)
    line = changed[: changed.index(new)].count("\n") + 1
    with pytest.raises(PrintkitError) as caught:
        read(changed)
    told = str(caught.value)
    assert told.startswith("army.toml")
    assert "\n" not in told
    assert said.replace("{line}", f"line {line}") in told


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('general = "Cv"\n', "", "line 6: general is missing; write the code of the general's element"),
        (
            'general = "Cv"',
            'general = "El"',
            "{line}: general = 'El' is not one of the elements of the list; use one of Cv, Bd",
        ),
        ("Ps = 2", "Ps = 1", "army.toml, line 6: 11 elements with the general's; an army must have 12"),
        ("Ps = 2", "Ps = 3", "army.toml, line 6: 13 elements"),
        ("Ps = 2", "Pz = 2", "{line}: counts: unknown troop type 'Pz'"),
        (
            '"marsh"',
            '"swamp"',
            '{line}: littoral.hills_or_marsh = "swamp" is not valid. Write one of "dice", "steep_hill", "marsh".',
        ),
        ('general = "Cv"', 'general = "Cv"\n[[slot]]\nfixed = "Cv"', "line 6: counts give the whole army"),
    ],
)
def test_wrong_counts(old: str, new: str, said: str) -> None:
    expect(said, COUNTS, old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('horse = { "2LH" = 2 }', 'horse = "El"', CHOICE + "horse = El is not an option of the list; use one of"),
        ('["4Sp", "4Pk"]', '["4Sp"]', CHOICE + "second line takes 2 of 4Pk, 4Sp, but 1 are given"),
        ('general = "El"', "general = []", CHOICE + "general takes 1 of 3Kn, 4Pk, El, but 0 are given"),
        ('general = "El"', 'general = ["El", "4Pk"]', CHOICE + "general takes 1 of 3Kn, 4Pk, El, but 2 are given"),
        ('general = "El"', 'general = "4Ax"', CHOICE + "general = 4Ax is not an option of the list; use one of"),
        ("screen =", "screens =", CHOICE + 'unknown key "screens". Did you mean screen?'),
    ],
)
def test_wrong_choices(old: str, new: str, said: str) -> None:
    expect(said, HILL_KINGDOM + CHOSEN, old, new)


def test_one_combination_is_told_plainly_and_too_many_are_refused() -> None:
    with pytest.raises(FileError, match="army\\.toml, line 5: 11 elements with the general's; an army must have 12"):
        listed('fixed = { "4Bd" = 10 }')
    codes = ("El", "Kn", "Cv", "LH", "Cm", "Sp", "Pk", "Bd", "Ax", "Bw", "Ps", "Wb")
    options = ", ".join(f'"{code}"' for code in codes)
    with pytest.raises(
        FileError, match="its options allow 705432 armies, but printkit looks at 10000 at most; remove some options"
    ):
        listed(f'mode = "each"\ncount = 11\noptions = [{options}]')


def test_what_is_no_text(tmp_path: Path) -> None:
    large = tmp_path / "large.toml"
    large.write_text("# all the same\n" * 700_000, encoding="utf-8")
    picture = tmp_path / "picture.toml"
    picture.write_bytes(b'name = "\xff\xfe"')
    nested = tmp_path / "nested.toml"
    nested.write_text(f"slot = {'[' * 20_000}", encoding="utf-8")
    for path, said in (
        (tmp_path, "is a folder; give the path of an army file"),
        (large, f"has 10500 kB; an army file may have at most {MAX_BYTES // 1000} kB"),
        (picture, "picture.toml cannot be read: line 1 is not text in UTF-8; save the file as UTF-8"),
        (nested, "not valid TOML"),
        (tmp_path / "none.toml", "cannot read .*none.toml: No such file or directory"),
    ):
        with pytest.raises(PrintkitError, match=said) as caught:
            read_army(str(path))
        assert "\n" not in str(caught.value)


@settings(max_examples=40)
@given(st.text(max_size=40), st.integers(0, 700))
def test_no_text_makes_more_than_an_error(put: str, at: int) -> None:
    said, army = "", None
    try:
        army = read(HILL_KINGDOM[:at] + put + HILL_KINGDOM[at:])
    except PrintkitError as error:
        said = str(error)
    assert "\n" not in said
    assert army is None or all(len(one) == 12 for one in army.iter_combinations())

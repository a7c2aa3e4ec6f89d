"""The commands npg armies and npg compose: what they show, write and refuse."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from lists import HILL_KINGDOM

from printkit.chance.dice import Dice, Seeded
from printkit.cli.app import run
from printkit.core.resources import template_text
from printkit.core.words import find_words
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions
from printkit.systems.solo.armies.army_files import read_army, sample_names
from printkit.systems.solo.battle.composing_job import compose_job

Captured = pytest.CaptureFixture[str]

STEPPE = """\
schema = "dba-army/1"
name = "Steppe"
home = "steppe"
aggression = 4
counts = { Cv = 3, LH = 8, Ps = 1 }
general = "Cv"
"""

EXAMPLE = ("compose", "hill.toml", "steppe.toml")
DICE = "5,2 1,6 3,3 4,1 2,5 6,3,6 2,2 2,4 1,6"
"""The dice of the specification's example, and a tie between the sides."""

TOLD = """\
NPG: Example Hill Kingdom
    Hilly, aggression 2
YOU: Steppe
    Steppe, aggression 4
    Cv (general), 2 x Cv, 8 x LH, Ps

second line, 1 of 2 [SD-2.2-b]
    4Pk 5, 4Sp 2
    -> 4Pk

second line, 2 of 2 [SD-2.2-b]
    4Pk 1, 4Sp 6
    -> 4Sp

horse [SD-2.2-b]
    2 x 3Cv 3, 2 x 2LH 3: a tie, roll again
    2 x 3Cv 4, 2 x 2LH 1
    -> 2 x 3Cv

screen [SD-2.2-b]
    2Ps 2, 7Hd 5
    -> 7Hd

General [SD-2.2.1-a]
    3Kn 6 − 2 = 4
        −2 the army would have an odd number of pikes [SD-2.2.1-m1]
    4Pk 3 + 1 = 4
        +1 infantry of a type already in the army [SD-2.2.1-m6]
    El 6 − 3 = 3
        −2 the army would have an odd number of pikes [SD-2.2.1-m1]
        −1 an elephant, and YOU have 4 or more psiloi, auxilia and light horse, or any artillery [SD-2.2.1-m5]
    3Kn 2 − 2 = 0, 4Pk 2 + 1 = 3
    -> 4Pk leads the army

Attacker and defender [SD-2.3-a]
    NPG 2 + 2 = 4, YOU 4 + 4 = 8: YOU attack, the NPG defends

The NPG's army (12)
     1 4Pk       Pikes, general
     5 4Pk       Pikes
     1 4Sp       Spears
     2 3Cv       Cavalry
     1 7Hd       Hordes
     2 4Ax       Auxilia
    mounted 2, infantry 10, bad-going troops 2
"""


@pytest.fixture(autouse=True)
def folder(table: Path) -> Path:
    """Return the folder, with the two armies of the specification's example in it."""
    (table / "hill.toml").write_text(HILL_KINGDOM, encoding="utf-8")
    (table / "steppe.toml").write_text(STEPPE, encoding="utf-8")
    return table


def said(capsys: Captured, *arguments: str, status: int = 0) -> tuple[str, str]:
    """Run a command in English and return what stands on its two streams.

    A composition is told with the NPG's army, but without the log and the modifiers that do not count.
    """
    capsys.readouterr()
    shows = arguments[:1] == ("compose",) and "--verbose" not in arguments
    assert run(["npg", *arguments, *(["--verbose"] if shows else []), "--lang", "en"]) == status
    out, err = capsys.readouterr()
    if not shows:
        return out, err
    return _without("(does not count)", out), err if "--ask" in arguments else _without(" | ", err)


def _without(part: str, text: str) -> str:
    return "".join(line for line in text.splitlines(True) if part not in line)


@pytest.mark.parametrize(("lang", "sealed"), [("en", "ready and hidden"), ("es", "listo y oculto")])
def test_the_screen_keeps_the_army_sealed_unless_asked(lang: str, sealed: str, capsys: Captured) -> None:
    line = ["npg", *EXAMPLE, "--dice", DICE, "--lang", lang]
    assert run([*line, "--verbose"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert run(line) == 0
    kept = capsys.readouterr().out.splitlines()
    assert sealed in kept[-1]
    assert sealed not in "".join(told)
    # Who fights whom, YOUR army and who attacks are told all the same.
    assert set(kept[:-1]) < set(told)


@pytest.mark.clause("ST-03", "SD-2.2-a", "SD-2.3-a", "SD-1.2-a", "SD-1.2-b")
def test_the_example_is_told_die_by_die_in_english_and_spanish(capsys: Captured) -> None:
    out, err = said(capsys, *EXAMPLE, "--dice", DICE)
    assert out == TOLD
    assert err == "2 of the dice were not needed\n"
    assert run(["npg", *EXAMPLE, "--dice", DICE, "--verbose", "--lang", "es"]) == 0
    out, err = capsys.readouterr()
    assert "GNJ 2 + 2 = 4, TÚ 4 + 4 = 8: TÚ atacas, defiende el GNJ" in out
    assert "−2 el ejército tendría un número impar de picas [SD-2.2.1-m1]" in out
    assert "1 4Pk       Picas, general" in out
    assert err.splitlines()[-1] == "sobraron 2 dados"


def test_the_same_seed_or_its_log_tells_the_same(capsys: Captured) -> None:
    first = said(capsys, *EXAMPLE, "--seed", "4")
    assert said(capsys, *EXAMPLE, "--seed", "4") == first
    assert first[1] == "seed 4\n"
    assert said(capsys, *EXAMPLE, "--seed", "4", "--quiet") == (first[0], "")
    out, err = said(capsys, *EXAMPLE, "--seed", "4", "--verbose")
    Path("log.txt").write_text("".join(line for line in err.splitlines(True) if "seed" not in line), encoding="utf-8")
    assert said(capsys, *EXAMPLE, "--dice", "@log.txt", "--verbose")[0] == out
    assert "(does not count)" in out
    assert "army | second line, 1 of 2: 4Pk | d6 |" in err


@pytest.mark.clause("SD-2-a")
def test_without_armies_the_seed_draws_two_samples_and_nothing_is_written_unless_asked(
    folder: Path, capsys: Captured
) -> None:
    names = set()
    for seed in range(1, 6):
        out, err = said(capsys, "compose", "--seed", str(seed))
        assert err == f"seed {seed}\n"
        npg, you = (line.split(": ", 1)[1] for line in out.splitlines() if line.startswith(("NPG: ", "YOU: ")))
        assert npg != you
        assert "The NPG's army (12)" in out
        names.add(npg)
    assert len(names) > 1
    assert {path.name for path in folder.iterdir()} == {"hill.toml", "steppe.toml"}


@pytest.mark.parametrize("name", sample_names())
def test_every_sample_can_be_composed(name: str) -> None:
    armies = ArmyOptions(npg=name, first="", you="polybian-roman")
    job = compose_job(armies, GameOptions(), find_words("es"), seed=1)
    assert job.composed is not None
    assert len(job.composed.force.elements) == 12


@pytest.mark.clause("ST-09", "SD-2.1-a")
def test_your_open_choices_are_refused_before_any_die(capsys: Captured) -> None:
    out, err = said(capsys, "compose", "hill.toml", "feudal-french", "--seed", "1", status=1)
    assert out == ""
    assert err.count("\n") == 1
    assert "YOUR choices before any roll. These are still open: 'communal foot'" in err
    assert err.endswith("(SD-2.1-a), or use --ask to be asked, or --choose-for-you to choose at random\n")
    out, _ = said(capsys, "compose", "hill.toml", "feudal-french", "--seed", "1", "--choose-for-you")
    assert "YOU: Feudal French" in out


@pytest.mark.clause("SD-2.1-a")
def test_a_person_is_asked_for_his_choices_and_for_each_die_and_takes_them_back(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ["7Hd", "2", "1", "4Sp", "2", *"5216412516125"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    plain, err = said(capsys, "compose", "hill.toml", "anglo-danish", "--ask")
    assert "    4Bd (general), 2 x 4Bd, 7 x 4Sp, 2 x 7Hd\n" in plain
    assert "your-army: YOUR army: more fyrd, 1 of 4 (choice of 2; Enter: rolled for you)" in err
    assert "general: general: 4Pk (d6; Enter: rolled for you)" in err
    doubtful = ["4Sp", "back", "7Hd", "2", "1", "4Sp", "2", "6", "6", "back", "back", *"5216412516125"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(doubtful) + "\n"))
    out, err = said(capsys, "compose", "hill.toml", "anglo-danish", "--ask")
    assert out == plain
    assert err.count("type back to undo the last answer") == 1


def test_what_is_to_be_thrown_with_what_is_known_and_boxes_to_tick(capsys: Captured) -> None:
    out, err = said(capsys, *EXAMPLE, "--set", "mode=ranges")
    assert err == ""
    assert "    2 x one of: 4Pk, 4Sp\n" in out
    assert "    all together, one of: 2 x 3Cv, 2 x 2LH\n" in out
    assert "    4Pk: die −1 to +1; 56 %\n        [ ] −2 the army would have an odd number of pikes" in out
    assert "        [x] +1 infantry of a type already in the army" in out
    assert "        [x] −1 an elephant, and YOU have" in out
    assert "mounted, not an elephant" not in out
    assert "    NPG: 19 % (3/16)\n" in out
    out, _ = said(capsys, *EXAMPLE, "--set", "mode=blank")
    assert (out.count("[ ]"), "[x]" in out, "%" in out) == (21, False, False)


@pytest.mark.clause("SD-2.1-a")
def test_what_hangs_on_your_open_choices_stays_open(capsys: Captured) -> None:
    out, _ = said(capsys, "compose", "hill.toml", "feudal-english", "--set", "mode=ranges")
    assert "YOUR choices are still open: foot, sergeants or crossbows, others." in out
    assert "        [ ] −2 mounted, not an elephant, and YOU have 4 or more bows [SD-2.2.1-m2]" in out
    assert "%" not in out.split("Attacker")[0]


@pytest.mark.clause("AMB-02")
def test_what_is_left_out_is_told(capsys: Captured) -> None:
    text = Path("hill.toml").read_text(encoding="utf-8").replace('["3Kn", "4Pk", "El"]', '["3Kn"]')
    Path("hill.toml").write_text(text, encoding="utf-8")
    out, _ = said(capsys, *EXAMPLE, "--dice", "5 2 2 5 6 3 1 2 5")
    assert "    left out, because an odd number of pikes would remain: 4Sp\n    -> 4Pk, no dice\n" in out


def test_the_finished_army_can_be_given_again_and_the_trace_is_json(capsys: Captured) -> None:
    _, err = said(capsys, *EXAMPLE, "--dice", DICE, "--out", "made/done.toml")
    assert err.endswith("made/done.toml\n")
    done = read_army("made/done.toml")
    assert done.resolve_force().type_counts() == {"Pk": 6, "Sp": 1, "Cv": 2, "Hd": 1, "Ax": 2}
    out, _ = said(capsys, "compose", "made/done.toml", "steppe.toml", "--seed", "1")
    assert "-> 4Pk, no dice" in out
    assert [path.name for path in Path("made").iterdir()] == ["done.toml"]
    said(capsys, *EXAMPLE, "--dice", DICE, "--out", "trace.json")
    trace = json.loads(Path("trace.json").read_text(encoding="utf-8"))
    assert [step["clause"] for step in trace["steps"]] == ["SD-2.2-b"] * 4 + ["SD-2.2.1-a", "SD-2.3-a"]
    assert [step["result"] for step in trace["steps"]] == ["4Pk", "4Sp", "2 x 3Cv", "7Hd", "4Pk", "you"]
    assert sum(len(step["dice"]) for step in trace["steps"]) == 17


def test_a_littoral_army_keeps_its_pairs(folder: Path, capsys: Captured) -> None:
    text = template_text("armies", "viking").replace(
        "aggression = 4", 'aggression = 4\ncamp = false\nlittoral = { woods_or_dunes = "dunes" }'
    )
    (folder / "own.toml").write_text(text, encoding="utf-8")
    said(capsys, "compose", "own.toml", "polybian-roman", "--seed", "2", "--out", "done.toml")
    own, done = read_army("own.toml"), read_army("done.toml")
    assert (done.pairs, done.camp, done.aggression, done.home) == (own.pairs, False, 4, own.home)


def test_the_samples_are_listed_and_one_is_shown(capsys: Captured) -> None:
    out, _ = said(capsys, "armies")
    lines = out.splitlines()
    assert lines[0] == "Sample armies. To show one: printkit npg armies NAME"
    assert {line.split()[0] for line in lines[1:]} == set(sample_names())
    assert lines[1].endswith("2.2 no choices")
    assert any("parthian" in line and line.endswith("3.0 216 combinations") for line in lines)
    out, _ = said(capsys, "armies", "carolingian")
    assert out.splitlines()[0] == "Carolingian · III/28 · 639-888 AD"
    assert "    list from version 3.0, 80 combinations\n" in out
    assert "    dismounting knights or scouts: all together, one of: 2 x 3Kn//4Bd, 2Ps + 2LH\n" in out
    assert "    foot: 4 x one of: 4Bd, 4Sp\n" in out
    assert "    Open: One source splits the list at 814" in out
    assert run(["npg", "armies", "carolingian", "--lang", "es"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "Carolingios · III/28 · 639-888 d. C."


def test_npg_alone_shows_its_help(capsys: Captured) -> None:
    assert run(["npg"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: printkit npg ")
    assert "compose" in out


@pytest.mark.parametrize(
    ("arguments", "wrong", "status"),
    [
        (["compose", "hill.toml", "none.toml"], "cannot read none.toml: No such file or directory", 1),
        (["compose", "romans", "steppe.toml"], "6 armies are called 'romans': early-imperial-roman", 1),
        (["compose", ".", "steppe.toml"], ". is a folder; give the path of an army file", 1),
        ([*EXAMPLE, "--dice", "5 2"], "die 3 is missing: second line, 2 of 2", 1),
        ([*EXAMPLE, "--dice", "7"], "die 1 is 7, but second line, 1 of 2: 4Pk", 1),
        ([*EXAMPLE, "--set", "mode=odd"], "mode = 'odd' is not valid; use one of rolled, ranges, blank", 2),
        ([*EXAMPLE, "--set", "x=1"], "--set: solo-dba has no setting 'x'", 2),
        ([*EXAMPLE, "--set", "grouping=x"], "grouping = 'x' is not valid; use one of group_v1", 2),
        (["compose", "--ask", "--dice", "1"], "--ask and --dice cannot be combined", 2),
        (
            ["compose", "--set", "mode=blank", "--dice", "1"],
            "mode=blank does not roll dice; remove --ask and --dice",
            2,
        ),
        (["compose", "--set", "mode=blank", "--seed", "1", "--out", "a.json"], "--out writes a rolled", 2),
        (
            ["compose", "--seed", "1", "--out", "a.pdf"],
            "not valid; write NAME.toml for the finished army or NAME.json",
            2,
        ),
    ],
)
def test_what_is_refused(arguments: list[str], wrong: str, status: int, capsys: Captured) -> None:
    out, err = said(capsys, *arguments, status=status)
    assert wrong in err
    assert err.count("\n") == 1
    assert out == ""


def test_samples_draw_from_a_stream_of_their_own() -> None:
    """Drawing the armies takes nothing from the dice of the composition."""
    drawn = compose_job(ArmyOptions(npg="", first="", you=""), GameOptions(), find_words("en"), seed=11)
    assert drawn.composed is not None
    dice = Dice(Seeded(11)).at("attacker")
    scores = [dice.d6("attacker: the NPG"), dice.d6("attacker: YOU")]
    assert [throw.answer for throw in drawn.log if throw.stage == "attacker"][:2] == [str(score) for score in scores]

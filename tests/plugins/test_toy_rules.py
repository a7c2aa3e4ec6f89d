"""A rule system of another package does all that ours do, without a line of ours: the toy rules beside this file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from documents import BLOCK, Command, page
from packages import TOY, Said, installed, printkit, printkit_runs, python

GUIDE = "docs/dev/own-rules.md"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the toy rules are installed."""
    return installed(TOY, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def game(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a game by the toy rules, as `printkit map` wrote it."""
    folder = tmp_path_factory.mktemp("game")
    done = printkit(site, "map", "--rules", "toy", "--seed", "1", "--scale", "fit", folder=folder)
    assert done.returncode == 0, done.stderr
    (record,) = (folder / "output").glob("records/*-seed1.json")
    assert (folder / "output" / f"{record.stem}-overview-a4.pdf").is_file()
    return record


def test_a_map_is_made_by_their_dice_and_their_judge_is_asked(game: Path, site: Path, tmp_path: Path) -> None:
    record = json.loads(game.read_text(encoding="utf-8"))
    assert record["rules"] == "toy"
    assert {throw["stage"] for throw in record["log"]} == {"terrain", "sizes"}
    assert record["features"]
    done = printkit(site, "check", str(game), "--verbose", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].endswith("7 kept, 0 broken, 1 not checked")


SPOILT = (
    (lambda record: record["board"].update(width_mm=700.0), r"\(.*TY-1\b.*\)$"),
    (lambda record: record["features"].pop(), r"\(.*TY-2\b.*\)$"),
    (lambda record: record["features"].append(record["features"][0] | {"id": "twin"}), r"\(.*TY-6\b.*\)$"),
    (lambda record: record["settings"].update(ponds="0"), r"\(.*TY-5\b.*\)$"),
    (lambda record: record["features"][0]["properties"].update(going="bad"), r"\(.*TY-7\b.*\)$"),
    (lambda record: stretch(record["features"][0], 1.2), r"\(.*TY-4\b.*\)$"),
)


def stretch(feature: dict, factor: float) -> None:
    """Make a feature of a record longer from left to right."""
    for ring in feature["geometry"]["coordinates"]:
        left = min(x for x, _ in ring)
        ring[:] = [[left + (x - left) * factor, y] for x, y in ring]


@pytest.fixture(scope="module")
def judged(site: Path, game: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    """Return what is said of each of the records that are wrong, by what has to be said."""
    folder = tmp_path_factory.mktemp("spoilt")
    for number, (spoil, _) in enumerate(SPOILT):
        record = json.loads(game.read_text(encoding="utf-8"))
        spoil(record)
        (folder / f"spoilt-{number}.json").write_text(json.dumps(record), encoding="utf-8")
    done = printkit_runs(site, [("check", f"spoilt-{number}.json") for number in range(len(SPOILT))], folder)
    return {said: each for (_, said), each in zip(SPOILT, done, strict=True)}


@pytest.mark.parametrize("said", [said for _, said in SPOILT], ids=lambda said: said[4:8])
def test_their_judge_finds_what_is_wrong(said: str, judged: dict[str, Said]) -> None:
    assert (judged[said].returncode, judged[said].stderr) == (1, "")
    assert re.search(said, judged[said].stdout, re.MULTILINE)


def test_their_words_and_what_is_at_hand_without_them_are_told(site: Path, tmp_path: Path) -> None:
    done = printkit(site, "map", "--rules", "toy", "--board", "30in", "--lang", "es", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "printkit: las reglas de juguete tienen un solo tablero, de 24in de lado\n"
    done = printkit(site, "map", "--rules", "chess", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("dba3, collision-course, toy\n")


def test_workers_and_a_list_of_systems_find_them_too(site: Path, tmp_path: Path) -> None:
    several = ("--seed", "3", "--count", "2", "--scale", "fit")
    done = printkit(site, "map", "--rules", "toy", *several, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "output").glob("*-overview-a4.pdf"))) == 2
    lines = "from printkit.kit.registry import names; from printkit.recipes.game.book_lines import list_lines; "
    done = python(site, "-c", f"{lines}print(*list_lines(names()), sep='\\n')", folder=tmp_path)
    assert done.stdout.splitlines()[-2:] == [
        "toy               Toy rules: nine zones",
        "                  made up for this guide; take them, and make better ones",
    ]


def test_every_command_of_the_guide_works(site: Path, tmp_path: Path) -> None:
    """`pip install` is done already, from the folder that the guide names; all else is typed as it stands there."""
    steps = [step for step in page(GUIDE).steps if isinstance(step, Command) and step.place == BLOCK]
    assert {step.words[1] for step in steps} >= {"map", "rules", "check", "handouts", "hexon", "cards", "install"}
    assert [TOY.parents[2] / step.words[-1] for step in steps if step.words[0] == "pip"] == [TOY]
    steps = [step for step in steps if step.words[0] != "pip"]
    for step, done in zip(steps, printkit_runs(site, [step.words[1:] for step in steps], tmp_path), strict=True):
        assert done.returncode == 0, f"{GUIDE}:{step.line}: {step.text}\n{done.stderr}"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        (
            'outcome = "hill"',
            'outcome = "hil"',
            "This is a mistake in the rules of toy-rules 1.0 (ValueError: 'hil' is not a valid Kind): in their tables "
            "or their Python code. No file was left incomplete. --debug shows where it is.",
        ),
        (
            'going = "impassable"',
            'going = "imposs"',
            'rules/toy.toml, line 18: rows.signs 4: going = "imposs" is not valid. '
            'Write one of "good", "bad", "impassable".',
        ),
        ("medium = 4.5", 'medium = "4.5"', 'rules/toy.toml, line 52: numbers.size: medium = "4.5" is not valid.'),
        ("[going]", "[going", "rules/toy.toml, line 7: not valid TOML: a closing bracket is missing after the name"),
    ],
)
def test_a_mistake_in_their_tables_costs_one_line(
    site: Path, tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    own = tmp_path / "site"
    copytree(site, own)
    book = own / "toy_rules" / "data" / "rules" / "toy.toml"
    text = book.read_text(encoding="utf-8")
    assert right in text
    book.write_text(text.replace(right, wrong), encoding="utf-8")
    done = printkit(own, "map", "--rules", "toy", "--seed", "1", "--plan", folder=tmp_path)
    assert done.stderr.startswith(f"printkit: {said}")
    assert done.stderr.count("\n") == 1

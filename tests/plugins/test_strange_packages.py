"""Packages that bring rules which cannot be used: one line that names the package, and ours work all the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packages import TOY, pretended, printkit, python

SAYS = """
from pathlib import Path
from printkit.kit.plugin import Plugin

PLUGIN = Plugin(name="odd", system="odd_rules:Nothing"{more})
"""

LOADED, USED = (f"the rules 'odd' of odd-rules 1.0 cannot be {said}" for said in ("loaded from odd_rules:", "used: "))

BROKEN = (
    ("import no_such_module", f"{LOADED}PLUGIN: ModuleNotFoundError: No module named 'no_such_module'"),
    ("raise ValueError('line one\\nline two')", f"{LOADED}PLUGIN: ValueError: line one line two"),
    (
        "from printkit.kit.book import read_book\nread_book('odd')",
        f"{LOADED}PLUGIN: ResourceError: there is no 'odd' among the rules; use one of "
        "acw, brantley, collision-course, dba3, portable, portable-1, portable-2, solo-dba, solo-dba-tactics",
    ),
    ("PLUGIN = 7", f"{USED}odd_rules:PLUGIN is not a Plugin with that name"),
    (SAYS.format(more="").replace('"odd"', '"even"'), f"{USED}odd_rules:PLUGIN is not a Plugin with that name"),
    (SAYS.format(more=""), f"{LOADED}Nothing: AttributeError: module 'odd_rules' has no attribute 'Nothing'"),
    (
        SAYS.format(more="") + "class Nothing:\n    def __init__(self):\n        raise KeyError('size')\n",
        f"{LOADED}Nothing: KeyError: 'size'",
    ),
    (SAYS.format(more=', data=Path("/no/such/folder")'), "folder /no/such/folder does not exist"),
)


@pytest.mark.parametrize(
    ("text", "said"), BROKEN, ids=["import", "raise", "book", "other", "name", "system", "made", "data"]
)
def test_what_cannot_be_loaded_is_told_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=text)
    done = printkit(tmp_path, "map", "--rules", "odd", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, f"printkit: {said}\n")


def test_help_says_what_cannot_be_loaded_and_lists_the_rest(tmp_path: Path) -> None:
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules="PLUGIN = 7")
    done = printkit(tmp_path, "--help", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, f"printkit: {USED}odd_rules:PLUGIN is not a Plugin with that name\n")
    assert "From other packages" not in done.stdout


def test_a_plugin_that_only_brings_commands_is_not_listed_as_rules(tmp_path: Path) -> None:
    text = 'from printkit.kit.plugin import Plugin\nPLUGIN = Plugin(name="odd", system="")'
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=text)
    done = printkit(tmp_path, "rules", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "brantley" in done.stdout
    assert "odd" not in done.stdout


def test_it_is_told_in_another_language(tmp_path: Path) -> None:
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules="import no_such_module")
    done = printkit(tmp_path, "map", "--rules", "odd", "--lang", "es", folder=tmp_path)
    assert done.stderr.startswith(
        "printkit: el reglamento 'odd' de odd-rules 1.0 no se puede cargar de odd_rules:PLUGIN: "
    )


NAMES = (
    (
        {"odd-rules": "brantley = odd_rules:PLUGIN"},
        "odd-rules 1.0 has rules called 'brantley', like a built-in system; uninstall it, or rename its rules",
    ),
    (
        {"odd-rules": "odd = odd_rules:PLUGIN", "even-rules": "odd = even_rules:PLUGIN"},
        "even-rules 1.0 and odd-rules 1.0 both have rules called 'odd'; uninstall one of them",
    ),
    *(
        (
            {"odd-rules": f"{name} = odd_rules:PLUGIN"},
            f"odd-rules 1.0 has rules called '{name}', which is not a valid name; "
            "use lower-case letters, digits and hyphens, for example my-rules",
        )
        for name in ("Odd Rules", "features")
    ),
)


@pytest.mark.parametrize(("packages", "said"), NAMES, ids=["ours", "twice", "blank", "member"])
def test_a_name_that_cannot_be_taken_is_told_with_its_package(
    packages: dict[str, str], said: str, tmp_path: Path
) -> None:
    for package, entry in packages.items():
        pretended(tmp_path, package, entry)
    done = printkit(tmp_path, "cards", "terrain", "--plan", folder=tmp_path)
    assert (done.returncode, done.stderr) == (1, f"printkit: {said}\n")


PROBE = """
import sys
from printkit.cli.app import run

status = run(["map", "--rules", "brantley", "--seed", "7", "--scale", "fit", "--quiet"])
print(status, "importlib.metadata" in sys.modules)
"""


def test_ours_do_not_even_look_at_others_and_names_stand_in_an_order_of_their_own(tmp_path: Path) -> None:
    pretended(tmp_path, "odd-rules", "brantley = odd_rules:PLUGIN", odd_rules="import no_such_module")
    assert python(tmp_path, "-c", PROBE, folder=tmp_path).stdout == "0 False\n"
    several = tmp_path / "several"
    pretended(several, "a-rules", "zebra = a_rules:PLUGIN")
    pretended(several, "z-rules", "aurochs = z_rules:PLUGIN")
    done = printkit(several, "map", "--rules", "odd", folder=tmp_path)
    assert done.stderr.endswith(" dba3, collision-course, aurochs, zebra\n")


def test_what_two_of_them_call_alike_is_told(tmp_path: Path) -> None:
    pretended(
        tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=SAYS.format(more=", faces={'npg': 'odd_rules:face'}")
    )
    lines = "from printkit.kit.registry import merge_plugin_table, plugin; plugin('odd'); merge_plugin_table('faces')"
    done = python(tmp_path, "-c", lines, folder=tmp_path)
    assert "the rules 'solo-dba' and 'odd' both have 'npg' among their faces" in done.stderr


@pytest.mark.parametrize("name", ["rules/brantley.toml", "words/en/terrain.toml"])
def test_a_template_cannot_stand_in_for_one_of_ours(name: str, tmp_path: Path) -> None:
    path = tmp_path / "data" / name
    path.parent.mkdir(parents=True)
    path.write_text("", encoding="utf-8")
    more = f", data=Path({str(tmp_path / 'data')!r})"
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=SAYS.format(more=more))
    done = printkit(tmp_path, "map", "--rules", "odd", folder=tmp_path)
    ours = TOY.parents[2] / "templates" / name
    assert (done.returncode, done.stderr) == (1, f"printkit: {path} would get the same name as {ours}; rename it\n")


def test_a_word_cannot_stand_in_for_one_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "data" / "words" / "en" / "odd.toml"
    path.parent.mkdir(parents=True)
    path.write_text('[marks]\nseed = "stolen {seed}"\n', encoding="utf-8")
    more = f", data=Path({str(tmp_path / 'data')!r})"
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=SAYS.format(more=more))
    lines = (
        "from printkit.kit.registry import plugin; from printkit.core.words import find_words; w = find_words('en'); "
    )
    lines += "print(w('marks.seed', seed=7)); plugin('odd'); print(w('marks.seed', seed=7))"
    done = python(tmp_path, "-c", lines, folder=tmp_path)
    assert done.stdout == "seed 7\n"
    assert "'marks.seed' is in two files" in done.stderr


COMMAND = """
from typing import Annotated

from msgspec import Struct

from printkit.kit.plugin import Command, Plugin
from printkit.options.table import Option

PLUGIN = Plugin(name="odd", system="", commands={"salute": Command("odd_rules:salute", "Greet.", "play")})


class Salute(Struct):
    whom: Annotated[str, Option("WHOM", "who is greeted", argument=True)]


def salute(asked: Salute) -> None:
    print("hail", asked.whom)
"""


def test_a_command_of_a_package_is_found_by_its_name(tmp_path: Path) -> None:
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=COMMAND)
    done = printkit(tmp_path, "salute", "Caesar", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "hail Caesar\n")
    helped = printkit(tmp_path, "salute", "--help", folder=tmp_path)
    assert "printkit salute [OPTIONS] WHOM\n  Greet.\n" in helped.stdout
    listed = printkit(tmp_path, "--help", folder=tmp_path).stdout
    assert re.search(r"\nFrom other packages:\n  salute +Greet\.\n", listed)
    wrong = printkit(tmp_path, "salut", folder=tmp_path)
    assert wrong.returncode == 2
    assert "did you mean " in wrong.stderr
    assert "printkit salute?" in wrong.stderr


def test_options_in_the_form_of_0_2_are_refused_in_one_line(tmp_path: Path) -> None:
    old = "from printkit.console.parameters import argument\nPLUGIN = None\n"
    pretended(tmp_path, "odd-rules", "odd = odd_rules:PLUGIN", odd_rules=old)
    done = printkit(tmp_path, "salute", "Caesar", folder=tmp_path)
    told = "declares its options in the form of printkit 0.2; declare them as docs/dev/own-rules.md shows\n"
    assert (done.returncode, done.stderr.endswith(told), done.stderr.count("\n")) == (1, True, 1)

"""What a command loads before it does its work: no library, rule system or sign that it can do without."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from imports import ROOT

from printkit.core import words

LIBRARIES = ("numpy", "shapely", "contourpy", "reportlab", "PIL", "pypdfium2", "pydantic", "rich", "multiprocessing")
"""Libraries that take time to load."""

COMMAND_LINE = (
    r"core(\.(errors|numbers|paths|units))?|cli(\.\w+)?|console(\.(help|own_name|stages|terminal))?|options(\.\w+)?"
    r"|kit(\.(plugin|registry))?|systems(\.\w+(\.plugin)?)?|__main__"
)
"""Modules of printkit that read a command line."""

_PROBE = """
import os, runpy, sys

class Probe:
    def find_spec(name, path=None, target=None):
        if name == "numpy":
            print("threads", os.environ.get("OPENBLAS_NUM_THREADS"), file=sys.stderr)

sys.meta_path.insert(0, Probe)
sys.argv[:] = ["printkit", *sys.argv[1:]]
try:
    runpy.run_module("printkit", run_name="__main__", alter_sys=True)
finally:
    print("loaded", *sys.modules, file=sys.stderr)
"""


def start(*arguments: str) -> tuple[set[str], list[str]]:
    """Return the modules that one command in a process of its own has loaded, and what it wrote beside."""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", _PROBE, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"PYTHONPATH": str(ROOT)},
    )
    lines = done.stderr.splitlines()
    loaded = next(line for line in lines if line.startswith("loaded "))
    return set(loaded.split()[1:]), [line for line in lines if line != loaded]


def libraries(loaded: set[str]) -> set[str]:
    """Return those of the libraries that were loaded."""
    return {name.split(".")[0] for name in loaded} & set(LIBRARIES)


def own(loaded: set[str]) -> set[str]:
    """Return the modules of printkit that were loaded, without the package's name."""
    return {name.removeprefix("printkit.") for name in loaded if name.startswith("printkit.")}


def beyond(allowed: str, loaded: set[str]) -> list[str]:
    """Return the modules of printkit that were loaded though they are not allowed."""
    return sorted(name for name in own(loaded) if not re.fullmatch(allowed, name))


@pytest.mark.parametrize("arguments", [["--help"], ["map", "--seed", "x"]], ids=lambda each: " ".join(each))
def test_help_and_wrong_options_load_the_command_line_alone(arguments: list[str]) -> None:
    loaded, _ = start(*arguments)
    assert libraries(loaded) == set()
    assert ("tomllib" in loaded) == ("msgspec" in loaded) == (arguments != ["--help"])
    # What cannot be read is looked up in the table of synonyms.
    allowed = COMMAND_LINE if arguments == ["--help"] else rf"{COMMAND_LINE}|console\.resolve|core\.(nearest|resources)"
    assert beyond(allowed, loaded) == []


LOOKED_UP = (
    rf"{COMMAND_LINE}|core\.(nearest|words|resources)|console\.(games|batches|prompts|resolve)|export(\.writers)?"
    r"|recipes(\.game(\.book_lines)?)?"
)
"""The same with those that know the names of rule systems."""


@pytest.mark.parametrize("arguments", [["map", "--rules", "nope"], ["rules"]], ids=lambda each: " ".join(each))
def test_names_are_looked_up_without_what_they_name(arguments: list[str]) -> None:
    loaded, _ = start(*arguments)
    assert libraries(loaded) == set()
    assert beyond(LOOKED_UP, loaded) == []


def test_a_map_loads_one_rule_system_and_the_libraries_and_signs_that_draw_it(tmp_path: Path) -> None:
    given = ("--rules", "brantley", "--seed", "7", "--scale", "1:8", "--out", str(tmp_path), "--quiet")
    loaded, said = start("map", *given)
    assert libraries(loaded) <= {"numpy", "shapely", "contourpy", "reportlab", "PIL"}
    for_one_call = {"numpy.ma", "numpy.random", "numpy.polynomial", "importlib.resources", "zipfile", "statistics"}
    assert loaded & {*for_one_call, "rich"} == set()
    assert {name.split(".")[1] for name in own(loaded) if re.match(r"systems\.\w+\.system\b", name)} == {"brantley"}
    other_sheets = re.compile(
        r"content\.cards|hexon\..*|recipes\.box\.(box_list|holding|piece_\w+)|drawing\.cards\..*"
        r"|drawing\.text\.(leaflet|typesetting|set_\w+|flow|form_parts)|recipes\.evening\..*|recipes\.prints\.decks"
        r"|export\.(png|svg)|systems\.brantley\.(sheets|dealing\.decks)\b.*"
    )
    assert sorted(name for name in own(loaded) if other_sheets.fullmatch(name)) == []
    record = json.loads(next(tmp_path.glob("records/*.json")).read_text(encoding="utf-8"))
    kinds = {feature["properties"]["kind"] for feature in record["features"]}
    signs = {name.rsplit(".", 1)[-1] for name in own(loaded) if name.startswith("drawing.signs.")}
    assert "settlement" not in signs or {"bua", "village", "hamlet", "town"} & kinds
    assert signs & {"fort", "fields", "camp", "railway", "sand", "mountain", "cliffs", "scrub"} == set()
    # One thread is asked for before numpy loads.
    assert [line for line in said if line.startswith("threads")][:1] == ["threads 1"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"printkit": "printkit.__main__:main"}


def leaves(tree: dict[str, Any], before: str) -> dict[str, str]:
    """Return the words of a file by their whole keys."""
    found: dict[str, str] = {}
    for name, value in tree.items():
        found |= leaves(value, f"{before}{name}.") if isinstance(value, dict) else {f"{before}{name}": value}
    return found


@pytest.mark.parametrize("language", ["en", "es"])
def test_words_read_by_parts_are_those_of_whole_files_and_heads_name_all_of_them(language: str) -> None:
    folder = ROOT / "templates" / "words" / language
    files = {path.name: tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.toml")}
    held: dict[str, set[str]] = {name: set() for name in files}
    for head, names in words._files_by_header(language).items():
        for name in names:
            held[name].add(head.partition(".")[0])
    assert held == {name: set(tree) for name, tree in files.items()}
    whole = {key: word for tree in files.values() for key, word in leaves(tree, "").items()}
    assert words.catalogue(language) == whole


def test_a_word_is_found_without_parsing_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    words.clear_caches()
    parsed: list[str] = []

    def loads(text: str) -> dict[str, Any]:
        parsed.append(text)
        return real(text)

    real: Callable[[str], dict[str, Any]] = tomllib.loads
    monkeypatch.setattr(tomllib, "loads", loads)
    english = words.find_words("en")
    assert english("marks.seed", seed=7) == "seed 7"
    assert not english.has("marks.nothing")
    assert len(parsed) == 1
    assert set(real(parsed[0])) == {"marks"}
    assert english("npg.cards.span.any")
    assert {first for text in parsed[1:] for first in real(text)["npg"]} == {"cards"}

"""Every control of a form is an option of the option table, with its title, or is here with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from desks import OWN, bare, running

from printkit.core.words import find_words
from printkit.kit import registry
from printkit.options.commands import GameOptions, LeagueOptions
from printkit.options.play import BattleOptions
from printkit.options.printing import FileOptions, MapOptions
from printkit.options.table import rows

ROWS = [
    row
    for options in (MapOptions, FileOptions, GameOptions, LeagueOptions, BattleOptions)
    for row in rows(options)
    if row.option.title
]
SETTINGS = {setting.key for name in registry.names() for setting in registry.find(name).book.settings}

OTHERS = {
    "names": "a setting of every rule system",
    "ink": "a preference: two of the styles",
    "type": "a preference: large print or not",
    "unit": "lengths on pages only",
    "build": "--table build, as yes or no",
    "part-": "--with and --without, part by part",
    "score-": "a score of each table",
    "text": "the text of an uploaded record",
    "record": "the text of an uploaded record",
    "npg": "an army of a new battle",
    "you": "an army of a new battle",
    "name-": "the name of an own army",
    "own-": "the list of an own army",
    "field": "the battlefield of a new battle",
    "across": "a half of --measured",
    "along": "a half of --measured",
    "address": "the address for phones",
    "right": "how far a feature moves",
    "farther": "how far a feature moves",
    "answer": "a roll of the log",
    "attacker": "a question about odds",
    "defender": "a question about odds",
    "chances": "a question about odds",
    "dice": "the dice of one bound",
    "edge": "the edge left for the NPG",
    "log": "the log of the table aid",
    "camp-": "losses with the camp",
}
_CONTROL = re.compile(r'<(?:input(?![^>]*type="hidden")|select|textarea)[^>]*\bname="([^"]+)"')


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_control_is_an_option_with_its_title_or_has_a_reason(tmp_path: Path, lang: str) -> None:
    words, used = find_words(lang), set()
    with running(tmp_path, lang=lang) as browser:
        (tmp_path / "printers").mkdir()
        (tmp_path / "printers" / "office.toml").touch()
        kept = bare(browser)
        battle = browser.post("/battle", data={"npg": "gallic", "you": "hyksos-later"}, headers=OWN)
        pages = ["/", "/check", "/hands", "/club", "/battle", "/printer", battle.headers["location"]]
        parts = ("", "?rules=portable-2", "/throws", "/hand", "/print", "/evening")
        pages += [f"/field/{kept.id}{part}" for part in parts]
        for page in pages:
            text = browser.get(page).text
            for name in set(_CONTROL.findall(text)) - SETTINGS:
                used.add(name)
                if not any(name == other or (other[-1] == "-" and name.startswith(other)) for other in OTHERS):
                    titles = [row.title_in(words) for row in ROWS if row.flag == f"--{name}"]
                    assert any(title in text for title in titles), f"{page}: {name} is neither an option nor excused"
    assert {"sheet", "overlap", "title", "board", "cell", "seed", "rules", "tables", "unit"} <= used

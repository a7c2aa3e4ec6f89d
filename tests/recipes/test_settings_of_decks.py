"""Decks of cards by the settings of their rules: each deck that follows rules takes them, any other refuses them."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from command_lines import Captured

from printkit.cli.app import run
from printkit.core.words import find as language
from printkit.kit.registry import find, names, plugin
from printkit.recipes.prints.decks import find_deck

pytestmark = pytest.mark.usefixtures("table")

OWN = [
    (rules, deck)
    for rules in names()
    for deck in dict.fromkeys((*plugin(rules).decks, *plugin(rules).free_decks.names))
]


def words_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as made:
        return "".join(page.get_textpage().get_text_range() for page in made)


def cards(deck: str, *more: str) -> int:
    return run(["cards", deck, *more, "--force", "--lang", "en"])


@pytest.mark.parametrize(("rules", "deck"), OWN)
def test_a_deck_takes_every_setting_of_its_rules(rules: str, deck: str) -> None:
    system, words = find(rules), language("en+es")
    usual = find_deck(deck, words, {rules: system}).deck
    for setting in system.book.settings:
        same = find_deck(deck, words, {rules: system}, settings={setting.key: setting.default}).deck
        assert same == usual, setting.key


@pytest.mark.parametrize(("rules", "deck"), OWN)
def test_a_deck_refuses_a_setting_that_its_rules_do_not_know(rules: str, deck: str, capsys: Captured) -> None:
    assert cards(deck, "--rules", rules, "--set", "nosuch=1", "--plan") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"printkit: --set: {rules} has no setting 'nosuch'")


@pytest.mark.parametrize("deck", ["npg", "booklet"])
def test_cards_of_the_solo_game_say_what_a_setting_changes(deck: str) -> None:
    assert cards(deck, "--out", "usual.pdf") == 0
    assert cards(deck, "--set", "swap=auto", "--set", "scale=15mm", "--out", "set.pdf") == 0
    assert words_of(Path("usual.pdf")) != words_of(Path("set.pdf"))


def test_the_kit_follows_the_settings_of_its_rules_and_files_have_another_name() -> None:
    for folder, more in (("usual", ()), ("set", ("--set", "br-q20=clear"))):
        assert cards("kit", "--out", folder, *more) == 0
    names_of = [sorted(path.name for path in Path(folder).iterdir()) for folder in ("usual", "set")]
    assert names_of[0] == names_of[1]
    assert [words_of(Path("usual") / name) == words_of(Path("set") / name) for name in names_of[0]].count(False) > 0
    assert cards("npg", "--quiet") == cards("npg", "--set", "swap=auto", "--quiet") == 0
    assert len([*Path("output").iterdir()]) == 2


def test_a_record_has_its_own_settings_and_what_follows_no_rules_has_none(capsys: Captured) -> None:
    assert run(["map", "--seed", "3", "--to", "json", "--out", "game.json", "--quiet"]) == 0
    capsys.readouterr()
    for deck in ("terrain", "kit", "pair"):
        assert cards(deck, "--from", "game.json", "--set", "br-q20=clear") == 2
        assert capsys.readouterr().err == "printkit: --from has its own settings; leave out --set\n"
    for deck in ("blank", "zones", "cut-outs"):
        assert cards(deck, "--set", "br-q20=clear") == 2
        assert capsys.readouterr().err == f"printkit: deck {deck} has no settings; leave out --set\n"

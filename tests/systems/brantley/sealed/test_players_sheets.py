"""Each player's sheets of a deal in his own style, paper and language, as he asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from dealt_games import Captured, refused
from reading import opened, texts

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.recipes.output.printers import parse_player_options

pytestmark = pytest.mark.usefixtures("table")

HANDS = ("player-a/hand.pdf", "player-b/hand.pdf")
OPEN = ("deal", "--open", "--seed", "7", "--quiet")


def files(out: str, *options: str) -> dict[str, bytes]:
    """Return the files of an open deal, which is the same every time, by their names."""
    assert run([*OPEN, "--lang", "en", *options, "--out", out]) == 0
    (folder,) = Path(out).iterdir()
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.clause("BR-A05", "BR-M11")
def test_each_player_has_his_own_sheets_and_the_rest_stays_as_it_was() -> None:
    plain = files("plain")
    own = [part for choice in ("style=ink-saver", "lang=es") for part in ("--player-a", choice)]
    own += [part for choice in ("sheet=letter", "margin=12mm") for part in ("--player-b", choice)]
    mixed = files("mixed", *own)
    assert {name for name in plain if plain[name] != mixed[name]} == set(HANDS)
    assert mixed[HANDS[0]] == files("a", "--style", "ink-saver", "--lang", "es")[HANDS[0]]
    assert mixed[HANDS[1]] == files("b", "--sheet", "letter", "--margin", "12mm")[HANDS[1]]
    assert "La mano del jugador A" in " ".join(texts(mixed[HANDS[0]]))
    with opened(mixed[HANDS[1]]) as pdf:
        assert sorted(round(float(each)) for each in pdf.pages[0].mediabox[2:]) == [612, 792]


def test_choices_are_read_as_a_person_types_them() -> None:
    assert parse_player_options([" Style = ink-saver", "sheet=a3", "sheet=letter"]) == {
        "style": "ink-saver",
        "sheet": "letter",
    }
    assert parse_player_options(["style=mine=2.toml"]) == {"style": "mine=2.toml"}
    for text in ("style", "style=", "=a4", "colour=red", ""):
        with pytest.raises(
            UsageError, match="not valid for a player's sheets; write for example style=ink-saver, with one of style, "
        ):
            parse_player_options([text])


@pytest.mark.parametrize("option", ["--player-a", "--player-b"])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("colour=red", "'colour=red' is not valid for a player's sheets"),
        ("style=gaudy", "there is no 'gaudy' among the styles"),
        ("sheet=a9", "unknown paper 'a9'"),
        ("margin=wide", "'wide'"),
        ("lang=fr", "unknown language 'fr'"),
    ],
)
def test_a_wrong_choice_is_one_line_and_deals_nothing(option: str, given: str, message: str, capsys: Captured) -> None:
    refused(capsys, ["deal", option, given], 2, f"{option}: ", message)
    assert not Path("output").exists()

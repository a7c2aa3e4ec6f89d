"""Sheets of a deal that are printed again: for one player, in another style, paper and language."""

from __future__ import annotations

from pathlib import Path

import pytest
from dealt_games import Captured, closed, dealt, names, refused
from reading import opened, texts

from printkit.cli.app import run

pytestmark = pytest.mark.usefixtures("table")


@pytest.mark.clause("BR-A05", "BR-M11", "BR-M12")
def test_the_hand_of_a_dealt_game_is_printed_again_alone(capsys: Captured) -> None:
    folder = dealt("--open", deck="", drawn=True)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    plain = ["status", str(folder), "--only", "player-b", "--lang", "en", "--style", "ink-saver"]
    # With the same choices it has the same bytes, also in another folder.
    assert run([*plain, "--out", "again"]) == 0
    assert names(Path("again")) == ["player-b/hand.pdf"]
    assert Path("again/player-b/hand.pdf").read_bytes() == before[folder / "player-b/hand.pdf"]
    assert run([*plain, "--sheet", "letter", "--margin", "12mm", "--lang", "es"]) == 0
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert {path for path in after if after[path] != before.get(path)} == {folder / "player-b/hand.pdf"}
    hand = after[folder / "player-b/hand.pdf"]
    assert len(hand) == len(before[folder / "player-b/hand.pdf"])
    assert "La mano del jugador B" in " ".join(texts(hand))
    with opened(hand) as pdf:
        assert sorted(round(float(each)) for each in pdf.pages[0].mediabox[2:]) == [612, 792]
    assert "player-b/hand.pdf" in capsys.readouterr().err


def test_several_sheets_are_printed_again_and_without_a_ninth_card_there_is_no_such_sheet(capsys: Captured) -> None:
    folder = dealt("--set", "ninth=clear")
    assert run(["status", str(folder), "--only", "board", "--only", "player-a", "--out", "again", "--quiet"]) == 0
    assert names(Path("again")) == ["board.pdf", "player-a/hand.pdf"]
    assert closed(folder).ninth == "clear"
    for options, message in (
        (["--only", "ninth"], "--only 'ninth' is not a sheet of this game; use player-a, player-b, board, record-form"),
        (["--only", "player-c"], "--only 'player-c' is not a sheet of this game"),
        (["--only", "board", "--to", "svg"], "--only writes PDF files into a folder; leave out --to"),
        (["--only", "board", "--out", "board.pdf"], "name a folder with --out"),
        (["--only", "board", "--style", "gaudy"], "there is no 'gaudy' among the styles"),
    ):
        refused(capsys, ["status", str(folder), *options], 2, message)


def test_the_options_of_two_players_at_the_deal_are_gone_and_say_what_to_use(capsys: Captured) -> None:
    for command, option, message in (
        ("deal", "--player-b", "--player-b was removed; to print only that folder: --only player-b"),
        ("status", "--placements", "--placements was removed; the turns are in game.txt next to the sealed game"),
    ):
        refused(capsys, [command, option, "x"], 2, message)

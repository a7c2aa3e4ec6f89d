"""Games that a person throws line by line: what he reads, takes back and goes on with, in English and in Spanish."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from printkit.cli.app import run
from printkit.console import terminal

CARDS = "KC QC JC 9C 8S 7S 6S 5S 4S"


Play = Callable[[str, Sequence[str]], tuple[int, str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], table: Path) -> Play:
    """Return what plays a game for someone who types lines into the command, and reads what it says."""
    del table

    def played(command: str, typed: Sequence[str]) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        status = run([*f"map --ask --to json --out f.json --quiet --force {command}".split()])
        return status, capsys.readouterr().err

    return played


def log() -> list[tuple[str, str]]:
    kept = json.loads(Path("f.json").read_text(encoding="utf-8"))["log"]
    return [(throw["reason"], throw["answer"]) for throw in kept]


def test_cards_are_laid_by_hand_and_an_answer_is_taken_back(play: Play) -> None:
    status, said = play("--seed 5 --lang en", [CARDS, "9c", "5", "5s", "back", "back", "7", *[""] * 200])
    assert status == 0
    assert "shuffle of the pack (52 cards, the top 9 are enough; Enter: rolled for you)" in said
    assert (
        "card of A, turn 1 (choice of 4; Enter: rolled for you)\n  1 KC, 2 QC, 3 JC, 4 9C\n> 9C gives hill 1\n" in said
    )
    assert "zone of A, turn 1 (choice of 9; Enter: rolled for you)\n  1, 2, 3, 4, 5, 6, 7, 8, 9\n> " in said
    assert "5S gives light woods" in said
    assert "rolled for you:" in said
    assert log()[1:3] == [("card of A, turn 1", "9C"), ("zone of A, turn 1", "7")]


def test_ctrl_c_saves_the_answers_and_says_how_to_continue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], table: Path
) -> None:
    monkeypatch.setattr(terminal, "_STOPS", [])
    lines = iter(["dry\n", "\n"])

    def line() -> str:
        try:
            return next(lines)
        except StopIteration:
            return terminal.stop(2, None) or ""

    monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=line, isatty=lambda: True))
    command = ["map", "--ask", "--rules", "dba3", "--seed", "3", "--to", "json"]
    with pytest.raises(KeyboardInterrupt):
        run(command)
    kept = "output/asked-dba3-seed3.txt"
    told = f"answers saved: 2. To continue: printkit {' '.join(command)} --dice @{kept}\n"
    assert capsys.readouterr().err.endswith(told)
    assert (table / kept).is_file()


def test_what_was_typed_is_kept_and_gone_on_with(play: Play) -> None:
    command, typed = "--rules dba3 --seed 3 --lang es", ["árido", "matorral", "", "2", ""]
    assert play(command, [*typed, *[""] * 60])[0] == 0
    whole = Path("f.json").read_bytes()
    status, said = play(command, typed)
    assert status == 2
    kept = "output/asked-dba3-seed3.txt"
    assert f"respuestas guardadas: {len(typed)}. Para continuar: printkit " in said
    assert said.endswith(f" {command} --dice @{kept}\n")
    status, said = play(f"--lang es --dice @{kept}", [""] * 60)
    assert status == 0
    assert "terreno de origen" not in said
    assert Path("f.json").read_bytes() == whole


def test_quarters_are_chosen_in_spanish(play: Play) -> None:
    typed = ["bosque", "", "", "", "", "", "", "", "", "5", "7", "atrás", "3", *[""] * 60]
    status, said = play("--rules dba3 --seed 3 --set home=arable --lang es", typed)
    assert status == 0
    assert "no es válido; «elemento obligatorio 1» es una de" in said
    assert " 5 da defensor\n" in said
    assert (
        "a elección del defensor (elegir entre 4; Intro: se tira por ti)\n  1, 2, 3, 4\n> printkit: 7 no es válido"
        in said
    )
    assert next(answer for reason, answer in log() if "for the defender" in reason) == "3"


def test_a_roll_says_what_it_brought(play: Play) -> None:
    command = "--rules acw --seed 5 --board 48x24in --set geography=farm"
    status, said = play(f"{command} --lang en", ["9", *"4444"])
    assert status == 2
    assert (
        "zone 1, roll 1 (d6; Enter: rolled for you) printkit: 9 is not valid: d6 for zone 1, roll 1 can be 1 to 6"
        in said
    )
    assert " 4 gives Building\n" in said
    status, said = play(f"{command} --lang es", "4444")
    assert status == 2
    assert " 4 da edificio\n" in said
    # A list of scores is no beginning.
    Path("dice.txt").write_text("5 3 2", encoding="utf-8")
    status, said = play("--seed 5 --lang en --dice @dice.txt", [])
    assert status == 2
    assert "--ask and --dice cannot be combined. Use one of them." in said

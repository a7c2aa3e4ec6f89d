"""The questions of ``printkit play``: the command that they end in, and what happens without a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from printkit.cli.app import all_commands, run
from printkit.console import terminal
from printkit.console.play import ask_command
from printkit.options.table import read_command

COMMANDS = all_commands()

ENTER = ("",) * 9


@pytest.fixture(autouse=True)
def _user(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(terminal, "has_user", lambda: True)
    terminal.set_language(["--lang", "en"])
    yield
    terminal.set_language(["--lang", "en"])


def command_of(monkeypatch: pytest.MonkeyPatch, *lines: str, lang: str = "en") -> str:
    """Return the command that the answers end in."""
    replies = iter([*lines, *ENTER])
    monkeypatch.setattr(terminal, "ask", lambda _: f"{next(replies)}\n")
    return shlex.join(ask_command(lang))


@pytest.mark.parametrize(
    ("lines", "command"),
    [
        ((), "handouts --rules brantley --board 24in"),
        (("", "36in", "2", "3", "Ann, Bob", "3"), "handouts --rules brantley --board 36in --table build --sheet a3 "
         "--players 'Ann, Bob' --lang en+es"),
        (("dba alone",), "npg new hyksos-later polybian-roman"),
        (("2", "welsh", "welsh,  viking"), "npg new welsh viking"),
        (("3",), "handouts --rules portable-2 --table hexon"),
        (("3", "a printed map", "Letter"), "handouts --rules portable-2 --sheet letter"),
        (("4",), "handouts --rules acw --board 72x48in"),
        (("5", "60cm"), "deal --board 60cm"),
        (("6", "Ann, Bob, Carmen", "0", "many", "1"),
         "league new club --rules brantley --players 'Ann, Bob, Carmen' --tables 1"),
        (("6",), "league new club --rules brantley"),
        (("7", "?", "back", "4", "back", "1", "large", "", "", "", "a, b, c"),
         "handouts --rules brantley --board 24in"),
        (("1", "60cm", "2", "back", "back", "30in"), "handouts --rules brantley --board 30in"),
    ],
)  # fmt: skip
def test_the_answers_end_in_a_command(lines: tuple[str, ...], command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert command_of(monkeypatch, *lines) == command
    words = shlex.split(command)
    name = " ".join(words[:2]) if " ".join(words[:2]) in COMMANDS else words[0]
    read_command(COMMANDS[name], words[len(name.split()) :])


def test_in_spanish_there_is_one_game_more(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal.set_language(["--lang", "es"])
    assert command_of(monkeypatch, "2", lang="es") == "handouts --rules collision-course --lang es"
    assert command_of(monkeypatch, "Rumbo de colisión", "1", "atrás", "2", lang="en").endswith("--table build")


def test_the_command_runs_and_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setattr("printkit.cli.app.run", lambda words: ran.append(words) or 1)
    monkeypatch.setattr(terminal, "fresh_seed", lambda: 7)
    replies = iter(ENTER)
    monkeypatch.setattr(terminal, "ask", lambda _: f"{next(replies)}\n")
    assert run(["play"]) == 1
    assert ran == [("handouts", "--rules", "brantley", "--board", "24in", "--seed", "7")]
    assert capsys.readouterr().err.endswith(
        "The same without questions:\n  printkit handouts --rules brantley --board 24in --seed 7\n"
    )


def test_without_a_terminal_play_ends_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "has_user", lambda: False)
    assert run(["play"]) == 2
    assert capsys.readouterr().err == "printkit: play asks questions and needs a terminal\n"


def test_ctrl_c_leaves_nothing(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter(["5\n", ""])
    monkeypatch.setattr(terminal, "ask", lambda _: next(replies))
    with pytest.raises(KeyboardInterrupt):
        run(["play"])
    assert not [*table.iterdir()]

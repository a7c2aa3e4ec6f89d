"""The line that says what a long command is doing: after a second, at a terminal, and never in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.console import stages, terminal
from printkit.console.stages import StageLine
from printkit.core.errors import Sentence


class Screen:
    """A terminal of one line, with a clock that a test sets."""

    def __init__(self) -> None:
        self.text, self.seconds = "", 0.0
        self.line = StageLine(self.write, lambda: self.seconds)

    def write(self, text: str) -> None:
        """Write over the line from its start."""
        for part in text.split("\r"):
            self.text = part + self.text[len(part) :]

    def shown(self, seconds: float) -> str:
        """Return what the line shows at a time."""
        self.seconds = seconds
        self.line.show()
        return self.text.rstrip()


def test_the_line_grows_by_stages_and_shows_the_seconds() -> None:
    screen = Screen()
    screen.line.enter("rolling the terrain")
    assert screen.shown(0.9) == ""
    assert screen.shown(1) == "Rolling the terrain (1 s)"
    screen.line.enter("drawing the map")
    screen.line.enter("drawing the map")
    assert screen.shown(4.2) == "Rolling the terrain ... drawing the map (4 s)"


def test_a_long_line_loses_its_first_stages_and_other_text_its_rest() -> None:
    screen = Screen()
    for number in range(20):
        screen.line.enter(f"player-a/player-{number}.pdf")
    shown = screen.shown(100)
    assert len(shown) < 80
    assert shown.endswith("player-a/player-19.pdf (100 s)")
    screen.line.enter("x" * 200)
    assert len(screen.shown(101)) < 80
    with screen.line.hide():
        assert not screen.text.strip()
    assert screen.shown(102)
    screen.line.close()
    assert not screen.shown(103)


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the stages that begin, without a thread."""
    names: list[str] = []
    monkeypatch.setattr(terminal, "enter_stage", names.append)
    yield names
    terminal.set_language(["--lang", "en"])


@pytest.mark.parametrize(
    ("is_terminal", "words", "shown"),
    [
        (True, ["map", "--lang", "es"], ["dibujando el mapa"]),
        (True, ["map", "--quiet"], []),
        (False, ["map"], []),
    ],
)
def test_only_a_user_at_a_terminal_sees_stages(
    is_terminal: bool, words: list[str], shown: list[str], entered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.set_language(words)
    monkeypatch.setattr("sys.stderr.isatty", lambda: is_terminal, raising=False)
    terminal.stage(Sentence("drawing the map"))
    assert entered == shown


@pytest.mark.parametrize(("to", "last"), [("pdf", "writing the PDF"), ("svg", "writing the files")])
def test_a_map_is_rolled_drawn_and_written(
    to: str, last: str, entered: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert run(["map", "--seed", "7", "--scale", "fit", "--to", to, "--lang", "en", "--out", str(tmp_path)]) == 0
    assert entered == ["rolling the terrain", "drawing the map", last]


def test_the_end_of_a_command_ends_its_line() -> None:
    stages.enter_stage("drawing the map")
    line, ended = stages._RUNNING[0]
    stages.end_stages()
    assert ended.is_set()
    assert not stages._RUNNING
    assert not line._stages
    stages.end_stages()

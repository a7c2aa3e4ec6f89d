"""The window of the stand-alone program: what it shows of a studio, in both languages, and that both end together."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from types import ModuleType
from typing import Any, Final

import pytest
from imports import load_script

ROOT: Final = Path(__file__).parents[2]
TEMPLATES: Final = ROOT / "templates"
ADDRESS: Final = "http://127.0.0.1:8024/?key=x"
AT: Final = f'{{"at": "{ADDRESS}"}}'
FOLDER: Final = '{"folder": "/tmp"}'

SERVERS: Final[list[subprocess.Popen[bytes]]] = []

# The studio in these tests: it writes lines, and ends when its standard input closes.
STUDIO: Final = "import sys; print(*{lines!r}, sep='\\n', flush=True); sys.stdin.read()"
# It tells a pipe that it has started, and closes the pipe when it ends.
PIPED: Final = f"pipe = open({{pipe!r}}, 'w'); print('started', file=pipe, flush=True); {STUDIO}"


@pytest.fixture(scope="module")
def launcher() -> ModuleType:
    """Return the module of the window."""
    pytest.importorskip("tkinter")
    return load_script("packaging/launcher.py")


@pytest.mark.parametrize(
    ("lines", "status", "title"),
    [
        ((), None, "starting"),
        (("a warning of a library", "[1]", "7", '{"unknown": 1}', ""), None, "starting"),
        ((AT, FOLDER), None, "running"),
        ((AT, '{"phones": true}'), None, "phones"),
        ((AT, '{"phones": true}', '{"phones": false}'), None, "running"),
        ((AT,), 1, "stopped"),
        (("printkit: port 8024 is in use",), 2, "not-started"),
    ],
)
def test_the_title_follows_from_the_lines(
    launcher: ModuleType, lines: tuple[str, ...], status: int | None, title: str
) -> None:
    state: dict[str, Any] = {}
    for line in lines:
        state |= launcher.read_line(line)
    if status is not None:
        state["status"] = status
    assert launcher.title_of(state) == title


@pytest.mark.parametrize(
    ("locale_name", "stop"),
    [
        ("es_ES.UTF-8", "Detener printkit"),
        ("Spanish_Spain", "Detener printkit"),
        ("en_GB.UTF-8", "Stop printkit"),
        ("fr_FR", "Stop printkit"),
        ("C", "Stop printkit"),
    ],
)
def test_the_words_are_in_the_language_of_the_locale(
    launcher: ModuleType, locale_name: str, stop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale_name)
    assert launcher.find_words(TEMPLATES)["stop"] == stop


@pytest.fixture(scope="module")
def screen() -> str:
    """Start a display in memory, if the system has one, and return its name.

    Tk keeps its connection as long as the process lives, and the display ends with the last connection.
    """
    if which("Xvfb") is None:
        pytest.skip("there is no Xvfb")
    reading, writing = os.pipe()
    command = ["Xvfb", "-terminate", "-nolisten", "tcp", "-displayfd", str(writing)]
    SERVERS.append(subprocess.Popen(command, pass_fds=(writing,), stderr=subprocess.DEVNULL))
    os.close(writing)
    with os.fdopen(reading) as number:
        return f":{number.readline().strip()}"


@pytest.fixture
def display(screen: str, launcher: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Yield the module of the window, with a display and in English."""
    monkeypatch.setenv("DISPLAY", screen)
    monkeypatch.setenv("LC_ALL", "C")
    yield launcher
    # A window in a cycle must be freed here: if the collector runs in a thread of a later test, Tk aborts the process.
    gc.collect()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, display: ModuleType) -> list[str]:
    """Return the addresses that the window opens."""
    addresses: list[str] = []
    monkeypatch.setattr(display.webbrowser, "open", addresses.append)
    return addresses


def _texts(window: Any) -> list[str]:
    return [str(widget.cget("text")) for widget in window.frame.winfo_children()]


def _wait(window: Any, title: str) -> list[str]:
    """Return the texts of a window after it has shown a title."""
    while (texts := _texts(window))[0] != window.words[title]:
        window.root.tk.dooneevent(0)
    return texts


def test_a_running_studio_is_opened_once_and_its_folder_at_a_click(display: ModuleType, opened: list[str]) -> None:
    window = display.Window([sys.executable, "-c", STUDIO.format(lines=(AT, FOLDER))], display.find_words(TEMPLATES))
    assert _texts(window) == ["Starting ...", "", "Stop printkit"]
    assert window.root.state() == "withdrawn"
    assert _wait(window, "running")[1:] == [
        "Close this window to stop it.",
        "Stop printkit",
        "Open the folder",
        "Open in the browser",
    ]
    while window.root.state() != "normal" or "folder" not in window.state:
        window.root.tk.dooneevent(0)
    *_, stop_button, folder_button, browser_button = window.frame.winfo_children()
    folder_button.invoke()
    browser_button.invoke()
    assert opened == [ADDRESS, "file:///tmp", ADDRESS]
    window.root.after(0, stop_button.invoke)
    window.run()
    assert window.child.returncode == 0


@pytest.mark.parametrize(
    ("lines", "status", "title", "reason"),
    [
        (("printkit: port 8024 is in use",), 2, "not-started", "printkit: port 8024 is in use"),
        ((AT, "Killed"), 1, "stopped", "Killed"),
        ((AT, '{"stopped": "Saved in /tmp."}'), 0, "stopped", "Saved in /tmp."),
        ((), 3, "not-started", "It left no message. Its exit status is 3."),
    ],
)
def test_the_end_of_the_studio_is_shown_with_its_reason(
    lines: tuple[str, ...], status: int, title: str, reason: str, display: ModuleType, opened: list[str]
) -> None:
    program = f"import sys; print(*{lines!r}, sep='\\n'); sys.exit({status})"
    window = display.Window([sys.executable, "-c", program], display.find_words(TEMPLATES))
    assert _wait(window, title)[1:] == [reason, "Close", "Copy the message"]
    assert opened == [ADDRESS] * (AT in lines)
    *_, close, copy = window.frame.winfo_children()
    copy.invoke()
    assert window.root.clipboard_get() == reason
    window.root.after(0, close.invoke)
    window.run()


def test_the_thread_that_reads_the_studio_does_not_hold_the_window(display: ModuleType) -> None:
    window = display.Window([sys.executable, "-c", STUDIO.format(lines=())], display.find_words(TEMPLATES))
    child, reference = window.child, weakref.ref(window)
    window.root.destroy()
    del window
    gc.collect()
    assert child.poll() is None
    assert reference() is None
    child.stdin.close()
    assert child.wait() == 0


def test_a_second_start_shows_no_window(display: ModuleType, opened: list[str]) -> None:
    window = display.Window([sys.executable, "-c", f"print({AT!r})"], display.find_words(TEMPLATES))
    shown: list[object] = []
    window.root.bind("<Map>", shown.append)
    window.run()
    assert opened == [ADDRESS]
    assert shown == []


@pytest.mark.usefixtures("display")
def test_a_killed_window_ends_the_studio(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    studio = [sys.executable, "-c", PIPED.format(pipe=str(pipe), lines=(AT,))]
    script = f"import launcher; from pathlib import Path; words = launcher.find_words(Path({str(TEMPLATES)!r})); "
    script += f"launcher.Window({studio!r}, words).run()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "packaging"), "BROWSER": "true"}
    with subprocess.Popen([sys.executable, "-c", script], env=environment) as window, pipe.open() as lines:
        assert lines.readline() == "started\n"
        window.kill()
        assert lines.read() == ""

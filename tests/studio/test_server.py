"""Starting and ending the studio: one for each folder, with a key that stays, and a child of the launcher."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from desks import OWN, desk_of, running

from printkit.core.errors import UsageError
from printkit.studio import server
from printkit.studio.app_state import Settings
from printkit.studio.server import StudioState, is_running, read_state, state_file, write_state
from printkit.studio.tokens import cookie_name


class Studios:
    """Studios in processes of their own, with one folder for their state."""

    def __init__(self, folder: Path, kept: ExitStack) -> None:
        self.out = folder / "out"
        self.state_folder = folder / "state" / "printkit"
        self._env = {**os.environ, "BROWSER": "none", "XDG_STATE_HOME": str(folder / "state")}
        self._kept = kept

    @property
    def state(self) -> StudioState:
        found = read_state(state_file(self.state_folder, self.out), self.out)
        assert found is not None
        return found

    def start(self, *options: str) -> subprocess.Popen[str]:
        """Start a studio, and return its process; it is killed at the end of the test."""
        command = [sys.executable, "-m", "printkit", "studio", "--lang", "en", "--out", str(self.out), *options]
        pipes: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = self._kept.enter_context(subprocess.Popen(command, text=True, env=self._env, **pipes))
        self._kept.callback(process.kill)
        return process

    def ask(self, method: str, path: str, body: str = "") -> Any:
        """Return the answer of the studio that runs."""
        with closing(HTTPConnection("127.0.0.1", self.state.port, timeout=60)) as line:
            line.request(method, path, body, {**OWN, "Cookie": f"{cookie_name(self.state.port)}={self.state.key}"})
            answer = line.getresponse()
            answer.read()
            return answer


@pytest.fixture
def studios(tmp_path: Path) -> Iterator[Studios]:
    if sys.platform != "linux":
        pytest.skip("only Linux reads XDG_STATE_HOME")
    with ExitStack() as kept:
        yield Studios(tmp_path, kept)


def _line(stream: Any) -> str:
    return str(stream.readline()).rstrip("\n")


def test_a_killed_studio_loses_nothing_and_keeps_its_key(studios: Studios) -> None:
    first = studios.start()
    assert _line(first.stderr) == f"the studio is running at {studios.state.address}"
    key, pid = studios.state.key, studios.state.pid
    assert (len(key), pid) == (22, first.pid)
    (file,) = studios.state_folder.glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    place = studios.ask("POST", "/field", "rules=dba3&seed=2").headers["Location"]
    first.kill()
    first.wait()
    assert not is_running(studios.state)
    with running(studios.out) as browser:
        (kept,) = desk_of(browser).sitting.fields
        assert (place, kept.seed) == (f"/field/{kept.id}", 2)
        assert browser.get(f"{place}.json").status_code == 200
    second = studios.start("--new-key")
    assert _line(second.stderr).endswith(f"?key={studios.state.key}")
    assert studios.state.key != key
    key = studios.state.key
    third = studios.start()
    assert third.wait(60) == 0
    assert third.stderr is not None
    assert third.stderr.read() == f"the studio is already running at {studios.state.address}\n"
    fourth = studios.start("--new-key")
    assert fourth.wait(60) == 2
    assert (studios.state.key, studios.state.pid) == (key, second.pid)
    child = studios.start("--child")
    assert child.communicate()[0].splitlines() == [
        json.dumps({"folder": str(studios.out), "at": studios.state.address})
    ]
    assert child.returncode == 0


def test_a_child_writes_json_lines_and_ends_with_its_input(studios: Studios) -> None:
    child = studios.start("--child", "--lan")
    events = [json.loads(_line(child.stdout))]
    assert events == [{"folder": str(studios.out), "at": studios.state.address}]
    assert studios.ask("GET", "/check").status == 200
    rest, errors = child.communicate(timeout=60)
    assert child.returncode == 0
    assert {json.dumps({"phones": True}), json.dumps({"phones": False})} >= {*rest.splitlines()}
    assert errors == ""
    assert not is_running(studios.state)
    studios.start()
    refused = studios.start("--child", "--port", "70000")
    assert refused.wait(60) == 2
    taken = Path(studios.out.parent, "other")
    busy = subprocess.run(
        [sys.executable, "-m", "printkit", "studio", "--child", "--port", str(studios.state.port), "--out", str(taken)],
        env={**os.environ, "XDG_STATE_HOME": str(studios.state_folder.parent), "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    (event,) = map(json.loads, busy.stdout.splitlines())
    assert re.fullmatch(r"port \d+ is in use; try --port \d+", event["stopped"])
    assert (busy.returncode, busy.stderr) == (2, "")
    assert "is in use" in (studios.state_folder / "printkit.log").read_text("utf-8")


@pytest.mark.parametrize(("browser", "opened"), [(None, 1), ("firefox", 1), ("none", 0)])
def test_the_browser_stays_closed_where_somebody_wants_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: str | None, opened: int
) -> None:
    addresses: list[str] = []
    lines: list[str] = []
    monkeypatch.delenv("BROWSER", raising=False)
    if browser is not None:
        monkeypatch.setenv("BROWSER", browser)
    monkeypatch.setattr("webbrowser.open", addresses.append)
    listening = Mock(getsockname=lambda: ("127.0.0.1", 8024))
    monkeypatch.setattr(server, "_listening", lambda _: listening)
    monkeypatch.setattr(server, "_run", Mock())
    settings = Settings(out=tmp_path, key="k")
    for is_child in (False, True):
        server.serve(
            settings, state_folder=tmp_path / "state", show_event=lambda _, more: lines.extend(more), is_child=is_child
        )
    assert addresses == ["http://127.0.0.1:8024/?key=k"] * opened
    assert lines[0] == "the studio is running at http://127.0.0.1:8024/?key=k"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pid": 1, "port": 8024, "key": "", "out": "OUT"}', '{"pid": 1, "key": "k", "out": "OUT"}']
)
def test_a_state_file_that_is_none_is_replaced(tmp_path: Path, text: str) -> None:
    file = state_file(tmp_path, tmp_path)
    file.write_text(text.replace("OUT", str(tmp_path)), encoding="utf-8")
    assert read_state(file, tmp_path) is None
    state = StudioState(pid=1, port=8024, key="k", out=str(tmp_path))
    write_state(file, state)
    assert read_state(file, tmp_path) == state
    assert read_state(file, tmp_path / "other") is None


def test_a_folder_that_cannot_be_written_to_stops_no_studio(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    file = state_file(tmp_path / "file", tmp_path)
    with server.lock_state(file):
        write_state(file, StudioState(pid=1, port=1, key="k", out=str(tmp_path)))
    assert read_state(file, tmp_path) is None


def test_another_program_at_the_port_is_not_the_studio(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        assert browser.get("/alive").json() == {"out": str(tmp_path)}
        browser.cookies.clear()
        assert browser.get("/alive").status_code == 401
    with server.find_socket("127.0.0.1", 0) as silent:
        state = StudioState(pid=1, port=silent.getsockname()[1], key="k", out=str(tmp_path))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server, "_ANSWERS_WITHIN", 0.05)
            assert not is_running(state)
        with pytest.raises(UsageError, match=rf"port {state.port} is in use; try --port \d+"):
            server._listening(state.port)

"""What a person writes or uploads is read in a process that can be stopped; other texts are short, digits ASCII."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from desks import OWN, bare, desk_of, running
from starlette.routing import Route
from starlette.testclient import TestClient

from printkit.core.errors import UsageError
from printkit.studio import command_process, worker_process
from printkit.studio.app_helpers import _LONGEST
from printkit.studio.sealed_games import SealedGames
from printkit.studio.worker_process import Task

TEXTS = {"/battle": ("own-npg", "own-you"), "/battle/{battle}/from-aid": ("log",), "/check": ("record",)}
"""Every address that reads a text of any length, and the names of the texts."""

SHORT = (
    *("/begin", "/preferences", "/stop", "/field/{field}/like"),
    *("/field", "/field/{field}/keep", "/field/{field}/overwrite", "/field/{field}/again", "/field/{field}/gesture"),
    *("/field/{field}/job", "/battle", "/battle/{battle}/bound", "/battle/{battle}/back", "/battle/{battle}/fact"),
    *(
        "/battle/{battle}/from-aid",
        "/hands",
        "/hands/{game}/link",
        "/p/{token}/lay",
        "/p/{token}/number",
        "/p/{token}/proof",
    ),
    *("/phones", "/printer"),
    *("/club", "/club/{league}/{step}"),
)
"""Every address that reads fields of a form that are short."""

NOTHING = ("/hands/{game}/reveal", "/job/{number:int}/stop", "/folder")
"""Every address that reads nothing of what is sent."""

BATTLE = 'schema = "dba-battle/1"\nnpg = "gallic"\nyou = "polybian-roman"\nseed = 11\nattacker = "npg"\n'
_STAGE = "/battle/{battle}/{stage}"


def _address(path: str, browser: TestClient, out: Path) -> str:
    """Return an address of what there is: a field and a battle."""
    battle = out / "battles" / "mine.toml"
    battle.parent.mkdir(exist_ok=True)
    battle.write_text(BATTLE, "utf-8")
    found = {"{field}": bare(browser).id, "{battle}": "mine", "{game}": "x", "{token}": "x", "{number:int}": "1"}
    for name, value in found.items():
        path = path.replace(name, value)
    return path


def test_it_is_known_of_every_address_what_it_reads(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        routes: list[Any] = browser.app.routes  # type: ignore[attr-defined]
        sent_to = {each.path for each in routes if isinstance(each, Route) and "POST" in (each.methods or ())}
    known = {*TEXTS, *SHORT, *NOTHING}
    stages = {path for path in known if path.startswith("/battle/")}
    assert (known - stages) | {_STAGE} == sent_to


@pytest.mark.parametrize("path", SHORT)
def test_a_field_of_a_form_is_short(path: str, tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        address = _address(path, browser, tmp_path)
        answer = browser.post(address, data={"name": "x" * (_LONGEST + 1)}, headers=OWN)
        assert answer.status_code == 422
        assert f"is longer than {_LONGEST} characters" in answer.text


@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path, names in TEXTS.items() for name in names] + [("/check", "")]
)
def test_other_pages_are_answered_while_a_text_is_read(
    path: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, enough = Event(), Event()

    def hang(command: list[str], *, timeout: float, **_: Any) -> None:
        begun.set()
        assert enough.wait(120)
        raise subprocess.TimeoutExpired(command, timeout)

    class Hung:
        """A worker that tells nothing."""

        def __init__(self, _task: Task) -> None:
            self.stopped = False

        def wait(self, _seconds: float) -> bool:
            """Wait until the other pages are answered."""
            begun.set()
            return not enough.wait(120)

        def stop(self) -> None:
            """Take the end of it."""
            self.stopped = True

    monkeypatch.setattr(subprocess, "run", hang)
    monkeypatch.setattr(worker_process, "Worker", Hung)
    text = 'name = "' + "a" * 40_000 + '"\n' * 2
    with running(tmp_path) as browser, ThreadPoolExecutor(1) as others:
        address = _address(path, browser, tmp_path)
        sent: Any = {"data": {name: text, "npg": "gallic", "you": "gallic"}} if name else {"content": text}
        slow = others.submit(browser.post, address, headers=OWN, **sent)
        assert begun.wait(120), "it is read in another process"
        for other in (
            "/battle",
            "/battle/mine",
            "/check",
            "/hands",
            "/static/studio.css",
            f"/field/{bare(browser).id}",
        ):
            assert browser.get(other).status_code == 200
        assert not slow.done()
        enough.set()
        answer = slow.result(120)
    assert answer.status_code == 422
    assert "reading this took more than 30 seconds and was stopped; send something shorter" in answer.text
    assert not list(tmp_path.rglob("armies/*")), "nothing is left of it"


def test_a_command_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    hung = [sys.executable, "-c", "import threading; threading.Event().wait()"]
    monkeypatch.setattr(command_process, "own_command", lambda *_: hung)
    monkeypatch.setattr(command_process, "_SECONDS", 0.5)
    with pytest.raises(UsageError, match=r"took more than 0\.5 seconds"):
        command_process.run_own("check", "x")


@pytest.mark.parametrize("odd", ["²", "①", "༳"])
def test_an_odd_digit_is_refused(tmp_path: Path, odd: str) -> None:
    with running(tmp_path, port=8024) as browser:
        assert browser.get("/", headers={"Host": f"127.0.0.1:{odd}".encode()}).status_code == 400
        assert browser.post("/check", content=b"", headers={**OWN, "Content-Length": odd.encode()}).status_code in (
            400,
            413,
        )
        kept = bare(browser)
        answer = browser.post(f"/field/{kept.id}/overwrite", data={"throw": odd, "answer": "6"}, headers=OWN)
        assert answer.status_code == 422
        answer = browser.post("/battle/none/back", data={"to": odd}, headers=OWN)
        assert answer.status_code in (404, 422)
        name = browser.post("/hands", data={}, headers=OWN).headers["location"].rpartition("/")[2]
        link = SealedGames(desk_of(browser)).links(name)["A"]
        answer = browser.post(f"/p/{link}/lay", data={"card": odd, "zone": odd}, headers=OWN)
        assert answer.status_code == 422

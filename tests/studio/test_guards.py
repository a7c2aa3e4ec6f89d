"""Who is let in to the studio, and what every answer tells the browser."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import Mock

import pytest
from desks import OWN, bare, desk_of, running

from printkit.studio import serving
from printkit.studio.app_guards import LARGEST, POLICY
from printkit.studio.desk import Settings


def test_every_answer_says_what_may_be_loaded_and_uploads_are_no_larger_than_they_may_be(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        for path in (f"/field/{kept.id}", f"/field/{kept.id}.json", "/nowhere", "/static/desk.css", "/static/nothing"):
            answer = browser.get(path)
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    with running(tmp_path) as browser:
        assert browser.post("/check", content=b"x" * (LARGEST + 1), headers=OWN).status_code == 413


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:80"])
def test_another_name_is_not_answered(tmp_path: Path, host: str) -> None:
    with running(tmp_path) as browser:
        answer = browser.get("/", headers={"Host": host})
        assert answer.status_code == 400
        assert browser.get("/static/icon.svg", headers={"Host": "localhost"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Origin": "http://127.0.0.1"}, 303),
        (OWN, 303),
    ],
)
def test_a_post_comes_from_the_studios_own_page(tmp_path: Path, headers: dict[str, str], status: int) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        answer = browser.post(f"/field/{kept.id}/keep", data={"name": "mine"}, headers=headers)
        assert answer.status_code == status


@pytest.mark.parametrize("path", ["../app.py", "%2e%2e/app.py", "..%2fapp.py", "/etc/passwd", "fonts/../../app.py"])
def test_no_file_is_served_by_its_way(tmp_path: Path, path: str) -> None:
    with running(tmp_path) as browser:
        assert browser.get(f"/static/{path}").status_code == 404


def test_others_in_the_network_need_the_token(tmp_path: Path) -> None:
    with running(tmp_path, token="abc", lan="http://192.0.2.7:80", hosts=("127.0.0.1", "192.0.2.7")) as browser:
        kept = bare(browser)
        path = f"/field/{kept.id}.json"
        assert browser.get(path).status_code == 401
        assert browser.get(f"{path}?token=abd").status_code == 401
        answer = browser.get(f"{path}?token=abc&x=1")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"{path}?x=1"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert browser.get(path).status_code == 200
        assert browser.get("/static/icon.svg").status_code == 200


def test_a_refusal_is_told_in_the_language_of_the_studio(tmp_path: Path) -> None:
    with running(tmp_path, lang="es") as browser:
        assert browser.get("/", headers={"Host": "evil.example"}).text == "400: este estudio no se llama así"


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
    monkeypatch.setattr(serving, "_listening", lambda *_: listening)
    for name in ("bounded_server", "raise_open_files", "sys"):
        monkeypatch.setattr(serving, name, Mock())
    serving.serve(Settings(out=tmp_path), lan=False, tell=lines.extend)
    assert len(addresses) == opened
    assert lines[0] == "printkit studio is at http://127.0.0.1:8024/"


def test_a_studio_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "printkit", "studio", "--lang", "en", "--out", str(tmp_path)]
    closed = {**os.environ, "BROWSER": "none"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=closed) as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        with closing(HTTPConnection(address.split("/")[2], timeout=60)) as line:
            line.request("POST", "/field", "rules=dba3&seed=2", OWN)
            with line.getresponse() as answer:
                place = answer.headers["Location"]
        process.kill()
    with running(tmp_path) as browser:
        (kept,) = desk_of(browser).sitting.fields
        assert place == f"/field/{kept.id}"
        assert kept.seed == 2
        assert browser.get(f"{place}.json").status_code == 200

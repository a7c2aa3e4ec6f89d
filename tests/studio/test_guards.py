"""Who is let in to the studio, what every answer tells the browser, and what the page without a server answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from desks import KEY, OWN, bare, running

from printkit.kit import registry
from printkit.studio.answering import answered, sheets
from printkit.studio.app_guards import POLICY
from printkit.studio.limits.values import LIMITS


def test_every_answer_says_what_may_be_loaded_and_uploads_are_no_larger_than_they_may_be(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        for path in (
            f"/field/{kept.id}",
            f"/field/{kept.id}.json",
            "/nowhere",
            "/static/studio.css",
            "/static/nothing",
        ):
            answer = browser.get(path)
            assert answer.headers["content-security-policy"] == POLICY
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    with running(tmp_path) as browser:
        assert browser.post("/check", content=b"x" * (LIMITS.bytes + 1), headers=OWN).status_code == 413


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


def test_every_browser_needs_the_key_also_on_this_computer(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        path = f"/field/{bare(browser).id}.json"
        assert browser.get(path).status_code == 200
        browser.cookies.clear()
        for wrong in (path, f"{path}?key={KEY}x", f"{path}?key=", f"{path}?token={KEY}"):
            assert browser.get(wrong).status_code == 401, wrong
        assert "run printkit studio. It opens the page with the key" in browser.get("/").text
        answer = browser.get(f"{path}?key={KEY}&x=1")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{path}?x=1")
        cookie = answer.headers["set-cookie"].lower()
        assert all(part in cookie for part in ("printkit-0=", "httponly", "samesite=strict", "max-age=34560000"))
        assert browser.get(path).status_code == 200
        browser.cookies.clear()
        assert browser.get("/static/icon.svg").status_code == 200
        browser.cookies.set("printkit-1", KEY)
        assert browser.get(path).status_code == 401, "the cookie of a studio at another port"


def test_a_refusal_is_told_in_the_language_of_the_studio(tmp_path: Path) -> None:
    with running(tmp_path, lang="es") as browser:
        assert browser.get("/", headers={"Host": "evil.example"}).text == "400: ese no es el nombre de este estudio"


_ALONE = """
import sys

REFUSED = {
    *("pypdfium2", "pypdfium2_raw", "filelock", "platformdirs", "rich", "typer", "jinja2", "starlette"),
    *("multiprocessing", "_multiprocessing", "subprocess", "_posixsubprocess", "concurrent", "fcntl", "msvcrt"),
}

class Guard:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in REFUSED:
            raise ImportError(f"{name} is refused here")

sys.meta_path.insert(0, Guard())
import threading

def refused(*given):
    raise RuntimeError("a thread is refused here")

threading.Thread.start = refused
from printkit.studio.answering import answered, sheets
import json

for rules, given in json.loads(sys.argv[1]):
    question = {"ask": "field", "rules": rules, "given": given, "fresh": 7, "style": "ink-saver", "lang": "es"}
    found = json.loads(answered(json.dumps(question)))
    assert found["svg"].startswith("<svg"), found
    assert "error" not in json.loads(answered(json.dumps({**question, "ask": "form"})))
assert sheets(json.dumps(question)).startswith(b"%PDF")
loaded = ((name, getattr(each, "__file__", "") or "") for name, each in sys.modules.items())
print(sorted({name.partition(".")[0] for name, file in loaded if "site-packages" in file}))
"""

_PYODIDE = {"numpy", "shapely", "msgspec", "PIL", "contourpy", "reportlab"}
"""What Pyodide has, or is Python alone."""


def asked(**question: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answered(json.dumps(question)))
    return found


def test_from_a_field_to_its_sheets_nothing_of_a_system_is_needed() -> None:
    games = json.dumps([["portable-1", {"grid": "sq-8x8"}], ["brantley", {}]])
    done = subprocess.run([sys.executable, "-c", _ALONE, games], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    # What a language's typing needs is no library that a field is made by.
    loaded = {name for name in eval(done.stdout.strip()) if not name.startswith(("_", "typing_extensions"))}
    assert loaded <= _PYODIDE | {"charset_normalizer", "bidi", "pyphen"}


@pytest.mark.parametrize("rules", registry.NAMES)
def test_the_form_has_every_setting_of_the_book_in_both_languages(rules: str) -> None:
    forms = [asked(ask="form", rules=rules, lang=lang) for lang in ("en", "es")]
    keys = {setting.key for setting in registry.find(rules).book.settings}
    for form in forms:
        assert {each["name"] for each in (*form["first"], *form["others"])} == keys
        assert all(form["labels"].values())
    assert forms[0]["labels"] != forms[1]["labels"]


def test_a_field_is_drawn_listed_and_judged_and_its_sheets_are_those_of_the_command(tmp_path: Path) -> None:
    from printkit.api import generate

    question = {"rules": "portable-1", "given": {"grid": "sq-8x8", "seed": "5"}, "style": "ink-saver", "lang": "en"}
    found = asked(ask="field", fresh=9, **question)
    field = generate("portable-1", seed=5, grid="sq-8x8")
    assert (found["title"], found["seed"], found["broken"]) == (field.title, 5, 0)
    assert found["record"] == field.geojson
    assert len(found["key"]) == len(field.record.battlefield.features)
    (file,) = field.pdf(tmp_path / "map.pdf", style="ink-saver", sheet="letter")
    data = sheets(json.dumps({**question, "fresh": 9, "paper": "letter"}))
    assert data == file.read_bytes()
    assert len(pypdfium2.PdfDocument(data)) > 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"rules": "brantley", "given": {"board": "3"}}, "'3' has no unit; write 3in, 3cm or 3mm"),
        ({"rules": "brantley", "given": {"seed": "x"}}, "seed 'x' is not a whole number"),
        ({"rules": "nothing"}, "nothing"),
        ({"rules": "brantley", "fresh": -1}, "seed -1 is not a whole number"),
    ],
)
def test_what_cannot_be_is_answered_in_a_sentence(question: dict[str, Any], said: str) -> None:
    assert said in asked(ask="field", **question)["error"]

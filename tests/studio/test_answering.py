"""The page without a server: what it is answered, where nothing but the libraries of Pyodide is there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from printkit.kit import registry
from printkit.studio.answering import answered, sheets

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
        ({"rules": "brantley", "given": {"seed": "x"}}, "seed 'x' is no whole number"),
        ({"rules": "nothing"}, "nothing"),
        ({"rules": "brantley", "fresh": -1}, "seed -1 is no whole number"),
    ],
)
def test_what_cannot_be_is_answered_in_a_sentence(question: dict[str, Any], said: str) -> None:
    assert said in asked(ask="field", **question)["error"]

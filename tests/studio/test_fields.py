"""The page of the field: what is wanted, what lies there and why, and what is kept of a sitting."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from desks import DRAWN, OWN, bare, desk_of, running

import printkit
from printkit.core.words import catalogue, find
from printkit.kit import registry
from printkit.studio.forms import asked_of, game_form, made_of, wanted_of, wordless
from printkit.studio.sitting import MOST, Change


def test_a_field_is_shown_with_everything_that_lies_there(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        page = browser.get(f"/field/{kept.id}").text
        assert "Drawn &lt;by&gt; hand" in page
        assert "<by>" not in page
        assert 'data-f="w"' in page
        drawing = browser.get(f"/field/{kept.id}.svg")
        assert drawing.headers["content-type"].startswith("image/svg+xml")
        assert 'data-layer="number"' in drawing.text
        assert "style=" not in drawing.text
        assert "immutable" in drawing.headers["cache-control"]
        assert browser.get(f"/field/{kept.id}.jpg").content.startswith(b"\xff\xd8")
        assert browser.get(f"/field/{kept.id}.json").text == printkit.load(DRAWN).geojson
        assert browser.get("/").headers["location"] == f"/field/{kept.id}"


def test_a_new_field_is_that_of_the_command_and_was_asked_by_what_its_form_says(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        sent = {"rules": "dba3", "seed": "5", "home": "dry", "board": "", "style": "ink-saver"}
        answer = browser.post("/field", data=sent, headers=OWN)
        assert answer.status_code == 303
        name = re.fullmatch(r"/field/([0-9a-f]{16})\?style=ink-saver", answer.headers["location"])
        assert name is not None
        record = browser.get(f"/field/{name[1]}.json").text
    assert record == printkit.generate("dba3", seed=5, home="dry").geojson
    asked = wanted_of(printkit.load(record))
    assert asked == {"rules": "dba3", "home": "dry"}
    asked = asked_of({"rules": "portable-1", "board": "24in", "cell": "50mm", "river": "0", "road": "0", "names": ""})
    assert asked == {"rules": "portable-1", "cell": "50mm", "river": "0", "road": "0"}
    assert wanted_of(made_of(asked, 3, "en")) == asked


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"rules": "nothing"}, "no rule system"),
        ({"rules": "dba3", "home": "atlantis"}, "home cannot be"),
        ({"rules": "dba3", "seed": "seven"}, "no whole number"),
        ({"rules": "dba3", "board": "big"}, "big"),
        ({"rules": "dba3", "profile": "/etc/passwd.toml"}, "reads no files"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(tmp_path: Path, sent: dict[str, str], told: str) -> None:
    with running(tmp_path) as browser:
        bare(browser)
        answer = browser.post("/field", data=sent, headers=OWN)
        assert answer.status_code == 422
        complaint = re.search(r'role="alert">(.*?)</div>', answer.text, re.DOTALL)
        assert complaint is not None
        assert told in complaint[1]
        assert "Traceback" not in answer.text


def test_a_page_speaks_the_language_that_was_chosen_and_nothing_in_english(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        answer = browser.get(f"/field/{kept.id}?lang=es")
        assert '<html lang="es">' in answer.text
        assert "Campo nuevo" in answer.text
        assert '<html lang="es">' in browser.get(f"/field/{kept.id}").text
        assert browser.get("/nowhere").status_code == 404
        assert "aquí no hay tal página" in browser.get("/nowhere").text
    english, spanish = catalogue("en"), catalogue("es")
    said = {
        text
        for key, text in english.items()
        if key.startswith(("studio.", "handouts.file.")) and " " in text and "{" not in text
    } - set(spanish.values())
    with running(tmp_path) as browser:
        kept = bare(browser)
        browser.cookies.set("lang", "es")
        parts = [f"/field/{kept.id}{part}" for part in ("", "/throws", "/hand", "/print", "/evening")]
        for way in (*parts, "/check", f"/check?field={kept.id}", "/hands", "/battle", "/printer", "/nowhere"):
            text = html.unescape(browser.get(way).text)
            assert '<html lang="es">' in text
            assert [each for each in said if each in text] == [], way


def test_what_is_kept_outlives_the_studio(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        first = bare(browser)
        second = desk_of(browser).sitting.keep(
            printkit.load(DRAWN.replace("<by>", "again by")), parent=first.id, change=Change(what="hand")
        )
        assert browser.post(f"/field/{first.id}/keep", data={"name": " my  own "}, headers=OWN).status_code == 303
    with running(tmp_path) as browser:
        sitting = desk_of(browser).sitting
        assert [each.id for each in sitting.fields] == [first.id, second.id]
        assert (sitting.find(first.id).name, sitting.find(second.id).parent) == ("my own", first.id)
        assert browser.get(f"/field/{first.id}").status_code == 200
        for wrong in ("0" * 16, "sitting", "..%2fsitting"):
            assert browser.get(f"/field/{wrong}").status_code == 404


def test_the_oldest_without_a_name_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printkit.studio.sitting.MOST", 2)
    assert MOST == 200
    with running(tmp_path) as browser:
        sitting = desk_of(browser).sitting
        named = bare(browser)
        sitting.call(named.id, "stays")
        others = [bare(browser, DRAWN.replace("<by>", f"number {number}")) for number in range(3)]
        assert [each.id for each in sitting.fields] == [named.id, others[1].id, others[2].id]
        assert sitting.dropped == 1
        assert not (sitting.folder / f"{others[0].id}.json").exists()


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("rules", registry.NAMES)
def test_every_value_of_every_setting_has_words(rules: str, lang: str) -> None:
    assert wordless(registry.find(rules).book, find(lang)) == []


@pytest.mark.parametrize("rules", registry.NAMES)
def test_a_form_has_every_setting_once_and_what_is_changed_most_first(rules: str) -> None:
    book = registry.find(rules).book
    form = game_form(rules, {}, find("en"))
    assert [control.name for control in form.first] == list(book.first)
    assert len(form.first) >= 4
    names = [control.name for control in (*form.first, *form.others)]
    assert sorted(names) == sorted(setting.key for setting in book.settings)

"""The page of the field: what is wanted and lies there, what is changed or brought, and what is kept of a sitting."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from desks import DRAWN, OWN, bare, desk_of, running

import printkit
from printkit.core.errors import UsageError
from printkit.core.words import catalogue, find_words
from printkit.kit import registry
from printkit.recipes.game.hand_edits import Gesture, apply_gesture, restore_feature
from printkit.studio.forms import _NUMBER, _word_key, form_of, game_form, generate_field, parse_form
from printkit.studio.session import MOST, Change


def test_a_field_is_shown_with_everything_that_lies_there(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        page = browser.get(f"/field/{kept.id}").text
        assert "Drawn &lt;by&gt; hand" in page
        assert "<by>" not in page
        assert 'data-f="w"' in page
        assert "data-long" not in page
        desk_of(browser).pictures.seconds[kept.rules] = 3.2
        assert "of these rules took 4 s." in browser.get(f"/field/{kept.id}").text
        drawing = browser.get(f"/field/{kept.id}.svg")
        assert drawing.headers["content-type"].startswith("image/svg+xml")
        assert 'data-layer="number"' in drawing.text
        assert "style=" not in drawing.text
        assert "immutable" in drawing.headers["cache-control"]
        assert browser.get(f"/field/{kept.id}.jpg").content.startswith(b"\xff\xd8")
        assert browser.get(f"/field/{kept.id}.json").text == printkit.load(DRAWN).geojson
        assert browser.get("/field").headers["location"] == f"/field/{kept.id}"


def test_a_new_field_is_that_of_the_command_and_was_asked_by_what_its_form_says(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        sent = {"rules": "dba3", "seed": "5", "home": "dry", "board": "", "style": "ink-saver"}
        answer = browser.post("/field", data=sent, headers=OWN)
        assert answer.status_code == 303
        name = re.fullmatch(r"/field/([0-9a-f]{16})\?style=ink-saver", answer.headers["location"])
        assert name is not None
        record = browser.get(f"/field/{name[1]}.json").text
    assert record == printkit.generate("dba3", seed=5, home="dry").geojson
    asked = form_of(printkit.load(record))
    assert asked == {"rules": "dba3", "home": "dry"}
    asked = parse_form({"rules": "portable-1", "board": "24in", "cell": "50mm", "river": "0", "road": "0", "names": ""})
    assert asked == {"rules": "portable-1", "cell": "50mm", "river": "0", "road": "0"}
    assert form_of(generate_field(asked, 3, "en")) == asked


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"rules": "nothing"}, "unknown rule system"),
        ({"rules": "dba3", "home": "atlantis"}, "home = &#39;atlantis&#39; is not valid"),
        ({"rules": "dba3", "seed": "seven"}, "not a whole number"),
        ({"rules": "dba3", "board": "big"}, "big"),
        ({"rules": "dba3", "profile": "/etc/passwd.toml"}, "does not read files"),
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
        assert "no existe esa página" in browser.get("/nowhere").text
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
    monkeypatch.setattr("printkit.studio.session.MOST", 2)
    assert MOST == 200
    with running(tmp_path) as browser:
        sitting = desk_of(browser).sitting
        named = bare(browser)
        sitting.set_name(named.id, "stays")
        others = [bare(browser, DRAWN.replace("<by>", f"number {number}")) for number in range(3)]
        assert [each.id for each in sitting.fields] == [named.id, others[1].id, others[2].id]
        assert sitting.dropped == 1
        assert not (sitting.folder / f"{others[0].id}.json").exists()


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("rules", registry.NAMES)
def test_every_value_of_every_setting_has_words(rules: str, lang: str) -> None:
    values = [(setting.key, value) for setting in registry.find(rules).book.settings for value in setting.values]
    words = find_words(lang)
    assert [pair for pair in values if not _NUMBER.fullmatch(pair[1]) and not _word_key(*pair, words)] == []


@pytest.mark.parametrize("rules", registry.NAMES)
def test_a_form_has_every_setting_once_and_what_is_changed_most_first(rules: str) -> None:
    book = registry.find(rules).book
    form = game_form(rules, {}, find_words("en"))
    assert [control.name for control in form.first] == list(book.first)
    assert len(form.first) >= 4
    names = [control.name for control in (*form.first, *form.others)]
    assert sorted(names) == sorted(setting.key for setting in book.settings)


DICED = ("dba3", 2)


def _field(answer_to: str) -> str:
    found = re.search(r"/field/([0-9a-f]{16})", answer_to)
    assert found is not None
    return found[1]


def test_ones_own_die_is_laid_over_and_a_stage_thrown_again(tmp_path: Path) -> None:
    made = printkit.generate(*DICED[:1], seed=DICED[1])
    number, throw = next((n, t) for n, t in enumerate(made.record.log, 1) if t.asked == "d6")
    other = "5" if throw.answer != "5" else "4"
    with running(tmp_path) as browser:
        kept = desk_of(browser).sitting.keep(made)
        page = browser.get(f"/field/{kept.id}/throws").text
        assert f'id="t{number}"' in page
        sent = {"throw": str(number), "answer": other}
        answer = browser.post(f"/field/{kept.id}/overwrite", data=sent, headers=OWN)
        assert answer.status_code == 303
        again = desk_of(browser).sitting.find(_field(answer.headers["location"]))
        assert (again.parent, again.change.throw) == (kept.id, number)
        log = desk_of(browser).sitting.field(again.id).record.log
        assert log[: number - 1] == made.record.log[: number - 1]
        assert (log[number - 1].answer, log[number - 1].was) == (other, throw.answer)
        shown = browser.get(f"/field/{again.id}/throws").text
        assert f'href="/field/{kept.id}/throws?undone={again.id}"' in shown
        (change,) = re.findall(rf"seed {DICED[1]}, ([^<]+ changed from {throw.answer} to {other})<", shown)
        for path in ("", "/throws"):
            assert f"seed {DICED[1]}, {change}" in browser.get(f"/field/{again.id}{path}").text
            undone = browser.get(f"/field/{kept.id}{path}?undone={again.id}").text
            assert f"Undone: {change}. <a" in undone
            assert f'data-redo href="/field/{again.id}{path}"' in undone
            for wrong_id in (kept.id, "nothing"):
                assert "data-redo" not in browser.get(f"/field/{kept.id}{path}?undone={wrong_id}").text
        assert 'role="status" id="told"' in shown
        wrong = browser.post(f"/field/{kept.id}/overwrite", data={"throw": str(number), "answer": "9"}, headers=OWN)
        assert wrong.status_code == 422
        assert browser.post(f"/field/{kept.id}/overwrite", data={}, headers=OWN).status_code == 422
    stage = made.record.log[0].stage
    with running(tmp_path) as browser:
        kept = desk_of(browser).sitting.keep(made)
        answer = browser.post(f"/field/{kept.id}/again", data={"stage": stage}, headers=OWN)
        assert answer.status_code == 303
        again = desk_of(browser).sitting.find(_field(answer.headers["location"]))
        assert again.change == Change(what="again", stage=stage, renewed=again.change.renewed)
        assert browser.post(f"/field/{kept.id}/again", data={"stage": "none"}, headers=OWN).status_code == 422


def test_areas_are_moved_turned_deleted_and_put_back_and_all_else_is_thrown_again() -> None:
    system, record = registry.read_record(DRAWN)
    (before,) = record.battlefield.features
    moved = apply_gesture(system, record, Gesture(id="w", move=(100.0, -50.0)))
    (feature,) = moved.battlefield.features
    assert feature.outline.bounds == pytest.approx((160.0, 420.0, 250.0, 500.0))  # type: ignore[union-attr]
    turned = apply_gesture(system, moved, Gesture(id="w", move=(-100.0, 50.0), turn=90.0))
    assert turned.hand == ({"id": "w", "move": [0.0, 0.0], "turn": 90.0},)
    assert json.loads(printkit.Field(record=turned).geojson)["hand"] == [{"id": "w", "move": [0.0, 0.0], "turn": 90.0}]
    gone = apply_gesture(system, turned, Gesture(id="w", delete=True))
    assert gone.battlefield.features == ()
    assert gone.hand == ({"id": "w", "delete": True},)
    back = restore_feature(system, gone, "w", record)
    assert (back.battlefield.features, back.hand) == ((before,), ())
    assert printkit.load(printkit.Field(record=gone).geojson).record == gone
    made = printkit.generate("dba3", seed=2)
    system = registry.find("dba3")
    course = next(each for each in made.record.battlefield.features if each.kind == "river")
    with pytest.raises(UsageError, match="rolled again"):
        apply_gesture(system, made.record, Gesture(id=course.id))
    with pytest.raises(UsageError, match="no feature"):
        apply_gesture(system, made.record, Gesture(id="nothing"))
    with pytest.raises(UsageError, match="10 m"):
        apply_gesture(system, made.record, Gesture(id="bua", move=(1e9, 0.0)))


def test_a_hand_is_judged_at_once_and_undone_by_the_address_before(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        sent = {"id": "w", "do": "move", "right": "150", "farther": "−100,5"}
        answer = browser.post(f"/field/{kept.id}/gesture", data=sent, headers=OWN)
        assert answer.status_code == 303
        moved = _field(answer.headers["location"])
        page = browser.get(f"/field/{moved}/hand").text
        assert 'class="breach"' in page
        assert 'class="was"' in page
        assert f'href="/field/{kept.id}/hand?undone={moved}"' in page
        undone = browser.get(f"/field/{kept.id}/hand?undone={moved}").text
        assert re.search(r"Undone: [^.<]+ moved\. <a", undone)
        assert f'data-redo href="/field/{moved}/hand"' in undone
        # Both buttons are always there.
        assert browser.get(f"/field/{kept.id}/hand").text.count("disabled data-off") == 2
        assert "5.9 in = 3.8 BW right, 4.0 in = 2.5 BW down" in page
        browser.post("/preferences", data={"unit": "mm"}, headers=OWN)
        assert "150 mm = 3.8 BW right, 100 mm = 2.5 BW down" in browser.get(f"/field/{moved}/hand").text
        in_inches = {"id": "w", "do": "move", "right": "0.1", "unit": "in"}
        answer = browser.post(f"/field/{kept.id}/gesture", data=in_inches, headers=OWN)
        assert "3 mm = 0.1 BW right" in browser.get(answer.headers["location"]).text
        back = browser.post(f"/field/{moved}/gesture", data={"id": "w", "do": "back"}, headers=OWN)
        assert _field(back.headers["location"]) == kept.id
        wrong = browser.post(f"/field/{kept.id}/gesture", data={"id": "w", "right": "far"}, headers=OWN)
        assert wrong.status_code == 422
        assert "is not a number" in wrong.text


def test_verdicts_on_a_page_name_features_and_kinds_as_people_do(tmp_path: Path) -> None:
    system, made = registry.find("dba3"), printkit.generate("dba3", seed=2)
    record = apply_gesture(system, made.record, Gesture(id="bua", move=(-150.0, 120.0)))
    with running(tmp_path) as browser:
        kept = desk_of(browser).sitting.keep(printkit.Field(record=record))
        findings = re.findall(r'<p class="i">(.+?)</p>', browser.get(f"/field/{kept.id}/hand").text)
    assert "Fort 1 is in 2 quarters; it must be inside one" in findings
    for finding in findings:
        assert not re.search(r"\b(bua|z\d|[a-z]+-\d)\b|_", finding)


def test_a_record_from_elsewhere_is_judged_and_lettered(tmp_path: Path) -> None:
    over = DRAWN.replace("[150, 470], [150, 550]", "[300, 470], [300, 550]")
    with running(tmp_path) as browser:
        answer = browser.post("/check", data={"record": over}, headers=OWN)
        assert answer.status_code == 303
        page = browser.get(answer.headers["location"]).text
        assert '<span class="letter" aria-hidden="true">A</span>' in page
        assert 'class="mark"' in page
        raw = browser.post("/check", content=over.encode(), headers={**OWN, "Content-Type": "application/geo+json"})
        assert raw.headers["location"] == answer.headers["location"]
        for wrong, told in (("", "nothing was sent"), ("{", "JSON"), ('{"type": "Feature"}', "FeatureCollection")):
            refused = browser.post("/check", data={"record": wrong}, headers=OWN)
            assert refused.status_code == 422
            assert told in refused.text
            assert str(tmp_path) not in refused.text
        assert browser.post("/check", content=b"\xff\xfe{", headers=OWN).status_code == 422


def test_a_record_too_intricate_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printkit.studio.worker_process._CHECK_SECONDS", 0.01)
    with running(tmp_path) as browser:
        answer = browser.post("/check", data={"record": DRAWN}, headers=OWN)
        assert answer.status_code == 422
        assert "reading this took more than 0.01 seconds and was stopped" in answer.text
        assert list((tmp_path / ".sitting").glob("brought*")) == []


def test_what_cards_and_choices_could_have_been_is_offered(tmp_path: Path) -> None:
    made = printkit.generate("brantley", seed=2)
    with running(tmp_path) as browser:
        kept = desk_of(browser).sitting.keep(made)
        options = desk_of(browser).options(kept.id)
        choices = [n for n, throw in enumerate(made.record.log, 1) if throw.act != "die"]
        assert sorted(options) == choices
        for number, labels in options.items():
            answer = made.record.log[number - 1].answer
            assert answer in labels or set(answer.split()) <= set(labels)
        page = browser.get(f"/field/{kept.id}/throws").text
        assert "data-picks" in page
        assert 'data-card="AS"' in page
        number = next(n for n in choices if made.record.log[n - 1].reason.startswith("place in its zone"))
        other = next(label for label in options[number] if label != made.record.log[number - 1].answer)
        assert re.search(rf'name="answer" value="{other}" aria-pressed="false"', page)
        sent = {"throw": str(number), "answer": other}
        answered = browser.post(f"/field/{kept.id}/overwrite", data=sent, headers=OWN)
        assert answered.status_code == 303
        assert desk_of(browser).options(bare(browser).id) == {}


def test_no_battlefield_of_the_old_rules_is_shown_with_the_form_of_others(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        assert 'class="map"' in browser.get(f"/field/{kept.id}?rules=brantley").text
        page = browser.get(f"/field/{kept.id}?rules=acw").text
        assert page.count("for a battlefield of these rules: American Civil War") == 1
        for gone in ('class="map"', "Drawn &lt;by&gt; hand</h1>", 'data-f="w"', 'id="verdicts"'):
            assert gone not in page

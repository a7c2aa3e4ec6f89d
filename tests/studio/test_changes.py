"""Throws laid over by one's own, stages thrown again, features moved by hand, and records brought from elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from desks import DRAWN, OWN, bare, desk_of, running

import printkit
from printkit.core.errors import UsageError
from printkit.kit import registry
from printkit.recipes.game.by_hand import Gesture, by_hand, put_back
from printkit.studio.sitting import Change

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
        assert f'href="/field/{kept.id}/throws"' in shown
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
    moved = by_hand(system, record, Gesture(id="w", move=(100.0, -50.0)))
    (feature,) = moved.battlefield.features
    assert feature.outline.bounds == pytest.approx((160.0, 420.0, 250.0, 500.0))  # type: ignore[union-attr]
    turned = by_hand(system, moved, Gesture(id="w", move=(-100.0, 50.0), turn=90.0))
    assert turned.hand == ({"id": "w", "move": [0.0, 0.0], "turn": 90.0},)
    assert json.loads(printkit.Field(record=turned).geojson)["hand"] == [{"id": "w", "move": [0.0, 0.0], "turn": 90.0}]
    gone = by_hand(system, turned, Gesture(id="w", delete=True))
    assert gone.battlefield.features == ()
    assert gone.hand == ({"id": "w", "delete": True},)
    back = put_back(system, gone, "w", record)
    assert (back.battlefield.features, back.hand) == ((before,), ())
    assert printkit.load(printkit.Field(record=gone).geojson).record == gone
    made = printkit.generate("dba3", seed=2)
    system = registry.find("dba3")
    course = next(each for each in made.record.battlefield.features if each.kind == "river")
    with pytest.raises(UsageError, match="thrown again"):
        by_hand(system, made.record, Gesture(id=course.id))
    with pytest.raises(UsageError, match="no feature"):
        by_hand(system, made.record, Gesture(id="nothing"))
    with pytest.raises(UsageError, match="10 m"):
        by_hand(system, made.record, Gesture(id="bua", move=(1e9, 0.0)))


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
        assert f'href="/field/{kept.id}/hand"' in page
        assert "150 mm right, 100 mm nearer" in page
        back = browser.post(f"/field/{moved}/gesture", data={"id": "w", "do": "back"}, headers=OWN)
        assert _field(back.headers["location"]) == kept.id
        wrong = browser.post(f"/field/{kept.id}/gesture", data={"id": "w", "right": "far"}, headers=OWN)
        assert wrong.status_code == 422
        assert "no number of millimetres" in wrong.text


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
    monkeypatch.setattr("printkit.studio.work._CHECK_SECONDS", 0.01)
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

"""Judging records as `check` does: also one drawn by hand, and fields that a hand has changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace
from shapely import Point

from printkit.api import Field, generate
from printkit.core.errors import RecordError, Sentence
from printkit.core.typed import parse_json
from printkit.kit import registry
from printkit.kit.book import Stricter, read_book
from printkit.kit.check import Judgement, breach_lines, judge_text, summary_line, verdict_lines
from printkit.kit.checks import OwnFaultError, Reasons, verdicts
from printkit.kit.registry import read_record
from printkit.kit.rules import Rules
from printkit.kit.system import RuleSystem, Verdict
from printkit.recipes.game.hand_edits import Gesture, apply_gesture
from printkit.systems.brantley.judge.judge import ROLL_CLAUSES, judge
from printkit.terrain.field.features import Area, Hill
from printkit.terrain.field.record import Record

BOOK = read_book("brantley")
SYSTEMS: Mapping[str, RuleSystem] = {
    "brantley": cast(
        RuleSystem,
        SimpleNamespace(
            name="brantley", book=BOOK, judge=lambda record: judge(record, BOOK), roll_clauses=lambda: ROLL_CLAUSES
        ),
    )
}
BY_HAND = (Path(__file__).parents[1] / "fixtures" / "brantley-by-hand.json").read_text(encoding="utf-8")


def judged(**changes: Any) -> Judgement:
    return judge_text(json.dumps({**json.loads(BY_HAND), **changes}), SYSTEMS)


def state_of(judgement: Judgement, clause: str) -> tuple[str, str]:
    verdict = next(verdict for verdict in judgement.verdicts if verdict.clause == clause)
    return verdict.state, verdict.where


def test_every_clause_about_a_field_has_a_line_of_its_state_title_and_place_and_is_counted():
    found = [verdict.clause for verdict in judged().verdicts]
    assert found == [clause for clause in BOOK.clauses if clause in found]
    missing = BOOK.clauses.keys() - set(found)
    assert {clause[:4] for clause in missing} == {"BR-A", "BR-P", "BR-T", "BR-X"}
    assert not any(clause.startswith(("BR-A", "BR-P", "BR-T", "BR-X")) for clause in found)
    judgement = judged()
    lines = list(verdict_lines(judgement))
    assert len(lines) == len(BOOK.of_a_record)
    line = next(line for line in lines if line.startswith("BR-601"))
    assert line.split("  ", 1)[1].startswith("broken")
    assert BOOK.clauses["BR-601"] in line
    assert line.endswith("lane crosses brook at (305.0, 203.2) without a ford or bridge")
    assert next(line for line in lines if line.startswith("BR-G11")).endswith(BOOK.clauses["BR-G11"])
    words = summary_line(judgement).replace(",", "").split()
    assert words[1::2][:2] == ["kept", "broken"]
    assert sum(int(word) for word in words if word.isdigit()) == len(BOOK.of_a_record)
    assert int(words[2]) == len(judgement.broken) == 2


@pytest.mark.clause("BR-601", "BR-G61")
def test_a_record_drawn_by_hand_is_judged_by_its_shapes_and_its_names_are_said():
    judgement = judged()
    assert [verdict.clause for verdict in judgement.broken] == ["BR-601", "BR-G61"]
    assert state_of(judgement, "BR-601") == ("broken", "lane crosses brook at (305.0, 203.2) without a ford or bridge")
    for clause in ("BR-313", "BR-310", "BR-344", "BR-404", "BR-506", "BR-G11", "BR-G21", "BR-G55"):
        assert state_of(judgement, clause)[0] == "kept", clause
    tree = json.loads(BY_HAND)
    brook = next(each for each in tree["features"] if each.get("id") == "brook")
    brook["properties"]["name"] = "Trout Beck"
    judgement = judged(features=tree["features"])
    verdict = judgement.broken[0]
    assert verdict.ids == ("lane", "brook")
    assert judgement.union_shapes(verdict).covers(Point(305.0, 203.2))
    assert "lane crosses Trout Beck at" in next(breach_lines(judgement))
    kept = next(each for each in judgement.verdicts if each.state == "kept")
    assert judgement.union_shapes(kept).is_empty


OF_THE_LOG = """BR-102 BR-103 BR-202 BR-321 BR-322 BR-328 BR-331 BR-401 BR-402 BR-501 BR-502 BR-702 BR-703
BR-D1 BR-D2 BR-D3 BR-D4 BR-D6"""


def test_what_a_record_cannot_show_or_only_its_log_is_not_judged_and_says_why():
    judgement = judged()
    found = {clause: state_of(judgement, clause) for clause in OF_THE_LOG.split()}
    assert found == dict.fromkeys(found, ("not judged", "the record has no log"))
    for clause in ("BR-204", "BR-D7", "BR-M21"):
        state, where = state_of(judgement, clause)
        assert state == "not judged"
        assert where


def test_what_a_board_holds_is_held_against_its_cards_and_its_edges():
    cards = [{"n": 5, "card": "QS"}, {"n": 7, "card": "JC"}]
    judgement = judged(brantley={"zones": cards})
    assert state_of(judgement, "BR-312") == ("broken", "QS in zone 5 should give one lake; the zone has bua-1 (bua)")
    assert state_of(judgement, "BR-311") == ("broken", "knoll has one level; JC gives a hill of 2")
    assert judged(features=[], brantley={}).broken == ()
    beside = {"type": "LineString", "coordinates": [[700, 0], [700, 500]]}
    river = {"type": "Feature", "properties": {"kind": "river", "width_mm": 25}, "geometry": beside}
    assert state_of(judged(features=[river]), "BR-G34") == (
        "broken",
        "0 pieces of river-1 are on the board; there should be one",
    )


def test_a_wrong_member_setting_or_rule_system_is_named():
    with pytest.raises(RecordError, match=r"brantley.zones 1: card: '14S' is not a card"):
        judged(brantley={"zones": [{"n": 5, "card": "14S"}]})
    with pytest.raises(RecordError, match=r"brantley.zones 1: n is missing"):
        judged(brantley={"zones": [{"card": "KS"}]})
    with pytest.raises(RecordError, match=r"river-limit = 'far' is not valid; use 1.5 or a number"):
        judged(settings={"river-limit": "far"})
    with pytest.raises(RecordError, match="rules is 'chess', which is not a known rule system; use one of brantley"):
        judged(rules="chess")


def test_faults_of_several_clauses_take_one_line_and_those_of_a_check_are_ours():
    lines = list(breach_lines(judged()))
    assert [re.search("\\(([^()]+)\\)$", line)[1] for line in lines] == ["BR-601", "BR-G61"]
    twice = {"BR-601": _two_faults, "BR-G61": lambda _case: iter([Sentence("{id} lies wrong", id="lane")])}
    judgement = _judged_by(twice)
    assert [(verdict.clause, verdict.other_clauses) for verdict in judgement.broken] == [("BR-601", ("BR-G61",))]
    lines = list(breach_lines(judgement))
    assert len(lines) == 1
    assert lines[0].endswith("brook lies wrong; lane lies wrong (BR-601, BR-G61)")

    def wrong(case: Any) -> Iterator[str]:
        yield case.no_such_thing

    with pytest.raises(OwnFaultError, match=r"a bug in printkit, not in the record: BR-601 .*AttributeError") as told:
        _judged_by({"BR-601": wrong})
    assert told.value.exit_status == 70


def _two_faults(_case: object) -> Iterator[str]:
    yield Sentence("{id} lies wrong", id="brook")
    yield Sentence("{id} lies wrong", id="lane")


def _judged_by(checks: Mapping[str, Any], version: str = "", **changes: Any) -> Judgement:
    book = replace(BOOK, **changes)

    def by(record: Record) -> tuple[Verdict, ...]:
        return verdicts(book.clauses, checks, Reasons(), SimpleNamespace(rules=Rules.of(book)), record)

    system = cast(RuleSystem, SimpleNamespace(name="brantley", book=book, judge=by))
    tree = {**json.loads(BY_HAND), **({"printkit": {"version": version}} if version else {})}
    return judge_text(json.dumps(tree), {"brantley": system})


@pytest.mark.parametrize(("version", "told"), [("0.1.0", True), ("0.2.0", False), ("", False)])
def test_what_an_older_printkit_did_not_see_is_said(version: str, told: bool):
    stricter = {"BR-601": Stricter("0.2.0", "streams count too")}
    (line,) = breach_lines(_judged_by({"BR-601": _two_faults}, version, stricter=stricter))
    assert line.endswith("did not check this yet: streams count too") == told


def test_bare_geojson_is_judged_by_the_rules_asked_for_and_what_it_lacks_is_named():
    tree = {name: value for name, value in json.loads(BY_HAND).items() if name != "rules"}
    assert judge_text(json.dumps(tree), SYSTEMS, "brantley").broken
    bare = {"type": "FeatureCollection", "board": {"width_mm": 600}, "features": [{"type": "Feature"}]}
    with pytest.raises(RecordError, match=r"^board: depth_mm is missing\. Write a length in millimetres"):
        judge_text(json.dumps(bare), SYSTEMS, "brantley")
    with pytest.raises(RecordError, match=r"^rules is missing\. Write the name of a rule system"):
        judge_text(json.dumps(bare), SYSTEMS)


def test_a_record_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def count(text: str, file: str) -> dict[str, Any]:
        texts.append(text)
        return parse_json(text, file)

    monkeypatch.setattr("printkit.terrain.field.record.parse_json", count)
    judge_text(BY_HAND, SYSTEMS)
    assert texts == [BY_HAND]


@pytest.mark.parametrize(
    ("asked", "answer", "said"),
    [
        ("d6", "7", "roll 1 is '7', but d6 for rivers gives 1 to 6"),
        ("d6", "0", "roll 1 is '0', but d6 for rivers gives 1 to 6"),
        ("d6", "x", "roll 1 is 'x', but d6 for rivers gives 1 to 6"),
        ("d6", "6", ""),
        ("d6", "1", ""),
        ("2 cards", "KS QH", ""),
        ("choice of 3", "4", ""),
    ],
)
def test_a_die_beyond_its_sides_is_refused(asked: str, answer: str, said: str) -> None:
    log = [{"stage": "rivers", "reason": "rivers", "asked": asked, "answer": answer}]
    system = cast(RuleSystem, SimpleNamespace(**{**vars(SYSTEMS["brantley"]), "stages": ("rivers",)}))
    tree = {**json.loads(BY_HAND), "log": log}
    if said:
        with pytest.raises(RecordError, match=f"^{re.escape(said)}$"):
            read_record(json.dumps(tree), {"brantley": system})
    else:
        assert read_record(json.dumps(tree), {"brantley": system})[1].log[0].answer == answer


GAMES = [("brantley", 2), ("solo-dba", 11), ("dba3", 4), ("acw", 3)]


@pytest.fixture(scope="module", params=GAMES, ids=[rules for rules, _ in GAMES])
def made(request: pytest.FixtureRequest) -> Field:
    rules, seed = request.param
    return generate(rules, seed=seed)


def found_by_hand(made: Field, *gestures: Gesture) -> dict[str, tuple[str, str]]:
    """Return state and reason of each clause after some gestures."""
    record = made.record
    for gesture in gestures:
        record = apply_gesture(registry.find(made.rules), record, gesture)
    return {each.clause: (each.state, str(each.where)) for each in Field(record=record).check().verdicts}


def test_what_a_hand_takes_away_breaks_no_throw(made: Field) -> None:
    movable = [each.id for each in made.record.battlefield.features if isinstance(each, Area | Hill)]
    before = found_by_hand(made)
    assert [clause for clause, (state, _) in before.items() if state == "broken"] == []
    after = found_by_hand(made, Gesture(id=movable[0], delete=True))
    assert [clause for clause, (state, _) in after.items() if state == "broken"] == []
    passed_over = [clause for clause in after if before[clause][0] == "kept" and after[clause][0] == "not judged"]
    assert passed_over
    assert all("was edited by hand; its rolls are not checked" in after[clause][1] for clause in passed_over)


@pytest.mark.clause("BR-342", "BR-343", "BR-G02")
def test_a_wood_moved_in_its_zone_is_held_to_its_zone_and_not_to_its_dice() -> None:
    made = generate("brantley", seed=2)
    after = found_by_hand(made, Gesture(id="z1", move=(6.0, 4.0), turn=15.0))
    assert after["BR-342"][0] == after["BR-343"][0] == "not judged"
    assert not [clause for clause, (state, _) in after.items() if state == "broken"]
    beyond = found_by_hand(made, Gesture(id="z1", move=(95.0, -70.0)))
    assert beyond["BR-343"] == ("broken", "z1 reaches 0.93 in outside zone 1")
    assert beyond["BR-G02"][0] == "broken"
    # The same field without a word of a hand is one whose dice do not fit.
    record = apply_gesture(registry.find("brantley"), made.record, Gesture(id="z1", move=(6.0, 4.0), turn=15.0))
    told = {each.clause for each in Field(record=replace(record, hand=())).check().broken}
    assert {"BR-342", "BR-343"} <= told

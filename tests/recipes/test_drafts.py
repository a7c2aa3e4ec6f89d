"""Drafts: the shapes of a new battlefield that breaks a rule are drawn again, with the same rolls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest
from msgspec.structs import replace

from printkit.chance.dice import Question
from printkit.cli.app import run
from printkit.core.errors import RecordError
from printkit.core.words import Words
from printkit.kit import replay, system
from printkit.kit.registry import NAMES, find, read_record
from printkit.kit.replay import compare_replay
from printkit.kit.system import RuleSystem, Verdict, find_broken_clauses
from printkit.recipes.game import games, like
from printkit.recipes.game.games import GeneratedGame, UserPrompts, play, replay_game
from printkit.recipes.game.request import Orders, log_text
from printkit.terrain.field.record import LAST_DRAFT, Record, write

ENGLISH = Words(("en",))
RULES, CLAUSE = "dba3", "D3-19"

Break = Callable[..., None]


@pytest.fixture
def broken() -> Iterator[Break]:
    """Yield a function that says how many clauses each draft breaks; drafts that it does not name break none."""
    counts: list[int] = []

    def find_broken(_: RuleSystem, record: Record) -> tuple[Verdict, ...]:
        count = dict(enumerate(counts, 1)).get(record.draft, 0)
        return tuple(Verdict(f"D3-{20 + number}", "broken", "hill-1 is too long") for number in range(count))

    def set_counts(*new_counts: int) -> None:
        counts[:] = new_counts

    # What is placed does not depend on it, so these boards may be shared with other tests.
    with (
        mock.patch.object(games, "find_broken_clauses", find_broken),
        mock.patch.object(replay, "find_broken_clauses", find_broken),
    ):
        yield set_counts


def new(seed: int = 7, rules: str = RULES, **orders: str) -> GeneratedGame:
    return play(find(rules), Orders(rules=rules, **orders), seed, ENGLISH)


def first_rolls(record: Record, stage: str) -> list[tuple[str, str, str]]:
    return [throw for throw in questions(record) if throw[0] == stage]


def questions(record: Record) -> list[tuple[str, str, str]]:
    return [(throw.stage, throw.reason, throw.answer) for throw in record.log]


@pytest.mark.parametrize("rules", NAMES)
def test_a_battlefield_that_keeps_its_rules_is_the_first_draft_and_its_file_does_not_say_so(rules: str) -> None:
    record = new(rules=rules).record
    assert record.draft == 1
    assert "draft" not in json.loads(write(record))


@pytest.mark.parametrize("rules", NAMES)
def test_a_later_draft_has_the_same_rolls_and_other_shapes(broken: Break, rules: str) -> None:
    first = new(rules=rules).record
    broken(1, 2)
    game = new(rules=rules)
    assert (game.record.draft, game.broken_clauses) == (3, ())
    # Other shapes may leave no room where a piece was placed, so that a later stage rolls again.
    stage = first.log[0].stage
    assert first_rolls(game.record, stage) == first_rolls(first, stage) != []
    assert game.record.battlefield.features != first.battlefield.features
    text = write(game.record)
    assert json.loads(text)["draft"] == 3
    assert read_record(text)[1] == game.record
    assert compare_replay(find(rules), game.record).faults == ()


def test_if_every_draft_breaks_a_rule_the_first_of_those_with_fewest_is_kept_with_a_notice(broken: Break) -> None:
    broken(3, 2, 1, 1)
    game = new()
    assert (game.record.draft, len(game.broken_clauses)) == (3, 1)
    notices = [str(notice) for notice in game.warnings if "breaks a rule" in str(notice)]
    assert len(notices) == 1
    assert notices[0].startswith("this battlefield breaks a rule; use another seed or roll a stage again: ")
    assert notices[0].endswith("hill-1 is too long (D3-20)")
    assert compare_replay(find(RULES), game.record).faults == ()


def test_no_more_than_four_drafts_are_drawn(broken: Break) -> None:
    broken(*[1] * 9)
    assert (new().record.draft, LAST_DRAFT) == (1, 4)
    broken(*[1] * 4)
    assert new().record.draft == 1


def test_the_command_says_which_rule_the_battlefield_breaks(
    broken: Break, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(1, 1, 1, 1)
    assert run(["map", "--rules", RULES, "--seed", "7", "--to", "json", "--out", str(tmp_path / "map.json")]) == 0
    assert "this battlefield breaks a rule" in capsys.readouterr().err


def test_own_dice_a_log_and_a_wish_are_drawn_again_too(broken: Break) -> None:
    plain = new().record
    broken(1)
    scores = " ".join(throw.answer for throw in plain.log if throw.asked == "d6")
    by_dice = new(dice=scores)
    assert by_dice.record.draft == 2
    assert sum("Your dice" in str(notice) for notice in by_dice.warnings) == 1
    by_log = new(dice=log_text(plain)).record
    assert (by_log.draft, questions(by_log)) == (2, questions(plain))
    assert like.like(find(RULES), plain, "more-hills", 7, ENGLISH, tries=1).game.record.draft == 2


def test_answers_at_the_terminal_are_asked_for_once(broken: Break) -> None:
    plain = new().record
    broken(1, 1)
    asked: list[str] = []

    def prompt(question: Question) -> str:
        asked.append(question.reason)
        return "1" if question.request == "d6" else ""

    game = play(find(RULES), Orders(rules=RULES), 7, ENGLISH, prompts=UserPrompts(prompt, asked.append))
    assert game.record.draft == 3
    assert len(asked) == len(game.record.log)
    assert {throw.answer for throw in game.record.log if throw.asked == "d6"} == {"1"}
    assert any(throw.answer != "1" for throw in plain.log if throw.asked == "d6")


def test_a_draft_that_asks_other_questions_than_the_dice_answer_is_left_out(
    broken: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(1)
    log, replay_log = new().record.log, games.GameSetup.replay_log

    def replay_first(setup: games.GameSetup, *given: object, **named: object) -> GeneratedGame:
        if setup.draft == 2:
            raise RecordError("another question")
        return replay_log(setup, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(games.GameSetup, "replay_log", replay_first)
    record = new(dice=log_text(replace(new().record, log=log))).record
    assert record.draft == 3


def test_another_draft_than_the_first_that_keeps_the_rules_is_a_fault() -> None:
    setup = games.setup_from_record(find(RULES), new().record, ENGLISH)
    later = replace(setup, draft=2).play_seed().record
    faults = compare_replay(find(RULES), later).faults
    assert [str(fault) for fault in faults] == ["draft 1 breaks no rule, so draft 2 is not the one to use"]
    assert compare_replay(find(RULES), replace(later, draft=1)).faults


def test_a_stage_that_is_rolled_again_keeps_the_draft(broken: Break) -> None:
    broken(1, 1)
    first = new()
    again = replay_game(find(RULES), first.record, ENGLISH, reroll=find(RULES).stages[-1:], new_seed=5)
    assert (first.record.draft, again.record.draft) == (3, 3)


@pytest.mark.parametrize("draft", [0, LAST_DRAFT + 1, "two"])
def test_the_number_of_a_draft_goes_from_1_to_4(draft: object) -> None:
    tree = {**json.loads(write(new().record)), "draft": draft}
    with pytest.raises(RecordError, match=r"draft .* is not valid\. Write a whole number from 1 to 4\."):
        read_record(json.dumps(tree))


def test_a_wrong_army_is_no_reason_to_draw_the_shapes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    collision = find("collision-course")
    record = new(rules=collision.name).record
    wrong = (Verdict("CC-2.1", "broken", "wrong column"),)
    monkeypatch.setattr(type(collision), "judge", lambda *_: wrong)
    assert find_broken_clauses(collision, record) == ()
    assert isinstance(collision, system.TerrainJudge)

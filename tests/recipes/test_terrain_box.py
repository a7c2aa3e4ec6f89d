"""Games held to a terrain box: replaced, thrown again, logged, listed, and the same when printed from the record."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from leaflets_scene import assert_inside, by_hand, tells

from printkit.cli.app import run
from printkit.console.games import games_of
from printkit.core.errors import RecordError, UsageError
from printkit.core.words import Words
from printkit.core.words import find_words as language
from printkit.kit.registry import find, read_record
from printkit.kit.system import RuleSystem
from printkit.options.commands import GameOptions
from printkit.options.printing import MapOptions, PrintOptions
from printkit.page.sheet import Page
from printkit.recipes.box.box_list import add_piece_notes, box_pages
from printkit.recipes.box.piece_box import BoxPiece, PieceBox
from printkit.recipes.box.refit import fit_to_box, match_record, recorded_attempts
from printkit.recipes.game.games import GeneratedGame
from printkit.recipes.output.printers import print_context
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record, write

ENGLISH = language("en")
BOTH = language("en+es")
LOOSE = tuple(
    BoxPiece(kind=kind, number=9)
    for kind in (Kind.HILL, Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.BUA, Kind.MARSH, Kind.BROKEN_GROUND, Kind.BRIDGE)
)
WAYS = (BoxPiece(kind=Kind.RIVER, number=9, length=1000.0), BoxPiece(kind=Kind.ROAD, number=9, length=1000.0))
NO_LAKE = PieceBox((*LOOSE, *WAYS), "dry")


def game(asked: GameOptions) -> tuple[RuleSystem, GeneratedGame]:
    """Return a game as the command line plays it."""
    (made,) = games_of(asked, ENGLISH, quiet=True)
    return made


@pytest.fixture(scope="module")
def wet() -> tuple[RuleSystem, GeneratedGame]:
    """Return a game with a lake."""
    system, played = game(GameOptions(seed=1))
    assert any(played.record.battlefield.select_features(Kind.LAKE))
    return system, played


@pytest.fixture(scope="module")
def dried(wet: tuple[RuleSystem, GeneratedGame]) -> GeneratedGame:
    """Return that game held to a box without one."""
    return fit_to_box(wet[0], wet[1], NO_LAKE, ENGLISH, can_reroll=True)


def pages(record: Record, words: Words = ENGLISH) -> tuple[Page, ...]:
    system = find(record.rules)
    order = print_context(PrintOptions(), words)
    return box_pages(record, system, order)


def test_what_has_no_piece_is_thrown_again(wet: tuple[RuleSystem, GeneratedGame], dried: GeneratedGame) -> None:
    assert not any(dried.record.battlefield.select_features(Kind.LAKE))
    attempts = recorded_attempts(dried.record)
    assert attempts
    assert {attempt.stages for attempt in attempts} == {("deal",)}
    assert attempts[0].wanting == ("lake",)
    assert dried.record.reseeded == {"deal": attempts[-1].seed}
    assert dried.record.box["missing"] == []
    assert [verdict for verdict in wet[0].judge(dried.record) if verdict.state == "broken"] == []
    assert "terrain box: deal rolled again" in dried.warnings[-1]


@pytest.mark.usefixtures("_laid_anew")
def test_the_same_seed_and_box_make_the_same_bytes(wet: tuple[RuleSystem, GeneratedGame], dried: GeneratedGame) -> None:
    again = fit_to_box(wet[0], wet[1], NO_LAKE, ENGLISH, can_reroll=True)
    assert write(again.record) == write(dried.record)


def test_a_record_keeps_its_box_when_it_is_read_back_and_thrown_anew(dried: GeneratedGame, tmp_path: Path) -> None:
    text = write(dried.record)
    _, found = read_record(text)
    assert found == dried.record
    assert pages(found) == pages(dried.record)
    path = tmp_path / "game.json"
    path.write_text(text, encoding="utf-8")
    _, again = game(GameOptions(record=str(path), reroll=("order",), seed=5))
    assert again.record.box["piece"] == dried.record.box["piece"]
    assert match_record(again.record) is not None
    spoilt = json.loads(text)
    spoilt["box"]["thrown_again"] = [{"stages": 3}]
    with pytest.raises(RecordError, match=r"box.thrown_again is not a list"):
        pages(read_record(json.dumps(spoilt))[1])


def test_a_substitute_leaves_the_field_as_it_fell(wet: tuple[RuleSystem, GeneratedGame]) -> None:
    named = PieceBox((*NO_LAKE.pieces, BoxPiece(kind=Kind.LAKE, number=0, substitute=Kind.MARSH)))
    system, played = wet
    found = fit_to_box(system, played, named, ENGLISH, can_reroll=True).record
    assert found.battlefield == played.record.battlefield
    assert found.log == played.record.log
    assert [entry["by"] for entry in found.box["replaced"]] == ["marsh"]
    (lake,) = found.battlefield.select_features(Kind.LAKE)
    accounts = add_piece_notes(system.account(found, BOTH), found, BOTH)
    assert "On the table, use marsh instead." in accounts[lake.id]
    assert "En la mesa, usa pantano en su lugar." in accounts[lake.id]


def test_ones_own_dice_stand_as_they_fell(wet: tuple[RuleSystem, GeneratedGame], tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('[[piece]]\nkind = "hill"\n', encoding="utf-8")
    _, found = game(GameOptions(seed=1, box=str(path), dice="3 4 6 1 2 2 5 4 1 1 3 6"))
    assert recorded_attempts(found.record) == ()
    assert found.record.reseeded == {}
    assert found.record.box["missing"]
    assert "no piece for" in found.warnings[-2]
    assert "not listed" in found.warnings[-1]
    record = tmp_path / "game.json"
    record.write_text(write(wet[1].record), encoding="utf-8")
    _, again = game(GameOptions(record=str(record), box=str(path)))
    assert again.record.battlefield == wet[1].record.battlefield
    assert again.record.box["missing"]


def test_the_list_says_what_is_needed_owned_and_missing_on_the_last_page_of_a_map() -> None:
    system, record = by_hand()
    few = PieceBox((BoxPiece(kind=Kind.HILL, number=1, name="Sam’s hill", length=90.0, width=80.0), *WAYS), "Sam")
    found = fit_to_box(system, GeneratedGame(record=record), few, BOTH, can_reroll=True).record
    made = pages(found, BOTH)
    for words in BOTH.each():
        for key in ("title", "fetch", "nothing", "summary.missing"):
            assert tells(made, words(f"box.{key}"))
    assert tells(made, "Sam’s hill")
    assert_inside(made)
    order = map_context(MapOptions(style="ink-saver", furniture="none", scale="1:8", hide=("numbers",)), ENGLISH)
    dry = fit_to_box(system, GeneratedGame(record=record), NO_LAKE, ENGLISH, can_reroll=False).record
    planned = plan_map(dry, system, order)
    document = planned.document
    assert planned.box_pages == 1
    assert document.pages[-1].bookmark == ENGLISH("box.title")


def test_a_box_prints_the_plan_to_build_from_and_the_map_only_on_request(
    dried: GeneratedGame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.json"
    record.write_text(write(dried.record), encoding="utf-8")

    def written(*words: str) -> dict[str, bytes]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        assert run([*words, "--from", str(record), "--style", "ink-saver", "--lang", "en", f"--out={folder}"]) == 0
        return {path.name: path.read_bytes() for path in folder.glob("*.pdf")}

    ((name, plan),) = written("map").items()
    assert name.endswith("-build-a4-ink.pdf")
    (command,) = re.findall(r"For the paper map as well: (.*)", capsys.readouterr().err)
    assert list(written("handouts", "--only", "layout").values()) == [plan]
    both = written(*shlex.split(command.partition("printkit ")[2]))
    assert both.pop(name) == plan
    ((name, _),) = both.items()
    assert "-build" not in name
    # One sheet of the map, and pictures, are of the map.
    assert [*written("map", "--only", "A1")] == [*written("map", "--only", "A1", "--with", "map")]
    with pytest.raises(UsageError, match="--with cards is not valid"):
        map_context(MapOptions(wanted=("cards",)), ENGLISH)
    assert run(["map", "--seed", "7", "--with", "map", "--lang", "en", "--plan"]) == 2
    assert "add --box FILE.toml" in capsys.readouterr().err

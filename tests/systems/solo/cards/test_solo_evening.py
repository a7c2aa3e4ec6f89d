"""An evening of the solo game: its folder, what YOU may not find in yours, pair cards and sheets by command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from reading import opened, texts
from solo_games import RULES

from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Text
from printkit.kit import registry
from printkit.page.sheet import Page
from printkit.page.sheet import find_sheet as paper
from printkit.recipes.evening.contents import steps
from printkit.recipes.evening.reference import reference_pages
from printkit.recipes.evening.table_sheets import battle_report, playing_sides
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.output.files import find_style
from printkit.recipes.output.handout import HandoutContext
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.pair_cards import build_pair_cards
from printkit.systems.solo.cards.sheet_setup import build_set_up_sheet
from printkit.systems.solo.cards.sheet_values import Tick
from printkit.systems.solo.sheets.battle_sheets import make_case, read_handout_pair, read_placing
from printkit.systems.solo.sheets.sheet_sets import make_pair_deck
from printkit.systems.solo.terrain.read_record import format_armies, format_position

Captured = pytest.CaptureFixture[str]
BATTLE = 'schema = "dba-battle/1"\nnpg = "viking"\nyou = "welsh"\nseed = 3\n'


@pytest.fixture(scope="module")
def handout() -> HandoutContext:
    """Return a game as the pages of an evening are made from it."""
    system, words = registry.find("solo-dba"), find_words("en")
    orders = Orders(rules="solo-dba", settings={"npg": "viking", "you": "welsh"})
    record = play(system, orders, 7, words).record
    return HandoutContext(record=record, system=system, sheet=paper("a4"), style=find_style("ink-saver"), words=words)


def test_a_solo_game_has_one_side_no_umpire_its_own_files_and_its_phone_is_told_of(handout: HandoutContext) -> None:
    (you,) = playing_sides(handout.record, handout.system.book)
    assert (you.solo, you.folder) == (True, "you")
    names = [own.name for own in handout.plugin_parts("evening_files")]
    assert names == ["you/battle-sheet.pdf", "you/bound-log.pdf", "sealed/npg-secret.pdf", "sealed/bound-strip.pdf"]
    (deck,) = handout.plugin_parts("umpire_decks")
    assert (deck.name, deck.reference) == ("pair", False)
    (report,) = battle_report(handout)
    told = {text.content for text in letters_of(report)}
    assert "Umpire" not in told
    assert "Date" in told
    done = list(steps((), handout.words, handout.plugin_parts("evening_texts")))
    assert [each for each in done if "you/table-aid.html" in each] == done[1:]


def test_the_reference_has_the_orders_of_the_general_and_when_it_is_over(handout: HandoutContext) -> None:
    first = handout.plugin_parts("reference_blocks")
    (page,) = reference_pages(handout, (), origin="", first_contents=first)
    told = "".join(text.content for text in letters_of(page))
    for said in ("Aggression level", "Permitted moves", "Re-enforce", "Override: 3 tries", "if it has lost 4"):
        assert said.replace(" ", "") in told.replace(" ", "")
    bare = replace(handout, words=find_words("en+es"))
    assert len(bare.plugin_parts("reference_blocks")) == 2 * len(first)


def letters_of(page: Page) -> list[Text]:
    return [each for placed in page.placements for _, each in placed.drawing.items() if isinstance(each, Text)]


def test_your_sheets_tell_nothing_of_the_npg_and_no_seed(handout: HandoutContext) -> None:
    pair = read_handout_pair(handout)
    assert pair is not None
    own = str(handout.plugin_parts("side_blocks"))
    assert pair.you.name in own
    codes = {element.code for element in pair.npg.elements} - {element.code for element in pair.you.elements}
    assert codes
    assert not any(f"'{code}'" in own for code in codes)


def test_the_battle_sheet_of_an_evening_says_what_was_thrown(handout: HandoutContext) -> None:
    pair = read_handout_pair(handout)
    assert pair is not None
    front = build_set_up_sheet(make_case(handout.record, pair, secret=True), CardText(find_words("en"), RULES))
    step = handout.record.details["attack"]["step"]
    dice = [" ".join(map(str, step["dice"][side::2])) for side in (0, 1)]
    assert [party.die for party in front.parties] == dice
    laid = [piece for piece in handout.record.details["terrain"]["pieces"] if piece["result"]]
    assert len([line for line in front.terrain if line.position]) == len(laid)
    placing = read_placing(handout.record)
    optional = [piece for piece in laid if not piece["compulsory"]]
    told = [line.position for line in front.terrain if line.tick is Tick.ON][-len(optional) :]
    for piece in optional:
        where = format_position(piece["terrain"], piece["result"], find_words("en"))
        assert f"{' '.join(placing[piece['id']])}: {where}" in told
    assert all(line.position == "" for line in front.terrain if line.tick is Tick.OFF)


def test_armies_are_called_in_the_language_of_the_sheets(handout: HandoutContext) -> None:
    words, pair = find_words("es"), read_handout_pair(handout)
    assert pair is not None
    sheet = build_set_up_sheet(make_case(handout.record, pair, secret=True), CardText(words, RULES))
    names = str([party.name for party in sheet.parties])
    told = (names, str(build_pair_cards(pair, words)), format_armies(handout.record, words))
    for each in told:
        assert "Vikingos" in each
        assert "Galeses con mercenarios vikingos" in each
        assert "Viking'" not in each
        assert "Welsh" not in each
    assert format_armies(handout.record, find_words("en+es")).count(" · ") == 1


def test_plans_of_pair_cards_and_blank_sheets_and_pair_cards_of_a_record(
    table: Path, capsys: Captured, handout: HandoutContext
) -> None:
    order = ["cards", "pair", "--lang", "en", "--style", "ink-saver", "--plan"]
    assert run([*order, "--set", "npg=viking", "--set", "you=welsh", "--seed", "7"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Pair cards would take ")
    assert "Viking (NPG) against Welsh" in said
    # Blank sheets need no armies.
    assert run(["npg", "sheets", "--lang", "es", "--seed", "5", "--plan"]) == 0
    assert "npg-sheets-seed5-a4-es.pdf" in capsys.readouterr().out
    assert not (table / "output").exists()
    found = make_pair_deck((handout.system, handout.record), (), 0, find_words("en"))
    assert "Viking (NPG) against Welsh" in found.lines[0]
    assert {card.id for card in found.deck.deck.cards} >= {"X5", "X7", "X8", "X9"}


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (["cards", "terrain", "--set", "npg=viking"], "brantley has no setting 'npg'"),
        (["cards", "pair", "--set", "tie=maybe"], "solo-dba has no setting 'tie'"),
        (["npg", "sheets", "--set", "mode=ranges"], "mode=ranges needs armies"),
        (["npg", "sheets", "viking", "welsh", "--set", "mode=rolled"], "two armies have not rolled yet"),
        (["npg", "sheets", "--set", "mode=loud"], "mode = 'loud' is not valid; use one of rolled, ranges, blank"),
        (["npg", "sheets", "battle.toml", "--set", "mode=rolled"], "this battle has no rolls yet"),
        (["npg", "sheets", "--sheet", "150x200mm"], "use a4 or letter"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(table: Path, capsys: Captured, order: list[str], said: str) -> None:
    (table / "battle.toml").write_text(BATTLE, encoding="utf-8")
    assert run(order) in (1, 2)
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (table / "output").exists()


def test_sheets_of_a_battle_keep_the_npg_on_pages_of_his_own(table: Path, capsys: Captured) -> None:
    (table / "battle.toml").write_text(BATTLE, encoding="utf-8")
    assert run(["npg", "bound", "battle.toml", "--lang", "en"]) == 0
    assert run(["npg", "sheets", "battle.toml", "--lang", "en", "--out", "sheets.pdf"]) == 0
    assert "The last 2 pages are for the NPG." in capsys.readouterr().err
    made = (table / "sheets.pdf").read_bytes()
    pages = texts(made)
    assert len(opened(made).pages) == 6
    log = json.loads((table / "battle.json").read_text(encoding="utf-8"))
    codes = {code.rstrip("*") for code in log["stages"]["compose"]["results"]["npg_army"]}
    assert all(code in pages[4] for code in codes)
    assert "Wb" not in pages[0]
    assert "Seed 3" in pages[3]

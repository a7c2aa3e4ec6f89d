"""The battle sheet, the bound log and the pre-rolled strip: what each mode and setting says, and that it fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import pytest
from forces import CST, LEG, PHX, STP, force
from msgspec.structs import replace
from solo_games import RULES, rules

from printkit.chance.dice import Dice, Seeded
from printkit.core.errors import PageError
from printkit.core.words import Words, find_words
from printkit.drawing.canvas.items import Stamp, Text
from printkit.drawing.text.text_styles import LEAST_PT
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Page
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.systems.solo.armies.composition_text import modifier_text
from printkit.systems.solo.armies.force import Force, Side
from printkit.systems.solo.armies.rules import SoloRules
from printkit.systems.solo.armies.steps import Mode, apply_modifier
from printkit.systems.solo.battle.facts import question_of
from printkit.systems.solo.battle.lines import move_lines, title_of
from printkit.systems.solo.cards.card_text import CardText
from printkit.systems.solo.cards.decks import build_summary_deck
from printkit.systems.solo.cards.pair import Pair
from printkit.systems.solo.cards.pair_cards import build_pair_cards
from printkit.systems.solo.cards.reference import build_reference_cards
from printkit.systems.solo.cards.sheet_deployment import deployment
from printkit.systems.solo.cards.sheet_setup import build_set_up_sheet
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, RolledValues, SheetCase, Tick, roll_bounds
from printkit.systems.solo.sheets.battle_sheets import (
    make_army_sheet,
    make_battle_sheet,
    make_bound_log,
    make_bound_strip,
    make_secret_pages,
)
from printkit.systems.solo.sheets.paper import MARGIN_MM
from printkit.systems.solo.tactics.battle_log import BoundEntry
from printkit.systems.solo.tactics.bounds import Losses, bound
from printkit.systems.solo.tactics.situation import NAMES, Situation
from printkit.systems.solo.tactics.tactics_tables import Level, Stance
from printkit.terrain.field.battlefield import Edge

EN = CardText(find_words("en"), RULES)
LONG = "Armies of the Upper and the Lower Kingdoms of the Hill Peoples"[:60]
BLANK = SheetCase(mode=Mode.BLANK, rules=RULES)


def case(
    npg: Force, you: Force, mode: Mode = Mode.RANGES, *, secret: bool = False, side: Side | None = None
) -> SheetCase:
    """Return the sheets of two armies."""
    pair = Pair(npg=npg, you=you, rules=RULES, attacker=side)
    return SheetCase(mode=mode, rules=RULES, pair=pair, secret=secret, title="A title")


@cache
def order(sheet: str = "a4", language: str = "en") -> SheetContext:
    """Return how sheets are printed."""
    return print_context(PrintOptions(sheet=sheet, style="high-contrast"), find_words(language))


def letters(page: Page) -> Iterator[Text]:
    """Yield all type of a page."""
    for placed in page.placements:
        for layer in placed.drawing.layers:
            for item in layer.items:
                assert not isinstance(item, Stamp)
                if isinstance(item, Text):
                    yield item


@pytest.mark.clause("SD-1.1-a")
def test_the_foot_of_the_battle_sheet_thanks_those_who_made_the_rules() -> None:
    back = make_battle_sheet(BLANK, order())[1]
    said = " ".join(text.content for text in letters(back))
    for name in ("Richard Lee", "Dale Hurtt", "John Meunier", "Chad La Mons", "Random Terrain Placement"):
        assert name in said
    assert "De Bellis Solitarius" in said


def test_a_blank_sheet_knows_nothing() -> None:
    front, back = build_set_up_sheet(BLANK, EN), deployment(BLANK, EN)
    assert all(party.army == () and party.name == "" for party in front.parties)
    assert all(tick is Tick.EMPTY for line in back.edges for tick in line.ticks)
    assert all(tick is Tick.EMPTY for group in back.groups for tick in group.ticks)
    assert [line.letter for line in back.edges] == list("abcdefghi")
    assert (len(back.groups), len(back.overrides)) == (9, 3)


def test_ranges_count_what_the_armies_say() -> None:
    back = deployment(case(LEG, STP), EN)
    ticks = {line.letter: set(line.ticks) for line in back.edges}
    assert ticks["a"] == {Tick.EMPTY}
    assert all(ticks[letter] == {Tick.OFF} for letter in "efg")
    assert [group.elements for group in back.groups[:5]] == ["3Bd+1Ps", "3Bd+1Ps", "2Sp", "1Cv*", "1Cv"]
    assert [group.total for group in back.groups[:4]] == ["0 +", "0 +", "0 +", "+4 +"]
    assert back.groups[3].ticks[7] is Tick.ON
    camp, town, landing = back.dice
    assert camp.outcomes == "Modifier +3 included: camp followers 1–2, one Sp 3–6"
    assert town.outcomes == "Bd: own half 3–6, elsewhere always; with a Sp in camp, Sp: 3–6, always"
    assert landing.outcomes == "no landing; no die"
    assert back.level == "Modifier −2 included: Defensive 1–4, Neutral 5–6, Aggressive never"
    front = build_set_up_sheet(case(LEG, STP), EN)
    assert [line.label for line in front.terrain[:4]] == [
        "Steep Hill", "Second compulsory feature", "Number of optional features", "… after two",
    ]  # fmt: skip
    assert [line.dice for line in front.terrain[1:4]] == ["4–6", "two never, three always", "two 1, three 2–6"]


def test_the_map_ticks_the_edges() -> None:
    facts = Situation.given(near__zone_clear=True, far__bad_ahead=True, bua="far-left", waterway="none")
    back = deployment(replace(case(LEG, STP), pair=Pair(npg=LEG, you=STP, rules=RULES, situation=facts)), EN)
    by_letter = {line.letter: line.ticks for line in back.edges}
    assert by_letter["a"][0] is Tick.ON
    assert by_letter["c"][0] is Tick.ON  # bad going ahead of the far zone, and YOU have 11 mounted
    assert back.sums == ("+4", "–", "–", "0")


def test_a_secret_sheet_tells_nothing_of_the_npg() -> None:
    shown = case(LEG, STP, Mode.ROLLED, secret=True, side=Side.YOU)
    front, back = build_set_up_sheet(shown, EN), deployment(shown, EN)
    npg, you = front.parties
    assert (npg.name, npg.army, len(you.army)) == ("LEG", (), 12)
    assert (npg.defends, you.attacks) == (Tick.ON, Tick.ON)
    assert back == deployment(case(PHX, STP, Mode.ROLLED, secret=True, side=Side.YOU), EN)
    pages = make_secret_pages(shown, order())
    assert sum("Blades" in text.content for text in letters(pages[0])) == 6


def test_what_was_thrown_stands_on_the_sheet() -> None:
    attack = {"clause": "SD-2.3-a", "title": "", "inputs": {}, "dice": [2, 4, 6, 1], "modifiers": [], "result": "npg"}
    level = {"clause": "SD-5.2-a", "title": "", "inputs": {}, "dice": [5], "modifiers": [], "result": "neutral"}
    rolled = replace(case(LEG, STP, Mode.ROLLED), rolls=RolledValues(steps=(attack, level)))
    npg, you = build_set_up_sheet(rolled, EN).parties
    assert (npg.die, npg.total, you.die, you.total) == ("2 6", "9", "4 1", "5")
    back = deployment(rolled, EN)
    assert back.level_die == "5"
    assert [tick for _, tick in back.levels] == [Tick.OFF, Tick.ON, Tick.OFF]


def test_the_strip_is_what_the_battle_of_its_seed_throws() -> None:
    dice = Dice(Seeded(77))
    for line in roll_bounds(77, RULES):
        for level in Level:
            played = bound(level, Losses(), RULES, Dice(Seeded(77)).at(f"bound {line.number}"))
            assert (played.pips, played.die) == (line.pips, line.die)
            assert line.strip[played.net + 3] is played.stance
        assert line.is_free == (dice.at(f"override {line.number}").d6("override of the engine", "SD-5.4-a") >= 3)
    assert len(roll_bounds(77, RULES)) == BOUND_COUNT


@pytest.mark.clause("ST-77")
@pytest.mark.parametrize(("sheet", "language"), [("a4", "es"), ("letter", "en")])
def test_sheets_fit_their_paper_long_names_wrap_and_small_paper_is_refused(sheet: str, language: str) -> None:
    made = order(sheet, language)
    known = replace(case(replace(PHX, name=LONG), replace(CST, name=LONG)), title=LONG)
    pages = [*make_battle_sheet(known, made), *make_bound_log(known, made), *make_bound_strip(7, known, made)]
    pages += make_secret_pages(known, made)
    for page in pages:
        assert page.sheet.margin == MARGIN_MM
        drawing = page.placements[0].drawing
        for text in letters(page):
            assert text.size_pt >= LEAST_PT - 1e-6, text.content
            assert -0.1 <= text.at[0] <= drawing.width + 0.1, text.content
            assert -0.1 <= text.at[1] <= drawing.height, text.content
    with pytest.raises(PageError, match="shorten it"):
        make_battle_sheet(case(replace(PHX, name="Wagenburg" * 40), CST), made)
    with pytest.raises(PageError, match="use a4 or letter"):
        make_battle_sheet(BLANK, order("150x200mm"))


def test_every_sheet_of_two_armies_says_who_is_who_at_its_foot_and_a_blank_one_does_not() -> None:
    known, made = replace(case(PHX, CST, Mode.ROLLED, secret=True, side=Side.YOU), edge=Edge.LEFT), order(language="es")
    pages = [*make_battle_sheet(known, made), *make_bound_log(known, made), *make_bound_strip(7, known, made)]
    pages += [*make_army_sheet(None, known, made), *make_secret_pages(known, made)]
    for page in pages:
        drawing, foot = page.placements
        assert foot.transform.f + foot.drawing.height <= drawing.transform.f + 1e-6
        told = " ".join(item.content for _, item in foot.drawing.items() if isinstance(item, Text))
        assert "GNJ, defensor (PHX): rojo, líneas continuas, borde izquierdo" in told
        assert "TÚ, atacante (CST): azul, líneas de trazos, borde derecho" in told
    assert all(len(page.placements) == 1 for page in (*make_battle_sheet(BLANK, made), *make_bound_log(BLANK, made)))


@pytest.mark.parametrize(("sheet", "name", "count"), [("a4", "PHX", 1), ("a4", LONG, 2), ("letter", LONG, 2)])
def test_a_log_in_large_print_has_every_bound_whatever_armies_are_called(sheet: str, name: str, count: int) -> None:
    large = print_context(PrintOptions(sheet=sheet, large_print=True), find_words("en"), None)
    known = case(replace(PHX, name=name), replace(CST, name=name), side=Side.YOU)
    pages = make_bound_log(known, large)
    assert [page.back for page in pages] == [False, True][:count]
    told = [text.content for page in pages for text in letters(page)]
    assert all(told.count(str(bound)) >= 1 for bound in range(1, BOUND_COUNT + 1))


@pytest.mark.clause("AMB-43")
def test_the_bound_log_says_what_counts_as_lost_and_when_it_is_over() -> None:
    def foot(*lost: int) -> str:
        played = tuple(
            BoundEntry(number=number, pips=3, die=4, net=0, npg_lost=each, you_lost=1, stance="cautious")
            for number, each in enumerate(lost, 1)
        )
        known = replace(case(PHX, CST, Mode.ROLLED), rolls=RolledValues(bounds=played))
        (page,) = make_bound_log(known, order())
        return " ".join(text.content for text in letters(page))

    for lost in ((), (0, 3)):
        told = foot(*lost)
        assert "every element that is destroyed" in told
        assert "if it has lost 4 elements (or its general) and more than the enemy" in told
    assert "The game is over: YOU have won (losses: NPG 4, YOU 1)" in foot(0, 3, 4)


PAIRS = (
    (force("n1", "Cv* 3, Kn 1, LH 2, Sp 3, Ax 1, Ps 2", "arable", 2), force("y1", "Cv* 4, El 1, Sp 2, Bd 5", "dry", 1)),
    (force("n2", "Bd* 3, Sp 3, Bw 6", "littoral", 2), force("y2", "El* 2, Cv 2, Ps 2, Sp 2, Bw 4", "littoral", 1)),
)
"""Armies of which the counts lie where a setting decides."""

TOUCHES: Mapping[str, tuple[str, str]] = {
    "scale": ("25mm", "R05 R07 R11 X2 X6 S1 asked told"),
    "use_bua": ("false", "R03 R05 R09 X1 S1"),
    "bridge_model": ("true", "R06"),
    "solo_terrain": ("npg", "R01"),
    "big_area_sqin": ("8", "R07 X2 S1 asked told"),
    "centre_fraction": ("0.4", "R07 X2 S1 asked told"),
    "front_depth_in": ("5", "R07 X2 S1 asked told"),
    "grouping": ("greedy", "R10 X5 S1"),
    "swap": ("auto", "R01 R15 X9"),
}
"""By setting another value, and the cards, sheets and lines at the terminal that speak of it."""

SILENT = {"npg", "you", "home", "mode"}
"""Settings of which no sheet speaks: armies and home are told by name, the mode says what is filled in."""


def texts(game: SoloRules, words: Words) -> dict[str, str]:
    """Return everything that is printed or told, by the card or the sheet."""
    text = CardText(words, game)
    found = {card.id: repr((card.blocks, card.back, card.facts)) for card in build_reference_cards(text)}
    for npg, you in PAIRS:
        pair = Pair(npg=npg, you=you, rules=game)
        for card in build_pair_cards(pair, words):
            found[card.id] = found.get(card.id, "") + repr(card.blocks)
        case = SheetCase(mode=Mode.RANGES, rules=game, pair=pair)
        found["S1"] = found.get("S1", "") + repr((build_set_up_sheet(case, text), deployment(case, text)))
    found["summary"] = repr(build_summary_deck(words, game).cards[0].blocks)
    found["moves"] = "\n".join(line for stance in Stance for line in move_lines(stance, text))
    found["asked"] = "\n".join(question_of(name, text) for name in NAMES if not name.startswith("left_flank.bad_ahead"))
    own = [clause for clause in game.book.clauses if words.has(f"npg.battle.modifier.{clause}")]
    found["told"] = "\n".join(title_of(clause, text) for clause in own)
    generals = [each.condition for each in game.outcomes("general").modifiers]
    found["composing"] = "\n".join(
        modifier_text(apply_modifier(clause, 1, fact=True), game, words) for clause in generals
    )
    return found


@cache
def usual(language: str) -> dict[str, str]:
    """Return everything that is printed or told by the usual settings."""
    return texts(RULES, find_words(language))


def test_the_table_knows_every_setting() -> None:
    assert set(TOUCHES) | SILENT == {setting.key for setting in RULES.book.settings}


@pytest.mark.parametrize("setting", TOUCHES)
def test_a_setting_changes_every_sheet_that_speaks_of_it(setting: str) -> None:
    value, touched = TOUCHES[setting]
    for language in ("en", "es"):
        before, changed = usual(language), texts(rules(**{setting: value}), find_words(language))
        names = set(before) | set(changed)
        assert {name for name in names if changed.get(name) != before.get(name)} == set(touched.split()), language


@pytest.mark.clause("AMB-19")
def test_on_a_larger_board_the_bands_of_rivers_are_the_same_parts_of_it() -> None:
    assert "9–18 in" in texts(rules(scale="25mm"), find_words("en"))["R05"]

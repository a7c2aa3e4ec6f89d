"""Large print: no type under 11 points; a language a third longer than English is printed on every card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from card_deck import texts
from msgspec.structs import replace
from pseudo_language import PSEUDO, spoken_in
from reading import texts as texts_of
from reading import type_sizes
from set_evenings import evening_set, no_boards, record_of

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import Words, _table_for_key, catalogue
from printkit.drawing.canvas.items import Font, LayerName, Text
from printkit.drawing.cards.faces import faces
from printkit.drawing.cards.layouts import find_size, next_larger_name
from printkit.drawing.cards.long_text import has_clash
from printkit.drawing.lettering.extent import text_length
from printkit.drawing.lettering.lettering import TypeStyle
from printkit.export import pdf
from printkit.kit import registry
from printkit.kit.registry import BUILT_IN
from printkit.options.printing import CardOptions, MapOptions, PrintOptions
from printkit.page.sheet import Document, Page
from printkit.recipes.box.box_fit import box_document
from printkit.recipes.box.piece_box import read_piece_box
from printkit.recipes.output.files import LARGE_PT, find_style
from printkit.recipes.output.printers import print_context
from printkit.recipes.prints.decks import card_context, card_file_name, card_size
from printkit.recipes.prints.file_names import LARGE
from printkit.recipes.prints.map_plan import divide_map, plan_map
from printkit.recipes.prints.maps import map_context

ENGLISH = Words(("en",))
_NEARLY = 1e-6


def _type_of(pages: Iterable[Page]) -> Iterator[Text]:
    """Yield the type of pages, but for printer's marks, and for cards that stand made small on a board."""
    for placed in (placed for page in pages for placed in page.placements):
        if abs(placed.transform.a) == 1.0:
            found = placed.drawing.items()
            yield from (one for layer, one in found if isinstance(one, Text) and layer.name is not LayerName.PRINTER)


def _small(document: Document) -> set[str]:
    """Return what a document says in type under 11 points."""
    return {text.content for text in _type_of(document.pages) if text.size_pt < LARGE_PT - _NEARLY}


@pytest.mark.parametrize("name", ["brantley", "acw", "solo-dba", "collision-course"])
def test_no_sheet_of_an_evening_has_type_under_11_points(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evening_set(name, ENGLISH, monkeypatch, large_print=True)
    kept = {part.name: _small(part.document) for part in made.parts}
    assert {file: small for file, small in kept.items() if small} == {}
    assert _small(made.contents) == set()


def test_a_map_whose_legend_fills_its_sheet_has_title_and_legend_behind_it(tmp_path: Path) -> None:
    file = tmp_path / "whole.pdf"
    command = "map --rules acw --seed 3 --scale fit --large-print --lang en --quiet --out"
    assert run([*command.split(), str(file)]) == 0
    board, legend, key = texts_of(file.read_bytes())
    assert "Clearing" in legend
    assert "Clearing" in key
    assert "Clearing" not in board


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_sheet_of_a_box_has_type_under_11_points(language: str) -> None:
    order = print_context(PrintOptions(style="ink-saver", large_print=True), Words((language,)), None)
    made = box_document(read_piece_box("dba3"), order)
    assert _small(made) == set()


def test_names_and_key_of_a_whole_map_are_as_large() -> None:
    record, system = record_of("dba3"), registry.find("dba3")
    order = map_context(MapOptions(large_print=True, style="ink-saver", scale="fit", dressing="none"), ENGLISH)
    document = plan_map(record, system, order).document
    assert _small(document) == set()


@pytest.mark.parametrize("rules", ["brantley", "dba3", "acw", "portable-2"])
def test_a_map_on_one_sheet_is_not_made_smaller_by_its_large_key(rules: str) -> None:
    record, system = record_of(rules), registry.find(rules)
    usual, large = (
        divide_map(record, system, map_context(MapOptions(large_print=is_large, scale="fit"), ENGLISH))
        for is_large in (False, True)
    )
    assert large.scale >= 0.9 * usual.scale
    assert record.battlefield.title in {text.content for text in _type_of(large.map_pages)}


def test_type_is_as_large_in_the_file_as_on_the_page(tmp_path: Path) -> None:
    command = ["npg", "sheets", "--seed", "7", "--large-print", "--quiet", "--out", str(tmp_path)]
    assert run(command) == 0
    (file,) = tmp_path.glob("*.pdf")
    assert file.stem.endswith(f"-{LARGE}")
    assert min(type_sizes(file.read_bytes())) >= LARGE_PT - 0.01


@pytest.mark.parametrize("language", ["en", "es", "en+es"])
def test_every_card_is_set_on_the_next_larger_size_and_on_the_usual_one(language: str) -> None:
    words, large = Words(tuple(language.split("+"))), find_style("ink-saver", large_print=True)
    for size in (find_size(), find_size(next_larger_name())):
        for deck in registry.find("collision-course").decks(words, None):
            made = faces(deck, size, style=large, words=words)
            sides = [side for face in made for side in (face.front, face.back) if side is not None]
            assert min(text.size_pt for side in sides for text in texts(side)) >= LARGE_PT - _NEARLY


def test_no_type_of_a_card_in_large_print_lies_on_other_type_or_near_the_cut() -> None:
    size, large = find_size(next_larger_name()), find_style("ink-saver", large_print=True)
    for deck in registry.find("solo-dba").decks(ENGLISH, None):
        made = faces(replace(deck, cards=deck.cards[:27]), size, style=large, words=ENGLISH)
        sides = [side for face in made for side in (face.front, face.back) if side is not None]
        assert [side for side in sides if has_clash(side)] == []


def test_a_scale_bar_of_large_print_has_figures_that_keep_apart() -> None:
    record, system = record_of("acw"), registry.find("acw")
    order = map_context(MapOptions(large_print=True, style="ink-saver", scale="fit", dressing="none"), ENGLISH)
    document = plan_map(record, system, order).document
    bars = [text for text in _type_of(document.pages) if text.content.isdecimal() and text.font is Font.FIGURES]
    for row in {round(text.at[1], 2) for text in bars}:
        beside = sorted((text.at[0], text_length(text)) for text in bars if round(text.at[1], 2) == row)
        assert all(x + (long + more) / 2 < at for (x, long), (at, more) in pairwise(beside))


def test_cards_take_the_next_larger_size_where_nobody_names_one() -> None:
    assert (next_larger_name(), next_larger_name("mini"), next_larger_name("tarot")) == (
        "tarot",
        "poker-63x88",
        "tarot",
    )
    assert card_size(CardOptions(large_print=True)).name == "tarot"
    assert card_size(CardOptions(large_print=True, size="poker-63x88")).name == "poker-63x88"
    assert card_size(CardOptions()).name == "poker-63x88"


def test_cards_too_small_for_large_print_are_refused() -> None:
    with pytest.raises(UsageError, match="--large-print needs cards of at least 63 x 88 mm; remove --size mini"):
        card_context(CardOptions(large_print=True, size="mini"), ENGLISH)


def test_large_print_is_another_printing_by_its_name() -> None:
    plain, large = (card_context(CardOptions(large_print=each), ENGLISH) for each in (False, True))
    assert card_file_name(plain, "terrain") == "cards-terrain-a4"
    assert card_file_name(large, "terrain") == "cards-terrain-tarot-a4-large"


def test_a_hand_of_large_print_never_goes_below_its_size() -> None:
    large = find_style("campaign", large_print=True)
    hand = TypeStyle.for_style(large, Font.FIGURES, 7.0, large.solid("ink"))
    assert (hand.size_pt, hand.resize(0.5).size_pt) == (LARGE_PT, LARGE_PT)
    # Figures in the book face are a tenth smaller than their text.
    assert TypeStyle.for_style(large, Font.ROMAN, 7.0, large.solid("ink")).size_pt * 0.9 == pytest.approx(LARGE_PT)
    plain = find_style("campaign")
    assert TypeStyle.for_style(plain, Font.FIGURES, 7.0, plain.solid("ink")).resize(0.5).size_pt == 3.5


@pytest.mark.usefixtures("table", "_no_ink")
@pytest.mark.parametrize("seed", ["1", "3"])
def test_captions_of_large_print_take_their_room_from_the_cards(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    # What was thrown for a card with three dice needs a line more than the board keeps for it.
    assert run(["handouts", "--seed", seed, "--large-print", "--plan", "--lang", "en"]) == 0, capsys.readouterr().err


@pytest.fixture(name="spoken", scope="module")
def _spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Words]:
    """Return the words of the pseudo-language, which is a folder and nothing else."""
    with spoken_in(tmp_path_factory.mktemp("languages")) as words:
        yield words


def test_the_language_lacks_nothing_keeps_what_a_translator_keeps_and_grows_by_a_third(spoken: Words) -> None:
    grown = PSEUDO.pseudo("Place the pieces by {count} rolls of **2D6**, as --set says")
    assert all(kept in grown for kept in ("{count}", "**2D6**", "--set"))
    long = "the quick brown fox jumps over the lazy dog and goes home again"
    letters = len(long.replace(" ", ""))
    assert len(PSEUDO.pseudo(long).replace(" ", "")) == pytest.approx(letters * (1 + PSEUDO.LONGER), abs=3)
    assert set(catalogue(spoken.code)) == set(catalogue("en"))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_sheet_of_an_evening_is_set(name: str, spoken: Words, monkeypatch: pytest.MonkeyPatch) -> None:
    made = evening_set(name, spoken, monkeypatch)
    assert min(part.sheets for part in made.parts) >= 1


SHEETS = (
    ("deal", "--open", "--seed", "7"),
    ("hexon", "--rules", "portable-1", "--seed", "7"),
    ("npg", "sheets", "gallic", "polybian-roman", "--seed", "7"),
    ("npg", "counters", "gallic"),
    ("cards", "booklet"),
    ("cards", "kit"),
    ("map", "--blank", "--rules", "acw"),
    ("map", "--blank", "--rules", "collision-course"),
    ("map", "--blank", "--rules", "portable-2", "--scale", "fit"),
)
"""Commands that print sheets which no evening has."""


@pytest.mark.parametrize("command", SHEETS, ids=lambda command: "-".join(command[:2]))
def test_every_sheet_beside_an_evening_is_set(
    command: tuple[str, ...], spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_boards(monkeypatch)
    monkeypatch.setattr(pdf, "data", lambda _: b"%PDF\nstartxref")
    assert run([*command, "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) in (0, None)


def test_a_text_that_no_sheet_holds_is_found(
    spoken: Words, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(
        _table_for_key(spoken.code, "npg.sheet.bound.number"), "npg.sheet.bound.number", "Unbreakable" * 9
    )
    assert run(["npg", "sheets", "--lang", spoken.code, "--quiet", "--out", str(tmp_path)]) == 1
    assert "Unbreakable" in capsys.readouterr().err

"""printkit cards: decks by their names, put on sheets, and what is said of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command_lines import Captured
from PIL import Image
from reading import opened, texts

from printkit.cli.app import run
from printkit.console import terminal
from printkit.content.cards import Card, Deck
from printkit.core.errors import UsageError
from printkit.core.words import Words
from printkit.drawing.cards.layouts import find_size
from printkit.kit import registry
from printkit.kit.plugin import Plugin
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Flip, find_sheet
from printkit.page.slots import fit_slots
from printkit.recipes.output import printers
from printkit.recipes.prints import decks
from printkit.recipes.prints.decks import find_deck

BLANK = ["cards", "blank", "--lang", "en", "--style", "ink-saver"]
ENGLISH = Words(("en",))


@pytest.fixture(autouse=True)
def folder(table: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep profiles in an empty folder, and return it."""
    kept = table / "settings" / "printers"
    monkeypatch.setattr(terminal, "printers", lambda: kept)
    return kept


def planned(capsys: Captured, *more: str) -> str:
    """Return what is said of blank cards, of which nothing is written."""
    assert run([*BLANK, "--plan", *more]) == 0
    assert not Path("output").exists()
    return capsys.readouterr().out


def test_a_sheet_full_of_blank_cards(capsys: Captured) -> None:
    assert run(BLANK) == 0
    said = capsys.readouterr().err
    assert said.startswith(
        "Blank cards: 1 sheet of A4, 8 cuts, 3 minutes.\n  output/cards-blank-a4-ink.pdf   9 cards ("
    )
    assert "Print on both sides, and flip on the long edge." in said
    data = Path("output/cards-blank-a4-ink.pdf").read_bytes()
    assert run([*BLANK, "--out", "again.pdf", "--quiet"]) == 0
    assert Path("again.pdf").read_bytes() == data
    made = opened(data)
    assert len(made.pages) == 2
    assert made.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
    assert made.Root.ViewerPreferences.PrintScaling == "/None"
    assert made.docinfo.Title == "Blank cards"
    assert made.Root.Lang == "en"
    assert [str(each["/P"]) for each in list(made.Root.PageLabels.Nums)[1::2]] == ["1", "1 back"]
    with made.open_outline() as outline:
        assert [entry.title for entry in outline.root] == ["Sheet 1", "Sheet 1, backs"]
    front, back = texts(data)
    assert "front – flip on the long edge" in front
    assert "back – flip on the long edge" in back


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--count", "10"], "would take 2 sheets of A4, 16 cuts, "),
        (["--count", "10"], "10 cards (poker-63x88), 3 x 3 per sheet, portrait\n"),
        (["--size", "mini"], "16 cards (mini), 4 x 4 per sheet"),
        (["--size", "tarot", "--sheet", "letter"], "would take 1 sheet of Letter, "),
        (["--size", "us-2.5x3.5in", "--sheet", "letter", "--gutter", "2mm"], "8 cards (us-2.5x3.5in), "),
        (["--fold"], "4 cards (poker-63x88), 2 x 2 pairs to fold per sheet, landscape\n"),
        (["--backs", "none"], "per sheet, portrait\nNothing was printed. To print it: printkit cards blank "),
        (["--flip", "short-edge"], "flip on the short edge"),
        (["--gutter", "2mm"], "12 cuts"),
        (["--to", "svg", "--to", "pdf"], "per sheet, portrait\n  output/cards-blank-a4-ink.pdf\n"),
        (["--out", "mine.pdf"], "\n  mine.pdf   9 cards"),
    ],
)
def test_a_plan_says_what_it_takes(more: list[str], said: str, capsys: Captured) -> None:
    assert said in planned(capsys, *more)


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (["cards", "oaks"], 2, "unknown deck 'oaks'; use one of terrain, reference, "),
        (["cards", "blank", "--rules", "oaks"], 2, "unknown rule system 'oaks'"),
        (["cards", "terrain", "--count", "3"], 2, "--count is only for blank cards; deck terrain has a fixed"),
        (["cards", "terrain", "--backs", "content"], 2, "deck terrain has no text for its backs"),
        ([*BLANK, "--backs", "both"], 2, "unknown --backs 'both'; use one of none, deck, content"),
        ([*BLANK, "--backs", "none", "--fold"], 2, "--fold prints each back next to its front"),
        ([*BLANK, "--flip", "top"], 2, "--flip 'top' is not an edge"),
        ([*BLANK, "--size", "huge"], 2, "unknown card size 'huge'"),
        ([*BLANK, "--style", "huge"], 2, "huge"),
        ([*BLANK, "--to", "json"], 2, "unknown format 'json'; use one of pdf, svg, png, tts"),
        (
            [*BLANK, "--margin", "3mm"],
            1,
            "margins of 3 mm are narrower than the 5 mm that printers need. "
            "Use wider margins, or measure your printer: printkit calibrate",
        ),
        ([*BLANK, "--sheet", "70x95mm"], 1, "a card of 63 x 88 mm with its marks does not fit the printable area of"),
        ([*BLANK, "--sheet", "one"], 1, "has no fixed size"),
        ([*BLANK, "--count", "0"], 2, "count"),
        (["cards", "zones"], 2, "add --from RECORD.json"),
        (["cards", "hidden", "--from", "RECORD", "--fold"], 2, "remove them for hidden"),
        (["cards", "reference", "--from", "RECORD", "--rules", "acw"], 2, "a game of brantley; remove --rules acw"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    arguments: list[str], status: int, reason: str, game_record: Path, capsys: Captured
) -> None:
    assert run([str(game_record) if each == "RECORD" else each for each in arguments]) == status
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert reason in line
    assert not Path("output").exists()


def test_cards_for_a_printer_are_laid_out_within_its_reach(folder: Path, capsys: Captured) -> None:
    printers.save(PrinterProfile(name="study", scale_x=0.98, back_dx=1.0, flip=Flip.SHORT_EDGE), folder)
    assert "flip on the short edge" in planned(capsys, "--printer", "study")
    other = planned(capsys, "--printer", "study", "--flip", "long-edge")
    assert "Backs are not corrected: study was measured for flipping on the short edge" in other
    assert run([*BLANK, "--printer", "study", "--out", "true.pdf"]) == 0
    assert "cannot reach" not in capsys.readouterr().err
    assert all("printer profile: study" in page for page in texts(Path("true.pdf").read_bytes()))


class Holder:
    """A rule system as far as its decks go."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def decks(self, words: Words, _: object = None) -> tuple[Deck, ...]:
        assert words is ENGLISH
        return tuple(Deck(name=name, title=name, cards=(Card(id="a", title="a"),)) for name in self.names)


def test_of_decks_of_one_name_the_usual_system_has_its_way_and_other_packages_take_no_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = {"dba3": Holder("terrain", "cards"), "brantley": Holder("terrain"), "acw": Holder("cards")}
    said = {name: Plugin(name=name, system="", decks=holder.names) for name, holder in held.items()}
    monkeypatch.setattr(decks, "plugin", lambda name: said.get(name) or registry.plugin(name))
    assert find_deck("terrain", ENGLISH, held).system is held["brantley"]  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="several rules have a deck 'cards': acw and dba3; choose with --rules"):
        find_deck("cards", ENGLISH, held)  # type: ignore[arg-type]
    toy = Plugin(name="toy", system="", decks=("oaks",))
    monkeypatch.setattr(decks, "plugin", lambda name: toy if name == "toy" else registry.plugin(name))
    held = {"toy": Holder("oaks")}
    assert find_deck("oaks", ENGLISH, held).deck.name == "oaks"  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="deck oaks has no settings; remove --set"):
        find_deck("oaks", ENGLISH, held, settings={"key": "value"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("deck", "family"),
    [
        ("terrain", {"brantley"}),
        ("blank", set()),
        ("bound", {"solo", "dba"}),
        ("columns", {"collision", "dba", "dba3"}),
    ],
)
def test_a_deck_is_found_without_loading_the_rules_of_others(deck: str, family: set[str]) -> None:
    lines = [
        "import sys",
        "from printkit.core.words import find_words",
        "from printkit.kit.registry import all_systems",
        "from printkit.recipes.prints.decks import find_deck",
        f"find_deck({deck!r}, find_words('en'), all_systems())",
        "print(*(name.split('.')[2] for name in sys.modules if name.startswith('printkit.systems.')",
        "    and name.count('.') > 2 and not name.endswith('.plugin')))",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= family


@pytest.mark.clause("BR-A01")
@pytest.mark.parametrize("sheet", ["a4", "letter"])
@pytest.mark.parametrize("gutter", [0.0, 1.5])
def test_the_terrain_deck_fills_six_sheets(sheet: str, gutter: float) -> None:
    deck = find_deck("terrain", ENGLISH, registry.all_systems()).deck
    size = find_size()
    slots = fit_slots(size.width, size.height, find_sheet(sheet, margin=6.0), gutter=gutter)
    assert sum(card.copies for card in deck.cards) == 54 == 6 * slots.count
    assert deck.backs == "secret"


@pytest.mark.clause("BR-A08", "BR-A10")
def test_sheets_made_of_a_record_are_asked_for_like_decks(game_record: Path, capsys: Captured) -> None:
    asked = ["--from", str(game_record), "--lang", "en", "--style", "ink-saver"]
    assert run(["cards", "hidden", *asked]) == 0
    assert "The Board before the Reveal: 1 sheet of A4." in capsys.readouterr().err
    assert len(opened(Path(f"output/{game_record.stem}-cards-hidden-a4-ink.pdf").read_bytes()).pages) == 1
    assert run(["cards", "cut-outs", *asked, "--plan"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Cut-outs would take ")
    assert f"  output/{game_record.stem}-cards-cut-outs-a4-ink.pdf\n" in said


def test_dice_tables_in_two_languages_fit_a_usual_card(capsys: Captured) -> None:
    assert run(["cards", "tables", "--rules", "acw", "--lang", "en+es", "--style", "ink-saver", "--plan"]) == 0
    assert "20 cards (poker-63x88)" in capsys.readouterr().out


@pytest.mark.parametrize("given", [["cards", "reference", "--rules", "portable-1"], ["npg", "counters", "welsh"]])
def test_pictures_of_cards_and_counters_are_as_fine_as_is_asked(given: list[str], table: Path) -> None:
    sizes = []
    for dpi, more in ((150, []), (40, ["--dpi", "40"])):
        assert run([*given, "--to", "png", "--style", "ink-saver", "--quiet", "--out", f"at{dpi}", *more]) == 0
        name = next(iter(sorted((table / f"at{dpi}").iterdir())))
        with Image.open(name) as picture:
            sizes.append(picture.size[0] / dpi)
    assert sizes[0] == pytest.approx(sizes[1], abs=0.02)

"""Maps on a roll or on a single large sheet: nothing of a file is on large paper but the map."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from reading import content, opened, outlines, texts

import printkit
from printkit.cli.app import run
from printkit.content.cards import Deck
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.page.printer import PrinterProfile
from printkit.page.sheet import Document
from printkit.recipes.evening.folder import MANIFEST
from printkit.recipes.prints.map_plan import MapPlan, plan_map
from printkit.recipes.prints.maps import map_context
from printkit.systems.brantley.system import Brantley
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.record import Record, write

ENGLISH = Words(("en",))

pytestmark = pytest.mark.usefixtures("_bare")

TABLE = Record(
    rules="acw", battlefield=Battlefield(board=system("acw").board(1219.2, 609.6), title="Wide Acres"), seed=730439
)
"""Two zones of two feet."""


def laid(record: Record = TABLE, profile: PrinterProfile | None = None, **given: object) -> tuple[Document, MapPlan]:
    order = map_context(MapOptions(**{"style": "ink-saver", **given}), ENGLISH, profile)  # type: ignore[arg-type]
    planned = plan_map(record, system("acw"), order)
    return planned.document, planned


def sizes(document: Document) -> set[tuple[str, int, int]]:
    return {(page.sheet.name, round(page.sheet.width), round(page.sheet.height)) for page in document.pages}


@pytest.mark.parametrize(
    ("given", "maps", "paper"),
    [
        ({"sheet": "24in-roll"}, 2, "letter"),
        ({"sheet": "36in-roll"}, 1, "letter"),
        ({"sheet": "one", "only": ("zones",)}, 2, "a4"),
        ({"sheet": "36in-roll", "only": ("zones",)}, 2, "letter"),
    ],
)
def test_the_plan_is_a_document_of_its_own_on_paper_for_a_printer(given, maps, paper):
    document, planned = laid(**given)
    assert len(document.pages) == planned.pages == maps
    assert all(page.label != "plan" for page in document.pages)
    assert document.one_sided
    plan = planned.separate_document
    assert plan is not None
    assert [page.label for page in plan.pages] == ["plan"]
    assert {name for name, _, _ in sizes(plan)} == {paper}
    assert max(max(page.sheet.width, page.sheet.height) for page in plan.pages) < 300
    assert "Wide Acres" in plan.title


def test_a_map_on_one_sheet_and_a_sheet_printed_again_come_without_the_plan():
    document, planned = laid(sheet="one")
    assert (len(document.pages), planned.separate_document) == (1, None)
    for finite in ("a4", "a3", "a0"):
        assert laid(sheet=finite)[1].separate_document is None
    whole, _ = laid(sheet="24in-roll")
    again, planned = laid(sheet="24in-roll", only=("B1",))
    assert [page.label for page in again.pages] == ["B1"]
    assert planned.separate_document is None
    both = [opened(data(each)) for each in (whole, again)]
    assert content(both[0].pages[-1].obj) == content(both[1].pages[-1].obj)


def test_the_plan_prints_as_true_as_the_map():
    profile = PrinterProfile(name="wide", scale_x=1.01, scale_y=0.99)
    plan = laid(profile=profile, sheet="24in-roll")[1].separate_document
    straight = laid(sheet="24in-roll")[1].separate_document
    assert plan is not None
    assert straight is not None
    for page, other in zip(plan.pages, straight.pages, strict=True):
        turned, plain = page.placements[-1].transform, other.placements[-1].transform
        assert (turned.a, turned.d) == pytest.approx((plain.a / 1.01, plain.d / 0.99))


@pytest.mark.parametrize(
    ("given", "there"),
    [
        ({"sheet": "one"}, True),
        ({"sheet": "one", "scale": "1:1.2"}, True),
        ({"sheet": "one", "furniture": "mat"}, False),
        ({"sheet": "one", "furniture": "none"}, False),
        ({"scale": "fit"}, True),
    ],
)
def test_a_sheet_that_is_not_tiled_is_checked_across_and_along(given, there):
    for profile in (None, PrinterProfile(name="wide", scale_x=1.01, scale_y=0.99)):
        document, _ = laid(profile=profile, **given)
        (page,) = document.pages
        made = opened(data(document))
        across, along = (1.0, 1.0) if profile is None else (1 / 1.01, 1 / 0.99)
        if page.sheet.is_landscape and profile is not None:
            across, along = along, across
        found = list(outlines(made.pages[0]))
        for length in (100.0, 101.6):
            lying = [each for each in found if each.size == pytest.approx((length * across, 1.6 * along), abs=0.02)]
            standing = [each for each in found if each.size == pytest.approx((1.6 * across, length * along), abs=0.02)]
            assert (len(lying), len(standing)) == (int(there), int(there))
        text = "".join(texts(data(document)))
        assert ("printer profile: wide" in text) is (profile is not None)


@pytest.mark.usefixtures("_no_ink")
def test_the_command_writes_the_plan_beside_the_map_in_each_format(table: Path, capsys: pytest.CaptureFixture[str]):
    Path("field.json").write_text(write(TABLE), encoding="utf-8")
    asked = ["map", "--from", "field.json", "--style", "ink-saver", "--lang", "en", "--sheet", "24in-roll"]
    wanted = [*asked, "--to", "pdf", "--to", "svg", "--out", "shop.pdf"]
    assert run([*wanted, "--plan"]) == 0
    planned = capsys.readouterr().out
    assert "would take 2 sheets of 24in roll and 1 sheet of Letter, " in planned
    assert "   2 map sheets (landscape, 1 x 2), 1 sheet of Letter with the assembly plan\n" in planned
    assert run(wanted) == 0
    names = {path.name for path in table.iterdir()} - {"field.json"}
    assert names == {"shop.pdf", "shop-1.svg", "shop-2.svg", "shop.json", "shop-plan.pdf", "shop-plan.svg"}
    for name in ("shop.pdf", "shop-plan.pdf", "shop-plan.svg"):
        assert f"  {name}" in planned
    assert "Putting the sheets together" in texts(Path("shop-plan.pdf").read_bytes())[0]
    assert run([*asked, "--to", "json", "--out", "alone.json"]) == 0
    assert not list(table.glob("alone*.pdf"))
    # A program gets the plan with the map.
    field = printkit.load(write(TABLE))
    for name, given in (("roll", {"sheet": "24in-roll"}), ("a4", {"scale": "fit"})):
        made = field.pdf(table / f"{name}.pdf", style="ink-saver", **given)  # type: ignore[arg-type]
        assert [path.name for path in made] == [f"{name}.pdf", "roll-plan.pdf"][: 1 + (name == "roll")]


def test_an_evening_has_the_plan_in_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = Brantley.decks

    def one_card(own: Brantley, words: Words, record: Record | None = None) -> tuple[Deck, ...]:
        deck, *_ = whole(own, words, record)
        return (replace(deck, cards=deck.cards[:1]),)

    monkeypatch.setattr(Brantley, "decks", one_card)
    field = printkit.generate("brantley", seed=7)
    for sheet, there in (("24in-roll", True), ("one", False)):
        folder = tmp_path / sheet
        field.handouts(folder, style="ink-saver", sheet=sheet)
        assert (folder / "map-plan.pdf").exists() is there
        listed = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
        assert ("map-plan.pdf" in listed) is there
        (contents,) = texts((folder / "contents.pdf").read_bytes())
        assert ("as the plan shows" in " ".join(contents.split())) is there
        assert "with its assembly plan" not in contents

"""Which sheets name the seed of their game: the umpire's always, those on the table if asked, a player's own never."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from bare_boards import left_bare
from msgspec.structs import replace
from reading import everything_said, texts
from shapely import box

import printkit
from printkit.api import Field
from printkit.cli.app import run
from printkit.content.cards import Deck
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.options.printing import MapOptions, PrintOptions
from printkit.recipes.output.printers import print_context
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.systems.brantley.sheets.cut_outs import cut_out_document
from printkit.systems.brantley.system import Brantley
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.record import Record

SEED = 730439
"""A number that stands nowhere by chance."""

ENGLISH = Words(("en",))
TABLE = ("contents", "map", "overview", "layout", "report")
"""The files of an evening that lie on the table and tell from which game they are."""

OTHERS = {"reference.pdf", "player-a/player-a.pdf", "player-b/player-b.pdf", "cards-terrain.pdf"}
"""The files that name no seed, whatever is asked."""

whole_decks = Brantley.decks


def one_card(system: Brantley, words: Words, record: Record | None = None) -> tuple[Deck, ...]:
    """Return the terrain deck with its first card alone."""
    deck, *_ = whole_decks(system, words, record)
    return (replace(deck, cards=deck.cards[:1]),)


@cache
def field() -> Field:
    """Return a small field of the seed."""
    return printkit.generate("brantley", seed=SEED, board="12in")


def naming(folder: Path) -> set[str]:
    """Return the files of a folder in which the seed can be found: set as type, in properties, or as it stands."""
    found = set()
    for path in folder.rglob("*"):
        if path.is_file():
            read = path.read_bytes()
            said = everything_said(read) if path.suffix == ".pdf" else [read.decode("utf-8")]
            if str(SEED).encode() in read or any(str(SEED) in "".join(each.split()) for each in said):
                found.add(path.relative_to(folder).as_posix())
    return found


UMPIRES = {"umpire/umpire.pdf", "umpire/record.json", "umpire/log.txt"}


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize("shown", [False, True])
def test_the_table_names_the_seed_if_asked_the_umpire_always_a_player_never(
    shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Brantley, "decks", one_card)
    field().handouts(tmp_path, style="ink-saver", show_seed=shown, wanted=["cards", "layout"])
    assert naming(tmp_path) == UMPIRES | ({f"{name}.pdf" for name in TABLE} if shown else set())
    there = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.pdf")}
    assert there == {f"{name}.pdf" for name in TABLE} | OTHERS | {"umpire/umpire.pdf"}
    # Every page of the table still says to which game it belongs.
    for name in TABLE:
        for page in texts((tmp_path / f"{name}.pdf").read_bytes()):
            assert field().title in page


WAYS = {
    "tiled": {},
    "fit": {"scale": "fit"},
    "one": {"sheet": "one"},
    "zones": {"only": "zones"},
    "full": {"furniture": "full"},
}
MARKED = "fit"


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("way", list(WAYS))
def test_a_map_names_the_seed_if_asked_on_its_sheets_and_in_its_properties(
    way: str, shown: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One way has a board with its marks, which name no seed either."""
    if way != MARKED:
        left_bare(monkeypatch)
    given = {"style": "ink-saver", "show_seed": shown, **WAYS[way]}
    (written,) = field().pdf(tmp_path / "map.pdf", **given)
    assert bool(naming(tmp_path)) is shown
    said = everything_said(written.read_bytes())
    assert any(f"seed {SEED}" in each for each in said) is shown
    pages = field().svg(tmp_path / "svg" / "map.svg", **given)
    assert any(str(SEED) in page.read_text(encoding="utf-8") for page in pages) is shown


@pytest.mark.usefixtures("_bare")
@pytest.mark.parametrize("shown", [False, True])
def test_assembly_sheets_of_tiles_name_the_seed_if_asked(shown: bool, tmp_path: Path) -> None:
    game = printkit.generate("portable-2", seed=SEED)
    game.hexon(tmp_path / "tiles.pdf", style="ink-saver", show_seed=shown)
    assert ("tiles.pdf" in naming(tmp_path)) is shown


def test_cut_outs_over_several_sheets_name_the_seed_if_asked() -> None:
    wood = Area(id="z1", kind=Kind.HEAVY_WOODS, going=Going(1, "rough"), outline=box(50, 50, 290, 290))
    record = replace(field().record, battlefield=replace(field().record.battlefield, features=(wood,)))
    orders = [print_context(PrintOptions(style="ink-saver", show_seed=shown), ENGLISH) for shown in (False, True)]
    hidden, shown = ("".join(everything_said(data(cut_out_document(record, order)))) for order in orders)
    assert str(SEED) not in hidden
    assert f"seed {SEED}" in shown


@pytest.mark.usefixtures("_bare")
def test_a_field_drawn_by_hand_has_no_seed_to_name() -> None:
    drawn = replace(field().record, seed=None)
    orders = [map_context(MapOptions(style="ink-saver", show_seed=shown), ENGLISH) for shown in (True, False)]
    first, second = (data(plan_map(drawn, Brantley(), order).document) for order in orders)
    assert first == second


@pytest.mark.usefixtures("_bare")
def test_sheets_with_the_seed_replace_those_without(table: Path) -> None:
    game = ["--seed", str(SEED), "--board", "12in", "--style", "ink-saver", "--quiet"]
    assert run(["map", *game]) == 0
    assert run(["map", *game, "--show-seed"]) == 0
    (sheets,) = (table / "output").glob(f"*-seed{SEED}-a4-ink.pdf")
    assert sheets.name in naming(table / "output")

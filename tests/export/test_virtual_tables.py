"""Evenings and decks at a virtual table: who has what, nothing that another may not see, sizes of pieces."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from printkit.api import generate
from printkit.cli.app import run
from printkit.content.cards import CardSize
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, PathRun
from printkit.drawing.canvas.items import Path as DrawnPath
from printkit.drawing.cards.faces import CardFace
from printkit.recipes.batch import pool
from printkit.recipes.evening import parts
from printkit.recipes.prints.virtual_decks import virtual_deck

CHEAP = ("--style", "ink-saver", "--lang", "en", "--quiet")

COLOURED = ("--lang", "en", "--quiet")

pytestmark = pytest.mark.usefixtures("table")


def objects(file: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["ObjectStates"]
    return found


def addresses(part: object) -> Iterator[str]:
    """Yield every address in an object."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key.endswith("URL") and value:
                yield value
            yield from addresses(value)
    elif isinstance(part, list):
        for each in part:
            yield from addresses(each)


def named(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.clause("HX-65", "BR-M12")
def test_a_dealt_card_is_in_the_hand_of_its_player_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, list[str]] = {}
    real = parts.deck_object

    def spied(faces: Any, *given: Any, place: Any, **more: Any) -> Any:
        drawn.setdefault(place.target.parent.name, []).extend(face.id for face in faces)
        return real(faces, *given, place=place, **more)

    monkeypatch.setattr(parts, "deck_object", spied)
    assert run(["handouts", "--seed", "5", "--to", "tts", "--with", "cards-terrain", *CHEAP, "--out", "out"]) == 0
    field = generate("brantley", seed=5)
    zones: Any = field.record.details["zones"]
    hands = {player: {zone["card"] for zone in zones if zone.get("placed_by") == player} for player in "AB"}
    assert [len(hand) for hand in hands.values()] == [4, 4]
    assert [set(drawn[f"player-{player.lower()}"]) for player in "AB"] == [hands["A"], hands["B"]]
    dealt = {zone["card"] for zone in zones}
    assert len(drawn["out"]) > 40
    assert dealt.isdisjoint(drawn["out"])
    assert set(drawn["umpire"]) == dealt - hands["A"] - hands["B"]
    for player, others in (("a", "B"), ("b", "A")):
        told = Path("out", f"player-{player}", "own.tts.json").read_text(encoding="utf-8")
        assert not any(f'"{card}"' in told for card in dealt)
        assert not any(f"player-{others.lower()}" in address for address in addresses(json.loads(told)))
    told = Path("out/table.tts.json").read_text(encoding="utf-8")
    assert not any(f'"{card}"' in told for card in dealt)


@pytest.mark.clause("HX-65")
def test_the_army_of_the_npg_is_sealed() -> None:
    given = ["handouts", "--rules", "solo-dba", "--seed", "5", "--set", "npg=gallic", "--set", "you=polybian-roman"]
    assert run([*given, "--to", "tts", "--without", "cards-bound", *COLOURED, "--out", "out"]) == 0
    names = named(Path("out"))
    assert {"you/table.tts.json", "you/own.tts.json", "sealed/own.tts.json", "sealed/record.json"} <= names
    assert not any(name.endswith(".pdf") for name in names)
    assert not any("cards-bound" in name for name in names)
    open_files = [Path("out", name) for name in names if not name.startswith("sealed/") and name != "manifest.txt"]
    sealed = [Path("out", name) for name in names if name.startswith("sealed/") and name.endswith(".png")]
    assert {path.read_bytes() for path in open_files}.isdisjoint(path.read_bytes() for path in sealed)
    for path in open_files:
        if path.suffix == ".json":
            told = path.read_text(encoding="utf-8")
            assert "Gallic" not in told
            assert "LCh" not in told
            assert not any("/sealed/" in address for address in addresses(json.loads(told)))
    his = objects(Path("out/sealed/own.tts.json"))
    elements = [each for each in his if each["Name"] == "Custom_Tile"]
    assert {each["Transform"]["rotY"] for each in elements} == {0.0}
    assert any("LCh" in each["Nickname"] for each in elements)


@pytest.mark.clause("HX-65")
def test_all_pictures_are_there_and_every_piece_is_as_large_as_its_base() -> None:
    given = ["npg", "counters", "gallic", "polybian-roman", "--to", "tts"]
    assert run([*given, "--lang", "en", "--quiet", "--out", "out"]) == 0
    (saved,) = Path("out").glob("*.tts.json")
    tiles = objects(saved)
    shown = {address.rpartition("/")[2] for address in addresses(tiles)}
    assert shown == {path.name for path in Path("out").glob("*.png")}
    knights = [each for each in tiles if each["Nickname"].startswith("LCh")]
    assert {each["Transform"]["scaleZ"] for each in knights} == {round(30.0 / 25.4 / 2, 4)}
    for tile in tiles:
        with Image.open(Path("out", tile["CustomImage"]["ImageURL"].rpartition("/")[2])) as picture:
            assert picture.width >= picture.height
    places = [(each["Transform"]["posX"], each["Transform"]["posZ"]) for each in tiles]
    assert len(set(places)) == len(places)
    assert len({each["GUID"] for each in tiles}) == len(tiles)


@pytest.mark.clause("HX-65", "BR-M11")
def test_sealed_hands_are_dealt_as_objects() -> None:
    web = "https://example.org/games"
    assert run(["deal", "--seed", "3", "--open", "--to", "tts", *CHEAP, "--url-base", web, "--out", "out"]) == 0
    (folder,) = Path("out").iterdir()
    names = named(folder)
    assert {"player-a/hand.tts.json", "player-b/hand.tts.json", "ninth/ninth.tts.json", "closed-game.json"} <= names
    assert not any(name.endswith(".pdf") for name in names)
    for player in "ab":
        (hand,) = objects(folder / f"player-{player}" / "hand.tts.json")
        assert [card["Nickname"] for card in hand["ContainedObjects"]] == [""] * 4
        assert all(address.rpartition("/")[0] == f"{web}/player-{player}" for address in addresses(hand))
        assert {address.rpartition("/")[2] for address in addresses(hand)} == {"hand-faces-1.png", "hand-back.png"}
    (ninth,) = objects(folder / "ninth" / "ninth.tts.json")
    assert ninth["Name"] == "Card"


def test_several_evenings_have_folders_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "cores", lambda: 1)
    given = ["handouts", "--rules", "dba3", "--seed", "5", "--count", "2", "--to", "tts"]
    assert run([*given, *CHEAP, "--out", "out"]) == 0
    folders = sorted(Path("out").glob("*-game-night-tts"))
    assert len(folders) == 2
    for folder in folders:
        (board,) = objects(folder / "table.tts.json")
        assert board["CustomImage"]["ImageURL"] == (folder / "table-board.png").resolve().as_uri()


def test_a_folder_made_again_alone_leaves_the_others() -> None:
    given = ["handouts", "--rules", "dba3", "--seed", "5", "--to", "tts", *CHEAP, "--out", "out"]
    assert run(given) == 0
    before = {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}
    Path("out/umpire/record.json").unlink()
    assert run([*given, "--only", "umpire"]) == 0
    assert {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()} == before


def test_the_library_makes_the_same(tmp_path: Path) -> None:
    field = generate("dba3", seed=5)
    written = field.handouts(tmp_path / "night", to=("tts",), style="ink-saver", url_base="https://example.org/night")
    names = {"table.tts.json", "table-board.png", "record.json", "log.txt", "manifest.txt"}
    assert {path.name for path in written} == names
    (board,) = objects(tmp_path / "night" / "table.tts.json")
    assert board["CustomImage"]["ImageURL"] == "https://example.org/night/table-board.png"


def test_markers_lie_there_for_both_and_other_formats_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["handouts", "--to", "svg", "--lang", "en"]) == 2
    assert "unknown format 'svg'; use one of pdf, tts" in capsys.readouterr().err
    assert list(Path().iterdir()) == []
    given = ["handouts", "--rules", "collision-course", "--seed", "5", "--to", "tts"]
    assert run([*given, *CHEAP, "--out", "out", "--url-base", "https://example.org/night"]) == 0
    tiles = objects(Path("out/table.tts.json"))
    assert {address.rpartition("/")[0] for address in addresses(tiles)} == {"https://example.org/night"}
    assert sum(each["Nickname"] == "half on" for each in tiles) == 4
    assert tiles[0]["Locked"]
    assert all(abs(each["Transform"]["posZ"]) > 10 for each in tiles[1:])


SIZE = CardSize(name="small", width=20.0, height=30.0)
INKS = [Ink(10 + 3 * number, 200 - 2 * number, 5 * number % 256) for number in range(80)]
BACK = Ink(0, 0, 120)


def filled(ink: Ink) -> Drawing:
    corners = PathRun((0, 0, 2000, 0, 2000, 3000, 0, 3000))
    return Drawing(20.0, 30.0, (Layer(LayerName.PAPER, (DrawnPath((corners,), fill=ink),)),))


def made(count: int, tmp_path: Path, *, secret: bool, own: bool = False) -> dict[str, Any]:
    cards = [
        CardFace(f"card-{number}", filled(INKS[number]), filled(INKS[-1 - number] if own else BACK))
        for number in range(count)
    ]
    files = virtual_deck(cards, SIZE, title="A Deck", secret=secret, target=tmp_path / "deck", url_base="")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    found: dict[str, Any] = json.loads(files["deck.tts.json"])["ObjectStates"][0]
    return found


def shown(tmp_path: Path, address: str, place: int, columns: int, rows: int) -> tuple[int, ...]:
    name = address.rpartition("/")[2]
    assert address == (tmp_path / name).resolve().as_uri()
    with Image.open(tmp_path / name) as picture:
        assert max(picture.size) <= 4096
        row, column = divmod(place, columns)
        at = ((column + 0.5) * picture.width / columns, (row + 0.5) * picture.height / rows)
        found: tuple[int, ...] = picture.getpixel((int(at[0]), int(at[1])))  # type: ignore[assignment]
    return found


@pytest.mark.clause("HX-65")
@pytest.mark.parametrize("count", [2, 12, 69, 71])
def test_every_card_stands_in_its_place_of_a_picture(count: int, tmp_path: Path) -> None:
    deck = made(count, tmp_path, secret=True)
    assert len(deck["DeckIDs"]) == len(deck["ContainedObjects"]) == count
    for number, (identity, card) in enumerate(zip(deck["DeckIDs"], deck["ContainedObjects"], strict=True)):
        sheet = deck["CustomDeck"][str(identity // 100)]
        assert card["CardID"] == identity
        assert card["CustomDeck"] == {str(identity // 100): sheet}
        assert (sheet["NumWidth"] <= 10, sheet["NumHeight"] <= 7) == (True, True)
        place = shown(tmp_path, sheet["FaceURL"], identity % 100, sheet["NumWidth"], sheet["NumHeight"])
        assert np.abs(np.subtract(place, INKS[number][:3])).max() <= 2
    for sheet in deck["CustomDeck"].values():
        last = sheet["NumWidth"] * sheet["NumHeight"] - 1
        hidden = shown(tmp_path, sheet["FaceURL"], last, sheet["NumWidth"], sheet["NumHeight"])
        assert hidden == shown(tmp_path, sheet["BackURL"], 0, 1, 1) == BACK[:3]
        assert sheet["BackIsHidden"]


@pytest.mark.clause("HX-65")
def test_cards_lie_face_down_as_large_as_on_the_table_and_secret_ones_have_no_name(tmp_path: Path) -> None:
    deck = made(5, tmp_path, secret=False, own=True)
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["UniqueBack"]
    for number in range(5):
        back = shown(tmp_path, sheet["BackURL"], number, sheet["NumWidth"], sheet["NumHeight"])
        assert np.abs(np.subtract(back, INKS[-1 - number][:3])).max() <= 2
    deck = made(3, tmp_path, secret=True)
    assert deck["Transform"]["scaleX"] == pytest.approx(30.0 / 25.4 / 3.11, abs=1e-4)
    assert deck["Transform"]["rotZ"] == 180.0
    single = made(1, tmp_path, secret=True)
    assert (single["Name"], single["CardID"]) == ("Card", 100)
    assert {card["Nickname"] for card in made(5, tmp_path, secret=True)["ContainedObjects"]} == {""}
    assert "card-" not in (tmp_path / "deck.tts.json").read_text(encoding="utf-8")
    named = made(5, tmp_path, secret=False)["ContainedObjects"]
    assert [card["Nickname"] for card in named] == [f"card-{number}" for number in range(5)]


def test_the_command_writes_a_deck_and_refuses_what_is_none(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cards", "booklet", "--to", "tts", "--lang", "en"]) == 2
    assert "--to tts works only for decks of cards, and booklet is not one" in capsys.readouterr().err
    assert list(table.iterdir()) == []
    given = ["cards", "reference", "--rules", "portable-1", "--style", "ink-saver", "--lang", "en", "--to", "tts"]
    assert run([*given, "--url-base", "https://example.org/decks", "--out", "out"]) == 0
    written = sorted(path.name for path in (table / "out").iterdir())
    assert any(name.endswith(".tts.json") for name in written)
    told = capsys.readouterr().err
    assert all(name in told for name in written)
    (saved,) = (table / "out").glob("*.tts.json")
    deck = json.loads(saved.read_text(encoding="utf-8"))["ObjectStates"][0]
    addresses = {each[side] for each in deck["CustomDeck"].values() for side in ("FaceURL", "BackURL")}
    assert {each.rpartition("/")[0] for each in addresses} == {"https://example.org/decks"}
    assert {each.rpartition("/")[2] for each in addresses} == {name for name in written if name.endswith(".png")}

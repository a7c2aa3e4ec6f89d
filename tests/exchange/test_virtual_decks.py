"""Decks for Tabletop Simulator: every card in its place of a picture, and no name on a card that lies face down."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from printkit.cli.app import run
from printkit.content.cards import CardSize
from printkit.drawing.canvas.items import Drawing, Ink, Layer, LayerName, PathRun
from printkit.drawing.canvas.items import Path as DrawnPath
from printkit.drawing.cards.faces import CardFace
from printkit.recipes.prints.virtual_decks import virtual_deck

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
    files = virtual_deck(cards, SIZE, title="A Deck", secret=secret, to=tmp_path / "deck", url_base="")
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
    assert "--to tts takes a deck of cards, and booklet is none" in capsys.readouterr().err
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

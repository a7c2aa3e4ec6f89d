"""The size of a secret file tells no card, what makes it so large is no harm, and no file tells where the dealer is."""

from __future__ import annotations

import json
import random
import zlib
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from dealt_games import HUNGRY, Captured
from PIL import Image
from reading import opened, texts

from printkit.cli.app import run
from printkit.console.terminal import styles_known
from printkit.core.words import find_words
from printkit.options.printing import PrintOptions
from printkit.page.sheet import Document
from printkit.recipes.game.request import Orders
from printkit.recipes.output.files import file_bytes
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.systems.brantley.dealing.cards import PACK
from printkit.systems.brantley.dealing.closed_game import ClosedGame
from printkit.systems.brantley.dealing.game_rules import RULES
from printkit.systems.brantley.sheets import dealing
from printkit.systems.brantley.sheets.dealing import deal_files, deal_game
from printkit.systems.brantley.sheets.game_folder import pad_file
from printkit.systems.brantley.sheets.sealed_hands import deal_to_folder
from printkit.systems.brantley.sheets.virtual_hands import build_virtual_hands

pytestmark = pytest.mark.usefixtures("table")

PUBLIC = {"board.pdf", "record-form.pdf"}
BARE = "9S 9C 10S 10C AD 2D 3D 4D 9H"
"""A pack whose cards put down little or nothing, so that its files are among the smallest."""

RICH = "KC 8S 2C 3S AS 5S 2S 3C KS"
"""A pack of which player A has the largest hand of painted styles, and player B that of the others."""

WEB = "https://example.org/games"
MARGIN = 1.5


def order_of(style: str, lang: str = "en", *, large: bool = False, sheet: str = "a4") -> SheetContext:
    return print_context(PrintOptions(style=style, large_print=large, sheet=sheet, lang=lang), find_words(lang))


def game_of(pack: str) -> ClosedGame:
    return deal_game(Orders(rules=RULES, dice=pack), 7, salt=f"{zlib.crc32(pack.encode()):032x}")


def with_ninth(card: str) -> ClosedGame:
    others = random.Random(card).sample([str(other) for other in PACK if str(other) != card], 8)
    return game_of(" ".join([*others, card]))


@pytest.fixture
def secret_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no sheet of a deal that everybody may see."""
    for name in ("build_board_document", "build_form_document"):
        monkeypatch.setattr(dealing, name, lambda *_, **__: "")


def lengths(documents: dict[str, bytes], style: str) -> dict[str, tuple[int, int]]:
    """Return the size of each secret file as it is made, and as a deal writes it."""
    painted = style.startswith("painted")
    return {
        name: (len(made), len(pad_file(made, Path(name).suffix, is_painted=painted)))
        for name, made in documents.items()
    }


def sheets(game: ClosedGame, order: SheetContext) -> dict[str, bytes]:
    return {name: file_bytes(each) for name, each in deal_files(game, order).items() if isinstance(each, Document)}


def written(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def dealt(out: str, *options: str) -> dict[str, bytes]:
    """Deal on the command line, and return the files of the game by their names."""
    assert run(["deal", "--lang", "en", "--quiet", *options, "--out", out]) == 0
    (folder,) = Path(out).iterdir()
    return written(folder)


@pytest.mark.clause("BR-M12", "BR-A06")
@pytest.mark.usefixtures("secret_only")
def test_the_sheets_of_all_52_ninth_cards_and_of_their_hands_have_one_size(monkeypatch: pytest.MonkeyPatch) -> None:
    order, seen, hands = order_of("ink-saver"), {}, 0
    real = dealing.build_hand_document
    for number, card in enumerate(map(str, PACK)):
        # A few deals show that hands are no different; more of them only take time.
        monkeypatch.setattr(dealing, "build_hand_document", (lambda *_: "") if number % 13 else real)
        seen[card] = lengths(sheets(with_ninth(card), order), "ink-saver")
        hands += len(seen[card]) - 1
    ninths = [found["ninth/ninth.pdf"][0] for found in seen.values()]
    assert (len(ninths), hands) == (52, 8)
    assert len(set(ninths)) > 26
    assert len({size for found in seen.values() for _, size in found.values()}) == 1
    assert all(made * MARGIN <= size for found in seen.values() for made, size in found.values())


@pytest.mark.clause("BR-M12", "BR-A05", "BR-A06")
@pytest.mark.parametrize("style", styles_known())
@pytest.mark.usefixtures("secret_only")
def test_every_style_leaves_half_as_much_again_above_the_largest_sheet(style: str) -> None:
    found = [
        lengths(sheets(game_of(pack), order_of(style, "en+es", large=large)), style)
        for pack, large in ((RICH, False), (BARE, False), (RICH, True))
    ]
    assert len({made for each in found for made, _ in each.values()}) == 9
    assert len({size for each in found for _, size in each.values()}) == 1
    assert all(made * MARGIN <= size for each in found for made, size in each.values())


@pytest.mark.clause("BR-M12", "HX-65")
@pytest.mark.parametrize(
    ("style", "pack"), [("painted", RICH), ("high-contrast", "2C 2S KC 10S KS AS 5S 5C AC")], ids=["painted", "flat"]
)
def test_the_largest_pictures_leave_half_as_much_again(style: str, pack: str) -> None:
    files = build_virtual_hands(game_of(pack), order_of(style, "en+es"), url_base=f"{WEB}/{'x' * 200}")
    made = {name: each for name, each in files.items() if isinstance(each, bytes)}
    assert len(made) == 9
    found = lengths(made, style)
    assert all(length * MARGIN <= size for length, size in found.values())
    assert len({(Path(name).suffix, size) for name, (_, size) in found.items()}) == 2


@pytest.mark.clause("BR-M11", "BR-M12")
def test_two_deals_differ_in_no_size_on_the_command_line_and_in_the_studio() -> None:
    options = ("--to", "pdf", "--to", "tts", "--url-base", WEB, "--style", "ink-saver")
    rich, bare = (dealt(str(number), *options, "--dice", pack) for number, pack in enumerate((RICH, BARE)))
    lengths = [{name: len(made) for name, made in each.items() if name not in PUBLIC} for each in (rich, bare)]
    assert lengths[0] == lengths[1]
    assert set(rich) > PUBLIC | {"closed-game.json", "ninth/ninth.pdf", "ninth/ninth.tts.json"}
    kinds = {(Path(name).suffix, len(made)) for name, made in rich.items() if name not in PUBLIC}
    assert len(kinds) == len({suffix for suffix, _ in kinds}) == 3
    assert all(len(rich[name]) < 400_000 for name in PUBLIC)
    game = written(deal_to_folder(Path("studio"), {}, 7, f"{5:032x}", find_words("en")))
    assert {(Path(name).suffix, len(made)) for name, made in game.items() if name not in PUBLIC} < kinds
    assert len(rich["ninth/ninth-faces-1.png"]) == len(rich["player-a/hand-back.png"])


@pytest.mark.clause("BR-M11")
def test_the_style_decides_the_size_of_a_sheet_and_the_bytes_are_always_the_same() -> None:
    options = ("--open", "--seed", "7", "--style", "ink-saver")
    files = dealt("one", *options)
    assert files == dealt("two", *options)
    assert run(["status", "one", "--only", "player-b", "--style", "painted", "--out", "again", "--quiet"]) == 0
    one, two = (len(each["player-b/hand.pdf"]) for each in (files, written(Path("again"))))
    assert one == len(files["ninth/ninth.pdf"]) < two


@pytest.mark.clause("BR-M11")
@pytest.mark.usefixtures("secret_only")
def test_a_padded_pdf_has_the_same_pages_and_text_and_its_table_is_where_it_says() -> None:
    for name, made in sheets(game_of(HUNGRY), order_of("ink-saver")).items():
        padded = pad_file(made, ".pdf", is_painted=False)
        assert len(padded) > len(made)
        assert texts(padded) == texts(made)
        place = int(padded.rpartition(b"startxref\n")[2].split(b"\n")[0])
        assert padded[place : place + 5] == b"xref\n"
        assert max(map(len, padded[place:].splitlines())) < 255
        with opened(padded) as pdf, opened(made) as plain:
            assert pdf.check_pdf_syntax() == []
            assert [page.mediabox for page in pdf.pages] == [page.mediabox for page in plain.pages]
            assert (pdf.docinfo, pdf.trailer.ID) == (plain.docinfo, plain.trailer.ID), name


@pytest.mark.clause("HX-65")
def test_a_padded_picture_has_the_same_pixels_and_only_sound_chunks() -> None:
    buffer = BytesIO()
    Image.effect_noise((64, 48), 80).convert("RGB").save(buffer, "PNG", dpi=(300, 300))
    padded = pad_file(buffer.getvalue(), ".png", is_painted=True)
    with Image.open(BytesIO(padded)) as picture, Image.open(buffer) as plain:
        assert (picture.tobytes(), picture.info) == (plain.tobytes(), plain.info)
    kinds = list(chunks(padded))
    assert kinds[-2:] == [b"paDd", b"IEND"]
    assert kinds[:-2] == list(chunks(buffer.getvalue()))[:-1]


def chunks(picture: bytes) -> Iterator[bytes]:
    """Yield the kind of each chunk of a PNG, whose checksum must be right."""
    rest = picture[8:]
    while rest:
        end = 8 + int.from_bytes(rest[:4])
        assert int.from_bytes(rest[end : end + 4]) == zlib.crc32(rest[4:end])
        yield rest[4:8]
        rest = rest[end + 4 :]


@pytest.mark.parametrize("suffix", [".pdf", ".png", ".json"])
def test_a_file_that_is_too_large_gets_the_next_multiple_whatever_is_missing(suffix: str) -> None:
    ends = {".pdf": b"trailer\nstartxref\n0\n%%EOF\n", ".png": bytes(8) + b"IEND....", ".json": b'{"a": "b"}\n'}
    end = ends[suffix]
    size = len(pad_file(end, suffix, is_painted=False))
    for length in (*range(size - 220, size - 190), *range(size - 30, size + 5), 2 * size):
        made = bytes(length - len(end)) + end
        padded = pad_file(made, suffix, is_painted=False)
        assert len(padded) == (size if length <= size - 12 else 2 * size if length <= 2 * size - 12 else 3 * size)
        assert made[: -len(end)] == padded[: length - len(end)]
        if suffix == ".json":
            assert padded.split() == made.split()
            assert padded.endswith(b" \n")
        elif suffix == ".png":
            start = length - 12
            assert int.from_bytes(padded[start : start + 4]) == len(padded) - length - 12
            assert padded[-12:] == end[-12:]
        else:
            added = padded[length - len(b"startxref\n0\n%%EOF\n") : -len(b"startxref\n0\n%%EOF\n")]
            assert padded.endswith(end[8:])
            assert all(line[:1] in (b"%", b"") and not line[1:].strip() for line in added.split(b"\n"))
            assert added.endswith(b"\n")


@pytest.mark.clause("BR-M12", "HX-65")
def test_no_file_of_a_deal_has_a_path_of_the_dealer(table: Path) -> None:
    for name, text in {
        "own-style.toml": "[inks]\nink = '#112233'\n",
        "own-paper.toml": "[sheets]\nbig = { width = 300, height = 420 }\n",
        "own-game.toml": 'rules = "brantley"\n[settings]\ncrossing = "bridge"\n',
    }.items():
        (table / name).write_text(text, encoding="utf-8")
    own = ("--style", str(table / "own-style.toml"), "--sheet", f"{table / 'own-paper.toml'}:big")
    own = (*own, "--scenario", str(table / "own-game.toml"), "--to", "pdf", "--to", "tts")
    files = dealt(str(table / "out"), *own, "--url-base", WEB)
    assert set(files) > PUBLIC | {"player-a/hand.tts.json", "ninth/ninth.tts.json", "closed-game.json"}
    for name, made in files.items():
        parts = [made]
        if name.endswith(".pdf"):
            with opened(made) as pdf:
                parts += [each.read_bytes() for each in pdf.objects if isinstance(each, pikepdf.Stream)]
                parts += [str(pdf.docinfo).encode(), *(text.encode() for text in texts(made))]
        elif name == "closed-game.json":
            parts.append(zlib.decompress(b64decode("".join(json.loads(made)["closed"]))))
        for part in parts:
            assert table.name.encode() not in part, name
            assert b"file:" not in part, name
            assert b"own-" not in part, name


@pytest.mark.clause("HX-65")
def test_pictures_without_an_address_have_no_object_and_one_line_says_why(capsys: Captured) -> None:
    command = ["deal", "--dice", BARE, "--style", "ink-saver", "--lang", "en", "--to", "tts", "--out", "out"]
    assert run(command) == 0
    said = capsys.readouterr().err.splitlines()
    (folder,) = Path("out").iterdir()
    assert {Path(name).suffix for name in written(folder)} == {".png", ".json"}
    assert [name for name in written(folder) if name.endswith(".json")] == ["closed-game.json"]
    (line,) = [line for line in said if "objects" in line]
    assert all(part in line for part in ("Tabletop Simulator", "custom decks", "--url-base ADDRESS"))

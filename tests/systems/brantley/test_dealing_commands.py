"""The secret dealing on the command line: deal, status, reveal; what they refuse, and what they never tell."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from blank_maps import blank_plan
from dealt_games import BLANK, EIGHT, HUNGRY, QUICK, SHEETS, closed, dealt, names, refused, with_turns
from msgspec import convert
from msgspec.structs import replace
from reading import opened, texts
from telling_words import told

from printkit.chance.dice import Dice, Seeded
from printkit.cli.app import run
from printkit.console import terminal
from printkit.core.words import Words
from printkit.export.pdf import data
from printkit.kit.book import read_book
from printkit.kit.registry import find
from printkit.kit.rules import Rules
from printkit.options.printing import PrintOptions
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders, build_orders
from printkit.recipes.output.printers import SheetContext, print_context
from printkit.systems.brantley.dealing.cards import PACK, read_card
from printkit.systems.brantley.dealing.closed_game import ClosedGame, salt_of
from printkit.systems.brantley.dealing.deal import deal_hands, shuffle
from printkit.systems.brantley.dealing.facts import Seal
from printkit.systems.brantley.dealing.journal import build_journal
from printkit.systems.brantley.dealing.readers import build_hand_sheet, hide_board
from printkit.systems.brantley.sheets.dealing import reveal_game
from printkit.systems.brantley.sheets.documents import build_hand_document, build_hidden_document
from printkit.systems.brantley.sheets.game_folder import read_progress, save_progress
from printkit.terrain.field.record import write

pytestmark = pytest.mark.usefixtures("table")

Captured = pytest.CaptureFixture[str]

CODES = {str(card) for card in PACK}
SEAL = Seal(game="lusab-babad", commitment="0" * 16)
DRAWN = ("player-a/hand.pdf", "player-b/hand.pdf", "ninth/ninth.pdf", "board.pdf", "record-form.pdf")


def scenario(text: str) -> str:
    Path("field.toml").write_text(text, encoding="utf-8")
    return "field.toml"


def text_of(path: Path) -> str:
    return " ".join(" ".join(texts(path.read_bytes())).split())


def journal_turns(folder: Path) -> list[str]:
    """Return the turns in the journal of a game, without numbers and codes."""
    lines = (folder / "game.txt").read_text(encoding="utf-8").splitlines()[1:]
    return [" ".join(line.split()[1:-1]) for line in lines]


def placing(turns: Iterable[str]) -> list[str]:
    return [part for turn in turns for part in ("--place", turn)]


# --- deal -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M11", "BR-M12", "BR-M02")
def test_a_deal_writes_a_folder_for_each_reader_and_tells_no_card(capsys: Captured) -> None:
    assert run(["deal", "--seed", "7", "--lang", "en", "--style", "ink-saver", "--out", "dealt"]) == 0
    said = capsys.readouterr()
    (folder,) = Path("dealt").iterdir()
    game = closed(folder)
    assert names(folder) == sorted(("closed-game.json", *DRAWN))
    assert folder.name == f"deal-{game.seal.game}"
    assert said.out == ""
    assert not told(said.err)
    assert game.salt not in said.err
    assert game.seal.grouped_commitment in said.err
    assert "Player A places the first card." in said.err


def test_a_deal_is_named_after_its_title_and_another_deal_gets_the_next_number() -> None:
    for _ in range(2):
        for more in ([], ["--set", "crossing=bridge"]):
            command = ["deal", "--open", "--seed", "7", "--title", "Tuesday's Game", "--style", "ink-saver", "--quiet"]
            assert run([*command, *more, "--out", "dealt"]) == 0
    assert sorted(path.name for path in Path("dealt").iterdir()) == ["tuesdays-game", "tuesdays-game-2"]
    assert closed(Path("dealt/tuesdays-game-2")).settings["title"] == "Tuesday's Game"


@pytest.mark.clause("BR-M11", "BR-M13", "BR-M12", "BR-A02", "BR-A04", "BR-A05", "BR-A06")
def test_every_sheet_of_a_deal_bears_its_name_and_neither_seed_nor_salt(capsys: Captured) -> None:
    folder = dealt(seed="987654321", drawn=True)
    game = closed(folder)
    for name in DRAWN:
        text = text_of(folder / name)
        assert game.seal.game in text
        assert game.seal.grouped_commitment in text
        with opened((folder / name).read_bytes()) as pdf:
            properties = " ".join(str(pdf.docinfo[key]) for key in pdf.docinfo)
        for secret in (game.salt, "987654321"):
            assert secret not in text + properties + capsys.readouterr().err
        assert not told(properties)
    for name, card in (("player-a/hand.pdf", "King of spades"), ("ninth/ninth.pdf", "Five of clubs")):
        cover, behind = texts((folder / name).read_bytes())
        assert not told(cover)
        assert card in behind
    board, form = text_of(folder / "board.pdf"), text_of(folder / "record-form.pdf")
    assert not CODES & set(re.findall(r"\w+", board + " " + form))
    assert all(f"Zone {zone}" in board for zone in range(1, 10))
    assert board.index("Player A") < board.index("Zone 1") < board.index("Zone 9") < board.index("Player B")
    places = [form.index(part) for part in ("Turn", "Hills", "Rivers", "Roads", "Deployment order")]
    assert places == sorted(places)


@pytest.mark.clause("BR-M11", "BR-M12", "BR-M13")
@pytest.mark.parametrize("given", [[], ["--seed", "7", "--sheet", "a4", "--style", "ink-saver"]], ids=" ".join)
def test_a_seed_is_for_the_dice_and_gives_no_card_away(
    given: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr(terminal, "fresh_seed", lambda: 424242)
    for sheet in SHEETS:
        monkeypatch.setattr(f"printkit.systems.brantley.sheets.dealing.{sheet}", lambda *_, **__: BLANK)
    for folder in ("one", "two"):
        assert run(["deal", *given, "--out", folder]) == 0
    said, seed = capsys.readouterr().err, 7 if given else 424242
    assert "424242" not in said
    assert "guess" not in said
    one, two = (closed(next(Path(folder).iterdir())) for folder in ("one", "two"))
    assert (one.seed, two.seed) == (seed, seed)
    assert len({one.salt, two.salt, salt_of(seed)}) == 3
    assert len({one.dealt.pack, two.dealt.pack, shuffle(Dice(Seeded(seed)).at("deal"))}) == 3


@pytest.mark.clause("BR-M11", "BR-D8")
def test_an_open_deal_says_so_everywhere_and_its_seed_gives_the_pack_of_its_map_and_its_bytes(capsys: Captured) -> None:
    folder = dealt("--open", deck="", drawn=True)
    assert "This game is open" in capsys.readouterr().err
    game = closed(folder)
    assert game.dealt.pack == shuffle(Dice(Seeded(7)).at("deal"))
    assert (game.salt, game.is_open) == (salt_of(7), True)
    assert "An open game" in json.loads((folder / "closed-game.json").read_text(encoding="utf-8"))["note"]
    for name in DRAWN:
        assert "An open game" in text_of(folder / name)
    command = ["deal", "--seed", "7", "--open", "--lang", "en", "--style", "ink-saver", "--out", "again", "--quiet"]
    assert run(command) == 0
    again = Path("again") / folder.name
    assert names(folder) == names(again)
    assert [name for name in names(folder) if (folder / name).read_bytes() != (again / name).read_bytes()] == []
    assert run(["status", str(folder), "--lang", "en"]) == 0
    assert "An open game" in capsys.readouterr().out


def test_a_plan_of_a_deal_names_the_files_and_writes_none(capsys: Captured) -> None:
    assert run(["deal", "--seed", "7", "--plan", "--out", "dealt"]) == 0
    assert capsys.readouterr().out.count("   dealt/deal-") == 6
    assert not Path("dealt").exists()


@pytest.mark.clause("BR-X06")
@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("KS 7H 9C 2D QC 3S 10H JS", "you gave 8 cards"),
        ("KS 7H 9C 2D QC 3S 10H JS KS", "KS was given twice"),
        ("KX 7H 9C 2D QC 3S 10H JS KS", "KX is not a card"),
    ],
)
def test_a_pack_that_cannot_be_is_not_dealt(deck: str, message: str, capsys: Captured) -> None:
    refused(capsys, ["deal", "--dice", deck], 1, message, "BR-X06")
    refused(capsys, ["deal", "--scenario", scenario(f'deck = "{deck}"')], 1, message, "BR-X06")
    assert not Path("output").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--out", "-"], 2, "deal writes several"),
        (["--set", "first=C"], 2, "--set: first = 'C' is not valid"),
        (["--board", "3x2in"], 2, "each side must be 4in"),
        (["--sheet", "a9"], 2, "unknown paper 'a9'"),
        (["--style", "gaudy"], 2, "there is no 'gaudy' among the styles"),
        (["--printer", "none"], 2, "unknown printer 'none'"),
        (["--scenario", "field.toml"], 1, "field.toml: leave out placements at the deal"),
        (["--set", "first=roll", "--dice", "7 3"], 1, "die 1 is 7"),
        (["--set", "first=roll", "--dice", "3 3"], 1, "die 3 is missing"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_deal_that_cannot_be_leaves_nothing(
    arguments: list[str], status: int, message: str, capsys: Captured
) -> None:
    scenario('placements = ["A KS 5"]')
    refused(capsys, ["deal", *arguments], status, message)
    assert not Path("output").exists()


# --- What a player could learn ----------------------------------------------------------------------------------------


def order(language: str) -> SheetContext:
    return print_context(PrintOptions(style="ink-saver"), Words((language,)))


@pytest.mark.clause("BR-204", "BR-M12", "BR-A05")
def test_the_file_of_a_player_is_the_same_whatever_he_may_not_know() -> None:
    own, others = HUNGRY.split()[:4], [code for code in sorted(CODES) if code not in HUNGRY.split()[:4]]
    made = set()
    for rest in (others, others[::-1]):
        hands = deal_hands([read_card(code) for code in (*own, *rest)])
        sheet = build_hand_sheet(
            hands, "A", "A", seal=SEAL, rules=Rules.of(read_book("brantley")), words=order("en").words
        )
        made.add(data(build_hand_document(sheet, order("en"))))
    assert len(made) == 1


@pytest.mark.clause("BR-A08", "BR-T38", "BR-M16")
def test_the_hidden_sheet_is_the_same_whatever_lies_there() -> None:
    assert not told(" ".join(texts(data(build_hidden_document(hide_board((), "B", seal=SEAL), order("es"))))))


# --- status -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M16", "BR-A08", "BR-M14", "BR-T38")
def test_cards_are_laid_turn_by_turn_and_shown_face_down(capsys: Captured) -> None:
    folder = dealt()
    capsys.readouterr()
    assert run(["status", str(folder / "closed-game.json"), "--lang", "en"]) == 0
    said = capsys.readouterr().out
    assert "face down" not in said
    assert "0 of 8 cards placed. Player A places the next card." in said
    assert not (folder / "game.txt").exists()
    for place, turn in enumerate(("A a1 5", "B QC 6", "a A3 4"), 1):
        assert run(["status", str(folder), "--place", turn, "--lang", "en"]) == 0
        said = capsys.readouterr().out
        assert not told(said)
        assert f"{place} of 8 cards" in said
        assert said.count("face down") == place
    assert "3 of 8 cards placed. Player B places the next card.\n" in said
    assert "A, turn 3 | A, turn 1 | B, turn 2" in said
    assert journal_turns(folder) == ["A a1 5", "B b1 6", "A a3 4"]


@pytest.mark.clause("BR-M16", "BR-A08", "BR-T38", "BR-M15")
@pytest.mark.parametrize(("seed", "language", "blind"), [("1", "en", "blind"), ("2", "es", "a ciegas")])
def test_status_tells_no_card_whatever_the_seed(seed: str, language: str, blind: str, capsys: Captured) -> None:
    folder = dealt(deck="", seed=seed)
    turns = ["A a4 9", "B b4 8", "A a3 7", "B b3 6", "A a2 5", "B b2 4", "A a1 3", "B b1 2"]
    capsys.readouterr()
    asked = ["--lang", language, "--out", "hidden.pdf", "--style", "ink-saver", *placing(turns)]
    assert run(["status", str(folder), *asked]) == 0
    said, sheet = capsys.readouterr(), text_of(Path("hidden.pdf"))
    assert not told(said.out + said.err + sheet)
    assert blind in said.out
    assert blind in sheet
    assert journal_turns(folder) == turns


@pytest.mark.parametrize(
    ("turns", "line", "clause"),
    [
        pytest.param(["A KS 0"], "line 1: there is no zone 0", "BR-X01", marks=pytest.mark.clause("BR-X01")),
        pytest.param(
            ["A KS 5", "B QC 5"], "line 2: zone 5 was taken in turn 1", "BR-X02",
            marks=pytest.mark.clause("BR-X02", "BR-T34"),
        ),
        pytest.param(["A QC 5"], "line 1: A has no QC in hand", "BR-X03", marks=pytest.mark.clause("BR-X03", "BR-T36")),
        pytest.param(["A KS 5", "B QC 6", "A a1 4"], "line 3: A has no A1 in hand, or has already placed it", "BR-X03"),
        pytest.param(["A b1 5"], "line 1: A has no B1 in hand", "BR-X03"),
        pytest.param(
            ["A KS 5", "A 9C 4"], "line 2: A places a card, but it is B's turn", "BR-X04",
            marks=pytest.mark.clause("BR-X04", "BR-T35"),
        ),
        pytest.param([*EIGHT, "A KS 9"], "line 9: all 8 cards", "BR-X05", marks=pytest.mark.clause("BR-X05")),
        pytest.param(["A KX 5"], "line 1: 'KX' is not a card", "BR-X06"),
        pytest.param(["A KS"], "write player, card and zone", ""),
    ],
)  # fmt: skip
def test_a_turn_that_may_not_be_is_refused_and_not_kept(
    turns: list[str], line: str, clause: str, capsys: Captured
) -> None:
    folder = dealt()
    refused(capsys, ["status", str(folder), *placing(turns)], 1, line, clause)
    assert not (folder / "game.txt").exists()


@pytest.mark.clause("BR-X03", "BR-204")
def test_a_refused_turn_does_not_tell_whether_a_card_lies_or_who_holds_it(capsys: Captured) -> None:
    folder = with_turns(dealt(), 2)
    laid, never = (refused(capsys, ["status", str(folder), "--place", f"A {code} 4"], 1) for code in ("KS", "JS"))
    assert laid.replace("KS", "JS") == never
    (folder / "game.txt").unlink()
    said = {refused(capsys, ["status", str(folder), "--place", f"B {code} 5"], 1) for code in ("QC", "KS", "5C")}
    assert len(said) == 1


@pytest.mark.parametrize("options", [["--to", "png"], ["--out", "-"]], ids=" ".join)
def test_the_hidden_sheet_needs_a_place(options: list[str], capsys: Captured) -> None:
    refused(capsys, ["status", str(dealt()), *options], 2, "the hidden sheet needs --out")


# --- The closed game --------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize("command", ["status", "reveal"])
def test_a_closed_game_that_was_changed_is_found(command: str, capsys: Captured) -> None:
    file = with_turns(dealt()) / "closed-game.json"
    text = file.read_text(encoding="utf-8")
    for changed, wrong in (
        (text.replace(closed(file.parent).seal.commitment, "0123456789abcdef"), "commitment does not match"),
        (text.replace(closed(file.parent).seal.game, "lusab-babad"), "game does not match"),
        (text.replace('"eN', '"eM'), "the sealed part cannot be opened"),
        ("{}", "this is not a sealed game"),
    ):
        file.write_text(changed, encoding="utf-8")
        assert not told(refused(capsys, [command, str(file)], 1, f"printkit: {file}: ", wrong))


def test_a_folder_that_holds_one_game_stands_for_it_and_one_that_is_not_there_is_named_once(capsys: Captured) -> None:
    folder = dealt()
    for path in (folder.parent, folder, folder / "closed-game.json"):
        assert run(["status", str(path), "--quiet"]) == 0
    other = folder.parent / "another"
    other.mkdir()
    assert run(["status", str(folder.parent), "--quiet"]) == 0
    (other / "closed-game.json").write_bytes((folder / "closed-game.json").read_bytes())
    refused(capsys, ["status", str(folder.parent)], 1, f"name one of the sealed games in dealt: another, {folder.name}")
    assert refused(capsys, ["status", "nowhere/x"], 1).count("nowhere") == 1


def test_a_game_is_named_by_a_part_of_its_folder_in_output(capsys: Captured) -> None:
    refused(capsys, ["status", "lusab"], 1, "output contains no sealed game; printkit deal makes one")
    file = Path("output/deal-lusab-babad/closed-game.json")
    file.parent.mkdir(parents=True)
    file.write_bytes((dealt() / file.name).read_bytes())
    for name in ("lusab-babad", "deal-lusab-babad", "babad"):
        assert run(["status", name, "--quiet"]) == 0
    refused(capsys, ["verify", "rome", "0" * 32], 1, "name one of the sealed games in output: deal-lusab-babad")
    shutil.copytree(file.parent, "output/lusab")
    assert run(["status", "lusab", "--quiet"]) == 0
    refused(capsys, ["reveal", "usab"], 1, "name one of the sealed games in output: deal-lusab-babad, lusab")


# --- reveal -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-X05", "BR-T37", "BR-M15", "BR-X20")
@pytest.mark.parametrize("count", [0, 1, 7])
def test_a_reveal_too_early_tells_nothing_and_writes_nothing(count: int, capsys: Captured) -> None:
    folder = with_turns(dealt(), count)
    before = names(folder)
    line = refused(
        capsys, ["reveal", str(folder)], 1, f"{count} cards were placed; the reveal needs exactly 8", "BR-X05"
    )
    assert not told(line)
    assert names(folder) == before


@pytest.mark.usefixtures("_bare")
def test_a_reveal_is_printed_on_paper_of_ones_own() -> None:
    Path("papers.toml").write_text("[sheets]\nmine = { width = 215, height = 300 }\n", encoding="utf-8")
    folder = with_turns(dealt())
    assert run(["reveal", str(folder), "--sheet", "papers.toml", *QUICK]) == 0
    for path in (next(folder.glob("*-mine-*.pdf")), folder / "reveal.pdf"):
        with opened(path.read_bytes()) as pdf:
            assert sorted(round(float(side) * 25.4 / 72) for side in pdf.pages[0].mediabox[2:]) == [215, 300]


@pytest.mark.clause("BR-M14", "BR-T05", "BR-M13", "BR-A07", "BR-A09", "BR-209", "BR-X09")
def test_a_reveal_gives_the_board_that_the_same_cards_give_as_a_map(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    # The map is drawn from the record alone, as that of any game is; here a blank sheet stands for it.
    monkeypatch.setattr("printkit.recipes.prints.map_plan.plan_map", lambda *_: blank_plan(BLANK))
    given = "4 4 5 1 4 1 5 2 2 5 1"
    folder = with_turns(dealt("--set", "crossing=bridge"))
    capsys.readouterr()
    assert run(["reveal", str(folder), "--dice", given, *QUICK]) == 0
    said = capsys.readouterr().err
    assert "Not used: 1." in said
    assert "field-of-durolacum-1to12-a4-ink.pdf" in names(folder)
    revealed = json.loads((folder / "map.json").read_text(encoding="utf-8"))
    # The same cards and turns as a scenario of ``printkit map``.
    listed = ", ".join(f'"{turn}"' for turn in EIGHT)
    text = f'deck = "{HUNGRY}"\nplacements = [{listed}]\nsettings = {{ crossing = "bridge" }}\nseed = 7'
    orders = build_orders(rules=None, settings=(), scenario=Path(scenario(text)), board=None, seed=None, dice=given)
    drawn = json.loads(write(play(find(orders.rules), orders, 7, Words(("en",))).record))
    seal, salt, journal = (revealed["brantley"].pop(name) for name in ("seal", "salt", "journal"))
    assert journal == journal_turns(folder)[:8]
    assert convert(revealed["brantley"].pop("sealed"), ClosedGame).commitment == seal["commitment"]
    deck = drawn["brantley"]["deck"]
    assert revealed["brantley"]["inputs"].pop("deck") == [" ".join(deck)]
    assert drawn["brantley"]["inputs"].pop("deck") == [HUNGRY]
    assert revealed == drawn
    zones = [zone["card"] for zone in revealed["brantley"]["zones"]]
    assert zones == ["10H", "JS", "3S", "9C", "KS", "QC", "7H", "2D", "5C"]
    sheet = text_of(folder / "reveal.pdf")
    for part in (salt, "King of spades: built-up area", "A, turn 1", "blind", "A rolled 2, B rolled 5", "placed it"):
        assert part in sheet
    assert "Seed of the dice: 7. Changed settings: crossing bridge." in sheet
    dice = "1 Z2: slopes 4 2 Z2: woods 4 3 Z4: slopes 5 4 Z4: woods 1 5 Number of rivers 4 6 Number of roads 1"
    assert f"Dice, in the order rolled No. For Die No. For Die {dice}" in sheet
    assert " ".join(deck) in sheet
    assert run(["check", str(folder / "map.json"), "--replay", "--quiet"]) == 0


@pytest.mark.clause("BR-Q02", "BR-D1", "BR-M14")
def test_who_lays_first_is_thrown_at_the_deal_and_what_is_typed_at_the_reveal_is_kept_and_gone_on_with(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    folder = dealt("--set", "first=roll", deck="AH 2H 3H 4H 5H 6H 7H 8H 9H 2 5")
    turns = [turn for place in range(1, 5) for turn in (f"B b{place} {place}", f"A a{place} {place + 4}")]
    assert run(["status", str(folder), "--quiet", *placing(turns)]) == 0
    said = capsys.readouterr().err
    assert "Player B places the first card." in said
    assert "Rolls for the first card: 2 5." in said
    command = ["reveal", str(folder), *QUICK, "--quiet", "--ask"]
    monkeypatch.setattr("sys.stdin", io.StringIO("5\n6\n3\n1\n"))
    assert run([*command, "--force"]) == 0
    whole = (folder / "map.json").read_bytes()
    game = closed(folder)
    progress = replace(read_progress(folder / "closed-game.json"), journal=build_journal(game, turns))
    logs = [[throw["answer"] for throw in json.loads(whole)["log"] if throw["asked"] == "d6"]]
    for dice in ("5 6 3 1", None):
        played = reveal_game(progress, Orders(rules="brantley", dice=dice), Words(("en",)))
        logs.append([throw.answer for throw in played.record.log if throw.asked == "d6"])
    assert logs[:2] == [["2", "5", "5", "6", "3", "1"]] * 2
    assert logs[2][:2] == ["2", "5"]
    monkeypatch.setattr("sys.stdin", io.StringIO("5\n6\n"))
    capsys.readouterr()
    kept = "output/asked-brantley-seed7.txt"
    assert run(command) == 2
    again = f"To continue: printkit {shlex.join(command)} --dice @{kept}\n"
    assert capsys.readouterr().err.endswith(f"printkit: not finished; answers saved: 4. {again}")
    monkeypatch.setattr("sys.stdin", io.StringIO("3\n1\n"))
    assert run([*command, "--dice", f"@{kept}", "--force"]) == 0
    assert (folder / "map.json").read_bytes() == whole


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--set", "first=B"], 1, "first was set to A at the deal"),
        (
            ["--set", "deal-order=alternate"],
            2,
            "deal-order is no longer a setting: a hand is four consecutive cards of the deck",
        ),
        (["--set", "br-q20=clear"], 1, "ninth was set to blind at the deal"),
        (["--scenario", "seed.toml"], 1, "seed.toml: the seed of the dice was sealed"),
        (["--set", "nothing=new"], 2, "--set: brantley has no setting 'nothing'"),
        (["--scenario", "deck.toml"], 1, "deck.toml: deck cannot change after the deal"),
        (["--scenario", "board.toml"], 1, "board.toml: board cannot change after the deal"),
        (["--ask", "--dice", "1"], 2, "--ask and --dice cannot be combined"),
        (["--scenario", "turns.toml"], 1, "turns.toml: the cards were placed with printkit status"),
        (["--out", "-"], 2, "reveal writes several"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_the_deal_has_settled_or_the_rules_forbid_is_refused_at_the_reveal(
    arguments: list[str], status: int, message: str, capsys: Captured
) -> None:
    for name, text in (
        ("deck", f'deck = "{HUNGRY}"'),
        ("seed", "seed = 9"),
        ("board", 'board = "36in"'),
        ("turns", 'placements = ["A KS 5", "B QC 5"]'),
    ):
        Path(f"{name}.toml").write_text(text, encoding="utf-8")
    folder = with_turns(dealt())
    before = names(folder)
    refused(capsys, ["reveal", str(folder), *arguments], status, message)
    assert names(folder) == before


@pytest.mark.clause("BR-X07", "BR-X08")
def test_dice_of_a_reveal_that_cannot_be_are_named(capsys: Captured) -> None:
    folder = with_turns(dealt(seed=""))
    refused(capsys, ["reveal", str(folder), "--dice", "4 4 7"], 1, "die 3 is 7")
    refused(capsys, ["reveal", str(folder), "--dice", "4 4 5"], 1, "die 4 is missing: woods on z4")


BUA = "z5 size 4.0x3.5 turn 0 at 12,12"
TOWN_AND_LAKE = "KS 2H 3H 4H QC 5H 6H 7H 8H"
ONE_RIVER = "1 5 2"
ONE_ROAD = "4 1 5 2"


@pytest.mark.clause("BR-X10..BR-X19", "BR-X21")
@pytest.mark.parametrize(
    ("clause", "lists", "dice"),
    [
        ("BR-X10", {"rivers": "river A N:0.5 -> S:8"}, ONE_RIVER),
        ("BR-X11", {"rivers": "river A N:8 -> N:16"}, ONE_RIVER),
        ("BR-X12", {"rivers": "river A W:8 -> lake@5"}, ONE_RIVER),
        ("BR-X13", {"rivers": "river A N:8 -> river R1 0.5"}, ONE_RIVER),
        ("BR-X14", {"rivers": "river A N:12 -> S:12 via 12,12", "features": BUA}, ONE_RIVER),
        ("BR-X15", {"rivers": "river A W:4 -> S:12 via 3,7 via 3,2 via 7,2 via 7,7 via 11,7"}, ONE_RIVER),
        ("BR-X16", {"roads": "road A S:8 -> bua@6"}, ONE_ROAD),
        ("BR-X17", {"roads": "road A S:8 -> road D1 0.5"}, ONE_ROAD),
        ("BR-X18", {"roads": "road A N:12 -> S:12 via 12,12", "features": BUA}, ONE_ROAD),
        ("BR-X19", {"features": "z5 size 6.0x5.0 turn 45"}, ONE_RIVER),
        ("BR-X21", {"rivers": "river B N:8 -> S:8"}, ONE_RIVER),
    ],
)
def test_a_recorded_feature_or_course_that_cannot_lie_there(
    clause: str, lists: dict[str, str], dice: str, capsys: Captured
) -> None:
    folder = dealt(deck=TOWN_AND_LAKE)
    turns = ["A a1 5", "B b1 6", "A a2 1", "B b2 2", "A a3 3", "B b3 4", "A a4 7", "B b4 8"]
    save_progress(folder / "closed-game.json", read_progress(folder / "closed-game.json").add(turns))
    text = "\n".join(f'{name} = ["{line}"]' for name, line in lists.items())
    refused(capsys, ["reveal", str(folder), "--scenario", scenario(text), "--dice", dice], 1, "field.toml: ", clause)
    assert not (folder / "map.json").exists()


@pytest.mark.parametrize("command", ["deal", "status", "reveal"])
def test_the_commands_explain_themselves(command: str, capsys: Captured) -> None:
    assert run([command, "--help"]) == 0
    assert "--style" in capsys.readouterr().out

"""The closed game and its commitment, what each reader of a sheet may know, and that nobody learns more."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from base64 import b64decode, b64encode
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace
from playing import BOOK, BRANTLEY, dealt, laid, play, rules
from telling_words import told

from printkit.chance.dice import Dice, Seeded
from printkit.content.cards import Card
from printkit.core.errors import FileError, RecordError
from printkit.core.words import Words
from printkit.systems.brantley.dealing.cards import PACK
from printkit.systems.brantley.dealing.closed_game import (
    ClosedGame,
    game_name,
    pack_commitment,
    read,
    salt_of,
    sealed_of,
    write,
)
from printkit.systems.brantley.dealing.deal import Deal, shuffle
from printkit.systems.brantley.dealing.facts import Seal, facts_of
from printkit.systems.brantley.dealing.journal import Journal
from printkit.systems.brantley.dealing.progress import Progress
from printkit.systems.brantley.dealing.progress import seal_facts as progress_facts
from printkit.systems.brantley.dealing.readers import (
    build_hand_sheet,
    build_ninth_sheet,
    hide_board,
    read_hidden_board,
    read_revealed_game,
)
from printkit.systems.brantley.judge.judge import judge
from printkit.terrain.field.record import Record

ENGLISH = Words(("en",))
SPANISH = Words(("es",))
HUNGRY = "KS 7H 9C 2D QC 3S 10H JS 5C"
GAME = "game.json"
SEAL_OF_NOTHING = Seal(game="lusab-babad", commitment="0" * 16)
QUICK = "4 4 5 1 5 6 2 5"
"""Two hills, no river, no road, and the order of deployment: the dice of that pack laid hungry for terrain."""

CODES = {str(card) for card in PACK}


def closed(seed: int = 1, **changes: Any) -> ClosedGame:
    game = ClosedGame(
        salt=salt_of(seed),
        pack=tuple(map(str, shuffle(Dice(Seeded(seed), "deal")))),
        seed=seed,
        settings={**BOOK.settle({}), "names": "none"},
        first="A",
        board="36in",
        thrown=("5", "3"),
        dice=("6", "1"),
        goes_on=True,
        inputs={"rivers": ("river A N:8 -> S:8",)},
    )
    return replace(game, **changes)


def seal_facts(game: ClosedGame) -> dict[str, object]:
    """Return the members about the deal of a game without turns and numbers."""
    return progress_facts(Progress(game=game, journal=Journal(game.commitment)))


def opened(text: str) -> dict[str, Any]:
    """Return the closed part of a file, as who wants to cheat would unpack it."""
    packed = "".join(json.loads(text)["closed"])
    found: dict[str, Any] = json.loads(zlib.decompress(b64decode(packed)))
    return found


def closed_again(text: str, **changes: Any) -> str:
    """Return a file whose closed part was changed."""
    document = json.loads(text)
    packed = b64encode(zlib.compress(json.dumps({**opened(text), **changes}).encode())).decode()
    return json.dumps({**document, "closed": [packed]})


def swapped(codes: list[str]) -> list[str]:
    return [*codes[:8], codes[9], codes[8], *codes[10:]]


def codes_in(text: str) -> set[str]:
    return CODES & set(re.findall(r"\w+", text))


# --- Commitment, salt and name ----------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M13")
def test_the_commitment_is_the_beginning_of_the_digest_of_all_that_was_dealt():
    game = closed()
    canonical = json.dumps(opened(write(game, "")), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert game.commitment == hashlib.sha256(canonical.encode()).hexdigest()[:32]
    assert len(game.seal.grouped_commitment.split()) == 8


@pytest.mark.clause("BR-M13")
def test_whatever_is_otherwise_gives_another_commitment():
    game = closed()
    changes: list[dict[str, Any]] = [
        {"salt": "0" * 32},
        {"pack": tuple(swapped(list(game.pack)))},
        {"seed": 2},
        {"settings": {**game.settings, "br-q20": "clear"}},
        {"settings": {**game.settings, "names": "celtic"}},
        {"first": "B"},
        {"board": "24in"},
        {"thrown": ("5", "4")},
        {"thrown": ("5",), "dice": ("3", "6", "1")},
        {"dice": ("6",)},
        {"goes_on": False},
        {"inputs": {}},
        {"is_open": True},
    ]
    assert len({game.commitment, *(replace(game, **change).commitment for change in changes)}) == len(changes) + 1
    in_another_order = replace(game, settings=dict(reversed(game.settings.items())))
    assert in_another_order.commitment == game.commitment


def test_the_old_commitment_of_a_pack_is_still_known():
    whole = hashlib.sha256(b"00ff|KS,7H,9C,2D,QC,3S,10H,JS,5C").hexdigest()
    assert pack_commitment("00ff", HUNGRY.split()) == whole[:16]


def test_a_game_is_named_so_that_it_can_be_said():
    assert game_name("7f00000100000000") == "lusab-babad"
    names = {closed(seed).seal.game for seed in range(40)}
    assert len(names) == 40
    assert all(re.fullmatch(r"([bdfghjklmnprstvz][aiou]){2}[a-z]-([bdfghjklmnprstvz][aiou]){2}[a-z]", n) for n in names)


def test_a_chosen_seed_has_one_salt_and_no_seed_shares_it():
    assert salt_of(7) == salt_of(7)
    assert all(re.fullmatch("[0-9a-f]{32}", salt_of(seed)) for seed in range(20))
    assert len({salt_of(seed) for seed in range(200)}) == 200


# --- The file ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BR-M11", "BR-M12")
def test_a_closed_game_is_read_as_it_was_written_and_who_opens_it_by_accident_reads_no_card():
    game = closed()
    text = write(game, ENGLISH("dealing.note"))
    outside = {key: value for key, value in json.loads(text).items() if key != "closed"}
    assert read(write(game, "note"), GAME) == read(text, GAME) == game
    assert read(write(game, "otra nota"), GAME).dealt == game.dealt
    assert not codes_in(text)
    assert not told(json.dumps(outside))
    assert game.salt not in text
    assert set(outside) == {"printkit", "rules", "game", "commitment", "note"}


@pytest.mark.clause("BR-M13")
@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        (lambda text: closed_again(text, pack=swapped(opened(text)["pack"])), "commitment"),
        (lambda text: closed_again(text, pack=opened(text)["pack"][:51]), "commitment"),
        *(
            (lambda text, change=change: closed_again(text, **change), "commitment")
            for change in ({"salt": "0" * 32}, {"seed": 2}, {"first": "B"}, {"dice": ["1"]}, {"is_open": True})
        ),
        (lambda text: text.replace(closed().seal.commitment, "0" * 16), "commitment"),
        (lambda text: text.replace(closed().seal.game, "lusab-babad"), "game"),
    ],
)
def test_what_was_changed_after_the_deal_is_found(changed, wrong):
    with pytest.raises(FileError, match=f"{wrong} does not match the sealed part") as caught:
        read(changed(write(closed(), "")), GAME)
    assert not codes_in(str(caught.value))


@pytest.mark.parametrize(
    "changed",
    [
        lambda text: text.replace("eN", "eM"),
        lambda text: closed_again(text, pack=["KS", "KS", *opened(text)["pack"][2:]]),
        lambda text: closed_again(text, pack=["1S", *opened(text)["pack"][1:]]),
        *(
            lambda text, change=change: closed_again(text, **change)
            for change in ({"pack": "KS"}, {"seed": "KS"}, {"goes_on": "KS"}, {"first": "C"}, {"settings": {}})
        ),
        *(
            lambda text, packed=packed: json.dumps({**json.loads(text), "closed": packed})
            for packed in (["KS"], "KS", [b64encode(zlib.compress(b"[]")).decode()])
        ),
    ],
)
def test_a_damaged_file_tells_nothing_of_what_stands_in_it(changed):
    with pytest.raises(FileError, match="the sealed part cannot be opened") as caught:
        read(changed(write(closed(), "")), GAME)
    assert "KS" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"printkit": {"format": 1}}, "this is not a sealed game"),
        ({"printkit": {"closed_game": 6}}, "printkit.closed_game is 6: a newer printkit made it"),
        ({"printkit": {"closed_game": 1}}, "printkit.closed_game is 1: an older printkit dealt it"),
        ({"rules": "chess"}, "rules is 'chess'; only brantley"),
        ({"commitment": None}, "commitment = null is not valid. Write text in quotes."),
        ({"printkit": {"closed_game": 5, "shapes": 0}}, "printkit.shapes = 0 is not valid. Write a whole number"),
    ],
)
def test_what_is_no_closed_game_is_refused(changes, message):
    with pytest.raises(FileError, match=re.escape(f"game.json: {message}")):
        read(json.dumps({**json.loads(write(closed(), "")), **changes}), GAME)


# --- What each reader may know ----------------------------------------------------------------------------------------


def hand(deal: Deal, player: str, words: Words = ENGLISH) -> Any:
    return build_hand_sheet(deal, player, "A", seal=SEAL_OF_NOTHING, rules=rules(), words=words)


@pytest.mark.clause("BR-A05", "BR-203")
def test_a_hand_has_its_four_cards_in_the_order_dealt_and_what_they_become():
    sheet = hand(dealt(HUNGRY), "A")
    assert " ".join(f"{held.slot} {held.card.id}" for held in sheet.cards) == "a1 KS a2 7H a3 9C a4 2D"
    assert [held.becomes for held in sheet.cards] == [
        "King of spades: built-up area, bad going",
        "Seven of hearts: good going, place nothing",
        "Nine of clubs: one-level hill, dice decide the going",
        "Two of diamonds: good going, place nothing",
    ]
    assert (sheet.player, sheet.first) == ("A", "A")


@pytest.mark.clause("BR-204", "BR-M12", "BR-A05")
@pytest.mark.parametrize("words", [ENGLISH, SPANISH], ids=["en", "es"])
def test_a_hand_is_the_same_whatever_the_other_hand_and_the_ninth_card_are(words):
    own, others = HUNGRY.split()[:4], [code for code in sorted(CODES) if code not in HUNGRY.split()[:4]]
    one, other = dealt(" ".join((*own, *others))), dealt(" ".join((*own, *reversed(others))))
    assert one.hands["B"] != other.hands["B"]
    assert one.ninth != other.ninth
    assert hand(one, "A", words) == hand(other, "A", words)
    assert repr(hand(one, "A", words)) == repr(hand(other, "A", words))


@pytest.mark.clause("BR-A06")
def test_the_sealed_sheet_has_the_ninth_card_alone():
    sheet = build_ninth_sheet(dealt(HUNGRY), seal=SEAL_OF_NOTHING, rules=rules(), words=ENGLISH)
    assert isinstance(sheet.card, Card)
    assert sheet.card.id == "5C"
    assert codes_in(repr(replace(sheet, kinds=()))) <= {"5C"}
    # Beside it the sheet knows every kind of card, the same in any game.
    other = dealt(" ".join(map(str, shuffle(Dice(Seeded(5))))))
    assert sheet.kinds == build_ninth_sheet(other, seal=SEAL_OF_NOTHING, rules=rules(), words=ENGLISH).kinds


@pytest.mark.clause("BR-A08", "BR-M16", "BR-T38")
@pytest.mark.parametrize("seed", range(8))
def test_the_hidden_board_names_no_rank_no_suit_and_no_ground(seed):
    pack = " ".join(map(str, shuffle(Dice(Seeded(seed)))))
    turns = laid(pack, seed=seed)
    for count in (0, 3, 7, 8):
        assert not told(repr(hide_board(turns[:count], "A", seal=closed(seed).seal)))


@pytest.mark.clause("BR-A08")
def test_the_hidden_board_marks_the_ninth_card_once_eight_lie():
    turns = laid(HUNGRY, policy="terrain-hungry")
    early, late = hide_board(turns[:7], "A"), hide_board(turns, "A")
    assert (early.placed_count, early.next, early.blind) == (7, "B", None)
    assert (late.placed_count, late.next, late.blind) == (8, "", 9)
    assert [(zone.zone, zone.placed_by, zone.turn) for zone in late.zones][:2] == [(1, "B", 8), (2, "B", 4)]
    assert hide_board(turns, "A", ninth="clear").blind is None
    assert hide_board((), "B").next == "B"


# --- What a record tells ----------------------------------------------------------------------------------------------


def record_of(dice: str, **inputs: Any) -> Record:
    outcome = play(dice, **inputs)
    return Record(rules="brantley", battlefield=outcome.battlefield, seed=1, log=outcome.log, details=outcome.details)


def hungry(dice: str = QUICK, **settings: str) -> Record:
    return record_of(dice, deck=HUNGRY, settings={"policy": "terrain-hungry", **settings})


@pytest.mark.clause("BR-A08", "BR-M21")
def test_the_hidden_board_of_a_record_is_that_of_its_turns():
    assert read_hidden_board(hungry()) == hide_board(laid(HUNGRY, policy="terrain-hungry"), "A")
    assert read_hidden_board(hungry(ninth="clear")).blind is None


def test_a_record_of_given_zones_hid_nothing():
    record = record_of("5 6 2 5", zones="AH 2H 3H 4H 5H 6H 7H 8H 9H")
    with pytest.raises(RecordError, match="does not give the eight turns"):
        read_hidden_board(record)
    with pytest.raises(RecordError, match="does not give the cards of zones"):
        read_hidden_board(replace(record, details={}))


@pytest.mark.clause("BR-A09", "BR-M21")
def test_the_reveal_of_a_record_tells_everything():
    record = hungry("4 4 5 1 2 3 3 5 1 5 2 5", crossing="bridge")
    found = read_revealed_game(record, BRANTLEY.account(record, ENGLISH), rules=rules(), words=ENGLISH)
    cards = [zone.card.id for zone in found.zones if zone.card]
    assert cards == ["10H", "JS", "3S", "9C", "KS", "QC", "7H", "2D", "5C"]
    assert [(zone.placed_by, zone.turn) for zone in found.zones][:3] == [("B", 8), ("B", 4), ("B", 6)]
    assert [zone.zone for zone in found.zones if zone.is_blind] == [9]
    assert [zone.turned_by for zone in found.zones] == ["", "A", "B", "A", "B", "A", "", "", "B"]
    hill = found.zones[1].dice
    assert hill is not None
    assert (hill.slope, hill.modified, hill.woods) == (4, 5, 4)
    assert {course.id[0] for course in found.courses} == {"R"}
    assert "placed it" in found.courses[0].account
    assert found.order == (2, 5)
    assert (found.deploys_first, found.moves_first) == ("A", "B")
    assert len(found.pack) == 52
    assert (found.seal, found.salt) == (None, "")


@pytest.mark.clause("BR-A09", "BR-M13")
def test_the_reveal_of_a_dealt_game_proves_its_pack():
    record = hungry()
    pack = tuple(map(str, dealt(HUNGRY).pack))
    game = closed(pack=pack)
    record = replace(record, details={**record.details, **seal_facts(game)})
    found = read_revealed_game(record, {}, rules=rules(), words=ENGLISH)
    assert (found.seal, found.salt, found.pack) == (game.seal, game.salt, pack)
    assert sealed_of(facts_of(record)) == game
    old = {**record.details, "seal": {"game": "", "commitment": pack_commitment(game.salt, pack)}, "sealed": None}
    assert verdict(record).state == "kept"
    assert verdict(replace(record, details=old)).state == "kept"
    other = replace(game, pack=tuple(swapped(list(pack))))
    for lie in (seal_facts(other), {"sealed": to_builtins(replace(game, seed=2))}):
        assert verdict(replace(record, details={**record.details, **lie})).state == "broken"


def verdict(record: Record) -> Any:
    (found,) = [each for each in judge(record, BOOK) if each.clause == "BR-M13"]
    return found


def test_a_zone_left_clear_has_no_card_and_no_placer_and_two_languages_stand_side_by_side():
    last = read_revealed_game(hungry(ninth="clear"), {}, rules=rules(), words=ENGLISH).zones[8]
    assert (last.card, last.becomes, last.turned_by, last.is_blind) == (None, "no card: good going", "", False)
    both = read_revealed_game(hungry(), {}, rules=rules(), words=Words(("en", "es")))
    spanish = hand(dealt(HUNGRY), "A", SPANISH).cards[0].becomes
    assert both.zones[4].becomes == f"King of spades: built-up area, bad going · {spanish}"

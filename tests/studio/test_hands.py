"""Sealed games at several screens: a player's page holds his hand and nothing of the other's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from desks import OWN, desk_of, phone_of, running
from starlette.testclient import TestClient

from printkit.studio.sealed_games import SealedGames
from printkit.systems.brantley.dealing.closed_game import read


def _dealt(browser: TestClient) -> tuple[str, dict[str, str]]:
    """Return a game that was dealt, and the links of its players."""
    answer = browser.post("/hands", data={}, headers=OWN)
    assert answer.status_code == 303
    name = answer.headers["location"].rpartition("/")[2]
    return name, SealedGames(desk_of(browser)).links(name)


def _hands(out: Path, name: str) -> dict[str, list[str]]:
    game = read((out / name / "closed-game.json").read_text(encoding="utf-8"), name)
    return {player: [str(card) for card in hand] for player, hand in game.dealt.hands.items()}


def _shown(page: str) -> list[tuple[str, str]]:
    return re.findall(r'class="pip">([^<]+)<br>([^<]+)</span>', page)


def _heard(page: str) -> str:
    """Return the address at which a page hears that its game has changed since it was made."""
    return re.findall(r'data-turns="([^"]+)"', page)[0]


_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@pytest.mark.clause("BR-204", "BR-M11")
def test_each_page_shows_its_own_hand_alone(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        name, links = _dealt(browser)
        hands = _hands(tmp_path, name)
        pages = {player: browser.get(f"/p/{links[player]}").text for player in "AB"}
        for player, other in ("AB", "BA"):
            own = [(card[:-1], _SUITS[card[-1]]) for card in hands[player]]
            assert _shown(pages[player]) == own
            assert links[other] not in pages[player]
        host = browser.get(f"/hands/{name}").text
        assert _shown(host) == []
        assert not any(links[player] in host for player in "AB"), "phones are not let in"
        for page in pages.values():
            assert "<title>printkit</title>" in page
        answer = browser.get(f"/p/{links['A']}")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"


NUMBER = "416235"


def _give_number(browser: TestClient, links: dict[str, str]) -> tuple[str, str]:
    """Give player B's number after the eighth card; return the commitment and the code of the card on their page."""
    page = browser.get(f"/p/{links['B']}").text
    assert "/number" in page
    assert "/number" not in browser.get(f"/p/{links['A']}").text
    for link, number in ((links["A"], NUMBER), (links["B"], "17"), (links["B"], "")):
        assert browser.post(f"/p/{link}/number", data={"number": number}, headers=OWN).status_code == 422
    assert browser.post(f"/p/{links['B']}/number", data={"number": NUMBER}, headers=OWN).status_code == 303
    after = browser.get(f"/p/{links['B']}").text
    assert "/number" not in after
    assert f'data-number="{NUMBER}"' in after
    again = browser.post(f"/p/{links['B']}/number", data={"number": "999999"}, headers=OWN)
    assert again.status_code == 422
    (code,) = re.findall(r'data-line="8" data-card><span>[^<]+</span> <code>([0-9a-f]{12})</code>', page)
    (commitment,) = re.findall(r'data-commitment="([0-9a-f ]+)"', page)
    return commitment.replace(" ", ""), f"8={code}"


@pytest.mark.clause("BR-205", "BR-206", "BR-209", "BR-M13")
def test_a_game_is_played_to_its_reveal(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        name, links = _dealt(browser)
        first = SealedGames(desk_of(browser)).facts(name).first
        order = (first, "B" if first == "A" else "A")
        early = browser.post(f"/hands/{name}/reveal", headers=OWN)
        assert early.status_code == 422
        wrong = browser.post(f"/p/{links[order[1]]}/lay", data={"card": "1", "zone": "1"}, headers=OWN)
        assert wrong.status_code == 422
        early = browser.post(f"/p/{links['B']}/number", data={"number": NUMBER}, headers=OWN)
        assert early.status_code == 422
        for turn in range(8):
            link = links[order[turn % 2]]
            sent = {"card": str(turn // 2 + 1), "zone": str(turn + 1)}
            assert browser.post(f"/p/{link}/lay", data=sent, headers=OWN).status_code == 303
        taken = browser.post(f"/p/{links['A']}/lay", data={"card": "1", "zone": "9"}, headers=OWN)
        assert taken.status_code == 422
        commitment, code = _give_number(browser, links)
        before = _heard(browser.get(f"/p/{links['B']}").text)
        revealed = browser.post(f"/hands/{name}/reveal", headers=OWN)
        assert revealed.status_code == 303
        assert _heard(browser.get(f"/p/{links['B']}").text) != before
        field = revealed.headers["location"].rpartition("/")[2]
        record = desk_of(browser).sitting.field(field).record
        assert record.rules == "brantley"
        # A page that was made before the last card lay, or before the field was kept, hears of it at once.
        assert "changed" in browser.get(before).text
        zones = {zone["n"]: zone["placed_by"] for zone in record.details["zones"]}
        assert [zones[number] for number in range(1, 9)] == [order[turn % 2] for turn in range(8)]
        seat = browser.get(f"/p/{links['A']}").text
        assert "map.svg" in seat
        # The cards of all nine zones are open, the ninth is named, and the key follows the map.
        assert re.search(r"All cards are open\. The ninth was the \w+ of \w+\.", seat)
        assert re.search(r'<li class="ninth"><span class="zn">9</span>\s*<span class="card', seat)
        assert len(re.findall(r'<span class="zn">\d</span>\s*<span class="card', seat)) == 9
        assert seat.count('<span class="n">') == len(record.battlefield.features)
        # What the page of player B kept proves every row, and the page of the proof can be saved.
        kept = {"commitment": commitment, "code": code, "number": NUMBER}
        for changed, last in (
            ({}, "All is proven: the game was played as sealed."),
            ({"number": ""}, "Nothing is wrong, but 1 of 6 checks are not proven."),
            ({"code": code[:-1] + ("0" if code[-1] != "0" else "1")}, "Wrong: 1 of 6 checks failed."),
        ):
            shown = browser.post(f"/p/{links['B']}/proof", data={**kept, **changed}, headers=OWN)
            assert (shown.status_code, last in shown.text) == (200, True)
        assert browser.post(f"/p/{links['B']}/proof", data={**kept, "code": "8=x"}, headers=OWN).status_code == 422
        page = browser.get(f"/p/{links['A']}/proof.html")
        assert page.headers["content-disposition"] == f'attachment; filename="{name}-proof.html"'
        assert commitment in page.text


def test_a_lost_link_opens_nothing_any_more(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        name, links = _dealt(browser)
        assert browser.post(f"/hands/{name}/link", data={"player": "A"}, headers=OWN).status_code == 303
        lost = browser.get(f"/p/{links['A']}")
        assert (lost.status_code, _shown(lost.text)) == (404, [])
        assert browser.get(f"/p/{links['B']}").status_code == 200
        assert browser.get(f"/p/{links['A']}x").status_code == 404
        assert browser.get("/hands/..").status_code in (200, 404)
        assert browser.get("/hands/.sitting").status_code == 404


def test_a_hand_needs_no_key_and_opens_nothing_else(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        name, links = _dealt(browser)
        phone = phone_of(browser)
        assert phone.get(f"/p/{links['A']}").status_code == 200
        for path in ("/", f"/hands/{name}", f"/out/{name}/player-b/hand.pdf"):
            assert phone.get(path).status_code == 404


def test_a_field_that_comes_after_the_reveal_is_heard_of(tmp_path: Path) -> None:
    """Between the reveal and the field that is kept of it, a page may be made that shows none."""
    with running(tmp_path) as browser:
        name, links = _dealt(browser)
        before = _heard(browser.get(f"/p/{links['A']}").text)
        SealedGames(desk_of(browser)).note_field(name, "f1")
        assert "changed" in browser.get(before).text

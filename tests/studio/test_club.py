"""The pages of leagues: a league is begun, played and printed by the commands, and errors are said on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from desks import OWN, phone_of, running
from starlette.testclient import TestClient

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.recipes.league import league_games
from printkit.recipes.league.league_file import read_league
from printkit.studio import app_club
from printkit.studio.phones import ListenerState

NEW = {"name": "Autumn <league>", "rules": "dba3", "players": "Ann\r\nBob\r\n\r\nCarmen", "tables": ""}


@pytest.fixture(scope="module", autouse=True)
def here() -> Iterator[None]:
    """Run the commands in this process, where each would take a start of its own, and print no game nights."""

    def read(*words: str, seconds: float = 0.0) -> str:
        del seconds
        with redirect_stderr(StringIO()) as wrong:
            if run(words):
                raise UsageError("{told}", told=wrong.getvalue().strip())
        return ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_club, "read_own", read)
        patch.setattr(league_games, "game_night_files", lambda number, *_: {f"game-{number}/contents.pdf": b"%PDF-"})
        yield


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    """Return a browser at a studio with a league, and the folder of the league."""
    out = tmp_path_factory.mktemp("club")
    with running(out) as browser:
        answer = browser.post("/club", data={**NEW, "build": "on"}, headers=OWN)
        assert (answer.status_code, answer.headers["location"]) == (303, "/club/autumn-league")
        yield browser, out / "leagues" / "autumn-league"


def test_a_league_is_played_on_its_page(begun: tuple[TestClient, Path]) -> None:
    browser, folder = begun
    assert read_league(folder).print_options.laid == "build"
    assert "/club/autumn-league" in browser.get("/club").text
    page = browser.get("/club/autumn-league").text
    assert "Autumn &lt;league&gt;" in page
    assert "Without a game in this round: Carmen" in page
    for text, score in (("2-5", (2, 5)), ("", None), ("5-2", (5, 2))):
        assert browser.post("/club/autumn-league/result", data={"score-1": text}, headers=OWN).status_code == 303
        assert read_league(folder).game(1).score == score
    late = {"players": "Eve\r\n", "tables": "1"}
    assert browser.post("/club/autumn-league/round", data=late, headers=OWN).status_code == 303
    league = read_league(folder)
    assert (league.players, league.rounds, len(league.games)) == (("Ann", "Bob", "Carmen", "Eve"), 2, 2)
    assert "game-2/contents.pdf" not in browser.get("/club/autumn-league").text
    assert browser.post("/club/autumn-league/print", headers=OWN).status_code == 303
    assert "/out/leagues/autumn-league/game-2/contents.pdf" in browser.get("/club/autumn-league").text
    for name in ("league.pdf", "game-2/contents.pdf"):
        assert browser.get(f"/out/leagues/autumn-league/{name}").content.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("path", "data", "message"),
    [
        ("/club", {**NEW, "name": "Other", "players": "Ann"}, "a league has 2 to 40 players, not 1"),
        ("/club", {**NEW, "name": "Other", "players": ""}, "a league has 2 to 40 players, not 0"),
        ("/club", {**NEW, "name": "Other", "tables": "none"}, "is not a whole number"),
        ("/club", {**NEW, "name": "Other", "rules": "chess"}, "chess"),
        ("/club", NEW, "already has a league"),
        ("/club/autumn-league/result", {"score-1": "--games", "score-2": "--games"}, "is not a score"),
        ("/club/autumn-league/round", {"players": "Bob"}, "Bob is in the list of players twice"),
        ("/club/autumn-league/nothing", {}, "there is no step"),
    ],
)
def test_what_is_wrong_is_said_on_the_page(
    path: str, data: dict[str, str], message: str, begun: tuple[TestClient, Path]
) -> None:
    browser, folder = begun
    before = (folder / "league.toml").read_bytes()
    answer = browser.post(path, data=data, headers=OWN)
    assert answer.status_code == 422
    assert message in answer.text
    assert (folder / "league.toml").read_bytes() == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_the_form_comes_back_with_what_was_typed(begun: tuple[TestClient, Path]) -> None:
    browser, _ = begun
    page = browser.post("/club/autumn-league/result", data={"score-1": "five", "score-2": "five"}, headers=OWN).text
    assert re.search(r'value="five"[^>]*aria-invalid="true"[^>]*><span[^>]*>[^<]*is not a score', page)
    page = browser.post("/club/autumn-league/round", data={"players": "Bob", "tables": "3"}, headers=OWN).text
    assert ">Bob</textarea>" in page
    assert re.search(r'name="tables" value="3"[^>]* min="1"', page)


def test_phones_see_the_standings_and_the_poster_has_their_code(begun: tuple[TestClient, Path]) -> None:
    browser, folder = begun
    poster, saved = "/club/autumn-league/league.pdf", (folder / "league.pdf").read_bytes()
    assert browser.get(poster).content == saved
    browser.app.state.phones.state = state = ListenerState(  # type: ignore[attr-defined]
        host="192.168.1.20", address="http://192.168.1.20:8024"
    )
    with_code = browser.get(poster).content
    assert with_code.startswith(b"%PDF-")
    assert with_code != saved
    assert (folder / "league.pdf").read_bytes() == saved
    page = browser.get("/club/autumn-league").text
    assert 'class="qr"' in page
    (link,) = re.findall(f"<code>{state.address}(/club/[^<]+)</code>", page)
    phone = phone_of(browser)
    shown = phone.get(link, headers={"Accept-Language": "es"}).text
    assert "Clasificación" in shown
    assert "Autumn &lt;league&gt;" in shown
    assert "<form" not in shown
    assert phone.post(f"{link}/result", data={"score-1": "9-0"}, headers=OWN).status_code == 404
    assert phone.get("/club/autumn-league").status_code == 404
    assert browser.post("/club/autumn-league/link", headers=OWN).status_code == 303
    assert phone.get(link).status_code == 404
    browser.app.state.phones.state = ListenerState()  # type: ignore[attr-defined]
    assert 'class="qr"' not in browser.get("/club/autumn-league").text


def test_only_leagues_of_the_folder_have_a_page(begun: tuple[TestClient, Path]) -> None:
    browser, folder = begun
    for name in ("nowhere", "*", "autumn-league%2f..%2fautumn-league"):
        assert browser.get(f"/club/{name}").status_code == 404
    (folder.parent / "broken").mkdir()
    (folder.parent / "broken" / "league.toml").write_text("= =", encoding="utf-8")
    answer = browser.get("/club/broken")
    assert answer.status_code == 422
    assert "not valid TOML" in answer.text

"""Phones come in by a switch: a listener of its own, which serves their pages and nothing of the studio."""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from desks import KEY, OWN, PHONE_HOST, phone_of, phones_here, running
from imports import module_of, sources
from reading import texts
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from printkit.studio import server_sockets
from printkit.studio.limits.values import LIMITS
from printkit.studio.phones import PHONE_PAGES, ListenerState, PhoneListener, phone_code

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a second address of its own")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[TestClient]:
    """Return a browser at a studio."""
    with running(tmp_path) as found:
        yield found


def _switched(browser: TestClient, **form: str) -> str:
    """Press the switch, and return where it leads."""
    answer = browser.post("/phones", data=form, headers=OWN)
    assert answer.status_code == 303
    return answer.headers["location"]


def _listener(browser: TestClient) -> PhoneListener:
    found: PhoneListener = browser.app.state.phones  # type: ignore[attr-defined]
    return found


def _dealt(browser: TestClient) -> str:
    """Return the address of a new sealed game."""
    return str(browser.post("/hands", data={}, headers=OWN).headers["location"])


def _ask(address: str, path: str, method: str = "GET") -> int:
    """Return the status with which a listener answers."""
    with closing(HTTPConnection(address.removeprefix("http://"), timeout=20)) as line:
        line.request(method, path, headers=OWN)
        return line.getresponse().status


def test_the_switch_opens_a_listener_and_closes_it(browser: TestClient) -> None:
    game = _dealt(browser)
    page = browser.get(game).text
    assert ('aria-checked="false"' in page, "/p/" in page, 'class="qr"' in page) == (True, False, False)
    assert "Off. Nothing outside this computer can reach printkit." in page
    assert _switched(browser, on="1", page=game) == game
    state = _listener(browser).state
    assert state.is_on
    page = browser.get(game).text
    assert 'aria-checked="true"' in page
    assert f"On until {state.until:%H:%M}, or until you switch it off." in page
    (link, _) = re.findall(rf"<code>{state.address}(/p/[^<]+)</code>", page)
    assert [_ask(state.address, path) for path in (link, "/", "/static/icon.svg")] == [200, 404, 200]
    first = "Player A has opened their page."
    assert first in browser.get(game).text
    assert browser.post(f"{game}/link", data={"player": "A"}, headers=OWN).status_code == 303
    assert _ask(state.address, link) == 404
    assert first not in browser.get(game).text
    stream = socket.create_connection(state.address.removeprefix("http://").split(":"))  # type: ignore[arg-type]
    with closing(stream):
        other = re.findall(rf"<code>{state.address}(/p/[^<]+)</code>", browser.get(game).text)[1]
        stream.sendall(f"GET {other}/events HTTP/1.1\r\nHost: {PHONE_HOST}\r\n\r\n".encode())
        assert b"200 OK" in stream.recv(4096)
        assert _switched(browser, on="0", page=game) == game
        stream.settimeout(5)
        with suppress(ConnectionResetError):
            while stream.recv(4096):
                pass
    with pytest.raises(ConnectionRefusedError):
        _ask(state.address, other)
    assert "/p/" not in browser.get(game).text
    assert browser.get(game).status_code == 200, "the studio goes on"


def test_a_phone_reaches_no_page_of_the_studio(browser: TestClient) -> None:
    phone = phone_of(browser)
    routes = [route for route in browser.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    assert len(routes) > 30
    for route in routes:
        path = re.sub(r"\{[^}]+\}", "1", route.path)
        for query in ("", f"?key={KEY}"):
            for method in route.methods or ():
                answer = phone.request(method, path + query, headers={**OWN, "Cookie": f"printkit-0={KEY}"})
                if not route.path.startswith(PHONE_PAGES):
                    assert answer.status_code == 404
                assert set(re.findall(r'href="([/?][a-z]*)', answer.text)) <= {"/static", "?lang"}
    phone = phone_of(browser)
    assert phone.get("/static/studio.css").status_code == 200
    assert phone.get("/static/studio.css", headers={"Host": "127.0.0.1"}).status_code == 400
    assert phone.post("/p/x/lay", headers={"Origin": "http://127.0.0.1"}).status_code == 403
    assert phone.post("/p/x/lay", content=b"x" * (LIMITS.link_bytes + 1), headers=OWN).status_code == 413
    parts = iter([b"x" * LIMITS.link_bytes, b"x"])
    answer = phone.post("/p/x/lay", content=parts, headers=OWN)
    assert (answer.status_code, answer.text) == (413, "413: that is more than 64 kB")


@pytest.mark.parametrize(
    ("accepted", "path", "lang"),
    [
        ("es-MX,es;q=0.9,en;q=0.8", "/p/x", "es"),
        ("fr,ES;q=0.5", "/hands", "es"),
        ("fr", "/p/x", "en"),
        ("", "/p/x", "en"),
        ("es", "/p/x?lang=en", "en"),
        ("es", "{hand}", "es"),
    ],
)
def test_a_phone_shows_its_pages_and_refusals_in_its_own_language(
    browser: TestClient, accepted: str, path: str, lang: str
) -> None:
    game = _dealt(browser)
    token = browser.app.state.games.links(game.rpartition("/")[2])["A"]  # type: ignore[attr-defined]
    answer = phone_of(browser).get(path.format(hand=f"/p/{token}"), headers={"Accept-Language": accepted})
    assert answer.status_code == (200 if "{" in path else 404)
    assert f'<html lang="{lang}">' in answer.text
    assert "Cross-Origin-Opener-Policy" not in answer.headers
    english = browser.get(game, headers={"Accept-Language": "es"})
    assert '<html lang="en">' in english.text
    assert english.headers["Cross-Origin-Opener-Policy"] == "same-origin"


def test_the_hands_can_be_printed(browser: TestClient) -> None:
    page = browser.get(_dealt(browser)).text
    assert "Print the hands" in page
    (address,) = re.findall(r'href="(/hands/[^"]+pdf)"', page)
    sides = texts(browser.get(address).content)
    # The screen shows the board first. Its back and that of the record form stay blank.
    assert [bool(side.strip()) for side in sides[:4]] == [True, False, True, False]
    assert len(sides) == 5 * 2


def test_a_link_opens_no_page_of_the_studio_itself_without_the_key(browser: TestClient) -> None:
    browser.cookies.clear()
    assert {browser.get(page).status_code for page in PHONE_PAGES} == {401}


@pytest.mark.parametrize(
    ("page", "leads"),
    [
        ("/battle/a", "/battle/a"),
        ("//evil.example", "/hands"),
        ("/\\evil.example", "/hands"),
        ("x", "/hands"),
        ("", "/hands"),
    ],
)
def test_the_switch_leads_back_to_a_page_of_the_studio(browser: TestClient, page: str, leads: str) -> None:
    assert _switched(browser, on="0", page=page) == leads


def test_without_a_network_nothing_can_be_switched(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("printkit.studio.phones.find_addresses", lambda: ())
    page = browser.get("/hands").text
    assert "This computer is not connected to a network." in page
    assert re.search(r'<button class="switch"[^>]* disabled>', page)
    _switched(browser, on="1")
    assert _listener(browser).state == ListenerState()


def test_a_choice_of_addresses(browser: TestClient) -> None:
    with phones_here("127.0.0.2", "127.0.0.3"):
        assert "127.0.0.3 (Wi-Fi)" in browser.get("/hands").text
        for asked, chosen in (("127.0.0.3", "127.0.0.3"), ("0.0.0.0", "127.0.0.2"), ("127.0.0.1", "127.0.0.2")):
            _switched(browser, on="1", address=asked)
            state = _listener(browser).state
            assert state.is_on
            assert state.host == chosen
            assert _ask(state.address, "/static/icon.svg") == 200


def test_a_refusal_of_the_system_is_shown(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("printkit.studio.phones.find_socket", refuse)
    _switched(browser, on="1")
    assert _listener(browser).state == ListenerState(reason="Operation not permitted")
    assert (
        "The system refused it: Operation not permitted. Allow printkit in the firewall" in browser.get("/hands").text
    )


def test_a_game_that_no_phone_comes_to_says_what_may_be_wrong(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("printkit.studio.phones.PATIENCE", 0.0)
    game = _dealt(browser)
    _switched(browser, on="1")
    events = re.findall(r'data-turns="([^"]+)"', browser.get(game).text)[0]
    assert "No phone has arrived. Same Wi-Fi?" in browser.get(game).text
    state = _listener(browser).state
    assert state.is_on
    assert _ask(state.address, "/p/x") == 404
    assert "No phone has arrived." not in browser.get(game).text
    assert "changed" in browser.get(events).text, "the page hears of it"


def test_the_listener_closes_by_itself_and_with_the_studio(tmp_path: Path) -> None:
    async def pass_time() -> list[object]:
        states: list[object] = []
        phones = PhoneListener(lambda *_: Starlette(), lasts=timedelta(0), show_change=states.append)
        await phones.open(PHONE_HOST, 0)
        while phones.state != ListenerState():
            await asyncio.sleep(0)
        return states

    on, off = asyncio.run(pass_time())
    assert isinstance(on, ListenerState)
    assert on.is_on
    assert off == ListenerState()
    with running(tmp_path, opens_phones=True) as browser:
        state = _listener(browser).state
        assert state.is_on
        assert _ask(state.address, "/static/icon.svg") == 200
    assert _listener(browser).state == ListenerState()
    with pytest.raises(ConnectionRefusedError):
        _ask(state.address, "/static/icon.svg")


def test_a_code_is_there_only_if_a_phone_can_open_it() -> None:
    phones = PhoneListener(lambda *_: Starlette())
    until = datetime.now(UTC)
    for state, there in (
        (ListenerState(), False),
        (ListenerState(reason="x"), False),
        (ListenerState(host="127.0.0.2", address="http://127.0.0.2:1", until=until), False),
        (ListenerState(host="192.168.1.20", address="http://192.168.1.20:8024", until=until), True),
    ):
        phones.state = state
        assert (phone_code(phones, "/p/x") is not None) is there
    # Nothing else draws a code, and only pages of the club and of a deal show one.
    code = {module_of(path): path.read_text(encoding="utf-8") for path in sources()}
    assert {name: text.count("qr_code(") for name, text in code.items() if "qr_code(" in text} == {"studio.phones": 2}
    showing = {name for name, text in code.items() if "phone_code(" in text}
    assert showing == {"studio.phones", "studio.app_club", "studio.app_sealed"}


def test_private_addresses_alone_are_offered_the_likely_one_first(monkeypatch: pytest.MonkeyPatch) -> None:
    interfaces = {
        "lo": ("127.0.0.1", "virtual"),
        "docker0": ("172.17.0.1", "virtual"),
        "tun0": ("10.8.0.3", "vpn"),
        "eth1": ("10.0.0.9", "cable"),
        "eth0": ("10.0.0.5", "cable"),
        "wlan0": ("192.168.1.20", "wifi"),
        "ppp0": ("203.0.114.7", "vpn"),
        "usb0": ("169.254.3.4", "virtual"),
    }
    monkeypatch.setattr(server_sockets, "_interface_addresses", lambda: iter(interfaces.values()))
    monkeypatch.setattr(server_sockets, "_route_address", lambda: "10.0.0.9")
    hosts = [address.host for address in server_sockets.find_addresses()]
    assert hosts == ["192.168.1.20", "10.0.0.9", "10.0.0.5", "10.8.0.3", "172.17.0.1"]
    monkeypatch.undo()
    assert dict(server_sockets._interface_addresses())["127.0.0.1"] == "virtual"
    assert all(server_sockets.is_private(address.host) for address in server_sockets.find_addresses())


def test_a_port_in_use_leads_to_the_next_one() -> None:
    with server_sockets.find_socket(PHONE_HOST, 0) as first:
        port = first.getsockname()[1]
        with server_sockets.find_socket(PHONE_HOST, port) as second:
            assert port < second.getsockname()[1] <= port + 50
        with pytest.raises(OSError, match="in use"):
            server_sockets.open_socket(PHONE_HOST, port)


def test_while_phones_may_connect_to_stop_the_program_is_confirmed(browser: TestClient) -> None:
    stopped: list[bool] = []
    browser.app.state.stop = lambda: stopped.append(True)  # type: ignore[attr-defined]
    _switched(browser, on="1")
    assert "Phones may connect. Stop anyway?" in browser.post("/stop", data={}, headers=OWN).text
    assert stopped == []
    browser.post("/stop", data={"anyway": "on"}, headers=OWN)
    assert stopped == [True]

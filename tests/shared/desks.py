"""A studio for tests: its application without a server, sent to as a browser sends."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

import printkit
from printkit.studio.app import phone_pages, studio
from printkit.studio.app_state import AppState, Settings
from printkit.studio.server_sockets import Address
from printkit.studio.session import SavedField
from printkit.studio.tokens import cookie_name

OWN = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says of a form of the studio's own page."""

KEY = "key-of-tests"

KEY_COOKIE: Any = {"name": cookie_name(0), "value": KEY, "domain": "127.0.0.1", "path": "/"}
"""What a browser sends to a studio of ``served`` once it has opened it with the key."""

DRAWN = """{"type": "FeatureCollection", "rules": "brantley",
 "board": {"width_mm": 609.6, "depth_mm": 609.6, "pace_mm": 0.254, "base_width_mm": 40.0}, "title": "Drawn <by> hand",
 "features": [{"type": "Feature", "id": "w", "geometry": {"type": "Polygon",
 "coordinates": [[[60, 470], [150, 470], [150, 550], [60, 550], [60, 470]]]},
 "properties": {"kind": "light_woods", "going": "bad", "zone": 1}}]}"""
"""A field that takes no time to draw."""


PHONE_HOST = "127.0.0.2" if sys.platform == "linux" else "127.0.0.1"
"""The address at which phones of a test find a studio."""


@contextmanager
def phones_here(*hosts: str) -> Iterator[None]:
    """Let the switch of the studio offer addresses of this computer that always exist."""
    with pytest.MonkeyPatch.context() as patch:
        addresses = tuple(Address(host=host, kind="wifi") for host in hosts or (PHONE_HOST,))
        patch.setattr("printkit.studio.phones.find_addresses", lambda: addresses)
        yield


def _settings(out: Path, **settings: Any) -> Settings:
    """Return settings with the settings folder of the user inside the output folder."""
    folder = {"printers": out / "printers", "preferences_file": out / "preferences.toml"}
    return Settings(out=out, key=KEY, **{**folder, **settings})


@contextmanager
def running(out: Path, **settings: Any) -> Iterator[TestClient]:
    """Yield a browser at a studio."""
    app = studio(_settings(out, **settings))
    cookies = {cookie_name(settings.get("port", 0)): KEY}
    browser = TestClient(app, base_url="http://127.0.0.1", follow_redirects=False, cookies=cookies)
    with phones_here(), browser:
        yield browser


def phone_of(browser: TestClient) -> TestClient:
    """Return a phone at the pages of a studio that it can reach."""
    app = phone_pages(browser.app, PHONE_HOST, 0)  # type: ignore[arg-type]
    return TestClient(app, base_url=f"http://{PHONE_HOST}", follow_redirects=False)


def desk_of(browser: TestClient) -> AppState:
    """Return what the studio of a browser holds."""
    return browser.app.state.desk  # type: ignore[attr-defined,no-any-return]


def bare(browser: TestClient, text: str = DRAWN) -> SavedField:
    """Put a field on the desk that is drawn in no time."""
    return desk_of(browser).sitting.keep(printkit.load(text))


@contextmanager
def served(out: Path, **settings: Any) -> Iterator[str]:
    """Yield the address of a studio that a real browser can reach."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    port = listening.getsockname()[1]
    app = studio(_settings(out, **settings))
    config = uvicorn.Config(app, log_level="critical", loop="asyncio", http="h11", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        with phones_here():
            yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()

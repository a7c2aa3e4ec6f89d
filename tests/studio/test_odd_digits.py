"""Digits that are none of ASCII, wherever a browser can send one: refused, and never a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from desks import OWN, bare, desk_of, running

from printkit.studio.evenings import SealedGames


@pytest.mark.parametrize("odd", ["²", "①", "༳"])
def test_an_odd_digit_is_refused(tmp_path: Path, odd: str) -> None:
    with running(tmp_path, port=8024) as browser:
        assert browser.get("/", headers={"Host": f"127.0.0.1:{odd}".encode()}).status_code == 400
        assert browser.post("/check", content=b"", headers={**OWN, "Content-Length": odd.encode()}).status_code in (
            400,
            413,
        )
        kept = bare(browser)
        answer = browser.post(f"/field/{kept.id}/overwrite", data={"throw": odd, "answer": "6"}, headers=OWN)
        assert answer.status_code == 422
        answer = browser.post("/battle/none/back", data={"to": odd}, headers=OWN)
        assert answer.status_code in (404, 422)
        name = browser.post("/hands", data={}, headers=OWN).headers["location"].rpartition("/")[2]
        link = SealedGames(desk_of(browser)).links(name)["A"]
        answer = browser.post(f"/p/{link}/lay", data={"card": odd, "zone": odd}, headers=OWN)
        assert answer.status_code == 422

"""The table aid opens whatever the browser has kept: at the last state that fits, and never dead."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aid_scene import data_of, page_of
from browser import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]

LEVEL = {"what": "level", "level": "defensive", "die": 2, "by": "battle"}
BOUND = {"what": "bound", "pips": 5, "die": 6, "by": "battle"}
OVERRIDE = {"what": "override", "die": 1, "by": "battle"}
LOST = {"what": "lost", "side": "npg", "elements": 1, "camp": False, "general": False}
GAME = [LEVEL, BOUND, OVERRIDE, LOST]


def _kept(*events: Any, **other: Any) -> str:
    return json.dumps({"events": list(events), "luck": "battle", "language": "en", **other})


WHOLE = {
    "a whole game": (_kept(*GAME), 4),
    "another version": (_kept(*GAME, version=99, schema="dba-aid-log/9"), 4),
    "a word of JavaScript as the language": (_kept(*GAME, language="toString"), 4),
    "luck that there is not": (_kept(*GAME, luck={"a": 1}), 4),
    "nothing": (None, 0),
}
"""What is kept of a game that fits, and how many of its events."""

DAMAGED = {
    "no JSON": ("{", 0),
    "empty": ("", 0),
    "null": ("null", 0),
    "a number": ("7", 0),
    "a text": ('"events"', 0),
    "a list": ("[]", 0),
    "events that are no list": ('{"events": {"0": 1}}', 0),
    "an event that is null": (_kept(LEVEL, None), 1),
    "an event that is a number": (_kept(LEVEL, 3, BOUND), 1),
    "an unknown event": (_kept(LEVEL, BOUND, {"what": "ride"}, BOUND), 2),
    "an event called as a word of JavaScript": (_kept({"what": "constructor"}), 0),
    "an event whose kind is a list": (_kept(LEVEL, {**BOUND, "what": ["bound"]}), 1),
    "an override without a bound": (_kept(LEVEL, OVERRIDE), 1),
    "an override alone": (_kept(OVERRIDE), 0),
    "two overrides of a bound": (_kept(LEVEL, BOUND, OVERRIDE, OVERRIDE), 3),
    "more overrides than there are": (_kept(LEVEL, *[BOUND, OVERRIDE] * 9), None),
    "a bound without a level": (_kept(BOUND), 0),
    "two levels": (_kept(LEVEL, LEVEL), 1),
    "a level that there is not": (_kept({**LEVEL, "level": "brave"}), 0),
    "negative losses": (_kept(LEVEL, {**LOST, "elements": -1}, BOUND), 1),
    "more losses than elements": (_kept(LEVEL, {**LOST, "elements": 99}, BOUND), 1),
    "half an element": (_kept(LEVEL, {**LOST, "elements": 0.5}, BOUND), 1),
    "losses of nobody": (_kept(LEVEL, {**LOST, "side": "them"}), 1),
    "a camp that is a text": (_kept(LEVEL, {**LOST, "camp": "yes"}), 1),
    "losses without a camp": (_kept(LEVEL, {"what": "lost", "side": "you", "elements": 1}), 1),
    "a die of seven": (_kept(LEVEL, {**BOUND, "die": 7}), 1),
    "a die that is a text": (_kept(LEVEL, {**BOUND, "pips": "5"}), 1),
    "a card that there is not": (_kept(LEVEL, {**BOUND, "card": 99}), 1),
}
"""What is kept of a game that is damaged, and how many events of it fit; None: as many as there are overrides."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def _opened(browser: Browser, folder: Path, kept: str | None) -> tuple[int, bool, list[str]]:
    """Return how many events the page opens with, whether it says that they are damaged, and what went wrong."""
    place, wrong = folder / "table-aid.html", []
    text = page_of()
    place.write_text(text, encoding="utf-8")
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(place.as_uri())
    if kept is not None:
        page.evaluate("([key, kept]) => localStorage.setItem(key, kept)", [data_of(text)["key"], kept])
        page.reload()
    count, told = int(page.evaluate("events.length")), page.is_visible("#damaged")
    assert page.text_content("#title")
    if not page.evaluate("stood(events).level"):
        page.click("#level-throw")
    bounds = page.evaluate("stood(events).bounds.length")
    page.click("#next")
    assert page.evaluate("stood(events).bounds.length") == bounds + 1, "the game goes on"
    assert page.is_hidden("#damaged")
    page.reload()
    assert page.evaluate("stood(events).bounds.length") == bounds + 1
    assert page.is_hidden("#damaged"), "what is kept now is whole"
    context.close()
    return count, told, wrong


@pytest.mark.parametrize("name", [*WHOLE, *DAMAGED])
def test_a_game_opens_at_the_last_state_that_fits(name: str, browser: Browser, tmp_path: Path) -> None:
    kept, events = (WHOLE | DAMAGED)[name]
    if events is None:
        events = 2 + 2 * data_of(page_of())["tries"]
    assert _opened(browser, tmp_path, kept) == (events, name in DAMAGED, [])

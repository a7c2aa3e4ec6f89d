"""The table aid in a real Chromium of a phone, with the network off, whatever the browser has kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aid_scene import SEED, data_of, page_of, pair_of
from browser import chromium

from printkit.chance.dice import Dice, ScriptedSource, Seeded
from printkit.cli.app import run
from printkit.systems.solo.cards.sheet_values import BOUND_COUNT, roll_bounds
from printkit.systems.solo.tactics.bounds import Losses, bound
from printkit.systems.solo.tactics.tactics_tables import FACES, Level, tactics

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore")]

PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, offline=True, has_touch=True)  # type: ignore[arg-type]
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext, tmp_path: Path) -> Iterator[Page]:
    """Open the page; nothing may go wrong in it, and nothing be asked for but itself."""
    yield from opened(phone, tmp_path, page_of())


def opened(phone: BrowserContext, folder: Path, text: str) -> Iterator[Page]:
    place = folder / "table-aid.html"
    place.write_text(text, encoding="utf-8")
    wrong: list[str] = []
    found = phone.new_page()
    found.on("pageerror", lambda error: wrong.append(str(error)))
    found.on("console", lambda message: wrong.append(message.text))
    found.on("request", lambda request: wrong.append(request.url) if request.url != place.as_uri() else None)
    found.goto(place.as_uri())
    yield found
    assert wrong == []


def begin(page: Page) -> None:
    page.click("#level-throw")


def lose(page: Page, side: str, step: int = 1) -> None:
    page.click(f"#{side}-lost button[data-step='{step}']")


def events(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(page.input_value("#log"))["events"]
    return found


@pytest.mark.clause("SD-5.3-b")
def test_the_script_finds_the_stance_of_every_card_level_and_loss(page: Page) -> None:
    rules = pair_of().rules
    cases = list(product(FACES, FACES, Level, range(4), range(4)))
    told = page.evaluate(
        "cases => cases.map(([pips, die, level, npg, you]) => stanceOf(pips, die, netOf(level, npg, you)))", cases
    )
    wanted = [
        bound(
            level, Losses(npg=npg, you=you), rules, Dice(ScriptedSource([str(pips), str(die)], Seeded(0)))
        ).stance.value
        for pips, die, level, npg, you in cases
    ]
    assert told == wanted
    assert len(told) == 36 * 3 * 16


@pytest.mark.clause("SD-5.3-a", "SD-5.3-c", "SD-5.4-a", "AMB-43")
def test_a_whole_game_has_the_throws_of_the_printed_strip(page: Page) -> None:
    rules = pair_of().rules
    begin(page)
    level = Level(events(page)[0]["level"])
    lost = {"npg": 0, "you": 0}
    plan = {2: ("npg",), 4: ("you",), 5: ("npg",), 7: ("you", "npg"), 9: ("npg",)}
    tries = 0
    for printed in roll_bounds(SEED, rules, 9):
        page.click("#next")
        net = tactics(rules).net_of(level, lost["npg"], lost["you"])
        wanted = tactics(rules).stance_at(tactics(rules).base(printed.pips, printed.die) + net)
        assert page.get_attribute("#pips", "aria-label") == str(printed.pips)
        assert page.get_attribute("#die", "aria-label") == str(printed.die)
        assert page.text_content("#stance") == wanted.value.capitalize()
        assert page.locator("#moves > li").count() == len(tactics(rules).permitted[wanted])
        if printed.number in (3, 6):
            page.click("#override")
            tries += 1
            assert ("works" if printed.is_free else "fails") in (page.text_content("#tried") or "")
            assert page.is_visible("#list") is not printed.is_free
        assert page.is_hidden("#ended")
        for side in plan.get(printed.number, ()):
            lose(page, side)
            lost[side] += 1
    assert lost == {"npg": 4, "you": 2}
    page.wait_for_selector("#ended:visible")
    assert page.text_content("#ended") == "The game is over: YOU have won. NPG losses 4, YOURS 2."


def test_undo_goes_to_the_start_and_a_reload_keeps_the_game(page: Page, phone: BrowserContext, tmp_path: Path) -> None:
    page.click("#part-losses > summary")
    shown = []
    for press in ("#level-throw", "#next", "#npg-lost button[data-step='1']", "#next", "#override", "#you-camp"):
        shown.append(page.inner_text("body"))
        page.click(press)
    last = page.inner_text("body")
    page.reload()
    page.click("#part-losses > summary")
    assert page.inner_text("body") == last
    for other in opened(phone, tmp_path, page_of()):
        other.click("#next")
        page.wait_for_function("events.length === 7")
        page.click("#undo")
        other.wait_for_function("events.length === 6")
        other.close()
    for before in reversed(shown):
        page.click("#undo")
        assert page.inner_text("body") == before
    assert page.is_disabled("#undo")
    assert events(page) == []


def test_without_a_store_it_works_and_says_so(phone: BrowserContext, tmp_path: Path) -> None:
    phone.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('no'); }})")
    for found in opened(phone, tmp_path, page_of()):
        assert found.is_visible("#unkept")
        begin(found)
        found.click("#next")
        assert found.is_visible("#moves")


def test_own_dice_cards_and_dice_of_the_phone(page: Page) -> None:
    page.click("#part-luck > summary")
    page.click("#luck button[value='own']")
    page.click("#level-pad button[value='6']")
    page.click("#next")
    page.click("#first-pad button[value='4']")
    page.click("#second-pad button[value='3']")
    page.click("#override")
    page.click("#first-pad button[value='2']")
    assert [event.get("die") for event in events(page)] == [6, 3, 2]
    page.click("#luck button[value='cards']")
    for _ in range(36):
        page.click("#next")
    cards = [event["card"] for event in events(page) if event.get("card")]
    assert sorted(cards) == list(range(1, 37)), "every card once"
    page.click("#luck button[value='dice']")
    page.click("#next")
    assert events(page)[-1]["by"] == "dice"
    page.click("#luck button[value='battle']")
    assert BOUND_COUNT < 38
    page.click("#next")
    strip = roll_bounds(SEED, pair_of().rules, 39)[-1]
    assert (events(page)[-1]["pips"], events(page)[-1]["die"]) == (strip.pips, strip.die)


def test_its_log_is_read_at_the_laptop(page: Page, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begin(page)
    page.click("#next")
    lose(page, "npg")
    page.click("#next")
    page.click("#part-log > summary")
    with page.expect_download() as found:
        page.click("#save")
    found.value.save_as(table / "aid.json")
    assert found.value.suggested_filename.startswith("table-aid-")
    assert run(["npg", "new", "gallic", "polybian-roman", "--seed", str(SEED), "--lang", "en"]) == 0
    assert run(["npg", "show", "battle.toml", "--from-aid", "aid.json", "--lang", "en"]) == 0
    assert "Bound 2" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["en", "es"])
def test_it_fits_a_phone_is_played_by_keys_alone_and_axe_finds_nothing(
    phone: BrowserContext, tmp_path: Path, language: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for found in opened(phone, tmp_path, page_of(language, npg="low-countries-late")):
        for _ in range(40):
            found.keyboard.press("Tab")
            assert found.evaluate("getComputedStyle(document.activeElement).outlineStyle") in ("solid", "auto")
            if found.evaluate("document.activeElement.id") == "level-throw":
                break
        found.keyboard.press("Enter")
        found.focus("#next")
        found.keyboard.press("Enter")
        found.focus("#moves summary")
        found.keyboard.press("Enter")
        assert found.is_visible("#moves p")
        for name in ("losses", "luck", "history", "log"):
            found.click(f"#part-{name} > summary")
        small = found.evaluate(
            """() => [...document.querySelectorAll('button, summary')]
            .filter(one => one.offsetParent).map(one => [one.id || one.textContent, one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""
        )
        assert small == []
        assert found.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        results = Axe().run(found)
        assert results.response["violations"] == []


if TYPE_CHECKING:
    from playwright.sync_api import Browser


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

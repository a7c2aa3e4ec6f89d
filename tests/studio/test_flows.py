"""The studio in a real browser: fields made and changed, hands held on two phones, pages that everybody can use."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import pytest
from desks import DRAWN, KEY, KEY_COOKIE, OWN, PHONE_HOST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

WIDE: Final = {"width": 1440, "height": 900}
TABLET: Final = {"width": 1024, "height": 768}
PHONE: Final = {"width": 360, "height": 740}

PAINTED: Final = (
    "each => each.decode().then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))"
)
"""Waits until a picture is on the screen."""

_PATIENCE: Final = 60_000.0
_OVER: Final = DRAWN.replace("[150, 470], [150, 550]", "[300, 470], [300, 550]")


def opened(window: Browser, size: dict[str, int], **more: Any) -> tuple[Page, list[str]]:
    """Return a page of a fresh browser, and what goes wrong on it."""
    context = window.new_context(viewport=size, **more)  # type: ignore[arg-type]
    context.add_cookies([KEY_COOKIE])
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    return page, wrong


def brought(page: Page, base: str, text: str = DRAWN) -> str:
    """Bring a field that takes no time to draw, and return its address."""
    page.goto(f"{base}/check")
    page.locator("details summary").last.click()
    page.fill("#record", text)
    page.get_by_role("button", name=re.compile("^(Check|Comprueba)$")).click()
    page.wait_for_url("**/check?field=*")
    return page.url.rpartition("=")[2]


def test_a_browser_opens_the_studio_with_the_key_once(window: Browser, base: str) -> None:
    context = window.new_context()
    page = context.new_page()
    page.goto(f"{base}/check")
    assert page.locator("h1").inner_text() == "This page needs a key"
    page.goto(f"{base}/check?key={KEY}")
    assert page.url == f"{base}/check"
    assert context.new_page().goto(f"{base}/hands").status == 200  # type: ignore[union-attr]
    context.close()


def test_a_field_is_made_by_the_button_and_by_the_space_key(window: Browser, base: str) -> None:
    page, wrong = opened(window, WIDE)
    field = brought(page, base)
    page.goto(f"{base}/field/{field}?rules=dba3")
    page.locator("#new").click()
    page.wait_for_url(lambda url: field not in url and "/field/" in url)
    first = page.url
    assert page.locator(".drawing").evaluate("each => each.decode().then(() => each.naturalWidth > 0)")
    page.keyboard.press("Space")
    page.wait_for_url(lambda url: url != first and "/field/" in url)
    page.get_by_text("All settings of these rules").click()
    page.locator("#s-home").select_option("dry")
    second = page.url
    page.locator("#new").click()
    page.wait_for_url(lambda url: url != second and "/field/" in url)
    assert page.locator("#s-home").input_value() == "dry"
    page.get_by_label("numbers").uncheck()
    page.wait_for_selector("svg.drawing")
    assert page.locator('svg.drawing [data-layer="number"]').first.get_attribute("display") in ("none", None)
    page.locator(".map").focus()
    for key in ("+", "ArrowLeft", "-", "0"):
        page.keyboard.press(key)
    assert wrong == []


def test_a_click_marks_a_feature_in_the_map_and_in_the_key(window: Browser, base: str) -> None:
    page, wrong = opened(window, WIDE)
    page.goto(f"{base}/field/{brought(page, base)}")
    page.locator('path[data-f="w"]').click()
    assert page.locator('button[data-f="w"]').get_attribute("aria-expanded") == "true"
    assert page.locator("#w-w").is_visible()
    page.locator('path[data-f="w"]').focus()
    page.keyboard.press("Enter")
    page.locator('button[data-f="w"]').click()
    assert page.locator('button[data-f="w"]').get_attribute("aria-expanded") == "false"
    assert wrong == []


def test_a_die_of_ones_own_is_laid_over(window: Browser, base: str) -> None:
    page, wrong = opened(window, WIDE)
    page.goto(f"{base}/field?rules=dba3")
    page.get_by_text("Choose the seed").click()
    page.fill("#s-seed", "2")
    page.locator("#new").click()
    page.wait_for_url("**/field/*")
    page.get_by_role("link", name="Dice").first.click()
    die = page.locator("details.throw:has(.lay-over .mini)").first
    die.locator("summary").click()
    before = page.url
    die.locator('button[aria-pressed="false"]').first.click()
    page.wait_for_url(lambda url: url != before and "#t" in url)
    assert page.locator("#told").is_visible()
    changed = page.url.partition("#")[0]
    page.keyboard.press("Control+z")
    page.wait_for_url(lambda url: url.startswith(f"{before.partition('#')[0]}?undone="))
    assert "changed from" in page.locator("#undone").inner_text()
    page.keyboard.press("Control+Shift+z")
    page.wait_for_url(changed)
    assert wrong == []


def test_a_wood_is_dragged_until_a_clause_breaks_and_put_back(window: Browser, base: str) -> None:
    page, wrong = opened(window, WIDE)
    field = brought(page, base)
    page.goto(f"{base}/field/{field}/hand")
    broken = int(page.locator(".vd b").nth(1).inner_text())
    lies = page.locator('path[data-f="w"]').bounding_box()
    assert lies is not None
    x, y = lies["x"] + lies["width"] / 2, lies["y"] + lies["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 10)
    page.mouse.move(x + 140, y + 20)
    page.mouse.up()
    page.wait_for_url(lambda url: field not in url)
    page.locator("#marks .was").wait_for(state="attached")
    page.locator("#marks .breach").first.wait_for(state="attached")
    assert int(page.locator(".vd b").nth(1).inner_text()) > broken
    page.locator('button[value="back"]').first.click()
    page.wait_for_url(f"**/field/{field}/hand")
    page.locator('path[data-f="w"]').focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: field not in url)
    assert wrong == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_finished_print_opens_and_is_printed_again_in_another_paper(
    size: dict[str, int], window: Browser, base: str
) -> None:
    page, wrong = opened(window, size)
    page.goto(f"{base}/field/{brought(page, base)}/print")
    page.locator('button[value="map"]').first.click()
    for paper in ("A4", "Letter"):
        button = page.locator(".lead-btn")
        button.get_by_text(f"13 sheets of {paper}").wait_for()
        with page.expect_popup() as shown:
            button.click()
        answer = page.request.get(f"{base}{button.get_attribute('href')}")
        assert answer.body().startswith(b"%PDF")
        shown.value.close()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        page.get_by_text("Letter", exact=True).click()
    assert wrong == []


def test_a_map_says_that_it_is_being_drawn_and_why_it_could_not_be(window: Browser, base: str) -> None:
    page, _ = opened(window, WIDE)
    address = f"{base}/field/{brought(page, base)}?style=painted"
    page.route("**/*.svg*", lambda _route: None)
    page.goto(address, wait_until="domcontentloaded")
    page.get_by_role("status").get_by_text("Drawing ...").wait_for()
    assert page.locator(".map").get_attribute("aria-busy") == "true"
    page.unroute("**/*.svg*")
    body = '<p class="complaint"><b>Not possible:</b> no paint</p>'
    page.route("**/*.svg*", lambda route: route.fulfill(status=404, content_type="text/html", body=body))
    page.goto(address)
    page.get_by_text("This battlefield could not be drawn: no paint.").wait_for()
    page.unroute("**/*.svg*")
    page.goto(address)
    page.locator('.map[aria-busy="false"]').wait_for()
    assert page.locator(".progress").text_content() == ""


def test_everything_goes_without_scripts(window: Browser, base: str) -> None:
    page, _ = opened(window, WIDE, java_script_enabled=False)
    field = brought(page, base, _OVER)
    page.goto(f"{base}/field/{field}")
    assert page.locator(".drawing").is_visible()
    assert page.locator("#w-w").is_visible()
    page.goto(f"{base}/field/{field}/hand")
    page.locator('#h-w button[value="left"]').click()
    page.wait_for_url(lambda url: field not in url)
    page.goto(f"{base}/field/{field}/print")
    page.locator('button[value="record"]').click()
    page.wait_for_url("**/job/*")
    assert page.locator("h2").inner_text()


def let_in(host: Page) -> list[str]:
    """Let phones in on the page of a sealed game, and return the links of both players."""
    host.locator('.switch[value="1"]').click()
    host.get_by_role("switch", checked=True).wait_for()
    return [each.text_content() or "" for each in host.locator(".seat code").all()]


def test_two_phones_play_a_sealed_game_and_neither_hears_of_the_others_cards(window: Browser, base: str) -> None:
    host, wrong = opened(window, WIDE)
    host.goto(f"{base}/hands")
    host.get_by_role("button", name="Deal a game").click()
    host.wait_for_url("**/hands/*")
    assert host.locator(".qr, .seat code").count() == 0, "no code while phones are out"
    links = let_in(host)
    assert all(link.startswith(f"http://{PHONE_HOST}:") for link in links)
    phones: dict[str, Page] = {}
    heard: dict[str, list[Any]] = {"A": [], "B": []}
    for player, link in zip("AB", links, strict=True):
        phones[player], faults = opened(window, PHONE)
        phones[player].on("response", lambda answer, kept=heard[player]: kept.append(answer))
        phones[player].goto(link)
        wrong += faults
    hands = {player: phones[player].locator(".pip").all_inner_texts() for player in "AB"}
    words = {player: phones[player].locator(".playing i").all_inner_texts() for player in "AB"}
    assert [len(hand) for hand in hands.values()] == [4, 4]
    first = "A" if "your turn" in phones["A"].locator("[role=status]").inner_text() else "B"
    order = (first, "B" if first == "A" else "A")
    texts: dict[str, list[str]] = {"A": [], "B": []}
    for turn in range(8):
        phone = phones[order[turn % 2]]
        phone.get_by_text("your turn").wait_for()
        for player in "AB":
            texts[player].append(phones[player].content())
        phone.locator(".hand input:not([disabled])").first.check(force=True)
        phone.locator(".zone input").first.check(force=True)
        phone.locator("#lay button.big").click()
        phone.get_by_text(re.compile("other player|all eight")).wait_for()
    host.get_by_text("all eight are placed").wait_for()
    for player, other in ("AB", "BA"):
        assert heard[player]
        assert all(answer.url.startswith(links[0].partition("/p/")[0]) for answer in heard[player])
        ways = {answer.url for answer in heard[player] if "/p/" in answer.url}
        assert not any(links[ord(other) - ord("A")] in way for way in ways)
        theirs = {tuple(card.split("\n")) for card in hands[other]} - {
            tuple(card.split("\n")) for card in hands[player]
        }
        for text, (rank, suit) in product(texts[player], theirs):
            assert f'class="pip">{rank}<br>{suit}' not in text
        assert words[player]
    # The browser of player B chooses the number; the pages keep the codes, and prove the game with them at the end.
    number = phones["B"].locator("#n-n")
    assert re.fullmatch(r"[1-9]\d{5,11}", number.input_value())
    phones["B"].get_by_role("button", name="Send my number").click()
    phones["A"].locator("[data-number]").wait_for()
    assert phones["A"].locator("#number").count() == 0
    host.get_by_role("button", name="Reveal all cards").click()
    host.wait_for_url("**/field/*")
    phones["A"].locator("img.revealed").wait_for()
    phones["B"].get_by_role("button", name="Prove it").click()
    phones["B"].get_by_text("All is proven: the game was played as sealed.").wait_for()
    phones["B"].evaluate("localStorage.setItem(localStorage.key(0), JSON.stringify({8: '000000000000'}))")
    phones["B"].goto(links[1])
    phones["B"].get_by_text("A code has changed").wait_for()
    assert wrong == []
    host.go_back()
    host.get_by_role("switch").click()
    host.get_by_text("Off. Nothing outside").wait_for()
    with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
        phones["A"].goto(links[0])


PAGES: Final = ("", "/throws", "/hand", "/print", "/evening")
OTHERS: Final = ("/", "/check", "/hands", "/battle", "/printer")


@pytest.fixture(scope="module")
def printed(window: Browser, base: str) -> list[str]:
    """Return the pages of finished prints of several kinds."""
    page, _ = opened(window, WIDE)
    field = brought(page, base)
    ways = []
    for kind in ("map", "evening", "hexon", "format:uvtt", "calibrate"):
        form = {"what": "sheet"} if kind == "calibrate" else {"kind": kind}
        path = "/printer" if kind == "calibrate" else f"/field/{field}/job"
        answer = page.request.post(f"{base}{path}", form=form, headers=OWN, max_redirects=0)
        page.goto(base + answer.headers["location"])
        page.locator(".lead-btn").wait_for()
        ways.append(answer.headers["location"])
    return ways


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["desk", "tablet", "phone"])
def test_every_page_can_be_used_by_everybody(
    window: Browser, base: str, printed: list[str], size: dict[str, int], lang: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not here").Axe()
    page, wrong = opened(window, size)
    field = brought(page, base, _OVER)
    found = {}
    for way in (*(f"/field/{field}{part}" for part in PAGES), *OTHERS, *printed, f"/check?field={field}"):
        page.goto(f"{base}{way}{'&' if '?' in way else '?'}lang={lang}")
        page.wait_for_load_state("networkidle")
        report = axe.run(page)
        if report.violations_count:
            found[way] = report.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], way
    assert found == {}
    assert wrong == []


@pytest.fixture(scope="module")
def seats(window: Browser, base: str) -> list[str]:
    """Return the pages of a battle with two bounds, its table aid, a sealed game's host and one of its players."""
    page, _ = opened(window, WIDE)
    page.goto(f"{base}/battle")
    page.locator("button.big").click()
    page.wait_for_url("**/battle/*")
    battle = page.url
    for told in ("terrain", "edge", "deploy", "bound", "bound"):
        big = page.locator("button.big")
        if told == "edge" and "His base edge" not in page.locator("main").inner_text():
            continue
        before = big.inner_text()
        big.click()
        page.wait_for_function(
            "before => { const big = document.querySelector('button.big'); return big && big.innerText !== before; }",
            arg=before,
        )
    aid = page.get_by_role("link", name="The table aid").get_attribute("href") or ""
    page.goto(f"{base}/hands")
    page.get_by_role("button", name="Deal a game").click()
    page.wait_for_url("**/hands/*")
    return [battle, f"{battle}?attacker=Wb&defender=Bd", base + aid, page.url, let_in(page)[0]]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["desk", "tablet", "phone"])
def test_what_lies_at_the_board_can_be_used_by_everybody(
    window: Browser, seats: list[str], size: dict[str, int], lang: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not here").Axe()
    found = {}
    for way in seats:
        # The table aid forbids the browser to run what is not its own, as axe is.
        page, wrong = opened(window, size, bypass_csp="/aid/" in way)
        page.goto(f"{way}{'&' if '?' in way else '?'}lang={lang}")
        page.locator("h1").first.wait_for()
        report = axe.run(page)
        if report.violations_count:
            found[way] = report.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], way
        assert wrong == []
        page.context.close()
    assert found == {}


def test_losses_are_counted_by_buttons_and_a_card_is_picked(window: Browser, base: str, seats: list[str]) -> None:
    page, wrong = opened(window, WIDE)
    page.goto(seats[0])
    page.locator('[data-of="lost-you"][data-step="1"]').click()
    page.locator('[data-of="lost-you"][data-step="-1"]').click()
    page.locator('[data-of="lost-you"][data-step="-1"]').click()
    assert page.locator("#lost-you").input_value() == "0"
    page.goto(f"{base}/field?rules=brantley")
    page.get_by_text("Choose the seed").click()
    page.fill("#s-seed", "2")
    page.locator("#new").click()
    page.wait_for_url("**/field/*")
    page.get_by_role("link", name="Dice").first.click()
    throw = page.locator("details.throw:has([data-picks])").first
    throw.locator("summary").first.click()
    text = throw.locator('input[name="answer"]')
    before = text.input_value().split()
    throw.locator('[data-slot="1"]').click()
    throw.locator(f'[data-card="{before[3]}"]').click()
    after = text.input_value().split()
    assert (after[1], after[3]) == (before[3], before[1])
    assert sorted(after) == sorted(before)
    throw.get_by_role("button", name="Use it", exact=True).click()
    page.locator("#told").wait_for()
    assert wrong == []


CLOCK: Final = """addEventListener("click", () => sessionStorage.setItem("clicked", Date.now()), true);
addEventListener("DOMContentLoaded", async () => {
  const drawing = document.querySelector("img.drawing");
  if (!drawing) return;
  await drawing.decode();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.painted = Date.now() - Number(sessionStorage.getItem("clicked"));
  }));
});"""
"""Tells a page how many milliseconds after the last click its drawing was on the screen."""

TOLD: Final = """() => new Promise(done => {
  const ask = () => window.painted > 0 ? done(window.painted) : setTimeout(ask, 10);
  ask();
})"""

_SEEDS: Final = range(101, 108)


@pytest.mark.parametrize("rules", ["brantley", "dba3", "portable-2", "acw"])
def test_from_click_to_painted_is_told(
    window: Browser, base: str, rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, wrong = opened(window, WIDE)
    page.add_init_script(CLOCK)
    page.goto(f"{base}/field?rules={rules}")
    ratios, took = [], []
    for seed in map(str, _SEEDS):
        page.evaluate("for (const fold of document.querySelectorAll('#settings, #settings details')) fold.open = true")
        page.fill("#s-seed", seed)
        page.locator("#new").click()
        page.get_by_text(f"seed {seed}", exact=True).first.wait_for()
        took.append(float(page.evaluate(TOLD)))
        began = perf_counter()
        options = ["map", "--rules", rules, "--seed", seed, "--scale", "fit", "--to", "svg", "--out", str(tmp_path)]
        command = [sys.executable, "-m", "printkit", *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ratios.append(took[-1] / 1000 / (perf_counter() - began))
    with capsys.disabled():
        middle, most = sorted(ratios)[len(ratios) // 2], max(ratios)
        print(
            f"\nfrom click to painted, {rules}: {sorted(took)[len(took) // 2]:.0f} ms, of the command line's time for "
            f"the same field {middle:.2f} in the middle and {most:.2f} at most, of {len(ratios)}"
        )
    assert wrong == []


FRAMES = """() => new Promise(done => {
  const told = []; let last = performance.now();
  const next = now => {
    told.push(now - last);
    last = now;
    if (told.length < 90) requestAnimationFrame(next); else done(told);
  };
  requestAnimationFrame(next);
})"""
"""How many milliseconds each of the next frames took."""


def test_frames_while_the_map_is_zoomed_and_moved_are_told(
    window: Browser, base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page, wrong = opened(window, WIDE)
    page.goto(f"{base}/field/{brought(page, base)}")
    page.locator(".drawing").evaluate(PAINTED)
    box = page.locator(".map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.evaluate(f"window.told = ({FRAMES})()")
    page.mouse.move(x, y)
    for _ in range(5):
        page.mouse.wheel(0, -120)
    page.mouse.down()
    for step in range(40):
        page.mouse.move(x + 3 * step, y - 2 * step)
    page.mouse.up()
    told = sorted(page.evaluate("window.told"))
    with capsys.disabled():
        often, longest = told[int(0.95 * len(told))], told[-1]
        print(f"\nframes while the map is zoomed and moved: {often:.0f} ms for 95 of 100, {longest:.0f} ms at most")
    assert wrong == []


def test_focus_can_be_seen_wherever_the_tab_key_leads(window: Browser, base: str) -> None:
    page, _ = opened(window, WIDE)
    page.goto(f"{base}/field/{brought(page, base)}")
    page.locator("body").press("Tab")
    stops = 0
    for _ in range(40):
        seen = page.evaluate(
            "() => { const at = document.activeElement; if (at === document.body) return null;"
            " const shown = at.matches('.seg input') ? at.nextElementSibling : at;"
            " const look = getComputedStyle(shown);"
            " return look.outlineStyle !== 'none' || look.strokeWidth === '5px'; }"
        )
        if seen is None:
            break
        assert seen, page.evaluate("document.activeElement.outerHTML").split(">")[0]
        stops += 1
        page.keyboard.press("Tab")
    assert stops > 20


REACHED: Final = """() => {
  const shown = each => each.checkVisibility({checkVisibilityCSS: true, checkOpacity: false}) && !each.disabled;
  const names = new Set();
  const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  for (const each of document.querySelectorAll(all)) {
    if (!shown(each) || each.closest("[inert]")) continue;
    // Of radio buttons with one name the tab key stops at one.
    each.dataset.stop ||= each.type === "radio" ? "radio " + each.name : String(names.size) + each.tagName;
    names.add(each.dataset.stop);
  }
  return [...names];
}"""
"""Marks whatever a person may use on a page, and returns the marks."""

_STOPS: Final = 900


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_the_tab_key_leads_to_whatever_can_be_used(
    window: Browser, base: str, seats: list[str], size: dict[str, int]
) -> None:
    page, _ = opened(window, size)
    field = brought(page, base)
    lost = {}
    for way in (*(f"{base}/field/{field}{part}" for part in PAGES), *(base + each for each in OTHERS), *seats):
        page.goto(way)
        page.wait_for_load_state("domcontentloaded")
        wanted = set(page.evaluate(REACHED))
        page.locator("body").press("Tab")
        for _ in range(_STOPS):
            at = page.evaluate("document.activeElement.dataset.stop || ''")
            if at in wanted:
                wanted.discard(at)
            if not wanted or page.evaluate("document.activeElement === document.body"):
                break
            page.keyboard.press("Tab")
        if wanted:
            lost[way] = sorted(wanted)
    assert lost == {}


def pressed(page: Page, selector: str, key: str = "Enter") -> None:
    """Go to something by the tab key alone, and press a key there."""
    page.locator("body").press("Tab")
    for _ in range(_STOPS):
        if page.evaluate("what => document.activeElement.matches(what)", selector):
            page.keyboard.press(key)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not lead to {selector}")


def test_a_field_is_made_judged_moved_and_played_by_the_keyboard_alone(window: Browser, base: str) -> None:
    page, wrong = opened(window, WIDE)
    field = brought(page, base)
    page.goto(f"{base}/field/{field}/hand")
    pressed(page, 'path[data-f="w"]', "ArrowRight")
    page.wait_for_url(lambda url: field not in url)
    page.goto(f"{base}/field/{field}?rules=dba3")
    pressed(page, "#new")
    page.wait_for_url(lambda url: field not in url and "/field/" in url)
    page.goto(f"{base}/battle")
    pressed(page, "button.big")
    page.wait_for_url("**/battle/*")
    pressed(page, "button.big")
    page.wait_for_function(
        "() => document.body.innerText.includes('Deploy him') || document.body.innerText.includes('base edge')"
    )
    page.goto(f"{base}/hands")
    pressed(page, "main button.big, main form button")
    page.wait_for_url("**/hands/*")
    assert wrong == []


def test_a_page_weighs_little_beside_its_map(window: Browser, base: str, seats: list[str]) -> None:
    page, _ = opened(window, WIDE)
    field = brought(page, base)
    told = {}
    for way in (*(f"{base}/field/{field}{part}" for part in PAGES), *(base + each for each in OTHERS), seats[0]):
        fresh, _ = opened(window, WIDE)
        heard: list[Any] = []
        fresh.on("requestfinished", lambda request, heard=heard: heard.append(request))
        fresh.goto(way)
        fresh.wait_for_load_state("networkidle")
        told[way] = sum(
            each.sizes()["responseBodySize"]
            for each in heard
            if each.resource_type in ("document", "stylesheet", "script", "font")
        )
        fresh.context.close()
    assert max(told.values()) <= 250_000, told


def test_a_foreign_page_sends_nothing(window: Browser, base: str) -> None:
    page, _ = opened(window, WIDE)
    page.route("http://other.test/", lambda route: route.fulfill(body="<h1>other</h1>", content_type="text/html"))
    page.goto("http://other.test/")
    status = page.evaluate(
        "way => fetch(way, {method: 'POST', mode: 'no-cors', body: new URLSearchParams({rules: 'dba3'})})"
        ".then(answer => answer.type, () => 'refused')",
        f"{base}/field",
    )
    assert status in ("opaque", "refused")
    answer = page.request.post(f"{base}/field", headers={**OWN, "Origin": "http://other.test"}, form={"rules": "dba3"})
    assert answer.status == 403

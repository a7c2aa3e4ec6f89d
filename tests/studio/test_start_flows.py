"""The start page in a real browser: from a picture to a print job, without scripts and by the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from desks import KEY_COOKIE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SIZES: Final = ({"width": 1280, "height": 800}, {"width": 390, "height": 844})
_PATIENCE: Final = 120_000.0
_BIG: Final = "button.big"
_PRINTS: Final = ("button.lead-btn",)
# What is clicked after each picture; one more click opens the PDF.
CLICKS: Final = {"dba": _PRINTS, "hexon": _PRINTS, "acw": _PRINTS, "deal": (), "alone": (_BIG,), "club": (_BIG,)}


def opened(window: Browser, size: dict[str, int], *, scripts: bool = True) -> Page:
    """Return a page of a fresh browser."""
    context = window.new_context(viewport=size, java_script_enabled=scripts)  # type: ignore[arg-type]
    context.add_cookies([KEY_COOKIE])
    page = context.new_page()
    page.set_default_timeout(_PATIENCE)
    return page


@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
@pytest.mark.parametrize("role", ["dba", "hexon", "acw"])
def test_two_clicks_without_scripts_lead_from_a_picture_to_a_print_job(
    window: Browser, base: str, role: str, size: dict[str, int]
) -> None:
    page = opened(window, size, scripts=False)
    page.goto(base)
    page.locator(f'button[value="{role}"]').click()
    page.wait_for_url("**/field/*")
    page.locator("button.lead-btn").click()
    page.wait_for_url("**/job/*")
    assert page.locator("h2").first.inner_text()


@pytest.mark.parametrize("size", SIZES, ids=["desk", "phone"])
@pytest.mark.parametrize(("role", "clicks"), CLICKS.items(), ids=CLICKS)
def test_a_picture_leads_to_the_open_pdf_or_to_the_game(
    window: Browser, base: str, role: str, clicks: tuple[str, ...], size: dict[str, int]
) -> None:
    page = opened(window, size)
    page.goto(base)
    page.locator(f'button[value="{role}"]').click()
    if role == "club":
        page.locator("#c-name").fill(f"Club {size['width']}")
        page.locator("#c-players").fill("Ann\nBob")
    for click in clicks:
        page.locator(click).click()
    if role != "alone":
        address = page.locator("a.lead-btn, a[href$='.pdf']").first.get_attribute("href")
        assert page.request.get(f"{base}{address}").body().startswith(b"%PDF")
    assert page.locator("h1").first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_preferences_are_saved_at_once_and_without_scripts_by_a_button(window: Browser, base: str) -> None:
    page = opened(window, SIZES[0])
    page.goto(base)
    page.get_by_text("Large print").click()
    page.wait_for_selector("html.large")
    plain = opened(window, SIZES[1], scripts=False)
    plain.goto(base)
    plain.get_by_text("Normal").click()
    plain.get_by_role("button", name="Save").click()
    assert plain.locator("html").get_attribute("class") in (None, "")


def test_a_wish_is_granted_by_the_keyboard_alone_and_undone(window: Browser, base: str) -> None:
    page = opened(window, SIZES[0])
    page.goto(base)
    page.locator('button[value="dba"]').press("Enter")
    page.wait_for_url("**/field/*")
    first = page.url
    page.locator('button[value="river"]').press("Enter")
    page.wait_for_url(lambda url: url != first)
    assert "Best of 12: " in page.locator("[role=status]").first.inner_text()
    page.keyboard.press("Control+z")
    page.wait_for_url(f"{first}?undone=*")

"""A real Chromium, where there is one: the system's own, which nothing is fetched for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Launch the browser; where there is none, or nothing that drives it, the tests are skipped and say so."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not here: make test-studio sets it up")
    place = next(filter(None, map(shutil.which, _NAMES)), None)
    if place is None:
        pytest.skip(f"none of {', '.join(_NAMES)} is here; install one to drive pages in it")
    # Chromium refuses its sandbox to the administrator of a machine, as most containers run.
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    # Containers often have less shared memory than a page takes.
    alone.append("--disable-dev-shm-usage")
    with driver.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=place, args=alone)
        try:
            yield browser
        finally:
            browser.close()


if __name__ == "__main__":
    with chromium() as opened:
        opened.new_page().goto("data:text/html,<p>here</p>")

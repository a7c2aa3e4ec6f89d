"""A browser, and a studio with an output folder of its own, for each file of tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browser import chromium
from desks import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    """Return a real browser; without one the tests are skipped."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a running studio."""
    with served(tmp_path_factory.mktemp("studio")) as address:
        yield address

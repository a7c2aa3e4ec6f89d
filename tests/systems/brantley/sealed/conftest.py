"""What tests of sealed games share."""

from __future__ import annotations

import pytest
from laid_once import boards_laid_once


@pytest.fixture(autouse=True)
def _each_board_is_laid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boards_laid_once(monkeypatch)

"""What tests of the Civil War tables share."""

from __future__ import annotations

import pytest

from printkit.systems.acw import system
from printkit.systems.acw.ground.ground import PlacedFeatures


@pytest.fixture
def joined_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay no ground, for dice and networks are looked at alone."""
    monkeypatch.setattr(system, "lay", lambda *_, **__: PlacedFeatures(features=()))

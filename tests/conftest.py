"""What all tests share: drawings kept as text in ``tests/golden``, and the option that writes them anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from printkit.drawing.items import Drawing, dump

_GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew; read the diff afterwards")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Drawing, str], None]:
    """Return a function that compares a drawing with the text kept under a name."""

    def compare(drawing: Drawing, name: str) -> None:
        kept = _GOLDEN / f"{name}.txt"
        said = dump(drawing)
        if request.config.getoption("--update-golden"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(said, encoding="utf-8")
        assert kept.is_file(), f"{kept} is not there; run pytest --update-golden"
        assert said == kept.read_text(encoding="utf-8")

    return compare

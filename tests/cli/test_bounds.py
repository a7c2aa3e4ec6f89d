"""Every number that an option takes has bounds, and both sides of each are tried."""

from __future__ import annotations

from typing import Final

import pytest

from printkit.cli.app import all_commands, run
from printkit.console.parameters import MOST, Parameter, parameters
from printkit.console.parser import options_of
from printkit.core.errors import UsageError


def _numbers() -> dict[str, Parameter]:
    """Return every option and argument that takes a whole number, by command and flag."""
    found = {}
    for name, command in all_commands().items():
        for each in parameters(options_of(command)) if command.call else ():
            if each.kind is int:
                found[f"{name} {each.told.flags or each.told.metavar}"] = each
    return found


NUMBERS: Final = _numbers()


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_has_bounds_of_both_sides(name: str) -> None:
    each = NUMBERS[name]
    bounds = {side: getattr(each.told, side) for side in ("least", "most")}
    assert each.value(str(bounds["most"])) == bounds["most"]
    with pytest.raises(UsageError, match="is more than"):
        each.value(str(bounds["most"] + 1))
    if bounds["least"] is not None:
        assert each.value(str(bounds["least"])) == bounds["least"]
        with pytest.raises(UsageError, match="is less than"):
            each.value(str(bounds["least"] - 1))


def test_a_count_goes_to_a_hundred_thousand_and_not_to_thousands_of_digits() -> None:
    assert {"map --count", "map --jobs", "cards --count", "cards --copies", "league new --games"} <= NUMBERS.keys()
    assert NUMBERS["map --count"].told.most == MOST == 100_000
    with pytest.raises(UsageError, match="is more than"):
        NUMBERS["map --count"].value("9" * 5000)


@pytest.mark.parametrize(
    "words",
    [
        ("cards", "blank", "--count", "100000", "--plan"),
        ("cards", "blank", "--count", "100000", "--to", "png", "--plan"),
        ("map", "--seed", "1", "--board", "240in", "--sheet", "100x100mm", "--margin", "5mm", "--plan"),
    ],
)
def test_more_than_2000_pages_are_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--lang", "en"]) != 0
    assert "2,000" in capsys.readouterr().err

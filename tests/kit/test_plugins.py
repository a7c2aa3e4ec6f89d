"""What rule systems say of themselves: every text names something that is there, and two do not claim one name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from printkit.kit import registry
from printkit.kit.plugin import load

TABLES = ("faces", "backs", "diagrams", "painters")


def texts_of(name: str) -> Iterator[str]:
    """Yield every text ``module:name`` of a rule system."""
    plugin = registry.plugin(name)
    for field in plugin.__struct_fields__:
        value = getattr(plugin, field)
        if field in TABLES:
            yield from value.values()
        elif field != "name" and value:
            yield value


@pytest.mark.parametrize("name", registry.NAMES)
def test_every_text_names_something_that_is_there(name: str) -> None:
    assert registry.plugin(name).name == name
    assert registry.find(name).name == name
    for text in texts_of(name):
        assert load(text) is not None


@pytest.mark.parametrize("table", TABLES)
def test_no_name_is_claimed_twice(table: str) -> None:
    claimed = Counter(key for name in registry.NAMES for key in getattr(registry.plugin(name), table))
    assert {key for key, count in claimed.items() if count > 1} == set()


def test_what_a_system_does_not_add_is_none() -> None:
    assert registry.added("dba3", "umpire_pages") is None
    assert registry.added("no such system", "overlays") is None


def test_a_text_that_names_nothing_is_told() -> None:
    with pytest.raises(ImportError):
        load("printkit.systems.nowhere:PLUGIN")
    with pytest.raises(AttributeError):
        load("printkit.systems.acw.plugin:NOTHING")

"""Names of the home: desert and steppe have names of their own, where a person asks for none."""

import pytest

from printkit.api import generate
from printkit.core.words import find_words as find_words
from printkit.kit.registry import find
from printkit.recipes.game.games import setup_from_record
from printkit.recipes.game.request import log_text
from printkit.recipes.prints.file_names import battlefield_name
from printkit.terrain.field.names import load_name_book

_NAMES = "names"


@pytest.mark.parametrize("rules", ["dba3", "solo-dba", "collision-course"])
@pytest.mark.parametrize(("home", "period"), [("dry", "desert"), ("steppe", "steppe"), ("hilly", "ancient")])
def test_the_names_on_a_field_are_those_of_its_home(rules, home, period):
    record = generate(rules, seed=5, home=home).record
    assert record.settings[_NAMES] == period
    assert any(feature.name for feature in record.battlefield.features)
    assert period in load_name_book("es").periods
    assert "names" not in log_text(record)
    assert "names" not in battlefield_name(record)


def test_what_a_person_asks_for_outweighs_the_home() -> None:
    record = generate("dba3", seed=5, home="dry", names="ancient").record
    assert record.settings[_NAMES] == "ancient"
    assert f"{_NAMES} ancient" in log_text(record)
    assert setup_from_record(find("dba3"), record, find_words("en")).orders.names == "ancient"
    # Names that nobody asked for are those of whichever home comes of other dice.
    unasked = generate("dba3", seed=5, home="steppe").record
    assert not setup_from_record(find("dba3"), unasked, find_words("en")).orders.names

"""Places of the campaign lie whatever has to give way, roads go through them, and the map bears their names."""

from __future__ import annotations

import pytest
from seeded_tables import broken_of, seeded
from tables_by_hand import grid_of

from printkit.core.words import find as language
from printkit.kit.registry import find
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.systems.acw.terms.inputs import Inputs
from printkit.terrain.field.features import Kind


@pytest.mark.clause("AC-302", "AC-G06", "AC-N16")
@pytest.mark.parametrize(
    ("seed", "geography", "zone"),
    [(117, "mountains", 6), (128, "hilly", 5), (137, "riverside", 2), (202, "mountains", 1), (219, "hilly", 6)],
)
def test_a_town_of_the_campaign_is_never_left_out(seed, geography, zone):
    found = seeded(seed, inputs={"campaign": [f"town Gettysburg in {zone}"]}, geography=geography)
    (town,) = found.battlefield.of(Kind.TOWN)
    assert (town.name, town.origin.zone) == ("Gettysburg", zone)
    assert broken_of(found) == {}


@pytest.mark.clause("AC-301", "AC-302", "AC-F35", "AC-F36")
@pytest.mark.parametrize(("kind", "clause"), [(Kind.TOWN, "AC-F35"), (Kind.FORT, "AC-F36")])
def test_a_place_of_the_campaign_that_was_taken_out_breaks_its_clauses(kind: Kind, clause: str) -> None:
    places = {"campaign": ["town Gettysburg in 2", "fort Stevens in 6"]}
    broken = broken_of(seeded(63, inputs=places, geography="farm"), without=kind)
    assert {"AC-301", "AC-302", clause} <= set(broken)
    assert "does not lie there" in broken[clause]


@pytest.mark.clause("AC-301")
@pytest.mark.parametrize(
    ("line", "name"),
    [("fort Stevens in 2", "Fort Stevens"), ("fort Fort Sumter in 2", "Fort Sumter"), ("fort in 2", "")],
)
def test_a_fort_is_named_as_one(line, name):
    assert Inputs.read({"campaign": [line]}, grid_of()).places[2].name == name


@pytest.mark.clause("AC-301")
def test_the_title_names_the_town_that_the_campaign_marks():
    orders = Orders(rules="acw", board="48x24in", inputs={"campaign": ["town Gettysburg in 2"]})
    assert play(find("acw"), orders, 1, language("en")).record.battlefield.title == "The Field of Gettysburg"

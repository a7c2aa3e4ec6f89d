"""What the lay-out aid lists: each thing once, however many plots a field of the gridded generator is drawn in."""

from __future__ import annotations

from printkit.core.words import find as language
from printkit.kit.registry import find
from printkit.recipes.evening.layout_aid import things_of
from printkit.recipes.game.games import play
from printkit.recipes.game.request import ordered
from printkit.terrain.field.features import Area


def test_the_plots_of_one_field_are_one_thing_that_is_as_large_as_all() -> None:
    orders = ordered(rules="portable-2", settings=(), scenario=None, board=None, seed=None, dice=None)
    field = play(find("portable-2"), orders, 5, language("en")).record.battlefield
    areas = [feature for feature in field.features if isinstance(feature, Area)]
    listed = [feature for _, feature in things_of(field) if isinstance(feature, Area)]
    cells = [(each.kind, each.cells) for each in listed]
    assert len(cells) == len(set(cells)) < len(areas)
    assert set(cells) == {(each.kind, each.cells) for each in areas}
    whole = {(each.kind, each.cells): each.outline for each in listed}
    assert all(whole[each.kind, each.cells].buffer(0.1).contains(each.outline) for each in areas)

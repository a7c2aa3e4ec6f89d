"""The strip below a wide board: one row about one middle, and type that is read across the table."""

from __future__ import annotations

from itertools import pairwise

import pytest
from card_deck import said
from msgspec.structs import replace

import printkit
from printkit.core.words import find_words
from printkit.drawing.canvas import style
from printkit.drawing.canvas.items import Drawing, Font, Text
from printkit.drawing.dressing.countryside_types import DressingLevel, open_country
from printkit.drawing.furniture.key import FurnitureStrip, build_strip
from printkit.drawing.map.board_drawing import MapCaption, MapLayout
from printkit.drawing.text.drafter import Drafter
from printkit.kit.countryside import Countryside
from printkit.kit.registry import find as system
from printkit.options.printing import MapOptions
from printkit.recipes.prints.map_key import KeyKind, key_accounts
from printkit.recipes.prints.map_plan import plan_board
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.record import Record

ENGLISH = find_words("en")
X_HEIGHT = {Font.ITALIC: 0.414, Font.ROMAN: 0.405}
"""Of the small letters of these faces, in sizes."""

MM_PER_POINT = 25.4 / 72
GAMES = {"48x48in": ("brantley", 14, "48in", 1267.0), "72x48in": ("acw", 63, "72x48in", 1867.0)}


@pytest.fixture(scope="module", params=GAMES)
def case(request: pytest.FixtureRequest) -> tuple[Record, FurnitureStrip, float]:
    """Return a game, its strip without signs, and the width of it in mm."""
    name, seed, board, wide = GAMES[request.param]
    record = printkit.generate(name, seed=seed, board=board).record
    layout = MapLayout(
        field=record.battlefield,
        style=style.find("campaign"),
        words=ENGLISH,
        caption=MapCaption(title=record.battlefield.title, subtitle="being a Country"),
        accounts=key_accounts(record, system(name), ENGLISH, KeyKind.PLAIN),
        cover=open_country(record.battlefield, Countryside.AMERICAN, DressingLevel.LIGHT),
    )
    drafter = replace(Drafter.furniture(layout.style, ENGLISH), growth=layout.growth)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "printkit.drawing.furniture.legend.swatch_drawing",
            lambda _, each: Drawing(each.size(28), each.size(17), ()),
        )
        return record, build_strip(layout, drafter, wide), wide


def test_a_wide_strip_is_one_row_about_one_middle_well_filled_with_a_cartouche_of_its_share(
    case: tuple[Record, FurnitureStrip, float],
) -> None:
    _, row, wide = case
    key, legend, plate, rose, bars = row.parts
    assert "MAP KEY" in said(key.drawing)
    assert ["BOARD" in " ".join(said(part.drawing).split()) for part in row.parts] == [
        False,
        False,
        True,
        False,
        False,
    ]
    ends = [(part.x, part.x + part.drawing.width) for part in (key, legend, plate, bars)]
    assert ends[0][0] == pytest.approx(0.0)
    assert ends[-1][1] == pytest.approx(wide)
    assert min(right[0] - left[1] for left, right in pairwise(ends)) > 8
    middles = [part.y + part.drawing.height / 2 for part in (key, legend, plate)]
    assert max(middles) - min(middles) < 0.01
    assert (bars.y + rose.y + rose.drawing.height) / 2 == pytest.approx(middles[0])
    assert rose.y > bars.y + bars.drawing.height
    assert 0.16 <= plate.drawing.width / wide <= 0.30
    used = sum(part.drawing.width * part.drawing.height for part in row.parts)
    assert used >= 0.60 * wide * row.height


def test_names_are_read_across_the_table(case: tuple[Record, FurnitureStrip, float]) -> None:
    record, *_ = case
    order = map_context(MapOptions(style="ink-saver", dressing="none"), ENGLISH)
    labels = plan_board(record, order, 1.0, None).labels
    texts = [item for _, item in labels.items if isinstance(item, Text) and any(map(str.isalpha, item.content))]
    # Words at crossings and at ends of roads name nothing of the board: they may be smaller on a table of four feet.
    told = {ENGLISH(f"kind.{feature.kind}") for feature in record.battlefield.features if not feature.name}
    leads = ENGLISH("way.to", name="")
    is_large = record.battlefield.board.width > 1500
    names = [text for text in texts if is_large or not (text.content in told or text.content.startswith(leads))]
    assert names
    for name in names:
        assert name.size_pt * MM_PER_POINT * X_HEIGHT[name.font] >= 2.6, name


def test_a_key_too_long_for_the_row_stands_beneath_it(case: tuple[Record, FurnitureStrip, float]) -> None:
    record, row, wide = case
    layout = MapLayout(
        field=record.battlefield,
        style=style.find("campaign"),
        words=ENGLISH,
        caption=MapCaption(title=record.battlefield.title),
        accounts={
            feature.id: "It came about by many dice and more clauses. " * 20 for feature in record.battlefield.features
        },
    )
    drafter = replace(Drafter.furniture(layout.style, ENGLISH), growth=layout.growth)
    made = build_strip(layout, drafter, wide)
    assert made.parts[-1].drawing.width == wide
    assert made.parts[-1].y == pytest.approx(0.0)
    assert made.height > row.height

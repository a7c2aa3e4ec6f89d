"""The key: each feature once, in order, with its going and how it came about, in columns that hold it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from card_deck import said, texts
from msgspec.structs import replace
from shapely import box
from small_country import ACCOUNTS, country, furnishing, layout

from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing
from printkit.drawing.furniture.key import build_key_blocks, describe_feature, key_columns
from printkit.drawing.lettering.lettering import width
from printkit.drawing.map.board_drawing import MapLayout
from printkit.drawing.map.labels import numbered
from printkit.terrain.field.battlefield import Battlefield, Board, GroundScale
from printkit.terrain.field.features import Area, Going, Kind
from printkit.terrain.field.grids import grid_of


def keyed(field: Battlefield, accounts: Mapping[str, str]) -> MapLayout:
    """Return the layout of a battlefield with what its key says of each feature."""
    return replace(layout(field), accounts=accounts)


def spoken(drawing: Drawing) -> str:
    """Return the text column by column, rows from the top."""
    rows = sorted(texts(drawing), key=lambda text: (-round(text.at[1], 1), text.at[0]))
    return " ".join(" ".join(text.content for text in rows).split())


@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_every_feature_has_its_number_kind_and_going(scale: float) -> None:
    (block,) = build_key_blocks(keyed(country(named=False), ACCOUNTS), furnishing(layout(), scale), 180, columns=1)
    told = spoken(block)
    for number, feature in numbered(country()):
        assert f"{number} " in told
        assert describe_feature(feature, find_words("en"), named=False) in told
    assert "Lake: impassable" in told
    assert "River Road" not in told


def test_the_strips_of_a_field_on_cells_are_told_once() -> None:
    going = Going(0, "good")
    strips = [
        Area(id=name, kind=Kind.ORCHARD, outline=box(10, at, 40, at + 8), going=going, cells=((1, 1),))
        for name, at in (("field-1", 10), ("field-1-2", 20), ("field-1-3", 30))
    ]
    other = replace(strips[0], id="field-2", cells=((2, 1),))
    board = Board(300, 300, GroundScale(pace=0.25, base_width=40))
    field = Battlefield(board=board, features=(*strips, other), grid=grid_of("sq-3x3", cell=100))
    (block,) = build_key_blocks(keyed(field, {}), furnishing(layout(), 1.0), 180, columns=1)
    assert spoken(block).count("Orchard") == 2


def test_an_account_stands_with_its_feature_and_a_field_without_features_has_no_key() -> None:
    (block,) = build_key_blocks(keyed(country(), ACCOUNTS), furnishing(layout(), 0.3), 180, columns=1)
    told = spoken(block)
    assert told.index("Queen of spades") > told.index("Mere, lake") > told.index("Jack of clubs")
    empty = country().__class__(board=country().board)
    assert build_key_blocks(keyed(empty, {}), furnishing(layout(), 1.0), 200) == ()


def test_what_both_languages_end_with_and_who_is_who_are_told_once() -> None:
    size = "5.4 × 3.2 in, 13.6 × 8.2 cm."
    account = {"z3": f"Steep slope: bad. {size} · Ladera escarpada: muy difícil. {size}"}
    drafter = furnishing(layout(language="en+es"), 0.3)
    (block,) = build_key_blocks(replace(keyed(country(), account), words=find_words("en+es")), drafter, 400, columns=1)
    assert f"Steep slope: bad. Ladera escarpada: muy difícil. {size}" in spoken(block)
    assert spoken(block).count(size) == 1
    who = ("Player A: blue, far edge · Player B: red, near edge", "Jugador A: azul · Jugador B: rojo")
    made = keyed(country(), ACCOUNTS)
    (block,) = build_key_blocks(
        replace(made, caption=replace(made.caption, who=who)), furnishing(layout(), 1.0), 400, columns=1
    )
    told = said(block)
    for side in ("Player A: blue, far edge.", "Player B: red, near edge", "Jugador A: azul.", "Jugador B: rojo"):
        assert told.count(side) == 1


@pytest.mark.parametrize(("columns", "wide"), [(1, 90.0), (2, 171.0), (4, 630.0)])
@pytest.mark.parametrize("language", ["en", "en+es"])
def test_rows_keep_to_their_column(columns: int, wide: float, language: str) -> None:
    drafter = furnishing(layout(language=language), 1.0 if wide > 500 else 0.3)
    (block,) = build_key_blocks(keyed(country(), ACCOUNTS), drafter, wide, columns=columns)
    for text in texts(block):
        assert text.at[0] >= 0
        assert text.at[0] + width(text.content, text.font, text.size_pt, track=text.track) <= wide + 0.01
        assert 0 <= text.at[1] <= block.height


def test_a_key_longer_than_a_page_goes_on_in_another_block() -> None:
    drafter = furnishing(layout(), 0.3)
    (whole,) = build_key_blocks(keyed(country(), ACCOUNTS), drafter, 90, columns=1)
    parts = build_key_blocks(keyed(country(), ACCOUNTS), drafter, 90, columns=1, height=whole.height / 2)
    assert len(parts) > 1
    assert all(part.height <= whole.height / 2 + 1e-6 for part in parts)
    figures = [text.content for part in parts for text in texts(part) if text.font.value == "Lato-Medium"]
    assert figures == [str(number) for number, _ in numbered(country())]


def test_columns_are_level_and_a_wider_key_has_more_of_them() -> None:
    drafter = furnishing(layout(), 0.3)
    (one,) = build_key_blocks(keyed(country(), {}), drafter, 80, columns=1)
    (two,) = build_key_blocks(keyed(country(), {}), drafter, 170, columns=2)
    assert two.height < 0.68 * one.height
    assert [key_columns(wide, furnishing(layout(), 1.0)) for wide in (100.0, 300.0, 630.0)] == [1, 2, 4]


def test_hills_are_told_by_levels_and_cover() -> None:
    two, wooded = country(named=False).find("z1"), country(named=False).find("z8")
    assert describe_feature(two, find_words("en")) == "Hill of two levels"
    assert describe_feature(wooded, find_words("en")) == "Hill, lightly wooded"
    assert describe_feature(country().find("z8"), find_words("es")) == "Beacon Rise, colina, con bosque ligero"

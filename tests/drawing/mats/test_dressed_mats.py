"""Painted country: it is that of the drawn map, keeps off what counts, and is about as light as the lawn."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import shapely
from msgspec.structs import replace
from shapely.geometry.base import BaseGeometry

from printkit import api
from printkit.chance.streams import Jitter
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing, Ink, Item, Picture, Stamp
from printkit.drawing.canvas.style import find as find_style
from printkit.drawing.dressing.countryside_types import DressingLevel, open_country
from printkit.drawing.dressing.dressing import DressingShapes, find_dressing
from printkit.drawing.dressing.lanes import OpenGround
from printkit.drawing.map.board_drawing import board_drawing
from printkit.drawing.text.drafter import Drafter
from printkit.export.png import pictures
from printkit.kit.countryside import countryside_of
from printkit.kit.registry import find as find_system
from printkit.page.sheet import Document, page_of
from printkit.terrain.field.battlefield import Battlefield

_DPI = 50
_TILLED = {"furrow", "corn"}


@cache
def dressed(
    rules: str, seed: int, level: DressingLevel, climate: str, style: str = "painted"
) -> tuple[Battlefield, DressingShapes, Drawing]:
    """Return a board, what is between its features, and its mat."""
    record, system = api.generate(rules, seed=seed).record, find_system(rules)
    field = record.battlefield
    cover = open_country(field, countryside_of(system, record), level, system.goings())
    drafter = Drafter.map(replace(find_style(style), climate=climate), find_words("en"), Jitter(seed))
    shapes = DressingShapes() if cover is None else find_dressing(field, cover, drafter.context)
    return field, shapes, board_drawing(field, drafter, country=cover)


def items_of(drawing: Drawing) -> list[Item]:
    return [item for layer in drawing.layers for item in layer.items]


def lightness(drawing: Drawing) -> np.ndarray:
    """Return L* of each dot, rows from the top."""
    (picture,) = pictures(Document(title="Mat", pages=(page_of(drawing),)), _DPI)
    shown = np.asarray(picture.convert("RGB"), dtype=float) / 255
    linear = np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)
    return np.where(linear > 0.008856, 116 * np.cbrt(linear) - 16, 903.3 * linear)


def within(shown: np.ndarray, depth: float, ground: BaseGeometry) -> np.ndarray:
    """Return the dots of some ground on a board ``depth`` mm deep."""
    left, low, right, high = np.array(ground.bounds) * _DPI / 25.4
    bottom = depth * _DPI / 25.4
    columns, rows = np.arange(int(left), int(right) + 1), np.arange(int(bottom - high), int(bottom - low) + 1)
    columns, rows = columns[(columns >= 0) & (columns < shown.shape[1])], rows[(rows >= 0) & (rows < shown.shape[0])]
    column, row = np.meshgrid(columns, rows)
    x, y = (column + 0.5) * 25.4 / _DPI, depth - (row + 0.5) * 25.4 / _DPI
    return shown[row, column][shapely.contains_xy(ground, x, y)]


@pytest.mark.parametrize(
    ("rules", "seed", "climate", "style"),
    [
        ("brantley", 3, "temperate", "painted"),
        ("brantley", 3, "winter", "painted"),
        ("solo-dba", 5, "dry", "painted"),
        ("solo-dba", 5, "temperate", "painted-light"),
    ],
)
def test_a_painted_parcel_is_about_as_light_as_the_lawn_beside_it(
    rules: str, seed: int, climate: str, style: str
) -> None:
    """Nineteen of twenty parcels differ by at most 5 L*; the lawn itself has patches, so that some differ by more."""
    field, shapes, drawing = dressed(rules, seed, DressingLevel.FULL, climate, style)
    shown, depth, ground = lightness(drawing), field.board.depth, OpenGround(field)
    taken = [ground.solid.buffer(7), ground.road_area.buffer(5), shapely.union_all(shapes.lanes).buffer(4)]
    taken += [parcel.ground for parcel in shapes.parcels] + [shapely.multipoints(shapes.bushes[:, :2]).buffer(4)]
    lawn = shapely.difference(field.ground, shapely.union_all(taken))
    differences: dict[str, list[float]] = {}
    for parcel in shapes.parcels:
        beside = within(shown, depth, shapely.intersection(parcel.ground.buffer(22), lawn))
        if len(beside) >= 150:
            difference = within(shown, depth, parcel.ground).mean() - beside.mean()
            differences.setdefault(parcel.use, []).append(float(difference))
    every = np.abs(np.concatenate(list(differences.values())))
    assert len(every) > 60
    assert np.mean(every <= 5.0) >= 0.95
    assert every.max() <= 7.5
    assert all(abs(np.mean(values)) <= 4.5 for values in differences.values())


def test_painted_crops_keep_7_mm_off_what_counts_and_are_on_their_parcels() -> None:
    field, shapes, drawing = dressed("brantley", 3, DressingLevel.FULL, "temperate")
    ground = OpenGround(field)
    parcels = shapely.union_all([parcel.ground for parcel in shapes.parcels])
    crops = [item for item in items_of(drawing) if isinstance(item, Picture) and item.paint in _TILLED]
    assert len(crops) == sum(parcel.use in ("plough", "crops") for parcel in shapes.parcels) > 40
    for item in crops:
        assert item.mask is not None
        levels = np.frombuffer(item.mask.levels, np.uint8).reshape(item.mask.height, item.mask.width)
        row, column = np.nonzero(levels > 25)
        side = item.frame.width / item.mask.width
        places = shapely.points(item.frame.x + (column + 0.5) * side, item.frame.top - (row + 0.5) * side)
        assert shapely.distance(ground.solid, places).min() >= 7.0
        assert shapely.distance(parcels, places).max() <= 0.6
        assert levels[0].max() == levels[-1].max() == levels[:, 0].max() == levels[:, -1].max() == 0


def test_each_level_of_dressing_is_painted_and_a_bare_mat_keeps_its_litter() -> None:
    found = {level: dressed("brantley", 3, level, "temperate")[2] for level in DressingLevel}
    textures, inks, bushes = {}, {}, {}
    for level, drawing in found.items():
        items = items_of(drawing)
        painted = [item for item in items if isinstance(item, Picture)]
        textures[level] = {item.paint for item in painted if isinstance(item.paint, str)}
        inks[level] = {item.paint[:3] for item in painted if isinstance(item.paint, Ink)}
        stamps = [item for item in items if isinstance(item, Stamp)]
        bushes[level] = sum(len(item.places) for item in stamps if item.artwork.name.startswith("bush"))
        assert any(item.artwork.name.startswith("tuft") for item in stamps)
    bare, light, full = DressingLevel
    assert not _TILLED & (textures[bare] | textures[light])
    assert textures[full] >= _TILLED
    assert inks[bare] < inks[light] <= inks[full]
    assert bushes[bare] < bushes[light] < bushes[full]

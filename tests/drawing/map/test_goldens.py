"""Every kind of sign is kept as a small drawing in text, so that a change of it is read before it is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pytest
from places_scene import PLACES, SINGLE, area_of
from shapely import Polygon, affinity, box
from signs_scene import GOOD, area, board, context, course, crossing, oval

from printkit.chance.streams import Stream
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.drawing.canvas.layers import group_by_layer
from printkit.drawing.furniture.specimens import specimens
from printkit.drawing.signs.built.fields import BORDERS
from printkit.drawing.signs.catalogue import SIGNS, draw
from printkit.drawing.signs.cover.woods import GROWTHS
from printkit.drawing.signs.lines.cuts import CUTS
from printkit.drawing.signs.lines.walls_and_hedges import WIDTHS
from printkit.terrain.field.features import Feature, Hill, Kind
from printkit.terrain.geometry.outlines import draw_plot_outline

GOLDEN = Path(__file__).parents[2] / "golden"
ELSEWHERE = {
    Kind.ENCLOSURE: "is drawn as plough or crops",
    Kind.JUNCTION: "draws nothing of its own: casings open beneath surfaces",
}
WIDE, DEEP = 20.0, 14.0
EDGE = Rect(0, 0, WIDE, DEEP)
OVAL = oval(10, 7, 9.5, 6.5)
COAST = Polygon([(0, 0), (20, 0), (20, 8), (13, 9), (6, 7), (0, 8)])
FIELD = Polygon([(2, 2), (18, 2.5), (17.4, 12), (2.4, 11.6)])
LAND_WAYS = (Kind.ROAD, Kind.FENCED_ROAD, Kind.SUNKEN_LANE, Kind.TRACK, Kind.PATH, Kind.RAILWAY)
FLOWING = [(0.0, 4.0), (6.0, 5.0), (11.0, 9.0), (16.0, 8.0), (20.0, 10.0)]
Sample = Callable[[Kind], Sequence[Feature]]
"""What makes the features of a sample of a kind, the one that is drawn last."""


def ground(outline: Polygon) -> Sample:
    return lambda kind: [area("z1" if outline is FIELD else "w1", kind, outline)]


def line(identity: str, points: list[tuple[float, float]], width: float = 0.0) -> Sample:
    return lambda kind: [course(identity, kind, points, width)]


def passage(over: Kind, under: Kind) -> Sample:
    ways = course("R1", under, [(0, 6.5), (20, 7.5)], 6.0), course("D1", over, [(9.5, 0), (10.5, 14)], 5.0)
    return lambda kind: [*ways, crossing("X1", kind, (10, 7), 85.9)]


def height(kind: Kind) -> list[Feature]:
    return [Hill(id="h1", kind=kind, contours=(oval(10, 7, 9.5, 6.3),), going=GOOD)]


def place(kind: Kind) -> list[Feature]:
    outline = draw_plot_outline(18, 12, Stream("golden")) if kind in PLACES else box(-8.5, -6, 8.5, 6)
    return [area_of(kind, affinity.translate(outline, 10, 7), "B")]


Row = tuple[Iterable[Kind], Sample, str, float]
"""Kinds with their samples, and the style and size in which they are kept."""

CUT: list[Row] = [
    ((Kind.RISE, Kind.SPUR, Kind.LONG_HILL, Kind.HILL), height, "ink-saver", 0.45),
    ((Kind.MOUNTAIN,), height, "ink-saver", 0.7),
    (LAND_WAYS, line("D1", [(0, 5), (7, 7.5), (13, 7), (20, 9)]), "campaign", 1.0),
    ((Kind.FORD, Kind.TIMBER_BRIDGE), passage(Kind.TRACK, Kind.RIVER), "campaign", 1.0),
    ((Kind.BRIDGE,), passage(Kind.ROAD, Kind.RIVER), "campaign", 1.0),
    ((Kind.RAILWAY_BRIDGE,), passage(Kind.RAILWAY, Kind.RIVER), "campaign", 1.0),
    ((Kind.LEVEL_CROSSING,), passage(Kind.ROAD, Kind.RAILWAY), "campaign", 1.0),
    ((*CUTS, Kind.CLIFF), line("C1", [(2, 8), (7, 10.5), (13, 7), (18, 9)]), "campaign", 1.0),
    ((*PLACES, *SINGLE), place, "ink-saver", 0.5),
    ((*GROWTHS, Kind.CLEARING), ground(OVAL), "campaign", 0.5),
]
WHOLE: list[Row] = [
    (set(BORDERS) - {Kind.ENCLOSURE}, ground(FIELD), "campaign", 1.0),
    ((Kind.SEA, Kind.WATERWAY), ground(COAST), "campaign", 0.4),
    ((Kind.LAKE, Kind.POOL, Kind.MARSH, Kind.SWAMP, Kind.BOGGY_GROUND), ground(OVAL), "campaign", 0.4),
    ((Kind.RIVER,), line("R1", FLOWING, 6.0), "campaign", 0.5),
    ((Kind.CREEK, Kind.STREAM), line("R1", FLOWING), "campaign", 0.5),
    ((Kind.ROCKS, Kind.SCREE), ground(OVAL), "campaign", 1.0),
    ((Kind.BROKEN_GROUND, Kind.ROUGH_GROUND, Kind.DUNES, Kind.BEACH), ground(OVAL), "campaign", 0.5),
    (WIDTHS, line("w1", [(2, 4), (8, 9), (13, 5), (18, 9)]), "campaign", 1.0),
    ((Kind.OASIS, Kind.SCRUB), ground(OVAL), "campaign", 0.5),
]
"""Those that are kept with what reaches out of their field."""


@pytest.mark.parametrize(
    ("kind", "sample", "style", "size", "clip"),
    [
        (kind, *how, clip)
        for rows, clip in ((CUT, EDGE), (WHOLE, None))
        for kinds, *how in rows
        for kind in sorted(kinds)
    ],
)
def test_a_small_sample_of_every_kind_stays_as_it_was(
    kind: Kind, sample: Sample, style: str, size: float, clip: Rect | None, golden: Callable[[Drawing, str], None]
) -> None:
    features = sample(kind)
    laid = SIGNS[kind](features[-1], context(style).smaller(size), board(*features, width=WIDE, depth=DEEP))
    golden(Drawing(WIDE, DEEP, group_by_layer(laid, clip=clip)), f"sign-{kind}")


@pytest.mark.parametrize("kind", [Kind.BUA, Kind.STEEP_SLOPE])
def test_a_specimen_of_what_is_no_sign_alone_stays_as_it_was(
    kind: Kind, golden: Callable[[Drawing, str], None]
) -> None:
    specimen = next(found for found in specimens() if found.key == kind)
    laid = draw(specimen.field(WIDE, DEEP), context("ink-saver"))
    golden(Drawing(WIDE, DEEP, group_by_layer(laid, clip=EDGE)), f"sign-{kind}")


def test_every_kind_is_kept() -> None:
    kept = {path.stem.removeprefix("sign-") for path in GOLDEN.glob("sign-*.txt")}
    assert {kind.value for kind in Kind} - kept == {kind.value for kind in ELSEWHERE}

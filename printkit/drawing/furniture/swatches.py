"""What the legend shows: small features that fill a swatch, the same for every map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from shapely import LineString, Point, Polygon, box

from printkit.terrain.field.features import Area, Course, Crossing, Face, Feature, Going, Hill, Kind

SWATCH: Final = (30.0, 19.0)
"""Width and height in mm of a swatch of the legend at 1:1."""

SAMPLE_SIZE: Final = 0.8
"""How much smaller signs are in a swatch."""

UNSTATED: Final = Going(0, "")
THROUGH: Final = ((-10.0, 6.0), (8.0, 10.5), (20.0, 9.0), (40.0, 12.0))
"""Where a way runs through a swatch."""


def patch(x: float, y: float, across: float, up: float) -> Polygon:
    """Return an uneven patch about a point, the same for every legend; no plain ellipse stands on a map."""
    turn = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    reach = 1 + 0.05 * np.cos(2 * turn + 0.7) + 0.035 * np.cos(3 * turn + 2.1) + 0.02 * np.cos(5 * turn)
    return Polygon(np.column_stack([x + across * reach * np.cos(turn), y + up * reach * np.sin(turn)]))


def bend(*places: tuple[float, float]) -> LineString:
    """Return a smooth line through a few places."""
    knots = np.asarray(places, dtype=float)
    share = np.linspace(0, 1, 40)
    along = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 0])
    rough = np.interp(share, np.linspace(0, 1, len(knots)), knots[:, 1])
    padded = np.pad(rough, 4, mode="edge")
    return LineString(np.column_stack([along, np.convolve(padded, np.ones(9) / 9, mode="valid")]))


def area(kind: Kind, outline: Polygon) -> tuple[Feature, ...]:
    """Return one area of a kind."""
    return (Area(id=f"legend-{kind}", kind=kind, outline=outline, going=UNSTATED),)


def whole(kind: Kind) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of ground that fills the swatch and runs out beneath its border."""
    return lambda: area(kind, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9))


def sloped(*, face: Kind | None = None, cover: Kind | None = None) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of a hill that runs out beneath the border; ``face`` is all round it."""

    def sample() -> tuple[Feature, ...]:
        outline = patch(13, 1.5, 21.5, 15.5)
        line = LineString(outline.exterior.coords)
        faces = () if face is None else (Face(line=line, kind=face, going=UNSTATED, side=0),)
        return (
            Hill(
                id=f"legend-hill-{face or cover or 'gentle'}",
                kind=Kind.HILL,
                contours=(outline,),
                going=UNSTATED,
                faces=faces,
                cover=cover,
            ),
        )

    return sample


def opening() -> tuple[Feature, ...]:
    """Return a wood with a clearing in it."""
    gap = patch(17.5, 8.5, 10.5, 7.0)
    return (*area(Kind.FOREST, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9)), *area(Kind.CLEARING, gap))


def water() -> Course:
    """Return a river through the swatch."""
    line = bend((-12, 10), (4, 7), (14, 9), (26, 7.5), (44, 9.5))
    return Course(id="legend-river", kind=Kind.RIVER, line=line, width=7.5, going=UNSTATED)


def way(width: float, *places: tuple[float, float], kind: Kind = Kind.ROAD) -> Course:
    """Return a way through places, ``width`` mm wide; 0 is the width of its own."""
    return Course(id=f"legend-{kind}", kind=kind, line=bend(*places), width=width, going=UNSTATED)


def crossed(kind: Kind, *, over: Kind = Kind.ROAD, rails: bool = False) -> Callable[[], tuple[Feature, ...]]:
    """Return the sample of a crossing: ``over`` passes a river, or a railway."""

    def sample() -> tuple[Feature, ...]:
        lower = way(0.0, *THROUGH, kind=Kind.RAILWAY) if rails else water()
        upper = way(5.4, (14.0, -8), (15.0, 28), kind=over)
        at = upper.line.intersection(lower.line)
        crossing = Crossing(
            id=f"legend-{kind}",
            kind=kind,
            at=Point(at.centroid),
            bearing=88.4,
            way=upper.id,
            water=lower.id,
            going=UNSTATED,
        )
        return lower, upper, crossing

    return sample


def junction() -> tuple[Feature, ...]:
    """Return two roads that meet."""
    main = way(5.4, *THROUGH)
    branch = Course(
        id="legend-branch", kind=Kind.ROAD, line=LineString([(15, 9.6), (17, 28)]), width=5.4, going=UNSTATED
    )
    at = Crossing(
        id="legend-junction",
        kind=Kind.JUNCTION,
        at=Point(15, 9.6),
        bearing=84.0,
        way=branch.id,
        water=main.id,
        going=UNSTATED,
    )
    return main, branch, at


def ditch() -> tuple[Feature, ...]:
    """Return a ditch with a bend."""
    line = LineString([(-6, 5), (11, 12.5), (36, 7)])
    return (Course(id="legend-ditch", kind=Kind.DITCH, line=line, width=0.0, going=UNSTATED),)


def town() -> tuple[Feature, ...]:
    """Return built-up ground with a street."""
    street = way(4.6, (-10, 7.6), (15, 8.6), (40, 8.0))
    return (*area(Kind.BUA, box(-9, -9, SWATCH[0] + 9, SWATCH[1] + 9)), street)


def enclosures() -> tuple[Feature, ...]:
    """Return two fields on either side of a hedge, one of each use that an enclosure may have."""
    left, right = box(-9, -9, 13.5, 28), box(13.5, -9, 39, 28)
    return (*area(Kind.PLOUGH, left), *area(Kind.CROPS, right))

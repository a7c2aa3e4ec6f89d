"""Draws the boards of consecutive seeds, measures what every map promises, and writes its section of a page.

Each board is played, drawn at true size with frame, legend and key, in one style after the other, and measured by the
items of its drawing. The section holds counts only, so that the same maps give the same section.

    python tools/soak_maps.py [BOARDS] [--first SEED] [--rules NAME] [--processes N]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path as File
from typing import Final

import numpy as np
import shapely
from msgspec import Struct
from shapely import Polygon, affinity
from shapely.geometry.base import BaseGeometry

from printkit.core import words as languages
from printkit.core.units import MM_PER_POINT
from printkit.drawing.canvas import style as styles
from printkit.drawing.canvas.items import GRID, Drawing, Item, Layer, LayerName, Path, PathRun, Rect, Stamp, Text
from printkit.drawing.lettering.extent import box_of, extents, text_foot, text_length
from printkit.drawing.lettering.lettering import width
from printkit.drawing.scatter.crowns import FAMILIES
from printkit.kit import registry
from printkit.options.printing import MapOptions
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import BUILT, Area, Course, Hill, Kind
from printkit.terrain.field.record import Record

PAGE: Final = File(__file__).resolve().parents[1] / "output" / "soak" / "soak.md"
HEADING: Final = "## Maps"
STYLES: Final = ("campaign", "high-contrast", "ink-saver")

APART: Final = "labels that cross another label"
DISCS: Final = "discs of numbers on a label or disc"
INSIDE: Final = "labels and discs within 2 mm of the board's edge"
TREES: Final = "trees whose middle lies outside their ground"
HOUSES: Final = "buildings that leave their ground"
CUT: Final = "layers of the board not cut to its edge"
FRAME: Final = "marks of frame, legend and key upon the board"
_TREES: Final = FAMILIES.keys() - {"bush"}
"""Families of trees; bushes between the features are for the eye alone, and keep off all that counts."""

PROMISES: Final = (APART, DISCS, INSIDE, TREES, HOUSES, CUT, FRAME)

_LETTERS: Final = (-0.24, 0.72)
"""How far letters reach below and above their feet, in sizes: the ground that a name keeps."""

_TOUCH: Final = 0.3
"""Square mm of two boxes of letters that may overlap where a curve turns one of them."""

_FROM_EDGE: Final = 2.0
_NEAT_LINE: Final = 0.35
"""How far in mm the neat line, which stands on the board's edge, reaches over it, in the heaviest style."""

_WAYSIDE: Final = 14.5
_HAIR: Final = 0.05
_ABOUT: Final = (LayerName.SHEET, LayerName.FRAME, LayerName.MARGIN)
_WOODED: Final = (
    *(Kind.LIGHT_WOODS, Kind.HEAVY_WOODS, Kind.WOODLAND, Kind.FOREST, Kind.LIGHT_CONIFERS, Kind.CONIFER_FOREST),
    *(Kind.MIXED_WOODS, Kind.LIGHT_PALMS, Kind.PALM_FOREST, Kind.SCRUB, Kind.OASIS, Kind.ORCHARD, Kind.OLIVES),
)


class Measured(Struct, frozen=True, kw_only=True):
    """What came of one seed: how many things were measured for each promise, and where one is broken."""

    seed: int
    counted: Counter[str]
    faults: tuple[tuple[str, str], ...]


def board(seed: int, rules: str, style: str) -> tuple[Record, Drawing]:
    """Return a game and its map with all furniture on one sheet at true size."""
    system, words = registry.find(rules), languages.find_words("en")
    record = play(system, Orders(rules=rules), seed, words).record
    order = map_context(MapOptions(sheet="one", style=style, furniture="full"), words)
    document = plan_map(record, system, order).document
    return record, document.pages[0].placements[0].drawing


def measured(seed: int, rules: str) -> Measured:
    """Draw and measure one seed. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    style = STYLES[seed % len(STYLES)]
    try:
        record, drawing = board(seed, rules, style)
        return judged(seed, record.battlefield, drawing, style)
    except Exception as error:
        return Measured(seed=seed, counted=Counter(), faults=(("errors", f"{type(error).__name__}: {error}"),))


def judged(seed: int, field: Battlefield, drawing: Drawing, style: str) -> Measured:
    """Measure a map: the drawing of a battlefield at true size with its furniture."""
    at = _board_at(field, drawing)
    counted: Counter[str] = Counter()
    faults: list[tuple[str, str]] = []
    checks = (
        _labels(drawing, at),
        _trees(field, drawing, at),
        _houses(field, drawing, at, style),
        _cuts(drawing, at),
        _about(drawing, at),
    )
    for check in checks:
        for promise, fault in check:
            counted[promise] += 1
            if fault:
                faults.append((promise, fault))
    return Measured(seed=seed, counted=counted, faults=tuple(faults))


Found = Iterator[tuple[str, str]]
"""A promise and what is wrong for each thing that is measured; nothing where it is kept."""


def _board_at(field: Battlefield, drawing: Drawing) -> Rect:
    """Return where on the sheet the board lies: the clip that most layers have, which is of its size."""
    clips = Counter(layer.clip for layer in drawing.layers if layer.clip is not None)
    (clip, _) = clips.most_common(1)[0]
    size = (field.board.width, field.board.depth)
    if abs(clip.width - size[0]) > _HAIR or abs(clip.height - size[1]) > _HAIR:
        raise ValueError(f"the map is cut to {clip.width:.2f} x {clip.height:.2f} mm; the board has {size}")
    return clip


def _labels(drawing: Drawing, at: Rect) -> Found:
    texts = [item for item in _items(drawing, at, LayerName.LABEL) if isinstance(item, Text)]
    names = [letters(text) for text in texts]
    discs = [
        ground(item)
        for item in _items(drawing, at, LayerName.NUMBER)
        if isinstance(item, Path) and item.fill is not None
    ]
    said = [text.content for text in texts]
    for (one, mine), (other, its) in combinations(zip(said, names, strict=True), 2):
        crosses = mine.intersects(its) and mine.intersection(its).area > _TOUCH
        yield APART, f"{one!r} crosses {other!r}" if crosses else ""
    for number, disc in enumerate(discs, 1):
        on = [text for text, name in zip(said, names, strict=True) if disc.intersects(name)]
        on += [f"disc {other}" for other, its in enumerate(discs[number:], number + 1) if disc.intersects(its)]
        yield DISCS, f"disc {number} lies on {', '.join(on)}" if on else ""
    room = shapely.box(at.x, at.y, at.right, at.top).buffer(-_FROM_EDGE, join_style="mitre")
    for name, shape in (*zip(said, names, strict=True), *((f"disc {n}", disc) for n, disc in enumerate(discs, 1))):
        yield INSIDE, "" if room.contains(shape) else f"{name} comes too near to the edge of the board"


def _trees(field: Battlefield, drawing: Drawing, at: Rect) -> Found:
    """Yield every tree: in a wood, on a wooded hill, in a place, or on free ground beside a way or water."""
    stands = [
        feature.outline
        for feature in field.features
        if (isinstance(feature, Area) and feature.kind in (*_WOODED, *BUILT))
        or (isinstance(feature, Hill) and feature.cover is not None)
    ]
    taken = [feature.outline for feature in field.features if isinstance(feature, Area | Hill)]
    beside = [
        feature.line.buffer(feature.width / 2 + _WAYSIDE) for feature in field.features if isinstance(feature, Course)
    ]
    own = shapely.union_all(stands).buffer(_HAIR)
    wayside = shapely.difference(shapely.union_all(beside), shapely.union_all(taken))
    places = np.array(
        [
            (place.e - at.x, place.f - at.y)
            for layer in drawing.layers
            for item in layer.items
            if layer.clip == at and isinstance(item, Stamp) and item.artwork.name.rsplit("-", 1)[0] in _TREES
            for place in item.places
        ]
    ).reshape(-1, 2)
    good = shapely.contains_xy(own, *places.T) | shapely.contains_xy(wayside, *places.T)
    for (x, y), fits in zip(places.tolist(), good.tolist(), strict=True):
        yield TREES, "" if fits else f"a tree at {x:.1f}, {y:.1f}"


def _houses(field: Battlefield, drawing: Drawing, at: Rect, style: str) -> Found:
    """Yield every shape of buildings, whose shadows may fall beyond their ground."""
    grounds = [feature.outline for feature in field.features if isinstance(feature, Area) and feature.kind in BUILT]
    room = affinity.translate(shapely.union_all(grounds), at.x, at.y).buffer(_HAIR)
    shadow = styles.find(style).solid("shadow")[:3]
    shapely.prepare(room)
    for item in _items(drawing, at, LayerName.HOUSE):
        if isinstance(item, Path) and (item.fill is None or item.fill[:3] != shadow or item.fill.alpha == 1):
            for run in item.runs:
                line = _line(run)
                x, y = line.coords[0]
                yield HOUSES, "" if room.covers(line) else f"a building at {x - at.x:.1f}, {y - at.y:.1f}"


def _cuts(drawing: Drawing, at: Rect) -> Found:
    for layer in drawing.layers:
        if layer.name not in _ABOUT:
            yield CUT, "" if layer.clip == at else f"layer {layer.name.name.lower()} is cut to {layer.clip}"


def _about(drawing: Drawing, at: Rect) -> Found:
    """Yield every item of frame, legend and key. The sheet's own tone lies beneath the board."""
    window = box_of(at.padded(-_NEAT_LINE))
    room = shapely.box(at.x, at.y, at.right, at.top).buffer(-_NEAT_LINE, join_style="mitre")
    for layer in drawing.layers:
        if layer.name in (LayerName.FRAME, LayerName.MARGIN):
            for item in layer.items:
                near = any(box.meets(window) for box in extents(item))
                covers = near and ground(item, layer).intersection(room).area > 1e-6
                yield FRAME, f"{type(item).__name__.lower()} of the {layer.name.name.lower()}" if covers else ""


def _items(drawing: Drawing, at: Rect, name: LayerName) -> Iterator[Item]:
    return (item for layer in drawing.layers if layer.name is name and layer.clip == at for item in layer.items)


def letters(text: Text) -> BaseGeometry:
    """Return the ground of a text's letters, of one on a curve letter by letter."""
    low, high = (share * text.size_pt * MM_PER_POINT for share in _LETTERS)
    if not text.glyphs:
        x, y = text_foot(text)
        whole = shapely.box(x, y + low, x + text_length(text), y + high)
        return affinity.rotate(whole, text.angle, origin=(x, y))
    boxes = []
    for letter, (x, y, angle) in zip(text.content, text.glyphs, strict=True):
        box = shapely.box(x, y + low, x + max(width(letter, text.font, text.size_pt), 0.1), y + high)
        boxes.append(affinity.rotate(box, angle, origin=(x, y)))
    return shapely.union_all(boxes)


def ground(item: Item, layer: Layer | None = None) -> BaseGeometry:
    """Return what an item covers in its layer, its stamps as boxes."""
    match item:
        case Text():
            found = letters(item)
        case Stamp():
            found = shapely.union_all([shapely.box(*box) for box in extents(item)])
            found = affinity.scale(found, GRID, GRID, origin=(0, 0))
        case Path():
            found = _covered(item)
    if layer is None or layer.clip is None:
        return found
    return shapely.intersection(found, shapely.box(layer.clip.x, layer.clip.y, layer.clip.right, layer.clip.top))


def _covered(path: Path) -> BaseGeometry:
    found: BaseGeometry = Polygon()
    if path.fill is not None:
        for run in path.runs:
            found = found.symmetric_difference(shapely.make_valid(Polygon(_line(run).coords)))
    if path.stroke is not None:
        lines = shapely.multilinestrings([_line(run) for run in path.runs])
        found = found.union(lines.buffer(path.stroke.width / 2, cap_style="flat", join_style="mitre"))
    return found


def _line(run: PathRun) -> shapely.LineString:
    points = np.reshape(run.points, (-1, 2)) * GRID
    return shapely.LineString(np.vstack([points, points[:1]]) if run.closed else points)


def section(boards: Sequence[Measured], rules: str) -> str:
    """Return the section of the page as Markdown."""
    return "\n".join((HEADING, "", *_lines(boards, rules))) + "\n"


def _lines(boards: Sequence[Measured], rules: str) -> Iterator[str]:
    failed = [each for each in boards if each.faults]
    seeds = f"seeds {boards[0].seed} to {boards[-1].seed}"
    yield f"`{rules}`, {len(boards)} maps at true size with frame, legend and key, {seeds}, in the styles"
    yield f"{', '.join(STYLES)} by turns: {len(failed)} broke a promise. Measured by the items of their drawings,"
    yield "by `tools/soak_maps.py`."
    yield ""
    yield "| None may be there | Measured | Found |"
    yield "| --- | ---: | ---: |"
    broken = Counter(promise for each in boards for promise, _ in each.faults)
    for promise in (*PROMISES, *sorted(set(broken) - set(PROMISES))):
        yield f"| {promise} | {sum(each.counted[promise] for each in boards)} | {broken[promise]} |"
    if failed:
        yield ""
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        for each in failed:
            for _, fault in each.faults:
                yield f"| {each.seed} | {' '.join(fault.split()).replace('|', '/')} |"


def with_section(page: str, written: str) -> str:
    """Return the page with its section of maps replaced, or put at its end."""
    return f"{page.split(HEADING)[0].rstrip()}\n\n{written}".lstrip()


def drawn(seeds: range, rules: str, processes: int) -> Iterator[Measured]:
    """Yield the boards in the order of their seeds, however many processes draw them."""
    if processes == 1:
        yield from map(partial(measured, rules=rules), seeds)
        return
    with get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(partial(measured, rules=rules), seeds, chunksize=4)


def main(arguments: Sequence[str]) -> int:
    """Write the section; 1 where a map broke a promise."""
    parser = argparse.ArgumentParser(prog="soak_maps", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("boards", type=int, nargs="?", default=300)
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, default=registry.DEFAULT)
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=File, default=PAGE, metavar="FILE", help="the page that holds the section")
    asked = parser.parse_args(arguments)
    if min(asked.boards, asked.processes) < 1 or asked.first < 0:
        parser.error("boards and processes are at least 1, and no seed is under 0")
    boards: list[Measured] = []
    for each in drawn(range(asked.first, asked.first + asked.boards), asked.rules, asked.processes):
        boards.append(each)
        for _, fault in each.faults:
            print(f"seed {each.seed}: {fault}", file=sys.stderr)
    page = asked.page.read_text(encoding="utf-8") if asked.page.is_file() else ""
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(with_section(page, section(boards, asked.rules)), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for each in boards) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

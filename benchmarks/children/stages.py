"""Runs one ``printkit map`` with a clock around each stage; prints seconds and the items drawn, as JSON.

python -m benchmarks.children.stages OUT [OPTIONS OF MAP ...]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any, Final

from benchmarks.children.clocks import Clocks

OUTSIDE: Final = "start-up"

CLOCKED: Final = (
    ("generation", "printkit.recipes.game.games", "play"),
    ("drawing", "printkit.drawing.canvas.layers", "group_by_layer"),
    ("furniture", "printkit.drawing.furniture.furniture", "frame_board"),
    ("furniture", "printkit.drawing.furniture.furniture", "assembly_blocks"),
    ("pages", "printkit.recipes.prints.map_plan", "plan_map"),
    ("writing", "printkit.recipes.prints.printing", "write_map"),
)
"""Each stage, and the functions that do its work. What is in none of them is start-up and command line."""


def primitives(document: Any) -> tuple[dict[str, int], int]:
    """Return the outlines, lines and texts of the map by layer, and all its points, at every place of a stamp.

    The map is the largest drawing of a document.
    """
    drawings = {id(put.drawing): put.drawing for page in document.pages for put in page.placements}
    found, most = Counter[str](), -1
    for drawing in drawings.values():
        layers, points = Counter[str](), 0
        for layer, item in drawing.items():
            count, length = _size(item)
            layers[layer.name.name.lower()] += count
            points += length
        if points > most:
            found, most = layers, points
    return dict(found), most


def _size(item: Any) -> tuple[int, int]:
    """Return the primitives of an item and their points."""
    from printkit.drawing.canvas.items import Path, Stamp

    match item:
        case Path():
            return len(item.runs), sum(len(run.points) // 2 for run in item.runs)
        case Stamp():
            counts, lengths = zip(*map(_size, item.artwork.paths), strict=True) if item.artwork.paths else ((), ())
            return sum(counts) * len(item.places), sum(lengths) * len(item.places)
        case _:
            return 1, 0


def kinds(document: Any) -> dict[str, int]:
    """Return how many paths, texts, stamps and places of stamps the drawings of a document have, each drawing once."""
    from printkit.drawing.canvas.items import Stamp

    drawings = {id(put.drawing): put.drawing for page in document.pages for put in page.placements}
    found = Counter({"drawings": len(drawings)})
    for drawing in drawings.values():
        for item in (item for layer in drawing.layers for item in layer.items):
            found[type(item).__name__.lower()] += 1
            if isinstance(item, Stamp):
                found["place"] += len(item.places)
    return dict(found)


def main() -> int:
    """Run the command, then print what it took."""
    out, *options = sys.argv[1:]
    clocks = Clocks(OUTSIDE)
    for stage, module, name in CLOCKED:
        clocks.around(stage, module, name)
    from printkit.cli.app import run

    status = run(["map", *options, "--lang", "en", "--out", out, "--quiet"])
    seconds = clocks.stop()
    missing = [name for _, _, name in CLOCKED if name not in clocks.kept and name != "frame_board"]
    if status or missing:
        print(f"{', '.join(missing) or 'the command'} was never called, or failed", file=sys.stderr)
        return 1
    document = clocks.kept["plan_map"].document
    layers, points = primitives(document)
    features = len(clocks.kept["play"].record.battlefield.features)
    told = {"seconds": seconds, "layers": layers, "points": points, "kinds": kinds(document), "features": features}
    print(json.dumps({**told, "pages": len(document.pages)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())

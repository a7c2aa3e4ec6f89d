"""Generates tables of growing size in one process; prints features, vertices and seconds of each, as JSON.

python -m benchmarks.children.growth RULES SEEDS BOARD [BOARD ...]
"""

from __future__ import annotations

import json
import sys
import time

import shapely

from printkit.core import words as languages
from printkit.kit import registry
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders


def main() -> None:
    """Generate every board from every seed."""
    rules, seeds, *boards = sys.argv[1:]
    system, words = registry.find(rules), languages.find_words("en")
    # The first game loads what all of them use.
    play(system, Orders(rules=rules, board=boards[0]), 0, words)
    found = []
    for board in boards:
        for seed in range(1, int(seeds) + 1):
            began = time.process_time()
            field = play(system, Orders(rules=rules, board=board), seed, words).record.battlefield
            seconds = time.process_time() - began
            shapes = [shape for feature in field.features for shape in _shapes(feature)]
            vertices = int(shapely.get_num_coordinates(shapes).sum())
            found.append({"board": board, "features": len(field.features), "vertices": vertices, "seconds": seconds})
    print(json.dumps(found))


def _shapes(feature: object) -> list[shapely.Geometry]:
    """Return what a feature is made of."""
    for name in ("outline", "line", "at"):
        if (shape := getattr(feature, name, None)) is not None:
            return [shape]
    return []


if __name__ == "__main__":
    main()

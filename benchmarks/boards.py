"""Times a battlefield of each rule system from its dice to its sheets: generating, drawing, and writing the PDF.

For each it prints the seconds of the median seed and of the slowest, and the size of the file.

    python benchmarks/boards.py [SEEDS]
"""

from __future__ import annotations

import statistics
import sys
import time

from printkit import words as languages
from printkit.export import pdf
from printkit.recipes import systems
from printkit.recipes.games import play
from printkit.recipes.maps import map_document, map_sheet
from printkit.recipes.orders import Orders
from printkit.words import Words

STEPS = ("generate", "draw", "write")


def times(name: str, seed: int, words: Words) -> tuple[float, float, float, int]:
    """Return the seconds of each step, and the bytes of the PDF."""
    system = systems.find(name)
    order = map_sheet(
        sheet="a4",
        margin=10.0,
        overlap=10.0,
        words=words,
        style="campaign",
        furniture=None,
        scale="1:1",
    )
    began = time.perf_counter()
    record = play(system, Orders(rules=name), seed, words).record
    generated = time.perf_counter()
    document, _ = map_document(record, system, order)
    drawn = time.perf_counter()
    size = len(pdf.data(document))
    return generated - began, drawn - generated, time.perf_counter() - drawn, size


def main() -> None:
    """Print a line for each rule system."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    words = languages.find("en")
    print(f"{'rules':20}" + "".join(f"{step:>20}" for step in STEPS) + f"{'kB':>8}   (median, slowest of {seeds})")
    for name in systems.NAMES:
        times(name, 0, words)
        found = [times(name, seed, words) for seed in range(1, seeds + 1)]
        steps = [[each[step] for each in found] for step in range(len(STEPS))]
        told = "".join(f"{statistics.median(step):11.2f} {max(step):8.2f}" for step in steps)
        print(f"{name:20}{told}{statistics.median(each[3] for each in found) / 1000:8.0f}")


if __name__ == "__main__":
    main()

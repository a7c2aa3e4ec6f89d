"""Makes a map and keeps its sheets, without the assembly plan, as a display list that other processes draw.

python -m benchmarks.children.display_list FILE RULES BOARD STYLE SHEET SEED
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

from msgspec.structs import replace

from printkit.core import words as languages
from printkit.kit import registry
from printkit.options.printing import MapOptions
from printkit.page.sheet import Document
from printkit.recipes.game.games import play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints.map_plan import plan_map
from printkit.recipes.prints.maps import map_context


def sheets(rules: str, board: str, style: str, sheet: str, seed: int) -> Document:
    """Return the sheets of the map alone."""
    system, words = registry.find(rules), languages.find_words("en")
    order = map_context(MapOptions(sheet=sheet, style=style, furniture="mat"), words)
    plan = plan_map(play(system, Orders(rules=rules, board=board), seed, words).record, system, order)
    return replace(plan.document, pages=plan.document.pages[plan.additional_pages :])


def main() -> None:
    """Make the sheets and write them to the file; say how many there are."""
    file, rules, board, style, sheet, seed = sys.argv[1:]
    document = sheets(rules, board, style, sheet, int(seed))
    Path(file).write_bytes(pickle.dumps(document))
    print(len(document.pages))


if __name__ == "__main__":
    main()

"""Begins two commands at one game at the same moment, and counts what is kept of what they said.

Two players lay cards in one closed game, or two bounds of one battle are thrown: the second command waits, then reads
anew what the first has written. Nothing that a command said was done may be missing afterwards.

    python tools/soak_pairs.py [--count PAIRS] [--first SEED]
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from soak_kills import prepared, typed


def both(folder: Path, commands: tuple[tuple[str, ...], tuple[str, ...]], apart: float) -> list[int]:
    """Run two commands in a folder, the second ``apart`` seconds after the first, and return how they ended."""
    first = subprocess.Popen(typed(commands[0]), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(apart)
    second = subprocess.run(typed(commands[1]), cwd=folder, capture_output=True, check=False)
    return [first.wait(), second.returncode]


def turns(folder: Path, apart: float) -> str:
    """Lay two cards at once, one of each player, and return what is wrong."""
    laid = ("A a1 1", "B b1 2")
    ended = both(folder, (("status", "game", "--place", laid[0]), ("status", "game", "--place", laid[1])), apart)
    kept = (folder / "game" / "placements.txt").read_text(encoding="utf-8").splitlines()
    said = [turn for turn, state in zip(laid, ended, strict=True) if state == 0]
    return "" if kept == said and laid[0] in said else f"said {said}, kept {kept}"


def bounds(folder: Path, apart: float) -> str:
    """Throw two bounds at once, and return what is wrong."""
    before = len(json.loads((folder / "battle.json").read_text(encoding="utf-8"))["bounds"])
    ended = both(folder, (("npg", "bound", "battle.toml"),) * 2, apart)
    kept = len(json.loads((folder / "battle.json").read_text(encoding="utf-8"))["bounds"]) - before
    return "" if (ended, kept) == ([0, 0], 2) else f"ended in {ended}, kept {kept}"


def main(arguments: list[str] | None = None) -> int:
    """Run pairs of commands, print what came of it, and return 1 where something was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=200, metavar="PAIRS")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    asked = parser.parse_args(arguments)
    lost = 0
    with tempfile.TemporaryDirectory(prefix="pairs-") as home:
        for kind in ("status", "bound"):
            (Path(home) / kind).mkdir()
            prepared(kind, Path(home) / kind)
        for seed in range(asked.first, asked.first + asked.count):
            kind, look = (("status", turns), ("bound", bounds))[seed % 2]
            folder = Path(home) / str(seed)
            shutil.copytree(Path(home) / kind, folder)
            # A command takes about half a second before it comes to its game.
            wrong = look(folder, Random(f"pair/{seed}").choice((0.0, 0.05, 0.2, 0.6)))
            left = [path.name for path in folder.rglob(".*")]
            if wrong or left:
                lost += 1
                print(f"{kind} {seed}: {wrong or f'left over: {left}'}", flush=True)
            shutil.rmtree(folder)
    print(f"{asked.count} pairs, {lost} with something lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

"""Kills commands at random moments, and begins two at one game: what the next command finds, and what is kept.

Maps, batches, evenings, deals, turns, reveals and bounds of a battle are begun in a folder that holds an earlier game
of the kind, and killed. Then the same command runs to its end, or another one does: nothing may be left over, nothing
of the person's own be gone, and all files of a kind be of one generation.

Two players lay cards in one closed game, or two bounds of one battle are thrown, at the same moment: the second command
waits, then reads anew what the first has written. Nothing that a command said was done may be missing afterwards.

    python tools/soak_processes.py [--kills COUNT] [--pairs COUNT] [--first SEED]
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from freeze_battles import SPEARS

_BATTLE: Final = 'schema = "dba-battle/1"\nnpg = "npg.toml"\nyou = "you.toml"\nseed = 5\nattacker = "npg"\n'
_OWN: Final = "my notes.txt"
_NOTED: Final = ("printkit-batch.jsonl",)
"""What a batch keeps of its own, in the order in which its fields came to be."""

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "map": ("map", "--seed", "7", "--to", "pdf", "--to", "svg", "--to", "json", "--out", "made", "--force"),
    "batch": ("map", "--seed", "1", "--count", "20", "--scale", "fit", "--out", "made", "--force"),
    "evening": ("handouts", "--seed", "3", "--out", "made", "--force"),
    "deal": ("deal", "--out", "made", "--force"),
    "status": ("status", "game", "--place", "A a1 1", "--out", "made", "--force"),
    "reveal": ("reveal", "game", "--out", "made", "--force"),
    "bound": ("npg", "bound", "battle.toml"),
}
"""What is killed, by its name."""

_BEFORE: Final[Mapping[str, tuple[str, ...]]] = {
    "map": (*KINDS["map"], "--style", "ink-saver"),
    "batch": (*KINDS["batch"], "--style", "ink-saver"),
    "evening": (*KINDS["evening"], "--style", "ink-saver"),
}
"""What stood there before it."""


def _run(folder: Path, command: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(typed(command), cwd=folder, capture_output=True, text=True, check=False)


def typed(command: tuple[str, ...]) -> list[str]:
    """Return a command of printkit as it is started."""
    return [sys.executable, "-m", "printkit", *command, "--lang", "en"]


def prepared(kind: str, folder: Path) -> None:
    """Put into a folder what a command of a kind needs, and what an earlier one has left."""
    (folder / "made").mkdir()
    (folder / "made" / _OWN).write_text("mine", encoding="utf-8")
    if kind in _BEFORE:
        _run(folder, _BEFORE[kind])
    if kind in ("status", "reveal"):
        _run(folder, ("deal", "--out", "dealt", "--set", "first=A"))
        (game,) = (folder / "dealt").iterdir()
        game.rename(folder / "game")
    if kind == "reveal":
        turns = [f"{side} {side.lower()}{turn} {zone}" for zone, (turn, side) in enumerate(_TURNS, 1)]
        _run(folder, ("status", "game", *(part for turn in turns for part in ("--place", turn))))
    if kind == "bound":
        for side in ("npg", "you"):
            (folder / f"{side}.toml").write_text(SPEARS, encoding="utf-8")
        (folder / "battle.toml").write_text(_BATTLE, encoding="utf-8")
        _run(folder, KINDS["bound"])


_TURNS: Final = [(turn, side) for turn in range(1, 5) for side in "AB"]


def _files(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Known(NamedTuple):
    """A folder in which a kind of command can begin, how long it lasts in seconds, and the files that it makes."""

    begins: Path
    lasts: float
    whole: Mapping[str, bytes]


def known(kind: str, home: Path) -> Known:
    """Prepare a folder below another one for a kind of command, and see what it makes."""
    begins, ends = home / kind / "begins", home / kind / "ends"
    begins.mkdir(parents=True)
    prepared(kind, begins)
    shutil.copytree(begins, ends)
    begun = time.perf_counter()
    done = _run(ends, KINDS[kind])
    if done.returncode:
        raise SystemExit(f"{kind}: {done.stderr}")
    return Known(begins, time.perf_counter() - begun, _files(ends / "made"))


def killed(kind: str, random: Random, how: Known) -> str:
    """Kill a command of a kind at a moment, run it again, and return what is wrong; empty where nothing is."""
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        shutil.copytree(how.begins, folder, dirs_exist_ok=True)
        running = subprocess.Popen(typed(KINDS[kind]), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.05, 1.1) * how.lasts)
        running.send_signal(signal.SIGKILL)
        running.wait()
        if not (folder / "made" / _OWN).exists():
            return "a file of one's own is gone"
        again = _run(folder, KINDS[kind])
        # Where the turn was laid before it died, the same turn is refused; where not, it is laid now.
        if again.returncode and kind != "status":
            return f"the next command ends in {again.returncode}: {again.stderr.strip()[-200:]}"
        # The workers of a batch may outlive it by a moment.
        left = [name for name in _files(folder) if any(part.startswith(".") for part in Path(name).parts)]
        if left:
            return f"left over: {', '.join(left[:3])}"
        if kind in _BEFORE:
            made = _files(folder / "made")
            differ = [name for name, content in how.whole.items() if name not in _NOTED and made.get(name) != content]
            if differ:
                return f"of another generation: {', '.join(differ[:3])}"
        return ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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
    lines = (folder / "game" / "game.txt").read_text(encoding="utf-8").splitlines()[1:]
    kept = [" ".join(line.split()[1:-1]) for line in lines]
    said = [turn for turn, state in zip(laid, ended, strict=True) if state == 0]
    return "" if kept == said and laid[0] in said else f"said {said}, kept {kept}"


def bounds(folder: Path, apart: float) -> str:
    """Throw two bounds at once, and return what is wrong."""
    before = len(json.loads((folder / "battle.json").read_text(encoding="utf-8"))["bounds"])
    ended = both(folder, (("npg", "bound", "battle.toml"),) * 2, apart)
    kept = len(json.loads((folder / "battle.json").read_text(encoding="utf-8"))["bounds"]) - before
    return "" if (ended, kept) == ([0, 0], 2) else f"ended in {ended}, kept {kept}"


def kills(seeds: range, home: Path) -> int:
    """Kill a command for each seed, print what was lost or left, and return how often."""
    counts: Counter[str] = Counter()
    failed = 0
    kinds = {kind: known(kind, home) for kind in KINDS}
    for seed in seeds:
        random = Random(f"kill/{seed}")
        kind = random.choice(tuple(KINDS))
        wrong = killed(kind, random, kinds[kind])
        counts[kind] += 1
        if wrong:
            failed += 1
            print(f"{kind} {seed}: {wrong}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    print(f"{len(seeds)} killed, {failed} with something lost or left")
    return failed


def pairs(seeds: range, home: Path) -> int:
    """Begin two commands at one game for each seed, print what was lost or left, and return how often."""
    lost = 0
    for kind in ("status", "bound"):
        (home / kind).mkdir()
        prepared(kind, home / kind)
    for seed in seeds:
        kind, look = (("status", turns), ("bound", bounds))[seed % 2]
        folder = home / str(seed)
        shutil.copytree(home / kind, folder)
        # A command takes about half a second before it comes to its game.
        wrong = look(folder, Random(f"pair/{seed}").choice((0.0, 0.05, 0.2, 0.6)))
        left = [path.name for path in folder.rglob(".*")]
        if wrong or left:
            lost += 1
            print(f"{kind} {seed}: {wrong or f'left over: {left}'}", flush=True)
        shutil.rmtree(folder)
    print(f"{len(seeds)} pairs, {lost} with something lost")
    return lost


def main(arguments: list[str] | None = None) -> int:
    """Kill commands, begin pairs of them, and return 1 where something was lost or left."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, metavar="COUNT")
    parser.add_argument("--pairs", type=int, default=200, metavar="COUNT")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    asked = parser.parse_args(arguments)
    failed = 0
    for look, count in ((kills, asked.kills), (pairs, asked.pairs)):
        with tempfile.TemporaryDirectory(prefix="processes-") as home:
            failed += look(range(asked.first, asked.first + count), Path(home))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

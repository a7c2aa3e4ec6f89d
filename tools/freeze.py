"""Freezes what the program writes: makes several hundred documents, and compares their hashes with those kept.

python tools/freeze.py --check    # what differs from tests/frozen.txt
python tools/freeze.py --write    # keep what is made now

A change that shall alter nothing is held against it. One that shall alter something renews the lines that it alters,
and no others: ``--write --only "cards/*"``. With ``--keep DIR`` the documents themselves are put into a folder, where
those of two trees can be compared by ``diff -r`` and by eye; ``sha256sum -c`` reads the kept lines there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatchcase
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from freeze_battles import battle_jobs
from freeze_games import game_jobs
from freeze_sheets import sheet_jobs
from freeze_texts import text_jobs
from freezing import ROOT, Done, Job, perform

FROZEN: Final = ROOT / "tests" / "frozen.txt"
_SLOWEST: Final = 10
_WIDTH: Final = 30


@cache
def jobs() -> Mapping[str, Job]:
    """Return all jobs by their labels, those that take longest first.

    Raises:
        ValueError: a label begins another, so that nobody could tell whose a document is.
    """
    found = {}
    for job in (*sheet_jobs(), *game_jobs(), *battle_jobs(), *text_jobs()):
        if job.label in found:
            raise ValueError(f"there are two jobs {job.label}")
        found[job.label] = job
    for label in found:
        parts = label.split("/")
        for count in range(1, len(parts)):
            if "/".join(parts[:count]) in found:
                raise ValueError(f"the label {'/'.join(parts[:count])} begins the label {label}")
    return found


def label_of(name: str) -> str:
    """Return the label of the job that makes a document, or nothing where no job does."""
    parts = name.split("/")
    begun = ("/".join(parts[:count]) for count in range(1, len(parts)))
    return next((label for label in begun if label in jobs()), "")


def read_frozen(path: Path = FROZEN) -> dict[str, str]:
    """Return the kept hashes by the names of their documents."""
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: value for value, name in (line.split("  ", 1) for line in lines)}


def write_frozen(hashes: Mapping[str, str], path: Path = FROZEN) -> None:
    """Keep hashes, a line each, sorted by name."""
    lines = (f"{hashes[name]}  {name}\n" for name in sorted(hashes))
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def wanted(pattern: str, kept: Iterable[str]) -> list[Job]:
    """Return the jobs that make a document whose name fits the pattern.

    Which documents a job makes is known from the kept lines. Of a job without any it is known when it is done, so it is
    wanted as soon as the pattern may fit.
    """
    known: dict[str, list[str]] = {}
    for name in kept:
        known.setdefault(label_of(name), []).append(name)
    begin = pattern[: min((pattern.find(sign) for sign in "*?[" if sign in pattern), default=len(pattern))]

    def fits(label: str) -> bool:
        if label in known:
            return any(fnmatchcase(name, pattern) for name in known[label])
        return label.startswith(begin) or begin.startswith(f"{label}/")

    return [job for label, job in jobs().items() if fits(label)]


def done_here(label: str, apart: bool, keep: Path | None) -> Done:
    """Do a job in this process."""
    return perform(jobs()[label], apart=apart, keep=keep)


def all_done(found: Sequence[Job], *, processes: int, apart: bool, keep: Path | None) -> Iterator[Done]:
    """Do jobs in processes of their own, and yield each as it is done."""
    # A process that is started anew holds nothing that this one has loaded, as on every system.
    with ProcessPoolExecutor(max_workers=processes, mp_context=get_context("spawn")) as pool:
        running = [pool.submit(done_here, job.label, apart, keep) for job in found]
        try:
            for count, future in enumerate(as_completed(running), 1):
                done = future.result()
                _progress(count, len(running), done.label)
                yield done
        except BaseException:
            # A person who stops it does not wait for all that was still to come.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _progress(count: int, total: int, label: str) -> None:
    if not sys.stderr.isatty():
        return
    filled = _WIDTH * count // total
    end = "\n" if count == total else ""
    sys.stderr.write(f"\r\x1b[K[{'=' * filled}{' ' * (_WIDTH - filled)}] {count}/{total} {label}{end}")
    sys.stderr.flush()


def differences(kept: Mapping[str, str], made: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each document that differs, is missing, or is new."""
    for name in sorted({*kept, *made}):
        if name not in made:
            yield f"missing  {name}"
        elif name not in kept:
            yield f"new      {name}"
        elif kept[name] != made[name]:
            yield f"differs  {name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check; 1 where a document differs, is missing or new, or a command failed."""
    parser = argparse.ArgumentParser(description="Freezes what the program writes, and compares.")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--check", action="store_true", help="compare with the kept hashes")
    way.add_argument("--write", action="store_true", help="keep the hashes of what is made now")
    way.add_argument("--list", action="store_true", help="name the jobs, and do none")
    parser.add_argument("--only", default="*", metavar="PATTERN", help="documents whose names fit, as 'map/acw/*'")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="put the documents there")
    parser.add_argument("--apart", action="store_true", help="give each command a process of its own; slower")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--times", action="store_true", help=f"name the {_SLOWEST} jobs that took longest")
    asked = parser.parse_args(arguments)
    if asked.processes < 1:
        parser.error("at least one process is needed")
    kept = read_frozen()
    found = wanted(asked.only, kept)
    if asked.list:
        print(*(job.label for job in found), sep="\n")
        return 0
    keep = asked.keep.resolve() if asked.keep else None
    done = list(all_done(found, processes=asked.processes, apart=asked.apart, keep=keep))
    made = {name: value for each in done for name, value in each.hashes.items() if fnmatchcase(name, asked.only)}
    old = {name: value for name, value in kept.items() if fnmatchcase(name, asked.only)}
    if asked.times:
        for each in sorted(done, key=lambda each: -each.seconds)[:_SLOWEST]:
            print(f"{each.seconds:6.1f} s  {each.label}")
    faults = sorted((each for each in done if each.fault), key=lambda each: each.label)
    for each in faults:
        print(f"failed   {each.label}: {each.fault.strip()}")
    told = list(differences(old, made))
    if old:
        print(*told, sep="\n", end="\n" if told else "")
    print(f"{len(made)} documents of {len(done)} jobs, {len(told)} not as kept, {len(faults)} failed")
    if faults or asked.check:
        return 1 if faults or told else 0
    write_frozen({**{name: value for name, value in kept.items() if name not in old}, **made})
    return 0


if __name__ == "__main__":
    sys.exit(main())

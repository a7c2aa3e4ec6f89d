"""Set up printkit in ``.venv`` and run it.

``python tools/setup.py --install EXTRA`` only sets up, with an extra of pyproject.toml or with "" for none. The
environment variable ``VENV`` names another folder. An environment newer than the requirements is used as it is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
# The extra of pyproject.toml, and a program of the environment with its arguments, for each job.
JOBS: Final = {"map": ("", ["printkit", "map"]), "studio": ("", ["printkit", "studio"]), "test": ("test", ["pytest"])}
HELP: Final = """printkit from this checkout. It needs Python 3.11 or later, nothing else.

  make studio     open printkit in the browser
  make map        make and print one battlefield; make map ARGS="--seed 7"
  make test       run the tests
  make check      style and types

The first of them sets up .venv, which takes one or two minutes. Then the command
is .venv/bin/printkit, on Windows .venv\\Scripts\\printkit.
Without make: python tools/setup.py studio, or map --seed 7, or test."""
OLDEST: Final = (3, 11)
# Seconds without a line from pip after which a line is printed.
SILENCE: Final = 10.0
# The lines of pip that are printed when it fails.
SHOWN_LINES: Final = 15

# The two lines by which pip names a package: from an index, and from a file of a local index.
_PACKAGE: Final = re.compile(r"Collecting (?P<name>[\w.-]+)|Processing .*?(?P<stem>[\w.]+)-\d[^/\\]*\.whl")
# What pip or venv prints when it fails, and the likely cause.
_CAUSES: Final = (
    ("ensurepip", "Python has no venv here; on Debian and Ubuntu: sudo apt install python3-venv"),
    ("Temporary failure in name resolution|NewConnectionError|ConnectionError|Could not fetch", "no network"),
    ("No space left", "the disk is full"),
    (
        "error: command .*(gcc|cc|cl.exe)|Failed building wheel",
        "a library has no wheel for this Python; try Python 3.11",
    ),
    ("Permission denied", "this folder cannot be written"),
)


def python_of(venv: Path) -> Path:
    """Return the path of the Python of an environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def is_ready(venv: Path, extra: str) -> bool:
    """Return whether an environment was set up with an extra after the last change of the requirements."""
    mark = mark_of(venv, extra)
    needed = max((ROOT / name).stat().st_mtime for name in ("pyproject.toml", "constraints.txt"))
    return mark.is_file() and mark.stat().st_mtime >= needed and python_of(venv).is_file()


def mark_of(venv: Path, extra: str) -> Path:
    """Return the file that an environment has when it was set up with an extra."""
    return venv / (f".installed-{extra}" if extra else ".installed")


def set_up(venv: Path, extra: str) -> int:
    """Create an environment, install printkit with an extra, and return the exit status; show progress on stderr."""
    start = time.monotonic()
    print(f"Setting up printkit in {venv}. The first time takes one or two minutes.", file=sys.stderr, flush=True)
    python = python_of(venv)
    status = 0 if python.is_file() else run_with_progress([sys.executable, "-m", "venv", str(venv)], "creating it")
    if not status:
        target = f"{ROOT}[{extra}]" if extra else str(ROOT)
        pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off"]
        status = run_with_progress([*pip, "-c", str(ROOT / "constraints.txt"), "-e", target], "starting pip")
    if not status:
        for name in {extra, ""}:
            mark_of(venv, name).touch()
        print(f"Ready in {time.monotonic() - start:.0f} s.", file=sys.stderr, flush=True)
    return status


def run_with_progress(command: list[str], activity: str) -> int:
    """Run a command of the set-up and return its exit status.

    Each package is printed when pip names it, and a line after each ``SILENCE`` seconds without output. If the command
    fails, its last lines and the likely cause are printed.
    """
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    last_lines, packages = deque[str](maxlen=SHOWN_LINES), set[str]()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment
    ) as process:
        for line in lines_of(process):
            if line is None:
                print(f"  still {activity}", file=sys.stderr, flush=True)
                continue
            last_lines.append(line.rstrip())
            found = _PACKAGE.match(line.strip())
            name = (found["name"] or found["stem"]).replace("_", "-").lower() if found else ""
            if name and name not in packages:
                packages.add(name)
                activity = f"downloading {name}"
                print(f"  {len(packages)}: {name}", file=sys.stderr, flush=True)
            elif packages and line.startswith("Installing collected packages"):
                activity = f"installing {len(packages)} packages"
                print(f"  {activity}", file=sys.stderr, flush=True)
    if status := process.returncode:
        text = "\n".join(last_lines)
        causes = [cause for pattern, cause in _CAUSES if re.search(pattern, text)]
        print(text, f"The set-up failed: {causes[0] if causes else 'see above'}.", sep="\n", file=sys.stderr)
    return status


def lines_of(process: subprocess.Popen[str]) -> Iterator[str | None]:
    """Yield the lines of a process, and None after each ``SILENCE`` seconds without one."""
    queue: Queue[str | None] = Queue()

    def read() -> None:
        for line in process.stdout or ():
            queue.put(line)
        queue.put(None)

    Thread(target=read, daemon=True).start()
    while True:
        try:
            line = queue.get(timeout=SILENCE)
        except Empty:
            yield None
            continue
        if line is None:
            return
        yield line


def main(arguments: list[str]) -> int:
    """Set up an environment, and run a job in it."""
    if sys.version_info < OLDEST:
        print(f"printkit needs Python 3.11 or later; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 2
    job, *options = arguments or ["--help"]
    only_installs = job == "--install" and len(options) <= 1
    if job in ("-h", "--help"):
        print(HELP)
        return 0
    if job not in JOBS and not only_installs:
        print(f"unknown job {job!r}; there are {', '.join(JOBS)}. All of them: python tools/setup.py", file=sys.stderr)
        return 2
    extra, command = ("".join(options), []) if only_installs else JOBS[job]
    venv = Path(os.environ.get("VENV") or ROOT / ".venv")
    status = 0 if is_ready(venv, extra) else set_up(venv, extra)
    if status or only_installs:
        return status
    program, *words = command
    return subprocess.run([str(python_of(venv).with_name(program)), *words, *options], check=False).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

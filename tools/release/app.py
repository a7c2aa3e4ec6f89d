"""Builds printkit as a program that needs no Python: a folder for the system on which this runs, in dist/app.

PyInstaller collects it in an environment of its own, from our wheel, so that nothing of the checkout gets in. The
folder can be copied anywhere; it carries the notices of all that is in it. ``tools/smoke.py --program`` tries it.

    python tools/release/app.py [--out FOLDER]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
START: Final = ROOT / "packaging" / "start.py"
NAME: Final = "printkit"

BUILDER: Final = ("pyinstaller==6.22.3", "pyinstaller-hooks-contrib==2026.9")
"""What collects the program; it is no part of printkit."""

LEFT_OUT: Final = (
    "tkinter",
    "IPython",
    "pytest",
    "hypothesis",
    "matplotlib",
    "distributed",
    "dask",
    "setuptools",
    "pip",
)
"""What libraries would use if it were there, and printkit never does."""


def python_of(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def environment(folder: Path) -> Path:
    """Set up an environment with our wheel, the studio and the builder, and return its Python."""
    venv.create(folder, with_pip=True)
    python, wheels = python_of(folder), folder / "wheels"
    quiet = ["--quiet", "--disable-pip-version-check", "-c", str(ROOT / "constraints.txt")]
    subprocess.run([sys.executable, "-m", "build", "--wheel", "--outdir", str(wheels), str(ROOT)], check=True,
                   stdout=subprocess.DEVNULL)  # fmt: skip
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([str(python), "-m", "pip", "install", *quiet, str(wheel)], check=True)
    builder = ["--quiet", "--disable-pip-version-check", *BUILDER]
    subprocess.run([str(python), "-m", "pip", "install", *builder], check=True)
    return python


def collected(python: Path, out: Path, work: Path) -> Path:
    """Let PyInstaller collect the program, and return its folder."""
    options = [
        *("--noconfirm", "--clean", "--log-level", "WARN", "--onedir", "--console", "--name", NAME),
        *("--distpath", str(out.resolve()), "--workpath", str(work / "build"), "--specpath", str(work)),
        # Most of printkit is named by texts and loaded when it is asked for; templates and fonts are its data.
        *("--collect-all", "printkit", "--copy-metadata", "wargame-printkit"),
        *("--collect-data", "shapely", "--collect-data", "pyphen", "--collect-all", "pypdfium2_raw"),
        *("--collect-submodules", "uvicorn"),
        *("--python-option", "X utf8"),
        *(word for name in LEFT_OUT for word in ("--exclude-module", name)),
    ]
    # From another folder: the checkout's own package lacks its data.
    subprocess.run([str(python), "-m", "PyInstaller", *options, str(START)], check=True, cwd=work)
    return out / NAME


def size(folder: Path) -> float:
    """Return the megabytes of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


def main(arguments: Sequence[str]) -> int:
    """Build the folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "app", metavar="FOLDER")
    asked = parser.parse_args(arguments)
    shutil.rmtree(asked.out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as work:
        python = environment(Path(work) / "environment")
        made = collected(python, asked.out, Path(work))
        notices = [str(ROOT / "tools" / "release" / "notices.py"), "--texts", str((made / "THIRD-PARTY.txt").resolve())]
        subprocess.run([str(python), *notices], check=True, cwd=work)
    shutil.copy(ROOT / "LICENSE", made / "LICENSE")
    print(f"{made}: {size(made):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

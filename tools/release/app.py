"""Build printkit as programs that need no Python, in dist/app, for the system on which this runs.

PyInstaller collects them in an environment of its own, from our wheel, so that nothing of the checkout gets in. The
folder can be copied anywhere and contains the licences of everything in it. ``--pack`` packs a folder that is built.

    python tools/release/app.py [--out FOLDER] [--pack NAME]
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGING: Final = ROOT / "packaging"
OUT: Final = ROOT / "dist" / "app"

# What collects the programs; it is no part of printkit.
BUILDER: Final = ("pyinstaller==6.22.3", "pyinstaller-hooks-contrib==2026.9")

# The name of the folder of the programs; on macOS they are in an app instead.
FOLDER: Final = "printkit"

# On macOS the programs are inside the app. This file starts the one for the terminal.
COMMAND_LINE: Final = '#!/bin/sh\nexec "$(dirname "$0")/../Printkit Studio.app/Contents/MacOS/printkit" "$@"\n'

SUMS: Final = "SHA256SUMS"


def python_of(folder: Path) -> Path:
    """Return the Python of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def create_environment(folder: Path) -> Path:
    """Set up an environment with our wheel and the builder, and return its Python."""
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


def build(out: Path) -> Path:
    """Build the programs in an empty folder, add the files for people, and return the folder with these files."""
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        python = create_environment(work / "environment")
        options = ["--noconfirm", "--log-level", "WARN", "--distpath", str(out.resolve()), "--workpath", str(work)]
        # In another folder and without PYTHONPATH, because the package of the checkout has no data.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([str(python), "-m", "PyInstaller", *options, str(PACKAGING / "printkit.spec")], check=True,
                       cwd=work, env=environment)  # fmt: skip
        folder = out / FOLDER
        # Some builds of Python keep debug symbols in this library, which are three quarters of it.
        for library in (folder / "_internal").glob("libpython3.*.so.*"):
            subprocess.run(["strip", "--strip-unneeded", str(library)], check=True)
        if sys.platform == "darwin":
            shutil.rmtree(folder)
            folder = out
            (folder / "command-line").mkdir()
            (folder / "command-line" / "printkit").write_text(COMMAND_LINE, "utf-8")
            (folder / "command-line" / "printkit").chmod(0o755)
        notices = [str(ROOT / "tools" / "release" / "notices.py"), "--texts"]
        subprocess.run([str(python), *notices, str((folder / "THIRD-PARTY.txt").resolve())], check=True, cwd=work,
                       env=environment)  # fmt: skip
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(PACKAGING / "READ ME FIRST.txt", folder)
    if sys.platform == "linux":
        shutil.copy(PACKAGING / "install-icon", folder)
    return folder


def pack(folder: Path, name: Path) -> Path:
    """Pack what is in a folder as NAME.tar.gz on Linux and NAME.zip elsewhere, and return the file.

    The sums of all packed files beside it are written to ``SHA256SUMS``.
    """
    name.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "linux":
        path = name.with_name(f"{name.name}.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            for entry in sorted(folder.iterdir()):
                archive.add(entry, entry.name)
    elif sys.platform == "darwin":
        # Python's zipfile would follow the links in an app.
        path = name.with_name(f"{name.name}.zip")
        subprocess.run(["ditto", "-c", "-k", str(folder), str(path)], check=True)
    else:
        path = Path(shutil.make_archive(str(name), "zip", folder))
    packed = sorted(entry for entry in name.parent.iterdir() if entry.name.endswith((".zip", ".tar.gz")))
    lines = [f"{hashlib.sha256(entry.read_bytes()).hexdigest()}  {entry.name}\n" for entry in packed]
    (name.parent / SUMS).write_text("".join(lines), "utf-8", newline="\n")
    return path


def size(folder: Path) -> float:
    """Return the megabytes of a folder or a file."""
    paths = folder.rglob("*") if folder.is_dir() else [folder]
    return sum(path.stat().st_size for path in paths if path.is_file() and not path.is_symlink()) / 1e6


def main(arguments: Sequence[str]) -> int:
    """Build the folder, or pack it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, metavar="FOLDER", help="the folder with the programs")
    parser.add_argument("--pack", type=Path, metavar="NAME", help="only pack the folder, as NAME.zip or NAME.tar.gz")
    options = parser.parse_args(arguments)
    if options.pack and not options.out.is_dir():
        parser.error(f"{options.out} does not exist; build it first: python tools/release/app.py")
    made = pack(options.out, options.pack) if options.pack else build(options.out)
    print(f"{made}: {size(made):.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the figures were measured on: processors, system, Python and packages. No names of hosts, no paths, no dates."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from benchmarks.tables import table
from printkit import __version__

PACKAGES: Final = (
    "numpy",
    "shapely",
    "contourpy",
    "reportlab",
    "rl_accel",
    "pypdfium2",
    "pillow",
    "typer",
    "matplotlib",
    "fpdf2",
    "pycairo",
    "pdfposter",
    "pypdf",
)


def installed(package: str) -> str:
    """Return the version of a package, or that it is not there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> float | None:
    """Return how many processes wanted a processor in the last minute, where the system counts them."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def machine_table(load_before: float | None) -> str:
    """Return the table of machine and versions; ``load_before``: what else was going on when the run began."""
    rows = [
        ("processors", processors()),
        ("system", f"{platform.system()}, {platform.machine()}"),
        ("Python", f"{platform.python_version()}, {platform.python_implementation()}"),
        ("load before the run", "not known" if load_before is None else f"{load_before:.1f}"),
        ("printkit", __version__),
        *((package, installed(package)) for package in PACKAGES),
    ]
    return table(("machine", "version"), rows, left=2)

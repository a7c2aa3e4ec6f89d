"""Rehearses a release: everything that a tag would publish is built, tried in empty environments, and thrown away.

The tag, the version and the changelog must agree; the wheel must be small enough; the index must be able to show the
README; an environment with the wheel alone must be sound and work; and the source distribution must pass its own tests.

    python tools/release/rehearse.py --tag v1.0.0 [--out FOLDER] [--tests PATH ...]
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from app import python_of

ROOT: Final = Path(__file__).resolve().parents[2]
LARGEST: Final = 10.5
"""Megabytes that the wheel may have, the stock of the painted styles among them."""

TESTS: Final = ("tests/core", "tests/chance", "tests/kit", "tests/page", "tests/test_api.py", "tests/test_wheel.py")
"""What the source distribution is tried by, if nobody asks for more."""


def version() -> str:
    """Return the version of the checkout."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def disagreeing(tag: str) -> Iterator[str]:
    """Yield where tag, version, package and changelog do not agree."""
    now = version()
    if tag != f"v{now}":
        yield f"the tag is {tag}, the version {now}: tag v{now}, or change the version"
    package = (ROOT / "printkit" / "__init__.py").read_text(encoding="utf-8")
    if f'__version__ = "{now}"' not in package:
        yield f"printkit/__init__.py has another version than {now}"
    if f"\nversion: {now}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff has another version than {now}"
    heads = re.findall(r"^## (\S+?),? (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not heads or heads[0][0] != now:
        yield f"CHANGELOG.md does not begin with {now}"
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", heads[0][1]):
        yield f"CHANGELOG.md says {heads[0][1]!r} of {now}; write the day, as 2027-01-31"
    elif f'__date__ = "{heads[0][1]}"' not in package:
        yield f"printkit/__init__.py has another date than {heads[0][1]}"


def built(out: Path) -> tuple[Path, Path]:
    """Build the packages, and return wheel and source distribution."""
    run("build", "--outdir", str(out), str(ROOT))
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def run(*words: str, python: Path | None = None, cwd: Path | None = None) -> None:
    """Run a module of a Python, which must end well."""
    subprocess.run([str(python or sys.executable), "-m", *words], check=True, cwd=cwd)


def tried(wheel: Path, work: Path) -> None:
    """Try the wheel alone: what it needs is there and goes together, and two dozen commands work."""
    venv.create(work, with_pip=True)
    python = python_of(work)
    quiet = ("--quiet", "--disable-pip-version-check", "-c", str(ROOT / "constraints.txt"))
    run("pip", "install", *quiet, str(wheel), python=python)
    run("pip", "check", "--disable-pip-version-check", python=python)
    subprocess.run([str(python), str(ROOT / "tools" / "smoke.py")], check=True, cwd=work)


def tested(source: Path, work: Path, tests: Sequence[str]) -> None:
    """Unpack the source distribution, and let it pass its own tests in an environment that is set up from it."""
    with tarfile.open(source) as held:
        held.extractall(work, filter="data")
    (tree,) = (path for path in work.iterdir() if path.is_dir())
    venv.create(work / "environment", with_pip=True)
    python = python_of(work / "environment")
    quiet = ("--quiet", "--disable-pip-version-check", "-c", str(tree / "constraints.txt"))
    run("pip", "install", *quiet, "-e", f"{tree}[test]", python=python)
    run("pytest", *tests, python=python, cwd=tree)


def main(arguments: Sequence[str]) -> int:
    """Rehearse; 1 where something does not agree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tag", default=f"v{version()}", help="what the release is to be tagged")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="where the packages go")
    parser.add_argument("--tests", nargs="*", default=TESTS, metavar="PATH", help="what the sources are tried by")
    asked = parser.parse_args(arguments)
    wrong = list(disagreeing(asked.tag))
    for line in wrong:
        print(f"release: {line}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "made"
        wheel, source = built(made)
        megabytes = wheel.stat().st_size / 1e6
        if megabytes > LARGEST:
            wrong.append("size")
            print(f"release: the wheel has {megabytes:.1f} MB, {LARGEST} at most", file=sys.stderr)
        run("twine", "check", "--strict", str(wheel), str(source))
        tried(wheel, Path(scratch) / "empty")
        tested(source, Path(scratch) / "sources", asked.tests)
        asked.out.mkdir(parents=True, exist_ok=True)
        for path in (wheel, source):
            path.replace(asked.out / path.name)
        print(
            f"{wheel.name}: {megabytes:.1f} MB; {source.name}: {(asked.out / source.name).stat().st_size / 1e6:.1f} MB"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

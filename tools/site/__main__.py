"""Builds the site: the pages of docs/ with pictures and pages that are made for it, by mkdocs, without a network.

python tools/site [--out FOLDER] [--pages-only]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pages import staged
from pictures import drawn

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "dist" / "site-pages"


def main(arguments: Sequence[str]) -> int:
    """Build the site."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages-only", action="store_true", help="leave out mkdocs, which makes HTML of the pages")
    asked = parser.parse_args(arguments)
    shutil.rmtree(PAGES, ignore_errors=True)
    drawn(PAGES / "pictures")
    staged(PAGES)
    if not asked.pages_only:
        subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], check=True, cwd=ROOT)
    print(f"{ROOT / 'dist' / 'site'}: {len(list(PAGES.rglob('*.md')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Builds the site from docs/ with mkdocs, and with pictures and pages that the program makes. It needs no network.

python tools/site [--pages-only]
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pages import write_pages
from pictures import draw_pictures

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "dist" / "site-pages"


def main(arguments: Sequence[str]) -> int:
    """Build the site."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages-only", action="store_true", help="write the Markdown pages only, without mkdocs")
    asked = parser.parse_args(arguments)
    shutil.rmtree(PAGES, ignore_errors=True)
    draw_pictures(PAGES / "pictures")
    write_pages(PAGES)
    if not asked.pages_only:
        subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], check=True, cwd=ROOT)
    print(f"{ROOT / 'dist' / 'site'}: {len(list(PAGES.rglob('*.md')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

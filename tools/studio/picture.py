"""Takes the pictures of the studio that the pages show: the field and the printing page of one game, in a browser.

Usage: make studio-pictures
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
GALLERY: Final = ROOT / "docs" / "gallery"
sys.path.insert(0, str(ROOT / "tests" / "shared"))

from browser import chromium  # noqa: E402
from desks import served  # noqa: E402

SEED: Final = 2
PAGES: Final = {"studio": "", "studio-printing": "/print"}


def main() -> int:
    """Write the pictures."""
    with TemporaryDirectory() as folder, served(Path(folder)) as base, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(120_000)
        page.goto(base)
        for seed in (31, 23, 7, 4, SEED):
            page.evaluate("document.querySelector('#seed').closest('details').open = true")
            page.fill("#seed", str(seed))
            page.locator("#new").click()
            page.get_by_text(f"seed {seed}", exact=True).first.wait_for()
        field = page.url.partition("?")[0]
        for name, part in PAGES.items():
            page.goto(f"{field}{part}")
            page.wait_for_load_state("networkidle")
            if not part:
                page.locator('button[data-f="z2"]').click()
            picture = GALLERY / f"{name}.jpg"
            page.screenshot(path=picture, type="jpeg", quality=82)
            print(f"{picture.relative_to(ROOT)}  {picture.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

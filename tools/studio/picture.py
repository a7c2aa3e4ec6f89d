"""Takes the pictures of the studio that the pages of this project show, in a browser.

Usage: make studio-pictures
"""

from __future__ import annotations

import re
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from PIL import Image

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT: Final = Path(__file__).resolve().parents[2]
GALLERY: Final = ROOT / "docs" / "gallery"
sys.path.insert(0, str(ROOT / "tests" / "shared"))

from browser import chromium  # noqa: E402
from desks import KEY, served  # noqa: E402

SEED: Final = 2
SIZE: Final = {"width": 1400, "height": 860}
QUALITY: Final = 82


def main() -> int:
    """Write the pictures: a field and why it lies so, the sheets over it, and a bound of a general without a player."""
    with TemporaryDirectory() as folder, served(Path(folder)) as base, chromium() as browser:
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(120_000)
        page.goto(f"{base}/?key={KEY}")
        page.goto(f"{base}/field")
        for seed in (31, 23, 7, 4, SEED):
            page.evaluate(
                "for (const fold of document.querySelectorAll('#settings, #settings details')) fold.open = true"
            )
            page.fill("#s-seed", str(seed))
            page.locator("#new").click()
            page.get_by_text(f"seed {seed}", exact=True).first.wait_for()
        field = page.url.partition("?")[0]
        page.wait_for_load_state("networkidle")
        page.locator('button[data-f="z2"]').click()
        keep(page, "studio")
        page.goto(f"{field}/print")
        page.wait_for_load_state("networkidle")
        keep(page, "studio-printing")
        page.goto(f"{base}/battle")
        page.select_option("#b-npg", "gallic")
        page.select_option("#b-you", "polybian-roman")
        page.locator("button.big").click()
        page.wait_for_url("**/battle/*")
        (file,) = Path(folder).glob("battles/*.toml")
        file.write_text(re.sub(r"(?m)^seed = \d+", "seed = 11", file.read_text("utf-8")), "utf-8")
        for _ in ("terrain", "edge", "deployment", "first bound", "second"):
            before = page.locator("button.big").inner_text()
            page.locator("button.big").click()
            page.wait_for_function("before => document.querySelector('button.big').innerText !== before", arg=before)
        keep(page, "studio-battle")
    return 0


def keep(page: Page, name: str) -> None:
    """Write what a page shows as a small picture."""
    picture = GALLERY / f"{name}.webp"
    with Image.open(BytesIO(page.screenshot())) as shown:
        shown.convert("RGB").save(picture, quality=QUALITY, method=6)
    print(f"{picture.relative_to(ROOT)}  {picture.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())

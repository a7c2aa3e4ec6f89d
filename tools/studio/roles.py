"""Make the pictures of the start page, and the figures under them, from fixed seeds.

Usage: python tools/studio/roles.py
"""

from __future__ import annotations

import json
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pypdfium2
from PIL import Image, ImageDraw

from printkit.api import Field
from printkit.core.words import find_words
from printkit.drawing.canvas.items import Drawing
from printkit.export import png
from printkit.kit.registry import find
from printkit.options.roles import ROLES, GameRole
from printkit.page.sheet import Document, page_of
from printkit.recipes.prints.map_plan import plan_map
from printkit.studio.app_state import Settings
from printkit.studio.forms import generate_field
from printkit.studio.print_forms import map_work, order_of, task_of
from printkit.studio.views import scale_of
from printkit.studio.worker_process import TaskParts, TaskReport, run_task

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "printkit" / "studio" / "static" / "roles"
PAPERS: Final = ("a4", "letter", "a3")

# The seed of each picture. Roles that make no battlefield show one of these rules.
SEEDS: Final = {"dba": 6, "columns": 2, "alone": 10, "hexon": 6, "acw": 6, "club": 21}
RULES: Final = {"alone": "solo-dba"}

SIZE: Final = (480, 300)
WIDTH: Final = 560
MOST_BYTES: Final = 36_000
PAPER: Final = "#BBAE8B"
INK: Final = "#2B2620"
WORDS: Final = find_words("en")


def main() -> int:
    """Write the pictures and ``takes.json``."""
    FOLDER.mkdir(exist_ok=True)
    for role in ROLES:
        image = club_picture() if role.name == "club" else deal_picture() if role.name == "deal" else board_of(role)
        (FOLDER / f"{role.name}.jpg").write_bytes(jpeg(image))
    figures = {role.name: {paper: count_takes(role, paper) for paper in PAPERS} for role in ROLES if role.prints}
    (FOLDER / "takes.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def field_of(role: GameRole) -> Field:
    """Return the battlefield of a role, from its seed."""
    return generate_field({"rules": role.rules or RULES[role.name], **role.settings}, SEEDS[role.name], "en")


def count_takes(role: GameRole, paper: str) -> dict[str, int]:
    """Return the sheets, cuts and minutes of the print job of a role on a paper."""
    field, form = field_of(role), {"sheet": paper}
    if role.prints == "map":
        order = order_of(form, Path(), WORDS)
        return map_work(plan_map(field.record, find(field.rules), order))._asdict()
    reports: list[TaskReport] = []
    with TemporaryDirectory() as folder:
        record = field.save(Path(folder) / "field.json")
        settings = Settings(out=Path(folder) / "out", key="")
        task = task_of(role.prints, record, settings, form, "en", field=field)
        run_task(task, reports.append)
        parts = [part for report in reports if isinstance(report, TaskParts) for part in report.parts]
        if not parts:
            documents = [pypdfium2.PdfDocument(file) for file in sorted(settings.out.rglob("*.pdf"))]
            return {"sheets": sum(map(len, documents)), "cuts": 0, "minutes": 0}
    return {name: sum(getattr(part, name) for part in parts) for name in ("sheets", "cuts", "minutes")}


def board_of(role: GameRole) -> Image.Image:
    """Return the middle of the board of a role."""
    return cropped(drawn(field_of(role), WIDTH), SIZE)


def drawn(field: Field, long_side: int) -> Image.Image:
    """Return the drawing of a board, ``long_side`` dots on its longer side."""
    drawing = field.draw(scale=scale_of(field))
    return document_picture(drawing, long_side)


def document_picture(drawing: Drawing, long_side: int) -> Image.Image:
    """Return a drawing as a picture, ``long_side`` dots on its longer side."""
    document = Document(title="", pages=(page_of(drawing),))
    dpi = 2 * long_side * 25.4 / max(drawing.width, drawing.height)
    return Image.open(BytesIO(png.render_thumbnail(document, long_side, dpi=dpi))).convert("RGB")


def cropped(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return the middle of a picture."""
    left, top = ((have - want) // 2 for have, want in zip(image.size, size, strict=True))
    return image.crop((left, top, left + size[0], top + size[1]))


def club_picture() -> Image.Image:
    """Return six small boards side by side."""
    image = Image.new("RGB", SIZE, PAPER)
    for number in range(6):
        board = drawn(generate_field({"rules": "brantley"}, SEEDS["club"] + number, "en"), 146)
        image.paste(board, (10 + number % 3 * 157, 2 + number // 3 * 151))
    return image


def deal_picture() -> Image.Image:
    """Return a board of nine zones with cards face down, and the hands of both players."""
    image = Image.new("RGB", SIZE, PAPER)
    pen = ImageDraw.Draw(image)
    pen.rectangle((144, 54, 336, 246), fill="#EDE8CC", outline=INK)
    for step in (64, 128):
        pen.line((144 + step, 54, 144 + step, 246), fill="#5E5445")
        pen.line((144, 54 + step, 336, 54 + step), fill="#5E5445")
    for column, row in ((0, 0), (2, 0), (1, 1), (2, 1), (0, 2)):
        pen.rounded_rectangle(card_at(158 + column * 64, 61 + row * 64), 5, fill="#8d4a40", outline="#4e221b", width=2)
    for number in range(3):
        for left in (18 + number * 30, 366 + number * 30):
            pen.rounded_rectangle(card_at(left, 125), 5, fill="#fffdf6", outline=INK, width=2)
    return image


def card_at(left: int, top: int) -> tuple[int, int, int, int]:
    """Return the rectangle of a card."""
    return left, top, left + 36, top + 50


def jpeg(image: Image.Image) -> bytes:
    """Return a picture as JPEG, in the best quality that is small enough."""
    for quality in range(84, 30, -4):
        buffer = BytesIO()
        image.save(buffer, "JPEG", quality=quality, optimize=True, progressive=True)
        if buffer.tell() <= MOST_BYTES:
            break
    return buffer.getvalue()


if __name__ == "__main__":
    sys.exit(main())

"""Pictures of the board only, to scale: an integer number of pixels for each cell, or for each inch without a grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.core.units import MM_PER_INCH
from printkit.drawing.canvas.items import Affine
from printkit.export.writers import PAGES, PICTURE_FORMATS, RECORDS, BoardPicture, FieldShow
from printkit.kit.system import RuleSystem
from printkit.page.sheet import ONE, Document, Placement, Sheet
from printkit.recipes.output.files import write_folder
from printkit.recipes.prints.file_names import RECORD_FOLDER, name_battlefield
from printkit.recipes.prints.map_plan import MapPlan, board_picture, plan_map
from printkit.recipes.prints.maps import MapContext
from printkit.recipes.prints.printing import record_files
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.grids import Cell
from printkit.terrain.field.record import Record

_SLACK: Final = 1e-6  # tolerance in pixels for rounding up a size


class PictureScale(Struct, frozen=True, kw_only=True):
    """The scale of a board picture: ``pixels`` for each cell of ``cell`` mm; the far left corner is pixel 0, 0.

    The size in pixels is rounded up, so the last row and column of pixels may be partly empty.
    """

    pixels: int
    cell: float
    board: tuple[float, float]

    @property
    def size(self) -> tuple[int, int]:
        """Return the width and height of the picture in pixels, rounded up."""
        width, height = (math.ceil(side * self.pixels / self.cell - _SLACK) for side in self.board)
        return width, height

    @property
    def dpi(self) -> float:
        """Return the pixels per inch of the board."""
        return self.pixels / self.cell * MM_PER_INCH

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position (x, y) in pixels, y downwards, of a point in mm on the board.

        Pixels count from the far left corner, mm from the near left corner.
        """
        return x * self.pixels / self.cell, (self.board[1] - y) * self.pixels / self.cell


def picture_scale(field: Battlefield, pixels: int) -> PictureScale:
    """Return the scale of a board picture with so many pixels for each cell, or for each inch without a grid.

    The size of a cell is its size across the flats or along its side.
    """
    cell = MM_PER_INCH if field.grid is None else field.grid.cell
    return PictureScale(pixels=pixels, cell=cell, board=(field.board.width, field.board.depth))


def picture_line(field: Battlefield, pixels: int) -> Sentence:
    """Return a line with the size and scale of a board picture, for aligning a grid with it.

    ``pixels`` is their number per cell, or per inch of a board without a grid. With a grid, it also has the centre of
    the first cell in pixels from the top left.
    """
    scale = picture_scale(field, pixels)
    wide, high = scale.size
    if field.grid is None:
        return Sentence("  {wide} x {high} pixels, {pixels} per inch of the board", wide=wide, high=high, pixels=pixels)
    x, y = scale.at(*field.grid.centre(Cell(1, 1)))
    return Sentence(
        "  {wide} x {high} pixels, {pixels} per cell; the centre of {cell} is at {x:.1f}, {y:.1f} from the top left",
        wide=wide,
        high=high,
        pixels=pixels,
        cell=field.grid.address(Cell(1, 1)),
        x=x,
        y=y,
    )


def validate_pixels(order: MapContext, formats: Sequence[str]) -> None:
    """Reject ``--dpi N/cell`` with formats of sheets; without it nothing is checked.

    Raises:
        UsageError: no picture format is selected, or also a format of sheets.
    """
    if order.pixels is None:
        return
    if not {"png", *PICTURE_FORMATS}.intersection(formats) or {*PAGES}.intersection(formats) - {"png"}:
        raise UsageError(
            "--dpi N/cell makes a picture of the board only, without sheets; use it with --to {formats}",
            formats=", ".join(("png", *PICTURE_FORMATS)),
        )


def picture_document(record: Record, system: RuleSystem, order: MapContext, pixels: int) -> Document:
    """Return a document with the board only; its resolution gives exactly this number of pixels for each cell.

    Without a grid they are pixels per inch of the board. The page is the board at actual size, rounded up to full
    pixels.
    """
    scale = picture_scale(record.battlefield, pixels)
    drawing = board_picture(record, system, replace(order, asked=replace(order.asked, scale="1:1")))
    # The drawing has the size of the board, the page is rounded up to full pixels. Their far left corners are equal.
    width, height = (side * scale.cell / scale.pixels for side in scale.size)
    sheet = Sheet(ONE, width, height, 0.0, cut=True)
    placement = Placement(drawing, Affine(1.0, 0.0, 0.0, 1.0, 0.0, height - drawing.height), clip=sheet.area)
    page = sheet.page(placement, label="1")
    return Document(title=record.battlefield.title, pages=(page,), language=order.words.code, dpi=scale.dpi)


_DEFAULT_PIXELS: Final = 100  # default pixels for each cell

# The default limit in pixels for the longest side: virtual tabletops show a larger picture in a lower resolution.
_MAX_PIXELS: Final = 4096


def field_picture(record: Record, system: RuleSystem, order: MapContext) -> BoardPicture:
    """Return a PNG picture of the board for other programs, with its size and scale.

    The scale is in pixels for each cell or inch. Other programs can only draw squares over a picture, so hexes are part
    of the drawing. Without pixels in the options the number is a default, less for a very large board.
    """
    from printkit.export.png import pictures

    field = record.battlefield
    longest = max(field.board.width, field.board.depth) / picture_scale(field, 1).cell
    pixels = order.pixels or min(_DEFAULT_PIXELS, max(1, int(_MAX_PIXELS / longest)))
    document = picture_document(record, system, order, pixels)
    (picture,) = pictures(document, document.dpi)
    scale, buffer = picture_scale(field, pixels), BytesIO()
    picture.save(buffer, "PNG", dpi=(document.dpi, document.dpi))
    return BoardPicture(data=buffer.getvalue(), size=picture.size, pixels=pixels, cell=scale.cell)


def save_field(record: Record, system: RuleSystem, order: MapContext, path: Path, *, force: bool) -> Path:
    """Write a record in the format of the file suffix, or into the records of a folder; return the main file.

    Args:
        record: the record.
        system: its rules, for the picture of the board.
        order: how to draw the picture.
        path: a file with a known suffix, or a folder, in which the file is named after the game.
        force: overwrite existing files.

    Raises:
        PageError: the file cannot be written.
        FileTakenError: the file already exists with other content, and ``force`` is not set.
    """
    format_by_suffix = {ending: name for name, item in RECORDS.items() for ending in item.endings[:1]}
    ending = next((item for item in format_by_suffix if path.name.lower().endswith(f".{item}")), "")
    if not ending:
        return path / RECORD_FOLDER / f"{name_battlefield(record, path)}.json"
    stem = path.with_name(path.name[: -1 - len(ending)])
    show = FieldShow(picture=partial(field_picture, record, system, order))
    files = record_files(format_by_suffix[ending], record, stem, show)
    named_files = zip(RECORDS[format_by_suffix[ending]].endings, files, strict=True)
    return write_folder({f"{stem.name}.{item}": data for item, data in named_files}, path.parent, force=force)[0]


def draw_map(record: Record, system: RuleSystem, order: MapContext) -> tuple[Document, MapPlan | None]:
    """Return the document of a map and its plan; for pixels per cell a picture of the board only, and None.

    Raises:
        PageError: the paper is too small.
        UsageError: a zone or sheet is unknown, or all sheets are skipped.
    """
    if order.pixels is not None:
        return picture_document(record, system, order, order.pixels), None
    plan = plan_map(record, system, order)
    return plan.document, plan

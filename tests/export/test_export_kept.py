"""Formats by name, and what each writes of a few pages: it stays as it was, told by sums."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from inks import ink_share
from PIL import Image
from sample_board import board

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import find_words as find_words
from printkit.drawing.canvas.items import Affine, Drawing, Ink, Layer, LayerName, Mask, PathRun, Picture, Rect
from printkit.drawing.canvas.plain import make_rectangle
from printkit.export import pdf, png, screen, svg
from printkit.export.writers import PAGES, RECORDS, RecordedField, RecordFormat
from printkit.options.printing import validate_formats
from printkit.page.bleed import with_bleed
from printkit.page.marks import Imprint
from printkit.page.sheet import Document, Flip, Page, Placement, find_sheet, page_of
from printkit.page.tiling import tile_drawing
from printkit.terrain.field.record import Record, record_parts, write

ENGLISH = find_words("en")


def pictured() -> Layer:
    """Return a layer with pictures that cover partly, one of them turned, and a tone beneath."""
    dots = Mask(30, 20, bytes((x * 37 + y * 11) % 256 for y in range(20) for x in range(30)))
    soft = Picture(paint=Ink(120, 60, 30), frame=Rect(20.0, 30.0, 60.0, 40.0), mask=dots)
    meadow = Picture(
        paint="meadow", frame=Rect(100.0, 50.0, 80.0, 60.0), mask=dots, turn=30.0, origin=(90.0, 40.0), veil=0.2
    )
    shape = PathRun((15000, 12000, 21000, 12000, 18000, 19000))
    cut = Picture(paint=Ink(20, 160, 30), frame=Rect(150.0, 120.0, 60.0, 70.0), clip=shape)
    return Layer(LayerName.RELIEF, (soft, meadow, cut, make_rectangle((60.0, 70.0, 30.0, 20.0), Ink(9, 90, 200, 0.3))))


def documents() -> Iterator[tuple[str, Document]]:
    plain = board()
    both = Drawing(plain.width, plain.height, (*plain.layers, pictured()))
    yield "one", Document(title="Oaks", pages=(page_of(both, label="map"),), subject="A map", keywords=("oak", "elm"))
    tiled = tile_drawing(both, find_sheet("a4"), imprint=Imprint(title="Oaks", seed="7"), words=ENGLISH)
    yield "tiles", Document(title="Oaks & Elms <7>", pages=tiled.pages, one_sided=True, language="es")
    yield "bleed", Document(title="Oaks", pages=(with_bleed(page_of(plain), 3.0),), flip=Flip.SHORT_EDGE)
    a3 = find_sheet("a3")
    halves = (
        Placement(both, Affine(0.6, 0.0, 0.0, 0.6, 20.0, 30.0), Rect(20.0, 30.0, 150.0, 100.0)),
        Placement(plain, Affine(0.0, 0.5, -0.5, 0.0, 250.0, 200.0)),
    )
    laid: tuple[Page, ...] = (
        a3.page(*halves, label="front", bookmark="Front"),
        a3.page(halves[1], label="back", back=True),
        a3.page(halves[0], label="again", bookmark="Again"),
    )
    yield "placed", Document(title="Oaks", pages=laid, flip=Flip.LONG_EDGE)
    yield "alone", Document(title="Oaks", pages=laid).select_pages(("again",))


def unpacked(data: bytes) -> bytes:
    """Return a PDF with every stream as it is before it is packed: how tightly a library packs is not ours."""
    made = BytesIO()
    with pikepdf.open(BytesIO(data)) as found:
        found.save(made, static_id=True, qdf=True, stream_decode_level=pikepdf.StreamDecodeLevel.generalized)
    return made.getvalue()


@pytest.mark.parametrize("name", ["one", "tiles", "bleed", "placed", "alone"])
def test_files_stay_as_they_were(name: str, kept_text: Callable[[str, str], None]) -> None:
    document = dict(documents())[name]
    parts = {"pdf": unpacked(pdf.data(document))}
    for number, page in enumerate(document.pages, 1):
        parts[f"svg {number}"] = svg.text(document, page).encode()
        for place, put in enumerate(page.placements, 1):
            parts[f"screen {number}.{place}"] = screen.text(put.drawing).encode()
    for number, picture in enumerate(png.pictures(document, 40.0), 1):
        parts[f"png {number}"] = np.asarray(picture).tobytes()
    with Image.open(BytesIO(png.render_transparent(document, 30.0))) as clear:
        parts["clear"] = np.asarray(clear).tobytes()
    parts["ink"] = f"{ink_share(document):.6f} {png.ink_estimate(document):.6f}".encode()
    kept_text("".join(f"{key} {sha256(data).hexdigest()[:24]}\n" for key, data in parts.items()), f"files-{name}")


NAMES = (*PAGES, *RECORDS)


def test_a_format_is_known_in_any_letters_and_writes_a_record_as_it_is(game: tuple[object, Record]) -> None:
    assert validate_formats([name.upper() for name in NAMES], PAGES, RECORDS) == (*NAMES,)
    assert {"pdf", "svg", "png", "json", "geojson"} <= set(NAMES)
    assert validate_formats(["PnG", "json", "png"], PAGES, RECORDS) == ("png", "json")
    text = write(game[1])
    assert {RECORDS[name].write(RecordedField(game[1])) for name in ("json", "geojson")} == {(text.encode(),)}


@pytest.mark.parametrize(
    ("kinds", "name", "said"),
    [
        ((PAGES, RECORDS), "doc", f"unknown format 'doc'; use one of {', '.join(NAMES)}"),
        ((PAGES, RECORDS), "", f"unknown format ''; use one of {', '.join(NAMES)}"),
        ((RECORDS,), "pdf", f"unknown format 'pdf'; use one of {', '.join(RECORDS)}"),
        ((PAGES,), "json", f"unknown format 'json'; use one of {', '.join(PAGES)}"),
    ],
)
def test_a_format_that_there_is_not_is_refused_by_what_was_asked_for(
    kinds: tuple[dict[str, object], ...], name: str, said: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        validate_formats([name], *kinds)


def test_a_format_of_records_is_one_function_and_one_line(
    table: Path, monkeypatch: pytest.MonkeyPatch, game_record: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """It is given the record, and a picture of the board at the scale and in the style of the map."""

    def walls(field: RecordedField) -> tuple[bytes, ...]:
        picture = field.draw_picture()
        shapes = [part.shapes[0].geom_type for part in record_parts(field.record)]
        return (json.dumps({"size": picture.size, "pixels": picture.pixels, "shapes": shapes}).encode(),)

    monkeypatch.setitem(RECORDS, "walls", RecordFormat(endings=("walls",), write=walls))
    board = json.loads(game_record.read_text(encoding="utf-8"))["board"]
    asked = ["map", "--from", str(game_record), "--to", "walls", "--style", "ink-saver", "--dressing", "none"]
    asked += ["--lang", "en", "--quiet"]
    assert run([*asked, "--out", "field.pdf"]) == 0
    written = json.loads((table / "field.walls").read_text(encoding="utf-8"))
    assert sorted(path.name for path in table.iterdir()) == ["field.json", "field.walls"]
    assert written["size"] == [round(board[side] / 25.4 * written["pixels"]) for side in ("width_mm", "depth_mm")]
    assert {"Polygon", "LineString"} <= set(written["shapes"])
    assert run([*asked, "--out", "-"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == written

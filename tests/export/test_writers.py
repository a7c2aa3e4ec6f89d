"""Formats by name: what is known and refused, and that a new one takes a function and a line in a table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.drawing.canvas.items import Drawing
from printkit.export.writers import FORMATS, PAGES, RECORDS, RecordedField, known
from printkit.terrain.field.record import Record, write


def test_a_format_is_known_in_any_letters() -> None:
    assert [known(name.upper(), PAGES, RECORDS) for name in FORMATS] == list(FORMATS)
    assert {"pdf", "svg", "png", "json", "geojson"} <= set(FORMATS)
    assert known("PnG", PAGES) == "png"
    assert known("json", RECORDS) == "json"


@pytest.mark.parametrize(
    ("kinds", "name", "said"),
    [
        ((PAGES, RECORDS), "doc", f"no format 'doc'; there are {', '.join(FORMATS)}"),
        ((PAGES, RECORDS), "", f"no format ''; there are {', '.join(FORMATS)}"),
        ((RECORDS,), "pdf", f"no format 'pdf'; there are {', '.join(RECORDS)}"),
        ((PAGES,), "json", f"no format 'json' for sheets; there are {', '.join(PAGES)}"),
    ],
)
def test_a_format_that_there_is_not_is_refused_by_what_was_asked_for(
    kinds: tuple[dict[str, object], ...], name: str, said: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        known(name, *kinds)


def test_a_record_is_written_as_it_is(game: tuple[object, Record]) -> None:
    text = write(game[1])
    assert {RECORDS[name](RecordedField(text)) for name in ("json", "geojson")} == {text.encode()}


def test_a_format_of_records_is_one_function_and_one_line(
    table: Path, monkeypatch: pytest.MonkeyPatch, game_record: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """It is given numbers, strings, and a picture of the board at the scale and in the style of the map."""

    def walls(field: RecordedField) -> bytes:
        record = json.loads(field.text)
        assert field.draw is not None
        picture = field.draw()
        assert isinstance(picture, Drawing)
        shapes = [feature["geometry"]["type"] for feature in record["features"]]
        return json.dumps({"size": [picture.width, picture.height], "shapes": shapes}).encode()

    monkeypatch.setitem(RECORDS, "walls", walls)
    board = json.loads(game_record.read_text(encoding="utf-8"))["board"]
    asked = [
        "map",
        "--from",
        str(game_record),
        "--to",
        "walls",
        "--scale",
        "1:4",
        "--style",
        "ink-saver",
        "--lang",
        "en",
    ]
    assert run([*asked, "--out", "field.pdf", "--quiet"]) == 0
    written = json.loads((table / "field.walls").read_text(encoding="utf-8"))
    assert sorted(path.name for path in table.iterdir()) == ["field.json", "field.walls"]
    assert written["size"] == pytest.approx([board["width_mm"] / 4, board["depth_mm"] / 4], abs=0.01)
    assert {"Polygon", "LineString"} <= set(written["shapes"])
    assert run([*asked, "--out", "-", "--quiet"]) == 0
    assert json.loads(capfdbinary.readouterr().out) == written

"""Formats by name: what is known and refused, and that a new one takes a function and a line in a table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.export.writers import PAGES, RECORDS, RecordedField, RecordFormat
from printkit.options.printing import known_formats
from printkit.terrain.field.record import Record, write

NAMES = (*PAGES, *RECORDS)


def test_a_format_is_known_in_any_letters_and_writes_a_record_as_it_is(game: tuple[object, Record]) -> None:
    assert known_formats([name.upper() for name in NAMES], PAGES, RECORDS) == (*NAMES,)
    assert {"pdf", "svg", "png", "json", "geojson"} <= set(NAMES)
    assert known_formats(["PnG", "json", "png"], PAGES, RECORDS) == ("png", "json")
    text = write(game[1])
    assert {RECORDS[name].write(RecordedField(text)) for name in ("json", "geojson")} == {(text.encode(),)}


@pytest.mark.parametrize(
    ("kinds", "name", "said"),
    [
        ((PAGES, RECORDS), "doc", f"no format 'doc'; there are {', '.join(NAMES)}"),
        ((PAGES, RECORDS), "", f"no format ''; there are {', '.join(NAMES)}"),
        ((RECORDS,), "pdf", f"no format 'pdf'; there are {', '.join(RECORDS)}"),
        ((PAGES,), "json", f"no format 'json'; there are {', '.join(PAGES)}"),
    ],
)
def test_a_format_that_there_is_not_is_refused_by_what_was_asked_for(
    kinds: tuple[dict[str, object], ...], name: str, said: str
) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(said)}$"):
        known_formats([name], *kinds)


def test_a_format_of_records_is_one_function_and_one_line(
    table: Path, monkeypatch: pytest.MonkeyPatch, game_record: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """It is given numbers, strings, and a picture of the board at the scale and in the style of the map."""

    def walls(field: RecordedField) -> tuple[bytes, ...]:
        record, picture = json.loads(field.text), field.pictured()
        shapes = [feature["geometry"]["type"] for feature in record["features"]]
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

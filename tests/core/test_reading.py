"""What anybody sends is read within bounds and steers nothing; a table for a spreadsheet runs nowhere."""

from __future__ import annotations

import ast
import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imports import PACKAGE, parsed, sources

from printkit.cli.app import run
from printkit.core.csv_text import csv_text, plain_cell
from printkit.core.reading import MOST_BYTES, plain, read_limited, read_utf8
from printkit.hexon.layout.stock_rows import stock_of_rows, with_rows


def test_a_file_is_read_up_to_a_size_with_lines_that_end_alike(tmp_path):
    path = tmp_path / "record.json"
    path.write_bytes(b"x" * MOST_BYTES)
    assert len(read_limited(path)) == MOST_BYTES
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    with pytest.raises(OSError, match="larger than 8 MB") as raised:
        read_utf8(path)
    assert raised.value.strerror == "it is larger than 8 MB, the largest file that printkit reads"
    path = tmp_path / "a.txt"
    path.write_bytes("ä\r\nb\rc\n".encode())
    assert read_utf8(path) == "ä\nb\nc\n"


@given(st.text())
def test_a_plain_text_can_be_written_everywhere(text):
    found = plain(text)
    assert found.encode("utf-8").decode("utf-8") == found
    assert plain(found) == found
    assert all(sign in "\n\t" or ord(sign) >= 32 for sign in found)


FORMULAS = ("=HYPERLINK(1)", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "'=1", "''=1")


@pytest.mark.parametrize("text", FORMULAS)
def test_no_text_begins_as_a_formula_does(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([[text, 4]]), newline=""))
    assert row == [f"'{text}", "4"]
    assert plain_cell(row[0]) == text


def test_numbers_and_other_texts_stay_as_they_are() -> None:
    assert csv_text([[-4, 0.5, "", None, "12", "road-straight", "it's", "'quoted'"]]) == (
        "-4,0.5,,,12,road-straight,it's,'quoted'\n"
    )
    assert csv_text([["a", "b;c"]], ";") == 'a;"b;c"\n'
    assert [plain_cell(text) for text in ("'quoted'", "-4", "'")] == ["'quoted'", "-4", "'"]


@given(st.text(st.sampled_from("=+-@'\t a1"), max_size=6))
def test_what_is_written_comes_back(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([["x", text]]), newline=""))
    assert plain_cell(row[1]) == text
    assert not row[1].startswith(("=", "+", "-", "@", "\t"))


@pytest.mark.parametrize("code", [text for text in FORMULAS if text.strip() == text])
def test_a_code_of_a_stock_is_read_back_as_it_was_written(code: str) -> None:
    text = csv_text([["piece", "own", "code"], ["singles", "4", code]])
    assert f"'{code}" in text
    assert stock_of_rows("stock.csv", text).codes == {"singles": code}
    assert stock_of_rows("stock.csv", with_rows(text, {"road-straight": 3})).codes == {"singles": code}


def test_a_list_of_parts_runs_nothing_that_a_stock_says(table: Path) -> None:
    (table / "stock.toml").write_text('[own]\nsingles = 8\n[codes]\nsingles = "=HYPERLINK(1)"\n', encoding="utf-8")
    command = ["hexon", "--seed", "1", "--stock", "stock.toml", "--to", "csv", "--out", "plan", "--quiet"]
    assert run([*command, "--lang", "en"]) == 0
    cells = [
        cell
        for path in table.rglob("*.csv")
        for row in csv.reader(io.StringIO(path.read_text(encoding="utf-8")))
        for cell in row
    ]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@"))]


def test_all_tables_are_written_by_the_one_writer() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in sources()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute)
        and node.attr in ("writer", "DictWriter")
        and ast.unparse(node.value) == "csv"
    }
    assert found == {"core/csv_text.py"}

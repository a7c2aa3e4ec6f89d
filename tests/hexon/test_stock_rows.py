"""A stock from a spreadsheet: what is read, and what is said of what cannot be (HX-05, HX-32)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.core.errors import BookError
from printkit.hexon.layout.stock import read_stock
from printkit.hexon.layout.stock_rows import stock_of_rows, with_rows


@pytest.mark.clause("HX-05")
@pytest.mark.parametrize(
    "text",
    [
        "piece,own,code,pack\nboards,21,,21\nsingles,20,HEXIIS/BR,10\nroad-straight,4,,\nA1,,,\n",
        "Pieza;Tengo;Código;Paquete\nboards;21,0;;21\nsingles;20;HEXIIS/BR;10\n;;;\nroad-straight;4\n",
        "Shelf\tName\tHave\tPacket\tProduct code\n"
        'x\tboards\t21.0\t21\t\n\tsingles\t20\t10\t"HEXIIS/BR"\n\troad-straight\t4\n',
    ],
)
def test_a_spreadsheet_is_read_however_it_is_written(text: str, tmp_path: Path) -> None:
    path = tmp_path / "tiles.csv"
    path.write_text("\ufeff" + text, encoding="utf-8")
    stock = read_stock(str(path))
    assert stock.own == {"boards": 21, "singles": 20, "road-straight": 4}
    assert stock.packs == {"boards": 21, "singles": 10}
    assert stock.codes == {"singles": "HEXIIS/BR"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the first row has no column piece; it needs one of piece, pieces"),
        ("piece,code\nboards,x\n", "the first row has no column own; it needs one of own, owned"),
        ("piece,own\nbords,3\n", "row 2: 'bords' is not a piece. Did you mean boards?"),
        ("piece,own\nwood,3\n", "row 2: 'wood' is not a piece. Write one of boards, singles, A1"),
        ("piece,own\n\nboards,many\n", "row 3, own: 'many' is not a count; write a whole number of at least 0"),
        ("piece;own\nboards;1,5\n", "row 2, own: '1,5' is not a count"),
        ("piece,own\nboards,-1\n", "row 2, own: '-1' is not a count"),
        ("piece,own,pack\nboards,1,0\n", "row 2, pack: '0' is not a count; write a whole number of at least 1"),
        ("piece,own\nboards,1\nsingles,2\nboards,3\n", "row 4: boards is already in row 2; add them up in one row"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_row(text: str, said: str) -> None:
    with pytest.raises(BookError, match=re.escape(f"tiles.csv: {said}")):
        stock_of_rows("tiles.csv", text)


def test_answers_go_into_rows_of_their_own() -> None:
    assert with_rows("piece;own\nboards;1", {"A1": 2}) == "piece;own\nboards;1\nA1;2\n"
    assert stock_of_rows("x", with_rows("code,own,piece\n,1,boards\n", {"A1": 2})).own == {"boards": 1, "A1": 2}


@pytest.mark.clause("HX-32")
def test_the_command_plans_by_a_spreadsheet(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tiles.csv").write_text("piece,own\nboards,21\nsingles,12\n", encoding="utf-8")
    given = ["hexon", "--rules", "portable-2", "--seed", "5", "--to", "csv", "--out", "out", "--quiet"]
    assert run([*given, "--stock", "tiles.csv"]) == 0
    parts = next((table / "out").glob("*-parts.csv")).read_text(encoding="utf-8")
    assert re.search(r"boards,\d+,21,", parts)
    assert run(["hexon", "--stock", "tiles.xlsx"]) == 2
    assert "--stock 'tiles.xlsx' does not exist" in capsys.readouterr().err
    Path("tiles.xlsx").touch()
    assert run(["hexon", "--stock", "tiles.xlsx"]) == 2
    assert "is not a TOML or CSV file" in capsys.readouterr().err

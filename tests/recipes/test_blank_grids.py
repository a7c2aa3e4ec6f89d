"""Empty grids from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from printkit.cli.app import run


@pytest.mark.clause("PW0-01", "PW0-15")
def test_an_empty_grid_has_the_cells_that_were_asked_for(table: Path) -> None:
    asked = ["--set", "grid=sq-10x10", "--cell", "20mm", "--to", "pdf"]
    assert run(["map", "--rules", "portable-2", "--blank", *asked, "--quiet", "--out", "grid.pdf"]) == 0
    said = json.loads((table / "grid.json").read_text(encoding="utf-8"))
    assert said["grid"] == {"shape": "square", "columns": 10, "rows": 10, "grain": "", "cell_mm": 20.0}
    assert (said["features"], said["log"], said["board"]["width_mm"]) == ([], [], 200.0)
    assert (table / "grid.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.usefixtures("table")
def test_no_empty_grid_is_thrown_for_and_rules_without_cells_have_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "--rules", "brantley", "--blank"]) == 2
    assert "brantley plays on a board without cells" in capsys.readouterr().err
    assert run(["map", "--rules", "portable-2", "--blank", "--dice", "1 2 3"]) == 2
    assert "--blank rolls nothing" in capsys.readouterr().err

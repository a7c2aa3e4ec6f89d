"""Files are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from printkit.core.errors import PageError
from printkit.export.files import numbered
from printkit.export.placing import replacing


def test_a_file_appears_when_it_is_whole_in_a_folder_that_is_there(tmp_path):
    target = tmp_path / "map.pdf"
    target.write_text("old")
    with replacing(target) as unfinished:
        unfinished.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["map.pdf"]
    target = tmp_path / "nowhere" / "map.pdf"
    with pytest.raises(PageError, match="nowhere"), replacing(target) as unfinished:
        unfinished.write_text("x")
    assert numbered(Path("out/map.svg"), 1) == (Path("out/map.svg"),)
    assert numbered(Path("out/map.svg"), 12)[8] == Path("out/map-09.svg")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path, error):
    target = tmp_path / "map.pdf"
    target.write_text("old")

    def write() -> None:
        with replacing(target) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["map.pdf"]

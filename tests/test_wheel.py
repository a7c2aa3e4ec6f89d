"""What a wheel holds: the package with its fonts and templates, their licences, and nothing of the workshop."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel with the backend that is installed; nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    script = f"import os; os.chdir({str(ROOT)!r}); import hatchling.build as b; print(b.build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return zipfile.ZipFile(folder / done.stdout.strip())


def kept(folder: str, *endings: str) -> set[str]:
    """Return the files of a folder of the repository that belong to it, by their paths."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix in endings and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_package_its_fonts_and_its_templates(wheel: zipfile.ZipFile) -> None:
    data = kept("fonts", ".ttf", ".otf", ".txt") | kept("templates", ".toml", ".txt", ".json")
    expected = kept("printkit", ".py") | {f"printkit/{name}" for name in data}
    found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert found == expected
    assert len(data) > 20


def test_licences_and_entry_point_come_along(wheel: zipfile.ZipFile) -> None:
    names = {name.split(".dist-info/")[1]: name for name in wheel.namelist() if ".dist-info/" in name}
    licences = {path.name for path in (ROOT / "fonts").glob("OFL-*.txt")} | {"LICENSE"}
    assert licences == {name.rsplit("/", 1)[1] for name in names if name.startswith("licenses/")}
    assert "printkit = printkit.__main__:main" in wheel.read(names["entry_points.txt"]).decode()
    assert "License-Expression: MIT AND OFL-1.1" in wheel.read(names["METADATA"]).decode()

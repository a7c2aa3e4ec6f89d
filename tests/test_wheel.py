"""What a wheel holds: the package with its fonts and templates, their licences, and nothing of the workshop."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from printkit import __version__

ROOT = Path(__file__).parents[1]

PLACES = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "constraints.txt"),
    *(".ci", "docs", "printkit", "templates", "benchmarks"),
)
"""Where people are told how printkit is set up."""

STRANGER = re.compile(
    r"\b(?:pipx? (?:install|upgrade|run)|uv(?: tool| pip)? (?:install|add)|uvx)\b"
    r"[^\n`;&|#]*?(?<![\w./-])printkit(?![\w/-])"
)
"""The package index has another program under the short name: nobody may be sent there for ours."""


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


def test_the_wheel_holds_the_package_its_licences_and_its_entry_point_under_its_own_name(
    wheel: zipfile.ZipFile,
) -> None:
    data = kept("fonts", ".ttf", ".otf", ".txt") | kept(
        "templates", ".toml", ".txt", ".json", ".html", ".css", ".js", ".jpg", ".png", ".icc", ".zip", ""
    )
    pages = (".css", ".html", ".jpg", ".js", ".json", ".svg", ".woff2")
    expected = kept("printkit", ".py", ".typed", *pages) | {f"printkit/{name}" for name in data}
    found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert found == expected
    assert len(data) > 20
    names = {name.split(".dist-info/")[1]: name for name in wheel.namelist() if ".dist-info/" in name}
    licences = {path.name for path in (ROOT / "fonts").glob("OFL-*.txt")} | {"LICENSE", "THIRD-PARTY.md"}
    assert licences == {name.rsplit("/", 1)[1] for name in names if name.startswith("licenses/")}
    assert "printkit = printkit.__main__:main" in wheel.read(names["entry_points.txt"]).decode()
    assert "License-Expression: MIT AND OFL-1.1" in wheel.read(names["METADATA"]).decode()
    file = Path(str(wheel.filename)).name
    assert re.fullmatch(r"wargame_printkit-[\d.]+-py3-none-any\.whl", file)
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    assert {"Name: wargame-printkit", f"Version: {__version__}"} <= set(wheel.read(metadata).decode().splitlines())


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pip install printkit", True),
        ('pip install --upgrade "printkit[bench]"', True),
        ("pipx install printkit", True),
        ("uv tool install printkit==0.1.0", True),
        ("uv add printkit", True),
        ("pip install -c constraints.txt . ` and then `printkit map", False),
        ("uvx printkit map", True),
        ("pip install wargame-printkit", False),
        ('pip install ".[bench]"', False),
        ("pip install distributed # which printkit needs", False),
        ("pip install ./printkit", False),
    ],
)
def test_a_wrong_name_is_seen_where_one_installs(text: str, wrong: bool) -> None:
    assert bool(STRANGER.search(text)) is wrong


def test_nobody_is_told_to_install_another_program() -> None:
    paths = [path for name in PLACES for path in (ROOT / name, *(ROOT / name).rglob("*"))]
    texts = {
        path: path.read_text(encoding="utf-8")
        for path in paths
        if path.is_file() and path.suffix in ("", ".md", ".py", ".toml", ".txt")
    }
    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}" for path, text in texts.items() for match in STRANGER.finditer(text)
    ]
    assert wrong == []

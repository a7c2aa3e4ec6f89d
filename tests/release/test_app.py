"""The stand-alone program: packing, sums, its menu entry under Linux, and what its READ ME says."""

from __future__ import annotations

import configparser
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGING: Final = ROOT / "packaging"
READ_ME: Final = (PACKAGING / "READ ME FIRST.txt").read_text("utf-8")

sys.path.insert(0, str(ROOT / "tools" / "release"))

import app  # noqa: E402


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """Return a folder as the build leaves it, with a program and a link."""
    folder = tmp_path / "app"
    (folder / "printkit").mkdir(parents=True)
    program = folder / "printkit" / "printkit"
    program.write_text("#!/bin/sh\n", "utf-8")
    program.chmod(0o755)
    if os.name == "posix":
        (folder / "printkit" / "link").symlink_to("printkit")
    return folder


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS packs with ditto")
def test_the_packed_folder_keeps_programs_and_links_and_has_a_sum(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "dist"
    for version in ("1.0.0", "1.0.1"):
        assert app.main(["--out", str(built), "--pack", str(out / f"printkit-{version}-linux")]) == 0
    suffix = "tar.gz" if sys.platform == "linux" else "zip"
    packed = [out / f"printkit-{version}-linux.{suffix}" for version in ("1.0.0", "1.0.1")]
    assert str(packed[1]) in capsys.readouterr().out
    lines = (out / "SHA256SUMS").read_text("utf-8").splitlines()
    assert lines == [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in packed]
    if suffix == "zip":
        assert "printkit/printkit" in zipfile.ZipFile(packed[0]).namelist()
        return
    with tarfile.open(packed[0]) as archive:
        assert archive.getmember("printkit/printkit").mode & 0o111
        assert archive.getmember("printkit/link").linkname == "printkit"


def test_nothing_is_packed_before_it_is_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app.main(["--out", str(tmp_path / "none"), "--pack", str(tmp_path / "x")])
    assert "build it first" in capsys.readouterr().err


def _install(folder: Path, home: Path, *options: str, lang: str = "C") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": lang}
    command = [str(folder / "install-icon"), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="the menu entry is for Linux")
@pytest.mark.parametrize("name", ["printkit", "Año nuevo", 'it\'s "5 $" & 50%', "back\\slash `x`"])
def test_the_menu_entry_starts_the_program_in_any_folder_and_is_removed(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    folder.mkdir()
    shutil.copy(PACKAGING / "install-icon", folder)
    path = tmp_path / ".local/share/applications/printkit-studio.desktop"
    assert "is in the menu now" in _install(folder, tmp_path).stdout
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read_string(path.read_text("utf-8"))
    values = dict(entry["Desktop Entry"])
    # By the specification, the value is unescaped first, then the quoted argument in it, then its field codes.
    argument = re.fullmatch('"(.*)"', values["Exec"].replace("\\\\", "\\"))
    assert argument is not None
    assert re.sub(r'\\(["`$\\])', r"\1", argument[1]).replace("%%", "%") == str(folder / "printkit-studio")
    assert values["Icon"].replace("\\\\", "\\") == str(folder / "_internal" / "icon.png")
    assert _install(folder, tmp_path, "--help").returncode == 2
    assert "ya no está en el menú" in _install(folder, tmp_path, "--remove", lang="es_ES.UTF-8").stdout
    assert not path.exists()
    assert _install(folder, tmp_path, "--remove").returncode == 0


def test_the_read_me_says_what_the_documentation_says() -> None:
    page = (ROOT / "docs" / "guide" / "install.md").read_text("utf-8")
    for english in (
        "Extract the ZIP first; the program does not run from inside it.",
        "Download the new folder, delete the old one.",
        "Allow it for private networks.",
        "./install-icon --remove",
    ):
        assert all(" ".join(english.split()) in " ".join(text.split()) for text in (READ_ME, page)), english
    english, spanish = READ_ME.split("EN ESPAÑOL")
    assert english.count("\n\n") == pytest.approx(spanish.count("\n\n"), abs=3)
    assert max(map(len, READ_ME.splitlines())) <= 120

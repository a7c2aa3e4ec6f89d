"""A language of a person whose files cannot be read: one notice that names file and line, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BROKEN = {
    "no equals sign": (b'"a" = "b"\n\nbroken "x"\n', "at line 3"),
    "windows-1252": (b'"a" = "b"\n"c" = "\xe9"\n', "line 2 is not text in UTF-8"),
    "utf-16": ('"a" = "b"\n'.encode("utf-16"), "line 1 is not text in UTF-8"),
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("how", ["--lang", "LANG", "a command that fails"])
def test_a_file_of_messages_that_cannot_be_read_is_left_out(kind: str, how: str, tmp_path: Path) -> None:
    text, said = BROKEN[kind]
    folder = tmp_path / "printkit" / "languages"
    (folder / "words" / "fr").mkdir(parents=True)
    (folder / "messages" / "fr").mkdir(parents=True)
    (folder / "messages" / "fr" / "cli.toml").write_bytes(text)
    language = ["--lang", "fr"] if how == "--lang" else ["--rules", "nosuch"] if how != "LANG" else []
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    done = subprocess.run(
        [sys.executable, "-m", "printkit", "map", "--seed", "1", "--plan", *language],
        cwd=tmp_path,
        env={**plain, "XDG_CONFIG_HOME": str(tmp_path), "LANG": "fr_FR.UTF-8", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == (2 if "nosuch" in language else 0)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("left out") == 1
    assert str(folder / "messages" / "fr" / "cli.toml") in done.stderr
    assert said in done.stderr


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("file", ["messages/fr/cli.toml", "words/fr/map.toml"])
def test_what_a_broken_language_lacks_is_listed(kind: str, file: str, tmp_path: Path) -> None:
    folder = tmp_path / "printkit" / "languages"
    for part in ("words", "messages"):
        (folder / part / "fr").mkdir(parents=True)
    (folder / file).write_bytes(BROKEN[kind][0])
    done = subprocess.run(
        [sys.executable, "-m", "printkit", "words", "fr", "--lang", "en"],
        cwd=tmp_path,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert "fault of printkit" not in done.stderr

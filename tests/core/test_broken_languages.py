"""A language of a person whose files cannot be read: one notice that names file and line, and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from imports import ROOT

BROKEN = {
    "no equals sign": (b'"a" = "b"\n\nbroken "x"\n', "at line 3"),
    "windows-1252": (b'"a" = "b"\n"c" = "\xe9"\n', "line 2 is not text in UTF-8"),
    "utf-16": ('"a" = "b"\n'.encode("utf-16"), "line 1 is not text in UTF-8"),
}


def printkit(home: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a person who has this folder of his own."""
    return python(home, "-m", "printkit", *words, **environment)


def python(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python for a person who has this folder of their own."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG"))}
    own = {"XDG_CONFIG_HOME": str(home), "PYTHONUTF8": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=home, env=plain | own | environment, capture_output=True, text=True, check=False, timeout=60
    )


def broken(home: Path, kind: str, file: str) -> Path:
    """Break a file of a language, and return it."""
    folder = home / "printkit" / "languages"
    for part in ("words", "messages"):
        (folder / part / "fr").mkdir(parents=True)
    (folder / file).write_bytes(BROKEN[kind][0])
    return folder / file


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("how", ["--lang", "LANG", "a command that fails"])
def test_a_file_of_messages_that_cannot_be_read_is_left_out(kind: str, how: str, tmp_path: Path) -> None:
    file = broken(tmp_path, kind, "messages/fr/cli.toml")
    language = ["--lang", "fr"] if how == "--lang" else ["--rules", "nosuch"] if how != "LANG" else []
    done = printkit(tmp_path, "map", "--seed", "1", "--plan", *language, LANG="fr_FR.UTF-8")
    assert done.returncode == (2 if "nosuch" in language else 0)
    assert "Traceback" not in done.stderr
    assert done.stderr.count("left out") == 1
    assert str(file) in done.stderr
    assert BROKEN[kind][1] in done.stderr


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("file", ["messages/fr/cli.toml", "words/fr/map.toml"])
def test_what_a_broken_language_lacks_is_listed(kind: str, file: str, tmp_path: Path) -> None:
    broken(tmp_path, kind, file)
    done = python(tmp_path, str(ROOT / "tools" / "languages.py"), "fr")
    assert done.returncode == 0, done.stderr
    assert "sentences are missing" in done.stdout

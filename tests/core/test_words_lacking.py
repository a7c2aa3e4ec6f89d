"""A language that is not complete or cannot be read: what it lacks is English, with one notice and no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from imports import ROOT

from printkit.cli.app import run
from printkit.console import terminal
from printkit.core import resources, words
from printkit.core.words import catalogue, find_words

sys.path.insert(0, str(ROOT / "tools" / "languages"))

import missing_texts

FRENCH = """
[kind]
hill = "Colline"

[handouts]
origin = "{title}: {nothing}"
"""


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the person's own folder of languages, with a few words of French."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(terminal, "own_languages", lambda: tmp_path / "languages")
    monkeypatch.setattr(terminal, "_JOINED", [])
    monkeypatch.setattr(resources, "_BROUGHT", list(resources._BROUGHT))
    folder = tmp_path / "languages" / "words" / "fr"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(FRENCH, encoding="utf-8")
    words.clear_caches()
    yield tmp_path / "languages"
    monkeypatch.undo()
    words.clear_caches()
    terminal.set_language(["--lang", "en"])


def test_a_folder_of_the_person_is_a_language(home: Path) -> None:
    assert home.is_dir()
    assert terminal.languages_known() == ["en", "es", "fr"]
    assert find_words("fr")("kind.hill") == "Colline"
    assert find_words("fr+en")("kind.hill").startswith("Colline · ")


@pytest.mark.usefixtures("home")
def test_what_a_language_lacks_or_asks_otherwise_is_english() -> None:
    terminal.languages_known()
    french, english = find_words("fr"), find_words("en")
    assert words.incomplete_languages() == ()
    assert french("kind.hill") != english("kind.hill")
    assert french.has("kind.rise")
    assert french("kind.rise") == english("kind.rise")
    assert french("handouts.file.cards", deck="A", count=2) == english("handouts.file.cards", deck="A", count=2)
    assert words.incomplete_languages() == ("fr",)
    terminal.languages_known()
    assert "{nothing}" in catalogue("fr")["handouts.origin"]
    assert find_words("fr")("handouts.origin", title="A", rules="B") == find_words("en")(
        "handouts.origin", title="A", rules="B"
    )


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("said", [["--lang", "fr"], []])
def test_a_map_is_printed_with_one_notice(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not said:
        monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert run(["specimen", *said, "--out", str(tmp_path / "specimen.pdf")]) == 0
    told = capsys.readouterr().err
    assert told.count("some texts are missing in fr") == 1


@pytest.mark.usefixtures("home")
def test_what_lacks_is_listed_and_written_to_files_to_fill_in(capsys: pytest.CaptureFixture[str]) -> None:
    missing_texts.main(["fr", "--missing"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("words/fr/terrain.toml: ")
    assert not any("kind.hill =" in line for line in lines)
    missing = missing_texts.find_missing("fr")
    assert lines[-1] == f"fr: {len(missing)} sentences are missing in {len({text.file for text in missing})} files"
    files = missing_texts.build_files(missing_texts.find_missing("de"))
    assert next(iter(files)) == "words/de/terrain.toml"
    filled = {
        key
        for name, text in files.items()
        if name.startswith("words")
        for key, _ in words._leaves(tomllib.loads(text.replace("# ", "")), "")
    }
    assert filled == set(catalogue("en"))
    assert not [name for name, text in files.items() if name[0] != "n" and [*words._leaves(tomllib.loads(text), "")]]


@pytest.mark.usefixtures("home")
def test_files_are_written_and_others_are_overwritten_only_by_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["fr", "--out", str(tmp_path / "mine")]
    missing_texts.main(line)
    file = tmp_path / "mine" / "words" / "fr" / "terrain.toml"
    assert str(file) in capsys.readouterr().out
    text = file.read_text(encoding="utf-8")
    file.write_text("[kind]\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="terrain"):
        missing_texts.main(line)
    missing_texts.main([*line, "--force"])
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("code", ["en", "../es"])
def test_english_and_other_texts_are_not_accepted_as_a_language(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        missing_texts.main([code])
    assert "is not the code of a language" in capsys.readouterr().err


def test_spanish_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    missing_texts.main(["es"])
    assert "es: 0 sentences are missing in 0 files" in capsys.readouterr().out


BROKEN = {
    "no equals sign": (b'"a" = "b"\n\nbroken "x"\n', "line 3: "),
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
    assert done.stderr.count("skipped") == 1
    assert str(file) in done.stderr
    assert BROKEN[kind][1] in done.stderr


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("file", ["messages/fr/cli.toml", "words/fr/map.toml"])
def test_what_a_broken_language_lacks_is_listed(kind: str, file: str, tmp_path: Path) -> None:
    broken(tmp_path, kind, file)
    done = python(tmp_path, str(ROOT / "tools" / "languages" / "missing_texts.py"), "fr")
    assert done.returncode == 0, done.stderr
    assert "sentences are missing" in done.stdout

"""A language that is not complete: what it lacks is English, with one notice; a folder of the person's is enough."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from printkit.cli.app import run
from printkit.console import terminal
from printkit.core import resources, words
from printkit.core.words import catalogue, find
from printkit.recipes.output.translations import lack_files, lacks_of

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
    words.forget()
    yield tmp_path / "languages"
    monkeypatch.undo()
    words.forget()
    terminal.speak(["--lang", "en"])


def test_a_folder_of_the_person_is_a_language(home: Path) -> None:
    assert home.is_dir()
    assert terminal.languages_known() == ["en", "es", "fr"]
    assert find("fr")("kind.hill") == "Colline"
    assert find("fr+en")("kind.hill").startswith("Colline · ")


@pytest.mark.usefixtures("home")
def test_what_a_language_lacks_or_asks_otherwise_is_english() -> None:
    terminal.languages_known()
    french, english = find("fr"), find("en")
    assert words.lacking() == ()
    assert french("kind.hill") != english("kind.hill")
    assert french.has("kind.rise")
    assert french("kind.rise") == english("kind.rise")
    assert french("handouts.file.cards", deck="A", count=2) == english("handouts.file.cards", deck="A", count=2)
    assert words.lacking() == ("fr",)
    terminal.languages_known()
    assert "{nothing}" in catalogue("fr")["handouts.origin"]
    assert find("fr")("handouts.origin", title="A", rules="B") == find("en")("handouts.origin", title="A", rules="B")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("said", [["--lang", "fr"], []])
def test_a_map_is_printed_with_one_notice(
    said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not said:
        monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")
    assert run(["specimen", *said, "--out", str(tmp_path / "specimen.pdf")]) == 0
    told = capsys.readouterr().err
    assert told.count("some words are not there in fr") == 1


@pytest.mark.usefixtures("home")
def test_what_lacks_is_listed_and_written_to_files_to_fill_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["words", "fr", "--missing"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("words/fr/terrain.toml: ")
    assert not any("kind.hill =" in line for line in lines)
    lacks = lacks_of("fr")
    assert lines[-1] == f"fr: {len(lacks)} sentences are missing in {len({each.file for each in lacks})} files"
    files = lack_files(lacks_of("de"))
    assert next(iter(files)) == "words/de/terrain.toml"
    filled = {
        key
        for name, text in files.items()
        if name.startswith("words")
        for key, _ in words._leaves(tomllib.loads(text.replace("# ", "")), "")
    }
    assert filled == set(catalogue("en"))
    assert not [name for name, text in files.items() if name[0] != "n" and [*words._leaves(tomllib.loads(text), "")]]


def test_english_and_what_is_no_code_lack_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["words", "en"]) == run(["words", "../es"]) == 2
    assert "is no code of a language" in capsys.readouterr().err
    assert run(["words", "es"]) == 0
    assert "es: 0 sentences are missing in 0 files" in capsys.readouterr().out

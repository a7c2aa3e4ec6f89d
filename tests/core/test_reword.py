"""The tool that changes messages in the code, in translations, and in texts that quote them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from printkit.core.words import message_file

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "languages"
sys.path.insert(0, str(TOOL))

import reword  # noqa: E402

LIST = "no {what!r} here; there are {known}\tunknown {what!r}; use {known}\tno existe {what!r}; usa {known}\n"


@pytest.fixture
def wording(tmp_path: Path) -> dict[str, reword.NewWording]:
    (tmp_path / "list.tsv").write_text(LIST, encoding="utf-8")
    return reword.read_list(tmp_path / "list.tsv")


def test_code_and_texts_with_values_follow_a_new_message(wording: dict[str, reword.NewWording]) -> None:
    code = (
        'def f():\n    raise E(\n        "no {what!r} here; "\n        "there are {known}",\n        what=1,\n    )\n'
    )
    assert reword.change_python(code, wording) == (
        'def f():\n    raise E(\n        "unknown {what!r}; use {known}",\n        what=1,\n    )\n'
    )
    patterns = reword.filled_patterns(
        {"the size of {what} is wrong; there are {known}": reword.NewWording("bad {what}")}
    )
    assert reword.change_filled("> the size of a sheet is wrong; there are 3", patterns) == "> bad a sheet"
    assert reword.change_python('"""no {what!r} here; there are {known}"""\n', wording).startswith('"""no')


def test_a_folder_of_a_translator_gets_new_keys_and_keeps_its_texts(tmp_path: Path) -> None:
    file = tmp_path / "messages" / "fr" / "own.toml"
    file.parent.mkdir(parents=True)
    file.write_text('"kept in {path}" = "enregistré : {path}"\nother = "autre"\n', encoding="utf-8")
    reword.main([str(TOOL / "reworded.tsv"), "--folder", str(tmp_path)])
    assert file.read_text(encoding="utf-8") == '"saved in {path}" = "enregistré : {path}"\nother = "autre"\n'


def test_every_new_message_of_the_list_is_one_that_is_translated() -> None:
    keys = {key for path in (ROOT / "templates/messages/es").iterdir() for key in message_file("es", path.name)}
    new = {wording.english for wording in reword.read_list(TOOL / "reworded.tsv").values()}
    assert new - keys == set()


def test_a_list_that_adds_a_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text("no {what}\tno {other}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has other values"):
        reword.read_list(tmp_path / "list.tsv")

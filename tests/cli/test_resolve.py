"""Words that people type in place of those of printkit: taken, or answered in one sentence."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from printkit.cli.app import all_commands, run
from printkit.console.resolve import plain_key, resolve, synonyms_of
from printkit.options.table import command_rows, read_command
from printkit.systems.solo.armies.army_files import sample_names

COMMANDS = all_commands()
TABLES = {code: synonyms_of(code) for code in ("en", "es")}
FLAGS = {row.flag for command in COMMANDS.values() if command.call for row in command_rows(command)}


def options_of(name: str) -> dict[str, bool]:
    """Return the options of a command, and whether each takes a value."""
    command = COMMANDS[name]
    return {row.flag: bool(row.option.value) for row in command_rows(command)} if command.call else {}


def meaning(line: str, language: str = "en") -> str | None:
    """Return the line that printkit takes for another, or its sentence about it."""
    meant = resolve(shlex.split(line), TABLES[language], COMMANDS, options_of)
    return meant if meant is None or isinstance(meant, str) else shlex.join(meant.words)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("help", "--help"),
        ("generate --seed 7", "map --seed 7"),
        ("Game-Night --seed 7", "handouts --seed 7"),
        ("solo armies", "npg armies"),
        ("map seed 7 paper a3", "map --seed 7 --sheet a3"),
        ("map --paper=a3 -n", "map --sheet a3 --plan"),
        ("map '36\"' --colour", "map --board 36in --style campaign"),
        ("map --style B/W --sheet us_letter", "map --style ink-saver --sheet letter"),
        ("map --style=mat", "map --style painted"),
        ("--lang en map --preview", "--lang en map --plan"),
    ],
)
def test_a_word_with_one_meaning_is_taken(typed: str, meant: str) -> None:
    assert meaning(typed) == meant


@pytest.mark.parametrize(
    "typed", ["map --seed 7", "map --foo", "map --seed", "nonsense", "", "--foo", "map --color=yes"]
)
def test_other_words_stay_as_they_are(typed: str) -> None:
    assert meaning(typed) is None


def test_a_value_is_no_word_of_the_table() -> None:
    """A folder may be called ``help``, and a file ``fit``."""
    assert meaning("box show fit") is None
    assert meaning("check install") is None
    assert meaning("box show fit --paper a3") == "box show fit --sheet a3"
    assert meaning("map --out help --from print") is None
    assert meaning("map --colour --out seed") == "map --style campaign --out seed"


def test_a_row_counts_only_where_the_command_has_the_option() -> None:
    assert meaning("rules --colour") is None
    assert meaning("check field.json --preview") is None


@pytest.mark.parametrize("language", TABLES)
def test_every_row_of_the_table_has_an_effect(language: str) -> None:
    table = TABLES[language]
    with_option = {flag: next(name for name in COMMANDS if flag in options_of(name)) for flag in FLAGS}
    for word, meant in table.replace.word.items():
        assert word not in COMMANDS
        assert meaning(word, language) == meant
    for typed, flag in table.replace.option.items():
        command = next(name for name in COMMANDS if flag in options_of(name) and typed not in options_of(name))
        assert meaning(f"{command} {typed}", language) == f"{command} {flag}"
    for typed, words in table.replace.flag.items():
        command = with_option[words.split()[0]]
        assert meaning(f"{command} {typed}", language) == f"{command} {words}"
    for typed, flag in table.replace.phrase.items():
        assert meaning(f"{with_option[flag]} {typed} x", language) == f"{with_option[flag]} {flag} x"
    assert {*table.replace.army.values()} - {"roman"} <= {*sample_names()}
    for name, values in table.replace.value.items():
        for typed, meant in values.items():
            command = with_option[f"--{name}"]
            assert meaning(f"{command} --{name} {typed}", language) == f"{command} --{name} {meant}"
    for word, sentence in table.answers.items():
        assert meaning(f"map {word}" if word.startswith("-") else word, language) == sentence


@pytest.mark.parametrize("language", TABLES)
def test_no_word_of_the_table_is_a_real_one(language: str) -> None:
    table = TABLES[language]
    assert not {plain_key(name) for name in COMMANDS if " " not in name} & {
        plain_key(word) for word in table.replace.word
    }
    assert not {*table.replace.flag, *table.answers} & options_of("map").keys()


def test_every_sentence_is_there_in_spanish() -> None:
    assert {*TABLES["en"].answers} <= {*TABLES["es"].answers}
    assert all(TABLES["es"].answers[word] != sentence for word, sentence in TABLES["en"].answers.items())


@pytest.mark.parametrize("language", TABLES)
def test_every_command_of_a_sentence_runs(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    hints = {
        hint.strip(" .,")
        for sentence in TABLES[language].answers.values()
        for hint in re.findall(r"printkit ((?:[^.:;,()¿]|\.(?=\w))+)", sentence)
    }
    commands = {hint.split()[0] for hint in hints if hint.split()[0] in COMMANDS}
    assert commands >= {"map", "hexon", "cards", "npg", "deal", "studio"}
    for hint in sorted(hints):
        words = hint.split()
        if words[0] not in COMMANDS or "FILE" in hint or "FICHERO" in hint or words[0] == "studio":
            continue
        plan = ["--plan"] if words[0] in ("map", "hexon", "cards", "deal") else []
        assert run([*words, *plan]) == 0, hint + capsys.readouterr().err


LINES = Path(__file__).with_name("naive.txt").read_text(encoding="utf-8").splitlines()
NAIVE = [line for line in LINES if line and line[0] != "#"]


@pytest.mark.parametrize("line", NAIVE)
def test_a_naive_line_has_a_useful_answer(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed, sign, answer = re.split(r" ([=!+]) ", line, maxsplit=1)
    if sign == "=":
        assert meaning(typed) == answer
        words = shlex.split(answer)
        if not answer.startswith("--") and COMMANDS[words[0]].call:
            read_command(COMMANDS[words[0]], words[1:])
        return
    monkeypatch.chdir(tmp_path)
    Path("junk.json").write_text("{}")
    Path("empty.json").touch()
    Path("folder").mkdir()
    status = run([*shlex.split(typed), "--lang", "en"] if " " in typed else shlex.split(typed))
    shown = capsys.readouterr()
    assert answer in (shown.err if sign == "!" else shown.out)
    assert (status == 0) == (sign == "+")


def test_naive_lines_have_all_words_of_the_table() -> None:
    """Each word of the table of synonyms begins a line of its own, or is one of its words."""
    replace = TABLES["en"].replace
    tables = (replace.word, replace.option, replace.flag, replace.phrase, TABLES["en"].answers, *replace.value.values())
    typed = {word for line in NAIVE for word in shlex.split(re.split(r" [=!+] ", line)[0])}
    assert [word for table in tables for word in table if word not in typed] == []
    assert len(typed) > 148


def test_the_line_is_read_again_and_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "seed", "7", "--preview", "--lang", "en"]) == 0
    shown = capsys.readouterr()
    assert "seed 7" in shown.out
    assert shown.err.splitlines()[:2] == ["taking seed 7 as --seed 7", "taking --preview as --plan"]
    assert run(["map", "--landscape", "--lang", "es"]) == 2
    assert capsys.readouterr().err.startswith("printkit: Los mapas se imprimen en la orientación")
    assert run(["map", "--", "--landscape"]) == 2
    assert "orientation" not in capsys.readouterr().err

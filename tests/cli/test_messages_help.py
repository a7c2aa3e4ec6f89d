"""``--help``, ``--ask`` and the command line in other languages: every text has its line, and none is idle."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_lines import Captured

from printkit.chance.dice import Act, Question
from printkit.cli.app import ABOUT, all_commands, run
from printkit.console import help as help_text
from printkit.console.prompts import build_prompter
from printkit.console.terminal import VALUE_NAME, language, said, set_language, translate_log_text
from printkit.core.errors import DiceError, Sentence
from printkit.core.resources import names
from printkit.core.words import find_words, phrases
from printkit.export.writers import PAGES
from printkit.options.table import command_rows

LANGUAGES = [code for code in names("templates/words") if code != "en"]


@pytest.fixture(autouse=True)
def _english_locale(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("COLUMNS", "80")
    yield
    set_language(["--lang", "en"])


def _texts() -> dict[str, str]:
    """Return every text of the help of a command, and every name of a value, with a command that says it."""
    found = dict.fromkeys(help_text.WORDS, "every help") | {ABOUT: "printkit", "CODE": "printkit --lang"}
    for path, command in all_commands().items():
        found.setdefault(command.about, path)
        for row in command_rows(command) if command.call else ():
            for text in filter(None, (row.option.help, row.option.usual, row.option.title)):
                found.setdefault(text, f"{path} {row.flag}")
            for name in VALUE_NAME.findall(row.option.value):
                found.setdefault(name, f"{path} {row.flag}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_explains_all_that_help_tells_and_nothing_else(language: str) -> None:
    """Options, ``[10mm]`` and the like are typed as they stand, and may not be lost."""
    own, asked = phrases(language, "help"), _texts()
    assert [f"{where}: {text}" for text, where in asked.items() if text not in own] == []
    assert [text for text in own if text not in asked] == []
    kept = re.compile(r"--[a-z-]+|@|\b\d[\w./-]*\b|\b(?:pdf|svg|png|json|csv|brantley)\b")
    assert [text for text, said in own.items() if set(kept.findall(text)) != set(kept.findall(said))] == []


def _help(line: str, capsys: Captured) -> str:
    assert run(line.split()) == 0
    return capsys.readouterr().out


def test_help_is_in_the_language_asked_for_or_of_the_locale(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    told = _help("map --help-all --lang es", capsys)
    assert told.startswith("Uso: printkit map [OPCIONES]\n")
    assert "\nPapel y tamaño:\n" in told
    assert "--set NOMBRE=VALOR " in told
    assert re.search(r"--count N +\S.*\[1\]\n", told)
    assert not re.search(r"(?<!-)\b(the|with|default|of)\b", told)
    told = _help("check --help --lang es", capsys)
    assert told.startswith("Uso: printkit check [OPCIONES] REGISTRO\n")
    assert re.search(r"Argumentos:\n  REGISTRO  \S", told)
    told = _help("cards --help", capsys)
    assert told.startswith("Usage: printkit cards [OPTIONS] [DECK]\n")
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert _help("--help", capsys).startswith("Uso: printkit ORDEN [OPCIONES]\n")
    assert "todo en tu navegador" in _help("", capsys)


@pytest.mark.parametrize("line", ["--help --lang es", "--lang es --help", "npg --help --lang es", "--lang=es npg"])
def test_help_of_a_group_lists_its_commands_in_the_language(line: str, capsys: Captured) -> None:
    told = _help(line, capsys)
    listed = [row for row in told.splitlines() if re.match(r"  \w+ {2,}", row)]
    assert len(listed) >= 10
    assert all(len(row) <= 78 for row in listed)
    assert {"map", "armies"} & {row.split()[0] for row in listed}
    assert not re.search(r"\b(the|and|of)\b", told)


def test_a_language_before_the_command_holds_for_it(capsys: Captured) -> None:
    assert "reglamento" not in _help("rules", capsys)
    assert "(--set NOMBRE=VALOR; primero el predeterminado)" in _help("--lang es rules brantley", capsys)
    assert "(--set NAME=VALUE; default first)" in _help("rules brantley", capsys)


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        ("number of rivers", "cuántos ríos"),
        ("quarter of difficult-hill-1", "cuadrante de colina difícil 1"),
        ("quarter of scrub-2 for the defender", "cuadrante de matorral 2, a elección del defensor"),
        ("exit of road-1 again", "salida de camino 1, otra vez"),
        ("does hill 2 join the last one", "colina 2: ¿se une a la anterior?"),
        ("village 1, die 2 of 3", "aldea 1, dado 2 de 3"),
        ("zone 3, roll 4", "zona 3, tirada 4"),
        ("geography of Georgia", "geografía de Georgia"),
        ("choice of 4", "elegir entre 4"),
        ("52 cards", "52 cartas"),
        ("d6", "d6"),
        ("what nobody throws for", "what nobody throws for"),
    ],
)
def test_what_a_throw_is_for_is_told(english: str, spanish: str) -> None:
    set_language(["--lang", "es"])
    assert translate_log_text(english) == spanish
    set_language(["--lang", "en"])
    assert translate_log_text(english) == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_that_is_recognised_fills_the_same_gaps(language: str) -> None:
    gap, lines = re.compile(r"\{(\w+)"), phrases(language, "throws")
    assert [text for text, own in lines.items() if sorted(gap.findall(text)) != sorted(gap.findall(own))] == []
    assert not [text for text in phrases(language, "throws") if find_words(language).has(f"story.stage.{text}")]
    assert lines.keys() == phrases("es", "throws").keys()


def test_a_question_is_put_in_the_language_and_answered_in_it(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    set_language(["--lang", "es"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("Matorral\nscrub\n?\n1\n"))
    optional: dict[str, Any] = {"stage": "selection", "reason": "optional feature 1 of 3", "request": "choice of 2"}
    question = Question(**optional, act=Act.CHOICE, labels=("rocky", "scrub"), asks=True, clause="D3-4")
    assert [build_prompter().prompt(question) for _ in range(3)] == ["2", "scrub\n", "1\n"]
    told = capsys.readouterr().err
    lines = "elección del terreno: elemento opcional 1 de 3 (elegir entre 2; Intro: se tira por ti)\n"
    lines += "  1 pedregal, 2 matorral\n> "
    # The answer to a question mark is the choices and the clause; then the question comes again.
    assert told == lines * 3 + f"  1 pedregal, 2 matorral\n  Regla: D3-4\n{lines}"


def test_a_question_mark_explains_what_scores_give_and_lists_all_of_many_choices(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    set_language(["--lang", "en"])
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n3\n?\n7\n"))
    given: dict[str, Any] = {"stage": "rivers", "reason": "number of rivers", "clause": lambda label: f"BR-40{label}"}
    die = Question(
        **given, act=Act.DIE, request="d6", labels=tuple("123456"), describe_result=lambda at: ["one", "two"][at > 1]
    )
    assert build_prompter().prompt(die) == "3\n"
    assert "  1-2: one. 3-6: two.\n  Rule: BR-401\n" in capsys.readouterr().err
    places = tuple(f"place {number}" for number in range(1, 135))
    choice = Question(**given, act=Act.CHOICE, request="choice of 134", labels=places, asks=True)
    assert build_prompter().prompt(choice) == "7\n"
    short, explained = capsys.readouterr().err.split("> ")[:2]
    explained = explained.partition("  Rule")[0]
    assert "6 place 6 ... 134 place 134 (? lists all)" in short
    assert "77 place 77" in explained
    assert max(map(len, explained.splitlines())) <= 80


def test_an_error_tells_what_dice_are_for_and_what_help_calls_a_missing_argument() -> None:
    error = DiceError("{asked} for {reason}; {labels}", asked="choice of 2", reason="which way river runs", labels="up")
    outer = Sentence("{path}: {error}", path="log", error=error)
    set_language(["--lang", "es"])
    assert said(outer) == "log: elegir entre 2 for hacia dónde corre río; a lo alto"
    set_language(["--lang", "en"])
    assert said(outer) is outer


def test_help_lists_the_formats_that_there_are(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setitem(PAGES, "woodcut", PAGES["pdf"])
    sheets, records = "pdf, svg, png, woodcut", "json, geojson, gpkg, svg-cut, uvtt, tts"

    def helped(line: str) -> str:
        return " ".join(_help(line, capsys).split())

    assert f"--to FORMAT {sheets}, {records}; repeatable [pdf]" in helped("map --help-all")
    assert f"--to FORMAT {sheets}, tts; repeatable [pdf]" in helped("cards --help-all")
    assert f"--to FORMAT {sheets}; repeatable [pdf]" in helped("specimen --help")
    assert "--to FORMATO pdf, json, csv, text-mapper, tiled; se puede repetir" in helped("hexon --help-all --lang es")


WRONG = (
    ("map --nope --lang es", "no existe la opción --nope; mira printkit map --help"),
    ("map --colum --lang es", "no existe la opción --colum; mira printkit map --help"),
    ("map --scal fit --lang es", "no existe la opción --scal; ¿querías decir --scale?"),
    ("map --lang es --seed x", "--seed: 'x' no es un número entero"),
    ("map --lang=es --count 0", "--count: 0 es menos que 1"),
    ("map --lang es --seed", "--seed: falta un valor: --seed N"),
    ("map --plan=3 --lang es", "--plan: no lleva valor"),
    ("map a b --lang es", "sobra el valor a; mira printkit map --help"),
    ("check --lang es", "falta REGISTRO"),
    ("nada --lang es", "no existe la orden nada; mira printkit --help"),
    ("npg nada --lang es", "no existe la orden nada; mira printkit npg --help"),
    ("map --no-zones --lang es", "--no-zones es ahora --hide zones"),
    ("--seed 7 map --lang es", "--seed va detrás de la orden: printkit map --seed ..."),
    ("map --lang es --board 24", "'24' no tiene unidad; escribe 24in, 24cm o 24mm"),
    ("map --lang es --set x", "--set 'x' no es NOMBRE=VALOR; escribe por ejemplo river-through=none"),
    (
        "map --lang es --set br-q12=9",
        "--set: river-through = '9' no es válido; usa uno de marsh, none, any-but-bua-lake (BR-Q12)",
    ),
    ("map --lang es --dice KX", "KX no es carta de esta baraja (BR-X06)"),
    (
        "map --lang es --reroll roads",
        "--reroll y --keep necesitan --from REGISTRO.json, la partida que se tira otra vez",
    ),
    ("map --lang es --scenario no.toml", "no.toml no se puede leer: no existe tal archivo o carpeta"),
    (
        "map --lang es+en --style nada",
        "no hay 'nada' entre los estilos; usa uno de estos: campaign, high-contrast, ink-saver",
    ),
    ("map --lang es --sheet", "--sheet: falta un valor: --sheet NOMBRE"),
    ("verify game --lang es", "falta CÓDIGO"),
    ("columns bound game left 3 --lang es", "'left' no es un bando; escribe defender (defensor)"),
    ("columns new game.toml nada viking --lang es", "no hay 'nada' entre los ejércitos; usa uno de estos: "),
    (
        "map --lang es --rules portable-2 --set grid=x",
        "--set: grid = 'x' no es válido; usa uno de estos: hex-9x8, sq-8x8, hex-6x8, sq-6x6, sq-3x3, o hex-ANxAL o "
        "sq-ANxAL, columnas por filas (PW0-01)",
    ),
    (f"map --lang es --from {Path(__file__)}", f"{Path(__file__)}: línea 1: no es JSON válido: sobra algo"),
    ("cards nada --lang es", "mazo desconocido: 'nada'; usa uno de estos: "),
    ("map --lang en+es --board 24", "'24' has no unit; write 24in, 24cm or 24mm"),
)


@pytest.mark.parametrize(("line", "said"), WRONG)
def test_what_is_wrong_is_said_in_the_language_asked_for(line, said, capsys):
    assert run(line.split()) in (1, 2)
    told = capsys.readouterr().err
    assert told.startswith(f"printkit: {said}")
    assert told.count("\n") == 1


@pytest.mark.usefixtures("_no_ink")
def test_verdicts_faults_and_plans_are_told_in_the_language_asked_for(game_record, tmp_path, capsys):
    assert run(["check", str(game_record), "--verbose", "--lang", "es"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (unseen,) = (line for line in lines if line.startswith("BR-204  no comprobada"))
    assert unseen.endswith("un registro no puede mostrar quién vio una mano")
    assert any(line.startswith("BR-104  cumplida") for line in lines)
    assert "cumplidas, 0 incumplidas" in lines[-1]
    broken = tmp_path / "broken.json"
    text = game_record.read_text(encoding="utf-8")
    broken.write_text(text.replace('"depth_mm": 609.6', '"depth_mm": 600.0', 1), encoding="utf-8")
    assert run(["check", str(broken), "--lang", "es"]) == 1
    assert "el tablero mide 609,6 x 600 mm; debe ser cuadrado" in capsys.readouterr().out
    plan = ["--plan", "--lang", "es", "--out", "x", "--style", "ink-saver"]
    assert run(["map", "--from", str(game_record), *plan]) == 0
    said = capsys.readouterr().out
    assert "necesitaría 13 hojas de A4, 31 cortes, 21 minutos" in said
    assert re.search(r"\n  x/\S+   12 hojas del mapa \(vertical, 4 x 3\), el plano de montaje\n", said)


def test_the_last_language_counts_unless_it_is_unknown_and_without_one_the_locale(capsys, monkeypatch):
    run(["map", "--lang", "es", "--lang", "en", "--nope"])
    assert capsys.readouterr().err.startswith("printkit: unknown option")
    run(["map", "--lang", "es", "--lang", "tlh", "--nope"])
    assert capsys.readouterr().err.startswith("printkit: no existe la opción")
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert language() == "es"
    assert run(["map", "--board", "24"]) == 2
    assert capsys.readouterr().err == "printkit: '24' no tiene unidad; escribe 24in, 24cm o 24mm\n"

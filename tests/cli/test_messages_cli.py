"""The command line follows ``--lang`` in all that it says: what is wrong, what the parser finds, plans, verdicts."""

from __future__ import annotations

import pytest

from printkit.cli.app import run
from printkit.console.terminal import language

WRONG = (
    ("map --nope --lang es", "no hay opción --nope; mira printkit map --help"),
    ("map --colum --lang es", "no hay opción --colum; mira printkit map --help"),
    ("map --scal fit --lang es", "no hay opción --scal; ¿querías decir --scale?"),
    ("map --lang es --seed x", "--seed: 'x' no es un número entero"),
    ("map --lang=es --count 0", "--count: 0 es menos que 1"),
    ("map --lang es --seed", "--seed: falta un valor: --seed N"),
    ("map --plan=3 --lang es", "--plan: no lleva valor"),
    ("map a b --lang es", "a sobra; mira printkit map --help"),
    ("check --lang es", "falta REGISTRO"),
    ("nada --lang es", "no hay orden nada; mira printkit --help"),
    ("npg nada --lang es", "no hay orden nada; mira printkit npg --help"),
    ("map --no-zones --lang es", "--no-zones es ahora --hide zones"),
    ("map 24in --lang es", "24in es el tamaño de un tablero: escribe --board 24in"),
    ("--seed 7 map --lang es", "--seed va detrás de la orden: printkit map --seed ..."),
    ("map --lang es --board 24", "'24' no tiene unidad; escribe 24in, 24cm o 24mm"),
    ("map --lang es --set x", "--set 'x' no es NOMBRE=VALOR, como river-through=none"),
    (
        "map --lang es --set br-q12=9",
        "--set: river-through no puede ser '9'; es uno de marsh, none, any-but-bua-lake (BR-Q12)",
    ),
    ("map --lang es --dice KX", "KX no es carta de esta baraja (BR-X06)"),
    ("map --lang es --reroll roads", "--reroll y --keep necesitan --from REGISTRO.json, la partida cuyas etapas"),
    ("map --lang es --scenario no.toml", "no.toml: no se puede leer: no existe tal archivo o carpeta"),
    ("map --lang es+en --style nada", "style: no hay 'nada'; hay campaign, high-contrast, ink-saver"),
    ("cards nada --lang es", "no hay mazo 'nada'; hay "),
    ("map --lang en+es --board 24", "'24' has no unit; write 24in, 24cm or 24mm"),
)


@pytest.fixture(autouse=True)
def _english_locale(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")


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
    (unseen,) = (line for line in lines if line.startswith("BR-204  no juzgada"))
    assert unseen.endswith("quién vio una mano no deja huella")
    assert any(line.startswith("BR-104  cumplida") for line in lines)
    assert "cumplidas, 0 incumplidas" in lines[-1]
    broken = tmp_path / "broken.json"
    text = game_record.read_text(encoding="utf-8")
    broken.write_text(text.replace('"depth_mm": 609.6', '"depth_mm": 600.0', 1), encoding="utf-8")
    assert run(["check", str(broken), "--lang", "es"]) == 1
    assert "el tablero mide 609,6 x 600 mm; es un cuadrado" in capsys.readouterr().out
    plan = ["--plan", "--lang", "es", "--out", "x", "--style", "ink-saver"]
    assert run(["map", "--from", str(game_record), *plan]) == 0
    said = capsys.readouterr().out
    assert "12 hojas a4 en vertical, 4 columnas por 3 filas, a 1:1, y 1 con el plano" in said
    assert "se escribiría x/" in said


def test_the_last_language_counts_unless_it_is_unknown_and_without_one_the_locale(capsys, monkeypatch):
    run(["map", "--lang", "es", "--lang", "en", "--nope"])
    assert capsys.readouterr().err.startswith("printkit: there is no option")
    run(["map", "--lang", "es", "--lang", "tlh", "--nope"])
    assert capsys.readouterr().err.startswith("printkit: no hay opción")
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert language() == "es"
    assert run(["map", "--board", "24"]) == 2
    assert capsys.readouterr().err == "printkit: '24' no tiene unidad; escribe 24in, 24cm o 24mm\n"

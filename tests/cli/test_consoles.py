"""Consoles that lack signs are shown plainer ones, and no file is read or written as the machine would have it."""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from imports import PACKAGE, nodes, sources

from printkit.console.terminal import replace_unencodable

FORMATTER = "help.py"
"""Where ``write_text`` writes a line of help and no file."""


def ran(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "import sys; from printkit.__main__ import main; sys.exit(main())", *arguments]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False, timeout=60)


DRAWN = ("--seed", "5", "--scale", "1:8", "--style", "ink-saver", "--lang", "es")
SMALL = ("map", *DRAWN, "--set", "title=Ca\u00f1ada", "--to", "json", "--out")


@pytest.mark.parametrize(
    ("encoding", "line", "status", "told"),
    [
        ("cp1252", "rules solo-dba --show clauses", 0, "-1 for over 4 auxilia"),
        ("latin-1", "rules solo-dba --show clauses --lang es", 0, "-1 por más de 4 auxilia"),
        (
            "ascii",
            "map --plan --lang es --seed 7 --scale fit --dressing none",
            0,
            "El campo de Numancia necesitaria 1 hoja",
        ),
        ("ascii", "--lang es", 0, "Genera campos de batalla segun reglas"),
        ("ascii", "map --help-all --lang es", 0, "muestra solo los errores"),
        ("ascii", "npg armies --lang es", 0, "Ejercitos de muestra"),
        ("ascii", "map --lang es --seet 7", 2, "no existe la opcion --seet; querias decir --sheet?"),
        ("ascii", "rules nada --lang es", 2, "reglamento desconocido:"),
    ],
)
@pytest.mark.usefixtures("table")
def test_what_a_console_lacks_is_shown_plainly(encoding: str, line: str, status: int, told: str) -> None:
    done = ran(*line.split(), PYTHONIOENCODING=encoding)
    said = (done.stdout + done.stderr).decode(encoding)
    assert (done.returncode, "Traceback" in said) == (status, False), said[-400:]
    assert told in said


@pytest.mark.usefixtures("table")
def test_verdicts_are_shown_on_any_console_and_a_file_on_standard_output_is_the_same() -> None:
    plain = ran(*SMALL, "-", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0
    assert plain.stdout == ran(*SMALL, "-", PYTHONIOENCODING="utf-8").stdout
    assert "Ca\u00f1ada".encode() in plain.stdout
    Path("field.json").write_bytes(plain.stdout)
    done = ran("check", "--verbose", "--lang", "es", "field.json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert b"cumplidas" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="there names of files are text")
@pytest.mark.usefixtures("table")
def test_a_locale_without_letters_neither_stops_a_map_nor_changes_it() -> None:
    done = ran(*SMALL, "ni\u00f1o.json", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr[-400:]
    assert "  ni\u00f1o.json".encode() in done.stderr
    assert ran(*SMALL, "usual.json", LC_ALL="C.UTF-8").returncode == 0
    assert Path("ni\u00f1o.json").read_bytes() == Path("usual.json").read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="there arguments are text")
@pytest.mark.usefixtures("table")
def test_a_setting_that_is_no_text_is_refused() -> None:
    done = ran("map", "--set", "title=a\udcff", "--lang", "es", LC_ALL="C.UTF-8")
    assert done.returncode == 2
    assert done.stderr.decode() == "printkit: --set 'title=a\\udcff' no es texto en UTF-8\n"


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("\u00bfQu\u00e9 opci\u00f3n?", "ascii", b"Que opcion?"),
        ("\u22122 \u00d7 3, 4\u20136 \u2026 \u2192 7", "ascii", b"-2 x 3, 4-6 ... -> 7"),
        ("\u22122 opci\u00f3n", "cp1252", b"-2 opci\xf3n"),
        ("\u6f22 \u201cx\u201d", "ascii", b'? "x"'),
        ("\u22122 opci\u00f3n", "utf-8", "\u22122 opci\u00f3n".encode()),
        ("a \u22122\udcffb\udcfe.pdf", "ascii", b"a -2\xffb\xfe.pdf"),
        ("\udcff.pdf", "utf-8", b"\xff.pdf"),
    ],
)
def test_signs_become_letters(text: str, encoding: str, shown: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding=encoding, newline="\n"))
    replace_unencodable()
    print(text)
    sys.stdout.flush()
    assert out.getvalue().rstrip(b"\n") == shown


def test_other_streams_are_left_alone_and_answers_that_are_no_text_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (io.StringIO(), None):
        monkeypatch.setattr(sys, "stdout", stream)
        replace_unencodable()
        assert sys.stdout is stream
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"r\xedo\n"), encoding="utf-8"))
    replace_unencodable()
    assert sys.stdin.readline() == "r\ufffdo\n"


def _hangs_on_the_locale(call: ast.Call) -> bool:
    """Return whether a call reads or writes text in whatever encoding the machine happens to have."""
    method = isinstance(call.func, ast.Attribute)
    name = ast.unparse(call.func).rpartition(".")[2]
    if "encoding" in {keyword.arg for keyword in call.keywords}:
        return False
    if method and name in ("read_text", "write_text"):
        return True
    modes = [each.value for each in call.args[:2] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if method:
        return name == "open" and bool(modes) and "b" not in modes[0]
    return name == "open" and not any("b" in mode for mode in modes)


def test_no_file_is_read_or_written_by_the_locale() -> None:
    # Only what names such a call is read through.
    named = re.compile(r"\b(open|read_text|write_text)\b")
    wrong = [
        f"{path.relative_to(PACKAGE)}:{call.lineno}"
        for path in sources()
        if path.name != FORMATTER and named.search(path.read_text(encoding="utf-8"))
        for call in nodes(path)
        if isinstance(call, ast.Call) and _hangs_on_the_locale(call)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("path.read_text()", True),
        ("path.write_text(text, newline='')", True),
        ("open(path)", True),
        ("path.open('a')", True),
        ("open(path, 'rb')", False),
        ("path.open('a+b')", False),
        ("path.read_text(encoding='utf-8')", False),
        ("stream.open(clip)", False),
        ("read_text(path)", False),
    ],
)
def test_what_hangs_on_the_locale_is_found(text: str, wrong: bool) -> None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert _hangs_on_the_locale(call) is wrong

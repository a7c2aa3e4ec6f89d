"""Completion: what a shell offers, asked of the shell itself where there is one."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from printkit.cli.app import OWN, run
from printkit.cli.completion import SHELLS
from printkit.kit import registry

Offered = Callable[..., set[str]]

BASH = """source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _printkit; printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "source $argv[1]; complete -C (string join ' ' -- $argv[2..])"


@pytest.fixture(params=["bash", "fish"])
def offered(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Offered:
    """Return what asks a shell for the words that it offers behind ``printkit``."""
    shell: str = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert run(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    start = ["bash", "-c", BASH, "bash"] if shell == "bash" else ["fish", "-c", FISH]

    def ask(*typed: str) -> set[str]:
        asked = [*start, str(script), "printkit", *typed]
        done = subprocess.run(asked, capture_output=True, check=True, cwd=tmp_path)
        return {line.split("\t")[0] for line in done.stdout.decode().splitlines()}

    return ask


def test_commands_options_and_values_are_offered(offered: Offered) -> None:
    assert offered("ma") == {"map"}
    assert {name for name in OWN if " " not in name} <= offered("")
    assert offered("npg", "bo") == {"bound"}
    assert offered("npg", "bound", "--un") == {"--undo"}
    assert offered("league", "") == {"new", "add", "round", "result", "show"}
    assert offered("--lang", "es", "league", "re") == {"result"}
    assert offered("league", "new", "--ga") == {"--games"}
    assert offered("box", "new", "--ga") <= {""}
    assert offered("map", "--see") == {"--seed"}
    assert offered("map", "--rules", "") == set(registry.names())
    assert offered("rules", "") == set(registry.names())
    assert offered("map", "--style", "ink") == {"ink-saver"}
    assert offered("map", "--hide", "g") == {"grid"}
    assert offered("hexon", "--to", "t") == {"text-mapper", "tiled"}
    assert offered("completion", "") == set(SHELLS)


def test_settings_are_those_of_the_rules_that_were_typed(offered: Offered) -> None:
    assert offered("map", "--rules", "acw", "--set", "la") == {"lanes="}
    assert offered("map", "--rules=acw", "--set", "la") == {"lanes="}
    assert "ninth=" in offered("map", "--set", "")
    assert "mode=" in offered("npg", "sheets", "--set", "")
    assert "landing=" in offered("columns", "new", "--set", "l")


def test_files_are_left_to_the_shell(offered: Offered) -> None:
    for typed in (("check", "sc"), ("map", "--from", "sc"), ("league", "new", "sc")):
        assert offered(*typed) <= {"", "script"}
    assert "--replay" in offered("check", "--")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_takes_an_option_and_its_value_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    for typed, told in (
        (("--style", "=", "ink"), "ink-saver\n"),
        (("--rules", "=", "acw", "--set", "la"), "lanes=\n"),
        (("--set", "lanes", "="), "\n"),
    ):
        asked = ["bash", "-c", BASH, "bash", str(script), "printkit", "map", *typed]
        assert subprocess.run(asked, capture_output=True, check=True).stdout.decode() == told


def test_zsh_reads_the_script_of_bash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == run(["completion", "zsh"]) == 0
    bash, begins, rest = capsys.readouterr().out.partition("autoload -U +X compinit bashcompinit")
    assert begins + rest == f"{begins} && compinit && bashcompinit\n{bash}"
    script = tmp_path / "script"
    script.write_text(begins + rest, encoding="utf-8")
    if shutil.which("zsh") is not None:
        subprocess.run(["zsh", "-n", str(script)], check=True)


def test_powershell_is_told_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "powershell", "--lang", "en"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "Register-ArgumentCompleter -Native -CommandName printkit -ScriptBlock {"
    for line in (
        "'league' = 'new add round result show'",
        "'league' = '--help --lang'",
        "'check' = ' '",
        "'check' = '--lang --rules --replay --verbose --quiet --help'",
        f"'map --rules' = '{' '.join(registry.names())}'",
        "'map --board' = ''",
        "'specimen --to' = 'pdf svg png'",
        "'map' = 'brantley'",
        "'npg sheets' = 'solo-dba'",
    ):
        assert line in lines
    assert next(line for line in lines if line.startswith("'acw' =")).count("lanes=") == 1
    assert sum(line.count("{") - line.count("}") for line in lines) == 0


def test_every_shell_has_a_script_and_another_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for shell in SHELLS:
        assert run(["completion", shell]) == 0
        told = capsys.readouterr().out
        assert "ink-saver" in told
        assert "lanes=" in told
    assert run(["completion", "tcsh", "--lang", "en"]) == 2
    assert "no completion script for tcsh; use bash, zsh, fish, powershell" in capsys.readouterr().err

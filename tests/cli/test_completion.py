"""Completion: what a shell offers, asked of the shell itself where there is one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from printkit.cli.app import OWN, run
from printkit.kit import registry

ASK = """source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _printkit; printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash is here")
def test_bash_completes_commands_options_and_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "bash"]) == 0
    script = tmp_path / "printkit.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")

    def offered(*typed: str) -> set[str]:
        asked = ["bash", "-c", ASK, "bash", str(script), "printkit", *typed]
        return set(subprocess.run(asked, capture_output=True, check=True).stdout.decode().split())

    assert offered("ma") == {"map"}
    assert {name for name in OWN if " " not in name} <= offered("")
    assert offered("npg", "bo") == {"bound"}
    assert offered("npg", "bound", "--un") == {"--undo"}
    assert {"new", "add", "result", "show"} <= offered("league", "")
    assert offered("map", "--see") == {"--seed"}
    assert {"--no-grid", "--grid"} <= offered("map", "--")
    assert offered("map", "--rules", "") == set(registry.names())
    assert offered("map", "--style", "ink") == {"ink-saver"}


def test_other_shells_have_scripts_and_one_that_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for shell, line in (("zsh", "bashcompinit"), ("fish", "complete -c printkit")):
        assert run(["completion", shell]) == 0
        told = capsys.readouterr().out
        assert line in told
        assert "ink-saver" in told
        assert "--undo" in told or "-l 'undo'" in told
    assert run(["completion", "tcsh", "--help"]) == 0
    capsys.readouterr()
    assert run(["completion", "tcsh"]) == 2
    assert "no completion for tcsh; there are bash, zsh, fish" in capsys.readouterr().err

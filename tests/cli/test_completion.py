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


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "printkit.bash"
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr("builtins.print", lines.append)
        assert run(["completion", "bash"]) == 0
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def offered(script: Path, *typed: str) -> set[str]:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash is here")
    done = subprocess.run([bash, "-c", ASK, "bash", str(script), "printkit", *typed], capture_output=True, check=True)
    return set(done.stdout.decode().split())


def test_bash_completes_commands_options_and_values(script: Path) -> None:
    assert offered(script, "ma") == {"map"}
    assert {name for name in OWN if " " not in name} <= offered(script, "")
    assert offered(script, "npg", "bo") == {"bound"}
    assert offered(script, "npg", "bound", "--un") == {"--undo"}
    assert {"new", "add", "result", "show"} <= offered(script, "league", "")
    assert offered(script, "map", "--see") == {"--seed"}
    assert {"--no-grid", "--grid"} <= offered(script, "map", "--")
    assert offered(script, "map", "--rules", "") == set(registry.names())
    assert offered(script, "map", "--style", "ink") == {"ink-saver"}


@pytest.mark.parametrize(("shell", "line"), [("zsh", "bashcompinit"), ("fish", "complete -c printkit")])
def test_other_shells_have_scripts(shell: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    told = capsys.readouterr().out
    assert line in told
    assert "ink-saver" in told
    assert "--undo" in told or "-l 'undo'" in told


def test_a_shell_that_is_not_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh", "--help"]) == 0
    capsys.readouterr()
    assert run(["completion", "tcsh"]) == 2
    assert "no completion for tcsh; there are bash, zsh, fish" in capsys.readouterr().err

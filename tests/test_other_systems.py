"""Other systems: file names that every one of them takes, texts in one encoding, and nothing that only Linux has."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from imports import PACKAGE, ROOT, imported, module_of, parsed, sources

TREES = ("printkit", "tests", "tools", "templates", "fonts", "docs", "benchmarks")
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f]|[. ]$')
LONGEST = 120
"""Characters of a path below the root: Windows has room for 260 in all, and people keep things deep in folders."""

POSIX = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "posix", "crypt", "syslog")
LINUX = re.compile(
    r"os\.(fork|getuid|geteuid|getgid|setsid|killpg|uname|chown|sched_\w+|mkfifo)|signal\.SIG(KILL|HUP|USR\d)"
)


def files() -> list[PurePosixPath]:
    """Return every file of the trees, by its path below the root."""
    found = (path for tree in TREES for path in (ROOT / tree).rglob("*") if path.is_file())
    return [PurePosixPath(path.relative_to(ROOT).as_posix()) for path in found if "__pycache__" not in path.parts]


def test_every_system_takes_the_names_of_our_files_and_none_is_needed_alone() -> None:
    parts = {part for path in files() for part in path.parts}
    assert [part for part in parts if FORBIDDEN.search(part) or part.split(".")[0].lower() in RESERVED] == []
    assert [str(path) for path in files() if len(str(path)) > LONGEST] == []
    counts = Counter(str(path).lower() for path in files())
    assert [name for name, count in counts.items() if count > 1] == []
    wrong = []
    for path in sources():
        needed = imported(path) - _spared(path)
        wrong += [f"{module_of(path)} imports {name}" for name in needed if name.split(".")[0] in POSIX]
        wrong += [f"{module_of(path)} uses {found[0]}" for found in LINUX.finditer(path.read_text(encoding="utf-8"))]
    assert wrong == []


def _is_text(call: ast.Call) -> bool:
    """Return whether a call opens a file as text: by its mode, or by what it reads and writes."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in ("read_text", "write_text"):
        return isinstance(call.func, ast.Attribute)
    if name not in ("open", "fdopen", "NamedTemporaryFile") or (
        isinstance(call.func, ast.Attribute)
        and (getattr(call.func.value, "id", "") not in ("io", "path", "Path", "codecs"))
    ):
        return False
    modes = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    modes += [each.value.value for each in call.keywords if each.arg == "mode" and isinstance(each.value, ast.Constant)]
    return not any("b" in mode for mode in modes)


@pytest.mark.parametrize("tree", ["printkit", "tools", "benchmarks"])
def test_texts_are_read_and_written_in_one_encoding(tree: str) -> None:
    """Where bytes become text the encoding is said, for Windows has another by itself."""
    wrong = []
    for path in sorted((ROOT / tree).rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and _is_text(node):
                said = {each.arg for each in node.keywords} & {"encoding"}
                # The first argument of read_text and the second of write_text are the encoding, too.
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                by_place = len(node.args) > {"read_text": 0, "write_text": 1}.get(name, 9)
                if not said and not by_place:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert wrong == []


def _spared(path: Path) -> set[str]:
    """Return what a file imports only where it is there: below ``with suppress(ImportError, ...)``."""
    return {
        alias.name
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.With) and "suppress(ImportError" in ast.unparse(node.items[0])
        for each in ast.walk(node)
        if isinstance(each, ast.Import)
        for alias in each.names
    }


def test_what_is_written_has_one_end_of_lines() -> None:
    """A text that is written says how its lines end, or Windows ends them its own way."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "write_text":
                said = {each.arg for each in node.keywords}
                wrong += [f"{path.relative_to(ROOT)}:{node.lineno}"] * ("newline" not in said)
    assert wrong == []
    # Line ends are not changed by a checkout on another system: bytes of templates are part of what is printed.
    assert "* -text" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()

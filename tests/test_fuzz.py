"""A hundred bent files of the fuzzer: each costs a line, and no more."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from bare_boards import left_bare
from imports import ROOT, module_of, nodes, sources

from printkit.cli.schema import FORMATS

SEEDS = range(1, 101)


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the tool."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import fuzz

    return fuzz


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of whole files of every kind."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        # Sheets that come beside the files are not bent.
        left_bare(patch)
        import fuzz

        fuzz.seeds_of(folder)
    return folder


@pytest.mark.parametrize("first", SEEDS[::20])
def test_bent_files_cost_a_line_each(tool: ModuleType, whole: Path, first: int) -> None:
    done = [tool.tried(seed, "" if seed % 4 else "battle log", whole, None) for seed in range(first, first + 20)]
    assert [each.fault for each in done if each.fault] == []
    assert {each.status for each in done} <= {0, 1, 2}
    assert max(each.seconds for each in done) <= tool.SECONDS
    assert len({each.kind for each in done}) > 3


READERS: Final = {"read_utf8", "read_limited", "read_file", "read_toml", "parse_toml", "read_text"}


def readers() -> set[str]:
    """Return the modules that call a function which reads a file, by its name or of the file."""
    found = set()
    for path in sources():
        for node in nodes(path):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
                if name in READERS:
                    found.add(module_of(path))
    return found


def test_every_module_that_reads_a_file_has_a_kind(tool: ModuleType) -> None:
    del tool
    from fuzz_kinds import KINDS, OTHERS

    formats = [row.format for row in KINDS.values() if row.format]
    assert set(formats) == FORMATS.keys()
    types = {FORMATS[name].type.partition(":")[0].removeprefix("printkit.") for name in formats}
    named = types | {module for row in KINDS.values() for module in row.modules}
    assert sorted(readers() - named - OTHERS.keys()) == [], "add a kind to tools/fuzz_kinds.py"
    assert sorted((named | OTHERS.keys()) - {module_of(path) for path in sources()}) == []
    assert len(KINDS) >= 20


def test_a_reader_without_a_kind_would_be_noticed(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    del tool
    import fuzz_kinds

    monkeypatch.delitem(fuzz_kinds.KINDS, "sealed game")
    with pytest.raises(AssertionError, match=r"brantley\.commands"):
        test_every_module_that_reads_a_file_has_a_kind(fuzz_kinds)

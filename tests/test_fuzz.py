"""A hundred bent files of the fuzzer: each costs a line, and no more."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from bare_boards import left_bare
from imports import ROOT

SEEDS = range(1, 101)


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the tool."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    import fuzz

    return fuzz


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for whole files of every kind."""
    return tmp_path_factory.mktemp("whole")


@pytest.mark.parametrize("first", SEEDS[::20])
def test_bent_files_cost_a_line_each(tool, kept, first):
    if not list(kept.iterdir()):
        with pytest.MonkeyPatch.context() as patch:
            # Sheets that come beside the files are not bent.
            left_bare(patch)
            tool.seeds_of(kept)
    done = [tool.tried(seed, "" if seed % 4 else "log", kept, None) for seed in range(first, first + 20)]
    assert [each.fault for each in done if each.fault] == []
    assert {each.status for each in done} <= {0, 1, 2}
    assert len({each.kind for each in done}) > 3

"""What the program writes is frozen: kept lines and jobs of the tool name each other, and a cheap job agrees."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from imports import ROOT

TOOL = ROOT / "tools" / "freeze.py"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the tool, which loads its neighbours from its own folder."""
    monkeypatch.syspath_prepend(TOOL.parent)
    import freeze

    return freeze


def test_the_kept_lines_are_hashes_with_names_sorted_and_each_once(tool: ModuleType) -> None:
    lines = tool.FROZEN.read_text(encoding="utf-8").splitlines()
    names = [line[66:] for line in lines]
    assert names == sorted(set(names))
    assert all(len(line[:64].strip("0123456789abcdef")) == 0 and line[64:66] == "  " for line in lines)


def test_every_job_has_a_line_and_every_line_a_job(tool: ModuleType) -> None:
    kept = {name: tool.label_of(name) for name in tool.read_frozen()}
    assert [name for name, label in kept.items() if not label] == []
    assert set(tool.jobs()) - set(kept.values()) == set()


def test_texts_are_named_before_they_are_said(tool: ModuleType) -> None:
    """What a job says is known by its steps, so that a text cannot drop out of the file unseen."""
    kept = set(tool.read_frozen())
    for label, job in tool.jobs().items():
        said = {f"{label}/{step.said}.txt" for step in job.steps if getattr(step, "said", "")}
        assert said <= kept


def test_a_difference_is_told_by_its_name(tool: ModuleType) -> None:
    kept, made = {"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "0", "d": "4"}
    assert list(tool.differences(kept, made)) == ["differs  b", "missing  c", "new      d"]


def test_a_pattern_wants_the_jobs_whose_documents_fit(tool: ModuleType) -> None:
    kept = tool.read_frozen()

    def wanted(pattern: str, names: object = kept) -> list[str]:
        return [job.label for job in tool.wanted(pattern, names)]

    assert wanted("map/acw/seed08/pdf") == ["map/acw/seed08"]
    assert wanted("rules/list/*") == ["rules/list"]
    assert "rules/list" in wanted("*/en.txt")
    assert wanted("*") == list(tool.jobs())
    # Of jobs without lines only the names are known: all are wanted whose documents may fit.
    assert wanted("map/acw/seed08/pdf", ()) == ["map/acw/seed08"]
    assert wanted("map/acw/seed[01]*", ()) == [f"map/acw/seed{seed}" for seed in ("08", "11", "15")]


def test_lines_are_written_sorted_and_read_back(tool: ModuleType, tmp_path: Path) -> None:
    hashes = {"b/2": "f" * 64, "a/1": "0" * 64}
    tool.write_frozen(hashes, tmp_path / "frozen.txt")
    assert (tmp_path / "frozen.txt").read_text(encoding="utf-8") == f"{'0' * 64}  a/1\n{'f' * 64}  b/2\n"
    assert tool.read_frozen(tmp_path / "frozen.txt") == hashes


def test_a_cheap_job_agrees(tmp_path: Path) -> None:
    """Both in a process that goes on, and in one of its own; what is kept are the very bytes of which the hash is."""
    for way in ([], ["--apart"]):
        command = [sys.executable, str(TOOL), "--check", "--only", "rules/list/*", "--processes", "1", *way]
        ran = subprocess.run(
            [*command, "--keep", str(tmp_path)], check=False, capture_output=True, text=True, cwd=tmp_path, timeout=60
        )
        assert (ran.returncode, ran.stdout) == (0, "2 documents of 1 jobs, 0 not as kept, 0 failed\n"), ran.stderr
    assert "brantley" in (tmp_path / "rules" / "list" / "en.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("pattern", ["rules/*", "refused/*", "map/portable-1/*", "reroll/dba3/*"])
def test_some_documents_agree(pattern: str, tmp_path: Path) -> None:
    command = [sys.executable, str(TOOL), "--check", "--only", pattern, "--processes", "1"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert ", 0 not as kept, 0 failed" in ran.stdout, ran.stdout + ran.stderr
    assert ran.returncode == 0


def test_some_are_forty_or_more(tool: ModuleType) -> None:
    begins = ("rules/", "refused/", "map/portable-1/", "reroll/dba3/")
    assert sum(name.startswith(begins) for name in tool.read_frozen()) >= 40


def test_a_hash_leaves_out_the_version_and_the_number_of_shapes(tool: ModuleType) -> None:
    del tool
    import freezing

    records = [
        b'{"type":"x","printkit":{"format":1,"version":"%s","shapes":%d},"seed":7}' % made
        for made in ((b"0.2.0", 1), (b"0.3.0", 2))
    ]
    assert freezing.hash_of(records[0]) == freezing.hash_of(records[1])
    assert freezing.hash_of(records[0]) != freezing.hash_of(records[0].replace(b'"seed":7', b'"seed":8'))
    assert freezing.hash_of(records[0]) != freezing.hash_of(records[0].replace(b'"format":1', b'"format":2'))

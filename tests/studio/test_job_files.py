"""A job lists the files that its own command has written, and no others."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import pytest
from desks import OWN, bare, desk_of, running

from printkit.cli.app import run
from printkit.console.terminal import PLACED
from printkit.export.placing import placed
from printkit.studio import jobs
from printkit.studio.jobs import DONE, Job, Jobs, _below
from printkit.studio.orders import KINDS, command, decks_of, formats_of

if TYPE_CHECKING:
    from starlette.testclient import TestClient

_LONGEST = 120.0


def _over(made: Jobs, number: int) -> Job:
    """Return a job when it is over."""
    begun = monotonic()
    assert made._thread is not None
    while not made.find(number).over:
        made._thread.join(0.05)
        assert monotonic() - begun < _LONGEST
    return made.find(number)


def _files(out: Path) -> set[str]:
    """Return what lies in the folder, without what the studio keeps there for itself."""
    found = (path.relative_to(out) for path in out.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts)}


def _kinds(browser: TestClient, field: str) -> list[str]:
    made = desk_of(browser).sitting.field(field)
    decks = [f"cards:{name}" for name in decks_of(made)]
    return [*KINDS, *decks[:1], *(f"format:{name}" for name in formats_of())]


def test_every_kind_of_job_lists_all_that_it_wrote_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, listed = tmp_path / "out", tmp_path / "listed"
    monkeypatch.setenv(PLACED, str(listed))
    with running(out) as browser:
        kept = bare(browser)
        desk = desk_of(browser)
        made, record = desk.sitting.field(kept.id), desk.sitting.path(kept.id)
        for kind in _kinds(browser, kept.id):
            before, known = {name: (out / name).stat().st_ino for name in _files(out)}, len(placed())
            words = command(kind, record, out, {"force": "on"}, "en", made=made)
            if kind == "evening":
                words.append(f"--out={out / 'evening-handouts'}")
            assert run(words) == 0, kind
            written = {name for name in _files(out) if before.get(name) != (out / name).stat().st_ino}
            # This process lists what it has put down for the kinds before as well.
            lines = listed.read_text("utf-8").splitlines()[known:]
            listed.write_text("\n".join(lines), "utf-8")
            assert set(_below(out, listed)) == written, kind
            assert written, kind


_MEANWHILE = """
import os, sys
from pathlib import Path
out = Path(sys.argv[1])
(out / "own").mkdir(parents=True)
for name in ("own/mine.pdf", "closed-game.json"):
    (out / name).write_text(name)
print("made mine.pdf 3 2 1")
Path(os.environ[sys.argv[2]]).write_text(str(out.absolute() / "own/mine.pdf") + "\\n" + "/elsewhere/x.pdf\\n")
"""


def test_what_others_write_meanwhile_is_in_no_list_and_no_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    monkeypatch.setattr(jobs, "own_command", lambda *words: [sys.executable, "-c", _MEANWHILE, *words])
    with running(out) as browser:
        desk = desk_of(browser)
        job = _over(desk.jobs, desk.jobs.begin("map", "", (str(out), PLACED), {}).number)
        assert job.state == DONE, job.lines
        assert [(each.name, each.sheets, each.minutes) for each in job.files] == [("own/mine.pdf", 3, 1)]
        assert (out / "closed-game.json").is_file()
        archive = browser.get(f"/job/{job.number}.zip", headers=OWN)
        with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
            assert opened.namelist() == ["mine.pdf"]
        assert "closed-game" not in browser.get(f"/job/{job.number}").text

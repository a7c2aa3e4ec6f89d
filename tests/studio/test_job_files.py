"""A job lists the files that its own command has written, and no others."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
import pikepdf
import pytest
from desks import OWN, bare, desk_of, running
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.words import find_words
from printkit.options.printing import CardOptions, MapOptions, PrintOptions
from printkit.recipes.output.printed_files import PrintedFile
from printkit.studio import jobs
from printkit.studio.jobs import DONE, FAILED, Job, Jobs
from printkit.studio.print_forms import KINDS, decks_of, record_formats, task_of
from printkit.studio.worker_process import Finished, Task, TaskParts, TaskReport, Worker, Written

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


def _counted(out: Path, printed: PrintedFile) -> tuple[int, bool, bool]:
    """Return the pages of a finished PDF, whether its last one is wide, and whether its sheets are printed twice."""
    with pikepdf.open(out / printed.file) as made:
        x, y, right, top = (float(number) for number in made.pages[-1].mediabox)
        return len(made.pages), right - x > top - y, printed.flip != ""


def _compare_page(browser: TestClient, job: Job, out: Path) -> None:
    """Compare the figures on the page of a finished job with the pages of its PDFs."""
    page = browser.get(f"/job/{job.number}").text
    ((address, lead),) = re.findall(r'lead-btn" href="/out/([^"]+)"[^>]*>[^<]*<small>([^<]*)<', page)
    sheets = {}
    for each in job.files:
        if each.file.endswith(".pdf"):
            sides = _counted(out, each)[0]
            sheets[each.file] = sides // 2 if each.flip else sides
    printed = {each.file: sheets[each.file] for each in job.files if each.order}
    assert (out / address).is_file()
    assert browser.get(f"/out/{address}").content.startswith(b"%PDF") == bool(printed)
    if printed:
        assert re.findall(r"<div><b>(\d+)</b>sheets?</div>", page) == [str(sum(sheets.values()))]
        assert int(re.findall(r"(\d+) sheets? of", lead)[0]) == sheets[address]
        rows = re.findall(r'\d+\. <a href="/out/([^"]+)".*?<td class="n0">(\d+)</td>', page)
        assert {name: int(count) for name, count in rows} == (printed if job.kind == "evening" else {})
    if parts := re.findall(r"(\d+) with the assembly plan, (\d+) with the map", lead):
        assert sum(map(int, parts[0])) == sheets[address]


def _kinds(browser: TestClient, field: str) -> list[str]:
    made = desk_of(browser).sitting.field(field)
    decks = [f"cards:{name}" for name in decks_of(made)]
    return [*KINDS, *decks[:1], *(f"format:{name}" for name in record_formats())]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_kind_of_job_has_its_name(lang: str) -> None:
    words = find_words(lang)
    kinds = (*KINDS, "cards", "format", "calibrate")
    assert [kind for kind in kinds if not words.has(f"studio.job.kind-{kind}")] == []


def test_every_kind_of_job_writes_what_its_command_writes_and_lists_all_of_it(tmp_path: Path) -> None:
    out, own = tmp_path / "out", tmp_path / "own"
    with running(out) as browser:
        kept = bare(browser)
        desk = desk_of(browser)
        made, record = desk.sitting.field(kept.id), desk.sitting.path(kept.id)
        for kind in _kinds(browser, kept.id):
            before = {name: (out / name).stat().st_ino for name in _files(out)}
            work = task_of(kind, record, desk.settings, {}, "en", field=made)
            if kind == "evening":
                work = replace(work, out=str(out / "game-night"))
            job = _over(desk.jobs, desk.jobs.begin(kind, kept.id, work, {}).number)
            assert job.state == DONE, (kind, job.lines)
            written = {name for name in _files(out) if before.get(name) != (out / name).stat().st_ino}
            # A game night and cards save their record too, which is no file to print.
            records = {name for name in written if name.startswith("records/")}
            assert {each.file for each in job.files} | records == written, kind
            printed = [each for each in job.files if each.file.endswith(".pdf")]
            assert [_counted(out, each) for each in printed] == [
                (each.sides, each.landscape, each.sheets < each.sides) for each in printed
            ]
            _compare_page(browser, job, out)
            assert [each.order for each in job.files if each.order] == [
                *range(1, sum(map(bool, (each.order for each in job.files))) + 1)
            ]
            assert written, kind
            assert run([*replace(work, out=work.out.replace(str(out), str(own))).words]) == 0, kind
            # An object of Tabletop Simulator says in which folder its pictures lie.
            same = [name for name in written if not name.endswith(".tts.json")]
            assert {name: (own / name).read_bytes() == (out / name).read_bytes() for name in same} == dict.fromkeys(
                same, True
            )


def test_what_others_write_meanwhile_is_in_no_list_and_no_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"

    class Told:
        """A process that has told all it has to tell."""

        def __init__(self, work: Task) -> None:
            del work

        def reports(self) -> Iterator[TaskReport]:
            """Write files, of which one is told of."""
            (out / "own").mkdir(parents=True)
            for name in ("own/mine.pdf", "closed-game.json"):
                (out / name).write_text(name, encoding="utf-8")
            facts = PrintedFile(file="mine.pdf", kind="map", order=1, sheets=3, sides=3, cuts=2, minutes=1)
            yield TaskParts((facts,))
            yield Written("mine.pdf", 1, 1)
            yield Finished((facts,), ())

    monkeypatch.setattr(jobs, "Worker", Told)
    with running(out) as browser:
        desk = desk_of(browser)
        work = Task(recipe="map", options=MapOptions(), out=str(out / "own"))
        job = _over(desk.jobs, desk.jobs.begin("map", "", work, {}).number)
        assert job.state == DONE, job.lines
        assert (job.written, job.done, job.total) == ({"own/mine.pdf"}, 1, 1)
        assert [(each.file, each.sheets, each.minutes) for each in job.files] == [("own/mine.pdf", 3, 1)]
        assert (out / "closed-game.json").is_file()
        archive = browser.get(f"/job/{job.number}.zip", headers=OWN)
        with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
            assert opened.namelist() == ["mine.pdf"]
        assert "closed-game" not in browser.get(f"/job/{job.number}").text


def test_a_hand_dealt_during_a_print_is_in_no_list_and_no_zip(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept, desk = bare(browser), desk_of(browser)
        address = browser.post(f"/field/{kept.id}/job", data={"kind": "map"}, headers=OWN).headers["location"]
        dealt = browser.post("/hands", data={}, headers=OWN).headers["location"].rpartition("/")[2]
        job = _over(desk.jobs, int(address.rpartition("/")[2]))
        assert job.state == DONE, job.lines
        assert any(name.startswith(f"{dealt}/") for name in _files(tmp_path))
        with zipfile.ZipFile(io.BytesIO(browser.get(f"{address}.zip").content)) as opened:
            assert sorted(opened.namelist()) == sorted(each.file for each in job.files)
        assert {Path(each.file).suffix for each in job.files} == {".pdf", ".json"}


def test_a_process_that_ends_before_its_time_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path) as browser:
        desk = desk_of(browser)
        begun = Worker.reports

        def killed(self: Worker) -> Iterator[TaskReport]:
            self._process.kill()
            yield from begun(self)

        monkeypatch.setattr(Worker, "reports", killed)
        work = Task(recipe="calibrate", options=PrintOptions(lang="es"), out=str(tmp_path))
        job = _over(desk.jobs, desk.jobs.begin("calibrate", "", work, {}).number)
        assert (job.state, job.last_line) == (FAILED, "el trabajo se detuvo antes de tiempo; vuelve a empezarlo")


def test_options_values_are_plain_data() -> None:
    work = Task(recipe="cards", options=CardOptions(hide=("outline",), fold=True), record="a.json", deck="terrain")
    assert msgspec.json.decode(msgspec.json.encode(work))["options"]["hide"] == ["outline"]
    assert work.words == ("cards", "terrain", "--from=a.json", "--fold", "--hide=outline")

"""The page of printing and its jobs: what they print is what the command prints, and a stop leaves nothing."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pikepdf
import pytest
from desks import DRAWN, OWN, bare, desk_of, running
from reading import texts
from shapely import box
from starlette.testclient import TestClient

from printkit.cli.app import run
from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.kit import registry
from printkit.recipes.prints.map_plan import plan_map
from printkit.studio.jobs import DONE, STOPPED, Job, find_printed
from printkit.studio.print_forms import clean_form, order_of


def _over(browser: TestClient, address: str) -> Job:
    """Return a job when it is over."""
    job = desk_of(browser).jobs.find(int(address.rpartition("/")[2]))
    events = browser.get(address, headers={"Accept": "text/event-stream"}).text
    assert events.startswith("data: ")
    assert job.over
    return job


def test_a_page_prints_the_bytes_of_the_command_that_it_shows(tmp_path: Path) -> None:
    with running(tmp_path / "out") as browser:
        kept = bare(browser)
        page = browser.get(f"/field/{kept.id}/print?sheet=a3&style=ink-saver").text
        record = tmp_path / "out" / ".sitting" / f"{kept.id}.json"
        assert f"printkit map --from={record} --out={tmp_path / 'out'} --lang=en --style=ink-saver --sheet=a3" in page
        sent = {"kind": "map", "sheet": "a3", "style": "ink-saver"}
        answer = browser.post(f"/field/{kept.id}/job", data=sent, headers=OWN)
        job = _over(browser, answer.headers["location"])
        assert job.state == DONE, job.lines
        (name,) = [each.file for each in job.files if each.file.endswith(".pdf")]
        served = browser.get(f"/out/{name}").content
        assert "is ready to print" in browser.get(answer.headers["location"]).text
        archive = browser.get(f"{answer.headers['location']}.zip")
        with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
            assert opened.read(name) == served
    own = tmp_path / "own"
    assert run(["map", f"--from={record}", "--sheet=a3", "--style=ink-saver", "--lang=en", f"--out={own}"]) == 0
    assert (own / name).read_bytes() == served


def test_a_battlefield_with_a_box_is_built_from_the_plan_of_the_command(tmp_path: Path) -> None:
    made = {**json.loads(DRAWN), "box": {"title": "Sam", "piece": [{"kind": "hill", "number": 2}]}}
    with running(tmp_path / "out") as browser:
        kept = bare(browser, json.dumps(made))
        names = {}
        for kind in ("build", "map"):
            answer = browser.post(f"/field/{kept.id}/job", data={"kind": kind}, headers=OWN)
            job = _over(browser, answer.headers["location"])
            assert job.state == DONE, job.lines
            names[kind] = [each.file for each in job.files if each.sheets]
        plan, (plan_again, paper_map) = names["build"][0], names["map"]
        assert (plan, "-build" in plan, "-build" in paper_map) == (plan_again, True, False)
        served = browser.get(f"/out/{plan}").content
        record = tmp_path / "out" / ".sitting" / f"{kept.id}.json"
    assert run(["map", f"--from={record}", "--lang=en", f"--out={tmp_path / 'own'}"]) == 0
    assert (tmp_path / "own" / plan).read_bytes() == served


def test_sheets_lie_as_they_are_printed(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        made = desk_of(browser).sitting.field(bare(browser).id)
    order = order_of({"sheet": "a3"}, tmp_path, find_words("en"))
    planned = plan_map(made.record, registry.find(made.rules), order)
    areas = planned.sheet_areas
    assert list(areas) == [page.label for page in planned.document.pages[planned.additional_pages :]]
    board = made.record.battlefield.board
    first, *_, last = areas.values()
    assert first.x <= 0 <= board.depth <= first.y + first.height
    assert last.y <= 0 <= board.width <= last.x + last.width


def test_a_mat_is_offered_and_shown_painted(tmp_path: Path) -> None:
    with running(tmp_path / "out") as browser:
        kept = bare(browser)
        page = browser.get(f"/field/{kept.id}/print?style=painted").text
        assert {"painted", "painted-light"} <= set(re.findall(r'value="([a-z-]+)"', page))
        (address,) = set(re.findall(rf'"(/field/{kept.id}\.svg[^"]*)"', page))
        shown = browser.get(address.replace("&amp;", "&")).text
        assert 'id="texture-grass"' in shown
        assert "--style=painted" in page


def test_what_another_game_holds_is_not_replaced(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        names = []
        for _ in range(2):
            job = browser.post(f"/field/{kept.id}/job", data={"kind": "record"}, headers=OWN)
            names += [each.file for each in _over(browser, job.headers["location"]).files]
            (tmp_path / names[0]).write_text("another's", encoding="utf-8")
        assert names[1] == names[0].replace(".json", "-2.json")
        assert (tmp_path / names[0]).read_text(encoding="utf-8") == "another's"


def test_sheets_without_terrain_are_left_out_and_counted_before(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        first = browser.post(f"/field/{kept.id}/job", data={"kind": "map"}, headers=OWN).headers["location"]
        _over(browser, first)
        (promised,) = re.findall(
            r'name="skip-bare" value="on">Leave them out \((\d+) sheets\)', browser.get(first).text
        )
        sent = {"kind": "map", "skip-bare": "on"}
        again = browser.post(f"/field/{kept.id}/job", data=sent, headers=OWN).headers["location"]
        _over(browser, again)
        page = browser.get(again).text
        (shown,) = re.findall(r'href="(/out/[^"]+\.pdf)" target="_blank"', page)
        with pikepdf.open(io.BytesIO(browser.get(shown).content)) as made:
            assert len(made.pages) == int(promised)
        assert f"<div><b>{promised}</b>sheets</div>" in page
        assert 'name="skip-bare" value="on">' not in page.partition("data-sends")[0]


def test_the_folder_opens_without_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr("subprocess.Popen", lambda command, **_: begun.append(command))
    with running(tmp_path) as browser:
        assert browser.post("/folder", data={"name": "/etc"}, headers=OWN).status_code == 204
        assert [command[-1] for command in begun] == [str(tmp_path)]

        def missing(*_: object, **__: object) -> None:
            raise FileNotFoundError

        monkeypatch.setattr("subprocess.Popen", missing)
        refused = browser.post("/folder", headers=OWN)
        assert refused.status_code == 422
        assert "the folder could not be opened" in refused.text


def test_a_stopped_job_leaves_only_its_record(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        answer = browser.post(f"/field/{kept.id}/job", data={"kind": "evening"}, headers=OWN)
        assert browser.post(f"{answer.headers['location']}/stop", headers=OWN).status_code == 303
        assert desk_of(browser).jobs.find(1).state == STOPPED
        assert "No files are left" in browser.get("/job/1").text
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {".sitting", "records"}


@pytest.mark.parametrize(
    "sent",
    [
        {"kind": "map", "sheet": "../../etc/passwd.toml"},
        {"kind": "map", "style": "/elsewhere/mine.toml"},
        {"kind": "map", "printer": "../x"},
        {"kind": "map", "margin": "10mm --out=/elsewhere"},
        {"kind": "cards:nothing"},
        {"kind": "format:exe"},
        {"kind": "rm"},
    ],
)
def test_nothing_else_is_run(tmp_path: Path, sent: dict[str, str]) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        assert browser.post(f"/field/{kept.id}/job", data=sent, headers=OWN).status_code == 422
        with pytest.raises(UsageError):
            desk_of(browser).jobs.find(1)


def test_only_what_was_printed_is_served(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "secret").write_text("no", encoding="utf-8")
    (out / "map.pdf").write_bytes(b"%PDF")
    (out / "way").symlink_to(tmp_path / "secret")
    (out / "ways").symlink_to(tmp_path)
    with running(out) as browser:
        kept = bare(browser)
        assert browser.get("/out/map.pdf").status_code == 200
        for name in ("way", "ways/secret", "../secret", "..%2fsecret", f".sitting/{kept.id}.json", ".sitting"):
            assert browser.get(f"/out/{name}").status_code == 404
    with pytest.raises(UsageError):
        find_printed(out, "../secret")


def test_a_printer_is_measured_once_and_chosen_afterwards(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        sent = {"what": "save", "name": "desk", "sheet": "a4", "across": "179mm", "along": "250mm"}
        wrong = browser.post("/printer", data={**sent, "across": "5mm"}, headers=OWN)
        assert wrong.status_code == 422
        saved = browser.post("/printer", data=sent, headers=OWN)
        assert saved.status_code == 200, saved.text
        assert "desk" in browser.get("/printer").text
        assert clean_form({"printer": "desk"}, tmp_path / "printers") == {"printer": "desk"}
        kept = bare(browser)
        assert "--printer=desk" in browser.get(f"/field/{kept.id}/print?printer=desk").text


def test_ink_bare_sheets_and_the_parts_of_an_evening_are_told_before_any_is_made(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        kept = bare(browser)
        page = browser.get(f"/field/{kept.id}/print?scale=1:4").text
        assert re.search(r'<div id="ink"><b>about 2\d %</b>', page)
        taken = browser.get(f"/field/{kept.id}/print").text
        made = desk_of(browser).sitting.field(kept.id)
        plan = plan_map(made.record, registry.find(made.rules), order_of({}, tmp_path, find_words("en")))
        (wood,) = (each.outline for each in made.record.battlefield.features)
        windows = plan.sheet_areas
        empty = [name for name, at in windows.items() if not wood.intersects(box(at.x, at.y, at.right, at.top))]
        assert 0 < len(empty) < len(windows)
        assert ", ".join(empty) + " have no terrain features." in taken
        assert taken.count('class="sheet shaded bare"') + taken.count('class="sheet bare"') == len(empty)
        page = browser.get(f"/field/{kept.id}/evening").text
        ticked = re.findall(r'name="(part-[a-z-]+)" value="on" checked', page)
        others = re.findall(r'name="(part-[a-z-]+)" value="on">', page)
        assert {"part-map", "part-overview", "part-umpire"} <= set(ticked)
        assert {"part-layout", "part-hexon"} <= set(others)
        sent = {name: "on" for name in [*ticked, "part-layout"] if name != "part-umpire"}
        answer = browser.post(f"/field/{kept.id}/job", data={"kind": "evening", "parts": "on", **sent}, headers=OWN)
        job = desk_of(browser).jobs.find(int(answer.headers["location"].rpartition("/")[2]))
        desk_of(browser).jobs.stop(job.number)
        assert {"--with=layout", "--without=umpire"} <= set(job.task.words)
        assert job.task.out.endswith("-game-night")
        wrong = browser.post(f"/field/{kept.id}/job", data={"kind": "evening", "with": "a --out=/x"}, headers=OWN)
        assert wrong.status_code == 422


def test_a_game_night_has_the_title_and_the_players_of_its_form(tmp_path: Path) -> None:
    with running(tmp_path / "out") as browser:
        kept = bare(browser)
        assert {'name="title"', 'name="players"'} <= set(
            re.findall(r'name="\w+"', browser.get(f"/field/{kept.id}/evening").text)
        )
        sent = {"kind": "evening", "parts": "on", "part-report": "on", "title": "Oak Hill", "players": "Ann, Bob"}
        wrong = browser.post(f"/field/{kept.id}/job", data={**sent, "players": "a, b, c"}, headers=OWN)
        assert (wrong.status_code, "write at most 2" in wrong.text) == (422, True)
        job = _over(browser, browser.post(f"/field/{kept.id}/job", data=sent, headers=OWN).headers["location"])
        assert job.state == DONE, job.lines
        assert {"--title=Oak Hill", "--players=Ann, Bob"} <= {*job.task.words}
        (report,) = (tmp_path / "out").rglob("report.pdf")
        for other in ({"players": "Ann, Eve"}, {"title": ""}):
            again = browser.post(f"/field/{kept.id}/job", data={**sent, **other}, headers=OWN).headers["location"]
            assert _over(browser, again).state == DONE, other
        spanish = browser.post(f"/field/{kept.id}/job?lang=es", data=sent, headers=OWN).headers["location"]
        assert _over(browser, spanish).state == DONE
    shown = " ".join(texts(report.read_bytes()))
    assert [name for name in ("Oak Hill", "Ann", "Bob") if name not in shown] == []

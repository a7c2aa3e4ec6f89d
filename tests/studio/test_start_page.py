"""The start page: each picture makes a game, preferences are saved, the program stops, and nothing heavy is loaded."""

from __future__ import annotations

import importlib
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from desks import OWN, bare, desk_of, running
from imports import ROOT
from PIL import Image

from printkit.cli.app import run
from printkit.console import terminal
from printkit.core.errors import UsageError
from printkit.options.roles import ROLES
from printkit.studio.pages.render import STATIC
from printkit.studio.preferences import Preferences, change_preferences, read_preferences, save_preferences
from printkit.studio.start import role_takes
from printkit.studio.worker_process import Task

_LOADED = """
import sys
from pathlib import Path
from desks import running

with running(Path(sys.argv[1])) as browser:
    browser.app.state.desk.warm = lambda: None
    assert browser.get("/").status_code == 200
    heavy = {"numpy", "shapely", "PIL", "reportlab", "contourpy", "pypdfium2"}
    print(sorted(heavy & set(sys.modules)), sorted(n for n in sys.modules if n.startswith("printkit.systems.")))
"""


def test_the_start_page_loads_no_geometry_and_no_rule_system(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _LOADED, str(tmp_path)]
    paths = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=paths)
    assert (done.stdout.strip(), done.stderr) == ("[] []", "")


@pytest.mark.parametrize(("lang", "count"), [("en", 6), ("es", 7)])
def test_the_start_page_shows_the_roles_of_its_language_and_the_latest_games(
    tmp_path: Path, lang: str, count: int
) -> None:
    with running(tmp_path, lang=lang) as browser:
        kept = bare(browser)
        battle = tmp_path / "battles" / "mine.toml"
        battle.parent.mkdir()
        battle.write_text('npg = "gallic"\nyou = "armies/own.toml"\n', "utf-8")
        battle.with_suffix(".json").write_text('{"bounds": [{}, {}]}', "utf-8")
        (battle.parent / "damaged.toml").write_text("npg = [", "utf-8")
        page = browser.get("/").text
    assert page.count('class="role"') == count
    assert f'href="/field/{kept.id}"' in page
    assert 'href="/battle/mine"' in page
    assert 'href="/battle/damaged"' not in page
    assert 'href="/club"' in page


@pytest.mark.parametrize(
    ("role", "lands"),
    [
        ("dba", "/field/"),
        ("hexon", "/field/"),
        ("columns", "/field/"),
        ("alone", "/battle"),
        ("deal", "/hands/"),
        ("club", "/club"),
    ],
)
def test_a_picture_leads_to_its_game(tmp_path: Path, role: str, lands: str) -> None:
    with running(tmp_path) as browser:
        answer = browser.post("/begin", data={"role": role}, headers=OWN)
        assert (answer.status_code, answer.headers["location"].startswith(lands)) == (303, True)
        if lands == "/field/":
            (kept,) = desk_of(browser).sitting.fields
            assert kept.rules == next(each.rules for each in ROLES if each.name == role)
        assert f'href="{answer.headers["location"]}"' in browser.get("/").text


def test_an_unknown_role_is_one_line_on_the_start_page(tmp_path: Path) -> None:
    with running(tmp_path) as browser:
        answer = browser.post("/begin", data={"role": "chess"}, headers=OWN)
        assert answer.status_code == 422
        assert "there is no game &#39;chess&#39; here" in answer.text
        assert answer.text.count('class="role"') == 6


def test_preferences_are_saved_and_used_by_every_page(tmp_path: Path) -> None:
    sent = {"lang": "en+es", "sheet": "letter", "ink": "little", "type": "large"}
    with running(tmp_path, lang="es") as browser:
        kept = bare(browser)
        assert browser.post("/preferences", data=sent, headers=OWN).status_code == 303
        page = browser.get(f"/field/{kept.id}/print").text
        assert '<html lang="en" class="large">' in page
        assert 'value="letter" selected' in page
        assert "?style=ink-saver" in page
        assert "--sheet=letter" in page
        for job in ("print", "evening"):
            assert browser.get(f"/field/{kept.id}/{job}?sheet=a4").text.count("--sheet=a4") == 1
            assert browser.get(f"/field/{kept.id}/{job}?sheet=a3").text.count("--sheet=") == 1
        browser.post(f"/field/{kept.id}/job", data={"kind": "record"}, headers=OWN)
        assert desk_of(browser).jobs.find(1).task.options.lang == "en+es"
        wrong = browser.post("/preferences", data={"sheet": "b9"}, headers=OWN)
        assert (wrong.status_code, "these preferences are not valid: b9" in wrong.text) == (422, True)
    file = tmp_path / "preferences.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    saved, notices = read_preferences(file, Preferences())
    assert (saved, notices) == (Preferences(lang="en+es", sheet="letter", ink="little", large_print=True), ())


@pytest.mark.parametrize("text", ["sheet = ", 'sheet = "b9"', 'lang = "tlh"', "large_print = 3", "\x00"])
def test_a_damaged_file_is_set_aside_and_named_once(tmp_path: Path, text: str) -> None:
    file, usual = tmp_path / "preferences.toml", Preferences(sheet="letter")
    file.write_text(text, "utf-8")
    preferences, notices = read_preferences(file, usual)
    assert (preferences, len(notices), file.exists()) == (usual, 1, False)
    assert "preferences.toml.bad" in notices[0]
    assert read_preferences(file, usual) == (usual, ())
    with pytest.raises(UsageError):
        change_preferences(usual, {"lang": "tlh"})


@pytest.mark.parametrize(
    ("name", "sheet"),
    [("en_US.UTF-8", "letter"), ("es_MX", "letter"), ("en_GB.UTF-8", "a4"), ("es", "a4"), ("C", "a4")],
)
def test_the_usual_paper_is_that_of_the_country(monkeypatch: pytest.MonkeyPatch, name: str, sheet: str) -> None:
    monkeypatch.setenv("LC_ALL", name)
    assert terminal.usual_sheet() == sheet


def test_the_program_stops_but_not_during_a_job_unless_the_user_confirms_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []
    with running(tmp_path) as browser:
        browser.app.state.stop = lambda: stopped.append(True)  # type: ignore[attr-defined]
        monkeypatch.setattr(desk_of(browser).jobs, "_run_queue", lambda: None)
        desk_of(browser).jobs.begin("map", "", Task(recipe="map", options=None), {})  # type: ignore[arg-type]
        page = browser.post("/stop", headers=OWN).text
        assert "1 job is being printed. Stop anyway?" in page
        assert stopped == []
        assert "printkit has stopped" in browser.post("/stop", data={"anyway": "on"}, headers=OWN).text
        assert stopped == [True]


def test_other_commands_take_only_the_paper_from_the_preferences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "preferences.toml"
    monkeypatch.setattr(terminal, "preferences_file", lambda: file)
    save_preferences(file, Preferences(lang="es", sheet="a3", ink="little", large_print=True))
    for typed, paper in (([], "a3"), (["--sheet", "letter"], "letter")):
        assert run(["map", "--plan", "--seed", "7", "--lang", "en", *typed]) == 0
        said = capsys.readouterr().out.lower()
        assert paper in said
        assert "ink-saver" not in said


def test_saved_preferences_are_read_back(tmp_path: Path) -> None:
    for preferences in (Preferences(), Preferences(lang="es", sheet="a3", ink="little", large_print=True)):
        save_preferences(tmp_path / "deep" / "preferences.toml", preferences)
        assert read_preferences(tmp_path / "deep" / "preferences.toml", Preferences(lang="en"))[0] == preferences


def test_the_figures_and_pictures_of_the_start_page_are_those_of_its_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "studio"))
    roles = importlib.import_module("roles")
    for role in ROLES:
        with Image.open(STATIC / role.picture) as picture:
            assert picture.size == roles.SIZE
        assert (STATIC / role.picture).stat().st_size <= roles.MOST_BYTES
        if role.prints:
            assert roles.count_takes(role, "a4") == role_takes()[role.name]["a4"]

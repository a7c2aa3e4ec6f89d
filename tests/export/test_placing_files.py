"""Files are written whole or not at all, come to their places together, and nothing of a dead process is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from printkit.core.errors import FileTakenError, PageError
from printkit.export import placing
from printkit.export.placing import clean_up, commit_files, page_paths, replace_file

OLD = {"contents.pdf": "old", "map.pdf": "old", "umpire/record.json": "old", "you/hand.pdf": "old"}
NEW = {"contents.pdf": "new", "umpire/record.json": "new", "map.pdf": "new", "cards.pdf": "new"}
GONE = ("you/hand.pdf",)

KILLED = """
import os, signal, sys
from pathlib import Path
from printkit.export import placing
sys.path.insert(0, {tests!r})
from export.test_placing_files import GONE, NEW, makes
left = int(sys.argv[2])
def dies(call):
    def counted(*given, **named):
        global left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return call(*given, **named)
    return counted
for name in ("replace", "unlink"):
    setattr(Path, name, dies(getattr(Path, name)))
placing.commit_files(makes(NEW), Path(sys.argv[1]), force=True, stale=GONE)
"""


def makes(files: Mapping[str, str]):
    """Return what writes files below a folder."""

    def make(folder: Path) -> Iterator[Path]:
        for name, text in files.items():
            part = folder / name
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text)
            yield part

    return make


def found(folder: Path) -> dict[str, str]:
    """Return the files below a folder with their texts."""
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def left_by_the_dead(folder: Path, places: object, *, host: str = placing._HOST, age: float = 0) -> Path:
    """Make what a process that is dead left in a folder: two files that are whole, and the list of their places."""
    process = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    waiting = folder / f".printkit-{host}-{int(process.stdout)}-abc"
    (waiting / "new").mkdir(parents=True)
    for name in ("a.pdf", "a.json"):
        (waiting / "new" / name).write_text("new")
    if places is not None:
        (waiting / "places").write_text(json.dumps(places))
    then = waiting.stat().st_mtime - age
    os.utime(waiting, (then, then))
    return waiting


@pytest.mark.skipif(os.name == "nt", reason="a process is killed by a signal")
@pytest.mark.parametrize("moment", range(8))
def test_whenever_a_process_is_killed_the_next_one_finds_one_generation(tmp_path, moment):
    commit_files(makes(OLD), tmp_path)
    script = KILLED.format(tests=str(Path(__file__).parents[1]))
    subprocess.run([sys.executable, "-c", script, str(tmp_path), str(moment)], check=False)
    clean_up(tmp_path)
    assert found(tmp_path) in (OLD, NEW)


@pytest.mark.skipif(os.name == "nt", reason="a process is killed by a signal")
def test_what_was_promised_is_kept_although_its_process_is_killed(tmp_path):
    commit_files(makes(OLD), tmp_path)
    script = KILLED.format(tests=str(Path(__file__).parents[1]))
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path), "3"], check=False)
    assert done.returncode < 0
    mixed = {name: text for name, text in found(tmp_path).items() if not name.startswith(".printkit-")}
    assert mixed not in (OLD, NEW)
    commit_files(makes({"other.txt": "more"}), tmp_path)
    assert found(tmp_path) == {**NEW, "other.txt": "more"}


def test_files_return_in_the_order_in_which_they_are_made_and_records_come_last(tmp_path, monkeypatch):
    came = []
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", lambda self, to: came.append(Path(to).name) or replace(self, to))
    put = commit_files(makes(NEW), tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in put] == list(NEW)
    assert came == ["places", "contents.pdf", "map.pdf", "cards.pdf", "record.json"]


def test_where_one_file_cannot_come_to_its_place_all_are_as_they_were(tmp_path, monkeypatch):
    commit_files(makes(OLD), tmp_path)
    replace = Path.replace

    def refused(self: Path, to: Path) -> Path:
        if Path(to).name == "cards.pdf":
            raise PermissionError(13, "Permission denied")
        return replace(self, to)

    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(PageError, match="Permission denied"):
        commit_files(makes(NEW), tmp_path, force=True, stale=GONE)
    assert found(tmp_path) == OLD


def test_ctrl_c_among_the_moves_comes_when_all_have_moved(tmp_path, monkeypatch):
    commit_files(makes(OLD), tmp_path)
    replace, times = Path.replace, []

    def interrupted(self: Path, to: Path) -> Path:
        times.append(to)
        if len(times) == 3:
            raise KeyboardInterrupt
        return replace(self, to)

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        commit_files(makes(NEW), tmp_path, force=True, stale=GONE)
    assert found(tmp_path) == NEW


@pytest.mark.parametrize(
    "places",
    [
        [[], [["a.pdf", "../a.pdf"]]],
        [["../kept.txt"], []],
        [[], [["../../../kept.txt", "a.pdf"]]],
        [[], [["/etc/hosts", "a.pdf"]]],
        [],
        {"moves": 1},
        [[], [["a.pdf"]]],
        [[1], [["a.pdf", 2]]],
    ],
)
def test_a_list_that_leads_out_of_the_folder_or_is_none_is_not_followed(tmp_path, places):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "kept.txt").write_text("kept")
    left_by_the_dead(folder, places)
    clean_up(folder)
    assert found(tmp_path) == {"kept.txt": "kept"}


@pytest.mark.parametrize(("age", "stays"), [(3600.0, True), (25 * 3600.0, False)])
def test_what_waits_for_another_machine_is_left_alone_for_a_day(tmp_path, age, stays):
    left_by_the_dead(tmp_path, None, host="00000000", age=age)
    clean_up(tmp_path)
    assert bool(list(tmp_path.iterdir())) is stays


def test_what_waits_for_the_living_is_left_alone(tmp_path):
    with replace_file(tmp_path / "one.txt") as unfinished:
        unfinished.write_text("new")
        for process in (os.getppid(), 1):
            (tmp_path / f".printkit-{placing._HOST}-{process}-x").mkdir()
        commit_files(makes({"two.txt": "two"}), tmp_path)
        clean_up(tmp_path)
        assert len([path for path in tmp_path.iterdir() if path.name.startswith(".printkit-")]) == 3
    assert (tmp_path / "one.txt").read_text() == "new"


def test_what_waits_in_a_folder_that_waits_comes_to_its_place_and_a_link_to_none(tmp_path):
    outer = left_by_the_dead(tmp_path, None)
    left_by_the_dead(outer, [[], [["a.pdf", "game/a.pdf"]]])
    clean_up(tmp_path)
    assert found(tmp_path) == {"game/a.pdf": "new"}
    (tmp_path / "secret.txt").write_text("kept")
    folder = tmp_path / "folder"
    waiting = left_by_the_dead(folder, [[], [["link", "link.txt"]]])
    (waiting / "new" / "link").symlink_to(tmp_path / "secret.txt")
    clean_up(folder)
    assert not list(folder.iterdir())


def test_files_that_a_dead_process_left_come_to_their_places_or_go(tmp_path):
    waiting = left_by_the_dead(tmp_path, None)
    half = waiting.with_name(waiting.name + "-half.txt")
    half.write_text("half")
    clean_up(tmp_path)
    assert not list(tmp_path.iterdir())
    left_by_the_dead(tmp_path, None)
    clean_up(tmp_path)
    assert found(tmp_path) == {}
    assert not list(tmp_path.iterdir())
    (tmp_path / "stale.pdf").write_text("old")
    left_by_the_dead(tmp_path, [["stale.pdf"], [["a.pdf", "x/a.pdf"], ["a.json", "x/a.json"]]])
    clean_up(tmp_path)
    assert found(tmp_path) == {"x/a.pdf": "new", "x/a.json": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_who_writes_one_file_takes_away_what_a_dead_process_left_beside_it(tmp_path):
    waiting = left_by_the_dead(tmp_path, None)
    waiting.with_name(waiting.name + "-placements.txt").write_text("half")
    with replace_file(tmp_path / "placements.txt") as unfinished:
        unfinished.write_text("A a1 1")
    assert found(tmp_path) == {"placements.txt": "A a1 1"}
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps who may read a file in another way")
def test_private_files_are_for_their_owner_alone(tmp_path):
    def make(unfinished: Path) -> Iterator[Path]:
        (unfinished / "hand.pdf").write_text("secret", encoding="utf-8")
        yield unfinished / "hand.pdf"

    before = os.umask(0o022)
    try:
        (tmp_path / "turns.txt").write_text("old", encoding="utf-8")
        (secret,) = commit_files(make, tmp_path / "game", private=True)
        (shown,) = commit_files(make, tmp_path / "map")
        with replace_file(tmp_path / "turns.txt", private=True) as unfinished:
            unfinished.write_text("new", encoding="utf-8")
    finally:
        os.umask(before)
    modes = [path.stat().st_mode & 0o777 for path in (secret, shown, tmp_path / "turns.txt")]
    assert modes == [0o600, 0o644, 0o600]


@pytest.mark.parametrize("there", [b"oak", b"elm tree", b"el"])
def test_other_content_is_somebodys_work_though_it_be_as_long(tmp_path, there):
    place = tmp_path / "game.pdf"
    place.write_bytes(there)

    def make(folder):
        (folder / "game.pdf").write_bytes(b"elm")
        return [folder / "game.pdf"]

    with pytest.raises(FileTakenError, match="already exists with different content"):
        commit_files(make, tmp_path)
    assert place.read_bytes() == there
    place.write_bytes(b"elm")
    assert commit_files(make, tmp_path) == (place,)


def test_a_file_appears_when_it_is_whole_in_a_folder_that_is_there(tmp_path):
    target = tmp_path / "map.pdf"
    target.write_text("old")
    with replace_file(target) as unfinished:
        unfinished.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["map.pdf"]
    target = tmp_path / "nowhere" / "map.pdf"
    with pytest.raises(PageError, match="nowhere"), replace_file(target) as unfinished:
        unfinished.write_text("x")
    assert page_paths(Path("out/map.svg"), 1) == (Path("out/map.svg"),)
    assert page_paths(Path("out/map.svg"), 12)[8] == Path("out/map-09.svg")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path, error):
    target = tmp_path / "map.pdf"
    target.write_text("old")

    def write() -> None:
        with replace_file(target) as unfinished:
            unfinished.write_text("half")
            raise error

    with pytest.raises(error):
        write()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["map.pdf"]

"""Files are named after the battlefield, and two battlefields never share a name."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest
from command_lines import QUICK, SMALL, Captured, files
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.errors import PageError
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem
from printkit.options.printing import EveningOptions
from printkit.recipes.evening.folder import game_night_folder
from printkit.recipes.prints.file_names import RECORD_FOLDER, battlefield_name, find_name, name_battlefield, slug
from printkit.terrain.field.record import Record, write

ROOT = Path(__file__).parents[2]
OUT = Path("output")
TITLES = (
    "The Field of Mutila",
    "El campo de Numancia",
    "Ängsö Å",
    "Осада",
    "The",
    "Ann's Hill",
    "A " * 90,
    "x" * 99,
)


def titled(record: Record, title: str, seed: int | None = 7, **members: object) -> Record:
    """Return a record with another title and seed."""
    return replace(record, battlefield=replace(record.battlefield, title=title), seed=seed, **members)


@pytest.fixture
def record(game: tuple[RuleSystem, Record]) -> Record:
    """Return the record of a game."""
    return game[1]


@pytest.mark.parametrize(
    ("text", "longest", "name"),
    [
        ("Field of Mutila", 60, "field-of-mutila"),
        ("Año Nuevo", 60, "ano-nuevo"),
        ("Ann's Hill / B", 60, "anns-hill-b"),
        ("Осада", 60, ""),
        ("one two three", 10, "one-two"),
        ("one two three", 7, "one-two"),
        ("abcdefghijklmnop", 10, "abcdefghij"),
    ],
)
def test_a_slug_has_plain_characters_and_ends_at_a_word(text: str, longest: int, name: str) -> None:
    assert slug(text, longest) == name


@pytest.mark.parametrize(
    ("title", "seed", "members", "name"),
    [
        ("The Field of Mutila", 7, {}, "field-of-mutila-seed7"),
        ("La batalla del río", 7, {}, "batalla-del-rio-seed7"),
        ("The", 7, {}, "the-seed7"),
        ("", 3, {}, "brantley-seed3"),
        ("Осада", 3, {}, "brantley-seed3"),
        ("Mutila", None, {}, "mutila-own"),
        ("Mutila", 7, {"hand": ({"feature": "z1", "delete": True},)}, "mutila-own"),
    ],
)
def test_a_battlefield_is_named_after_its_title_and_seed(
    record: Record, title: str, seed: int | None, members: dict[str, object], name: str
) -> None:
    assert battlefield_name(titled(record, title, seed, **members)) == name


def test_different_records_never_share_a_name_and_the_same_record_keeps_it(record: Record, tmp_path: Path) -> None:
    records = [
        titled(record, TITLES[number % len(TITLES)], number // 25 or None, settings={"number": str(number)})
        for number in range(200)
    ]
    names = [name_battlefield(each, tmp_path) for each in records]
    assert len(set(names)) == 200
    assert not [name for name in names if not re.fullmatch("[a-z0-9-]{1,60}", name)]
    for each, name in zip(records, names, strict=True):
        boxed = replace(each, box={"pieces": ["hill"]})
        assert find_name(boxed, tmp_path) == name
        assert (tmp_path / RECORD_FOLDER / f"{name}.json").read_text(encoding="utf-8") == write(each)
    assert len(files(tmp_path)) == 200


def name_copies(text: str, folder: Path, first: int) -> list[str]:
    """Return the names of 30 records, which differ by their settings."""
    _, record = read_record(text)
    copies = [replace(record, settings={"number": str(number)}) for number in range(first, first + 30)]
    return [name_battlefield(copy, folder) for copy in copies]


def test_two_processes_at_once_agree(record: Record, tmp_path: Path) -> None:
    with get_context("spawn").Pool(2) as pool:
        tasks = [(write(record), tmp_path, first) for first in (0, 20)]
        one, two = pool.starmap(name_copies, tasks, chunksize=1)
    assert one[20:] == two[:10]
    assert len({*one, *two}) == len(files(tmp_path)) == 50


def test_a_link_out_of_the_folder_is_refused(record: Record, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / RECORD_FOLDER).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(PageError):
        name_battlefield(record, tmp_path / "out")
    assert files(tmp_path / "elsewhere") == []


@pytest.mark.usefixtures("table", "_no_ink", "_bare")
class TestMaps:
    """The names of printed maps, and what they replace."""

    @pytest.mark.parametrize(
        ("options", "mark"),
        [
            ((), "1to8-a4-ink"),
            (("--sheet", "a3"), "1to8-a3-ink"),
            (("--scale", "fit"), "overview-a4-ink"),
            (("--style", "high-contrast"), "1to8-a4-contrast"),
            (("--style", "campaign", "--large-print"), "1to8-a4-large"),
            (("--hide", "numbers", "--margin", "7mm", "--dressing", "none"), "1to8-a4-ink"),
            (("--lang", "en+es"), "1to8-a4-ink-en-es"),
        ],
    )
    def test_a_print_adds_its_kind_paper_ink_and_language(self, options: tuple[str, ...], mark: str) -> None:
        assert run(["map", "--seed", "5", "--title", "Oak Hill", "--quiet", *QUICK, *options]) == 0
        assert files(OUT) == [f"oak-hill-seed5-{mark}.pdf", "records/oak-hill-seed5.json"]

    def test_the_same_battlefield_replaces_its_own_print_and_another_takes_the_next_number(
        self, capsys: Captured
    ) -> None:
        oak = ["map", "--seed", "5", "--title", "Oak Hill", *QUICK]
        replaces = "Replaces the earlier print of Oak Hill."
        for more, told in (([], False), ([], True), (["--hide", "numbers"], True), (["--seed", "6"], False)):
            assert run([*oak, *more]) == 0
            assert (replaces in capsys.readouterr().err) is told
        assert run([*oak, "--set", "names=none"]) == 0
        named = ["oak-hill-seed5", "oak-hill-seed5-2", "oak-hill-seed6"]
        assert {path.stem for path in (OUT / RECORD_FOLDER).iterdir()} == {*named}
        assert {path.stem.removesuffix("-1to8-a4-ink") for path in OUT.glob("*.pdf")} == {*named}

    def test_a_strange_file_with_the_name_stays(self) -> None:
        strange = OUT / "oak-hill-seed5-1to8-a4-ink.pdf"
        OUT.mkdir()
        strange.write_bytes(b"mine")
        assert run(["map", "--seed", "5", "--title", "Oak Hill", "--quiet", *QUICK]) == 0
        assert strange.read_bytes() == b"mine"
        assert files(OUT) == [strange.name, "oak-hill-seed5-2-1to8-a4-ink.pdf", "records/oak-hill-seed5-2.json"]

    def test_an_error_leaves_no_record(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> object:
            raise PageError("no ink")

        monkeypatch.setattr("printkit.recipes.batch.tasks.write_map", fail)
        assert run(["map", "--seed", "5", "--quiet", *SMALL]) == 1
        assert files(Path()) == []

    def test_a_record_is_found_by_a_part_of_its_name_in_new_and_old_places(
        self, game_record: Path, capsys: Captured
    ) -> None:
        asked = ["map", "--plan", "--to", "json", "--lang", "en", "--from"]
        title = json.loads(game_record.read_text(encoding="utf-8"))["title"]
        for place in ("records/x.json", "brantley-24in-seed6.json", "brantley-24in-seed6-handouts/umpire/record.json"):
            saved = OUT / place
            saved.parent.mkdir(parents=True, exist_ok=True)
            saved.write_bytes(game_record.read_bytes())
            assert run([*asked, title.split()[-1].lower()]) == 0
            assert title in capsys.readouterr().out
            saved.unlink()
        assert run([*asked, "nowhere"]) == 1


def test_a_game_night_is_a_folder_and_files_of_a_virtual_table_another(record: Record, tmp_path: Path) -> None:
    mutila = titled(record, "The Field of Mutila")
    assert game_night_folder(mutila, EveningOptions(), tmp_path) == tmp_path / "field-of-mutila-seed7-game-night"
    tables = game_night_folder(mutila, EveningOptions(to=("tts",)), tmp_path)
    assert tables.name == "field-of-mutila-seed7-game-night-tts"


@pytest.mark.parametrize(
    ("locale", "name"), [("en_US.UTF-8", "field-of-mutila-seed7-a4"), ("es_ES.UTF-8", "campo-de-numancia-seed7-a4-es")]
)
def test_the_first_command_of_the_readme_names_its_files_in_the_language_of_the_reader(
    locale: str, name: str, tmp_path: Path
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = next(line for line in readme.splitlines() if line.startswith("printkit map"))
    told = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=tmp_path,
        env={**os.environ, "LC_ALL": locale, "XDG_CONFIG_HOME": str(tmp_path / "config"), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stderr
    (paper,) = (tmp_path / OUT).glob("*.pdf")
    assert paper.stem == name
    assert str(OUT / paper.name) in told

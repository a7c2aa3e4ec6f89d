"""Where files come to stand: below the folder that was asked for, and never over what somebody else put there."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest
from command_lines import QUICK, SMALL, Captured, files

from printkit.cli.app import run
from printkit.core.errors import FileTakenError, PageError, ScenarioError
from printkit.export.placing import check_file_name, commit_files, relative_path
from printkit.kit.registry import read_record
from printkit.recipes.batch import pool
from printkit.recipes.evening.folder import MANIFEST, manifest_text, write_evening
from printkit.recipes.game.request import read_text

pytestmark = pytest.mark.usefixtures("table", "_no_ink", "_bare")

OUT = Path("output")


def made(*options: str) -> set[str]:
    """Return the names of the files that a map of seed 5 adds to the output."""
    before = set(files(OUT)) if OUT.exists() else set()
    assert run(["map", "--seed", "5", "--quiet", "--lang", "en", *options]) == 0
    return set(files(OUT)) - before


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {name: (folder / name).read_bytes() for name in files(folder)}


class TestNothingIsReplaced:
    """A file with other content stays, and the command says so."""

    def test_the_same_command_again_says_nothing_and_writes_the_same(self) -> None:
        made(*SMALL)
        before = content(OUT)
        assert made(*SMALL) == set()
        assert content(OUT) == before

    def test_another_game_or_printing_under_the_name_stops_and_force_replaces(self, capsys: Captured) -> None:
        mine = ["--out", "mine.pdf", "--quiet", *QUICK]
        assert run(["map", "--seed", "5", *mine]) == 0
        kept = content(Path())
        assert run(["map", "--from", "mine.json", *mine, "--scale", "1:9"]) == 1
        assert "mine.pdf already exists with different content" in capsys.readouterr().err
        assert run(["map", "--seed", "6", *mine]) == 1
        assert (
            "mine.json already exists and holds a different game. Choose another name, or overwrite it with --force"
            in capsys.readouterr().err
        )
        assert content(Path()) == kept
        assert run(["map", "--seed", "6", "--force", *mine]) == 0
        assert files(Path()) == sorted(kept)
        assert Path("mine.pdf").read_bytes() != kept["mine.pdf"]

    @pytest.mark.parametrize(
        "command",
        [
            "specimen --out out.pdf --style ink-saver",
            "cards reference --rules brantley --out out.pdf",
            "calibrate --out out.pdf",
            "npg counters gallic --out out.pdf",
            "npg sheets --seed 4 --out out.pdf",
            "npg compose gallic marian-roman --seed 3 --choose-for-you --out out.toml",
            "hexon --rules portable-2 --seed 5 --to csv --out out.csv",
        ],
    )
    def test_every_command_that_writes_asks_for_force(self, command: str, capsys: Captured) -> None:
        words = [*command.split(), "--lang", "en"]
        there = Path(words[words.index("--out") + 1])
        there.write_bytes(b"somebody's work")
        assert run(words) == 1
        assert f"{there} already exists with different content" in capsys.readouterr().err
        assert there.read_bytes() == b"somebody's work"
        assert run([*words, "--force"]) == 0
        assert there.read_bytes() != b"somebody's work"

    def test_a_batch_makes_its_own_cut_file_again_but_replaces_no_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Boards are left bare in this process alone.
        monkeypatch.setattr(pool, "cores", lambda: 1)
        batch = ["map", "--seed", "5", "--count", "2", *QUICK]
        assert run(batch) == 0
        first, second = (next(OUT.glob(f"*-seed{seed}-*.pdf")) for seed in (5, 6))
        whole = first.read_bytes()
        first.write_bytes(whole[:99])
        assert run(batch) == 0
        assert first.read_bytes() == whole
        (OUT / "printkit-batch.jsonl").unlink()
        (record,) = OUT.glob("records/*-seed6.json")
        record.unlink()
        second.write_bytes(b"somebody's work")
        assert run(batch) == 0
        assert second.read_bytes() == b"somebody's work"
        assert (record.parent / f"{record.stem}-2.json").exists()


class TestNoNameLeavesItsFolder:
    """A record may come from anybody."""

    @pytest.mark.parametrize("command", ["map --scale fit", "hexon --to json", "handouts"])
    def test_a_stage_that_rules_do_not_have_is_refused(self, command: str, game_record: Path, capsys: Captured) -> None:
        Path("precious1.json").write_text("mine", encoding="utf-8")
        tree = json.loads(game_record.read_text(encoding="utf-8"))
        tree["reseeded"] = {"x/../../precious": 1}
        Path("trav.json").write_text(json.dumps(tree), encoding="utf-8")
        assert run([*command.split(), "--from", "trav.json", "--out", "o", "--lang", "en"]) == 1
        said = capsys.readouterr().err
        assert said.startswith("printkit: trav.json: reseeded names the stage 'x/../../precious', which brantley does")
        assert len(said.splitlines()) == 1
        assert run(["check", "trav.json", "--lang", "en"]) == 1
        assert Path("precious1.json").read_text(encoding="utf-8") == "mine"
        assert files(Path()) == ["precious1.json", "trav.json"]
        # A stage of the rules is read.
        tree["reseeded"] = {"rivers": 3}
        assert read_record(json.dumps(tree))[1].reseeded == {"rivers": 3}

    @pytest.mark.parametrize(
        ("checked", "names"),
        [
            (check_file_name, ["", ".", "..", "a/b", "a\\b", "a\nb", "a\x1bb", "c:d", "end.", "end ", "what?"]),
            (relative_path, ["../x.pdf", "/x.pdf", "a/../../x.pdf", "a//x.pdf", "a\\..\\x.pdf"]),
        ],
    )
    def test_what_is_no_name_or_a_way_out_is_refused(self, checked: Callable[[str], object], names: list[str]) -> None:
        for name in names:
            with pytest.raises(PageError):
                checked(name)

    def test_what_is_put_down_stays_below_its_folder(self) -> None:
        def make(unfinished: Path) -> list[Path]:
            (unfinished / "in").mkdir()
            (unfinished / "in" / "a.txt").write_text("ours", encoding="utf-8")
            return [unfinished / "in" / "a.txt"]

        Path("elsewhere").mkdir()
        Path("out").mkdir()
        Path("out/in").symlink_to(Path("elsewhere").resolve())
        with pytest.raises(PageError):
            commit_files(make, Path("out"))
        assert files(Path("elsewhere")) == []
        Path("out/in").unlink()
        assert commit_files(make, Path("out")) == (Path("out/in/a.txt"),)
        assert files(Path("out")) == ["in/a.txt"]


class TestEveningsDoNotMix:
    """A folder holds one evening, and what else somebody has put there."""

    ONE: ClassVar = {"contents.pdf": "one", "umpire/npg-secret.pdf": "one", "umpire/record.json": "one"}
    OTHER: ClassVar = {"contents.pdf": "other", "player-a/player-a.pdf": "other", "umpire/record.json": "other"}

    @staticmethod
    def listed(files_of: dict[str, str]) -> dict[str, str]:
        return {**files_of, MANIFEST: manifest_text(files_of)}

    @pytest.mark.parametrize("with_list", [True, False])
    def test_another_evening_stops_and_force_takes_the_old_one_out(self, with_list: bool) -> None:
        folder = Path("evening")
        write_evening(self.listed(self.ONE), folder)
        if not with_list:
            (folder / MANIFEST).unlink()
        (folder / "notes.pdf").write_bytes(b"mine")
        (folder / "umpire" / "notes.txt").write_bytes(b"mine")
        before = content(folder)
        with pytest.raises(FileTakenError):
            write_evening(self.listed(self.OTHER), folder)
        assert content(folder) == before
        write_evening(self.listed(self.OTHER), folder, force=True)
        assert files(folder) == sorted([*self.OTHER, MANIFEST, "notes.pdf", "umpire/notes.txt"])
        assert (folder / "notes.pdf").read_bytes() == b"mine"

    @pytest.mark.parametrize("with_list", [True, False])
    def test_a_solo_evening_from_before_it_had_folders_is_known_for_one(self, with_list: bool) -> None:
        folder = Path("evening")
        names = ("contents", "map", "overview", "cards-npg", "battle-sheet", "bound-log", "report", "you/you")
        kept = ("npg-secret.pdf", "bound-strip.pdf", "cards-pair.pdf", "umpire.pdf", "record.json", "log.txt")
        old = {**{f"{name}.pdf": "old" for name in names}, **{f"umpire/{name}": "old" for name in kept}}
        write_evening(self.listed(old), folder)
        if not with_list:
            (folder / MANIFEST).unlink()
        new = self.listed({"contents.pdf": "new", "you/map.pdf": "new", "sealed/record.json": "new"})
        with pytest.raises(FileTakenError, match="holds a different game night"):
            write_evening(new, folder)
        write_evening(new, folder, force=True)
        assert files(folder) == sorted(new)

    @pytest.mark.parametrize("kept", ["umpire/record.json", "sealed/record.json"])
    def test_a_folder_where_a_file_is_wanted_tells_what_lies_in_it(self, kept: str) -> None:
        write_evening(self.listed({"contents.pdf": "one", kept: "one"}), Path("evening"))
        with pytest.raises(ScenarioError) as told:
            read_text(Path("evening"))
        assert str(told.value) == f"evening is a folder; name a file in it, for example {Path('evening', kept)}"
        with pytest.raises(ScenarioError, match=r"is a folder; name a file$"):
            read_text(Path("evening", kept).parent)

    def test_the_same_evening_again_is_written_and_a_list_from_a_stranger_takes_nothing_out_elsewhere(self) -> None:
        folder = Path("evening")
        for _ in range(2):
            write_evening(self.listed(self.ONE), folder)
            assert files(folder) == sorted(self.listed(self.ONE))
        Path("precious.pdf").write_bytes(b"mine")
        (folder / MANIFEST).write_text("../precious.pdf\n/precious.pdf\n", encoding="utf-8")
        write_evening(self.listed(self.ONE), folder, force=True)
        assert Path("precious.pdf").read_bytes() == b"mine"

    def test_handouts_stop_before_another_evening(self, capsys: Captured) -> None:
        quick = ["--board", "12in", "--style", "ink-saver", "--lang", "en", "--out", "evening", "--quiet"]
        folder = Path("evening/umpire")
        folder.mkdir(parents=True)
        (folder / "npg-secret.pdf").write_bytes(b"of another game")
        assert run(["handouts", "--seed", "7", *quick]) == 1
        assert "evening already holds a different game night (umpire/npg-secret.pdf)" in capsys.readouterr().err
        assert files(Path("evening")) == ["umpire/npg-secret.pdf"]
        assert run(["handouts", "--seed", "7", "--force", *quick]) == 0
        assert "umpire/npg-secret.pdf" not in files(Path("evening"))
        listed = Path("evening", MANIFEST).read_text(encoding="utf-8").splitlines()[1:]
        assert sorted([*listed, MANIFEST]) == files(Path("evening"))


def test_a_plan_names_its_seed_and_a_deal_by_a_short_one_is_another_unless_it_is_open(
    capsys: Captured,
) -> None:
    assert run(["map", "--plan", *QUICK]) == 0
    told = capsys.readouterr().out
    assert run(shlex.split(told.rpartition("printkit ")[2])) == 0
    (planned,) = re.findall("^  (\\S+)", told, re.MULTILINE)
    assert Path(planned).is_file()
    dealt = []
    for options in ((), (), ("--open",), ("--open",)):
        assert run(["deal", "--seed", "4711", "--plan", "--lang", "en", *options]) == 0
        dealt.append(capsys.readouterr().out)
    assert dealt[0] != dealt[1]
    assert dealt[2] == dealt[3]

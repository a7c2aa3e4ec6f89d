"""Several battlefields at once: the same files whoever makes them, told in order, gone on with where they stopped."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from signal import SIGINT, default_int_handler

import pytest
from command_lines import QUICK, Captured
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.errors import PageError, Sentence, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.kit.registry import find
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document, Page, Placement, Sheet
from printkit.recipes.batch import batches
from printkit.recipes.batch.batches import Report, by_seed
from printkit.recipes.batch.keeping import NAME
from printkit.recipes.batch.pool import pooled
from printkit.recipes.game.games import Played, play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.maps import MapSheet, Planned
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("table", "_no_ink")

HERE = ["--jobs", "1", "--lang", "en"]
TWO = ["map", "--seed", "5", "--count", "2", "--quiet", *HERE]
SHEET = Sheet(name="a4", width=210.0, height=297.0, margin=10.0)


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder but the one by which a batch is known."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != NAME}


class Drawn:
    """Stands for the drawing of maps: one empty sheet, and what is wrong with some seeds."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.wrong: dict[int, BaseException] = {}

    def __call__(self, record: Record, system: RuleSystem, _: MapSheet) -> tuple[Document, Planned]:
        """Return the empty sheet."""
        assert record.seed is not None
        self.seeds.append(record.seed)
        if record.seed in self.wrong:
            raise self.wrong[record.seed]
        drawing = Drawing(width=10.0, height=10.0, layers=())
        page = Page(sheet=SHEET, placements=(Placement(drawing),), trim=Rect(0.0, 0.0, 210.0, 297.0), label="")
        return Document(title=system.name, pages=(page,)), Planned(scale=1.0, sheet=SHEET, pages=1)


@pytest.fixture(scope="module")
def game() -> Played:
    """Return a game."""
    return play(find("brantley"), Orders(rules="brantley"), 5, Words(("en",)))


@pytest.fixture
def drawn(game: Played, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Have every map be an empty sheet of the same game, and return what says so."""
    drawing = Drawn()

    def played(_: RuleSystem, __: Orders, seed: int, ___: Words, *, goes_on: bool) -> Played:
        assert goes_on
        # Another seed would not have thrown these dice, which would tell in the names of files.
        return replace(game, record=replace(game.record, seed=seed, log=game.record.log if seed == 5 else ()))

    monkeypatch.setattr(batches, "play", played)
    monkeypatch.setattr(exact_picture, "map_document", drawing)
    return drawing


def test_workers_and_this_process_make_the_same_files_and_lines(table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--count", "2", "--jobs", "2", "--out", "shared", *QUICK]) == 0
    shared = capsys.readouterr().err
    assert run(["map", "--seed", "5", "--count", "2", "--jobs", "1", "--out", "alone", *QUICK]) == 0
    assert capsys.readouterr().err.replace("alone/", "shared/") == shared
    assert shared.index("(seed 5)") < shared.index("(seed 6)")
    assert content(table / "shared") == content(table / "alone")
    assert (table / "shared" / NAME).read_text(encoding="utf-8").count("\n") == 2
    assert run(["map", "--seed", "6", "--out", "one", *QUICK]) == 0
    one = content(table / "one")
    assert len(one) == 2
    assert one.items() <= content(table / "shared").items()


def test_reports_come_by_seed_whatever_is_done_first() -> None:
    made: list[int] = []

    def arriving() -> Iterator[Report]:
        for seed in (9, 7, 8, 11, 10):
            made.append(seed)
            yield Report(seed=seed)

    found = [(report.seed, len(made)) for report in by_seed(arriving(), range(7, 12))]
    assert found == [(7, 2), (8, 3), (9, 3), (10, 5), (11, 5)]


@pytest.mark.usefixtures("drawn")
def test_evenings_and_tiles_are_shared_out_too(table: Path, capsys: Captured) -> None:
    for command, work in (("handouts", "recipes.batch.works.EveningWork"), ("hexon", "hexon.job.HexonWork")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(f"printkit.{work}.__call__", lambda *_: batches.Done(told=("told",)))
            assert run([command, "--seed", "5", "--count", "2", *HERE]) == 0
        assert capsys.readouterr().err == "told\ntold\n"
    assert list(table.iterdir()) == []


def test_what_is_there_and_whole_is_not_made_again(table: Path, drawn: Drawn, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--out", "fields", *HERE]
    assert run([*command, "--count", "2"]) == 0
    capsys.readouterr()
    assert run([*command, "--count", "3"]) == 0
    assert drawn.seeds == [5, 6, 7]
    assert capsys.readouterr().err.splitlines()[-1] == (
        "3 battlefields: 1 made, 2 there already and whole (--again makes them anew)"
    )
    assert run([*command, "--count", "3", "--again", "--quiet"]) == 0
    assert drawn.seeds[3:] == [5, 6, 7]
    assert len(content(table / "fields")) == 6


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("brantley-24in-seed6.pdf", lambda kept: kept[:-1]),
        ("brantley-24in-seed6.json", lambda kept: kept.replace(b'"rules"', b'"Rules"', 1)),
        ("brantley-24in-seed6.json", lambda _: None),
        # Half of the last line of what is known is left, as a machine without power leaves it.
        (NAME, lambda kept: kept[:-40]),
    ],
    ids=["cut off", "changed", "taken away", "half noted"],
)
def test_what_is_not_whole_is_made_again(
    name: str, harm: Callable[[bytes], bytes | None], table: Path, drawn: Drawn
) -> None:
    command = [*TWO, "--out", "fields"]
    assert run(command) == 0
    before, file = content(table / "fields"), table / "fields" / name
    spoilt = harm(file.read_bytes())
    file.unlink() if spoilt is None else file.write_bytes(spoilt)
    for _ in range(2):
        assert run(command) == 0
        assert drawn.seeds == [5, 6, 6]
        assert content(table / "fields") == before


@pytest.mark.parametrize(
    "other",
    ["--style ink-saver", "--sheet a3", "--overlap 12mm", "--to svg", "--set policy=terrain-hungry", "--lang es"],
)
def test_another_order_makes_it_again(other: str, drawn: Drawn) -> None:
    assert run(TWO) == run([*TWO, *other.split()]) == 0
    assert drawn.seeds == [5, 6, 5, 6]


def test_another_version_makes_it_again_and_a_folder_that_was_moved_is_gone_on_with(
    table: Path, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run([*TWO, "--out", "here/night.pdf"]) == 0
    (table / "here").rename(table / "there")
    assert run([*TWO, "--out", "there/night.pdf"]) == 0
    assert drawn.seeds == [5, 6]
    monkeypatch.setattr("printkit.recipes.batch.keeping.__version__", "0.0.1")
    assert run([*TWO, "--out", "there/night.pdf"]) == 0
    assert drawn.seeds == [5, 6, 5, 6]


def test_a_record_alone_is_made_without_sheets(drawn: Drawn, table: Path, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--to", "json", "--lang", "en"]
    assert run([*command, "--plan"]) == 0
    assert "seed 5: the record alone, and no sheets\nwould write" in capsys.readouterr().out
    assert run(command) == 0
    assert "(seed 5): the record alone, and no sheets\n" in capsys.readouterr().err
    assert drawn.seeds == []
    assert [path.suffix for path in (table / "output").iterdir()] == [".json"]


def test_a_plan_writes_nothing_and_what_is_known_is_a_line_a_field(table: Path, drawn: Drawn, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--count", "2", "--plan", *HERE]) == 0
    said = capsys.readouterr().out
    assert [f"would write output/brantley-24in-seed{seed}.pdf" in said for seed in (5, 6, 7)] == [True, True, False]
    assert list(table.iterdir()) == []
    assert drawn.seeds == [5, 6]
    assert run([*TWO, "--out", "fields"]) == 0
    lines = [json.loads(line) for line in (table / "fields" / NAME).read_text(encoding="utf-8").splitlines()]
    names = [[f"brantley-24in-seed{seed}.{ending}" for ending in ("json", "pdf")] for seed in (5, 6)]
    assert [(line["seed"], sorted(line["files"])) for line in lines] == [(5, names[0]), (6, names[1])]


def test_a_field_that_fails_stops_no_other(table: Path, drawn: Drawn, capsys: Captured) -> None:
    drawn.wrong = {5: PageError("no room for {what}", what="it"), 6: ZeroDivisionError("by nothing")}
    assert run(["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "printkit: seed 5: no room for it"
    assert lines[1].startswith("printkit: seed 6: a fault of printkit, ZeroDivisionError in test_batches.py, line ")
    assert lines[-1] == "3 battlefields: 1 made, 2 failed"
    assert list(content(table / "fields")) == ["brantley-24in-seed7.json", "brantley-24in-seed7.pdf"]
    drawn.wrong = {}
    assert run(["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]) == 0
    assert drawn.seeds == [5, 6, 7, 5, 6]


def test_what_is_wrong_for_every_seed_is_told_once(table: Path, drawn: Drawn, capsys: Captured) -> None:
    drawn.wrong = dict.fromkeys((5, 6, 7), UsageError("no zone {zone!r}", zone="99"))
    assert run(["map", "--seed", "5", "--count", "3", *HERE]) == 2
    assert capsys.readouterr().err == "printkit: no zone '99'\n"
    assert drawn.seeds == [5]
    assert list(table.iterdir()) == []
    # A scenario that is wrong is found before the first.
    Path("wrong.toml").write_text('[settings]\npolicy = "none such"\n', encoding="utf-8")
    assert run(["map", "--seed", "5", "--count", "3", "--scenario", "wrong.toml", *HERE]) == 1
    assert capsys.readouterr().err.startswith("printkit: wrong.toml: ")
    assert drawn.seeds == [5]


def test_ctrl_c_leaves_what_is_whole_and_says_how_to_go_on(table: Path, drawn: Drawn, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]
    drawn.wrong = {6: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        run(command)
    assert capsys.readouterr().err.splitlines()[-1] == "printkit: the same command with --seed 5 goes on from here"
    assert list(content(table / "fields")) == ["brantley-24in-seed5.json", "brantley-24in-seed5.pdf"]
    drawn.wrong = {}
    assert run(command) == 0
    assert drawn.seeds == [5, 6, 6, 7]
    # One in a worker stops all.
    with pytest.raises(KeyboardInterrupt):
        list(pooled(partial(default_int_handler, SIGINT), [None, None], jobs=2))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--count 2 --backend nope", "no backend 'nope'; there are dask, loky, multiprocessing"),
        ("--count 2 --backend threading", "--backend threading stays in one process; for that give --jobs 1"),
        ("--count 2 --jobs 0", "--jobs"),
        ("--jobs 2", "--jobs goes with several battlefields; give --count"),
        ("--again --backend loky", "--backend and --again goes with several battlefields; give --count"),
        ("--count 2 --ask --jobs 2", "--ask asks here for one field after the other; leave --jobs"),
        ("--count 2 --out -", "--out - writes one file"),
        ("--count 2 --blank", "--blank throws nothing"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(options: str, said: str, table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--lang", "en", *options.split()]) == 2
    line = capsys.readouterr().err
    assert said in line
    assert line.count("\n") == 1
    assert list(table.iterdir()) == []


@pytest.mark.parametrize("package", ["there", "lacking"])
def test_a_cluster_has_to_be_named_and_its_package_to_be_there(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = object() if package == "there" else None
    monkeypatch.setattr("printkit.recipes.batch.pool.find_spec", lambda _: found)
    monkeypatch.setattr("printkit.recipes.batch.pool.import_module", lambda _: {})
    with pytest.raises(UsageError, match="knows no cluster" if found else "needs dask.distributed"):
        next(pooled(abs, [1, 2], backend="dask"))
    # One process needs no pool.
    monkeypatch.setitem(sys.modules, "joblib", None)
    assert list(pooled(abs, [-1, -2], jobs=1)) == [1, 2]
    assert list(pooled(abs, [-3])) == [3]


def test_a_sentence_can_be_sent_and_said_in_another_language_there() -> None:
    sentence = Sentence("seed {seed}: {error}", seed=5, error=Sentence("no {what}", what="{room}"))
    sent = pickle.loads(pickle.dumps(replace(Report(seed=5), failed=sentence))).failed
    assert sent == "seed 5: no {room}"
    assert (sent.template, sent.values["error"].template) == ("seed {seed}: {error}", "no {what}")

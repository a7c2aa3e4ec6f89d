"""Several battlefields at once: the same files whoever makes them, told in order, gone on with where they stopped."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest
from blank_maps import blank_plan
from command_lines import QUICK, Captured
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.errors import PageError, Sentence, UsageError
from printkit.core.words import Words
from printkit.drawing.canvas.items import Drawing, Rect
from printkit.kit.registry import find
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document, Page, Placement, Sheet
from printkit.recipes.batch import batches, pool
from printkit.recipes.batch.batches import NAME, BatchLog, Report, order_reports
from printkit.recipes.batch.pool import cluster_executor, run_tasks
from printkit.recipes.game.games import GeneratedGame, play
from printkit.recipes.game.request import Orders
from printkit.recipes.prints import exact_picture
from printkit.recipes.prints.map_plan import MapPlan
from printkit.recipes.prints.maps import MapContext
from printkit.terrain.field.record import Record

pytestmark = pytest.mark.usefixtures("table", "_no_ink", "_alone")

HERE = ["--lang", "en"]
TWO = ["map", "--seed", "5", "--count", "2", "--quiet", *HERE]
SHEET = Sheet(name="a4", width=210.0, height=297.0, margin=10.0)


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder but the one by which a batch is known."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in (NAME, ".lock"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process do everything, as on a machine with one core."""
    monkeypatch.setattr(pool, "cores", lambda: 1)


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch, _alone: None) -> None:
    """Let two processes do what there is to do."""
    monkeypatch.setattr(pool, "cores", lambda: 2)


@pytest.fixture
def _hears() -> Iterator[None]:
    """Let Ctrl-C be heard, also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def at_first(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Return a function that has something done once, as soon as the first field of a batch is made."""
    note = BatchLog.note

    def later(act: Callable[[], object]) -> None:
        acts = [act]

        def noted(log: BatchLog, report: Report) -> None:
            note(log, report)
            if acts:
                acts.pop()()

        monkeypatch.setattr(BatchLog, "note", noted)

    return later


class Drawn:
    """Stands for the drawing of maps: one empty sheet, and what is wrong with some seeds."""

    def __init__(self) -> None:
        self.seeds: list[int] = []
        self.wrong: dict[int, BaseException] = {}

    def __call__(self, record: Record, system: RuleSystem, _: MapContext) -> MapPlan:
        """Return the empty sheet."""
        assert record.seed is not None
        self.seeds.append(record.seed)
        if record.seed in self.wrong:
            raise self.wrong[record.seed]
        drawing = Drawing(width=10.0, height=10.0, layers=())
        page = Page(sheet=SHEET, placements=(Placement(drawing),), trim=Rect(0.0, 0.0, 210.0, 297.0), label="")
        return blank_plan(Document(title=system.name, pages=(page,)), system.name)


@pytest.fixture(scope="module")
def game() -> GeneratedGame:
    """Return a game."""
    return play(find("brantley"), Orders(rules="brantley"), 5, Words(("en",)))


@pytest.fixture
def drawn(game: GeneratedGame, monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Have every map be an empty sheet of the same game, and return what says so."""
    drawing = Drawn()

    def played(_: RuleSystem, __: Orders, seed: int, ___: Words, *, continues: bool) -> GeneratedGame:
        assert continues
        # Another seed would not have thrown these dice, which would tell in the names of files.
        return replace(game, record=replace(game.record, seed=seed, log=game.record.log if seed == 5 else ()))

    monkeypatch.setattr(batches, "play", played)
    monkeypatch.setattr(exact_picture, "plan_map", drawing)
    return drawing


def files_of(seed: int, folder: Path) -> list[str]:
    """Return the names of the two files of a seed in a folder."""
    (record,) = folder.glob(f"records/*-seed{seed}.json")
    return [f"{record.stem}-a4.pdf", f"records/{record.name}"]


def test_workers_and_this_process_make_the_same_files_and_lines(
    table: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(pool, "cores", lambda: 2)
        assert run(["map", "--seed", "5", "--count", "2", "--out", "shared", *QUICK]) == 0
    shared = capsys.readouterr().err
    assert run(["map", "--seed", "5", "--count", "2", "--out", "alone", *QUICK]) == 0
    assert capsys.readouterr().err.replace("alone/", "shared/") == shared
    assert shared.index("seed5") < shared.index("seed6")
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

    found = [(report.seed, len(made)) for report in order_reports(arriving(), range(7, 12))]
    assert found == [(7, 2), (8, 3), (9, 3), (10, 5), (11, 5)]


@pytest.mark.usefixtures("drawn")
def test_evenings_and_tiles_are_shared_out_too(table: Path, capsys: Captured) -> None:
    for command, work in (("handouts", "recipes.batch.tasks.make_evening"), ("hexon", "hexon.job.make_tiles")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(f"printkit.{work}", lambda *_: batches.WorkResult(messages=("told",)))
            assert run([command, "--seed", "5", "--count", "2", *HERE]) == 0
        assert capsys.readouterr().err == "told\ntold\n"
    assert list(table.iterdir()) == []


def test_what_is_there_and_whole_is_not_made_again(table: Path, drawn: Drawn, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--out", "fields", *HERE]
    assert run([*command, "--count", "2"]) == 0
    capsys.readouterr()
    assert run([*command, "--count", "3", "--force"]) == 0
    assert drawn.seeds == [5, 6, 7]
    assert capsys.readouterr().err.splitlines()[-1] == (
        "3 battlefields: 1 made, 2 already existed (--again generates them again)"
    )
    assert run([*command, "--count", "3", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert run([*command, "--count", "3", "--again", "--quiet"]) == 0
    assert drawn.seeds[3:] == [5, 6, 7]
    assert len(content(table / "fields")) == 6


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("*-seed6-a4.pdf", lambda kept: kept[:-1]),
        ("records/*-seed6.json", lambda _: None),
        # Half of the last line of what is known is left, as a machine without power leaves it.
        (NAME, lambda kept: kept[:-40]),
    ],
    ids=["cut off", "taken away", "half noted"],
)
def test_what_is_not_whole_is_made_again(
    name: str, harm: Callable[[bytes], bytes | None], table: Path, drawn: Drawn
) -> None:
    command = [*TWO, "--out", "fields"]
    assert run(command) == 0
    (file,) = (table / "fields").glob(name)
    before = content(table / "fields")
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
    monkeypatch.setattr("printkit.recipes.batch.batches.__version__", "0.0.1")
    assert run([*TWO, "--out", "there/night.pdf"]) == 0
    assert drawn.seeds == [5, 6, 5, 6]


def test_a_record_alone_is_made_without_sheets(drawn: Drawn, table: Path, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--to", "json", "--lang", "en"]
    assert run([*command, "--plan"]) == 0
    assert ": the record only, without sheets.\n  output/" in capsys.readouterr().out
    assert run(command) == 0
    assert ": the record only, without sheets.\n" in capsys.readouterr().err
    assert drawn.seeds == []
    assert [path.suffix for path in (table / "output" / "records").iterdir()] == [".json"]


def test_a_plan_writes_nothing_and_what_is_known_is_a_line_a_field(table: Path, drawn: Drawn, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--count", "2", "--plan", *HERE]) == 0
    said = capsys.readouterr().out
    assert [f"-seed{seed}-a4.pdf" in said for seed in (5, 6, 7)] == [True, True, False]
    assert list(table.iterdir()) == []
    assert drawn.seeds == [5, 6]
    assert run([*TWO, "--out", "fields"]) == 0
    lines = [json.loads(line) for line in (table / "fields" / NAME).read_text(encoding="utf-8").splitlines()]
    names = [files_of(seed, table / "fields") for seed in (5, 6)]
    assert [(line["seed"], sorted(line["files"])) for line in lines] == [(5, names[0]), (6, names[1])]


def test_a_field_that_fails_stops_no_other(table: Path, drawn: Drawn, capsys: Captured) -> None:
    drawn.wrong = {5: PageError("no room for {what}", what="it"), 6: ZeroDivisionError("by nothing")}
    assert run(["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "printkit: seed 5: no room for it"
    assert lines[1].startswith("printkit: seed 6: a bug in printkit, ZeroDivisionError in test_batches.py, line ")
    assert lines[-1] == "3 battlefields: 1 made, 2 failed"
    assert sorted(content(table / "fields")) == files_of(7, table / "fields")
    drawn.wrong = {}
    assert run(["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]) == 0
    assert drawn.seeds == [5, 6, 7, 5, 6]


def test_what_is_wrong_for_every_seed_is_told_once(table: Path, drawn: Drawn, capsys: Captured) -> None:
    drawn.wrong = dict.fromkeys((5, 6, 7), UsageError("this board has no zone {zone!r}", zone="99"))
    assert run(["map", "--seed", "5", "--count", "3", *HERE]) == 2
    assert capsys.readouterr().err == "printkit: this board has no zone '99'\n"
    assert drawn.seeds == [5]
    assert list(table.iterdir()) == []
    # A scenario that is wrong is found before the first.
    Path("wrong.toml").write_text('[settings]\npolicy = "none such"\n', encoding="utf-8")
    assert run(["map", "--seed", "5", "--count", "3", "--scenario", "wrong.toml", *HERE]) == 1
    assert capsys.readouterr().err.startswith("printkit: wrong.toml, line 2: ")
    assert drawn.seeds == [5]


def test_ctrl_c_leaves_what_is_whole_and_says_how_to_go_on(table: Path, drawn: Drawn, capsys: Captured) -> None:
    command = ["map", "--seed", "5", "--count", "3", "--out", "fields", *HERE]
    drawn.wrong = {6: KeyboardInterrupt()}
    with pytest.raises(KeyboardInterrupt):
        run(command)
    assert capsys.readouterr().err.splitlines()[-1] == ("printkit: to continue, run the command again with --seed 5")
    assert sorted(content(table / "fields")) == files_of(5, table / "fields")
    drawn.wrong = {}
    assert run(command) == 0
    assert drawn.seeds == [5, 6, 6, 7]


MANY = ["map", "--seed", "5", "--count", "9", "--to", "json", "--lang", "en", "--out", "fields"]


@pytest.mark.usefixtures("shared", "_hears")
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: active_children()[0].kill(), "a worker process was killed, for example because memory ran out; "),
        (partial(signal.raise_signal, signal.SIGINT), ""),
    ],
    ids=["killed", "Ctrl-C"],
)
def test_a_killed_worker_and_ctrl_c_stop_all_and_the_same_command_goes_on(
    wrong: Callable[[], object],
    said: str,
    table: Path,
    capsys: Captured,
    at_first: Callable[[Callable[[], object]], None],
) -> None:
    at_first(wrong)
    if said:
        assert run(MANY) == 1
        said += "finished files are complete; "
    else:
        with pytest.raises(KeyboardInterrupt):
            run(MANY)
    assert active_children() == []
    assert (
        capsys.readouterr().err.splitlines()[-1] == f"printkit: {said}to continue, run the command again with --seed 5"
    )
    made = content(table / "fields")
    assert 1 <= len(made) < 9
    assert all(json.loads(file)["seed"] for file in made.values())
    assert run(MANY) == 0
    assert "already existed" in capsys.readouterr().err
    assert made.items() <= content(table / "fields").items()
    assert len(content(table / "fields")) == 9


@pytest.mark.usefixtures("_hears")
@pytest.mark.parametrize("ended_by", ["Ctrl-C", "kill"])
def test_nothing_runs_on_when_a_command_is_ended(ended_by: str) -> None:
    command = [sys.executable, "-m", "printkit", *MANY, "--count", "99"]
    with Popen(command, stderr=PIPE, start_new_session=True, text=True) as process:
        assert process.stderr
        assert "the record only" in process.stderr.readline()
        if ended_by == "kill":
            process.kill()
        else:
            # A terminal sends it to every process.
            os.killpg(process.pid, signal.SIGINT)
        # The end of the stream comes when the last process ends.
        said = process.communicate(timeout=60)[1]
    assert "Traceback" not in said
    if ended_by == "Ctrl-C":
        assert said.splitlines()[-2:] == [
            "printkit: to continue, run the command again with --seed 5",
            "printkit: stopped; no incomplete files were left",
        ]


class Elsewhere(Executor):
    """Takes tasks, and of the first thousand finishes two, the later one first."""

    def __init__(self) -> None:
        self.taken: list[Future[Any]] = []

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        """Take a task."""
        self.taken.append(Future())
        if len(self.taken) == 1000:
            for number in (7, 3):
                self.taken[number].set_result(number)
        return self.taken[-1]


def test_an_executor_has_few_tasks_at_once_and_results_come_as_they_are_finished() -> None:
    executor = Elsewhere()
    made = run_tasks(abs, range(100_000), executor=executor)
    assert [(next(made), len(executor.taken)) for _ in range(2)] == [(7, 1000), (3, 1001)]
    made.close()
    assert [number for number, future in enumerate(executor.taken) if not future.cancelled()] == [3, 7]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--count 2 --cluster here", "--cluster 'here' is not the address of a scheduler; write for example tcp://"),
        ("--again --cluster a:1", "--cluster and --again needs several battlefields; add --count"),
        ("--count 2 --ask --cluster a:1", "--ask generates battlefields one after another; remove --cluster"),
        ("--count 2 --out -", "--out - writes a single file"),
        ("--count 2 --blank", "--blank prints one empty grid"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(options: str, said: str, table: Path, capsys: Captured) -> None:
    assert run(["map", "--seed", "5", "--lang", "en", *options.split()]) == 2
    line = capsys.readouterr().err
    assert said in line
    assert line.count("\n") == 1
    assert list(table.iterdir()) == []


def test_a_cluster_is_not_for_the_stand_alone_program_and_needs_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="--cluster needs Dask: pip install"), cluster_executor("[::1]:8786"):
        pass
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(UsageError, match="the stand-alone program cannot use --cluster"), cluster_executor("a:1"):
        pass


@pytest.fixture
def dask_programs() -> Iterator[Callable[..., Popen[str]]]:
    """Return a function that starts a scheduler or worker of Dask; all are ended after the test."""
    pytest.importorskip("distributed")
    started: list[Popen[str]] = []

    def start(name: str, *words: str) -> Popen[str]:
        program = (sys.executable, "-m", f"distributed.cli.dask_{name}", *words, "--no-dashboard")
        started.append(Popen(program, stderr=PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_cluster_makes_the_same_though_one_of_its_workers_is_killed(
    table: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    dask_programs: Callable[..., Popen[str]],
    at_first: Callable[[Callable[[], object]], None],
) -> None:
    scheduler = dask_programs("scheduler", "--host", "127.0.0.1", "--port", "0")
    assert scheduler.stderr
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
    command = ["map", "--seed", "5", "--count", "5", "--to", "json", "--lang", "en"]
    with monkeypatch.context() as patch:
        patch.setattr("printkit.recipes.batch.pool._LONGEST", 0.5)
        assert run([*command, "--cluster", address]) == 2
    assert "the scheduler has no workers" in capsys.readouterr().err
    worker = ("worker", address, "--no-nanny", "--nthreads", "1", "--local-directory", str(table))
    workers = [dask_programs(*worker) for _ in range(2)]
    at_first(workers[0].kill)
    assert run([*command, "--out", str(table / "shared"), "--cluster", address]) == 0
    assert run([*command, "--out", str(table / "alone")]) == 0
    assert content(table / "shared") == content(table / "alone")
    scheduler.kill()
    monkeypatch.setattr("printkit.recipes.batch.pool._LONGEST", 0.5)
    capsys.readouterr()
    assert run([*command, "--again", "--cluster", address]) == 2
    assert capsys.readouterr().err.startswith(f"printkit: --cluster {address}: no scheduler answers there (")


def test_a_sentence_can_be_sent_and_said_in_another_language_there() -> None:
    sentence = Sentence("seed {seed}: {error}", seed=5, error=Sentence("no {what}", what="{room}"))
    sent = pickle.loads(pickle.dumps(replace(Report(seed=5), error_message=sentence))).error_message
    assert sent == "seed 5: no {room}"
    assert (sent.template, sent.values["error"].template) == ("seed {seed}: {error}", "no {what}")

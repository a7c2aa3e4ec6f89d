"""What all tests share: drawings kept as text in ``tests/golden``, one whole game, and an empty table to work on."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from bare_boards import left_bare
from board_count import BoardCounter
from drawing_text import dump
from drawn_once import boards_drawn_once
from hypothesis import HealthCheck, settings
from laid_once import lay_out_anew

from printkit.__main__ import GC_THRESHOLD
from printkit.cli.app import run
from printkit.drawing.canvas.items import Drawing
from printkit.kit.registry import read_record
from printkit.kit.system import RuleSystem
from printkit.terrain.field.record import Record

# How long an example takes to draw says something of the machine and of what else it does, and nothing of the code.
settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("any machine")

_GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew; read the diff afterwards")


_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
"""How many bytes have to be free in memory for the files of a run, which are a few hundred million at most."""


def pytest_configure(config: pytest.Config) -> None:
    """Have files of tests in memory, for a disk is waited for, and compiled modules with the cache, if not beside them.

    Where no modules may lie beside the sources, each process would compile them anew.
    """
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
    # The preferences and printers of whoever runs the tests change no result.
    os.environ["XDG_CONFIG_HOME"] = str(Path(tempfile.gettempdir()) / "printkit-tests-without-settings")
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") and config.pluginmanager.has_plugin("cacheprovider"):
        os.environ["PYTHONPYCACHEPREFIX"] = str(config.cache.mkdir("bytecode"))
    config.pluginmanager.register(BoardCounter(config))


class _FromTheLast(pytest.Dir):
    """A folder whose files are read from the last to the first."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Return what the folder holds, the last first."""
        return reversed([*super().collect()])


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Have every second worker read the files of tests from the other end: each finds half of them compiled."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    return _FromTheLast.from_parent(parent, path=path) if int(worker.removeprefix("gw")) % 2 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give tests the order of their files, whichever way these were read."""
    items.sort(key=lambda item: item.path)


def pytest_collection_finish() -> None:
    """Leave what is loaded by now to the end: to look through it for rubbish again and again finds none.

    Python looks for it as rarely as in a command of the program.
    """
    gc.set_threshold(GC_THRESHOLD)
    gc.collect()
    gc.freeze()


@pytest.fixture
def kept_text(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a function that compares a text with that kept under a name."""

    def compare(said: str, name: str) -> None:
        kept = _GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(said, encoding="utf-8")
        assert kept.is_file(), f"{kept} is not there; run pytest --update-golden"
        assert said == kept.read_text(encoding="utf-8")

    return compare


@pytest.fixture
def golden(kept_text: Callable[[str, str], None]) -> Callable[[Drawing, str], None]:
    """Return a function that compares a drawing with the text kept under a name."""
    return lambda drawing, name: kept_text(dump(drawing), name)


_SEED = 6
"""Of a field with a hill, a lake, two marshes, a river, two roads and a bridge."""


@pytest.fixture(scope="session")
def game_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the PDF and the record of one game, as the command line wrote them."""
    folder = tmp_path_factory.mktemp("game")
    assert run(["map", "--seed", str(_SEED), "--lang", "en", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture(scope="session")
def game_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the record of the game, which takes no drawing."""
    folder = tmp_path_factory.mktemp("record")
    game = ["map", "--seed", str(_SEED), "--to", "json"]
    assert run([*game, "--lang", "en", "--out", str(folder), "--quiet"]) == 0
    (record,) = folder.glob("records/*.json")
    return record


@pytest.fixture(scope="session")
def game_pdf(game_folder: Path) -> Path:
    """Return the file of the sheets of the game."""
    (pdf,) = game_folder.glob("*.pdf")
    return pdf


@pytest.fixture(scope="session")
def game(game_record: Path) -> tuple[RuleSystem, Record]:
    """Return the rule system and the record of the game as it is read back."""
    return read_record(game_record.read_text(encoding="utf-8"))


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, in a locale that has no words of its own, and return the folder."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def _no_ink(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out of plans the ink that their sheets would take; ``export/test_ink.py`` proves what is told of it."""
    monkeypatch.setattr("printkit.export.png.ink_estimate", lambda _: 0.0)


@pytest.fixture
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw boards without a mark, and samples without a sign, for tests of what becomes of their files."""
    left_bare(monkeypatch)


@pytest.fixture
def _laid_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out every board, also where a test before has played the same game."""
    lay_out_anew(monkeypatch)


@pytest.fixture(scope="module")
def _drawn_once() -> Iterator[None]:
    """Draw a board anew only where a test of the file asks for it in another way than by the other side."""
    with pytest.MonkeyPatch.context() as patch:
        boards_drawn_once(patch)
        yield

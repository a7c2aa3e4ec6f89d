"""Deals for the tests of the secret dealing, made on the command line in the folder of a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from blank_maps import blank_plan

# It has a name of ``plan_map`` of its own: loaded first while that is patched, it would keep the patch.
import printkit.recipes.prints.exact_picture  # noqa: F401
from printkit.cli.app import run
from printkit.drawing.canvas.items import Drawing
from printkit.page.sheet import document_of
from printkit.page.sheet import find_sheet as find_sheet
from printkit.systems.brantley.dealing.closed_game import ClosedGame, read
from printkit.systems.brantley.sheets.game_folder import read_progress, save_progress

Captured = pytest.CaptureFixture[str]

HUNGRY = "KS 7H 9C 2D QC 3S 10H JS 5C"
EIGHT = ("A KS 5", "B QC 6", "A 9C 4", "B JS 2", "A 2D 8", "B 3S 3", "A 7H 7", "B 10H 1")
"""The turns of two players who are hungry for terrain, and hills in zones 2 and 4."""

QUICK = ("--lang", "en", "--scale", "1:12", "--style", "ink-saver")

_DEALS: dict[tuple[str | bool, ...], dict[Path, bytes]] = {}
"""The files of deals by what was asked for; the same command deals the same bytes, so each is dealt once."""

_REVEALS: dict[tuple[tuple[tuple[Path, bytes], ...], tuple[str, ...]], dict[Path, tuple[bytes, int]]] = {}
"""The files of games that were revealed, by the files before and what was asked for, each with who may read it."""

BLANK = document_of(Drawing(210.0, 297.0, ()))
SHEETS = ("build_hand_document", "build_ninth_document", "build_board_document", "build_form_document")


def dealt(*options: str, deck: str = HUNGRY, seed: str = "7", drawn: bool = False) -> Path:
    """Deal into the folder ``dealt`` and return the folder of the game; sheets that nobody reads stay blank."""
    chosen = ["--seed", seed] if seed else []
    asked = ("--dice", deck, *chosen, *options)
    if (drawn, *asked) not in _DEALS:
        with pytest.MonkeyPatch.context() as patch:
            for sheet in () if drawn else SHEETS:
                patch.setattr(f"printkit.systems.brantley.sheets.dealing.{sheet}", lambda *_, **__: BLANK)
            assert run(["deal", *asked, "--lang", "en", "--style", "ink-saver", "--out", "dealt"]) == 0
        _DEALS[drawn, *asked] = {path: path.read_bytes() for path in Path("dealt").rglob("*") if path.is_file()}
    for path, kept in _DEALS[drawn, *asked].items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept)
    (folder,) = Path("dealt").iterdir()
    return folder


def closed(folder: Path) -> ClosedGame:
    return read((folder / "closed-game.json").read_text(encoding="utf-8"), "closed-game.json")


def with_turns(folder: Path, count: int = 8, number: str = "") -> Path:
    """Place the first cards of a game, and give player B's number if there is one; return the folder."""
    file = folder / "closed-game.json"
    save_progress(file, read_progress(file).add(EIGHT[:count], [f"B={number}"] if number else []))
    return folder


def code_of_line(folder: Path, number: int = 8) -> str:
    """Return the code of a line of the journal, as ``--code`` takes it."""
    return f"{number}={read_progress(folder / 'closed-game.json').journal.lines[number - 1].code}"


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def refused(capsys: Captured, arguments: list[str], status: int, *parts: str) -> str:
    """Run a command that has to be refused in one line that tells no card which it was not told, and return it."""
    capsys.readouterr()
    assert run(arguments) == status
    said, line = capsys.readouterr()
    assert (said, line.count("\n")) == ("", 1)
    assert all(part in line for part in parts), line
    return line


def first_reveal(folder: Path, *options: str) -> None:
    """Reveal a game for the first time, on sheets that stay blank; one of the same files is revealed once."""
    there = tuple((path, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file())
    if {"--out", "--scenario"} & {*options}:
        assert quick_reveal(folder, *options) == 0
        return
    if (there, options) not in _REVEALS:
        assert quick_reveal(folder, *options) == 0
        made = [path for path in folder.rglob("*") if path.is_file()]
        _REVEALS[there, options] = {path: (path.read_bytes(), path.stat().st_mode) for path in made}
    for path, (kept, mode) in _REVEALS[there, options].items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(kept)
        path.chmod(mode)


def quick_reveal(folder: Path, *options: str) -> int:
    """Reveal a game on sheets that stay blank, and return the exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("printkit.recipes.prints.map_plan.plan_map", lambda *_: blank_plan(BLANK))
        patch.setattr("printkit.systems.brantley.sheets.dealing.reveal_sheet", lambda *_, **__: BLANK)
        return run(["reveal", str(folder), *QUICK, "--quiet", *options])

"""Damaged logs of a battle: each costs a line that names the file, and nobody sees a fault of printkit."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from bare_boards import left_bare

from printkit.cli.app import run

Captured = pytest.CaptureFixture[str]

BATTLE, LOG = "b.toml", Path("b.json")
BOUNDS: Final = ("bound", "bound --lost 1,0", "bound --lost 1,2 --camp-lost you", "bound --override")
STAGES: Final = ("terrain", "edge", "deploy", *BOUNDS)
WRONG: Final = (None, "", "off", -1, 10**9, [], {}, True, 1.5)
GONE: Final = object()
POSITION: Final = "npg.battle.step.position"
SHEETS: Final = "sheets --force --quiet"
COMMANDS: Final = ("show", "show --verbose --npg", "bound --undo", "bound")
# Damaged logs that each command reads here, and that the sheets are made of, which takes longer.
READ, PRINTED = 40, 12


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of its own with a battle in its third bound and all that belongs to it."""
    folder = tmp_path_factory.mktemp("battle")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["npg", "new", "gallic", "polybian-roman", "--out", BATTLE, "--seed", "11", "--lang", "en"]) == 0
        for stage in STAGES:
            name, *more = stage.split()
            assert run(["npg", name, BATTLE, *more, "--lang", "en"]) == 0, stage
    return folder


@pytest.fixture
def log(battle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Lay the battle into the folder of a test, and return its log."""
    for path in battle.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    tree: dict[str, Any] = json.loads(LOG.read_text(encoding="utf-8"))
    return tree


def members(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every member of a tree."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield from members(value, (*path, key))


def at(tree: Any, way: tuple[str | int, ...]) -> Any:
    """Return the member of a tree to which a way leads."""
    for key in way:
        tree = tree[key]
    return tree


def damaged(tree: dict[str, Any], way: tuple[str | int, ...], value: object) -> str:
    """Return a log of which one member is another, or gone."""
    changed = copy.deepcopy(tree)
    holder: Any = changed
    for key in way[:-1]:
        holder = holder[key]
    if value is GONE:
        del holder[way[-1]]
    else:
        holder[way[-1]] = value
    return json.dumps(changed)


def drawn(log: dict[str, Any], seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Yield damaged logs, each with what was done."""
    chance = Random(seed)
    ways = [*members(log)]
    for _ in range(count):
        way, value = chance.choice(ways), chance.choice((*WRONG, GONE))
        yield f"{'.'.join(map(str, way))} = {value!r}", damaged(log, way, value)


def read(command: str, text: str, said: str, capsys: Captured) -> None:
    LOG.write_text(text, encoding="utf-8")
    name, *more = command.split()
    status = run(["npg", name, BATTLE, *more, "--lang", "en"])
    told = capsys.readouterr().err
    assert status in (0, 1, 2), f"{command}: {said}\n{told}"
    assert "Traceback" not in told, f"{command}: {said}\n{told}"
    if status:
        assert told.count("\n") == 1, f"{command}: {said}\n{told}"


@pytest.mark.parametrize(
    ("command", "count"), [*((command, READ) for command in COMMANDS), (SHEETS, PRINTED)], ids=[*COMMANDS, SHEETS]
)
def test_a_damaged_log_costs_a_line(
    log: dict[str, Any], command: str, count: int, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_bare(monkeypatch)
    for said, text in drawn(log, [*COMMANDS, SHEETS].index(command), count):
        read(command, text, said, capsys)


def test_a_group_with_a_modifier_twice_or_without_one_is_printed(log: dict[str, Any], capsys: Captured) -> None:
    steps = [each for way in members(log) if isinstance(each := at(log, way), dict) and each.get("title") == POSITION]
    assert len(steps) > 2
    steps[0]["modifiers"] *= 2
    steps[1]["modifiers"] = steps[1]["modifiers"][:3]
    read(SHEETS, json.dumps(log), "modifiers", capsys)


@pytest.mark.soak
@pytest.mark.parametrize("command", [*COMMANDS, SHEETS])
def test_every_damaged_log_costs_a_line(
    log: dict[str, Any], command: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_bare(monkeypatch)
    for way in members(log):
        for value in (*WRONG, GONE):
            read(command, damaged(log, way, value), f"{way} = {value!r}", capsys)


def test_every_input_that_the_sheets_read_has_to_be_there(log: dict[str, Any], capsys: Captured) -> None:
    slots = [way for way in members(log) if way[-2:] == ("inputs", "slot")]
    assert slots
    for way in slots:
        LOG.write_text(damaged(log, way, GONE), encoding="utf-8")
        assert run(["npg", "sheets", BATTLE, "--force", "--quiet", "--lang", "en"]) == 1
        assert "inputs: slot is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("way", "value", "named"),
    [
        (("bounds", 0, "override"), "off", "bounds.0.override"),
        (("stages", "edge", "results", "npg_edge"), "up", "npg_edge"),
        (("stages", "deploy", "results", "groups"), GONE, "groups"),
        (("bounds", 1, "camps"), ["him"], "camps"),
    ],
)
def test_the_line_names_the_member(
    log: dict[str, Any], way: tuple[str | int, ...], value: object, named: str, capsys: Captured
) -> None:
    LOG.write_text(damaged(log, way, value), encoding="utf-8")
    assert run(["npg", "show", BATTLE, "--lang", "en"]) == 1
    told = capsys.readouterr().err
    assert "b.json" in told
    assert named.split(".")[-1] in told

"""Build the scenario of a new game from its orders, with the lists from files that settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

from printkit.core.errors import UsageError
from printkit.core.paths import resolve_sibling
from printkit.core.units import MM_PER_INCH, parse_length, parse_size
from printkit.kit.book import Setting
from printkit.kit.system import RuleSystem, Scenario
from printkit.recipes.game.request import Orders, read_text


@runtime_checkable
class FileListReader(Protocol):
    """A rule system with settings that can be the path of a file."""

    def file_lists(self, text: str, place: str) -> Mapping[str, tuple[str, ...]]:
        """Parse the text of such a file into lists of a scenario, by name; ``place`` names it in errors."""


@runtime_checkable
class InlineListReader(Protocol):
    """A rule system where such a setting can also be the content itself, without a file."""

    def names_file(self, text: str) -> bool:
        """Return whether the value of the setting is a path."""


def add_file_lines(
    system: RuleSystem,
    settings: Mapping[str, str],
    inputs: Mapping[str, object],
    file_of: Callable[[Setting], Path | None] = lambda _setting: None,
) -> Mapping[str, object]:
    """Return the lists of a scenario, each after the lines from files that the settings name.

    The record stores the lists, so the game can be replayed and checked without the files.

    Args:
        system: the rules.
        settings: a value for every setting.
        inputs: the lists of the scenario.
        file_of: returns the file that a setting comes from; None for the command line.

    Raises:
        ResourceError: a file is outside the folder of the one that names it.
        ScenarioError: a file cannot be read or parsed.
    """
    if not isinstance(system, FileListReader):
        return inputs
    lists = dict(inputs)
    for setting, path_text in path_settings(system, settings):
        file = file_of(setting)
        path = Path(path_text) if file is None else resolve_sibling(file, path_text, key=setting.name)
        for name, lines in system.file_lists(read_text(path), path_text).items():
            scenario_lines = lists.get(name, ())
            lists[name] = [*lines, *(scenario_lines if isinstance(scenario_lines, list | tuple) else ())]
    return lists


def path_settings(system: RuleSystem, settings: Mapping[str, str]) -> Iterator[tuple[Setting, str]]:
    """Yield each setting whose value is the path of a file, with that path; ``settings`` has all values."""
    for setting in system.book.settings:
        path_text = settings[setting.key]
        if not setting.path or path_text in setting.values:
            continue
        if not isinstance(system, InlineListReader) or system.names_file(path_text):
            yield setting, path_text


# Limits of a board side, in mm: features do not fit on a smaller board, and no hall has space for a larger one.
MIN_SIDE_MM = 4 * MM_PER_INCH
MAX_SIDE_MM = 240 * MM_PER_INCH


def build_scenario(system: RuleSystem, orders: Orders, seed: int) -> Scenario:
    """Return the scenario of the orders: the board, every setting and the lists.

    ``seed`` becomes the seed of the scenario; nothing is rolled yet.

    Raises:
        UsageError: the board size is not possible.
        ScenarioError: a setting or value is unknown, or a file cannot be read.
    """
    settings = system.book.settle(orders.settings, orders.options)
    cell = parse_length(orders.cell) if orders.cell is not None else None
    board = system.board(settings=settings, cell=cell)
    if orders.board is not None:
        scale = board.scale
        sides = parse_size(orders.board, pace=scale.pace, base_width=scale.base_width)
        if min(sides) < MIN_SIDE_MM or max(sides) > MAX_SIDE_MM:
            raise UsageError(
                "a board of {board} is not possible; each side must be {smallest:g}in to {largest:g}in",
                board=orders.board,
                smallest=MIN_SIDE_MM / MM_PER_INCH,
                largest=MAX_SIDE_MM / MM_PER_INCH,
            )
        board = system.board(*sides, settings=settings, cell=cell)
    inputs = add_file_lines(system, settings, orders.inputs, orders.find_file)
    return Scenario(board=board, settings=settings, seed=seed, inputs=inputs)

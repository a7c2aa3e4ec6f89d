"""How many different boards the tests place terrain on: a figure of a run that does not depend on the machine.

A board that tests of two workers share counts once, though each worker places its terrain.
"""

from __future__ import annotations

import tomllib
from hashlib import sha256
from typing import Any, Final

import pytest
from imports import ROOT
from laid_once import laid_once, watch_patches

from printkit.recipes.game.games import GameSetup

# How far the count of a run may be from its limit.
SLACK: Final = 0.02


def fault_of(count: int, limit: int) -> str:
    """Return what is wrong with a count of boards against its limit, or an empty text; 0 is no limit yet."""
    if not limit:
        return ""
    if count > limit * (1 + SLACK):
        return f"the tests place terrain on {count} boards; the limit is {limit}. Share boards between tests"
    if count < limit * (1 - SLACK):
        return f"the tests place terrain on {count} boards; lower the limit in tests/limits.toml from {limit}"
    return ""


def limit_of_boards() -> int:
    """Return the limit of ``tests/limits.toml``, with what a row of ``[raised]`` adds."""
    table = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
    return int(table["limits"]["boards"] + table["raised"].get("boards", {}).get("by", 0))


class BoardCounter:
    """A plug-in of pytest that counts boards in every worker, and compares the sum of a complete run with its limit."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._boards: set[str] = set()
        self._unshared = 0
        GameSetup.run_rules = laid_once(GameSetup.run_rules, self._add)  # type: ignore[method-assign]
        watch_patches()

    def _add(self, key: str) -> None:
        if key:
            self._boards.add(sha256(key.encode()).hexdigest())
        else:
            self._unshared += 1

    @property
    def count(self) -> int:
        """Return how many different boards there are, and those that no other test can share."""
        return len(self._boards) + self._unshared

    @property
    def is_complete(self) -> bool:
        """Return whether the run has all tests that are run by default."""
        options: Any = self._config.option
        usual = self._config.args_source == pytest.Config.ArgsSource.TESTPATHS and not options.keyword
        return usual and options.markexpr == "not soak and not browser" and not getattr(options, "lf", False)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add the boards of a worker that has ended."""
        output = getattr(node, "workeroutput", {})
        self._boards.update(output.get("boards", ()))
        self._unshared += output.get("unshared_boards", 0)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Hand the count of a worker on, or judge the sum."""
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output["boards"] = sorted(self._boards)
            output["unshared_boards"] = self._unshared
        elif self.is_complete and exitstatus == pytest.ExitCode.OK:
            limit = limit_of_boards()
            if fault_of(self.count, limit):
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the count, and what is wrong with it."""
        terminalreporter.line(f"boards with terrain: {self.count}")
        if self.is_complete:
            limit = limit_of_boards()
            if fault := fault_of(self.count, limit):
                terminalreporter.line(f"FAILED: {fault}")

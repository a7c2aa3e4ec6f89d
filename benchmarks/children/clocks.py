"""Clocks around functions of a program that knows nothing of them; each second is charged to one stage only."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any


class Clocks:
    """Processor time by stage. What is called within another stage is charged to itself, and not to its caller."""

    def __init__(self, outside: str) -> None:
        """Begin with all that the process has taken so far charged to ``outside``, the stage of what is in no other."""
        self.seconds: dict[str, float] = {outside: 0.0}
        self.kept: dict[str, Any] = {}
        self._open = [outside]
        self._since = 0.0

    def around(self, stage: str, module: str, name: str) -> None:
        """Put a clock around a function of printkit wherever it is known by then, or will be imported later.

        What it returned last is in ``kept``, by its name.

        Raises:
            AttributeError: there is no such function any more.
        """
        true: Callable[..., Any] = getattr(import_module(module), name)

        @functools.wraps(true)
        def clocked(*given: Any, **named: Any) -> Any:
            self._turn(stage)
            try:
                self.kept[name] = true(*given, **named)
            finally:
                self._turn(None)
            return self.kept[name]

        for holder in [held for key, held in sys.modules.items() if key.startswith("printkit")]:
            for known, value in list(vars(holder).items()):
                if value is true:
                    setattr(holder, known, clocked)

    def stop(self) -> dict[str, float]:
        """Return the seconds of each stage."""
        self._charge()
        return self.seconds

    def _turn(self, stage: str | None) -> None:
        self._charge()
        if stage is None:
            self._open.pop()
        else:
            self._open.append(stage)

    def _charge(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] = self.seconds.get(self._open[-1], 0.0) + now - self._since
        self._since = now

"""Rules of shapes that find a fault in every shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from printkit.core.errors import Sentence
from printkit.kit.shape_rules import ShapeRule


def break_rule(patch: pytest.MonkeyPatch, broken: ShapeRule[Any, Any]) -> None:
    """Have a rule find a fault in every shape."""
    find_faults = ShapeRule.find_faults

    def faults(rule: ShapeRule[Any, Any], shape: Any, surroundings: Any) -> Iterator[Sentence]:
        if rule is broken:
            yield Sentence("{it} is wrong", it=shape.id)
        else:
            yield from find_faults(rule, shape, surroundings)

    patch.setattr(ShapeRule, "find_faults", faults)

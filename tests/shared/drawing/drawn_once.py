"""One board for many printings: papers, furniture and bleeds go about a board, and are no reason to draw it anew."""

from __future__ import annotations

from typing import Any

import pytest

from printkit.drawing.map import board_drawing
from printkit.drawing.map.board_drawing import BoardPlan
from printkit.recipes.prints import map_plan


def boards_drawn_once(patch: pytest.MonkeyPatch) -> None:
    """Give a map that asks for a board which has been drawn this very drawing, as long as the patch lasts."""
    boards: dict[tuple[Any, ...], list[BoardPlan]] = {}
    plan_board = map_plan.plan_board

    def once(*asked: Any) -> BoardPlan:
        plan = plan_board(*asked)
        drafter = plan.drafter
        shown = (plan.numbers, plan.names, plan.zones, plan.deployment, plan.grid, plan.country, plan.period)
        context = drafter.context
        key = (
            *(context.style.name, drafter.words.languages, str(context.jitter), context.scale, shown, plan.seams.wkt),
            # Boards that are left bare are others than those with their marks.
            board_drawing.group_by_layer,
        )
        there = boards.setdefault(key, [])
        for known in there:
            if known.field == plan.field:
                return known
        there.append(plan)
        return plan

    patch.setattr(map_plan, "plan_board", once)

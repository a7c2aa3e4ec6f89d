"""Whole tables from seeds, as records that are read back and judged."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace
from tables_by_hand import INCH, settle, system

from printkit.chance.dice import Dice, Seeded
from printkit.chance.streams import Jitter
from printkit.core.words import find_words as find_words
from printkit.kit.check import judge_record
from printkit.kit.registry import shapes_of
from printkit.kit.system import Scenario
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders
from printkit.terrain.field.features import Kind
from printkit.terrain.field.record import Record, read, write


def seeded(
    seed: int, size: tuple[float, float] = (72, 48), *, inputs: Mapping[str, object] | None = None, **given: str
) -> Record:
    """Return the record of a game by seed, with the lists of a scenario; sides in inches."""
    settings = settle(**given)
    board = system().board(*(side * INCH for side in size), settings=settings)
    scenario = Scenario(board=board, settings=settings, seed=seed, inputs=inputs or {})
    outcome = system().lay_out(scenario, Dice(Seeded(seed)), Jitter(seed))
    details = {**outcome.details, **({"inputs": inputs} if inputs else {})}
    field = outcome.battlefield
    made = Record(
        rules="acw",
        battlefield=field,
        settings=settings,
        seed=seed,
        log=outcome.log,
        details=details,
        shapes=shapes_of("acw"),
    )
    return read(write(made), system().book.going)


def ordered_table(
    seed: int, board: str | None = None, *, inputs: Mapping[str, object] | None = None, **given: str
) -> Record:
    """Return the record of a game as a person orders it: by ``board`` as ``72x48in``, its sides rounded as by him."""
    settings = [f"{key.replace('_', '-')}={text}" for key, text in given.items()]
    orders = build_orders(rules="acw", settings=settings, scenario=None, board=board, seed=seed, dice=None, cell=None)
    return play(system(), replace(orders, inputs=inputs or {}), seed, find_words("en")).record


def broken_of(found: Record, *, without: Kind | None = None) -> dict[str, str]:
    """Return the broken clauses of a record and why they are, at need after what is of a kind was taken out of it."""
    kept = tuple(feature for feature in found.battlefield.features if feature.kind is not without)
    judgement = judge_record(system(), replace(found, battlefield=replace(found.battlefield, features=kept)))
    return {
        clause: str(verdict.where)
        for verdict in judgement.broken
        for clause in (verdict.clause, *verdict.other_clauses)
    }

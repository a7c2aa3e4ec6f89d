"""Plays games of every rule system again, and writes output/soak/soak-replay.md.

Of each game the log is fed back unaltered; ``check --replay`` is asked; every stage is thrown anew by itself, and a die
of each stage is laid over. A game fails where the log gives other bytes, where ``check --replay`` finds a difference,
where a throw before a die laid over does not stand, or where a clause breaks that was kept. The page counts on how
many games a stage, thrown anew, leaves every answer of another one, of several attempts the last.

    python tools/soak_replay.py [GAMES] [--first SEED] [--rules NAME] [--processes N] [--page FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.core import words as languages
from printkit.kit import registry
from printkit.kit.replay import compare_replay
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import play, replay_game
from printkit.recipes.game.request import Orders, build_orders, log_text
from printkit.terrain.field.record import Record, write

PAGE: Final = Path(__file__).resolve().parents[1] / "output" / "soak" / "soak-replay.md"

HEAD: Final = """# Soak: games played again

Games of every rule system, their logs fed back, their stages thrown anew one by one, and a die of each stage laid over.
This page is made by `make soak` and is never edited by hand.
"""

Stages = tuple[str, str]
"""The stage that was thrown anew, and one of which the throws may stand."""


class Soaked(Struct, frozen=True, kw_only=True):
    """What came of one seed: the stages that had throws to keep, those that kept them all, and what is wrong."""

    seed: int
    had: Counter[Stages]
    kept: Counter[Stages]
    faults: tuple[str, ...]


def soaked(seed: int, rules: str) -> Soaked:
    """Play one seed, and play it again. Whatever goes wrong is a fault of it, so that one seed never ends a soak."""
    system, had, kept = registry.find(rules), Counter[Stages](), Counter[Stages]()
    faults: tuple[str, ...]
    try:
        record = play(system, Orders(rules=rules), seed, languages.find_words("en")).record
        faults = tuple(_faults(system, record, had, kept))
    except Exception as error:
        faults = (f"{type(error).__name__}: {error}",)
    return Soaked(seed=seed, had=had, kept=kept, faults=faults)


def _faults(system: RuleSystem, record: Record, had: Counter[Stages], kept: Counter[Stages]) -> Iterator[str]:
    words, seed = languages.find_words("en"), record.seed or 0
    if write(fed_back(log_text(record))) != write(record):
        yield "the log gives another game"
    yield from (f"check --replay: {line}" for line in compare_replay(system, record).faults)
    before = _broken(system, record)
    for stage in system.stages:
        other = replay_game(system, record, words, reroll=(stage,), new_seed=seed + 7)
        for each in system.stages:
            if each != stage and (throws := answers(record, each)):
                had[stage, each] += 1
                kept[stage, each] += throws == answers(other.record, each)
        if any(earlier in other.renewed for earlier in _earlier(record, stage)):
            yield f"{stage} thrown anew changes what was thrown before it"
        yield from (f"{stage} thrown anew: {clause}" for clause in _broken(system, other.record) - before)
        yield from (f"{stage} thrown anew: {line}" for line in compare_replay(system, other.record).faults)
        yield from (f"{stage} laid over: {line}" for line in _laid_over(system, record, stage, before))


def _laid_over(system: RuleSystem, record: Record, stage: str, before: set[str]) -> Iterator[str]:
    """Lay another score over the last die of a stage."""
    words, seed = languages.find_words("en"), record.seed or 0
    dice = [place for place, throw in enumerate(record.log) if (throw.stage, throw.asked) == (stage, "d6")]
    if not dice:
        return
    place = dice[-1]
    answer = str(1 + int(record.log[place].answer) % 6)
    other = replay_game(system, record, words, overrides={place + 1: answer}, new_seed=seed + 7).record
    if [throw.answer for throw in other.log[:place]] != [throw.answer for throw in record.log[:place]]:
        yield "what came before does not stand"
    if (other.log[place].answer, other.log[place].was) != (answer, record.log[place].answer):
        yield "the answer does not stand"
    yield from _broken(system, other) - before
    yield from map(str, compare_replay(system, other).faults)


def fed_back(log: str) -> Record:
    """Return the game that a log plays, given as dice and without another option."""
    nothing = {"rules": None, "settings": (), "scenario": None, "board": None, "seed": None}
    orders = build_orders(**nothing, dice=log)  # type: ignore[arg-type]
    seed = orders.first_seed or 0
    return play(registry.find(orders.rules), orders, seed, languages.find_words("en"), continues=False).record


def answers(record: Record, stage: str) -> dict[str, str]:
    """Return by its reason what was thrown in a stage; of attempts the last, which made the game."""
    return {throw.reason: throw.answer for throw in record.log if throw.stage == stage}


def _earlier(record: Record, stage: str) -> set[str]:
    """Return the stages all of whose throws came before the first of a stage."""
    places = [place for place, throw in enumerate(record.log) if throw.stage == stage]
    before = {throw.stage for throw in record.log[: places[0]]} if places else set()
    return before - {throw.stage for throw in record.log[places[0] :]} if places else set()


def _broken(system: RuleSystem, record: Record) -> set[str]:
    return {verdict.clause for verdict in system.judge(record) if verdict.state == "broken"}


def page(games: dict[str, list[Soaked]]) -> str:
    """Return the page as Markdown."""
    return "\n".join((HEAD, *(line for rules, own in games.items() for line in _lines(rules, own)))) + "\n"


def _lines(rules: str, games: Sequence[Soaked]) -> Iterator[str]:
    failed = [each for each in games if each.faults]
    yield f"## {rules}"
    yield ""
    yield f"{len(games)} games, seeds {games[0].seed} to {games[-1].seed}: {len(failed)} failed."
    yield ""
    had, kept = (sum((getattr(each, name) for each in games), Counter[Stages]()) for name in ("had", "kept"))
    parted = [pair for pair in had if kept[pair] < had[pair]]
    whole = len(had) - len(parted)
    yield f"Of {len(had)} pairs of stages {whole} keep every throw on all games; the others:"
    yield ""
    yield "| Thrown anew | Kept whole | Games | Share |"
    yield "| --- | --- | ---: | ---: |"
    stages = registry.find(rules).stages
    for pair in product(stages, stages):
        if pair in parted:
            yield f"| {pair[0]} | {pair[1]} | {kept[pair]} of {had[pair]} | {kept[pair] / had[pair]:.2f} |"
    yield ""
    if failed:
        yield "| Seed | Fault |"
        yield "| ---: | --- |"
        yield from (f"| {each.seed} | {' '.join(fault.split())} |" for each in failed for fault in each.faults)
        yield ""


def main(arguments: Sequence[str]) -> int:
    """Write the page; 1 where a game failed."""
    parser = argparse.ArgumentParser(prog="soak_replay", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", type=int, nargs="?", default=50)
    parser.add_argument("--first", type=int, default=1000, metavar="SEED")
    parser.add_argument("--rules", choices=registry.NAMES, action="append")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE, metavar="FILE", help="where the page goes")
    asked = parser.parse_args(arguments)
    if min(asked.games, asked.processes) < 1 or asked.first < 0:
        parser.error("games and processes are at least 1, and no seed is under 0")
    seeds = range(asked.first, asked.first + asked.games)
    games: dict[str, list[Soaked]] = {}
    with get_context("spawn").Pool(asked.processes) as pool:
        for rules in asked.rules or registry.NAMES:
            games[rules] = []
            for each in pool.imap(partial(soaked, rules=rules), seeds, chunksize=2):
                games[rules].append(each)
                for fault in each.faults:
                    print(f"{rules}, seed {each.seed}: {fault}", file=sys.stderr)
    asked.page.parent.mkdir(parents=True, exist_ok=True)
    asked.page.write_text(page(games), encoding="utf-8", newline="\n")
    return 1 if any(each.faults for own in games.values() for each in own) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A battle with what was played of it with the table aid, from the log that its page has saved."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError, quote_path
from printkit.core.typed import member_error, read_json
from printkit.recipes.game.request import read_text
from printkit.systems.solo.battle.battles import BattleCase, entry
from printkit.systems.solo.battle.lines import INDENT
from printkit.systems.solo.tactics.aid_log import AidGame, AidLog, battle_key, played
from printkit.systems.solo.tactics.battle_log import LEVEL
from printkit.systems.solo.tactics.bounds import winner


def with_aid(case: BattleCase, path: Path, *, keeps: bool = False) -> tuple[BattleCase, tuple[str, ...]]:
    """Return a battle with the bounds of a table aid in its log, and what is to be said of losses since the last.

    Args:
        case: the battle.
        path: of the log that the page has saved.
        keeps: whether the log of the battle is to have them from now on.

    Raises:
        FileError: the file is not such a log, or is of another battle; names it.
        UsageError: the battle has bounds that the table aid has not, and is to keep others.
    """
    log = read_json(read_text(path), AidLog, str(path))
    _refuse_other_battle(log, case, str(path))
    game = played(log, case.npg, case.you, case.rules, str(path))
    own = case.log.bounds
    if keeps and own != game.bounds[: len(own)]:
        raise UsageError(
            "{path} has bounds that the table aid does not have, and they would be lost. Undo them with "
            "printkit npg bound {path} --undo, then use --keep",
            path=quote_path(case.order.path),
        )
    kept = replace(case.log, bounds=game.bounds)
    if game.level is not None and case.log.result(LEVEL, "level") != game.level.value:
        kept = kept.with_stage(LEVEL, entry((), level=game.level.value))
    return replace(case, log=kept), tuple(_since(case, game))


def _since(case: BattleCase, game: AidGame) -> list[str]:
    """Return the losses after the last bound, where there are any, and that they end the game."""
    words, npg, you = case.order.words, game.losses.npg, game.losses.you
    if game.losses == (game.bounds[-1].losses if game.bounds else None):
        return []
    lines = [INDENT + words("npg.battle.show.since", npg=npg, you=you)]
    if found := winner(game.losses, case.rules):
        lines.append(words(f"npg.battle.end.{found}", npg=npg, you=you))
    return lines


def _refuse_other_battle(log: AidLog, case: BattleCase, file: str) -> None:
    """Refuse the log of another battle.

    Raises:
        FileError: it is one; names its armies.
    """
    if log.battle != battle_key(case.log.seed, case.npg.name, case.you.name):
        reason = Sentence(
            "it is the log of a different battle: NPG {npg}, YOU {you}, or another seed; name the battle of that page",
            npg=log.npg,
            you=log.you,
        )
        raise member_error(file, None, (), reason)

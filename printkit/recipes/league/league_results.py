"""Scores of games between players of a league: read from the command line, and shown with the standings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from printkit.core.errors import Sentence, UsageError
from printkit.recipes.league.league_file import League, LeagueGame
from printkit.recipes.league.round_robin import Pairing, Standing, pairings, standings
from printkit.recipes.output.report import report_lines

# A score, between the names of its players or without names.
_SCORE: Final = re.compile(r"(?:(.+?) )?(\d{1,6}) ?[-:–] ?(\d{1,6})(?: (.+))?", re.ASCII)


def result_text(game: LeagueGame) -> str:
    """Return the score and the note of a game as text; empty if it has neither."""
    score = "" if game.score is None else "{}-{}".format(*game.score)
    return ", ".join(text for text in (score, game.note) if text)


def enter_score(league: League, text: str, number: int | None) -> tuple[int, LeagueGame]:
    """Return the number of a game and its entry with the score of a text; the league does not change.

    If the players are named in the other order, the score is turned round. Without a number their latest game counts.

    Args:
        league: a league with players.
        text: ``5-2``, ``Ann 5-2 Bob``, or an empty text, which takes the score back and needs a number.
        number: the number of the game from 1; None if the text names its players.

    Raises:
        UsageError: the text is not a score, or these players have no such game.
    """
    text = " ".join(text.split())
    if number is not None and not text:
        return number, replace(league.game(number), score=None)
    match = _SCORE.fullmatch(text)
    if match is None or (match[1] is None) != (match[4] is None) or not (match[1] or number):
        raise UsageError(
            '{text!r} is not a score; write two whole numbers, for example 5-2, or with names "Ann 5-2 Bob"', text=text
        )
    score = (int(match[2]), int(match[3]))
    if match[1] is None:
        assert number is not None
        return number, replace(league.game(number), score=score)
    pair = [match[1].casefold(), match[4].casefold()]
    for candidate in range(len(league.games), 0, -1) if number is None else (number,):
        game = league.game(candidate)
        players = [name.casefold() for name in game.players]
        if sorted(pair) == sorted(players):
            return candidate, replace(game, score=score if pair == players else score[::-1])
    players = [name.casefold() for name in league.players]
    if number is None and pair[0] != pair[1] and {*pair} <= {*players}:
        raise UsageError("{a} and {b} have no game yet; their round has not begun", a=match[1], b=match[4])
    raise UsageError(
        "{a} and {b} do not play each other. Players: {players}",
        a=match[1],
        b=match[4],
        players=", ".join(league.players if number is None else league.game(number).players),
    )


def league_standings(league: League) -> tuple[Standing, ...]:
    """Return the standings of a league with players, the leader first."""
    games = [(Pairing(*game.players), game.score) for game in league.games if game.score is not None]
    return standings(league.players, games, league.points)


def played_pairs(league: League) -> tuple[Pairing, ...]:
    """Return the players of each game, finished or not."""
    return tuple(Pairing(*game.players) for game in league.games)


def resting_players(league: League) -> tuple[str, ...]:
    """Return the players without a game in the latest round."""
    busy = {name for number in league.shown_games for name in league.game(number).players}
    return tuple(name for name in league.players if name not in busy)


def round_lines(league: League) -> Iterator[str]:
    """Yield lines for the terminal: the games of the latest round and earlier open games, then the standings."""
    coming_rounds = len(pairings(league.players, played_pairs(league)))
    head = Sentence(
        "{name}: {count} players. Round {round} of {rounds}:",
        name=league.name,
        count=len(league.players),
        round=league.rounds,
        rounds=league.rounds + coming_rounds,
    )
    rows = [
        (
            Sentence("table {table}", table=game.table)
            if game.round == league.rounds
            else Sentence("round {round}, table {table}", round=game.round, table=game.table),
            Sentence("{far} v. {near}", far=game.players[0], near=game.players[1]),
            game.title,
            result_text(game),
        )
        for game in sorted(league.games, key=lambda game: -game.round)
        if game.round == league.rounds or game.score is None
    ]
    resting = ", ".join(resting_players(league))
    notes = [Sentence("Without a game in this round: {players}.", players=resting)] if resting else []
    yield from report_lines(head, rows, notes)
    if any(game.score is not None for game in league.games):
        columns = (
            "",
            "",
            Sentence("played"),
            Sentence("won"),
            Sentence("drawn"),
            Sentence("lost"),
            Sentence("score"),
            Sentence("points"),
        )
        places = (
            (f"{place}", row.player, *map(str, row[1:5]), f"{row.own_score}:{row.other_score}", str(row.points))
            for place, row in enumerate(league_standings(league), 1)
        )
        yield from report_lines(Sentence("Standings:"), (columns, *places))

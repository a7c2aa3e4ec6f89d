"""Pairings by the circle method, and standings: every player meets every other player once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Pairing(NamedTuple):
    """Two players; the first has the far edge of the table."""

    far: str
    near: str


class Standing(NamedTuple):
    """The row of a player in the standings."""

    player: str
    game_count: int
    win_count: int
    draw_count: int
    loss_count: int
    own_score: int
    other_score: int
    points: int


def pairings(players: Sequence[str], earlier_pairs: Iterable[Pairing] = ()) -> tuple[tuple[Pairing, ...], ...]:
    """Return the remaining rounds, each with its pairings; empty if everybody has met everybody.

    Nobody plays twice in a round. With an odd number of players, somebody rests in each round. Over all rounds, the
    games of a player at the far edge and at the near edge differ by at most 1, if ``earlier_pairs`` is empty.

    Args:
        players: the players, each once.
        earlier_pairs: the pairs that have had their game, in either order.
    """
    circle = [*([""] if len(players) % 2 else []), *players]
    played_pairs = {frozenset(pair) for pair in earlier_pairs}
    rounds = []
    for turn in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = tuple(
            Pairing(b, a) if (place or turn) % 2 else Pairing(a, b)
            for place, (a, b) in enumerate(zip(circle[:half], reversed(circle[half:]), strict=True))
            if a and b and frozenset((a, b)) not in played_pairs
        )
        if pairs:
            rounds.append(pairs)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


def next_round(
    players: Sequence[str], earlier_pairs: Iterable[Pairing], tables: int | None = None
) -> tuple[Pairing, ...]:
    """Return the pairs of the next round, at most ``tables``; empty if everybody has met everybody.

    Pairs of later rounds fill tables that the next round leaves free. ``players`` are all players. Without ``tables``
    (None) everybody can play at once.
    """
    pairs: list[Pairing] = []
    busy: set[str] = set()
    for pair in (pair for pairs_of_round in pairings(players, earlier_pairs) for pair in pairs_of_round):
        if len(pairs) != tables and busy.isdisjoint(pair):
            pairs.append(pair)
            busy.update(pair)
    return tuple(pairs)


def standings(
    players: Sequence[str], games: Sequence[tuple[Pairing, tuple[int, int]]], points: tuple[int, int, int]
) -> tuple[Standing, ...]:
    """Return a row for each player, the leader first.

    Players are ordered by points, then by the difference of their scores, by their own scores, by the points from
    games among equal players, and by name.

    Args:
        players: the players, each once.
        games: the finished games, each with the scores in the order of its players.
        points: the points for a win, a draw and a loss.
    """
    rows = [_row(player, games, points) for player in players]

    def order(row: Standing) -> tuple[int, int, int, int, str]:
        """Return the sort key of a row."""
        equals = {other.player for other in rows if _rank(other) == _rank(row)}
        direct_games = [game for game in games if equals.issuperset(game[0])]
        return (*_rank(row), -_row(row.player, direct_games, points).points, row.player)

    return tuple(sorted(rows, key=order))


def _rank(row: Standing) -> tuple[int, int, int]:
    """Return the sort key of a row without the games among equals."""
    return -row.points, row.other_score - row.own_score, -row.own_score


def _row(player: str, games: Sequence[tuple[Pairing, tuple[int, int]]], points: tuple[int, int, int]) -> Standing:
    """Return the row of a player in the table of a league, from those games in which the player took part.

    Args:
        player: the name of the player.
        games: pairings, each with its scores: first that of the far player, then that of the near player.
        points: the points for a win, a draw and a loss, in this order.
    """
    scores = [score if pair.far == player else score[::-1] for pair, score in games if player in pair]
    win_count, draw_count = sum(a > b for a, b in scores), sum(a == b for a, b in scores)
    loss_count = len(scores) - win_count - draw_count
    own_score, other_score = sum(a for a, _ in scores), sum(b for _, b in scores)
    total = win_count * points[0] + draw_count * points[1] + loss_count * points[2]
    return Standing(player, len(scores), win_count, draw_count, loss_count, own_score, other_score, total)

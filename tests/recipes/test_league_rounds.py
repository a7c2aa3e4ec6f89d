"""The rounds of a league: pairings, standings, scores, and the poster."""

from __future__ import annotations

import re

import pytest
from leaflets_scene import assert_inside, tells
from msgspec.structs import replace

from printkit.core.errors import UsageError
from printkit.core.words import find_words
from printkit.kit.registry import find
from printkit.options.printing import PrintOptions
from printkit.recipes.league.league_file import League, LeagueGame
from printkit.recipes.league.league_games import game_orders, new_entries, new_games
from printkit.recipes.league.league_page import league_document
from printkit.recipes.league.league_results import enter_score, league_standings, resting_players
from printkit.recipes.league.round_robin import Pairing, next_round, pairings, standings
from printkit.recipes.output.printers import print_context

PLAYERS = ("Ann", "Bob", "Carmen", "Dave")
LEAGUE = League(
    name="Autumn",
    rules="dba3",
    players=PLAYERS,
    games=(
        LeagueGame(round=1, table=1, players=("Ann", "Dave"), seed=1),
        LeagueGame(round=1, table=2, players=("Carmen", "Bob"), seed=2),
    ),
)


def names(count: int) -> list[str]:
    return [f"P{number}" for number in range(count)]


@pytest.mark.parametrize("count", range(2, 21))
def test_everybody_meets_everybody_once_rests_by_turns_and_has_both_edges(count: int) -> None:
    players, rounds = names(count), pairings(names(count))
    games = [pair for pairs in rounds for pair in pairs]
    assert len(games) == len({frozenset(pair) for pair in games}) == count * (count - 1) // 2
    assert len(rounds) == count - 1 + count % 2
    for pairs in rounds:
        assert len({name for pair in pairs for name in pair}) == 2 * len(pairs) == count - count % 2
    rests = [sum(all(name not in pair for pair in pairs) for pairs in rounds) for name in players]
    assert set(rests) == {count % 2}
    edges = [sum((name == pair.far) - (name == pair.near) for pair in games) for name in players]
    assert {*edges} <= {-1, 0, 1}


@pytest.mark.parametrize("count", range(2, 21))
def test_rounds_come_in_their_order(count: int) -> None:
    players, played, rounds = names(count), list[Pairing](), list[tuple[Pairing, ...]]()
    while pairs := next_round(players, played):
        rounds.append(pairs)
        played += pairs
    assert tuple(rounds) == pairings(players)


@pytest.mark.parametrize(
    ("count", "late", "after", "tables"), [(4, 1, 1, None), (5, 2, 5, 2), (3, 3, 2, 1), (8, 1, 3, 3)]
)
def test_late_players_meet_all_others_and_played_games_stand(
    count: int, late: int, after: int, tables: int | None
) -> None:
    played = list[Pairing]()
    for _ in range(after):
        played += next_round(names(count), played, tables)
    first, players = played.copy(), names(count + late)
    while pairs := next_round(players, played, tables):
        assert len(pairs) <= (tables or len(players) // 2)
        assert len({name for pair in pairs for name in pair}) == 2 * len(pairs)
        played += pairs
    assert played[: len(first)] == first
    assert len(played) == len({frozenset(pair) for pair in played}) == len(players) * (len(players) - 1) // 2


@pytest.mark.parametrize(
    ("games", "order"),
    [
        ([("A", "B", 1, 0)], "ACDB"),
        # Points come first, then the difference, then the own scores.
        ([("A", "B", 9, 0), ("B", "C", 1, 0), ("B", "D", 1, 0)], "BACD"),
        ([("A", "C", 2, 1), ("B", "D", 5, 1)], "BACD"),
        ([("A", "C", 2, 1), ("B", "D", 3, 2)], "BADC"),
        # The game between two equal players comes before their names.
        ([("A", "B", 1, 2), ("A", "C", 2, 1), ("B", "D", 1, 2)], "DBAC"),
    ],
)
def test_standings_are_in_the_order_of_the_rules(games: list[tuple[str, str, int, int]], order: str) -> None:
    rows = standings("ABCD", [(Pairing(a, b), (x, y)) for a, b, x, y in games], (3, 1, 0))
    assert "".join(row.player for row in rows) == order


def test_a_row_of_the_standings_counts_the_games_of_its_player() -> None:
    games = [(Pairing("A", "B"), (5, 2)), (Pairing("B", "A"), (3, 3)), (Pairing("B", "A"), (4, 1))]
    assert standings("AB", games, (2, 1, 0))[0] == ("A", 3, 1, 1, 1, 9, 9, 3)


@pytest.mark.parametrize(
    ("text", "number", "game", "score"),
    [
        ("5-2", 1, 1, (5, 2)),
        ("Ann 5-2 Dave", None, 1, (5, 2)),
        ("dave 2 – 5 ANN", None, 1, (5, 2)),
        ("Bob 0:12 Carmen", 2, 2, (12, 0)),
        (" ", 2, 2, None),
    ],
)
def test_a_score_is_read(text: str, number: int | None, game: int, score: tuple[int, int] | None) -> None:
    assert enter_score(LEAGUE, text, number) == (game, replace(LEAGUE.game(game), score=score))


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("5-2", None, "'5-2' is not a score"),
        ("", None, "'' is not a score"),
        ("won", 1, "'won' is not a score; write two whole numbers, for example 5-2"),
        ("5-2.5", 1, "'5-2.5' is not a score"),
        ("-5-2", 1, "'-5-2' is not a score"),
        ("5--2", 1, "'5--2' is not a score"),
        ("٣-٢", 1, "'٣-٢' is not a score"),
        ("Ann 5-2", None, "'Ann 5-2' is not a score"),
        (f"{'9' * 5000}-2", 1, "is not a score"),
        ("Ann 5-2 Eve", None, "Ann and Eve do not play each other. Players: Ann, Bob, Carmen, Dave"),
        ("Ann 5-2 ann", None, "Ann and ann do not play each other"),
        ("Ann 5-2 Bob", 1, "Ann and Bob do not play each other. Players: Ann, Dave"),
        ("Ann 5-2 Bob", None, "Ann and Bob have no game yet"),
        ("5-2", 3, "Autumn has no game 3; its games are 1 to 2"),
    ],
)
def test_a_wrong_score_is_refused(text: str, number: int | None, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        enter_score(LEAGUE, text, number)


@pytest.mark.parametrize(("count", "code"), [(2, "en"), (5, "es"), (12, "en+es")])
def test_the_poster_is_one_sheet_with_standings_round_and_maps(count: int, code: str) -> None:
    words, system = find_words(code), find("dba3")
    league = replace(LEAGUE, players=tuple(names(count)), games=())
    entries = new_entries(league, 1, None)
    games = tuple(new_games(system, game_orders(league, None), words, entries=entries, first=11, records=(), box=None))
    first = replace(games[0].entry, score=(5, 2), note="camp")
    league = replace(league, games=(first, *(game.entry for game in games[1:])))
    document = league_document(league, [game.record for game in games], system, print_context(PrintOptions(), words))
    assert len(document.pages) == 1
    assert_inside(document.pages)
    shown = ("Autumn", "P0", "5:2", "5-2, camp", games[-1].entry.title, *resting_players(league))
    assert [text for text in shown if not tells(document.pages, text)] == []
    assert league_standings(league)[0].points == 3

"""A league: games all different and all kept, results noted and corrected, one page of it, and a file that is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from leaflets_scene import assert_inside, tells
from msgspec.structs import replace

from printkit.cli.app import run
from printkit.core.errors import FileError, PrintkitError
from printkit.core.words import find_words as language
from printkit.kit.registry import find
from printkit.options.printing import PrintOptions
from printkit.recipes.game.games import play
from printkit.recipes.game.request import build_orders
from printkit.recipes.league import league_games
from printkit.recipes.league.league_file import (
    LONGEST,
    MOST_GAMES,
    League,
    LeagueGame,
    league_text,
    read_league,
    record_name,
)
from printkit.recipes.league.league_games import game_orders, new_games, read_records
from printkit.recipes.league.league_page import league_document, league_lines
from printkit.recipes.output.printers import print_context
from printkit.terrain.field.record import write

ENGLISH = language("en")
LEAGUE = League(name="Autumn", rules="dba3", settings=("home=arable",))
SYSTEM = find("dba3")
SCHEMA = 'schema = "printkit-league/2"'
HEAD = f'{SCHEMA}\nname = "a"\nrules = "dba3"'
PLAYERS = f'{HEAD}\nplayers = ["Ann", "Bob"]\n[[game]]\nseed = 1'
GAME = f"{PLAYERS}\nround = 1\ntable = 1"


def games(league: League, count: int, first: int, kept: tuple = ()):  # type: ignore[no-untyped-def, type-arg]
    entries = (LeagueGame(seed=0),) * count
    return tuple(
        new_games(SYSTEM, game_orders(league, None), ENGLISH, entries=entries, first=first, records=kept, box=None)
    )


def put(folder: Path, league: League, first: int = 11, count: int = 2) -> League:
    """Put a league without its evenings, which cost time, into a folder."""
    made = games(league, count, first)
    league = replace(league, games=(*league.games, *(game.entry for game in made)))
    for game in made:
        path = folder / record_name(game.number)
        path.parent.mkdir(exist_ok=True)
        path.write_text(write(game.record), encoding="utf-8")
    (folder / "league.toml").write_text(league_text(league), encoding="utf-8")
    return league


@pytest.mark.usefixtures("_laid_anew")
def test_games_are_all_different_and_the_same_seed_gives_the_same() -> None:
    made = games(LEAGUE, 3, 11)
    assert [game.record.seed for game in made] == [11, 12, 13]
    assert [write(game.record) for game in made] == [write(game.record) for game in games(LEAGUE, 3, 11)]
    again = games(LEAGUE, 1, 11, kept=tuple(game.record for game in made))
    assert again[0].record.seed == 14
    orders = build_orders(rules="dba3", settings=LEAGUE.settings, scenario=None, board=None, seed=None, dice=None)
    assert write(play(SYSTEM, orders, 11, ENGLISH).record) == write(made[0].record)


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    game = LeagueGame(seed=7, title='Below "the" Barns', players=("Ann", "Bob"), date="1 Nov", note="Söhne\\won")
    league = replace(LEAGUE, board="48x48in", print_words=("--lang=en+es",), shared_box="box.toml", scenario=True)
    played = replace(game, round=1, table=2, score=(5, 2))
    with_players = replace(league, players=("Ann", "Bob"), points=(2, 1, 0), games=(played,))
    for written in (replace(league, games=(game, LeagueGame(seed=8))), with_players):
        (tmp_path / "league.toml").write_text(league_text(written), encoding="utf-8")
        assert read_league(tmp_path) == written


def test_a_file_of_format_1_becomes_one_of_format_2(tmp_path: Path) -> None:
    game = '[[game]]\nseed = 4\ntitle = "Here"\nplayers = "Ann, Bob"\ndate = ""\nresult = "Ann won"\n'
    old = 'schema = "printkit-league/1"\nname = "a"\nrules = "dba3"\nsheet = "a3"\nlang = "es"\nbox = true\n' + game
    (tmp_path / "league.toml").write_text(old, encoding="utf-8")
    league = read_league(tmp_path)
    assert (league.print_options.sheet, league.lang, league.shared_box) == ("a3", "es", "box.toml")
    assert league.games == (LeagueGame(seed=4, title="Here", players=("Ann", "Bob"), note="Ann won"),)
    (tmp_path / "league.toml").write_text(league_text(league), encoding="utf-8")
    assert "printkit-league/2" in (tmp_path / "league.toml").read_text(encoding="utf-8")
    assert read_league(tmp_path) == league


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("schema = 3", 'schema = 3 is not valid. Write "printkit-league/2".'),
        ("= =", "not valid TOML"),
        (SCHEMA, "name is missing"),
        (
            f'{SCHEMA}\nname = "a"\nrules = 3',
            'rules = 3 is not valid. Write the name of a rule system, for example "dba3".',
        ),
        (f"{HEAD}\nset = 3", "set = 3 is not valid. Write a list of settings, for example ["),
        (f"{HEAD}\nwinner = 3", 'unknown key "winner"'),
        (f"{HEAD}\ngame = 3", "game = 3 is not valid. Write [[game]]"),
        (f"{HEAD}\n[[game]]\nseed = -1", "game 1: seed = -1 is not valid. Write a whole number of at least 0."),
        (f"{HEAD}\n[[game]]\ntitle = 'a'", "game 1: seed is missing. Write a whole number of at least 0."),
        (f"{HEAD}\n[[game]]\nwinner = 1", 'game 1: unknown key "winner"'),
        (f"{HEAD}\ngame = [1]", "game 1 = 1 is not valid. Write [[game]]"),
        (f"{HEAD}\nprint = ['--paper=a4']", "print: unknown option --paper"),
        (f"{HEAD}\npoints = [3, 1]", "points = [3, 1] is not valid. Write three whole numbers, for example [3, 1, 0]."),
        (f"{HEAD}\nplayers = 'Ann'", 'players = "Ann" is not valid. Write a list in brackets'),
        (f"{HEAD}\nplayers = ['Ann']", "players: a league has 2 to 40 players, not 1"),
        (f"{HEAD}\nplayers = ['Ann', 'ann']", "players: Ann is in the list of players twice"),
        (f"{HEAD}\nplayers = {[f'P{n}' for n in range(41)]}", "players: a league has 2 to 40 players, not 41"),
        (f"{HEAD}\nplayers = ['{'x' * 61}', 'b']", "players: player has 61 characters; write at most 60"),
        (f"{HEAD}\nplayers = ['Ann, Bob', 'c']", "players: the name 'Ann, Bob' contains a comma"),
        (f"{PLAYERS}\ntable = 1", "game 1: round or table is missing"),
        (f"{PLAYERS}\nround = 1", "game 1: round or table is missing"),
        (f"{GAME}\nplayers = ['Ann', 'Eve']", "game 1: players must be two of the league: Ann, Bob"),
        (f"{GAME}\nplayers = ['Ann', 'Ann']", "game 1: players must be two of the league: Ann, Bob"),
        (f"{GAME}\nscore = [5]", "game 1: score = [5] is not valid. Write two whole numbers, for example [5, 2]."),
        (f"{GAME}\nscore = [5, -1]", "game 1: score 2 = -1 is not valid."),
        (f"{GAME}\nscore = [5, 1.5]", "game 1: score 2 = 1.5 is not valid."),
        (f"{GAME}\nscore = '5-2'", 'game 1: score = "5-2" is not valid.'),
    ],
)
def test_a_file_that_is_wrong_is_told_in_one_line(tmp_path: Path, spoilt: str, said: str) -> None:
    (tmp_path / "league.toml").write_text(spoilt, encoding="utf-8")
    with pytest.raises(FileError, match=re.escape(said)):
        read_league(tmp_path)


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        ("9", "x", "no game 9; its games are 1 to 2"),
        ("two", "x", "is not a game"),
        ("1", "x" * (LONGEST + 1), "at most"),
    ],
)
def test_a_result_for_no_game_is_refused(
    tmp_path: Path, game: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(tmp_path, LEAGUE)
    before = (tmp_path / "league.toml").read_bytes()
    assert run(["league", "result", f"{tmp_path}/{game}", text, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err
    assert (tmp_path / "league.toml").read_bytes() == before


def test_a_league_is_begun_once_and_rightly_has_an_end_and_no_game_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*words: str) -> str:
        assert run(["league", *words, "--lang", "en"]) != 0
        return capsys.readouterr().err

    assert "start one with: printkit league new" in refused("show", str(tmp_path))
    assert "--set" in refused("new", str(tmp_path / "new"), "--rules", "dba3", "--set", "home=moon")
    assert not (tmp_path / "new").exists()
    put(tmp_path, LEAGUE)
    assert "printkit league add" in refused("new", str(tmp_path))
    assert "--date is now a line in league.toml" in refused("result", f"{tmp_path}/1", "drawn", "--date", "1 May")
    assert f"league.toml is a file; give the folder of the league: {tmp_path}" in refused(
        "show", str(tmp_path / "league.toml")
    )
    damaged = tmp_path / record_name(1)
    damaged.write_text("{", encoding="utf-8")
    assert f"{damaged}: line 1: not valid JSON" in refused("show", str(tmp_path))
    damaged.unlink()
    with pytest.raises(PrintkitError, match="record of game 1 is missing"):
        list(read_records(tmp_path, (1, 2)))
    for option, value, said in (("--sheet", "a44", "unknown paper 'a44'"), ("--lang", "xx", "unknown language 'xx'")):
        put(tmp_path, replace(LEAGUE, print_words=(option, value)))
        assert f"league.toml, line 6: print: {said}" in refused("show", str(tmp_path))
    put(tmp_path, replace(LEAGUE, rules="campaign"))
    assert "league.toml, line 4: rules: unknown rule system 'campaign'" in refused("show", str(tmp_path))
    text = league_text(replace(LEAGUE, games=(LeagueGame(seed=1),) * MOST_GAMES))
    (tmp_path / "league.toml").write_text(text, encoding="utf-8")
    assert f"at most {MOST_GAMES} games" in refused("add", str(tmp_path))


def test_a_league_is_added_to_corrected_moved_and_printed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, moved = tmp_path / "autumn", tmp_path / "ten years on"
    folder.mkdir()
    put(folder, LEAGUE, count=4)
    before = [(folder / record_name(number)).read_bytes() for number in range(1, 5)]
    # An evening costs seconds to draw: of the game that is added only the record is made.
    monkeypatch.setattr(league_games, "game_night_files", lambda *_: {})
    assert run(["league", "add", str(folder), "--quiet"]) == 0
    assert run(["league", "result", f"{folder}/2", "Ann won", "--players", "Ann, Bob", "--quiet"]) == 0
    text = (folder / "league.toml").read_text(encoding="utf-8")
    game_2 = text.split("[[game]]")[2]
    dated = text.replace(game_2, game_2.replace('date = ""', 'date = "1 Nov"'))
    (folder / "league.toml").write_text(dated, encoding="utf-8")
    assert run(["league", "result", f"{folder}/game-2", "Bob won 4 to 2", "--lang", "en"]) == 0
    assert run(["league", "result", f"{folder}/3", "drawn", "--quiet"]) == 0
    assert run(["league", "result", f"{folder}/3", "", "--quiet"]) == 0
    said = capsys.readouterr().err
    assert "previous result of game 2: Ann won" in said
    assert re.search("   Ann, Bob, 1 Nov +Bob won 4 to 2\n", said)
    assert "not played yet" in said
    printed = _printed(folder)
    folder.rename(moved)
    assert [(moved / record_name(number)).read_bytes() for number in range(1, 5)] == before
    league, page = read_league(moved), (moved / "league.pdf").read_bytes()
    assert [game.note for game in league.games] == ["", "Bob won 4 to 2", "", "", ""]
    assert len({write(record) for record in read_records(moved, range(1, 6))}) == 5
    assert run(["league", "show", str(moved), "--quiet"]) == 0
    assert (moved / "league.pdf").read_bytes() == page
    assert _printed(moved) == printed


def _printed(folder: Path) -> bytes:
    """Return the map of a league's first game as the command prints it from the record."""
    sheet = folder.parent / "printed.pdf"
    assert run(["map", "--from", str(folder / record_name(1)), "--scale", "fit", "--out", str(sheet), "--force"]) == 0
    return sheet.read_bytes()


def test_a_whole_league_is_made_with_its_evenings_and_added_to(tmp_path: Path) -> None:
    folder = tmp_path / "autumn"
    begun = ["league", "new", str(folder), "--rules", "dba3", "--games", "1", "--seed", "11", "--style", "ink-saver"]
    assert run([*begun, "--quiet"]) == 0
    made = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {"league.toml", "league.pdf", "records/game-1.json", "game-1/contents.pdf", "game-1/map.pdf"} <= made
    assert (folder / "game-1/umpire/record.json").read_bytes() == (folder / "records/game-1.json").read_bytes()
    league = read_league(folder)
    printed = (league.name, league.print_options.style, [game.seed for game in league.games])
    assert printed == ("autumn", "ink-saver", [11])
    assert league.games[0].title


@pytest.mark.parametrize("code", ["en", "es"])
def test_the_page_shows_each_game_with_lines_for_what_is_open(tmp_path: Path, code: str) -> None:
    league = put(tmp_path, LEAGUE).with_game(1, LeagueGame(seed=11, title="Here", players=("Ann",), note="drawn"))
    words = language(code)
    order = print_context(PrintOptions(), words)
    made = league_document(league, tuple(read_records(tmp_path, (1, 2))), SYSTEM, order)
    assert_inside(made.pages)
    told = ("Autumn", "Here", "Ann", "drawn", words("league.date"), words("league.results"), "records/game-2.json")
    assert [text for text in told if not tells(made.pages, text)] == []
    assert "not played yet" in str(list(league_lines(league))[2])

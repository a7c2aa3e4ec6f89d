"""The page of a league: the poster of a round; without players a map, the players, date and result of each game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Block, Heading, Paragraph, Table, WriteLines
from printkit.core.errors import Sentence
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.figures import Figure, SideFigure
from printkit.drawing.text.leaflet import Content
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document
from printkit.recipes.league.league_file import League, LeagueGame, record_name
from printkit.recipes.league.league_results import result_text, round_lines
from printkit.recipes.league.round_page import round_contents
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.output.report import report_lines
from printkit.terrain.field.record import Record

_HEIGHT: Final = 52.0
_WIDTH: Final = 82.0
_PITCH: Final = 9.0
_HEAD: Final = ("game", "field", "players", "date", "result")
_SHARES: Final = (0.6, 2.5, 2.1, 1.5, 2.9)
_MIN_GAMES: Final = 2  # the least number of games for a table of all results at the end


def league_document(
    league: League, records: Sequence[Record], system: RuleSystem, order: SheetContext, link: Sequence[Content] = ()
) -> Document:
    """Return the page of a league.

    Args:
        league: a league.
        records: the records of its ``shown_games``, at least one.
        system: the rule system.
        order: the print context.
        link: with players, how phones open the standings.

    Raises:
        PageError: the paper is too small.
    """
    words = order.words
    handout = replace(HandoutContext.from_record(records[0], system, order), blank=True)
    rules = system.book.title_in(words.each()[0])
    key = "round-subtitle" if league.players else "subtitle"
    subtitle = words(f"league.{key}", rules=rules, round=league.rounds, count=len(records))
    origin = words("league.origin", name=league.name, rules=rules)
    if league.players:
        free_mm = handout.height_below(league.name, subtitle=subtitle, origin=origin)
        contents = round_contents(league, records, system, order, free_mm, link)
    else:
        contents = _contents(league, records, system, order)
    pages = handout.build_pages(
        league.name,
        tuple(contents),
        subtitle=subtitle,
        origin=origin,
        bookmark=words("league.title"),
        level=False,
    )
    return rules_document(league.name, pages, system.name, words)


def _contents(league: League, records: Sequence[Record], system: RuleSystem, order: SheetContext) -> Iterator[Content]:
    """Yield each game with a small map and its facts, and the table of results if there are enough games.

    Games are numbered from 1.
    """
    words = order.words
    for number, (game, record) in enumerate(zip(league.games, records, strict=True), 1):
        handout = HandoutContext.from_record(record, system, order)
        picture = small_map(record.battlefield, _WIDTH, _HEIGHT, handout.map_drafter())
        yield Heading(game.title or handout.title, str(number))
        yield SideFigure(Figure(picture), tuple(_game_blocks(game, number, order)))
    if len(records) >= _MIN_GAMES:
        yield Heading(words("league.results"))
        rows = tuple((str(number), game.title, *_details(game).values()) for number, game in enumerate(league.games, 1))
        head = tuple(words(f"league.{name}") for name in _HEAD)
        yield Table(rows=rows, head=head, shares=_SHARES, min_height=_PITCH)


def _game_blocks(game: LeagueGame, number: int, order: SheetContext) -> Iterator[Block]:
    """Yield the known facts of a game, lines to write the others, and a note on how to print its battlefield again.

    There is no heading. The note names the record of the game by its ``number``, which counts from 1.
    """
    words = order.words
    details = _details(game)
    yield from (Paragraph(f"**{words(f'league.{name}')}:** {text}") for name, text in details.items() if text)
    missing_labels = tuple(words(f"league.{name}") for name, text in details.items() if not text)
    if missing_labels:
        yield WriteLines(missing_labels, _PITCH)
    yield Paragraph(words("league.again", record=record_name(number)), "note")


def _details(game: LeagueGame) -> dict[str, str]:
    """Return the players, the date and the result of a game as texts by name, each empty until it is known."""
    return {"players": ", ".join(game.players), "date": game.date, "result": result_text(game)}


def league_lines(league: League) -> Iterator[str]:
    """Return lines for the terminal: the round and the standings, or a line for each single game from 1 on."""
    if league.players:
        return round_lines(league)
    head = Sentence("{name}, games of {rules}:", name=league.name, rules=league.rules)
    rows = []
    for number, game in enumerate(league.games, 1):
        players, date, result = _details(game).values()
        details = ", ".join(text for text in (players, date) if text)
        rows.append((str(number), game.title, *filter(None, (details,)), result or Sentence("not played yet")))
    return report_lines(head, rows)

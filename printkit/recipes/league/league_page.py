"""The page of a league: a map and the results of each game, or with players the poster of a round with standings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from msgspec.structs import replace

from printkit.content.prose import Align, Block, Heading, Paragraph, Table, WriteLines
from printkit.core.errors import Sentence
from printkit.drawing.map.board_drawing import small_map
from printkit.drawing.text.flow import GUTTER
from printkit.drawing.text.leaflet import Columns, Content, Figure, NewPage, SideFigure, contents_height
from printkit.kit.system import RuleSystem
from printkit.page.sheet import Document
from printkit.recipes.box.box_list import number_ranges
from printkit.recipes.league.league_file import League, LeagueGame, record_name
from printkit.recipes.league.league_games import fetch_lists
from printkit.recipes.league.league_results import league_standings, resting_players, result_text, round_lines
from printkit.recipes.output.handout import HandoutContext, rules_document
from printkit.recipes.output.printers import SheetContext
from printkit.recipes.output.report import report_lines
from printkit.terrain.field.record import Record

# The least and greatest height of a small map in mm, and the height below a map for its caption.
_LEAST_MM: Final = 28.0
_MOST_MM: Final = 95.0
_CAPTION_MM: Final = 7.0

_MOST_COLUMNS: Final = 4

# The least height of a row of the round in mm, to write the score in.
_ROUND_PITCH: Final = 8.0

_PLACE_HEAD: Final = ("place", "player", "played", "won", "drawn", "lost", "score", "points")
_PLACE_SHARES: Final = (0.5, 3.0, 0.8, 0.8, 0.8, 0.8, 1.0, 0.8)
_ALIGNS: Final[tuple[Align, ...]] = ("right", "left", "right", "right", "right", "right", "right", "right")
_ROUND_HEAD: Final = ("table", "game", "far", "near", "field", "result")
_ROUND_SHARES: Final = (0.6, 0.5, 1.6, 1.6, 2.2, 1.4)


def round_contents(
    league: League,
    records: Sequence[Record],
    system: RuleSystem,
    order: SheetContext,
    free_mm: float,
    link: Sequence[Content],
) -> Iterator[Content]:
    """Yield the contents of the poster, on one sheet if that is possible; a shared box has a second sheet.

    Args:
        league: a league with players.
        records: the records of its ``shown_games``, at least one.
        system: the rule system.
        order: the print context.
        free_mm: the height of the first sheet below its title.
        link: what is below the tables: how phones open the standings.
    """
    handout, tables = HandoutContext.from_record(records[0], system, order), (*_tables(league, order), *link)
    yield from tables
    free_mm -= contents_height(tables, handout.page_size()[0], handout.style)
    yield _maps(league, records, system, order, free_mm)
    yield from _fetch_page(records, order)


def _tables(league: League, order: SheetContext) -> Iterator[Content]:
    """Yield the standings and the games of the round, with cells for the open scores."""
    words = order.words
    yield Heading(words("league.standings"))
    rows = tuple(
        (str(place), *map(str, row[:5]), f"{row.own_score}:{row.other_score}", str(row.points))
        for place, row in enumerate(league_standings(league), 1)
    )
    yield Table(
        rows=rows, head=tuple(words(f"league.{name}") for name in _PLACE_HEAD), shares=_PLACE_SHARES, aligns=_ALIGNS
    )
    games = [(number, league.game(number)) for number in league.shown_games]
    yield Heading(words("league.round", round=league.rounds), remark=next((game.date for _, game in games), ""))
    rows = tuple((str(game.table), str(number), *game.players, game.title, result_text(game)) for number, game in games)
    head = tuple(words(f"league.{name}") for name in _ROUND_HEAD)
    yield Table(rows=rows, head=head, shares=_ROUND_SHARES, min_height=_ROUND_PITCH)
    if resting := resting_players(league):
        yield Paragraph(words("league.rests", players=", ".join(resting)), "note")


def _fetch_page(records: Sequence[Record], order: SheetContext) -> Iterator[Content]:
    """Yield a second sheet with the pieces to fetch for each table, if the tables share a terrain box."""
    words = order.words
    if rows := fetch_lists(records, words):
        tables = [words("league.map", table=table) for table in range(1, len(records) + 1)]
        yield from (NewPage(), Heading(words("league.fetch")), Paragraph(words("league.fetch-how")))
        yield Table(
            rows=tuple((row.piece, *map(number_ranges, row.tables), str(row.left)) for row in rows),
            head=(words("league.piece"), *tables, words("league.left")),
            shares=(2.4, *(1.0,) * len(tables), 0.8),
        )


def _maps(
    league: League, records: Sequence[Record], system: RuleSystem, order: SheetContext, free_mm: float
) -> Columns:
    """Return the small maps of the round, as large as they can be in ``free_mm`` of height on paper.

    They are in as many columns as give the largest maps, and read from left to right. ``records`` are those of
    ``league.shown_games``.
    """
    words, board = order.words, records[0].battlefield.board

    def size(count: int) -> tuple[float, float]:
        """Return the width and height in mm of a map in so many columns."""
        width = (HandoutContext.from_record(records[0], system, order).page_size()[0] - (count - 1) * GUTTER) / count
        height = min(free_mm / ceil(len(records) / count) - _CAPTION_MM, width * board.depth / board.width, _MOST_MM)
        return width, max(height, _LEAST_MM)

    count = max(range(1, min(len(records), _MOST_COLUMNS) + 1), key=lambda count: size(count)[1])
    figures = []
    for number, record in zip(league.shown_games, records, strict=True):
        drafter, game = HandoutContext.from_record(record, system, order).map_drafter(), league.game(number)
        picture = small_map(record.battlefield, *size(count), drafter)
        figures.append(Figure(picture, words("league.map", table=game.table)))
    # Columns fill downwards.
    return Columns(tuple(figure for column in range(count) for figure in figures[column::count]), count)


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

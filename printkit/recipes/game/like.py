"""Another battlefield like this one, but with more or less of something: the best of several that are rolled.

Each one is rolled with the same settings on the same board, so it is as legal as any other. Nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words
from printkit.kit.rules import NAMES_KEY
from printkit.kit.system import RuleSystem
from printkit.recipes.game.games import GameSetup, GeneratedGame, choose_draft, setup_from_record
from printkit.terrain.field.battlefield import Battlefield
from printkit.terrain.field.features import WOODS, Area, Course, Hill, Kind
from printkit.terrain.field.names import load_name_book
from printkit.terrain.field.record import Record

# The number of battlefields to roll.
TRIES: Final = 12

# The wish for other names, which keeps the terrain.
OTHER_NAMES: Final = "other-names"

_TOWNS: Final = (Kind.BUA, Kind.SETTLEMENT, Kind.HAMLET, Kind.VILLAGE, Kind.TOWN, Kind.CITY, Kind.EDIFICE)
_RIVERS: Final = (Kind.RIVER, Kind.STREAM, Kind.CREEK)

# The width of the border around the centre of a board, as a share of its shorter side.
_BORDER: Final = 1 / 3


# Returns the area of each feature that a wish is about, in square millimetres on the board.
_Finder: TypeAlias = Callable[[Battlefield], list[float]]


def _find_areas(field: Battlefield, *kinds: Kind) -> list[float]:
    """Return the area in mm² on the board of each area feature of some kinds; empty without any."""
    return [feature.outline.area for feature in field.features if isinstance(feature, Area) and feature.kind in kinds]


def _find_hills(field: Battlefield) -> list[float]:
    """Return the area in mm² on the board of each hill, within its lowest contour."""
    return [feature.contours[0].area for feature in field.features if isinstance(feature, Hill)]


def _find_centre(field: Battlefield) -> list[float]:
    """Return the area in mm² of the part of each area feature and hill that is in the centre of the board.

    Features outside the centre are left out. The areas of hills are last.
    """
    centre = field.board.shape.buffer(-min(field.board.width, field.board.depth) * _BORDER)
    outlines = [feature.outline for feature in field.features if isinstance(feature, Area)]
    outlines += [feature.contours[0] for feature in field.features if isinstance(feature, Hill)]
    return [area for outline in outlines if (area := outline.intersection(centre).area) > 0]


def _find_rivers(field: Battlefield) -> list[float]:
    """Return 0.0 for each river or stream of a battlefield, because these have no area."""
    return [0.0 for feature in field.features if isinstance(feature, Course) and feature.kind in _RIVERS]


# The features of each wish, and whether there should be more or fewer of them.
_WISHES: Final[Mapping[str, tuple[_Finder, bool]]] = {
    "more-woods": (lambda field: _find_areas(field, *WOODS), True),
    "more-hills": (_find_hills, True),
    "open-centre": (_find_centre, False),
    "river": (_find_rivers, True),
    "no-towns": (lambda field: _find_areas(field, *_TOWNS), False),
}

WISHES: Final = (*_WISHES, OTHER_NAMES)


class GameLike(Struct, frozen=True, kw_only=True):
    """The game that fits a wish best, with the number of features that the wish is about, now and before."""

    game: GeneratedGame
    count: int = 0
    before: int = 0


def like(system: RuleSystem, record: Record, wish: str, seed: int, words: Words, *, tries: int = TRIES) -> GameLike:
    """Return the best of several new games with the settings of a record, or the same game with other names.

    The wish for other names rolls nothing. For the other wishes the result also has the number of wished features in
    the new game and in the record.

    Args:
        system: the rules.
        record: the battlefield for comparison.
        wish: one of ``WISHES``.
        seed: the first of the seeds to try; the others follow it.
        words: the language of the names.
        tries: the number of games to roll; fewer if one cannot be better.

    Raises:
        UsageError: the wish does not exist.
        RecordError: the battlefield was drawn by hand.
        PrintkitError: no game can be rolled.
    """
    setup = setup_from_record(system, record, words)
    if wish == OTHER_NAMES:
        return GameLike(game=_rename(setup, record))
    if wish not in _WISHES:
        raise UsageError("there is no wish {wish!r}; use one of {wishes}", wish=wish, wishes=", ".join(WISHES))
    find, is_more = _WISHES[wish]
    best: tuple[tuple[float, float], GameLike] | None = None
    for number in range(tries):
        try:
            game = _roll(setup, seed + number)
        except PrintkitError:
            if best is None and number == tries - 1:
                raise
            continue
        areas = find(game.record.battlefield)
        sign = 1 if is_more else -1
        score = sign * len(areas), sign * sum(areas)
        if best is None or score > best[0]:
            best = score, GameLike(game=game, count=len(areas), before=len(find(record.battlefield)))
        if not is_more and not areas:
            break
    assert best is not None
    return best[1]


def _roll(setup: GameSetup, seed: int) -> GeneratedGame:
    """Return a new game with the settings of another one."""
    new_setup = replace(setup, scenario=replace(setup.scenario, seed=seed), reseeded={}, draft=1)
    return choose_draft(new_setup, GameSetup.play_seed)


def _rename(setup: GameSetup, record: Record) -> GeneratedGame:
    """Return the same game with the place names of the next period."""
    periods = load_name_book(setup.words.code).periods
    period = record.settings.get(NAMES_KEY, "")
    following = periods[(periods.index(period) + 1) % len(periods)] if period in periods else periods[0]
    return replace(setup, orders=replace(setup.orders, names=following)).replay_log(record.log, repair_seed=record.seed)

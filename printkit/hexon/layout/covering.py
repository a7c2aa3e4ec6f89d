"""Cover flat hexes with as many six-hex boards as possible (HX-30 to HX-33).

The search is exact: it tries increasing numbers of uncovered hexes, so the first covering is proven to be optimal. A
node limit, the same on every machine, can end it early. Then a beam search finds a good covering, and the result
states how many more boards may be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from printkit.hexon.layout.pieces import Hex, components, footprints, piece_set

# --- Search for coverings: pieces of one size on numbered places, with as few uncovered places as possible ------------

# For each place, the pieces that can start there: masks whose bit 0 is the place itself, in order of preference.
BoardOptions: TypeAlias = Sequence[Sequence[int]]

# The first places of pieces, and their masks.
Choices: TypeAlias = tuple[tuple[int, int], ...]

# The mask of an uncovered place; pieces have other masks, because they cover more than one place.
_ALONE: Final = 1

_PLACE_BITS: Final = 16
# In the second ranking of the beam search, this many edges of a window cost as much as one uncovered place.
_ROUGHNESS: Final = 3


class Nodes(Struct):
    """The remaining number of partial coverings to examine; a count gives the same result on every machine."""

    left: int

    def take(self) -> bool:
        """Count one examined partial covering (``left`` changes); return whether the limit allowed it."""
        self.left -= 1
        return self.left >= 0

    @property
    def spent(self) -> bool:
        """Return whether the limit was exceeded."""
        return self.left < 0


class _Step(Struct):
    """A partial covering on the search stack: the untried options, and the current one."""

    place: int
    window: int
    spare: int
    masks: Iterator[int]
    current_mask: int = _ALONE


def find_covering(options: BoardOptions, *, spare: int, nodes: Nodes) -> Choices | None:
    """Return the first covering with at most ``spare`` uncovered places, as pairs of place and mask.

    A place is the number of a hex from 0 in scan order. The mask of a piece has bit ``i`` for the place ``i`` after its
    first one. The order is that of places and preferences; uncovered places are left out of the result. A place stays
    uncovered only after all pieces that can start there were tried. None means that there is no such covering, or that
    the limit was reached (``nodes.spent``).

    Args:
        options: for each place, the masks of the pieces that can start there.
        spare: the largest number of uncovered places.
        nodes: the number of partial coverings that may be examined; the search counts it down.
    """
    if not options:
        return ()
    # For each partial covering, the largest number of spare places with which it is known to fail.
    failed: dict[int, int] = {}
    stack = [_make_step(options, place=0, window=0, spare=spare)]
    while stack:
        step = stack[-1]
        mask = next((mask for mask in step.masks if not step.window & mask), None)
        if mask is None:
            failed[step.window << _PLACE_BITS | step.place] = step.spare
            stack.pop()
            continue
        step.current_mask = mask
        place, window = _next_open_place(step.place, step.window | mask)
        left = step.spare - (mask == _ALONE)
        if place == len(options):
            return tuple((entry.place, entry.current_mask) for entry in stack if entry.current_mask != _ALONE)
        if failed.get(window << _PLACE_BITS | place, -1) < left:
            if not nodes.take():
                return None
            stack.append(_make_step(options, place=place, window=window, spare=left))
    return None


def _make_step(options: BoardOptions, *, place: int, window: int, spare: int) -> _Step:
    """Return a step of the search with all pieces that can start at a place (from 0), as masks.

    ``window`` has a bit for each covered place from ``place`` on, and ``spare`` places may stay uncovered.
    """
    pieces = options[place]
    return _Step(place, window, spare, iter((*pieces, _ALONE) if spare else pieces))


def _next_open_place(place: int, window: int) -> tuple[int, int]:
    """Return the next uncovered place and the window that starts there.

    A window has a bit for each covered place from ``place`` on.
    """
    skip_count = (~window & (window + 1)).bit_length() - 1
    return place + skip_count, window >> skip_count


class _Trace(NamedTuple):
    """The predecessor of the best partial covering for a window."""

    gaps: int
    place: int = 0
    window: int = 0
    mask: int = 0


def beam_search(options: BoardOptions, *, width: int) -> Choices:
    """Return a good covering by beam search, as pairs of place (from 0) and mask of each piece.

    Each place keeps only the ``width`` best partial coverings. Two rankings are tried: by uncovered places alone, and
    by uncovered places and how uneven the edge of the covered part is. The result with more pieces wins.
    """
    coverings = [_run_beam(options, width=width, roughness=roughness) for roughness in (0, 1)]
    return max(coverings, key=len)


def _run_beam(options: BoardOptions, *, width: int, roughness: int) -> Choices:
    """Return the boards of the best covering for one ranking, each a pair of place (from 0) and mask.

    Each change between covered and uncovered places at the edge of the covered part costs ``roughness``. ``width`` is
    the number of partial coverings kept at each place.
    """
    count = len(options)
    layers: list[dict[int, _Trace]] = [{} for _ in range(count + 1)]
    layers[0][0] = _Trace(0)

    def rank(entry: tuple[int, _Trace]) -> tuple[int, int, int]:
        """Return the sort key of a partial covering: its cost, its uncovered places, then its window."""
        window, trace = entry
        rough = (window ^ (window >> 1)).bit_count()
        return _ROUGHNESS * trace.gaps + roughness * rough, trace.gaps, window

    for place in range(count):
        if len(layers[place]) > width:
            layers[place] = dict(sorted(layers[place].items(), key=rank)[:width])
        for window, trace in layers[place].items():
            for mask in (*options[place], _ALONE):
                if window & mask:
                    continue
                gaps = trace.gaps + (mask == _ALONE)
                next_place, next_window = _next_open_place(place, window | mask)
                previous = layers[next_place].get(next_window)
                if previous is None or previous.gaps > gaps:
                    layers[next_place][next_window] = _Trace(gaps, place, window, mask)
    return _trace_back(layers)


def _trace_back(layers: Sequence[dict[int, _Trace]]) -> Choices:
    """Return the boards of the best complete covering from the layers of a beam search, in order of their places.

    Each is a pair of place, from 0, and mask. ``layers`` has an entry for each place; single pieces are left out.
    """
    place, window = len(layers) - 1, 0
    choices: list[tuple[int, int]] = []
    while place:
        trace = layers[place][window]
        if trace.mask != _ALONE:
            choices.append((trace.place, trace.mask))
        place, window = trace.place, trace.window
    return tuple(reversed(choices))


# The largest number of partial coverings of one part, in the exact search and in the beam search after it; the search
# for fewer orientations uses a quarter of it.
NODE_LIMIT: Final = 250_000

_Order: TypeAlias = Callable[[Hex], tuple[int, int]]

# Orders to scan hexes: along the three axes of the grid, and along the three directions perpendicular to them.
_ORDERS: Final[tuple[_Order, ...]] = (
    lambda at: (at[0], at[1]),
    lambda at: (at[1], at[0]),
    lambda at: (at[0] + at[1], at[0]),
    lambda at: (2 * at[1] + at[0], at[0]),
    lambda at: (2 * at[0] + at[1], at[1]),
    lambda at: (at[0] - at[1], at[0]),
)


class TileBoard(Struct, frozen=True, order=True):
    """A board on its hexes, rotated clockwise by ``orientation`` times 60 degrees from its footprint."""

    hexes: tuple[Hex, ...]
    orientation: int


class Cover(Struct, frozen=True):
    """Boards and single hexes that cover an area.

    Attributes:
        boards: the boards.
        singles: the hexes without a board.
        bound: no covering has more boards than this.
        withheld: the number of boards replaced by single hexes because there are not enough boards.
    """

    boards: tuple[TileBoard, ...]
    singles: tuple[Hex, ...]
    bound: int
    withheld: int = 0

    @property
    def gap(self) -> int:
        """Return how many more boards may be possible, if there are enough; 0 if no more are possible."""
        return self.bound - len(self.boards) - self.withheld

    @property
    def pieces(self) -> int:
        """Return the number of boards and single hexes together."""
        return len(self.boards) + len(self.singles)


def cover(hexes: Collection[Hex]) -> Cover:
    """Return a covering of hexes with as many boards as possible.

    Each connected part is covered separately. Among equal coverings, the fewest orientations win, then the order of
    the hexes, row by row across the narrow side. ``hexes`` are an area of one height, in any number of parts.
    """
    coverable_hexes = {position for tile_board in board_positions(hexes) for position in tile_board.hexes}
    part_covers = [_cover_part(part) for part in components(coverable_hexes)]
    boards = sorted(tile_board for part_cover in part_covers for tile_board in part_cover.boards)
    used_hexes = {position for tile_board in boards for position in tile_board.hexes}
    return Cover(
        boards=tuple(boards),
        singles=tuple(sorted(set(hexes) - used_hexes)),
        bound=sum(part_cover.bound for part_cover in part_covers),
    )


def limit_boards(full_cover: Cover, boards: int) -> Cover:
    """Return a covering with at most ``boards`` boards; single hexes replace the last ones (HX-32)."""
    kept_boards, withheld = full_cover.boards[:boards], full_cover.boards[boards:]
    singles = (*full_cover.singles, *(position for board in withheld for position in board.hexes))
    return Cover(kept_boards, tuple(sorted(singles)), full_cover.bound, len(withheld))


def board_positions(hexes: Collection[Hex]) -> Iterator[TileBoard]:
    """Yield every position of a board on an area."""
    area = set(hexes)
    for orientation, shape in enumerate(footprints()):
        for q, s in sorted(area):
            board_hexes = tuple((q + right, s + down) for right, down in shape)
            if area.issuperset(board_hexes):
                yield TileBoard(board_hexes, orientation)


class _Area(Struct, frozen=True):
    """A connected part: its hexes in scan order, and all board positions by their first hex."""

    hexes: tuple[Hex, ...]
    begins: tuple[tuple[tuple[int, TileBoard], ...], ...]

    def options(self, orientations: Collection[int]) -> BoardOptions:
        """Return, for each place in scan order, the masks of boards that can start there in given orientations."""
        return [[mask for mask, board in begin if board.orientation in orientations] for begin in self.begins]

    def chosen_boards(self, choices: Choices) -> tuple[TileBoard, ...]:
        """Return the boards of a search result, pairs of place (from 0) and mask, in scan order."""
        return tuple(dict(self.begins[place])[mask] for place, mask in choices)

    def rank(self, boards: Sequence[TileBoard]) -> tuple[tuple[int, ...], ...]:
        """Return the sort key of a covering: the places of the hexes of each board."""
        indices = {position: number for number, position in enumerate(self.hexes)}
        return tuple(tuple(sorted(indices[position] for position in board.hexes)) for board in boards)


def _build_area(part: tuple[Hex, ...]) -> _Area:
    """Return a part with the order of hexes that keeps the hexes of a board closest together."""
    boards = tuple(board_positions(part))

    def reach(order: _Order) -> int:
        """Return the largest distance between places of one board, for an order of the hexes."""
        indices = {position: number for number, position in enumerate(sorted(part, key=order))}
        spans = ([indices[position] for position in board.hexes] for board in boards)
        return max(max(span) - min(span) for span in spans)

    hexes = tuple(sorted(part, key=min(_ORDERS, key=reach)))
    indices = {position: number for number, position in enumerate(hexes)}
    begins: list[list[tuple[tuple[int, ...], TileBoard]]] = [[] for _ in hexes]
    for board in boards:
        places = tuple(sorted(indices[position] for position in board.hexes))
        begins[places[0]].append((places, board))
    return _Area(
        hexes, tuple(tuple((_place_mask(places), board) for places, board in sorted(begin)) for begin in begins)
    )


def _place_mask(places: Sequence[int]) -> int:
    """Return the mask of a board: bit ``i`` for the place ``i`` after its first one."""
    return sum(1 << (place - places[0]) for place in places)


def _cover_part(part: tuple[Hex, ...]) -> Cover:
    """Return the covering of a connected part with as many boards as possible."""
    size, all_orientations = len(piece_set().board), range(len(footprints()))
    area = _build_area(part)
    nodes = Nodes(NODE_LIMIT)
    for spare in range(len(part) % size, len(part) + 1, size):
        bound = (len(part) - spare) // size
        # A pattern of one orientation is found quickly, and no covering has fewer orientations.
        regular = _fewest_orientations(area, sizes=(1,), spare=spare, nodes=Nodes(NODE_LIMIT))
        if regular is not None:
            return _make_cover(part, regular, bound=bound)
        choices = find_covering(area.options(all_orientations), spare=spare, nodes=nodes)
        if choices is not None:
            tidy_boards = _fewest_orientations(
                area, sizes=all_orientations[2:], spare=spare, nodes=Nodes(NODE_LIMIT // 4)
            )
            return _make_cover(part, tidy_boards or area.chosen_boards(choices), bound=bound)
        if nodes.spent:
            break
    choices = beam_search(area.options(all_orientations), width=max(1, NODE_LIMIT // (2 * len(part))))
    return _make_cover(part, area.chosen_boards(choices), bound=bound)


def _fewest_orientations(
    area: _Area, *, sizes: Sequence[int], spare: int, nodes: Nodes
) -> tuple[TileBoard, ...] | None:
    """Return the boards of the covering with the fewest orientations, the first of them in hex order.

    The result is None if there is no covering, or if the limit ``nodes`` ended the search before one.

    Args:
        area: the part to cover.
        sizes: the numbers of orientations to try, in order.
        spare: the largest number of uncovered hexes.
        nodes: the number of partial coverings to examine.
    """
    for size in sizes:
        coverings = []
        for orientations in combinations(range(len(footprints())), size):
            choices = find_covering(area.options(orientations), spare=spare, nodes=nodes)
            if choices is not None:
                coverings.append(area.chosen_boards(choices))
            if nodes.spent:
                break
        if coverings or nodes.spent:
            return min(coverings, key=area.rank, default=None)
    return None


def _make_cover(part: Sequence[Hex], boards: tuple[TileBoard, ...], *, bound: int) -> Cover:
    """Return the covering of a part by some boards; single hexes cover the rest, in the order of ``part``."""
    used_hexes = {position for board in boards for position in board.hexes}
    return Cover(boards, tuple(position for position in part if position not in used_hexes), bound)

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
        """Use one node and return whether there was one left."""
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
    ways: Iterator[int]
    chosen: int = _ALONE


def complete(options: BoardOptions, *, spare: int, nodes: Nodes) -> Choices | None:
    """Return the first covering, in order of places and preferences, with at most ``spare`` uncovered places.

    A place stays uncovered only after all pieces that can start there were tried. None means that there is no such
    covering, or that the nodes ran out (``nodes.spent``).
    """
    if not options:
        return ()
    # For each partial covering, the largest number of spare places with which it is known to fail.
    failed: dict[int, int] = {}
    stack = [_step(options, place=0, window=0, spare=spare)]
    while stack:
        step = stack[-1]
        mask = next((mask for mask in step.ways if not step.window & mask), None)
        if mask is None:
            failed[step.window << _PLACE_BITS | step.place] = step.spare
            stack.pop()
            continue
        step.chosen = mask
        place, window = _shut(step.place, step.window | mask)
        left = step.spare - (mask == _ALONE)
        if place == len(options):
            return tuple((each.place, each.chosen) for each in stack if each.chosen != _ALONE)
        if failed.get(window << _PLACE_BITS | place, -1) < left:
            if not nodes.take():
                return None
            stack.append(_step(options, place=place, window=window, spare=left))
    return None


def _step(options: BoardOptions, *, place: int, window: int, spare: int) -> _Step:
    pieces = options[place]
    return _Step(place, window, spare, iter((*pieces, _ALONE) if spare else pieces))


def _shut(place: int, window: int) -> tuple[int, int]:
    """Return the next uncovered place and the window that starts there."""
    taken = (~window & (window + 1)).bit_length() - 1
    return place + taken, window >> taken


class _Trace(NamedTuple):
    """The predecessor of the best partial covering for a window."""

    over: int
    place: int = 0
    window: int = 0
    mask: int = 0


def broad(options: BoardOptions, *, width: int) -> Choices:
    """Return a good covering by beam search: each place keeps only the ``width`` best partial coverings.

    Two rankings are tried: by uncovered places alone, and by uncovered places and the roughness of the window.
    """
    found = [_beam(options, width=width, roughness=roughness) for roughness in (0, 1)]
    return max(found, key=len)


def _beam(options: BoardOptions, *, width: int, roughness: int) -> Choices:
    count = len(options)
    layers: list[dict[int, _Trace]] = [{} for _ in range(count + 1)]
    layers[0][0] = _Trace(0)

    def rank(entry: tuple[int, _Trace]) -> tuple[int, int, int]:
        window, trace = entry
        rough = (window ^ (window >> 1)).bit_count()
        return _ROUGHNESS * trace.over + roughness * rough, trace.over, window

    for place in range(count):
        if len(layers[place]) > width:
            layers[place] = dict(sorted(layers[place].items(), key=rank)[:width])
        for window, trace in layers[place].items():
            for mask in (*options[place], _ALONE):
                if window & mask:
                    continue
                over = trace.over + (mask == _ALONE)
                at, after = _shut(place, window | mask)
                known = layers[at].get(after)
                if known is None or known.over > over:
                    layers[at][after] = _Trace(over, place, window, mask)
    return _followed(layers)


def _followed(layers: Sequence[dict[int, _Trace]]) -> Choices:
    place, window = len(layers) - 1, 0
    chosen: list[tuple[int, int]] = []
    while place:
        trace = layers[place][window]
        if trace.mask != _ALONE:
            chosen.append((trace.place, trace.mask))
        place, window = trace.place, trace.window
    return tuple(reversed(chosen))


# Default limit of partial coverings examined for one area.
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
        stopped: whether the limit ended a search. If not, the covering is optimal, with the fewest orientations.
        withheld: the number of boards replaced by single hexes because there are not enough boards.
    """

    boards: tuple[TileBoard, ...]
    singles: tuple[Hex, ...]
    bound: int
    stopped: bool = False
    withheld: int = 0

    @property
    def gap(self) -> int:
        """Return how many more boards may be possible, with enough boards."""
        return self.bound - len(self.boards) - self.withheld

    @property
    def pieces(self) -> int:
        """Return the number of pieces."""
        return len(self.boards) + len(self.singles)


def cover(hexes: Collection[Hex], *, node_limit: int = NODE_LIMIT) -> Cover:
    """Return a covering of hexes with as many boards as possible.

    Each connected part is covered separately. Among equal coverings, the fewest orientations win, then the order of
    the hexes, scanned across the narrow side.

    Args:
        hexes: an area of one height, in any number of parts.
        node_limit: the number of partial coverings, for each part, in the exact search and in the beam search after
            it; the search for fewer orientations uses a quarter of it.
    """
    board = piece_set().board
    covered = [_cover_part(part, node_limit) for part in _parts(hexes, footprints(board))]
    boards = sorted(laid for each in covered for laid in each.boards)
    taken = {at for laid in boards for at in laid.hexes}
    return Cover(
        boards=tuple(boards),
        singles=tuple(sorted(set(hexes) - taken)),
        bound=sum(each.bound for each in covered),
        stopped=any(each.stopped for each in covered),
    )


def limited(found: Cover, boards: int) -> Cover:
    """Return a covering with at most ``boards`` boards; single hexes replace the last ones (HX-32)."""
    kept, withheld = found.boards[:boards], found.boards[boards:]
    singles = (*found.singles, *(at for laid in withheld for at in laid.hexes))
    return Cover(kept, tuple(sorted(singles)), found.bound, found.stopped, len(withheld))


def placements(hexes: Collection[Hex], shapes: Sequence[tuple[Hex, ...]]) -> Iterator[TileBoard]:
    """Yield every position of a board on an area."""
    area = set(hexes)
    for orientation, shape in enumerate(shapes):
        for q, s in sorted(area):
            laid = tuple((q + right, s + down) for right, down in shape)
            if area.issuperset(laid):
                yield TileBoard(laid, orientation)


def _parts(hexes: Collection[Hex], shapes: Sequence[tuple[Hex, ...]]) -> tuple[tuple[Hex, ...], ...]:
    """Return the connected parts of an area, without hexes that no board can cover."""
    reached = {at for laid in placements(hexes, shapes) for at in laid.hexes}
    return components(reached)


class _Area(Struct, frozen=True):
    """A connected part: its hexes in scan order, and all board positions by their first hex."""

    hexes: tuple[Hex, ...]
    begins: tuple[tuple[tuple[int, TileBoard], ...], ...]

    def options(self, orientations: Collection[int]) -> BoardOptions:
        """Return the masks of boards in the given orientations, by place."""
        return [[mask for mask, laid in begin if laid.orientation in orientations] for begin in self.begins]

    def laid(self, choices: Choices) -> tuple[TileBoard, ...]:
        """Return the boards of a search result, in scan order."""
        return tuple(dict(self.begins[place])[mask] for place, mask in choices)

    def rank(self, boards: Sequence[TileBoard]) -> tuple[tuple[int, ...], ...]:
        """Return the sort key of a covering: the places of the hexes of each board."""
        place = {at: number for number, at in enumerate(self.hexes)}
        return tuple(tuple(sorted(place[at] for at in laid.hexes)) for laid in boards)


def _area(part: tuple[Hex, ...], shapes: Sequence[tuple[Hex, ...]]) -> _Area:
    """Return a part with the scan order that keeps the search windows narrowest."""
    laid = tuple(placements(part, shapes))

    def reach(order: _Order) -> int:
        place = {at: number for number, at in enumerate(sorted(part, key=order))}
        spans = ([place[at] for at in each.hexes] for each in laid)
        return max(max(span) - min(span) for span in spans)

    hexes = tuple(sorted(part, key=min(_ORDERS, key=reach)))
    place = {at: number for number, at in enumerate(hexes)}
    begins: list[list[tuple[tuple[int, ...], TileBoard]]] = [[] for _ in hexes]
    for each in laid:
        places = tuple(sorted(place[at] for at in each.hexes))
        begins[places[0]].append((places, each))
    return _Area(hexes, tuple(tuple((_mask(places), each) for places, each in sorted(begin)) for begin in begins))


def _mask(places: Sequence[int]) -> int:
    return sum(1 << (place - places[0]) for place in places)


def _cover_part(part: tuple[Hex, ...], node_limit: int) -> Cover:
    shapes = footprints(piece_set().board)
    size = len(piece_set().board)
    area = _area(part, shapes)
    every = tuple(range(len(shapes)))
    nodes = Nodes(node_limit)
    for spare in range(len(part) % size, len(part) + 1, size):
        bound = (len(part) - spare) // size
        # A pattern of one orientation is found quickly, and no covering has fewer orientations.
        regular = _fewest(area, every, sizes=(1,), spare=spare, nodes=Nodes(node_limit))
        if regular is not None:
            return _covered(part, regular, bound=bound)
        choices = complete(area.options(every), spare=spare, nodes=nodes)
        if choices is not None:
            tidy = Nodes(node_limit // 4)
            found = _fewest(area, every, sizes=every[2:], spare=spare, nodes=tidy)
            return _covered(part, found or area.laid(choices), bound=bound, stopped=tidy.spent)
        if nodes.spent:
            break
    choices = broad(area.options(every), width=max(1, node_limit // (2 * len(part))))
    return _covered(part, area.laid(choices), bound=bound, stopped=True)


def _fewest(
    area: _Area, every: Sequence[int], *, sizes: Sequence[int], spare: int, nodes: Nodes
) -> tuple[TileBoard, ...] | None:
    """Return the covering with the fewest orientations, the first of them in hex order."""
    for size in sizes:
        found = []
        for orientations in combinations(every, size):
            choices = complete(area.options(orientations), spare=spare, nodes=nodes)
            if choices is not None:
                found.append(area.laid(choices))
            if nodes.spent:
                break
        if found or nodes.spent:
            return min(found, key=area.rank, default=None)
    return None


def _covered(part: Sequence[Hex], boards: tuple[TileBoard, ...], *, bound: int, stopped: bool = False) -> Cover:
    taken = {at for laid in boards for at in laid.hexes}
    return Cover(boards, tuple(at for at in part if at not in taken), bound, stopped)

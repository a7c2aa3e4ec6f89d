"""Covers flat hexes with as many boards as possible, by an exact search for the fewest left over (HX-30 to HX-33).

The search is exact: the fewest hexes left over are sought from the bottom up, so that what is found is proven to be the
least. A limit on its nodes, the same on every machine, ends it early; then a broad search takes over, and how many
more boards there might be is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from printkit.hexon.layout.pieces import Hex, components, footprints, piece_set

# --- Searches for coverings: pieces of one size into numbered places, with as few places left over as can be ----------

BoardOptions: TypeAlias = Sequence[Sequence[int]]
"""By place, the pieces that may begin there: masks whose bit 0 is the place itself, in the order of preference."""

Choices: TypeAlias = tuple[tuple[int, int], ...]
"""Where pieces begin, and their masks."""

_ALONE: Final = 1
"""The mask of a place that is left over; no piece has it, for pieces cover more than one place."""

_PLACE_BITS: Final = 16
_ROUGHNESS: Final = 3
"""Edges of a window that weigh as much as one place left over, in the second ranking of the broad search."""


class Nodes(Struct):
    """How many more part-coverings may be looked at; a count and not a clock, so that it is the same everywhere."""

    left: int

    def take(self) -> bool:
        """Count one, and return whether it was still to be had."""
        self.left -= 1
        return self.left >= 0

    @property
    def spent(self) -> bool:
        """Return whether the count has run out."""
        return self.left < 0


class _Step(Struct):
    """A part-covering on the way down: the ways to go on that are not yet tried, and the one that is being tried."""

    place: int
    window: int
    spare: int
    ways: Iterator[int]
    chosen: int = _ALONE


def complete(options: BoardOptions, *, spare: int, nodes: Nodes) -> Choices | None:
    """Return the first covering, in the order of places and preferences, that leaves at most ``spare`` places over.

    A place is left over only after every piece that may begin there was tried. None means that there is no such
    covering, or that the nodes ran out, which ``nodes.spent`` tells.
    """
    if not options:
        return ()
    # By part-covering, the most places that it may leave over and still be known to fail.
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
    """Return the next open place and the window that begins with it."""
    taken = (~window & (window + 1)).bit_length() - 1
    return place + taken, window >> taken


class _Trace(NamedTuple):
    """How the best part-covering with its window came about."""

    over: int
    place: int = 0
    window: int = 0
    mask: int = 0


def broad(options: BoardOptions, *, width: int) -> Choices:
    """Return a good covering: at each place only the ``width`` part-coverings that promise most are carried on.

    It is tried with two rankings: by places left over alone, and by these together with how rough the window is.
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


NODE_LIMIT: Final = 250_000
"""How many part-coverings are looked at for one area."""

_Order: TypeAlias = Callable[[Hex], tuple[int, int]]

_ORDERS: Final[tuple[_Order, ...]] = (
    lambda at: (at[0], at[1]),
    lambda at: (at[1], at[0]),
    lambda at: (at[0] + at[1], at[0]),
    lambda at: (2 * at[1] + at[0], at[0]),
    lambda at: (2 * at[0] + at[1], at[1]),
    lambda at: (at[0] - at[1], at[0]),
)
"""Ways to scan hexes: along the three axes of the grid, and along the three directions square to them."""


class LaidBoard(Struct, frozen=True, order=True):
    """A board on its hexes, turned ``orientation`` times 60 degrees clockwise from its footprint."""

    hexes: tuple[Hex, ...]
    orientation: int


class Cover(Struct, frozen=True):
    """Boards and single hexes that cover an area. No covering has more than ``bound`` boards.

    ``withheld`` counts the boards that single hexes stand for because there are no more of them. ``stopped`` says that
    the limit ended a search; without it the covering is the best, and of the best ones that with the fewest
    orientations.
    """

    boards: tuple[LaidBoard, ...]
    singles: tuple[Hex, ...]
    bound: int
    stopped: bool = False
    withheld: int = 0

    @property
    def gap(self) -> int:
        """Return how many more boards there might be, were there enough of them."""
        return self.bound - len(self.boards) - self.withheld

    @property
    def pieces(self) -> int:
        """Return the number of pieces."""
        return len(self.boards) + len(self.singles)


def cover(hexes: Collection[Hex], *, node_limit: int = NODE_LIMIT) -> Cover:
    """Return hexes covered with as many boards as possible.

    Each part that hangs together is covered by itself. Ties go to the fewest orientations, then to the order of the
    hexes, scanned across the narrow side.

    Args:
        hexes: an area of one height, in any number of parts.
        node_limit: for each part, how many part-coverings the proof looks at, and how many the broad search that
            follows where it stops; the search for fewer orientations may look at a quarter as many.
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
    """Return a covering that has at most so many boards; single hexes take the place of the last ones (HX-32)."""
    kept, withheld = found.boards[:boards], found.boards[boards:]
    singles = (*found.singles, *(at for laid in withheld for at in laid.hexes))
    return Cover(kept, tuple(sorted(singles)), found.bound, found.stopped, len(withheld))


def placements(hexes: Collection[Hex], shapes: Sequence[tuple[Hex, ...]]) -> Iterator[LaidBoard]:
    """Yield every way in which a board may lie on an area."""
    area = set(hexes)
    for orientation, shape in enumerate(shapes):
        for q, s in sorted(area):
            laid = tuple((q + right, s + down) for right, down in shape)
            if area.issuperset(laid):
                yield LaidBoard(laid, orientation)


def _parts(hexes: Collection[Hex], shapes: Sequence[tuple[Hex, ...]]) -> tuple[tuple[Hex, ...], ...]:
    """Return the parts of an area that matter: hexes on which no board can lie are single whatever is done."""
    reached = {at for laid in placements(hexes, shapes) for at in laid.hexes}
    return components(reached)


class _Area(Struct, frozen=True):
    """One part with its hexes in the order of the scan, and every board that may lie there by its first hex."""

    hexes: tuple[Hex, ...]
    begins: tuple[tuple[tuple[int, LaidBoard], ...], ...]

    def options(self, orientations: Collection[int]) -> BoardOptions:
        """Return the masks by place of boards in some orientations only."""
        return [[mask for mask, laid in begin if laid.orientation in orientations] for begin in self.begins]

    def laid(self, choices: Choices) -> tuple[LaidBoard, ...]:
        """Return the boards that a search chose, in the order of the scan."""
        return tuple(dict(self.begins[place])[mask] for place, mask in choices)

    def rank(self, boards: Sequence[LaidBoard]) -> tuple[tuple[int, ...], ...]:
        """Return what orders coverings: the places of the hexes of each board."""
        place = {at: number for number, at in enumerate(self.hexes)}
        return tuple(tuple(sorted(place[at] for at in laid.hexes)) for laid in boards)


def _area(part: tuple[Hex, ...], shapes: Sequence[tuple[Hex, ...]]) -> _Area:
    """Return a part, scanned in the order that keeps the windows of the search narrowest."""
    laid = tuple(placements(part, shapes))

    def reach(order: _Order) -> int:
        place = {at: number for number, at in enumerate(sorted(part, key=order))}
        spans = ([place[at] for at in each.hexes] for each in laid)
        return max(max(span) - min(span) for span in spans)

    hexes = tuple(sorted(part, key=min(_ORDERS, key=reach)))
    place = {at: number for number, at in enumerate(hexes)}
    begins: list[list[tuple[tuple[int, ...], LaidBoard]]] = [[] for _ in hexes]
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
        # A regular pattern is found at once, and there is no covering with fewer orientations.
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
) -> tuple[LaidBoard, ...] | None:
    """Return the covering with the fewest orientations, of those the first in the order of its hexes."""
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


def _covered(part: Sequence[Hex], boards: tuple[LaidBoard, ...], *, bound: int, stopped: bool = False) -> Cover:
    taken = {at for laid in boards for at in laid.hexes}
    return Cover(boards, tuple(at for at in part if at not in taken), bound, stopped)

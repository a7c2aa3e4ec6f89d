"""The search for lanes: its prices are those of the cheapest ways."""

import heapq
import math

import numpy as np
import pytest

from printkit.drawing.dressing import lanes


def _cheapest(net, free, goals, start):
    """Return the price of the cheapest way, sought node by node."""
    rows, columns = net.shape
    price = dict.fromkeys(np.flatnonzero(goals & free).tolist(), 0.0)
    heap = [(0.0, node) for node in price]
    while heap:
        paid, node = heapq.heappop(heap)
        if node == start:
            return paid
        if paid > price[node]:
            continue
        row, column = divmod(node, columns)
        for up, over, length in lanes._MOVES:
            other = (row + up) * columns + column + over
            if 0 <= row + up < rows and 0 <= column + over < columns and free[other]:
                found = paid + length * (net.cost[other] + net.cost[node]) / 2
                if found < price.get(other, math.inf):
                    price[other] = found
                    heapq.heappush(heap, (found, other))
    return math.inf


@pytest.mark.parametrize("closed", [0.0, 0.3, 0.75])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (24, 31)])
def test_prices_are_those_of_the_cheapest_ways(shape, closed):
    chance = np.random.default_rng(7)
    count = shape[0] * shape[1]
    nothing = np.zeros(count)
    for _ in range(6):
        free = chance.random(count) >= closed
        goals = chance.random(count) > 0.97
        net = lanes._Net(
            places=np.zeros((count, 2)),
            shape=shape,
            free=free,
            cost=chance.uniform(0.2, 3.0, count),
            rim=free,
            to_edge=nothing,
            to_way=nothing,
        )
        start = int(chance.integers(count))
        if free[start]:
            prices = lanes._prices(net, free, goals, start)[goals & free]
            assert prices.min(initial=math.inf) == pytest.approx(_cheapest(net, free, goals, start))

"""Functions of arrays are those of Python's mathematics, and nothing else of the kind is asked of numpy."""

from __future__ import annotations

import ast
import math
import re

import numpy as np
import pytest
from imports import parsed, sources, walked

from printkit.core import elementary

ANGLES = np.linspace(-7.0, 7.0, 29).reshape(-1, 1)
OWN_WAYS = {"sin", "cos", "tan", "exp", "exp2", "log", "log2", "log10", "tanh", "power", "arctan2", "arctan", "arccos"}
OWN_WAYS |= {"arcsin", "convolve", "dot", "matmul", "einsum", "inner", "vdot", "tensordot", "linalg", "fft", "cbrt"}


@pytest.mark.parametrize(
    ("function", "one", "values"),
    [
        (elementary.sin, math.sin, ANGLES),
        (elementary.cos, math.cos, ANGLES),
        (elementary.tanh, math.tanh, ANGLES),
        (elementary.exp, math.exp, ANGLES),
        (elementary.log2, math.log2, ANGLES**2 + 1),
    ],
)
def test_each_number_is_that_of_mathematics(function, one, values):
    found = function(values)
    assert found.shape == values.shape
    assert found.ravel().tolist() == [one(value) for value in values.ravel().tolist()]
    assert float(function(0.5)) == one(0.5)
    assert function(np.zeros(0)).shape == (0,)


def test_angles_powers_products_and_weights_are_those_of_mathematics():
    assert elementary.arctan2(ANGLES, 2.0).ravel().tolist() == [math.atan2(up, 2.0) for up in ANGLES.ravel().tolist()]
    assert elementary.power([0.0, 0.25, 1.0, 7.0], 1.3).tolist() == [pow(value, 1.3) for value in (0.0, 0.25, 1.0, 7.0)]
    points, turned = np.arange(8.0).reshape(4, 2), np.array([[0.6, 0.8], [-0.8, 0.6]])
    assert elementary.product(points, turned) == pytest.approx(points @ turned)
    assert elementary.product(points, [2.0, 3.0]).tolist() == [3.0, 13.0, 23.0, 33.0]
    assert float(elementary.product([1.0, 2.0], [3.0, 4.0])) == 11.0
    values, weights = np.arange(9.0) ** 2, np.array([0.2, 0.5, 0.3])
    assert elementary.convolved(values, weights) == pytest.approx(np.convolve(values, weights, mode="valid"))
    assert elementary.convolved(weights, values) == pytest.approx(np.convolve(weights, values, mode="valid"))
    share = np.linspace(0, 1, 5)[:, None]
    curve = elementary.cubic((0, 0), (0, 1), (2, 1), (2, 0), share)
    assert curve[[0, 2, 4]].tolist() == [[0.0, 0.0], [1.0, 0.75], [2.0, 0.0]]


def test_nothing_is_asked_of_numpy_that_hangs_on_the_processor():
    found = []
    # Only what has such a name, or an @ that is no decorator's, is read through.
    sign = re.compile(rf"\bnp\s*\.\s*({'|'.join(OWN_WAYS)})\b|\S.*@|@\s")
    for path in (path for path in sources() if sign.search(path.read_text(encoding="utf-8"))):
        for node in walked(parsed(path)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
                found += [(path.name, node.lineno, node.attr)] if node.attr in OWN_WAYS else []
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                found.append((path.name, node.lineno, "@"))
    assert found == []

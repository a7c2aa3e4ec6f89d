"""What anybody sends is read within bounds, and texts of it steer nothing."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printkit.core.reading import DEEPEST, MOST_BYTES, bytes_of, depth, plain, text_of, toml_of


def test_a_file_is_read_up_to_a_size_with_lines_that_end_alike(tmp_path):
    path = tmp_path / "record.json"
    path.write_bytes(b"x" * MOST_BYTES)
    assert len(bytes_of(path)) == MOST_BYTES
    path.write_bytes(b"x" * (MOST_BYTES + 1))
    with pytest.raises(OSError, match="larger than 8 MB") as raised:
        text_of(path)
    assert raised.value.strerror == "it is larger than 8 MB; printkit reads files up to that size"
    path = tmp_path / "a.txt"
    path.write_bytes("ä\r\nb\rc\n".encode())
    assert text_of(path) == "ä\nb\nc\n"


def test_names_lists_and_numbers_without_end_are_refused_at_once():
    for text in (
        "deck = " + "[" * 600 + "]" * 600,
        "a." * 50_000 + "a = 1",
        "['a' . " + "'b'." * 60 + "c]",
        "x = {" + "a." * 60 + "b = 1}",
        'x = "' + '\\"[' * 5 + '"\ny = ' + "[" * 600,
    ):
        with pytest.raises(tomllib.TOMLDecodeError, match="stand in one another"):
            toml_of(text)
    assert toml_of("x = " + "[" * DEEPEST + "]" * DEEPEST)
    with pytest.raises(tomllib.TOMLDecodeError):
        toml_of("x = " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1))
    with pytest.raises(tomllib.TOMLDecodeError, match="digits"):
        toml_of("seed = " + "9" * 5001)
    assert depth('{"a": "[[[[\\"[[[", "b": [1]}') == 2
    assert depth("no list") == 0
    tree = toml_of('title = "a\\u001b]0;x\\u0007b"\n[names]\n"k\\u0000" = ["c\\u009b", 1, true]\nlines = "one\\ntwo"')
    assert tree == {"title": "a]0;xb", "names": {"k": ["c", 1, True], "lines": "one\ntwo"}}


@given(st.text())
def test_a_plain_text_can_be_written_everywhere(text):
    found = plain(text)
    assert found.encode("utf-8").decode("utf-8") == found
    assert plain(found) == found
    assert all(sign in "\n\t" or ord(sign) >= 32 for sign in found)

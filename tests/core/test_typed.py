"""Files are read into types: each mistake is named with its file, line, member, value and what is right."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from imports import PACKAGE, ROOT, parsed, sources, walked
from msgspec import Meta, Struct

from printkit.core import typed
from printkit.core.errors import FileError, Sentence, UsageError
from printkit.core.reading import DEEPEST, nesting_depth
from printkit.core.typed import MemberError, TextValue, parse_toml, read_json, read_toml
from printkit.core.words import find_words


class Metres(float, TextValue):
    right = Sentence("a length")

    @classmethod
    def read(cls, text: str) -> Metres:
        if not text.endswith("m"):
            raise UsageError("{text!r} has no unit", text=text)
        return cls(text[:-1])


Side = Annotated[float, Meta(gt=0)]


class Piece(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    kind: Literal["woods", "hill", "marsh"]
    count: Annotated[int, Meta(ge=1, le=99)] = 1
    size: tuple[Side, Side] = (1, 1)
    length: Metres | None = None

    def __post_init__(self) -> None:
        if self.kind == "marsh" and self.count > 3:
            raise MemberError("{count} marshes are too many", "count", count=self.count)


class Box(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: str
    own: dict[str, Annotated[int, Meta(ge=0)]] = {}
    families: dict[Literal["a", "b"], str | list[str]] = {}
    ink: Annotated[str, typed.right(Sentence("a colour")), Meta(pattern="^#")] = "#"
    pieces: Annotated[tuple[Piece, ...], Meta(max_length=3)] = ()


RIGHT = """title = "x" # [[pieces]]
own = { a = 1, "b c" = 2 }
ink = '#'
[families]
a = "x"
b = ["y"]
[[pieces]]
kind = "hill"
length = "4m"
[[pieces]]
kind = "marsh"
count = 2
size = [
  1,
  2 ]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("count = 2", "count = 0", "line 12: pieces 2: count = 0 is not valid. Write a whole number from 1 to 99."),
        ("count = 2", "count = nan", "line 12: pieces 2: count = NaN is not valid. Write a whole number from 1 to 99."),
        ("count = 2", "cuont = 2", 'line 12: pieces 2: unknown key "cuont". Did you mean count?'),
        ("count = 2", "xyz = 2", 'line 12: pieces 2: unknown key "xyz". Write one of kind, count, size, length.'),
        ("count = 2", "count = 4", "line 12: pieces 2: 4 marshes are too many"),
        ('"marsh"', '"mash"', 'line 11: pieces 2: kind = "mash" is not valid. Write one of "hill", "marsh", "woods".'),
        ('"marsh"', "3", 'line 11: pieces 2: kind = 3 is not valid. Write one of "hill", "marsh", "woods".'),
        (
            "1,\n  2 ]",
            "1 ]",
            "line 13: pieces 2: size = [1] is not valid. Write a list of 2 entries, each a number greater",
        ),
        ("2 ]", "-2 ]", "line 15: pieces 2: size 2 = -2 is not valid. Write a number greater than 0."),
        ("4m", "4", "line 9: pieces 1: length: '4' has no unit"),
        ('"4m"', "4", "line 9: pieces 1: length = 4 is not valid. Write a length."),
        ("'#'", "'x'", 'line 3: ink = "x" is not valid. Write a colour.'),
        ("title", "titel", 'line 1: unknown key "titel". Did you mean title?'),
        ('title = "x"', "", "line 1: title is missing. Write text in quotes."),
        ('kind = "hill"\n', "", 'line 7: pieces 1: kind is missing. Write one of "hill"'),
        ('"b c" = 2', '"b c" = -2', "line 2: own.b c = -2 is not valid. Write a whole number of at least 0."),
        ('b = ["y"]', 'b = ["y", 3]', "line 6: families.b 2 = 3 is not valid. Write text in quotes."),
        ('b = ["y"]', "b = 3", "line 6: families.b = 3 is not valid. Write text in quotes or a list in brackets, each"),
        ('b = ["y"]', 'c = ["y"]', 'line 6: families: unknown key "c". Write one of a, b.'),
        ('{ a = 1, "b c" = 2 }', "3", "line 2: own = 3 is not valid. Write [own], and its keys below it."),
        (
            '[[pieces]]\nkind = "marsh"',
            '[[piecs]]\nkind = "marsh"',
            'line 10: unknown key "piecs". Did you mean pieces?',
        ),
        ('title = "x"', 'title = "x', "line 1: not valid TOML: a quote is missing at the end of a text"),
        ('title = "x"', "title = x", "line 1: not valid TOML: write text in quotes, a number, true, false, or a list"),
        ('title = "x"', 'title: "x"', "line 1: not valid TOML: write the name, =, and the value"),
        ('title = "x"', 'title = "x" and "y"', "line 1: not valid TOML: nothing else may stand after the value"),
        (
            'title = "x"',
            'title = "x"\ntitle = "y"',
            "line 2: not valid TOML: a name appears twice; remove one, or write [[",
        ),
        ('[[pieces]]\nkind = "marsh"', '[pieces]\nkind = "marsh"', "line 10: not valid TOML: a name appears twice"),
        ('[[pieces]]\nkind = "marsh"', '[[pieces]\nkind = "marsh"', "line 10: not valid TOML: a closing bracket is"),
        ("count = 2", "count = ", "line 12: not valid TOML: write text in quotes, a number, true,"),
        ("2 ]", "2", "line 15: not valid TOML: a comma or the closing bracket of a list is missing"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_what_is_right(right: str, wrong: str, said: str) -> None:
    assert right in RIGHT
    with pytest.raises(FileError) as raised:
        read_toml(RIGHT.replace(right, wrong, 1), Box, "box.toml")
    assert str(raised.value).startswith(f"box.toml, {said}")
    assert find_words("es").translate(raised.value.sentence).startswith("box.toml, línea ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"title": 3}', "box.json: title = 3 is not valid. Write text in quotes. Make it again."),
        ('{"pieces": [{"kind": 3}]}', 'pieces 1: kind = 3 is not valid. Write one of "hill", "marsh", "woods". Make'),
        ('{"title": "x", "own": 3}', "box.json: own = 3 is not valid. Write an object in braces. Make it again."),
        ('{"pieces": 3}', "pieces = 3 is not valid. Write a list in brackets, each entry an object in braces. Make"),
        ("{}", "box.json: title is missing. Write text in quotes. Make it again."),
        ('{"title":\n"x", }', "box.json, line 2: not valid JSON: "),
        (" ", "box.json: the file is empty. Make it again."),
        ("[]", "box.json: the file must contain a JSON object, which begins with {. Make it again."),
        ('{"title": NaN}', "box.json: not valid JSON: NaN is not a JSON number. Make it again."),
        (f'{{"title": {"9" * 5000}}}', "box.json: not valid JSON: a whole number has 5,000 digits. Make it again."),
        ("[" * 50_000, f"box.json: not valid JSON: lists are nested more than {DEEPEST} deep. Make it again."),
    ],
)
def test_a_mistake_in_json_is_named_with_its_member_and_what_is_right(text: str, said: str) -> None:
    with pytest.raises(FileError) as raised:
        read_json(text, Box, "box.json", Sentence("Make it again."))
    assert said in str(raised.value)
    assert str(raised.value).startswith("box.json")


def test_json_becomes_the_type_without_control_characters() -> None:
    assert read_json('{"title": "a\\u001bb", "own": {"\\ud800c": 1}}', Box, "box.json") == Box(title="ab", own={"c": 1})


def test_values_become_the_type_and_older_formats_are_changed_first() -> None:
    box = read_toml(RIGHT.replace("title", "name"), Box, "box.toml", lambda tree: tree.update(title=tree.pop("name")))
    assert (box.title, box.pieces[0].length, box.pieces[1].size) == ("x", 4.0, (1.0, 2.0))
    assert typed.schema(Box)["$defs"]["Piece"]["properties"]["count"]["maximum"] == 99


def paths(tree: Any, above: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    members = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in members:
        yield (*above, key)
        yield from paths(value, (*above, key))


def test_every_member_of_our_templates_has_its_line() -> None:
    for path in (ROOT / "templates").rglob("*.toml"):
        text = path.read_text(encoding="utf-8")
        places, lines = dict(typed._places(text)), text.splitlines()
        members = set(paths(tomllib.loads(text)))
        assert places.keys() <= members
        # A table that only the header of another implies has no line of its own.
        assert all(any(place[: len(member)] == member for place in places) for member in members), path
        assert all(
            isinstance(key[-1], int) or str(key[-1]) in lines[line - 1]
            for key, line in places.items()
            if "\\" not in lines[line - 1]
        )


def test_names_lists_and_numbers_without_end_are_refused_at_once() -> None:
    for text in (
        "deck = " + "[" * 600 + "]" * 600,
        "a." * 50_000 + "a = 1",
        "['a' . " + "'b'." * 60 + "c]",
        "x = {" + "a." * 60 + "b = 1}",
        'x = "' + '\\"[' * 5 + '"\ny = ' + "[" * 600,
        "x = " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1),
    ):
        with pytest.raises(FileError, match="stand in one another"):
            parse_toml(text, "x")
    assert parse_toml("x = " + "[" * DEEPEST + "]" * DEEPEST, "x")
    with pytest.raises(FileError, match="digits"):
        parse_toml("seed = " + "9" * 5001, "x")
    assert nesting_depth('{"a": "[[[[\\"[[[", "b": [1]}') == 2
    assert nesting_depth("no list") == 0
    tree = parse_toml(
        'title = "a\\u001b]0;x\\u0007b"\n[names]\n"k\\u0000" = ["c\\u009b", 1, true]\nlines = "one\\ntwo"', "x"
    )
    assert tree == {"title": "a]0;xb", "names": {"k": ["c", 1, True], "lines": "one\ntwo"}}


# Modules that parse TOML or JSON which nobody writes by hand.
OWN_FILES = {
    "core.resources": "templates",
    "core.typed": "it is the reader",
    "console.games": "the heads of records, for a list",
    "drawing.cards.parts": "templates",
    "drawing.canvas.ink": "templates",
    "drawing.furniture.stored_swatches": "templates",
    "drawing.scatter.crowns": "templates",
    "export.placing": "it compares files that printkit wrote",
    "recipes.batch.batches": "the note of a batch; what cannot be read is made again",
    "studio.answering": "a request of a page",
    "studio.server": "what a running studio tells another",
    "studio.session": "the studio's own state",
    "studio.start": "logs and records that printkit wrote, for a list",
    "systems.brantley.dealing.closed_game": "the sealed part of a game, which no error may quote",
    "systems.brantley.dealing.progress": "a record that it has made",
    "systems.dba.elements.deployed_overlay": "templates",
}
PARSERS = {"tomllib.loads", "tomllib.load", "json.loads", "json.load", "json.decode", "msgspec.json.decode", "decode"}


def test_only_one_module_parses_files_that_users_write() -> None:
    found = {
        path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        for path in sources()
        for node in walked(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in PARSERS
    }
    assert found == set(OWN_FILES)

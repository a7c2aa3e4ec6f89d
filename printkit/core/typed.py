"""Read files that people write into types. An error names the file, the line, the member, its value and what is right.

The format of a file is a type: a frozen ``Struct`` of msgspec with bounds (``Meta``), choices (``Literal``, enums) and
unions. Its ``__post_init__`` compares members and raises ``MemberError``. Only this module parses TOML and JSON files.
A text with a pattern must not be in a union with a list or a table: msgspec 0.22 damages the memory when it frees it.
"""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn, Self, TypeVar

import msgspec
from msgspec import Meta, inspect

from printkit.core.errors import FileError, PrintkitError, Sentence, joined
from printkit.core.numbers import DIGITS
from printkit.core.reading import DEEPEST, clean_values, nesting_depth, plain, read_utf8

T = TypeVar("T")

# Keys, and places in lists from 0, that lead from the root of a file to a member.
MemberPath = tuple[str | int, ...]

# The most members of a file that are counted to find a line.
_MOST_PLACES: Final = 100_000

# The most choices that an error lists, although one of them is similar to the value.
_FEW: Final = 8

# The most keys that an error lists.
_MOST_KEYS: Final = 60

# The longest value, in characters, that an error quotes.
_LONGEST: Final = 60

_JOINED: Final = re.compile(rf"(?<![\w-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{DEEPEST},}}")

# A JSON text without a match has no text or key that ``clean_values`` changes.
_UNCLEAN: Final = re.compile(r"\\u(?:00[0189]|007f|d[89a-f]|fff[ef])|[\x7f-\x9f\ufffe\uffff]", re.IGNORECASE)

_TOML_PLACE: Final = re.compile(r" \(at (?:line (?P<line>\d{1,9}), column \d{1,9}|end of document)\)$")
# The beginnings of errors of ``tomllib``, and what they mean.
_TOML_FAULTS: Final = {
    ("Invalid value",): Sentence("write text in quotes, a number, true, false, or a list in brackets"),
    ("Cannot ",): Sentence("a name appears twice; remove one, or write [[name]] before each table of a list"),
    ("Illegal character '\\n'", "Unterminated string"): Sentence("a quote is missing at the end of a text"),
    ("Unclosed array",): Sentence("a comma or the closing bracket of a list is missing"),
    ("Expected '=' after", "Invalid statement"): Sentence("write the name, =, and the value, for example number = 2"),
    ("Expected ']",): Sentence("a closing bracket is missing after the name of a table"),
    ("Expected newline",): Sentence("nothing else may stand after the value"),
}
_TOKEN: Final = re.compile(
    r'"{3}(?:[^"\\]|\\.|"(?!""))*+"{3,5}|\'{3}(?:[^\']|\'(?!\'\'))*+\'{3,5}'
    r'|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\'|#[^\n]*+|[][{}=,.\n]|[^][{}=,.\s"\'#]++',
    re.DOTALL,
)

# How msgspec reports an error: ``Expected `int` >= 0 - at `$.piece[1].number` ``. It writes ``[...]`` for a key.
_FAULT_PATH: Final = re.compile(r" - at `(?P<key>key` in `)?\$(?P<steps>[^`]*)`$")
_FAULT_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d{1,9}|\.\.\.)\]")
_FAULT_KEY: Final = re.compile(r"Object (?P<what>missing required|contains unknown) field `(?P<key>.*)`", re.DOTALL)


class MemberError(ValueError):
    """Members of a table that contradict each other, for ``__post_init__``.

    Args:
        template: the English sentence of what is wrong, with the names of the values in braces.
        key: the way from the table to the member whose line is named; nothing for the table.
        values: the values by name.
    """

    def __init__(self, template: str, /, *key: str | int, **values: object) -> None:
        self.reason, self.key = Sentence(template, **values), key
        super().__init__(self.reason)


class TextValue(ABC):
    """Base of values that a file has as text, for example a length with its unit."""

    # What to write, for example "a length with its unit".
    right: ClassVar[Sentence]

    @classmethod
    @abstractmethod
    def read(cls, text: str) -> Self:
        """Return the value of a text.

        Raises:
            PrintkitError: the text does not have the form of such a value.
        """


def right(words: Sentence) -> Meta:
    """Return what errors and the schema say of a type in place of its bounds, for example "a colour"."""
    return Meta(description=str(words), extra={"right": words})


def read_file(path: Path) -> str:
    """Return the text of a file of the user.

    Raises:
        FileError: it cannot be read.
    """
    try:
        return read_utf8(path)
    except OSError as error:
        raise FileError("{path} cannot be read: {reason}", path=path, reason=error.strerror) from None


def read_toml(text: str, kind: type[T], file: str, change: Callable[[dict[str, Any]], object] | None = None) -> T:
    """Return a TOML file as its type.

    Args:
        text: the text of the file.
        kind: the type.
        file: the name of the file, for errors.
        change: changes the values before they are converted, for example those of an older format.

    Raises:
        FileError: the text is not TOML, or does not have the form of the type.
    """
    tree = parse_toml(text, file)
    if change is not None:
        change(tree)
    return convert(tree, kind, file, text)


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Return the values of a TOML text by key, with texts cleaned; ``file`` is its name, for errors.

    Raises:
        FileError: the text is not TOML, is nested deeper than ``DEEPEST``, or has a number with thousands of digits.
    """
    try:
        # The time and memory for dotted names grow with the square of their number.
        if _JOINED.search(text) or nesting_depth(text) > DEEPEST:
            raise ValueError(f"more than {DEEPEST} names or lists stand in one another")
        return {plain(key): clean_values(value) for key, value in tomllib.loads(text).items()}
    except RecursionError:
        reason = "too many lists stand in one another"
    except ValueError as error:
        # It is not TOML, or a number has thousands of digits.
        reason = str(error)
    match = _TOML_PLACE.search(reason)
    line = int(match["line"]) if match and match["line"] else text.rstrip().count("\n") + 1
    fault = next((fault for starts, fault in _TOML_FAULTS.items() if reason.startswith(starts)), None)
    what = fault or _TOML_PLACE.sub("", reason)
    raise FileError("{place}: not valid TOML: {error}", place=_line_of(file, line), error=what)


def read_json(text: str, kind: type[T], file: str, remedy: Sentence | None = None) -> T:
    """Return a JSON file as its type.

    Args:
        text: the text of the file.
        kind: the type.
        file: the name of the file, for errors.
        remedy: what else people can do, for a file that printkit wrote: a sentence.

    Raises:
        FileError: the text is not JSON, or does not have the form of the type.
    """
    try:
        return convert(parse_json(text, file), kind, file)
    except FileError as error:
        if remedy is None:
            raise
        end = "" if str(error).endswith((".", "?")) else "."
        raise FileError("{error}{end} {remedy}", error=error, end=end, remedy=remedy) from None


def parse_json(text: str, file: str) -> dict[str, Any]:
    """Return the members of the object of a JSON text, with texts cleaned; ``file`` is its name, for errors.

    Raises:
        FileError: the text is not JSON, is not an object, is nested deeper than ``DEEPEST``, or has a number that is
            not finite or has thousands of digits.
    """
    import json

    if not text.strip():
        raise _place_error(file, Sentence("the file is empty"))
    place: str = file
    try:
        if nesting_depth(text) > DEEPEST:
            raise ValueError(Sentence("lists are nested more than {deepest} deep", deepest=DEEPEST))
        tree = json.loads(text, parse_constant=_refuse_constant, parse_int=_read_int)
    except json.JSONDecodeError as error:
        place = _line_of(file, error.lineno)
        reason = Sentence("{reason} in column {column}", reason=error.msg, column=error.colno)
    except ValueError as error:
        reason = error.args[0]
    else:
        if not isinstance(tree, dict):
            raise _place_error(file, Sentence("the file must contain a JSON object, which begins with {{"))
        return clean_values(tree) if _UNCLEAN.search(text) else tree
    raise _place_error(place, Sentence("not valid JSON: {error}", error=reason))


def _read_int(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(Sentence("a whole number has {count:,} digits", count=len(digits)))
    return int(digits)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(Sentence("{constant} is not a JSON number", constant=constant))


def convert(tree: Any, kind: type[T], file: str, text: str | None = None, above: MemberPath = ()) -> T:
    """Return decoded values as a type.

    Args:
        tree: the values.
        kind: the type.
        file: what errors begin with.
        text: the TOML text of the values, in which errors find the line.
        above: the path of the values in that text.

    Raises:
        FileError: the values do not have the form of the type.
    """
    try:
        return msgspec.convert(tree, kind, dec_hook=_read_text_value)
    except msgspec.ValidationError as error:
        if text is not None and not text.strip():
            raise _place_error(file, Sentence("the file is empty")) from None
        raise _explain(error, tree, kind, file, text, above) from None


def member_error(file: str, text: str | None, path: MemberPath, reason: str, key: MemberPath = ()) -> FileError:
    """Return the error of a member of a file.

    Args:
        file: the name of the file.
        text: its text if it is TOML, to find the line.
        path: the table or member that the error names before its reason.
        reason: what is wrong.
        key: the way from there to the member whose line is named.
    """
    line = 0 if text is None else _find_line(text, (*path, *key))
    place = _line_of(file, line) if line else file
    error = _place_error(joined([*([place] if place else []), *_names(path)], ": "), reason)
    error.member = (*path, *key)
    return error


def place_of(file: str, text: str, path: MemberPath) -> Sentence:
    """Return the name of a file and the line of the member at a path, as errors begin; ``text`` is its TOML."""
    return _line_of(file, _find_line(text, path))


def _line_of(file: str, line: int) -> Sentence:
    return Sentence("{file}, line {line}", file=file, line=line) if file else Sentence("line {line}", line=line)


def _place_error(place: str, reason: str) -> FileError:
    return FileError("{place}: {reason}", place=place, reason=reason) if place else FileError("{reason}", reason=reason)


def schema(kind: type) -> dict[str, Any]:
    """Return the JSON Schema of a type, for editors."""

    def describe_text(value: Any) -> dict[str, Any]:
        return {"type": "string", "description": str(value.right)}

    return msgspec.json.schema(kind, schema_hook=describe_text)


def _read_text_value(kind: type, value: object) -> object:
    """Return the value of a ``TextValue``. It is the hook of msgspec for types that msgspec does not know."""
    if not isinstance(value, str) or not issubclass(kind, TextValue):
        raise TypeError
    try:
        return kind.read(value)
    except PrintkitError as error:
        raise MemberError("{error}", error=error) from None


def _explain(
    error: msgspec.ValidationError, tree: Any, root: type, file: str, text: str | None, above: MemberPath
) -> FileError:
    """Return the error for people that an error of msgspec means."""
    kind, value, path = _narrow(inspect.type_info(root), tree), tree, list[str | int]()
    match = _FAULT_PATH.search(str(error))
    what = str(error)[: match.start()] if match else str(error)
    for name, number in _FAULT_STEP.findall(match["steps"]) if match else ():
        step = name or (_find_key(error, tree, root, path) if number == "..." else int(number))
        value = value[step]
        kind = _narrow(_follow(kind, step), value)
        path.append(step)
    place, key = tuple(path), tuple[str | int, ...]()
    if isinstance(cause := error.__cause__, MemberError):
        reason, key = cause.reason, cause.key
    elif match and match["key"]:
        # The keys of the table are names of something.
        names, key = _follow(kind, None), (_find_key(error, tree, root, path),)
        reason = (
            unknown_key(str(key[0]), choices)
            if (choices := _choices(names))
            else Sentence("{key} is not a valid name. Write {right}.", key=_shorten(key[0]), right=_describe(names, ""))
        )
    elif (key_match := _FAULT_KEY.fullmatch(what)) and key_match["what"] == "contains unknown":
        key = (key_match["key"],)
        reason = unknown_key(key_match["key"], list(_members(kind)))
    elif key_match:
        name = "" if text is None else key_match["key"]
        advice = Sentence("Write {right}.", right=_describe(_members(kind)[key_match["key"]], name))
        reason = Sentence("{key} is missing. {advice}", key=key_match["key"], advice=advice)
    else:
        # The error names the member after the innermost table of a list.
        after = [number for number, step in enumerate(path) if isinstance(step, str)]
        start = max((number for number in after if isinstance(path[number - 1], int)), default=0)
        place, key = tuple(path[:start]), tuple(path[start:])
        choices, name = _choices(kind), ".".join(step for step in key if isinstance(step, str))
        if text is not None and isinstance(kind, inspect.StructType) and key and isinstance(key[-1], int):
            kind = inspect.ListType(kind)
        reason = _invalid(": ".join(_names(key)), value, choices, _describe(kind, "" if text is None else name))
    return member_error(file, text, (*above, *place), reason, key)


def wrong_choice(name: str, value: str, choices: Sequence[str]) -> Sentence:
    """Return the sentence for a value outside the choices of its member, with similar choices or all of them."""
    right_words = Sentence("one of {known}", known=", ".join(map(_shorten, choices[:_MOST_KEYS])))
    return _invalid(name, value, choices, right_words)


def _invalid(name: str, value: object, choices: Sequence[str], right_words: Sentence) -> Sentence:
    """Return the sentence for a wrong value of a member, with similar choices or a description of a right value."""
    near = find_similar(value, choices) if len(choices) > _FEW else None
    advice = near or Sentence("Write {right}.", right=right_words)
    return Sentence("{name} = {value} is not valid. {advice}", name=name, value=_shorten(value), advice=advice)


def unknown_key(key: str, keys: Sequence[str]) -> Sentence:
    """Return that a key is unknown, with those that are meant or possible."""
    advice = find_similar(key, keys) or Sentence(
        "Write one of {known}.", known=", ".join([*keys[:_MOST_KEYS], *(["..."] if len(keys) > _MOST_KEYS else [])])
    )
    return Sentence("unknown key {key}. {advice}", key=_shorten(key), advice=advice)


def find_similar(value: object, choices: Sequence[str]) -> Sentence | None:
    """Return the question whether one of the choices was meant that are similar to a value, if there are any."""
    from difflib import get_close_matches

    near = get_close_matches(value, choices) if isinstance(value, str) else []
    return Sentence("Did you mean {near}?", near=", ".join(near)) if near else None


def _shorten(value: object) -> str:
    """Return a value as a file has it, in one line; a long one without its end."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _names(path: MemberPath) -> list[str]:
    """Return a path as people write it, one name for each table in a list: ``["piece 2", "size"]``."""
    names = [""]
    for before, step in zip(("", *path), path, strict=False):
        if isinstance(step, int) and isinstance(before, int):
            names[-2] += f", {step + 1}"
        elif isinstance(step, int):
            names[-1:] = [f"{names[-1]} {step + 1}".strip(), ""]
        else:
            names[-1] = f"{names[-1]}.{step:.{_LONGEST}}" if names[-1] else step[:_LONGEST]
    return [name for name in names if name]


def _alternatives(kind: inspect.Type) -> list[inspect.Type]:
    """Return the types of a union without None and without their bounds; of another type that alone."""
    if isinstance(kind, inspect.Metadata):
        return _alternatives(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [inner for option in kind.types for inner in _alternatives(option)]
    return [] if isinstance(kind, inspect.NoneType) else [kind]


def _members(kind: inspect.Type) -> dict[str, inspect.Type]:
    """Return the keys of the structs of a type, with their types."""
    structs = [option for option in _alternatives(kind) if isinstance(option, inspect.StructType)]
    tags = {struct.tag_field: inspect.LiteralType(tuple(option.tag for option in structs)) for struct in structs}
    members = {member.encode_name: member.type for struct in structs for member in struct.fields}
    return {**{key: kind for key, kind in tags.items() if key}, **members}


def _narrow(kind: inspect.Type, value: Any) -> inspect.Type:
    """Return the struct of a union that the tag of a table selects; without such a tag the type itself."""
    tags = value if isinstance(value, dict) else {}
    structs = [option for option in _alternatives(kind) if isinstance(option, inspect.StructType) and option.tag_field]
    return next((option for option in structs if tags.get(option.tag_field) == option.tag), kind)


def _find_key(error: msgspec.ValidationError, tree: Any, kind: type, path: Sequence[str | int]) -> str:
    """Return the key of the table at a path that gives this error, by halving the table."""

    def is_wrong(keys: Sequence[str]) -> bool:
        try:
            msgspec.convert(_with_keys(tree, path, keys), kind, dec_hook=_read_text_value)
        except msgspec.ValidationError as other:
            return str(other) == str(error)
        return False

    members = tree
    for step in path:
        members = members[step]
    keys: list[str] = list(members)
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        keys = half if is_wrong(half) else keys[len(half) :]
    return keys[0]


def _with_keys(tree: Any, path: Sequence[str | int], keys: Sequence[str]) -> Any:
    """Return a tree with only some of the keys of the table at a path."""
    if not path:
        return {key: tree[key] for key in keys}
    copy = tree.copy()
    copy[path[0]] = _with_keys(tree[path[0]], path[1:], keys)
    return copy


def _follow(kind: inspect.Type, step: str | int | None) -> inspect.Type:
    """Return the type at the end of a step of a path; without a step (None), the type of the keys of a table."""
    if isinstance(step, str) and step in _members(kind):
        return _members(kind)[step]
    for option in _alternatives(kind):
        match option, step:
            case inspect.TupleType(item_types=items), int():
                return items[step]
            case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item), int():
                return item
            case inspect.DictType(key_type=key, value_type=value), None | str():
                return key if step is None else value
    raise LookupError(step)


def _choices(kind: inspect.Type) -> list[str]:
    """Return the texts among which a type is a choice; empty for other types."""
    texts: list[str] = []
    for option in _alternatives(kind):
        if isinstance(option, inspect.LiteralType):
            texts += map(str, option.values)
        elif isinstance(option, inspect.EnumType):
            texts += [str(member.value) for member in option.cls]
    return texts


def _describe(info: inspect.Type, name: str) -> Sentence:
    """Return what a file may have for a type; ``name`` is the key of the value in TOML, and empty in JSON."""
    match info:
        case inspect.Metadata(type=inner, extra=extra):
            return extra["right"] if extra else _describe(inner, name)
        case inspect.UnionType(types=types):
            options = [_describe(option, name) for option in types if not isinstance(option, inspect.NoneType)]
            return joined(dict.fromkeys(options), Sentence(" or "))
        case inspect.CustomType(cls=cls) if issubclass(cls, TextValue):
            return cls.right
        case inspect.LiteralType() | inspect.EnumType():
            values = info.values if isinstance(info, inspect.LiteralType) else [member.value for member in info.cls]
            choices = ", ".join(map(_shorten, values))
            return Sentence("one of {known}", known=choices) if len(values) > 1 else Sentence("{known}", known=choices)
        case inspect.IntType() | inspect.FloatType():
            number = Sentence("a whole number") if isinstance(info, inspect.IntType) else Sentence("a number")
            return _with_bounds(number, info)
        case inspect.BoolType():
            return Sentence("true or false")
        case inspect.StrType(min_length=least, max_length=most) if most is not None:
            return Sentence("text in quotes, of {least} to {most} characters", least=least or 0, most=most)
        case inspect.StrType():
            return Sentence("text in quotes")
        case inspect.TupleType(item_types=items):
            entry = _describe(items[0], name)
            return Sentence("a list of {count} entries, each {entry}", count=len(items), entry=entry)
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            if name and isinstance(item, inspect.StructType):
                return Sentence("[[{name}]], and its keys below it", name=name)
            return Sentence("a list in brackets, each entry {entry}", entry=_describe(item, name))
        case _ if name:
            return Sentence("[{name}], and its keys below it", name=name)
        case _:
            return Sentence("an object in braces")


def _with_bounds(number: Sentence, info: inspect.IntType | inspect.FloatType) -> Sentence:
    """Return what a number may be: ``a whole number from 1 to 99``."""
    if info.ge is not None and info.le is not None:
        return Sentence("{number} from {low:g} to {high:g}", number=number, low=info.ge, high=info.le)
    bounds = {
        "gt": Sentence("greater than {bound:g}", bound=info.gt or 0),
        "ge": Sentence("of at least {bound:g}", bound=info.ge or 0),
        "lt": Sentence("less than {bound:g}", bound=info.lt or 0),
        "le": Sentence("up to {bound:g}", bound=info.le or 0),
    }
    limits = [words for name, words in bounds.items() if getattr(info, name) is not None]
    return Sentence("{number} {bounds}", number=number, bounds=joined(limits, Sentence(" and "))) if limits else number


def _find_line(text: str, path: MemberPath) -> int:
    """Return the line of a member in a TOML text, or that of the innermost table on its path that the text has."""
    best, best_line = 0, 1
    for place, line in islice(_places(text), _MOST_PLACES):
        same = next((number for number, (a, b) in enumerate(zip(place, path, strict=False)) if a != b), len(place))
        if min(same, len(path)) > best:
            best, best_line = min(same, len(path)), line
        if place == path:
            return line
    return best_line


def _places(text: str) -> Iterator[tuple[MemberPath, int]]:
    """Yield the path of each header, key and entry of a list of a TOML text, with its line from 1."""
    tokens = _Tokens(text)
    base: MemberPath = ()
    counts: dict[MemberPath, int] = {}
    while tokens.ahead:
        if tokens.take("\n"):
            continue
        if not tokens.take("["):
            yield from tokens.members(base)
            continue
        line, is_list = tokens.line, tokens.take("[")
        names, base = tokens.key("]"), ()
        tokens.take("]")
        for number, name in enumerate(names, 1):
            base = (*base, name)
            if is_list and number == len(names):
                counts[base] = counts.get(base, -1) + 1
            if base in counts:
                base = (*base, counts[base])
        yield base, line


class _Tokens:
    """The tokens of a valid TOML text, read one after the other."""

    def __init__(self, text: str) -> None:
        self._tokens = self._split(text)
        self.ahead, self.line = next(self._tokens, ("", 0))

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, int]]:
        line, end = 1, 0
        for match in _TOKEN.finditer(text):
            line, end = line + text.count("\n", end, match.start()), match.start()
            if not match[0].startswith("#"):
                yield match[0], line

    def next(self) -> str:
        """Return the next token, and move to the one after it."""
        token = self.ahead
        self.ahead, self.line = next(self._tokens, ("", self.line))
        return token

    def take(self, *tokens: str) -> bool:
        """Move on if the next token is one of these; return whether it was."""
        return self.ahead in tokens and bool(self.next())

    def key(self, end: str) -> list[str]:
        """Read a dotted key to its end, and return its parts."""
        names = []
        while self.ahead and not self.take(end):
            token = self.next()
            if token != ".":
                names.append(plain(next(iter(tomllib.loads(f"{token}=0"))) if token[0] in "\"'" else token))
        return names

    def members(self, above: MemberPath) -> Iterator[tuple[MemberPath, int]]:
        """Yield the places of a key and its value."""
        line = self.line
        place = (*above, *self.key("="))
        yield place, line
        yield from self.value(place)

    def value(self, place: MemberPath) -> Iterator[tuple[MemberPath, int]]:
        """Read a value to its end, and yield the places in it."""
        number = 0
        if self.take("["):
            while self.ahead and not self.take("]"):
                if self.take(","):
                    number += 1
                elif not self.take("\n"):
                    yield (*place, number), self.line
                    yield from self.value((*place, number))
        elif self.take("{"):
            while self.ahead and not self.take("}"):
                if not self.take(",", "\n"):
                    yield from self.members(place)
        else:
            while self.ahead and self.ahead not in ",\n]}":
                self.next()

"""Orders for a game: the rule system, settings and inputs, from options and from a scenario file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Struct, defstruct, field
from msgspec.structs import replace

from printkit.core.errors import RecordError, ResourceError, ScenarioError, Sentence, UsageError, quote_path
from printkit.core.numbers import is_number, parse_int
from printkit.core.paths import is_file, is_folder, resolve_sibling
from printkit.core.reading import plain, read_utf8
from printkit.core.typed import MemberPath, convert, member_error, parse_toml, place_of, read_file, right
from printkit.kit.registry import DEFAULT
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, PLAYERS_KEY, TITLE_KEY, split_players

if TYPE_CHECKING:
    from printkit.chance.dice import Throw
    from printkit.kit.book import Setting
    from printkit.kit.system import RuleSystem
    from printkit.terrain.field.record import Record

# Lists that a scenario file may have next to its settings, each in the grammar of the rule system.
LISTS: Final = (
    *("deck", "zones", "placements", "features", "rivers", "roads", "railways", "crossings"),
    *("campaign", "decisions", "profile", "pips", "positions"),
)

# Tables that a scenario file may have; each can be the path of a separate file instead.
TABLES: Final = ("army",)
# The folder of templates with the samples that a table may name.
_SAMPLES: Final[Mapping[str, str]] = {"army": "armies"}

_TEXTS: Final = ("rules", "board", "cell", "names", "dice", "title", "players")

_Lines = Annotated[str | list[str], right(Sentence('a list of texts, or a text of several lines in """'))]
_Table = Annotated[dict[str, Any] | str, right(Sentence("a table, or the path of a file in quotes"))]

# A scenario file. The tables of a rule system pass unchanged; the system reads them.
ScenarioFile: Final = defstruct(
    "ScenarioFile",
    [
        ("settings", dict[str, Any], {}),
        ("seed", int | None, None),
        *((key, str, "") for key in _TEXTS),
        *((key, _Lines, "") for key in LISTS),
        *((key, dict[str, _Table], {}) for key in TABLES),
    ],
    frozen=True,
    forbid_unknown_fields=True,
)

# The most characters of a title or of the name of a player.
_LONGEST_NAME: Final = 60
_MOST_PLAYERS: Final = 2


class Orders(Struct, frozen=True, kw_only=True):
    """Everything that decides a battlefield before the first roll; None or empty means the default of the system.

    Settings in ``options`` override those in ``settings``, by key or alias, as the command line overrides a file.
    ``files`` has the file of each setting in ``settings``, by key or alias; ``options_file`` is that of ``options``.
    A path in a setting is relative to its file. A setting without a file comes from the command line.
    If ``dice`` is the log of a game, ``log_seed`` and ``reseeded`` are the seeds of that game. ``seed`` is the user's.
    """

    rules: str
    settings: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    board: str | None = None
    cell: str | None = None
    seed: int | None = None
    dice: str | None = None
    names: str = ""
    title: str = ""
    players: str = ""
    inputs: Mapping[str, object] = field(default_factory=dict)
    log_seed: int | None = None
    reseeded: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    options_file: Path | None = None

    def find_file(self, setting: Setting) -> Path | None:
        """Return the file that a setting comes from; None for the command line and for the default."""
        option_files = dict.fromkeys(self.options, self.options_file)
        for texts, files in ((self.options, option_files), (self.settings, self.files)):
            files_by_name = {name.lower(): files.get(name) for name in texts}
            for name in setting.names:
                if name in files_by_name:
                    return files_by_name[name]
        return None

    @property
    def first_seed(self) -> int | None:
        """Return the given seed, or that of the log; None if there is neither."""
        return self.log_seed if self.seed is None else self.seed

    @property
    def period(self) -> str:
        """Return the period of the names: the one in the orders, or the default of the rule system."""
        from printkit.kit.registry import find

        return self.names or find(self.rules).book.names

    @property
    def extra_settings(self) -> dict[str, str]:
        """Return the settings that belong to no rule book, as the record stores them.

        They are the list of names, also if it is the default of the rule system, and any title and players.
        """
        return self.extra_settings_of(self.period)

    def extra_settings_of(self, period: str) -> dict[str, str]:
        """Return the settings that belong to no rule book: ``period`` as the list of names, any title and players."""
        texts = {TITLE_KEY: self.title, PLAYERS_KEY: self.players}
        return {NAMES_KEY: period, **{key: text for key, text in texts.items() if text}}


class GameNames(Struct, frozen=True, kw_only=True):
    """The names that users give a game: its title, and the players ("Ann, Bob"); an empty text keeps the old one.

    Raises:
        UsageError: a name is too long or has control characters, or there are more than two players.
    """

    title: str = ""
    players: str = ""

    def __post_init__(self) -> None:
        players = split_players(self.players)
        if len(players) > _MOST_PLAYERS:
            raise UsageError(
                '--players has {count} names; write at most {most}, for example --players "Ann, Bob"',
                count=len(players),
                most=_MOST_PLAYERS,
            )
        for option, text in (("--title", self.title), ("--players", self.players)):
            if not text.isprintable():
                raise UsageError("{option}: {text!r} has a control character; remove it", option=option, text=text)
        for option, text in (("--title", self.title.strip()), *(("--players", name) for name in players)):
            if len(text) > _LONGEST_NAME:
                raise UsageError(
                    "{option}: {text!r} is too long; write at most {most} characters",
                    option=option,
                    text=text,
                    most=_LONGEST_NAME,
                )

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings that store these names in a record, by key.

        A title or names that are empty have no key.
        """
        texts = {TITLE_KEY: self.title.strip(), PLAYERS_KEY: ", ".join(split_players(self.players))}
        return {key: text for key, text in texts.items() if text.strip(" ,")}

    def rename(self, record: Record) -> Record:
        """Return a saved battlefield with these names."""
        battlefield = replace(record.battlefield, title=self.title.strip() or record.battlefield.title)
        return replace(record, battlefield=battlefield, settings={**record.settings, **self.settings})


def parse_settings(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``NAME=VALUE`` options into values by name in lower case; the last value of a name wins.

    Spaces around name and value are removed; the values keep their case. Whether the settings exist is not checked.

    Raises:
        UsageError: an option is not NAME=VALUE, has an empty part, or is not UTF-8 text.
    """
    values = {}
    for argument in texts:
        text = _decode_argument(argument)
        key, equals, value = text.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UsageError("--set {text!r} is not NAME=VALUE; write for example river-through=none", text=text)
        values[key.strip().lower()] = value.strip()
    return values


def _decode_argument(argument: str) -> str:
    """Return a command-line text as UTF-8, even if the locale of the machine cannot decode it.

    Raises:
        UsageError: its bytes are not UTF-8 text.
    """
    try:
        return plain(argument.encode("utf-8", "surrogateescape").decode("utf-8"))
    except UnicodeError:
        raise UsageError("--set {text!r} is not UTF-8 text", text=argument) from None


def read_scenario(path: Path) -> dict[str, Any]:
    """Return the values of a scenario file by key: settings, lists, tables, and texts that options can give too.

    Raises:
        FileError: the file cannot be read, is not TOML, or has an unknown key or a wrong value.
    """
    text = read_file(path)
    tree = parse_toml(text, str(path))
    convert(tree, ScenarioFile, str(path), text)
    if "rules" in tree:
        from printkit.kit.registry import validate_name

        try:
            validate_name(tree["rules"])
        except UsageError as error:
            raise member_error(str(path), text, (), error.sentence, ("rules",)) from None
    for key in TABLES:
        for name, table in tree.get(key, {}).items():
            try:
                tree[key][name] = load_table(key, table, path, name) if isinstance(table, str) else table
            except (ResourceError, ScenarioError) as error:
                raise member_error(str(path), text, (), error.sentence, (key, name)) from None
    return tree


def load_table(key: str, text: str, file: Path | None = None, name: str = "") -> dict[str, Any]:
    """Return the table that a text names: a file, a sample of the program, or a list in the text itself.

    A list gives a table with the key ``list`` and the text.

    Args:
        key: the kind of the table, for example ``box`` or ``army``.
        text: the path, the name of the sample, or the list.
        file: the file that contains the text; paths are then relative to its folder. None for the command line.
        name: the key of the text in that file.

    Raises:
        PrintkitError: the file cannot be read, or is outside the folder of ``file``.
    """
    from printkit.core.resources import template_text

    if _is_list_itself(text):
        return {"list": text}
    if key in _SAMPLES and Path(text).name == Path(text).stem == text and not is_file((file or Path()).parent / text):
        return parse_toml(template_text(_SAMPLES[key], text), text)
    path = Path(text) if file is None else resolve_sibling(file, text, key=name)
    return parse_toml(read_text(path), str(path))


def place_in_scenario(path: Path, member: MemberPath) -> Sentence:
    """Return the file and the line of a member of a scenario, for errors; a table can be in a file of its own."""
    text = read_text(path)
    key, name, *rest = (*member, "", "")
    table = parse_toml(text, str(path)).get(str(key)) if key in TABLES else None
    value = table.get(str(name)) if isinstance(table, dict) else None
    if isinstance(value, str) and value.endswith(".toml"):
        file = resolve_sibling(path, value, key=str(name))
        return place_of(str(file), read_text(file), tuple(rest[:-2]))
    return place_of(str(path), text, member)


def _is_list_itself(text: str) -> bool:
    """Return whether a text is a list with commas, and not the path of a file."""
    return "," in text and not text.endswith(".toml")


def table_paths(scenario: Path) -> Iterator[str]:
    """Yield the paths that a scenario file has in place of tables, as written; samples of the program are left out.

    Raises:
        ScenarioError: the file cannot be read.
    """
    from printkit.core.resources import names

    tree = parse_toml(read_text(scenario), str(scenario))
    for key in TABLES:
        texts = (text for text in dict(tree.get(key, {})).values() if isinstance(text, str))
        for text in (text for text in texts if not _is_list_itself(text)):
            is_sample = key in _SAMPLES and text in names(f"templates/{_SAMPLES[key]}", ".toml")
            if not is_sample or is_file(scenario.parent / text):
                yield text


# Most battlefields that are generated to choose one from.
MAX_SEEDS: Final = 500


def parse_seeds(text: str) -> tuple[int, ...]:
    """Return the seeds of a list such as ``7``, ``1..20`` or ``3, 5..9``, in its order, each once.

    Both ends of a range are included.

    Raises:
        UsageError: the text is not such a list, a range runs backwards, or there are too many seeds.
    """
    seeds: list[int] = []
    for part in text.split(","):
        ends = part.strip().split("..")
        if len(ends) > 2 or not all(is_number(end.strip()) for end in ends):
            raise UsageError("{text!r} is not a list of seeds; write for example 7, 1..20, or 3, 5..9", text=text)
        first, last = int(ends[0]), int(ends[-1])
        if last < first:
            raise UsageError("{text!r} runs backwards; write the lower seed first, for example 1..20", text=text)
        if last - first >= MAX_SEEDS or len(seeds) > MAX_SEEDS:
            raise UsageError("{text!r} has more than {most} seeds", text=text, most=MAX_SEEDS)
        seeds += range(first, last + 1)
    if len(seeds) > MAX_SEEDS:
        raise UsageError("{text!r} has more than {most} seeds", text=text, most=MAX_SEEDS)
    return tuple(dict.fromkeys(seeds))


def build_orders(
    *,
    rules: str | None,
    settings: Sequence[str],
    scenario: Path | None,
    board: str | None,
    seed: int | None,
    dice: str | None,
    cell: str | None = None,
    settings_file: Path | None = None,
) -> Orders:
    """Build the orders of a command line; options override the scenario file, which overrides the header of a log.

    Args:
        rules: the name of the rule system; None for that of the scenario, otherwise the default system.
        settings: ``NAME=VALUE`` texts.
        scenario: the scenario file, or None.
        board: the board size as text, or None.
        seed: the seed, or None.
        dice: the dice, read by ``read_dice``, or None.
        cell: the cell size as text, or None.
        settings_file: the file of ``settings``; None for the command line.

    Raises:
        PrintkitError: an option or a file is not valid.
    """
    log_file = Path(dice[1:]) if dice is not None and dice.startswith("@") else None
    dice = read_dice(dice)
    header = _read_header(dice or "")
    tree = {**header.tree, **(read_scenario(scenario) if scenario is not None else {})}
    scenario_settings = dict(_flatten_settings(tree.get("settings", {})))
    file_settings = {**header.settings, **scenario_settings}
    files = {**dict.fromkeys(header.settings, log_file), **dict.fromkeys(scenario_settings, scenario)}
    options = parse_settings(settings)
    extra_settings = {
        key: text for key in OWN_KEYS for source in (tree, file_settings, options) if (text := source.get(key))
    }
    return Orders(
        rules=rules or tree.get("rules", DEFAULT),
        settings={key: text for key, text in file_settings.items() if key not in OWN_KEYS},
        options={key: text for key, text in options.items() if key not in OWN_KEYS},
        board=board or tree.get("board"),
        cell=cell or tree.get("cell"),
        seed=seed if seed is not None else tree.get("seed"),
        dice=dice or tree.get("dice"),
        names=extra_settings.get(NAMES_KEY, ""),
        title=" ".join(extra_settings.get(TITLE_KEY, "").split()),
        players=", ".join(split_players(extra_settings.get(PLAYERS_KEY, ""))),
        inputs={
            **{key: _strip_lines(tree[key]) for key in LISTS if key in tree},
            **{key: tree[key] for key in TABLES if key in tree},
        },
        log_seed=header.seed,
        reseeded=header.reseeded,
        files={key: file for key, file in files.items() if file is not None},
        options_file=settings_file,
    )


def _flatten_settings(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the keys and values of settings as texts; TOML reads a key that contains a dot as a table.

    Keys are in lower case. ``prefix`` is the start of the keys of an inner table.
    """
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten_settings(value, f"{prefix}{str(key).lower()}.")
        else:
            yield f"{prefix}{str(key).lower()}", str(value)


def _strip_lines(value: str | list[str]) -> list[str]:
    """Return the lines of a list or of a multi-line text, without empty lines and comments."""
    lines = value.splitlines() if isinstance(value, str) else value
    texts = (line.split("#")[0].strip() for line in lines)
    return [line for line in texts if line]


# The umpire's folder of a two-player game, inside the game-night folder.
UMPIRE: Final = "umpire"

# The folder of a solo game that stays closed until both armies are deployed.
SEALED: Final = "sealed"

# Files of a game-night folder that commands read. Older solo games have theirs in ``umpire/``.
_READABLE_FILES: Final = tuple(
    f"{folder}/{name}" for folder in (SEALED, UMPIRE) for name in ("record.json", "battle.toml", "log.txt")
)


def check_record_path(path: Path) -> Path:
    """Return the path that the user gives for a record, if it can be a record.

    Raises:
        ScenarioError: the path is a folder, a printed file or a scenario; the message names the records next to it.
    """
    if is_folder(path):
        candidates = sorted(path.glob("records/*.json")) or sorted(
            file for file in path.glob("*.json") if is_file(file)
        )
    elif path.suffix.lower() in _PRINT_SUFFIXES:
        near = (path.with_suffix(".json"), path.with_name("map.json"))
        record_files = (file for file in path.parent.glob("records/*.json") if path.stem.startswith(f"{file.stem}-"))
        candidates = [file for file in (*near, *sorted(record_files)) if is_file(file)]
    elif path.suffix.lower() == ".toml" and is_file(path):
        raise ScenarioError(
            "{path} is not a record. Print it first, then check the record: printkit map --scenario {scenario}",
            path=path,
            scenario=quote_path(path),
        )
    else:
        return path
    if candidates:
        raise ScenarioError(
            "{path} is not a record; try {near}", path=path, near=", ".join(map(str, candidates[:_MOST_NAMED]))
        )
    raise ScenarioError("{path} is not a record; a record is the .json file written with each map", path=path)


_PRINT_SUFFIXES: Final = (".pdf", ".svg", ".png", ".gpkg", ".dd2vtt")
_MOST_NAMED: Final = 3  # most records that the message names


def read_text(path: Path) -> str:
    """Return the text of a file that the user names.

    Raises:
        ScenarioError: the path is a folder, or the file cannot be read.
    """
    if is_folder(path):
        files = [path / name for name in _READABLE_FILES if is_file(path / name)]
        if files:
            raise ScenarioError(
                "{path} is a folder; name a file in it, for example {files}",
                path=path,
                files=", ".join(map(str, files)),
            )
        raise ScenarioError("{path} is a folder; name a file", path=path)
    try:
        return read_utf8(path)
    except OSError as error:
        raise ScenarioError("{path} cannot be read: {reason}", path=path, reason=error.strerror) from None


def read_record_file(path: Path) -> tuple[RuleSystem, Record]:
    """Return the rule system that made the record of a file, and the record.

    Raises:
        ScenarioError: the file cannot be read.
        RecordError: it is not a record; names the file.
    """
    from printkit.kit.registry import read_record

    try:
        return read_record(read_text(path))
    except RecordError as error:
        raise RecordError("{path}: {error}", path=path, error=error) from None


def read_dice(option: str | None) -> str | None:
    """Return the dice of ``--dice``, or None without it.

    They are the text itself, or the content of a file after ``@``, or the log of a record after ``@``.

    Raises:
        PrintkitError: the file cannot be read.
    """
    if option is None or not option.startswith("@"):
        return option
    path = Path(option[1:])
    text = read_text(path)
    return log_text(read_record_file(path)[1]) if text.lstrip().startswith("{") else text


# --- The log of a game, with the settings and seeds for a replay ------------------------------------------------------

_RULES: Final = "rules"
_SEED: Final = "seed"
_BOARD: Final = "board"
_CELL: Final = "cell"
_SET: Final = "set"
_RESEEDED: Final = "reseeded"


class _LogHeader(Struct, frozen=True, kw_only=True):
    """The header of a log: the rules, board and cell as in a scenario, settings, and the seeds."""

    tree: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    reseeded: Mapping[str, int] = field(default_factory=dict)


def log_text(record: Record) -> str:
    """Return the log of a record as text; its header has the rules, the seeds (``# seed 7``) and changed settings.

    Given back as dice it plays the same game, but the lists of a scenario file must be given again.
    """
    from printkit.chance.dice import write_log
    from printkit.kit.countryside import default_name_list
    from printkit.kit.registry import find

    system, board, grid = find(record.rules), record.battlefield.board, record.battlefield.grid
    defaults = system.book.settle()
    default_board = system.board(
        settings={**defaults, **{key: text for key, text in record.settings.items() if key in defaults}}
    )
    defaults[NAMES_KEY] = default_name_list(system, record.details)
    changed_settings = [f"{_SET} {key} {text}" for key, text in record.settings.items() if defaults.get(key) != text]
    size = f"{_BOARD} {board.width}x{board.depth}mm" if grid is None else f"{_CELL} {grid.cell}mm"
    header = [
        f"{_RULES} {record.rules}",
        *([] if record.seed is None else [f"{_SEED} {record.seed}"]),
        *([] if (default_board.width, default_board.depth) == (board.width, board.depth) else [size]),
        *(f"{_RESEEDED} {stage} {seed}" for stage, seed in record.reseeded.items()),
        *changed_settings,
    ]
    return write_log(record.log, header)


def unfinished_log_text(orders: Orders, seed: int, log: Iterable[Throw]) -> str:
    """Return the answers of an unfinished game as a log; its header has the orders and the seed."""
    from printkit.chance.dice import write_log

    size = {_BOARD: orders.board, _CELL: orders.cell}
    default_names = (NAMES_KEY, replace(orders, names="").period)
    all_settings = {**orders.settings, **orders.options, **orders.extra_settings}
    header = [
        f"{_RULES} {orders.rules}",
        f"{_SEED} {seed}",
        *(f"{name} {''.join(text.split())}" for name, text in size.items() if text),
        *(f"{_SET} {key} {text}" for key, text in all_settings.items() if (key, text) != default_names),
    ]
    return write_log(log, header)


def _read_header(dice: str) -> _LogHeader:
    """Parse the header of a log; a list of scores has an empty header."""
    from printkit.chance.dice import is_log, read_head

    lines = [line.split(maxsplit=2) for line in (read_head(dice) if is_log(dice) else ())]
    facts = {words[0]: words[1] for words in lines if len(words) == 2}
    entries = [words for words in lines if len(words) == 3]
    seed = facts.get(_SEED, "")
    return _LogHeader(
        tree={name: facts[name] for name in (_RULES, _BOARD, _CELL) if name in facts},
        settings={key: text for name, key, text in entries if name == _SET},
        seed=parse_int(seed),
        reseeded={stage: int(text) for name, stage, text in entries if name == _RESEEDED and is_number(text)},
    )

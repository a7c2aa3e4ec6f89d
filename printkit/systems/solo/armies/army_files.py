"""Army files: found by name or path, and read as a list with options or fixed; every error names its line (7.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from printkit.core.errors import FileError, ResourceError, ScenarioError, Sentence
from printkit.core.nearest import plain_key
from printkit.core.numbers import is_number
from printkit.core.paths import exists
from printkit.core.resources import names, template, template_text
from printkit.core.typed import MemberError, MemberPath, convert, parse_toml, place_of, unknown_key
from printkit.core.words import IN_ENGLISH, Words
from printkit.systems.dba.armies.army_list import ArmyList, Elements, Line, ListGeneral, ListSlot
from printkit.systems.dba.armies.list_notation import is_notation, parse_notation
from printkit.systems.solo.armies.army import Army, ArmyText, Bundle, Slot, SlotMode, check_strength, read_text
from printkit.systems.solo.armies.force import Home, LittoralPairs, TroopTable, read_troops

SCHEMA: Final = "dba-army/1"
_VERSIONS: Final = ("2.2", "3.0", "1.x")
_CAMP_FOLLOWERS: Final = "CF"

# How many letters of an army on one line errors show.
_SHOWN: Final = 60


class ArmyFile(ArmyList, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An army file: an army list, and the facts of the army."""

    schema: Literal["dba-army/1"]
    id: Line | None = None
    name: Line
    number: str = ""
    dates: str = ""
    version: Literal["2.2", "3.0", "1.x"] = "2.2"
    source: str = ""
    confidence: Literal["", "2+", "1", "M", "D"] = ""
    doubt: str = ""
    fielded: bool = False
    by_name: bool = False
    note: str = ""
    home: Home
    aggression: Annotated[int, Meta(ge=0, le=4)]
    camp: bool = True
    littoral: LittoralPairs | None = None

    def __post_init__(self) -> None:
        if self.littoral and self.home is not Home.LITTORAL:
            raise MemberError(
                "littoral needs home = littoral, but home is {home}; remove it", "littoral", home=self.home
            )
        super().__post_init__()


def read_army_file(path: Path, troops: TroopTable) -> Army:
    """Return the army of a file.

    Raises:
        ResourceError: it cannot be read.
        FileError: it is not an army; the message names the file, the line and the correct form.
    """
    return army_of(ArmyText(str(path), read_text(path)), troops)


def army_of(source: ArmyText, troops: TroopTable) -> Army:
    """Return the army that a text describes.

    Raises:
        FileError: it is not an army; the message names the file, the line and the correct form.
    """
    tree = parse_toml(source.text, source.file)
    if not isinstance(tree.get("list"), str):
        return _Reader(source, tree, troops).army()
    try:
        found = parse_notation(tree["list"], tuple(Home))
        convert(found["slot"], tuple[ListSlot, ...], "list")
    except (FileError, ScenarioError) as error:
        raise source.build_error("{error}", ("list",), key_count=0, error=error) from None
    for key in found.keys() & tree.keys() - {"name"}:
        raise source.build_error("{key} is also in the list; remove one of them", (key,), key_count=0, key=key)
    return _Reader(source, {**found, **tree}, troops).army()


def army_of_line(line: str, troops: TroopTable) -> Army:
    """Return the army of a list on one line, as lists are published.

    Raises:
        ScenarioError: it is not an army; the message names the part and the correct form.
        FileError: the army has the wrong elements.
    """
    start = line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
    tree = {"schema": SCHEMA, "name": str(Sentence("an army on one line")), **parse_notation(line, tuple(Home))}
    for key, example in (("home", "hilly"), ("aggression", "aggression 2")):
        if key not in tree:
            raise ScenarioError(
                "the army {line!r} does not say its {key}; add it after a semicolon, for example '; {example}'",
                line=start,
                key=key,
                example=example,
            )
    return _Reader(ArmyText(start, ""), tree, troops).army()


class _Reader:
    """Reads the elements of an army, in the codes of its version.

    Args:
        source: the text, for errors.
        tree: its values.
        troops: the table of troop types.
    """

    def __init__(self, source: ArmyText, tree: Mapping[str, Any], troops: TroopTable) -> None:
        self._source, self._troops = source, troops
        self._file = convert(tree, ArmyFile, source.file, source.text or None)

    def army(self) -> Army:
        """Return the army.

        Raises:
            FileError: its elements are wrong.
        """
        file = self._file
        slots = tuple(self._slot(index, slot) for index, slot in enumerate(file.slot))
        for index, slot in enumerate(slots):
            if slot.id == "general":
                raise self.build_error(
                    "id = 'general' is reserved for the general's options; give the slot another id",
                    ("slot", index, "id"),
                )
            if (first := [each.id for each in slots].index(slot.id)) < index:
                raise self.build_error(
                    "id = {name!r} is also the id of slot {index}; give each slot its own",
                    ("slot", index, "id"),
                    name=slot.id,
                    index=first + 1,
                )
        army = Army(
            file=self._source.file,
            slots=slots,
            general=(),
            troops=self._troops,
            pairs=file.littoral or LittoralPairs(),
            **{
                name: getattr(file, name)
                for name in (
                    *("name", "home", "aggression", "camp", "number", "dates", "version", "source", "confidence"),
                    *("doubt", "note", "fielded", "by_name"),
                )
            },
            id=file.id or Path(self._source.file).stem,
        )
        army = self._with_counts(army) if file.counts else self._with_general(army)
        key = "list" if file.line else "counts" if file.counts else "slot"
        check_strength(self._source, (key,), army)
        return self._with_choice(army)

    def build_error(self, template: str, path: MemberPath, /, **values: object) -> FileError:
        """Return the error of a member; its last key is for the line only."""
        if self._file.line and path[0] in ("slot", "general"):
            path = ("list", "")
        return self._source.build_error(template, path, key_count=len(path) - 1, **values)

    def _slot(self, index: int, table: ListSlot) -> Slot:
        name, path = table.id or f"slot {index + 1}", ("slot", index)
        if table.fixed is not None:
            return Slot(id=name, mode=SlotMode.FIXED, options=(self._bundle(table.fixed, (*path, "fixed")),))
        options, mode = self._options(table.options or (), path), SlotMode(table.mode or "")
        if mode is SlotMode.EACH:
            return Slot(id=name, mode=mode, options=options, count=table.count)
        return Slot(id=name, mode=mode, options=tuple(Bundle(option.codes * table.count) for option in options))

    def _options(self, values: Sequence[Elements], path: MemberPath) -> tuple[Bundle, ...]:
        bundles = [self._bundle(value, (*path, "options", index)) for index, value in enumerate(values)]
        for index, value in enumerate(values):
            if value in values[:index]:
                raise self.build_error(
                    "the option {found} is listed twice", (*path, "options", index), found=bundles[index]
                )
        # Two codes of another version can be the same here; then there is nothing to choose between them.
        return tuple(dict.fromkeys(bundles))

    def _with_general(self, army: Army) -> Army:
        general = self._file.general
        assert isinstance(general, ListGeneral)
        return replace(army, general=self._options(general.options, ("general",)))

    def _with_counts(self, army: Army) -> Army:
        """Return an army that is given by its counts alone (7.4)."""
        codes = list(self._bundle(self._file.counts or {}, ("counts",)).codes)
        general = self._code(str(self._file.general), ("general",))
        if general not in codes:
            raise self.build_error(
                "general = {led!r} is not one of the elements of the list; use one of {listed}",
                ("general",),
                led=general,
                listed=", ".join(dict.fromkeys(codes)),
            )
        codes.remove(general)
        counts = Counter(codes)
        slots = tuple(Slot(id=code, mode=SlotMode.FIXED, options=(Bundle((code,) * counts[code]),)) for code in counts)
        return replace(army, slots=slots, general=(Bundle((general,)),))

    def _with_choice(self, army: Army) -> Army:
        """Return the army with what the player chose under [chosen]."""
        chosen, slots = self._file.chosen, {slot.id: slot for slot in army.slots}
        for key in chosen:
            if key not in (*slots, "general"):
                raise self.build_error("{reason}", ("chosen", key), reason=unknown_key(key, [*slots, "general"]))
        options = {key: self._chosen(slots[key], value) for key, value in chosen.items() if key in slots}
        general = None
        if "general" in chosen:
            bundles = self._bundle_or_list(chosen["general"], ("chosen", "general"))
            self._check_choice_count("general", bundles, 1, army.general)
            (general,) = bundles
            if general not in army.general:
                raise self._not_an_option("general", general, army.general)
        return self._with_open_place(replace(army, chosen_options=options, general_option=general))

    def _with_open_place(self, army: Army) -> Army:
        """Return the army with the file and line of its first open choice, if it has one in a file."""
        open_slots = army.find_open_slots()
        if not open_slots or not self._source.text or self._file.line:
            return army
        indices = (index for index, slot in enumerate(army.slots) if slot.id == open_slots[0])
        index = next(indices, None)
        path = ("general", "options") if index is None else ("slot", index, "options")
        return replace(army, open_place=str(place_of(self._source.file, self._source.text, path)))

    def _chosen(self, slot: Slot, value: Elements | list[Elements]) -> tuple[Bundle, ...]:
        """Return what the player chose for a slot: an option, a list of them, or the number of each."""
        bundles = self._bundle_or_list(value, ("chosen", slot.id))
        if slot.mode is SlotMode.EACH and isinstance(value, dict) and all(len(option) == 1 for option in slot.options):
            bundles = [Bundle((code,)) for code in bundles[0].codes]
        elif not (slot.mode is SlotMode.EACH and isinstance(value, list)):
            bundles = [_find_option(bundle, slot) for bundle in bundles]
        for bundle in bundles:
            if bundle not in slot.options:
                raise self._not_an_option(slot.id, bundle, slot.options)
        self._check_choice_count(slot.id, bundles, slot.count, slot.options)
        return tuple(bundles)

    def _check_choice_count(self, key: str, bundles: Sequence[Bundle], count: int, options: Sequence[Bundle]) -> None:
        if len(bundles) != count:
            raise self.build_error(
                "{slot} takes {count} of {listed}, but {chosen} are given",
                ("chosen", key),
                slot=key,
                count=count,
                listed=", ".join(map(str, options)),
                chosen=len(bundles),
            )

    def _not_an_option(self, key: str, bundle: Bundle, options: Sequence[Bundle]) -> FileError:
        return self.build_error(
            "{slot} = {bundle} is not an option of the list; use one of {listed}",
            ("chosen", key),
            slot=key,
            bundle=bundle,
            listed=", ".join(map(str, options)),
        )

    def _bundle_or_list(self, value: Elements | list[Elements], path: MemberPath) -> list[Bundle]:
        return [self._bundle(each, path) for each in (value if isinstance(value, list) else [value])]

    def _bundle(self, value: Elements, path: MemberPath) -> Bundle:
        """Return elements written as a code, or as a table of codes and numbers."""
        if isinstance(value, str):
            return Bundle((self._code(value, path),))
        codes = [(self._code(code, (*path, code)), count) for code, count in value.items()]
        return Bundle(tuple(code for code, count in codes for _ in range(count)))

    def _code(self, code: str, path: MemberPath) -> str:
        """Return a code in the version of the troop table."""
        bare = self._troops.translate_code(code, self._file.version)
        troop = self._troops.find_type(bare)
        if troop is None or troop.code == _CAMP_FOLLOWERS:
            why = (
                Sentence("unknown troop type {code!r}", code=code)
                if troop is None
                else Sentence("camp followers are not one of the twelve elements")
            )
            raise self.build_error(
                "{why}; use one of {listed}, with or without a number of figures",
                path,
                why=why,
                listed=", ".join(found.code for found in self._troops.types if found.code != _CAMP_FOLLOWERS),
            )
        return bare


def _find_option(bundle: Bundle, slot: Slot) -> Bundle:
    """Return the option that is meant: elements in any order, and one code for as many of it as the slot has."""
    for option in slot.options:
        alone = slot.mode is SlotMode.BLOCK and len(bundle) == 1 and set(option.codes) == set(bundle.codes)
        if alone or sorted(option.codes) == sorted(bundle.codes):
            return option
    return bundle


# --- Armies by name or by path: the sample lists of printkit, and the user's own files -----------------

_KIND: Final = "armies"
_SHORTEST_WORD: Final = 3
"""The fewest letters of a word that is looked for in the names of samples."""

_MOST_LISTED: Final = 8

_LIKE: Final = 0.75
"""How like the name of a sample a name is, from 0 to 1, for that to be meant."""

_NUMERALS: Final[Mapping[str, int]] = {"I": 1, "II": 2, "III": 3, "IV": 4}


def read_army(name: str, troops: TroopTable | None = None) -> Army:
    """Return an army: a sample by its name such as ``polybian-roman``, a file by its path, or a list on one line.

    Raises:
        ResourceError: there is no such army or file, or it cannot be read.
        ScenarioError: the file is not an army; the message names the line if it can be found.
    """
    table = troops or read_troops()
    if (army := _army_without_file(name, table)) is not None:
        return army
    path = Path(name)
    if not exists(path) and not names_army_file(name):
        raise _no_army(name)
    return read_army_file(path, table)


def read_army_without_file(name: str, troops: TroopTable | None = None) -> Army:
    """Return a sample army by its name, or that of a list on one line; no file is read.

    Raises:
        ResourceError: there is no such army.
        ScenarioError: the line is not an army.
    """
    army = _army_without_file(name, troops or read_troops())
    if army is None:
        raise _no_army(name)
    return army


def names_army_file(name: str) -> bool:
    """Return whether a name of an army can only be the path of a file."""
    return name.endswith(".toml") or Path(name).name != name


def _army_without_file(name: str, table: TroopTable) -> Army | None:
    if name in sample_names():
        return army_of(ArmyText(name, template_text(_KIND, name)), table)
    return army_of_line(name, table) if is_notation(name) else None


def meant_sample(name: str) -> str:
    """Return the sample that a typed name means; the name itself if it means something else."""
    if not name or name in sample_names() or is_notation(name) or names_army_file(name) or exists(Path(name)):
        return name
    matching = matching_samples(name)
    return matching[0] if len(matching) == 1 else name


def matching_samples(name: str) -> list[str]:
    """Return the samples that a name may mean, in alphabetical order.

    A sample with this name, also with spaces or in the plural, is the only one. Otherwise they are the samples with the
    word, or with its synonym, in their names or titles. Empty if there is none.
    """
    known, key = sample_names(), plain_key(name)
    tables = [template("help", table) for table in names("templates/help", ".toml") if table.startswith("synonyms")]
    synonyms = {plain_key(word): army for table in tables for word, army in table["replace"].get("army", {}).items()}
    word = plain_key(synonyms.get(key, key))
    if same := [sample for sample in known if plain_key(sample) == word]:
        return same
    if len(word) < _SHORTEST_WORD:
        return []
    return [sample for sample in known if word in plain_key(sample + template(_KIND, sample)["name"])]


def _no_army(name: str) -> ResourceError:
    known = sample_names()
    if matching := matching_samples(name):
        listed = [f"{sample} ({template(_KIND, sample).get('dates', '')})".replace(" ()", "") for sample in matching]
        return ResourceError(
            "{count} armies are called {name!r}: {samples}. To look at one: printkit npg armies {first}",
            count=len(matching),
            name=name,
            samples=", ".join(listed[:_MOST_LISTED]),
            first=matching[0],
        )
    if like := get_close_matches(name.lower().replace(" ", "-"), known, n=1, cutoff=_LIKE):
        return ResourceError(
            "no army {name!r}; did you mean {like!r}? printkit npg armies lists the samples",
            name=name,
            like=like[0],
        )
    return ResourceError(
        'no army {name!r}; give the path of an army file, NAME.toml, or a list such as "1xCv (Gen), 6x4Wb, '
        '5xPs; hilly, aggression 2", or a sample: {known}',
        name=name,
        known=", ".join(known),
    )


def sample_names() -> list[str]:
    """Return the names of the sample armies in alphabetical order."""
    return names(f"templates/{_KIND}", ".toml")


@cache
def drawn_samples() -> tuple[str, ...]:
    """Return the names of the samples among which chance draws: all that are not taken by name alone.

    A seed draws the same armies as it did before there were others.
    """
    texts = {name: template_text(_KIND, name) for name in sample_names()}
    # Few samples say so, and only what may is read as a file.
    apart = {name for name, text in texts.items() if "by_name" in text and parse_toml(text, name).get("by_name")}
    return tuple(name for name in texts if name not in apart)


def samples(troops: TroopTable | None = None) -> tuple[Army, ...]:
    """Return every sample army: lists of version 2.2 first, those with their choices before armies as fielded."""
    table = troops or read_troops()
    return tuple(sorted((read_army(name, table) for name in sample_names()), key=_place))


def in_words(army: Army, words: Words) -> Army:
    """Return a sample army with its name, source, doubt and note in a language; an army of the user is unchanged."""
    dates = army.dates.replace("BC", words("npg.army.bc")).replace("AD", words("npg.army.ad"))
    army = replace(army, dates=dates) if dates != army.dates else army
    key = f"npg.sample.{army.id}"
    if army.file != army.id or not words.has(f"{key}.name"):
        return army
    told = {name: words(f"{key}.{name}") for name in ("name", "source", "doubt", "note") if getattr(army, name)}
    return replace(army, **told)


def named(name: str, words: Words) -> str:
    """Return the name of a sample army in the languages of a document; another name is unchanged."""
    keys = (f"npg.sample.{each}.name" for each in sample_names())
    key = next((key for key in keys if IN_ENGLISH.has(key) and IN_ENGLISH(key) == name), None)
    return name if key is None or not words.has(key) else words(key)


def _place(army: Army) -> tuple[int, bool, int, int, str]:
    book, _, rest = army.number.partition("/")
    digits = "".join(letter for letter in rest if is_number(letter))
    return _VERSIONS.index(army.version), army.fielded, _NUMERALS.get(book, 0), int(digits or 0), rest + army.id

"""Army files: found by name or path, and read as a list with options or fixed; every error names its line (7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from printkit.core.errors import ResourceError, ScenarioError, Sentence
from printkit.core.nearest import plain_key
from printkit.core.numbers import is_number
from printkit.core.paths import exists
from printkit.core.resources import names, template, template_text
from printkit.core.words import IN_ENGLISH, Words
from printkit.systems.dba.armies.list_notation import is_notation, parse_notation
from printkit.systems.solo.armies.army import (
    Army,
    ArmyText,
    ArmyTextPart,
    Bundle,
    Slot,
    SlotMode,
    check_strength,
    read_text,
)
from printkit.systems.solo.armies.force import (
    STRENGTH,
    HillsOrMarsh,
    Home,
    LittoralPairs,
    TroopTable,
    WoodsOrDunes,
    read_troops,
)

SCHEMA: Final = "dba-army/1"
AGGRESSIONS: Final = range(5)
_OWN_VERSION: Final = "2.2"
_VERSIONS: Final = ("2.2", "3.0", "1.x")
_CONFIDENCES: Final = ("", "2+", "1", "M", "D")

_ABOUT: Final = (
    *("schema", "id", "name", "number", "dates", "version", "source", "confidence", "doubt", "fielded", "by_name"),
)
_FACTS: Final = ("note", "home", "aggression", "camp", "littoral")
_CAMP_FOLLOWERS: Final = "CF"
_SHOWN: Final = 60
"""How many letters of an army on one line errors show."""


def read_army_file(path: Path, troops: TroopTable) -> Army:
    """Return the army of a file.

    Raises:
        ResourceError: it cannot be read.
        ScenarioError: it is no army; names the file, the line where it can be told, and what would be right.
    """
    return army_of(ArmyText(str(path), read_text(path)), troops)


def army_of(text: ArmyText, troops: TroopTable) -> Army:
    """Return the army that a text describes.

    Raises:
        ScenarioError: it is no army; names the file, the line where it can be told, and what would be right.
    """
    whole = ArmyTextPart(text=text, values=text.parse_values())
    whole.get_choice("schema", (SCHEMA,))
    return _army_of(whole, troops)


def army_of_line(line: str, troops: TroopTable) -> Army:
    """Return the army that stands on one line, as lists are published.

    Raises:
        ScenarioError: it is no army; names the part, and what would be right.
    """
    tree = {"name": str(Sentence("an army on one line")), **parse_notation(line, tuple(Home))}
    whole = ArmyTextPart(text=ArmyText(line, ""), values=tree)
    for key, example in (("home", "hilly"), ("aggression", "aggression 2")):
        if key not in tree:
            raise ScenarioError(
                "the army {line!r} does not say its {key}; add it after a semicolon, for example '; {example}'",
                line=_shortened(line),
                key=key,
                example=example,
            )
    return _army_of(replace(whole, text=ArmyText(_shortened(line), "")), troops)


def _shortened(line: str) -> str:
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."


def _with_line(whole: ArmyTextPart) -> ArmyTextPart:
    """Return an army file whose elements stand on one line as if they were written out."""
    whole.check_keys(*_ABOUT, *_FACTS, "list", "chosen")
    try:
        found = parse_notation(whole.need("list", str), tuple(Home))
    except ScenarioError as error:
        raise whole.build_error("{error}", "list", error=error) from None
    given = {key: value for key, value in whole.values.items() if key != "list"}
    for key in set(found) & set(given) - {"name"}:
        raise whole.build_error("{key} is also in the list; remove one of them", key, key=key)
    return replace(whole, values={**found, **given})


def _army_of(whole: ArmyTextPart, troops: TroopTable) -> Army:
    if "list" in whole.values:
        whole = _with_line(whole)
    text = whole.text
    counted = "counts" in whole.values
    whole.check_keys(*_ABOUT, *_FACTS, *(("counts", "general") if counted else ("slot", "general", "chosen")))
    found = _facts(whole, troops)
    reader = _Reader(text, troops, found.version)
    if counted:
        led, others = reader.counted(whole)
        army = replace(found, slots=others, general=(led,))
    else:
        slots = tuple(reader.slot(part) for part in _slots(whole))
        _refuse_twice(whole, slots)
        army = replace(found, slots=slots, general=reader.general(whole))
    check_strength(whole, army)
    return _with_choice(whole, army, reader)


def _facts(whole: ArmyTextPart, troops: TroopTable) -> Army:
    """Return the army with all that is not its elements."""
    aggression = whole.need("aggression", int, Sentence("write a whole number from 0 to 4"))
    if aggression not in AGGRESSIONS:
        raise whole.build_error(
            "aggression = {aggression} is not valid; write a whole number from 0 to 4",
            "aggression",
            aggression=aggression,
        )
    whole.need("name", str)
    home = Home(whole.get_choice("home", tuple(Home)))
    texts: dict[str, Any] = {key: whole.get(key, str, "") for key in ("number", "dates", "source", "doubt", "note")}
    return Army(
        file=whole.text.file,
        id=whole.get_line("id", Path(whole.text.file).stem),
        name=whole.get_line("name", ""),
        home=home,
        aggression=aggression,
        slots=(),
        general=(),
        troops=troops,
        camp=whole.get("camp", bool, True),
        pairs=_pairs(whole, home),
        version=whole.get_choice("version", _VERSIONS, _OWN_VERSION),
        confidence=whole.get_choice("confidence", _CONFIDENCES, ""),
        fielded=whole.get("fielded", bool, False),
        by_name=whole.get("by_name", bool, False),
        **texts,
    )


def _pairs(whole: ArmyTextPart, home: Home) -> LittoralPairs:
    values = whole.get("littoral", dict, {})
    if values and home is not Home.LITTORAL:
        raise whole.build_error("littoral needs home = littoral, but home is {home}; remove it", "littoral", home=home)
    part = replace(whole, values=values, section="littoral", name="littoral")
    part.check_keys("hills_or_marsh", "woods_or_dunes")
    return LittoralPairs(
        hills_or_marsh=HillsOrMarsh(part.get_choice("hills_or_marsh", tuple(HillsOrMarsh), HillsOrMarsh.DICE)),
        woods_or_dunes=WoodsOrDunes(part.get_choice("woods_or_dunes", tuple(WoodsOrDunes), WoodsOrDunes.DICE)),
    )


def _slots(whole: ArmyTextPart) -> list[ArmyTextPart]:
    parts = []
    for number, values in enumerate(whole.get("slot", list, []), 1):
        if not isinstance(values, dict):
            raise whole.build_error("[[slot]] {number} is not a table of keys and values", "slot", number=number)
        given = values.get("id")
        name = f"[[slot]] {number}" + (f" {given!r}" if isinstance(given, str) else "")
        parts.append(replace(whole, values=values, section="slot", number=number, name=name))
    return parts


def _refuse_twice(whole: ArmyTextPart, slots: tuple[Slot, ...]) -> None:
    ids = [slot.id for slot in slots]
    for number, name in enumerate(ids, 1):
        if name == "general":
            raise replace(whole, section="slot", number=number).build_error(
                "id = 'general' is reserved for the general's options; give the slot another id", "id"
            )
        if ids.index(name) < number - 1:
            raise replace(whole, section="slot", number=number).build_error(
                "id = {name!r} is also the id of [[slot]] {index}; give each slot its own",
                "id",
                name=name,
                index=ids.index(name) + 1,
            )


def _with_choice(whole: ArmyTextPart, army: Army, reader: _Reader) -> Army:
    """Return the army with what a person chose under [chosen]."""
    values = whole.get("chosen", dict, {})
    part = replace(whole, values=values, section="chosen", name="[chosen]")
    part.check_keys(*(slot.id for slot in army.slots), "general")
    taken: dict[str, tuple[Bundle, ...]] = {}
    for slot in army.slots:
        if slot.id in values:
            taken[slot.id] = reader.taken(part, slot)
    led = None
    if "general" in values:
        led = reader.bundle(part, "general", values["general"])
        if led not in army.general:
            listed = ", ".join(str(one) for one in army.general)
            raise part.build_error(
                "general = {led} is not an option of the list; use one of {listed}", "general", led=led, listed=listed
            )
    return replace(army, chosen_options=taken, general_option=led)


class _Reader:
    """Reads elements: knows the troop types, and the version in whose codes the list is written."""

    def __init__(self, text: ArmyText, troops: TroopTable, version: str) -> None:
        self._text = text
        self._troops = troops
        self._version = version

    def slot(self, part: ArmyTextPart) -> Slot:
        name = part.get_line("id", f"slot {part.number}")
        if "fixed" in part.values:
            part.check_keys("id", "fixed")
            return Slot(id=name, mode=SlotMode.FIXED, options=(self.bundle(part, "fixed", part.values["fixed"]),))
        part.check_keys("id", "fixed", "mode", "count", "options")
        if "options" not in part.values:
            raise part.build_error("it has neither fixed elements nor options; write one of fixed and options")
        mode = SlotMode(part.get_choice("mode", (SlotMode.EACH, SlotMode.BLOCK)))
        count = part.get("count", int, 1)
        if not 1 <= count <= STRENGTH:
            raise part.build_error(
                "count = {count} is not valid; write a whole number from 1 to {strength}",
                "count",
                count=count,
                strength=STRENGTH,
            )
        options = self._options(part)
        if mode is SlotMode.EACH:
            return Slot(id=name, mode=mode, options=options, count=count)
        if count > 1 and any(len(option) > 1 for option in options):
            raise part.build_error(
                "count works only with options of one element; remove it from options that have their own numbers",
                "count",
            )
        return Slot(id=name, mode=mode, options=tuple(Bundle(option.codes * count) for option in options))

    def general(self, whole: ArmyTextPart) -> tuple[Bundle, ...]:
        if "general" not in whole.values:
            raise whole.build_error(
                'the general is missing; add [general] with options = ["3Cv"], or several options to roll for'
            )
        part = replace(whole, values=whole.get("general", dict, {}), section="general", name="[general]")
        part.check_keys("options")
        return self._options(part)

    def counted(self, whole: ArmyTextPart) -> tuple[Bundle, tuple[Slot, ...]]:
        """Return the general's element and the slots of an army that is given by its counts alone (7.4)."""
        everybody = self.bundle(replace(whole, name="counts"), "counts", whole.values["counts"])
        led = self._code(
            whole,
            "general",
            whole.need(
                "general", str, Sentence('write the code of the general\'s element, for example general = "Cv"')
            ),
        )
        if led not in everybody.codes:
            listed = ", ".join(dict.fromkeys(everybody.codes))
            raise whole.build_error(
                "general = {led!r} is not one of the elements of the list; use one of {listed}",
                "general",
                led=led,
                listed=listed,
            )
        others = list(everybody.codes)
        others.remove(led)
        return Bundle((led,)), tuple(
            Slot(id=code, mode=SlotMode.FIXED, options=(Bundle((code,) * others.count(code)),))
            for code in dict.fromkeys(others)
        )

    def taken(self, part: ArmyTextPart, slot: Slot) -> tuple[Bundle, ...]:
        """Return what a person chose for a slot: an option, a list of them, or the number of each."""
        value = part.values[slot.id]
        if slot.mode is SlotMode.EACH and isinstance(value, dict) and all(len(option) == 1 for option in slot.options):
            chosen = [Bundle((code,)) for code in self.bundle(part, slot.id, value).codes]
        elif slot.mode is SlotMode.EACH and isinstance(value, list):
            chosen = [self.bundle(part, slot.id, one) for one in value]
        else:
            chosen = [self._as_option(self.bundle(part, slot.id, value), slot)]
        listed = ", ".join(str(option) for option in slot.options)
        for bundle in chosen:
            if bundle not in slot.options:
                raise part.build_error(
                    "{slot} = {bundle} is not an option of the list; use one of {listed}",
                    slot.id,
                    slot=slot.id,
                    bundle=bundle,
                    listed=listed,
                )
        if len(chosen) != slot.count:
            raise part.build_error(
                "{slot} takes {count} of {listed}, but {chosen} are given",
                slot.id,
                slot=slot.id,
                count=slot.count,
                listed=listed,
                chosen=len(chosen),
            )
        return tuple(chosen)

    @staticmethod
    def _as_option(bundle: Bundle, slot: Slot) -> Bundle:
        """Return the option that is meant: elements in any order, and one code for as many of it as the slot has."""
        for option in slot.options:
            alone = slot.mode is SlotMode.BLOCK and len(bundle) == 1 and set(option.codes) == set(bundle.codes)
            if alone or sorted(option.codes) == sorted(bundle.codes):
                return option
        return bundle

    def _options(self, part: ArmyTextPart) -> tuple[Bundle, ...]:
        values = part.need("options", list, Sentence('write a list of codes, for example options = ["3Cv", "2LH"]'))
        if not values:
            raise part.build_error(
                'options is empty; write a list of codes, for example options = ["3Cv", "2LH"]', "options"
            )
        found = [self.bundle(part, "options", value) for value in values]
        for place, value in enumerate(values):
            if value in values[:place]:
                raise part.build_error(
                    "the option {found} is listed twice", "options", found[place].codes[0], found=found[place]
                )
        # Two codes of another version can be one and the same here; then there is nothing to choose between them.
        return tuple(dict.fromkeys(found))

    def bundle(self, part: ArmyTextPart, key: str, value: object) -> Bundle:
        """Return elements written as a code, or as a table of codes and numbers.

        Raises:
            ScenarioError: it is neither, or no army can hold it.
        """
        if isinstance(value, str):
            return Bundle((self._code(part, key, value),))
        if not isinstance(value, Mapping) or not value:
            raise part.build_error(
                '{key}: {value!r} is not valid; write a code, "4Pk", or codes with numbers, {{ "4Pk" = 2 }}',
                key,
                key=key,
                value=value,
            )
        codes: list[str] = []
        for code, count in value.items():
            codes += [self._code(part, key, code)] * self._number(part, key, code, count)
        return Bundle(tuple(codes))

    def _number(self, part: ArmyTextPart, key: str, code: str, count: Any) -> int:
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= STRENGTH:
            raise part.build_error(
                "{key}: {code} = {count!r} is not valid; write a whole number from 1 to {strength}",
                key,
                code,
                key=key,
                code=code,
                count=count,
                strength=STRENGTH,
            )
        return count

    def _code(self, part: ArmyTextPart, key: str, code: str) -> str:
        bare = self._troops.translate_code(code, self._version)
        troop = self._troops.find_type(bare)
        if troop is None or troop.code == _CAMP_FOLLOWERS:
            listed = ", ".join(found.code for found in self._troops.types if found.code != _CAMP_FOLLOWERS)
            why = (
                Sentence("unknown troop type {code!r}", code=code)
                if troop is None
                else Sentence("camp followers are not one of the twelve elements")
            )
            raise part.build_error(
                "{key}: {why}; use one of {listed}, with or without a number of figures",
                key,
                code,
                key=key,
                why=why,
                listed=listed,
            )
        return bare


# --- Armies by name or by path: the sample lists that come with the program, and a person's own files -----------------

_KIND: Final = "armies"
_SHORTEST_WORD: Final = 3
"""The fewest letters of a word that is looked for in the names of samples."""

_MOST_LISTED: Final = 8

_LIKE: Final = 0.75
"""How like the name of a sample a name is, from 0 to 1, for that to be meant."""

_NUMERALS: Final[Mapping[str, int]] = {"I": 1, "II": 2, "III": 3, "IV": 4}


def read_army(name: str, troops: TroopTable | None = None) -> Army:
    """Return a sample army by its name, ``polybian-roman``, a person's own by the path of its file, or one on one line.

    Raises:
        ResourceError: there is no such army or file, or it cannot be read.
        ScenarioError: the file is no army; names the line where it can be told.
    """
    table = troops or read_troops()
    if (army := _army_without_file(name, table)) is not None:
        return army
    path = Path(name)
    if not exists(path) and not names_army_file(name):
        raise _no_army(name)
    return read_army_file(path, table)


def read_army_without_file(name: str, troops: TroopTable | None = None) -> Army:
    """Return a sample army by its name, or one on one line; a path means nothing.

    Raises:
        ResourceError: there is no such army.
        ScenarioError: the line is no army.
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

    They are the one with this name, spelled with spaces or in the plural; otherwise those with the word, or the word
    that the tables of synonyms have for it, in their names or titles. Empty if there is none.
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
    apart = {
        name for name, text in texts.items() if "by_name" in text and ArmyText(name, text).parse_values().get("by_name")
    }
    return tuple(name for name in texts if name not in apart)


def samples(troops: TroopTable | None = None) -> tuple[Army, ...]:
    """Return every sample army: lists of version 2.2 first, those with their choices before armies as fielded."""
    table = troops or read_troops()
    return tuple(sorted((read_army(name, table) for name in sample_names()), key=_place))


def in_words(army: Army, words: Words) -> Army:
    """Return a sample army with its name, source, doubt and note in a language; a person's own is as he wrote it."""
    dates = army.dates.replace("BC", words("npg.army.bc")).replace("AD", words("npg.army.ad"))
    army = replace(army, dates=dates) if dates != army.dates else army
    key = f"npg.sample.{army.id}"
    if army.file != army.id or not words.has(f"{key}.name"):
        return army
    told = {name: words(f"{key}.{name}") for name in ("name", "source", "doubt", "note") if getattr(army, name)}
    return replace(army, **told)


def named(name: str, words: Words) -> str:
    """Return the name of a sample army in the languages of a document; a name of a person's own stays as it is."""
    keys = (f"npg.sample.{each}.name" for each in sample_names())
    key = next((key for key in keys if IN_ENGLISH.has(key) and IN_ENGLISH(key) == name), None)
    return name if key is None or not words.has(key) else words(key)


def _place(army: Army) -> tuple[int, bool, int, int, str]:
    book, _, rest = army.number.partition("/")
    digits = "".join(letter for letter in rest if is_number(letter))
    return _VERSIONS.index(army.version), army.fielded, _NUMERALS.get(book, 0), int(digits or 0), rest + army.id

"""Composition of a non-player general's army, from the names of two armies to the lines and files asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from printkit.chance.asking import InteractiveSource
from printkit.chance.dice import Dice, ScriptedSource, Seeded, Source, Throw, is_log, read_log, read_scores
from printkit.chance.replaying import ReplaySource
from printkit.core.errors import ScenarioError, Sentence, UsageError
from printkit.core.words import Words
from printkit.options.commands import GameOptions
from printkit.options.play import ArmyOptions
from printkit.recipes.game.games import HOW_TO_ANSWER, UserPrompts, play_with_undo
from printkit.recipes.game.request import parse_settings, read_dice
from printkit.recipes.output.files import write_folder
from printkit.systems.solo.armies.army import Army, Slot
from printkit.systems.solo.armies.army_files import SCHEMA, drawn_samples, in_words, read_army, samples
from printkit.systems.solo.armies.composing import Attack, ComposedArmy, compose_army, roll_for_attack
from printkit.systems.solo.armies.composition_text import composition_lines, sheet_lines
from printkit.systems.solo.armies.force import Force
from printkit.systems.solo.armies.game_armies import SAMPLE, choose_options
from printkit.systems.solo.armies.rules import load_rules_from_options
from printkit.systems.solo.armies.steps import Mode

_ARMIES: Final = "armies"
_YOURS: Final = "your-army"
_JSON: Final = ".json"
_TOML: Final = ".toml"


class ComposeJob(Struct, frozen=True, kw_only=True):
    """What came: lines to show and the log of dice; where dice were thrown, the army and who attacks.

    ``seed`` is the seed that was used, or None.
    """

    lines: tuple[str, ...]
    log: tuple[Throw, ...] = ()
    unused: int = 0
    composed: ComposedArmy | None = None
    attack: Attack | None = None
    seed: int | None = None


def compose_job(
    armies: ArmyOptions,
    game: GameOptions,
    words: Words,
    *,
    seed: int,
    person: UserPrompts | None = None,
    every: bool = False,
) -> ComposeJob:
    """Return a composition, thrown or as a sheet to throw by.

    Args:
        armies: without a name, the seed chooses a sample army, and the dice make its open choices.
        game: the settings and dice, and the user's seed, which rolls missing dice.
        words: the words of the report.
        seed: the user's seed, or a new one.
        person: answers for dice and choices, or None.
        every: show the elements of the NPG's army too.

    Raises:
        PrintkitError: an army, a setting or a die is wrong, or YOUR choices are open.
    """
    settings, listed = parse_settings(game.settings), read_dice(game.dice)
    if person is not None:
        person.tell(HOW_TO_ANSWER)

    def composed_by(begun: Sequence[Throw]) -> ComposeJob:
        rules = load_rules_from_options(settings)
        mode = Mode(rules.choice("mode"))
        if mode is not Mode.ROLLED and (person is not None or listed is not None):
            raise UsageError(
                "mode={mode} does not roll dice; remove --ask and --dice, or add --set mode={rolled}",
                mode=mode,
                rolled=Mode.ROLLED,
            )
        source = _source(person, listed, seed, begun, goes_on=game.seed is not None)
        dice = Dice(source)
        names = (armies.npg or rules.choice("npg"), armies.you or rules.choice("you"))
        npg, you = (in_words(army, words.each()[0]) for army in _armies(names[0], names[1], dice))
        if mode is not Mode.ROLLED:
            lines = in_turn(words, lambda one: sheet_lines(npg, you, rules, one, blank=mode is Mode.BLANK))
            return ComposeJob(lines=lines, log=tuple(dice.log), seed=seed if SAMPLE in names else None)
        if armies.choose_for_you or names[1] == SAMPLE or person is not None:
            you = choose_options(you, dice.at(_YOURS), _reason)
        elif you.find_open_slots():
            with _hinting():
                you.resolve_force()
        composed = compose_army(npg, you, dice, rules)
        attack = roll_for_attack(npg.aggression, you.aggression, dice)

        def told(one: Words) -> Iterator[str]:
            return composition_lines(composed, attack, rules, one, show_all=every, sealed=not every)

        return ComposeJob(
            lines=in_turn(words, told),
            log=tuple(dice.log),
            unused=source.unused_count if isinstance(source, ScriptedSource) else 0,
            composed=composed,
            attack=attack,
            seed=seed if SAMPLE in names or listed is None or game.seed is not None else None,
        )

    return play_with_undo(composed_by)


def in_turn(words: Words, tell: Callable[[Words], Iterable[str]]) -> tuple[str, ...]:
    """Return what is told, of two languages first in the one and then in the other: lines side by side are too long."""
    told = [tuple(tell(one)) for one in words.each()]
    return told[0] if len(told) == 1 else (*told[0], "", *told[1])


def write_job(job: ComposeJob, to: Path, *, force: bool = False) -> Path:
    """Write the finished army as an army file without choices, ``.toml``, or the trace of all steps, ``.json``.

    Raises:
        UsageError: another kind of file, or nothing was thrown that could be written.
        PageError: it cannot be written.
        FileTakenError: a file of other content is there already, and ``force`` is not given.
    """
    if to.suffix not in (_JSON, _TOML):
        raise UsageError(
            "--out {to!r} is not valid; write NAME.toml for the finished army or NAME.json for its trace", to=str(to)
        )
    if job.composed is None or job.attack is None:
        raise UsageError("--out writes a rolled army; add --set mode={rolled}", rolled=Mode.ROLLED)
    text = army_text(job.composed) if to.suffix == _TOML else _trace_text(job.composed, job.attack, job.seed)
    (path,) = write_folder({to.name: text}, to.parent, force=force)
    return path


def army_text(composed: ComposedArmy) -> str:
    """Return a finished army as the text of an army file: one that can be given again, and leaves nothing open."""
    return finished_text(
        composed.force, composed.combination.general.codes[0], Counter(composed.combination.other_codes)
    )


def finished_text(force: Force, general: str, counts: Mapping[str, int]) -> str:
    """Return an army as the text of an army file: its general's code, and how many others there are of each."""
    lines = [f"schema = {_quoted(SCHEMA)}", f"name = {_quoted(force.name)}", f"home = {_quoted(force.home)}"]
    lines += [f"aggression = {force.aggression}", f"camp = {'true' if force.camp else 'false'}"]
    if force.is_littoral:
        pairs = force.pairs
        lines += [
            f"littoral = {{ hills_or_marsh = {_quoted(pairs.hills_or_marsh)}, "
            f"woods_or_dunes = {_quoted(pairs.woods_or_dunes)} }}"
        ]
    fixed = ", ".join(f"{_quoted(code)} = {count}" for code, count in counts.items())
    lines += ["", "[[slot]]", 'id = "army"', f"fixed = {{ {fixed} }}", "", "[general]"]
    return "\n".join([*lines, f"options = [{_quoted(general)}]", ""])


def _trace_text(composed: ComposedArmy, attack: Attack, seed: int | None) -> str:
    steps = [step.as_data() for step in (*composed.steps, attack.step)]
    data = {"npg": composed.army.id, "you": composed.you.name, "seed": seed, "steps": steps}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _quoted(text: str) -> str:
    """Return a text as TOML writes it; JSON's way of quoting is one of its ways."""
    return json.dumps(text, ensure_ascii=False)


def source_of(
    person: UserPrompts | None, dice: str | None, seeded: Source, begun: Sequence[Throw], *, goes_on: bool
) -> Source:
    """Return where dice come from: the person at the terminal, a list of scores, or the seed, which goes on from it.

    What the person answered before, ``begun``, he is not asked for again.
    """
    if person is not None:
        return InteractiveSource(
            person.prompt, person.complain, seeded, earlier_answers=begun, has_setup_answers=person.has_earlier_answer
        )
    if dice is None:
        return seeded
    return ScriptedSource(read_scores(dice), seeded, seeded if goes_on else None)


def _source(
    person: UserPrompts | None, dice: str | None, seed: int, begun: Sequence[Throw], *, goes_on: bool
) -> Source:
    if person is None and dice is not None and is_log(dice):
        return ReplaySource(read_log(dice), Seeded(seed))
    return source_of(person, dice, Seeded(seed), begun, goes_on=goes_on)


def _armies(npg: str, you: str, dice: Dice) -> tuple[Army, Army]:
    """Return both armies; those that are not named are samples that chance draws, for the NPG one with choices."""
    if npg == SAMPLE:
        lists = [army.id for army in samples() if army.combination_count > 1 and army.id != you and not army.by_name]
        npg = dice.at(_ARMIES).choose(lists, Sentence("army of the NPG"), "SD-2-a")
    if you == SAMPLE:
        lists = [name for name in drawn_samples() if name != npg]
        you = dice.at(_ARMIES).choose(lists, Sentence("YOUR army"), "SD-2-a")
    return read_army(npg), read_army(you)


@contextmanager
def _hinting() -> Iterator[None]:
    """Say in an error about open choices what the command line can do about them."""
    try:
        yield
    except ScenarioError as error:
        raise ScenarioError(
            "{error}, or use --ask to be asked, or --choose-for-you to choose at random", error=error
        ) from None


def _reason(slot: Slot | None, element: int) -> Sentence:
    """Return what a choice of YOURS is for: of an element of a slot, counted from 1, or of the general."""
    if slot is None:
        return Sentence("YOUR army: general")
    return Sentence("YOUR army: {slot}, {number:d} of {count:d}", slot=slot.id, number=element, count=slot.count)

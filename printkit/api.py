"""The Python API: generate, load, check and print battlefields. Its files are byte-identical to the command line's.

Nothing here reads a clock, the environment or the settings of the user. The default language is English, the default
paper A4. Dice come from a seed or are given. A mistake that the user can correct is a ``PrintkitError``; its
``sentence`` says what to do. A path that ends like a format is a file. Any other path is a folder, in which files get
the names that the command line gives them. ``force`` overwrites files that exist with other content.

The keywords of printing are the fields of a class in ``printkit.options.printing``. Each has the name and the meaning
of an option of the command line; a single text stands for a sequence of one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict, replace

from printkit.core.errors import PrintkitError, ScenarioError, UsageError
from printkit.core.words import find_words
from printkit.export.writers import PAGES
from printkit.kit import registry
from printkit.kit.check import Judgement, judge_text
from printkit.kit.rules import NAMES_KEY, PLAYERS_KEY, TITLE_KEY
from printkit.options.printing import (
    CardOptions,
    EveningOptions,
    LanguageOptions,
    MapOptions,
    TileOptions,
    validate_formats,
)
from printkit.options.table import keywords
from printkit.recipes.game.games import GeneratedGame, play, replay_game, roundtrip_record
from printkit.recipes.game.request import LISTS, TABLES, build_orders, read_text
from printkit.terrain.field.record import Record, write

if TYPE_CHECKING:
    from printkit.core.words import Words
    from printkit.drawing.canvas.items import Drawing
    from printkit.kit.book import RuleBook
    from printkit.kit.system import RuleSystem

__all__ = ("Field", "Judgement", "PrintkitError", "cards", "check", "generate", "load", "rule_systems")

# The default language.
_LANGUAGE: Final = "en"

# The separators in names of settings that are not valid in Python names.
_SEPARATORS: Final = re.compile("[.-]")


class Field(GeneratedGame, frozen=True, kw_only=True):
    """A battlefield, with the game that made it.

    Attributes:
        record: the saved battlefield.
        warnings: warnings of the rule system about the game.
        renewed: stages outside ``reroll`` with rolls that were dropped or rolled again because they no longer fitted.
        idle: stages of ``reroll`` whose results do not depend on the seed.
    """

    @property
    def rules(self) -> str:
        """Return the name of the rule system."""
        return self.record.rules

    @property
    def title(self) -> str:
        """Return the name of the battlefield."""
        return self.record.battlefield.title

    @property
    def geojson(self) -> str:
        """Return the record as GeoJSON text in millimetres, for ``load``."""
        return write(self.record)

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the record in the format of the file suffix, or as ``.json`` into a folder; return its path.

        Raises:
            PrintkitError: the file cannot be written, or it already exists with other content.
        """
        from printkit.recipes.prints.exact_picture import save_field
        from printkit.recipes.prints.maps import map_context

        order = map_context(MapOptions(), find_words(_LANGUAGE))
        return save_field(self.record, registry.find(self.rules), order, Path(path), force=force)

    def check(self, rules: str | None = None) -> Judgement:
        """Return a verdict on every clause of the rules of the field, or of other rules."""
        return check(self, rules)

    def reroll(self, *stages: str, seed: int, keep: Sequence[str] = (), lang: str = _LANGUAGE) -> Field:
        """Return the field with some stages rolled again from a seed, or with all of them except those to ``keep``.

        Raises:
            PrintkitError: a stage is unknown, ``stages`` and ``keep`` are both given or both missing, or the field was
                drawn by hand.
        """
        if bool(stages) == bool(keep):
            raise UsageError("name the stages to roll again or the stages to keep, not both")
        return self._replay(lang, reroll=stages, keep=keep, new_seed=seed)

    def overwrite(self, answers: Mapping[int, object], *, seed: int, lang: str = _LANGUAGE) -> Field:
        """Return the field with other answers to some rolls, by their numbers in the log from 1.

        Earlier rolls do not change. Later rolls of the same stage come from the seed; later stages keep what still
        fits.

        Raises:
            PrintkitError: a roll is unknown, an answer is not valid, or the field was drawn by hand.
        """
        return self._replay(lang, overrides={number: str(answer) for number, answer in answers.items()}, new_seed=seed)

    def _replay(self, lang: str, **arguments: Any) -> Field:
        """Return a new field from a replay of this field's record, fitted to its box if it has one.

        ``lang`` is the language code of the words. ``arguments`` are those of ``replay_game``.
        """
        from printkit.recipes.box.refit import refit_to_box

        system, words = registry.find(self.rules), find_words(lang)
        return _build_field(
            refit_to_box(system, replay_game(system, self.record, words, **arguments), self.record, words)
        )

    @keywords(MapOptions)
    def draw(self, options: MapOptions) -> Drawing:
        """Return the board as a drawing in millimetres, without frame, legend and paper.

        Raises:
            PrintkitError: a scale, style or language is unknown.
        """
        from printkit.recipes.prints.map_plan import board_picture
        from printkit.recipes.prints.maps import map_context

        return board_picture(self.record, registry.find(self.rules), map_context(options, _find_words(options)))

    @keywords(MapOptions)
    def pdf(self, path: str | Path, options: MapOptions) -> tuple[Path, ...]:
        """Write the map as PDF, and return its files: the map, and for a map on a roll also its plan.

        Raises:
            PrintkitError: a paper, scale, style or language is unknown or does not fit the board, or the file already
                exists with other content.
        """
        return self._print_map("pdf", path, options)

    @keywords(MapOptions)
    def svg(self, path: str | Path, options: MapOptions) -> tuple[Path, ...]:
        """Write the map as SVG, one file for each page, and return its files; see ``pdf``."""
        return self._print_map("svg", path, options)

    @keywords(MapOptions)
    def png(self, path: str | Path, options: MapOptions) -> tuple[Path, ...]:
        """Write the map as PNG, one file for each page, and return its files; see ``pdf``.

        ``dpi="70/cell"`` gives a picture of the board only, with 70 pixels for each cell, or for each inch without a
        grid.
        """
        return self._print_map("png", path, options)

    @keywords(EveningOptions)
    def handouts(self, folder: str | Path, options: EveningOptions) -> tuple[Path, ...]:
        """Write a game-night folder, and return the paths of its files.

        Existing files are replaced only with ``options.force``.

        Raises:
            PrintkitError: see ``pdf``; or a part is unknown, or the folder contains another game night.
        """
        from printkit.recipes.evening.folder import validate_folder, write_evening
        from printkit.recipes.evening.handouts import evening, game_night_context

        target = Path(folder)
        validate_folder(target)
        night = evening(
            self.record, registry.find(self.rules), game_night_context(options, _find_words(options)), target
        )
        return write_evening(night.files, target, force=options.force, keep_others=night.is_addition)

    @keywords(TileOptions)
    def hexon(self, path: str | Path, options: TileOptions) -> tuple[Path, ...]:
        """Write the field as Hexon tiles with its record, and return the files.

        If ``path`` is a file, all names derive from it; in a folder they derive from the title of the field.

        Raises:
            PrintkitError: a format or setting is unknown, tiles cannot show the field, or a file already exists with
                other content.
        """
        from printkit.hexon.job import hexon_files, make_hexon_job, tile_context
        from printkit.recipes.output.files import write_folder

        order = tile_context(options, _find_words(options))
        with hexon_files(self.record, Path(path), order) as target:
            job = make_hexon_job(self, registry.find(self.rules), order, target)
            return write_folder(job.files, target.folder, force=options.force or target.may_replace)

    @keywords(CardOptions)
    def cards(self, deck: str, path: str | Path, options: CardOptions) -> tuple[Path, ...]:
        """Write a deck of this field as sheets of cards, and return the files; see the function ``cards``.

        Raises:
            PrintkitError: see the function; or ``rules`` or ``settings`` are given, because the field already has them.
        """
        if options.rules is not None:
            raise UsageError(
                "the cards of a battlefield use its own rules; remove rules={rules!r}", rules=options.rules
            )
        return _print_cards(deck, path, options, (registry.find(self.rules), self.record))

    def _print_map(self, name: str, path: str | Path, options: MapOptions) -> tuple[Path, ...]:
        """Write the map in the format ``name``, and return the paths of its files.

        ``path`` is a file or a folder; in a folder the record is saved too.
        """
        from printkit.recipes.prints.exact_picture import draw_map, validate_pixels
        from printkit.recipes.prints.file_names import battlefield_files, document_path, map_marks
        from printkit.recipes.prints.maps import map_context
        from printkit.recipes.prints.printing import map_tails, validate_bleed, write_document

        if options.wanted:
            raise UsageError("a field always prints the map; remove wanted")
        order = map_context(options, _find_words(options))
        validate_bleed(order, [name])
        validate_pixels(order, [name])
        document, plan = draw_map(self.record, registry.find(self.rules), order)
        further = None if plan is None else plan.separate_document
        out, tails = Path(path), map_tails(order, [name])
        with battlefield_files(self.record, out, user_path=document_path(out), tails=tails) as target:
            force = options.force or target.may_replace
            return write_document(
                document, target.with_marks(*map_marks(order)), [name], out, force=force, plan=further
            )


def generate(
    rules: str | None = None,
    *,
    seed: int | None = None,
    dice: str | None = None,
    board: str | None = None,
    cell: str | None = None,
    scenario: str | Path | None = None,
    inputs: Mapping[str, object] | None = None,
    lang: str = _LANGUAGE,
    **settings: str | float,
) -> Field:
    """Return a new battlefield; the same arguments give the same battlefield.

    Args:
        rules: the rule system; the default is that of the scenario, or ``brantley``.
        seed: the number of the game. Without it, ``dice`` must contain every roll.
        dice: your own dice and cards, ``"5 3 KS 7H"``, a log, or ``"@FILE"``; the seed supplies the remaining rolls.
        board: ``24in``, ``72x48in``, ``60cm`` or ``18BW``; the rules give the default.
        cell: the cell size of a grid: across the flats of a hex or along a side, for example ``100mm``.
        scenario: the path of a file with settings and lists of decisions.
        inputs: lists of decisions by name; they replace those of the file.
        lang: the language of names and of the title.
        settings: settings of the rules by key or alias, with an underscore for each hyphen or dot:
            ``br_q12="none"``.

    Raises:
        PrintkitError: rules, a setting or a board is not valid, the dice do not fit, or seed and dice are missing.
    """
    orders = build_orders(
        rules=rules,
        settings=(),
        scenario=None if scenario is None else Path(scenario),
        board=board,
        seed=seed,
        dice=dice,
        cell=cell,
    )
    if orders.seed is None and orders.dice is None:
        raise UsageError("a new battlefield needs a seed or dice; pass for example seed=7")
    system = registry.find(orders.rules)
    options = {_find_setting(system.book, name): str(value) for name, value in settings.items()}
    orders = replace(
        orders,
        names=options.pop(NAMES_KEY, orders.names),
        title=options.pop(TITLE_KEY, orders.title),
        players=options.pop(PLAYERS_KEY, orders.players),
        options=options,
        inputs={**orders.inputs, **_validate_lists(inputs or {})},
    )
    # Without a seed there are no further rolls; outlines and trees are those of seed 0.
    return _build_field(
        play(system, orders, orders.first_seed or 0, find_words(lang), continues=orders.seed is not None)
    )


def load(source: str | Path) -> Field:
    """Return the field of a record from the path of its file or from its text.

    The battlefield may also be drawn by hand.

    Raises:
        PrintkitError: the file cannot be read, or is not a record of a known rule system.
    """
    system, record = registry.read_record(_read_source(source))
    return Field(record=roundtrip_record(system, record))


def check(field: str | Path | Field, rules: str | None = None) -> Judgement:
    """Return a verdict on every clause for a field or a saved record, from its shapes and its log only.

    Args:
        field: a field, or a path or text as for ``load``.
        rules: the rules to check against; the default is those of the record.

    Raises:
        PrintkitError: the record cannot be read, or the rules are unknown.
    """
    text = field.geojson if isinstance(field, Field) else _read_source(field)
    return judge_text(text, registry.all_systems(), None if rules is None else registry.validate_name(rules))


@keywords(CardOptions)
def cards(deck: str, path: str | Path, options: CardOptions) -> tuple[Path, ...]:
    """Write a deck of cards as sheets to cut, and return the files.

    Args:
        deck: the name of the deck, the same as for ``printkit cards``.
        path: a file, or a folder.
        options: the keywords are the fields of ``CardOptions``; a shuffled deck needs ``seed``.

    Raises:
        PrintkitError: a deck, format or paper is unknown, a keyword does not fit the deck, or a file already exists
            with other content.
    """
    return _print_cards(deck, path, options, None)


def _print_cards(
    deck: str, path: str | Path, options: CardOptions, game: tuple[RuleSystem, Record] | None
) -> tuple[Path, ...]:
    """Write a deck of cards, and return the paths of its files; ``game`` is the game of the deck, or None.

    The formats are those of ``options.to``, PDF by default. ``path`` is a file or a folder.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.card_jobs import DeckJob, card_files, card_sheets
    from printkit.recipes.prints.decks import card_context, special_size
    from printkit.recipes.prints.printing import write_document

    formats = validate_formats(options.to, PAGES) or ("pdf",)
    options = replace(options, to=formats, size=options.size or special_size(deck))
    order = card_context(options, _find_words(options))
    job = DeckJob(deck=deck, order=order, draw_seed=_raise_no_seed, game=game, out=Path(path))
    sheets = card_sheets(job)
    if sheets.document is None:
        return write_folder(sheets.files, job.out, force=options.force)
    document = replace(sheets.document, dpi=options.dpi)
    with card_files(job, sheets, formats) as target:
        force = options.force or target.may_replace
        return write_document(document, target.with_marks(sheets.name), formats, job.out, force=force)


def _raise_no_seed() -> int:
    """Raise UsageError because a random deck has no seed."""
    raise UsageError("this deck is random and needs a seed; pass for example seed=7")


def _find_words(options: LanguageOptions) -> Words:
    """Return the texts of the language in the options, or of the default language."""
    return find_words(options.lang or _LANGUAGE)


def rule_systems() -> tuple[str, ...]:
    """Return the names of all rule systems, without loading those of printkit."""
    return registry.names()


def _build_field(game: GeneratedGame) -> Field:
    """Return a finished game as a field."""
    return Field(**asdict(game))


def _read_source(source: str | Path) -> str:
    """Return the text of a record; a source that does not begin with ``{`` is the path of a file."""
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    return read_text(Path(source))


def _find_setting(book: RuleBook, name: str) -> str:
    """Return the key or alias of a setting for a keyword; the keyword itself if there is none."""
    setting_names = (*(candidate for setting in book.settings for candidate in setting.names), *book.retired)
    return next((candidate for candidate in setting_names if _SEPARATORS.sub("_", candidate) == name.lower()), name)


def _validate_lists(inputs: Mapping[str, object]) -> Mapping[str, object]:
    """Return the lists of a scenario unchanged, after checking their names.

    Raises:
        ScenarioError: a name is unknown.
    """
    known_keys = (*LISTS, *TABLES)
    for key in inputs:
        if key not in known_keys:
            raise ScenarioError(
                "{path}: unknown key {key!r}; known keys are {known}",
                path="inputs",
                key=key,
                known=", ".join(known_keys),
            )
    return inputs

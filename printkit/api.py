"""printkit for programs: fields generated, loaded, judged and printed, to the same bytes as by the command line.

Nothing here reads a clock, the environment or what a person has set up. What is not said is the usual, as English and
A4; chance comes from a seed or from dice. What a person can mend is a ``PrintkitError``, whose ``sentence`` says what
would be right. A path with the ending of a format is a file, any other a folder, in which files are called as the
command line calls them. What is there already with other content is replaced with ``force`` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from printkit.core.errors import PrintkitError, ScenarioError, UsageError
from printkit.core.words import find as find_words
from printkit.export.writers import PAGES, PageWriter, known
from printkit.kit import registry
from printkit.kit.check import Judgement, judge_text
from printkit.kit.rules import NAMES_KEY, TITLE_KEY
from printkit.recipes.game.games import Played, play, play_again, settled
from printkit.recipes.game.request import LISTS, TABLES, ordered, read_text
from printkit.terrain.field.record import write

if TYPE_CHECKING:
    from printkit.drawing.canvas.items import Drawing
    from printkit.kit.book import RuleBook
    from printkit.recipes.evening.handouts import EveningOrder
    from printkit.recipes.prints.maps import MapSheet

__all__ = ("Field", "Judgement", "PrintkitError", "cards", "check", "generate", "load", "rule_systems")

_LANGUAGE: Final = "en"
"""What is said where nobody asks for another."""


_APART: Final = re.compile("[.-]")
"""What parts the words of a setting, and cannot stand in a name of Python."""


class Look(TypedDict, total=False):
    """How a board is drawn; each as the option of the command line of that name."""

    style: str
    lang: str
    scale: str
    dressing: str
    climate: str
    labels: bool
    numbers: bool
    zones: bool
    deployment: bool
    grid: bool


class PaperOptions(TypedDict, total=False):
    """On what sheets are printed, whether they name the seed, and whether no type on them is under 11 points."""

    sheet: str
    margin: str | None
    show_seed: bool
    large_print: bool


class Sheets(Look, PaperOptions, total=False):
    """How a map is drawn and laid over sheets; ``zone`` and ``only`` print some, ``pixels_per_cell`` is for ``png``."""

    overlap: str
    furniture: str | None
    key: str
    by_zone: bool
    zone: Sequence[str]
    only: Sequence[str]
    skip_bare: bool
    bleed: str
    pixels_per_cell: int


class Handouts(PaperOptions, total=False):
    """How everything for one evening is printed; ``wanted`` and ``unwanted`` say which parts it has, ``to`` as what."""

    style: str
    lang: str
    overlap: str
    size: str
    backs: str
    flip: str | None
    fold: bool
    dressing: str
    climate: str
    key: str
    player_a: Sequence[str]
    player_b: Sequence[str]
    laid: str
    wanted: Sequence[str]
    unwanted: Sequence[str]
    to: Sequence[str]
    url_base: str


class Tiles(PaperOptions, total=False):
    """How tiles are laid and printed; ``stock`` is the path of a file with one's own pieces."""

    style: str
    hexes: str | None
    grain: str | None
    hills: str
    footprint: str
    repair: str
    two_high: str
    mountain: str
    steps: str | None
    nodes: int | None
    stock: str | None
    far_side: bool
    overlays: bool


class Cards(PaperOptions, total=False):
    """How cards are printed and cut; each as the option of the command line of that name."""

    style: str
    size: str
    gutter: str
    bleed: str
    backs: str
    flip: str | None
    fold: bool
    outlined: bool
    count: int | None


class Field(Played, frozen=True, kw_only=True):
    """A battlefield, with the game that made it.

    Attributes:
        record: the field as it stands in its file.
        warnings: what the rules have to say about the game.
        renewed: stages besides those of ``reroll`` of which throws fell away or were thrown anew, for they fitted the
            others no longer.
        idle: stages of ``reroll`` in which there is nothing to throw.
    """

    @property
    def rules(self) -> str:
        """Return the name of the rule system."""
        return self.record.rules

    @property
    def title(self) -> str:
        """Return what the field is called."""
        return self.record.battlefield.title

    @property
    def geojson(self) -> str:
        """Return the record as GeoJSON text in millimetres, which can be loaded again."""
        return write(self.record)

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write the record to a file whose ending says the format, or as ``.json`` into a folder; return where it is.

        Raises:
            PrintkitError: it cannot be written, or another file is there.
        """
        from printkit.recipes.prints.exact_picture import save_field

        return save_field(self.record, registry.find(self.rules), _map_order(Sheets()), Path(path), force=force)

    def check(self, rules: str | None = None) -> Judgement:
        """Return a verdict on every clause of its rules, or of others."""
        return check(self, rules)

    def reroll(self, *stages: str, seed: int, keep: Sequence[str] = (), lang: str = _LANGUAGE) -> Field:
        """Return the field with stages thrown anew from a seed, or with all of them but those to ``keep``.

        Raises:
            PrintkitError: no such stage, none at all, or a field that was drawn by hand.
        """
        if bool(stages) == bool(keep):
            raise UsageError("name the stages to throw again, or else those to keep")
        return self._again(lang, reroll=stages, keep=keep, fresh=seed)

    def overwrite(self, answers: Mapping[int, object], *, seed: int, lang: str = _LANGUAGE) -> Field:
        """Return the field with answers laid over throws, by their numbers in the log from 1.

        What comes before such a throw stands. What comes after it in its stage is thrown from the seed; later stages
        keep what still fits.

        Raises:
            PrintkitError: no such throw, an answer that it cannot have, or a field that was drawn by hand.
        """
        return self._again(lang, own={number: str(answer) for number, answer in answers.items()}, fresh=seed)

    def _again(self, lang: str, **changes: Any) -> Field:
        from printkit.recipes.box.holding import held_again

        system, words = registry.find(self.rules), find_words(lang)
        return _field(held_again(system, play_again(system, self.record, words, **changes), self.record, words))

    def draw(self, **look: Unpack[Look]) -> Drawing:
        """Return the board as a display list in millimetres, without frame, legend and paper."""
        from printkit.recipes.prints.maps import board_picture

        _judge_names(look, Look)
        return board_picture(self.record, registry.find(self.rules), _map_order(cast(Sheets, look)))

    def pdf(self, path: str | Path, *, force: bool = False, **sheets: Unpack[Sheets]) -> tuple[Path, ...]:
        """Write the map as PDF, and return its file, and that of the plan of a map on a roll.

        Raises:
            PrintkitError: a paper, scale, style or language that is not known, or that does not go with the board;
                another file is there.
        """
        return self._printed("pdf", path, sheets, force=force)

    def svg(self, path: str | Path, *, force: bool = False, **sheets: Unpack[Sheets]) -> tuple[Path, ...]:
        """Write the map as SVG, a file a page, and return its files; as ``pdf``."""
        return self._printed("svg", path, sheets, force=force)

    def png(
        self, path: str | Path, *, dpi: float | None = None, force: bool = False, **sheets: Unpack[Sheets]
    ) -> tuple[Path, ...]:
        """Write the map as PNG, a file a page, and return its files; as ``pdf``. Usual are 150 dots an inch."""
        from printkit.export import png

        writer = partial(png.write, dpi=dpi)
        return self._printed("png", path, sheets, force=force, writers={"png": writer})

    def handouts(self, folder: str | Path, *, force: bool = False, **handouts: Unpack[Handouts]) -> tuple[Path, ...]:
        """Write everything for one evening into a folder, and return its files.

        Raises:
            PrintkitError: as of ``pdf``; or the folder holds another evening.
        """
        from printkit.recipes.evening.folder import write_evening
        from printkit.recipes.evening.handouts import evening, judge_folder

        _judge_names(handouts, Handouts)
        judge_folder(Path(folder))
        made = evening(self.record, registry.find(self.rules), _evening_order(handouts), Path(folder))
        return write_evening(made.files, Path(folder), force=force)

    def hexon(
        self,
        path: str | Path,
        *,
        format: str | Sequence[str] = (),
        lang: str = _LANGUAGE,
        force: bool = False,
        **tiles: Unpack[Tiles],
    ) -> tuple[Path, ...]:
        """Write the field as Hexon tiles, and its record beside them; return the files.

        Args:
            path: a file, whose name all of them share, or a folder.
            format: ``pdf``, ``json``, ``csv``, ``text-mapper``, ``tiled`` or several; none is the first three.
            lang: the language of sheets and notes.
            force: whether other files give way.
            tiles: how they are laid.

        Raises:
            PrintkitError: no such format or setting, or a field that cannot be laid; another file is there.
        """
        from printkit.hexon.job import HexonRequest, hexon_job, hexon_order, names_of
        from printkit.recipes.output.files import write_folder

        formats = (format,) if isinstance(format, str) else tuple(format)
        order = hexon_order(HexonRequest(formats=formats, **tiles), find_words(lang))
        folder, name, record_name = names_of(self, Path(path), 1, order)
        job = hexon_job(self, registry.find(self.rules), order, name=name, record_name=record_name)
        return write_folder(job.files, folder, force=force)

    def _printed(
        self,
        name: str,
        path: str | Path,
        sheets: Sheets,
        *,
        force: bool,
        writers: Mapping[str, PageWriter] = PAGES,
    ) -> tuple[Path, ...]:
        from printkit.recipes.prints.exact_picture import judge_pixels, printed
        from printkit.recipes.prints.file_names import map_name
        from printkit.recipes.prints.printing import judge_bleed, write_document

        _judge_names(sheets, Sheets)
        order = _map_order(sheets)
        judge_bleed(order, [name])
        judge_pixels(order, [name])
        document, planned = printed(self.record, registry.find(self.rules), order)
        called = map_name(self.record, order)
        to, plan = Path(path), None if planned is None else planned.apart
        return write_document(document, called, [name], to, force=force, writers=writers, plan=plan)


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
    """Return a new battlefield; of the same arguments the same.

    Args:
        rules: the rule system; that of the scenario if None, or else ``brantley``.
        seed: of all chance; without one all of it must be in ``dice``.
        dice: scores and cards as they fell, ``"5 3 KS 7H"``, a log, or ``"@FILE"``; a seed throws on from there.
        board: its size, as ``36in`` or ``72x48in``; the system's own if None.
        cell: across an area of a gridded board, as ``100mm``.
        scenario: the path of a file with settings and lists.
        inputs: such lists by their names, each of texts; they take the place of those in the file.
        lang: the language of names and of the title.
        settings: those of the rules by key or plain name, an underscore for each hyphen or dot: ``br_q12="none"``.

    Raises:
        PrintkitError: no such rules, setting or board; dice that do not fit; neither seed nor dice.
    """
    orders = ordered(
        rules=rules,
        settings=(),
        scenario=None if scenario is None else Path(scenario),
        board=board,
        seed=seed,
        dice=dice,
        cell=cell,
    )
    if orders.seed is None and orders.dice is None:
        raise UsageError("nothing is thrown without a seed or dice; give seed=7, or the dice that fell")
    system = registry.find(orders.rules)
    options = {_key(system.book, name): str(value) for name, value in settings.items()}
    orders = replace(
        orders,
        names=options.pop(NAMES_KEY, orders.names),
        title=options.pop(TITLE_KEY, orders.title),
        options=options,
        inputs={**orders.inputs, **_known_lists(inputs or {})},
    )
    # Without a seed nothing is thrown on; outlines and trees are then those of seed 0.
    return _field(play(system, orders, orders.first_seed or 0, find_words(lang), goes_on=orders.seed is not None))


def load(source: str | Path) -> Field:
    """Return the field of a record, by the path of its file or by its text; also of one that was drawn by hand.

    Raises:
        PrintkitError: it cannot be read, or is no record of a rule system that is known.
    """
    system, record = registry.read_record(_text(source))
    return Field(record=settled(system, record))


def check(field: str | Path | Field, rules: str | None = None) -> Judgement:
    """Return a verdict on every clause, by geometry and log alone, of a field, or of a record as for ``load``.

    Args:
        field: what is judged.
        rules: the rule system that judges, where it is not its own.

    Raises:
        PrintkitError: it cannot be read, or no such rules.
    """
    text = field.geojson if isinstance(field, Field) else _text(field)
    return judge_text(text, registry.every(), None if rules is None else registry.known(rules))


def cards(
    deck: str,
    path: str | Path,
    *,
    of: Field | str | None = None,
    seed: int | None = None,
    copies: int | None = None,
    settings: Sequence[str] = (),
    format: str | Sequence[str] = "pdf",
    lang: str = _LANGUAGE,
    force: bool = False,
    **cards: Unpack[Cards],
) -> tuple[Path, ...]:
    """Write a deck of cards, or what goes by the name of one, as sheets to be cut, and return the files.

    Args:
        deck: its name, as ``printkit cards`` takes it.
        path: a file, or a folder.
        of: the field, or else the rule system, of which the deck is; the usual one if None.
        seed: of a deck that is shuffled.
        copies: of each card of such a deck.
        settings: ``NAME=VALUE``, of a deck that has any.
        format: ``pdf``, ``svg``, ``png`` or several.
        lang: the language of the cards.
        force: whether other files give way.
        cards: how they are printed.

    Raises:
        PrintkitError: no such deck, format or paper, or something goes with another deck; another file is there.
    """
    from printkit.recipes.output.files import write_folder
    from printkit.recipes.prints.card_jobs import CardAsk, card_sheets
    from printkit.recipes.prints.decks import CardRequest, card_order, usual_size
    from printkit.recipes.prints.printing import write_document

    _judge_names(cards, Cards)
    formats = [known(name, PAGES) for name in ((format,) if isinstance(format, str) else format)]
    request = CardRequest(**cards)
    made = card_sheets(
        CardAsk(
            deck=deck,
            order=card_order(replace(request, size=request.size or usual_size(deck)), find_words(lang)),
            fresh=_no_seed,
            rules=of if isinstance(of, str) else None,
            game=(registry.find(of.rules), of.record) if isinstance(of, Field) else None,
            settings=settings,
            seed=seed,
            copies=copies,
            formats=formats,
        )
    )
    if made.document is None:
        return write_folder(made.files, Path(path), force=force)
    return write_document(made.document, made.name, formats, Path(path), force=force)


def _no_seed() -> int:
    raise UsageError("this deck is shuffled, or made by chance, and wants a seed; give seed=7")


def rule_systems() -> tuple[str, ...]:
    """Return the names of all rule systems; none of ours is loaded for that."""
    return registry.names()


def _field(game: Played) -> Field:
    return Field(**asdict(game))


def _text(source: str | Path) -> str:
    """Return the text of a record: what begins as an object is one, all else the path of a file."""
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    return read_text(Path(source))


def _key(book: RuleBook, name: str) -> str:
    """Return how the rule book spells a setting that is given as a keyword."""
    spelled = (*(each for setting in book.settings for each in setting.names), *book.retired)
    return next((each for each in spelled if _APART.sub("_", each) == name.lower()), name)


def _known_lists(inputs: Mapping[str, object]) -> Mapping[str, object]:
    known = (*LISTS, *TABLES)
    for key in inputs:
        if key not in known:
            raise ScenarioError(
                "{path}: {key!r} means nothing here; there are {known}", path="inputs", key=key, known=", ".join(known)
            )
    return inputs


def _judge_names(given: Mapping[str, object], known: type[object]) -> None:
    """Refuse keywords that there are not, which Python does not for a dictionary that says what it holds."""
    for name in given:
        if name not in known.__annotations__:
            raise TypeError(f"unexpected keyword argument {name!r}; there are {', '.join(known.__annotations__)}")


def _map_order(own: Sheets) -> MapSheet:
    from printkit.recipes.prints.maps import MapRequest, map_sheet

    alone = {"only": tuple(own.get("zone", ())), "reprint": tuple(own.get("only", ()))}
    return map_sheet(MapRequest(**{**_of(MapRequest, own), **alone}), find_words(own.get("lang", _LANGUAGE)))


def _evening_order(own: Handouts) -> EveningOrder:
    from printkit.recipes.evening.handouts import evening_order
    from printkit.recipes.evening.parts import choice_of
    from printkit.recipes.output.printers import PrintRequest, printing_of_players
    from printkit.recipes.prints.decks import CardRequest

    map_order = _map_order(cast(Sheets, {name: value for name, value in own.items() if name in Sheets.__annotations__}))
    lang, choices = own.get("lang", _LANGUAGE), {"A": own.get("player_a", ()), "B": own.get("player_b", ())}
    usual = PrintRequest(**_of(PrintRequest, own))
    sheets = printing_of_players(choices, usual, lang, words=lambda code: find_words(code or lang))
    choice = choice_of(own.get("laid", "print"), own.get("wanted", ()), own.get("unwanted", ()))
    cards, to = CardRequest(**_of(CardRequest, own)), own.get("to", ())
    return evening_order(map_order, cards, sheets, choice=choice, formats=to, url_base=own.get("url_base", ""))


def _of(kind: type[Struct], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given of the fields of a structure."""
    return {name: value for name, value in given.items() if name in kind.__struct_fields__}

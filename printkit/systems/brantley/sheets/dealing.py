"""Sealed games of the card system: deal a pack and seal it, place its cards turn by turn, and reveal them.

Cards leave this module only in the file of the sealed game, and in separate documents for each hand and the ninth card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from printkit.chance.dice import Act, Dice, Question, ScriptedSource, Seeded, is_log, read_log, read_scores
from printkit.core.errors import DiceError, RecordError, ScenarioError, UsageError
from printkit.core.numbers import is_number
from printkit.core.words import Words
from printkit.kit.book import RuleBook
from printkit.kit.registry import find, shapes_of
from printkit.kit.rules import NAMES_KEY, OWN_KEYS, PLAYERS_KEY, TITLE_KEY, Rules
from printkit.page.sheet import Document
from printkit.recipes.game.games import GeneratedGame, UserPrompts, play, roundtrip_record
from printkit.recipes.game.request import Orders
from printkit.recipes.game.scenarios import build_scenario
from printkit.recipes.output.files import FileContent
from printkit.recipes.output.printers import SheetContext
from printkit.systems.brantley.dealing.closed_game import JOURNAL, ClosedGame, salt_of, write
from printkit.systems.brantley.dealing.deal import (
    CARDS_NEEDED,
    PLAYERS,
    choose_first_player,
    reveal,
    shuffle,
)
from printkit.systems.brantley.dealing.game_rules import RULES, is_ninth_blind
from printkit.systems.brantley.dealing.inputs import Inputs, plain
from printkit.systems.brantley.dealing.progress import Progress, seal_facts, turn_texts
from printkit.systems.brantley.dealing.readers import (
    HiddenBoard,
    build_hand_sheet,
    build_ninth_sheet,
    hide_board,
    numbers_line,
    seal_line,
)
from printkit.systems.brantley.sheets.boards import hidden_lines
from printkit.systems.brantley.sheets.documents import (
    build_board_document,
    build_form_document,
    build_hand_document,
    build_ninth_document,
    build_reveal_document,
    next_turn_line,
    read_reveal_facts,
)
from printkit.systems.brantley.sheets.game_folder import SEALED_GAME_NAME
from printkit.terrain.field.record import Record

# The names of the sheets of a deal, by their paths below the folder of the game.
SHEETS: Final = {
    "player-a/hand.pdf": "player-a",
    "player-b/hand.pdf": "player-b",
    "ninth/ninth.pdf": "ninth",
    "board.pdf": "board",
    "record-form.pdf": "record-form",
}

SHEET_NAMES: Final = tuple(SHEETS.values())

_LISTS_AFTER_DEAL: Final = ("placements", "zones")
_LISTS_OF_DEAL: Final = ("deck", "zones")


def deal_game(orders: Orders, seed: int, *, salt: str, is_open: bool = False) -> ClosedGame:
    """Deal a pack and seal it (BR-M11); return the sealed game, without writing a file.

    Args:
        orders: settings, a recorded pack, dice, and lists for after the reveal.
        seed: of the dice and shapes of the reveal; for an open game, of the pack too.
        salt: random hexadecimal digits, which shuffle the pack; not used for an open game.
        is_open: True if pack and salt come from the seed: nothing is hidden, and the same seed deals the same cards.

    Raises:
        UsageError: another rule system, or an impossible board.
        ScenarioError: a setting or list is wrong, or belongs after the deal.
        DiceError: a card or die is impossible (BR-X06..BR-X08).
    """
    if orders.rules != RULES:
        raise UsageError("{orders_rules} has no secret deal; use {rules}", orders_rules=orders.rules, rules=RULES)
    system = find(RULES)
    scenario = build_scenario(system, orders, seed)
    inputs = Inputs.from_scenario(orders.inputs)
    for name in _LISTS_AFTER_DEAL:
        if orders.inputs.get(name):
            raise ScenarioError("leave out {name} at the deal; give them later to printkit status or reveal", name=name)
    chance = Seeded(seed) if is_open else Seeded(seed, {"deal": int(salt, 16)})
    dice_texts = _parse_dice(orders.dice)
    continues = orders.seed is not None
    numbers = [score for score in dice_texts if is_number(score.lstrip("+-"))]
    dice = Dice(
        ScriptedSource(dice_texts, chance, chance if continues or not numbers else None) if dice_texts else chance
    )
    pack = shuffle(dice.at("deal"), inputs.deck)
    first_player = choose_first_player(Rules.of(system.book, scenario.settings), dice.at("placing"))
    deal_dice = tuple(throw.answer for throw in dice.log if throw.act is Act.DIE)
    later_inputs = {name: lines for name, lines in orders.inputs.items() if name != "deck"}
    return ClosedGame(
        salt=salt_of(seed) if is_open else salt,
        pack=tuple(map(str, pack)),
        seed=seed,
        settings={**scenario.settings, **orders.extra_settings},
        first=first_player,
        board=orders.board or "",
        thrown=deal_dice,
        dice=tuple(numbers[len(deal_dice) :]),
        goes_on=continues,
        inputs={name: tuple(lines) for name, lines in plain(later_inputs).items()},
        is_open=is_open,
        shapes=shapes_of(RULES),
        journal=JOURNAL,
    )


def deal_files(game: ClosedGame, order: SheetContext) -> dict[str, FileContent]:
    """Return every file of a deal by its path below the folder of the game (BR-M11).

    Give each player only their own folder, ``player-a`` or ``player-b``. The ninth card has a file only if it is blind.

    Raises:
        PageError: the paper is too small.
        RecordError: the game has a setting that no longer exists.
    """
    seal, hands_dealt, words = game.seal, game.dealt, order.words
    rules = Rules.of(find(RULES).book, current_settings(game))
    hands: dict[str, FileContent] = {}
    for player in PLAYERS:
        hand = build_hand_sheet(hands_dealt, player, game.first, seal=seal, rules=rules, words=words)
        hands[f"player-{player.lower()}/hand.pdf"] = build_hand_document(hand, order)
    sealed_card = build_ninth_sheet(hands_dealt, seal=seal, rules=rules, words=words) if is_ninth_blind(rules) else None
    ninth = build_ninth_document(sealed_card, order) if sealed_card is not None else None
    return {
        SEALED_GAME_NAME: write(game, words("dealing.note_open" if game.is_open else "dealing.note")),
        **hands,
        **({"ninth/ninth.pdf": ninth} if ninth else {}),
        "board.pdf": build_board_document(order, seal=seal),
        "record-form.pdf": build_form_document(order, rules, seal),
    }


def reveal_game(
    progress: Progress, orders: Orders, words: Words, *, prompts: UserPrompts | None = None
) -> GeneratedGame:
    """Return the battlefield of a sealed game: open the ninth card and roll the rest (BR-M14).

    Args:
        progress: the game with all its cards on the board.
        orders: settings, dice and lists for the part after the reveal; the seed can only be that of the deal.
        words: the language of names and titles.
        prompts: asks the user for every roll.

    Raises:
        ScenarioError: there are not eight turns (BR-X05), a sealed setting or list changes, a list is wrong, or there
            are both dice and players' numbers.
        RecordError: a newer printkit dealt the game, or an older one with a setting that no longer exists.
        DiceError: a die is impossible or missing (BR-X07, BR-X08).
        PlacementError: a recorded feature or course breaks a placement rule (BR-X10..BR-X19, BR-X21).
    """
    game, turns, numbers = progress.game, progress.turns, progress.numbers
    settings = current_settings(game)
    if (current_shapes := shapes_of(RULES)) < game.shapes:
        raise RecordError(
            "made by a newer printkit (shapes version {made}, yours {here}); update printkit",
            made=game.shapes,
            here=current_shapes,
            clause="BR-M13",
        )
    reveal(game.dealt, turns)
    system = find(RULES)
    own_settings = {key: game.settings[key] for key in OWN_KEYS if key in game.settings}
    _refuse_sealed_changes(system.book, game, settings, orders)
    if numbers and (orders.dice is not None or prompts is not None):
        raise ScenarioError(
            "the dice of this game come from player B's number; leave out --dice and --ask", clause="BR-M13"
        )
    dice_texts = (*game.thrown, *game.dice, *_parse_dice(orders.dice))
    is_replay = orders.dice is not None and is_log(orders.dice)
    complete = Orders(
        rules=RULES,
        settings=settings,
        board=game.board or None,
        dice=orders.dice if is_replay else " ".join(dice_texts) or None,
        names=orders.names or own_settings.get(NAMES_KEY, ""),
        title=orders.title or own_settings.get(TITLE_KEY, ""),
        players=orders.players or own_settings.get(PLAYERS_KEY, ""),
        inputs={
            **game.inputs,
            **orders.inputs,
            "deck": [" ".join(game.pack)],
            "placements": list(turn_texts(turns)),
        },
    )
    game_result = play(
        system,
        complete,
        progress.seed,
        words,
        continues=bool(game.goes_on or orders.seed is not None or numbers or len(dice_texts) == len(game.thrown)),
        prompts=_prompts_after_deal(prompts, () if is_replay else (*game.thrown, *game.dice))
        if prompts is not None
        else None,
    )
    _refuse_other_dice(game, game_result.record)
    if not game.dice and orders.dice is None:
        # The seed rolled the dice of the deal, so no notice calls them the user's.
        game_result = replace(game_result, warnings=())
    details = {**game_result.record.details, **seal_facts(progress)}
    return replace(game_result, record=roundtrip_record(system, replace(game_result.record, details=details)))


def current_settings(game: ClosedGame) -> dict[str, str]:
    """Return the rule settings of a sealed game, in the names and values of this version.

    Raises:
        RecordError: it was dealt with a setting that no longer exists.
    """
    book = find(RULES).book
    book.refuse_retired(game.rule_settings)
    return book.current(game.rule_settings)


def reveal_sheet(record: Record, order: SheetContext) -> Document:
    """Return the reveal sheet of any record of the card system (BR-A09).

    Raises:
        RecordError: the record does not contain the cards of its zones.
        PageError: the paper is too small.
    """
    return build_reveal_document(read_reveal_facts(record, order), order, record)


def _refuse_sealed_changes(
    book: RuleBook, game: ClosedGame, sealed_settings: Mapping[str, str], orders: Orders
) -> None:
    """Refuse options that would change the deal.

    Raises:
        ScenarioError: a list, the board, the seed or a setting differs from the deal; the message names it.
    """
    if orders.inputs.get("placements"):
        raise ScenarioError("the cards were placed with printkit status; leave out placements", clause="BR-M13")
    for name, lines in plain(orders.inputs).items():
        if name in _LISTS_OF_DEAL or tuple(lines) != game.inputs.get(name, tuple(lines)):
            raise ScenarioError("{name} cannot change after the deal; leave it out", name=name)
    if orders.board is not None:
        raise ScenarioError("board cannot change after the deal; leave it out")
    if any(seed not in (None, game.seed) for seed in (orders.seed, orders.log_seed)):
        raise ScenarioError("the seed of the dice was sealed when the cards were dealt; leave it out", clause="BR-M13")
    new_settings = book.settle(sealed_settings, orders.settings, orders.options)
    for setting in book.settings:
        if new_settings[setting.key] != sealed_settings[setting.key]:
            raise ScenarioError(
                "{key} was set to {closed} at the deal and cannot change; leave it out",
                key=setting.name,
                closed=sealed_settings[setting.key],
                clause=setting.clause,
            )


def _refuse_other_dice(game: ClosedGame, record: Record) -> None:
    """Refuse a log with other dice than the sealed ones; dice after the sealed ones may be any.

    Raises:
        DiceError: a die differs.
    """
    sealed_dice = (*game.thrown, *game.dice)
    rolled_dice = tuple(throw.answer for throw in record.log if throw.act is Act.DIE)[: len(sealed_dice)]
    if rolled_dice != sealed_dice[: len(rolled_dice)]:
        raise DiceError(
            "the sealed dice are {sealed}; the log has {thrown}",
            sealed=" ".join(sealed_dice),
            thrown=" ".join(rolled_dice),
            clause="BR-M13",
        )


def _parse_dice(dice: str | None) -> list[str]:
    """Return the scores and cards of a list of scores or of the text of a log; empty for None.

    Choices in a log are left out.

    Raises:
        DiceError: a line of the log has too few parts.
    """
    if dice is None:
        return []
    if not is_log(dice):
        return list(read_scores(dice))
    return [score for throw in read_log(dice) if throw.act is not Act.CHOICE for score in throw.answer.split()]


def _prompts_after_deal(prompts: UserPrompts, deal_dice: Sequence[str]) -> UserPrompts:
    """Return prompts that take the dice of the deal first and then ask the user.

    ``deal_dice`` are the answers in their order; ``prompts`` itself does not change.
    """
    remaining_dice = list(deal_dice)

    def prompt(question: Question) -> str:
        """Return the next die of the deal; when none is left, ask the user."""
        return remaining_dice.pop(0) if remaining_dice else prompts.prompt(question)

    return replace(prompts, prompt=prompt)


# --- A sealed game in progress: its file, the file of turns, and the public board -------------------------------------

_COLUMNS: Final = 3


def build_hidden_board(progress: Progress) -> HiddenBoard:
    """Return the public state of a sealed game: the player of each card, the next player, the codes (BR-M16)."""
    game, lines = progress.game, progress.journal.lines
    board = hide_board(progress.turns, game.first, seal=game.seal, ninth=game.ninth)
    if not lines or progress.reveal_fingerprint:
        return board
    return replace(
        board,
        codes={int(text[-1]): (number, lines[number - 1].code) for number, text in progress.journal.turns.items()},
        last=(f"{len(lines)} {lines[-1].text}", lines[-1].code),
    )


def status_lines(board: HiddenBoard, words: Words, numbers: Mapping[str, int] = {}) -> Iterator[str]:
    """Yield the hidden board as text: its zones with A's edge on top, and whose turn it is (BR-A08).

    ``numbers`` are the numbers that players have added; they are public.
    """
    if board.seal is not None:
        yield seal_line(board.seal, words)
        yield ""
    cells = [[str(zone.zone), *hidden_lines(zone, board.blind, words)] for zone in board.zones]
    # The width of all texts that a zone may contain, so that the board keeps its width from turn to turn.
    turn_text = words("dealing.laid", player=PLAYERS[0], turn=CARDS_NEEDED - 1)
    width = max(len(text) for text in (words("dealing.face_down"), words("dealing.blind"), turn_text)) + 2
    total_width = _COLUMNS * (width + 1) + 1
    rule = f"+{'+'.join(['-' * width] * _COLUMNS)}+"
    yield words("dealing.player", player=PLAYERS[0]).center(total_width).rstrip()
    yield rule
    for first in range(0, len(cells), _COLUMNS):
        for lines in zip(*cells[first : first + _COLUMNS], strict=True):
            yield f"|{'|'.join(f' {line}'.ljust(width) for line in lines)}|"
        yield rule
    yield words("dealing.player", player=PLAYERS[1]).center(total_width).rstrip()
    yield ""
    yield next_turn_line(board, words)
    if numbers:
        yield numbers_line(numbers, words)
    line, code = board.last
    if code:
        yield words("dealing.code", line=line, code=code)

"""The journal of a sealed game: every card placed and player B's number, one line each, with a code for every line.

    printkit-game 1 1ff176ce059a931b5a5fcb6cd20fb404
    1 A a4 9 91be5c20aa07
    2 B b4 8 3f9c0a71d2e4
    ...
    9 number B 416235 c0ffee123456
    10 revealed 7d1f0b22d19e6a517d1f0b22d19e6a51 0b22d19e6a51

The salt of the sealed game goes into each code, and so does the code of the line before. Therefore a code does not
reveal a card. Whoever keeps the code of a line can prove after the reveal that nobody changed this line or an earlier
one (BR-M13).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from printkit.core.errors import ScenarioError, UsageError
from printkit.systems.brantley.dealing.closed_game import JOURNAL, ClosedGame, fingerprint
from printkit.systems.brantley.dealing.deal import CARDS_NEEDED, ZoneCard, read_turns, write_turn

# Digits of a code, of the fingerprint of a revealed battlefield, and of the seed that a code and a number give.
CODE_DIGITS: Final = 12
FINGERPRINT_DIGITS: Final = 32
_SEED_DIGITS: Final = 12

# The lines that a journal may have: enough for many cards taken back.
MAX_LINES: Final = 200

# The digits that player B's number may have. Six are enough against trying out all of them by hand.
NUMBER_DIGITS: Final = (6, 12)

# The player who gives the number for the dice. The other one usually keeps the game.
NUMBER_PLAYER: Final = "B"

_HEADER: Final = "printkit-game"
_DIGITS: Final = rf"[1-9]\d{{{NUMBER_DIGITS[0] - 1},{NUMBER_DIGITS[1] - 1}}}"
_LINE: Final = re.compile(rf"(\d{{1,3}}) (\S.*?) ([0-9a-f]{{{CODE_DIGITS}}})", re.ASCII)
_BACK: Final = re.compile(r"\s*back\s+(\d{1,3})\s*", re.ASCII | re.IGNORECASE)
_NUMBER: Final = re.compile(rf"number {NUMBER_PLAYER} ({_DIGITS})", re.ASCII)
_REVEALED: Final = re.compile(rf"revealed ([0-9a-f]{{{FINGERPRINT_DIGITS}}})")
_TYPED_NUMBER: Final = re.compile(rf"\s*{NUMBER_PLAYER}\s*=\s*({_DIGITS})\s*", re.ASCII | re.IGNORECASE)
_TYPED_CODE: Final = re.compile(r"\s*(\d{1,3})\s*=\s*([0-9a-f\s-]+)", re.ASCII | re.IGNORECASE)


class JournalLine(Struct, frozen=True):
    """A line of a journal without its number: what happened, and its code."""

    text: str
    code: str


class Journal(Struct, frozen=True):
    """The journal of a sealed game: the commitment to the deal, and the lines in their order.

    It changes only by ``add_line``, which returns a new journal.
    """

    commitment: str
    lines: tuple[JournalLine, ...] = ()

    @property
    def turns(self) -> Mapping[int, str]:
        """Return the cards that are placed, as texts such as ``A a4 9``, by the number of their line.

        Cards that the players took back are left out.
        """
        turns: dict[int, str] = {}
        for number, line in enumerate(self.lines, 1):
            if back := _BACK.fullmatch(line.text):
                turns = {place: text for place, text in turns.items() if place < int(back[1])}
            elif not _NUMBER.fullmatch(line.text) and not _REVEALED.fullmatch(line.text):
                turns[number] = line.text
        return turns

    @property
    def number(self) -> int | None:
        """Return player B's number; None if the journal does not have it."""
        return next((int(match[1]) for line in self.lines if (match := _NUMBER.fullmatch(line.text))), None)

    @property
    def reveal_fingerprint(self) -> str:
        """Return the fingerprint of the revealed battlefield; empty before the reveal."""
        return next((match[1] for line in self.lines if (match := _REVEALED.fullmatch(line.text))), "")

    @property
    def last_code(self) -> str:
        """Return the code of the last line, or the commitment if there is no line."""
        return self.lines[-1].code if self.lines else self.commitment

    @property
    def line_texts(self) -> tuple[str, ...]:
        """Return the texts of all lines but the reveal, as records have them."""
        return tuple(line.text for line in self.lines if not _REVEALED.fullmatch(line.text))


def add_line(game: ClosedGame, journal: Journal, text: str) -> Journal:
    """Return a journal with one more line, if it may come now.

    ``text`` is a card such as ``A a4 9`` or ``A KS 9``, ``back 7`` for the cards of line 7 and after it,
    ``number B 416235``, or ``revealed`` with a fingerprint. The new line never names a card.

    Raises:
        ScenarioError: the line cannot come now, or breaks BR-X01 to BR-X04; says why.
    """
    number = len(journal.lines) + 1
    if number > MAX_LINES:
        raise ScenarioError("a game has at most {count} lines; deal a new game", count=MAX_LINES)
    if journal.reveal_fingerprint:
        raise ScenarioError("line {number}: the game is revealed; nothing can be added", number=number, clause="BR-M14")
    if _REVEALED.fullmatch(text):
        return _append(game, journal, text, "")
    if journal.number is not None:
        raise ScenarioError(
            "line {number}: player B has given the number for the dice; after that nothing can change",
            number=number,
            clause="BR-M13",
        )
    if _NUMBER.fullmatch(text):
        if (placed_count := len(journal.turns)) < CARDS_NEEDED - 1:
            raise ScenarioError(
                "line {number}: player B gives the number when all {needed} cards are placed; {count} are placed",
                number=number,
                needed=CARDS_NEEDED - 1,
                count=placed_count,
                clause="BR-M13",
            )
        return _append(game, journal, text, "")
    if back := _BACK.fullmatch(text):
        if int(back[1]) not in journal.turns:
            raise ScenarioError(
                "line {number}: line {back} of the game is not a card on the board, so it cannot be taken back",
                number=number,
                back=int(back[1]),
            )
        return _append(game, journal, f"back {int(back[1])}", "")
    if len(journal.turns) == CARDS_NEEDED - 1:
        raise ScenarioError(
            "line {number}: all {needed} cards are placed; only player B's number can come now",
            number=number,
            needed=CARDS_NEEDED - 1,
            clause="BR-X05",
        )
    turn = read_turns([*journal.turns.values(), text], game.dealt, game.first, numbers=[*journal.turns, number])[-1]
    return _append(game, journal, write_turn(turn, game.dealt), str(turn.card))


def build_journal(game: ClosedGame, texts: Iterable[str]) -> Journal:
    """Return the journal with some lines, given without their codes.

    Raises:
        ScenarioError: a line may not come where it is; names it.
    """
    journal = Journal(game.commitment)
    for text in texts:
        journal = add_line(game, journal, text)
    return journal


def journal_turns(game: ClosedGame, journal: Journal) -> tuple[ZoneCard, ...]:
    """Return the cards that are placed, in their order.

    Raises:
        ScenarioError: a line breaks BR-X01 to BR-X05; never for a journal that ``add_line`` made.
    """
    return read_turns([*journal.turns.values()], game.dealt, game.first, numbers=[*journal.turns])


def dice_seed(game: ClosedGame, journal: Journal) -> int:
    """Return the seed of the dice after the reveal: 48 bits of the SHA-256 of ``dice|salt|code|number``.

    ``code`` is that of the line before player B's number, so other turns give other dice. Without a number it is the
    seed that was sealed at the deal.
    """
    for line, before in zip(journal.lines[1:], journal.lines, strict=False):
        if match := _NUMBER.fullmatch(line.text):
            return int(fingerprint("|".join(("dice", game.salt, before.code, match[1])))[:_SEED_DIGITS], 16)
    return game.seed


def write_journal(journal: Journal) -> str:
    """Return the file of a journal."""
    rows = (f"{number} {line.text} {line.code}" for number, line in enumerate(journal.lines, 1))
    return "\n".join((f"{_HEADER} {JOURNAL} {journal.commitment}", *rows, ""))


def read_journal(game: ClosedGame, text: str) -> Journal:
    """Return the journal of a file, after a check of all its codes.

    A byte order mark, line ends of other systems, and blanks at the end of a line do no harm. ``game`` is the sealed
    game, which has the salt, and ``text`` the text of the file.

    Raises:
        ScenarioError: it is not a journal, belongs to another game, or a line was changed; names the line.
    """
    first, *rows = [row.rstrip() for row in text.removeprefix("\ufeff").rstrip().splitlines()] or [""]
    match first.split():
        case [name, version, commitment] if name == _HEADER:
            pass
        case _:
            raise ScenarioError("line 1: this is not the journal of a sealed game; use the file that printkit wrote")
    if version != str(JOURNAL):
        raise ScenarioError("line 1: another version of printkit wrote this journal; update printkit")
    if commitment != game.commitment:
        raise ScenarioError(
            "line 1: this journal belongs to another game, not to {game}", game=game.seal.game, clause="BR-M13"
        )
    journal = Journal(game.commitment)
    for number, row in enumerate(rows, 1):
        line = _LINE.fullmatch(row)
        if line is not None and int(line[1]) == number:
            journal = add_line(game, journal, line[2])
        if line is None or journal.lines[number - 1 :] != (JournalLine(line[2], line[3]),):
            raise ScenarioError(
                "line {number}: its code does not follow from the line before: a line was changed or removed",
                number=number,
                clause="BR-M13",
            )
    return journal


def parse_number(text: str) -> int:
    """Return player B's number as typed, such as ``B=416235``.

    Raises:
        UsageError: it is not such a number.
    """
    match = _TYPED_NUMBER.fullmatch(text)
    if match is None:
        least, most = NUMBER_DIGITS
        raise UsageError(
            "--number {text!r} is not player B's number; write for example B=416235, with {least} to {most} digits "
            "and no 0 at the start",
            text=text,
            least=least,
            most=most,
        )
    return int(match[1])


def parse_codes(texts: Iterable[str]) -> dict[int, str]:
    """Return the codes of lines as typed, such as ``8=91be5c20aa07``, by the number of their line.

    Raises:
        UsageError: a text is not such a code.
    """
    codes: dict[int, str] = {}
    for text in texts:
        match = _TYPED_CODE.fullmatch(text)
        code = re.sub(r"[\s-]", "", match[2]).lower() if match else ""
        if match is None or len(code) != CODE_DIGITS:
            raise UsageError(
                "--code {text!r} is not the code of a line; write for example 8=91be5c20aa07, with {digits} digits "
                "of 0 to 9 and a to f",
                text=text,
                digits=CODE_DIGITS,
            )
        codes[int(match[1])] = code
    return codes


def _append(game: ClosedGame, journal: Journal, text: str, card: str) -> Journal:
    """Return a journal with one more line; ``card`` is the code of the card that the line places, or empty."""
    code = fingerprint("|".join(("turn", game.salt, journal.last_code, text, card)))[:CODE_DIGITS]
    return replace(journal, lines=(*journal.lines, JournalLine(text, code)))

"""The questions of ``printkit play``, and the command that they end in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from printkit.console import terminal
from printkit.core.errors import PrintkitError, Sentence, UsageError, joined
from printkit.core.numbers import parse_int
from printkit.core.units import parse_size
from printkit.kit.rules import split_names
from printkit.options.roles import GameRole, roles_for


class PlayQuestion(NamedTuple):
    """A question: its name, text and explanation, the answers to choose from by value, and the text for no answer."""

    name: str
    text: Sentence
    explanation: Sentence
    choices: Mapping[str, Sentence] = {}
    unset: Sentence | str = ""


_ROLE: Final = "role"

# The options of questions that differ from their names.
_FLAGS: Final = {"members": "players"}

# The number of answers in one line.
_ROW: Final = 4

_MOST_GAMES: Final = 99

QUESTIONS: Final = (
    PlayQuestion(
        _ROLE,
        Sentence("What are you playing?"),
        Sentence("each game has its own rules for terrain; printkit rules lists them"),
    ),
    PlayQuestion(
        "armies",
        Sentence("Which two armies? The army of the NPG first, then yours"),
        Sentence("two names from printkit npg armies, or two army files, with a comma between them"),
    ),
    PlayQuestion("board", Sentence("How large is your table?"), Sentence("for example 24in, 60cm, 4x3ft or 72x48in")),
    PlayQuestion(
        "members",
        Sentence("Who plays?"),
        Sentence("all names with commas between them; everybody plays everybody"),
        unset=Sentence("no names yet"),
    ),
    PlayQuestion(
        "tables",
        Sentence("How many tables?"),
        Sentence("each table gets its own battlefield; Enter: enough for all"),
        unset=Sentence("enough for all"),
    ),
    PlayQuestion(
        "table",
        Sentence("What is on it?"),
        Sentence("print the map at actual size, or build it with your own terrain or with Hexon tiles"),
        {"print": Sentence("a printed map"), "build": Sentence("my own terrain"), "hexon": Sentence("Hexon tiles")},
    ),
    PlayQuestion(
        "sheet",
        Sentence("Which paper?"),
        Sentence("the paper in your printer; Letter is usual in North America"),
        {"a4": Sentence("A4"), "letter": Sentence("Letter"), "a3": Sentence("A3")},
    ),
    PlayQuestion(
        "players",
        Sentence("Who plays?"),
        Sentence("two names for the sheets, for example Ann, Bob; they are Player A and Player B"),
        unset=Sentence("Player A, Player B"),
    ),
    PlayQuestion(
        "lang",
        Sentence("English, Spanish or both?"),
        Sentence("the language of all sheets"),
        {"en": Sentence("English"), "es": Sentence("Spanish"), "en+es": Sentence("both")},
    ),
)


def ask_command(lang: str, sheet: str = "a4") -> tuple[str, ...]:
    """Ask the questions, and return the words of the command that they end in.

    ``lang`` is the default language of the sheets, and ``sheet`` the paper that commands take without an option.

    Raises:
        UsageError: there is no terminal.
        KeyboardInterrupt: the user ends the input.
    """
    if not terminal.has_user():
        raise UsageError("play asks questions and needs a terminal")
    terminal.tell([Sentence("Enter takes the answer in brackets, ? explains, back goes back."), ""])
    answers: dict[str, str] = {}
    roles = {str(role.title): role for role in roles_for(terminal.output_language())}
    first_role = next(iter(roles))
    while True:
        role = roles[answers.get(_ROLE, first_role)]
        defaults = {_ROLE: first_role, **role.questions, "lang": lang, "sheet": sheet}
        questions = [question for question in QUESTIONS if question.name in {_ROLE, *role.questions}]
        if len(answers) == len(questions):
            return _build_command(role, answers, sheet)
        question = questions[len(answers)]
        if question.name == _ROLE:
            question = question._replace(choices={title: role.title for title, role in roles.items()})
        answer = _ask(len(answers) + 1, question, defaults[question.name])
        if answer is not None:
            answers[question.name] = answer
        elif answers:
            answers.popitem()


def _ask(number: int, question: PlayQuestion, default: str) -> str | None:
    """Ask one question until its answer is valid; None to go back to the one before."""
    default_text = (
        str([*question.choices].index(default) + 1) if default in question.choices else default or question.unset
    )
    labels = question.choices.values()
    terminal.tell([Sentence("{number}  {text}", number=number, text=question.text), *_choice_lines(labels)])
    while True:
        line = terminal.ask(f"     [{terminal.said(default_text)}]")
        if not line:
            raise KeyboardInterrupt
        reply = " ".join(line.split())
        if terminal.is_undo(reply):
            return None
        if reply == "?":
            terminal.tell([Sentence("     {explanation}.", explanation=question.explanation)])
            continue
        try:
            return _read_answer(question, reply) if reply else default
        except PrintkitError as error:
            terminal.report_error(error.sentence)


def _choice_lines(labels: Iterable[Sentence]) -> list[Sentence]:
    """Return lines with the answers to choose from, each with its number; empty without any."""
    numbered_labels = [
        Sentence("{number} {label}", number=number, label=label) for number, label in enumerate(labels, 1)
    ]
    rows = [numbered_labels[start : start + _ROW] for start in range(0, len(numbered_labels), _ROW)]
    return [Sentence("     {choices}", choices=joined(row, "    ")) for row in rows]


def _read_answer(question: PlayQuestion, reply: str) -> str:
    """Return the value of an answer.

    Raises:
        PrintkitError: it is not valid.
    """
    if question.choices:
        for number, (value, label) in enumerate(question.choices.items(), 1):
            if reply.casefold() in (str(number), terminal.said(label).casefold(), value):
                return value
        raise UsageError("write a number from 1 to {most}, or press Enter", most=len(question.choices))
    if question.name == "board":
        parse_size(reply)
    elif question.name == "players":
        from printkit.recipes.game.request import GameNames

        GameNames(players=reply)
    elif question.name == "armies" and len(split_names(reply)) != 2:
        raise UsageError("write two armies with a comma between them")
    elif question.name == "tables" and not parse_int(reply, _MOST_GAMES):
        raise UsageError("write a number from 1 to {most}, or press Enter", most=_MOST_GAMES)
    return reply


def _build_command(role: GameRole, answers: Mapping[str, str], sheet: str) -> tuple[str, ...]:
    """Return the words of the command of a role; an option is left out if it is the default of the command."""
    usual = {"table": "print", "sheet": sheet, "lang": terminal.locale_language()}
    words = [
        word
        for name, text in answers.items()
        if name not in (_ROLE, "armies") and text not in ("", usual.get(name))
        for word in (f"--{_FLAGS.get(name, name)}", text)
    ]
    rules = ("--rules", role.rules) if role.rules else ()
    return (*role.command, *rules, *split_names(answers.get("armies", "")), *words)

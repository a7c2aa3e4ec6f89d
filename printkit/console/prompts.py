"""Questions of ``--ask`` at the terminal: the question, the choices under it, and the explanation behind ``?``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from printkit.console.terminal import ask, is_undo, report_error, said, stage_name, tell, translate_log_text
from printkit.core.errors import Sentence
from printkit.core.numbers import is_number

if TYPE_CHECKING:
    from printkit.chance.dice import Question
    from printkit.recipes.game.games import UserPrompts

# The user types this to see all choices, what they decide, and the clause.
EXPLAIN: Final = "?"

# Longer lists of choices are shortened under the question.
_MAX_CHOICES: Final = 12
_SHOWN_CHOICES: Final = 6
_WIDTH: Final = 78


def build_prompter() -> UserPrompts:
    """Return the functions that ask the user for each roll."""
    from printkit.chance.asking import BACK
    from printkit.recipes.game.games import UserPrompts

    def prompt(question: Question) -> str:
        labels = [translate_log_text(label) for label in question.labels] if question.asks else []
        if not labels:
            line = ask(_question_text(question))
        else:
            tell([_question_text(question), *_choice_lines(question, is_short=True)])
            line = ask(">")
        if not line:
            raise EOFError
        reply = " ".join(line.casefold().split())
        if reply in (EXPLAIN, "help", said(Sentence("help")).casefold()):
            tell(explanation_lines(question))
            return prompt(question)
        if is_undo(line):
            return BACK
        spoken = [label.casefold() for label in labels]
        return str(spoken.index(reply) + 1) if reply in spoken and reply not in question.labels else line

    return UserPrompts(prompt=prompt, complain=report_error, tell=lambda text: tell([text]))


def explanation_lines(question: Question) -> Iterator[str]:
    """Yield the choices of a question, what each of them gives if the rules tell, and the clause."""
    if question.describe_result is not None:
        outcomes = [translate_log_text(question.describe_result(place)) for place in range(len(question.labels))]
        groups = groupby(zip(question.labels, outcomes, strict=True), key=lambda pair: pair[1])
        rows = [(_range_text([label for label, _ in pairs]), outcome) for outcome, pairs in groups]
        yield from _wrap(" ".join(f"{scores}: {outcome}." for scores, outcome in rows))
    else:
        yield from _choice_lines(question)
    clause = question.clause if isinstance(question.clause, str) else question.clause(question.labels[0])
    if clause:
        yield Sentence("  Rule: {clause}", clause=clause)


def _question_text(question: Question) -> Sentence:
    """Return a question with its stage, its request and the meaning of an empty line."""
    if question.default_label:
        return Sentence(
            "{reason} (Enter: {unsaid})", reason=question.reason, unsaid=translate_log_text(question.default_label)
        )
    request = Sentence("{asked}", asked=question.request)
    if question.minimum < question.count > 1:
        request = Sentence("{asked}, the top {least} are enough", asked=question.request, least=question.minimum)
    return Sentence(
        "{stage}: {reason} ({asked}; Enter: rolled for you)",
        stage=stage_name(question.stage),
        reason=question.reason,
        asked=request,
    )


def _choice_lines(question: Question, *, is_short: bool = False) -> Iterator[str]:
    """Yield the choices of a question, wrapped, each with the number to type; ``is_short`` leaves some of many out."""
    scores = [label for label in question.labels if label != question.default_label]
    numbers = all(map(is_number, scores))
    if numbers and len(scores) > _MAX_CHOICES:
        yield f"  {scores[0]}, {scores[1]} ... {scores[-1]}"
        return
    spoken = [translate_log_text(label) for label in question.labels]
    texts = spoken if numbers or not question.asks else [f"{number} {text}" for number, text in enumerate(spoken, 1)]
    separator = "; " if any("," in label for label in spoken) else ", "
    if is_short and len(texts) > _MAX_CHOICES:
        choices_text = separator.join(texts[:_SHOWN_CHOICES])
        yield Sentence("  {listed} ... {last} (? lists all)", listed=choices_text, last=texts[-1])
    else:
        yield from _wrap(separator.join(texts))


def _wrap(text: str) -> list[str]:
    """Return a text in lines for the terminal, indented under the question."""
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_long_words=False)


def _range_text(labels: list[str]) -> str:
    """Return neighbouring answers in short: "1-2" for the scores 1 and 2, "2H, 4H" for cards."""
    if len(labels) > 1 and all(map(is_number, labels)):
        return f"{labels[0]}-{labels[-1]}"
    return ", ".join(labels)

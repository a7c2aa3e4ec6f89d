"""Sentences of the terminal: a literal in the code each, and said in every other language with the same values."""

from __future__ import annotations

import ast
import builtins
import pickle
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from imports import parsed, walked

import printkit
from printkit.chance.replaying import DoesNotFitError
from printkit.core import errors
from printkit.core.errors import PageError, ScenarioError, Sentence, UsageError, joined, recognised, translate_sentence
from printkit.core.resources import names
from printkit.core.words import find_words, log_templates, messages, phrases
from printkit.options.removed import GONE

ROOT = Path(printkit.__file__).parent
FREE = ("errors.py",)
"""Where sentences are made of templates that stand elsewhere."""

AFTER = ("DoesNotFitError", "UnknownOptionError")
"""What has its template after a stage or a word."""

CARRIER = "OptionError"
"""What carries a sentence that is made where it is raised."""

CHECKS = ("require_range", "check_each", "require_near", "ShapeRule", "shared_rule")
"""What makes a check of data, with the sentence of its faults as ``says`` and a ``title`` for the page of checks."""

WRITERS = ("wrong", "build_error", "add_fault")
"""Methods that make a sentence of what is wrong."""

MAKERS = re.compile(r"\b(\w*Error|Sentence|wrong|build_error|add_fault|require_\w+|check_each|ShapeRule)[\s)]*\(")
"""The calls that make a sentence, as they are written: a file without one need not be parsed."""

LANGUAGES = [code for code in names("templates/words") if code != "en"]


def _said_by(tree: ast.Module) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield each call that makes a sentence, with its template."""
    for call in walked(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in WRITERS:
            yield call, call.args[0]
        elif isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            name = call.func.id
            is_error = name.endswith("Error") and not hasattr(builtins, name) and name != CARRIER
            if call.args and (name == "Sentence" or is_error):
                yield call, call.args[1 if name in AFTER else 0]
            if name == "ShapeRule" and len(call.args) > 1:
                yield call, call.args[1]
            if name in CHECKS:
                yield from ((call, each.value) for each in call.keywords if each.arg in ("says", "title"))


def _passed_on(call: ast.Call, template: ast.expr) -> bool:
    """Return whether a call only hands on the template and the values that somebody else gave."""
    if isinstance(template, ast.Attribute):
        return template.attr in ("template", "says", "title")
    return isinstance(template, ast.Name) and (
        template.id in ("says", "template", "title")
        or any(
            each.arg is None and isinstance(each.value, ast.Name) and each.value.id == "values"
            for each in call.keywords
        )
    )


@cache
def _templates() -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the templates of the package with the place of each, and the places where one is no literal."""
    found = dict.fromkeys(GONE.values(), "options/removed.py")
    pasted = []
    for path in sorted(ROOT.rglob("*.py")):
        if path.name in FREE or not MAKERS.search(path.read_text(encoding="utf-8")):
            continue
        for call, template in _said_by(parsed(path)):
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            if isinstance(template, ast.Constant) and isinstance(template.value, str):
                found.setdefault(template.value, place)
            elif not _passed_on(call, template):
                pasted.append(place)
    return found, tuple(pasted)


def _values(template: str) -> list[tuple[str, str | None]]:
    return sorted((name, spoken) for _, name, _, spoken in Formatter().parse(template) if name is not None)


def _worded(template: str) -> bool:
    """Return whether a template has words of its own, beside its values."""
    return any(letter.isalpha() for text, *_ in Formatter().parse(template) for letter in text)


def test_every_sentence_is_a_literal_and_no_judge_pastes_a_fault_together():
    assert _templates()[1] == ()
    pasted = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted(ROOT.glob("systems/*/judge/**/*.py"))
        for node in walked(parsed(path))
        if isinstance(node, ast.Yield) and isinstance(node.value, ast.JoinedStr)
    ]
    assert pasted == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_each_sentence_with_its_values_and_no_other(language):
    said, log, own = messages(language), phrases(language, "log"), _templates()[0]
    assert [f"{place}: {each}" for each, place in own.items() if _worded(each) and each not in said] == []
    assert [template for template in said if template not in own] == []
    # What a throw was for may leave out what a name says.
    assert [each for each in said if each not in log and _values(said[each]) != _values(each)] == []
    assert [each for each in log if not set(_values(log[each])) <= set(_values(each))] == []


SPANISH = {
    "no card {text!r}": "no hay carta {text!r}",
    "{file}, line {line}": "{file}, línea {line}",
    " or ": " o ",
    "{where}: {error}": "{where} → {error}",
    "write {{ {name} }}": "escribe {{ {name} }}",
}


def test_a_sentence_is_its_english_text_and_is_said_in_any_language_with_what_it_tells_on():
    sentence = Sentence("no card {text!r}", text="KX")
    assert sentence == "no card 'KX'"
    assert translate_sentence(sentence, {}) == sentence
    assert translate_sentence(sentence, SPANISH) == "no hay carta 'KX'"
    assert translate_sentence("no card", SPANISH) == "no card"
    inner = ScenarioError("no card {text!r}", text="KX", clause="BR-X05")
    outer = UsageError("{where}: {error}", where=Sentence("{file}, line {line}", file="a", line=3), error=inner)
    assert str(outer) == "a, line 3: no card 'KX' (BR-X05)"
    assert translate_sentence(outer.sentence, SPANISH) == "a, línea 3 → no hay carta 'KX' (BR-X05)"
    braces = PageError("write {{ {name} }}", name="a")
    assert str(braces) == "write { a }"
    assert translate_sentence(braces.sentence, SPANISH) == "escribe { a }"
    unread = UsageError("{path} cannot be read: {reason}", path="a.toml", reason="ENOENT").sentence
    assert find_words("es+en").translate(unread) == "a.toml no se puede leer: ENOENT"
    assert find_words("en+es").translate(unread) == find_words("en").translate(unread) == unread


def test_parts_are_joined_in_any_language_and_what_values_are_called_is_asked_by_their_names():
    parts = [Sentence("no card {text!r}", text="1"), "a {b}", "c"]
    assert joined(parts) == "no card '1', a {b}, c"
    assert translate_sentence(joined(parts, Sentence(" or ")), SPANISH) == "no hay carta '1' o a {b} o c"
    assert joined([]) == ""
    who = Sentence("{kind} {n:d}", kind="wood", n=2)
    sentence = Sentence("{kind} of {who}: {count}", kind="hill", who=who, count=3)
    said = translate_sentence(sentence, {}, lambda name, value: value.upper() if name == "kind" else value)
    assert said == "HILL of WOOD 2: 3"


def test_every_error_can_be_said_and_comes_whole_from_another_process():
    sent = DoesNotFitError("woods", "write {{ {name} }}", name=Sentence("no card {text!r}", text="{"), clause="BR-1")
    come = pickle.loads(pickle.dumps(sent))
    assert (type(come), come.stage, come.clause, str(come)) == (DoesNotFitError, "woods", "BR-1", str(sent))
    assert translate_sentence(come.sentence, SPANISH) == "escribe { no hay carta '{' } (BR-1)"
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert all(issubclass(kind, errors.TranslatedError) for kind in kinds)


REASON_AT = {"d6": 0, "roll": 1, "draw": 2, "choose": 1}
"""Where a die, a draw and a choice are told what they are for."""


def _reasons() -> Iterator[tuple[str, ast.expr]]:
    """Yield what each throw of a rule system is for, as it is written, and its place."""
    for path in sorted(ROOT.glob("systems/**/*.py")):
        for call in walked(parsed(path)):
            name = getattr(getattr(call, "func", None), "attr", getattr(getattr(call, "func", None), "id", ""))
            if not isinstance(call, ast.Call) or name not in REASON_AT or ast.unparse(call.func) == "np.roll":
                continue
            if len(call.args) > REASON_AT[name]:
                yield f"{path.relative_to(ROOT)}:{call.lineno}", call.args[REASON_AT[name]]


def test_what_is_thrown_for_is_a_sentence_by_which_a_log_is_recognised_in_every_language():
    found = list(_reasons())
    assert len(found) > 60
    assert [place for place, reason in found if isinstance(reason, ast.Constant | ast.JoinedStr | ast.BinOp)] == []
    templates = [
        (place, reason.args[0].value)
        for place, reason in found
        if isinstance(reason, ast.Call) and getattr(reason.func, "id", "") == "Sentence"
    ]
    for language in LANGUAGES:
        assert [place for place, template in templates if template not in phrases(language, "log")] == []


def test_sheets_say_otherwise_only_what_a_log_says_with_texts_and_whole_numbers():
    assert phrases("en", "log").keys() <= phrases("es", "log").keys()
    assert messages("en") == phrases("en", "log")
    forms = {form for line in log_templates() for _, name, form, _ in Formatter().parse(line) if name is not None}
    assert forms == {"", "d"}


LINES = (
    "{reason} again",
    "size of {what}, placed by {who}",
    "size of {what}",
    "{what} {number:d}",
    "the {kind} of {n:d}",
)


@pytest.mark.parametrize(
    ("text", "template", "values"),
    [
        ("size of z6, placed by A", "size of {what}, placed by {who}", {"what": "z6", "who": "A"}),
        ("size of hill 2", "size of {what}", {"what": "hill 2"}),
        ("hill 2", "{what} {number:d}", {"what": "hill", "number": 2}),
        ("the road of 3", "the {kind} of {n:d}", {"kind": "road", "n": 3}),
        ("hill x again", "{reason} again", {"reason": "hill x"}),
    ],
)
def test_a_text_is_recognised_by_the_template_with_most_words(text, template, values):
    found = recognised(text, LINES)
    assert isinstance(found, Sentence)
    assert (found, found.template, found.values) == (text, template, values)


def test_what_a_recognised_text_tells_on_is_recognised_too():
    found = recognised("size of hill 2 again", LINES)
    assert translate_sentence(
        found, {"{reason} again": "otra vez: {reason}", "{what} {number:d}": "{number:d}. {what}"}
    ) == ("size of otra vez: 2. hill")
    assert recognised("a hill", LINES) == "a hill"
    assert not isinstance(recognised("a hill", LINES), Sentence)
    assert recognised(found, ()) is found

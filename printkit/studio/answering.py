"""JSON requests of the web page without a server: the form of a rule system, a battlefield, its PDF.

It runs in Pyodide: without processes, threads or locks, and with a folder only while the PDF is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from printkit.api import Field
from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words, find_words
from printkit.export.screen import text
from printkit.options.commands import GameOptions
from printkit.options.printing import PrintOptions
from printkit.options.table import find_row
from printkit.recipes.prints.file_names import battlefield_name
from printkit.studio.forms import game_form, generate_field, parse_form, styles
from printkit.studio.views import board_view, scale_of, verdict_view

# Words below ``studio.field`` that the page shows.
_LABELS: Final = ("wanted", "new", "why", "verdicts", "bare", "field")

# Words below ``studio.alone``, for this page only.
_OWN: Final = ("title", "others", "pdf", "record", "command")
_ROW: Final = ("number", "name", "kind", "going")
_PAPERS: Final = ("a4", "letter", "a3")


def answered(question: str) -> str:
    """Return the answer to a request, both as JSON; an error that the user can fix is ``{"error": "a sentence"}``.

    ``{"ask": "form", "rules": …, "lang": …}`` returns all controls of a rule system. ``{"ask": "field", …}`` returns a
    battlefield from ``given`` (the values of the controls), ``style`` and ``fresh`` (the seed if none is given).
    """
    request: dict[str, Any] = json.loads(question)
    words = find_words(str(request.get("lang", "en")))
    try:
        answer = {"form": _answer_form, "field": _answer_field}[request["ask"]](request, words)
    except PrintkitError as error:
        answer = {"error": words.translate(error.sentence)}
    return json.dumps(answer, ensure_ascii=False)


def sheets(question: str) -> bytes:
    """Return the map of a battlefield as the bytes of a PDF, on sheets of the requested ``paper``.

    Other keys of the JSON are as for ``answered``.

    Raises:
        PrintkitError: a setting or the paper is not valid.
    """
    request: dict[str, Any] = json.loads(question)
    lang = str(request.get("lang", "en"))
    field, paper = _generate_field(request, lang), str(request.get("paper", _PAPERS[0]))
    with TemporaryDirectory() as folder:
        (file, *_) = field.pdf(Path(folder) / "map.pdf", sheet=paper, style=str(request.get("style", "")), lang=lang)
        return file.read_bytes()


def _answer_form(request: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Return the controls of a rule system, the styles, the papers and the labels of the page."""
    form = game_form(str(request["rules"]), dict(request.get("given", {})), words)
    labels = {name: words(f"studio.field.{name}") for name in _LABELS}
    labels |= {name: words(f"studio.alone.{name}") for name in _OWN}
    labels |= {name: find_row(name, PrintOptions, GameOptions).title_in(words) for name in ("rules", "sheet")}
    controls: dict[str, Any] = msgspec.to_builtins(form)
    return {**controls, "style": msgspec.to_builtins(styles("campaign", words)), "papers": _PAPERS, "labels": labels}


def _answer_field(request: Mapping[str, Any], words: Words) -> dict[str, Any]:
    """Return a new battlefield for the page, by name.

    The keys are ``title``, ``name`` (for files), ``seed``, ``svg``, ``key`` (a row for each feature), ``kept`` and
    ``broken`` (numbers of clauses), and ``record``.
    """
    field = _generate_field(request, words.code)
    view, verdicts = board_view(field, words), verdict_view(field.check(), words)
    rows = [
        {"number": feature.number, "name": feature.name, "kind": feature.kind, "going": feature.going}
        for feature in view.features
    ]
    return {
        "title": field.title,
        "name": battlefield_name(field.record),
        "seed": field.record.seed,
        "svg": text(field.draw(style=str(request.get("style", "campaign")), lang=words.code, scale=scale_of(field))),
        "key": rows,
        "kept": verdicts.kept,
        "broken": verdicts.broken,
        "record": field.geojson,
    }


def _generate_field(request: Mapping[str, Any], lang: str) -> Field:
    """Generate the battlefield of a request; ``fresh`` is its seed if the form does not have one.

    Raises:
        PrintkitError: a setting or the seed is not valid.
    """
    values = {str(key): str(value) for key, value in dict(request.get("given", {})).items()}
    default_seed = request.get("fresh", 0)
    if not isinstance(default_seed, int) or default_seed < 0:
        raise UsageError("seed {seed!r} is not a whole number", seed=default_seed)
    return generate_field(parse_form({**values, "rules": str(request["rules"])}), default_seed, lang)

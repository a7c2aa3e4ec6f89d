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
from printkit.studio.forms import asked_of, game_form, generate_field, styles
from printkit.studio.views import board_view, scale_of, verdict_view

# Words below ``studio.field`` that the page shows.
_LABELS: Final = (
    *("wanted", "new", "names", "style", "seed", "seed-hint", "key", "board", "cell", "verdicts", "bare", "field"),
)

# Words below ``studio.alone``, for this page only.
_OWN: Final = ("title", "rules", "others", "pdf", "record", "paper", "command")
_ROW: Final = ("number", "name", "kind", "going")
_PAPERS: Final = ("a4", "letter", "a3")


def answered(question: str) -> str:
    """Return the answer to a request, both as JSON; an error that the user can fix is ``{"error": "a sentence"}``.

    ``{"ask": "form", "rules": …, "lang": …}`` returns all controls of a rule system. ``{"ask": "field", …}`` returns a
    battlefield from ``given`` (the values of the controls), ``style`` and ``fresh`` (the seed if none is given).
    """
    asked: dict[str, Any] = json.loads(question)
    words = find_words(str(asked.get("lang", "en")))
    try:
        found = {"form": _form, "field": _field}[asked["ask"]](asked, words)
    except PrintkitError as error:
        found = {"error": words.translate(error.sentence)}
    return json.dumps(found, ensure_ascii=False)


def sheets(question: str) -> bytes:
    """Return the map of a battlefield as PDF, on sheets of the requested ``paper``; other keys as for ``answered``.

    Raises:
        PrintkitError: a setting or the paper is not valid.
    """
    asked: dict[str, Any] = json.loads(question)
    lang = str(asked.get("lang", "en"))
    made, paper = _made(asked, lang), str(asked.get("paper", _PAPERS[0]))
    with TemporaryDirectory() as folder:
        (file, *_) = made.pdf(Path(folder) / "map.pdf", sheet=paper, style=str(asked.get("style", "")), lang=lang)
        return file.read_bytes()


def _form(asked: Mapping[str, Any], words: Words) -> dict[str, Any]:
    form = game_form(str(asked["rules"]), dict(asked.get("given", {})), words)
    labels = {name: words(f"studio.field.{name}") for name in _LABELS}
    labels |= {name: words(f"studio.alone.{name}") for name in _OWN}
    found: dict[str, Any] = msgspec.to_builtins(form)
    return {**found, "style": msgspec.to_builtins(styles("campaign", words)), "papers": _PAPERS, "labels": labels}


def _field(asked: Mapping[str, Any], words: Words) -> dict[str, Any]:
    made = _made(asked, words.code)
    view, verdicts = board_view(made, words), verdict_view(made.check(), words)
    rows = [
        {"number": each.number, "name": each.name, "kind": each.kind, "going": each.going} for each in view.features
    ]
    return {
        "title": made.title,
        "seed": made.record.seed,
        "svg": text(made.draw(style=str(asked.get("style", "campaign")), lang=words.code, scale=scale_of(made))),
        "key": rows,
        "kept": verdicts.kept,
        "broken": verdicts.broken,
        "record": made.geojson,
    }


def _made(asked: Mapping[str, Any], lang: str) -> Field:
    given = {str(key): str(value) for key, value in dict(asked.get("given", {})).items()}
    fresh = asked.get("fresh", 0)
    if not isinstance(fresh, int) or fresh < 0:
        raise UsageError("seed {seed!r} is not a whole number", seed=fresh)
    return generate_field(asked_of({**given, "rules": str(asked["rules"])}), fresh, lang)

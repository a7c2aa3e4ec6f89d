"""The command ``schema``: the formats of files that users write: their JSON Schema, or an example to fill in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from printkit.console import terminal
from printkit.core.errors import Sentence, UsageError
from printkit.core.resources import resource, template_text
from printkit.kit import registry
from printkit.kit.plugin import FileFormat, load
from printkit.options.commands import SchemaOptions
from printkit.options.printing import FileOptions, PrintOptions

# The formats of all files that are read into a type. The tests take their wrong files from them.
FORMATS: Final[Mapping[str, FileFormat]] = {
    "box": FileFormat(
        "printkit.recipes.box.piece_box:BoxFile", ("boxes", "example"), Sentence("a terrain box: your pieces")
    ),
    "league": FileFormat(
        "printkit.recipes.league.league_file:League", ("examples", "league"), Sentence("a league: its games and scores")
    ),
    "paper": FileFormat(
        "printkit.page.papers:PaperFile", ("examples", "paper"), Sentence("papers: their sizes and margins")
    ),
    "printer": FileFormat(
        "printkit.page.printer:PrinterFile", ("examples", "printer"), Sentence("a printer: what was measured of it")
    ),
    "record": FileFormat(
        "printkit.terrain.field.record:RecordFile",
        ("examples", "record.json"),
        Sentence("a record: a battlefield that you draw yourself"),
    ),
    "scenario": FileFormat(
        "printkit.recipes.game.request:ScenarioFile",
        ("examples", "scenario"),
        Sentence("a scenario: rules, settings, seed and terrain"),
    ),
    "stock": FileFormat(
        "printkit.hexon.layout.stock:Stock", ("hexon", "stock"), Sentence("a stock: your Hexon pieces")
    ),
    "style": FileFormat(
        "printkit.drawing.canvas.style:StyleFile", ("styles", "ink-saver"), Sentence("a style: the colours of maps")
    ),
    **registry.file_formats(),
}


def show_schema(options: SchemaOptions, print_options: PrintOptions, files: FileOptions) -> None:
    """Print the kinds of files; with a kind its JSON Schema, or an example, or write that to a file.

    Raises:
        UsageError: there is no such kind.
        PageError: the file cannot be written.
    """
    from printkit.recipes.output.files import write_folder

    terminal.words(print_options.lang)
    if options.kind is None:
        width = max(map(len, FORMATS))
        terminal.show(
            Sentence("{kind}  {purpose}", kind=kind.ljust(width), purpose=each.purpose)
            for kind, each in sorted(FORMATS.items())
        )
    elif options.kind not in FORMATS:
        raise UsageError(
            "{kind!r} is not a kind of file; use one of {known}", kind=options.kind, known=", ".join(sorted(FORMATS))
        )
    else:
        schema_text = f"{json.dumps(json_schema(options.kind), indent=2, ensure_ascii=False)}\n"
        text = example_text(options.kind) if options.example else schema_text
        if not files.out or files.out == "-":
            # The text of a file is the same however printkit was started.
            terminal.write(text.encode("utf-8"))
            return
        write_folder({files.place.name: text}, files.place.parent, force=print_options.force)
        if not files.quiet:
            terminal.tell([Sentence("saved in {path}", path=files.place)])


def example_text(kind: str) -> str:
    """Return the example of a kind of file."""
    folder, name = FORMATS[kind].example
    is_json = name.endswith(".json")
    return resource(f"templates/{folder}", name).read_text(encoding="utf-8") if is_json else template_text(folder, name)


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of file."""
    from printkit.core.typed import schema

    form = FORMATS[kind]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{kind} file of printkit",
        **schema(load(form.type)),
    }

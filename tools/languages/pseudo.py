"""A language that nobody speaks: English with accents and a third longer, as a folder laid out as ``templates``.

It shows whether a folder is enough for a language, and whether sheets bear one that is longer than English, as German,
French or Finnish are. ``python tools/languages/pseudo.py FOLDER`` writes it; printkit finds it in ``languages`` of the
person's settings (``docs/dev/translating.md``).
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from printkit.core.words import ENGLISH

sys.path.insert(0, str(Path(__file__).resolve().parent))

from missing_texts import find_missing

CODE = "qps"

LONGER = 0.35
"""How much longer a sentence becomes, as a share of its letters; numbers and names to fill in stay."""

_ACCENTS = str.maketrans("aceinouyAEINOU", "áçéíñóúýÁÉÍÑÓÚ")

_KEPT = re.compile(r"\{[^{}]*\}|\{\{|\}\}|\*\*|\[[^\]]*\]|--[\w-]+|[\w./]*\d[\w./]*|\s+|[^\w\s]")
"""What a translator leaves as it is."""

_FILL = "ëïöü"


def pseudo(text: str) -> str:
    """Return a text with accents and longer by a third: each word of it grows, so that lines break as they do."""
    found, owed, place = [], 0.0, 0
    for match in [*_KEPT.finditer(text), None]:
        word = text[place : match.start() if match else len(text)]
        if word:
            owed += LONGER * len(word)
            more = int(owed)
            # A single letter is a label or a place to point at, and stays one.
            if len(word) > 1 and more:
                owed -= more
                found.append(word.translate(_ACCENTS) + (_FILL * more)[:more])
            else:
                found.append(word.translate(_ACCENTS) if len(word) > 1 else word)
        if match:
            found.append(match[0])
            place = match.end()
    return "".join(found)


def write(folder: Path) -> None:
    """Write the language into a folder laid out as ``templates``: words and sentences, and no names."""
    texts: dict[str, list[str]] = {}
    for lack in find_missing(CODE):
        if lack.key and lack.file.startswith("words"):
            *tables, last = lack.key.split(".")
            head = f"[{'.'.join(tables)}]"
            texts.setdefault(lack.file, []).append(f"{head}\n{last}\n{pseudo(lack.english)}")
        elif lack.key:
            texts.setdefault(lack.file, []).append(f"\n{lack.key}\n{pseudo(lack.english)}")
    for name, rows in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        by_head: dict[str, list[str]] = {}
        for row in rows:
            head, key, said = row.split("\n", 2)
            by_head.setdefault(head, []).append(f"{_quoted(key)} = {_quoted(said)}")
        path.write_text(
            "\n".join("\n".join([head, *lines]) for head, lines in by_head.items()) + "\n", encoding="utf-8"
        )


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} FOLDER   ({ENGLISH} is read, {CODE} is written)")
    write(Path(sys.argv[1]))

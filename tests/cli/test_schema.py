"""Each kind of file that users write has a schema and an example, and the example is right."""

from __future__ import annotations

import json

import pytest
from imports import ROOT
from jsonschema import Draft202012Validator
from msgspec import inspect

from printkit.api import check
from printkit.cli.app import run
from printkit.cli.schema import FORMATS, example_text, json_schema
from printkit.core.typed import convert, parse_json, parse_toml
from printkit.kit.plugin import load


@pytest.mark.parametrize("kind", FORMATS)
def test_the_example_of_a_kind_has_the_form_of_its_schema(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", kind, "--example"]) == 0
    text = capsys.readouterr().out
    assert text.strip() == example_text(kind).strip()
    assert run(["schema", kind]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(json_schema(kind)))
    is_json = FORMATS[kind].example[1].endswith(".json")
    assert is_json or text.startswith(f"#:schema {kind}.schema.json\n")
    tree = (parse_json if is_json else parse_toml)(text, kind)
    Draft202012Validator(json_schema(kind)).validate(tree)
    convert(tree, load(FORMATS[kind].type), kind)


def test_no_other_file_names_a_schema() -> None:
    named = {path for path in (ROOT / "templates").rglob("*.toml") if path.read_text("utf-8").startswith("#:schema")}
    examples = {
        ROOT / "templates" / folder / f"{name}.toml" for folder, name in (each.example for each in FORMATS.values())
    }
    assert named < examples


def test_the_example_of_a_record_can_be_checked() -> None:
    verdicts = check(example_text("record")).verdicts
    assert not [verdict for verdict in verdicts if verdict.state == "broken"]


def test_the_kinds_are_listed_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    for lang, said in (("en", "box       a terrain box: your pieces"), ("es", "box       una caja de terreno")):
        assert run(["schema", "--lang", lang]) == 0
        assert said in capsys.readouterr().out
    assert run(["schema", "boxes", "--lang", "en"]) == 2
    assert "box, columns, league" in capsys.readouterr().err


def _unions(kind: object, seen: set[type]) -> list[inspect.UnionType]:
    if isinstance(kind, inspect.StructType):
        if kind.cls in seen:
            return []
        seen.add(kind.cls)
    own = [kind] if isinstance(kind, inspect.UnionType) else []
    parts = [getattr(kind, name) for name in getattr(kind, "__struct_fields__", ())]
    flat = [each for part in parts for each in (part if isinstance(part, tuple) else (part,))]
    inner = [each for each in flat if isinstance(each, inspect.Type | inspect.Field)]
    return [*own, *(union for each in inner for union in _unions(each, seen))]


@pytest.mark.parametrize("kind", FORMATS)
def test_no_text_with_a_pattern_is_in_a_union_with_a_list_or_a_table(kind: str) -> None:
    for union in _unions(inspect.type_info(load(FORMATS[kind].type)), set()):
        types = [option.type if isinstance(option, inspect.Metadata) else option for option in union.types]
        pattern = any(isinstance(option, inspect.StrType) and option.pattern for option in types)
        assert not pattern or len([option for option in types if not isinstance(option, inspect.NoneType)]) == 1

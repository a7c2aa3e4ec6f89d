"""Finds fonts and templates: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from printkit.core.errors import BookError, ResourceError


def _root(folder: str) -> Path:
    # No importlib.resources: it loads what opens archives, and a wheel is always unpacked.
    package = Path(__file__).parent.parent
    return package if (package / folder.split("/")[0]).is_dir() else package.parent


def names(folder: str, suffix: str = "") -> list[str]:
    """Return the sorted names of what ``folder`` (as ``templates/styles``) holds, without ``suffix``."""
    found = (entry.name for entry in (_root(folder) / folder).iterdir())
    return sorted(name.removesuffix(suffix) for name in found if name.endswith(suffix) and not name.startswith("."))


def resource(folder: str, name: str) -> Path:
    """Return a file of ``fonts`` or of a folder of ``templates``.

    Raises:
        ResourceError: there is no such file; its text names those that are there.
    """
    found = _root(folder) / folder / name
    if not found.is_file():
        raise ResourceError(
            "no {name!r} in {folder}; there are {known}", name=name, folder=folder, known=", ".join(names(folder))
        )
    return found


def template(kind: str, name: str) -> dict[str, Any]:
    """Return a TOML template as plain values: one of ours by its name, a person's own by its path.

    Args:
        kind: the folder below ``templates``: ``rules``, ``styles``, ``sheets`` ...
        name: ``campaign``, or ``my/style.toml``.

    Raises:
        ResourceError: there is no such template or file.
        BookError: it is not TOML; names the file and the line.
    """
    try:
        return tomllib.loads(template_text(kind, name))
    except tomllib.TOMLDecodeError as error:
        raise BookError("{name}: not TOML: {error}", name=name, error=error) from None


def template_text(kind: str, name: str) -> str:
    """Return the text of a template, as ``template`` finds it.

    Raises:
        ResourceError: there is no such template or file, or it cannot be read.
    """
    if not name.endswith(".toml"):
        if name not in names(f"templates/{kind}", ".toml"):
            raise ResourceError(
                "no {kind} {name!r}; there are {known}", kind=kind.rstrip("s"), name=name, known=_choices(kind)
            )
        return resource(f"templates/{kind}", f"{name}.toml").read_text(encoding="utf-8")
    path = Path(name)
    if not path.is_file():
        raise ResourceError(
            "no file {name}; give the path of a TOML file, or one of {known}", name=name, known=_choices(kind)
        )
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ResourceError("{name}: cannot be read as text in UTF-8: {error}", name=name, error=error) from None


def _choices(kind: str) -> str:
    return ", ".join(names(f"templates/{kind}", ".toml"))

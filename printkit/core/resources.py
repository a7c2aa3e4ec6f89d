"""Find fonts and templates: next to the package in a checkout, inside it in a wheel, then in folders of plug-ins."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from printkit.core.errors import ResourceError
from printkit.core.paths import is_file, is_folder

_TEMPLATES: Final = "templates"

# Template folders of plug-in rule systems. The list is the only state here: a folder is added when its rule system is
# first used, and stays. Template names are unique, so the order of the folders does not change the results.
_BROUGHT: Final[list[Path]] = []


def _resource_root(folder: str) -> Path:
    """Return the folder that contains ``folder``: that of the installed package, or of the source tree.

    ``folder`` is for example ``templates/styles``; only its first part is looked for.
    """
    # importlib.resources would also load the code for archives, and a wheel is always unpacked.
    package = Path(__file__).parent.parent
    return package if (package / folder.split("/")[0]).is_dir() else package.parent


def _search_folders(folder: str) -> list[Path]:
    """Return the existing folders of this name to search, that of printkit first, then those of plugins.

    If none exists, the result is that of printkit alone, so that the error names it. Plugins only add to ``templates``.
    """
    ours = _resource_root(folder) / folder
    first, _, rest = folder.partition("/")
    plugin_folders = [plugin_folder / rest for plugin_folder in _BROUGHT] if first == _TEMPLATES else []
    return [place for place in (ours, *plugin_folders) if is_folder(place)] or [ours]


def add_template_folder(folder: Path) -> None:
    """Register another folder to search for templates; it has the structure of ``templates``.

    A folder that is registered already is ignored.

    Raises:
        ResourceError: the folder does not exist, or one of its TOML files has a name that is already in use.
    """
    if folder in _BROUGHT:
        return
    if not is_folder(folder):
        raise ResourceError("folder {folder} does not exist", folder=folder)
    for path in sorted(folder.rglob("*.toml")):
        for place in (_resource_root(_TEMPLATES) / _TEMPLATES, *_BROUGHT):
            if (other := place / path.relative_to(folder)).is_file():
                raise ResourceError("{path} would get the same name as {other}; rename it", path=path, other=other)
    _BROUGHT.append(folder)


def names(folder: str, suffix: str = "") -> list[str]:
    """Return the sorted names of the entries of a folder, for example ``templates/styles``.

    Only names that end in ``suffix`` count, and they are returned without it. Hidden names that start with a dot are
    left out. Entries of plugins' folders are included.
    """
    entries = {entry.name for place in _search_folders(folder) for entry in place.iterdir()}
    return sorted(name.removesuffix(suffix) for name in entries if name.endswith(suffix) and not name.startswith("."))


def resource(folder: str, name: str) -> Path:
    """Return the path of a file in ``fonts`` or in a folder of ``templates``.

    Raises:
        ResourceError: the file does not exist; the message lists the files that do.
    """
    for place in _search_folders(folder):
        if (path := place / name).is_file():
            return path
    raise ResourceError(
        "no {name!r} in {folder}; it has {known}", name=name, folder=folder, known=", ".join(names(folder))
    )


def template(kind: str, name: str) -> dict[str, Any]:
    """Return a TOML template as plain values: one of ours by its name, the user's own by its path.

    Args:
        kind: the folder in ``templates``, for example ``rules``, ``styles`` or ``sheets``.
        name: for example ``campaign`` or ``my/style.toml``; a name that ends in ``.toml`` is a path.

    Raises:
        ResourceError: the template or file does not exist or cannot be read.
        FileError: it is not TOML; the message gives the file and the line.
    """
    text, file = template_text(kind, name), template_file(kind, name)
    if not name.endswith(".toml"):
        with suppress(ValueError):
            return tomllib.loads(text)
    from printkit.core.typed import parse_toml

    return parse_toml(text, file)


def template_file(kind: str, name: str) -> str:
    """Return what errors call the file of a template: ``rules/toy.toml``; for the user's own its path."""
    return name if name.endswith(".toml") else f"{kind}/{name}.toml"


def template_text(kind: str, name: str) -> str:
    """Return the text of a template of a kind, for example of styles.

    A name that ends in ".toml" is the path of the user's own file. Any other is the name of a template of printkit.

    Raises:
        ResourceError: the template or file does not exist or cannot be read.
    """
    if not name.endswith(".toml"):
        if name not in names(f"templates/{kind}", ".toml"):
            raise ResourceError(
                "there is no {name!r} among the {group}; use one of {known}",
                name=name,
                group=kind,
                known=_choices(kind),
            )
        return resource(f"templates/{kind}", f"{name}.toml").read_text(encoding="utf-8")
    path = Path(name)
    if is_folder(path):
        raise ResourceError("{path} is a folder; name a file", path=name)
    if not is_file(path):
        raise ResourceError(
            "no file {name}; write the path of a TOML file, or one of {known}", name=name, known=_choices(kind)
        )
    from printkit.core.reading import read_utf8

    try:
        return read_utf8(path)
    except OSError as error:
        raise ResourceError("{path} cannot be read: {reason}", path=name, reason=error.strerror) from None


def _choices(kind: str) -> str:
    """Return the names of all templates of a kind, separated by commas, for a message."""
    return ", ".join(names(f"templates/{kind}", ".toml"))

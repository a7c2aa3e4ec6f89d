"""Whose work printkit carries: every library with which it is installed is named, with the version that is pinned."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "release"))

import notices  # noqa: E402


def named() -> dict[str, tuple[str, str]]:
    """Return the rows of the page: version and licence by the name of the library."""
    rows = re.findall(
        r"^\| (\S[^|]*) \| ([^|]*) ?\| ([^|]+) \|$", notices.PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {name: (version.strip(), licence) for name, version, licence in rows if name not in ("library", "---")}


def test_every_library_is_named_with_its_licence_whole_and_its_pinned_version() -> None:
    found = {each.name: each.licence for each in notices.libraries()}
    told = {name: licence for name, (version, licence) in named().items() if version}
    assert set(found) == set(told)
    assert all(told.values())
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if "==" in line
    )
    plain = {re.sub(r"[-_.]+", "-", name.lower()): version for name, version in pins.items()}
    for name, (version, _) in named().items():
        if version:
            assert plain[re.sub(r"[-_.]+", "-", name.lower())] == version, name
    found = notices.libraries()
    assert [each.name for each in found if not each.texts] == []
    text = notices.texts(found)
    assert text.count("SIL OPEN FONT LICENSE") >= 3
    assert all(f"{each.name} {each.version}" in text for each in found)

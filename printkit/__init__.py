"""Wargame battlefields by published terrain rules, printed at actual size."""

# ``python -m printkit`` must remove the current folder from the import path first, so this module imports nothing.
# Type checkers take this name as true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from printkit.api import Field, Judgement, PrintkitError, cards, check, generate, load, rule_systems

__version__ = "0.3.0"
# The day of the release, for example 2027-01-31.
__date__ = ""

__all__ = (
    "Field",
    "Judgement",
    "PrintkitError",
    "__version__",
    "cards",
    "check",
    "generate",
    "load",
    "rule_systems",
)


if not TYPE_CHECKING:  # For a type checker, a module with this function has every name.

    def __getattr__(name: str) -> object:
        """Return a name of the API. The API is imported on first use, because ``--help`` does not need it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from printkit import api

        return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(__all__)

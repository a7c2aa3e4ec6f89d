"""Wargame battlefields by published terrain rules, as sheets to print at true size."""

# Without an import, so that ``python -m printkit`` can leave the current folder before it imports anything. Checkers of
# types take the name as true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from printkit.api import Field, Judgement, PrintkitError, cards, check, generate, load, rule_systems

__version__ = "0.3.0"

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


if not TYPE_CHECKING:  # To a type checker a module with this function has every name.

    def __getattr__(name: str) -> object:
        """Return what programs use, which is loaded when it is first asked for: ``--help`` needs none of it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from printkit import api

        return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(__all__)

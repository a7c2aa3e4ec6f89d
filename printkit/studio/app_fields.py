"""The pages of a battlefield: the map, its rolls, and their changes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from printkit.api import Field
from printkit.core.errors import PrintkitError, UsageError
from printkit.core.numbers import parse_int
from printkit.core.words import Words
from printkit.kit import registry
from printkit.recipes.prints.maps import find_subtitle
from printkit.studio.app_answers import (
    FOR_EVER,
    answer,
    changed,
    complaint,
    desk_of,
    field_page,
    form_data,
    lang_of,
    look_of,
    of,
    redirect,
    refused,
    run_in_worker,
    style_of,
    svg_of,
    words_of,
)
from printkit.studio.changes import overwritten, thrown_again, told
from printkit.studio.desk import AppState
from printkit.studio.forms import game_form, styles, wanted_of
from printkit.studio.sitting import SavedField
from printkit.studio.views import board_view, stage_views, verdict_view

# The layers that the user can switch on a board without a grid, and on one with a grid.
_FREE: Final = ("overlay", "number", "label")
_GRIDDED: Final = ("grid", "overlay", "label")

# The number of battlefields in the thumbnail strip.
_STRIP: Final = 24


async def home(request: Request) -> Response:
    """Redirect to the latest battlefield; an empty session generates one, so that the page shows a map."""
    desk = desk_of(request)
    kept = await run_in_worker(request, desk.first, lang_of(request))
    query = f"?{request.url.query}" if request.url.query else ""
    return redirect(f"/field/{kept.id}{query}")


async def settings_of_rules(request: Request) -> Response:
    """Show the form of another rule system with the latest battlefield, for browsers without JavaScript."""
    desk = desk_of(request)
    kept = await run_in_worker(request, desk.first, lang_of(request))
    return await _field_page(request, kept.id)


async def new(request: Request) -> Response:
    """Generate a battlefield."""
    desk, asked = desk_of(request), await form_data(request)
    lang = lang_of(request)
    try:
        kept = await run_in_worker(request, desk.new, asked, lang)
    except PrintkitError as error:
        last = await run_in_worker(request, desk.first, lang)
        told = complaint(error, words_of(request))
        known = asked if asked.get("rules") in registry.names() else None
        return await _field_page(request, last.id, asked=known, error=told, status=422)
    style = asked.get("style", "")
    return redirect(f"/field/{kept.id}?style={style}" if style and style != style_of(request) else f"/field/{kept.id}")


async def shown(request: Request) -> Response:
    """Show a battlefield."""
    return await _field_page(request, request.path_params["field"])


async def _field_page(
    request: Request, field: str, *, asked: dict[str, str] | None = None, error: str = "", status: int = 200
) -> Response:
    desk, words = desk_of(request), words_of(request)
    look = look_of(request, field)
    given = dict(request.query_params) if "rules" in request.query_params else asked
    try:
        kept = desk.sitting.find(field)
        desk.pictures.wanted(look)
        values = await run_in_worker(request, _field_values, desk, kept, words, given)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    return answer(
        request,
        "field",
        field=field,
        status=status,
        error=error,
        kept=kept,
        svg=svg_of(look),
        styles=styles(look.style, words),
        strip=_strip(desk, kept, words),
        dropped=desk.sitting.dropped,
        **values,
    )


def _field_values(desk: AppState, kept: SavedField, words: Words, given: dict[str, str] | None) -> dict[str, Any]:
    made: Field = desk.sitting.field(kept.id)
    asked = wanted_of(made) if given is None else {"rules": registry.DEFAULT, **given}
    system = registry.find(made.rules)
    return {
        "board": board_view(made, words),
        "layers": _FREE if made.record.battlefield.grid is None else _GRIDDED,
        "verdicts": verdict_view(desk.judged(kept.id), words),
        "form": game_form(registry.validate_name(asked["rules"]), asked, words),
        "subtitle": find_subtitle(system, made.record, words),
    }


def _strip(desk: AppState, kept: SavedField, words: Words) -> list[dict[str, str]]:
    """Return the latest battlefields of the session, newest first, and the current one even if it is older."""
    latest = list(reversed(desk.sitting.fields))
    shown = latest[:_STRIP]
    if kept.id not in [each.id for each in shown]:
        shown = [kept, *shown[:-1]]
    return [{"id": each.id, "label": each.name or _label(each, words)} for each in shown]


def _label(kept: SavedField, words: Words) -> str:
    if kept.change.what in ("hand", "given") or kept.seed is None:
        return words(f"studio.change.{kept.change.what}")
    return words("studio.field.of-seed", seed=kept.seed)


async def drawn(request: Request) -> Response:
    """Return the board of a battlefield as SVG."""
    desk = desk_of(request)
    try:
        field = request.path_params["field"]
        desk.sitting.path(field)
        found = await of(desk.pictures.wanted(look_of(request, field)))
    except PrintkitError as error:
        return refused(request, error, 404)
    return Response(found.text, media_type="image/svg+xml", headers=FOR_EVER)


async def recorded(request: Request) -> Response:
    """Return the record of a battlefield."""
    desk = desk_of(request)
    try:
        path = desk.sitting.path(request.path_params["field"])
    except PrintkitError as error:
        return refused(request, error, 404)
    return Response(path.read_bytes(), media_type="application/geo+json", headers=FOR_EVER)


async def pictured(request: Request) -> Response:
    """Return the thumbnail of a battlefield."""
    desk = desk_of(request)
    try:
        picture = await of(desk.pictures.thumbnail(request.path_params["field"]))
    except PrintkitError as error:
        return refused(request, error, 404)
    return Response(picture, media_type="image/jpeg", headers=FOR_EVER)


async def called(request: Request) -> Response:
    """Name a battlefield."""
    desk, asked, field = desk_of(request), await form_data(request), request.path_params["field"]
    try:
        desk.sitting.find(field)
        await run_in_worker(request, desk.sitting.call, field, asked.get("name", ""))
    except PrintkitError as error:
        return refused(request, error, 404)
    return redirect(f"/field/{field}")


async def throws(request: Request) -> Response:
    """Show the rolls of a battlefield."""
    return await _throws_page(request, request.path_params["field"])


async def _throws_page(request: Request, field: str, *, error: str = "", status: int = 200) -> Response:
    return await field_page(request, "throws", field, _throws_values, error=error, status=status)


def _throws_values(desk: AppState, kept: SavedField, words: Words) -> dict[str, Any]:
    made = desk.sitting.field(kept.id)
    before = None
    if kept.parent and kept.change.what in ("overwrite", "again"):
        with suppress(PrintkitError):
            before = desk.sitting.field(kept.parent)
    return {
        "board": board_view(made, words),
        "layers": _FREE if made.record.battlefield.grid is None else _GRIDDED,
        "stages": stage_views(made, words, before, desk.options(kept.id)),
        "told": tuple(told(kept, made, before, words)),
        "changed": kept.change.throw if before is not None else 0,
    }


async def overwrite(request: Request) -> Response:
    """Replace a roll with the answer of the user."""
    asked = await form_data(request)
    try:
        number, said = answers_of(asked)
    except PrintkitError as error:
        told = complaint(error, words_of(request))
        return await _throws_page(request, request.path_params["field"], error=told, status=422)
    return await changed(request, overwritten, number, said, leads=f"throws#t{number}", wrong=_throws_page)


async def again(request: Request) -> Response:
    """Roll a stage again."""
    asked = await form_data(request)
    return await changed(request, thrown_again, asked.get("stage", ""), leads="throws#told", wrong=_throws_page)


def answers_of(asked: dict[str, str]) -> tuple[int, str]:
    """Return the number of the roll to replace, and the new answer.

    Raises:
        UsageError: the form does not have both.
    """
    number, said = asked.get("throw", ""), asked.get("answer", "").strip()
    throw = parse_int(number)
    if throw is None or not said:
        raise UsageError("give the roll and its score, for example roll 48 and 6")
    return throw, said


ROUTES = [
    Route("/", home),
    Route("/field", settings_of_rules, methods=["GET"]),
    Route("/field", new, methods=["POST"]),
    Route("/field/{field}.svg", drawn),
    Route("/field/{field}.json", recorded),
    Route("/field/{field}.jpg", pictured),
    Route("/field/{field}", shown),
    Route("/field/{field}/keep", called, methods=["POST"]),
    Route("/field/{field}/throws", throws),
    Route("/field/{field}/overwrite", overwrite, methods=["POST"]),
    Route("/field/{field}/again", again, methods=["POST"]),
]

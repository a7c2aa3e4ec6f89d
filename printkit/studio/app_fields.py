"""The pages of a battlefield: the map, its rolls and changes, edits by hand, and the check of another record."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from printkit.api import Field
from printkit.core.errors import PrintkitError, UsageError
from printkit.core.numbers import parse_int
from printkit.core.words import Words
from printkit.kit import registry
from printkit.options.roles import find_role
from printkit.recipes.game.like import WISHES
from printkit.recipes.prints.map_plan import find_subtitle, plan_map
from printkit.studio.app_helpers import (
    FOR_EVER,
    app_of,
    apply_change,
    field_page,
    form_data,
    lang_of,
    look_of,
    redirect,
    render_response,
    run,
    run_in_worker,
    style_of,
    wait_for,
)
from printkit.studio.app_state import AppState
from printkit.studio.changes import (
    board_units,
    describe_effects,
    edit_by_hand,
    edited_features,
    find_like,
    open_record,
    replace_answer,
    roll_stage_again,
)
from printkit.studio.forms import form_of, game_form, styles
from printkit.studio.print_forms import map_work, order_of, read_print_form
from printkit.studio.session import SavedField
from printkit.studio.start import role_takes
from printkit.studio.views import board_view, stage_views, verdict_view


async def show_hand(request: Request, error: PrintkitError | None = None) -> Response:
    """Show a battlefield for editing by hand."""
    return await field_page(request, "hand", request.path_params["field"], _hand_values, error)


def _hand_values(app: AppState, saved_field: SavedField, words: Words) -> dict[str, Any]:
    """Return the values of the page for editing by hand.

    They are ``board``, ``verdicts``, ``touched`` (the edits), ``changes`` (the edits by ID), ``units``,
    ``unit`` (the preferred one) and ``gridded``.
    """
    field = app.sitting.field(saved_field.id)
    edits = list(edited_features(app, saved_field, words))
    return {
        "board": board_view(field, words),
        "verdicts": verdict_view(app.judgement(saved_field.id), words),
        "touched": edits,
        "changes": {edit.id: edit for edit in edits},
        "units": board_units(field.record.battlefield.board.scale),
        "unit": app.preferences.unit,
        "gridded": field.record.battlefield.grid is not None,
    }


async def edit_feature(request: Request) -> Response:
    """Move, rotate, delete or restore a feature, and redirect to the new battlefield."""
    return await apply_change(request, edit_by_hand, await form_data(request), leads="hand", wrong=show_hand)


async def show_check(request: Request) -> Response:
    """Show the page that checks a record, with the verdicts of the one in the query."""
    field = request.query_params.get("field", "")
    if not field:
        return render_response(request, "check", kept=None)
    return await field_page(request, "check", field, _hand_values)


async def check_upload(request: Request) -> Response:
    """Check an uploaded record: the text of a form, or the file itself."""
    try:
        body = (await request.body()).decode("utf-8")
        if request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            body = dict(parse_qsl(body, keep_blank_values=True)).get("record", "")
        if not body.strip():
            raise UsageError("nothing was sent; paste the text of a record or choose its file")
        saved_field = await run(request, open_record, app_of(request), body, lang_of(request))
    except UnicodeDecodeError:
        return render_response(request, "check", kept=None, error=UsageError("that is not UTF-8 text"))
    except PrintkitError as error:
        return render_response(request, "check", kept=None, error=error)
    return redirect(f"/check?field={saved_field.id}")


# The layers that the user can switch on a board without a grid, and on one with a grid.
_FREE: Final = ("overlay", "number", "label")
_GRIDDED: Final = ("grid", "overlay", "label")

# The number of battlefields in the thumbnail strip.
_STRIP: Final = 24


async def show_latest(request: Request) -> Response:
    """Redirect to the latest battlefield, or show it with the form of another rule system from the query.

    An empty session generates one, so that the page shows a map.
    """
    saved_field = await run_in_worker(request, app_of(request).first, lang_of(request))
    if "rules" in request.query_params:
        return await _field_page(request, saved_field.id)
    return redirect(f"/field/{saved_field.id}" + (f"?{request.url.query}" if request.url.query else ""))


async def create_field(request: Request) -> Response:
    """Generate a battlefield from a form, and redirect to its page."""
    app, form = app_of(request), await form_data(request)
    lang = lang_of(request)
    try:
        saved_field = await run_in_worker(request, app.new, form, lang)
    except PrintkitError as error:
        last = await run_in_worker(request, app.first, lang)
        valid_form = form if form.get("rules") in registry.names() else None
        return await _field_page(request, last.id, form=valid_form, error=error)
    style = form.get("style", "")
    return redirect(
        f"/field/{saved_field.id}?style={style}" if style and style != style_of(request) else f"/field/{saved_field.id}"
    )


async def show_field(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the page of a battlefield."""
    return await _field_page(request, request.path_params["field"], error=error)


async def _field_page(
    request: Request, field: str, *, form: dict[str, str] | None = None, error: PrintkitError | None = None
) -> Response:
    """Render the page of a battlefield; ``form`` has the values to show in the form."""
    form_values = dict(request.query_params) if "rules" in request.query_params else form
    values = partial(_field_values, style=style_of(request), form_values=form_values)
    return await field_page(request, "field", field, values, error)


def _field_values(
    app: AppState, saved_field: SavedField, words: Words, *, style: str, form_values: dict[str, str] | None
) -> dict[str, Any]:
    """Return the values of the page of a battlefield: board, layers, verdicts, forms, strip, subtitle and print job.

    ``form_values`` are those of a submitted form; None means those of the battlefield.
    """
    field: Field = app.sitting.field(saved_field.id)
    values = form_of(field) if form_values is None else {"rules": registry.DEFAULT, **form_values}
    system, role, sheet = registry.find(field.rules), find_role(field.rules), app.preferences.sheet
    prints = role.prints if role else "map"
    print_values = read_print_form(app, {"style": style})
    order = order_of(print_values, app.settings.printers, words)
    effort = map_work(plan_map(field.record, system, order))
    figures = effort._asdict() if prints == "map" else role_takes()[role.name][sheet] if role else {}
    form_view = game_form(registry.validate_name(values["rules"]), values, words)
    return {
        "prints": prints,
        "effort": effort,
        "takes": words(f"studio.ready.takes-{prints}", paper=words(f"studio.start.{sheet}"), **figures),
        "board": board_view(field, words),
        "layers": _FREE if field.record.battlefield.grid is None else _GRIDDED,
        "verdicts": verdict_view(app.judgement(saved_field.id), words),
        "form": form_view,
        # The title of other rules that the user has chosen: no battlefield of the old rules is shown with their form.
        "other_rules": "" if form_view.rules == field.rules else form_view.chosen.label,
        "subtitle": find_subtitle(system, field.record, words),
        "styles": styles(style, words),
        "strip": _strip_entries(app, saved_field, words),
        "dropped": app.sitting.dropped,
        "wishes": WISHES,
        "settings_open": form_values is not None,
    }


def _strip_entries(app: AppState, saved_field: SavedField, words: Words) -> list[dict[str, str]]:
    """Return the latest battlefields, newest first, each with the keys ``id`` and ``label``.

    The current battlefield is always in the list, even if it is older.
    """
    latest = list(reversed(app.sitting.fields))
    entries = latest[:_STRIP]
    if saved_field.id not in [entry.id for entry in entries]:
        entries = [saved_field, *entries[:-1]]
    return [{"id": entry.id, "label": entry.name or _strip_label(entry, words)} for entry in entries]


def _strip_label(saved_field: SavedField, words: Words) -> str:
    """Return the label of a battlefield without a name: its change or its seed."""
    if saved_field.change.what in ("hand", "given") or saved_field.seed is None:
        return words(f"studio.change.{saved_field.change.what}")
    return words("studio.field.of-seed", seed=saved_field.seed)


async def show_like(request: Request) -> Response:
    """Roll battlefields like this one, and redirect to the one that fits the wish of the form best."""
    wish = (await form_data(request)).get("wish", "")
    return await apply_change(request, find_like, wish, leads="", wrong=show_field)


async def send_drawing(request: Request) -> Response:
    """Return the board of a battlefield as SVG."""
    app, field = app_of(request), app_of(request).sitting.find(request.path_params["field"])
    drawing, start = app.pictures.wanted(look_of(request, field.id)), monotonic()
    is_new = not drawing.done()
    board = await wait_for(drawing)
    if is_new:
        app.pictures.seconds[field.rules] = monotonic() - start
    return Response(board.text, media_type="image/svg+xml", headers=FOR_EVER)


async def send_record(request: Request) -> Response:
    """Return the record of a battlefield as a file."""
    path = app_of(request).sitting.path(request.path_params["field"])
    return Response(path.read_bytes(), media_type="application/geo+json", headers=FOR_EVER)


async def send_thumbnail(request: Request) -> Response:
    """Return the thumbnail of a battlefield as a JPEG."""
    picture = await wait_for(app_of(request).pictures.thumbnail(request.path_params["field"]))
    return Response(picture, media_type="image/jpeg", headers=FOR_EVER)


async def name_field(request: Request) -> Response:
    """Save the name that the user gives a battlefield, and redirect to its page."""
    app, form, field = app_of(request), await form_data(request), request.path_params["field"]
    app.sitting.find(field)
    await run_in_worker(request, app.sitting.set_name, field, form.get("name", ""))
    return redirect(f"/field/{field}")


async def show_rolls(request: Request, error: PrintkitError | None = None) -> Response:
    """Show the rolls of a battlefield."""
    return await field_page(request, "throws", request.path_params["field"], _rolls_values, error)


def _rolls_values(app: AppState, saved_field: SavedField, words: Words) -> dict[str, Any]:
    """Return the values of the page with the rolls: ``board``, ``layers``, ``stages``, ``told`` and ``changed``.

    ``told`` are the sentences about the effects of the change, and ``changed`` is the number, from 1, of the roll that
    the user replaced, or 0.
    """
    field = app.sitting.field(saved_field.id)
    previous_field = None
    if saved_field.change.what in ("overwrite", "again"):
        with suppress(PrintkitError):
            previous_field = app.sitting.field(saved_field.parent)
    return {
        "board": board_view(field, words),
        "layers": _FREE if field.record.battlefield.grid is None else _GRIDDED,
        "stages": stage_views(field, words, previous_field, app.options(saved_field.id)),
        "told": tuple(describe_effects(saved_field.change, field, previous_field, words)) if previous_field else (),
        "changed": saved_field.change.throw if previous_field is not None else 0,
    }


async def overwrite_roll(request: Request) -> Response:
    """Replace a roll with the answer of the user, and redirect to the new battlefield."""
    form = await form_data(request)
    try:
        number, new_answer = parse_overwrite(form)
    except PrintkitError as error:
        return await show_rolls(request, error)
    return await apply_change(request, replace_answer, number, new_answer, leads=f"throws#t{number}", wrong=show_rolls)


async def reroll_stage(request: Request) -> Response:
    """Roll a stage again, and redirect to the new battlefield."""
    form = await form_data(request)
    return await apply_change(request, roll_stage_again, form.get("stage", ""), leads="throws#told", wrong=show_rolls)


def parse_overwrite(form: dict[str, str]) -> tuple[int, str]:
    """Return the number, from 1, of the roll to replace, and the new answer.

    Raises:
        UsageError: the form does not have both.
    """
    number, new_answer = form.get("throw", ""), form.get("answer", "").strip()
    throw = parse_int(number)
    if throw is None or not new_answer:
        raise UsageError("give the roll and its score, for example roll 48 and 6")
    return throw, new_answer

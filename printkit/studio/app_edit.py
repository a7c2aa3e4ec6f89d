"""Pages that edit a battlefield by hand and check a record from elsewhere."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words
from printkit.studio.app_helpers import (
    app_of,
    apply_change,
    field_page,
    form_data,
    lang_of,
    redirect,
    render_response,
    run,
)
from printkit.studio.app_state import AppState
from printkit.studio.hand_edits import board_units, edit_by_hand, edited_features, open_record
from printkit.studio.session import SavedField
from printkit.studio.views import board_view, verdict_view


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

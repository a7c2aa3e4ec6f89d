"""The pages for printing: sheet layout, game night, jobs with their files, and printers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from printkit.core.errors import PrintkitError, UsageError
from printkit.core.words import Words
from printkit.export.png import ink_estimate
from printkit.kit import registry
from printkit.options.commands import CalibrateOptions
from printkit.options.printing import PrintOptions
from printkit.recipes.evening.parts import CUT_SECONDS, PASTE_SECONDS, PRINT_SECONDS, part_marks, validate_parts
from printkit.recipes.output.printers import build_profile, find, save, saved_names
from printkit.recipes.prints.file_names import add_marks, map_name
from printkit.recipes.prints.map_sheets import SheetLayout, find_sheet_layout
from printkit.recipes.prints.maps import map_document
from printkit.studio.app_answers import (
    answer,
    complaint,
    desk_of,
    form_data,
    lang_of,
    look_of,
    of,
    redirect,
    refused,
    run_in_worker,
    streams_of,
    words_of,
)
from printkit.studio.desk import AppState
from printkit.studio.forms import typed
from printkit.studio.jobs import DONE, FAILED, Job, printed, zipped
from printkit.studio.orders import (
    clean,
    decks_of,
    evening_options,
    formats_of,
    order_of,
    part_rows,
    parts_sent,
    print_form,
    task_of,
)
from printkit.studio.sitting import SavedField
from printkit.studio.views import board_view
from printkit.studio.work import Task

# Seconds between two checks of a job.
_BEAT: Final = 0.15


async def printing(request: Request) -> Response:
    """Show the sheet layout of a map and everything that can be printed of its battlefield."""
    return await _printing_page(request, request.path_params["field"], dict(request.query_params))


async def _printing_page(
    request: Request, field: str, asked: dict[str, str], *, error: str = "", status: int = 200
) -> Response:
    desk, words = desk_of(request), words_of(request)
    asked.setdefault("style", look_of(request, field).style)
    try:
        kept = desk.sitting.find(field)
        try:
            cleaned = clean(asked, desk.settings.printers)
            values = await run_in_worker(request, _printing_values, desk, kept, cleaned, words)
            values["takes"] = None
            if asked.get("takes"):
                values["takes"] = await of(desk.draw(_taken, desk, field, cleaned, words))
        except PrintkitError as wrong:
            error, status = error or complaint(wrong, words), 422
            cleaned = {}
            values = {"takes": None} | await run_in_worker(request, _printing_values, desk, kept, cleaned, words)
    except PrintkitError as wrong:
        return refused(request, wrong, 404)
    look = look_of(request, field)
    style = cleaned.get("style", "campaign")
    svg = f"/field/{field}.svg?style={style}&lang={look.lang}"
    return answer(request, "print", field=field, error=error, status=status, kept=kept, svg=svg, **values)


def _printing_values(desk: AppState, kept: SavedField, asked: dict[str, str], words: Words) -> dict[str, Any]:
    made, printers = desk.sitting.field(kept.id), desk.settings.printers
    order = order_of(asked, printers, words)
    lying = find_sheet_layout(made.record, registry.find(made.rules), order)
    record = desk.sitting.path(kept.id)
    return {
        "board": board_view(made, words),
        "form": print_form(asked, printers, words),
        "lying": _lying(lying, made.record.battlefield.board.depth),
        "minutes": _minutes(lying),
        "scale": order.scale,
        "ratio": f"1:{1 / lying.scale:.3g}".replace(".", words("leaflets.decimal")),
        "decks": decks_of(made),
        "formats": [name for name in formats_of() if name != "geojson"],
        "command": typed(["printkit", *task_of("map", record, desk.settings, asked, words.code, made=made).words]),
    }


class MapTakes(Struct, frozen=True, kw_only=True):
    """Facts that require drawing the map: its ink in per cent, and its sheets without features."""

    ink: int
    bare: tuple[str, ...]


def _taken(desk: AppState, field: str, asked: dict[str, str], words: Words) -> MapTakes:
    made = desk.sitting.field(field)
    order = order_of(asked, desk.settings.printers, words)
    document, planned = map_document(made.record, registry.find(made.rules), order)
    return MapTakes(ink=round(100 * ink_estimate(document)), bare=planned.empty_sheets)


def _lying(lying: SheetLayout, depth: float) -> dict[str, Any]:
    """Return the sheet layout for the page: positions and sizes in mm of the board, with y downwards."""
    sheets = [
        {
            "name": each.name,
            "x": round(each.window.x, 1),
            "y": round(depth - each.window.y - each.window.height, 1),
            "wide": round(each.window.width, 1),
            "high": round(each.window.height, 1),
            "dropped": each.name in lying.dropped,
            "shaded": (lying.columns and (number % lying.columns + number // lying.columns) % 2 == 0),
        }
        for number, each in enumerate(lying.sheets)
    ]
    return {
        "sheets": sheets,
        "printed": lying.printed_count,
        "columns": lying.columns,
        "rows": lying.rows,
        "cuts": lying.cuts,
        "overlap": lying.overlap * lying.scale,
        "shared": round(lying.overlap, 1),
        "lies": "upright" if lying.sheet.width <= lying.sheet.height else "across",
        "dropped": lying.dropped,
    }


def _minutes(lying: SheetLayout) -> int:
    pages = lying.printed_count + (1 if lying.sheets else 0)
    seconds = pages * PRINT_SECONDS + lying.cuts * CUT_SECONDS + max(0, lying.printed_count - 1) * PASTE_SECONDS
    return -(-seconds // 60)


async def evening(request: Request) -> Response:
    """Show the parts of a game night and the form that prints it."""
    desk, words, field = desk_of(request), words_of(request), request.path_params["field"]
    try:
        kept = desk.sitting.find(field)
        asked = clean({"style": look_of(request, field).style, **request.query_params}, desk.settings.printers)
        made = await run_in_worker(request, desk.sitting.field, field)
        record = desk.sitting.path(field)
        work = task_of("evening", record, desk.settings, asked, words.code, made=made)
        form = print_form(asked, desk.settings.printers, words)
        rows = await run_in_worker(request, part_rows, made, asked, desk.settings.printers, words)
    except PrintkitError as error:
        return refused(request, error, 422)
    return answer(
        request,
        "evening",
        field=field,
        kept=kept,
        form=form,
        rows=rows,
        command=typed(["printkit", *replace(work, out="").words]),
        picture=f"/field/{field}.jpg",
    )


# --- Jobs -------------------------------------------------------------------------------------------------------------


async def begin(request: Request) -> Response:
    """Start a job that prints something of a battlefield."""
    desk, asked, field = desk_of(request), await form_data(request), request.path_params["field"]
    lang, kind = lang_of(request), asked.get("kind", "map")
    try:
        path = desk.sitting.path(field)
        made = await run_in_worker(request, desk.sitting.field, field)
        cleaned = clean(asked, desk.settings.printers)
        order_of(cleaned, desk.settings.printers, words_of(request))
        if asked.get("parts"):
            rows = await run_in_worker(request, part_rows, made, {}, desk.settings.printers, words_of(request))
            cleaned |= parts_sent(asked, rows)
        work = task_of(kind, path, desk.settings, cleaned, lang, made=made)
        if kind == "evening":
            work = replace(work, out=str(desk.settings.out / _evening_name(desk, field, cleaned)))
    except PrintkitError as error:
        return await _printing_page(request, field, {}, error=complaint(error, words_of(request)), status=422)
    job = desk.jobs.begin(kind, field, work, cleaned)
    return redirect(f"/job/{job.number}")


def _evening_name(desk: AppState, field: str, asked: dict[str, str]) -> str:
    """Return the name of a game-night folder, made from the game and its parts."""
    made = desk.sitting.field(field)
    name = map_name(made.record, order_of(asked, desk.settings.printers, desk.words("")))
    options = evening_options(asked)
    validate_parts(options)
    return f"{add_marks(name, *part_marks(options))}-handouts"


async def job_page(request: Request) -> Response:
    """Show the progress of a job, or stream it as events if the client accepts them."""
    desk = desk_of(request)
    try:
        job = desk.jobs.find(request.path_params["number"])
        kept = desk.sitting.find(job.field) if job.field else None
    except PrintkitError as error:
        return refused(request, error, 404)
    if "text/event-stream" in request.headers.get("accept", ""):
        return StreamingResponse(
            _events(job, request), media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
        )
    return answer(
        request,
        "job",
        field=job.field,
        here="evening" if job.kind == "evening" else "print",
        job=job,
        kept=kept,
        done=DONE,
        failed=FAILED,
        command=typed(["printkit", *job.task.words]),
        out=desk.settings.out,
    )


async def _events(job: Job, request: Request) -> AsyncIterator[str]:
    told = -1
    with streams_of(request).open(request.url.path) as stream:
        while not stream.is_ended:
            if job.version != told:
                told = job.version
                files = [{"name": each.name, "written": each.written, "sheets": each.sheets} for each in job.files]
                facts = {"state": job.state, "done": job.done, "total": job.total, "said": job.said, "files": files}
                yield f"data: {json.dumps(facts)}\n\n"
            if job.over:
                return
            await asyncio.sleep(_BEAT)


async def stop(request: Request) -> Response:
    """Stop a job."""
    number = request.path_params["number"]
    try:
        await asyncio.to_thread(desk_of(request).jobs.stop, number)
    except PrintkitError as error:
        return refused(request, error, 404)
    return redirect(f"/job/{number}")


async def archive(request: Request) -> Response:
    """Return all files of a job as a ZIP."""
    desk = desk_of(request)
    try:
        job = desk.jobs.find(request.path_params["number"])
        if job.state != DONE or not job.files:
            raise UsageError("job {number} did not write any files", number=job.number)
        data = await asyncio.to_thread(zipped, desk.settings.out, [each.name for each in job.files])
    except PrintkitError as error:
        return refused(request, error, 404)
    first = job.files[0].name
    name = first.split("/")[0] if "/" in first else "printkit"
    return Response(
        data, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}.zip"'}
    )


async def printed_file(request: Request) -> Response:
    """Return a printed file."""
    try:
        path = await asyncio.to_thread(printed, desk_of(request).settings.out, request.path_params["name"])
    except PrintkitError as error:
        return refused(request, error, 404)
    kind = "application/pdf" if path.suffix == ".pdf" else "application/octet-stream"
    kind = {".png": "image/png", ".json": "application/json", ".txt": "text/plain; charset=utf-8"}.get(
        path.suffix, kind
    )
    return FileResponse(
        path,
        media_type=kind,
        filename=path.name,
        content_disposition_type="inline" if path.suffix in (".pdf", ".png") else "attachment",
    )


# --- Printers ---------------------------------------------------------------------------------------------------------


async def printers(request: Request) -> Response:
    """Show the calibrated printers and the calibration form."""
    return _printers_page(request)


def _printers_page(
    request: Request, *, error: str = "", told: str = "", asked: dict[str, str] | None = None
) -> Response:
    folder = desk_of(request).settings.printers
    names = saved_names(folder)
    found = []
    for name in names:
        try:
            profile = find(name, folder)
            found.append({"name": name, "x": profile.scale_x, "y": profile.scale_y})
        except PrintkitError:
            found.append({"name": name, "x": None, "y": None})
    return answer(
        request,
        "printer",
        here="print",
        profiles=found,
        error=error,
        told=told,
        asked=asked or {},
        status=422 if error else 200,
    )


async def measured(request: Request) -> Response:
    """Save the measurements of a printer, or print the test sheet."""
    desk, asked, words = desk_of(request), await form_data(request), words_of(request)
    sheet = asked.get("sheet", "a4") if asked.get("sheet") in ("a4", "letter", "a3") else "a4"
    if asked.get("what") == "sheet":
        options = PrintOptions(sheet=sheet, lang=words.code, force=True)
        work = Task(recipe="calibrate", options=options, out=str(desk.settings.out))
        job = desk.jobs.begin("calibrate", "", work, {})
        return redirect(f"/job/{job.number}")
    try:
        lines = f"{asked.get('across', '')}x{asked.get('along', '')}"
        profile = build_profile(CalibrateOptions(name=asked.get("name", ""), measured=lines), sheet)
        await asyncio.to_thread(save, profile, desk.settings.printers)
    except PrintkitError as error:
        return _printers_page(request, error=complaint(error, words), asked=asked)
    return _printers_page(request, told=words("studio.print.printer-saved", name=profile.name))


ROUTES = [
    Route("/field/{field}/print", printing),
    Route("/field/{field}/evening", evening),
    Route("/field/{field}/job", begin, methods=["POST"]),
    Route("/job/{number:int}", job_page, methods=["GET"]),
    Route("/job/{number:int}", stop, methods=["DELETE"]),
    Route("/job/{number:int}/stop", stop, methods=["POST"]),
    Route("/job/{number:int}.zip", archive),
    Route("/out/{name:path}", printed_file),
    Route("/printer", printers, methods=["GET"]),
    Route("/printer", measured, methods=["POST"]),
]
